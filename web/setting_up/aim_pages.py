"""The camera on phones: its picture with mat, seats and names, what is to be said of it, and the seats turned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from rules.text import Text
from web.setting_up.shared_asks import Answered, SharedAsk
from web.site import HELP, NothingThereError, Site, answer_done
from web.uploads import read_form

_PATIENCE_S = 1.5
"""A camera that is being looked through has a picture within this."""
_ACTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "open": ("aim.open", {}),
    "left": ("aim.turn", {"by": 1}),
    "right": ("aim.turn", {"by": -1}),
    "take": ("aim.take", {}),
    "keep": ("aim.keep", {}),
    "on": ("aim.on", {}),
    "back": ("aim.back", {}),
}
"""What a form asks for, and what the table is asked for then."""

NO_PICTURE = Text("There is no picture: nobody looks through the camera now.")
NO_SUCH_ACT = Text("The page does not know how to do that: load it anew.")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses of the camera."""
    pages = AimPages(site)
    return [
        Route("/aim", pages.see, methods=["GET"]),
        Route("/aim.json", pages.send_data, methods=["GET"]),
        Route("/aim", pages.act, methods=["POST"]),
        Route("/camera.jpg", pages.send_picture, methods=["GET"]),
    ]


class AimPages:
    """What is answered of the camera."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._aim = SharedAsk(site, "aim")

    async def _ask_what_is_seen(self) -> Answered:
        """Ask what the camera sees, and wait for the first picture."""
        answered = await self._aim.ask_now()
        return answered if answered.told["aiming"] is None else await self._aim.ask_with_picture(_PATIENCE_S)

    async def see(self, request: Request) -> Response:
        """Show the picture and the words, or with ``?part`` only what of them changes."""
        part = "part" in request.query_params
        answered = await (self._aim.ask_now() if part else self._ask_what_is_seen())
        name = "aiming" if part else "aim"
        return self._site.render(request, name, told=answered.told, picture=answered.picture, may=self._site.may)

    async def send_data(self, _: Request) -> Response:
        """Send the same as data; words are in every language."""
        answered = await self._ask_what_is_seen()
        aiming = answered.told["aiming"]
        return JSONResponse(
            {
                "busy": answered.told["busy"] if aiming is None else "",
                "open": aiming is not None,
                "checks": aiming["checks"] if aiming is not None else [],
                "players": aiming["players"] if aiming is not None else [],
                "measured_mm": (aiming["asked"][1] or None) if aiming is not None else None,
                "asked": aiming["asked"] if aiming is not None else None,
                "picture": answered.picture,
            }
        )

    async def send_picture(self, _: Request) -> Response:
        """Send the newest picture."""
        try:
            answered = await self._ask_what_is_seen()
        except DeviceError as error:
            if self._site.table is None:
                raise NothingThereError(error.text) from error
            raise
        if answered.jpeg is None:
            raise NothingThereError(NO_PICTURE)
        return Response(answered.jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def act(self, request: Request) -> Response:
        """Do one of the things that the page offers."""
        self._site.require(HELP)
        async with read_form(request) as form:
            act, of = form.fields.get("do", ""), form.read_json("of", None)
        if act not in _ACTS:
            raise DeviceError(NO_SUCH_ACT)
        what, data = _ACTS[act]
        came = await self._aim.do(what, {**data, "of": of})
        return answer_done(request, "/" if came.get("game") else "/aim")
