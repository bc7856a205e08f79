"""The sheet's procedure, step by step: who may do what when, and what it does to the meter."""

from itertools import permutations
from typing import Any

import pytest

from jackpot.house import (
    AUDITOR,
    DEALER,
    EVERYBODY,
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
    paid,
)
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.commands import CancelHit, CloseRound, ConfirmAward, EnterHit, OpenRound, PayAward, RequestBackOut
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.display import get_display_cents, get_display_overflow_units, is_jackpot_pending
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WagerOutOfRangeError
from pitboss.jackpot.events import BackOut, EnvyPayment, HitEntered, ProgressiveWager, RoundEnded
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.replay import MAX_FINISHED_HITS
from pitboss.jackpot.roles import PERMISSIONS, Actor, Role, verify_permission
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.jackpot.state import ProgressiveState
from refusals import refusal

SEED_CENTS = 1_000_000
UNITS = 10_000


def owed_cents(state: ProgressiveState) -> dict[int, int]:
    """Return what each seat is owed on hits that are pending."""
    return {hit.owed.seat: hit.cents for hit in state.list_pending_hits()}


def test_coin_in_divides_each_wager_and_loses_nothing() -> None:
    state = opened(founded(), 1, 2, 6)
    assert state.meter_units == SEED_CENTS * UNITS + 3 * 140_000
    assert state.reserve_units == 3 * 20_000
    assert state.totals["house:share"] == -3 * 840_000
    assert (state.counts[1].in_count, state.counts[1].in_cents) == (3, 300)
    assert find_violations(state) == ()


@pytest.mark.parametrize("words", STEP_LABELS)
def test_a_round_from_coin_in_to_game_over(words: str) -> None:
    state = entered(opened(founded(words=words), 1, 4), 4, "straight-flush")
    assert owed_cents(state) == {4: 100_002}  # 10% of what is displayed, this round's 28 cents included
    assert get_display_cents(state) == SEED_CENTS + 28  # adjusted only when the win is confirmed
    state = confirmed(state, 1, SUPERVISOR)
    assert get_display_cents(state) == SEED_CENTS + 28 - 100_002
    assert state.get_balance(Account.PAYABLE) == -100_002 * UNITS
    state = ended(paid(state, 1))
    assert state.get_balance(Account.PAYABLE) == 0
    assert not state.rounds[1].running
    assert find_violations(state) == ()


def test_pressing_the_hand_button_again_turns_it_off() -> None:
    before = opened(founded(), 3)
    on = entered(before, 3, "royal-flush")
    off = entered(on, 3, "royal-flush")
    assert (off.meter, off.list_pending_hits()) == (before.meter, ())
    assert off.hits[1].step == "cancelled"
    assert entered(off, 3, "straight-flush").hits[2].step == "pending"


def test_a_hand_is_turned_off_by_its_award_too() -> None:
    on = entered(opened(founded(), 3), 3, "royal-flush")
    assert done(on, CancelHit(award=1), SUPERVISOR).list_pending_hits() == ()


