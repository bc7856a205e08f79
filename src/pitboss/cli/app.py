"""The table of commands and the entry point that runs one.

Each command is a function ``NAME`` in a module ``pitboss.cli.NAME``, which is loaded only when it is called:
``pitboss --help`` loads none of them.  To add a command, write its module and add a line to ``COMMANDS``.  A module
with a Typer ``app`` is a group of commands.
"""

import gc
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pitboss.core.errors import PitbossError, UnknownNameError
from pitboss.core.numbers import strip_separators
from pitboss.core.text import shorten_values
from pitboss.core.version import __version__

COMMANDS = {
    "games": "List the games with their bets, pay tables and options.",
    "rules": "Explain a game: its deal, settlement, wagers, pay tables and options.",
    "par": "Print the exact PAR sheet of a bet, or of every bet of a game that has one.",
    "report": "Write a report of one game or all: rules, pay tables, PAR sheets and play.",
    "chart": "Draw a chart of a game or a bet, or print its data.",
    "hint": "Print the exact value of every legal action for the given cards, best first.",
    "strategy": "Print a game's practical strategy, its exact cost, and simpler strategies.",
    "solve": "Find the best play of a game, store it, and print its exact PAR sheet.",
    "tune": "Find pay tables of a bet that have a target house edge.",
    "protect": "Print how much each leak of hidden cards is worth to a player.",
    "monitor": "Judge actual results of tables against the exact distribution of a bet.",
    "simulate": "Play many rounds with a strategy and report the result of every wager.",
    "play": "Play a game in the terminal: place wagers, decide, and see them settled.",
    "jackpot": "Run a progressive, with every step in a tamper-evident ledger.",
    "serve": "Serve tables to the browser: play, training, PAR sheets, progressive, API.",
    "replay": "Settle a recorded round again and check every card, decision and payment.",
    "cache": "List or remove what is cached: compiled kernels, counts, solutions.",
    "verify": "Check a provably fair round: recompute its deck and compare the record.",
}

BAD_INPUT_STATUS = 2
PIPE_CLOSED_STATUS = 1

_METAVARS = {int: "N", str: "TEXT", Path: "FILE", list[Path]: "FILE"}
"""What the help pages show where a parameter has no metavar of its own."""

_EXTRA_ARGUMENT = re.compile(r"unexpected extra argument\S* \((\S*).*\)")

MIN_HELP_COLUMNS = 72
"""The narrowest help page that is drawn: a narrower terminal folds its lines, but Typer would cut words off."""


class _CommandGroup(TyperGroup):
    """The group of all commands.

    It lists stand-ins, and loads the command that is called.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the program."""
        return _hide_types(super().get_params(ctx))

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the command names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, _ctx: Any, cmd_name: str) -> TyperCommand | None:
        """Return a stand-in with only a name and a line of help."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Load the command that the first argument names.

        Raises:
            UnknownNameError: there is no such command.
        """
        name, *rest = args
        if name in COMMANDS:
            return name, load_command(name), rest
        if ctx.resilient_parsing:  # a shell completes a line
            return None, None, rest
        raise UnknownNameError("command", name, COMMANDS)


def load_command(name: str) -> Any:
    """Load a command, or a group of commands, by its name."""
    module = import_module(f"pitboss.cli.{name}")
    if not gc.isenabled():
        gc.freeze()  # the modules stay: never look through them
        gc.enable()
    if hasattr(module, "app"):
        return _hide_flag_types(typer.main.get_command(module.app))
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command(name)(getattr(module, name))
    return _hide_flag_types(typer.main.get_command(single))


def _hide_flag_types(command: Any) -> Any:
    """Hide the types of flags on a command's help pages; return the command."""
    _hide_types(command.get_params(typer.Context(command)))
    for each in getattr(command, "commands", {}).values():
        _hide_flag_types(each)
    return command


def _show_no_type(ctx: object) -> None:
    """Stand for what shows the type of an argument in ``ctx``."""


