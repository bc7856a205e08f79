"""The cards that hold'em games share, and the strengths of their hands."""

from typing import NamedTuple

from pitboss.cards import DECK_52, make_mask, parse_cards, popcount
from pitboss.hands import (
    NO_HAND,
    count_holdem_cards,
    format_hand,
    load_hand_tables,
    rank_holdem_dealer,
    rank_holdem_player,
    rank_holdem_view,
    take_holdem_cards,
)

TABLES = load_hand_tables()


class View(NamedTuple):
    """What a seat sees."""

    player: int
    community: int
    dealer: int


def mask_of(cards: str) -> int:
    """Read a set of cards."""
    return make_mask(parse_cards(cards, DECK_52))


def test_all_seats_share_the_dealers_hand_and_the_board() -> None:
    for seats in range(1, 7):
        held = [take_holdem_cards(DECK_52.cards, seats, seat) for seat in range(seats)]
        assert len({cards[1:] for cards in held}) == 1
        taken = sum(cards.player for cards in held) + sum(held[0][1:])
        assert taken == (1 << count_holdem_cards(seats)) - 1
        assert [popcount(cards) for cards in held[-1]] == [2, 2, 3, 2]


def test_both_sides_use_the_board() -> None:
    cards = take_holdem_cards(parse_cards("As Ah Kd Kc Ks Qs 4h Kh 9d", DECK_52), 1, 0)
    strengths = rank_holdem_player(TABLES, cards, None), rank_holdem_dealer(TABLES, cards, None)
    assert [format_hand(each) for each in strengths] == ["two pair, aces and kings", "four of a kind, kings"]


def test_a_view_is_ranked_as_far_as_it_goes() -> None:
    player, flop, dealer = mask_of("As Ah"), mask_of("Ks Qs 4h"), mask_of("Kd Kc")
    assert rank_holdem_view(TABLES, View(player, 0, 0)) == (NO_HAND, NO_HAND)
    mine, unknown = rank_holdem_view(TABLES, View(player, flop, 0))
    assert (format_hand(mine), unknown) == ("pair of aces", NO_HAND)
    assert [format_hand(each) for each in rank_holdem_view(TABLES, View(player, flop, dealer))] == [
        "pair of aces",
        "three of a kind, kings",
    ]
