"""What every legal action at a position is worth: computed by the game's own solver, best first."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.analysis.position import Position
from pitboss.analysis.solutions import build_problem, load_solver
from pitboss.cards import FIRST_JOKER, get_rank
from pitboss.contract import Action, Game, PayTable
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.solver_api import ActionValue

_JOKER_RANK = 13


@dataclass(frozen=True, slots=True)
class Hint:
    """An action with the set of cards it gives up, and the whole round's expected net in Antes if it is taken."""

    action: Action
    cards: int
    value: Fraction


def compute_hints(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    position: Position,
    progress: ProgressCallback,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> tuple[Hint, ...]:
    """Return the exact value of every legal action, each choice of cards apart, the best first.

    From there on the play is the best; ``side_stakes`` has the stakes, in Antes, of side wagers that the play is for as
    well, whose nets are in the values then.  Of equal values the first is the one that is booked (ALL-9).

    Raises:
        WagerError: the game has no solver, or one that gives no hints.
    """
    solver = load_solver(game)
    if not hasattr(solver, "hint"):
        message = f"{game.id} has no hints in this version"
        raise WagerError(message)
    asked = build_problem(game, paytables, options, side_stakes=side_stakes)
    found = solver.hint(asked.problem, position.view, position.decision_index, progress)
    actions = {action.id: action for action in position.decision.actions}
    order = {action.id: (action.draws, place) for place, action in enumerate(position.decision.actions)}

    def booked(each: ActionValue) -> tuple[Fraction, tuple[int, int], list[tuple[int, int]]]:
        heights = (
            (_JOKER_RANK if card >= FIRST_JOKER else get_rank(card), card)
            for card in game.deck.cards
            if each.cards >> card & 1
        )
        return -each.value, order[each.action], sorted(heights)

    return tuple(Hint(actions[each.action], each.cards, each.value / asked.unit) for each in sorted(found, key=booked))
