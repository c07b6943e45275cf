"""Turns taken back and put back: what has to be done with cards that the camera can't see.

What must lie on the table is compared by ``device.comparing``; these are the words for hands and face-down cards.
Nobody learns a hidden card from them: what was drawn goes back unseen and is shuffled in.
"""

from __future__ import annotations

from collections.abc import Mapping

from device.history import Step
from referee.explain import understood
from rules.laminate.moves import Move, Publish, Research, Setup
from rules.laminate.position import Position
from rules.refusal import Words, listed, number, player

_HANDS_AGAIN = Words(
    "Hidden cards go back to the hands that held them.",
    "見えないカードは、持っていた人の手札に戻してください。",
)


def taken_back(step: Step) -> Words:
    """Which turn was taken back."""
    if step.move is None:
        return Words("Taken back: the position set by hand.", "手で設定した局面を取り消しました。")
    words = understood(step.move, step.before.position)
    return Words(f"Taken back: {words.en}", f"取り消しました：{words.ja}")


def put_back(step: Step) -> Words:
    """Which turn was put back."""
    if step.move is None:
        return Words("Put back: the position set by hand.", "手で設定した局面に戻しました。")
    words = understood(step.move, step.before.position)
    return Words(f"Put back: {words.en}", f"元に戻しました：{words.ja}")


def unseen_steps_back(step: Step, lying: Mapping[int, int]) -> tuple[Words, ...]:
    """What hands do that take a turn back; ``lying`` are thank-you cards that still lie on their spots, by seat."""
    move, position = step.move, step.before.position
    if isinstance(move, Research) and move.source == "deck":
        return (_undrawn(move, position),)
    if isinstance(move, Publish):
        return tuple(_thanks_returned(move, position, lying))
    if isinstance(move, Setup):
        return (Words("Deal anew, or lay everything as it was.", "配り直すか、元どおりに並べてください。"),)
    return ()


def unseen_steps_again(step: Step) -> tuple[Words, ...]:
    """What hands do that put a turn back."""
    if _hides(step.move):
        return (_HANDS_AGAIN,)
    return ()


def _hides(move: Move | None) -> bool:
    if isinstance(move, Publish):
        return bool(move.pay)
    return isinstance(move, Research) and move.source == "deck"


def _undrawn(move: Research, before: Position) -> Words:
    who = player(before.name(move.seat))
    shown = move.discard
    cards = "both cards drawn" if shown is not None else "the card drawn"
    ja_cards = "引いた2枚" if shown is not None else "引いた1枚"
    if before.reshuffle_on_draw == "none":
        named = Words("", "")
        if shown is not None:
            named = Words(f" ({shown.en} and the one kept)", f"（{shown.ja}と手札に加えたカード）")
        return Words(
            f"{who.en} puts {cards}{named.en} face down into the draw pile; shuffle it.",
            f"{who.ja}は{ja_cards}{named.ja}を裏向きで山札に戻し、シャッフルしてください。",
        )
    pile = [card for card in before.discards if card is not None]
    return Words(
        f"{who.en} puts {cards} back. The pile had been reshuffled: pick the old discards ({listed(pile).en}) "
        f"out of it and shuffle the rest.",
        f"{who.ja}は{ja_cards}を戻してください。シャッフルした山札から前の捨て札（{listed(pile).ja}）を抜き出し、"
        "残りをシャッフルしてください。",
    )


def _thanks_returned(move: Publish, before: Position, lying: Mapping[int, int]) -> list[Words]:
    told = []
    payer = player(before.name(move.seat))
    for seat, paid in sorted(move.pay.items()):
        taken = (paid if isinstance(paid, int) else len(paid)) - lying.get(seat, 0)
        if taken > 0:
            author, cards = player(before.name(seat)), number(taken)
            told.append(
                Words(
                    f"{author.en} gives {payer.en} {cards.en} of thanks back, face down.",
                    f"{author.ja}はお礼のカード{cards.ja}を裏向きのまま{payer.ja}に返してください。",
                )
            )
    return told
