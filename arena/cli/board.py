"""The table as one seat sees it, drawn in the terminal, 80 columns wide.

Drawn from the messages that the seat is sent, which have nothing else in them (R30).
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.cards import card_text
from arena.seen import captures
from protocol.messages import DealEnd, Hello, SeenPlay, Turn

_FRAMES = {True: ("┌─┐", "│ │", "└─┘"), False: ("+-+", "| |", "+-+")}
_WIDTH = 3
"""Of a card inside its frame: ten needs two places for its rank."""
_SCORES = {
    "cards": "cards captured",
    "aces": "aces",
    "jacks": "jacks",
    "ten_of_diamonds": "ten of diamonds",
    "two_of_clubs": "two of clubs",
    "majority": "most cards",
    "kseri": "kseris",
    "double_kseri": "double kseris",
    "jack_on_jack": "jack on jack",
    "two_of_clubs_match": "two of clubs matched",
    "last_capture": "last capture",
    "total": "this deal",
}


class Board:
    """Draws the game that `hello` has begun."""

    def __init__(self, out: Console, hello: Hello) -> None:
        self._out = out
        self._hello = hello
        self._has_suits = out.encoding.lower().startswith("utf")
        names = hello.names or [f"seat {seat}" for seat in range(hello.rules.seats)]
        self.names = ["you" if seat == hello.seat else name for seat, name in enumerate(names)]
        self._seen: tuple[int, int] = (0, 0)
        """The deal, and how many of its plays were told."""

    def card(self, card: str) -> Text:
        """A card as the terminal can show it."""
        return card_text(card) if self._has_suits else Text(card.replace("T", "10"))

    def cards(self, cards: Sequence[str]) -> Text:
        """Cards side by side."""
        return Text(" ").join(map(self.card, cards)) if cards else Text("none")

    def begin(self) -> None:
        """What is played, and with whom."""
        rules = self._hello.rules
        goal = f"{rules.deals} deal(s)" if rules.deals else f"to {rules.target} points"
        self._out.print(Text(f"\n{rules.preset}, {goal}", style="bold"))
        sides = self._hello.side_of
        mine = sides[self._hello.seat]
        partners = [n for n, side in zip(self.names, sides, strict=True) if side == mine]
        others = [n for n, side in zip(self.names, sides, strict=True) if side != mine]
        partners.remove("you")
        text = f"You play with {', '.join(partners)} against" if partners else "You play against"
        self._out.print(f"{text} {', '.join(others)}; seats in order: {', '.join(self.names)}.")
        must = rules.capture == "mandatory"
        self._out.print(f"A card that can capture {'must' if must else 'may also be laid'}.")

    def turn(self, turn: Turn) -> None:
        """What happened since the last turn, the table, and the own hand."""
        if turn.deal.number != self._seen[0]:
            self._new_deal(turn)
        self._tell(turn.deal.number, turn.plays)
        self._out.print()
        self._out.print(self._players(turn))
        self._out.print(self._table_line(turn))
        if turn.pile:
            heading = f"Pile of {len(turn.pile)}, the last on top: "
            self._out.print(Text(heading) + self.cards(turn.pile))
            self._draw([turn.pile[-1]], [])
        else:
            self._out.print("The table is empty.")
        if turn.marker:
            marker = Text("Marker of the kseri just made: ") + self.card(turn.marker)
            self._out.print(marker)
        self._out.print("Your hand:")
        self._draw(turn.hand, self._notes(turn))

    def _notes(self, turn: Turn) -> list[str]:
        rules = self._hello.rules
        return ["takes" if captures(turn, card, rules) else "" for card in turn.hand]

    def _new_deal(self, turn: Turn) -> None:
        deal = turn.deal
        leader = (deal.dealer + 1) % len(self.names)
        self._out.print()
        self._out.print(
            Text(f"Deal {deal.number}: dealt by {self.names[deal.dealer]}, led by "
                 f"{self.names[leader]}", style="bold")
        )  # fmt: skip
        self._out.print(Text("On the table: ") + self.cards(deal.centre))
        if deal.buried:
            self._out.print(Text("Buried jacks: ") + self.cards(deal.buried))
        self._seen = (deal.number, 0)

    def _tell(self, deal: int, plays: Sequence[SeenPlay]) -> None:
        """Tell the plays that were not told yet."""
        told = self._seen[1] if self._seen[0] == deal else 0
        for play in plays[told:]:
            name = self.names[play.seat]
            is_mine = play.seat == self._hello.seat
            if play.took:
                verb = "take" if is_mine else "takes"
                text = Text(f"{name} {verb} {play.took - 1} with ", style="bold")
            else:
                text = Text(f"{name} {'lay' if is_mine else 'lays'} ")
            self._out.print(text + self.card(play.card))
        self._seen = (deal, len(plays))

    def _players(self, turn: Turn) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("", max_width=30, no_wrap=True)
        for name in ("in hand", "captured", "bonus", "score"):
            table.add_column(name, justify="right")
        table.add_column("")
        best = max(turn.scores)
        for seat, name in enumerate(self.names):
            side = self._hello.side_of[seat]
            ahead = turn.scores.count(best) == 1 and turn.scores[side] == best
            numbers = (turn.hands[seat], turn.captured[side], turn.bonus[side], turn.scores[side])
            table.add_row(name, *map(str, numbers), "ahead" if ahead else "")
        return table

    def _table_line(self, turn: Turn) -> Text:
        text = Text(f"Stock: {turn.stock}")
        if turn.hidden_centre:
            text += Text(f"; face down: {turn.hidden_centre}")
        if turn.deal.bottom:
            text += Text("; bottom card: ") + self.card(turn.deal.bottom)
        if turn.taken_centre:
            text += Text("; your side took face down: ") + self.cards(turn.taken_centre)
        return text

    def _draw(self, cards: Sequence[str], notes: Sequence[str]) -> None:
        """Draw cards side by side; numbered, with a note under each, where there are notes."""
        top, middle, bottom = _FRAMES[self._has_suits]
        gap = " " * (7 - _WIDTH - 2)
        self._out.print(gap.join(f"{top[0]}{top[1] * _WIDTH}{top[2]}" for _ in cards))
        faces = Text()
        for card in cards:
            face = self.card(card)
            face.pad_right(_WIDTH - len(card.replace("T", "10")))
            faces += Text(middle[0]) + face + Text(f"{middle[2]}{gap}")
        self._out.print(faces)
        self._out.print(gap.join(f"{bottom[0]}{bottom[1] * _WIDTH}{bottom[2]}" for _ in cards))
        if notes:
            self._out.print("".join(f"{number:^5}  " for number in range(1, len(cards) + 1)))
            self._out.print("".join(f"{note:<7}" for note in notes))

    def end(self, message: DealEnd) -> None:
        """The last plays of a deal and what it was worth."""
        self._tell(message.deal, message.plays)
        self._out.print(Text(f"\nDeal {message.deal} is over", style="bold"))
        if message.hidden_centre:
            self._out.print(Text("Face down lay: ") + self.cards(message.hidden_centre))
        self._out.print(self._scores(message))

    def _scores(self, message: DealEnd) -> Table:
        sides = len(message.sides)
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("", no_wrap=True)
        for side in range(sides):
            name = " & ".join(self.names[side::sides])
            table.add_column(name, justify="right", no_wrap=True, max_width=50 // sides)
        for field, words in _SCORES.items():
            points = [getattr(score, field) for score in message.sides]
            if any(points) or field == "total":
                table.add_row(words, *map(str, points), style="bold" if field == "total" else "")
        table.add_row("score", *map(str, message.scores), style="bold")
        return table
