"""Corners become cards, cards get names, and what can't be told is said to be doubtful."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.assign.assignment import assign
from vision.assign.hypotheses import form_hypotheses
from vision.config import CONFIG
from vision.detect.corners import Corner, corner_of_card
from vision.detect.pairing import pair_corners
from vision.geometry import CROP_SHAPE
from vision.identify.deck import PAPER_KINDS, SEVEN_NAMES, Deck, DeckCard
from vision.identify.embedder import Embeddings

NAMES = (*SEVEN_NAMES, *(f"{k}/{side}" for side in ("review", "complete") for k in PAPER_KINDS), "back")
RNG = np.random.default_rng(11)


def _unit(rows: int) -> np.ndarray:
    v = RNG.standard_normal((rows, 128)).astype(np.float32)
    return np.asarray(v / np.linalg.norm(v, axis=1, keepdims=True))


_UPPER = _unit(len(NAMES))
_LOWER = np.where(np.array(["/" in n or n == "back" for n in NAMES])[:, None], _unit(len(NAMES)), _UPPER)
_ROWS = np.empty((2 * len(NAMES), 128), np.float32)
_ROWS[0::2], _ROWS[1::2] = _UPPER, _LOWER
_BLANK = np.zeros(CROP_SHAPE, np.uint8)
DECK = Deck(
    "made up",
    tuple(DeckCard(n, (_BLANK, _BLANK)) for n in NAMES),
    Embeddings(_ROWS, np.zeros((len(_ROWS), 15), np.float32), np.zeros((len(_ROWS), 32), np.float32)),
    "x",
)
COPIES = dict.fromkeys(PAPER_KINDS, 2)


def embeddings(rows: list[np.ndarray]) -> Embeddings:
    n = len(rows)
    e = np.stack(rows) if rows else np.zeros((0, 128))
    e = e / np.maximum(1e-9, np.linalg.norm(e, axis=1, keepdims=True))
    return Embeddings(e.astype(np.float32), np.zeros((n, 15), np.float32), np.zeros((n, 32), np.float32))


def odds(seen: Embeddings) -> np.ndarray:
    return np.asarray(70 * seen.vectors @ DECK.embeddings.vectors.T)


def table(cards: list[tuple[str, float, float, float, str]]) -> tuple[list[Corner], Embeddings]:
    """Corners and embeddings of cards (name, x, y, angle, which corners show: 'both', 'upper', 'lower')."""
    corners, rows = [], []
    for name, x, y, angle, shows in cards:
        k = NAMES.index(name)
        if shows in ("both", "upper"):
            corners.append(corner_of_card(x, y, angle))
            rows.append(_UPPER[k])
        if shows in ("both", "lower"):
            corners.append(corner_of_card(x, y, angle + 180))
            rows.append(_LOWER[k])
    return corners, embeddings(rows)


def read(cards: list[tuple[str, float, float, float, str]]):
    corners, seen = table(cards)
    found = form_hypotheses(corners, odds(seen))
    return assign(found, DECK, COPIES, lambda k: "doubtful")


@given(st.floats(0, 359.9), st.floats(100, 1000), st.floats(100, 700))
def test_the_two_corners_of_a_card_have_one_centre(angle: float, x: float, y: float) -> None:
    up, down = corner_of_card(x, y, angle), corner_of_card(x, y, angle + 180)
    assert up.centre == pytest.approx((x, y), abs=1e-6)
    assert down.centre == pytest.approx((x, y), abs=1e-6)
    assert pair_corners([up, down]) == [(0, 1)]


@settings(max_examples=60)
@given(st.permutations(NAMES[:-1]), st.integers(1, 30), st.randoms())
def test_whole_cards_are_read_where_they_lie(names: list[str], count: int, random) -> None:
    cards = []
    kinds: set[str] = set()
    for k, name in enumerate(names[:count]):
        if name.split("/")[0] in kinds:
            continue
        kinds.add(name.split("/")[0])
        cards.append((name, 100.0 + 100 * (k % 8), 100.0 + 120 * (k // 8), random.uniform(-12, 12), "both"))
    sightings, unread = read(cards)
    assert not unread
    got = {s.name: s for s in sightings}
    assert set(got) == {c[0] for c in cards}
    for name, x, y, angle, _ in cards:
        assert (got[name].x, got[name].y) == pytest.approx((x, y), abs=0.5)
        off = abs((got[name].angle - angle + 180) % 360 - 180)
        assert min(off, abs(off - 180) if "/" not in name else off) < 0.5


def test_a_column_shows_one_corner_of_each_covered_card() -> None:
    cards = [
        ("three/review", 100.0, 500.0, 0.0, "upper"),
        ("H6", 100.0, 520.0, 0.0, "upper"),
        ("S6", 100.0, 540.0, 2.0, "both"),
    ]
    sightings, unread = read(cards)
    assert not unread
    assert {(s.name, round(s.y)) for s in sightings} == {("three/review", 500), ("H6", 520), ("S6", 540)}
    assert {s.name: s.visible == 1.0 for s in sightings} == {"three/review": False, "H6": False, "S6": True}


def test_a_card_turned_round_is_known_by_its_lower_corner() -> None:
    sightings, _ = read([("five/complete", 300.0, 300.0, 180.0, "lower")])
    assert [(s.name, round(s.angle) % 360) for s in sightings] == [("five/complete", 180)]


def test_one_spoilt_corner_does_not_spoil_the_card() -> None:
    corners, seen = table([("C10", 200.0, 200.0, 0.0, "both")])
    spoilt = seen.vectors.copy()
    spoilt[1] = _UPPER[NAMES.index("F9")] * 0.3 + _unit(1)[0]
    found = form_hypotheses(corners, odds(embeddings(list(spoilt))))
    sightings, _ = assign(found, DECK, COPIES, lambda k: "glare")
    assert [s.name for s in sightings] == ["C10"]


def test_two_cards_that_claim_one_name_do_not_both_get_it() -> None:
    sightings, unread = read([("C10", 200.0, 200.0, 0.0, "both"), ("C10", 500.0, 200.0, 0.0, "upper")])
    assert [s.name for s in sightings] == ["C10"]
    assert [(u.cause, u.candidates[0]) for u in unread] == [("doubtful", "C10")]


def test_no_more_papers_of_a_kind_than_there_are() -> None:
    cards = [("sum100/complete", 150.0 * k, 200.0, 0.0, "upper") for k in range(1, 5)]
    sightings, unread = read(cards)
    assert len(sightings) == 2
    assert len(unread) == 2


def test_backs_have_no_number() -> None:
    sightings, _ = read([("back", 100.0 + 20 * k, 200.0, 0.0, "upper") for k in range(6)])
    assert len(sightings) == 6


def test_what_lies_between_two_names_is_reported_not_guessed() -> None:
    a, b = _UPPER[NAMES.index("O6")], _UPPER[NAMES.index("O8")]
    found = form_hypotheses([corner_of_card(300, 300, 0)], odds(embeddings([a + b])))
    sightings, unread = assign(found, DECK, COPIES, lambda k: "covered")
    assert sightings == []
    assert [(u.cause, set(u.candidates[:2])) for u in unread] == [("covered", {"O6", "O8"})]


def test_what_is_like_no_card_is_no_card() -> None:
    found = form_hypotheses([corner_of_card(300, 300, 0, score=0.5)], odds(embeddings([_unit(1)[0]])))
    assert assign(found, DECK, COPIES, lambda k: "covered") == ([], [])


@pytest.mark.parametrize(
    ("score", "cause", "reported"),
    [(0.7, "glare", 1), (0.7, "blurred", 1), (0.7, "covered", 0), (0.9, "covered", 1), (0.5, "glare", 0)],
)
def test_a_corner_that_shows_nothing_is_reported_where_it_is_clear_or_hard_to_see(
    score: float, cause: str, reported: int
) -> None:
    """Lines on a paper that meet like a corner show nothing either; nobody could mend that."""
    corners = [corner_of_card(300, 300, 0, score=score)]
    sightings, unread = assign(form_hypotheses(corners, odds(embeddings([_unit(1)[0]]))), DECK, COPIES, lambda k: cause)
    assert not sightings
    assert len(unread) == reported


def test_what_is_surely_elsewhere_is_ruled_out_here() -> None:
    a, b = _UPPER[NAMES.index("O6")], _UPPER[NAMES.index("O8")]
    corners, seen = table([("O8", 200.0, 200.0, 0.0, "both")])
    corners.append(corner_of_card(600, 300, 0))
    rows = [*seen.vectors, 1.02 * a + b]
    sightings, unread = assign(form_hypotheses(corners, odds(embeddings(rows))), DECK, COPIES, lambda k: "covered")
    assert {s.name for s in sightings} == {"O6", "O8"}
    assert not unread


def test_one_card_found_twice_does_not_rule_itself_out() -> None:
    corners, seen = table([("O8", 200.0, 200.0, 0.0, "both"), ("O8", 212.0, 203.0, 4.0, "upper")])
    sightings, _ = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == ["O8"]


def test_the_next_card_of_a_column_is_not_dropped_for_the_one_that_it_looks_like() -> None:
    """The crop of a covered card looks a little more like the whole card on it: it is not that card seen twice."""
    upper, lower = SEVEN_NAMES[3], SEVEN_NAMES[10]
    corners, seen = table([(upper, 200, 200, 0, "both"), (lower, 200, 183, 0, "upper")])
    mixed = 0.71 * _UPPER[NAMES.index(upper)] + 0.69 * _UPPER[NAMES.index(lower)]
    seen.vectors[2] = mixed / np.linalg.norm(mixed)
    sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings if s.name == upper] == [upper]
    assert [round(u.y) for u in unread] + [round(s.y) for s in sightings if s.name == lower] == [183]


def test_a_second_detection_of_one_card_stays_that_card() -> None:
    corners, seen = table([(SEVEN_NAMES[3], 200, 200, 0, "both"), (SEVEN_NAMES[3], 200, 208, 0, "upper")])
    sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert ([s.name for s in sightings], unread) == ([SEVEN_NAMES[3]], [])


def test_a_mark_on_a_card_that_would_be_the_corner_of_a_card_shining_through_it_is_none() -> None:
    whole, seeming = SEVEN_NAMES[3], SEVEN_NAMES[10]
    corners, seen = table([(whole, 200, 200, 0, "both"), (seeming, 170, 202, 0, "lower")])
    sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert ([s.name for s in sightings], unread) == ([whole], [])
    beside, seen = table([(whole, 200, 200, 0, "both"), (seeming, 170, 202, 0, "upper")])
    sightings, unread = assign(form_hypotheses(beside, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert {s.name for s in sightings} == {whole, seeming}


def test_a_fan_of_backs_is_counted_card_by_card() -> None:
    fan = [("back", 237, 371, 1, "lower"), ("back", 199, 369, 2, "lower"), ("back", 155, 371, 3, "both")]
    corners, seen = table([*fan])
    behind = {0: 70 * _ROWS @ _UPPER[NAMES.index("back")]}  # where its other corner should be the next one shows
    sightings, unread = assign(form_hypotheses(corners, odds(seen), behind), DECK, COPIES, lambda k: "covered")
    assert (sorted(round(s.x) for s in sightings), unread) == ([155, 199, 237], [])


@pytest.mark.parametrize("name", ["back", "three/complete"])
@pytest.mark.parametrize(
    ("score", "fit", "under_another", "is_card"),
    [
        (0.6, 48, False, False),
        (0.7, 52.5, False, False),
        (0.6, 48, True, True),
        (0.6, 58, False, True),
        (0.9, 48, False, True),
    ],
)
def test_lines_of_a_mat_that_meet_like_a_corner_are_no_card(
    name: str, score: float, fit: float, under_another: bool, is_card: bool
) -> None:
    """Where nothing lies on a card's other corner, that shows too, or the one that shows is clear or fits it well."""
    corners, seen = table([(name, 300, 300, 0, "upper")])
    corners = [replace(corner, score=score) for corner in corners]
    opposite_empty = (
        {} if under_another else {0: np.full(len(_ROWS), CONFIG.identify.similarity.nothing_odds - 12, np.float32)}
    )
    sightings, unread = assign(
        form_hypotheses(corners, odds(seen) * fit / 70, opposite_empty), DECK, COPIES, lambda k: "doubtful"
    )
    assert ([s.name for s in sightings], unread) == ([name] if is_card else [], [])


