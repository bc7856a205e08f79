"""What takes two people, and what is checked beside the rounds."""

import pytest

from jackpot.house import (
    EXECUTIVE,
    OTHER_SUPERVISOR,
    SECOND_EXECUTIVE,
    SUPERVISOR,
    changed,
    configure,
    confirmed,
    done,
    ended,
    entered,
    founded,
    opened,
    paid,
    settings,
)
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.commands import (
    ApproveRequest,
    DeclineRequest,
    OpenIncident,
    ReconcileDisplay,
    ReprintWinPage,
    RequestAdjustment,
    RequestBackOut,
    SignIncident,
)
from pitboss.jackpot.dispatch import create
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import Adjustment, AdjustmentReason, BackOut
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.state import ProgressiveState
from refusals import refusal

UNITS = 10_000
SEED_CENTS = 1_000_000


def adjust(
    cents: int, reason: AdjustmentReason = "malfunction", account: str = "meter", award: int = 0
) -> RequestAdjustment:
    """Return a request to adjust."""
    change = {"account": account, "cents": cents, "reason": reason, "text": "as counted", "award": award}
    return RequestAdjustment(change=Adjustment.model_validate(change))


def test_an_adjustment_moves_meter_or_reserve_and_the_houses_money() -> None:
    state = changed(founded(), adjust(-500))
    assert (state.meter_units, state.totals["house:adjustment"]) == ((SEED_CENTS - 500) * UNITS, -500 * UNITS)
    state = changed(state, adjust(700, "house-funds", "reserve"))
    assert state.reserve_units == 700 * UNITS
    assert state.requests == {}
    assert find_violations(state) == ()


REFUSED = {
    "an adjustment of $0.00 changes nothing: give an amount": adjust(0),
    "seed-recovery is not a reason to raise a meter: use award, house-funds, malfunction": adjust(5, "seed-recovery"),
    "house-funds is not a reason to lower a meter: the money in it belongs to the players": adjust(-5, "house-funds"),
    "unknown award 3: there is none yet": adjust(5, award=3),
    "the meter has $10,000.00 beyond what is owed: it cannot be lowered by $10,000.01": adjust(-SEED_CENTS - 1),
    "the reserve has $0.00 beyond what is owed: it cannot be lowered by $0.01": adjust(-1, account="reserve"),
}


@pytest.mark.parametrize(("message", "command"), REFUSED.items())
def test_an_adjustment_that_cannot_be_is_refused(message: str, command: RequestAdjustment) -> None:
    with pytest.raises(RefusalError) as refused:
        done(founded(), command, SUPERVISOR)
    assert str(refused.value) == message


def test_the_meter_is_not_taken_below_what_is_owed_on_pending_hits() -> None:
    state = entered(opened(founded(), 1), 1, "straight-flush")
    free_cents = state.meter_units // UNITS
    assert free_cents == SEED_CENTS + 14 - 100_001
    with pytest.raises(RefusalError, check=refusal("below-owed", account="meter")):
        done(state, adjust(-free_cents - 1), SUPERVISOR)
    state = changed(state, adjust(-free_cents))
    assert state.hits[1].cents == get_display_cents(state) == 100_001
    assert find_violations(confirmed(state, 1)) == ()


def test_an_adjustment_is_looked_at_again_when_it_is_approved() -> None:
    state = done(opened(founded(), 1), adjust(-SEED_CENTS), SUPERVISOR)
    state = entered(state, 1, "straight-flush")
    with pytest.raises(RefusalError, check=refusal("below-owed", account="meter")):
        done(state, ApproveRequest(request=1), EXECUTIVE)


def test_nobody_approves_his_own_request_and_only_executives_approve() -> None:
    state = done(founded(), adjust(-500), EXECUTIVE)
    with pytest.raises(ForbiddenError, check=refusal("second-person-needed", person="executive", request=1)):
        done(state, ApproveRequest(request=1), EXECUTIVE)
    with pytest.raises(ForbiddenError, check=refusal("role-not-allowed", role="supervisor", action="approve")):
        done(state, ApproveRequest(request=1), SUPERVISOR)
    assert done(state, ApproveRequest(request=1), SECOND_EXECUTIVE).requests == {}
    with pytest.raises(RefusalError, check=refusal("unknown-request", number=2)):
        done(state, ApproveRequest(request=2), SECOND_EXECUTIVE)


def test_a_request_is_withdrawn_or_turned_down() -> None:
    state = done(founded(), adjust(-500), SUPERVISOR)
    with pytest.raises(ForbiddenError, check=refusal("not-own-request", request=1)):
        done(state, DeclineRequest(request=1, text="no need"), OTHER_SUPERVISOR)
    for actor in (SUPERVISOR, EXECUTIVE):
        declined = done(state, DeclineRequest(request=1, text="no need"), actor)
        assert (declined.requests, declined.meter) == ({}, state.meter)
    with pytest.raises(RefusalError, check=refusal("unknown-request", number=1)):
        done(founded(), ApproveRequest(request=1), EXECUTIVE)


