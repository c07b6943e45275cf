"""What can be chosen when a game begins: decks, names, what the game asks; for the display's menus and for phones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal, Kept
from referee.game import CardSet, HousePapers, paper_faces
from referee.registry import load_papers, load_referees
from rules.game import GameOption, Rules
from rules.parsing import BadRecordError
from rules.plain import name_key
from rules.text import Text
from ui.setting_up.names import name_fault

CONTEST = "contest"
"""The answer to an option that a contest is to settle at the table."""
_LATELY = 20
"""The names of so many games are offered again."""


def known_decks(shelf: DeckShelf, usual: str) -> Sequence[str]:
    """List the decks on the shelf; the ``usual`` one alone where it is among them."""
    names = shelf.list_names()
    return [usual] if usual in (*names, *shelf.ready) else names


def fitting_decks(
    known: Iterable[str], ready: Collection[str], faces: Callable[[str], frozenset[str]], cards: CardSet
) -> tuple[str, ...]:
    """Return the decks that have these cards: the only one that was learnt, else all of them.

    ``ready`` are those that nobody has to learn, ``faces`` gives the faces of one.
    """
    every = {deck: faces(deck) for deck in (*known, *ready)}
    # What is wrong with a deck that can't be loaded is said when it is.
    fitting = tuple(deck for deck, has in every.items() if not has or has.issuperset(cards.faces))
    learnt = tuple(deck for deck in fitting if deck not in ready)
    return learnt if len(learnt) == 1 else fitting


def known_names(journal: Journal, names: Iterable[str]) -> tuple[str, ...]:
    """List the names to choose from that the display can show: those of the last games, then ``names``.

    Raises:
        DeviceError: the journal can't be read.
    """
    return tuple(name for name in names_once(journal.list_latest(_LATELY), names) if name_fault(name) is None)


def names_once(lately: Iterable[Kept], names: Iterable[str]) -> list[str]:
    """List the names of those who have played lately, then ``names``, each as it was written last."""
    every: dict[str, str] = {}
    for name in (*(name for kept in lately for name in kept.opening.players), *names):
        every.setdefault(name_key(name), name)
    return list(every.values())


def asked_options(rules: Rules) -> tuple[GameOption, ...]:
    """List what a game asks before it begins: what has to be answered, and that of which any number may be chosen."""
    return tuple(option for option in rules.options if not option.optional or option.several)


def papers_to_choose(option: GameOption, faces: Iterable[str], given: Sequence[str]) -> list[tuple[str, Text]]:
    """Papers of the house by name, those that the deck knows first: what is offered, known or chosen."""
    offered = dict(option.values(()))
    for face in (*faces, *(f"{name}/" for name in given)):
        name, paper, _ = face.partition("/")
        if paper and name not in offered and name not in list(load_papers()):
            with suppress(KeyError):
                made = load_papers()[name]
                worth = Text("({points} p., {copies}×)", points=made.points, copies=made.copies)
                offered[name] = Text("{paper} {worth}", paper=made, worth=worth)
    known = set(faces)
    return sorted(offered.items(), key=lambda one: not known.issuperset(paper_faces(load_papers()[one[0]])))


def go_together(option: GameOption, one: str, other: str) -> bool:
    """Tell whether two papers may be played in one game: two that take the same may not."""
    try:
        option.check([one, other], ())
    except BadRecordError:
        return False
    return True


def find_paper_maker() -> tuple[HousePapers, GameOption] | None:
    """Find the game at whose table papers of the house are played, and the option that asks which, if there is one."""
    for one in load_referees().values():
        if isinstance(one, HousePapers):
            return one, next(option for option in one.rules.options if option.key == one.house_key)
    return None
