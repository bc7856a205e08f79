"""Compile a block of rounds.

For every round and seat, the block computes one number: the cell in which all wagers ended.  A cell is the outcomes of
all wagers of a seat together.  The nets of a round under any pay table follow from its cells (ruling ALL-8), so no pay
is needed here, and no sum can overflow.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import popcount
from pitboss.core.rule import rule
from pitboss.kernels.compile import inlined_helper, no_alloc_kernel
from pitboss.simulate.rng import RngState, draw_below, draw_choice_bits, shuffle_until
from pitboss.simulate.round_driver import (
    LEGAL,
    RandomSource,
    RoundShape,
    RuleFunction,
    build_seats,
    count_seats_together,
)

Cells = NDArray[np.int32]
Bytes = NDArray[np.uint8]

RANDOM_SOURCE = RandomSource(shuffle_until, draw_below)

BLOCK_BITS = 16
BLOCK_ROUNDS = 1 << BLOCK_BITS
"""The number of rounds in a block; the generator's counter numbers them."""


class BlockResult(NamedTuple):
    """The result of a block of rounds in addition to its cells.

    ``reshuffled_rounds`` is the number of rounds in which the stub was reshuffled.  ``fault`` is the first
    fault (``RoundResult.fault``) and ``fault_round`` its round, -1 if there was none.
    """

    reshuffled_rounds: int
    fault: int
    fault_round: int


BlockFunction = Callable[[Any, Any, Any, int, RngState, Bytes, Any, Cells], BlockResult]


