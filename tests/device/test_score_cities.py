"""``sevenmat score`` of finished cities: cards and stages read, all else told by a file."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.main import main
from device.enrol.ready_decks import deck_shelf
from device.scoring.looking import TableLook
from device.scoring.table import Table
from device.storage.deck_store import DeckShelf
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from tests.referee.finished.cities import laid, played, told
from tests.vision.faces.tables import camera
from vision.mat import find_mat
from vision.picture import read_picture_bytes

SEED = 3
PRINTED = "Sevenmat Seven Wonders"
FINE: dict[str, Any] = {
    "boards": ["giza/a", "ephesos/b", "rhodes/a"],
    "coins": [1, 2, 3],
    "tokens": [[0, 0, 0, 0]] * 3,
}


@cache
def lying() -> list[Placed]:
    return laid(played(SEED).cities, random.Random(SEED))


@cache
def pictured() -> bytes:
    """Picture the finished table of a game, of the printed set."""
    above = camera("printed", 2)
    above.show(lying())
    return above.jpeg().tobytes()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with the printed set, which nobody has to learn."""
    state = tmp_path_factory.mktemp("shelf")
    deck_shelf(state).load(PRINTED)
    return state


def run(folder: Path, image: str, what: object, *more: str) -> int:
    (folder / "told.json").write_text(what if isinstance(what, str) else json.dumps(what))
    words = ["--game", "seven_wonders", "--told", str(folder / "told.json"), "--state", str(folder), *more]
    return main(["score", image, *words, "--language", "en"])


@pytest.mark.slow  # tests/referee/finished/test_seven_wonders.py scores, tests/vision/faces reads
def test_a_picture_is_scored_by_category_with_cards_and_stages(
    shelf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = played(SEED)
    (tmp_path / "table.jpg").write_bytes(pictured())
    # The deck need not be named where it is the only one.
    assert run(tmp_path, str(tmp_path / "table.jpg"), told(position), "--state", str(shelf), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert position.outcome is not None
    assert (found["game"], found["faults"], found["unread"]) == ("seven_wonders", [], [])
    assert found["final"] == list(position.points)
    assert found["categories"] == [list(points) for points in position.categories]
    assert found["winners"] == list(position.outcome.winners)
    for player, city, points in zip(found["players"], position.cities, position.points, strict=True):
        assert player["points"] == points
        assert player["stages"] == city.stages
        assert sorted(name.removesuffix("_2") for name in player["cards"]) == sorted(card.name for card in city.cards)


@pytest.mark.slow  # test_scoring_cities.py asks
def test_a_doubtful_card_is_shown_and_boards_are_no_doubt(shelf: Path) -> None:
    position = played(SEED)
    picture = read_picture_bytes(pictured()).copy()
    mat = find_mat(picture, REFERENCE_MAT_MM)
    hidden = next(card for card in lying() if card.name == position.cities[0].cards[-1].id)
    corners = np.array([(hidden.x - 34, hidden.y - 52), (hidden.x + 34, hidden.y + 52)])
    (x0, y0), (x1, y1) = np.sort(np.rint(mat.to_px(corners)).astype(int), axis=0)
    picture[y0:y1, x0:x1] = (90, 60, 200)
    table = Table.set_up("seven_wonders", None, position.players, None, told(position))
    glimpse = TableLook.prepare(DeckShelf(shelf), table, PRINTED, REFERENCE_MAT_MM, 50.0)(picture)
    assert glimpse.seen.unread
    assert all(abs(mark.x - hidden.x) < 40 and abs(mark.y - hidden.y) < 60 for mark in glimpse.seen.unread)
    assert all(glimpse.close_up(mark) is not None for mark in glimpse.seen.unread)
    assert hidden.name not in {seen.name for seen in glimpse.seen.sightings}


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (FINE | {"boards": ["giza/a", "giza/b", "rhodes/a"]}, "'boards' has a wonder twice: giza/a"),
        (FINE | {"boards": ["giza/a", "rhodes/a"]}, "'boards' must be a list of 3 boards"),
        (FINE | {"boards": [*FINE["boards"], "babylon/a"]}, "'boards' must be a list of 3 boards"),
        (FINE | {"coins": [1, -2, 3]}, "'coins' must be whole numbers from 0 on, not -2"),
        (FINE | {"coins": 6}, "'coins' must be a list of 3 numbers"),
        (FINE | {"tokens": [[0, 0, 3, 0]] * 3}, "'tokens' must be a whole number from 0 to 2, not 3"),
        (FINE | {"hands": []}, "knows nothing of 'hands'"),
        ({"boards": FINE["boards"]}, "asks what no camera sees: How many coins?"),
        ('{"boards":["giza/a"', "it is no whole JSON object"),
        ("[]", "it is no JSON object"),
    ],
)
def test_what_is_told_wrong_is_one_sentence(
    what: object, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "none.jpg", what, "--seats", "3", "--deck", PRINTED) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert said in out.err
    assert len(out.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--deck", "none"), "There is no deck 'none'"),
        (("--seats", "2"), "is played by 3 to 7 players, not 2"),
        (("--players", "A,B"), "--players names 2 players, but 3 play"),
    ],
)
def test_decks_and_numbers_that_cannot_be_are_one_sentence(
    more: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "none.jpg", FINE, *more) == 2
    out = capsys.readouterr()
    assert said in out.err
    assert len(out.err.splitlines()) == 1


@pytest.mark.slow  # tests/device/test_scoring_cities.py
def test_six_cities_need_two_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str], shelf: Path) -> None:
    wonders = ("giza", "ephesos", "rhodes", "babylon", "olympia", "alexandria")
    six = {"boards": [f"{one}/a" for one in wonders], "coins": [1] * 6, "tokens": [[0, 0, 0, 0]] * 6}
    assert run(tmp_path, "none.jpg", six, "--state", str(shelf)) == 2
    out = capsys.readouterr()
    assert "give 2 pictures for each table, of seats 1–3, then 4–6" in out.err
    assert len(out.err.splitlines()) == 1


def test_a_file_that_is_not_there_and_nobody_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score", "none.jpg", "--game", "seven_wonders", "--state", str(tmp_path), "--language", "en"]
    assert main([*words, "--told", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(words) == 2
    assert "Say with --seats how many play." in capsys.readouterr().err
