"""Mistakes with the draw pile and the discards, and in review."""

from __future__ import annotations

from referee.laminate.simulated.hands import draw
from referee.laminate.simulated.scene import Mistakes, Scene, Wrong, entering, wrong
from rules.laminate.moves import Research
from rules.text import Text

MOVING: Mistakes = {}
"""Mistakes in research and review."""

_mistake = entering(MOVING)


# --- research


@_mistake(Text("confirms without having moved a card"))
def _nothing_done(scene: Scene) -> Wrong | None:
    if scene.position.pass_allowed or scene.public.reshuffle_on_draw != "none":
        return None
    return wrong("pass_not_allowed")


@_mistake(Text("draws and forgets to discard"))
def _no_discard(scene: Scene) -> Wrong | None:
    position, move = scene.position, scene.move
    if not isinstance(move, Research) or move.source != "deck" or position.draw_gives < 2:
        return None
    draw(scene.table, position)
    unchanged = position.reshuffle_on_draw == "none" and position.draw_count > 2
    # Nobody sees how many cards the draw pile has, so the mat may look as if nothing was done.
    return wrong("pass_not_allowed") if unchanged else wrong("wrong_count")


@_mistake(Text("discards the only card that was drawn"))
def _needless_discard(scene: Scene) -> Wrong | None:
    position, move = scene.position, scene.move
    hand = [card for card in scene.hand if card not in position.discards]
    if not isinstance(move, Research) or position.draw_gives != 1 or not position.draw_count or not hand:
        return None
    draw(scene.table, position)
    scene.table.lay_discard(scene.rng.choice(hand))
    return wrong("wrong_count")


@_mistake(Text("discards a card that was in the hand before, as everybody knows"))
def _old_discard(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Research) or scene.position.draw_count < 3:
        return None
    known = [card for card in scene.hand if not scene.public.may_be_in_deck(card)]
    if not known:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_discard(scene.rng.choice(known))
    return wrong("card_not_in_deck")


@_mistake(Text("lays the discard face down"))
def _discard_face_down(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or move.discard is None or scene.position.draw_count < 3:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_discard(move.discard, face_up=False)
    return wrong("table_disturbed")


@_mistake(Text("lays the discard on the draw pile"))
def _discard_on_draw(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or move.discard is None or scene.position.draw_count < 3:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_on_draw(str(move.discard))
    return wrong("table_disturbed")


@_mistake(Text("takes two cards from the discard pile"))
def _two_discards(scene: Scene) -> Wrong | None:
    position = scene.position
    if len(position.discards) < 3 or position.draw_count < 2 or None in scene.public.discards:
        return None
    scene.table.take_discard()
    scene.table.take_discard()
    return wrong("two_actions")


# --- review


@_mistake(Text("takes two cards in one review"))
def _two_cards(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        first, second = scene.rng.sample(paper.cards, 2)
        scene.table.take_from_paper(paper.seat, paper.kind, first)
        scene.table.take_from_paper(paper.seat, paper.kind, second)
        if len(paper.cards) <= 3:
            scene.table.turn_paper(paper.seat, paper.kind)
        return wrong("took_two_cards")
    return None


@_mistake(Text("takes the last card of a complete paper"))
def _last_card(scene: Scene) -> Wrong | None:
    for paper in scene.complete:
        scene.table.take_from_paper(paper.seat, paper.kind, paper.cards[0])
        return wrong("not_reviewable")
    return None


@_mistake(Text("forgets to turn the complete paper"))
def _not_turned(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        if len(paper.cards) == 2:
            scene.table.take_from_paper(paper.seat, paper.kind, scene.rng.choice(paper.cards))
            return wrong("turn_the_paper")
    return None


@_mistake(Text("turns a paper that is still under review"))
def _turned_too_early(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        if len(paper.cards) > 2:
            scene.table.take_from_paper(paper.seat, paper.kind, scene.rng.choice(paper.cards))
            scene.table.turn_paper(paper.seat, paper.kind)
            return wrong("turn_the_paper")
    return None


@_mistake(Text("turns somebody's complete paper back"))
def _turned_back(scene: Scene) -> Wrong | None:
    for paper in scene.complete:
        scene.act()
        scene.table.turn_paper(paper.seat, paper.kind)
        return wrong("turn_the_paper")
    return None
