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
from pitboss.games import game_named
from pitboss.hands import load_hand_tables
from pitboss.simulate.across import Across
from pitboss.simulate.draws import WORD, Chance
from pitboss.simulate.faults import RAISED, told_error, told_fault
from pitboss.simulate.kernel import BLOCK, Play, blocks_of
from pitboss.simulate.players import Player
from pitboss.simulate.result import Counted, counted_in
from pitboss.simulate.round import LEGAL, shape_of
from pitboss.simulate.setting import Simulation, best_play, chosen_by, setting_of
from pitboss.simulate.watch import Watch, told_outcomes
from pitboss.tasks import SERIAL, Executor, iter_results

__all__ = [
    "InterruptedRunError",
    "Simulation",
    "best_play",
    "blocks_played",
    "checked",
    "count",
    "nothing",
    "pieces_of",
    "played_piece",
    "players_of",
]

MOST_ROUNDS = 10**14
MOST_SEED = (1 << 64) - 1

_MOST_PIECES = 1 << 14
_BLOCKS_OF_A_PIECE = 16
_BLOCKS_ON_A_GPU = 1 << 12
_AHEAD = 2
_DENSE_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class _Piece:
    simulation: Simulation
    seed: int
    first_round: int
    rounds: int
    gpu: bool = False
    watched: int | None = None


class InterruptedRunError(KeyboardInterrupt):
    """A run that was interrupted, with what it had ``counted``."""

    def __init__(self, counted: Counted) -> None:
        """Keep what was counted."""
        super().__init__()
        self.counted = counted


def count(
    simulation: Simulation,
    rounds: int,
    seed: int,
    crew: Executor = SERIAL,
    progress: ProgressCallback = ignore_progress,
    *,
    gpu: bool = False,
    watch: Watch | None = None,
) -> Counted:
    """Play rounds, on processors or on a ``gpu``, and count them; ``progress`` is told rounds.

    ``watch`` is shown, on the way, how one wager ended in every round.

    Raises:
        WagerError: rounds, seed or seats are not what can be simulated.
        StrategyError: a strategy does what is not legal, or cannot be compiled.
        ClusterError: the crew's cluster cannot do it (``work.run``).
        WorkerError: the crew's processes are lost again and again.
        DeviceError: there is no GPU, or it cannot count this.
        InterruptedRunError: by Ctrl-C; it holds what was counted.
    """
    counted = nothing(simulation)
    pieces = pieces_of(simulation, rounds, seed, gpu=gpu, watch=watch)
    progress(0, rounds)
    try:
        with closing(_texts(pieces, crew)) as texts:
            for place, text in texts:
                counts, *told = text.splitlines()
                counted += counted_in(counts)
                if watch:
                    watch.add(place, told, counted.outcomes[watch.wager], counted.seats)
                progress(counted.rounds, rounds)
    except KeyboardInterrupt:
        raise InterruptedRunError(counted) from None
    return counted


def checked(simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, watch: Watch | None = None) -> Game:
    """Return the game of a simulation that can be run (raises as ``count``)."""
    game = game_named(simulation.game)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise WagerError(f"{rounds} rounds cannot be simulated: give a whole number from 1 to {MOST_ROUNDS}")
    if not 0 <= seed <= MOST_SEED:
        raise WagerError(f"{seed} is no seed: give a whole number from 0 to {MOST_SEED}")
    if not 1 <= simulation.seats <= game.seats:
        raise WagerError(f"{game.name} seats 1 to {game.seats}, not {simulation.seats}")
    if simulation.against and simulation.seats > 1:
        raise WagerError("two strategies are compared in the same deals of one seat: leave out --seats")
    if watch and gpu:
        raise DeviceError("a meter is carried in the order of play, by the CPU: leave out --device, or the meter")
    return game


def nothing(simulation: Simulation) -> Counted:
    """Return the counts of no rounds."""
    outcomes = shape_of(game_named(simulation.game)).outcomes
    return Counted(outcomes * 2 if simulation.against else outcomes, simulation.seats)


