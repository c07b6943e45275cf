"""Public information: what everybody can know is exact, nobody is accused without proof, and the two ways back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, Card, cards_in, indices_in, mask_of
from rules.seven_euchre.knowledge import can_be_placed, may_hold, must_hold
from rules.seven_euchre.legal_moves import LegalMoves
from rules.seven_euchre.moves import Annul, BackTo, Deal, Exchange, Move, Play, as_seen
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from tests.rules.seven_euchre.table import START, card, codes, played, public_game, random_game, text

PLAY = played("deal C8 - - - x")


def test_anything_unseen_may_be_played_at_first() -> None:
    assert len(LegalMoves(PLAY).plays) == 49
    position = played("H3", PLAY)
    assert [str(play.card) for play in LegalMoves(position).plays] == [str(one) for one in DECK if str(one) != "H3"]


def test_a_card_played_or_turned_up_is_in_no_hand() -> None:
    position = played("H3 F8", PLAY)
    assert codes(position, Play(3, card("F8"))) == ["card_not_in_hand"]
    assert text(position, Play(3, card("F8"))) == "Coffin 8 was played in trick 1 already."
    position = played("deal - - - - B7 8 - - -")
    assert codes(position, Play(1, card("B7"))) == ["card_not_in_hand"]


def test_a_card_of_a_suit_not_followed_proves_a_revoke_and_the_reason_names_the_trick() -> None:
    position = played("H3 F8 H4 H5  H6 S9 F11 H2", PLAY)
    assert position.to_move == 4
    position = played("F9 F10", position)
    assert codes(position, Play(2, card("HA"))) == ["revoke"]
    assert text(position, Play(2, card("HA"))) == (
        "East did not follow heart in trick 1, so heart A can't be in that hand now."
    )
    assert position.revoked_in(2, card("HA")) == (1,)
    assert position.revoked_in(1, card("HA")) == (2,)
    assert position.revoked_in(4, card("HA")) == ()
    # The 7s are no hearts while coins are trumps.
    assert position.is_legal(Play(2, card("H7")))
    assert position.is_legal(Play(2, card("F12")))


def test_who_did_not_follow_trumps_has_no_seven_of_any_suit() -> None:
    position = played("C9 F8 C4 C5", PLAY)
    assert position.to_move == 1
    position = played("H3", position)
    for name in ("H7", "F7", "C7", "C10"):
        assert codes(position, Play(2, card(name)))[0] == "revoke"
        assert "trumps (coin and every 7) in trick 1" in text(position, Play(2, card(name)))
    assert position.is_legal(Play(2, card("H4")))


def test_after_back_to_all_is_as_it_was_and_what_was_seen_since_counts_as_unseen() -> None:
    first = played("H3 F8 H4 H5", PLAY)
    later = played("H6 S9 F11 H2 F9 F10", first)
    assert codes(later, Play(2, card("HA"))) == ["revoke"]
    assert later.do(BackTo(2)) == first
    again = later.do(BackTo(1))
    assert again == PLAY
    assert again.revoked_in(2, card("HA")) == ()
    assert played("H3 HA", again).is_legal(Play(3, card("F8")))


def test_back_to_the_trick_that_is_being_played_takes_its_cards_back() -> None:
    position = played("H3 F8 H4 H5 H6", PLAY)
    assert position.do(BackTo(2)) == played("H3 F8 H4 H5", PLAY)
    assert codes(played("H3 F8 H4 H5", PLAY), BackTo(2)) == ["bad_record"]
    assert codes(PLAY, BackTo(1)) == ["bad_record"]


def test_after_annul_the_same_dealer_deals_and_nobody_scores() -> None:
    positions, _ = public_game(3, 100)
    position = next(one for one in positions if one.deals and one.phase is DealPhase.PLAY and one.trick_number == 5)
    after = position.do(Annul())
    assert (after.phase, after.dealer) == (DealPhase.DEAL, position.dealer)
    assert (after.points, after.deals) == (position.points, position.deals)
    assert (after.round, after.full) == (None, False)
    assert codes(after, Annul()) == ["deal_due"]
    assert played("deal", after).to_move == position.dealer % 4 + 1


def test_the_ways_back_are_listed_in_public_play_only() -> None:
    position = played("H3 F8 H4 H5 H6", PLAY)
    assert LegalMoves(position).ways_back == (Annul(), BackTo(1), BackTo(2))
    full, _ = random_game(1)
    for one in full:
        assert LegalMoves(one).ways_back == ()
        assert codes(one, Annul())[0] == codes(one, BackTo(1))[0] == ("bad_record" if one.full else "deal_due")


def test_before_the_exchange_no_line_may_tell_the_card_laid_aside() -> None:
    position = played("deal C8 - - -")
    assert codes(position, Exchange(1, card("H7"))) == ["bad_record"]
    assert codes(position, Exchange(1)) == []


# Exactness, against every placing there is


def placings(unseen: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to fill the hands with unseen cards, as masks; the others lie aside."""
    if not sizes:
        yield ()
        return
    for some in combinations(tuple(indices_in(unseen)), sizes[0]):
        hand = sum(1 << index for index in some)
        for others in placings(unseen & ~hand, sizes[1:]):
            yield (hand, *others)


