"""The policy table of a strategy.

It has the strategy's action at every position with two community cards.  First decisions are tabulated with every W1,
second decisions with every W2.  W1 is dead after a Check (SW-2), so a second decision is tabulated once for all W1s,
with none in view.  A strategy that looks at W1 there is refused.
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
from pitboss.games.shifting_wilds.solver.lock_flushes import is_free
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
    """The actions of a strategy, as flat arrays (hands x lanes) of numbers.

    First actions are by W1, second actions by W2.  They are ``NO_ACTION`` for a lane whose card cannot be the
    indicator.
    """

    first_actions: Actions
    second_actions: Actions


def tabulate_policy(
    strategy: Strategy, options: Any, subsets: SubsetNumbers, hands: OpeningHands, opening: Opening
) -> OpeningPolicy:
    """Tabulate the actions of a strategy for all hands with two community cards.

    Raises:
        ValueError: the strategy takes an invalid action.
    """
    policy = OpeningPolicy(*(np.full(len(hands.masks) * LANE_COUNT, NO_ACTION, np.int8) for _ in range(2)))
    _compile_tabulate(strategy.choose)(
        load_hand_tables(), options, tuple(map(int, strategy.numbers)), subsets, hands, opening, policy
    )
    if not all(np.isin(actions, (0, 1, NO_ACTION)).all() for actions in policy):
        raise ValueError(f"strategy {strategy.id} takes an invalid action: it must be 0 or 1")
    return policy


@cache
def _compile_tabulate(choose: RuleFunction) -> Callable[..., None]:
    @kernel
    def fill_policy(
        tables: HandTables,
        options: Any,
        numbers: Any,
        sets: SubsetNumbers,
        hands: OpeningHands,
        opening: Opening,
        policy: OpeningPolicy,
    ) -> None:
        for hand in range(len(hands.masks)):
            mask = hands.masks[hand]
            for lane in range(LANE_COUNT):
                if is_free(sets, opening, mask, lane):
                    card, at = get_w1(sets, lane), hand * LANE_COUNT + lane
                    first = ShiftingView(mask, 0, opening.community, card, 0)
                    second = ShiftingView(mask, 0, opening.community, 0, card)
                    policy.first_actions[at] = choose(tables, first, FIRST_DECISION, numbers, options)[0]
                    policy.second_actions[at] = choose(tables, second, SECOND_DECISION, numbers, options)[0]

    return fill_policy


def verify_w1_is_ignored(strategy: Strategy, options: Any) -> None:
    """Verify that a strategy ignores W1 at its second decisions.

    Its decisions at random positions are compared, with W1 in view and without.

    Raises:
        ValueError: the strategy takes different actions.
    """
    generator, tables = np.random.default_rng(1), load_hand_tables()
    for _ in range(_SAMPLES):
        codes = generator.permutation(52)[: HAND + 4].tolist()
        view = ShiftingView(make_mask(codes[:HAND]), 0, make_mask(codes[HAND:-2]), 1 << codes[-2], 1 << codes[-1])
        with_w1, without = (
            strategy.choose(tables, either_view, SECOND_DECISION, strategy.numbers, options)[0]
            for either_view in (view, view._replace(w1=0))
        )
        if with_w1 != without:
            raise ValueError(f"strategy {strategy.id} may not look at W1 after a Check: W1 is dead then")
