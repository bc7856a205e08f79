"""Records of settled rounds, as the casino keeps them.

A record is the history with every card, and the proof of a fair shuffle.
"""

from collections.abc import Sequence

from pitboss.ledger.errors import LedgerError
from pitboss.table.fair_shuffle import build_fair_seats
from pitboss.table.round.history_schema import FairRecord, History
from pitboss.table.round.history_writer import build_history
from pitboss.table.session.events import ActionTaken, SessionEvent
from pitboss.table.session.state import TableSession, prepare_round, replay_events


def build_round_history(table: str, round_number: int, start: TableSession, events: Sequence[SessionEvent]) -> History:
    """Build the history of a settled round from its events.

    ``start`` is the session before the round.

    Raises:
        LedgerError: the round was not dealt.
    """
    before, after = replay_events(events[:-1], start), replay_events(events, start)
    played = prepare_round(before, after.round_seats) if after.withholding_seats else after.round
    if played is None:
        raise LedgerError(
            f"round {round_number} of table {table} was not dealt",
            code="no-round",
            round_number=round_number,
            table=table,
        )
    history = build_history(played, title=f"{table}, round {round_number}", deck=after.deck_back)
    history = history.model_copy(update={"late": _find_late_actions(history, events)})
    if not after.terms.fair:
        return history
    fair = FairRecord(
        version=before.fair_version,
        table=table,
        round=round_number,
        commitment=after.last_commitment,
        secret=after.revealed_secret,
        seats=build_fair_seats(after.seeds),
    )
    return history.model_copy(update={"fair": fair})


def _find_late_actions(history: History, events: Sequence[SessionEvent]) -> list[int]:
    """Return the places of decisions made for a seat whose time had run out."""
    places = (place for place, action in enumerate(history.actions, start=1) if not action.startswith("d "))
    decisions = (event for event in events if isinstance(event, ActionTaken))
    return [place for place, event in zip(places, decisions, strict=True) if event.late]
