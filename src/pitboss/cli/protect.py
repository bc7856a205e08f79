"""``pitboss protect``: what it is worth to see more than one should."""

import json
import re
from fractions import Fraction
from typing import Annotated

import typer

from pitboss.analysis.protection import (
    ANTE_CENTS,
    ROUNDS_PER_HOUR,
    ProtectionReport,
    ProtectionSettings,
    report_protection,
    verify_within,
)
from pitboss.cli.arguments import GameArgument, JsonOption, PayTableOptions, RulingOptions, parse_dollars, parse_terms
from pitboss.cli.plan_display import parse_seconds
from pitboss.cli.progress import show_progress
from pitboss.contract import Game
from pitboss.core.errors import WagerError, quote
from pitboss.core.money import MAX_CENTS
from pitboss.games import load_game
from pitboss.value_units import name_first_wager

_MOST_ROUNDS = 10_000


def protect(
    game: GameArgument,
    leak: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this leak; repeatable. Without it, every leak.")
    ] = None,
    within: Annotated[
        str, typer.Option(metavar="PERCENT", help="The standard error to reach for a sampled gain, of an Ante.")
    ] = "0.1%",
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="The most time to sample one leak: 90s, 30m or 2h.")
    ] = "60s",
    ante: Annotated[
        str, typer.Option(metavar="DOLLARS", help="The Ante, to compute the dollars per hour.")
    ] = f"{ANTE_CENTS // 100}",
    rounds: Annotated[
        int, typer.Option("--pace", "--rounds", min=1, max=_MOST_ROUNDS, help="The rounds that a seat plays per hour.")
    ] = ROUNDS_PER_HOUR,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="The seed of the sampled positions.")] = 1,
    option: RulingOptions = None,
    paytable: PayTableOptions = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Print how much each leak of hidden cards is worth to a player.

    The costliest leak comes first.  A leak is one or more of the dealer's hidden cards, a community card seen early,
    the rank or colour of one of these, the top of the stub, or neighbours' hands.  Its worth is what the best play that
    uses it gains over the best play without it, on average, in Antes per round.

    Small games are counted exactly.  Otherwise positions are dealt at random until the standard error is at most
    `--within`, or the time is up.  If too many deals can follow a position, these are sampled too, and the method is
    `nested`.

    For example:

        pitboss protect six-card --leak dealer-1 --leak dealer-2
        pitboss protect lunar --within 0.5% --budget 5m --json
    """
    of_game = load_game(game)
    chosen = parse_terms(of_game, paytable, option)
    terms = ProtectionSettings(
        within=verify_within(_parse_percent(within)),
        seconds=parse_seconds(budget),
        ante_cents=_parse_ante(ante),
        rounds_per_hour=rounds,
        seed=seed,
    )
    report = report_protection(of_game, chosen.paytables, chosen.options, leak or [], terms, show_progress)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        _print_report(of_game, report)


def _parse_percent(text: str) -> Fraction:
    """Parse a percentage.

    >>> _parse_percent("0.1%")
    Fraction(1, 1000)
    """
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?%", text):
        raise WagerError(
            f"--within {quote(text)} is not a percentage with its % sign: write for example 0.1%",
            code="invalid-within",
            within=text,
        )
    return Fraction(text[:-1]) / 100


def _parse_ante(text: str) -> int:
    cents = parse_dollars(text, "--ante")
    if not 0 < cents <= MAX_CENTS:
        raise WagerError(f"--ante is {text}: give more than 0 dollars", code="out-of-range", ante=text)
    return cents


def _print_report(game: Game, report: ProtectionReport) -> None:
    from rich.text import Text

    from pitboss.cli.terminal_tables import make_console, make_terminal_table
    from pitboss.reports.protection_section import group_advice, make_leak_table

    console, terms = make_console(), report.terms
    console.print()
    plain = report.expected_value
    wager = name_first_wager(game)
    without = "" if plain is None else f"; without a leak the player's edge is {float(plain):+.4%} of {wager}"
    console.print(Text.assemble((f"{game.name}: ", "bold"), f"what a leak is worth{without}"))
    table = make_leak_table(report)
    console.print(make_terminal_table(table, {"Error": 5, "Changed": 4, "$/hour": 3, "Edge": 2, "Gain": 1}))
    hour = f"{wager} of ${terms.ante_cents / 100:,.2f}, {terms.rounds_per_hour} rounds an hour"
    console.print(
        Text(f"Edge: the player's, of {wager}. Error: the gain's standard error. $/hour: {hour}.", "dim"),
        Text("Changed: the share of rounds in which another first action is better, ± its standard error.", "dim"),
        sep="\n",
    )
    if missed := [leak.id for leak in report.leaks if leak.standard_error > terms.within]:
        aim = f"{float(100 * terms.within):g}% for {', '.join(missed)}"
        console.print(Text(f"The time ran out before {aim}: raise --budget or --within.", "yellow"))
    for leak in report.leaks:
        console.print(Text.assemble((f"{leak.id}: ", "bold"), leak.sees))
    for (exploit, detect), leaks in group_advice(report).items():
        console.print(Text.assemble((f"{', '.join(leak.id for leak in leaks)}: ", "bold"), f"{exploit} {detect}"))
    console.print()
