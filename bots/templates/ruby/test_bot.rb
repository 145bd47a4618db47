# The bot's own test: ruby test_bot.rb
require "minitest/autorun"
require_relative "bot"

# What the bot answers.
class TestChoose < Minitest::Test
  RULES = { "jack_captures" => true }.freeze

  def check(legal, pile, expected)
    assert_equal expected, choose({ "legal" => legal, "pile" => pile }, RULES)
  end

  def test_it_captures_if_it_can
    sevens = [true, false].map { |capture| { "card" => "7H", "capture" => capture } }
    check([{ "card" => "KD" }, *sevens], ["7S"], sevens.first)
  end

  def test_it_captures_where_it_must
    check([{ "card" => "KD" }, { "card" => "JH" }], ["7S"], { "card" => "JH" })
  end

  def test_else_it_lays_its_first_card
    check([{ "card" => "JD" }, { "card" => "7H" }], [], { "card" => "JD" })
  end
end
