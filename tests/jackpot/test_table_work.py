"""What dealers do at linked tables: hits, cards, cancellations, and awards that wait or need not."""

from itertools import product
from pathlib import Path

import pytest

from jackpot.house import (
    DEALER,
    EXECUTIVE,
    SECOND_EXECUTIVE,
    SUPERVISOR,
    confirmed,
    done,
    entered,
    founded,
    opened,
    paid,
)
from jackpot.test_gaming_days import Diary
from ledger.databases import empty_ledger
from pitboss.jackpot.commands import (
    ApproveRequest,
    CancelHit,
    ConfirmAward,
    DeclineRequest,
    EnterHit,
    PayAward,
    RequestBackOut,
)
from pitboss.jackpot.controller import get_utc_now
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import BackOut
from pitboss.jackpot.reports import describe_event
from pitboss.jackpot.state import ProgressiveState
from refusals import refusal

ROYAL = "As Ks Qs Js Ts"
STEPS = ("pending", "confirmed", "paid")


def hit(cards: str, seat: int = 3, hand: str = "royal-flush") -> EnterHit:
    """Return the hand button with cards."""
    return EnterHit(table=1, round=1, seat=seat, hand=hand, cards=cards)


def standing(step: str, cards: str) -> ProgressiveState:
    """Return a round in which seat 3 has a royal flush at a step, entered with these cards."""
    state = done(opened(founded(), 1, 3), hit(cards), DEALER)
    state = state if step == "pending" else confirmed(state, 1)
    return paid(state, 1) if step == "paid" else state


@pytest.mark.parametrize(("step", "cards"), tuple(product(("none", *STEPS), ("", ROYAL))))
def test_cards_are_checked_whatever_was_entered_before(step: str, cards: str) -> None:
    state = opened(founded(), 1, 3) if step == "none" else standing(step, cards)
    for wrong, code in (("As Ks Qs Js 9s", "other-hand"), ("As Ks", "wrong-card-count")):
        with pytest.raises(RefusalError, check=refusal(code)):
            decide(state, hit(wrong), DEALER)


@pytest.mark.parametrize("cards", ["", ROYAL])
def test_only_the_button_alone_or_the_same_cards_cancel_a_hand(cards: str) -> None:
    state = standing("pending", cards)
    for again in {"", cards, " ".join(reversed(cards.split()))}:
        assert done(state, hit(again), DEALER).hits[1].step == "cancelled"
    with pytest.raises(RefusalError, check=refusal("hit-entered", seat=3, award=1, step="pending")):
        decide(state, hit("Ah Kh Qh Jh Th"), DEALER)


@pytest.mark.parametrize("step", STEPS)
def test_a_card_is_in_one_hand_of_a_round(step: str) -> None:
    state = standing(step, ROYAL)
    with pytest.raises(RefusalError, check=refusal("card-used", card="As", award=1, seat=3)):
        decide(state, hit("As 5s 4s 3s 2s", 1, "straight-flush"), DEALER)
    assert done(state, hit("5h 4h 3h 2h Ah", 1, "straight-flush"), DEALER).hits[2].step == "pending"
    if step == "pending":
        again = done(done(state, CancelHit(award=1), DEALER), hit("As 5s 4s 3s 2s", 1, "straight-flush"), DEALER)
        assert again.hits[2].step == "pending"


HANDS = ("royal-flush", "straight-flush", "flush")


@pytest.mark.parametrize(("first", "second", "source"), tuple(product(HANDS, HANDS, ("tray", "meter"))))
@pytest.mark.parametrize("tables", [(1, 2), (1, 1)])
def test_an_award_waits_only_for_what_may_change_it(
    first: str, second: str, source: str, tables: tuple[int, int]
) -> None:
    state = founded(tables=2, fixed_awards_from=source)
    for table in sorted(set(tables)):
        state = opened(state, 1, 3, table=table)
    state = entered(entered(state, 3, first, tables[0]), 1, second, tables[1])
    before = state.hits[2].cents
    may_change = source == "meter" or (first != "flush" and second != "flush")
    assert (state.find_earlier_hit(state.hits[2]) is not None) == may_change
    if may_change:
        with pytest.raises(RefusalError, check=refusal("award-provisional", award=2, waits_for=1)):
            decide(state, ConfirmAward(award=2), EXECUTIVE)
        return
    settled = confirmed(state, 2)
    for later in (done(settled, CancelHit(award=1), DEALER), confirmed(settled, 1)):
        assert (later.hits[2].cents, later.hits[1].cents) == (before, state.hits[1].cents)


def test_no_award_is_paid_while_its_back_out_waits() -> None:
    state = confirmed(entered(opened(founded(), 1), 1, "flush"), 1)
    back_out = RequestBackOut(change=BackOut(award=1, text="misread hand"))
    asked = done(state, back_out, SUPERVISOR)
    for command, actor in ((PayAward(award=1), DEALER), (back_out, EXECUTIVE)):
        with pytest.raises(RefusalError, check=refusal("back-out-requested", award=1, request=1)):
            decide(asked, command, actor)
    approved = done(asked, ApproveRequest(request=1), SECOND_EXECUTIVE)
    assert (approved.hits[1].step, approved.requests) == ("backed-out", {})
    declined = done(asked, DeclineRequest(request=1, text="the hand is right"), SECOND_EXECUTIVE)
    assert paid(declined, 1).hits[1].step == "paid"
    with pytest.raises(RefusalError, match="correct it by adjust --award 1"):
        decide(paid(declined, 1), back_out, SUPERVISOR)


def test_a_line_names_what_was_entered_or_cancelled_and_each_other_award_that_changed_with_its_table(
    tmp_path: Path,
) -> None:
    diary = Diary(empty_ledger("sqlite", tmp_path), tmp_path, get_utc_now())
    for table in (1, 2):
        diary.round(table, 1, 1, 3)

    def say(command: EnterHit | CancelHit, key: str) -> tuple[str, ...]:
        outcomes = [diary.controller.execute(command, DEALER, key) for _ in range(2)]
        lines = [(describe_event(each.events[0], each.shares), *each.warnings) for each in outcomes]
        assert lines[0] == lines[1]  # a repetition says the same
        return lines[0]

    assert say(EnterHit(table=1, seat=3, hand="royal-flush"), "key-0001") == (
        "entered by dealer: table 1 round 1: award 1 seat 3 royal flush $10,000.56",
    )
    assert say(EnterHit(table=2, seat=1, hand="straight-flush"), "key-0002") == (
        "entered by dealer: table 2 round 1: award 2 seat 1 straight flush $1,000.00",
    )
    assert say(EnterHit(table=2, seat=3, hand="flush"), "key-0003") == (
        "entered by dealer: table 2 round 1: award 3 seat 3 flush $15.00",
    )
    assert say(CancelHit(award=3), "key-0004") == ("cancelled by dealer: table 2 round 1: award 3 seat 3 flush $15.00",)
    assert say(CancelHit(award=1), "key-0005") == (
        (
            "cancelled by dealer: table 1 round 1: award 1 seat 3 royal flush $10,000.56; "
            "award 2 table 2 seat 1 straight flush changed from $1,000.00 to $1,000.05"
        ),
        (
            "dealer alone cancelled award 1, royal-flush $10,000.56: "
            "a supervisor should see the hand before the cards are taken up"
        ),
    )
    entered_last = [entry.data for entry in diary.entries() if entry.kind == "entered"][-1]
    assert '"table":2' in entered_last  # the award of another table says so in its entry
    diary.store.close()
