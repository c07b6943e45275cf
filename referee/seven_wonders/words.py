"""What the referee says in a game of Seven Wonders: moves, payments, what follows from them, places, steps to mend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.seven_wonders.cards import BACKS, back_words
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER
from referee.seven_wonders.look import faces_named
from rules.seven_wonders.cards import AGES, HAND, Building, guilds
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.scoring import left_of, right_of
from rules.seven_wonders.state import ROUNDS, Phase
from rules.seven_wonders.steps import COINS_FOR_DISCARD, PASSED_RIGHT
from rules.seven_wonders.trade import Pay
from rules.text import Text, listing, player, sentence_case


def coins(count: int) -> Text:
    """So many coins."""
    return Text("1 coin" if count == 1 else f"{count} coins", f"{count}コイン")


def card_words(name: str) -> Text:
    """A card by the name that the reader gives it, within a sentence."""
    if name in BACKS:
        return back_words(name)
    faces = faces_named(name)
    if not faces:
        return Text("a strange card", "知らないカード")
    # Faces that may be alike have one name.
    return Text(faces[0].name.replace("_", " "), f"「{faces[0].name.replace('_', ' ')}」")


def place_words(position: Position, place: str) -> Text:
    """A place in words."""
    kind, _, seat = place.partition(":")
    if kind == PILE:
        return Text("the discard pile", "捨て札の山")
    if not seat or not 1 <= int(seat) <= position.n:
        return Text("the mat between the cities", "都市と都市の間")
    who = position.who(int(seat) - 1)
    if kind == CITY:
        return Text(f"{who.en}'s city", f"{who.ja}の都市")
    if kind == WONDER:
        return Text(f"{who.en}'s wonder", f"{who.ja}の脅威の下")
    if kind == SPOT:
        return Text(f"{who.en}'s discard spot", f"{who.ja}の捨て札の場所")
    if kind == "hand":
        return Text(f"{who.en}'s hand", f"{who.ja}の手札")
    return Text(f"the mat beside {who.en}'s city", f"{who.ja}の都市の脇")


# Moves


def act_words(position: Position, seat: int, act: Act) -> Text:
    """What a seat, from 1, does, without a full stop: ``Hilbert builds altar``."""
    who = player(position.players[seat - 1])
    if act.do is Do.BUILD and act.card is not None:
        free = Text(" free", "（オリンピアで無料）") if act.free else Text("", "")
        return Text(f"{who.en} builds {act.card.en}{free.en}", f"{who.ja}は{act.card.ja}を建設{free.ja}")
    if act.do is Do.STAGE:
        number = position.cities[seat - 1].stages + 1
        return Text(f"{who.en} builds stage {number}", f"{who.ja}は脅威の第{number}段階を建設")
    return Text(f"{who.en} discards", f"{who.ja}は捨て札")


def move_words(move: Move, before: Position) -> Text:
    """A move as a sentence."""
    if isinstance(move, Deal):
        return Text(f"Age {move.age} begins.", f"時代{move.age}を始めます。")
    if isinstance(move, Round):
        acts = [act_words(before, seat, act) for seat, act in enumerate(move.acts, 1)]
        number, age = before.rounds + 1, before.age
        return Text(
            f"Age {age}, round {number}: {', '.join(act.en for act in acts)}.",
            f"時代{age}、第{number}ラウンド：{'、'.join(act.ja for act in acts)}。",
        )
    if isinstance(move, Seventh):
        act = act_words(before, move.seat, move.act)
        return Text(f"With the seventh card {act.en}.", f"7枚目で{act.ja}。")
    assert isinstance(move, FromDiscard), "no other move is made at the table"
    who = player(before.players[move.seat - 1])
    if move.card is None:
        return Text(f"{who.en} builds nothing from the discards.", f"{who.ja}は捨て札から何も建設しません。")
    card = move.card
    return Text(f"{who.en} builds {card.en} from the discards.", f"{who.ja}が捨て札から{card.ja}を建設しました。")


def paid_words(position: Position, seat: int, pay: Pay) -> Text:
    """A payment, without a full stop: ``2 coins to Banach and 1 coin to Noether``."""
    sides = ((pay.left, left_of(seat - 1, position.n)), (pay.right, right_of(seat - 1, position.n)))
    parts = []
    for count, to in sides:
        if count:
            who, paid = player(position.players[to]), coins(count)
            parts.append(Text(f"{paid.en} to {who.en}", f"{who.ja}に{paid.ja}"))
    return listing(parts) if parts else Text("nothing", "支払いなし")


def deal_words(position: Position, age: int) -> Iterator[Text]:
    """Which cards are dealt in an age, and which way hands go."""
    n = position.n
    if age == AGES[0]:
        yield Text(
            "Each player's board lies in front of them, and everybody has 3 coins beside the mat.",
            "各プレイヤーの前に脅威ボードを置き、コインを3枚ずつマットの外に持ちます。",
        )
    if age == AGES[-1]:
        yield Text(
            f"Take the cards of age {age} that are in play with {n} players and {guilds(n)} guilds drawn unseen; "
            f"deal {HAND} to each.",
            f"{n}人用の時代{age}のカードに、見ないで引いたギルド{guilds(n)}枚を加え、{HAND}枚ずつ配ります。",
        )
    else:
        yield Text(
            f"Take the cards of age {age} that are in play with {n} players; deal {HAND} to each.",
            f"{n}人用の時代{age}のカードを、{HAND}枚ずつ配ります。",
        )
    yield passing(position, age)


def passing(position: Position, age: int) -> Text:
    """Which way hands go in an age."""
    names = [player(name) for name in position.players]
    first, other = names[0], names[left_of(0, position.n) if age != PASSED_RIGHT else right_of(0, position.n)]
    side = Text("right", "右") if age == PASSED_RIGHT else Text("left", "左")
    return Text(
        f"Hands go to the {side.en}: {first.en} passes to {other.en}.",
        f"手札は{side.ja}に渡します（{first.ja}は{other.ja}へ）。",
    )


def follows(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """What follows from a move."""
    if isinstance(move, Deal):
        yield from deal_words(after, move.age)
        return
    if isinstance(move, Round):
        yield from _paid(before, dict(enumerate(move.acts, 1)))
    elif isinstance(move, Seventh):
        yield from _paid(before, {move.seat: move.act})
    yield coins_words(after)
    if after.phase in (Phase.DEAL, Phase.OVER):
        yield from war_words(after)
        if after.phase is Phase.OVER:
            yield Text("The third age has ended, so the game is over.", "3つの時代が終わり、ゲームは終わりです。")
    else:
        yield from to_do(after)


def _paid(before: Position, acts: dict[int, Act]) -> Iterator[Text]:
    for seat, act in acts.items():
        if act.pay is not None and act.pay.coins:
            who, paid = player(before.players[seat - 1]), paid_words(before, seat, act.pay)
            yield Text(f"{who.en} pays {paid.en}.", f"{who.ja}は{paid.ja}を払います。")
    gains = [player(before.players[seat - 1]) for seat, act in acts.items() if act.do is Do.DISCARD]
    if gains:
        who, got = listing(gains), coins(COINS_FOR_DISCARD)
        yield Text(
            f"{who.en} takes {got.en} for the discard." if len(gains) == 1 else f"{who.en} take {got.en} each.",
            f"{who.ja}は捨て札で{got.ja}を受け取ります。",
        )


def coins_words(position: Position) -> Text:
    """Everybody's coins."""
    held = list(zip(position.players, position.cities, strict=True))
    return Text(
        f"Coins: {', '.join(f'{name} {city.coins}' for name, city in held)}.",
        f"コイン：{'、'.join(f'{name} {city.coins}' for name, city in held)}。",
    )


