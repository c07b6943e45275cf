"""What goes wrong in a hall, in short: the faults of ``python -m tools.hall faults`` once each, on real servers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.main import main
from hall.messages import TopicKind, hash_record, make_record
from simulator.hall.played_games import PlayedGame, play_games
from tests.hall.mosquitto import Listener, broker, needs_mosquitto, wait_for
from tests.hall.test_relay import Table, is_whole
from tools.hall.checking import Kept, held_against
from tools.hall.faults import FAULTS, Scale, explain_skip, one_after_the_other, without_outbox
from tools.hall.plot import draw_plot
from tools.hall.watching import Lags

SHORT = Scale(times=1, minute_s=3.0, tables=6, rate=20.0, pause_s=(1.5, 2.0), each=1)


@pytest.fixture(scope="module")
def games() -> Sequence[PlayedGame]:
    return play_games(3, 1)


@pytest.mark.slow  # it tells of the simulated games alone
def test_simulated_games_are_whole_and_the_same_for_a_seed(games: Sequence[PlayedGame]) -> None:
    assert len({game.game for game in games}) == len(games) >= 5
    assert play_games(3, 1) == tuple(games) != play_games(4, 1)
    for game in games:
        assert hash_record(make_record(game.lines)) == game.record_sha256
        state = json.loads(game.stamp_state(len(game.lines) - 1, "2026-11-26T19:00:00.000+00:00"))
        assert len(game.states) == len(game.lines)
        assert state["over"]
        assert [one["name"] for one in state["players"]] == list(game.players)


def test_a_result_ends_when_it_began_where_the_clock_was_put_back(games: Sequence[PlayedGame]) -> None:
    began, before = datetime(2026, 11, 26, 19, tzinfo=UTC), datetime(2026, 11, 26, 18, tzinfo=UTC)
    result = games[0].make_result("0" * 32, began, before)
    assert (result.began, result.ended) == (began, began)


@pytest.mark.slow  # each fault by itself
@needs_mosquitto
def test_all_that_goes_wrong_in_one_hall_loses_no_result_and_shows_nothing_that_cant_be(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    outcome = one_after_the_other(SHORT, tmp_path / "trial")
    assert outcome.good, outcome.to_json()
    assert outcome.kept.made > 0


IN_SHORT = ("a table's power pulled", "a table writes into another's topics")
EACH = [name if name in IN_SHORT else pytest.param(name, marks=pytest.mark.slow) for name in FAULTS]


@pytest.mark.few(1)
@needs_mosquitto
@pytest.mark.parametrize("name", EACH)
def test_no_fault_loses_a_result_or_has_it_twice(name: str, tmp_path: Path) -> None:
    if why := explain_skip(name):
        pytest.skip(why)
    tmp_path.chmod(0o755)
    outcome = FAULTS[name](SHORT, tmp_path / "trial")
    assert outcome.good, outcome.to_json()
    assert outcome.kept.made > 0


@pytest.mark.slow  # it tells that the faults test can fail
@needs_mosquitto
def test_without_an_outbox_a_killed_broker_loses_some(tmp_path: Path) -> None:
    outcome = without_outbox(SHORT, tmp_path / "trial")
    assert outcome.kept.lost + outcome.kept.torn > 0


@pytest.mark.few(1)
@needs_mosquitto
@pytest.mark.parametrize("both", [False, True], ids=["broker", "broker and relay"])
def test_a_relay_sends_again_what_a_killed_broker_had_taken_and_passed_to_nobody(both: bool, tmp_path: Path) -> None:
    with broker(
        tmp_path / "broker", "allow_anonymous true\nautosave_interval 1800\nautosave_on_changes false\n"
    ) as there:
        Listener(there.port).close()  # the broker keeps for it what comes
        table, ear = Table(tmp_path / "table", there.url), Listener(there.port, "sevenmat/Café/#")
        try:
            table.start()
            played = table.play()
            wait_for(lambda: is_whole(ear, table, [played.game]), "the broker has all of it")
            ear.close()
            there.kill()
            if both:
                table.kill()
            there.start()
            if both:
                table.start()
            hall = Listener(there.port)
            wait_for(lambda: is_whole(hall, table, [played.game]), "the hall has all of it")
            hall.close()
        finally:
            table.close()


@pytest.mark.slow  # test_no_fault_loses_a_result_or_has_it_twice
@needs_mosquitto
def test_the_command_plays_and_says_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with broker(tmp_path / "broker") as there:
        hall, made = Listener(there.port), tmp_path / "made.jsonl"
        words = ["--tables", "3", "--rate", "40", "--seconds", "2", "--results", str(made), "--language", "en"]
        assert main(["hall", "simulate", "--broker", f"{there.url}/Café", *words]) == 0
        wait_for(lambda: len(hall.of(TopicKind.RESULT)) >= len(made.read_text().splitlines()), "all results are heard")
        results = [json.loads(line) for line in made.read_text(encoding="utf-8").splitlines()]
        assert {one.game_id for one in hall.of(TopicKind.RESULT)} == {one["game_id"] for one in results} != set()
        gone = {f"Table {number}": b"false" for number in (1, 2, 3)}
        online = TopicKind.ONLINE
        wait_for(lambda: {one.table: told for one, told, _ in hall.heard if one.kind is online} == gone, "all are gone")
        hall.close()
    said = capsys.readouterr().out
    assert said.startswith("3 tables made ")
    assert said.endswith(f" changes and {len(results)} results; the broker has taken all of them.\n")


@pytest.mark.few(1)
@pytest.mark.parametrize("words", [["--tables", "0"], ["--rate", "0"], ["--seconds", "0"], ["--broker", "mqtt://host"]])
def test_the_command_refuses_what_cant_be(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    usual = ["--broker", "mqtt://127.0.0.1:1/Hall", "--tables", "1", "--seconds", "1", "--language", "en"]
    assert main(["hall", "simulate", *usual, *words]) in (1, 2)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words[1] in said


def test_lags_are_what_they_are_called() -> None:
    lags = Lags.from_lags([number / 1000 for number in range(1, 1001)])
    assert (lags.count, lags.p50, lags.p99, lags.most) == (1000, 500.0, 990.0, 1000.0)
    assert Lags.from_lags([]).p99 is None


def test_what_is_lost_twice_or_other_is_counted(tmp_path: Path, games: Sequence[PlayedGame]) -> None:
    from hall.messages import Event
    from hall.store.store import HallStore

    url = f"sqlite:///{tmp_path / 'hall.db'}"
    store, now = HallStore.open(url, "Hall"), datetime(2026, 11, 26, 19, tzinfo=UTC)
    results = [game.make_result(f"{number:032x}", now, now) for number, game in enumerate(games)]
    for number, (game, result) in enumerate(zip(games, results, strict=True)):
        if number > 0:
            store.take(
                [
                    ("Table", Event(result.game_id, n, line))
                    for n, line in enumerate(game.lines)
                    if (number, n) != (1, 3)
                ]
            )
            store.take([("Table", result)])
    store.close()
    made = [{"table": "Table", **json.loads(result.to_bytes())} for result in results]
    made[2]["points"] = [99 for _ in made[2]["points"]]
    assert held_against(made, url) == Kept(made=len(games), lost=1, twice=0, other=1, torn=1)


def test_a_plot_has_a_line_for_each_series() -> None:
    costs = {"broker": 1.0, "hall": 2.0, "tables": 3.0}
    runs = [
        {"tables": n, "lag_ms": {"p50": n, "p99": 2 * n, "most": 3 * n}, "cpu": costs, "memory_mb": costs}
        for n in (10, 100)
    ]
    assert draw_plot(runs).count("<polyline") == 3 + 2 * len(costs)
