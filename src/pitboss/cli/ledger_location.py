"""Where a ledger and its signing key are: a file, or the URL of a database."""

import os
from pathlib import Path

from pitboss.core.errors import quote
from pitboss.jackpot.errors import RefusalError

_SUPPORTED = ("sqlite", "postgresql+psycopg")
"""The databases that hold a ledger."""


def to_database_url(ledger: str) -> str:
    """Return the database URL of a ledger given as a file or a URL."""
    return ledger if "://" in ledger else f"sqlite:///{Path(ledger).absolute()}"


def verify_supported(ledger: str) -> None:
    """Check the database of a ledger that is given as a URL.

    Raises:
        RefusalError: it is neither SQLite nor PostgreSQL.
    """
    kind, url, _ = ledger.partition("://")
    if url and kind not in _SUPPORTED:
        raise RefusalError(
            f"--ledger {quote(f'{kind}://...')} is not supported: use an SQLite file or {_SUPPORTED[1]}://...",
            code="unknown-database",
            drivername=kind,
        )


def find_ledger_file(ledger: str) -> Path | None:
    """Return the SQLite file of a ledger; None if it is elsewhere."""
    if "://" not in ledger:
        return Path(ledger)
    path = ledger.removeprefix("sqlite:///").partition("?")[0] if ledger.startswith("sqlite:///") else ""
    return Path(path) if path and path != ":memory:" else None


def get_key_path(ledger: str) -> Path:
    """Return the path of the signing key.

    It is PITBOSS_KEY, or a file next to an SQLite ledger.

    Raises:
        RefusalError: the ledger is not a file, and PITBOSS_KEY is not set.
    """
    path = os.environ.get("PITBOSS_KEY")
    if path:
        return Path(path)
    verify_supported(ledger)
    if "://" in ledger:
        raise RefusalError("set PITBOSS_KEY to the file of this ledger's signing key", code="key-not-set")
    return Path(f"{ledger}.key")
