"""The position set by hand from the table as it lies.

Papers, their sides and payments, and with them the points, follow from the table; what the table does not show is
asked: whose turn it is, how many cards each hand holds and how many lie in the discard pile. What everybody could
know about hidden cards is kept where at most one hand or pile is not as it was, unless the players want it forgotten:
then nobody is accused because of what happened before.

How far the end of the game has come follows from all this too: with nobody at 15 points there is no countdown, and
with the End Flag on the table the seat to move leaves two numbers of turns at most. What is still open is asked, and
nothing is offered that the rules could not lead to (``rules.laminate.ending``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.game import Put
from referee.laminate.expected_layout import Agreed
from referee.laminate.explain import paper_words, sighting_words, turn_over, whose_paper
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.menu import Menu, Option
from rules.cards import ALL, DECK, Card, mask_of
from rules.laminate.ending import End
from rules.laminate.knowledge import Knowledge
from rules.laminate.papers import END_FLAG
from rules.laminate.position import HAND_AT_START, POINTS_TO_END, Phase, Position
from rules.text import Text, join_row, player, plural, say_number, verbatim

_TOLD_AT_ONCE = 2
"""At most this many hindrances are said at once; the next ones show when these are gone."""


def find_hindrances(agreed: Agreed, view: TableView, layout: PaperLayout) -> tuple[Text, ...]:
    """Say why no position can be set from this table, a sentence each; none where one can."""
    position = agreed.position
    sentences: list[Text] = []
    if view.unread:
        cards = say_number(len(view.unread))
        sentences.append(Text("{cards} can't be read: name it by hand, or straighten the cards.", cards=cards))
    for seen in view.loose:
        words = sighting_words(position, seen)
        sentences.append(Text("{card} belongs to no paper: take it into a hand or to its place.", card=words))
    kinds = Counter((paper.seat, paper.kind) for paper in view.papers)
    copies = Counter(paper.kind for paper in view.papers)
    for paper in view.papers:
        whose = whose_paper(position, paper.seat, paper.kind)
        if not paper.cards:
            sentences.append(Text("{paper} has no cards.", paper=whose))
        elif paper.complete_side != (len(paper.cards) == 1):
            turn = turn_over(position, paper.seat, paper.kind, len(paper.cards) == 1)
            sentences.append(turn.text)
        if kinds[paper.seat, paper.kind] > 1:
            sentences.append(Text("{paper} lies there twice.", paper=whose))
        if paper.kind == END_FLAG and len(paper.cards) > 1:
            sentences.append(Text("{paper!c} takes one card only.", paper=whose))
        if paper.kind in position.catalogue and copies[paper.kind] > position.catalogue[paper.kind].copies:
            words = paper_words(position, paper.kind)
            sentences.append(Text("There are too many papers of the kind {paper}.", paper=words))
    lying = [card for paper in view.papers for card in paper.cards]
    lying += [] if view.discard_top is None else [view.discard_top]
    for card, count in Counter(lying).items():
        if count > 1:
            sentences.append(Text("{card!c} is seen twice.", card=card))
    lie = len(lying) + sum(view.payments.values()) + (view.draw_backs > 0)
    if lie > len(DECK):
        sentences.append(Text("More cards lie there than the {count} of the deck.", count=len(DECK)))
    if not sentences and (fault := Draft.from_table(agreed, view).end.flag_fault) is not None:
        sentences.append(fault)
    return tuple(dict.fromkeys(sentences))


@dataclass(frozen=True)
class Draft:
    """A position being set: the table, and what it does not show.

    ``hands`` are cards in the hand by seat, without thank-you cards that still lie there; ``seat`` is to move, and
    must take the End Flag first where ``flag_due``; ``turns_left`` is ``None`` where no countdown runs.
    """

    agreed: Agreed
    view: TableView
    seat: int
    hands: tuple[int, ...]
    discards: int
    turns_left: int | None
    flag_due: bool = False

    @classmethod
    def from_table(cls, agreed: Agreed, view: TableView) -> Draft:
        """Begin with the likeliest answers: what was confirmed,
        with what has left the papers in the hand of who is to move.
        """
        position = agreed.position
        seat = position.to_move or position.first_seat
        hands = [position.hand_size(s) - agreed.thanks.get(s, 0) for s in range(1, len(position.players) + 1)]
        if position.phase is Phase.SETUP:
            hands = [HAND_AT_START] * len(hands)
        was = sum(len(paper.cards) for paper in position.papers)
        now = sum(len(paper.cards) for paper in view.papers)
        hands[seat - 1] = max(0, hands[seat - 1] + was - now)
        count = len(agreed.discards)
        if view.discard_top is None:
            count = 0
        elif view.discard_top not in agreed.discards:
            count += 1
        return cls(agreed, view, seat, tuple(hands), count, None)._as_likely()

    def _as_likely(self) -> Draft:
        """Return it with whose turn it is and how far the end has
        come as confirmed, where the table still allows that.
        """
        position, end = self.agreed.position, self.end
        n, was = len(position.players), position.turns_left
        flag_lay = any(paper.kind == END_FLAG for paper in position.papers)
        if end.flag is not None and not flag_lay:
            # Laid since: the countdown begins.
            return replace(self, seat=end.flag % n + 1, turns_left=2 * n - 1)
        flag_due = replace(self, flag_due=True)
        if position.phase is Phase.FLAG and flag_due.end.settled.contradiction is None:
            return flag_due
        if end.flag is None and flag_lay:
            was = None
        possible = end.possible
        if None in possible and (was is None or len(possible) == 1):
            return self
        if end.flag is not None or was is not None:
            return replace(self, turns_left=_choose_nearest(possible, was))
        # Whoever moved last has the points: since the end of that turn, or by what the player to move has done since.
        after = replace(self, seat=self.seat % n + 1)
        if position.points[end.moved_last - 1] < POINTS_TO_END and None in after.end.possible:
            return after
        return replace(self, seat=end.moved_last, flag_due=True)

    @property
    def free(self) -> int:
        """Cards that lie in no paper and on no payment spot: in hands, draw pile and discard pile."""
        papers = sum(len(paper.cards) for paper in self.view.papers)
        return len(DECK) - papers - sum(self.view.payments.values())

    @property
    def draw(self) -> int:
        """Cards in the draw pile: what is left over."""
        return self.free - sum(self.hands) - self.discards

    @property
    def end(self) -> End:
        """How far the end of the game has come."""
        seats = range(1, len(self.hands) + 1)
        flag = next((paper.seat for paper in self.view.papers if paper.kind == END_FLAG), None)
        points = tuple(self.count_points(seat, but=END_FLAG) for seat in seats)
        names = self.agreed.position.players
        return End(names, points, tuple(self._sizes), self.seat, flag, self.flag_due, self.turns_left)

    @property
    def adds_up(self) -> bool:
        """Whether the numbers go with the piles that are seen."""
        pile = self.draw > 0 if self.view.draw_backs else self.draw == 0
        return pile and (self.discards > 0) == (self.view.discard_top is not None)

    def count_points(self, seat: int, but: str = "") -> int:
        """Return the points of that seat's complete papers on the table, those of the kind ``but`` left out."""
        catalogue = self.agreed.position.catalogue
        papers = [p for p in self.view.papers if p.seat == seat and p.complete_side and p.kind != but]
        return sum(catalogue[paper.kind].points for paper in papers)

    @property
    def known(self) -> Knowledge | None:
        """What everybody still knows of hidden cards; ``None`` where more than one place of them is not as it was."""
        position = self.agreed.position
        if position.phase is Phase.SETUP:
            return None
        known = Knowledge.from_json(position.to_json()["known"])
        hidden, counts = self._hidden, self._counts
        papers = mask_of(card for paper in position.papers for card in paper.cards)
        hidden_before = ALL & ~papers & ~mask_of(card for card in self.agreed.discards if card is not None)
        came, went = hidden_before & ~hidden, hidden & ~hidden_before
        places = [place for place, count in enumerate(counts) if count != known.count(place)]
        if places:
            place = places[0]
            if len(places) > 1 or counts[place] - known.count(place) != went.bit_count() - came.bit_count():
                return None
            known = known.leave(place, came).enter(place, went)
        elif came or went:
            return None
        known = known.see(known.under, self._below)
        return known if known.consistent else None

    @property
    def _sizes(self) -> list[int]:
        """Cards in the hands by seat, thank-you cards that still lie there counted with them."""
        return [hand + self.view.payments.get(seat, 0) for seat, hand in enumerate(self.hands, 1)]

    @property
    def _hidden(self) -> int:
        """The cards that nobody sees, a mask."""
        lying = mask_of(card for paper in self.view.papers for card in paper.cards)
        return ALL & ~lying & ~mask_of(card for card in self._guess_discards() if card is not None)

    @property
    def _below(self) -> int:
        """The cards that show under the top discard and are not known by their place, a mask; none where more of them
        show than lie there by the numbers entered.
        """
        below = mask_of(self.view.discard_under) & self._hidden
        return below if below.bit_count() <= self._guess_discards().count(None) else 0

    @property
    def _counts(self) -> tuple[int, ...]:
        """How many cards nobody sees in the draw pile, each hand and the discard pile."""
        return (self.draw, *self._sizes, self._guess_discards().count(None))

    def to_agreed(self, forget: bool = False) -> Agreed:
        """Return what is confirmed once this draft is; with ``forget``, or where
        nothing can be known any more, any placing of the hidden cards may be.

        Raises:
            ValueError: the rules can't lead to such a position.
        """
        end = self.end.settled
        if (why := end.contradiction) is not None:
            raise ValueError(f"no such position can be: {why}")
        position, view = self.agreed.position, self.view
        was = position.to_json()
        seats = range(1, len(position.players) + 1)
        discards = self._guess_discards()
        known = None if forget else self.known
        if known is None:
            known = Knowledge.start(self._counts, self._hidden)
            known = known.see(known.under, self._below)
        data: dict[str, Any] = {
            **was,
            **end.save_fields(),
            "hands": None,
            "draw": None,
            "known": known.to_json(),
            "sizes": self._sizes,
            "draw_count": self.draw,
            "discards": [None if card is None else str(card) for card in discards],
            "areas": [
                [{"paper": paper.kind, "cards": [*map(str, paper.cards)]} for paper in self._in_order(seat)]
                for seat in seats
            ],
            "passes": 0,
        }
        thanks = {seat: count for seat, count in view.payments.items() if count}
        return Agreed(Position.from_json(data, position.catalogue), thanks)

    def _in_order(self, seat: int) -> list[Any]:
        """Return a seat's papers in the order in which they were confirmed, new ones last."""
        known = [paper.kind for paper in self.agreed.position.papers if paper.seat == seat]
        papers = [paper for paper in self.view.papers if paper.seat == seat]
        return sorted(papers, key=lambda p: known.index(p.kind) if p.kind in known else len(known))

    def _guess_discards(self) -> list[Card | None]:
        """Return the discard pile: as it was, or with one card more or
        less, where its top says so; otherwise unknown under its top.
        """
        top = self.view.discard_top
        if top is None:
            return []
        before = list(self.agreed.discards)
        if len(before) + 1 == self.discards and top not in before:
            before.append(top)
        elif len(before) - 1 == self.discards:
            before.pop()
        if len(before) == self.discards and before[-1] == top:
            elsewhere = {card for paper in self.view.papers for card in paper.cards}
            return [None if card in elsewhere else card for card in before]
        return [*[None] * (self.discards - 1), top]


