"""Setting the position by hand never loses the end of the game: what follows is derived, what does not is asked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.app.playing import Playing
from device.app.watching import Watching
from device.capture.capture import Lookout
from device.capture.turn_pictures import TurnPictures
from device.hardware.buttons import Button
from device.session.screens import Screens
from device.session.session import Session
from device.settings.values import RecordingSettings
from device.storage.journal import Journal
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from referee.history import POSITION_SET, Entry
from referee.laminate.expected_layout import Agreed
from referee.laminate.position_editor import Draft, find_hindrances, setting_menu
from referee.laminate.referee import REFEREE
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.menu import Menu
from referee.verdict import Accepted
from rules.cards import DECK, Card
from rules.laminate.ending import End, find_contradiction
from rules.laminate.game import as_seen
from rules.laminate.moves import EndFlag, Move, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from rules.record import Header
from rules.text import Language
from tests.device.evening import Table
from tests.device.openings import begun, header
from tests.referee.tables import cards, show
from tests.ui.checks import faults, lost
from ui.laminate import SCREEN
from ui.screen import REFERENCE, draw
from ui.screen_state import Mood

NAMES = ("Hilbert", "Banach", "Noether")
WHO_ENDED = "Has anybody ended a turn"


def laid(*papers: tuple[int, str, str], players: int = 3, names: Sequence[str] = NAMES) -> Table:
    """Return a session before its set-up, over a table with these papers, both piles and T8 on top of the discards."""
    layout = layout_for(players)
    table = SimulatedTable(layout, random.Random(3))
    table.stack_draw(20)
    table.lay_discard(Card.parse("T8"))
    for seat, kind, lie in papers:
        table.lay_paper(seat, kind, cards(lie), len(cards(lie)) == 1)
    return Table(begun(tuple(names), 1, layout), table, layout, [])


def set_by_hand(table: Table, *lines: str) -> Position:
    """Set the position from the menu: take these lines, and what is proposed from there on."""
    table.see()
    table.open_menu()
    table.choose("Set the position", *lines)
    for _ in range(12):
        if table.session.make_screen().mood is not Mood.MENU:
            return table.session.position
        table.press(Button.CONFIRM)
    raise AssertionError(table.session.make_screen())


def choices(table: Table) -> tuple[str, ...]:
    return table.session.make_screen().choices


def before_fifteen() -> Table:
    """Hilbert's turn, with 9 points complete and 6 more once a card is taken from the sum."""
    table = laid((1, "straight11", "HA"), (1, "sum100", "O5 O6"))
    position = set_by_hand(table, "Hilbert's turn", "4", "4", "4", "1")
    assert (position.to_move, position.points, position.hand_size(1)) == (1, (9, 0, 0), 4)
    return table


def review(table: Table) -> None:
    """Hilbert takes a card from his own sum and comes to 15 points, or to the end of a turn with them."""
    table.cards.take_from_paper(1, "sum100", Card.parse("O5"))
    table.cards.turn_paper(1, "sum100")
    verdict = table.confirm()
    assert isinstance(verdict, Accepted)
    assert isinstance(verdict.move, Review)


def flag_due() -> Table:
    """Hilbert has come to 15 points in his own turn and must take the End Flag."""
    table = before_fifteen()
    review(table)
    assert table.session.position.phase is Phase.FLAG
    return table


def take_the_flag(table: Table, card: str = "S8") -> None:
    table.cards.lay_paper(1, END_FLAG, cards(card), True)
    verdict = table.confirm()
    assert isinstance(verdict, Accepted), verdict
    assert isinstance(verdict.move, EndFlag)


def fifteen(*papers: tuple[int, str, str]) -> Table:
    """Return a table on which Hilbert has 15 points, before anything was confirmed."""
    return laid((1, "straight11", "HA"), (1, "sum100", "O5"), *papers)


