"""Discards in Seven Wonders: what lies on a spot is paid for once, however it came to lie there for longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.menu import Menu
from referee.seven_wonders.layout import PILE
from referee.seven_wonders.referee import REFEREE
from referee.table import Sighting, Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from tests.referee.seven_wonders.table import Table

THREE = ("giza/a", "rhodes/a", "ephesos/a")


def first_round(table: Table) -> None:
    """Hilbert builds altar, the others discard."""
    table.lay(1, "altar")
    for seat in range(2, table.n + 1):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted)


def ends(verdict: Verdict) -> Iterator[Accepted | Refused | CantSee]:
    """Yield the outcomes of a verdict with every answer to what it asks."""
    if isinstance(verdict, Question):
        for choice in verdict.choices:
            yield from ends(choice.verdict)
    else:
        assert isinstance(verdict, Accepted | Refused | CantSee), verdict
        yield verdict


# A discard that is left lying


@dataclass(frozen=True)
class Left:
    """What happens between two rounds while Banach's discard stays on its spot, pushed by so many mm."""

    pushed: float
    others: bool
    """Noether's discard goes to the pile."""
    pile_pushed: float
    hidden: str
    """In a look between, ``sleeve`` hides Banach's spot without a trace, ``mark`` is something that is not read."""
    looked: bool
    resumed: bool

    def play(self, table: Table) -> Verdict:
        """Hilbert and Noether lay a card, Banach none; what confirm gives."""
        old, layout = table.cities[1].spot.pop(), table.layout
        if self.others:
            table.gather()
        else:
            table.cities[2].spot.clear()
        table.pile = [(age, at + self.pile_pushed) for age, at in table.pile]
        if self.hidden:
            x, y = layout.discard_spot(2)
            far = layout.locate_point(2, -10.0, 270.0)
            covers = tuple((x + dx, y) for dx in range(-30, 31, 10))
            table.unread = (Unread(*far, 0.0, "unknown", (), 1.0, covers),) if self.hidden == "mark" else ()
            table.see()
            table.unread = ()
        table.discard(2, 1, self.pushed)
        if self.looked:
            table.see()
        if self.resumed:
            entries = [Entry.from_json(one.to_json()) for one in table.kept]
            table.session = Session.resume(table.session.history.header, entries, layout, keep=table.kept.append)
        assert old == (1, 0.0)
        table.lay(1, "stone_pit")
        table.lay(3, "press")
        return table.confirm()


_BOTH = (True, False)
LEFT = [Left(*how) for how in product((0.0, 3.0, 25.0), _BOTH, (0.0, 6.0), ("", "sleeve", "mark"), _BOTH, _BOTH)]


@pytest.mark.few(1)
@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_discard_that_is_left_lying_is_never_counted_again_unasked(before: int) -> None:
    for how in LEFT:
        table = Table(THREE)
        table.pile = [(1, 11.0 * number) for number in range(before)]
        first_round(table)
        verdict = how.play(table)
        assert not isinstance(verdict, Accepted), how
        first = next(ends(verdict))
        assert isinstance(first, Refused), "whoever presses confirm once more pays nobody"
        assert first.refusal.code == "nothing_laid", how
        assert table.session.position.cities[1].coins == 6


def test_where_nothing_else_was_touched_it_is_not_even_asked() -> None:
    table = Table(THREE)
    first_round(table)
    assert isinstance(Left(0.0, False, 0.0, "", True, False).play(table), Refused)


@pytest.mark.parametrize("gathered_first", [True, False])
@pytest.mark.parametrize("at", [0.0, 3.0, 25.0])
@pytest.mark.parametrize("before", [0, 3])
def test_a_new_discard_is_never_refused(at: float, gathered_first: bool, before: int) -> None:
    table = Table(THREE)
    table.pile = [(1, 11.0 * number) for number in range(before)]
    first_round(table)
    table.cities[1].spot.clear()
    table.cities[2].spot.clear()
    table.pile += [(1, -11.0), (1, -23.0)]
    if gathered_first:
        table.see()
    table.discard(2, 1, at)
    table.lay(1, "stone_pit")
    table.lay(3, "press")
    verdict = table.confirm()
    if at or gathered_first:
        assert isinstance(verdict, Accepted), "the pile shows both old ones"
    else:
        assert any(isinstance(end, Accepted) for end in ends(verdict))


def test_a_pile_that_shows_only_its_top_leaves_it_to_the_players() -> None:
    table = Table(THREE)
    table.pile = [(1, 0.0)]
    first_round(table)
    for city in table.cities:
        city.spot.clear()
    table.pile = [(1, 7.0)]
    table.see()
    table.lay(1, "stone_pit")
    table.discard(2, 1, 5.0)
    table.lay(3, "press")
    asked = table.confirm()
    assert isinstance(asked, Question)
    assert [str(choice.text) for choice in asked.choices] == [
        "No, it is from an earlier round",
        "Yes, it is new",
    ]
    assert isinstance(asked.choices[1].verdict, Accepted)


