"""All settings with their words and bounds, from the same table as ``sevenmat settings``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.settings.kinds import PanelSize, Several
from device.settings.settings_file import change_setting, load_settings
from device.settings.values import Settings, all_settings
from device.speech import each_json
from device.web.site import ALL, HELP, Site
from device.web.uploads import form_of
from rules.text import Text

_OURS = ("web.", "hall.")
"""What phones may do, and where the table sends with which password, is set at the table, not by phones."""
_SECRET = frozenset({"hall.password"})
"""What no phone is shown."""
TABLES = Text("That is set at the table, not on the page.")


EVENING = frozenset(
    {
        "language",
        "game.names",
        "game.deck",
        "game.hints",
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


def routes(site: Site) -> list[Route]:
    """The addresses below ``/settings``."""
    pages = SettingPages(site)
    return [
        Route("/settings", pages.all, methods=["GET"]),
        Route("/settings.json", pages.all, methods=["GET"]),
        Route("/settings", pages.change, methods=["POST"]),
    ]


class SettingPages:
    """What is answered below ``/settings``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def all(self, request: Request) -> Response:
        """Every setting as it is."""
        settings = await run_in_threadpool(load_settings, self._site.state)
        rooms = list(_rooms(settings))
        if request.url.path.endswith(".json"):
            every = [one for room in rooms for one in room["settings"]]
            told = [{**one, "words": each_json(one["words"]), "may": each_json(one["may"])} for one in every]
            return JSONResponse({"settings": told})
        return self._site.render(request, "settings", rooms=rooms, may=settings.web.may)

    async def change(self, request: Request) -> Response:
        """Change one setting, or take it back to its default."""
        self._site.needs(HELP)
        async with form_of(request) as form:
            key, text = form.fields.get("key", ""), form.fields.get("value", "")
        if key not in all_settings():
            raise DeviceError(Text("There is no setting of that name."))
        if key.startswith(_OURS):
            raise DeviceError(TABLES)
        if key not in EVENING:
            self._site.needs(ALL)
        await run_in_threadpool(change_setting, self._site.state, key, _value(key, text.strip()))
        return RedirectResponse(f"/settings#{key}", 303)


def _value(key: str, text: str) -> Any:
    """What was typed, as the setting has it: words as they stand, the rest as TOML, lists without brackets too."""
    room, _, name = key.rpartition(".")
    held = getattr(Settings(), room) if room else Settings()
    one = next(field for field in fields(held) if field.name == name)
    if isinstance(one.default, str):
        return text
    if isinstance(one.metadata["kind"], (Several, PanelSize)) and not text.startswith("["):
        return [_plain(part.strip()) for part in text.split(",") if part.strip()]
    return _plain(text)


def _plain(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _rooms(settings: Settings) -> Iterator[dict[str, Any]]:
    """The settings by what they are about."""
    alone = [_setting(one.name, one, getattr(settings, one.name)) for one in fields(Settings) if "kind" in one.metadata]
    yield {"about": Text("The program."), "settings": alone}
    for outer in fields(Settings):
        if "kind" not in outer.metadata:
            held = getattr(settings, outer.name)
            inner = fields(cast(Any, held))
            shown = [_setting(f"{outer.name}.{one.name}", one, getattr(held, one.name)) for one in inner]
            yield {"about": held.about, "settings": shown}


def _setting(key: str, one: Any, value: Any) -> dict[str, Any]:
    return {
        "key": key,
        "value": "" if key in _SECRET else list(value) if isinstance(value, tuple) else value,
        "words": one.metadata["words"],
        "may": one.metadata["kind"].words,
        "evening": key in EVENING,
        "table": key.startswith(_OURS),
    }