def test_hands_together_need_cards_enough_that_one_of_them_may_hold() -> None:
    """Four hands of one card, and a fifth card to lie aside: barred from two of the five, the four can't be filled."""
    one_each, none = (1, 1, 1, 1), (0, 0, 0, 0)
    assert can_be_placed(0b11111, one_each, none)
    assert can_be_placed(0b11111, one_each, (1, 1, 1, 1))
    assert not can_be_placed(0b11111, one_each, (3, 3, 3, 3))
    assert can_be_placed(0b11111, one_each, (3, 3, 3, 0))
    assert not can_be_placed(0b11111, one_each, (0b111, 0b111, 0b111, 0))
    assert not can_be_placed(0b11111, one_each, (0b1111, 0b1111, 0, 0))
    assert not can_be_placed(0b1111, one_each, (0b1111, 0, 0, 0))


CASES = st.tuples(
    st.tuples(*[st.integers(0, 2)] * 4).filter(lambda sizes: sum(sizes) <= 6),
    st.integers(0, 2),
    st.tuples(*[st.integers(0, 255)] * 4),
)


@settings(max_examples=300)
@given(CASES)
def test_placings_are_judged_as_by_trying_them_all(case: tuple[tuple[int, ...], int, tuple[int, ...]]) -> None:
    """Any cards barred from any hand, suits or not: what can be, who may hold and who must hold a card."""
    sizes, aside, barred = case
    unseen = (1 << sum(sizes) + aside) - 1
    fit = [
        hands
        for hands in placings(unseen, sizes)
        if not any(hand & bar for hand, bar in zip(hands, barred, strict=True))
    ]
    assert can_be_placed(unseen, sizes, barred) == bool(fit)
    for hand in range(4):
        for index in indices_in(unseen):
            with_it = [hands[hand] for hands in fit if hands[hand] >> index & 1]
            assert may_hold(unseen, sizes, barred, hand, 1 << index) == bool(with_it)
            for follow in (0b11, 0b1010, 0b1110000):
                every = all(hands[hand] & follow for hands in fit)
                assert must_hold(unseen, sizes, barred, hand, follow) == every
                if with_it and not follow >> index & 1:
                    # Asked only of the placings with that card, the answer is the same.
                    assert every == all(held & follow for held in with_it)


def wild_game(seed: int) -> list[Position]:
    """Public positions of a deal in which every card that can't be refused is as likely, revokes that show included."""
    chance = Random(seed)
    opening = "C8 - - - x" if seed % 2 else "- - - - B7 - 8 - - -"
    position, found = played("deal " + opening), list[Position]()
    while position.phase is DealPhase.PLAY:
        found.append(position)
        position = position.do(chance.choice(LegalMoves(position).plays))
    return found


