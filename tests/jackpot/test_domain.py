"""The domain at random beside a naive model, and what that must find when the domain is spoilt."""

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import Phase
from hypothesis import settings as effort
from hypothesis.stateful import run_state_machine_as_test

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, replay_events
from jackpot.machine import STEPS, Machine, accepted, run_interleavings, run_steps
from pitboss.jackpot import admin_handlers, award_amounts, dispatch, lookups, round_handlers
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.events import ProgressiveEvent, Reversal, RoundOpened
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.meter import Meter, MeterAward, WagerShares, compute_round_awards, divide_wager


class Domain(Machine):
    """The domain alone: events folded in memory."""

    def start(self, terms: Settings) -> None:
        self.state = replay_events(dispatch.create(ProgressiveState(), terms, EXECUTIVE.name))

    def give(self, command: ProgressiveCommand, actor: Actor) -> bool:
        def attempt() -> None:
            self.state = replay_events(dispatch.decide(self.state, command, actor), self.state)

        return accepted(attempt)


@pytest.mark.more
def test_the_domain_agrees_with_the_model() -> None:
    run_steps(Domain, 100 * STEPS)


@pytest.mark.long
def test_the_domain_agrees_with_the_model_for_a_million_steps() -> None:
    run_steps(Domain, 1_000_000)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_orders_of_hits_at_linked_tables(part: int) -> None:
    """Pending, confirmed, turned off and cancelled hits in any order, at 1 to 8 tables on one meter (SC-9)."""
    run_interleavings(Domain, 10_000, part)


@pytest.mark.parametrize("order", ["sequence", "split"])
@pytest.mark.parametrize("hands", list(permutations(["royal-flush", "straight-flush", "full-house"])))
def test_every_order_of_decisions_agrees_with_the_model(order: str, hands: tuple[str, ...]) -> None:
    """Three hits of a round, each confirmed or turned off, whichever comes first; what is free is safe at each step."""
    for awards, decisions in product(permutations([1, 2, 3]), product([True, False], repeat=3)):
        domain = enter_hits(order, hands)
        for award, stays in zip(awards, decisions, strict=True):
            if stays:
                domain.confirmed(award, EXECUTIVE)
            else:
                domain.cancelled(award, SUPERVISOR)
            domain.all_is_well()
            domain.find_free()


def enter_hits(order: str, hands: tuple[str, ...]) -> Domain:
    """Return a round of seats 1 to 3, each with a hit that is not decided, whose fixed award the meter pays."""
    domain = Domain()
    shares: dict[str, Any] = {"seed": 2_000, "meter_bps": 0, "reserve_bps": 0}
    rules: dict[str, Any] = {"must_wager": "on", "order": order, "rounding": "cent", "limited": False}
    domain.found(tables=1, from_meter=True, wager=100, **shares, **rules)
    domain.opened(1, {1, 2, 3})
    for seat, hand in enumerate(hands, 1):
        domain.pressed(1, seat, hand, DEALER)
        domain.all_is_well()
        domain.find_free()
    return domain


Spoil = Callable[[pytest.MonkeyPatch], None]


def contribution_lost_while_a_hit_is_pending(patch: pytest.MonkeyPatch) -> None:
    right = round_handlers.open_round

    def wrong(before: ProgressiveState, command: Any, actor: Actor) -> tuple[ProgressiveEvent, ...]:
        (event,) = right(before, command, actor)
        assert isinstance(event, RoundOpened)
        return (event.model_copy(update={"meter_units": 0}) if before.list_pending_hits() else event,)

    patch.setitem(dispatch.HANDLERS, "open", wrong)


def contributions_rounded_to_cents(patch: pytest.MonkeyPatch) -> None:
    right = divide_wager

    def wrong(*arguments: int) -> WagerShares:
        part = right(*arguments)
        rest = part.meter_units % 10_000
        return WagerShares(part.meter_units - rest, part.reserve_units, part.house_units + rest)

    patch.setattr(round_handlers, "divide_wager", wrong)


def second_hit_ignores_the_first(patch: pytest.MonkeyPatch) -> None:
    right = award_amounts.compute_awards

    def wrong(terms: Settings, now: Any, meter: Meter, hits: Any) -> Any:
        return tuple(right(terms, now, meter, (hit,))[0] for hit in sorted(hits, key=lambda hit: -hit.seat))

    patch.setattr(award_amounts, "compute_awards", wrong)


def awards_in_the_order_of_keying(patch: pytest.MonkeyPatch) -> None:
    right = compute_round_awards

    def wrong(meter: Meter, percents: list[int], fixed_cents: list[int], terms: Any) -> Any:
        after, awards = right(meter, percents[::-1], fixed_cents[::-1], terms)
        return after, awards[::-1]

    patch.setattr(award_amounts, "compute_round_awards", wrong)


def paid_twice(patch: pytest.MonkeyPatch) -> None:
    def wrong(before: ProgressiveState, command: Any, actor: Actor) -> tuple[ProgressiveEvent, ...]:
        hit = lookups.get_hit(before, command.award)
        return round_handlers.pay_award(
            before.model_copy(update={"hits": {command.award: hit.model_copy(update={"step": "confirmed"})}}),
            command,
            actor,
        )

    patch.setitem(dispatch.HANDLERS, "pay", wrong)


