"""What one picture tells of how camera, mat and light are set up, for people who set them up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device.capture.mat_finder import MatFinder, Size
from device.capture.thumbnails import are_alike, make_thumbnail
from device.hardware.camera import Picture
from rules.text import Text
from ui.screen_state import Thumbnail
from vision.config import CONFIG
from vision.errors import LightError, MatError
from vision.mat import Mat
from vision.mat.focus import measure_edge_width_mm
from vision.mat.light import Light

SHARP_MM = 2.0
"""A step from black to white this wide is sharp enough: from 2.5 mm on learning refuses a page as blurred (measured on
the simulated table, 2.2 px/mm)."""
DARK = 80.0
"""White paper at the darkest corner, of 255: below it noise is as strong as print in the shade."""
OVEREXPOSED = 0.5
"""Share of the markers' borders at the camera's upper end."""
HAZY = 90.0
"""The markers' black, white being 235: brighter means that glare or a dirty lens lies over it."""
UNEVEN = 0.5
"""The darkest corner's share of the brightest one's light."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a picture tells: a thumbnail, the mat with its measured size, its light and its focus.

    ``fault`` says why there is no mat. ``edge_mm`` is how wide the markers' edges look, ``None`` where unmeasured.
    """

    thumbnail: Thumbnail
    mat: Mat | None = None
    light: Light | None = None
    edge_mm: float | None = None
    fault: Text | None = None

    def is_like(self, other: Survey) -> bool:
        """Tell whether another one says and shows the same but for noise."""
        return (
            (self.mat, self.fault, is_sharp(self), self.light is None)
            == (other.mat, other.fault, is_sharp(other), other.light is None)
            and light_check(self) == light_check(other)
            and are_alike(self.thumbnail, other.thumbnail)
        )


def survey_picture(
    picture: Picture, marker_mm: float, previous: Mat | None = None, usual_mm: Size | None = None
) -> Survey:
    """Look at a picture (h, w, 3) BGR: where is the mat, how large is it, and how is it seen.

    The mat's size is measured from the markers' black squares of ``marker_mm``; nearly ``usual_mm`` is taken for that.
    """
    small = make_thumbnail(picture)
    try:
        mat = MatFinder(None, marker_mm, usual_mm)(picture, previous)
    except MatError as error:
        return Survey(small, fault=error.text)
    try:
        light = Light.measure(picture, mat)
    except LightError as error:
        return Survey(small, mat, fault=error.text)
    return Survey(small, mat, light, measure_edge_width_mm(picture, mat))


def is_sharp(seen: Survey) -> bool:
    """Tell whether the picture is known to be sharp enough."""
    return seen.edge_mm is not None and seen.edge_mm <= SHARP_MM


def find_other_size(seen: Survey, mat_mm: tuple[float, float]) -> tuple[int, int] | None:
    """Return a mat's measured size in whole mm where it plainly differs from the given one; ``None`` if blurred."""
    if seen.mat is None or not is_sharp(seen):
        return None
    measured = seen.mat.size_mm
    if max(abs(now / given - 1) for now, given in zip(measured, mat_mm, strict=True)) <= CONFIG.mat.fit.size_warning:
        return None
    return round(measured[0]), round(measured[1])


def list_checks(seen: Survey) -> list[tuple[Text, bool]]:
    """Return the remarks on scale, focus and light, each with whether it is in order; those that are not come first."""
    if seen.mat is None:
        return [(seen.fault, False)] if seen.fault is not None else []
    askew = [(words, False) for words in seen.mat.warnings]
    said = [*askew, scale_check(seen.mat), light_check(seen), focus_check(seen)]
    return sorted(said, key=lambda each: each[1])


def scale_check(mat: Mat) -> tuple[Text, bool]:
    """Judge the px for each mm where the mat is farthest."""
    scale, least = mat.min_px_per_mm, CONFIG.reading.quality.min_px_per_mm
    if scale < least:
        return (
            Text("Only {scale:.1f} px/mm, {least} are needed: bring the camera nearer.", scale=scale, least=least),
            False,
        )
    return Text("{scale:.1f} px/mm", scale=scale), True


def focus_check(seen: Survey) -> tuple[Text, bool]:
    """Judge the focus."""
    if is_sharp(seen):
        return Text("Sharp"), True
    return Text("Not sharp: turn the lens."), False


def light_check(seen: Survey) -> tuple[Text, bool]:
    """Judge the light."""
    light = seen.light
    if light is None:
        return seen.fault or Text(), False
    width, height = light.mat_size_mm
    corners = light.white_at(np.array([[0, 0], [width, 0], [width, height], [0, height]]))
    if light.saturated > OVEREXPOSED:
        words = Text("Too bright: less light, or none from above.")
    elif float(corners.mean(axis=-1).min()) < DARK:
        words = Text("Too dark: more light from the side.")
    elif light.black > HAZY:
        words = Text("Glare or haze: wipe the lens, turn the lamp.")
    elif light.evenness < UNEVEN:
        words = Text("One side is dark: light from there too.")
    else:
        return Text("Good light"), True
    return words, False
