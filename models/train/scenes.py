"""Scenes: patches of a table with cards of invented decks on it, as a camera sees them after the mat is straightened.

A patch is drawn at the camera's own resolution (2 to 4 px per mm), lit, blurred, made noisy and squeezed through JPEG
there, and only then brought to the scales at which the networks work, as in the real chain.
Frame of a patch: millimetres from its top left corner, x right, y down; angles in degrees clockwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.decks import CARD_MM, NAMES, PAPERS, PX_PER_MM, SEVEN, Deck, Image

PATCH_MM = 204.8
ANCHOR_MM = (9.0, 9.0)
"""Where a corner's anchor lies, from the card's own corner there."""

_CORNER_BOX = (1.0, 17.0, 1.0, 15.0)
_CROP_BOX = (4.0, 59.0, 2.0, 17.0)


@dataclass(frozen=True)
class Placed:
    """A card laid on the patch: its deck, name, centre in mm, angle in degrees."""

    deck: Deck
    name: str
    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Scene:
    """One patch: the picture (n, n, 3) BGR uint8, its px per mm, every corner that shows, and what lies where.

    ``ids`` (n, n) has of each pixel the number of the card that is seen there; below 0 is none.
    """

    picture: Image
    scale: float
    corners: list[Corner]
    ids: NDArray[np.int16]
    light: NDArray[np.float32]
    """How bright it is in each quarter (2, 2, 3), 1 where white is white, as a mat's markers tell it."""


@dataclass(frozen=True)
class Corner:
    """One corner of a card that shows: anchor in mm, the angle seen from it, and what lies there.

    ``turned`` is the card's lower one. ``corner_shown`` is the share of its index that shows, ``crop_shown`` that of
    its whole crop.
    """

    x: float
    y: float
    angle: float
    name: str
    turned: bool
    corner_shown: float
    crop_shown: float
    deck: Deck
    number: int = -1
    """The card's number among those of its patch."""


def rotate(x: float, y: float, degrees: float) -> tuple[float, float]:
    """Turn a vector clockwise in the picture (y down)."""
    a = math.radians(degrees)
    return x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)


def _stack(
    deck: Deck, names: list[str], x: float, y: float, angle: float, step: tuple[float, float], rng: np.random.Generator
) -> list[Placed]:
    """Stack cards one upon the other, each a step (card frame, mm) from the one before, sloppily."""
    out = []
    cx = cy = 0.0
    slop = rng.uniform(0.3, 2.2)
    turn = rng.uniform(0.2, 3.5)
    for name in names:
        dx, dy = rotate(cx + rng.normal(0, slop), cy + rng.normal(0, slop), angle)
        out.append(Placed(deck, name, x + dx, y + dy, angle + rng.normal(0, turn)))
        gap = rng.uniform(1.5, 3) if rng.random() < 0.06 else 1.0
        cx, cy = cx + step[0] * gap * rng.uniform(0.85, 1.2), cy + step[1] * gap * rng.uniform(0.85, 1.2)
    return out


def _lay_thanks(deck: Deck, angle: float, rng: np.random.Generator) -> list[Placed]:
    """Lay backs fanned sideways so that they can be counted; the first or the last lies on top."""
    step = rotate(rng.uniform(8, 45), rng.normal(0, 2), angle)
    x, y = rng.uniform(20, PATCH_MM - 20, 2)
    fan = [
        Placed(deck, "back", x + k * step[0], y + k * step[1], angle + rng.normal(0, 2.5))
        for k in range(int(rng.integers(1, 5)))
    ]
    return fan if rng.random() < 0.5 else fan[::-1]


