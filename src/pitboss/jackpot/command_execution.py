"""The parts of executing a command.

These are deciding it, writing its events as entries, and what its answer notes.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pitboss.jackpot.admin_handlers import make_incident
from pitboss.jackpot.audit import AuditResult, list_contributions, make_ledger_postings
from pitboss.jackpot.award_history import find_hit, list_changed_hits, make_award_records, read_round_hits
from pitboss.jackpot.commands import ConfirmAward, PayAward, ProgressiveCommand, ReprintWinPage
from pitboss.jackpot.credential_rows import HalfCode
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.dual_control import iter_cancel_warnings
from pitboss.jackpot.entry_shares import EntryShare
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WagerOutOfRangeError
from pitboss.jackpot.events import ProgressiveEvent
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.manual_rounds import verify_outside_link
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit
from pitboss.jackpot.win_pages import WinPage, make_win_page, read_win_page
from pitboss.ledger.award_records import AwardRevision, append_award_records
from pitboss.ledger.chain import EntryDraft, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Transaction

DISPLAY_NOTE = "display_cents"
"""The note of an answer that says what the display showed after the command."""

PAGE_NOTE = "win_page"
"""The note of an answer that has the win page that the command printed."""

WARNINGS_NOTE = "warnings"
"""The note of an answer that warns that nobody can do the second half yet; left out if there is nothing to say."""


class CommandOutcome(NamedTuple):
    """A command's events, the latest state, and whether it is a repeat.

    The display is the one after the command, the win page is what the command printed.
    ``shares`` are the awards that a hit or its cancellation changed.
    ``half_code`` is the half of an invited person's code that the command's actor is to hand over.  ``warnings`` say
    what people should know.
    """

    events: tuple[ProgressiveEvent, ...]
    state: ProgressiveState
    display_cents: int
    win_page: WinPage | None
    shares: tuple[EntryShare, ...]
    warnings: tuple[str, ...]
    half_code: HalfCode | None = None
    is_repeat: bool = False


def append_events(
    transaction: Transaction,
    audited: AuditResult,
    events: Sequence[ProgressiveEvent],
    at: str,
    recalled: Mapping[int, Hit],
) -> AuditResult:
    """Write events as entries, with the records of their awards.

    Raises:
        LedgerError: an invariant would be violated.
    """
    state, drafts, records = audited.state, [], list[AwardRevision]()
    for number, event in enumerate(events, audited.head.sequence + 1):
        before, state = state, apply_event(state, event)
        records += make_award_records(list_changed_hits(before, event, state, recalled), number)
        drafts.append(
            EntryDraft(
                at=at,
                actor=event.by,
                kind=event.kind,
                data=to_canonical_json(event.model_dump(mode="json")),
                meter_units=state.meter_units,
                reserve_units=state.reserve_units,
                postings=make_ledger_postings(event),
                contributions=list_contributions(event),
            )
        )
    for fault in find_violations(state):
        raise LedgerError(f"nothing is written, the tables are closed: {fault}", code="broken-invariant", fault=fault)
    entries = transaction.append_entries(drafts)
    append_award_records(transaction, records)
    last = entries[-1] if entries else audited.head
    return AuditResult(state, audited.head._replace(sequence=last.sequence, hash=last.hash), audited.checked_entries)


def make_notes(
    transaction: Transaction, after: AuditResult, command: ProgressiveCommand, at: str, warnings: Iterable[str] = ()
) -> dict[str, Any]:
    """Return what an answer keeps for repeats: display, printed page, warnings."""
    notes: dict[str, Any] = {DISPLAY_NOTE: get_display_cents(after.state)}
    listed = list(warnings)
    if listed:
        notes[WARNINGS_NOTE] = listed
    if isinstance(command, ConfirmAward | ReprintWinPage) or (isinstance(command, PayAward) and command.prints):
        hit = find_hit(transaction, after.state, command.award)
        if hit:
            hits = read_round_hits(transaction, hit)
            is_payment = isinstance(command, PayAward)
            page = make_win_page(command.award, hits, at, after.head.sequence, is_payment=is_payment)
            notes[PAGE_NOTE] = page._asdict()
    return notes


def read_outcome(
    events: tuple[ProgressiveEvent, ...],
    state: ProgressiveState,
    notes: Mapping[str, Any],
    shares: tuple[EntryShare, ...],
) -> CommandOutcome:
    """Return the outcome of a command, from the notes of its answer."""
    page = read_win_page(notes[PAGE_NOTE]) if PAGE_NOTE in notes else None
    warnings = (*notes.get(WARNINGS_NOTE, ()), *iter_cancel_warnings(state, events, shares))
    return CommandOutcome(events, state, notes[DISPLAY_NOTE], page, shares, warnings)


def decide_or_report(
    state: ProgressiveState, command: ProgressiveCommand, actor: Actor, times: tuple[int, int], key: str
) -> tuple[tuple[ProgressiveEvent, ...], RefusalError | None]:
    """Return the events of a command, and a refusal if they open an incident (P13).

    ``times`` are those of the clock and of the last entry, in seconds.  ``key`` tells a person's command from one of a
    browser table.
    """
    _verify_active_role(state, actor)
    verify_outside_link(state, command, actor, key)
    try:
        return decide(state, command, actor, *times), None
    except WagerOutOfRangeError as error:
        incident = make_incident(state, actor.name, error.table, "contribution", str(error))
        closed = f"incident {incident.incident} closes table {error.table} until two people have signed it"
        fields = {**error.fields, "incident": incident.incident}
        return (incident,), WagerOutOfRangeError(f"{error}; {closed}", error.table, code=error.code, **fields)


def _verify_active_role(state: ProgressiveState, actor: Actor) -> None:
    """Check that the actor's role did not end or change while the command waited."""
    member = state.staff.get(actor.name)
    if member and not (member.active and member.role is actor.role):
        raise ForbiddenError(
            f"{actor.name} no longer has the role {actor.role}: log in again",
            code="role-ended",
            person=actor.name,
            role=actor.role,
        )


def to_seconds(at: str) -> int:
    """Return a timestamp of an entry in seconds since 1970."""
    return int(datetime.fromisoformat(at).timestamp())
