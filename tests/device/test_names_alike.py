"""One name however it is written, and names joined whatever else goes on."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.line.values import parse_names
from cli.line.wrong_use import WrongArgumentError
from device.app.choices import names_once
from device.app.name_picker import NamePicker
from device.hardware.buttons import Button, Press
from device.settings.kinds import WrongValueError
from device.settings.values import GameSettings
from device.storage.game_file import find_game, paths_of
from device.storage.identity import identity_of
from device.storage.journal import GameLog, Journal
from device.storage.opening import Opening, Result
from device.storage.scored import ScoredTables
from hall.store.standings import PlayerTotals, join_totals
from referee.history import CHECKED, UNDO, Entry
from referee.registry import load_referees
from rules.plain import are_different, name_key
from rules.text import Language, Text
from tests.web.phone import phone
from web.player_pages import Played, key_of, make_sheets
from web.table_end.beginning import _players

ALIKE = ("José", unicodedata.normalize("NFD", "José"), "ＪＯＳÉ", "josé", "José ", "Jo\u200bsé")
GAKU = (unicodedata.normalize("NFC", "がく"), unicodedata.normalize("NFD", "がく"), "ｶﾞｸ")


def test_names_that_look_alike_are_one() -> None:
    assert len(set(map(name_key, ALIKE))) == 1
    assert name_key(GAKU[0]) == name_key(GAKU[1])
    assert name_key("ガク") == name_key(GAKU[2])
    assert name_key("ﾛﾊﾞｰﾄ　Ｓ") == name_key("ロバート s")
    assert are_different(("José", "Jose", "がく", "かく", "ガク", "Ann", "Anna"))


@pytest.mark.parametrize("other", ALIKE[1:])
def test_two_at_a_table_have_different_names_wherever_they_are_told(other: str, tmp_path: Path) -> None:
    with pytest.raises(WrongArgumentError):
        parse_names(f"José,{other},Mary")
    typed = NamePicker(Text("Who?"), Language.EN, ("José",), typed=other).take_press(Press(Button.CONFIRM, long=True))
    assert isinstance(typed, NamePicker)
    kind = GameSettings.__dataclass_fields__["names"].metadata["kind"]
    assert kind.read(["José", "Mary"]) == ("José", "Mary")
    with pytest.raises(WrongValueError):
        kind.read(["José", other])
    with phone(tmp_path, "application/json") as client:
        sent = {"game": "wild_seven", "players": f"José,{other},Mary"}
        said = client.post("/score", data=sent, files={"file": b"x"})
    assert (said.status_code, said.json()["error"]["en"][:19]) == (400, "Names are different")


def test_only_who_sits_there_already_is_told_of_at_the_form() -> None:
    services: Any = SimpleNamespace(settings=SimpleNamespace(language=Language.EN))
    faults: dict[str, Text] = {}
    _players(services, load_referees()["wild_seven"], [*ALIKE[:2], "Mary", "Cy"], faults)
    assert list(faults) == ["player.1"]


def test_each_name_is_offered_once_as_it_was_written_last(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for players in (("Mary", ALIKE[1], "Cy"), (ALIKE[2], "MARY", GAKU[1])):
            journal.begin(Opening("wild_seven", players, {}), Language.EN)
        assert names_once(journal.list_latest(9), ["José", "がく", "Zed"]) == [ALIKE[2], "MARY", GAKU[1], "Cy", "Zed"]


def test_a_player_has_one_sheet_and_one_line_in_the_standings() -> None:
    first = Played("wild_seven", (GAKU[0], ALIKE[0]), (3, 1), (1,))
    sheets = make_sheets([first, Played("wild_seven", (ALIKE[1], GAKU[1]), (2, 5), (2,))])
    assert {name: (one.games, one.wins) for name, one in sheets.items()} == {GAKU[0]: (2, 2), "José": (2, 0)}
    assert sheets["José"].against[GAKU[0]] == {"games": 2, "wins": 0, "losses": 2}
    assert list(sheets["José"].against) == [GAKU[0]]
    (one,) = join_totals([PlayerTotals(ALIKE[1], 1, 1, 2.0, 7), PlayerTotals("José", 2, 0, 0.5, 3)])
    assert one == PlayerTotals("José", 3, 1, 2.5, 10)


def _keep(scored: ScoredTables, *players: str) -> int:
    each = [{"en": name, "ja": name} for name in players]
    tallies = [{"seat": seat, "points": seat, "groups": {}} for seat, _ in enumerate(players, 1)]
    told = {"game": "wild_seven", "players": each, "final": [1, 2, 3], "winners": [3], "tallies": tallies, "deck": "d"}
    return scored.keep(told, b"jpeg")


def test_every_spelling_is_joined_deleted_and_looked_up(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for name in ALIKE[:3]:
            log = journal.begin(Opening("wild_seven", (name, "Bo", "Cy"), {}), Language.EN)
            log.end(Result((1, 2, 3), (3,)))
    _keep(ScoredTables(tmp_path), "Bo", ALIKE[1], "Dee")
    with phone(tmp_path, "application/json") as client:
        listed = client.get("/players.json").json()["players"]
        assert {name_key(one["name"]): one["games"] for one in listed}[name_key("José")] == 4
        page = client.get("/players", headers={"accept": "text/html"}).text
        assert f'href="/players/{key_of("José")}"' in page
        assert "/players/Bo" not in page, "no name stands in an address"
        for asked in (ALIKE[1], key_of("José")):
            assert client.get(f"/players/{asked}.json").json()["games"] == 4
        assert client.post("/players/join", data={"name": "José", "into": ALIKE[1]}).status_code == 400
        joined = client.post("/players/join", data={"name": ALIKE[3], "into": "DEE"})
        assert joined.status_code == 400, "they met"
        assert client.post("/players/delete", data={"name": ALIKE[4]}).status_code == 303
        assert name_key("José") not in {name_key(one["name"]) for one in client.get("/players.json").json()["players"]}


def test_all_sound_tables_are_joined_beside_a_damaged_one(tmp_path: Path) -> None:
    scored = ScoredTables(tmp_path)
    for _ in range(3):
        _keep(scored, "Al", "Bo", "Cy")
    broken = tmp_path / "scored" / "00002.json"
    broken.write_text(torn := broken.read_text()[:-30])
    scored.rename("Al", "Alan")
    assert [scored.read_table(number).data["players"][0]["en"] for number in (1, 3)] == ["Alan", "Alan"]
    assert broken.read_text() == torn


def _damage(state: Path, number: int) -> None:
    for path in paths_of(state, number):
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]) + b"rubbish\n")


@pytest.mark.parametrize("then", [lambda *_: None, _damage], ids=["whole", "damaged besides"])
@pytest.mark.parametrize("into", ["Dave", None], ids=["joined", "deleted"])
def test_a_game_whose_last_screen_stands_goes_on_under_its_new_names(
    into: str | None, then: Callable[[Path, int], object], tmp_path: Path
) -> None:
    played: list[Any] = [Entry("move", {"do": "setup"}), Entry("move", {"do": "lay"})]
    with Journal.open(tmp_path) as journal:
        log: GameLog = journal.begin(Opening("wild_seven", ("Hilbert", "Bo", "Cy"), {}), Language.EN)
        identity = identity_of(find_game(tmp_path, 1).lines)
        for entry in played:
            log.append(entry)
        log.end(Result((1, 2, 3), (3,)))
        with Journal.open(tmp_path) as pages:
            pages.rename("Hilbert", into)
        then(tmp_path, 1)
        for entry in (Entry(UNDO), Entry(CHECKED), played[1]):
            log.append(entry)
        log.end(Result((3, 2, 1), (1,)))
        (kept,) = journal.list_games()
        assert (kept.number, kept.opening.players[0]) == (1, into or "Seat 1")
        assert kept.result == Result((3, 2, 1), (1,))
        assert identity_of(find_game(tmp_path, 1).lines) == identity
        assert len(journal.read_entries(1)) == 5
    with Journal.open(tmp_path) as journal:
        assert [kept.opening.players[0] for kept in journal.list_games()] == [into or "Seat 1"]