def draws(table: Table, card: str) -> None:
    """Whoever is to move draws and discards that card."""
    table.cards.lay_discard(Card.parse(card))
    verdict = table.confirm()
    assert isinstance(verdict, Accepted), verdict
    assert isinstance(verdict.move, Research)


# --- the flag is due


def test_the_end_flag_stays_due_along_what_the_menu_proposes() -> None:
    table = flag_due()
    before = table.session.position
    assert set_by_hand(table) == before
    take_the_flag(table)
    assert (table.session.position.turns_left, table.session.position.to_move) == (5, 2)


def test_whose_turn_it_is_with_15_points_is_asked_for_the_flag_at_its_end() -> None:
    """Somebody else's review lifted Hilbert to 15, say; now it is his turn."""
    table = flag_due()
    position = set_by_hand(table, "It is Hilbert's turn", "5", "4", "4", "1", "No, nobody yet")
    assert (position.phase, position.to_move, position.turns_left) == (Phase.PLAY, 1, None)
    draws(table, "FK")
    assert table.session.position.phase is Phase.FLAG
    take_the_flag(table)


def test_who_moved_last_and_has_15_points_takes_the_flag_first() -> None:
    table = flag_due()
    table.see()
    table.open_menu()
    table.choose("Set the position", "It is Banach's turn", "5", "4", "4", "1")
    assert WHO_ENDED in table.session.make_screen().headline
    assert not any("nobody" in line for line in choices(table))
    table.choose("Hilbert, who takes the End Flag now", "Yes")
    assert table.session.position.phase is Phase.FLAG
    assert table.session.position.to_move == 1
    take_the_flag(table)


def test_a_paper_that_gave_15_points_is_taken_off_and_nobody_has_met_the_end() -> None:
    table = flag_due()
    table.cards.remove_paper(1, "sum100")
    position = set_by_hand(table)
    assert (position.phase, position.to_move, position.points[0], position.met) == (Phase.PLAY, 1, 9, False)
    # Laid again, and once more at 15 points: the flag is asked for as ever.
    table.cards.lay_paper(1, "sum100", cards("O5 O6"), False)
    set_by_hand(table)
    review(table)
    assert table.session.position.phase is Phase.FLAG


def test_the_flag_laid_without_confirm_begins_the_countdown() -> None:
    table = flag_due()
    table.cards.lay_paper(1, END_FLAG, cards("S8"), True)
    position = set_by_hand(table)
    assert (position.to_move, position.turns_left, position.flag_seat) == (2, 5, 1)
    assert position.hand_size(1) == 4


def test_a_review_without_confirm_that_lifts_who_moved_last_leaves_it_to_the_next() -> None:
    """Banach takes the card that completes Hilbert's paper: the end is looked at when Hilbert's next turn ends."""
    table = before_fifteen()
    draws(table, "FK")
    table.cards.take_from_paper(1, "sum100", Card.parse("O5"))
    table.cards.turn_paper(1, "sum100")
    position = set_by_hand(table)
    assert (position.phase, position.to_move, position.met) == (Phase.PLAY, 3, False)
    assert position.hand_size(2) == 5


# --- the countdown


def test_a_countdown_begun_by_mistake_is_taken_away_with_what_began_it() -> None:
    table = flag_due()
    take_the_flag(table)
    table.cards.remove_paper(1, END_FLAG)
    table.cards.remove_paper(1, "sum100")
    position = set_by_hand(table)
    assert (position.phase, position.turns_left, position.flag_seat, position.met) == (Phase.PLAY, None, None, False)
    assert table.session.make_screen().ending.turns_left is None


def test_a_countdown_begun_by_mistake_is_taken_away_though_the_points_stay() -> None:
    """Hilbert has 15 points, but has not ended a turn with them: the flag goes back, and it is his turn."""
    table = flag_due()
    take_the_flag(table)
    table.cards.remove_paper(1, END_FLAG)
    position = set_by_hand(table, "It is Hilbert's turn", "5", "4", "4", "1", "No, nobody yet")
    assert (position.phase, position.to_move, position.turns_left, position.met) == (Phase.PLAY, 1, None, False)
    draws(table, "FK")
    assert table.session.position.phase is Phase.FLAG