def _convert_number(convert: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Convert a whole number that may have commas between its thousands."""
    return convert(context, strip_separators(value) if isinstance(value, str) else value)


def _hide_types(parameters: list[Any]) -> list[Any]:
    """Show what to write instead of Python's types, and read 1,000 as a number.

    A flag takes no value.
    """
    for parameter in parameters:
        annotation = parameter.type_descriptor.annotation
        if annotation in (int, int | None):
            parameter.process_value = partial(_convert_number, parameter.process_value)
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.param_type_name == "option" and parameter.metavar is None:
            parameter.metavar = _METAVARS.get(annotation)
        elif parameter.param_type_name == "argument" and annotation in (str, int, Path):
            parameter.display_type_rich = _show_no_type  # its name says it
    return parameters


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
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Analyse, simulate, play and serve house-banked casino poker games.

    For example:

        pitboss games
        pitboss par six-card --bet aces-up --paytable all
        pitboss play six-card

    `pitboss COMMAND --help` explains a command, with examples.  PITBOSS_GAMES names folders of your own games,
    PITBOSS_CACHE the folder of what is cached.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (by default the process's own) and return the exit status.

    Bad input, or a folder or file that cannot be used, writes one line to stderr and returns 2.  Ctrl-C returns 130.
    A closed output pipe (``| head``) returns 1 without a message, as Rich does.
    """
    if shutil.get_terminal_size().columns < MIN_HELP_COLUMNS:
        os.environ.setdefault("TERMINAL_WIDTH", str(MIN_HELP_COLUMNS))  # Typer draws its pages this wide
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a path may hold bytes that cannot be encoded
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(arguments, prog_name="pitboss", standalone_mode=False)
        sys.stdout.flush()
    except PitbossError as error:
        return report_error(str(error))
    except typer.TyperException as error:
        if not error.format_message():  # a group without a command: its help was printed
            return 0
        words = list(sys.argv[1:] if arguments is None else arguments)
        return report_error(f"{_describe_usage_error(error, words)}; see {_find_command_path(words)} --help")
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # Python flushes what is still buffered there at exit
        return PIPE_CLOSED_STATUS
    except OSError as error:
        return report_error(f"cannot use {error.filename or 'a file'}: {error.strerror}")
    except typer.Abort:
        return report_error("input ended before the question was answered")
    return status if isinstance(status, int) else 0


def _describe_usage_error(error: typer.TyperException, words: Sequence[str]) -> str:
    """Return what is wrong with a command line.

    A bad value is described as its type describes it; a value after a flag is told apart from an argument.
    """
    from pydantic import ValidationError

    from pitboss.core.strict_model import format_error

    if not isinstance(error.__cause__, ValidationError):
        message = error.format_message().rstrip(".")
        extra = _EXTRA_ARGUMENT.search(message)
        before = words[words.index(extra[1]) - 1] if extra and extra[1] in words[1:] else ""
        return f"{message}: {before} takes no value" if before.startswith("--") else message
    parameter = getattr(error, "param", None)
    is_argument = parameter is not None and parameter.param_type_name == "argument"
    name = (parameter.metavar if is_argument else parameter.opts[0]) if parameter else "this"
    return format_error({**error.__cause__.errors()[0], "loc": (name,)}).rstrip(".")


def _find_command_path(words: Sequence[str]) -> str:
    """Return the command that words begin with, also one of a group."""
    path = ["pitboss", *(word for word in words[:1] if word in COMMANDS)]
    known = getattr(load_command(words[0]), "commands", {}) if len(path) > 1 else {}
    for word in words[1:]:
        if word not in known:
            break
        path.append(word)
        known = getattr(known[word], "commands", {})
    return " ".join(path)


def report_error(message: str) -> int:
    """Write an error as one line to stderr, and return the exit status."""
    sys.stderr.write(f"pitboss: {shorten_values(' '.join(message.split()))}\n")
    return BAD_INPUT_STATUS
