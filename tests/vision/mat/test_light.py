import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.mat.mat_scene import CANVAS_PX_PER_MM, MARGIN_MM, Camera, draw_canvas, photograph
from tests.words import ja
from vision.config import CONFIG
from vision.errors import LightError
from vision.mat import Mat, find_mat
from vision.mat.light import Light
from vision.picture import load_picture

TABLES = Path(__file__).resolve().parents[3].parent / "shared" / "tables"
CAMERA = Camera()
SHEETS = [(110.0, 90.0), (310.0, 220.0), (500.0, 110.0), (120.0, 340.0), (500.0, 340.0)]
"""Where sheets of the markers' own paper lie on the test table (mm)."""


def table() -> np.ndarray:
    canvas = draw_canvas(CAMERA.mat_mm, cards=0)
    for x, y in SHEETS:
        left, top = (round((v + MARGIN_MM - 40) * CANVAS_PX_PER_MM) for v in (x, y))
        cv2.rectangle(canvas, (left, top), (left + 80 * CANVAS_PX_PER_MM, top + 80 * CANVAS_PX_PER_MM), (245,) * 3, -1)
    return canvas


def shot(**light: object) -> np.ndarray:
    return photograph(table(), CAMERA, **light)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def mat() -> Mat:
    return find_mat(shot(), CAMERA.mat_mm)


def sheets(flat: np.ndarray, px_per_mm: float) -> np.ndarray:
    """Return the mean colour (5, 3) of each sheet in a rectified mat."""
    found = []
    for x, y in SHEETS:
        c, r, half = round(x * px_per_mm), round(y * px_per_mm), round(30 * px_per_mm)
        found.append(flat[r - half : r + half, c - half : c + half].reshape(-1, 3).mean(axis=0))
    return np.array(found)


LIGHTS = {
    "daylight": {"exposure": 0.8},
    "a warm lamp to one side": {"exposure": 0.7, "tint": (0.45, 0.8, 1.1), "falloff": 0.5},
    "a blue and dim evening": {"exposure": 0.3, "tint": (1.2, 0.9, 0.7), "falloff": 0.3, "noise": 0.02},
}


@pytest.mark.few(1)
@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_paper_comes_out_white_and_even(light: dict[str, object], mat: Mat) -> None:
    picture = shot(**light)
    measured = Light.measure(picture, mat)
    flat = mat.rectify(picture, 1.0)
    before, after = sheets(flat, 1.0), sheets(measured.correct_mat(flat, 1.0), 1.0)
    assert np.abs(after - CONFIG.mat.light.paper_white).max() < 0.09 * CONFIG.mat.light.paper_white
    assert np.abs(after - after.mean(axis=1, keepdims=True)).max() < 4
    if "falloff" in light:
        assert before[:, 1].max() / before[:, 1].min() > 1.08
        assert after[:, 1].max() / after[:, 1].min() < 1.07


def test_patch_and_mat_are_corrected_alike(mat: Mat) -> None:
    picture = shot(exposure=0.6, tint=(0.6, 0.9, 1.1), falloff=0.4)
    light = Light.measure(picture, mat)
    whole = sheets(light.correct_mat(mat.rectify(picture, 2.0), 2.0), 2.0)
    for (x, y), mean in zip(SHEETS, whole, strict=True):
        patch = light.correct_patch(mat.cut_patch(picture, (x, y), 20.0, (40.0, 40.0), 2.0), (x, y))
        assert patch.reshape(-1, 3).mean(axis=0) == pytest.approx(mean, abs=2.0)
        gain = light.gain_at((x, y))
        assert gain * light.white_at((x, y)) == pytest.approx(CONFIG.mat.light.paper_white)


def test_a_part_of_the_mat_is_corrected_as_in_the_whole(mat: Mat) -> None:
    picture = shot(exposure=0.6, tint=(0.6, 0.9, 1.1), falloff=0.4)
    light = Light.measure(picture, mat)
    flat = mat.rectify(picture, 1.0)
    whole = light.correct_mat(flat, 1.0)
    part = light.correct_mat(np.ascontiguousarray(flat[90:170, 40:300]), 1.0, origin_px=(40, 90))
    assert np.abs(part.astype(int) - whole[90:170, 40:300]).max() <= 1


