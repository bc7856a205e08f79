"""What fold and play are worth at a position, compared with the solver, which counts in quite another way."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import comb
from typing import Any

import numpy as np
import pytest

from oracle.six_card import compute_values
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.six_card.rules import SixCardView
from pitboss.games.six_card.solver.hints import hint
from pitboss.options import encode_options, resolve_options
from pitboss.solver_api import SolverProblem

SIX_CARD = load_game("six-card")
NETS = compute_main_nets(SIX_CARD, {})
ODD_NETS = (-4, 9, 1, 2, -3, -6, -4)
DEALT = 9
COMPLETIONS = comb(52 - DEALT, 3)

Position = tuple[int, int]
"""The dealer's three exposed cards, and the hand."""

EQUAL = [("9d 2c Tc", "7s Js As 5h Qh 3c"), ("2d Ad 3c", "3s 5s 8s Ks 4c Ac")]


def codes(value: str) -> Any:
    """Return the options with this hand asked of the dealer."""
    return encode_options(SIX_CARD, resolve_options(SIX_CARD, {"dealer_qualifies": value}))


def cards(text: str) -> int:
    """Return the set of cards written out."""
    return make_mask(parse_cards(text, DECK_52))


def dealt(seed: int) -> Iterator[list[int]]:
    """Deal nine cards, again and again: the dealer's three first."""
    rng = np.random.default_rng(seed)
    while True:
        yield rng.permutation(52)[:DEALT].tolist()


def position(nine: Sequence[int]) -> Position:
    """Return the dealer's and the player's cards as sets."""
    return make_mask(nine[:3]), make_mask(nine[3:])


def shares_all(nine: Sequence[int]) -> bool:
    """Tell whether all exposed ranks are ranks of the hand, so that the dealer may tie."""
    return {card % 13 for card in nine[:3]} <= {card % 13 for card in nine[3:]}


def low_and_apart(nine: Sequence[int]) -> bool:
    """Tell whether three ranks below a ten lie open and the hand has no pair: the dealer seldom qualifies."""
    exposed, held = {card % 13 for card in nine[:3]}, {card % 13 for card in nine[3:]}
    return len(exposed) == 3 and max(exposed) < 8 and len(held) == 6


def three_suited(nine: Sequence[int]) -> bool:
    """Tell whether the dealer may make a flush and the hand holds cards of its suit."""
    return len({card // 13 for card in nine[:3]}) == 1 and nine[0] // 13 in {card // 13 for card in nine[3:]}


def aimed(each: int) -> list[Position]:
    """Return positions that chance seldom deals, so many of each sort, and those of equal value."""
    found = [(cards(exposed), cards(hand)) for exposed, hand in EQUAL]
    for sort in (shares_all, low_and_apart, three_suited):
        found += map(position, islice(filter(sort, dealt(3)), each))
    return found


def assert_as_solved(positions: Sequence[Position], value: str, nets: Sequence[int]) -> None:
    """Compare hints with what the solver counts of the same hands."""
    options = codes(value)
    worth = [net - nets[0] for net in nets]
    for exposed, hand in positions:
        fold, play = hint(SolverProblem(options, tuple(nets)), SixCardView(hand, exposed), 0, ignore_progress)
        assert (fold.action, fold.cards, play.action, play.cards) == ("fold", 0, "play", 0)
        assert fold.value == nets[0]
        assert [(play.value - fold.value) * COMPLETIONS] == compute_values(exposed, [hand], options, worth)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("value", "nets"), [("ace-king", NETS), ("always", NETS), ("pair-of-9", ODD_NETS)])
def test_hints_are_what_the_solver_counts(value: str, nets: Sequence[int]) -> None:
    assert_as_solved([*map(position, islice(dealt(2), 150)), *aimed(16)], value, nets)


@pytest.mark.compiled
@pytest.mark.parametrize(("exposed", "hand"), EQUAL)
def test_fold_and_play_may_be_worth_the_same(exposed: str, hand: str) -> None:
    fold, play = hint(
        SolverProblem(codes("ace-king"), NETS), SixCardView(cards(hand), cards(exposed)), 0, ignore_progress
    )
    assert fold.value == play.value == -1


@pytest.mark.compiled
def test_a_hand_that_cannot_lose_is_worth_what_a_win_nets() -> None:
    """A royal flush, and a dealer whose two aces qualify: every completion nets two Antes."""
    told: list[tuple[int, int]] = []
    asked = SolverProblem(codes("ace-king"), NETS)
    held = SixCardView(cards("As Ks Qs Js Ts 2d"), cards("Ah Ad 9c"))
    _, play = hint(asked, held, 0, lambda done, total: told.append((done, total)))
    assert play.value == Fraction(2)
    assert told == [(1, 1)]


def test_no_side_wager_is_played_for() -> None:
    with pytest.raises(ValueError, match="no side wager"):
        hint(SolverProblem(codes("ace-king"), NETS, {"aces-up": (1, 2)}), SixCardView(63, 7 << 13), 0, ignore_progress)
