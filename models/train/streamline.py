"""Rewrite the detector of whole numbers so that ONNX Runtime comes to the very same sums in fewer steps.

- The first convolution looks at three colours at a time, and gathering three bytes here and three there takes longer
  than multiplying them. Four pixels that lie side by side are taken as one with twelve colours, and two of what comes
  out as one with twice as many channels: the weights are the same, with zeros where a pixel does not reach.
- What is made twice as large by repeating each value is copied, row by row, instead of being asked for value by value.
- The last convolution, of one pixel and in full precision, is a product of matrices, with no new order of the values.

It is checked: whatever differs in the least is refused. The embedder, whose crops are small, would gain a tenth, and
decks that were learnt with it would have to be looked at anew.

``python -m models.train`` does this after each training, and ``python -m models.train.streamline models/detector.onnx``
to a detector that was made otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, helper, numpy_helper

_PIXELS, _OUT = 4, 2
"""So many pixels that lie side by side are taken as one, and give so many at half the size."""


def streamline(path: Path) -> None:
    """Write the network in a file anew, in fewer steps.

    Raises:
        ValueError: as ``in_fewer_steps`` does; the file stays as it was.
    """
    onnx.save(in_fewer_steps(onnx.load(str(path))), str(path))


def in_fewer_steps(model: ModelProto) -> ModelProto:
    """Make the same network, taking (n, h, w, 3) uint8 with w a multiple of 4, in fewer steps.

    Raises:
        ValueError: the network does not begin as ours do, or what was made of it does not give the same.
    """
    made = ModelProto()
    made.CopyFrom(model)
    _group_pixels(made.graph)
    for resize in [node for node in made.graph.node if node.op_type == "Resize"]:
        _copy_twice(made.graph, resize)
    outs = {out.name for out in made.graph.output}
    for conv in [node for node in made.graph.node if node.op_type == "Conv" and node.output[0] in outs]:
        _multiply_last(made.graph, conv)
    _tidy(made.graph)
    onnx.checker.check_model(made)
    _check(model, made)
    return made


def _value_of(graph: GraphProto, name: str) -> NDArray:
    return numpy_helper.to_array(next(value for value in graph.initializer if value.name == name))


def _put(graph: GraphProto, name: str, value: NDArray) -> None:
    for old in [old for old in graph.initializer if old.name == name]:
        graph.initializer.remove(old)
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), name))


def _maker_of(graph: GraphProto, name: str) -> NodeProto:
    return next(node for node in graph.node if name in node.output)


def _user_of(graph: GraphProto, name: str, kind: str) -> NodeProto:
    """Return the only node that uses a value."""
    (user,) = (node for node in graph.node if name in node.input)
    if user.op_type != kind:
        raise ValueError(f"{name} is used by {user.op_type}, not by {kind}")
    return user


def _add(graph: GraphProto, kind: str, put_in: list[str], out: str, **how: object) -> str:
    """Append a node and return what it makes."""
    graph.node.append(helper.make_node(kind, put_in, [out], **how))
    return out


def _channels_last(graph: GraphProto, name: str) -> str:
    return _add(graph, "Transpose", [name], f"{name} last", perm=[0, 2, 3, 1])


def _channels_first(graph: GraphProto, name: str, out: str) -> str:
    return _add(graph, "Transpose", [name], out, perm=[0, 3, 1, 2])


def _group_pixels(graph: GraphProto) -> None:
    """Let the first convolution (3 × 3, every other pixel) look at groups of pixels."""
    first = _user_of(graph, graph.input[0].name, "Transpose")
    opened = _user_of(graph, first.output[0], "DequantizeLinear")
    conv = _user_of(graph, opened.output[0], "Conv")
    how = {attribute.name: helper.get_attribute_value(attribute) for attribute in conv.attribute}
    if how["kernel_shape"] != [3, 3] or how["strides"] != [2, 2] or how["pads"] != [1, 1, 1, 1]:
        raise ValueError("the first convolution is not one of 3 × 3 at every other pixel")
    weights, bias = (_maker_of(graph, name) for name in conv.input[1:])
    old = _value_of(graph, weights.input[0])
    out, colours = old.shape[:2]
    new = np.zeros((_OUT * out, _PIXELS * colours, 3, 2), old.dtype)
    for k in range(_OUT):
        for column in range(3):
            at = 2 * k - 1 + column  # −1 is the last pixel of the group before
            group, pixel = divmod(at + _PIXELS, _PIXELS)
            new[k * out : (k + 1) * out, pixel * colours : (pixel + 1) * colours, :, group] = old[..., column]
    _put(graph, weights.input[0], new)
    for name in (*weights.input[1:], *bias.input):
        value = _value_of(graph, name)
        _put(graph, name, np.tile(value, _OUT) if value.ndim else value)
    how |= {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 1, 1, 0]}
    del conv.attribute[:]
    conv.attribute.extend(helper.make_attribute(name, value) for name, value in how.items())
    _put(graph, "grouped", np.array([0, 0, -1, _PIXELS * colours], np.int64))
    _put(graph, "single", np.array([0, 0, -1, out], np.int64))
    first.input[0] = _add(graph, "Reshape", [first.input[0], "grouped"], "groups")
    rounded = _user_of(graph, conv.output[0], "QuantizeLinear")
    after = _user_of(graph, rounded.output[0], "DequantizeLinear")
    singly = _add(graph, "Reshape", [_channels_last(graph, rounded.output[0]), "single"], "pixels one by one")
    after.input[0] = _channels_first(graph, singly, "first features")


def _copy_twice(graph: GraphProto, resize: NodeProto) -> None:
    """Make a picture twice as large by copies; what it is added to says how large that is."""
    opened = _maker_of(graph, resize.input[0])
    rounded = _user_of(graph, resize.output[0], "QuantizeLinear")
    after = _user_of(graph, rounded.output[0], "DequantizeLinear")
    add = _user_of(graph, after.output[0], "Add")
    (other,) = (_maker_of(graph, name).input[0] for name in add.input if name != after.output[0])
    name = resize.output[0]
    _put(graph, "rows", np.array([0, 0, 1, -1], np.int64))
    small = _channels_last(graph, opened.input[0])
    wide = _add(graph, "Concat", [small, small], f"{name} wide", axis=3)  # each pixel beside itself
    rows = _add(graph, "Reshape", [wide, "rows"], f"{name} rows")
    large = _add(graph, "Concat", [rows, rows], f"{name} large", axis=2)  # each row below itself
    size = _add(graph, "Shape", [_channels_last(graph, other)], f"{name} size")
    after.input[0] = _channels_first(graph, _add(graph, "Reshape", [large, size], f"{name} last"), f"{name} copied")
    graph.node.remove(resize)
    graph.node.remove(rounded)


def _multiply_last(graph: GraphProto, conv: NodeProto) -> None:
    """Let the last convolution, of one pixel, be a product with the channels last, as they are before."""
    opened, (weights, bias), out = _maker_of(graph, conv.input[0]), conv.input[1:], conv.output[0]
    old = _value_of(graph, weights)
    if old.shape[2:] != (1, 1):
        raise ValueError("the last convolution is not one of a single pixel")
    _put(graph, weights, old[:, :, 0, 0].T)
    graph.node.remove(conv)
    opened.input[0] = _channels_last(graph, opened.input[0])
    product = _add(graph, "MatMul", [opened.output[0], weights], f"{out} product")
    _channels_first(graph, _add(graph, "Add", [product, bias], f"{out} last"), out)


def _tidy(graph: GraphProto) -> None:
    """Put the nodes in an order in which each finds what it needs, and take out what none needs."""
    wait, known = list(graph.node), {value.name for value in (*graph.initializer, *graph.input)} | {""}
    del graph.node[:], graph.value_info[:]
    while wait:
        ready = [node for node in wait if known.issuperset(node.input)]
        if not ready:
            raise ValueError("nodes wait for each other")
        graph.node.extend(ready)
        known.update(name for node in ready for name in node.output)
        wait = [node for node in wait if not known.issuperset(node.output)]
    used = {name for node in graph.node for name in node.input}
    for value in [value for value in graph.initializer if value.name not in used]:
        graph.initializer.remove(value)


def _check(model: ModelProto, made: ModelProto) -> None:
    """Raise ``ValueError`` where the two networks do not give the very same for the same pictures."""
    h, w = (dim.dim_value or side for dim, side in zip(_list_sides(model), (144, 208), strict=True))
    pictures = np.random.default_rng(3).integers(0, 256, (2, h, w, 3), np.uint8)
    before, after = (_run(each, {model.graph.input[0].name: pictures}) for each in (model, made))
    if not all(np.array_equal(a, b) for a, b in zip(before, after, strict=True)):
        raise ValueError("the network would no longer give the same")


def _list_sides(model: ModelProto) -> list[onnx.TensorShapeProto.Dimension]:
    return list(model.graph.input[0].type.tensor_type.shape.dim)[1:3]


def _run(model: ModelProto, fed: Mapping[str, NDArray]) -> list[NDArray]:
    return ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, fed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m models.train.streamline", description=__doc__)
    parser.add_argument("detector", type=Path, help="the detector's file, written anew")
    streamline(parser.parse_args().detector)
