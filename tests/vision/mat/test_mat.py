import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from rules.text import Language
from tests.vision.mat.mat_scene import (
    CANVAS_PX_PER_MM,
    MARGIN_MM,
    Camera,
    Marker,
    corner_markers,
    draw_canvas,
    jpeg,
    photograph,
)
from tests.words import ja
from vision.errors import MatError
from vision.mat import Mat, find_markers, find_mat, round_to_usual
from vision.picture import load_picture

TABLES = Path(__file__).resolve().parents[3].parent / "shared" / "tables"
CAMERA = Camera()


def error_mm(mat: Mat, camera: Camera) -> tuple[float, float]:
    """RMS and largest distance (mm) between the mat's answer and the truth, all over the mat."""
    w, h = camera.mat_mm
    truth = np.stack(np.meshgrid(np.linspace(0, w, 15), np.linspace(0, h, 15)), axis=-1)
    distances = np.linalg.norm(mat.to_mm(camera.to_px(truth)) - truth, axis=-1)
    return float(np.sqrt((distances**2).mean())), float(distances.max())


@pytest.fixture(scope="module")
def plain() -> np.ndarray:
    """Picture the plain table as the plain camera sees it."""
    return photograph(draw_canvas(CAMERA.mat_mm), CAMERA)


@pytest.fixture(scope="module")
def plain_mat(plain: np.ndarray) -> Mat:
    return find_mat(plain, CAMERA.mat_mm)


def cover(picture: np.ndarray, mat: Mat, *markers: int) -> np.ndarray:
    """Cover those markers in the picture with a sleeve-coloured blob."""
    covered = picture.copy()
    for n in markers:
        middle = mat.marker_px(n).mean(axis=0)
        cv2.circle(covered, (round(middle[0]), round(middle[1])), 60, (40, 60, 150), -1)
    return covered


class Look(NamedTuple):
    """A camera's lens, the mat under it, the light, and what the picture went through."""

    k1: float
    mat: str
    exposure: float
    noise: float
    blur: float
    quality: int


