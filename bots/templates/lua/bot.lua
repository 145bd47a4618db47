-- @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
--
-- Your own idea goes into `choose`.
local json = require("json")

-- Whether this answer takes the pile. Where it may do so or not, it says which.
local function captures(answer, pile, rules)
  if answer.capture ~= nil then return answer.capture end
  if #pile == 0 then return false end
  local rank = answer.card:sub(1, 1)
  return rank == pile[#pile]:sub(1, 1) or (rank == "J" and rules.jack_captures)
end

-- The answer to a turn: one of turn.legal, a card with or without `capture`.
--
-- Some of what there is to know (a card is "7H", "TC": rank, then suit):
--   turn.hand    your cards
--   turn.pile    what lies on the table, bottom to top
--   turn.plays   all plays of this deal: {seat = 1, card = "7H", took = 0}
--   turn.hands   how many cards each seat holds; turn.stock: how many are to come
--   turn.scores  by side, before this deal
--   rules        as in `hello`: rules.capture, rules.points.kseri, ...
local function choose(turn, rules)
  for _, answer in ipairs(turn.legal) do
    if captures(answer, turn.pile, rules) then return answer end
  end
  return turn.legal[1]
end

local function play(turn, answer)
  local capture = answer.capture
  local said = capture ~= nil and ',"capture":' .. tostring(capture) or ""
  io.write(string.format('{"type":"play","turn":%d,"card":"%s"%s}\n', turn, answer.card, said))
  io.flush()
end

-- Answers every `turn`, remembers the rules, reads past everything else.
local rules = { jack_captures = true }
for line in io.lines() do
  local message = line:find("{", 1, true) and json.decode(line) or {}
  if message.type == "hello" then
    rules = message.rules
  elseif message.type == "turn" then
    play(message.turn, choose(message, rules))
  end
end
