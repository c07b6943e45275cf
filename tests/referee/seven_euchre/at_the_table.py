"""A table of Seven Euchre for tests: cards laid by hand in millimetres, and a session that looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.seven_euchre.referee import REFEREE
from referee.seven_euchre.state import EuchreState
from referee.table import Detections, Sighting, Unread
from referee.verdict import Accepted, Refused, Verdict
from rules.cards import Card
from rules.record import Header
from rules.seven_euchre.position import Position
from rules.text import Language
from ui.screen_state import ScreenState

PLAYERS = ("Ada", "Emmy", "Sofia", "Mary")
BACK = "back"


def c(name: str) -> Card:
    return Card.parse(name)


def spoken(screen: ScreenState) -> str:
    """Every word on a screen."""
    lines = [line.shown for line in screen.players]
    return "\n".join([screen.headline, *screen.details, *screen.put_back, *screen.choices, *lines])


@dataclass
class Table:
    """Cards by place; each look jitters them."""

    language: Language = Language.EN
    mat: tuple[float, float] = REFERENCE_MAT_MM
    dealer: int = 1
    target: int = 77
    cards: dict[str, list[str]] = field(default_factory=dict)
    kept: list[Entry] = field(default_factory=list)
    chance: Random = field(default_factory=lambda: Random(1))
    nudged: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.layout = REFEREE.make_layout(4, self.mat)
        self.header = Header("seven_euchre", PLAYERS, {"dealer": self.dealer, "target": self.target})
        self.session = Session(REFEREE, self.header, self.layout, self.language, self.kept.append)

    # Hands

    def lay(self, place: str, *names: str) -> None:
        self.cards.setdefault(place, []).extend(names)

    def take(self, place: str, *names: str) -> None:
        for name in names or tuple(self.cards[place]):
            self.cards[place].remove(name)

    def move(self, name: str, source: str, target: str) -> None:
        self.take(source, name)
        self.lay(target, name)

    def take_trick(self) -> None:
        for seat in range(1, 5):
            self.cards[f"trick:{seat}"] = []

    def gather(self, seat: int) -> None:
        """Gather the trick to a packet in that seat's area."""
        self.take_trick()
        self.lay(f"seat:{seat}", BACK)

    # Looks

    def sightings(self) -> Iterator[Sighting]:
        spread = self.chance.uniform
        for place, names in self.cards.items():
            for number, name in enumerate(names):
                x, y = self.spot(place, number)
                yield Sighting(name, x + spread(-3, 3), y + spread(-3, 3), spread(-4, 4))

    def spot(self, place: str, number: int = 0) -> tuple[float, float]:
        spot, _, seat = place.partition(":")
        if place == "table":
            return 90.0 + 70 * number, self.mat[1] / 2
        if spot == "seat":
            x0, y0, _, y1 = self.layout.seat_rect(int(seat))
            return x0 + 45 + 25 * number, (y1 - 80 if self.layout.faces_down(int(seat)) else y0 + 90)
        x, y = self.layout.locate_spot(place)
        dx, dy = self.nudged.get(place, (0.0, 0.0))
        return x + 20 * number + dx, y + dy

    def view(self, *unread: Unread) -> Any:
        return REFEREE.observe(Detections(tuple(self.sightings()), unread), self.layout)

    def see(self, *unread: Unread) -> list[Any]:
        """Return what settled or was found wrong: a record's line, or a refusal's codes."""
        settled = self.session.see(self.view(*unread))
        assert self.session.make_screen().players
        return [said(verdict) for verdict in settled]

    def unread(self, place: str, *candidates: str, number: int = 0) -> Unread:
        x, y = self.spot(place, number)
        return Unread(x, y, 0.0, "glare", candidates)

    def verdict(self, *unread: Unread) -> Verdict:
        """Return what a look would give, with nothing confirmed by it."""
        return REFEREE.judge(self.session.agreed, self.view(*unread), self.layout)

    def confirm(self) -> Any:
        return self.session.confirm(self.view())

    # Calls

    def tell(self, seat: int, bid: str = "") -> Any:
        """Enter a bid such as ``C8`` or ``NT12``, a number in the second auction, or a pass."""
        line: dict[str, Any] = {"seat": seat, "do": "pass"}
        if bid:
            trump = bid.rstrip("0123456789")
            line = {"seat": seat, "do": "bid", "tricks": int(bid.removeprefix(trump))}
            line |= {"trump": trump} if trump else {}
        return said(self.session.tell(line))

    def auction(self, *calls: str) -> None:
        """Make calls from the seat to call on, an empty one for a pass."""
        for call in calls:
            seat = self.position.to_move
            assert seat is not None
            assert isinstance(self.tell(seat, call), dict)

    @property
    def position(self) -> Position:
        position: Position = self.session.position
        return position

    @property
    def agreed(self) -> EuchreState:
        state: EuchreState = self.session.agreed
        return state

    def resumed(self) -> Session:
        """Return the session after a power cut."""
        entries = [Entry.from_json(one.to_json()) for one in self.kept]
        return Session.resume(self.header, entries, self.layout)

    @property
    def words(self) -> str:
        return spoken(self.session.make_screen())


def said(verdict: Verdict) -> Any:
    if isinstance(verdict, Accepted) and verdict.move is not None:
        return verdict.move.to_json()
    assert isinstance(verdict, Refused), verdict
    return (verdict.refusal.code, *verdict.refusal.also)


def steps(verdict: Any) -> list[tuple[str, str, str]]:
    return [(mend.item, mend.source, mend.target) for mend in verdict.mend]


def play(seat: int, card: str) -> dict[str, Any]:
    return {"seat": seat, "do": "play", "card": card}


def dealt(**more: Any) -> Table:
    """Ada has dealt; Emmy is to call."""
    table = Table(**more)
    table.lay("middle", BACK)
    assert said(table.confirm()) == {"do": "deal"}
    return table


def exchanging(bid: str = "C8", **more: Any) -> Table:
    """Emmy is declarer and is to exchange."""
    table = dealt(**more)
    table.auction(bid, "", "", "")
    return table


def playing(bid: str = "C8", **more: Any) -> Table:
    """Emmy has exchanged and leads."""
    table = exchanging(bid, **more)
    table.take("middle")
    table.lay("aside", BACK)
    assert table.see() == [{"seat": 2, "do": "exchange"}]
    return table


def trick(table: Table, *cards: str) -> None:
    """Play a whole trick from the seat to lead on."""
    seat = table.position.to_move
    assert seat is not None
    for name in cards:
        table.lay(f"trick:{seat}", name)
        assert table.see() == [play(seat, name)]
        seat = seat % 4 + 1
