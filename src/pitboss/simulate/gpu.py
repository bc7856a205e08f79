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
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import inlined_helper, register_rules
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, BlockFunction, BlockResult, build_block, compute_strides
from pitboss.simulate.illegal_actions import describe_fault
from pitboss.simulate.kernel_args import Simulation, build_kernel_args, build_player_choice
from pitboss.simulate.outcome_counts import OutcomeCounts, compute_offsets
from pitboss.simulate.players import Player
from pitboss.simulate.rng import WORD_MASK, RngState
from pitboss.simulate.round_driver import LEGAL, RoundShape, compute_round_shape

_THREADS = 128
_MAX_GROUPS = 1 << 12
_MAX_COUNTERS = 1 << 24
_MAX_SLOTS = 1 << 20
_COPIES = 64
_EMPTY = -1
_LOW_BITS = (1 << 31) - 1
_HASH_FACTOR = 0x9E3779B1
"""2^32 by the golden ratio: cells that lie close together come to lie far apart."""

NO_FAULT = np.iinfo(np.int64).max


# What a run writes down beside its counts: each player's first faulty round, in how many the stub was renewed, whether
# the table of cells was full.
_FAULT, _FAULT_AGAINST, _RENEWED, _FULL = range(4)


def require_gpu() -> None:
    """Refuse to go on where there is no GPU.

    Raises:
        DeviceError: no GPU can be used.
    """
    if not cuda.is_available():
        raise DeviceError(
            "--device gpu needs an NVIDIA GPU with its driver, and pitboss[gpu]; leave it out for the CPU"
        )


def count_on_gpu(simulation: Simulation, seed: int, first: int, rounds: int) -> OutcomeCounts:
    """Play so many rounds of the stream from the ``first`` on and count them.

    Cells are counted in several copies of one table, so that threads seldom wait for one another.

    Raises:
        DeviceError: no GPU can be used, or rounds end in more ways than it has room for.
        StrategyError: a strategy does what is not legal.
    """
    require_gpu()
    game = load_game(simulation.game)
    players = [player for player in (simulation.player, simulation.against) if player]
    settings = [build_kernel_args(simulation, player) for player in players]
    outcomes = compute_round_shape(game).outcomes * len(players)
    slots = min(_MAX_SLOTS, 1 << (2 * prod(outcomes)).bit_length())
    copies = max(1, min(_COPIES, _MAX_COUNTERS // slots))
    cells = cuda.to_device(np.full((copies, slots), _EMPTY, np.int64))
    counts = cuda.to_device(np.zeros((copies, slots), np.int64))
    about = np.array([outcomes, compute_strides(outcomes), compute_offsets(outcomes)], np.int64)
    across = cuda.to_device(np.zeros((sum(outcomes), sum(outcomes)), np.int64))
    notes = cuda.to_device(np.array([NO_FAULT, NO_FAULT, 0, 0], np.int64))
    threads = min(_THREADS, rounds)
    _compile_kernel(game, simulation.player, simulation.against, simulation.seats)[
        min(_MAX_GROUPS, -(-rounds // threads)), threads
    ](
        _copy_to_gpu(load_hand_tables()),
        settings[0].options,
        cuda.to_device(settings[0].wagered),
        settings[0].reuse_discards,
        (seed & WORD_MASK, seed >> 32, first, rounds),
        _copy_to_gpu(settings[0].player_data),
        _copy_to_gpu(settings[-1].player_data),
        cells,
        counts,
        cuda.to_device(about),
        across,
        notes,
    )
    noted = notes.copy_to_host().tolist()
    for setting, fault in zip(settings, noted, strict=False):
        if fault != NO_FAULT:
            raise StrategyError(
                describe_fault(
                    setting, RngState(seed & WORD_MASK, seed >> 32, fault // BLOCK_ROUNDS, fault % BLOCK_ROUNDS)
                )
            )
    if noted[_FULL]:
        raise DeviceError(f"rounds end in more than the {slots:,} ways that are counted on a GPU: leave out --device")
    return OutcomeCounts(
        outcomes, simulation.seats, rounds, _collect_cells(cells, counts), _collect_pairs(across), noted[_RENEWED]
    )


def _copy_to_gpu(values: Any) -> Any:
    """Return a named tuple of arrays with its arrays on the GPU; any other tuple as it is."""
    if isinstance(values, tuple) and any(isinstance(value, np.ndarray) for value in values):
        there = (cuda.to_device(np.ascontiguousarray(value)) for value in values)
        return type(values)(*there)
    return values


def _collect_cells(cells: Any, counts: Any) -> dict[int, int]:
    """Return the cells met, and how often, from all copies of the table."""
    every, times = cells.copy_to_host(), counts.copy_to_host()
    found: Counter[int] = Counter()
    for cell, count in zip(every[every != _EMPTY].tolist(), times[every != _EMPTY].tolist(), strict=True):
        found[cell] += count
    return dict(sorted(found.items()))


def _collect_pairs(pair_table: Any) -> dict[tuple[int, int], int]:
    table = pair_table.copy_to_host()
    rows, columns = np.nonzero(table)
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), table[rows, columns].tolist(), strict=True))


@inlined_helper
def _count_cell(cells: Any, counts: Any, copy: int, cell: int, notes: Any) -> None:
    """Add one to a cell, in the first slot from the one that its number is spread to that is its own or nobody's."""
    slots = cells.shape[1]
    slot = ((cell & _LOW_BITS) * _HASH_FACTOR >> 16) & (slots - 1)
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


@inlined_helper
def _play_nothing(
    _tables: Any, _options: Any, _wagered: Any, _again: int, _chance: Any, _stub: Any, _told: Any, cells: Any
) -> BlockResult:
    """Play nothing, where there is no second player."""
    for seat in range(cells.shape[1]):
        cells[0, seat] = 0
    return BlockResult(0, LEGAL, -1)


@lru_cache(maxsize=64)
def _compile_kernel(game: Game, player: Player, against: Player | None, seats: int) -> Any:
    """Compile the kernel of a game, a player, perhaps another ``against`` him, and so many seats.

    Its arguments are those of ``blocks_of`` but for seed, first round and rounds as ``stream``, what the second player
    goes by, and what it adds to: ``cells`` and ``counts`` (copies, slots), a table of the cells met and how often,
    ``across`` as ``across.SeatCovariance`` counts, ``about`` each wager's outcomes, strides and first outcomes, and
    ``notes``.
    """
    shape = compute_round_shape(game)
    play, other = (_compile_play(game, shape, each, seats) if each else _play_nothing for each in (player, against))
    register_rules()
    cards, wagers = 2 * shape.deck_cards, len(shape.outcomes)
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
            chance = RngState(seed_low, seed_high, number // BLOCK_ROUNDS, number % BLOCK_ROUNDS)
            block = play(tables, options, wagered, again, chance, stub, told, ended)
            if block.fault != LEGAL:
                cuda.atomic.min(notes, _FAULT, number)
            elif block.renewed_rounds:
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


def _compile_play(game: Game, shape: RoundShape, player: Player, seats: int) -> BlockFunction:
    """Return the play of a block, for a kernel to call."""
    play: BlockFunction = inlined_helper(build_block(game.rules, shape, seats, build_player_choice(game, player)))
    return play
