"""Sets of cards up to an exchange of suits, compared with all images of every set."""

from itertools import combinations, permutations
from math import comb

import pytest

from pitboss.cards import DECK_52, FIRST_JOKER, make_mask
from pitboss.kernels.suit_symmetry import (
    SuitedDeck,
    canonicalize,
    compute_orbit_size,
    compute_orbit_sizes,
    count_exchangeable,
    count_images,
    find_canonical_place,
    list_canonical_sets,
    list_suit_classes,
    list_suit_orders,
    permute_suits,
)

ODD_DECKS = {
    "two suits alike": [0, 1, 2, 3, 13, 14, 15, 16],
    "three suits alike, one without them": [0, 5, 13, 18, 26, 31, 51],
    "no suits alike": [0, 1, 2, 13, 14, 26],
    "four suits": [suit * 13 + rank for suit in range(4) for rank in (3, 12)],
}


def test_suits_change_places() -> None:
    assert permute_suits(make_mask([0, 14, 28, 42]), (3, 2, 1, 0)) == make_mask([3, 15, 27, 39])
    assert permute_suits(make_mask([7, 52, 53]), (0, 1, 2, 3)) == make_mask([7])


def test_three_cards_are_1755_kinds() -> None:
    kinds, weights = list_suit_classes(DECK_52.cards, 3)
    assert len(kinds) == 1_755
    assert weights.sum() == 22_100
    assert len(list_suit_orders(DECK_52.mask)) == 24


@pytest.mark.parametrize("deck", ODD_DECKS.values(), ids=ODD_DECKS)
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_a_kind_is_all_a_set_can_become(deck: list[int], cards: int) -> None:
    orders = list_suit_orders(make_mask(deck)).tolist()
    assert orders[0] == [0, 1, 2, 3]
    of_a_kind = {}
    for held in combinations(deck, cards):
        images = {permute_suits(make_mask(held), order) for order in orders}
        assert all(image & ~make_mask(deck) == 0 for image in images)
        of_a_kind[min(images)] = len(images)
        least_of_all = make_mask(held) == min(images)
        assert count_images(make_mask(held), list_suit_orders(make_mask(deck))) == (len(images) if least_of_all else 0)
    kinds, weights = list_suit_classes(deck, cards)
    assert dict(zip(kinds.tolist(), weights.tolist(), strict=True)) == of_a_kind


def test_exchanges_leave_several_sets_as_they_are() -> None:
    board = make_mask([0, 1, 13, 26, 27])
    orders = list_suit_orders(DECK_52.mask, board).tolist()
    assert orders == [[0, 1, 2, 3], [2, 1, 0, 3]]
    assert list_suit_orders(board, make_mask([0])).tolist() == [[0, 1, 2, 3]]


WITH_JOKERS = SuitedDeck((0, 5, 12), 4, 2)
WITH_A_JOKER = SuitedDeck((2, 3, 4, 9), 3, 1)
TWO_SUITS = SuitedDeck((0, 1, 6, 7, 8, 12), 2, 0)
DECKS = [WITH_JOKERS, WITH_A_JOKER, TWO_SUITS]


def relabelled(deck: SuitedDeck, codes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the codes after every exchange of suits and Jokers."""
    jokers = range(FIRST_JOKER, FIRST_JOKER + deck.jokers)
    return [
        tuple(changed[code] for code in codes)
        for suits in permutations(range(deck.suits))
        for swapped in permutations(jokers)
        for changed in [
            {code: suits[code // 13] * 13 + code % 13 for code in deck.cards if code < FIRST_JOKER}
            | dict(zip(jokers, swapped, strict=True))
        ]
    ]


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_the_least_set_is_the_least_of_all_relabellings(deck: SuitedDeck, cards: int) -> None:
    for codes in combinations(deck.cards, cards):
        all_sets = {make_mask(each) for each in relabelled(deck, codes)}
        assert canonicalize(make_mask(codes)) == min(all_sets)
        assert compute_orbit_size(min(all_sets), deck.suits, deck.jokers) == len(all_sets)


@pytest.mark.parametrize("deck", DECKS)
def test_cards_that_an_exchange_makes_one_another_have_one_place(deck: SuitedDeck) -> None:
    for codes in combinations(deck.cards, 4):
        mask = make_mask(codes)
        orders = relabelled(deck, codes)
        for index, code in enumerate(codes):
            places = {sorted(each).index(each[index]) for each in orders if make_mask(each) == canonicalize(mask)}
            assert find_canonical_place(mask, code) == min(places)
            assert count_exchangeable(mask, code) == len(places)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("cards", [2, 5])
def test_least_sets_stand_for_all_sets(deck: SuitedDeck, cards: int) -> None:
    found = list_canonical_sets(deck, cards)
    assert found.tolist() == sorted({canonicalize(make_mask(codes)) for codes in combinations(deck.cards, cards)})
    assert int(compute_orbit_sizes(deck, found).sum()) == comb(len(deck.cards), cards)


@pytest.mark.compiled
def test_the_classes_of_five_and_six_of_54_cards_are_as_many_as_is_known() -> None:
    deck = SuitedDeck(jokers=2)
    sixes = list_canonical_sets(deck, 6)
    assert len(sixes) == 1_113_879
    assert int(compute_orbit_sizes(deck, sixes).sum()) == comb(54, 6)
    assert len(list_canonical_sets(SuitedDeck(), 5)) == 134_459


def test_both_ways_to_find_one_set_of_each_class_agree() -> None:
    deck = SuitedDeck((0, 3, 4, 11))
    for cards in (2, 3, 4):
        kinds, weights = list_suit_classes(deck.cards, cards)
        assert kinds.tolist() == list_canonical_sets(deck, cards).tolist()
        assert weights.tolist() == compute_orbit_sizes(deck, kinds).tolist()
