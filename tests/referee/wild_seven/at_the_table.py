"""A table of Wild Seven for tests: cards laid by hand in millimetres, and a session that looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.table import Detections, Sighting, Unread
from referee.verdict import Accepted, Verdict
from referee.wild_seven.referee import REFEREE
from rules.record import Header
from rules.text import Language
from rules.wild_seven.position import Position
from ui.screen_state import ScreenState

PLAYERS = ("Ada", "Emmy", "Sofia", "Mary", "Grace")


def spoken(screen: ScreenState) -> str:
    """Every word on a screen."""
    lines = [line.shown for line in screen.players]
    return "\n".join([screen.headline, *screen.details, *screen.put_back, *screen.choices, *lines])


def names_a_card(position: Position, words: str) -> list[str]:
    """Return the captured cards that a text names in either language."""
    captured = [card for seat in range(1, len(position.players) + 1) for card in position.list_captured(seat)]
    # A longer name may hold a shorter one: coin 1 in coin 10.
    words = words.lower()
    return [
        str(card.text)
        for card in captured
        if any(_holds(words, card.text.said(language)) for language in Language.all())
    ]


def _holds(words: str, name: str) -> bool:
    at = words.find(name)
    return at >= 0 and not words[at + len(name) : at + len(name) + 1].isdigit()


@dataclass
class Table:
    """Cards by place; each look jitters them."""

    players: int = 3
    language: Language = Language.EN
    cards: dict[str, list[str]] = field(default_factory=dict)
    kept: list[Entry] = field(default_factory=list)
    chance: Random = field(default_factory=lambda: Random(1))
    watched: bool = True

    def __post_init__(self) -> None:
        names = PLAYERS[: self.players]
        self.layout = REFEREE.make_layout(self.players, REFERENCE_MAT_MM)
        self.session = Session(REFEREE, Header("wild_seven", names), self.layout, self.language, self.kept.append)

    def lay(self, place: str, *names: str) -> None:
        self.cards.setdefault(place, []).extend(names)

    def take(self, *names: str) -> None:
        for name in names:
            next(cards for cards in self.cards.values() if name in cards).remove(name)

    def move(self, name: str, place: str) -> None:
        self.take(name)
        self.lay(place, name)

    def capture(self, name: str, seat: int) -> None:
        """Take a wanted card and lay it face down on the pile."""
        self.take(name)
        if "back" not in self.cards.get(f"seat:{seat}", []):
            self.lay(f"seat:{seat}", "back")

    def sightings(self) -> Iterator[Sighting]:
        spread = self.chance.uniform
        for place, names in self.cards.items():
            for number, name in enumerate(names):
                x, y = self._spot(place, number)
                yield Sighting(name, x + spread(-3, 3), y + spread(-3, 3), spread(-4, 4))

    def _spot(self, place: str, number: int) -> tuple[float, float]:
        if place == "wanted":
            return 350 + 75 * (number % 7), 350 + 24 * (number // 7)
        if place == "table":
            return 150 + 70 * number, 420
        x0, y0, x1, y1 = self.layout.seat_rect(int(place.removeprefix("seat:")))
        return (x0 + x1) / 2 + 80 * number - 60, y0 + 90 if y0 > 100 else y1 - 90

    def see(self, *unread: Unread) -> tuple[object, ...]:
        settled = self.session.see(REFEREE.observe(Detections(tuple(self.sightings()), unread), self.layout))
        self.watch()
        return settled

    def confirm(self, *unread: Unread) -> Verdict:
        self.see(*unread)
        verdict = self.session.press(Button.CONFIRM)
        assert verdict is not None
        self.watch()
        return verdict

    def watch(self) -> ScreenState:
        """Return the screen; check that it names nothing that is captured."""
        shown = self.session.make_screen()
        if self.watched and not self.session.over:
            assert names_a_card(self.session.position, spoken(shown)) == []
        return shown

    @property
    def position(self) -> Position:
        position: Position = self.session.position
        return position


def begun(*revealed: str, wanted: tuple[str, ...] = ("B5", "O8"), **more: object) -> Table:
    """Return a table after the reveal, the revealed cards among the wanted."""
    table = Table(len(revealed), **more)  # type: ignore[arg-type]
    table.lay("wanted", *wanted)
    assert isinstance(table.confirm(), Accepted)
    for seat, card in enumerate(revealed, 1):
        table.lay(f"seat:{seat}", card)
    assert isinstance(table.confirm(), Accepted)
    for card in revealed:
        table.move(card, "wanted")
    table.see()
    assert not table.session.agreed.joining
    return table