def compute_strides(outcomes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the factor of each wager's outcome in a cell; the last wager's is 1.

    >>> compute_strides((7, 10, 9))
    (90, 9, 1)
    """
    strides = [1]
    for count in outcomes[:0:-1]:
        strides.insert(0, strides[0] * count)
    return tuple(strides)


def compile_block(rules: Any, shape: RoundShape, seats: int, choose: RuleFunction) -> BlockFunction:
    """Compile the kernel that plays a block of rounds of ``seats`` seats.

    ``play(tables, options, wagered, reuse_discards, rng, stub, player_data, cells) -> BlockResult`` begins with round
    ``rng.round`` and fills ``cells``, of shape (rounds, seats).  ``stub`` is a scratch array for two decks.
    ``choose``, as in ``build_seats``, gets ``player_data`` as its record.  A wager on another seat's hand stands on the
    next seat's hand; the last seat's stands on the first seat's.
    """
    return no_alloc_kernel(build_block(rules, shape, seats, choose))


def build_block(rules: Any, shape: RoundShape, seats: int, choose: RuleFunction) -> BlockFunction:
    """Build the function that ``compile_block`` compiles, as plain Python."""
    together, dealt_cards = count_seats_together(rules, seats), rules.count_dealt(seats)
    play_seats = build_seats(rules, shape, seats, together, RANDOM_SOURCE, choose)
    settle, deck_cards = rules.settle, shape.deck_cards
    add_own, add_other = _build_digits(shape, 0), _build_digits(shape, 1)

    def play(
        tables: Any,
        options: Any,
        wagered: Any,
        reuse_discards: int,
        rng: RngState,
        stub: Any,
        player_data: Any,
        cells: Any,
    ) -> BlockResult:
        reshuffled_rounds = 0
        for i in range(len(cells)):
            for card in range(deck_cards):
                stub[card] = card
            for seat in range(seats):
                cells[i, seat] = 0
            round_rng = RngState(rng.seed_low, rng.seed_high, rng.block, rng.round + i)
            shuffled = shuffle_until(stub, deck_cards, 0, dealt_cards, round_rng)
            for first in range(0, seats, together):
                result = play_seats(
                    tables, stub, shuffled, first, round_rng, wagered, options, reuse_discards, player_data
                )
                if result.fault != LEGAL:
                    return BlockResult(reshuffled_rounds, result.fault, rng.round + i)
                reshuffled_rounds += 1 if result.reshuffles else 0
                for each in range(together):
                    seat = first + each
                    outcomes = settle(tables, result.states[each], options)
                    cells[i, seat] += add_own(outcomes)
                    cells[i, seat - 1 if seat else seats - 1] += add_other(outcomes)
        return BlockResult(reshuffled_rounds, LEGAL, -1)

    return play


def _build_digits(shape: RoundShape, on_other_seat: int) -> RuleFunction:
    """Build a function that adds up the digits of a cell that one hand settles.

    They are the digits of the wagers on another seat's hand where ``on_other_seat`` is 1, else of those on the seat's
    own.  The function is a chain with one link per wager, and each link reads its outcome by a constant index.
    """

    @inlined_helper
    def add_nothing(_outcomes: Any) -> int:
        return 0

    add_digits: RuleFunction = add_nothing
    for wager, stride in enumerate(compute_strides(shape.outcomes)):
        if shape.on_other_seat[wager] == on_other_seat:
            add_digits = _add_digit(add_digits, wager, stride)
    return add_digits


def _add_digit(add_digits: RuleFunction, wager: int, stride: int) -> RuleFunction:
    @inlined_helper
    def add_digit(outcomes: Any) -> Any:
        return add_digits(outcomes) + stride * outcomes[wager]

    return add_digit


def build_strategy_choice(
    rules: Any, choose: RuleFunction, fallback_actions: tuple[int, ...], *, sees_path: bool = False
) -> RuleFunction:
    """Build the choices of a strategy from its function.

    The function gets the player's data, and with ``sees_path`` what the seat did before.  A draw that the stub cannot
    serve is refused (LU-11): the seat then takes action ``fallback_actions[asked]``.
    """
    legal_actions, full_stub, ask = rules.legal_actions, 1 << 6, choose if sees_path else _drop_path(choose)

    @inlined_helper
    def choose_action(
        tables: Any,
        seen: Any,
        decision: int,
        allowed: int,
        path: int,
        _chance: Any,
        _turn: int,
        _seat: int,
        options: Any,
        player_data: Any,
    ) -> tuple[int, int]:
        action, cards = ask(tables, seen, decision, path, player_data, options)
        if (
            0 <= action < 63
            and allowed >> action & 1 == 0
            and legal_actions(tables, seen, decision, full_stub, options) >> action & 1
        ):
            return fallback_actions[decision], 0
        return action, cards

    return choose_action


def _drop_path(choose: RuleFunction) -> RuleFunction:
    """Let a function that takes no path be asked with one."""

    @inlined_helper
    def ask(tables: Any, seen: Any, decision: int, _path: int, player_data: Any, options: Any) -> Any:
        return choose(tables, seen, decision, player_data, options)

    return ask


@rule
def pick_action(allowed: int, number: int) -> int:
    """Return one action of the set ``allowed``.

    Uniform numbers make all actions equally likely.
    """
    action = 0
    remaining = number % popcount(allowed)
    while not allowed >> action & 1 or remaining:
        remaining -= allowed >> action & 1
        action += 1
    return action


@rule
def pick_cards(held: int, count: int, number: int) -> int:
    """Return ``count`` cards of the set ``held``.

    Uniform numbers make all such sets equally likely.
    """
    picked = 0
    for _ in range(count):
        card = pick_action(held & ~picked, number)
        number //= popcount(held & ~picked)
        picked |= 1 << card
    return picked


def build_random_choice(shape: RoundShape) -> RuleFunction:
    """Build choices drawn from the legal actions and the cards held."""
    discards = shape.discards

    @inlined_helper
    def choose_action(
        _tables: Any,
        seen: Any,
        decision: int,
        allowed: int,
        _path: int,
        rng: Any,
        turn: int,
        _seat: int,
        _options: Any,
        _record: Any,
    ) -> tuple[int, int]:
        number = draw_choice_bits(rng, turn)
        action = pick_action(allowed, number)
        return action, pick_cards(seen.player, discards[decision][action], number >> 8)

    return choose_action
