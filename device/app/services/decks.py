"""The decks that can be played with, and how one is learnt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

from device.app.choices import fitting_decks, known_decks
from device.app.equipment import OpenLearner
from device.app.navigator import Navigator
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.errors import DeviceError
from device.speech import each_json
from device.storage.deck_store import DeckShelf
from referee.game import CardSet
from referee.registry import load_referees
from rules.text import Text, join_row
from vision.identify.deck import Deck

if TYPE_CHECKING:
    from device.enrol.learning import Learning

NAME_TAKEN = Text("There is a deck {name!r} already: give another name, or learn that one once more.", name="")


@dataclass(frozen=True)
class DeckKind:
    """What a deck may be learnt as: from which pages, and for which games."""

    pages: tuple[str, ...]
    words: Text


def deck_kinds() -> tuple[DeckKind, ...]:
    """List every kind of deck that some game asks for: SEVEN cards with the most pages first, other cards last."""
    sets = [one.cards for one in load_referees().values()]
    own = {cards.pages for cards in sets if cards.grids}
    kinds = sorted(dict.fromkeys(cards.pages for cards in sets), key=lambda pages: (pages in own, -len(pages)))
    return tuple(DeckKind(pages, _games_with(pages)) for pages in kinds)


def _games_with(pages: tuple[str, ...]) -> Text:
    """Name the games that can be played with a deck learnt from these pages, and how many pages that takes."""
    known = {face for one in load_referees().values() if one.cards.pages == pages for face in one.cards.faces}
    playable = join_row(one.rules.title for one in load_referees().values() if known.issuperset(one.cards.faces))
    return Text("{games}: {pages} pages", games=playable, pages=len(pages))


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
        # Once it is left nothing of it stays in memory.
        self._begun_last: Callable[[], Learning | None] = lambda: None
        navigator.answers |= {
            "learn": self._describe_learning,
            "learn.begin": self._begin_learning,
            "learn.cards": self._describe_cards,
            "learn.look": lambda data: self._do_learning("look", data, lambda learning: learning.look_again()),
            "learn.insist": lambda data: self._do_learning("insist", data, lambda learning: learning.insist()),
            "learn.back": lambda data: self._do_learning("back", data, lambda learning: learning.go_back()),
            "learn.mat": lambda data: self._do_learning("mat", data, lambda learning: learning.take_mat()),
            "learn.keep": lambda data: self._do_learning("keep", data, lambda learning: learning.keep()),
            "learn.anew": lambda data: self._do_learning(
                "anew", data, lambda learning: learning.learn_anew(data["page"])
            ),
            "learn.swap": lambda data: self._do_learning(
                "swap", data, lambda learning: learning.swap_names(data["card"], data["other"])
            ),
            "learn.leave": lambda data: self._do_learning("leave", data, lambda learning: learning.leave()),
        }

    def list_known(self) -> Sequence[str]:
        """List the decks on the shelf; the one of the settings alone where it is among them."""
        return known_decks(self._shelf, self._settings.deck)

    @property
    def ready(self) -> Sequence[str]:
        """The decks that nobody has to learn."""
        return self._shelf.ready

    def list_faces(self, deck: str) -> frozenset[str]:
        """List the names of all faces that a deck was learnt with."""
        return self._shelf.list_faces(deck)

    def find_fitting(self, cards: CardSet) -> tuple[str, ...]:
        """Return the decks that have these cards: the only one that was learnt, else all of them."""
        return fitting_decks(self.list_known(), self.ready, self.list_faces, cards)

    def learn(self, name: str, pages: tuple[str, ...], left: Callable[[], None] | None = None) -> None:
        """Learn a deck from these pages and keep it under this name; ``left`` comes after it, or the first menu."""
        from device.enrol.learning import Learning, LearningPlan  # what learning needs is loaded when a deck is learnt

        self._shelf.get_path(name)
        navigator, mat_mm = self._navigator, self._settings.mat_mm

        def keep(deck: Deck) -> Text:
            navigator.show_busy(Text("The deck is being saved…"))
            self._shelf.save(name, deck)
            return Text("The deck {name!r} is known now.", name=name)

        def use_mat(measured_mm: tuple[float, float]) -> None:
            self._settings.use_mat(measured_mm)
            self.learn(name, pages, left)

        plan = LearningPlan(keep, left or navigator.go_home, mat_mm, use_mat, pages)
        open_learner = partial(self._open_learner, name, mat_mm, pages)
        learning = Learning(open_learner, self._sight.make_lookout, self._settings.language, plan)
        self._begun_last = ref(learning)
        navigator.enter(learning)

    # What phones ask for

    @property
    def _learning(self) -> Learning | None:
        learning = self._begun_last()
        return learning if learning is self._navigator.activity else None

    def _describe_learning(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Tell a phone which deck is being learnt, or can be; send its picture too unless it is the one ``known``."""
        learning = self._learning
        picture = learning.get_picture() if learning is not None else None
        return {
            "busy": self._navigator.occupied if learning is None and not self._sight.only_aims else "",
            "learning": learning.describe_lesson() if learning is not None else None,
            "picture": picture.as_json(data["known"]) if picture is not None else None,
            "decks": list(self.list_known()),
            "kinds": [each_json(kind.words) for kind in deck_kinds()],
        }

    def _begin_learning(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Begin to learn: a new deck of that name, or a known one once more."""
        name, kind = data["name"], deck_kinds()[data["kind"]]
        if data["new"] and name in (*self._shelf.list_names(), *self._shelf.ready):
            raise DeviceError(NAME_TAKEN.refill(name=name))
        if not data["new"] and name not in self.list_known():
            return {"same": False}
        self._shelf.get_path(name)
        self._sight.leave_aiming()
        self._navigator.needs_idle()
        self.learn(name, kind.pages)
        return {}

    def _do_learning(self, what: str, data: Mapping[str, Any], act: Callable[[Learning], None]) -> Mapping[str, Any]:
        """Have something done about the deck, unless what the phone has seen is otherwise by now."""
        learning = self._learning
        if learning is None or data["of"] != learning.asked or not learning.is_allowed(what):
            return {"same": False}
        self._navigator.have_done(lambda: act(learning))
        return {}

    def _describe_cards(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Tell a phone all cards of the deck that was learnt, before it is kept."""
        learning = self._learning
        read_back = learning.read_back if learning is not None else None
        if learning is None or read_back is None or data["of"] != learning.asked:
            return {"same": False}
        return read_back.describe_cards()
