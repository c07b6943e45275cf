"""Who teaches a deck that a phone asks for: the table by its camera; where there is none, the phone's own pictures."""

from __future__ import annotations

import base64
import json
import shutil
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from starlette.requests import Request

from device.app.choices import known_decks
from device.app.services.decks import NAME_TAKEN, deck_kinds
from device.errors import DeviceError, refused_by_the_system
from device.files import make_folder, replace_file
from device.settings.settings_file import load_settings
from device.speech import each_json
from rules.text import Text
from web.setting_up.shared_asks import BUSY_S, SharedAsk
from web.site import OTHERWISE, OtherQuestionError, Site, find_phone
from web.uploads import Form

_LESSONS = 4
"""So many phones teach a deck at a time; who began first and has not gone on begins anew."""
_MOST_STEPS = 40
_MOST_BYTES = 200_000_000
"""All pictures of a lesson."""
FOLDER = "lessons"
_WRITTEN = "lesson.json"

NO_PICTURE = Text("Give one picture of the page.")
TOO_LONG = Text("That was tried too often: stop learning, and begin anew.")
OTHER_PAGE = Text("Another page is to be laid first: {page}.", page="")
NO_SUCH_PAGE = Text("No deck is learnt from a page {page!r}.", page="")


class Teacher(Protocol):
    """What a phone hears of the deck that is being learnt, and how it goes on."""

    async def describe_lesson(self, request: Request) -> tuple[Mapping[str, Any], str | None]:
        """Return what is being learnt, or may be, and the address of the picture that was looked at."""

    async def fetch_cards(self, request: Request, asked: Any) -> Mapping[str, Any]:
        """Return the cards of a learnt deck, like ``ReadingBack.describe_cards``; their picture has an address."""

    async def begin(self, request: Request, wish: Mapping[str, Any]) -> None:
        """Begin with the deck that is wished for."""

    async def do(self, request: Request, act: str, form: Form) -> None:
        """Do one of the things that the page offers."""


class AtTheTable:
    """The table teaches, one deck for all phones."""

    def __init__(self, site: Site) -> None:
        self._site, self._learn = site, SharedAsk(site, "learn")
        self._sheet: tuple[Any, Mapping[str, Any]] | None = None

    async def describe_lesson(self, request: Request) -> tuple[Mapping[str, Any], str | None]:
        """Return what the table is learning."""
        answered = await self._learn.ask_now()
        return answered.told, answered.picture

    async def fetch_cards(self, request: Request, asked: Any) -> Mapping[str, Any]:
        """Return the cards, which the table is asked for once."""
        if self._sheet is None or self._sheet[0] != asked:
            self._sheet = asked, _unpack_sheet(await self._site.ask("learn.cards", {"of": asked}, BUSY_S))
        return self._sheet[1]

    async def begin(self, request: Request, wish: Mapping[str, Any]) -> None:
        """Have the table begin."""
        await self._learn.do("learn.begin", wish)

    async def do(self, request: Request, act: str, form: Form) -> None:
        """Have the table do it."""
        told = {"of": form.read_json("of", None), **_read_named(form)}
        await self._learn.do(f"learn.{act}", told)


@dataclass
class _Lesson:
    """A deck that a phone teaches: the steps that lead to where it is, and what the worker said of the last one.

    Its folder in the state folder has all of it, so that it goes on when the page was started anew.
    """

    folder: Path
    deck: str
    pages: tuple[str, ...]
    answer: Mapping[str, Any] = field(default_factory=dict)
    steps: list[Mapping[str, Any]] = field(default_factory=list)
    taken: int = 0

    @classmethod
    def read(cls, folder: Path) -> _Lesson:
        """Read the lesson in a folder.

        Raises:
            ValueError, OSError, TypeError: there is none, or it is damaged.
        """
        told = json.loads((folder / _WRITTEN).read_text(encoding="utf-8"))
        return cls(folder, **{**told, "pages": tuple(told["pages"])})

    def write(self) -> None:
        """Write it to the disk; where the deck is kept nothing more is needed.

        Raises:
            DeviceError: it can't be written.
        """
        if self.learning["stage"] == "kept":
            self.forget()
            return
        told = {name: getattr(self, name) for name in ("deck", "pages", "answer", "steps", "taken")}
        with replace_file(self.folder / _WRITTEN) as unfinished:
            unfinished.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")

    def forget(self) -> None:
        """Remove its folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def learning(self) -> Mapping[str, Any]:
        """Where it is."""
        told: Mapping[str, Any] = self.answer["learning"]
        return told

    def add_step(self, step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the steps with one more; a picture that was found wanting gives way to the next one."""
        again = step["do"] == "look" and bool(self.steps) and self.steps[-1]["do"] == "look"
        wanting = again and self.learning["stage"] in ("faulty", "doubtful", "mat") and not self.learning["sent_back"]
        return [*(self.steps[:-1] if wanting else self.steps), step]


