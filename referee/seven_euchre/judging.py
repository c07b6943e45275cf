"""What a look at a deal of Seven Euchre means: the next move, a fault, or what is only waited for.

A look may show several moves. The one that is due is judged alone, at once; the session then asks again with what is
agreed after it, so that the moves come in the order the rules allow. A play rests on the spots of the trick alone: it
is understood while every card of the trick lies as it was and nothing lies face up where it must not. Packets are
counted where a trick is gathered; a packet that a sleeve covers stops nobody, but is missed on the screen.

A card that has to be read and can't be stops the play. What lies in the trick then is remembered
(``waiting_in_trick``): should it be gathered, what was read is played from there, and what was not is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from referee.layout import Layout
from referee.seven_euchre.laid import Back, packets_shown
from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.seven_euchre.look import Look
from referee.seven_euchre.state import Laid
from referee.seven_euchre.telling import unplayed
from referee.seven_euchre.words import Repair, gather, hand_over, place_words, side_words
from referee.table import Unread, cant_read
from referee.verdict import CantSee, Mend, Refused, Spot, Waiting
from referee.zones import BACK, ZoneView
from rules.cards import Card
from rules.refusal import Reason
from rules.seven_euchre import refusals as because
from rules.seven_euchre.moves import Deal, Exchange, Move, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import Phase, Trick
from rules.text import Text, listing, player

Finding = Move | Refused | Waiting | CantSee
"""A legal move, or why there is none."""

_NOTHING_DONE = Reason("table_disturbed", (), Text("Nothing has been done yet."))


def found_in(position: Position, view: ZoneView, layout: Layout) -> Finding:
    """What a look shows where the table lies as agreed but for what is done next."""
    if position.phase is Phase.DEAL:
        return _dealing(position, view, layout)
    look = Look.of(position, view, layout)
    if position.phase is Phase.AUCTION:
        return _auction(look)
    if position.phase is Phase.TURN_UP:
        return _turn_up(look)
    return _exchange(look) if position.phase is Phase.EXCHANGE else _play(look)


def going_back(position: Position, view: ZoneView, layout: Layout) -> Waiting:
    """The table has to lie as at the lead to a trick again."""
    repair = Repair.of(position, Look.of(position, view, layout).off)
    words = Text("The table has to lie as at that lead.")
    pressed = _refused((Reason("table_disturbed", (), told) for told in repair.told or (words,)), repair.mends)
    return Waiting((words,), repair.mends, pressed)


def are_back(position: Position, lay: Iterable[Play], view: ZoneView, layout: Layout) -> bool:
    """Whether the table lies as at that lead, or further: none of the cards that lay in the trick lies there still."""
    look = Look.of(position, view, layout)
    still = any(play.card in look.laid.get(play.seat, ()) for play in lay)
    return not (still or look.others or look.unread_in_trick or any(one.shown > one.due for one in look.packets))


# One phase after the other


def _dealing(position: Position, view: ZoneView, layout: Layout) -> Finding:
    round = position.round
    # Only while all twelve lie there: after that the cards are being collected.
    if round is not None and sum(packets_shown(view)) == sum(round.tricks):
        last = Look.of(position, view, layout).wrongly_gathered
        if last is not None:
            return _not_theirs(position, last)
    if view.unread:
        return _cant_see(position, layout, view.unread)
    lying = sum(map(len, view.cards.values()))
    if lying == 1 and view.backs(MIDDLE) == 1:
        return Deal()
    reasons, mends = [because.deal_due(dealer=player(position.name(position.dealer)))], []
    if view.backs(MIDDLE) != 1:
        words = Text("No card lies face down in the middle.")
        reasons.append(Reason("table_disturbed", (), words))
        lay = Text("Lay the last card face down in the middle.")
        mends.append(Mend(BACK, "table", MIDDLE, lay))
    if lying > view.backs(MIDDLE):
        places = [place for place in view.cards if place != MIDDLE or view.faces(MIDDLE)]
        where = listing(place_words(position, place) for place in places)
        words = Text("There are other cards: {where}.", where=where)
        reasons.append(Reason("table_disturbed", (), words))
        take = Text("Take all other cards off the mat.")
        mends.append(Mend(BACK, places[0], "table", take))
    return _refused(reasons, mends)


def _auction(look: Look) -> Finding:
    faults = list(_too_early(look))
    turned = [Card.parse(name) for name in look.view.faces(MIDDLE)]
    if turned and look.round.turned_up is None and not look.view.backs(MIDDLE):
        faults += look.position.reasons(TurnUp(turned[0]))
    if faults:
        return _at_once(faults, _mends(look))
    return _nothing_new(look)


def _turn_up(look: Look) -> Finding:
    if faults := list(_too_early(look)):
        return _at_once(faults, _mends(look))
    shown = [*look.view.faces(MIDDLE), *look.view.faces(ASIDE)]
    if unsure := look.unread_at(MIDDLE, ASIDE):
        return _cant_see(look.position, look.layout, unsure)
    if len(shown) == 1 and not look.view.backs(MIDDLE) and _all_in(look, (MIDDLE, ASIDE)):
        return TurnUp(Card.parse(shown[0]))
    return _nothing_new(look)


def _exchange(look: Look) -> Finding:
    middle, aside = look.view.backs(MIDDLE), look.view.backs(ASIDE)
    if unsure := look.unread_at(MIDDLE, ASIDE):
        return _cant_see(look.position, look.layout, unsure, bool(look.laid or look.unread_in_trick))
    if not middle and aside == 1 and _all_in(look, (MIDDLE, ASIDE)):
        return Exchange(look.round.seat)
    if faults := list(_too_early(look)):
        return _at_once(faults, _mends(look))
    if not middle:
        # It is taken; what is missing now is the card aside.
        look = look.expecting(replace(look.lying, backs={ASIDE: 1}))
    waits = Back(ASIDE, missing=True, count=1), Back(ASIDE, missing=False, count=1)
    if look.others == waits[middle : middle + 1]:
        reason = because.exchange_due(who=player(look.position.name(look.round.seat)))
        words = Text("A card has yet to be laid aside, face down.")
        if middle:
            words = Text("The middle card has yet to be taken.")
        return Waiting((words,), (), _refused([reason, Reason("table_disturbed", (), words)], ()))
    return _nothing_new(look)


def _play(look: Look) -> Finding:
    position = look.position
    if look.lying.old:
        return _to_gather(look)
    if (last := look.wrongly_gathered) is not None and not look.unread_packets:
        return _not_theirs(position, last)
    if look.picked_up:
        if unsure := look.unread_in_trick:
            return _cant_see(position, look.layout, unsure)
        if any(one.shown > one.due for one in look.packets):
            return _at_once([because.trick_incomplete(unplayed(position))], _mends(look))
    if look.others:
        return _nothing_new(look, bool(look.unread_at(trick_place(look.round.seat))))
    if twice := [because.two_cards(who=player(position.name(seat)), cards=cards) for seat, cards in look.two_cards]:
        return _at_once(twice, _mends(look))
    if doubtful := look.hindering:
        return _cant_see(position, look.layout, doubtful, bool(look.in_trick))
    if not look.laid:
        return _nothing_new(look)
    seat, (card,) = next(iter(look.laid.items()))
    return judged(position, Play(seat, card), _mends(look))


def judged(position: Position, play: Play, mends: Iterable[Mend] = ()) -> Play | Refused:
    """A card that was played, where it is legal."""
    faults = position.reasons(play)
    # A revoke is no matter of one card: the players choose between the two ways out of it.
    proved = position.revoked_in(play.seat, play.card)
    return _at_once(faults, () if proved else mends) if faults else play


def waiting_in_trick(position: Position, trick: Laid, view: ZoneView, layout: Layout) -> Laid:
    """What lies in the trick and can't be settled for want of a card that is not read; ``trick`` is what did so far."""
    if position.phase is not Phase.PLAY:
        return ()
    look = Look.of(position, view, layout)
    if trick and look.has_lost(trick):
        return trick
    if look.lying.old or look.others or not (look.hindering or look.unread_in_trick):
        return ()
    before = dict(trick)
    return tuple((seat, _as_before(one, before.get(seat))) for seat, one in look.in_trick)


