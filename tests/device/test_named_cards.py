"""A name given by hand belongs to one card and ends with it: at a table of Wild Seven, and of Laminate Rummy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from device.session.manual_label import marks_at
from device.session.named_cards import match
from device.session.session import Session
from referee.game import Named
from referee.laminate.view.table import TableView
from referee.registry import load_referees
from referee.table import Detections, Sighting, Unread
from referee.verdict import Accepted, CantSee, Refused, Verdict
from rules.cards import Card
from rules.laminate.moves import Research
from rules.record import Header
from tests.device.evening import Table, after
from tests.device.test_correcting import may_be_drawn
from ui.screen_state import Mood

REFEREE = load_referees()["wild_seven"]
LAYOUT = REFEREE.make_layout(3, (1189.0, 841.0))
X, Y = (start + 60.0 for start in LAYOUT.zone_rect(LAYOUT.zones[0])[:2])


@dataclass
class Wild:
    """A table of Wild Seven after everybody has laid a card; the wanted lie in columns, 20 mm apart."""

    at: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {
            "O4": (X, Y),
            "O5": (X, Y + 20),
            "H2": (X + 300, Y),
            "H3": (X + 300, Y + 20),
            "B5": (X + 400, Y),
        }
    )
    fronts: dict[int, str] = field(default_factory=dict)
    backs: set[int] = field(default_factory=set)
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Wanted cards that can't be read, each with what the reader takes it for."""
    session: Session = field(default_factory=lambda: Session(REFEREE, Header("wild_seven", tuple("ABC"), {}), LAYOUT))

    def look(self, cards: Sequence[str] = ()) -> Any:
        """Look at it, with these wanted only where some are given."""
        lying = {name: self.at[name] for name in cards or self.at}
        seen = [Sighting(name, *place, 0.0) for name, place in lying.items() if name not in self.unread]
        for number, name in [*self.fronts.items(), *((seat, "back") for seat in self.backs)]:
            x0, y0, x1, y1 = LAYOUT.seat_rect(number)
            seen.append(Sighting(name, (x0 + x1) / 2 + 150 * (name == "back"), (y0 + y1) / 2, 0.0))
        marks = [Unread(*lying[name], 0.0, "glare", guesses) for name, guesses in self.unread.items()]
        return REFEREE.observe(Detections(tuple(seen), tuple(marks)), LAYOUT)

    def confirm(self) -> Verdict | None:
        """Hands have been there, and confirm is pressed."""
        self.session.note_watching(Mood.HANDS)
        return self.session.confirm(self.look())

    def name(self, card: str) -> None:
        """Name a wanted card where it lies, as a player does."""
        self.session.judge.name_card(Named(card, "wanted", *self.at[card]))

    def take(self, card: str, front: str, to: tuple[float, float]) -> None:
        """Let the first player take a wanted card; what was in front joins the wanted there."""
        del self.at[card], self.fronts[1]
        self.unread.pop(card, None)
        self.at[front] = to
        self.backs.add(1)


@pytest.fixture
def wild() -> Wild:
    table = Wild()
    assert isinstance(table.session.confirm(table.look(["H2", "O4"])), Accepted)
    table.fronts = {1: "H3", 2: "O5", 3: "B5"}
    assert isinstance(table.session.confirm(table.look(["H2", "O4"])), Accepted)
    table.fronts = {}
    table.session.see(table.look())
    for seat, card in ((1, "H7"), (2, "O6"), (3, "B8")):
        table.fronts[seat] = card
        assert isinstance(table.confirm(), Accepted)
    return table


def taken(verdict: Verdict | None) -> str | None:
    """Return the card that a Get took, if it was accepted."""
    return verdict.move.to_json()["card"] if isinstance(verdict, Accepted) and verdict.move is not None else None


def named_again(table: Wild, card: str, verdict: Verdict | None) -> str | None:
    """Name truly the card that was asked for, and return what is accepted then."""
    assert isinstance(verdict, CantSee)
    assert marks_at(table.session.judge.view, verdict.spots), "it is asked for by its place"
    table.name(card)
    return taken(table.session.confirm(table.look()))


