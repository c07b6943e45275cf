"""How long the stages of a full read take, each without the stages within it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import get_ident
from typing import Any
from unittest.mock import patch

import vision.evidence
import vision.names
import vision.scene
from vision.detect.detector import Detector
from vision.identify.embedder import Embedder
from vision.identify.open_set import OpenSetVerifier
from vision.identify.pairwise import PairwiseVerifier
from vision.mat.light import Light
from vision.mat.model import Mat
from vision.reader import Reader

STAGES: tuple[tuple[str, object, str], ...] = (
    ("light measured", Light, "measure"),
    ("mat straightened", Mat, "rectify"),
    ("mat brought to one light", Light, "correct_mat"),
    ("corners detected", Detector, "detect"),
    ("crops cut", Mat, "cut_patches"),
    ("crops brought to one light", Light, "correct_patch"),
    ("crops embedded", Embedder, "embed_ahead"),
    ("templates compared", vision.evidence, "compare"),
    ("pairs verified", PairwiseVerifier, "verify"),
    ("corners registered", vision.evidence, "register_corner"),
    ("hidden parts found", vision.scene, "mask_occluded"),
    ("backs found by their face", vision.names, "find_face_places"),
    ("centres compared", vision.names, "odds_by_centre_crop"),
    ("open-set verification", OpenSetVerifier, "measure_unexplained"),
    ("cards assigned", vision.names, "assign"),
    ("all else", Reader, "read"),
)
"""What each stage is called, and the function that does it."""


class _Clock:
    """Adds up what stages take; a stage's time stops while one within it runs."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._thread = get_ident()
        self._within: list[str] = []
        self._since = 0.0

    def _add_lap(self) -> None:
        now = time.perf_counter()
        if self._within:
            self.spent[self._within[-1]] += 1000 * (now - self._since)
        self._since = now

    @contextmanager
    def time_stage(self, stage: str) -> Iterator[None]:
        """Count the time spent within it for this stage; what other threads do beside is not counted."""
        if get_ident() != self._thread:
            yield
            return
        self._add_lap()
        self._within.append(stage)
        try:
            yield
        finally:
            self._add_lap()
            self._within.pop()


def _count_calls(clock: _Clock, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
    def call_counted(*args: Any, **options: Any) -> Any:
        with clock.time_stage(stage):
            made = work(*args, **options)
        return _time_each(clock, stage, made) if isinstance(made, Iterator) else made

    return call_counted


def _time_each(clock: _Clock, stage: str, made: Iterator[Any]) -> Iterator[Any]:
    """Yield what an iterator gives, and count the time that it takes."""
    while True:
        with clock.time_stage(stage):
            try:
                value = next(made)
            except StopIteration:
                return
        yield value


def by_stage(work: Callable[[], object], times: int = 3) -> dict[str, float]:
    """Measure milliseconds by stage, the mean of some runs of work that reads with a ``Reader``."""
    work()
    clock = _Clock()
    with ExitStack() as patched:
        for stage, owner, name in STAGES:
            kept = vars(owner)[name]
            plain = kept.__func__ if isinstance(kept, classmethod) else kept
            counted: Any = _count_calls(clock, stage, plain)
            counted = classmethod(counted) if isinstance(kept, classmethod) else counted
            patched.enter_context(patch.object(owner, name, counted))
        for _ in range(times):
            work()
    return {stage: clock.spent[stage] / times for stage, _, _ in STAGES}
