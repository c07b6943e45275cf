"""Which rules a move breaks: the page's refusal codes, judged against the cities as they are before the move.

Source: ``games/seven_wonders.md``, "Refusal codes" and the rulings that they name. A line that is bad, or that is not
due, is judged no further: what its cards and coins would be worth elsewhere says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rules import refusal as common
from rules.refusal import Reason
from rules.seven_wonders import refusals as because
from rules.seven_wonders.boards import Board
from rules.seven_wonders.cards import AGES, HAND, Building, count_dealt, count_guilds
from rules.seven_wonders.city import City
from rules.seven_wonders.effects import Cost, Special, say_coins
from rules.seven_wonders.moves import Act, Deal, Do, FinishedCity, FromDiscard, Move, Round, Seventh, Tell, Tokens
from rules.seven_wonders.scoring import fight_war
from rules.seven_wonders.state import ROUNDS, AgePhase, State
from rules.text import Text, plural

Exhausted = dict[Building, Callable[..., Reason]]
"""Cards of which not enough copies are in play, each with the reason for a player who builds it."""


def find_reasons(state: State, move: Move) -> tuple[Reason, ...]:
    """Return every broken rule of the move, each with its words; none where it is legal."""
    if isinstance(move, Deal):
        return tuple(_deal(state, move))
    if isinstance(move, Round):
        return tuple(_check_round(state, move))
    if isinstance(move, Tell):
        return tuple(_tell(state, move))
    found = [] if 1 <= move.seat <= state.n else [common.no_seat(move.seat)]
    if isinstance(move, Seventh):
        found += _check_form(state, [move.act]) + _check_due(state, AgePhase.SEVENTH)
        if not found:
            found = _turn(state, move.seat) or _act(state, move.seat - 1, move.act, _find_exhausted(state, [move.act]))
    elif isinstance(move, FromDiscard):
        found += _check_due(state, AgePhase.FROM_DISCARD)
        if not found:
            found = _turn(state, move.seat) or _from_discard(state, move)
    else:
        found += _check_due(state, AgePhase.CITY)
        if not found:
            found = _turn(state, move.seat) or _check_city(state, move)
    return tuple(found)


def _check_form(state: State, acts: Sequence[Act]) -> list[Reason]:
    """Refuse acts that the record could not even say: a build without a
    card, payment or Olympia where neither belongs.
    """
    if any(act.do is Do.BUILD and act.card is None for act in acts):
        return [common.bad_record(Text("a build lacks its 'card'"))]
    if any(act.do is Do.DISCARD and act.pay is not None for act in acts):
        return [common.bad_record(Text("'pay' does not go with a discard"))]
    if any(act.do is not Do.BUILD and act.free for act in acts):
        return [common.bad_record(Text("'free' goes with a build only"))]
    return _kind_of(state, acts)


def _kind_of(state: State, acts: Sequence[Act]) -> list[Reason]:
    """Check cards of stages and discards: given with full information,
    hidden with public, once the deal has settled it.
    """
    hidden = [act.card is None for act in acts if act.do is not Do.BUILD]
    if state.full is True and any(hidden):
        return [common.bad_record(Text("a stage or a discard lacks its 'card'"))]
    if state.full is False and not all(hidden):
        return [common.bad_record(Text("a stage or a discard tells its hidden 'card'"))]
    return []


def _check_due(state: State, line: AgePhase) -> list[Reason]:
    """List why that kind of line is not due, if it is not."""
    if state.phase is line:
        return []
    if state.phase is AgePhase.OVER:
        return [common.game_over()]
    if state.phase is AgePhase.DEAL:
        return [because.deal_due(age=state.age + 1)]
    if state.phase is AgePhase.ROUND:
        return [because.round_due(number=state.rounds + 1, age=state.age)]
    seat = state.seat
    if seat is None:
        return [because.tell_due()]
    due = {
        AgePhase.SEVENTH: because.seventh_due,
        AgePhase.FROM_DISCARD: because.from_discard_due,
        AgePhase.CITY: because.city_due,
    }
    return [due[state.phase](who=state.name_player(seat))]


def _turn(state: State, seat: int) -> list[Reason]:
    if state.seat is None or seat - 1 == state.seat:
        return []
    return [common.out_of_turn(state.name_player(seat - 1), state.name_player(state.seat))]


def _deal(state: State, move: Deal) -> list[Reason]:
    found: list[Reason] = []
    if move.age not in AGES:
        found.append(common.bad_record(Text("'age' must be 1, 2 or 3")))
    elif move.hands is not None and not are_hands(move.hands, move.age, state.n):
        cards = Text("the cards of age {age}", age=move.age)
        if move.age == AGES[-1]:
            cards = Text("{cards} with {guilds} different guilds", cards=cards, guilds=count_guilds(state.n))
        cause = Text("'hands' must be {n} hands of {size}, together {cards}", n=state.n, size=HAND, cards=cards)
        found.append(common.bad_record(cause))
    if state.full is True and move.hands is None:
        found.append(common.bad_record(Text("the line lacks 'hands', which the first deal told")))
    if state.full is False and move.hands is not None:
        found.append(common.bad_record(Text("the line tells 'hands', which the first deal hid")))
    found += _check_due(state, AgePhase.DEAL)
    if state.phase is AgePhase.DEAL and move.age in AGES and move.age != state.age + 1:
        found.append(because.deal_due(age=state.age + 1))
    return found


def are_hands(hands: Sequence[Sequence[Building]], age: int, players: int) -> bool:
    """Tell whether these are the hands of that age's deal."""
    if len(hands) != players or any(len(hand) != HAND for hand in hands):
        return False
    cards = Counter(card for hand in hands for card in hand)
    drawn = [card for card in cards if card.is_guild]
    if len(drawn) != (count_guilds(players) if age == AGES[-1] else 0):
        return False
    return cards == count_dealt(age, players) + Counter(drawn)


