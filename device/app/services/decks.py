"""The decks that can be played with, and how one is learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.app.equipment import OpenLearner
from device.app.navigator import ONE_MOMENT, Navigator
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.storage.deck_store import DeckShelf
from referee.game import CardSet
from rules.text import Text
from vision.identify.deck import Deck


class Decks:
    """The decks on the shelf; ``usual`` is the one of the settings, empty where it is asked each time."""

    def __init__(
        self,
        shelf: DeckShelf,
        usual: str,
        open_learner: OpenLearner,
        settings: CurrentSettings,
        sight: Sight,
        navigator: Navigator,
    ) -> None:
        self._shelf, self._usual, self._open_learner = shelf, usual, open_learner
        self._settings, self._sight, self._navigator = settings, sight, navigator

    def known(self) -> Sequence[str]:
        """The decks on the shelf; the one of the settings alone where it is among them."""
        names = self._shelf.names()
        return [self._usual] if self._usual in (*names, *self._shelf.ready) else names

    @property
    def ready(self) -> Sequence[str]:
        """The decks that nobody has to learn."""
        return self._shelf.ready

    def faces(self, deck: str) -> frozenset[str]:
        """The names of all faces that a deck was learnt with."""
        self._navigator.busy(ONE_MOMENT)
        return self._shelf.faces(deck)

    def fitting(self, cards: CardSet) -> tuple[str, ...]:
        """The decks that have these cards: the only one that was learnt, else all of them."""
        known = {deck: self.faces(deck) for deck in (*self.known(), *self.ready)}
        # What is wrong with a deck that can't be loaded is said when it is.
        fitting = tuple(deck for deck, faces in known.items() if not faces or faces.issuperset(cards.faces))
        learnt = tuple(deck for deck in fitting if deck not in self.ready)
        return learnt if len(learnt) == 1 else fitting

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
