"""Whole games, held against the rule sheet played in the plainest way there is."""

from __future__ import annotations

from random import Random

import pytest

from rules.seven_minutes.moves import Deal, Flip, Roll, Stop
from rules.seven_minutes.play import random_move, roll_dice
from rules.seven_minutes.position import Position
from rules.seven_minutes.rules import RULES
from tests.rules.seven_minutes.table import random_game

RANKS = {"A": 1, "K": 13, **{str(number): number for number in range(2, 13)}}


def plainly(deck: list[str], players: int, first: int, words: list[str]) -> tuple[list[int], int, list[str]]:
    """Points, what is left in the row, and the moves of a game in which everybody does what the words say.

    A second reading of the sheet, with names of cards in lists and nothing of the program: a word is asked wherever
    the rules leave a choice to the player (``stop`` or ``flip``) or to the dice.
    """
    asked = iter(words)
    log: list[str] = []
    points = [0] * players
    row: list[list[str]] = []
    seat = first - 1
    deck = list(deck)
    while deck:
        demanded, forced, flipped, seven_of_three = 0, False, 0, False
        while not forced and deck:
            if flipped and not demanded and next(asked) == "stop":
                log.append(f"{seat + 1} stop")
                break
            name = deck.pop(0)
            log.append(f"{seat + 1} flip {name}")
            flipped += 1
            for stack in row:
                if stack[0][1:] == name[1:]:
                    stack.append(name)
                    break
            else:
                row.append([name])
            if demanded:
                demanded -= 1
                seven_of_three |= name[1:] == "7"
                forced = not demanded and seven_of_three
            elif name[1:] == "7":
                forced = True
            elif name[1:] == "K":
                demanded = 3
        ranks = [RANKS[stack[0][1:]] for stack in row]
        due = len(ranks) if 13 not in ranks else len(ranks) - ranks.index(13)
        for _ in range(due):
            word = next(asked)
            log.append(f"{seat + 1} roll {word}")
            total = sum(map(int, word.split()))
            if total in ranks:
                place = ranks.index(total)
                taken, row = (row[place:], row[:place]) if 1 in ranks else (row[: place + 1], row[place + 1 :])
                sign = -1
                break
        else:
            taken, row, sign = row, [], 1
        points[seat] += sign * sum(3 if name[1:] == "7" else 1 for stack in taken for name in stack)
        seat = (seat + 1) % players
    return points, sum(map(len, row)), log


@pytest.mark.few(15)
@pytest.mark.parametrize("seed", range(60))
def test_games_go_as_the_sheet_read_plainly_says(seed: int) -> None:
    chance = Random(seed)
    players, first = 2 + seed % 4, 1 + seed % 2
    position = Position.start([f"P{seat}" for seat in range(1, players + 1)], first)
    deal = RULES.random_move(position, chance)
    assert isinstance(deal, Deal)
    position = position.do(deal)
    words, log = [], []
    bold = chance.random()
    while position.outcome is None:
        move = random_move(position, chance)
        if isinstance(move, (Flip, Stop)) and position.may_stop:
            assert position.deck is not None
            move = Flip(position.seat, position.deck[0]) if chance.random() < bold else Stop(position.seat)
            words.append("stop" if isinstance(move, Stop) else "flip")
        elif isinstance(move, Roll):
            words.append(" ".join(map(str, move.dice)))
        log.append(str(move))
        position = position.do(move)
    names = [str(card) for card in deal.deck]
    assert plainly(names, players, first, words) == (list(position.points), len(position.row.cards), log)


def test_random_players_stop_and_go_on() -> None:
    free = [move for seed in range(40) for before, move, _ in random_game(seed) if before.may_stop]
    stops = sum(isinstance(move, Stop) for move in free)
    assert 0.2 < stops / len(free) < 0.4


def test_dice_show_every_face() -> None:
    chance = Random(1)
    rolled = {roll_dice(chance) for _ in range(1000)}
    assert len(rolled) == 36


def test_the_rules_say_who_is_to_move_and_what_came_out() -> None:
    start = RULES.start(["A", "B"], {"first_seat": 2})
    assert not RULES.to_move(start)
    assert RULES.to_move(start.do(RULES.random_move(start, Random(1)))) == frozenset({2})
    assert RULES.report_result(start) == {"final": [0, 0], "winners": None, "reason": None}
    over = random_game(5)[-1][2]
    outcome = over.outcome
    assert outcome is not None
    assert RULES.report_result(over) == {
        "final": list(over.points),
        "winners": list(outcome.winners),
        "reason": "deck_empty",
    }
    assert not RULES.to_move(over)


@pytest.mark.parametrize("seat", [0, 3, True, "1", None, 1.0])
def test_a_first_seat_that_is_none_is_refused(seat: object) -> None:
    with pytest.raises(ValueError, match="no seat"):
        RULES.start(["A", "B"], {"first_seat": seat})
