"""The functions that workers run for the pages, and the builders of their jobs."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from pitboss.analysis.edge_curves import EdgeCurves, list_edge_curves
from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hold import PlayerModel
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.protection import (
    ANTE_CENTS,
    ROUNDS_PER_HOUR,
    ProtectionReport,
    ProtectionSettings,
    report_protection,
)
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import get_cached_solution
from pitboss.analysis.tuning_report import TuningReport
from pitboss.analysis.tuning_request import TuningRequest
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.engine.card_leaks import list_leaks
from pitboss.engine.solver_lookup import can_solve, find_solver
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables, to_document
from pitboss.reports.formats import render_reports
from pitboss.reports.report import GameReport, ReportAssumptions, make_report, reprice_report
from pitboss.reports.submission import SubmissionSettings, make_submission
from pitboss.web.jobs.sheet_content import lay_out_options, lay_out_sheet, solve_options
from pitboss.web.jobs.spec import (
    CONTENTS,
    EXACT,
    FILES,
    OPTION_EFFECTS,
    OPTION_SOLUTIONS,
    PROTECTION,
    REPORTS,
    SHEETS,
    SOLVED,
    TUNED,
    JobSpec,
)
from pitboss.web.jobs.worker import open_no_progress, report_job_progress, unpickle_object

_LEAK_WITHIN, _LEAK_SECONDS = Fraction(1, 200), 20
"""How narrow the page measures the gain of a leak, and how long at most."""


def build_sheet_job(game: Game, wager: Wager, terms: GameTerms) -> JobSpec:
    """Build the job for a PAR sheet.

    It runs on the quick worker if chance alone decides the bet.
    """
    kind = SOLVED if depends_on_play(game, wager, terms.options) else SHEETS
    return JobSpec(kind, _make_key(game, wager, terms), compute_sheet, (game, wager, terms))


def build_content_job(
    counted: bytes,
    terms: GameTerms,
    columns: tuple[tuple[str, PayTable | None], ...],
    stated: ReportAssumptions,
    meter_cents: int | None,
    *,
    is_solved: bool,
) -> JobSpec:
    """Build the job that lays out a counted sheet under several pay tables.

    ``counted`` is pickled (``lay_out_sheet``).  It is a job because it takes a tenth of a second: too long for the
    process that serves pages.  ``is_solved`` tells whether the exact solution for edited pays is known; before, the
    content has bounds.  Percentages are of a meter of ``meter_cents``, None for the seed.
    """
    pays = tuple((name, table and make_paytable_key(table)) for name, table in columns)
    key = sha256(counted).digest(), stated, pays, meter_cents, is_solved
    return JobSpec(CONTENTS, key, lay_out_sheet, (counted, terms, columns, stated, meter_cents))


def build_options_job(counted: bytes, game: Game, wager: Wager, terms: GameTerms) -> JobSpec:
    """Build the job that shows what each ruling changes in a counted sheet."""
    return JobSpec(OPTION_EFFECTS, _make_key(game, wager, terms), lay_out_options, (counted, terms))


def build_option_solutions_job(counted: bytes, game: Game, wager: Wager, terms: GameTerms) -> JobSpec:
    """Build the job that solves every ruling and shows what each changes."""
    return JobSpec(OPTION_SOLUTIONS, _make_key(game, wager, terms), solve_options, (counted, terms))


def make_paytable_key(table: PayTable) -> str:
    """Return what tells a table from every other: all that a file has of it."""
    return json.dumps(to_document(table), default=str)


def build_exact_job(game: Game, terms: GameTerms) -> JobSpec:
    """Build the job that finds the best play of main for edited pays."""
    pays = tuple(
        (line, pay.amount) for kind in game.main.paytable_kinds for line, pay in terms.paytables[kind].lines.items()
    )
    return JobSpec(EXACT, (game.id, pays), solve_exactly, (game, terms))


def build_protection_job(game: Game) -> JobSpec:
    """Build the job that measures leaks, under the default pays and options."""
    return JobSpec(PROTECTION, game.id, measure_leaks, (game,))


def build_tuning_job(game: Game, wager: Wager, terms: GameTerms, request: TuningRequest) -> JobSpec:
    """Build the job that tunes a bet."""
    asked = repr(replace(request, vary=dict(sorted(request.vary.items()))))
    return JobSpec(TUNED, (*_make_key(game, wager, terms), asked), tune_bet, (game, wager, terms, request))


def build_report_job(game: Game, terms: GameTerms) -> JobSpec:
    """Build the job for a game's report."""
    return JobSpec(REPORTS, _make_key(game, game.main, terms), compute_report, (game, terms))


