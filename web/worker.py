"""Scores uploaded pictures in a process of its own, with less of everything.

Whatever a picture does to the decoder, the referee goes on.

Run as ``python -m web.worker STATE``. Jobs come in as JSON objects, a line each, and so go the answers; before one
may come what was found so far, as ``progress``.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import ui  # noqa: F401 - the languages are loaded with it
from device.capture.drawing import all_card_words, as_png, card_corners, drawn_size, for_a_phone, phone_frame
from device.capture.mat_finder import MatFinder
from device.capture.sent_picture import read_sent
from device.capture.table_reader import close_up
from device.enrol.ready_decks import deck_for_game, deck_shelf
from device.errors import DeviceError
from device.hardware.camera import Picture
from device.scoring.looking import ByHand, picture_reader, with_named
from device.scoring.pictures import PictureSeen, picture_drawn, score_of, seen_in
from device.scoring.table import SAY_HOW_MANY, MiscountedError, Table, choose_tables, list_countable
from device.scoring.telling import kept_json, score_json
from device.settings.settings_file import load_settings
from device.speech import each_json
from referee.finished.score import Fault, Score
from referee.registry import load_scorings
from referee.table import CAUSES, Sighting, Unread
from rules.text import Language, Text, verbatim
from vision.arrays import Doubles
from vision.errors import VisionError
from vision.identify.deck import Deck
from vision.reader import Reader
from web.results.photo import Photo, join_photos
from web.results.progress import Report, find_shown_markers, report_nothing
from web.setting_up.picture_lessons import PictureLessons

MEMORY_BYTES = 3 << 30
"""Addresses, of which the models' libraries take a third without using them; a large picture takes half a gigabyte."""
NICENESS = 10
_THREADS = 2
_PR_SET_PDEATHSIG = 1
"""See prctl(2)."""
_KEPT = 6
"""So many tables are remembered as they were read, for what people then say of them."""

UNFORESEEN = Text("This picture could not be scored, for a reason that was not foreseen: take another one.")


@dataclass(frozen=True, slots=True)
class _Look:
    """A part of a table as it was read, with its picture made small and the files of its cards' close-ups.

    ``frame`` is what phones are shown of the picture.
    """

    seen: PictureSeen
    picture: Picture
    close_ups: tuple[str, ...]
    frame: tuple[int, int, int, int]

    @property
    def marks(self) -> tuple[Sighting | Unread, ...]:
        """All that was seen, whether it could be read or not."""
        return *self.seen.cards.sightings, *self.seen.cards.unread