def _choose_nearest(possible: Sequence[int | None], was: int | None) -> int | None:
    """Return, of the numbers of turns that may be left, the
    nearest to what it was, the largest where there was none.
    """
    turns = [left for left in possible if left is not None]
    return min(turns, key=lambda left: -left if was is None else abs(left - was)) if turns else None


# --- the menus


def setting_menu(agreed: Agreed, view: TableView, layout: PaperLayout, put: Put, parent: Menu | None = None) -> Menu:
    """Ask what the table does not show, one question at a time; ``put`` gets what is to be confirmed."""
    hindered = find_hindrances(agreed, view, layout)
    if hindered:
        title = Text("The position can't be set from this table yet.")
        sentences = hindered[:_TOLD_AT_ONCE]
        more = len(hindered) - len(sentences)
        if more:
            sentences = (*sentences, Text("And {more} more.", more=more))
        return Menu.dead_end(title, parent, sentences)
    draft = Draft.from_table(agreed, view)
    position = agreed.position
    options: list[Option] = []
    chosen = 0
    seats = range(1, len(position.players) + 1)
    end = draft.end
    asking = _Asking(put, lambda: menu)
    for seat in seats:
        turn = _turn_of(position, seat)
        if seat == draft.seat:
            chosen = len(options) + draft.flag_due
        options.append(Option(turn, _ask_next(replace(draft, seat=seat, flag_due=False), 0, asking, asking.start)))
        if seat in end.reached and end.flag is None:
            who = player(position.get_name(seat))
            flag = Text("{who} takes the End Flag now.", who=who)
            due = replace(draft, seat=seat, flag_due=True, turns_left=None)
            options.append(Option(flag, _ask_next(due, 0, asking, asking.start)))
    title = Text("Whose turn is it?")
    menu = Menu(title, tuple(options), chosen=chosen, parent=parent)
    return menu


