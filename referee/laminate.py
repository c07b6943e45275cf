"""The referee of Laminate Rummy: agreed position and table view in, verdict out.

``judge`` proposes moves that could explain the view, lets the rules core judge them, and compares what must then lie
on the table with what was seen. It accepts only where one legal move explains everything; where two do, it asks; where
a card that matters can't be read, it says so; and otherwise it refuses, with every reason and what to put right.
Source: TABLE.md, "A turn"; RULINGS.md, Laminate Rummy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.explain import capitalised, changed, mend, paper_words, pay, place_words, turn_over, understood, unseen
from referee.layouts import Layout, layout_for
from referee.lying import Agreed, Difference, What, lying, paper_place
from referee.readings import Reading, readings
from referee.table import Sighting, TableView, Unread
from referee.verdict import Accepted, CantSee, Choice, Mend, Question, Refused, Spot, Verdict
from rules import refusal as because
from rules.cards import Card
from rules.laminate.moves import EndFlag, Move, Pass, Payment, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Phase, Position
from rules.refusal import Reason, Refusal, Words, player


def judge(agreed: Agreed, view: TableView, layout: Layout | None = None) -> Verdict:
    """Say what happened on the table since the agreed position.

    Args:
        agreed: the last agreed position and what lies beyond it; public information only.
        view: one still look at the whole table.
        layout: the seats and spots; the standard layout for that many players where none is given.

    Raises:
        ValueError: the agreed position holds full information; what the table shows is public.
    """
    position = agreed.position
    if position.full:
        raise ValueError("the table shows public information only: start the game with Setup, not with Deal")
    layout = layout or layout_for(len(position.players), view.mat_mm)
    if position.phase is Phase.OVER:
        return _refused((because.game_over(),), ())
    twice = _seen_twice(view, layout)
    if twice:
        return _cant_see(position, twice)
    found = readings(agreed, view, layout)
    return _accepted(agreed, view, layout, found) or _not_accepted(agreed, view, layout, found)


def noticed(agreed: Agreed, view: TableView, layout: Layout | None = None) -> Agreed:
    """What a still look between two confirms adds to what is agreed: thank-you cards seen to be taken away.

    Without it, a thank-you card on the same spot in the next turn leaves open whether it is the old one, and the
    referee must ask. Only what is gone for sure counts: an unread card on the spot, and nothing is concluded.
    """
    layout = layout or layout_for(len(agreed.position.players), view.mat_mm)
    hidden = {layout.spot_at(mark.x, mark.y) for mark in view.unread}
    thanks = {}
    for seat, count in agreed.thanks.items():
        there = count if f"payment:{seat}" in hidden else min(count, view.payments.get(seat, 0))
        if there:
            thanks[seat] = there
    return Agreed(agreed.position, thanks, agreed.shown, agreed.peeping)


# --- accepted, or asked


def _accepted(agreed: Agreed, view: TableView, layout: Layout, found: tuple[Reading, ...]) -> Verdict | None:
    """The verdict where some legal move explains everything; None where none does."""
    fits = [reading for reading in found if reading.legal and reading.fits]
    if not fits:
        return None
    position = agreed.position
    doubtful = {place for reading in fits for place in reading.covered.leaning & reading.touched}
    blind = [mark for reading in fits for mark in reading.covered.blind if _place(mark, view, layout) == "discard"]
    if doubtful or blind:
        marks = [mark for mark in view.unread if _place(mark, view, layout) in doubtful or mark in blind]
        return _cant_see(position, _spots(marks, view, layout))
    different = _one_for_each_effect(position, fits)
    idle = next((r for r in found if isinstance(r.move, Pass) and r.fits), None)
    if len(different) == 1:
        reading = different[0]
        if idle is not None and not isinstance(reading.move, Pass):
            return _ask_whether_drawn(agreed, reading, idle)
        old = _perhaps_old_thanks(agreed, reading)
        if old:
            return _ask_whose_thanks(agreed, view, reading, found, old)
        fresh = _perhaps_discarded_too(agreed, view, reading)
        if fresh:
            return _ask_what_shows(agreed, reading, fresh)
        return _accept(agreed, reading)
    choices = [_choice(agreed, reading) for reading in different]
    if idle is not None and not idle.legal:
        choices.append(_nothing_done(agreed, idle))
    return Question(
        "The table can be read in more than one way. What was done?",
        "テーブルの様子が何通りかに読めます。どれですか？",
        tuple(choices),
    )


def _accept(agreed: Agreed, reading: Reading) -> Accepted:
    assert reading.after is not None
    words = understood(reading.move, agreed.position, reading.after.position)
    return Accepted(reading.move, reading.after, words.en, words.ja)


def _choice(agreed: Agreed, reading: Reading) -> Choice:
    words = understood(reading.move, agreed.position)
    return Choice(words.en, words.ja, _accept(agreed, reading))


def _one_for_each_effect(position: Position, fits: list[Reading]) -> list[Reading]:
    """One reading for each different position that may follow, in the order in which they were found.

    Where taking the top discard and drawing through a reshuffle come to the same, the former stands (RULINGS.md 8).
    """
    same_by_ruling = position.draw_count == 0 and len(position.discards) <= 2
    if same_by_ruling and any(_takes_discard(reading.move) for reading in fits):
        fits = [r for r in fits if not (isinstance(r.move, Research) and r.move.source == "deck")]
    different: list[Reading] = []
    for reading in fits:
        if all(reading.after != other.after for other in different):
            different.append(reading)
    return different


def _takes_discard(move: Move) -> bool:
    return isinstance(move, Research) and move.source == "discard"


def _ask_whether_drawn(agreed: Agreed, reading: Reading, idle: Reading) -> Question:
    """An unchanged mat where the same top card may have come back through a reshuffle (TABLE.md, "A turn" 3)."""
    who = player(agreed.position.name(agreed.position.to_move or 1))
    return Question(
        f"The table looks as before. Did {who.en} draw through a reshuffle and discard the same card again?",
        f"テーブルは前と同じに見えます。{who.ja}は捨て札をシャッフルして引き、同じカードを捨てましたか？",
        (_choice(agreed, reading), _nothing_done(agreed, idle)),
    )


def _nothing_done(agreed: Agreed, idle: Reading) -> Choice:
    return Choice("Nothing was done yet.", "まだ何もしていません。", _refuse(agreed, idle, None))


def _perhaps_old_thanks(agreed: Agreed, reading: Reading) -> tuple[int, ...]:
    """Seats that were paid where thanks of the last turn may still be what lies there."""
    if not isinstance(reading.move, Publish):
        return ()
    return tuple(seat for seat in sorted(reading.move.pay) if agreed.thanks.get(seat, 0))


def _ask_whose_thanks(
    agreed: Agreed, view: TableView, reading: Reading, found: tuple[Reading, ...], seats: tuple[int, ...]
) -> Question:
    position = agreed.position
    publisher = player(position.name(reading.move.seat)) if isinstance(reading.move, Publish) else Words("", "")
    authors = [player(position.name(seat)) for seat in seats]
    en, ja = " and ".join(a.en for a in authors), "・".join(a.ja for a in authors)
    yes = understood(reading.move, position)
    still = [r for r in found if isinstance(r.move, Publish) and any(r.left.get(seat) for seat in seats)]
    old = min(still, key=lambda r: r.cost)
    return Question(
        f"Did {en} take the thank-you cards of the last turn, and are these from {publisher.en}?",
        f"{ja}は前の手番のお礼を手札に取りましたか？ 今あるのは{publisher.ja}からのお礼ですか？",
        (
            Choice(f"Yes. {yes.en}", f"はい。{yes.ja}", _accept(agreed, reading)),
            Choice(
                "No, cards of the last turn still lie there.",
                "いいえ、前の手番のお礼がまだ残っています。",
                _refuse(agreed, old, view),
            ),
        ),
    )


def _perhaps_discarded_too(agreed: Agreed, view: TableView, reading: Reading) -> tuple[Card, ...]:
    """Cards newly seen under a fresh discard: set-up discards that nobody had seen, or discarded just now."""
    if not isinstance(reading.move, Research) or reading.move.source != "deck":
        return ()
    known = {*agreed.discards, *agreed.peeping}
    return tuple(card for card in view.discard_under if card not in known)


def _ask_what_shows(agreed: Agreed, reading: Reading, fresh: tuple[Card, ...]) -> Question:
    names = because.listed(fresh)
    yes = understood(reading.move, agreed.position)
    extra = Difference(What.UNDER, cards=fresh)
    reason = because.table_disturbed(capitalised(changed(extra, agreed, "discard")), fresh)
    mends = tuple(_mend_of(agreed, extra, None, agreed.position.to_move or 1))
    return Question(
        f"Did {names.en} lie in the discard pile since the set-up?",
        f"{names.ja}は準備のときから捨て札にありましたか？",
        (
            Choice(f"Yes. {yes.en}", f"はい。{yes.ja}", _accept(agreed, reading)),
            Choice("No, discarded just now.", "いいえ、今捨てました。", _refused((reason,), mends)),
        ),
    )


# --- can't see


def _not_accepted(agreed: Agreed, view: TableView, layout: Layout, found: tuple[Reading, ...]) -> Verdict:
    """Refused for the best-fitting illegal reading, unless an unread card may hide a better one."""
    position = agreed.position
    if not found:
        return _no_setup(position, view, layout)
    idle = next((r for r in found if isinstance(r.move, Pass) and r.fits), None)
    best = idle or min(found, key=lambda reading: reading.cost)
    marks = [*best.covered.open, *best.covered.blind]
    doubtful = best.covered.leaning & best.touched
    marks += [mark for mark in view.unread if _place(mark, view, layout) in doubtful]
    if marks:
        return _cant_see(position, _spots(marks, view, layout))
    return _refuse(agreed, best, view, layout)


def _no_setup(position: Position, view: TableView, layout: Layout) -> Verdict:
    """The set-up with no discard to be seen."""
    hidden = [mark for mark in view.unread if layout.spot_at(mark.x, mark.y) == "discard"]
    if hidden:
        return _cant_see(position, _spots(hidden, view, layout))
    first = position.first_seat
    last = (first - 2) % len(position.players) + 1
    who = player(position.name(last))
    change = Words(
        f"No card lies on the discard pile; {who.en}'s set-up discard belongs on top of it",
        f"捨て札がありません。{who.ja}が捨てたカードが一番上に来ます",
    )
    reason = Reason("table_disturbed", (), change.en + ".", change.ja + "。")
    return _refused((reason,), (mend(position, "back", f"hand:{last}", "discard"),))


def _cant_see(position: Position, spots: Iterable[Spot]) -> CantSee:
    spots = tuple(dict.fromkeys(spots))
    words = unseen(position, spots)
    return CantSee(spots, words.en, words.ja)


def _place(mark: Unread, view: TableView, layout: Layout) -> str:
    """Where an unread card lies: its paper, else its spot or seat."""
    for paper in view.papers:
        if mark in paper.doubtful:
            return paper_place(paper.seat, paper.kind)
    spot = layout.spot_at(mark.x, mark.y) or "table"
    if spot.startswith("seat:"):
        for name in mark.candidates[:1]:
            kind, slash, _ = name.partition("/")
            if slash:
                return f"{spot}/{kind}"
    return spot


def _spots(marks: Iterable[Unread], view: TableView, layout: Layout) -> list[Spot]:
    return [Spot(mark.x, mark.y, _place(mark, view, layout), mark.cause) for mark in marks]


def _seen_twice(view: TableView, layout: Layout) -> list[Spot]:
    """The places of cards that were named in more than one place: each card exists once, so a name is wrong."""
    places: dict[Card, list[Spot]] = {}
    for paper in view.papers:
        for card in paper.cards:
            place = Spot(paper.x, paper.y, paper_place(paper.seat, paper.kind), "twice")
            places.setdefault(card, []).append(place)
    x, y = layout.discard
    pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
    for card in pile:
        places.setdefault(card, []).append(Spot(x, y, "discard", "twice"))
    for sighting in view.loose:
        if "/" not in sighting.name and sighting.name != "back":
            spot = Spot(sighting.x, sighting.y, layout.spot_at(sighting.x, sighting.y) or "table", "twice")
            places.setdefault(Card.parse(sighting.name), []).append(spot)
    return [spot for spots in places.values() if len(spots) > 1 for spot in spots]


# --- refused


def _refused(reasons: Iterable[Reason], mends: Iterable[Mend]) -> Refused:
    order = {code: place for place, code in enumerate(because.CODES)}
    sorted_reasons = tuple(sorted(dict.fromkeys(reasons), key=lambda reason: order[reason.code]))
    return Refused(Refusal.of(*sorted_reasons), sorted_reasons, tuple(dict.fromkeys(mends)))


def _refuse(agreed: Agreed, reading: Reading, view: TableView | None, layout: Layout | None = None) -> Refused:
    """Every reason against a reading, and how to mend it; without a view nothing differs but the move is illegal."""
    position = agreed.position
    left = reading.covered.differences
    mover = position.to_move or position.first_seat
    soft = (What.SIDE, What.THANKS_ADDED)
    reasons: list[Reason] = []
    mends: list[Mend] = []
    idle = isinstance(reading.move, Pass)
    if not idle or position.phase is Phase.FLAG or all(difference.what in soft for difference in left):
        reasons += (*reading.reasons, *_without_own_drafts(position, reading))
        mends += _mend_move(agreed, reading)
    seen = _Seen(agreed, view)
    for difference in left:
        reasons += _reasons_of(agreed, reading.move, difference, seen, layout)
        mends += _mend_of(agreed, difference, seen, mover)
    return _refused(reasons, mends)


def _without_own_drafts(position: Position, reading: Reading) -> tuple[Reason, ...]:
    """What is wrong where a paper of the publisher's own under review was not meant to be cited after all.

    Nothing is paid for own papers, so the table does not say whether they were meant.
    """
    move = reading.move
    if not isinstance(move, Publish) or not any(reason.code == "not_citable" for reason in reading.reasons):
        return ()
    drafts = {(p.seat, p.kind) for p in position.papers if p.seat == move.seat and not p.complete}
    cite = tuple(citation for citation in move.cite if (citation.seat, citation.paper) not in drafts)
    return () if cite == move.cite else position.reasons(replace(move, cite=cite))


class _Seen:
    """Where cards lie now, against where they lay."""

    def __init__(self, agreed: Agreed, view: TableView | None) -> None:
        papers = lying(agreed).papers
        self.was: dict[Card, str] = {card: paper_place(*key) for key, cards in papers.items() for card in cards}
        self.was |= {card: "discard" for card in agreed.discards if card is not None}
        self.now: dict[Card, str] = {}
        self.new_paper: set[Card] = set()
        if view is None:
            return
        pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
        self.now |= dict.fromkeys(pile, "discard")
        for paper in view.papers:
            for card in paper.cards:
                self.now[card] = paper_place(paper.seat, paper.kind)
                if (paper.seat, paper.kind) not in papers:
                    self.new_paper.add(card)
        for sighting in view.loose:
            if "/" not in sighting.name and sighting.name != "back":
                self.now[Card.parse(sighting.name)] = "table"

    def taken(self, cards: Iterable[Card]) -> bool:
        """Whether these cards went into a hand, or from there into a new paper, as far as one can see."""
        return all(card not in self.now or card in self.new_paper for card in cards)

    def from_hand(self, cards: Iterable[Card]) -> bool:
        """Whether these cards were not on the table before."""
        return not any(card in self.was for card in cards)


def _is_action(agreed: Agreed, difference: Difference, seen: _Seen) -> bool:
    """Whether an unexplained difference looks like one of the three actions rather than like a disturbance."""
    what = difference.what
    if what is What.CARDS_GONE:
        return seen.taken(difference.cards)
    if what is What.PAPER_ADDED:
        return bool(difference.cards) and difference.kind != END_FLAG and seen.from_hand(difference.cards)
    if what is What.TOP:
        if difference.seen is not None and seen.from_hand((difference.seen,)):
            return True
        below = agreed.discards[-2] if len(agreed.discards) > 1 else None
        return bool(difference.cards) and seen.taken(difference.cards) and difference.seen == below
    if what is What.DRAW_GONE:
        return agreed.position.draw_count <= 2
    return what is What.DRAW_THERE and len(agreed.discards) > 2


def _reasons_of(
    agreed: Agreed, move: Move, difference: Difference, seen: _Seen, layout: Layout | None
) -> list[Reason]:
    """Why a difference that the move does not explain is refused."""
    position = agreed.position
    who = player(position.name(position.to_move or position.first_seat))
    what, seat, kind = difference.what, difference.seat, difference.kind
    if what is What.SIDE and difference.paper_seen is not None:
        author, paper = player(position.name(seat)), paper_words(position, kind)
        return [because.turn_the_paper(author, paper, not difference.paper_seen.complete_side)]
    if what is What.THANKS_ADDED:
        return _thanks_reasons(agreed, move, difference)
    if what is What.PAPER_ADDED and kind == END_FLAG:
        return [because.flag_not_due(player(position.name(seat)))]
    action = isinstance(move, Research | Publish | Review)
    if action and _is_action(agreed, difference, seen):
        if isinstance(move, Review) and what is What.CARDS_GONE:
            two = [because.took_two_cards((move.take, *difference.cards))]
            same = (move.of, move.paper) == (seat, kind)
            return two if same else [*two, because.two_actions(who)]
        if what is What.PAPER_ADDED and seat != position.to_move:
            # The next player went on before this turn was confirmed.
            return [because.out_of_turn(player(position.name(seat)), who), because.two_actions(who)]
        return [because.two_actions(who)]
    place = "table"
    if difference.sighting is not None and layout is not None:
        place = layout.spot_at(difference.sighting.x, difference.sighting.y) or "table"
    return [because.table_disturbed(capitalised(changed(difference, agreed, place)), _cards(difference))]


def _cards(difference: Difference) -> tuple[Card, ...]:
    if difference.what is What.TOP and difference.seen is not None:
        return (difference.seen, *difference.cards)
    return difference.cards


def _thanks_reasons(agreed: Agreed, move: Move, difference: Difference) -> list[Reason]:
    position, seat = agreed.position, difference.seat
    author = player(position.name(seat))
    old = min(difference.count, agreed.thanks.get(seat, 0))
    fresh = difference.count - old
    reasons = [because.payment_not_taken(author, old)] if old else []
    if fresh:
        paid = move.pay.get(seat, 0) if isinstance(move, Publish) else 0
        due = paid if isinstance(paid, int) else len(paid)
        reasons.append(because.payment_excess(author, due, due + fresh))
        reasons.append(because.table_disturbed(capitalised(changed(difference, agreed, ""))))
    return reasons


# --- what to put right


def _mend_move(agreed: Agreed, reading: Reading) -> list[Mend]:
    """What to put right for an illegal move: mend the payments where nothing else is wrong, else take it back."""
    position, move = agreed.position, reading.move
    codes = {reason.code for reason in reading.reasons}
    if not codes:
        return []
    if isinstance(move, Publish):
        if codes <= {"payment_missing", "payment_excess"}:
            return _mend_payments(position, move)
        return _take_back(position, move.seat, move.paper, move.cards, move.pay)
    if isinstance(move, EndFlag):
        return _take_back(position, move.seat, END_FLAG, (move.card,), {})
    if isinstance(move, Review):
        return [mend(position, str(move.take), f"hand:{move.seat}", paper_place(move.of, move.paper))]
    if isinstance(move, Research):
        return _take_research_back(agreed, move)
    if isinstance(move, Pass) and "flag_due" in codes:
        flag = paper_place(move.seat, END_FLAG)
        who = place_words(position, f"seat:{move.seat}")
        return [
            Mend(
                f"{END_FLAG}/complete",
                "supply",
                flag,
                f"Lay the End Flag, complete side up, and one hand card in {who.en}.",
                f"エンドフラグを完成の面にして、手札1枚と一緒に{who.ja}に置いてください。",
            )
        ]
    return []


def _mend_payments(position: Position, move: Publish) -> list[Mend]:
    due = Counter(citation.seat for citation in move.cite if citation.seat != move.seat)
    mends = []
    for seat in sorted(due.keys() | move.pay.keys()):
        given = move.pay.get(seat, 0)
        paid = given if isinstance(given, int) else len(given)
        if paid > due[seat]:
            mends.append(mend(position, "back", f"payment:{seat}", f"hand:{move.seat}", paid - due[seat]))
    for seat in sorted(due):
        given = move.pay.get(seat, 0)
        paid = given if isinstance(given, int) else len(given)
        if paid < due[seat]:
            mends.append(pay(position, move.seat, seat, due[seat] - paid))
    return mends


def _take_back(
    position: Position, seat: int, kind: str, cards: Iterable[Card], paid: Mapping[int, Payment]
) -> list[Mend]:
    place = paper_place(seat, kind)
    mends = [mend(position, f"{kind}/review", place, "supply")]
    mends += [mend(position, str(card), place, f"hand:{seat}") for card in cards]
    for author, given in sorted(paid.items()):
        count = given if isinstance(given, int) else len(given)
        mends.append(mend(position, "back", f"payment:{author}", f"hand:{seat}", count))
    return mends


def _take_research_back(agreed: Agreed, move: Research) -> list[Mend]:
    position = agreed.position
    hand = f"hand:{move.seat}"
    if move.source == "discard":
        return [mend(position, str(move.keep), hand, "discard")]
    if position.draw_gives == 2 and move.discard is None:
        return [
            Mend(
                "back",
                hand,
                "discard",
                "Lay one of the two drawn cards face up on the discard pile.",
                "引いた2枚のうち1枚を表向きに捨ててください。",
            )
        ]
    if move.discard is not None:
        return [mend(position, str(move.discard), "discard", hand)]
    return []


def _mend_of(agreed: Agreed, difference: Difference, seen: _Seen | None, mover: int) -> list[Mend]:
    """What to put right for one difference."""
    position = agreed.position
    what, seat, kind = difference.what, difference.seat, difference.kind
    place = paper_place(seat, kind)
    was = seen.was if seen is not None else {}
    now = seen.now if seen is not None else {}
    hand = f"hand:{mover}"
    if what is What.SIDE and difference.paper_seen is not None:
        return [turn_over(position, seat, kind, not difference.paper_seen.complete_side)]
    if what is What.PAPER_ADDED:
        mends = [mend(position, _head(difference), place, "supply")]
        return mends + [mend(position, str(card), place, was.get(card, f"hand:{seat}")) for card in difference.cards]
    if what is What.PAPER_GONE:
        side = "complete" if len(difference.cards) == 1 else "review"
        mends = [mend(position, f"{kind}/{side}", "table", place)]
        return mends + [mend(position, str(card), now.get(card, hand), place) for card in difference.cards]
    if what is What.CARDS_GONE:
        return [mend(position, str(card), now.get(card, hand), place) for card in difference.cards]
    if what is What.CARDS_ADDED:
        return [mend(position, str(card), place, was.get(card, hand)) for card in difference.cards]
    if what is What.UNDER:
        return [mend(position, str(card), "discard", was.get(card, hand)) for card in difference.cards]
    if what is What.TOP:
        mends = []
        if difference.seen is not None and was.get(difference.seen) != "discard":
            mends.append(mend(position, str(difference.seen), "discard", was.get(difference.seen, hand)))
        mends += [mend(position, str(card), now.get(card, hand), "discard") for card in difference.cards]
        return mends
    if what is What.DRAW_GONE:
        return [mend(position, "back", "table", "draw", position.draw_count)]
    if what is What.DRAW_THERE:
        return [mend(position, "back", "draw", hand, difference.count)]
    if what is What.THANKS_ADDED:
        old = min(difference.count, agreed.thanks.get(seat, 0))
        mends = [mend(position, "back", f"payment:{seat}", f"hand:{seat}", old)] if old else []
        if difference.count > old:
            mends.append(mend(position, "back", f"payment:{seat}", hand, difference.count - old))
        return mends
    if what is What.LOOSE and difference.sighting is not None:
        return [_mend_loose(position, difference.sighting, was, mover)]
    return []


def _mend_loose(position: Position, sighting: Sighting, was: dict[Card, str], mover: int) -> Mend:
    if sighting.name == "back":
        return mend(position, "back", "table", f"hand:{mover}")
    if "/" in sighting.name:
        return mend(position, sighting.name, "table", "supply")
    return mend(position, sighting.name, "table", was.get(Card.parse(sighting.name), f"hand:{mover}"))


def _head(difference: Difference) -> str:
    complete = difference.paper_seen is not None and difference.paper_seen.complete_side
    return f"{difference.kind}/{'complete' if complete else 'review'}"
