"""How many play and who sits where: names are chosen, or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.app.services.services import Services
from referee.menu import Menu, Option
from rules.plain import name_key
from rules.text import Text, verbatim

HOW_MANY = Text("How many play?")


def players_words(number: int) -> Text:
    """Write a number of players as a menu's line."""
    return Text("{number} players", number=number)


def who_sits(
    services: Services,
    players: int,
    then: Callable[[tuple[str, ...]], Menu | None],
    back: Menu | None,
    chosen: tuple[str, ...] = (),
    known: Sequence[str] = (),
) -> Menu | None:
    """Ask who sits at the next seat; ``then`` gets all names, ``back`` is the menu before the first one.

    ``known`` are the names to choose from, looked up where they are not.
    """
    known = known or services.games.known_names()
    seat = len(chosen) + 1
    if seat > players:
        return then(chosen)
    called = Text("Player {seat}", seat=seat)
    own = called.said(services.settings.language)
    asked = Text("Who sits at seat {seat}?", seat=seat)

    def chosen_too(name: str) -> Menu | None:
        return who_sits(services, players, then, back, (*chosen, name), known)

    def write() -> None:
        services.navigator.write_name(asked, chosen, chosen_too, who_sits(services, players, then, back, chosen, known))

    sitting = set(map(name_key, (*chosen, own)))
    names = [name for name in known if name_key(name) not in sitting]
    options = [
        *(Option(verbatim(name), partial(chosen_too, name)) for name in names),
        Option(Text("Write a name"), write),
    ]
    if (phone_menu := services.phone_menu) is not None and not chosen:
        options.append(Option(Text("Type the names on a phone"), lambda: phone_menu(back)))
    options.append(Option(called, partial(chosen_too, own)))
    parent = who_sits(services, players, then, back, chosen[:-1], known) if chosen else back
    return Menu(asked, tuple(options), parent=parent)
