"""A progressive driven at random beside a naive model of the rulings; both must agree after every step.

The model keeps fractions of a cent and a list of all that happened, and figures every award again from the first
happening after each step, by the words of SC-4, SC-6, SC-7, SC-9 and SC-10; it shares no code with the controller.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import HealthCheck, seed
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
from pitboss.jackpot.award_amounts import compute_free_meter
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
from pitboss.jackpot.display import get_display_cents, get_display_overflow_units, is_jackpot_pending
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, BackOut, ProgressiveWager, Reconfiguration
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import Settings, change_settings
from pitboss.jackpot.state import ProgressiveState

UNITS = 10_000
SEATS = 4
MAX_TABLES = 8
PAYS = {"royal-flush": 100, "straight-flush": 10, "full-house": 0, "flush": 0}
FOR_ONE = {"full-house": 25, "flush": 15}
ENVY_CENTS = {"royal-flush": 10_000, "straight-flush": 1_000}
STEPS = 50
SHORT_EXAMPLES = 25
MAX_SUBSETS_OF = 9

actors = st.sampled_from([DEALER, SUPERVISOR, EXECUTIVE])
at_the_table = st.sampled_from([DEALER, SUPERVISOR])
in_the_office = st.sampled_from([SUPERVISOR, EXECUTIVE])
seats = st.integers(1, SEATS)

OTHER_TERMS: dict[str, st.SearchStrategy[Any]] = {
    "meter_bps": st.integers(0, 9_998),
    "reserve_bps": st.sampled_from([0, 1]),
    "wager_cents": st.sampled_from([100, 500]),
    "fixed_awards_from": st.sampled_from(["tray", "meter"]),
    "award_order": st.sampled_from(["sequence", "split"]),
    "award_rounding": st.sampled_from(["cent", "dollar"]),
    "envy_hitter_must_wager": st.sampled_from(["on", "off"]),
    "executive_cents": st.sampled_from([5_000, 50_000]),
}
"""Every other setting that an award or a round depends on, with values to change it to while rounds are in play."""


@dataclass(frozen=True)
class Money:
    """Fractions of a cent: meter, reserve, and what the house put in as seeds."""

    meter: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    seeded: Fraction = Fraction(0)

    def plus(self, meter: Fraction, reserve: Fraction = Fraction(0), seeded: Fraction = Fraction(0)) -> "Money":
        """Return the sum."""
        return Money(self.meter + meter, self.reserve + reserve, self.seeded + seeded)


@dataclass(eq=False)
class Won:
    """A hit of the model; its amounts are figured anew until it is confirmed."""

    table: int
    seat: int
    hand: str
    by: str
    terms: Settings
    wagered: bool
    step: str = "pending"
    cents: int = 0
    from_meter: int = 0
    seed: Fraction = Fraction(0)
    released: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        """Read the percentage of the meter that is won."""
        self.percent = PAYS[self.hand] if self.wagered else 0

    def figure(self, money: Money, percentage_cents: int, *, reseeds: bool) -> Money:
        """Fix the amounts; return what is left then (SC-7)."""
        self.cents = self.from_meter = percentage_cents
        self.seed = self.released = Fraction(0)
        if self.wagered and not self.percent:
            self.cents = FOR_ONE[self.hand] * self.terms.wager_cents
            of_meter = self.terms.fixed_awards_from == "meter"
            self.from_meter = min(self.cents, int(money.meter // 1)) if of_meter else 0
        if reseeds:
            self.seed, self.released = Fraction(self.terms.seed_cents), money.reserve
        return self.take(money)

    def is_of_tray(self) -> bool:
        """Return whether it takes nothing from the meter, whatever is in it."""
        return not PAYS[self.hand] and self.terms.fixed_awards_from == "tray"

    def get_turn(self) -> tuple[bool, int]:
        """Return what hits of a round are sorted by: percentages first in a split round, then seats (SC-6)."""
        return self.terms.award_order == "split" and not self.percent, -self.seat

    def round_down(self, cents: Fraction) -> int:
        """Round an award down to a cent or a dollar (SC-7)."""
        unit = 100 if self.terms.award_rounding == "dollar" else 1
        return int(cents // unit) * unit

    def take(self, money: Money) -> Money:
        """Return what is left of the money after the amounts as they stand."""
        return money.plus(self.seed + self.released - self.from_meter, -self.released, self.seed)


@dataclass
class Together:
    """The hits of one round that were fixed together, at one place in the order (SC-6, SC-9).

    The place is where the ``last`` of their hands was entered, under the limit of the display then.
    """

    won: list[Won]
    last: Won
    limit: int

    def figure(self, money: Money, hits: list[Won]) -> Money:
        """Fix the amounts of these hits, from the dealer's right; return what is left then (SC-6)."""
        for hit in sorted(hits, key=lambda hit: -hit.seat):
            if hit.terms.award_order == "split":
                continue
            cents = hit.round_down(show(self.limit, money) * hit.percent / 100)
            money = hit.figure(money, cents, reseeds=hit.percent == 100)
        split = [hit for hit in hits if hit.terms.award_order == "split"]
        money = self.split(money, [hit for hit in split if hit.percent])
        for hit in sorted(split, key=lambda hit: -hit.seat):
            if not hit.percent:
                money = hit.figure(money, 0, reseeds=False)
        return money

    def split(self, money: Money, hits: list[Won]) -> Money:
        """Pay percentages that are all of the same display; the winner farthest right gets the odd cents."""
        hits = sorted(hits, key=lambda hit: -hit.seat)
        total = sum(hit.percent for hit in hits)
        shown = show(self.limit, money) if hits else Fraction(0)
        whole = hits[0].round_down(shown) if hits else 0
        parts = [hit.round_down(shown * hit.percent / 100) for hit in hits]
        if total > 100:
            parts = [hit.round_down(Fraction(whole * hit.percent, total)) for hit in hits]
            parts[0] = whole - sum(parts[1:])
        for hit, cents in zip(hits, parts, strict=True):
            money = hit.figure(money, cents, reseeds=total >= 100 and hit is hits[-1])
        return money


