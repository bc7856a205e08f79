"""Records and their hashes: each names the hash of the one before, so nothing can be changed, swapped or left out.

A hash is the SHA-256 of a record's canonical JSON: keys sorted, no spaces, ASCII, whole numbers.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

GENESIS_HASH = "0" * 64
"""What the first record names as the one before."""


class LedgerPosting(NamedTuple):
    """A posting: so many units to an account, for a purpose."""

    account: str
    purpose: str
    units: int


class Contribution(NamedTuple):
    """A seat's wager of a round, which can be taken but once."""

    table_number: int
    round_number: int
    seat: int
    wager_cents: int


class EntryDraft(NamedTuple):
    """An entry that is to be added: who did what when, what it moved, and the meter after it."""

    at: str
    actor: str
    kind: str
    data: str
    meter_units: int
    reserve_units: int
    postings: Sequence[LedgerPosting] = ()
    contributions: Sequence[Contribution] = ()


class Entry(NamedTuple):
    """An entry of the ledger, with its place and its hashes."""

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
    """The first answer to a command: entries ``first`` to ``last``, or (both 0) a refusal and its one line."""

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


class LedgerHead(NamedTuple):
    """How far the ledger has come: the last entry and the last answer, with their hashes."""

    sequence: int = 0
    hash: str = GENESIS_HASH
    answers: int = 0
    answers_hash: str = GENESIS_HASH


class Checkpoint(NamedTuple):
    """A state that was checked, as JSON, with the head that it belongs to; both are signed."""

    entry: int
    head: str
    state: str
    signature: str


def to_canonical_json(record: Mapping[str, object]) -> str:
    """Write a record in the one way that is hashed.

    >>> to_canonical_json({"b": (1, 2), "a": None})
    '{"a":null,"b":[1,2]}'
    """
    # What is no JSON, as a damaged file may hold bytes, is written so that no hash fits.
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=repr)


def compute_digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def compute_hash(record: Entry | CommandAnswer) -> str:
    """Return what the hash of a record must be."""
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


def find_chain_fault(record: Entry | CommandAnswer, position: int, previous: str) -> str:
    """Say why a record cannot stand at its place behind ``previous``; nothing, if it can."""
    what, number = ("entry", record.sequence) if isinstance(record, Entry) else ("answer", record.number)
    if number != position:
        return f"{what} {position} is missing"
    if record.previous != previous:
        return f"{what} {position} does not follow the one before"
    return "" if record.hash == compute_hash(record) else f"{what} {position} is not what was written"
