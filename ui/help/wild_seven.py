"""Wild Seven, looked up: what may be done now, the set-up, how points are counted."""

from __future__ import annotations

from rules.text import Language, Text, player
from rules.wild_seven.brief import BRIEF
from rules.wild_seven.position import Phase, Position
from ui.help.leaf import NOW, SCORE, SETUP, make_leaf
from ui.screen_state import Leaf

_, _SETUP, _TURN, _END = BRIEF
_DEAL, _REVEAL = _SETUP.lines[:2]
_PLAY, _GET = _TURN.lines[:2]


def list_leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """List all leaves; the first one is what may be done now."""
    return (
        make_leaf(language, NOW, *_explain_now(position)),
        make_leaf(language, SETUP, *_SETUP.lines),
        make_leaf(language, SCORE, *_END.lines),
    )


def _explain_now(position: Position) -> tuple[Text, ...]:
    seat = position.to_move
    if seat is None:
        return {Phase.SETUP: (_DEAL,), Phase.REVEAL: (_REVEAL,)}.get(position.phase, _END.lines)
    who = player(position.get_name(seat))
    if position.in_front(seat) is None:
        return Text("{who} has no card in front and plays one.", who=who), _PLAY
    return Text("{who} has a card in front and gets.", who=who), _GET