def to_do(position: Position) -> Iterator[Text]:
    """Who does what next."""
    if position.phase is Phase.SEVENTH and position.seat is not None:
        who = position.who(position.seat)
        yield Text(f"{who.en} plays the seventh card too.", f"{who.ja}は7枚目の手札もプレイします。")
    elif position.phase is Phase.FROM_DISCARD and position.seat is not None:
        who = position.who(position.seat)
        yield Text(
            f"{who.en} may build a card from the discard pile: lay it face up in the city.",
            f"{who.ja}は捨て札の山から1枚を選び、都市に表向きで建設できます。",
        )
    elif position.phase is Phase.ROUND:
        number, side = position.rounds + 1, Text("left", "左")
        if position.age == PASSED_RIGHT:
            side = Text("right", "右")
        if number == 1:
            yield Text("Everybody plays one card.", "全員が1枚ずつプレイします。")
        else:
            yield Text(
                f"Hands go to the {side.en}; round {number}.", f"手札を{side.ja}に渡し、第{number}ラウンドです。"
            )
    elif position.phase is Phase.DEAL:
        yield Text(f"Age {position.age + 1} is next.", f"次は時代{position.age + 1}です。")


def war_words(after: Position) -> Iterator[Text]:
    """The war that ends an age: between each two neighbours who wins, and what that brings."""
    worth = (1, 3, 5)[after.age - 1]
    n = after.n
    yield Text(f"War of age {after.age}: a victory is worth {worth}.", f"時代{after.age}の戦争：勝利は{worth}点です。")
    for seat in range(n):
        other = left_of(seat, n)
        mine, theirs = after.cities[seat].shields, after.cities[other].shields
        one, two = player(after.players[seat]), player(after.players[other])
        if mine == theirs:
            yield Text(
                f"{one.en} and {two.en} are level, shields {mine} to {mine}.",
                f"{one.ja}と{two.ja}は盾{mine}対{mine}で引き分けです。",
            )
        else:
            won, lost = (one, two) if mine > theirs else (two, one)
            more, fewer = max(mine, theirs), min(mine, theirs)
            yield Text(
                f"{won.en} beats {lost.en}, shields {more} to {fewer}.",
                f"{won.ja}が{lost.ja}に勝ちます（盾{more}対{fewer}）。",
            )


