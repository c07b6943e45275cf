"""Where in a picture of a page lies what is to be mended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from device.capture.phone_picture import PictureMark, to_shares
from device.hardware.camera import Picture
from referee.layout import CARD_MM
from vision.errors import MatError
from vision.mat import find_markers
from vision.mat.markers import luma_of

if TYPE_CHECKING:
    from device.enrol.enrolling import LiveEnrolment, PageVerdict


def fault_marks(enrolment: LiveEnrolment, verdict: PageVerdict, picture: Picture) -> tuple[PictureMark, ...]:
    """Mark the cards that a verdict names, each with the number of its fault from 1; without a mat its corner marks."""
    if verdict.accepted:
        return ()
    try:
        mat = enrolment.mat_in(picture)
        places = enrolment.list_places(verdict.page, verdict.part)
    except MatError:
        return tuple(_corner_marks(picture))
    width, height = CARD_MM
    around = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    marks = []
    for number, fault in enumerate(verdict.faults, 1):
        for card in fault.cards:
            if fault.page == verdict.page and card in places:
                corners = mat.to_px(around + np.array(places[card]))
                marks.append(PictureMark(to_shares(corners, mat.picture_size), str(number), fault=True))
    return tuple(marks)


def _corner_marks(picture: Picture) -> Iterator[PictureMark]:
    """Yield the corner marks that were found."""
    size = picture.shape[1], picture.shape[0]
    for one in find_markers(luma_of(picture)):
        yield PictureMark(to_shares(one.array, size), "✓")
