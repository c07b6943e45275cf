"""Decks taught by pictures that phones send, in the worker: the same lesson as before a table's camera."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.capture.capture import News, Seen
from device.capture.drawing import mark_picture
from device.capture.sent_picture import read_sent
from device.enrol.learning import Glance, Learning, LearningPlan, page_learner
from device.enrol.ready_decks import deck_shelf
from device.hardware.camera import Picture
from device.settings.settings_file import change_setting, load_settings
from rules.text import Language, Text
from vision.identify.deck import Deck
from web.results.progress import Report, find_shown_markers, report_nothing
from web.setting_up.shared_asks import as_address

_KEPT = 2
"""So many lessons stay in memory; another one is taught again by its pictures when somebody goes on with it."""


@dataclass
class SentPages:
    """Pages that are looked at in the pictures that a phone sends."""

    open_reader: Callable[[], Callable[[Picture], Glance]]
    _read: Callable[[Picture], Glance] | None = None
    _news: list[News[Glance]] = field(default_factory=list)

    def start(self) -> None:
        """Wait for the first picture."""

    def stop(self) -> None:
        """Do nothing: between two pictures nothing is looked at."""

    def look_again(self) -> None:
        """Do nothing: the picture that is shown next is looked at anyway."""

    def take_news(self) -> Iterable[News[Glance]]:
        """Return what the last picture has shown."""
        news, self._news = self._news, []
        return news

    def show(self, picture: Picture) -> None:
        """Have a picture (h, w, 3) BGR uint8 looked at."""
        if self._read is None:
            self._read = self.open_reader()
        self._news.append(Seen(self._read(picture)))


class PictureLesson:
    """One deck being taught: steps are taken one by one, each a picture or what was pressed."""

    def __init__(self, state: Path, name: str, pages: tuple[str, ...], report: Report = report_nothing) -> None:
        self._state, self._name, self._pages, self._report = state, name, pages, report
        self._picture: Picture | None = None
        self._begin()

    def _begin(self) -> None:
        settings = load_settings(self._state)
        mat_mm, shelf = settings.table.mat_mm, deck_shelf(self._state)
        lookouts: list[SentPages] = []

        def lookout_for(open_reader: Callable[[], Callable[[Picture], Glance]]) -> SentPages:
            lookouts.append(SentPages(open_reader))
            return lookouts[-1]

        def keep(deck: Deck) -> Text:
            shelf.save(self._name, deck)
            return Text("The deck {name!r} is known now.", name=self._name)

        plan = LearningPlan(keep, lambda: None, mat_mm, self._use_mat, self._pages)
        self._learning = Learning(
            lambda: page_learner(self._name, mat_mm, self._pages, shelf.load), lookout_for, Language.EN, plan
        )
        (self._lookout,) = lookouts

    def _use_mat(self, mat_mm: tuple[float, float]) -> None:
        """Begin anew on a mat of that size, with the picture that has shown it."""
        change_setting(self._state, "table.mat_mm", mat_mm)
        self._begin()
        if self._picture is not None:
            self._look(self._picture)

    def take(self, step: Mapping[str, Any], folder: Path) -> None:
        """Take one step.

        Raises:
            DeviceError, VisionError: its picture can't be read, or the deck can't be kept.
        """
        match step["do"]:
            case "look":
                picture = read_sent(folder / step["file"], step["name"])
                self._report(find_shown_markers(picture))
                self._look(picture)
            case "insist" if self._picture is not None:
                self._learning.insist()
                self._show_picture(self._picture)
            case "mat":
                self._learning.take_mat()
            case "back":
                self._learning.go_back()
            case "keep":
                self._learning.keep()
            case "anew":
                self._learning.learn_anew(step["page"])
            case "swap":
                self._learning.swap_names(step["card"], step["other"])

    def _look(self, picture: Picture) -> None:
        self._picture = picture
        if self._learning.describe_lesson()["sent_back"]:
            self._learning.look_again()  # that page lies there now
        self._learning.look_again()
        self._show_picture(picture)

    def _show_picture(self, picture: Picture) -> None:
        self._lookout.show(picture)
        self._learning.run_round()

    def describe(self) -> dict[str, Any]:
        """Return where the lesson is, as the table says it of its own, with the picture that was looked at."""
        learning = self._learning
        picture, over = learning.get_picture(), learning.read_back
        drawn = None
        if picture is not None:
            shown = picture.as_json(0)
            drawn = as_address(mark_picture(picture.jpeg, shown["mat"], shown["marks"]))
        told = learning.describe_lesson()
        return {
            "learning": {**told, "deck": self._name, "page": learning.page},
            "picture": drawn,
            "sheet": over.describe_cards() if over is not None else None,
        }


class PictureLessons:
    """The lessons of one state folder."""

    def __init__(self, state: Path, report: Report = report_nothing) -> None:
        self._state, self._report = state, report
        self._lessons: OrderedDict[str, tuple[int, PictureLesson]] = OrderedDict()

    def answer(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Return where a lesson is after the last of its steps.

        Raises:
            DeviceError, VisionError: the step can't be taken; then the lesson is where it was.
        """
        folder, steps = job["lesson"], job["steps"]
        known = self._lessons.pop(folder, None)
        if known is not None and known[0] == job["taken"]:
            lesson, left = known[1], steps[-1:]
        else:
            lesson, left = PictureLesson(self._state, job["deck"], tuple(job["pages"]), self._report), steps
        for step in left:
            lesson.take(step, Path(folder))
        self._lessons[folder] = job["taken"] + 1, lesson
        while len(self._lessons) > _KEPT:
            self._lessons.popitem(last=False)
        return lesson.describe()
