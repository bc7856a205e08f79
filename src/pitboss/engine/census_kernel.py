"""Compile the showdown census: all private hands of both sides at once, board by board.

On a board (all public cards known) the player's and the dealer's hands are sorted by strength.  A table keeps, for each
set of at most as many cards as the smaller hand has, how many of the dealer's hands contain the set: the weaker ones,
the equal ones, and those below each cut, packed in one integer as *lanes*.  By inclusion and exclusion the table says
how many hands without a card of the player's hand there are of each sort.  Walking up the player's hands, the dealer's
hands of one strength enter the table as equal, are asked for, and then count as weaker.

Sums of packed lanes are exact although partial sums borrow from one lane to the next, because the last sums fit.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from pitboss.cards import popcount
from pitboss.contract import Showdown
from pitboss.kernels.compile import inlined_helper, kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import number_set
from pitboss.kernels.subsets import first_subset, next_subset

RuleFunction = Callable[..., Any]

TOTAL, BELOW, EQUAL, CUTS = 0, 1, 2, 3
"""The lanes of a private hand: all of the dealer's hands, the weaker, the equal, and from 3 on those below each cut."""


class Board(NamedTuple):
    """How the public cards come.

    ``fields`` are the state's fields with the actions of a showdown; ``own``, ``hidden`` and ``public`` (a row for each
    public group) mark the fields that hold the cards.  Groups after the root's first ``root_groups`` are enumerated;
    ``sizes`` are their numbers of cards and ``stages`` the decisions that see them first.
    """

    cards: int
    fields: IntArray
    own: IntArray
    hidden: IntArray
    public: IntArray
    root_groups: int
    sizes: IntArray
    stages: IntArray
    root_stage: int
    leaf_stage: int


class Tree(NamedTuple):
    """The decisions as a tree of nodes, the first of them the root.

    ``stages`` and ``parents`` describe the nodes; ``children[node, action]`` are endings, or nodes from ``endings`` on,
    or -1.  ``worth[ending, class, lane]`` is what a hand of the dealer's in this lane adds to the value;
    ``early[stage]`` tells whether some ending follows a decision of this stage.
    """

    stages: IntArray
    parents: IntArray
    children: IntArray
    endings: int
    worth: IntArray
    early: IntArray


class Sums(NamedTuple):
    """The sums of lanes.

    ``final[ending, class, lane]`` is the result.  ``shared[stage, hand, class, lane]`` are sums over the boards of one
    position of a stage; ``chosen[node, hand, ending, class, lane]`` those of the endings chosen from a node on, over
    the positions of the node before.  ``equal[node]`` counts positions with equal actions, times the suit orders.
    """

    final: IntArray
    shared: IntArray
    chosen: IntArray
    equal: IntArray


class Hands(NamedTuple):
    """One side's private hands on a board: their cards, their strengths, and their order by strength."""

    masks: IntArray
    ranks: IntArray
    order: IntArray


class Scratch(NamedTuple):
    """What a census needs on the way.

    ``table`` has the packed lanes of each small set of cards, ``of_card`` the position of each card among those that
    are not on the board; the others are the places and numbers of one hand's subsets, and space for sorting.
    """

    mine: Hands
    theirs: Hands
    table: IntArray
    of_card: IntArray
    places: IntArray
    numbers: IntArray
    fields: IntArray
    lanes: IntArray
    spare: IntArray
    digits: IntArray


class Counting(NamedTuple):
    """The tables of a census: cuts, numbers of sets, and the width of a lane.

    ``starts`` are the least strengths of the player's classes after the first, ``cuts`` those of the dealer's.
    ``hand_steps`` number the player's hands in the whole deck, ``set_steps`` the sets of at most ``largest`` cards.
    """

    starts: IntArray
    cuts: IntArray
    hand_steps: IntArray
    set_steps: IntArray
    sets: int
    width: int


