"""Where a strategy errs, in a player's words.

A *kind* of position is a number: the category of the hand, a rank where that says more, and what lies beside it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.cards import SUIT_COUNT, get_ranks, popcount
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.games.shifting_wilds.rules import CHECK, hand_strength, wilds
from pitboss.games.shifting_wilds.solver.decide import is_free
from pitboss.games.shifting_wilds.solver.hands import Hands
from pitboss.games.shifting_wilds.solver.lock import Opening
from pitboss.games.shifting_wilds.solver.sums import LANES, Sets, w1_of
from pitboss.games.shifting_wilds.solver.told import FIRST, SECOND, Actions
from pitboss.games.shifting_wilds.strategies import draws
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
from pitboss.solver_api import Mistake

_RANKS = 16
_BESIDE = 4
KINDS = CATEGORY_COUNT * _RANKS * _BESIDE

_ACTIONS = (("check", "lock"), ("play", "fold"))
_DEUCE = 2
_BESIDE_FIRST = ("", ", by a wild card", ", beside four to a flush or straight", ", by a wild card, beside a draw")
_ON_TABLE = ("", ", a pair on the table", ", three of a kind on the table", ", below the table")
_BELOW = 3


def no_errors() -> Integers:
    """Return room for errors: by decision, action taken and kind the weight of the positions and what that costs.

    The cost of a position is that of all dealers (after a Lock, W2s and dealers) it may meet.
    """
    return np.zeros((len(_ACTIONS), 2, KINDS, 2), np.int64)


@rule
def first_kind(tables: HandTables, hole: int, community: int, w1: int, options: Any) -> int:
    """Return the kind of a first decision: what the hand is with W1, and whether it holds a draw without."""
    made = hand_strength(tables, hole, community, w1, options)
    beside = (1 if wilds(hole, w1) else 0) + (2 if draws(hole | community) else 0)
    rank = get_first_rank(made) if get_category(made) <= PAIR else 0
    return (get_category(made) * _RANKS + rank) * _BESIDE + beside


@rule
def second_kind(made: int, table: int) -> int:
    """Return the kind of a second decision: what the hand is, and what of it lies on the table.

    Where a pair or three of a kind lies there and the hand is no more, the rank is that of the next card.
    """
    held, of = get_ranks(table), get_category(made)
    different = popcount(held)
    rank, beside = get_first_rank(made) if of <= PAIR else 0, SUIT_COUNT - 1 - different
    if different == SUIT_COUNT - 1:
        beside = _BELOW if of == PAIR and held & ((2 << (rank - _DEUCE)) - 1) == 0 else 0
    elif different == 2 and of == PAIR:
        rank = made >> 8 & 15
    elif different == 1 and of == THREE_OF_A_KIND:
        rank = made >> 4 & 15
    return (of * _RANKS + rank) * _BESIDE + beside


def words_of(decision: int, kind: int) -> str:
    """Say a kind of position in words.

    >>> words_of(FIRST, (PAIR * 16 + 9) * 4 + 1), words_of(SECOND, (PAIR * 16 + 14) * 4 + 1)
    ('pair of nines, by a wild card', 'ace high, a pair on the table')
    """
    made, beside = divmod(kind, _BESIDE)
    of, rank = divmod(made, _RANKS)
    on_table = decision == SECOND and (of, beside) in ((PAIR, 1), (THREE_OF_A_KIND, 2))
    if of == HIGH_CARD or on_table:
        hand = f"{format_rank(rank)} high"
    elif of == PAIR:
        hand = f"pair of {format_rank(rank, plural=True)}"
    else:
        hand = get_category_name(of << 20).replace("-", " ")
    return hand + (_ON_TABLE if decision == SECOND else _BESIDE_FIRST)[beside]


@kernel
def add_first_errors(
    sets: Sets,
    tables: HandTables,
    options: Any,
    hands: Hands,
    opening: Opening,
    actions: Actions,
    gains: Integers,
    errors: Integers,
) -> None:
    """Add where first decisions are not the best; ``gains`` (hands x lanes) is what a Check is worth beyond a Lock."""
    for hand in range(len(hands.masks)):
        for lane in range(LANES):
            at = hand * LANES + lane
            action = actions[at]
            cost = -gains[at] if action == CHECK else gains[at]
            if cost > 0 and is_free(sets, opening, hands.masks[hand], lane):
                kind = first_kind(tables, hands.masks[hand], opening.community, w1_of(sets, lane), options)
                errors[FIRST, action, kind, 0] += hands.weights[hand]
                errors[FIRST, action, kind, 1] += hands.weights[hand] * cost


def mistakes_in_words(errors: Any, showdowns: Sequence[int]) -> tuple[Mistake, ...]:
    """Return all mistakes, the dearest first; ``showdowns`` are those of a position of each decision."""
    found = [
        Mistake(
            taken=_ACTIONS[decision][action],
            best=_ACTIONS[decision][1 - action],
            hand=words_of(decision, kind),
            deals=int(errors[decision, action, kind, 0]) * showdowns[decision],
            cost=int(errors[decision, action, kind, 1]),
        )
        for decision, action, kind in np.argwhere(errors[..., 0] > 0).tolist()
    ]
    return tuple(sorted(found, key=lambda mistake: (-mistake.cost, mistake.taken, mistake.hand)))
