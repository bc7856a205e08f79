"""The invariants of a progressive after every entry (P3, P4).

They are identities between independent figures.
"""

from collections.abc import Iterator

from pitboss.jackpot.accounts import Account, Purpose
from pitboss.jackpot.display import compute_shown_meter, get_display_cents
from pitboss.jackpot.state import ProgressiveState
from pitboss.meter import UNITS_PER_CENT


def find_violations(state: ProgressiveState) -> tuple[str, ...]:
    """Return the violated invariants of a state, a line each; none if all hold."""
    return tuple(
        f"{what}: {left} is not {right}" for what, left, right in _iter_equalities(state) if left != right
    ) + tuple(what for what, holds in _iter_bounds(state) if not holds)


def _iter_equalities(state: ProgressiveState) -> Iterator[tuple[str, int, int]]:
    """Yield the name and both sides of each identity."""
    hits = state.hits.values()
    counts = state.counts.values()
    in_units = sum(each.in_cents for each in counts) * UNITS_PER_CENT
    in_bank = state.get_balance(Account.BANK, Purpose.CONTRIBUTION) + state.get_balance(Account.CAGE, Purpose.SHARE)
    to_meter = -state.get_balance(Account.METER, Purpose.CONTRIBUTION)
    to_reserve = -state.get_balance(Account.RESERVE, Purpose.CONTRIBUTION)
    held_cents = sum(hit.owed.meter_cents for hit in hits if hit.step == "pending")
    payable_cents = sum(hit.cents for hit in hits if hit.step == "confirmed")
    won_cents = sum(each.won_cents - each.backed_out_cents - each.paid_cents for each in counts)
    yield "the accounts add up to zero", sum(state.totals.values()), 0
    yield "wagers are to meter, to reserve and to the house", in_units, in_bank
    yield (
        "wagers in counts and in accounts",
        in_units,
        to_meter + to_reserve - state.get_balance(Account.HOUSE, Purpose.SHARE),
    )
    yield "meter and its account", state.meter_units, -state.get_balance(Account.METER)
    yield "reserve and its account", state.reserve_units, -state.get_balance(Account.RESERVE)
    yield (
        "what reserve released and the meter got",
        state.get_balance(Account.RESERVE, Purpose.RELEASE),
        -state.get_balance(Account.METER, Purpose.RELEASE),
    )
    yield "held and its hits", -state.get_balance(Account.HELD), held_cents * UNITS_PER_CENT
    yield "payable and its hits", -state.get_balance(Account.PAYABLE), payable_cents * UNITS_PER_CENT
    yield "payable is confirmed less paid", payable_cents, won_cents


def _iter_bounds(state: ProgressiveState) -> Iterator[tuple[str, bool]]:
    """Yield the violation of each bound and whether the bound holds."""
    owed = (
        state.meter_units + state.reserve_units - state.get_balance(Account.HELD) - state.get_balance(Account.PAYABLE)
    )
    shown_units = get_display_cents(state) * UNITS_PER_CENT
    yield (
        "an award is below zero",
        all(min(hit.owed.meter_cents, hit.owed.tray_cents) >= 0 for hit in state.hits.values()),
    )
    yield "the meter is below zero", state.meter_units >= 0
    yield "the reserve is below zero", state.reserve_units >= 0
    yield "the bank does not cover meter, reserve and what is owed", state.get_balance(Account.BANK) >= owed
    yield "the display is above what can be paid", shown_units <= state.get_balance(Account.BANK)
    yield "without undecided hits the meter is below zero", compute_shown_meter(state).units >= 0
