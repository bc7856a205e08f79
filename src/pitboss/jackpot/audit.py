"""Whether a ledger holds: chain, postings, meters and every identity, entry by entry; what fails is said in a line."""

from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from pitboss.jackpot.accounts import postings
from pitboss.jackpot.checks import faults
from pitboss.jackpot.events import Event, Opened, event_of
from pitboss.jackpot.state import State, apply
from pitboss.ledger.chain import BEGINNING, Checkpoint, Contribution, Entry, Head, Moved, broken, canonical
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Transaction


class Audited(NamedTuple):
    """A state, the head that it belongs to, and how many entries were checked to come to it."""

    state: State
    head: Head
    checked: int


def moved(event: Event) -> tuple[Moved, ...]:
    """Return an event's postings as the ledger keeps them."""
    return tuple(Moved(line.account.value, line.purpose.value, line.units) for line in postings(event))


def taken(event: Event) -> tuple[Contribution, ...]:
    """Return the contributions of a round that was opened, none of any other event."""
    if not isinstance(event, Opened):
        return ()
    return tuple(Contribution(event.table, event.round, wager.seat, wager.cents) for wager in event.wagers)


def followed(before: Audited, entries: Iterable[Entry]) -> Audited:
    """Check entries one after another and fold them.

    Raises:
        LedgerError: one of them is not what was written, or does not come to what it says.
    """
    state, head, checked = before
    for entry in entries:
        why = broken(entry, head.sequence + 1, head.hash)
        if why:
            raise LedgerError(f"the chain is broken: {why}")
        state = _applied(state, entry)
        head = head._replace(sequence=entry.sequence, hash=entry.hash)
        checked += 1
    return Audited(state, head, checked)


def _applied(state: State, entry: Entry) -> State:
    try:
        event = event_of(entry.data)
        after = apply(state, event)
    except (ValidationError, KeyError, TypeError):
        raise LedgerError(f"entry {entry.sequence} cannot be replayed") from None
    meters = (after.meter_units, after.reserve_units)
    if meters != (entry.meter_units, entry.reserve_units):
        raise LedgerError(f"entry {entry.sequence}: the meter replayed is {meters[0]}, written {entry.meter_units}")
    said = (entry.kind, entry.actor, entry.postings, entry.contributions)
    if said != (event.kind, event.by, moved(event), taken(event)):
        raise LedgerError(f"entry {entry.sequence} has postings that do not follow from it")
    return after


def audited(transaction: Transaction, signer: Signer, *, whole: bool = False) -> Audited:
    """Check a ledger from its last checkpoint on, or the whole of it from the first entry.

    Raises:
        LedgerError: it does not hold.
    """
    kept = {checkpoint.entry: checkpoint for checkpoint in transaction.checkpoints()}
    for checkpoint in kept.values():
        if not signer.signed(checkpoint.head + checkpoint.state, checkpoint.signature):
            raise LedgerError(f"the checkpoint at entry {checkpoint.entry} was not signed by this ledger's key")
        if not whole:
            break
    start = Audited(State(), Head(), 0) if whole or not kept else _resumed(next(iter(kept.values())))
    now = _through(transaction, start, kept) if whole else followed(start, transaction.entries(start.head.sequence))
    now = now._replace(head=_answers_followed(transaction, now.head))
    if transaction.head() != now.head:
        raise LedgerError(f"the ledger ends at entry {transaction.head().sequence}, its chain at {now.head.sequence}")
    _verify_figures(transaction, now.state)
    return now


def _resumed(checkpoint: Checkpoint) -> Audited:
    state = State.model_validate_json(checkpoint.state)
    number, digest, answers, answers_digest = checkpoint.head.split()
    return Audited(state, Head(int(number), digest, int(answers), answers_digest), 0)


def checkpoint_of(now: Audited, signer: Signer) -> Checkpoint:
    """Return the checkpoint of a state that was checked."""
    head, state = " ".join(map(str, now.head)), written(now.state)
    return Checkpoint(now.head.sequence, head, state, signer.sign(head + state))


def written(state: State) -> str:
    """Write a state as JSON, in one way."""
    return canonical(state.model_dump(mode="json"))


def _through(transaction: Transaction, start: Audited, kept: dict[int, Checkpoint]) -> Audited:
    """Check the whole chain, each checkpoint on the way, and that no posting is left over."""
    now, parts = start, [0, 0]
    for entry in transaction.entries():
        now = followed(now, (entry,))
        parts = [parts[0] + len(entry.postings), parts[1] + len(entry.contributions)]
        checkpoint = kept.pop(entry.sequence, None)
        if checkpoint and State.model_validate_json(checkpoint.state) != now.state:
            raise LedgerError(f"the checkpoint at entry {entry.sequence} is not the state there")
        if faults(now.state):
            raise LedgerError(f"after entry {entry.sequence}: {faults(now.state)[0]}")
    if kept:
        raise LedgerError(f"there is a checkpoint at entry {min(kept)}, which is missing")
    if transaction.part_counts() != tuple(parts):
        raise LedgerError("there are postings or contributions of no entry")
    return now


def _answers_followed(transaction: Transaction, head: Head) -> Head:
    for answer in transaction.answers(head.answers):
        why = broken(answer, head.answers + 1, head.answers_hash)
        if why:
            raise LedgerError(f"the chain is broken: {why}")
        head = head._replace(answers=answer.number, answers_hash=answer.hash)
    return head


def _verify_figures(transaction: Transaction, state: State) -> None:
    """Compare the balances kept in the database with those folded, and check every identity."""
    kept = {f"{account}:{purpose}": units for (account, purpose), units in transaction.balances().items()}
    for key in sorted({*kept, *state.totals}):
        if kept.get(key, 0) != state.totals.get(key, 0):
            raise LedgerError(f"balance {key} is kept as {kept.get(key, 0)} and replayed as {state.totals.get(key, 0)}")
    for fault in faults(state):
        raise LedgerError(fault)


def verify_against(transaction: Transaction, known: Head) -> None:
    """Check that a ledger still holds a head that was exported.

    Raises:
        LedgerError: its tail was cut, or it was written anew.
    """
    entry = next(transaction.entries(known.sequence - 1), None) if known.sequence else None
    answer = next(transaction.answers(known.answers - 1), None) if known.answers else None
    if (entry.hash if entry else BEGINNING) != known.hash or (
        answer.hash if answer else BEGINNING
    ) != known.answers_hash:
        raise LedgerError(f"this is not the ledger whose head was exported at entry {known.sequence}: cut or rewritten")
