"""What a progressive tells: lines, pages, days."""

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, confirmed, entered, founded, opened, settings
from pitboss.jackpot.commands import CancelHit, EnterHit
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    AwardBackedOut,
    ProgressiveCreated,
    ProgressiveEvent,
    Reversal,
)
from pitboss.jackpot.reports import describe_event, format_win_page, make_win_page, summarize_day, summarize_status
from pitboss.jackpot.state import ProgressiveState, apply_event
from pitboss.ledger.chain import Entry, EntryDraft, LedgerHead, chain_entry, to_canonical_json

ADJUSTED = AdjustmentMade(
    by="max",
    requested_by="sue",
    request=1,
    adjustment=Adjustment(account="meter", cents=-500, reason="malfunction", text="as counted"),
)


def written(state: ProgressiveState, days: list[tuple[str, ProgressiveEvent]]) -> list[Entry]:
    """Write events as entries of some days."""
    entries, head = [], LedgerHead()
    for day, event in days:
        state = apply_event(state, event)
        data = to_canonical_json(event.model_dump(mode="json"))
        draft = EntryDraft(f"{day}T12:00:00", event.by, event.kind, data, state.meter_units, state.reserve_units)
        entries.append(chain_entry(draft, head, "1"))
        head = LedgerHead(entries[-1].sequence, entries[-1].hash)
    return entries


def test_a_day_begins_where_the_last_one_ended_and_every_fall_is_explained() -> None:
    state = opened(founded(), 1)
    (hit,) = decide(state, EnterHit(table=1, round=1, seat=1, hand="straight-flush"), DEALER)
    (back,) = decide(apply_event(state, hit), CancelHit(award=1), DEALER)
    entries = written(state, [("2026-01-01", ADJUSTED), ("2026-01-02", hit), ("2026-01-02", back), ("2026-01-03", hit)])
    day = summarize_day(entries, "2026-01-02")
    assert day["opening_units"] == day["closing_units"] == entries[0].meter_units
    assert day["entries"] == {"entered": 2}
    assert [(fall["units"], fall["why"]) for fall in day["falls"]] == [(100_001 * 10_000, "awards held: 1")]
    assert summarize_day(entries, "2026-01-01")["falls"] == []  # nothing is known of the day before


def test_an_award_that_is_backed_out_can_lower_the_meter_and_is_explained() -> None:
    state = confirmed(entered(opened(founded(), 1), 1, "flush"), 1)
    back = AwardBackedOut(
        by="max",
        requested_by="sue",
        request=1,
        award=1,
        text="misread hand",
        tray_cents=1_500,
        back=Reversal(seed_cents=10),
    )
    (fall,) = summarize_day(written(state, [("2026-01-01", ADJUSTED), ("2026-01-02", back)]), "2026-01-02")["falls"]
    assert fall["why"] == "award 1 backed out: misread hand (sue, max)"


def test_every_event_is_told_in_a_line() -> None:
    assert describe_event(ProgressiveCreated(by="eve", settings=settings())) == "founded by eve: "
    assert describe_event(ADJUSTED) == "adjusted by max: meter -$5.00, malfunction: as counted"


def test_a_win_page_counts_the_awards_to_its_right() -> None:
    state = entered(entered(opened(founded(), 1, 5), 1, "flush"), 5, "straight-flush")
    state = confirmed(confirmed(state, 1, SUPERVISOR), 2, EXECUTIVE)
    assert "seat 1, number 2 of the round" in format_win_page(make_win_page(state, 1))
    assert "seat 5, number 1 of the round" in format_win_page(make_win_page(state, 2))


def test_the_display_is_all_that_anybody_is_told() -> None:
    state = opened(founded(), 1)
    assert set(summarize_status(state, full=False)) == {"display_cents", "rounds"}
    assert summarize_status(state, full=True)["counts"]["in_count"] == 1