LOOKS = {
    "a dark mat in good light": Look(0.0, "dark", 1.0, 0.01, 0.7, 93),
    "a white mat in dim light": Look(0.03, "white", 0.5, 0.02, 1.0, 80),
    "a printed mat, warm light": Look(-0.03, "print", 0.9, 0.02, 0.7, 75),
    "wood, overexposed": Look(0.05, "wood", 1.5, 0.01, 1.2, 85),
    "cloth, blurred and noisy": Look(-0.02, "green", 0.6, 0.03, 1.4, 70),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_mat_is_right_to_a_tenth_of_a_millimetre(look: Look) -> None:
    camera = Camera(k1=look.k1)
    picture = photograph(
        draw_canvas(camera.mat_mm, mat=look.mat),
        camera,
        exposure=look.exposure,
        noise=look.noise,
        blur_px=look.blur,
        tint=(0.7, 0.95, 1.1),
        falloff=0.3,
    )
    mat = find_mat(jpeg(picture, look.quality), camera.mat_mm)
    rms, worst = error_mm(mat, camera)
    assert rms < 0.1
    assert worst < 0.2
    assert mat.k1 == pytest.approx(camera.k1, abs=0.002)
    assert mat.residual_mm < 0.1
    assert mat.warnings == ()


def test_a_mat_of_unknown_size_is_measured(plain: np.ndarray) -> None:
    mat = find_mat(plain)
    assert mat.size_mm == pytest.approx(CAMERA.mat_mm, abs=0.5)
    assert error_mm(mat, CAMERA)[0] < 0.3


@pytest.mark.slow  # test_the_mat_is_right_to_a_tenth_of_a_millimetre
def test_a_mat_measured_near_the_usual_size_is_taken_for_that(plain_mat: Mat) -> None:
    assert round_to_usual(plain_mat, CAMERA.mat_mm).warnings == ()
    camera = Camera(px_per_mm=1.25, mat_mm=(1198.5, 847.7))
    measured = find_mat(photograph(draw_canvas(camera.mat_mm, cards=0), camera))
    mat = round_to_usual(measured)
    assert mat.size_mm == (1189.0, 841.0)
    there = camera.to_px(np.array([(0.0, 0.0), camera.mat_mm]))
    assert mat.to_px([(0.0, 0.0), mat.size_mm]) == pytest.approx(there, abs=1.5)
    larger = replace(measured, size_mm=(1203.0, 851.0))
    assert round_to_usual(larger) is larger


def test_a_mat_of_plainly_another_size_than_usual_is_warned_of(plain_mat: Mat) -> None:
    other = round_to_usual(plain_mat)
    assert other.size_mm == plain_mat.size_mm
    (words,) = other.warnings
    en, ja = words.said(Language.EN), words.said(Language.JA)
    assert "about 620 × 440 mm, not 1189 × 841 mm" in en
    assert "約620 × 440 mm" in ja


@pytest.mark.few(2)
@pytest.mark.parametrize("turns", range(4))
def test_a_mirrored_picture_is_said_to_be_mirrored_however_it_is_turned(plain: np.ndarray, turns: int) -> None:
    with pytest.raises(MatError, match="The picture is mirrored") as caught:
        find_mat(np.ascontiguousarray(np.rot90(plain[:, ::-1], turns)), CAMERA.mat_mm)
    assert "反転" in ja(caught.value)
    assert find_mat(np.ascontiguousarray(np.rot90(plain, turns))).size_mm


@pytest.mark.slow  # test_the_mat_is_right_to_a_tenth_of_a_millimetre
def test_an_eight_megapixel_picture_of_the_reference_mat() -> None:
    camera = Camera((3280, 2464), (1189.0, 841.0), px_per_mm=2.45, k1=-0.03)
    picture = photograph(draw_canvas(camera.mat_mm, cards=40), camera)
    for given in (None, camera.mat_mm):
        mat = find_mat(picture, given)
        assert error_mm(mat, camera)[0] < 0.3
        assert mat.size_mm == pytest.approx(camera.mat_mm, abs=1)
    assert mat.px_per_mm == pytest.approx(2.45, rel=0.05)
    assert mat.min_px_per_mm < mat.px_per_mm


@pytest.mark.few(1)
@pytest.mark.parametrize(("tilt", "roll"), [(0, 0), (12, -8), (5, 180), (-8, 90)])
def test_any_tilt_and_roll_of_the_camera_will_do(tilt: float, roll: float) -> None:
    camera = Camera(size=(1640, 1640), tilt_deg=tilt, roll_deg=roll, k1=0.01)
    assert error_mm(find_mat(photograph(draw_canvas(camera.mat_mm), camera), camera.mat_mm), camera)[1] < 0.2


def test_markers_glued_a_little_askew_do_not_bend_the_mat() -> None:
    camera = Camera(k1=0.02)
    canvas = draw_canvas(camera.mat_mm, corner_markers(camera.mat_mm, (2.0, -2.5, 1.5, 3.0)))
    mat = find_mat(photograph(canvas, camera), camera.mat_mm)
    assert error_mm(mat, camera)[1] < 0.5
    assert mat.k1 == pytest.approx(0.02, abs=0.003)


def test_there_and_back_is_the_same_place(plain_mat: Mat) -> None:
    bent = Mat(
        plain_mat.size_mm, plain_mat.picture_size, plain_mat.homography, -0.05, plain_mat.markers, plain_mat.residual_px
    )
    random = np.random.default_rng(3)
    points = random.uniform((-30, -30), (650, 470), (200, 2))
    for mat in (plain_mat, bent):
        assert np.abs(mat.to_mm(mat.to_px(points)) - points).max() < 1e-6
    assert plain_mat.to_mm([[10, 20], [30, 40]]).shape == (2, 2)
    assert plain_mat.corners_px.shape == (4, 2)


def test_luma_alone_is_enough(plain: np.ndarray, plain_mat: Mat) -> None:
    assert find_mat(cv2.cvtColor(plain, cv2.COLOR_BGR2GRAY), CAMERA.mat_mm) == plain_mat


# --- wrong tables


WORDS = {0: "0 (top left)", 1: "1 (top right)", 2: "2 (bottom right)", 3: "3 (bottom left)"}


@pytest.mark.few(2)
@pytest.mark.parametrize("hidden", [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2, 3)])
def test_missing_markers_are_named(plain: np.ndarray, plain_mat: Mat, hidden: tuple[int, ...]) -> None:
    with pytest.raises(MatError) as caught:
        find_mat(cover(plain, plain_mat, *hidden))
    for n, words in WORDS.items():
        assert (words in str(caught.value)) == (n in hidden)
    assert "uncover" in str(caught.value)
    assert "マーカー" in ja(caught.value)