def _check_round(state: State, move: Round) -> list[Reason]:
    found: list[Reason] = []
    if len(move.acts) != state.n:
        found.append(common.bad_record(Text("'acts' must be {n} acts, one for each seat", n=state.n)))
    found += _check_form(state, move.acts) + _check_due(state, AgePhase.ROUND)
    if found:
        return found
    exhausted = _find_exhausted(state, move.acts)
    by_seat = {seat: _act(state, seat, act, exhausted) for seat, act in enumerate(move.acts)}
    refused = [seat for seat, broken in by_seat.items() if broken]
    return [
        because.also_refused(reason, [state.name_player(other) for other in refused if other != seat])
        for seat in refused
        for reason in by_seat[seat]
    ]


def _find_exhausted(state: State, acts: Iterable[Act]) -> Exhausted:
    """Return, with public information, the cards of which these acts together would build more than there are."""
    if state.full is not False:
        return {}
    return _too_many(state, Counter(act.card for act in acts if act.do is Do.BUILD and act.card is not None))


def _too_many(state: State, building: Counter[Building]) -> Exhausted:
    """Return the cards of which more would be built, with those in the cities, than are in play."""
    found: Exhausted = {}
    new = sum(card.is_guild and card not in state.built for card in building)
    guilds_full = state.guilds_built + new > count_guilds(state.n)
    for card, count in building.items():
        copies = card.in_play(state.n)
        if state.built[card] + count > copies:
            broken = because.no_copy_left if copies else because.no_copy_in_play
            found[card] = partial(broken, card=card, count=copies)
        elif guilds_full and card.is_guild:
            found[card] = partial(because.no_guild_left, card=card, guilds=count_guilds(state.n))
    return found


def _act(state: State, seat: int, act: Act, exhausted: Exhausted) -> list[Reason]:
    """List the rules that one act breaks."""
    found: list[Reason] = []
    city, who, card = state.cities[seat], state.name_player(seat), act.card
    if card is not None:
        if card.age != state.age:
            found.append(because.card_of_another_age(who=who, card=card, age=state.age))
        elif not card.in_play(state.n):
            found.append(because.card_not_in_play(who=who, card=card, players=state.n))
        if not state.has_card(seat, card):
            found.append(because.card_not_in_hand(who=who, card=card))
        if act.do is Do.BUILD and card in exhausted:
            found.append(exhausted[card](who=who))
    if act.do is Do.BUILD and card is not None:
        if card.name in city.names:
            found.append(because.already_built(who=who, card=card))
        if act.free and (no_free := _no_free_build(state, seat, card)) is not None:
            return [*found, no_free]
    elif act.do is Do.STAGE and city.next_stage is None:
        return [*found, because.no_stage_left(who=who, board=city.board, stages=city.stages)]
    return found + (_check_payment(state, seat, act) if act.do is not Do.DISCARD else [])


def _no_free_build(state: State, seat: int, card: Building) -> Reason | None:
    """List why Olympia's free building is not to be had for that card (7)."""
    city, who = state.cities[seat], state.name_player(seat)
    if not city.has_special(Special.BUILD_FREE_ONCE_AN_AGE):
        return because.no_free_stage(who=who, card=card)
    if city.free_used:
        return because.free_building_used(who=who, card=card)
    if not card.cost or card.id in city.chained:
        return because.free_anyway(who=who, card=card)
    return None


def _check_payment(state: State, seat: int, act: Act) -> list[Reason]:
    """List what is wrong with how a build or a stage is paid (4)."""
    city, who, price = state.cities[seat], state.name_player(seat), state.find_price(seat, act)
    within = state.find_affordable(seat, price)
    if act.pay in within or (act.pay is None and len(within) == 1):
        return []
    what, cards, cost = _describe_paid(city, act)
    if not price.ways:
        return [because.cannot_produce(who=who, what=what, cost=cost, cards=cards)]
    found: list[Reason] = []
    if not within:
        least = min(way.coins for way in price.ways) + price.coins
        found.append(
            because.coins_short(who=who, what=what, needed=say_coins(least), held=say_coins(city.coins), cards=cards)
        )
    elif act.pay is None:
        found.append(because.pay_unclear(who=who, what=what, ways=because.one_of(within), cards=cards))
    elif act.pay in price.ways:
        found.append(
            because.coins_short(
                who=who,
                what=what,
                needed=say_coins(act.pay.coins + price.coins),
                held=say_coins(city.coins),
                cards=cards,
            )
        )
    if act.pay is not None and act.pay not in price.ways:
        enough = next((way for way in price.ways if act.pay.is_covering(way)), None)
        wrong = because.underpaid if enough is None else because.overpaid
        due = because.one_of(price.ways if enough is None else (enough,))
        found.append(wrong(who=who, what=what, paid=because.say_payment(act.pay), due=due, cards=cards))
    return found


