"""Cards as they lie on sloppy tables come back as the papers, piles and payments that people meant."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.laminate.view.layouts import layout_for
from referee.laminate.view.observing import _measure_gap, table_view
from referee.laminate.view.table import PaperSeen, TableView
from referee.layout import CARD_MM
from referee.table import Sighting, Unread
from rules.cards import DECK, Card

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KINDS = ("straight5", "straight7", "straight9", "three", "five", "three_pairs", "four_pairs", "sum49", "sum100")
THREE = layout_for(3)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names.split())


def column(head: str, names: str, x: float, y: float, *, up: bool = False, step: float = 20.0) -> list[Sighting]:
    sign = -1 if up else 1
    angle = 180.0 if up else 0.0
    lying = [Sighting(head, x, y, angle, visible=0.3)]
    for i, name in enumerate(names.split()):
        lying.append(Sighting(name, x, y + sign * (25 + i * step), angle, visible=0.25))
    return lying


def grouped(view: TableView) -> set[tuple[int, str, bool, tuple[Card, ...]]]:
    return {(p.seat, p.kind, p.complete_side, p.cards) for p in view.papers}


# --- spots


def test_backs_by_the_draw_spot_are_the_draw_pile() -> None:
    x, y = THREE.draw
    view = table_view([Sighting("back", x + 3, y - 2, 1), Sighting("back", x, y, 0)], (), THREE)
    assert (view.draw_backs, dict(view.payments), view.loose) == (2, {}, ())


def test_a_fan_of_thanks_belongs_to_the_spot_of_its_first_card_even_beyond_75_mm() -> None:
    x, y = THREE.locate_payment(1)
    fan = [Sighting("back", x + 24 * i, y + i, 2.0) for i in range(6)]
    assert fan[-1].x - x > 75
    view = table_view(fan[::-1], (), THREE)
    assert dict(view.payments) == {1: 6}
    assert view.loose == ()
    assert view.draw_backs == 0


def test_on_a_narrow_mat_a_fan_toward_the_draw_pile_stays_a_fan() -> None:
    layout = layout_for(3, (700.0, 700.0))
    x, y = layout.locate_payment(1)
    fan = [Sighting("back", x + 20 * i, y, 0) for i in range(4)]
    dx, dy = layout.draw
    pile = [Sighting("back", dx, dy, 0), Sighting("back", dx + 2, dy + 1, 1)]
    view = table_view(fan + pile, (), layout)
    assert dict(view.payments) == {1: 4}
    assert view.draw_backs == 2


def test_a_back_away_from_every_spot_is_loose() -> None:
    stray = Sighting("back", 200, 700, 0)
    assert table_view([stray], (), THREE).loose == (stray,)


def test_a_back_on_the_discard_pile_is_loose() -> None:
    x, y = THREE.discard
    stray = Sighting("back", x, y, 0)
    view = table_view([stray], (), THREE)
    assert view.loose == (stray,)
    assert view.draw_backs == 0


def test_the_discard_pile_has_the_whole_card_on_top() -> None:
    x, y = THREE.discard
    pile = [Sighting("H6", x, y, 0, visible=0.1), Sighting("T6", x + 5, y + 4, 9, visible=1.0)]
    pile.append(Sighting("C7", x - 3, y, 0, visible=0.05))
    view = table_view(pile, (), THREE)
    assert view.discard_top == Card.parse("T6")
    assert set(view.discard_under) == set(cards("H6 C7"))


def test_two_whole_cards_side_by_side_leave_the_top_in_doubt() -> None:
    x, y = THREE.discard
    view = table_view([Sighting("H6", x - 30, y, 0), Sighting("T6", x + 40, y, 0)], (), THREE)
    assert view.discard_top is None
    assert len(view.unread) == 1
    assert set(view.unread[0].candidates) == {"H6", "T6"}


def test_an_unread_card_on_top_leaves_the_named_ones_below() -> None:
    x, y = THREE.discard
    glare = Unread(x, y, 0, "glare", visible=1.0)
    view = table_view([Sighting("H6", x + 8, y, 0, visible=0.12)], (glare,), THREE)
    assert view.discard_top is None
    assert view.discard_under == cards("H6")
    assert view.unread == (glare,)


def test_an_unread_sliver_below_does_not_hide_the_top() -> None:
    x, y = THREE.discard
    sliver = Unread(x + 8, y, 0, "covered", visible=0.05)
    assert table_view([Sighting("H6", x, y, 0)], (sliver,), THREE).discard_top == Card.parse("H6")


def test_a_face_on_the_draw_pile_is_loose() -> None:
    x, y = THREE.draw
    stray = Sighting("H6", x, y, 0)
    assert table_view([stray], (), THREE).loose == (stray,)


# --- papers


def test_a_column_is_a_paper_with_its_cards_head_first() -> None:
    view = table_view(column("three/review", "C6 S6 T6", 110, 572)[::-1], (), THREE)
    assert view.papers == (PaperSeen(1, "three", False, cards("C6 S6 T6"), 110, 572),)


def test_the_seat_is_where_the_paper_card_lies_though_its_cards_reach_beyond() -> None:
    lying = column("three/complete", "C6", 480, 270, up=True) + column("five/review", "H7 B7 C7", 594, 270, up=True)
    lying = [Sighting(s.name, s.x + (1.5 * (270 - s.y) if s.x > 590 else 0), s.y, s.angle) for s in lying]
    view = table_view(lying, (), THREE)
    assert grouped(view) == {(2, "three", True, cards("C6")), (2, "five", False, cards("H7 B7 C7"))}


def test_a_row_is_read_like_a_column() -> None:
    for sign in (1, -1):
        row = [Sighting("three/review", 500, 700, 0)]
        row += [Sighting(n, 500 + sign * 21 * (i + 1), 702 - i, 1) for i, n in enumerate(("C6", "S6", "T6"))]
        assert grouped(table_view(row, (), THREE)) == {(1, "three", False, cards("C6 S6 T6"))}


def test_a_column_turned_sideways_is_read_like_a_column() -> None:
    row = [Sighting("three/review", 500, 700, 90)]
    row += [Sighting(n, 500 - 21 * (i + 1), 702 - i, 91) for i, n in enumerate(("C6", "S6", "T6"))]
    assert grouped(table_view(row, (), THREE)) == {(1, "three", False, cards("C6 S6 T6"))}


def test_rows_of_papers_that_nearly_touch_stay_apart() -> None:
    lying = column("sum49/complete", "O7", 108, 569) + column("three/review", "T6 H6", 110, 569 + 25 + 90)
    lying += column("straight5/review", "S6 T8 S10", 110 + 64, 569)
    assert grouped(table_view(lying, (), THREE)) == {
        (1, "sum49", True, cards("O7")),
        (1, "three", False, cards("T6 H6")),
        (1, "straight5", False, cards("S6 T8 S10")),
    }


def test_cards_beyond_a_wide_gap_beside_a_touching_neighbour_stay_with_their_own_paper() -> None:
    gappy = [Sighting("sum49/review", 200, 572, 0), *column("", "H6 T11", 200, 572 + 80)[1:]]
    lying = gappy + column("straight5/review", "O6 S7 O8 C9 B5", 264, 572)
    assert grouped(table_view(lying, (), THREE)) == {
        (1, "sum49", False, cards("H6 T11")),
        (1, "straight5", False, cards("O6 S7 O8 C9 B5")),
    }


def test_cards_without_a_paper_card_are_loose() -> None:
    stray = column("", "H6 T11", 700, 700)[1:]
    lying = [*column("three/review", "C6 S6 T6", 110, 572), *stray]
    view = table_view(lying, (), THREE)
    assert set(view.loose) == set(stray)
    assert grouped(view) == {(1, "three", False, cards("C6 S6 T6"))}


def test_a_card_before_the_paper_card_is_loose() -> None:
    stray = Sighting("H6", 110, 540, 0)
    view = table_view([*column("three/review", "C6 S6", 110, 572), stray], (), THREE)
    assert view.loose == (stray,)


def test_a_paper_card_outside_every_area_is_loose_with_its_cards() -> None:
    lying = column("three/review", "C6", 850, 440)
    assert set(table_view(lying, (), THREE).loose) == set(lying)


def test_an_unread_card_in_a_column_is_told_with_its_paper() -> None:
    lying = column("three/review", "C6 S6 T6", 110, 572)
    glare = Unread(lying[2].x, lying[2].y, 0, "glare", ("S6", "S8"))
    view = table_view([lying[0], lying[1], lying[3]], (glare,), THREE)
    assert view.papers == (PaperSeen(1, "three", False, cards("C6 T6"), 110, 572, (glare,)),)
    assert view.unread == (glare,)


def test_the_cards_of_an_unread_paper_card_do_not_go_to_its_neighbour() -> None:
    lying = column("three/review", "C6 S6", 110, 572) + column("sum49/review", "H6 T11", 174, 572)
    glare = Unread(110, 572, 0, "glare", ("three/review", "three/complete"))
    view = table_view(lying[1:], (glare,), THREE)
    assert {s.name for s in view.loose} == {"C6", "S6"}
    assert grouped(view) == {(1, "sum49", False, cards("H6 T11"))}


@pytest.mark.parametrize("name", ["X9", "three/upright", "H"])
def test_an_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="no such"):
        table_view([Sighting(name, 110, 600, 0)], (), THREE)


# --- sloppy tables


@dataclass(frozen=True)
class Meant:
    seat: int
    kind: str
    names: tuple[str, ...]
    complete: bool


def outline(s: Sighting, margin: float = 0.0) -> list[tuple[float, float]]:
    t = math.radians(s.angle)
    w, h = CARD_MM[0] / 2 + margin, CARD_MM[1] / 2 + margin
    corners = ((w, h), (-w, h), (-w, -h), (w, -h))
    return [(s.x + a * math.cos(t) - b * math.sin(t), s.y + a * math.sin(t) + b * math.cos(t)) for a, b in corners]


def overlap(a: Sighting, b: Sighting, margin: float) -> bool:
    """Return whether two cards overlap, or come nearer than the margin (mm)."""
    if math.hypot(a.x - b.x, a.y - b.y) > 120:
        return False
    pa, pb = outline(a, margin / 2), outline(b, margin / 2)
    for polygon in (pa, pb):
        for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]):
            nx, ny = y1 - y2, x2 - x1
            da = [nx * x + ny * y for x, y in pa]
            db = [nx * x + ny * y for x, y in pb]
            if max(da) < min(db) or max(db) < min(da):
                return False
    return True


def sloppy_table(seed: int) -> tuple[int, list[Meant], list[Sighting]]:
    """Papers laid as people do: columns, rows, fans; tilted, off by some mm, with gaps, nearly touching."""
    rng = random.Random(seed)
    players = rng.choice((3, 4, 5))
    layout = layout_for(players)
    deck = list(DECK)
    rng.shuffle(deck)
    finger = rng.choice((1.0, 4.0, 10.0))
    meant: list[Meant] = []
    lying: list[Sighting] = []
    for seat in range(1, players + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        up = layout.faces_down(seat)
        kinds = rng.sample(KINDS, 6)
        for number in range(rng.randint(1, 6)):
            size = min(rng.choice((1, 1, 2, 3, 4, 5, 7)), len(deck))
            if not size:
                break
            names = [str(deck.pop()) for _ in range(size)]
            kind = kinds[number]
            shape = rng.choice(("column", "column", "column", "row", "fan"))
            tilt = rng.uniform(-10, 10) if rng.random() < 0.4 else rng.uniform(-3, 3)
            step = {"column": (0.0, 20.0), "row": (rng.choice((-21.0, 21.0)), 0.0)}.get(
                shape, (rng.uniform(-14, 14), 20.0)
            )
            head = f"{kind}/{'complete' if size == 1 else 'review'}"
            local: list[tuple[str, float, float, float]] = [(head, 0, 0, 0)]
            place = 1.2
            for name in names:
                local.append(
                    (name, step[0] * place + rng.gauss(0, 2), step[1] * place + rng.gauss(0, 2), rng.gauss(0, 2.5))
                )
                place += 2 if rng.random() < 0.12 else 1
            turn = tilt + (180 if up else 0)
            t = math.radians(turn)
            spread = [
                (n, x * math.cos(t) - y * math.sin(t), x * math.sin(t) + y * math.cos(t), a + turn)
                for n, x, y, a in local
            ]
            for _ in range(60):
                hx, hy = rng.uniform(x0 + 35, x1 - 35), rng.uniform(y0 + 45, y1 - 45)
                cand = [Sighting(n, hx + x, hy + y, a % 360) for n, x, y, a in spread]
                inside = all(
                    x0 - 15 <= c.x <= x1 + 15 and (-10 if up else y0) <= c.y <= (y1 if up else 851) for c in cand
                )
                near_spot = any(layout.spot_at(c.x, c.y) in (None, "draw", "discard") for c in cand[:1])
                if inside and not near_spot and not any(overlap(a, b, finger) for a in cand for b in lying):
                    lying += cand
                    meant.append(Meant(seat, kind, tuple(names), size == 1))
                    break
    rng.shuffle(lying)
    return players, meant, lying


def come_back(seed: int) -> None:
    players, meant, lying = sloppy_table(seed)
    view = table_view(lying, (), layout_for(players))
    got = {(p.seat, p.kind, p.complete_side, tuple(map(str, p.cards))) for p in view.papers}
    assert got == {(m.seat, m.kind, m.complete, m.names) for m in meant}
    assert view.loose == ()


@pytest.mark.slow  # the next test has 30 of them
@settings(max_examples=200)
@given(st.integers(min_value=0, max_value=10**9))
def test_sloppy_tables_come_back_as_they_were_meant(seed: int) -> None:
    come_back(seed)


@pytest.mark.few(30)
@pytest.mark.parametrize("seed", range(120))
def test_these_sloppy_tables_come_back_as_they_were_meant(seed: int) -> None:
    come_back(seed)


# --- how far apart things may lie


def gap(a: Sighting, b: Sighting) -> float:
    """Return the widest gap between two cards' outlines along the edges of either, from their corners."""
    pa, pb = outline(a), outline(b)
    gaps = []
    for polygon in (pa, pb):
        for (x1, y1), (x2, y2) in pairwise(polygon):
            length = math.hypot(x2 - x1, y2 - y1)
            nx, ny = (y1 - y2) / length, (x2 - x1) / length
            da, db = [nx * x + ny * y for x, y in pa], [nx * x + ny * y for x, y in pb]
            gaps.append(max(min(db) - max(da), min(da) - max(db)))
    return max(gaps)


