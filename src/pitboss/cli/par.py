"""``pitboss par``: exact PAR sheets, counted once and priced under any pay table."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.exact_par_sheet import compute_par_sheet, get_bounded_sheet, list_sheet_wagers
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.paytable_comparison import TablesByKind, collect_paytables, is_all
from pitboss.analysis.side_stakes import depends_on_play, parse_side_stakes, select_played_stakes
from pitboss.cli.arguments import (
    BetOption,
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    SideStakeOptions,
    add_bet,
    parse_meter_cents,
    verify_only_one,
)
from pitboss.cli.par_output import SheetDetails, SheetGroup, print_csv, print_json, print_text
from pitboss.cli.progress import show_progress
from pitboss.contract import Game, Wager
from pitboss.core.errors import PayTableError, WagerError
from pitboss.core.joined_words import join_words
from pitboss.games import load_game
from pitboss.options import parse_options

if TYPE_CHECKING:
    # Loaded only if it is printed, so that a sheet alone stays quick.
    from pitboss.analysis.covariance import CovarianceReport


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
        typer.Option("--exact", help="Find the best play for edited pays of main, even if it takes minutes; cache it."),
    ] = False,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Also print how one step more on each line changes the figures.")
    ] = False,
    option_by_option: Annotated[
        bool, typer.Option("--option-by-option", help="Also print how each option changes the house edge.")
    ] = False,
    all_rows: Annotated[bool, typer.Option("--all-rows", help="Also print outcomes that no deal makes.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line for each outcome and figure.")] = False,
    as_json: JsonOption = False,
) -> None:
    r"""Print the exact PAR sheet of a bet, or of every bet of a game that has one.

    Every deal is counted once: the first sheet of a bet takes seconds, its other pay tables take no time.  Repeat
    `--paytable` to print built-in tables and your own files side by side, in that order; `*` marks what differs from
    the first.  `--paytable all` stands for every built-in table of the bet.

    `--bet main` is the main wager under its best play, which is found once for each choice of options and pays.
    Edited pays of Lunar Poker and Shifting Wilds take minutes to solve, so the sheet has two proved bounds on the
    expected value of the best play.  `--exact` finds the best play itself, like `pitboss solve`.

    `--with` also stakes a side wager.  If its outcome depends on the play, the best play is the best for all stakes
    together, and each sheet also gives the edge of its bet when the play is the best for main alone.

    Without `--bet`, the command also prints the correlations of the bets, and the figures of one Ante and the side
    stakes together.

    For example:

        pitboss par six-card --bet progressive --meter 25000 --json
        pitboss par six-card --bet aces-up --paytable my-table.toml \
            --paytable SCP-02 --sensitivity
        pitboss par six-card --bet bad-beat --option-by-option
        pitboss par shifting-wilds --bet main --with regular-bonus=1 \
            --with bad-beat=0.5
    """
    verify_only_one(csv=as_csv, json=as_json)
    query = _parse_query(game, bet, paytable or [], option or [], with_ or [], meter)
    if option_by_option and select_played_stakes(query.game, query.terms.options, query.terms.stakes):
        raise WagerError(
            "--option-by-option is for the best play of main alone: leave out --with", code="exclusive-options"
        )
    for note in _list_ignored(query, exact=exact):
        sys.stderr.write(f"{note}\n")
    group = _compute_sheets(query, exact=exact, covariance=not as_csv)
    details = _compute_details(query.terms, group, steps=sensitivity, options=option_by_option, exact=exact)
    if as_json:
        print_json(group, details)
    elif as_csv:
        print_csv(group, details)
    else:
        print_text(group, details, all_rows=all_rows)


class _SheetQuery(NamedTuple):
    """What a command line asks for; ``shows_all`` if it says ``[BET=]all``."""

    game: Game
    bet: str | None
    wagers: Sequence[Wager]
    terms: GameTerms
    tables: TablesByKind
    meter_cents: int | None
    shows_all: bool


def _parse_query(
    name: str, bet: str | None, paytables: list[str], options: list[str], stakes: list[str], meter: str | None
) -> _SheetQuery:
    """Read the bets, the pay tables, the options and the stakes."""
    game = load_game(name)
    values = parse_options(game, options)
    wagers = [find_bet(game, bet)] if bet else list_sheet_wagers(game, values)
    selections = add_bet(paytables, bet or "")
    chosen, tables = collect_paytables(game, selections)
    terms = GameTerms(chosen, values, parse_side_stakes(game, values, stakes))
    if bet:
        _verify_tables_matter(game, wagers[0], terms, selections)
    kinds = {kind for wager in wagers for kind in wager.paytable_kinds}
    meter_cents = parse_meter_cents(meter, (table for kind in kinds for table in tables[kind]))
    return _SheetQuery(game, bet, wagers, terms, tables, meter_cents, any(map(is_all, selections)))


def _verify_tables_matter(game: Game, wager: Wager, terms: GameTerms, selections: Iterable[str]) -> None:
    """Refuse a table of another bet on which a bet's sheet does not depend."""
    paid = [wager, *([game.main] if depends_on_play(game, wager, terms.options) else ())]
    paid += [find_bet(game, bet) for bet in terms.stakes]
    kinds = {kind for each in paid for kind in each.paytable_kinds}
    for selection in selections:
        other = selection.partition("=")[0]
        if kinds.isdisjoint(find_bet(game, other).paytable_kinds):
            raise PayTableError(
                f"--paytable {selection} is for {other}, and {wager.id} does not depend on it: leave it out",
                code="other-pay-table",
                bet=wager.id,
                other=other,
            )


