"""Learning a deck: live, page by page from still pictures, or by ``sevenmat enrol`` from picture files."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from device.artwork.paper_print import printed_papers
from device.capture.capture import measured_by
from device.capture.eye import card_reader
from device.capture.mat_finder import MatFinder
from device.enrol.laying import PagePart, page_words
from device.errors import DeviceError
from device.speech import Language
from device.storage.deck_store import DeckShelf
from referee.papers import house_pages, side_on
from rules.text import Text, join_row, plural
from vision.arrays import Picture
from vision.enrol import (
    PAGES,
    EnrolError,
    Page,
    PageFault,
    deck_of,
    divide_page,
    enrol_pages,
    is_learnt_alone,
    look_alikes,
    name_card,
    page_of,
    place_cards,
    place_part,
    read_page,
    read_pages,
    report_unmeasured,
    teach_card,
    with_house_papers,
)
from vision.enrol.paper_order import find_papers_in_doubt
from vision.enrol.paper_print import faces_in, faces_of
from vision.errors import LightError, MatError
from vision.identify.deck import Deck
from vision.mat import Mat
from vision.picture import load_picture
from vision.reader import Reader

_PAPER_PAGES = ("review", "complete")
_PAIRS_SAID = 6


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What one still picture gave: the page it was taken for, and what to mend on it (nothing: it is accepted)."""

    page: str
    faults: tuple[PageFault, ...]
    part: int = 0
    """The part of the page that the picture was shown for, counted from 0."""
    measured: tuple[int, int] | None = None
    """The mat's size (whole mm) where it is another one than is set."""

    @property
    def accepted(self) -> bool:
        """The page is learnt; the next one may be laid."""
        return not self.faults

    @property
    def may_insist(self) -> bool:
        """The faults are but doubts about which card is which, and the players may know better."""
        return bool(self.faults) and all(fault.doubtful for fault in self.faults)


