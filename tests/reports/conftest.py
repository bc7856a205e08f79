"""Reports made of counts known beforehand, so that nothing has to be counted or solved."""

from fractions import Fraction

import pytest

from cli.conftest import KNOWN, SOLVED
from pitboss.analysis.covariance import Moves, Together
from pitboss.analysis.main import main_sheet
from pitboss.analysis.par import par_sheet
from pitboss.analysis.sheet import ParSheet
from pitboss.analysis.sheets import Terms
from pitboss.analysis.strategy import Blunder, Play
from pitboss.contract import Game
from pitboss.games import game_named
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, select_paytables
from pitboss.reports.options import Effect
from pitboss.reports.pricing import priced
from pitboss.reports.report import Report, Stated, with_session
from pitboss.strategies import load_strategies


def made(name: str, *paytables: str) -> Report:
    """Return the report of a game of which counts are known; covariances and what strategies cost are given."""
    game = game_named(name)
    terms = Terms(select_paytables(game, paytables), resolve_options(game, {}))
    sheets = tuple(_sheets(game, terms))
    others = {
        sheet.wager.id: tuple(
            priced(sheet, {**terms.chosen, table.kind: table})
            for table in load_builtin_paytables(game)
            if table.kind in sheet.wager.paytable_kinds and table is not terms.chosen[table.kind]
        )
        for sheet in sheets
    }
    first, *rest = sheets
    moves = Together(tuple(_moves(first, other) for other in rest), None)
    effects = tuple(Effect(game.options[0], value, "main", None) for value in game.options[0].values[:2])
    return with_session(
        Report(game, terms, sheets, Stated(), beside=others, together=moves, plays=_plays(game, first), effects=effects)
    )


def _sheets(game: Game, terms: Terms) -> list[ParSheet]:
    main = main_sheet(game, terms.chosen, terms.options, SOLVED[game.id])
    sides = [wager for wager in game.wagers if (game.id, wager.id) in KNOWN]
    counted = [[int(word) for word in KNOWN[game.id, wager.id].split()] for wager in sides]
    sheets = [
        par_sheet(game, wager, terms.chosen, terms.options, counts)
        for wager, counts in zip(sides, counted, strict=True)
    ]
    return [main, *sheets]


def _moves(one: ParSheet, other: ParSheet) -> Moves:
    return Moves((one.wager.id, other.wager.id), Fraction(2, 7), 0.25, 0.001, "practical")


def _plays(game: Game, main: ParSheet) -> tuple[Play, ...]:
    value, cost = main.expected_value, Fraction(1, 2000)
    best = Play(None, value, Fraction(0), main.deals, {"fold": Fraction(3, 10)}, ())
    err = Blunder("play", "fold", "ace high", 12, Fraction(12, main.deals), Fraction(1, 9000))
    return best, *(
        Play(strategy, value - cost, cost, main.deals, {"fold": Fraction(1, 3)}, (err,))
        for strategy in load_strategies(game)
    )


@pytest.fixture(scope="session")
def six_card() -> Report:
    """Return the report of Six Card Poker."""
    return made("six-card")


@pytest.fixture(scope="session")
def wild_six() -> Report:
    """Return the report of Wild Six Card Poker, whose Taxpayer's Fortune is in dollars."""
    return made("wild-six-card")
