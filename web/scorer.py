"""Uploaded tables on their way to the worker: limits, the queue, and what came of the last ones."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from starlette.requests import Request

from device.errors import DeviceError
from rules.text import Text

PATIENCE_S = 120.0
"""So long a table may take to be read, on the slowest machine with the largest picture; then its worker is ended."""
WAITING = 2
"""So many tables may wait while one is read."""
_KEPT = 12
"""So many scored tables are remembered until they are kept or forgotten."""
_KEPT_BYTES = 300_000_000
"""All their pictures together: the folder for temporary files may be a part of the memory."""
_MOST_ANSWER = 8 << 20
_FOLLOWED = 50
"""Of so many phones it is remembered what was found in their last pictures."""
_PROGRESS = b'{"progress": '
"""So the worker's lines begin that are no answers."""
_LOG = logging.getLogger(__name__)

KILLED = Text("This picture could not be read: it is damaged, or made to do harm. Take another one.")
TOO_SLOW = Text("This picture took too long to read: take one with fewer things on it, or a smaller one.")
BUSY = Text("Other tables are being scored: try again in a moment.")
ONE_AT_A_TIME = Text("A table of yours is being scored already: wait for its result.")
REPLACED = Text("A newer picture came from this phone, and is scored in place of this one.")
ANSWERED = Text("Somebody else has answered meanwhile: look again.")
UNKNOWN = Text("This table is no longer remembered: score it again.")


class BusyError(DeviceError):
    """The queue is full, or this phone waits already."""


class ToldError(Exception):
    """What the worker says that can't be, in each language by its code."""

    def __init__(self, said: Mapping[str, str]) -> None:
        super().__init__(said["en"])
        self.said = said


@dataclass
class _Place:
    """A phone's place in the queue, and the request that has it."""

    task: asyncio.Task[Any] | None
    request: Request | None
    arriving: bool = True
    """Whether its pictures are still on their way."""
    replaced: bool = False

    def give_way(self) -> None:
        """End it for a newer one."""
        self.replaced = True
        if self.task is not None:
            self.task.cancel()


@dataclass(frozen=True)
class ScoredJob:
    """A table that was uploaded: what people say of it, and what it came to; its pictures lie in ``folder``."""

    job: Mapping[str, Any]
    folder: tempfile.TemporaryDirectory[str]
    answer: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0
    """Bytes of its pictures."""

    @property
    def path(self) -> Path:
        """Where its pictures lie."""
        return Path(self.folder.name)


