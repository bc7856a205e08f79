"""List the mistakes of a strategy."""

from collections.abc import Iterable, Iterator

from pitboss.builders import display_name
from pitboss.contract import Game
from pitboss.engine.walk_state import CATEGORY_SHIFT
from pitboss.hands import get_category_name
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Mistake

MistakeRow = tuple[int, int, int, int, int, int]
"""The decision, the action taken, the best one, the category of the hand, the deals and the cost."""


def iter_rows(mistakes: IntArray) -> Iterator[MistakeRow]:
    """Yield the counters that are not 0.

    ``mistakes[decision, taken, best, category]`` has deals and cost.
    """
    for decision, taken, best, category in zip(*mistakes[..., 0].nonzero(), strict=True):
        deals, cost = mistakes[decision, taken, best, category]
        yield int(decision), int(taken), int(best), int(category), int(deals), int(cost)


def list_mistakes(game: Game, rows: Iterable[MistakeRow]) -> tuple[Mistake, ...]:
    """List the mistakes of a strategy, the costliest first."""
    mistakes = []
    for decision, taken, best, category, deals, cost in rows:
        actions = game.decisions[decision].actions
        hand = _describe_position(game, decision, category)
        mistakes.append(Mistake(actions[taken].id, actions[best].id, hand, deals, cost))
    return tuple(sorted(mistakes, key=lambda mistake: (-mistake.cost, mistake.taken, mistake.hand)))


def _describe_position(game: Game, decision: int, category: int) -> str:
    """Describe a kind of position by its hand.

    The decision is named too where another one has the same actions.
    """
    hand = get_category_name(category << CATEGORY_SHIFT).replace("-", " ") if category else ""
    alike = [each for each in game.decisions if each.actions == game.decisions[decision].actions]
    return ", ".join(filter(None, (hand, display_name(game.decisions[decision].id) if len(alike) > 1 else "")))
