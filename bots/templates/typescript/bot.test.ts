// The bot's own test: tsc --outDir .test && node --test .test/bot.test.js
//
// (What is in a hidden folder is not handed in with the bot.) It reads lines.jsonl, and must give one legal answer to every turn, whichever that is.
import { Answer } from "./bot";

declare const require: any;
declare const __dirname: string;
const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");
const test = require("node:test");

/** Whether it is this legal answer; without `capture` a card captures if it can. */
function isMeant(answer: Answer, { card, capture }: Answer): boolean {
  return answer.card === card && (answer.capture === undefined || answer.capture === capture);
}

test("every turn gets one legal answer", () => {
  const lines: string = fs.readFileSync("lines.jsonl", "utf8");
  const read = (text: string): any[] =>
    text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const turns = read(lines).filter((message) => message.type === "turn");
  const answers = read(execFileSync("node", [`${__dirname}/bot.js`], { input: lines, encoding: "utf8" }));
  assert.deepStrictEqual(answers.map((a) => a.turn), turns.map((t) => t.turn));
  answers.forEach((answer, place) => {
    assert.strictEqual(answer.type, "play");
    const legal: Answer[] = turns[place].legal;
    assert.ok(legal.some((each) => isMeant(answer, each)), JSON.stringify(answer));
  });
});
