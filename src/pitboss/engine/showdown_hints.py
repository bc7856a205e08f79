"""Value the actions of a game's only decision by its showdown.

Nothing but the dealer's hand may be hidden there. All the dealer's hands are ranked once, whatever the actions are; a
visit would settle each of them with each action.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.engine.census_hands import build_put_hand
from pitboss.engine.census_tree import build_tree, list_effects
from pitboss.engine.census_types import BELOW, CUTS, EQUAL, TOTAL
from pitboss.engine.places import clear_cards
from pitboss.engine.showdown import ShowdownShape, learn_showdown
from pitboss.engine.showdown_outcomes import NoCensusError
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.solver_api import SolverProblem


@lru_cache(maxsize=8)
def find_direct_showdown(game: Game, options: Any, cards: tuple[int, ...]) -> ShowdownShape | None:
    """Return the showdown of a game with one decision.

    Return None for other games, and where more than the dealer's hand is hidden there.
    """
    try:
        shape = learn_showdown(game, options, list(cards))
    except NoCensusError:
        return None
    return shape if len(game.decisions) == 1 and not any(shape.public[1:]) else None


def value_by_showdown(
    game: Game, shape: ShowdownShape, problem: SolverProblem, cards: Sequence[int], held: Sequence[int]
) -> dict[int, Fraction]:
    """Return the mean net of each action over all hands of the dealer.

    ``held`` are the cards of each group of places, 0 for the dealer's.
    """
    tables, options = load_hand_tables(), problem.options
    base = clear_cards(shape.groups, next(ending.state for ending in shape.endings if ending.outcome < 0))
    for group, known in zip(shape.groups, held, strict=True):
        base = base._replace(**{field: getattr(base, field) | known for field in group.fields})
    free = sum(1 << card for card in cards) & ~sum(held)
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    strength = int(game.showdown.mine(tables, base, options))
    lanes = np.zeros(CUTS + len(shape.dealer_cuts), np.int64)
    hidden = shape.groups[shape.hidden]
    marked = tuple(base._fields.index(field) for field in hidden.fields)
    build_dealer_kernel(game, marked)(
        tables, options, tuple(base), free, len(hidden.places), strength, np.array(shape.dealer_cuts, np.int64), lanes
    )
    own_class = sum(cut <= strength for cut in shape.cuts)
    worth = build_tree(shape, problem.nets, list_effects(shape)).worth
    return {
        action: Fraction(int(lanes @ worth[index, own_class]), int(lanes[TOTAL]))
        for index, ending in enumerate(shape.endings)
        for action in ending.actions
        if action is not None
    }


@cache
def build_dealer_kernel(game: Game, marked: tuple[int, ...]) -> Any:
    """Compile ``count_hands(tables, options, base, free, size, mine, cuts, lanes)``.

    It counts the hands of ``size`` free cards, in the marked fields, in the lanes: all, those weaker than ``mine``,
    equal ones, and those below each cut.  ``base`` are the fields of a state without them.
    """
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    fill, rank = build_put_hand(marked), game.showdown.theirs
    state_type = type(game.rules.deal(list(game.deck.cards), 1, 0, 1))

    @no_alloc_kernel
    def count_hands(
        tables: Any, options: Any, base: Any, free: int, size: int, mine: int, cuts: IntArray, lanes: IntArray
    ) -> None:
        cards = first_subset(free, size)
        while cards:
            strength = rank(tables, state_type(*fill(base, cards)), options)
            lanes[TOTAL] += 1
            lanes[BELOW] += strength < mine
            lanes[EQUAL] += strength == mine
            for cut in range(len(cuts)):
                lanes[CUTS + cut] += strength < cuts[cut]
            cards = next_subset(free, cards)

    return count_hands
