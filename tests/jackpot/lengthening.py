"""Ledgers that are longer than what is read at once."""

from jackpot.house import DEALER
from pitboss.jackpot.audit import list_contributions, make_ledger_postings
from pitboss.jackpot.commands import CloseRound, OpenRound
from pitboss.jackpot.controller import Controller, get_utc_now
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.events import ProgressiveEvent, ProgressiveWager
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import EntryDraft, to_canonical_json
from pitboss.ledger.signed_head import write_signed_head
from pitboss.ledger.store import Store, Transaction

WAGERS = tuple(ProgressiveWager(seat=seat, cents=100) for seat in range(1, 6))


def lengthen(store: Store, controller: Controller, rounds: int, table: int = 1) -> None:
    """Play rounds without a hit at a table that played none yet, in one transaction: two entries each."""
    state, events = controller.refresh(), list[tuple[ProgressiveEvent, ProgressiveState]]()
    for number in range(1, rounds + 1):
        for command in (OpenRound(table=table, round=number, wagers=WAGERS), CloseRound(table=table, round=number)):
            decided = decide(state, command, DEALER)
            for event in decided:
                state = apply_event(state, event)
                events.append((event, state))

    def draft(event: ProgressiveEvent, after: ProgressiveState) -> EntryDraft:
        return EntryDraft(
            at=get_utc_now().isoformat(timespec="microseconds"),
            actor=event.by,
            kind=event.kind,
            data=to_canonical_json(event.model_dump(mode="json")),
            meter_units=after.meter_units,
            reserve_units=after.reserve_units,
            postings=make_ledger_postings(event),
            contributions=list_contributions(event),
        )

    def work(transaction: Transaction) -> None:
        transaction.append_entries([draft(*each) for each in events])
        write_signed_head(transaction, controller.signer)

    store.run_write(work)
    controller.refresh()
