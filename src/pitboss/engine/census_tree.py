"""Build the tree of decisions of a showdown census, and what its lanes are worth."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.engine.census_types import BELOW, CUTS, EQUAL, TOTAL, DecisionTree, IntArray
from pitboss.engine.decision_names import find_levels, find_parent, list_children, list_nodes
from pitboss.engine.paths import ActionPath
from pitboss.engine.rule_errors import make_unknown_outcome_error
from pitboss.engine.showdown import ShowdownShape

Effects = tuple[tuple[tuple[tuple[tuple[int, int], ...], ...], ...], ...]
"""``effects[ending][class][lane]`` are the outcomes that the lane's hands add to, with a factor of 1 or -1."""


def list_effects(shape: ShowdownShape) -> Effects:
    """Return what the lanes add to the outcomes."""
    return tuple(
        tuple(_list_effects(shape, ending, each) for each in range(len(shape.cuts) + 1))
        for ending in range(len(shape.endings))
    )


def _list_effects(shape: ShowdownShape, ending: int, own_class: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each lane the outcomes that its hands change.

    They are added to an outcome (1) or taken from it (-1).

    The dealer's classes below the player's strength hold the hands between two cuts; the class of the player's own
    strength is split into the weaker, the equal and the stronger hands.
    """
    table = shape.outcomes[ending][own_class]
    lanes: list[list[tuple[int, int]]] = [[] for _ in range(CUTS + len(shape.dealer_cuts))]
    first = -1 if own_class == 0 else shape.cuts[own_class - 1]
    at = sum(cut <= first for cut in shape.dealer_cuts)
    for dealers in range(len(shape.dealer_cuts) + 1):
        low = CUTS + dealers - 1 if dealers else -1  # the lane of the hands below this class; -1: there are none
        high = CUTS + dealers if dealers < len(shape.dealer_cuts) else TOTAL
        below, equal, above = table[dealers]
        parts = [(below, high, 1), (below, low, -1)]
        if dealers == at:
            parts = [(below, BELOW, 1), (below, low, -1), (equal, EQUAL, 1)]
            parts += [(above, high, 1), (above, BELOW, -1), (above, EQUAL, -1)]
        for outcome, lane, sign in parts:
            if lane >= 0:
                lanes[lane].append((outcome, sign))
    return tuple(tuple(lane) for lane in lanes)


def build_tree(shape: ShowdownShape, nets: Sequence[int], effects: Effects) -> DecisionTree:
    """Build the tree of decisions from the paths.

    Decisions between which no public card comes are one: it chooses among all that can follow.
    """
    stages = [stage for stage, groups in enumerate(shape.public) if groups]
    leaf = max(1, len(stages))
    raw = list_children(shape.endings)
    raw_levels = find_levels(shape, raw)
    root = next(iter(raw))
    before = {name: 0 if name == root else raw_levels[find_parent(raw, name)] for name in raw}
    names = list_nodes(raw, raw_levels)
    endings = len(shape.endings)
    choices = [list(_iter_choices(raw, raw_levels, name)) for name in names]
    children = np.full((len(names), max(map(len, choices))), -1, np.int64)
    first_actions, reaches = np.zeros_like(children), np.zeros((len(names), endings), np.int64)
    for node, name in enumerate(names):
        for choice, (action, child) in enumerate(choices[node]):
            children[node, choice] = child if isinstance(child, int) else endings + names.index(child)
            first_actions[node, choice] = action
        reaches[node] = [ending.actions[: len(name)] == name for ending in shape.endings]
    levels = [raw_levels[name] for name in names]
    above = [before[name] for name in names]
    early = [
        any(
            levels[node] == level and ((children[node] >= 0) & (children[node] < endings)).any()
            for node in range(len(names))
        )
        for level in range(leaf)
    ]
    earlier = [max((other for other in range(level) if early[other]), default=-1) for level in range(leaf)]
    last_early = max((level for level in range(leaf) if early[level]), default=-1)
    # What comes before all public cards is decided elsewhere: sums of level 0 must be there in any case.
    sources = [node for node in range(1, len(names)) if levels[node] == leaf and 0 < above[node] == last_early]
    return DecisionTree(
        levels=np.array(levels, np.int64),
        above=np.array(above, np.int64),
        children=children,
        first_actions=first_actions,
        reaches=reaches,
        endings=endings,
        worth=value_lanes(nets, effects),
        early=np.array(early, np.int64),
        last_early=last_early,
        earlier=np.array(earlier, np.int64),
        source=sources[0] if sources else -1,
    )


def value_lanes(nets: Sequence[int], effects: Effects) -> IntArray:
    """Return what a lane's hands add to the value, by ending, class and lane."""
    # An outcome that main does not have is worth most: it is chosen if any deal has it, and then refused.
    paid = dict(enumerate(nets))
    worth = [
        [[sum(paid.get(outcome, max(nets) + 1) * sign for outcome, sign in lane) for lane in each] for each in ending]
        for ending in effects
    ]
    return np.array(worth, np.int64)


def count_effects(game: Game, effects: Effects, final: Any) -> list[int]:
    """Return the deals of each outcome of main.

    ``final`` has the sums of lanes by ending and class.

    Raises:
        PitbossError: some deals have an outcome that main does not have.
    """
    counts, outcomes = Counter[int](), range(len(game.main.outcomes))
    for ending, classes in zip(final, effects, strict=True):
        for cells, lanes in zip(ending, classes, strict=True):
            for lane, changed in zip(cells, lanes, strict=True):
                for outcome, sign in changed:
                    counts[outcome] += sign * int(lane)
    if any(deals and outcome not in outcomes for outcome, deals in counts.items()):
        raise make_unknown_outcome_error(game, 0, "the outcome of its showdown")
    return [counts[outcome] for outcome in outcomes]


def _iter_choices(
    children: dict[ActionPath, dict[int, int | ActionPath]], levels: dict[ActionPath, int], name: ActionPath
) -> Iterator[tuple[int, int | ActionPath]]:
    """Yield every ending or later decision that can be chosen with what is known.

    Each comes with the first action towards it.
    """
    for action, child in sorted(children[name].items()):
        if isinstance(child, int) or levels[child] > levels[name]:
            yield action, child
        else:
            yield from ((action, after) for _, after in _iter_choices(children, levels, child))