class LiveEnrolment:
    """Learns a deck from still pictures, page by page in ``order``; whoever owns camera, buttons and screen feeds it.

    ``show`` a still picture of ``page``, or of the ``part`` of it that is to be laid; mend what the verdict names and
    show another, ``insist`` where it only doubts, or go ``back`` a page. When ``page`` is None, ``deck`` is there;
    ``redo`` has a page of it learnt anew.
    """

    def __init__(
        self,
        reader: Reader,
        name: str,
        mat_mm: tuple[float, float] | None = None,
        order: tuple[str, ...] = PAGES,
        base: Deck | None = None,
    ) -> None:
        """Begin a deck; ``base`` is the one that papers of the house are learnt into, where the pages are theirs."""
        self._base = base
        self._reader = reader
        self._name = name
        self._order = order
        self._mat_mm = mat_mm
        self._pages: dict[str, Page] = {}
        self._laid: list[Page] = []
        self._shown: tuple[Picture, dict[str, Page], list[Page]] | None = None
        self._asked: frozenset[str] = frozenset()
        self._confirmed: frozenset[str] = frozenset()
        self.deck: Deck | None = None

    @property
    def page(self) -> str | None:
        """The page to lay now; None when the deck is learnt."""
        return next((page for page in self._order if page not in self._pages), None)

    @property
    def words(self) -> Text | None:
        """What to lay now, for the players; None when the deck is learnt."""
        return page_words(self.page) if self.page else None

    @property
    def part(self) -> PagePart | None:
        """The part of the page to lay now; None where the mat has room for the whole page, or none at all."""
        page = self.page
        try:
            parts = self._split_page(page) if page is not None else ()
        except MatError:
            return None
        return PagePart(len(self._laid), len(parts), parts[len(self._laid)]) if len(parts) > 1 else None

    def list_places(self, page: str, number: int) -> Mapping[str, tuple[float, float]]:
        """List where cards lie on a page, or on that part of it (from 0): mm by name; none where that is unknown.

        Raises:
            MatError: the mat has no room for them.
        """
        if self._mat_mm is None:
            return {}
        parts = self._split_page(page)
        return place_part(page, parts[number], self._mat_mm) if len(parts) > 1 else place_cards(page, self._mat_mm)

    def mat_in(self, picture: Picture) -> Mat:
        """Find the mat in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: it can't be measured.
        """
        return MatFinder(self._mat_mm)(picture)

    def _split_page(self, page: str) -> tuple[tuple[str, ...], ...]:
        """Return the parts in which a page is laid.

        Raises:
            MatError: the mat is too small for any.
        """
        return divide_page(page, self._mat_mm) if self._mat_mm is not None else ((),)

    def show(self, picture: Picture) -> PageVerdict:
        """Look at a still picture (h, w, 3) BGR uint8 of what is to be laid.

        Raises:
            ValueError: the deck is learnt already.
        """
        self._shown = picture, dict(self._pages), list(self._laid)
        self._asked = frozenset()
        if self.page == "review":
            self._confirmed = frozenset()
        return self._judge_picture(picture, as_laid=False)

    def insist(self) -> PageVerdict:
        """Accept the picture shown last, as the players say it lies right: doubts are dropped, real faults stay.

        Raises:
            ValueError: no picture of this page was shown.
        """
        if self._shown is None:
            raise ValueError("no picture was shown")
        picture, pages, laid = self._shown
        # A doubt may have sent the players back; the picture is still one of what it was shown for.
        self._pages, self._laid = dict(pages), list(laid)
        self._confirmed |= self._asked
        return self._judge_picture(picture, as_laid=True)

    def go_back(self) -> None:
        """Lay what was laid before this again; on the first page nothing changes."""
        self.deck = self._shown = None
        if self._laid:
            self._laid.pop()
        elif self._pages:
            self._pages.popitem()

    def redo(self, page: str) -> None:
        """Learn a page anew of a deck that is learnt; the other pages stay."""
        self.deck = self._shown = None
        self._laid = []
        self._pages.pop(page, None)

    def swap_names(self, one: str, other: str) -> None:
        """Call two cards of a learnt deck by each other's name; two papers on either side.

        Raises:
            ValueError: the deck is not learnt, or no page has both.
        """
        pages = {}
        for page, learnt in self._pages.items():
            names = [name.partition("/")[0] + (f"/{side_on(page)}" if "/" in name else "") for name in (one, other)]
            called = dict(zip(names, reversed(names), strict=True)) if set(names) <= set(learnt.names) else {}
            pages[page] = replace(learnt, names=tuple(called.get(name, name) for name in learnt.names))
        if self.deck is None or all(pages[page].names == learnt.names for page, learnt in self._pages.items()):
            raise ValueError(f"no page has both {one} and {other}")
        self._pages = pages
        self.deck = _build_deck(self._reader, self._name, self._pages, self._base, as_laid=True)

    def _judge_picture(self, picture: Picture, as_laid: bool) -> PageVerdict:
        page = self.page
        if page is None:
            raise ValueError("the deck is learnt already")
        number = len(self._laid)
        try:
            parts = self._split_page(page)
            part = parts[number] if len(parts) > 1 else None
            read = read_page(self._reader, page, picture, self._mat_mm, as_laid, part)
            if part is not None:
                self._laid.append(read)
                if len(self._laid) < len(parts):
                    self._shown = None
                    return PageVerdict(page, (), number)
                read = self._join_parts(page, parts, as_laid)
            self._pages[page] = read
            self._pages = {known: self._pages[known] for known in self._order if known in self._pages}
            deck = (
                _build_deck(self._reader, self._name, self._pages, self._base, as_laid) if self.page is None else None
            )
            if not as_laid and page in _PAPER_PAGES:
                self._doubt_order()
            self.deck = deck
        except (MatError, LightError) as error:
            return PageVerdict(page, (report_unmeasured(page, error),), number, measured_by(error))
        except EnrolError as error:
            # A fault between the two paper pages may be the earlier one's; then that one is to be laid again.
            first = min(self._order.index(fault.page) for fault in error.faults)
            for later in self._order[first : self._order.index(page) + 1]:
                self._pages.pop(later, None)
            return PageVerdict(page, error.faults, number)
        self._shown = None
        return PageVerdict(page, (), number)

    def _join_parts(self, page: str, parts: Sequence[Sequence[str]], as_laid: bool) -> Page:
        """Join a page of all its parts; where they don't fit together, the first one concerned is to be laid again.

        Raises:
            EnrolError: cards lie in each other's place.
        """
        laid, self._laid = self._laid, []
        try:
            return page_of(page, laid, as_laid)
        except EnrolError as error:
            concerned = {card for fault in error.faults for card in fault.cards}
            first = next((number for number, part in enumerate(parts) if concerned & set(part)), 0)
            self._laid = laid[:first]
            raise

    def _doubt_order(self) -> None:
        """Ask about papers that seem to lie in each other's place, but for those that the players vouched for.

        Raises:
            EnrolError: some do.
        """
        laid = {page: faces_of(self._pages[page]) for page in _PAPER_PAGES if page in self._pages}
        doubts = [
            fault for fault in find_papers_in_doubt(laid, printed_papers()) if not self._confirmed >= set(fault.cards)
        ]
        self._asked = frozenset(kind for fault in doubts for kind in fault.cards)
        if doubts:
            raise EnrolError(doubts)


