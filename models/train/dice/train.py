"""Train the networks that read dice, from drawn scenes alone; seeded. ``python -m models.train dice`` does no more.

The finder works at 2 px per mm, the face reader on crops at 3 px per mm. They are measured on throws that another
renderer draws (``tests.bench_dice``).
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.train.dice.nets import CLASSES, FINDER_STRIDE, FaceReader, Finder, export
from models.train.dice.render import COCKED, EMBLEM, HIDDEN
from models.train.dice.scenes import NET_PX_PER_MM, SCENE_PX, Scene, Seen, make
from models.train.nets import bf16_is_fast
from vision.dice.faces import CROP_PX, lean_channel

FINDER_PX_PER_MM = 2.0
FINDER_PX = 168
NO_DIE = CLASSES - 1


def scene_of(seed: int) -> Scene:
    """The scene of that seed."""
    return make(np.random.default_rng(seed))


def build(seeds: range, jobs: int) -> list[Scene]:
    """The scenes of these seeds."""
    with Pool(jobs) as pool:
        return pool.map(scene_of, seeds, chunksize=20)


# The finder


def _shrunk(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    side = round(SCENE_PX * FINDER_PX_PER_MM / NET_PX_PER_MM)
    small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _turned(
    image: NDArray[np.uint8], points: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """One of the eight ways a square can lie."""
    side = image.shape[0]
    points = points.copy()
    for _ in range(int(rng.integers(4))):
        image = np.rot90(image)
        points = np.stack([points[:, 1], side - points[:, 0]], axis=-1)
    if rng.random() < 0.5:
        image = image[:, ::-1]
        points[:, 0] = side - points[:, 0]
    return np.ascontiguousarray(image), points


def _tinted(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Other light: channels mixed up, gains, gamma."""
    if rng.random() < 0.3:
        image = image[..., rng.permutation(3)]
    steps = (
        np.linspace(0, 1, 256)[:, None] ** rng.uniform(0.7, 1.4) * rng.uniform(0.6, 1.25) * rng.uniform(0.85, 1.15, 3)
    )
    steps = steps + rng.uniform(-0.06, 0.08)
    table = (np.clip(steps, 0, 1) * 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(np.ascontiguousarray(image), table), np.uint8)


