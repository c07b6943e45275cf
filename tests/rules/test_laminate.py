"""The rules of Laminate Rummy, named after the numbers of RULINGS.md and the codes of FORMATS.md."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.cards import DECK, Card, cards_in, mask_of
from rules.judged import Ended
from rules.laminate.game import Game
from rules.laminate.moves import Citation, Deal, EndFlag, Move, Pass, Publish, Research, Review, Setup
from rules.laminate.papers import BUILT_IN, PaperKind, Papers, Ranks
from rules.laminate.position import Ending, Paper, Position
from rules.refusal import Illegal, Refusal
from rules.text import Text
from tests.words import en, ja

NAMES = ("Hilbert", "Banach", "Noether")


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def card(name: str) -> Card:
    return Card.parse(name)


def dealt(hands: Sequence[str], discard: str = "T8", first: int = 1) -> Position:
    names = (*NAMES, "Gauss", "Euler")[: len(hands)]
    return Position.start(names, first).do(Deal(tuple(map(cards, hands)), cards(discard)))


def table(
    hands: Sequence[str],
    *,
    papers: Sequence[tuple[int, str, str]] = (),
    draw: str = "",
    discards: str = "",
    to_move: int = 1,
    **more: object,
) -> Position:
    """Restore a position as it might come about from data: whatever is not named is out of the way in area 3."""
    data = dealt(["H7 O7 B7", "C7 S7 T7", "HA H2 H3"]).to_json()
    data.update(
        hands=[hand.split() for hand in hands],
        sizes=[len(hand.split()) for hand in hands],
        draw=draw.split(),
        draw_count=len(draw.split()),
        discards=discards.split(),
        seat=to_move,
        areas=[
            [{"paper": kind, "cards": laid.split()} for seat, kind, laid in papers if seat == area]
            for area in range(1, len(hands) + 1)
        ],
        **more,
    )
    return Position.from_json(data)


def refused(position: Position, move: Move) -> Refusal:
    before = position.to_json()
    refusal = position.verify(move)
    assert refusal is not None
    assert not position.is_legal(move)
    with pytest.raises(Illegal) as caught:
        position.do(move)
    assert caught.value.refusal == refusal
    assert position.to_json() == before
    assert en(refusal.text).endswith(".")
    assert ja(refusal.text).endswith(("。", "）。"))
    return refusal


def codes(position: Position, move: Move) -> tuple[str, ...]:
    refusal = refused(position, move)
    return (refusal.code, *refusal.also)


class TestSetUp:
    """11, and the deal of the booklet's preparation."""

    @pytest.mark.parametrize(("players", "discards", "draw"), [(3, "T8", 39), (4, "T8 T9", 35), (5, "T8 T9 F8 F9", 30)])
    def test_11_hands_of_three_and_the_rest_discarded(self, players: int, discards: str, draw: int) -> None:
        hands = ["HA H2 H3", "O2 O3 O4", "B3 B4 B5", "C4 C5 C6", "S5 S6 S7"][:players]
        position = dealt(hands, discards, first=players)
        assert position.draw_count == draw
        assert [position.hand_size(seat) for seat in range(1, players + 1)] == [3] * players
        assert position.to_move == players
        assert position.top_discard == cards(discards)[-1]

    @pytest.mark.parametrize("players", [1, 2, 6])
    def test_three_to_five_players(self, players: int) -> None:
        with pytest.raises(ValueError, match="3 to 5"):
            Position.start(["P"] * players)

    def test_public_set_up_shows_the_top_discard(self) -> None:
        position = Position.start("ABCDE", 4).do(Setup(card("F9")))
        assert position.discards == (None, None, None, card("F9"))
        assert position.draw_count == 30

    @pytest.mark.parametrize(
        "deal",
        [
            Deal((cards("HA H2 H3"), cards("O2 O3 O4")), cards("T8")),
            Deal((cards("HA H2 H3"), cards("O2 O3 O4"), cards("B3 B4")), cards("T8")),
            Deal((cards("HA H2 H3"), cards("O2 O3 O4"), cards("B3 B4 B5")), cards("T8 T9")),
            Deal((cards("HA H2 H3"), cards("O2 O3 O4"), cards("B3 B4 HA")), cards("T8")),
        ],
    )
    def test_a_deal_that_cannot_be(self, deal: Deal) -> None:
        assert codes(Position.start(NAMES), deal) == ("bad_record",)

    def test_nothing_before_the_deal_and_no_second_one(self) -> None:
        assert codes(Position.start(NAMES), Pass(1)) == ("bad_record",)
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
        assert codes(position, Setup(card("H7"))) == ("bad_record",)