def test_an_award_confirmed_in_error_is_backed_out_by_two_people() -> None:
    before = opened(founded(), 1, 2)
    for hand in ("royal-flush", "straight-flush", "full-house"):
        state = confirmed(entered(before, 1, hand), 1)
        ask = RequestBackOut(change=BackOut(award=1, text="misread hand"))
        state = changed(state, ask)
        assert (state.meter, state.hits[1].step) == (before.meter, "backed-out")
        assert state.get_balance(Account.PAYABLE) == 0
        assert state.get_balance(Account.HOUSE) == before.get_balance(Account.HOUSE)
        assert find_violations(state) == ()
        assert entered(state, 1, "flush").hits[2].step == "pending"  # the right hand is entered then


def test_an_award_that_was_paid_is_not_backed_out_but_corrected_by_an_adjustment_that_names_it() -> None:
    state = paid(confirmed(entered(opened(founded(), 1), 1, "straight-flush"), 1), 1)
    with pytest.raises(RefusalError, check=refusal("award-not-confirmed", award=1, step="paid")):
        done(state, RequestBackOut(change=BackOut(award=1, text="misread hand")), SUPERVISOR)
    assert find_violations(changed(state, adjust(100_001, "award", award=1))) == ()


def test_settings_change_as_a_new_version_from_each_tables_next_round() -> None:
    running = opened(done(founded(), configure(meter_bps=1_000), SUPERVISOR), 1)
    state = done(running, ApproveRequest(request=1), EXECUTIVE)
    assert (state.version, state.rounds[1].version) == (2, 1)
    state = opened(ended(state), 1, number=2)
    assert state.rounds[1].version == 2
    assert state.meter_units == SEED_CENTS * UNITS + 140_000 + 100_000


def test_settings_that_change_nothing_or_hide_part_of_the_meter_are_refused() -> None:
    with pytest.raises(RefusalError, check=refusal("no-change")):
        done(founded(), configure(), SUPERVISOR)
    state = ended(opened(founded(), 1))
    with pytest.raises(RefusalError, check=refusal("limit-below-meter")):
        done(state, configure(limit_cents=SEED_CENTS), SUPERVISOR)
    assert changed(state, configure(limit_cents=SEED_CENTS + 15)).version == 2


def test_a_variance_of_more_than_fifty_dollars_closes_all_tables_until_two_people_have_signed() -> None:
    state = done(founded(), ReconcileDisplay(posted_cents=SEED_CENTS - 5_000), SUPERVISOR)
    assert state.incidents == {}
    state = done(state, ReconcileDisplay(posted_cents=SEED_CENTS + 5_001), SUPERVISOR)
    why = r"table 1 is closed by incident 1 \(posted \$10,050\.01, computed \$10,000\.00\): two people must close it"
    with pytest.raises(RefusalError, match=why):
        opened(state, 1)
    state = done(state, SignIncident(incident=1, text="display misread"), SUPERVISOR)
    with pytest.raises(ForbiddenError, check=refusal("second-person-needed", person="supervisor", incident=1)):
        done(state, SignIncident(incident=1, text="display misread"), SUPERVISOR)
    with pytest.raises(RefusalError, check=refusal("table-closed", table=1, incident=1)):
        opened(state, 1)
    state = done(state, SignIncident(incident=1, text="display misread"), OTHER_SUPERVISOR)
    assert opened(state, 1).rounds[1].running
    with pytest.raises(RefusalError, check=refusal("unknown-incident", incident=1)):
        done(state, SignIncident(incident=1, text="again"), EXECUTIVE)


def test_an_incident_of_one_table_leaves_the_others_open() -> None:
    state = done(founded(tables=2), OpenIncident(table=2, text="sensor broken"), SUPERVISOR)
    assert opened(state, 1).rounds[1].running
    with pytest.raises(RefusalError, check=refusal("table-closed", table=2, incident=1, text="sensor broken")):
        opened(state, 1, table=2)
    with pytest.raises(RefusalError, check=refusal("unknown-table", table=3, tables=2)):
        done(state, OpenIncident(table=3, text="sensor broken"), SUPERVISOR)


def test_a_win_page_is_printed_again_and_counted() -> None:
    state = entered(opened(founded(), 1), 1, "flush")
    with pytest.raises(RefusalError, check=refusal("no-win-page", award=1, step="pending")):
        done(state, ReprintWinPage(award=1), SUPERVISOR)
    state = confirmed(state, 1)
    for copies in (1, 2):
        state = done(state, ReprintWinPage(award=1), SUPERVISOR)
        assert state.hits[1].copies == copies


def test_a_progressive_is_set_up_once() -> None:
    with pytest.raises(RefusalError, check=refusal("ledger-exists")):
        create(founded(), settings(), "executive")
    assert ProgressiveState().version == 0