class ByPictures:
    """Each phone teaches a deck by its own pictures, which the worker looks at."""

    def __init__(self, site: Site) -> None:
        self._site, self._folder = site, site.state / FOLDER
        self._lessons: OrderedDict[str, _Lesson] = OrderedDict()
        with suppress(OSError):
            for folder in sorted(self._folder.iterdir(), key=lambda one: one.stat().st_mtime):
                try:
                    self._lessons[folder.name] = _Lesson.read(folder)
                except (ValueError, OSError, TypeError):
                    shutil.rmtree(folder, ignore_errors=True)

    async def describe_lesson(self, request: Request) -> tuple[Mapping[str, Any], str | None]:
        """Return what this phone is teaching."""
        lesson = self._lessons.get(_name_folder(request))
        told = {
            "busy": "",
            "learning": lesson.learning if lesson is not None else None,
            "decks": list(known_decks(self._site.shelf, load_settings(self._site.state).game.deck)),
            "kinds": [each_json(kind.words) for kind in deck_kinds()],
        }
        return told, lesson.answer["picture"] if lesson is not None else None

    async def fetch_cards(self, request: Request, asked: Any) -> Mapping[str, Any]:
        """Return the cards, which came with the last answer."""
        return _unpack_sheet(self._lessons[_name_folder(request)].answer["sheet"])

    async def begin(self, request: Request, wish: Mapping[str, Any]) -> None:
        """Begin a lesson in place of the one that this phone has begun before."""
        name, shelf = wish["name"], self._site.shelf
        if wish["new"] and name in (*shelf.list_names(), *shelf.ready):
            raise DeviceError(NAME_TAKEN.refill(name=name))
        if not wish["new"] and name not in (*shelf.list_names(), *(shelf.ready if wish["papers"] else ())):
            raise OtherQuestionError(OTHERWISE)
        shelf.get_path(name)
        phone = _name_folder(request)
        self._leave(phone)
        make_folder(self._folder / phone)
        lesson = _Lesson(self._folder / phone, name, wish["pages"])
        try:
            await self._take(lesson, {"do": "begin"})
        except BaseException:
            lesson.forget()
            raise
        self._lessons[phone] = lesson
        while len(self._lessons) > _LESSONS:
            self._leave(next(iter(self._lessons)))

    async def do(self, request: Request, act: str, form: Form) -> None:
        """Take the step that the page offers; a picture says by itself which deck and page it is of."""
        phone = _name_folder(request)
        page, deck = form.fields.get("page", ""), form.fields.get("deck", "").strip()
        if act == "look" and deck and (phone not in self._lessons or self._lessons[phone].deck != deck):
            is_new = deck not in self._site.shelf.list_names()
            await self.begin(request, {"name": deck, "new": is_new, "pages": _find_pages(page), "papers": ()})
        lesson = self._lessons.get(phone)
        if lesson is None or ("of" in form.fields and form.read_json("of", None) != lesson.learning["asked"]):
            raise OtherQuestionError(OTHERWISE)
        told = lesson.learning
        if act not in told["may"]:
            raise OtherQuestionError(OTHERWISE)
        if act == "leave" or (act == "back" and told["first"]):
            self._leave(phone)
        elif act == "look":
            await self._look(lesson, page, form)
        else:
            await self._take(lesson, {"do": act, **_read_named(form)})

    async def _look(self, lesson: _Lesson, page: str, form: Form) -> None:
        if page and page != lesson.learning["page"]:
            raise DeviceError(OTHER_PAGE.refill(page=lesson.learning["page"]))
        if not form.files:
            raise DeviceError(NO_PICTURE)
        name, file = form.files[0]
        if sum(one.stat().st_size for one in (file, *lesson.folder.iterdir())) > _MOST_BYTES:
            raise DeviceError(TOO_LONG)
        kept = f"picture-{lesson.taken}"
        try:
            shutil.move(file, lesson.folder / kept)
        except OSError as error:
            raise refused_by_the_system(error) from error
        await self._take(lesson, {"do": "look", "file": kept, "name": name})

    async def _take(self, lesson: _Lesson, step: Mapping[str, Any]) -> None:
        """Have the worker take a step; one that can't be taken leaves the lesson where it is."""
        steps = lesson.add_step(step)
        if len(steps) > _MOST_STEPS:
            raise DeviceError(TOO_LONG)
        job = {"lesson": str(lesson.folder), "deck": lesson.deck, "pages": lesson.pages, "steps": steps}
        try:
            lesson.answer = await self._site.scorer.ask({**job, "taken": lesson.taken})
            lesson.steps = steps
            lesson.taken += 1
            lesson.write()
        finally:
            wanted = {_WRITTEN, *(one.get("file") for one in lesson.steps)}
            for file in lesson.folder.glob("*"):
                if file.name not in wanted:
                    file.unlink()

    def _leave(self, phone: str) -> None:
        lesson = self._lessons.pop(phone, None)
        if lesson is not None:
            lesson.forget()


def _read_named(form: Form) -> dict[str, str]:
    """Read which page, or which two cards, something is to be done with."""
    return {name: form.fields.get(name, "") for name in ("page", "card", "other")}


def _name_folder(request: Request) -> str:
    """Name the folder of a phone's lesson: whatever the phone says that it is called, a name of our own."""
    return blake2b(find_phone(request).encode(), digest_size=12).hexdigest()


def _find_pages(page: str) -> tuple[str, ...]:
    """Find the pages of the first kind of deck that is learnt from this one.

    Raises:
        DeviceError: there is none.
    """
    for kind in deck_kinds():
        if page in kind.pages:
            return kind.pages
    raise DeviceError(NO_SUCH_PAGE.refill(page=page))


def _unpack_sheet(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Unpack the cards that are read back and their picture, whose address is that of these cards and no others."""
    jpeg = base64.b64decode(sheet["jpeg"])
    return {**sheet, "jpeg": jpeg, "address": f"/learn/cards.jpg?{blake2b(jpeg, digest_size=8).hexdigest()}"}
