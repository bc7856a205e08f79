"""The mistakes of a strategy, in a player's words.

A *kind* of position is a number: the category of the hand, a rank where that says more, and the context of the hand.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.cards import SUIT_COUNT, get_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import CHECK, find_wild_cards, rank_hand
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SubsetNumbers, get_w1
from pitboss.games.shifting_wilds.solver.lock_events import Opening
from pitboss.games.shifting_wilds.solver.lock_flushes import is_free
from pitboss.games.shifting_wilds.solver.multisets import OpeningHands
from pitboss.games.shifting_wilds.solver.policy_table import FIRST_DECISION, SECOND_DECISION, Actions
from pitboss.games.shifting_wilds.strategies import has_draw
from pitboss.hands import (
    CATEGORY_COUNT,
    HIGH_CARD,
    PAIR,
    THREE_OF_A_KIND,
    HandTables,
    format_rank,
    get_category,
    get_category_name,
    get_first_rank,
)
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Mistake

_RANK_CODE_COUNT = 16
_CONTEXT_COUNT = 4
KIND_COUNT = CATEGORY_COUNT * _RANK_CODE_COUNT * _CONTEXT_COUNT

_ACTIONS = (("check", "lock"), ("play", "fold"))
_DEUCE = 2
_FIRST_CONTEXTS = ("", ", by a wild card", ", with four to a flush or straight", ", by a wild card, with a draw")
_SECOND_CONTEXTS = ("", ", a pair on the table", ", three of a kind on the table", ", below the table")
_BELOW_TABLE = 3


def make_mistake_table() -> IntArray:
    """Return a table of zeros for the weight and the cost of mistakes.

    Its axes are the decision, the action taken, the kind, and weight or cost of the positions.  The cost of a position
    is summed over all dealers (at a first decision, W2s and dealers) that it may meet.
    """
    return np.zeros((len(_ACTIONS), 2, KIND_COUNT, 2), np.int64)


@rule
def classify_first(tables: HandTables, hole: int, community: int, w1: int, options: Any) -> int:
    """Return the kind of a first decision.

    It is the hand with W1, and whether the hand has a draw without it.
    """
    strength = rank_hand(tables, hole, community, w1, options)
    context = (1 if find_wild_cards(hole, w1) else 0) + (2 if has_draw(hole | community) else 0)
    rank = get_first_rank(strength) if get_category(strength) <= PAIR else 0
    return (get_category(strength) * _RANK_CODE_COUNT + rank) * _CONTEXT_COUNT + context


@rule
def classify_second(made: int, table: int) -> int:
    """Return the kind of a second decision.

    It is the hand, and how much of it is on the table.  If the hand is just the pair or three of a kind on the table,
    the rank is that of the next card.
    """
    table_ranks, category = get_ranks(table), get_category(made)
    different = popcount(table_ranks)
    rank, context = get_first_rank(made) if category <= PAIR else 0, SUIT_COUNT - 1 - different
    if different == SUIT_COUNT - 1:
        context = _BELOW_TABLE if category == PAIR and table_ranks & ((2 << (rank - _DEUCE)) - 1) == 0 else 0
    elif different == 2 and category == PAIR:
        rank = made >> 8 & 15
    elif different == 1 and category == THREE_OF_A_KIND:
        rank = made >> 4 & 15
    return (category * _RANK_CODE_COUNT + rank) * _CONTEXT_COUNT + context


def describe_kind(decision: int, kind: int) -> str:
    """Describe a kind of position.

    >>> describe_kind(FIRST_DECISION, (PAIR * 16 + 9) * 4 + 1), describe_kind(SECOND_DECISION, (PAIR * 16 + 14) * 4 + 1)
    ('pair of nines, by a wild card', 'ace high, a pair on the table')
    """
    hand_code, context = divmod(kind, _CONTEXT_COUNT)
    category, rank = divmod(hand_code, _RANK_CODE_COUNT)
    on_table = decision == SECOND_DECISION and (category, context) in ((PAIR, 1), (THREE_OF_A_KIND, 2))
    if category == HIGH_CARD or on_table:
        hand = f"{format_rank(rank)} high"
    elif category == PAIR:
        hand = f"pair of {format_rank(rank, plural=True)}"
    else:
        hand = get_category_name(category << 20).replace("-", " ")
    return hand + (_SECOND_CONTEXTS if decision == SECOND_DECISION else _FIRST_CONTEXTS)[context]


@kernel
def add_first_mistakes(
    subsets: SubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    opening: Opening,
    actions: Actions,
    gains: IntArray,
    mistakes: IntArray,
) -> None:
    """Add the mistakes of first decisions.

    ``gains`` (hands x lanes) is what a Check is worth beyond a Lock.
    """
    for hand in range(len(hands.masks)):
        for lane in range(LANE_COUNT):
            at = hand * LANE_COUNT + lane
            action = actions[at]
            cost = -gains[at] if action == CHECK else gains[at]
            if cost > 0 and is_free(subsets, opening, hands.masks[hand], lane):
                kind = classify_first(tables, hands.masks[hand], opening.community, get_w1(subsets, lane), options)
                mistakes[FIRST_DECISION, action, kind, 0] += hands.weights[hand]
                mistakes[FIRST_DECISION, action, kind, 1] += hands.weights[hand] * cost


def list_mistakes(mistakes: Any, showdowns: Sequence[int]) -> tuple[Mistake, ...]:
    """Return all mistakes, the costliest first.

    ``showdowns`` is how many showdowns a position of each decision has.
    """
    unsorted = [
        Mistake(
            taken=_ACTIONS[decision][action],
            best=_ACTIONS[decision][1 - action],
            hand=describe_kind(decision, kind),
            deals=int(mistakes[decision, action, kind, 0]) * showdowns[decision],
            cost=int(mistakes[decision, action, kind, 1]),
        )
        for decision, action, kind in np.argwhere(mistakes[..., 0] > 0).tolist()
    ]
    return tuple(sorted(unsorted, key=lambda mistake: (-mistake.cost, mistake.taken, mistake.hand)))
