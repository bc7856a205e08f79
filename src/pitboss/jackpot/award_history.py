"""Awards from the ledger: the state forgets finished ones, the ledger never does.

A command that is about an old award, or a page that shows one, is handed the award from the ledger's records.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NoReturn

from pydantic import ValidationError

from pitboss.jackpot.commands import ApproveRequest, ProgressiveCommand
from pitboss.jackpot.events import (
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    HitEntered,
    ProgressiveEvent,
    WinPageReprinted,
    parse_event,
)
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.award_records import (
    AwardRevision,
    append_award_records,
    find_awards,
    lacks_award_records,
    list_awards_of_round,
    list_newest_awards,
    read_award_records,
    read_entry_data,
)
from pitboss.ledger.chain import Entry, to_canonical_json
from pitboss.ledger.errors import RecordFaultError
from pitboss.ledger.store import Store, Transaction

LAST_HITS = 25


def list_changed_hits(
    before: ProgressiveState, event: ProgressiveEvent, after: ProgressiveState, recalled: Mapping[int, Hit]
) -> tuple[Hit, ...]:
    """Return the hits that an event changed, by the number of their awards.

    A forgotten hit changes only by a reprint; it has to be among the ``recalled``.
    """
    if isinstance(event, WinPageReprinted) and event.award not in before.hits:
        return (recalled[event.award].model_copy(update={"copies": event.copy_number}),)
    if after.hits is before.hits:
        return ()
    changed = [award for award, hit in after.hits.items() if hit is not before.hits.get(award)]
    return tuple(after.hits[award] for award in sorted(changed))


def make_award_records(hits: Iterable[Hit], entry: int) -> tuple[AwardRevision, ...]:
    """Return the records of hits that an entry changed."""
    return tuple(
        AwardRevision(
            hit.owed.award, entry, hit.table, hit.round, hit.step, to_canonical_json(hit.model_dump(mode="json"))
        )
        for hit in hits
    )


def list_changed_awards(event: ProgressiveEvent) -> set[int]:
    """Return the awards that an event can change: it names them."""
    match event:
        case HitEntered():
            return {*event.replaced, *(owed.award for owed in event.owed), event.heir}
        case AwardBackedOut():
            return {event.award, event.heir}
        case AwardConfirmed() | AwardPaid() | WinPageReprinted():
            return {event.award}
        case _:
            return set()


def _read_hits(transaction: Transaction, records: Iterable[AwardRevision]) -> dict[int, Hit]:
    """Return the hits of records, each of an entry that names its award.

    The program wrote the one record of an award that such an entry has, so a record that was added is not trusted.

    Raises:
        RecordFaultError: a record was added or changed.
    """
    records = tuple(records)
    data = read_entry_data(transaction, {record.entry for record in records})
    try:
        for record in records:
            if record.award not in list_changed_awards(parse_event(data[record.entry])):
                _refuse_records(record.entry)
        return {record.award: Hit.model_validate_json(record.data) for record in records}
    except ValidationError:
        raise RecordFaultError("the record of an award was changed", code="award-record-changed") from None


def find_hits_before(transaction: Transaction, awards: Iterable[int], entry: int) -> dict[int, Hit]:
    """Return hits as they were before an entry, by their awards.

    Unknown ones are left out.

    Raises:
        RecordFaultError: a record was added or changed.
    """
    return _read_hits(transaction, find_awards(transaction, set(awards), before=entry))


def recall_hits(transaction: Transaction, state: ProgressiveState, command: ProgressiveCommand) -> dict[int, Hit]:
    """Return the forgotten hits that a command is about, by their awards.

    Raises:
        RecordFaultError: a record was added or changed.
    """
    missing = {award for award in _iter_named_awards(state, command) if 0 < award <= state.last_award} - set(state.hits)
    return _read_hits(transaction, find_awards(transaction, missing)) if missing else {}


def _iter_named_awards(state: ProgressiveState, command: ProgressiveCommand) -> Iterator[int]:
    """Yield the awards of a command, or of the change that it is about."""
    yield getattr(command, "award", 0)
    yield getattr(command, "lost_award", 0)
    request = state.requests.get(command.request) if isinstance(command, ApproveRequest) else None
    yield getattr(request.change if request else getattr(command, "change", None), "award", 0)


def add_hits(state: ProgressiveState, recalled: Mapping[int, Hit]) -> ProgressiveState:
    """Return the state with these hits added, to decide a command."""
    return state.model_copy(update={"hits": {**recalled, **state.hits}}) if recalled else state


def find_hit(transaction: Transaction, state: ProgressiveState, award: int) -> Hit | None:
    """Return a hit from the state or the ledger, None if there is none.

    Raises:
        LedgerError: its record was changed.
    """
    return state.hits.get(award) or _read_hits(transaction, find_awards(transaction, {award})).get(award)


def read_round_hits(transaction: Transaction, hit: Hit) -> tuple[Hit, ...]:
    """Return all hits of a hit's round, the newest first.

    Raises:
        RecordFaultError: a record was added or changed.
    """
    return tuple(_read_hits(transaction, list_awards_of_round(transaction, hit.table, hit.round)).values())


def read_last_hits(transaction: Transaction, *, before: int = 0, count: int = LAST_HITS) -> tuple[Hit, ...]:
    """Return the last hits that were not cancelled, in the order of their awards.

    ``before`` is an award after all of them, 0 for the very last.

    Raises:
        RecordFaultError: a record was added or changed.
    """
    records = list_newest_awards(transaction, count, before=before, without_step="cancelled")
    return tuple(_read_hits(transaction, reversed(records)).values())


def ensure_award_records(store: Store) -> None:
    """Write the records of an older ledger, which has none.

    Raises:
        LedgerError: the ledger cannot be reached.
    """
    with store.begin_read() as transaction:
        lacks_records = lacks_award_records(transaction)
    if lacks_records:
        store.run_write(_rebuild_award_records)


def _rebuild_award_records(transaction: Transaction) -> None:
    state = ProgressiveState()
    if not lacks_award_records(transaction):
        return  # another process was faster
    for entry in transaction.read_entries():
        event = parse_event(entry.data)
        after = apply_event(state, event)
        append_award_records(
            transaction, make_award_records(list_changed_hits(state, event, after, {}), entry.sequence)
        )
        state = after


class AwardRecordAudit:
    """Compares the records of some entries with what the entries make of the hits."""

    def __init__(self, transaction: Transaction, after: int, entries: Sequence[Entry]) -> None:
        """Read the records of the entries that follow number ``after``."""
        last = entries[-1].sequence if entries else after
        records = takewhile(lambda record: record.entry <= last, read_award_records(transaction, after))
        self._records = deque(records)
        reprinted = {_read_award(entry) for entry in entries if entry.kind == "reprinted"}
        self._recalled = _read_hits(transaction, find_awards(transaction, reprinted)) if reprinted else {}

    def check(self, before: ProgressiveState, event: ProgressiveEvent, after: ProgressiveState, entry: int) -> None:
        """Check the records of one entry.

        Raises:
            RecordFaultError: they do not follow from it.
        """
        if isinstance(event, WinPageReprinted) and event.award not in {*before.hits, *self._recalled}:
            _refuse_records(entry)
        found = tuple(self._take(entry))
        if found != make_award_records(list_changed_hits(before, event, after, self._recalled), entry):
            _refuse_records(entry)

    def _take(self, entry: int) -> Iterator[AwardRevision]:
        while self._records and self._records[0].entry <= entry:
            yield self._records.popleft()

    def finish(self) -> None:
        """Check that no record is left over.

        Raises:
            RecordFaultError: there is one without an entry.
        """
        if self._records:
            _refuse_records(self._records[0].entry)


def _read_award(entry: Entry) -> int:
    try:
        award = json.loads(entry.data).get("award", 0)
    except (ValueError, AttributeError):
        return 0  # the chain does not hold, which its check says
    return award if isinstance(award, int) else 0


def verify_no_records_after(transaction: Transaction, entry: int) -> None:
    """Check that there is no record after the last entry.

    Raises:
        RecordFaultError: there is one.
    """
    if record := next(read_award_records(transaction, entry), None):
        _refuse_records(record.entry)


def _refuse_records(entry: int) -> NoReturn:
    raise RecordFaultError(
        f"the records of awards do not follow from entry {entry}", code="award-record-changed", sequence=entry
    )
