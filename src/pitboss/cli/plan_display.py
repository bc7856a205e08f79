"""Print how a game would be solved, and read the time that it may take."""

import json
import re
from dataclasses import asdict

import typer

from pitboss.cli.terminal_tables import make_console, make_figures_table, make_terminal_table
from pitboss.core.errors import WagerError
from pitboss.engine.plan import OWN_SOLVER, Plan, format_duration
from pitboss.reports.document import LEFT, TableBlock

_SECONDS = {"s": 1, "m": 60, "h": 3600}

_WAYS = {
    "own-solver": "by the game's own solver",
    "census": "by a census of all private hands",
    "draw-census": "by a census of all hands before and after one card is drawn",
    "visit": "by a visit of every deal, up to an exchange of suits",
}


def parse_seconds(text: str) -> int:
    """Parse a time: a whole number with s, m or h.

    >>> parse_seconds("90s"), parse_seconds("2h")
    (90, 7200)

    Raises:
        WagerError: the text is not a time.
    """
    match = re.fullmatch(r"([1-9][0-9]{0,5})([smh])", text)
    if not match:
        raise WagerError(
            f"{text!r} is not a time: write a whole number from 1 with s, m or h, for example 90s or 2h",
            code="invalid-time",
            text=text,
        )
    return int(match[1]) * _SECONDS[match[2]]


def print_plan(plan: Plan, *, as_json: bool) -> None:
    """Print a plan, for people or as JSON."""
    if as_json:
        typer.echo(json.dumps(asdict(plan)))
        return
    console = make_console()
    rows = tuple(
        (_format_places(each.places), ", ".join(each.fields), each.decision or "after the last decision")
        for each in plan.places
    )
    console.print(
        make_terminal_table(
            TableBlock("Who sees which cards when", ("Cards dealt", "Field", "First seen at"), LEFT * 3, rows)
        )
    )
    if plan.way == OWN_SOLVER:  # how long that takes is measured, not planned
        console.print(make_figures_table((("Solved", "", _WAYS[plan.way]),)))
        return
    console.print(
        make_figures_table(
            (
                ("Solved", "", _WAYS[plan.way]),
                ("Private hands" if plan.way.endswith("census") else "Settlements", f"{plan.operations:,}", ""),
                *([("Not by a census", "", plan.no_census)] if plan.no_census else []),
                ("Time", format_duration(plan.seconds), "about, on one core"),
                ("Memory", f"{plan.memory_bytes >> 20:,} MiB", "about, a process"),
                *([("For each further core", f"{plan.core_bytes >> 20:,} MiB", "about")] if plan.core_bytes else []),
            )
        )
    )


def _format_places(places: tuple[int, ...]) -> str:
    """Format places of the deck, counted from the first card dealt."""
    first, last = places[0] + 1, places[-1] + 1
    if last - first == len(places) - 1:
        return f"{first}" if first == last else f"{first} to {last}"
    return ", ".join(f"{place + 1}" for place in places)
