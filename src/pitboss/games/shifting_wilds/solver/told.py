"""A strategy that is written down, asked at every position beside two community cards.

First decisions are asked with every W1, second ones with every W2.  W1 is dead after a Check (SW-2), so second ones are
asked once for all W1s, with none in view; a strategy that minds which it was is refused.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import make_mask
from pitboss.contract import RuleFunction
from pitboss.counting.compile import kernel
from pitboss.games.shifting_wilds.rules import HAND, View
from pitboss.games.shifting_wilds.solver.decide import is_free
from pitboss.games.shifting_wilds.solver.hands import Hands
from pitboss.games.shifting_wilds.solver.lock import Opening
from pitboss.games.shifting_wilds.solver.sums import LANES, Sets, w1_of
from pitboss.hands import HandTables, load_hand_tables
from pitboss.solver_api import Strategy

Actions = NDArray[np.int8]

FIRST, SECOND = 0, 1
"""The decisions: check or lock, play or fold."""

NOWHERE = -128

_SAMPLED = 4_000


class Told(NamedTuple):
    """The numbers of the actions taken, flat (hands x lanes): the first beside each W1, the second beside each W2.

    They are ``NOWHERE`` where a lane's card cannot lie there.
    """

    first: Actions
    second: Actions


def told_by(strategy: Strategy, options: Any, sets: Sets, hands: Hands, opening: Opening) -> Told:
    """Ask a strategy what it does with all hands beside two community cards.

    Raises:
        ValueError: it takes an action that there is not.
    """
    told = Told(*(np.full(len(hands.masks) * LANES, NOWHERE, np.int8) for _ in range(2)))
    _asker(strategy.choose)(load_hand_tables(), options, tuple(map(int, strategy.numbers)), sets, hands, opening, told)
    if not all(np.isin(actions, (0, 1, NOWHERE)).all() for actions in told):
        raise ValueError(f"strategy {strategy.id} takes an action that there is not: there are two, 0 and 1")
    return told


@cache
def _asker(choose: RuleFunction) -> Callable[..., None]:
    @kernel
    def ask(
        tables: HandTables, options: Any, numbers: Any, sets: Sets, hands: Hands, opening: Opening, told: Told
    ) -> None:
        for hand in range(len(hands.masks)):
            mask = hands.masks[hand]
            for lane in range(LANES):
                if is_free(sets, opening, mask, lane):
                    card, at = w1_of(sets, lane), hand * LANES + lane
                    first = View(mask, 0, opening.community, card, 0)
                    second = View(mask, 0, opening.community, 0, card)
                    told.first[at] = choose(tables, first, FIRST, numbers, options)[0]
                    told.second[at] = choose(tables, second, SECOND, numbers, options)[0]

    return ask


def check_that_w1_is_dead(strategy: Strategy, options: Any) -> None:
    """Ask a strategy for second decisions dealt at random, with W1 in view and without.

    Raises:
        ValueError: it takes different actions.
    """
    generator, tables = np.random.default_rng(1), load_hand_tables()
    for _ in range(_SAMPLED):
        codes = generator.permutation(52)[: HAND + 4].tolist()
        view = View(make_mask(codes[:HAND]), 0, make_mask(codes[HAND:-2]), 1 << codes[-2], 1 << codes[-1])
        with_w1, without = (
            strategy.choose(tables, seen, SECOND, strategy.numbers, options)[0] for seen in (view, view._replace(w1=0))
        )
        if with_w1 != without:
            raise ValueError(f"strategy {strategy.id} minds W1 after a Check, where it is dead")
