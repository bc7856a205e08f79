"""Rounds on an NVIDIA GPU: the functions of the kernel of a block, a round at a time in each thread.

A round depends on the seed and its own number alone, so the counts are those of any processor, bit for bit.
"""

from collections import Counter
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numba import config, cuda

from pitboss.contract import Game
from pitboss.core.errors import DeviceError, StrategyError
from pitboss.counting.compile import compile_rules, inner_part
from pitboss.games import game_named
from pitboss.hands import load_hand_tables
from pitboss.simulate.draws import WORD, Chance
from pitboss.simulate.faults import told_fault
from pitboss.simulate.kernel import BLOCK, Block, Play, plain_blocks_of, strides_of
from pitboss.simulate.players import Player
from pitboss.simulate.result import Counted, offsets_of
from pitboss.simulate.round import LEGAL, Shape, shape_of
from pitboss.simulate.setting import Simulation, chosen_by, setting_of

_THREADS = 128
_MOST_GROUPS = 1 << 12
_MOST_COUNTERS = 1 << 24
_MOST_SLOTS = 1 << 20
_COPIES = 64
_EMPTY = -1
_LOW_BITS = (1 << 31) - 1
_SPREAD = 0x9E3779B1
"""2^32 by the golden ratio: cells that lie close together come to lie far apart."""

NO_FAULT = np.iinfo(np.int64).max


# What a run writes down beside its counts: each player's first faulty round, in how many the stub was renewed, whether
# the table of cells was full.
_FAULT, _FAULT_AGAINST, _RENEWED, _FULL = range(4)


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
        DeviceError: no GPU can be used, or rounds end in more ways than it has room for.
        StrategyError: a strategy does what is not legal.
    """
    gpu_wanted()
    game = game_named(simulation.game)
    players = [player for player in (simulation.player, simulation.against) if player]
    settings = [setting_of(simulation, player) for player in players]
    outcomes = shape_of(game).outcomes * len(players)
    slots = min(_MOST_SLOTS, 1 << (2 * prod(outcomes)).bit_length())
    copies = max(1, min(_COPIES, _MOST_COUNTERS // slots))
    cells = cuda.to_device(np.full((copies, slots), _EMPTY, np.int64))
    counts = cuda.to_device(np.zeros((copies, slots), np.int64))
    about = np.array([outcomes, strides_of(outcomes), offsets_of(outcomes)], np.int64)
    across = cuda.to_device(np.zeros((sum(outcomes), sum(outcomes)), np.int64))
    notes = cuda.to_device(np.array([NO_FAULT, NO_FAULT, 0, 0], np.int64))
    threads = min(_THREADS, rounds)
    _kernel(game, simulation.player, simulation.against, simulation.seats)[
        min(_MOST_GROUPS, -(-rounds // threads)), threads
    ](
        _there(load_hand_tables()),
        settings[0].options,
        cuda.to_device(settings[0].wagered),
        settings[0].again,
        (seed & WORD, seed >> 32, first, rounds),
        _there(settings[0].told),
        _there(settings[-1].told),
        cells,
        counts,
        cuda.to_device(about),
        across,
        notes,
    )
    noted = notes.copy_to_host().tolist()
    for setting, fault in zip(settings, noted, strict=False):
        if fault != NO_FAULT:
            raise StrategyError(told_fault(setting, Chance(seed & WORD, seed >> 32, fault // BLOCK, fault % BLOCK)))
    if noted[_FULL]:
        raise DeviceError(f"rounds end in more than the {slots:,} ways that are counted on a GPU: leave out --device")
    return Counted(outcomes, simulation.seats, rounds, _met(cells, counts), _pairs(across), noted[_RENEWED])


def _there(values: Any) -> Any:
    """Return a named tuple of arrays with its arrays on the GPU; any other tuple as it is."""
    if isinstance(values, tuple) and any(isinstance(value, np.ndarray) for value in values):
        there = (cuda.to_device(np.ascontiguousarray(value)) for value in values)
        return type(values)(*there)
    return values


def _met(cells: Any, counts: Any) -> dict[int, int]:
    """Return the cells met, and how often, from all copies of the table."""
    every, times = cells.copy_to_host(), counts.copy_to_host()
    found: Counter[int] = Counter()
    for cell, count in zip(every[every != _EMPTY].tolist(), times[every != _EMPTY].tolist(), strict=True):
        found[cell] += count
    return dict(sorted(found.items()))


def _pairs(across: Any) -> dict[tuple[int, int], int]:
    table = across.copy_to_host()
    rows, columns = np.nonzero(table)
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), table[rows, columns].tolist(), strict=True))


@inner_part
def _count_cell(cells: Any, counts: Any, copy: int, cell: int, notes: Any) -> None:
    """Add one to a cell, in the first slot from the one that its number is spread to that is its own or nobody's."""
    slots = cells.shape[1]
    slot = ((cell & _LOW_BITS) * _SPREAD >> 16) & (slots - 1)
    for _ in range(slots):
        held = cells[copy, slot]
        if held == _EMPTY:
            held = cuda.atomic.cas(cells, (copy, slot), _EMPTY, cell)
            held = cell if held == _EMPTY else held
        if held == cell:
            cuda.atomic.add(counts, (copy, slot), 1)
            return
        slot = (slot + 1) & (slots - 1)
    cuda.atomic.add(notes, _FULL, 1)