@pytest.mark.parametrize("seen_empty", [True, False])
def test_a_pile_that_was_hidden_at_the_last_confirm_proves_nothing_when_it_shows(seen_empty: bool) -> None:
    table = Table(THREE)
    first_round(table)
    table.gather()
    table.see()
    pile, table.pile = table.pile, []
    table.lay(1, "stone_pit")
    table.discard(2, 1, 5.0)
    table.lay(3, "press")
    assert isinstance(table.confirm(), Question), "a sleeve lies over the pile, and nothing shows it"
    table.session.press(Button.DOWN)
    assert isinstance(table.session.press(Button.CONFIRM), Accepted)
    old = table.cities[1].spot.pop()
    if seen_empty:
        table.see()
    table.pile = pile
    table.cities[1].spot = [(old[0], old[1] + 3.0)]
    table.lay(1, "clay_pit")
    table.lay(3, "timber_yard")
    asked = table.confirm()
    assert isinstance(asked, Question), "Banach's discard of the round before was pushed, and lies there still"
    first = next(ends(asked))
    assert isinstance(first, Refused)
    assert first.refusal.code == "nothing_laid"


def test_a_discard_hidden_while_a_round_is_settled_is_not_forgotten() -> None:
    table = Table(THREE)
    first_round(table)
    old = table.cities[1].spot.pop()
    table.gather()
    for seat, name in ((1, "stone_pit"), (2, "lumber_yard"), (3, "press")):
        table.lay(seat, name)
    assert isinstance(table.confirm(), Accepted), "a sleeve lies over Banach's spot, and nothing shows it"
    table.cities[1].spot = [old]
    table.lay(1, "clay_pit")
    table.lay(3, "glassworks")
    assert isinstance(table.confirm(), Question)
    table.cities[1].spot.clear()
    for again, names in enumerate((("clay_pit", "timber_yard", "glassworks"), ("baths", "loom", "theater"))):
        for city, name in zip(table.cities, names, strict=True):
            city.built = [*(one for one in city.built if one != name), name]
        assert isinstance(table.confirm(), Accepted)
        assert bool(table.session.agreed.discards) is (again == 0), "seen empty at two confirms, it has gone"


def test_what_reaches_over_a_spot_hides_it() -> None:
    for u, v in ((0.0, 100.0), (150.0, 340.0), (60.0, 340.0)):
        table = Table(THREE)
        first_round(table)
        spot = table.cities[1].spot.pop()
        x, y = table.layout.discard_spot(2)
        covers = tuple((x + dx, y) for dx in range(-30, 31, 10))
        table.unread = (Unread(*table.layout.locate_point(2, u, v), 0.0, "unknown", (), 1.0, covers),)
        table.see()
        assert [one.seat for one in table.session.agreed.ungathered] == [2, 3], "a board, a sleeve, anything"
        table.cities[1].spot, table.unread = [spot], ()


def test_something_wide_on_the_pile_hides_what_it_reaches() -> None:
    table = Table(THREE)
    first_round(table)
    table.gather()
    table.unread = (Unread(*table.layout.pile, 0.0, "unknown", (), 1.0, (table.layout.pile,)),)
    for seat, name in ((1, "stone_pit"), (2, "lumber_yard"), (3, "press")):
        table.lay(seat, name)
    spot = table.layout.discard_spot(1)
    table.unread = (Unread(*table.layout.pile, 0.0, "unknown", (), 1.0, (table.layout.pile, spot)),)
    assert isinstance(table.confirm(), CantSee)


def test_what_lies_on_a_spot_when_the_position_is_set_is_no_new_discard() -> None:
    table = Table(THREE)
    first_round(table)
    table.see()
    menu: Menu | None = REFEREE.open_editor(
        table.session.agreed,
        table.view(),
        table.layout,
        table.session.judge.set_position,
        None,
    )
    for words in ("Age 1, round 2", "Yes"):
        assert menu is not None
        menu = next(option for option in menu.options if str(option.words) == words).take()
    assert [one.seat for one in table.session.agreed.ungathered] == [2, 3]
    table.lay(1, "stone_pit")
    table.lay(3, "press")
    assert table.codes() == ("nothing_laid", "discard_not_gathered")


