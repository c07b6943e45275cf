"""All settings with their words and bounds, from the same table as ``sevenmat settings``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.settings.kinds import Kind, OneOf, PanelSize, Several, YesNo, to_toml
from device.settings.settings_file import change_setting, fault_alone, load_settings
from device.settings.values import AT_ONCE, Settings, all_settings, as_shown
from device.speech import each_json, own_name
from rules.text import Language, SaidError, Text, verbatim
from web.scorer import ToldError
from web.site import ALL, HELP, Site, say_error, wants_page
from web.uploads import read_form

_OURS = ("web.", "hall.")
"""What phones may do, and where the table sends with which password, is set at the table, not by phones."""
TABLES = Text("That is set at the table, not on the page.")


EVENING = frozenset(
    {
        "language",
        "game.names",
        "game.deck",
        "game.hints",
        "game.teach",
        "table.mat_mm",
        "table.marker_mm",
        "display.map_rotation",
        "display.brightness",
        "display.dim_after_min",
        "display.theme",
        "signals.sounds",
        "recording.on",
    }
)
"""What is set from evening to evening; the rest is of whoever has built the table."""


_ADVANCED, _AT_THE_TABLE = Text("Advanced"), Text("What is set at the table")
_USES = {
    "evening": Text("This evening"),
    "camera": Text("The camera"),
    "display": Text("The display"),
    "advanced": _ADVANCED,
}
_WITHOUT_TABLE = ("language", "game", "web", "table")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/settings``."""
    pages = SettingPages(site)
    return [
        Route("/settings", pages.show_settings, methods=["GET"]),
        Route("/settings.json", pages.show_settings, methods=["GET"]),
        Route("/settings", pages.change, methods=["POST"]),
    ]


class SettingPages:
    """What is answered below ``/settings``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def show_settings(self, request: Request) -> Response:
        """Show every setting as it is."""
        if request.url.path.endswith(".json"):
            settings = as_shown(await run_in_threadpool(load_settings, self._site.state))
            every = [one for room in _group_settings(settings) for one in room["settings"]]
            told = [{key: _as_data(value) for key, value in one.items() if key not in _SHOWN} for one in every]
            return JSONResponse({"settings": told})
        return await self._render_page(request, request.query_params.get("set", ""))

    async def _render_page(self, request: Request, key: str, typed: str | None = None, fault: Any = None) -> Response:
        """Render the page; at that ``key`` it says what was done, or why what was typed can't be."""
        settings = as_shown(await run_in_threadpool(load_settings, self._site.state))
        may = settings.web.may

        def is_open(one: Mapping[str, Any]) -> bool:
            return not one["table"] and (may == ALL or (may == HELP and one["evening"]))

        values = {
            "groups": list(_group_by_use(settings, is_open, None if self._site.table is not None else key)),
            "in_hall": bool(settings.hall.broker),
            "is_open": is_open,
            "key": key,
            "typed": typed,
            "fault": fault,
        }
        return self._site.render(request, "settings", 200 if fault is None else 400, **values)

    async def change(self, request: Request) -> Response:
        """Change one setting, or take it back to its default."""
        self._site.require(HELP)
        async with read_form(request) as form:
            key, text = form.fields.get("key", ""), form.fields.get("value", "")
        if key not in all_settings():
            raise DeviceError(Text("There is no setting of that name."))
        if key.startswith(_OURS):
            raise DeviceError(TABLES)
        if key not in EVENING:
            self._site.require(ALL)
        try:
            await self._set(key, _read_value(key, text.strip()))
        except (SaidError, ToldError) as error:
            if not wants_page(request):
                raise
            return await self._render_page(
                request, key, _find_field(key).metadata["kind"].redact(text), say_error(error)
            )
        return RedirectResponse(f"/settings?set={key}#{key}", 303)

    async def _set(self, key: str, value: Any) -> None:
        """Have the table do as a setting says, where there is one; else keep it for the next one."""
        if self._site.table is not None:
            await self._site.ask("set", {"key": key, "value": value})
        else:
            with fault_alone():
                await run_in_threadpool(change_setting, self._site.state, key, value)