class PictureScorer:
    """Scores tables of one state folder from pictures."""

    def __init__(self, state: Path, report: Report = report_nothing) -> None:
        self._state, self._report = state, report
        self._looks: OrderedDict[str, tuple[_Look, ...]] = OrderedDict()
        self._lessons = PictureLessons(state, report)

    @cached_property
    def _reader(self) -> Reader:
        return picture_reader()

    def answer(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a job with its score; a table that can't be scored has an ``error``, a sentence in each language."""
        try:
            return self._lessons.answer(job) if "lesson" in job else self._score_job(job)
        except (DeviceError, VisionError) as error:
            return {"error": each_json(getattr(error, "on_a_phone", None) or error.text)}
        except Exception as error:
            # The last line of defence: a picture must not end the evening's scoring.
            print(f"sevenmat: a picture could not be scored: {type(error).__name__}: {error}", file=sys.stderr)
            return {"error": each_json(UNFORESEEN)}

    def _score_job(self, job: Mapping[str, Any]) -> dict[str, Any]:
        mat_mm = (float(job["mat"][0]), float(job["mat"][1])) if job["mat"] else None
        names, folder = list(job["pictures"]), Path(job["folder"])
        fitting = self._count_seats(job, mat_mm) if not job["seats"] else ()
        seats = job["seats"] or next(iter(fitting), None)
        table = Table.set_up(job["game"], seats, job["players"], mat_mm, job["told"])
        if len(names) != len(table.parts):
            raise DeviceError(
                Text(
                    "With {players} players not all find room at once: give {parts} pictures, one for each part.",
                    players=len(table.players),
                    parts=len(table.parts),
                )
                if len(table.parts) > 1
                else Text("Give one picture of the table.")
            )
        deck_name = self._choose_deck(job, table)
        looks = self._read_pictures(folder, names, deck_shelf(self._state).load(deck_name), table, mat_mm)
        named = [[_read_by_hand(one) for one in part] for part in job["named"]]
        named += [[] for _ in looks[len(named) :]]
        miscounted: MiscountedError | None = None
        try:
            every = score_of([look.seen for look in looks], table, (), named)
        except MiscountedError as error:
            miscounted = error
            every = score_of([look.seen for look in looks], table, (), named, counted=False)
        confirmed = _find_confirmed(looks, table, named, set(job["confirmed"]), every)
        score = score_of([look.seen for look in looks], table, confirmed, named, False) if confirmed else every
        language = Language.from_code(job["language"])
        for part, look in enumerate(looks):
            drawn = picture_drawn(look.picture, look.seen, named[part], table, score, part, language)
            (folder / f"picture-{part}.png").write_bytes(as_png(drawn))
            (folder / f"picture-{part}.jpg").write_bytes(for_a_phone(drawn, look.frame))
        photo = join_photos([(look.picture, look.frame) for look in looks])
        (folder / "photo.jpg").write_bytes(photo.jpeg)
        told = [one for part in named for one in part]
        several = len(fitting) > 1
        if several:
            score = replace(score, winners=None, why=None)
        settled = score.winners is not None and score.why is not None
        return {
            "score": {one.code: {**score_json(names, table, score, one), "deck": deck_name} for one in Language.all()},
            "sheet": _make_sheet(table, deck_name, score, looks, named, confirmed, miscounted, photo)
            | {"fitting": list(fitting) if several else []},
            "kept": kept_json(table, deck_name, score, told, confirmed) if settled else None,
            **({"error": each_json(why)} if (why := _say_wrong_count(miscounted, several)) is not None else {}),
        }

    def _choose_deck(self, job: Mapping[str, Any], table: Table) -> str:
        """Return the name of the deck that lies on the table."""
        usual = load_settings(self._state).game.deck
        return job["deck"] or deck_for_game(deck_shelf(self._state), table.scoring, usual)

    def _count_seats(self, job: Mapping[str, Any], mat_mm: tuple[float, float] | None) -> tuple[int, ...]:
        """Count the players by the picture, where nothing else says how many play and a picture can.

        Several numbers may fit.
        """
        scoring = load_scorings().get(job["game"])
        numbers = list_countable(scoring, len(job["pictures"])) if scoring is not None and not job["players"] else ()
        if not numbers:
            return ()
        tables = [Table.set_up(job["game"], number, (), mat_mm, job["told"]) for number in numbers]
        deck = deck_shelf(self._state).load(self._choose_deck(job, tables[0]))
        (look,) = self._read_pictures(Path(job["folder"]), job["pictures"], deck, tables[0], mat_mm)
        fitting = choose_tables(tables, look.seen.cards, look.seen.mat.size_mm)
        return tuple(len(table.players) for table in fitting)

    def _read_pictures(
        self, folder: Path, names: Sequence[str], deck: Deck, table: Table, mat_mm: tuple[float, float] | None
    ) -> tuple[_Look, ...]:
        """Return the pictures of a job as they were read; they are read once for each deck."""
        scoring = table.scoring
        # Where the number of players can be told, what is seen does not depend on it.
        seats = 0 if len(table.players) in list_countable(scoring, len(names)) else len(table.players)
        key = f"{folder} {deck.name} {mat_mm} {scoring.rules.name} {seats}"
        if key not in self._looks:
            settled = load_settings(self._state).table
            find = MatFinder(mat_mm, settled.marker_mm, settled.mat_mm)
            deck = self._reader.up_to_date(deck)
            looks = []
            for part, name in enumerate(names):
                picture = read_sent(folder / str(part), name)
                self._report(find_shown_markers(picture, part))
                seen = seen_in(picture, self._reader, deck, table, find, part)
                small = drawn_size(picture).copy()
                tag = blake2b(key.encode(), digest_size=4).hexdigest()
                close_ups = tuple(_close_ups(folder, f"{part}-{tag}", picture, seen))
                looks.append(_Look(seen, small, close_ups, phone_frame(seen.mat, small)))
                self._report({"cards": len(seen.cards.sightings)})
            self._looks[key] = tuple(looks)
            while len(self._looks) > _KEPT:
                self._looks.popitem(last=False)
        self._looks.move_to_end(key)
        return self._looks[key]


def _say_wrong_count(miscounted: MiscountedError | None, several: bool) -> Text | None:
    """Say that it is not known how many play, or that others do."""
    return SAY_HOW_MANY if several else miscounted.on_a_phone if miscounted is not None else None


def _close_ups(folder: Path, part: str, picture: Picture, seen: PictureSeen) -> Iterator[str]:
    """Write what is seen at the place of each card, and give the files' names."""
    for number, card in enumerate(seen.cards.sightings):
        shown = cv2.imencode(".jpg", close_up(picture, seen.mat, card))[1].tobytes()
        (folder / (name := f"card-{part}-{number}.jpg")).write_bytes(shown)
        yield name
    for number, mark in enumerate(seen.cards.unread):
        (folder / (name := f"close-up-{part}-{number}.png")).write_bytes(as_png(close_up(picture, seen.mat, mark)))
        yield name


def _read_by_hand(one: Mapping[str, Any]) -> ByHand:
    """Read what a job says of a card that was named by hand."""
    return ByHand(one["card"], one["x"], one["y"], tuple(one["more"]), one.get("read", ""))


def fault_key(fault: Fault) -> str:
    """Return by what a form names a fault."""
    words = f"{fault.reason.code} {fault.seat} {fault.reason.text}"
    return blake2b(words.encode(), digest_size=8).hexdigest()


def _find_confirmed(
    looks: Sequence[_Look], table: Table, named: Sequence[Sequence[ByHand]], keys: set[str], score: Score
) -> set[Fault]:
    """Return the faults that people let stand: one that is let stand may show the next."""
    confirmed: set[Fault] = set()
    while more := {one for one in score.faults if fault_key(one) in keys} - confirmed:
        confirmed |= more
        score = score_of([look.seen for look in looks], table, confirmed, named, False)
    return confirmed


def _make_sheet(
    table: Table,
    deck: str,
    score: Score,
    looks: Sequence[_Look],
    named: Sequence[Sequence[ByHand]],
    confirmed: Collection[Fault],
    miscounted: MiscountedError | None,
    photo: Photo,
) -> dict[str, Any]:
    """Return the score for a page: words in each language, by the language's code."""
    scoring = table.scoring
    return {
        "game": scoring.rules.name,
        "title": each_json(scoring.rules.title),
        "deck": deck,
        "why": each_json(score.why) if score.why is not None else None,
        "settled": score.winners is not None,
        "categories": [each_json(words) for words in score.categories],
        "players": [
            {
                "seat": tally.seat,
                "name": each_json(table.names[tally.seat - 1]),
                "points": tally.points,
                "place": score.places[tally.seat - 1],
                "winner": tally.seat in (score.winners or ()),
                "categories": list(tally.categories),
                "lines": [
                    {"words": each_json(item.words), "points": item.points, "data": dict(item.data)}
                    for items in tally.groups.values()
                    for item in items
                ],
                "notes": [each_json(words) for words in tally.notes],
            }
            for tally in score.tallies
        ],
        "faults": [
            {"key": fault_key(fault), "words": each_json(fault.reason.text), "told": fault.told}
            for fault in score.faults
        ],
        "stands": [{"key": fault_key(fault), "words": each_json(fault.reason.text)} for fault in confirmed],
        "miscounted": miscounted.players if miscounted is not None else None,
        "unread": list(_describe_unread(table, score, looks, named)),
        "cards": [
            card
            for part, look in enumerate(looks)
            for card in _describe_cards(look, part, named[part], bool(table.scoring.cards.grids), photo)
        ],
        "photo": {"file": "photo.jpg", "size": list(photo.size), "seats": dict(_locate_seats(looks, table, photo))},
        "pictures": [f"picture-{part}.png" for part in range(len(looks))],
    }


def _describe_cards(
    look: _Look, part: int, named: Sequence[ByHand], several: bool, photo: Photo
) -> Iterator[dict[str, Any]]:
    """Yield every card of a part, its place, and what people have said of it; ``several`` may lie in a place."""
    said = {(one.read, one.x, one.y): one for one in named}
    for mark, close in zip(look.marks, look.close_ups, strict=True):
        likely: tuple[str, ...] = ()
        if isinstance(mark, Sighting):
            read, words = mark.name, all_card_words().get(mark.name, verbatim(mark.name))
        else:
            read, likely, words = "", mark.guesses, CAUSES.get(mark.cause, CAUSES["doubtful"])
        own = said.get((read, mark.x, mark.y))
        yield {
            "part": part,
            "x": mark.x,
            "y": mark.y,
            "read": read,
            "words": each_json(words),
            "named": list(own.names) if own is not None else None,
            "close_up": close,
            "visible": mark.visible,
            "likely": list(likely),
            "several": several and isinstance(mark, Unread) and not mark.candidates,
            "outline": _project_on_photo(look, part, card_corners(mark), photo),
        }


def _locate_seats(looks: Sequence[_Look], table: Table, photo: Photo) -> Iterator[tuple[str, list[list[int]]]]:
    """Yield each player's area in the photograph, px, by the seat."""
    for part, look in enumerate(looks):
        layout = table.lay_out(look.seen.mat.size_mm, part)
        for place, seat in enumerate(table.parts[part], 1):
            x0, y0, x1, y1 = layout.seat_rect(place)
            corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            yield str(seat), _project_on_photo(look, part, corners, photo)


def _project_on_photo(look: _Look, part: int, points_mm: Doubles, photo: Photo) -> list[list[int]]:
    """Return points on the mat (n, 2) in the photograph, px."""
    scale = look.picture.shape[1] / look.seen.mat.picture_size[0]
    places = photo.find_places(look.seen.mat.to_px(points_mm) * scale - look.frame[:2], part)
    return [[round(float(x)), round(float(y))] for x, y in places]


def _describe_unread(
    table: Table, score: Score, looks: Sequence[_Look], named: Sequence[Sequence[ByHand]]
) -> Iterator[dict[str, Any]]:
    """Yield the cards that matter and can't be named, each with its close-up and what it may be."""
    words_of = dict(score.unread)
    for part, (look, told) in enumerate(zip(looks, named, strict=True)):
        left = with_named(look.seen.cards, told)
        single = table.scoring.cards.is_single
        gone = {card.name for card in left.sightings if single(card.name)}
        for number, mark in enumerate(look.seen.cards.unread):
            if mark in left.unread and mark in words_of:
                yield {
                    "part": part,
                    "x": mark.x,
                    "y": mark.y,
                    "words": each_json(words_of[mark]),
                    "close_up": look.close_ups[len(look.seen.cards.sightings) + number],
                    "likely": [name for name in mark.guesses if name not in gone],
                    "gone": sorted(gone),
                    "several": bool(table.scoring.cards.grids) and not mark.candidates,
                }


def main() -> int:
    """Answer jobs until the input ends."""
    os.nice(NICENESS)
    if sys.platform == "linux":
        # A page that is killed takes its worker along, in the midst of a picture too.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cv2.setNumThreads(_THREADS)
    scorer = PictureScorer(Path(sys.argv[1]), lambda told: _say({"progress": told}))
    for line in sys.stdin:
        _say(scorer.answer(json.loads(line)))
    return 0


def _say(told: Mapping[str, Any]) -> None:
    print(json.dumps(told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    sys.exit(main())
