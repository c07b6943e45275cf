"""The mistakes that people make at the table, each with the rule that it breaks.

A mistake moves cards on the simulated table and says by itself, from what the player did, which refusal codes are
right; it never asks the referee. Where the situation gives no occasion for it, it leaves the table as it was.
"""

from __future__ import annotations

from referee.laminate.simulated.hands import act
from referee.laminate.simulated.mistakes_moving import MOVING
from referee.laminate.simulated.mistakes_publishing import PUBLISHING
from referee.laminate.simulated.scene import Mistakes, Scene, Wrong, entering, paid_for, wrong
from rules.cards import cards_in, mask_of
from rules.laminate.moves import Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Phase
from rules.text import Text

_OTHERS: Mistakes = {}
"""Mistakes of doing two things at once, out of turn, with the whole table, and with the End Flag."""

_mistake = entering(_OTHERS)


# --- two things at once, and out of turn


@_mistake(Text("researches from the draw pile and reviews too"))
def _research_and_review(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or scene.position.draw_count < 3:
        return None
    for paper in scene.drafts:
        scene.act()
        scene.review(paper)
        return wrong("two_actions")
    return None


@_mistake(Text("publishes and reviews in one turn"))
def _publish_and_review(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    for paper in scene.drafts:
        scene.act()
        scene.review(paper)
        return wrong("two_actions")
    return None


@_mistake(Text("takes the top discard and publishes in one turn"))
def _take_and_publish(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.position.discards:
        return None
    scene.act()
    scene.table.take_discard()
    return wrong("two_actions")


@_mistake(Text("publishes with a card just taken from the discard pile"))
def _publish_with_the_discard(scene: Scene) -> Wrong | None:
    top = scene.position.top_discard
    if top is None:
        return None
    for kind, way in scene.ways(scene.seat, mask_of(scene.hand) | top.bit):
        if way.laid & top.bit:
            scene.table.take_discard()
            scene.lay(scene.seat, kind.name, cards_in(way.laid))
            return wrong("two_actions")
    return None


@_mistake(Text("publishes with a card just taken in review"))
def _publish_with_the_reviewed(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        for card in paper.cards:
            for kind, way in scene.ways(scene.seat, mask_of(scene.hand) | card.bit):
                if way.laid & card.bit:
                    act(scene.table, scene.position, Review(scene.seat, paper.seat, paper.kind, card))
                    scene.lay(scene.seat, kind.name, cards_in(way.laid))
                    return wrong("two_actions")
    return None


@_mistake(Text("reviews two papers"))
def _two_reviews(scene: Scene) -> Wrong | None:
    drafts = scene.drafts
    if len(drafts) < 2:
        return None
    scene.review(drafts[0])
    scene.review(drafts[1])
    return wrong("took_two_cards", "two_actions")


@_mistake(Text("publishes two papers"))
def _two_publications(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish):
        return None
    spare = scene.position.do(move).hand_mask(scene.seat)
    for kind, way in scene.ways(scene.seat, spare):
        if kind.name != move.paper:
            scene.act()
            scene.lay(scene.seat, kind.name, cards_in(way.laid))
            return wrong("two_actions")
    return None


@_mistake(Text("publishes although it is another player's turn"))
def _out_of_turn(scene: Scene) -> Wrong | None:
    for other in scene.others:
        for kind, way in scene.ways(other, mask_of(scene.position.hand(other))):
            scene.lay(other, kind.name, cards_in(way.laid))
            return wrong("out_of_turn")
    return None


@_mistake(Text("goes on before the last turn was confirmed"))
def _next_player_went_on(scene: Scene) -> Wrong | None:
    if isinstance(scene.move, Research) and scene.position.draw_count < 3:
        return None
    other = 1 + scene.seat % len(scene.position.players)
    for kind, way in scene.ways(other, mask_of(scene.position.hand(other))):
        if isinstance(scene.move, Publish) and scene.move.paper == kind.name and scene.position.supply(kind.name) < 2:
            continue
        scene.act()
        scene.lay(other, kind.name, cards_in(way.laid))
        return wrong("two_actions")
    return None


# --- the table disturbed


@_mistake(Text("swaps two cards between papers"))
def _swapped_cards(scene: Scene) -> Wrong | None:
    keys = [key for key, column in scene.table.columns.items() if column.cards]
    if len(keys) < 2:
        return None
    one, other = scene.rng.sample(keys, 2)
    scene.table.swap_cards(one, other)
    return wrong("table_disturbed")


@_mistake(Text("does the turn and swaps two cards of other papers"))
def _turn_and_swapped_cards(scene: Scene) -> Wrong | None:
    touched = set()
    if isinstance(scene.move, Review):
        touched = {(scene.move.of, scene.move.paper)}
    keys = [key for key, column in scene.table.columns.items() if column.cards and key not in touched]
    if len(keys) < 2:
        return None
    one, other = scene.rng.sample(keys, 2)
    scene.act()
    scene.table.swap_cards(one, other)
    return wrong("table_disturbed")


@_mistake(Text("moves a card from one paper to another"))
def _card_to_another_paper(scene: Scene) -> Wrong | None:
    keys = list(scene.table.columns)
    for paper in scene.drafts:
        others = [key for key in keys if key != (paper.seat, paper.kind)]
        if others:
            card = scene.rng.choice(paper.cards)
            scene.table.take_from_paper(paper.seat, paper.kind, card)
            scene.table.add_to_paper(*scene.rng.choice(others), card)
            return wrong("table_disturbed")
    return None


@_mistake(Text("pushes a paper into another player's area"))
def _paper_to_another_area(scene: Scene) -> Wrong | None:
    papers = [paper for paper in scene.position.papers if paper.kind != END_FLAG]
    for paper in scene.rng.sample(papers, len(papers)):
        for other in range(1, len(scene.position.players) + 1):
            if other != paper.seat and scene.position.paper(other, paper.kind) is None:
                scene.table.move_paper(paper.seat, paper.kind, other)
                return wrong("table_disturbed")
    return None


@_mistake(Text("pushes a card off its paper"))
def _card_astray(scene: Scene) -> Wrong | None:
    for paper in scene.position.papers:
        card = paper.cards[-1]
        before = scene.table.snapshot()
        scene.table.take_from_paper(paper.seat, paper.kind, card)
        if scene.table.drop(paper.seat, str(card)):
            return wrong("table_disturbed")
        scene.table.restore(before)
    return None


@_mistake(Text("lays a hand card down for nothing"))
def _hand_card_astray(scene: Scene) -> Wrong | None:
    name = str(scene.rng.choice(scene.hand)) if scene.hand and scene.rng.random() < 0.5 else "back"
    if not scene.hand or not scene.table.drop(scene.seat, name):
        return None
    return wrong("table_disturbed")


@_mistake(Text("takes the draw pile away"))
def _draw_pile_gone(scene: Scene) -> Wrong | None:
    if scene.position.draw_count < 3:
        return None
    scene.table.clear_draw()
    return wrong("table_disturbed")


@_mistake(Text("researches and lays a card on a payment spot"))
def _thanks_for_nothing(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Research | Review) or not scene.hand:
        return None
    scene.act()
    scene.table.pay(scene.rng.randint(1, len(scene.position.players)), 1)
    return wrong("payment_excess")


@_mistake(Text("forgets the paper card"))
def _no_paper_card(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    before = scene.table.snapshot()
    for card in scene.move.cards:
        if not scene.table.drop(scene.seat, str(card)):
            scene.table.restore(before)
            return None
    for author, count in paid_for(scene.move).items():
        scene.table.pay(author, count)
    return wrong("table_disturbed")


@_mistake(Text("publishes on the wrong side of the paper card"))
def _published_on_the_wrong_side(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    scene.act()
    scene.table.turn_paper(scene.seat, scene.move.paper)
    return wrong("turn_the_paper")


# --- the End Flag


@_mistake(Text("takes the End Flag without cause"))
def _flag_too_early(scene: Scene) -> Wrong | None:
    if not scene.hand or not scene.position.supply(END_FLAG):
        return None
    scene.lay(scene.seat, END_FLAG, (scene.rng.choice(scene.hand),))
    return wrong("flag_not_due")


@_mistake(Text("forgets the End Flag"), Phase.FLAG)
def _flag_forgotten(scene: Scene) -> Wrong | None:
    return wrong("flag_due")


@_mistake(Text("goes on instead of taking the End Flag"), Phase.FLAG)
def _flag_passed_over(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        scene.review(paper)
        return wrong("flag_due")
    return None


@_mistake(Text("takes an End Flag that is another player's"), Phase.FLAG)
def _flag_to_the_wrong_player(scene: Scene) -> Wrong | None:
    for other in scene.others:
        if scene.position.hand_size(other):
            scene.lay(other, END_FLAG, (scene.rng.choice(scene.position.hand(other)),))
            return wrong("flag_not_due")
    return None


@_mistake(Text("lays two cards to the End Flag"), Phase.FLAG)
def _flag_with_two_cards(scene: Scene) -> Wrong | None:
    if len(scene.hand) < 2:
        return None
    scene.table.lay_paper(scene.seat, END_FLAG, scene.rng.sample(scene.hand, 2), True)
    return wrong("flag_due")


@_mistake(Text("lays the End Flag without a card"), Phase.FLAG)
def _flag_without_a_card(scene: Scene) -> Wrong | None:
    scene.table.lay_paper(scene.seat, END_FLAG, (), True)
    return wrong("flag_due")


@_mistake(Text("lays the End Flag with its other side up"), Phase.FLAG)
def _flag_on_the_wrong_side(scene: Scene) -> Wrong | None:
    scene.table.lay_paper(scene.seat, END_FLAG, (scene.rng.choice(scene.hand),), False)
    return wrong("turn_the_paper")


MISTAKES: Mistakes = {**MOVING, **PUBLISHING, **_OTHERS}
"""Every mistake by its name."""
