"""Find the mat in a picture, and keep the one found before while markers are hidden or nothing moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from rules.text import Text, in_context, plural
from vision.arrays import Picture
from vision.config import CONFIG
from vision.errors import MatError, MatSizeError
from vision.mat.fitting import fit_likeliest, fit_mat
from vision.mat.markers import (
    FoundMarker,
    detect_codes,
    find_edge_crossings,
    find_markers,
    luma_of,
    measure_marker,
    measure_quad_area,
    search_parts,
)
from vision.mat.model import Mat, outer_corners

_FIT = CONFIG.mat.fit
_THREE = CONFIG.mat.three
_KEEP = CONFIG.mat.keep

_WORDS = (Text("top left"), Text("top right"), Text("bottom right"), Text("bottom left"))


def find_mat(
    picture: Picture,
    mat_mm: tuple[float, float] | None = None,
    previous: Mat | None = None,
    marker_mm: float = MARKER_MM,
) -> Mat:
    """Measure the mat in a picture (h, w, 3) blue green red, or (h, w) luma.

    Three markers do: the fourth corner follows from them. With ``mat_mm`` absent the mat's size is measured too, from
    the markers' known side. With ``previous``, more may be hidden: what was measured last stays (the very same value)
    until the visible ones are seen to have moved. One marker pushed while the three others stand still changes nothing
    but a warning: the camera and the mat are where they were. Markers that don't lie at a rectangle's corners, or a
    mat of nearly another size, are warned of too.

    Raises:
        MatError: markers are missing, do not form one mat, contradict ``mat_mm``, or were moved while some are hidden.
    """
    size = (picture.shape[1], picture.shape[0])
    if previous is not None and not _is_comparable(previous, size, mat_mm, marker_mm):
        previous = None
    if previous is not None and _is_standing(picture, previous):
        return previous
    luma = luma_of(picture)
    found = _find_near(luma, previous) if previous is not None else find_markers(luma)
    if previous is not None:
        kept = _keep(previous, found)
        if kept is not None:
            return kept
    missing = [n for n in range(4) if not any(m.id == n for m in found)]
    if len(missing) > 1:
        raise _mirrored_error() if _is_mirrored(luma, 4 - len(missing)) else _missing_error(missing)
    free = fit_likeliest(found, size, mat_mm, marker_mm)
    if free is None:
        raise MatError(
            Text(
                "The markers do not lie like the corners of a rectangle: lay marker 0 top left, 1 top right, 2 bottom "
                "right and 3 bottom left, all upright, and take any other markers out of the picture."
            )
        )
    if previous is not None and _is_disturbed(free, previous):
        return previous
    warnings = _warn_askew(free)
    if mat_mm is None:
        return replace(free, warnings=warnings)
    ratio = max(abs(free.size_mm[i] / mat_mm[i] - 1) for i in (0, 1))
    words = _size_words(free.size_mm, mat_mm, marker_mm)
    if ratio > _FIT.size_error:
        raise MatSizeError(words, free.size_mm)
    if ratio > _FIT.size_warning:
        warnings = (words, *warnings)
    return fit_mat(free.markers, size, mat_mm, marker_mm, warnings)


def round_to_usual(mat: Mat, usual_mm: tuple[float, float] = REFERENCE_MAT_MM) -> Mat:
    """Give the mat the usual size where it measures nearly that, within the measuring error; else leave it as it is.

    One of plainly another size is warned of: a part of the picture may be lost.
    """
    off = max(abs(side / usual - 1) for side, usual in zip(mat.size_mm, usual_mm, strict=True))
    if off > _FIT.size_warning:
        return replace(mat, warnings=(_size_words(mat.size_mm, usual_mm, mat.marker_mm), *mat.warnings))
    if off > _FIT.usual_share:
        return mat
    return fit_mat(mat.markers, mat.picture_size, usual_mm, mat.marker_mm, mat.warnings)


def _warn_askew(mat: Mat) -> tuple[Text, ...]:
    """Warn where one of four markers lies elsewhere than the three others say: it may have been pushed."""
    if len(mat.markers) < 4 or mat.residual_mm < _THREE.askew_rms_mm:
        return ()
    corners = outer_corners(*mat.size_mm)
    off = 0.0
    for marker in mat.markers:
        others = [other for other in mat.markers if other is not marker]
        three = fit_mat(others, mat.picture_size, mat.size_mm, mat.marker_mm)
        off = max(off, float(np.linalg.norm(three.to_mm(marker.array[marker.id]) - corners[marker.id])))
    if off <= _THREE.askew_mm:
        return ()
    return (
        Text(
            "The four markers do not lie at the corners of one rectangle (about {off:.0f} mm off): lay each of them "
            "right into its corner of the mat.",
            off=off,
        ),
    )


def _is_mirrored(luma: Picture, found: int) -> bool:
    """Tell whether more markers show in the picture's mirror image than were found; turned ones are found as well."""
    mirrored = np.ascontiguousarray(luma[:, ::-1])
    return len({number for number, _ in detect_codes(mirrored, search_parts(luma)[:2][-1])}) > found