def _build_deck(reader: Reader, name: str, pages: Mapping[str, Page], base: Deck | None, as_laid: bool) -> Deck:
    """Make the deck that these pages teach, or to which they add papers of the house.

    Raises:
        EnrolError: the pages don't fit together.
    """
    if base is None:
        return deck_of(reader, name, pages, as_laid)
    review, complete = pages.values()
    return with_house_papers(reader, base, review, complete, as_laid)


def enrol_house_papers(
    name: str,
    kinds: Sequence[str],
    files: Mapping[str, str],
    mat_mm: tuple[float, float] | None,
    shelf: DeckShelf,
    language: Language,
    as_laid: bool = False,
    as_json: bool = False,
) -> int:
    """Learn papers of the house, by their names in the order in which they lie, into a deck that is known.

    ``files`` are the pictures of their two pages, ``review`` and ``complete``. Returns the exit code as
    ``enrol_pictures`` does.

    Raises:
        DeviceError: there is no such deck, or the shelf can't be written.
        VisionError: the deck's file is damaged, or a picture can't be read.
    """
    base = shelf.load(name)
    pictures = {page: load_picture(Path(files[side_on(page)])) for page in house_pages(kinds)}
    reader = card_reader()
    try:
        pages = read_pages(reader, pictures, mat_mm, as_laid)
        deck = _build_deck(reader, name, pages, base, as_laid)
    except EnrolError as error:
        return _say_faults(name, error.faults, language, as_json)
    path = shelf.save(name, deck)
    taught = [face for page in pages.values() for face in page.names]
    learnt = join_row(name_card(f"{kind}/review") for kind in kinds)
    done = Text("Learnt into deck {name!r}: {cards}.", name=name, cards=learnt)
    alike = [pair for pair in look_alikes(deck) if set(pair) & set(taught)]
    _say_done(deck, path, done, alike, language, as_json)
    return 0


def enrol_pictures(
    name: str,
    pages: Mapping[str, str],
    mat_mm: tuple[float, float] | None,
    shelf: DeckShelf,
    language: Language,
    as_laid: bool = False,
    as_json: bool = False,
) -> int:
    """Learn a deck from the pictures of its pages by name: seven, review and complete, or seven and back.

    Returns the exit code: 1 where something on a page is to mend, each fault a line on standard error; an earlier
    deck of that name then stays as it was.

    Raises:
        DeviceError: the name can't be a deck's, or the shelf can't be written.
        VisionError: a picture can't be read.
    """
    shelf.get_path(name)
    pictures = {page: load_picture(Path(file)) for page, file in pages.items()}
    try:
        deck = enrol_pages(card_reader(), name, pictures, mat_mm, as_laid)
        if not as_laid and set(_PAPER_PAGES) <= set(pages):
            _doubt_order(deck)
    except EnrolError as error:
        return _say_faults(name, error.faults, language, as_json)
    path = shelf.save(name, deck)
    done = Text("Deck {name!r} is enrolled: {cards} faces, in {path}.", name=name, cards=len(deck.cards), path=path)
    _say_done(deck, path, done, look_alikes(deck), language, as_json)
    return 0


def _doubt_order(deck: Deck) -> None:
    """Ask about papers that seem to lie in each other's place.

    Raises:
        EnrolError: some do.
    """
    doubts = find_papers_in_doubt({side: faces_in(deck, side) for side in _PAPER_PAGES}, printed_papers())
    if doubts:
        raise EnrolError(doubts)


