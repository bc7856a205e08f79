"""Catching up with what others have written to a ledger.

A head that is not the one a controller knows must be signed: the hashes of a chain can be computed by anybody, so
entries and answers that follow one another may still be forged.  Nothing is signed on top of what was not.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from pydantic import ValidationError

from pitboss.jackpot.audit import AuditResult, replay_entries, verify_answers, verify_same_end
from pitboss.jackpot.events import parse_event
from pitboss.jackpot.staff_events import KeysChanged
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import CommandAnswer, Entry, LedgerHead
from pitboss.ledger.errors import LedgerError, RecordFaultError
from pitboss.ledger.signed_head import verify_signed_head
from pitboss.ledger.signing import OTHER_RING, Signer
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Transaction


@contextmanager
def _marking_faults() -> Iterator[None]:
    """Mark errors as faults of the record."""
    try:
        yield
    except LedgerError as error:
        if error.code == OTHER_RING:  # a fault of this process
            raise
        raise RecordFaultError.from_error(error) from None


class LedgerUpdates(NamedTuple):
    """The next entries and answers after a known head, and the ledger's head.

    The head was checked to be ``signed``, unless the known state does not ask for it yet.
    """

    entries: Sequence[Entry]
    answers: Sequence[CommandAnswer]
    head: LedgerHead
    signed: bool

    @property
    def is_full(self) -> bool:
        """Whether there may be more."""
        return max(len(self.entries), len(self.answers)) == PAGE_SIZE


@_marking_faults()
def read_updates(transaction: Transaction, known: AuditResult, signer: Signer) -> LedgerUpdates:
    """Return the next entries and answers, at most a page of each.

    Raises:
        RecordFaultError: the ledger's head was not signed by its key.
    """
    head, signed = transaction.get_head(), known.state.covered
    entries = transaction.read_entry_page(known.head.sequence)
    if signed:
        _compare_keys(known.state, entries, signer)
        verify_signed_head(transaction, signer)
    return LedgerUpdates(entries, transaction.read_answer_page(known.head.answers), head, signed)


def _compare_keys(state: ProgressiveState, entries: Sequence[Entry], signer: Signer) -> None:
    """Compare the key ring with the versions that are known or newly named.

    Another server may have rotated the keys, and this one's file lacks the new version: the record is not at fault.
    """
    named = dict(state.signing_keys)
    for entry in entries:
        if entry.kind == "keys-changed":
            with suppress(ValidationError, KeyError, TypeError):  # an entry that cannot be read is found by its replay
                event = parse_event(entry.data)
                if isinstance(event, KeysChanged) and event.act != "revoked":
                    named[event.version] = event.public_key
    signer.compare(named, state.revoked_keys)


@_marking_faults()
def apply_updates(known: AuditResult, updates: LedgerUpdates) -> tuple[AuditResult, bool]:
    """Return the state after a page of updates, and whether it is the ledger's end.

    Raises:
        RecordFaultError: entries or answers are missing, or were changed.
    """
    after = replay_entries(known, updates.entries)
    after = after._replace(head=verify_answers(after.head, updates.answers))
    if updates.is_full:
        return after, False
    verify_same_end(after, updates.head)
    return after, updates.signed == after.state.covered  # where signing begins, the head is checked in another round


def catch_up(transaction: Transaction, known: AuditResult, signer: Signer) -> AuditResult:
    """Return the state at the ledger's end, with the key ring that it asks for.

    Raises:
        RecordFaultError: the ledger does not go on from what is known, or its head was not signed.
        LedgerError: the key ring is not the ledger's present one.
    """
    is_end = transaction.get_head() == known.head
    while not is_end:
        known, is_end = apply_updates(known, read_updates(transaction, known, signer))
    signer.compare(known.state.signing_keys, known.state.revoked_keys)
    return known
