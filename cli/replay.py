"""``sevenmat replay``: a recording played through the whole chain, one verdict a confirm."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.capture.eye import card_reader
from device.capture.table_reader import TableReader
from device.errors import DeviceError
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.hardware.display import FolderDisplay
from device.session.session import Session
from device.speech import Language, text_json
from device.storage.recording import Event, FrameShown, MoveTold, Recording
from referee.entry_data import EntryError
from referee.registry import load_referees
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, Waiting
from rules.record import refusal_json
from rules.refusal import Refusal
from rules.text import Text, join_sentences
from ui.screen import REFERENCE
from ui.screen_state import Mood, ScreenState
from vision.errors import LightError, MatError, PictureError
from vision.identify.deck import Deck
from vision.picture import load_picture
from vision.stillness import STILL_S

Blind = MatError | LightError
"""Why a picture of the table could not be read at all; the next one may do."""


@dataclass(frozen=True)
class TakenBack:
    """A move that an arrow button took back."""

    move: Any
    text: Text


@dataclass(frozen=True)
class Confirmed:
    """What one press of confirm gave: a verdict, or why the mat could not be measured."""

    t: float
    outcome: Verdict | Blind | TakenBack

    def to_json(self) -> dict[str, Any]:
        """Return the line that ``sevenmat replay --json`` prints."""
        line: dict[str, Any] = {"t": self.t}
        match self.outcome:
            case Accepted() as accepted:
                move = {} if accepted.move is None else {"move": accepted.move.to_json()}
                return {**line, "verdict": "accepted", **move}
            case TakenBack() as back:
                return {**line, "verdict": "taken_back", "move": back.move.to_json()}
            case Question() as question:
                choices = [text_json(choice.text) for choice in question.choices]
                return {**line, "verdict": "question", **text_json(question.text), "choices": choices}
            case CantSee() | MatError() | LightError() as blind:
                refusal = Refusal("cannot_see", (), (), blind.text)
                return {**line, "verdict": "refused", **refusal_json(refusal)}
            case Waiting() as waiting:
                return {**line, "verdict": "waiting", **text_json(waiting.text)}
            case Refused() as refused:
                return {**line, "verdict": "refused", **refusal_json(refused.refusal), **text_json(refused.text)}


Look = Callable[[Picture], Any]
"""A still picture (h, w, 3) BGR uint8 to a table view; raises ``VisionError`` where it can't be read."""
Show = Callable[[ScreenState], None]
"""Where the screens of a replay go."""


def _show_nowhere(screen: ScreenState) -> None:
    """Show the screen nowhere, where nobody looks on."""


def play(recording: Recording, look: Look, session: Session, show: Show = _show_nowhere) -> Iterator[Confirmed]:
    """Play the recording's events in their order; each still picture is read at most once.

    A picture is read when a button is pressed. Between two presses one that stayed long enough to be still is read
    where a game's moves may settle by themselves, and else only where somebody has yet to do something besides the
    next move. ``show`` gets what the display showed.

    Raises:
        DeviceError: a frame is no picture, or a button is pressed before the first frame.
    """
    frame: Path | None = None
    seen: Any | Blind | None = None
    settles = session.referee.settles
    for number, event in enumerate(recording.events):
        if isinstance(event, FrameShown):
            if event.frame != frame:
                frame, seen = event.frame, None
            shown_s = _measure_shown_s(recording.events, number, through_buttons=settles)
            if seen is None and shown_s >= STILL_S and (settles or session.referee.list_reminders(session.agreed)):
                seen = _look(look, event.frame)
                if not isinstance(seen, Blind):
                    for settled in session.see(seen):
                        yield Confirmed(event.t, settled)
                    show(session.make_screen())
        elif isinstance(event, MoveTold):
            yield Confirmed(event.t, session.tell(event.data))
            show(session.make_screen())
        elif event.button is not Button.CONFIRM or event.held:
            # What a button does depends on what the screen shows of the table.
            if seen is None and frame is not None:
                seen = _look(look, frame)
                if not isinstance(seen, Blind):
                    session.see(seen)
            past = session.history.past
            session.press(event.button, event.held)
            show(session.make_screen())
            if not event.held and len(session.history.past) < len(past):
                step = past[-1]
                yield Confirmed(event.t, TakenBack(step.move, join_sentences(session.referee.describe(step)[:1])))
        elif frame is None:
            raise DeviceError(
                "The recording can't be played: confirm is pressed at {time_s:g} s, before the first frame.",
                time_s=event.t,
            )
        else:
            if seen is None:
                seen = _look(look, frame)
            if not isinstance(seen, Blind):
                session.see(seen)
                show(session.make_screen())
                verdict = session.press(Button.CONFIRM, pressed_s=event.t)
                show(session.make_screen())
                if verdict is not None:
                    yield Confirmed(event.t, verdict)
                for settled in session.judge.settled:
                    yield Confirmed(event.t, settled)
            else:
                session.note_watching(Mood.BLIND, seen.text)
                show(session.make_screen())
                yield Confirmed(event.t, seen)