def _read_value(key: str, text: str) -> Any:
    """Read what was typed as the setting has it: words as they stand, the rest as TOML, lists without brackets too."""
    one = _find_field(key)
    if isinstance(one.default, str):
        return text
    if isinstance(one.metadata["kind"], (Several, PanelSize)) and not text.startswith("["):
        return [_read_plain(part.strip()) for part in text.split(",") if part.strip()]
    return _read_plain(text)


def _find_field(key: str) -> Field[Any]:
    """Return what is known of a setting."""
    room, _, name = key.rpartition(".")
    held = getattr(Settings(), room) if room else Settings()
    return next(field for field in fields(held) if field.name == name)


def _read_plain(text: str) -> Any:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
        json.dumps(value)  # no setting is a date, or a number of more digits than can be written
    except (ValueError, TypeError, RecursionError):
        return text
    return value


def _group_settings(settings: Settings) -> Iterator[dict[str, Any]]:
    """Yield the settings by what they are about."""
    alone = [
        _describe_setting(one.name, one, getattr(settings, one.name))
        for one in fields(Settings)
        if "kind" in one.metadata
    ]
    yield {"about": Text("The program."), "settings": alone}
    for outer in fields(Settings):
        if "kind" not in outer.metadata:
            held = getattr(settings, outer.name)
            inner = fields(cast(Any, held))
            shown = [_describe_setting(f"{outer.name}.{one.name}", one, getattr(held, one.name)) for one in inner]
            yield {"about": held.about, "settings": shown}


def _group_by_use(
    settings: Settings, is_open: Callable[[Mapping[str, Any]], bool], alone: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the settings by who needs them when: those of an evening first, last those that phones may not change.

    Without a table, where this page is ``alone`` with the setting that it speaks of, those of camera, display and
    buttons are left out.
    """
    every = [one for room in _group_settings(settings) for one in room["settings"]]
    if alone is not None:
        every = [one for one in every if one["key"] == alone or one["key"].partition(".")[0] in _WITHOUT_TABLE]
    groups: dict[Text, list[dict[str, Any]]] = {about: [] for about in (*_USES.values(), _AT_THE_TABLE)}
    for one in every:
        room = "evening" if one["evening"] else one["key"].partition(".")[0]
        groups[_USES.get(room, _ADVANCED) if is_open(one) else _AT_THE_TABLE].append(one)
    return ({"about": about, "settings": found} for about, found in groups.items())


def _describe_setting(key: str, one: Any, value: Any) -> dict[str, Any]:
    return {
        "key": key,
        "value": list(value) if isinstance(value, tuple) else value,
        "words": one.metadata["words"],
        "may": one.metadata["kind"].words,
        "choices": _list_choices(key, one.metadata["kind"]),
        "held": _format_value(value),
        "evening": key in EVENING,
        "table": key.startswith(_OURS),
        "at_once": key in AT_ONCE,
    }


_SHOWN = ("choices", "held")
"""What only the page has."""


def _format_value(value: Any) -> str:
    """Return a setting's value as it is typed."""
    if isinstance(value, tuple):
        return ", ".join(map(_format_value, value))
    return value if isinstance(value, str) else "" if value is None else to_toml(value)


def _list_choices(key: str, kind: Kind) -> list[tuple[str, Text]]:
    """Return all that a setting may be, as it is sent and in words; nothing where that is typed."""
    if isinstance(kind, YesNo):
        return [("true", Text("on")), ("false", Text("off"))]
    if key == "language":
        return [("auto", verbatim("auto")), *((one.code, own_name(one)) for one in Language.all())]
    return [(str(one), verbatim(one)) for one in kind.options] if isinstance(kind, OneOf) else []


def _as_data(value: Any) -> Any:
    return each_json(value) if isinstance(value, Text) else value
