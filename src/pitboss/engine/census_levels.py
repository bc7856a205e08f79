"""Decide the positions of a showdown census before all public cards are known.

When all boards of a position are counted, the sums of every private hand tell what each action is worth.  Hands that
an exchange of suits turns into one another, with the position's cards unchanged, are worth the same; but boards are
enumerated up to the same exchanges.  So only the sums over a whole class of hands are those over all boards, and only
these are decided and passed on, in the place of the class's first hand.
"""

from pitboss.contract import RuleFunction
from pitboss.engine.census_callbacks import CensusCallbacks
from pitboss.engine.census_hands import find_row, find_worth, number_hand
from pitboss.engine.census_types import TOTAL, CensusArrays
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray


@kernel_helper
def _add(target: IntArray, source: IntArray, scale: int) -> None:
    """Add sums to others, by class of strength and lane, ``scale`` times over."""
    for each in range(target.shape[0]):
        for lane in range(target.shape[1]):
            target[each, lane] += scale * source[each, lane]


@kernel_helper
def _clear(sums: IntArray) -> None:
    """Set sums to 0, by class of strength and lane."""
    for each in range(sums.shape[0]):
        for lane in range(sums.shape[1]):
            sums[each, lane] = 0


@kernel_helper
def _find_least(work: CensusArrays, groups: int, known: int) -> None:
    """Find the first hand of each hand's class.

    The exchanges are those that leave the first ``groups`` of public cards unchanged.
    """
    workspace = work.workspace
    for hand in range(len(workspace.least)):
        cards, least = work.mine.masks[hand], hand
        if cards & known == 0:
            for each in range(1, workspace.kept_counts[groups]):
                image = exchange_cards(cards, work.boards.exchanges[workspace.kept[groups, each]])
                # Hands are numbered in the order of their masks.
                if image < work.mine.masks[least]:
                    least = number_hand(image, work)
        workspace.least[hand] = least


@kernel_helper
def _gather_shared(work: CensusArrays, level: int) -> None:
    """Find the sums over all boards where they follow from those of a node.

    Each hand takes one of the node's endings on each board.
    """
    tree, sums = work.tree, work.sums
    if level == tree.last_early and tree.source >= 0:
        chosen, shared = work.rows.nodes[tree.source], work.rows.levels[level]
        for ending in range(tree.endings):
            if tree.reaches[tree.source, ending]:
                for hand in range(len(work.workspace.least)):
                    _add(sums.shared[shared + hand], sums.chosen[chosen + hand, ending], 1)


@kernel_helper
def _join_classes(work: CensusArrays, level: int) -> None:
    """Move the sums of a level, and of the nodes after it, to the first hands."""
    tree, rows, sums, least = work.tree, work.rows, work.sums, work.workspace.least
    shared = rows.levels[level]
    for hand in range(len(least)):
        if least[hand] != hand:
            if tree.early[level]:
                _add(sums.shared[shared + least[hand]], sums.shared[shared + hand], 1)
            for node in range(1, len(tree.levels)):
                if tree.above[node] == level:
                    joined, moved = rows.nodes[node] + least[hand], rows.nodes[node] + hand
                    for ending in range(tree.endings):
                        _add(sums.chosen[joined, ending], sums.chosen[moved, ending], 1)


@kernel_helper
def _value_child(work: CensusArrays, level: int, child: int, hand: int) -> int:
    """Return the value of an ending, or of what was chosen at a later node.

    It is summed over the boards of a position.
    """
    tree, sums, value = work.tree, work.sums, 0
    if child < tree.endings:
        value += find_worth(sums.shared[work.rows.levels[level] + hand], tree.worth[child])
    else:
        node = child - tree.endings
        for ending in range(tree.endings):
            if tree.reaches[node, ending]:
                value += find_worth(sums.chosen[work.rows.nodes[node] + hand, ending], tree.worth[ending])
    return value


@kernel_helper
def _count_deals(work: CensusArrays, level: int, child: int, hand: int) -> int:
    """Return over how many deals ``_value_child`` sums."""
    tree, sums, deals = work.tree, work.sums, 0
    for each in range(sums.final.shape[1]):
        if child < tree.endings:
            deals += sums.shared[work.rows.levels[level] + hand, each, TOTAL]
        else:
            for ending in range(tree.endings):
                if tree.reaches[child - tree.endings, ending]:
                    deals += sums.chosen[work.rows.nodes[child - tree.endings] + hand, ending, each, TOTAL]
    return deals


