"""What is taught: everything that may be done and nothing that may not, from what everybody sees; each rule once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from referee.registry import load_referees
from rules.cards import Card, cards_in, mask_of
from rules.laminate.moves import Deal, EndFlag, Publish, Research
from rules.laminate.position import Position as LaminatePosition
from rules.registry import load_games
from rules.seven_wonders.legal_moves import acts_of
from rules.seven_wonders.moves import Do, Round
from rules.text import Language
from rules.wild_seven.moves import Play
from tests.rules.games import Played, played
from ui.registry import screen_of
from ui.screen import REFERENCE, count_pages
from ui.screen_state import LeafScreen, Mood
from ui.teaching.laminate import list_publishable
from ui.teaching.lesson import Teaching

GAMES = [name for name in load_referees() if screen_of(name).teaching is not None]
OFFERED_AFTER_A_REVOKE = {"annul", "back_to"}
"""No turn of anybody's: the referee offers these ways where a revoke has come out."""
SEEDS = (0, 1, 2, 5)
EVERY = {"seven_euchre": 13, "laminate": 5}
"""Of games with many positions or slow ones, so many are looked at: a prime, so that all phases come up."""
SELDOM = {
    "laminate": {"refill", "no_flag"},
    "wild_seven": {"nothing"},
    "seven_euchre": {"no_trump"},
    "seven_wonders": {"copy_guild"},
}


def taught(name: str) -> Teaching:
    teaching = screen_of(name).teaching
    assert teaching is not None
    return teaching


@cache
def games(name: str) -> tuple[Played, ...]:
    seats = load_games()[name].seats
    return tuple(played(name, seats[seed % len(seats)], seed, public=True) for seed in SEEDS)


