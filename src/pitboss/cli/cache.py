"""``pitboss cache``: list the files cached between runs, or remove unused ones."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from pitboss.cli.arguments import JsonOption
from pitboss.core.cache import MAX_UNUSED_SECONDS, cache_root, list_cache_usage, prune_cache

DAY_SECONDS = 24 * 3600
_NEXT_UNIT = 1024
_KIND_NAMES = {"syntax.json": "syntax of sources"}
"""The names of kinds that are a single file."""

app = typer.Typer(add_completion=False, rich_markup_mode="markdown", no_args_is_help=False)


@app.callback(invoke_without_command=True)
def cache(context: typer.Context) -> None:
    """List or remove what is cached: compiled kernels, counts, solutions.

    Everything in the cache can be rebuilt.  The cache is in the user's cache folder, or in the folder that
    PITBOSS_CACHE names.

    For example:

        pitboss cache
        pitboss cache list --json
        pitboss cache prune --days 0
    """
    if context.invoked_subcommand is None:
        list_()


@app.command("list")
def list_(*, as_json: JsonOption = False) -> None:
    """List the cache by kind: number of files, size and time of last use."""
    usage = list_cache_usage()
    if as_json:
        kinds = [{**each._asdict(), "used": _format_time(each.used)} for each in usage]
        size = sum(each.bytes for each in usage)
        typer.echo(json.dumps({"folder": str(cache_root()), "bytes": size, "kinds": kinds}))
        return
    from pitboss.cli.terminal_tables import Column, TerminalTable, make_console, make_number_columns

    table = TerminalTable((Column("Kind"), *make_number_columns("Files", "Size", "Last used (UTC)")))
    for each in usage:
        name, is_last = _KIND_NAMES.get(each.kind, each.kind), each is usage[-1]
        table.add_row(name, f"{each.files:,}", format_size(each.bytes), _format_time(each.used), rule=is_last)
    table.add_row("all", f"{sum(each.files for each in usage):,}", format_size(sum(each.bytes for each in usage)))
    make_console().print(f"Cached in {cache_root()}", table, sep="\n")


@app.command("prune")
def prune_(
    days: Annotated[
        int, typer.Option(min=0, max=36_500, help="Remove files not used for this many days; 0 removes everything.")
    ] = MAX_UNUSED_SECONDS // DAY_SECONDS,
) -> None:
    """Remove cached files not used for a while; they are rebuilt when needed."""
    typer.echo(f"freed {format_size(prune_cache(days * DAY_SECONDS))} in {cache_root()}")


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def format_size(size: int) -> str:
    """Format a number of bytes for people.

    >>> format_size(512), format_size(2_500_000)
    ('512 B', '2.4 MiB')
    """
    amount = float(size)
    for unit in ("B", "KiB", "MiB"):
        if amount < _NEXT_UNIT:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= _NEXT_UNIT
    return f"{amount:.1f} GiB"
