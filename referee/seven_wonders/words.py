"""What the referee says in a game of Seven Wonders: moves, payments, what follows from them, places, steps to mend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.seven_wonders.cards import BACKS, back_words
from referee.seven_wonders.layout import BOARD, CITY, PILE, SPOT, WONDER
from referee.seven_wonders.look import faces_named
from rules.seven_wonders.boards import find_board
from rules.seven_wonders.cards import AGES, HAND, Building, count_guilds
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.scoring import left_of, right_of
from rules.seven_wonders.state import ROUNDS, AgePhase
from rules.seven_wonders.steps import COINS_FOR_DISCARD, PASSED_RIGHT
from rules.seven_wonders.trade import Pay
from rules.text import Text, capitalise, in_context, join_names, join_row, player, plural, verbatim


def say_coins(count: int) -> Text:
    """Say a number of coins."""
    return plural("{count} coin", "{count} coins", count=count)


def card_words(name: str) -> Text:
    """Name a card by the name that the reader gives it, within a sentence."""
    if name in BACKS:
        return back_words(name)
    if name.startswith(BOARD):
        return find_board(name.removeprefix(BOARD)).text
    faces = faces_named(name)
    # Faces that may be alike have one name.
    return faces[0].text if faces else Text("a strange card")


def place_words(position: Position, place: str) -> Text:
    """Name a place."""
    kind, _, seat = place.partition(":")
    if kind == PILE:
        return Text("the discard pile")
    if not seat or not 1 <= int(seat) <= position.n:
        return Text("the mat between the cities")
    who = position.name_player(int(seat) - 1)
    if kind == CITY:
        return Text("{who}'s city", who=who)
    if kind == WONDER:
        return Text("{who}'s wonder", who=who)
    if kind == SPOT:
        return Text("{who}'s discard spot", who=who)
    if kind == "hand":
        return Text("{who}'s hand", who=who)
    return Text("the mat beside {who}'s city", who=who)


# Moves


def act_words(position: Position, seat: int, act: Act) -> Text:
    """Say what a seat, from 1, does, without a full stop: ``Hilbert builds altar``."""
    who = player(position.players[seat - 1])
    if act.do is Do.BUILD and act.card is not None:
        built = Text("{who} builds {card}", who=who, card=act.card)
        return Text("{who} builds {card} free", who=who, card=act.card) if act.free else built
    if act.do is Do.STAGE:
        number = position.cities[seat - 1].stages + 1
        return Text("{who} builds stage {number}", who=who, number=number)
    return Text("{who} discards", who=who)


def move_words(move: Move, before: Position) -> Text:
    """Describe a move as a sentence."""
    if isinstance(move, Deal):
        return Text("Age {age} begins.", age=move.age)
    if isinstance(move, Round):
        acts = join_row(act_words(before, seat, act) for seat, act in enumerate(move.acts, 1))
        return Text("Age {age}, round {round}: {acts}.", age=before.age, round=before.rounds + 1, acts=acts)
    if isinstance(move, Seventh):
        act = act_words(before, move.seat, move.act)
        return Text("With the seventh card {act}.", act=act)
    assert isinstance(move, FromDiscard), "no other move is made at the table"
    who = player(before.players[move.seat - 1])
    if move.card is None:
        return Text("{who} builds nothing from the discards.", who=who)
    card = move.card
    return Text("{who} builds {card} from the discards.", who=who, card=card)


def paid_words(position: Position, seat: int, pay: Pay) -> Text:
    """Say a payment, without a full stop: ``2 coins to Banach and 1 coin to Noether``."""
    sides = ((pay.left, left_of(seat - 1, position.n)), (pay.right, right_of(seat - 1, position.n)))
    parts = []
    for count, to in sides:
        if count:
            who, paid = player(position.players[to]), say_coins(count)
            parts.append(Text("{paid} to {who}", paid=paid, who=who))
    return join_names(parts) if parts else in_context("payment", "nothing")


def deal_words(position: Position, age: int) -> Iterator[Text]:
    """Say which cards are dealt in an age, and which way hands go."""
    n = position.n
    if age == AGES[0]:
        yield Text("Each player's board lies in front of them, and everybody has 3 coins beside the mat.")
    if age == AGES[-1]:
        yield Text(
            "Take the cards of age {age} that are in play with {players} players and {guilds} guilds drawn unseen; "
            "deal {cards} to each.",
            age=age,
            players=n,
            guilds=count_guilds(n),
            cards=HAND,
        )
    else:
        yield Text(
            "Take the cards of age {age} that are in play with {players} players; deal {cards} to each.",
            age=age,
            players=n,
            cards=HAND,
        )
    yield passing_words(position, age)


def passing_words(position: Position, age: int) -> Text:
    """Say which way hands go in an age."""
    names = [player(name) for name in position.players]
    first, other = names[0], names[left_of(0, position.n) if age != PASSED_RIGHT else right_of(0, position.n)]
    side = Text("right") if age == PASSED_RIGHT else Text("left")
    return Text("Hands go to the {side}: {first} passes to {other}.", side=side, first=first, other=other)


def describe_effects(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """Yield what follows from a move."""
    if isinstance(move, Deal):
        yield from deal_words(after, move.age)
        return
    if isinstance(move, Round):
        yield from _payment_words(before, dict(enumerate(move.acts, 1)))
    elif isinstance(move, Seventh):
        yield from _payment_words(before, {move.seat: move.act})
    yield coins_words(after)
    if after.phase in (AgePhase.DEAL, AgePhase.OVER):
        yield from war_words(after)
        if after.phase is AgePhase.OVER:
            yield Text("The third age has ended, so the game is over.")
    else:
        yield from to_do(after)


def _payment_words(before: Position, acts: dict[int, Act]) -> Iterator[Text]:
    for seat, act in acts.items():
        if act.pay is not None and act.pay.coins:
            who, paid = player(before.players[seat - 1]), paid_words(before, seat, act.pay)
            yield Text("{who} pays {paid}.", who=who, paid=paid)
    gains = [player(before.players[seat - 1]) for seat, act in acts.items() if act.do is Do.DISCARD]
    if gains:
        yield plural(
            "{who} takes {coins} for the discard.",
            "{who} take {coins} each.",
            count=len(gains),
            who=join_names(gains),
            coins=say_coins(COINS_FOR_DISCARD),
        )


def coins_words(position: Position) -> Text:
    """Say everybody's coins."""
    held = zip(position.players, position.cities, strict=True)
    return Text("Coins: {held}.", held=join_row(verbatim(f"{name} {city.coins}") for name, city in held))


