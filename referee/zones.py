"""What the referees of all games have in common: how a look is judged, and compared with what is agreed.

A game proposes readings of a look (``list_readings``), and says what is not as agreed (``find_misplaced``). Where its
cards lie in zones and in the seats' areas, both follow from what must lie where (``expect_places``) and which moves
leave such a table (``propose_moves``). Places are the layout's zones by name, ``seat:SEAT`` for a seat's area,
``hand:SEAT`` for a hand, and ``table`` for anywhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from referee.arrangement import CardStack, arrange_places
from referee.entry_data import EntryError, position_in
from referee.game import CardSet, Check, Put, Step
from referee.layout import SEATS, TableLayout
from referee.menu import Menu
from referee.table import BACK as BACK
from referee.table import Detections, Sighting, Unread, cant_read
from referee.table import Expected as Expected
from referee.table import ZoneView as ZoneView
from referee.unread import is_beneath, resolve_unread
from referee.verdict import (
    NOTHING_DONE,
    Accepted,
    CantSee,
    Choice,
    Comparison,
    Disturbance,
    Mend,
    Offer,
    Question,
    Reading,
    Refused,
    Spot,
    Verdict,
    Waiting,
    compare_table,
)
from rules.cards import DECK, Card, Suit
from rules.game import Options, Rules
from rules.parsing import BadRecordError
from rules.refusal import Reason, bad_record, game_over
from rules.text import Text, capitalise, make_sentence, player

SEVEN = CardSet((*map(str, DECK),), (BACK,), ("seven", "back"), {BACK: len(DECK)})
"""The 49 cards of a SEVEN deck and their back."""

NameGroups = tuple[tuple[Text | None, tuple[tuple[str, Text], ...]], ...]
"""Names of cards with their words, by group; those of the group ``None`` stand alone."""


def seven_names() -> NameGroups:
    """Return SEVEN cards by suit, and a back."""
    suits = tuple(
        (
            Text("{suit!c} …", suit=suit),
            tuple((str(card), capitalise(card.text)) for card in DECK if card.suit is suit),
        )
        for suit in Suit
    )
    return (*suits, (None, ((BACK, Text("A face-down card")),)))


_NOTHING = Expected()
DISTURBED = 2
"""What nobody's move would do speaks as much against a reading as two broken rules."""
_UNSEEN = 0.5
"""A card that can't be read speaks less against a reading than anything that is wrong."""
PlaceAt = Callable[[Unread], str]
"""Where an unread card lies."""


@dataclass(frozen=True)
class MisplacedCard:
    """A face-up card that lies in ``found`` and belongs to ``home``; ``None`` is nowhere."""

    card: str
    found: str | None
    home: str | None


@dataclass(frozen=True)
class BackCountMismatch:
    """Face-down cards: how many show in a place, and how many must show there, or may at most."""

    place: str
    shown: int
    due: int

    @property
    def missing(self) -> bool:
        """Whether too few show."""
        return self.shown < self.due

    @property
    def count(self) -> int:
        """How many are missing, or too many."""
        return abs(self.due - self.shown)


Difference = MisplacedCard | BackCountMismatch


def find_differences(places: Mapping[str, Expected], view: ZoneView) -> list[Difference]:
    """Return how an observation differs from what must lie where; cards that can't be read count as nothing."""
    homes = {card: place for place, one in places.items() for card in sorted(one.faces)}
    return [*find_misplaced_faces(homes, view), *find_miscounted_backs(places, view)]


def find_misplaced_faces(homes: Mapping[str, str], view: ZoneView) -> Iterator[MisplacedCard]:
    """Yield the face-up cards that lie where they must not, or nowhere; ``homes`` has each card's place."""
    seen = {place: Counter(view.list_faces(place)) for place in dict.fromkeys((*homes.values(), *view.cards))}
    everywhere = {card for cards in seen.values() for card in cards}
    for place, cards in seen.items():
        for card, count in cards.items():
            home = homes.get(card)
            if home != place:
                yield MisplacedCard(card, place, home if home is None or card not in seen[home] else None)
            elif count > 1:
                yield MisplacedCard(card, place, None)
    for card, home in homes.items():
        if card not in everywhere:
            yield MisplacedCard(card, None, home)


