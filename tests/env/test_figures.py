"""The frequencies and nets of played rounds agree with exact counts."""

from math import sqrt

import numpy as np
import pytest

from env.playing import Follower, choose_legal_at_random
from pitboss.analysis.census import count_outcomes
from pitboss.analysis.par_sheet import build_main_sheet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import get_solution
from pitboss.contract import HandOwner
from pitboss.core.progress import ignore_progress
from pitboss.env import GameVectorEnv
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.strategies import load_strategies
from tiers import keep_first, keep_named

pytestmark = pytest.mark.compiled

ROUNDS = 20_000
BATCH = 1_000
LARGEST_Z = 5


@pytest.mark.more
@pytest.mark.parametrize("name", keep_named(load_games(), "wild-six-card"))
def test_outcomes_of_side_wagers_come_as_often_as_counted(name: str) -> None:
    game = load_game(name)
    values = resolve_options(game, {})
    exact_counts = {
        index: count_outcomes(game, wager, values)
        for index, wager in enumerate(game.wagers)
        if index and not depends_on_play(game, wager, values) and wager.hand_owner is not HandOwner.OTHER_SEAT
    }
    envs = GameVectorEnv(game.id, BATCH, wagers={game.wagers[index].id: 1 for index in exact_counts})
    random = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    played_counts = {index: np.zeros(len(counts), np.int64) for index, counts in exact_counts.items()}
    while min(counts.sum() for counts in played_counts.values()) < ROUNDS:
        _, _, over, _, info = envs.step(choose_legal_at_random(info["action_mask"], random))
        for index, counts in played_counts.items():
            np.add.at(counts, info["outcomes"][over, index], 1)
    for index, counts in played_counts.items():
        exact = np.array([count / sum(exact_counts[index]) for count in exact_counts[index]])
        expected = counts.sum() * exact
        often = expected >= 25
        scores = (counts - expected)[often] / np.sqrt(expected * (1 - exact))[often]
        assert often.sum() >= 2
        assert abs(scores).max() < LARGEST_Z


@pytest.mark.more
@pytest.mark.parametrize("game", keep_first(["wild-six-card", "six-card", "wild-52", "shifting-wilds", "lunar"], 1))
def test_the_practical_strategy_wins_what_it_is_worth(game: str) -> None:
    envs = GameVectorEnv(game, BATCH)
    strategy, values, paytables = (
        load_strategies(envs.game)[0],
        resolve_options(envs.game, {}),
        select_paytables(envs.game),
    )
    solution = get_solution(envs.game, paytables, values, ignore_progress, strategy)
    exact = -float(build_main_sheet(envs.game, paytables, values, solution).house_edge)
    follower, won = Follower(envs.game, strategy), list[float]()
    observation, _ = envs.reset(seed=2)
    while len(won) < ROUNDS:
        observation, reward, over, _, info = envs.step(follower.actions(observation))
        assert not info["timed_out"].any()
        won += reward[over].tolist()
    assert abs(np.mean(won) - exact) < LARGEST_Z * np.std(won) / sqrt(len(won))
