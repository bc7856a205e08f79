"""The command line.

Typer reads arguments and Rich draws output.  The game logic is elsewhere.
"""

import sys


def main() -> None:
    """Run ``pitboss`` with the process's arguments and exit with its status."""
    try:
        from pitboss.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # while the program was still loading
        sys.exit(130)
