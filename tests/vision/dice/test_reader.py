"""The dice reader with the networks that ship with the program, on throws that another renderer draws."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Tray
from referee.table import Die
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from tests.dice_scenes import throw
from tests.vision.dice.test_pips import PLACES, face
from tools.bench.dice import MODELS, look, measure
from vision.dice import DiceReader, read_in_picture, read_on_mat
from vision.dice.lean import lean_at
from vision.dice.reader import Evidence, judge_finds
from vision.mat import find_mat
from vision.picture import load_picture

SHARED = Path(__file__).resolve().parents[4] / "shared"
MINUTES = SHARED / "tables" / "opening-minutes"


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader(MODELS, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize("loose", [False, True])
def test_throws_are_read_and_none_wrongly(reader: DiceReader, loose: bool) -> None:
    tally = measure(reader, 100, 15, loose=loose)
    assert tally.misread == tally.invented == 0
    # The others are said to be unread; bench_dice tells the share over many throws.
    assert tally.read >= 28, tally.why


@pytest.mark.slow  # test_throws_are_read_and_none_wrongly; test_pips.py
@pytest.mark.parametrize(("odd", "told"), [("emblem", 13), ("hidden", 3), ("cocked", 17)])
def test_a_die_that_shows_no_value_gets_none_but_its_cause(reader: DiceReader, odd: str, told: int) -> None:
    tally = measure(reader, 300, 10, odd)
    assert tally.odd_valued == 0
    assert tally.told[odd] >= told, tally.told


@pytest.mark.slow  # test_throws_are_read_and_none_wrongly
def test_darker_dice_come_first(reader: DiceReader) -> None:
    for seed in range(100, 110):
        seen = look(reader, throw(seed), loose=False)
        for one, other in itertools.pairwise(seen):
            assert one.bright < other.bright + 0.13


def test_an_empty_table_has_no_dice(reader: DiceReader) -> None:
    assert reader.read(np.full((300, 400, 3), 120, np.uint8)) == ()
    assert read_in_picture(reader, np.full((40, 60, 3), 200, np.uint8), 3.0, 16.0) == ()


def test_places_and_edges_are_in_the_pictures_pixels(reader: DiceReader) -> None:
    thrown, scale = throw(105), throw(105).px_per_mm
    seen = read_in_picture(reader, thrown.picture, scale, 16.0)
    for die in thrown.dice:
        (one,) = (one for one in seen if math.dist((one.x, one.y), (die.x * scale, die.y * scale)) < 2 * scale)
        assert one.value in (die.value, None)
        assert one.edge == pytest.approx(die.edge * scale, rel=0.25)


@pytest.mark.slow  # tests/vision/dice/test_lean.py
@pytest.mark.parametrize("share", [0.8, pytest.param(1.45, marks=pytest.mark.slow)])
def test_a_lens_that_nobody_knows_makes_no_flat_die_lean(reader: DiceReader, share: float) -> None:
    """What lens the camera has can't be told from a mat seen from above: where the sides show is known roughly."""
    read = 0
    for seed in range(100, 112):
        thrown = throw(seed)
        for one in look(reader, thrown, lean=lambda place, camera=thrown.camera: share * lean_at(camera, place)):
            near = [die.value for die in thrown.dice if math.dist((die.x, die.y), (one.x, one.y)) < 0.6 * die.edge]
            assert one.value is None or near == [one.value], seed
            read += one.value is not None
    assert read >= 21


@pytest.mark.parametrize("value", [4, 5, 6])
def test_a_picture_of_a_die_is_read_though_no_side_shows(reader: DiceReader, value: int) -> None:
    for degrees in (0, 20, 40):
        region = cv2.copyMakeBorder(face(PLACES[value], degrees), 60, 60, 60, 60, cv2.BORDER_REPLICATE)
        (one,) = reader.read(np.asarray(region, np.uint8), lambda _: np.array([-0.5, 0.1]))
        assert one.value == value


