"""A paper of the house made up by the four buttons: what it takes, its points, its copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from referee.menu import Menu, Option
from rules.cards import RANK_NAMES
from rules.laminate.house.kinds import house_kind, name_of
from rules.laminate.papers import Combination, Ranks, Run, Sets, Sum
from rules.text import Text, plural, say_number, verbatim

_POINTS, _COPIES = range(1, 13), range(1, 5)
_MOST_TENS = 15
_COUNTED = Text("How many cards?")

Then = Callable[[str], Menu | None]
"""Gets the name of the paper, and gives the menu to show next."""


def making_menu(then: Then, parent: Menu | None) -> Menu:
    """Ask what a new paper takes; every further question leads back to the one before."""
    menu: Menu

    def further(ask: Callable[[Then, Menu], Menu]) -> Callable[[], Menu]:
        return lambda: ask(then, menu)

    menu = Menu(
        Text("What does it take?"),
        (
            Option(Text("Consecutive ranks"), further(_ask_straights)),
            Option(Text("Consecutive ranks of one suit"), further(_ask_flushes)),
            Option(Text("Pairs, threes, fours …"), further(_of_a_rank)),
            Option(Text("Ranks that add to exactly …"), further(partial(_ask_sum, False))),
            Option(Text("Ranks that add to … or more"), further(partial(_ask_sum, True))),
            Option(Text("Ranks that you choose"), further(_ask_ranks)),
        ),
        parent=parent,
    )
    return menu


def _can_be(combination: Combination) -> bool:
    """Tell whether the deck has such cards, and no built-in paper takes them."""
    try:
        house_kind(name_of(combination, 1, 1))
    except KeyError:
        return False
    return True


def _ask_combination(title: Text, lines: Sequence[tuple[Text, Combination]], then: Then, parent: Menu) -> Menu:
    """Ask which of these combinations; those that can be no paper are left out."""
    menu: Menu
    menu = Menu(
        title,
        tuple(
            Option(words, lambda one=one: _ask_points(one, then, menu))  # type: ignore[misc]
            for words, one in lines
            if _can_be(one)
        ),
        parent=parent,
    )
    return menu


def _ask_straights(then: Then, parent: Menu) -> Menu:
    return _ask_combination(_COUNTED, [(say_number(count), Run(count)) for count in range(3, 14)], then, parent)


def _ask_flushes(then: Then, parent: Menu) -> Menu:
    return _ask_combination(
        _COUNTED, [(say_number(count), Run(count, one_suit=True)) for count in range(2, 8)], then, parent
    )


def _of_a_rank(then: Then, parent: Menu) -> Menu:
    """Ask how many of one rank; then of how many ranks."""
    menu: Menu

    def of(count: int) -> Option:
        ranks = [(_how_many(ranks), Sets(count, ranks)) for ranks in range(1, 8)]
        asked = Text("Of how many ranks?")
        return Option(say_number(count), lambda: _ask_combination(asked, ranks, then, menu))

    title = Text("How many of one rank?")
    menu = Menu(title, tuple(map(of, range(2, 8))), parent=parent)
    return menu


def _ask_sum(at_least: bool, then: Then, parent: Menu) -> Menu:
    """Ask for the tens of the sum, then its ones."""
    menu: Menu

    def tens(ten: int) -> Option:
        sums = [(verbatim(total), Sum(total, at_least)) for total in range(10 * ten, 10 * ten + 10)]
        return Option(verbatim(f"{10 * ten} …"), lambda: _ask_combination(title, sums, then, menu))

    title = Text("Which sum?")
    menu = Menu(title, tuple(map(tens, range(1, _MOST_TENS))), parent=parent)
    return menu


def _ask_ranks(then: Then, parent: Menu, given: tuple[int, ...] = (), chosen: int = 0) -> Menu:
    """Ask for one rank after the other, to be taken or left; it is done once that can be a paper."""
    menu: Menu
    lines = []
    if len(given) > 1 and _can_be(Ranks(given)):
        lines.append(Option(Text("Done"), lambda: _ask_points(Ranks(given), then, menu)))
    first = len(lines)
    for place, (rank, name) in enumerate(RANK_NAMES.items()):
        left = tuple(sorted({*given} ^ {rank}))
        words = verbatim(f"{'✓' if rank in given else '–'} {name}")
        lines.append(Option(words, partial(_ask_ranks, then, parent, left, place + 1)))
    title = Text("Which ranks, one card each?")
    menu = Menu(title, tuple(lines), chosen=first + chosen - 1 if chosen else 0, parent=parent)
    return menu


def _ask_points(combination: Combination, then: Then, parent: Menu) -> Menu:
    menu: Menu
    title = Text("How many points is it worth?")

    def worth(points: int) -> Option:
        words = plural("{count} point", "{count} points", count=points)
        return Option(words, lambda: _ask_copies(combination, points, then, menu))

    menu = Menu(title, tuple(map(worth, _POINTS)), parent=parent)
    return menu


def _ask_copies(combination: Combination, points: int, then: Then, parent: Menu) -> Menu:
    def copies(count: int) -> Option:
        return Option(say_number(count), lambda: then(name_of(combination, points, count)))

    title = Text("How many of them have you made?")
    return Menu(title, tuple(map(copies, _COPIES)), parent=parent)


def _how_many(count: int) -> Text:
    return plural("{count} rank", "{count} ranks", count=count)
