"""Games and players looked back on with a phone."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.main import main
from device.storage.journal import Journal
from device.storage.opening import Opening, Result
from device.storage.scored import ScoredTables
from device.storage.turn_files import TurnFiles
from referee.history import Entry, History
from rules.laminate.papers import BUILT_IN
from rules.text import Language
from tests.cli.test_games import _history, state, whole_game, written  # noqa: F401 - fixtures
from tests.device.openings import opening
from tests.web.moments import reach
from tests.web.phone import phone
from ui.screen_state import Mood
from web.game_pages import course_lines, draw_course
from web.player_pages import Played, make_sheets


def test_games_are_listed_as_the_command_lists_them(
    state: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    assert main(["games", "--json", "--state", str(state)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    with phone(state) as client:
        listed = client.get("/games.json").json()["games"]
        page = client.get("/games").text
    assert listed == [line for line in told if "game" in line][::-1]
    for line in listed:
        assert f'href="/games/{line["game"]}"' in page


def test_a_game_turn_by_turn(state: Path, whole_game: list[Entry]) -> None:  # noqa: F811
    with phone(state) as client:
        told = client.get("/games/1.json").json()
        page = client.get("/games/1").text
        record = client.get("/games/1.jsonl").text
        sheet = client.get("/games/1.csv").content
        assert sheet.startswith(b"\xef\xbb\xbfturn,"), "Excel opens it by a double click"
        rows = list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"))))
        replay = client.get("/games/1.html")
    assert len(told["turns"]) == len(rows) - 1 == page.count("<li value=")
    assert told["turns"][-1]["points"] == told["points"] == [int(points) for points in rows[-1][3:]]
    assert json.loads(record.splitlines()[0])["game"] == "laminate"
    assert told["turns"][3]["text"] in replay.text
    assert "attachment" in replay.headers["content-disposition"]
    for outside in ("http://", "https://", "<script src", "fetch(`/", 'src="/', 'href="/'):
        assert outside not in replay.text, "it opens anywhere, without a network"


def test_points_that_players_keep_secret_are_told_at_the_end(tmp_path: Path) -> None:
    true = reach("wild_seven", Mood.PREVIEW).history
    header, history, entries = true.header, History.start(true.referee, true.header.players, true.header.options), []
    for step in true.past:
        assert step.move is not None
        entries.append(history.move_entry(step.move, step.after))
        history = history.apply_entry(entries[-1])
    points = tuple(history.now.position.points)
    assert any(points)
    with Journal.open(tmp_path) as games:
        opened = replace(opening(header.players, deck="ours"), game=header.game, options=dict(header.options))
        log = games.begin(opened, Language.EN, entries)
        told = f"{header.players[0]} {points[0]}"
        for secret in (True, False):
            with phone(tmp_path) as client:
                turn = client.get(f"/games/1/{len(entries)}.json").json()
                pages = [client.get(address).text for address in ("/games", "/games/1", "/games/1.html")]
            assert [one["points"] for one in turn["players"]] == (["" for _ in points] if secret else list(points))
            assert (told in turn["scores"], told in pages[0], 'class="course"' in pages[1]) == (not secret,) * 3
            assert ('class="course"' in pages[2]) is not secret
            if secret:
                log.end(Result(points, (1,)))


def test_pictures_of_turns(state: Path) -> None:  # noqa: F811
    from device.capture.turn_pictures import turn_keys
    from device.session.retelling import retell_turns

    with Journal.open(state) as journal:
        turn = next(iter(retell_turns(journal.read_game(1), journal.read_entries(1))))
    TurnFiles(state, 1).keep(turn_keys(turn.after.past)[-1], (b"before", b"after"))
    with phone(state) as client:
        assert f"/games/1/{turn.number}-1.jpg" in client.get("/games/1").text
        assert client.get(f"/games/1/{turn.number}-1.jpg").content == b"after"
        assert client.get(f"/games/1/{turn.number}-2.jpg").status_code == 404
        assert "data:image/jpeg;base64" in client.get("/games/1.html").text


@pytest.mark.parametrize(
    "address", ["/games/77", "/games/77.json", "/games/s9", "/games/99999999999999999999", "/games/x"]
)
def test_games_that_are_not_there(address: str, state: Path) -> None:  # noqa: F811
    with phone(state) as client:
        assert client.get(address).status_code in (400, 404)


def test_cells_are_no_formulas() -> None:
    from device.storage.scored import guard_cell

    assert [guard_cell(text) for text in ("=1+1", "@x", "Ada lays 7.")] == ["'=1+1", "'@x", "Ada lays 7."]


def test_the_course_fits_its_drawing() -> None:
    assert course_lines([(0, 0), (3, 1), (10, -2)])[0] == "0.0,166.7 300.0,116.7 600.0,0.0"
    assert course_lines([(0, 0)]) == []


def test_lines_across_the_course_are_round_and_few() -> None:
    course = [(0, 0), (3, 1), (23, -2)]
    assert draw_course(course)["levels"] == [(0, 184.0), (5, 144.0), (10, 104.0), (15, 64.0), (20, 24.0)]
    assert [level for level, _ in draw_course([(0, 0), (0, 0)])["levels"]] == [0]
    assert draw_course([(0, 0)])["levels"] == []


PLAYED = (
    Played("laminate", ("Ada", "Bo"), (15, 9), (1,)),
    Played("laminate", ("Bo", "Ada", "Cy"), (12, 12, 3), (1, 2)),
    Played("wild_seven", ("Cy", "Ada"), (7, 20), (2,)),
)


def test_what_players_have_come_to() -> None:
    sheets = make_sheets(PLAYED)
    ada = sheets["Ada"]
    assert next(iter(sheets)) == "Ada"
    assert (ada.games, ada.wins, ada.by_game["laminate"].average) == (3, 3, 13.5)
    assert dict(ada.against["Bo"]) == {"games": 2, "wins": 1, "losses": 0}
    assert dict(sheets["Cy"].against["Ada"]) == {"games": 2, "wins": 0, "losses": 2}


def test_the_best_papers_of_games_and_of_scored_tables(state: Path, whole_game: list[Entry]) -> None:  # noqa: F811
    kinds = {kind.name: kind.points for kind in BUILT_IN}
    own = [paper for paper in _history(whole_game).now.position.papers if paper.seat == 1 and paper.complete]
    worth = sorted((kinds[paper.kind] for paper in own), reverse=True)
    assert sum(worth) > 0
    item = {"paper": "straight11", "card": "H7", "points": 9, "en": "11 Straight: heart 7", "ja": "x"}
    open_one = {"paper": "five", "cards": ["H7", "O7"], "points": 0, "en": "x", "ja": "x"}
    tallies = [
        {"seat": 1, "points": 9, "groups": {"complete": [item], "review": [open_one]}},
        {"seat": 2, "points": 0, "groups": {"cards": [{"points": 3, "en": "3", "ja": "3"}]}},
    ]
    players = [{"en": name, "ja": name} for name in ("Hilbert", "Di")]
    data = {"game": "laminate", "players": players, "deck": "d", "tallies": tallies, "winners": [1], "final": [9, 0]}
    with phone(state, "application/json") as client:
        told = client.get("/players/Hilbert.json").json()["best_papers"]
        assert [one["points"] for one in told for _ in range(one["count"])] == worth[:5]
        ScoredTables(state).keep({**data, "why": {"en": "So.", "ja": "So."}}, b"jpeg")
        best = client.get("/players/Hilbert.json").json()["best_papers"][0]
        assert best == {
            "paper": "straight11",
            "words": {"en": "11 Straight", "ja": "11ストレート"},
            "points": 9,
            "count": 1 + worth.count(9),
        }
        assert client.get("/players/Di.json").json()["best_papers"] == []
        assert "best paper: 11 Straight (9 p.)" in client.get("/players", headers={"accept": "text/html"}).text
        assert "Best papers" not in client.get("/players/Di", headers={"accept": "text/html"}).text


@pytest.fixture
def evenings(tmp_path: Path) -> Path:
    with Journal.open(tmp_path) as journal:
        for played in PLAYED[:2]:
            opening = Opening(played.game, (*played.players, "Zed")[:3], {"first_seat": 1}, "deck")
            log = journal.begin(opening, Language.EN)
            log.append(Entry("move", {"do": "setup", "discard": "T8"}))
            log.end(Result((*played.points, 0)[:3], played.winners))
    players = [{"en": name, "ja": name} for name in ("Ada", "Di")]
    tallies = [{"seat": seat, "points": seat, "groups": {}} for seat in (1, 2)]
    data = {"game": "laminate", "players": players, "deck": "d", "tallies": tallies, "winners": [2], "final": [1, 2]}
    ScoredTables(tmp_path).keep({**data, "why": {"en": "So.", "ja": "So."}}, b"jpeg")
    return tmp_path


def test_names_are_joined_and_deleted_for_good(evenings: Path) -> None:
    with phone(evenings, "application/json") as client:
        assert client.get("/players/Ada.json").json()["games"] == 3
        assert client.post("/players/join", data={"name": "Di", "into": "Bo"}).status_code == 303
        assert client.get("/players/Bo.json").json()["games"] == 3
        assert client.post("/players/join", data={"name": "Bo", "into": "Ada"}).status_code == 400, "they met"
        assert client.post("/players/delete", data={"name": "Ada"}).status_code == 303
        assert "Ada" not in [one["name"] for one in client.get("/players.json").json()["players"]]
    for file in evenings.rglob("*.json*"):
        assert "Ada" not in file.read_text()
    with Journal.open(evenings) as journal:
        assert journal.set_aside is None
        assert [kept.opening.players for kept in journal.list_games()] == [
            ("Seat 1", "Bo", "Zed"),
            ("Bo", "Seat 2", "Cy"),
        ]


def test_settings_of_the_evening_are_changed_and_no_others(tmp_path: Path) -> None:
    with phone(tmp_path, "application/json") as client:
        assert client.post("/settings", data={"key": "game.names", "value": "Ada, Bo"}).status_code == 303
        assert client.post("/settings", data={"key": "camera.source", "value": "usb"}).status_code == 403
        assert client.post("/settings", data={"key": "web.may", "value": "all"}).status_code == 400
        refused = client.post("/settings", data={"key": "display.brightness", "value": "3000"})
        assert "whole number from 5 to 100" in refused.json()["error"]["en"]
        told = {one["key"]: one["value"] for one in client.get("/settings.json").json()["settings"]}
    assert told["game.names"] == ["Ada", "Bo"]
    assert told["web.may"] == "help"