def test_a_picture_without_markers_says_so() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (600, 800, 3), np.uint8)
    for picture in (noise, np.zeros((600, 800, 3), np.uint8), np.full((600, 800, 3), 255, np.uint8)):
        with pytest.raises(MatError, match="No markers found"):
            find_mat(picture)


def test_a_contradicting_mat_size_is_refused_and_a_doubtful_one_noted(plain: np.ndarray) -> None:
    with pytest.raises(MatError, match="620 × 440 mm, not 1189 × 841 mm"):
        find_mat(plain, (1189.0, 841.0))
    doubtful = find_mat(plain, (640.0, 440.0))
    assert doubtful.size_mm == (640.0, 440.0)
    assert len(doubtful.warnings) == 1
    assert "620 × 440" in doubtful.warnings[0].said(Language.EN)
    assert "620 × 440" in doubtful.warnings[0].said(Language.JA)


def test_stray_markers_do_not_fool_it() -> None:
    markers = [*corner_markers(CAMERA.mat_mm), Marker(2, (400.0, 300.0)), Marker(0, (120.0, 250.0), 30.0)]
    markers += [Marker(1, (560.0, 200.0), -10.0), Marker(7, (300.0, 200.0))]
    picture = photograph(draw_canvas(CAMERA.mat_mm, markers, cards=0), CAMERA)
    assert len(find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))) == 7
    for given in (None, CAMERA.mat_mm):
        assert error_mm(find_mat(picture, given), CAMERA)[1] < 0.5


def test_markers_in_the_wrong_corners_are_refused() -> None:
    w, h = CAMERA.mat_mm
    swapped = [Marker(0, (50.0, 0.0)), Marker(1, (w - 50.0, h - 50)), Marker(2, (w, 50.0)), Marker(3, (0.0, h))]
    with pytest.raises(MatError, match="corners of a rectangle"):
        find_mat(photograph(draw_canvas(CAMERA.mat_mm, swapped, cards=0), CAMERA))


# --- three markers


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "camera",
    [
        Camera(),
        Camera(tilt_deg=20.0, roll_deg=-8.0),
        Camera(tilt_deg=12.0, roll_deg=95.0, px_per_mm=1.6),
        Camera(k1=0.04),
        Camera(tilt_deg=15.0, k1=-0.05),
        Camera(size=(2592, 1944), mat_mm=(1189.0, 841.0), px_per_mm=1.8, tilt_deg=6.0, k1=0.03),
    ],
    ids=["plain", "tilted", "turned", "barrel", "pincushion", "reference"],
)
def test_the_fourth_corner_follows_from_three_markers(camera: Camera) -> None:
    """Within a millimetre at the corner that nobody sees, and without the mat's size within its measuring error."""
    picture = photograph(draw_canvas(camera.mat_mm), camera)
    whole = find_mat(picture, camera.mat_mm)
    for hidden in range(4):
        covered = cover(picture, whole, hidden)
        mat = find_mat(covered, camera.mat_mm)
        assert [marker.id for marker in mat.markers] == [n for n in range(4) if n != hidden]
        assert error_mm(mat, camera)[1] < 1.0
        assert find_mat(covered).size_mm == pytest.approx(camera.mat_mm, abs=2.5)


