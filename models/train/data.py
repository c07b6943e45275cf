"""The training set on disk: one shard a deck, made by as many processes as there are cores, resumable.

A shard holds patches at the finder's scale with the ends that show, and strips at the namer's scale cut with a margin
so that training can shift and turn them. Everything follows from the deck's seed.
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
from models.train.scenes import CORNER_MM, End, cut_end, make_scene, resample

FINDER_PX_PER_MM = 1.25
NAMER_PX_PER_MM = 2.5
STRIP_BOX = (-0.5, -1.0, 63.5, 21.4)
"""What the namer sees of an end, mm in the end's frame: 160 × 56 px."""
MARGIN_MM = 2.0
CACHE = Path(__file__).parent / "cache"
HELD_OUT = 100_000
"""Decks from this seed on are never trained on."""

_INDEX = {name: i for i, name in enumerate(NAMES)}
_WIDE = (STRIP_BOX[0] - MARGIN_MM, STRIP_BOX[1] - MARGIN_MM, STRIP_BOX[2] + MARGIN_MM, STRIP_BOX[3] + MARGIN_MM)


def class_of(end: End) -> int:
    """A look's number within its deck: the name's index, plus 100 for a lower end that looks unlike the upper one."""
    symmetric = end.deck.two_ended and "/" not in end.name and end.name != "back"
    return _INDEX[end.name] + (100 if end.turned and not symmetric else 0)


def page_strip(deck: Deck, name: str, turned: bool, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A strip as an enrolment page gives it: whole, well lit, by a camera of 2 to 4 px per mm."""
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
    small = small * np.float32(np.exp(rng.normal(0, 0.1))) * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    small = np.clip(
        small + rng.standard_normal(small.shape, np.float32) * np.float32(abs(rng.normal(0, 4))), 0, 255
    ).astype(np.uint8)
    at = pad / PX_PER_MM
    return cut_end(
        small, scale, at + CORNER_MM[0], at + CORNER_MM[1], float(rng.normal(0, 0.7)), _WIDE, NAMER_PX_PER_MM
    )


def make_shard(seed: int, patches: int, path: Path) -> None:
    """Make one deck's shard and put it in place whole."""
    deck = invent(seed)
    rng = np.random.default_rng([97, seed])
    images, where, what, strips, labels, shown = [], [], [], [], [], []
    for k in range(patches):
        img, scale, ends = make_scene(deck, rng)
        images.append(resample(img, scale, FINDER_PX_PER_MM))
        for end in ends:
            kind = 2 if end.name == "back" else 1 if "/" in end.name else 0
            where.append((k, end.x, end.y, math.radians(end.angle), end.corner, end.strip))
            what.append((kind, class_of(end)))
            size = images[0].shape[0] / FINDER_PX_PER_MM
            if end.corner > 0.55 and end.strip > 0.25 and 3 < end.x < size - 3 and 3 < end.y < size - 3:
                strips.append(cut_end(img, scale, end.x, end.y, end.angle, _WIDE, NAMER_PX_PER_MM))
                labels.append(class_of(end))
                shown.append(min(end.corner, end.strip))
    for name in NAMES:
        for turned in (False, True):
            end = End(0, 0, 0, name, turned, 1, 1, deck)
            strips.append(page_strip(deck, name, turned, rng))
            labels.append(class_of(end))
            shown.append(2.0)
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        images=np.stack(images),
        where=np.float32(where),
        what=np.int32(what),
        strips=np.stack(strips),
        labels=np.int32(labels),
        shown=np.float32(shown),
        two_ended=deck.two_ended,
    )
    os.replace(part, path)


def veil(img: NDArray[np.float32], rng: np.random.Generator, most: float) -> NDArray[np.float32]:
    """A picture (h, w, 3), 0 to 255, behind a lamp's mirror image: print grows pale, the sensor's noise stays.

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
    """A picture (h, w, 3), 0 to 255, as of other inks and another camera: colours, tone, blur, noise."""
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
