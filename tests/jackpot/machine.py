"""A progressive driven at random beside a naive model of the rulings; both must agree after every step.

The model keeps fractions of a cent and follows the words of SC-4, SC-6 and SC-7; it shares no code with the controller.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import settings as effort
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jackpot.house import DEALER, EXECUTIVE, SECOND_EXECUTIVE, SUPERVISOR, settings
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.commands import (
    ApproveRequest,
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
    RequestAdjustment,
    RequestBackOut,
    RequestSettings,
)
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, BackOut, ProgressiveWager, Reconfiguration
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState, get_display_cents, get_display_overflow_units

UNITS = 10_000
SEATS = 4
TABLES = 2
PAYS = {"royal-flush": 100, "straight-flush": 10, "full-house": 0, "flush": 0}
FIXED_CENTS = {"full-house": 2_500, "flush": 1_500}
ENVY_CENTS = {"royal-flush": 10_000, "straight-flush": 1_000}
STEPS = 50

actors = st.sampled_from([DEALER, SUPERVISOR, EXECUTIVE])
at_the_table = st.sampled_from([DEALER, SUPERVISOR])
in_the_office = st.sampled_from([SUPERVISOR, EXECUTIVE])
tables = st.integers(1, TABLES)
seats = st.integers(1, SEATS)


@dataclass
class Won:
    """A hit of the model."""

    table: int
    seat: int
    hand: str
    by: str
    cents: int = 0
    from_meter: int = 0
    seed: Fraction = Fraction(0)
    released: Fraction = Fraction(0)
    step: str = "pending"
    wagered: bool = True


@dataclass
class Model:
    """What should be true, in fractions of a cent."""

    terms: Settings
    meter: Fraction
    reserve: Fraction = Fraction(0)
    won: dict[int, Won] = field(default_factory=dict)
    rounds: dict[int, set[int]] = field(default_factory=dict)
    fixed: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)
    bank: Fraction = Fraction(0)
    envy: int = 0

    def pending(self, table: int) -> list[int]:
        """Return the pending awards of a table."""
        return [award for award, hit in self.won.items() if (hit.table, hit.step) == (table, "pending")]

    def of_round(self, table: int, *steps: str) -> list[Won]:
        """Return the hits of a table's running round."""
        return [hit for hit in self.won.values() if hit.table == table and hit.step in steps]

    def put_back(self, awards: Sequence[int]) -> None:
        """Put awards back into the meter, and seed and reserve where they came from, as far as they are there."""
        hits = [self.won[award] for award in awards]
        self.meter += sum(hit.from_meter for hit in hits)
        released = min(self.meter, sum((hit.released for hit in hits), Fraction(0)))
        self.meter -= released
        self.reserve += released
        seed = min(Fraction(self.meter // 1), sum((hit.seed for hit in hits), Fraction(0)))
        self.meter -= seed
        self.bank -= seed

    def fix(self, awards: Sequence[int]) -> None:
        """Fix awards from the dealer's right."""
        for award in sorted(awards, key=lambda award: -self.won[award].seat):
            hit = self.won[award]
            hit.seed = hit.released = Fraction(0)
            if not hit.wagered:
                continue
            if PAYS[hit.hand]:
                shown = self.meter // 1
                if self.terms.limit_cents >= 0:
                    shown = min(shown, self.terms.limit_cents)
                hit.cents = hit.from_meter = int(Fraction(shown * PAYS[hit.hand], 100) // 1)
            else:
                hit.cents = FIXED_CENTS[hit.hand]
                of_meter = self.terms.fixed_awards_from == "meter"
                hit.from_meter = min(hit.cents, int(self.meter // 1)) if of_meter else 0
            self.meter -= hit.from_meter
            if PAYS[hit.hand] == 100:
                hit.seed, hit.released = Fraction(self.terms.seed_cents), self.reserve
                self.meter += hit.seed + hit.released
                self.bank += hit.seed
                self.reserve = Fraction(0)

    def refix(self, table: int, awards: Sequence[int], replaced: Sequence[int]) -> None:
        """Put some awards of a round back and fix others."""
        self.put_back(replaced)
        self.fix(awards)
        assert set(replaced) - set(awards) <= set(self.won)
        assert table in self.rounds


class Machine(RuleBasedStateMachine):
    """Random commands, mostly sensible; ``give`` hands one to what is tested."""

    state: ProgressiveState
    model: Model
    steps: ClassVar[int] = 0
    """How many steps were taken by all machines of a class, each followed by every check."""

    def start(self, terms: Settings) -> None:
        """Set up a progressive."""
        raise NotImplementedError

    def give(self, command: ProgressiveCommand, actor: Actor) -> bool:
        """Give a command; return whether it was accepted."""
        raise NotImplementedError

    @initialize(
        limited=st.booleans(),
        from_meter=st.booleans(),
        seed=st.sampled_from([0, 2_000, 100_000]),
        meter_bps=st.sampled_from([0, 1_400, 3_333, 9_999]),
        reserve_bps=st.sampled_from([0, 1]),
        must_wager=st.sampled_from(["on", "off"]),
    )
    def found(
        self, *, limited: bool, from_meter: bool, seed: int, meter_bps: int, reserve_bps: int, must_wager: str
    ) -> None:
        terms = settings(
            limit_cents=seed + 150 if limited else -1,
            fixed_awards_from="meter" if from_meter else "tray",
            seed_cents=seed,
            zero_seed=True,
            meter_bps=meter_bps,
            reserve_bps=reserve_bps,
            tables=TABLES,
            seats=SEATS,
            executive_cents=50_000,
            envy_hitter_must_wager=must_wager,
        )
        self.model = Model(terms, Fraction(seed), bank=Fraction(seed))
        self.start(terms)

    @rule(table=tables, who=st.sets(seats, min_size=2) | st.sets(seats))
    def coin_in(self, table: int, who: set[int]) -> None:
        model = self.model
        number = model.numbers.get(table, 0) + 1
        wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in who)
        accepted = self.give(OpenRound(table=table, round=number, wagers=wagers), DEALER)
        assert accepted == (table not in model.rounds)
        if accepted:
            model.numbers[table] = number
            model.rounds[table] = who
            model.fixed.discard(table)
            model.meter += len(who) * Fraction(model.terms.meter_bps, 100)
            model.reserve += len(who) * Fraction(model.terms.reserve_bps, 100)
            model.bank += len(who) * Fraction(model.terms.meter_bps + model.terms.reserve_bps, 100)

    @precondition(lambda self: len(self.model.rounds) < TABLES)
    @rule(who=st.sets(seats, min_size=2))
    def a_table_that_is_free_opens(self, who: set[int]) -> None:
        self.coin_in(table=min(set(range(1, TABLES + 1)) - set(self.model.rounds)), who=who)

    @rule(table=tables, seat=seats, hand=st.sampled_from([*PAYS, "pair"]), actor=actors)
    def hand_button(self, table: int, seat: int, hand: str, actor: Actor) -> None:
        model = self.model
        number = model.numbers.get(table, 1)
        accepted = self.give(EnterHit(table=table, round=number, seat=seat, hand=hand), actor)
        mine = [hit for hit in model.of_round(table, "pending", "confirmed", "paid") if hit.seat == seat]
        again = bool(mine) and (mine[0].step, mine[0].hand) == ("pending", hand)
        bet = seat in model.rounds.get(table, set())
        envied = table in model.rounds and hand in ENVY_CENTS and model.terms.envy_hitter_must_wager == "off"
        assert accepted == (actor is not EXECUTIVE and (bet or envied) and hand in PAYS and (not mine or again))
        if not accepted:
            return
        others = [] if table in model.fixed else model.pending(table)
        if again:
            award = next(award for award, hit in model.won.items() if hit is mine[0])
            self.turned_off(table, award)
        else:
            award = len(model.won) + 1
            model.won[award] = Won(table, seat, hand, actor.name, wagered=bet)
            model.refix(table, [*others, award], others)

    @precondition(lambda self: self.model.rounds)
    @rule(
        data=st.data(),
        hand=st.sampled_from(["royal-flush", "straight-flush", "royal-flush", "full-house"]),
        actor=at_the_table,
    )
    def a_seat_that_bet_wins(self, data: Any, hand: str, actor: Actor) -> None:
        table = data.draw(st.sampled_from(sorted(self.model.rounds)))
        who = sorted(self.model.rounds[table])
        if who:
            self.hand_button(table=table, seat=data.draw(st.sampled_from(who)), hand=hand, actor=actor)

    def turned_off(self, table: int, award: int) -> None:
        """Cancel in the model."""
        model = self.model
        replaced = [award] if table in model.fixed else model.pending(table)
        model.won[award].step = "cancelled"
        model.refix(table, [other for other in replaced if other != award], replaced)

    def an_award(self, data: Any) -> int:
        """Choose an award, mostly one that there is."""
        return int(data.draw(st.integers(1, max(1, len(self.model.won)))))

    @precondition(lambda self: self.model.won)
    @rule(data=st.data(), actor=actors)
    def cancel(self, data: Any, actor: Actor) -> None:
        award = self.an_award(data)
        hit = self.model.won[award]
        accepted = self.give(CancelHit(award=award), actor)
        assert accepted == (actor is not EXECUTIVE and hit.step == "pending")
        if accepted:
            self.turned_off(hit.table, award)

    @precondition(lambda self: self.model.won)
    @rule(data=st.data(), actor=actors)
    def confirm(self, data: Any, actor: Actor) -> None:
        self.confirmed(self.an_award(data), actor)

    def confirmed(self, award: int, actor: Actor) -> None:
        """Confirm an award, or see it refused."""
        hit = self.model.won[award]
        accepted = self.give(ConfirmAward(award=award), actor)
        high = hit.cents >= self.model.terms.executive_cents
        may = actor is EXECUTIVE or (actor is SUPERVISOR and not high and hit.by != SUPERVISOR.name)
        assert accepted == (hit.step == "pending" and may)
        if accepted:
            hit.step = "confirmed"
            self.model.fixed.add(hit.table)
            self.model.bank += hit.cents - hit.from_meter

    @precondition(lambda self: any(hit.step == "pending" for hit in self.model.won.values()))
    @rule(data=st.data(), actor=in_the_office)
    def a_win_is_verified(self, data: Any, actor: Actor) -> None:
        pending = [award for award, hit in self.model.won.items() if hit.step == "pending"]
        self.confirmed(data.draw(st.sampled_from(pending)), actor)

    @precondition(lambda self: self.model.won)
    @rule(data=st.data())
    def pay(self, data: Any) -> None:
        self.paid(self.an_award(data))

    @precondition(lambda self: any(hit.step == "confirmed" for hit in self.model.won.values()))
    @rule(data=st.data())
    def a_winner_is_paid(self, data: Any) -> None:
        self.paid(data.draw(st.sampled_from(self.confirmed_awards())))

    def confirmed_awards(self) -> list[int]:
        """Return the awards that are to be paid."""
        return [award for award, hit in self.model.won.items() if hit.step == "confirmed"]

    def paid(self, award: int) -> None:
        """Pay an award, or see it refused."""
        hit = self.model.won[award]
        accepted = self.give(PayAward(award=award), DEALER)
        assert accepted == (hit.step == "confirmed")
        if accepted:
            hit.step = "paid"
            self.model.bank -= hit.cents

    @rule(table=tables)
    def game_over(self, table: int) -> None:
        model = self.model
        accepted = self.give(CloseRound(table=table, round=model.numbers.get(table, 1)), DEALER)
        assert accepted == (table in model.rounds and not model.pending(table))
        if accepted:
            who = model.rounds.pop(table)
            for hit in model.of_round(table, "confirmed", "paid"):
                model.envy += ENVY_CENTS.get(hit.hand, 0) * (len(who) - hit.wagered)
            for hit in model.of_round(table, "confirmed", "paid", "cancelled", "backed-out"):
                hit.table = 0  # of no running round

    @precondition(lambda self: self.model.won)
    @rule(data=st.data())
    def back_out(self, data: Any) -> None:
        award = self.an_award(data)
        hit = self.model.won[award]
        asked = self.give(RequestBackOut(change=BackOut(award=award, text="misread hand")), SUPERVISOR)
        assert asked == (hit.step == "confirmed")
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), EXECUTIVE)
            self.model.put_back([award])
            hit.step = "backed-out"
            self.model.bank -= hit.cents - hit.from_meter

    @rule(cents=st.integers(-3_000, 3_000), meter=st.booleans(), other=st.sampled_from([EXECUTIVE, SECOND_EXECUTIVE]))
    def adjust(self, *, cents: int, meter: bool, other: Actor) -> None:
        model = self.model
        change = Adjustment(
            account="meter" if meter else "reserve", cents=cents, reason="malfunction", text="as counted"
        )
        asked = self.give(RequestAdjustment(change=change), EXECUTIVE)
        held = model.meter if meter else model.reserve
        assert asked == (cents != 0 and held + cents >= 0)
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), other) == (other is SECOND_EXECUTIVE)
            if other is SECOND_EXECUTIVE:
                model.meter += cents if meter else 0
                model.reserve += 0 if meter else cents
                model.bank += cents

    @rule(meter_bps=st.integers(0, 9_999))
    def change_rate(self, meter_bps: int) -> None:
        model = self.model
        terms = model.terms.model_copy(update={"meter_bps": meter_bps})
        limited = terms.limit_cents >= 0 and terms.limit_cents < model.meter
        asked = self.give(RequestSettings(change=Reconfiguration(settings=terms, text="as agreed")), EXECUTIVE)
        assert asked == (not model.rounds and terms != model.terms and not limited)
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), SECOND_EXECUTIVE)
            model.terms = terms

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "model"):
            return
        type(self).steps += 1
        state, model = self.state, self.model
        assert find_violations(state) == ()
        assert state.meter_units == model.meter * UNITS
        assert state.reserve_units == model.reserve * UNITS
        assert state.get_balance(Account.BANK) == model.bank * UNITS
        assert {award: (hit.cents, hit.step) for award, hit in state.hits.items()} == {
            award: (hit.cents, hit.step) for award, hit in model.won.items()
        }
        assert sum(each.envy_cents for each in state.counts.values()) == model.envy
        pending = [hit for hit in model.won.values() if hit.step == "pending"]
        if not pending:
            limit = model.terms.limit_cents
            shown = int(model.meter // 1)
            assert get_display_cents(state) == (min(shown, limit) if limit >= 0 else shown)
            overflow = max(Fraction(0), model.meter - limit) if limit >= 0 else 0
            assert get_display_overflow_units(state) == overflow * UNITS


def accepted(attempt: Any) -> bool:
    """Return whether a command was accepted."""
    try:
        attempt()
    except RefusalError:
        return False
    return True


def run_steps(machine: type[Machine], steps: int) -> None:
    """Run a machine until it has taken so many steps: examples of at most ``STEPS``, some of them shorter."""
    machine.steps = 0
    search = effort(max_examples=5 * steps // (4 * STEPS), stateful_step_count=STEPS, deadline=None)
    run_state_machine_as_test(machine, settings=search)
    assert machine.steps >= steps