def _lay_hand(deck: Deck, cards: list[str], rng: np.random.Generator) -> list[Placed]:
    """Lay cards open as they are held: short steps, each turned against the one before, either end on top."""
    step, turn = rng.uniform(8, 25), rng.uniform(0, 12) if rng.random() < 0.6 else rng.normal(0, 1.5)
    across = rng.random() < 0.7
    angle = float(rng.choice([0, 180, 90, 270])) + rng.normal(0, 8)
    (x, y), length = rng.uniform(20, PATCH_MM - 20, 2), int(rng.integers(3, 10))
    out = []
    for _ in range(min(length, len(cards))):
        out.append(Placed(deck, cards.pop(), x + rng.normal(0, 1), y + rng.normal(0, 1), angle + rng.normal(0, 1)))
        dx, dy = rotate(*((step, rng.normal(0, 1)) if across else (rng.normal(0, 1), step)), angle)
        x, y, angle = x + dx, y + dy, angle + turn
    return out if rng.random() < 0.5 else out[::-1]


def _lay_out(deck: Deck, rng: np.random.Generator) -> list[Placed]:
    """Choose what lies on the patch; later cards lie on top of earlier ones."""
    cards = list(rng.permutation(SEVEN))
    kind = rng.choice(
        ["columns", "columns2", "row", "fan", "hand", "across", "pile", "loose", "page"],
        p=[0.3, 0.12, 0.1, 0.08, 0.12, 0.08, 0.08, 0.07, 0.05],
    )
    papers = [f"{p}/{rng.choice(['review', 'complete'])}" for p in rng.permutation(PAPERS)]
    base = float(rng.choice([0, 180, 90, 270], p=[0.42, 0.38, 0.1, 0.1])) + rng.normal(0, 3)
    if rng.random() < 0.12:
        base = rng.uniform(0, 360)
    mid = PATCH_MM / 2
    out: list[Placed] = []
    if kind in ("columns", "columns2", "row", "fan"):
        n = int(rng.integers(1, 5))
        pitch_x = rng.uniform(66, 84) if kind != "row" else 94.0
        if kind == "fan":
            pitch_x = rng.uniform(85, 110)
        x0 = -(n - 1) / 2 * pitch_x + rng.uniform(-30, 30)
        for k in range(n):
            tilt = rng.normal(0, 3.5) if rng.random() < 0.8 else rng.uniform(-10, 10)
            length = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 9], p=[0.24, 0.2, 0.17, 0.13, 0.1, 0.07, 0.05, 0.04]))
            names = [cards.pop() for _ in range(min(length, len(cards)))]
            if rng.random() < 0.9:
                names.insert(0, papers.pop())
            step = (0.0, rng.uniform(16, 26))
            if kind == "row":
                step = (rng.uniform(16, 26), 0.0)
            elif kind == "fan":
                step = (rng.uniform(-12, 12), rng.uniform(14, 24))
            dy = rng.uniform(-70, 30)
            if kind == "columns2" and k % 2:
                dy += rng.uniform(90, 130)
            across = (x0 + k * pitch_x, dy) if kind != "row" else (rng.uniform(-80, 0), x0 + k * pitch_x)
            px, py = rotate(*across, base)
            out += _stack(deck, names, mid + px, mid + py, base + tilt, step, rng)
    elif kind == "hand":
        for _ in range(int(rng.integers(1, 3))):
            out += _lay_hand(deck, cards, rng)
    elif kind == "across":
        for _ in range(int(rng.integers(2, 5))):
            x, y = rng.uniform(40, PATCH_MM - 40, 2)
            out.append(Placed(deck, cards.pop(), x, y, base + rng.normal(0, 5)))
            dx, dy = rotate(rng.choice([-1, 1]) * rng.uniform(20, 58), rng.uniform(-45, 45), base)
            out.append(Placed(deck, cards.pop(), x + dx, y + dy, base + rng.choice([0, 90]) + rng.normal(0, 8)))
    elif kind == "pile":
        at = rng.uniform(50, PATCH_MM - 50, 2)
        slop = rng.uniform(1, 6)
        for _ in range(int(rng.integers(1, 7))):
            out.append(
                Placed(
                    deck, cards.pop(), at[0] + rng.normal(0, slop), at[1] + rng.normal(0, slop), base + rng.normal(0, 4)
                )
            )
        dx, dy = rotate(-rng.uniform(75, 100), rng.normal(0, 4), base)
        for _ in range(int(rng.integers(0, 5))):
            out.append(
                Placed(
                    deck,
                    "back",
                    at[0] + dx + rng.normal(0, 1),
                    at[1] + dy + rng.normal(0, 1),
                    base + rng.normal(0, 1.5),
                )
            )
    elif kind == "page":
        pitch = (rng.uniform(85, 112), rng.uniform(100, 132))
        ox, oy = rng.uniform(0, 90, 2)
        seven = rng.random() < 0.6
        for gx in range(3):
            for gy in range(3):
                name = cards.pop() if seven else papers.pop() if papers else "back"
                out.append(
                    Placed(
                        deck,
                        name,
                        ox + gx * pitch[0] + rng.normal(0, 1.5),
                        oy + gy * pitch[1] + rng.normal(0, 1.5),
                        rng.normal(0, 1.5),
                    )
                )
    if rng.random() < (0.7 if kind == "pile" else 0.2):
        out += _lay_thanks(deck, base, rng)
    if kind == "loose" or rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 5))):
            name = rng.choice([cards.pop(), papers.pop() if papers else "back", "back"], p=[0.6, 0.2, 0.2])
            out.append(Placed(deck, str(name), rng.uniform(0, PATCH_MM), rng.uniform(0, PATCH_MM), rng.uniform(0, 360)))
    return out


