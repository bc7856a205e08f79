"""Run simulations: play blocks of rounds, and add up the counts.

The blocks are played on all cores, in processes, on a cluster or on a GPU.  A seed names a stream of rounds, cut into
blocks; a run of N rounds plays its first N.  Blocks are independent and their counts are added up, so the same seed
gives the same counts whichever worker plays a block.
"""

import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import DeviceError, StrategyError, WagerError
from pitboss.core.numbers import MAX_SEED
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, BlockFunction, compile_block
from pitboss.simulate.illegal_actions import USER_RULE_ERRORS, describe_error, describe_fault
from pitboss.simulate.kernel_args import build_kernel_args, build_player_choice, load_best_play
from pitboss.simulate.ordered_outcomes import OutcomeObserver, encode_outcomes
from pitboss.simulate.outcome_counts import OutcomeCounts, parse_counts
from pitboss.simulate.players import Player
from pitboss.simulate.rng import WORD_MASK, RngState
from pitboss.simulate.round_driver import LEGAL, compute_round_shape
from pitboss.simulate.seat_covariance import count_seat_pairs, lay_out_outcomes, list_pair_counts
from pitboss.simulate.simulation import Simulation
from pitboss.tasks import SERIAL, Executor, iter_results

__all__ = [
    "InterruptedRunError",
    "Simulation",
    "build_block_players",
    "load_best_play",
    "make_empty_counts",
    "play_blocks",
    "run_shard",
    "run_simulation",
    "split_into_shards",
    "validate_simulation",
]

MAX_ROUNDS = 10**14

_MAX_SHARDS = 1 << 14
_BLOCKS_PER_SHARD = 16
_BLOCKS_PER_GPU_SHARD = 1 << 12
_SHARDS_PER_CORE = 2
_MAX_DENSE_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class _RoundShard:
    simulation: Simulation
    seed: int
    first_round: int
    rounds: int
    gpu: bool = False
    observed_wager: int | None = None


class InterruptedRunError(KeyboardInterrupt):
    """An interrupted run, with the ``counts`` so far."""

    def __init__(self, counts: OutcomeCounts) -> None:
        """Store the counts so far."""
        super().__init__()
        self.counts = counts


def run_simulation(
    simulation: Simulation,
    rounds: int,
    seed: int,
    executor: Executor = SERIAL,
    progress: ProgressCallback = ignore_progress,
    *,
    gpu: bool = False,
    observer: OutcomeObserver | None = None,
) -> OutcomeCounts:
    """Play rounds, on processors or on a ``gpu``, and count their outcomes.

    ``progress`` counts rounds.  During the run ``observer`` receives the outcome of one wager in every round.

    Raises:
        WagerError: the number of rounds, the seed or the number of seats is out of range.
        StrategyError: a strategy takes an illegal action, or cannot be compiled.
        ClusterError: the executor's cluster cannot be used (``tasks.run_shards``).
        WorkerError: the executor's processes are lost again and again.
        DeviceError: there is no GPU, or it cannot count this.
        InterruptedRunError: the run was interrupted by Ctrl-C; the error holds the counts so far.
    """
    totals = make_empty_counts(simulation)
    shards = split_into_shards(simulation, rounds, seed, gpu=gpu, observer=observer)
    progress(0, rounds)
    try:
        with closing(_run_shards(shards, executor)) as texts:
            for place, text in texts:
                counts, *outcome_lines = text.splitlines()
                totals += parse_counts(counts)
                if observer:
                    observer.add(place, outcome_lines, totals.outcomes[observer.wager], totals.seats)
                progress(totals.rounds, rounds)
    except KeyboardInterrupt:
        raise InterruptedRunError(totals) from None
    return totals


