"""Papers of the house by names that say everything: what a paper takes, its points and its copies.

``straight6_2p3`` is a straight of six, worth 2 points, 3 copies of it; ``straight_flush3_2p3`` three in one suit;
``sets4x1_2p3`` four cards of one rank, ``sets2x5_8p1`` pairs of five ranks; ``sum21_1p4`` adds to exactly 21,
``sum77plus_4p2`` to 77 or more; ``ranks_1_7_13_3p2`` is A, 7 and K. So records, decks and games that go on need no
other file to know them. ``FAMILIAR`` are those that the menus offer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import Any

from rules.cards import RANK_NAMES
from rules.game import GameOption
from rules.laminate.papers import (
    BUILT_IN,
    DECK_SUM,
    LAMINATE,
    RANK_TOTALS,
    Combination,
    PaperKind,
    Papers,
    Ranks,
    Run,
    Sets,
    Sum,
)
from rules.parsing import quote_value
from rules.text import Text, in_context, verbatim

FAMILIAR = (
    "straight6_2p3",
    "straight13_12p1",
    "straight_flush3_2p3",
    "straight_flush5_5p2",
    "straight_flush7_9p1",
    "sets2x2_1p4",
    "sets2x5_8p1",
    "sets3x2_3p2",
    "sets4x1_2p3",
    "sets6x1_6p2",
    "sum21_1p4",
    "sum77plus_4p2",
    "ranks_1_7_13_3p2",
    "ranks_2_3_5_7_11_13_6p1",
    "ranks_1_3_5_7_9_11_13_7p1",
)
"""Kinds that a table may choose from, with points and copies after those of the built-in ones like them."""
MOST = 16
"""At most this many kinds are played beside the built-in ones, as many as an enrolment page has places."""
KEY = "house_papers"
_MOST_POINTS, _MOST_COPIES = 30, 9

_NAME = re.compile(
    r"(?:straight(?P<run>\d+)|straight_flush(?P<flush>\d+)|sets(?P<of>\d+)x(?P<sets>\d+)|sum(?P<sum>\d+)(?P<plus>plus)?"
    r"|ranks(?P<ranks>(?:_\d+)+))_(?P<points>\d+)p(?P<copies>\d+)\Z",
    re.ASCII,
)
_PAIRS = {2: Text("Two Pairs"), 5: Text("Five Pairs"), 6: Text("Six Pairs"), 7: Text("Seven Pairs")}
_ALIKE = {4: Text("Four Cards"), 6: Text("Six Cards"), 7: Text("Seven Cards")}
_DOUBLE = {3: Text("Double Threes"), 4: Text("Double Fours"), 5: Text("Double Fives"), 6: Text("Double Sixes")}
_SETS = {
    3: in_context("sets", "Three"),
    4: in_context("sets", "Four"),
    5: in_context("sets", "Five"),
    6: in_context("sets", "Six"),
}
_CALLED = {
    (1, 3, 5, 7, 9, 11, 13): Text("All Odd"),
    (2, 3, 5, 7, 11, 13): Text("Primes"),
}


def name_of(combination: Combination, points: int, copies: int) -> str:
    """Return the name of a house paper that takes this combination, with that many points and copies."""
    match combination:
        case Run(length, one_suit):
            shape = f"straight_flush{length}" if one_suit else f"straight{length}"
        case Sets(of, ranks):
            shape = f"sets{of}x{ranks}"
        case Sum(total, at_least):
            shape = f"sum{total}plus" if at_least else f"sum{total}"
        case Ranks(given):
            shape = "_".join(("ranks", *map(str, given)))
    return f"{shape}_{points}p{copies}"


@cache
def house_kind(name: str) -> PaperKind:
    """Return the house paper of that name.

    Raises:
        KeyError: the name says nothing, or what no deck can have, or what a built-in paper takes.
    """
    found = _NAME.match(name) if len(name) <= 60 else None
    combination = _read_combination(found) if found is not None else None
    if found is None or combination is None or any(kind.combination == combination for kind in BUILT_IN):
        raise KeyError(name)
    points, copies = int(found["points"]), int(found["copies"])
    if not (1 <= points <= _MOST_POINTS and 1 <= copies <= _MOST_COPIES):
        raise KeyError(name)
    if name_of(combination, points, copies) != name:
        raise KeyError(name)
    words = _combination_words(combination)
    return PaperKind(name, points, copies, words, combination)


def _read_combination(found: re.Match[str]) -> Combination | None:
    """Return the combination that a name stands for, if the deck has such cards."""
    if found["run"] or found["flush"]:
        length = _read_number(found["run"] or found["flush"])
        return Run(length, bool(found["flush"])) if 2 <= length <= (7 if found["flush"] else 13) else None
    if found["of"]:
        of, ranks = _read_number(found["of"]), _read_number(found["sets"])
        enough = sum(count >= of for count in RANK_TOTALS.values())
        return Sets(of, ranks) if of > 1 and 1 <= ranks <= enough else None
    if found["sum"]:
        total = _read_number(found["sum"])
        return Sum(total, bool(found["plus"])) if 1 <= total <= DECK_SUM else None
    given = Counter(_read_number(rank) for rank in found["ranks"][1:].split("_"))
    there = all(count <= RANK_TOTALS.get(rank, 0) for rank, count in given.items())
    return Ranks(tuple(sorted(given.elements()))) if there else None


def _read_number(digits: str) -> int:
    """Read a number that is no longer than the longest possible; what was cut off shows in the name."""
    return int(digits[:6])


def _combination_words(combination: Combination) -> Text:
    """Return what players call the combination."""
    match combination:
        case Run(length, one_suit):
            if one_suit:
                return Text("{length} Straight Flush", length=length)
            return Text("{length} Straight", length=length)
        case Sets(2, ranks):
            return Text("Pair") if ranks == 1 else _PAIRS.get(ranks, Text("{ranks} Pairs", ranks=ranks))
        case Sets(of, 1):
            return _ALIKE[of]
        case Sets(of, 2):
            return _DOUBLE[of]
        case Sets(of, ranks):
            return Text("{ranks} Times {sets}", ranks=ranks, sets=_SETS[of])
        case Sum(total, at_least):
            return Text("{total}+", total=total) if at_least else verbatim(total)
        case Ranks(given):
            names = (verbatim(RANK_NAMES[rank]) for rank in given)
            return _CALLED.get(given) or reduce(lambda row, name: Text("{row} {name}", row=row, name=name), names)


def with_house_papers(names: Iterable[str], base: Papers = LAMINATE) -> Papers:
    """Return the kinds of ``base`` and, after them, the house papers of these names.

    Raises:
        KeyError: there is no such kind.
    """
    names = tuple(names)
    return replace(base, kinds=(*base.kinds, *map(house_kind, names))) if names else base


def describe_kind(kind: PaperKind) -> Text:
    """Write a kind with its points and copies, as a menu's line."""
    return Text("{kind} ({points} p., {copies}×)", kind=kind, points=kind.points, copies=kind.copies)


def _list_values(players: Sequence[str]) -> Sequence[tuple[str, Text]]:
    return [(name, describe_kind(house_kind(name))) for name in FAMILIAR]


def _find_fault(value: Any, players: Sequence[str]) -> Text | None:
    if not isinstance(value, list) or not 0 < len(value) <= MOST or not all(isinstance(name, str) for name in value):
        quoted = quote_value(value)
        return Text("{key!r} must be a list of 1 to {most} names of papers: {told}", key=KEY, most=MOST, told=quoted)
    takes: list[Combination | None] = []
    for name in value:
        try:
            takes.append(house_kind(name).combination)
        except KeyError:
            return Text("{key!r} knows no paper {name}", key=KEY, name=quote_value(name))
    if len(set(takes)) < len(takes):
        return Text("{key!r} has two papers that take the same", key=KEY)
    return None


HOUSE_PAPERS = GameOption(KEY, Text("House papers"), _list_values, _find_fault, optional=True, several=True)
