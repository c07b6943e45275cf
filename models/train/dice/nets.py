"""The networks that read dice: one finds top faces, one says what a face shows. Both take pictures as bytes."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

FINDER_STRIDE = 4
CLASSES = 10
"""The values 1 to 6, cocked, an emblem, half hidden, no die."""


def _conv(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class Finder(nn.Module):
    """Where top faces are: maps (b, 4, h / 4, w / 4) of log odds, offsets x and y (px), log edge (of 32 px)."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 12, 2),
            _conv(12, width, 2),
            _conv(width, width),
            _conv(width, width, dilation=2),
            _conv(width, width, dilation=4),
            _conv(width, width),
            nn.Conv2d(width, 4, 1),
        )
        last = self.body[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.zeros_(last.weight)
        last.bias.data[0] = -4.0

    def forward(self, picture: Tensor) -> Tensor:
        """Maps of a picture (b, h, w, 3), bytes."""
        scaled: Tensor = picture.permute(0, 3, 1, 2).float() / 127.5 - 1
        maps: Tensor = self.body(scaled)
        return maps


class FaceReader(nn.Module):
    """What the middle of a crop (b, 72, 72, 4) shows: log odds (b, 10).

    The fourth channel tells which way the camera is: a line from the middle, where the top face is, to where the bottom
    face of a die that lies flat would be. Without it a die that leans looks like one that is seen from the side.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(4, 16, 2), _conv(16, 32, 2), _conv(32, 40), _conv(40, 48, 2), _conv(48, 48), _conv(48, 64)
        )
        self.squeeze = _conv(64, 16)
        self.head = nn.Sequential(nn.Linear(16 * 81, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, CLASSES))

    def forward(self, crops: Tensor) -> Tensor:
        """Log odds of crops, bytes."""
        scaled: Tensor = crops.permute(0, 3, 1, 2).float() / 127.5 - 1
        odds: Tensor = self.head(self.squeeze(self.body(scaled)).flatten(1))
        return odds


def export(net: nn.Module, path: Path, size: int, name: str, whole: bool) -> None:
    """Write a network as ONNX; ``whole`` pictures may have any size, crops come any number at a time."""
    net.eval()
    picture = torch.zeros(2, size, size, 3 if whole else 4, dtype=torch.uint8)
    axes = {
        name: {0: "n", 1: "h", 2: "w"} if whole else {0: "n"},
        "out": {0: "n", 2: "h4", 3: "w4"} if whole else {0: "n"},
    }
    torch.onnx.export(
        net,
        (picture,),
        str(path),
        input_names=[name],
        output_names=["out"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
