"""The broken rules of Seven Euchre: a sentence for each, and the codes in their order.

Source: "Refusal codes" of the game's page. Those of the table are given by the referee, not by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.refusal import Reason, Sentence
from rules.text import Text, join_names, join_numbers, plural

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "deal_due",
    "auction_due",
    "turn_up_due",
    "exchange_due",
    "play_due",
    "out_of_turn",
    "bid_too_low",
    "card_not_in_deck",
    "card_not_in_hand",
    "revoke",
    "must_follow",
    "two_cards",
    "trick_not_theirs",
    "trick_incomplete",
    "table_disturbed",
    "cannot_see",
)
"""Every code of the page, in the order in which one of several becomes the ``code``."""

deal_due = Sentence("deal_due", "The cards are to be dealt now; {dealer} is the dealer.")
auction_due = Sentence("auction_due", "The auction is not over; {who} is to bid or to pass.")
turn_up_due = Sentence("turn_up_due", "All four passed, so the middle card is to be turned up now.")
exchange_due = Sentence("exchange_due", "{who} is to take the middle card and lay one card aside now.")
play_due = Sentence("play_due", "The deal is being played; {who} is to play a card.")
bid_too_low = Sentence("bid_too_low", "{bid!c} is not higher than the last bid, {highest}.")
not_the_middle_card = Sentence("card_not_in_deck", "{card!c} is not the card in the middle.", cards=("card",))
not_in_hand = Sentence("card_not_in_hand", "{card!c} is not in {who}'s hand.", cards=("card",))
played_already = Sentence("card_not_in_hand", "{card!c} was played in trick {trick} already.", cards=("card",))
out_of_play = Sentence("card_not_in_hand", "{card!c} was turned up in the middle and is out of play.", cards=("card",))

somebody_revoked = Sentence(  # public information: no placing of the unseen cards has it in that hand, else
    "card_not_in_hand",
    "Since {who} has {card}, somebody earlier did not follow suit although able to: in {tricks}.",
    cards=("card",),
    brief=Text("Somebody revoked"),
)
revoke = Sentence(
    "revoke", "{who} did not follow {suit} in trick {trick}, so {card} can't be in that hand now.", cards=("card",)
)
must_follow = Sentence(
    "must_follow", "{led!c} was led, so {who} must follow with {suit}, not play {card}.", cards=("card", "led")
)

must_follow_or_revoked = Sentence(  # public information: one or the other
    "must_follow",
    "{led!c} was led. Either {who} can follow with {suit} and must not play {card}, or somebody "
    "earlier did not follow suit although able to: in {tricks}.",
    cards=("card", "led"),
    brief=Text("A revoke, now or before"),
)


def one_of(tricks: Sequence[int]) -> Text:
    """Say one of these tricks, whichever: ``trick 3 or 5``."""
    *others, last = tricks
    if not others:
        return Text("trick {trick}", trick=last)
    return Text("trick {others} or {last}", others=join_numbers(others), last=last)


# At the table

two_cards = Sentence("two_cards", "{who} played {cards} to one trick; take back all but one.", cards=("cards",))
trick_not_theirs = Sentence("trick_not_theirs", "{winner} won the trick, so it goes to {right}, not to {wrong}.")


def trick_incomplete(missing: Sequence[Text]) -> Reason:
    """Return the reason for a trick gathered before four cards lay; ``missing`` are the players yet to play."""
    text = plural(
        "The trick can't be gathered before {names} has played.",
        "The trick can't be gathered before {names} have played.",
        count=len(missing),
        names=join_names(missing),
    )
    return Reason("trick_incomplete", (), text)
