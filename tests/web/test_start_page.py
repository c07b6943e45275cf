"""A game begun from a phone, at the whole program with its page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device.app.plan import Plan
from device.capture.table_reader import CardsSeen
from device.hardware.buttons import Button
from device.settings.settings_file import load_settings
from device.storage.journal import Journal
from device.storage.opening import Opening
from referee.game import table_seats
from referee.registry import load_referees
from rules.cards import Card
from rules.text import Language
from tests.device.at_the_table import PLAYERS
from tests.device.house import with_decks
from tests.web.house_page import PagedHouse, may
from ui.screen_state import CameraScreen, GridScreen, LeafScreen, MenuScreen, Mood
from web.table_end.beginning import make_answers

PRINTED = "Sevenmat printed deck"
WISH = {"game": "laminate", "players": ["Ada", "Bo", "Cy"], "deck": PRINTED, "options": {"first_seat": 2}}
FOUR = tuple(Card.parse(name) for name in ("H7", "O2", "FK", "HA"))
FORM = (("game", "laminate"), *(("player", name) for name in ("Ada", "Bo", "Cy")), ("deck", PRINTED))


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., PagedHouse]]:
    with ExitStack() as houses:

        def begin(**wishes: object) -> PagedHouse:
            house = houses.enter_context(PagedHouse(tmp_path, **wishes))  # type: ignore[arg-type]
            house.until(lambda screen: screen.mood is not Mood.NOTICE)
            return house

        yield begin


@pytest.fixture
def playing(begin: Callable[..., PagedHouse]) -> PagedHouse:
    """Return a game of which a move was made."""
    house = begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, PRINTED))
    house.set_up()
    return house


def seats_shown(house: PagedHouse) -> CameraScreen:
    screen = house.until(lambda screen: isinstance(screen, CameraScreen))
    assert isinstance(screen, CameraScreen)
    return screen


def games(state: Path) -> list[Opening]:
    with Journal.open(state) as journal:
        return [kept.opening for kept in journal.list_games()]


# What can be chosen


def test_all_there_is_to_choose_is_told(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin(names=("Ada", "Emmy"))
    told = house.json("/start.json")
    assert [one["game"] for one in told["games"]] == list(load_referees())
    for one in told["games"]:
        referee = load_referees()[one["game"]]
        assert one["seats"] == list(table_seats(referee))
        assert one["title"]["ja"] == referee.rules.title.said(Language.JA)
        assert one["decks"]
    laminate = next(one for one in told["games"] if one["game"] == "laminate")
    first, papers = laminate["options"]
    assert (first["key"], papers["key"], papers["several"]) == ("first_seat", "house_papers", True)
    assert [value["words"]["en"] for value in first["values"]] == [f"Player {seat}" for seat in (1, 2, 3, 4)]
    assert first["contest"] is None, "no camera reads cards here"
    wonders = next(one for one in told["games"] if one["game"] == "seven_wonders")
    assert [one["key"] for one in wonders["options"]] == ["boards"], "what no menu asks is not asked here"
    assert (told["names"], told["busy"], told["going_on"], told["last"]) == (["Ada", "Emmy"], None, [], None)


def test_a_game_begins_as_it_was_wished(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    assert house.post_json("/start", WISH) == (200, {"done": True})
    seats_shown(house)
    house.go_on()
    assert [player.name for player in house.mood(Mood.WAITING).players] == ["Ada", "Bo", "Cy"]
    assert games(tmp_path) == [Opening("laminate", ("Ada", "Bo", "Cy"), {"first_seat": 2}, PRINTED)]


def test_whether_the_game_teaches_is_asked_and_remembered(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    assert not re.search(r'name="teach" value="on" checked', house.shown("/start?game=laminate")[1])
    assert house.post_json("/start", {**WISH, "teach": "often"})[0] == 400
    status, _ = house.send("/start", *FORM, ("option.first_seat", "2"), ("teach", "off"), ("teach", "on"))
    assert status == 303
    seats_shown(house)
    house.go_on()
    house.until(lambda screen: isinstance(screen, LeafScreen) and screen.headline == "Publish papers")
    assert "Publish papers" in house.shown("/")[1]
    assert load_settings(tmp_path).game.teach
    assert re.search(r'name="teach" value="on" checked', house.shown("/start?game=laminate")[1])


def test_a_form_without_names_calls_players_by_their_seats(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    fields = (("game", "seven_euchre"), ("seats", "4"), *[("player", "")] * 4, ("deck", PRINTED))
    status, _ = house.send("/start", *fields, ("option.dealer", "3"), ("option.target", "77"))
    assert status == 303
    seats_shown(house)
    house.begins()
    names = tuple(f"Player {seat}" for seat in (1, 2, 3, 4))
    assert games(tmp_path) == [Opening("seven_euchre", names, {"dealer": 3, "target": 77}, PRINTED)]


def test_each_seat_has_its_own_answer(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    house = begin()
    boards = ["rhodes/a", "giza/b", "babylon/a"]
    wish = {"game": "seven_wonders", "players": ["Ada", "Bo", "Cy"], "options": {"boards": boards}}
    status, said = house.post_json("/start", {**wish, "options": {"boards": ["rhodes/a", "rhodes/b", None]}})
    assert status == 400
    assert set(said["faults"]) == {"option.boards.1", "option.boards.2"}
    assert "Somebody else" in said["faults"]["option.boards.1"]["en"]
    assert house.post_json("/start", wish) == (200, {"done": True})
    seats_shown(house)


def test_a_contest_is_held_at_the_table_and_the_game_begins_after_it(tmp_path: Path) -> None:
    house = PagedHouse(tmp_path)
    house.open_cards = lambda deck, mat_mm, marker_mm: lambda picture: CardsSeen(FOUR, 0)
    with house:
        house.mood(Mood.MENU)
        laminate = next(one for one in house.json("/start.json")["games"] if one["game"] == "laminate")
        assert "4 cards" in laminate["options"][0]["contest"]["en"]
        assert house.post_json("/start", {**WISH, "options": {"first_seat": "contest"}})[0] == 200
        house.until(lambda screen: isinstance(screen, GridScreen))
        house.press(Button.CONFIRM)
        house.says("Who called it first?")
        house.choose("Bo")
        seats_shown(house)
        house.begins()
    assert games(tmp_path) == [Opening("laminate", ("Ada", "Bo", "Cy"), {"first_seat": 2}, PRINTED)]


def test_every_game_can_be_begun(begin: Callable[..., PagedHouse]) -> None:
    house = begin()
    for one in house.json("/start.json")["games"]:
        count = one["seats"][0]
        names = [f"Nr. {seat}" for seat in range(count)]
        options: dict[str, Any] = {}
        for option in one["options"]:
            values = [value["value"] for value in option["values"]]
            if not option["several"]:
                options[option["key"]] = values[:count] if option["each_seat"] else values[0]
        wish = {"game": one["game"], "players": names, "deck": one["decks"][0], "options": options}
        assert house.post_json("/start", wish) == (200, {"done": True}), one["game"]
        seats_shown(house)
        house.press(Button.BACK)
        house.mood(Mood.MENU)


def test_house_papers_that_the_deck_knows_are_played(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    papers = ["sum21_1p4", "sum77plus_4p2"]
    house = begin()
    shelf = house.app._services.decks._shelf  # type: ignore[union-attr]
    known = shelf.list_faces(PRINTED)
    shelf.list_faces = lambda name: known | {f"{paper}/{side}" for paper in papers for side in ("review", "complete")}
    wish = {**WISH, "options": {"first_seat": 1, "house_papers": papers}}
    assert house.post_json("/start", wish) == (200, {"done": True})
    seats_shown(house)
    house.begins()
    assert games(tmp_path)[0].options == {"first_seat": 1, "house_papers": papers}


# What can't be


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"game": "whist"}, "game", "Choose one of the games."),
        ({"game": ["laminate"]}, "game", "Choose one of the games."),
        ({"players": ["Ada", "Bo"]}, "players", "Laminate Rummy is played by 3 to 5 players, not 2."),
        ({"players": ["Ada"] * 6}, "players", "Laminate Rummy is played by 3 to 5 players, not 6."),
        ({"players": "Ada"}, "players", "Names are words"),
        ({"players": ["Ada", "Ada", "Cy"]}, "player.1", "Ada sits at the table already."),
        ({"players": ["Ada", "Player 3", " "]}, "player.2", "Player 3 sits at the table already."),
        ({"players": ["Ada", "🎲", "Cy"]}, "player.1", "The display can't show"),
        ({"players": ["Ada", "x" * 40, "Cy"]}, "player.1", "At most 20 letters"),
        ({"players": ["Ada", "a\nb", "Cy"]}, "player.1", "one line"),
        ({"deck": "nobody's"}, "deck", "There is no deck"),
        ({"deck": "Sevenmat Seven Wonders"}, "deck", "lacks cards of Laminate Rummy"),
        ({"deck": ["x"]}, "deck", "There is no deck"),
        ({"options": {}}, "option.first_seat", "Choose one."),
        ({"options": {"first_seat": 4}}, "option.first_seat", "'first_seat' is no seat: 4."),
        ({"options": {"first_seat": "contest"}}, "option.first_seat", "is no seat"),
        ({"options": {"first_seat": 1, "house_papers": ["x"]}}, "option.house_papers", "knows no paper"),
        (
            {"options": {"first_seat": 1, "house_papers": ["sum21_1p4"]}},
            "option.house_papers",
            "doesn't know the paper",
        ),
        ({"options": {"first_seat": 1, "trump": 3}}, "options", "asks for no trump"),
        ({"options": 7}, "game", "Choose"),
    ],
)
def test_what_is_wrong_is_said_by_its_field_and_nothing_begins(
    changed: dict[str, Any], field: str, words: str, idle: PagedHouse
) -> None:
    status, said = idle.post_json("/start", {**WISH, **changed})
    assert status == 400
    assert words in said["faults"][field]["en"]
    assert said["faults"][field]["ja"] != said["faults"][field]["en"]
    assert said["error"] == next(iter(said["faults"].values()))
    assert isinstance(idle.screens[-1], MenuScreen)
    assert games(idle.state) == []


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagedHouse]:
    """Open a table at its first menu."""
    with PagedHouse(tmp_path_factory.mktemp("idle")) as house:
        house.mood(Mood.MENU)
        yield house


@pytest.mark.parametrize("told", [[], "x", {"resume": "2"}, {"resume": 10**30}, {"resume": True}, {"resume": [1]}])
def test_what_is_no_wish_is_refused_in_words(told: Any, idle: PagedHouse) -> None:
    status, said = idle.post_json("/start", told)
    assert status == 400
    assert said["error"]["en"].endswith(".")
    assert "not foreseen" not in said["error"]["en"]


def test_what_was_typed_is_kept_beside_what_is_wrong_with_it(idle: PagedHouse) -> None:
    status, page = idle.send("/start", *FORM[:-1], ("player", "Ada"), ("option.first_seat", "2"), ("deck", PRINTED))
    assert status == 400
    assert page.count('value="Ada"') == 2
    assert 'id="fault-player.3">Ada sits at the table already.' in page
    assert 'aria-describedby="fault-player.3"' in page
    assert '<option value="2" selected' in page
    form = [("game", "laminate"), ("seats", "5"), ("player", "Ada"), ("player", "<b>"), ("change", "1")]
    status, page = idle.send("/start", *form, ("option.first_seat", "contest"))
    assert status == 200
    assert page.count('name="player"') == 5
    assert 'value="&lt;b&gt;"' in page


def test_a_deck_is_asked_for_where_several_fit(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine", "yours")
    house = begin()
    _, said = house.post_json("/start", {**WISH, "deck": ""})
    assert said["faults"] == {"deck": said["error"]}
    assert said["error"]["en"] == "Say which deck lies on the table."
    assert house.post_json("/start", {**WISH, "deck": "yours"})[0] == 200


def test_whoever_may_only_watch_begins_nothing(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    may(tmp_path, "watch")
    house = begin()
    for status, body in (house.shown("/start"), house.shown("/start.json")):
        assert status == 403
        assert "Phones may only watch here" in body
    assert house.post_json("/start", WISH)[0] == 403
    page = house.shown("/")[1]
    offered = [address for address in ("/start", "/aim", "/learn", "/score", "/games") if f'href="{address}"' in page]
    assert offered == ["/aim", "/games"], "nothing is offered that is refused then"
    assert {house.shown(address)[0] for address in offered} == {200}


# A game that is played, or was left


def test_a_game_that_is_played_is_left_only_where_that_is_said(playing: PagedHouse, tmp_path: Path) -> None:
    status, said = playing.post_json("/start", WISH)
    assert (status, set(said["faults"])) == (400, {"leave"})
    assert "Hilbert, Banach and Noether" in said["error"]["en"]
    assert playing.app.session is not None
    status, page = playing.send("/start", *FORM, ("option.first_seat", "1"))
    assert status == 400
    assert 'name="leave"' in page
    status, page = playing.send("/start", *FORM, ("leave", "1"))
    assert status == 400
    assert 'value="1" required checked' in page, "what is wrong is who begins, and no more"
    assert playing.app.session is not None
    assert playing.post_json("/start", {**WISH, "leave": True}) == (200, {"done": True})
    seats_shown(playing)
    playing.go_on()
    playing.until(lambda screen: [one.name for one in screen.players] == ["Ada", "Bo", "Cy"])
    assert len(games(tmp_path)) == 2
    left = playing.json("/start.json")["going_on"]
    assert [(one["game_id"], one["players"]) for one in left] == [(1, list(PLAYERS))]
    assert playing.post_json("/start", {"resume": 1})[0] == 400
    assert playing.post_json("/start", {"resume": 1, "leave": True})[0] == 200
    playing.until(lambda screen: [one.name for one in screen.players] == list(PLAYERS))
    assert playing.moves() == 1, "nothing of the first game is lost"


def test_a_game_that_was_left_goes_on_by_one_tap(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(Opening("laminate", PLAYERS, {"first_seat": 2}, PRINTED), Language.EN)
    house = begin()
    house.mood(Mood.MENU)
    page = house.shown("/start")[1]
    assert "Go on: Hilbert, Banach, Noether" in page
    assert house.send("/start", ("resume", "1"))[0] == 303
    house.until(lambda screen: [one.name for one in screen.players] == list(PLAYERS))
    assert house.post_json("/start", {"resume": 1}) == (200, {"done": True}), "it is played already"
    assert house.post_json("/start", {"resume": 7})[0] == 400


def test_once_more_with_the_same_players_by_one_tap(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(Opening("seven_euchre", ("A", "B", "C", "D"), {"dealer": 2, "target": 77}, PRINTED), Language.EN)
    house = begin()
    house.mood(Mood.MENU)
    page = house.shown("/start")[1]
    assert "Once more: A, B, C, D" in page
    assert "Who deals first? B" in page
    assert not re.findall(r'(?:href|action)="/start\?[^"]*player', page), "no name stands in an address"
    status, changed = house.send("/start", ("game", "seven_euchre"), ("player", "A"), ("player", "B"), ("change", "1"))
    assert (status, changed.count('name="player" value="B"')) == (200, 1), "something is changed first"
    assert 'name="change"' in page
    assert len(games(tmp_path)) == 1
    last = house.json("/start.json")["last"]
    assert last["options"] == {"dealer": 2, "target": 77}
    assert house.post_json("/start", last) == (200, {"done": True})
    seats_shown(house)
    house.begins()
    first, again = games(tmp_path)
    assert first == again


def test_once_more_says_where_the_deck_is_gone(begin: Callable[..., PagedHouse], tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(Opening("laminate", PLAYERS, {"first_seat": 2}, "gone"), Language.EN)
    house = begin()
    house.mood(Mood.MENU)
    assert house.json("/start.json")["last"]["deck"] == PRINTED, "the only one that fits"
    fields = (("game", "laminate"), *(("player", name) for name in PLAYERS), ("deck", "gone"))
    status, page = house.send("/start", *fields, ("option.first_seat", "2"))
    assert status == 400
    assert 'id="fault-deck">There is no deck &#39;gone&#39;' in page
    assert 'value="Hilbert"' in page


def test_a_deck_being_learnt_is_not_left_without_a_word() -> None:
    activity = SimpleNamespace()
    services = SimpleNamespace(
        navigator=SimpleNamespace(activity=activity),
        sight=SimpleNamespace(can_read_cards=False),
        settings=SimpleNamespace(names=(), deck="", teach=False),
    )
    doing = make_answers(services)["doing"]({})  # type: ignore[arg-type]
    assert "busy with a deck or a score" in doing["busy"]["en"]


def test_what_the_table_does_not_know_yet_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("no folder")
    with PagedHouse(tmp_path) as house:
        house.mood(Mood.NOTICE)
        house.until(lambda screen: screen.headline != "Starting…")
        status, said = house.shown("/start.json")
        assert status == 400
        assert "The table is not ready for that" in said


def test_a_page_without_a_table_says_so(tmp_path: Path) -> None:
    from tests.web.phone import phone

    with phone(tmp_path) as client:
        assert client.get("/start").status_code == 400
        assert "There is no table here" in client.get("/start").text
        assert 'href="/start"' not in client.get("/score").text
