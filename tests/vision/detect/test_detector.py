"""The networks' files and the detector's maps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import models
from vision.detect.corners import corner_of_card, has_partner
from vision.detect.detector import Detector, _decode
from vision.detect.suppression import list_unsuppressed, suppress_non_maxima
from vision.geometry import DETECTOR_PX_PER_MM
from vision.identify.embedder import Embedder
from vision.model_files import ModelError


def test_a_missing_model_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"detector\.onnx is missing"):
        Detector(tmp_path).detect(np.zeros((64, 64, 3), np.uint8))


def test_a_damaged_model_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "embedder.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match=r"embedder\.onnx is damaged"):
        Embedder(tmp_path).embed([np.zeros((56, 160, 3), np.uint8)])


def test_no_crops_no_embeddings(tmp_path: Path) -> None:
    assert len(Embedder(tmp_path).embed([])) == 0


def test_crops_are_embedded_some_at_a_time_as_each_alone() -> None:
    """The next are described in another thread meanwhile: each comes with its own crops, in their order."""
    embedder = Embedder(Path(models.__file__).parent)
    crops = list(np.random.default_rng(5).integers(0, 256, (37, 56, 160, 3), np.uint8))
    embeddings = embedder.embed(crops)
    assert len(embeddings) == 37
    upto = 0
    for some, ahead in embedder.embed_ahead(crops):
        assert (some.start, len(ahead)) == (upto, len(crops[some]))
        assert ahead.vectors == pytest.approx(embeddings.vectors[some], abs=1e-5)
        upto = some.start + len(ahead)
    assert upto == 37
    for k in (0, 16, 36):
        alone = embedder.embed([crops[k]])
        assert alone.vectors[0] == pytest.approx(embeddings.vectors[k], abs=1e-5)
        assert alone.rank[0] == pytest.approx(embeddings.rank[k], abs=1e-4)


def test_a_peak_becomes_a_corner_in_millimetres() -> None:
    maps = np.full((8, 40, 50), -6.0, np.float32)
    maps[1:5] = 0
    maps[:, 12, 20] = (3.0, 0.25, -0.25, 0.0, 1.0, 0.1, 4.0, 0.2)
    (corner,) = _decode(maps)
    scale = 4 / DETECTOR_PX_PER_MM
    assert (corner.x, corner.y) == pytest.approx((20.75 * scale, 12.25 * scale))
    assert corner.angle == pytest.approx(90)
    assert corner.kind == "paper"


def test_of_two_peaks_on_one_corner_the_surer_stays() -> None:
    maps = np.full((8, 40, 50), -6.0, np.float32)
    maps[1:5] = 0
    maps[0, 10, 10], maps[0, 10, 12], maps[0, 10, 17] = 2.0, 1.0, 1.5
    corners = list_unsuppressed(_decode(maps))
    assert [round(e.score, 2) for e in corners] == [0.88, 0.82]


def test_a_detection_on_the_suit_mark_is_no_corner_of_its_own() -> None:
    maps = np.full((8, 40, 50), -6.0, np.float32)
    maps[1:5] = 0
    maps[3] = 1
    maps[0, 10, 10], maps[0, 14, 10], maps[0, 20, 10], maps[0, 25, 10], maps[0, 29, 10] = 2.0, -0.5, 2.0, 1.5, 1.4
    corners = _decode(maps)
    assert sorted((int(e.y / 3.2), e.suppressed) for e in corners) == [
        (10, False), (14, True), (20, False), (25, False), (29, True),
    ]  # fmt: skip
    assert [int(e.y / 3.2) for e in list_unsuppressed(corners)] == [10, 20, 25]


def test_a_second_detection_of_a_corner_or_of_a_suppressed_one_is_nothing() -> None:
    corner = corner_of_card(100, 100, 0, 0.9)
    mark, beside_it, on_it = (replace(corner, y=corner.y + y, score=s) for y, s in ((12, 0.6), (15, 0.45), (3, 0.8)))
    marked = suppress_non_maxima([beside_it, mark, on_it, corner])
    assert marked == [corner, replace(mark, suppressed=True)]
    gone = suppress_non_maxima(marked[1:])
    assert gone == [mark]


def test_in_a_fan_the_next_card_may_come_sooner() -> None:
    maps = np.full((8, 40, 50), -6.0, np.float32)
    maps[1:5] = 0
    maps[3] = 1
    maps[0, 10, 10], maps[0, 10, 14] = 2.0, 1.5
    assert [int(e.x / 3.2) for e in _decode(maps)] == [10, 14]


def test_a_faint_corner_counts_where_the_other_corner_of_its_card_is_seen_too() -> None:
    upper, lower = corner_of_card(100, 100, 10, 0.13), corner_of_card(101, 100, 191, 0.15)
    astray = corner_of_card(112, 100, 190, 0.15)
    assert has_partner(upper, [upper, lower])
    assert has_partner(lower, [upper, lower])
    assert not has_partner(upper, [upper, astray])
    assert not has_partner(upper, [upper])
