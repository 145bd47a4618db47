"""From the deck to the first play: R1 to R8."""

import itertools
import random
from collections import Counter

import pytest

from arena.game import DECK, Deal, NeedsRedeal, Stream, make_deal, shuffled
from protocol.rules import PRESETS, RuleSetError, make_rules
from tests.game import naive
from tests.game.strategies import CENTRES, SHAPES
from tests.game.table import dealt, no_burying, rules_of, stacked_deck

QUIET = [card for card in DECK if card[0] != "J"]
JACKS = ["JC", "JD", "JH", "JS"]


def deal_of(rules, deck, places=(), dealer=0):
    """A deal of this deck, jacks buried at these places; all of them must be needed."""
    left = list(places)
    deal = Deal(rules, dealer, deck, lambda length: left.pop(0))
    assert left == []
    return deal


def with_centre(rules, centre):
    """The deck in order, jacks last, except that these cards are the centre."""
    rest = list((Counter(DECK * rules.decks) - Counter(centre)).elements())
    rest.sort(key=lambda card: (card[0] == "J", DECK.index(card)))
    first = 4 * rules.seats if rules.deal_order == "hands-first" else 0
    return rest[:first] + list(centre) + rest[first:]


def verdict(fields):
    """The rule by which a rule set is refused, or that it is accepted."""
    try:
        make_rules("kseri", fields)
    except RuleSetError as error:
        return error.rule
    return "accepted"


# R1


def test_r1_each_deck_has_every_card_once():
    assert len(DECK) == len(set(DECK)) == 52
    deal = make_deal(rules_of("faro-5"), bytes(32), 1, 0)
    held = sum(map(Counter, [*deal.hands, deal.stock, deal.pile]), Counter())
    assert held == Counter({card: 2 for card in DECK})


# R2


@pytest.mark.parametrize("preset", PRESETS)
def test_r2_seat_after_the_dealer_plays_first_and_the_dealer_last(preset):
    rules = make_rules(preset)
    for dealer in range(rules.seats):
        deal = make_deal(rules, bytes(32), 1, dealer)
        assert deal.seat == deal.leader == (dealer + 1) % rules.seats
        last = 52 * rules.decks - rules.centre_cards - 1
        assert deal.seat_of(last) == dealer


def test_r2_play_passes_on_after_a_capture_too():
    deal = dealt(rules_of("kseri"), "2C 3C 4C 5C", "5D 9C 6C")
    for seat, card in ((1, "5D"), (0, "9C"), (1, "6C")):
        assert deal.seat == seat
        deal.play(card)


# R3, R7


def test_r3_hands_first_deals_two_passes_of_two_then_the_centre():
    deal = Deal(rules_of("kseri-3", opening_jack="keep"), 0, DECK, no_burying)
    # Seat 1 leads: cards 0, 1 and 6, 7 are its own.
    assert [list(hand) for hand in deal.hands] == [
        [DECK[i] for i in (4, 5, 10, 11)],
        [DECK[i] for i in (0, 1, 6, 7)],
        [DECK[i] for i in (2, 3, 8, 9)],
    ]
    assert deal.pile == list(DECK[12:16])
    assert deal.stock == list(DECK[16:])


def test_r3_table_first_deals_the_centre_then_one_pass_of_four():
    rules = rules_of("kseri-3", opening_jack="keep", deal_order="table-first")
    deal = Deal(rules, 2, DECK, no_burying)
    assert deal.pile == list(DECK[:4])
    assert deal.hands == [list(DECK[4:8]), list(DECK[8:12]), list(DECK[12:16])]


@pytest.mark.parametrize(
    ("refill", "leaders", "dealers"),
    [("twos", (12, 13, 16, 17), (14, 15, 18, 19)), ("fours", range(12, 16), range(16, 20))],
)
def test_r7_four_more_cards_when_all_hands_are_empty(refill, leaders, dealers):
    rules = rules_of("kseri-plain", refill=refill, opening_jack="keep")
    deal = Deal(rules, 1, DECK, no_burying)
    table = len(deal.pile)
    for left in range(8, 1, -1):
        assert sum(map(len, deal.hands)) == left
        deal.play(deal.hands[deal.seat][0])
    assert len(deal.stock) == 40
    deal.play(deal.hands[deal.seat][0])
    assert deal.hands == [[DECK[i] for i in leaders], [DECK[i] for i in dealers]]
    assert len(deal.stock) == 32
    assert deal.seat == 0
    assert len(deal.pile) + sum(map(len, deal.captured)) == table + 8


