"""Count all private hands of one board of a showdown census.

On a board (all public cards known) the player's and the dealer's hands are sorted by strength.  Walking up the player's
hands, the dealer's hands of one strength enter the table of small sets (``census_sets``) as equal, are asked for, and
then count as weaker.  What is asked for comes packed in one integer as *lanes*::

    bits  .. 2 width   width ..   0
          below cuts   equal      weaker

Sums of packed lanes are exact although partial sums borrow from one lane to the next, because the last sums fit.
"""

from collections.abc import Callable
from typing import Any

from pitboss.contract import RuleFunction, Showdown
from pitboss.engine.census_callbacks import CensusCallbacks
from pitboss.engine.census_hands import INDEX_MASK, KEY_SHIFT, build_count_alike, build_rank_hands, find_row
from pitboss.engine.census_sets import build_add_dealer_hand, build_count_lanes
from pitboss.engine.census_types import BELOW, CUTS, TOTAL, CensusArrays, CountingTables, KernelShape, PrivateHands
from pitboss.kernels.compile import inlined_helper, kernel_helper


@inlined_helper
def _get_lane(packed: int, lane: int, counting: CountingTables) -> int:
    if lane == TOTAL:
        return counting.total
    return packed >> (lane - BELOW) * counting.width & counting.lane


def _build_choose_ending(lanes: int) -> tuple[RuleFunction, RuleFunction]:
    """Build the functions that value endings and choose the best of a node's.

    ``value_ending(work, ending, hand_class, packed)`` is what the packed lanes net in an ending.
    ``choose_ending(work, node, hand_class, packed) -> (choice, value, ties)`` is the best choice of a node whose
    choices all end the play, its value, and 1 if another action is as good.
    """

    @inlined_helper
    def value_ending(work: CensusArrays, ending: int, hand_class: int, packed: int) -> int:
        value = 0
        for lane in range(lanes):
            value += work.tree.worth[ending, hand_class, lane] * _get_lane(packed, lane, work.counting)
        return value

    @inlined_helper
    def choose_ending(work: CensusArrays, node: int, hand_class: int, packed: int) -> tuple[int, int, int]:
        tree = work.tree
        best, chosen, ties = 0, -1, 0
        for choice in range(tree.children.shape[1]):
            ending = tree.children[node, choice]
            if ending >= 0:
                value = value_ending(work, ending, hand_class, packed)
                if chosen < 0 or value > best:
                    best, chosen, ties = value, choice, 0
                elif value == best and tree.first_actions[node, choice] != tree.first_actions[node, chosen]:
                    ties = 1
        return chosen, best, ties

    return value_ending, choose_ending


def _build_choose(form: KernelShape, callbacks: CensusCallbacks) -> RuleFunction:
    """Build the function that decides at a node of the leaf.

    ``choose(work, node, index, hand_class, packed, weight) -> (ending, ties)`` also calls the callbacks.  The hand
    stands for ``weight`` like it.
    """
    value_ending, choose_ending = _build_choose_ending(form.lanes)
    pick, find_other, note = callbacks.follow
    record_action = callbacks.record_action

    @inlined_helper
    def choose(work: CensusArrays, node: int, index: int, hand_class: int, packed: int, weight: int) -> tuple[int, int]:
        hand, tree = work.mine.masks[index], work.tree
        best, value, ties = choose_ending(work, node, hand_class, packed)
        record_action(work, node, hand, tree.first_actions[node, best])
        other = find_other(work, node, hand, best)
        if other != best:
            cost = value - value_ending(work, tree.children[node, other], hand_class, packed)
            if cost > 0:
                note(work, node, hand, best, other, weight * cost, weight * work.counting.total)
        return tree.children[node, pick(work, node, hand, best)], ties

    return choose


def _build_add_hand(form: KernelShape, callbacks: CensusCallbacks) -> RuleFunction:
    """Build the function that decides for a hand and adds its lanes to the sums.

    ``add_hand(work, index, hand_class, packed, alike)``: where the only decision comes with all public cards known, the
    hand adds to the result, as often as there are hands ``alike``. Otherwise it adds to the sums of each node of the
    leaf, and to those of the last early level unless they follow from a node's (``DecisionTree.source``).
    """
    lanes, choose = form.lanes, _build_choose(form, callbacks)

    @inlined_helper
    def add_to_final(work: CensusArrays, index: int, hand_class: int, packed: int, alike: int) -> None:
        weight = alike * work.workspace.scales[len(work.workspace.held), 0]
        ending, ties = choose(work, 0, index, hand_class, packed, weight)
        work.sums.equal[0] += ties
        for lane in range(lanes):
            work.sums.final[ending, hand_class, lane] += weight * _get_lane(packed, lane, work.counting)

    @inlined_helper
    def add_to_hand(work: CensusArrays, index: int, hand_class: int, packed: int, _alike: int) -> None:
        tree, rows, sums, scales = work.tree, work.rows, work.sums, work.workspace.scales
        groups = len(work.workspace.held)
        for node in range(1, len(tree.levels)):
            if tree.levels[node] == work.boards.leaf:
                ending, _ = choose(work, node, index, hand_class, packed, scales[groups, 0])
                scale = scales[groups, tree.above[node]]
                row = rows.nodes[node] + find_row(work, tree.above[node], index)
                for lane in range(lanes):
                    added = scale * _get_lane(packed, lane, work.counting)
                    sums.chosen[row, ending, hand_class, lane] += added
        if tree.source < 0 and tree.last_early >= 0:
            scale = scales[groups, tree.last_early]
            row = rows.levels[tree.last_early] + find_row(work, tree.last_early, index)
            for lane in range(lanes):
                added = scale * _get_lane(packed, lane, work.counting)
                sums.shared[row, hand_class, lane] += added

    return add_to_final if form.direct else add_to_hand


