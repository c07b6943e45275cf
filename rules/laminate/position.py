"""A position of Laminate Rummy: what lies where, who is to move, and the judgement of any move.

Source: the booklet of 2016 with RULINGS.md (the numbers in comments are its numbered paragraphs). A position never
changes: ``do`` gives a new one and leaves the old one as it was. It comes in two kinds, settled by the first move:

* after a ``Deal`` with **full information**: hands and draw pile are known, until a payment gives only its number;
* after a ``Setup`` with **public information**: what everybody at the table could know, see
  ``rules.laminate.knowledge``. A card is then refused only where no placing of the unseen cards allows it.

Seats are numbered from 1, clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any

from rules import refusal as common
from rules.cards import ALL, DECK, Card, cards_in, mask_of
from rules.judged import Ended, Judged, rank_places, with_seat
from rules.laminate import refusals as because
from rules.laminate.knowledge import DRAW, Knowledge
from rules.laminate.moves import Citation, Deal, EndFlag, Move, Pass, Publish, Research, Review, Setup
from rules.laminate.papers import END_FLAG, LAMINATE, PaperKind, Papers
from rules.parsing import quote_value
from rules.refusal import Reason
from rules.saved import Codec, Mask, read_fields, save_fields
from rules.text import Text, join_with_and, say_number, shorten_name

HAND_AT_START = 3
POINTS_TO_END = 15
UNSEEN = -1
_NO_MOVES_YET = Text("the cards have not been dealt yet")


class Phase(StrEnum):
    """Where in the game a position stands."""

    SETUP = "setup"
    PLAY = "play"
    FLAG = "flag"
    OVER = "over"


class Ending(StrEnum):
    """Why a game ended."""

    COUNTDOWN = "countdown"
    PASSES = "passes"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper in a player's area: the author's seat, the kind's name, and the SEVEN cards that lie in it."""

    seat: int
    kind: str
    cards: tuple[Card, ...]

    @property
    def complete(self) -> bool:
        """True where a single card is left: the paper scores and may be cited."""
        return len(self.cards) == 1


def _keep_value(value: Any) -> Any:
    """Mark a field that is read once the kinds of paper are known."""
    return value


_KINDS = Codec(lambda catalogue: [kind.name for kind in catalogue.kinds], _keep_value, "papers")
_AREAS = Codec(
    lambda areas: [[{"paper": p.kind, "cards": [*map(str, p.cards)]} for p in area] for area in areas.papers],
    _keep_value,
)
_DISCARDED = Codec(
    lambda index: None if index == UNSEEN else str(DECK[index]),
    lambda name: UNSEEN if name is None else Card.parse(name).index,
)


@dataclass(slots=True)
class Areas:
    """The players' areas, by seat: their papers in the order of publication, and what follows from them.

    They never change. Kinds are bits, each at its place in the catalogue.
    """

    catalogue: Papers
    papers: tuple[tuple[Paper, ...], ...]
    supply: tuple[int, ...]
    """By kind, how many are left."""
    left: int
    """A bit for each kind of which there is supply."""
    held: tuple[int, ...]
    """By seat, a bit for each kind in the area."""
    done: tuple[int, ...]
    """By seat, the cards left in complete papers, a mask: each stands for one citable paper."""
    points: tuple[int, ...]
    complete: tuple[int, ...]
    """By seat, the number of complete papers."""
    open: int = 0
    """The number of papers under review."""

    @classmethod
    def make_empty(cls, seats: int, catalogue: Papers) -> Areas:
        """Return the areas of that many players at the beginning."""
        supply, none = tuple(kind.copies for kind in catalogue.kinds), (0,) * seats
        return cls(catalogue, ((),) * seats, supply, (1 << len(supply)) - 1, none, none, none, none)

    def with_paper(self, paper: Paper) -> Areas:
        """Return the areas with a new paper, complete at once with a single card (5)."""
        after, seat, place = self._copy(), paper.seat, self.catalogue.place(paper.kind)
        left = self.supply[place] - 1
        after.supply = with_seat(self.supply, place + 1, left)
        if not left:
            after.left = self.left & ~(1 << place)
        after.held = with_seat(self.held, seat, self.held[seat - 1] | 1 << place)
        after.papers = with_seat(self.papers, seat, (*self.papers[seat - 1], paper))
        after.open += 1
        after._complete_it(paper)
        return after

    def take_reviewed(self, seat: int, kind: str, card: Card) -> Areas:
        """Return the areas once that card was taken from that paper under review in that seat's area."""
        after, area = self._copy(), self.papers[seat - 1]
        place = 0
        while area[place].kind != kind:
            place += 1
        paper = Paper(seat, kind, tuple([one for one in area[place].cards if one is not card]))
        after.papers = with_seat(self.papers, seat, with_seat(area, place + 1, paper))
        after._complete_it(paper)
        return after

    def _copy(self) -> Areas:
        new = object.__new__(Areas)
        new.catalogue, new.papers, new.supply, new.left = self.catalogue, self.papers, self.supply, self.left
        new.held, new.done, new.points = self.held, self.done, self.points
        new.complete, new.open = self.complete, self.open
        return new

    def _complete_it(self, paper: Paper) -> None:
        """Count a paper that was under review, where a single card is left, in a fresh copy."""
        if len(paper.cards) == 1:
            seat, place = paper.seat, paper.seat - 1
            self.points = with_seat(self.points, seat, self.points[place] + self.catalogue[paper.kind].points)
            self.complete = with_seat(self.complete, seat, self.complete[place] + 1)
            self.done = with_seat(self.done, seat, self.done[place] | paper.cards[0].bit)
            self.open -= 1


