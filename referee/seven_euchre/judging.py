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

from referee.layout import TableLayout
from referee.seven_euchre.laid import SIDES, count_by_side, side_place
from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.seven_euchre.look import Look
from referee.seven_euchre.state import Laid
from referee.seven_euchre.telling import list_missing_players
from referee.seven_euchre.words import describe_faults, gather, hand_over, place_words, side_words
from referee.table import Unread
from referee.verdict import NOTHING_DONE, Disturbance, Mend, Reading, report_faults
from referee.zones import BACK, BackCountMismatch, ZoneView
from rules.cards import Card
from rules.refusal import Reason
from rules.seven_euchre import refusals as because
from rules.seven_euchre.moves import Deal, Exchange, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase, Trick
from rules.text import Text, join_names, player


def found_in(position: Position, view: ZoneView, layout: TableLayout) -> Reading:
    """Find what an observation shows where the table lies as confirmed but for what is done next."""
    if position.phase is DealPhase.DEAL:
        return _judge_dealing(position, view, layout)
    look = Look.from_view(position, view, layout)
    if position.phase is DealPhase.AUCTION:
        return _judge_auction(look)
    if position.phase is DealPhase.TURN_UP:
        return _turn_up(look)
    return _exchange(look) if position.phase is DealPhase.EXCHANGE else _play(look)


def going_back(position: Position, view: ZoneView, layout: TableLayout) -> Reading:
    """Require the table to lie as at the lead to a trick again."""
    words = Text("The table has to lie as at that lead.")
    off = describe_faults(position, Look.from_view(position, view, layout).off)
    return report_faults(off or [Disturbance.from_words(words)], waits=(words,))


def are_back(position: Position, lay: Iterable[Play], view: ZoneView, layout: TableLayout) -> bool:
    """Tell whether the table lies as at that lead, or further:
    none of the cards that lay in the trick lies there still.
    """
    look = Look.from_view(position, view, layout)
    still = any(play.card in look.laid.get(play.seat, ()) for play in lay)
    return not (still or look.others or look.unread_in_trick or not all(one.missing for one in look.packets))


# One phase after the other


def _judge_dealing(position: Position, view: ZoneView, layout: TableLayout) -> Reading:
    round = position.round
    # Only while all twelve lie there: after that the cards are being collected.
    if round is not None and sum(count_by_side(view).count_backs(side_place(side)) for side in SIDES) == sum(
        round.tricks
    ):
        last = Look.from_view(position, view, layout).wrongly_gathered
        if last is not None:
            return _not_theirs(position, last)
    if view.unread:
        return _cant_see(view.unread)
    lying = sum(map(len, view.cards.values()))
    if lying == 1 and view.count_backs(MIDDLE) == 1:
        return Reading(Deal())
    wrong = [Disturbance(because.deal_due(dealer=player(position.get_name(position.dealer))))]
    if view.count_backs(MIDDLE) != 1:
        words = Text("No card lies face down in the middle.")
        lay = Text("Lay the last card face down in the middle.")
        wrong.append(Disturbance.from_words(words, Mend(BACK, "table", MIDDLE, lay)))
    if lying > view.count_backs(MIDDLE):
        places = [place for place in view.cards if place != MIDDLE or view.list_faces(MIDDLE)]
        where = join_names(place_words(position, place) for place in places)
        words = Text("There are other cards: {where}.", where=where)
        take = Text("Take all other cards off the mat.")
        wrong.append(Disturbance.from_words(words, Mend(BACK, places[0], "table", take)))
    return report_faults(wrong)


def _judge_auction(look: Look) -> Reading:
    early = list(_too_early(look))
    turned = [Card.parse(name) for name in look.view.list_faces(MIDDLE)]
    if turned and look.round.turned_up is None and not look.view.count_backs(MIDDLE):
        early += look.position.find_reasons(TurnUp(turned[0]))
    return _at_once(early, _list_mends(look)) if early else _nothing_new(look)


def _turn_up(look: Look) -> Reading:
    if early := list(_too_early(look)):
        return _at_once(early, _list_mends(look))
    shown = [*look.view.list_faces(MIDDLE), *look.view.list_faces(ASIDE)]
    if unsure := look.unread_at(MIDDLE, ASIDE):
        return _cant_see(unsure)
    if len(shown) == 1 and not look.view.count_backs(MIDDLE) and _all_in(look, (MIDDLE, ASIDE)):
        return Reading(TurnUp(Card.parse(shown[0])), at_once=True)
    return _nothing_new(look)


def _exchange(look: Look) -> Reading:
    middle, aside = look.view.count_backs(MIDDLE), look.view.count_backs(ASIDE)
    if unsure := look.unread_at(MIDDLE, ASIDE):
        return _cant_see(unsure, bool(look.laid or look.unread_in_trick))
    if not middle and aside == 1 and _all_in(look, (MIDDLE, ASIDE)):
        return Reading(Exchange(look.round.seat), at_once=True)
    if early := list(_too_early(look)):
        return _at_once(early, _list_mends(look))
    if not middle:
        # It is taken; what is missing now is the card aside.
        look = look.exchanged
    waits = BackCountMismatch(ASIDE, 0, 1), BackCountMismatch(ASIDE, 1, 0)
    if look.others == waits[middle : middle + 1]:
        reason = because.exchange_due(who=player(look.position.get_name(look.round.seat)))
        words = Text("A card has yet to be laid aside, face down.")
        if middle:
            words = Text("The middle card has yet to be taken.")
        return report_faults([Disturbance(reason), Disturbance.from_words(words)], waits=(words,))
    return _nothing_new(look)


