// Says before a file is sent that it is too large: the server would only break off.

const file = document.getElementById("bot");

file.addEventListener("change", () => {
  const most = Number(file.dataset.mostBytes);
  const size = file.files[0]?.size ?? 0;
  const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  file.setCustomValidity(size > most ? `This file has ${mib(size)}; at most ${mib(most)} are taken.` : "");
  file.reportValidity();
});