@pytest.mark.parametrize("shape", SHAPES)
def test_r8_all_hands_are_full(shape):
    """Hands are never dealt when less than four for every seat are left."""
    rules = make_rules("kseri", shape | {"opening_jack": "keep"})
    deal = make_deal(rules, bytes(32), 1, 0)
    while not deal.over:
        if len(deal.plays) % (4 * rules.seats) == 0:
            assert [len(hand) for hand in deal.hands] == [4] * rules.seats
        deal.play(*deal.legal()[0])
    rounds = {(1, 2): 6, (1, 3): 4, (1, 4): 3, (2, 4): 6, (2, 5): 5, (2, 6): 4}
    assert len(deal.plays) == 4 * rules.seats * rounds[rules.decks, rules.seats]


def test_r8_other_tables_are_refused():
    """Every number of decks, seats and sides, also beyond what the fields allow."""
    for decks, seats, sides in itertools.product(range(4), range(8), range(8)):
        shape = {"decks": decks, "seats": seats, "sides": sides}
        in_range = 1 <= decks <= 2 and 2 <= seats <= 6 and 2 <= sides <= 6
        expected = "accepted" if shape in SHAPES else "R8" if in_range else None
        assert verdict(shape) == expected


@pytest.mark.parametrize(("preset", "size"), [("kseri", 4), ("faro-4", 8), ("faro-5", 4)])
def test_r8_centre(preset, size):
    deal = make_deal(rules_of(preset, opening_jack="keep"), bytes(32), 1, 0)
    assert len(deal.pile) == size
    assert make_deal(rules_of("faro-6"), bytes(32), 1, 0).rules.centre_cards == 8


# R4


def test_r4_open_centre_is_the_pile_in_dealt_order():
    deal = dealt(rules_of("kseri"), "2C 3C 4C 5C")
    assert deal.pile == ["2C", "3C", "4C", "5C"]
    assert deal.centre == ("2C", "3C", "4C", "5C")
    assert deal.hidden_centre == []


def test_r4_of_a_hidden_centre_the_last_card_is_turned_up():
    deal = dealt(rules_of("pisti"), "2C 3C 4C 5C")
    assert deal.pile == ["5C"]
    assert deal.hidden_centre == ["2C", "3C", "4C"]


# R5


def test_r5_bury_replaces_a_jack_in_its_place():
    deck = with_centre(rules_of("kseri"), ["2C", "JD", "4C", "5C"])
    stock = deck[12:]
    deal = deal_of(rules_of("kseri"), deck, [7])
    assert deal.pile == ["2C", stock[0], "4C", "5C"]
    assert deal.stock == [*stock[1:8], "JD", *stock[8:]]
    assert deal.buried == ["JD"]


def test_r5_jacks_are_treated_in_dealt_order():
    deck = with_centre(rules_of("kseri"), ["JS", "3C", "JC", "JH"])
    stock = deck[12:]
    deal = deal_of(rules_of("kseri"), deck, [30, 20, 10])
    assert deal.pile == [stock[0], "3C", stock[1], stock[2]]
    assert deal.buried == ["JS", "JC", "JH"]


def test_r5_replacement_that_is_a_jack_is_treated_next_in_the_same_place():
    rules = rules_of("kseri")
    deck = with_centre(rules, ["2C", "JS", "4C", "5C"])
    deck[12:] = ["JC", "JD", *[card for card in deck[12:] if card not in ("JC", "JD")]]
    deal = deal_of(rules, deck, [5, 6, 7])
    assert deal.pile == ["2C", deck[14], "4C", "5C"]
    assert deal.buried == ["JS", "JC", "JD"]


def test_r5_jack_just_buried_can_come_back_and_is_buried_again():
    rules = rules_of("kseri")
    deck = with_centre(rules, ["JC", "JD", "JH", "5C"])
    deal = deal_of(rules, deck, [1, 1, 1, 20, 21, 22])
    assert deal.buried == ["JC", "JD", "JH", "JC", "JD", "JH"]
    assert not set(deal.pile) & set(JACKS)
    assert sorted([*deal.stock, *deal.pile, *deal.hands[0], *deal.hands[1]]) == sorted(DECK)


@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "kseri-partners", "faro-4", "faro-5"])
def test_r5_many_jacks_at_any_places_are_buried_as_the_page_says(preset):
    """Jacks heaped on the centre and the head of the stock, places near the head."""
    rules = rules_of(preset)
    rng = random.Random(preset)
    first = 4 * rules.seats
    for _ in range(200):
        jacks = JACKS * rules.decks
        heap = jacks + rng.sample(QUIET * rules.decks, 2 * len(jacks) - 4)
        rng.shuffle(heap)
        rest = list((Counter(DECK * rules.decks) - Counter(heap)).elements())
        deck = [*rest[:first], *heap, *rest[first:]]
        places = [rng.randint(1, 4 * rules.decks + 2) for _ in range(2000)]
        engine, second = iter(places), iter(places)
        deal = Deal(rules, 0, deck, lambda length, engine=engine: next(engine))
        table = naive.Table(rules, 0, deck, lambda length, second=second: next(second))
        assert (deal.pile, deal.stock) == (table.pile, table.stock)
        assert deal.buried == [jack for _, jack in table.buried]