def _play(look: Look) -> Reading:
    position = look.position
    if look.lying.old:
        return _to_gather(look)
    if (last := look.wrongly_gathered) is not None and not look.unread_packets:
        return _not_theirs(position, last)
    if look.picked_up:
        if unsure := look.unread_in_trick:
            return _cant_see(unsure)
        if not all(one.missing for one in look.packets):
            return _at_once([because.trick_incomplete(list_missing_players(position))], _list_mends(look))
    if look.others:
        return _nothing_new(look, bool(look.unread_at(trick_place(look.round.seat))))
    if twice := list(_find_doubles(look)):
        return _at_once(twice, _list_mends(look))
    if doubtful := look.hindering:
        return _cant_see(doubtful, bool(look.in_trick))
    if not look.laid:
        return _nothing_new(look)
    seat, (card,) = next(iter(look.laid.items()))
    return read_play(position, Play(seat, card), _list_mends(look))


def read_play(position: Position, play: Play, mends: Iterable[Mend] = ()) -> Reading:
    """Return the reading of a card that was played."""
    broken = position.find_reasons(play)
    # A revoke is no matter of one card: the players choose between the two ways out of it.
    proved = position.revoked_in(play.seat, play.card)
    return _at_once(broken, () if proved else mends) if broken else Reading(play, at_once=True)


def waiting_in_trick(position: Position, trick: Laid, view: ZoneView, layout: TableLayout) -> Laid:
    """Return what lies in the trick and can't be settled for want
    of a card that is not read; ``trick`` is what did so far.
    """
    if position.phase is not DealPhase.PLAY:
        return ()
    look = Look.from_view(position, view, layout)
    if trick and look.has_lost(trick):
        return trick
    if look.lying.old or look.others or not (look.hindering or look.unread_in_trick):
        return ()
    before = dict(trick)
    return tuple((seat, _as_before(one, before.get(seat))) for seat, one in look.in_trick)


def _as_before(one: Card | Unread, before: Card | Unread | None) -> Card | Unread:
    """Return the same, where it is: as it was read or, as no two
    observations find an unread card in one place, first seen.
    """
    if isinstance(one, Card):
        return one
    same = one.may_be(str(before)) if isinstance(before, Card) else before and before.candidates == one.candidates
    return before if before and same else Unread(round(one.x, 1), round(one.y, 1), 0.0, one.cause, one.candidates)


def _to_gather(look: Look) -> Reading:
    """Ask for a whole trick to be gathered; nobody leads before."""
    position, last = look.position, look.round.last_trick
    assert last is not None, "a whole trick lies there"
    if twice := list(_find_doubles(look)):
        return _at_once(twice, _list_mends(look))
    words, mend = gather(position, last)
    gone = {one.card for one in look.gone}
    off = [one for one in look.off if getattr(one, "card", None) not in gone]
    return _wait_for([Disturbance.from_words(words, mend), *describe_faults(position, off)])


# What is said


def _too_early(look: Look) -> Iterator[Reason]:
    """Yield why the cards that lie in the trick can't be played yet."""
    for seat, cards in look.laid.items():
        yield from look.position.find_reasons(Play(seat, cards[0]))


def _find_doubles(look: Look) -> Iterator[Reason]:
    """Yield who has laid more than one card."""
    for seat, cards in look.two_cards:
        yield because.two_cards(who=player(look.position.get_name(seat)), cards=cards)


def _all_in(look: Look, places: Sequence[str]) -> bool:
    """Tell whether everything that differs, but for cards laid in the trick, does so in these places."""
    return all({getattr(one, "place", None), getattr(one, "found", None)} & {*places} for one in look.others)


def _nothing_new(look: Look, at_once: bool = False) -> Reading:
    """Return a reading without a move: what is missing or too many is said, else that nothing has been done."""
    position = look.position
    if look.view.unread:
        return _cant_see(look.view.unread, at_once)
    if look.others:
        return report_faults(describe_faults(position, look.off))
    if look.packets:
        return _wait_for(describe_faults(position, look.packets))
    return Reading(reasons=(_explain_due(position), NOTHING_DONE))


def _explain_due(position: Position) -> Reason:
    """Return what is due, as a reason."""
    if position.phase is DealPhase.TURN_UP or position.to_move is None:
        return because.turn_up_due()
    who = player(position.get_name(position.to_move))
    due = {DealPhase.AUCTION: because.auction_due, DealPhase.EXCHANGE: because.exchange_due}
    return due.get(position.phase, because.play_due)(who=who)


def _not_theirs(position: Position, last: Trick) -> Reading:
    wrong, right = (side_words(position, side) for side in (1 - last.side, last.side))
    reason = because.trick_not_theirs(wrong=wrong, right=right, winner=player(position.get_name(last.winner)))
    return _at_once([reason], [hand_over(position, last)])


def _list_mends(look: Look) -> list[Mend]:
    return [mend for fault in describe_faults(look.position, look.off) for mend in fault.mends]


def _wait_for(off: Sequence[Disturbance]) -> Reading:
    """Wait for all of these."""
    return report_faults(off, waits=tuple(dict.fromkeys(fault.reason.text for fault in off)))


def _at_once(reasons: Iterable[Reason], mends: Iterable[Mend]) -> Reading:
    return Reading(reasons=tuple(reasons), mends=tuple(mends), at_once=True)


def _cant_see(marks: Sequence[Unread], at_once: bool = False) -> Reading:
    """Say which cards can't be seen; at once in the trick, which may be gathered before it is understood."""
    return Reading(unread=tuple(marks), at_once=at_once)