def validate_simulation(
    simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, observer: OutcomeObserver | None = None
) -> Game:
    """Check that a simulation can be run and return its game.

    Raises as ``run_simulation``.
    """
    game = load_game(simulation.game)
    if not 1 <= rounds <= MAX_ROUNDS:
        raise WagerError(
            f"{rounds:,} rounds cannot be simulated: give a whole number from 1 to {MAX_ROUNDS:,}",
            code="out-of-range",
            rounds=rounds,
            most=MAX_ROUNDS,
        )
    if not 0 <= seed <= MAX_SEED:
        raise WagerError(
            f"{seed} is not a valid seed: give a whole number from 0 to {MAX_SEED}",
            code="out-of-range",
            seed=seed,
            most=MAX_SEED,
        )
    verify_whole(simulation.seats, "the number of seats", 1, game.seats)
    if simulation.against and simulation.seats > 1:
        raise WagerError(
            "two strategies are compared on the same deals of one seat: leave out --seats", code="one-seat-only"
        )
    if observer and gpu:
        raise DeviceError(
            "the meter needs the rounds in the order of play, so it needs the CPU: leave out --device or the meter",
            code="cpu-only",
        )
    return game


def make_empty_counts(simulation: Simulation) -> OutcomeCounts:
    """Return counts of zero rounds."""
    outcomes = compute_round_shape(load_game(simulation.game)).outcomes
    return OutcomeCounts(outcomes * 2 if simulation.against else outcomes, simulation.seats)


