"""Say where a showdown census keeps the sums of each hand.

What is summed up before all public cards are known is as large for every hand that an exchange of suits makes of
another, so it is kept once for each class: of 2.9 million hands of five cards there are 140,000.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate

import numpy as np

from pitboss.engine.census_types import DecisionTree, KernelShape, SumRows
from pitboss.engine.roots import list_roots
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.enumeration import IntArray


def make_rows(cards: Sequence[int], form: KernelShape, tree: DecisionTree, exchanges: IntArray) -> SumRows:
    """Number the rows of sums of each level and node.

    There are none where the only decision sees all public cards.
    """
    if form.direct:
        none = np.zeros(0, np.int64)
        return SumRows(none, none, np.zeros(1, np.int64), np.zeros(1, np.int64))
    masks = list_roots(cards, (form.own,), np.array([[0, 1, 2, 3, 0]], np.int64))[0][:, 0]
    firsts, classes = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if tree.levels[0] == 0:
        least = reduce(np.minimum, (exchange_cards(masks, exchange) for exchange in exchanges))
        firsts, classes = np.unique(least, return_inverse=True)
    sizes = [len(masks) if level else len(firsts) for level in range(len(tree.early))]
    return SumRows(
        classes.astype(np.int64),
        firsts,
        _add_up(size * early for size, early in zip(sizes, tree.early.tolist(), strict=True)),
        _add_up(sizes[above] * (node > 0) for node, above in enumerate(tree.above.tolist())),
    )


def _add_up(sizes: Iterable[int]) -> IntArray:
    """Return the sums of the first sizes, from none to all."""
    return np.array(list(accumulate(sizes, initial=0)), np.int64)