@dataclass(frozen=True)
class _Asking:
    """What the answers lead to: ``put`` gets the position, ``start`` shows the first question again."""

    put: Put
    start: Callable[[], Menu]


def _ask_next(draft: Draft, asked: int, asking: _Asking, parent: Callable[[], Menu]) -> Callable[[], Menu]:
    """Return the question number ``asked`` after whose turn it is: each hand, the discards, the end, then all of it."""
    position = draft.agreed.position
    count = len(position.players)

    def ask() -> Menu:
        if asked < count:
            who = player(position.get_name(asked + 1))
            title = Text("How many cards does {who} hold?", who=who)

            def with_hand(n: int) -> Draft:
                return replace(draft, hands=(*draft.hands[:asked], n, *draft.hands[asked + 1 :]))

            most = max(draft.free - sum(draft.hands[:asked]), draft.hands[asked])
            return _ask_number(title, range(most + 1), draft.hands[asked], with_hand, asked, asking, parent)
        if asked == count and draft.view.discard_top is not None and draft.view.draw_backs:
            title = Text("How many cards lie in the discard pile?")
            most = max(draft.free - sum(draft.hands) - 1, draft.discards, 1)

            def with_discards(n: int) -> Draft:
                return replace(draft, discards=n)

            return _ask_number(title, range(1, most + 1), draft.discards, with_discards, asked, asking, parent)
        if asked == count and draft.view.discard_top is not None:
            # Without a draw pile, whatever is in no hand lies in the discard pile.
            return _ask_next(replace(draft, discards=max(1, draft.discards + draft.draw)), asked + 1, asking, parent)()
        if asked <= count + 1 and not draft.flag_due:
            return _ask_end(draft, count + 1, asking, parent)
        return _show_summary(draft, asking, parent)

    return ask


