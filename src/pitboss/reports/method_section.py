"""The last section of a submission: method, versions, commands."""

import shlex
from collections.abc import Iterator
from fractions import Fraction

from pitboss.analysis.return_band import TAIL_PROBABILITY
from pitboss.analysis.solutions import compute_method_hash
from pitboss.core.money import format_dollars
from pitboss.core.version import __version__
from pitboss.engine.solver_lookup import can_solve
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.document import LEFT, ListBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import describe_method
from pitboss.reports.report import GameReport
from pitboss.reports.submission import Submission

_CHECK_ROUNDS = 10_000_000


def make_method_section(report: GameReport) -> Section:
    """Return methods, versions, hashes, and a command for each figure."""
    rows = [
        ("pitboss", __version__),
        ("Rules and methods, hash of their syntax", compute_method_hash(report.game)),
        *((sheet.wager.name, f"{describe_method(sheet)}; {sheet.deals:,} deals") for sheet in report.sheets),
    ]
    methods = (
        (
            "Counts are whole numbers and values are fractions throughout; they are rounded only when printed. "
            "Every deal is settled by the functions that settle the table."
        ),
        "Main's outcomes are those of the best play: at each decision the action whose exact value is greatest.",
        (
            "Bands of the return: the distribution of one round, as probabilities on a lattice, is transformed "
            "(Fourier), raised to the number of rounds and transformed back, on a window that the sum leaves with a "
            f"probability below {TAIL_PROBABILITY:g} (Chernoff). The error of each probability is bounded and printed."
        ),
        "Hold on drop: the distribution of the player's chips is convolved round by round.",
        "Figures that are simulated or sampled say so, with their standard error.",
    )
    return Section(
        "Method, versions and reproduction",
        (
            ListBlock(methods),
            TableBlock("Versions", ("What", "How"), LEFT * 2, tuple(rows)),
            TextBlock("Each figure again, on any machine with the same version:"),
            TableBlock("Commands", ("Figure", "Command"), LEFT * 2, tuple(_iter_commands(report))),
        ),
    )


def _iter_commands(report: GameReport) -> Iterator[tuple[str, str]]:
    """Yield a command for each kind of figure, with the terms of the report."""
    game, submission = report.game, report.submission
    if submission is None:
        return
    terms = _format_terms(report)
    meter = _format_meter(report)
    yield "Rules, pay tables, options", f"pitboss rules {game.id}"
    for sheet in report.sheets:
        flags = f"{terms}{meter if sheet.presets else ''}"
        yield f"Outcome table of {sheet.wager.name}", f"pitboss par {game.id} --bet {sheet.wager.id}{flags} --json"
    for example in submission.examples:
        if example.seed is None:
            path = f"{game.folder.name}/rounds/{example.recorded}"
            yield "Recorded example, in the folder of games", f"pitboss replay {path}"
            continue
        stakes = " ".join(
            f"--wager {each.bet}={format_dollars(each.cents).removeprefix('$')}" for each in example.played.stakes
        )
        answers = "".join(f"{action}\\n" for action in example.list_actions())
        play = f"pitboss play {game.id} --rounds 1 --seed {example.seed} {stakes}{terms}"
        yield f"Example of seed {example.seed}", f"printf '{answers}' | {play}"
    whole = f"pitboss report {game.id} --for submission{terms}{meter}{_format_table(submission)}"
    yield "Bands, awards, exposure, hold", f"{whole} --output submission.json"
    if can_solve(game):
        yield "The best play, solved again", f"pitboss solve {game.id}{terms}"
        yield "Strategies and what they cost", f"pitboss strategy {game.id}{terms}"
    yield "An independent check of the edges", f"pitboss simulate {game.id} --rounds {_CHECK_ROUNDS} --seed 1{terms}"
    if game.decisions:
        yield "What leaks are worth", f"pitboss protect {game.id}"


def _format_terms(report: GameReport) -> str:
    """Format the options and pay tables that are not the defaults."""
    game, terms = report.game, report.terms
    options = (
        f" --option {each.name}={terms.options[each.name]}"
        for each in game.options
        if terms.options[each.name] != each.default
    )
    builtin = load_builtin_paytables(game)
    tables = (
        f" --paytable {shlex.quote(f'{table.bet}={table.id}' if table in builtin else table.file)}"
        for table in terms.paytables.values()
        if not (table.default and table in builtin)
    )
    return "".join((*tables, *options))


def _format_meter(report: GameReport) -> str:
    meters = (sheet.extras.get("meter") for sheet in report.sheets)
    seeds = (sheet.extras.get("seed") for sheet in report.sheets)
    return "".join(
        f" --meter {float(meter):.2f}"
        for meter, seed in zip(meters, seeds, strict=True)
        if isinstance(meter, Fraction) and meter != seed
    )


def _format_table(submission: Submission) -> str:
    """Format the table and the player that the submission assumes."""
    settings, player = submission.settings, submission.settings.player
    flags = [
        f"--seats {submission.seats}",
        f"--pace {player.rounds_per_hour}",
        f"--average-bet {player.bet_cents / 100:g}",
        f"--hours {float(player.hours):g}",
        f"--buy-in {player.buy_in_cents / 100:g}",
        *([f"--preset {settings.preset}"] if settings.preset else []),
        *(f"--limit {bet}={low / 100:g}-{high / 100:g}" for bet, (low, high) in settings.limits.items()),
        *([f"--aggregate-limit {settings.aggregate_cents / 100:g}"] if settings.aggregate_cents else []),
    ]
    return " " + " ".join(flags)
