"""Detections only what changed gives what reading everything gives."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from device.capture.eye import card_reader
from referee.layout import CARD_MM
from referee.placing import Placed
from referee.table import Detections, Sighting, Unread
from simulator.camera import Lens, SimulatedCamera
from vision.arrays import Picture
from vision.assign.hypotheses import Hypothesis
from vision.crops import narrow_crop
from vision.detect.corners import Corner, corner_of_card
from vision.evidence import Comparer
from vision.identify.deck import Deck, DeckCard
from vision.identify.matcher import Matcher
from vision.identify.open_set import OpenSetVerifier
from vision.incremental import IncrementalReader, find_changes
from vision.mat import Mat, find_mat
from vision.reader import Reader
from vision.scene import Scene

MAT = (660.0, 560.0)
LENS = Lens(size=(1760, 1540), fill=0.95)
SEVENS = ("H3", "O4", "B5", "C6", "S7", "T9", "F11", "HA", "O8", "C10", "S5", "T12", "FK", "B9")
PAPERS = ("three/review", "three/complete", "sum49/review", "straight5/review")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return card_reader()


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(MAT, seed=3, lens=LENS)


def seen(camera: SimulatedCamera, cards: list[Placed]) -> Picture:
    camera.show(cards)
    return camera.take_picture()


@pytest.fixture(scope="module")
def deck(reader: Reader, camera: SimulatedCamera) -> Deck:
    """Cut a small deck from one page of its own."""
    names = (*SEVENS, *PAPERS, "back")
    page = [Placed(name, 120 + 105 * (k % 5), 80 + 110 * (k // 5), 0) for k, name in enumerate(names)]
    picture = seen(camera, page)
    mat = find_mat(picture, MAT)
    corners = [corner_of_card(c.x, c.y, angle) for c in page for angle in (0, 180)]
    crops, embeddings = reader.embed(Scene.from_picture(picture, mat), corners)
    pairs = zip(crops[0::2], crops[1::2], strict=True)
    return Deck(
        "small",
        tuple(
            DeckCard(name, (narrow_crop(up), narrow_crop(low))) for name, (up, low) in zip(names, pairs, strict=True)
        ),
        embeddings,
        reader.model,
    )


def column(names: tuple[str, ...], x: float, y: float, angle: float) -> list[Placed]:
    a = math.radians(angle)
    return [Placed(n, x - math.sin(a) * 21 * k, y + math.cos(a) * 21 * k, angle) for k, n in enumerate(names)]


TABLE = [
    *column(("straight5/review", "O4", "B5", "C6", "S7"), 130, 380, 2),
    *column(("three/review", "HA", "C10"), 230, 385, -3),
    *column(("sum49/review", "FK", "T12"), 420, 190, 181),
    Placed("back", 300, 280, 1),
    Placed("F11", 370, 280, -4),
]


def assert_same(one: Detections, other: Detections) -> None:
    def in_order(cards: tuple[Sighting, ...]) -> list[Sighting]:
        return sorted(cards, key=lambda card: (card.name, round(card.x / 20), card.y))

    assert [s.name for s in in_order(one.sightings)] == [s.name for s in in_order(other.sightings)]
    for a, b in zip(in_order(one.sightings), in_order(other.sightings), strict=True):
        assert math.hypot(a.x - b.x, a.y - b.y) < 2.5
        assert abs((a.angle - b.angle + 180) % 360 - 180) < 4
        assert a.confidence == pytest.approx(b.confidence, abs=0.1)

    def places(cards: tuple[Unread, ...]) -> list[tuple[int, str]]:
        return sorted((round(card.x / 20), card.cause) for card in cards)

    assert places(one.unread) == places(other.unread)


def any_change(cards: list[Placed], rng: random.Random) -> list[Placed]:
    """One thing that players do: take a card, lay one, put another in its place, push or turn one."""
    k = rng.randrange(len(cards))
    card = cards[k]
    unused = [name for name in SEVENS if name not in {c.name for c in cards}]
    match rng.choice(["take", "push", "turn", *(["lay", "change"] if unused else [])]):
        case "take":
            return cards[:k] + cards[k + 1 :]
        case "lay":
            free = Placed(rng.choice(unused), rng.uniform(490, 560), rng.uniform(320, 420), rng.uniform(-8, 8))
            return [*cards, free]
        case "change":
            name = rng.choice(unused) if "/" not in card.name else "three/complete"
            return [*cards[:k], replace(card, name=name), *cards[k + 1 :]]
        case "push":
            return [*cards[:k], replace(card, x=card.x + rng.uniform(-9, 9)), *cards[k + 1 :]]
        case _:
            return [*cards[:k], replace(card, angle=card.angle + rng.uniform(-6, 6)), *cards[k + 1 :]]


def mat_of(picture: Picture, previous: Mat | None = None) -> Mat:
    return find_mat(picture, MAT, previous)


@pytest.mark.slow  # the other tests change one thing each
def test_change_after_change_reads_like_the_whole(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    rng = random.Random(11)
    incremental = IncrementalReader(reader, deck)
    cards, mat = TABLE, None
    for step in range(10):
        picture = seen(camera, cards)
        mat = mat_of(picture, mat)
        again = incremental.read(picture, mat)
        assert_same(again, reader.read(picture, mat, deck))
        assert len(again.sightings) >= 10
        assert (incremental.detected_share == 1) == (step == 0)
        cards = any_change(cards, rng)


@pytest.mark.slow  # tests/device/test_lookout.py: a still table is read once
def test_an_unchanged_table_is_not_looked_at_again(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    """The camera's noise differs from picture to picture; that is no change."""
    incremental = IncrementalReader(reader, deck)
    camera.show(TABLE)
    picture = camera.take_picture()
    mat = mat_of(picture)
    first = incremental.read(picture, mat)
    second = incremental.read(camera.take_picture(), mat)
    assert incremental.detected_share == 0
    assert_same(second, first)