def test_a_taken_cards_name_does_not_go_to_its_neighbour(wild: Wild) -> None:
    wild.unread = {"O4": (), "O5": ()}
    wild.session.see(wild.look())
    wild.name("O4")
    wild.name("O5")
    wild.take("O4", "H7", (X + 360, Y))
    verdict = wild.confirm()
    assert [named.name for named in wild.session.history.named] == ["O5"]
    assert taken(verdict) == "O4" or named_again(wild, "O5", verdict) == "O4"


def test_nor_does_it_go_to_a_neighbour_that_was_read_until_now(wild: Wild) -> None:
    wild.unread = {"O4": ()}
    wild.session.see(wild.look())
    wild.name("O4")
    wild.take("O4", "H7", (X + 360, Y))
    wild.unread = {"O5": ()}
    verdict = wild.confirm()
    assert wild.session.history.named == ()
    assert taken(verdict) == "O4" or named_again(wild, "O5", verdict) == "O4"


@pytest.mark.parametrize("guesses", [(), ("H7",), ("O4", "H7")])
def test_a_card_that_is_put_into_its_place_is_asked_for(wild: Wild, guesses: tuple[str, ...]) -> None:
    wild.unread = {"O4": ()}
    wild.session.see(wild.look())
    wild.name("O4")
    wild.take("O4", "H7", (X, Y))
    wild.unread = {"H7": guesses}
    assert named_again(wild, "H7", wild.confirm()) == "O4"
    assert [named.name for named in wild.session.history.named] == ["H7"]


def test_a_column_that_is_closed_up_is_asked_for(wild: Wild) -> None:
    wild.unread = {"O4": ()}
    wild.session.see(wild.look())
    wild.name("O4")
    wild.take("O4", "H7", (X + 360, Y))
    wild.at["O5"], wild.unread = (X, Y), {"O5": ()}
    assert named_again(wild, "O5", wild.confirm()) == "O4"


def test_a_nudged_card_keeps_its_name(wild: Wild) -> None:
    wild.unread = {"O5": ()}
    wild.session.see(wild.look())
    wild.name("O5")
    wild.at["O5"] = (X + 4, Y + 25)
    wild.take("H2", "H7", (X + 360, Y))
    verdict = wild.confirm()
    assert [named.name for named in wild.session.history.named] == ["O5"], "nudged, it is the same card"
    assert taken(verdict) == "H2" or named_again(wild, "O5", verdict) == "H2"


def test_a_name_holds_though_the_reader_takes_the_card_for_another(wild: Wild) -> None:
    wild.unread = {"O5": ("HK",)}
    wild.session.see(wild.look())
    wild.name("O5")
    for _ in range(2):
        wild.session.see(wild.look())
        assert [named.name for named in wild.session.history.named] == ["O5"]
    wild.unread = {"O5": ("O5", "O6")}
    wild.session.see(wild.look())
    wild.unread = {"O5": ("O6",)}
    wild.session.see(wild.look())
    assert wild.session.history.named == (), "what excludes it now did not before: it is another card"


def test_names_outlive_a_restart(wild: Wild) -> None:
    wild.unread = {"O5": (), "H3": ()}
    wild.session.see(wild.look())
    wild.name("O5")
    wild.name("H3")
    wild.session = Session.resume(wild.session.log.history.header, wild.session.log.entries, LAYOUT)
    wild.session.see(wild.look())
    assert [named.name for named in wild.session.history.named] == ["O5", "H3"]
    wild.take("H2", "H7", (X + 360, Y))
    verdict = wild.confirm()
    if isinstance(verdict, CantSee):
        wild.name("O5")
        verdict = wild.session.confirm(wild.look())
    assert taken(verdict) == "H2" or named_again(wild, "H3", verdict) == "H2"


# --- the discard pile


def blurred(table: Table) -> TableView:
    """Make the top discard unreadable; where exactly it lies, nobody can tell from the one below it."""
    return replace(table.view, discard_top=None, unread=(Unread(642.0, 420.0, 0.0, "glare"),))


