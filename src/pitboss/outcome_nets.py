"""The net of an outcome under pay tables, and the tables that wagers need."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.contract import Game, Leg, LegResult, LinePay, Outcome, PayTable, PayUnit, Wager


def compute_leg_net(leg: Leg, paytables: Mapping[str, PayTable], stake_cents: int, award_cents: int = 0) -> Fraction:
    """Return the net of a circle in cents, if one unit is ``stake_cents``.

    A percentage of a meter pays ``award_cents``, as ``meter.py`` computes it; other pays come from the table's line.
    """
    if not leg.lines or leg.result is LegResult.PUSH:
        return Fraction(leg.result * leg.stake * stake_cents)
    staked = Fraction(leg.paid_stake * stake_cents)
    paid = [compute_pay(paytables[leg.paytable_kind].lines[line], staked, award_cents) for line in leg.lines]
    return leg.result * (max(paid) if leg.best_only else sum(paid, Fraction(0)))


def find_best_line(leg: Leg, paytables: Mapping[str, PayTable]) -> str:
    """Return the best-paying line of a circle, the first of equals; "" if none."""
    return max(
        leg.lines, key=lambda line: compute_pay(paytables[leg.paytable_kind].lines[line], Fraction(1), 1), default=""
    )


def compute_pay(pay: LinePay, staked: Fraction, award_cents: int) -> Fraction:
    """Return the net of a leg that wins by a pay, in the unit of ``staked``."""
    if pay.unit is PayUnit.DOLLARS:
        return pay.amount * 100
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return award_cents - staked
    won = pay.amount * staked
    return won - staked if pay.unit is PayUnit.FOR_ONE else won


def get_meter_percent(outcome: Outcome, paytables: Mapping[str, PayTable]) -> int:
    """Return the percentage of the meter that this outcome pays, 0 if it pays none."""
    pays = (
        paytables[leg.paytable_kind].lines[line]
        for leg in outcome.legs
        for line in leg.lines
        if leg.result is LegResult.WIN
    )
    return int(sum(pay.amount for pay in pays if pay.unit is PayUnit.PERCENT_OF_METER))


def compute_outcome_net(
    outcome: Outcome, paytables: Mapping[str, PayTable], stake_cents: int, award_cents: int = 0
) -> Fraction:
    """Return the net of an outcome over all its circles, in cents.

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> full_house = next(outcome for outcome in game.wagers[1].outcomes if outcome.name == "full-house")
    >>> compute_outcome_net(full_house, select_paytables(game), 500)
    Fraction(4500, 1)
    """
    return sum((compute_leg_net(leg, paytables, stake_cents, award_cents) for leg in outcome.legs), Fraction(0))


def list_required_lines(wager: Wager, kind: str) -> tuple[str, ...]:
    """Return the lines that a pay table must have, in the order of outcomes."""
    named = (
        line for outcome in wager.outcomes for leg in outcome.legs if leg.paytable_kind == kind for line in leg.lines
    )
    return tuple(dict.fromkeys(named))


def explain_why_not_for_one(wager: Wager, kind: str) -> str:
    """Return why a table cannot pay for one, which returns the stake; "" if it can."""
    legs = [leg for outcome in wager.outcomes for leg in outcome.legs if leg.paytable_kind == kind]
    if any(leg.pays_on for leg in legs):
        return "is paid where no chips lie"
    return "pays two lines together" if any(len(leg.lines) > 1 and not leg.best_only for leg in legs) else ""


def list_paid_kinds(game: Game) -> dict[str, Wager]:
    """Return the kinds of pay table that a game needs, each with its wager."""
    return {kind: wager for wager in reversed(game.wagers) for kind in wager.paytable_kinds}
