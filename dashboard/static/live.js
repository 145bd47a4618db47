// Keeps parts of a page as the server would write them now.
//
//   <section id="standings" data-live="tournament:3" data-fragment="/tournaments/3/?fragment=1">
//
// `data-live`: topics, with blanks between them; `tournament` alone is every tournament, `bots`,
// `job` and `sitting` are others. When one of them changes, the address in `data-fragment` (else the page's own)
// is fetched, once for all parts that have it; of the answer the element with the same id takes the
// place of this one, else all of it that of its content.
//
// Where the new one has `data-reload`, all of the page is another now, and is loaded anew.
//
// One tab has the stream of events and passes them on to the others: a browser opens six
// connections to a host, and a stream takes one for itself. Where no stream is to be had, that tab
// asks now and then.

const PAUSE_MS = 1000; // between two looks at the same part, at least
const SHARE = 10; // … and so many times as long as the last one took
const POLL_MS = 5000;
const POLLS = 12; // then a stream is tried again
const NAME = "kseri-live";

const address = (path) => new URL(`../${path}`, import.meta.url);
const parts = () => [...document.querySelectorAll("[data-live]")];
const channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
let last = Number(document.body.dataset.since ?? 0);

// What has changed

function take(news) {
  if ("reset" in news) {
    last = news.reset;
    parts().forEach(schedule);
    return;
  }
  // An event may come twice, by two ways; to look once more does no harm.
  last = Math.max(last, ...news.events.map(({ id }) => id));
  const topics = new Set(news.events.flatMap(({ topic }) => [topic, topic.split(":")[0]]));
  for (const part of parts()) {
    if (part.dataset.live.split(" ").some((topic) => topics.has(topic))) schedule(part);
  }
}

function hear(news) {
  if (!("known" in news)) take(news);
  else if (news.known > last) ask(take);
}

function pass(news) {
  take(news);
  channel?.postMessage(news);
}

// The parts of the page

const views = new Map(); // by address: several parts may be of one page

const addressOf = ({ dataset }) => new URL(dataset.fragment ?? location.pathname + location.search, location.href).href;

function schedule(part) {
  const of = addressOf(part);
  const view = views.get(of) ?? { timer: 0, isBusy: false, isStale: false, notBefore: 0 };
  views.set(of, view);
  view.isStale = true;
  if (view.timer || view.isBusy || isPaused || document.hidden) return;
  view.timer = setTimeout(refresh, Math.max(0, view.notBefore - performance.now()), of, view);
}

async function refresh(of, view) {
  const began = performance.now();
  Object.assign(view, { timer: 0, isBusy: true, isStale: false });
  let pause = PAUSE_MS;
  try {
    const answer = await fetch(of);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts()) if (addressOf(part) === of) show(part, page);
  } catch {
    view.isStale = true; // the server may be starting anew
    pause = POLL_MS;
  }
  const now = performance.now();
  Object.assign(view, { isBusy: false, notBefore: now + Math.max(pause, SHARE * (now - began)) });
  if (view.isStale) reschedule(of);
}

function reschedule(of) {
  const part = parts().find((each) => addressOf(each) === of);
  if (part) schedule(part);
}

function catchUp() {
  for (const [of, { isStale }] of views) if (isStale) reschedule(of);
}

function show(part, page) {
  const same = part.id && page.getElementById(part.id);
  if (same && "reload" in same.dataset) return location.reload();
  if (same) return turnInto(part, same);
  if (!part.dataset.fragment) return; // the page is without it now
  const filled = part.cloneNode(false);
  filled.append(...page.body.childNodes);
  turnInto(part, filled);
}

// What a script has had as an answer, in place of what is shown; whether it had such parts.

export function renew(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const found = parts().filter(({ id }) => id && page.getElementById(id));
  for (const part of found) show(part, page);
  return found.length > 0;
}

// Only what differs is changed: focus, selection and scrolling stay, and screen readers tell what
// is new.

function turnInto(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    const isReaders = name === "open" && old.nodeName === "DETAILS";
    if (!fresh.hasAttribute(name) && !isReaders) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  turnChildrenInto(old, fresh);
}

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key : "") || "";

function turnChildrenInto(old, fresh) {
  const known = new Map([...old.childNodes].filter(keyOf).map((node) => [keyOf(node), node]));
  let place = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const same = known.get(keyOf(next));
    if (same && same === place) {
      place = place.nextSibling;
      turnInto(same, next);
    } else if (same) {
      old.insertBefore(same, place);
      turnInto(same, next);
    } else if (place && !keyOf(place) && !keyOf(next) && place.nodeName === next.nodeName) {
      const here = place;
      place = place.nextSibling;
      turnInto(here, next);
    } else {
      old.insertBefore(next, place);
    }
  }
  while (place) {
    const after = place.nextSibling;
    place.remove();
    place = after;
  }
}

// Whoever reads may want it to stand still

let isPaused = false;

function addSwitch() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "live-switch";
  const show = () => {
    button.textContent = isPaused ? "Paused" : "Live";
    button.title = isPaused ? "Show what changes as it happens" : "Let this page stand still";
  };
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    show();
    if (!isPaused) catchUp();
  });
  show();
  document.querySelector(".site")?.append(button);
}

// Where the events come from

let source = null;
let timer = 0;

function say(how) {
  document.documentElement.dataset.liveBy = how; // stream, poll or another tab
}

function openStream() {
  closeStream();
  source = new EventSource(address(`events?since=${last}`));
  source.onopen = () => say("stream");
  source.onmessage = ({ data }) => pass({ events: [JSON.parse(data)] });
  source.addEventListener("reset", ({ data }) => pass({ reset: Number(data) }));
  source.onerror = () => {
    // Refused, it never comes back by itself; broken off, it does.
    if (source?.readyState === EventSource.CLOSED) poll(POLLS);
  };
}

function closeStream() {
  source?.close();
  source = null;
  clearTimeout(timer);
}

async function poll(left) {
  say("poll");
  await ask(pass);
  timer = setTimeout(() => (left > 1 ? poll(left - 1) : openStream()), POLL_MS);
}

async function ask(tell) {
  try {
    const answer = await fetch(address(`events.json?since=${last}`));
    if (!answer.ok) return;
    const { latest, events } = await answer.json();
    tell(events ? { events } : { reset: latest });
  } catch {
    // The server is away; the next time will tell.
  }
}

function lead() {
  return new Promise((release) => {
    // What the tab before had heard and not passed on.
    channel?.postMessage({ known: last });
    openStream();
    addEventListener("pagehide", () => {
      closeStream();
      release();
    }, { once: true });
  });
}

function follow() {
  say("another tab");
  if (navigator.locks) return navigator.locks.request(NAME, lead);
  // Nobody can be elected here: only the tab that is looked at has a stream.
  const choose = () => (document.hidden ? closeStream() : openStream());
  document.addEventListener("visibilitychange", choose);
  addEventListener("pagehide", closeStream);
  choose();
}

if (parts().length) {
  addSwitch();
  if (channel) channel.onmessage = ({ data }) => hear(data);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) catchUp();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload(); // from the browser's memory, where no event reached it
  });
  await ask(take); // what has changed since this page was written
  follow();
}
