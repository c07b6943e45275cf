"""Fit the mat's model to its markers, and choose those that can be one mat's corners.

The model is fitted to the corners of four markers, or of three, by Levenberg-Marquardt. Each marker may lie a little
askew about its outer corner, because people lay them by hand, and overexposed white may have eaten into all black
squares alike. Three markers leave the perspective to their own small squares; there the camera helps: its pixels are
square, so a plane that it sees comes from a turned plane at some focal length (Zhang, "A flexible new technique for
camera calibration", 2000, eq. 3 and 4).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from rules.text import Text
from vision.arrays import Doubles
from vision.config import CONFIG
from vision.mat.markers import FoundMarker, measure_quad_area
from vision.mat.model import Mat, lens_of, outer_corners, project_points

_FIT = CONFIG.mat.fit
_THREE = CONFIG.mat.three


def fit_likeliest(
    found: Sequence[FoundMarker], size: tuple[int, int], mat_mm: tuple[float, float] | None, marker_mm: float
) -> Mat | None:
    """Fit the mat whose corners those markers can be: nearest the given size, else the largest; None if there is none.

    All four ids must be there, or all but one.
    """
    by_id = [sorted((m for m in found if m.id == n), key=lambda m: -measure_quad_area(m.array))[:4] for n in range(4)]
    fits: list[tuple[int, float, Mat]] = []
    for chosen in itertools.product(*(group for group in by_id if group)):
        quad = _outer_quad(chosen)
        sides = [math.sqrt(measure_quad_area(m.array)) for m in chosen]
        if not (_is_convex(quad) and max(sides) < 2.5 * min(sides) and _is_aligned(chosen, quad)):
            continue
        trial = fit_mat(chosen, size, None, marker_mm)
        w, h = trial.size_mm
        if not all(_FIT.min_side_mm <= side <= _FIT.max_side_mm for side in (w, h)):
            continue
        if trial.residual_mm > _FIT.max_rms_mm:
            continue
        off = 0.0 if mat_mm is None else max(abs(w / mat_mm[0] - 1), abs(h / mat_mm[1] - 1))
        fits.append((round(off / _FIT.size_error), -measure_quad_area(quad), trial))
    return min(fits, key=lambda fit: fit[:2])[2] if fits else None


def _outer_quad(markers: Sequence[FoundMarker]) -> Doubles:
    """Return the mat's corners (4, 2) px at the markers' outer corners; a missing one makes a parallelogram."""
    at = {marker.id: marker.array[marker.id] for marker in markers}
    for n in range(4):
        if n not in at:
            at[n] = at[(n + 1) % 4] + at[(n + 3) % 4] - at[(n + 2) % 4]
    return np.array([at[n] for n in range(4)])


def _is_aligned(markers: Sequence[FoundMarker], quad: Doubles) -> bool:
    """Tell whether each marker's outer sides run, within 20 degrees, along the mat's sides."""
    for marker in markers:
        i, corners = marker.id, marker.array
        for after in (1, -1):
            own, mat = corners[(i + after) % 4] - corners[i], quad[(i + after) % 4] - quad[i]
            if float(own @ mat) < math.cos(math.radians(20)) * float(np.linalg.norm(own) * np.linalg.norm(mat)):
                return False
    return True


def _is_convex(quad: Doubles) -> bool:
    edge = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edge, -1, axis=0)
    return bool(np.all(edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0] > 0))


_SQUARE = outer_corners(1.0, 1.0)
_FROM_OUTER = _SQUARE[None] - _SQUARE[:, None]
"""Each marker's corners (4, 4, 2) seen from its outer corner, in sides."""
_INWARD = 1.0 - 2.0 * _SQUARE


def _model_corners(ids: Sequence[int], sizes: Doubles, askew: Doubles, bleed: Doubles, marker: float) -> Doubles:
    """Return the corners (b, m, 4, 2) of the markers ``ids`` (m) of mats of ``sizes`` (b, 2).

    The markers are turned by ``askew`` (b, m) rad, and white bleeds ``bleed`` (b, 1) into their black squares.
    """
    cos, sin = np.cos(askew)[..., None], np.sin(askew)[..., None]
    local = _FROM_OUTER[ids] * marker + _INWARD * bleed[:, None, None]
    x, y = local[..., 0], local[..., 1]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)
    return np.asarray(turned + (_SQUARE[ids] * sizes[:, None])[:, :, None])