@pytest.mark.parametrize("seats", list(permutations((2, 4, 5))))
def test_awards_are_the_same_whatever_the_order_of_keying(seats: tuple[int, ...]) -> None:
    state = opened(founded(), 2, 4, 5)
    for seat in seats:
        state = entered(state, seat, "royal-flush" if seat == 4 else "straight-flush")
    first = (SEED_CENTS + 42) // 10
    whole = SEED_CENTS + 42 - first
    assert owed_cents(state) == {5: first, 4: whole, 2: (SEED_CENTS + 6) // 10}  # reseeded, with 6 cents of reserve
    assert find_violations(state) == ()


@pytest.mark.more
def test_six_winners_are_owed_the_same_in_each_of_the_720_orders_of_keying() -> None:
    hands = ("royal-flush", "straight-flush", "flush", "straight-flush", "royal-flush", "straight-flush")
    start, found = opened(founded(), *range(1, 7)), set()
    for order in permutations(range(1, 7)):
        state = start
        for seat in order:
            state = entered(state, seat, hands[seat - 1])
        found.add((tuple(sorted(owed_cents(state).items())), state.meter_units, state.reserve_units))
    assert len(found) == 1


def test_after_a_confirmation_nothing_of_the_round_is_computed_anew() -> None:
    state = entered(entered(opened(founded(), 1, 2, 3), 1, "straight-flush"), 2, "straight-flush")
    fixed = owed_cents(state)
    state = confirmed(state, 2)
    left = state.meter_units // UNITS
    state = entered(state, 3, "straight-flush")
    assert owed_cents(state) == {1: fixed[1], 3: left // 10}
    state = done(state, CancelHit(award=3), DEALER)
    assert owed_cents(state) == {1: fixed[1]}
    assert find_violations(state) == ()


def test_what_a_linked_table_adds_does_not_change_an_amount_that_is_fixed() -> None:
    state = entered(opened(founded(tables=2), 1), 1, "royal-flush")
    fixed = owed_cents(state)
    state = opened(state, 1, 2, 3, table=2)
    assert owed_cents(state) == fixed
    assert confirmed(state, 1).hits[1].cents == fixed[1]


def test_a_second_tables_hit_is_taken_from_what_the_first_leaves() -> None:
    state = opened(opened(founded(tables=2), 1), 1, table=2)
    state = entered(entered(state, 1, "royal-flush"), 1, "royal-flush", table=2)
    assert state.hits[1].cents == SEED_CENTS + 28
    assert state.hits[2].cents == SEED_CENTS + 4  # the seed with the whole reserve
    assert find_violations(state) == ()
    assert get_display_cents(state) == SEED_CENTS + 28  # as before: nothing is confirmed (SC-9)
    with pytest.raises(RefusalError, check=refusal("award-provisional", award=2, waits_for=1, table=1)):
        confirmed(state, 2)
    turned_off = done(state, CancelHit(award=1), DEALER)
    assert turned_off.hits[2].cents == SEED_CENTS + 28 == get_display_cents(turned_off)
    state = confirmed(state, 1)
    assert get_display_cents(state) == confirmed(state, 2).hits[2].cents == SEED_CENTS + 4


def test_the_issue_of_a_short_paid_table() -> None:
    """A royal is pending at one table while another has a straight flush, and is then turned off (SC-9)."""
    rich = founded(tables=2, seed_cents=10_000_000)
    state = entered(opened(opened(rich, 1), 1, table=2), 1, "royal-flush")
    shown = get_display_cents(state)
    state = entered(state, 1, "straight-flush", table=2)
    assert (state.hits[1].cents, state.hits[2].cents) == (10_000_028, 1_000_000)
    assert (get_display_cents(state), is_jackpot_pending(state)) == (shown, True)
    state = done(state, CancelHit(award=1), SUPERVISOR)
    assert (state.hits[2].cents, get_display_cents(state), is_jackpot_pending(state)) == (1_000_002, shown, False)
    assert get_display_cents(confirmed(state, 2)) == shown - 1_000_002


def test_a_hundred_percent_leaves_seed_reserve_and_the_rest_of_a_cent() -> None:
    state = opened(founded(meter_bps=1401), 1)
    state = confirmed(entered(state, 1, "royal-flush"), 1)
    assert state.meter_units == SEED_CENTS * UNITS + 20_000 + 100
    assert state.reserve_units == 0


def test_a_hundred_percent_that_is_backed_out_takes_seed_and_reserve_back_as_far_as_they_are_there() -> None:
    before = opened(opened(founded(tables=2, seed_cents=10_000), 1), 1, table=2)
    state = entered(entered(before, 1, "royal-flush"), 1, "royal-flush", table=2)
    state = confirmed(confirmed(state, 1), 2)
    state = changed(state, RequestBackOut(change=BackOut(award=1, text="misread")))
    assert find_violations(state) == ()
    assert state.meter_units == 10_000 * UNITS + 28 * UNITS - 4 * UNITS
    assert state.reserve_units == 4 * UNITS
    poor = founded(tables=2, seed_cents=0, zero_seed=True, meter_bps=0, reserve_bps=10_000)
    state = opened(opened(poor, 1), 1, table=2)
    state = entered(entered(state, 1, "royal-flush"), 1, "royal-flush", table=2)
    state = changed(confirmed(confirmed(state, 1), 2), RequestBackOut(change=BackOut(award=1, text="misread")))
    assert (state.meter_units, state.reserve_units) == (0, 0)  # the second winner has the reserve
    assert find_violations(state) == ()


def test_what_is_above_the_limit_is_metered_and_comes_down_with_an_award() -> None:
    state = opened(founded(limit_cents=SEED_CENTS), 1, 2)
    assert get_display_cents(state) == SEED_CENTS
    assert get_display_overflow_units(state) == 28 * UNITS
    state = confirmed(entered(state, 1, "royal-flush"), 1)
    assert state.hits[1].cents == SEED_CENTS
    assert state.meter_units == (SEED_CENTS + 28 + 4) * UNITS


def test_fixed_awards_come_from_tray_or_meter() -> None:
    tray = confirmed(entered(opened(founded(), 1), 1, "full-house"), 1)
    assert (tray.hits[1].owed.meter_cents, tray.hits[1].owed.tray_cents) == (0, 2_500)
    assert tray.totals["house:tray-award"] == 2_500 * UNITS
    meter = entered(opened(founded(fixed_awards_from="meter", seed_cents=1_000), 1), 1, "full-house")
    owed = meter.hits[1].owed
    assert (owed.meter_cents, owed.tray_cents, owed.short_cents) == (1_014, 1_486, 1_486)
    for state in (tray, paid(tray, 1), meter, confirmed(meter, 1)):
        assert find_violations(state) == ()


@pytest.mark.parametrize("by_change", [False, True])
def test_pays_for_one_grow_with_the_wager_percentages_and_envy_do_not(*, by_change: bool) -> None:
    state = changed(founded(), configure(wager_cents=500)) if by_change else founded(wager_cents=500)
    wagers = (ProgressiveWager(seat=1, cents=500), ProgressiveWager(seat=2, cents=500))
    state = done(state, OpenRound(table=1, round=1, wagers=wagers), DEALER)
    assert entered(state, 1, "flush").hits[1].cents == 7_500
    state = entered(state, 1, "straight-flush")
    assert state.hits[1].cents == (SEED_CENTS + 140) // 10
    assert ended(confirmed(state, 1)).counts[1].envy_cents == 1_000


@pytest.mark.parametrize("change", [{"wager_cents": 500}, {"fixed_awards_from": "meter"}, {"limit_cents": 10**9}])
def test_no_change_of_settings_touches_a_round_in_play(change: dict[str, Any]) -> None:
    running = opened(opened(founded(tables=2, executive_cents=200_000), 1, 2), 1, 2, table=2)
    before = ended(confirmed(entered(running, 1, "straight-flush"), 1, SUPERVISOR))
    fixed = ended(confirmed(entered(before, 1, "flush", table=2), 2, SUPERVISOR), table=2)
    after = changed(running, configure(tables=2, seats=1, **change))
    after = ended(confirmed(entered(after, 1, "straight-flush"), 1, SUPERVISOR))
    after = ended(confirmed(entered(after, 1, "flush", table=2), 2, SUPERVISOR), table=2)
    assert [hit.owed for hit in after.hits.values()] == [hit.owed for hit in fixed.hits.values()]
    assert (after.meter, after.counts, after.earlier_settings) == (fixed.meter, fixed.counts, {})


def test_envy_goes_to_each_other_seat_for_each_hit() -> None:
    state = entered(entered(opened(founded(), 1, 2, 6), 6, "royal-flush"), 1, "straight-flush")
    for award in (1, 2):
        state = confirmed(state, award)
    (over,) = decide(state, CloseRound(table=1, round=1), DEALER)
    assert isinstance(over, RoundEnded)
    royal, straight = {"hitter": 6, "hand": "royal-flush"}, {"hitter": 1, "hand": "straight-flush"}
    assert [envy.model_dump() for envy in over.envy] == [
        {"seat": 2, "cents": 10_000, **royal},
        {"seat": 1, "cents": 10_000, **royal},
        {"seat": 6, "cents": 1_000, **straight},
        {"seat": 2, "cents": 1_000, **straight},
    ]
    assert isinstance(over.envy[0], EnvyPayment)
    assert ended(state).counts[1].envy_cents == 22_000


def test_a_hitter_without_the_wager_is_envied_and_wins_nothing_where_the_house_has_it_so() -> None:
    state = opened(founded(envy_hitter_must_wager="off"), 1, 4)
    before = state.meter_units
    for hand, seat in (("flush", 2), ("pair", 2)):
        with pytest.raises(RefusalError, check=refusal("no-wager", seat=2, round=1)):
            entered(state, seat, hand)
    state = entered(entered(state, 2, "royal-flush"), 4, "straight-flush")
    assert [(hit.owed.seat, hit.cents) for hit in state.hits.values()] == [(2, 0), (4, 100_002)]
    over = ended(confirmed(confirmed(state, 2), 1))
    assert over.meter_units == before - 100_002 * 10_000
    assert over.counts[1].envy_cents == 2 * 10_000 + 1_000
    assert (over.counts[1].hits, over.counts[1].wins) == (2, 1)


def test_no_envy_for_a_hand_that_was_cancelled_or_at_another_table() -> None:
    state = opened(opened(founded(tables=2), 1, 2), 1, 2, table=2)
    state = done(entered(state, 1, "royal-flush"), CancelHit(award=1), DEALER)
    state = confirmed(entered(state, 1, "royal-flush", table=2), 2)
    assert ended(state).counts[1].envy_cents == 0
    assert ended(state, table=2).counts[2].envy_cents == 10_000


REFUSED_OPEN = {
    "unknown table 3: tables are 1 to 2": OpenRound(table=3, round=1, wagers=()),
    "round 3 of table 1 cannot be opened: the next one is 2": OpenRound(table=1, round=3, wagers=()),
    "round 1 of table 1 cannot be opened: the next one is 2": OpenRound(table=1, round=1, wagers=()),
    "unknown seat 7: seats are 1 to 6": OpenRound(table=1, round=2, wagers=(ProgressiveWager(seat=7, cents=100),)),
    "seat 2 wagers twice: give one wager for each seat": OpenRound(
        table=1, round=2, wagers=(ProgressiveWager(seat=2, cents=100),) * 2
    ),
    "seat 2 wagers $0.50: the wager is $1.00": OpenRound(
        table=1, round=2, wagers=(ProgressiveWager(seat=2, cents=50),)
    ),
}


@pytest.mark.parametrize(("message", "command"), REFUSED_OPEN.items())
def test_a_round_that_cannot_be_opened_is_refused(message: str, command: OpenRound) -> None:
    with pytest.raises(RefusalError) as refused:
        decide(ended(opened(founded(tables=2), 1)), command, DEALER)
    assert str(refused.value) == message


def test_a_round_is_ended_before_the_next() -> None:
    with pytest.raises(RefusalError, check=refusal("round-open", round=1, table=1)):
        opened(opened(founded(), 1), 1, number=2)
    with pytest.raises(RefusalError, check=refusal("round-open", round=1, table=1)):
        opened(opened(founded(words="display"), 1), 1, number=2)


def test_a_contribution_out_of_range_raises_a_fault() -> None:
    with pytest.raises(WagerOutOfRangeError, check=refusal("above-limit", seat=1, cents=50000, table=1)) as refused:
        decide(founded(), OpenRound(table=1, round=1, wagers=(ProgressiveWager(seat=1, cents=50_000),)), DEALER)
    assert refused.value.table == 1


REFUSED_HITS = {
    "seat 2 has no progressive wager in round 1: it wins nothing": EnterHit(table=1, round=1, seat=2, hand="flush"),
    "unknown seat 8: seats are 1 to 6": EnterHit(table=1, round=1, seat=8, hand="flush"),
    "'pair' pays nothing: the paying hands are "
    "royal-flush, straight-flush, four-of-a-kind, full-house, flush, straight": EnterHit(
        table=1, round=1, seat=1, hand="pair"
    ),
    "round 2 of table 1 is not open: round 1 is open": EnterHit(table=1, round=2, seat=1, hand="flush"),
    "round 1 of table 2 is not open: none has been opened": EnterHit(table=2, round=1, seat=1, hand="flush"),
    "seat 3 has straight-flush pending as award 1: cancel it first": EnterHit(table=1, round=1, seat=3, hand="flush"),
    "seat 4 has flush confirmed as award 2": EnterHit(table=1, round=1, seat=4, hand="flush"),
}


@pytest.mark.parametrize(("message", "command"), REFUSED_HITS.items())
def test_a_hit_that_cannot_be_is_refused(message: str, command: EnterHit) -> None:
    state = entered(opened(founded(tables=2), 1, 3, 4), 3, "straight-flush")
    state = confirmed(entered(state, 4, "flush"), 2, SUPERVISOR)
    with pytest.raises(RefusalError) as refused:
        decide(state, command, DEALER)
    assert str(refused.value) == message


def test_a_round_that_is_over_takes_no_hit() -> None:
    with pytest.raises(RefusalError, check=refusal("round-not-open", round=1, table=1)):
        entered(ended(opened(founded(), 1)), 1, "flush")


def test_a_win_is_confirmed_once_by_another_person_and_above_the_limit_by_an_executive() -> None:
    state = done(opened(founded(), 1, 2), EnterHit(table=1, round=1, seat=1, hand="straight-flush"), SUPERVISOR)
    with pytest.raises(ForbiddenError, check=refusal("second-person-needed", person="supervisor", award=1)):
        confirmed(state, 1, SUPERVISOR)
    with pytest.raises(
        ForbiddenError, check=refusal("role-not-allowed", person="dealer", role="dealer", action="confirm")
    ):
        confirmed(state, 1, DEALER)
    state = entered(state, 2, "royal-flush")
    with pytest.raises(RefusalError, check=refusal("award-provisional", award=1, waits_for=2, table=1)):
        confirmed(state, 1)
    state = confirmed(confirmed(state, 2), 1)
    with pytest.raises(RefusalError, check=refusal("award-not-pending", award=1, step="confirmed")):
        confirmed(state, 1)
    with pytest.raises(RefusalError, check=refusal("unknown-award", award=9)):
        confirmed(state, 9)


def test_the_executive_limit_is_of_the_whole_award() -> None:
    state = entered(opened(founded(executive_cents=2_500), 1, 2), 1, "full-house")
    with pytest.raises(ForbiddenError, check=refusal("executive-needed", award=1, cents=2500)):
        confirmed(state, 1, SUPERVISOR)
    assert confirmed(entered(state, 2, "flush"), 2, SUPERVISOR).hits[2].step == "confirmed"


def test_an_award_is_paid_once_and_only_when_it_is_confirmed() -> None:
    state = entered(opened(founded(), 1), 1, "flush")
    with pytest.raises(RefusalError, check=refusal("award-not-confirmed", award=1, step="pending")):
        paid(state, 1)
    state = paid(confirmed(state, 1), 1)
    for command in (PayAward(award=1), CancelHit(award=1)):
        with pytest.raises(RefusalError, match="award 1 is paid"):
            decide(state, command, DEALER)


def test_a_confirmed_award_is_not_cancelled() -> None:
    state = confirmed(entered(opened(founded(), 1), 1, "flush"), 1)
    with pytest.raises(RefusalError, check=refusal("award-not-pending", award=1, step="confirmed")):
        done(state, CancelHit(award=1), DEALER)


def test_a_round_with_a_pending_hit_does_not_end() -> None:
    state = entered(opened(founded(), 1), 1, "flush")
    with pytest.raises(RefusalError, check=refusal("award-pending", award=1, seat=1)):
        ended(state)
    assert not ended(confirmed(state, 1)).rounds[1].running  # it may be paid later


def test_nothing_is_possible_before_a_progressive_is_set_up() -> None:
    with pytest.raises(RefusalError, check=refusal("no-progressive")):
        opened(ProgressiveState(), 1)
    with pytest.raises(RefusalError, check=refusal("unknown-award", award=1)):
        confirmed(ProgressiveState(), 1)


def test_every_role_has_what_is_listed_and_nothing_else() -> None:
    for act, roles in PERMISSIONS.items():
        for actor in EVERYBODY:
            if actor.role in roles:
                verify_permission(actor, act)
            else:
                with pytest.raises(ForbiddenError, check=refusal("role-not-allowed")):
                    verify_permission(actor, act)
    with pytest.raises(ForbiddenError):
        verify_permission(EXECUTIVE, "anything else")
    reads, oneself = {"read-display", "read-round", "read-ledger"}, {"enrol", "log-in", "log-out", "change-credentials"}
    assert {act for act, roles in PERMISSIONS.items() if Role.AUDITOR in roles} == reads | oneself
    assert {act for act, roles in PERMISSIONS.items() if Role.SEAT in roles} == {"read-display", "enrol", "log-in"}


@pytest.mark.parametrize(
    "command", [ConfirmAward(award=1), PayAward(award=1), CloseRound(table=1, round=1), CancelHit(award=1)]
)
def test_an_auditor_writes_nothing(command: ConfirmAward | PayAward | CloseRound | CancelHit) -> None:
    with pytest.raises(ForbiddenError):
        decide(entered(opened(founded(), 1), 1, "flush"), command, AUDITOR)


@pytest.mark.more
def test_hits_that_are_done_with_are_forgotten_in_the_end() -> None:
    state = opened(founded(), 1)
    for _ in range(MAX_FINISHED_HITS // 2 + 2):
        state = entered(entered(state, 1, "flush"), 1, "flush")
    for _ in range(MAX_FINISHED_HITS // 2):
        state = entered(entered(state, 1, "flush"), 1, "flush")
    assert len(state.hits) == MAX_FINISHED_HITS
    assert state.last_award == MAX_FINISHED_HITS + 2
    assert state.counts[1].hits == 0


def test_two_people_are_told_apart_by_their_names() -> None:
    state = entered(opened(founded(), 1), 1, "flush")
    assert confirmed(state, 1, Actor("dealer2", Role.SUPERVISOR)).hits[1].step == "confirmed"
    with pytest.raises(ForbiddenError):
        confirmed(state, 1, Actor("dealer", Role.SUPERVISOR))  # the same person with a new role


def test_entered_names_what_it_replaces() -> None:
    state = entered(opened(founded(), 1, 2), 1, "straight-flush")
    (event,) = decide(state, EnterHit(table=1, round=1, seat=2, hand="flush", cards="As  Ks Qs Js 9s"), DEALER)
    assert isinstance(event, HitEntered)
    assert event.replaced == (1,)
    assert [(owed.award, owed.seat, owed.cards) for owed in event.owed] == [(2, 2, "As Ks Qs Js 9s"), (1, 1, "")]


@pytest.mark.parametrize("cards", ["Ks Qs Js Ts 8s", "Ks Qs Js Ts 8s 8d", "8d Ks  Qs Js 2s Ts"])
def test_cards_that_make_the_hand_are_taken(cards: str) -> None:
    hit = EnterHit(table=1, round=1, seat=2, hand="flush", cards=cards)
    (event,) = decide(opened(founded(), 2), hit, DEALER)
    assert isinstance(event, HitEntered)
    assert event.owed[0].cards == " ".join(cards.split())


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("As Ks Qs Js Ts", "rank as royal flush, not as flush: enter the hand and the cards on the table"),
        ("9s 8s 7s 6s 5s Ad", "rank as straight flush, not as flush"),
        ("As Ks Qs Js 9d", "rank as no hand that pays, not as flush"),
        ("2s 3s", "cards: 2s 3s are 2 cards: enter the 5 that make the hand, or all 6"),
        ("2s 3s 4s 5s 7s 9s Js", "are 7 cards: enter the 5"),
        ("2s 2s 4s 5s 7s", "cards: .*2s"),
        ("Jk 2s 4s 5s 7s", "cards: .*Jk"),
    ],
)
def test_cards_that_make_another_hand_are_refused(cards: str, says: str) -> None:
    state = opened(founded(), 2)
    with pytest.raises(RefusalError, match=says):
        decide(state, EnterHit(table=1, round=1, seat=2, hand="flush", cards=cards), DEALER)
