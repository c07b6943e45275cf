"""Train the face reader on samples that are coloured, turned and photographed anew each time they are used."""

from __future__ import annotations

import copy
import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.train.dice.camera import photograph
from models.train.dice.nets import CLASSES, FaceReader
from models.train.dice.render import COCKED, EMBLEM, HIDDEN, Floats, paint
from models.train.dice.samples import NO_DIE, SAMPLE_EDGE_PX, SAMPLE_PX, colour_layers
from models.train.dice.store import Shelf
from models.train.nets import bf16_is_fast, take_up
from vision.dice.faces import CROP_EDGE_PX, CROP_PX

PIPS_PX = CROP_PX // 2
_NO_DIE_EVERY = 7
_OFTEN = {COCKED: 0.8, EMBLEM: 0.8, HIDDEN: 1.0, NO_DIE: 0.8}
_STACKED = 0.2
"""So often a die that lies on another is drawn: so little tells it that it makes the others doubtful."""
_SQUEEZED = 0.35
"""This share of the crops is squeezed, as in a picture that is not straightened."""


@dataclass(frozen=True)
class Batch:
    """Crops (n, 80, 80, 3), their classes (n,), base offsets (n, 2) in edges, and maps of their pips (n, 40, 40)."""

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    bases: Floats
    pips: Floats


def any_move(rng: np.random.Generator) -> NDArray[np.float64]:
    """Choose a turn, perhaps mirrored, at about the same size: (2, 2)."""
    angle, zoom = rng.uniform(0, 2 * math.pi), math.exp(rng.normal(0, 0.07))
    move = zoom * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    if rng.random() < 0.5:
        move = np.diag([-1.0, 1.0]) @ move
    if rng.random() < _SQUEEZED:
        way = rng.uniform(0, math.pi)
        line = np.array([[math.cos(way)], [math.sin(way)]])
        move = (np.eye(2) - rng.uniform(0, 0.15) * (line @ line.T)) @ move
    return np.asarray(move, np.float64)


def crop_of(
    shelf: Shelf, k: int, beside: bool, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], int, Floats, Floats]:
    """Crop a sample, or what lies ``beside`` its top face: the crop, its class, base offset and pips' map."""
    label, move = int(shelf.label[k]), any_move(rng)
    off = rng.normal(0, 0.05, 2)
    if beside:
        way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 0.8)
        off, label = far * np.array([math.cos(way), math.sin(way)]), NO_DIE
    # Taken at the camera's own resolution, then brought to that of the crop.
    own_edge = rng.uniform(22, 58)
    own = round(CROP_PX * own_edge / CROP_EDGE_PX)
    drawn = max(own, round(CROP_PX * 1.1))
    whole = move * (drawn / CROP_PX * CROP_EDGE_PX / SAMPLE_EDGE_PX)
    at = SAMPLE_PX / 2 - 0.5 + off * SAMPLE_EDGE_PX
    matrix = np.column_stack([whole, drawn / 2 - 0.5 - whole @ at])
    size, ways = (drawn, drawn), {"flags": cv2.INTER_LINEAR, "borderMode": cv2.BORDER_REPLICATE}
    seen = [cv2.warpAffine(part, matrix, size, **ways) for part in shelf.layers[:, k]]
    picture = colour_layers(np.concatenate(seen, axis=-1), int(shelf.label[k]), float(shelf.light[k]), paint(rng), rng)
    crop = photograph(picture, CROP_PX, own, rng)
    marks = np.zeros((PIPS_PX, PIPS_PX), np.float32)
    if label < NO_DIE:
        points = ((shelf.pips[k] - off) @ move.T * CROP_EDGE_PX + CROP_PX / 2) / 2 - 0.5
        for x, y in points[~np.isnan(points[:, 0])]:
            c, r = round(float(x)), round(float(y))
            y0, y1, x0, x1 = max(0, r - 3), min(PIPS_PX, r + 4), max(0, c - 3), min(PIPS_PX, c + 4)
            if y0 < y1 and x0 < x1:
                gy, gx = np.mgrid[y0:y1, x0:x1]
                spot = np.exp(-((gx - x) ** 2 + (gy - y) ** 2) / (2 * 0.85**2))
                marks[y0:y1, x0:x1] = np.maximum(marks[y0:y1, x0:x1], spot)
    base = np.asarray(move @ shelf.base[k], np.float32)
    return crop, label, base, marks