class Scorer:
    """Scores uploaded tables, one after the other, in a worker process; what it remembers is gone with the process."""

    def __init__(self, state: Path, patience_s: float = PATIENCE_S) -> None:
        self._state, self._patience_s = state, patience_s
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._phones: dict[str, _Place] = {}
        self._jobs: OrderedDict[str, ScoredJob] = OrderedDict()
        self._found: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self.last_game = ""
        """The game of the table that was scored last."""

    def find_job(self, number: str) -> ScoredJob:
        """Find a table that was scored.

        Raises:
            DeviceError: it is not remembered.
        """
        if number not in self._jobs:
            raise DeviceError(UNKNOWN)
        return self._jobs[number]

    def find_progress(self, phone: str) -> Mapping[str, Any]:
        """Return what was found so far in the picture that this phone sent last."""
        return self._found.get(phone, {})

    async def let_go(self, phone: str) -> None:
        """End what this phone has sent where nobody waits for its result any more."""
        own = self._phones.get(phone)
        if own is not None and own.request is not None and await own.request.is_disconnected():
            own.give_way()

    @contextmanager
    def hold_place(self, phone: str, request: Request | None = None) -> Iterator[None]:
        """Hold a phone's place in the queue, from the first byte that it sends to the result.

        What comes newly takes the place of what this phone is still sending, which may have stalled.

        Raises:
            BusyError: a table of this phone's is being read, too many wait, or a newer one has come.
        """
        older = self._phones.get(phone)
        if older is not None and older.arriving:
            older.give_way()
        elif older is not None and not older.replaced:
            raise BusyError(ONE_AT_A_TIME)
        elif older is None and len(self._phones) > WAITING:
            raise BusyError(BUSY)
        own = self._phones[phone] = _Place(asyncio.current_task(), request)
        self._found[phone] = {}
        while len(self._found) > _FOLLOWED:
            self._found.popitem(last=False)
        try:
            yield
        except asyncio.CancelledError:
            if not own.replaced or own.task is None:
                raise
            own.task.uncancel()
            raise BusyError(REPLACED) from None
        finally:
            if self._phones.get(phone) is own:
                del self._phones[phone]

    async def score(self, files: Sequence[tuple[str, Path]], told: Mapping[str, Any]) -> tuple[str, ScoredJob]:
        """Score a table of these picture files, each with what it is called; returns the number it is remembered by.

        Where another number of people sits at it, its answer has an ``error`` beside its score.

        Raises:
            ToldError: it can't be scored; nothing of it is kept.
            DeviceError: it ended the worker, or took too long.
        """
        folder = tempfile.TemporaryDirectory(prefix="sevenmat-", ignore_cleanup_errors=True)
        for part, (_, file) in enumerate(files):
            file.rename(Path(folder.name) / str(part))
        names = [name for name, _ in files]
        job = {**told, "folder": folder.name, "pictures": names, "named": [], "confirmed": []}
        size = sum((Path(folder.name) / str(part)).stat().st_size for part in range(len(files)))
        scored = ScoredJob(job, folder, await self.ask(job), size)
        number = secrets.token_urlsafe(9)
        self._jobs[number], self.last_game = scored, str(told.get("game", ""))
        while len(self._jobs) > _KEPT or sum(job.size for job in self._jobs.values()) > _KEPT_BYTES:
            _, old = self._jobs.popitem(last=False)
            old.folder.cleanup()
        return number, scored

    async def score_again(self, before: ScoredJob, number: str, **changed: Any) -> ScoredJob:
        """Score a table once more, with what people have said of it since; ``before`` is what they have seen.

        Raises:
            ToldError: it can't be scored so.
            DeviceError: it is not remembered, somebody else was quicker, it ended the worker, or took too long.
        """
        job = {**before.job, **changed}
        answer = await self.ask(job)
        if self.find_job(number) is not before:
            raise DeviceError(ANSWERED)
        self._jobs[number] = scored = replace(before, job=job, answer=answer)
        return scored

    @contextmanager
    def take_out(self, number: str) -> Iterator[None]:
        """Let nobody else find this table while it is kept; then forget it, unless that has failed.

        Raises:
            DeviceError: it is not remembered.
        """
        job = self.find_job(number)
        del self._jobs[number]
        try:
            yield
        except BaseException:
            self._jobs[number] = job
            raise
        job.folder.cleanup()

    async def ask(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have the worker do a job, of which nothing is remembered here, and return its answer.

        Raises:
            ToldError: it can't be done.
            DeviceError: it ended the worker, or took too long.
        """
        found: dict[str, Any] = {}
        for phone, place in self._phones.items():
            if place.task is asyncio.current_task():
                place.arriving = False
                self._found[phone] = found
        async with self._turn:
            answer = await self._answer(json.dumps(job, ensure_ascii=False), found)
        if "error" in answer and "sheet" not in answer:
            raise ToldError(answer["error"])
        return answer

    async def _answer(self, job: str, found: dict[str, Any]) -> dict[str, Any]:
        """Ask the worker about a job; a worker that dies of it, or takes too long, is replaced.

        ``found`` gets what it finds on the way.
        """
        process = await self._start_worker()
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        try:
            async with asyncio.timeout(self._patience_s):
                process.stdin.write(f"{job}\n".encode())
                await process.stdin.drain()
                while (line := await process.stdout.readline()).startswith(_PROGRESS) and line.endswith(b"\n"):
                    found.update(json.loads(line)["progress"])
        except TimeoutError:
            await self.close()
            raise DeviceError(TOO_SLOW) from None
        except ConnectionError:
            line = b""
        except asyncio.CancelledError:
            # Whoever asked is gone; what the worker still says must not be taken for the next one's answer.
            await self.close()
            raise
        if not line.endswith(b"\n"):
            await self.close()
            _LOG.warning("a picture ended the worker that scores pictures")
            raise DeviceError(KILLED)
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _start_worker(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "web.worker",
                str(self._state),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_MOST_ANSWER,
                env={**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"},  # it stands where answers do
            )
        return self._process

    async def close(self) -> None:
        """End the worker."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
