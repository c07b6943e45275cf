"""What ruff and import-linter can't say of the code's shape: sizes of rooms, and words that stand in one place only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tools.deb.contents import ROOT, read_project

TEXTS = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for room in read_project().rooms
    for path in sorted((ROOT / room).rglob("*.py"))
    if (ROOT / "models/train") not in path.parents
}
GAMES = tuple(path.parent.name for path in (ROOT / "rules").glob("*/rules.py"))


def is_a_games_own(path: Path) -> bool:
    return path.parts[0] in ("rules", "referee", "ui") and any(Path(part).stem in GAMES for part in path.parts[1:])


def find_all(pattern: str) -> Iterator[tuple[Path, str]]:
    """Yield each place whose text fits, with what the pattern's group found."""
    wanted = re.compile(pattern, re.MULTILINE)
    for path, text in TEXTS.items():
        for found in wanted.finditer(text):
            yield path, found[1]


def test_rooms_and_files_are_small() -> None:
    assert {folder: n for folder, n in Counter(path.parent for path in TEXTS).items() if n > 16} == {}
    lines = {path: text.count("\n") for path, text in TEXTS.items() if path.name != "position.py"}
    assert {path: n for path, n in lines.items() if n > 650} == {}


def test_a_game_is_named_in_its_own_folders_only() -> None:
    assert len(GAMES) == 5
    named = find_all(f"(?i)({'|'.join(GAMES)})")
    assert [path for path, _ in named if not is_a_games_own(path)] == []


def test_games_are_judged_and_compared_by_what_they_have_in_common() -> None:
    own = find_all(r"^    def (judge|compare)\(")
    assert [path for path, _ in own if path.parts[0] == "referee" and is_a_games_own(path)] == []


def test_no_line_asks_which_language_is_spoken() -> None:
    assert list(find_all(r"((?:[!=]=|\bis|\bis not) Language\.)")) == []


def test_words_of_other_languages_stand_in_the_catalogues() -> None:
    assert len({path for path, _ in find_all("([\u3040-\u30ff\u4e00-\u9fff])")}) <= 10


def test_outside_vision_the_mat_is_found_in_one_place() -> None:
    calls = find_all(r"\b(find_mat)\(")
    assert len([path for path, _ in calls if path.parts[0] != "vision"]) == 1


def test_no_two_classes_share_a_name() -> None:
    """But for what is called the same in the same module of several games, which is one thing."""
    places: dict[str, set[str]] = {}
    for path, name in find_all(r"^class ([A-Z]\w*)"):
        places.setdefault(name, set()).add(re.sub("|".join(GAMES), "*", str(path)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