Happening = Money | Together
"""Money that came in or went, or hits."""


@dataclass
class Model:
    """What should be true, in fractions of a cent."""

    terms: Settings
    happenings: list[Happening]
    bank: Fraction
    won: dict[int, Won] = field(default_factory=dict)
    rounds: dict[int, set[int]] = field(default_factory=dict)
    round_terms: dict[int, Settings] = field(default_factory=dict)
    fixed: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)
    envy: int = 0
    lowest_shown: int = 0
    may_fall: bool = True

    def walk(self, off: Iterable[Won] = ()) -> Money:
        """Go through all that happened, and figure every pending award but those turned off; return what is left."""
        money, off = Money(), list(off)
        for each in self.happenings:
            if isinstance(each, Money):
                money = money.plus(each.meter, each.reserve, each.seeded)
                continue
            pending = [hit for hit in each.won if hit.step == "pending" and hit not in off]
            decided = [hit for hit in each.won if hit.step not in {"pending", "cancelled"}]
            for hit in decided:
                money = hit.take(money)
            standing = [hit for hit in decided if hit.step != "backed-out"]
            if is_decided(each) and decided[0].terms.award_order == "split":
                for hit in pending:
                    money = hit.take(money)
                if keep_reseeded([*standing, *pending]):
                    for hit in each.won:
                        if hit.step == "pending" and hit in off:
                            money = money.plus(hit.seed + hit.released, -hit.released, hit.seed)
            else:
                money = each.figure(money, pending)
        return money

    def find_lowest(self) -> Money:
        """Return the least that meter and reserve can come to, whichever pending hits are turned off.

        A seed is taken back only as far as it is in the meter, which so never comes below nothing.
        """
        pending = self.list_pending()
        if any(hit.table in self.fixed and hit.terms.award_order == "split" for hit in pending):
            return Money()
        subsets = chain.from_iterable(combinations(pending, size) for size in range(len(pending) + 1))
        left, happenings = [], self.happenings
        for off in subsets:
            self.happenings = [
                Together(list(each.won), each.last, each.limit) if isinstance(each, Together) else each
                for each in happenings
            ]
            for hit in off:
                if hit.table not in self.fixed:
                    self.put_back(hit, off)
            left.append(self.walk(off))
            left += self.walk_on_from_a_split(off)
        self.happenings = happenings
        self.walk()
        lowest = min(each.meter for each in left)
        return Money(max(lowest, Fraction(0)), min(each.reserve for each in left))

    def walk_on_from_a_split(self, off: Iterable[Won]) -> list[Money]:
        """Return what is left after the first pending round, a split one, if only some of its parts are confirmed.

        The first of them in turn is one of these: the others wait for it (SC-9).
        """
        first = next((hit for hit in self.list_pending() if hit not in off), None)
        if not first or first.terms.award_order != "split":
            return []
        together = next(each.won for each in self.happenings if isinstance(each, Together) and first in each.won)
        parts = sorted((hit for hit in together if hit.step == "pending" and hit not in off), key=Won.get_turn)
        others = [hit for hit in self.list_pending() if hit not in parts]
        left = []
        for size in range(len(parts) - 1):
            for others_stay in combinations(parts[1:], size):
                stay = (parts[0], *others_stay)
                self.walk(others)
                for hit in others:  # turned off before one is confirmed, so what it had reseeded stays with none
                    hit.seed = hit.released = Fraction(0)
                first_off = [hit for hit in self.list_pending() if hit not in stay]
                for hit in stay:
                    hit.step = "confirmed"
                left.append(self.walk(first_off))
                for hit in stay:
                    hit.step = "pending"
        return left

    def list_pending(self, table: int = 0) -> list[Won]:
        """Return the pending hits of a table, or of all, in their order."""
        groups = [sorted(each.won, key=Won.get_turn) for each in self.happenings if isinstance(each, Together)]
        hits = [hit for group in groups for hit in group]
        return [hit for hit in hits if hit.step == "pending" and table in {0, hit.table}]

    def is_final(self, hit: Won) -> bool:
        """Return whether no earlier hit can change it (SC-9): those of the meter are decided, or it is of the tray."""
        if hit.is_of_tray():
            return True
        for each in self.happenings:
            if isinstance(each, Together):
                for other in sorted(each.won, key=Won.get_turn):
                    if other is hit:
                        return True
                    if other.step == "pending" and not other.is_of_tray():
                        return False
        raise AssertionError(hit)

    def add(self, hit: Won) -> None:
        """Put a hit last in the order, with the other hits of its round unless one is confirmed."""
        together = [hit]
        if hit.table not in self.fixed:
            for each in self.happenings:
                if isinstance(each, Together):
                    moved = [other for other in each.won if other.table == hit.table and other.step == "pending"]
                    each.won = [other for other in each.won if other not in moved]
                    together += moved
        self.happenings.append(Together(together, hit, self.terms.limit_cents))

    def iter_together(self) -> Iterator[Together]:
        """Iterate over the hits that were fixed together, in their order."""
        return (each for each in self.happenings if isinstance(each, Together))

    def find_together(self, hit: Won) -> Together:
        """Return the hits that one was fixed with."""
        return next(each for each in self.iter_together() if hit in each.won)

    def put_back(self, removed: Won, off: Iterable[Won]) -> None:
        """Let a round stand where the last of its hands was entered that is not turned off: one turned off is none.

        One that is decided, which was paid from the tray, is not turned off any more.
        """
        groups = [each for each in self.happenings if isinstance(each, Together)]
        here = next(each for each in groups if removed in each.won)
        stay = [hit for hit in here.won if hit is not removed and hit not in off and hit.step == "pending"]
        if stay:
            here.won = [hit for hit in here.won if hit not in stay]
            decided = self.of_round(removed.table, "confirmed", "paid", "backed-out")
            order = list(self.won.values())
            last = max(
                (each for each in groups if each.last in (*stay, *decided)), key=lambda each: order.index(each.last)
            )
            last.won = [*last.won, *stay]
            self.put_after_confirmed(last)

    def put_after_confirmed(self, together: Together) -> None:
        """Let hits stand after every confirmed award, of those that moved there in the order of their hands (SC-9)."""
        places = [number for number, each in enumerate(self.happenings) if each is together or is_decided(each)]
        if self.happenings[places[-1]] is together:
            return
        order, place = list(self.won.values()), places[-1]
        self.happenings = [each for each in self.happenings if each is not together]
        for each in self.happenings[place:]:
            if not isinstance(each, Together) or order.index(each.last) > order.index(together.last):
                break
            place += 1
        self.happenings.insert(place, together)

    def cancel(self, hit: Won) -> None:
        """Turn a hit off; parts of a split round stay, and may hold on to its seed (SC-6)."""
        hit.step = "cancelled"
        if hit.table not in self.fixed:
            self.put_back(hit, ())
            return
        place = next(
            number for number, each in enumerate(self.happenings) if isinstance(each, Together) and hit in each.won
        )
        together = self.happenings[place]
        assert isinstance(together, Together)
        stay = [each for each in together.won if each.step in {"pending", "confirmed", "paid"}]
        if hit.terms.award_order == "split" and keep_reseeded(stay):
            last = max((each for each in stay if each.percent), key=Won.get_turn)
            last.seed, last.released = last.seed + hit.seed, last.released + hit.released
        elif hit.terms.award_order == "split":
            later = [other for each in self.happenings[place + 1 :] if isinstance(each, Together) for other in each.won]
            left = self.walk(other for other in later if other.step == "pending").meter + hit.seed + hit.released
            released = min(left, hit.released)
            seed = min(Fraction((left - released) // 1), hit.seed)
            held = hit.released - released
            self.happenings.insert(place + 1, Money(hit.seed - seed + held, -held, hit.seed - seed))
            self.walk()

    def of_round(self, table: int, *steps: str) -> list[Won]:
        """Return the hits of a table's running round."""
        return [hit for hit in self.won.values() if hit.table == table and hit.step in steps]

    def come(self, meter: Fraction, reserve: Fraction = Fraction(0), seeded: Fraction = Fraction(0)) -> None:
        """Write down money that came, or went."""
        self.happenings.append(Money(meter, reserve, seeded))


def is_decided(happening: Happening) -> bool:
    """Return whether one of some hits that take from the meter was confirmed."""
    return isinstance(happening, Together) and any(
        hit.step not in {"pending", "cancelled"} and not hit.is_of_tray() for hit in happening.won
    )


def show(limit: int, money: Money) -> Fraction:
    """Return the cents that a display with this limit shows."""
    shown = Fraction(money.meter // 1)
    return min(shown, Fraction(limit)) if limit >= 0 else shown


def keep_reseeded(stay: list[Won]) -> bool:
    """Return whether what parts of a split round reseeded stays with those that stay: all of the meter is won."""
    return sum(hit.percent for hit in stay) >= 100


class Machine(RuleBasedStateMachine):
    """Random commands, mostly sensible; ``give`` hands one to what is tested."""

    state: ProgressiveState
    model: Model
    tables: int
    steps: ClassVar[int] = 0
    """How many steps were taken by all machines of a class, each followed by every check."""

    def start(self, terms: Settings) -> None:
        """Set up a progressive."""
        raise NotImplementedError

    def give(self, command: ProgressiveCommand, actor: Actor) -> bool:
        """Give a command; return whether it was accepted."""
        raise NotImplementedError

    @initialize(
        tables=st.integers(1, MAX_TABLES),
        limited=st.booleans(),
        from_meter=st.booleans(),
        seed=st.sampled_from([0, 2_000, 100_000]),
        meter_bps=st.sampled_from([0, 1_400, 3_333, 9_999]),
        reserve_bps=st.sampled_from([0, 1]),
        wager=st.sampled_from([100, 500]),
        must_wager=st.sampled_from(["on", "off"]),
        order=st.sampled_from(["sequence", "split"]),
        rounding=st.sampled_from(["cent", "dollar"]),
    )
    def found(
        self,
        *,
        tables: int,
        limited: bool,
        from_meter: bool,
        seed: int,
        meter_bps: int,
        reserve_bps: int,
        wager: int,
        must_wager: str,
        order: str,
        rounding: str,
    ) -> None:
        terms = settings(
            limit_cents=seed + 150 if limited else -1,
            fixed_awards_from="meter" if from_meter else "tray",
            seed_cents=seed,
            zero_seed=True,
            meter_bps=meter_bps,
            reserve_bps=reserve_bps,
            wager_cents=wager,
            tables=tables,
            seats=SEATS,
            executive_cents=50_000,
            envy_hitter_must_wager=must_wager,
            award_order=order,
            award_rounding=rounding,
        )
        self.tables = tables
        self.model = Model(terms, [Money(Fraction(seed), seeded=Fraction(seed))], bank=Fraction(0))
        self.start(terms)

    def a_table(self, data: Any) -> int:
        """Choose a table."""
        return int(data.draw(st.integers(1, self.tables)))

    @rule(data=st.data(), who=st.sets(seats, min_size=2) | st.sets(seats))
    def coin_in(self, data: Any, who: set[int]) -> None:
        self.opened(self.a_table(data), who)

    def opened(self, table: int, who: set[int], cents: int = 0) -> None:
        """Open a round, or see it refused."""
        model = self.model
        number = model.numbers.get(table, 0) + 1
        wager = cents or model.terms.wager_cents
        wagers = tuple(ProgressiveWager(seat=seat, cents=wager) for seat in who)
        accepted = self.give(OpenRound(table=table, round=number, wagers=wagers), DEALER)
        assert accepted == (table not in model.rounds)
        if accepted:
            model.numbers[table] = number
            model.rounds[table], model.round_terms[table] = who, model.terms
            model.fixed.discard(table)
            staked = len(who) * Fraction(wager, 10_000)
            model.come(staked * model.terms.meter_bps, staked * model.terms.reserve_bps)
            model.bank += staked * (model.terms.meter_bps + model.terms.reserve_bps)

    @precondition(lambda self: len(self.model.rounds) < self.tables)
    @rule(who=st.sets(seats, min_size=2))
    def a_table_that_is_free_opens(self, who: set[int]) -> None:
        self.opened(min(set(range(1, self.tables + 1)) - set(self.model.rounds)), who)

    @rule(data=st.data(), seat=seats, hand=st.sampled_from([*PAYS, "pair"]), actor=actors)
    def hand_button(self, data: Any, seat: int, hand: str, actor: Actor) -> None:
        self.pressed(self.a_table(data), seat, hand, actor)

    def pressed(self, table: int, seat: int, hand: str, actor: Actor) -> None:
        """Press a hand button, or see it refused."""
        model = self.model
        number = model.numbers.get(table, 1)
        accepted = self.give(EnterHit(table=table, round=number, seat=seat, hand=hand), actor)
        mine = [hit for hit in model.of_round(table, "pending", "confirmed", "paid") if hit.seat == seat]
        again = bool(mine) and (mine[0].step, mine[0].hand) == ("pending", hand)
        bet = seat in model.rounds.get(table, set())
        terms = model.round_terms.get(table, model.terms)
        envied = table in model.rounds and hand in ENVY_CENTS and terms.envy_hitter_must_wager == "off"
        assert accepted == (actor is not EXECUTIVE and (bet or envied) and hand in PAYS and (not mine or again))
        if accepted and again:
            model.cancel(mine[0])
        elif accepted:
            model.won[len(model.won) + 1] = won = Won(table, seat, hand, actor.name, terms, wagered=bet)
            model.add(won)

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
            self.pressed(table, data.draw(st.sampled_from(who)), hand, actor)

    def an_award(self, data: Any) -> int:
        """Choose an award, mostly one that there is."""
        return int(data.draw(st.integers(1, max(1, len(self.model.won)))))

    @precondition(lambda self: self.model.won)
    @rule(data=st.data(), actor=actors)
    def cancel(self, data: Any, actor: Actor) -> None:
        self.cancelled(self.an_award(data), actor)

    @precondition(lambda self: self.model.list_pending())
    @rule(data=st.data())
    def a_hit_is_turned_off(self, data: Any) -> None:
        pending = [award for award, hit in self.model.won.items() if hit.step == "pending"]
        self.cancelled(data.draw(st.sampled_from(pending)), SUPERVISOR)

    def cancelled(self, award: int, actor: Actor) -> None:
        """Cancel a hit, or see it refused."""
        hit = self.model.won[award]
        accepted = self.give(CancelHit(award=award), actor)
        assert accepted == (actor is not EXECUTIVE and hit.step == "pending")
        if accepted:
            self.model.cancel(hit)

    @precondition(lambda self: self.model.won)
    @rule(data=st.data(), actor=actors)
    def confirm(self, data: Any, actor: Actor) -> None:
        self.confirmed(self.an_award(data), actor)

    def confirmed(self, award: int, actor: Actor) -> None:
        """Confirm an award, or see it refused."""
        model, hit = self.model, self.model.won[award]
        accepted = self.give(ConfirmAward(award=award), actor)
        high = hit.cents >= hit.terms.executive_cents
        may = actor is EXECUTIVE or (actor is SUPERVISOR and not high and hit.by != SUPERVISOR.name)
        assert accepted == (hit.step == "pending" and may and model.is_final(hit))
        if accepted:
            hit.step = "confirmed"
            if not hit.is_of_tray():
                model.fixed.add(hit.table)
            model.bank += hit.cents - hit.from_meter
            model.may_fall = True

    @precondition(lambda self: self.model.list_pending())
    @rule(data=st.data(), actor=in_the_office)
    def a_win_is_verified(self, data: Any, actor: Actor) -> None:
        pending = [award for award, hit in self.model.won.items() if hit.step == "pending"]
        self.confirmed(data.draw(st.sampled_from(pending)), actor)

    @precondition(lambda self: self.model.list_pending())
    @rule(actor=st.just(EXECUTIVE) | in_the_office)
    def the_first_win_is_verified(self, actor: Actor) -> None:
        first = self.model.list_pending()[0]
        self.confirmed(next(award for award, hit in self.model.won.items() if hit is first), actor)

    @precondition(lambda self: self.model.won)
    @rule(data=st.data())
    def pay(self, data: Any) -> None:
        self.paid(self.an_award(data))

    @precondition(lambda self: self.confirmed_awards())
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

    @rule(data=st.data())
    def game_over(self, data: Any) -> None:
        model, table = self.model, self.a_table(data)
        accepted = self.give(CloseRound(table=table, round=model.numbers.get(table, 1)), DEALER)
        assert accepted == (table in model.rounds and not model.list_pending(table))
        if accepted:
            who = model.rounds.pop(table)
            for hit in model.of_round(table, "confirmed", "paid"):
                model.envy += ENVY_CENTS.get(hit.hand, 0) * (len(who) - hit.wagered)
            for hit in model.of_round(table, "confirmed", "paid", "cancelled", "backed-out"):
                hit.table = -1  # of no running round

    def find_free(self) -> Money:
        """Return what may be taken away: exact while the pending hits were fixed together, and safe always."""
        exact, free = self.model.find_lowest(), compute_free_meter(self.state)
        found = Money(Fraction(free.units, UNITS), Fraction(free.reserve_units, UNITS))
        assert found.meter <= exact.meter
        assert found.reserve <= exact.reserve
        if sum(any(hit.step == "pending" for hit in together.won) for together in self.model.iter_together()) <= 1:
            assert found == exact
        return found

    @precondition(lambda self: self.model.won and len(self.model.list_pending()) <= MAX_SUBSETS_OF)
    @rule(data=st.data())
    def back_out(self, data: Any) -> None:
        model = self.model
        award = self.an_award(data)
        hit = model.won[award]
        free = self.find_free().meter
        asked = self.give(RequestBackOut(change=BackOut(award=award, text="misread hand")), SUPERVISOR)
        assert asked == (hit.step == "confirmed")
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), EXECUTIVE)
            stay = [each for each in model.find_together(hit).won if each.step in {"pending", "confirmed", "paid"}]
            stay.remove(hit)
            if hit.terms.award_order == "split" and hit.percent and keep_reseeded(stay):
                last = max((each for each in stay if each.percent), key=Won.get_turn)
                last.seed, last.released = last.seed + hit.seed, last.released + hit.released
                hit.seed = hit.released = Fraction(0)
            left = free + hit.from_meter
            released = min(left, hit.released)
            seed = min(Fraction((left - released) // 1), hit.seed)
            model.come(hit.from_meter - released - seed, released, -seed)
            hit.step = "backed-out"
            model.bank -= hit.cents - hit.from_meter
            model.may_fall = True

    @precondition(lambda self: len(self.model.list_pending()) <= MAX_SUBSETS_OF)
    @rule(cents=st.integers(-3_000, 3_000), meter=st.booleans(), other=st.sampled_from([EXECUTIVE, SECOND_EXECUTIVE]))
    def adjust(self, *, cents: int, meter: bool, other: Actor) -> None:
        model = self.model
        change = Adjustment(
            account="meter" if meter else "reserve", cents=cents, reason="malfunction", text="as counted"
        )
        asked = self.give(RequestAdjustment(change=change), EXECUTIVE)
        lowest = self.find_free()
        free = lowest.meter if meter else lowest.reserve
        assert asked == (cents != 0 and free + cents >= 0)
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), other) == (other is SECOND_EXECUTIVE)
            if other is SECOND_EXECUTIVE:
                model.come(*(Fraction(cents), Fraction(0)) if meter else (Fraction(0), Fraction(cents)))
                model.bank += cents
                model.may_fall = True

    @rule(
        others=st.fixed_dictionaries({}, optional=OTHER_TERMS),
        more_seed=st.sampled_from([0, 0, 150]),
        limit=st.sampled_from(["same", "none", "shown", "above", "below"]),
    )
    def change_terms(self, *, others: dict[str, Any], more_seed: int, limit: str) -> None:
        model = self.model
        seed = model.terms.seed_cents + (more_seed if model.terms.limit_cents < 0 else 0)
        shown = int(show(model.terms.limit_cents, model.walk(model.list_pending())))
        model.walk()
        limits = {"same": model.terms.limit_cents, "none": -1, "shown": shown, "above": shown + 170, "below": shown - 1}
        limit_cents = -1 if limits[limit] < 0 else max(limits[limit], seed)
        terms = change_settings(model.terms, {"limit_cents": limit_cents, "seed_cents": seed, **others})
        limited = limit_cents not in {-1, model.terms.limit_cents} and limit_cents < shown
        asked = self.give(RequestSettings(change=Reconfiguration(settings=terms, text="as agreed")), EXECUTIVE)
        assert asked == (terms != model.terms and not limited)
        if asked:
            assert self.give(ApproveRequest(request=self.state.last_request), SECOND_EXECUTIVE)
            model.terms = terms
            model.may_fall |= limit_cents != -1

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "model"):
            return
        type(self).steps += 1
        state, model = self.state, self.model
        assert find_violations(state) == ()
        shown = model.walk(model.list_pending())
        left = model.walk()
        assert state.meter_units == left.meter * UNITS
        assert state.reserve_units == left.reserve * UNITS
        assert state.get_balance(Account.BANK) == (model.bank + left.seeded) * UNITS
        assert {award: (hit.cents, hit.step) for award, hit in state.hits.items() if hit.step != "cancelled"} == {
            award: (hit.cents, hit.step) for award, hit in model.won.items() if hit.step != "cancelled"
        }
        assert sum(each.envy_cents for each in state.counts.values()) == model.envy
        self.verify_display(shown)

    def verify_display(self, money: Money) -> None:
        """The display shows the meter as if nothing were pending, and falls only where that is allowed (SC-9)."""
        state, model = self.state, self.model
        assert get_display_cents(state) == show(model.terms.limit_cents, money)
        limit = model.terms.limit_cents
        overflow = max(Fraction(0), money.meter - limit) if limit >= 0 else 0
        assert get_display_overflow_units(state) == overflow * UNITS
        jackpots = [hit for hit in model.list_pending() if hit.hand == "royal-flush" and hit.cents]
        assert is_jackpot_pending(state) == bool(jackpots)
        assert model.may_fall or get_display_cents(state) >= model.lowest_shown
        model.lowest_shown, model.may_fall = get_display_cents(state), False


def accepted(attempt: Any) -> bool:
    """Return whether a command was accepted."""
    try:
        attempt()
    except RefusalError:
        return False
    return True


def run_interleavings(machine: type[Machine], count: int, part: int) -> None:
    """Run so many short random orders of commands at 1 to 8 tables, which are a part's; say how many steps they had."""
    seeded: type[Machine] = seed(part)(type(f"Part{part}", (machine,), {"steps": 0}))
    search = effort(max_examples=count, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(seeded, settings=search)
    sys.stdout.write(f"{count} interleavings, {seeded.steps} steps\n")


def run_steps(machine: type[Machine], steps: int) -> None:
    """Run a machine until it has taken so many steps: examples of at most ``STEPS``, the first of them shorter."""
    machine.steps = 0
    search = effort(max_examples=5 * steps // (4 * STEPS) + SHORT_EXAMPLES, stateful_step_count=STEPS, deadline=None)
    run_state_machine_as_test(machine, settings=search)
    assert machine.steps >= steps
