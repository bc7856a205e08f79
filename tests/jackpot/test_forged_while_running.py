"""Nothing is signed, shown or written on top of what was forged while a controller runs.

Every hash of the forgeries is right; they lack the key alone.
"""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from jackpot.house import DEALER, SUPERVISOR, replay_events, settings
from jackpot.tellers import step
from jackpot.test_covered import ANSWERS, OWN, Place, place, rechain_answers
from pitboss.jackpot import replay
from pitboss.jackpot.audit import make_ledger_postings
from pitboss.jackpot.commands import OpenRound, PayAward, ReprintWinPage, RequestAdjustment
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    ChangeRequested,
    ProgressiveCreated,
    ProgressiveEvent,
    ProgressiveWager,
)
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.roles import Role
from pitboss.jackpot.staff_events import CredentialsAdopted, KeysChanged, StaffChanged
from pitboss.ledger.chain import EntryDraft, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import answer, award_record, entry, posting, signed_head
from pitboss.ledger.store import Store, Transaction
from refusals import refusal

__all__ = ["place"]

TOP_UP = Adjustment(account="meter", cents=500_000, reason="house-funds", text="forged")
EVENTS: dict[str, tuple[ProgressiveEvent, ...]] = {
    "money": (
        ChangeRequested(by="sue", request=99, change=TOP_UP),
        AdjustmentMade(by="eve", requested_by="sue", request=99, adjustment=TOP_UP),
    ),
    "a person": (StaffChanged(by="eve", name="zoe", role=Role.EXECUTIVE, active=True, credential="f" * 64),),
    "credentials": (CredentialsAdopted(by="pitboss", credentials={"eve": "f" * 64}),),
    "a key": (KeysChanged(by="eve", act="rotated", version=2, public_key="f" * 64, credentials={}),),
}


def forge(place: Place, *events: ProgressiveEvent) -> None:
    """Append entries with postings, balances and hashes as the program writes them."""
    state = place.controller.refresh()

    def work(transaction: Transaction) -> None:
        after = state
        for event in events:
            after = apply_event(after, event)
            figures = (after.meter_units, after.reserve_units)
            data = to_canonical_json(event.model_dump(mode="json"))
            draft = EntryDraft(
                transaction.get_last_time(), event.by, event.kind, data, *figures, make_ledger_postings(event)
            )
            transaction.append_entries([draft])

    place.store.run_write(work)


def forger(what: str) -> Callable[[Place], None]:
    return lambda place: forge(place, *EVENTS[what])


def sql(*statements: str) -> Callable[[Place], None]:
    return lambda place: place.alter(*(statement.replace("OWN", OWN) for statement in statements))


def rewriter(what: str) -> Callable[[Place], None]:
    return lambda place: place.alter(*rechain_answers(place, ANSWERS[what]))


def forge_answer(place: Place) -> None:
    def work(transaction: Transaction) -> None:
        (*_, last) = transaction.read_answer_page(0)
        transaction.append_answer(last._replace(key="a key of the forger's"))

    place.store.run_write(work)


CUT_ENTRY = (
    "DELETE FROM award_record WHERE entry = (SELECT max(sequence) FROM entry)",
    "DELETE FROM posting WHERE entry = (SELECT max(sequence) FROM entry)",
    "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
)
CUT_ANSWER = "DELETE FROM answer WHERE number = (SELECT max(number) FROM answer)"
FORGERIES: dict[str, Callable[[Place], None]] = {
    **{f"{what} added": forger(what) for what in EVENTS},
    "an answer added": forge_answer,
    "an entry cut": sql(*CUT_ENTRY),
    "an answer cut": sql(CUT_ANSWER),
    "both cut": sql(*CUT_ENTRY, CUT_ANSWER),
    **{f"{what} of the answers rewritten": rewriter(what) for what in ANSWERS},
}


def read_signature(place: Place) -> tuple[str, str]:
    with place.store.begin_read() as transaction:
        row = transaction.connection.execute(sa.select(signed_head)).one()
    return row.head, row.signature


def count_rows(place: Place) -> tuple[int, ...]:
    with place.store.begin_read() as transaction:
        counts = (sa.select(sa.func.count()).select_from(table) for table in (entry, posting, answer))
        return tuple(transaction.connection.execute(query).scalar_one() for query in counts)