def one_person_does_both_halves_of_an_award(patch: pytest.MonkeyPatch) -> None:
    def wrong(before: ProgressiveState, command: Any, actor: Actor) -> tuple[ProgressiveEvent, ...]:
        events = round_handlers.confirm_award(before, command, Actor("nobody", actor.role))
        return tuple(event.model_copy(update={"by": actor.name}) for event in events)

    patch.setitem(dispatch.HANDLERS, "confirm", wrong)


def one_person_does_both_halves_of_an_adjustment(patch: pytest.MonkeyPatch) -> None:
    def wrong(before: ProgressiveState, command: Any, _actor: Actor) -> tuple[ProgressiveEvent, ...]:
        return admin_handlers.approve_request(before, command, Actor("nobody", Role.EXECUTIVE))

    patch.setitem(dispatch.HANDLERS, "approve", wrong)


def amount_fixed_at_the_confirmation(patch: pytest.MonkeyPatch) -> None:
    right = round_handlers.confirm_award

    def wrong(before: ProgressiveState, command: Any, actor: Actor) -> tuple[ProgressiveEvent, ...]:
        hit = lookups.get_hit(before, command.award)
        if hit.step == "pending":
            now = before.rounds[hit.table].model_copy(update={"settled": (hit.fixed.entry,)})
            back = award_amounts.compute_reversal(before.meter, (hit.owed,))
            units = before.meter_units + (back.meter_cents - back.seed_cents) * 10_000 - back.released_units
            meter = Meter(units, before.reserve_units + back.released_units)
            (owed,) = award_amounts.compute_awards(lookups.get_settings(before), now, meter, (hit.owed,))
            later = hit.model_copy(update={"owed": owed})
            before = before.model_copy(update={"hits": before.hits | {command.award: later}})
        return right(before, command, actor)

    patch.setitem(dispatch.HANDLERS, "confirm", wrong)


def no_reseed(patch: pytest.MonkeyPatch) -> None:
    spoil_awards(patch, lambda award: award._replace(seed_cents=0))


def reserve_lost(patch: pytest.MonkeyPatch) -> None:
    spoil_awards(patch, lambda award: award._replace(released_units=0))


def award_rounded_up(patch: pytest.MonkeyPatch) -> None:
    spoil_awards(patch, lambda award: award._replace(meter_cents=award.meter_cents + (award.meter_cents > 0)))


def spoil_awards(patch: pytest.MonkeyPatch, spoilt: Callable[[MeterAward], MeterAward]) -> None:
    """Spoil every award that is fixed."""
    right = compute_round_awards

    def wrong(*arguments: Any) -> tuple[Meter, tuple[MeterAward, ...]]:
        meter, awards = right(*arguments)
        return meter, tuple(spoilt(award) for award in awards)

    patch.setattr(award_amounts, "compute_round_awards", wrong)


def adjusted_below_what_is_owed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(admin_handlers, "verify_adjustment", lambda _before, _change: None)


def dropped_overflow(patch: pytest.MonkeyPatch) -> None:
    right = round_handlers.open_round

    def wrong(before: ProgressiveState, command: Any, actor: Actor) -> tuple[ProgressiveEvent, ...]:
        (event,) = right(before, command, actor)
        assert isinstance(event, RoundOpened)
        limit_cents = lookups.get_settings(before).limit_cents
        full = 0 <= limit_cents * 10_000 <= before.meter_units
        moved = {"meter_units": 0, "house_units": event.house_units + event.meter_units}
        return (event.model_copy(update=moved) if full else event,)

    patch.setitem(dispatch.HANDLERS, "open", wrong)


def cancelled_award_not_put_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(award_amounts, "compute_reversal", lambda _meter, _awards: Reversal())


def envy_to_the_winner_too(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        round_handlers,
        "compute_envy_dollars",
        lambda dollars, wagered, _hitter, seat, _must: dollars * (wagered >> seat & 1),
    )


def later_awards_not_figured_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(award_amounts, "_list_hits_after", lambda _state, _order: ())


def provisional_award_confirmed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(round_handlers, "_verify_final", lambda _state, _hit: None)


def contribution_counted_for_an_earlier_hit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(award_amounts, "subtract_meters", lambda meter, _later: meter)


def change_of_rates_in_a_round_in_play(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(award_amounts, "get_round_settings", lambda before, _played: before.settings)


SPOILS: list[Spoil] = [
    later_awards_not_figured_again,
    provisional_award_confirmed,
    contribution_counted_for_an_earlier_hit,
    change_of_rates_in_a_round_in_play,
    contribution_lost_while_a_hit_is_pending,
    contributions_rounded_to_cents,
    second_hit_ignores_the_first,
    awards_in_the_order_of_keying,
    paid_twice,
    one_person_does_both_halves_of_an_award,
    one_person_does_both_halves_of_an_adjustment,
    amount_fixed_at_the_confirmation,
    no_reseed,
    reserve_lost,
    award_rounded_up,
    adjusted_below_what_is_owed,
    dropped_overflow,
    cancelled_award_not_put_back,
    envy_to_the_winner_too,
]


@pytest.mark.more
@pytest.mark.in_turn("spoil")
@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)
def test_a_fault_that_was_planted_is_found(spoil: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch)
    search = effort(
        max_examples=300, stateful_step_count=STEPS, deadline=None, phases=[Phase.generate], report_multiple_bugs=False
    )
    with pytest.raises((AssertionError, ValueError)):
        run_state_machine_as_test(Domain, settings=search)
