"""Where a simulated round's time goes, and how cores share it: ``python -m bench.round_stages [GAME ...]``.

Of each game kernels are compiled that stop after a stage: the cards are shuffled; dealt to the hands; the seat has
decided and drawn, and the dealer is served; the hands are ranked once; all wagers are settled; their cells are
counted.  A row is nanoseconds a round of one seat that plays the practical strategy, CPU time, the least of several
runs that take turns.  What a stage adds is the difference of two columns; a hand ranked in a decision or by several
wagers is in theirs.  Then rounds a second of one core and of all, by the clock.
"""

import argparse
import math
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.rounds import show
from pitboss.contract import Game
from pitboss.games import load_game, load_games
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import inlined_helper, no_alloc_kernel
from pitboss.options import resolve_options
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, RANDOM_SOURCE, compile_block
from pitboss.simulate.kernel_args import build_kernel_args, build_player_choice
from pitboss.simulate.players import get_default_player
from pitboss.simulate.rng import RngState, shuffle_until
from pitboss.simulate.round_driver import build_seats, compute_round_shape
from pitboss.simulate.runner import run_shard, run_simulation, split_into_shards
from pitboss.simulate.simulation import Simulation
from pitboss.tasks import Executor

STAGES = ("cards", "dealt", "decided", "ranked", "settled", "counted")
RUNS = 12
SHARD_BLOCKS = 16
SCALING_ROUNDS = 1 << 26


@inlined_helper
def add_fields(state: Any) -> int:
    """Add all numbers of a state, so that none of them is left out of a kernel."""
    total = 0
    for each in state:
        total += each
    return total


def compile_stages(game: Game) -> list[Callable[..., Any]]:
    """Compile a kernel that plays rounds of one seat up to each stage but the last."""
    rules, shape, player = game.rules, compute_round_shape(game), get_default_player(game)
    choose = build_player_choice(game, player)
    play_seats = build_seats(rules, shape, 1, 1, RANDOM_SOURCE, choose)
    dealt_cards, deck_cards = rules.count_dealt(1), shape.deck_cards
    deal, evaluate_hands = rules.deal, rules.evaluate_hands

    def stop_at_cards(_tables: Any, _options: Any, _wagered: Any, _reuse: int, stub: Any, *_others: Any) -> Any:
        return stub[0] + stub[dealt_cards - 1]

    def stop_at_dealt(_tables: Any, _options: Any, wagered: Any, _reuse: int, stub: Any, *_others: Any) -> int:
        return add_fields(deal(stub, 1, 0, wagered[0]))

    def stop_at_decided(
        tables: Any, options: Any, wagered: Any, reuse: int, stub: Any, shuffled: int, rng: Any, data: Any
    ) -> int:
        played = play_seats(tables, stub, shuffled, 0, rng, wagered, options, reuse, data)
        return add_fields(played.states[0])

    def stop_at_ranked(
        tables: Any, options: Any, wagered: Any, reuse: int, stub: Any, shuffled: int, rng: Any, data: Any
    ) -> Any:
        played = play_seats(tables, stub, shuffled, 0, rng, wagered, options, reuse, data)
        mine, dealers = evaluate_hands(tables, played.states[0], options)
        return add_fields(played.states[0]) + mine + dealers

    stops = (stop_at_cards, stop_at_dealt, stop_at_decided, stop_at_ranked)
    partial_kernels = [_compile_partial(inlined_helper(stop), dealt_cards, deck_cards) for stop in stops]
    return [*partial_kernels, compile_block(rules, shape, 1, choose)]


def _compile_partial(stop: Callable[..., Any], dealt_cards: int, deck_cards: int) -> Callable[..., Any]:
    def play(
        tables: Any, options: Any, wagered: Any, reuse: int, rng: RngState, stub: Any, data: Any, cells: Any
    ) -> None:
        for i in range(len(cells)):
            for card in range(deck_cards):
                stub[card] = card
            round_rng = RngState(rng.seed_low, rng.seed_high, rng.block, rng.round + i)
            shuffled = shuffle_until(stub, deck_cards, 0, dealt_cards, round_rng)
            cells[i, 0] = stop(tables, options, wagered, reuse, stub, shuffled, round_rng, data) & 0xFFFF

    return no_alloc_kernel(play)


def measure(game: Game) -> list[float]:
    """Return the nanoseconds of a round up to each stage."""
    simulation = Simulation(game.id, tuple(resolve_options(game, {}).items()), get_default_player(game))
    given = build_kernel_args(simulation, simulation.player)
    stub = np.zeros(2 * game.deck.size, np.uint8)
    cells = np.empty((BLOCK_ROUNDS, 1), np.int32)
    start = (load_hand_tables(), given.options, given.wagered, given.reuse_discards)

    shard = split_into_shards(simulation, SHARD_BLOCKS * BLOCK_ROUNDS, 1)[0]

    def run(kernel: Callable[..., Any]) -> int:
        kernel(*start, RngState(1, 0, 0, 0), stub, given.player_data, cells)
        return BLOCK_ROUNDS

    def count() -> int:
        run_shard(shard)
        return shard.rounds

    plays: list[Callable[[], int]] = [*(partial(run, kernel) for kernel in compile_stages(game)), count]
    least = [math.inf] * len(plays)
    for _ in range(RUNS + 1):  # the first run compiles
        for stage, play in enumerate(plays):
            began = time.process_time()
            rounds = play()
            least[stage] = min(least[stage], (time.process_time() - began) / rounds * 1e9)
    return least


def measure_cores(game: Game) -> list[float]:
    """Return million rounds a second, by the clock: of one thread, of a thread and of a process for every core."""
    simulation = Simulation(game.id, tuple(resolve_options(game, {}).items()), get_default_player(game))
    processes = Executor(workers=os.cpu_count() or 1)
    ways: list[Callable[[int], object]] = [
        lambda rounds: [run_shard(shard) for shard in split_into_shards(simulation, rounds, 1)],
        lambda rounds: run_simulation(simulation, rounds, 1),
        lambda rounds: run_simulation(simulation, rounds, 1, processes),
    ]
    return [_measure_way(way) for way in ways]


def _measure_way(way: Callable[[int], object]) -> float:
    """Return million rounds a second, without the start of processes: the difference of a long run and a short one."""
    took = []
    for rounds in (SCALING_ROUNDS // 8, SCALING_ROUNDS):
        began = time.perf_counter()
        way(rounds)
        took.append(time.perf_counter() - began)
    return (SCALING_ROUNDS - SCALING_ROUNDS // 8) / (took[1] - took[0]) / 1e6


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(load_games()))
    games = [load_game(name) for name in parser.parse_args().games]
    show(f"\n## Nanoseconds of a round up to a stage\n\n| game | {' | '.join(STAGES)} |\n|---|{'--:|' * len(STAGES)}")
    for game in games:
        show(f"| `{game.id}` | {' | '.join(f'{each:.1f}' for each in measure(game))} |")
    show(f"\n## Million rounds a second on {os.cpu_count()} cores\n\n| game | a thread | threads | processes |")
    show("|---|--:|--:|--:|")
    for game in games:
        show(f"| `{game.id}` | {' | '.join(f'{each:.1f}' for each in measure_cores(game))} |")


if __name__ == "__main__":
    main()
