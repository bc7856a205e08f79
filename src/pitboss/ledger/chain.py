"""Records and their hashes: each names the hash of the one before, so nothing can be changed, swapped or left out.

A hash is the SHA-256 of a record's canonical JSON: keys sorted, no spaces, ASCII, whole numbers.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

BEGINNING = "0" * 64
"""What the first record names as the one before."""


class Moved(NamedTuple):
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


class Draft(NamedTuple):
    """An entry that is to be added: who did what when, what it moved, and the meter after it."""

    at: str
    actor: str
    kind: str
    data: str
    meter_units: int
    reserve_units: int
    postings: Sequence[Moved] = ()
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
    postings: tuple[Moved, ...]
    contributions: tuple[Contribution, ...]


class Answer(NamedTuple):
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


class Head(NamedTuple):
    """How far the ledger has come: the last entry and the last answer, with their hashes."""

    sequence: int = 0
    hash: str = BEGINNING
    answers: int = 0
    answers_hash: str = BEGINNING


class Checkpoint(NamedTuple):
    """A state that was checked, as JSON, with the head that it belongs to; both are signed."""

    entry: int
    head: str
    state: str
    signature: str


def canonical(record: Mapping[str, object]) -> str:
    """Write a record in the one way that is hashed.

    >>> canonical({"b": (1, 2), "a": None})
    '{"a":null,"b":[1,2]}'
    """
    # What is no JSON, as a damaged file may hold bytes, is written so that no hash fits.
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=repr)


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def hash_of(record: Entry | Answer) -> str:
    """Return what the hash of a record must be."""
    fields = record._asdict()
    del fields["hash"]
    return digest(canonical(fields))


def chained(draft: Draft, head: Head, software: str) -> Entry:
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
    return entry._replace(hash=hash_of(entry))


def broken(record: Entry | Answer, place: int, previous: str) -> str:
    """Say why a record cannot stand at its place behind ``previous``; nothing, if it can."""
    what, number = ("entry", record.sequence) if isinstance(record, Entry) else ("answer", record.number)
    if number != place:
        return f"{what} {place} is missing"
    if record.previous != previous:
        return f"{what} {place} does not follow the one before"
    return "" if record.hash == hash_of(record) else f"{what} {place} is not what was written"