def _list_ignored(query: _SheetQuery, *, exact: bool) -> Iterator[str]:
    """Yield why options that were given for a bet do not change its sheet."""
    game, options, stakes = query.game, query.terms.options, query.terms.stakes
    if not query.bet:
        return
    wager = query.wagers[0]
    is_affected = depends_on_play(game, wager, options)
    if exact and not is_affected:
        yield f"--exact has no effect: no decision of the player changes {wager.id}"
    if stakes and not is_affected:
        yield f"--with has no effect: no decision of the player changes {wager.id}"
    elif stakes and not select_played_stakes(game, options, stakes):
        yield f"--with has no effect: no decision of the player changes {join_words(stakes)}"


def _compute_sheets(query: _SheetQuery, *, exact: bool, covariance: bool) -> SheetGroup:
    """Return the sheets of a query, with covariances if it has all bets."""
    game, values = query.game, query.terms.options
    sheets = [sheet for wager in query.wagers for sheet in _make_sheets(query, wager, exact=exact)]
    missing = [] if query.bet else [wager for wager in game.wagers if wager not in query.wagers]
    left_out = {wager.id: explain_missing_sheet(game, wager, values) for wager in missing}
    several = query.shows_all or len(sheets) > len(query.wagers)
    alone = query.bet or several or any(sheet.bounds for sheet in sheets)
    report = _compute_covariance(game, query.terms, sheets) if covariance and not alone else None
    return SheetGroup(game, query.bet or "", sheets, left_out, report, is_one=bool(query.bet) and not several)


def _make_sheets(query: _SheetQuery, wager: Wager, *, exact: bool) -> Iterator[ParSheet]:
    """Yield a sheet of a bet for each choice of its pay tables.

    The terms give the tables of other kinds.
    """
    game, terms, kinds = query.game, query.terms, wager.paytable_kinds
    with show_progress(f"{wager.name} of {game.name}") as progress:
        for each in product(*(query.tables[kind] for kind in kinds)):
            chosen = replace(terms, paytables={**terms.paytables, **dict(zip(kinds, each, strict=True))})
            bounded = None if exact else get_bounded_sheet(game, wager, chosen, progress)
            yield bounded or compute_par_sheet(game, wager, chosen, progress, query.meter_cents)


def _compute_covariance(game: Game, terms: GameTerms, sheets: Sequence[ParSheet]) -> "CovarianceReport":
    from pitboss.analysis.covariance import report_covariances

    with show_progress(f"how the bets of {game.name} move together") as progress:
        return report_covariances(game, terms, list(sheets), progress)


def _compute_details(
    terms: GameTerms, group: SheetGroup, *, steps: bool, options: bool, exact: bool
) -> list[SheetDetails]:
    """Return what one step more and every other ruling change, sheet by sheet."""
    details = [SheetDetails() for _ in group.sheets]
    if steps:
        from pitboss.analysis.sensitivity import compute_sensitivity

        details = [SheetDetails(steps=compute_sensitivity(sheet)) for sheet in group.sheets]
    if options:
        from pitboss.analysis.option_effects import compute_option_effects

        details = [
            each._replace(effects=compute_option_effects(sheet.game, terms, [sheet], show_progress, full=exact))
            for each, sheet in zip(details, group.sheets, strict=True)
        ]
    return details
