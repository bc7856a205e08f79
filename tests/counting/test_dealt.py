"""Rounds dealt at random: the same seed counts the same, and seats that follow a strategy do what it says."""

from typing import Any

import numpy as np
import pytest

from pitboss.analysis.joint import round_shape
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.dealt import joint_dealt
from pitboss.counting.rounds import Followed, numbers_needed, rounds_of
from pitboss.games import game_named
from pitboss.hands import HandTables, hand_tables
from pitboss.options import option_codes, option_values

SIX_CARD, WILD_SIX = game_named("six-card"), game_named("wild-six-card")
SHAPE = round_shape(SIX_CARD)


def by_first_card(_tables: Any, decks: Integers, wagered: Integers, _numbers: Any, _options: Any, _again: int) -> Any:
    """End wager 0 by the suit of the deck's first card, wager 1 by that of the next; seat 1 has them the other way."""
    suits = decks[:, :2] // 13
    outcomes = np.stack([suits, suits[:, ::-1]], axis=1)[:, : wagered.shape[1]]
    return outcomes, None


def test_pairs_of_wagers_are_counted_for_the_seats_they_stand_on() -> None:
    pairs = [((0, 0, 4), (0, 1, 4)), ((0, 0, 4), (1, 1, 4)), ((0, 1, 4), (1, 0, 4))]
    told: list[tuple[int, int]] = []
    own, first, second = joint_dealt(
        by_first_card, SHAPE, range(52), pairs, None, 20_000, 7, lambda *each: told.append(each)
    )
    assert all(sum(map(sum, table)) == 20_000 for table in (own, first, second))
    for table in (first, second):
        assert sum(table[suit][suit] for suit in range(4)) == 20_000
    wanted = 20_000 / 4 * 12 / 51
    assert all(abs(own[suit][suit] - wanted) < 5 * wanted**0.5 for suit in range(4))
    assert [sum(row) for row in own] == [row[suit] for suit, row in enumerate(first)]
    assert told[-1] == (20_000, 20_000)


def test_the_same_seed_counts_the_same() -> None:
    pairs = [((0, 0, 4), (0, 1, 4))]
    counts = [joint_dealt(by_first_card, SHAPE, range(52), pairs, None, 500, seed, print) for seed in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]


@rule
def with_high_card(_tables: HandTables, seen: Any, _asked: int, numbers: tuple[int, ...], _options: Any) -> Any:
    """Play with a card above a number, else fold."""
    return (1, 0) if seen.player >> numbers[0] else (0, 0)


@rule
def lowest_card(_tables: HandTables, seen: Any, _asked: int, _numbers: tuple[int, ...], _options: Any) -> Any:
    """Discard the lowest card of the lowest suit."""
    return 0, seen.player & -seen.player


def test_seats_follow_a_strategy_wherever_they_are_asked() -> None:
    decks = np.array([np.random.default_rng(seed).permutation(52) for seed in range(40)])
    played = rounds_of(SIX_CARD.rules, SHAPE, lambda function: function, Followed(with_high_card, (45,)))
    numbers = np.zeros((len(decks), numbers_needed(SHAPE, 1, 52)), np.int64)
    options = option_codes(SIX_CARD, option_values(SIX_CARD, {}))
    actions = played(hand_tables(), decks, np.full((len(decks), 1), 1), numbers, options, 1)[1]
    wanted = [int(max(deck[:6]) >= 45) for deck in decks]
    assert set(wanted) == {0, 1}
    assert actions[:, 0, 0].tolist() == wanted


@pytest.mark.compiled
def test_a_strategy_that_gives_up_cards_is_compiled_as_it_is_interpreted() -> None:
    shape = round_shape(WILD_SIX)
    decks = np.array([np.random.default_rng(seed).permutation(54) for seed in range(60)])
    numbers = np.zeros((len(decks), numbers_needed(shape, 1, 54)), np.int64)
    options = option_codes(WILD_SIX, option_values(WILD_SIX, {}))
    asked = (hand_tables(), decks, np.full((len(decks), 1), 15), numbers, options, 1)
    follow = Followed(lowest_card, ())
    compiled, plain = (
        rounds_of(WILD_SIX.rules, shape, followed=follow)(*asked),
        rounds_of(WILD_SIX.rules, shape, lambda function: function, follow)(*asked),
    )
    assert compiled[0].tolist() == plain[0].tolist()
    assert compiled[1].tolist() == plain[1].tolist()
