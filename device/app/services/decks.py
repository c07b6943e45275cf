"""The decks that can be played with, and how one is learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.app.choices import fitting_decks, known_decks
from device.app.equipment import OpenLearner
from device.app.navigator import Navigator
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.storage.deck_store import DeckShelf
from referee.game import CardSet
from rules.text import Text
from vision.identify.deck import Deck


class Decks:
    """The decks on the shelf."""

    def __init__(
        self,
        shelf: DeckShelf,
        open_learner: OpenLearner,
        settings: CurrentSettings,
        sight: Sight,
        navigator: Navigator,
    ) -> None:
        self._shelf, self._open_learner = shelf, open_learner
        self._settings, self._sight, self._navigator = settings, sight, navigator

    def known(self) -> Sequence[str]:
        """The decks on the shelf; the one of the settings alone where it is among them."""
        return known_decks(self._shelf, self._settings.deck)

    @property
    def ready(self) -> Sequence[str]:
        """The decks that nobody has to learn."""
        return self._shelf.ready

    def faces(self, deck: str) -> frozenset[str]:
        """The names of all faces that a deck was learnt with."""
        return self._shelf.faces(deck)

    def fitting(self, cards: CardSet) -> tuple[str, ...]:
        """The decks that have these cards: the only one that was learnt, else all of them."""
        return fitting_decks(self.known(), self.ready, self.faces, cards)

    def learn(self, name: str, pages: tuple[str, ...], left: Callable[[], None] | None = None) -> None:
        """Learn a deck from these pages and keep it under this name; ``left`` comes after it, or the first menu."""
        from device.enrol.learning import Learning, LearningPlan  # what learning needs is loaded when a deck is learnt

        self._shelf.path(name)
        navigator, mat_mm = self._navigator, self._settings.mat_mm

        def keep(deck: Deck) -> Text:
            navigator.busy(Text("The deck is being saved…"))
            self._shelf.save(name, deck)
            return Text("The deck {name!r} is known now.", name=name)

        def use_mat(measured_mm: tuple[float, float]) -> None:
            self._settings.use_mat(measured_mm)
            self.learn(name, pages, left)

        plan = LearningPlan(keep, left or navigator.home, mat_mm, use_mat, pages)
        open_learner = partial(self._open_learner, name, mat_mm, pages)
        navigator.enter(Learning(open_learner, self._sight.lookout, self._settings.language, plan))