def _is_standing(picture: Picture, previous: Mat) -> bool:
    """Tell whether all sides of all four markers are plainly where they were: then no code needs to be read."""
    if len(previous.markers) < 4:
        return False
    limit = _KEEP.still_share * _KEEP.kept_mm * previous.min_px_per_mm
    for marker in previous.markers:
        corners = marker.array
        margin = 0.1 * math.sqrt(measure_quad_area(corners)) + 4
        x0, y0 = (max(0, int(v)) for v in corners.min(axis=0) - margin)
        x1, y1 = (max(0, int(v)) for v in corners.max(axis=0) + margin)
        if x1 <= x0 or y1 <= y0:
            return False
        crossed, clear = find_edge_crossings(luma_of(picture[y0:y1, x0:x1]), corners - np.array([x0, y0]))
        if (clear.sum(axis=1) < 0.75 * clear.shape[1]).any():
            return False
        if any(abs(float(np.median(row[sure]))) > limit for row, sure in zip(crossed, clear, strict=True)):
            return False
    return True


def _find_near(luma: Picture, previous: Mat) -> tuple[FoundMarker, ...]:
    """Find the markers, looking first where they were: a hidden one must not cost a search of the whole picture."""
    found: list[FoundMarker] = []
    for number in range(4):
        quad = previous.marker_px(number)
        reach = 0.8 * math.sqrt(measure_quad_area(quad))
        x0, y0 = (max(0, int(v)) for v in quad.min(axis=0) - reach)
        x1, y1 = (max(0, int(v)) for v in quad.max(axis=0) + reach)
        cut = luma[y0:y1, x0:x1]
        parts = max(1, round(reach / 40))
        for seen, corners in detect_codes(cut, parts) if min(cut.shape) > 40 else []:
            if seen == number:
                found.append(measure_marker(luma, number, corners + np.array([x0, y0])))
                break
    if len(found) == 4 or (found and all(_measure_shift_mm(previous, marker) <= _KEEP.moved_mm for marker in found)):
        return tuple(found)
    return find_markers(luma)


def _is_comparable(previous: Mat, size: tuple[int, int], mat_mm: tuple[float, float] | None, marker_mm: float) -> bool:
    same_size = mat_mm is None or previous.size_mm == (float(mat_mm[0]), float(mat_mm[1]))
    return previous.picture_size == size and previous.marker_mm == marker_mm and same_size


def _measure_shift_mm(previous: Mat, marker: FoundMarker) -> float:
    """Measure how far a marker is from where it was, by most of its corners."""
    distances = np.linalg.norm(marker.array - previous.marker_px(marker.id), axis=1)
    # the middle one: a finger at one corner may disturb that, but a moved marker moves them all
    return float(np.median(distances)) / previous.min_px_per_mm


