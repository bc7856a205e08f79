"""What the displays of a progressive show (SC-9).

That is the meter less confirmed awards, and whether a jackpot is pending.
"""

from typing import NamedTuple

from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import find_seed_keeper, remove_seed
from pitboss.meter import FULL_PERCENT, NO_LIMIT, UNITS_PER_CENT, Meter, compute_displayed_cents, compute_overflow_units


class MeterDisplay(NamedTuple):
    """The displayed cents, and whether an undecided hit takes all of the meter."""

    cents: int
    is_pending: bool


def get_display(state: ProgressiveState) -> MeterDisplay:
    """Return the displayed amount, and whether a jackpot is pending."""
    return MeterDisplay(get_display_cents(state), is_jackpot_pending(state))


def compute_shown_meter(state: ProgressiveState) -> Meter:
    """Return the meter less confirmed awards (P4, SC-9).

    It is as if no undecided hit were entered.  So it falls only by a confirmed award or an adjustment, and neither a
    hit nor its cancellation moves it.
    """
    decided = [hit for hit in state.hits.values() if hit.step != "pending"]
    hits = [remove_seed(hit.owed) if find_seed_keeper(decided, hit) else hit.owed for hit in state.list_pending_hits()]
    taken_cents = sum(owed.meter_cents - owed.seed_cents for owed in hits)
    released_units = sum(owed.released_units for owed in hits)
    units = state.meter_units + taken_cents * UNITS_PER_CENT - released_units
    return Meter(units, state.reserve_units + released_units)


def is_jackpot_pending(state: ProgressiveState) -> bool:
    """Return whether an undecided hit takes all of the meter: displays say so (SC-9)."""
    for hit in state.list_pending_hits():
        settings = state.get_round_settings(state.rounds[hit.table])
        line = settings.find_line(hit.owed.hand) if settings else None
        if line and line.percent == FULL_PERCENT and hit.cents:
            return True
    return False


def get_display_cents(state: ProgressiveState) -> int:
    """Return the cents that the display shows."""
    limit_cents = state.settings.limit_cents if state.settings else NO_LIMIT
    return compute_displayed_cents(compute_shown_meter(state), limit_cents)


def get_display_overflow_units(state: ProgressiveState) -> int:
    """Return the units above the limit, which are metered but not displayed (P12)."""
    limit_cents = state.settings.limit_cents if state.settings else NO_LIMIT
    return compute_overflow_units(compute_shown_meter(state), limit_cents)