def _build_add_below_cuts(add_dealer_hand: RuleFunction) -> RuleFunction:
    """Build the function that counts the dealer's hands below each cut.

    ``add_below_cuts(work, theirs)`` adds them to the lane of the cut.
    """

    @inlined_helper
    def add_below_cuts(work: CensusArrays, theirs: int) -> None:
        counting, cuts = work.counting, len(work.counting.cuts)
        for place in range(theirs if cuts else 0):
            key = work.theirs.keys[place]
            if key >> KEY_SHIFT >= counting.cuts[cuts - 1]:
                break
            step = 0
            for cut in range(cuts):
                if key >> KEY_SHIFT < counting.cuts[cut]:
                    step += 1 << (CUTS - BELOW + cut) * counting.width
            add_dealer_hand(work, key & INDEX_MASK, step)

    return add_below_cuts


def _build_sweep(form: KernelShape, callbacks: CensusCallbacks) -> RuleFunction:
    """Build the sweep over all private hands of a board, in order of strength.

    ``sweep(work, mine, theirs, known)``: ``mine`` and ``theirs`` are the numbers of their keys, ``known`` the cards of
    the board.
    """
    largest = min(form.own, form.hidden)
    add_dealer_hand = build_add_dealer_hand(form.hidden, largest, listed=form.listed)
    add_below_cuts, count_lanes = (
        _build_add_below_cuts(add_dealer_hand),
        build_count_lanes(form.own, largest, listed=form.numbered),
    )
    add_hand, find_side, splits = _build_add_hand(form, callbacks), callbacks.find_side, form.sides
    count_alike = build_count_alike(form)

    @inlined_helper
    def sweep(work: CensusArrays, mine: int, theirs: int, known: int) -> None:
        counting, my_keys, their_keys = work.counting, work.mine.keys, work.theirs.keys
        for number in range(counting.sets):
            work.workspace.table[number] = 0
        add_below_cuts(work, theirs)
        entered, weaker, hand_class, last = 0, 0, 0, -1
        for place in range(mine):
            index, strength = my_keys[place] & INDEX_MASK, my_keys[place] >> KEY_SHIFT
            alike = count_alike(work, index, known)
            if alike == 0:
                continue
            if strength != last:
                last = strength
                while hand_class < len(counting.starts) and strength >= counting.starts[hand_class]:
                    hand_class += 1
                # Hands that were equal to the player's last hand, and those passed over, are weaker than this one.
                while weaker < theirs and their_keys[weaker] >> KEY_SHIFT < strength:
                    add_dealer_hand(work, their_keys[weaker] & INDEX_MASK, 1 - ((weaker < entered) << counting.width))
                    weaker += 1
                entered = max(entered, weaker)
                while entered < theirs and their_keys[entered] >> KEY_SHIFT == strength:
                    add_dealer_hand(work, their_keys[entered] & INDEX_MASK, 1 << counting.width)
                    entered += 1
            cell = hand_class * splits + find_side(work, work.mine.masks[index])
            add_hand(work, index, cell, count_lanes(work, index), alike)

    return sweep


def build_count_board(
    showdown: Showdown, state_type: Callable[..., Any], form: KernelShape, callbacks: CensusCallbacks
) -> RuleFunction:
    """Build the function that counts all private hands of one board.

    ``count_board(work, listed, their_listed, known) -> counted`` counts all private hands of the board in
    ``workspace.held``, whose cards are ``known``: of the first ``listed`` and ``their_listed`` hands those that the
    board allows.  It returns False if a strength is not 0 to 2**31 - 1.
    """
    rank_mine = build_rank_hands(showdown.mine, state_type, form.fields, form.own_fields)
    rank_theirs = build_rank_hands(showdown.theirs, state_type, form.fields, form.hidden_fields)
    sweep, fields, alike = _build_sweep(form, callbacks), form.fields, form.alike
    find_entries = callbacks.find_entries

    @inlined_helper
    def rank_alike(work: CensusArrays, _listed: int, _known: int, mine: int) -> int:
        for place in range(mine):
            work.theirs.keys[place] = work.mine.keys[place]
        return mine

    @inlined_helper
    def rank_others(work: CensusArrays, listed: int, known: int, _mine: int) -> int:
        count: int = rank_theirs(work, work.theirs, listed, known)
        return count

    @inlined_helper
    def keep_sorted(_work: CensusArrays, _hands: PrivateHands, listed: int, _known: int) -> int:
        return listed

    rank_dealer = rank_alike if alike else rank_others
    rank_player = keep_sorted if form.sorted_once else rank_mine

    @kernel_helper
    def count_board(work: CensusArrays, listed: int, their_listed: int, known: int) -> bool:
        boards, workspace = work.boards, work.workspace
        for field in range(fields):
            workspace.fields[field] = boards.base[field]
            for group in range(len(workspace.held)):
                workspace.fields[field] |= workspace.held[group] if boards.public[group, field] else 0
        for node in range(len(work.tree.levels)):
            if work.tree.levels[node] == boards.leaf:
                find_entries(work, node)
        mine = rank_player(work, work.mine, listed, known)
        theirs = rank_dealer(work, their_listed, known, mine)
        if mine < 0 or theirs < 0:
            return False
        sweep(work, mine, theirs, known)
        return True

    return count_board
