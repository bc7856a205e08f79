"""Records and their hash chain.

Each record names the previous hash, so none can be changed, swapped or removed.  A hash is the SHA-256 of a record's
canonical JSON: keys sorted, no spaces, ASCII, whole numbers.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeVar

from pitboss.ledger.errors import LedgerError

GENESIS_HASH = "0" * 64
"""The previous hash that the first record names."""


class LedgerPosting(NamedTuple):
    """A posting of units to an account, for a purpose."""

    account: str
    purpose: str
    units: int


class Contribution(NamedTuple):
    """A seat's wager of a round, which can be taken only once."""

    table_number: int
    round_number: int
    seat: int
    wager_cents: int


class EntryDraft(NamedTuple):
    """An entry to add: who did what and when, its postings, and the meter.

    The meter is the one after the entry.
    """

    at: str
    actor: str
    kind: str
    data: str
    meter_units: int
    reserve_units: int
    postings: Sequence[LedgerPosting] = ()
    contributions: Sequence[Contribution] = ()


class Entry(NamedTuple):
    """An entry of the ledger, with its sequence number and hashes."""

    sequence: int
    at: str
    actor: str
    kind: str
    data: str
    meter_units: int
    reserve_units: int
    software: str
    previous: str
    hash: str
    postings: tuple[LedgerPosting, ...]
    contributions: tuple[Contribution, ...]


class CommandAnswer(NamedTuple):
    """The first answer to a command: entries, or a refusal with its message.

    The entries are ``first`` to ``last``, both 0 for a refusal.
    """

    number: int
    key: str
    command: str
    at: str
    actor: str
    status: str
    message: str
    first: int
    last: int
    previous: str
    hash: str


Record = TypeVar("Record", Entry, CommandAnswer)


class LedgerHead(NamedTuple):
    """The numbers and hashes of the ledger's last entry and last answer."""

    sequence: int = 0
    hash: str = GENESIS_HASH
    answers: int = 0
    answers_hash: str = GENESIS_HASH


class Checkpoint(NamedTuple):
    """An audited state as JSON with the head that it belongs to; both are signed."""

    entry: int
    head: str
    state: str
    signature: str


def to_canonical_json(record: Mapping[str, object]) -> str:
    """Return the canonical JSON of a record, from which its hash is computed.

    >>> to_canonical_json({"b": (1, 2), "a": None})
    '{"a":null,"b":[1,2]}'
    """
    # A damaged file may hold bytes; they are written by ``repr``, so that no hash fits.
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=repr)


def compute_digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def compute_hash(record: Entry | CommandAnswer) -> str:
    """Return the correct hash of a record."""
    fields = record._asdict()
    del fields["hash"]
    return compute_digest(to_canonical_json(fields))


def chain_entry(draft: EntryDraft, head: LedgerHead, software: str) -> Entry:
    """Return the entry that follows ``head``."""
    entry = Entry(
        sequence=head.sequence + 1,
        at=draft.at,
        actor=draft.actor,
        kind=draft.kind,
        data=draft.data,
        meter_units=draft.meter_units,
        reserve_units=draft.reserve_units,
        software=software,
        previous=head.hash,
        hash="",
        postings=tuple(draft.postings),
        contributions=tuple(draft.contributions),
    )
    return entry._replace(hash=compute_hash(entry))


def iter_verified_chain(records: Iterable[Record], after: int = 0, previous: str = GENESIS_HASH) -> Iterator[Record]:
    """Yield records, verifying that each follows the one before.

    ``after`` is the number of the record before the first, ``previous`` its hash.

    Raises:
        LedgerError: one is missing or was changed.
    """
    for position, record in enumerate(records, after + 1):
        if fault := find_chain_fault(record, position, previous):
            raise LedgerError(f"the chain is broken: {fault}", code="chain-broken", fault=fault)
        yield record
        previous = record.hash


def find_chain_fault(record: Entry | CommandAnswer, position: int, previous: str) -> str:
    """Return why a record cannot follow the hash ``previous``, or "" if it can."""
    what, number = ("entry", record.sequence) if isinstance(record, Entry) else ("answer", record.number)
    if number != position:
        return f"{what} {position} is missing"
    if record.previous != previous:
        return f"{what} {position} does not follow the one before"
    return "" if record.hash == compute_hash(record) else f"{what} {position} is not what was written"
