"""What the shape's numbers may be at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.shape import measure
from tools.shape.measure import Source


@dataclass(frozen=True)
class Bound:
    """One number: its name, what it counts, and what it may be at most."""

    name: str
    words: str
    most: int


BOUNDS = (
    Bound("games", "files outside a game's own folders that name the game", 0),
    Bound("folder", "files in the largest folder", 16),
    Bound("file", "lines of the longest file (a position's class aside)", 650),
    Bound("cycles", "import cycles", 0),
    Bound("classes", "classes with more than 15 attributes", 2),
    Bound("language", "branches on the language", 2),
    Bound("journal", "lines of the journal", 300),
    Bound("numbers", "numbers at the top of vision's modules outside its configuration", 60),
)
_MANY = 15
_FULL = 16
_LONG = 600
_POSITION = "position.py"


def measured(files: Sequence[Source]) -> dict[str, tuple[int, list[str]]]:
    """Each number by its bound's name, and the places that make it up."""
    games = measure.name_a_game(files)
    folders = measure.folder_sizes(files)
    lengths = {path: n for path, n in measure.file_lengths(files).items() if not path.endswith(_POSITION)}
    cycles = [" <-> ".join(group) for group in measure.import_cycles(files)]
    classes = [f"{name}: {count}" for name, count in measure.attributes(files).items() if count > _MANY]
    language = measure.language_branches(files)
    numbers = measure.number_constants(files)
    return {
        "games": (len(games), games),
        "folder": (max(folders.values()), [f"{path}: {n}" for path, n in folders.items() if n > _FULL]),
        "file": (max(lengths.values()), [f"{path}: {n}" for path, n in lengths.items() if n > _LONG]),
        "cycles": (len(cycles), cycles),
        "classes": (len(classes), classes),
        "language": (len(language), language),
        "journal": (measure.journal_lines(files), []),
        "numbers": (len(numbers), numbers),
    }