def test_a_stray_marker_is_not_taken_for_the_hidden_one(plain: np.ndarray) -> None:
    w, h = CAMERA.mat_mm
    markers = [Marker(0, (0.0, 0.0)), Marker(1, (w, 0.0)), Marker(3, (0.0, h)), Marker(2, (w / 2, h / 2))]
    with pytest.raises(MatError, match="corners of a rectangle"):
        find_mat(photograph(draw_canvas(CAMERA.mat_mm, markers, cards=0), CAMERA), CAMERA.mat_mm)


# --- hands, cups and sleeves


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_hidden_markers_do_not_lose_the_mat(plain: np.ndarray, plain_mat: Mat, count: int) -> None:
    for hidden in itertools.combinations(range(4), count):
        assert find_mat(cover(plain, plain_mat, *hidden), CAMERA.mat_mm, plain_mat) is plain_mat


def test_the_same_scene_with_new_noise_keeps_the_mat(plain_mat: Mat) -> None:
    again = photograph(draw_canvas(CAMERA.mat_mm), CAMERA, noise=0.02, seed=77, exposure=0.8)
    assert find_mat(again, CAMERA.mat_mm, plain_mat) is plain_mat


def test_a_moved_camera_is_measured_again(plain_mat: Mat) -> None:
    for camera in (Camera(shift_px=(12.3, -4.6)), Camera(shift_px=(40.0, 30.0), roll_deg=3.0)):
        mat = find_mat(photograph(draw_canvas(camera.mat_mm), camera), camera.mat_mm, plain_mat)
        assert mat is not plain_mat
        assert error_mm(mat, camera)[1] < 0.2


def test_a_camera_moved_while_two_markers_are_hidden_asks_for_them(plain_mat: Mat) -> None:
    for shift in ((16.0, -4.6), (60.0, 40.0)):
        camera = Camera(shift_px=shift)
        picture = photograph(draw_canvas(camera.mat_mm), camera)
        covered = cover(picture, find_mat(picture), 1, 2)
        with pytest.raises(MatError, match=r"camera moved, and markers 1 \(top right\) and 2 \(bottom right\)"):
            find_mat(covered, camera.mat_mm, plain_mat)


def test_a_camera_moved_while_a_marker_is_hidden_is_measured_from_the_others(plain_mat: Mat) -> None:
    camera = Camera(shift_px=(60.0, 40.0))
    picture = photograph(draw_canvas(camera.mat_mm), camera)
    whole = find_mat(picture)
    for hidden in range(4):
        mat = find_mat(cover(picture, whole, hidden), camera.mat_mm, plain_mat)
        assert [marker.id for marker in mat.markers] == [n for n in range(4) if n != hidden]
        assert error_mm(mat, camera)[1] < 0.5


@pytest.mark.few(1)
@pytest.mark.parametrize("hidden", range(4))
def test_a_marker_uncovered_completes_the_mat(plain: np.ndarray, plain_mat: Mat, hidden: int) -> None:
    covered = cover(plain, plain_mat, hidden)
    three = find_mat(covered, CAMERA.mat_mm)
    assert find_mat(covered, CAMERA.mat_mm, three) is three, "the very same while it stays hidden"
    assert find_mat(cover(plain, plain_mat, (hidden + 1) % 4, hidden), CAMERA.mat_mm, three) is three
    assert find_mat(plain, CAMERA.mat_mm, three) == plain_mat


def test_one_pushed_marker_is_named_while_another_is_hidden(plain_mat: Mat) -> None:
    w, h = CAMERA.mat_mm
    pushed = [Marker(0, (0.0, 0.0)), Marker(1, (w, 0.0)), Marker(2, (w, h)), Marker(3, (8.0, h))]
    picture = cover(photograph(draw_canvas(CAMERA.mat_mm, pushed), CAMERA), plain_mat, 1)
    with pytest.raises(MatError, match=r"^Marker 3 \(bottom left\) moved"):
        find_mat(picture, CAMERA.mat_mm, plain_mat)


