"""What must hold whatever was pressed: no trace of a hand turned off, a reseed for a jackpot, the amount shown."""

from itertools import permutations
from typing import Any

import pytest

from jackpot.house import (
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    changed,
    configure,
    confirmed,
    done,
    ended,
    entered,
    founded,
    opened,
)
from pitboss.jackpot.award_amounts import compute_free_meter
from pitboss.jackpot.commands import ApproveRequest, CancelHit, PayAward, RequestAdjustment, RequestBackOut
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, AwardBackedOut, BackOut
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.settings import MAX_CENTS
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.win_pages import make_win_page
from refusals import refusal

SEED_CENTS = 1_000_000
UNITS = 10_000
HANDS = ("royal-flush", "straight-flush", "full-house")


def adjust(cents: int, account: Any = "meter") -> RequestAdjustment:
    change = Adjustment(account=account, cents=cents, reason="malfunction", text="as counted")
    return RequestAdjustment(change=change)


def stand(state: ProgressiveState) -> list[Any]:
    """Return the pending hits in their order, and the money."""
    hits = sorted(state.list_pending_hits(), key=state.get_place)
    owed = [(hit.table, hit.owed.seat, hit.owed.hand, hit.cents, hit.owed.seed_cents, hit.fixed) for hit in hits]
    return [*owed, state.meter, get_display_cents(state), compute_free_meter(state)]


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("seat", [1, 3])
def test_a_hand_pressed_and_turned_off_leaves_no_trace(order: str, hand: str, seat: int) -> None:
    """SC-9: neither a place in the order nor an amount of any table."""
    start = opened(opened(founded(tables=3, award_order=order), 1, 2, 3), 1, table=2)
    for first, second in permutations(HANDS[:2]):
        before = entered(entered(start, 2, first), 1, second, table=2)
        before = opened(before, 1, table=3)
        pressed = entered(before, seat, hand)
        assert stand(done(pressed, CancelHit(award=3), DEALER)) == stand(before)
        assert stand(entered(pressed, seat, hand)) == stand(before)


@pytest.mark.parametrize("hands", [*permutations(("royal-flush", "straight-flush")), ("royal-flush",) * 2])
@pytest.mark.parametrize("by_back_out", [False, True])
@pytest.mark.parametrize("order", ["sequence", "split"])
def test_a_royal_that_stays_is_reseeded(hands: tuple[str, str], order: str, *, by_back_out: bool) -> None:
    """SC-6: whichever other hand of its round is taken back, and however."""
    state = opened(founded(award_order=order, tables=2), 3, 5)
    state = entered(entered(state, 5, hands[0]), 3, hands[1])
    state = confirmed(state, 1)
    if by_back_out:
        state = changed(confirmed(state, 2), RequestBackOut(change=BackOut(award=2, text="misread")))
    else:
        shown = get_display_cents(state)
        state = done(state, CancelHit(award=2), DEALER)
        assert get_display_cents(state) == shown
    if hands[0] == "royal-flush":
        left = SEED_CENTS + 28 - state.hits[1].cents
        assert state.meter_units == (left + SEED_CENTS + 4) * UNITS
        assert state.reserve_units == 0
    assert find_violations(state) == ()


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("hands", list(permutations(HANDS)))
def test_a_round_that_waited_for_a_cancelled_hand_comes_after_confirmed_awards(
    hands: tuple[str, str, str], order: str
) -> None:
    """SC-9: what is confirmed is never computed again, and no award is below zero."""
    terms = {"fixed_awards_from": "meter", "seed_cents": 0, "zero_seed": True, "meter_bps": 5_000}
    start = founded(tables=3, award_order=order, **terms)
    start = opened(opened(start, 1, 2, 3, table=2), 1)
    state = opened(entered(start, 1, hands[0], table=2), *range(1, 7), table=3)
    state = entered(entered(state, 1, hands[1]), 3, hands[2], table=2)
    for award in (2, 3):
        assert state.hits[award].step == "pending"
        state = confirmed(state, 2) if award == 2 else done(state, CancelHit(award=3), DEALER)
    first, second = state.hits[2], state.hits[1]
    assert (first.step, second.step) == ("confirmed", "pending")
    assert second.cents >= 0
    assert second.fixed.received == first.fixed.received
    assert find_violations(confirmed(state, 1)) == ()