@pytest.mark.parametrize(
    ("centre", "pile", "hidden"),
    [
        ("2C 3C 4C JC", "JC 4C", "2C 3C"),
        ("2C 3C JD JC", "JC JD 3C", "2C"),
        ("2C JH JD JC", "JC JD JH 2C", ""),
        ("JH 3C 4C 5C", "5C", "JH 3C 4C"),
        ("JH 3C JD 5C", "5C", "JH 3C JD"),
    ],
)
def test_r5_cover_turns_up_one_more_until_no_jack_is_on_top(centre, pile, hidden):
    deal = dealt(rules_of("pisti"), centre)
    assert deal.pile == pile.split()
    assert deal.hidden_centre == hidden.split()
    assert deal.centre == tuple(pile.split())


def test_r5_centre_of_jacks_alone_is_dealt_again():
    with pytest.raises(NeedsRedeal):
        dealt(rules_of("pisti"), "JC JD JH JS")


@pytest.mark.parametrize(
    ("rules", "number", "first"),
    [
        (rules_of("pisti"), 714_792, 0),
        (rules_of("faro-5", centre="hidden", opening_jack="cover"), 132_772, 20),
    ],
)
def test_r5_redeal_has_the_same_number_and_dealer_and_new_cards(rules, number, first):
    """Deals found by search, of the seed of R29's check."""
    seed = bytes(range(32))
    deck = shuffled(Stream(seed, number, 0), rules)
    assert {card[0] for card in deck[first : first + 4]} == {"J"}
    deal = make_deal(rules, seed, number, 1)
    assert (deal.number, deal.attempt, deal.dealer) == (number, 1, 1)
    again = shuffled(Stream(seed, number, 1), rules)
    assert again != deck
    assert [*deal.hidden_centre, *reversed(deal.pile)] == again[first : first + 4]
    assert deal.bottom == (again[-1] if rules.bottom_card == "exposed" else None)


@pytest.mark.parametrize("preset", ["kseri-kids", "pisti"])
def test_r5_keep_leaves_jacks_where_they_are(preset):
    rules = rules_of(preset, opening_jack="keep")
    deal = dealt(rules, "JC JD JH JS")
    assert [*deal.hidden_centre, *deal.pile] == JACKS
    assert deal.buried == []
    assert deal.attempt == 0


def test_r5_what_cannot_be_combined_is_refused():
    for centre, jack, bottom in itertools.product(
        ("open", "hidden"), ("bury", "cover", "keep"), ("hidden", "exposed")
    ):
        fields = {"centre": centre, "opening_jack": jack, "bottom_card": bottom}
        assert verdict(fields) == ("accepted" if fields in CENTRES else "R5")


# R6


def test_r6_exposed_bottom_card_is_never_a_jack_and_reaches_the_dealers_last_hand():
    for preset in ("pisti", "pisti-2"):
        rules = make_rules(preset)
        for number in range(1, 40):
            deal = make_deal(rules, bytes(32), number, number % rules.seats)
            bottom = deal.bottom
            assert bottom is not None
            assert bottom[0] != "J"
            assert deal.stock[-1] == bottom
            while deal.stock:
                deal.play(*deal.legal()[0])
            assert deal.hands[deal.dealer][-1] == bottom


def test_r6_cut_moves_the_first_cards_behind_the_rest():
    """R29's check: deal 1 is cut at 16, deal 2 at 45 and then, a jack being last, at 37."""
    seed = bytes(range(32))
    for number, cuts in ((1, [16]), (2, [45, 37])):
        uncut = shuffled(Stream(seed, number, 0), rules_of("kseri"))
        for place in cuts:
            uncut = uncut[place:] + uncut[:place]
        assert shuffled(Stream(seed, number, 0), rules_of("pisti")) == uncut


def test_r6_hidden_bottom_card_is_not_shown():
    assert dealt(rules_of("kseri"), "2C 3C 4C 5C").bottom is None


def test_stacked_deck_gives_the_cards_that_tests_ask_for():
    rules = rules_of("faro-5")
    plays = ["2C", "2C", *DECK[13:33]]
    deck = stacked_deck(rules, 3, ["KC", "KC", "QC", "QC"], plays)
    deal = Deal(rules, 3, deck, no_burying)
    assert deal.pile == ["KC", "KC", "QC", "QC"]
    for card in plays:
        assert card in deal.hands[deal.seat]
        deal.play(card)
