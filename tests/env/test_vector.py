"""The vector environment steps exactly like single environments."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

from pitboss.core.errors import IllegalActionError, WagerError
from pitboss.env import GameVectorEnv, make_environment_id
from pitboss.games import load_game, load_games
from pitboss.simulate.action_space import list_choices
from refusals import refusal
from tiers import keep_first, keep_named

pytestmark = pytest.mark.compiled

ROUNDS = 12
STEPS = 25


def make_vector_env(
    game: str, num_envs: int, mode: str = "vector_entry_point", **terms: Any
) -> VectorEnv[Any, Any, Any]:
    """Return a vector environment of a game."""
    return gymnasium.make_vec(make_environment_id(load_game(game)), num_envs, mode, **terms)


def assert_same(fast: Any, slow: Any) -> None:
    """Assert that the results of two environments are equal: arrays, dictionaries and tuples of them."""
    if isinstance(slow, dict):
        assert fast.keys() == slow.keys()
        for name, each in slow.items():
            assert_same(fast[name], each)
    elif isinstance(slow, tuple):
        for one, other in zip(fast, slow, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_array_equal(fast, slow)
        assert fast.dtype == slow.dtype


STEPPED = keep_named(load_games(), "wild-six-card", "lunar")
"""Games whose steps every change compiles, seconds each."""


@pytest.mark.more
@pytest.mark.parametrize("seats", keep_first([1, 6], 1))
@pytest.mark.parametrize("name", STEPPED)
def test_rounds_of_a_batch_are_rounds_one_at_a_time(name: str, seats: int) -> None:
    game = load_game(name)
    terms: dict[str, Any] = {"seats": seats, "seat": seats // 2, "wagers": {game.wagers[-1].id: 0.5}}
    fast, slow = (make_vector_env(game.id, ROUNDS, mode, **terms) for mode in ("vector_entry_point", "sync"))
    random = np.random.default_rng(seats)
    seeds: tuple[Any, ...] = (7, None, random.integers(1 << 32, size=ROUNDS).tolist())
    for seed in seeds:
        assert_same(fast.reset(seed=seed), slow.reset(seed=seed))
        for _ in range(STEPS):
            actions = random.integers(0, len(list_choices(game)), ROUNDS)
            assert_same(fast.step(actions), slow.step(actions))


@pytest.mark.more
@pytest.mark.parametrize("name", STEPPED)
def test_what_is_given_lies_in_the_spaces_and_is_given_anew(name: str) -> None:
    envs = make_vector_env(name, 64)
    observation, info = envs.reset(seed=1)
    for _ in range(4):
        assert observation in envs.observation_space
        assert info["action_mask"].any(axis=1).all()
        actions = info["action_mask"].argmax(axis=1)
        assert actions in envs.action_space
        arrays = [*observation.values(), info["action_mask"]]
        before = [each.copy() for each in arrays]
        observation, _, _, _, info = envs.step(actions)
        for one, other in zip(arrays, before, strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_is_declared() -> None:
    envs = make_vector_env("six-card", 3)
    assert isinstance(envs, GameVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.single_observation_space == make_vector_env("six-card", 3, "sync").single_observation_space


def test_terms_are_changed_for_all_and_stay() -> None:
    envs = make_vector_env("six-card", 3)
    for options in ({"wagers": {"aces-up": 2}}, None):
        observation, _ = envs.reset(options=options)
        assert observation["stakes"][:, 1].tolist() == [2, 2, 2]
    with pytest.raises(WagerError):
        envs.reset(options={"wagers": {"aces-up": -2}})


def test_bad_use_is_refused() -> None:
    with pytest.raises(IllegalActionError, check=refusal("out-of-range", what="num_envs", value=0)):
        GameVectorEnv("six-card", 0)
    envs = GameVectorEnv("six-card", 2)
    with pytest.raises(IllegalActionError, check=refusal("no-round")):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(IllegalActionError, check=refusal("unequal-seeds", given=3, num_envs=2)):
        envs.reset(seed=[1, 2, 3])
    envs.reset()
    with pytest.raises(IllegalActionError, check=refusal("unequal-actions", shape=[3], num_envs=2)):
        envs.step(np.zeros(3, np.int64))
    with pytest.raises(IllegalActionError, check=refusal("unknown-action")):
        envs.step(np.array([0, 3]))
