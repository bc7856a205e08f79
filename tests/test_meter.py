"""The progressive's arithmetic: worked examples, every order of winners, and sums that must always hold."""

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.meter import (
    AWARD_IN_SEQUENCE,
    AWARD_SPLIT,
    FIXED_FROM_METER,
    FIXED_FROM_TRAY,
    NO_LIMIT,
    ROUND_TO_CENT,
    ROUND_TO_DOLLAR,
    UNITS_PER_CENT,
    Meter,
    MeterAward,
    MeterSettings,
    add_contribution,
    compute_contribution,
    compute_displayed_cents,
    compute_envy_dollars,
    compute_fixed_award,
    compute_overflow_units,
    compute_percentage_award,
    compute_round_awards,
    compute_split_cents,
    divide_wager,
)

SEED_CENTS = 1_000_000
ROYAL, STRAIGHT_FLUSH, NONE = 100, 10, 0

units = st.integers(0, 10**14)
wagers = st.integers(0, 1_000_000)
limits = st.one_of(st.just(NO_LIMIT), st.integers(0, 10**10))
rates = st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)).filter(lambda pair: sum(pair) <= 10_000)
meters = st.builds(Meter, units, units)
terms_of_a_house = st.builds(
    MeterSettings,
    seed_cents=st.integers(0, 10**9),
    limit_cents=limits,
    award_order=st.sampled_from([AWARD_IN_SEQUENCE, AWARD_SPLIT]),
    award_rounding=st.sampled_from([ROUND_TO_CENT, ROUND_TO_DOLLAR]),
    fixed_awards_from=st.sampled_from([FIXED_FROM_TRAY, FIXED_FROM_METER]),
)
hits = st.lists(
    st.one_of(
        st.just((0, 0)),
        st.tuples(st.integers(1, 100), st.just(0)),
        st.tuples(st.just(0), st.integers(1, 10**8)),
        st.just((ROYAL, 0)),
        st.just((STRAIGHT_FLUSH, 0)),
    ),
    min_size=1,
    max_size=6,
)


def cents(amount: int) -> int:
    """Return cents as units."""
    return amount * UNITS_PER_CENT


def paid(awards: tuple[MeterAward, ...]) -> list[int]:
    """Return the cents that the meter pays to each seat."""
    return [award.meter_cents for award in awards]


def exact_awards(meter: Meter, percents: tuple[int, ...], settings: MeterSettings) -> tuple[list[int], Meter]:
    """Compute percentage awards by the rulings in fractions of a cent: the awards by seat, and the meter after them."""
    held, reserve = Fraction(meter.units, UNITS_PER_CENT), Fraction(meter.reserve_units, UNITS_PER_CENT)
    step = 100 if settings.award_rounding == ROUND_TO_DOLLAR else 1

    def shown() -> int:
        whole = int(held)
        return whole if settings.limit_cents == NO_LIMIT else min(whole, settings.limit_cents)

    def left() -> Meter:
        assert (held * UNITS_PER_CENT).denominator == (reserve * UNITS_PER_CENT).denominator == 1
        return Meter(int(held * UNITS_PER_CENT), int(reserve * UNITS_PER_CENT))

    def down(amount: Fraction) -> int:
        return int(amount / step) * step

    awards = [0] * len(percents)
    winners = [seat for seat in reversed(range(len(percents))) if percents[seat]]
    if settings.award_order == AWARD_IN_SEQUENCE:
        for seat in winners:
            awards[seat] = down(shown() * Fraction(percents[seat], 100))
            held -= awards[seat]
            if percents[seat] == 100:
                held, reserve = held + settings.seed_cents + reserve, Fraction(0)
        return awards, left()
    total = sum(percents)
    pot = down(Fraction(shown()))
    for seat in winners:
        share = Fraction(pot * percents[seat], total) if total > 100 else shown() * Fraction(percents[seat], 100)
        awards[seat] = down(share)
    if total > 100:
        awards[winners[0]] += pot - sum(awards)
    held -= sum(awards)
    if total >= 100:
        held, reserve = held + settings.seed_cents + reserve, Fraction(0)
    return awards, left()


# Contributions.


def test_a_dollar_at_14_and_2_percent_gives_14_cents_to_the_meter_and_2_to_the_reserve() -> None:
    assert add_contribution(Meter(0, 0), 100, 1400, 200) == Meter(cents(14), cents(2))
    assert divide_wager(100, 1400, 200) == (cents(14), cents(2), cents(84))


