"""What a look at a game of Seven Wonders means: deals, rounds judged from one confirm, what follows a sixth round.

A round is accepted whole or refused whole. A refusal names every fault, and only cards concerned go back; what is asked
comes after all else is right. What hands have yet to do is only waited for until confirm is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from referee.layout import Layout as AnyLayout
from referee.seven_wonders.acts import NONE, as_recorded, card_of, choices_of, move_of, refused_seats
from referee.seven_wonders.faults import (
    NOT_YET,
    Fault,
    back_to_hand,
    disturbances,
    not_gathered,
    nothing_laid,
    two_cards,
    uncollected,
    wrong_age,
)
from referee.seven_wonders.layout import Layout
from referee.seven_wonders.look import CityLook, Laid, Look, faces_named
from referee.seven_wonders.state import WondersState, after_acts
from referee.seven_wonders.words import (
    follows,
    move_words,
    new_discard_asked,
    pay_asked,
    place_words,
    way_words,
    which_age_asked,
)
from referee.table import CAUSES
from referee.verdict import Accepted, CantSee, Choice, Question, Refused, Spot, Verdict, Waiting
from referee.zones import ZoneView
from rules.refusal import Reason, Refusal, cannot_see, game_over
from rules.seven_wonders import refusals as because
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.state import Phase
from rules.text import Text, listing, player, plural

Settled = Accepted | Refused | Question
Unseen = Callable[[WondersState, Sequence[Spot]], tuple[Text, ...]]

_YES = Text("Yes, it is new")
_NO = Text("No, it is from an earlier round")


def judge(state: WondersState, view: ZoneView, layout: AnyLayout, unseen: Unseen) -> Verdict:
    """What was done since the last confirm; ``unseen`` has the words for places that can't be read."""
    assert isinstance(layout, Layout), "the layout is that of this game"
    position: Position = state.position
    if position.phase is Phase.OVER:
        return Refused.of(CODES, [game_over()], ())
    if position.score_only:
        refusal = position.verify(Deal(1))
        return Refused.of(CODES, [] if refusal is None else _reasons(refusal), ())
    judged = _Judge(state, Look.of(state, view, layout), unseen)
    if position.phase is Phase.DEAL:
        return judged.deal()
    if position.phase is Phase.FROM_DISCARD:
        return judged.from_discard()
    return judged.acts()


def begun_unseen(state: WondersState) -> Accepted:
    """An age that began without a confirm; what had to be gathered before has been gathered."""
    position: Position = state.position
    move = Deal(position.age + 1)
    after = position.do(move)
    told = (move_words(move, position), *follows(move, position, after))
    return Accepted(move, after_acts(state, after, move), told)


