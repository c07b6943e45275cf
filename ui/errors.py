"""The one exception family of this room: faults that can be said to a person in one sentence."""

from rules.text import SaidError


class UiError(SaidError):
    """Something the display needs is missing or wrong; ``text`` is one clear sentence."""
