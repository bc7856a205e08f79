"""The most that a round can cost, and what an aggregate limit saves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from pitboss.analysis.par_sheet import ParLine, ParSheet
from pitboss.contract import Game, HandOwner, LegResult, PayTable, StakeConstraintKind, StakeLimits, Wager
from pitboss.options import find_active_constraints
from pitboss.outcome_nets import compute_leg_net, compute_pay, find_best_line

RARE_AWARD = Fraction(1, 100_000_000)
"""Awards rarer than this must show their odds (GLI-11 3.0, 4.8.2)."""

LEAST_AGGREGATE_ODDS = 50
"""A bet whose highest prize is below these odds has no aggregate limit; up to them they set its least one.

The rule is WAC 230-15-490 (3) (b) and (c).
"""

LARGE_PRIZE_CENTS = 2_500_000
"""Prizes above this need funds of the second highest (WAC 230-15-455)."""

_LARGE_AGGREGATE_CENTS = (2_500_000, 5_000_000, 10_000_000)


@dataclass(frozen=True, slots=True)
class PaidLine:
    """A paid line of a bet's pay table, with the number of deals it is paid in.

    ``deals`` is out of ``sheet.deals``.
    """

    sheet: ParSheet
    table: PayTable
    line: str
    deals: int

    @property
    def probability(self) -> Fraction:
        """The probability that a round of the bet pays the line."""
        return Fraction(self.deals, self.sheet.deals)

    def as_json(self) -> dict[str, object]:
        """Return the line with its names in JSON."""
        return {
            "bet": self.sheet.wager.id,
            "paytable": self.table.id,
            "line": self.line,
            "deals": self.deals,
            "of_deals": self.sheet.deals,
            "probability": float(self.probability),
            "rare": self.is_rare,
        }

    @property
    def is_rare(self) -> bool:
        """Whether its odds must be shown."""
        return 0 < self.probability < RARE_AWARD


@dataclass(frozen=True, slots=True)
class BetExposure:
    """The most that a bet can cost the house in one round.

    ``wagers`` are as many as the seats can place, each of ``stake_cents``; ``best`` is the outcome with the greatest
    net.  ``envy_cents`` is the most that all seats are paid for the hands of others, ``meter_cents`` the most that one
    award from a meter exceeds that outcome's, because of the round's own contributions or a higher seed.
    """

    sheet: ParSheet
    stake_cents: int
    wagers: int
    best: ParLine
    envy_cents: int
    meter_cents: Fraction = Fraction(0)

    @property
    def win_cents(self) -> Fraction:
        """The most that one wager wins."""
        return self.best.net * self.stake_cents + self.meter_cents

    @property
    def total_cents(self) -> Fraction:
        """The most that all wagers win together."""
        return self.win_cents * self.wagers + self.envy_cents

    @property
    def is_exact(self) -> bool:
        """Whether a deal reaches the total: one wager, or all on the same cards."""
        on_same_cards = self.sheet.wager.hand_owner in (HandOwner.DEALER, HandOwner.COMMUNITY)
        return (self.wagers == 1 or on_same_cards) and not self.meter_cents and not self.sheet.bounds

    def as_json(self) -> dict[str, object]:
        """Return the exposure with its names in JSON."""
        return {
            "bet": self.sheet.wager.id,
            "stake_cents": self.stake_cents,
            "wagers": self.wagers,
            "outcome": self.best.outcome.name,
            "win_cents": float(self.win_cents),
            "envy_cents": self.envy_cents,
            "at_most_cents": float(self.total_cents),
            "exact": self.is_exact,
        }


@dataclass(frozen=True, slots=True)
class AggregateLimit:
    """What a limit on all payments of a bet in one round saves the house.

    The saving a round, from all wagers at the maximum, is from ``least_saved_cents`` to ``most_saved_cents``.
    """

    exposure: BetExposure
    limit_cents: int
    least_saved_cents: Fraction
    most_saved_cents: Fraction

    def get_edge_changes(self) -> tuple[Fraction, Fraction]:
        """Return the least and the most that the house edge rises."""
        handle = self.exposure.stake_cents * self.exposure.wagers
        return self.least_saved_cents / handle, self.most_saved_cents / handle

    def as_json(self) -> dict[str, object]:
        """Return the limit with its names in JSON."""
        return {
            "bet": self.exposure.sheet.wager.id,
            "limit_cents": self.limit_cents,
            "saved_cents": [float(self.least_saved_cents), float(self.most_saved_cents)],
            "house_edge_changes": [float(change) for change in self.get_edge_changes()],
        }


def list_awards(sheets: Iterable[ParSheet]) -> tuple[PaidLine, ...]:
    """List the lines that each bet's pay tables pay, with their deals.

    A line that is paid nothing, as a push, is not an award.
    """
    return tuple(award for sheet in sheets for award in _iter_awards(sheet))


def _iter_awards(sheet: ParSheet) -> Iterator[PaidLine]:
    tables = sheet.tables_by_kind
    deals = {(kind, line): 0 for kind, table in tables.items() for line in table.lines}
    for each in sheet.lines:
        for leg in each.outcome.legs:
            if leg.result is LegResult.WIN:
                for line in (find_best_line(leg, tables),) if leg.best_only else leg.lines:
                    deals[leg.paytable_kind, line] += each.deals if line else 0
    for (kind, line), dealt in deals.items():
        pay = tables[kind].lines[line]
        if compute_pay(pay, Fraction(1), 1) > 0 or pay.amount > 0:
            yield PaidLine(sheet, tables[kind], line, dealt)


def measure_exposures(
    sheets: Iterable[ParSheet],
    limits: Mapping[str, StakeLimits],
    options: Mapping[str, str],
    seats: int,
) -> tuple[BetExposure, ...]:
    """Measure the most that each bet costs the house, all seats at the maximum."""
    exposures = []
    for sheet in sheets:
        wagers = _count_wagers(sheet.wager, seats)
        dealt = [line for line in sheet.lines if line.deals]
        if wagers and dealt:
            stake = _find_max_stake(sheet.wager, limits, options)
            envy = max(chain.from_iterable(table.envy.values() for table in sheet.paytables), default=0)
            exposures.append(
                BetExposure(
                    sheet,
                    stake,
                    wagers,
                    max(dealt, key=lambda line: line.net),
                    100 * envy * seats * (seats - 1),
                    _find_meter_excess(sheet, stake * wagers),
                )
            )
    return tuple(exposures)


def _count_wagers(wager: Wager, seats: int) -> int:
    """Count a bet's wagers: one for each seat, or on each other seat's hand."""
    return seats * (seats - 1) if wager.hand_owner is HandOwner.OTHER_SEAT else seats


def _find_max_stake(wager: Wager, limits: Mapping[str, StakeLimits], options: Mapping[str, str]) -> int:
    """Find the most that may be staked, also where another bet's stake is the most."""
    tied = (each.bet for each in find_active_constraints(wager, options) if each.kind is StakeConstraintKind.AT_MOST)
    return min(limits[bet].maximum_cents for bet in (wager.id, *tied))


