"""Simulate rounds on an NVIDIA GPU with the functions of the block kernel.

Each thread plays one round at a time.  A round depends only on the seed and its own number, so the counts equal those
of any processor, bit for bit.
"""

from collections import Counter
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numba import config, cuda

from pitboss.contract import Game
from pitboss.core.errors import DeviceError, StrategyError
from pitboss.core.extras import write_install_hint
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import inlined_helper, register_rules
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, BlockFunction, BlockResult, build_block
from pitboss.simulate.illegal_actions import describe_fault
from pitboss.simulate.kernel_args import build_kernel_args, build_player_choice
from pitboss.simulate.outcome_counts import OutcomeCounts
from pitboss.simulate.players import Player
from pitboss.simulate.rng import WORD_MASK, RngState
from pitboss.simulate.round_driver import LEGAL, RoundShape, compute_round_shape
from pitboss.simulate.seat_covariance import lay_out_outcomes, list_pair_counts
from pitboss.simulate.simulation import Simulation

_THREADS = 128
_MAX_GROUPS = 1 << 12
_MAX_COUNTERS = 1 << 24
_MAX_SLOTS = 1 << 20
_COPIES = 64
_EMPTY = -1
_LOW_BITS = (1 << 31) - 1
_HASH_FACTOR = 0x9E3779B1
"""2^32 divided by the golden ratio: it spreads neighbouring cells far apart."""

NO_FAULT = np.iinfo(np.int64).max


# What a run notes in addition to its counts: each player's first faulty round, the number of rounds with a reshuffled
# stub, and whether the table of cells was full.
_FAULT, _FAULT_AGAINST, _RENEWED, _FULL = range(4)


def require_gpu() -> None:
    """Check that a GPU can be used.

    Raises:
        DeviceError: no GPU can be used.
    """
    if not cuda.is_available():
        raise DeviceError(
            f"--device gpu needs an NVIDIA GPU with its driver, and the extra gpu: {write_install_hint('gpu')}, "
            "or leave it out to use the CPU",
            code="no-gpu",
        )