def _as_before(one: Card | Unread, before: Card | Unread | None) -> Card | Unread:
    """The same, where it is: as it was read or, as no two looks find an unread card in one place, first seen."""
    if isinstance(one, Card):
        return one
    same = one.may_be(str(before)) if isinstance(before, Card) else before and before.candidates == one.candidates
    return before if before and same else Unread(round(one.x, 1), round(one.y, 1), 0.0, one.cause, one.candidates)


def _to_gather(look: Look) -> Finding:
    """A whole trick lies there; nobody leads before it is gathered."""
    position, last = look.position, look.round.last_trick
    assert last is not None, "a whole trick lies there"
    if twice := [because.two_cards(who=player(position.name(seat)), cards=cards) for seat, cards in look.two_cards]:
        return _at_once(twice, _mends(look))
    told, mend = gather(position, last)
    gone = {one.card for one in look.gone}
    repair = Repair.of(position, [one for one in look.off if getattr(one, "card", None) not in gone])
    reasons = [Reason("table_disturbed", (), words) for words in (told, *repair.told)]
    pressed = _refused(reasons, (mend, *repair.mends))
    return Waiting((told, *repair.told), (mend, *repair.mends), pressed)


# What is said


def _too_early(look: Look) -> Iterator[Reason]:
    """Why the cards that lie in the trick can't be played yet."""
    for seat, cards in look.laid.items():
        yield from look.position.reasons(Play(seat, cards[0]))


