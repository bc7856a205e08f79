"""What may be staked: limits, ties, what a casino makes mandatory or takes off, and Washington's preset."""

import re
from dataclasses import replace

import pytest

from pitboss.contract import Game, HandOwner, StakeLimits
from pitboss.core.errors import IllegalActionError, PitbossError, UnknownNameError, WagerError
from pitboss.games import load_games
from pitboss.table.round import Stake, open_round
from pitboss.table.round.wagers import WASHINGTON, compute_limits, get_wager, list_five_dollar_bets
from refusals import refusal
from table.laying import LUNAR, SHIFTING_WILDS, SIX_CARD, WILD_52, WILD_SIX_CARD, deck_of, opened


@pytest.mark.parametrize(
    ("bet", "cents", "says"),
    [
        ("main", 499, "Ante of $4.99 is not allowed: stake $5 to $400 in steps of $1"),
        ("main", 400, "Ante of $4 is not allowed"),
        ("main", 40_100, "Ante of $401 is not allowed"),
        ("main", 1_050, "Ante of $10.50 is not allowed"),
        ("aces-up", 0, "Aces Up of $0 is not allowed"),
        ("aces-up", -500, "Aces Up of -$5 is not allowed"),
        ("progressive", 200, "Progressive of $2 is not allowed: stake exactly $1"),
    ],
)
def test_a_stake_outside_its_limits_is_refused_with_what_would_do(bet: str, cents: int, says: str) -> None:
    with pytest.raises(WagerError, match=re.escape(says)):
        open_round(SIX_CARD).place_wager(Stake(0, bet, cents))


@pytest.mark.parametrize("cents", [500, 600, 39_900, 40_000])
def test_a_stake_within_its_limits_stands(cents: int) -> None:
    now = open_round(SIX_CARD).place_wager(Stake(0, "main", cents))
    assert now.get_stake_cents(0, "main") == now.sum_staked_cents(0) == cents


def test_a_stake_in_two_circles_puts_down_twice_as_much() -> None:
    assert opened(SHIFTING_WILDS, {"main": 10}).sum_staked_cents(0) == 2_000


def test_a_bet_that_does_not_exist_is_refused_with_those_that_do() -> None:
    says = "unknown bet 'ace-up': did you mean 'aces-up'? known: main, aces-up, bad-beat, progressive"
    with pytest.raises(UnknownNameError, match=re.escape(says)):
        open_round(SIX_CARD).place_wager(Stake(0, "ace-up", 500))


@pytest.mark.parametrize("seat", [-1, 2, 6])
def test_a_seat_that_does_not_exist_takes_no_wager(seat: int) -> None:
    with pytest.raises(IllegalActionError, match=f"there is no seat {seat + 1}: seats are 1 to 2"):
        open_round(SIX_CARD, 2).place_wager(Stake(seat, "main", 500))


def test_a_wager_is_placed_once() -> None:
    now = opened(SIX_CARD, {"main": 10, "aces-up": 5})
    with pytest.raises(IllegalActionError, check=refusal("wager-twice", seat=0, wager="aces-up")):
        now.place_wager(Stake(0, "aces-up", 700))


def test_no_wager_is_placed_once_the_cards_are_dealt() -> None:
    now = opened(SIX_CARD, {"main": 10}).deal(SIX_CARD.deck.cards)
    with pytest.raises(IllegalActionError, check=refusal("cards-dealt")):
        now.place_wager(Stake(0, "aces-up", 500))


def test_every_seat_needs_its_mandatory_wagers_before_the_deal() -> None:
    now = opened(SIX_CARD, {"main": 10}, {"aces-up": 5})
    with pytest.raises(WagerError, check=refusal("mandatory-wager", seat=1, wager="main")):
        now.deal(SIX_CARD.deck.cards)
    with pytest.raises(WagerError, check=refusal("mandatory-wager", seat=0, wager="super")):
        opened(LUNAR, {"main": 10}).deal(LUNAR.deck.cards)


def test_regular_bonus_is_at_most_the_ante() -> None:
    opened(SHIFTING_WILDS, {"main": 10, "regular-bonus": 10}).verify_wagers()
    says = r"seat 1: Regular Bonus is \$11: it must be at most the Ante \(\$10\) \(SW-6\)"
    with pytest.raises(WagerError, match=says):
        opened(SHIFTING_WILDS, {"main": 10, "regular-bonus": 11}).verify_wagers()


