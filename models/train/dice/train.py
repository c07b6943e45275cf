"""Train the networks that read dice, from drawn pictures alone; seeded. ``python -m models.train dice`` does no more.

The finder works on scenes at 2 px per mm, the face reader on crops that the edge found brings to one size. They are
measured on throws that another renderer draws (``tools.bench.dice``).
"""

from __future__ import annotations

from pathlib import Path

import torch

from models.train.dice.nets import export
from models.train.dice.store import SHARD, make_samples, make_scenes
from models.train.dice.train_faces import train_faces
from models.train.dice.train_finder import FINDER_PX, train_finder
from vision.dice.faces import CROP_PX

_FINDER_STEPS = 5000


def train_dice(
    made: int, crops: int, phantoms: int, face_steps: int, out: Path, jobs: int, published: Path | None = None
) -> None:
    """Draw so many scenes, crops and crops without dice, train both networks on them and write their files.

    With the folder of ``published`` networks the face reader alone is trained, from that one on and behind its finder.
    """
    torch.set_num_threads(1)  # the networks are so small that a second thread mostly waits for the first
    if published is None:
        finder = train_finder(make_scenes(range(made), jobs), _FINDER_STEPS)
        export(finder, out / "dice_finder.onnx", FINDER_PX, "picture", whole=True)
    shelf = make_samples(-(-crops // SHARD), -(-phantoms // SHARD), published or out, jobs)
    faces = train_faces(shelf, face_steps, published and published / "dice_faces.onnx")
    export(faces, out / "dice_faces.onnx", CROP_PX, "crops", whole=False)