class TestTurns:
    """1: one action a turn, clockwise."""

    def test_1_clockwise_from_any_seat(self) -> None:
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"], first=3)
        assert codes(position, Research(1, "discard", card("T8"))) == ("out_of_turn",)
        position = position.do(Research(3, "discard", card("T8")))
        assert position.to_move == 1

    def test_no_such_seat(self) -> None:
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
        assert codes(position, Pass(4)) == ("bad_record", "out_of_turn")

    def test_1_no_pass_while_research_or_review_is_possible(self) -> None:
        both = table(["H7", "", ""], papers=[(2, "three", "C7 S7 T7")], draw="HA")
        assert en(refused(both, Pass(1)).text) == "Hilbert may not pass while research and review are possible."
        assert "Hilbertさん" in ja(refused(both, Pass(1)).text)
        only_review = table(["H7", "", ""], papers=[(2, "three", "C7 S7 T7")])
        assert en(refused(only_review, Pass(1)).text).endswith("while review is possible.")
        assert codes(table(["H7", "", ""], discards="HA"), Pass(1)) == ("pass_not_allowed",)

    def test_1_a_pass_is_allowed_although_a_publication_is_possible(self) -> None:
        position = table(["H7 O7 B7", "", ""])
        assert position.is_legal(Publish(1, "three", cards("H7 O7 B7")))
        assert position.pass_allowed
        assert position.do(Pass(1)).to_move == 2

    def test_1_the_game_ends_when_all_pass_in_a_row(self) -> None:
        position = table(["H7 O7 B7", "C7", ""], papers=[(1, "ace_king", "HA"), (2, "three_pairs", "H2")])
        for seat in (1, 2, 3):
            position = position.do(Pass(seat))
        assert position.outcome == Ended(Ending.PASSES, (1, 1, 3), (2, 2, 0))
        assert position.to_move is None
        assert codes(position, Pass(1)) == ("game_over",)

    def test_1_passing_does_not_stop_later_turns(self) -> None:
        position = table(["H7 O7 B7 S9", "C7", ""], to_move=2).do(Pass(2)).do(Pass(3))
        position = position.do(Publish(1, "three", cards("H7 O7 B7")))
        position = position.do(Review(2, 1, "three", card("H7")))
        assert position.to_move == 3
        assert position.outcome is None

    def test_1_the_flag_does_not_break_the_run_of_passes(self) -> None:
        """Banach, lifted to 15 by a review, passes, takes the flag, and two more passes end the game."""
        position = table(
            ["H7", "O2", "S9"],
            papers=[(2, "straight11", "HA"), (2, "sum100", "O5 O6")],
        )
        position = position.do(Review(1, 2, "sum100", card("O5")))
        assert position.points == (0, 15, 0)
        assert position.phase == "play"
        position = position.do(Pass(2))
        assert position.phase == "flag"
        position = position.do(EndFlag(2, card("O2"))).do(Pass(3))
        assert position.turns_left == 4
        position = position.do(Pass(1))
        assert position.outcome == Ended(Ending.PASSES, (2, 1, 2), (0, 16, 0))


def _before_fifteen(hand: str = "S8 S9") -> Position:
    """Hilbert has 9 points complete and 6 more under review, to be lifted by his own review."""
    return table(
        [hand, "O2", "B9"],
        papers=[(1, "straight11", "HA"), (1, "sum100", "O5 O6")],
        draw="T6 T7 T8 T9 T10 T11 T12 F7 F8 F9 F10 F11 F12 FK C4 C5 C6 C7 C8",
    )