def train_finder(scenes: list[Scene], steps: int, batch: int = 16) -> Finder:
    """The finder, trained on these scenes."""
    torch.manual_seed(1)
    rng, net = np.random.default_rng(1), Finder().to(memory_format=torch.channels_last)
    rate = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(rate, 4e-3, steps)
    cells = math.ceil(FINDER_PX / FINDER_STRIDE)
    images = [_shrunk(one.image) for one in scenes]
    scale = FINDER_PX_PER_MM / NET_PX_PER_MM
    began = time.monotonic()
    for step in range(steps):
        pictures, goals, weights, boxes = [], [], [], []
        for number, k in enumerate(rng.integers(len(scenes), size=batch)):
            seen = scenes[k].seen
            points = np.array([(one.x * scale, one.y * scale) for one in seen], np.float32).reshape(-1, 2)
            image, points = _turned(images[k], points, rng)
            at = rng.integers(0, image.shape[0] - FINDER_PX + 1, 2)
            image = _tinted(image[at[1] : at[1] + FINDER_PX, at[0] : at[0] + FINDER_PX], rng)
            points = points - at.astype(np.float32)
            goal = np.zeros((cells, cells), np.float32)
            weight = np.ones((cells, cells), np.float32)
            grid = np.stack(np.meshgrid(np.arange(cells), np.arange(cells)), axis=-1) + 0.5
            for (x, y), one in zip(points, seen, strict=True):
                away = np.linalg.norm(grid - np.array([x, y]) / FINDER_STRIDE, axis=-1)
                goal = np.maximum(goal, np.exp(-((away / 0.9) ** 2)))
                column, row = int(x // FINDER_STRIDE), int(y // FINDER_STRIDE)
                if 0 <= column < cells and 0 <= row < cells:
                    edge = math.log(one.edge * scale / 32)
                    boxes.append(
                        (number, row, column, x / FINDER_STRIDE - column - 0.5, y / FINDER_STRIDE - row - 0.5, edge)
                    )
                if not one.readable:
                    weight[away < 2] *= 0.3
            pictures.append(image)
            goals.append(goal)
            weights.append(weight)
        maps = net(torch.from_numpy(np.stack(pictures)))
        goal, weight = torch.from_numpy(np.stack(goals)), torch.from_numpy(np.stack(weights))
        p = torch.sigmoid(maps[:, 0]).clamp(1e-5, 1 - 1e-5)
        sure = goal > 0.75
        hit = -torch.log(p) * (1 - p) ** 2 * sure
        miss = -torch.log(1 - p) * p**2 * (1 - goal) ** 4 * ~sure
        loss = ((hit + miss) * weight).sum() / max(1, len(boxes))
        if boxes:
            table = np.array(boxes, np.float32)
            n, r, c = (torch.from_numpy(table[:, i].astype(np.int64)) for i in range(3))
            loss = loss + 2 * functional.smooth_l1_loss(maps[n, 1:, r, c], torch.from_numpy(table[:, 3:]))
        rate.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        rate.step()
        plan.step()
        if step % 200 == 0:
            print(f"finder {step}/{steps} loss {loss.item():.3f} {time.monotonic() - began:.0f} s", flush=True)
    return net


# The face reader


def crop_at(image: NDArray[np.uint8], at: tuple[float, float], move: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The crop (72, 72, 3) round a point (px), changed about it by a matrix (2, 2)."""
    whole = np.column_stack([move, CROP_PX / 2 - move @ np.array(at)])
    drawn = cv2.warpAffine(image, whole, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn, np.uint8)


def any_move(rng: np.random.Generator, squeezed: bool) -> NDArray[np.float64]:
    """A turn, perhaps mirrored, about as large; ``squeezed`` as in a picture that is not straightened."""
    angle, zoom = rng.uniform(0, 2 * math.pi), rng.uniform(0.88, 1.14)
    move = zoom * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    if rng.random() < 0.5:
        move = np.diag([-1.0, 1.0]) @ move
    if squeezed:
        way = rng.uniform(0, math.pi)
        line = np.array([[math.cos(way)], [math.sin(way)]])
        move = (np.eye(2) - rng.uniform(0, 0.18) * (line @ line.T)) @ move
    return np.asarray(move, np.float64)


_OTHERS_AS_OFTEN = {COCKED: 2, EMBLEM: 3}
"""Cocked dice and emblems are rare in the scenes: they are drawn so many times as often."""
_LEAN_UNKNOWN = 0.3
"""In so many of the crops it is not known which way the camera is, as in a loose photograph …"""
_PLAIN_SLOPE = math.radians(32)
"""… and there a die that leans less than this looks as one that is seen from the side."""
_NO_DIE_EVERY = 6


def _worn(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A worse picture: out of focus, noisy, light from one side."""
    if rng.random() < 0.3:
        crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.5))
    if rng.random() < 0.3:
        slope = np.linspace(rng.uniform(0.6, 1.1), rng.uniform(0.9, 1.4), CROP_PX)
        crop = np.clip(crop * slope[:, None, None], 0, 255)
    if rng.random() < 0.3:
        crop = np.clip(crop + rng.normal(0, rng.uniform(2, 10), crop.shape), 0, 255)
    return np.asarray(crop, np.uint8)


def _beside(image: NDArray[np.uint8], seen: list[Seen], rng: np.random.Generator) -> tuple[float, float] | None:
    """A place where no top face's middle is: anywhere, or close to a die, as its side faces are."""
    if seen and rng.random() < 0.6:
        one, away, way = seen[int(rng.integers(len(seen)))], rng.uniform(0.5, 1.1), rng.uniform(0, 2 * math.pi)
        x, y = one.x + away * one.edge * math.cos(way), one.y + away * one.edge * math.sin(way)
    else:
        x, y = rng.uniform(10, SCENE_PX - 10, 2)
    return (x, y) if all(math.dist((x, y), (one.x, one.y)) > 0.45 * one.edge for one in seen) else None


