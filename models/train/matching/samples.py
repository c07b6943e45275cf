"""Crops of invented decks on disk, and the pairs of them that are learnt from.

A shard holds one deck: crops of its cards' corners as tables show them, with what of them shows, and as enrolment
pages show them. Both are cut with a margin, so that training can shift and turn them. All follows from its seed.
"""

from __future__ import annotations

import multiprocessing as mp
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.data import CACHE, CROP_BOX, EMBEDDER_PX_PER_MM, HELD_OUT, add_veil, class_of, page_crop
from models.train.decks import NAMES, Deck, invent
from models.train.scenes import PATCH_MM, Corner, Scene, cut_crop, make_scene

WIDTH, HEIGHT = 160, 56
MARGIN_PX = 10
_MARGIN_MM = MARGIN_PX / EMBEDDER_PX_PER_MM
_WIDE = (CROP_BOX[0] - _MARGIN_MM, CROP_BOX[1] - _MARGIN_MM, CROP_BOX[2] + _MARGIN_MM, CROP_BOX[3] + _MARGIN_MM)
_SHAPE = (HEIGHT + 2 * MARGIN_PX, WIDTH + 2 * MARGIN_PX)
NO_CARD = -1
_SEVEN = 49
_LEAST_SHOWN = 0.3
_STRAYS = 4
"""This many crops of each table are cut where no corner lies."""
_PAGES = 2

Bytes = NDArray[np.uint8]


def make_shard(seed: int, tables: int, path: Path) -> None:
    """Make one deck's shard and put it in place whole."""
    deck, rng = invent(seed), np.random.default_rng([113, seed])
    crops: list[Bytes] = []
    hidden: list[NDArray[np.bool_]] = []
    labels: list[int] = []
    beside: list[int] = []
    for _ in range(tables):
        scene = _correct_light(make_scene(deck, rng), rng)
        strays = [stray for _ in range(_STRAYS) if (stray := _find_stray(scene, rng)) is not None]
        for corner, near in [*((corner, corner) for corner in scene.corners), *strays]:
            if corner.corner_shown < _LEAST_SHOWN or not _is_inside(corner):
                continue
            crops.append(cut_crop(scene.picture, scene.scale, corner.x, corner.y, corner.angle, _WIDE, 2.5))
            own = np.where(scene.ids == corner.number, 0, 255).astype(np.uint8)
            covered = cut_crop(own, scene.scale, corner.x, corner.y, corner.angle, _WIDE, 2.5)
            hidden.append(covered > 127)
            labels.append(NO_CARD if corner.number < 0 else class_of(corner))
            beside.append(NO_CARD if near is None else class_of(near))
    pages = []
    for number in range(len(NAMES) * 2):
        corner = Corner(0, 0, 0, NAMES[number // 2], bool(number % 2), 1, 1, deck)
        for _ in range(_PAGES):
            pages.append((class_of(corner), page_crop(deck, corner.name, corner.turned, rng, _WIDE, turn=0.0, off=0.5)))
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        crops=np.stack(crops),
        hidden=np.packbits(np.stack(hidden), axis=-1),
        labels=np.int32(labels),
        beside=np.int32(beside),
        pages=np.stack([crop for _, crop in pages]),
        page_labels=np.int32([label for label, _ in pages]),
        inks=_measure_inks(deck),
    )
    os.replace(part, path)


def _find_stray(scene: Scene, rng: np.random.Generator) -> tuple[Corner, Corner | None] | None:
    """Find a place where no corner lies, and the corner beside it: a suit mark below it, say, or a pip."""
    near = scene.corners[int(rng.integers(len(scene.corners)))] if scene.corners and rng.random() < 0.75 else None
    for _ in range(20):
        if near is None:
            x, y = rng.uniform(25, PATCH_MM - 25, 2)
            angle = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 5)
        else:
            across, down = (0.0, rng.uniform(5, 12)) if rng.random() < 0.5 else rng.uniform((-14, -10), (40, 30))
            a = np.radians(near.angle)
            x, y = near.x + across * np.cos(a) - down * np.sin(a), near.y + across * np.sin(a) + down * np.cos(a)
            angle = near.angle + float(rng.choice([0, 0, 180])) + rng.normal(0, 3)
        if all(abs(x - corner.x) + abs(y - corner.y) > 6 for corner in scene.corners):
            return Corner(x, y, angle, "", False, 1, 1, Deck(-1)), near
    return None


