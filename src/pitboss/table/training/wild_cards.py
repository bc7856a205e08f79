"""Wild cards in words: which card of a hand that a circle was settled by is wild."""

import re
from collections.abc import Iterator

from pitboss.cards import format_card
from pitboss.table.round import CardsShown, LegSettlement, Round, WagerSettled
from pitboss.table.training.mispays import find_leg

_OF_SEAT, _OF_DEALER = {"mine", "made", "showdown"}, {"dealers", "showdown"}


def add_wild_cards(reason: str, played: Round, event: WagerSettled, settled: LegSettlement) -> str:
    """Return a circle's reason with the wild cards of the hands that it names."""
    return "; ".join(filter(None, (reason, _describe_wild_cards(played, event, settled))))


def _describe_wild_cards(played: Round, event: WagerSettled, settled: LegSettlement) -> str:
    """Say which open cards are wild in the hands that a circle's reason names.

    It is as in "4h is wild for seat 1 and Qh is wild for the dealer", "" for none.  That a Joker is wild is known.
    """
    if played.game.find_wild_cards is None:
        return ""
    leg = find_leg(played, event, settled)
    fields = set(re.findall(r"\{(\w+)\}", leg.reason))
    if (leg.lines and event.bet == played.game.main.id) or re.search(r"(?<!nothing )\bwild\b", settled.reason):
        fields.add("mine")  # paid by the hand's line, or by what it is with its wild cards
    seat = event.seat if event.on is None else event.on
    mine, dealers = played.game.find_wild_cards(played.states[seat])
    before = played.events[: played.events.index(event)]
    shown = {card for each in before if isinstance(each, CardsShown) for card in each.cards}
    hands = ((_OF_SEAT, mine, f"seat {seat + 1}"), (_OF_DEALER, dealers, "the dealer"))
    named = [(list(_iter_cards(played, mask, shown)), whose) for of, mask, whose in hands if fields & of]
    return " and ".join(
        f"{' and '.join(cards)} {'are' if len(cards) > 1 else 'is'} wild for {whose}" for cards, whose in named if cards
    )


def _iter_cards(played: Round, mask: int, shown: set[int]) -> Iterator[str]:
    deck = played.game.deck
    return (format_card(card, deck) for card in deck.cards if mask >> card & 1 and card in shown)
