"""Many rounds at a time: a vector environment that steps all of them in one call of a kernel."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pitboss.core.errors import IllegalActionError
from pitboss.env import spaces
from pitboss.env.settings import EnvSettings, StakeAmount
from pitboss.env.single import Observation, draw_key
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.simulate.stepper import make_step_memory, make_step_output, restart_round

BatchActions = NDArray[np.int64]
StepResult = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]

_METADATA: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}


class GameVectorEnv(VectorEnv[Observation, BatchActions, NDArray[Any]]):
    """As many rounds of a game as asked for, each as ``GameEnv`` plays it: the same seeds give the same rounds.

    The step after a round is over deals the next one (``NEXT_STEP``); its action is ignored and its reward 0.

    Raises:
        UnknownNameError: there is no such game.
        PitbossError: the terms cannot be played (see ``GameTerms``).
        IllegalActionError: there is not one round at least.
    """

    metadata = _METADATA

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        wagers: Mapping[str, StakeAmount] | None = None,
        paytables: Sequence[str] = (),
        rules: Mapping[str, str] | None = None,
        seats: int = 1,
        seat: int = 0,
    ) -> None:
        """Set so many rounds up on these terms (see ``GameTerms``); ``reset(options=...)`` changes them for all."""
        if num_envs < 1:
            raise IllegalActionError(f"num_envs is {num_envs}: it is 1 or more")
        self.game, self.num_envs = load_game(game), num_envs
        self.settings = EnvSettings(self.game, wagers or {}, paytables, rules or {}, seats, seat)
        self.single_action_space = spaces.make_action_space(self.game)
        self.action_names = spaces.list_action_names(self.game)
        self.single_observation_space = spaces.make_observation_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._kept = make_step_memory(self.game, num_envs)
        self._is_keyed = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every round anew; round i is seeded with ``seed`` + i, or with the i-th of a list.

        ``options`` change the terms, which stay as they are until changed again.

        Raises:
            IllegalActionError: there is not a seed for each round.
            PitbossError: the terms cannot be played; then the old ones stand.
        """
        seeds = [seed + index for index in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise IllegalActionError(f"{len(seeds)} seeds for {self.num_envs} rounds: give one, or one for each")
        self.settings = self.settings.with_changes(options)
        super().reset(seed=seed if isinstance(seed, int) else None)
        for index in range(self.num_envs):
            own = None if seeds is None else seeds[index]
            key = (
                draw_key(np_random(own)[0]) if own is not None else None if self._is_keyed else draw_key(self.np_random)
            )
            restart_round(self._kept, index, key)
        self._is_keyed = True
        observed, *_, info = self._advance(np.zeros(self.num_envs, np.int64))
        return observed, info

    def step(self, actions: BatchActions) -> StepResult:
        """Take an action in every round.

        Raises:
            IllegalActionError: they are not as many as rounds, or one is none of the action space.
        """
        taken = np.ascontiguousarray(actions, np.int64)
        if taken.shape != (self.num_envs,):
            raise IllegalActionError(f"actions of shape {taken.shape} for {self.num_envs} rounds: give one for each")
        if taken.min() < 0 or taken.max() >= len(self.action_names):
            raise IllegalActionError(f"actions are 0 to {len(self.action_names) - 1}")
        if not self._is_keyed:
            raise IllegalActionError("no round has been dealt: begin with reset()")
        return self._advance(taken)

    def _advance(self, actions: BatchActions) -> StepResult:
        shown = make_step_output(self.game, self.num_envs)
        self.settings.make_step(compiled=True)(
            load_hand_tables(), self.settings.kernel_args, self.settings.option_codes, self._kept, actions, shown
        )
        info: dict[str, Any] = {
            "action_mask": shown.mask,
            "outcomes": shown.outcomes,
            "timed_out": shown.timed_out,
        }
        info |= {f"_{name}": np.ones(self.num_envs, np.bool_) for name in tuple(info)}
        return (
            spaces.make_observations(self.game, shown),
            shown.reward,
            shown.is_over,
            np.zeros_like(shown.is_over),
            info,
        )