def _correct_light(scene: Scene, rng: np.random.Generator) -> Scene:
    """Bring a patch to the light that the reader sees: mostly white where it should be, as far as markers tell."""
    if rng.random() > 0.85:
        return scene
    light = scene.light * np.exp(rng.normal(0, 0.03, (2, 2, 3)) + rng.normal(0, 0.03)).astype(np.float32)
    n = len(scene.picture)
    even = scene.picture / cv2.resize(light, (n, n), interpolation=cv2.INTER_LINEAR)
    return replace(scene, picture=np.clip(even, 0, 255).astype(np.uint8))


def _is_inside(corner: Corner) -> bool:
    """Tell whether most of a corner's crop lies on the patch."""
    a = np.radians(corner.angle)
    x, y = (corner.x + 22.5 * np.cos(a) - 1.2 * np.sin(a), corner.y + 22.5 * np.sin(a) + 1.2 * np.cos(a))
    return bool(16 < x < PATCH_MM - 16 and 16 < y < PATCH_MM - 16)


def _measure_inks(deck: Deck) -> NDArray[np.float32]:
    """Measure the inks (7, 3) of the suits in Lab, each as far as its first cards stray from their ground."""
    inks = []
    for suit in range(7):
        lab = cv2.cvtColor(deck.faces[NAMES[7 * suit]], cv2.COLOR_BGR2Lab)[:90, :80].reshape(-1, 3).astype(np.float32)
        away = lab - np.median(lab, axis=0)
        far = np.square(away).sum(axis=1)
        inks.append(lab[far >= np.percentile(far, 96)].mean(axis=0))
    return np.float32(inks)


