"""All services at once, as the menus have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.app.navigator import Navigator
from device.app.services.decks import Decks
from device.app.services.games import Games
from device.app.services.scores import Scores
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from referee.menu import Menu, Option


@dataclass(frozen=True)
class Services:
    """What the menus choose among, and what they have done; ``switch_off`` is there where the menu may do that.

    ``phone_menu`` is there where phones can be let in, ``hall_option`` where a hall can be joined: it makes the line
    that leads there, or nowhere.
    """

    navigator: Navigator
    settings: CurrentSettings
    sight: Sight
    decks: Decks
    games: Games
    scores: Scores
    phone_menu: Callable[[Menu | None], Menu] | None
    switch_off: Callable[[], None] | None
    hall_option: Callable[[Services, Callable[[], Menu]], Option | None] = lambda services, back: None