def reminders(position: Position, ungathered: Sequence[int]) -> Iterator[Text]:
    """What hands have yet to do besides the next move."""
    if ungathered:
        who = listing(player(position.players[seat - 1]) for seat in ungathered)
        yield Text(
            f"The discard of {who.en} goes face down on the discard pile.",
            f"{who.ja}の捨て札を、裏向きで捨て札の山に置いてください。",
        )
    if position.rounds == ROUNDS and position.phase is not Phase.OVER:
        if position.phase is Phase.SEVENTH:
            words = Text(
                "The others lay the card left over on the discard pile.", "ほかの人は残った1枚を捨て札の山に置きます。"
            )
        else:
            words = Text("Cards left over go to the discard pile.", "残った手札は捨て札の山に置きます。")
        yield words


# Asking


def pay_asked(position: Position, seat: int, act: Act) -> Text:
    """How an act is paid."""
    who = player(position.players[seat - 1])
    what = _what(position, seat, act)
    return Text(f"How does {who.en} pay for {what.en}?", f"{who.ja}は{what.ja}の支払いをどうしますか？")


def way_words(position: Position, seat: int, act: Act) -> Text:
    """One way to pay an act, as an answer."""
    if act.free:
        return Text("Build it free, by Olympia", "オリンピアの効果で無料で建設する")
    paid = paid_words(position, seat, act.pay or Pay())
    price = position.price(seat - 1, act)
    if not price.coins:
        return Text(sentence_case(paid.en), paid.ja)
    bank = coins(price.coins)
    if not (act.pay or Pay()).coins:
        return Text(f"Pay {bank.en}", f"{bank.ja}を払う")
    return Text(f"{sentence_case(paid.en)}, and {bank.en} to the bank", f"{paid.ja}と、銀行に{bank.ja}")


def _what(position: Position, seat: int, act: Act) -> Text:
    if act.card is not None:
        return Text.of(act.card)
    number = position.cities[seat - 1].stages + 1
    return Text(f"stage {number}", f"脅威の第{number}段階")


def new_discard_asked(position: Position, seat: int) -> Text:
    """Whether a discard is the new one."""
    who = player(position.players[seat - 1])
    return Text(
        f"Is the card on {who.en}'s discard spot a new discard?",
        f"{who.ja}の捨て札は、このラウンドで新しく捨てたものですか？",
    )


def which_age_asked(card: Building) -> Text:
    """Of which age a card is whose faces may be alike."""
    name = card.name.replace("_", " ")
    return Text(f"Which age is the {name} from?", f"「{name}」はどの時代のカードですか？")


def told_words(position: Position, seat: int, pay: Pay | None) -> Text:
    """What was told of an act."""
    who = player(position.players[seat - 1])
    if pay is None:
        return Text(f"{who.en} builds free, by Olympia.", f"{who.ja}はオリンピアの効果で無料で建設します。")
    paid = paid_words(position, seat, pay)
    return Text(f"{who.en} pays {paid.en}.", f"{who.ja}は{paid.ja}を払います。")
