"""What a census calls at each position, beyond counting.

Hooks write the best play, follow a strategy, or find the outcomes of side wagers.
"""

from typing import NamedTuple

from pitboss.contract import Game, RuleFunction
from pitboss.engine.census_follow import FollowHooks, build_follow
from pitboss.engine.census_record import build_record
from pitboss.engine.census_sides import build_find_side
from pitboss.engine.census_types import Form


class Hooks(NamedTuple):
    """The hooks; those that a form does not need do nothing.

    They are those of ``census_record``, ``census_follow`` and ``census_sides``.
    """

    find_entries: RuleFunction
    record_action: RuleFunction
    follow: FollowHooks
    find_side: RuleFunction


def build_hooks(game: Game, form: Form, choose: RuleFunction | None) -> Hooks:
    """Build the hooks of a form.

    ``choose`` is the rule of the strategy that is followed.
    """
    return Hooks(*build_record(records=form.records), build_follow(game, form, choose), build_find_side(game, form))