def test_a_card_uncovered_is_weighed_at_both_corners_again(
    reader: Reader, camera: SimulatedCamera, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its one corner was known before, but one corner may tell where the other lies."""
    calls: list[list[Corner]] = []
    odds_of = Comparer.measure_similarity

    def watched(self: Comparer, scene: Scene, corners: list[Corner], *rest: Any) -> Any:
        calls.append(list(corners))
        return odds_of(self, scene, corners, *rest)

    monkeypatch.setattr(Comparer, "measure_similarity", watched)
    incremental = IncrementalReader(reader, deck)
    column = [Placed("H3", 300.0, 250.0, 0.0), Placed("O4", 300.0, 310.0, 0.0)]
    picture = seen(camera, column)
    mat = mat_of(picture)
    incremental.read(picture, mat)
    incremental.read(seen(camera, column[:1]), mat)
    angles = sorted(
        round(corner.angle / 10) * 10 % 360 for corner in calls[1] if math.dist(corner.centre, (300, 250)) < 5
    )
    assert angles == [0, 180]


@pytest.mark.slow  # tests/vision/mat/test_mat.py: a moved camera is measured again
def test_after_a_knock_everything_is_read_anew(reader: Reader, deck: Deck) -> None:
    camera = SimulatedCamera(MAT, seed=3, lens=LENS)
    incremental = IncrementalReader(reader, deck)
    picture = seen(camera, TABLE)
    mat = mat_of(picture)
    first = incremental.read(picture, mat)
    camera.hang(replace(LENS, roll=LENS.roll + 0.4, tilt=LENS.tilt + 0.2))
    picture = camera.take_picture()
    moved = mat_of(picture, mat)
    assert moved != mat
    assert_same(incremental.read(picture, moved), first)
    assert incremental.detected_share == 1


@pytest.mark.few(1)
@pytest.mark.parametrize(("gain", "anew"), [(0.97, False), (0.72, True)])
def test_a_lamp_is_another_light_and_a_drift_is_not(
    reader: Reader, camera: SimulatedCamera, deck: Deck, gain: float, anew: bool
) -> None:
    incremental = IncrementalReader(reader, deck)
    picture = seen(camera, TABLE)
    mat = mat_of(picture)
    first = incremental.read(picture, mat)
    darker = np.clip(picture * gain, 0, 255).astype(np.uint8)
    assert_same(incremental.read(darker, mat), first)
    assert (incremental.detected_share == 1) == anew


@pytest.mark.slow  # test_a_lamp_is_another_light_and_a_drift_is_not
def test_a_slow_drift_adds_up(reader: Reader, camera: SimulatedCamera, deck: Deck) -> None:
    incremental = IncrementalReader(reader, deck)
    picture = seen(camera, TABLE)
    mat = mat_of(picture)
    detected_share = []
    for step in range(5):
        incremental.read(np.clip(picture * 0.96**step, 0, 255).astype(np.uint8), mat)
        detected_share.append(incremental.detected_share)
    assert detected_share.count(1.0) == 2


def test_a_faint_mark_is_a_change_and_noise_is_not() -> None:
    rng = np.random.default_rng(0)
    before = np.clip(rng.normal(200, 2, (200, 300, 3)), 0, 255).astype(np.uint8)
    now = np.clip(rng.normal(200, 2, (200, 300, 3)), 0, 255).astype(np.uint8)
    difference = find_changes(before, now)
    assert difference is not None
    assert not difference.any()
    now[50:52, 60:61] -= 30
    mark = find_changes(before, now)
    assert mark is not None
    assert np.argwhere(mark).tolist() == [[50, 60], [51, 60]]


def test_another_brightness_all_over_is_no_change_of_cards() -> None:
    assert find_changes(np.full((90, 90, 3), 100, np.uint8), np.full((90, 90, 3), 112, np.uint8)) is None


def read_again(incremental: IncrementalReader, picture: Picture, mat: Mat, asked: list[int]) -> list[int]:
    """Return what is asked in another reading."""
    asked.clear()
    incremental.read(picture, mat)
    return sorted(asked)


def lay_coin(picture: Picture, mat: Mat, x: float, y: float) -> None:
    px, py = mat.to_px([x, y])
    cv2.circle(picture, (round(float(px)), round(float(py))), 30, (130, 130, 130), -1)


def test_a_centre_crop_that_stayed_is_not_compared_again(
    reader: Reader, camera: SimulatedCamera, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def cards_in_doubt(found: list[Hypothesis], deck: Deck) -> dict[int, list[int]]:
        return {k: [0, 1] for k, card in enumerate(found) if len(card.corners) == 2}

    def odds_by_centre_crop(card: Hypothesis, *rest: object) -> dict[int, float]:
        asked.append(round(card.x / 10))
        return {0: 0.0, 1: 0.0}

    monkeypatch.setattr("vision.names.find_cards_in_doubt", cards_in_doubt)
    monkeypatch.setattr("vision.names.odds_by_centre_crop", odds_by_centre_crop)
    picture = seen(camera, [Placed("F11", 370, 280, -4), Placed("HA", 200, 200, 2)])
    mat, incremental = find_mat(picture, MAT), IncrementalReader(reader, deck)
    assert read_again(incremental, picture, mat, asked) == [20, 37]
    assert read_again(incremental, picture, mat, asked) == []
    lay_coin(picture, mat, 370.0, 280.0)  # on one of the cards
    assert read_again(incremental, picture, mat, asked) == [37]


def test_a_back_that_stayed_is_not_looked_for_again(
    reader: Reader, camera: SimulatedCamera, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def doubtful_places(found: list[Hypothesis], like: dict[int, float]) -> list[Hypothesis]:
        return [hypothesis for hypothesis in found if hypothesis.score > 0.5]

    def face_places(face: object, patch: Picture, centre: tuple[float, float], angle: float) -> list[Corner]:
        asked.append(round(centre[0] / 10))
        return []

    monkeypatch.setattr("vision.names.list_doubtful_places", doubtful_places)
    monkeypatch.setattr("vision.names.find_face_places", face_places)
    monkeypatch.setattr("vision.names.Face.from_card", lambda card: ())
    picture = seen(camera, [Placed("F11", 500, 280, -4), Placed("HA", 150, 200, 2)])
    mat, incremental = find_mat(picture, MAT), IncrementalReader(reader, deck)
    assert read_again(incremental, picture, mat, asked) == [15, 50]
    assert read_again(incremental, picture, mat, asked) == []
    lay_coin(picture, mat, 560.0, 300.0)  # beside one of the cards
    assert read_again(incremental, picture, mat, asked) == [50]


def test_a_foreign_card_that_stayed_is_not_asked_again(
    reader: Reader, camera: SimulatedCamera, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def unexplained(verifier: object, wide: Picture, row: int, occluded: Picture | None) -> float:
        asked.append(row // 2)
        return 2.0

    monkeypatch.setattr(OpenSetVerifier, "measure_unexplained", unexplained)
    monkeypatch.setattr(Matcher, "compute_best_odds", lambda *_: 0.0)
    monkeypatch.setattr(Matcher, "identify", lambda *_: (0, 0.0))
    picture = seen(camera, [Placed("F11", 500, 280, 0), Placed("HA", 150, 200, 0)])
    mat, incremental = find_mat(picture, MAT), IncrementalReader(reader, deck)
    both = {deck.names.index("F11"), deck.names.index("HA")}
    assert set(read_again(incremental, picture, mat, asked)) == both
    assert read_again(incremental, picture, mat, asked) == []
    lay_coin(picture, mat, 500.0 - CARD_MM[0] / 2 - 8, 280.0 - 28)  # beside one of the cards
    assert set(read_again(incremental, picture, mat, asked)) == {deck.names.index("F11")}
    assert {card.cause for card in incremental.read(picture, mat).unread} == {"foreign"}
