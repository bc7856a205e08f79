"""Count the memory that a showdown census takes.

Its arrays are those that ``census`` makes; the parts of a solution are kept until all are there.
"""

from math import comb
from typing import NamedTuple

from pitboss.contract import Game
from pitboss.engine.census_tree import build_tree, list_effects
from pitboss.engine.census_types import CUTS, MOST_KEPT_NUMBERS, MOST_SORTED_ONCE, SHARDS
from pitboss.engine.showdown import ShowdownShape

_NUMBER = 8
_MOST_SUIT_ORDERS = 24
_WRITTEN, _KEPT = 32, 6
"""Bytes of one sum while a part is written as text, and in the text."""


class CensusBytes(NamedTuple):
    """The memory of a census in bytes: that of a core at work, and what is kept.

    ``at_work`` is for the arrays of one core (``CensusArrays``), ``kept`` for the results of the finished shards.
    """

    at_work: int
    kept: int


def count_census_bytes(game: Game, shape: ShowdownShape) -> CensusBytes:
    """Count the bytes of a census that lists all private hands."""
    deck, (own, hidden) = game.deck.size, (len(shape.groups[group].places) for group in (shape.own, shape.hidden))
    sizes = [[len(shape.groups[group].places) for group in groups] for groups in shape.public]
    public = sum(map(sum, sizes))
    tree = build_tree(shape, [0] * len(game.main.outcomes), list_effects(shape))
    direct = tree.levels[0] == max(1, sum(map(bool, sizes)))
    sorted_once = shape.blind and direct and comb(deck, own) <= MOST_SORTED_ONCE
    mine = comb(deck if sorted_once or not direct else deck - public, own)
    theirs = comb(deck, hidden)
    # Masks, weights and keys of each hand, room to sort them, and the numbers of subsets where they are few.
    numbers = (2 if sorted_once else 3) * mine + 3 * theirs + max(mine, theirs)
    numbers += sum(
        comb(deck, size) << size >> 1 for size in (own, hidden) if comb(deck, size) << size <= MOST_KEPT_NUMBERS
    )
    numbers += sum(comb(deck, size) for size in range(min(own, hidden) + 1))
    cells = (len(shape.cuts) + 1) * (CUTS + len(shape.dealer_cuts))
    kept = 0
    if not direct:
        classes = min(comb(deck, own), comb(deck, own) // _MOST_SUIT_ORDERS * 5 // 4 + 200)
        rows = [mine if level else classes for level in range(len(tree.early))]
        sums = sum(row * early for row, early in zip(rows, tree.early.tolist(), strict=True))
        sums += tree.endings * sum(rows[above] for above in tree.above.tolist()[1:])
        # The least hand of each class, the class of each hand, and what numbers them.
        numbers += 6 * mine + cells * sums
        if tree.levels[0] == 0:
            written = int((tree.children[0] >= 0).sum()) * classes * tree.endings * cells
            numbers += written * (_NUMBER + _WRITTEN) // _NUMBER
            first = next((size for each in sizes for size in each), 0)
            kept = _KEPT * written * min(SHARDS, comb(deck, first) // 4 + 1)
    return CensusBytes(_NUMBER * numbers, kept)
