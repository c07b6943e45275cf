"""Why the journal can't be used, each reason a sentence for players, and what is said of a damaged one."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from device.errors import DeviceError, reason_of
from rules.text import Text, plural


class Trouble(Enum):
    """Why the journal at ``{path}`` can't be used, each a sentence."""

    LOCKED = Text("The journal {path} is in use by another program; close that one and try again.")
    FULL = Text(
        "The disk is full and the journal could not be written; delete recordings or other files, then try again."
    )
    READ_ONLY = Text(
        "The journal {path} can't be written ({cause}): make its folder writable; an SD card that became read-only "
        "is worn out."
    )
    FAILING = Text("The disk of the journal {path} fails ({cause}); try again, and check the SD card.")
    DAMAGED = Text(
        "The journal {path} is damaged; stop whatever Sevenmat uses it, start again, and it recovers what can be read."
    )
    NEWER = Text(
        "The journal {path} was written by a newer Sevenmat (schema {cause}); update Sevenmat, or move it away."
    )
    GONE = Text("The journal {path} was moved or removed while in use; start Sevenmat again.")
    TAKEN = Text("This game was changed or deleted in the journal by another program; start Sevenmat again.")


class JournalError(DeviceError):
    """The journal at ``path`` can't be used as asked, and nothing of what was asked has been written.

    After ``LOCKED``, ``FULL``, ``READ_ONLY`` and ``FAILING`` the same call may be tried again once the cause is
    mended; after ``DAMAGED`` and ``GONE`` the journal has to be opened anew, which sets damaged files aside (a
    ``GameLog`` does so by itself).
    """

    def __init__(self, trouble: Trouble, path: Path, cause: str = "") -> None:
        super().__init__(trouble.value.refill(path=path, cause=cause))
        self.trouble = trouble


_OF_CODES = dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), Trouble.FULL) | {errno.EIO: Trouble.FAILING}


def explain_refusal(error: OSError, path: Path) -> JournalError:
    """Turn what the system refused into the journal's trouble."""
    return JournalError(_OF_CODES.get(error.errno or 0, Trouble.READ_ONLY), path, reason_of(error))


class UnreadableGameError(DeviceError):
    """What the journal holds of a game is not what this version writes; the other games are not concerned."""

    def __init__(self, number: int, entry: int | None = None) -> None:
        said = Text("Game {number} can't be read", number=number)
        if entry is not None:
            said = Text("Game {number} can't be read beyond its entry {entry}", number=number, entry=entry)
        super().__init__(
            Text(
                "{said}; it was written by another version of Sevenmat, and 'sevenmat games delete {number}' removes "
                "it.",
                said=said,
                number=number,
            )
        )
        self.number, self.entry = number, entry


class UnknownGameError(DeviceError):
    """There is no game of that number in the journal."""

    def __init__(self, number: int) -> None:
        super().__init__(
            Text("There is no game {number} in the journal; 'sevenmat games' lists those there are.", number=number)
        )
        self.told_on_a_phone(Text("There is no game {number}.", number=number))
        self.number = number


@dataclass(frozen=True, slots=True)
class SetAside:
    """What was damaged was set aside as ``path``; the journal has so many games and entries now.

    ``cut_short`` counts the recovered games that lack their last entries, ``lost`` those of which nothing that can be
    believed was left.
    """

    path: Path
    games: int
    entries: int
    cut_short: int
    lost: int

    @property
    def text(self) -> Text:
        """What happened."""
        told = plural(
            "The journal was damaged and is kept as {name}; {count} game recovered",
            "The journal was damaged and is kept as {name}; {count} games recovered",
            count=self.games,
            name=self.path.name,
        )
        if self.cut_short:
            told = Text("{told}, {cut} of them cut short", told=told, cut=self.cut_short)
        if self.lost:
            return Text("{told}; {lost} could not be recovered.", told=told, lost=self.lost)
        return Text("{told}.", told=told)
