"""The terminal and the report files show the same rows of a PAR sheet."""

from fractions import Fraction

import pytest
from rich.console import Console

from pitboss.analysis.par_sheet import ParLine, ParSheet
from pitboss.cli.par_display import render_par_sheets
from pitboss.games import load_game
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.reports.formats import render_reports
from pitboss.reports.formatting import describe_pays, pays_equal_net
from pitboss.reports.report import GameReport
from pitboss.reports.sheet_tables import make_figure_table, make_outcome_table


def printed(*sheets: ParSheet) -> list[str]:
    """Return the lines that a terminal shows, with single spaces."""
    console = Console(width=200)
    with console.capture() as capture:
        console.print(render_par_sheets(sheets))
    return [" ".join(line.split()) for line in capture.get().splitlines()]


@pytest.mark.parametrize("bet", range(4))
def test_a_row_is_the_same_in_the_terminal_and_in_a_report(bet: int, six_card: GameReport) -> None:
    sheet = six_card.sheets[bet]
    lines, report = printed(sheet), render_reports([six_card], "md").decode()
    for row in make_outcome_table([sheet]).rows:
        assert f"| {' | '.join(row)} |" in report
        assert any(line.startswith(row[0]) and all(cell in line for cell in (row[3], row[4], row[6])) for line in lines)
    for figure in make_figure_table([sheet]).rows:
        assert f"| {' | '.join(figure)} |" in report
        assert " ".join(" ".join(figure).split()) in lines


@pytest.mark.parametrize("bet", range(4))
def test_the_net_is_shown_where_a_pay_is_not_the_net(bet: int, six_card: GameReport) -> None:
    """Only then: the pay is that of one circle, or it includes the stake, or two Antes win or lose."""
    sheet = six_card.sheets[bet]
    differs = [line.outcome.name for line in sheet.lines if not pays_equal_net(line, sheet)]
    assert ("Net" in printed(sheet)[3].split() or "Net" in printed(sheet)[2].split()) == bool(differs)
    assert differs == {
        "main": ["play-win-qualified", "play-lose-qualified"],
        "progressive": [line.outcome.name for line in sheet.lines if line.net > 0],
    }.get(sheet.wager.id, [])


def test_a_bonus_that_is_paid_beside_the_stakes_is_not_the_net() -> None:
    """As in Shifting Wilds: the Blind pays 7 to 1, and Ante and raise win with it."""
    game = load_game("shifting-wilds")
    outcome = next(each for each in game.main.outcomes if each.name == "lock-win-qualified-royal-flush")
    tables = select_paytables(game)
    sheet = ParSheet(game, game.main, tuple(tables.values()), {}, (), {})
    for net, same in ((compute_outcome_net(outcome, tables, 100) / 100, False), (Fraction(7), True)):
        line = ParLine(outcome, net, 1, Fraction(1))
        assert describe_pays(line, sheet) == "7 to 1"
        assert pays_equal_net(line, sheet) is same


def test_sheets_side_by_side_have_a_column_each(six_card: GameReport) -> None:
    sheets = [six_card.sheets[1], *six_card.other_paytables["aces-up"]]
    names = [sheet.paytables[0].id for sheet in sheets]
    pays = make_outcome_table(sheets, ("Combinations", "Pays"), names)
    assert pays.headings == ("Outcome", "Combinations", *(f"Pays\n{name}" for name in names))
    assert pays.rows[4] == ("flush", "205,792", "8", "8", "8", "* 7")
    figures = {row[0]: row[1:] for row in make_figure_table(sheets, names).rows}
    assert figures["House edge"] == ("2.3364%", "* 3.2973%", "* 4.1126%", "* 5.1235%")
    assert figures["Edge against SCP-01"] == ("", "+0.9610%", "+1.7763%", "+2.7871%")
    assert figures["Hit frequency"] == ("23.4114%",) * 4
    assert figures["Hold the sheet expects"] == ("20%", "* 25%", "* 28%", "* 30%")
    assert len(figures) == 6
    assert " ".join(pays.rows[4]) in printed(*sheets)


def test_a_very_small_probability_keeps_its_digits(six_card: GameReport) -> None:
    straight_flush = make_outcome_table(six_card.sheets[2:3], ("Probability", "1 in")).rows[0]
    assert straight_flush == ("straight flush", "1.0320e-08", "96,901,587.44")
