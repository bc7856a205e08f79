"""The audit of a ledger: chain, postings, meters and invariants.

It goes entry by entry; a failure is one line.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from pydantic import ValidationError

from pitboss.jackpot.accounts import make_postings
from pitboss.jackpot.award_history import AwardRecordAudit, verify_no_records_after
from pitboss.jackpot.credential_rows import verify_rows
from pitboss.jackpot.events import ProgressiveEvent, RoundOpened, parse_event
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.state import STATE_FORM, ProgressiveState
from pitboss.ledger.chain import (
    GENESIS_HASH,
    Checkpoint,
    CommandAnswer,
    Contribution,
    Entry,
    LedgerHead,
    LedgerPosting,
    iter_verified_chain,
    to_canonical_json,
)
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema_check import verify_schema
from pitboss.ledger.signed_head import format_head, verify_signed_head
from pitboss.ledger.signing import Signer
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Store, Transaction


class AuditResult(NamedTuple):
    """A state, the ledger's head there, and how many entries were checked."""

    state: ProgressiveState
    head: LedgerHead
    checked_entries: int


def make_ledger_postings(event: ProgressiveEvent) -> tuple[LedgerPosting, ...]:
    """Return an event's postings as the ledger stores them."""
    return tuple(LedgerPosting(line.account.value, line.purpose.value, line.units) for line in make_postings(event))


def list_contributions(event: ProgressiveEvent) -> tuple[Contribution, ...]:
    """Return the contributions of an opened round; none for other events."""
    if not isinstance(event, RoundOpened):
        return ()
    return tuple(Contribution(event.table, event.round, wager.seat, wager.cents) for wager in event.wagers)


EntryCheck = Callable[[ProgressiveState, ProgressiveEvent, ProgressiveState, int], None]
"""Checks more of an entry: the state before, the event, the state after, and the entry's number."""


def replay_entries(before: AuditResult, entries: Iterable[Entry], check: EntryCheck | None = None) -> AuditResult:
    """Check entries in order and apply their events.

    ``check`` may check more of each.

    Raises:
        LedgerError: an entry was changed, or does not lead to the figures it states.
    """
    state, head, checked = before
    for entry in iter_verified_chain(entries, head.sequence, head.hash):
        state = _apply_entry(state, entry, check)
        head = head._replace(sequence=entry.sequence, hash=entry.hash)
        checked += 1
    return AuditResult(state, head, checked)


def _apply_entry(state: ProgressiveState, entry: Entry, check: EntryCheck | None) -> ProgressiveState:
    try:
        event = parse_event(entry.data)
        after = apply_event(state, event)
    except (ValidationError, KeyError, TypeError):
        raise LedgerError(
            f"entry {entry.sequence} cannot be replayed", code="entry-changed", sequence=entry.sequence
        ) from None
    meters = (after.meter_units, after.reserve_units)
    if meters != (entry.meter_units, entry.reserve_units):
        raise LedgerError(
            f"entry {entry.sequence}: the meter is {meters[0]} when replayed, but {entry.meter_units} in the entry",
            code="entry-changed",
            sequence=entry.sequence,
            meter_units=entry.meter_units,
        )
    written = (entry.kind, entry.actor, entry.postings, entry.contributions)
    if written != (event.kind, event.by, make_ledger_postings(event), list_contributions(event)):
        raise LedgerError(
            f"entry {entry.sequence} has postings that do not follow from it",
            code="entry-changed",
            sequence=entry.sequence,
        )
    if check:
        check(state, event, after, entry.sequence)
    return after


def audit_ledger(
    store: Store, signer: Signer, *, full: bool = False, after_page: Callable[[], None] = lambda: None
) -> AuditResult:
    """Check a ledger from its last checkpoint, or with ``full`` from its first entry.

    Without ``full``, the chain of the newest entries is checked too where it begins before the checkpoint.  The ledger
    is read in pages, and ``after_page`` is called between them, so that nobody waits for the audit.

    Raises:
        LedgerError: the ledger does not hold.
    """
    audited = AuditResult(ProgressiveState(), LedgerHead(), 0)
    with store.begin_read() as transaction:
        verify_schema(transaction.connection)
        left = set(transaction.list_checkpoints() if full else ())
        checkpoint = None if full else transaction.find_checkpoint()
        if checkpoint and not _is_revoked(checkpoint, signer) and has_present_form(checkpoint):
            audited = resume_checkpoint(checkpoint, signer)
            verify_newest_chain(transaction, audited.head)
    while True:
        with store.begin_read() as transaction:
            page = _read_page(transaction, audited.head, left)
            left -= set(page.checkpoints)
            if page.is_closing:
                audited = _replay_page(audited, page, signer, full=full)
                _verify_end(transaction, audited, left, signer)
                return audited
        audited = _replay_page(audited, page, signer, full=full)
        if page.is_full:  # no pause near the end, or new entries could come faster than they are read
            after_page()


