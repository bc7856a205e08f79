"""The audit of a ledger: chain, postings, meters and invariants, entry by entry; a failure is one line."""

from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from pitboss.jackpot.accounts import make_postings
from pitboss.jackpot.events import ProgressiveEvent, RoundOpened, parse_event
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.state import ProgressiveState, apply_event
from pitboss.ledger.chain import (
    GENESIS_HASH,
    Checkpoint,
    Contribution,
    Entry,
    LedgerHead,
    LedgerPosting,
    find_chain_fault,
    to_canonical_json,
)
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Transaction


class AuditResult(NamedTuple):
    """A state, the ledger's head at that state, and how many entries were checked to reach it."""

    state: ProgressiveState
    head: LedgerHead
    checked_entries: int


def make_ledger_postings(event: ProgressiveEvent) -> tuple[LedgerPosting, ...]:
    """Return an event's postings as the ledger stores them."""
    return tuple(LedgerPosting(line.account.value, line.purpose.value, line.units) for line in make_postings(event))


def list_contributions(event: ProgressiveEvent) -> tuple[Contribution, ...]:
    """Return the contributions of a round that was opened; an empty tuple for other events."""
    if not isinstance(event, RoundOpened):
        return ()
    return tuple(Contribution(event.table, event.round, wager.seat, wager.cents) for wager in event.wagers)


def replay_entries(before: AuditResult, entries: Iterable[Entry]) -> AuditResult:
    """Check entries in order and apply their events.

    Raises:
        LedgerError: an entry was changed, or does not lead to the figures it states.
    """
    state, head, checked = before
    for entry in entries:
        fault = find_chain_fault(entry, head.sequence + 1, head.hash)
        if fault:
            raise LedgerError(f"the chain is broken: {fault}")
        state = _apply_entry(state, entry)
        head = head._replace(sequence=entry.sequence, hash=entry.hash)
        checked += 1
    return AuditResult(state, head, checked)


def _apply_entry(state: ProgressiveState, entry: Entry) -> ProgressiveState:
    try:
        event = parse_event(entry.data)
        after = apply_event(state, event)
    except (ValidationError, KeyError, TypeError):
        raise LedgerError(f"entry {entry.sequence} cannot be replayed") from None
    meters = (after.meter_units, after.reserve_units)
    if meters != (entry.meter_units, entry.reserve_units):
        raise LedgerError(
            f"entry {entry.sequence}: the meter is {meters[0]} when replayed, but {entry.meter_units} in the entry"
        )
    written = (entry.kind, entry.actor, entry.postings, entry.contributions)
    if written != (event.kind, event.by, make_ledger_postings(event), list_contributions(event)):
        raise LedgerError(f"entry {entry.sequence} has postings that do not follow from it")
    return after


def audit_ledger(transaction: Transaction, signer: Signer, *, full: bool = False) -> AuditResult:
    """Check a ledger from its last checkpoint, or with ``full`` from its first entry.

    Raises:
        LedgerError: the ledger does not hold.
    """
    checkpoints = {checkpoint.entry: checkpoint for checkpoint in transaction.read_checkpoints()}
    for checkpoint in checkpoints.values():
        if not signer.has_signed(checkpoint.head + checkpoint.state, checkpoint.signature):
            raise LedgerError(f"the checkpoint at entry {checkpoint.entry} was not signed by this ledger's key")
        if not full:
            break
    start = (
        AuditResult(ProgressiveState(), LedgerHead(), 0)
        if full or not checkpoints
        else _resume_checkpoint(next(iter(checkpoints.values())))
    )
    audited = (
        _replay_ledger(transaction, start, checkpoints)
        if full
        else replay_entries(start, transaction.read_entries(start.head.sequence))
    )
    audited = audited._replace(head=_verify_answers(transaction, audited.head))
    if transaction.get_head() != audited.head:
        raise LedgerError(
            f"the ledger ends at entry {transaction.get_head().sequence}, its chain at {audited.head.sequence}"
        )
    _verify_balances(transaction, audited.state)
    return audited


def _resume_checkpoint(checkpoint: Checkpoint) -> AuditResult:
    state = ProgressiveState.model_validate_json(checkpoint.state)
    number, digest, answers, answers_digest = checkpoint.head.split()
    return AuditResult(state, LedgerHead(int(number), digest, int(answers), answers_digest), 0)


def make_checkpoint(audited: AuditResult, signer: Signer) -> Checkpoint:
    """Return the signed checkpoint of an audited state."""
    head, state = " ".join(map(str, audited.head)), serialize_state(audited.state)
    return Checkpoint(audited.head.sequence, head, state, signer.sign(head + state))


def serialize_state(state: ProgressiveState) -> str:
    """Return a state as canonical JSON."""
    return to_canonical_json(state.model_dump(mode="json"))


def _replay_ledger(transaction: Transaction, start: AuditResult, checkpoints: dict[int, Checkpoint]) -> AuditResult:
    """Check the whole chain, each checkpoint on the way, and that no posting is left over."""
    audited, parts = start, [0, 0]
    for entry in transaction.read_entries():
        audited = replay_entries(audited, (entry,))
        parts = [parts[0] + len(entry.postings), parts[1] + len(entry.contributions)]
        checkpoint = checkpoints.pop(entry.sequence, None)
        if checkpoint and ProgressiveState.model_validate_json(checkpoint.state) != audited.state:
            raise LedgerError(f"the checkpoint at entry {entry.sequence} is not the state there")
        if find_violations(audited.state):
            raise LedgerError(f"after entry {entry.sequence}: {find_violations(audited.state)[0]}")
    if checkpoints:
        raise LedgerError(f"there is a checkpoint at entry {min(checkpoints)}, but no such entry")
    if transaction.count_parts() != tuple(parts):
        raise LedgerError("there are postings or contributions without an entry")
    return audited


def _verify_answers(transaction: Transaction, head: LedgerHead) -> LedgerHead:
    for answer in transaction.read_answers(head.answers):
        fault = find_chain_fault(answer, head.answers + 1, head.answers_hash)
        if fault:
            raise LedgerError(f"the chain is broken: {fault}")
        head = head._replace(answers=answer.number, answers_hash=answer.hash)
    return head


def _verify_balances(transaction: Transaction, state: ProgressiveState) -> None:
    """Compare the stored balances with the replayed ones, and check every invariant."""
    stored = {f"{account}:{purpose}": units for (account, purpose), units in transaction.read_balances().items()}
    for key in sorted({*stored, *state.totals}):
        stored_units, units = stored.get(key, 0), state.totals.get(key, 0)
        if stored_units != units:
            raise LedgerError(f"balance {key} is stored as {stored_units}, but is {units} when replayed")
    for fault in find_violations(state):
        raise LedgerError(fault)


def verify_exported_head(transaction: Transaction, exported: LedgerHead) -> None:
    """Check that a ledger still contains an exported head.

    Raises:
        LedgerError: the ledger's tail was cut, or the ledger was rewritten.
    """
    entry = next(transaction.read_entries(exported.sequence - 1), None) if exported.sequence else None
    answer = next(transaction.read_answers(exported.answers - 1), None) if exported.answers else None
    if (entry.hash if entry else GENESIS_HASH) != exported.hash or (
        answer.hash if answer else GENESIS_HASH
    ) != exported.answers_hash:
        raise LedgerError(
            f"this is not the ledger whose head was exported at entry {exported.sequence}: it was cut or rewritten"
        )