def test_print_under_a_veil_of_glare_keeps_its_contrast(mat: Mat) -> None:
    canvas = table()
    x, y = SHEETS[1]
    left, top = (round((v + MARGIN_MM) * CANVAS_PX_PER_MM) for v in (x, y))
    for k in (-20, 0, 20):  # three bars of ink on the sheet in the middle
        ends = ((left + k * CANVAS_PX_PER_MM, top + s * 25 * CANVAS_PX_PER_MM) for s in (-1, 1))
        cv2.line(canvas, *ends, (90, 90, 90), 4 * CANVAS_PX_PER_MM)
    picture = photograph(canvas, CAMERA, exposure=0.4)
    light = Light.measure(picture, mat)
    bar = mat.to_px([(x, y)])[0]
    height, width = picture.shape[:2]
    away = np.square(np.mgrid[:height, :width] - np.array(bar)[::-1, None, None]).sum(axis=0)
    glare = 60 * np.exp(-away / (2 * 150.0**2))
    veiled = np.clip(picture + glare[..., None], 0, 255).astype(np.uint8)
    assert veiled.max() < 250, "the camera saw it all"

    def contrast(of: np.ndarray) -> tuple[float, float]:
        flat = light.correct_mat(mat.rectify(of, 1.25), 1.25)
        patch = light.correct_patch(mat.cut_patch(of, (x, y), 0.0, (60, 24), 2.5), (x, y))
        found = []
        for cut, scale, at in ((flat, 1.25, (x, y)), (patch, 2.5, (30, 12))):
            c, r = (round(v * scale) for v in at)
            step = round(10 * scale)
            found.append(float(cut[r - 2 : r + 3, c + step].mean() - cut[r - 2 : r + 3, c].mean()))
        return found[0], found[1]

    def veil(of: np.ndarray) -> float:
        return light.veil_over(mat.cut_patch(of, (x, y), 0.0, (60, 24), 2.5), (x, y))

    assert veil(picture) < 5
    assert veil(veiled) > 40
    clear, under = contrast(picture), contrast(veiled)
    assert min(clear) > 80
    assert all(seen > 0.85 * whole for seen, whole in zip(under, clear, strict=True))


def test_a_border_half_in_glare_is_measured_on_its_clear_half(mat: Mat) -> None:
    picture = shot(exposure=0.6)
    clean = Light.measure(picture, mat)
    glare = picture.copy()
    middle = mat.marker_px(1).mean(axis=0)
    cv2.rectangle(
        glare,
        (round(middle[0]), round(middle[1]) - 150),
        (round(middle[0]) + 150, round(middle[1]) + 150),
        (255,) * 3,
        -1,
    )
    light = Light.measure(glare, mat)
    assert light.saturated > clean.saturated + 0.05
    points = np.array(SHEETS)
    assert light.white_at(points) == pytest.approx(clean.white_at(points), rel=0.04)


def test_covered_markers_do_not_count(mat: Mat) -> None:
    picture = shot(exposure=0.7, tint=(0.7, 0.9, 1.0))
    clean = Light.measure(picture, mat)
    covered = picture.copy()
    for n, count in ((2, 3), (0, 2), (1, 1)):
        middle = mat.marker_px(n).mean(axis=0)
        cv2.circle(covered, (round(middle[0]), round(middle[1])), 95, (70, 100, 180), -1)
        light = Light.measure(covered, mat)
        assert len(light.borders) == count
        assert light.white_at(SHEETS) == pytest.approx(clean.white_at(SHEETS), rel=0.05)
    middle = mat.marker_px(3).mean(axis=0)
    cv2.circle(covered, (round(middle[0]), round(middle[1])), 95, (70, 100, 180), -1)
    with pytest.raises(LightError, match="uncover the markers") as caught:
        Light.measure(covered, mat)
    assert "白い縁" in ja(caught.value)


def test_overexposure_and_haze_are_told(mat: Mat) -> None:
    good = Light.measure(shot(exposure=0.7), mat)
    assert good.saturated < 0.05
    assert good.black < 60
    assert Light.measure(shot(exposure=1.6), mat).saturated > 0.9
    picture = shot(exposure=0.5)
    hazy = (picture.astype(np.uint16) // 2 + 100).astype(np.uint8)
    assert Light.measure(hazy, mat).black > 120
    assert Light.measure(shot(exposure=0.8, falloff=0.5), mat).evenness < good.evenness - 0.1


def test_a_part_of_a_few_pixels_is_corrected_too(mat: Mat) -> None:
    light = Light.measure(shot(), mat)
    few = np.full((3, 5, 3), 120, np.uint8)
    assert light.correct_mat(few, 1.0).shape == light.correct_patch(few, (300, 200)).shape == few.shape


def test_light_needs_colours(mat: Mat) -> None:
    with pytest.raises(ValueError, match="colour"):
        Light.measure(np.zeros((1232, 1640), np.uint8), mat)


@pytest.mark.shared
@pytest.mark.skipif(not TABLES.is_dir(), reason="the shared tables are not beside the checkout")
def test_cards_of_shared_tables_come_out_near_white_and_neutral() -> None:
    for line in (TABLES / "reads-a" / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        picture = load_picture(TABLES / "reads-a" / truth["frame"])
        mat = find_mat(picture, tuple(truth["mat_mm"]))
        light = Light.measure(picture, mat)
        assert len(light.borders) == 4
        paper = []
        for card in truth["cards"]:
            if card["visible"] > 0.999 and card["card"] != "back":
                at = (card["x"], card["y"])
                patch = light.correct_patch(mat.cut_patch(picture, at, card["angle"], (50.0, 75.0), 1.5), at)
                paper.append(np.median(patch.reshape(-1, 3), axis=0))
        colours = np.array(paper)
        assert colours.min() > 0.85 * CONFIG.mat.light.paper_white, truth["frame"]
        assert np.abs(colours - colours.mean(axis=1, keepdims=True)).max() < 8, truth["frame"]
