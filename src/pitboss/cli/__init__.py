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
    """Let Ctrl-C interrupt whoever answers at a terminal, also where it was inherited as ignored.

    Shells without job control start background jobs with SIGINT ignored and input from ``/dev/null``, and a program
    that such a job starts inherits the first with a terminal of its own.  Jobs without a terminal stay as they were
    started.
    """
    if sys.stdin is not None and sys.stdin.isatty() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
