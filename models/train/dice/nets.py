"""The networks that read dice: one finds top faces, one says what a face shows. Both take pictures as bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

FINDER_STRIDE = 4
_SMALL = 256
CLASSES = 10
"""The values 1 to 6, cocked, an emblem, half hidden, no die."""


def _make_conv(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class Finder(nn.Module):
    """Where top faces are: maps (b, 4, h / 4, w / 4) of log odds, offsets x and y (px), log edge (of 32 px)."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _make_conv(3, 12, 2),
            _make_conv(12, width, 2),
            _make_conv(width, width),
            _make_conv(width, width, dilation=2),
            _make_conv(width, width, dilation=4),
            _make_conv(width, width),
            nn.Conv2d(width, 4, 1),
        )
        last = self.body[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.zeros_(last.weight)
        last.bias.data[0] = -4.0

    def forward(self, picture: Tensor) -> Tensor:
        """Compute maps of a picture (b, h, w, 3), bytes."""
        scaled: Tensor = picture.permute(0, 3, 1, 2).float() / 127.5 - 1
        maps: Tensor = self.body(scaled)
        return maps


class FaceReader(nn.Module):
    """What the middle of a crop (b, 80, 80, 3) shows: ``told`` (b, 12) and ``pips`` (b, 40, 40).

    ``told`` are the log odds of the ten classes, then, in edges, where from the top face's middle the bottom face's
    would show, were the die of glass. ``pips`` are the log odds that a pip of the top face has its middle there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_make_conv(3, 16, 2), _make_conv(16, 16))
        self.middle = nn.Sequential(_make_conv(16, 32, 2), _make_conv(32, 40), _make_conv(40, 40))
        self.coarse = nn.Sequential(_make_conv(40, 56, 2), _make_conv(56, 56), _make_conv(56, 56))
        self.squeeze = _make_conv(56, 16)
        self.head = nn.Sequential(nn.Linear(16 * 100, 64), nn.ReLU(), nn.Dropout(0.15), nn.Linear(64, CLASSES + 2))
        self.lift = nn.Conv2d(56, 40, 1)
        self.spread = nn.Sequential(_make_conv(40, 24), nn.Conv2d(24, 4, 1), nn.PixelShuffle(2))
        last = self.spread[1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias, -3.0)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Compute both of crops, bytes."""
        scaled: Tensor = crops.permute(0, 3, 1, 2).float() / 127.5 - 1
        middle = self.middle(self.fine(scaled))
        coarse = self.coarse(middle)
        odds: Tensor = self.head(self.squeeze(coarse).flatten(1))
        wide = functional.interpolate(self.lift(coarse), scale_factor=2.0, mode="nearest")
        pips: Tensor = self.spread(middle + wide)[:, 0]
        return odds, pips


def export(net: nn.Module, path: Path, size: int, name: str, whole: bool) -> None:
    """Write a network as ONNX; ``whole`` pictures may have any size, crops come any number at a time."""
    net.eval()
    picture = torch.zeros(2, size, size, 3, dtype=torch.uint8)
    outs = ["out"] if whole else ["told", "pips"]
    axes: dict[str, dict[int, str]] = {
        name: {0: "n", 1: "h", 2: "w"} if whole else {0: "n"},
        **{out: {0: "n", 2: "h4", 3: "w4"} if whole else {0: "n"} for out in outs},
    }
    torch.onnx.export(
        net,
        (picture,),
        str(path),
        input_names=[name],
        output_names=outs,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    _halve(path)


def _halve(path: Path) -> None:
    """Keep a file's large weights as 16 bits; they are widened once, when it is loaded."""
    model = onnx.load(path)
    graph = model.graph
    for weights in [one for one in graph.initializer if one.data_type == onnx.TensorProto.FLOAT]:
        values = numpy_helper.to_array(weights)
        if values.size < _SMALL:
            continue
        name = weights.name
        graph.initializer.remove(weights)
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        graph.node.insert(0, helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    onnx.checker.check_model(model)
    onnx.save(model, path)
