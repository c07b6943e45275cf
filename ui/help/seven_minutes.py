"""Seven Minutes, looked up: what may be done now, the judgement, how points are counted."""

from __future__ import annotations

from rules.seven_minutes.position import Phase, Position
from rules.text import Language, Text
from ui.help.leaf import NOW, SCORE, SETUP, leaf
from ui.screen_state import Leaf

_JUDGEMENT = Text("Judgement", "判定")
_SETUP = Text(
    "Shuffle all 49 cards as a face-down draw pile; both dice lie in the tray.",
    "49枚をよく混ぜ、裏向きの山札にします。ダイス2個はトレイに置きます。",
)
_FLIP = (
    Text(
        "Flip the top card and lay it at the end of the row, or onto the cards of its number if there are any. Flip at "
        "least one card; then go on or stop.",
        "山札を1枚めくり、列の端に並べます。おなじ数字があれば、それに重ねます。1枚以上めくってから、"
        "続けるか、とまるかを決めます。",
    ),
    Text(
        "A 7 ends the flipping at once. A K demands three more cards. To stop, press confirm or just roll.",
        "7が出たら、めくるのは終わりです。Kが出たら、さらに3枚めくります。とまるときは確定を押すか、ダイスを振ります。",
    ),
)
_ROLLS = (
    Text(
        "Roll both dice once for each place of the row; with a K in it, only for those from the K on.",
        "列の長さとおなじ回数、ダイス2個を振ります。Kがあれば、Kから先の長さだけです。",
    ),
    Text(
        "A sum that lies in the row ends it: take that stack and all nearer the draw pile face down or, with an A in "
        "the row, that stack and all farther away.",
        "出目の合計とおなじ数字が列にあれば終わりです。そのカードと山札側のカードを裏向きで取ります。Aが列にあれば、"
        "反対側を取ります。",
    ),
    Text(
        "After the last roll without a hit, take the whole row face up.",
        "最後まで当たらなければ、列をすべて表向きで取ります。",
    ),
)
_SCORE = Text(
    "7s count 3, other cards 1; face-down cards subtract. The game ends with the turn in which the draw pile runs out.",
    "7は3点、ほかは1点です。裏向きのカードは減点です。山札がなくなった手番でゲームが終わります。",
)


def leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """All leaves; the first one is what may be done now."""
    now = {Phase.SETUP: (_SETUP,), Phase.FLIP: _FLIP, Phase.JUDGEMENT: _ROLLS}.get(position.phase, (_SCORE,))
    others = (
        leaf(language, SETUP, _SETUP),
        leaf(language, _JUDGEMENT, *_ROLLS),
        leaf(language, SCORE, _SCORE),
    )
    return (leaf(language, NOW, *now), *others)
