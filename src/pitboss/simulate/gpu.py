"""Rounds on an NVIDIA GPU: the functions of the kernel of a block, a round at a time in each thread.

A round depends on the seed and its own number alone, so the counts are those of any processor, bit for bit.
"""

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numba import config, cuda

from pitboss.contract import Game
from pitboss.core.errors import DeviceError, StrategyError
from pitboss.counting.compile import compile_rules, inner_part
from pitboss.games import game_named
from pitboss.hands import hand_tables
from pitboss.simulate.draws import WORD, Chance
from pitboss.simulate.faults import told_fault
from pitboss.simulate.kernel import BLOCK, plain_blocks_of, strides_of
from pitboss.simulate.players import Player
from pitboss.simulate.result import Counted, offsets_of
from pitboss.simulate.round import LEGAL, shape_of
from pitboss.simulate.setting import Simulation, chosen_by, setting_of

_THREADS = 128
_MOST_GROUPS = 1 << 12
_MOST_COUNTERS = 1 << 24
_COPIES = 64

NO_FAULT = np.iinfo(np.int64).max


def gpu_wanted() -> None:
    """Refuse to go on where there is no GPU.

    Raises:
        DeviceError: no GPU can be used.
    """
    if not cuda.is_available():
        raise DeviceError(
            "--device gpu needs an NVIDIA GPU with its driver, and pitboss[gpu]; leave it out for the CPU"
        )


def counted_on_gpu(simulation: Simulation, seed: int, first: int, rounds: int) -> Counted:
    """Play so many rounds of the stream from the ``first`` on and count them.

    Cells are counted in several copies of one table, so that threads seldom wait for one another.

    Raises:
        DeviceError: no GPU can be used.
        StrategyError: a strategy does what is not legal.
    """
    gpu_wanted()
    game, outcomes = game_named(simulation.game), shape_of(game_named(simulation.game)).outcomes
    setting = setting_of(simulation, simulation.player)
    copies = max(1, min(_COPIES, _MOST_COUNTERS // prod(outcomes)))
    counts = cuda.to_device(np.zeros((copies, prod(outcomes)), np.int64))
    about = np.array([outcomes, strides_of(outcomes), offsets_of(outcomes)], np.int64)
    across = cuda.to_device(np.zeros((sum(outcomes), sum(outcomes)), np.int64))
    notes = cuda.to_device(np.array([NO_FAULT, 0], np.int64))
    threads = min(_THREADS, rounds)
    _kernel(game, simulation.player, simulation.seats)[min(_MOST_GROUPS, -(-rounds // threads)), threads](
        _there(hand_tables()),
        setting.options,
        cuda.to_device(setting.wagered),
        setting.again,
        (seed & WORD, seed >> 32, first, rounds),
        _there(setting.told),
        counts,
        cuda.to_device(about),
        across,
        notes,
    )
    fault, renewed = notes.copy_to_host().tolist()
    if fault != NO_FAULT:
        raise StrategyError(told_fault(setting, Chance(seed & WORD, seed >> 32, fault // BLOCK, fault % BLOCK)))
    return Counted(outcomes, simulation.seats, rounds, _met(counts), _pairs(across), renewed)


def _there(values: Any) -> Any:
    """Return a named tuple of arrays with its arrays on the GPU; any other tuple as it is."""
    if isinstance(values, tuple) and any(isinstance(value, np.ndarray) for value in values):
        there = (cuda.to_device(np.ascontiguousarray(value)) for value in values)
        return type(values)(*there)
    return values


def _met(counts: Any) -> dict[int, int]:
    """Return the cells met, and how often, from all copies of the table."""
    every = counts.copy_to_host().sum(axis=0)
    met = np.flatnonzero(every)
    return dict(zip(met.tolist(), every[met].tolist(), strict=True))


def _pairs(across: Any) -> dict[tuple[int, int], int]:
    table = across.copy_to_host()
    rows, columns = np.nonzero(table)
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), table[rows, columns].tolist(), strict=True))


@lru_cache(maxsize=64)
def _kernel(game: Game, player: Player, seats: int) -> Any:
    """Compile the kernel of a game, a player and so many seats.

    Its arguments are those of ``blocks_of`` but for seed, first round and rounds as ``stream``, and what it adds to:
    ``counts`` (copies, cells), ``across`` as ``across.Across`` counts, ``about`` each wager's outcomes, strides and
    first outcomes, and ``notes``, the first faulty round and in how many rounds the stub was renewed.
    """
    shape = shape_of(game)
    play: Callable[..., Any] = inner_part(plain_blocks_of(game.rules, shape, seats, chosen_by(game, player)))
    compile_rules()
    cards, wagers = 2 * shape.deck, len(shape.outcomes)
    # A card of eight bits cannot be shifted in the interpreter, which is what the simulator of a GPU runs.
    card_type = np.int64 if config.ENABLE_CUDASIM else np.uint8

    @cuda.jit
    def played(
        tables: Any,
        options: Any,
        wagered: Any,
        again: int,
        stream: tuple[int, int, int, int],
        told: Any,
        counts: Any,
        about: Any,
        across: Any,
        notes: Any,
    ) -> None:
        stub = cuda.local.array(cards, card_type)
        cells = cuda.local.array((1, seats), np.int32)
        seed_low, seed_high, first, rounds = stream
        copy = cuda.blockIdx.x % counts.shape[0]
        for each in range(cuda.grid(1), rounds, cuda.gridsize(1)):
            number = first + each
            chance = Chance(seed_low, seed_high, number // BLOCK, number % BLOCK)
            block = play(tables, options, wagered, again, chance, stub, told, cells)
            if block.fault != LEGAL:
                cuda.atomic.min(notes, 0, number)
            elif block.renewed:
                cuda.atomic.add(notes, 1, 1)
            for seat in range(seats):
                cuda.atomic.add(counts, (copy, cells[0, seat]), 1)
                for other in range(seat):
                    for row in range(wagers):
                        of_other = about[2, row] + cells[0, other] // about[1, row] % about[0, row]
                        for column in range(wagers):
                            own = about[2, column] + cells[0, seat] // about[1, column] % about[0, column]
                            cuda.atomic.add(across, (of_other, own), 1)

    return played