def _make_noise(shape: tuple[int, int], cells: float, rng: np.random.Generator) -> NDArray[np.float32]:
    h, w = shape
    small = rng.standard_normal((max(2, int(h / cells) + 2), max(2, int(w / cells) + 2))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)


def _make_ground(n: int, scale: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Make a mat or table top of n × n px, BGR float."""
    kind = rng.choice(["plain", "weave", "wood", "print", "blotch"], p=[0.3, 0.18, 0.22, 0.18, 0.12])
    bright = rng.choice([rng.uniform(8, 60), rng.uniform(60, 180), rng.uniform(190, 250)], p=[0.42, 0.3, 0.28])
    hsv = np.uint8([[[rng.integers(180), int(rng.choice([rng.uniform(0, 50), rng.uniform(50, 220)])), int(bright)]]])
    colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    img = np.empty((n, n, 3), np.float32)
    img[:] = colour
    yy, xx = np.mgrid[:n, :n].astype(np.float32) / np.float32(scale)
    if kind == "weave":
        p = rng.uniform(0.8, 3)
        img *= 1 + rng.uniform(0.05, 0.3) * (np.sin(xx * 6.28 / p) * np.sin(yy * 6.28 / p))[..., None]
    elif kind == "wood":
        if rng.random() < 0.5:
            xx, yy = yy, xx
        warp = _make_noise((n, n), 40 * scale / 2, rng) * rng.uniform(2, 10)
        rings = np.sin((yy + warp) * 6.28 / rng.uniform(3, 18) + _make_noise((n, n), 60, rng))
        img[:] = np.float32([rng.uniform(20, 120), rng.uniform(40, 150), rng.uniform(70, 200)]) * np.float32(
            rng.uniform(0.4, 1.2)
        )
        img *= 1 + rng.uniform(0.05, 0.3) * rings[..., None]
        if rng.random() < 0.4:
            board = int(rng.uniform(0, n))
            img[max(0, board - 1) : board + 2] *= 0.4
    elif kind == "print":
        sheet = np.clip(img, 0, 255).astype(np.uint8)
        for _ in range(int(rng.integers(3, 25))):
            c = tuple(float(v) for v in rng.uniform(0, 255, 3))
            a, b = (tuple(int(v) for v in rng.integers(-50, n + 50, 2)) for _ in range(2))
            shape = rng.integers(4)
            if shape == 0:
                cv2.line(sheet, a, b, c, int(rng.integers(1, 12)), cv2.LINE_AA)
            elif shape == 1:
                cv2.circle(sheet, a, int(rng.uniform(3, 60) * scale / 2), c, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
            elif shape == 2:
                cv2.rectangle(sheet, a, b, c, int(rng.choice([1, 2, 4])), cv2.LINE_AA)
            else:
                cv2.putText(
                    sheet,
                    "".join(rng.choice(list("AKQJ0123456789ESVN"), 3)),
                    a,
                    int(rng.integers(8)),
                    rng.uniform(0.5, 3),
                    c,
                    int(rng.integers(1, 4)),
                    cv2.LINE_AA,
                )
        img = sheet.astype(np.float32)
        if rng.random() < 0.6:
            img = cv2.GaussianBlur(img, (0, 0), rng.uniform(0.6, 6))
    elif kind == "blotch":
        img *= 1 + 0.25 * _make_noise((n, n), rng.uniform(6, 60), rng)[..., None]
    img *= 1 + rng.uniform(0.0, 0.06) * _make_noise((n, n), 1.5, rng)[..., None]
    return img


def _draw_marker(img: NDArray[np.float32], scale: float, rng: np.random.Generator) -> None:
    side = round(50 * scale)
    marker = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), int(rng.integers(4)), side
    )
    pad = round(rng.uniform(8, 14) * scale)
    tile = cv2.copyMakeBorder(marker, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=245).astype(np.float32) * 0.93 + 14
    x, y = (int(v) for v in rng.integers(-side, img.shape[0], 2))
    h = tile.shape[0]
    a, b, c, d = max(0, y), min(img.shape[0], y + h), max(0, x), min(img.shape[1], x + h)
    if a < b and c < d:
        img[a:b, c:d] = tile[a - y : b - y, c - x : d - x, None]


_CORNERS: dict[float, NDArray[np.float32]] = {}


def _card_mask(radius_mm: float) -> NDArray[np.float32]:
    key = round(radius_mm, 1)
    if key not in _CORNERS:
        w, h = round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM)
        r = max(1, round(key * PX_PER_MM))
        m = np.zeros((h, w), np.uint8)
        cv2.rectangle(m, (r, 0), (w - 1 - r, h - 1), 255, -1)
        cv2.rectangle(m, (0, r), (w - 1, h - 1 - r), 255, -1)
        for cx, cy in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
            cv2.circle(m, (cx, cy), r, 255, -1, cv2.LINE_AA)
        _CORNERS[key] = m.astype(np.float32) / 255
    return _CORNERS[key]


def _lay(
    img: NDArray[np.float32],
    ids: NDArray[np.int16],
    k: int,
    card: Placed,
    scale: float,
    look: dict[str, float],
    rng: np.random.Generator,
) -> None:
    """Draw card k onto the patch with its shadow, and mark its pixels in the id map."""
    face = card.deck.faces[card.name]
    fh, fw = face.shape[:2]
    n = img.shape[0]
    a = math.radians(card.angle)
    s = scale / PX_PER_MM
    cos, sin = math.cos(a) * s, math.sin(a) * s
    m = np.array(
        [
            [cos, -sin, card.x * scale - (cos * fw - sin * fh) / 2],
            [sin, cos, card.y * scale - (sin * fw + cos * fh) / 2],
        ]
    )
    corners = np.array([[0, 0, 1], [fw, 0, 1], [0, fh, 1], [fw, fh, 1]]) @ m.T
    x0, y0 = np.floor(corners.min(0)).astype(int) - 8
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 9
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(n, x1), min(n, y1)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    local = m.copy()
    local[:, 2] -= (x0, y0)
    size = (int(x1 - x0), int(y1 - y0))
    mode = cv2.INTER_AREA if s < 0.7 else cv2.INTER_LINEAR
    src = cv2.GaussianBlur(face, (0, 0), 0.45 / s) if s < 0.8 else face
    drawn = cv2.warpAffine(
        src, local, size, flags=cv2.INTER_LINEAR if mode == cv2.INTER_AREA else mode, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    mask = cv2.warpAffine(_card_mask(card.deck.corner_mm), local, size, flags=cv2.INTER_LINEAR)
    view = img[y0:y1, x0:x1]
    if look["shadow"] > 0.02:
        blur = look["shadow_mm"] * scale
        shifted = np.float32([[1, 0, look["sx"] * scale], [0, 1, look["sy"] * scale]])
        shade = cv2.GaussianBlur(cv2.warpAffine(mask, shifted, size), (0, 0), max(0.6, blur))
        view *= 1 - look["shadow"] * shade[..., None]
    bend = rng.normal(0, look["bend"])
    if abs(bend) > 0.004:
        along = (
            np.linspace(-1, 1, size[1], dtype=np.float32)[:, None]
            if rng.random() < 0.6
            else np.linspace(-1, 1, size[0], dtype=np.float32)[None]
        )
        drawn *= (1 + bend * along)[..., None]
    drawn *= np.float32(rng.normal(1, 0.015))
    if look["edge"] > 0.02:
        rim = mask - cv2.erode(mask, np.ones((3, 3), np.uint8))
        drawn *= 1 - look["edge"] * rim[..., None]
    view += mask[..., None] * (drawn - view)
    ids[y0:y1, x0:x1][mask > 0.5] = k


def _list_corners(cards: list[Placed], ids: NDArray[np.int16], scale: float) -> list[Corner]:
    out = []
    n = ids.shape[0]
    u, v = np.meshgrid(np.linspace(0, 1, 7), np.linspace(0, 1, 6))

    def visible_share(k: int, card: Placed, box: tuple[float, float, float, float], angle: float) -> float:
        px = box[0] + (box[1] - box[0]) * u - CARD_MM[0] / 2
        py = box[2] + (box[3] - box[2]) * v - CARD_MM[1] / 2
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        ix = np.floor((card.x + px * c - py * s) * scale).astype(int)
        iy = np.floor((card.y + px * s + py * c) * scale).astype(int)
        inside = (ix >= 0) & (iy >= 0) & (ix < n) & (iy < n)
        hit = np.zeros(ix.shape, bool)
        hit[inside] = ids[iy[inside], ix[inside]] == k
        return float(hit.mean())

    for k, card in enumerate(cards):
        for turned in (False, True):
            angle = (card.angle + (180 if turned else 0)) % 360
            corner_shown = visible_share(k, card, _CORNER_BOX, angle)
            if corner_shown < 0.25:
                continue
            crop_shown = visible_share(k, card, _CROP_BOX, angle)
            dx, dy = rotate(ANCHOR_MM[0] - CARD_MM[0] / 2, ANCHOR_MM[1] - CARD_MM[1] / 2, angle)
            out.append(
                Corner(card.x + dx, card.y + dy, angle, card.name, turned, corner_shown, crop_shown, card.deck, k)
            )
    return out


def _draw_streak(xx: NDArray[np.float32], yy: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw a lamp's mirror image on glossy cards: a long band, bright in its middle and ragged at its ends."""
    slant = rng.uniform(0, math.pi)
    along, off = xx * math.cos(slant) + yy * math.sin(slant), yy * math.cos(slant) - xx * math.sin(slant)
    middle, width, end = rng.uniform(-0.4, 0.4), rng.uniform(0.01, 0.08), rng.uniform(0.1, 0.6)
    band = np.exp(-(((off - middle) / width) ** 2) / 2) / (1 + np.exp((np.abs(along) - end) * 25))
    return np.asarray(rng.uniform(30, 220) * band, np.float32)


def _light_picture(img: NDArray[np.float32], scale: float, rng: np.random.Generator) -> NDArray[np.float32]:
    n = img.shape[0]
    yy, xx = np.mgrid[:n, :n].astype(np.float32) / n - 0.5
    field = 1 + rng.normal(0, 0.12) * xx + rng.normal(0, 0.12) * yy
    if rng.random() < 0.15:
        beyond = (xx * rng.normal() + yy * rng.normal() + rng.uniform(-0.3, 0.3)) * rng.uniform(8, 60)
        soft = 1 / (1 + np.exp(np.minimum(-beyond, 80)))
        field = field * (1 - rng.uniform(0.1, 0.5) * soft)
    tint = np.exp(rng.normal(0, 0.07, 3)).astype(np.float32)
    if rng.random() < 0.12:
        grey = img.mean(2, keepdims=True)
        keep = np.float32(rng.uniform(0, 0.5))
        img = grey + (img - grey) * keep
    gain = np.float32(np.exp(rng.normal(0.0, 0.16)))
    img = img * field[..., None] * (tint * gain)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.72, 0.2, 0.08]))):
        cx, cy = rng.uniform(-0.5, 0.5, 2)
        sx, sy = rng.uniform(0.03, 0.2, 2)
        spot = np.exp(-(((xx - cx) / sx) ** 2 + ((yy - cy) / sy) ** 2) / 2)
        img = img + rng.uniform(30, 200) * spot[..., None]
    if rng.random() < 0.2:
        img = img + _draw_streak(xx, yy, rng)[..., None]
    if rng.random() < 0.3:
        img = 255 * np.power(np.clip(img, 0, 255) / 255, np.float32(rng.uniform(0.75, 1.3)))
    if rng.random() < 0.35:
        img = img * rng.uniform(0.8, 1.0) + rng.uniform(0, 25)
    return img


