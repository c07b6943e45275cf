"""``sevenmat decks``: the enrolled decks listed, shown, exported to a file, brought in from one, and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from device.errors import DeviceError
from device.speech import Language, say
from device.storage.deck_store import DeckShelf
from rules.plain import escape_line
from rules.text import Text
from vision.errors import VisionError
from vision.identify.deck import Deck

_NO_DECK = Text("No deck is enrolled yet; 'sevenmat enrol --deck NAME' learns one.")
_READY = Text("known without learning")
_USAGE = {"list": "", "show": " NAME", "export": " NAME FILE", "import": " FILE", "delete": " NAME"}


def decks_command(
    shelf: DeckShelf,
    what: str,
    operands: Sequence[str],
    name: str | None,
    replace_it: bool,
    as_json: bool,
    sure: Callable[[str], bool],
    language: Language,
) -> int:
    """``sevenmat decks``: do ``what`` with the shelf. Returns the exit code.

    Raises:
        DeviceError: it can't be done as asked.
        VisionError: a deck's file can't be used.
    """
    usage = _USAGE[what]
    if len(operands) != len(usage.split()):
        raise DeviceError(
            "Write it as 'sevenmat decks {what}{usage}'; 'sevenmat decks' lists the decks there are.",
            what=what,
            usage=usage,
        )
    if what == "show":
        return show_deck(shelf, operands[0], as_json, language)
    if what == "export":
        return export_deck(shelf, operands[0], Path(operands[1]), replace_it, language)
    if what == "import":
        return import_deck(shelf, Path(operands[0]), name, replace_it, language)
    if what == "delete":
        return delete_deck(shelf, operands[0], sure, language)
    return list_decks(shelf, as_json, language)


def list_decks(shelf: DeckShelf, as_json: bool, language: Language) -> int:
    """Print one line a deck; returns the exit code: 1 where a deck's file can't be used."""
    code = 0
    names = shelf.list_names()
    for name in names:
        try:
            faces, fault = len(shelf.load(name).cards), ""
        except (DeviceError, VisionError) as error:
            faces, fault, code = 0, say(error, language), 1
        if as_json:
            line = {"deck": name, "fault": fault} if fault else {"deck": name, "faces": faces}
            print(json.dumps(line, ensure_ascii=False))
        else:
            words = fault or (Text("{faces} faces", faces=faces).said(language))
            print(f"{escape_line(name):20} {escape_line(words)}")
    if not names and not as_json:
        print(_NO_DECK.said(language))
    for name in shelf.ready:
        if name not in names and not as_json:
            print(f"{escape_line(name):20} {_READY.said(language)}")
    return code


def show_deck(shelf: DeckShelf, name: str, as_json: bool, language: Language) -> int:
    """Print what is known of one deck: its faces, its file, which cards look too alike. Returns the exit code.

    Raises:
        DeviceError: there is no such deck.
        VisionError: its file can't be used.
    """
    from device.capture.eye import card_reader  # the reader takes a while to be loaded
    from device.enrol.enrolling import alike_words
    from vision.enrol import look_alikes

    deck: Deck = card_reader().up_to_date(shelf.load(name))
    alike = look_alikes(deck)
    path = str(shelf.get_path(name))
    if as_json:
        line = {"deck": name, "faces": len(deck.cards), "file": path, "cards": list(deck.names)}
        print(json.dumps({**line, "look_alikes": [list(pair) for pair in alike]}, ensure_ascii=False))
        return 0
    faces = len(deck.cards)
    found = Text("Deck {name!r}: {faces} faces, in {path}", name=name, faces=faces, path=escape_line(path))
    print(found.said(language))
    if alike:
        words = alike_words(alike)
        print(words.said(language))
    return 0


def export_deck(shelf: DeckShelf, name: str, out: Path, replace_it: bool, language: Language) -> int:
    """Write a deck as one file. Returns the exit code.

    Raises:
        DeviceError: there is no such deck, or the file can't be written.
        VisionError: the deck's own file can't be used.
    """
    shelf.export(name, out, replace_it)
    where = escape_line(str(out))
    print(Text("Deck {name!r} is in {where}.", name=name, where=where).said(language))
    return 0


def import_deck(shelf: DeckShelf, file: Path, name: str | None, replace_it: bool, language: Language) -> int:
    """Put a deck from a file on the shelf. Returns the exit code.

    Raises:
        DeviceError: the name can't be used, or the shelf can't be written.
        VisionError: the file is no deck that can be used.
    """
    name = shelf.bring_in(file, name, replace_it)
    print(Text("Deck {name!r} is imported.", name=name).said(language))
    return 0


def delete_deck(shelf: DeckShelf, name: str, sure: Callable[[str], bool], language: Language) -> int:
    """Take a deck off the shelf once ``sure`` agrees; returns the exit code, 1 where it does not.

    Raises:
        DeviceError: there is no such deck, or nobody can be asked.
    """
    if not shelf.get_path(name).is_file():
        shelf.delete(name)  # says which decks there are
    question = Text("Delete deck {name!r}? [y/N] ", name=name).said(language)
    if not sure(question):
        return 1
    shelf.delete(name)
    print(Text("Deck {name!r} is deleted.", name=name).said(language))
    return 0