def to_do(position: Position) -> Iterator[Text]:
    """Say who does what next."""
    if position.phase is AgePhase.SEVENTH and position.seat is not None:
        who = position.name_player(position.seat)
        yield Text("{who} plays the seventh card too.", who=who)
    elif position.phase is AgePhase.FROM_DISCARD and position.seat is not None:
        who = position.name_player(position.seat)
        yield Text("{who} may build a card from the discard pile: lay it face up in the city.", who=who)
    elif position.phase is AgePhase.ROUND:
        number, side = position.rounds + 1, Text("left")
        if position.age == PASSED_RIGHT:
            side = Text("right")
        if number == 1:
            yield Text("Everybody plays one card.")
        else:
            yield Text("Hands go to the {side}; round {number}.", side=side, number=number)
    elif position.phase is AgePhase.DEAL:
        yield Text("Age {age} is next.", age=position.age + 1)


def war_words(after: Position) -> Iterator[Text]:
    """Yield the war that ends an age: between each two neighbours who wins, and what that brings."""
    worth = (1, 3, 5)[after.age - 1]
    n = after.n
    yield Text("War of age {age}: a victory is worth {worth}.", age=after.age, worth=worth)
    for seat in range(n):
        other = left_of(seat, n)
        mine, theirs = after.cities[seat].shields, after.cities[other].shields
        one, two = player(after.players[seat]), player(after.players[other])
        if mine == theirs:
            yield Text(
                "{first} and {second} are level, shields {shields} to {shields}.", first=one, second=two, shields=mine
            )
        else:
            won, lost = (one, two) if mine > theirs else (two, one)
            more, fewer = max(mine, theirs), min(mine, theirs)
            yield Text("{won} beats {lost}, shields {more} to {fewer}.", won=won, lost=lost, more=more, fewer=fewer)


def list_reminders(position: Position, ungathered: Sequence[int]) -> Iterator[Text]:
    """Yield what hands have yet to do besides the next move."""
    if ungathered:
        who = join_names(player(position.players[seat - 1]) for seat in ungathered)
        yield Text("The discard of {who} goes face down on the discard pile.", who=who)
    if position.rounds == ROUNDS and position.phase is not AgePhase.OVER:
        if position.phase is AgePhase.SEVENTH:
            words = Text("The others lay the card left over on the discard pile.")
        else:
            words = Text("Cards left over go to the discard pile.")
        yield words


# Asking


def pay_asked(position: Position, seat: int, act: Act) -> Text:
    """Ask how an act is paid."""
    who = player(position.players[seat - 1])
    what = _act_words(position, seat, act)
    return Text("How does {who} pay for {what}?", who=who, what=what)


def way_words(position: Position, seat: int, act: Act) -> Text:
    """Say one way to pay an act, as an answer."""
    if act.free:
        return Text("Build it free, by Olympia")
    paid = paid_words(position, seat, act.pay or Pay())
    price = position.find_price(seat - 1, act)
    if not price.coins:
        return capitalise(paid)
    bank = say_coins(price.coins)
    if not (act.pay or Pay()).coins:
        return Text("Pay {bank}", bank=bank)
    return Text("{paid!c}, and {bank} to the bank", paid=paid, bank=bank)


def _act_words(position: Position, seat: int, act: Act) -> Text:
    if act.card is not None:
        return act.card.text
    number = position.cities[seat - 1].stages + 1
    return Text("stage {number}", number=number)


def new_discard_asked(position: Position, seat: int) -> Text:
    """Tell whether a discard is the new one."""
    who = player(position.players[seat - 1])
    return Text("Is the card on {who}'s discard spot a new discard?", who=who)


def which_age_asked(card: Building) -> Text:
    """Ask of which age a card is whose faces may be alike."""
    name = card.name.replace("_", " ")
    return Text("Which age is the {name} from?", name=name)


def entered_words(position: Position, seat: int, pay: Pay | None) -> Text:
    """Say what was entered of an act."""
    who = player(position.players[seat - 1])
    if pay is None:
        return Text("{who} builds free, by Olympia.", who=who)
    paid = paid_words(position, seat, pay)
    return Text("{who} pays {paid}.", who=who, paid=paid)
