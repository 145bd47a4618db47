# @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
#
# Your own idea goes into `choose`.
require "json"

# The answer to a turn: one of turn["legal"], a card with or without "capture".
#
# Some of what there is to know (a card is "7H", "TC": rank, then suit):
#   turn["hand"]    your cards
#   turn["pile"]    what lies on the table, bottom to top
#   turn["plays"]   all plays of this deal: {"seat" => 1, "card" => "7H", "took" => 0}
#   turn["hands"]   how many cards each seat holds; turn["stock"]: how many are to come
#   turn["scores"]  by side, before this deal
#   rules           as in `hello`: rules["capture"], rules["points"]["kseri"], ...
def choose(turn, rules)
  turn["legal"].find { |answer| captures?(answer, turn["pile"], rules) } || turn["legal"].first
end

# Whether this answer takes the pile. Where it may do so or not, it says which.
def captures?(answer, pile, rules)
  return answer["capture"] if answer.key?("capture")
  return false if pile.empty?

  rank = answer["card"][0]
  rank == pile.last[0] || (rank == "J" && rules["jack_captures"])
end

# Answers every `turn`, remembers the rules, reads past everything else.
def main
  $stdout.sync = true
  rules = { "jack_captures" => true }
  $stdin.each_line do |line|
    next if line.strip.empty?

    message = JSON.parse(line, max_nesting: false)
    case message["type"]
    when "hello"
      rules = message["rules"]
    when "turn"
      answer = choose(message, rules)
      $stdout.write(JSON.generate({ "type" => "play", "turn" => message["turn"], **answer }) + "\n")
    end
  end
end

main if __FILE__ == $PROGRAM_NAME
