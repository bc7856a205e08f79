"""Write the best action of every position of a census into a table.

The table (``play_table``) has a position for the least that an exchange of suits makes of what the seat sees.  Public
cards are the same for all hands of a board, so the exchanges are found once for each node of the tree, and each hand is
exchanged and numbered.
"""

from typing import Any, NamedTuple

from pitboss.contract import RuleFunction
from pitboss.engine.play_table import PlayTable, compare_images, find_base, find_least_image
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import number_set


class PlayRecorder(NamedTuple):
    """The table into which the best play is written, and where in it.

    ``shown[decision, field, group]`` marks the public groups that a field of the view shows; ``decision`` and ``paths``
    are the decision of each node, and the number of the actions before it.  For each node's public cards ``bases`` is
    the entry of the first hand, and ``kept`` has the first ``kept_counts`` exchanges that make the least of them.
    ``seen`` is for them.
    """

    play: PlayTable
    shown: IntArray
    decision: IntArray
    paths: IntArray
    seen: IntArray
    bases: IntArray
    kept: IntArray
    kept_counts: IntArray


def build_record_callbacks(*, records: bool) -> tuple[RuleFunction, RuleFunction]:
    """Build the callbacks that write the best action of each position.

    ``find_entries(work, node)``, ``record_action(work, node, hand, action)``

    The first is for the public cards that ``workspace.held`` has now.  Without ``records`` both do nothing.
    """

    @inlined_helper
    def find_no_entries(_work: Any, _node: int) -> None:
        pass

    @inlined_helper
    def record_no_action(_work: Any, _node: int, _hand: int, _action: int) -> None:
        pass

    @kernel_helper
    def find_entries(work: Any, node: int) -> None:
        record, held = work.record, work.workspace.held
        play, decision = record.play, record.decision[node]
        for field in range(len(record.seen)):
            record.seen[field] = 0
            for group in range(len(held)):
                record.seen[field] |= held[group] if record.shown[decision, field, group] else 0
        least = find_least_image(record.seen, play)
        record.bases[node] = find_base(record.seen, least, decision, record.paths[node], play)
        count = 0
        for each in range(len(play.exchanges)):
            if compare_images(record.seen, each, least, play) == 0:
                record.kept[node, count] = each
                count += 1
        record.kept_counts[node] = count

    @inlined_helper
    def record_action(work: Any, node: int, hand: int, action: int) -> None:
        record = work.record
        play = record.play
        for each in range(record.kept_counts[node]):
            own = exchange_cards(hand, play.exchanges[record.kept[node, each]])
            play.actions[record.bases[node] + number_set(own, play.steps)] = action

    return (find_entries, record_action) if records else (find_no_entries, record_no_action)