@pytest.mark.parametrize("seed", range(60))
def test_how_far_two_cards_lie_apart(seed: int) -> None:
    rng = random.Random(seed)
    a = Sighting("H7", rng.uniform(-50, 50), rng.uniform(-50, 50), rng.uniform(0, 360))
    b = Sighting(
        "H7", a.x + rng.uniform(-160, 160), a.y + rng.uniform(-160, 160), rng.choice((a.angle, rng.uniform(0, 360)))
    )
    assert _measure_gap(a, b, CARD_MM) == pytest.approx(gap(a, b))
    assert _measure_gap(b, a, CARD_MM) == pytest.approx(gap(a, b))


def hangs(*offsets: tuple[float, float], angle: float = 0.0, head: tuple[float, float] = (300.0, 640.0)) -> list[bool]:
    """Which cards, by their way from the paper card in its own frame, hang on it."""
    names = ("C6", "S6", "T6", "B6", "O6")
    t = math.radians(angle)
    lying = [Sighting("three/review", *head, angle)]
    for name, (x, y) in zip(names, offsets, strict=False):
        at = head[0] + x * math.cos(t) - y * math.sin(t), head[1] + x * math.sin(t) + y * math.cos(t)
        lying.append(Sighting(name, *at, angle))
    (paper,) = table_view(lying, (), THREE).papers
    return [Card.parse(name) in paper.cards for name, _ in zip(names, offsets, strict=False)]


