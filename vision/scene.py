"""A picture with what is known of it, from which every stage of a reading cuts what it compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.arrays import Picture
from vision.assign.centre_crop import WIDE_CENTRE_CROP
from vision.config import CONFIG
from vision.crops import CROP_CENTRE_MM, WIDE, clipped_share, measure_sharpness
from vision.detect.corners import Corner
from vision.detect.occlusion import mask_occluded
from vision.geometry import CROP_PX_PER_MM, CropWindow
from vision.mat import Mat
from vision.mat.light import Light

_QUALITY = CONFIG.reading.quality

Part = tuple[int, int, int, int]
"""x0, y0, x1, y1 in px of a straightened mat."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (h, w, 3) BGR uint8 as the camera gave it, the mat and the light in it, and the corners ``found``.

    Those are what may lie on others: suppressed ones are left out.
    """

    picture: Picture
    mat: Mat
    light: Light
    found: Sequence[Corner] = ()

    @classmethod
    def from_picture(cls, picture: Picture, mat: Mat) -> Scene:
        """Make the scene of a picture in which the mat is known.

        Raises:
            LightError: the light can't be measured.
        """
        return cls(picture, mat, Light.measure(picture, mat))

    def straighten(self, px_per_mm: float, part: Part | None = None) -> Picture:
        """Straighten the mat, or a part of it, in one light."""
        flat = self.mat.rectify(self.picture, px_per_mm, part=part)
        return self.light.correct_mat(flat, px_per_mm, origin_px=part[:2] if part else (0, 0))

    def cut_patch(
        self, place: tuple[float, float], angle: float, size_mm: tuple[float, float], px_per_mm: float
    ) -> Picture:
        """Cut out what lies within that size round a place (mm), turned upright, in one light."""
        return self.light.correct_patch(self.mat.cut_patch(self.picture, place, angle, size_mm, px_per_mm), place)

    def cut_crops(self, corners: Sequence[Corner], window: CropWindow = WIDE) -> list[Picture]:
        """Cut out what lies in that window at corners, upright, at the crops' scale."""
        places = [corner.to_mat(*CROP_CENTRE_MM) for corner in corners]
        turned = [(place, corner.angle) for place, corner in zip(places, corners, strict=True)]
        raw = self.mat.cut_patches(self.picture, turned, window.size_mm, CROP_PX_PER_MM)
        return [self.light.correct_patch(crop, place) for crop, place in zip(raw, places, strict=True)]

    def mask_occluders(self, corners: Sequence[Corner], window: CropWindow = WIDE) -> list[Picture | None]:
        """Mask (h, w) where what was found lies on what is cut at corners; None where nothing does."""
        return mask_occluded(corners, self.found, window.origin_mm, window.size_px)

    def raw_crop(self, corner: Corner) -> Picture:
        """Cut out the crop at a corner with 2 mm more all round as the camera gave it, upright; (66, 170, 3)."""
        place = corner.to_mat(*CROP_CENTRE_MM)
        return self.mat.cut_patch(self.picture, place, corner.angle, WIDE.size_mm, CROP_PX_PER_MM)

    def raw_centre_crops(self, corners: Sequence[Corner]) -> list[Picture]:
        """Cut out the centre crops of cards with these upper corners, unlit and with a margin; (130, 146, 3)."""
        turned = [(corner.centre, corner.angle) for corner in corners]
        return self.mat.cut_patches(self.picture, turned, WIDE_CENTRE_CROP.size_mm, CROP_PX_PER_MM)

    def centre_crops(self, corners: Sequence[Corner]) -> list[Picture]:
        """Cut out the same in one light."""
        raw = zip(self.raw_centre_crops(corners), corners, strict=True)
        return [self.light.correct_patch(crop, corner.centre) for crop, corner in raw]

    def find_cause(self, corners: Sequence[Corner]) -> str:
        """Name the likeliest reason why a card with these corners can't be named, judged on what the camera gave."""
        crops = [self.raw_crop(corner) for corner in corners]
        placed = zip(crops, corners, strict=True)
        veils = [self.light.veil_over(crop, corner.to_mat(*CROP_CENTRE_MM)) for crop, corner in placed]
        if min(clipped_share(crop) for crop in crops) > _QUALITY.glare_share or min(veils) > _QUALITY.veil:
            return "glare"
        if self.mat.px_per_mm < _QUALITY.min_px_per_mm:
            return "few_pixels"
        if max(measure_sharpness(crop) for crop in crops) < _QUALITY.blurred:
            return "blurred"
        return "covered" if len(crops) == 1 else "doubtful"