def find_miscounted_backs(places: Mapping[str, Expected], view: ZoneView) -> Iterator[BackCountMismatch]:
    """Yield places with too many face-down cards or too few."""
    for place in dict.fromkeys((*places, *view.cards)):
        (least, most), count = places.get(place, _NOTHING).backs, view.count_backs(place)
        if count > most:
            yield BackCountMismatch(place, count, most)
        elif count < least:
            yield BackCountMismatch(place, count, least)


def keep_common(one: Mapping[str, Expected], other: Mapping[str, Expected]) -> dict[str, Expected]:
    """Return what lies where in both: it stayed there."""
    return {
        place: Expected(here.faces & there.faces, (min(a, c), min(b, d)))
        for place, here in one.items()
        for there in [other.get(place, _NOTHING)]
        for (a, b), (c, d) in [(here.backs, there.backs)]
    }


@dataclass(frozen=True)
class ZoneState:
    """What is agreed: the position; nothing lies on the table beyond it."""

    position: Any

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON-able data."""
        return {"position": self.position.to_json()}


@dataclass(frozen=True)
class MoveHypothesis:
    """A move, ``None`` for none, supposed to have been made before a look; it need not be legal.

    ``agreed`` is what lay where before it, ``places`` what would lie where after it, and ``place_at`` says where an
    unread card of the ``look`` lies. A game derives from it whose players make mistakes that have names.
    """

    referee: ZoneReferee
    state: Any
    look: ZoneView
    move: Any
    agreed: Mapping[str, Expected]
    places: Mapping[str, Expected]
    place_at: PlaceAt

    @cached_property
    def view(self) -> ZoneView:
        """The look, where unread cards stand for what must lie there before and after."""
        return resolve_unread(self.look, keep_common(self.agreed, self.places), self.place_at)

    @property
    def depends_on_unread(self) -> tuple[Unread, ...]:
        """All that can't be read, where a card that the move takes from its place may be one of them."""
        seen = {name for place in self.view.cards for name in self.view.list_faces(place)}
        for mark in self.look.unread:
            was, now = (places.get(self.place_at(mark), _NOTHING).faces for places in (self.agreed, self.places))
            if any(mark.could_be(card) for card in was - now - seen):
                return self.look.unread
        return ()

    @cached_property
    def broken(self) -> tuple[Reason, ...]:
        """The rules that the move breaks."""
        return () if self.move is None else self.state.position.find_reasons(self.move)

    @cached_property
    def off(self) -> Sequence[Difference]:
        """What lies otherwise than it would."""
        return find_differences(self.places, self.view)

    @property
    def mistakes(self) -> tuple[Reason, ...]:
        """What is wrong at the table, where that has a name."""
        return ()

    @property
    def left(self) -> Sequence[Difference]:
        """What lies otherwise and is no such mistake."""
        return self.off

    def weigh_difference(self, one: Difference) -> int:
        """Weigh how much speaks against the move."""
        return DISTURBED

    @cached_property
    def is_hidden(self) -> bool:
        """Whether a legal move explains all, if the cards that can't be read are those that it has laid."""
        seen = resolve_unread(self.look, self.places, self.place_at)
        return bool(self.off and self.view.unread) and not self.broken and not find_differences(self.places, seen)

    @cached_property
    def cost(self) -> float:
        """How much speaks against the move."""
        if self.is_hidden:
            return _UNSEEN
        return len(self.broken) + len(self.mistakes) + sum(map(self.weigh_difference, self.left))

    @property
    def to_mend(self) -> Sequence[Difference]:
        """What has to be put right: what the rules refuse goes back as it was."""
        return (
            find_differences(self.referee.expect_confirmed(self.state, self.view), self.view)
            if self.broken
            else self.off
        )

    @property
    def waits(self) -> tuple[Text, ...] | None:
        """What players do next, where all that is wrong is that they have yet to."""
        return None

    @property
    def reading(self) -> Reading:
        """The move with all that speaks against it."""
        referee, state, move = self.referee, self.state, self.move
        left = (referee.describe_fault(state, one, move).reason for one in self.left)
        reasons = (*self.broken, *self.mistakes, *left)
        mends = tuple(referee.mend_difference(state, one, move) for one in self.to_mend)
        unread = self.view.unread
        return Reading(
            move, None, reasons, mends, unread, self.cost, self.waits, depends_on_unread=self.depends_on_unread
        )


