"""What the dice's networks are trained on, drawn once and kept in files, so that an interruption costs little."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.train.data import CACHE
from models.train.dice.render import Floats
from models.train.dice.samples import LAYERS, SAMPLE_PX, Sample, phantoms_of, sample_of
from models.train.dice.scenes import Scene, make
from vision.dice import DiceReader

SHARD = 500
_SCENES_A_SHARD = 100_000


def make_scenes(seeds: range, jobs: int) -> list[Scene]:
    """Make the scenes of these seeds."""
    with Pool(jobs) as pool:
        return pool.map(make, seeds, chunksize=20)


@dataclass(frozen=True)
class Shelf:
    """Samples: their layers in two halves (2, n, 144, 144, 4), and an array of each other thing known of them."""

    layers: NDArray[np.uint8]
    label: NDArray[np.int64]
    base: Floats
    pips: Floats
    light: Floats

    def __len__(self) -> int:
        return len(self.label)


def make_samples(shards: int, phantoms: int, finder: Path, jobs: int) -> Shelf:
    """Make shards of 500 samples each, and as many of what a finder takes for dice; what is kept stays."""
    CACHE.mkdir(parents=True, exist_ok=True)
    wanted = [(_draw_samples, number, CACHE / f"dice-{number}.npz") for number in range(shards)]
    wanted += [
        (partial(_find_phantoms, finder), number, CACHE / f"dice-none-{number}.npz") for number in range(phantoms)
    ]
    missing = [one for one in wanted if not one[-1].exists()]
    if missing:
        with Pool(jobs) as pool:
            pool.starmap(_write, missing, chunksize=1)
    paths = [path for _, _, path in wanted]
    layers = np.empty((2, SHARD * len(paths), SAMPLE_PX, SAMPLE_PX, LAYERS // 2), np.uint8)
    arrays: dict[str, list[NDArray[np.generic]]] = {name: [] for name in ("label", "base", "pips", "light")}
    for k, path in enumerate(paths):
        with np.load(path) as file:
            part, whole = slice(SHARD * k, SHARD * (k + 1)), file["layers"]
            layers[0, part], layers[1, part] = whole[..., : LAYERS // 2], whole[..., LAYERS // 2 :]
            for name, parts in arrays.items():
                parts.append(file[name])
    return Shelf(layers, **{name: np.concatenate(parts) for name, parts in arrays.items()})


def _draw_samples(number: int) -> list[Sample]:
    return [sample_of(seed) for seed in range(SHARD * number, SHARD * (number + 1))]


def _find_phantoms(folder: Path, number: int) -> list[Sample]:
    reader = DiceReader(folder, threads=1)
    scenes_of = (phantoms_of(seed, reader.find) for seed in itertools.count(_SCENES_A_SHARD * number))
    return list(itertools.islice(itertools.chain.from_iterable(scenes_of), SHARD))


def _write(draw: Callable[[int], list[Sample]], number: int, path: Path) -> None:
    made = draw(number)
    half = path.with_name(f"{path.stem}-half.npz")
    np.savez(
        half,
        layers=np.stack([one.layers for one in made]),
        label=np.array([one.label for one in made], np.int64),
        base=np.stack([one.base for one in made]),
        pips=np.stack([one.pips for one in made]),
        light=np.array([one.light for one in made], np.float32),
    )
    half.replace(path)
