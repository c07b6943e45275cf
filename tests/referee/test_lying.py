"""What must lie there against what is seen, and which unread card may stand for which."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from referee.laminate.expected_layout import (
    Agreed,
    Covered,
    Difference,
    DifferenceKind,
    ExpectedTable,
    cover,
    expect_table,
    find_differences,
    matched_papers,
)
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting, Unread
from rules.cards import Card
from rules.laminate.moves import Research
from tests.referee.tables import MAT, cards, started
from tests.referee.test_refusals import after, complete, under_review

LAYOUT = layout_for(3)
AREA_1, AREA_2 = (300.0, 700.0), (300.0, 200.0)
KEY = (1, "three")


def card(name: str) -> Card:
    return Card.parse(name)


def must(
    papers: Mapping[tuple[int, str], str] | None = None,
    discards: str = "FK",
    draw: int | None = 20,
    thanks: Mapping[int, tuple[int, int]] | None = None,
) -> ExpectedTable:
    pile = tuple(None if name == "?" else card(name) for name in discards.split())
    held = {KEY: "C6 S6 T6"} if papers is None else papers
    return ExpectedTable({key: frozenset(cards(names)) for key, names in held.items()}, pile, draw, thanks or {})


def seen(
    papers: str | None = "C6 S6 T6",
    top: str | None = "FK",
    under: str = "",
    draw: int = 3,
    payments: Mapping[int, int] | None = None,
    loose: tuple[Sighting, ...] = (),
    unread: tuple[Unread, ...] = (),
    side: bool = False,
) -> TableView:
    doubtful = tuple(mark for mark in unread if (mark.x, mark.y) == AREA_1 and papers is not None)
    lies = () if papers is None else (PaperSeen(1, "three", side, cards(papers), *AREA_1, doubtful),)
    discard = None if top is None else card(top)
    return TableView(MAT, lies, draw, discard, cards(under), payments or {}, loose, unread)


def mark(at: tuple[float, float], *candidates: str) -> Unread:
    return Unread(*at, 0.0, "glare", candidates)


def test_what_is_not_said_of_a_card_that_was_seen() -> None:
    """It shows whole and is surely named; of a paper nothing is in doubt, and on the table lies nothing else."""
    assert Sighting("H7", 1, 2, 3) == Sighting("H7", 1, 2, 3, confidence=1, visible=1)
    assert Unread(1, 2, 3, "glare") == Unread(1, 2, 3, "glare", (), visible=1)
    assert PaperSeen(1, "three", False, ()) == PaperSeen(1, "three", False, (), 0, 0, ())
    assert TableView(MAT) == TableView(MAT, (), 0, None, (), {}, (), ())
    assert Difference(DifferenceKind.TOP) == Difference(DifferenceKind.TOP, 0, "", (), None, 0, None, None)


# --- what everybody agrees on


def test_what_is_agreed_comes_back_from_the_journal() -> None:
    agreed = Agreed(started(5).position, {1: 2, 3: 1}, {0: card("H7")}, frozenset(cards("S9")))
    data = agreed.to_json()
    assert {key: value for key, value in data.items() if key != "position"} == {
        "thanks": {"1": 2, "3": 1},
        "shown": {"0": "H7"},
        "peeping": ["S9"],
    }
    again = Agreed.from_json(json.loads(json.dumps(data)))
    assert again == agreed
    assert again.to_json() == data
    for key in data:
        with pytest.raises(KeyError):
            Agreed.from_json({other: value for other, value in data.items() if other != key})


def test_set_up_discards_that_the_table_has_shown_are_known_by_their_place() -> None:
    agreed = after(started(5), Research(1, "deck", None, card("H4")))
    assert agreed.discards == (None, None, None, card("FK"), card("H4"))
    shown = Agreed(agreed.position, {}, {1: card("C10")})
    assert shown.discards == (None, card("C10"), None, card("FK"), card("H4"))
    assert expect_table(shown).discards == shown.discards


def test_what_must_lie_there() -> None:
    agreed = complete()
    lies = expect_table(agreed)
    assert lies.papers == {(1, "three"): frozenset(cards("T6"))}
    assert (lies.draw, dict(lies.thanks)) == (agreed.position.draw_count, {})
    assert lies.complete((1, "three"))
    assert not expect_table(under_review()).complete((1, "three"))
    assert must({KEY: ""}).complete(KEY)


# --- how it differs


def test_a_table_as_it_must_be_differs_in_nothing() -> None:
    assert find_differences(must(), seen()) == ()
    assert find_differences(must({KEY: "T6"}), seen("T6", side=True)) == ()


@pytest.mark.parametrize(
    ("lies", "view", "difference"),
    [
        (must(), seen(None), Difference(DifferenceKind.PAPER_GONE, 1, "three", cards("C6 S6 T6"))),
        (must(), seen("C6 S6 T6", side=True), (DifferenceKind.SIDE, 1, "three", ())),
        (must(), seen("C6 T6"), (DifferenceKind.CARDS_GONE, 1, "three", cards("S6"))),
        (must(), seen("C6 S6 T6 B6 O6"), (DifferenceKind.CARDS_ADDED, 1, "three", cards("O6 B6"))),
        (must({}), seen("S6 C6"), (DifferenceKind.PAPER_ADDED, 1, "three", cards("C6 S6"))),
        (must(), seen(top=None), Difference(DifferenceKind.TOP, cards=cards("FK"))),
        (must(), seen(top="H7"), Difference(DifferenceKind.TOP, cards=cards("FK"), seen=card("H7"))),
        (must(discards=""), seen(), Difference(DifferenceKind.TOP, seen=card("FK"))),
        (must(discards="FK ?"), seen(top=None), Difference(DifferenceKind.TOP)),
        (must(discards="FK ?"), seen(top="FK"), Difference(DifferenceKind.TOP, seen=card("FK"))),
        (must(), seen(under="H7"), Difference(DifferenceKind.UNDER, cards=cards("H7"))),
        (must(discards="? FK"), seen(under="H7 H6"), Difference(DifferenceKind.UNDER, cards=cards("H6 H7"))),
        (must(discards="? ?"), seen(top="H5", under="H7 H6"), Difference(DifferenceKind.UNDER, cards=cards("H6 H7"))),
        (must(), seen(draw=0), Difference(DifferenceKind.DRAW_GONE)),
        (must(draw=0), seen(draw=2), Difference(DifferenceKind.DRAW_THERE, count=2)),
        (must(), seen(payments={2: 3}), Difference(DifferenceKind.THANKS_ADDED, 2, count=3)),
        (must(thanks={2: (1, 2)}), seen(payments={2: 3}), Difference(DifferenceKind.THANKS_ADDED, 2, count=1)),
        (must(thanks={2: (2, 2)}), seen(payments={}), Difference(DifferenceKind.THANKS_GONE, 2, count=2)),
        (must(thanks={2: (2, 2)}), seen(payments={2: 1}), Difference(DifferenceKind.THANKS_GONE, 2, count=1)),
    ],
)
def test_a_difference(lies: ExpectedTable, view: TableView, difference: object) -> None:
    (found,) = find_differences(lies, view)
    if isinstance(difference, tuple):
        assert (found.what, found.seat, found.kind, found.cards) == difference
        assert found.paper_seen == view.papers[0]
    else:
        assert found == difference


@pytest.mark.parametrize(
    ("lies", "view"),
    [
        (must(discards="FK ?"), seen(top="H7")),
        (must(discards="? ? FK"), seen(under="H7 H6")),
        (must(discards="H7 FK"), seen(under="H7")),
        (must(discards="? ?"), seen(top="H5", under="H7")),
        (must(draw=None), seen(draw=0)),
        (must(draw=None), seen(draw=3)),
        (must(draw=0), seen(draw=0)),
        (must(thanks={2: (1, 2)}), seen(payments={2: 1})),
        (must(thanks={2: (1, 2)}), seen(payments={2: 2})),
        (must(thanks={2: (0, 2)}), seen()),
    ],
)
def test_no_difference(lies: ExpectedTable, view: TableView) -> None:
    assert find_differences(lies, view) == ()


def test_loose_cards_are_differences_of_their_own() -> None:
    loose = tuple(Sighting(name, 1, 2, 0) for name in ("H7", "back", "five/review"))
    found = find_differences(must(), seen(loose=loose))
    assert [(d.what, d.cards, d.sighting) for d in found] == [
        (DifferenceKind.LOOSE, cards("H7"), loose[0]),
        (DifferenceKind.LOOSE, (), loose[1]),
        (DifferenceKind.LOOSE, (), loose[2]),
    ]


def test_of_two_papers_of_a_kind_the_one_that_shares_more_cards_is_the_agreed_one() -> None:
    old = PaperSeen(1, "three", False, cards("S6 T6"))
    new = PaperSeen(1, "three", False, cards("B7 O7 C6"))
    other = PaperSeen(2, "three", False, cards("C6 S6 T6"))
    for papers in ((old, new, other), (new, other, old)):
        pairs, rest = matched_papers({KEY: frozenset(cards("C6 S6 T6"))}, papers)
        assert pairs == {KEY: old}
        assert set(rest) == {new, other}


@pytest.mark.parametrize(
    ("what", "names", "count", "weight"),
    [
        (DifferenceKind.PAPER_GONE, "C6 S6 T6", 0, 4),
        (DifferenceKind.PAPER_GONE, "", 0, 1),
        (DifferenceKind.CARDS_ADDED, "C6 S6", 0, 2),
        (DifferenceKind.CARDS_GONE, "C6 S6 T6", 0, 3),
        (DifferenceKind.UNDER, "C6", 0, 1),
        (DifferenceKind.TOP, "C6", 0, 2),
        (DifferenceKind.PAPER_ADDED, "C6 S6 T6", 0, 2),
        (DifferenceKind.DRAW_GONE, "", 0, 2),
        (DifferenceKind.DRAW_THERE, "", 3, 3),
        (DifferenceKind.SIDE, "", 0, 1),
        (DifferenceKind.LOOSE, "C6", 0, 1),
        (DifferenceKind.THANKS_ADDED, "", 1, 1),
        (DifferenceKind.THANKS_GONE, "", 2, 2),
    ],
)
def test_what_a_difference_weighs(what: DifferenceKind, names: str, count: int, weight: float) -> None:
    assert Difference(what, cards=cards(names), count=count).weight == weight


# --- what unread cards may stand for


def covered(lies: ExpectedTable, view: TableView) -> Covered:
    return cover(lies, view, LAYOUT)


def test_with_everything_read_nothing_is_covered() -> None:
    assert covered(must(), seen(top=None)) == Covered((Difference(DifferenceKind.TOP, cards=cards("FK")),), (), ())


@pytest.mark.parametrize(
    ("candidates", "blind"), [(("S6", "H7"), False), (("H7", "S6"), True), ((), True)], ids=["first", "second", "none"]
)
def test_an_unread_card_of_a_paper_stands_for_the_one_that_is_missing(candidates: tuple[str, ...], blind: bool) -> None:
    glare = mark(AREA_1, *candidates)
    found = covered(must(), seen("C6 T6", unread=(glare,)))
    assert found == Covered((), (("seat:1/three", glare),), (), (glare,) if blind else ())


def test_an_unread_card_stands_for_one_card_only() -> None:
    glare = mark(AREA_1, "S6", "T6")
    found = covered(must(), seen("C6", unread=(glare,)))
    assert [(d.what, d.cards) for d in found.differences] == [(DifferenceKind.CARDS_GONE, cards("T6"))]
    assert found.depends_on_unread == (("seat:1/three", glare),)
    two = (mark(AREA_1, "T6"), Unread(*AREA_1, 1.0, "glare", ("T6", "S6")))
    both = covered(must(), seen("C6", unread=two))
    assert (both.differences, len(both.depends_on_unread), both.blind) == ((), 2, (two[1],))
    again = covered(must(), seen("C6", unread=(two[0], Unread(*AREA_1, 1.0, "glare", ("T6",)))))
    assert [(d.what, d.cards) for d in again.differences] == [(DifferenceKind.CARDS_GONE, cards("S6"))]
    assert len(again.open) == 1


def test_an_unread_card_that_can_be_none_of_the_paper_stays_open() -> None:
    glare = mark(AREA_1, "H7", "H6")
    found = covered(must(), seen("C6 T6", unread=(glare,)))
    assert [d.what for d in found.differences] == [DifferenceKind.CARDS_GONE]
    assert (found.depends_on_unread, found.open, found.blind) == ((), (glare,), ())
    added = covered(must(), seen("C6 S6 T6", unread=(glare,)))
    assert (added.differences, added.open) == ((), (glare,))


def test_an_unread_card_takes_away_no_other_difference() -> None:
    twin = mark(AREA_1, "B6")
    added = covered(must(), seen("C6 S6 T6 B6", unread=(twin,)))
    assert [(d.what, d.cards) for d in added.differences] == [(DifferenceKind.CARDS_ADDED, cards("B6"))]
    assert added.open == (twin,)
    turned = covered(must(), seen(side=True, unread=(mark((1150.0, 420.0)),)))
    assert [d.what for d in turned.differences] == [DifferenceKind.SIDE]


@pytest.mark.parametrize(
    ("candidates", "stands", "blind"),
    [(("FK", "F12"), True, False), (("F12", "FK"), True, True), (("F12",), False, False), ((), False, False)],
)
def test_an_unread_card_on_the_discard_pile(candidates: tuple[str, ...], stands: bool, blind: bool) -> None:
    glare = mark(LAYOUT.discard, *candidates)
    found = covered(must(), seen(top=None, unread=(glare,)))
    assert bool(found.differences) != stands
    assert found.depends_on_unread == ((("discard", glare),) if stands else ())
    assert found.open == (() if stands else (glare,))
    assert found.blind == ((glare,) if blind else ())


def test_an_unread_card_stands_for_no_discard_where_another_one_shows() -> None:
    glare = mark(LAYOUT.discard, "FK")
    found = covered(must(), seen(top="H7", unread=(glare,)))
    assert [d.what for d in found.differences] == [DifferenceKind.TOP]
    assert (found.depends_on_unread, found.open) == ((), (glare,))
    below = covered(must(discards="H7 FK"), seen(unread=(mark(LAYOUT.discard, "H7"),)))
    assert below == Covered((), (), ())
    single = covered(must(), seen(unread=(glare,)))
    assert single.open == (glare,)
    gone = covered(must(discards="H7 FK"), seen(top=None, unread=(mark(LAYOUT.discard, "H6"),)))
    assert len(gone.open) == 1


@pytest.mark.parametrize(
    ("candidates", "stands", "beside", "blind"),
    [
        (("back",), True, True, False),
        ((), True, False, True),
        (("H7", "back"), True, False, True),
        (("H7",), False, False, False),
    ],
)
def test_an_unread_card_on_the_draw_pile(candidates: tuple[str, ...], stands: bool, beside: bool, blind: bool) -> None:
    """It may be the pile itself; beside a pile that is read only what can be nothing but a back belongs to it."""
    glare = mark(LAYOUT.draw, *candidates)
    found = covered(must(), seen(draw=0, unread=(glare,)))
    assert bool(found.differences) != stands
    assert found.depends_on_unread == ((("draw", glare),) if stands else ())
    assert found.blind == ((glare,) if blind else ())
    assert found.open == (() if stands else (glare,))
    there = covered(must(), seen(unread=(glare,)))
    assert (there.differences, there.depends_on_unread, there.open) == ((), (), () if beside else (glare,))
    empty = covered(must(draw=0), seen(draw=0, unread=(glare,)))
    assert empty.open == (glare,)
    unknown = covered(must(draw=None), seen(draw=0, unread=(glare,)))
    assert unknown.open == (() if beside else (glare,))


def test_unread_cards_on_a_payment_spot_stand_for_thanks_one_each() -> None:
    x, y = LAYOUT.locate_payment(2)
    marks = tuple(mark((x + 5 * n, y), "back") for n in range(2))
    lies = must(thanks={2: (3, 3)})
    assert covered(lies, seen(payments={2: 1}, unread=marks)) == Covered(
        (), (("payment:2", marks[0]), ("payment:2", marks[1])), ()
    )
    short = covered(lies, seen(unread=marks))
    assert [(d.what, d.seat, d.count) for d in short.differences] == [(DifferenceKind.THANKS_GONE, 2, 1)]
    assert len(short.depends_on_unread) == 2
    elsewhere = covered(lies, seen(payments={2: 2}, unread=(mark(LAYOUT.locate_payment(1), "back"),)))
    assert ([d.count for d in elsewhere.differences], len(elsewhere.open)) == ([1], 1)
    unnamed = covered(lies, seen(payments={2: 2}, unread=(mark((x, y)),)))
    assert ([d.count for d in unnamed.differences], len(unnamed.open)) == ([1], 1)


def test_what_lies_nowhere_in_particular_is_passed_over() -> None:
    nowhere = mark((1150.0, 420.0), "H7")
    assert covered(must(), seen(unread=(nowhere,))) == Covered((), (), ())
    assert covered(must(), seen(unread=(mark(AREA_2, "H7"),))).open == (mark(AREA_2, "H7"),)


def loose(*names: str) -> tuple[Sighting, ...]:
    return tuple(Sighting(name, 300, 720 + 20 * n, 0) for n, name in enumerate(names))


@pytest.mark.parametrize(
    "candidates", [("three/review",), ("three/review", "five/review"), ("five/review", "three/review")]
)
def test_the_cards_of_a_hidden_paper_card_are_its_paper(candidates: tuple[str, ...]) -> None:
    head = mark(AREA_1, *candidates)
    found = covered(must(), seen(None, loose=loose("C6", "S6", "T6"), unread=(head,)))
    blind = candidates[0] == "five/review"
    assert found == Covered((), (("seat:1/three", head),), (), (head,) if blind else ())


@pytest.mark.parametrize(
    ("names", "at", "candidates"),
    [
        (("C6", "S6"), AREA_1, ("three/review",)),
        (("C6", "S6", "B6"), AREA_1, ("three/review",)),
        (("C6", "S6", "T6"), AREA_2, ("three/review",)),
        (("C6", "S6", "T6"), AREA_1, ("five/review",)),
        (("C6", "S6", "T6"), AREA_1, ()),
    ],
    ids=["a card short", "another card", "another area", "another kind", "no name"],
)
def test_a_hidden_paper_card_that_is_not_that_papers(
    names: tuple[str, ...], at: tuple[float, float], candidates: tuple[str, ...]
) -> None:
    head = mark(at, *candidates)
    found = covered(must(), seen(None, loose=loose(*names), unread=(head,)))
    assert DifferenceKind.PAPER_GONE in [d.what for d in found.differences]
    assert (found.depends_on_unread, found.open) == ((), (head,))


def test_other_loose_cards_stay_loose_beside_a_hidden_paper_card() -> None:
    head = mark(AREA_1, "three/review")
    lies = must({KEY: "C6 S6 T6", (2, "five"): "H7"})
    view = seen(None, loose=loose("C6", "S6", "T6", "B9", "back"), unread=(head,))
    found = covered(lies, view)
    assert [(d.what, d.kind, d.cards) for d in found.differences] == [
        (DifferenceKind.PAPER_GONE, "five", cards("H7")),
        (DifferenceKind.LOOSE, "", cards("B9")),
        (DifferenceKind.LOOSE, "", ()),
    ]