def count_on_gpu(simulation: Simulation, seed: int, first: int, rounds: int) -> OutcomeCounts:
    """Play ``rounds`` rounds of the stream from round ``first`` on and count them.

    Cells are counted in several copies of one table, so threads seldom wait for one another.

    Raises:
        DeviceError: no GPU can be used, or there are more different cells than the table holds.
        StrategyError: a strategy takes an illegal action.
    """
    require_gpu()
    game = load_game(simulation.game)
    players = [player for player in (simulation.player, simulation.against) if player]
    args_by_player = [build_kernel_args(simulation, player) for player in players]
    outcomes = compute_round_shape(game).outcomes * len(players)
    slots = min(_MAX_SLOTS, 1 << (2 * prod(outcomes)).bit_length())
    copies = max(1, min(_COPIES, _MAX_COUNTERS // slots))
    cells = cuda.to_device(np.full((copies, slots), _EMPTY, np.int64))
    counts = cuda.to_device(np.zeros((copies, slots), np.int64))
    pair_table = cuda.to_device(np.zeros((sum(outcomes), sum(outcomes)), np.int64))
    notes = cuda.to_device(np.array([NO_FAULT, NO_FAULT, 0, 0], np.int64))
    threads = min(_THREADS, rounds)
    _compile_kernel(game, simulation.player, simulation.against, simulation.seats)[
        min(_MAX_GROUPS, -(-rounds // threads)), threads
    ](
        _copy_to_gpu(load_hand_tables()),
        args_by_player[0].options,
        cuda.to_device(args_by_player[0].wagered),
        args_by_player[0].reuse_discards,
        (seed & WORD_MASK, seed >> 32, first, rounds),
        _copy_to_gpu(args_by_player[0].player_data),
        _copy_to_gpu(args_by_player[-1].player_data),
        cells,
        counts,
        cuda.to_device(lay_out_outcomes(outcomes)),
        pair_table,
        notes,
    )
    noted = notes.copy_to_host().tolist()
    for kernel_args, fault in zip(args_by_player, noted, strict=False):
        if fault != NO_FAULT:
            raise StrategyError(
                describe_fault(
                    kernel_args, RngState(seed & WORD_MASK, seed >> 32, fault // BLOCK_ROUNDS, fault % BLOCK_ROUNDS)
                ),
                code="illegal-answer",
            )
    if noted[_FULL]:
        raise DeviceError(
            f"rounds end in more than the {slots:,} ways that are counted on a GPU: leave out --device",
            code="too-many-outcomes",
            slots=slots,
        )
    return OutcomeCounts(
        outcomes,
        simulation.seats,
        rounds,
        _collect_cells(cells, counts),
        list_pair_counts(pair_table.copy_to_host()),
        noted[_RENEWED],
    )


def _copy_to_gpu(values: Any) -> Any:
    """Return a named tuple of arrays with its arrays copied to the GPU.

    Any other value is returned unchanged.
    """
    if isinstance(values, tuple) and any(isinstance(value, np.ndarray) for value in values):
        gpu_arrays = (cuda.to_device(np.ascontiguousarray(value)) for value in values)
        return type(values)(*gpu_arrays)
    return values


def _collect_cells(cells: Any, counts: Any) -> dict[int, int]:
    """Return the counts of all cells in the table, over all its copies."""
    every, times = cells.copy_to_host(), counts.copy_to_host()
    total: Counter[int] = Counter()
    for cell, count in zip(every[every != _EMPTY].tolist(), times[every != _EMPTY].tolist(), strict=True):
        total[cell] += count
    return dict(sorted(total.items()))


@inlined_helper
def _count_cell(cells: Any, counts: Any, copy: int, cell: int, notes: Any) -> None:
    """Add one to a cell's count.

    From the slot of the cell's hash on, the first slot is used that has this cell or is empty.
    """
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
    _tables: Any, _options: Any, _wagered: Any, _again: int, _rng: Any, _stub: Any, _player_data: Any, cells: Any
) -> BlockResult:
    """Play no round: the play of a second player that does not exist."""
    for seat in range(cells.shape[1]):
        cells[0, seat] = 0
    return BlockResult(0, LEGAL, -1)


@lru_cache(maxsize=64)
def _compile_kernel(game: Game, player: Player, against: Player | None, seats: int) -> Any:
    """Compile the kernel of a game, one or two players, and a number of seats.

    ``against`` is the optional second player.  The kernel's arguments are those of ``compile_block``, with these
    differences.  ``stream`` is the seed (in halves), the first round and the number of rounds; ``other_data`` is the
    second player's data.  The kernel adds to ``cells`` and ``counts`` (copies, slots), the table of cells and their
    counts; to ``pair_table``, which counts as ``count_seat_pairs`` does; and to ``notes``.  ``layout`` is that of
    ``lay_out_outcomes``.
    """
    shape = compute_round_shape(game)
    play, play_other = (
        _compile_play(game, shape, each, seats) if each else _play_nothing for each in (player, against)
    )
    register_rules()
    stub_places, wagers = 2 * shape.deck_cards, len(shape.outcomes)
    width = prod(shape.outcomes) if against else 1
    # A card of eight bits cannot be shifted in the interpreter, which is what the simulator of a GPU runs.
    card_type = np.int64 if config.ENABLE_CUDASIM else np.uint8

    @cuda.jit
    def play_stream(
        tables: Any,
        options: Any,
        wagered: Any,
        reuse_discards: int,
        stream: tuple[int, int, int, int],
        player_data: Any,
        other_data: Any,
        cells: Any,
        counts: Any,
        layout: Any,
        pair_table: Any,
        notes: Any,
    ) -> None:
        stub = cuda.local.array(stub_places, card_type)
        own_cells = cuda.local.array((1, seats), np.int32)
        other_cells = cuda.local.array((1, seats), np.int32)
        seed_low, seed_high, first, rounds = stream
        copy = cuda.blockIdx.x % counts.shape[0]
        for each in range(cuda.grid(1), rounds, cuda.gridsize(1)):
            number = first + each
            rng = RngState(seed_low, seed_high, number // BLOCK_ROUNDS, number % BLOCK_ROUNDS)
            block = play(tables, options, wagered, reuse_discards, rng, stub, player_data, own_cells)
            if block.fault != LEGAL:
                cuda.atomic.min(notes, _FAULT, number)
            elif block.reshuffled_rounds:
                cuda.atomic.add(notes, _RENEWED, 1)
            if play_other(tables, options, wagered, reuse_discards, rng, stub, other_data, other_cells).fault != LEGAL:
                cuda.atomic.min(notes, _FAULT_AGAINST, number)
            for seat in range(seats):
                _count_cell(cells, counts, copy, np.int64(own_cells[0, seat]) * width + other_cells[0, seat], notes)
                for earlier in range(seat):
                    for row in range(wagers):
                        earlier_outcome = layout[2, row] + own_cells[0, earlier] // layout[1, row] % layout[0, row]
                        for column in range(wagers):
                            own_outcome = (
                                layout[2, column] + own_cells[0, seat] // layout[1, column] % layout[0, column]
                            )
                            cuda.atomic.add(pair_table, (earlier_outcome, own_outcome), 1)

    return play_stream


def _compile_play(game: Game, shape: RoundShape, player: Player, seats: int) -> BlockFunction:
    """Compile the play of a block, for a kernel to call."""
    play: BlockFunction = inlined_helper(build_block(game.rules, shape, seats, build_player_choice(game, player)))
    return play