def _ask_number(
    title: Text,
    numbers: Sequence[int],
    likely: int,
    chosen: Callable[[int], Draft],
    asked: int,
    asking: _Asking,
    parent: Callable[[], Menu],
) -> Menu:
    options = tuple(Option(verbatim(n), _ask_next(chosen(n), asked + 1, asking, lambda: menu)) for n in numbers)
    place = numbers.index(likely) if likely in numbers else 0
    menu = Menu(title, options, chosen=place, parent=parent())
    return menu


def _ask_end(draft: Draft, asked: int, asking: _Asking, parent: Callable[[], Menu]) -> Menu:
    """Ask how far the end of the game has come, as far as that is still open."""
    end = draft.end
    possible = end.possible
    if end.flag is None and end.reached:
        return _ask_who_met_it(draft, asked, asking, parent)
    if len(possible) == 1:
        return _ask_next(replace(draft, turns_left=possible[0]), asked + 1, asking, parent)()
    turns = [left for left in possible if left is not None]
    title = Text("How many turns are left, this one included?")

    def with_turns(n: int) -> Draft:
        return replace(draft, turns_left=n)

    return _ask_number(title, turns, _choose_nearest(turns, draft.turns_left) or 0, with_turns, asked, asking, parent)


def _ask_who_met_it(draft: Draft, asked: int, asking: _Asking, parent: Callable[[], Menu]) -> Menu:
    """Ask, where somebody has the points to end the game and no
    End Flag lies there, if it is due or that hand was empty.
    """
    end = draft.end
    possible = end.possible
    options: list[Option] = []
    chosen = 0

    def add(words: Text, answer: Draft) -> None:
        options.append(Option(words, _ask_next(answer, asked + 1, asking, lambda: menu)))

    last = player(end.players[end.moved_last - 1])
    if None in possible:
        add(Text("No, nobody yet."), replace(draft, turns_left=None))
    elif end.hands[end.moved_last - 1]:
        flag = Text("{who}, who takes the End Flag now.", who=last)
        add(flag, replace(draft, seat=end.moved_last, flag_due=True, turns_left=None))
    likely = None if draft.turns_left is None else _choose_nearest(possible, draft.turns_left)
    for left in reversed([left for left in possible if left is not None]):
        if left == likely:
            chosen = len(options)
        who, turns = player(end.players[end.find_starter(left) - 1]), _say_turns(left)
        words = Text("{who}, without a card for the End Flag: {turns} left.", who=who, turns=turns)
        add(words, replace(draft, turns_left=left))
    title = Text("Has anybody ended a turn with {points} points or more?", points=POINTS_TO_END)
    menu = Menu(title, tuple(options), chosen=chosen, parent=parent())
    return menu