def _measure_shown_s(events: Sequence[Event], number: int, through_buttons: bool) -> float:
    """Return how long the frame of that number stays: to the next one, and for good where none follows.

    Without ``through_buttons`` a frame is only timed where the next one follows before any button.
    """
    if not through_buttons:
        following = events[number + 1] if number + 1 < len(events) else None
        return following.t - events[number].t if isinstance(following, FrameShown) else 0.0
    for later in range(number + 1, len(events)):
        if isinstance(events[later], FrameShown):
            return events[later].t - events[number].t
    return math.inf


def _look(look: Look, frame: Path) -> Any | Blind:
    try:
        picture = load_picture(frame)
    except PictureError as error:
        raise DeviceError("The recording can't be played: {error}", error=error) from error
    try:
        return look(picture)
    except (MatError, LightError) as error:
        return error


def make_final_json(session: Session) -> dict[str, Any]:
    """Return the last line: points by seat, and the winners once the game is over."""
    outcome = session.position.outcome
    return {"final": list(session.position.points), "winners": list(outcome.winners) if outcome else None}


def start_session(recording: Recording, language: Language) -> Session:
    """Return the session as it stood when the recording began.

    Raises:
        DeviceError: what had happened before does not fit together.
    """
    try:
        return Session.resume(recording.header, recording.entries, recording.layout, language)
    except EntryError as error:
        raise DeviceError(
            "The recording can't be played: its entries do not follow from each other ({error}).", error=error
        ) from error


def replay(
    recording: Recording,
    deck: Deck,
    as_json: bool,
    language: Language,
    screens: Path | None = None,
    size: tuple[int, int] = REFERENCE,
) -> int:
    """Play a recording with a deck and print what every confirm gave. Returns the exit code.

    What the display showed goes to the folder ``screens``, if one is given, as PNG files of ``size`` px.

    Raises:
        DeviceError: the recording can't be played, or the screens can't be written.
    """
    folder = FolderDisplay(screens, size) if screens is not None else None
    session = start_session(recording, language)
    reader = card_reader()
    options = recording.header.options
    look = TableReader(
        reader, deck, load_referees()[recording.header.game], recording.layout, recording.marker_mm, options
    )
    for confirmed in play(recording, look, session, folder.show if folder is not None else _show_nowhere):
        if as_json:
            print(json.dumps(confirmed.to_json(), ensure_ascii=False), flush=True)
        else:
            print(f"{confirmed.t:8.1f}  {_format_plainly(confirmed, language)}", flush=True)
    final = make_final_json(session)
    if as_json:
        print(json.dumps(final, ensure_ascii=False))
    else:
        players, points = recording.header.players, final["final"]
        if len(points) == len(players):
            told = ", ".join(f"{name} {count}" for name, count in zip(players, points, strict=True))
        else:
            # Where a game has sides, there are points for each of them.
            told = " : ".join(map(str, points))
        print(f"          {told}")
    return 0


def _format_plainly(confirmed: Confirmed, language: Language) -> str:
    outcome = confirmed.outcome
    sign = {"Accepted": "✓", "Refused": "✗"}.get(type(outcome).__name__, "?")
    return f"{sign} {outcome.text.said(language)}"
