"""Games in the middle, ready to be played by presses and looks that a test makes up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.hardware.buttons import Button
from device.session.session import Session
from device.storage.kept import NOTHING_TAUGHT
from referee.registry import load_referees
from referee.table import Detections, Sighting
from rules.record import Header

MAT = (1189.0, 841.0)


class Watched:
    """A camera's loop, a recorder and a journal that say what the test has them say."""

    trouble = None
    looked_s = 0.0
    game = 1
    taught = NOTHING_TAUGHT

    def __init__(self) -> None:
        self.unheard: list[Any] = []

    def take_news(self) -> list[Any]:
        told, self.unheard = self.unheard, []
        return told

    def take_size(self, screen: Any) -> bool:
        return False

    def add_picture(self, screen: Any) -> Any:
        return screen

    def nothing(self, *_: Any, **__: Any) -> None: ...

    start = stop = look_again = follow = press = end = nothing


def auction(passed: int = 0) -> tuple[Session, Any]:
    """Seven Euchre, dealt, after so many passes; the fourth has a card turned up. With the last look."""
    referee = load_referees()["seven_euchre"]
    layout = referee.make_layout(4, MAT)

    def look(card: str, x: float) -> Any:
        return referee.observe(Detections((Sighting(card, x * MAT[0], 0.5 * MAT[1], 0.0),), ()), layout)

    seen = look("back", 0.5)
    session = Session(referee, Header("seven_euchre", ("N", "E", "S", "W"), {"dealer": 4, "target": 77}), layout)
    session.see(seen)
    session.press(Button.CONFIRM)
    for before in range(passed):
        session.tell({"seat": before % 4 + 1, "do": "pass"})
        if before == 3:
            session.see(seen := look("H4", 0.3))
    return session, seen


def turn(laid: Sequence[tuple[int, str]] = ()) -> tuple[Session, Any]:
    """Wild Seven after everybody's first card, with what lies before the seats since. With the look that shows it."""
    referee = load_referees()["wild_seven"]
    layout = referee.make_layout(3, MAT)
    left, low, _, high = layout.zone_rect(layout.zones[0])
    session = Session(referee, Header("wild_seven", ("A", "B", "C"), {}), layout)

    def look(wanted: Sequence[str], front: Sequence[tuple[int, str]]) -> Any:
        seen = [Sighting(card, left + 60 + 60 * n, (low + high) / 2, 0.0) for n, card in enumerate(wanted)]
        for seat, card in front:
            x1, y1, x2, y2 = layout.seat_rect(seat)
            seen.append(Sighting(card, (x1 + x2) / 2, (y1 + y2) / 2, 0.0))
        return referee.observe(Detections(tuple(seen), ()), layout)

    session.confirm(look(("H2", "O3"), ()))
    session.confirm(look(("H2", "O3"), ((1, "H3"), (2, "O4"), (3, "B5"))))
    session.see(look(("H2", "O3", "H3", "O4", "B5"), ()))
    return session, look(("H2", "O3", "H3", "O4", "B5"), laid)
