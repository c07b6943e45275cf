"""Ends that are but a second look at a surer one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from vision.detect.corners import End, degrees_apart

_NEAR_MM = 7.0
_FAINT, _FAINT_SHARE = 0.5, 0.65
_ECHO_MM, _ECHO_DEG = 17.0, 12.0
_MARK_MM, _MARK_SCORE = 13.5, 0.62
"""A suit mark stands no farther than this from its card's anchor; an end that near, and no surer, is the mark."""
_STEP_MM, _BESIDE_MM = 13.0, 4.0
"""In a column the next card comes no sooner than this, straight below; a suit mark there may look like a clear end."""
SEEN, FAINTEST = 0.2, 0.1


def without_echoes(ends: Iterable[End]) -> list[End]:
    """The ends that are no echoes."""
    return [end for end in ends if not end.echo]


def with_echoes_marked(ends: Iterable[End]) -> list[End]:
    """The ends best first, then those that may be but a second look at a surer one; without those that surely are."""
    kept: list[End] = []
    echoes: list[End] = []
    for end in sorted(ends, key=lambda end: -end.score):
        if not any(_echo(end, surer) for surer in kept):
            kept.append(replace(end, echo=False))
        elif end.score >= SEEN and all(math.dist((end.x, end.y), (o.x, o.y)) > _NEAR_MM for o in (*kept, *echoes)):
            echoes.append(replace(end, echo=True))
    return kept + echoes


def _echo(end: End, surer: End) -> bool:
    """Whether an end is but a second look at a surer one: on its corner, or on the suit mark below its rank."""
    gap = math.hypot(end.x - surer.x, end.y - surer.y)
    if gap < _NEAR_MM:
        return True
    if gap > _ECHO_MM or degrees_apart(end.angle, surer.angle) > _ECHO_DEG:
        return False
    turn = math.radians(surer.angle)
    beside = (end.x - surer.x) * math.cos(turn) + (end.y - surer.y) * math.sin(turn)
    if gap < _STEP_MM and abs(beside) < _BESIDE_MM:
        return True
    return end.score < (_MARK_SCORE if gap < _MARK_MM else min(_FAINT, _FAINT_SHARE * surer.score))
