"""Fit the mat's model to four markers, and choose the four that can be one mat's corners.

The model is fitted to the 16 marker corners by Levenberg-Marquardt. Each marker may lie a little askew about its outer
corner, because people lay them by hand, and overexposed white may have eaten into all black squares alike.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.arrays import Doubles
from vision.config import CONFIG
from vision.mat.markers import FoundMarker, quad_area
from vision.mat.model import Mat, lens_of, outer_corners, project

_FIT = CONFIG.mat.fit


def likeliest(
    found: Sequence[FoundMarker], size: tuple[int, int], mat_mm: tuple[float, float] | None, marker_mm: float
) -> Mat | None:
    """The mat of the four markers that can be one mat's corners: nearest the given size, else the largest; or None."""
    by_id = [sorted((m for m in found if m.id == n), key=lambda m: -quad_area(m.array))[:4] for n in range(4)]
    fits: list[tuple[int, float, Mat]] = []
    for four in itertools.product(*by_id):
        quad = np.array([m.array[m.id] for m in four])
        sides = [math.sqrt(quad_area(m.array)) for m in four]
        if not (_convex(quad) and max(sides) < 2.5 * min(sides) and _aligned(four, quad)):
            continue
        trial = fit_mat(np.array([m.corners_px for m in four]), size, None, marker_mm)
        w, h = trial.size_mm
        if not all(_FIT.min_side_mm <= side <= _FIT.max_side_mm for side in (w, h)):
            continue
        if trial.residual_mm > _FIT.max_rms_mm:
            continue
        off = 0.0 if mat_mm is None else max(abs(w / mat_mm[0] - 1), abs(h / mat_mm[1] - 1))
        fits.append((round(off / _FIT.size_error), -quad_area(quad), trial))
    return min(fits, key=lambda fit: fit[:2])[2] if fits else None


def _aligned(four: Sequence[FoundMarker], quad: Doubles) -> bool:
    """Whether each marker's outer sides run, within 20 degrees, along the mat's sides."""
    for i, marker in enumerate(four):
        corners = marker.array
        for after in (1, -1):
            own, mat = corners[(i + after) % 4] - corners[i], quad[(i + after) % 4] - quad[i]
            if float(own @ mat) < math.cos(math.radians(20)) * float(np.linalg.norm(own) * np.linalg.norm(mat)):
                return False
    return True


def _convex(quad: Doubles) -> bool:
    edge = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edge, -1, axis=0)
    return bool(np.all(edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0] > 0))


_SQUARE = outer_corners(1.0, 1.0)
_FROM_OUTER = _SQUARE[None] - _SQUARE[:, None]
"""Each marker's corners (4, 4, 2) seen from its outer corner, in sides."""
_INWARD = 1.0 - 2.0 * _SQUARE


def _model_corners(sizes: Doubles, askew: Doubles, bleed: Doubles, marker: float) -> Doubles:
    """The 16 corners (b, 4, 4, 2) of mats of ``sizes`` (b, 2).

    The markers are turned by ``askew`` (b, 4) rad, and white bleeds ``bleed`` (b, 1) into their black squares.
    """
    cos, sin = np.cos(askew)[..., None], np.sin(askew)[..., None]
    local = _FROM_OUTER * marker + _INWARD * bleed[:, None, None]
    x, y = local[..., 0], local[..., 1]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)
    return np.asarray(turned + (_SQUARE * sizes[:, None])[:, :, None])


def fit_mat(
    corners_px: Doubles,
    size: tuple[int, int],
    mat_mm: tuple[float, float] | None,
    marker_mm: float,
    warnings: tuple[tuple[str, str], ...] = (),
) -> Mat:
    """Fit the model to 16 corners (4, 4, 2) px; with ``mat_mm`` absent, the mat's size too."""
    half, centre = lens_of(size)
    seen = (corners_px - centre) / half
    # unit of length on the mat while fitting: one metre, so that all unknowns are about 1
    unit = 1000.0
    if mat_mm is None:
        sides = [math.sqrt(max(quad_area(quad), 1e-9)) for quad in corners_px]
        outer = np.array([corners_px[i, i] for i in range(4)])
        lengths = np.linalg.norm(np.roll(outer, -1, axis=0) - outer, axis=1)
        around = [(sides[i] + sides[(i + 1) % 4]) / 2 for i in range(4)]
        ratios = [marker_mm * lengths[i] / around[i] / unit for i in range(4)]
        guess = ((ratios[0] + ratios[2]) / 2, (ratios[1] + ratios[3]) / 2)
    else:
        guess = (mat_mm[0] / unit, mat_mm[1] / unit)
    outer_seen = np.array([seen[i, i] for i in range(4)])
    start = cv2.getPerspectiveTransform(outer_corners(*guess).astype(np.float32), outer_seen.astype(np.float32))
    x = np.concatenate([(start / start[2, 2]).ravel()[:8], [0.0], np.zeros(5), guess if mat_mm is None else []])
    sigma = _FIT.corner_sigma_px / half
    bleed_sigma = (_FIT.bleed_sigma_free_mm if mat_mm is None else _FIT.bleed_sigma_mm) / unit
    askew_sigma = math.radians(_FIT.askew_sigma_deg)

    trust = np.ones((4, 4, 1))

    def errors(params: Doubles) -> Doubles:
        """Errors (b, 38) in their standard deviations, of several sets of unknowns (b, n) at once."""
        count = len(params)
        sizes = params[:, 14:16] if mat_mm is None else np.tile(guess, (count, 1))
        model = _model_corners(sizes, params[:, 9:13], params[:, 13:14], marker_mm / unit)
        homographies = np.concatenate([params[:, :8], np.ones((count, 1))], axis=1).reshape(count, 3, 3)
        off = project(homographies, params[:, 8].reshape(-1, 1, 1, 1), model) - seen
        fit = (off * (trust / sigma)).reshape(count, -1)
        prior = [params[:, 8:9] / _FIT.k1_sigma, params[:, 9:13] / askew_sigma, params[:, 13:14] / bleed_sigma]
        return np.concatenate([fit, *prior], axis=1)

    for _ in range(_FIT.trust_rounds):
        x = _levenberg_marquardt(errors, x)
        off_px = errors(x[None])[0, :32].reshape(4, 4, 2) * (sigma * half) / trust
        distance = np.linalg.norm(off_px, axis=-1, keepdims=True)
        usual = max(float(np.median(distance)), _FIT.corner_sigma_px)
        if distance.max() < 4 * usual:
            break
        # a finger or a shine at one corner: trust it less, the others hold the mat
        trust = 1.0 / (1.0 + (distance / (3 * usual)) ** 2)
    width, height = (float(x[14]), float(x[15])) if mat_mm is None else guess
    homography = np.append(x[:8], 1.0).reshape(3, 3) @ np.diag([1 / unit, 1 / unit, 1.0])
    return Mat(
        size_mm=(width * unit, height * unit) if mat_mm is None else (float(mat_mm[0]), float(mat_mm[1])),
        picture_size=size,
        homography=tuple(float(v) for v in homography.ravel()),
        k1=float(x[8]),
        markers=tuple(FoundMarker(i, tuple((float(a), float(b)) for a, b in corners_px[i])) for i in range(4)),
        residual_px=float(np.sqrt((distance**2).mean())),
        marker_mm=marker_mm,
        warnings=warnings,
    )


def _levenberg_marquardt(errors: Callable[[Doubles], Doubles], start: Doubles) -> Doubles:
    """Least squares from ``start`` (n,); ``errors`` takes several sets of unknowns (b, n) and gives (b, m)."""
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
