// Steps through a game without loading the page anew. Every position is a page of its own, which
// works without this script; here its parts are fetched and put in place of those shown.

const PARTS = ["table", "captured", "score", "deals", "seen", "links"];
const pages = new Map();
const replay = document.getElementById("replay");
const help = document.getElementById("help");
let wanted = 0;
let timer = null;

const position = () => ({ deal: +replay.dataset.deal, move: +replay.dataset.move });
const seenBy = () => (replay.dataset.seenBy === undefined ? "" : `&seat=${replay.dataset.seenBy}`);
const address = ({ deal, move }) => `?deal=${deal}&move=${move}${seenBy()}`;
const link = (name) => replay.querySelector(`[data-go="${name}"]`);

function fetched(query) {
  if (!pages.has(query)) {
    const page = fetch(`${location.pathname}${query}&part=1`).then(async (answer) => {
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      return answer.text();
    });
    page.catch(() => pages.delete(query));
    pages.set(query, page);
  }
  return pages.get(query);
}

async function go(query) {
  const turn = ++wanted;
  let text;
  try {
    text = await fetched(query);
  } catch {
    location.search = query; // the server's own page says what is wrong
    return;
  }
  if (turn !== wanted) return;
  show(new DOMParser().parseFromString(text, "text/html").getElementById("replay"));
  const { deal, move } = position();
  const seat = seenBy().replace("&", "?");
  history.replaceState(null, "", `${location.pathname}${seat}#d${deal}m${move}`);
  const next = link("next").getAttribute("href");
  if (next) fetched(next).catch(() => {});
  else stop();
}

function show(fresh) {
  const focused = document.activeElement?.closest("#deals, #plays")?.id;
  Object.assign(replay.dataset, fresh.dataset);
  for (const id of PARTS) document.getElementById(id).replaceWith(fresh.querySelector(`#${id}`));
  showPlays(fresh.querySelector("#plays"));
  // The controls stay, and with them the focus; only where they lead to changes.
  for (const control of fresh.querySelectorAll(".controls [data-go]")) {
    follow(link(control.dataset.go), control);
  }
  document.getElementById("where").textContent = fresh.querySelector("#where").textContent;
  const slider = replay.querySelector("[data-slider]");
  slider.max = replay.dataset.plays;
  slider.value = replay.dataset.move;
  const unfog = document.getElementById("unfog");
  if (unfog) unfog.setAttribute("href", address(position()).replace(seenBy(), ""));
  // Screen readers tell what changes inside an element that stays.
  document.getElementById("said").textContent = document.getElementById("table").dataset.said;
  if (focused) keepFocus(document.getElementById(focused));
  showFour();
}

function follow(control, fresh) {
  for (const name of ["href", "role", "aria-disabled"]) {
    if (fresh.hasAttribute(name)) control.setAttribute(name, fresh.getAttribute(name));
    else control.removeAttribute(name);
  }
}

function keepFocus(part) {
  if (!part.contains(document.activeElement)) part.querySelector("[aria-current]")?.focus();
}

function showPlays(fresh) {
  // For a seat the list grows with every play; else it is the same for the whole deal.
  let list = document.getElementById("plays");
  if (list.dataset.deal !== fresh.dataset.deal || seenBy()) {
    list.replaceWith(fresh);
    list = fresh;
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`[data-move="${replay.dataset.move}"]`);
  current?.setAttribute("aria-current", "step");
  keepInView(list, current);
}

function keepInView(list, entry) {
  if (!entry) list.scrollTop = 0;
  else list.scrollTop = entry.offsetTop - (list.clientHeight - entry.offsetHeight) / 2;
}

function followLink(name) {
  const query = link(name)?.getAttribute("href");
  if (query) go(query);
  return Boolean(query);
}

function stop() {
  clearInterval(timer);
  timer = null;
  replay.querySelector("[data-play]").setAttribute("aria-pressed", "false");
}

function start() {
  stop();
  if (!followLink("next")) return;
  const pause = +replay.querySelector("[data-speed]").value;
  timer = setInterval(() => followLink("next"), pause);
  replay.querySelector("[data-play]").setAttribute("aria-pressed", "true");
}

const toggle = () => (timer ? stop() : start());

function showFour() {
  const isFour = document.documentElement.dataset.suits === "four";
  replay.querySelector("[data-four]").setAttribute("aria-pressed", String(isFour));
}

function toggleFour() {
  const suits = document.documentElement.dataset.suits === "four" ? "two" : "four";
  document.documentElement.dataset.suits = suits;
  showFour();
  try {
    localStorage.setItem("suits", suits);
  } catch {
    // It holds for this page only, where a browser keeps nothing for us.
  }
}

const KEYS = {
  ArrowLeft: () => followLink("previous"),
  ArrowRight: () => followLink("next"),
  Home: () => followLink("first"),
  End: () => followLink("final"),
  " ": toggle,
  "[": () => followLink("deal-before"),
  "]": () => followLink("deal-after"),
  f: () => location.assign(replay.querySelector("[data-fog]").href),
  "?": () => help.showModal(),
};
const SHIFTED = ["[", "]", "?"]; // on some keyboards

function isTakenBy(target, key) {
  // Keys stay with whoever needs them: fields, the slider, and Space on a button or summary.
  // A dialog that has just been closed keeps the focus until the browser draws its next frame.
  if (target.closest("input, select, textarea, [contenteditable], dialog[open]")) return true;
  return key === " " && Boolean(target.closest("button, summary"));
}

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.defaultPrevented || isTakenBy(event.target, event.key)) return;
  // AltGr, which types brackets on many keyboards, is told as Ctrl and Alt.
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (isModified && !(SHIFTED.includes(event.key) && !event.metaKey)) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  act();
});

replay.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (event.target.closest("[data-play]")) return toggle();
  if (event.target.closest("[data-four]")) return toggleFour();
  if (event.target.closest("[data-help]")) return help.showModal();
  const anchor = event.target.closest('a[href^="?deal="]');
  if (!anchor || anchor.closest("#seen")) return;
  event.preventDefault();
  stop();
  go(anchor.getAttribute("href").split("#")[0]);
});

replay.addEventListener("input", (event) => {
  if (event.target.matches("[data-slider]")) {
    stop();
    go(address({ deal: position().deal, move: event.target.value }));
  } else if (event.target.matches("[data-speed]") && timer) {
    start();
  }
});

function goToHash() {
  const match = /^#d(\d{1,5})m(\d{1,5})$/.exec(location.hash);
  if (!match) return;
  const [deal, move] = [+match[1], +match[2]];
  const now = position();
  if (deal !== now.deal || move !== now.move) go(address({ deal, move }));
}

window.addEventListener("hashchange", goToHash);
showFour();
keepInView(document.getElementById("plays"), replay.querySelector("#plays [aria-current]"));
goToHash();
