//! crab: one step forward, one step sideways.
//!
//! For every legal answer it works out the expected value of one play and the reply to it:
//! what the play scores now, less what the next player (always of another side) is expected to
//! score from the table that it leaves. The reply is a match with the probability that the next
//! hand holds the rank, else a jack with the probability that it holds one. A jack spent is a
//! jack less for later.
//! It keeps nothing but the rules of the last hello: every turn tells the whole deal so far.

use std::io::{self, BufRead, Write};

const RANKS: &[u8] = b"A23456789TJQK";
const JACK: u8 = b'J';
const HAND: usize = 4;
/// The majority's points, spread over the cards that decide it.
const CARD_WORTH: f64 = 0.12;
/// What a jack in hand is expected to take later.
const JACK_LATER: f64 = 3.0;
/// How much of what the opponent scores counts against a play: it is not sure to see it.
const FEAR: f64 = 0.9;

// A reader that borrows from the line: it finds keys of one object and skips every other value
// whole, so a key inside a string or in a nested object is never mistaken for one of ours.

type Json<'a> = &'a [u8];

fn blanks(text: Json) -> Json {
    let count = text.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
    &text[count..]
}

fn string_length(text: Json) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

fn value_length(text: Json) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    while at < text.len() {
        match text[at] {
            b'"' => at += string_length(&text[at..]) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 && b"\"}]".contains(&text[at - 1]) {
            return at;
        }
    }
    at
}

/// The values of these keys in an object; empty where a key is missing.
fn fields<'a, const N: usize>(text: Json<'a>, names: [&str; N]) -> [Json<'a>; N] {
    let mut values: [Json; N] = [&[]; N];
    let mut rest = match text.first() {
        Some(b'{') => blanks(&text[1..]),
        _ => return values,
    };
    while rest.first() == Some(&b'"') {
        let (key, after) = rest.split_at(string_length(rest));
        let after = blanks(after);
        if after.first() != Some(&b':') {
            break;
        }
        let after = blanks(&after[1..]);
        let (value, after) = after.split_at(value_length(after));
        let key = &key[1..key.len() - 1];
        if let Some(place) = names.iter().position(|name| name.as_bytes() == key) {
            values[place] = value;
        }
        rest = blanks(after);
        rest = if rest.first() == Some(&b',') { blanks(&rest[1..]) } else { &[] };
    }
    values
}

fn elements(text: Json) -> impl Iterator<Item = Json> {
    let mut rest = if text.first() == Some(&b'[') { blanks(&text[1..]) } else { &[] };
    std::iter::from_fn(move || {
        if rest.is_empty() || rest[0] == b']' {
            return None;
        }
        let (value, after) = rest.split_at(value_length(rest));
        let after = blanks(after);
        rest = if after.first() == Some(&b',') { blanks(&after[1..]) } else { &[] };
        Some(value)
    })
}

fn number(value: Json, otherwise: i64) -> i64 {
    let text = std::str::from_utf8(value).unwrap_or("");
    text.parse::<i32>().map_or(otherwise, i64::from)
}

/// Rank and suit, as on the wire.
type Card = [u8; 2];

fn card(value: Json) -> Option<Card> {
    match value {
        [b'"', rank, suit, b'"'] if RANKS.contains(rank) => Some([*rank, *suit]),
        _ => None,
    }
}

struct Rules {
    decks: i64,
    jack_captures: bool,
    jack_on_jack: f64,
    ace: f64,
    jack: f64,
    ten_of_diamonds: f64,
    two_of_clubs: f64,
    kseri: f64,
    double_kseri: f64,
}

impl Rules {
    /// The rules of a hello; what it does not say is as in the preset kseri.
    fn read(object: Json) -> Rules {
        let [decks, jack_captures, on_jack, points] =
            fields(object, ["decks", "jack_captures", "jack_on_jack", "points"]);
        let names = ["ace", "jack", "ten_of_diamonds", "two_of_clubs", "kseri", "double_kseri"];
        let [ace, jack, ten, two, kseri, double] = fields(points, names);
        Rules {
            decks: number(decks, 1),
            jack_captures: jack_captures != b"false",
            jack_on_jack: number(on_jack, 0) as f64,
            ace: number(ace, 1) as f64,
            jack: number(jack, 1) as f64,
            ten_of_diamonds: number(ten, 2) as f64,
            two_of_clubs: number(two, 2) as f64,
            kseri: number(kseri, 10) as f64,
            double_kseri: number(double, 20) as f64,
        }
    }

    fn worth(&self, card: Card) -> f64 {
        let points = match &card {
            b"TD" => self.ten_of_diamonds,
            b"2C" => self.two_of_clubs,
            [b'A', _] => self.ace,
            [JACK, _] => self.jack,
            _ => 0.0,
        };
        points + CARD_WORTH
    }

    fn by_jack(&self, rank: u8) -> bool {
        rank == JACK && self.jack_captures
    }
}

struct Turn<'a> {
    rules: &'a Rules,
    pile: Vec<Card>,
    marker: Option<Card>,
    hidden_centre: f64,
    /// Cards that this seat has seen, by rank.
    seen: [i64; 13],
    next_hand: usize,
    /// Cards that come after this play, in hands and stock.
    left: i64,
}

