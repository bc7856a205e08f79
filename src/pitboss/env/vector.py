"""The vector environment of many rounds at a time.

One kernel call steps them all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pitboss.api.arguments import PayTableInputs, find_game
from pitboss.api.game import HouseGame
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import IllegalActionError
from pitboss.env import spaces
from pitboss.env.settings import EnvSettings, StakeAmount
from pitboss.env.single import Observation, draw_key
from pitboss.hands import load_hand_tables
from pitboss.simulate.stepper import end_round, make_step_memory, make_step_output

BatchActions = NDArray[np.int64]
StepResult = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]

_METADATA: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

_MOST_ROUNDS = 2**31 - 1


class GameVectorEnv(VectorEnv[Observation, BatchActions, NDArray[Any]]):
    """A vector environment of ``num_envs`` rounds of a game.

    Each round is as in ``GameEnv``: equal seeds give equal rounds.  The step after the end of a round deals the next
    one (``NEXT_STEP``); its action is ignored and its reward is 0.

    Raises:
        UnknownNameError: the game is unknown.
        PitbossError: the settings cannot be played (see ``EnvSettings``).
        IllegalActionError: ``num_envs`` is less than 1.
    """

    metadata = _METADATA

    def __init__(
        self,
        game: str | HouseGame,
        num_envs: int = 1,
        *,
        wagers: Mapping[str, StakeAmount] | None = None,
        paytables: PayTableInputs = (),
        rules: Mapping[str, str] | None = None,
        seats: int = 1,
        seat: int = 0,
    ) -> None:
        """Set up ``num_envs`` rounds with these settings (see ``EnvSettings``).

        ``reset(options=...)`` changes them.
        """
        num_envs = verify_whole(num_envs, "num_envs", 1, _MOST_ROUNDS, IllegalActionError)
        self.game, self.num_envs = find_game(game), num_envs
        self.settings = EnvSettings(
            self.game, {} if wagers is None else wagers, paytables, {} if rules is None else rules, seats, seat
        )
        self.single_action_space = spaces.make_action_space(self.game)
        self.action_names = spaces.list_action_names(self.game)
        self.single_observation_space = spaces.make_observation_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._memory = make_step_memory(self.game, num_envs)
        self._is_keyed = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal every round again.

        Round i gets the seed ``seed`` + i, or the i-th seed of a list.  ``options`` change the settings, which last
        until they are changed again.

        Raises:
            IllegalActionError: the number of seeds is not the number of rounds.
            PitbossError: the settings cannot be played; the old ones remain.
        """
        seeds = [seed + index for index in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise IllegalActionError(
                f"{len(seeds)} seeds for {self.num_envs} rounds: give one, or one for each",
                code="unequal-seeds",
                given=len(seeds),
                num_envs=self.num_envs,
            )
        self.settings = self.settings.with_changes(options)
        super().reset(seed=seed if isinstance(seed, int) else None)
        for index in range(self.num_envs):
            own_seed = None if seeds is None else seeds[index]
            key: tuple[int, int] | None = None
            if own_seed is not None:
                key = draw_key(np_random(own_seed)[0])
            elif not self._is_keyed:
                key = draw_key(self.np_random)
            end_round(self._memory, index, key)
        self._is_keyed = True
        observed, *_, info = self._advance(np.zeros(self.num_envs, np.int64))
        return observed, info

    def step(self, actions: BatchActions) -> StepResult:
        """Take an action in every round.

        Raises:
            IllegalActionError: there is not one action for each round, or one is not in the action space.
        """
        choices = np.ascontiguousarray(actions, np.int64)
        if choices.shape != (self.num_envs,):
            raise IllegalActionError(
                f"actions of shape {choices.shape} for {self.num_envs} rounds: give one for each",
                code="unequal-actions",
                shape=choices.shape,
                num_envs=self.num_envs,
            )
        if choices.min() < 0 or choices.max() >= len(self.action_names):
            raise IllegalActionError(f"actions are 0 to {len(self.action_names) - 1}", code="unknown-action")
        if not self._is_keyed:
            raise IllegalActionError("no round has been dealt: call reset() first", code="no-round")
        return self._advance(choices)

    def _advance(self, actions: BatchActions) -> StepResult:
        shown = make_step_output(self.game, self.num_envs)
        self.settings.make_step(compiled=True)(
            load_hand_tables(), self.settings.kernel_args, self.settings.option_codes, self._memory, actions, shown
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
