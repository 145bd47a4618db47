// The bot's own test: tsc && node --test bot.test.js
import { Answer, Rules, choose } from "./bot";

declare const require: any;
const assert = require("assert");
const test = require("node:test");

const rules: Rules = { capture: "optional", jack_captures: true };

test("it captures if it can", () => {
  const sevens: Answer[] = [{ card: "7H", capture: true }, { card: "7H", capture: false }];
  const legal: Answer[] = [{ card: "KD" }, ...sevens];
  assert.deepStrictEqual(choose({ legal, pile: ["7S"] }, rules), legal[1]);
});

test("it captures where it must", () => {
  const legal: Answer[] = [{ card: "KD" }, { card: "JH" }];
  assert.deepStrictEqual(choose({ legal, pile: ["7S"] }, rules), legal[1]);
});

test("else it lays its first card", () => {
  const legal: Answer[] = [{ card: "JD" }, { card: "7H" }];
  assert.deepStrictEqual(choose({ legal, pile: [] }, rules), legal[0]);
});
