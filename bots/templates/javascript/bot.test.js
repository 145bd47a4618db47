// The bot's own test: node --test
//
// It reads lines.jsonl, and must give one legal answer to every turn, whichever that is.
"use strict";
const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");
const test = require("node:test");

// Whether it is this legal answer; without `capture` a card captures if it can.
function isMeant(answer, { card, capture }) {
  return answer.card === card && (answer.capture === undefined || answer.capture === capture);
}

test("every turn gets one legal answer", () => {
  const lines = fs.readFileSync("lines.jsonl", "utf8");
  const read = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const turns = read(lines).filter((message) => message.type === "turn");
  const answers = read(execFileSync("node", ["bot.js"], { input: lines, encoding: "utf8" }));
  assert.deepStrictEqual(answers.map((a) => a.turn), turns.map((t) => t.turn));
  answers.forEach((answer, place) => {
    assert.strictEqual(answer.type, "play");
    const { legal } = turns[place];
    assert.ok(legal.some((each) => isMeant(answer, each)), JSON.stringify(answer));
  });
});
