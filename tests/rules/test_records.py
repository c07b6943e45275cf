"""Records: the shared ones with their verdicts, lines that can't be read, and every code that a record can meet."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules.cards import DECK
from rules.laminate.game import Game, as_seen
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import BUILT_IN, PaperKind, Papers, Sets
from rules.laminate.play import deal, draw_cards, random_move
from rules.laminate.position import Position
from rules.laminate.rules import LaminateRummy
from rules.record import Header, check_record, header_line, move_line
from rules.text import Text


def _game(seed: int) -> Game:
    chance = Random(seed)
    names = tuple("ABCDE"[: 3 + seed % 3])
    game = Game(names, 1 + chance.randrange(len(names)))
    game.play(deal(len(names), chance))
    while game.position.to_move is not None:
        game.play(random_move(game.position, chance))
    return game


HEADER = '{"game":"laminate","version":1,"players":["A","B","C"],"first_seat":1}'
DEAL = '{"do":"deal","hands":[["H7","O7","B7"],["HA","H2","H3"],["O2","O3","O4"]],"discard":["T8"]}'
TAKE = '{"seat":1,"do":"research","source":"discard","keep":"T8"}'


def _verdicts(*lines: str) -> list[dict[str, Any]]:
    return list(check_record(lines))


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("", "no JSON object"),
        ("not json", "no JSON object"),
        ("[1]", "no JSON object"),
        ("null", "no JSON object"),
        ('{"seat":1,"do":"pass"', "no JSON object"),
        ('{"seat":1}', "lacks 'do'"),
        ('{"seat":1,"do":"juggle"}', "no move 'juggle'"),
        ('{"seat":1,"do":["pass"]}', "no move ['pass']"),
        ('{"do":"pass"}', "lacks 'seat'"),
        ('{"seat":"1","do":"pass"}', "no seat: '1'"),
        ('{"seat":true,"do":"pass"}', "no seat: True"),
        ('{"seat":0,"do":"pass"}', "no seat: 0"),
        ('{"seat":1.0,"do":"pass"}', "no seat: 1.0"),
        ('{"seat":4,"do":"pass"}', "no seat 4"),
        ('{"seat":1,"do":"research","keep":"T8"}', "lacks 'source'"),
        ('{"seat":1,"do":"research","source":"pile","keep":"T8"}', "'deck' or 'discard'"),
        ('{"seat":1,"do":"research","source":"discard"}', "lacks 'keep'"),
        ('{"seat":1,"do":"research","source":"deck","discard":"F7"}', "lacks 'keep'"),
        ('{"seat":1,"do":"research","source":"deck","keep":"H8","discard":"F7"}', "no SEVEN card: 'H8'"),
        ('{"seat":1,"do":"research","source":"deck","keep":7,"discard":"F7"}', "no SEVEN card: 7"),
        ('{"seat":1,"do":"publish","cards":["H7"]}', "lacks 'paper'"),
        ('{"seat":1,"do":"publish","paper":7,"cards":["H7"]}', "must be text"),
        ('{"seat":1,"do":"publish","paper":"\\ud800","cards":["H7"]}', "must be text"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"' + "9" * 5000 + '":1}}', "names no seat"),
        ('{"seat":' + "9" * 5000 + ',"do":"pass"}', "no JSON object"),
        ("[" * 100000, "no JSON object"),
        ('{"seat":1,"do":"publish","paper":"three"}', "lacks 'cards'"),
        ('{"seat":1,"do":"publish","paper":"three","cards":"H7"}', "list of cards"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"cite":7}', "list of seat and paper"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"cite":[7]}', "list of seat and paper"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"cite":[{"seat":2}]}', "lacks 'paper'"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"cite":[{"paper":"three"}]}', "lacks 'seat'"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":[]}', "by seat"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"x":1}}', "names no seat"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"2":-1}}', "not -1"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"2":true}}', "not True"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"2":["zz"]}}', "no SEVEN card"),
        ('{"seat":1,"do":"publish","paper":"three","cards":["H7"],"pay":{"9":["O7"]}}', "no seat 9"),
        ('{"seat":1,"do":"review","of":2,"paper":"three"}', "lacks 'take'"),
        ('{"seat":1,"do":"review","of":2,"paper":"three","take":["H7"]}', "name one card"),
        ('{"seat":1,"do":"review","of":2,"paper":"three","take":["H7","H7"]}', "name one card"),
        ('{"seat":1,"do":"review","paper":"three","take":"H7"}', "lacks 'of'"),
        ('{"seat":1,"do":"end_flag"}', "lacks 'card'"),
        ('{"do":"setup"}', "lacks 'discard'"),
        ('{"do":"setup","discard":"T8"}', "dealt already"),
        ('{"do":"deal","hands":7,"discard":[]}', "list of hands"),
    ],
)
def test_lines_that_cannot_be_read_are_reported_and_the_rest_is_checked(line: str, cause: str) -> None:
    verdicts = _verdicts(HEADER, DEAL, line, TAKE)
    assert verdicts[0] == {"line": 2, "verdict": "accepted"}
    assert (verdicts[1]["line"], verdicts[1]["verdict"], verdicts[1]["code"]) == (3, "refused", "bad_record")
    assert cause in verdicts[1]["text"]
    assert verdicts[1]["text_ja"]
    assert verdicts[2] == {"line": 4, "verdict": "accepted"}
    assert verdicts[3] == {"final": [0, 0, 0], "winners": None, "end": None}


@pytest.mark.parametrize(
    "header",
    [
        "",
        "seven",
        DEAL,
        '{"game":"whist","version":1,"players":["A","B","C"],"first_seat":1}',
        '{"game":"laminate","version":2,"players":["A","B","C"],"first_seat":1}',
        '{"game":"laminate","version":1,"players":["A","B"],"first_seat":1}',
        '{"game":"laminate","version":1,"players":["A","B",3],"first_seat":1}',
        '{"game":"laminate","version":1,"players":["A","B","\\udfff"],"first_seat":1}',
        '{"game":"laminate","version":1,"players":["A","B","C"],"first_seat":4}',
        '{"game":"laminate","version":1,"players":["A","B","C"],"first_seat":true}',
        '{"game":"laminate","version":1,"players":["A","B","C"]}',
    ],
)
def test_without_a_usable_header_nothing_is_accepted(header: str) -> None:
    verdicts = _verdicts(header, DEAL, "nonsense", TAKE)
    assert [verdict.get("line") for verdict in verdicts] == [1, 2, 3, 4, None]
    assert {verdict["code"] for verdict in verdicts[:-1]} == {"bad_record"}
    assert verdicts[-1] == {"final": None, "winners": None, "end": None}


def test_empty_lines_at_the_end_are_no_lines() -> None:
    assert len(_verdicts(HEADER, DEAL, "", "  ")) == 2
    assert len(_verdicts("")) == 2
    assert _verdicts("\ufeff" + HEADER, DEAL)[0]["verdict"] == "accepted"


def test_moves_before_a_deal_that_was_refused() -> None:
    verdicts = _verdicts(HEADER, DEAL.replace('"H7"', '"HA"'), TAKE)
    assert [verdict.get("code") for verdict in verdicts] == ["bad_record", "bad_record", None]


def test_house_papers_in_a_record() -> None:
    house = Papers((*BUILT_IN, PaperKind("sevens", 3, 1, Text("7s"), Sets(3))))
    publish = '{"seat":1,"do":"publish","paper":"sevens","cards":["H7","O7","B7"],"cite":[],"pay":{}}'
    assert list(check_record([HEADER, DEAL, publish], LaminateRummy(house)))[1]["verdict"] == "accepted"
    assert list(check_record([HEADER, DEAL, publish]))[1]["code"] == "unknown_paper"


# Every code a record can meet, put into whole games where it must be found.


def _spoilt(position: Position, chance: Random) -> Iterator[tuple[str, Move, bool]]:
    """Yield moves that break one rule here, each with its code, and whether public knowledge must find it too."""
    seat = position.to_move
    if seat is None:
        yield "game_over", Pass(1), True
        return
    n = len(position.players)
    hand = position.get_hand(seat)
    other = 1 + seat % n
    if position.phase == "flag":
        yield "flag_due", Pass(seat), True
        yield "flag_due", random_move_for(position, seat, chance), True
        return
    yield "flag_not_due", EndFlag(seat, hand[0] if hand else DECK[0]), True
    yield "out_of_turn", Pass(other), True
    if not position.pass_allowed:
        yield "pass_not_allowed", Pass(seat), True
    yield "unknown_paper", Publish(seat, "end_flag", hand[:1]), True
    yield "unknown_paper", Publish(seat, "royal_flush", hand[:1]), True
    yield "not_reviewable", Review(seat, other, "royal_flush", DECK[0]), True
    for paper in position.papers:
        if paper.complete:
            yield "not_reviewable", Review(seat, paper.seat, paper.kind, paper.cards[0]), True
            yield "card_not_in_hand", Publish(seat, "sum49", paper.cards), True
            if paper.seat != seat:
                yield "cannot_pay", Publish(seat, "sum49", hand, (Citation(paper.seat, paper.kind),)), True
            if position.draw_gives:
                yield "card_not_in_deck", Research(seat, "deck", None, paper.cards[0]), True
        else:
            absent = next(card for card in DECK if card not in paper.cards)
            yield "not_reviewable", Review(seat, paper.seat, paper.kind, absent), True
            if paper.seat != seat:
                yield "not_citable", Publish(seat, "sum49", hand, (Citation(paper.seat, paper.kind),)), True
    yield "nothing_new", Publish(seat, "three", ()), True
    elsewhere = [card for card in DECK if card not in hand]
    yield "card_not_in_hand", Publish(seat, "sum49", (chance.choice(elsewhere),)), False
    if hand:
        yield "card_not_in_hand", Publish(seat, "sum49", (hand[0], hand[0])), True
        yield "not_a_meld", Publish(seat, "straight5", hand[:4]), True
        yield "payment_excess", Publish(seat, "straight5", hand[:4], (), {other: hand[4:5] or hand[:1]}), True
    pile = position.draw_pile
    gives = position.draw_gives
    if not gives:
        yield "research_impossible", Research(seat, "deck", DECK[0]), True
    elif gives == 1:
        only = next(card for card in (*pile, *position.discards) if card is not None)
        yield "wrong_count", Research(seat, "deck", only, chance.choice(DECK)), True
    elif pile:
        yield "wrong_count", Research(seat, "deck", pile[0]), True
        if hand:
            yield "card_not_in_deck", Research(seat, "deck", pile[0], hand[0]), False
        if len(pile) == 1 and len(position.discards) >= 2:
            below = [card for card in position.discards if card is not None]
            yield "card_not_in_deck", Research(seat, "deck", below[0], below[1]), False
    if not position.discards:
        yield "discard_empty", Research(seat, "discard", DECK[0]), True
    else:
        wrong = next(card for card in DECK if card != position.top_discard)
        yield "card_not_in_deck", Research(seat, "discard", wrong), position.discards[-1] is not None
    for kind in BUILT_IN[:-1]:
        if position.find_paper(seat, kind.name) is not None:
            yield "paper_already_held", Publish(seat, kind.name, hand), True
        if not position.count_supply(kind.name):
            yield "supply_exhausted", Publish(seat, kind.name, hand), True
    for publication in LegalMoves(position).publications:
        move = publication.make_move(seat, hand)
        if move.pay:
            yield "payment_missing", Publish(seat, move.paper, move.cards, move.cite, {}), True
            yield "payment_excess", Publish(seat, move.paper, move.cards, move.cite, {**move.pay, seat: hand[:1]}), True
        if move.cite:
            twice = (*move.cite, move.cite[0])
            yield "cited_twice", Publish(seat, move.paper, move.cards, twice, move.pay), True


def random_move_for(position: Position, seat: int, chance: Random) -> Move:
    """Choose some move other than the flag."""
    return Research(seat, "deck", chance.choice(DECK), chance.choice(DECK))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(5))
def test_every_code_is_found_in_full_and_public_records(seed: int) -> None:
    """Spoilt moves put between the true ones: each is refused with its code, and every true move is accepted."""
    chance = Random(1000 + seed)
    game = _game(seed)
    found: set[str] = set()
    for public in (False, True):
        start = game.positions[0]
        lines, wanted = [header_line(Header("laminate", tuple(start.players), {"first_seat": start.first_seat}))], {}
        for position, move in zip(game.positions, (*game.moves, None), strict=True):
            spoilt = list(_spoilt(position, chance)) if position.phase != "setup" else []
            for code, bad, known in chance.sample(spoilt, min(4, len(spoilt))):
                if known or not public:
                    lines.append(move_line(as_seen(bad) if public and not _tells(bad) else bad))
                    wanted[len(lines)] = code
            if move is not None:
                lines.append(move_line(as_seen(move) if public else move))
        *verdicts, final = check_record(lines)
        for verdict in verdicts:
            code = wanted.get(verdict["line"])
            context = (seed, public, lines[verdict["line"] - 1], verdict)
            if code is None:
                assert verdict["verdict"] == "accepted", context
            else:
                assert verdict["verdict"] == "refused", context
                assert code in (verdict["code"], *verdict["also"]), (code, context)
                found.add(code)
        assert final["final"] == list(game.position.points)
        assert final["winners"] is not None
    assert len(found) >= 17


def _tells(move: Move) -> bool:
    """Return whether the public line keeps the drawn card too: without a discard it does, as what is wrong with it."""
    return isinstance(move, Research) and move.keep is None


THREE = '{"seat":1,"do":"publish","paper":"three","cards":["H7","O7","B7"]}'


def test_two_cards_taken_in_one_review() -> None:
    take = '{"seat":2,"do":"review","of":1,"paper":"three","take":%s}'
    verdicts = _verdicts(HEADER, DEAL, THREE, take % '["H7","O7"]', take % '["H7","C7"]', take % '"H7"')
    assert [verdict.get("code") for verdict in verdicts[2:5]] == ["took_two_cards", "not_reviewable", None]
    assert verdicts[2]["cards"] == ["H7", "O7"]
    assert verdicts[3]["also"] == ["took_two_cards"]


def test_a_payment_in_a_full_record_may_give_only_its_number() -> None:
    deal_line = DEAL.replace('"HA","H2","H3"', '"T7","C7","S9"')
    review = '{"seat":%d,"do":"review","of":1,"paper":"three","take":"%s"}'
    lines = [
        HEADER,
        deal_line,
        THREE,
        review % (2, "H7"),
        review % (3, "O7"),
        '{"seat":1,"do":"research","source":"deck","keep":"F9","discard":"F8"}',
        '{"seat":2,"do":"publish","paper":"three","cards":["C7","T7"],"cite":[{"seat":1,"paper":"three"}],"pay":{"1":1}}',
        '{"seat":3,"do":"review","of":2,"paper":"three","take":"C7"}',
        # H7 or S9 was paid: either may be with the author, the card that was kept is then with the payer.
        '{"seat":1,"do":"publish","paper":"ace_king","cards":["H7","T12"]}',
        '{"seat":1,"do":"publish","paper":"sum49","cards":["H7"]}',
        '{"seat":1,"do":"publish","paper":"sum49","cards":["S9","H7"]}',
    ]
    verdicts = _verdicts(*lines)
    assert [verdict["verdict"] for verdict in verdicts[:7]] == ["accepted"] * 7
    assert "card_not_in_hand" in (verdicts[7]["code"], *verdicts[7]["also"])
    assert (verdicts[8]["code"], verdicts[8]["also"]) == ("not_a_meld", [])
    assert verdicts[9]["code"] == "card_not_in_hand"


def test_a_draw_from_an_empty_pile_with_one_discard_is_that_discard() -> None:
    """Rulings 8: with one card in both piles together it is kept and nothing is discarded."""
    for public in (False, True):
        position = _drawn_out(public)
        seat = position.to_move
        assert seat is not None
        assert (position.draw_count, len(position.discards), position.draw_gives) == (0, 1, 1)
        only = position.discards[0]
        assert only is not None
        other = next(card for card in DECK if card != only)
        draw = Research(seat, "deck", None if public else only)
        assert position.find_reasons(draw) == ()
        assert [reason.code for reason in position.find_reasons(Research(seat, "deck", other))] == ["card_not_in_deck"]
        assert "wrong_count" in [reason.code for reason in position.find_reasons(Research(seat, "deck", only, other))]
        after = position.do(draw)
        assert (after.draw_count, after.discards, after.hand_size(seat)) == (0, (), position.hand_size(seat) + 1)
        assert after.may_hold(seat, only)
        assert not after.may_hold(1 + seat % 3, only)


def _drawn_out(public: bool) -> Position:
    """Return a game in which everybody took cards until a single one was left, on the discard pile."""
    chance = Random(7)
    game = Game(("A", "B", "C"))
    game.play(deal(3, chance))
    while game.position.draw_count or len(game.position.discards) > 1:
        seat, top = game.position.to_move, game.position.top_discard
        assert seat is not None
        if game.position.draw_count:
            keep, *discard = draw_cards(game.position, chance)
            game.play(Research(seat, "deck", keep, discard[0] if discard else None))
        else:
            game.play(Research(seat, "discard", top))
    return game.make_public().position if public else game.position


def test_with_one_card_in_both_piles_a_second_one_is_one_too_many() -> None:
    """Nobody knows which card is the last one, so two cards are refused by their number alone."""
    chance = Random(7)
    game = Game(("A", "B", "C"))
    game.play(deal(3, chance))
    while game.position.draw_count + len(game.position.discards) > 1:
        seat, top = game.position.to_move, game.position.top_discard
        assert seat is not None
        keep, *discard = (top,) if top is not None else draw_cards(game.position, chance)
        game.play(Research(seat, "discard" if top is not None else "deck", keep, discard[0] if discard else None))
    position = game.make_public().position
    assert (position.draw_count, position.discards, position.draw_gives) == (1, (), 1)
    one, other, *_ = (card for card in DECK if position.may_be_in_deck(card))
    reasons = position.find_reasons(Research(position.to_move or 0, "deck", one, other))
    assert [reason.code for reason in reasons] == ["wrong_count"]