def split_into_shards(
    simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, observer: OutcomeObserver | None = None
) -> list[_RoundShard]:
    """Split the rounds into shards of whole blocks, a few thousand at most.

    Raises as ``run_simulation``.
    """
    validate_simulation(simulation, rounds, seed, gpu=gpu, observer=observer)
    blocks = -(-rounds // BLOCK_ROUNDS)
    min_blocks = _BLOCKS_PER_GPU_SHARD if gpu else _BLOCKS_PER_SHARD
    shard_rounds = max(min_blocks, -(-blocks // _MAX_SHARDS)) * BLOCK_ROUNDS
    observed_wager = observer.wager if observer else None
    return [
        _RoundShard(simulation, seed, first, min(shard_rounds, rounds - first), gpu, observed_wager)
        for first in range(0, rounds, shard_rounds)
    ]


def _run_shards(shards: Sequence[_RoundShard], executor: Executor) -> Generator[tuple[int, str], None, None]:
    """Yield each shard's index and result as text.

    Without another executor, shards run on threads of this process.
    """
    if executor != SERIAL or shards[0].gpu:
        yield from iter_results(run_shard, shards, executor)
        return
    build_block_players(shards[0].simulation)  # compile once, before the threads start
    threads = ThreadPoolExecutor(os.cpu_count())
    try:
        remaining = iter(shards)
        pending = deque(
            threads.submit(run_shard, shard) for shard in islice(remaining, _SHARDS_PER_CORE * (os.cpu_count() or 1))
        )
        for place in range(len(shards)):
            yield place, pending.popleft().result()
            pending.extend(threads.submit(run_shard, shard) for shard in islice(remaining, 1))
    finally:
        threads.shutdown(cancel_futures=True)


def run_shard(shard: _RoundShard) -> str:
    """Play a shard and return its counts as a line of text.

    If a wager is observed, a line for each block follows.
    """
    if shard.gpu:
        from pitboss.simulate.gpu import count_on_gpu

        return count_on_gpu(shard.simulation, shard.seed, shard.first_round, shard.rounds).as_text()
    empty = make_empty_counts(shard.simulation)
    cell_counts: Counter[int] = Counter()
    dense = np.zeros(prod(empty.outcomes) if prod(empty.outcomes) <= _MAX_DENSE_CELLS else 0, np.int64)
    layout = lay_out_outcomes(empty.outcomes)
    pair_table = np.zeros((sum(empty.outcomes), sum(empty.outcomes)), np.int64)
    reshuffled_rounds, outcome_lines = 0, list[str]()
    for cells, block_reshuffled in play_blocks(shard.simulation, shard.seed, shard.first_round, shard.rounds):
        reshuffled_rounds += block_reshuffled
        if shard.observed_wager is not None:
            outcome_lines.append(encode_outcomes(cells, empty.outcomes, shard.observed_wager))
        if empty.seats > 1:
            count_seat_pairs(cells, layout, pair_table)
        if len(dense):
            dense += np.bincount(cells.ravel(), minlength=len(dense))
        else:
            distinct, times = np.unique(cells, return_counts=True)
            cell_counts.update(dict(zip(distinct.tolist(), times.tolist(), strict=True)))
    distinct = np.flatnonzero(dense)
    cell_counts.update(dict(zip(distinct.tolist(), dense[distinct].tolist(), strict=True)))
    counts = replace(
        empty,
        rounds=shard.rounds,
        cells=dict(sorted(cell_counts.items())),
        seat_pairs=list_pair_counts(pair_table),
        reshuffled_rounds=reshuffled_rounds,
    )
    return "\n".join([counts.as_text(), *outcome_lines])


def play_blocks(simulation: Simulation, seed: int, first_round: int, rounds: int) -> Iterator[tuple[Any, int]]:
    """Yield each block's cells and its number of rounds with a reshuffled stub.

    Cells have shape (rounds, seats).  ``first_round`` is the number of the first round in the stream; it begins a
    block.  The blocks come in order, for callers that depend on the order of rounds.

    Raises:
        StrategyError: a strategy takes an illegal action, or cannot be compiled.
    """
    players = build_block_players(simulation)
    width = prod(make_empty_counts(replace(simulation, against=None)).outcomes)
    for first in range(first_round, first_round + rounds, BLOCK_ROUNDS):
        length = min(BLOCK_ROUNDS, first_round + rounds - first)
        rng = RngState(seed & WORD_MASK, seed >> 32, first // BLOCK_ROUNDS, 0)
        cells, reshuffled_rounds = players[0](rng, length)
        if simulation.against:
            yield cells * np.int64(width) + players[1](rng, length)[0], reshuffled_rounds
        else:
            yield cells, reshuffled_rounds


BlockPlayer = Callable[[RngState, int], tuple[Any, int]]


def build_block_players(simulation: Simulation) -> list[BlockPlayer]:
    """Build for each player a function that plays the first rounds of a block.

    It returns their cells and the number of rounds with a reshuffled stub.

    Raises:
        StrategyError: a strategy cannot be compiled; the function raises it for an illegal action.
    """
    return [_build_block_player(simulation, player) for player in (simulation.player, simulation.against) if player]


def _build_block_player(simulation: Simulation, player: Player) -> BlockPlayer:
    kernel_args = build_kernel_args(simulation, player)
    play = _compile_kernel(simulation.game, player, simulation.seats)
    stub = np.zeros(2 * kernel_args.game.deck.size, np.uint8)

    def play_rounds(rng: RngState, length: int) -> tuple[Any, int]:
        cells = np.empty((length, simulation.seats), np.int32)
        tables, options, wagered = load_hand_tables(), kernel_args.options, kernel_args.wagered
        reuse_discards, player_data = kernel_args.reuse_discards, kernel_args.player_data
        try:
            block = play(tables, options, wagered, reuse_discards, rng, stub, player_data, cells)
        except USER_RULE_ERRORS as error:
            if not player.source:
                raise
            raise StrategyError(describe_error(kernel_args, rng, length, error), code="illegal-answer") from None
        if block.fault != LEGAL:
            fault_rng = RngState(rng.seed_low, rng.seed_high, rng.block, block.fault_round)
            raise StrategyError(describe_fault(kernel_args, fault_rng), code="illegal-answer")
        return cells, block.reshuffled_rounds

    play_rounds(RngState(0, 0, 0, 0), 0)
    return play_rounds


@lru_cache(maxsize=64)
def _compile_kernel(game_id: str, player: Player, seats: int) -> BlockFunction:
    game = load_game(game_id)
    return compile_block(game.rules, compute_round_shape(game), seats, build_player_choice(game, player))