class _Judge:
    """One look being judged."""

    def __init__(self, state: WondersState, look: Look, unseen: Unseen) -> None:
        self.state, self.unseen = state, unseen
        self.position: Position = state.position
        self.look = replace(look, cities=tuple(map(self._settled, look.cities)))

    def _settled(self, city: CityLook) -> CityLook:
        """A city whose discard may be an earlier one: that it is, where it is not its turn to discard."""
        phase = self.position.phase
        if not city.doubtful or phase is Phase.ROUND or (phase is Phase.SEVENTH and city.seat in self._due()):
            return city
        laid = tuple(one for one in city.laid if one.do is not Do.DISCARD)
        return replace(city, laid=laid, uncollected=True, doubtful=False)

    # What is due

    def deal(self) -> Verdict:
        """An age that begins: everything lies as agreed, and nobody has laid a card."""
        faults = self._table()
        due = because.deal_due(age=self.position.age + 1)
        for city in self.look.cities:
            for one in city.laid:
                if one.do is Do.DISCARD:
                    # A card left over lies on its player's spot.
                    faults.append(not_gathered(self.position, city.seat))
                else:
                    faults.append(Fault(due, (back_to_hand(self.position, city.seat, one),)))
        if faults or self.look.marks:
            return self._not_so(faults)
        return self._accepted(Deal(self.position.age + 1), without_trace=True)

    def acts(self) -> Verdict:
        """A round, or the seventh card of Babylon: one card of each seat whose turn it is."""
        position, look = self.position, self.look
        due = self._due()
        faults = [*self._table(), *wrong_age(position, look), *two_cards(position, look)]
        faults += nothing_laid(position, look, due)
        chosen = {
            city.seat: choices_of(self.state, city.seat, city.laid[0])
            for city in look.cities
            if len(city.laid) == 1 and city.seat in due
        }
        first = {seat: acts[0] for seat, acts in chosen.items()}
        refusal = position.verify(move_of(position, first))
        if refusal is not None:
            faults += self._refused(refusal, first)
        faults += self._out_of_turn(due)
        if faults or look.marks:
            return self._not_so(faults)
        return self._asked(chosen, tuple(city.seat for city in look.cities if city.doubtful))

    def from_discard(self) -> Verdict:
        """A card that Halikarnassos builds from the discard pile, or none."""
        position, look = self.position, self.look
        (due,) = self._due()
        faults = [*self._table(), *two_cards(position, look)]
        faults += self._out_of_turn((due,))
        laid = look.cities[due - 1].laid
        if len(laid) == 1 and laid[0].do is not Do.BUILD:
            reason = because.from_discard_due(who=player(position.players[due - 1]))
            faults.append(Fault(reason, (back_to_hand(position, due, laid[0]),)))
        moves = self._dug(due, laid[0]) if len(laid) == 1 and laid[0].do is Do.BUILD else ()
        legal = [move for move in moves if position.can(move)]
        if moves and not legal and (refusal := position.verify(moves[0])) is not None:
            mends = (back_to_hand(position, due, laid[0]),)
            faults += [Fault(reason, mends) for reason in _reasons(refusal)]
        if faults or look.marks:
            return self._not_so(faults)
        if not laid:
            return self._none_asked(due)
        if len(legal) == 1:
            return self._accepted(legal[0])
        choices = [(Text("Age {age}", age=move.card.age), move) for move in legal if move.card]
        words = which_age_asked(card_of(laid[0].name, position.age))
        return Question(words, tuple(Choice(told, self._accepted(move)) for told, move in choices))

    def _due(self) -> tuple[int, ...]:
        """The seats that have to lay a card."""
        seat = self.position.seat
        return tuple(range(1, self.position.n + 1)) if seat is None else (seat + 1,)

    def _dug(self, seat: int, laid: Laid) -> tuple[FromDiscard, ...]:
        """What may have been taken from the discard pile: of faces that are alike either one."""
        cards = sorted(faces_named(laid.name), key=lambda card: card.age > self.position.age)
        return tuple(FromDiscard(seat, card) for card in cards)

    # Faults

    def _table(self) -> list[Fault]:
        return [*disturbances(self.state, self.look), *uncollected(self.position, self.look)]

    def _refused(self, refusal: Refusal, acts: dict[int, Act]) -> list[Fault]:
        """Acts that the rules refuse; the cards of the seats concerned go back."""
        position, cities = self.position, self.look.cities
        seats = refused_seats(position, acts, refusal)
        mends = tuple(back_to_hand(position, seat, cities[seat - 1].laid[0]) for seat in seats)
        reasons = position.reasons(move_of(position, acts))
        return [Fault(reason, mends if not number else ()) for number, reason in enumerate(reasons)]

    def _out_of_turn(self, due: Sequence[int]) -> list[Fault]:
        """Cards that others laid while one player alone does something."""
        if len(due) > 1:
            return []
        position, found = self.position, []
        for city in self.look.cities:
            if city.laid and city.seat not in due:
                move: Move = Seventh(city.seat, NONE)
                if position.phase is Phase.FROM_DISCARD:
                    move = FromDiscard(city.seat)
                refusals = (position.verify(move), position.verify(Round((NONE,) * position.n)))
                reasons = [reason for refusal in refusals if refusal is not None for reason in _reasons(refusal)]
                mends = tuple(back_to_hand(position, city.seat, one) for one in city.laid)
                found += [Fault(reason, mends) for reason in reasons]
        return found

    def _not_so(self, faults: Sequence[Fault]) -> Verdict:
        """Refused for what is certainly wrong, else a card can't be seen, else something is still to be done."""
        spots = tuple(Spot(mark.x, mark.y, place, mark.cause) for mark, place in self.look.places)
        certain = [fault for fault in faults if fault.reason.code not in NOT_YET]
        if spots and not certain:
            # Once it is all that the round waits for, it is said without a press.
            laid = all(city.laid or city.marks for city in self.look.cities if city.seat in self._due())
            return CantSee(spots, self.unseen(self.state, spots), at_once=laid and not faults)
        reasons = [fault.reason for fault in faults]
        if spots:
            where = place_words(self.position, spots[0].place)
            reasons.append(cannot_see(where, CAUSES.get(spots[0].cause)))
        refused = Refused.of(CODES, reasons, [mend for fault in faults for mend in fault.mends])
        if certain:
            return refused
        told = self._waited_for(faults) if self.look.laid or len(refused.mend) else ()
        return Waiting(told, refused.mend, refused)

    def _waited_for(self, faults: Iterable[Fault]) -> tuple[Text, ...]:
        """Who has yet to lay a card, and what has yet to be gathered."""
        faults = list(faults)
        seats = [city.seat for city in self.look.cities if not city.laid and city.seat in self._due()]
        told = [fault.reason.text for fault in faults if fault.reason.code != "nothing_laid"]
        if seats and any(fault.reason.code == "nothing_laid" for fault in faults):
            who = listing(player(self.position.players[seat - 1]) for seat in seats)
            told.append(
                plural("{who} has yet to lay a card.", "{who} have yet to lay a card.", count=len(seats), who=who)
            )
            told.append(Text("Then press confirm."))
        return tuple(dict.fromkeys(told))

    # Asking, and accepting

    def _asked(self, chosen: dict[int, tuple[Act, ...]], doubtful: Sequence[int]) -> Settled:
        """The move; where something has to be told, question after question."""
        if doubtful:
            seat, *others = doubtful
            who = player(self.position.players[seat - 1])
            no = Refused.of(CODES, [because.nothing_laid(who=who), because.discard_not_gathered(who=who)], ())
            yes = self._asked(chosen, others)
            # A second press of confirm must not pay for a card that was never laid.
            return Question(new_discard_asked(self.position, seat), (Choice(_NO, no), Choice(_YES, yes)))
        return self._paid(chosen, {})

    def _paid(self, chosen: dict[int, tuple[Act, ...]], settled: dict[int, Act]) -> Settled:
        position = self.position
        for seat, acts in chosen.items():
            if seat in settled:
                continue
            if len(acts) == 1:
                settled = {**settled, seat: acts[0]}
                continue
            choices = tuple(
                Choice(way_words(position, seat, act), self._paid(chosen, {**settled, seat: act})) for act in acts
            )
            return Question(pay_asked(position, seat, acts[0]), choices)
        acts_now = {seat: as_recorded(act) for seat, act in settled.items()}
        return self._accepted(move_of(position, acts_now))

    def _none_asked(self, seat: int) -> Question:
        who = player(self.position.players[seat - 1])
        none = self._accepted(FromDiscard(seat))
        no = Refused.of(CODES, [because.nothing_laid(who=who)], ())
        text = Text("Does {who} build nothing from the discard pile?", who=who)
        return Question(
            text,
            (
                Choice(Text("Yes, nothing is built"), none),
                Choice(Text("No, a card will be laid"), no),
            ),
        )

    def _accepted(self, move: Move, without_trace: bool = False) -> Accepted:
        before = self.position
        after = before.do(move)
        look = self.look
        state = after_acts(self.state, after, move, look.discards_at(), look.pile_at, look.gathered)
        told = (move_words(move, before), *follows(move, before, after))
        return Accepted(move, state, told, without_trace=without_trace)


def _reasons(refusal: Refusal) -> list[Reason]:
    """All of a refusal's codes as reasons."""
    first = Reason(refusal.code, refusal.cards, refusal.text)
    return [first, *(Reason(code, (), refusal.text) for code in refusal.also)]