def test_a_flag_swept_off_the_table_is_due_again() -> None:
    table = flag_due()
    take_the_flag(table)
    table.cards.remove_paper(1, END_FLAG)
    position = set_by_hand(table)
    assert (position.phase, position.to_move) == (Phase.FLAG, 1)


def test_with_an_empty_hand_there_is_no_flag_and_the_countdown_starts() -> None:
    table = fifteen()
    table.see()
    table.open_menu()
    table.choose("Set the position", "Hilbert takes the End Flag now", "0", "4", "4", "1")
    told = " ".join(table.session.make_screen().details)
    assert "no End Flag" in told
    assert "Banach's turn, 5 turns left" in told
    table.choose("Yes")
    position = table.session.position
    assert (position.phase, position.to_move, position.turns_left, position.flag_seat) == (Phase.PLAY, 2, 5, None)
    for left, card in enumerate(("FK", "F12", "F11", "F10", "F9")):
        assert table.session.position.turns_left == 5 - left
        draws(table, card)
    assert table.session.position.phase is Phase.OVER


def test_a_hand_counted_wrongly_is_put_right_and_the_flag_taken() -> None:
    table = fifteen()
    set_by_hand(table, "Hilbert takes the End Flag now", "0", "4", "4", "1")
    position = set_by_hand(table, "Hilbert takes the End Flag now", "2", "4", "4", "1")
    assert (position.phase, position.to_move, position.hand_size(1)) == (Phase.FLAG, 1, 2)
    take_the_flag(table)


def test_thanks_that_still_lie_there_are_cards_for_the_flag() -> None:
    table = fifteen()
    table.cards.pay(1, 1)
    position = set_by_hand(table, "Hilbert takes the End Flag now", "0", "4", "4", "1")
    assert (position.phase, position.hand_size(1)) == (Phase.FLAG, 1)
    table.cards.unpay(1, 1)
    take_the_flag(table)


def test_3_the_countdown_without_a_flag_can_be_set() -> None:
    table = fifteen()
    lines = ("It is Noether's turn", "0", "4", "4", "1", "Hilbert, without a card for the End Flag: 4 turns left")
    position = set_by_hand(table, *lines)
    assert (position.phase, position.to_move, position.turns_left, position.flag_seat) == (Phase.PLAY, 3, 4, None)
    assert set_by_hand(table) == position, "and stays as it was along what the menu proposes"
    for card in ("FK", "F12", "F11", "F10"):
        draws(table, card)
    assert table.session.position.phase is Phase.OVER


def test_the_countdown_begins_without_a_flag_only_with_an_empty_hand() -> None:
    table = fifteen()
    table.see()
    table.open_menu()
    table.choose("Set the position", "It is Banach's turn", "3", "4", "4", "1")
    assert choices(table) == (
        "Hilbert, who takes the End Flag now.",
        "Hilbert, without a card for the End Flag: 2 turns left.",
    )
    table.press(Button.BACK, Button.BACK, Button.BACK, Button.BACK)
    table.choose("0", "4", "4", "1")
    assert choices(table) == (
        "Hilbert, without a card for the End Flag: 5 turns left.",
        "Hilbert, without a card for the End Flag: 2 turns left.",
    )


def test_with_the_flag_on_the_table_only_what_can_be_is_asked() -> None:
    table = fifteen((1, END_FLAG, "S8"))
    table.see()
    table.open_menu()
    table.choose("Set the position", "It is Noether's turn", "3", "4", "4", "1")
    assert choices(table) == ("1", "4")
    table.choose("4", "Yes")
    assert table.session.position.turns_left == 4
    # Hilbert's only turn in the countdown leaves nothing to ask.
    position = set_by_hand(table, "It is Hilbert's turn", "3", "4", "4", "1", "Yes")
    assert (position.to_move, position.turns_left) == (1, 3)