def test_super_is_at_least_the_ante_unless_the_house_unties_it() -> None:
    opened(LUNAR, {"main": 10, "super": 10}).verify_wagers()
    opened(LUNAR, {"main": 10, "super": 9}, super_at_least_ante="off").verify_wagers()
    says = r"seat 1: Super is \$9: it must be at least the Ante \(\$10\) \(LU-1\)"
    with pytest.raises(WagerError, match=says):
        opened(LUNAR, {"main": 10, "super": 9}).verify_wagers()


def test_taxpayers_fortune_goes_only_with_queens_or_better() -> None:
    opened(WILD_SIX_CARD, {"main": 10, "queens-or-better": 5, "taxpayers-fortune": 1}).verify_wagers()
    says = r"seat 1: Taxpayer's Fortune is \$1: it may be placed only with Queens Or Better \(W6-6\)"
    with pytest.raises(WagerError, match=says):
        opened(WILD_SIX_CARD, {"main": 10, "taxpayers-fortune": 1}).verify_wagers()


def test_a_casino_makes_a_wager_mandatory_or_takes_it_off() -> None:
    says = "seat 1 has no Draw Bonus: it is mandatory"
    with pytest.raises(WagerError, match=says):
        opened(WILD_SIX_CARD, {"main": 10}, draw_bonus="mandatory").verify_wagers()
    opened(WILD_SIX_CARD, {"main": 10, "draw-bonus": 5}, draw_bonus="mandatory").verify_wagers()
    says = "Draw Bonus is off at this table: option draw_bonus=off"
    with pytest.raises(WagerError, match=says):
        opened(WILD_SIX_CARD, {"main": 10, "draw-bonus": 5}, draw_bonus="off")


def test_multi_super_goes_on_another_occupied_seat_only() -> None:
    now = opened(LUNAR, {"main": 10, "super": 10}, {"main": 10, "super": 10}, {"main": 10, "super": 10})
    for on in (1, 2):
        now = now.place_wager(Stake(0, "multi-super", 500, on))
    now.verify_wagers()
    assert now.get_stake_cents(0, "multi-super") == 1_000
    for wrong in (None, 0, 3, -1):
        with pytest.raises(WagerError, check=refusal("wrong-hand-owner", wager="multi-super")):
            now.place_wager(Stake(0, "multi-super", 500, wrong))
    with pytest.raises(WagerError, check=refusal("wrong-hand-owner", wager="super")):
        open_round(LUNAR, 2).place_wager(Stake(0, "super", 500, 1))
    alone = opened(LUNAR, {"main": 10, "super": 10})
    with pytest.raises(WagerError, check=refusal("wrong-hand-owner", wager="multi-super")):
        alone.place_wager(Stake(0, "multi-super", 500, 1))


@pytest.mark.parametrize("seats", [0, 7, -1])
def test_a_table_has_one_to_six_seats(seats: int) -> None:
    with pytest.raises(IllegalActionError, match=f"the number of seats is {seats}: give a whole number from 1 to 6"):
        open_round(SIX_CARD, seats)


# Washington (WA-1).


@pytest.mark.parametrize("game", load_games().values(), ids=load_games())
def test_washington_lets_nobody_put_more_than_400_dollars_in_a_circle(game: object) -> None:
    known = next(each for each in load_games().values() if each is game)
    limits = compute_limits(known, WASHINGTON)
    for wager in known.wagers:
        assert limits[wager.id].maximum_cents <= 40_000
        assert limits[wager.id].maximum_cents % limits[wager.id].unit_cents == 0
    for decision in known.decisions:
        for action in decision.actions:
            assert action.stake * limits["main"].maximum_cents <= 40_000


def test_washington_holds_the_ante_to_200_dollars_where_a_raise_is_two_antes() -> None:
    assert compute_limits(WILD_52, WASHINGTON)["main"].maximum_cents == 20_000
    assert compute_limits(LUNAR, WASHINGTON)["main"].maximum_cents == 20_000
    assert compute_limits(SIX_CARD, WASHINGTON)["main"].maximum_cents == 40_000


def test_washington_names_the_games_it_limits_to_5_dollars() -> None:
    named = {game.id: list_five_dollar_bets(game) for game in (LUNAR, SHIFTING_WILDS, SIX_CARD, WILD_52, WILD_SIX_CARD)}
    assert named == {
        "lunar": ("dealer-super",),
        "shifting-wilds": ("blackjack-bonus",),
        "six-card": ("progressive",),
        "wild-52": (),
        "wild-six-card": ("taxpayers-fortune",),
    }
    limits = compute_limits(LUNAR, WASHINGTON)
    assert [limits[bet].maximum_cents for bet in ("super", "multi-super", "dealer-super")] == [40_000, 40_000, 500]
    assert compute_limits(SIX_CARD, WASHINGTON)["progressive"] == StakeLimits(100, 100, 100)


