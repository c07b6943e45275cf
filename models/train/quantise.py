"""Write a trained network as whole numbers: 8-bit weights and activations, and pixels as the camera gives them.

ONNX Runtime then multiplies bytes, two to three times as fast as float32 and with a quarter of the memory. Weights keep
seven bits, so that no processor's short sums overflow (U8S8 products on AVX2 without VNNI saturate at 16 bits).

``python -m models.train`` does this after each training. For a float network trained elsewhere:
``python -m models.train.quantise detector detector-float.onnx models/detector.onnx`` (or ``embedder``).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.train.data import CACHE, HELD_OUT
from models.train.matching.samples import MARGIN_PX as PAIRS_MARGIN_PX
from models.train.streamline import streamline
from vision.identify.matcher import Matcher

_PERCENTILE = 99.995
_QUANTISED = ("Conv", "Relu", "Add", "Resize")
_DECKS, _PATCHES_OF_EACH, _CROPS_OF_EACH = 12, 6, 64
_MARGIN_PX = 5


class _Pictures(CalibrationDataReader):
    """Batches (n, h, w, 3) uint8, handed out as the float network wants them."""

    def __init__(self, batches: Sequence[NDArray[np.uint8]], name: str, zero: float, unit: float) -> None:
        self._batches: Iterator[NDArray[np.uint8]] = iter(batches)
        self._name, self._zero, self._unit = name, np.float32(zero), np.float32(unit)

    def get_next(self) -> Mapping[str, NDArray[np.float32]] | None:
        batch = next(self._batches, None)
        if batch is None:
            return None
        pixels = np.ascontiguousarray(batch.transpose(0, 3, 1, 2), dtype=np.float32)
        return {self._name: (pixels - self._zero) / self._unit}


def patches_of(shards: Sequence[Path]) -> list[NDArray[np.uint8]]:
    """Take patches of mats (6, 256, 256, 3) of some training decks, to calibrate the detector on."""
    return _draw_crops(shards, "images", _PATCHES_OF_EACH)


def crops_of(shards: Sequence[Path], what: str = "strips", margin_px: int = _MARGIN_PX) -> list[NDArray[np.uint8]]:
    """Take crops (64, 56, 160, 3) of some training decks, stored with a margin, to calibrate the embedder on."""
    inside = slice(margin_px, -margin_px)
    return [crops[:, inside, inside] for crops in _draw_crops(shards, what, _CROPS_OF_EACH)]


def pairs_of(shards: Sequence[Path], folder: Path) -> list[dict[str, NDArray[Any]]]:
    """Take pairs of crops of some training decks, half of one face, as the matcher takes them, by ``folder``."""
    matcher, rng, batches = Matcher(folder), np.random.default_rng(2), []
    inside = slice(PAIRS_MARGIN_PX, -PAIRS_MARGIN_PX)
    for shard in shards[:_DECKS]:
        with np.load(shard) as arrays:
            labels, pages = arrays["labels"], arrays["page_labels"]
            rows = rng.permutation(np.flatnonzero(np.isin(labels, pages)))[:_CROPS_OF_EACH]
            own = [int(rng.choice(np.flatnonzero(pages == label))) for label in labels[rows]]
            other = rng.integers(len(pages), size=len(rows))
            pick = np.where(rng.random(len(rows)) < 0.5, own, other)
            seen, enrolled = (
                matcher.look([np.ascontiguousarray(crop[inside, inside]) for crop in some])
                for some in (arrays["crops"][rows], arrays["pages"][pick])
            )
            hidden = np.unpackbits(arrays["hidden"][rows], axis=-1)[..., : arrays["crops"].shape[2]]
        covered = [cv2.resize(each[inside, inside] * 255, (40, 14), interpolation=cv2.INTER_AREA) for each in hidden]
        batches.append({"covered": np.stack(covered), "seen": seen, "enrolled": enrolled})
    return batches


def _draw_crops(shards: Sequence[Path], what: str, count: int) -> list[NDArray[np.uint8]]:
    rng = np.random.default_rng(11)
    batches = []
    for shard in shards[:_DECKS]:
        with np.load(shard) as arrays:
            rows = arrays[what]
        batches.append(rows[rng.permutation(len(rows))[:count]])
    return batches


def quantise(trained: Path, path: Path, batches: Sequence[NDArray[np.uint8]]) -> None:
    """Write the float network ``trained`` (pixels (n, 3, h, w) float) to ``path``, taking (n, h, w, 3) uint8 BGR.

    The network must begin by taking a constant from the pixels and dividing by another, as ours do.
    """
    with tempfile.TemporaryDirectory() as folder:
        bare, ready, whole = (Path(folder) / name for name in ("bare.onnx", "ready.onnx", "whole.onnx"))
        model = onnx.load(str(trained))
        zero, unit = _strip_scaling(model)
        onnx.save(model, str(bare))
        quant_pre_process(str(bare), str(ready), skip_symbolic_shape=True)
        graph = onnx.load(str(ready)).graph
        name = graph.input[0].name
        # what comes out is read as it is: offsets and logits keep their full precision
        outs = {o.name for o in graph.output}
        last = [node.name for node in graph.node if node.op_type == "Conv" and set(node.output) & outs]
        quantize_static(
            str(ready),
            str(whole),
            _Pictures(batches, name, zero, unit),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(_QUANTISED),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.Percentile,
            nodes_to_exclude=last,
            extra_options={"CalibPercentile": _PERCENTILE},
        )
        model = onnx.load(str(whole))
        _take_bytes(model, zero, unit)
        onnx.checker.check_model(model)
        onnx.save(model, str(path))


class _Pairs(CalibrationDataReader):
    """Batches of what a network takes, by the names of its inputs, handed out one by one."""

    def __init__(self, batches: Sequence[Mapping[str, NDArray[Any]]]) -> None:
        self._batches = iter(batches)

    def get_next(self) -> Mapping[str, NDArray[Any]] | None:
        return next(self._batches, None)


def quantise_convolutions(trained: Path, path: Path, batches: Sequence[Mapping[str, NDArray[Any]]]) -> None:
    """Write a float network with its convolutions in whole numbers; what goes in and out stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(trained), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(path),
            _Pairs(batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Relu", "Add"],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.Percentile,
            extra_options={"CalibPercentile": _PERCENTILE},
        )


