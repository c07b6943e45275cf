"""The menu by which a table calls the director of its hall, and takes that back."""

from __future__ import annotations

from collections.abc import Callable

from device.outward import Director
from referee.menu import Menu, Option
from rules.text import Text

_REASONS = (
    Text("A question about the rules"),
    Text("Something is wrong at the table"),
    Text("Sevenmat does not go on"),
    Text("Something else"),
)


def call_option(hall: Director) -> Option:
    """Make the line of a game's menu."""
    if hall.called:
        return Option(Text("No longer needed"), lambda: hall.take_back())
    return Option(Text("Call the director"), lambda: _ask_why(hall))


def _ask_why(hall: Director) -> Menu:
    """Ask why the director is called; where the hall can't be reached, say that first of all."""

    def make_call(reason: Text) -> Callable[[], None]:
        return lambda: hall.call(reason)

    trouble = hall.find_trouble()
    details = (trouble,) if trouble is not None else ()
    options = [Option(reason, make_call(reason)) for reason in _REASONS]
    return Menu(Text("Why is the director called?"), (*options, Option(Text("Back"), lambda: None)), details)
