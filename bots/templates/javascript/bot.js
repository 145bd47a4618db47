// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.
"use strict";
const fs = require("fs");

// The answer to a turn: one of `turn.legal`, a card with or without `capture`.
//
// Some of what there is to know (a card is "7H", "TC": rank, then suit):
//   turn.hand    your cards
//   turn.pile    what lies on the table, bottom to top
//   turn.plays   all plays of this deal: {seat: 1, card: "7H", took: 0}
//   turn.hands   how many cards each seat holds; turn.stock: how many are to come
//   turn.scores  by side, before this deal
//   rules        as in `hello`: rules.capture, rules.points.kseri, ...
function choose(turn, rules) {
  return turn.legal.find((answer) => captures(answer, turn.pile, rules)) || turn.legal[0];
}

// Whether this answer takes the pile. Where it may do so or not, it says which.
function captures({ card, capture }, pile, rules) {
  if (capture !== undefined) return capture;
  const isJack = card[0] === "J" && rules.jack_captures;
  return pile.length > 0 && (isJack || card[0] === pile[pile.length - 1][0]);
}

let rules = { jack_captures: true };

// Answers every `turn`, remembers the rules, reads past everything else.
function receive(line) {
  if (line.trim() === "") return;
  const message = JSON.parse(line);
  if (message.type === "hello") {
    rules = message.rules;
  } else if (message.type === "turn") {
    const answer = { type: "play", turn: message.turn, ...choose(message, rules) };
    fs.writeSync(1, JSON.stringify(answer) + "\n");
  }
}

// Without the event loop answers are quickest. Latin-1 cannot fail on a character that the end of
// a chunk cuts in two, and what a bot reads is ASCII.
function main() {
  const chunk = Buffer.alloc(65536);
  let text = "";
  for (let length; (length = fs.readSync(0, chunk)) > 0;) {
    const lines = (text + chunk.latin1Slice(0, length)).split("\n");
    text = lines.pop();
    lines.forEach(receive);
  }
}

module.exports = { choose };
if (require.main === module) main();
