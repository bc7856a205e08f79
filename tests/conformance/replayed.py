"""Replay rounds with recorded chance, by the driver of simulation.

Chance is the order of the deck, and a row of numbers for all other draws.  The numbers decide the shuffle of cards
given up (LU-11) and the seats' choices.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.core.rule import rule
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.simulate.block_kernel import pick_action, pick_cards
from pitboss.simulate.round_driver import RandomSource, RoundShape, RuleFunction, build_round

Integers = NDArray[np.int64]
RoundsFunction = Callable[[HandTables, Integers, Integers, Integers, Any, int], tuple[Integers, Integers]]

NOT_ASKED = -1


def count_numbers_needed(shape: RoundShape, seats: int) -> int:
    """Return how many numbers a round can use.

    It can use one for each decision and one for each card shuffled again.
    """
    return seats * len(shape.discards) + shape.deck_cards


@rule
def _skip_shuffle(_stub: Any, size: int, _shuffled: int, _until: int, _numbers: Any) -> int:
    """Shuffle nothing: the whole deck is in order already."""
    return size


@rule
def _reduce_below(numbers: Any, number: int, bound: int) -> int:
    """Return one of the numbers reduced to a draw below ``bound``."""
    return int(numbers[number] % bound)


REPLAYED_SOURCE = RandomSource(_skip_shuffle, _reduce_below)


def build_rounds(rules: Any, shape: RoundShape, seats: int, *, compiled: bool = True) -> RoundsFunction:
    """Build a function that plays rounds of ``seats`` seats.

    With ``compiled`` the function is compiled; otherwise it is plain Python.  The attributes of ``rules`` are the
    game's rule functions, as ``contract.Rules`` describes them.  The numbers draw each choice from the legal
    ones.

    The function takes the hand tables, decks of shape (rounds, cards), ``wagered`` of shape (rounds, seats) as
    ``deal`` takes it, non-negative numbers of shape (rounds, ``count_numbers_needed``), the game's options, and whether
    cards given up by others serve when the stub runs short.  It returns outcomes of shape (rounds, seats, wagers)
    and actions of shape (rounds, seats, decisions), ``NOT_ASKED`` where a seat had nothing to decide.
    """
    play_round = build_round(rules, shape, seats, REPLAYED_SOURCE, _build_number_choice(shape))
    settle, wagers, decisions, size = rules.settle, len(shape.outcomes), len(shape.discards), shape.deck_cards

    def play_rounds(
        tables: HandTables, decks: Integers, wagered: Integers, numbers: Integers, options: Any, reuse_discards: int
    ) -> tuple[Integers, Integers]:
        outcomes = np.zeros((len(decks), seats, wagers), np.int64)
        actions = np.full((len(decks), seats, decisions), NOT_ASKED, np.int64)
        stub = np.zeros(2 * size, np.int64)
        for i in range(len(decks)):
            stub[:size] = decks[i]
            result = play_round(tables, stub, numbers[i], wagered[i], options, reuse_discards, actions[i])
            for seat in range(seats):
                settled_outcomes = settle(tables, result.states[seat], options)
                for wager in range(wagers):
                    outcomes[i, seat, wager] = settled_outcomes[wager]
        return outcomes, actions

    rounds_function: RoundsFunction = kernel(play_rounds) if compiled else play_rounds
    return rounds_function


def _build_number_choice(shape: RoundShape) -> RuleFunction:
    """Build the choice of an action and of its discards by a number."""
    discards = shape.discards

    @kernel_helper
    def choose_action(
        _tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        _path: int,
        numbers: Any,
        turn: int,
        seat: int,
        _options: Any,
        record: Any,
    ) -> tuple[int, int]:
        action = pick_action(allowed, numbers[turn])
        record[seat, asked] = action
        return action, pick_cards(seen.player, discards[asked][action], numbers[turn] >> 8)

    return choose_action
