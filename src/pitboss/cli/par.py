"""``pitboss par``: exact PAR sheets, counted once and priced under any pay table."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Annotated

import typer

from pitboss.analysis.census import explain_no_sheet
from pitboss.analysis.covariance import CovarianceReport, report_covariances
from pitboss.analysis.exact_par_sheet import GameTerms, bound_par_sheet, compute_par_sheet, find_bet, list_sheet_wagers
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.side_stakes import parse_side_stakes
from pitboss.cli.arguments import (
    BetOption,
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    SideStakeOptions,
    parse_meter_cents,
)
from pitboss.cli.progress import show_progress
from pitboss.contract import Game, PayTable, Wager
from pitboss.games import load_game
from pitboss.options import parse_options
from pitboss.paytables import load_builtin_paytables, select_paytables

_ALL = "all"

TablesByKind = Mapping[str, list[PayTable]]


def par(
    game: GameArgument,
    bet: BetOption = None,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    with_: SideStakeOptions = None,
    meter: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="The amount on the progressive's meter; default: its seed.")
    ] = None,
    *,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Find the best play for edited pays of main, even if it takes minutes; keep it."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the exact PAR sheet of a bet, or of every bet of a game that has one.

    Every deal is counted once: the first sheet of a bet takes seconds, its other pay tables take no time.
    `--paytable all` prints a bet's pay tables side by side, with your own FILE.toml if you add it.

    `--bet main` is the main wager under its best play, which is found once for each choice of options and pays.
    Edited pays of Lunar Poker and Shifting Wilds take minutes to solve.  At once, the sheet has the best play known and
    two proved bounds of the best play's expected value: at least what this play is worth, at most what any play could
    be worth.  `--exact` solves them, like `pitboss solve`, and keeps the result.

    `--with` also stakes a side wager.  If its outcome depends on the play, the best play is the best for all stakes
    together, and each sheet also gives the edge of its bet when the play is the best for main alone.

    Without `--bet`, the command also prints the correlations of the bets, and the expected value of one Ante together
    with the side stakes.

    For example:

        pitboss par six-card --bet aces-up
        pitboss par six-card --bet progressive --meter 25000 --json
        pitboss par wild-six-card --bet draw-bonus --paytable all --option wild_flush=any_card
        pitboss par six-card --bet aces-up --paytable my-table.toml
        pitboss par shifting-wilds --bet main --with regular-bonus=1 --with bad-beat=0.5
    """
    of_game = load_game(game)
    values = parse_options(of_game, option or [])
    wagers = _select_wagers(of_game, bet, values)
    selections = [_qualify_selection(bet, selection) for selection in paytable or []]
    chosen, tables = _select_tables(of_game, selections)
    terms = GameTerms(chosen, values, parse_side_stakes(of_game, values, with_ or []))
    kinds = {kind for wager in wagers for kind in wager.paytable_kinds}
    meter_cents = parse_meter_cents(meter, (table for kind in kinds for table in tables[kind]))
    sheets = [
        sheet for wager in wagers for sheet in _make_sheets(of_game, wager, terms, tables, meter_cents, exact=exact)
    ]
    left_out = (
        {}
        if bet
        else {wager.id: explain_no_sheet(of_game, wager, values) for wager in of_game.wagers if wager not in wagers}
    )
    alone = bet or any(map(_is_all, selections)) or any(sheet.bounds for sheet in sheets)
    covariance = None if alone else _compute_covariance(of_game, terms, sheets)
    if as_json:
        about: dict[str, object] = {"bet": bet} if bet else {"not_counted": left_out}
        about |= covariance.as_json() if covariance else {}
        several = {"game": of_game.id, **about, "sheets": [sheet.as_json() for sheet in sheets]}
        one = bet is not None and not any(map(_is_all, selections))
        typer.echo(json.dumps(sheets[0].as_json() if one else several, indent=2))
    else:
        _print_sheets(wagers, sheets, covariance)
        for name, reason in left_out.items():
            sys.stderr.write(f"{name}: no exact sheet, it {reason}\n")


def _select_wagers(game: Game, bet: str | None, options: Mapping[str, str]) -> list[Wager]:
    """Return the requested bet, or all bets that have an exact sheet."""
    return list_sheet_wagers(game, options) if bet is None else [find_bet(game, bet)]


def _qualify_selection(bet: str | None, selection: str) -> str:
    """Return a pay table selection that names the requested bet."""
    return f"{bet}={selection}" if bet and "=" not in selection else selection


def _select_tables(game: Game, selections: list[str]) -> tuple[Mapping[str, PayTable], TablesByKind]:
    """Return the chosen pay table of each kind, and the tables to print.

    With ``[BET=]all`` the built-in tables are printed too.
    """
    kinds: set[str] = set()
    named = []
    for selection in selections:
        if _is_all(selection):
            kinds |= _find_kinds(game, selection.rpartition("=")[0])
        else:
            named.append(selection)
    chosen = select_paytables(game, named)
    side_by_side = {
        kind: [table for table in load_builtin_paytables(game) if table.kind == kind] for kind in sorted(kinds)
    }
    for kind, tables in side_by_side.items():
        if chosen[kind] not in tables:
            tables.append(chosen[kind])
    return chosen, {kind: [table] for kind, table in chosen.items()} | side_by_side


def _is_all(selection: str) -> bool:
    return selection.rpartition("=")[2] == _ALL


def _find_kinds(game: Game, bet: str) -> set[str]:
    wagers = [find_bet(game, bet)] if bet else (*game.wagers, *game.main_parts)
    return {kind for wager in wagers for kind in wager.paytable_kinds}


def _make_sheets(
    game: Game, wager: Wager, terms: GameTerms, tables: TablesByKind, meter_cents: int | None, *, exact: bool
) -> Iterator[ParSheet]:
    """Yield a sheet of a bet for each choice of its pay tables.

    ``terms`` give the tables of other kinds.
    """
    with show_progress(f"{wager.name} of {game.name}") as progress:
        for each in product(*(tables[kind] for kind in wager.paytable_kinds)):
            chosen = replace(terms, paytables={**terms.paytables, **dict(zip(wager.paytable_kinds, each, strict=True))})
            bounded = None if exact else bound_par_sheet(game, wager, chosen, progress)
            yield bounded or compute_par_sheet(game, wager, chosen, progress, meter_cents)


def _compute_covariance(game: Game, terms: GameTerms, sheets: list[ParSheet]) -> CovarianceReport:
    with show_progress(f"how the bets of {game.name} move together") as progress:
        return report_covariances(game, terms, sheets, progress)


def _print_sheets(wagers: Iterable[Wager], sheets: list[ParSheet], covariance: CovarianceReport | None) -> None:
    from pitboss.cli.grids import make_console
    from pitboss.cli.par_display import render_covariance, render_par_sheets

    console = make_console()
    for wager in wagers:
        console.print()
        console.print(render_par_sheets([sheet for sheet in sheets if sheet.wager is wager]))
    if covariance and covariance.covariances:
        console.print(render_covariance(covariance, sheets))
    console.print()
