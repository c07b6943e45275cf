"""Forms as phones send them, with an end to everything: files, fields, bytes."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from device.errors import DeviceError
from rules.plain import are_different, is_name
from rules.text import Text

MOST_BYTES = 30_000_000
"""Of one picture; of a form as many times that as it may have pictures, and something for its fields."""
MOST_FILES = 4
_MOST_FIELDS = 400
_MOST_JSON = 100_000
_MOST_FORM = 1_000_000
_MOST_NAME = 80
_LONGEST_NAME = 20

_PATIENCE_S = 20.0
"""So long nothing may come of what a phone is sending."""
_GRACE_S = 30.0
_SLOWEST = 30_000
"""Bytes a second that must come once ``_GRACE_S`` have passed: whoever sends for ever holds a place in the queue."""

_PREFIX = "sevenmat-page-"
"""So the folder of a page's uploads is called; one that nobody holds any more is removed by the next page."""

TOO_LARGE = Text("A picture may have {mb} MB at most: take a smaller one.", mb=MOST_BYTES // 1_000_000)
TORN = Text("The picture did not arrive whole: send it again.")
TOO_MUCH = Text("That is more than this form takes.")
STRANGE = Text("That is written in letters that this form does not take.")


class _TooLargeError(Exception):
    """More bytes came than a form may have."""


class _Arriving:
    """What a request brings, as it comes: no more of it than ``most`` bytes, and at a pace."""

    def __init__(self, request: Request, most: int) -> None:
        self._receive, self._most, self._came, self._began = request.receive, most, 0, time.monotonic()

    async def receive(self) -> Message:
        """Receive what comes next.

        Raises:
            DeviceError: nothing comes, or too little.
            _TooLargeError: too much has come.
        """
        try:
            message = await asyncio.wait_for(self._receive(), _PATIENCE_S)
        except TimeoutError:
            raise DeviceError(TORN) from None
        self._came += len(message.get("body", b""))
        if self._came > self._most:
            raise _TooLargeError
        if message.get("more_body") and self._came < _SLOWEST * (time.monotonic() - self._began - _GRACE_S):
            raise DeviceError(TORN)
        return message


@dataclass(frozen=True)
class Form:
    """What a phone has sent: fields by name, the last of each; all of those given several times; and picture files."""

    fields: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    files: tuple[tuple[str, Path], ...] = ()

    def read_json(self, name: str, otherwise: Any) -> Any:
        """Return a field that holds JSON.

        Raises:
            DeviceError: it holds something else.
        """
        if not (text := self.fields.get(name, "").strip()):
            return otherwise
        try:
            return load_json(text)
        except ValueError:
            raise DeviceError(Text("The field {name!r} is no JSON.", name=name)) from None


def load_json(text: str | bytes) -> Any:
    """Load JSON; only text that can be written again, and numbers that are some.

    Raises:
        ValueError: it is no such JSON.
    """
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found


async def read_json_object(request: Request) -> dict[str, Any]:
    """Read the JSON object that a request brings.

    Raises:
        DeviceError: it brings none, or one larger than any that is asked for.
    """
    try:
        told = load_json(await Request(request.scope, _Arriving(request, _MOST_JSON).receive).body())
    except _TooLargeError:
        raise DeviceError(TOO_MUCH) from None
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise DeviceError(Text("That is no JSON object."))
    return told


@asynccontextmanager
async def read_form(request: Request, pictures: bool = False) -> AsyncIterator[Form]:
    """Read the form that a request brings; its ``pictures`` lie in files until the block ends.

    Raises:
        DeviceError: it is no form, was cut off, or is larger than a form may be.
    """
    most = MOST_FILES * MOST_BYTES + _MOST_FORM if pictures else _MOST_FORM
    if int(request.headers.get("content-length") or 0) > most:
        raise DeviceError(TOO_LARGE if pictures else TOO_MUCH)
    _, options = parse_options_header(request.headers.get("content-type", ""))
    if options.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise DeviceError(STRANGE)
    bounded_request = Request(request.scope, _Arriving(request, most).receive)
    try:
        most_files = MOST_FILES if pictures else 0
        data = await bounded_request.form(max_files=most_files, max_fields=_MOST_FIELDS, max_part_size=_MOST_JSON)
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
            files.append(await _save_upload(value, folder / str(len(files))))
    return Form(form.fields, form.lists, tuple(files))


async def _save_upload(upload: UploadFile, path: Path) -> tuple[str, Path]:
    if (upload.size or 0) > MOST_BYTES:
        raise DeviceError(TOO_LARGE)
    with path.open("wb") as file:
        while block := await upload.read(1 << 20):
            file.write(block)
    await upload.close()
    name = Path((upload.filename or "").replace("\\", "/")).name[:_MOST_NAME]
    return name or "picture", path


def read_names(form: Form) -> list[str]:
    """Return the players' names, where a form says so.

    Raises:
        DeviceError: they can't be called so.
    """
    players = [name.strip() for name in form.fields.get("players", "").split(",") if name.strip()]
    each = [name.strip() for name in form.lists.get("player", ())]
    if not players and any(each):
        if not all(each):
            raise DeviceError(Text("Name all players, or none."))
        players = each
    if not all(is_name(name) and len(name) <= _LONGEST_NAME for name in players) or not are_different(players):
        raise DeviceError(Text("Names are different, of one line, and of up to {count} letters.", count=_LONGEST_NAME))
    return players


@contextmanager
def keep_scratch_folder() -> Iterator[Path]:
    """Keep all temporary files of this process in this folder as long as this lasts.

    Raises:
        OSError: it can't be made.
    """
    usual = tempfile.gettempdir()
    _sweep(Path(usual))
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            tempfile.tempdir = folder
            yield Path(folder)
        finally:
            tempfile.tempdir = usual
            os.close(handle)


def _sweep(among: Path) -> None:
    """Remove the folders of processes that are no more: nobody holds them."""
    for path in among.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(handle).st_uid == os.getuid():
                    shutil.rmtree(path)
            finally:
                os.close(handle)
