"""The progressive at the table: coin-in, awards of several winners of one round, reseeding, and envy over the seats."""

import pytest

from pitboss.meter import UNITS_PER_CENT, Meter
from pitboss.table.round import EnvyPaid, Round, WagerSettled, open_round
from pitboss.table.round.wagers import Stake
from table.laying import SIX_CARD, deck_of, opened, settled

ROYAL = "As Ks Qs Js Ts 2h"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h 2c"
ANOTHER_STRAIGHT_FLUSH = "9d 8d 7d 6d 5d 2d"
FOUR = "4s 4h 4d 4c Kh Qh"
NOTHING = "Kc Jc 9c 7c 3h 2s"
DEALER = "Ah Jd Td 8c 6c 3s"

SEED_CENTS = 1_000_000
WITH = {"main": 10, "progressive": 1}
WITHOUT = {"main": 10}


def all_play(now: Round, *hands: str) -> Round:
    """Deal these hands and the dealer's, and let every seat play."""
    now = now.deal(deck_of(SIX_CARD, " ".join((*hands, DEALER))))
    while now.turn is not None:
        now = now.decide(now.turn[0], "play")
    return now


def awarded(now: Round) -> dict[int, tuple[str, int, int]]:
    """Return by seat: the progressive's outcome, what it netted, and what came from the meter, in cents."""
    return {
        event.seat: (event.outcome, event.net_cents, event.meter_cents)
        for event in now.events
        if isinstance(event, WagerSettled) and event.bet == "progressive"
    }


def envied(now: Round) -> list[tuple[int, int, str, int]]:
    """Return seat, hitter, line and cents of every envy payment, in order."""
    return [(event.seat, event.hitter, event.line, event.cents) for event in now.events if isinstance(event, EnvyPaid)]


def units(cents: int) -> int:
    """Return a meter's units for cents."""
    return cents * UNITS_PER_CENT


def test_a_fresh_table_starts_at_the_seed_and_takes_every_wager_before_the_awards() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITHOUT, WITH), NOTHING, FOUR, "Kd Qc Jh 9s 7s 3d")
    assert now.opening_meter == Meter(units(SEED_CENTS), 0)
    assert now.meter == Meter(units(SEED_CENTS + 2 * 14), units(2 * 2))


def test_a_percentage_is_of_the_meter_with_this_rounds_wagers_in_it() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH), STRAIGHT_FLUSH, NOTHING)
    assert awarded(now)[0] == ("straight-flush", 100_002 - 100, 100_002)
    assert now.meter == Meter(units(SEED_CENTS + 28 - 100_002), units(4))


def test_awards_in_sequence_go_from_the_highest_seat_each_from_what_the_one_before_left() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH), STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)
    assert awarded(now)[1] == ("straight-flush", 100_002 - 100, 100_002)
    assert awarded(now)[0] == ("straight-flush", 90_002 - 100, 90_002)
    assert now.meter == Meter(units(SEED_CENTS + 28 - 100_002 - 90_002), units(4))


def test_after_a_royal_the_next_award_is_taken_from_the_reseeded_meter() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH), STRAIGHT_FLUSH, ROYAL)
    assert awarded(now)[1] == ("royal-flush", SEED_CENTS + 28 - 100, SEED_CENTS + 28)
    assert awarded(now)[0] == ("straight-flush", 100_000 - 100, 100_000)
    assert now.meter == Meter(units(SEED_CENTS + 4 - 100_000), 0)


def test_a_royal_at_a_lower_seat_takes_what_the_higher_seats_left() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH), ROYAL, STRAIGHT_FLUSH)
    assert awarded(now)[1][2] == 100_002
    assert awarded(now)[0][2] == SEED_CENTS + 28 - 100_002
    assert now.meter == Meter(units(SEED_CENTS + 4), 0)


def test_split_awards_are_all_of_the_meter_as_it_was_scaled_down_past_all_of_it() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH, award_order="split"), STRAIGHT_FLUSH, ROYAL)
    whole = SEED_CENTS + 28
    assert awarded(now)[0][2] == whole * 10 // 110
    assert awarded(now)[1][2] == whole - whole * 10 // 110
    assert now.meter == Meter(units(SEED_CENTS + 4), 0)


