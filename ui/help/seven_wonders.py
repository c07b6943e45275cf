"""Seven Wonders, looked up: what may be done now, how cards are paid, which are in play, war and points."""

from __future__ import annotations

from collections.abc import Iterator

from referee.seven_wonders.words import deal_words, passing
from rules.seven_wonders.cards import AGES, dealt
from rules.seven_wonders.effects import Special
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import Phase
from rules.text import Language, Text
from ui.help.leaf import NOW, SCORE, SETUP, leaf
from ui.screen_state import Leaf

_PAYING, _WAR, _WONDERS, _CARDS = (
    Text("Resources and paying", "資源と支払い"),
    Text("War", "戦争"),
    Text("Wonders that do more", "特別な脅威"),
    Text("Cards in play", "使うカード"),
)
_SETUP = Text(
    "Each player's board lies in front of them; everybody begins with 3 coins. Coins and tokens stay beside the mat: "
    "the referee reckons them.",
    "各プレイヤーの前に脅威ボードを置き、コイン3枚で始めます。コインとトークンはマットの外に置きます（計算は審判がします）。",
)
_ROUND = (
    Text(
        "Each player lays one card: face up in the city to build it, face down under the board to build the next "
        "stage of the wonder, or face down on their own discard spot for 3 coins. Then confirm, once for all.",
        "全員が1枚ずつ出します。都市に表向き＝建設、ボードの下に裏向き＝脅威の次の段階、捨て札の場所に裏向き＝3コイン。"
        "そろったら確定を1回押します。",
    ),
    Text(
        "Hands are passed only after confirm was accepted; then the discards go to the discard pile.",
        "手札を渡すのは、確定が認められた後です。そのとき捨て札を捨て札の山に移します。",
    ),
)
_PAY = (
    Text(
        "A missing resource is bought from a neighbour who has it for 2 coins, or 1 with a trading post, the "
        "marketplace or Olympia B. Cards and stages bought in this round don't help in it.",
        "足りない資源は、それを持つ隣の人から2コインで買えます（交易所・市場・オリンピアBがあれば1コイン）。"
        "このラウンドに建てたものは、まだ使えません。",
    ),
    Text(
        "Only ways that waste no coins are taken. Where there are several, you are asked who is paid; the one with "
        "the fewest coins is offered first.",
        "むだのない払い方だけが使えます。何通りかあるときは、だれに払うかを聞きます（コインの少ない順）。",
    ),
    Text(
        "A card may make later ones free. No city has two cards of one name.",
        "前の時代のカードで無料になるカードもあります。同じ名前のカードは1つの都市に1枚だけです。",
    ),
)
_FIGHT = Text(
    "After each age shields are compared with both neighbours: more is a victory of 1, 3, 5 points in ages 1, 2, 3; "
    "fewer is a defeat, −1; equal is nothing.",
    "時代の終わりに、両隣と盾の数を比べます。多ければ勝利（時代1・2・3で1・3・5点）、少なければ敗北で−1点、同じなら何もありません。",
)
_POINTS = (
    Text(
        "War tokens; 1 point for 3 coins; points on stages and on blue cards; yellow and purple cards as they say.",
        "戦争トークン、コイン3枚ごとに1点、脅威の段階と青のカードの点、黄と紫のカードの条件による点を足します。",
    ),
    Text(
        "Green: each symbol its number squared, and 7 for each set of three different. Most points win, then most "
        "coins.",
        "緑は、記号ごとに枚数の2乗と、3種類1組ごとに7点。同点ならコインの多い人の勝ちです。",
    ),
)
_SPECIAL = {
    Special.PLAY_SEVENTH_CARD: Text(
        "Babylon B, stage 2: the seventh card is played too, after the sixth round.",
        "バビロンB面の第2段階：第6ラウンドの後、7枚目の手札もプレイします。",
    ),
    Special.BUILD_FROM_DISCARD: Text(
        "Halikarnassos: after such a stage one card of the discard pile may be built without cost.",
        "ハリカルナッソス：その段階を建てたラウンドの終わりに、捨て札から1枚を無料で建設できます。",
    ),
    Special.BUILD_FREE_ONCE_AN_AGE: Text(
        "Olympia A, stage 2: one card in each age is built without cost. You are asked where paying is possible too.",
        "オリンピアA面の第2段階：時代ごとに1枚を無料で建設できます。支払いもできるときは、どちらかを聞きます。",
    ),
    Special.COPY_GUILD: Text(
        "Olympia B, stage 3: at the end the neighbours' best guild counts as one's own.",
        "オリンピアB面の第3段階：最後に、隣のギルドのうち最も得なものを自分のものとして数えます。",
    ),
}


def leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """All leaves; the first one is what may be done now."""
    return (
        leaf(language, NOW, *_now(position)),
        leaf(language, _PAYING, *_PAY),
        leaf(language, _WONDERS, *_SPECIAL.values()),
        leaf(language, _WAR, _FIGHT),
        leaf(language, SCORE, *_POINTS),
        leaf(language, SETUP, _SETUP),
        leaf(language, _CARDS, *_cards(position)),
    )


def _now(position: Position) -> Iterator[Text]:
    """What may be done in this position."""
    phase = position.phase
    if phase is Phase.DEAL:
        if not position.age:
            yield _SETUP
        yield from deal_words(position, position.age + 1)
    elif phase is Phase.ROUND:
        yield from _ROUND
        yield passing(position, position.age)
    elif phase is Phase.SEVENTH:
        yield _SPECIAL[Special.PLAY_SEVENTH_CARD]
        yield Text(
            "It is laid like any other card; then confirm. The others lay theirs on the discard pile.",
            "ほかのカードと同じように出し、確定を押します。ほかの人の残った手札は捨て札の山に置きます。",
        )
    elif phase is Phase.FROM_DISCARD:
        yield _SPECIAL[Special.BUILD_FROM_DISCARD]
        yield Text(
            "Look through the pile, lay the card face up in the city, put the pile back, confirm. If nothing "
            "is laid, you are asked whether none is built.",
            "山を見て1枚を都市に表向きで置き、山を戻して確定を押します。何も置かなければ、建設しないかどうかを聞きます。",
        )
    else:
        yield from _POINTS


def _cards(position: Position) -> Iterator[Text]:
    """The cards that are in play with so many players, age by age, of which there are several with their number."""
    for age in AGES:
        names = [
            f"{card.name.replace('_', ' ')}{f' ×{count}' if count > 1 else ''}"
            for card, count in dealt(age, position.n).items()
        ]
        yield Text(f"Age {age}: {', '.join(names)}.", f"時代{age}：{'、'.join(names)}。")
