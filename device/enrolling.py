"""``sevenmat enrol``: a deck learnt from three pictures goes on the shelf, or the page's faults are named."""

from __future__ import annotations

import sys
from pathlib import Path

from device.chain import card_reader
from device.shelf import DeckShelf
from device.speech import Language
from vision.enrol import EnrolError, enrol
from vision.picture import load_picture


def enrol_pictures(
    name: str,
    pages: tuple[str, str, str],
    mat_mm: tuple[float, float] | None,
    shelf: DeckShelf,
    language: Language,
) -> int:
    """Learn a deck from the pictures of its three pages: seven, review, complete.

    Returns the exit code: 1 where something on a page is to mend, each fault a line on standard error; an earlier
    deck of that name then stays as it was.

    Raises:
        DeviceError: the name can't be a deck's, or the shelf can't be written.
        VisionError: a picture can't be read, or its mat can't be measured.
    """
    shelf.path(name)
    seven, review, complete = (load_picture(Path(page)) for page in pages)
    try:
        deck = enrol(card_reader(), name, seven, review, complete, mat_mm)
    except EnrolError as error:
        for fault in error.faults:
            print(f"sevenmat: {fault.ja if language is Language.JA else fault.en}", file=sys.stderr)
        return 1
    path = shelf.save(name, deck)
    if language is Language.JA:
        print(f"デッキ「{name}」を登録しました（{len(deck.cards)}種類の面、{path}）。")
    else:
        print(f"Deck {name!r} is enrolled: {len(deck.cards)} faces, in {path}.")
    return 0
