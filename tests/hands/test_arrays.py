"""The compiled evaluator on arrays: the same strengths as the interpreted rules, and bad input."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from pitboss.cards import make_mask
from pitboss.core.errors import CardError
from pitboss.hands import evaluate_strength, load_hand_tables
from pitboss.kernels.batch_evaluation import compute_strengths
from refusals import refusal

PATHS = list(product((5, 6, 7), range(4), range(4)))


def random_codes(hands: int, cards: int, deck: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return random hands without repeated cards."""
    return np.random.default_rng(cards).random((hands, deck)).argsort(axis=1)[:, :cards]


@pytest.mark.parametrize(("size", "wilds", "ranking"), PATHS)
def test_compiled_and_interpreted_rules_agree(size: int, wilds: int, ranking: int) -> None:
    codes = random_codes(300, size - wilds, 52)
    interpreted = [evaluate_strength(load_hand_tables(), make_mask(hand), wilds, ranking) for hand in codes.tolist()]
    assert compute_strengths(codes, wilds, ranking).tolist() == interpreted
    assert compute_strengths(codes.astype(np.uint8), wilds, ranking).tolist() == interpreted
    assert compute_strengths((1 << codes).sum(axis=1), wilds, ranking).tolist() == interpreted


def test_jokers_are_wild_beside_the_wilds_named() -> None:
    naturals = random_codes(50, 5, 52)
    with_joker = np.column_stack([naturals, np.full(50, 53)])
    assert compute_strengths(with_joker, 1).tolist() == compute_strengths(naturals, 2).tolist()
    assert compute_strengths((1 << with_joker).sum(axis=1), 1).tolist() == compute_strengths(naturals, 2).tolist()


def test_no_hands_have_no_strengths() -> None:
    assert compute_strengths(np.empty((0, 7), np.uint8)).tolist() == []
    assert compute_strengths(np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize(
    ("hands", "wilds", "code"),
    [
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], 0, "invalid-hands"),
        ([[0, 1, 2, 3, 54]], 0, "invalid-hands"),
        ([[0, 1, 2, 3, -1]], 0, "invalid-hands"),
        ([[0, 1, 2, 3]], 0, "invalid-hands"),
        ([[0, 1, 2, 3, 4, 5, 6, 7]], 0, "invalid-hands"),
        ([[0, 1, 2, 3, 4]], 3, "invalid-hands"),
        ([[0, 1, 2, 52, 53]], 2, "invalid-hands"),
        ([[0, 1, 2, 3, 4]], -1, "invalid-hands"),
        ([0b11111, 0b1111], 0, "invalid-hands"),
        ([1 << 54 | 0b1111], 0, "invalid-hands"),
        ([-1], 0, "invalid-hands"),
        ([[[0, 1, 2, 3, 4]]], 0, "invalid-hands"),
        ([[0.0, 1.0, 2.0, 3.0, 4.0]], 0, "invalid-hands"),
    ],
)
def test_what_is_no_hand_is_refused(hands: Any, wilds: int, code: str) -> None:
    with pytest.raises(CardError, check=refusal(code)):
        compute_strengths(np.array(hands), wilds)
