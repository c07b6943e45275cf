"""Looking back at the turns so far, the points over them, and looking up the rules, by the four buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from types import SimpleNamespace

import pytest

from device.hardware.buttons import Button
from device.session.leaves import Leaves
from device.session.session import Session
from device.session.turns import plot_lines
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from referee.simulation.registry import simulation_of
from rules.laminate.papers import BUILT_IN
from rules.laminate.position import Phase
from rules.record import Header
from rules.text import Language
from tests.referee.tables import show
from tests.ui.checks import all_pages, faults
from tests.ui.gallery import SIZES
from tests.ui.played import choose, played
from tools.soak.any_game import options_of
from ui.help.laminate import example_of, list_leaves
from ui.help.moods import screen_help
from ui.registry import screen_of
from ui.screen_state import Leaf, LeafScreen, Mood, ScreenState, TileRole

_PAGE = re.compile(r"\d/\d")
OTHERS = tuple(game for game in load_referees() if game != "laminate")


def leaf_of(session: Session) -> Leaf:
    screen = session.make_screen()
    assert isinstance(screen, LeafScreen)
    return screen.leaf


def words_of(state: ScreenState) -> str:
    return " ".join((state.headline, *state.details))


# The turns so far


def test_before_the_first_turn_there_is_nothing_to_look_back_at() -> None:
    referee = load_referees()["laminate"]
    header = Header("laminate", ("Hilbert", "Banach", "Noether"), {"first_seat": 1})
    session = Session(referee, header, referee.make_layout(3, REFERENCE_MAT_MM))
    session.press(Button.CONFIRM, held=True)
    lines = session.make_screen().choices
    assert "Help" in lines
    assert not {"Turns so far", "Points, turn by turn"} & set(lines)


def test_the_last_turn_is_shown_first_and_up_leads_back() -> None:
    session = played(3, 3, most=20)
    choose(session, "Turns so far")
    assert leaf_of(session).title == "Turn 20 of 20"
    for number in range(19, 0, -1):
        session.press(Button.UP)
        assert leaf_of(session).title == f"Turn {number} of 20"
        step = session.history.past[number]
        assert leaf_of(session).words[0] == str(session.referee.describe(step)[0])
        assert leaf_of(session).tiles
    session.press(Button.UP)
    assert leaf_of(session).title == "Set-up"
    session.press(Button.UP)
    assert leaf_of(session).title == "Turn 20 of 20", "round and round"
    session.press(Button.BACK)
    assert "Turns so far" in session.make_screen().choices
    session.press(Button.BACK)
    assert session.make_screen().mood is not Mood.MENU
    assert len(session.history.past) == 21, "looking changes nothing"


def test_what_a_turn_brought_is_said_and_adds_up() -> None:
    session = played(3, 5)
    choose(session, "Turns so far")
    told = 0
    for number in range(len(session.history.past) - 1, 0, -1):
        step = session.history.past[number]
        before, after = step.before.position.points, step.after.position.points
        said = [text for text in leaf_of(session).words if text.startswith("Points: ")]
        assert bool(said) is (before != after)
        for name, then, now in zip(session.position.players, before, after, strict=True):
            assert (f"{name} {now - then:+d} ({now})" in "".join(said)) is (then != now)
        told += len(said)
        session.press(Button.UP)
    assert told > 10


def test_corrections_by_hand_are_told() -> None:
    session = played(3, 3, most=6)
    step = session.history.past[-1]
    session.judge.undo()
    session.judge.undo()
    for again in (session.history.future[-1], step):
        assert again.move is not None
        session.judge._commit(session.history.move_entry(again.move, again.after))
    session.judge.set_position(session.agreed)
    choose(session, "Turns so far")
    assert leaf_of(session).words == ("The position was set by hand.",)
    assert leaf_of(session).tiles == ()
    session.press(Button.UP)
    session.press(Button.UP)
    assert "2 turns were taken back before it." in leaf_of(session).words
    note = {"do": "correction", "by_hand": "named", "card": "H7", "place": "discard"}
    past = session.history.past
    session.log.history = replace(session.history, past=(*past[:-1], replace(past[-1], notes=(note, note))))
    session.press(Button.BACK)
    session.press(Button.BACK)
    choose(session, "Turns so far")
    assert leaf_of(session).words[-1] == "Named by hand before it: heart 7."


def test_going_back_asks_first_and_takes_all_turns_from_there() -> None:
    session = played(3, 3, most=12)
    before = session.history.past[8].before
    choose(session, "Turns so far")
    for _ in range(4):
        session.press(Button.UP)
    assert leaf_of(session).title == "Turn 8 of 12"
    session.press(Button.CONFIRM)
    asked = session.make_screen()
    assert asked.headline == "Take the last 5 turns back?"
    assert str(session.referee.describe(session.history.past[8])[0]) in asked.details[0]
    session.press(Button.CONFIRM)
    assert leaf_of(session).title == "Turn 8 of 12", "no is the first answer"
    session.press(Button.CONFIRM)
    session.press(Button.BACK)
    assert leaf_of(session).title == "Turn 8 of 12"
    assert len(session.history.past) == 13
    session.press(Button.CONFIRM)
    session.press(Button.DOWN)
    session.press(Button.CONFIRM)
    assert len(session.history.past) == 8
    assert session.position == before.position
    assert len(session.history.future) == 5
    session.see(show(session.position))
    assert session.make_screen().mood is not Mood.MENU
    assert [entry.kind for entry in session.log.entries].count("undo") == 5


def test_the_last_turn_alone_is_asked_for_in_its_own_words() -> None:
    session = played(3, 3, most=3)
    choose(session, "Turns so far")
    session.press(Button.CONFIRM)
    assert session.make_screen().headline == "Take the last turn back?"
    session.press(Button.UP)
    session.press(Button.CONFIRM)
    assert len(session.history.past) == 3


def test_a_game_that_has_gone_on_meanwhile_is_left_alone() -> None:
    session = played(3, 3, most=6)
    choose(session, "Turns so far")
    session.press(Button.CONFIRM)
    session.press(Button.DOWN)
    open_menu = session.over_it
    session.judge.undo()
    session.over_it = open_menu
    session.press(Button.CONFIRM)
    assert len(session.history.past) == 6
    assert "nothing was taken back" in session.make_screen().headline
    session.press(Button.CONFIRM)
    assert leaf_of(session).title == "Turn 5 of 5"


# The end


def test_the_finished_game_can_be_looked_at() -> None:
    session = played(3, 5)
    screen = session.make_screen()
    assert screen.mood is Mood.FINISHED
    winner = session.position.get_name(session.position.outcome.winners[0])
    assert words_of(screen).startswith(f"{winner} wins. {winner} has most points: {max(session.position.points)}.")
    assert "Best paper, " in words_of(screen)
    session.press(Button.DOWN)
    assert session.make_screen().page == 1
    session.press(Button.UP)
    choose(session, "Points")
    plot = leaf_of(session).plot
    assert [line.name for line in plot] == list(session.position.players)
    assert tuple(line.points[-1] for line in plot) == session.position.points
    assert {len(line.points) for line in plot} == {len(session.history.past) + 1}
    assert all(line.points[:2] == (0, 0) for line in plot)


@pytest.mark.parametrize(
    ("points", "papers", "winners", "said"),
    [
        ((17, 17, 3), (5, 6, 1), (1,), "Hilbert and Banach have 17 points each. Then fewer complete papers win: "),
        ((17, 17, 3), (5, 5, 1), (1, 2), "17 points each and as many complete papers, 5: they share the win."),
        ((18, 17, 3), (5, 5, 1), (1,), "Hilbert has most points: 18."),
    ],
)
def test_what_settled_a_tie_is_said(
    points: tuple[int, ...], papers: tuple[int, ...], winners: tuple[int, ...], said: str
) -> None:
    names = ("Hilbert", "Banach", "Noether")
    position = SimpleNamespace(
        outcome=SimpleNamespace(winners=winners, points=points),
        players=names,
        points=points,
        complete_papers=papers,
        papers=(),
        get_name=lambda seat: names[seat - 1],
    )
    words = screen_of("laminate").ending_words(position)
    assert said in str(words[0])
    assert len(words) == 1, "nobody has a paper"
    assert "17" in words[0].said(Language.JA) or "18" in words[0].said(Language.JA)


def test_secret_points_are_not_plotted() -> None:
    referee = load_referees()["wild_seven"]
    header = Header("wild_seven", ("Hilbert", "Banach", "Noether"), {})
    session = Session(referee, header, referee.make_layout(3, REFERENCE_MAT_MM))
    assert plot_lines(session.history, session.screens) == ()
    step = played(3, 3, most=1).history.past[0]
    state = session.agreed
    session.log.history = replace(session.history, past=(replace(step, before=state, after=state),) * 3)
    assert plot_lines(session.history, session.screens) == ()
    open_game = played(3, 3, most=4)
    assert plot_lines(open_game.history, open_game.screens)


# Help


def test_help_begins_with_what_may_be_done_and_explains_the_screen() -> None:
    session = played(3, 4, most=8)
    session.see(show(session.position))
    mood = session.make_screen().mood
    choose(session, "Help")
    assert leaf_of(session).title == "What can I do now?"
    assert all(any(text.startswith(word) for text in leaf_of(session).words) for word in ("Research", "Publish"))
    titles = []
    menu = session.over_it
    assert isinstance(menu, Leaves)
    for number in range(len(menu.options)):
        titles.append(menu.draw(number, Language.EN).title)
    assert titles[1] == "This screen"
    here = screen_help(Language.EN, mood)
    assert here is not None
    assert menu.draw(1, Language.EN).words == here.words
    assert [str(kind.text) for kind in BUILT_IN] == titles[-len(BUILT_IN) :]
    session.press(Button.CONFIRM)
    assert session.make_screen().mood is mood, "confirm leads back to the game"


def test_a_leaf_of_several_pages_is_turned_through() -> None:
    session = played(3, 4, most=80)
    choose(session, "Help")
    pages = session.pages(session.make_screen())
    assert pages > 0, "papers to review and to publish are more than a small panel has room for"
    for page in range(1, pages + 1):
        session.press(Button.DOWN)
        assert (session.make_screen().page, leaf_of(session).title) == (page, "What can I do now?")
    session.press(Button.DOWN)
    assert (session.make_screen().page, leaf_of(session).title) == (0, "This screen")
    session.press(Button.UP)
    assert leaf_of(session).title == "What can I do now?"


def test_every_example_is_such_a_paper() -> None:
    for kind in BUILT_IN:
        if kind.combination is not None:
            (cards,) = example_of(kind)
            assert kind.is_met_by(cards), (kind.name, cards)


@pytest.mark.parametrize(("players", "drawn"), [(3, "3, 3, 4"), (4, "3, 3, 4, 4"), (5, "3, 3, 4, 4, 5")])
def test_the_set_up_says_how_many_cards(players: int, drawn: str) -> None:
    position = load_referees()["laminate"].rules.start(
        ("Hilbert", "Banach", "Noether", "Galois", "Gauss")[:players], {}
    )
    (now,) = screen_of("laminate").write_now(position, Language.EN)
    assert now.words[0].endswith(f"{drawn} cards.")
    told = list_leaves(position, Language.EN)
    assert len(told) == len(set(told)), "nothing twice"


def test_who_has_to_take_the_flag_is_told_that_alone() -> None:
    session = played(3, 5)
    (step,) = (step for step in session.history.past if step.before.position.phase is Phase.FLAG)
    (now,) = screen_of("laminate").write_now(step.before.position, Language.EN)
    assert len(now.words) == 1
    assert "End Flag" in now.words[0]


def _played_help(game: str, language: Language) -> Iterator[Leaf]:
    """All leaves of a game's help, as they come up while it is played."""
    referee, chance = load_referees()[game], Random(4)
    count = max(referee.rules.seats) if 4 not in referee.rules.seats else 4
    players = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")[:count]
    layout = referee.make_layout(count, REFERENCE_MAT_MM)
    simulation = simulation_of(referee, players, options_of(game, players, chance), layout, chance)
    own = screen_of(game)
    yield from (*own.write_now(simulation.position, language), *own.write_help(simulation.position, language))
    for _ in islice(simulation.play_game(), 60):
        yield from own.write_now(simulation.position, language)