def test_washington_allows_six_games_on_one_hand_and_limits_three_of_them() -> None:
    more = [replace(get_wager(SIX_CARD, "aces-up"), id=f"aces-up-{number}") for number in (2, 3)]
    six = replace(SIX_CARD, wagers=(*SIX_CARD.wagers, *more))
    assert list_five_dollar_bets(six) == ("progressive", "aces-up-2", "aces-up-3")
    seven = replace(six, wagers=(*six.wagers, replace(more[0], id="aces-up-4")))
    says = r"Six Card Poker has 7 wagers: washington allows 6 on one hand \(WA-1\)"
    with pytest.raises(WagerError, match=says):
        open_round(seven, preset=WASHINGTON)
    open_round(seven)


def test_washington_refuses_at_the_table_what_the_house_would_take() -> None:
    opened(WILD_52, {"main": 250})
    says = r"Ante of \$250 is not allowed under washington \(WA-1\): stake \$5 to \$200"
    with pytest.raises(WagerError, match=says):
        open_round(WILD_52, preset=WASHINGTON).place_wager(Stake(0, "main", 25_000))


@pytest.mark.parametrize("game", load_games().values(), ids=load_games())
def test_a_stake_that_washington_forbids_is_refused_by_its_ruling_and_no_other(game: Game) -> None:
    now, house = open_round(game, 2, preset=WASHINGTON), open_round(game, 2)
    for wager in game.wagers:
        on = 1 if wager.hand_owner is HandOwner.OTHER_SEAT else None
        low, high = now.limits[wager.id].minimum_cents, house.limits[wager.id].maximum_cents
        law = list_five_dollar_bets(game)
        most = 500 if wager.id in law else now.limits[wager.id].maximum_cents
        for cents, ruled in ((low - 100, False), (max(most, high) + 100, True)):
            with pytest.raises(WagerError) as refused:
                now.place_wager(Stake(0, wager.id, cents, on))
            assert ("under washington (WA-1)" in str(refused.value)) is ruled
            with pytest.raises(WagerError) as refused:
                house.place_wager(Stake(0, wager.id, cents, on))
            assert "WA-1" not in str(refused.value)


def test_another_preset_is_unknown() -> None:
    with pytest.raises(
        UnknownNameError,
        check=refusal("unknown-preset", name="nevada", known=["washington"]),
    ):
        open_round(SIX_CARD, preset="nevada")


def test_a_refused_wager_changes_nothing() -> None:
    now = opened(LUNAR, {"main": 10, "super": 10}, {"main": 10, "super": 10})
    before = repr(now)
    for stake in (Stake(0, "super", 500), Stake(0, "multi-super", 1), Stake(9, "main", 500), Stake(0, "x", 500)):
        with pytest.raises(PitbossError):
            now.place_wager(stake)
        with pytest.raises(PitbossError):
            now.verify_wager(stake)
        assert repr(now) == before
    assert deck_of(LUNAR, "As")[0] == 12


def test_a_table_has_limits_of_its_own_and_the_other_bets_keep_theirs() -> None:
    now = open_round(SIX_CARD, limits={"main": (2_500, 100_000)})
    assert (now.limits["main"].minimum_cents, now.limits["main"].maximum_cents) == (2_500, 100_000)
    assert now.limits["aces-up"].maximum_cents == 40_000
    with pytest.raises(WagerError, check=refusal("outside-limits", wager="main", cents=2400)):
        now.verify_wager(Stake(0, "main", 2_400))
    now.verify_wager(Stake(0, "main", 100_000))


@pytest.mark.parametrize(
    ("limits", "preset", "says"),
    [
        ({"progressive": (100, 500)}, "", "Progressive is exactly $1: it has no other limits"),
        ({"main": (1_000, 500)}, "", "the minimum, $10, is above its maximum, $5"),
        ({"main": (0, 500)}, "", "cannot be $0"),
        ({"main": (550, 1_000)}, "", "cannot be $5.50 to $10: whole dollars only, from $1"),
        ({"bonus": (500, 1_000)}, "", "unknown bet 'bonus'"),
        ({"main": (50_000, 60_000)}, "washington", "washington allows at most $400"),
    ],
)
def test_limits_that_cannot_be_are_refused(limits: dict[str, tuple[int, int]], preset: str, says: str) -> None:
    with pytest.raises(PitbossError) as refused:
        open_round(SIX_CARD, limits=limits, preset=preset)
    assert says in str(refused.value)


def test_washington_lowers_a_tables_own_maximum() -> None:
    assert (
        open_round(SIX_CARD, limits={"main": (500, 100_000)}, preset="washington").limits["main"].maximum_cents
        == 40_000
    )
