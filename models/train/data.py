"""The training set on disk: one shard a deck, made by as many processes as there are cores, resumable.

A shard holds patches at the detector's scale with the corners that show, and crops at the embedder's scale cut with a
margin so that training can shift and turn them. Everything follows from the deck's seed.
"""

from __future__ import annotations

import math
import multiprocessing as mp
import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.decks import NAMES, PX_PER_MM, Deck, invent
from models.train.scenes import ANCHOR_MM, Corner, cut_crop, make_scene, resample

DETECTOR_PX_PER_MM = 1.25
EMBEDDER_PX_PER_MM = 2.5
CROP_BOX = (-0.5, -1.0, 63.5, 21.4)
"""What the embedder sees of a corner, mm in the corner's frame: 160 × 56 px."""
MARGIN_MM = 2.0
CACHE = Path(__file__).parent / "cache"
HELD_OUT = 100_000
"""Decks from this seed on are never trained on."""

_INDEX = {name: i for i, name in enumerate(NAMES)}
_WIDE = (CROP_BOX[0] - MARGIN_MM, CROP_BOX[1] - MARGIN_MM, CROP_BOX[2] + MARGIN_MM, CROP_BOX[3] + MARGIN_MM)


def class_of(corner: Corner) -> int:
    """Return a class number within its deck: the name's index, plus 100 for a lower corner unlike the upper one."""
    symmetric = corner.deck.two_ended and "/" not in corner.name and corner.name != "back"
    return _INDEX[corner.name] + (100 if corner.turned and not symmetric else 0)


def page_crop(
    deck: Deck,
    name: str,
    turned: bool,
    rng: np.random.Generator,
    box: tuple[float, float, float, float] = _WIDE,
    turn: float = 0.7,
    off: float = 1.0,
) -> NDArray[np.uint8]:
    """Make a crop as an enrolment page gives it: whole, well lit, by a camera of 2 to 4 px per mm.

    It is what ``box`` (mm) holds, turned by about ``turn`` degrees; its light is ``off`` by more or less.
    """
    face = deck.faces[name]
    if turned:
        face = cv2.rotate(face, cv2.ROTATE_180)
    ground = rng.uniform(10, 250, 3)
    pad = 24
    img = cv2.copyMakeBorder(face, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=tuple(ground)).astype(np.float32)[
        : 40 * 4 + pad
    ]
    scale = rng.uniform(2.0, 3.9)
    small = cv2.resize(img, None, fx=scale / PX_PER_MM, fy=scale / PX_PER_MM, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.2, 1.1))
    small = (
        small * np.float32(np.exp(rng.normal(0, 0.1 * off))) * np.exp(rng.normal(0, 0.05 * off, 3)).astype(np.float32)
    )
    small = np.clip(
        small + rng.standard_normal(small.shape, np.float32) * np.float32(abs(rng.normal(0, 4))), 0, 255
    ).astype(np.uint8)
    at = pad / PX_PER_MM
    return cut_crop(
        small,
        scale,
        at + ANCHOR_MM[0],
        at + ANCHOR_MM[1],
        float(rng.normal(0, turn)),
        box,
        EMBEDDER_PX_PER_MM,
    )