_CLOSING_SIZE = 50
"""The last entries of an audit are replayed in the transaction that compares the balances: at most this many."""

NEWEST_ENTRIES = 1_000
"""The newest entries, whose chain every start checks."""


class _Page(NamedTuple):
    """The next entries and answers of an audit, with award records and checkpoints."""

    entries: Sequence[Entry]
    records: AwardRecordAudit
    answers: Sequence[CommandAnswer]
    checkpoints: dict[int, Checkpoint]

    @property
    def is_full(self) -> bool:
        """Whether there may be more pages."""
        return max(len(self.entries), len(self.answers)) == PAGE_SIZE

    @property
    def is_closing(self) -> bool:
        """Whether so little is left that it is replayed at once."""
        return max(len(self.entries), len(self.answers)) <= _CLOSING_SIZE


def _read_page(transaction: Transaction, head: LedgerHead, checkpoints: set[int]) -> _Page:
    entries = transaction.read_entry_page(head.sequence)
    found = (transaction.find_checkpoint(each.sequence) for each in entries if each.sequence in checkpoints)
    by_entry = {each.entry: each for each in found if each}
    records = AwardRecordAudit(transaction, head.sequence, entries)
    return _Page(entries, records, transaction.read_answer_page(head.answers), by_entry)


def _verify_signature(checkpoint: Checkpoint, signer: Signer) -> None:
    if not signer.has_signed(checkpoint.head + checkpoint.state, checkpoint.signature):
        raise LedgerError(
            f"the checkpoint at entry {checkpoint.entry} was not signed by this ledger's key",
            code="checkpoint-not-signed",
            entry=checkpoint.entry,
        )


def verify_newest_chain(transaction: Transaction, start: LedgerHead) -> None:
    """Check the chain of the newest entries up to ``start``.

    Raises:
        LedgerError: an entry is missing or was changed.
    """
    after = max(0, transaction.get_head().sequence - NEWEST_ENTRIES)
    if after >= start.sequence:
        return
    entries = takewhile(lambda entry: entry.sequence <= start.sequence, transaction.read_entries(max(0, after - 1)))
    before = next(entries, None) if after else None
    last = before.hash if before else GENESIS_HASH
    for entry in iter_verified_chain(entries, after, last):
        last = entry.hash
    if last != start.hash:
        fault = f"entry {start.sequence} is not the one that was verified"
        raise LedgerError(f"the chain is broken: {fault}", code="chain-broken", fault=fault)


def _replay_page(audited: AuditResult, page: _Page, signer: Signer, *, full: bool) -> AuditResult:
    """Check a page; with ``full`` also every state and checkpoint on the way."""
    if not full:
        audited = replay_entries(audited, page.entries, page.records.check)
    for entry in page.entries if full else ():
        audited = replay_entries(audited, (entry,), page.records.check)
        checkpoint = page.checkpoints.get(entry.sequence)
        if checkpoint and not _is_revoked(checkpoint, signer):
            _verify_checkpoint(checkpoint, audited, signer)
        for fault in find_violations(audited.state):
            raise LedgerError(
                f"after entry {entry.sequence}: {fault}", code="broken-invariant", sequence=entry.sequence
            )
    page.records.finish()
    return audited._replace(head=verify_answers(audited.head, page.answers))


def _verify_checkpoint(checkpoint: Checkpoint, audited: AuditResult, signer: Signer) -> None:
    """Compare a checkpoint with the state at its entry."""
    _verify_signature(checkpoint, signer)
    if has_present_form(checkpoint) and ProgressiveState.model_validate_json(checkpoint.state) != audited.state:
        raise LedgerError(
            f"the checkpoint at entry {checkpoint.entry} does not match the state there",
            code="checkpoint-changed",
            sequence=checkpoint.entry,
        )


def verify_answers(head: LedgerHead, answers: Iterable[CommandAnswer]) -> LedgerHead:
    """Verify that answers follow one another; return the head after them.

    Raises:
        LedgerError: one is missing or was changed.
    """
    for answer in iter_verified_chain(answers, head.answers, head.answers_hash):
        head = head._replace(answers=answer.number, answers_hash=answer.hash)
    return head


