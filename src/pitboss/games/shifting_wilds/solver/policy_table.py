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
from pitboss.games.shifting_wilds.rules import HAND, ShiftingView
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SubsetNumbers, get_w1
from pitboss.games.shifting_wilds.solver.lock_events import Opening
from pitboss.games.shifting_wilds.solver.lock_sweep import is_free
from pitboss.games.shifting_wilds.solver.multisets import OpeningHands
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.solver_api import Strategy

Actions = NDArray[np.int8]

FIRST_DECISION, SECOND_DECISION = 0, 1
"""The decisions: check or lock, play or fold."""

NO_ACTION = -128

_SAMPLES = 4_000


class OpeningPolicy(NamedTuple):
    """The numbers of the actions taken, flat (hands x lanes): the first beside each W1, the second beside each W2.

    They are ``NO_ACTION`` where a lane's card cannot lie there.
    """

    first_actions: Actions
    second_actions: Actions


def tabulate_policy(
    strategy: Strategy, options: Any, subsets: SubsetNumbers, hands: OpeningHands, opening: Opening
) -> OpeningPolicy:
    """Ask a strategy what it does with all hands beside two community cards.

    Raises:
        ValueError: it takes an action that there is not.
    """
    told = OpeningPolicy(*(np.full(len(hands.masks) * LANE_COUNT, NO_ACTION, np.int8) for _ in range(2)))
    _compile_tabulate(strategy.choose)(
        load_hand_tables(), options, tuple(map(int, strategy.numbers)), subsets, hands, opening, told
    )
    if not all(np.isin(actions, (0, 1, NO_ACTION)).all() for actions in told):
        raise ValueError(f"strategy {strategy.id} takes an action that there is not: there are two, 0 and 1")
    return told


@cache
def _compile_tabulate(choose: RuleFunction) -> Callable[..., None]:
    @kernel
    def ask(
        tables: HandTables,
        options: Any,
        numbers: Any,
        sets: SubsetNumbers,
        hands: OpeningHands,
        opening: Opening,
        told: OpeningPolicy,
    ) -> None:
        for hand in range(len(hands.masks)):
            mask = hands.masks[hand]
            for lane in range(LANE_COUNT):
                if is_free(sets, opening, mask, lane):
                    card, at = get_w1(sets, lane), hand * LANE_COUNT + lane
                    first = ShiftingView(mask, 0, opening.community, card, 0)
                    second = ShiftingView(mask, 0, opening.community, 0, card)
                    told.first_actions[at] = choose(tables, first, FIRST_DECISION, numbers, options)[0]
                    told.second_actions[at] = choose(tables, second, SECOND_DECISION, numbers, options)[0]

    return ask


def verify_w1_is_ignored(strategy: Strategy, options: Any) -> None:
    """Ask a strategy for second decisions dealt at random, with W1 in view and without.

    Raises:
        ValueError: it takes different actions.
    """
    generator, tables = np.random.default_rng(1), load_hand_tables()
    for _ in range(_SAMPLES):
        codes = generator.permutation(52)[: HAND + 4].tolist()
        view = ShiftingView(make_mask(codes[:HAND]), 0, make_mask(codes[HAND:-2]), 1 << codes[-2], 1 << codes[-1])
        with_w1, without = (
            strategy.choose(tables, seen, SECOND_DECISION, strategy.numbers, options)[0]
            for seen in (view, view._replace(w1=0))
        )
        if with_w1 != without:
            raise ValueError(f"strategy {strategy.id} minds W1 after a Check, where it is dead")
