# The bot's own test: ruby test_bot.rb
#
# It reads lines.jsonl, and must give one legal answer to every turn, whichever that is.
require "json"
require "minitest/autorun"
require "open3"

# What the bot answers.
class TestAnswers < Minitest::Test
  def test_every_turn_gets_one_legal_answer
    lines = File.read("lines.jsonl")
    output, status = Open3.capture2("ruby", "bot.rb", stdin_data: lines)
    assert status.success?
    turns = read(lines).select { |message| message["type"] == "turn" }
    answers = read(output)
    assert_equal(turns.map { |turn| turn["turn"] }, answers.map { |answer| answer["turn"] })
    turns.zip(answers) do |turn, answer|
      assert_equal "play", answer["type"]
      assert(turn["legal"].any? { |legal| meant?(answer, legal) }, answer.to_s)
    end
  end

  def read(text)
    text.lines.reject { |line| line.strip.empty? }.map { |line| JSON.parse(line) }
  end

  # Whether it is this legal answer; without `capture` a card captures if it can.
  def meant?(answer, legal)
    answer["card"] == legal["card"] &&
      answer.fetch("capture", legal["capture"]) == legal["capture"]
  end
end