impl Turn<'_> {
    fn read<'a>(rules: &'a Rules, line: Json) -> Turn<'a> {
        let [seat, hands, stock, hand, pile] =
            fields(line, ["seat", "hands", "stock", "hand", "pile"]);
        let [marker, hidden, taken, plays, deal] =
            fields(line, ["marker", "hidden_centre", "taken_centre", "plays", "deal"]);
        let [centre] = fields(deal, ["centre"]);
        let played = elements(plays).map(|play| fields(play, ["card"])[0]);
        let mut seen = [0; 13];
        for known in [hand, taken, centre].into_iter().flat_map(elements).chain(played) {
            if let Some(card) = card(known) {
                seen[place(card[0])] += 1;
            }
        }
        let sizes: Vec<i64> = elements(hands).map(|size| number(size, 0)).collect();
        let next = (number(seat, 0) + 1) as usize % sizes.len().max(1);
        let next_size = sizes.get(next).map_or(HAND, |size| *size as usize);
        let stock = number(stock, 0);
        Turn {
            rules,
            pile: elements(pile).filter_map(card).collect(),
            marker: card(marker),
            hidden_centre: 2.0 * CARD_WORTH * number(hidden, 0) as f64,
            seen,
            next_hand: if next_size == 0 && stock > 0 { HAND } else { next_size },
            left: sizes.iter().sum::<i64>() + stock - 1,
        }
    }

    fn captures(&self, card: Card, said: Json) -> bool {
        match self.pile.last() {
            _ if said == b"false" => false,
            Some(top) => top[0] == card[0] || self.rules.by_jack(card[0]),
            None => said == b"true" || self.marker.is_some_and(|m| m[0] == card[0]),
        }
    }

    /// Points of taking this pile with this card, from either side's point of view.
    fn gain(&self, pile: &[Card], card: Card) -> f64 {
        let cards: f64 = pile.iter().map(|other| self.rules.worth(*other)).sum();
        let bonus = if self.rules.by_jack(card[0]) {
            let only_jacks = pile.iter().all(|other| other[0] == JACK);
            if only_jacks { self.rules.jack_on_jack } else { 0.0 }
        } else if pile.len() == 1 {
            self.rules.kseri
        } else {
            0.0
        };
        cards + self.rules.worth(card) + bonus + self.hidden_centre
    }

    /// Probability that the next hand holds a card of this rank.
    fn held(&self, rank: u8) -> f64 {
        let cards = 52 * self.rules.decks - self.seen.iter().sum::<i64>();
        let others = cards - (4 * self.rules.decks - self.seen[place(rank)]);
        let draws = 0..(self.next_hand as i64).min(cards);
        1.0 - draws.map(|i| (others - i).max(0) as f64 / (cards - i) as f64).product::<f64>()
    }

    /// What the next player is expected to score from this pile.
    fn reply(&self, pile: &[Card]) -> f64 {
        let Some(top) = pile.last() else { return 0.0 };
        let by_match = self.held(top[0]);
        let by_jack = if self.rules.by_jack(JACK) { self.held(JACK) } else { 0.0 };
        by_match * self.gain(pile, *top)
            + (1.0 - by_match) * by_jack * self.gain(pile, [JACK, b'C'])
    }

    fn value(&self, card: Card, said: Json) -> f64 {
        let spent = if self.rules.by_jack(card[0]) {
            JACK_LATER * (self.left.min(8) as f64) / 8.0
        } else {
            0.0
        };
        if !self.captures(card, said) {
            let pile: Vec<Card> = self.pile.iter().copied().chain([card]).collect();
            return -spent - FEAR * self.reply(&pile);
        }
        if self.pile.is_empty() {
            return self.rules.double_kseri;
        }
        // The opponent must now lay a card on an empty table, worth about one card to us.
        self.gain(&self.pile, card) - spent + 1.0
    }
}

fn place(rank: u8) -> usize {
    RANKS.iter().position(|other| *other == rank).unwrap_or(0)
}

/// The answer to a turn, as a line without its end; none where nothing is legal.
fn answer(rules: &Rules, line: Json, number: i64, legal: Json) -> Option<String> {
    let turn = Turn::read(rules, line);
    let options = elements(legal).filter_map(|option| {
        let [name, capture] = fields(option, ["card", "capture"]);
        card(name).map(|card| (turn.value(card, capture), card, capture))
    });
    let (_, best, capture) = options.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    let capture = match capture {
        b"true" => ",\"capture\":true",
        b"false" => ",\"capture\":false",
        _ => "",
    };
    let [rank, suit] = best.map(char::from);
    Some(format!("{{\"type\":\"play\",\"turn\":{number},\"card\":\"{rank}{suit}\"{capture}}}"))
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut rules = Rules::read(b"");
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let message = blanks(&line);
        let [kind, given, turn, legal] = fields(message, ["type", "rules", "turn", "legal"]);
        if kind == b"\"hello\"" {
            rules = Rules::read(given);
        } else if kind == b"\"turn\"" {
            if let Some(text) = answer(&rules, message, number(turn, 0), legal) {
                writeln!(output, "{text}")?;
                output.flush()?;
            }
        }
        line.clear();
    }
    Ok(())
}