@inlined_helper
def _sort_by_strength(hands: Hands, count: int, scratch: Scratch) -> None:
    """Order the first ``count`` hands by rising strength: a radix sort of four passes over 28 bits."""
    order, strengths, spare, ranks = hands.order, hands.ranks, scratch.spare, scratch.digits
    for index in range(count):
        order[index] = index
    for shift in (0, 7, 14, 21):
        for digit in range(129):
            ranks[digit] = 0
        for index in range(count):
            ranks[(strengths[index] >> shift & 127) + 1] += 1
        for digit in range(128):
            ranks[digit + 1] += ranks[digit]
        for place in range(count):
            digit = strengths[order[place]] >> shift & 127
            spare[ranks[digit]] = order[place]
            ranks[digit] += 1
        for place in range(count):
            order[place] = spare[place]


@inlined_helper
def _list_places(mask: int, places: IntArray, of_card: IntArray) -> int:
    """Write the positions of a set's cards, rising, and return their number."""
    count = 0
    while mask:
        places[count] = of_card[popcount((mask & -mask) - 1)]
        count += 1
        mask &= mask - 1
    return count


def _build_rank_hands(rank: RuleFunction, state_type: Callable[..., Any], fields: int, cards: int) -> RuleFunction:
    """Build ``rank_hands(tables, options, marked, left, scratch, hands) -> count``: all hands of ``left``, ranked.

    ``marked`` are the fields of the state that hold the hand's cards; the others stand in ``scratch.fields``.
    """

    @inlined_helper
    def rank_hands(tables: Any, options: Any, marked: IntArray, left: int, scratch: Scratch, hands: Hands) -> int:
        count, mask = 0, first_subset(left, cards)
        while mask:
            for field in range(fields):
                scratch.fields[field] ^= mask if marked[field] else 0
            hands.masks[count] = mask
            hands.ranks[count] = rank(tables, state_type(*to_fixed_tuple(scratch.fields, fields)), options)
            for field in range(fields):
                scratch.fields[field] ^= mask if marked[field] else 0
            count += 1
            mask = next_subset(left, mask)
        _sort_by_strength(hands, count, scratch)
        return count

    return rank_hands


def _build_number_subsets(largest: int) -> RuleFunction:
    """Build ``number_subsets(mask, counting, scratch) -> subsets``: the numbers of a hand's subsets.

    Those of more than ``largest`` cards get the number 0.
    """

    @inlined_helper
    def number_subsets(mask: int, counting: Counting, scratch: Scratch) -> int:
        count = _list_places(mask, scratch.places, scratch.of_card)
        scratch.numbers[0] = 0
        for card in range(count):
            place = scratch.places[card]
            for subset in range(1 << card):
                size, number = popcount(subset), 0
                if size < largest:
                    number = scratch.numbers[subset] + counting.set_steps[place, size]
                scratch.numbers[subset | 1 << card] = number
        return 1 << count

    return number_subsets


def _build_enter(hidden: int, largest: int) -> RuleFunction:
    """Build ``enter(mask, step, counting, scratch)``: add a hand of the dealer's to the table of small sets."""
    number_subsets = _build_number_subsets(largest)

    @inlined_helper
    def enter(mask: int, step: int, counting: Counting, scratch: Scratch) -> None:
        number_subsets(mask, counting, scratch)
        for subset in range(1 << hidden):
            if popcount(subset) <= largest:
                scratch.table[scratch.numbers[subset]] += step

    return enter


def _build_enter_cuts(hidden: int, largest: int) -> RuleFunction:
    """Build ``enter_cuts(theirs, counting, scratch)``: count the hands below each cut in its lane, for the board."""
    enter = _build_enter(hidden, largest)

    @inlined_helper
    def enter_cuts(theirs: int, counting: Counting, scratch: Scratch) -> None:
        hands, cuts = scratch.theirs, len(counting.cuts)
        for place in range(theirs if cuts else 0):
            index = hands.order[place]
            if hands.ranks[index] >= counting.cuts[cuts - 1]:
                break
            step = 0
            for cut in range(cuts):
                if hands.ranks[index] < counting.cuts[cut]:
                    step += 1 << (2 + cut) * counting.width
            enter(hands.masks[index], step, counting, scratch)

    return enter_cuts