@kernel_helper
def _add_child(work: CensusArrays, level: int, node: int, child: int, hand: int, scale: int) -> None:
    """Add what a child has summed up to its node's own choice.

    At the root it is added to the result.
    """
    tree, sums = work.tree, work.sums
    row = work.rows.nodes[node] + find_row(work, tree.above[node], hand) if node else 0
    for ending in range(tree.endings):
        if ending == child or (child >= tree.endings and tree.reaches[child - tree.endings, ending]):
            target = sums.chosen[row, ending] if node else sums.final[ending]
            if child < tree.endings:
                _add(target, sums.shared[work.rows.levels[level] + hand], scale)
            else:
                _add(target, sums.chosen[work.rows.nodes[child - tree.endings] + hand, ending], scale)


def _build_decide_node(callbacks: CensusCallbacks) -> RuleFunction:
    """Build the function that decides a node for every hand.

    ``decide_node(work, level, node, known, groups)`` chooses for the first hand of each class, and adds up what was
    chosen.
    """
    find_entries, record_action, (pick, find_other, note), _ = callbacks

    @kernel_helper
    def decide_node(work: CensusArrays, level: int, node: int, known: int, groups: int) -> None:
        tree, sums, least, scales = work.tree, work.sums, work.workspace.least, work.workspace.scales
        find_entries(work, node)
        for hand in range(len(least)):
            if least[hand] == hand and work.mine.masks[hand] & known == 0:
                best, chosen, ties = 0, -1, 0
                for choice in range(tree.children.shape[1]):
                    child = tree.children[node, choice]
                    if child >= 0:
                        value = _value_child(work, level, child, hand)
                        if chosen < 0 or value > best:
                            best, chosen, ties = value, choice, 0
                        elif value == best and tree.first_actions[node, choice] != tree.first_actions[node, chosen]:
                            ties = 1
                if node == 0:
                    sums.equal[0] += ties
                cards = work.mine.masks[hand]
                record_action(work, node, cards, tree.first_actions[node, chosen])
                other = find_other(work, node, cards, chosen)
                if other != chosen:
                    cost = best - _value_child(work, level, tree.children[node, other], hand)
                    if cost > 0:
                        deals = _count_deals(work, level, tree.children[node, other], hand)
                        note(work, node, cards, chosen, other, scales[groups, 0] * cost, scales[groups, 0] * deals)
                child = tree.children[node, pick(work, node, cards, chosen)]
                _add_child(work, level, node, child, hand, scales[groups, tree.above[node]])

    return decide_node


@kernel_helper
def _pass_shared_on(work: CensusArrays, level: int, scale: int) -> None:
    """Add the sums over all boards to those of the early level before.

    Then clear them.
    """
    sums, before = work.sums, work.tree.earlier[level]
    for hand in range(len(work.workspace.least)):
        row = work.rows.levels[level] + hand
        if before >= 0 and work.workspace.least[hand] == hand:
            target = work.rows.levels[before] + find_row(work, before, hand)
            _add(sums.shared[target], sums.shared[row], scale)
        _clear(sums.shared[row])


@kernel_helper
def _clear_later_nodes(work: CensusArrays, level: int) -> None:
    """Clear the sums of the nodes whose parents were decided."""
    tree, sums = work.tree, work.sums
    for node in range(1, len(tree.levels)):
        if tree.above[node] == level:
            for ending in range(tree.endings):
                if tree.reaches[node, ending]:
                    for hand in range(len(work.workspace.least)):
                        _clear(sums.chosen[work.rows.nodes[node] + hand, ending])


def build_decide_level(callbacks: CensusCallbacks) -> RuleFunction:
    """Build the function that decides all nodes of a level.

    ``decide_level(work, groups)`` decides every node of a level for every hand, passes the sums on, and clears them.
    The first ``groups`` of public cards are known there, all boards after them counted.
    """
    decide_node = _build_decide_node(callbacks)

    @kernel_helper
    def decide_level(work: CensusArrays, groups: int) -> None:
        boards, tree, workspace = work.boards, work.tree, work.workspace
        level, known = boards.levels[groups - 1], 0
        for group in range(groups):
            known |= workspace.held[group]
        _find_least(work, groups, known)
        _gather_shared(work, level)
        _join_classes(work, level)
        for node in range(len(tree.levels)):
            if tree.levels[node] == level:
                decide_node(work, level, node, known, groups)
        if tree.early[level]:
            _pass_shared_on(work, level, workspace.scales[groups, max(tree.earlier[level], 0)])
        _clear_later_nodes(work, level)

    return decide_level
