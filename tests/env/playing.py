"""Shared helpers for tests of environments: every game, and a seat that follows a strategy by its observations."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.contract import Game
from pitboss.env import GameEnv, make_environment_id
from pitboss.env.settings import EnvSettings
from pitboss.games import load_game, load_games
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.simulate.action_space import SEE_RESULT, list_choices, list_view_fields, select_cards
from pitboss.simulate.round_driver import RandomSource
from pitboss.simulate.stepper import (
    StepMemory,
    StepOutput,
    build_step,
    end_round,
    make_step_memory,
    make_step_output,
)
from pitboss.solver_api import Strategy
from pitboss.strategies import load_strategies

each_game = pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))


def make_env(game: str, **terms: Any) -> GameEnv:
    """Make an environment without Gymnasium's wrappers."""
    env = gymnasium.make(make_environment_id(load_game(game)), **terms).unwrapped
    assert isinstance(env, GameEnv)
    return env


def make_view_masks(game: Game, observation: Mapping[str, Any], index: int) -> list[int]:
    """Return the card masks of the view in round ``index`` of a batch, field by field."""
    return [sum(1 << int(card) for card in np.flatnonzero(observation[name][index])) for name in list_view_fields(game)]


class Follower:
    """A seat that follows a strategy by its observations, under the game's default options."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        self.options = encode_options(game, resolve_options(game, {}))
        self.view_of = type(game.rules.view(game.rules.deal(game.deck.cards, 1, 0, 1)))
        self.listed = list_choices(game)

    def action(self, observation: Mapping[str, Any], index: int) -> int:
        """Return the action for round ``index`` of a batch."""
        asked = int(observation["decision"][index])
        if asked == len(self.game.decisions):
            return self.listed.index(SEE_RESULT)
        view = self.view_of(*make_view_masks(self.game, observation, index))
        action, cards = self.strategy.choose(load_hand_tables(), view, asked, self.strategy.numbers, self.options)
        return next(
            number
            for number, choice in enumerate(self.listed)
            if choice[:2] == (asked, action) and select_cards(view.player, choice.positions) == cards
        )

    def actions(self, observation: Mapping[str, Any]) -> NDArray[np.int64]:
        """Return an action for every round of a batch."""
        return np.array([self.action(observation, index) for index in range(len(observation["decision"]))], np.int64)


def choose_legal_at_random(mask: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for every round, all equally likely."""
    actions: NDArray[np.int64] = np.argmax(random.random(mask.shape) * mask, axis=1)
    return actions


class FixedDeckRounds:
    """Rounds from given decks, stepped in plain Python; a draw from reshuffled cards takes the first."""

    def __init__(self, settings: EnvSettings) -> None:
        self.game, self.settings, self._deck = settings.game, settings, tuple[int, ...]()
        source = RandomSource(self._set_deck, lambda _chance, _number, _bound: 0)
        self._step = build_step(self.game, settings.seats, load_strategies(self.game)[0], compiled=False, source=source)
        self._memory = StepMemory(*(array.tolist() for array in make_step_memory(self.game, 1)))

    def deal(self, deck: Sequence[int]) -> StepOutput:
        """Deal a round from a deck."""
        self._deck = tuple(deck)
        end_round(self._memory, 0, None)
        return self.step(0)

    def _set_deck(self, stub: list[int], size: int, laid: int, _until: int, _chance: Any) -> int:
        if not laid:
            stub[:size] = self._deck
        return size

    def step(self, choice: int) -> StepOutput:
        """Step the round by a choice."""
        shown = make_step_output(self.game, 1)
        self._step(
            load_hand_tables(), self.settings.kernel_args, self.settings.option_codes, self._memory, [choice], shown
        )
        return shown