def pieces_of(
    simulation: Simulation, rounds: int, seed: int, *, gpu: bool = False, watch: Watch | None = None
) -> list[_Piece]:
    """Cut rounds into pieces of whole blocks, some thousands at most (raises as ``count``)."""
    checked(simulation, rounds, seed, gpu=gpu, watch=watch)
    blocks = -(-rounds // BLOCK)
    least = _BLOCKS_ON_A_GPU if gpu else _BLOCKS_OF_A_PIECE
    each = max(least, -(-blocks // _MOST_PIECES)) * BLOCK
    watched = watch.wager if watch else None
    return [
        _Piece(simulation, seed, first, min(each, rounds - first), gpu, watched) for first in range(0, rounds, each)
    ]


def _texts(pieces: Sequence[_Piece], crew: Executor) -> Generator[tuple[int, str], None, None]:
    """Yield each piece's place and what it counted; on threads of this process where nobody else is asked."""
    if crew != SERIAL or pieces[0].gpu:
        yield from iter_results(played_piece, pieces, crew)
        return
    players_of(pieces[0].simulation)  # compiled once, before threads ask for it
    threads = ThreadPoolExecutor(os.cpu_count())
    try:
        to_play = iter(pieces)
        out = deque(threads.submit(played_piece, piece) for piece in islice(to_play, _AHEAD * (os.cpu_count() or 1)))
        for place in range(len(pieces)):
            yield place, out.popleft().result()
            out.extend(threads.submit(played_piece, piece) for piece in islice(to_play, 1))
    finally:
        threads.shutdown(cancel_futures=True)


def played_piece(piece: _Piece) -> str:
    """Play a piece and return what it counted as text; below it, if a wager is watched, a line for each block."""
    if piece.gpu:
        from pitboss.simulate.gpu import counted_on_gpu

        return counted_on_gpu(piece.simulation, piece.seed, piece.first_round, piece.rounds).as_text()
    counted = nothing(piece.simulation)
    found: Counter[int] = Counter()
    dense = np.zeros(prod(counted.outcomes) if prod(counted.outcomes) <= _DENSE_CELLS else 0, np.int64)
    across = Across(counted.outcomes)
    renewed, told = 0, list[str]()
    for cells, short in blocks_played(piece.simulation, piece.seed, piece.first_round, piece.rounds):
        renewed += short
        if piece.watched is not None:
            told.append(told_outcomes(cells, counted.outcomes, piece.watched))
        across.add(cells)
        if len(dense):
            dense += np.bincount(cells.ravel(), minlength=len(dense))
        else:
            met, times = np.unique(cells, return_counts=True)
            found.update(dict(zip(met.tolist(), times.tolist(), strict=True)))
    met = np.flatnonzero(dense)
    found.update(dict(zip(met.tolist(), dense[met].tolist(), strict=True)))
    whole = replace(
        counted, rounds=piece.rounds, cells=dict(sorted(found.items())), across=across.counts(), renewed=renewed
    )
    return "\n".join([whole.as_text(), *told])


def blocks_played(simulation: Simulation, seed: int, first_round: int, rounds: int) -> Iterator[tuple[Any, int]]:
    """Yield the cells of rounds, shape (rounds of the block, seats), and in how many of them the stub was renewed.

    ``first_round`` is the number of the first in the stream and begins a block.  Blocks follow one another in order:
    what depends on the order of rounds is played from them.

    Raises:
        StrategyError: a strategy does what is not legal, or cannot be compiled.
    """
    playing = players_of(simulation)
    width = prod(nothing(replace(simulation, against=None)).outcomes)
    for first in range(first_round, first_round + rounds, BLOCK):
        length = min(BLOCK, first_round + rounds - first)
        chance = Chance(seed & WORD, seed >> 32, first // BLOCK, 0)
        cells, renewed = playing[0](chance, length)
        if simulation.against:
            yield cells * np.int64(width) + playing[1](chance, length)[0], renewed
        else:
            yield cells, renewed


Playing = Callable[[Chance, int], tuple[Any, int]]


def players_of(simulation: Simulation) -> list[Playing]:
    """Return for each player what plays the first rounds of a block: their cells, and how often the stub was renewed.

    Raises:
        StrategyError: a strategy cannot be compiled; what is returned raises it for an action that is not legal.
    """
    return [_playing(simulation, player) for player in (simulation.player, simulation.against) if player]


def _playing(simulation: Simulation, player: Player) -> Playing:
    setting = setting_of(simulation, player)
    play = _kernel(simulation.game, player, simulation.seats)
    stub = np.zeros(2 * setting.game.deck.size, np.uint8)

    def played(chance: Chance, length: int) -> tuple[Any, int]:
        cells = np.empty((length, simulation.seats), np.int32)
        tables, options, wagered, again = load_hand_tables(), setting.options, setting.wagered, setting.again
        try:
            block = play(tables, options, wagered, again, chance, stub, setting.told, cells)
        except RAISED as error:
            if not player.source:
                raise
            raise StrategyError(told_error(setting, chance, length, error)) from None
        if block.fault != LEGAL:
            at = Chance(chance.seed_low, chance.seed_high, chance.block, block.fault_round)
            raise StrategyError(told_fault(setting, at))
        return cells, block.renewed

    played(Chance(0, 0, 0, 0), 0)
    return played


@lru_cache(maxsize=64)
def _kernel(game_id: str, player: Player, seats: int) -> Play:
    game = game_named(game_id)
    return blocks_of(game.rules, shape_of(game), seats, chosen_by(game, player))
