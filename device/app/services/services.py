"""All services at once, as the menus have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.app.navigator import Navigator
from device.app.services.decks import Decks
from device.app.services.games import Games
from device.app.services.phones import Phones
from device.app.services.scores import Scores
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight


@dataclass(frozen=True)
class Services:
    """What the menus choose among, and what they have done; ``switch_off`` is there where the menu may do that.

    ``phones`` are there where there can be a page.
    """

    navigator: Navigator
    settings: CurrentSettings
    sight: Sight
    decks: Decks
    games: Games
    scores: Scores
    phones: Phones | None
    switch_off: Callable[[], None] | None