class TestEnd:
    """2, 3 and 10: the end condition, the End Flag, the countdown and the ranking."""

    def test_2_looked_at_at_the_end_of_the_own_turn_only(self) -> None:
        position = _before_fifteen()
        other = Position.from_json({**position.to_json(), "seat": 2}).do(Review(2, 1, "sum100", card("O5")))
        assert other.points[0] == 15
        assert (other.phase, other.to_move, other.flag_seat) == ("play", 3, None)

    def test_3_the_flag_is_due_and_belongs_to_the_same_turn(self) -> None:
        position = _before_fifteen().do(Review(1, 1, "sum100", card("O5")))
        assert (position.phase, position.to_move, position.flag_seat) == ("flag", 1, 1)
        assert codes(position, Pass(1)) == ("flag_due", "pass_not_allowed")
        assert codes(position, Research(2, "deck", card("T6"), card("T7"))) == ("flag_due", "out_of_turn")
        assert codes(position, EndFlag(2, card("O2"))) == ("out_of_turn", "flag_not_due")
        assert codes(position, EndFlag(1, card("FK"))) == ("card_not_in_hand",)
        after = position.do(EndFlag(1, card("S8")))
        assert after.find_paper(1, "end_flag") == Paper(1, "end_flag", cards("S8"))
        assert after.points[0] == 16
        assert after.count_supply("end_flag") == 0
        assert (after.phase, after.to_move, after.turns_left) == ("play", 2, 5)

    def test_2_the_countdown_is_2n_minus_1_turns(self) -> None:
        position = _before_fifteen().do(Review(1, 1, "sum100", card("O5"))).do(EndFlag(1, card("S8")))
        seats = []
        while position.to_move is not None:
            seat = position.to_move
            seats.append(seat)
            keep, discard = position.draw_pile[:2]
            position = position.do(Research(seat, "deck", keep, discard))
        assert seats == [2, 3, 1, 2, 3]
        assert position.outcome == Ended(Ending.COUNTDOWN, (1, 2, 2), (16, 0, 0))

    def test_3_without_a_hand_card_no_flag_but_the_countdown(self) -> None:
        position = table(
            ["S8", "O2", "B9"],
            papers=[(1, "straight11", "HA"), (1, "sum100", "O5"), (2, "three", "B6 B7")],
            draw="T6 T7 T8 T9",
        )
        # 15 points lie there already, as after somebody else's review; a house paper takes the last hand card.
        house = Papers((*BUILT_IN, PaperKind("eight", 1, 1, Text("Eight"), Ranks((8,)))))
        data = position.to_json()
        data["papers"] = [kind.name for kind in house.kinds]
        position = Position.from_json(data, house).do(Publish(1, "eight", cards("S8")))
        assert position.hand_size(1) == 0
        assert (position.phase, position.flag_seat, position.turns_left, position.to_move) == ("play", None, 5, 2)
        assert codes(position, EndFlag(1, card("S8"))) == ("out_of_turn", "card_not_in_hand", "flag_not_due")

    def test_2_only_the_first_in_the_game(self) -> None:
        position = table(
            ["S8", "O2 O3", "B9"],
            papers=[(1, "straight11", "HA"), (1, "sum100", "O5"), (2, "straight_flush6", "H2"), (2, "four_pairs", "H3"),
                    (2, "straight7", "O6 O7")],
            draw="T6 T7 T8 T9",
            to_move=2,
            turns_left=3,
            met=True,
            flag_seat=1,
        )  # fmt: skip
        position = position.do(Review(2, 2, "straight7", card("O6")))
        assert position.points[1] == 15
        assert (position.phase, position.to_move, position.turns_left) == ("play", 3, 2)

    def test_flag_not_due(self) -> None:
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
        assert codes(position, EndFlag(1, card("HA"))) == ("flag_not_due",)
        assert codes(position, EndFlag(1, card("FK"))) == ("card_not_in_hand", "flag_not_due")

    def test_10_most_points_then_fewest_papers_then_shared(self) -> None:
        def after(papers: Sequence[tuple[int, str, str]]) -> Ended | None:
            return table(["", "", ""], papers=papers).do(Pass(1)).do(Pass(2)).do(Pass(3)).outcome

        fewest = after([(1, "four_pairs", "HA"), (2, "straight7", "H2"), (2, "three_pairs", "H3"), (3, "three", "O2")])
        assert fewest == Ended(Ending.PASSES, (1, 2, 3), (5, 5, 1))
        shared = after([(1, "four_pairs", "HA"), (2, "straight9", "H2"), (3, "three", "O2")])
        assert shared == Ended(Ending.PASSES, (1, 1, 3), (5, 5, 1))
        most = after([(1, "four_pairs", "HA"), (2, "straight9", "H2"), (3, "all_even", "O2")])
        assert most == Ended(Ending.PASSES, (2, 2, 1), (5, 5, 6))