@dataclass(frozen=True)
class PairShard:
    """One deck's crops of tables and of its pages; ``nearest`` are the pages' crops most like those of a label."""

    crops: Bytes
    hidden: Bytes
    labels: NDArray[np.int32]
    beside: NDArray[np.int32]
    pages: Bytes
    page_labels: NDArray[np.int32]
    vectors: NDArray[np.float32]
    nearest: dict[int, NDArray[np.intp]]
    inks: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path, embed: Callable[[Bytes], NDArray[np.float32]]) -> PairShard:
        """Read a shard; ``embed`` makes the embedder's vectors (n, 128) of crops, which are kept beside it."""
        kept, inside = (
            path.with_name(path.name.replace("pairs", "vectors").replace("npz", "npy")),
            slice(MARGIN_PX, -MARGIN_PX),
        )
        with np.load(path) as z:
            if not kept.exists():
                np.save(kept, embed(np.ascontiguousarray(z["pages"][:, inside, inside])))
            labels, vectors = z["page_labels"], np.load(kept)
            like, nearest = vectors @ vectors.T, {}
            for label in np.unique(labels):
                own = int(np.flatnonzero(labels == label)[0])
                order = np.argsort(-like[own])
                nearest[int(label)] = order[_are_apart(labels[order], label, like[own][order])][:40]
            return cls(
                z["crops"], z["hidden"], z["labels"], z["beside"], z["pages"], labels, vectors, nearest, z["inks"]
            )

    def worn_page(self, row: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return a page's crop (56, 160, 3), a little off."""
        return _wear(self.pages[row, MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX], rng)

    def choose_page(self, label: int, rng: np.random.Generator) -> int:
        """Choose one of the pages' crops of this label, by its number; −1 where there is none."""
        rows = np.flatnonzero(self.page_labels == label)
        return int(rng.choice(rows)) if len(rows) else -1

    def choose_rival(self, label: int, rng: np.random.Generator) -> int:
        """Choose the number of a page's crop of another card that this one is easily taken for."""
        chance = rng.random()
        if chance < 0.6 or label % 100 >= _SEVEN:
            near = self.nearest[label]
            return int(near[int(rng.integers(6 if chance < 0.4 else 24))])
        row = self.choose_page(self._choose_like(label, rng), rng)
        return row if row >= 0 else int(self.nearest[label][0])

    def _choose_like(self, label: int, rng: np.random.Generator) -> int:
        """Choose a SEVEN card with the same rank, most often in the most similar ink, or of the same suit."""
        card, chance = label % 100, rng.random()
        suit, place = divmod(card, 7)
        rank = suit + place
        suits = [other for other in range(7) if other != suit and 0 <= rank - other < 7]
        if chance < 0.5 and suits:
            far = np.square(self.inks[suits] - self.inks[suit]).sum(axis=1)
            chosen = suits[int(far.argmin())] if rng.random() < 0.5 else int(rng.choice(suits))
            return label - card + 7 * chosen + rank - chosen
        near = [p for p in range(7) if p != place]
        likely = [p for p in near if abs(p - place) == 1 or {p + suit, place + suit} in _ALIKE]
        return label - card + 7 * suit + int(rng.choice(likely if rng.random() < 0.7 else near))


_ALIKE = ({5, 8}, {0, 10}, {0, 11}, {9, 10}, {1, 11}, {2, 7}, {4, 5})
"""Ranks, from 0, whose figures are alike: 6 and 9, A and 11, …"""


RIVALS = 4
"""A crop is held against this many enrolled ones."""
GROUP = 8
"""This many crops of one deck are drawn together; what is held against one is held against others too."""


@dataclass(frozen=True)
class Drawn:
    """Crops of one deck that are seen (8, 56, 160, 4) with what is known to cover them, and how they lie (8, 3).

    They are held against those of ``pages`` (n, 56, 160, 3) that ``which`` (8, 4) says; ``same`` (8, 4) is 1 where they
    show the same face.
    """

    seen: NDArray[np.float32]
    poses: NDArray[np.float32]
    pages: NDArray[np.float32]
    which: NDArray[np.int64]
    same: NDArray[np.float32]


def draw_samples(decks: list[PairShard], rng: np.random.Generator) -> Drawn:
    """Draw crops and what they are held against: their own faces, and others that they are easily taken for."""
    deck, other = (decks[int(k)] for k in rng.integers(len(decks), size=2))
    rows: list[int] = []
    for _ in range(GROUP):
        row = int(rng.integers(len(deck.labels)))
        if deck.labels[row] == NO_CARD and rng.random() < 0.6:  # most such are easily recognised
            row = int(rng.integers(len(deck.labels)))
        rows.append(row)
    labels = deck.labels[rows]
    labelled = [int(label if label != NO_CARD else deck.beside[row]) for row, label in zip(rows, labels, strict=True)]
    known = [label if label != NO_CARD else int(rng.choice(deck.page_labels)) for label in labelled]
    pool = [deck.choose_page(label, rng) for label in known] + [deck.choose_rival(label, rng) for label in known]
    foreign = [row for row in (other.choose_page(label, rng) for label in known[:3]) if row >= 0]
    pages = [deck.worn_page(row, rng) for row in pool] + [other.worn_page(row, rng) for row in foreign]
    like = deck.vectors[pool] @ deck.vectors[pool].T
    which, same = np.zeros((GROUP, RIVALS), np.int64), np.zeros((GROUP, RIVALS), np.float32)
    for k in range(GROUP):
        apart = _are_apart(deck.page_labels[pool], known[k], like[k])
        others = [int(j) for j in np.argsort(-like[k]) if apart[j] and j not in (k, GROUP + k)]
        chosen = [k, GROUP + k, *others[: RIVALS - 2]]
        if foreign and other is not deck and rng.random() < 0.2:
            chosen[-1] = len(pool) + int(rng.integers(len(foreign)))
        which[k], same[k, 0] = chosen, float(labels[k] != NO_CARD)
    seen, poses = [], []
    for row in rows:
        hidden = np.unpackbits(deck.hidden[row], axis=-1)[:, : _SHAPE[1]].astype(bool)
        crop, covered, pose = _cut_jittered(deck.crops[row], hidden, rng)
        seen.append(np.dstack([crop, covered]))
        poses.append(pose)
    return Drawn(np.stack(seen), np.float32(poses), np.stack(pages), which, same)


def _are_apart(labels: NDArray[np.int32], label: int, like: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell whether pages' crops of these labels are of another face than this label's, from the cosines with it.

    Of papers one side, or one end, may be printed as another's.
    """
    return (labels % 100 != label % 100) & ((label % 100 < _SEVEN) | (like < _ALIKE_COSINE))


_ALIKE_COSINE = 0.97


def _cut_jittered(
    crop: Bytes, hidden: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[float, float, float]]:
    """Cut out the window of a crop, shifted and turned as corners are found, and what is known to cover it."""
    much = 1.0 if rng.random() < 0.6 else 0.25
    dx, dy = np.clip(rng.normal(0, 2.6 * much, 2), -7.5, 7.5)
    turn = float(np.clip(rng.normal(0, 1.6 * much), -4, 4))
    m = cv2.getRotationMatrix2D((WIDTH / 2 + MARGIN_PX, HEIGHT / 2 + MARGIN_PX), turn, 1 + rng.normal(0, 0.012))
    m[:, 2] -= (MARGIN_PX - dx, MARGIN_PX - dy)
    size = (WIDTH, HEIGHT)
    seen = np.asarray(
        cv2.warpAffine(crop, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
    if rng.random() < 0.3:
        seen = _bow(seen, rng)
    seen *= np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.035, 3)).astype(np.float32)
    if rng.random() < 0.2:
        seen = add_veil(seen, rng, rng.uniform(0.2, 0.75))
    if rng.random() < 0.25:
        seen = _half_lit(seen, rng)
    if rng.random() < 0.12:
        over = np.float32(rng.uniform(1.1, 1.6))
        seen = np.minimum(seen * over, 255) / over
    if rng.random() < 0.25:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.2)), np.float32)
    if rng.random() < 0.3:
        seen = seen + rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(1, 10))
    drawn = rng.random()
    covered = np.zeros((HEIGHT, WIDTH), np.float32)
    if drawn < 0.75:
        m[:, 2] += rng.normal(0, 1.2, 2) if drawn < 0.6 else rng.normal(0, 3, 2)
        covered = np.float32(
            cv2.warpAffine(hidden.astype(np.uint8), m, size, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        )
    return np.clip(seen, 0, 255), covered * 255, (float(dx), float(dy), turn)


def _bow(seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Bow a crop up to two pixels, as a card that bends does, or a lens that the mat's measure does not explain."""
    yy, xx = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    u, v = xx / WIDTH - 0.5, yy / HEIGHT - 0.5
    a, b, c, d = (np.float32(k) for k in rng.normal(0, 3.0, 4))
    return np.asarray(
        cv2.remap(
            seen,
            xx + a * u * u + b * u * v,
            yy + c * u * u + d * u * v * 0.5,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def _half_lit(seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Lay the edge of a shadow across a crop."""
    yy, xx = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    slant = rng.uniform(0, 2 * np.pi)
    beyond = (xx - rng.uniform(0, WIDTH)) * np.cos(slant) + (yy - rng.uniform(0, HEIGHT)) * np.sin(slant)
    soft = 1 / (1 + np.exp(np.clip(-beyond / rng.uniform(0.4, 8), -40, 40)))
    tint = np.exp(rng.normal(0, 0.04, 3)).astype(np.float32)
    return np.asarray(seen * (1 - rng.uniform(0.15, 0.55) * soft[..., None] * tint), np.float32)


def _wear(page: Bytes, rng: np.random.Generator) -> NDArray[np.float32]:
    """Wear an enrolled crop a little."""
    m = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), rng.normal(0, 0.25), 1)
    m[:, 2] += rng.normal(0, 0.5, 2)
    out = np.float32(cv2.warpAffine(page, m, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    out *= np.exp(rng.normal(0, 0.05) + rng.normal(0, 0.03, 3)).astype(np.float32)
    return np.clip(out, 0, 255)


def _work(job: tuple[int, int, Path]) -> int:
    cv2.setNumThreads(1)
    make_shard(*job)
    return job[0]


def shard_path(seed: int) -> Path:
    """Return where a deck's shard lies."""
    return CACHE / f"pairs-{seed}.npz"


def build(decks: int, tables: int, held_out: int) -> tuple[list[Path], list[Path]]:
    """Make every missing shard; the training decks' paths, and those of the decks held out."""
    CACHE.mkdir(parents=True, exist_ok=True)
    training, others = range(1000, 1000 + decks), range(HELD_OUT, HELD_OUT + held_out)
    jobs = [(seed, tables, shard_path(seed)) for seed in (*others, *training) if not shard_path(seed).exists()]
    with mp.get_context("spawn").Pool(mp.cpu_count()) as pool:
        for done, seed in enumerate(pool.imap_unordered(_work, jobs), 1):
            print(f"pairs {done}/{len(jobs)} (deck {seed})", flush=True)
    return [shard_path(seed) for seed in training], [shard_path(seed) for seed in others]
