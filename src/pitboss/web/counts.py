"""What workers count for the pages: the functions that run in a worker's process, and the questions for them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet
from pitboss.analysis.hints import Hint, compute_hints
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.position import Position
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import get_cached_solution, load_solver
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.reports.report import Report, Stated, priced_report, report_of
from pitboss.reports.write import written
from pitboss.web.questions import FILES, REPORTS, SHEETS, SOLVED, Question
from pitboss.web.worker import unpickled


def value_actions(
    game: Game,
    chosen: Mapping[str, PayTable],
    options: Mapping[str, str],
    at: Position,
    beside: Mapping[str, Fraction],
) -> tuple[Hint, ...]:
    """Return what every action at a position is worth, in Antes (raises as ``compute_hints``)."""
    return compute_hints(game, chosen, options, at, ignore_progress, beside)


def ask_for_sheet(game: Game, wager: Wager, terms: GameTerms) -> Question:
    """Return the question for a sheet: on the quick worker where chance alone decides the bet."""
    shelf = SOLVED if is_played(game, wager, terms) else SHEETS
    return Question(shelf, _key(game, wager, terms), count_sheet, (game, wager, terms))


def ask_for_report(game: Game, terms: GameTerms) -> Question:
    """Return the question for a game's report."""
    return Question(REPORTS, _key(game, game.wagers[0], terms), count_report, (game, terms))


def ask_for_file(
    game: Game, terms: GameTerms, report: bytes, stated: Stated, paid: PayTable | None, kind: str
) -> Question:
    """Return the question for a pickled report in a format, with other pays in the place of a table's."""
    pays = paid and (paid.kind, *((line, pay.amount) for line, pay in paid.lines.items()))
    key = (*_key(game, game.wagers[0], terms), stated, pays, kind)
    return Question(FILES, key, write_report, (report, stated, paid, kind))


def is_played(game: Game, wager: Wager, terms: GameTerms) -> bool:
    """Tell whether what the player decides matters to the bet."""
    return wager is game.wagers[0] or depends_on_play(wager, terms.options)


def count_sheet(game: Game, wager: Wager, terms: GameTerms) -> ParSheet:
    """Return the exact sheet of a bet (raises WagerError: it would take many minutes)."""
    _verify_kept(game, wager, terms)
    return compute_par_sheet(game, wager, terms, ignore_progress)


def count_report(game: Game, terms: GameTerms) -> Report:
    """Return the report of a game (raises WagerError: it would take many minutes)."""
    _verify_kept(game, game.wagers[0], terms)
    return report_of(game, terms, _unwatched)


def write_report(report: bytes, stated: Stated, paid: PayTable | None, kind: str) -> bytes:
    """Return a pickled report in a format, with other pays in the place of a table's."""
    found: Report = replace(unpickled(report), stated=stated)
    if paid:
        found = priced_report(found, {**found.terms.paytables, paid.kind: paid})
    return written((found,), kind)


def _key(game: Game, wager: Wager, terms: GameTerms) -> tuple[Any, ...]:
    return game.id, wager.id, tuple(table.id for table in terms.paytables.values())


def _verify_kept(game: Game, wager: Wager, terms: GameTerms) -> None:
    """Refuse what would take many minutes to solve: pay tables of main that no solution comes with, or was kept for.

    Raises:
        WagerError: it would.
    """
    main = game.wagers[0]
    if not game.solver or not is_played(game, wager, terms):
        return
    solver = load_solver(game)
    takes_minutes = hasattr(solver, "pieces") or hasattr(solver, "solve_side_by_side")
    usual = all(terms.paytables[kind].default for kind in main.paytable_kinds)  # its solution comes with the package
    if takes_minutes and not usual and get_cached_solution(game, terms.paytables, terms.options) is None:
        raise WagerError(
            f"{game.name} under this pay table takes minutes: run pitboss solve {game.id} with it, then look again"
        )


@contextmanager
def _unwatched(_what: str) -> Iterator[ProgressCallback]:
    yield ignore_progress