class TestPublishing:
    """4 to 7: citations, payments, completion, nothing that is not needed, one of a kind."""

    def hilbert(self) -> Position:
        """Return the booklet's example: heart 7 is Hilbert's, book 7 and coffin 7 are Banach's."""
        return table(
            ["O7 C7 S5 S6 B4", "HA", "H3"],
            papers=[(1, "three", "H7"), (2, "three", "B7"), (2, "three_pairs", "F7"), (3, "three", "T8 S8")],
            draw="FK F12 F11",
        )

    CITED = (Citation(1, "three"), Citation(2, "three"), Citation(2, "three_pairs"))

    def test_4_the_booklets_example(self) -> None:
        after = self.hilbert().do(Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5 S6")}))
        assert after.get_hand(1) == cards("B4")
        assert set(after.get_hand(2)) == set(cards("HA S5 S6"))
        assert after.find_paper(1, "five") == Paper(1, "five", cards("O7 C7"))
        assert after.find_paper(2, "three") == Paper(2, "three", cards("B7"))
        assert not after.papers[1].complete
        assert after.points == (1, 3, 0)

    def test_4_each_paper_of_another_author_costs_one_card(self) -> None:
        position = self.hilbert()
        assert codes(position, Publish(1, "five", cards("O7 C7"), self.CITED)) == ("payment_missing",)
        assert codes(position, Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5")})) == ("payment_missing",)
        three = {2: cards("S5 S6 B4")}
        assert codes(position, Publish(1, "five", cards("O7 C7"), self.CITED, three)) == ("payment_excess",)
        astray = {2: cards("S5"), 3: cards("S6")}
        assert codes(position, Publish(1, "five", cards("O7 C7"), self.CITED, astray)) == (
            "payment_missing",
            "payment_excess",
        )
        oneself = {1: cards("B4"), 2: cards("S5 S6")}
        refusal = refused(position, Publish(1, "five", cards("O7 C7"), self.CITED, oneself))
        assert refusal.code == "payment_excess"
        assert "own papers" in en(refusal.text)

    def test_4_too_few_cards_to_pay(self) -> None:
        position = table(
            ["O7 C7 S5", "HA", "H3"],
            papers=[(1, "three", "H7"), (2, "three", "B7"), (2, "three_pairs", "F7")],
        )
        move = Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5")})
        assert codes(position, move) == ("cannot_pay", "payment_missing")

    def test_4_under_review_or_absent_is_not_citable(self) -> None:
        position = self.hilbert()
        move = Publish(1, "three", cards("O7 C7"), (Citation(3, "three"),), {3: cards("S5")})
        assert codes(position, move) == ("paper_already_held", "not_citable")
        absent = Publish(1, "three_pairs", cards("O7 C7"), (Citation(3, "sum49"),), {3: cards("S5")})
        assert codes(position, absent) == ("not_citable",)
        strange = Publish(1, "three_pairs", cards("O7 C7"), (Citation(9, "sum49"),), {9: cards("S5")})
        assert codes(position, strange) == ("bad_record", "not_citable")

    def test_4_each_paper_once(self) -> None:
        cite = (*self.CITED, Citation(2, "three"))
        move = Publish(1, "five", cards("O7 C7"), cite, {2: cards("S5 S6")})
        assert codes(self.hilbert(), move) == ("cited_twice",)

    def test_4_cards_laid_paid_and_kept_are_different_cards(self) -> None:
        move = Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5 C7")})
        refusal = refused(self.hilbert(), move)
        assert (refusal.code, refusal.cards) == ("card_not_in_hand", cards("C7"))
        twice = Publish(1, "three_pairs", cards("O7 O7"))
        assert codes(self.hilbert(), twice) == ("card_not_in_hand", "not_a_meld")

    def test_4_at_least_one_card_from_the_hand(self) -> None:
        cite = (Citation(1, "three"), Citation(2, "three"), Citation(2, "three_pairs"))
        position = self.hilbert()
        refusal = refused(position, Publish(1, "five", (), cite, {2: cards("S5 S6")}))
        assert (refusal.code, refusal.also) == ("nothing_new", ("not_a_meld",))

    def test_4_a_paid_card_must_be_in_the_hand(self) -> None:
        refusal = refused(self.hilbert(), Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5 FK")}))
        assert (refusal.code, refusal.cards) == ("card_not_in_hand", cards("FK"))

    def test_5_a_single_laid_card_completes_at_once(self) -> None:
        position = table(["O7 S5", "", ""], papers=[(1, "straight5", "H7"), (2, "three_pairs", "F7")], draw="FK")
        cite = (Citation(1, "straight5"), Citation(2, "three_pairs"))
        after = position.do(Publish(1, "three", cards("O7"), cite, {2: cards("S5")}))
        paper = after.find_paper(1, "three")
        assert paper is not None
        assert paper.complete
        assert after.points == (2, 2, 0)
        assert after.pass_allowed is False

    def test_6_nothing_that_the_combination_does_not_use(self) -> None:
        position = self.hilbert()
        assert codes(position, Publish(1, "five", cards("O7 C7 S5"), self.CITED, {2: cards("S6 B4")})) == (
            "not_a_meld",
        )
        more = (Citation(1, "three"),)
        position = table(["O6 B6 C6", "", ""], papers=[(1, "straight5", "S6"), (1, "straight7", "T6")])
        assert codes(position, Publish(1, "three", cards("O6 B6 C6"), more)) == ("not_citable",)
        assert codes(position, Publish(1, "three", cards("O6 B6 C6"), (Citation(1, "straight5"),))) == ("not_a_meld",)

    def test_6_except_in_sum100(self) -> None:
        hand = "FK F12 F11 F10 T12 T11 T10 C10 S11 H2"
        position = table([hand, "", ""], papers=[(1, "three", "HA")])
        assert position.is_legal(Publish(1, "sum100", cards(hand), (Citation(1, "three"),)))
        assert codes(position, Publish(1, "sum100", cards("FK F12"))) == ("not_a_meld",)

    def test_7_one_of_a_kind_under_review_or_complete(self) -> None:
        position = table(["O7 B7 C7", "", ""], papers=[(1, "three", "H5 O5")])
        assert codes(position, Publish(1, "three", cards("O7 B7 C7"))) == ("paper_already_held",)
        position = table(["O7 B7 C7", "", ""], papers=[(1, "three", "H5")])
        assert codes(position, Publish(1, "three", cards("O7 B7 C7"))) == ("paper_already_held",)

    def test_7_kinds_run_out(self) -> None:
        position = table(["HA FK", "", ""], papers=[(2, "ace_king", "H5")])
        assert position.count_supply("ace_king") == 0
        assert codes(position, Publish(1, "ace_king", cards("HA FK"))) == ("supply_exhausted",)
        with pytest.raises(KeyError):
            position.count_supply("royal_flush")

    def test_unknown_papers(self) -> None:
        position = self.hilbert()
        assert codes(position, Publish(1, "royal_flush", cards("O7"))) == ("unknown_paper",)
        refusal = refused(position, Publish(1, "end_flag", cards("O7")))
        assert refusal.code == "unknown_paper"
        assert "End Flag" in en(refusal.text)

    def test_a_full_record_may_hide_the_cards_paid(self) -> None:
        """From then on only what everybody knows is known: two of Hilbert's three other cards went to Banach."""
        after = self.hilbert().do(Publish(1, "five", cards("O7 C7"), self.CITED, {2: 2}))
        assert not after.full
        assert after.to_json()["known"][0] == ["start", [0, 0, 0, 0, 0], []]
        assert [after.hand_size(seat) for seat in (1, 2, 3)] == [1, 3, 1]
        assert all(after.may_hold(seat, given) for seat in (1, 2) for given in cards("S5 S6 B4"))
        assert after.may_hold(2, card("HA"))
        assert not after.may_hold(1, card("HA"))
        assert not after.may_be_in_deck(card("S5"))
        assert Position.from_json(after.to_json()) == after

    def test_4_what_can_not_be_cited_is_named_with_its_author(self) -> None:
        position = self.hilbert()

        def told(*cite: Citation) -> str:
            refusal = position.verify(Publish(1, "five", cards("O7 C7"), cite, {2: cards("S5 S6")}))
            assert refusal is not None
            return en(refusal.text)

        twice = (Citation(1, "three"), Citation(2, "three"), Citation(2, "three"))
        assert told(*twice) == (
            "Banach's Three Cards is cited more than once; each paper may be cited once in a publication."
        )
        assert told(Citation(3, "three"), Citation(1, "sum49")) == (
            "Noether's Three Cards and Hilbert's 49 can't be cited; only complete papers on the table can."
        )
        assert told(Citation(4, "royal")) == "This line can't be used: there is no seat 4."
        nowhere = (Citation(4, "sum49"),)
        assert codes(position, Publish(1, "five", cards("O7 C7"), nowhere)) == ("bad_record", "not_citable")

    def test_4_thanks_to_nobody(self) -> None:
        for seat in (0, 4):
            move = Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5 S6"), seat: cards("B4")})
            assert codes(self.hilbert(), move) == ("bad_record",)
        assert codes(self.hilbert(), Publish(1, "three_pairs", cards("O7"), (), {4: 0})) == ("bad_record", "not_a_meld")

    def test_4_just_enough_and_one_too_few_to_pay(self) -> None:
        papers = [(1, "three", "H7"), (2, "three", "B7"), (2, "three_pairs", "F7")]
        enough = table(["O7 C7 S5 S6", "HA", "H3"], papers=papers)
        assert enough.is_legal(Publish(1, "five", cards("O7 C7"), self.CITED, {2: cards("S5 S6")}))
        move = Publish(1, "five", cards("O7 C7"), self.CITED)
        one_left = refused(table(["O7 C7 S5", "HA", "H3"], papers=papers), move)
        assert en(one_left.text) == "Hilbert must pay 2 cards for the citations but has only 1 card left in hand."
        none_left = refused(table(["O7 C7", "HA", "H3"], papers=papers), move)
        assert en(none_left.text).endswith("but has only 0 cards left in hand.")

    def test_4_thanks_named_although_only_the_public_knows(self) -> None:
        """A record may name the cards paid: then everybody knows where they are."""
        position = Position.start(NAMES).do(Setup(card("T8")))
        for move in (
            Publish(1, "three", cards("H7 O7 B7")),
            Review(2, 1, "three", card("H7")),
            Review(3, 1, "three", card("O7")),
            Research(1, "deck", None, card("FK")),
            Publish(2, "three", cards("H7 S7"), (Citation(1, "three"),), {1: cards("C4")}),
        ):
            position = position.do(move)
        assert [position.may_hold(seat, card("C4")) for seat in (1, 2, 3)] == [True, False, False]
        assert not position.may_be_in_deck(card("C4"))
        assert [position.hand_size(seat) for seat in (1, 2, 3)] == [2, 1, 4]
        assert Position.from_json(position.to_json()) == position

    def test_4_thanks_given_as_numbers_and_as_cards_at_once(self) -> None:
        position = table(
            ["O7 C7 S5 S6 B4", "HA", "H3"],
            papers=[(1, "three", "H7"), (2, "three", "B7"), (3, "three_pairs", "F7")],
        )
        cite = (Citation(1, "three"), Citation(2, "three"), Citation(3, "three_pairs"))
        after = position.do(Publish(1, "five", cards("O7 C7"), cite, {2: 1, 3: cards("S6")}))
        assert not after.full
        assert [after.hand_size(seat) for seat in (1, 2, 3)] == [1, 2, 2]
        assert [after.may_hold(seat, card("S6")) for seat in (1, 2, 3)] == [False, False, True]
        assert [after.may_hold(seat, card("S5")) for seat in (1, 2, 3)] == [True, True, False]

    def test_3_the_end_flag_is_citable(self) -> None:
        position = table(["O7 S7 S5", "", ""], papers=[(2, "end_flag", "H7")], met=True, turns_left=4, flag_seat=2)
        after = position.do(Publish(1, "three", cards("O7 S7"), (Citation(2, "end_flag"),), {2: cards("S5")}))
        assert after.get_hand(2) == cards("S5")

    def test_several_rules_broken_are_all_named(self) -> None:
        """In the order of FORMATS.md."""
        move = Publish(2, "three", cards("FK"), (Citation(3, "three"),) * 2)
        assert codes(self.hilbert(), move) == (
            "out_of_turn",
            "paper_already_held",
            "card_not_in_hand",
            "cited_twice",
            "not_citable",
            "cannot_pay",
            "payment_missing",
        )


class TestReview:
    def test_anybodys_paper_and_the_own_one(self) -> None:
        position = table(["", "", ""], papers=[(1, "three", "H7 O7"), (2, "three", "H5 O5 B5")])
        assert set(position.do(Review(1, 2, "three", card("O5"))).get_hand(1)) == set(cards("O5"))
        after = position.do(Review(1, 1, "three", card("H7")))
        assert after.points == (1, 0, 0)
        assert after.find_paper(1, "three") == Paper(1, "three", cards("O7"))

    def test_what_cannot_be_reviewed(self) -> None:
        position = table(["", "", ""], papers=[(1, "three", "H7"), (2, "three", "H5 O5 B5")])
        assert codes(position, Review(1, 1, "three", card("H7"))) == ("not_reviewable",)
        assert codes(position, Review(1, 3, "three", card("H7"))) == ("not_reviewable",)
        assert codes(position, Review(1, 2, "three", card("FK"))) == ("not_reviewable",)
        assert codes(position, Review(1, 2, "royal_flush", card("FK"))) == ("not_reviewable",)
        assert codes(position, Review(1, 4, "three", card("FK"))) == ("bad_record", "not_reviewable")


class TestResearch:
    """8: draws, the lazy reshuffle and its odd cases."""

    def test_8_two_drawn_one_kept_one_discarded(self) -> None:
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
        assert (position.draw_gives, position.reshuffle_on_draw) == (2, "none")
        after = position.do(Research(1, "deck", card("FK"), card("F7")))
        assert card("FK") in after.get_hand(1)
        assert after.discards == cards("T8 F7")
        assert after.draw_count == 37
        assert codes(position, Research(1, "deck", card("FK"))) == ("wrong_count",)
        assert codes(position, Research(1, "deck", card("FK"), card("FK"))) == ("card_not_in_deck",)
        assert codes(position, Research(1, "deck", card("O2"), card("T8"))) == ("card_not_in_deck",)
        assert codes(position, Research(1, "deck", None, card("F7"))) == ("bad_record",)
        assert codes(position, Research(1, "pocket", card("FK"), card("F7"))) == ("bad_record",)
        assert codes(position, Research(1, "pocket", card("O2"))) == ("bad_record",)

    def test_8_the_top_discard(self) -> None:
        position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
        assert position.do(Research(1, "discard", card("T8"))).discards == ()
        assert codes(position, Research(1, "discard", card("FK"))) == ("card_not_in_deck",)
        assert codes(position, Research(1, "discard", card("T8"), card("HA"))) == ("wrong_count",)
        assert codes(position, Research(1, "discard")) == ("bad_record",)

    def test_8_one_card_left_it_comes_first_then_the_discards_are_shuffled(self) -> None:
        position = table(["", "", ""], draw="HA", discards="O2 O3 O4")
        assert (position.draw_gives, position.reshuffle_on_draw) == (2, "between")
        after = position.do(Research(1, "deck", card("HA"), card("O3")))
        assert after.draw_pile == cards("O2 O4")
        assert after.discards == cards("O3")
        assert position.do(Research(1, "deck", card("O2"), card("HA"))).discards == cards("HA")
        assert codes(position, Research(1, "deck", card("O2"), card("O3"))) == ("card_not_in_deck",)

    def test_8_an_empty_pile_is_refilled_first_and_only_when_somebody_draws(self) -> None:
        position = table(["", "", ""], discards="O2 O3 O4")
        assert (position.draw_gives, position.reshuffle_on_draw) == (2, "before")
        after = position.do(Research(1, "deck", card("O4"), card("O2")))
        assert (after.draw_pile, after.discards) == (cards("O3"), cards("O2"))
        assert position.do(Research(1, "discard", card("O4"))).draw_count == 0

    def test_8_one_card_in_both_together_is_kept(self) -> None:
        last = table(["", "", ""], draw="HA")
        assert (last.draw_gives, last.reshuffle_on_draw) == (1, "none")
        after = last.do(Research(1, "deck", card("HA")))
        assert (after.draw_count, after.discards, after.get_hand(1)) == (0, (), cards("HA"))
        assert codes(last, Research(1, "deck", card("HA"), card("O2")))[-1] == "wrong_count"
        other = table(["", "", ""], discards="HA")
        assert (other.draw_gives, other.reshuffle_on_draw) == (1, "before")
        assert other.do(Research(1, "deck", card("HA"))) == other.do(Research(1, "discard", card("HA")))

    def test_8_two_discards_and_the_lower_one_comes_back(self) -> None:
        position = table(["", "", ""], discards="O2 O3")
        drawn = position.do(Research(1, "deck", card("O3"), card("O2")))
        assert drawn == position.do(Research(1, "discard", card("O3")))

    def test_8_of_two_cards_left_both_are_drawn_and_no_discard(self) -> None:
        position = table(["", "", ""], draw="HA H2", discards="O2")
        assert (position.draw_gives, position.reshuffle_on_draw) == (2, "none")
        assert codes(position, Research(1, "deck", card("O2"), card("HA"))) == ("card_not_in_deck",)
        after = position.do(Research(1, "deck", card("HA"), card("H2")))
        assert (after.draw_pile, after.discards, after.draw_count) == ((), cards("O2 H2"), 0)

    def test_both_piles_empty(self) -> None:
        position = table(["", "", ""])
        assert (position.draw_gives, position.reshuffle_on_draw) == (0, "none")
        assert codes(position, Research(1, "deck", card("HA"))) == ("research_impossible",)
        assert codes(position, Research(1, "discard", card("HA"))) == ("discard_empty", "research_impossible")

    def test_no_discard_to_take(self) -> None:
        assert codes(table(["", "", ""], draw="HA H2"), Research(1, "discard", card("HA"))) == ("discard_empty",)


class TestPublicInformation:
    def start(self) -> Position:
        return Position.start(NAMES).do(Setup(card("T8")))

    def test_hands_are_not_known(self) -> None:
        with pytest.raises(ValueError, match="not known"):
            self.start().get_hand(1)
        with pytest.raises(ValueError, match="not known"):
            self.start().draw_pile  # noqa: B018

    def test_a_seen_card_convicts_and_an_unseen_one_does_not(self) -> None:
        position = self.start()
        assert position.is_legal(Publish(1, "three", cards("H7 O7 B7")))
        assert codes(position, Publish(1, "three", cards("T8 B8 C8"))) == ("card_not_in_hand",)
        assert codes(position, Publish(1, "straight5", cards("H3 H4 H5 H6 H7"))) == ("card_not_in_hand",)

    def test_a_shown_card_must_come_from_the_pile(self) -> None:
        position = self.start().do(Research(1, "discard", card("T8")))
        refusal = refused(position, Research(2, "deck", None, card("T8")))
        assert refusal.code == "card_not_in_deck"
        assert en(refusal.text) == "Time 8 can't have been drawn from the draw pile."

    def test_a_record_may_name_both_cards_of_a_draw(self) -> None:
        after = self.start().do(Research(1, "deck", card("H7"), card("H5")))
        assert [after.may_hold(seat, card("H7")) for seat in (1, 2, 3)] == [True, False, False]
        assert not after.may_be_in_deck(card("H7"))
        assert codes(after, Research(2, "deck", card("H7"), card("H6"))) == ("card_not_in_deck",)

    def test_the_last_card_of_the_pile_is_one_of_the_two(self) -> None:
        position = self.start()
        shown = [str(c) for c in DECK if str(c) != "T8"]
        for turn in range(19):
            position = position.do(Research(1 + turn % 3, "deck", None, card(shown[turn])))
        assert (position.draw_count, position.reshuffle_on_draw) == (1, "between")
        seat = position.to_move or 0
        one, other, fresh = card(shown[0]), card(shown[1]), card(shown[30])
        refusal = refused(position, Research(seat, "deck", one, other))
        assert (refusal.code, refusal.also) == ("card_not_in_deck", ())
        assert "The last card of the draw pile is drawn first" in en(refusal.text)
        for keep, discard in ((one, fresh), (fresh, one)):
            after = position.do(Research(seat, "deck", keep, discard))
            assert after.may_hold(seat, keep)
            assert (after.draw_count, after.discards) == (19, (discard,))

    def test_payments_are_counted(self) -> None:
        position = self.start()
        position = position.do(Publish(1, "three", cards("H7 O7 B7")))
        position = position.do(Review(2, 1, "three", card("H7"))).do(Review(3, 1, "three", card("O7")))
        position = position.do(Research(1, "deck", None, card("FK")))
        cite = (Citation(1, "three"),)
        move = Publish(2, "three", cards("H7 S7"), cite, {1: 1})
        assert codes(position, Publish(2, "three", cards("H7 S7"), cite)) == ("payment_missing",)
        assert codes(position, Publish(2, "three", cards("H7 S7"), cite, {1: 2})) == ("payment_excess",)
        after = position.do(move)
        assert [after.hand_size(seat) for seat in (1, 2, 3)] == [2, 1, 4]

    def test_an_uncovered_discard_may_be_told(self) -> None:
        position = Position.start((*NAMES, "Gauss")).do(Setup(card("T8"))).do(Research(1, "discard", card("T8")))
        assert position.top_discard is None
        seen = position.discards_seen({0: card("H7")})
        assert seen is not None
        assert seen.top_discard == card("H7")
        assert not seen.may_be_in_deck(card("H7"))
        assert codes(seen, Research(2, "discard", card("H6"))) == ("card_not_in_deck",)
        assert position.discards_seen({0: card("T8")}) is None

    def test_a_refusal_never_tells_where_a_card_is(self) -> None:
        """The text about a card that is known elsewhere names that card and the player, and nobody else."""
        position = self.start().do(Research(1, "discard", card("T8")))
        text = en(refused(position, Publish(2, "three", cards("T8 B8 C8"))).text)
        assert "Hilbert" not in text


def test_papers_are_found_by_seat_and_kind() -> None:
    position = table(["", "", ""], papers=[(1, "three", "H7 O7"), (3, "five", "T7")])
    assert position.find_paper(1, "three") == Paper(1, "three", cards("H7 O7"))
    assert position.find_paper(3, "five") == Paper(3, "five", cards("T7"))
    assert [position.find_paper(seat, "five") for seat in (0, 1, 2, 4)] == [None] * 4
    assert position.under_review == (Paper(1, "three", cards("H7 O7")),)
    assert [position.complete_papers, position.points] == [(0, 0, 1), (0, 0, 4)]
    assert [position.count_supply(kind) for kind in ("three", "five", "ace_king")] == [3, 2, 1]


def test_before_the_set_up_and_after_the_end_nobody_is_to_move() -> None:
    start = Position.start(NAMES, 2)
    assert (start.to_move, start.phase, start.full, start.draw_count) == (None, "setup", False, 49)
    assert [start.hand_size(seat) for seat in (1, 2, 3)] == [0, 0, 0]
    assert (start.discards, start.points, start.complete_papers) == ((), (0, 0, 0), (0, 0, 0))
    assert (start.turns_left, start.flag_seat, start.outcome, start.review_possible) == (None, None, None, False)
    assert repr(start).startswith("<Position setup, points [0, 0, 0]")
    over = table(["", "", ""]).do(Pass(1)).do(Pass(2)).do(Pass(3))
    assert (over.to_move, over.phase) == (None, "over")
    assert repr(over).startswith("<Position over,")


def test_positions_are_values() -> None:
    position = dealt(["HA H2 H3", "O2 O3 O4", "B3 B4 B5"])
    again = Position.from_json(position.to_json())
    assert again == position
    assert hash(again) == hash(position)
    assert position != "position"
    assert position != position.do(Research(1, "discard", card("T8")))
    assert repr(position) == "<Position Hilbert to move, points [0, 0, 0], hands [3, 3, 3], draw 39, discards 1>"


def test_a_refused_move_leaves_the_game_as_it_was() -> None:
    game = Game(NAMES)
    game.play(Deal((cards("HA H2 H3"), cards("O2 O3 O4"), cards("B3 B4 B5")), cards("T8")))
    move = Research(1, "discard", card("T8"))
    after = game.play(move)
    with pytest.raises(Illegal):
        game.play(move)
    assert game.position == after
    assert (len(game.moves), len(game.positions), len(game.write_record())) == (2, 3, 3)


def test_the_public_game_hides_what_was_hidden() -> None:
    game = Game(NAMES)
    game.play(Deal((cards("HA H2 H3"), cards("O2 O3 O4"), cards("B3 B4 B5")), cards("T8")))
    game.play(Research(1, "deck", card("FK"), card("F7")))
    assert game.make_public().write_record()[1:] == [
        '{"do": "setup", "discard": "T8"}',
        '{"seat": 1, "do": "research", "source": "deck", "discard": "F7"}',
    ]


def test_cards() -> None:
    assert [str(c) for c in DECK[:8]] == ["HA", "H2", "H3", "H4", "H5", "H6", "H7", "O2"]
    assert cards_in(mask_of(DECK)) == DECK
    assert [c.index for c in DECK] == list(range(49))
    with pytest.raises(ValueError, match="H8"):
        Card.parse("H8")
    with pytest.raises(ValueError, match="no such"):
        Card(DECK[0].suit, 9)
    assert repr(card("C10")) == "Card.parse('C10')"
    assert eval(repr(card("C10"))) == card("C10")
