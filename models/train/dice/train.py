"""Train the networks that read dice, from drawn pictures alone; seeded. ``python -m models.train dice`` does no more.

The finder works on scenes at 2 px per mm, the face reader on crops that the edge found brings to one size. They are
measured on throws that another renderer draws (``tests.bench_dice``).
"""

from __future__ import annotations

from pathlib import Path

import torch

from models.train.dice.nets import export
from models.train.dice.store import SHARD, samples, scenes
from models.train.dice.train_faces import train_faces
from models.train.dice.train_finder import FINDER_PX, train_finder
from vision.dice.faces import CROP_PX


def train_dice(made: int, crops: int, out: Path, jobs: int, finder_steps: int = 5000, face_steps: int = 4500) -> None:
    """Draw so many scenes and crops, train both networks on them and write their files."""
    torch.set_num_threads(1)  # the networks are so small that a second thread mostly waits for the first
    finder = train_finder(scenes(range(made), jobs), finder_steps)
    export(finder, out / "dice_finder.onnx", FINDER_PX, "picture", whole=True)
    faces = train_faces(samples(range(-(-crops // SHARD)), jobs), face_steps)
    export(faces, out / "dice_faces.onnx", CROP_PX, "crops", whole=False)
