"""Finished tables of random games, laid and seen: scored as the game scored them, and every trap named."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from referee.finished.score import Finished, Score
from referee.laminate.scoring import SCORING
from referee.laminate.simulated.table import SimulatedTable
from referee.registry import load_scorings
from referee.simulation.table import NoRoomError
from referee.table import Detections, Unread
from rules.cards import DECK, Card
from rules.laminate.papers import END_FLAG, LAMINATE, PaperKind
from rules.laminate.position import POINTS_TO_END, Paper, Position
from rules.text import Language, Text
from tests.device.seeing import sightings
from tests.referee.finished.finals import MAT, NAMES, tables


def scored(table: SimulatedTable, unread: tuple[Unread, ...] = (), counted: bool = False) -> Score:
    players = len(table.layout.seats)
    seen = Detections(tuple(sightings(table, table.layout)), unread)
    names = tuple(Text(name) for name in NAMES[:players])
    told = {"seats": players, "over": True} if counted else {}
    return SCORING.score(SCORING.observe(seen, table.layout), Finished(names, table.layout, told))


def test_the_referee_offers_a_score() -> None:
    assert load_scorings()["laminate"] is SCORING


def score_all(seeds: range) -> int:
    """Score the tables of these games as they lie, and hold each to its game; how many had room for their papers."""
    count = 0
    for seed, position, table in tables(seeds):
        score = scored(table)
        assert (score.faults, score.unread) == ((), ()), (seed, [str(f.reason.text) for f in score.faults])
        assert position.outcome is not None
        assert (score.final, score.places) == (position.outcome.points, position.outcome.places), seed
        assert score.winners == position.outcome.winners, seed
        assert score.why is not None
        for tally in score.tallies:
            own = [paper for paper in position.papers if paper.seat == tally.seat]
            complete = [(item.data["paper"], item.data["card"]) for item in tally.groups["complete"]]
            assert sorted(complete) == sorted((p.kind, str(p.cards[0])) for p in own if p.complete)
            assert sorted(item.data["paper"] for item in tally.groups["review"]) == sorted(
                p.kind for p in own if not p.complete
            )
        count += 1
    return count


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 250), marks=pytest.mark.slow)], ids=str)
def test_a_finished_table_is_scored_as_the_game_scored_it(seeds: range) -> None:
    assert score_all(seeds) > 0.8 * len(seeds)


# --- what can't be

Trap = Callable[[SimulatedTable, Position, random.Random], str | None]


def _unseen(position: Position, rng: random.Random) -> list[Card]:
    """Cards that do not lie face up, in a random order."""
    seen = {card for paper in position.papers for card in paper.cards} | set(position.discards)
    return rng.sample([card for card in DECK if card not in seen], len(DECK) - len(seen))


def _fitting(kind: PaperKind, cards: list[Card]) -> Card | None:
    return next((card for card in cards if kind.can_hold([card])), None)


def _lacking(position: Position, seat: int) -> list[PaperKind]:
    """Return the kinds that a seat might have and has not."""
    return [
        k
        for k in LAMINATE
        if k.name != END_FLAG and not position.find_paper(seat, k.name) and position.count_supply(k.name)
    ]


def _kind_twice(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    papers = [paper for paper in position.papers if paper.kind != END_FLAG]
    paper = rng.choice(papers)
    card = _fitting(LAMINATE[paper.kind], _unseen(position, rng))
    if card is None:
        return None
    table.lay_paper(paper.seat, paper.kind, [card], True)
    return "paper_already_held"


def _more_than_there_are(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    cards = _unseen(position, rng)
    kind = rng.choice([kind for kind in LAMINATE if kind.copies <= 2 and kind.name != END_FLAG])
    seats = [seat for seat in range(1, len(position.players) + 1) if position.find_paper(seat, kind.name) is None]
    for _ in range(position.count_supply(kind.name) + 1):
        card = _fitting(kind, cards)
        if not seats or card is None:
            return None
        cards.remove(card)
        table.lay_paper(seats.pop(), kind.name, [card], True)
    return "supply_exhausted"


def _turned(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    table.turn_paper(*rng.choice(list(table.columns)))
    return "turn_the_paper"


def _no_card_of_it(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    cards = _unseen(position, rng)
    for seat in rng.sample(range(1, len(position.players) + 1), len(position.players)):
        for kind in _lacking(position, seat):
            wrong = [card for card in cards if not kind.can_hold([card])]
            if wrong:
                table.lay_paper(seat, kind.name, [wrong[0]], True)
                return "not_a_meld"
    return None


def _card_twice(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    card = rng.choice([card for paper in position.papers for card in paper.cards])
    return "table_disturbed" if table.drop(rng.randint(1, len(position.players)), str(card)) else None


def _card_in_two_papers(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    paper = rng.choice([paper for paper in position.papers if paper.complete])
    for seat in range(1, len(position.players) + 1):
        for kind in _lacking(position, seat):
            if kind.can_hold(paper.cards):
                table.lay_paper(seat, kind.name, paper.cards, True)
                return "table_disturbed"
    return None


def _flag(position: Position) -> Paper | None:
    return next((paper for paper in position.papers if paper.kind == END_FLAG), None)


def _two_flags(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    flag = _flag(position)
    if flag is None:
        return None
    table.lay_paper(flag.seat % len(position.players) + 1, END_FLAG, _unseen(position, rng)[:1], True)
    return "supply_exhausted"


def _flag_too_early(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    flag = _flag(position)
    poor = [seat for seat, points in enumerate(position.points, 1) if points < POINTS_TO_END]
    if not poor:
        return None
    if flag is not None:
        table.remove_paper(flag.seat, END_FLAG)
    table.lay_paper(rng.choice(poor), END_FLAG, flag.cards if flag else _unseen(position, rng)[:1], True)
    return "flag_not_due"


def _paper_alone(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    seat = rng.randint(1, len(position.players))
    table.lay_paper(seat, rng.choice(_lacking(position, seat)).name, [], True)
    return "table_disturbed"


def _card_alone(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    dropped = table.drop(rng.randint(1, len(position.players)), str(_unseen(position, rng)[0]))
    return "table_disturbed" if dropped else None


def _two_cards_on_a_complete_paper(table: SimulatedTable, position: Position, rng: random.Random) -> str | None:
    paper = rng.choice([p for p in position.papers if p.complete and p.kind == "sum100"] or position.papers)
    if paper.kind == END_FLAG or not paper.complete:
        return None
    more = [c for c in _unseen(position, rng) if LAMINATE[paper.kind].can_hold([*paper.cards, c])]
    if not more:
        return None
    table.add_to_paper(paper.seat, paper.kind, more[0])
    return "turn_the_paper"


TRAPS: tuple[Trap, ...] = (
    _kind_twice,
    _more_than_there_are,
    _turned,
    _no_card_of_it,
    _card_twice,
    _card_in_two_papers,
    _two_flags,
    _flag_too_early,
    _paper_alone,
    _card_alone,
    _two_cards_on_a_complete_paper,
)


@pytest.mark.few(2)
@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.__name__.strip("_"))
def test_what_cannot_be_is_named_and_nobody_wins(trap: Trap) -> None:
    made = 0
    for seed, position, table in tables(range(40)):
        rng = random.Random(f"{trap.__name__} {seed}")
        try:
            code = trap(table, position, rng)
        except NoRoomError:
            continue
        if code is None:
            continue
        made += 1
        score = scored(table)
        assert score.winners is None, seed
        assert score.why is None
        assert code in {fault.reason.code for fault in score.faults}, (seed, score.faults)
        assert all(str(fault.reason.text) and fault.reason.text.said(Language.JA) for fault in score.faults)
        if made == 8:
            return
    raise AssertionError("too few tables with that trap")


def _three_at(table: SimulatedTable) -> tuple[float, float]:
    head = next(iter(table.columns.values())).placed[0]
    return head.x, head.y


def test_an_unread_card_in_a_paper_leaves_the_result_open_but_one_on_the_piles_does_not() -> None:
    _, position, table = next(tables(range(1)))
    on_pile = Unread(*table.layout.discard, 0.0, "covered", ("H7", "O7"))
    assert scored(table, (on_pile,)).winners == position.outcome.winners  # type: ignore[union-attr]
    x, y = _three_at(table)
    below = Unread(x, y + (-60 if y < MAT[1] / 2 else 60), 0.0, "glare", ("H7", "O7"))
    score = scored(table, (below,))
    assert score.winners is None
    ((mark, words),) = score.unread
    assert mark == below
    assert "glare" in str(words)
    assert "反射" in words.said(Language.JA)


def test_thanks_and_cards_face_down_do_not_matter() -> None:
    _, position, table = next(tables(range(1)))
    table.pay(1, 2)
    assert table.drop(1, "back")
    assert scored(table).winners == position.outcome.winners  # type: ignore[union-attr]


def test_a_tie_goes_to_the_fewer_papers_and_is_shared_otherwise() -> None:
    table = SimulatedTable(SCORING.make_layout(3, MAT), random.Random(1))
    cards = {name: [Card.parse(name)] for name in ("H7", "O7", "B7", "C7", "S7")}
    table.lay_paper(1, "sum49", cards["H7"], True)
    table.lay_paper(2, "straight5", cards["O7"], True)
    table.lay_paper(2, "three", cards["B7"], True)
    score = scored(table, counted=True)
    assert (score.final, score.winners) == ((2, 2, 0), (1,))
    assert score.why is not None
    assert str(score.why) == (
        "Hilbert and Banach have 2 points each and 1 and 2 complete papers: Hilbert wins with the fewest."
    )
    assert score.why.said(Language.JA) == (
        "Hilbert、Banachが2点で並び、完成した論文は1枚と2枚です。最も少ないHilbertの勝ちです。"
    )
    table.lay_paper(3, "three_pairs", cards["C7"], True)
    assert scored(table, counted=True).winners == (1, 3)
    table.lay_paper(3, "three", cards["S7"], True)
    assert scored(table, counted=True).winners == (3,)


def test_it_is_asked_whether_the_game_is_over_where_nothing_says_so() -> None:
    """The flag says it, and so do 15 points: with an empty hand there is no flag."""
    kinds = [kind for kind in LAMINATE if kind.name != END_FLAG]
    cards = list(DECK)
    table = SimulatedTable(SCORING.make_layout(3, MAT), random.Random(1))

    def lay(seat: int, kind: PaperKind) -> int:
        card = _fitting(kind, cards)
        assert card is not None
        cards.remove(card)
        table.lay_paper(seat, kind.name, [card], True)
        return kind.points

    for seat in (1, 2, 3):
        points = lay(seat, LAMINATE["three"])

    def asked() -> bool:
        score = scored(table)
        about = [str(fault.reason.text) for fault in score.faults if "may not be over" in str(fault.reason.text)]
        assert (score.winners is None) == bool(score.faults)
        return bool(about)

    assert asked()
    assert scored(table, counted=True).winners == (1, 2, 3)
    for kind in kinds:
        if kind.name != "three":
            assert asked() == (points < POINTS_TO_END)
            points += lay(1, kind)
    assert points > POINTS_TO_END
    early = SimulatedTable(SCORING.make_layout(3, MAT), random.Random(1))
    early.lay_paper(1, END_FLAG, [Card.parse("H7")], True)
    assert not any("may not be over" in str(fault.reason.text) for fault in scored(early).faults)