def moments(name: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield positions with the move that was made there, and the position after it."""
    for game in games(name):
        yield from zip(game.positions, game.moves, game.positions[1:], strict=False)


def said(name: str, position: Any) -> set[str]:
    return {one.do for one in taught(name).list_possible(position)}


def test_every_game_with_a_sheet_is_taught() -> None:
    assert len(GAMES) == 5


@pytest.mark.parametrize("name", GAMES)
def test_what_was_done_was_said_before(name: str) -> None:
    for position, move, _ in moments(name):
        assert move.do in said(name, position), (position, move)
        if isinstance(move, Publish) and move.seat < 3:
            assert move.paper in [kind.name for kind, _ in list_publishable(position)]


@pytest.mark.parametrize("name", GAMES)
def test_just_what_the_rules_allow_is_said(name: str) -> None:
    rules, begun = load_games()[name], 0
    for number, (position, move, _) in enumerate(moments(name)):
        if move.do in ("deal", "setup") or number % EVERY.get(name, 1):
            continue
        legal = islice(rules.legal_moves(position), 200) if name != "laminate" else laminate_moves(position)
        assert said(name, position) == {one.do for one in legal} - OFFERED_AFTER_A_REVOKE, position
        begun += 1
    for game in games(name):
        assert not said(name, game.positions[-1]), "nothing may be done once the game is over"
    assert begun > 20


def laminate_moves(position: LaminatePosition) -> Iterator[Any]:
    """Yield a legal move of each kind that the rules have here, as far as the table tells."""
    seat = position.to_move
    assert seat is not None
    if position.phase == "flag":
        yield EndFlag(seat, cards_in(position.may_be_held(seat))[0])
        return
    yield from load_games()["laminate"].legal_moves(position)
    if position.draw_gives:
        yield Research(seat, "deck")
    for kind, cited in list_publishable(position):
        refused = position.find_reasons(Publish(seat, kind.name, (), ()))
        assert {reason.code for reason in refused} <= {"nothing_new"}
        assert all(paper.complete for paper in cited)
        yield Publish(seat, kind.name, ())


def hidden_anew(position: Any, chance: Random) -> Any:
    """Return the same position as everybody sees it, with other cards in hands and face-down piles."""

    def dealt_anew(hands: tuple[int, ...], middle: Card | None = None) -> tuple[tuple[int, ...], Card | None]:
        cards = [card for hand in hands for card in cards_in(hand)] + [middle] * (middle is not None)
        chance.shuffle(cards)
        sizes = [hand.bit_count() for hand in hands]
        masks = tuple(mask_of(cards.pop() for _ in range(size)) for size in sizes)
        return masks, cards.pop() if cards else None

    match load_games_of(position):
        case "wild_seven" if position._hands is not None:
            return replace(position, _hands=dealt_anew(position._hands)[0])
        case "seven_minutes" if position.deck is not None:
            return replace(position, deck=tuple(chance.sample(position.deck, len(position.deck))))
        case "seven_euchre" if position.round is not None and position.round.hands is not None:
            hands, middle = dealt_anew(position.round.hands, position.round.middle)
            return replace(position, round=replace(position.round, hands=hands, middle=middle))
        case "seven_wonders" if position.hands is not None:
            cards = [card for hand in position.hands for card in hand]
            chance.shuffle(cards)
            hands = tuple(tuple(cards.pop() for _ in hand) for hand in position.hands)
            pile = tuple(chance.sample(position.pile, len(position.pile)))
            return replace(position, hands=hands, pile=pile)
    return position


def load_games_of(position: Any) -> str:
    return type(position).__module__.split(".")[1]


def test_what_is_said_to_bump_can_be_bumped() -> None:
    said_of = 0
    for position, move, _ in moments("wild_seven"):
        if not isinstance(move, Play):
            continue
        for one in taught("wild_seven").list_possible(position):
            for card in (name for shown in one.shown for name in shown.cards):
                plays = (Play(move.seat, unseen) for unseen in position.unseen)
                bumping = [
                    play for play in plays if card in {str(c) for _, c in position.bumped_by(move.seat, play.card)}
                ]
                assert any(position.is_legal(play) for play in bumping), (position, card)
                said_of += 1
    assert said_of > 20


def test_a_stage_that_is_said_to_be_paid_can_be_built() -> None:
    for position, move, _ in moments("seven_wonders"):
        if not isinstance(move, Round):
            continue
        words = [str(one.words) for one in taught("seven_wonders").list_possible(position)]
        for seat, name in enumerate(position.players, 1):
            stages = [act for act in acts_of(position, seat - 1) if act.do is Do.STAGE]
            told = [one for one in words if one.startswith(f"{name}: stage")]
            assert [("can't be paid" not in one) for one in told] == [bool(stages)] * len(told)
            assert bool(told) or not stages


@pytest.mark.parametrize("name", [name for name in GAMES if name != "laminate"])
def test_nothing_hidden_has_a_part_in_it(name: str) -> None:
    chance, changed = Random(7), 0
    for seed in SEEDS[:2]:
        seats = load_games()[name].seats
        full, public = (played(name, seats[0], seed, public) for public in (False, True))
        for truth, seen in zip(full.positions, public.positions, strict=True):
            other = hidden_anew(truth, chance)
            changed += other != truth
            ways = [taught(name).draw_now(one, Language.EN) for one in (truth, other, seen)]
            assert ways[0] == ways[1] == ways[2]
    assert changed > 20


def test_nothing_hidden_has_a_part_in_it_where_hands_are_reckoned() -> None:
    """Two games of which everybody saw the same: one card of a hand is another one, which lies in the draw pile."""
    game, turns = played("laminate", 4, 3), 9
    deal = game.moves[0]
    assert isinstance(deal, Deal)
    named = str([str(move) for move in game.moves[1:turns]])
    hidden = [card for card in deal.hands[1] if str(card) not in named]
    in_pile = [card for card in cards_in(game.positions[1].draw_mask) if str(card) not in named]
    swapped = {hidden[0]: in_pile[0]}
    other = replace(deal, hands=tuple(tuple(swapped.get(card, card) for card in hand) for hand in deal.hands))
    rules = load_games()["laminate"]
    told = []
    for first in (deal, other):
        position, leaves = game.positions[0], []
        truth = position
        for move in (first, *game.moves[1:turns]):
            truth, position = truth.do(move), position.do(rules.make_public(move))
            leaves.append(taught("laminate").draw_now(position, Language.EN))
        told.append(leaves)
    assert told[0] == told[1]


@pytest.mark.parametrize("name", GAMES)
def test_what_happens_is_explained_and_each_thing_can_happen(name: str) -> None:
    teaching = taught(name)
    known = {lesson.key for lesson in teaching.lessons}
    seen = {key for moment in moments(name) for key in teaching.list_events(moment[1], moment[0], moment[2])}
    assert seen <= known
    by_refusal_alone = {lesson.key for lesson in teaching.lessons if lesson.codes}
    assert known - seen <= by_refusal_alone | SELDOM.get(name, set()), known - seen


@pytest.mark.parametrize("name", SELDOM)
def test_what_seldom_happens_is_explained_too(name: str) -> None:
    rules, teaching, left = load_games()[name], taught(name), set(SELDOM[name])
    for seed in range(100):
        game = played(name, rules.seats[0], seed)
        for before, move, after in zip(game.positions, game.moves, game.positions[1:], strict=False):
            left -= set(teaching.list_events(move, before, after))
        if not left:
            return
    raise AssertionError(left)


@pytest.mark.parametrize("name", GAMES)
def test_refusals_lead_to_rules(name: str) -> None:
    teaching, codes = taught(name), load_games()[name].codes
    named = [code for lesson in teaching.lessons for code in lesson.codes]
    assert set(named) <= set(codes)
    assert all(teaching.find_rules([code]) for code in named)


@pytest.mark.parametrize("language", Language.all())
@pytest.mark.parametrize("name", GAMES)
def test_a_rule_is_written_once(name: str, language: Language) -> None:
    """What help, teaching and the page beside the mat say is the same sentence, or quite another one."""
    teaching, game = taught(name), games(name)[0]
    rules = [line.said(language) for part in teaching.brief for line in part.lines]
    lessons = [line.said(language) for lesson in teaching.lessons for line in lesson.lines]
    aim = [line.said(language) for picture in teaching.aim for line in picture.lines]
    help_words = [
        words
        for leaf in screen_of(name).write_help(game.positions[1], language)
        for words in leaf.words
        if not leaf.tiles
    ]
    sentences = dict.fromkeys((*rules, *lessons, *aim, *help_words))
    for one, other in combinations(sentences, 2):
        alike = SequenceMatcher(None, one, other, autojunk=False)
        if alike.quick_ratio() > 0.8:
            assert alike.ratio() < 0.8, (one, other)


@pytest.mark.parametrize("language", Language.all())
@pytest.mark.parametrize("name", GAMES)
def test_each_picture_of_the_aim_is_seen_at_once(name: str, language: Language) -> None:
    leaves = taught(name).draw_aim(language)
    assert len(leaves) == 3
    for leaf in leaves:
        screen = LeafScreen(language, Mood.MENU, leaf.title, leaf=leaf)
        assert count_pages(screen, REFERENCE) == 0, leaf.title
