#!/usr/bin/env bash
# @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
#
# Your own idea goes into `choose`. A bot is one process: only what Bash itself can do works, no
# other programs, no pipes, no $(...), no <<<.
LC_ALL=C
set -f

# Sets `answer` to the place of the answer to a turn in `legal`.
#
# What there is to know (a card is 7H, TC: rank, then suit); `receive` could read more:
#   legal     the cards of the legal answers; the same place of `said`: true or false where a card
#             may capture or not, else empty
#   hand      your cards
#   pile      what lies on the table, bottom to top
#   plays     the cards of all plays of this deal
#   jack_captures  as in the rules
choose() {
  for answer in "${!legal[@]}"; do
    captures "$answer" && return
  done
  answer=0
}

# Whether this answer takes the pile. Where it may do so or not, it says which.
captures() {
  local card=${legal[$1]} said=${said[$1]}
  [[ $said ]] && { [[ $said == true ]]; return; }
  ((${#pile[@]})) || return
  [[ ${card:0:1} == "${pile[-1]:0:1}" || ($jack_captures == true && $card == J*) ]]
}

play() {
  local end="${said[answer]:+,\"capture\":${said[answer]}}}"
  printf '{"type":"play","turn":%d,"card":"%s"%s\n' "$turn" "${legal[answer]}" "$end"
}

# Reads a line: what stands between quotes is a key or a string, what stands between strings has
# the brackets. A key that is asked for is known by its depth and the key of the first level.
# Strings lose their blanks and escapes, which no string that is asked for has.
receive() {
  local line=${1//[[:space:]]/} depth=0 section='' key='' between rest opened closed place
  local IFS='"' parts
  line=${line//\\\\/}
  parts=(${line//\\\"/})
  type='' turn=0 legal=() said=() hand=() pile=() plays=()
  for ((place = 0; place < ${#parts[@]}; place += 2)); do
    between=${parts[place]}
    if [[ $between == :[a-z0-9]* ]]; then
      rest=${between#:}
      word "${rest%%[],\}]*}"
    fi
    if [[ $between == *[]{}[]* ]]; then
      opened=${between//[^\{\[]/} closed=${between//[^\}\]]/}
      ((depth += ${#opened} - ${#closed}))
    fi
    if [[ ${parts[place + 2]} == :* ]]; then
      key=${parts[place + 1]}
      ((depth == 1)) && section=$key
    else
      text "${parts[place + 1]}"
    fi
  done
}

# A number, true or false that belongs to `key`.
word() {
  case $depth.$section.$key in
    1.turn.turn) turn=$1 ;;
    3.legal.capture) said[${#legal[@]} - 1]=$1 ;;
    2.rules.jack_captures) rules_say=$1 ;;
  esac
}

# A string that belongs to `key` or stands in the array `section`.
text() {
  case $depth.$section.$key in
    1.type.type) type=$1 ;;
    3.legal.card) legal+=("$1") ;;
    2.hand.hand) hand+=("$1") ;;
    2.pile.pile) pile+=("$1") ;;
    3.plays.card) plays+=("$1") ;;
  esac
}

# Answers every `turn`, remembers the rules, reads past everything else.
jack_captures=true
while read -r line; do
  rules_say=true
  receive "$line"
  case $type in
    hello) jack_captures=$rules_say ;;
    turn) choose; play ;;
  esac
done