def _build_ask(own: int, largest: int) -> RuleFunction:
    """Build ``ask(mask, counting, scratch)``: write the lanes of a hand of the player's, by inclusion and exclusion."""
    number_subsets = _build_number_subsets(largest)

    @inlined_helper
    def ask(mask: int, counting: Counting, scratch: Scratch) -> None:
        number_subsets(mask, counting, scratch)
        packed = 0
        for subset in range(1 << own):
            size = popcount(subset)
            if size <= largest:
                held = scratch.table[scratch.numbers[subset]]
                packed += -held if size & 1 else held
        for lane in range(len(scratch.lanes) - BELOW):
            scratch.lanes[BELOW + lane] = packed >> lane * counting.width & (1 << counting.width) - 1

    return ask


@inlined_helper
def _choose_ending(tree: Tree, node: int, hand_class: int, lanes: IntArray) -> tuple[int, int]:
    """Return the best ending of a node whose actions all end the play, and 1 if another is as good."""
    best, chosen, ties = 0, -1, 0
    for action in range(tree.children.shape[1]):
        ending = tree.children[node, action]
        if ending >= 0:
            value = 0
            for lane in range(len(lanes)):
                value += tree.worth[ending, hand_class, lane] * lanes[lane]
            if chosen < 0 or value > best:
                best, chosen, ties = value, ending, 0
            elif value == best:
                ties = 1
    return chosen, ties


@inlined_helper
def _add_hand(
    board: Board, tree: Tree, sums: Sums, counting: Counting, mask: int, hand_class: int, lanes: IntArray, weight: int
) -> None:
    """Add the lanes of a hand to the sums of the stages before, and decide where all public cards are known."""
    hand = number_set(mask, counting.hand_steps) if len(sums.shared) else 0
    for stage in range(board.leaf_stage):
        if tree.early[stage]:
            scale = weight if stage < board.root_stage else 1
            for lane in range(len(lanes)):
                sums.shared[stage, hand, hand_class, lane] += scale * lanes[lane]
    for node in range(len(tree.stages)):
        if tree.stages[node] == board.leaf_stage:
            chosen, ties = _choose_ending(tree, node, hand_class, lanes)
            sums.equal[node] += ties
            scale = weight if node == 0 or tree.stages[tree.parents[node]] < board.root_stage else 1
            for lane in range(len(lanes)):
                if node == 0:
                    sums.final[chosen, hand_class, lane] += scale * lanes[lane]
                else:
                    sums.chosen[node, hand, chosen, hand_class, lane] += scale * lanes[lane]


def _build_count_board(showdown: Showdown, state_type: Callable[..., Any], fields: int, own: int, hidden: int) -> Any:
    """Build ``count_board(...)``: all private hands of one board, whose cards are ``held``."""
    largest = min(own, hidden)
    rank_mine = _build_rank_hands(showdown.mine, state_type, fields, own)
    rank_theirs = _build_rank_hands(showdown.theirs, state_type, fields, hidden)
    enter, enter_cuts, ask = _build_enter(hidden, largest), _build_enter_cuts(hidden, largest), _build_ask(own, largest)

    @kernel_helper
    def count_board(
        tables: Any,
        options: Any,
        board: Board,
        tree: Tree,
        sums: Sums,
        counting: Counting,
        scratch: Scratch,
        held: IntArray,
        left: int,
        weight: int,
    ) -> None:
        for field in range(fields):
            scratch.fields[field] = board.fields[field]
            for group in range(len(held)):
                scratch.fields[field] |= held[group] if board.public[group, field] else 0
        free = _number_cards(left, scratch.of_card)
        mine = rank_mine(tables, options, board.own, left, scratch, scratch.mine)
        theirs = rank_theirs(tables, options, board.hidden, left, scratch, scratch.theirs)
        for number in range(counting.sets):
            scratch.table[number] = 0
        enter_cuts(theirs, counting, scratch)
        scratch.lanes[TOTAL] = _count_sets(free - own, hidden)
        entered, weaker, hand_class, last = 0, 0, 0, -1
        ranks, order, masks = scratch.theirs.ranks, scratch.theirs.order, scratch.theirs.masks
        for place in range(mine):
            index = scratch.mine.order[place]
            rank = scratch.mine.ranks[index]
            if rank != last:
                last = rank
                while hand_class < len(counting.starts) and rank >= counting.starts[hand_class]:
                    hand_class += 1
                # Hands that were equal to the player's last hand, and those passed over, are weaker than this one.
                while weaker < theirs and ranks[order[weaker]] < rank:
                    enter(masks[order[weaker]], 1 - ((weaker < entered) << counting.width), counting, scratch)
                    weaker += 1
                entered = max(entered, weaker)
                while entered < theirs and ranks[order[entered]] == rank:
                    enter(masks[order[entered]], 1 << counting.width, counting, scratch)
                    entered += 1
            ask(scratch.mine.masks[index], counting, scratch)
            _add_hand(board, tree, sums, counting, scratch.mine.masks[index], hand_class, scratch.lanes, weight)

    return count_board


