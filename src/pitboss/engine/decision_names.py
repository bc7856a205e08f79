"""Name the decisions of a showdown: a decision's name is what was done before it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pitboss.engine.paths import ActionPath
from pitboss.engine.showdown import ShowdownShape
from pitboss.engine.showdown_outcomes import Ending


def list_action_paths(shape: ShowdownShape) -> tuple[ActionPath, ...] | None:
    """Return the actions before the decision of each node.

    Return None if some node is more than one decision.
    """
    raw = list_children(shape.endings)
    names = list_nodes(raw, find_levels(shape, raw))
    return tuple(names) if len(names) == len(raw) else None


def find_levels(shape: ShowdownShape, raw: Iterable[ActionPath]) -> dict[ActionPath, int]:
    """Return the level of each decision."""
    stages = [stage for stage, groups in enumerate(shape.public) if groups]
    return {name: sum(stage <= len(name) for stage in stages) if stages else 1 for name in raw}


def list_nodes(
    raw: Mapping[ActionPath, Mapping[int, int | ActionPath]], levels: Mapping[ActionPath, int]
) -> list[ActionPath]:
    """Return the decisions that are nodes.

    They are the root, and those before which public cards come.
    """
    root = next(iter(raw))
    return [name for name in raw if name == root or levels[find_parent(raw, name)] < levels[name]]


def list_children(endings: Sequence[Ending]) -> dict[ActionPath, dict[int, int | ActionPath]]:
    """Return for each decision what follows each action.

    That is the number of an ending, or another decision.  A decision's name is what was done before it; the root
    is the first of them.
    """
    children: dict[ActionPath, dict[int, int | ActionPath]] = {}
    for index, ending in enumerate(endings):
        steps = [step for step, action in enumerate(ending.actions) if action is not None]
        names = [ending.actions[:step] for step in steps]
        for name, following in pairwise(names):
            children.setdefault(name, {})[_take(ending, name)] = following
        children.setdefault(names[-1], {})[_take(ending, names[-1])] = index
    return children


def _take(ending: Ending, name: ActionPath) -> int:
    """Return the action that an ending takes at a decision on its path."""
    return ending.actions[len(name)] or 0


def find_parent(children: Mapping[ActionPath, Mapping[int, int | ActionPath]], name: ActionPath) -> ActionPath:
    """Return the decision before another."""
    return next(parent for parent, after in children.items() if name in after.values())
