"""A line that pays 0 returns the stake: it is a push on every surface, and no win."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.conftest import KNOWN
from conformance.drawing import draw_trail, each_game
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.contract import Game, LegResult, PayTable, PayUnit
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.formatting import format_pay, format_percent
from pitboss.reports.volatility_sections import make_frequency_table
from pitboss.table.round import WagerSettled


def pay_nothing(table: PayTable) -> PayTable:
    """Return a table whose lines all push."""
    lines = {
        name: replace(pay, amount=Fraction(0)) if pay.unit is PayUnit.TO_ONE else pay
        for name, pay in table.lines.items()
    }
    return replace(table, lines=lines)


@each_game
@given(st.data())
@settings(max_examples=10)
def test_a_circle_that_nets_nothing_is_shown_as_neither_won_nor_lost(game: Game, data: st.DataObject) -> None:
    """Whatever a round comes to, a win is more than nothing, and a push is nothing."""
    tables = {kind: pay_nothing(table) for kind, table in select_paytables(game).items()}
    pushing = data.draw(st.booleans())
    trail = draw_trail(data.draw, game, paytables=tables) if pushing else draw_trail(data.draw, game)
    for event in trail[-1].events:
        for leg in event.legs if isinstance(event, WagerSettled) else ():
            won, pushed = (leg.shown_result is each for each in (LegResult.WIN, LegResult.PUSH))
            assert won == (leg.result is LegResult.WIN and leg.net_cents > 0)
            assert not pushed or leg.net_cents == 0


@pytest.fixture
def sheet() -> ParSheet:
    """Aces Up with a pair of aces that pushes."""
    game = load_game("six-card")
    tables, options = select_paytables(game), resolve_options(game, {})
    table = tables["aces-up"]
    pushing = replace(table.lines["pair-of-aces"], amount=Fraction(0))
    tables = {**tables, "aces-up": replace(table, lines={**table.lines, "pair-of-aces": pushing})}
    counts = [int(count) for count in KNOWN["six-card", "aces-up"].split()]
    return build_par_sheet(game, find_bet(game, "aces-up"), tables, options, counts)


def test_a_push_is_counted_as_a_tie_and_as_nothing_that_is_paid(sheet: ParSheet) -> None:
    (row,) = make_frequency_table([sheet]).rows
    pushed = next(line.probability for line in sheet.lines if line.outcome.name == "pair-of-aces")
    won = sum((line.probability for line in sheet.lines if line.net > 0), Fraction(0))
    assert row[1:4] == (format_percent(won), format_percent(won), format_percent(pushed))


def test_a_pay_of_nothing_is_written_as_a_push(sheet: ParSheet) -> None:
    lines = sheet.paytables[0].lines
    assert format_pay(lines["pair-of-aces"]) == "push"
    assert [name for name, pay in lines.items() if format_pay(pay) == "push"] == ["pair-of-aces"]