def test_nobody_at_15_points_leaves_nothing_to_ask() -> None:
    table = before_fifteen()
    position = set_by_hand(table, "It is Noether's turn", "4", "4", "4", "1", "Yes")
    assert (position.phase, position.turns_left, position.met) == (Phase.PLAY, None, False)


# --- tables that can't be, and numbers that don't add up


@pytest.mark.parametrize(
    ("papers", "told"),
    [
        ([(1, "straight11", "HA"), (1, END_FLAG, "S8")], "Hilbert has only 9 points without the End Flag"),
        ([(1, "straight11", "HA"), (1, "sum100", "O5"), (1, END_FLAG, "S8 S9")], "takes one card only"),
    ],
)
def test_an_end_flag_that_can_not_lie_there_keeps_the_position_from_being_set(
    papers: list[tuple[int, str, str]], told: str
) -> None:
    table = laid(*papers)
    table.see()
    table.open_menu()
    table.choose("Set the position")
    assert choices(table) == ("Back",)
    assert any(told in detail for detail in table.session.make_screen().details)


def test_more_cards_than_the_deck_has_keep_the_position_from_being_set() -> None:
    kinds = ("straight5", "straight7", "straight9", "straight11", "three", "five", "sum49")
    papers = tuple(PaperSeen(1, kind, False, DECK[7 * n : 7 * n + 7]) for n, kind in enumerate(kinds))
    view = TableView((1189.0, 841.0), papers)
    agreed, layout = Agreed(Position.start(NAMES)), layout_for(3)
    assert find_hindrances(agreed, view, layout) == ()
    told = find_hindrances(agreed, replace(view, draw_backs=1), layout)
    assert [str(words) for words in told] == ["More cards lie there than the 49 of the deck."]


def test_counting_again_begins_with_the_first_hand_and_keeps_what_was_said() -> None:
    table = before_fifteen()
    table.see()
    table.open_menu()
    table.choose("Set the position", "It is Hilbert's turn", "40", "6")
    table.press(Button.CONFIRM, Button.CONFIRM)
    table.choose("Count again")
    screen = table.session.make_screen()
    assert "Hilbert hold" in screen.headline
    assert screen.choices[screen.chosen] == "40"


# --- what was agreed stays agreed


def test_whatever_was_agreed_is_what_the_menu_proposes() -> None:
    """Over the untouched table, at every moment of some games."""
    stages = set()
    for seed in range(12):
        rng = random.Random(seed)
        full = Position.start(("A", "B", "C", "D", "E")[: 3 + seed % 3])
        move: Move = deal(len(full.players), rng)
        position = full
        while True:
            full, position = full.do(move), position.do(as_seen(move))
            if full.to_move is None:
                break
            draft = Draft.from_table(Agreed(position), show(full))
            assert draft.end == End.from_position(position)
            stages.add((position.phase, position.turns_left is None))
            move = random_move(full, rng)
    assert len(stages) == 3


# --- what older versions set


def older(table: Table, **changed: object) -> tuple[Header, list[Entry]]:
    """Return the game as an older version kept it, with a position that its menu could set."""
    saved = table.session.agreed.to_json()
    saved["position"] |= changed
    return header(NAMES, 1), [Entry(POSITION_SET, {"agreed": saved})]


class NoCamera(Lookout[TableView]):
    """A camera's loop in which nothing happens."""

    looked_s = 0.0  # type: ignore[assignment]

    def __init__(self) -> None:
        pass

    def start(self) -> None:
        pass

    def take_news(self) -> list[Any]:
        return []


def _no_mat(mat_mm: tuple[float, float]) -> None:
    raise AssertionError("no mat was measured")


