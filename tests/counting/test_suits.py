"""Sets of cards up to an exchange of suits, compared with all images of every set."""

from itertools import combinations

import pytest

from pitboss.cards import DECK_52, mask_of
from pitboss.counting.suits import exchanged, exchanges, sets_up_to_suits

DECKS = {
    "two suits alike": [0, 1, 2, 3, 13, 14, 15, 16],
    "three suits alike, one without them": [0, 5, 13, 18, 26, 31, 51],
    "no suits alike": [0, 1, 2, 13, 14, 26],
    "four suits": [suit * 13 + rank for suit in range(4) for rank in (3, 12)],
}


def test_suits_change_places() -> None:
    assert exchanged(mask_of([0, 14, 28, 42]), (3, 2, 1, 0)) == mask_of([3, 15, 27, 39])
    assert exchanged(mask_of([7, 52, 53]), (0, 1, 2, 3)) == mask_of([7])


def test_three_cards_are_1755_kinds() -> None:
    kinds, weights = sets_up_to_suits(DECK_52.cards, 3)
    assert len(kinds) == 1_755
    assert weights.sum() == 22_100
    assert len(exchanges(DECK_52.mask)) == 24


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_a_kind_is_all_a_set_can_become(deck: list[int], cards: int) -> None:
    orders = exchanges(mask_of(deck)).tolist()
    assert orders[0] == [0, 1, 2, 3]
    of_a_kind = {}
    for held in combinations(deck, cards):
        images = {exchanged(mask_of(held), order) for order in orders}
        assert all(image & ~mask_of(deck) == 0 for image in images)
        of_a_kind[min(images)] = len(images)
    kinds, weights = sets_up_to_suits(deck, cards)
    assert dict(zip(kinds.tolist(), weights.tolist(), strict=True)) == of_a_kind
