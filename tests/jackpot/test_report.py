"""What a progressive tells: lines and pages."""

from jackpot.house import EXECUTIVE, SUPERVISOR, confirmed, entered, founded, opened, settings
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    ProgressiveCreated,
)
from pitboss.jackpot.reports import describe_event, summarize_status
from pitboss.jackpot.win_pages import format_win_page, make_win_page

AT = "2026-01-01T12:00:00.000000+00:00"
ADJUSTED = AdjustmentMade(
    by="max",
    requested_by="sue",
    request=1,
    adjustment=Adjustment(account="meter", cents=-500, reason="malfunction", text="as counted"),
)


def test_every_event_is_told_in_a_line() -> None:
    assert describe_event(ProgressiveCreated(by="eve", settings=settings())) == "founded by eve: "
    assert describe_event(ADJUSTED) == (
        "adjusted by max: requested by sue, request 1, meter -$5.00, malfunction: as counted"
    )


def test_a_win_page_counts_the_awards_to_its_right() -> None:
    state = entered(entered(opened(founded(), 1, 5), 1, "flush"), 5, "straight-flush")
    state = confirmed(confirmed(state, 2, EXECUTIVE), 1, SUPERVISOR)
    assert "seat 1, number 2 of the round" in format_win_page(make_win_page(1, state.hits.values(), AT, 9))
    assert "seat 5, number 1 of the round" in format_win_page(make_win_page(2, state.hits.values(), AT, 9))


def test_the_display_is_all_that_anybody_is_told() -> None:
    state = opened(founded(), 1)
    assert set(summarize_status(state, full=False)) == {"display_cents", "jackpot_pending", "rounds"}
    assert summarize_status(state, full=True)["counts"]["in_count"] == 1
