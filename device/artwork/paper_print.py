"""Papers as they may be printed, for enrolment to compare: this program's own, and the kinds' names in its fonts."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from device.artwork.faces import paper_face
from referee.papers import PaperCard
from referee.registry import load_papers
from rules.text import Language
from ui.fonts import Weight, font_file
from vision.arrays import Picture
from vision.enrol.paper_names import Lettering, PrintedPapers
from vision.enrol.paper_print import FACE_SHAPE
from vision.geometry import CROP_BOX_MM, CROP_PX_PER_MM
from vision.identify.deck import PAPER_KINDS

_DRAWN = 2
"""Faces are drawn so much finer and averaged down."""
_LETTER_PX = 80


@cache
def printed_papers() -> PrintedPapers:
    """Return the program's own papers and the names of all kinds, in Japanese and English, bold and regular."""
    known = load_papers()
    sides = {
        side: tuple(_draw_face(known[kind], side == "complete") for kind in PAPER_KINDS)
        for side in ("review", "complete")
    }
    kinds = [known[kind] for kind in PAPER_KINDS]
    names = ([kind.text.said(language) for kind in kinds] for language in Language.all())
    return PrintedPapers(known, sides, tuple(_make_lettering(words, weight) for words in names for weight in Weight))


def _draw_face(paper: PaperCard, complete: bool) -> Picture:
    """Draw a paper's face (225, 160, 3) BGR uint8 where an enrolment page's would lie."""
    drawn = np.asarray(paper_face(paper, complete, _DRAWN * CROP_PX_PER_MM))[..., ::-1]
    height, width = FACE_SHAPE[:2]
    left, top = (-edge * CROP_PX_PER_MM for edge in CROP_BOX_MM[:2])
    move = np.array([[1 / _DRAWN, 0, left], [0, 1 / _DRAWN, top]])
    soft = cv2.GaussianBlur(np.ascontiguousarray(drawn), (0, 0), _DRAWN / 2)
    placed = cv2.warpAffine(soft, move, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(placed, np.uint8)


def _make_lettering(words: list[str], weight: Weight) -> Lettering:
    face = ImageFont.truetype(str(font_file(weight)), _LETTER_PX)
    _, top, _, bottom = face.getbbox("E")
    return Lettering(tuple(_draw_word(word, face) for word in words), float(bottom - top))


def _draw_word(word: str, face: ImageFont.FreeTypeFont) -> Picture:
    """Draw a word, cut out tightly, white on black."""
    left, top, right, bottom = (round(edge) for edge in face.getbbox(word))
    image = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(image).text((-left, -top), word, 255, font=face)
    return np.asarray(image)
