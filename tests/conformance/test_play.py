"""What every game must keep in any round whatever: it ends, it settles once, and no chip is lost or made."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.drawing import draw_deck, draw_opening, draw_trail, each_game, each_option_value, shuffle_by
from pitboss.cards import make_mask, popcount
from pitboss.contract import UNSETTLED, Game, HandOwner, Leg, LegResult, LinePay, PayUnit
from pitboss.games import load_games
from pitboss.hands import load_hand_tables
from pitboss.table.round import (
    CardsDealt,
    DecisionMade,
    EnvyPaid,
    Round,
    RoundClosed,
    StakePlaced,
    StubReshuffled,
    WagerSettled,
    open_round,
)
from pitboss.table.round.wagers import Stake, get_wager

DATA = st.data()


@pytest.fixture(scope="module", autouse=True)
def _games_stay_as_they_are() -> Iterator[None]:
    before = repr(load_games())
    yield
    assert repr(load_games()) == before


def check_every_stake_is_settled_exactly_once(trail: list[Round]) -> None:
    now = trail[-1]
    assert now.is_closed
    assert isinstance(now.events[-1], RoundClosed)
    settled = Counter((event.seat, event.bet, event.on) for event in now.events if isinstance(event, WagerSettled))
    assert settled == Counter((stake.seat, stake.bet, stake.on) for stake in now.stakes)


def check_a_seat_that_is_asked_has_something_legal_to_do_and_can_time_out(trail: list[Round]) -> None:
    asked: Counter[tuple[int, int]] = Counter()
    for now in trail[1:-1]:
        assert now.turn is not None
        asked[now.turn] += 1
        seat, index = now.turn
        legal = now.list_legal_actions()
        assert legal
        assert set(legal) <= set(now.game.decisions[index].actions)
        action, cards = now.choose_timeout_action()
        assert now.verify_action(seat, action, cards) in legal
    assert set(asked.values()) <= {1}
    assert trail[-1].list_legal_actions() == ()


def check_chips_are_conserved_between_players_and_house(trail: list[Round]) -> None:
    now = trail[-1]
    felt: Counter[tuple[int, str, int | None, str]] = Counter()
    purses, house = [Fraction(0)] * now.seats, Fraction(0)
    for event in now.events:
        match event:
            case StakePlaced(seat, bet, cents, on):
                circles = get_wager(now.game, bet).circles or (bet,)
                felt.update({(seat, bet, on, circle): cents for circle in circles})
                purses[seat] -= cents * len(circles)
            case DecisionMade(seat, circle=circle, cents=cents) if cents:
                felt[seat, "main", None, circle] += cents
                purses[seat] -= cents
            case WagerSettled(seat, bet, on):
                stake = next(each for each in now.stakes if (each.seat, each.bet, each.on) == (seat, bet, on))
                outcome = next(each for each in get_wager(now.game, bet).outcomes if each.name == event.outcome)
                for leg in outcome.legs:
                    chips = felt.pop((seat, bet, on, leg.circle), 0)
                    assert chips == leg.stake * stake.cents
                    back = _back(now, leg, stake, chips, event.meter_cents)
                    purses[seat] += back
                    house += chips - back
            case EnvyPaid(seat, cents=cents):
                purses[seat] += cents
                house -= cents
            case RoundClosed(nets_cents):
                assert tuple(purses) == nets_cents
    assert not +felt
    assert sum(purses) + house == 0


def _back(now: Round, leg: Leg, stake: Stake, chips: int, meter_cents: int) -> Fraction:
    """Return what comes back to a player of the chips in a circle, winnings included, as a dealer would count it."""
    if leg.result is LegResult.PUSH:
        return Fraction(chips)
    pays = [now.paytables[leg.paytable_kind].lines[line] for line in leg.lines]
    if leg.result is LegResult.LOSE:
        return -sum((_paid(pay, stake.cents, 0) for pay in pays), Fraction(0))
    if not pays:
        return Fraction(2 * chips)
    wins = [
        _paid(pay, leg.paid_stake * stake.cents, meter_cents)
        + (chips if pay.unit in {PayUnit.TO_ONE, PayUnit.DOLLARS} else 0)
        for pay in pays
    ]
    return max(wins) if leg.best_only else sum(wins, Fraction(0)) - (len(wins) - 1) * chips


def _paid(pay: LinePay, chips: int, meter_cents: int) -> Fraction:
    """Return what a line hands over, the stake itself apart unless the line is "for one"."""
    match pay.unit:
        case PayUnit.TO_ONE | PayUnit.FOR_ONE:
            return pay.amount * chips
        case PayUnit.DOLLARS:
            return pay.amount * 100
        case PayUnit.PERCENT_OF_METER:
            return Fraction(meter_cents)


def check_nobody_loses_more_than_was_put_down_but_for_a_tax(trail: list[Round]) -> None:
    now = trail[-1]
    for event in now.events:
        if isinstance(event, WagerSettled):
            for leg in event.legs:
                if leg.stake_cents:
                    assert leg.net_cents >= -leg.stake_cents
                else:
                    assert leg.net_cents <= 0 or leg.result is LegResult.WIN
    closed = now.events[-1]
    assert isinstance(closed, RoundClosed)
    taxes = [
        sum(leg.net_cents for leg in event.legs if not leg.stake_cents and leg.result is LegResult.LOSE)
        for event in now.events
        if isinstance(event, WagerSettled)
    ]
    assert sum(closed.nets_cents) >= sum(taxes) - sum(now.sum_staked_cents(seat) for seat in range(now.seats))


def check_what_is_decided_stays_decided(trail: list[Round]) -> None:
    for earlier, later in pairwise(_results(now) for now in trail[1:]):
        for before, after in zip(earlier, later, strict=True):
            assert before in (UNSETTLED, after)
    assert UNSETTLED not in _results(trail[-1])


def _results(now: Round) -> list[int]:
    settled = (now.game.rules.settle(load_hand_tables(), state, now.option_codes) for state in now.states)
    return [outcome for results in settled for outcome in results]


def check_a_card_lies_in_one_place_at_a_time(trail: list[Round]) -> None:
    now = trail[-1]
    dealt: list[int] = []
    for event in now.events:
        if isinstance(event, CardsDealt):
            assert not set(dealt) & set(event.cards)
            dealt += event.cards
        elif isinstance(event, StubReshuffled):
            assert set(event.cards) <= set(dealt)
            dealt = [card for card in dealt if card not in event.cards]
    zones = [now.get_view(seat).player for seat in range(now.seats)]
    zones += [getattr(now.get_view(0), zone.destination) for zone in now.game.deal_order if zone.destination != "seat"]
    for place, cards in enumerate(zones):
        assert not any(cards & others for others in zones[:place])


def check_a_wager_ends_as_the_rules_say_of_the_hand_that_it_stands_on(trail: list[Round]) -> None:
    now = trail[-1]
    for event in now.events:
        if isinstance(event, WagerSettled):
            place = next(index for index, wager in enumerate(now.game.wagers) if wager.id == event.bet)
            wager = now.game.wagers[place]
            assert (event.on is not None) == (wager.hand_owner is HandOwner.OTHER_SEAT)
            hand = event.seat if event.on is None else event.on
            results = now.game.rules.settle(load_hand_tables(), now.states[hand], now.option_codes)
            assert event.outcome == wager.outcomes[results[place]].name
            if wager.hand_owner is HandOwner.DEALER:
                everywhere = {
                    now.game.rules.settle(load_hand_tables(), state, now.option_codes)[place] for state in now.states
                }
                assert len(everywhere) == 1


CHECKS = (
    check_every_stake_is_settled_exactly_once,
    check_a_seat_that_is_asked_has_something_legal_to_do_and_can_time_out,
    check_chips_are_conserved_between_players_and_house,
    check_nobody_loses_more_than_was_put_down_but_for_a_tax,
    check_what_is_decided_stays_decided,
    check_a_card_lies_in_one_place_at_a_time,
    check_a_wager_ends_as_the_rules_say_of_the_hand_that_it_stands_on,
)
"""What is true of every round of every game: each is checked of the same rounds, which cost more than the checks."""


@pytest.mark.more
@each_game
@given(data=DATA)
def test_any_round_is_dealt_decided_and_settled_as_every_round_must_be(game: Game, data: st.DataObject) -> None:
    trail = draw_trail(data.draw, game)
    for check in CHECKS:
        check(trail)


@each_game
def test_the_deal_follows_its_zones_and_fits_the_deck(game: Game) -> None:
    deck = tuple(reversed(game.deck.cards))
    for seats in range(1, game.seats + 1):
        options = {option.name: option.default for option in game.options}
        now = open_round(game, seats, options=options)
        for stake in _mandatory(now):
            now = now.place_wager(stake)
        now = now.deal(deck)
        zones = [event for event in now.events if isinstance(event, CardsDealt)]
        laid = [card for event in zones for card in event.cards]
        assert laid == list(deck[: len(laid)])
        assert (
            len(laid)
            >= game.rules.count_dealt(seats)
            == sum(zone.cards * (seats if zone.destination == "seat" else 1) for zone in game.deal_order)
        )
        hands = [make_mask(event.cards) for event in zones if event.destination == "seat"][:seats]
        states = [game.rules.deal(deck, seats, seat, 1) for seat in range(seats)]
        assert [game.rules.view(state).player for state in states] == hands
        for zone in (event for event in zones[: len(game.deal_order) + seats - 1] if event.destination != "seat"):
            opened = getattr(game.rules.view(game.rules.show_dealer(_finished(game, states[0]))), zone.destination)
            assert opened == make_mask(zone.cards)


def _finished(game: Game, state: Any) -> Any:
    """Return a state in which its seat has taken the first action of every decision, without the cards it draws."""
    options = game.options_type(*(option.codes[option.values.index(option.default)] for option in game.options))
    for _ in game.decisions:
        index = game.rules.next_decision(load_hand_tables(), state, options)
        if index >= 0:
            actions = game.decisions[index].actions
            free = next(place for place, action in enumerate(actions) if not action.discards)
            state = game.rules.act(state, index, free, 0)
    return state


def _mandatory(now: Round) -> list[Stake]:
    return [
        Stake(seat, wager.id, wager.limits.minimum_cents)
        for seat in range(now.seats)
        for wager in now.game.wagers
        if now.get_wager_status(wager) == "mandatory"
    ]


@each_option_value
@settings(max_examples=5)
@given(data=DATA)
def test_every_value_of_every_option_can_be_played(game: Game, name: str, value: str, data: st.DataObject) -> None:
    now = draw_trail(data.draw, game, options={name: value})[-1]
    assert now.is_closed
    assert now.options[name] == value


def describe(now: Round) -> str:
    """Return everything that a round holds but its game, which is compared once for all tests."""
    return repr({field.name: getattr(now, field.name) for field in fields(now) if field.name != "game"})


@pytest.mark.more
@each_game
@given(data=DATA)
def test_a_refused_command_changes_nothing_and_a_round_is_never_altered(game: Game, data: st.DataObject) -> None:
    opening = draw_opening(data.draw, game)
    before = describe(opening)
    deck = draw_deck(data.draw, game)
    dealt = opening.deal(deck, shuffle_by(0))
    after = describe(dealt)
    while dealt.turn is not None:
        seat = dealt.turn[0]
        action, cards = dealt.choose_timeout_action()
        dealt.decide(seat, action, cards, shuffle_by(0))
        assert describe(dealt) == after
        dealt = dealt.decide(seat, action, cards, shuffle_by(0))
        after = describe(dealt)
    assert describe(opening) == before
    assert popcount(make_mask(deck)) == game.deck.size