@inner_part
def _nobody(
    _tables: Any, _options: Any, _wagered: Any, _again: int, _chance: Any, _stub: Any, _told: Any, cells: Any
) -> Block:
    """Play nothing, where there is no second player."""
    for seat in range(cells.shape[1]):
        cells[0, seat] = 0
    return Block(0, LEGAL, -1)


@lru_cache(maxsize=64)
def _kernel(game: Game, player: Player, against: Player | None, seats: int) -> Any:
    """Compile the kernel of a game, a player, perhaps another ``against`` him, and so many seats.

    Its arguments are those of ``blocks_of`` but for seed, first round and rounds as ``stream``, what the second player
    goes by, and what it adds to: ``cells`` and ``counts`` (copies, slots), a table of the cells met and how often,
    ``across`` as ``across.Across`` counts, ``about`` each wager's outcomes, strides and first outcomes, and ``notes``.
    """
    shape = shape_of(game)
    play, other = (_play(game, shape, each, seats) if each else _nobody for each in (player, against))
    compile_rules()
    cards, wagers = 2 * shape.deck, len(shape.outcomes)
    width = prod(shape.outcomes) if against else 1
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
        told_other: Any,
        cells: Any,
        counts: Any,
        about: Any,
        across: Any,
        notes: Any,
    ) -> None:
        stub = cuda.local.array(cards, card_type)
        ended = cuda.local.array((1, seats), np.int32)
        ended_other = cuda.local.array((1, seats), np.int32)
        seed_low, seed_high, first, rounds = stream
        copy = cuda.blockIdx.x % counts.shape[0]
        for each in range(cuda.grid(1), rounds, cuda.gridsize(1)):
            number = first + each
            chance = Chance(seed_low, seed_high, number // BLOCK, number % BLOCK)
            block = play(tables, options, wagered, again, chance, stub, told, ended)
            if block.fault != LEGAL:
                cuda.atomic.min(notes, _FAULT, number)
            elif block.renewed:
                cuda.atomic.add(notes, _RENEWED, 1)
            if other(tables, options, wagered, again, chance, stub, told_other, ended_other).fault != LEGAL:
                cuda.atomic.min(notes, _FAULT_AGAINST, number)
            for seat in range(seats):
                _count_cell(cells, counts, copy, np.int64(ended[0, seat]) * width + ended_other[0, seat], notes)
                for before in range(seat):
                    for row in range(wagers):
                        of_other = about[2, row] + ended[0, before] // about[1, row] % about[0, row]
                        for column in range(wagers):
                            own = about[2, column] + ended[0, seat] // about[1, column] % about[0, column]
                            cuda.atomic.add(across, (of_other, own), 1)

    return played


def _play(game: Game, shape: Shape, player: Player, seats: int) -> Play:
    """Return the play of a block, for a kernel to call."""
    play: Play = inner_part(plain_blocks_of(game.rules, shape, seats, chosen_by(game, player)))
    return play
