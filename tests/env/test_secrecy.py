"""An observation does not depend on cards that the seat may not see."""

import numpy as np
import pytest

from env.playing import FixedDeckRounds, each_game
from pitboss.contract import Game
from pitboss.env.settings import EnvSettings
from pitboss.env.spaces import make_observations
from pitboss.simulate.stepper import StepOutput

DEALS = 12


def collect_observed(game: Game, shown: StepOutput) -> bytes:
    """Return everything that a seat observes at a step, as bytes."""
    given = (
        *make_observations(game, shown).values(),
        shown.mask,
        shown.outcomes,
        shown.reward,
        shown.is_over,
        shown.timed_out,
    )
    return b"".join(each.tobytes() for each in given)


@pytest.mark.parametrize("seats", [1, 3])
@each_game
def test_other_hidden_cards_give_the_same_observation(game: Game, seats: int) -> None:
    rounds, random = FixedDeckRounds(EnvSettings(game, seats=seats)), np.random.default_rng(seats)
    compared = 0
    for _ in range(DEALS):
        deck, choices = random.permutation(game.deck.size), list[int]()
        shown = rounds.deal(deck.tolist())
        while not shown.is_over[0]:
            seen = np.asarray(shown.fields[:, 0].any(axis=0))
            other = deck.copy()
            other[~seen[deck]] = random.permutation(deck[~seen[deck]])
            assert (other != deck).any()
            again = rounds.deal(other.tolist())
            for choice in choices:
                again = rounds.step(choice)
            assert collect_observed(game, again) == collect_observed(game, shown)
            compared += 1
            rounds.deal(deck.tolist())
            for choice in choices:
                rounds.step(choice)
            choices.append(int(random.choice(np.flatnonzero(shown.mask[0]))))
            shown = rounds.step(choices[-1])
    assert compared >= DEALS
