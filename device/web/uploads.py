"""Forms as phones send them, with an end to everything: files, fields, bytes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from device.errors import DeviceError
from rules.text import Text

MOST_BYTES = 30_000_000
"""Of one picture; of a form as many times that as it may have pictures, and something for its fields."""
MOST_FILES = 4
_MOST_FIELDS = 400
_MOST_JSON = 100_000
_MOST_FORM = 1_000_000
_MOST_NAME = 80

TOO_LARGE = Text("A picture may have {mb} MB at most: take a smaller one.", mb=MOST_BYTES // 1_000_000)
TORN = Text("The picture did not arrive whole: send it again.")
TOO_MUCH = Text("That is more than this form takes.")


class _TooLargeError(Exception):
    """More bytes came than a form may have."""


@dataclass(frozen=True)
class Form:
    """What a phone has sent: fields by name, the last of each; all of those given several times; and picture files."""

    fields: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    files: tuple[tuple[str, Path], ...] = ()

    def json(self, name: str, otherwise: Any) -> Any:
        """A field that holds JSON.

        Raises:
            DeviceError: it holds something else.
        """
        if not (text := self.fields.get(name, "").strip()):
            return otherwise
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise DeviceError(Text("The field {name!r} is no JSON.", name=name)) from None


async def json_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings.

    Raises:
        DeviceError: it brings none, or one larger than any that is asked for.
    """
    body = b""
    async for block in request.stream():
        body += block
        if len(body) > _MOST_JSON:
            raise DeviceError(TOO_MUCH)
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise DeviceError(Text("That is no JSON object."))
    return told


@asynccontextmanager
async def form_of(request: Request, pictures: bool = False) -> AsyncIterator[Form]:
    """The form that a request brings; its ``pictures`` lie in files until the block ends.

    Raises:
        DeviceError: it is no form, was cut off, or is larger than a form may be.
    """
    most = MOST_FILES * MOST_BYTES + _MOST_FORM if pictures else _MOST_FORM
    if int(request.headers.get("content-length") or 0) > most:
        raise DeviceError(TOO_LARGE if pictures else TOO_MUCH)
    came = 0
    receive = request._receive

    async def bounded() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > most:
            raise _TooLargeError
        return message

    bounded_request = Request(request.scope, bounded)
    try:
        data = await bounded_request.form(max_files=MOST_FILES if pictures else 0, max_fields=_MOST_FIELDS)
    except _TooLargeError:
        raise DeviceError(TOO_LARGE if pictures else TOO_MUCH) from None
    except HTTPException as error:
        # So the library says of a form that it could not take.
        too_many = "Too many" in error.detail
        raise DeviceError(TOO_MUCH if too_many else TORN) from error
    try:
        with tempfile.TemporaryDirectory(prefix="sevenmat-") as folder:
            yield await _as_form(data, Path(folder))
    finally:
        await data.close()


async def _as_form(data: FormData, folder: Path) -> Form:
    form = Form()
    files: list[tuple[str, Path]] = []
    for name, value in data.multi_items():
        if isinstance(value, str):
            form.fields[name] = value
            form.lists.setdefault(name, []).append(value)
        elif value.size or value.filename:
            files.append(await _saved(value, folder / str(len(files))))
    return Form(form.fields, form.lists, tuple(files))


async def _saved(upload: UploadFile, path: Path) -> tuple[str, Path]:
    if (upload.size or 0) > MOST_BYTES:
        raise DeviceError(TOO_LARGE)
    with path.open("wb") as file:
        while block := await upload.read(1 << 20):
            file.write(block)
    name = Path((upload.filename or "").replace("\\", "/")).name[:_MOST_NAME]
    return name or "picture", path
