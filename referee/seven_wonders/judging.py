"""What a look at a game of Seven Wonders means: deals, rounds judged from one confirm, what follows a sixth round.

A round is accepted whole or refused whole. A refusal names every fault, and only cards concerned go back; what is asked
comes after all else is right. What hands have yet to do is only waited for until confirm is pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.layout import TableLayout as AnyLayout
from referee.seven_wonders.acts import NONE, as_recorded, card_of, choices_of, move_of, refused_seats
from referee.seven_wonders.faults import (
    NOT_YET,
    back_to_hand,
    find_disturbances,
    find_uncollected,
    not_gathered,
    nothing_laid,
    two_cards,
    wrong_age,
)
from referee.seven_wonders.layout import Layout
from referee.seven_wonders.look import CityLook, Laid, Look, faces_named
from referee.seven_wonders.state import WondersState, after_acts
from referee.seven_wonders.words import new_discard_asked, pay_asked, place_words, way_words, which_age_asked
from referee.table import CAUSES
from referee.verdict import Accepted, Choice, Disturbance, Question, Reading, Refused
from referee.zones import ZoneReferee, ZoneView
from rules.refusal import Refusal, cannot_see
from rules.seven_wonders import refusals as because
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.state import AgePhase
from rules.text import Text, join_names, player, plural

_YES = Text("Yes, it is new")
_NO = Text("No, it is from an earlier round")


def reading_of(referee: ZoneReferee, state: WondersState, view: ZoneView, layout: AnyLayout) -> Reading:
    """Return what was done since the last confirm; ``referee`` has the words."""
    assert isinstance(layout, Layout), "the layout is that of this game"
    position: Position = state.position
    if position.score_only:
        refusal = position.verify(Deal(1))
        return Reading(reasons=() if refusal is None else refusal.reasons)
    judged = _Judge(referee, state, Look.from_view(state, view, layout))
    if position.phase is AgePhase.DEAL:
        return judged.judge_deal()
    if position.phase is AgePhase.FROM_DISCARD:
        return judged.judge_from_discard()
    return judged.judge_acts()


class _Judge:
    """One look being judged."""

    def __init__(self, referee: ZoneReferee, state: WondersState, look: Look) -> None:
        self.referee, self.state = referee, state
        self.position: Position = state.position
        self.look = replace(look, cities=tuple(map(self._settle_discard, look.cities)))

    def _settle_discard(self, city: CityLook) -> CityLook:
        """Settle that a city's doubtful discard is an earlier one, where it is not its turn to discard."""
        phase = self.position.phase
        if (
            not city.doubtful
            or phase is AgePhase.ROUND
            or (phase is AgePhase.SEVENTH and city.seat in self._list_due())
        ):
            return city
        laid = tuple(one for one in city.laid if one.do is not Do.DISCARD)
        return replace(city, laid=laid, uncollected=True, doubtful=False)

    # What is due

    def judge_deal(self) -> Reading:
        """Judge an age that begins: everything lies as confirmed, and nobody has laid a card."""
        faults = self._check_table()
        due = because.deal_due(age=self.position.age + 1)
        for city in self.look.cities:
            for one in city.laid:
                if one.do is Do.DISCARD:
                    # A card left over lies on its player's spot.
                    faults.append(not_gathered(self.position, city.seat))
                else:
                    faults.append(Disturbance(due, (back_to_hand(self.position, city.seat, one),)))
        if faults or self.look.marks:
            return self._not_so(faults)
        return replace(self._read_done(Deal(self.position.age + 1)), without_trace=True)

    def judge_acts(self) -> Reading:
        """Judge a round, or the seventh card of Babylon: one card of each seat whose turn it is."""
        position, look = self.position, self.look
        due = self._list_due()
        faults = [*self._check_table(), *wrong_age(position, look), *two_cards(position, look)]
        faults += nothing_laid(position, look, due)
        chosen = {
            city.seat: choices_of(self.state, city.seat, city.laid[0])
            for city in look.cities
            if len(city.laid) == 1 and city.seat in due
        }
        first = {seat: acts[0] for seat, acts in chosen.items()}
        refusal = position.verify(move_of(position, first))
        if refusal is not None:
            faults += self._refuse_acts(refusal, first)
        faults += self._out_of_turn(due)
        if faults or look.marks:
            return self._not_so(faults)
        return self._ask_acts(chosen, tuple(city.seat for city in look.cities if city.doubtful))

    def judge_from_discard(self) -> Reading:
        """Judge a card that Halikarnassos builds from the discard pile, or none."""
        position, look = self.position, self.look
        (due,) = self._list_due()
        faults = [*self._check_table(), *two_cards(position, look)]
        faults += self._out_of_turn((due,))
        laid = look.cities[due - 1].laid
        if len(laid) == 1 and laid[0].do is not Do.BUILD:
            reason = because.from_discard_due(who=player(position.players[due - 1]))
            faults.append(Disturbance(reason, (back_to_hand(position, due, laid[0]),)))
        moves = self._list_dug(due, laid[0]) if len(laid) == 1 and laid[0].do is Do.BUILD else ()
        legal = [move for move in moves if position.is_legal(move)]
        if moves and not legal and (refusal := position.verify(moves[0])) is not None:
            mends = (back_to_hand(position, due, laid[0]),)
            faults += [Disturbance(reason, mends) for reason in refusal.reasons]
        if faults or look.marks:
            return self._not_so(faults)
        if not laid:
            return self._none_asked(due)
        if len(legal) == 1:
            return self._read_done(legal[0])
        choices = [(Text("Age {age}", age=move.card.age), move) for move in legal if move.card]
        words = which_age_asked(card_of(laid[0].name, position.age))
        choices_made = tuple(
            Choice(age_words, self._accept_reading(self._read_done(move))) for age_words, move in choices
        )
        return Reading(asked=Question(words, choices_made))

    def _list_due(self) -> tuple[int, ...]:
        """Return the seats that have to lay a card."""
        seat = self.position.seat
        return tuple(range(1, self.position.n + 1)) if seat is None else (seat + 1,)

    def _list_dug(self, seat: int, laid: Laid) -> tuple[FromDiscard, ...]:
        """Return what may have been taken from the discard pile: of faces that are alike either one."""
        cards = sorted(faces_named(laid.name), key=lambda card: card.age > self.position.age)
        return tuple(FromDiscard(seat, card) for card in cards)

    # Faults

    def _check_table(self) -> list[Disturbance]:
        return [*find_disturbances(self.state, self.look), *find_uncollected(self.position, self.look)]

    def _refuse_acts(self, refusal: Refusal, acts: dict[int, Act]) -> list[Disturbance]:
        """Refuse acts that the rules refuse; the cards of the seats concerned go back."""
        position, cities = self.position, self.look.cities
        seats = refused_seats(position, acts, refusal)
        mends = tuple(back_to_hand(position, seat, cities[seat - 1].laid[0]) for seat in seats)
        reasons = position.find_reasons(move_of(position, acts))
        return [Disturbance(reason, mends if not number else ()) for number, reason in enumerate(reasons)]

    def _out_of_turn(self, due: Sequence[int]) -> list[Disturbance]:
        """Refuse cards that others laid while one player alone does something."""
        if len(due) > 1:
            return []
        position, found = self.position, []
        for city in self.look.cities:
            if city.laid and city.seat not in due:
                move: Move = Seventh(city.seat, NONE)
                if position.phase is AgePhase.FROM_DISCARD:
                    move = FromDiscard(city.seat)
                refusals = (position.verify(move), position.verify(Round((NONE,) * position.n)))
                reasons = [reason for refusal in refusals if refusal is not None for reason in refusal.reasons]
                mends = tuple(back_to_hand(position, city.seat, one) for one in city.laid)
                found += [Disturbance(reason, mends) for reason in reasons]
        return found

    def _not_so(self, faults: Sequence[Disturbance]) -> Reading:
        """Refuse what is certainly wrong, else say that a card
        can't be seen, else that something is still to be done.
        """
        certain = any(fault.reason.code not in NOT_YET for fault in faults)
        if self.look.marks and not certain:
            # Once it is all that the round waits for, it is said without a press.
            laid = all(city.laid or city.marks for city in self.look.cities if city.seat in self._list_due())
            return Reading(unread=self.look.marks, at_once=laid and not faults)
        reasons = [fault.reason for fault in faults]
        for mark, place in self.look.places[:1]:
            reasons.append(cannot_see(place_words(self.position, place), CAUSES.get(mark.cause)))
        mends = tuple(mend for fault in faults for mend in fault.mends)
        waits = self._waited_for(faults) if self.look.laid or mends else ()
        return Reading(reasons=tuple(reasons), mends=mends, waits=None if certain else waits)

    def _waited_for(self, faults: Iterable[Disturbance]) -> tuple[Text, ...]:
        """Say who has yet to lay a card, and what has yet to be gathered."""
        faults = list(faults)
        seats = [city.seat for city in self.look.cities if not city.laid and city.seat in self._list_due()]
        sentences = [fault.reason.text for fault in faults if fault.reason.code != "nothing_laid"]
        if seats and any(fault.reason.code == "nothing_laid" for fault in faults):
            who = join_names(player(self.position.players[seat - 1]) for seat in seats)
            sentences.append(
                plural("{who} has yet to lay a card.", "{who} have yet to lay a card.", count=len(seats), who=who)
            )
            sentences.append(Text("Then press confirm."))
        return tuple(dict.fromkeys(sentences))

    # Asking, and accepting

    def _ask_acts(self, chosen: dict[int, tuple[Act, ...]], doubtful: Sequence[int]) -> Reading:
        """Return the move; where something has to be entered, ask question after question."""
        if not doubtful:
            return self._ask_payment(chosen, {})
        seat, *others = doubtful
        who = player(self.position.players[seat - 1])
        no = Refused.from_reasons(CODES, [because.nothing_laid(who=who), because.discard_not_gathered(who=who)], ())
        yes = self._accept_reading(self._ask_acts(chosen, others))
        # A second press of confirm must not pay for a card that was never laid.
        return Reading(asked=Question(new_discard_asked(self.position, seat), (Choice(_NO, no), Choice(_YES, yes))))

    def _ask_payment(self, chosen: dict[int, tuple[Act, ...]], settled: dict[int, Act]) -> Reading:
        position = self.position
        for seat, acts in chosen.items():
            if seat in settled:
                continue
            if len(acts) == 1:
                settled = {**settled, seat: acts[0]}
                continue
            paid = [self._accept_reading(self._ask_payment(chosen, {**settled, seat: act})) for act in acts]
            ways = (way_words(position, seat, act) for act in acts)
            return Reading(asked=Question(pay_asked(position, seat, acts[0]), tuple(map(Choice, ways, paid))))
        return self._read_done(move_of(position, {seat: as_recorded(act) for seat, act in settled.items()}))

    def _none_asked(self, seat: int) -> Reading:
        who = player(self.position.players[seat - 1])
        none = self._accept_reading(self._read_done(FromDiscard(seat)))
        no = Refused.from_reasons(CODES, [because.nothing_laid(who=who)], ())
        text = Text("Does {who} build nothing from the discard pile?", who=who)
        choices = Choice(Text("Yes, nothing is built"), none), Choice(Text("No, a card will be laid"), no)
        return Reading(asked=Question(text, choices))

    def _read_done(self, move: Move) -> Reading:
        look, after = self.look, self.position.do(move)
        return Reading(move, after_acts(self.state, after, move, look.discards_at(), look.pile_at, look.gathered))

    def _accept_reading(self, reading: Reading) -> Accepted | Question:
        """Return what a reading comes to that only has to be entered."""
        return reading.asked or self.referee.accept_reading(self.state, reading)
