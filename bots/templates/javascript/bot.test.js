// The bot's own test: node --test
"use strict";
const assert = require("assert");
const test = require("node:test");
const { choose } = require("./bot.js");

const rules = { jack_captures: true };

test("it captures if it can", () => {
  const legal = [{ card: "KD" }, { card: "7H", capture: true }, { card: "7H", capture: false }];
  assert.deepStrictEqual(choose({ legal, pile: ["7S"] }, rules), legal[1]);
});

test("it captures where it must", () => {
  const legal = [{ card: "KD" }, { card: "JH" }];
  assert.deepStrictEqual(choose({ legal, pile: ["7S"] }, rules), legal[1]);
});

test("else it lays its first card", () => {
  const legal = [{ card: "JD" }, { card: "7H" }];
  assert.deepStrictEqual(choose({ legal, pile: [] }, rules), legal[0]);
});
