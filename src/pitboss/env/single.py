"""The environment of one round at a time, for any game, in plain Python."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from pitboss.api.arguments import PayTableInputs, find_game
from pitboss.api.game import HouseGame
from pitboss.core.errors import IllegalActionError, OptionError
from pitboss.env import spaces
from pitboss.env.render import render_picture, render_text, verify_pillow
from pitboss.env.settings import EnvSettings, StakeAmount
from pitboss.hands import load_hand_tables
from pitboss.simulate.stepper import StepMemory, StepOutput, end_round, make_step_memory, make_step_output

Observation = dict[str, Any]
Seed = int | None


_METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}


def draw_key(random: np.random.Generator) -> tuple[int, int]:
    """Draw the key of a random stream for rounds: two 32-bit words."""
    one, other = random.integers(1 << 32, size=2)
    return int(one), int(other)


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """A game environment in which an episode is a round.

    The reward at its end is its net in Antes.

    ``info`` has ``action_mask`` (the legal actions, at least one), ``outcomes`` (for each wager of the game the index
    of its outcome; -1 before the end and if nothing is staked) and ``timed_out`` (the action was not legal, so the
    timeout action was taken).  If the game does not ask the seat anything (an automatic winner), "next" is the only
    legal action, and it ends the round.

    Raises:
        UnknownNameError: the game is unknown.
        PitbossError: the settings cannot be played (see ``EnvSettings``), or the render mode cannot be used.
    """

    metadata = _METADATA

    def __init__(
        self,
        game: str | HouseGame,
        *,
        wagers: Mapping[str, StakeAmount] | None = None,
        paytables: PayTableInputs = (),
        rules: Mapping[str, str] | None = None,
        seats: int = 1,
        seat: int = 0,
        render_mode: str | None = None,
    ) -> None:
        """Set up a game with these settings (see ``EnvSettings``).

        ``reset(options=...)`` changes them.
        """
        self.game = find_game(game)
        self.settings = EnvSettings(
            self.game, {} if wagers is None else wagers, paytables, {} if rules is None else rules, seats, seat
        )
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(
                f"there is no render mode {render_mode!r}: use {' or '.join(self.metadata['render_modes'])}",
                code="unknown-render-mode",
                render_mode=render_mode,
            )
        if render_mode == "rgb_array":
            verify_pillow()
        self.render_mode = render_mode
        self.action_space = spaces.make_action_space(self.game)
        self.action_names = spaces.list_action_names(self.game)
        self.observation_space = spaces.make_observation_space(self.game)
        self._memory = StepMemory(*(array.tolist() for array in make_step_memory(self.game, 1)))
        self._key_source: np.random.Generator | None = None
        self._shown: StepOutput | None = None

    def reset(self, *, seed: Seed = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Deal a round.

        ``options`` change the settings, which last until they are changed again.

        Raises:
            PitbossError: the settings cannot be played; the old ones remain.
        """
        settings = self.settings.with_changes(options)
        super().reset(seed=seed)
        self.settings = settings
        random = self.np_random
        end_round(self._memory, 0, None if random is self._key_source else draw_key(random))
        self._key_source = random
        return self._advance(0)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action.

        Raises:
            IllegalActionError: the action is not in the action space, or the round is over.
        """
        if not self.action_space.contains(action):
            raise IllegalActionError(
                f"{action!r} is not an action: actions are 0 to {len(self.action_names) - 1}",
                code="unknown-action",
                action=action,
            )
        if self._shown is None or self._shown.is_over[0]:
            raise IllegalActionError("the round is over: deal the next with reset()", code="round-over")
        observation, info = self._advance(int(action))
        return observation, float(self._shown.reward[0]), bool(self._shown.is_over[0]), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now.

        ``MaskablePPO`` of sb3-contrib calls this method.

        Raises:
            IllegalActionError: no round has been dealt.
        """
        if self._shown is None:
            raise IllegalActionError("no round has been dealt: call reset() first", code="no-round")
        return np.asarray(self._shown.mask[0], np.bool_)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as the seat sees it.

        It is text or a picture (height, width, 3), None without a render mode.
        """
        if self.render_mode is None or self._shown is None:
            return None
        return (render_text if self.render_mode == "ansi" else render_picture)(self.game, self.settings, self._shown)

    def _advance(self, action: int) -> tuple[Observation, dict[str, Any]]:
        shown = make_step_output(self.game, 1)
        self.settings.make_step(compiled=False)(
            load_hand_tables(), self.settings.kernel_args, self.settings.option_codes, self._memory, [action], shown
        )
        self._shown = shown
        observed = {name: each[0] for name, each in spaces.make_observations(self.game, shown).items()}
        info = {"action_mask": shown.mask[0], "outcomes": shown.outcomes[0], "timed_out": bool(shown.timed_out[0])}
        return observed, info
