"""What a census calls at each position, beyond counting.

CensusCallbacks write the best play, follow a strategy, or find the outcomes of side wagers.
"""

from typing import NamedTuple

from pitboss.contract import Game, RuleFunction
from pitboss.engine.census_follow import FollowCallbacks, build_follow_callbacks
from pitboss.engine.census_record import build_record_callbacks
from pitboss.engine.census_side_wagers import build_find_side
from pitboss.engine.census_types import KernelShape


class CensusCallbacks(NamedTuple):
    """The callbacks of a census; those that it does not need do nothing.

    They are those of ``census_record``, ``census_follow`` and ``census_side_wagers``.
    """

    find_entries: RuleFunction
    record_action: RuleFunction
    follow: FollowCallbacks
    find_side: RuleFunction


def build_callbacks(game: Game, form: KernelShape, choose: RuleFunction | None) -> CensusCallbacks:
    """Build the callbacks that a kernel of this form calls.

    ``choose`` is the rule of the strategy that is followed.
    """
    return CensusCallbacks(
        *build_record_callbacks(records=form.records),
        build_follow_callbacks(game, form, choose),
        build_find_side(game, form),
    )