def test_one_pushed_marker_does_not_skew_the_mat(plain_mat: Mat) -> None:
    w, h = CAMERA.mat_mm
    pushed = [Marker(0, (0.0, 0.0)), Marker(1, (w, 0.0)), Marker(2, (w, h)), Marker(3, (8.0, h))]
    picture = photograph(draw_canvas(CAMERA.mat_mm, pushed), CAMERA)
    kept = find_mat(picture, CAMERA.mat_mm, plain_mat)
    assert replace(kept, warnings=()) == plain_mat
    assert [str(words) for words in kept.warnings] == [
        "Marker 3 (bottom left) was pushed: lay it back into its corner of the mat."
    ]
    assert find_mat(picture, CAMERA.mat_mm, kept) is kept


@pytest.mark.few(1)
@pytest.mark.parametrize("pushed", range(4))
def test_markers_that_form_no_rectangle_are_told(pushed: int) -> None:
    """A marker was pushed before the first look: which one nobody can tell, but that one was is said."""
    markers = corner_markers(CAMERA.mat_mm)
    x, y = markers[pushed].at_mm
    markers[pushed] = Marker(pushed, (x + (14.0 if x == 0 else -14.0), y))
    mat = find_mat(photograph(draw_canvas(CAMERA.mat_mm, markers), CAMERA), CAMERA.mat_mm)
    assert len(mat.warnings) == 1
    assert "corners of one rectangle" in str(mat.warnings[0])


@pytest.mark.slow  # test_stray_markers_do_not_fool_it
def test_a_finger_on_a_border_does_not_disturb_the_mat(plain: np.ndarray, plain_mat: Mat) -> None:
    """Wherever a finger (or a dark sleeve, a pen) touches a marker, it is measured right or not at all."""
    random = np.random.default_rng(0)
    measured = 0
    for k in range(40):
        fingered = plain.copy()
        middle = plain_mat.marker_px(k % 4).mean(axis=0)
        turn, distance = random.uniform(0, 2 * np.pi), random.uniform(50, 105)
        tip = middle + distance * np.array([np.cos(turn), np.sin(turn)])
        root = tip + 300 * np.array([np.cos(turn), np.sin(turn)])
        colour = [(110, 140, 190), (20, 20, 25), (60, 70, 120)][k % 3]
        ends = [tuple(int(v) for v in end) for end in (tip, root)]
        cv2.line(fingered, ends[0], ends[1], colour, int(random.uniform(25, 60)))
        assert find_mat(fingered, CAMERA.mat_mm, plain_mat) is plain_mat
        try:
            mat = find_mat(fingered, CAMERA.mat_mm)
        except MatError:
            continue
        measured += 1
        assert error_mm(mat, CAMERA)[1] < 1.0
    assert measured > 10


def test_a_previous_mat_of_another_camera_mode_is_not_kept(plain: np.ndarray, plain_mat: Mat) -> None:
    small = cv2.resize(plain, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    mat = find_mat(small, CAMERA.mat_mm, plain_mat)
    assert mat.picture_size == (1230, 924)
    with pytest.raises(ValueError, match="find it anew"):
        plain_mat.rectify(small, 1.0)


# --- sampling


def exact(mat: Mat, picture: np.ndarray, points_mm: np.ndarray) -> np.ndarray:
    """Sample the picture at mat points, without any shortcut."""
    px = mat.to_px(points_mm).astype(np.float32)
    return cv2.remap(picture, px[..., 0].copy(), px[..., 1].copy(), cv2.INTER_LINEAR)


def test_a_patch_shows_the_card_upright_and_in_place() -> None:
    camera = Camera(k1=-0.03)
    canvas = draw_canvas(camera.mat_mm, cards=0)
    s, turn, centre = CANVAS_PX_PER_MM, 30.0, (480.0, 330.0)
    card = np.array(
        [[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44], [-31.5, -44], [-20, -44], [-20, -30], [-31.5, -30]]
    )
    c, n = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    corners = ((card @ np.array([[c, n], [-n, c]]) + centre + MARGIN_MM) * s - 0.5).round().astype(np.int32)
    cv2.fillPoly(canvas, [corners[:4]], (235, 235, 235))
    cv2.fillPoly(canvas, [corners[[0, 5, 6, 7]]], (10, 10, 200))
    picture = photograph(canvas, camera)
    mat = find_mat(picture, camera.mat_mm)
    for px_per_mm in (1.0, 2.5, 4.0):
        patch = mat.cut_patch(picture, centre, turn, (73.0, 98.0), px_per_mm)
        assert patch.shape == (round(98 * px_per_mm), round(73 * px_per_mm), 3)
        bright = patch[:, :, 2] > 172  # halfway in light, where a blurred edge lies
        rows, columns = np.flatnonzero(bright.mean(axis=1) > 0.5), np.flatnonzero(bright.mean(axis=0) > 0.5)
        edges = np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]) / px_per_mm
        assert edges == pytest.approx([5, 5, 68, 93], abs=0.2 + 0.5 / px_per_mm)
        red = (patch[:, :, 2] > 110) & (patch[:, :, 0] < 100)
        y, x = np.argwhere(red).mean(axis=0) / px_per_mm
        assert (x, y) == pytest.approx((10.75, 12), abs=1)


