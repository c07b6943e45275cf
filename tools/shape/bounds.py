"""What the shape's numbers may be at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.shape import measure
from tools.shape.measure import Source


@dataclass(frozen=True)
class Bound:
    """One number: its name, what it counts, and what it is to be at most."""

    name: str
    words: str
    most: int


BOUNDS = (
    Bound("japanese", "files of the program with Japanese in them", 10),
    Bound("language", "branches on the language", 0),
    Bound("judges", "games that judge or compare for themselves", 0),
    Bound("twice", "pairs of functions and classes that two games have alike", 5),
    Bound("app", "methods of App", 25),
    Bound("session", "methods of Session", 25),
    Bound("protocols", "protocols in device/", 12),
    Bound("screen", "fields of the widest screen, inherited ones included", 10),
    Bound("complex", "functions of a complexity over 25", 0),
    Bound("reading", "places outside vision/ that find the mat", 1),
    Bound("namesakes", "classes that share a name", 0),
    Bound("games", "files outside a game's own folders that name the game", 0),
    Bound("folder", "files in the largest folder", 16),
    Bound("file", "lines of the longest file (a position's class aside)", 650),
    Bound("cycles", "import cycles", 0),
    Bound("classes", "classes with more than 15 attributes", 2),
    Bound("numbers", "numbers at the top of vision's modules outside its configuration", 60),
)
_MANY = 15
_FULL = 16
_LONG = 600
_COMPLEX = 25
_POSITION = "position.py"


def measure_all(files: Sequence[Source]) -> dict[str, tuple[int, list[str]]]:
    """Measure each number by its bound's name, and the places that make it up."""
    folders = measure.folder_sizes(files)
    lengths = {path: n for path, n in measure.file_lengths(files).items() if not path.endswith(_POSITION)}
    classes = [f"{name}: {count}" for name, count in measure.count_attributes(files).items() if count > _MANY]
    complexity = measure.measure_complexities(files)
    kinds = measure.kinds_of(files, "ScreenState")
    places = {
        "japanese": measure.with_japanese(files),
        "language": measure.language_branches(files),
        "judges": measure.own_judges(files),
        "twice": measure.alike_across_games(files),
        "app": measure.list_methods(files, "App"),
        "session": measure.list_methods(files, "Session"),
        "protocols": measure.list_protocols(files, "device"),
        "complex": [f"{name}: {n}" for name, n in complexity.items() if n > _COMPLEX],
        "reading": measure.mat_finders(files),
        "namesakes": measure.find_namesakes(files),
        "games": measure.name_a_game(files),
        "cycles": [" <-> ".join(group) for group in measure.import_cycles(files)],
        "classes": classes,
        "numbers": measure.number_constants(files),
    }
    return {
        "screen": (max(kinds.values()), [f"{name}: {count}" for name, count in kinds.items()]),
        "folder": (max(folders.values()), [f"{path}: {n}" for path, n in folders.items() if n > _FULL]),
        "file": (max(lengths.values()), [f"{path}: {n}" for path, n in lengths.items() if n > _LONG]),
        **{name: (len(found), found) for name, found in places.items()},
    }
