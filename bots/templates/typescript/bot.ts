// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.

// What is used of Node, so that no package with its types is needed.
declare const require: any, module: any;
const fs = require("fs");

/** Rank, then suit: "7H", "TC". */
export type Card = string;

export interface Answer {
  card: Card;
  /** Where the card may capture or not: which. */
  capture?: boolean;
}

/** Some of what there is to know at a turn. */
export interface Turn {
  turn: number;
  legal: Answer[];
  hand: Card[];
  /** What lies on the table, bottom to top. */
  pile: Card[];
  /** All plays of this deal; `took` is how many cards. */
  plays: { seat: number; card: Card; took: number }[];
  /** How many cards each seat holds. */
  hands: number[];
  /** How many cards are to come. */
  stock: number;
  /** By side, before this deal. */
  scores: number[];
}

/** Some of the rules, as in `hello`. */
export interface Rules {
  capture: "optional" | "mandatory";
  jack_captures: boolean;
}

/** The answer to a turn: one of `turn.legal`. */
export function choose(turn: Pick<Turn, "legal" | "pile">, rules: Rules): Answer {
  return turn.legal.find((answer) => captures(answer, turn.pile, rules)) || turn.legal[0];
}

/** Whether this answer takes the pile. */
function captures({ card, capture }: Answer, pile: Card[], rules: Rules): boolean {
  if (capture !== undefined) return capture;
  const isJack = card[0] === "J" && rules.jack_captures;
  return pile.length > 0 && (isJack || card[0] === pile[pile.length - 1][0]);
}

let rules: Rules = { capture: "optional", jack_captures: true };

/** Answers every `turn`, remembers the rules, reads past everything else. */
function receive(line: string): void {
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
function main(): void {
  const chunk = require("buffer").Buffer.alloc(65536);
  let text = "";
  for (let length; (length = fs.readSync(0, chunk)) > 0; ) {
    const lines = (text + chunk.latin1Slice(0, length)).split("\n");
    text = lines.pop() as string;
    lines.forEach(receive);
  }
}

if (require.main === module) main();
