"""The actions and observations of a game's environment as Gymnasium spaces."""

from typing import Any

import numpy as np
from gymnasium import spaces

from pitboss.analysis.side_stakes import MAX_STAKE
from pitboss.contract import Game
from pitboss.simulate.action_space import SEE_RESULT, Choice, list_choices, list_circles, list_view_fields
from pitboss.simulate.stepper import StepOutput

NEXT_NAME = "next"
_MAX_CIRCLE_STAKE = float(MAX_STAKE)


def make_action_space(game: Game) -> spaces.Discrete:
    """Return the space of actions: every answer to every decision, and "next"."""
    return spaces.Discrete(len(list_choices(game)))


def list_action_names(game: Game) -> tuple[str, ...]:
    """Return the name of each action.

    It is the action's word and the positions of the cards given up, 0 for the lowest card.

    >>> from pitboss.games import load_game
    >>> list_action_names(load_game("wild-six-card"))[3:]
    ('discard 3', 'discard 4', 'stand', 'next')
    """
    return tuple(_format_action(game, choice) for choice in list_choices(game))


def _format_action(game: Game, choice: Choice) -> str:
    if choice == SEE_RESULT:
        return NEXT_NAME
    word = game.decisions[choice.decision].actions[choice.action].id
    positions = [str(position) for position in range(choice.positions.bit_length()) if choice.positions >> position & 1]
    return " ".join([word, *positions])


def make_observation_space(game: Game) -> spaces.Dict:
    """Return the space of observations.

    Each field of the game's view has a bit for each card of the deck (suit times 13 plus rank; suits are spades,
    hearts, diamonds, clubs, ranks deuce to ace; then Jokers).  ``decision`` is the index of the decision, or the number
    of decisions if there is none to take.  ``stakes`` are the stakes in each circle, in Antes.
    """
    card_sets = {name: spaces.MultiBinary(game.deck.size) for name in list_view_fields(game)}
    return spaces.Dict(
        {
            **card_sets,
            "decision": spaces.Discrete(len(game.decisions) + 1),
            "stakes": spaces.Box(0.0, _MAX_CIRCLE_STAKE, (len(list_circles(game)),), np.float32),
        }
    )


def make_observations(game: Game, shown: StepOutput) -> dict[str, Any]:
    """Return the observations of a batch of rounds, in the form of the batched space."""
    card_sets = dict(zip(list_view_fields(game), shown.fields, strict=True))
    return {**card_sets, "decision": shown.decision, "stakes": shown.stakes}
