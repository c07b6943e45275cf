"""The position set by hand from the table as it lies.

Papers, their sides and payments, and with them the points, follow from the table; what the table does not show is
asked: whose turn it is, how many cards each hand holds and how many lie in the discard pile. What everybody could
know about hidden cards is kept where at most one hand or pile is not as it was, unless the players want it forgotten:
then nobody is accused because of what happened before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.session.menu import Menu, Option
from referee.explain import capitalised, paper_words, sighting_words, turn_over, whose_paper
from referee.layouts import Layout
from referee.lying import Agreed
from referee.table import TableView
from rules.cards import ALL, DECK, Card, mask_of
from rules.laminate.knowledge import Knowledge
from rules.laminate.papers import END_FLAG
from rules.laminate.position import HAND_AT_START, POINTS_TO_END, Phase, Position
from rules.refusal import Words, number, player

_TOLD_AT_ONCE = 2
"""So many hindrances are told at once; the next ones show when these are gone."""

Put = Callable[[Agreed], Menu | None]
"""Takes the position that was set; gives the menu to show next, if any."""


def hindrances(agreed: Agreed, view: TableView, layout: Layout) -> tuple[Words, ...]:
    """Why no position can be set from this table, a sentence each; none where one can."""
    position = agreed.position
    told: list[Words] = []
    if view.unread:
        unread = number(len(view.unread))
        told.append(
            Words(
                f"{capitalised(unread).en} can't be read: name it by hand, or straighten the cards.",
                f"読めないカードが{unread.ja}あります。手で教えるか、よく見えるように直してください。",
            )
        )
    for seen in view.loose:
        words = sighting_words(position, seen)
        told.append(
            Words(
                f"{words.en} belongs to no paper: take it into a hand or to its place.",
                f"{words.ja}がどの論文にも付いていません。手札か正しい場所に移してください。",
            )
        )
    kinds = Counter((paper.seat, paper.kind) for paper in view.papers)
    copies = Counter(paper.kind for paper in view.papers)
    for paper in view.papers:
        whose = whose_paper(position, paper.seat, paper.kind)
        if not paper.cards:
            told.append(Words(f"{whose.en} has no cards.", f"{whose.ja}にカードがありません。"))
        elif paper.complete_side != (len(paper.cards) == 1):
            turn = turn_over(position, paper.seat, paper.kind, len(paper.cards) == 1)
            told.append(Words(turn.en, turn.ja))
        if kinds[paper.seat, paper.kind] > 1:
            told.append(Words(f"{whose.en} lies there twice.", f"{whose.ja}が2つあります。"))
        if paper.kind in position.catalogue and copies[paper.kind] > position.catalogue[paper.kind].copies:
            words = paper_words(position, paper.kind)
            told.append(
                Words(f"There are too many papers of the kind {words.en}.", f"{words.ja}の論文カードが多すぎます。")
            )
    lying = [card for paper in view.papers for card in paper.cards]
    lying += [] if view.discard_top is None else [view.discard_top]
    for card, count in Counter(lying).items():
        if count > 1:
            told.append(Words(f"{capitalised(_words(card)).en} is seen twice.", f"{card.ja}が2か所に見えます。"))
    return tuple(dict.fromkeys(told))


def _words(card: Card) -> Words:
    return Words(card.en, card.ja)


@dataclass(frozen=True)
class Draft:
    """A position being set: the table, and what it does not show.

    ``hands`` are cards in the hand by seat, without thank-you cards that still lie there; ``seat`` is to move, and
    must take the End Flag first where ``flag_due``; ``turns_left`` is ``None`` before the countdown.
    """

    agreed: Agreed
    view: TableView
    seat: int
    hands: tuple[int, ...]
    discards: int
    turns_left: int | None
    flag_due: bool = False

    @classmethod
    def of(cls, agreed: Agreed, view: TableView) -> Draft:
        """The likeliest answers: what was agreed, with what has left the papers in the hand of who is to move."""
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
        draft = cls(agreed, view, seat, tuple(hands), count, position.turns_left)
        return replace(draft, turns_left=draft.countdown[-1]) if draft.countdown and not position.turns_left else draft

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
    def countdown(self) -> tuple[int, ...]:
        """The numbers of turns that may be left, none before the countdown."""
        flag = any(paper.kind == END_FLAG for paper in self.view.papers)
        started = flag or self.agreed.position.turns_left is not None
        return tuple(range(1, 2 * len(self.hands))) if started else ()

    @property
    def adds_up(self) -> bool:
        """Whether the numbers go with the piles that are seen."""
        pile = self.draw > 0 if self.view.draw_backs else self.draw == 0
        return pile and (self.discards > 0) == (self.view.discard_top is not None)

    def points(self, seat: int) -> int:
        """The points of that seat's complete papers on the table."""
        catalogue = self.agreed.position.catalogue
        return sum(catalogue[p.kind].points for p in self.view.papers if p.seat == seat and p.complete_side)

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
        return ALL & ~lying & ~mask_of(card for card in self._discards() if card is not None)

    @property
    def _below(self) -> int:
        """The cards that show under the top discard and are not known by their place, a mask; none where more of them
        show than lie there by the numbers told.
        """
        below = mask_of(self.view.discard_under) & self._hidden
        return below if below.bit_count() <= self._discards().count(None) else 0

    @property
    def _counts(self) -> tuple[int, ...]:
        """How many cards nobody sees in the draw pile, each hand and the discard pile."""
        return (self.draw, *self._sizes, self._discards().count(None))

    def to_agreed(self, forget: bool = False) -> Agreed:
        """What is agreed once this draft is; with ``forget``, or where nothing can be known any more, any placing of
        the hidden cards may be.
        """
        position, view = self.agreed.position, self.view
        was = position.to_json()
        seats = range(1, len(position.players) + 1)
        discards = self._discards()
        known = None if forget else self.known
        if known is None:
            known = Knowledge.start(self._counts, self._hidden)
            known = known.see(known.under, self._below)
        flags = [paper.seat for paper in view.papers if paper.kind == END_FLAG]
        data: dict[str, Any] = {
            **was,
            "phase": (Phase.FLAG if self.flag_due else Phase.PLAY).value,
            "seat": self.seat,
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
            "met": was["met"] or bool(flags) or self.flag_due,
            "turns_left": None if self.flag_due else self.turns_left,
            "flag_seat": self.seat if self.flag_due else flags[0] if flags else None,
            "ending": None,
        }
        thanks = {seat: count for seat, count in view.payments.items() if count}
        return Agreed(Position.from_json(data, position.catalogue), thanks)

    def _in_order(self, seat: int) -> list[Any]:
        """A seat's papers in the order in which they were agreed, new ones last."""
        known = [paper.kind for paper in self.agreed.position.papers if paper.seat == seat]
        papers = [paper for paper in self.view.papers if paper.seat == seat]
        return sorted(papers, key=lambda p: known.index(p.kind) if p.kind in known else len(known))

    def _discards(self) -> list[Card | None]:
        """The discard pile: as it was, or with one card more or less, where its top says so; otherwise unknown under
        its top.
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


# --- the menus


def setting_menu(agreed: Agreed, view: TableView, layout: Layout, put: Put, parent: Menu | None = None) -> Menu:
    """Ask what the table does not show, one question at a time; ``put`` gets what is to be agreed."""
    hindered = hindrances(agreed, view, layout)
    if hindered:
        title = Words("The position can't be set from this table yet.", "このままでは局面を設定できません。")
        told = hindered[:_TOLD_AT_ONCE]
        more = len(hindered) - len(told)
        if more:
            told = (*told, Words(f"And {more} more.", f"ほか{more}件。"))
        return Menu(title, (Option(Words("Back", "戻る"), lambda: parent),), told, parent=parent)
    draft = Draft.of(agreed, view)
    position = agreed.position
    options: list[Option] = []
    chosen = 0
    seats = range(1, len(position.players) + 1)
    flag_lies = any(paper.kind == END_FLAG for paper in view.papers)
    for seat in seats:
        who = player(position.name(seat))
        turn = Words(f"It is {who.en}'s turn.", f"{who.ja}の手番です。")
        if seat == draft.seat:
            chosen = len(options)
        options.append(Option(turn, _next(replace(draft, seat=seat), 0, put, lambda: menu)))
        if draft.points(seat) >= POINTS_TO_END and not flag_lies and position.turns_left is None:
            flag = Words(f"{who.en} takes the End Flag now.", f"{who.ja}がこれからエンドフラグを取ります。")
            due = replace(draft, seat=seat, flag_due=True)
            options.append(Option(flag, _next(due, 0, put, lambda: menu)))
    title = Words("Whose turn is it?", "だれの手番ですか？")
    menu = Menu(title, tuple(options), chosen=chosen, parent=parent)
    return menu


def _next(draft: Draft, asked: int, put: Put, parent: Callable[[], Menu]) -> Callable[[], Menu]:
    """The question number ``asked`` after whose turn it is: each hand, the discards, the turns left, then all of it."""
    position = draft.agreed.position
    count = len(position.players)

    def ask() -> Menu:
        if asked < count:
            who = player(position.name(asked + 1))
            title = Words(f"How many cards does {who.en} hold?", f"{who.ja}の手札は何枚ですか？")

            def with_hand(n: int) -> Draft:
                return replace(draft, hands=(*draft.hands[:asked], n, *draft.hands[asked + 1 :]))

            most = max(draft.free - sum(draft.hands[:asked]), draft.hands[asked])
            return _numbers(title, range(most + 1), draft.hands[asked], with_hand, asked, put, parent)
        if asked == count and draft.view.discard_top is not None and draft.view.draw_backs:
            title = Words("How many cards lie in the discard pile?", "捨て札は何枚ありますか？")
            most = max(draft.free - sum(draft.hands) - 1, draft.discards, 1)

            def with_discards(n: int) -> Draft:
                return replace(draft, discards=n)

            return _numbers(title, range(1, most + 1), draft.discards, with_discards, asked, put, parent)
        if asked == count and draft.view.discard_top is not None:
            # Without a draw pile, whatever is in no hand lies in the discard pile.
            return _next(replace(draft, discards=max(1, draft.discards + draft.draw)), asked + 1, put, parent)()
        if asked <= count + 1 and draft.countdown and not draft.flag_due:
            title = Words("How many turns are left, this one included?", "この手番を入れて、残りは何手番ですか？")
            left = draft.turns_left or draft.countdown[-1]
            if asked == count:
                return _next(draft, asked + 1, put, parent)()

            def with_turns(n: int) -> Draft:
                return replace(draft, turns_left=n)

            return _numbers(title, draft.countdown, left, with_turns, asked, put, parent)
        return _summary(draft, put, parent)

    return ask


def _numbers(
    title: Words,
    numbers: Sequence[int],
    likely: int,
    chosen: Callable[[int], Draft],
    asked: int,
    put: Put,
    parent: Callable[[], Menu],
) -> Menu:
    options = tuple(Option(Words(str(n), str(n)), _next(chosen(n), asked + 1, put, lambda: menu)) for n in numbers)
    place = numbers.index(likely) if likely in numbers else 0
    menu = Menu(title, options, chosen=place, parent=parent())
    return menu


def _summary(draft: Draft, put: Put, parent: Callable[[], Menu]) -> Menu:
    position = draft.agreed.position
    told = [
        Words(
            f"{player(name).en}: points {draft.points(seat)}, hand {draft.hands[seat - 1]}.",
            f"{player(name).ja}：{draft.points(seat)}点、手札{draft.hands[seat - 1]}枚。",
        )
        for seat, name in enumerate(position.players, 1)
    ]
    if not draft.adds_up:
        title = Words(
            f"These numbers leave {draft.draw} cards for the draw pile, which can't be: count again.",
            f"この枚数だと山札が{draft.draw}枚になってしまいます。数え直してください。",
        )
        return Menu(title, (Option(Words("Count again", "数え直す"), parent),), tuple(told), parent=parent())

    def settle(forget: bool) -> Callable[[], Menu | None]:
        return lambda: put(draft.to_agreed(forget))

    piles = Words(
        f"Draw pile {draft.draw}, discard pile {draft.discards}.", f"山札{draft.draw}枚、捨て札{draft.discards}枚。"
    )
    title = Words("Go on from this position?", "この局面から続けますか？")
    options = [Option(Words("Yes, set it", "はい、設定する"), settle(forget=False))]
    if draft.known is not None:
        # The way out where what was believed to be known is itself wrong, after a misread card, say.
        forgotten = Words("Yes, and forget who holds what", "はい、手札の情報は忘れる")
        options.append(Option(forgotten, settle(forget=True)))
    options.append(Option(Words("No, count again", "いいえ、数え直す"), parent))
    return Menu(title, tuple(options), (*told, piles), parent=parent())
