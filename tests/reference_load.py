"""A reference load for this machine's speed: as many convolutions as one pass of YOLOv8n over a 640 px picture.

Other people's figures for small computers are often given for that network (about 170 ms on a Raspberry Pi 5). This
is a plain chain of convolutions with about its 4.3 thousand million multiplications at its resolutions, made here as an
ONNX file of a few kilobytes, so that neither a download nor the ``onnx`` package is needed.
"""

from __future__ import annotations

import time

import numpy as np
import onnxruntime as ort

_FLOAT, _INT64 = 1, 7
_SIDE = 640
_LAYERS = (
    ((3, 16, 2), (16, 32, 2), (32, 32, 1), (32, 64, 2))
    + ((64, 64, 1),) * 5
    + ((64, 80, 1), (80, 80, 1), (80, 128, 2))
    + ((128, 128, 1),) * 4
    + ((128, 256, 2),)
    + ((256, 256, 1),) * 3
)
"""Channels in, channels out and stride of each 3 × 3 convolution."""
_WEIGHT = 0.002


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _message(field: int, content: bytes | str) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, kind: int, values: np.ndarray) -> bytes:
    dims = b"".join(_number(1, side) for side in values.shape)
    return dims + _number(2, kind) + _message(8, name) + _message(9, values.tobytes())


def _node(kind: str, put_in: list[str], out: str, attributes: bytes = b"") -> bytes:
    return b"".join(_message(1, name) for name in put_in) + _message(2, out) + _message(4, kind) + attributes


def _numbers(name: str, values: tuple[int, ...]) -> bytes:
    return _message(5, _message(1, name) + b"".join(_number(8, v) for v in values) + _number(20, 7))


def _value(name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(_message(1, _number(1, side)) for side in shape)
    return _message(1, name) + _message(2, _message(1, _number(1, _FLOAT) + _message(2, dims)))


def network() -> bytes:
    """The reference load as an ONNX model."""
    nodes, shapes = [], []
    fill = _message(5, _message(1, "value") + _message(5, _tensor("", _FLOAT, np.float32([_WEIGHT]))) + _number(20, 4))
    for k, (cin, cout, stride) in enumerate(_LAYERS):
        shapes.append(_tensor(f"shape{k}", _INT64, np.int64([cout, cin, 3, 3])))
        nodes.append(_node("ConstantOfShape", [f"shape{k}"], f"weight{k}", fill))
        how = _numbers("strides", (stride, stride)) + _numbers("pads", (1, 1, 1, 1))
        nodes.append(_node("Conv", [f"x{k}", f"weight{k}"], f"y{k}", how))
        nodes.append(_node("Relu", [f"y{k}"], f"x{k + 1}"))
    graph = b"".join(_message(1, node) for node in nodes) + _message(2, "reference load")
    graph += b"".join(_message(5, shape) for shape in shapes)
    graph += _message(11, _value("x0", (1, 3, _SIDE, _SIDE)))
    last = _SIDE // 2 ** sum(stride == 2 for _, _, stride in _LAYERS)
    graph += _message(12, _value(f"x{len(_LAYERS)}", (1, _LAYERS[-1][1], last, last)))
    return _number(1, 8) + _message(7, graph) + _message(8, _number(2, 13))


class ReferenceLoad:
    """The reference load, ready to run beside other work."""

    def __init__(self, threads: int = 2) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # its threads would go on spinning for 30 ms beside what is measured next
        options.add_session_config_entry("session.force_spinning_stop", "1")
        self._session = ort.InferenceSession(network(), options, providers=["CPUExecutionProvider"])
        self._picture = np.full((1, 3, _SIDE, _SIDE), 0.5, np.float32)
        self.pass_ms()

    def pass_ms(self) -> float:
        """How long one pass takes now, in ms of the wall's clock."""
        start = time.perf_counter()
        self._session.run(None, {"x0": self._picture})
        return 1000 * (time.perf_counter() - start)