def in_truth(position: Position, hands: tuple[int, ...]) -> Position | None:
    """Return the full position in which these hands are left; ``None`` where a play broke a rule."""
    assert position.round is not None
    dealt = list(hands)
    for play in position.round.plays:
        dealt[play.seat - 1] |= play.card.bit
    middle = position.turned_up or cards_in(position.round.unseen & ~sum(hands))[0]
    full = START.do(Deal(tuple(map(cards_in, dealt)), middle))
    for move in position.round.moves[1:]:
        true = Exchange(move.seat, middle) if isinstance(move, Exchange) else move
        if not full.is_legal(true):
            return None
        full = full.do(true)
    return full


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_play_is_refused_only_where_no_deal_by_the_rules_allows_it(seed: int) -> None:
    """Every deal that may lie behind a public game is played with full information, for the last cards of it."""
    for position in wild_game(seed):
        round = position.round
        assert round is not None
        if round.unseen.bit_count() > 6:
            continue
        truths = [in_truth(position, hands) for hands in placings(round.unseen, round.sizes)]
        assert any(truths), "some placing always fits"
        for one in DECK:
            play = Play(round.seat, one)
            assert position.is_legal(play) == any(truth.is_legal(play) for truth in truths if truth), (position, play)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_every_code_of_a_play_is_right_by_all_placings(seed: int) -> None:
    for position in wild_game(seed):
        round = position.round
        assert round is not None
        if round.unseen.bit_count() > 8:
            continue
        seat, follow = round.seat, round.to_follow
        fit = [
            hands[seat - 1]
            for hands in placings(round.unseen, round.sizes)
            if not any(hand & bar for hand, bar in zip(hands, round.barred, strict=True))
        ]
        assert fit, "some placing always fits"
        for one in DECK:
            wanted = []
            if not any(hand & one.bit for hand in fit):
                seen = not round.unseen & one.bit
                wanted.append("revoke" if round.barred[seat - 1] & one.bit and not seen else "card_not_in_hand")
            if follow and not follow & one.bit and all(hand & follow for hand in fit):
                wanted.append("must_follow")
            assert codes(position, Play(seat, one)) == wanted


def test_wild_games_meet_every_code_of_a_play_and_unplaceable_cards() -> None:
    found = set[str]()
    for position in wild_game(1) + wild_game(2):
        for one in DECK[::2]:
            play = Play(position.to_move or 0, one)
            for code in codes(position, play):
                found.add("unplaceable" if code == "card_not_in_hand" and "somebody" in text(position, play) else code)
    assert found == {"card_not_in_hand", "unplaceable", "revoke", "must_follow"}


# Full and public agree


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_legal_with_full_information_is_legal_publicly_and_the_end_is_the_same(seed: int) -> None:
    full, moves = random_game(seed)
    public = full[0]
    for position, move in zip(full, moves, strict=False):
        for legal in LegalMoves(position):
            assert public.is_legal(as_seen(legal)), (public, legal)
        if public.phase is DealPhase.PLAY and len(moves) % 3 == 0:
            for play in map(Play, [position.to_move or 0] * 49, DECK):
                # A public refusal is a proof: full information refuses it too.
                assert public.is_legal(play) or not position.is_legal(play)
        public = public.do(as_seen(move))
        assert shown(public) == shown(position.do(move))
    assert public.outcome == full[-1].outcome


def shown(position: Position) -> tuple[object, ...]:
    """Return what both kinds of position show."""
    return (
        position.phase,
        position.to_move,
        position.contract,
        position.trick,
        position.tricks,
        position.last_trick,
        position.points,
        position.dealer,
        position.bids,
        [position.hand_size(seat) for seat in range(1, 5)],
        repr(position),
    )


def test_a_public_position_may_hold_what_the_hands_really_hold() -> None:
    full, _ = random_game(5)
    public, _ = public_game(5)
    for truth, known in zip(full[::5], public[::5], strict=True):
        if truth.round is None or truth.phase is DealPhase.DEAL:
            continue
        for seat, one in product(range(1, 5), DECK):
            assert known.may_hold(seat, one) or not truth.may_hold(seat, one)
            assert truth.may_hold(seat, one) == (one in truth.get_hand(seat))
        with pytest.raises(ValueError, match="full information only"):
            known.get_hand(1)


def test_before_a_deal_nobody_may_hold_anything() -> None:
    assert not START.may_hold(1, DECK[0])
    assert not PLAY.do(Annul()).may_hold(1, DECK[0])
    assert PLAY.may_hold(1, DECK[0])


def test_the_hands_of_a_public_deal_are_told_by_nothing() -> None:
    """Two games that differ only in hidden cards are the same public game."""
    hands: tuple[tuple[Card, ...], ...] = tuple(DECK[seat::4][:12] for seat in range(4))
    deals = [Deal(hands, DECK[48]), Deal(hands[::-1], DECK[48])]
    seen: list[Move] = [as_seen(deal) for deal in deals]
    assert seen[0] == seen[1] == Deal()
    assert mask_of(DECK) == PLAY.round.unseen  # type: ignore[union-attr]
