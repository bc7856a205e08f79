"""Build PAR sheets from counts of outcomes and pay tables."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from pitboss.analysis.par_sheet import Figure, ParLine, ParSheet
from pitboss.analysis.progressive_figures import compute_progressive_figures
from pitboss.contract import Game, LegResult, Outcome, PayTable, PayUnit, Wager
from pitboss.meter import ROUND_TO_CENT, ROUND_TO_DOLLAR, compute_percentage_cents
from pitboss.paytables import compute_leg_net, compute_outcome_net, get_meter_percent

_UNIT_CENTS = 100
_HOLD_CLAIM = re.compile(r"hold (\d+)%")


def build_par_sheet(
    game: Game,
    wager: Wager,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    counts: Sequence[int],
    meter_cents: int | None = None,
) -> ParSheet:
    """Build the sheet of ``wager`` from the deals counted for each of its outcomes.

    ``paytables`` has a pay table for each kind that pays the wager, and ``options`` has a value for every option of
    the game.  Percentages are of a meter of ``meter_cents``; without it, of the seed.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> counts = [188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816, 751332, 15592308]
    >>> build_par_sheet(game, game.wagers[1], select_paytables(game), resolve_options(game, {}), counts).house_edge
    Fraction(118913, 5089630)
    """
    tables = tuple(paytables[kind] for kind in wager.paytable_kinds)
    progressive = next(((table, table.progressive) for table in tables if table.progressive), None)
    if meter_cents is None:
        meter_cents = progressive[1].seed_cents if progressive else 0
    nets = compute_nets_per_unit(wager, paytables, options, meter_cents)
    lines = [
        ParLine(outcome, net, count, Fraction(count, sum(counts)), get_meter_percent(outcome, paytables))
        for outcome, net, count in zip(wager.outcomes, nets, counts, strict=True)
    ]
    extras = _parse_claimed_hold(tables)
    if any(pay.unit is PayUnit.DOLLARS for table in tables for pay in table.lines.values()):
        extras |= _compute_dollar_figures(lines, paytables)
    if progressive:
        extras |= compute_progressive_figures(lines, *progressive, options, meter_cents)
    return ParSheet(game, wager, tables, options, tuple(lines), extras)


def compute_nets_per_unit(
    wager: Wager, paytables: Mapping[str, PayTable], options: Mapping[str, str], meter_cents: int
) -> tuple[Fraction, ...]:
    """Compute the net of each outcome per unit staked; percentages are of a meter of ``meter_cents``."""
    rounding = ROUND_TO_DOLLAR if options.get("award_rounding") == "dollar" else ROUND_TO_CENT
    awards = (
        compute_percentage_cents(meter_cents, get_meter_percent(outcome, paytables), rounding)
        for outcome in wager.outcomes
    )
    return tuple(
        compute_outcome_net(outcome, paytables, _UNIT_CENTS, award) / _UNIT_CENTS
        for outcome, award in zip(wager.outcomes, awards, strict=True)
    )


def _parse_claimed_hold(tables: Sequence[PayTable]) -> dict[str, Figure]:
    """Return the hold that the rule sheet prints under a pay table: the hold on drop, not the house edge (SC-5)."""
    claim = next(filter(None, (_HOLD_CLAIM.search(table.claim) for table in tables)), None)
    return {"sheet_hold": Fraction(int(claim[1]), 100)} if claim else {}


def _compute_dollar_figures(lines: Sequence[ParLine], paytables: Mapping[str, PayTable]) -> dict[str, Figure]:
    """Compute what a wager of flat dollars pays and takes (W6-6); its hold is the part of the tax not paid out."""

    def expected(result: LegResult) -> Fraction:
        return sum((line.probability * _sum_dollars(line.outcome, result, paytables) for line in lines), Fraction(0))

    pay, tax = expected(LegResult.WIN), -expected(LegResult.LOSE)
    return {
        "expected_pay_dollars": pay,
        "expected_tax_dollars": tax,
        "hold": (tax - pay) / tax if tax else None,
        "net_per_round_dollars": pay - tax,
    }


def _sum_dollars(outcome: Outcome, result: LegResult, paytables: Mapping[str, PayTable]) -> Fraction:
    nets = (compute_leg_net(leg, paytables, _UNIT_CENTS) for leg in outcome.legs if leg.result is result)
    return sum(nets, Fraction(0)) / _UNIT_CENTS