def face_batch(
    scenes: list[Scene], known: list[tuple[int, Seen]], batch: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[int]]:
    """Crops (n, 72, 72, 4), turned, mirrored, tinted and worn by chance, and their classes."""
    crops, labels = [], []
    for q in range(batch):
        if q % _NO_DIE_EVERY == 0:
            k, label, edge = int(rng.integers(len(scenes))), NO_DIE, rng.uniform(12, 19) * NET_PX_PER_MM
            place = _beside(scenes[k].image, scenes[k].seen, rng)
            if place is None:
                continue
        else:
            k, one = known[int(rng.integers(len(known)))]
            off = rng.normal(0, 0.055 * one.edge, 2)
            place, label, edge = (one.x + off[0], one.y + off[1]), one.label, one.edge
        unknown = rng.random() < _LEAN_UNKNOWN and (label != COCKED or one.slope > _PLAIN_SLOPE)
        move = any_move(rng, unknown and rng.random() < 0.5)
        crop = _worn(_tinted(crop_at(scenes[k].image, place, move), rng), rng)
        lean = np.array(scenes[k].lean) + rng.normal(0, 0.04, 2)
        base = None if unknown else move @ lean * edge * rng.uniform(0.92, 1.08)
        crops.append(np.dstack([crop, lean_channel(base)]))
        labels.append(label)
    return np.stack(crops), labels


def known_dice(scenes: list[Scene]) -> list[tuple[int, Seen]]:
    """The dice of which the class is sure, with their scenes' numbers; rare ones several times."""
    known = []
    for k, scene in enumerate(scenes):
        for one in scene.seen:
            if one.readable or one.label == HIDDEN:
                known += [(k, one)] * _OTHERS_AS_OFTEN.get(one.label, 1)
    return known


def train_faces(scenes: list[Scene], steps: int, batch: int = 96, net: FaceReader | None = None) -> FaceReader:
    """The face reader, trained on crops of these scenes and on what lies beside the dice; from ``net`` on if given."""
    torch.manual_seed(2)
    net = (net or FaceReader()).to(memory_format=torch.channels_last).train()
    rate = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=2e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(rate, 3e-3, steps)
    known = known_dice(scenes)
    began = time.monotonic()
    with ThreadPoolExecutor(1) as beside:
        seeds = iter(range(2, steps + 3))

        def draw() -> Future[tuple[NDArray[np.uint8], list[int]]]:
            return beside.submit(face_batch, scenes, known, batch, np.random.default_rng(next(seeds)))

        following = draw()
        for step in range(steps):
            (crops, labels), following = following.result(), draw()
            goal = torch.tensor(labels)
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16_is_fast()):
                odds = net(torch.from_numpy(crops)).float()
            loss = functional.cross_entropy(odds, goal, label_smoothing=0.02)
            rate.zero_grad()
            loss.backward()
            rate.step()
            plan.step()
            if step % 200 == 0:
                right = (odds.argmax(1) == goal).float().mean().item()
                took = time.monotonic() - began
                print(f"faces {step}/{steps} loss {loss.item():.3f} right {right:.3f} {took:.0f} s", flush=True)
    return net


def train_dice(scenes: int, out: Path, jobs: int, finder_steps: int = 2000, face_steps: int = 4500) -> None:
    """Draw so many scenes, train both networks on them and write their files."""
    torch.set_num_threads(1)  # the networks are so small that a second thread mostly waits for the first
    made = build(range(scenes), jobs)
    export(train_finder(made, finder_steps), out / "dice_finder.onnx", FINDER_PX, "picture", whole=True)
    export(train_faces(made, face_steps), out / "dice_faces.onnx", CROP_PX, "crops", whole=False)
