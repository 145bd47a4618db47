// Runs before the page is drawn, so that nothing changes its place or its colour afterwards.
document.documentElement.classList.add("js");
try {
  if (localStorage.getItem("suits") === "four") document.documentElement.dataset.suits = "four";
} catch {
  // Where a browser keeps nothing for us, the suits have two colours.
}