@dataclass(slots=True, repr=False)
class Position(Judged[Move]):
    """One moment of a game. Make the first one with ``Position.start``, the others with ``do``.

    Attributes:
        players: the names by seat.
        first_seat: who begins.
        catalogue: the kinds of paper there are.
        phase: ``setup``, ``play``, ``flag`` (the End Flag must be taken) or ``over``; equal to these strings.
        seat: to move; after the end, whose turn was the last.
        sizes: by seat, the number of cards in the hand; everybody knows it.
        draw_count: the number of cards in the draw pile.
        areas: the papers on the table, and what follows from them.
        passes: the passes in a row.
        met: whether somebody has met the end condition: only the first one counts (2).
        turns_left: turns still to come in the countdown, ``None`` before it.
        flag_seat: the seat that has the End Flag or must take it now, ``None`` where nobody.
        ending: why the game ended, ``None`` before that.
    """

    codes = because.CODES
    players: tuple[str, ...]
    first_seat: int
    catalogue: Annotated[Papers, _KINDS]
    phase: Phase
    seat: int
    _hands: tuple[Mask, ...] | None  # None with public information
    _draw: Mask | None  # with full information
    _known: Annotated[Knowledge, Codec(Knowledge.to_json, Knowledge.from_json)] | None  # with public information
    sizes: tuple[int, ...]
    draw_count: int
    _discards: tuple[Annotated[int, _DISCARDED], ...]  # indices bottom to top, UNSEEN where nobody has seen the card
    areas: Annotated[Areas, _AREAS]
    passes: int
    met: bool
    turns_left: int | None
    flag_seat: int | None
    ending: Ending | None

    @classmethod
    def start(cls, players: Sequence[str], first_seat: int = 1, catalogue: Papers = LAMINATE) -> Position:
        """Return the position before the set-up, for 3 to 5 players.

        Raises:
            ValueError: wrong number of players, or no such first seat.
        """
        n = len(players)
        if not 3 <= n <= 5:
            raise ValueError(f"Laminate Rummy is for 3 to 5 players, not {n}")
        if not 1 <= first_seat <= n:
            raise ValueError(f"there is no seat {first_seat} among {n} players")
        return cls(
            players=tuple(players),
            first_seat=first_seat,
            catalogue=catalogue,
            phase=Phase.SETUP,
            seat=first_seat,
            _hands=None,
            _draw=None,
            _known=None,
            sizes=(0,) * n,
            draw_count=len(DECK),
            _discards=(),
            areas=Areas.make_empty(n, catalogue),
            passes=0,
            met=False,
            turns_left=None,
            flag_seat=None,
            ending=None,
        )

    # What a position shows

    @property
    def to_move(self) -> int | None:
        """The seat to move, ``None`` before the set-up is known and after the end."""
        return self.seat if self.phase in (Phase.PLAY, Phase.FLAG) else None

    @property
    def full(self) -> bool:
        """True with full information: hands and draw pile are known."""
        return self._hands is not None

    @property
    def papers(self) -> tuple[Paper, ...]:
        """All papers on the table, by seat, each seat's in the order of publication."""
        return tuple([paper for area in self.areas.papers for paper in area])

    @property
    def under_review(self) -> tuple[Paper, ...]:
        """The papers with two cards or more, by seat."""
        return tuple([paper for paper in self.papers if not paper.complete])

    def find_paper(self, seat: int, kind: str) -> Paper | None:
        """Return the paper of that kind in that seat's area, ``None`` where there is none."""
        if 1 <= seat <= len(self.players):
            for paper in self.areas.papers[seat - 1]:
                if paper.kind == kind:
                    return paper
        return None

    def hand_size(self, seat: int) -> int:
        """Return the number of cards in that seat's hand; everybody knows it."""
        return self.sizes[seat - 1]

    def get_hand(self, seat: int) -> tuple[Card, ...]:
        """Return the hand itself, with full information only.

        Raises:
            ValueError: only public information is known.
        """
        return cards_in(self.hand_mask(seat))

    def hand_mask(self, seat: int) -> int:
        """Return the hand as a mask, with full information only.

        Raises:
            ValueError: only public information is known.
        """
        if self._hands is None:
            raise ValueError("hands are not known with public information")
        return self._hands[seat - 1]

    @property
    def draw_pile(self) -> tuple[Card, ...]:
        """The cards of the draw pile in the order of the deck, with full information only.

        Raises:
            ValueError: only public information is known.
        """
        return cards_in(self.draw_mask)

    @property
    def draw_mask(self) -> int:
        """The cards of the draw pile as a mask, with full information only.

        Raises:
            ValueError: only public information is known.
        """
        if self._draw is None:
            raise ValueError("the draw pile is not known with public information")
        return self._draw

    @property
    def discards(self) -> tuple[Card | None, ...]:
        """The discard pile, bottom to top; ``None`` for a card that has not shown yet."""
        return tuple(None if index == UNSEEN else DECK[index] for index in self._discards)

    @property
    def top_discard(self) -> Card | None:
        """The top card of the discard pile, ``None`` where there is none or it has not shown yet."""
        if not self._discards or self._discards[-1] == UNSEEN:
            return None
        return DECK[self._discards[-1]]

    def discards_seen(self, shown: Mapping[int, Card], below: Iterable[Card] = ()) -> Position | None:
        """Return the position once everybody has seen these cards in the discard pile; ``None`` where that can't be.

        ``shown`` gives cards by their place in the pile, 0 the lowest; of those ``below`` it is only known that they
        lie there. What was known already changes nothing.
        """
        discards = list(self._discards)
        for place, card in shown.items():
            if not 0 <= place < len(discards) or discards[place] not in (UNSEEN, card.index):
                return None
            discards[place] = card.index
        placed = [index for index in discards if index != UNSEEN]
        if len(set(placed)) != len(placed):
            return None
        peeping = mask_of(card for card in below if card.index not in placed)
        if self._known is None:
            return None if peeping or tuple(discards) != self._discards else self
        known, under = self._known, self._known.under
        lying = (known.seen_at(under) | peeping) & ~sum(1 << index for index in placed)
        if lying.bit_count() == 1 == discards.count(UNSEEN):
            # One card and one place left for it.
            discards[discards.index(UNSEEN)] = lying.bit_length() - 1
            peeping = 0
        new = sum(1 << index for index, was in zip(discards, self._discards, strict=True) if index != was)
        known = known.leave(under, new).see(under, peeping)
        if not known.consistent:
            return None
        if known is self._known:
            return self
        after = self._copy()
        after._discards, after._known = tuple(discards), known
        return after

    @property
    def peeping(self) -> frozenset[Card]:
        """Cards that everybody has seen below the top of the discard pile, in which place nobody knows."""
        return frozenset() if self._known is None else frozenset(cards_in(self._known.seen_at(self._known.under)))

    @property
    def points(self) -> tuple[int, ...]:
        """Points of complete papers, by seat."""
        return self.areas.points

    @property
    def complete_papers(self) -> tuple[int, ...]:
        """The number of complete papers, by seat: the tie-break."""
        return self.areas.complete

    @property
    def outcome(self) -> Ended | None:
        """The end of the game as a value, ``None`` before it (10: most points, then fewest complete papers)."""
        if self.ending is None:
            return None
        ranks = [(points, -papers) for points, papers in zip(self.points, self.complete_papers, strict=True)]
        return Ended(self.ending, rank_places(ranks), self.points)

    def count_supply(self, kind: str) -> int:
        """Return the number of paper cards of that kind left.

        Raises:
            KeyError: there is no such kind.
        """
        place = self.catalogue.place(kind)
        if place < 0:
            raise KeyError(kind)
        return self.areas.supply[place]

    @property
    def draw_gives(self) -> int:
        """How many cards research from the draw pile draws now: 2, 1 or 0 (8)."""
        return min(2, self.draw_count + len(self._discards))

    @property
    def reshuffle_on_draw(self) -> str:
        """When a draw now would reshuffle: ``none``, ``before`` its first card or ``between`` its two cards (8)."""
        if self.draw_count >= 2 or not self._discards:
            return "none"
        return "between" if self.draw_count else "before"

    @property
    def review_possible(self) -> bool:
        """True where some paper has two cards or more."""
        return self.areas.open > 0

    @property
    def pass_allowed(self) -> bool:
        """True where neither research nor review is possible (1)."""
        return self.draw_gives == 0 and self.areas.open == 0

    def may_hold(self, seat: int, card: Card) -> bool:
        """Tell whether that card can be in that hand: publicly known or, with full information, as it is."""
        return bool(self._possible_in_hand(seat, card.bit))

    def may_be_held(self, seat: int) -> int:
        """Return the cards that can be in that hand, as a mask: publicly known or, with full information, as it is."""
        return self._possible_in_hand(seat, ALL)

    def may_be_in_deck(self, card: Card) -> bool:
        """Tell whether that card can be in the draw pile: publicly known or, with full information, as it is."""
        if self._known is not None:
            return bool(self._known.find_possible(DRAW, card.bit))
        return bool((self._draw or 0) & card.bit)

    # Judging a move

    def _apply_move(self, move: Move) -> Position:
        if isinstance(move, Research):
            return self._do_research(move)
        if isinstance(move, Review):
            return self._do_review(move)
        if isinstance(move, Publish):
            return self._do_publish(move)
        if isinstance(move, Pass):
            after = self._copy()
            after._end_turn(self.passes + 1)
            return after
        if isinstance(move, EndFlag):
            return self._do_end_flag(move)
        return self._do_deal(move)

    def _find_reasons(self, move: Move) -> list[Reason]:
        if isinstance(move, (Deal, Setup)):
            return self._verify_deal(move)
        there = 1 <= move.seat <= len(self.players)
        if self.phase is Phase.SETUP and there:
            return [common.bad_record(_NO_MOVES_YET)]
        reasons = [] if there else [common.no_seat(move.seat)]
        if self.phase is Phase.OVER:
            reasons.append(common.game_over())
        elif self.phase is Phase.FLAG and not isinstance(move, EndFlag):
            reasons.append(because.flag_due(who=self.seat_words(self.seat)))
        if move.seat != self.seat and self.to_move is not None:
            reasons.append(common.out_of_turn(self.seat_words(move.seat), self.seat_words(self.seat)))
        if not there:
            return reasons
        if isinstance(move, Research):
            self._verify_research(move, reasons)
        elif isinstance(move, Review):
            self._verify_review(move, reasons)
        elif isinstance(move, Publish):
            self._verify_publish(move, reasons)
        elif isinstance(move, Pass):
            actions = ((because.RESEARCH, self.draw_gives), (because.REVIEW, self.areas.open))
            if possible := [words for words, is_possible in actions if is_possible]:
                who, ways = self.seat_words(move.seat), join_with_and(possible)
                reasons.append(because.pass_not_allowed(who=who, actions=ways, count=len(possible)))
        else:
            if self.phase is not Phase.FLAG or move.seat != self.seat:
                reasons.append(because.flag_not_due(who=self.seat_words(move.seat)))
            self._verify_in_hand(move.seat, (move.card,), (), reasons)
        return reasons

    def _verify_deal(self, move: Deal | Setup) -> list[Reason]:
        if self.phase is not Phase.SETUP:
            return [common.bad_record(Text("the cards have been dealt already"))]
        if isinstance(move, Setup):
            return []
        n = len(self.players)
        if len(move.hands) != n or any(len(hand) != HAND_AT_START for hand in move.hands):
            cause = Text("'hands' must be {n} hands of {size} cards", n=n, size=HAND_AT_START)
            return [common.bad_record(cause)]
        count = setup_discards(n)
        if len(move.discard) != count:
            cause = Text("'discard' must be {cards} with {n} players", cards=say_number(count), n=n)
            return [common.bad_record(cause)]
        dealt = [card for hand in move.hands for card in hand] + [*move.discard]
        if len(set(dealt)) != len(dealt):
            (twice, _), *_ = Counter(dealt).most_common(1)
            return [common.bad_record(Text("{card} is dealt twice", card=twice))]
        return []

    def _verify_research(self, move: Research, reasons: list[Reason]) -> None:
        keep, discard = move.keep, move.discard
        if move.source == "discard":
            if keep is None:
                reasons.append(common.bad_record(Text("the line lacks 'keep'")))
            if not self._discards:
                reasons.append(because.discard_empty())
                if not self.draw_count:
                    reasons.append(because.research_impossible())
            elif keep is not None and not self._may_be_top(keep):
                reasons.append(because.not_the_top_discard(card=keep))
            if discard is not None:
                reasons.append(because.nothing_discarded_here(card=discard))
            return
        if move.source != "deck":
            cause = Text("'source' is 'deck' or 'discard', not {told}", told=quote_value(move.source))
            reasons.append(common.bad_record(cause))
            return
        gives = self.draw_gives
        if not gives:
            reasons.append(because.research_impossible())
            return
        if keep is None and self._hands is not None:
            reasons.append(common.bad_record(Text("the line lacks 'keep'")))
        if (discard is None) == (gives == 2):
            reasons.append(because.one_of_two_not_discarded() if gives >= 2 else because.only_one_drawn())
        drawn = tuple(card for card in (keep, discard) if card is not None)
        if len(drawn) == 2 and keep == discard:
            reasons.append(because.card_not_in_deck(cards=drawn[:1]))
            return
        wrong = tuple(card for card in drawn if not self._may_be_drawn(card))
        if wrong:
            reasons.append(because.card_not_in_deck(cards=wrong))
        elif gives == 2 and len(drawn) == 2 and not self._may_draw_both(drawn[0], drawn[1]):
            reasons.append(because.last_card_not_drawn(cards=drawn))

    def _may_be_top(self, card: Card) -> bool:
        top = self._discards[-1]
        if top != UNSEEN:
            return top == card.index
        return self._known is not None and bool(self._known.find_possible(self._known.under, card.bit))

    def _may_be_drawn(self, card: Card) -> bool:
        """Tell whether this card can be one of those drawn now, the reshuffle included."""
        fresh = bool(self.draw_count) and self.may_be_in_deck(card)
        if fresh or self.draw_count >= 2:
            return fresh
        if card.index in self._discards:
            return True
        return self._known is not None and bool(self._known.find_possible(self._known.under, card.bit))

    def _may_draw_both(self, keep: Card, discard: Card) -> bool:
        """Tell whether these two can be the two cards drawn; each of them alone can be."""
        if self._known is not None:
            return self._known_after_draw(self._known, 1, keep, discard).consistent
        return self.draw_count != 1 or bool(self.draw_mask & (keep.bit | discard.bit))

    def _verify_review(self, move: Review, reasons: list[Reason]) -> None:
        paper, there = self.find_paper(move.of, move.paper), 1 <= move.of <= len(self.players)
        if paper is not None and not paper.complete and move.take in paper.cards and not move.more:
            return
        author, words = self.seat_words(move.of), self._paper_words(move.paper)
        if not there:
            reasons.append(common.no_seat(move.of))
        if paper is None:
            reasons.append(because.paper_not_there(author=author, paper=words))
        elif paper.complete:
            reasons.append(because.paper_complete(author=author, paper=words, card=paper.cards[0]))
        else:
            reasons += [
                because.card_not_in_paper(author=author, paper=words, card=card)
                for card in (move.take, *move.more)
                if card not in paper.cards
            ]
        if move.more and there:
            reasons.append(because.took_two_cards(cards=(move.take, *move.more)))

    def _paper_words(self, name: str) -> Text:
        if name in self.catalogue:
            return self.catalogue[name].text
        return Text("paper {name!r}", name=shorten_name(name))

    def _verify_publish(self, move: Publish, reasons: list[Reason]) -> None:
        seat = move.seat
        place = self.catalogue.place(move.paper)
        kind: PaperKind | None = None
        if place < 0:
            reasons.append(because.unknown_paper(name=shorten_name(move.paper)))
        elif move.paper == END_FLAG:
            reasons.append(because.flag_not_published(flag=self._paper_words(END_FLAG)))
        else:
            kind = self.catalogue.kinds[place]
            if self.areas.held[seat - 1] >> place & 1:
                reasons.append(
                    because.paper_already_held(who=self.seat_words(seat), paper=self._paper_words(kind.name))
                )
            if not self.areas.supply[place]:
                reasons.append(because.supply_exhausted(paper=self._paper_words(kind.name)))
        if not move.cards:
            reasons.append(because.nothing_new(paper=self._paper_words(move.paper)))
        paid: tuple[Card, ...] = ()
        for given in move.pay.values():
            if not isinstance(given, int):
                paid += given
        self._verify_in_hand(seat, move.cards, paid, reasons)
        cited = self._verify_citations(move, reasons)
        if kind is not None and cited is not None and (move.cards or cited):
            meld = move.cards + cited
            if kind.combination is not None and not kind.is_met_by(meld):
                rule = kind.combination.describe_rule()
                reasons.append(because.not_a_meld(paper=self._paper_words(kind.name), rule=rule, cards=meld))
        self._verify_payment(move, reasons)

    def _verify_in_hand(self, seat: int, laid: tuple[Card, ...], paid: tuple[Card, ...], reasons: list[Reason]) -> None:
        """Look whether the cards, laid or paid, can all be in the hand, each of them once."""
        used = laid + paid
        mask = mask_of(used)
        if mask.bit_count() != len(used):
            twice = tuple(card for card, count in Counter(used).items() if count > 1)
            reasons.append(because.card_used_twice(who=self.seat_words(seat), cards=twice))
        missing = mask & ~self._possible_in_hand(seat, mask)
        if missing:
            reasons.append(because.card_not_in_hand(who=self.seat_words(seat), cards=cards_in(missing)))
        elif self._known is not None and not self._known.can_leave(seat, mask):
            reasons.append(because.not_all_in_hand(who=self.seat_words(seat), cards=cards_in(mask)))

    def _possible_in_hand(self, seat: int, among: int) -> int:
        if self._hands is not None:
            return self._hands[seat - 1] & among
        return self._known.find_possible(seat, among) if self._known is not None else among

    def _verify_citations(self, move: Publish, reasons: list[Reason]) -> tuple[Card, ...] | None:
        """Return the cited cards, each once; ``None`` where a cited paper is not to be had."""
        if not move.cite:
            return ()
        once = dict.fromkeys(move.cite)
        if len(once) != len(move.cite):
            twice = [citation for citation, count in Counter(move.cite).items() if count > 1]
            reasons.append(
                because.cited_twice(papers=join_with_and([self._cited_words(citation) for citation in twice]))
            )
        cards: list[Card] = []
        wrong: list[Citation] = []
        for citation in once:
            paper = self.find_paper(citation.seat, citation.paper)
            if paper is not None and paper.complete:
                cards.append(paper.cards[0])
            else:
                wrong.append(citation)
        if wrong:
            reasons.append(
                because.not_citable(papers=join_with_and([self._cited_words(citation) for citation in wrong]))
            )
            strange = [citation.seat for citation in wrong if not 1 <= citation.seat <= len(self.players)]
            if strange:
                reasons.append(common.no_seat(strange[0]))
            return None
        return tuple(cards)

    def _cited_words(self, citation: Citation) -> Text:
        words = self._paper_words(citation.paper)
        if not 1 <= citation.seat <= len(self.players):
            return words
        author = self.seat_words(citation.seat)
        return Text("{author}'s {paper}", author=author, paper=words)

    def _verify_payment(self, move: Publish, reasons: list[Reason]) -> None:
        due: dict[int, int] = {}
        for citation in dict.fromkeys(move.cite):
            if citation.seat != move.seat:
                due[citation.seat] = due.get(citation.seat, 0) + 1
        if not due and not move.pay:
            return
        needed, left = sum(due.values()), max(0, self.sizes[move.seat - 1] - len(set(move.cards)))
        if needed > left:
            reasons.append(
                because.cannot_pay(who=self.seat_words(move.seat), needed=say_number(needed), left=say_number(left))
            )
        for author in sorted(due.keys() | move.pay.keys()):
            given = move.pay.get(author, 0)
            paid = given if isinstance(given, int) else len(given)
            owed = due.get(author, 0)
            if author > len(self.players) or author < 1:
                if author in move.pay:
                    reasons.append(common.no_seat(author))
            elif paid < owed:
                reasons.append(because.payment_missing(author=self.seat_words(author), due=say_number(owed), paid=paid))
            elif paid > owed and author == move.seat:
                reasons.append(because.paid_oneself(who=self.seat_words(author), paid=say_number(paid)))
            elif paid > owed:
                reasons.append(because.payment_excess(author=self.seat_words(author), due=say_number(owed), paid=paid))

    # Playing a move that was verified

    def _copy(self) -> Position:
        new = object.__new__(Position)
        new.players, new.first_seat, new.catalogue = self.players, self.first_seat, self.catalogue
        new.phase, new.seat, new.passes, new.met = self.phase, self.seat, self.passes, self.met
        new._hands, new._draw, new._known, new.sizes = self._hands, self._draw, self._known, self.sizes
        new.draw_count, new._discards, new.areas = self.draw_count, self._discards, self.areas
        new.turns_left, new.flag_seat, new.ending = self.turns_left, self.flag_seat, self.ending
        return new

    def _do_deal(self, move: Deal | Setup) -> Position:
        after = self._copy()
        n = len(self.players)
        count = setup_discards(n)
        after.phase = Phase.PLAY
        after.sizes = (HAND_AT_START,) * n
        after.draw_count = len(DECK) - HAND_AT_START * n - count
        if isinstance(move, Setup):
            after._discards = (UNSEEN,) * (count - 1) + (move.discard.index,)
            counts = (after.draw_count, *after.sizes, count - 1)
            after._known = Knowledge.start(counts, ALL & ~move.discard.bit)
            return after
        after._hands = tuple(mask_of(hand) for hand in move.hands)
        after._discards = tuple(card.index for card in move.discard)
        after._draw = ALL & ~mask_of([*move.discard, *(card for hand in move.hands for card in hand)])
        return after

    def _do_research(self, move: Research) -> Position:
        after = self._copy()
        seat = self.seat
        after.sizes = with_seat(self.sizes, seat, self.sizes[seat - 1] + 1)
        if move.source == "discard":
            after._discards = self._discards[:-1]
            if self._known is not None:
                known = self._known
                if self._discards[-1] == UNSEEN:
                    known = known.leave(known.under, _make_bit(move.keep))
                after._known = known.enter(seat, _make_bit(move.keep))
        else:
            discard = () if move.discard is None else (move.discard.index,)
            if self.draw_count >= 2:
                after.draw_count = self.draw_count - 2
                after._discards = self._discards + discard
            else:
                after.draw_count = self.draw_count + len(self._discards) - self.draw_gives
                after._discards = discard
            if self._known is not None:
                after._known = self._known_after_draw(self._known, seat, move.keep, move.discard)
            else:
                below = sum(1 << index for index in self._discards) if self.draw_count < 2 else 0
                after._draw = (self.draw_mask | below) & ~(_make_bit(move.keep) | _make_bit(move.discard))
        if self._hands is not None:
            after._hands = with_seat(self._hands, seat, self._hands[seat - 1] | _make_bit(move.keep))
        after._end_turn(0)
        return after

    def _known_after_draw(self, known: Knowledge, seat: int, keep: Card | None, discard: Card | None) -> Knowledge:
        """Return what everybody knows after a draw, where ``discard`` and, if
        given, ``keep`` were among the cards drawn.
        """
        first, second = _make_bit(discard), _make_bit(keep)
        if self.draw_count >= 2 or not self._discards:
            return known.draw(seat, second, first)
        seen = sum(1 << index for index in self._discards if index != UNSEEN)
        if not self.draw_count:
            return known.reshuffle(seen).draw(seat, second, first)
        # Between the two cards (8): either the shown card was the last of the old draw pile, or the kept one was.
        shown_first = known.leave(DRAW, first).reshuffle(seen).draw(seat, second, 0)
        kept_first = known.draw(seat, second, 0).reshuffle(seen).leave(DRAW, first)
        return Knowledge.join_either(shown_first, kept_first)

    def _do_review(self, move: Review) -> Position:
        after = self._copy()
        seat, take = self.seat, move.take
        after.areas = self.areas.take_reviewed(move.of, move.paper, take)
        after.sizes = with_seat(self.sizes, seat, self.sizes[seat - 1] + 1)
        if self._hands is not None:
            after._hands = with_seat(self._hands, seat, self._hands[seat - 1] | take.bit)
        elif self._known is not None:
            after._known = self._known.enter(seat, take.bit)
        after._end_turn(0)
        return after

    def _do_publish(self, move: Publish) -> Position:
        after = self._copy()
        seat = self.seat
        after._lay(move.paper, move.cards)
        if any(isinstance(given, int) and given for given in move.pay.values()):
            after._hide()
        for author, given in move.pay.items():
            count = given if isinstance(given, int) else len(given)
            if not count:
                continue
            sizes = with_seat(after.sizes, seat, after.sizes[seat - 1] - count)
            after.sizes = with_seat(sizes, author, sizes[author - 1] + count)
            if after._hands is not None and not isinstance(given, int):
                paid = mask_of(given)
                hands = with_seat(after._hands, seat, after._hands[seat - 1] & ~paid)
                after._hands = with_seat(hands, author, hands[author - 1] | paid)
            elif after._known is not None and isinstance(given, int):
                after._known = after._known.move(seat, author, given)
            elif after._known is not None and not isinstance(given, int):
                paid = mask_of(given)
                after._known = after._known.leave(seat, paid).enter(author, paid)
        after._end_turn(0)
        return after

    def _do_end_flag(self, move: EndFlag) -> Position:
        after = self._copy()
        after._lay(END_FLAG, (move.card,))
        after._start_countdown()
        return after

    # The following change a fresh copy before anybody else sees it.

    def _hide(self) -> None:
        """Go on with what is known of hands and draw pile, once cards change hands that nobody names."""
        if self._hands is None:
            return
        known = Knowledge.start((0,) * (len(self.players) + 2), 0).enter(DRAW, self.draw_mask)
        for seat, hand in enumerate(self._hands, 1):
            known = known.enter(seat, hand)
        self._known, self._hands, self._draw = known, None, None

    def _lay(self, kind: str, cards: tuple[Card, ...]) -> None:
        """Lay a new paper from cards of the hand to move."""
        seat, mask = self.seat, mask_of(cards)
        self.areas = self.areas.with_paper(Paper(seat, kind, cards))
        self.sizes = with_seat(self.sizes, seat, self.sizes[seat - 1] - len(cards))
        if self._hands is not None:
            self._hands = with_seat(self._hands, seat, self._hands[seat - 1] & ~mask)
        elif self._known is not None:
            self._known = self._known.leave(seat, mask)

    def _end_turn(self, passes: int) -> None:
        """End the turn of the seat to move: run of passes, end condition, countdown (1, 2)."""
        self.passes = passes
        if passes == len(self.players):
            self.phase, self.ending = Phase.OVER, Ending.PASSES
            return
        if not self.met and self.areas.points[self.seat - 1] >= POINTS_TO_END:
            self.met = True
            if self.sizes[self.seat - 1]:
                self.phase, self.flag_seat = Phase.FLAG, self.seat
            else:
                self._start_countdown()
            return
        if self.turns_left is not None:
            self.turns_left -= 1
            if not self.turns_left:
                self.phase, self.ending = Phase.OVER, Ending.COUNTDOWN
                return
        self.seat = self.seat % len(self.players) + 1

    def _start_countdown(self) -> None:
        n = len(self.players)
        self.phase = Phase.PLAY
        self.turns_left = 2 * n - 1
        self.seat = self.seat % n + 1

    # Printing, saving

    def __hash__(self) -> int:
        return hash((self.phase, self.seat, self._hands, self._discards, self.sizes, self.areas.papers, self.passes))

    def __repr__(self) -> str:
        turn = f"{self.get_name(self.seat)} to move" if self.to_move else str(self.phase)
        return (
            f"<Position {turn}, points {list(self.points)}, hands {list(self.sizes)}, "
            f"draw {self.draw_count}, discards {len(self._discards)}>"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data; ``Position.from_json`` restores it."""
        return {"game": "laminate", **save_fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], catalogue: Papers = LAMINATE) -> Position:
        """Restore what ``to_json`` gave; ``catalogue`` must hold the same paper kinds.

        Raises:
            ValueError: other paper kinds, or unknown cards.
            KeyError: something is missing.
        """
        if data["papers"] != [kind.name for kind in catalogue.kinds]:
            raise ValueError("the position was saved with other paper kinds")
        start = cls.start(data["players"], data["first_seat"], catalogue)
        areas = start.areas
        for seat, area in enumerate(data["areas"], 1):
            for entry in area:
                areas = areas.with_paper(Paper(seat, entry["paper"], tuple(map(Card.parse, entry["cards"]))))
        fields = {**data, "draw": None} if data["hands"] is None else data
        return replace(start, **{**read_fields(cls, fields), "catalogue": catalogue, "areas": areas})


def setup_discards(players: int) -> int:
    """Return how many cards the set-up discards: none from the first two players, 1, 1 and 2 from the others (11)."""
    return (0, 1, 2, 4)[players - 2]


def _make_bit(card: Card | None) -> int:
    return 0 if card is None else card.bit
