"""The command line.

Typer reads arguments and Rich draws output.  The game logic is elsewhere.
"""

import gc
import os
import signal
import sys


def main() -> None:
    """Run ``pitboss`` with the process's arguments and exit with its status."""
    try:
        _enable_ctrl_c()
        gc.disable()  # until a command is loaded: almost nothing that modules make while they load is garbage
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it reads about every installed package
        from pitboss.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # while the program was still loading
        sys.exit(130)


def _enable_ctrl_c() -> None:
    """Let Ctrl-C interrupt a program at a terminal that inherited it as ignored.

    A shell without job control starts background jobs with Ctrl-C (SIGINT) ignored and with input from ``/dev/null``.
    A program that such a job starts on a terminal of its own inherits the ignored signal, so a player there could not
    stop it.  Programs without a terminal keep the setting that they were started with.
    """
    if sys.stdin is not None and sys.stdin.isatty() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
