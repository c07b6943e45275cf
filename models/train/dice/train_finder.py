"""Train the finder of top faces on whole scenes."""

from __future__ import annotations

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.train.dice.nets import FINDER_STRIDE, Finder
from models.train.dice.scenes import NET_PX_PER_MM, SCENE_PX, Scene
from models.train.nets import bf16_is_fast

FINDER_PX_PER_MM = 2.0
FINDER_PX = 168
_CELLS = math.ceil(FINDER_PX / FINDER_STRIDE)
_SCALE = FINDER_PX_PER_MM / NET_PX_PER_MM


def _shrink(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    side = round(SCENE_PX * FINDER_PX_PER_MM / NET_PX_PER_MM)
    small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _turn_scene(
    image: NDArray[np.uint8], points: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Turn a square in one of its eight ways to lie."""
    side = image.shape[0]
    points = points.copy()
    for _ in range(int(rng.integers(4))):
        image = np.rot90(image)
        points = np.stack([points[:, 1], side - points[:, 0]], axis=-1)
    if rng.random() < 0.5:
        image = image[:, ::-1]
        points[:, 0] = side - points[:, 0]
    return np.ascontiguousarray(image), points


def _tint_image(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Tint a picture as in other light: channels mixed up, gains, gamma."""
    if rng.random() < 0.3:
        image = image[..., rng.permutation(3)]
    steps = (
        np.linspace(0, 1, 256)[:, None] ** rng.uniform(0.7, 1.4) * rng.uniform(0.6, 1.25) * rng.uniform(0.85, 1.15, 3)
    )
    steps = steps + rng.uniform(-0.06, 0.08)
    table = (np.clip(steps, 0, 1) * 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(np.ascontiguousarray(image), table), np.uint8)


@dataclass(frozen=True)
class Batch:
    """Pictures (n, 168, 168, 3), maps of where faces are and of how much each place counts (n, 42, 42), and the faces.

    A face is a row of ``boxes``: picture, row, column, offsets x and y (cells), log edge (of 32 px).
    """

    pictures: NDArray[np.uint8]
    goals: NDArray[np.float32]
    weights: NDArray[np.float32]
    boxes: NDArray[np.float32]


def batch_of(scenes: list[Scene], images: list[NDArray[np.uint8]], size: int, rng: np.random.Generator) -> Batch:
    """Batch parts of scenes, turned and tinted by chance."""
    pictures, goals, weights, boxes = [], [], [], []
    grid = np.stack(np.meshgrid(np.arange(_CELLS), np.arange(_CELLS)), axis=-1) + 0.5
    for number, k in enumerate(rng.integers(len(scenes), size=size)):
        seen = scenes[k].seen
        points = np.array([(one.x * _SCALE, one.y * _SCALE) for one in seen], np.float32).reshape(-1, 2)
        image, points = _turn_scene(images[k], points, rng)
        at = rng.integers(0, image.shape[0] - FINDER_PX + 1, 2)
        image = _tint_image(image[at[1] : at[1] + FINDER_PX, at[0] : at[0] + FINDER_PX], rng)
        points = points - at.astype(np.float32)
        goal = np.zeros((_CELLS, _CELLS), np.float32)
        weight = np.ones((_CELLS, _CELLS), np.float32)
        for (x, y), one in zip(points, seen, strict=True):
            away = np.linalg.norm(grid - np.array([x, y]) / FINDER_STRIDE, axis=-1)
            goal = np.maximum(goal, np.exp(-((away / 0.9) ** 2)))
            column, row = int(x // FINDER_STRIDE), int(y // FINDER_STRIDE)
            if 0 <= column < _CELLS and 0 <= row < _CELLS:
                edge = math.log(one.edge * _SCALE / 32)
                boxes.append(
                    (number, row, column, x / FINDER_STRIDE - column - 0.5, y / FINDER_STRIDE - row - 0.5, edge)
                )
            if not one.readable:
                weight[away < 2] *= 0.3
        pictures.append(image)
        goals.append(goal)
        weights.append(weight)
    return Batch(np.stack(pictures), np.stack(goals), np.stack(weights), np.array(boxes, np.float32).reshape(-1, 6))


def train_finder(scenes: list[Scene], steps: int, batch: int = 16, highest: float = 4e-3) -> Finder:
    """Train the finder on these scenes; ``highest`` is the learning rate's peak."""
    torch.manual_seed(1)
    net = Finder().to(memory_format=torch.channels_last).train()
    rate = torch.optim.AdamW(net.parameters(), highest, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(rate, highest, steps, pct_start=0.1, final_div_factor=200)
    images = [_shrink(one.image) for one in scenes]
    began = time.monotonic()
    with ThreadPoolExecutor(1) as beside:

        def draw(step: int) -> Future[Batch]:
            return beside.submit(batch_of, scenes, images, batch, np.random.default_rng([5, step]))

        following = draw(0)
        for step in range(steps):
            drawn, following = following.result(), draw(step + 1)
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16_is_fast()):
                maps = net(torch.from_numpy(drawn.pictures))
            maps = maps.float()
            goal, weight = torch.from_numpy(drawn.goals), torch.from_numpy(drawn.weights)
            p = torch.sigmoid(maps[:, 0]).clamp(1e-5, 1 - 1e-5)
            sure = goal > 0.75
            hit = -torch.log(p) * (1 - p) ** 2 * sure
            miss = -torch.log(1 - p) * p**2 * (1 - goal) ** 4 * ~sure
            loss = ((hit + miss) * weight).sum() / max(1, len(drawn.boxes))
            if len(drawn.boxes):
                n, r, c = (torch.from_numpy(drawn.boxes[:, i].astype(np.int64)) for i in range(3))
                apart = functional.smooth_l1_loss(maps[n, 1:, r, c], torch.from_numpy(drawn.boxes[:, 3:]), beta=0.1)
                loss = loss + 2 * apart
            rate.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            rate.step()
            plan.step()
            if step % 200 == 0:
                print(f"finder {step}/{steps} loss {loss.item():.3f} {time.monotonic() - began:.0f} s", flush=True)
    return net
