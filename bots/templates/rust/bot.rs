//! @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//!
//! Your own idea goes into `choose`.

mod json;

use std::io::{self, BufRead, Write};

/// The answer to a turn: one of `legal`, a card with or without `capture`.
///
/// Some of what there is to know, to be read with `json` (a card is "7H", "TC": rank, then suit):
/// - `get(turn, "hand")`: your cards
/// - `get(turn, "pile")`: what lies on the table, bottom to top
/// - `get(turn, "plays")`: all plays of this deal, {"seat": 1, "card": "7H", "took": 0}
/// - `get(turn, "hands")`: how many cards each seat holds; "stock": how many are to come
/// - `get(turn, "scores")`: by side, before this deal
/// - `get(rules, …)`: as in `hello`, "capture", "points", …
fn choose<'a>(turn: &'a str, rules: &str) -> &'a str {
    let legal = json::elements(json::get(turn, "legal"));
    let pile = json::elements(json::get(turn, "pile"));
    let capture = legal.iter().find(|answer| captures(answer, &pile, rules));
    capture.or(legal.first()).copied().unwrap_or("{}")
}

/// Whether this answer takes the pile. Where it may do so or not, it says which.
fn captures(answer: &str, pile: &[&str], rules: &str) -> bool {
    match json::get(answer, "capture") {
        "" => {}
        said => return said == "true",
    }
    let rank = |card| json::text(card).chars().next();
    let mine = rank(json::get(answer, "card"));
    let is_jack = mine == Some('J') && json::get(rules, "jack_captures") != "false";
    pile.last().map_or(false, |top| is_jack || mine == rank(top))
}

/// Answers every `turn`, remembers the rules, reads past everything else.
fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let (mut line, mut hello) = (String::new(), String::new());
    while input.read_line(&mut line)? > 0 {
        let message = line.trim();
        match json::get(message, "type") {
            "\"hello\"" => hello = message.to_string(),
            "\"turn\"" => {
                let answer = choose(message, json::get(&hello, "rules"));
                let number = json::get(message, "turn");
                // As it stands in `legal`, with the number of its turn.
                writeln!(output, "{{\"type\":\"play\",\"turn\":{},{}", number, &answer[1..])?;
                output.flush()?;
            }
            _ => {}
        }
        line.clear();
    }
    Ok(())
}
