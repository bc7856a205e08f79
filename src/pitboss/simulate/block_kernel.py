"""A block of rounds, compiled: for every round and seat one number, the cell in which all its wagers ended.

A cell tells the outcomes of all wagers of a seat together.  Whatever a round pays follows from it under any pay table
(ruling ALL-8), so no pay is known here, and no sum can overflow.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.kernels.compile import inlined_helper, no_alloc_kernel
from pitboss.simulate.replayed import pick_action, pick_cards
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
"""The rounds of a block, which the counter of the generator numbers."""


class BlockResult(NamedTuple):
    """What a block of rounds came to beside its cells.

    ``renewed_rounds`` is in how many rounds the stub ran short and was renewed; ``fault`` the first fault
    (``round.Played``) and ``fault_round`` the round in which it was, -1 if there was none.
    """

    renewed_rounds: int
    fault: int
    fault_round: int


BlockFunction = Callable[[Any, Any, Any, int, RngState, Bytes, Any, Cells], BlockResult]


def compute_strides(outcomes: tuple[int, ...]) -> tuple[int, ...]:
    """Return what each wager's outcome adds to a cell; the last wager's adds itself.

    >>> compute_strides((7, 10, 9))
    (90, 9, 1)
    """
    strides = [1]
    for count in outcomes[:0:-1]:
        strides.insert(0, strides[0] * count)
    return tuple(strides)


def compile_block(rules: Any, shape: RoundShape, seats: int, choose: RuleFunction) -> BlockFunction:
    """Return the kernel that plays a block of rounds of so many seats, ``choose`` as ``round_of`` takes it.

    ``play(tables, options, wagered, again, chance, stub, told, cells) -> Block`` deals round ``chance.round`` first and
    fills ``cells``, of shape (rounds, seats).  ``stub`` is scratch with room for two decks, ``told`` what ``choose``
    is given as its record.  A wager on another seat's hand stands on the next seat's, the last seat's on the first's.
    """
    return no_alloc_kernel(build_block(rules, shape, seats, choose))


def build_block(rules: Any, shape: RoundShape, seats: int, choose: RuleFunction) -> BlockFunction:
    """Return what ``compile_block`` compiles, as plain Python."""
    together, cards = count_seats_together(rules, seats), rules.count_dealt(seats)
    played = build_seats(rules, shape, seats, together, RANDOM_SOURCE, choose)
    settle, deck = rules.settle, shape.deck_cards
    here, elsewhere = _build_digits(shape, 0), _build_digits(shape, 1)

    def play(
        tables: Any, options: Any, wagered: Any, again: int, chance: RngState, stub: Any, told: Any, cells: Any
    ) -> BlockResult:
        renewed = 0
        for i in range(len(cells)):
            for card in range(deck):
                stub[card] = card
            for seat in range(seats):
                cells[i, seat] = 0
            now = RngState(chance.seed_low, chance.seed_high, chance.block, chance.round + i)
            laid = shuffle_until(stub, deck, 0, cards, now)
            for first in range(0, seats, together):
                end = played(tables, stub, laid, first, now, wagered, options, again, told)
                if end.fault != LEGAL:
                    return BlockResult(renewed, end.fault, chance.round + i)
                renewed += 1 if end.renewed else 0
                for each in range(together):
                    seat = first + each
                    settled = settle(tables, end.states[each], options)
                    cells[i, seat] += here(settled)
                    cells[i, seat - 1 if seat else seats - 1] += elsewhere(settled)
        return BlockResult(renewed, LEGAL, -1)

    return play


def _build_digits(shape: RoundShape, elsewhere: int) -> RuleFunction:
    """Return what adds up the digits of a cell that a hand settles: of wagers on another seat's hand, or on one's own.

    It is a chain of functions, one for each wager, so that no outcome is looked up by a number.
    """

    @inlined_helper
    def none(_settled: Any) -> int:
        return 0

    digits: RuleFunction = none
    for wager, stride in enumerate(compute_strides(shape.outcomes)):
        if shape.on_other_seat[wager] == elsewhere:
            digits = _add_digit(digits, wager, stride)
    return digits


def _add_digit(digits: RuleFunction, wager: int, stride: int) -> RuleFunction:
    @inlined_helper
    def more(settled: Any) -> Any:
        return digits(settled) + stride * settled[wager]

    return more


def build_strategy_choice(rules: Any, choose: RuleFunction, fallback_actions: tuple[int, ...]) -> RuleFunction:
    """Return the choices of a strategy, which is told its numbers.

    A draw that the stub cannot serve is refused (LU-11): the seat then takes action ``refused[asked]``.
    """
    legal, full = rules.legal_actions, 1 << 6

    @inlined_helper
    def chosen(
        tables: Any, seen: Any, asked: int, allowed: int, _chance: Any, _turn: int, _seat: int, options: Any, told: Any
    ) -> tuple[int, int]:
        action, cards = choose(tables, seen, asked, told, options)
        if 0 <= action < 63 and allowed >> action & 1 == 0 and legal(tables, seen, asked, full, options) >> action & 1:
            return fallback_actions[asked], 0
        return action, cards

    return chosen


def build_random_choice(shape: RoundShape) -> RuleFunction:
    """Return choices drawn from the legal actions and the cards held."""
    gives = shape.discards

    @inlined_helper
    def chosen(
        _tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        chance: Any,
        turn: int,
        _seat: int,
        _options: Any,
        _record: Any,
    ) -> tuple[int, int]:
        number = draw_choice_bits(chance, turn)
        action = pick_action(allowed, number)
        return action, pick_cards(seen.player, gives[asked][action], number >> 8)

    return chosen
