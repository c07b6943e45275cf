"""What lies under the cards: mats of five kinds and the table beyond, as textures; and the four markers."""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator
Picture = np.ndarray

MATS = ("dark", "white", "wood", "cloth", "print")


def _make_cloud(rng: Rng, h: int, w: int, cells: float) -> Picture:
    """Smooth noise of unit spread, (h, w); ``cells`` is how many blobs fit the longer side."""
    scale = max(h, w) / cells
    small = rng.standard_normal((max(2, round(h / scale) + 2), max(2, round(w / scale) + 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC))


def _make_plain(rng: Rng, h: int, w: int, colour: tuple[float, float, float], grain: float) -> Picture:
    picture = np.empty((h, w, 3), np.float32)
    picture[:] = colour
    shade = 1 + 0.05 * _make_cloud(rng, h, w, 5) + grain * rng.standard_normal((h, w)).astype(np.float32)
    return picture * shade[..., None]


def _make_dark(rng: Rng, h: int, w: int) -> Picture:
    colours = ((0.035, 0.035, 0.04), (0.02, 0.035, 0.06), (0.05, 0.03, 0.035), (0.02, 0.045, 0.03))
    return _make_plain(rng, h, w, colours[int(rng.integers(4))], 0.18)


def _make_white(rng: Rng, h: int, w: int) -> Picture:
    colours = ((0.78, 0.78, 0.76), (0.7, 0.68, 0.62), (0.62, 0.65, 0.68))
    return _make_plain(rng, h, w, colours[int(rng.integers(3))], 0.02)


def make_wood(rng: Rng, h: int, w: int) -> Picture:
    """Make boards with a grain that runs along them."""
    tones = ((0.36, 0.2, 0.09), (0.52, 0.36, 0.2), (0.2, 0.1, 0.05), (0.6, 0.46, 0.3))
    tone = np.array(tones[int(rng.integers(4))], np.float32)
    board = int(rng.integers(180, 420))
    picture = np.empty((h, w, 3), np.float32)
    for y0 in range(0, h, board):
        n = min(board, h - y0)
        warp = 2.5 * _make_cloud(rng, n, w, 6)
        rows = np.arange(n, dtype=np.float32)[:, None] / board
        rings = np.sin(2 * np.pi * (rng.uniform(4, 9) * rows + 0.35 * warp + rng.uniform(0, 1)))
        fibre = cv2.GaussianBlur(rng.standard_normal((n, w)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=0.7) * 5
        shade = rng.uniform(0.85, 1.15) * (1 + 0.12 * rings + 0.1 * fibre)
        picture[y0 : y0 + n] = tone * shade[..., None]
        picture[y0 : y0 + 2] *= 0.35
    return picture


def _make_cloth(rng: Rng, h: int, w: int) -> Picture:
    """Make woven cloth, some of it checked or striped."""
    colours = ((0.03, 0.16, 0.07), (0.28, 0.03, 0.04), (0.04, 0.08, 0.25), (0.42, 0.36, 0.26), (0.25, 0.25, 0.27))
    base = np.array(colours[int(rng.integers(5))], np.float32)
    picture = np.empty((h, w, 3), np.float32)
    picture[:] = base
    manner = rng.choice(["felt", "check", "stripe", "linen"])
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    if manner == "check":
        side = rng.uniform(40, 110)
        share = 0.28 * ((x // side) % 2) + 0.28 * ((y // side) % 2)
        picture += share[..., None] * (np.array((0.8, 0.8, 0.78), np.float32) - picture)
    elif manner == "stripe":
        side = rng.uniform(30, 90)
        picture[(x // side) % 3 == 0] = base * 0.45 + 0.25
    if manner == "felt":
        shade = 1 + 0.12 * cv2.GaussianBlur(rng.standard_normal((h, w)).astype(np.float32), (0, 0), 1.2) * 2.5
    else:
        shade = 1 + 0.1 * np.sin(x * 1.7) * np.sin(y * 1.7) + 0.06 * rng.standard_normal((h, w)).astype(np.float32)
    folds = 1 + 0.06 * _make_cloud(rng, h, w, 7)
    return picture * (shade * folds)[..., None]


def _print(rng: Rng, h: int, w: int) -> Picture:
    """Paint a printed playing mat: a coloured picture with bands, discs, frames for the seats and lettering."""
    hues = rng.uniform(0.04, 0.55, (6, 3)).astype(np.float32)
    mixed = np.clip(_make_cloud(rng, h, w, 4)[..., None] * 0.25 + 0.5, 0, 1)
    picture = np.ascontiguousarray(hues[0] * mixed + hues[1] * (1 - mixed), np.float32)
    for _ in range(int(rng.integers(10, 40))):
        colour = tuple(float(c) for c in hues[int(rng.integers(2, 6))])
        centre = (int(rng.integers(w)), int(rng.integers(h)))
        radius = int(rng.uniform(15, 260))
        if rng.random() < 0.5:
            cv2.circle(picture, centre, radius, colour, int(rng.choice([-1, 3, 8])), cv2.LINE_AA)
        else:
            corners = cv2.boxPoints((centre, (radius * 1.5, radius * rng.uniform(0.3, 1.8)), rng.uniform(0, 90)))
            cv2.polylines(picture, [corners.astype(np.int32)], True, colour, int(rng.choice([2, 5, 12])), cv2.LINE_AA)
    lines = tuple(float(c) for c in rng.uniform(0.5, 0.8, 3))
    for share in (0.38, 0.62):
        cv2.line(picture, (0, int(h * share)), (w, int(h * share)), lines, 4)
    words = str(rng.choice(["LAMINATE RUMMY", "SEVEN CLUB", "RESEARCH TABLE"]))
    letters = np.zeros((h, w), np.uint8)
    cv2.putText(letters, words, (int(w * 0.1), int(h * 0.52)), cv2.FONT_HERSHEY_TRIPLEX, h / 500, 255, 6, cv2.LINE_AA)
    picture += letters[..., None].astype(np.float32) / 255 * (np.array(lines, np.float32) - picture)
    return picture


_MAKERS = {"dark": _make_dark, "white": _make_white, "wood": make_wood, "cloth": _make_cloth, "print": _print}


def mat_texture(kind: str, size_mm: tuple[float, float], rng: Rng) -> Picture:
    """Make the reflectance of a mat of that kind, linear RGB (h, w, 3) float32, at 2 px per mm."""
    w, h = round(size_mm[0] * 2), round(size_mm[1] * 2)
    texture: Picture = np.clip(_MAKERS[kind](rng, h, w), 0.01, 0.85)
    return texture


def marker_texture(number: int, border_mm: float) -> Picture:
    """Draw a printed marker with its white border, (n, n, 3) float32 at 6 px per mm."""
    px = 6
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 50 * px)
    border = round(border_mm * px)
    framed = cv2.copyMakeBorder(code, border, border, border, border, cv2.BORDER_CONSTANT, value=255)
    return np.repeat(np.where(framed > 127, 0.82, 0.035).astype(np.float32)[..., None], 3, axis=2)
