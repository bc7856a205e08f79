"""Anchors: signed heads, kept where the ledger's machine cannot change them.

An anchor is a file that is added to, a printer (or anything that reads standard output), or a URL that takes a POST.
A ledger that does not contain a head that was anchored was cut off, rolled back or rewritten.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from pitboss.jackpot.audit import verify_exported_head
from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import HEAD_REVOKED, Signer, read_own_head, sign_head
from pitboss.ledger.store import Store

PRINTED = "-"
"""The anchor that prints heads."""

POST_SECONDS = 10
_HASH_GROUP = 8


class AnchoredHead(NamedTuple):
    """A head that was anchored, and its signed document."""

    head: LedgerHead
    document: str


def anchor_head(store: Store, signer: Signer, targets: tuple[str, ...], now: datetime) -> AnchoredHead:
    """Sign the present head of a ledger and give it to each anchor.

    A file that already ends with this head is not added to.

    Raises:
        LedgerError: the ledger or an anchor cannot be reached; the other anchors have the head.
    """
    with store.begin_read() as transaction:
        head = transaction.get_head()
    document = json.dumps(json.loads(sign_head(head, now.isoformat(timespec="seconds"), signer)))
    faults = [fault for target in targets if (fault := _try_anchor(target, head, document, signer))]
    if faults:
        raise LedgerError(f"the head was not anchored: {'; '.join(faults)}", code="not-anchored", faults=faults)
    return AnchoredHead(head, document)


def _try_anchor(target: str, head: LedgerHead, document: str, signer: Signer) -> str:
    """Give a head to an anchor; return why that failed, "" if it did not."""
    try:
        if target == PRINTED:
            sys.stdout.write("\n".join(format_head(head, document)) + "\n")
            sys.stdout.flush()
        elif "://" in target:
            _post(target, document)
        elif read_last_anchor(Path(target), signer) != head:
            with Path(target).open("a", encoding="ascii") as file:
                file.write(document + "\n")
    except (OSError, ValueError, HTTPException, LedgerError) as error:
        return f"{target}: {error}"
    return ""


def format_head(head: LedgerHead, document: str) -> Iterator[str]:
    """Yield the lines of a printed head: short ones, to be compared by eye."""
    at = json.loads(document)["at"]
    yield f"HEAD OF THE LEDGER at {at}"
    yield f"entry  {head.sequence:>12,}  {_group(head.hash)}"
    yield f"answer {head.answers:>12,}  {_group(head.answers_hash)}"
    yield document


def _group(digest: str) -> str:
    return " ".join(digest[start : start + _HASH_GROUP] for start in range(0, len(digest), _HASH_GROUP))


def _post(url: str, document: str) -> None:
    """Send a head to the operator's server, over HTTPS or on this machine."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        connection: HTTPConnection = HTTPSConnection(parts.netloc, timeout=POST_SECONDS)
    elif parts.scheme == "http" and _is_loopback(parts.hostname or ""):
        connection = HTTPConnection(parts.netloc, timeout=POST_SECONDS)
    else:
        raise ValueError("heads go to https:// addresses only, or to this machine")
    with closing(connection):
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connection.request("POST", path, document, {"Content-Type": "application/json"})
        status = connection.getresponse().status
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise OSError(f"it answers {status}")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def read_anchors(path: Path, signer: Signer) -> tuple[LedgerHead, ...]:
    """Return the heads in an anchor file, none if there is no file.

    Each was signed by a version of the key that is trusted.  Those that only a revoked version signed prove nothing:
    they are left out.

    Raises:
        LedgerError: it cannot be read, or holds something else than heads signed with the keys of this ring.
    """
    return tuple(_read_heads(_read_lines(path), signer))


def read_last_anchor(path: Path, signer: Signer) -> LedgerHead | None:
    """Return the last head in an anchor file, None if there is none.

    Raises:
        LedgerError: as ``read_anchors``.
    """
    return next(_read_heads(reversed(_read_lines(path)), signer), None)


def _read_heads(lines: Iterable[str], signer: Signer) -> Iterator[LedgerHead]:
    """Yield the heads that a trusted version of the key signed."""
    for line in lines:
        try:
            yield read_own_head(line, signer)
        except LedgerError as error:
            if error.code != HEAD_REVOKED:
                raise


def _read_lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError):
        raise LedgerError(f"cannot read the anchors in {path}", code="cannot-read", path=path) from None


def verify_anchors(store: Store, heads: tuple[LedgerHead, ...]) -> None:
    """Check that a ledger contains every anchored head.

    Raises:
        LedgerError: it does not: it was cut off, rolled back or rewritten.
    """
    with store.begin_read() as transaction:
        for head in heads:
            verify_exported_head(transaction, head)
