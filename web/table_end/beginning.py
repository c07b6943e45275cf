"""What phones ask of the table before a game: to begin one, or to go on with one that was left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from device.app.activities import IDLE
from device.app.choices import CONTEST, asked_options
from device.app.menus.start import settle
from device.app.plan import Plan
from device.app.playing import Playing
from device.app.services.services import Services
from device.errors import DeviceError
from device.outward import Answer
from device.speech import each_json, from_to
from referee.game import Referee, paper_faces, table_seats
from referee.registry import load_papers, load_referees
from rules.game import GameOption
from rules.parsing import BadRecordError
from rules.plain import name_key, shorten_line
from rules.text import Text, join_names, make_sentence, verbatim
from ui.setting_up.names import name_fault

_CHOOSE = Text("Choose one.")
_TAKEN = Text("Somebody else has that already: choose another one.")
_NO_NAMES = Text("Names are words, one for each player.")
_OCCUPIED = Text("The table is busy with a deck or a score: leave that, which drops it, or wait.")


def make_answers(services: Services) -> dict[str, Answer]:
    """Return what the table answers, by what a phone asks for."""
    return {
        "doing": partial(_doing, services),
        "begin": partial(_begin, services),
        "resume": partial(_resume, services),
    }


def _doing(services: Services, _: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say what the table is doing: the game that is shown, and why nothing else should begin now; and what of its
    settings is offered: names, the usual deck, and whether games teach themselves."""
    activity, lost = services.navigator.activity, _would_interrupt(services)
    return {
        "game": activity.number if isinstance(activity, Playing) else None,
        "busy": each_json(lost) if lost is not None else None,
        "contests": services.sight.can_read_cards,
        "names": list(services.settings.names),
        "deck": services.settings.deck,
        "teach": services.settings.teach,
    }