@pytest.mark.parametrize(("off", "named"), [(10.5, ["O5"]), (20.0, [])])
def test_a_corner_found_ill_where_the_other_corner_lies_is_that_corner_and_no_empty_place(
    off: float, named: list[str]
) -> None:
    """A card lay askew on another's lower corner, so it was found some mm off and showed nothing."""
    corners, seen = table([("O5", 300, 300, 0, "upper"), ("O5", 300 + off, 300, 180, "upper")])
    corners = [replace(corners[0], score=0.77), replace(corners[1], score=0.86)]
    rows = odds(seen) * 51 / 70
    rows[1] = CONFIG.identify.similarity.nothing_odds - 9
    opposite_empty = {0: np.full(len(_ROWS), CONFIG.identify.similarity.nothing_odds - 12, np.float32)}
    sightings, _ = assign(form_hypotheses(corners, rows, opposite_empty), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == named


@pytest.mark.parametrize(("score", "named"), [(0.23, []), (0.55, ["sum100/complete"])])
def test_lines_of_a_mat_that_show_a_little_at_two_places_are_no_card(score: float, named: list[str]) -> None:
    """Between two planks of a table a corner was seen, hardly, and both it and the place opposite were like a paper."""
    corners = [corner_of_card(300, 300, 0, score=score, kind="paper")]
    k = 2 * NAMES.index("sum100/complete")
    seen, other = np.full((2, 2 * len(NAMES)), CONFIG.identify.similarity.nothing_odds - 15, np.float32)
    seen[k] = other[k + 1] = CONFIG.identify.similarity.nothing_odds + 3
    sightings, _ = assign(form_hypotheses(corners, seen[None], {0: other}), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == named


@pytest.mark.parametrize(("score", "fit", "named"), [(0.45, 50.0, False), (0.45, 55.0, True), (0.6, 50.0, True)])
def test_a_corner_that_is_hardly_seen_has_to_fit_its_card_well(score: float, fit: float, named: bool) -> None:
    corners, seen = table([("C8", 110, 134, 181, "upper")])
    corners = [replace(corner, score=score) for corner in corners]
    sightings, unread = assign(form_hypotheses(corners, odds(seen) * fit / 70), DECK, COPIES, lambda k: "covered")
    assert ([s.name for s in sightings], len(unread)) == (["C8"] * named, 1 - named)


@pytest.mark.parametrize(("angle", "cards"), [(87.0, 1), (-80.0, 1), (2.0, 2)])
def test_the_pattern_of_a_whole_back_makes_no_second_one_across_it(angle: float, cards: int) -> None:
    whole, seen = table([("back", 609, 264, 0, "both"), ("back", 0, 0, 0, "upper")])
    corner = Corner(612, 240, angle % 360, 0.85, "back")
    assert whole[0].covers(corner.x, corner.y)
    sightings, _ = assign(form_hypotheses([*whole[:2], corner], odds(seen)), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == ["back"] * cards


def test_a_corner_in_glare_with_nothing_opposite_is_reported_not_named() -> None:
    corners, seen = table([("back", 300, 300, 0, "upper")])
    opposite_empty = {0: np.full(len(_ROWS), CONFIG.identify.similarity.nothing_odds - 12, np.float32)}
    corners = [replace(corner, score=0.7) for corner in corners]
    sightings, unread = assign(
        form_hypotheses(corners, odds(seen) * 48 / 70, opposite_empty), DECK, COPIES, lambda k: "glare"
    )
    assert ([s.name for s in sightings], [u.cause for u in unread]) == ([], ["glare"])


def test_a_faint_card_that_would_lie_through_two_of_a_fan_is_none() -> None:
    fan = [("back", 985, 470, 2, "both"), ("back", 945, 470, 0, "upper"), ("back", 903, 469, 2, "upper")]
    corners, seen = table([*fan, ("back", 924, 470, 1, "both")])
    corners[-2:] = [replace(corner, score=0.13) for corner in corners[-2:]]
    sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert (sorted(round(s.x) for s in sightings), unread) == ([903, 945, 985], [])


def test_a_faint_card_that_lies_alone_is_one() -> None:
    corners, seen = table([("back", 985, 470, 2, "both")])
    corners = [replace(corner, score=0.13) for corner in corners]
    sightings, _ = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == ["back"]


def test_a_whole_back_of_a_fan_is_one_though_its_pattern_goes_on_in_the_next() -> None:
    """On the next, which shows more clearly, something like a corner was seen within the outline of the whole one."""
    corners, seen = table([("back", 199, 307, 1, "both"), ("back", 159, 306, 359, "both")])
    for step, found in ((0.0, [159, 199]), (22.0, [199])):
        faint = [replace(corner, x=corner.x + step, score=0.2) for corner in corners[2:]]
        sightings, _ = assign(form_hypotheses([*corners[:2], *faint], odds(seen)), DECK, COPIES, lambda k: "covered")
        assert sorted(round(s.x) for s in sightings) == found


def test_what_shows_nothing_where_it_would_hide_a_card_that_shows_is_no_card() -> None:
    corners, seen = table([("back", 300, 200, 0, "both")])
    for x, unseen in ((290.0, 0), (364.0, 1)):
        mark = corner_of_card(x, 210, 90, score=0.9, kind="back")
        detected_share = embeddings([*seen.vectors, _unit(1)[0]])
        (sighting,), unread = assign(
            form_hypotheses([*corners, mark], odds(detected_share)), DECK, COPIES, lambda k: "glare"
        )
        assert (sighting.name, len(unread)) == ("back", unseen)


def test_what_peeps_out_of_a_pile_must_be_very_sure() -> None:
    top, below, other = SEVEN_NAMES[3], SEVEN_NAMES[10], SEVEN_NAMES[20]
    for pull, named in ((0.03, {top}), (0.3, {top, below})):
        corners, seen = table([(top, 645, 418, 1, "both"), (below, 640, 418, -8, "upper")])
        mixed = (0.7 + pull) * _UPPER[NAMES.index(below)] + 0.7 * _UPPER[NAMES.index(other)]
        seen.vectors[2] = mixed / np.linalg.norm(mixed)
        sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
        assert ({s.name for s in sightings}, unread) == (named, [])


def test_a_mark_opposite_a_covered_card_s_corner_is_not_its_other_corner() -> None:
    """A mark opposite a covered card's corner was taken for its other one, and the card there was dropped."""
    top, occluded, mark = SEVEN_NAMES[3], SEVEN_NAMES[10], SEVEN_NAMES[20]
    corners, seen = table(
        [(occluded, 300, 200, 0, "upper"), (mark, 301, 201, 2, "lower"), (top, 300, 221, 0, "both")],
    )
    for score, named in ((0.3, {top, occluded}), (0.9, {top})):
        seen_so = [corners[0], replace(corners[1], score=score), *corners[2:]]
        sightings, _ = assign(form_hypotheses(seen_so, odds(seen)), DECK, COPIES, lambda k: "covered")
        assert {s.name for s in sightings} == named


def test_a_faint_corner_that_shows_nothing_does_not_make_a_covered_card_whole() -> None:
    name = SEVEN_NAMES[10]
    corners = [corner_of_card(300, 200, 0), corner_of_card(304, 203, 180, score=0.3)]
    seen = embeddings([_UPPER[NAMES.index(name)], _unit(1)[0]])
    ((sighting,), unread) = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert (sighting.name, sighting.visible, unread) == (name, 0.4, [])
    assert (sighting.x, sighting.y) == pytest.approx((300, 200), abs=1e-6)
    clear = [corners[0], replace(corners[1], score=0.9)]
    ((whole,), _) = assign(form_hypotheses(clear, odds(seen)), DECK, COPIES, lambda k: "glare")
    assert whole.x == pytest.approx(302, abs=0.5)


def test_a_whole_card_with_one_faint_corner_stays_whole() -> None:
    corners, seen = table([(SEVEN_NAMES[10], 300, 200, 0, "both"), (SEVEN_NAMES[3], 420, 221, 0, "both")])
    corners[1] = replace(corners[1], score=0.25)
    (sighting, _), unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert (sighting.visible, unread) == (1.0, [])


def test_a_fainter_card_that_would_lie_through_a_clear_one_is_none() -> None:
    """Two corners can't each show on the other's card: a crop seen upside down is no card of its own."""
    corners, seen = table([(SEVEN_NAMES[10], 300, 200, 0, "upper"), (SEVEN_NAMES[20], 290, 190, 4, "lower")])
    for score, named in ((0.4, {SEVEN_NAMES[10]}), (0.85, {SEVEN_NAMES[10], SEVEN_NAMES[20]})):
        scored = [replace(corners[0], score=0.9), replace(corners[1], score=score)]
        sightings, unread = assign(form_hypotheses(scored, odds(seen)), DECK, COPIES, lambda k: "covered")
        assert ({s.name for s in sightings}, unread) == (named, [])


def test_a_card_s_second_corner_that_shows_nothing_hides_no_neighbour() -> None:
    """Crops of a column seen upside down may pass for faint corners; one just opposite spoilt a card read surely."""
    occluded, next_one = SEVEN_NAMES[10], SEVEN_NAMES[20]
    corners = [
        corner_of_card(300, 200, 0, score=0.9),
        corner_of_card(301, 201, 180, score=0.6),
        corner_of_card(300, 221, 3, score=0.5),
    ]
    seen = embeddings([_UPPER[NAMES.index(occluded)], _unit(1)[0], _UPPER[NAMES.index(next_one)]])
    sightings, unread = assign(form_hypotheses(corners, odds(seen)), DECK, COPIES, lambda k: "covered")
    assert ({s.name for s in sightings}, unread) == ({occluded, next_one}, [])


@pytest.mark.parametrize(
    ("score", "above_nothing", "seen"), [(0.32, 2.3, 0), (0.32, 8.0, 1), (0.5, 2.3, 1), (0.2, 8.0, 0)]
)
def test_one_faint_corner_makes_a_back_only_where_it_shows_one(score: float, above_nothing: float, seen: int) -> None:
    """Two lines of a wooden table met like a corner, and their brown was a little like the back's."""
    rows = np.zeros((1, 2 * len(NAMES)), np.float32)
    rows[0, 2 * NAMES.index("back")] = CONFIG.identify.similarity.nothing_odds + above_nothing
    corners = [corner_of_card(300, 200, 0, score=score, kind="back")]
    sightings, unread = assign(form_hypotheses(corners, rows), DECK, COPIES, lambda k: "covered")
    assert ([s.name for s in sightings], unread) == (["back"] * seen, [])


def test_a_pattern_s_repeat_between_two_backs_of_a_fan_is_no_back() -> None:
    fan = [("back", 219, 338, 357, "lower"), ("back", 178, 336, 357, "both"), ("back", 206, 335, 356, "upper")]
    corners, seen = table([*fan])
    for score, found in ((0.4, [178, 219]), (0.8, [178, 206, 219])):
        sightings, _ = assign(
            form_hypotheses([*corners[:-1], replace(corners[-1], score=score)], odds(seen)), DECK, COPIES, lambda k: ""
        )
        assert sorted(round(s.x) for s in sightings) == found


def _two_corners(upper: float, lower: float) -> list[tuple[str, float]]:
    """Return the likeliest names of a card whose corners show heart 3 and onion 7, with their lead in log odds."""
    corners = [corner_of_card(400, 300, 0.0), corner_of_card(400, 300, 180.0)]
    seen = np.full((2, 2 * len(NAMES)), CONFIG.identify.similarity.nothing_odds - 15, np.float32)
    for row, name, more in zip(seen, ("H3", "O7"), (upper, lower), strict=True):
        k = NAMES.index(name)
        row[2 * k : 2 * k + 2] = CONFIG.identify.similarity.nothing_odds - 15 + more
    (card,) = form_hypotheses(corners, seen)
    return [(NAMES[k], float(card.probabilities[k])) for k in np.argsort(-card.probabilities)[:2]]


@pytest.mark.parametrize(("upper", "lower"), [(32.0, 34.0), (33.0, 30.0), (30.0, 35.0)])
def test_two_clear_corners_that_contradict_each_other_name_no_card(upper: float, lower: float) -> None:
    assert max(probabilities for _, probabilities in _two_corners(upper, lower)) < 0.9


def test_a_corner_that_fits_far_better_than_the_other_names_the_card() -> None:
    assert _two_corners(34.0, 19.0)[0] == ("H3", pytest.approx(1, abs=0.02))
    assert _two_corners(19.0, 34.0)[0] == ("O7", pytest.approx(1, abs=0.02))


def test_a_pip_taken_for_a_card_s_other_corner_leaves_the_card_its_name() -> None:
    """The pips of the next card were taken for the other corner of a heart, and fitted a 7 of time, but poorly."""
    (name, sure), _ = _two_corners(28.0, 21.4)
    assert name == "H3"
    assert sure > 0.95


@pytest.mark.parametrize(("behind", "named"), [(12.0, ["F9"]), (4.0, [])])
def test_a_corner_that_shows_little_gives_way_to_what_its_card_s_other_corner_clearly_shows(
    behind: float, named: list[str]
) -> None:
    """Of a covered card only the corner without an index was found, and was taken for a paper's."""
    corners = [corner_of_card(500, 400, 180.0, score=0.52)]
    seen = np.full((1, 2 * len(NAMES)), CONFIG.identify.similarity.nothing_odds - 15, np.float32)
    seen[0, [2 * NAMES.index(name) for name in ("three/complete", "sum49/review")]] = (
        CONFIG.identify.similarity.nothing_odds + 2.5
    )
    other = np.full(2 * len(NAMES), CONFIG.identify.similarity.nothing_odds - 15, np.float32)
    other[2 * NAMES.index("F9")] = CONFIG.identify.similarity.nothing_odds + behind
    sightings, unread = assign(form_hypotheses(corners, seen, {0: other}), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == named
    assert [round(s.angle) for s in sightings] == [0] * len(named)
    assert not unread  # it is not clear, and lies on no card


@pytest.mark.parametrize("score", [0.59, 0.8])
def test_of_two_cards_each_through_the_other_only_the_clearer_is_there(score: float) -> None:
    """Under a paper's edge a card's suit mark was taken for a corner, 10 mm off, and named though a card clearly lay
    there: each would lie on the other."""
    corners = [corner_of_card(110, 597, 182, score=0.86), corner_of_card(108.4, 606.7, 2, score=score)]
    rows = odds(embeddings([_LOWER[NAMES.index("S6")], _UPPER[NAMES.index("S5")]]))
    rows[1] -= 6
    sightings, unread = assign(form_hypotheses(corners, rows), DECK, COPIES, lambda k: "covered")
    assert ([s.name for s in sightings], unread) == (["S6"], [])


@pytest.mark.parametrize(("right", "cards"), [(34.0, 2), (100.0, 1)])
def test_a_back_whose_far_corner_lies_under_the_next_of_a_fan_is_no_line_of_a_mat(right: float, cards: int) -> None:
    corners, seen = table([("back", 503, 265, 0, "upper"), ("back", 503 + right, 266, 1, "both")])
    corners[0] = replace(corners[0], score=0.75)
    rows = odds(seen)
    rows[0] = np.where(
        rows[0] == rows[0].max(),
        CONFIG.identify.similarity.nothing_odds + 3,
        CONFIG.identify.similarity.nothing_odds - 15,
    )
    opposite_empty = {0: np.full(len(_ROWS), CONFIG.identify.similarity.nothing_odds - 6, np.float32)}
    sightings, _ = assign(form_hypotheses(corners, rows, opposite_empty), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == ["back"] * cards


@pytest.mark.parametrize(("right", "cards"), [(37.0, 2), (21.0, 1)])
def test_a_back_faintly_seen_at_both_corners_lies_in_a_fan_as_far_on_as_its_cards_lie(right: float, cards: int) -> None:
    """One of its corners lay under the next back and showed nothing; nearer, a pattern's repeat looks the same."""
    corners, seen = table([("back", 284, 470, 0, "both"), ("back", 284 + right, 466, 3, "both")])
    corners = [replace(corner, score=score) for corner, score in zip(corners, (0.35, 0.3, 0.24, 0.14), strict=True)]
    rows = odds(seen)
    rows[2] = CONFIG.identify.similarity.nothing_odds - 12
    rows[3] = np.where(
        rows[3] == rows[3].max(),
        CONFIG.identify.similarity.nothing_odds + 3,
        CONFIG.identify.similarity.nothing_odds - 15,
    )
    sightings, _ = assign(form_hypotheses(corners, rows), DECK, COPIES, lambda k: "covered")
    assert [s.name for s in sightings] == ["back"] * cards


@pytest.mark.parametrize(("cause", "reported"), [("glare", True), ("blurred", False), ("covered", False)])
def test_a_clear_corner_with_nothing_opposite_is_reported_only_under_glare(cause: str, reported: bool) -> None:
    """A card that lies open shows one of its corners, or both are found; a corner of something else shows neither."""
    corners = [corner_of_card(300, 300, 20, score=0.85)]
    rows = np.full((2, len(_ROWS)), CONFIG.identify.similarity.nothing_odds - 12, np.float32)
    sightings, unread = assign(form_hypotheses(corners, rows[:1], {0: rows[1]}), DECK, COPIES, lambda k: cause)
    assert (sightings, len(unread)) == ([], int(reported))


@pytest.mark.parametrize("askew", [10.0, -10.0])
def test_two_corners_of_a_card_that_are_both_found_askew_are_one_card_s(askew: float) -> None:
    """In a fan that turns, half of a corner lies free: its place is found well, its angle is not."""
    both = [corner_of_card(300, 300, 15), corner_of_card(300, 300, 195)]
    found = [replace(corner, angle=(corner.angle + askew) % 360) for corner in both]
    assert math.dist(found[0].centre, found[1].centre) > 12
    assert pair_corners(found) == [(0, 1)]
    (card,) = form_hypotheses(found, np.full((2, len(_ROWS)), CONFIG.identify.similarity.nothing_odds + 5, np.float32))
    assert math.dist((card.x, card.y), (300, 300)) < 0.1
    assert card.angle == pytest.approx(15, abs=0.1)


@given(st.floats(0, 359), st.floats(18, 40), st.floats(-6, 6), st.floats(-8, 8))
def test_corners_of_neighbours_in_a_column_are_not_one_card_s(
    angle: float, step: float, aside: float, turned: float
) -> None:
    """Of the one the upper corner was found and of the next the lower one."""
    a = math.radians(angle)
    x, y = aside * math.cos(a) - step * math.sin(a), aside * math.sin(a) + step * math.cos(a)
    corners = [corner_of_card(300, 300, angle), corner_of_card(300 + x, 300 + y, angle + 180 + turned)]
    assert len(pair_corners(corners)) == 2
