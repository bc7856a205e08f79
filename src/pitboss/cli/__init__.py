"""The command line: Typer asks, Rich draws, and nothing here decides anything."""

import sys


def main() -> None:
    """Run ``pitboss`` with the arguments of the process and leave with its exit status."""
    try:
        from pitboss.cli.app import run

        sys.exit(run())
    except KeyboardInterrupt:  # while the program was still being loaded
        sys.exit(130)
