"""Tune a bet: find the pay tables that have a wanted house edge, exactly."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from pitboss.analysis.exact_par_sheet import compute_par_sheet, get_bounded_sheet, reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.meter_grid import METER_KEYS, MeterGrid, change_meter, extend_grid, price_meter, verify_between
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_grid import GridLine, LineKey, PayGrid, build_grid
from pitboss.analysis.paytable_search import RankedPayTable
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.target_search import find_paytables
from pitboss.analysis.tuning_report import TunedTable, TuningReport
from pitboss.analysis.tuning_request import TuningRequest, choose_lines, name_lines, verify_shares
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.contract import Game, Wager
from pitboss.core.errors import TuningError
from pitboss.core.progress import ProgressCallback
from pitboss.pay_limits import load_pay_limits
from pitboss.paytable_toml import format_pay_input
from pitboss.paytables import parse_paytables, to_document


def tune_paytable(
    game: Game, wager: Wager, terms: GameTerms, request: TuningRequest, progress: ProgressCallback
) -> TuningReport:
    """Find the pay tables that meet the targets, or the nearest if none does.

    Raises:
        TuningError: the bet has no pay table, no table can meet a target, or two targets contradict one another.
        PitbossError: a line or a pay is not valid, or the search is too large.
    """
    grid = build_tuning_grid(game, wager, terms, request, progress)
    return search_grid(grid, terms, request, progress)


def build_tuning_grid(
    game: Game, wager: Wager, terms: GameTerms, request: TuningRequest, progress: ProgressCallback
) -> PayGrid:
    """Build the grid of a bet's present table and the lines that vary.

    Raises:
        PitbossError: as ``tune_paytable``, before the search.
    """
    verify_shares(request.targets)
    if not wager.paytable_kinds:
        tuned = [each.id for each in (*game.wagers, *game.main_parts) if each.paytable_kinds]
        raise TuningError(
            f"{wager.id} of {game.id} has no pay table: bets with one: {', '.join(tuned) or 'none'}",
            code="no-pay-table",
            bet=wager.id,
            known=tuned,
        )
    sheet = get_bounded_sheet(game, wager, terms, progress) or compute_par_sheet(game, wager, terms, progress)
    grid = _build_grid(sheet, choose_lines(game, sheet, request), request)
    if wager is game.main and depends_on_play(game, wager, terms.options):
        grid = _add_gains(grid)
    return grid


def search_grid(grid: PayGrid, terms: GameTerms, request: TuningRequest, progress: ProgressCallback) -> TuningReport:
    """Find the tables of a grid (raises as ``tune_paytable``, from the search on)."""
    sheet = grid.sheet
    game, wager = sheet.game, sheet.wager
    result, is_nearest = find_paytables(grid, request, progress)
    tables = list[TunedTable]()
    for ranked in result.best:
        table = _build_table(grid, terms, ranked, len(tables) + 1)
        table = replace(table, wagers_per_hour=request.wagers_per_hour)
        if request.exact and table.method == "bounded":
            tables_by_kind = {each.kind: each for each in table.paytables}
            changed = replace(terms, paytables={**terms.paytables, **tables_by_kind})
            table = replace(table, _sheet=compute_par_sheet(game, wager, changed, progress))
            if not is_nearest and not meets_targets(table, request.targets):
                continue
        tables.append(table)
    return TuningReport(
        game=game.id,
        bet=wager.id,
        targets=request.targets,
        present=TunedTable(0, {}, sheet, request.wagers_per_hour),
        tables=tuple(tables),
        found=0 if is_nearest else sum(result.found),
        found_by_changes=(0,) * len(result.found) if is_nearest else tuple(result.found),
        proved=0 if is_nearest else result.proved,
        is_nearest=is_nearest,
    )


def _build_grid(sheet: ParSheet, lines: Sequence[GridLine], request: TuningRequest) -> PayGrid:
    """Build the grid of a bet; that of a progressive is one of the long run."""
    targets, has_meter = request.targets, sheet.presets is not None
    if not has_meter and (targets.jackpot or request.between_hours):
        raise TuningError("--jackpot and --between are for a progressive: this bet has no meter", code="no-meter")
    if request.between_hours:
        verify_between(sheet, request.between_hours, request.wagers_per_hour)
    if targets.deviation and has_meter:
        raise TuningError(
            "--deviation is not for a progressive: its deviation changes with the meter; give --jackpot instead",
            code="deviation-of-a-meter",
        )
    grid = build_grid(sheet, [line for line in lines if line.is_pay], any_order=request.any_order)
    return extend_grid(grid, [line for line in lines if not line.is_pay]) if has_meter else grid


def meets_targets(table: TunedTable, targets: TuningTargets) -> bool:
    """Tell whether a table meets every target, some value within its bounds too."""
    least, most = table.edge_bounds
    others = (
        (targets.hit, table.hit_frequency, 1),
        (targets.deviation, table.variance, 2),
        (targets.top, table.top, 1),
        (targets.jackpot, table.average_jackpot or 0, 1),
    )
    return (least <= targets.edge.high and most >= targets.edge.low) and all(
        target is None or target.low**power <= figure <= target.high**power for target, figure, power in others
    )


def _build_table(grid: PayGrid, terms: GameTerms, ranked: RankedPayTable, number: int) -> TunedTable:
    """Return a table that was found, checked like a file, priced like any sheet."""
    sheet = grid.sheet
    tables = sheet.tables_by_kind
    names = {key: name for name, key in name_lines(sheet.wager, tables).items()}
    changes = {grid.lines[place].key: pay for place, pay in ranked.changes}
    present = {grid.lines[place].key: grid.lines[place].present for place, _ in ranked.changes}
    changed, changes_by_kind = change_meter(tables, changes), dict[str, list[LineKey]]()
    for key in changes:
        changes_by_kind.setdefault(sheet.paytables[0].kind if key in METER_KEYS else key[0], []).append(key)
    for kind, keys in changes_by_kind.items():
        said = [f"{key[1]} {format_pay_input(changes[key])}, was {format_pay_input(present[key])}" for key in keys]
        named = replace(
            changed[kind],
            id=f"{tables[kind].id}-edited-{number}",
            source=f"edited from {tables[kind].id} ({tables[kind].source}): {'; '.join(said)}",
            claim="",
            default=False,
        )
        (changed[kind],) = parse_paytables({"paytable": [to_document(named)]}, sheet.game, "edited table")
    if isinstance(grid, MeterGrid):
        priced = price_meter(sheet, changed)
    else:
        priced = reprice_sheet(sheet, changed, previous=terms.paytables) if changes else sheet
    before_and_after = {names[key]: (present[key], pay) for key, pay in changes.items()}
    return TunedTable(number, before_and_after, priced)


def _add_gains(grid: PayGrid) -> PayGrid:
    """Return the grid with the most that the best play gains by each pay.

    No play gains more from a pay than its change times the most that a play is paid by the line, or the least if the
    pay is lowered (``play_bounds``).  Without these limits, it is all that a line may be paid on in one round.
    """
    sheet, unit = grid.sheet, grid.sheet.deals * grid.scale
    limits = load_pay_limits(sheet.game, sheet.options)
    staked = {
        (leg.paytable_kind, line): leg.paid_stake
        for outcome in sheet.wager.outcomes
        for leg in outcome.legs
        for line in leg.lines
    }
    gains = []
    for line, terms in zip(grid.lines, grid.columns, strict=True):
        most, least = (
            (limits.most[line.key], limits.least[line.key]) if limits else (Fraction(staked[line.key]), Fraction(0))
        )
        gained = []
        for pay, net in zip(line.pays, terms.nets, strict=True):
            change = pay - line.present
            gained.append(max(0, ceil(change * (most if change > 0 else least) * unit) - int(net)))
        gains.append(np.array(gained, object))
    gap = ceil((sheet.bounds[1] - sheet.bounds[0]) * unit) if sheet.bounds else 0
    return replace(grid, gains=tuple(gains), gap=gap)