@pytest.mark.parametrize("limits", [(SEED_CENTS, -1), (-1, SEED_CENTS + 300_014), (SEED_CENTS, SEED_CENTS + 100)])
def test_a_jackpot_is_what_the_display_shows_when_it_is_entered(limits: tuple[int, int]) -> None:
    """SC-7: also if the limit changed while the round was in play; later changes do not count."""
    state = changed(founded(limit_cents=limits[0]), adjust(300_000))
    state = changed(opened(state, 1), configure(limit_cents=limits[1]))
    shown = get_display_cents(state)
    state = entered(state, 1, "royal-flush")
    assert state.hits[1].cents == shown
    assert changed(state, configure(limit_cents=SEED_CENTS + 500_000)).hits[1].cents == shown


def test_above_its_limit_a_meter_has_its_settings_changed_and_its_limit_raised() -> None:
    state = ended(opened(founded(limit_cents=SEED_CENTS + 10), 1, 2))
    assert changed(state, configure(limit_cents=SEED_CENTS + 10, words="display")).version == 2
    assert changed(state, configure(limit_cents=SEED_CENTS + 15)).version == 2
    with pytest.raises(RefusalError, check=refusal("limit-below-meter")):
        changed(state, configure(limit_cents=SEED_CENTS + 9))


@pytest.mark.parametrize("rounding", ["cent", "dollar"])
@pytest.mark.parametrize("order", ["sequence", "split"])
def test_what_may_be_taken_away_is_never_missed_afterwards(rounding: str, order: str) -> None:
    """P10: whichever hits are turned off, in any order, and also if others are confirmed first."""
    for odd in (0, 37, 99):
        state = founded(award_rounding=rounding, award_order=order, tables=2, seed_cents=SEED_CENTS - odd)
        state = opened(opened(state, 1, 2, 3), 1, table=2)
        state = entered(entered(entered(state, 3, "royal-flush"), 2, "royal-flush"), 1, "straight-flush", table=2)
        free = compute_free_meter(state)
        state = changed(state, adjust(-(free.units // UNITS)))
        for awards in permutations((1, 2, 3)):
            after = state
            for number, award in enumerate(awards):
                earlier = after.find_earlier_hit(after.hits[award])
                after = (
                    confirmed(after, award)
                    if not earlier and number == 0
                    else done(after, CancelHit(award=award), DEALER)
                )
                assert find_violations(after) == ()


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("hand", ["full-house", "four-of-a-kind"])
@pytest.mark.parametrize("then", ["cancelled", "backed out"])
def test_a_confirmed_award_of_the_tray_keeps_the_moment_of_a_pending_one(order: str, hand: str, then: str) -> None:
    """P10: the hands of a round are figured at the moment of the last, which stays once it is confirmed."""
    state = opened(opened(founded(tables=2, award_order=order), 1, 2, 3), 1, 2, table=2)
    state = entered(entered(state, 1, "royal-flush", table=2), 1, "royal-flush")
    if then == "cancelled":
        state = done(state, CancelHit(award=1), DEALER)
    else:
        state = changed(confirmed(state, 1), RequestBackOut(change=BackOut(award=1, text="misread")))
    state = opened(ended(state, table=2), 1, 2, table=2, number=2)
    state = confirmed(entered(state, 2, hand), 3)
    free = compute_free_meter(state)
    state = changed(state, adjust(-(free.units // UNITS)))
    assert find_violations(state) == find_violations(confirmed(state, 2)) == ()


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("decided", ["confirmed", "paid", "backed out"])
def test_a_decided_award_of_the_tray_keeps_the_place_of_its_round(order: str, decided: str) -> None:
    """SC-9 and P10: nothing pressed and turned off later moves the round back, and no adjustment takes its award."""
    state = entered(opened(founded(tables=3, award_order=order), 1, 2, 3, table=2), 1, "straight-flush", table=2)
    state = entered(opened(state, 1, 2, table=3), 1, "royal-flush", table=3)
    state = confirmed(entered(state, 2, "full-house", table=2), 3)
    if decided == "paid":
        state = done(state, PayAward(award=3), DEALER)
    elif decided == "backed out":
        state = changed(state, RequestBackOut(change=BackOut(award=3, text="misread")))
    pressed = entered(state, 3, "royal-flush", table=2)
    assert stand(done(pressed, CancelHit(award=4), DEALER)) == stand(state)
    state = changed(state, adjust(-(compute_free_meter(state).units // UNITS)))
    for first, second in permutations([1, 2]):
        after = done(done(state, CancelHit(award=first), DEALER), CancelHit(award=second), DEALER)
        assert find_violations(after) == ()


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("hands", [*permutations(HANDS, 2), *((hand, hand) for hand in HANDS[:2])])
def test_amounts_of_a_round_stay_once_one_is_confirmed(hands: tuple[str, str], order: str) -> None:
    """SC-6: whatever is entered or turned off at other tables, before and after in the order of hits."""
    start = opened(opened(founded(tables=3, award_order=order, fixed_awards_from="meter"), 1, 2), 1, 2, table=2)
    start = entered(opened(start, 1, table=3), 1, "royal-flush")
    start = entered(entered(start, 2, hands[0], table=2), 1, hands[1], table=2)
    start = entered(entered(start, 2, "straight-flush"), 1, "straight-flush", table=3)
    first = min((hit for hit in start.hits.values() if hit.table == 2), key=start.get_place)
    start = confirmed(start, first.owed.award)
    (other,) = (hit for hit in start.list_pending_hits(2, 1))
    for awards in permutations([1, 4, 5]):
        state = start
        for award in awards:
            state = done(state, CancelHit(award=award), DEALER)
            assert state.hits[other.owed.award].owed == other.owed
            assert find_violations(state) == ()
        assert state.find_earlier_hit(state.hits[other.owed.award]) is None


@pytest.mark.parametrize("order", ["sequence", "split"])
def test_win_pages_of_a_round_have_one_number_each(order: str) -> None:
    """The numbers are the order in which the awards were figured, without those taken back (SC-6)."""
    state = entered(opened(founded(award_order=order), 1, 2, 3, 4), 2, "straight-flush")
    state = entered(entered(state, 3, "flush"), 1, "straight-flush")
    first = next(hit.owed.award for hit in state.list_pending_hits() if not state.find_earlier_hit(hit))
    state = confirmed(state, first)
    state = entered(done(state, CancelHit(award=2 if first != 2 else 1), DEALER), 4, "straight-flush")
    while pending := state.list_pending_hits():
        state = confirmed(state, min(pending, key=lambda hit: hit.place).owed.award)
    standing = [hit for hit in state.hits.values() if hit.step == "confirmed"]
    pages = [make_win_page(hit.owed.award, state.hits.values(), "2026-11-23T00:00:00", 1) for hit in standing]
    numbers = sorted(dict(page.lines)["where"].partition("number ")[2] for page in pages)
    assert numbers == [f"{number} of the round" for number in range(1, len(standing) + 1)]


@pytest.mark.parametrize("account", ["meter", "reserve"])
def test_an_adjustment_of_any_size_is_made_or_refused_and_fits_the_ledger(account: str) -> None:
    for cents in (10**18, 10**30, MAX_CENTS + 1, -(10**18)):
        code = "above-most" if cents > 0 else "below-owed"
        with pytest.raises(RefusalError, check=refusal(code, account=account)):
            done(founded(), adjust(cents, account), SUPERVISOR)
    state = changed(founded(), adjust(MAX_CENTS - SEED_CENTS, account))
    with pytest.raises(RefusalError, check=refusal("above-most", account=account, most_cents=MAX_CENTS)):
        done(state, adjust(SEED_CENTS + 1, account), SUPERVISOR)
    assert max(map(abs, state.totals.values())) < 2**63


def test_a_table_in_play_is_not_taken_away() -> None:
    state = opened(founded(tables=3), 1, table=3)
    with pytest.raises(RefusalError, check=refusal("table-in-play", table=3, round=1)):
        done(state, configure(tables=2), EXECUTIVE)
    assert changed(ended(state, table=3), configure(tables=2)).version == 2


def test_a_back_out_states_the_seed_that_it_could_not_return() -> None:
    state = opened(opened(founded(tables=2), 1), 1, table=2)
    state = confirmed(entered(state, 1, "royal-flush"), 1)
    state = entered(state, 1, "royal-flush", table=2)
    asked = done(state, RequestBackOut(change=BackOut(award=1, text="misread")), SUPERVISOR)
    (event,) = decide(asked, ApproveRequest(request=asked.last_request), EXECUTIVE)
    assert isinstance(event, AwardBackedOut)
    assert event.back.seed_cents + event.kept_seed_cents == SEED_CENTS
    assert event.back.released_units + event.kept_reserve_units == state.hits[1].owed.released_units