def fit_mat(
    markers: Sequence[FoundMarker],
    size: tuple[int, int],
    mat_mm: tuple[float, float] | None,
    marker_mm: float,
    warnings: tuple[Text, ...] = (),
) -> Mat:
    """Fit the model to four markers' corners, or three's, by id; with ``mat_mm`` absent, the mat's size too."""
    ids = [marker.id for marker in markers]
    corners_px = np.array([marker.corners_px for marker in markers])
    whole = len(ids) == 4
    half, centre = lens_of(size)
    seen = (corners_px - centre) / half
    # unit of length on the mat while fitting: one metre, so that all unknowns are about 1
    unit = 1000.0
    outer = _outer_quad(markers)
    guess = _guess(markers, outer, marker_mm / unit) if mat_mm is None else (mat_mm[0] / unit, mat_mm[1] / unit)
    outer_seen = (outer - centre) / half
    start = cv2.getPerspectiveTransform(outer_corners(*guess).astype(np.float32), outer_seen.astype(np.float32))
    free_size = guess if mat_mm is None else []
    focal = [] if whole else [0.0]
    askew, bleed = slice(9, 9 + len(ids)), slice(9 + len(ids), 10 + len(ids))
    sides = slice(bleed.stop, bleed.stop + len(free_size))
    x = np.concatenate([(start / start[2, 2]).ravel()[:8], [0.0], np.zeros(len(ids) + 1), free_size, focal])
    sigma = _FIT.corner_sigma_px / half
    bleed_sigma = (_FIT.bleed_sigma_free_mm if mat_mm is None else _FIT.bleed_sigma_mm) / unit
    askew_sigma = math.radians(_FIT.askew_sigma_deg)

    trust = np.ones((len(ids), 4, 1))

    def compute_errors(params: Doubles) -> Doubles:
        """Compute errors (b, m) in their standard deviations, of several sets of unknowns (b, n) at once."""
        count = len(params)
        sizes = params[:, sides] if mat_mm is None else np.tile(guess, (count, 1))
        model = _model_corners(ids, sizes, params[:, askew], params[:, bleed], marker_mm / unit)
        homographies = np.concatenate([params[:, :8], np.ones((count, 1))], axis=1).reshape(count, 3, 3)
        off = project_points(homographies, params[:, 8].reshape(-1, 1, 1, 1), model) - seen
        fit = (off * (trust / sigma)).reshape(count, -1)
        prior = [params[:, 8:9] / _FIT.k1_sigma, params[:, askew] / askew_sigma, params[:, bleed] / bleed_sigma]
        if not whole:
            prior += [_measure_camera_misfit(homographies, params[:, -1]), params[:, -1:] / _THREE.focal_sigma]
        return np.concatenate([fit, *prior], axis=1)

    for _ in range(_FIT.trust_rounds):
        x = _levenberg_marquardt(compute_errors, x)
        off_px = compute_errors(x[None])[0, : 8 * len(ids)].reshape(-1, 4, 2) * (sigma * half) / trust
        distance = np.linalg.norm(off_px, axis=-1, keepdims=True)
        usual = max(float(np.median(distance)), _FIT.corner_sigma_px)
        if distance.max() < 4 * usual:
            break
        # a finger or a shine at one corner: trust it less, the others hold the mat
        trust = 1.0 / (1.0 + (distance / (3 * usual)) ** 2)
    width, height = (float(v) for v in x[sides]) if mat_mm is None else guess
    homography = np.append(x[:8], 1.0).reshape(3, 3) @ np.diag([1 / unit, 1 / unit, 1.0])
    return Mat(
        size_mm=(width * unit, height * unit) if mat_mm is None else (float(mat_mm[0]), float(mat_mm[1])),
        picture_size=size,
        homography=tuple(float(v) for v in homography.ravel()),
        k1=float(x[8]),
        markers=tuple(markers),
        residual_px=float(np.sqrt((distance**2).mean())),
        marker_mm=marker_mm,
        warnings=warnings,
    )


def _guess(markers: Sequence[FoundMarker], outer: Doubles, marker: float) -> tuple[float, float]:
    """Guess about how wide and high the mat is, from the markers' sides; in the unit of ``marker``."""
    side = {one.id: math.sqrt(max(measure_quad_area(one.array), 1e-9)) for one in markers}
    spans: tuple[list[float], list[float]] = ([], [])
    for i in range(4):
        j = (i + 1) % 4
        if i in side and j in side:
            length = float(np.linalg.norm(outer[j] - outer[i]))
            spans[i % 2].append(2 * marker * length / (side[i] + side[j]))
    return float(np.mean(spans[0])), float(np.mean(spans[1]))


def _measure_camera_misfit(homographies: Doubles, focal: Doubles) -> Doubles:
    """Measure how far, in standard deviations (b, 2), homographies (b, 3, 3) are from a plane seen by a camera.

    ``focal`` (b,) is the logarithm of the focal length over the usual one. Two directions at right angles and of one
    length on the mat are so before the camera too.
    """
    scale = np.exp(-focal) / _THREE.focal
    k = np.stack([scale, scale, np.ones_like(scale)], axis=-1)
    right, down = homographies[:, :, 0] * k, homographies[:, :, 1] * k
    long, high = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    across = (right * down).sum(axis=1) / (long * high)
    return np.stack([across, np.log(long / high)], axis=-1) / _THREE.turned_sigma


def _levenberg_marquardt(errors: Callable[[Doubles], Doubles], start: Doubles) -> Doubles:
    """Fit least squares from ``start`` (n,); ``errors`` takes several sets of unknowns (b, n) and gives (b, m)."""
    x, damping, step = start, 1e-3, 1e-6
    now = errors(x[None])[0]
    cost = float(now @ now)
    for _ in range(30):
        jacobian = (errors(x + step * np.eye(len(x))) - now).T / step
        normal, slope = jacobian.T @ jacobian, jacobian.T @ now
        while damping < 1e8:
            trial = x - np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slope)
            after = errors(trial[None])[0]
            gain = cost - float(after @ after)
            if gain > 0:
                break
            damping *= 10
        else:
            break
        x, now, cost, damping = trial, after, cost - gain, max(damping / 10, 1e-9)
        if gain < 1e-6 * cost + 1e-6:
            break
    return x
