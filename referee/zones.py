"""A referee for games whose cards lie in zones and in the seats' areas: what is alike in all of them.

A game says what must lie where in a state (``expected``) and which moves the table may show (``candidates``); a move
that is legal and after which everything lies as it must is accepted. Places are the layout's zones by name,
``seat:SEAT`` for a seat's area, ``hand:SEAT`` for a hand, and ``table`` for anywhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.entry_data import EntryError, position_in
from referee.game import CardSet, Check, Put, Step
from referee.layout import SEATS, Layout
from referee.menu import Menu, Option
from referee.table import Detections, Sighting, Unread, cant_read
from referee.verdict import Accepted, CantSee, Choice, Comparison, Mend, Offer, Question, Refused, Spot, Verdict
from rules.cards import DECK, Card, Suit
from rules.game import Options, Rules
from rules.parsing import BadRecordError
from rules.refusal import Reason, Refusal, bad_record
from rules.text import Text, capitalised, player, sentence

BACK = "back"
SEVEN = CardSet((*map(str, DECK),), (BACK,), ("seven", "back"), {BACK: len(DECK)})
"""The 49 cards of a SEVEN deck and their back."""


NameGroups = tuple[tuple[Text | None, tuple[tuple[str, Text], ...]], ...]
"""Names of cards with their words, by group; those of the group ``None`` stand alone."""


def seven_names() -> NameGroups:
    """SEVEN cards by suit, and a back."""
    suits = tuple(
        (
            Text("{suit!c} …", suit=suit),
            tuple((str(card), capitalised(card.text)) for card in DECK if card.suit is suit),
        )
        for suit in Suit
    )
    return (*suits, (None, ((BACK, Text("A face-down card")),)))


@dataclass(frozen=True)
class Expected:
    """What must lie in one place: face-up cards by name, and the fewest and the most backs that may show."""

    faces: frozenset[str] = frozenset()
    backs: tuple[int, int] = (0, 0)


_NOTHING = Expected()
PlaceAt = Callable[[Unread], str]
"""Where an unread card lies."""


@dataclass(frozen=True)
class ZoneView:
    """One still look: the cards seen, by place, and those that could not be named."""

    cards: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()

    def faces(self, place: str) -> list[str]:
        """The names of the face-up cards in a place."""
        return [seen.name for seen in self.cards.get(place, ()) if seen.name != BACK]

    def backs(self, place: str) -> int:
        """How many backs show in a place."""
        return sum(seen.name == BACK for seen in self.cards.get(place, ()))


@dataclass(frozen=True)
class Off:
    """A face-up card that lies in ``found`` and belongs to ``home``; ``None`` is nowhere."""

    card: str
    found: str | None
    home: str | None


def faces_off(homes: Mapping[str, str], view: ZoneView) -> Iterator[Off]:
    """The face-up cards that lie where they must not, or nowhere; ``homes`` has each card's place."""
    seen = {place: Counter(view.faces(place)) for place in dict.fromkeys((*homes.values(), *view.cards))}
    everywhere = {card for cards in seen.values() for card in cards}
    for place, cards in seen.items():
        for card, count in cards.items():
            home = homes.get(card)
            if home != place:
                yield Off(card, place, home if home is None or card not in seen[home] else None)
            elif count > 1:
                yield Off(card, place, None)
    for card, home in homes.items():
        if card not in everywhere:
            yield Off(card, None, home)


def stood_for(view: ZoneView, lying: Mapping[str, Expected], place_at: PlaceAt) -> ZoneView:
    """The look with unread cards counted off for what must lie in their place and is read nowhere.

    One stands for a card, or for a back that must show, only where the unread cards of its place are more than all else
    that may lie there; whatever else is unread stays so.
    """
    cards, unread = dict(view.cards), list(view.unread)
    everywhere = {name for place in view.cards for name in view.faces(place)}
    for place, one in lying.items():
        marks = [mark for mark in view.unread if place_at(mark) == place]
        if not marks:
            continue
        missing = sorted(one.faces - everywhere)
        due, room = (max(0, bound - view.backs(place)) for bound in one.backs)
        due = max(due, sum(set(mark.candidates) == {BACK} for mark in marks))
        backs = [BACK] * room
        count = len(_dealt(marks, [*missing, *backs]))
        proved = [name for name in missing if len(_dealt(marks, [*{*missing} - {name}, *backs])) < count]
        proved += backs[: min(due, count - len(_dealt(marks, missing)))]
        for number, name in _dealt(marks, proved).items():
            mark = marks[number]
            unread.remove(mark)
            cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))
    return replace(view, cards=cards, unread=tuple(unread))


