"""Wild Seven, looked up: what may be done now, the set-up, how points are counted."""

from __future__ import annotations

from rules.text import Language, Text, player
from rules.wild_seven.position import Phase, Position
from ui.help.leaf import NOW, SCORE, SETUP, leaf
from ui.screen_state import Leaf

_SETUP = Text(
    "Deal all cards of the suits in play. The cards left over lie face up in the middle: they are the wanted.",
    "使うシンボルのカードをすべて配り、余ったカードを表向きで中央に置きます。これがお尋ね者です。",
)
_REVEAL = Text(
    "Everybody lays one hand card face up in front of them. The lowest number begins, of equal ones the lower "
    "suit; then "
    "these cards join the wanted.",
    "全員が手札1枚を表向きで自分の前に置きます。最も小さい数字の人から始めます（同じ数字なら低いシンボル）。"
    "置いたカードはお尋ね者に加えます。",
)
_PLAY = Text(
    "Play: lay a hand card in front of you. Cards of the same suit with larger numbers in front of others join the "
    "wanted.",
    "プレイ：手札1枚を自分の前に出す。他の人の前にある同じシンボルでより大きい数字のカードは、お尋ね者に加える。",
)
_GET = Text(
    "Get: take one wanted card with a smaller number than the card in front of you; if there is none, one of its suit. "
    "Your own card then joins the wanted.",
    "ゲット：自分の前のカードより小さい数字のお尋ね者を1枚獲得する。なければ同じシンボルから1枚。その後、"
    "自分のカードをお尋ね者に加える。",
)
_SCORE = (
    Text(
        "In each suit the largest captured card counts its number, every other one 7.",
        "シンボルごとに、獲得した最も大きい1枚はその数字、残りは1枚7点です。",
    ),
    Text(
        "The game ends when the player to move has no card in front and none in hand. Most points win.",
        "手番の人の前にも手札にもカードがなければ終わりです。得点の合計が最も高い人の勝ちです。",
    ),
)


def leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """All leaves; the first one is what may be done now."""
    return (
        leaf(language, NOW, *_now(position)),
        leaf(language, SETUP, _SETUP, _REVEAL),
        leaf(language, SCORE, *_SCORE),
    )


def _now(position: Position) -> tuple[Text, ...]:
    seat = position.to_move
    if seat is None:
        return {Phase.SETUP: (_SETUP,), Phase.REVEAL: (_REVEAL,)}.get(position.phase, _SCORE)
    who = player(position.name(seat))
    if position.in_front(seat) is None:
        return Text(
            f"{who.en} has no card in front and plays one.", f"{who.ja}の前にはカードがないので、プレイです。"
        ), _PLAY
    return Text(f"{who.en} has a card in front and gets.", f"{who.ja}の前にカードがあるので、ゲットです。"), _GET
