"""The parts of the referee of Seven Minutes alone: layout, state, heaps, unread cards, words."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from referee.entry_data import EntryError
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, find_bounds
from referee.seven_minutes import judging
from referee.seven_minutes.judging import find_orders, first_flips
from referee.seven_minutes.layout import DRAW, ROW, TRAY, row_spot
from referee.seven_minutes.look import Look, MinutesView, heaps_of
from referee.seven_minutes.referee import REFEREE
from referee.seven_minutes.state import MinutesState, lie_at, locate_dice, state_in
from referee.seven_minutes.words import chance_of_hit, format_percent, lay_steps, move_words, ranks_of, row_words
from referee.simulation.registry import simulation_of
from referee.table import Detections, Die, Sighting, Unread
from rules.cards import DECK, Card
from rules.seven_minutes.moves import Flip, Roll, Setup, Stop
from rules.seven_minutes.position import Position
from rules.seven_minutes.row import Row, Take
from rules.text import Language
from tests.referee.seven_minutes.test_at_the_table import LAYOUT, PLAYERS

c = Card.parse


def position(*names: str) -> Position:
    """Hilbert has flipped these."""
    now = Position.start(PLAYERS).do(Setup())
    for name in names:
        now = now.do(Flip(1, c(name)))
    return now


def at(name: str, place: int, card: int = 0, dx: float = 0.0, dy: float = 0.0) -> Sighting:
    x, y = row_spot(place, card, REFERENCE_MAT_MM)
    return Sighting(name, x + dx, y + dy, 0.0)


# Layout


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_places_are_those_of_the_page(players: int) -> None:
    layout = REFEREE.make_layout(players, REFERENCE_MAT_MM)
    w, h = REFERENCE_MAT_MM
    assert layout.place_at(0.06 * w, 0.5 * h) == DRAW
    for place in range(13):
        x, y = row_spot(place, 0, REFERENCE_MAT_MM)
        assert (x, y) == pytest.approx((0.06 * w + 75 + 69 * place, 0.5 * h))
        assert layout.place_at(x, y) == ROW
    assert (x + 31.5) / w == pytest.approx(0.85, abs=0.005)
    assert row_spot(2, 6, REFERENCE_MAT_MM)[1] == pytest.approx(0.5 * h + 120)
    assert layout.place_at(*row_spot(2, 6, REFERENCE_MAT_MM)) == ROW
    for x, y in ((0.91, 0.39), (0.98, 0.61), (0.95, 0.5)):
        assert layout.place_at(x * w, y * h) == TRAY
    assert [zone.name for zone in layout.zones if zone.dice] == [TRAY]
    assert [zone.name for zone in layout.zones if zone.still_apart] == [TRAY]
    for seat in range(1, players + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        top = layout.faces_down(seat)
        assert (y0, y1) == pytest.approx((0.0, 0.3 * h) if top else (0.7 * h, h))
        assert layout.place_at((x0 + x1) / 2, (y0 + y1) / 2) == f"seat:{seat}"
    assert layout.place_at(0.05 * w, 0.69 * h) == DRAW
    assert layout.place_at(0.05 * w, 0.71 * h) == "seat:1"
    assert layout.place_at(0.5 * w, 0.69 * h) == ROW
    assert layout.place_at(0.95 * w, 0.65 * h) == "table"


@pytest.mark.parametrize("mat", [(600.0, 600.0), (800.0, 600.0), (1000.0, 700.0), (1120.0, 820.0)])
def test_on_a_small_mat_the_longest_row_lies_closer(mat: tuple[float, float]) -> None:
    layout = REFEREE.make_layout(2, mat)
    spots = [row_spot(place, card, mat) for place in range(13) for card in (0, 6)]
    assert {layout.place_at(*spot) for spot in spots} == {ROW}
    assert row_spot(0, 6, mat)[1] <= 0.7 * mat[1] - 9.9
    pitch = row_spot(1, 0, mat)[0] - row_spot(0, 0, mat)[0]
    assert pitch > 31.5, "closer, they would be one stack"
    assert pitch == pytest.approx(69.0, abs=1.0) or mat[0] < 1120
    assert layout.place_at(0.06 * mat[0], 0.5 * mat[1]) == DRAW
    assert layout.place_at(*row_spot(0, 0, mat)) == ROW


# State


def test_a_state_beyond_its_position_comes_back_as_it_was() -> None:
    taken = position("S9").do(Stop(1)).do(Roll(1, (1, 1)))
    mark = Unread(215.0, 420.0, 0.0, "glare", ("H3", "C4"))
    state = MinutesState(taken, ((1.0, 2.5, 6), (3.0, 4.0, None)), ((5.0, 6.0, 1),), True, (4, 1), mark)
    again = json.loads(json.dumps(state.save_details()))
    assert state_in(taken, again) == state
    assert state.to_json() == {"position": state.position.to_json(), **state.save_details()}
    none = MinutesState(state.position)
    assert state_in(taken, none.save_details()) == none


def test_what_older_journals_tell_of_dice_is_read() -> None:
    stopped = position("S9", "H3", "C10").do(Stop(1))
    whole = {"dice": [[1.0, 2.0]], "refused": [[3.0, 4.0]], "taking": False}
    old = MinutesState(stopped, ((1.0, 2.0, None),), ((3.0, 4.0, None),))
    assert state_in(stopped, whole) == old
    told = {"dice": None, "refused": [], "taking": False}
    rolled = stopped.do(Roll(1, (1, 1)))
    assert state_in(rolled, told) == MinutesState(rolled, told=(1, 1))
    struck = rolled.do(Roll(1, (1, 2)))
    assert state_in(struck, {**told, "taking": True}) == MinutesState(struck, taking=True, told=(1, 2))


@pytest.mark.parametrize(
    "wrong",
    [
        {"taking": 1},
        {"taking": None},
        {"dice": 5},
        {"dice": [1.0]},
        {"dice": [[1.0]]},
        {"dice": [[1.0, 2.0, 7]]},
        {"dice": [[1.0, 2.0, True]]},
        {"dice": [[1.0, 2.0, 3, 4]]},
        {"dice": [["1", 2.0]]},
        {"dice": [[True, 2.0]]},
        {"dice": [[1.0, 20_000.0]]},
        {"dice": [[float("nan"), 1.0]]},
        {"dice": [[1.0, 1.0]] * 13},
        {"dice": "ab"},
        {"refused": None},
        {"refused": [[1.0, -20_000.0]]},
        {"told": [1]},
        {"told": [0, 1]},
        {"told": 3},
        {"unread": []},
        {"unread": {"x": 1.0, "y": 2.0, "cause": "glare", "cards": ["Z9"]}},
        {"unread": {"x": 1.0, "y": 2.0, "cause": "glare", "cards": [["H7"]]}},
        {"unread": {"x": 1.0, "y": 2.0, "cause": "rain", "cards": []}},
        {"unread": {"x": 1.0, "y": "2", "cause": "glare", "cards": []}},
        {"unread": {"x": 1.0, "y": 2.0, "cause": "glare", "cards": ["H7"] * 50}},
    ],
)
def test_what_a_file_may_not_hold_beyond_a_position_is_refused(wrong: dict[str, Any]) -> None:
    now = position("S9")
    whole = {"dice": [[1.0, 2.0]], "refused": [], "taking": False}
    assert state_in(now, whole) == MinutesState(now, ((1.0, 2.0, None),))
    assert len(state_in(now, {**whole, "dice": [[1.0, 1.0]] * 12}).dice) == 12
    with pytest.raises(EntryError):
        state_in(now, {**whole, **wrong})


def test_dice_are_kept_to_a_tenth_of_a_millimetre_and_unmoved_within_a_few() -> None:
    dice = (Die(10.04, 20.06, 1), Die(50.0, 60.0, 2))
    assert locate_dice(dice) == ((10.0, 20.1, 1), (50.0, 60.0, 2))
    assert lie_at(dice, ((50.0, 60.0, None), (10.0, 20.0, None)))
    assert lie_at((Die(15.9, 20.0, 1), dice[1]), locate_dice(dice))
    assert not lie_at((Die(16.2, 20.0, 1), dice[1]), locate_dice(dice))
    assert not lie_at((dice[0], Die(12.0, 20.0, 1)), locate_dice(dice)), "each at a place of its own"


def test_a_die_that_is_covered_or_shows_beside_those_known_says_nothing_of_them() -> None:
    dice = (Die(10.0, 20.0, 1), Die(50.0, 60.0, 2))
    assert lie_at(dice[:1], locate_dice(dice))
    assert lie_at((), locate_dice(dice))
    assert lie_at(dice, locate_dice(dice[:1]))
    assert not lie_at(dice[1:], locate_dice(dice[:1]))
    assert not lie_at(dice, ()), "nothing is known of them"


def test_a_die_that_could_not_be_read_may_have_lain_up_to_its_width_off() -> None:
    unread = locate_dice((Die(10.0, 20.0, None, cause="hidden"),))
    assert unread == ((10.0, 20.0, None),)
    assert lie_at((Die(25.9, 20.0, 3),), unread)
    assert not lie_at((Die(26.1, 20.0, 3),), unread)


def test_a_state_set_by_hand_keeps_what_lies_beyond_it() -> None:
    now = MinutesState(position("S9"), ((1.0, 2.0, 3),), ((3.0, 4.0, None),))
    options = {"first_seat": 1}
    saved = position("S9", "H3").to_json()
    set_to = REFEREE.read_state({"position": saved}, now, options)
    assert set_to == MinutesState(set_to.position, now.dice, now.thrown)
    assert set_to.position.row.length == 2
    told = {"position": saved, "dice": [[5.0, 6.0]], "refused": [], "taking": True}
    assert REFEREE.read_state(told, now, options) == MinutesState(set_to.position, ((5.0, 6.0, None),))
    taken = position("S9").do(Stop(1)).do(Roll(1, (1, 1)))
    told = {"position": taken.to_json(), "dice": None, "refused": [], "taking": True}
    assert REFEREE.read_state(told, now, options) == MinutesState(taken, taking=True, told=(1, 1))


def test_only_a_roll_that_ends_the_judgement_leaves_cards_to_take() -> None:
    state = MinutesState(position("S9", "H3"), ((1.0, 2.0, 1),))
    for told in (Flip(1, c("C10")), Stop(1)):
        after = REFEREE.after_move(state, told, {})
        assert (after.dice, after.taking) == (state.dice, False)
    stopped = REFEREE.after_move(state, Stop(1), {})
    once = REFEREE.after_move(stopped, Roll(1, (1, 1)), {})
    assert (once.dice, once.told, once.taking) == (state.dice, (1, 1), False)
    assert REFEREE.after_move(once, Roll(1, (1, 1)), {}).taking
    assert REFEREE.after_move(stopped, Roll(1, (1, 2)), {}).taking
    kept = REFEREE.after_move(stopped, Roll(1, (1, 2)), {"dice": [[5.0, 6.0]], "refused": [], "taking": True})
    assert (kept.dice, kept.taking) == (((5.0, 6.0, None),), True)


# Looking


def test_cards_that_overlap_by_more_than_their_half_width_are_a_stack() -> None:
    heaps = heaps_of([at("B9", 0, 1, dx=31.0), at("S9", 0), at("H3", 0, dx=32.0), at("C10", 2)])
    assert [[seen.name for seen in heap] for heap in heaps] == [["S9", "B9"], ["H3"], ["C10"]]
    assert heaps_of([]) == ()


def test_the_topmost_in_the_picture_lies_at_the_bottom() -> None:
    (heap,) = heaps_of([at("F9", 0, 2, dx=-5.0), at("S9", 0, dx=5.0), at("B9", 0, 1)])
    assert [seen.name for seen in heap] == ["S9", "B9", "F9"]


def look(now: Position, cards: list[Sighting], *unread: Unread) -> Look:
    pile = Sighting("back", 71.0, 420.0, 0.0)
    view = REFEREE.observe(Detections((pile, *cards), unread, ()), LAYOUT)
    return Look.from_view(MinutesState(now), view, LAYOUT)


def mark(place: int, dx: float = 0.0, *likely: str) -> Unread:
    x, y = row_spot(place, 0, REFERENCE_MAT_MM)
    return Unread(x + dx, y, 0.0, "glare", likely)


@pytest.mark.parametrize(
    ("seen", "unread", "stands"),
    [
        # Between its neighbours.
        ([at("S9", 0), at("C10", 2)], mark(1), True),
        ([at("S9", 0), at("C10", 2)], mark(1, 0.0, "H3", "H4"), True),
        ([at("S9", 0), at("C10", 2)], mark(1, 0.0, "C4", "C5"), False),
        # On a neighbour, or beyond it.
        ([at("S9", 0), at("C10", 2)], mark(2, -20.0), False),
        ([at("S9", 0), at("C10", 2)], mark(0, 20.0), False),
        ([at("S9", 0), at("C10", 2)], mark(3), False),
        # Beyond the last that is read a new card may lie as well.
        ([at("S9", 0), at("H3", 1)], mark(2), False),
        ([at("H3", 1), at("C10", 2)], mark(0), True),
    ],
)
def test_an_unread_card_stands_for_one_that_lay_there(seen: list[Sighting], unread: Unread, stands: bool) -> None:
    found = look(position("S9", "H3", "C10"), seen, unread)
    assert (not found.view.unread) is stands
    assert found.whole is stands


def test_an_unread_card_of_a_stack_lies_on_its_stack() -> None:
    now = position("S9", "H3", "B9")
    assert look(now, [at("S9", 0), at("H3", 1)], mark(0, 10.0)).whole
    assert look(now, [at("S9", 0), at("H3", 1)], mark(0, 40.0)).view.unread


def test_one_unread_card_stands_for_one_card_alone() -> None:
    now = position("S9", "H3", "C10", "B4")
    found = look(now, [at("S9", 0), at("B4", 3)], mark(1), mark(2))
    assert found.whole
    assert not look(now, [at("S9", 0), at("B4", 3)], mark(1)).whole


@pytest.mark.parametrize(("likely", "stands"), [((), True), (("back", "S8"), True), (("S8",), False)])
def test_an_unread_card_on_the_draw_pile_is_a_back_where_it_may_be(likely: tuple[str, ...], stands: bool) -> None:
    now = position("S9")
    view = REFEREE.observe(Detections((at("S9", 0),), (Unread(71.0, 420.0, 0.0, "glare", likely),), ()), LAYOUT)
    assert (not Look.from_view(MinutesState(now), view, LAYOUT).view.unread) is stands


def test_dice_in_the_tray_and_elsewhere() -> None:
    dice = (Die(1120.0, 420.0, 3), Die(1000.0, 420.0, 4), Die(1120.0, 300.0, 5))
    view = REFEREE.observe(Detections((), (), dice), LAYOUT)
    assert isinstance(view, MinutesView)
    assert (view.dice, view.astray) == (dice[:1], dice[1:])


def test_a_look_is_another_where_the_row_or_the_dice_are() -> None:
    def lay(cards: list[Sighting], *dice: Die) -> object:
        return REFEREE.take_fingerprint(REFEREE.observe(Detections(tuple(cards), (), dice), LAYOUT), LAYOUT)

    apart, stacked = [at("S9", 0), at("H3", 1)], [at("S9", 0), at("H3", 0, 1)]
    assert lay(apart) == lay([at("H3", 1, dx=2.0), at("S9", 0, dy=2.0)])
    assert lay(apart) != lay(stacked)
    assert lay(apart) != lay([at("H3", 0), at("S9", 1)])
    die = Die(1120.0, 420.0, 3)
    assert lay(apart, die) != lay(apart)
    assert lay(apart, die) != lay(apart, Die(1120.0, 420.0, 4))
    assert lay(apart, Die(1120.0, 420.0, None, cause="emblem")) != lay(apart, Die(1120.0, 420.0, None, cause="cocked"))


# Orders of flips


def test_of_the_orders_that_the_rules_allow_each_first_card_is_found() -> None:
    now = position("C5")
    heaps = [[c("O5")], [c("FK")], [c("C4")]]
    found = find_orders(now, heaps, [False, True, True])
    assert {tuple(str(flip.card) for flip in order) for order in found} == {("O5", "FK", "C4"), ("FK", "O5", "C4")}
    assert first_flips(now, found) == [Flip(1, c("O5")), Flip(1, c("FK"))]
    assert first_flips(now, find_orders(now, [[c("O5")], [c("C4")]], [False, True])) == [Flip(1, c("O5"))]
    assert first_flips(now, find_orders(now, [[c("O5")]], [False])) == [Flip(1, c("O5"))]


def test_many_cards_flipped_in_one_look_are_tried_in_few_orders() -> None:
    ranks = [[str(card) for card in DECK if card.rank == rank][:4] for rank in range(3, 11)]
    heaps = [[c(name) for name in names] for names in ranks]
    tried = []
    start = position("FK")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judging, "Flip", lambda *made: (tried.append(made), Flip(*made))[1])
        found = find_orders(start, heaps, [True] * len(heaps))
    assert {order[0].card for order in found} == {c("H3")}
    assert len(tried) < 2000


def test_of_flips_that_can_not_all_be_legal_the_most_are() -> None:
    found = find_orders(position("C5"), [[c("O7")], [c("C4")]], [True, True])
    assert found == [[Flip(1, c("O7"))]]
    assert find_orders(position("C5", "O7"), [[c("C4")]], [True]) == []
    assert first_flips(position("C5", "O7"), []) == []


# Words


def test_chances_are_said_in_whole_percents_but_never_as_sure() -> None:
    assert [format_percent(share) for share in (0.0, 0.001, 0.5, 0.999, 1.0)] == ["0 %", "1 %", "50 %", "99 %", "100 %"]
    assert chance_of_hit(Row.from_cards(map(c, ("FK", "HA")))) == 0.0
    assert chance_of_hit(Row.from_cards(map(c, ("H2", "T12", "O2")))) == pytest.approx(2 / 36)


def test_the_row_in_ranks_and_what_changes_its_judgement() -> None:
    row = Row.from_cards(map(c, ("S9", "B9", "FK", "HA")))
    assert ranks_of(row) == "9×2 K A"
    assert (
        str(row_words(row))
        == "Row: 9×2 K A. Only the places from the K on are rolled for. With the A, a hit takes what lies beyond it."
    )
    assert str(row_words(Row.from_cards([c("FK"), c("S9")]))) == "Row: K 9."
    assert str(row_words(Row())) == "The row is empty."


def test_what_was_taken_is_laid_card_by_card_up_to_seven() -> None:
    seven = Row.from_cards(map(c, ("S9", "H3", "C10", "T12", "B4", "O5", "S6")))
    steps = lay_steps(Take(2, (1, 1), seven.stacks, True), "Banach")
    assert [(step.item, step.source, step.target) for step in steps] == [
        (str(card), ROW, "seat:2") for card in seven.cards
    ]
    assert str(steps[0].text) == "Put star 9 face up in Banach's area."
    assert steps[0].text.said(Language.JA) == "スター9を表向きでBanachさんの場に置いてください。"
    (one,) = lay_steps(Take(2, (1, 1), seven.flip_card(c("F8")).stacks, False), "Banach")
    assert str(one.text) == "Put 8 cards face down in Banach's area."
    assert (one.item, one.source, one.target) == ("S9", ROW, "seat:2")


def test_a_move_in_words() -> None:
    now = position("S9")
    assert str(move_words(Roll(1, (3, 4)), now)) == "Hilbert rolls 3 and 4: 7."
    assert move_words(Roll(2, (3, 4)), now).said(Language.JA) == "Banachさんのダイスは3と4、合計7です。"
    assert move_words(Stop(1), now).said(Language.JA) == "Hilbertさんはとまりました。"


# The simulated table


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_simulated_table_lies_in_its_places_and_on_the_mat(players: int) -> None:
    names = ("Ada", "Emmy", "Sofia", "Mary", "Hedy")[:players]
    layout = REFEREE.make_layout(players, REFERENCE_MAT_MM)
    game = simulation_of(REFEREE, names, {"first_seat": 1}, layout, Random(players))
    places: set[str] = set()
    for attempt in game.play_game():
        lying = game.lying
        places |= {layout.place_at(card.x, card.y) for card in lying}
        if attempt.code is None:
            x0, y0, x1, y1 = find_bounds(list(lying))
            assert min(x0, y0) > 0
            assert x1 < REFERENCE_MAT_MM[0]
            assert y1 < REFERENCE_MAT_MM[1]
    assert places == {DRAW, ROW, *(f"seat:{seat}" for seat in range(1, players + 1))}
    assert isinstance(lying[0], Placed)
