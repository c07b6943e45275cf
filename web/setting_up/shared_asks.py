"""What many phones want to know of the table at once: it is asked once, and its picture is drawn once, for all."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool

from web.site import Site

_FRESH_S = 0.2
"""So long an answer is good for the next phone."""
_TRY_S = 0.1
BUSY_S = 20.0
"""So long a table may take that saves a deck, or that looks at a picture to its end before it goes on."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the table said, and its picture as JPEG with everything drawn in, where it has one."""

    told: Mapping[str, Any]
    jpeg: bytes | None

    @property
    def picture(self) -> str | None:
        """The picture for a page: a ``data:`` address."""
        return as_address(self.jpeg) if self.jpeg is not None else None


class SharedAsk:
    """One thing that the table is asked for again and again (``Navigator.answers``)."""

    def __init__(self, site: Site, what: str) -> None:
        self._site, self._what = site, what
        self._asking: asyncio.Task[Answered] | None = None
        self._asked_s = 0.0
        self._known, self._jpeg = 0, b""
        self._drawn: tuple[Any, bytes] | None = None

    async def ask_now(self) -> Answered:
        """Ask what the table says now.

        Raises:
            DeviceError: it does not answer.
        """
        asking = self._asking
        if asking is None or (asking.done() and time.monotonic() - self._asked_s > _FRESH_S):
            self._asked_s = time.monotonic()
            asking = self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(asking)

    async def ask_with_picture(self, patience_s: float) -> Answered:
        """Ask until the table has a picture; answer without one where it takes longer than that.

        Raises:
            DeviceError: it does not answer.
        """
        end = time.monotonic() + patience_s
        while (answered := await self.ask_now()).jpeg is None and time.monotonic() < end:
            await asyncio.sleep(_TRY_S)
        return answered

    async def do(self, what: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have the table do something, and give what came of it; what it says next is asked anew.

        Raises:
            DeviceError: it can't, or shows something else by now.
        """
        try:
            return await self._site.ask(what, data, BUSY_S)
        finally:
            self._asking = None

    async def _ask(self) -> Answered:
        told = await self._site.ask(self._what, {"known": self._known}, BUSY_S)
        picture = told["picture"]
        if picture is None:
            return Answered(told, None)
        if picture["jpeg"] is not None:
            self._known, self._jpeg = picture["number"], base64.b64decode(picture["jpeg"])
        drawn = picture["number"], picture["mat"], picture["marks"]
        if self._drawn is None or self._drawn[0] != drawn:
            from device.capture.drawing import mark_picture  # what draws is loaded when there is a picture

            self._drawn = drawn, await run_in_threadpool(mark_picture, self._jpeg, picture["mat"], picture["marks"])
        return Answered(told, self._drawn[1])


def as_address(jpeg: bytes) -> str:
    """Return a JPEG as the address of a picture in a page."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
