"""Count the hands that a seat may hold after a draw, by steps of strength."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from pitboss.cards import make_mask
from pitboss.contract import Game
from pitboss.hands import NO_HAND, load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset


def count_drawn_hands(
    game: Game, options: Any, state: Any, unseen: Sequence[int], size: int, steps: Sequence[int]
) -> tuple[int, ...]:
    """Count the draws of ``size`` unseen cards that make at least each strength.

    ``state`` is one that waits for the cards, and ``options`` are option codes.  The game's rule ``evaluate_hands``
    ranks the hands.
    """
    counts = np.zeros(len(steps), np.int64)
    floors = np.maximum(np.array(steps, np.int64), NO_HAND + 1)
    _get_kernel(game)(load_hand_tables(), options, state, make_mask(unseen), size, floors, counts)
    return tuple(int(each) for each in counts)


@cache
def _get_kernel(game: Game) -> Any:
    """Compile the count of a game from its rules of the draw and the hand."""
    receive_draw, evaluate_hands = game.rules.receive_draw, game.rules.evaluate_hands

    @no_alloc_kernel
    def count_hands(
        tables: Any, options: Any, state: Any, unseen: int, size: int, steps: IntArray, counts: IntArray
    ) -> None:
        drawn = first_subset(unseen, size)
        while drawn:
            strength = evaluate_hands(tables, receive_draw(state, drawn), options)[0]
            for place in range(len(steps)):
                counts[place] += strength >= steps[place]
            drawn = next_subset(unseen, drawn)

    return count_hands