@given(wagers, rates)
def test_a_wager_is_what_goes_to_meter_reserve_and_house_to_the_last_unit(
    wager_cents: int, rate: tuple[int, int]
) -> None:
    parts = divide_wager(wager_cents, *rate)
    assert sum(parts) == cents(wager_cents)
    assert min(parts) >= 0
    for part, rate_bps in zip(parts, (*rate, 10_000 - sum(rate)), strict=True):
        assert Fraction(part, UNITS_PER_CENT) == wager_cents * Fraction(rate_bps, 10_000)


@pytest.mark.parametrize("wager_cents", [1, 100, 333, 40_000])
def test_at_every_rate_the_parts_of_a_wager_are_exact(wager_cents: int) -> None:
    for rate_bps in range(10_001):
        parts = divide_wager(wager_cents, rate_bps, (10_000 - rate_bps) // 3)
        assert parts.meter_units * 10_000 == wager_cents * UNITS_PER_CENT * rate_bps
        assert sum(parts) == cents(wager_cents)


@given(meters, st.lists(wagers, max_size=6), rates)
def test_contributions_of_several_wagers_do_not_depend_on_their_order(
    meter: Meter, staked: list[int], rate: tuple[int, int]
) -> None:
    one_by_one = meter
    for wager_cents in reversed(staked):
        one_by_one = add_contribution(one_by_one, wager_cents, *rate)
    assert one_by_one == add_contribution(meter, sum(staked), *rate)
    assert one_by_one.units == meter.units + compute_contribution(sum(staked), rate[0])


# The displayed amount.


@given(meters, limits)
def test_what_is_displayed_the_overflow_and_a_fraction_of_a_cent_are_the_whole_meter(
    meter: Meter, limit_cents: int
) -> None:
    shown = cents(compute_displayed_cents(meter, limit_cents))
    rest = meter.units - shown - compute_overflow_units(meter, limit_cents)
    assert 0 <= rest < UNITS_PER_CENT
    assert limit_cents == NO_LIMIT or shown <= cents(limit_cents)


def test_overflow_is_displayed_when_an_award_has_made_room() -> None:
    full = Meter(cents(150_000) + 5, 0)
    assert (compute_displayed_cents(full, 100_000), compute_overflow_units(full, 100_000)) == (
        100_000,
        cents(50_000) + 5,
    )
    after = compute_percentage_award(full, 10, MeterSettings(SEED_CENTS, limit_cents=100_000))
    assert after.meter_cents == 10_000
    assert compute_displayed_cents(after.meter, 100_000) == 100_000
    assert compute_overflow_units(after.meter, 100_000) == cents(40_000) + 5


def test_overflow_stays_in_the_meter_after_a_100_percent_award() -> None:
    after = compute_percentage_award(Meter(cents(150_000), cents(7)), ROYAL, MeterSettings(2_000, limit_cents=100_000))
    assert after.meter_cents == 100_000
    assert after.meter == Meter(cents(50_000 + 2_000 + 7), 0)


# Awards.


def test_a_percentage_is_of_the_displayed_meter_and_rounded_down_to_a_cent() -> None:
    meter = Meter(units=12_345_958_901, reserve_units=40_000)
    award = compute_percentage_award(meter, STRAIGHT_FLUSH, MeterSettings(SEED_CENTS))
    assert award.meter_cents == 123_459  # of $12,345.95
    assert award.meter == Meter(12_345_958_901 - cents(123_459), 40_000)


def test_a_percentage_may_be_rounded_down_to_a_dollar() -> None:
    meter = Meter(units=12_345_958_901, reserve_units=0)
    assert (
        compute_percentage_award(
            meter, STRAIGHT_FLUSH, MeterSettings(SEED_CENTS, award_rounding=ROUND_TO_DOLLAR)
        ).meter_cents
        == 123_400
    )


@pytest.mark.parametrize(
    ("rounding", "award_cents", "left_cents"), [(ROUND_TO_CENT, 1_234_595, 0), (ROUND_TO_DOLLAR, 1_234_500, 95)]
)
def test_after_a_100_percent_award_the_meter_is_seed_reserve_and_remainder(
    rounding: int, award_cents: int, left_cents: int
) -> None:
    meter = Meter(units=12_345_958_901, reserve_units=5_000_040_000)
    award = compute_percentage_award(meter, ROYAL, MeterSettings(SEED_CENTS, award_rounding=rounding))
    assert award.meter_cents == award_cents
    assert award.meter == Meter(cents(SEED_CENTS) + 5_000_040_000 + cents(left_cents) + 8_901, 0)
    assert (award.seed_cents, award.released_units) == (SEED_CENTS, 5_000_040_000)


def test_two_straight_flushes_in_sequence_take_10_percent_and_10_percent_of_the_rest() -> None:
    _, awards = compute_round_awards(Meter(cents(100_000), 0), (10, 0, 10), (0, 0, 0), MeterSettings(SEED_CENTS))
    assert paid(awards) == [9_000, 0, 10_000]


def test_two_straight_flushes_split_take_10_percent_each() -> None:
    settings = MeterSettings(SEED_CENTS, award_order=AWARD_SPLIT)
    _, awards = compute_round_awards(Meter(cents(100_000), 0), (10, 0, 10), (0, 0, 0), settings)
    assert paid(awards) == [10_000, 0, 10_000]


def test_after_a_royal_flush_the_next_award_is_taken_from_the_reseeded_meter() -> None:
    after, awards = compute_round_awards(
        Meter(cents(500_000), cents(300)), (10, 100), (0, 0), MeterSettings(SEED_CENTS)
    )
    assert paid(awards) == [100_030, 500_000]
    assert after == Meter(cents(SEED_CENTS + 300 - 100_030), 0)


def test_a_royal_flush_farther_left_takes_what_the_straight_flush_has_left() -> None:
    after, awards = compute_round_awards(
        Meter(cents(500_000), cents(300)), (100, 10), (0, 0), MeterSettings(SEED_CENTS)
    )
    assert paid(awards) == [450_000, 50_000]
    assert after == Meter(cents(SEED_CENTS + 300), 0)


def test_two_royal_flushes_in_sequence_take_the_meter_and_then_the_reseeded_one() -> None:
    after, awards = compute_round_awards(
        Meter(cents(500_000), cents(300)), (100, 100), (0, 0), MeterSettings(SEED_CENTS)
    )
    assert paid(awards) == [SEED_CENTS + 300, 500_000]
    assert after == Meter(cents(SEED_CENTS), 0)
    assert [award.seed_cents for award in awards] == [SEED_CENTS, SEED_CENTS]


def test_split_past_100_percent_is_scaled_down_and_the_odd_cents_go_to_the_farthest_right() -> None:
    settings = MeterSettings(SEED_CENTS, award_order=AWARD_SPLIT)
    after, awards = compute_round_awards(Meter(cents(100_001) + 3, cents(5)), (100, 0, 100, 100), (0,) * 4, settings)
    assert paid(awards) == [33_333, 0, 33_333, 33_335]
    assert after == Meter(cents(SEED_CENTS + 5) + 3, 0)


def test_split_in_whole_dollars_gives_the_odd_dollars_to_the_farthest_right() -> None:
    settings = MeterSettings(SEED_CENTS, award_order=AWARD_SPLIT, award_rounding=ROUND_TO_DOLLAR)
    after, awards = compute_round_awards(Meter(cents(100_199), 0), (100, 100, 100), (0,) * 3, settings)
    assert paid(awards) == [33_300, 33_300, 33_500]
    assert after == Meter(cents(SEED_CENTS + 99), 0)


def test_a_split_meter_is_reseeded_once_after_the_last_award() -> None:
    settings = MeterSettings(SEED_CENTS, award_order=AWARD_SPLIT)
    _, awards = compute_round_awards(Meter(cents(100_000), cents(5)), (10, 100, 10), (0,) * 3, settings)
    assert [(award.seed_cents, award.released_units) for award in awards] == [(SEED_CENTS, cents(5)), (0, 0), (0, 0)]


@pytest.mark.parametrize("order", [AWARD_IN_SEQUENCE, AWARD_SPLIT])
@pytest.mark.parametrize("rounding", [ROUND_TO_CENT, ROUND_TO_DOLLAR])
def test_every_combination_of_four_winners_is_paid_as_the_rulings_words_say(order: int, rounding: int) -> None:
    settings = MeterSettings(SEED_CENTS, award_order=order, award_rounding=rounding)
    meter = Meter(12_345_678_901, 987_654_321)
    for percents in product((NONE, STRAIGHT_FLUSH, ROYAL), repeat=4):
        after, awards = compute_round_awards(meter, percents, (0,) * 4, settings)
        assert (paid(awards), after) == exact_awards(meter, percents, settings)


def test_the_seat_and_not_the_order_of_keying_decides_who_is_paid_first() -> None:
    won = {0: STRAIGHT_FLUSH, 2: ROYAL, 3: STRAIGHT_FLUSH, 5: STRAIGHT_FLUSH}
    meter = Meter(cents(1_000_000), cents(1_000))
    results = set()
    for keyed in permutations(won):
        percents = [NONE] * 6
        for seat in keyed:
            percents[seat] = won[seat]
        results.add(compute_round_awards(meter, percents, (0,) * 6, MeterSettings(SEED_CENTS)))
    assert len(results) == 1
    ((_, awards),) = results
    assert paid(awards) == [100_100, 0, 810_000, 90_000, 0, 100_000]


@given(meters, st.lists(st.integers(0, 100), min_size=1, max_size=6), terms_of_a_house)
def test_any_percentages_are_paid_as_the_rulings_words_say(
    meter: Meter, percents: list[int], settings: MeterSettings
) -> None:
    after, awards = compute_round_awards(meter, percents, [0] * len(percents), settings)
    assert (paid(awards), after) == exact_awards(meter, tuple(percents), settings)


@given(st.integers(0, 10**10), st.lists(st.integers(1, 100), min_size=2, max_size=6))
def test_a_split_share_is_within_a_cent_of_its_proportion_but_for_the_farthest_right(
    displayed: int, percents: list[int]
) -> None:
    total = sum(percents)
    awards = [compute_split_cents(displayed, percents, seat, ROUND_TO_CENT) for seat in range(len(percents))]
    for award, percent in zip(awards[:-1], percents[:-1], strict=True):
        assert 0 <= Fraction(displayed * percent, max(100, total)) - award < 1
    assert sum(awards) == displayed if total > 100 else sum(awards) <= displayed


# Fixed awards.


def test_a_fixed_award_comes_from_the_tray_and_leaves_the_meter_alone() -> None:
    meter = Meter(cents(5), 0)
    assert compute_fixed_award(meter, 10_000, MeterSettings(SEED_CENTS)) == MeterAward(meter, 0, 10_000, 0, 0, 0)


def test_a_fixed_award_may_come_from_the_meter() -> None:
    award = compute_fixed_award(
        Meter(cents(50_000) + 1, 9), 10_000, MeterSettings(SEED_CENTS, fixed_awards_from=FIXED_FROM_METER)
    )
    assert award == MeterAward(Meter(cents(40_000) + 1, 9), 10_000, 0, 0, 0, 0)


def test_a_fixed_award_runs_a_meter_dry_and_the_tray_pays_what_is_short() -> None:
    award = compute_fixed_award(
        Meter(cents(4_000) + 1, 9), 10_000, MeterSettings(SEED_CENTS, fixed_awards_from=FIXED_FROM_METER)
    )
    assert award == MeterAward(
        Meter(1, 9), meter_cents=4_000, tray_cents=6_000, short_cents=6_000, seed_cents=0, released_units=0
    )


def test_fixed_awards_from_the_meter_take_their_turn_from_the_right() -> None:
    settings = MeterSettings(SEED_CENTS, fixed_awards_from=FIXED_FROM_METER)
    _, awards = compute_round_awards(Meter(cents(100_000), 0), (10, 0, 0), (0, 0, 10_000), settings)
    assert paid(awards) == [9_000, 0, 10_000]
    _, awards = compute_round_awards(Meter(cents(100_000), 0), (0, 0, 10), (10_000, 0, 0), settings)
    assert paid(awards) == [10_000, 0, 10_000]


def test_where_awards_are_split_the_fixed_ones_follow_the_percentages() -> None:
    settings = MeterSettings(SEED_CENTS, award_order=AWARD_SPLIT, fixed_awards_from=FIXED_FROM_METER)
    after, awards = compute_round_awards(Meter(cents(100_000), 0), (100, 0, 0), (0, 0, 10_000), settings)
    assert paid(awards) == [100_000, 0, 10_000]
    assert after == Meter(cents(SEED_CENTS - 10_000), 0)


# Sums that must always hold.


@given(meters, hits, terms_of_a_house)
def test_the_meter_is_what_it_was_plus_seeds_and_releases_less_awards(
    meter: Meter, won: list[tuple[int, int]], settings: MeterSettings
) -> None:
    percents, fixed_cents = [percent for percent, _ in won], [fixed for _, fixed in won]
    after, awards = compute_round_awards(meter, percents, fixed_cents, settings)
    seeds = cents(sum(award.seed_cents for award in awards))
    released = sum(award.released_units for award in awards)
    assert after.units == meter.units + seeds + released - cents(sum(paid(awards)))
    assert after.reserve_units == meter.reserve_units - released
    assert min(after) >= 0


@given(meters, hits, terms_of_a_house)
def test_a_fixed_award_is_paid_whole_and_what_runs_dry_is_reported(
    meter: Meter, won: list[tuple[int, int]], settings: MeterSettings
) -> None:
    percents, fixed_cents = [percent for percent, _ in won], [fixed for _, fixed in won]
    _, awards = compute_round_awards(meter, percents, fixed_cents, settings)
    for award, percent, fixed in zip(awards, percents, fixed_cents, strict=True):
        assert min(award[1:]) >= 0
        if percent:
            assert award.tray_cents == award.short_cents == 0
        else:
            assert award.meter_cents + award.tray_cents == fixed
            assert award.short_cents == (award.tray_cents if settings.fixed_awards_from == FIXED_FROM_METER else 0)


@given(meters, hits, terms_of_a_house)
def test_with_dollar_rounding_every_percentage_is_whole_dollars(
    meter: Meter, won: list[tuple[int, int]], settings: MeterSettings
) -> None:
    percents, fixed_cents = [percent for percent, _ in won], [fixed for _, fixed in won]
    _, awards = compute_round_awards(meter, percents, fixed_cents, settings._replace(award_rounding=ROUND_TO_DOLLAR))
    assert all(award.meter_cents % 100 == 0 for award, percent in zip(awards, percents, strict=True) if percent)


# Envy.


def test_a_seat_with_the_wager_is_paid_for_another_seats_hit_and_not_for_its_own() -> None:
    everybody = 0b111
    assert [compute_envy_dollars(100, everybody, hitter=1, seat=seat, hitter_must_wager=1) for seat in range(3)] == [
        100,
        0,
        100,
    ]


def test_a_seat_without_the_wager_is_paid_nothing() -> None:
    assert [compute_envy_dollars(100, 0b011, hitter=0, seat=seat, hitter_must_wager=1) for seat in range(3)] == [
        0,
        100,
        0,
    ]


@pytest.mark.parametrize(("hitter_must_wager", "dollars"), [(1, 0), (0, 10)])
def test_the_hit_of_a_seat_that_did_not_wager_counts_only_where_the_house_says_so(
    hitter_must_wager: int, dollars: int
) -> None:
    assert compute_envy_dollars(10, 0b10, hitter=0, seat=1, hitter_must_wager=hitter_must_wager) == dollars


@given(st.integers(0, 63), st.lists(st.sampled_from([0, 10, 100]), min_size=6, max_size=6), st.integers(0, 1))
def test_envy_is_counted_as_the_rulings_words_say(wagered: int, worth: list[int], must: int) -> None:
    staked = {seat for seat in range(6) if wagered >> seat & 1}
    for seat in range(6):
        collected = sum(compute_envy_dollars(worth[hitter], wagered, hitter, seat, must) for hitter in range(6))
        others = {hitter for hitter in range(6) if hitter != seat and (hitter in staked or not must)}
        assert collected == (sum(worth[hitter] for hitter in others) if seat in staked else 0)


@pytest.mark.parametrize("must", [0, 1])
def test_envy_of_every_set_of_wagers_at_nine_seats_goes_to_each_other_seat_that_wagered(must: int) -> None:
    for wagered in range(2**9):
        staked = {seat for seat in range(9) if wagered >> seat & 1}
        for hitter in range(9):
            paid = {seat for seat in range(9) if compute_envy_dollars(10, wagered, hitter, seat, must)}
            assert paid == (set() if must and hitter not in staked else staked - {hitter})
