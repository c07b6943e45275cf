"""The board by its addresses: who comes in, what is shown of whom, results and standings, and nothing of others."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from device.errors import DeviceError
from device.table_state import StateEnding, StatePlayer
from hall.board.live import MOST_TABLES, LiveTables
from hall.board.result_pages import begin_of
from hall.board.server import build_board_app
from hall.board.table_grid import GridView, by_natural_order
from hall.messages import NO_CALL, Call, Online
from hall.store.store import HallStore, TableNote
from rules.text import Text
from tests.hall.messages_of import EVENING, result, state
from tests.web.phone import HOST, Phone
from web.table_end.address import PageKey
from web.table_end.code import PageCode

MARKUP = "<script>alert(1)</script>"


@dataclass
class Board:
    """A board with its phone."""

    phone: Phone
    tables: LiveTables
    store: HallStore
    came: list[str]

    def grid(self, query: str = "", language: str = "en") -> str:
        answer = self.phone.get(f"/?{query}", headers={"accept-language": language})
        assert answer.status_code == 200
        return str(answer.text)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with opened(tmp_path) as made:
        yield made


@contextmanager
def opened(folder: Path) -> Iterator[Board]:
    key = PageKey(folder / "hall")
    store = HallStore.open(f"sqlite:///{folder}/hall.db", "Café")
    tables, came = LiveTables(store.list_notes()), []  # type: ignore[var-annotated]
    app = build_board_app("Café", key, tables, store, came.append)
    with Phone(app, HOST, headers={"accept": "text/html"}, follow_redirects=False) as client:
        assert client.get(f"/?key={key.value()}").status_code == 303
        yield Board(client, tables, store, came)
    store.close()


def test_nobody_comes_in_without_the_key_and_nothing_leaks(board: Board) -> None:
    board.tables.hear("Geheim", Online(True), False)
    board.phone.cookies.clear()
    for address in ("/", "/tables.json", "/events", "/tables/Geheim", "/results", "/standings.csv", "/static/page.js"):
        answer = board.phone.get(address)
        assert answer.status_code == 401
        assert "Geheim" not in answer.text
        assert "Open the address" in answer.text
    assert board.phone.post("/tables/Geheim/come").status_code == 401
    assert board.phone.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def test_six_characters_let_a_phone_in_once(tmp_path: Path) -> None:
    store, code = HallStore.open(f"sqlite:///{tmp_path}/hall.db", "Café"), PageCode(tmp_path)
    app = build_board_app("Café", PageKey(tmp_path), LiveTables([]), store, lambda name: None, code)
    with Phone(app, HOST, headers={"accept": "text/html"}, follow_redirects=False) as client:
        shut_out = client.get("/")
        assert shut_out.status_code == 401
        assert "sudo sevenmat hall sheet" in html.unescape(shut_out.text)
        typed = code.value()
        assert client.get(f"/?code={typed.lower()}").status_code == 303
        assert client.get("/wall").status_code == 200
        client.cookies.clear()
        assert client.get(f"/?code={typed}").status_code == 401
    store.close()


def test_the_grid_shows_every_table_with_its_turn_points_and_countdown(board: Board) -> None:
    for name in ("Table 10", "Table 2"):
        board.tables.hear(name, Online(True), False)
    board.tables.hear("Table 2", state(ending=StateEnding(3, False)), False)
    page = board.grid()
    assert page.index("Table 2") < page.index("Table 10")
    for words in ("Laminate Rummy", "to move:</span>Ada <s>4</s>", "Bob <s>2</s>", "3 turns left", "no game"):
        assert words in page
    assert "2 tables · 2 online" in " ".join(page.split())


def test_a_table_that_is_gone_says_since_when_and_after_a_week_nothing(board: Board) -> None:
    now = datetime.now(UTC)
    clock = [now - timedelta(days=6)]
    tables = LiveTables([], lambda: clock[0])
    tables.hear("T1", Online(True), False)
    tables.hear("T1", Online(False), False)
    (table,) = tables.list_all()
    assert (table.online, table.since) == (False, clock[0])
    assert GridView().is_wanted(table, now)
    assert not GridView().is_wanted(table, now + timedelta(days=2))
    tables.hear("T1", Call(EVENING, ""), False)
    assert GridView().is_wanted(tables.list_all()[0], now + timedelta(days=2))
    board.tables.hear("T1", Online(True), False)
    board.tables.hear("T1", Online(False), False)
    assert "not online since" in board.grid()


def test_calls_are_on_top_oldest_first_by_the_halls_clock(board: Board) -> None:
    fast = Call(datetime.now(UTC) + timedelta(minutes=5), "The clock of this table is fast.")
    slow = Call(datetime.now(UTC) - timedelta(minutes=5), "This one is slow.")
    board.tables.hear("T1", fast, False)
    board.tables.hear("T2", slow, False)
    page = board.grid()
    assert page.index("clock of this table") < page.index("This one is slow")
    assert page.index("This one is slow") < page.index('id="grid"')
    before = board.tables.get("T1")
    board.tables.hear("T1", fast, True)  # the same again, after a new connection
    assert board.tables.get("T1") is before
    board.tables.hear("T1", NO_CALL, False)
    assert "clock of this table" not in board.grid()


def test_how_long_a_table_waits_is_shown_in_minutes(tmp_path: Path) -> None:
    with opened(tmp_path) as board:
        board.tables.hear("T1", Call(EVENING, "why"), False)
        assert "0 min" in board.grid()
        noted = replace(board.tables.list_all()[0].note, called_at=datetime.now(UTC) - timedelta(minutes=12, seconds=3))
        board.store.keep_notes([noted])
    with opened(tmp_path) as board:
        for page in (board.grid(), board.phone.get("/tables/T1").text):
            assert ">12 min<" in page
        assert "12分" in board.grid(language="ja")


def test_a_table_whose_clock_is_wrong_is_named(board: Board) -> None:
    board.tables.hear("T1", Online(True), False)
    board.tables.hear("T1", replace(state(), at=datetime(1970, 1, 2, 12, tzinfo=UTC)), False)
    board.tables.see_clock("P2", EVENING - timedelta(days=6), is_right=False)
    page = " ".join(board.grid().split())
    assert "The clocks of these tables are wrong: <strong>P2</strong> (2026-11-20 " in page
    assert "<strong>T1</strong> (1970-01-02 " in page
    assert "The clock of this table is wrong: it shows 1970-01-02 " in board.phone.get("/tables/T1").text
    clocks = board.phone.get("/tables.json").json()["wrong_clocks"]
    assert {name: shown[:10] for name, shown in clocks.items()} == {"P2": "2026-11-20", "T1": "1970-01-02"}
    board.tables.hear("T1", state(), False)
    assert "The clock of this table is wrong: <strong>P2</strong>" in " ".join(board.grid().split())
    assert "The clock" not in board.phone.get("/tables/T1").text


def test_a_call_keeps_its_time_over_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as board:
        board.tables.hear("T1", Call(EVENING, "why"), False)
        at = board.tables.list_all()[0].called_at
        board.store.keep_notes(board.tables.take_unkept())
        assert board.tables.take_unkept() == []
    with opened(tmp_path) as board:
        board.tables.hear("T1", Call(EVENING, "why"), True)
        assert board.tables.list_all()[0].called_at == at


def test_somebody_comes_takes_the_call_away(board: Board) -> None:
    board.tables.hear("T/1".replace("/", " "), Call(EVENING, "why"), False)
    assert board.phone.post("/tables/T%201/come").status_code == 303
    assert board.came == ["T 1"]
    assert board.phone.post("/tables/T%201/come", headers={"origin": "http://elsewhere"}).status_code == 403
    assert board.phone.post("/tables/nobody/come").status_code == 400
    board.tables.hear("T 1", NO_CALL, False)
    assert board.phone.post("/tables/T%201/come").status_code == 303
    assert board.came == ["T 1"]


def test_markup_in_names_is_shown_as_it_is_written(board: Board) -> None:
    players = (StatePlayer(MARKUP, 1, True, (MARKUP,)),)
    board.tables.hear(MARKUP.replace("/", ""), Online(True), False)
    board.tables.hear(MARKUP.replace("/", ""), state(headline=MARKUP, players=players, details=(MARKUP,)), False)
    board.tables.hear(MARKUP.replace("/", ""), Call(EVENING, MARKUP), False)
    board.store.take([(MARKUP.replace("/", ""), result(1, players=f"{MARKUP},b,c"))])
    address = "/tables/" + MARKUP.replace("/", "").replace("<", "%3C").replace(">", "%3E")
    for page in ("/", address, "/results", "/standings", "/?find=%3Cscript%3E"):
        answer = board.phone.get(page)
        assert answer.status_code == 200
        assert "<script>" not in answer.text
        assert "&lt;script&gt;" in answer.text


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"T1", "T2", "T10"}),
        ("find=t1", {"T1", "T10"}),
        ("find=ＡＤＡ", {"T2"}),
        ("find=rummy", {"T2"}),
        ("find=ラミネート", {"T2"}),
        ("show=called", {"T1"}),
        ("show=offline", {"T10"}),
        ("show=offline&find=t1", {"T10"}),
        ("show=nonsense", {"T1", "T2", "T10"}),
        ("find=nobody", set()),
    ],
)
def test_tables_are_found_by_name_player_game_and_how_they_are(board: Board, query: str, names: set[str]) -> None:
    for name in ("T1", "T2"):
        board.tables.hear(name, Online(True), False)
    board.tables.hear("T10", Online(False), False)
    board.tables.hear("T2", state(), False)
    board.tables.hear("T1", Call(EVENING, ""), False)
    told = board.phone.get(f"/tables.json?{query}").json()
    assert {one["name"] for one in told["tables"]} == names
    page = board.grid(query)
    assert {name for name in ("T1", "T2", "T10") if f'data-name="{name}"' in page} == names


def first_events(board: Board, query: str, changes: list[Any]) -> list[dict[str, Any]]:
    """Return what a stream sends: first as it is, then once after all of ``changes``."""
    import anyio

    told: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/events",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"cookie", f"sevenmat_key={key_of(board)}".encode())],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "server": ("localhost", 80),
    }

    async def stream() -> None:
        async def receive() -> dict[str, Any]:
            await anyio.sleep_forever()
            raise AssertionError

        async def send(message: Any) -> None:
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data: "):
                    told.append(json.loads(line[6:]))
                    if len(told) == 1:
                        for change in changes:
                            change()
                    else:
                        group.cancel_scope.cancel()

        with anyio.move_on_after(5):
            async with anyio.create_task_group() as group:
                group.start_soon(board.phone.app, scope, receive, send)

    anyio.run(stream)
    return told


def key_of(board: Board) -> str:
    return str(board.phone.cookies["sevenmat_key_80"])


def test_only_what_changed_is_told_and_what_changes_twice_once(board: Board) -> None:
    for number in range(1, 6):
        board.tables.hear(f"T{number}", Online(True), False)
    changes = [
        lambda: board.tables.hear("T2", state(turn=4), False),
        lambda: board.tables.hear("T2", state(turn=5, headline="newest"), False),
        lambda: board.tables.hear("T3", Online(True), False),
    ]
    first, then = first_events(board, "", changes)
    assert {one["name"] for one in first["tables"]} == {"T1", "T2", "T3", "T4", "T5"}
    assert [one["name"] for one in then["tables"]] == ["T2"]
    assert then["tables"][0]["state"]["headline"] == "newest"
    assert then["gone"] == []


def test_what_is_drawn_is_small_and_names_come_and_go_with_the_filter(board: Board) -> None:
    for number in range(1, 6):
        board.tables.hear(f"T{number}", Online(number > 1), False)
    changes = [
        lambda: board.tables.hear("T1", Online(True), False),
        lambda: board.tables.hear("T4", Online(False), False),
        lambda: board.tables.hear("T5", state(), False),
    ]
    first, then = first_events(board, "html&show=offline", changes)
    assert first["order"] == ["T1"]
    assert (then["gone"], then["order"], list(then["tiles"])) == (["T1"], ["T4"], ["T4"])
    assert len(then["tiles"]["T4"]) < 400
    assert "1 not online" in first["top"]
    assert "top" not in then, "there are as many as before"


def test_a_state_that_differs_in_its_time_alone_is_no_change(board: Board) -> None:
    board.tables.hear("T1", state(), False)
    version = board.tables.version
    board.tables.hear("T1", replace(state(), at=state().at + timedelta(hours=1)), False)
    assert board.tables.version == version
    assert board.tables.list_changed(version) == []


def test_more_names_than_a_hall_has_tables_are_dropped(board: Board) -> None:
    for number in range(MOST_TABLES + 3):
        board.tables.hear(f"T{number}", Online(True), False)
    assert len(board.tables.list_all()) == MOST_TABLES
    assert board.tables.dropped == {"too_many_tables": 3}
    assert "3 messages dropped since" in board.grid()


def test_one_table_has_its_state_and_its_last_games(board: Board) -> None:
    board.tables.hear("T1", Online(True), False)
    board.tables.hear("T1", state(mood="refused", headline="Not the card that was told"), False)
    board.store.take([("T1", result(1)), ("T2", result(2, players="Elsewhere,B,C"))])
    page = board.phone.get("/tables/T1").text
    for words in ("Not the card that was told", "laid three cards", "1. Ada 9", "2. Bob 5"):
        assert words in page
    assert "Elsewhere" not in page
    told = board.phone.get("/tables/T1.json").json()
    assert told["state"]["headline"] == "Not the card that was told"
    assert [one["players"] for one in told["games"]] == [["Ada", "Bob", "Lin"]]
    assert board.phone.get("/tables/T9").status_code == 400
    assert "There is no such table in this hall." in board.phone.get("/tables/T9").text


def test_results_by_day_as_page_data_and_sheet(board: Board) -> None:
    day = begin_of(datetime(2026, 11, 27).date())
    late = (day - EVENING) / timedelta(minutes=1) - 1
    board.store.take(
        [
            ("T1", result(1, minutes=int(late))),
            ("T2", result(2, minutes=int(late) + 2, players="=cmd(),@b,-c")),
        ]
    )
    assert board.phone.get("/results.json?from=2026-11-27").json()["results"][0]["table"] == "T2"
    (before,) = board.phone.get("/results.json?from=2026-11-26&to=2026-11-26").json()["results"]
    assert (before["table"], before["places"]) == ("T1", [1, 2, 2])
    sheet = board.phone.get("/results.csv")
    assert "attachment" in sheet.headers["content-disposition"]
    assert sheet.content.startswith(b"\xef\xbb\xbfended,"), "Excel opens it by a double click"
    rows = list(csv.DictReader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert [row["player"] for row in rows] == ["'=cmd()", "'@b", "'-c", "Ada", "Bob", "Lin"]
    assert rows[3] | {"began": "", "ended": ""} == {
        "ended": "", "began": "", "table": "T1", "game": "laminate", "game_id": f"{1:032x}", "seat": "1",
        "player": "Ada", "points": "9", "place": "1", "record_sha256": "0" * 64,
    }  # fmt: skip
    page = board.phone.get("/results?table=T1").text
    assert "1 game" in page
    assert "1. Ada 9" in page
    for wrong in ("from=tomorrow", "to=0002-01-01", "from=2026-13-01"):
        answer = board.phone.get(f"/results?{wrong}")
        assert answer.status_code == 400
        assert "is no day such as" in answer.text


def test_standings_as_page_data_and_sheet(board: Board) -> None:
    board.store.take([("T1", result(1)), ("T2", result(2, points=(3, 8, 8)))])
    told = board.phone.get("/standings.json").json()
    assert told["by"] == "wins"
    assert [(one["rank"], one["player"], one["wins"]) for one in told["standings"]] == [
        (1, "Ada", 1), (1, "Bob", 1), (1, "Lin", 1),
    ]  # fmt: skip
    by_points = board.phone.get("/standings.json?by=points").json()["standings"]
    assert [(one["rank"], one["player"], one["points"]) for one in by_points] == [
        (1, "Bob", 13), (1, "Lin", 13), (3, "Ada", 12),
    ]  # fmt: skip
    sheet = board.phone.get("/standings.csv?by=places").content
    assert sheet.startswith(b"\xef\xbb\xbfrank,")
    rows = list(csv.DictReader(io.StringIO(sheet.decode("utf-8-sig"))))
    assert [(row["rank"], row["player"], row["places"]) for row in rows] == [
        ("1", "Ada", "2.0"), ("1", "Bob", "2.0"), ("1", "Lin", "2.0"),
    ]  # fmt: skip
    assert "Ada" in board.phone.get("/standings?by=points&from=2026-11-26").text
    assert "No game has ended in these days." in board.phone.get("/standings?to=2001-01-01").text
    assert board.phone.get("/standings?by=looks").status_code == 400


def test_with_the_database_away_the_board_goes_on_and_says_so(board: Board) -> None:
    board.tables.hear("T1", state(), False)
    with board.store._engine.begin() as connection:
        connection.execute(text("ALTER TABLE result RENAME TO hidden"))
    board.tables.note_trouble("database", Text("The database can't be used: gone."))
    assert "The database can&#39;t be used: gone." in board.grid()
    page = board.phone.get("/tables/T1")
    assert page.status_code == 200
    assert "The database can&#39;t be used" in page.text
    answer = board.phone.get("/results.json", headers={"accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["en"].startswith("The database can't be used: ")


def test_the_language_is_the_phones_and_can_be_chosen(board: Board) -> None:
    assert 'lang="ja"' in board.grid(language="ja")
    answer = board.phone.post("/language", data={"language": "ja", "back": "/results"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/results")
    assert '<html lang="ja">' in board.grid()
    assert '<html lang="ja">' in board.phone.get("/nothing").text


def test_names_are_in_the_order_that_people_expect() -> None:
    names = ["Table 10", "Table 2", "2", "10", "卓2", "卓10", "a²", "５台"]
    assert sorted(names, key=by_natural_order) == ["2", "10", "Table 2", "Table 10", "a²", "卓2", "卓10", "５台"]


def test_notes_of_the_database_stand_on_the_board_at_once(tmp_path: Path) -> None:
    store = HallStore.open(f"sqlite:///{tmp_path}/hall.db", "Café")
    store.keep_notes([TableNote("T1", False, EVENING, EVENING, "why", EVENING)])
    (table,) = LiveTables(store.list_notes()).list_all()
    assert (table.online, table.since, table.call, table.called_at) == (False, EVENING, Call(EVENING, "why"), EVENING)
    with pytest.raises(DeviceError):
        HallStore.open("nothing", "Café")