@pytest.mark.slow  # tests/ui/test_words_whole.py
@pytest.mark.parametrize("language", Language.all())
def test_all_that_is_looked_up_can_be_read(language: Language) -> None:
    """Every mood, every leaf of every game's help, and all turns of a game, on every size."""
    session = played(3, 5, language)
    found = [leaf for mood in Mood if (leaf := screen_help(language, mood)) is not None]
    found += list_leaves(session.position, language)
    found += list_leaves(session.history.past[9].before.position, language)
    for game in OTHERS:
        leaves_of = list(_played_help(game, language))
        assert len(set(leaves_of)) > 3, game
        found += leaves_of
    choose(session, "Turns so far")
    menu = session.over_it
    assert isinstance(menu, Leaves)
    found += [menu.draw(number, language) for number in range(0, len(menu.options), 5)]
    found.append(Leaf("plot", plot=plot_lines(session.history, session.screens)))
    template = session.make_screen()
    for number, leaf in enumerate(dict.fromkeys(found)):
        size = SIZES[number % len(SIZES)]
        drawn = ""
        for turned, drawing in all_pages(replace(template, headline=leaf.title, leaf=leaf), size):
            assert not faults(turned, drawing, size), (leaf.title, size)
            foot = drawing.texts[-1].limit.y
            between = [box.text for box in drawing.texts[1:] if box.limit.y < foot and not _PAGE.fullmatch(box.text)]
            drawn += "".join("".join(between).split())
        for text in leaf.words:
            assert "".join(text.split()) in drawn, (leaf.title, text)
        assert all(tile.role in TileRole for group in leaf.tiles for tile in group.tiles)
