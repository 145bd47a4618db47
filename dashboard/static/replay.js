// Steps through a game without loading the page anew. Every position is a page of its own, which
// works without this script; here its parts are fetched and put in place of those shown.

const PARTS = ["table", "score", "deals", "permalink"];
const pages = new Map();
const replay = document.getElementById("replay");
let wanted = 0;
let timer = null;

const position = () => ({ deal: +replay.dataset.deal, move: +replay.dataset.move });
const address = ({ deal, move }) => `?deal=${deal}&move=${move}`;
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
  history.replaceState(null, "", `${location.pathname}#d${deal}m${move}`);
  const next = link("next").getAttribute("href");
  if (next) fetched(next).catch(() => {});
  else stop();
}

function show(fresh) {
  Object.assign(replay.dataset, fresh.dataset);
  for (const id of PARTS) document.getElementById(id).replaceWith(fresh.querySelector(`#${id}`));
  showPlays(fresh.querySelector("#plays"));
  // The controls stay, and with them the focus; only where they lead to changes.
  for (const control of fresh.querySelectorAll("[data-go]")) follow(link(control.dataset.go), control);
  document.getElementById("where").textContent = fresh.querySelector("#where").textContent;
  const slider = replay.querySelector("[data-slider]");
  slider.max = replay.dataset.moves;
  slider.value = replay.dataset.move;
  // Screen readers tell what changes inside an element that stays.
  document.getElementById("said").textContent = replay.querySelector(".last-play").innerText;
}

function follow(control, fresh) {
  for (const name of ["href", "aria-disabled"]) {
    if (fresh.hasAttribute(name)) control.setAttribute(name, fresh.getAttribute(name));
    else control.removeAttribute(name);
  }
}

function showPlays(fresh) {
  let list = document.getElementById("plays");
  if (list.dataset.deal !== fresh.dataset.deal) {
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
  const query = link(name).getAttribute("href");
  if (query) go(query);
  return Boolean(query);
}

function toCapture(step) {
  const { deal, move } = position();
  const moves = [...replay.querySelectorAll("[data-capture]")].map((entry) => +entry.dataset.move);
  const found = step > 0 ? moves.find((other) => other > move) : moves.findLast((other) => other < move);
  if (found !== undefined) go(address({ deal, move: found }));
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

const KEYS = {
  ArrowLeft: () => followLink("previous"),
  ArrowRight: () => followLink("next"),
  Home: () => followLink("first"),
  End: () => followLink("final"),
  " ": toggle,
  "[": () => toCapture(-1),
  "]": () => toCapture(1),
};

function isTakenBy(target, key) {
  // Keys stay with whoever needs them: fields, the slider, and Space on a button or summary.
  if (target.closest("input, select, textarea, [contenteditable]")) return true;
  return key === " " && Boolean(target.closest("button, summary"));
}

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (isTakenBy(event.target, event.key)) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  act();
});

replay.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const button = event.target.closest("[data-play]");
  if (button) return toggle();
  const anchor = event.target.closest('a[href^="?deal="]');
  if (!anchor) return;
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
document.documentElement.classList.add("js");
keepInView(document.getElementById("plays"), replay.querySelector("#plays [aria-current]"));
goToHash();
