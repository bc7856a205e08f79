"""Steps a second of the environments beside Gymnasium's own blackjack: part of ``make bench``.

Both are vector environments that deal the next round on the step after one is over, given random legal actions made
before the clock starts.  A figure is steps (rounds times calls) by CPU time on one core, the median of several runs.
Blackjack's vector form steps one Python environment after another, as Gymnasium makes it of any environment.
"""

import platform
import sys
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

import pitboss.env

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv
    from numpy.typing import NDArray

RUNS = 5
ROUNDS = (64, 1024, 16_384)
BLACKJACK = "Blackjack-v1"
SECONDS = 0.5


def main() -> None:
    """Measure all and print a table."""
    from pitboss.games import load_games

    known = {BLACKJACK: "sync"} | {
        pitboss.env.make_environment_id(game): "vector_entry_point" for game in load_games().values()
    }
    sys.stdout.write(f"\nSteps a second on one core, Gymnasium {gymnasium.__version__}, Python ")
    sys.stdout.write(f"{platform.python_version()}; in brackets: times Blackjack's.\n\n")
    sys.stdout.write(f"| environment | {' | '.join(f'{rounds:,} rounds' for rounds in ROUNDS)} |\n")
    sys.stdout.write(f"|---|{'--:|' * len(ROUNDS)}\n")
    least: dict[int, float] = {}
    for name, mode in known.items():
        cells = []
        for rounds in ROUNDS:
            envs = gymnasium.make_vec(name, rounds, mode)
            speed = median(steps_a_second(envs) for _ in range(RUNS))
            least.setdefault(rounds, speed)
            cells.append(f"{speed:,.0f} ({speed / least[rounds]:,.0f} x)")
        sys.stdout.write(f"| `{name}` | {' | '.join(cells)} |\n")
        sys.stdout.flush()


def steps_a_second(envs: "VectorEnv[Any, Any, Any]") -> float:
    """Return the steps of all rounds by CPU seconds, after as many calls as fill ``SECONDS`` or two at least."""
    random = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    choose = partial(_legal, random) if "action_mask" in info else partial(_any, random, envs)
    _, _, _, _, info = envs.step(choose(info))
    calls, spent = 0, 0.0
    while spent < SECONDS or calls < 2:
        actions = choose(info)
        began = time.process_time()
        _, _, _, _, info = envs.step(actions)
        spent += time.process_time() - began
        calls += 1
    return calls * envs.num_envs / spent


def _legal(random: np.random.Generator, info: dict[str, Any]) -> "NDArray[np.int64]":
    mask = info["action_mask"]
    chosen: NDArray[np.int64] = np.argmax(random.random(mask.shape, np.float32) * mask, axis=1)
    return chosen


def _any(random: np.random.Generator, envs: "VectorEnv[Any, Any, Any]", _info: dict[str, Any]) -> "NDArray[np.int64]":
    actions: Any = envs.single_action_space
    return random.integers(0, actions.n, envs.num_envs)


if __name__ == "__main__":
    main()