class ReportFile(NamedTuple):
    """A file of a report: what it assumes, edited pays, and its form."""

    stated: ReportAssumptions
    edited_table: PayTable | None
    file_format: str
    is_submission: bool


def build_file_job(game: Game, terms: GameTerms, report: bytes, file: ReportFile) -> JobSpec:
    """Build the job that writes a report, pickled, as a file."""
    pays = file.edited_table and make_paytable_key(file.edited_table)
    key = *_make_key(game, game.main, terms), file._replace(edited_table=None), pays
    return JobSpec(FILES, key, write_report, (report, file))


def compute_sheet(game: Game, wager: Wager, terms: GameTerms) -> ParSheet:
    """Return the exact sheet of a bet.

    Raises:
        WagerError: it would take many minutes.
    """
    verify_quickly_solved(game, wager, terms)
    return compute_par_sheet(game, wager, terms, report_job_progress)


def tune_bet(game: Game, wager: Wager, terms: GameTerms, request: TuningRequest) -> tuple[TuningReport, EdgeCurves]:
    """Return the tables that a search finds, and the edge along each line's pays.

    Raises:
        PitbossError: as ``tune_paytable``, or a sheet would take many minutes.
    """
    from pitboss.analysis.tuning import build_tuning_grid, search_grid

    verify_quickly_solved(game, wager, terms)
    grid = build_tuning_grid(game, wager, terms, request, report_job_progress)
    return search_grid(grid, terms, request, report_job_progress), list_edge_curves(grid)


def solve_exactly(game: Game, terms: GameTerms) -> ParSheet:
    """Return main's exact sheet; ``reprice_sheet`` then uses its solution."""
    return compute_par_sheet(game, game.main, terms, report_job_progress)


def measure_leaks(game: Game) -> ProtectionReport:
    """Return what each leak of a game is worth.

    Where it is sampled, it is within half a per cent of an Ante.

    Raises:
        WagerError: the game asks for no decision.
    """
    terms = ProtectionSettings(_LEAK_WITHIN, _LEAK_SECONDS, ANTE_CENTS, ROUNDS_PER_HOUR, seed=1)
    leaks, begun = len(list_leaks(game)), 0

    @contextmanager
    def open_progress(_what: str) -> Iterator[ProgressCallback]:
        nonlocal begun
        before, begun = begun, begun + 1
        report_job_progress(min(before, leaks), leaks)
        yield ignore_progress

    return report_protection(game, select_paytables(game), resolve_options(game, {}), (), terms, open_progress)


def compute_report(game: Game, terms: GameTerms) -> GameReport:
    """Return the report of a game (raises WagerError: it would take many minutes)."""
    verify_quickly_solved(game, game.main, terms)
    return make_report(game, terms, open_no_progress)


def write_report(report: bytes, file: ReportFile) -> bytes:
    """Write a pickled report as a file; a submission is one for a table of all seats."""
    edited: GameReport = replace(unpickle_object(report), assumptions=file.stated)
    if file.edited_table:
        edited = reprice_report(edited, {**edited.terms.paytables, file.edited_table.kind: file.edited_table})
    if file.is_submission:
        settings = SubmissionSettings(PlayerModel(file.stated.average_bet_cents, file.stated.rounds_per_hour))
        added = make_submission(edited.game, edited.terms, edited.sheets, settings, open_no_progress)
        edited = replace(edited, submission=added)
    return render_reports((edited,), file.file_format)


def _make_key(game: Game, wager: Wager, terms: GameTerms) -> tuple[Any, ...]:
    return game.id, wager.id, tuple(table.id for table in terms.paytables.values())


def verify_quickly_solved(game: Game, wager: Wager, terms: GameTerms) -> None:
    """Refuse pay tables of main that take many minutes to solve.

    Pay tables with a bundled or cached solution are not refused.

    Raises:
        WagerError: solving would take many minutes.
    """
    if not can_solve(game) or not depends_on_play(game, wager, terms.options):
        return
    solver = find_solver(game)
    takes_minutes = solver.shards or solver.takes_minutes
    # The default pay tables of a game with its own solver have a bundled solution.
    has_bundled = bool(game.solver) and all(terms.paytables[kind].default for kind in game.main.paytable_kinds)
    if takes_minutes and not has_bundled and get_cached_solution(game, terms.paytables, terms.options) is None:
        raise WagerError(
            f"{game.name} takes minutes to solve under this pay table: run pitboss solve {game.id} with it, "
            "then reload the page",
            code="takes-minutes",
            game=game.id,
        )