def _keep(previous: Mat, found: Sequence[FoundMarker]) -> Mat | None:
    """Return the previous mat where nothing says otherwise; None where three markers or more can be measured anew.

    Raises:
        MatError: markers were moved, and hidden ones keep the mat from being measured anew.
    """
    known = {marker.id for marker in previous.markers}
    shifts: dict[int, float] = {}
    for marker in found:
        shifts[marker.id] = min(_measure_shift_mm(previous, marker), shifts.get(marker.id, math.inf))
    # where the mat was measured from three, the fourth was only reckoned
    moved = [n for n, shift in shifts.items() if n in known and shift > _KEEP.moved_mm]
    hidden = [n for n in range(4) if n not in shifts]
    if not hidden:
        if len(known) < 4:
            return None
        if len(moved) == 1:
            # three stand still, so the camera does too: somebody pushed this one, and the mat lies where it lay
            return _warn_pushed(previous, next(marker for marker in found if marker.id == moved[0]))
        return previous if all(shift <= _KEEP.kept_mm for shift in shifts.values()) else None
    if not moved:
        return previous
    if len(moved) == 3:
        return None
    if len(moved) < len(shifts):
        raise MatError(
            Text(
                "{moved!c} moved on the table while {hidden} can't be seen: uncover all four markers.",
                moved=_name_markers(sorted(moved)),
                hidden=_name_markers(hidden),
            )
        )
    raise MatError(
        Text(
            "The camera moved, and {hidden} can't be seen: uncover at least three so that the mat can be "
            "measured again.",
            hidden=_name_markers(hidden),
        )
    )


def _warn_pushed(previous: Mat, marker: FoundMarker) -> Mat:
    """Return the mat as it was, warning that this marker was pushed where it shows whole."""
    before, now = (corners - corners.mean(axis=0) for corners in (previous.marker_px(marker.id), marker.array))
    if float(np.linalg.norm(now - before, axis=1).max()) > _KEEP.moved_mm * previous.min_px_per_mm:
        return previous  # it has another shape than before: a finger spoils its measurement
    words = Text("{marker!c} was pushed: lay it back into its corner of the mat.", marker=_name_markers([marker.id]))
    return previous if words in previous.warnings else replace(previous, warnings=(words,))


def _is_disturbed(now: Mat, previous: Mat) -> bool:
    """Tell whether nothing really moved and something (a finger on a border) only spoilt the new measurement."""
    moved = any(_measure_shift_mm(previous, marker) > _KEEP.moved_mm for marker in now.markers)
    return not moved and now.residual_px > 2 * previous.residual_px + 0.1


def _name_markers(ids: Sequence[int]) -> Text:
    """Name the markers: ``marker 2 (bottom right)`` or ``markers 0 (top left) and 2 (bottom right)``."""
    *first, last = (in_context("marker", "{number} ({place})", number=n, place=_WORDS[n]) for n in ids)
    markers = last
    if first:
        before = reduce(lambda names, name: in_context("markers", "{names}, {name}", names=names, name=name), first)
        markers = in_context("markers", "{names} and {name}", names=before, name=last)
    return plural("marker {markers}", "markers {markers}", count=len(ids), markers=markers)


def _mirrored_error() -> MatError:
    return MatError(
        Text("The picture is mirrored: switch mirroring off in the camera or telephone, and take it again.")
    )


def _missing_error(missing: Sequence[int]) -> MatError:
    if len(missing) == 4:
        return MatError(
            Text(
                "No markers found: lay the four markers at the mat's corners and point the camera so that "
                "all are in the picture, in enough light."
            )
        )
    return MatError(
        plural(
            "{markers!c} can't be seen: uncover it or move the camera so that all four markers are in the picture.",
            "{markers!c} can't be seen: uncover them or move the camera so that all four markers are in the picture.",
            count=len(missing),
            markers=_name_markers(missing),
        )
    )


def _size_words(measured: tuple[float, float], given: tuple[float, float], marker_mm: float) -> Text:
    return Text(
        "The markers measure the mat as about {seen}, not {given}: set the mat's right size, and print the markers so "
        "that their black squares are {marker_mm:.0f} mm.",
        seen="{:.0f} × {:.0f} mm".format(*measured),
        given="{:.0f} × {:.0f} mm".format(*given),
        marker_mm=marker_mm,
    )
