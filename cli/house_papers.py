"""Papers that players made themselves, as commands name them: ``--house-papers straight6_2p3,sum21_1p4``."""

from __future__ import annotations

from collections.abc import Iterator

from device.errors import DeviceError
from referee.game import HousePapers
from referee.papers import MOST_ON_PAGE, PaperCard
from referee.registry import load_papers, load_referees
from rules.plain import quote_value


def list_offered() -> Iterator[PaperCard]:
    """Yield the papers of the house that the menus offer."""
    for one in load_referees().values():
        if isinstance(one, HousePapers):
            for option in one.rules.options:
                if option.key == one.house_key:
                    yield from (one.house_paper(name) for name, _ in option.values(()))


def find_papers(text: str) -> tuple[PaperCard, ...]:
    """Return the papers of the house that a comma-separated list names, each once.

    Raises:
        DeviceError: there is none of such a name, it is a game's own, or they are too many.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    built_in = set(iter(load_papers()))
    for name in names:
        if name in built_in or name not in load_papers():
            raise DeviceError(
                "There is no house paper {name}: 'sevenmat enrol --help' says how they are called.",
                name=quote_value(name),
            )
    if len(names) > MOST_ON_PAGE:
        raise DeviceError(
            "No more than {most_on_page} house papers at once, not {names}.",
            most_on_page=MOST_ON_PAGE,
            names=len(names),
        )
    return tuple(load_papers()[name] for name in names)
