"""The commands, found by name: one module each, ``pitboss.cli.NAME`` with a function ``NAME``, loaded when called.

So ``pitboss --help`` loads none of them.  A new command is its module and a line in ``COMMANDS``; a module that has a
Typer ``app`` is a group of commands.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pitboss.core.errors import PitbossError, UnknownNameError
from pitboss.core.version import __version__

COMMANDS = {
    "games": "List the games with their bets, pay tables and options.",
    "rules": "Explain a game: how it is dealt and settled, its wagers, pay tables and options.",
    "par": "Print the exact PAR sheet of a bet, or of every bet of a game that has one.",
    "report": "Write a report of a game, or of all: rules, pay tables, PAR sheets, play and options, as a file.",
    "hint": "Value every legal action with the cards that lie there, exactly, the best first.",
    "strategy": "Print a game's practical strategy, its exact cost against the best play, and what simpler ones cost.",
    "solve": "Find the best play of a game's main wager, keep it, and print its exact PAR sheet.",
    "simulate": "Play a game by a strategy, as many rounds as asked for, and tell what every wager came to.",
    "play": "Play a game in the terminal: choose wagers, see the cards, decide, see each wager settled and why.",
    "jackpot": "Run a progressive: meters, hits, confirmations and payments, in a ledger that loses nothing.",
    "serve": "Play in the browser: tables, coach, dealer training, PAR sheets; the progressive and its API.",
    "replay": "Settle a recorded round again: every card, decision and payment checked against the rules.",
    "cache": "Show or clear what is kept between runs: compiled kernels, counts, solutions.",
    "verify": "Draw the deck of a provably fair round again, and say line by line what holds.",
}

BAD_INPUT_STATUS = 2
PIPE_CLOSED_STATUS = 1

MIN_HELP_COLUMNS = 72
"""Where a terminal has fewer, lines of a help page are folded by it: drawn for so few, words of it would be cut."""


class _CommandGroup(TyperGroup):
    """The group of all commands; it has stand-ins to list and loads the one that is called."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, _ctx: Any, cmd_name: str) -> TyperCommand | None:
        """Return a stand-in that has no more than a name and a line of help."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Load the command that the first argument names.

        Raises:
            UnknownNameError: it names none.
        """
        name, *rest = args
        if name in COMMANDS:
            return name, _load_command(name), rest
        if ctx.resilient_parsing:  # a shell completes a line
            return None, None, rest
        raise UnknownNameError("command", name, COMMANDS)


def _load_command(name: str) -> Any:
    module = import_module(f"pitboss.cli.{name}")
    if hasattr(module, "app"):
        return typer.main.get_command(module.app)
    alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    alone.command(name)(getattr(module, name))
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=_CommandGroup, invoke_without_command=True, rich_markup_mode="markdown", pretty_exceptions_enable=False
)


def _print_version(wanted: object) -> None:
    if wanted:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def pitboss(
    context: typer.Context,
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Exact mathematics and play of house-banked casino poker games.

    For example:

        pitboss games
        pitboss par six-card --bet aces-up --paytable all
        pitboss play six-card

    `pitboss COMMAND --help` explains a command, with examples.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, the process's own unless given, and return the exit status.

    Bad input of any kind, and a folder or file that cannot be used, is one line on stderr and 2; Ctrl-C is 130.  When
    whoever reads has heard enough (``| head``) it is 1 without a word, as Rich ends then.
    """
    if shutil.get_terminal_size().columns < MIN_HELP_COLUMNS:
        os.environ.setdefault("TERMINAL_WIDTH", str(MIN_HELP_COLUMNS))  # Typer draws its pages for that
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a path may have bytes that no encoding has
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(arguments, prog_name="pitboss", standalone_mode=False)
        sys.stdout.flush()
    except PitbossError as error:
        return _report_error(str(error))
    except typer.TyperException as error:
        return _report_error(f"{_describe_usage_error(error)}; see {_get_command_path(error)} --help")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered goes there at the end
        return PIPE_CLOSED_STATUS
    except OSError as error:
        return _report_error(f"cannot use {error.filename or 'a file'}: {error.strerror}")
    except typer.Abort:
        return _report_error("input ended before it was answered")
    return status if isinstance(status, int) else 0


def _describe_usage_error(error: typer.TyperException) -> str:
    """Say what is wrong with a command line: of a value what its type says, told as all such faults are."""
    from pydantic import ValidationError

    from pitboss.core.strict_model import format_error

    if not isinstance(error.__cause__, ValidationError):
        return error.format_message().rstrip(".")
    parameter = getattr(error, "param", None)
    name = parameter.metavar or parameter.opts[0] if parameter else "this"
    return format_error({**error.__cause__.errors()[0], "loc": (name,)}).rstrip(".")


def _get_command_path(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context else "pitboss"


def _report_error(message: str) -> int:
    sys.stderr.write(f"pitboss: {' '.join(message.split())}\n")
    return BAD_INPUT_STATUS