@inlined_helper
def _number_cards(cards: int, of_card: IntArray) -> int:
    """Write the position of each card of a set among its cards, and return their number."""
    count = 0
    while cards:
        of_card[popcount((cards & -cards) - 1)] = count
        count += 1
        cards &= cards - 1
    return count


@inlined_helper
def _count_sets(cards: int, size: int) -> int:
    """Return the number of sets of ``size`` of so many cards."""
    sets = 1
    for card in range(size):
        sets = sets * (cards - card) // (card + 1)
    return sets


@inlined_helper
def _value_child(tree: Tree, sums: Sums, stage: int, child: int, hand: int) -> int:
    """Return the value of an ending, or of what was chosen at a later node, over the boards of a position."""
    value = 0
    for each in range(sums.final.shape[1]):
        for lane in range(sums.final.shape[2]):
            if child < tree.endings:
                value += tree.worth[child, each, lane] * sums.shared[stage, hand, each, lane]
            else:
                for ending in range(tree.endings):
                    chosen = sums.chosen[child - tree.endings, hand, ending, each, lane]
                    value += tree.worth[ending, each, lane] * chosen
    return value


@inlined_helper
def _add_child(tree: Tree, sums: Sums, stage: int, node: int, child: int, hand: int, scale: int) -> None:
    """Add what a child has summed up to its node's own choice, at the root to the result."""
    for ending in range(tree.endings):
        for each in range(sums.final.shape[1]):
            for lane in range(sums.final.shape[2]):
                added = 0
                if child >= tree.endings:
                    added = sums.chosen[child - tree.endings, hand, ending, each, lane]
                elif child == ending:
                    added = sums.shared[stage, hand, each, lane]
                if node == 0:
                    sums.final[ending, each, lane] += scale * added
                else:
                    sums.chosen[node, hand, ending, each, lane] += scale * added


@kernel_helper
def _decide_stage(
    board: Board, tree: Tree, sums: Sums, hand_masks: IntArray, stage: int, known: int, weight: int
) -> None:
    """Choose at every node of a stage and for every hand, add up what was chosen, and clear the stage's sums."""
    for node in range(len(tree.stages)):
        if tree.stages[node] == stage:
            for hand in range(len(hand_masks)):
                if hand_masks[hand] & known == 0:
                    best, chosen, ties = 0, -1, 0
                    for action in range(tree.children.shape[1]):
                        child = tree.children[node, action]
                        if child >= 0:
                            value = _value_child(tree, sums, stage, child, hand)
                            if chosen < 0 or value > best:
                                best, chosen, ties = value, child, 0
                            elif value == best:
                                ties = 1
                    sums.equal[node] += ties
                    scale = weight if node == 0 or tree.stages[tree.parents[node]] < board.root_stage else 1
                    _add_child(tree, sums, stage, node, chosen, hand, scale)
    for node in range(1, len(tree.stages)):
        if tree.stages[tree.parents[node]] == stage:
            for hand in range(len(hand_masks)):
                for ending in range(tree.endings):
                    for each in range(sums.final.shape[1]):
                        for lane in range(sums.final.shape[2]):
                            sums.chosen[node, hand, ending, each, lane] = 0
    if tree.early[stage]:
        for hand in range(len(hand_masks)):
            for each in range(sums.final.shape[1]):
                for lane in range(sums.final.shape[2]):
                    sums.shared[stage, hand, each, lane] = 0


