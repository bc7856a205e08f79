"""Name the decisions of a showdown: a decision's name is what was done before it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pitboss.engine.paths import History
from pitboss.engine.showdown import ShowdownShape
from pitboss.engine.showdown_outcomes import Ending


def list_histories(shape: ShowdownShape) -> tuple[History, ...] | None:
    """Return the actions before the decision of each node.

    Return None if some node is more than one decision.
    """
    raw = list_children(shape.endings)
    names = list_names(raw, find_levels(shape, raw))
    return tuple(names) if len(names) == len(raw) else None


def find_levels(shape: ShowdownShape, raw: Iterable[History]) -> dict[History, int]:
    """Return the level of each decision."""
    stages = [stage for stage, groups in enumerate(shape.public) if groups]
    return {name: sum(stage <= len(name) for stage in stages) if stages else 1 for name in raw}


def list_names(raw: Mapping[History, Mapping[int, int | History]], levels: Mapping[History, int]) -> list[History]:
    """Return the decisions that are nodes.

    They are the root, and those before which public cards come.
    """
    root = next(iter(raw))
    return [name for name in raw if name == root or levels[find_parent(raw, name)] < levels[name]]


def list_children(endings: Sequence[Ending]) -> dict[History, dict[int, int | History]]:
    """Return for each decision what follows each action.

    That is the number of an ending, or another decision.  A decision's name is what was done before it; the root
    is the first of them.
    """
    children: dict[History, dict[int, int | History]] = {}
    for index, ending in enumerate(endings):
        steps = [step for step, action in enumerate(ending.actions) if action is not None]
        names = [ending.actions[:step] for step in steps]
        for name, following in pairwise(names):
            children.setdefault(name, {})[_take(ending, name)] = following
        children.setdefault(names[-1], {})[_take(ending, names[-1])] = index
    return children


def _take(ending: Ending, name: History) -> int:
    """Return the action that an ending takes at a decision on its path."""
    return ending.actions[len(name)] or 0


def find_parent(children: Mapping[History, Mapping[int, int | History]], name: History) -> History:
    """Return the decision before another."""
    return next(parent for parent, after in children.items() if name in after.values())
