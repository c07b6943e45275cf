"""What no game of papers needs, by a game made up for these tests: moves told by the buttons, several moves in one
look, moves that settle while the table lies still, a fault that is one without a press.

Each player first tells a suit. Then whoever's suit it is lays cards of it in the own area, as many as they like; each
settles by itself. A card of another suit is wrong at once. Three cards each end the game. A card that can't be read is
said at once; where two names are likely, it is asked at once which of them it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import device.session.session as sessions
from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM, SEATS, TableLayout
from referee.table import Detections, Sighting, Unread
from referee.verdict import Accepted, CantSee, Choice, Question, Reading, Refused, Spot
from referee.zones import Expected, ZoneReferee, ZoneState, ZoneView
from rules.cards import Card, Suit
from rules.parsing import BadRecordError
from rules.record import Header
from rules.refusal import Illegal, Reason, Refusal, out_of_turn
from rules.text import Language, Text, player
from ui.game import GameScreen
from ui.screen_state import Mood, PlayerLine, PlayScreen, Standing

CODES = ("bad_record", "game_over", "out_of_turn", "wrong_suit", "table_disturbed", "cannot_see")
PLAYERS = ("Ada", "Emmy")


@dataclass(frozen=True)
class Tell:
    """A player names a suit; no camera sees it."""

    seat: int
    suit: str

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat, "do": "tell", "suit": self.suit}


@dataclass(frozen=True)
class Lay:
    """A player lays a card of the own suit."""

    seat: int
    card: Card

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat, "do": "lay", "card": str(self.card)}


@dataclass(frozen=True)
class Outcome:
    winners: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Position:
    players: tuple[str, ...] = PLAYERS
    suits: tuple[str, ...] = ()
    laid: tuple[tuple[int, Card], ...] = ()

    def cards(self, seat: int) -> tuple[Card, ...]:
        return tuple(card for by, card in self.laid if by == seat)

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(len(self.cards(seat)) for seat in (1, 2))

    @property
    def outcome(self) -> Outcome | None:
        return Outcome((1, 2), (1, 1), self.points) if self.points == (3, 3) else None

    def verify(self, move: Any) -> Refusal | None:
        reasons = []
        if isinstance(move, Tell):
            if move.seat != len(self.suits) + 1:
                reasons.append(out_of_turn(player(PLAYERS[move.seat - 1]), player(PLAYERS[len(self.suits) % 2])))
        elif self.suits[move.seat - 1] != move.card.suit.letter:
            words = Text(f"{move.card.text} is not of the suit told.")
            reasons.append(Reason("wrong_suit", (move.card,), words))
        return Refusal.from_reasons(CODES, *reasons) if reasons else None

    def is_legal(self, move: Any) -> bool:
        return self.verify(move) is None

    def do(self, move: Any) -> Position:
        if (refusal := self.verify(move)) is not None:
            raise Illegal(refusal, move)
        if isinstance(move, Tell):
            return replace(self, suits=(*self.suits, move.suit))
        return replace(self, laid=(*self.laid, (move.seat, move.card)))

    def to_json(self) -> dict[str, Any]:
        return {"suits": list(self.suits), "laid": [[seat, str(card)] for seat, card in self.laid]}


class Rules:
    name = "made_up"
    title = Text("Made up")
    seats = range(2, 3)
    options = ()
    codes = CODES

    def start(self, players: Any, options: Any) -> Position:
        return Position()

    def read_move(self, data: Any) -> Any:
        if data.get("do") == "tell":
            return Tell(data["seat"], data["suit"])
        if data.get("do") == "lay":
            return Lay(data["seat"], Card.parse(data["card"]))
        raise BadRecordError(Text("no such move"))

    def to_move(self, position: Position) -> frozenset[int]:
        """One tells; then both lay as they like."""
        if position.outcome is not None:
            return frozenset()
        return frozenset({len(position.suits) + 1}) if len(position.suits) < 2 else frozenset({1, 2})

    def make_public(self, move: Any) -> Any:
        return move


class Referee(ZoneReferee):
    rules = Rules()  # type: ignore[assignment]
    settles = True

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        return TableLayout(SEATS[2], mat_mm)

    def expect_places(self, state: ZoneState) -> Mapping[str, Expected]:
        position: Position = state.position
        return {f"seat:{seat}": Expected(frozenset(map(str, position.cards(seat)))) for seat in (1, 2)}

    def propose_moves(self, state: ZoneState, view: ZoneView) -> Iterator[Any]:
        known = {str(card) for _, card in state.position.laid}
        for seat in (1, 2) if len(state.position.suits) == 2 else ():
            for name in view.list_faces(f"seat:{seat}"):
                if name not in known:
                    yield Lay(seat, Card.parse(name))

    def list_readings(self, state: ZoneState, view: ZoneView, layout: TableLayout) -> Iterable[Reading]:
        """Any card of the right suit settles by itself, however many lie there; any other is wrong at once."""
        laid = {str(card) for _, card in state.position.laid}
        if view.unread and not laid.intersection(view.unread[0].candidates):
            return [self._unread(state, view.unread[0])]
        for move in self.propose_moves(state, view):
            refusal = state.position.verify(move)
            if refusal is None:
                return [Reading(move, at_once=True)]
            mends = self.compare(state, view, layout).mends
            return [Reading(move, reasons=refusal.reasons, mends=mends, at_once=True)]
        return super().list_readings(state, view, layout)

    def _unread(self, state: ZoneState, mark: Unread) -> Reading:
        if len(mark.candidates) < 2:
            return Reading(unread=(mark,), at_once=True)
        after = [self.accept_reading(state, Reading(Lay(1, Card.parse(name)))) for name in mark.candidates]
        choices = tuple(Choice(Text(f"Lay {name}."), one) for name, one in zip(mark.candidates, after, strict=True))
        spot = Spot(mark.x, mark.y, "seat:1", mark.cause)
        return Reading(asked=Question(Text("Which card is it?"), choices, at_once=True, spot=spot))

    def list_enterable_moves(self, state: ZoneState) -> tuple[tuple[Text, Any], ...]:
        told = len(state.position.suits)
        return tuple((Text(str(suit.text)), Tell(told + 1, suit.letter)) for suit in Suit) if told < 2 else ()

    def describe_move(self, move: Any, before: Any) -> Text:
        return Text(f"{move}.")


@dataclass
class Screen(GameScreen):
    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        lines = tuple(PlayerLine(name, 0) for name in position.players)
        return PlayScreen(language, mood, standing=Standing(lines))

    def picture_table(self, *_: Any) -> None:
        return None


@dataclass
class Table:
    session: Session
    kept: list[Entry] = field(default_factory=list)
    cards: list[Sighting] = field(default_factory=list)

    def lay(self, name: str, seat: int) -> None:
        number = len(self.cards)
        self.cards.append(Sighting(name, 100.0 + 80 * number, 700.0 if seat == 1 else 100.0, 0.0))

    def see(self, *unread: Unread) -> tuple[Any, ...]:
        seen = Detections(tuple(self.cards), unread)
        return self.session.see(self.session.referee.observe(seen, self.session.layout))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(sessions, "screen_of", lambda game: Screen())
    kept: list[Entry] = []
    referee: Any = Referee()
    session = Session(
        referee, Header("made_up", PLAYERS), referee.make_layout(2, REFERENCE_MAT_MM), Language.EN, kept.append
    )
    return Table(session, kept)


def suits_told(table: Table) -> None:
    table.session.tell({"seat": 1, "do": "tell", "suit": "H"})
    table.session.tell({"seat": 2, "do": "tell", "suit": "S"})


def test_a_move_that_no_camera_sees_is_told_with_the_buttons(table: Table) -> None:
    table.see()
    shown = table.session.make_screen()
    assert (shown.mood, shown.choices[:2], shown.chosen) == (Mood.QUESTION, ("heart", "onion"), 0)
    table.session.press(Button.DOWN)
    assert table.session.make_screen().chosen == 1
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Tell(1, "O")
    assert [entry.data["move"] for entry in table.kept] == [{"seat": 1, "do": "tell", "suit": "O"}]
    assert table.session.make_screen().choices[0] == "heart"
    table.session.press(Button.CONFIRM)
    assert table.session.make_screen().choices == ()


def test_a_second_press_at_once_does_not_pass_for_the_next_player(table: Table) -> None:
    table.see()
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=10.0, now_s=10.5), Accepted)
    asked = table.session.press(Button.CONFIRM, pressed_s=11.0)
    assert isinstance(asked, Question)
    assert len(table.kept) == 1
    assert table.session.make_screen().choices[0] == "No."
    table.see()
    assert table.session.judge.question is asked
    # A third press takes the first answer.
    assert isinstance(table.session.press(Button.CONFIRM, pressed_s=11.2), Refused)
    assert len(table.kept) == 1
    assert table.session.make_screen().choices[0] == "heart"
    table.session.press(Button.CONFIRM, pressed_s=12.0)
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM, pressed_s=12.3)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Tell(2, "H")


def test_who_has_chosen_or_waited_is_not_asked(table: Table) -> None:
    table.see()
    table.session.press(Button.CONFIRM, pressed_s=10.0)
    table.session.press(Button.DOWN)
    verdict = table.session.press(Button.CONFIRM, pressed_s=10.8)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Tell(2, "O")


def test_nothing_is_told_while_the_table_can_not_be_seen(table: Table) -> None:
    table.see()
    table.session.note_watching(Mood.BLIND, Text("No picture."))
    assert table.session.make_screen().choices == ()
    table.session.press(Button.CONFIRM)
    assert table.kept == []


def test_a_told_move_passes_the_rules_like_any_other(table: Table) -> None:
    verdict = table.session.tell({"seat": 2, "do": "tell", "suit": "H"})
    assert isinstance(verdict, Refused)
    assert verdict.refusal.code == "out_of_turn"
    assert isinstance(table.session.tell({"do": "dance"}), Refused)
    assert table.kept == []


def test_several_moves_in_one_look_settle_by_themselves_one_after_the_other(table: Table) -> None:
    suits_told(table)
    table.lay("H3", 1)
    table.lay("S9", 2)
    table.lay("H7", 1)
    settled = table.see()
    assert [verdict.move for verdict in settled] == [
        Lay(1, Card.parse("H3")),
        Lay(1, Card.parse("H7")),
        Lay(2, Card.parse("S9")),
    ]
    assert [entry.kind for entry in table.kept] == ["move"] * 5
    assert table.see() == ()


def test_what_is_wrong_without_a_press_is_said_once_and_ends_when_it_is_mended(table: Table) -> None:
    suits_told(table)
    table.lay("B9", 1)
    (fault,) = table.see()
    assert isinstance(fault, Refused)
    assert fault.refusal.code == "wrong_suit"
    assert table.session.make_screen().mood is Mood.REFUSED
    assert table.session.make_screen().put_back
    answer, cursor = table.session.judge.answer, replace(table.session._cursor, chosen=1)
    table.session._cursor = cursor
    assert table.see() == ()
    assert (table.session.judge.answer, table.session._cursor) == (answer, cursor), "what is chosen stays chosen"
    table.cards.clear()
    assert table.see() == ()
    assert table.session.make_screen().mood is Mood.WAITING


def test_each_move_is_taken_back_by_itself_and_nothing_settles_until_it_lies_so(table: Table) -> None:
    suits_told(table)
    table.lay("H3", 1)
    table.lay("H4", 1)
    table.see()
    table.session.judge.undo()
    assert table.session.checking
    assert table.see() == ()
    table.cards.pop()
    assert table.see() == ()
    assert not table.session.checking
    assert table.session.position.cards(1) == (Card.parse("H3"),)


def test_what_settled_is_there_again_after_a_power_cut(table: Table) -> None:
    suits_told(table)
    table.lay("H3", 1)
    table.see()
    again: Any = Session(table.session.referee, Header("made_up", PLAYERS), table.session.layout)
    again.log.restore([Entry.from_json(entry.to_json()) for entry in table.kept])
    assert again.position == table.session.position


def unread(*candidates: str, x: float = 500.0) -> Unread:
    return Unread(x, 700.0, 0.0, "glare", candidates)


@pytest.mark.parametrize("settles", [True, False], ids=["a game that settles", "one of confirms alone"])
def test_an_unread_card_may_be_said_at_once(table: Table, monkeypatch: pytest.MonkeyPatch, settles: bool) -> None:
    monkeypatch.setattr(Referee, "settles", settles)
    suits_told(table)
    assert table.see(unread("H3")) == ()
    assert isinstance(table.session.judge.shown, CantSee)
    assert table.session.make_screen().mood is Mood.CANT_SEE
    answer = table.session.judge.answer
    table.see(unread("H3", x=500.4))
    assert table.session.judge.answer is answer, "a further look finds it a hair beside its place"
    table.see()
    assert table.session.judge.shown is None


def test_what_is_asked_at_once_stays_over_further_looks_and_its_answer_settles_what_lies_there(table: Table) -> None:
    suits_told(table)
    assert table.see(unread("H3", "H5")) == ()
    table.session.press(Button.DOWN)
    table.see(unread("H3", "H5", x=500.4))
    assert (table.session.make_screen().mood, table.session.make_screen().chosen) == (Mood.QUESTION, 1)
    assert table.session.judge.question is not None
    assert table.session.judge.question.spot is not None
    table.lay("S9", 2)
    table.see(unread("H3", "H5"))
    verdict = table.session.press(Button.CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Lay(1, Card.parse("H5"))
    assert [each.move for each in table.session.judge.settled if isinstance(each, Accepted)] == [
        Lay(2, Card.parse("S9"))
    ]
    assert table.session.position.laid == ((1, Card.parse("H5")), (2, Card.parse("S9")))


def test_a_question_at_once_is_gone_with_what_it_is_about(table: Table) -> None:
    suits_told(table)
    table.see(unread("H3", "H5"))
    table.see(unread("H3", "H7"))
    assert table.session.make_screen().choices == ("Lay H3.", "Lay H7.")
    table.lay("H3", 1)
    (settled,) = table.see()
    assert isinstance(settled, Accepted)
    assert table.session.judge.question is None


def test_the_first_confirm_at_a_card_that_was_said_at_once_asks_for_its_name_and_tells_nothing(table: Table) -> None:
    table.see(unread("H3"))
    assert isinstance(table.session.judge.shown, CantSee)
    assert table.session.entered_moves == (), "confirm tells no suit while a card is asked for"
    table.session.press(Button.CONFIRM, pressed_s=10.0)
    assert table.session.make_screen().choices[0] == "Heart 3"
    table.session.press(Button.CONFIRM, pressed_s=13.0)
    assert [named.name for named in table.session.history.named] == ["H3"]
    assert [entry.kind for entry in table.kept] == ["named"]
