"""The command line in this process, to hold the library against."""

from cli.conftest import invoke

__all__ = ["invoke"]