class ZoneReferee(ABC):
    """A referee; a game derives from it."""

    rules: Rules
    cards: CardSet = SEVEN
    setup: Text = Text("Lay out the cards, then press confirm.")
    hypothesis: type[MoveHypothesis] = MoveHypothesis

    # What a game must say

    def expect_places(self, state: Any) -> Mapping[str, Expected]:
        """Return what must lie where; in a place that is not named nothing must lie."""
        return {}

    def propose_moves(self, state: Any, view: ZoneView) -> Iterable[Any]:
        """List the moves that would leave such a table, the likeliest first, legal or not."""
        return ()

    def weigh_move(self, move: Any) -> int:
        """Return how unlikely a move is, ``None`` for none, beside others that explain an observation as well."""
        return 0

    @abstractmethod
    def describe_move(self, move: Any, before: Any) -> Text:
        """Describe a move, played in the position ``before``, as a sentence."""

    def describe_effects(self, move: Any, before: Any, after: Any) -> Iterator[Text]:
        """Yield what follows from a move, as sentences; ``before`` and ``after`` are positions."""
        yield from ()

    # What is agreed

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the seats' areas, without any zone."""
        return TableLayout(SEATS[players], mat_mm)

    def start(self, players: Sequence[str], options: Options) -> Any:
        """Return the state before the first move."""
        return ZoneState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> Any:
        """Return the state after a legal move."""
        return replace(before, position=before.position.do(move))

    def save_details(self, state: Any) -> dict[str, Any]:
        """Return nothing: nothing lies on the table beyond the position."""
        return {}

    def read_state(self, data: object, now: Any, options: Options) -> Any:
        """Read a state set by hand."""
        return replace(now, position=position_in(data, self.rules, now.position.players, options))

    def repair_state(self, state: Any) -> Any:
        """Return the state as it is: no older version has kept one that could not be left."""
        return state

    # Looking

    def observe(self, seen: Detections, layout: TableLayout) -> Any:
        """Sort the cards by the places in which their centres lie; what is no card of the game can't be read."""
        cards: dict[str, tuple[Sighting, ...]] = {}
        # A card that is taken for none of the deck's may be any: what it is likest to excludes nothing.
        unread = [replace(mark, candidates=mark.guesses) for mark in seen.unread]
        known = {*self.cards.faces, *self.cards.backs}
        for card in seen.sightings:
            place = layout.place_at(card.x, card.y)
            if card.name not in known:
                unread.append(Unread(card.x, card.y, card.angle, "foreign", (card.name,)))
            else:
                cards[place] = (*cards.get(place, ()), card)
        return ZoneView(cards, tuple(unread))

    def has_cards_out(self, state: Any) -> bool:
        """Tell whether anything has to lie anywhere: not before the first move."""
        position = state.position
        return position.outcome is not None or bool(self.rules.to_move(position))

    def expect_confirmed(self, state: Any, view: ZoneView) -> Mapping[str, Expected]:
        """Return what must lie where since the last move; where it may lie in one place or another, as observed."""
        return self.expect_places(state) if self.has_cards_out(state) else {}

    def expect_after(self, state: Any, move: Any) -> Mapping[str, Expected]:
        """Return what would lie where after a move that need not be legal."""
        return self.expect_places(replace(state, position=state.position.suppose_move(move)))

    def list_readings(self, state: Any, view: Any, layout: TableLayout) -> Iterable[Reading]:
        """List every way to read an observation that may speak, of
        equally good ones the likelier first; none after the end.

        In a game of zones that nothing was done, and each of the ``propose_moves``.
        """
        if state.position.outcome is not None:
            return ()
        place_at = partial(self.place_of, view=view, layout=layout)
        agreed = self.expect_confirmed(state, view)
        found = [self.hypothesis(self, state, view, None, agreed, agreed, place_at)]
        for move in dict.fromkeys(self.propose_moves(state, view)):
            found.append(self.hypothesis(self, state, view, move, agreed, self.expect_after(state, move), place_at))
        least = min(one.cost for one in found)
        best = sorted((one for one in found if one.cost == least), key=lambda one: self.weigh_move(one.move))
        # Where something speaks against each of them one alone speaks.
        return [one.reading for one in (best[:1] if least else best)]

    def describe_fault(self, state: Any, one: Difference, move: Any = None) -> Disturbance:
        """Put a difference that a move leaves into words, with the step that puts it right."""
        lost = one.home if isinstance(one, MisplacedCard) else None
        return Disturbance.from_words(
            self.describe_difference(state, one, move), self.mend_difference(state, one, move), lost=lost
        )

    def judge(self, state: Any, view: Any, layout: TableLayout) -> Verdict:
        """Judge what an observation means; where that hangs on unread cards, without those that need not be read."""
        verdict = self._judge(state, view, layout)
        if not isinstance(verdict, CantSee):
            return verdict
        spare = self.count_spare(state, view)
        peeping = [mark for mark, pile in self.find_beneath(view, layout) if pile in spare]
        again = self._judge(state, self.drop_unread(view, peeping), layout) if peeping else verdict
        known = self.find_needless(again.after if isinstance(again, Accepted) else state, view, layout)
        return again if isinstance(again, Accepted | CantSee | Question) and len(known) >= len(peeping) else verdict

    # What need not be read

    def find_beneath(self, view: Any, layout: TableLayout) -> Iterator[tuple[Unread, str]]:
        """Yield the unread cards on which cards lie that are read, each with the pile that this is."""
        for mark in view.unread:
            place = self.place_of(mark, view, layout)
            if is_beneath(mark, view.cards.get(place, ()), self.cards.size_mm):
                yield mark, place

    def count_spare(self, state: Any, view: Any) -> Mapping[str, int]:
        """Return how many cards are known to lie in each pile besides those that are read."""
        piles = ((place, one.backs[1]) for place, one in self.expect_confirmed(state, view).items())
        return {place: count - view.count_backs(place) for place, count in piles if count}

    def drop_unread(self, view: Any, marks: Sequence[Unread]) -> Any:
        """Return the observation without these unread cards."""
        return replace(view, unread=tuple(mark for mark in view.unread if mark not in marks))

    def find_needless(self, state: Any, view: Any, layout: TableLayout) -> Sequence[Unread]:
        """Return the unread cards that nobody needs to read: known
        cards of a pile explain them, however they are guessed.
        """
        spare, found = dict(self.count_spare(state, view)), []
        for mark, pile in self.find_beneath(view, layout):
            if spare.get(pile, 0) > 0:
                spare[pile] -= 1
                found.append(mark)
        return found

    def _judge(self, state: Any, view: Any, layout: TableLayout) -> Verdict:
        """Judge by the reading that has the least against it; several that differ in effect are a question."""
        found = sorted(self.list_readings(state, view, layout), key=lambda reading: reading.cost)
        if not found:
            return Refused.from_reasons(self.rules.codes, [game_over()], ())
        fits: list[Reading] = []
        for one in found:
            if one.fits and all(self._apply_reading(state, one) != self._apply_reading(state, other) for other in fits):
                fits.append(one)
        best = (fits or found)[0]
        # Which of several it is may hang on a card that can't be read.
        if fits and not best.idle and (unsure := view.unread if len(fits) > 1 else best.depends_on_unread):
            return self.give_verdict(state, Reading(unread=unsure), view, layout)
        if len(fits) > 1 and not best.idle:
            moved = [one for one in fits if not one.idle]
            choices = (
                Choice(self.describe_move(one.move, state.position), self.accept_reading(state, one)) for one in moved
            )
            return Question(Text("The table can be read in more than one way. What was done?"), tuple(choices))
        return self.give_verdict(state, best, view, layout)

    def give_verdict(self, state: Any, reading: Reading, view: Any, layout: TableLayout) -> Verdict:
        """Return the verdict that a reading comes to."""
        if reading.asked is not None:
            return reading.asked
        if reading.unread:
            spots = tuple(
                one if isinstance(one, Spot) else Spot(one.x, one.y, self.place_of(one, view, layout), one.cause)
                for one in reading.unread
            )
            return CantSee(spots, self.explain_unread(state, spots, reading.at_once), reading.at_once)
        if reading.fits and not reading.idle:
            return self.accept_reading(state, reading)
        refused = self.refuse_reading(reading)
        return refused if reading.waits is None else Waiting(reading.waits, refused.mend, refused)

    def accept_reading(self, before: Any, reading: Reading) -> Accepted:
        """Accept a reading against which nothing speaks."""
        after = self._apply_reading(before, reading)
        said = reading.said or self.describe_with_effects(reading.move, before.position, after.position)
        return Accepted(reading.move, after, said, reading.at_once, reading.without_trace)

    def _apply_reading(self, before: Any, reading: Reading) -> Any:
        if reading.after is not None or reading.move is None:
            return reading.after
        return self.after_move(before, reading.move, {})

    def refuse_reading(self, reading: Reading) -> Refused:
        """Refuse a reading, with all that speaks against it; where that is nothing, nothing was done."""
        reasons = reading.reasons or (NOTHING_DONE,)
        return replace(Refused.from_reasons(self.rules.codes, reasons, reading.mends), at_once=reading.at_once)

    def describe_with_effects(self, move: Any, before: Any, after: Any) -> tuple[Text, ...]:
        """Describe a move as a sentence, and what follows from it; ``before`` and ``after`` are positions."""
        return (self.describe_move(move, before), *self.describe_effects(move, before, after))

    def find_passive_changes(self, state: Any, view: Any, layout: TableLayout) -> dict[str, Any] | None:
        """Return nothing: an observation between two moves adds nothing."""
        return None

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> Any:
        """Refuse the entry: none such is written in these games."""
        raise EntryError(Text("this game notices nothing between moves"))

    def compare(self, state: Any, view: Any, layout: TableLayout) -> Comparison:
        """Compare the table with what is confirmed."""
        if not self.has_cards_out(state):
            return Comparison()
        return compare_table(
            *self.find_misplaced(state, self.drop_unread(view, self.find_needless(state, view, layout)), layout)
        )

    def find_misplaced(
        self, state: Any, view: Any, layout: TableLayout
    ) -> tuple[Iterable[Disturbance], Sequence[Unread]]:
        """Return what is not as confirmed, and the cards that
        can't be read and stand for nothing that must lie there.
        """
        agreed = self.expect_confirmed(state, view)
        seen = resolve_unread(view, agreed, partial(self.place_of, view=view, layout=layout))
        return [self.describe_fault(state, one) for one in find_differences(agreed, seen)], seen.unread

    def describe_difference(self, state: Any, one: Difference, move: Any = None) -> Text:
        """Say what is not as it must be, once a move was made."""
        place = one.place if isinstance(one, BackCountMismatch) else one.found or one.home or "table"
        where = self.place_words(state, place)
        if isinstance(one, BackCountMismatch):
            if one.missing:
                return make_sentence(Text("a face-down card is gone from {where}", where=where))
            return make_sentence(Text("a card too many lies face down in {where}", where=where))
        card = self.card_words(state, one.card)
        if one.found is None:
            return make_sentence(Text("{card} is gone from {where}", card=card, where=where))
        return make_sentence(Text("{card} lies in {where}", card=card, where=where))

    def mend_difference(self, state: Any, one: Difference, move: Any = None) -> Mend:
        """Return the step that puts a difference right; a card
        of nobody's goes to the hand of whose area it lies in.
        """
        if isinstance(one, BackCountMismatch):
            item, count = BACK, one.count
            found, home = (None, one.place) if one.missing else (one.place, None)
        else:
            item, count, found, home = one.card, 1, one.found, one.home
        return self.put(state, item, found, home or self._find_hand(state, found or "", move), count)

    def _find_hand(self, state: Any, place: str, move: Any = None) -> str:
        """Return the hand to which a card goes that belongs nowhere
        on the table: whose area it lies in, else who has moved.
        """
        _, _, seat = place.partition(":")
        mover = getattr(move, "seat", None) or min(self.rules.to_move(state.position), default=1)
        return f"hand:{seat or mover}"

    def put(self, state: Any, item: str, source: str | None, target: str, count: int = 1) -> Mend:
        """Return the step that puts cards of a name where they belong, from where they lie; ``None`` is nowhere."""
        card, end = self.card_words(state, item), self.place_words(state, target)
        words = Text("Lay {card} in {end}.", card=card, end=end)
        if source is not None:
            start = self.place_words(state, source)
            words = Text("Put {card} from {start} back to {end}.", card=card, start=start, end=end)
        return Mend(item, source or "table", target, words, count, joins=item != BACK)

    def offer(self, state: Any, view: Any, layout: TableLayout) -> Offer | None:
        """Offer nothing: several turns at once are not looked for."""
        return None

    def take_fingerprint(self, view: Any, layout: TableLayout) -> Hashable:
        """Return which cards lie where, and what can't be read where."""
        cards = Counter((place, seen.name) for place, some in view.cards.items() for seen in some)
        unread = Counter((layout.place_at(mark.x, mark.y), mark.cause, mark.candidates) for mark in view.unread)
        return frozenset(cards.items()), frozenset(unread.items())

    def pressed_twice(self, accepted: Accepted, state: Any) -> Question:
        """Tell whether a move without trace was meant."""
        no = Refused.from_reasons(self.rules.codes, [NOTHING_DONE], ())
        yes = accepted.text
        return Question(
            Text("Confirm was pressed twice. Was it meant?"),
            (Choice(Text("No."), no), Choice(Text("Yes. {yes}", yes=yes), accepted)),
        )

    settles: bool = False

    def judge_entered(self, state: Any, data: Mapping[str, Any]) -> Verdict:
        """Judge a move entered by the buttons, by the rules alone."""
        try:
            move = self.rules.read_move(dict(data))
        except BadRecordError as error:
            return Refused.from_reasons(self.rules.codes, [bad_record(error.text)], ())
        refusal = state.position.verify(move)
        if refusal is not None:
            return Refused.from_reasons(self.rules.codes, refusal.reasons, ())
        return self.accept_reading(state, Reading(move))

    def list_enterable_moves(self, state: Any) -> tuple[tuple[Text, Any], ...]:
        """List nothing: every move is seen."""
        return ()

    # Cards named by hand

    def place_of(self, mark: Unread, view: Any, layout: TableLayout) -> str:
        """Return where an unread card lies."""
        return layout.place_at(mark.x, mark.y)

    def locate_cards(self, view: Any, layout: TableLayout) -> dict[str, str]:
        """Return where each face-up card lies."""
        return {seen.name: place for place, some in view.cards.items() for seen in some if seen.name != BACK}

    def with_name(self, view: Any, mark: Unread, name: str, layout: TableLayout) -> Any:
        """Return the view with one unread card read as ``name``."""
        place = layout.place_at(mark.x, mark.y)
        cards = {**view.cards, place: (*view.cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))}
        return replace(view, cards=cards, unread=tuple(other for other in view.unread if other is not mark))

    def name_groups(self, state: Any) -> NameGroups:
        """Return SEVEN cards by suit, and a back."""
        return seven_names()

    def arrange_table(self, state: Any, layout: TableLayout) -> Iterable[CardStack]:
        """Arrange what must lie in each place in rows."""
        return arrange_places(self.expect_places(state), layout)

    # Words

    def card_words(self, state: Any, name: str) -> Text:
        """Name a card within a sentence."""
        return Text("a face-down card") if name == BACK else Card.parse(name).text

    def place_words(self, state: Any, place: str) -> Text:
        """Name a place: a zone's title, a seat's area or hand, else the table."""
        spot, _, seat = place.partition(":")
        if seat:
            who = player(state.position.players[int(seat) - 1])
            if spot == "hand":
                return Text("{who}'s hand", who=who)
            return Text("{who}'s area", who=who)
        layout = self.make_layout(len(state.position.players), (1.0, 1.0))
        return next((zone.title for zone in layout.zones if zone.name == place), Text("the table"))

    def explain_unread(self, state: Any, spots: Sequence[Spot], at_once: bool = False) -> tuple[Text, ...]:
        """Say which spots can't be read, and why."""
        return (
            cant_read((self.place_words(state, spot.place), spot.cause) for spot in spots),
            Text("Please uncover or straighten it."),
        )

    def describe(self, step: Step) -> tuple[Text, ...]:
        """Describe a step's move as a sentence, and what follows from it."""
        return self.describe_with_effects(step.move, step.before.position, step.after.position)

    def next_up(self, state: Any) -> Text | None:
        """Say whose turn it is, where that is one player's."""
        seats = self.rules.to_move(state.position)
        if len(seats) != 1:
            return None
        who = player(state.position.players[min(seats) - 1])
        return Text("{who} is next.", who=who)

    def list_reminders(self, state: Any) -> tuple[Text, ...]:
        """Return nothing: nobody has to do anything besides the next move."""
        return ()

    # Taking back

    def recall_state(self, step: Step, now: Any) -> Any:
        """Return what was confirmed before."""
        return step.before

    def list_steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """Return what can be seen, which is all that hands do."""
        return comparison.mends

    def has_hidden_cards(self, step: Step) -> bool:
        """Return ``False``: every card that moves is seen."""
        return False

    # Set by hand

    def open_editor(self, state: Any, view: Any, layout: TableLayout, put: Put, parent: Menu | None) -> Menu:
        """Say that a game without an editor of its own can only be put right on the table."""
        title = Text("This game can't be set from the table; take turns back, or put the cards right.")
        return Menu.dead_end(title, parent)
