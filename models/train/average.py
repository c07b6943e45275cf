"""Half way between two networks of which one was trained on from the other.

A short training on something new loses a little of what was known; the mean of the weights keeps both (Wortsman et al.,
"Robust fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def average_weights(one: Path, other: Path, out: Path) -> None:
    """Write the network with the mean of the weights of two float ONNX files of the same shape."""
    mean = onnx.load(str(one))
    theirs = {weight.name: numpy_helper.to_array(weight) for weight in onnx.load(str(other)).graph.initializer}
    for weight in mean.graph.initializer:
        ours = numpy_helper.to_array(weight)
        if ours.dtype == np.float32:
            weight.CopyFrom(numpy_helper.from_array((ours + theirs[weight.name]) / np.float32(2), weight.name))
    onnx.save(mean, str(out))