def name_top(table: Table, card: Card) -> None:
    table.session.judge.name_card(Named(str(card), "discard", 642.0, 420.0))


@pytest.mark.parametrize("is_asked", [False, True])
def test_an_old_name_does_not_stay_on_the_next_discard(is_asked: bool) -> None:
    table = after(14)
    old = table.view.discard_top
    assert old is not None
    table.session.see(blurred(table))
    if is_asked:
        assert isinstance(table.session.confirm(blurred(table)), CantSee)
    name_top(table, old)
    new = may_be_drawn(table.session.position)
    table.cards.lay_discard(new)
    table.session.note_watching(Mood.HANDS)
    verdict = table.session.confirm(blurred(table))
    assert isinstance(verdict, CantSee), verdict
    name_top(table, new)
    verdict = table.session.confirm(blurred(table))
    assert isinstance(verdict, Accepted)
    assert isinstance(verdict.move, Research)
    assert verdict.move.discard is new
    assert [named.name for named in table.session.history.named] == [str(new)]


def test_whoever_did_nothing_is_told_so_once_the_top_is_named_again() -> None:
    table = after(14)
    old = table.view.discard_top
    assert old is not None
    for _ in range(2):
        assert isinstance(table.session.confirm(blurred(table)), CantSee)
        name_top(table, old)
        assert isinstance(table.session.confirm(blurred(table)), Refused)
        table.session.note_watching(Mood.HANDS)


# --- which mark is which


def matched(names: dict[str, float], marks: dict[float, tuple[str, ...]]) -> dict[str, float]:
    """Which of the unread cards in a column each name is matched to, by how far down they lie."""
    seen = [Unread(100.0, 100.0 + y, 0.0, "glare", guesses) for y, guesses in marks.items()]
    given = [Named(name, "wanted", 100.0, 100.0 + y) for name, y in names.items()]
    held = match(given, seen, lambda name, mark: mark.could_be(name.name))
    return {name.name: mark.y - 100.0 for name, mark in held.items()}


def test_all_names_are_matched_at_once_each_to_one_card() -> None:
    column = {"O4": 0.0, "O5": 20.0, "O6": 40.0}
    assert matched(column, {20.0: (), 40.0: ()}) == {"O5": 20.0, "O6": 40.0}, "its neighbours are where they were"
    assert matched(column, {10.0: (), 30.0: (), 50.0: ()}) == {"O4": 10.0, "O5": 30.0, "O6": 50.0}, "all were nudged"
    assert matched({"O4": 0.0}, {20.0: ()}) == {}, "that is the next card's place"
    assert matched({"O4": 0.0, "O5": 2.0}, {1.5: ()}) == {"O5": 1.5}
    assert matched({"O4": 0.0, "O5": 3.0}, {1.0: ("O5",), 9.0: ()}) == {"O5": 1.0, "O4": 9.0}
    assert matched({"O4": 0.0}, {1.0: ("O5",)}) == {}


@settings(max_examples=40)
@drawn_from(st.lists(st.integers(0, 40), min_size=1, max_size=4), st.lists(st.integers(0, 40), max_size=4))
def test_all_names_together_are_as_near_to_their_places_as_can_be(names: list[int], marks: list[int]) -> None:
    given = [Named(f"H{n + 2}", "", 1.0 * at, 0.0) for n, at in enumerate(names)]
    seen = [Unread(at + 0.25 * n, 0.0, 0.0, "glare") for n, at in enumerate(marks)]
    held = match(given, seen, lambda name, mark: True)
    far = [abs(name.x - mark.x) for name, mark in held.items()]
    assert max(far, default=0.0) <= 15.0
    assert len({id(mark) for mark in held.values()}) == len(held)
    ways = permutations([*seen, *[None] * len(given)], len(given))
    costs = [[225.0 if m is None else (n.x - m.x) ** 2 for n, m in zip(given, way, strict=True)] for way in ways]
    least = min(sum(cost) for cost in costs if max(cost) <= 225.0)
    assert sum(one**2 for one in far) + 225.0 * (len(given) - len(held)) == pytest.approx(least)