@pytest.mark.slow  # test_a_die_that_shows_no_value_gets_none_but_its_cause
def test_a_die_that_leans_towards_the_camera_gets_no_value_though_no_side_shows(reader: DiceReader) -> None:
    lean = seen = 0
    for seed in range(1_100_000, 1_100_030):
        thrown = throw(seed, 2, "facing")
        far = [die for die in thrown.dice if np.linalg.norm(lean_at(thrown.camera, (die.x, die.y))) > 0.4]
        lean += len(far)
        for one in look(reader, thrown, loose=False) if far else ():
            near = any(math.dist((die.x, die.y), (one.x, one.y)) < 0.6 * die.edge for die in far)
            assert not (near and one.value), seed
            seen += near
    assert seen >= 0.8 * lean > 10


@pytest.mark.slow  # test_the_tray_of_a_photographed_like_game_is_never_read_wrongly
@pytest.mark.parametrize(
    "page", ["seven", *(pytest.param(page, marks=pytest.mark.slow) for page in ("back", "complete"))]
)
def test_no_die_is_found_on_a_table_of_cards(reader: DiceReader, page: str) -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, 3)
    camera.show(lay_page(page, REFERENCE_MAT_MM, random.Random(page)))
    picture = camera.take_picture()
    assert read_on_mat(reader, picture, find_mat(picture, REFERENCE_MAT_MM), (0.0, 0.0, *REFERENCE_MAT_MM)) == ()


@pytest.mark.slow  # test_throws_are_read_and_none_wrongly
def test_dice_between_cards_are_still_found(reader: DiceReader) -> None:
    camera, cards = SimulatedCamera(REFERENCE_MAT_MM, 3), lay_page("seven", REFERENCE_MAT_MM, random.Random(4))
    dice = [
        Die(1085.0, 330.0 + 70 * k, value, colour) for k, (value, colour) in enumerate(((3, "brown"), (6, "black")))
    ]
    camera.show(cards, Tray((1058.0, 302.0, 1177.0, 540.0), (*dice, Die(1130.0, 480.0, None, "brown"))))
    picture = camera.take_picture()
    seen = read_on_mat(reader, picture, find_mat(picture, REFERENCE_MAT_MM), (0.0, 0.0, *REFERENCE_MAT_MM))
    assert sorted((one.value or 0, one.cause) for one in seen) == [(0, "cocked"), (3, ""), (6, "")]


@pytest.mark.parametrize(("pips", "cause", "found"), [(0, 7, True), (0, 6, False), (2, 6, True)])
def test_what_leans_without_pips_is_print(pips: int, cause: int, found: bool) -> None:
    """A court card's face has an edge like a die's and marks like none; a die without pips lies with its emblem up."""
    odds = np.zeros((4, 10), np.float32)
    odds[:, cause] = 1
    crop, level = np.full((80, 80, 3), 128, np.uint8), np.zeros(2)
    assert bool(judge_finds([Evidence(9, 9, 14, 0.5, crop, odds, level, level, pips, None, None, False)])) == found


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared tables do not lie beside the checkout")
def test_no_die_is_found_among_cards_in_pictures_of_tables(reader: DiceReader) -> None:
    tables = [SHARED / "tables" / name for name in ("reads-a", "finals-a", "opening-wild/frames")]
    some = [path for table in tables for path in sorted(table.glob("00?.jpg"))[::3]]
    for path in [*some, *sorted((SHARED / "photos" / "wood").glob("train_??.jpg"))[::3]]:
        picture = load_picture(path)
        mat = find_mat(picture)
        assert read_on_mat(reader, picture, mat, (0.0, 0.0, *mat.size_mm)) == (), path


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared tables do not lie beside the checkout")
def test_the_tray_of_a_photographed_like_game_is_never_read_wrongly() -> None:
    reader = DiceReader(MODELS, 1)
    right = flat = 0
    for row in map(json.loads, (MINUTES / "truth.jsonl").read_text(encoding="utf-8").splitlines()):
        if "frame" not in row or row.get("hands"):
            continue
        picture = np.asarray(cv2.imread(str(MINUTES / row["frame"])), np.uint8)
        mat = find_mat(picture, (1189.0, 841.0))
        for one in read_on_mat(reader, picture, mat, (1046.0, 290.0, 1189.0, 550.0)):
            near = [die for die in row["dice"] if math.dist((die["x"], die["y"]), (one.x, one.y)) < 10]
            if one.value is not None:
                assert [die["value"] for die in near if not die["cocked"]] == [one.value], row["frame"]
                right += 1
            assert near, row["frame"]
        flat += sum(not die["cocked"] for die in row["dice"])
    assert right == flat