def test_a_patch_is_off_by_less_than_a_tenth_of_a_millimetre() -> None:
    """A picture whose values are its own coordinates shows where a patch's pixels really come from."""
    camera = Camera(k1=0.05)
    mat = find_mat(photograph(draw_canvas(camera.mat_mm), camera), camera.mat_mm)
    w, h = camera.size
    coordinates = np.stack(np.meshgrid(np.arange(w), np.arange(h)), axis=-1)
    for axis in (0, 1):
        value = coordinates[..., axis] % 200
        picture = value.astype(np.uint8)
        patch = mat.cut_patch(picture, (540.0, 370.0), 37.0, (63.0, 88.0), 2.0)
        y, x = np.mgrid[: patch.shape[0], : patch.shape[1]] + 0.5
        dx, dy, turn = x / 2 - 31.5, y / 2 - 44.0, np.radians(37)
        mm = np.stack(
            [540 + dx * np.cos(turn) - dy * np.sin(turn), 370 + dx * np.sin(turn) + dy * np.cos(turn)], axis=-1
        )
        wanted = camera.to_px(mm)[..., axis] % 200
        inner = (wanted > 5) & (wanted < 195)
        off = np.abs(patch.astype(float) - wanted)[inner] / camera.px_per_mm
        assert inner.mean() > 0.5
        # the picture's values are whole: rounding alone is off by up to half a pixel
        assert np.median(off) < 0.15
        assert abs((patch.astype(float) - wanted)[inner].mean()) / camera.px_per_mm < 0.05
        assert off.max() < 0.1 + 0.6 / camera.px_per_mm


def test_the_rectified_mat_agrees_with_the_picture(plain: np.ndarray, plain_mat: Mat) -> None:
    flat = plain_mat.rectify(plain, 2.3)
    assert flat.shape == (round(440 * 2.3), round(620 * 2.3), 3)
    y, x = np.mgrid[: flat.shape[0], : flat.shape[1]] + 0.5
    straight = exact(plain_mat, plain, np.stack([x / 2.3, y / 2.3], axis=-1))
    assert np.abs(flat.astype(int) - straight).mean() < 1.0
    assert np.array_equal(flat, plain_mat.rectify(plain, 2.3))


