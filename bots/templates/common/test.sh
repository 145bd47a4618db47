#!/bin/sh
# The bot's own test: it reads lines.jsonl, and must give one legal answer to every turn, whichever
# that is.
set -e
cd "$(dirname "$0")"
# In a copy: what a build leaves here would be handed in with the bot.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R . "$work"
cd "$work"
@build@answers=$(@run@ <lines.jsonl)
echo "$answers" | awk '
  function first(pattern, text) { return match(text, pattern) ? substr(text, RSTART, RLENGTH) : "" }
  FNR == NR {
    turn = index($0, "\"type\":\"turn\",\"game\":")
    if (turn) {
      number[++turns] = first("\"turn\":[0-9]+", substr($0, turn))
      legal[turns] = first("\"legal\":[^]]*", substr($0, turn))
    }
    next
  }
  {
    gsub(/[ \r]/, "")
    card = first("\"card\":\"[^\"]*\"", $0)
    capture = first(",\"capture\":[a-z]+", $0)
    answers++
    is_play = index($0, "\"type\":\"play\"") && first("\"turn\":[0-9]+", $0) == number[answers]
    if (is_play && card && index(legal[answers], "{" card capture)) next
    print "answer " answers " is not legal: " $0 "; asked was " number[answers] ", " legal[answers]
    wrong = 1
  }
  END {
    print answers + 0 " answers to " turns " turns"
    exit wrong || answers != turns
  }' lines.jsonl -