def test_after_a_round_was_taken_back_an_older_discard_is_asked_about() -> None:
    table = Table(THREE)
    first_round(table)
    old = table.cities[1].spot.pop()
    table.gather()
    for seat, name in ((1, "stone_pit"), (2, "lumber_yard"), (3, "press")):
        table.lay(seat, name)
    assert isinstance(table.confirm(), Accepted)
    table.session.judge.undo()
    for city in table.cities:
        city.built = city.built[:-1]
    table.cities[0].built = ["altar"]
    table.confirm()
    assert not table.session.checking
    table.cities[1].spot = [old]
    table.lay(1, "stone_pit")
    table.lay(3, "press")
    assert isinstance(table.confirm(), Question)


def test_cards_left_over_on_the_pile_stand_for_no_discard() -> None:
    table = Table.at(("giza/a", "babylon/b", "rhodes/a"), 1, 5, Banach=(3, "", (1, 1)))
    table.pile = []
    for seat in (1, 2, 3):
        table.discard(seat)
    assert isinstance(table.confirm(), Accepted)
    old = table.cities[1].spot.pop()
    table.gather()
    table.pile.append((1, 40.0))
    table.discard(2, 1, 5.0)
    assert old == (1, 0.0)
    assert isinstance(table.confirm(), Question), "Hilbert's and Noether's, and a card left over"


# Discards


def test_a_discard_is_gathered_before_the_next_confirm() -> None:
    table = Table()
    first_round(table)
    for seat, name in ((1, "loom"), (2, "press"), (3, "glassworks")):
        table.lay(seat, name)
    assert table.codes() == ("discard_not_gathered",)
    table.gather()
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.pile_ages == (2, 0, 0)


def test_an_old_discard_is_no_new_one() -> None:
    table = Table()
    first_round(table)
    table.lay(1, "loom")
    table.lay(2, "press")
    table.cities[1].spot.clear()
    table.pile = [(1, 0.0)]
    asked = table.confirm()
    assert isinstance(asked, Question), "the one of Noether may be the old one, though the pile has grown"
    old, new = (choice.verdict for choice in asked.choices)
    assert isinstance(old, Refused)
    assert (old.refusal.code, *old.refusal.also) == ("nothing_laid", "discard_not_gathered")
    assert isinstance(new, Accepted)
    table.cities[2].spot = [(1, 6.0)]
    assert isinstance(table.confirm(), Question), "a sleeve may have pushed it"


def test_an_old_discard_that_nobody_touched_is_seen_as_such() -> None:
    table = Table()
    first_round(table)
    table.lay(1, "loom")
    table.lay(2, "press")
    assert table.codes() == ("nothing_laid", "discard_not_gathered")


def test_a_look_at_an_empty_spot_is_kept() -> None:
    table = Table()
    first_round(table)
    assert [str(text) for text in REFEREE.list_reminders(table.session.agreed)] == [
        "The discard of Banach and Noether goes face down on the discard pile."
    ]
    table.gather()
    table.see()
    assert table.session.agreed.ungathered == ()
    assert REFEREE.list_reminders(table.session.agreed) == ()
    again = Session.resume(table.session.history.header, table.kept)
    assert again.agreed == table.session.agreed


def test_a_discard_that_was_pushed_is_the_old_one_where_none_is_due() -> None:
    table = Table.at(("giza/a", "halikarnassos/b", "rhodes/a"), 2, 1, Banach=(9, "ore_vein foundry", ()))
    table.stage(2, 2)
    table.discard(1, 2)
    table.discard(3, 2)
    assert isinstance(table.confirm(), Accepted)
    table.cities[0].spot = [(2, 9.0)]
    table.cities[2].spot = []
    assert table.codes() == ("discard_not_gathered",)
    table.gather()
    assert isinstance(table.confirm(), Question)


@pytest.mark.parametrize(
    ("known", "shown", "candidates", "kind"),
    [
        (0, 0, (), CantSee),
        (0, 0, ("back1", "lighthouse"), CantSee),
        (0, 0, ("lighthouse",), CantSee),
        (0, 1, (), CantSee),
        (2, 0, (), Accepted),
        (2, 0, ("back1", "lighthouse"), Accepted),
        (2, 0, ("lighthouse",), CantSee),
        (2, 1, (), CantSee),
        (2, 1, ("back1",), Accepted),
    ],
)
def test_what_cant_be_read_on_the_pile_is_passed_over_where_it_must_be_a_back(
    known: int, shown: int, candidates: tuple[str, ...], kind: type
) -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.discard(seat)
    state = table.session.agreed
    position = replace(state.position, pile_ages=(known, 0, 0))
    backs = [Sighting("back1", *table.layout.pile, 0.0)] * shown
    mark = Unread(table.layout.pile[0] + 5.0, table.layout.pile[1] + 8.0, 0.0, "glare", candidates)
    view = table.view()
    view = replace(view, cards={**view.cards, PILE: tuple(backs)}, unread=(mark,))
    assert isinstance(REFEREE.judge(replace(state, position=position), view, table.layout), kind)
