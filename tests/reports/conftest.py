"""Reports made of counts known beforehand, so that nothing has to be counted or solved."""

from fractions import Fraction

import pytest

from cli.conftest import KNOWN, SOLVED
from pitboss.analysis.covariance import BetCovariance, CovarianceReport
from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.option_effects import OptionEffect
from pitboss.analysis.par_sheet import ParSheet, build_main_sheet, build_par_sheet
from pitboss.analysis.protection import EXACT, NESTED, LeakReport, ProtectionReport, ProtectionSettings
from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, select_paytables
from pitboss.reports.report import GameReport, ReportAssumptions, add_session
from pitboss.strategies import load_strategies


def made(name: str, *paytables: str) -> GameReport:
    """Return the report of a game of which counts are known; covariances and what strategies cost are given."""
    game = load_game(name)
    terms = GameTerms(select_paytables(game, paytables), resolve_options(game, {}))
    sheets = tuple(_sheets(game, terms))
    others = {
        sheet.wager.id: tuple(
            reprice_sheet(sheet, {**terms.paytables, table.kind: table})
            for table in load_builtin_paytables(game)
            if table.kind in sheet.wager.paytable_kinds and table is not terms.paytables[table.kind]
        )
        for sheet in sheets
    }
    first, *rest = sheets
    moves = CovarianceReport(tuple(_moves(first, other) for other in rest), None)
    effects = tuple(OptionEffect(game.options[0], value, first, None) for value in game.options[0].values[:2])
    return add_session(
        GameReport(
            game,
            terms,
            sheets,
            ReportAssumptions(),
            other_paytables=others,
            covariance_report=moves,
            strategy_costs=_plays(game, first),
            effects=effects,
        )
    )


def make_leaks() -> ProtectionReport:
    """Make a report of two leaks, one of them sampled."""
    leaks = tuple(
        LeakReport(
            name,
            f"cards <{name}>",
            method,
            gain - 1,
            gain,
            0.001,
            0.25,
            0.01,
            2_000,
            -12.5,
            "Use it.",
            f"Detect {name}.",
        )
        for name, method, gain in (("dealer-2", EXACT, Fraction(1, 2)), ("dealer-1", NESTED, Fraction(1, 4)))
    )
    return ProtectionReport(
        "six-card", (), {}, ProtectionSettings(Fraction(1, 200), 20, 2_500, 40, 1), Fraction(-1), leaks
    )


def _sheets(game: Game, terms: GameTerms) -> list[ParSheet]:
    main = build_main_sheet(game, terms.paytables, terms.options, SOLVED[game.id])
    sides = [wager for wager in game.wagers if (game.id, wager.id) in KNOWN]
    counted = [[int(word) for word in KNOWN[game.id, wager.id].split()] for wager in sides]
    sheets = [
        build_par_sheet(game, wager, terms.paytables, terms.options, counts)
        for wager, counts in zip(sides, counted, strict=True)
    ]
    return [main, *sheets]


def _moves(one: ParSheet, other: ParSheet) -> BetCovariance:
    return BetCovariance((one.wager.id, other.wager.id), Fraction(2, 7), 0.25, 0.001, "practical")


def _plays(game: Game, main: ParSheet) -> tuple[StrategyCost, ...]:
    value, cost = main.expected_value, Fraction(1, 2000)
    best = StrategyCost(None, value, Fraction(0), main.deals, {"fold": Fraction(3, 10)}, ())
    err = PricedMistake("play", "fold", "ace high", 12, Fraction(12, main.deals), Fraction(1, 9000))
    return best, *(
        StrategyCost(strategy, value - cost, cost, main.deals, {"fold": Fraction(1, 3)}, (err,))
        for strategy in load_strategies(game)
    )


@pytest.fixture(scope="session")
def six_card() -> GameReport:
    """Return the report of Six Card Poker."""
    return made("six-card")


@pytest.fixture(scope="session")
def wild_six() -> GameReport:
    """Return the report of Wild Six Card Poker, whose Taxpayer's Fortune is in dollars."""
    return made("wild-six-card")