def _describe_paid(city: City, act: Act) -> tuple[Text, tuple[Building, ...], Cost]:
    """Return what an act pays for: its words, the card that is built, and the cost."""
    stage = city.next_stage
    if act.card is not None and act.do is Do.BUILD:
        return act.card.text, (act.card,), act.card.cost
    number, board = city.stages + 1, city.board
    words = Text("stage {number} of {board}", number=number, board=board)
    return words, (), Cost() if stage is None else stage.cost


def _from_discard(state: State, move: FromDiscard) -> list[Reason]:
    """List the rules that a building from the discard pile breaks (6, 9)."""
    found: list[Reason] = []
    card, seat, who = move.card, move.seat - 1, state.name_player(move.seat - 1)
    if card is None:
        return found
    if card.age > state.age:
        found.append(because.card_of_another_age(who=who, card=card, age=state.age))
    elif not card.in_play(state.n):
        found.append(because.card_not_in_play(who=who, card=card, players=state.n))
    if state.full is False:
        found += [reason(who=who) for reason in _too_many(state, Counter([card])).values()]
    if not state.in_pile(card):
        found.append(
            because.not_in_discard(card=card) if state.full else because.no_card_of_the_age_in_discard(card=card)
        )
    if card.name in state.cities[seat].names:
        found.append(because.already_built(who=who, card=card))
    return found


def _check_city(state: State, move: FinishedCity) -> list[Reason]:
    """Score only: the rules that a finished city breaks."""
    found: list[Reason] = []
    seat, counts = move.seat - 1, Counter(move.cards)
    who, board = state.name_player(seat), state.cities[seat].board
    found += [
        because.card_not_in_play(who=who, card=card, players=state.n) for card in counts if not card.in_play(state.n)
    ]
    found += [reason(who=who) for reason in _too_many(state, counts).values()]
    names = Counter(card.name for card in move.cards)
    found += [because.already_built(who=who, card=card) for card in counts if names[card.name] > 1]
    if move.stages > len(board.stages):
        found.append(because.no_stage_left(who=who, board=board, stages=len(board.stages)))
    most = most_cards(board, move.stages)
    if len(move.cards) + move.stages > most:
        found.append(because.too_many_cards(who=who, most=most))
    return found


def most_cards(board: Board, stages: int) -> int:
    """Return how many cards and stages together a city with that many stages of that board can have.

    One for each act, of which stage 2 of Babylon B gives one more in each age; a stage that builds from the discards
    brings a card without an act.
    """
    built = [stage.effect.special for stage in board.stages[:stages]]
    sevenths = len(AGES) if Special.PLAY_SEVENTH_CARD in built else 0
    return len(AGES) * ROUNDS + sevenths + built.count(Special.BUILD_FROM_DISCARD)


def _tell(state: State, move: Tell) -> list[Reason]:
    """List what is wrong with the coins and tokens entered."""
    found: list[Reason] = []
    n = state.n
    for key, given in (("coins", len(move.coins)), ("tokens", len(move.tokens))):
        if given != n:
            found.append(common.bad_record(Text("{key!r} must have {n} entries, one for each seat", key=key, n=n)))
    found += _check_due(state, AgePhase.TELL)
    if found:
        return found
    found += [reason for _, reason in victories_of_the_last_age(state, move.tokens)]
    return found + tokens_together(move.tokens)


def victories_of_the_last_age(state: State, entered: Sequence[Tokens]) -> list[tuple[int, Reason]]:
    """Return seats, from 0, whose victories of age 3 are not those that the cities' shields give, each with the reason.

    ``told`` are the tokens by seat.
    """
    found = []
    for seat, tokens in enumerate(entered):
        won, _ = fight_war(state.cities, seat)
        if tokens.victories[-1] != won:
            found.append(
                (seat, because.victories_wrong(who=state.name_player(seat), count=tokens.victories[-1], due=won))
            )
    return found


def tokens_together(entered: Sequence[Tokens]) -> list[Reason]:
    """List what is wrong with all victories and defeats together."""
    victories, defeats = sum(sum(one.victories) for one in entered), sum(one.defeats for one in entered)
    words = plural("{count} defeat", "{count} defeats", count=defeats)
    return [] if victories == defeats else [because.tokens_uneven(count=victories, defeats=words)]
