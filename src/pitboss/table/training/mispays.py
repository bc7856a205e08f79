"""Mispays: the amounts that dealers pay by mistake on a winning circle.

They are the pay of the neighbouring line, a pay for one taken as a pay to one, a pay on the Ante instead of the raise,
even money instead of the table, one combination instead of two, and the line of another wager.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from pitboss.builders import display_name
from pitboss.contract import Leg, LegResult, LinePay, PayTable, PayUnit
from pitboss.core.money import format_cents
from pitboss.outcome_nets import compute_leg_net, compute_pay, find_best_line
from pitboss.table.round import LegSettlement, Round, WagerSettled
from pitboss.table.round.wagers import get_outcome


def find_leg(played: Round, event: WagerSettled, settled: LegSettlement) -> Leg:
    """Return the contract's leg of a settled circle."""
    return get_outcome(played.game, event.bet, event.outcome).legs[event.legs.index(settled)]


def describe_pay(played: Round, event: WagerSettled, settled: LegSettlement) -> str:
    """Say how a win's amount is found, as "30 to 1 on $25.00".

    Where two lines pay it together, each is named.  Return "" where no line pays it, the line names the amount, or it
    is a part of the meter.
    """
    leg = find_leg(played, event, settled)
    if leg.result is not LegResult.WIN or not leg.lines or not settled.stake_cents:
        return ""
    lines = [find_best_line(leg, played.paytables)] if leg.best_only else list(leg.lines)
    pays = [played.paytables[leg.paytable_kind].lines[line] for line in lines]
    if any(pay.unit not in (PayUnit.TO_ONE, PayUnit.FOR_ONE) for pay in pays):
        return ""
    odds, on = [_format_odds(pay) for pay in pays], f" on {format_cents(settled.stake_cents)}"
    if len(odds) == 1:
        return f"{odds[0]}{on}"
    parts = (f"{each} for {display_name(line)}" for each, line in zip(odds, lines, strict=True))
    return f"{' and '.join(parts)}{on}"


def _format_odds(pay: LinePay) -> str:
    return f"{pay.amount.numerator:,} {'to' if pay.unit is PayUnit.TO_ONE else 'for'} {pay.amount.denominator}"


def list_mispays(
    played: Round, event: WagerSettled, settled: LegSettlement, returned_cents: int = 0
) -> tuple[tuple[str, int], ...]:
    """List wrong amounts for a winning circle, each with its mistake.

    The wager's stake was taken before if ``returned_cents`` is paid with the win.
    """
    leg = find_leg(played, event, settled)
    if leg.result is not LegResult.WIN:
        return ()
    place, amounts = (event.seat, event.bet, event.on), dict[int, str]()
    base_cents = next(stake.cents for stake in played.stakes if (stake.seat, stake.bet, stake.on) == place)
    for mistake, net in _iter_mispays(played, event, leg, base_cents, Fraction(settled.net_cents)):
        cents = net + returned_cents
        if cents > 0 and cents.denominator == 1 and cents != settled.net_cents + returned_cents:
            amounts.setdefault(int(cents), mistake)
    return tuple((mistake, cents) for cents, mistake in amounts.items())


def _iter_mispays(
    played: Round, event: WagerSettled, leg: Leg, base_cents: int, net: Fraction
) -> Iterator[tuple[str, Fraction]]:
    tables, stake = played.paytables, Fraction(leg.stake * base_cents)
    if leg.lines:
        yield from _iter_neighbours(tables, leg, base_cents)
    if len(leg.lines) > 1 and not leg.best_only:
        first = compute_leg_net(replace(leg, lines=leg.lines[:1]), tables, base_cents)
        yield "that pays the first combination alone", first
    if not leg.stake:
        return
    line = find_best_line(leg, tables)
    pay = tables[leg.paytable_kind].lines[line] if line else None
    if pay is None or pay.unit is PayUnit.TO_ONE:
        yield "that pays for one, not to one", net - stake
    elif pay.unit is PayUnit.FOR_ONE:
        yield "that pays to one, not for one", net + stake
    if pay is None or pay.unit in (PayUnit.TO_ONE, PayUnit.FOR_ONE):
        legs = get_outcome(played.game, event.bet, event.outcome).legs
        for other in (each for each in legs if each.stake not in (0, leg.stake)):
            circle = display_name(other.circle).capitalize()
            yield f"the sum paid is what the chips of the {circle} are due", net * other.stake / leg.stake
    if line:
        yield "that is even money", stake
        yield from _iter_other_wagers(played, event, leg, line, stake)


def _iter_neighbours(tables: Mapping[str, PayTable], leg: Leg, base_cents: int) -> Iterator[tuple[str, Fraction]]:
    """Yield the pays of the lines above and below the best line paid."""
    lines = list(tables[leg.paytable_kind].lines)
    best = find_best_line(leg, tables)
    place = lines.index(best)
    others = tuple(line for line in leg.lines if line != best)
    for near in (place - 1, place + 1):
        if 0 <= near < len(lines) and tables[leg.paytable_kind].lines[lines[near]].unit is not PayUnit.PERCENT_OF_METER:
            paid = replace(leg, lines=(lines[near], *others))
            yield f"that is the pay of {display_name(lines[near])}", compute_leg_net(paid, tables, base_cents)


def _iter_other_wagers(
    played: Round, event: WagerSettled, leg: Leg, line: str, stake: Fraction
) -> Iterator[tuple[str, Fraction]]:
    """Yield the pays of the same line at other wagers."""
    for wager in played.game.wagers:
        for kind in wager.paytable_kinds:
            pay = played.paytables[kind].lines.get(line) if kind != leg.paytable_kind else None
            if wager.id != event.bet and pay and pay.unit is PayUnit.TO_ONE:
                yield f"that is the pay of {display_name(line)} at {wager.name}", compute_pay(pay, stake, 0)
