"""The reader on decks, lamps and cameras that its training never saw: the reference deck under the simulated camera."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from device.capture.eye import card_reader
from device.scoring.looking import all_named
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.table import Detections
from rules.laminate.papers import BUILT_IN
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from tools.benchmark_ood.foreign import drop_cards
from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis
from vision.config import CONFIG
from vision.crops import CROP_CENTRE_MM, narrow_crop
from vision.detect.corners import Corner, corner_of_card, degrees_apart
from vision.detect.opposite import opposite_of
from vision.enrol import PAGES, EnrolError, Page, enrol, place_cards, read_page
from vision.enrol.enrolment import find_odd_kinds
from vision.enrol.outline import OutlineFit, fit_outline
from vision.evidence import Compared, Comparer
from vision.geometry import CROP_PX_PER_MM
from vision.identify.deck import BACK, SEVEN_NAMES, Deck
from vision.identify.embedder import Embedder, Embeddings
from vision.identify.matcher import Matcher, lay_maps
from vision.identify.open_set import OpenSetVerifier
from vision.identify.similarity import Similarity
from vision.mat import Mat, find_mat
from vision.mat.light import Light
from vision.names import Namer, drop_strays
from vision.reader import Reader, on_a_marker
from vision.scene import Scene

MAT = REFERENCE_MAT_MM
_NONE = np.zeros((0, 0), np.float32)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return card_reader()


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(MAT, seed=5)


def picture_of(camera: SimulatedCamera, cards: list[Placed]) -> Picture:
    camera.show(cards)
    return camera.take_picture()


@pytest.fixture(scope="module")
def pages(camera: SimulatedCamera) -> dict[str, Picture]:
    rng = random.Random(2)
    return {page: picture_of(camera, lay_page(page, MAT, rng)) for page in PAGES}


@pytest.fixture(scope="module")
def deck(reader: Reader, pages: dict[str, Picture]) -> Deck:
    return enrol(reader, "reference", pages["seven"], pages["review"], pages["complete"], MAT)


@pytest.fixture
def whatever_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Corners and what they are like are made up: they are not asked whether they show that card."""
    monkeypatch.setattr(OpenSetVerifier, "measure_unexplained", lambda *_: None)
    monkeypatch.setattr(Matcher, "identify", lambda *_: (0, 0.0))


def inkless(odds: Floats) -> Similarity:
    """Return what corners are like that show no ink."""
    return Similarity(odds, np.zeros((len(odds), 3), np.float32))


def lit(camera: SimulatedCamera, cards: list[Placed]) -> Scene:
    picture = picture_of(camera, cards)
    return Scene.from_picture(picture, find_mat(picture, MAT))


def comparer(reader: Reader, deck: Deck) -> Comparer:
    return reader.get_stages(deck)[0]


def namer(reader: Reader, deck: Deck) -> Namer:
    return reader.get_stages(deck)[1]


def similarity(
    reader: Reader, scene: Scene, deck: Deck, corners: Sequence[Corner], found: Sequence[Corner] | None = None
) -> Similarity:
    """How like corners are; ``found`` are all that show, these alone if absent."""
    return comparer(reader, deck).measure_similarity(replace(scene, found=corners if found is None else found), corners)


def column(names: list[str], x: float, y: float, angle: float, rng: random.Random) -> list[Placed]:
    """Lay a paper as a person does: each card about 21 mm on from the one before."""
    out = []
    for k, name in enumerate(names):
        a = math.radians(angle)
        step = 21.0 * k
        out.append(
            Placed(
                name,
                x - math.sin(a) * step + rng.uniform(-1.5, 1.5),
                y + math.cos(a) * step + rng.uniform(-1.5, 1.5),
                angle + rng.uniform(-2.5, 2.5),
            )
        )
    return out


def missed(cards: list[Placed], reading: Detections) -> list[str]:
    return [
        c.name
        for c in cards
        if not any(s.name == c.name and math.hypot(s.x - c.x, s.y - c.y) < 12 for s in reading.sightings)
    ]


def wrong(cards: list[Placed], reading: Detections) -> list[str]:
    return [
        s.name
        for s in reading.sightings
        if not any(s.name == c.name and math.hypot(s.x - c.x, s.y - c.y) < 20 for c in cards)
    ]


@pytest.mark.slow  # tests/vision/mat/test_mat.py finds the mat so
@pytest.mark.parametrize(
    "hidden", [0, pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(3, marks=pytest.mark.slow)]
)
def test_with_one_marker_hidden_as_much_is_read(
    reader: Reader, camera: SimulatedCamera, deck: Deck, hidden: int
) -> None:
    """A hand lies over the marker; the cards nearest to that corner are read like the others."""
    rng = random.Random(20 + hidden)
    cards = [
        *column(["straight5/review", "O4", "B5", "C6", "S7", "T8"], 160, 560, 3, rng),
        *column(["three_pairs/review", "H3", "O3", "B9", "C9", "T12", "F12"], 150, 330, 176, rng),
        *column(["sum49/review", "FK", "C10", "S11", "T9", "H6"], 1020, 290, 180, rng),
        *column(["three/complete", "H7"], 1030, 640, -4, rng),
        Placed("S9", 642, 421, -3),
    ]
    scene = lit(camera, cards)
    picture, mat = scene.picture, scene.mat
    covered = picture.copy()
    middle = mat.marker_px(hidden).mean(axis=0).round().astype(int)
    cv2.circle(covered, (int(middle[0]), int(middle[1])), round(45 * mat.px_per_mm), (128, 150, 196), -1)
    three = find_mat(covered, MAT)
    assert len(three.markers) == 3
    reading = reader.read(covered, three, deck)
    assert wrong(cards, reading) == []
    assert missed(cards, reading) == []


