"""Value every legal action at a position with the game's own solver, best first."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.analysis.position import Position
from pitboss.analysis.solutions import build_problem, get_cached_solution, get_solution
from pitboss.cards import FIRST_JOKER, get_rank
from pitboss.contract import Action, Game, PayTable
from pitboss.core.progress import ProgressCallback
from pitboss.engine.solver_lookup import find_solver
from pitboss.solver_api import ActionValue, SolverProblem, get_hint_function

_JOKER_RANK = 13


@dataclass(frozen=True, slots=True)
class Hint:
    """An action, the cards it discards, and the round's expected net after it.

    ``cards`` is a set of cards.  ``value`` is the net of the whole round in Antes.
    """

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
    """Compute the exact value of every legal action, best first.

    Each choice of discards is an action of its own.  After the action the play is the best one.  ``side_stakes`` has
    stakes of side wagers in Antes: the play is then the best for them too, and the values include their nets.  Of equal
    values, the one that is booked comes first (ALL-9).

    Raises:
        WagerError: the game cannot be solved, or its solver gives no hints.
        IllegalActionError: the values depend on earlier actions, which the position does not tell.
    """
    solver = find_solver(game)
    scaled = build_problem(game, paytables, options, side_stakes=side_stakes)
    if solver.hint_from_solution and position.decision_index == 0:
        solution = get_solution(game, paytables, options, progress, side_stakes=side_stakes)
        values = solver.hint_from_solution(solution, position.view)
    else:
        values = value_position(game, scaled.problem, position, progress)
    actions = {action.id: action for action in position.decision.actions}
    action_order = {action.id: (action.draws, place) for place, action in enumerate(position.decision.actions)}

    def booking_order(each: ActionValue) -> tuple[Fraction, tuple[int, int], list[tuple[int, int]]]:
        heights = (
            (_JOKER_RANK if card >= FIRST_JOKER else get_rank(card), card)
            for card in game.deck.cards
            if each.cards >> card & 1
        )
        return -each.value, action_order[each.action], sorted(heights)

    return tuple(
        Hint(actions[each.action], each.cards, each.value / scaled.unit) for each in sorted(values, key=booking_order)
    )


def value_position(
    game: Game, problem: SolverProblem, position: Position, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Return the value of every legal action, without solving the game.

    Values are in units of the problem's nets.

    Raises:
        WagerError: the game cannot be solved, or its solver gives no hints.
        IllegalActionError: the values depend on earlier actions, which the position does not tell.
    """
    solver, asked = find_solver(game), position.decision_index
    if solver.hint_on_path:
        return solver.hint_on_path(problem, position.view, asked, position.taken, progress)
    return get_hint_function(game, solver)(problem, position.view, asked, progress)


def has_values_ready(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    position: Position,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> bool:
    """Tell whether ``compute_hints`` finds values without solving the game first."""
    if position.decision_index or not find_solver(game).hint_from_solution:
        return True
    return get_cached_solution(game, paytables, options, side_stakes=side_stakes) is not None
