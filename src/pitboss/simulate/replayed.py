"""Rounds whose chance is written down: the order of the deck, and a row of numbers for what a round leaves open.

The numbers decide the shuffle of cards given up (LU-11) and, where no strategy is followed, the seats' choices.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import popcount
from pitboss.core.rule import rule
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.simulate.round_driver import RandomSource, RoundShape, RuleFunction, build_round
from pitboss.solver_api import Strategy

Integers = NDArray[np.int64]
RoundsFunction = Callable[[HandTables, Integers, Integers, Integers, Any, int], tuple[Integers, Integers]]

NOT_ASKED = -1


def count_numbers_needed(shape: RoundShape, seats: int) -> int:
    """Return how many numbers a round can use: one for each decision, one for each card that is shuffled again."""
    return seats * len(shape.discards) + shape.deck_cards


@rule
def pick_action(allowed: int, number: int) -> int:
    """Return one of the actions of the set ``allowed``, all equally likely for numbers without end."""
    action = 0
    left = number % popcount(allowed)
    while not allowed >> action & 1 or left:
        left -= allowed >> action & 1
        action += 1
    return action


@rule
def pick_cards(held: int, count: int, number: int) -> int:
    """Return ``count`` cards of the set ``held``, every set of them equally likely for numbers without end."""
    given = 0
    for _ in range(count):
        card = pick_action(held & ~given, number)
        number //= popcount(held & ~given)
        given |= 1 << card
    return given


@rule
def _skip_shuffle(_stub: Any, size: int, _laid: int, _until: int, _numbers: Any) -> int:
    """Lay nothing out: the whole deck lies in order."""
    return size


@rule
def _reduce_below(numbers: Any, number: int, bound: int) -> int:
    """Return a draw below ``bound`` by one of the numbers."""
    return int(numbers[number] % bound)


REPLAYED_SOURCE = RandomSource(_skip_shuffle, _reduce_below)


def build_rounds(
    rules: Any, shape: RoundShape, seats: int, strategy: Strategy | None = None, *, compiled: bool = True
) -> RoundsFunction:
    """Return rounds of so many seats whose choices are drawn from the legal ones, compiled or as plain Python.

    The attributes of ``rules`` are the game's rule functions, as ``contract.Rules`` describes them.  With a strategy
    to be ``strategy`` every seat plays that, and nothing is drawn for it.

    The function takes the hand tables, decks of shape (rounds, cards), ``wagered`` of shape (rounds, seats) as
    ``deal`` takes it, non-negative numbers of shape (rounds, ``count_numbers_needed``), the game's options, and whether
    cards given up by others serve when the stub runs short.  It returns outcomes of shape (rounds, seats, wagers)
    and actions of shape (rounds, seats, decisions), ``NOT_ASKED`` where a seat had nothing to decide.
    """
    played = build_round(
        rules,
        shape,
        seats,
        REPLAYED_SOURCE,
        _build_strategy_choice(strategy) if strategy else _build_number_choice(shape),
    )
    settle, wagers, decisions, size = rules.settle, len(shape.outcomes), len(shape.discards), shape.deck_cards

    def rounds(
        tables: HandTables, decks: Integers, wagered: Integers, numbers: Integers, options: Any, again: int
    ) -> tuple[Integers, Integers]:
        outcomes = np.zeros((len(decks), seats, wagers), np.int64)
        actions = np.full((len(decks), seats, decisions), NOT_ASKED, np.int64)
        stub = np.zeros(2 * size, np.int64)
        for i in range(len(decks)):
            stub[:size] = decks[i]
            end = played(tables, stub, numbers[i], wagered[i], options, again, actions[i])
            for seat in range(seats):
                settled = settle(tables, end.states[seat], options)
                for wager in range(wagers):
                    outcomes[i, seat, wager] = settled[wager]
        return outcomes, actions

    playing: RoundsFunction = kernel(rounds) if compiled else rounds
    return playing


def _build_number_choice(shape: RoundShape) -> RuleFunction:
    """Return the choice of an action and of the cards it gives up by a number."""
    gives = shape.discards

    @kernel_helper
    def chosen(
        _tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        numbers: Any,
        turn: int,
        seat: int,
        _options: Any,
        record: Any,
    ) -> tuple[int, int]:
        action = pick_action(allowed, numbers[turn])
        record[seat, asked] = action
        return action, pick_cards(seen.player, gives[asked][action], numbers[turn] >> 8)

    return chosen


def _build_strategy_choice(strategy: Strategy) -> RuleFunction:
    """Return the choice of a strategy."""
    choose, given = strategy.choose, strategy.numbers

    @kernel_helper
    def chosen(
        tables: Any,
        seen: Any,
        asked: int,
        _allowed: int,
        _numbers: Any,
        _turn: int,
        seat: int,
        options: Any,
        record: Any,
    ) -> tuple[int, int]:
        action, cards = choose(tables, seen, asked, given, options)
        record[seat, asked] = action
        return action, cards

    return chosen
