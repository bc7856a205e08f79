"""Compile the showdown census: all private hands at once, board by board.

The public cards of the root are given up to exchanges of suits.  Those of later groups are enumerated up to the
exchanges that leave the earlier ones unchanged: an odometer whose wheels are the groups.  Each board is counted
(``census_board``); when a wheel has gone round, the positions before it are decided (``census_levels``).
"""

from collections.abc import Callable
from typing import Any

from pitboss.contract import RuleFunction, Showdown
from pitboss.engine.census_board import build_count_board
from pitboss.engine.census_callbacks import CensusCallbacks
from pitboss.engine.census_hands import build_rank_hands, build_sort_hands, count_images, list_hands
from pitboss.engine.census_levels import build_decide_level
from pitboss.engine.census_sets import build_keep_numbers
from pitboss.engine.census_types import CensusArrays, KernelShape
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

BAD_STRENGTH = -1
"""What the kernel returns in the place of a number of boards where a strength is not 0 to 2**31 - 1."""


@kernel_helper
def _hold(work: CensusArrays, group: int, cards: int, images: int) -> None:
    """Give a group its cards, which stand for as many sets of cards as ``images``.

    What is then known follows: the exchanges that are left, the cards of the next group, and the scales.
    """
    boards, workspace = work.boards, work.workspace
    workspace.held[group], after = cards, group + 1
    count = 0
    for each in range(workspace.kept_counts[group]):
        exchange = workspace.kept[group, each]
        if exchange_cards(cards, boards.exchanges[exchange]) == cards:
            workspace.kept[after, count] = exchange
            count += 1
    workspace.kept_counts[after] = count
    if after < len(workspace.held):
        workspace.room[after] = workspace.room[group] ^ cards
        workspace.held[after] = 0
    for level in range(boards.leaf + 1):
        workspace.scales[after, level] = workspace.scales[group, level] * (
            images if boards.levels[group] > level else 1
        )


@kernel_helper
def _turn(work: CensusArrays, group: int) -> bool:
    """Give a group its next cards; return False after the last.

    The next cards are the least of their class.
    """
    workspace, size = work.workspace, work.boards.sizes[group]
    cards, room = workspace.held[group], workspace.room[group]
    cards = next_subset(room, cards) if cards else first_subset(room, size)
    while cards:
        images = count_images(cards, work, group)
        if images:
            _hold(work, group, cards, images)
            return True
        cards = next_subset(room, cards)
    return False


@kernel_helper
def _begin(work: CensusArrays, root: IntArray, weight: int) -> int:
    """Give the root's groups their cards, and return them all."""
    boards, workspace, known = work.boards, work.workspace, 0
    for each in range(len(boards.exchanges)):
        workspace.kept[0, each] = each
    workspace.kept_counts[0] = len(boards.exchanges)
    for level in range(boards.leaf + 1):
        workspace.scales[0, level] = weight if level == 0 else 1
    if len(workspace.held):
        workspace.room[0] = boards.cards
    for group in range(boards.root_groups):
        _hold(work, group, root[group], 1)
        known |= root[group]
    return known


def _build_count_root(count_board: RuleFunction, decide_level: RuleFunction, *, rooted: bool) -> RuleFunction:
    """Build the function that counts and decides all boards after a root.

    ``count_root(work, listed, their_listed, known) -> boards`` counts and decides all boards after a root, whose cards
    are ``known``: the root alone if it is ``rooted``.
    """

    @kernel_helper
    def count_alone(work: CensusArrays, listed: int, their_listed: int, known: int) -> int:
        return 1 if count_board(work, listed, their_listed, known) else BAD_STRENGTH

    @kernel_helper
    def count_root(work: CensusArrays, listed: int, their_listed: int, known: int) -> int:
        boards, workspace = work.boards, work.workspace
        counted, last = 0, len(workspace.held) - 1
        group = boards.root_groups
        while group >= boards.root_groups:
            if _turn(work, group):
                if group < last:
                    group += 1
                    continue
                known = boards.cards ^ workspace.room[group] ^ workspace.held[group]
                if not count_board(work, listed, their_listed, known):
                    return BAD_STRENGTH
                counted += 1
            else:
                if boards.levels[group - 1] < boards.levels[group]:
                    decide_level(work, group)
                workspace.held[group] = 0
                group -= 1
        return counted

    return count_alone if rooted else count_root


def build_census_kernel(
    showdown: Showdown, state_type: Callable[..., Any], form: KernelShape, callbacks: CensusCallbacks
) -> Any:
    """Compile the census of the boards under some roots.

    ``count_roots(work, roots, weights) -> boards`` adds to ``work.sums``; it returns ``BAD_STRENGTH`` if a strength is
    not 0 to 2**31 - 1.
    """
    own, hidden, listed, once = form.own, form.hidden, form.listed, form.sorted_once
    by_root, numbered = form.direct and not once, form.numbered
    sort_hands = build_sort_hands(
        build_rank_hands(showdown.mine, state_type, form.fields, form.own_fields), form.fields
    )
    count_board = build_count_board(showdown, state_type, form, callbacks)
    count_root = _build_count_root(count_board, build_decide_level(callbacks), rooted=form.rooted)
    keep_mine, keep_theirs = (build_keep_numbers(cards, min(own, hidden)) for cards in (own, hidden))

    @no_alloc_kernel
    def count_roots(work: CensusArrays, roots: IntArray, weights: IntArray) -> int:
        boards, free, mine = 0, work.boards.cards, 0
        work.workspace.kept_counts[0] = 1  # no exchanges: all hands are listed
        theirs = list_hands(work, work.theirs, free, hidden, 0)
        if listed:
            keep_theirs(work, work.theirs, theirs)
        if not by_root:
            mine = list_hands(work, work.mine, free, own, 0)
        if numbered:
            keep_mine(work, work.mine, mine)
        if once:
            mine = sort_hands(work, work.mine, mine)
            if mine < 0:
                return BAD_STRENGTH
        for root in range(len(roots)):
            known = _begin(work, roots[root], weights[root])
            if by_root:
                mine = list_hands(work, work.mine, free ^ known, own, work.boards.root_groups)
            counted = count_root(work, mine, theirs, known)
            if counted < 0:
                return BAD_STRENGTH
            boards += counted
        return boards

    return count_roots
