"""The two networks: the detector (where card corners lie) and the embedder (what a crop looks like)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as nnf


def _make_conv(cin: int, cout: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class _Block(nn.Module):
    def __init__(self, c: int) -> None:
        super().__init__()
        self.one = _make_conv(c, c)
        self.two = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x: Tensor) -> Tensor:
        return nnf.relu(x + self.two(self.one(x)))


class Detector(nn.Module):
    """Card corners in a straightened mat picture.

    In: (n, 3, h, w) BGR 0..255 at 1.25 px per mm, h and w multiples of 16.
    Out: (n, 8, h / 4, w / 4): heat logit, offset x and y in cells, cos and sin of the corner's angle, logits of the
    three kinds (SEVEN face, paper, back). Raw pixels go in; the scaling is part of the network.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_make_conv(3, 16, 2), _make_conv(16, 32, 2), _Block(32))
        self.mid = nn.Sequential(_make_conv(32, 64, 2), _Block(64), _Block(64))
        self.deep = nn.Sequential(_make_conv(64, 96, 2), _Block(96), _Block(96))
        self.up_deep = nn.Conv2d(96, 48, 1)
        self.up_mid = nn.Conv2d(64, 48, 1)
        self.merge_mid = _make_conv(48, 40)
        self.up_stem = nn.Conv2d(32, 40, 1)
        self.merge = _make_conv(40, 40)
        self.head = nn.Conv2d(40, 8, 1)
        nn.init.constant_(self.head.bias[0:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        s = self.stem((x - 128.0) / 64.0)
        m = self.mid(s)
        d = self.deep(m)
        m = self.merge_mid(nnf.interpolate(self.up_deep(d), scale_factor=2.0, mode="nearest") + self.up_mid(m))
        s = self.merge(nnf.interpolate(m, scale_factor=2.0, mode="nearest") + self.up_stem(s))
        return self.head(s)


class Embedder(nn.Module):
    """A crop as a unit vector that is near those of other pictures of the same card of the same deck.

    In: (n, 3, 56, 160) BGR 0..255. Out: embedding (n, 128), rank logits (n, 15: A to K, paper, back), and a suit
    vector (n, 32) that is near those of the same suit in the same deck.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _make_conv(3, 24, 2),
            _make_conv(24, 40),
            _make_conv(40, 64, 2),
            _Block(64),
            _make_conv(64, 96, 2),
            _Block(96),
            _make_conv(96, 128, 2),
            _Block(128),
        )
        self.squeeze = _make_conv(128, 40, 1, 1)
        self.embed = nn.Sequential(nn.Linear(40 * 40, 256), nn.ReLU(inplace=True), nn.Linear(256, 128))
        self.rank = nn.Linear(256, 15)
        self.suit = nn.Linear(256, 32)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        f = self.squeeze(self.body((x - 160.0) / 64.0)).flatten(1)
        h = self.embed[1](self.embed[0](f))
        return nnf.normalize(self.embed[2](h)), self.rank(h), nnf.normalize(self.suit(h))


def bf16_is_fast() -> bool:
    """Tell whether this processor multiplies bfloat16 itself; one that only imitates it is slower than with float32."""
    return bool(torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())


def take_up(net: nn.Module, published: Path, pictures: Tensor) -> None:
    """Fill a network with the weights of its published ONNX file, in 16 bits or as it was before it was made int8.

    The file's convolutions have their normalisation folded in. What the ``pictures`` make of each
    convolution gives normalisations under which the network is the same function.
    """
    graph = onnx.load(str(published)).graph
    weights = {
        i.name.removesuffix(".half"): torch.from_numpy(np.array(numpy_helper.to_array(i), np.float32))
        for i in graph.initializer
    }
    plain = net.state_dict().keys()
    folded = [
        [weights[name] for name in node.input[1:]]
        for node in graph.node
        if node.op_type == "Conv" and node.input[1] not in plain
    ]
    net.load_state_dict({k: v for k, v in weights.items() if k in plain}, strict=False)
    convs = [m for m in net.modules() if isinstance(m, nn.Conv2d) and m.bias is None]
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    seen: dict[nn.Module, Tensor] = {}
    with torch.no_grad():
        for conv, norm, (weight, bias) in zip(convs, norms, folded, strict=True):
            conv.weight.copy_(weight)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
            conv.register_forward_hook(lambda module, _, out: seen.__setitem__(module, out))
        net.eval()
        net(pictures)
        for conv, norm in zip(convs, norms, strict=True):
            conv._forward_hooks.clear()
            variance, mean = torch.var_mean(seen[conv], dim=(0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.add_(mean)
        net.train()
