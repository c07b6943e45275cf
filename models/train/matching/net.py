"""The matcher's network, the part of the embedder that it stands on, and how both are exported."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as nnf

from models.train.nets import _make_conv as conv

CELLS = (14, 40)
"""Features have one cell for 4 px of a crop each way."""
CHANNELS = 64
KEPT = 32
"""This many channels are kept of a crop."""
_REACH = 2
"""A cell is compared with those this many further to each side."""
_LAST = "/body/body.3/Relu_output_0"
"""What of the embedder the matcher sees: its output after four of its eight blocks."""


class Trunk(nn.Module):
    """What the matcher makes of a crop before it holds it against another: at first, what the embedder makes of it.

    In: crops (n, 3, 56, 160) BGR 0..255. Out: features of 4 px (n, 64, 14, 40). It begins with the weights of the
    embedder's int8 file.
    """

    def __init__(self, published: Path) -> None:
        super().__init__()
        graph = onnx.load(str(published)).graph
        values = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        stored = {n.output[0]: n.input for n in graph.node if n.op_type == "DequantizeLinear"}
        self.convs = nn.ModuleList()
        for node in [n for n in graph.node if n.op_type == "Conv"][:5]:
            weight, bias = (_make_whole(values, stored[name]) for name in node.input[1:3])
            stride = next(a.ints[0] for a in node.attribute if a.name == "strides")
            own = nn.Conv2d(weight.shape[1], weight.shape[0], 3, int(stride), 1)
            own.weight.data, own.bias.data = torch.from_numpy(weight), torch.from_numpy(bias)
            self.convs.append(own)

    def forward(self, x: Tensor) -> Tensor:
        one, two, three, four, five = self.convs
        x = nnf.relu(three(nnf.relu(two(nnf.relu(one((x - 160.0) / 64.0))))))
        return nnf.relu(x + five(nnf.relu(four(x))))


def _make_whole(values: dict[str, np.ndarray], stored: list[str]) -> np.ndarray:
    numbers, scale, zero = (values[name] for name in stored)
    shape = (-1, *(1,) * (numbers.ndim - 1))
    return ((numbers.astype(np.float32) - zero.astype(np.float32).reshape(shape)) * scale.reshape(shape)).astype(
        np.float32
    )


class _Bottleneck(nn.Module):
    def __init__(self, wide: int, narrow: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(wide, narrow, 1, 1),
            conv(narrow, narrow),
            nn.Conv2d(narrow, wide, 1, bias=False),
            nn.BatchNorm2d(wide),
        )

    def forward(self, x: Tensor) -> Tensor:
        return nnf.relu(x + self.body(x))


class Matcher(nn.Module):
    """Whether a crop that is seen shows the face of an enrolled crop.

    In: the features of both (n, 64, 14, 40); what is known to cover what is seen (n, 1, 14, 40) 0..1; and how the
    enrolled crop is thought to lie in what is seen (n, 3): shift of its middle in x and y px, and turn in degrees
    anticlockwise. Out: the log odds of its being the same face (n), how it lies beyond that (n, 3), and what each cell
    of 8 px says for or against it (n, 7, 20).
    """

    def __init__(self) -> None:
        super().__init__()
        self.project = nn.Sequential(nn.Conv2d(CHANNELS, KEPT, 1, bias=False), nn.BatchNorm2d(KEPT))
        self.look = nn.Conv2d(KEPT, 12, 1)
        self.fuse = conv(3 * KEPT, 40, 1, 1)
        self.local = conv(40, 40)
        self.deep = nn.Sequential(conv(40, 64, 2), _Bottleneck(64, 32), _Bottleneck(64, 32))
        self.context = nn.Linear(64, 64)
        self.evidence = nn.Conv2d(64, 1, 1)
        self.bias = nn.Linear(64, 1)
        self.where = nn.Sequential(conv((2 * _REACH + 1) ** 2, 32, 2), conv(32, 8, 1, 1))
        self.pose = nn.Sequential(nn.Linear(8 * 7 * 20, 64), nn.ReLU(inplace=True), nn.Linear(64, 3))

    def forward(
        self, seen: Tensor, enrolled: Tensor, covered: Tensor, pose: Tensor, each: int = 1
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Hold ``each`` enrolled crops against one that is seen; only the first is asked how it lies."""
        return self.compare(self.project(seen), self.project(enrolled), covered, pose, each)

    def compare(
        self, seen: Tensor, enrolled: Tensor, covered: Tensor, pose: Tensor, each: int = 1
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Compare what is kept of crops (n, 32, 14, 40) in the same way."""
        laid = _lay_maps(torch.cat([seen, covered], 1), pose)
        a, shown = laid[:, :KEPT], 1 - laid[:, KEPT:]
        beyond = self.beyond(a, enrolled[::each], shown)
        if each > 1:
            a, shown = a.repeat_interleave(each, 0), shown.repeat_interleave(each, 0)
        odds, evidence = self.same(a, enrolled, shown)
        return odds, beyond, evidence

    def beyond(self, a: Tensor, b: Tensor, shown: Tensor) -> Tensor:
        """Measure how b lies in a, beyond what it was laid by (n, 3)."""
        # both of one length, so that the shift counts and not the contrast
        ua, ub = (self.look(own) for own in (a, b))
        ua, ub = (own * (own.square().sum(1, keepdim=True) + 1e-4).rsqrt() for own in (ua, ub))
        likeness = torch.cat([(ua * other).sum(1, keepdim=True) for other in _list_shifted(ub)], 1)
        lie: Tensor = self.pose(self.where(likeness * shown).flatten(1))
        return lie

    def same(self, a: Tensor, b: Tensor, shown: Tensor) -> tuple[Tensor, Tensor]:
        """Log odds (n) of a's and b's showing one face, and what each cell says (n, 7, 20)."""
        deep = self.deep(self.local(self.fuse(torch.cat([a * shown, b, (a - b).abs() * shown], 1))))
        mean = deep.mean((2, 3))
        evidence = self.evidence(nnf.relu(deep + self.context(mean)[..., None, None]))[:, 0] * 0.1
        return evidence.sum((1, 2)) + self.bias(mean)[:, 0], evidence


def _lay_maps(maps: Tensor, pose: Tensor) -> Tensor:
    """Lay maps (n, c, 14, 40) of what is seen under an enrolled crop that lies so."""
    turn = pose[:, 2] * (math.pi / 180)
    cos, sin = torch.cos(turn), torch.sin(turn)
    (h, w), zero = CELLS, torch.zeros_like(cos)
    # from the enrolled crop's place, in halves of its sides, to what is seen
    rows = [cos, sin * h / w, pose[:, 0] / (2 * w), -sin * w / h, cos, pose[:, 1] / (2 * h)]
    theta = torch.stack(rows, 1).reshape(-1, 2, 3) + zero[:, None, None]
    y, x = torch.meshgrid(
        torch.linspace(-1 + 1 / h, 1 - 1 / h, h), torch.linspace(-1 + 1 / w, 1 - 1 / w, w), indexing="ij"
    )
    places = torch.stack([x, y, torch.ones_like(x)], -1).reshape(1, -1, 3).to(theta.dtype)
    grid = (places @ theta.transpose(1, 2)).reshape(-1, h, w, 2)
    return nnf.grid_sample(maps, grid.to(maps.dtype), mode="bilinear", padding_mode="border", align_corners=False)


def _list_shifted(b: Tensor) -> list[Tensor]:
    (h, w), far = CELLS, _REACH
    padded = nnf.pad(b, (far, far, far, far))
    return [padded[:, :, y : y + h, x : x + w] for y in range(2 * far + 1) for x in range(2 * far + 1)]


class _Same(nn.Module):
    """Whether they are the same, of features as they are kept, in halves; what is seen is laid as it lies."""

    def __init__(self, net: Matcher) -> None:
        super().__init__()
        self.net = net

    def forward(self, covered: Tensor, seen: Tensor, enrolled: Tensor) -> tuple[Tensor, Tensor]:
        shown = 1 - covered.float()[:, None] / 255.0
        result: tuple[Tensor, Tensor] = self.net.same(seen.float(), enrolled.float(), shown)
        return result


class _Pose(nn.Module):
    """How they lie, of the same."""

    def __init__(self, net: Matcher) -> None:
        super().__init__()
        self.net = net

    def forward(self, covered: Tensor, seen: Tensor, enrolled: Tensor) -> Tensor:
        return self.net.beyond(seen.float(), enrolled.float(), 1 - covered.float()[:, None] / 255.0)


def export(net: Matcher, folder: Path) -> None:
    """Write the two ONNX files, each for any number of pairs."""
    net.eval()
    features = torch.zeros(2, KEPT, *CELLS, dtype=torch.float16)
    for part, name, outs in ((_Same(net), "matcher", ["same", "evidence"]), (_Pose(net), "matcher_pose", ["pose"])):
        ins = ["covered", "seen", "enrolled"]
        torch.onnx.export(
            part,
            (torch.zeros(2, *CELLS, dtype=torch.uint8), features, features),
            str(folder / f"{name}.onnx"),
            input_names=ins,
            output_names=outs,
            dynamic_axes={name: {0: "n"} for name in [*ins, *outs]},
            dynamo=False,
            opset_version=17,
        )


def export_trunk(net: Matcher, trunk: Trunk, path: Path) -> None:
    """Write the float network of what comes before, up to what is kept of a crop, with any number of crops."""
    whole = nn.Sequential(trunk, net.project).eval()
    torch.onnx.export(
        whole,
        (torch.zeros(2, 3, 56, 160),),
        str(path),
        input_names=["crops"],
        output_names=["features"],
        dynamic_axes={"crops": {0: "n"}, "features": {0: "n"}},
        dynamo=False,
        opset_version=17,
    )


def halve(path: Path) -> None:
    """Have the written trunk give its features out in halves."""
    model = onnx.load(str(path))
    (out,) = model.graph.output
    for node in model.graph.node:
        node.output[:] = ["whole" if name == out.name else name for name in node.output]
    model.graph.node.append(onnx.helper.make_node("Cast", ["whole"], [out.name], to=onnx.TensorProto.FLOAT16))
    out.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