def _find_meter_excess(sheet: ParSheet, staked_cents: int) -> Fraction:
    """Find the most that an award can exceed what the sheet's meter pays.

    The meter includes the round's contributions (SC-6); after an award of all of it, it is the seed and the reserve,
    which is taken to be empty before the round.
    """
    excess = Fraction(0)
    for table in sheet.paytables:
        if table.progressive:
            presets, meter = table.progressive, sheet.extras["meter"]
            added = Fraction(staked_cents * (presets.meter_bps + presets.reserve_bps), 10_000)
            low = presets.seed_cents - 100 * meter if isinstance(meter, Fraction) else 0
            excess += added + max(low, 0)
    return excess


def list_aggregate_limits(exposures: Sequence[BetExposure], chosen_cents: int | None = None) -> list[AggregateLimit]:
    """List aggregate limits of each bet that may have one, and what each saves.

    They are the least that the rule allows, ``chosen_cents``, and some large ones below what the bet can cost.  A
    progressive has none: its prizes are paid from its own fund.
    """
    limits = []
    for exposure in exposures:
        odds = max(_list_prizes(exposure.sheet, 1).values(), default=Fraction(0))
        if odds >= LEAST_AGGREGATE_ODDS and not exposure.sheet.presets:
            least = LEAST_AGGREGATE_ODDS * exposure.stake_cents
            most = odds * exposure.stake_cents * exposure.wagers
            asked = [each for each in (chosen_cents, *_LARGE_AGGREGATE_CENTS) if each and least < each < most]
            limits += [_price_limit(exposure, cents) for cents in sorted({least, *asked})]
    return limits


def _list_prizes(sheet: ParSheet, stake_cents: int) -> dict[ParLine, Fraction]:
    """List what the lines of pay tables win in each dealt outcome, in cents."""
    tables = sheet.tables_by_kind
    return {
        line: sum(
            (
                compute_leg_net(leg, tables, stake_cents)
                for leg in line.outcome.legs
                if leg.result is LegResult.WIN and leg.lines
            ),
            Fraction(0),
        )
        for line in sheet.lines
        if line.deals
    }


def _price_limit(exposure: BetExposure, limit_cents: int) -> AggregateLimit:
    """Bound what a limit saves by one wager's prizes.

    For prizes x that are not negative, sum max(x - C, 0) <= max(sum x - C, 0) <= sum max(x - C / k, 0).  Outcomes of
    different seats need not be independent.
    """
    prizes, wagers = _list_prizes(exposure.sheet, exposure.stake_cents), exposure.wagers

    def average_above(cents: Fraction) -> Fraction:
        return sum((line.probability * max(prize - cents, Fraction(0)) for line, prize in prizes.items()), Fraction(0))

    return AggregateLimit(
        exposure,
        limit_cents,
        wagers * average_above(Fraction(limit_cents)),
        wagers * average_above(Fraction(limit_cents, wagers)),
    )


def find_second_prize(exposures: Iterable[BetExposure]) -> Fraction | None:
    """Find the second highest prize at the highest wager, if it is large.

    Return None if at most one prize is above ``LARGE_PRIZE_CENTS``.  Each line of a pay table is a prize; a
    progressive's are not counted.
    """
    prizes = sorted(
        (
            compute_pay(pay, Fraction(exposure.stake_cents), 0)
            for exposure in exposures
            for table in exposure.sheet.paytables
            if not table.progressive
            for pay in table.lines.values()
        ),
        reverse=True,
    )
    return prizes[1] if len(prizes) > 1 and prizes[1] > LARGE_PRIZE_CENTS else None


def compute_max_wager(game: Game, stakes: Mapping[str, Fraction]) -> Fraction:
    """Compute the most that a round may cost, in Antes.

    Every wager is staked and raised as far as possible.

    >>> from pitboss.games import load_game
    >>> compute_max_wager(load_game("six-card"), {"main": Fraction(1), "aces-up": Fraction(1, 2)})
    Fraction(5, 2)
    """
    max_stakes = {
        wager.id: max(sum(leg.stake for leg in each.legs) for each in wager.outcomes) for wager in game.wagers
    }
    return sum((stake * max_stakes[bet] for bet, stake in stakes.items()), Fraction(0))
