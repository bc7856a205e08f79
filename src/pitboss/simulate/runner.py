"""As many rounds as asked for: blocks played on all cores, by processes or on a cluster, and counted together.

Rounds are those of a stream that the seed names, cut into blocks; so many rounds are its first so many.  Blocks do not
need one another, and what they count is added up: the same seed counts the same, whoever plays which of them.
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
from pitboss.core.errors import DeviceError, StrategyError, WagerError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, BlockFunction, compile_block
from pitboss.simulate.illegal_actions import USER_RULE_ERRORS, describe_error, describe_fault
from pitboss.simulate.kernel_args import Simulation, build_kernel_args, build_player_choice, load_best_play
from pitboss.simulate.ordered_outcomes import OutcomeObserver, encode_outcomes
from pitboss.simulate.outcome_counts import OutcomeCounts, parse_counts
from pitboss.simulate.players import Player
from pitboss.simulate.rng import WORD_MASK, RngState
from pitboss.simulate.round_driver import LEGAL, compute_round_shape
from pitboss.simulate.seat_covariance import SeatCovariance
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
MAX_SEED = (1 << 64) - 1

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
    """A run that was interrupted, with what it had ``counts``."""

    def __init__(self, counts: OutcomeCounts) -> None:
        """Keep what was counted."""
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
    """Play rounds, on processors or on a ``gpu``, and count them; ``progress`` is told rounds.

    ``observer`` is shown, on the way, how one wager ended in every round.

    Raises:
        WagerError: rounds, seed or seats are not what can be simulated.
        StrategyError: a strategy does what is not legal, or cannot be compiled.
        ClusterError: the crew's cluster cannot do it (``work.run``).
        WorkerError: the crew's processes are lost again and again.
        DeviceError: there is no GPU, or it cannot count this.
        InterruptedRunError: by Ctrl-C; it holds what was counted.
    """
    counted = make_empty_counts(simulation)
    pieces = split_into_shards(simulation, rounds, seed, gpu=gpu, observer=observer)
    progress(0, rounds)
    try:
        with closing(_run_shards(pieces, executor)) as texts:
            for place, text in texts:
                counts, *told = text.splitlines()
                counted += parse_counts(counts)
                if observer:
                    observer.add(place, told, counted.outcomes[observer.wager], counted.seats)
                progress(counted.rounds, rounds)
    except KeyboardInterrupt:
        raise InterruptedRunError(counted) from None
    return counted


def validate_simulation(
    simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, observer: OutcomeObserver | None = None
) -> Game:
    """Return the game of a simulation that can be run (raises as ``run_simulation``)."""
    game = load_game(simulation.game)
    if not 1 <= rounds <= MAX_ROUNDS:
        raise WagerError(f"{rounds} rounds cannot be simulated: give a whole number from 1 to {MAX_ROUNDS}")
    if not 0 <= seed <= MAX_SEED:
        raise WagerError(f"{seed} is no seed: give a whole number from 0 to {MAX_SEED}")
    if not 1 <= simulation.seats <= game.seats:
        raise WagerError(f"{game.name} seats 1 to {game.seats}, not {simulation.seats}")
    if simulation.against and simulation.seats > 1:
        raise WagerError("two strategies are compared in the same deals of one seat: leave out --seats")
    if observer and gpu:
        raise DeviceError("a meter is carried in the order of play, by the CPU: leave out --device, or the meter")
    return game


def make_empty_counts(simulation: Simulation) -> OutcomeCounts:
    """Return the counts of no rounds."""
    outcomes = compute_round_shape(load_game(simulation.game)).outcomes
    return OutcomeCounts(outcomes * 2 if simulation.against else outcomes, simulation.seats)


def split_into_shards(
    simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, observer: OutcomeObserver | None = None
) -> list[_RoundShard]:
    """Cut rounds into pieces of whole blocks, some thousands at most (raises as ``run_simulation``)."""
    validate_simulation(simulation, rounds, seed, gpu=gpu, observer=observer)
    blocks = -(-rounds // BLOCK_ROUNDS)
    least = _BLOCKS_PER_GPU_SHARD if gpu else _BLOCKS_PER_SHARD
    each = max(least, -(-blocks // _MAX_SHARDS)) * BLOCK_ROUNDS
    watched = observer.wager if observer else None
    return [
        _RoundShard(simulation, seed, first, min(each, rounds - first), gpu, watched)
        for first in range(0, rounds, each)
    ]


def _run_shards(shards: Sequence[_RoundShard], executor: Executor) -> Generator[tuple[int, str], None, None]:
    """Yield each piece's place and what it counted; on threads of this process where nobody else is asked."""
    if executor != SERIAL or shards[0].gpu:
        yield from iter_results(run_shard, shards, executor)
        return
    build_block_players(shards[0].simulation)  # compiled once, before threads ask for it
    threads = ThreadPoolExecutor(os.cpu_count())
    try:
        to_play = iter(shards)
        out = deque(
            threads.submit(run_shard, piece) for piece in islice(to_play, _SHARDS_PER_CORE * (os.cpu_count() or 1))
        )
        for place in range(len(shards)):
            yield place, out.popleft().result()
            out.extend(threads.submit(run_shard, piece) for piece in islice(to_play, 1))
    finally:
        threads.shutdown(cancel_futures=True)


