"""What everybody agrees on, as every game has it."""

from __future__ import annotations

from typing import Any, Protocol


class AgreedState(Protocol):
    """What is agreed: the position, with public information only, and what lies on the table beyond it.

    A value that compares equal to its like and never changes.
    """

    @property
    def position(self) -> Any:
        """The position of the game's rules."""

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON-able data: ``position``, and what lies beyond it."""