def _blur_moving(img: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Blur the picture as a camera that moved a few pixels meanwhile."""
    length, slant = rng.uniform(1.5, 4), rng.uniform(0, math.pi)
    kernel, steps = np.zeros((9, 9), np.float32), np.linspace(-length / 2, length / 2, 33)
    np.add.at(
        kernel,
        (np.round(4 + steps * math.sin(slant)).astype(int), np.round(4 + steps * math.cos(slant)).astype(int)),
        1,
    )
    return np.asarray(cv2.filter2D(img, -1, kernel / kernel.sum()), np.float32)


def _photograph(img: NDArray[np.float32], rng: np.random.Generator) -> Image:
    """Add blur, noise and JPEG of a camera at its own resolution."""
    sigma = rng.uniform(0.2, 1.25)
    if rng.random() < 0.08:
        sigma = rng.uniform(1.2, 2.0)
    img = cv2.GaussianBlur(img, (0, 0), sigma)
    if rng.random() < 0.06:
        img = _blur_moving(img, rng)
    noise = abs(rng.normal(0, 4.5))
    h, w = img.shape[:2]
    grain = rng.standard_normal((h, w, 1), np.float32) * np.float32(0.7 * noise) + rng.standard_normal(
        (h, w, 3), np.float32
    ) * np.float32(0.6 * noise)
    if rng.random() < 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 0.9)) * 1.6
    out = np.clip(img + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:  # noise taken out, and edges made crisp, as phones do
        out = cv2.bilateralFilter(out, 5, rng.uniform(8, 30), 2)
    if rng.random() < 0.3:
        soft, much = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.7, 1.6)), rng.uniform(0.3, 1.5)
        out = cv2.addWeighted(out, 1 + much, soft, -much, 0)
    quality = int(rng.integers(55, 97))
    _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def _strew_clutter(img: NDArray[np.float32], ids: NDArray[np.int16], scale: float, rng: np.random.Generator) -> None:
    """Strew a cup, a coin, a sleeve: things that are no cards, sometimes over cards."""
    n = img.shape[0]
    for _ in range(int(rng.integers(1, 3))):
        mask = np.zeros((n, n), np.uint8)
        c = tuple(int(v) for v in rng.integers(-20, n + 20, 2))
        kind = rng.integers(3)
        if kind == 0:
            r = rng.uniform(8, 45) * scale
            cv2.ellipse(
                mask,
                c,
                (int(r), int(r * rng.uniform(0.6, 1))),
                float(rng.uniform(0, 180)),
                0,
                360,
                255,
                -1,
                cv2.LINE_AA,
            )
        elif kind == 1:
            pts = (np.array(c) + rng.normal(0, 30 * scale, (5, 2))).astype(np.int32)
            cv2.fillConvexPoly(mask, cv2.convexHull(pts), 255, cv2.LINE_AA)
        else:
            d = tuple(int(v) for v in rng.integers(-20, n + 20, 2))
            cv2.line(mask, c, d, 255, int(rng.uniform(2, 16) * scale), cv2.LINE_AA)
        colour = np.float32(rng.uniform(10, 245, 3))
        m = cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32)[..., None] / 255
        shade = 1 + 0.3 * _make_noise((n, n), 40, rng)[..., None]
        img += m * (colour * shade - img)
        ids[mask > 128] = -2


def make_scene(deck: Deck, rng: np.random.Generator) -> Scene:
    """Make one patch."""
    scale = float(rng.uniform(1.6, 4.2))
    n = round(PATCH_MM * scale)
    img = _make_ground(n, scale, rng)
    if rng.random() < 0.12:
        _draw_marker(img, scale, rng)
    ids = np.full((n, n), -1, np.int16)
    cards = _lay_out(deck, rng)
    angle = rng.uniform(0, 2 * np.pi)
    reach = rng.uniform(0, 2.0)
    look = {
        "shadow": float(rng.uniform(0, 0.45)), "shadow_mm": float(rng.uniform(0.2, 2.5)),
        "sx": math.cos(angle) * reach, "sy": math.sin(angle) * reach,
        "bend": float(rng.uniform(0, 0.07)), "edge": float(rng.uniform(0, 0.3)) if rng.random() < 0.6 else 0.0,
    }  # fmt: skip
    for k, card in enumerate(cards):
        _lay(img, ids, k, card, scale, look, rng)
    if rng.random() < 0.15:
        _strew_clutter(img, ids, scale, rng)
    corners = _list_corners(cards, ids, scale)
    lit = _light_picture(img, scale, rng)
    bright, true = (cv2.resize(each, (2, 2), interpolation=cv2.INTER_AREA) for each in (lit, img))
    return Scene(_photograph(lit, rng), scale, corners, ids, np.asarray((bright + 8) / (true + 8), np.float32))


def resample(img: Image, scale: float, px_per_mm: float) -> Image:
    """Bring a patch to a working scale, without aliasing when that is coarser."""
    n = round(PATCH_MM * px_per_mm)
    return cv2.resize(img, (n, n), interpolation=cv2.INTER_AREA if px_per_mm < scale else cv2.INTER_LINEAR)


def cut_crop(
    img: Image,
    scale: float,
    corner_x: float,
    corner_y: float,
    angle: float,
    box: tuple[float, float, float, float],
    px_per_mm: float,
) -> Image:
    """Cut the box (x0, y0, x1, y1 in mm of the corner's frame) at a corner out of a patch, upright, at px per mm."""
    size = (round((box[2] - box[0]) * px_per_mm), round((box[3] - box[1]) * px_per_mm))
    a = math.radians(angle)
    c, s = math.cos(a), math.sin(a)
    k = scale / px_per_mm
    ox, oy = rotate(box[0] - ANCHOR_MM[0], box[1] - ANCHOR_MM[1], angle)
    m = np.array([[c * k, -s * k, (corner_x + ox) * scale], [s * k, c * k, (corner_y + oy) * scale]])
    m[:, 2] += m[:, :2] @ (0.5, 0.5) - 0.5
    if k > 1.15:
        img = cv2.GaussianBlur(img, (0, 0), 0.42 * k)
    return cv2.warpAffine(img, m, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


__all__ = [
    "ANCHOR_MM",
    "NAMES",
    "PATCH_MM",
    "Corner",
    "Placed",
    "Scene",
    "cut_crop",
    "make_scene",
    "resample",
    "rotate",
]