def _begin(services: Services, wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """Begin a game, and say whether it asks for ``aiming`` first; or say by field what keeps it from beginning."""
    plan, faults = planned(services, wish)
    teach = wish.get("teach")
    if teach is not None and type(teach) is not bool:
        faults["teach"] = Text("Say true or false: whether the game teaches itself.")
    if (lost := _would_interrupt(services)) is not None and wish.get("leave") is not True:
        faults["leave"] = lost
    if plan is None or faults:
        return {"faults": {field: each_json(words) for field, words in faults.items()}}
    if type(teach) is bool and teach is not services.settings.teach:
        services.settings.keep("game.teach", teach)
    answered = {key: value for key, value in plan.options.items() if value != CONTEST}
    settled = len(answered) == len(plan.options)
    begin = services.games.begin if settled else partial(settle, services)
    _lead_to(services, partial(begin, replace(plan, options=answered)))
    return {"aiming": settled}


def _resume(services: Services, wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """Go on with a game of the journal, unless another one is played that nobody has said to leave."""
    number = wish.get("number")
    if type(number) is not int:
        raise DeviceError(Text("Say which game shall go on, by its number."))
    services.games.check_can_go_on(number)
    activity = services.navigator.activity
    if isinstance(activity, Playing) and activity.number == number:
        return {}
    if (lost := _would_interrupt(services)) is not None and wish.get("leave") is not True:
        return {"faults": {"leave": each_json(lost)}}
    _lead_to(services, partial(services.games.resume, number))
    return {}


def _would_interrupt(services: Services) -> Text | None:
    """Why something else should not begin at the table now; ``None`` where nothing would be left."""
    activity = services.navigator.activity
    if activity is None or isinstance(activity, IDLE):
        return None
    if isinstance(activity, Playing):
        if activity.session.over:
            return None
        names = join_names(map(verbatim, activity.session.position.players))
        return Text(
            "A game is being played by {names}: leave it, which keeps it to be gone on with, or let them finish.",
            names=names,
        )
    # Whatever looks through the camera is loaded already.
    from device.app.contesting import Contesting
    from device.app.sighting import Aiming

    return None if isinstance(activity, (Aiming, Contesting)) else _OCCUPIED


def _lead_to(services: Services, act: Callable[[], None]) -> None:
    """Leave what is at the table for something else, once the phone has its answer."""

    def lead() -> None:
        if not isinstance(services.navigator.activity, IDLE):
            services.navigator.go_home()
        act()

    services.navigator.promise(lead)


# --- what is wished for


def planned(services: Services, wish: Mapping[str, Any]) -> tuple[Plan | None, dict[str, Text]]:
    """Plan the game that is wished for, and say by field what is wrong with it; with something wrong there is no game.

    ``wish`` has ``game``, ``players`` (empty: called by their seats), ``deck`` (empty: the only one that fits) and
    ``options``. Fields are called so, and ``player.0``, ``option.KEY`` and ``option.KEY.0`` where one is wrong.
    """
    game, options = wish.get("game"), wish.get("options") or {}
    referee = load_referees().get(game) if isinstance(game, str) else None
    if referee is None or not isinstance(options, Mapping):
        return None, {"game": Text("Choose one of the games.")}
    faults: dict[str, Text] = {}
    players = _players(services, referee, wish.get("players"), faults)
    deck = _deck(services, referee, wish.get("deck") or "", faults)
    given: dict[str, Any] = {}
    known = {option.key: option for option in asked_options(referee.rules)}
    for key in options.keys() - known.keys():
        faults["options"] = Text("{title} asks for no {key}.", title=referee.rules.title, key=shorten_line(str(key)))
    for key, option in known.items():
        value = options.get(key)
        if option.several:
            _several(services, option, value, deck, given, faults)
        elif option.each_seat:
            _each_seat(option, value, players, given, faults)
        elif value == CONTEST and option.contest is not None and services.sight.can_read_cards:
            given[key] = CONTEST
        else:
            _single(option, value, players, given, faults)
    return (None if faults else Plan(referee.rules.name, players, given, deck)), faults


def _players(services: Services, referee: Referee, told: Any, faults: dict[str, Text]) -> tuple[str, ...]:
    if not isinstance(told, list) or not all(isinstance(name, str) for name in told):
        faults["players"] = _NO_NAMES
        return ()
    seats = table_seats(referee)
    if len(told) not in seats:
        faults["players"] = Text(
            "{title} is played by {how_many} players, not {seats}.",
            title=referee.rules.title,
            how_many=from_to(min(seats), max(seats)),
            seats=len(told),
        )
        return ()
    language = services.settings.language
    players: list[str] = []
    for seat, name in enumerate(map(str.strip, told)):
        called = name or Text("Player {seat}", seat=seat + 1).said(language)
        fault = name_fault(called)
        if fault is None and name_key(called) in map(name_key, players):
            fault = Text("{name} sits at the table already.", name=called)
        if fault is not None:
            faults[f"player.{seat}"] = fault
        players.append(called)
    return tuple(players)


def _deck(services: Services, referee: Referee, told: Any, faults: dict[str, Text]) -> str:
    title = referee.rules.title
    fitting = services.decks.find_fitting(referee.cards)
    if told in fitting:
        return str(told)
    if not fitting:
        faults["deck"] = Text("No deck is known with the cards of {title}: learn one first.", title=title)
    elif told:
        name = shorten_line(str(told))
        known = told in (*services.decks.list_known(), *services.decks.ready)
        if known and not services.decks.list_faces(told).issuperset(referee.cards.faces):
            faults["deck"] = Text(
                "The deck {name!r} lacks cards of {title}: choose another one.", name=name, title=title
            )
        elif known:
            return str(told)
        else:
            faults["deck"] = Text("There is no deck {name!r}: choose one that is known.", name=name)
    elif len(fitting) > 1:
        faults["deck"] = Text("Say which deck lies on the table.")
    return fitting[0] if fitting else ""


def _single(
    option: GameOption, value: Any, players: Sequence[str], given: dict[str, Any], faults: dict[str, Text]
) -> None:
    if value is None:
        faults[f"option.{option.key}"] = _CHOOSE
        return
    try:
        if players:
            option.check(value, players)
    except BadRecordError as error:
        faults[f"option.{option.key}"] = make_sentence(error.text)
    given[option.key] = value


def _each_seat(
    option: GameOption, value: Any, players: Sequence[str], given: dict[str, Any], faults: dict[str, Text]
) -> None:
    values = value if isinstance(value, list) else []
    before, offered = len(faults), [one for one, _ in option.values(players)]
    for seat in range(len(players)):
        field = f"option.{option.key}.{seat}"
        if seat >= len(values) or values[seat] not in offered:
            faults[field] = _CHOOSE
        elif option.taken is not None and option.taken(values[seat], [one for one in values[:seat] if one in offered]):
            faults[field] = _TAKEN
    if len(faults) == before and players:
        try:
            option.check(values, players)
        except BadRecordError as error:
            faults[f"option.{option.key}"] = make_sentence(error.text)
    given[option.key] = values


def _several(
    services: Services, option: GameOption, value: Any, deck: str, given: dict[str, Any], faults: dict[str, Text]
) -> None:
    if not value:
        return
    field = f"option.{option.key}"
    try:
        option.check(value, ())
    except BadRecordError as error:
        faults[field] = make_sentence(error.text)
        return
    faces = services.decks.list_faces(deck) if deck else frozenset()
    if unknown := [name for name in value if not faces.issuperset(paper_faces(load_papers()[name]))]:
        paper = load_papers()[unknown[0]]
        faults[field] = Text("The deck doesn't know the paper {paper} yet: learn it first.", paper=paper)
    given[option.key] = value
