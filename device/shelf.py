"""The shelf of enrolled decks in the state folder, one file a deck."""

from __future__ import annotations

import re
from pathlib import Path

import platformdirs

from device.errors import DeviceError
from vision.deck import Deck

_NAME = re.compile(r"[\w][\w .-]{0,39}")


def default_state() -> Path:
    """Where Sevenmat keeps decks unless told otherwise."""
    return Path(platformdirs.user_state_dir("sevenmat", appauthor=False))


class DeckShelf:
    """Decks by name; names are plain words, so that no name leads out of the folder."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "decks"

    def path(self, name: str) -> Path:
        """The deck's file.

        Raises:
            DeviceError: the name can't be a deck's.
        """
        if not _NAME.fullmatch(name) or name.endswith((".", " ")):
            raise DeviceError(
                f"{name!r} can't be a deck's name: use up to 40 letters, digits, spaces, '.', '-' and '_'.",
                f"「{name}」はデッキの名前にできません。40字までの文字・数字・空白・.・-・_ を使ってください。",
            )
        return self._folder / f"{name}.deck"

    def load(self, name: str) -> Deck:
        """The deck of that name.

        Raises:
            DeviceError: the name can't be a deck's, or none of that name is enrolled.
            VisionError: its file is damaged.
        """
        path = self.path(name)
        if not path.is_file():
            known = ", ".join(self.names())
            there_is, ja = (f"; there are {known}", f"（登録済み：{known}）") if known else ("", "")
            raise DeviceError(
                f"There is no deck {name!r}{there_is}; enrol it with 'sevenmat enrol --deck {name}'.",
                f"デッキ「{name}」はありません{ja}。sevenmat enrol --deck {name} で登録してください。",
            )
        return Deck.load(path)

    def save(self, name: str, deck: Deck) -> Path:
        """Put a deck on the shelf; an earlier one of that name stays until the new one is whole.

        Raises:
            DeviceError: the name can't be a deck's, or the state folder can't be written.
        """
        path = self.path(name)
        try:
            deck.save(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DeviceError(
                f"The deck can't be written to {path}: {reason}.", f"デッキを{path}に書き込めません（{reason}）。"
            ) from error
        return path

    def names(self) -> list[str]:
        """The names of all enrolled decks."""
        return sorted(path.stem for path in self._folder.glob("*.deck"))