TILTS = pytest.mark.parametrize(
    ("angle", "head"),
    [
        (0.0, (300.0, 640.0)),
        (9.0, (300.0, 640.0)),
        (-9.0, (300.0, 640.0)),
        (180.0, (300.0, 200.0)),
        (171.0, (300.0, 200.0)),
    ],
)


@TILTS
@pytest.mark.parametrize(
    ("first", "belongs"),
    [
        ((0, -11.5), True),
        ((0, -12.5), False),
        ((0, 87), True),
        ((0, 112.5), True),
        ((0, 113.5), False),
        ((14.5, 100), True),
        ((-14.5, 100), True),
        ((15.5, 100), False),
        ((-15.5, 100), False),
        ((62, 0), True),
        ((-62, 5), True),
        ((64, 0), False),
        ((62, 40), True),
        ((-62, 86), True),
        ((64, 20), False),
    ],
)
def test_where_the_first_card_of_a_paper_may_lie(
    angle: float, head: tuple[float, float], first: tuple[float, float], belongs: bool
) -> None:
    """Over the paper card or a finger's gap after it, hardly behind it; to its side it must touch it."""
    assert hangs(first, angle=angle, head=head) == [belongs]


@TILTS
@pytest.mark.parametrize(
    ("second", "belongs"),
    [
        ((0, 45), True),
        ((31.5, 45), True),
        ((-31.5, 45), True),
        ((32.5, 45), False),
        ((-32.5, 45), False),
        ((0, 134.5), True),
        ((0, 135.5), False),
        ((14.5, 125), True),
        ((15.5, 125), False),
        ((0, 1), True),
    ],
)
def test_where_the_next_card_of_a_paper_may_lie(
    angle: float, head: tuple[float, float], second: tuple[float, float], belongs: bool
) -> None:
    """On the course that the first one took, the more to the side the farther on; a gap must be straight."""
    assert hangs((0, 22), second, angle=angle, head=head) == [True, belongs]


