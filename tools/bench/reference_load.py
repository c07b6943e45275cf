"""A reference load for this machine's speed: one pass of YOLOv8n over a picture of 640 × 640 px.

Other people's figures for small computers are often given for that network (about 170 ms on a Raspberry Pi 5). The
graph is built here with the ``onnx`` package, layer by layer as its makers published it (Ultralytics, ``yolov8.yaml``,
scale n: a backbone and a head of C2f blocks, SPPF, a decoupled head with distribution focal loss), with random
weights: how long a pass takes does not depend on what it sees. Batch normalisation is folded into the convolutions, as
exporting does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

SIDE = 640
_CLASSES = 80
_BINS = 16
"""A box's sides are distributions over so many bins."""


class _Graph:
    """Nodes and weights of the network; each method adds a block and returns the name of what comes out."""

    def __init__(self, seed: int) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.multiplications = 0
        self._rng = np.random.default_rng(seed)
        self._shapes: dict[str, tuple[int, int]] = {}

    def add_input(self, name: str, channels: int, side: int) -> str:
        self._shapes[name] = (channels, side)
        return name

    def count_channels(self, name: str) -> int:
        return self._shapes[name][0]

    def add(self, kind: str, inputs: Sequence[str], channels: int, side: int, **attributes: Any) -> str:
        """Add a node with one output."""
        out = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        self._shapes[out] = (channels, side)
        return out

    def add_constant(self, values: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def add_plain(self, x: str, out: int, kernel: int = 1, stride: int = 1) -> str:
        """Add a convolution alone."""
        into, side = self._shapes[x]
        shape = (out, into, kernel, kernel)
        weight = self._rng.normal(0, (2 / (into * kernel * kernel)) ** 0.5, shape).astype(np.float32)
        inputs = [x, self.add_constant(weight), self.add_constant(np.zeros(out, np.float32))]
        side //= stride
        self.multiplications += weight.size * side * side
        pads = [kernel // 2] * 4
        how = {"kernel_shape": [kernel, kernel], "strides": [stride, stride], "pads": pads}
        return self.add("Conv", inputs, out, side, **how)

    def add_conv(self, x: str, out: int, kernel: int = 1, stride: int = 1) -> str:
        """Add a convolution and SiLU."""
        y = self.add_plain(x, out, kernel, stride)
        return self.add("Mul", [y, self.add("Sigmoid", [y], *self._shapes[y])], *self._shapes[y])

    def add_concat(self, *inputs: str) -> str:
        return self.add("Concat", inputs, sum(map(self.count_channels, inputs)), self._shapes[inputs[0]][1], axis=1)

    def add_c2f(self, x: str, out: int, count: int, shortcut: bool) -> str:
        """Add two halves, one of them through ``count`` bottlenecks, all of them joined."""
        half = out // 2
        y = self.add_conv(x, out)
        side = self._shapes[y][1]
        names = [f"split{len(self.nodes)}_{k}" for k in range(2)]
        self.nodes.append(
            helper.make_node("Split", [y, self.add_constant(np.array([half, half], np.int64))], names, axis=1)
        )
        parts = [self.add_input(name, half, side) for name in names]
        for _ in range(count):
            z = self.add_conv(self.add_conv(parts[-1], half, 3), half, 3)
            parts.append(self.add("Add", [parts[-1], z], half, side) if shortcut else z)
        return self.add_conv(self.add_concat(*parts), out)

    def add_sppf(self, x: str, out: int) -> str:
        """Add spatial pyramid pooling, fast."""
        y = self.add_conv(x, self.count_channels(x) // 2)
        parts = [y]
        for _ in range(3):
            how: dict[str, Any] = {"kernel_shape": [5, 5], "strides": [1, 1], "pads": [2] * 4}
            parts.append(self.add("MaxPool", [parts[-1]], *self._shapes[y], **how))
        return self.add_conv(self.add_concat(*parts), out)

    def add_upsampled(self, x: str) -> str:
        channels, side = self._shapes[x]
        scales = self.add_constant(np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", scales], channels, 2 * side, mode="nearest")

    def add_reshaped(self, x: str, *shape: int) -> str:
        return self.add("Reshape", [x, self.add_constant(np.array(shape, np.int64))], 0, 0)

    def detect(self, levels: Sequence[str]) -> tuple[str, str]:
        """Add the decoupled head: for all anchors the four distances of boxes (1, 4, n), and classes (1, 80, n)."""
        first = self.count_channels(levels[0])
        wide, classes = max(16, first // 4, 4 * _BINS), max(first, min(_CLASSES, 100))
        boxes, scores = [], []
        for x in levels:
            box = self.add_plain(self.add_conv(self.add_conv(x, wide, 3), wide, 3), 4 * _BINS)
            score = self.add_plain(self.add_conv(self.add_conv(x, classes, 3), classes, 3), _CLASSES)
            boxes.append(self.add_reshaped(box, 1, 4 * _BINS, -1))
            scores.append(self.add_reshaped(score, 1, _CLASSES, -1))
        joined = self.add("Concat", boxes, 0, 0, axis=2)
        bins = self.add("Transpose", [self.add_reshaped(joined, 1, 4, _BINS, -1)], _BINS, 0, perm=[0, 2, 1, 3])
        shares = self.add("Softmax", [bins], _BINS, 0, axis=1)
        places = self.add_constant(np.arange(_BINS, dtype=np.float32).reshape(1, _BINS, 1, 1))
        distances = self.add_reshaped(self.add("Conv", [shares, places], 1, 0), 1, 4, -1)
        return distances, self.add("Sigmoid", [self.add("Concat", scores, 0, 0, axis=2)], 0, 0)


def make_network(seed: int = 0) -> tuple[bytes, int, int]:
    """Make YOLOv8n as an ONNX model, and count its weights and the multiplications of one pass."""
    graph = _Graph(seed)
    x = graph.add_input("images", 3, SIDE)
    x = graph.add_c2f(graph.add_conv(graph.add_conv(x, 16, 3, 2), 32, 3, 2), 32, 1, shortcut=True)
    p3 = graph.add_c2f(graph.add_conv(x, 64, 3, 2), 64, 2, shortcut=True)
    p4 = graph.add_c2f(graph.add_conv(p3, 128, 3, 2), 128, 2, shortcut=True)
    p5 = graph.add_sppf(graph.add_c2f(graph.add_conv(p4, 256, 3, 2), 256, 1, shortcut=True), 256)
    n4 = graph.add_c2f(graph.add_concat(graph.add_upsampled(p5), p4), 128, 1, shortcut=False)
    n3 = graph.add_c2f(graph.add_concat(graph.add_upsampled(n4), p3), 64, 1, shortcut=False)
    m4 = graph.add_c2f(graph.add_concat(graph.add_conv(n3, 64, 3, 2), n4), 128, 1, shortcut=False)
    m5 = graph.add_c2f(graph.add_concat(graph.add_conv(m4, 128, 3, 2), p5), 256, 1, shortcut=False)
    outputs = graph.detect((n3, m4, m5))
    given = [helper.make_tensor_value_info("images", TensorProto.FLOAT, (1, 3, SIDE, SIDE))]
    anchors = sum((SIDE // stride) ** 2 for stride in (8, 16, 32))
    shapes = ((1, 4, anchors), (1, _CLASSES, anchors))
    wanted = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in zip(outputs, shapes, strict=True)
    ]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "yolov8n", given, wanted, graph.weights),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(model)
    weights = sum(int(np.prod(tensor.dims)) for tensor in graph.weights if tensor.data_type == TensorProto.FLOAT)
    return model.SerializeToString(), weights, graph.multiplications


class ReferenceLoad:
    """The reference load, ready to run beside other work."""

    def __init__(self, threads: int = 2) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # its threads would go on spinning for 30 ms beside what is measured next
        options.add_session_config_entry("session.force_spinning_stop", "1")
        self._session = ort.InferenceSession(make_network()[0], options, providers=["CPUExecutionProvider"])
        self._picture = np.full((1, 3, SIDE, SIDE), 0.5, np.float32)
        self.pass_ms()

    def pass_ms(self) -> float:
        """Measure how long one pass takes now, in ms of the wall's clock."""
        start = time.perf_counter()
        self._session.run(None, {"images": self._picture})
        return 1000 * (time.perf_counter() - start)