def teach_cards(
    name: str,
    lessons: Sequence[tuple[str, str]],
    mat_mm: tuple[float, float] | None,
    shelf: DeckShelf,
    language: Language,
    as_laid: bool = False,
    as_json: bool = False,
) -> int:
    """Learn single cards of an enrolled deck anew, each from (its name, a picture); the others stay as they were.

    Returns the exit code: 1 where a card is not well seen; the deck then stays as it was.

    Raises:
        DeviceError: there is no such deck or card, or the shelf can't be written.
        VisionError: the deck's file is damaged, a picture can't be read, or its mat can't be measured.
    """
    deck = shelf.load(name)
    for card, _ in lessons:
        if card not in deck.names and deck.faces is None:
            raise DeviceError(
                Text(
                    "There is no card {card!r}: cards are called H7, C10, FK, three/review, three/complete or back.",
                    card=card,
                ),
            )
        _check_alone(deck, card)
    pictures = [load_picture(Path(image)) for _, image in lessons]
    reader = card_reader()
    faults: list[PageFault] = []
    for (card, _), picture in zip(lessons, pictures, strict=True):
        try:
            deck = teach_card(reader, deck, card, picture, mat_mm, as_laid)
        except EnrolError as error:
            faults += error.faults
    if faults:
        return _say_faults(name, faults, language, as_json)
    path = shelf.save(name, deck)
    taught = [card for card, _ in lessons]
    done = Text("Learnt anew in deck {name!r}: {cards}.", name=name, cards=join_row(map(face_words, taught)))
    alike = [pair for pair in look_alikes(deck) if set(pair) & set(taught)]
    _say_done(deck, path, done, alike, language, as_json)
    return 0


def _check_alone(deck: Deck, card: str) -> None:
    """Refuse a card of the deck that can't be learnt by itself, with ``DeviceError``."""
    if deck.faces is not None:
        raise DeviceError(
            Text(
                "The cards of the deck {name!r} can't be learnt one by one: learn its pages again with --page.",
                name=deck.name,
            ),
        )
    if not is_learnt_alone(card):
        kind = card.partition("/")[0]
        raise DeviceError(
            Text(
                "The house paper {kind} can't be learnt one side at a time: learn it again with --page "
                "review:{kind}=IMAGE --page complete:{kind}=IMAGE.",
                kind=kind,
            ),
        )


def face_words(name: str) -> Text:
    """Name one face for a player, with a paper's side."""
    words = name_card(name)
    if "/" not in name:
        return words
    side = Text("complete") if name.endswith("/complete") else Text("under review")
    return Text("{card} ({side})", card=words, side=side)


def alike_words(pairs: Sequence[tuple[str, str]]) -> Text:
    """Warn that these faces look too alike."""
    each = (Text("{one} and {other}", one=face_words(a), other=face_words(b)) for a, b in pairs[:_PAIRS_SAID])
    said = reduce(lambda before, pair: Text("{before}; {pair}", before=before, pair=pair), each)
    if (more := len(pairs) - _PAIRS_SAID) > 0:
        said = plural("{pairs}; and {count} more pair", "{pairs}; and {count} more pairs", count=more, pairs=said)
    return Text(
        "In this deck some cards look so alike that the reader may ask rather than tell them apart: {pairs}.",
        pairs=said,
    )


def _say_faults(name: str, faults: Sequence[PageFault], language: Language, as_json: bool) -> int:
    if as_json:
        found = [
            {
                "page": fault.page,
                "cards": list(fault.cards),
                "text": fault.text.said(language),
                "doubtful": fault.doubtful,
            }
            for fault in faults
        ]
        print(json.dumps({"deck": name, "faults": found}, ensure_ascii=False))
        return 1
    for fault in faults:
        print(f"sevenmat: {fault.text.said(language)}", file=sys.stderr)
    if all(fault.doubtful for fault in faults):
        hint = Text("If every card does lie on its place, say so with --as-laid.")
        print(f"sevenmat: {hint.said(language)}", file=sys.stderr)
    return 1


def _say_done(
    deck: Deck, path: Path, done: Text, alike: Sequence[tuple[str, str]], language: Language, as_json: bool
) -> None:
    if as_json:
        found: dict[str, Any] = {"deck": deck.name, "faces": len(deck.cards), "file": str(path)}
        found["look_alikes"] = [list(pair) for pair in alike]
        print(json.dumps(found, ensure_ascii=False))
        return
    print(done.said(language))
    if alike:
        warning = alike_words(alike)
        print(f"sevenmat: {warning.said(language)}", file=sys.stderr)
