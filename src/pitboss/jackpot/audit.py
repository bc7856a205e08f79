"""Whether a ledger holds: chain, postings, meters and every identity, entry by entry; what fails is said in a line."""

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
    """A state, the head that it belongs to, and how many entries were checked to come to it."""

    state: ProgressiveState
    head: LedgerHead
    checked_entries: int


def make_ledger_postings(event: ProgressiveEvent) -> tuple[LedgerPosting, ...]:
    """Return an event's postings as the ledger keeps them."""
    return tuple(LedgerPosting(line.account.value, line.purpose.value, line.units) for line in make_postings(event))


def list_contributions(event: ProgressiveEvent) -> tuple[Contribution, ...]:
    """Return the contributions of a round that was opened, none of any other event."""
    if not isinstance(event, RoundOpened):
        return ()
    return tuple(Contribution(event.table, event.round, wager.seat, wager.cents) for wager in event.wagers)


def replay_entries(before: AuditResult, entries: Iterable[Entry]) -> AuditResult:
    """Check entries one after another and fold them.

    Raises:
        LedgerError: one of them is not what was written, or does not come to what it says.
    """
    state, head, checked = before
    for entry in entries:
        why = find_chain_fault(entry, head.sequence + 1, head.hash)
        if why:
            raise LedgerError(f"the chain is broken: {why}")
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
        raise LedgerError(f"entry {entry.sequence}: the meter replayed is {meters[0]}, written {entry.meter_units}")
    said = (entry.kind, entry.actor, entry.postings, entry.contributions)
    if said != (event.kind, event.by, make_ledger_postings(event), list_contributions(event)):
        raise LedgerError(f"entry {entry.sequence} has postings that do not follow from it")
    return after


def audit_ledger(transaction: Transaction, signer: Signer, *, full: bool = False) -> AuditResult:
    """Check a ledger from its last checkpoint on, or the whole of it from the first entry.

    Raises:
        LedgerError: it does not hold.
    """
    kept = {checkpoint.entry: checkpoint for checkpoint in transaction.read_checkpoints()}
    for checkpoint in kept.values():
        if not signer.has_signed(checkpoint.head + checkpoint.state, checkpoint.signature):
            raise LedgerError(f"the checkpoint at entry {checkpoint.entry} was not signed by this ledger's key")
        if not full:
            break
    start = (
        AuditResult(ProgressiveState(), LedgerHead(), 0)
        if full or not kept
        else _resume_checkpoint(next(iter(kept.values())))
    )
    now = (
        _replay_ledger(transaction, start, kept)
        if full
        else replay_entries(start, transaction.read_entries(start.head.sequence))
    )
    now = now._replace(head=_verify_answers(transaction, now.head))
    if transaction.get_head() != now.head:
        raise LedgerError(
            f"the ledger ends at entry {transaction.get_head().sequence}, its chain at {now.head.sequence}"
        )
    _verify_balances(transaction, now.state)
    return now


def _resume_checkpoint(checkpoint: Checkpoint) -> AuditResult:
    state = ProgressiveState.model_validate_json(checkpoint.state)
    number, digest, answers, answers_digest = checkpoint.head.split()
    return AuditResult(state, LedgerHead(int(number), digest, int(answers), answers_digest), 0)


def make_checkpoint(audited: AuditResult, signer: Signer) -> Checkpoint:
    """Return the checkpoint of a state that was checked."""
    head, state = " ".join(map(str, audited.head)), serialize_state(audited.state)
    return Checkpoint(audited.head.sequence, head, state, signer.sign(head + state))


def serialize_state(state: ProgressiveState) -> str:
    """Write a state as JSON, in one way."""
    return to_canonical_json(state.model_dump(mode="json"))


def _replay_ledger(transaction: Transaction, start: AuditResult, kept: dict[int, Checkpoint]) -> AuditResult:
    """Check the whole chain, each checkpoint on the way, and that no posting is left over."""
    now, parts = start, [0, 0]
    for entry in transaction.read_entries():
        now = replay_entries(now, (entry,))
        parts = [parts[0] + len(entry.postings), parts[1] + len(entry.contributions)]
        checkpoint = kept.pop(entry.sequence, None)
        if checkpoint and ProgressiveState.model_validate_json(checkpoint.state) != now.state:
            raise LedgerError(f"the checkpoint at entry {entry.sequence} is not the state there")
        if find_violations(now.state):
            raise LedgerError(f"after entry {entry.sequence}: {find_violations(now.state)[0]}")
    if kept:
        raise LedgerError(f"there is a checkpoint at entry {min(kept)}, which is missing")
    if transaction.count_parts() != tuple(parts):
        raise LedgerError("there are postings or contributions of no entry")
    return now


def _verify_answers(transaction: Transaction, head: LedgerHead) -> LedgerHead:
    for answer in transaction.read_answers(head.answers):
        why = find_chain_fault(answer, head.answers + 1, head.answers_hash)
        if why:
            raise LedgerError(f"the chain is broken: {why}")
        head = head._replace(answers=answer.number, answers_hash=answer.hash)
    return head


def _verify_balances(transaction: Transaction, state: ProgressiveState) -> None:
    """Compare the balances kept in the database with those folded, and check every identity."""
    kept = {f"{account}:{purpose}": units for (account, purpose), units in transaction.read_balances().items()}
    for key in sorted({*kept, *state.totals}):
        if kept.get(key, 0) != state.totals.get(key, 0):
            raise LedgerError(f"balance {key} is kept as {kept.get(key, 0)} and replayed as {state.totals.get(key, 0)}")
    for fault in find_violations(state):
        raise LedgerError(fault)


def verify_exported_head(transaction: Transaction, exported: LedgerHead) -> None:
    """Check that a ledger still holds a head that was exported.

    Raises:
        LedgerError: its tail was cut, or it was written anew.
    """
    entry = next(transaction.read_entries(exported.sequence - 1), None) if exported.sequence else None
    answer = next(transaction.read_answers(exported.answers - 1), None) if exported.answers else None
    if (entry.hash if entry else GENESIS_HASH) != exported.hash or (
        answer.hash if answer else GENESIS_HASH
    ) != exported.answers_hash:
        raise LedgerError(
            f"this is not the ledger whose head was exported at entry {exported.sequence}: cut or rewritten"
        )
