"""The files of the two networks, and what is said where one is missing or damaged."""

from __future__ import annotations

from pathlib import Path

import onnxruntime as ort

from rules.text import Text
from vision.errors import VisionError


class ModelError(VisionError):
    """A model file is missing, damaged, or not one of ours."""


def missing_model(path: Path) -> ModelError:
    """Return the error that says that a model file is not there."""
    return ModelError(Text("The model {name} is missing: install Sevenmat again.", name=path.name))


def load_session(path: Path, threads: int) -> ort.InferenceSession:
    """Load a model file, to run on that many threads.

    Raises:
        ModelError: the file is missing, damaged, or not one of ours.
    """
    if not path.is_file():
        raise missing_model(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep 60 MB and save no time
    options.log_severity_level = 3
    # Worker threads may spin while a picture is looked at; between two they would eat the Pi's cores.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    damaged = ModelError(Text("The model {name} is damaged: install Sevenmat again.", name=path.name))
    try:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exception types are not public
        raise damaged from error
    if session.get_inputs()[0].type != "tensor(uint8)":
        raise damaged
    return session
