"""What a hall keeps: each entry and result once, whatever comes twice or late; standings; an older database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from device.errors import DeviceError
from hall.messages import Event, GameResult
from hall.store import store as store_module
from hall.store.schema import METADATA
from hall.store.standings import PlayerTotals, rank_players
from hall.store.store import Chosen, DatabaseAwayError, HallStore, TableNote
from tests.hall.messages_of import EVENING, game_id, result
from tests.hall.real_servers import NO_DATABASE, POSTGRES, Postgres, database

MIGRATIONS = Path(store_module.__file__).parent / "migrations"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    if POSTGRES is None:
        pytest.skip(NO_DATABASE)
    # pytest's own folders are closed to the user that the server runs as.
    with TemporaryDirectory(prefix="sevenmat-postgres-") as folder, database(Path(folder)) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/a folder/hall.db"
    server: Postgres = request.getfixturevalue("postgres")
    emptied(server)
    return server.url


def emptied(server: Postgres) -> None:
    with create_engine(server.url.replace("://", "+psycopg://")).begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))


def opened(url: str) -> HallStore:
    return HallStore.open(url, "Café")


def test_each_entry_and_each_result_is_kept_once(url: str) -> None:
    store = opened(url)
    first, second = Event(game_id(1), 0, '{"game":"laminate"}'), Event(game_id(1), 1, "")
    assert store.take([("T1", second), ("T1", first), ("T1", first)]) == 0
    assert store.take([("T1", result(1)), ("T1", result(1)), ("T1", first)]) == 0
    again = opened(url)
    assert again.take([("T1", result(1)), ("T1", second)]) == 0
    (game,) = again.list_results(Chosen())
    assert game.game_id == game_id(1)
    assert (game.table, game.kind, game.players, game.points) == ("T1", "laminate", ("Ada", "Bob", "Lin"), (9, 5, 5))
    assert game.ended == EVENING + timedelta(minutes=60)
    assert entries(again) == 2


def entries(store: HallStore) -> int:
    with store._engine.connect() as connection:
        return int(connection.execute(text("SELECT COUNT(*) FROM entry")).scalar_one())


@pytest.mark.few(2)
@pytest.mark.parametrize("order", [(1, 2), (2, 1), (2, 1, 2, 1)])
def test_the_latest_result_of_a_game_counts_in_whatever_order_they_come(url: str, order: tuple[int, ...]) -> None:
    store = opened(url)
    results = {1: result(1, minutes=60), 2: result(1, points=(5, 12, 5), minutes=75)}
    for number in order:
        store.take([("T1", results[number])])
    assert [game.points for game in store.list_results(Chosen())] == [(5, 12, 5)]
    assert {one.player: one.wins for one in store.list_totals(Chosen())} == {"Ada": 0, "Bob": 1, "Lin": 0}
    both = HallStore.open(url, "another hall")
    both.take([("T1", results[number]) for number in order])
    assert [game.points for game in both.list_results(Chosen())] == [(5, 12, 5)]


def tables(store: HallStore) -> dict[int, str]:
    """Where each game with a result was played."""
    return {int(game.game_id, 16): game.table for game in store.list_results(Chosen())}


@pytest.mark.parametrize("at_once", [False, True])
def test_a_game_goes_on_under_the_new_name_of_its_table(url: str, at_once: bool) -> None:
    store = opened(url)
    old = [("T4", Event(game_id(1), 0, "{}")), ("T4", Event(game_id(1), 1, "")), ("T4", result(2))]
    new = [("Window", Event(game_id(1), 1, "")), ("Window", Event(game_id(1), 2, "")), ("Window", result(1))]
    for batch in [[*old, *new]] if at_once else [old, new]:
        assert store.take(batch) == 0
    assert tables(store) == {1: "Window", 2: "T4"}
    # What the table sends once more by its new name is no news, and moves nothing.
    assert opened(url).take([("Window", result(2)), ("T4", Event(game_id(1), 2, ""))]) == 0
    assert tables(store) == {1: "Window", 2: "T4"}
    assert store.take([("T4", result(1, points=(1, 2, 3), minutes=70))]) == 0
    assert tables(store) == {1: "T4", 2: "T4"}


@pytest.mark.parametrize("at_once", [False, True])
def test_a_table_that_says_of_a_game_what_is_not_so_is_a_stranger(url: str, at_once: bool) -> None:
    store = opened(url)
    own = [("T1", Event(game_id(1), 0, "{}")), ("T1", result(1))]
    lies = [("T2", Event(game_id(1), 0, "")), ("T2", result(1, minutes=90, points=(0, 0, 1))), ("T2", result(2))]
    batches = [[*lies[:1], *own, *lies[1:]]] if at_once else [own, lies]
    if at_once:
        store.take([("T1", Event(game_id(1), 5, ""))])
    assert sum(map(store.take, batches)) == 2
    assert store.take([("T2", result(1, minutes=91)), ("T1", Event(game_id(1), 1, ""))]) == 1
    assert tables(store) == {1: "T1", 2: "T2"}
    assert {game.points for game in store.list_results(Chosen(table="T1"))} == {(9, 5, 5)}


def withdrawn(number: int, minutes: int) -> GameResult:
    return result(number, minutes=minutes, withdrawn=True)


@pytest.mark.parametrize(
    "order",
    [
        ([result(1)], [withdrawn(1, 60)]),
        ([result(1), withdrawn(1, 60)],),
        ([withdrawn(1, 60)], [result(1)]),
        ([withdrawn(1, 60), result(1)], [result(1)]),
        ([result(1, minutes=50)], [withdrawn(1, 60)], [result(1), result(1, minutes=50)]),
    ],
)
def test_a_result_that_was_taken_back_is_nowhere_in_whatever_order_both_come(
    url: str, order: tuple[list[GameResult], ...]
) -> None:
    store = opened(url)
    store.take([("T1", result(7))])
    for batch in order:
        store.take([("T1", one) for one in batch])
    assert tables(store) == {7: "T1"}
    assert store.count(Chosen()) == 1
    assert {one.games for one in store.list_totals(Chosen())} == {1}
    opened(url).take([("T1", result(1, minutes=75, points=(1, 2, 3)))])
    assert {game.points for game in store.list_results(Chosen()) if game.game_id == game_id(1)} == {(1, 2, 3)}
    store.take([("T1", withdrawn(1, 60)), ("T1", result(1))])
    assert store.count(Chosen()) == 2


def test_a_result_counts_for_when_the_hall_says_that_it_ended_and_is_told_from_others_by_its_table(url: str) -> None:
    store = opened(url)
    wrong, tonight = result(1, minutes=-10_000), EVENING + timedelta(minutes=30)
    wrong = replace(wrong, began=wrong.ended - timedelta(minutes=45))
    store.take([("T1", wrong)], {wrong: tonight})
    store.take([("T1", wrong)], {wrong: tonight + timedelta(days=1)})
    (game,) = store.list_results(Chosen(since=EVENING))
    assert (game.ended, game.ended - game.began) == (tonight, timedelta(minutes=45))
    again = replace(wrong, ended=wrong.ended + timedelta(minutes=5), points=(0, 1, 2))
    store.take([("T1", again)], {again: tonight + timedelta(minutes=5)})
    assert [game.points for game in store.list_results(Chosen(since=EVENING))] == [(0, 1, 2)]


def test_what_no_database_can_hold_is_told_from_a_database_that_is_away(url: str) -> None:
    store = opened(url)
    with pytest.raises(ValueError, match=r"."):
        store.take([("T1", Event(game_id(1), 0, "\ud800"))])
    assert store.take([("T1", Event(game_id(1), 0, ""))]) == 0


def test_results_are_chosen_by_day_table_and_game(url: str) -> None:
    store = opened(url)
    store.take([("T1", result(1)), ("T2", result(2, minutes=24 * 60)), ("T2", result(3, game="wild_seven"))])
    day = EVENING + timedelta(hours=12)

    def numbers(chosen: Chosen) -> set[int]:
        return {int(game.game_id, 16) for game in store.list_results(chosen)}

    assert numbers(Chosen(before=day)) == {1, 3}
    assert numbers(Chosen(since=day)) == {2}
    assert numbers(Chosen(table="T2")) == {2, 3}
    assert numbers(Chosen(kind="wild_seven")) == {3}
    assert store.count(Chosen(table="T2")) == 2
    assert store.list_kinds() == ["laminate", "wild_seven"]
    assert sorted(store.list_tables()) == ["T1", "T2"]
    assert [int(game.game_id, 16) for game in store.list_results(Chosen(), most=1)] == [2]


def test_notes_of_tables_outlive_a_restart(url: str) -> None:
    now = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
    called = TableNote("T1", False, now, now - timedelta(minutes=1), "A card is missing.", now, now)
    store = opened(url)
    store.keep_notes([TableNote("T1", True, now)])
    store.keep_notes([called, TableNote("T2", True, now)])
    assert sorted(opened(url).list_notes(), key=lambda one: one.name) == [called, TableNote("T2", True, now)]
    assert HallStore.open(url, "another hall").list_notes() == []


TOTALS = [
    PlayerTotals("Lin", 3, 1, 4.5, 20),
    PlayerTotals("Ada", 3, 2, 4.5, 18),
    PlayerTotals("Bob", 2, 1, 2.0, 31),
    PlayerTotals("Zoé", 1, 0, 0.0, 3),
]


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("wins", [(1, "Ada"), (2, "Bob"), (2, "Lin"), (4, "Zoé")]),
        ("places", [(1, "Ada"), (1, "Lin"), (3, "Bob"), (4, "Zoé")]),
        ("points", [(1, "Bob"), (2, "Lin"), (3, "Ada"), (4, "Zoé")]),
    ],
)
def test_who_is_level_shares_a_rank(by: str, order: list[tuple[int, str]]) -> None:
    assert [(line.rank, line.totals.player) for line in rank_players(TOTALS, by)] == order


def test_standings_add_up_partners_and_those_who_are_level(url: str) -> None:
    store = opened(url)
    euchre = {"players": "Ada,Bob,Lin,Zoé", "points": (10, 4, 10, 4), "game": "seven_euchre"}
    store.take([("T1", result(1, **euchre)), ("T2", result(2))])  # type: ignore[arg-type]
    totals = {one.player: one for one in store.list_totals(Chosen())}
    assert totals["Ada"] == PlayerTotals("Ada", 2, 2, 2.5 + 2, 19)
    assert totals["Lin"] == PlayerTotals("Lin", 2, 1, 2.5 + 0.5, 15)
    assert totals["Zoé"] == PlayerTotals("Zoé", 1, 0, 0.5, 4)


@pytest.mark.parametrize("older", ["1", "2"])
def test_an_older_database_is_brought_up_to_date_with_what_is_in_it(url: str, older: str) -> None:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir()
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, older)
        for line in (
            f"INSERT INTO game (hall, game_id, played_at) VALUES ('Café', '{game_id(1)}', 'T1')",
            "INSERT INTO entry (game, n, line) VALUES (1, 0, '{}')",
            "INSERT INTO result (game, kind, began, ended, record_sha256) VALUES "
            "(1, 'laminate', '2026-11-26 19:00:00', '2026-11-26 20:00:00', 'ff')",
            "INSERT INTO score (game, seat, player, points, place) VALUES "
            "(1, 1, 'Ada', 9, 1), (1, 2, 'Bob', 5, 2), (1, 3, 'Lin', 5, 2)",
            *(["UPDATE score SET place_points = CASE place WHEN 1 THEN 2 ELSE 0.5 END"] if older > "1" else []),
        ):
            connection.exec_driver_sql(line)
    store = opened(url)
    (game,) = store.list_results(Chosen())
    assert (game.points, game.ended) == ((9, 5, 5), datetime(2026, 11, 26, 20, 0, tzinfo=UTC))
    assert {one.player: one.place_points for one in store.list_totals(Chosen())} == {"Ada": 2, "Bob": 0.5, "Lin": 0.5}
    store.take([("T2", result(2))])
    assert store.take([("T1", withdrawn(3, 1)), ("T2", Event(game_id(1), 0, ""))]) == 1
    assert len(opened(url).list_results(Chosen())) == 2
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'of tomorrow'"))
    with pytest.raises(DeviceError, match="newer version"):
        opened(url)
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    ["hall.db", "sqlite://", "sqlite:///:memory:", "mysql://root@there/hall", "postgresql:/hall", "://", "x" * 5000],
)
def test_what_is_no_database_is_said(url: str) -> None:
    with pytest.raises(DeviceError, match="no database: give a file as"):
        HallStore.open(url, "Café")


def test_a_database_that_can_not_be_opened_is_said_without_its_password(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for url in (f"sqlite:///{tmp_path}/file/hall.db", "postgresql://hall:secret@127.0.0.1:9/hall"):
        with pytest.raises(DeviceError, match="can't be used") as refused:
            HallStore.open(url, "Café")
        assert "secret" not in str(refused.value)
        assert "\n" not in str(refused.value)


@pytest.mark.slow  # test_hall_faults.py
def test_a_database_that_goes_and_comes_back_loses_nothing(postgres: Postgres) -> None:
    emptied(postgres)
    store = opened(postgres.url)
    asked: list[Callable[[], object]] = [
        lambda: store.take([("T9", result(91))]),
        lambda: store.keep_notes([TableNote("T9", True, EVENING)]),
        lambda: store.list_results(Chosen()),
    ]
    postgres.stop()
    for ask in asked:
        with pytest.raises(DatabaseAwayError, match="can't be used"):
            ask()
    postgres.start()
    assert store.take([("T9", result(91))]) == 0
    assert store.count(Chosen()) == 1