def make_shard(seed: int, patches: int, path: Path) -> None:
    """Make one deck's shard and put it in place whole."""
    deck = invent(seed)
    rng = np.random.default_rng([97, seed])
    images, where, what, crops, labels, shown = [], [], [], [], [], []
    for k in range(patches):
        scene = make_scene(deck, rng)
        img, scale, corners = scene.picture, scene.scale, scene.corners
        images.append(resample(img, scale, DETECTOR_PX_PER_MM))
        for corner in corners:
            kind = 2 if corner.name == "back" else 1 if "/" in corner.name else 0
            where.append((k, corner.x, corner.y, math.radians(corner.angle), corner.corner_shown, corner.crop_shown))
            what.append((kind, class_of(corner)))
            size = images[0].shape[0] / DETECTOR_PX_PER_MM
            inside = 3 < corner.x < size - 3 and 3 < corner.y < size - 3
            if corner.corner_shown > 0.55 and corner.crop_shown > 0.25 and inside:
                crops.append(cut_crop(img, scale, corner.x, corner.y, corner.angle, _WIDE, EMBEDDER_PX_PER_MM))
                labels.append(class_of(corner))
                shown.append(min(corner.corner_shown, corner.crop_shown))
    for name in NAMES:
        for turned in (False, True):
            corner = Corner(0, 0, 0, name, turned, 1, 1, deck)
            crops.append(page_crop(deck, name, turned, rng))
            labels.append(class_of(corner))
            shown.append(2.0)
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        images=np.stack(images),
        where=np.float32(where),
        what=np.int32(what),
        strips=np.stack(crops),  # as earlier shards call them
        labels=np.int32(labels),
        shown=np.float32(shown),
        two_ended=deck.two_ended,
    )
    os.replace(part, path)


def add_veil(img: NDArray[np.float32], rng: np.random.Generator, most: float) -> NDArray[np.float32]:
    """Veil a picture (h, w, 3), 0 to 255, with a lamp's mirror image: print grows pale, the sensor's noise stays.

    How much of the contrast goes varies smoothly and is never above ``most``.
    """
    h, w = img.shape[:2]
    coarse = cv2.resize(rng.random((3, 3), np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    low, high = float(coarse.min()), float(coarse.max())
    depth = (coarse - low) / max(high - low, 1e-3) * (1 - rng.uniform(0, 0.6)) + rng.uniform(0, 0.6)
    share = np.float32(most) * np.minimum(depth, 1)[..., None]
    light = np.float32(rng.uniform(190, 255) * np.exp(rng.normal(0, 0.03, 3)))
    hazy = img + share * (light - img) + rng.standard_normal(img.shape, np.float32) * np.float32(rng.uniform(0, 4))
    return np.clip(hazy, 0, 255)


def shake(img: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Change a picture (h, w, 3), 0 to 255, to other inks and another camera: colours, tone, blur, noise."""
    if rng.random() < 0.3:
        img = img[..., rng.permutation(3)]
    if rng.random() < 0.1:
        img = np.repeat(img.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.3:
        img = 255 * (np.clip(img, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.25:
        img = (img - 128) * np.float32(rng.uniform(0.6, 1.2)) + np.float32(128 + rng.normal(0, 12))
    if rng.random() < 0.2:
        img = np.asarray(cv2.GaussianBlur(np.ascontiguousarray(img), (0, 0), rng.uniform(0.3, 0.8)), np.float32)
    if rng.random() < 0.2:
        img = img + rng.standard_normal(img.shape, np.float32) * np.float32(abs(rng.normal(0, 6)))
    return np.asarray(np.clip(img, 0, 255), np.float32)


def _work(job: tuple[int, int, Path]) -> int:
    cv2.setNumThreads(1)
    os.nice(5)
    make_shard(*job)
    return job[0]


def build(decks: int, patches: int, held_out: int = 8) -> list[Path]:
    """Make every missing shard; returns the training shards' paths followed by the held-out ones'."""
    CACHE.mkdir(parents=True, exist_ok=True)
    seeds = [*range(1000, 1000 + decks), *range(HELD_OUT, HELD_OUT + held_out)]
    paths = [CACHE / f"deck-{seed}.npz" for seed in seeds]
    jobs = [(seed, patches, path) for seed, path in zip(seeds, paths, strict=True) if not path.exists()]
    jobs.sort(key=lambda job: job[0] < HELD_OUT)
    with mp.get_context("spawn").Pool(mp.cpu_count()) as pool:
        for done, seed in enumerate(pool.imap_unordered(_work, jobs), 1):
            print(f"shard {done}/{len(jobs)} (deck {seed})", flush=True)
    return paths