def _all_in(look: Look, places: Sequence[str]) -> bool:
    """Whether everything that differs, but for cards laid in the trick, does so in these places."""
    return all({getattr(one, "place", None), getattr(one, "found", None)} & {*places} for one in look.others)


def _nothing_new(look: Look, at_once: bool = False) -> Finding:
    """No move is done: what is missing or too many is said, else that nothing has been done."""
    position = look.position
    if look.view.unread:
        return _cant_see(position, look.layout, look.view.unread, at_once)
    if look.others:
        repair = Repair.of(position, look.off)
        return _refused((Reason("table_disturbed", (), told) for told in repair.told), repair.mends)
    if look.packets:
        repair = Repair.of(position, look.packets)
        pressed = _refused((Reason("table_disturbed", (), told) for told in repair.told), repair.mends)
        return Waiting(repair.told, repair.mends, pressed)
    return _refused([_due(position), _NOTHING_DONE], ())


def _due(position: Position) -> Reason:
    """What is due, as a reason."""
    if position.phase is Phase.TURN_UP or position.to_move is None:
        return because.turn_up_due()
    who = player(position.name(position.to_move))
    due = {Phase.AUCTION: because.auction_due, Phase.EXCHANGE: because.exchange_due}
    return due.get(position.phase, because.play_due)(who=who)


def _not_theirs(position: Position, last: Trick) -> Refused:
    wrong, right = (side_words(position, side) for side in (1 - last.side, last.side))
    reason = because.trick_not_theirs(wrong=wrong, right=right, winner=player(position.name(last.winner)))
    return _at_once([reason], [hand_over(position, last)])


def _mends(look: Look) -> list[Mend]:
    return list(Repair.of(look.position, look.off).mends)


def _refused(reasons: Iterable[Reason], mends: Iterable[Mend]) -> Refused:
    return Refused.of(because.CODES, reasons, mends)


def _at_once(reasons: Iterable[Reason], mends: Iterable[Mend]) -> Refused:
    refused = _refused(reasons, mends)
    return Refused(refused.refusal, refused.reasons, refused.mend, at_once=True)


def _cant_see(position: Position, layout: Layout, marks: Sequence[Unread], at_once: bool = False) -> CantSee:
    """Said at once where cards lie in the trick, which may be gathered before they are understood."""
    spots = tuple(Spot(mark.x, mark.y, layout.place_at(mark.x, mark.y), mark.cause) for mark in marks)
    where, what = unseen(position, spots)
    if at_once:
        what = Text("Please uncover or straighten it before the trick is gathered.")
    return CantSee(spots, (where, what), at_once)


def unseen(position: Position, spots: Sequence[Spot]) -> tuple[Text, ...]:
    """Which spots can't be read, and why."""
    return (
        cant_read((place_words(position, spot.place), spot.cause) for spot in spots),
        Text("Please uncover or straighten it."),
    )
