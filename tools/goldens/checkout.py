"""A checkout of the program, its virtual environment, and rooms in which its commands are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

TIMEOUT_S = 900.0
"""No command of the goldens takes longer, even where the machine does other things."""


HARMLESS = Path(__file__).resolve().parent / "harmless"
"""Programs that come before the machine's own: what could switch it off does nothing."""


class WrongUseError(Exception):
    """What was asked for can't be done; the message says why."""


class BrokenError(Exception):
    """A golden has nothing to compare, since a command did not do what it must do in any version."""


class SkippedError(Exception):
    """A golden can't be run here; the message says what it lacks."""


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All of it as one text to be compared."""
        err = f"--- standard error\n{self.err}" if self.err else ""
        return f"exit code {self.code}\n{self.out}{err}"


@dataclass(frozen=True)
class Checkout:
    """A folder with a whole working tree of Sevenmat and ``.venv`` in it."""

    name: str
    """``old`` or ``new``."""
    folder: Path

    @property
    def python(self) -> Path:
        """Its own interpreter."""
        return self.folder / ".venv" / "bin" / "python"

    @property
    def command(self) -> Path:
        """Its own ``sevenmat``."""
        return self.folder / ".venv" / "bin" / "sevenmat"

    def set_up(self) -> None:
        """Make its virtual environment, or bring it up to date.

        Raises:
            WrongUseError: it can't be made.
        """
        done = subprocess.run(
            ["make", ".venv"],
            cwd=self.folder,
            env=make_environment(self.folder),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not self.command.is_file():
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or ["no sevenmat in .venv/bin"]
            raise WrongUseError(f"'make .venv' fails in {self.folder}: {said[0]}")


def make_environment(home: Path, **more: str) -> dict[str, str]:
    """Return what a command may know of this machine: the same for both checkouts, and nothing of who runs it."""
    return {
        "PATH": f"{HARMLESS}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "80",
        "PYTHONHASHSEED": "0",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_AUDIODRIVER": "dummy",
        **{
            name: os.environ[name]
            for name in ("PIP_CACHE_DIR", "PIP_INDEX_URL", "PIP_CONFIG_FILE")
            if name in os.environ
        },
        **more,
    }


def checkout_of(what: str, name: str, repository: Path, cache: Path) -> Checkout:
    """Return the checkout in a folder, or of a revision, of which a snapshot is kept in ``cache``.

    Raises:
        WrongUseError: there is no such folder or revision, or it is too old to be compared.
    """
    folder = Path(what).expanduser()
    if not folder.is_dir():
        folder = _unpack_snapshot(what, repository, cache)
    elif not (folder / "pyproject.toml").is_file() or not (folder / "Makefile").is_file():
        raise WrongUseError(f"{what} is no checkout of Sevenmat: it lacks a Makefile or pyproject.toml")
    if not (folder / "tools" / "soak").is_dir():
        raise WrongUseError(f"{what} is from before there was tools/, which both checkouts run: name a later one")
    return Checkout(name, folder.resolve())


def _unpack_snapshot(revision: str, repository: Path, cache: Path) -> Path:
    """Unpack a revision's files into a folder where it is asked for first, and return that folder."""
    git = ["git", "-C", str(repository)]
    asked = [*git, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    if found.returncode:
        raise WrongUseError(f"there is neither a folder nor a revision {revision!r}")
    commit = found.stdout.strip()
    snapshot = cache / "revisions" / commit
    if not snapshot.is_dir():
        part = snapshot.with_name(f"{commit}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        packed = subprocess.run([*git, "archive", "--format=tar", commit], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as tar:
            tar.extractall(part, filter="data")
        part.rename(snapshot)
    return snapshot


class Store:
    """Things that several goldens need and one checkout makes once, each in a folder of its own."""

    def __init__(self, checkout: Checkout, folder: Path, shared: Path | None, given: Store | None = None) -> None:
        self.checkout, self.folder, self.shared, self._given = checkout, folder, shared, given or self
        self._turn = threading.Lock()
        self._turns: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._made: dict[str, Path | Exception] = {}

    def make_once(self, name: str, make: Callable[[Room], None]) -> Path:
        """Return the folder of that name, made by ``make`` where it is asked for first.

        Raises:
            BrokenError: it could not be made, now or before.
        """
        with self._turn:
            turn = self._turns[name]
        with turn:
            if name not in self._made:
                room = Room(self.checkout, self.folder / name, self.shared, self._given, self)
                try:
                    make(room)
                    self._made[name] = room.folder
                except Exception as error:
                    self._made[name] = error
        made = self._made[name]
        if isinstance(made, Exception):
            raise made
        return made


@dataclass
class Room:
    """A folder in which one checkout's commands are run for one golden.

    In it lie ``shared``, ``given`` (what the older checkout has made for both) and ``own`` (what this checkout has made
    for several goldens), so that both checkouts are called with the same words.
    """

    checkout: Checkout
    folder: Path
    shared: Path | None
    given: Store
    own: Store
    notes: list[str] = field(default_factory=list)
    """What was left out, to be said in the table."""

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._link_to("given", self.given.folder)
        self._link_to("own", self.own.folder)
        if self.shared is not None:
            self._link_to("shared", self.shared)

    def _link_to(self, name: str, target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        if not (self.folder / name).is_symlink():
            (self.folder / name).symlink_to(target)

    @property
    def home(self) -> Path:
        """The home folder of whoever runs the commands here."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return home

    def run_sevenmat(
        self,
        *words: str | Path,
        code: int | Sequence[int] | None = 0,
        env: Mapping[str, str] | None = None,
        mask: Callable[[str], str] | None = None,
    ) -> Ran:
        """Run ``sevenmat`` with these words; ``code`` is how it must end in the older checkout.

        Raises:
            BrokenError: it did not end so, or not at all.
        """
        return self._run([self.checkout.command, *words], self.folder, code, env, mask)

    def run_python(self, *words: str | Path, at_home: bool = False, code: int | None = 0) -> Ran:
        """Run the checkout's interpreter, in this room or ``at_home`` in the checkout; see ``run_sevenmat``."""
        return self._run([self.checkout.python, *words], self.checkout.folder if at_home else self.folder, code)

    def _run(
        self,
        words: Sequence[str | Path],
        where: Path,
        code: int | Sequence[int] | None,
        env: Mapping[str, str] | None = None,
        mask: Callable[[str], str] | None = None,
    ) -> Ran:
        try:
            done = subprocess.run(
                list(map(str, words)),
                cwd=where,
                env=make_environment(self.home, **(env or {})),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="backslashreplace",
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise BrokenError(f"{self._quote_call(words)} does not end within {TIMEOUT_S:.0f} s") from error
        ran = Ran(done.returncode, self.mask_text(done.stdout, mask), self.mask_text(done.stderr, mask))
        self.check_older(ran, code, words)
        return ran

    def check_older(self, ran: Ran, code: int | Sequence[int] | None, words: Sequence[str | Path]) -> None:
        """Check the older checkout: what it can't do proves nothing, however alike the newer one fails.

        Raises:
            BrokenError: this is the older checkout, and the command did not end with (one of) ``code``.
        """
        wanted = (code,) if isinstance(code, int) else code
        if self.checkout.name == "old" and wanted is not None and ran.code not in wanted:
            said = (ran.err.strip() or ran.out.strip()).splitlines()[-1:] or ["nothing was said"]
            raise BrokenError(f"{self._quote_call(words)} ends with {ran.code} in the older checkout: {said[0]}")

    @staticmethod
    def _quote_call(words: Sequence[str | Path]) -> str:
        return " ".join([Path(words[0]).name, *map(str, words[1:])])

    def mask_text(self, text: str, mask: Callable[[str], str] | None = None) -> str:
        """Remove from the text what differs between any two runs: this room's and the checkout's folder."""
        for folder, name in ((self.folder, "<room>"), (self.checkout.folder, "<checkout>")):
            text = text.replace(str(folder), name)
        return mask(text) if mask is not None else text


def drop_seconds(text: str) -> str:
    """Return the text without how long things took."""
    return re.sub(r"\d+(?:[.,]\d+)?(?= ?(?:s\b|秒))", "…", text)