def _strip_scaling(model: onnx.ModelProto) -> tuple[int, float]:
    """Take (x − zero) / unit off the network's front and return both."""
    graph = model.graph
    values = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    values |= {n.output[0]: numpy_helper.to_array(n.attribute[0].t) for n in graph.node if n.op_type == "Constant"}
    name = graph.input[0].name
    less = next(n for n in graph.node if n.op_type == "Sub" and n.input[0] == name)
    over = next(n for n in graph.node if n.op_type == "Div" and n.input[0] == less.output[0])
    zero, unit = float(values[less.input[1]]), float(values[over.input[1]])
    if zero != round(zero) or not 0 <= zero <= 255:
        raise ValueError(f"pixels less {zero}: a byte has no such zero")
    for node in graph.node:
        for k, put_in in enumerate(node.input):
            if put_in == over.output[0]:
                node.input[k] = name
    graph.node.remove(less)
    graph.node.remove(over)
    return int(zero), unit


def _take_bytes(model: onnx.ModelProto, zero: int, unit: float) -> None:
    """Let the network take pixels: a byte with that zero and 1 / unit as its step *is* the scaled pixel, exactly."""
    graph = model.graph
    put = graph.input[0]
    rounding = next(n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == put.name)
    opened = next(n for n in graph.node if n.op_type == "DequantizeLinear" and n.input[0] == rounding.output[0])
    graph.initializer.append(numpy_helper.from_array(np.float32(1 / unit), "pixel_step"))
    graph.initializer.append(numpy_helper.from_array(np.uint8(zero), "pixel_zero"))
    opened.input[0], opened.input[1], opened.input[2] = "channels_first", "pixel_step", "pixel_zero"
    at = list(graph.node).index(rounding)
    graph.node.remove(rounding)
    graph.node.insert(at, helper.make_node("Transpose", [put.name], ["channels_first"], perm=[0, 3, 1, 2]))
    n, _, h, w = put.type.tensor_type.shape.dim
    sides = [d.dim_param or d.dim_value for d in (n, h, w)]
    put.CopyFrom(helper.make_tensor_value_info(put.name, TensorProto.UINT8, [*sides, 3]))
    used = {name for node in graph.node for name in node.input}
    for unused in [i for i in graph.initializer if i.name not in used]:
        graph.initializer.remove(unused)


def main() -> None:
    """Quantise one network, calibrated on the shards in the training cache."""
    parser = argparse.ArgumentParser(prog="python -m models.train.quantise", description=__doc__)
    parser.add_argument("network", choices=["detector", "embedder"])
    parser.add_argument("trained", type=Path, help="the float network")
    parser.add_argument("path", type=Path, help="where to write it")
    options = parser.parse_args()
    shards = [path for path in sorted(CACHE.glob("deck-*.npz")) if int(path.stem.removeprefix("deck-")) < HELD_OUT]
    drawn = patches_of(shards) if options.network == "detector" else crops_of(shards)
    quantise(options.trained, options.path, drawn)
    if options.network == "detector":
        streamline(options.path)


if __name__ == "__main__":
    main()