def test_limits_belong_to_what_they_limit() -> None:
    for first in ((0, -12), (0, 113), (15, 100), (-15, 100), (15, 113)):
        assert hangs(first) == [True], first
    for second in ((32, 45), (0, 135), (15, 120), (16, 110), (0, 0.5), (0, 0)):
        assert hangs((0, 22), second) == [True, True], second
    assert hangs((0, 12), (10, 0)) == [True, True]
    # Half a millimetre tells the way already; a card in the very place of its paper card tells none.
    assert hangs((0, 0.5), (62, 10)) == [True, False]
    assert hangs((0, 0), (62, 10)) == [True, True]


def test_no_card_lies_on_the_other_side_of_the_paper_card() -> None:
    assert hangs((0, 8), (0, -10)) == [True, False]
    assert hangs((21, 0), (-30, 0)) == [True, False]
    assert hangs((0, -10), (0, 25)) == [True, False]


def test_a_card_between_two_papers_belongs_to_the_one_it_lies_closer_to() -> None:
    for x, owner in ((330, "three"), (334, "five")):
        lying = [Sighting("three/review", 300, 640, 0), Sighting("five/review", 364, 640, 0), Sighting("C6", x, 660, 0)]
        assert {p.kind: p.cards for p in table_view(lying, (), THREE).papers}[owner] == cards("C6")


