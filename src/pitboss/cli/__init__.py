"""The command line.

Typer reads arguments and Rich draws output.  The game logic is elsewhere.
"""

import signal
import sys


def main() -> None:
    """Run ``pitboss`` with the process's arguments and exit with its status."""
    try:
        _heed_ctrl_c()
        from pitboss.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # while the program was still loading
        sys.exit(130)


def _heed_ctrl_c() -> None:
    """Let Ctrl-C interrupt a command that reads from a terminal.

    A shell without job control starts background jobs with SIGINT ignored and with input from ``/dev/null``.  A program
    to which such a job gives a terminal inherits the first only.  Without a terminal SIGINT stays ignored.
    """
    if sys.stdin is not None and sys.stdin.isatty() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
