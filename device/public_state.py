"""What the table shows, made once for all who watch it: the public state, and the panel's screen for the page."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from hashlib import blake2b
from typing import Any

from device.table_state import (
    VERSION,
    LastMove,
    PublicArrow,
    PublicCard,
    PublicSeat,
    PublicStack,
    PublicTable,
    StateEnding,
    StatePlayer,
    TableState,
)
from device.typed_json import make_plain
from referee.arrangement import CardStack, locate_place
from referee.history import History
from referee.layout import REFERENCE_MAT_MM
from referee.menu import QrCode
from referee.state import AgreedState
from rules.text import Language, capitalise, join_sentences
from ui import words
from ui.parts.far import ends_now, is_last_turn, list_last_turn, list_titles
from ui.registry import screen_of
from ui.screen_state import Mood, PlayScreen, ScreenState, StepTiles, TableScreen, Thumbnail

_VERDICTS = (Mood.ACCEPTED, Mood.REFUSED)
"""Moods that the band does not name where it names who is next."""
_DIE, _SUPPLY = "die:", "supply"
_NEWEST: dict[str, tuple[History, AgreedState | None, tuple[StepTiles, ...], PublicTable]] = {}
"""By language, the table that was drawn last, and of what."""


def page_state(
    screens: Sequence[ScreenState], history: History | None, drawn: AgreedState | None = None
) -> dict[str, Any]:
    """Return the screen of a moment, and what is known of the game that is played, as JSON.

    ``screens`` are the same one in every language, the panel's first. By the language's code, ``state`` is what
    ``/state.json`` answers, ``screen`` the whole screen by its fields, ``kind`` its kind, ``title`` the band's words,
    ``verdict`` a verdict's name beside them, and ``now`` what must be understood at once. ``language`` is the panel's;
    ``pictures`` are those of all screens by their keys, as ``size`` in px and ``rgb`` in base 64. ``drawn`` is the
    state that the table is drawn in, where that is another one than is confirmed.
    """
    at = datetime.now(UTC)
    pictures: dict[str, Any] = {}
    said = {
        screen.language.code: {
            "state": make_plain(table_state(screen, history, at, drawn), whole=True),
            "kind": type(screen).__name__,
            "title": list_titles(screen)[0],
            "verdict": words.far_titles(screen.language, screen.mood, "", "")[0] if screen.mood in _VERDICTS else "",
            "now": _list_urgent(screen),
            "last_turn": is_last_turn(screen),
            "screen": as_json(screen, pictures),
        }
        for screen in screens
    }
    return {"language": screens[0].language.code, "said": said, "pictures": pictures}


def table_state(
    screen: ScreenState, history: History | None, at: datetime, drawn: AgreedState | None = None
) -> TableState:
    """Return what a screen shows and what is known of its game; ``drawn`` as in ``page_state``."""
    ending, language = screen.ending, screen.language
    return TableState(
        game=history.header.game if history is not None else None,
        language=language.code,
        mood=screen.mood.value,
        headline=screen.headline,
        details=(*screen.details, *screen.put_back),
        players=tuple(
            StatePlayer(one.name, one.points, one.to_move, (one.shown,) if one.shown else ()) for one in screen.players
        ),
        last=_describe_last(history, language),
        choices=tuple(screen.choices),
        chosen=screen.chosen,
        ending=StateEnding(ending.turns_left, ending.flag_due, ending.by_player),
        turn=len(history.past) if history is not None else 0,
        over=history is not None and history.over,
        at=at,
        version=VERSION,
        table=_draw_table(screen, history, drawn) if history is not None else None,
    )


def _draw_table(screen: ScreenState, history: History, drawn: AgreedState | None) -> PublicTable:
    """Draw the table as it is confirmed, or as ``drawn``, with what is new in it and the steps of the screen.

    The newest of each language is kept: most screens differ in words alone.
    """
    steps = screen.steps if isinstance(screen, TableScreen) else ()
    kept = _NEWEST.get(screen.language.code)
    if kept is not None and kept[0] is history and kept[1] is drawn and kept[2] == steps:
        return kept[3]
    before = history.now if drawn is not None else history.past[-1].before if history.past else None
    table = draw_table(history, drawn or history.now, before, screen.language, steps)
    _NEWEST[screen.language.code] = history, drawn, steps, table
    return table


def draw_table(
    history: History,
    state: AgreedState,
    before: AgreedState | None,
    language: Language,
    steps: Sequence[StepTiles] = (),
) -> PublicTable:
    """Draw the table of a game in a state; what was not there ``before`` is new, each step has its arrow."""
    referee, own = history.referee, screen_of(history.header.game)
    position, players = state.position, history.header.players
    layout = referee.make_layout(len(players), REFERENCE_MAT_MM)
    stacks = tuple(referee.arrange_table(state, layout))
    known = Counter(_list_cards(referee.arrange_table(before, layout)) if before is not None else _list_cards(stacks))

    def show_card(name: str, new: bool = False) -> PublicCard:
        if name.startswith(_DIE):
            return PublicCard(name, "", name.removeprefix(_DIE), new=new)
        tile, title = own.make_tile(position, name), own.title_card(position, name) or referee.card_words(state, name)
        return PublicCard(
            name,
            title.said(language),
            tile.label,
            tile.suit,
            "#{:02x}{:02x}{:02x}".format(*tile.colour),
            tile.back,
            new,
        )

    def show_stack(stack: CardStack) -> PublicStack:
        cards = []
        for name in stack.cards:
            key = stack.place, name
            cards.append(show_card(name, not known[key]))
            known[key] -= known[key] > 0
        (x, y), (dx, dy) = (tuple(round(one, 1) for one in pair) for pair in ((stack.x, stack.y), stack.step))
        title = capitalise(referee.place_words(state, stack.place)).said(language)
        notes = tuple(one.said(language) for one in own.note_stack(position, history.moves, stack.place))
        return PublicStack(stack.place, title, x, y, tuple(cards), (dx, dy), stack.count, notes)

    def show_arrow(step: StepTiles) -> PublicArrow:
        (start, end) = (
            tuple(round(one, 1) for one in locate_place(place, step.tiles[0].name, stacks, layout))
            for place in (step.source, step.target)
        )
        outside = "start" if step.source == _SUPPLY else "end" if step.target == _SUPPLY else "neither"
        return PublicArrow(start, end, tuple(show_card(tile.name) for tile in step.tiles), outside)

    seats = tuple(
        PublicSeat(tuple(round(one, 1) for one in layout.seat_rect(seat)), own.count_coins(position, seat))
        for seat in range(1, len(players) + 1)
    )
    return PublicTable(
        layout.mat_mm,
        referee.cards.size_mm,
        seats,
        tuple(map(show_stack, stacks)),
        tuple(show_arrow(step) for step in steps if step.tiles),
    )


def _write_colour(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _list_cards(stacks: Iterable[CardStack]) -> Iterator[tuple[str, str]]:
    return ((stack.place, name) for stack in stacks for name in stack.cards)


def _describe_last(history: History | None, language: Language) -> LastMove | None:
    """Say who moved last, and what was done; nobody where the position was set by hand."""
    if history is None or not history.past:
        return None
    step = history.past[-1]
    seat = getattr(step.move, "seat", None)
    who = history.header.players[seat - 1] if seat is not None else None
    return LastMove(who, join_sentences(history.referee.describe(step)).said(language))


def _list_urgent(screen: ScreenState) -> list[str]:
    """Say what must be understood at once, beside whose turn it is: as the panel does from afar."""
    language = screen.language
    if ends_now(screen):
        return [words.FLAG_STEP.said(language)]
    said = [list_last_turn(screen)[0]] if is_last_turn(screen) else []
    if screen.to_move and (hint := words.far_hint(language, screen.mood)):
        said.append(hint)
    elif isinstance(screen, PlayScreen | TableScreen) and screen.brief:
        said.append(screen.brief)
    if not (said or screen.headline or screen.details) and screen.mood is Mood.WAITING and screen.to_move:
        said.append(words.WAITING_HINT.said(language))
    return said


def as_json(value: Any, pictures: dict[str, Any]) -> Any:
    """Return a screen's fields to JSON; a picture goes to ``pictures``, its key and size stand in its place.

    Codes that let phones in are left out.
    """
    if isinstance(value, QrCode):
        return None
    if isinstance(value, Thumbnail):
        key = blake2b(value.rgb, digest_size=8).hexdigest()
        pictures[key] = {"size": list(value.size), "rgb": b64encode(value.rgb).decode("ascii")}
        return {"key": key, "width": value.size[0], "height": value.size[1]}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: as_json(getattr(value, one.name), pictures) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Language):
        return value.code
    if isinstance(value, Mapping):
        return {str(key): as_json(one, pictures) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one, pictures) for one in value]
    return value
