"""The arrays of a showdown census, as named tuples that kernels take."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
NumberArray = NDArray[np.uint32 | np.uint64]
"""Numbers of sets: indexes into a table.  Unsigned ones need no check whether they count from the end."""

TOTAL, BELOW, EQUAL, CUTS = 0, 1, 2, 3
"""The lanes of a private hand: all of the dealer's hands, the weaker, the equal, and from 3 on those below each cut."""

SHARDS = 48
"""How many parts a census is counted in."""

MOST_KEPT_NUMBERS, MOST_SORTED_ONCE = 1 << 23, 1 << 25
"""Up to how many numbers of subsets are kept, and how many hands sorted once for all boards."""

PASSES, DIGITS = 4, 256
"""A strength is sorted by at most four digits of eight bits."""


class CensusBoards(NamedTuple):
    """The public cards: how many come when, and in which fields of the state.

    *Levels* count what the seat knows: 0 is before all public cards, 1 with those of the root, then one more for each
    later stage that shows some; at ``leaf`` all are known.  ``sizes`` and ``levels`` describe the public groups; those
    after the first ``root_groups`` are enumerated.  ``base`` is a state without cards after a showdown's path,
    ``public[group, field]`` marks the fields that hold a group's cards.  ``exchanges`` are those of suits and Jokers
    that leave the deck ``cards`` unchanged, first the identity.
    """

    cards: int
    exchanges: IntArray
    root_groups: int
    sizes: IntArray
    levels: IntArray
    leaf: int
    base: IntArray
    public: IntArray


class DecisionTree(NamedTuple):
    """The decisions as a tree of nodes, with what each ending is worth.

    The first node is the root.

    ``levels[node]`` is what is known there, ``above[node]`` what is known at its parent, 0 for the root.
    ``children[node, choice]`` are endings, or nodes from ``endings`` on, or -1; ``first_actions`` are the node's own
    actions that begin the choices.  ``reaches[node, ending]`` tells which endings follow a node.
    ``worth[ending, class, lane]`` is what a hand of the dealer's in this lane adds to the value, in units of the nets.

    ``early[level]`` tells whether some ending follows a decision of this level before the leaf; ``last_early`` is the
    last such level, -1 if there is none, ``earlier[level]`` the one before.  ``source`` is a node of the leaf whose
    parent is at the last early level, -1 if there is none or if that is level 0.
    """

    levels: IntArray
    above: IntArray
    children: IntArray
    first_actions: IntArray
    reaches: IntArray
    endings: int
    worth: IntArray
    early: IntArray
    last_early: int
    earlier: IntArray
    source: int


class CountingTables(NamedTuple):
    """The tables a census counts by: cuts, set numbers and the width of a lane.

    ``starts`` are the least strengths of the player's classes after the first, ``cuts`` those of the dealer's.
    ``of_card`` is the position of each card in the deck, ``hand_steps`` number the player's hands, ``set_steps`` the
    ``sets`` of as many cards as the smaller private hand has, or fewer.  ``total`` is how many hands the dealer can
    have against one of the player's, and ``lane`` the largest number in a lane of ``width`` bits.
    """

    starts: IntArray
    cuts: IntArray
    of_card: IntArray
    hand_steps: IntArray
    set_steps: NumberArray
    sets: int
    width: int
    lane: int
    total: int


class LaneSums(NamedTuple):
    """The counts of the dealer's hands by lane, added up over boards.

    ``final[ending, class, lane]`` is the result. ``shared[row, class, lane]`` are sums over the boards of one
    position of a level; ``chosen[row, ending, class, lane]`` those of the endings chosen from a node on, over the
    positions of the node before. A row belongs to a level or a node, and a hand (``SumRows``). ``equal`` counts the
    root's positions at which two actions are worth the same.
    """

    final: IntArray
    shared: IntArray
    chosen: IntArray
    equal: IntArray


class SumRows(NamedTuple):
    """The rows of ``LaneSums`` in which the sums of each hand are.

    Those of level 0 are kept by class of hands up to suits: ``classes[hand]``, numbered in the order of the least hands
    of the classes, ``firsts``.  ``levels`` and ``nodes`` are the first rows of each level that shares sums and of each
    node, the last ones the number of all rows.
    """

    classes: IntArray
    firsts: IntArray
    levels: IntArray
    nodes: IntArray


class PrivateHands(NamedTuple):
    """The private hands of one side, the player's or the dealer's.

    ``masks`` are their cards, ``weights`` how many hands each stands for (unless they are sorted once),
    ``numbers[hand, subset]`` the numbers of their subsets, where these are kept. ``keys`` are those that a board
    allows, in order of strength: the strength above 32 bits with the hand's index.
    """

    masks: IntArray
    weights: IntArray
    numbers: NumberArray
    keys: IntArray


class CensusWorkspace(NamedTuple):
    """The arrays that a census reuses from board to board.

    ``table`` has the packed lanes of each small set of cards; ``places`` are those of one hand's cards; ``spare``
    and ``digits`` are for sorting; ``fields`` is a state with the board's cards.

    The others describe the position, by public group: ``held`` its cards, ``room`` the cards it can have.  After a
    number of groups, ``kept[groups]`` are the exchanges that leave their cards unchanged, ``kept_counts`` how many they
    are, and ``scales[groups, level]`` is how many ways to deal the groups after a level the position stands for.
    ``least[hand]`` is the first hand of the hand's class.
    """

    table: IntArray
    places: NumberArray
    spare: IntArray
    digits: IntArray
    fields: IntArray
    held: IntArray
    room: IntArray
    kept: IntArray
    kept_counts: IntArray
    scales: IntArray
    least: IntArray


class CensusArrays(NamedTuple):
    """All arrays that a census reads and writes.

    ``record`` is where the best play is written (``census_record``), ``follow`` the strategy that is followed
    (``census_follow``), ``sides`` the side wagers that are counted (``census_side_wagers``); they are None where they
    are not needed.
    """

    tables: Any
    options: Any
    boards: CensusBoards
    tree: DecisionTree
    rows: SumRows
    counting: CountingTables
    sums: LaneSums
    mine: PrivateHands
    theirs: PrivateHands
    workspace: CensusWorkspace
    record: Any = None
    follow: Any = None
    sides: Any = None


class KernelShape(NamedTuple):
    """The sizes and choices for which a census kernel is compiled.

    ``own`` and ``hidden`` are how many private cards the player and the dealer have, ``own_fields`` and
    ``hidden_fields`` the indexes of the fields that hold them, of ``fields``; ``lanes`` is the number of lanes.
    ``direct`` says that the only decision comes when all public cards are known, ``sorted_once`` that the player's
    hands are then sorted once for all boards. ``alike`` says that the rule that ranks the dealer's hand is the one
    that ranks the player's. ``numbered`` says that the numbers of the subsets of the player's hands are kept,
    ``listed`` those of the dealer's, ``rooted`` that all public cards are those of the root. ``classes`` says that
    hands are counted by classes (``census_classes``) where nothing else is wanted. ``records`` says that the best
    play is written into a table, ``plays`` what is played (``census_follow``), and ``sides`` into how many the
    outcomes of side wagers split each class of hands (``census_side_wagers``).
    """

    own: int
    hidden: int
    own_fields: tuple[int, ...]
    hidden_fields: tuple[int, ...]
    fields: int
    lanes: int
    direct: bool
    sorted_once: bool
    alike: bool
    numbered: bool
    listed: bool
    classes: bool
    rooted: bool
    records: bool = False
    plays: int = 0
    sides: int = 1