def test_a_card_straight_below_one_paper_card_is_not_beside_another() -> None:
    lying = [Sighting("three/review", 300, 640, 0), Sighting("five/review", 362, 709, 0), Sighting("C6", 300, 710, 0)]
    assert {p.kind: p.cards for p in table_view(lying, (), THREE).papers} == {"three": cards("C6"), "five": ()}


def test_a_card_straight_below_one_paper_is_not_its_slanting_neighbours() -> None:
    """Along a column's course counts once, to its side twice."""
    lying = column("three/review", "C6 S6", 300, 600) + column("five/review", "H7", 364, 600)
    view = table_view([*lying, Sighting("O7", 340, 648, 0)], (), THREE)
    assert grouped(view) == {(1, "three", False, cards("C6 S6")), (1, "five", False, cards("H7 O7"))}


def test_a_first_card_belongs_to_the_paper_card_it_lies_closest_to_sideways_counting_a_little_more() -> None:
    """36 mm away, 20 of them sideways, is closer than 50 mm straight below, and 37 mm, 24 sideways, than 39 is not."""
    for (x, y), below, owner in (((20, 30), 50, "three"), ((24, 28), 39, "five"), ((24, 28), 48, "three")):
        at = 300 + x, 640 + y
        heads = [Sighting("three/review", 300, 640, 0), Sighting("five/review", at[0], at[1] - below, 0)]
        papers = table_view([*heads, Sighting("C6", *at, 0)], (), THREE).papers
        assert [paper.kind for paper in papers if paper.cards] == [owner]


def test_a_next_card_belongs_to_the_column_it_continues_straighter() -> None:
    """20 mm on and 15 aside from the one column's last card, 30 mm straight on from the other's."""
    lying = [Sighting("three/review", 300, 600, 0), Sighting("C6", 300, 622, 0)]
    lying += [Sighting("five/review", 315, 590, 0), Sighting("H7", 315, 612, 0)]
    for x, owner in ((315, "five"), (301, "three")):
        papers = table_view([*lying, Sighting("O7", x, 642, 0)], (), THREE).papers
        assert {paper.kind: Card.parse("O7") in paper.cards for paper in papers} == {
            "three": owner == "three",
            "five": owner == "five",
        }