def test_the_enrolled_deck_has_every_card(deck: Deck) -> None:
    assert len(deck.names) == 49 + 32 + 1
    assert len(set(deck.names)) == len(deck.names)


def test_columns_are_read_with_their_covered_cards(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    rng = random.Random(8)
    cards = [
        *column(["straight5/review", "O4", "B5", "C6", "S7", "T8"], 160, 560, 3, rng),
        *column(["three/complete", "H7"], 260, 560, -4, rng),
        *column(["sum49/review", "FK", "C10", "S11", "T9", "H6"], 420, 280, 180, rng),
        *column(["three_pairs/review", "H3", "O3", "B9", "C9", "T12", "F12"], 900, 280, 176, rng),
        Placed("back", 547, 420, 1),
        Placed("S9", 642, 421, -3),
        Placed("back", 238, 475, 4),
        Placed("back", 256, 474, 5),
    ]
    picture = picture_of(camera, cards)
    reading = reader.read(picture, find_mat(picture, MAT), deck)
    assert wrong(cards, reading) == []
    assert missed(cards, reading) == []
    for name in ("O4", "straight5/review", "three_pairs/review"):
        seen = next(s for s in reading.sightings if s.name == name)
        laid = next(c for c in cards if c.name == name)
        assert abs((seen.angle - laid.angle + 180) % 360 - 180) < 6


def test_cards_that_were_never_learnt_are_said_to_be_none_of_the_deck(reader: Reader, deck: Deck) -> None:
    """Neither cards nor papers take the name of what is likest, and what was learnt is read beside them."""
    rng = random.Random(8)
    gone = {"O4", "T8", "C9", "S9", "straight5", "H3"}
    cards = [
        *column(["straight5/review", "O4", "B5", "C6", "S7", "T8"], 160, 560, 3, rng),
        *column(["sum49/review", "FK", "C10", "S11", "T9", "H6"], 420, 280, 180, rng),
        *column(["three_pairs/review", "H3", "O3", "B9", "C9", "T12", "F12"], 900, 280, 176, rng),
        Placed("S9", 642, 421, -3),
    ]
    picture = picture_of(SimulatedCamera(MAT, seed=1), cards)
    reading = reader.read(picture, find_mat(picture, MAT), drop_cards(deck, gone))
    known = [card for card in cards if card.name.split("/")[0] not in gone]
    assert wrong(known, reading) == []
    assert missed(known, reading) == []
    for card in cards:
        if card not in known:
            told = [u for u in reading.unread if math.hypot(u.x - card.x, u.y - card.y) < 20]
            assert "foreign" in [u.cause for u in told], card


@pytest.mark.slow  # test_open_set.py and the test above
@pytest.mark.parametrize("left", [2.0, pytest.param(0.5, marks=pytest.mark.slow)])
def test_the_matcher_decides_where_the_check_is_not_sure(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch, left: float
) -> None:
    """Shine and covers that nobody finds make the check refuse what anybody can read, and like marks make it accept."""
    monkeypatch.setattr(OpenSetVerifier, "measure_unexplained", lambda *_: left)
    monkeypatch.setattr(OpenSetVerifier, "measure_nearby", lambda *_: left)
    names = ["H3", "O4", "B5", "C6", "S7", "T9", "F11", "HA", "O8", "C10"]
    cards = [Placed(name, 160.0 + 90 * k, 420.0, 2.0 * k - 9) for k, name in enumerate(names)]
    picture = picture_of(SimulatedCamera(MAT, seed=1), cards)
    mat, gone = find_mat(picture, MAT), {"O4", "T9", "C10"}
    assert missed(cards, reader.read(picture, mat, deck)) == []
    reading = reader.read(picture, mat, drop_cards(deck, gone))
    known = [card for card in cards if card.name not in gone]
    assert (missed(known, reading), wrong(known, reading)) == ([], [])
    assert [u.cause for u in reading.unread] == ["foreign"] * len(gone)


def test_a_card_that_every_check_refuses_keeps_its_name_where_no_other_comes_near(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards of the deck are read though all are refused; what was never learnt stays foreign."""
    monkeypatch.setattr(OpenSetVerifier, "measure_unexplained", lambda *_: 9.0)
    monkeypatch.setattr(Matcher, "judge_card", lambda *_: 9.0)
    names = ["H3", "O4", "B5", "C6", "S7", "T9", "F11", "HA", "O8", "C10"]
    cards = [Placed(name, 160.0 + 90 * k, 420.0, 2.0 * k - 9) for k, name in enumerate(names)]
    picture = picture_of(SimulatedCamera(MAT, seed=1), cards)
    gone = {"O4", "T9", "C10"}
    reading = reader.read(picture, find_mat(picture, MAT), drop_cards(deck, gone))
    known = [card for card in cards if card.name not in gone]
    assert (missed(known, reading), wrong(known, reading)) == ([], [])
    assert [u.cause for u in reading.unread] == ["foreign"] * len(gone)


@pytest.mark.slow  # test_cards_that_were_never_learnt_are_said_to_be_none_of_the_deck
def test_a_back_whose_print_is_not_the_deck_s_is_told_as_none_of_its_cards(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any back is asked, however like the deck's its corners are."""
    monkeypatch.setattr(Matcher, "compute_best_odds", lambda *_: CONFIG.identify.matcher.back_odds - 0.1)
    picture = picture_of(SimulatedCamera(MAT, seed=1), [Placed(BACK, 500, 420, 3), Placed(BACK, 700, 420, 181)])
    reading = reader.read(picture, find_mat(picture, MAT), deck)
    assert reading.sightings == ()
    assert [(u.cause, u.candidates) for u in reading.unread] == [("foreign", (BACK,))] * 2


@pytest.mark.few(1)
@pytest.mark.parametrize(("right", "down", "turned"), [(0.0, 0.0, 0.0), (2.0, -1.2, 1.5), (-1.6, 2.0, -2.0)])
def test_the_matcher_says_how_a_card_really_lies(
    reader: Reader, deck: Deck, right: float, down: float, turned: float
) -> None:
    """The detector errs by a millimetre or two, and by some degrees."""
    scene = lit(SimulatedCamera(MAT, seed=1), [Placed("S9", 500.0, 400.0, 0.0)])
    true = corner_of_card(500, 400, 0.0)
    found = replace(true, x=true.x + right, y=true.y + down, angle=turned % 360)
    wide, _ = reader.embed(scene, [found])
    matcher, covers = reader.matcher, np.zeros((1, 14, 40), np.uint8)
    seen = matcher.look([narrow_crop(wide[0])])
    own, other = (matcher.look([deck.cards[deck.names.index(name)].crops[0]]) for name in ("S9", "S10"))
    (pose,) = matcher.find_poses(seen, own, covers)
    (x, y), (there_x, there_y) = found.to_mat(*CROP_CENTRE_MM), true.to_mat(*CROP_CENTRE_MM)
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    dx, dy = there_x - x, there_y - y
    assert np.abs(pose[:2] - np.array([dx * c + dy * s, dy * c - dx * s]) * CROP_PX_PER_MM).max() < 1.2
    assert abs(pose[2] - turned) < 0.8
    lies = lay_maps(seen[0], pose)[None]
    assert matcher.compute_odds(lies, own, covers)[0] > max(0, matcher.compute_odds(lies, other, covers)[0] + 4)


def test_an_empty_mat_shows_nothing(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    picture = picture_of(camera, [])
    assert reader.read(picture, find_mat(picture, MAT), deck) == Detections((), ())


def test_a_card_that_can_t_be_read_is_never_guessed(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    """White glare over both index corners: the card is left out or reported, never named."""
    card = Placed("B7", 600, 300, 0)
    picture = picture_of(camera, [card]).copy()
    mat = find_mat(picture, MAT)
    for dx, dy in ((-22, -34), (22, 34)):
        x, y = mat.to_px([card.x + dx, card.y + dy])
        picture[int(y) - 38 : int(y) + 38, int(x) - 55 : int(x) + 55] = 255
    reading = reader.read(picture, mat, deck)
    assert reading.sightings == ()


@pytest.mark.slow  # test_pages_given_in_the_wrong_order_are_noticed
@pytest.mark.parametrize(("a", "b"), [("H3", "S9"), pytest.param("C5", "C9", marks=pytest.mark.slow)])
def test_two_swapped_cards_are_named(reader: Reader, camera: SimulatedCamera, a: str, b: str) -> None:
    places = place_cards("seven", MAT)
    swap = {a: b, b: a}
    cards = [Placed(swap.get(n, n), x, y, 0.5) for n, (x, y) in places.items()]
    with pytest.raises(EnrolError) as caught:
        read_page(reader, "seven", picture_of(camera, cards), MAT)
    assert {c for f in caught.value.faults for c in f.cards} == {a, b}
    assert "swap" in str(caught.value)


def test_a_missing_card_is_named(reader: Reader, camera: SimulatedCamera) -> None:
    cards = [c for c in lay_page("seven", MAT, random.Random(1)) if c.name != "B6"]
    with pytest.raises(EnrolError, match="Book 6 is missing") as caught:
        read_page(reader, "seven", picture_of(camera, cards), MAT)
    assert [f.cards for f in caught.value.faults] == [("B6",)]


def test_a_card_that_the_detector_misses_is_found_by_its_outline(
    reader: Reader, pages: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read_page(reader, "review", pages["review"], MAT)
    places = place_cards("review", MAT)
    find = Reader.detect

    def without_two(self: Reader, *args: Any) -> list[Corner]:
        blind = (places["three/review"], places["back"])
        return [corner for corner in find(self, *args) if all(math.dist(corner.centre, place) > 60 for place in blind)]

    monkeypatch.setattr(Reader, "detect", without_two)
    again = read_page(reader, "review", pages["review"], MAT)
    embeddings = (whole.embeddings.vectors * again.embeddings.vectors).sum(axis=1)
    assert embeddings.min() > 0.8


def see_only(monkeypatch: pytest.MonkeyPatch, place: tuple[float, float], *corners: tuple[float, float, float]) -> None:
    """Let the detector see these corners alone (mm off, degrees) of the paper at a place, and all others as they
    are."""
    find = Reader.detect
    seen = [corner_of_card(place[0] + x, place[1] + y, angle, 0.8, "paper") for x, y, angle in corners]

    def found(self: Reader, *args: Any) -> list[Corner]:
        return [*(corner for corner in find(self, *args) if math.dist(corner.centre, place) > 60), *seen]

    monkeypatch.setattr(Reader, "detect", found)


@pytest.mark.slow  # test_a_card_that_the_detector_misses_is_found_by_its_outline
@pytest.mark.parametrize(
    ("corners", "least"),
    [
        pytest.param([(16, -17, 12.0)], 0.8, id="one corner, far astray and askew"),
        # a striped rim at both corners led the detector 9 mm astray at both, and they agreed
        pytest.param([(9, -6, 0.0), (9, -6, 180.0)], 0.95, id="both corners, astray the same way"),
    ],
)
def test_a_card_that_the_detector_puts_astray_is_found_from_its_place(
    reader: Reader,
    pages: dict[str, Picture],
    monkeypatch: pytest.MonkeyPatch,
    corners: list[tuple[float, float, float]],
    least: float,
) -> None:
    whole = read_page(reader, "review", pages["review"], MAT)
    place = place_cards("review", MAT)["five/review"]
    see_only(monkeypatch, place, *corners)
    again = read_page(reader, "review", pages["review"], MAT)
    embeddings = (whole.embeddings.vectors * again.embeddings.vectors).sum(axis=1)
    assert embeddings.min() > least


@pytest.mark.slow  # test_a_clear_outline_puts_a_card_right_that_the_detector_sees_a_little_astray
def test_an_outline_that_hardly_shows_moves_no_card_that_the_detector_sees(
    reader: Reader, pages: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grey papers lay on a grey mat: what looked most like an outline there had one of them turned by 6 degrees."""
    learnt = []
    for lie in (OutlineFit(0.0, 0.0, 0.0, 0.0), OutlineFit(4.0, 1.0, 6.0, 8.0), OutlineFit(1.0, 1.0, 0.5, 8.0)):
        monkeypatch.setattr("vision.enrol.on_page.fit_outline", lambda *_, lie=lie: lie)
        learnt.append(
            np.stack([crop for card in read_page(reader, "review", pages["review"], MAT).crops for crop in card])
        )
    assert all(np.array_equal(crops, learnt[0]) for crops in learnt)


@pytest.mark.slow  # test_a_card_that_the_detector_misses_is_found_by_its_outline
def test_of_two_outlines_about_as_clear_the_upright_one_counts(
    reader: Reader, pages: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paper learnt six degrees askew, for the lines of a wooden mat, was not told from others on any table."""
    whole = read_page(reader, "review", pages["review"], MAT)
    place = place_cards("review", MAT)["five/review"]

    def askew(picture: Picture, mat: Mat, centre: tuple[float, float], angle: float, *off: float) -> OutlineFit:
        lie = fit_outline(picture, mat, centre, angle, *off)
        if math.dist(centre, place) > 60:
            return lie
        return OutlineFit(-2.0, 0.0, -3.5, 15.0) if angle == 357.5 else lie._replace(clear=13.2)

    see_only(monkeypatch, place, (2, 0, 357.5))
    monkeypatch.setattr("vision.enrol.on_page.fit_outline", askew)
    again = read_page(reader, "review", pages["review"], MAT)
    embeddings = (whole.embeddings.vectors * again.embeddings.vectors).sum(axis=1)
    assert embeddings.min() > 0.95


@pytest.mark.slow  # test_a_card_that_the_detector_misses_is_found_by_its_outline
@pytest.mark.parametrize(("x", "y"), [(1.5, -1.0), (-1.0, 2.0)])
def test_a_clear_outline_puts_a_card_right_that_the_detector_sees_a_little_astray(
    reader: Reader, pages: dict[str, Picture], monkeypatch: pytest.MonkeyPatch, x: float, y: float
) -> None:
    """A six learnt 1.6 mm astray was named an eight on the table: its crop never lay over the one seen."""
    whole = read_page(reader, "review", pages["review"], MAT)
    find = Reader.detect

    def astray(self: Reader, *args: Any) -> list[Corner]:
        return [replace(corner, x=corner.x + x, y=corner.y + y) for corner in find(self, *args)]

    monkeypatch.setattr(Reader, "detect", astray)
    again = read_page(reader, "review", pages["review"], MAT)
    apart = [
        float(cv2.absdiff(crop, same).mean())
        for one, other in zip(whole.crops, again.crops, strict=True)
        for crop, same in zip(one, other, strict=True)
    ]
    assert np.median(apart) < 0.5
    assert max(apart) < 2


@pytest.mark.slow
def test_papers_swapped_on_one_page_are_named(
    reader: Reader, camera: SimulatedCamera, pages: dict[str, Picture]
) -> None:
    swap = {"five/review": "sum49/review", "sum49/review": "five/review"}
    cards = [Placed(swap.get(n, n), x, y, 0) for n, (x, y) in place_cards("review", MAT).items()]
    with pytest.raises(EnrolError) as caught:
        enrol(reader, "x", pages["seven"], picture_of(camera, cards), pages["complete"], MAT)
    assert [set(f.cards) for f in caught.value.faults] == [{"five", "sum49"}]


@pytest.mark.slow  # tests/device/test_enrolling_two_pages.py: pages that make no deck are refused
def test_pages_given_in_the_wrong_order_are_noticed(reader: Reader, pages: dict[str, Picture]) -> None:
    with pytest.raises(EnrolError):
        enrol(reader, "x", pages["review"], pages["seven"], pages["complete"], MAT)


def test_too_few_pixels_are_said_so(reader: Reader, pages: dict[str, Picture]) -> None:
    small = np.ascontiguousarray(pages["seven"][::2, ::2])
    with pytest.raises(EnrolError, match="pixels a millimetre"):
        read_page(reader, "seven", small, MAT)


@pytest.mark.slow  # the reads of whole tables have markers too
def test_a_marker_s_corner_is_no_card_unless_a_card_hides_the_marker() -> None:
    camera = SimulatedCamera(MAT, seed=8)
    camera.show([])
    empty = camera.take_picture()
    mat = find_mat(empty, MAT)
    w, h = MAT
    for x, y in ((33, 17), (w - 33, 17), (w - 33, h - 17), (33, h - 17)):
        on_it = corner_of_card(x, y, 183.0)
        assert on_a_marker(on_it, mat, Light.measure(empty, mat))
        assert not on_a_marker(corner_of_card(x, y + (60 if y < h / 2 else -60), 183.0), mat, Light.measure(empty, mat))
    camera.show([Placed("H3", 30.0, 30.0, 0.0)])
    hidden = camera.take_picture()
    assert not on_a_marker(corner_of_card(30.0, 30.0, 0.0), mat, Light.measure(hidden, mat))
    assert on_a_marker(corner_of_card(w - 30.0, 30.0, 0.0), mat, Light.measure(hidden, mat))


@pytest.mark.parametrize("score", [0.8, 0.4])
def test_a_corner_found_some_mm_astray_is_looked_for_beside_its_place(
    reader: Reader, camera: SimulatedCamera, deck: Deck, score: float
) -> None:
    scene = lit(camera, [Placed("H3", 500.0, 400.0, 0.0), Placed("sum49/review", 700.0, 400.0, 4.0)])
    deck = reader.up_to_date(deck)
    for name, card in (("H3", corner_of_card(500, 400, 0.0)), ("sum49/review", corner_of_card(700, 400, 4.0))):
        for right, down in ((5.5, 0.5), (-5.5, 5.0), (0.0, -5.5)):
            astray = replace(card, x=card.x + right, y=card.y + down, score=score)
            (odds,) = similarity(reader, scene, deck, [astray]).odds
            assert deck.names[int(odds.argmax()) // 2] == name
            assert odds.max() > CONFIG.identify.similarity.nothing_odds
            if score == 0.4:  # many a line of a mat is taken for a faint back: those are looked for by their face
                (odds,) = similarity(reader, scene, deck, [replace(astray, kind="back")]).odds
                assert odds.max() < CONFIG.identify.similarity.nothing_odds


def test_a_corner_astray_is_looked_for_beside_its_place_though_many_corners_show_nothing(
    reader: Reader, camera: SimulatedCamera, deck: Deck
) -> None:
    """Where cards have a mark in each corner the detector sees a corner in each, often more clearly than the true
    ones."""
    scene = lit(camera, [Placed("H3", 500.0, 400.0, 0.0)])
    deck = reader.up_to_date(deck)
    card = corner_of_card(500, 400, 0.0)
    astray = replace(card, x=card.x + 5.5, y=card.y + 0.5, score=0.6)
    clutter = [corner_of_card(200.0 + 60 * k, 650.0, 7.0 * k, 0.7) for k in range(15)]
    corners = [*clutter, astray]
    odds = similarity(reader, scene, deck, corners).odds
    assert odds[:-1].max() < CONFIG.identify.similarity.nothing_odds
    assert deck.names[int(odds[-1].argmax()) // 2] == "H3"
    assert odds[-1].max() > CONFIG.identify.similarity.nothing_odds


@pytest.mark.parametrize(("behind", "laid"), [(3.0, True), (8.0, False)])
def test_a_doubtful_corner_is_laid_over_its_rival_s_template_too(
    reader: Reader, camera: SimulatedCamera, deck: Deck, behind: float, laid: bool
) -> None:
    """Of a paper's two sides the wrong one seemed likelier, and over its template the corner lay askew."""
    scene = lit(camera, [Placed("three/review", 500.0, 400.0, 0.0)])
    deck = reader.up_to_date(deck)
    card = corner_of_card(500, 400, 0.0)
    astray = replace(card, x=card.x + 0.8, y=card.y - 0.8, angle=3.0)
    wide, _ = reader.embed(scene, [astray])
    odds = np.full((1, len(deck.kinds)), CONFIG.identify.similarity.nothing_odds - 20, np.float32)
    odds[0, 2 * deck.names.index("H3")] = CONFIG.identify.similarity.nothing_odds + 4
    odds[0, 2 * deck.names.index("three/review")] = CONFIG.identify.similarity.nothing_odds + 4 - behind
    poses = comparer(reader, deck).find_registered_poses(
        Compared([astray], wide, [None], odds, np.zeros((1, 3), np.float32)), 0
    )
    right = [
        math.dist((corner.x, corner.y), (card.x, card.y)) < 0.5 and degrees_apart(corner.angle, 0.0) < 1
        for corner in poses
    ]
    assert any(right) == laid


@pytest.mark.parametrize(("name", "right", "turned"), [("H3", 4.0, -6.0), ("T8", 4.0, 0.0)])
def test_a_corner_that_shows_its_card_but_poorly_is_looked_for_beside_its_place(
    reader: Reader, camera: SimulatedCamera, deck: Deck, name: str, right: float, turned: float
) -> None:
    scene = lit(camera, [Placed(name, 500.0, 400.0, 0.0)])
    deck = reader.up_to_date(deck)
    card = corner_of_card(500, 400, 0.0)
    astray = replace(card, x=card.x + right, y=card.y - 1, angle=turned % 360, score=0.8)
    (odds,) = similarity(reader, scene, deck, [astray]).odds
    assert deck.names[int(odds.argmax()) // 2] == name
    assert odds.max() > CONFIG.identify.similarity.nothing_odds + 10


@pytest.mark.parametrize(("before", "there", "moves"), [(48.0, 50.0, False), (48.0, 51.0, True), (41.0, 44.5, True)])
def test_a_corner_that_shows_something_is_moved_only_where_it_shows_clearly_more(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch, before: float, there: float, moves: bool
) -> None:
    """Of a paper's two sides the other one fitted a little better 5 mm below."""

    def seen(corner: Corner, most: float) -> Compared:
        odds = np.full((1, len(deck.kinds)), most, np.float32)
        return Compared([corner], [np.zeros((66, 170, 3), np.uint8)], [None], odds, np.zeros((1, 3), np.float32))

    corner, place = corner_of_card(500, 400, 0.0), corner_of_card(500, 405, 0.0)
    monkeypatch.setattr(Comparer, "look", lambda *_, **__: seen(place, there))
    found = seen(corner, before)
    comparer(reader, deck).try_places(cast(Any, None), found, [(0, place)])
    assert found.corners == [place if moves else corner]
    assert found.odds.max() == (there if moves else before)


@pytest.mark.parametrize(
    ("there", "before", "moves"),
    [("three/complete", 46.0, False), ("three/complete", 40.0, True), ("five/complete", 46.0, True)],
)
def test_a_paper_s_other_side_some_mm_off_moves_no_corner_that_shows_the_one(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch, there: str, before: float, moves: bool
) -> None:
    """The complete side had a brown band along its top, and above the other side lay a brown mat."""

    def seen(corner: Corner, name: str, most: float) -> Compared:
        odds = np.full((1, len(deck.kinds)), CONFIG.identify.similarity.nothing_odds - 20, np.float32)
        odds[0, 2 * deck.names.index(name)] = most
        return Compared([corner], [np.zeros((66, 170, 3), np.uint8)], [None], odds, np.zeros((1, 3), np.float32))

    corner, place = corner_of_card(500, 400, 0.0), corner_of_card(500, 395, 0.0)
    monkeypatch.setattr(Comparer, "look", lambda *_, **__: seen(place, there, 54.0))
    found = seen(corner, "three/review", before)
    comparer(reader, deck).try_places(cast(Any, None), found, [(0, place)])
    assert found.corners == [place if moves else corner]


@pytest.mark.parametrize(("partner", "windows"), [(True, 0), (False, 8)])
def test_a_lost_corner_is_looked_for_where_its_card_s_plain_corner_says(
    reader: Reader,
    camera: SimulatedCamera,
    deck: Deck,
    monkeypatch: pytest.MonkeyPatch,
    partner: bool,
    windows: int,
) -> None:
    scene = lit(camera, [Placed("H3", 500.0, 400.0, 0.0)])
    deck = reader.up_to_date(deck)
    plain = corner_of_card(500, 400, 0.0, score=0.9)
    lost = replace(opposite_of(plain), x=opposite_of(plain).x + 5.5, y=opposite_of(plain).y - 4.0, score=0.8)
    corners = [plain, lost] if partner else [lost]
    described: list[int] = []
    embed = Embedder.embed

    def counted(embedder: Embedder, crops: Sequence[Picture]) -> Embeddings:
        described.append(len(crops))
        return embed(embedder, crops)

    monkeypatch.setattr(Embedder, "embed", counted)
    odds = similarity(reader, scene, deck, corners).odds[-1]
    assert sum(described) == windows
    assert deck.names[int(odds.argmax()) // 2] == "H3"
    assert not partner or odds.max() > CONFIG.identify.similarity.nothing_odds + 10


@pytest.mark.parametrize(("step", "tried"), [(21.0, 0), (100.0, 1)])
def test_a_corner_is_not_looked_for_under_another_card(
    reader: Reader, deck: Deck, monkeypatch: pytest.MonkeyPatch, step: float, tried: int
) -> None:
    """Where the next card of a column covers it, what the detector takes for a card's other corner is none."""
    upper, lower = corner_of_card(500, 400, 0.0, score=0.9), corner_of_card(500, 400 + step, 0.0, score=0.9)
    astray = opposite_of(upper)
    corners = [upper, lower, replace(astray, x=astray.x - 6.0, y=astray.y + 4.0, score=0.3)]
    odds = np.full((3, len(deck.kinds)), CONFIG.identify.similarity.nothing_odds - 20, np.float32)
    for row, (name, most) in zip(odds, (("H3", 59.0), ("O4", 59.0), ("B5", 40.0)), strict=True):
        row[2 * deck.names.index(name)] = most
    crops = [np.zeros((66, 170, 3), np.uint8)] * 3
    places: list[int] = []
    monkeypatch.setattr(Comparer, "try_places", lambda *args: places.extend(n for n, _ in args[-1]))
    scene = Scene(crops[0], cast(Any, None), cast(Any, None), corners)
    comparer(reader, deck).search_opposite(
        scene, Compared(corners, crops, [None] * 3, odds, np.zeros((3, 3), np.float32)), ()
    )
    assert places == [2] * tried


@pytest.mark.parametrize(("p_nothing", "kept"), [(1e-5, True), (0.02, False)])
def test_a_back_s_only_corner_on_one_found_by_its_face_stays_where_it_shows_it_well(
    p_nothing: float, kept: bool
) -> None:
    """In a fan only one corner of a back may be found, next to others of which all corners were false."""
    corner, by_face = corner_of_card(300, 300, 180.0, 0.7, BACK), corner_of_card(330, 302, 0.0, 0.6, BACK)
    hypothesis = Hypothesis(
        (0,),
        300.0,
        300.0,
        180.0,
        np.ones(1, np.float32),
        np.zeros(1, np.bool_),
        p_nothing,
        0.7,
        False,
        opposite_empty=True,
    )
    assert drop_strays([corner], [hypothesis], [by_face], 0) == [corner] * kept


def test_a_corner_led_astray_by_a_card_below_is_looked_for_where_the_other_corner_says(
    reader: Reader, camera: SimulatedCamera, deck: Deck
) -> None:
    deck = reader.up_to_date(deck)
    wrong = []
    for top, below in (("T8", "S8"), ("H3", "C4"), ("B9", "B3"), ("C7", "O7")):
        scene = lit(camera, [Placed(below, 500.0, 395.0, 0.0), Placed(top, 500.0, 400.0, 0.0)])
        lower = corner_of_card(500, 400, 180.0, 0.9)
        between = corner_of_card(500, 395.5, 0.0, 0.8)
        odds = similarity(reader, scene, deck, [between, lower]).odds
        wrong += [top for row in odds if deck.names[int(row.argmax()) // 2] != top]
        wrong += [top for row in odds if row.max() < CONFIG.identify.similarity.nothing_odds]
    assert not wrong


@pytest.mark.parametrize(("turned", "down"), [(5.0, 0.6), (-5.0, -1.0)])
def test_what_lies_on_a_doubtful_card_is_laid_exactly_and_what_shows_nothing_left_out(
    reader: Reader, camera: SimulatedCamera, deck: Deck, turned: float, down: float
) -> None:
    picture = picture_of(camera, [Placed("C5", 500.0, 400.0, 2.0), Placed("F8", 503.0, 414.5, -3.0)])
    mat = find_mat(picture, MAT)
    deck = reader.up_to_date(deck)
    doubtful, cover = corner_of_card(500.0, 400.0, 2.0, 0.8), corner_of_card(503.0, 414.5, -3.0, 0.8)
    astray = replace(cover, y=cover.y + down, angle=(cover.angle + turned) % 360)
    line_on_the_card = replace(doubtful, x=doubtful.x + 35.0, y=doubtful.y + 3.0, angle=95.0, score=0.4)
    scene = replace(Scene.from_picture(picture, mat), found=[doubtful, astray, line_on_the_card])
    nothing = Compared([], [], [], _NONE, _NONE)
    exact = comparer(reader, deck).with_registered_occluders(scene, nothing, [doubtful])
    (laid,) = (corner for corner in exact.found if corner != doubtful)
    assert math.dist((laid.x, laid.y), (cover.x, cover.y)) < 0.5
    assert abs((laid.angle - cover.angle + 180) % 360 - 180) < 1.0


def test_cards_of_one_suit_show_one_ink_on_a_table(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    deck = reader.up_to_date(deck)
    names = ["H2", "H4", "O3", "O5", "B4", "B6", "S7", "S9"]
    cards = [Placed(name, 180.0 + 90.0 * k, 400.0, 2.0 * k) for k, name in enumerate(names)]
    scene = lit(camera, cards)
    corners = [corner_of_card(card.x, card.y, card.angle) for card in cards]
    ink_colours = similarity(reader, scene, deck, corners).ink_colours
    alike = np.degrees(np.arccos(np.clip(ink_colours @ ink_colours.T, -1, 1)))
    same = np.array([[one[0] == other[0] for other in names] for one in names])
    assert alike[same].max() < 4 < alike[~same].min()


@pytest.mark.few(1)
@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize(
    ("score", "kind", "named"), [(0.8, "seven", True), (0.4, "seven", False), (0.8, "paper", False)]
)
def test_a_faded_card_is_named_where_the_detector_sees_the_card_clearly(
    reader: Reader, camera: SimulatedCamera, deck: Deck, score: float, kind: str, named: bool
) -> None:
    picture = camera.take_picture()
    mat = find_mat(picture, MAT)
    corner = corner_of_card(300.0, 300.0, 0.0, score, kind)
    faded = np.full((1, 2 * len(deck.names)), CONFIG.identify.similarity.nothing_odds - 12.0, np.float32)
    faded[0, 2 * deck.names.index("H5")] = CONFIG.identify.similarity.nothing_odds - 0.5
    scene = Scene.from_picture(picture, mat)
    reading = namer(reader, deck).name_cards(scene, [corner], lambda some: inkless(np.repeat(faded, len(some), axis=0)))
    assert [s.name for s in reading.sightings] == ["H5"] * named


@pytest.mark.few(4)
@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize(("kind", "copies"), [(kind.name, kind.copies) for kind in BUILT_IN])
def test_no_more_papers_of_a_kind_are_named_than_there_are(
    reader: Reader, camera: SimulatedCamera, deck: Deck, kind: str, copies: int
) -> None:
    picture = camera.take_picture()
    mat = find_mat(picture, MAT)
    scene = Scene.from_picture(picture, mat)
    places = [(200.0 + 100.0 * number, 400.0) for number in range(copies + 1)]
    corners = [corner_of_card(x, y, turn, kind="paper") for x, y in places for turn in (0.0, 180.0)]
    odds = np.full((len(corners), 2 * len(deck.names)), CONFIG.identify.similarity.nothing_odds - 12.0, np.float32)
    for number in range(len(corners)):
        side = ("review", "complete")[number // 2 % 2]  # a card of either side is one of the kind
        sure = 9.0 if number // 2 else 3.0
        at = 2 * deck.names.index(f"{kind}/{side}") + number % 2
        odds[number, at] = CONFIG.identify.similarity.nothing_odds + sure
    reading = namer(reader, deck).name_cards(scene, corners, lambda some: inkless(odds))
    assert len(reading.sightings) == copies
    (unread,) = reading.unread
    assert (round(unread.x), unread.cause) == (200, "doubtful"), "the least sure one"
    free = namer(all_named(reader), deck).name_cards(scene, corners, lambda some: inkless(odds))
    assert len(free.sightings) == copies + 1


def test_the_copies_of_papers_of_the_house_are_in_their_names(reader: Reader, deck: Deck) -> None:
    cards = (*deck.cards, *(replace(deck.cards[0], name=f"sets4x1_2p3/{side}") for side in ("review", "complete")))
    found = namer(reader, replace(deck, cards=cards)).copies
    assert found == {kind.name: kind.copies for kind in BUILT_IN} | {"sets4x1_2p3": 3}


@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize(("score", "named"), [(0.5, True), (0.3, False)])
def test_a_poor_match_names_no_card_where_the_detector_hardly_sees_one(
    reader: Reader, camera: SimulatedCamera, deck: Deck, score: float, named: bool
) -> None:
    picture = camera.take_picture()
    mat = find_mat(picture, MAT)
    poor = np.full((1, 2 * len(deck.names)), CONFIG.identify.similarity.nothing_odds - 12.0, np.float32)
    poor[0, 2 * deck.names.index("straight7/review") + 1] = CONFIG.identify.similarity.nothing_odds + 3.5
    blank = np.full_like(poor, CONFIG.identify.similarity.nothing_odds - 12.0)
    corners = [
        corner_of_card(300.0, 300.0, 0.0, score),
        corner_of_card(300.0, 330.0, 0.0, 0.5),
    ]  # the next card hides its foot
    scene = Scene.from_picture(picture, mat)
    reading = namer(reader, deck).name_cards(
        scene, corners, lambda some: inkless(np.stack([poor[0], *[blank[0]] * (len(some) - 1)]))
    )
    assert [s.name for s in reading.sightings] == ["straight7/review"] * named


@pytest.mark.few(1)
@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize(("name", "angle"), [("T8", 3.0), ("S8", 177.0), ("three/review", -4.0)])
def test_a_whole_card_that_its_corners_leave_in_doubt_is_told_by_its_centre_crop(
    reader: Reader, camera: SimulatedCamera, deck: Deck, name: str, angle: float
) -> None:
    scene = lit(camera, [Placed(name, 300.0, 400.0, angle)])
    corners = [corner_of_card(300.0, 400.0, angle), corner_of_card(300.0, 400.0, angle + 180)]
    rivals = ["three/review", "five/review"] if "/" in name else ["S8", "T8"]
    odds = np.full((2, 2 * len(deck.names)), CONFIG.identify.similarity.nothing_odds - 12.0, np.float32)
    for rival in rivals:
        for corner in range(2):
            odds[corner, 2 * deck.names.index(rival) + corner] = CONFIG.identify.similarity.nothing_odds + 12.0
    reading = namer(reader, deck).name_cards(scene, corners, lambda some: inkless(odds))
    assert [s.name for s in reading.sightings] == [name]
    clipped, mat = scene.picture.copy(), scene.mat
    x, y = mat.to_px([300.0, 400.0])
    cv2.circle(clipped, (round(float(x)), round(float(y))), round(34 * mat.px_per_mm), (255, 255, 255), -1)
    assert (
        namer(reader, deck).name_cards(replace(scene, picture=clipped), corners, lambda some: inkless(odds)).sightings
        == ()
    )
    old = replace(deck, cards=tuple(replace(card, centre_crop=None) for card in deck.cards))
    untold = namer(reader, old).name_cards(scene, corners, lambda some: inkless(odds))
    assert untold.sightings == ()
    assert set(untold.unread[0].candidates) == set(rivals)


@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize(("step", "shown"), [(14.5, ["C4", "H3"]), (0.0, ["C4"])])
def test_what_may_be_a_mark_of_a_card_is_one_of_its_own_where_it_shows_one(
    reader: Reader, camera: SimulatedCamera, deck: Deck, step: float, shown: list[str]
) -> None:
    """A column with a short step: the lower card's corner is as near to the other's as a suit mark is."""
    deck = reader.up_to_date(deck)
    scene = lit(camera, [Placed("H3", 500.0, 400.0 - step, 0.0), Placed("C4", 500.0, 400.0, 0.0)])
    top = [corner_of_card(500.0, 400.0, angle, 0.9) for angle in (0.0, 180.0)]
    suppressed = replace(corner_of_card(500.0, 385.5, 0.0, 0.5), suppressed=True)

    def read(corners: list[Corner]) -> list[str]:
        reading = namer(reader, deck).name_cards(
            scene, corners, lambda some: similarity(reader, scene, deck, some, top)
        )
        return sorted(s.name for s in reading.sightings)

    assert read([*top, suppressed]) == shown
    assert read(top) == ["C4"]


@pytest.mark.few(1)
@pytest.mark.usefixtures("whatever_shows")
@pytest.mark.parametrize("angle", [3.0, 92.0])
def test_a_back_on_which_the_detector_sees_only_false_corners_is_found_by_its_face(
    reader: Reader, camera: SimulatedCamera, deck: Deck, angle: float
) -> None:
    deck = reader.up_to_date(deck)
    scene = lit(camera, [Placed("back", 500.0, 400.0, angle)])
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    one, other = ((500.0 + x * c - y * s, 400.0 + x * s + y * c) for x, y in ((10.0, -14.0), (-11.0, 14.0)))
    false = [corner_of_card(*one, angle + 90, 0.7, "back"), corner_of_card(*other, angle + 271, 0.4)]
    assert similarity(reader, scene, deck, false).odds.max() < CONFIG.identify.similarity.nothing_odds

    def read(own: Deck) -> Detections:
        return namer(reader, own).name_cards(scene, false, lambda some: similarity(reader, scene, own, some, false))

    reading = read(deck)
    (back,) = reading.sightings
    assert (back.name, reading.unread) == ("back", ())
    assert math.dist((back.x, back.y), (500.0, 400.0)) < 2.0
    assert abs((back.angle - angle + 90) % 180 - 90) < 3.0
    old = replace(deck, cards=tuple(replace(card, centre_crop=None) for card in deck.cards))
    assert read(old).sightings == ()


def test_seven_cards_that_all_look_like_papers_are_no_papers() -> None:
    rng = np.random.default_rng(4)
    names = (*SEVEN_NAMES, "back")
    rank = np.full((2 * len(names), 15), -20.0, np.float32)
    rank[:, 3] = -12.0 + rng.normal(0, 1, len(rank))
    rank[:, 13] = -1.0
    rank[-2:] = np.eye(15, dtype=np.float32)[14] * 20 - 20
    embeddings = Embeddings(np.zeros((len(rank), 128), np.float32), rank, np.zeros((len(rank), 32), np.float32))
    page = Page("seven", names, (), embeddings, ())
    kinds = ["paper" if k % 3 == 0 else "seven" for k in range(len(SEVEN_NAMES))] + ["back"]
    assert find_odd_kinds(page, kinds) == []
    rank[[6, 7], 3] = -25.0
    (fault,) = find_odd_kinds(page, kinds)
    assert fault.cards == (names[3],)
