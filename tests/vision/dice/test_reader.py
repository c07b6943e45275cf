"""The dice reader with the networks that ship with the program, on throws that another renderer draws."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.bench_dice import MODELS, look, measure
from tests.dice_scenes import throw
from vision.dice import DiceReader, read_in_picture, read_on_mat
from vision.mat import find_mat

SHARED = Path(__file__).resolve().parents[4] / "shared" / "tables" / "opening-minutes"


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader(MODELS, 1)


@pytest.mark.parametrize("loose", [False, True])
def test_throws_are_read_and_none_wrongly(reader: DiceReader, loose: bool) -> None:
    tally = measure(reader, 100, 15, loose=loose)
    assert tally.misread == tally.invented == 0
    # The others are said to be unread; bench_dice tells the share over many throws.
    assert tally.read >= 28, tally.why


@pytest.mark.parametrize(("odd", "told"), [("emblem", 15), ("hidden", 3), ("cocked", 17)])
def test_a_die_that_shows_no_value_gets_none_but_its_cause(reader: DiceReader, odd: str, told: int) -> None:
    tally = measure(reader, 300, 10, odd)
    assert tally.odd_valued == 0
    assert tally.told[odd] >= told, tally.told


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


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared tables do not lie beside the checkout")
def test_the_tray_of_a_photographed_like_game_is_never_read_wrongly() -> None:
    reader = DiceReader(MODELS, 1)
    right = flat = 0
    for row in map(json.loads, (SHARED / "truth.jsonl").read_text(encoding="utf-8").splitlines()):
        if "frame" not in row or row.get("hands"):
            continue
        picture = np.asarray(cv2.imread(str(SHARED / row["frame"])), np.uint8)
        mat = find_mat(picture, (1189.0, 841.0))
        for one in read_on_mat(reader, picture, mat, (1046.0, 290.0, 1189.0, 550.0)):
            near = [die for die in row["dice"] if math.dist((die["x"], die["y"]), (one.x, one.y)) < 10]
            if one.value is not None:
                assert [die["value"] for die in near if not die["cocked"]] == [one.value], row["frame"]
                right += 1
            assert near, row["frame"]
        flat += sum(not die["cocked"] for die in row["dice"])
    assert right == flat