def test_a_fan_of_thanks_goes_on_by_cards_that_touch_each_other() -> None:
    x, y = THREE.locate_payment(1)
    for step, counted in ((62.0, 3), (64.0, 1)):
        fan = [Sighting("back", x - 20 - step * i, y, 0) for i in range(3)]
        view = table_view(fan, (), THREE)
        assert dict(view.payments) == {1: counted}, step
        assert len(view.loose) == 3 - counted
    for off, counted in ((134, 3), (135, 3), (136, 2)):
        down = [Sighting("back", x - 60, y + at, 0) for at in (0, 60, off)]
        assert dict(table_view(down, (), THREE).payments) == {1: counted}, off


def test_a_back_between_two_fans_belongs_to_the_nearer_one() -> None:
    five = layout_for(5)
    (x2, y2), (x3, _) = five.locate_payment(2), five.locate_payment(3)
    ends = [Sighting("back", x2, y2, 0), Sighting("back", x2 + 60, y2, 0)]
    ends += [Sighting("back", x3, y2, 0), Sighting("back", x3 - 60, y2, 0)]
    for x, seat in ((x2 + 110, 2), (x3 - 110, 3)):
        counted = dict(table_view([*ends, Sighting("back", x, y2, 0)], (), five).payments)
        assert counted == {2: 2, 3: 2} | {seat: 3}


def test_a_pile_that_slid_toward_a_fan_stays_a_pile() -> None:
    """On a narrow mat: what lies on the pile's own cards is closer to them than to the fan beside."""
    layout = layout_for(3, (700.0, 700.0))
    fan = [Sighting("back", 210, 392, 0), Sighting("back", 232, 365, 0)]
    pile = [Sighting("back", 310, 350, 0), Sighting("back", 280, 352, 0), Sighting("back", 255, 355, 0)]
    for lying in (fan + pile, pile[::-1] + fan[::-1]):
        view = table_view(lying, (), layout)
        assert (view.draw_backs, dict(view.payments), view.loose) == (3, {1: 2}, ())


def test_an_unread_card_of_the_draw_pile_belongs_to_no_paper_beside_it() -> None:
    layout = layout_for(3, (600.0, 600.0))
    glare = Unread(260, 374, 0, "glare", ("H7",))
    assert layout.spot_at(glare.x, glare.y) == "draw"
    (paper,) = table_view([Sighting("three/review", 300, 373, 0)], (glare,), layout).papers
    assert paper.doubtful == ()


def test_a_draw_pile_is_what_lies_on_its_spot() -> None:
    x, y = THREE.draw
    pile = [Sighting("back", x + off, y, 0) for off in (-74, 0, 30)]
    stray = Sighting("back", x - 76, y, 0)
    view = table_view([*pile, stray], (), THREE)
    assert (view.draw_backs, view.loose) == (3, (stray,))


@pytest.mark.parametrize(
    ("shown", "top", "under", "doubt"),
    [
        ((1.0, 0.98), None, "", ("H6", "T6")),
        ((1.0, 0.96), "H6", "T6", ()),
        ((0.5, 0.3), "H6", "T6", ()),
        ((0.3, 0.5), "T6", "H6", ()),
    ],
)
def test_the_top_of_the_discard_pile_shows_clearly_more(
    shown: tuple[float, float], top: str | None, under: str, doubt: tuple[str, ...]
) -> None:
    x, y = THREE.discard
    view = table_view([Sighting("H6", x, y, 0, 1, shown[0]), Sighting("T6", x + 9, y, 0, 1, shown[1])], (), THREE)
    assert view.discard_top == (None if top is None else Card.parse(top))
    assert view.discard_under == cards(under)
    assert [mark.candidates for mark in view.unread] == ([doubt] if doubt else [])
    assert all((mark.cause, mark.x, mark.y) == ("doubtful", x, y) for mark in view.unread)


@pytest.mark.parametrize(
    ("unread", "named", "top"),
    [
        (0.88, 0.9, None),
        (0.87, 0.9, None),
        (0.97, 1.0, None),
        (0.86, 0.9, "H6"),
        (0.86, 0.5, "H6"),
        (0.88, 0.5, None),
        (0.96, 1.0, "H6"),
        (0.98, 1.0, None),
    ],
)
def test_an_unread_card_is_the_top_one_where_it_shows_as_much(unread: float, named: float, top: str | None) -> None:
    x, y = THREE.discard
    for at, hides in (((x + 9, y), True), ((300.0, 640.0), False)):
        mark = Unread(*at, 0, "glare", visible=unread)
        view = table_view([Sighting("H6", x, y, 0, 1, named)], (mark,), THREE)
        seen = top if hides else "H6"
        assert view.discard_top == (None if seen is None else Card.parse(seen)), at
        assert view.discard_under == (() if seen else cards("H6"))


