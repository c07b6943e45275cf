"""Turns taken back and put back: what has to be done with cards that the camera can't see.

What must lie on the table is compared by ``referee.laminate.table_diff``; these are the words for hands and face-down
cards. Nobody learns a hidden card from them: what was drawn goes back unseen and is shuffled in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.game import Step
from referee.laminate.expected_layout import Agreed
from referee.verdict import Mend
from rules.laminate.moves import Move, Publish, Research
from rules.laminate.position import Phase, Position
from rules.text import Text, join_sentences, player, say_cards, say_number


def steps_back(step: Step, lying: Mapping[int, int], mends: Sequence[Mend]) -> tuple[Mend, ...]:
    """Return all that hands do to take a turn back, in their order.

    ``lying`` are the thank-you cards that still lay on their spots when it was taken back, by seat; ``mends`` put
    right what can be seen.
    """
    move, position = step.move, step.before.position
    if isinstance(move, Research) and move.source == "deck":
        # What was drawn does not go into the hand first, and the card under the discard shows by itself.
        covered = position.discards[-1:] if position.reshuffle_on_draw == "none" else ()
        told_already = {str(card) for card in (move.discard, *covered) if card is not None}
        seen = [one for one in mends if one.item not in told_already]
        return (_undo_draw(move, position), *seen)
    if isinstance(move, Publish):
        return (*mends, *_thanks_returned(move, position, lying))
    return tuple(mends)


def steps_again(step: Step, mends: Sequence[Mend]) -> tuple[Mend, ...]:
    """Return all that hands do to put a turn back, in their order; ``mends`` put right what can be seen.

    What was drawn may have been shuffled in when the turn was taken back. Which card was kept is nobody's knowledge,
    so the one on top of the shuffled pile does as well.
    """
    move, position = step.move, step.before.position
    if isinstance(move, Research) and move.source == "deck":
        return (*mends, _drawn_again(move, position))
    if isinstance(move, Publish):
        return (*mends, *_thanks_given_again(move, position))
    return tuple(mends)


def has_hidden_cards(move: Move | None) -> bool:
    """Tell whether putting that move back moves cards that nobody may see."""
    if isinstance(move, Publish):
        return bool(move.pay)
    return isinstance(move, Research) and move.source == "deck"


def _undo_draw(move: Research, before: Position) -> Mend:
    who = player(before.get_name(move.seat))
    shown = move.discard
    cards = Text("both cards drawn") if shown is not None else Text("the card drawn")
    source = "discard" if shown is not None else f"hand:{move.seat}"
    item = "back" if shown is None else str(shown)
    if before.reshuffle_on_draw == "none":
        if shown is not None:
            cards = Text("both cards drawn ({card} and the one kept)", card=shown)
        words = Text("{who} puts {cards} face down into the draw pile and shuffles it.", who=who, cards=cards)
        return Mend(item, source, "draw", words)
    words = Text(
        "{who} puts {cards} back. The pile had been reshuffled: somebody else picks the old discards ({discards}) out "
        "of it and shuffles the rest.",
        who=who,
        cards=cards,
        discards=say_cards(card for card in before.discards if card is not None),
    )
    return Mend(item, source, "draw", words)


def _drawn_again(move: Research, before: Position) -> Mend:
    who = player(before.get_name(move.seat))
    take = Text("{who} takes the card kept into the hand again.", who=who)
    otherwise = Text("If it was shuffled in, any card of the draw pile will do.")
    if move.discard is not None:
        otherwise = Text(
            "If it was shuffled in: somebody else picks {card} out, then {who} takes the top card.",
            card=move.discard,
            who=who,
        )
    return Mend("back", "draw", f"hand:{move.seat}", join_sentences((take, otherwise)))


def _thanks_given_again(move: Publish, before: Position) -> list[Mend]:
    steps = []
    payer = player(before.get_name(move.seat))
    for seat, paid in sorted(move.pay.items()):
        count = paid if isinstance(paid, int) else len(paid)
        words = Text(
            "{payer} gives {author} the thanks again ({cards}, the same), face down.",
            payer=payer,
            author=player(before.get_name(seat)),
            cards=say_number(count),
        )
        steps.append(Mend("back", f"hand:{move.seat}", f"hand:{seat}", words, count))
    return steps


def _thanks_returned(move: Publish, before: Position, lying: Mapping[int, int]) -> list[Mend]:
    steps = []
    payer = player(before.get_name(move.seat))
    for seat, paid in sorted(move.pay.items()):
        taken = (paid if isinstance(paid, int) else len(paid)) - lying.get(seat, 0)
        if taken > 0:
            words = Text(
                "{author} gives {payer} back what came as thanks ({cards}, the same), face down.",
                author=player(before.get_name(seat)),
                payer=payer,
                cards=say_number(taken),
            )
            steps.append(Mend("back", f"hand:{seat}", f"hand:{move.seat}", words, taken))
    return steps


def recall_state(step: Step, now: Agreed) -> Agreed:
    """Return what is confirmed before a step that is taken back,
    with the set-up discards that everybody has seen since.

    Whoever took the top discard and lays it back covers a card that has shown; it lies there still. A reshuffle and
    a position set by hand leave nothing of the pile as it was.
    """
    before: Agreed = step.before
    move: Move | None = step.move
    shuffled = isinstance(move, Research) and move.source == "deck" and before.position.reshuffle_on_draw != "none"
    if move is None or shuffled or before.position.phase is Phase.SETUP:
        return before
    shown = {
        place: card
        for place, (was, card) in enumerate(zip(before.discards, now.discards, strict=False))
        if was is None and card is not None
    }
    if before.position.discards_seen(shown, now.peeping) is None:
        return before  # then something was misread, and taking the turn back is the way out
    return replace(before, shown={**before.shown, **shown}, peeping=before.peeping | now.peeping)