USES: dict[str, Callable[[Controller], object]] = {
    "a command": lambda controller: controller.execute(*step(3), "after-the-forgery"),
    "the same command again": lambda controller: controller.execute(*step(2), "step-2"),
    "a record": lambda controller: controller.run_credential_change(lambda _transaction, _state, _now: ((), None)),
    "a restoration": lambda controller: controller.report_restoration("something"),
    "a look": lambda controller: controller.refresh(),
}


FORGED_AND_USED = [(what, use) for what in FORGERIES for use in ("a command", "a look")]
FORGED_AND_USED += [("money added", use) for use in USES if ("money added", use) not in FORGED_AND_USED]


@pytest.mark.parametrize(("what", "use"), FORGED_AND_USED)
def test_no_use_of_a_running_controller_goes_on_from_a_forgery(place: Place, what: str, use: str) -> None:
    other = Controller(Store(place.url), place.signer)
    place.controller.refresh()
    FORGERIES[what](place)
    before = read_signature(place), count_rows(place)
    with pytest.raises(LedgerError) as found:
        USES[use](place.controller)
    # A key that the ring lacks may be that of another server: then this process alone is at fault, and closes nothing.
    code = "other-key-ring" if what == "a key added" else "head-not-signed-here"
    closed = refusal(code) if what == "a key added" else refusal("verification-failed", fault=code)
    assert found.value.code == code
    assert (read_signature(place), count_rows(place)) == before
    for controller in (place.controller, other):  # closed for all, whatever is put back
        with pytest.raises(LedgerError, check=closed):
            controller.refresh()
    other.store.close()


def test_an_older_signed_head_put_back_with_the_ledger_it_signed_is_found(place: Place) -> None:
    """A running controller knows where its ledger ended; the signature of an older end is right, too."""
    head, signature = read_signature(place)
    wagers = (ProgressiveWager(seat=1, cents=100),)
    with pytest.raises(RefusalError):  # an answer without an entry
        place.controller.execute(OpenRound(table=1, round=9, wagers=wagers), DEALER, "refused-1")
    place.alter(CUT_ANSWER)
    with place.store.engine.begin() as connection:
        connection.execute(sa.update(signed_head).values(head=head, signature=signature))
    with pytest.raises(LedgerError, check=refusal("answer-missing")):
        place.controller.refresh()


NAMING = Adjustment(account="meter", cents=-100, reason="award", award=1, text="overpaid")
AWARD_USES: dict[str, Callable[[Controller], object]] = {
    "the last hits": lambda controller: controller.list_last_hits(),
    "hits before": lambda controller: controller.list_last_hits(before=2),
    "a reprint": lambda controller: controller.execute(ReprintWinPage(award=1), SUPERVISOR, "reprint"),
    "a payment": lambda controller: controller.execute(PayAward(award=1), DEALER, "pay"),
    "an adjustment": lambda controller: controller.execute(RequestAdjustment(change=NAMING), SUPERVISOR, "adjust"),
}


@pytest.mark.parametrize("use", AWARD_USES)
def test_no_award_is_read_from_a_record_that_was_added(place: Place, use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The role of the page may add records, which no head signs: one counts only with an entry that names its award."""
    monkeypatch.setattr(replay, "MAX_FINISHED_HITS", 0)  # so that what is finished is read from the records
    for number in range(3, 10):
        place.controller.execute(*step(number), f"step-{number}")
    with place.store.begin_read() as transaction:
        last = sa.select(award_record).where(award_record.c.award == 1).order_by(award_record.c.entry.desc()).limit(1)
        paid = dict(transaction.connection.execute(last).mappings().one())
    forged = {**paid, "entry": place.controller.head.sequence, "step": "confirmed"}
    forged["data"] = str(paid["data"]).replace('"step":"paid"', '"step":"confirmed"').replace("100002", "5000000")
    assert forged["data"] != paid["data"]
    with place.store.engine.begin() as connection:
        connection.execute(sa.insert(award_record), forged)
    with pytest.raises(LedgerError, check=refusal("award-record-changed")):
        AWARD_USES[use](place.controller)
    with pytest.raises(LedgerError, check=refusal("verification-failed", fault="award-record-changed")):
        place.controller.refresh()


def test_nothing_ends_the_covering_of_a_ledger() -> None:
    """Else one entry could turn the check of signatures off."""
    begun = ProgressiveCreated(by="eve", settings=settings(), covered=True)
    assert replay_events((begun, begun.model_copy(update={"covered": False}))).covered