def batch_of(shelf: Shelf, chances: Floats, size: int, rng: np.random.Generator) -> Batch:
    """Make a batch of crops of samples drawn by these chances."""
    chosen = np.searchsorted(chances, rng.random(size) * chances[-1])
    made = [crop_of(shelf, int(k), q % _NO_DIE_EVERY == 0, rng) for q, k in enumerate(chosen)]
    crops, labels, bases, pips = zip(*made, strict=True)
    return Batch(np.stack(crops), np.array(labels, np.int64), np.stack(bases), np.stack(pips))


def chances_of(shelf: Shelf) -> Floats:
    """Return running sums of how often each sample is drawn."""
    weights = np.array([_OFTEN.get(int(label), 1.0) for label in shelf.label])
    weights[(shelf.label == HIDDEN) & ~np.isnan(shelf.base[:, 0])] = _STACKED
    return np.cumsum(weights).astype(np.float32)


def loss_of(outputs: Tensor, pips: Tensor, goal: Batch) -> Tensor:
    """Measure how far a batch's outputs are from what they should be."""
    labels = torch.from_numpy(goal.labels)
    classes = functional.cross_entropy(outputs[:, :CLASSES], labels, label_smoothing=0.01)
    wanted = torch.from_numpy(goal.bases)
    is_die = (labels != NO_DIE) & ~torch.isnan(wanted[:, 0])
    apart = functional.smooth_l1_loss(outputs[:, CLASSES:], torch.nan_to_num(wanted), reduction="none", beta=0.1)
    bases = (apart.sum(1) * is_die).sum() / is_die.sum().clamp(min=1)
    marks = torch.from_numpy(goal.pips)
    # Where the pips lie says nothing of a face whose value can't be read.
    valued = (labels < COCKED) | (labels == NO_DIE) | (labels == EMBLEM)
    spots = functional.binary_cross_entropy_with_logits(pips, marks, reduction="none")
    chance = torch.sigmoid(pips.detach())
    weight = (chance - marks).abs() ** 1.5 + 0.02
    dots = (spots * weight).sum((1, 2))
    return classes + 1.5 * bases + 0.12 * (dots * valued).sum() / valued.sum().clamp(min=1)


def train_faces(shelf: Shelf, steps: int, published: Path | None = None, batch: int = 96) -> FaceReader:
    """Train the face reader on crops of these samples, from nothing or from a published file on.

    It is the running mean of its weights.
    """
    torch.manual_seed(2)
    net = FaceReader().to(memory_format=torch.channels_last).train()
    rate = 3e-3 if published is None else 1e-3
    chances = chances_of(shelf)
    if published is not None:
        take_up(net, published, torch.from_numpy(batch_of(shelf, chances, 384, np.random.default_rng(7)).crops))
    mean = copy.deepcopy(net)
    way = torch.optim.AdamW(net.parameters(), rate, weight_decay=5e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(way, rate, steps, pct_start=0.08, final_div_factor=200)
    began = time.monotonic()
    with ThreadPoolExecutor(1) as beside:

        def draw(step: int) -> Future[Batch]:
            return beside.submit(batch_of, shelf, chances, batch, np.random.default_rng([7, step]))

        following = draw(0)
        for step in range(steps):
            goal, following = following.result(), draw(step + 1)
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16_is_fast()):
                outputs, pips = net(torch.from_numpy(goal.crops))
            loss = loss_of(outputs.float(), pips.float(), goal)
            way.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            way.step()
            plan.step()
            _follow(mean, net, min(0.998, (step + 1) / (step + 20)))
            if step % 100 == 0:
                right = (outputs[:, :CLASSES].argmax(1) == torch.from_numpy(goal.labels)).float().mean().item()
                took = time.monotonic() - began
                print(f"faces {step}/{steps} loss {loss.item():.3f} right {right:.3f} {took:.0f} s", flush=True)
    return mean


def _follow(mean: FaceReader, net: FaceReader, share: float) -> None:
    with torch.no_grad():
        for one, other in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if one.dtype.is_floating_point:
                one.lerp_(other, 1 - share)
            else:
                one.copy_(other)
