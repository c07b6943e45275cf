"""Seven Euchre, looked up: the auction, the play of a trick, trumps, how points are counted."""

from __future__ import annotations

from rules.text import Language, Text
from ui.help.leaf import SCORE, SETUP, leaf
from ui.screen_state import Leaf

_AUCTION, _TRICKS, _TRUMPS = (
    Text("Auction", "オークション"),
    Text("Tricks", "トリック"),
    Text("Trumps", "切り札"),
)
_SETUP = Text(
    "Partners sit opposite each other. 12 cards are dealt to each; the last card lies face down in the middle.",
    "向かい合う2人がチームです。12枚ずつ配り、残った1枚を中央に裏向きで置きます。",
)
_BIDS = (
    Text(
        "From the dealer's left, each bids a trump suit and 7 to 12 tricks, higher than the last bid, or passes.",
        "ディーラーの左隣から、切り札と7～12トリックを前より高くビッドするか、パスします。",
    ),
    Text(
        "As many tricks are higher in a later suit: coffin, time, star, coin, book, onion, heart, no trump.",
        "同じ数なら、コフィン、タイム、スター、コイン、ブック、オニオン、ハート、ノートランプの順に高くなります。",
    ),
    Text(
        "The highest bidder takes the middle card and lays one aside. If all four pass, it is turned up: its "
        "suit is trumps, "
        "and only tricks are bid.",
        "一番高くビッドした人は中央のカードを取り、1枚を伏せます。4人ともパスなら、"
        "表にしたそのスートが切り札になり、数だけをビッドします。",
    ),
)
_PLAY = Text(
    "Follow the led suit if you can. The highest trump wins the trick, without one the highest card of the led "
    "suit; the "
    "winner leads to the next.",
    "出されたスートがあれば、従います。最も強い切り札、なければ出されたスートで最も強いカードの勝ちです。"
    "勝った人が次に出します。",
)
_SEVENS = Text(
    "Every 7 belongs to trumps. From the top: the trump suit's 7, its cards above 7, the other 7s (coffin, time, "
    "star, coin, "
    "book, onion, heart), its cards below 7.",
    "7はすべて切り札です。強い順に、切り札の7、切り札の7より大きいカード、ほかの7（コフィン、タイム、スター、"
    "コイン、ブック、オニオン、ハート）、切り札の7より小さいカード。",
)
_SCORE = Text(
    "Each trick is a point for the side that took it. A made bid adds 7 (coffin) to 14 (no trump), and 8 for "
    "every trick bid above 7; "
    "for a failed one the others get the tricks short times the tricks that they took.",
    "1トリックは1点です。ビッドを達成すると、7点（コフィン）～14点（ノートランプ）と、"
    "7を超えるビッド1つにつき8点を加えます。失敗すると、足りない数×相手の取った数が相手に入ります。",
)


def leaves(language: Language) -> tuple[Leaf, ...]:
    """All leaves."""
    return (
        leaf(language, _TRICKS, _PLAY),
        leaf(language, _TRUMPS, _SEVENS),
        leaf(language, _AUCTION, *_BIDS),
        leaf(language, SCORE, _SCORE),
        leaf(language, SETUP, _SETUP),
    )
