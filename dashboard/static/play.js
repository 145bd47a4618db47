// A visitor's seat: plays are sent without a new page, and keys choose cards.

import { renew } from "./live.js";

const seat = document.getElementById("seat");
const buttons = () => [...document.querySelectorAll("#hand button")];
let sent = ""; // the turn that was answered last
let wasInHand = false; // whether the focus was on a card, which goes when it is played

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  try {
    const answer = await fetch(`${form.action}?fragment=1`, { method: "POST", body });
    // What is no seat is a page that says why.
    const text = await answer.text();
    // The page may have shown the next turn before, by an event, and that be answered.
    if (sent === body.get("turn") && !renew(text)) location.reload();
  } catch {
    location.reload(); // the arena is away: the browser says so
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-plays]")) return;
  event.preventDefault();
  const turn = form.elements.turn.value;
  if (sent === turn) return; // a second click
  sent = turn;
  send(form, event.submitter);
});

document.addEventListener("focusin", ({ target }) => {
  wasInHand = Boolean(target.closest("#hand"));
});

new MutationObserver(() => {
  if (wasInHand && document.activeElement === document.body) buttons()[0]?.focus();
}).observe(seat, { childList: true, subtree: true });

function step(by) {
  const all = buttons();
  const here = all.indexOf(document.activeElement);
  const next = here < 0 ? (by > 0 ? 0 : all.length - 1) : (here + by + all.length) % all.length;
  all[next].focus();
}

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !buttons().length) return;
  if (target.closest("input, select, textarea, [contenteditable], .wide, .played")) return;
  const inHand = Boolean(target.closest("#hand"));
  if (key === "ArrowRight" || (inHand && key === "ArrowDown")) step(1);
  else if (key === "ArrowLeft" || (inHand && key === "ArrowUp")) step(-1);
  else if (/^[1-9]$/.test(key)) document.querySelectorAll("#hand .choice")[key - 1]?.querySelector("button").focus();
  else return;
  event.preventDefault();
});