@inlined_helper
def _fill_later(board: Board, held: IntArray, start: int, left: int) -> int:
    """Give the groups from ``start`` on the lowest cards of ``left``; return what is left then."""
    for group in range(start, len(held)):
        held[group] = first_subset(left, board.sizes[group])
        left ^= held[group]
    return left


@inlined_helper
def _find_moving(board: Board, held: IntArray, free: int) -> int:
    """Return the last group that can have other cards, the one before all that are enumerated if none can."""
    group = len(held) - 1
    while group >= board.root_groups:
        room = free
        for before in range(board.root_groups, group):
            room ^= held[before]
        if next_subset(room, held[group]):
            break
        group -= 1
    return group


def build_census_kernel(showdown: Showdown, state_type: Callable[..., Any], fields: int, own: int, hidden: int) -> Any:
    """Compile the census of the boards under some roots.

    ``count_roots(tables, options, board, tree, sums, counting, scratch, hand_masks, roots, weights) -> boards`` adds to
    ``sums``.  ``fields`` is the number of fields of a state, ``own`` and ``hidden`` are how many private cards the
    player and the dealer have.
    """
    count_board = _build_count_board(showdown, state_type, fields, own, hidden)

    @no_alloc_kernel
    def count_roots(
        tables: Any,
        options: Any,
        board: Board,
        tree: Tree,
        sums: Sums,
        counting: Counting,
        scratch: Scratch,
        hand_masks: IntArray,
        held: IntArray,
        roots: IntArray,
        weights: IntArray,
    ) -> int:
        boards = 0
        for root in range(len(roots)):
            free = board.cards
            for group in range(board.root_groups):
                held[group] = roots[root, group]
                free ^= held[group]
            left = _fill_later(board, held, board.root_groups, free)
            while True:
                boards += 1
                count_board(tables, options, board, tree, sums, counting, scratch, held, left, weights[root])
                # Stages whose boards are all counted are decided, the last first, before the next board comes.
                moving = _find_moving(board, held, free)
                done_from = board.stages[moving] if moving >= board.root_groups else board.root_stage
                for back in range(board.leaf_stage - done_from):
                    stage, known = board.leaf_stage - 1 - back, 0
                    for group in range(len(held)):
                        known |= held[group] if board.stages[group] <= stage else 0
                    _decide_stage(board, tree, sums, hand_masks, stage, known, weights[root])
                if moving < board.root_groups:
                    break
                room = free
                for before in range(board.root_groups, moving):
                    room ^= held[before]
                held[moving] = next_subset(room, held[moving])
                left = _fill_later(board, held, moving + 1, room ^ held[moving])
        return boards

    return count_roots


def make_scratch(hands: int, most_hidden: int, own: int, hidden: int, cuts: int, fields: int, sets: int) -> Scratch:
    """Make the arrays that a census needs, for so many hands of either side."""
    sides = (Hands(*(np.zeros(count, np.int64) for _ in range(3))) for count in (hands, most_hidden))
    return Scratch(
        *sides,
        table=np.zeros(sets, np.int64),
        of_card=np.zeros(64, np.int64),
        places=np.zeros(max(own, hidden), np.int64),
        numbers=np.zeros(1 << max(own, hidden), np.int64),
        fields=np.zeros(fields, np.int64),
        lanes=np.zeros(CUTS + cuts, np.int64),
        spare=np.zeros(max(hands, most_hidden), np.int64),
        digits=np.zeros(129, np.int64),
    )