def _dealt(marks: Sequence[Unread], names: Sequence[str]) -> dict[int, str]:
    """A name for as many unread cards, by number, as possible, each one that it may be."""
    mark_of: dict[int, int] = {}

    def find(number: int, tried: set[int]) -> bool:
        for at, name in enumerate(names):
            if at not in tried and marks[number].may_be(name):
                tried.add(at)
                if at not in mark_of or find(mark_of[at], tried):
                    mark_of[at] = number
                    return True
        return False

    for number in range(len(marks)):
        find(number, set())
    return {number: names[at] for at, number in mark_of.items()}


@dataclass(frozen=True)
class ZoneState:
    """What is agreed: the position; nothing lies on the table beyond it."""

    position: Any

    def to_json(self) -> dict[str, Any]:
        """The state as JSON-able data."""
        return {"position": self.position.to_json()}


class ZoneReferee(ABC):
    """A referee whose table is zones and seats' areas; a game derives from it."""

    rules: Rules
    cards: CardSet = SEVEN
    setup: Text = Text("Lay out the cards, then press confirm.")

    # What a game must say

    @abstractmethod
    def expected(self, state: Any) -> Mapping[str, Expected]:
        """What must lie where; in a place that is not named nothing must lie."""

    @abstractmethod
    def candidates(self, state: Any, view: ZoneView) -> Iterable[Any]:
        """The moves that the table may show, the likeliest first, legal or not."""

    @abstractmethod
    def describe_move(self, move: Any, before: Any) -> Text:
        """A move, played in the position ``before``, as a sentence."""

    def consequences(self, move: Any, before: Any, after: Any) -> Iterator[Text]:
        """What follows from a move, as sentences; ``before`` and ``after`` are positions."""
        yield from ()

    # What is agreed

    def layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """The seats' areas, without any zone."""
        return Layout(SEATS[players], mat_mm)

    def start(self, players: Sequence[str], options: Options) -> ZoneState:
        """The state before the first move."""
        return ZoneState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> Any:
        """The state after a legal move."""
        return replace(before, position=before.position.do(move))

    def beyond(self, state: Any) -> dict[str, Any]:
        """Nothing lies on the table beyond the position."""
        return {}

    def read_state(self, data: object, now: Any, options: Options) -> Any:
        """A state set by hand."""
        return replace(now, position=position_in(data, self.rules, now.position.players, options))

    def mended(self, state: Any) -> Any:
        """No older version has kept a state that could not be left."""
        return state

    # Looking

    def observe(self, seen: Detections, layout: Layout) -> Any:
        """The cards by the places in which their centres lie; what is no card of the game can't be read."""
        cards: dict[str, tuple[Sighting, ...]] = {}
        unread, known = list(seen.unread), {*self.cards.faces, *self.cards.backs}
        for card in seen.sightings:
            place = layout.place_at(card.x, card.y)
            if card.name not in known:
                unread.append(Unread(card.x, card.y, card.angle, "foreign", (card.name,)))
            else:
                cards[place] = (*cards.get(place, ()), card)
        return ZoneView(cards, tuple(unread))

    def judge(self, state: Any, view: Any, layout: Layout) -> Verdict:
        """The one legal move after which everything lies as it must; else why not, and what to put back."""
        fits: list[Accepted] = []
        refused: Refused | None = None
        for move in self.candidates(state, view):
            refusal = state.position.verify(move)
            if refusal is None:
                after = self.after_move(state, move, {})
                if self.compare(after, view, layout).agrees:
                    fits.append(self._accepted(move, state, after))
            elif refused is None:
                refused = self._refused(refusal, self.compare(state, view, layout).mends)
        if len(fits) == 1:
            return fits[0]
        if fits:
            return Question(
                Text("The table can be read in more than one way. What was done?"),
                tuple(Choice(self.describe_move(fit.move, state.position), fit) for fit in fits),
            )
        if view.unread:
            spots = [Spot(mark.x, mark.y, self.place_of(mark, view, layout), mark.cause) for mark in view.unread]
            return CantSee(tuple(spots), self.unseen(state, spots))
        return refused or self._disturbed(self.compare(state, view, layout))

    def _accepted(self, move: Any, before: Any, after: Any) -> Accepted:
        told = self.describe_move(move, before.position)
        more = self.consequences(move, before.position, after.position)
        return Accepted(move, after, (told, *more))

    def _disturbed(self, comparison: Comparison) -> Refused:
        """Nothing that anybody may do explains the table."""
        reasons = [Reason("table_disturbed", (), told) for told in comparison.told]
        return Refused.of(self.rules.codes, reasons or [_nothing_done()], comparison.mends)

    def noticed(self, state: Any, view: Any, layout: Layout) -> dict[str, Any] | None:
        """A look between two moves adds nothing."""
        return None

    def after_notice(self, state: Any, data: Mapping[str, Any]) -> Any:
        """No such entry is written in these games."""
        raise EntryError(Text("this game notices nothing between moves"))

    def compare(self, state: Any, view: Any, layout: Layout) -> Comparison:
        """What lies where it must not, and what is missing; before the first move nothing has to lie anywhere."""
        position = state.position
        if position.outcome is None and not self.rules.to_move(position):
            return Comparison()
        expected = self.expected(state)
        found: list[tuple[Text, Mend]] = []
        for place in dict.fromkeys((*expected, *view.cards)):
            found += self._faces_off(state, view, expected, place)
            found += self._backs_off(state, view.backs(place), expected.get(place, _NOTHING).backs, place)
        told = tuple(dict.fromkeys(words for words, _ in found))
        mends = tuple(dict.fromkeys(mend for _, mend in found))
        disturbed = sum(not one.faces <= set(view.faces(place)) for place, one in expected.items())
        return Comparison(told, mends, len(view.unread), disturbed)

    def _faces_off(
        self, state: Any, view: ZoneView, expected: Mapping[str, Expected], place: str
    ) -> Iterator[tuple[Text, Mend]]:
        """Face-up cards that lie here and must not, and those that must and lie nowhere."""
        wanted, where = expected.get(place, _NOTHING).faces, self.place_words(state, place)
        there = Counter(view.faces(place))
        for name in there:
            if name not in wanted or there[name] > 1:
                home = next((spot for spot, one in expected.items() if name in one.faces), self._hand(state))
                card = self.card_words(state, name)
                told = sentence(Text("{card} lies in {where}", card=card, where=where))
                yield told, self._mend(state, name, place, home)
        for name in sorted(wanted - {name for spot in view.cards for name in view.faces(spot)}):
            card = self.card_words(state, name)
            told = sentence(Text("{card} is gone from {where}", card=card, where=where))
            yield told, self._mend(state, name, "table", place)

    def _backs_off(self, state: Any, count: int, bounds: tuple[int, int], place: str) -> Iterator[tuple[Text, Mend]]:
        """Face-down cards too many or too few."""
        least, most = bounds
        where = self.place_words(state, place)
        if count > most:
            told = sentence(Text("a card too many lies face down in {where}", where=where))
            yield told, self._mend(state, BACK, place, self._hand(state), count - most)
        elif count < least:
            told = sentence(Text("a face-down card is gone from {where}", where=where))
            yield told, self._mend(state, BACK, "table", place, least - count)

    def _hand(self, state: Any) -> str:
        """Where a card goes that belongs nowhere on the table."""
        return f"hand:{min(self.rules.to_move(state.position), default=1)}"

    def _mend(self, state: Any, item: str, source: str, target: str, count: int = 1) -> Mend:
        card, start, end = (
            self.card_words(state, item),
            self.place_words(state, source),
            self.place_words(state, target),
        )
        if source == "table":
            words = Text("Lay {card} in {end}.", card=card, end=end)
        else:
            words = Text("Put {card} from {start} back to {end}.", card=card, start=start, end=end)
        return Mend(item, source, target, words, count, joins=item != BACK)

    def offer(self, state: Any, view: Any, layout: Layout) -> Offer | None:
        """Several turns at once are not looked for."""
        return None

    def fingerprint(self, view: Any, layout: Layout) -> Hashable:
        """Which cards lie where, and what can't be read where."""
        cards = Counter((place, seen.name) for place, some in view.cards.items() for seen in some)
        unread = Counter((layout.place_at(mark.x, mark.y), mark.cause, mark.candidates) for mark in view.unread)
        return frozenset(cards.items()), frozenset(unread.items())

    def pressed_twice(self, accepted: Accepted, state: Any) -> Question:
        """Whether a move without trace was meant."""
        no = Refused.of(self.rules.codes, [_nothing_done()], ())
        yes = accepted.text
        return Question(
            Text("Confirm was pressed twice. Was it meant?"),
            (Choice(Text("No."), no), Choice(Text("Yes. {yes}", yes=yes), accepted)),
        )

    settles: bool = False

    def tell(self, state: Any, data: Mapping[str, Any]) -> Verdict:
        """A move told by the buttons: judged by the rules alone."""
        try:
            move = self.rules.read_move(dict(data))
        except BadRecordError as error:
            return Refused.of(self.rules.codes, [bad_record(error.text)], ())
        refusal = state.position.verify(move)
        if refusal is None:
            return self._accepted(move, state, self.after_move(state, move, {}))
        return self._refused(refusal, ())

    def _refused(self, refusal: Refusal, mends: Iterable[Mend]) -> Refused:
        """A refusal of the rules, with all its codes."""
        also = (Reason(code, (), refusal.text) for code in refusal.also)
        return Refused.of(self.rules.codes, (Reason(refusal.code, refusal.cards, refusal.text), *also), mends)

    def told(self, state: Any) -> tuple[tuple[Text, Any], ...]:
        """Every move is seen."""
        return ()

    # Cards named by hand

    def place_of(self, mark: Unread, view: Any, layout: Layout) -> str:
        """Where an unread card lies."""
        return layout.place_at(mark.x, mark.y)

    def places(self, view: Any, layout: Layout) -> dict[str, str]:
        """Where each face-up card lies."""
        return {seen.name: place for place, some in view.cards.items() for seen in some if seen.name != BACK}

    def with_name(self, view: Any, mark: Unread, name: str, layout: Layout) -> Any:
        """The view with one unread card read as ``name``."""
        place = layout.place_at(mark.x, mark.y)
        cards = {**view.cards, place: (*view.cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))}
        return replace(view, cards=cards, unread=tuple(other for other in view.unread if other is not mark))

    def name_groups(self, state: Any) -> NameGroups:
        """SEVEN cards by suit, and a back."""
        return seven_names()

    # Words

    def card_words(self, state: Any, name: str) -> Text:
        """A card within a sentence."""
        return Text("a face-down card") if name == BACK else Card.parse(name).text

    def place_words(self, state: Any, place: str) -> Text:
        """A zone's title, a seat's area or hand, else the table."""
        spot, _, seat = place.partition(":")
        if seat:
            who = player(state.position.players[int(seat) - 1])
            if spot == "hand":
                return Text("{who}'s hand", who=who)
            return Text("{who}'s area", who=who)
        layout = self.layout(len(state.position.players), (1.0, 1.0))
        return next((zone.title for zone in layout.zones if zone.name == place), Text("the table"))

    def unseen(self, state: Any, spots: Sequence[Spot]) -> tuple[Text, ...]:
        """Which spots can't be read, and why."""
        return (
            cant_read((self.place_words(state, spot.place), spot.cause) for spot in spots),
            Text("Please uncover or straighten it."),
        )

    def describe(self, step: Step) -> tuple[Text, ...]:
        """A step's move as a sentence, and what follows from it."""
        before, after = step.before.position, step.after.position
        return (self.describe_move(step.move, before), *self.consequences(step.move, before, after))

    def next_up(self, state: Any) -> Text | None:
        """Whose turn it is, where that is one player's."""
        seats = self.rules.to_move(state.position)
        if len(seats) != 1:
            return None
        who = player(state.position.players[min(seats) - 1])
        return Text("{who} is next.", who=who)

    def reminders(self, state: Any) -> tuple[Text, ...]:
        """Nothing besides the next move."""
        return ()

    # Taking back

    def remembered(self, step: Step, now: Any) -> Any:
        """What was agreed before."""
        return step.before

    def steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """What can be seen is all that hands do."""
        return comparison.mends

    def hides(self, step: Step) -> bool:
        """Every card that moves is seen."""
        return False

    # Set by hand

    def editor(self, state: Any, view: Any, layout: Layout, put: Put, parent: Menu | None) -> Menu:
        """A game without an editor of its own can only be put right on the table."""
        title = Text("This game can't be set from the table; take turns back, or put the cards right.")
        return Menu(title, (Option(Text("Back"), lambda: parent),), parent=parent)


def _nothing_done() -> Reason:
    """What confirm is told while the table lies as it was."""
    return Reason("table_disturbed", (), Text("Nothing has been done yet."))
