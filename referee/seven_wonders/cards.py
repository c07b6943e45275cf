"""The cards of Seven Wonders as the reader has to know them: 78 faces, three backs, and the four pages that teach them.

Source: ``games/seven_wonders.md``, section Learning. A face is read by its id in the cards file, a back by its age.
"""

from __future__ import annotations

from referee.game import CardSet, GridPage
from referee.seven_wonders.printed import printed_faces
from rules.seven_wonders.cards import AGES, BUILDINGS, FEWEST, MOST, Building
from rules.text import Text

SIZE_MM = (65.0, 100.0)
BACKS = {f"back{age}": age for age in AGES}
"""The names of the backs, and their ages."""
GUILDS = "guilds"


def back_of(age: int) -> str:
    """Return the name of a face-down card of an age."""
    return f"back{age}"


def back_words(name: str) -> Text:
    """Name a face-down card within a sentence."""
    return Text("a face-down card of age {age}", age=BACKS[name])


def count_copies(players: int) -> dict[str, int]:
    """Return how many of each face can be in play with that many players."""
    return {face.id: face.in_play(players) for face in BUILDINGS}


def _make_page(name: str, title: Text, called: Text, faces: tuple[Building, ...], *backs: str) -> GridPage:
    words = {face.id: face.text for face in faces} | {back: back_words(back) for back in backs}
    return GridPage(name, title, called, words, 7, 4, (100.0, 112.0))


def _make_pages() -> tuple[GridPage, ...]:
    ages = [
        _make_page(
            f"age{age}",
            Text("the cards of age {age}, and one of them face down", age=age),
            Text("page of age {age}", age=age),
            tuple(face for face in BUILDINGS if face.age == age and not face.is_guild),
            back_of(age),
        )
        for age in AGES
    ]
    guilds = tuple(face for face in BUILDINGS if face.is_guild)
    return (*ages, _make_page(GUILDS, Text("the guilds"), Text("page of the guilds"), guilds))


def _most_copies() -> dict[str, int]:
    """Return, of each face as many as may lie on the table; of
    backs as many as are dealt, and the pile of an age before.
    """
    faces = {face.id: max(face.in_play(players) for players in range(FEWEST, MOST + 1)) for face in BUILDINGS}
    return faces | {back_of(age): 7 * MOST for age in AGES}


def _find_alike() -> tuple[tuple[str, ...], ...]:
    """Return faces of one name in two ages, which may be printed alike."""
    second = [face for face in BUILDINGS if face.name != face.id]
    return tuple((face.name, face.id) for face in second)


PAGES = _make_pages()
CARDS = CardSet(
    faces=tuple(face.id for face in BUILDINGS),
    backs=tuple(BACKS),
    pages=tuple(page.name for page in PAGES),
    copies=_most_copies(),
    size_mm=SIZE_MM,
    grids=PAGES,
    alike=_find_alike(),
    printed=printed_faces(),
    by_players={players: count_copies(players) for players in range(FEWEST, MOST + 1)},
)