def _verify_end(transaction: Transaction, audited: AuditResult, checkpoints_left: set[int], signer: Signer) -> None:
    """Check at the ledger's end that nothing is left over, and compare the balances."""
    if transaction.get_head() != audited.head:
        raise LedgerError(
            f"the ledger ends at entry {transaction.get_head().sequence}, but its chain at {audited.head.sequence}",
            code="chain-ends-early",
            sequence=transaction.get_head().sequence,
        )
    if checkpoints_left:
        number = min(checkpoints_left)
        raise LedgerError(f"there is a checkpoint at entry {number}, but no such entry", code="entry-missing")
    verify_no_records_after(transaction, audited.head.sequence)
    if transaction.has_orphan_rows():
        raise LedgerError("there are postings or contributions without an entry", code="parts-left-over")
    _verify_balances(transaction, audited.state)
    if audited.state.covered:
        signer.compare(audited.state.signing_keys, audited.state.revoked_keys)
        verify_signed_head(transaction, signer)
        verify_rows(transaction, audited.state)
    elif audited.head.sequence and not signer.is_single_key:
        raise LedgerError(
            "this ledger is of a version before 0.3, whose head is not signed, but its key is of a later one: the "
            "ledger was rewritten",
            code="ledger-not-covered",
        )


def _is_revoked(checkpoint: Checkpoint, signer: Signer) -> bool:
    """Return whether a checkpoint was signed by a key that was revoked."""
    return signer.has_signed_by_revoked(checkpoint.head + checkpoint.state, checkpoint.signature)


def has_present_form(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint's state is written as states are now.

    Others are neither used nor compared.  A text that is not a state counts as one: it was not signed, which is found.
    """
    try:
        return bool(json.loads(checkpoint.state).get("form") == STATE_FORM)
    except (ValueError, AttributeError):
        return True


def resume_checkpoint(checkpoint: Checkpoint, signer: Signer) -> AuditResult:
    """Return the state of a checkpoint that the ledger's key signed.

    Raises:
        LedgerError: it was not signed by a version that is trusted.
    """
    _verify_signature(checkpoint, signer)
    state = ProgressiveState.model_validate_json(checkpoint.state)
    number, digest, answers, answers_digest = checkpoint.head.split()
    return AuditResult(state, LedgerHead(int(number), digest, int(answers), answers_digest), 0)


def make_checkpoint(audited: AuditResult, signer: Signer) -> Checkpoint:
    """Return the signed checkpoint of an audited state."""
    head, state = format_head(audited.head), serialize_state(audited.state)
    return Checkpoint(audited.head.sequence, head, state, signer.sign(head + state))


def serialize_state(state: ProgressiveState) -> str:
    """Return a state as canonical JSON."""
    return to_canonical_json(state.model_dump(mode="json"))


def _verify_balances(transaction: Transaction, state: ProgressiveState) -> None:
    """Compare the stored balances with the replayed ones, and check every invariant."""
    stored = {f"{account}:{purpose}": units for (account, purpose), units in transaction.read_balances().items()}
    for key in sorted({*stored, *state.totals}):
        stored_units, units = stored.get(key, 0), state.totals.get(key, 0)
        if stored_units != units:
            raise LedgerError(
                f"balance {key} is stored as {stored_units}, but is {units} when replayed",
                code="balance-changed",
                key=key,
                stored_units=stored_units,
                units=units,
            )
    for fault in find_violations(state):
        raise LedgerError(fault, code="broken-invariant")


def verify_exported_head(transaction: Transaction, exported: LedgerHead) -> None:
    """Check that a ledger still contains an exported head.

    Raises:
        LedgerError: the ledger's tail was cut, or the ledger was rewritten.
    """
    entry = next(iter(transaction.read_entry_page(exported.sequence - 1)), None) if exported.sequence else None
    answer = next(iter(transaction.read_answer_page(exported.answers - 1)), None) if exported.answers else None
    if (entry.hash if entry else GENESIS_HASH) != exported.hash or (
        answer.hash if answer else GENESIS_HASH
    ) != exported.answers_hash:
        raise LedgerError(
            f"this is not the ledger whose head was exported at entry {exported.sequence}: it was cut or rewritten",
            code="other-ledger",
            sequence=exported.sequence,
        )


def verify_same_end(audited: AuditResult, head: LedgerHead) -> None:
    """Check that a ledger ends where its replay does: its tail may have been cut.

    Raises:
        LedgerError: its entries or answers end elsewhere.
    """
    known = audited.head
    if head[:2] != known[:2]:
        raise LedgerError(
            f"the chain is broken: entry {known.sequence} is missing", code="entry-missing", sequence=known.sequence
        )
    if head != known:
        raise LedgerError(
            f"the chain is broken: answer {known.answers} is missing", code="answer-missing", number=known.answers
        )
