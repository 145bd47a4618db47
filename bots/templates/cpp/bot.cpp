// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.
#include <iostream>
#include <string>

#include "json.hpp"

// Whether this answer takes the pile. Where it may do so or not, it says which.
static bool captures(json::Value answer, json::Value pile, json::Value rules)
{
    json::Value card = json::text(json::get(answer, "card")), said = json::get(answer, "capture");
    if (!said.empty())
        return said == "true";
    std::vector<json::Value> lying = json::elements(pile);
    if (lying.empty() || card.empty())
        return false;
    bool is_jack = card[0] == 'J' && json::get(rules, "jack_captures") != "false";
    return is_jack || card[0] == json::text(lying.back())[0];
}

// The answer to a turn: one of `legal`, a card with or without `capture`.
//
// Some of what there is to know, to be read with json.hpp (a card is "7H", "TC": rank, then suit):
//   json::get(turn, "hand")    your cards
//   json::get(turn, "pile")    what lies on the table, bottom to top
//   json::get(turn, "plays")   all plays of this deal: {"seat": 1, "card": "7H", "took": 0}
//   json::get(turn, "hands")   how many cards each seat holds; "stock": how many are to come
//   json::get(turn, "scores")  by side, before this deal
//   json::get(rules, ...)      as in `hello`: "capture", "points", ...
static json::Value choose(json::Value turn, json::Value rules)
{
    std::vector<json::Value> legal = json::elements(json::get(turn, "legal"));
    for (json::Value answer : legal)
        if (captures(answer, json::get(turn, "pile"), rules))
            return answer;
    return legal.at(0);
}

// Answers every `turn`, remembers the rules, reads past everything else.
int main()
{
    std::ios::sync_with_stdio(false);
    std::string line, hello;
    while (std::getline(std::cin, line)) {
        json::Value message = json::blanks(line), type = json::get(message, "type");
        if (type == "\"hello\"") {
            hello = message;
        } else if (type == "\"turn\"") {
            json::Value answer = choose(message, json::get(hello, "rules"));
            // As it stands in `legal`, with the number of its turn.
            std::cout << "{\"type\":\"play\",\"turn\":" << json::number(json::get(message, "turn"))
                      << "," << answer.substr(1) << std::endl;
        }
    }
}
