"""A block of rounds, compiled: for every round and seat one number, the cell in which all its wagers ended.

A cell tells the outcomes of all wagers of a seat together.  Whatever a round pays follows from it under any pay table
(ruling ALL-8), so no pay is known here, and no sum can overflow.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.counting.compile import filling_kernel, inner_part
from pitboss.simulate.draws import Chance, below, choice, lay
from pitboss.simulate.round import LEGAL, RuleFunction, Shape, Source, seats_of, together_of
from pitboss.simulate.written import action_by_number, cards_by_number

Cells = NDArray[np.int32]
Bytes = NDArray[np.uint8]

DRAWN = Source(lay, below)

BLOCK_BITS = 16
BLOCK = 1 << BLOCK_BITS
"""The rounds of a block, which the counter of the generator numbers."""


class Block(NamedTuple):
    """What a block of rounds came to beside its cells.

    ``renewed`` is in how many rounds the stub ran short and was renewed; ``fault`` the first fault (``round.Played``)
    and ``fault_round`` the round in which it was, -1 if there was none.
    """

    renewed: int
    fault: int
    fault_round: int


Play = Callable[[Any, Any, Any, int, Chance, Bytes, Any, Cells], Block]


def strides_of(outcomes: tuple[int, ...]) -> tuple[int, ...]:
    """Return what each wager's outcome adds to a cell; the last wager's adds itself.

    >>> strides_of((7, 10, 9))
    (90, 9, 1)
    """
    strides = [1]
    for count in outcomes[:0:-1]:
        strides.insert(0, strides[0] * count)
    return tuple(strides)


def blocks_of(rules: Any, shape: Shape, seats: int, chosen: RuleFunction) -> Play:
    """Return the kernel that plays a block of rounds of so many seats, ``chosen`` as ``round_of`` takes it.

    ``play(tables, options, wagered, again, chance, stub, told, cells) -> Block`` deals round ``chance.round`` first and
    fills ``cells``, of shape (rounds, seats).  ``stub`` is scratch with room for two decks, ``told`` what ``chosen``
    is given as its record.  A wager on another seat's hand stands on the next seat's, the last seat's on the first's.
    """
    return filling_kernel(plain_blocks_of(rules, shape, seats, chosen))


def plain_blocks_of(rules: Any, shape: Shape, seats: int, chosen: RuleFunction) -> Play:
    """Return what ``blocks_of`` compiles, as plain Python."""
    together, cards = together_of(rules, seats), rules.count_dealt(seats)
    played = seats_of(rules, shape, seats, together, DRAWN, chosen)
    settle, deck = rules.settle, shape.deck
    here, elsewhere = _digits(shape, 0), _digits(shape, 1)

    def play(
        tables: Any, options: Any, wagered: Any, again: int, chance: Chance, stub: Any, told: Any, cells: Any
    ) -> Block:
        renewed = 0
        for i in range(len(cells)):
            for card in range(deck):
                stub[card] = card
            for seat in range(seats):
                cells[i, seat] = 0
            now = Chance(chance.seed_low, chance.seed_high, chance.block, chance.round + i)
            laid = lay(stub, deck, 0, cards, now)
            for first in range(0, seats, together):
                end = played(tables, stub, laid, first, now, wagered, options, again, told)
                if end.fault != LEGAL:
                    return Block(renewed, end.fault, chance.round + i)
                renewed += 1 if end.renewed else 0
                for each in range(together):
                    seat = first + each
                    settled = settle(tables, end.states[each], options)
                    cells[i, seat] += here(settled)
                    cells[i, seat - 1 if seat else seats - 1] += elsewhere(settled)
        return Block(renewed, LEGAL, -1)

    return play


def _digits(shape: Shape, elsewhere: int) -> RuleFunction:
    """Return what adds up the digits of a cell that a hand settles: of wagers on another seat's hand, or on one's own.

    It is a chain of functions, one for each wager, so that no outcome is looked up by a number.
    """

    @inner_part
    def none(_settled: Any) -> int:
        return 0

    digits: RuleFunction = none
    for wager, stride in enumerate(strides_of(shape.outcomes)):
        if shape.elsewhere[wager] == elsewhere:
            digits = _with_digit(digits, wager, stride)
    return digits


def _with_digit(digits: RuleFunction, wager: int, stride: int) -> RuleFunction:
    @inner_part
    def more(settled: Any) -> Any:
        return digits(settled) + stride * settled[wager]

    return more


def followed(rules: Any, choose: RuleFunction, refused: tuple[int, ...]) -> RuleFunction:
    """Return the choices of a strategy, which is told its numbers.

    A draw that the stub cannot serve is refused (LU-11): the seat then takes action ``refused[asked]``.
    """
    legal, full = rules.legal_actions, 1 << 6

    @inner_part
    def chosen(
        tables: Any, seen: Any, asked: int, allowed: int, _chance: Any, _turn: int, _seat: int, options: Any, told: Any
    ) -> tuple[int, int]:
        action, cards = choose(tables, seen, asked, told, options)
        if 0 <= action < 63 and allowed >> action & 1 == 0 and legal(tables, seen, asked, full, options) >> action & 1:
            return refused[asked], 0
        return action, cards

    return chosen


def by_chance(shape: Shape) -> RuleFunction:
    """Return choices drawn from the legal actions and the cards held."""
    gives = shape.gives

    @inner_part
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
        number = choice(chance, turn)
        action = action_by_number(allowed, number)
        return action, cards_by_number(seen.player, gives[asked][action], number >> 8)

    return chosen
