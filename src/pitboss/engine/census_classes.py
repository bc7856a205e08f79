"""Count a showdown without public cards by classes of hands up to suits.

The hands of both sides are listed once for each class, so seven cards each are 6 million hands and not 134 million.  A
table has a row for each class of small sets: how many of the dealer's hands contain a set of the class, summed over the
sets of the class.  By inclusion and exclusion over the subsets of one of the player's hands, with each row divided by
the size of its class, this tells how many of the dealer's hands share no card with it.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import popcount
from pitboss.contract import Game, RuleFunction
from pitboss.engine.census_hands import STRENGTH_BITS, build_fill
from pitboss.engine.census_types import Boards, Counting, Form, Tree
from pitboss.engine.roots import list_roots
from pitboss.hands import load_hand_tables
from pitboss.kernels.class_numbering import ClassNumbers, build_class_numbers, number_class
from pitboss.kernels.compile import kernel, kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

_BELOW, _EQUAL, _CUTS = 0, 1, 2
"""The columns of the table: the dealer's weaker hands, the equal ones, and those below each cut."""


class RankedClasses(NamedTuple):
    """Hands of one side in order of strength.

    Each stands for ``weights`` hands.  ``legal`` are the actions that the hand may take, as bits.
    """

    masks: IntArray
    weights: IntArray
    strengths: IntArray
    legal: IntArray


class Choices(NamedTuple):
    """What a hand can choose: endings, their first actions, the worth of lanes."""

    endings: IntArray
    first_actions: IntArray
    worth: IntArray


def count_classes(
    game: Game, options: Any, form: Form, boards: Boards, tree: Tree, counting: Counting, *, alike: bool
) -> tuple[IntArray, int] | None:
    """Count the outcomes of all hands, each with its best legal choice.

    ``alike`` says that both sides' hands are ranked alike.

    Return the sums by ending, class of strength and lane, and at how many hands two actions are worth the same; None if
    a strength is not 0 to 2**31 - 1.
    """
    if game.showdown is None:
        return None
    mine = _sort_hands(game, options, game.showdown.mine, form.own, form.own_fields, boards)
    theirs = mine
    if mine and not alike:
        theirs = _sort_hands(game, options, game.showdown.theirs, form.hidden, form.hidden_fields, boards)
    if mine is None or theirs is None:
        return None
    largest = min(form.own, form.hidden)
    numbers = build_class_numbers(boards.cards, largest)
    table = np.zeros((numbers.classes, form.lanes - 1), np.int64)
    final = np.zeros((tree.endings, len(counting.starts) + 1, form.lanes), np.int64)
    choices = Choices(tree.children[0], tree.first_actions[0], tree.worth)
    equal = _sweep(numbers, mine, theirs, counting, choices, largest, table, final)
    return final, int(equal)


def _sort_hands(
    game: Game, options: Any, rank: RuleFunction, size: int, fields: tuple[int, ...], boards: Boards
) -> RankedClasses | None:
    """List one side's hands up to suits, in order of strength.

    Return None if a strength is not 0 to 2**31 - 1.
    """
    cards = [card for card in range(64) if boards.cards >> card & 1]
    spare = len(cards) - game.rules.count_dealt(1) - game.undrawable_cards
    sets, weights = list_roots(cards, (size,), boards.exchanges)
    masks, strengths, legal = sets[:, 0].copy(), np.zeros(len(sets), np.int64), np.zeros(len(sets), np.int64)
    rank_classes = build_rank_kernel(game, rank, fields)
    rank_classes(load_hand_tables(), options, tuple(boards.base.tolist()), spare, masks, strengths, legal)
    if strengths.min() < 0 or int(strengths.max()) >> STRENGTH_BITS:
        return None
    order = np.argsort(strengths, kind="stable")
    return RankedClasses(masks[order], weights[order], strengths[order], legal[order])


@cache
def build_rank_kernel(game: Game, rank: RuleFunction, fields: tuple[int, ...]) -> Any:
    """Compile ``rank_classes(tables, options, base, spare, masks, ...)``.

    ``base`` are the fields of a state without cards.  Legal actions are those of the first decision that sees the hand.
    """
    fill, view, legal_actions = build_fill(fields), game.rules.view, game.rules.legal_actions
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
def _enter(
    numbers: ClassNumbers, cards: int, largest: int, below: int, equal: int, cuts: int, first_cut: int, table: IntArray
) -> None:
    """Add a hand of the dealer's to the rows of its subsets.

    It is added to the columns below, equal, and from a cut on.
    """
    subset = cards
    while True:
        if popcount(subset) <= largest:
            number, _ = number_class(subset, numbers)
            table[number, _BELOW] += below
            table[number, _EQUAL] += equal
            for cut in range(first_cut, table.shape[1]):
                table[number, cut] += cuts
        if subset == 0:
            break
        subset = (subset - 1) & cards


@kernel_helper
def _ask(numbers: ClassNumbers, cards: int, largest: int, table: IntArray, lanes: IntArray) -> None:
    """Count the hands entered, by column, that share no card with a hand."""
    for lane in range(1, len(lanes)):
        lanes[lane] = 0
    subset = cards
    while True:
        size = popcount(subset)
        if size <= largest:
            number, alike = number_class(subset, numbers)
            signed = -alike if size & 1 else alike
            for column in range(table.shape[1]):
                lanes[column + 1] += signed * table[number, column]
        if subset == 0:
            break
        subset = (subset - 1) & cards
    # A class has exchanges / alike sets, and its row is a sum over them all.
    for lane in range(1, len(lanes)):
        lanes[lane] //= numbers.exchanges


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
    mine: RankedClasses,
    theirs: RankedClasses,
    counting: Counting,
    choices: Choices,
    largest: int,
    table: IntArray,
    final: IntArray,
) -> int:
    """Walk up the player's hands, and decide each.

    The dealer's hands enter as equal, and count as weaker afterwards.
    """
    lanes = np.zeros(table.shape[1] + 1, np.int64)
    lanes[0] = counting.total
    columns, cuts = table.shape[1], counting.cuts
    for hand in range(len(theirs.masks)):
        first = 0
        while first < len(cuts) and theirs.strengths[hand] >= cuts[first]:
            first += 1
        if first == len(cuts):
            break
        _enter(numbers, theirs.masks[hand], largest, 0, 0, theirs.weights[hand], _CUTS + first, table)
    entered, weaker, hand_class, equal = 0, 0, 0, 0
    for hand in range(len(mine.masks)):
        strength = mine.strengths[hand]
        while hand_class < len(counting.starts) and strength >= counting.starts[hand_class]:
            hand_class += 1
        while weaker < len(theirs.masks) and theirs.strengths[weaker] < strength:
            weight = theirs.weights[weaker]
            _enter(
                numbers, theirs.masks[weaker], largest, weight, -weight if weaker < entered else 0, 0, columns, table
            )
            weaker += 1
        entered = max(entered, weaker)
        while entered < len(theirs.masks) and theirs.strengths[entered] == strength:
            _enter(numbers, theirs.masks[entered], largest, 0, theirs.weights[entered], 0, columns, table)
            entered += 1
        _ask(numbers, mine.masks[hand], largest, table, lanes)
        equal += _decide(choices, hand_class, mine.legal[hand], mine.weights[hand], lanes, final)
    return equal
