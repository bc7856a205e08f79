"""Where a ledger and its signing key are: a file, or the URL of a database."""

import os
from pathlib import Path

from pitboss.core.errors import quote
from pitboss.jackpot.errors import RefusalError

_SQLITE_START = b"SQLite format 3\0"

_SUPPORTED = ("sqlite", "postgresql+psycopg")
"""The databases that hold a ledger."""


def to_database_url(ledger: str) -> str:
    """Return the database URL of a ledger given as a file or a URL."""
    return ledger if "://" in ledger else f"sqlite:///{Path(ledger).absolute()}"


def verify_supported(ledger: str) -> None:
    """Check the database of a ledger.

    Raises:
        RefusalError: it is neither SQLite nor PostgreSQL, or a file of another kind.
    """
    kind, url, _ = ledger.partition("://")
    if url and kind not in _SUPPORTED:
        raise RefusalError(
            f"--ledger {quote(f'{kind}://...')} is not supported: use an SQLite file or {_SUPPORTED[1]}://...",
            code="unknown-database",
            drivername=kind,
        )
    _verify_is_database(find_ledger_file(ledger))


def find_ledger_file(ledger: str) -> Path | None:
    """Return the SQLite file of a ledger; None if it is elsewhere."""
    if "://" not in ledger:
        return Path(ledger)
    path = ledger.removeprefix("sqlite:///").partition("?")[0] if ledger.startswith("sqlite:///") else ""
    return Path(path) if path and path != ":memory:" else None


def _verify_is_database(file: Path | None) -> None:
    """Check that a file, if it is there, is a database (raises RefusalError)."""
    if file is None or not file.is_file():
        return
    with file.open("rb") as opened:
        start = opened.read(len(_SQLITE_START))
    if start and start != _SQLITE_START:
        raise RefusalError(
            f"{file} is not a ledger: name one that pitboss jackpot init created", code="not-a-ledger", file=file
        )


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
