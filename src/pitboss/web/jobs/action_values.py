"""The function that workers run for the coach.

It has a module of its own so that a worker that has just started loads little before it answers.
"""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.analysis.hints import Hint, compute_hints, has_values_ready
from pitboss.analysis.position import Position
from pitboss.contract import Game, PayTable
from pitboss.core.errors import WagerError
from pitboss.core.progress import ignore_progress


def value_actions(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    position: Position,
    side_stakes: Mapping[str, Fraction],
) -> tuple[Hint, ...]:
    """Return the value of every action at a position, in Antes.

    Raises:
        WagerError: the game would have to be solved first, for minutes.
        PitbossError: what ``compute_hints`` raises.
    """
    if not has_values_ready(game, paytables, options, position, side_stakes):
        raise WagerError(
            f"the values of {position.decision.id} come from the solution of {game.name}, which takes minutes: run "
            f"pitboss solve {game.id}, then ask again",
            code="needs-solution",
            decision=position.decision.id,
            game=game.id,
        )
    return compute_hints(game, paytables, options, position, ignore_progress, side_stakes)
