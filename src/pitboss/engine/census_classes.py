"""Count a showdown without public cards by classes of hands up to suits.

The hands of both sides are listed once for each class, so seven cards each are 6 million hands and not 134 million, and
the dealer's are counted by classes of small sets (``class_counts``).
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.contract import Game, RuleFunction
from pitboss.engine.census_hands import STRENGTH_BITS, build_put_hand
from pitboss.engine.census_types import CensusBoards, CountingTables, DecisionTree, KernelShape
from pitboss.engine.class_counts import (
    RankedHands,
    add_answer,
    add_hands_below_cuts,
    add_hands_up_to,
    count_disjoint_hands,
    sort_hands,
)
from pitboss.engine.roots import list_roots
from pitboss.engine.showdown_outcomes import make_strength_error
from pitboss.hands import load_hand_tables
from pitboss.kernels.class_numbering import ClassNumbers, build_class_numbers
from pitboss.kernels.compile import kernel, kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray


class Choices(NamedTuple):
    """What a hand can choose: endings, their first actions, the worth of lanes."""

    endings: IntArray
    first_actions: IntArray
    worth: IntArray


def count_classes(
    game: Game,
    options: Any,
    form: KernelShape,
    boards: CensusBoards,
    tree: DecisionTree,
    counting: CountingTables,
    *,
    alike: bool,
) -> tuple[IntArray, int]:
    """Count the outcomes of all hands, each with its best legal choice.

    ``alike`` says that both sides' hands are ranked alike.

    Return the sums by ending, class of strength and lane, and at how many hands two actions are worth the same.

    Raises:
        NoCensusError: a strength is not 0 to 2**31 - 1.
    """
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    mine, legal = _sort_hands(game, options, game.showdown.mine, form.own, form.own_fields, boards)
    theirs = mine
    if not alike:
        theirs, _ = _sort_hands(game, options, game.showdown.theirs, form.hidden, form.hidden_fields, boards)
    largest = min(form.own, form.hidden)
    numbers = build_class_numbers(boards.cards, largest)
    table = np.zeros((numbers.classes, form.lanes - 1), np.int64)
    final = np.zeros((tree.endings, len(counting.starts) + 1, form.lanes), np.int64)
    choices = Choices(tree.children[0], tree.first_actions[0], tree.worth)
    equal = _sweep(numbers, mine, legal, theirs, counting, choices, largest, table, final)
    return final, int(equal)


def _sort_hands(
    game: Game, options: Any, rank: RuleFunction, size: int, fields: tuple[int, ...], boards: CensusBoards
) -> tuple[RankedHands, IntArray]:
    """List one side's hands up to suits, in order of strength.

    Return them with the actions that each may take, as bits.
    """
    cards = [card for card in range(64) if boards.cards >> card & 1]
    spare = len(cards) - game.rules.count_dealt(1) - game.undrawable_cards
    sets, weights = list_roots(cards, (size,), boards.exchanges)
    masks, strengths, legal = sets[:, 0].copy(), np.zeros(len(sets), np.int64), np.zeros(len(sets), np.int64)
    rank_classes = build_rank_kernel(game, rank, fields)
    rank_classes(load_hand_tables(), options, tuple(boards.base.tolist()), spare, masks, strengths, legal)
    if strengths.min() < 0 or int(strengths.max()) >> STRENGTH_BITS:
        raise make_strength_error(game)
    hands, order = sort_hands(masks, weights, strengths)
    return hands, legal[order]


@cache
def build_rank_kernel(game: Game, rank: RuleFunction, fields: tuple[int, ...]) -> Any:
    """Compile ``rank_classes(tables, options, base, spare, masks, ...)``.

    ``base`` are the fields of a state without cards.  Legal actions are those of the first decision that sees the hand.
    """
    fill, view, legal_actions = build_put_hand(fields), game.rules.view, game.rules.legal_actions
    state_type = type(game.rules.deal(list(game.deck.cards), 1, 0, 1))

    @no_alloc_kernel
    def rank_classes(
        tables: Any, options: Any, base: Any, spare: int, masks: IntArray, strengths: IntArray, legal: IntArray
    ) -> None:
        for hand in range(len(masks)):
            state = state_type(*fill(base, masks[hand]))
            strengths[hand] = rank(tables, state, options)
            legal[hand] = legal_actions(tables, view(state), 0, spare, options)

    return rank_classes


@kernel_helper
def _decide(choices: Choices, hand_class: int, legal: int, weight: int, lanes: IntArray, final: IntArray) -> int:
    """Add a hand's lanes to its best ending; return 1 if another action is as good."""
    best, chosen, ties = 0, -1, 0
    for choice in range(len(choices.endings)):
        ending = choices.endings[choice]
        if ending >= 0 and legal >> choices.first_actions[choice] & 1:
            value = 0
            for lane in range(len(lanes)):
                value += choices.worth[ending, hand_class, lane] * lanes[lane]
            if chosen < 0 or value > best:
                best, chosen, ties = value, choice, 0
            elif value == best and choices.first_actions[choice] != choices.first_actions[chosen]:
                ties = 1
    for lane in range(len(lanes)):
        final[choices.endings[chosen], hand_class, lane] += weight * lanes[lane]
    return ties


@kernel
def _sweep(
    numbers: ClassNumbers,
    mine: RankedHands,
    legal: IntArray,
    theirs: RankedHands,
    counting: CountingTables,
    choices: Choices,
    largest: int,
    table: IntArray,
    final: IntArray,
) -> int:
    """Walk up the player's hands, and decide each."""
    answer, lanes = np.zeros(table.shape[1], np.int64), np.zeros(table.shape[1] + 1, np.int64)
    add_hands_below_cuts(numbers, theirs, counting.cuts, largest, table)
    below, upto, hand_class, equal = 0, 0, 0, 0
    for hand in range(len(mine.masks)):
        strength = mine.strengths[hand]
        while hand_class < len(counting.starts) and strength >= counting.starts[hand_class]:
            hand_class += 1
        below, upto = add_hands_up_to(numbers, theirs, strength, below, upto, largest, table)
        count_disjoint_hands(numbers, mine.masks[hand], largest, table, answer)
        lanes[:] = 0
        add_answer(answer, counting.total, 1, lanes)
        equal += _decide(choices, hand_class, legal[hand], mine.weights[hand], lanes, final)
    return equal
