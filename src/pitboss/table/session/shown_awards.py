"""The awards of a linked progressive that a table shows."""

from collections.abc import Sequence

from pitboss.table.round import Round
from pitboss.table.round.awards import apply_fixed_awards
from pitboss.table.round.events import FixedAward
from pitboss.table.session.events import SeatAward


def fix_shown_awards(game_round: Round, seats: Sequence[int], awards: Sequence[SeatAward]) -> Round:
    """Return a round of ``seats`` with these awards in place of those shown so far.

    Without awards the round stays as it is.
    """
    if not awards:
        return game_round
    fixed = (FixedAward(seats.index(each.seat), each.meter_cents, each.short_cents) for each in awards)
    return apply_fixed_awards(game_round, fixed)