def run_shard(shard: _RoundShard) -> str:
    """Play a piece and return what it counted as text; below it, if a wager is watched, a line for each block."""
    if shard.gpu:
        from pitboss.simulate.gpu import count_on_gpu

        return count_on_gpu(shard.simulation, shard.seed, shard.first_round, shard.rounds).as_text()
    counted = make_empty_counts(shard.simulation)
    found: Counter[int] = Counter()
    dense = np.zeros(prod(counted.outcomes) if prod(counted.outcomes) <= _MAX_DENSE_CELLS else 0, np.int64)
    across = SeatCovariance(counted.outcomes)
    renewed, told = 0, list[str]()
    for cells, short in play_blocks(shard.simulation, shard.seed, shard.first_round, shard.rounds):
        renewed += short
        if shard.observed_wager is not None:
            told.append(encode_outcomes(cells, counted.outcomes, shard.observed_wager))
        across.add(cells)
        if len(dense):
            dense += np.bincount(cells.ravel(), minlength=len(dense))
        else:
            met, times = np.unique(cells, return_counts=True)
            found.update(dict(zip(met.tolist(), times.tolist(), strict=True)))
    met = np.flatnonzero(dense)
    found.update(dict(zip(met.tolist(), dense[met].tolist(), strict=True)))
    whole = replace(
        counted,
        rounds=shard.rounds,
        cells=dict(sorted(found.items())),
        seat_pairs=across.get_pair_counts(),
        renewed_rounds=renewed,
    )
    return "\n".join([whole.as_text(), *told])


def play_blocks(simulation: Simulation, seed: int, first_round: int, rounds: int) -> Iterator[tuple[Any, int]]:
    """Yield the cells of rounds, shape (rounds of the block, seats), and in how many of them the stub was renewed.

    ``first_round`` is the number of the first in the stream and begins a block.  Blocks follow one another in order:
    what depends on the order of rounds is played from them.

    Raises:
        StrategyError: a strategy does what is not legal, or cannot be compiled.
    """
    playing = build_block_players(simulation)
    width = prod(make_empty_counts(replace(simulation, against=None)).outcomes)
    for first in range(first_round, first_round + rounds, BLOCK_ROUNDS):
        length = min(BLOCK_ROUNDS, first_round + rounds - first)
        chance = RngState(seed & WORD_MASK, seed >> 32, first // BLOCK_ROUNDS, 0)
        cells, renewed = playing[0](chance, length)
        if simulation.against:
            yield cells * np.int64(width) + playing[1](chance, length)[0], renewed
        else:
            yield cells, renewed


BlockPlayer = Callable[[RngState, int], tuple[Any, int]]


def build_block_players(simulation: Simulation) -> list[BlockPlayer]:
    """Return for each player what plays the first rounds of a block: their cells, and how often the stub was renewed.

    Raises:
        StrategyError: a strategy cannot be compiled; what is returned raises it for an action that is not legal.
    """
    return [_build_block_player(simulation, player) for player in (simulation.player, simulation.against) if player]


def _build_block_player(simulation: Simulation, player: Player) -> BlockPlayer:
    setting = build_kernel_args(simulation, player)
    play = _compile_kernel(simulation.game, player, simulation.seats)
    stub = np.zeros(2 * setting.game.deck.size, np.uint8)

    def played(chance: RngState, length: int) -> tuple[Any, int]:
        cells = np.empty((length, simulation.seats), np.int32)
        tables, options, wagered, again = load_hand_tables(), setting.options, setting.wagered, setting.reuse_discards
        try:
            block = play(tables, options, wagered, again, chance, stub, setting.player_data, cells)
        except USER_RULE_ERRORS as error:
            if not player.source:
                raise
            raise StrategyError(describe_error(setting, chance, length, error)) from None
        if block.fault != LEGAL:
            at = RngState(chance.seed_low, chance.seed_high, chance.block, block.fault_round)
            raise StrategyError(describe_fault(setting, at))
        return cells, block.renewed_rounds

    played(RngState(0, 0, 0, 0), 0)
    return played


@lru_cache(maxsize=64)
def _compile_kernel(game_id: str, player: Player, seats: int) -> BlockFunction:
    game = load_game(game_id)
    return compile_block(game.rules, compute_round_shape(game), seats, build_player_choice(game, player))
