"""The sheet of a hall: a page for each table, with the code that its camera sees and the one that is typed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import segno
from reportlab.pdfgen.canvas import Canvas

from device.files import replace_file
from hall.invitation import Invitation
from printing.drawing import BLACK, WHITE, PageDrawing, new_page
from printing.paper_sizes import A4
from rules.text import Language, Text
from ui.fonts import Weight

CODE_MM = 150.0
"""A camera a metre above the mat sees a square of it as four pixels and more."""
_QUIET = 4
"""Squares of white round a code."""

_CAMERA = Text("At the table choose Settings, “Join a hall”, and lay this page on the mat.")
_TYPED = Text("Or on the table's page on a phone: Settings, “Join a hall”, then type")
_ADDRESS = Text("the hall's address")
_CODE = Text("the code")
_SECRET = Text("Whoever has this page can join as this table: keep it.")


def print_sheet(path: Path, tables: Sequence[tuple[Invitation, str]], board: str, language: Language) -> None:
    """Write a page for each table with its code to type; ``board`` is where the hall's board is reached.

    The file holds passwords, so it is for its owner alone: whoever has called ``sudo``.

    Raises:
        DeviceError: it can't be written.
    """
    with replace_file(path, mode=0o600) as unfinished:
        canvas = Canvas(str(unfinished), pageCompression=1)
        canvas.setTitle(f"Sevenmat: {tables[0][0].hall}")
        for invitation, code in tables:
            _draw_page(new_page(canvas, A4), invitation, code, board, language)
            canvas.showPage()
        canvas.save()
        if os.geteuid() == 0 and (owner := os.environ.get("SUDO_UID", "")).isdecimal():
            os.chown(unfinished, int(owner), int(os.environ.get("SUDO_GID", owner)))


def _draw_page(page: PageDrawing, invitation: Invitation, code: str, board: str, language: Language) -> None:
    width, height = page.page
    middle, widest = width / 2, width - 20

    def write(words: str, y: float, size: float, weight: Weight = Weight.REGULAR) -> None:
        page.draw_words(words, middle, y, size, BLACK, weight=weight, centred=True, widest=widest)

    write(invitation.table, 24, 24, Weight.BOLD)
    write(invitation.hall, 43, 9)
    draw_code(page, invitation.write_code(), middle - CODE_MM / 2, 52)
    write(_CAMERA.said(language), 214, 5.5)
    write(_TYPED.said(language), 228, 5.5)
    write(f"{_ADDRESS.said(language)}  {board}", 242, 8, Weight.BOLD)
    write(f"{_CODE.said(language)}  {code}", 256, 11, Weight.BOLD)
    write(_SECRET.said(language), height - 22, 4.5)


def draw_code(page: PageDrawing, text: str, x: float, y: float) -> None:
    """Draw a code to scan as a square of ``CODE_MM`` with its top left corner at (x, y), mm, its quiet zone in it."""
    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix]
    square = CODE_MM / (len(rows) + 2 * _QUIET)
    page.fill(x, y, CODE_MM, CODE_MM, WHITE)
    for row, cells in enumerate(rows):
        for column, dark in enumerate(cells):
            if dark:
                # A hair more, or a printer leaves light between two squares.
                at = x + (column + _QUIET) * square, y + (row + _QUIET) * square
                page.fill(*at, square + 0.02, square + 0.02, BLACK)