def go_on(tmp_path: Path, header: Header, entries: list[Entry]) -> tuple[Playing, Journal]:
    journal = Journal.open(tmp_path)
    game = journal.begin(Opening(header.game, header.players, header.options), Language.EN, entries)
    session = Session.resume(header, game.entries, keep=game.append)
    watching = Watching(NoCamera(), (1189.0, 841.0), _no_mat, TurnPictures())
    return Playing(
        session, game, watching, Recorder(tmp_path, RecordingSettings()), lambda: None, lambda: None
    ), journal


def test_an_older_game_that_would_never_end_goes_on_and_is_put_right(tmp_path: Path) -> None:
    table = flag_due()
    header, entries = older(table, phase="play", met=True, turns_left=None, flag_seat=None)
    as_before = Session.resume(header, entries)
    assert (as_before.position.phase, as_before.position.met) == (Phase.PLAY, True)
    assert find_contradiction(as_before.position) is not None
    playing, journal = go_on(tmp_path, header, entries)
    assert playing.make_screen().mood is Mood.NOTICE
    assert not playing.session.position.met
    table.session = Session.resume(header, journal.read_entries(1))
    assert table.session.history == playing.session.history
    draws(table, "FK")
    assert table.session.position.phase is Phase.FLAG
    journal.close()


def test_an_older_game_in_which_nobody_could_move_goes_on_and_is_put_right(tmp_path: Path) -> None:
    table = fifteen()
    set_by_hand(table, "Hilbert takes the End Flag now", "0", "4", "4", "1")
    header, entries = older(table, phase="flag", seat=1, met=True, turns_left=None, flag_seat=1)
    playing, journal = go_on(tmp_path, header, entries)
    position = playing.session.position
    assert (position.phase, position.to_move, position.turns_left, position.flag_seat) == (Phase.PLAY, 2, 5, None)
    table.session = Session.resume(header, journal.read_entries(1))
    draws(table, "FK")
    journal.close()


def test_an_older_game_that_can_be_played_to_its_end_is_left_as_it_was(tmp_path: Path) -> None:
    table = fifteen((1, END_FLAG, "S8"))
    set_by_hand(table, "It is Noether's turn", "3", "4", "4", "1", "4")
    header, entries = older(table, turns_left=2)
    playing, journal = go_on(tmp_path, header, entries)
    assert find_contradiction(playing.session.position) is not None
    assert journal.read_entries(1) == tuple(entries)
    assert playing.session.position.turns_left == 2
    journal.close()


# --- the screens


@pytest.mark.few(1)
@pytest.mark.parametrize("language", Language.all())
def test_the_questions_about_the_end_are_read_in_full_on_the_display(language: Language) -> None:
    names = ("Kovalevskaya", "Ramanujan", "Grothendieck", "Chebyshev", "Kolmogorov")
    papers = ((1, "straight11", "HA"), (1, "sum100", "O5"), (2, "triple_threes", "H2"), (2, "straight_flush6", "O6"))
    papers += ((2, "ace_king", "O7"),)
    table = laid(*papers, players=5, names=names)
    table.session.speak(language)
    table.see()
    agreed, asked = table.session.agreed, 0
    menu: Menu | None = setting_menu(agreed, table.view, table.layout, lambda agreed: None)
    while menu is not None:
        for chosen in range(min(9, len(menu.options))):
            state = Screens(REFEREE, SCREEN, language).show_menu(agreed, replace(menu, chosen=chosen))
            assert not lost(state, REFERENCE), str(menu.title)
            assert not faults(state, draw(state), REFERENCE), str(menu.title)
        asked += WHO_ENDED in str(menu.title)
        # Noether's turn: Hilbert and Banach have the points, and Banach moved last.
        menu = (replace(menu, chosen=4) if "Whose turn" in str(menu.title) else menu).take_choice()
    assert asked == 1