def test_split_awards_below_all_of_the_meter_are_equal_for_equal_hands() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH, award_order="split"), STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)
    assert [awarded(now)[seat][2] for seat in (0, 1)] == [100_002, 100_002]


def test_awards_round_down_to_a_dollar_where_the_house_says_so() -> None:
    now = all_play(opened(SIX_CARD, WITH, award_rounding="dollar"), STRAIGHT_FLUSH)
    assert awarded(now)[0] == ("straight-flush", 100_000 - 100, 100_000)
    assert now.meter == Meter(units(SEED_CENTS + 14 - 100_000), units(2))


def test_a_fixed_award_comes_from_the_tray_or_from_the_meter() -> None:
    from_tray = all_play(opened(SIX_CARD, WITH), FOUR)
    assert awarded(from_tray)[0] == ("four-of-a-kind", 9_900, 0)
    assert from_tray.meter == Meter(units(SEED_CENTS + 14), units(2))
    from_meter = all_play(opened(SIX_CARD, WITH, fixed_awards_from="meter"), FOUR)
    assert awarded(from_meter)[0] == ("four-of-a-kind", 9_900, 10_000)
    assert from_meter.meter == Meter(units(SEED_CENTS + 14 - 10_000), units(2))


def test_a_meter_that_runs_dry_is_reported_and_the_player_paid_all_the_same() -> None:
    opening = open_round(SIX_CARD, options={"fixed_awards_from": "meter"}, meter=Meter(units(50), 0))
    now = all_play(opening.place_wager(Stake(0, "main", 1_000)).place_wager(Stake(0, "progressive", 100)), FOUR)
    event = next(event for event in now.events if isinstance(event, WagerSettled) and event.bet == "progressive")
    assert (event.net_cents, event.meter_cents, event.short_cents) == (9_900, 64, 10_000 - 64)
    assert now.meter == Meter(0, units(2))


def test_a_round_without_the_wager_leaves_the_meter_alone() -> None:
    now = all_play(opened(SIX_CARD, WITHOUT), ROYAL)
    assert now.meter == now.opening_meter
    assert not now.has_meter_wager
    assert awarded(now) == {}


# Envy (SC-4).


def test_every_other_seat_with_the_wager_is_paid_once_for_each_hit_and_hitters_for_each_other() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH, WITH, WITHOUT), STRAIGHT_FLUSH, ROYAL, NOTHING, FOUR)
    assert sorted(envied(now)) == [
        (0, 1, "royal-flush", 10_000),
        (1, 0, "straight-flush", 1_000),
        (2, 0, "straight-flush", 1_000),
        (2, 1, "royal-flush", 10_000),
    ]


def test_envy_is_paid_last_from_the_highest_seat() -> None:
    now = all_play(opened(SIX_CARD, WITH, WITH, WITH), ROYAL, NOTHING, "Kd Qc Jh 9s 7s 3d")
    assert [event[0] for event in settled(now)[-2:]] == [2, 1]
    assert [outcome for _, _, outcome, _ in settled(now)][-2:] == ["envy-royal-flush"] * 2


@pytest.mark.parametrize(("must_wager", "paid"), [("on", []), ("off", [(1, 0, "royal-flush", 10_000)])])
def test_a_hit_without_the_wager_is_envied_only_where_the_house_says_so(
    must_wager: str, paid: list[tuple[int, int, str, int]]
) -> None:
    now = all_play(opened(SIX_CARD, WITHOUT, WITH, envy_hitter_must_wager=must_wager), ROYAL, NOTHING)
    assert envied(now) == paid


def test_nobody_is_paid_for_the_dealers_hand_or_his_own() -> None:
    royal_dealer = opened(SIX_CARD, WITH, WITH).deal(deck_of(SIX_CARD, f"{NOTHING} {FOUR} {ROYAL}"))
    assert envied(royal_dealer.decide(0, "fold").decide(1, "fold")) == []
    assert envied(all_play(opened(SIX_CARD, WITH), ROYAL)) == []


def test_a_folded_royal_still_wins_the_meter_and_is_envied() -> None:
    now = opened(SIX_CARD, WITH, WITH).deal(deck_of(SIX_CARD, f"{ROYAL} {NOTHING} {DEALER}"))
    now = now.decide(0, "fold").decide(1, "fold")
    assert awarded(now)[0][0] == "royal-flush"
    assert envied(now) == [(1, 0, "royal-flush", 10_000)]