def _turn_of(position: Position, seat: int) -> Text:
    who = player(position.get_name(seat))
    return Text("It is {who}'s turn.", who=who)


def _say_turns(count: int) -> Text:
    return plural("{count} turn", "{count} turns", count=count)


def _how_it_goes_on(draft: Draft) -> Text:
    """Say whose turn it is, and how far the end has come."""
    end = draft.end.settled
    if end.flag_due:
        who = player(end.players[end.seat - 1])
        return Text("{who} takes the End Flag.", who=who)
    words = _turn_of(draft.agreed.position, end.seat)
    if end.turns_left is not None:
        left = _say_turns(end.turns_left)
        whose = player(end.players[end.seat - 1])
        words = Text("It is {who}'s turn, {left} left.", who=whose, left=left)
    if draft.flag_due:
        words = Text("No card, so no End Flag: {turn}", turn=words)
    return words


def _show_summary(draft: Draft, asking: _Asking, parent: Callable[[], Menu]) -> Menu:
    position = draft.agreed.position
    counts = join_row(
        Text("{name} {points} / {hand}", name=name, points=draft.count_points(seat), hand=draft.hands[seat - 1])
        for seat, name in enumerate(position.players, 1)
    )
    points_words = Text("Points / hand: {counts}.", counts=counts)
    again = _ask_next(draft, 0, asking, asking.start)
    if not draft.adds_up:
        title = Text(
            "These numbers leave {draw} cards for the draw pile, which can't be: count again.", draw=draft.draw
        )
        return Menu(title, (Option(Text("Count again"), again),), (points_words,), parent=parent())

    def settle(forget: bool) -> Callable[[], Menu | None]:
        return lambda: asking.put(draft.to_agreed(forget))

    goes_on = _how_it_goes_on(draft)
    whole = Text(
        "{goes_on} {told} Draw pile {draw}, discard pile {discards}.",
        goes_on=goes_on,
        told=points_words,
        draw=draft.draw,
        discards=draft.discards,
    )
    title = Text("Go on from this position?")
    options = [Option(Text("Yes, set it"), settle(forget=False))]
    if draft.known is not None:
        # The way out where what was believed to be known is itself wrong, after a misread card, say.
        forgotten = Text("Yes, and forget who holds what")
        options.append(Option(forgotten, settle(forget=True)))
    options.append(Option(Text("No, count again"), again))
    return Menu(title, tuple(options), (whole,), parent=parent())
