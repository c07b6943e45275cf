"""Records: the shared ones with their verdicts, headers that leave nothing to judge, and every code in whole games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules.parsing import HeaderError
from rules.record import check_record, move_line
from rules.seven_wonders.cards import BUILDINGS, Building, count_dealt, find_building, of_age
from rules.seven_wonders.legal_moves import deal
from rules.seven_wonders.moves import Act, Deal, Do, FinishedCity, FromDiscard, Move, Round, Seventh, Tell, Tokens
from rules.seven_wonders.position import Position
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import Pay
from tests.rules.seven_wonders.games import NAMES, game, some_boards
from tests.words import en, ja

HEADER: dict[str, Any] = {
    "game": "seven_wonders",
    "version": 1,
    "players": ["Hilbert", "Banach", "Noether"],
    "boards": ["giza/a", "babylon/b", "halikarnassos/a"],
}


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"boards": ["giza/a", "babylon/b", "atlantis/a"]}, "there is no board 'atlantis/a'"),
        ({"boards": ["giza/a", "babylon/b", "giza/c"]}, "there is no board 'giza/c'"),
        ({"boards": ["giza/a", "babylon/b", 7]}, "there is no board 7"),
        ({"boards": ["giza/a", "babylon/b", ["giza/b"]]}, "there is no board"),
        ({"boards": ["giza/a", "babylon/b", "giza/a"]}, "a wonder twice: giza/a"),
        ({"boards": ["giza/a", "babylon/b", "giza/b"]}, "a wonder twice: giza/a"),
        ({"boards": ["giza/a", "babylon/b"]}, "a list of 3 boards"),
        ({"boards": []}, "a list of 3 boards"),
        ({"boards": None}, "a list of 3 boards"),
        ({"boards": "giza/a"}, "a list of 3 boards"),
        ({"boards": {"1": "giza/a"}}, "a list of 3 boards"),
        ({"players": ["Hilbert", "Banach"]}, "3 to 7 names, not 2"),
        ({"players": ["P"] * 8}, "3 to 7 names, not 8"),
        ({"players": "abc"}, "list of names"),
        ({"mode": "solo"}, "'mode'"),
        ({"mode": None}, "'mode'"),
    ],
)
def test_a_header_that_cannot_be_is_an_error_of_the_file(changes: dict[str, Any], cause: str) -> None:
    with pytest.raises(HeaderError, match=cause) as caught:
        list(check_record([json.dumps(HEADER | changes), '{"do":"deal","age":1}']))
    assert ja(caught.value)
    assert "\n" not in str(caught.value)


def test_start_takes_no_boards_that_cannot_be() -> None:
    for options in ({"boards": ["giza/a"] * 3}, {"boards": ["giza/a"]}, {"mode": "solo"}):
        with pytest.raises(ValueError, match=r"boards|mode"):
            RULES.start(NAMES[:3], options)
    with pytest.raises(ValueError, match="3 to 7"):
        RULES.start(NAMES[:2], {})


def test_the_boards_are_asked_for_every_seat_the_a_sides_first() -> None:
    (option,) = [option for option in RULES.options if option.key == "boards"]
    values = [value for value, _ in option.values(NAMES)]
    assert len(values) == 14
    option.check(values[:7], NAMES)
    assert all(en(words) and ja(words) for _, words in option.values(NAMES))
    (mode,) = [option for option in RULES.options if option.key == "mode"]
    assert [value for value, _ in mode.values(NAMES)] == ["score"]


def test_before_the_end_winners_and_reason_are_null_and_points_count_what_stands() -> None:
    played = game(3, 2)
    for last in (1, 5, 12):
        *_, final = check_record(
            [json.dumps(played.header), *(move_line(RULES.make_public(move)) for move in played.moves)][:last]
        )
        assert (final["winners"], final["reason"]) == (None, None)
        assert final["final"] == list(played.positions[last - 1].points)
        assert final["final"] == [sum(one) for one in final["categories"]]


# Every code a record can meet, put into whole games where it must be found.


def _with(acts: tuple[Act, ...], seat: int, act: Act) -> Round:
    return Round((*acts[:seat], act, *acts[seat + 1 :]))


def _spoilt(position: Position, move: Move | None, chance: Random) -> Iterator[tuple[str, Move, bool]]:
    """Yield moves that break one rule here, each with its code, and whether public knowledge must find it too."""
    n, age = position.n, position.age
    anything = Act(Do.DISCARD, find_building("altar"))
    lines: dict[AgePhase, Move] = {
        AgePhase.DEAL: deal(1, n, chance),
        AgePhase.ROUND: Round((anything,) * n),
        AgePhase.SEVENTH: Seventh(1, anything),
        AgePhase.FROM_DISCARD: FromDiscard(1),
        AgePhase.CITY: FinishedCity(1, (), 0),
        AgePhase.TELL: Tell((0,) * n, (Tokens(),) * n),
    }
    due = "game_over" if position.phase is AgePhase.OVER else f"{position.phase}_due"
    yield from ((due, line, True) for phase, line in lines.items() if phase is not position.phase)
    if position.phase is AgePhase.DEAL:
        yield "deal_due", deal(1 + (age + 1) % 3, n, chance), True
    seat = position.seat
    if isinstance(move, Seventh) and seat is not None:
        yield "out_of_turn", Seventh(1 + (seat + 1) % n, move.act), True
        acts: tuple[Act, ...] = (move.act,)
    elif isinstance(move, FromDiscard) and seat is not None:
        yield "out_of_turn", FromDiscard(1 + (seat + 1) % n, move.card), True
        for card in BUILDINGS:
            if card.age > age:
                yield "card_not_in_deck", FromDiscard(move.seat, card), True
            if not position.in_pile(card):
                yield "not_in_discard", FromDiscard(move.seat, card), False
            if not position.pile_ages[card.age - 1]:
                yield "not_in_discard", FromDiscard(move.seat, card), True
            if card.name in position.cities[seat].names:
                yield "already_built", FromDiscard(move.seat, card), True
        return
    elif isinstance(move, Round):
        yield "bad_record", Round(move.acts[:-1]), True
        acts = move.acts
    else:
        return
    seats = range(n) if seat is None else (seat,)
    for place in seats:
        mine = acts[place] if seat is None else acts[0]

        def line(act: Act, place: int = place) -> Move:
            return Seventh(place + 1, act) if seat is not None else _with(acts, place, act)

        city = position.cities[place]
        assert position.hands is not None
        hand = position.hands[place]
        for code, act, known in _spoilt_acts(position, place, hand, chance):
            yield code, line(act), known
        if mine.card is not None and mine.do is Do.BUILD and mine.pay is not None:
            yield "overpaid", line(Act(mine.do, mine.card, Pay(mine.pay.left + 1, mine.pay.right))), True
            yield "underpaid", line(Act(mine.do, mine.card, Pay())), True
        if city.next_stage is None:
            yield "no_stage_left", line(Act(Do.STAGE, hand[0])), True


def _spoilt_acts(
    position: Position, seat: int, hand: tuple[Building, ...], chance: Random
) -> Iterator[tuple[str, Act, bool]]:
    city, n = position.cities[seat], position.n
    yield (
        "card_not_in_deck",
        Act(Do.BUILD, chance.choice([card for card in BUILDINGS if card.age != position.age])),
        True,
    )
    absent = [card for card in BUILDINGS if card not in hand]
    yield "card_not_in_hand", Act(chance.choice(list(Do)), chance.choice(absent)), False
    for card in of_age(position.age, n):
        if position.built[card] == card.in_play(n):
            yield "no_copy_left", Act(Do.BUILD, card), True
    for card in hand:
        act = Act(Do.BUILD, card)
        price = position.find_price(seat, act)
        within = position.find_affordable(seat, price)
        if card.name in city.names:
            yield "already_built", act, True
            continue
        if not position.free_building(seat) or not card.cost or card.id in city.chained:
            yield "no_free_build", Act(Do.BUILD, card, None, True), True
        if not price.ways:
            yield "cannot_produce", act, True
        elif not within:
            yield "coins_short", act, True
            yield "coins_short", Act(Do.BUILD, card, price.ways[0]), True
        elif len(within) > 1:
            yield "pay_unclear", act, True


FOUND_IN_FULL = set(CODES[: CODES.index("tokens_wrong")]) - {"no_copy_left", "too_many_cards", "city_due", "tell_due"}


def test_every_code_is_found_in_full_and_public_records() -> None:
    """Spoilt moves put between the true ones: each is refused with its code, and every true move is accepted."""
    found: dict[bool, set[str]] = {False: set(), True: set()}
    boards = ("olympia/a", "babylon/b", "halikarnassos/b")
    for seed in range(12):
        chance = Random(1000 + seed)
        played = game(3, seed, boards=boards) if seed % 2 else game(3 + seed % 5, seed)
        for public in (False, True):
            lines, wanted = [json.dumps(played.header)], {}
            for position, move in zip(played.positions, (*played.moves, None), strict=True):
                spoilt: dict[str, list[Move]] = {}
                for code, bad, known in _spoilt(position, move, chance):
                    if (known or not public) and (code != "no_copy_left" or public):
                        spoilt.setdefault(code, []).append(RULES.make_public(bad) if public else bad)
                for code, some in chance.sample(sorted(spoilt.items(), key=lambda pair: pair[0]), min(5, len(spoilt))):
                    lines.append(move_line(chance.choice(some)))
                    wanted[len(lines)] = code
                if move is not None:
                    lines.append(move_line(RULES.make_public(move) if public else move))
            *verdicts, final = check_record(lines)
            for verdict in verdicts:
                code = wanted.get(verdict["line"])
                context = (seed, public, lines[verdict["line"] - 1], verdict)
                if code is None:
                    assert verdict["verdict"] == "accepted", context
                else:
                    assert verdict["verdict"] == "refused", context
                    assert code in (verdict["code"], *verdict["also"]), (code, context)
                    found[public].add(code)
            assert final["final"] == list(played.positions[-1].points)
    assert found[False] >= FOUND_IN_FULL
    assert found[True] >= (FOUND_IN_FULL | {"no_copy_left"}) - {"card_not_in_hand"}


# The kind of information


def test_the_first_deal_settles_which_kind_of_information_a_record_has() -> None:
    chance = Random(1)
    start = RULES.start(NAMES[:3], HEADER)
    full, public = deal(1, 3, chance), Deal(1)
    for first, other in ((full, Deal(2)), (public, deal(2, 3, chance))):
        position = start.do(first)
        refusal = position.verify(other)
        assert refusal is not None
        assert (refusal.code, refusal.also) == ("bad_record", ("round_due",))


def test_hidden_cards_are_told_in_full_and_not_in_public_records() -> None:
    chance = Random(1)
    start = RULES.start(NAMES[:3], HEADER)
    told, hidden = Act(Do.DISCARD, find_building("altar")), Act(Do.DISCARD)
    full, public = start.do(deal(1, 3, chance)), start.do(Deal(1))
    assert [reason.code for reason in full.find_reasons(Round((hidden,) * 3))] == ["bad_record"]
    assert [reason.code for reason in public.find_reasons(Round((told,) * 3))] == ["bad_record"]
    assert [reason.code for reason in start.find_reasons(Round((told, hidden, told)))] == ["deal_due"]
    assert [reason.code for reason in full.find_reasons(Seventh(1, hidden))] == ["bad_record", "round_due"]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_hands_are_those_of_the_age_and_the_players(age: int) -> None:
    chance = Random(age)
    right = deal(age, 4, chance).hands
    assert right is not None
    start = RULES.start(NAMES[:4], {})
    first, *others = right
    bad = [
        right[:3],
        (first[:6], *others),
        ((*first, first[0]), *others),
        (first[:5] + others[0][:2], *others),
        deal(1 + age % 3, 4, chance).hands,
        deal(age, 5, chance).hands,
        deal(age, 3, chance).hands,
        (),
    ]
    for hands in bad:
        codes = [reason.code for reason in start.find_reasons(Deal(age, hands))]
        assert codes[0] == "bad_record"
        assert codes[1:] == ([] if age == 1 else ["deal_due"])
    assert [reason.code for reason in start.find_reasons(Deal(age, right))] == ([] if age == 1 else ["deal_due"])


def test_the_guilds_of_a_deal_are_players_plus_two_different_ones() -> None:
    cards = list(count_dealt(3, 3).elements())
    drawn = [card for card in BUILDINGS if card.is_guild]
    start = RULES.start(NAMES[:3], {})
    for some, fine in ((drawn[:5], True), (drawn[5:], True), ([*drawn[:4], drawn[0]], False)):
        hands = [*cards, *some]
        move = Deal(3, tuple(tuple(hands[seat * 7 : seat * 7 + 7]) for seat in range(3)))
        codes = [reason.code for reason in start.find_reasons(move)]
        assert codes == (["deal_due"] if fine else ["bad_record", "deal_due"])


# Score only


def _score_game(players: int, seed: int) -> tuple[dict[str, Any], list[Move], Position]:
    chance = Random(seed)
    boards = some_boards(players, chance)
    position = RULES.start(NAMES[:players], {"boards": boards, "mode": "score"})
    header = {**HEADER, "players": list(NAMES[:players]), "boards": boards, "mode": "score"}
    moves: list[Move] = []
    while position.outcome is None:
        moves.append(RULES.random_move(position, chance))
        position = position.do(moves[-1])
    return header, moves, position


@pytest.mark.parametrize("players", range(3, 8))
def test_score_only_records_are_written_and_read_and_checked(players: int) -> None:
    for seed in range(5):
        header, moves, last = _score_game(players, seed)
        *verdicts, final = check_record([json.dumps(header), *map(move_line, moves)])
        assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
        assert (final["reason"], final["final"]) == ("score_sheet", list(last.points))
        assert len(moves) == players + 1


def test_a_finished_game_has_the_same_points_on_the_score_sheet() -> None:
    for players in range(3, 8):
        played = game(players, 3)
        last = played.positions[-1]
        position = RULES.start(last.players, {"boards": played.boards, "mode": "score"})
        for seat, one in enumerate(last.cities, 1):
            position = position.do(FinishedCity(seat, one.cards, one.stages))
        told = Tell(tuple(one.coins for one in last.cities), tuple(one.tokens for one in last.cities))
        position = position.do(told)
        assert position.categories == last.categories
        assert position.outcome is not None
        assert last.outcome is not None
        assert position.outcome.winners == last.outcome.winners


def _score_start(boards: str = "babylon/b halikarnassos/b olympia/a") -> Position:
    return RULES.start(NAMES[:3], {"boards": boards.split(), "mode": "score"})


def _cards(text: str) -> tuple[Building, ...]:
    return tuple(find_building(name) for name in text.split())


def test_score_only_points_before_tell_have_no_coins_and_no_tokens() -> None:
    position = _score_start().do(FinishedCity(1, _cards("altar palace"), 1))
    assert RULES.report_result(position) == {
        "final": [13, 0, 0],
        "categories": [[0, 0, 3, 10, 0, 0, 0], [0] * 7, [0] * 7],
        "winners": None,
        "reason": None,
    }


@pytest.mark.parametrize(
    ("cards", "stages", "wanted"),
    [
        ("altar bazar", 0, ["card_not_in_deck", "no_copy_left"]),
        ("altar altar", 0, ["no_copy_left", "already_built"]),
        ("loom loom_2", 0, ["already_built"]),
        ("altar", 4, ["no_stage_left"]),
        ("altar", 10**30, ["no_stage_left", "too_many_cards"]),
        ("altar", 3, []),
    ],
)
def test_score_only_what_a_city_cannot_have(cards: str, stages: int, wanted: list[str]) -> None:
    refusal = _score_start().verify(FinishedCity(1, _cards(cards), stages))
    assert ([] if refusal is None else [refusal.code, *refusal.also]) == wanted


def test_score_only_cities_are_told_in_order_and_count_together() -> None:
    position = _score_start()
    assert [reason.code for reason in position.find_reasons(FinishedCity(2, (), 0))] == ["out_of_turn"]
    assert [reason.code for reason in position.find_reasons(Tell((0,) * 3, (Tokens(),) * 3))] == ["city_due"]
    position = position.do(FinishedCity(1, _cards("altar builders_guild spies_guild workers_guild"), 0))
    for cards in ("altar", "spies_guild", "craftsmens_guild traders_guild magistrates_guild"):
        assert position.find_reasons(FinishedCity(2, _cards(cards), 0))[0].code == "no_copy_left"
    position = position.do(FinishedCity(2, _cards("craftsmens_guild traders_guild"), 0)).do(FinishedCity(3, (), 0))
    assert position.phase is AgePhase.TELL
    assert [reason.code for reason in position.find_reasons(FinishedCity(1, (), 0))] == ["tell_due"]


@pytest.mark.parametrize(
    ("boards", "stages", "most"),
    [
        ("giza/b babylon/b rhodes/a", 0, 18),
        ("giza/b babylon/b rhodes/a", 4, 18),
        ("babylon/b giza/b rhodes/a", 1, 18),
        ("babylon/b giza/b rhodes/a", 2, 21),
        ("halikarnassos/a giza/b rhodes/a", 1, 18),
        ("halikarnassos/a giza/b rhodes/a", 3, 19),
        ("halikarnassos/b giza/b rhodes/a", 2, 20),
        ("halikarnassos/b giza/b rhodes/a", 3, 21),
    ],
)
def test_score_only_cards_and_stages_have_a_limit(boards: str, stages: int, most: int) -> None:
    position = _score_start(boards)
    cards = tuple(card for card in BUILDINGS if card.in_play(3) and not card.is_guild and "_2" not in card.id)
    assert position.is_legal(FinishedCity(1, cards[: most - stages], stages))
    refusal = position.verify(FinishedCity(1, cards[: most - stages + 1], stages))
    assert refusal is not None
    assert (refusal.code, refusal.also) == ("too_many_cards", ())


@pytest.mark.parametrize(
    ("tokens", "fine"),
    [
        (((0, 0, 2, 0), (0, 0, 0, 1), (0, 0, 0, 1)), True),
        (((1, 0, 2, 1), (0, 0, 0, 2), (0, 1, 0, 1)), True),
        (((0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 0)), False),
        (((0, 0, 2, 0), (0, 0, 0, 1), (0, 0, 0, 0)), False),
        (((0, 0, 2, 0), (0, 0, 1, 2), (0, 0, 0, 1)), False),
    ],
)
def test_score_only_tokens_add_up(tokens: tuple[tuple[int, int, int, int], ...], fine: bool) -> None:
    position = _score_start().do(FinishedCity(1, _cards("barracks"), 0))
    position = position.do(FinishedCity(2, (), 0)).do(FinishedCity(3, (), 0))
    told = tuple(Tokens((first, second, third), lost) for first, second, third, lost in tokens)
    assert [reason.code for reason in position.find_reasons(Tell((0,) * 3, told))][:1] == (
        [] if fine else ["tokens_wrong"]
    )