def test_papers_come_by_seat_and_then_as_they_lie() -> None:
    heads = [
        ("three", 900, 640),
        ("five", 300, 640),
        ("sum49", 300, 600),
        ("ace_king", 700, 200),
        ("all_even", 200, 200),
    ]
    view = table_view([Sighting(f"{kind}/review", x, y, 0) for kind, x, y in heads], (), THREE)
    assert [(p.seat, p.kind) for p in view.papers] == [
        (1, "sum49"),
        (1, "five"),
        (1, "three"),
        (2, "all_even"),
        (3, "ace_king"),
    ]


def test_an_unread_mark_may_be_a_paper_card_or_none() -> None:
    """What is likeliest decides: under the likeliest name of a paper card the cards below hang on it and are loose."""
    cards_below = column("", "C6 S6", 300, 640)[1:]
    paper = Unread(300, 640, 0, "glare", ("three/review", "H7"))
    card = Unread(300, 640, 0, "glare", ("H7", "three/review"))
    for mark in (paper, card, Unread(300, 640, 0, "glare")):
        view = table_view(cards_below, (mark,), THREE)
        assert view.papers == ()
        assert {s.name for s in view.loose} == {"C6", "S6"}
        assert view.unread == (mark,)
    neighbour = column("five/review", "H2 O2 B3", 300, 600)
    stray = Sighting("C6", 300, 700, 0)
    assert len(table_view([*neighbour, stray], (), THREE).papers[0].cards) == 4
    for mark, kept in (
        (Unread(300, 680, 0, "glare", ("three/review",)), 3),
        (Unread(300, 680, 0, "glare", ("H7",)), 4),
    ):
        assert len(table_view([*neighbour, stray], (mark,), THREE).papers[0].cards) == kept


def test_a_paper_card_on_the_border_lies_in_the_area() -> None:
    x0, y0, x1, y1 = THREE.seat_rect(1)
    for x, y in ((x0, y1), (300.0, y0), (300.0, y1), (x1, y1)):
        assert [p.seat for p in table_view([Sighting("three/review", x, y, 0)], (), THREE).papers] == [1], (x, y)
    for x, y in ((-1.0, y1), (300.0, y0 - 1), (300.0, y1 + 1), (x1 + 1, y1)):
        assert table_view([Sighting("three/review", x, y, 0)], (), THREE).papers == (), (x, y)


def test_unread_marks_on_the_piles_hold_no_paper() -> None:
    for spot in (THREE.draw, THREE.discard):
        x, y = spot
        head = Sighting("three/review", x, y + 40, 0)
        view = table_view([head], (Unread(x, y + 60, 0, "glare", ("H7",)),), THREE)
        assert view.loose == (head,)
        assert view.papers == ()


# --- the shared tables


def truth(folder: str) -> list[dict]:  # type: ignore[type-arg]
    path = SHARED / "tables" / folder / "truth.jsonl"
    if not path.exists():
        pytest.skip("the shared tables are not beside this checkout")
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["reads-a", "opening-a"])
def test_true_cards_of_the_shared_tables_group_as_they_were_laid(folder: str) -> None:
    frames = [line for line in truth(folder) if "cards" in line]
    assert frames
    for line in frames:
        layout = layout_for(line.get("seats", 3), tuple(line.get("mat_mm", (1189.0, 841.0))))
        meant: list[tuple[str, list[str]]] = []
        sightings = []
        backs = 0
        for c in line["cards"]:
            s = Sighting(c["card"], c["x"], c["y"], c["angle"], 1.0, c["visible"])
            sightings.append(s)
            if "/" in s.name:
                meant.append((s.name, []))
            elif s.name == "back":
                backs += layout.spot_at(s.x, s.y) == "draw"
            elif layout.spot_at(s.x, s.y) != "discard":
                meant[-1][1].append(s.name)
        view = table_view(sightings, (), layout)
        got = sorted(
            (f"{p.kind}/{'complete' if p.complete_side else 'review'}", [str(card) for card in p.cards])
            for p in view.papers
        )
        assert got == sorted(meant), line["frame"]
        assert view.draw_backs == backs
        assert view.loose == ()
        assert view.unread == ()
