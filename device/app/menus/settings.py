"""What can be set on the display: each line of the menu says what holds now, and leads to what else it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from device.app.services.settings import CurrentSettings
from device.hardware.display import ROTATIONS
from device.speech import Language, own_name
from referee.layout import REFERENCE_MAT_MM
from referee.menu import Menu, Option
from rules.text import Text, verbatim
from ui.teaching.lesson import TEACH

BRIGHTNESS = (100, 80, 60, 40, 20)
DIM_AFTER_MIN = (0, 2, 5, 10, 30)
MATS_MM = (REFERENCE_MAT_MM, (841.0, 594.0), (900.0, 600.0), (1200.0, 800.0))
"""A0, A1 and two usual cloths; any other size is measured or changed step by step."""
MARKERS_MM = (50.0, 40.0, 60.0, 80.0, 100.0)
_STEPS_MM = (100, 10, 1, -1, -10, -100)


_THEMES = {"dark": Text("dark"), "light": Text("light")}
ON, OFF = Text("on"), Text("off")


def settings_menu(
    settings: CurrentSettings,
    measure: Callable[[], None],
    parent: Menu,
    chosen: int = 0,
    hall: Callable[[Callable[[], Menu]], Option | None] = lambda back: None,
) -> Menu:
    """List all that can be set, with its present values; ``measure`` has the mat measured.

    ``hall`` makes the line by which a hall is joined or left, where that can be.
    """
    now = settings.get_all()
    again = partial(settings_menu, settings, measure, parent, hall=hall)
    options: list[Option] = []

    def add_line(title: Text, value: Text, key: str, choices: Sequence[tuple[Any, Text]]) -> None:
        take = partial(_choose, settings, title, key, value, choices, partial(again, len(options)))
        options.append(Option(_add_value(title, value), take))

    add_line(
        Text("Language"),
        own_name(settings.language),
        "language",
        [(language.code, own_name(language)) for language in Language.all()],
    )
    sounds = now.signals.sounds
    options.append(
        Option(
            _add_value(Text("Sound"), ON if sounds else OFF),
            partial(_put, settings, "signals.sounds", not sounds, partial(again, len(options))),
        )
    )
    hints = now.game.hints
    options.append(
        Option(
            _add_value(Text("Hints in the help"), ON if hints else OFF),
            partial(_put, settings, "game.hints", not hints, partial(again, len(options))),
        )
    )
    teach = now.game.teach
    options.append(
        Option(
            _add_value(TEACH, ON if teach else OFF),
            partial(_put, settings, "game.teach", not teach, partial(again, len(options))),
        )
    )
    if settings.can_shine:
        percents = [(percent, _write_percent(percent)) for percent in BRIGHTNESS]
        add_line(Text("Brightness"), _write_percent(now.display.brightness), "display.brightness", percents)
        minutes = [(after, _write_minutes(after)) for after in DIM_AFTER_MIN]
        add_line(Text("Dim after"), _write_minutes(now.display.dim_after_min), "display.dim_after_min", minutes)
    if settings.can_turn:
        turns = [(turn, _write_degrees(turn)) for turn in ROTATIONS]
        add_line(Text("Colours"), _THEMES[now.display.theme], "display.theme", tuple(_THEMES.items()))
        shown = now.display
        add_line(Text("Screen turned by"), _write_degrees(shown.rotation), "display.rotation", turns)
        add_line(Text("Small map turned by"), _write_degrees(shown.map_rotation), "display.map_rotation", turns)
    options.append(
        Option(
            _add_value(Text("Mat"), _write_size(now.table.mat_mm)),
            partial(_ask_mat, settings, measure, partial(again, len(options))),
        )
    )
    marker = now.table.marker_mm
    sides = [(side, _write_mm(side)) for side in MARKERS_MM]
    add_line(Text("Markers"), _write_mm(marker), "table.marker_mm", sides)
    if (join := hall(partial(again, len(options)))) is not None:
        options.append(join)
    return Menu(Text("Settings"), tuple(options), chosen=chosen, parent=parent)


def _choose(
    settings: CurrentSettings,
    title: Text,
    key: str,
    now: Text,
    choices: Sequence[tuple[Any, Text]],
    back: Callable[[], Menu],
) -> Menu:
    """Offer the values of a setting, beginning with the present one."""
    options = tuple(Option(words, partial(_put, settings, key, value, back)) for value, words in choices)
    held = next((number for number, (_, words) in enumerate(choices) if words == now), 0)
    return Menu(title, options, chosen=held, parent=back())


def _put(settings: CurrentSettings, key: str, value: Any, back: Callable[[], Menu]) -> Menu:
    settings.change(key, value)
    return back()


def _ask_mat(settings: CurrentSettings, measure: Callable[[], None], back: Callable[[], Menu]) -> Menu:
    """Ask for the mat's size: measured, one of the usual ones, or step by step."""

    options = [Option(Text("Measure it"), measure)]
    options += [Option(_write_size(size), partial(_put, settings, "table.mat_mm", size, back)) for size in MATS_MM]
    here = partial(_ask_mat, settings, measure, back)
    for axis, name in enumerate((Text("Wider, narrower"), Text("Higher, lower"))):
        options.append(Option(name, partial(_ask_side, settings, axis, 0, here)))
    return Menu(Text("Mat"), tuple(options), parent=back())


def _ask_side(settings: CurrentSettings, axis: int, chosen: int, back: Callable[[], Menu]) -> Menu:
    """Ask for one side of the mat, a step at a time."""
    size = settings.get_all().table.mat_mm

    def put(by: int, number: int) -> Menu:
        sides = list(size)
        sides[axis] = min(3000.0, max(300.0, sides[axis] + by))
        settings.change("table.mat_mm", tuple(sides))
        return _ask_side(settings, axis, number, back)

    options = tuple(
        Option(_write_mm(size[axis] + by, f"{by:+d}: "), partial(put, by, number))
        for number, by in enumerate(_STEPS_MM)
    )
    menu = Menu(_add_value(Text("Mat"), _write_size(size)), options, parent=back())
    return replace(menu, chosen=chosen)


def _add_value(title: Text, value: Text) -> Text:
    return Text("{title}: {value}", title=title, value=value)


def _write_size(mm: Sequence[float]) -> Text:
    return verbatim(f"{mm[0]:g} × {mm[1]:g} mm")


def _write_mm(length: float, before: str = "") -> Text:
    return verbatim(f"{before}{length:g} mm")


def _write_percent(share: int) -> Text:
    return Text("{share} %", share=share)


def _write_minutes(count: int) -> Text:
    return Text("never") if count == 0 else Text("{count} minutes", count=count)


def _write_degrees(turn: int) -> Text:
    return Text("{turn}°", turn=turn)
