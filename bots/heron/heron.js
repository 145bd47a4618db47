// heron: greedy, with an eye on the kseri.
//
// Every legal answer gets a number, and the highest is played:
//   a capture   what the taken cards score, a little for every card (the majority), and the bonus
//               for a kseri, a double kseri or a jack on jacks; a jack's power has its price,
//               because there are only four;
//   a laid card the loss to fear: what the next player would score by matching it, times the
//               copies of its rank that are still unseen. A card alone on the table fears a
//               kseri, so the rank of which most copies are gone goes first.
// It keeps nothing but the rules of the last hello: every turn tells the whole deal so far.
"use strict";
const fs = require("fs");

const CARD_WORTH = 0.15; // the majority's 3 points, spread over the cards that decide it
const JACK_PRICE = 1.5;
const RISK = 0.12; // chance that the next hand holds a given unseen card, about 4 in 33
const DEFAULTS = {
  decks: 1, jack_captures: true, jack_on_jack: 0,
  points: { ace: 1, jack: 1, ten_of_diamonds: 2, two_of_clubs: 2, kseri: 10, double_kseri: 20 },
};
const EMPTY = { pile: [], marker: null, hand: [], plays: [], deal: { centre: [] } };
let rules = DEFAULTS;

const isJack = (card) => card[0] === "J" && rules.jack_captures;

function worth(card) {
  const { points } = rules;
  if (card === "TD") return points.ten_of_diamonds + CARD_WORTH;
  if (card === "2C") return points.two_of_clubs + CARD_WORTH;
  return (card[0] === "A" ? points.ace : card[0] === "J" ? points.jack : 0) + CARD_WORTH;
}

const worthOf = (cards) => cards.reduce((sum, card) => sum + worth(card), 0);

function captures({ pile, marker }, { card, capture }) {
  if (capture === false) return false;
  if (pile.length === 0) return capture === true || (marker !== null && marker[0] === card[0]);
  return isJack(card) || card[0] === pile[pile.length - 1][0];
}

function captureValue({ pile, hidden_centre }, card) {
  const value = worthOf(pile) + worth(card) + (hidden_centre || 0) * 2 * CARD_WORTH;
  if (pile.length === 0) return rules.points.double_kseri;
  if (isJack(card)) {
    const onlyJacks = pile.every((other) => other[0] === "J");
    return value - JACK_PRICE + (onlyJacks ? rules.jack_on_jack : 0);
  }
  return value + (pile.length === 1 ? rules.points.kseri : 0);
}

function layFear({ pile }, card, unseen) {
  const kseri = pile.length === 0 && !isJack(card) ? rules.points.kseri : 0;
  const price = isJack(card) ? JACK_PRICE * 2 : 0;
  return price + RISK * unseen(card[0]) * (worthOf(pile) + worth(card) + kseri);
}

function unseenCounter({ hand, deal, plays, taken_centre }) {
  const seen = {};
  const note = (card) => { seen[card[0]] = (seen[card[0]] || 0) + 1; };
  hand.forEach(note);
  deal.centre.forEach(note);
  (taken_centre || []).forEach(note);
  for (const play of plays) note(play.card);
  return (rank) => 4 * rules.decks - (seen[rank] || 0);
}

function choose(turn) {
  const unseen = unseenCounter(turn);
  let best = turn.legal[0];
  let bestValue = -Infinity;
  for (const answer of turn.legal) {
    const value = captures(turn, answer)
      ? captureValue(turn, answer.card)
      : -layFear(turn, answer.card, unseen);
    if (value > bestValue) [best, bestValue] = [answer, value];
  }
  return best;
}

function receive(line) {
  if (line.trim() === "") return;
  const message = JSON.parse(line);
  if (message.type === "hello") {
    const given = message.rules || {};
    rules = { ...DEFAULTS, ...given, points: { ...DEFAULTS.points, ...given.points } };
  } else if (message.type === "turn") {
    const { card, capture } = choose({ ...EMPTY, ...message });
    const answer = { type: "play", turn: message.turn, card, capture };
    fs.writeSync(1, JSON.stringify(answer) + "\n");
  }
}

// Reading without the event loop is what makes a quick answer quick. Latin-1 cannot fail on a
// character cut in two by the end of a chunk, and cards are ASCII.
const chunk = Buffer.alloc(65536);
let text = "";
for (let length; (length = fs.readSync(0, chunk)) > 0;) {
  text += chunk.latin1Slice(0, length);
  const lines = text.split("\n");
  text = lines.pop();
  lines.forEach(receive);
}