@pytest.mark.few(1)
@pytest.mark.parametrize("px_per_mm", [0.3, 0.625, 1.25])
def test_a_part_is_as_it_is_in_the_whole(plain: np.ndarray, plain_mat: Mat, px_per_mm: float) -> None:
    noise = np.random.default_rng(3).integers(-40, 40, plain.shape)
    picture = np.clip(plain + noise, 0, 255).astype(np.uint8)
    whole = plain_mat.rectify(picture, px_per_mm)
    h, w = whole.shape[:2]
    for part in ((0, 0, w, h), (0, 0, 9, 7), (w - 11, h - 5, w, h), (w // 3, h // 4, w // 3 + 20, h // 4 + 40)):
        x0, y0, x1, y1 = part
        assert np.array_equal(plain_mat.rectify(picture, px_per_mm, part=part), whole[y0:y1, x0:x1])


def test_a_coarse_rectified_mat_does_not_alias() -> None:
    """Fine stripes must come out as an even grey, not as broad bands."""
    camera = Camera(tilt_deg=1.0)
    mat = find_mat(photograph(draw_canvas(camera.mat_mm), camera), camera.mat_mm)
    w, h = camera.size
    stripes = np.where(np.arange(w) % 2 == 0, 40, 215).astype(np.uint8)
    picture = np.ascontiguousarray(np.broadcast_to(stripes, (h, w)))
    for px_per_mm in (0.4, 0.5, 0.75, 1.0, 1.3):
        whole = mat.rectify(picture, px_per_mm)
        patch = mat.cut_patch(picture, (300.0, 200.0), 20.0, (100.0, 100.0), px_per_mm)
        # what cv2's INTER_AREA leaves of them too
        assert max(whole.std(), patch.std()) < 0.25 * picture.std()
    assert mat.rectify(picture, 2.3).std() > 0.5 * picture.std()


def test_a_patch_beyond_the_picture_is_black(plain: np.ndarray, plain_mat: Mat) -> None:
    for px_per_mm in (0.8, 2.0):
        assert not plain_mat.cut_patch(plain, (5000.0, 5000.0), 10.0, (63.0, 88.0), px_per_mm).any()
        edge = plain_mat.cut_patch(plain, (0.0, 0.0), 0.0, (400.0, 400.0), px_per_mm)
        assert not edge[:3, :3].any()
        assert edge[-3:, -3:].any()


# --- pictures of others


@pytest.mark.shared
@pytest.mark.skipif(not TABLES.is_dir(), reason="the shared tables are not beside the checkout")
def test_every_shared_table_is_found_to_a_tenth_of_a_millimetre() -> None:
    pictures = [*sorted((TABLES / "reads-a").glob("0*.jpg")), TABLES / "opening-a" / "enrol-seven.jpg"]
    pictures.append(TABLES / "reads-a" / "enrol-review.jpg")
    assert pictures
    for path in pictures:
        picture = load_picture(path)
        known, free = find_mat(picture, (1189.0, 841.0)), find_mat(picture)
        assert known.residual_mm < 0.1, path.name
        assert known.warnings == (), path.name
        assert free.size_mm == pytest.approx((1189.0, 841.0), abs=2.0), path.name


@pytest.mark.shared
@pytest.mark.skipif(not TABLES.is_dir(), reason="the shared tables are not beside the checkout")
def test_cards_of_shared_tables_lie_where_the_truth_has_them() -> None:
    """Whole cards' edges, looked for across a patch at the true place, are within 1 mm on the average of each table."""
    for line in (TABLES / "reads-a" / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        picture = load_picture(TABLES / "reads-a" / truth["frame"])
        mat = find_mat(picture, tuple(truth["mat_mm"]))
        offsets = []
        for card in truth["cards"]:
            if card["visible"] < 0.999 or card["card"] == "back":
                continue
            patch = mat.cut_patch(picture, (card["x"], card["y"]), card["angle"], (83.0, 108.0), 4.0)
            profile = np.median(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)[150:300].astype(float), axis=0)
            jumps = np.convolve(profile, [1, 1, 1, 1, 0, -1, -1, -1, -1], "same")
            left, right = np.argmax(jumps[20:60]) + 20, np.argmin(jumps[272:312]) + 272
            if min(jumps[left], -jumps[right]) > 120 and abs(right - left - 252) < 6:
                offsets.append(((left + right + 1) / 2 - 166) / 4)
        assert len(offsets) >= 2, truth["frame"]
        assert abs(float(np.median(offsets))) < 1.0, (truth["frame"], offsets)
