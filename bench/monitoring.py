"""Simulated months of tables: how often ``pitboss monitor`` raises a false alarm, and how soon it finds a fault.

Part of ``make bench``.  A month has 30 days of 2,000 wagers, looked at after every day.  The tests are those of the
command, on arrays of months.
"""

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.analysis.monitored_bet import MonitoredBet, count_shared_wagers
from pitboss.analysis.monitoring import BetTests, prepare_bet
from pitboss.core.progress import ignore_progress

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

DAYS, WAGERS = 30, 2_000
MONTHS, DEALT, FAULTY, LONG = 10_000, 1_000, 400, 400
SEATS = 6
SEED = 20_261_124
ACES, TENS = 12, (8, 9, 10, 11)


class Months(NamedTuple):
    """Simulated months: hits of outcomes and net results, of shape (months, days)."""

    hits: Mapping[str, Integers]
    nets: Floats
    wagers: int


class Fault(NamedTuple):
    """A planted fault: other chances of outcomes, or overpaid and falsely entered wagers.

    ``overpaid`` units are paid on each hit of ``line``, or on a part of them.  With ``entered_as`` they are entered as
    hits of that line.
    """

    name: str
    chances: Mapping[str, float] | None = None
    line: str = ""
    part: float = 1.0
    overpaid: int = 0
    entered_as: str = ""


def load_bet(game: str, bet: str) -> MonitoredBet:
    """Return a bet at its default pay tables."""
    from pitboss.analysis.game_terms import GameTerms, find_bet
    from pitboss.games import load_game
    from pitboss.options import resolve_options
    from pitboss.paytables import select_paytables

    of_game = load_game(game)
    terms = GameTerms(select_paytables(of_game), resolve_options(of_game, {}))
    return prepare_bet(of_game, find_bet(of_game, bet), terms, ignore_progress)


def simulate_months(
    bet: MonitoredBet, months: int, days: int, seed: int, fault: Fault | None = None, wagers: int = WAGERS
) -> Months:
    """Deal months of days of independent wagers, with a fault or without."""
    rng = np.random.default_rng(seed)
    names, known = list(bet.nets), (fault.chances if fault else None) or bet.chances
    chances = np.array([float(known[name]) for name in names])
    drawn = rng.multinomial(wagers, chances / chances.sum(), size=(months, days))
    nets = drawn @ np.array([float(bet.nets[name]) for name in names])
    hits = {name: drawn[..., number] for number, name in enumerate(names)}
    if fault and fault.overpaid:
        wrong = rng.binomial(hits[fault.line], fault.part)
        nets = nets + fault.overpaid * wrong
        if fault.entered_as:
            hits = hits | {
                fault.line: hits[fault.line] - wrong,
                fault.entered_as: hits[fault.entered_as] + wrong,
            }
    return Months(hits, nets, wagers)


def find_first_alarms(tests: BetTests, months: Months, rate: float) -> dict[str, Integers]:
    """Return the first day of each month on which a test leaves its band, 0 if none does, by test."""
    return_rate, line_rate = tests.divide(rate)
    days = months.wagers * np.arange(1, months.nets.shape[1] + 1)[:, None]
    alarms = {}
    if tests.result:
        mean = float(tests.result.distribution.mean)
        sums = (months.nets - months.wagers * mean).cumsum(axis=1)
        evidence = tests.result.compute_evidence(sums, days * tests.result.compute_cumulants())
        alarms["return"] = _find_first(evidence >= -log(return_rate))
    for name, test in tests.lines.items():
        sums = (months.hits[name] - months.wagers * float(test.distribution.mean)).cumsum(axis=1)
        evidence = test.compute_evidence(sums, days * test.compute_cumulants())
        alarms[name] = _find_first(evidence >= -log(line_rate))
    return alarms


def _find_first(outside: NDArray[np.bool_]) -> Integers:
    return np.where(outside.any(axis=1), outside.argmax(axis=1) + 1, 0)


def combine_alarms(alarms: Mapping[str, Integers]) -> Integers:
    """Return the first day on which any test raised an alarm, 0 for none."""
    days = np.array(list(alarms.values()))
    never = np.iinfo(np.int64).max
    first = np.where(days > 0, days, never).min(axis=0)
    return np.where(first < never, first, 0)


def bias_blackjack(more: Fraction) -> dict[str, float]:
    """Compute the chances of the Blackjack Bonus if each ace dealt makes a deal that much likelier, deal by deal."""
    chances = {"suited-blackjack": 0.0, "unsuited-blackjack": 0.0, "lose": 0.0}
    weights = [float((1 + more) ** aces) for aces in range(5)]
    for cards in combinations([(rank, suit) for rank in range(13) for suit in range(4)], 4):
        aces = [suit for rank, suit in cards if rank == ACES]
        tens = [suit for rank, suit in cards if rank in TENS]
        suited = any(suit in tens for suit in aces)
        line = "suited-blackjack" if suited else "unsuited-blackjack" if aces and tens else "lose"
        chances[line] += weights[len(aces)]
    total = sum(chances.values())
    return {line: weight / total for line, weight in chances.items()}


def deal_months(game: str, months: int, seed: int) -> dict[str, Months]:
    """Deal months of rounds to six seats that play the practical strategy; return the months of every bet.

    The seats share a deck, a dealer and community cards.
    """
    import pitboss as pb

    of_game = pb.game(game)
    rounds = WAGERS // SEATS
    counts = [
        of_game.simulate(rounds, "practical", seats=SEATS, seed=seed + day).counts for day in range(months * DAYS)
    ]
    dealt = {}
    for bet in counts[0]:
        sheet = load_bet(game, bet).sheet
        names = [line.outcome.name for line in sheet.lines]
        hits = np.array([[each[bet][name] for name in names] for each in counts]).reshape(months, DAYS, -1)
        nets = hits @ np.array([float(line.net) for line in sheet.lines])
        dealt[bet] = Months({name: hits[..., number] for number, name in enumerate(names)}, nets, rounds * SEATS)
    return dealt


def list_faults() -> Iterator[tuple[str, str, Fault]]:
    """Yield planted faults: game, bet, fault."""
    aces_up = ("six-card", "aces-up")
    yield *aces_up, Fault("every flush paid 3 units too much", line="flush", overpaid=3)
    for often in (100, 500):
        yield *aces_up, Fault(f"one losing wager in {often} paid even money", None, "lose", 1 / often, 2)
        name = f"one losing wager in {often} paid and entered as a pair of aces"
        yield *aces_up, Fault(name, None, "lose", 1 / often, 2, "pair-of-aces")
    for percent in (2, 5, 10):
        chances = bias_blackjack(Fraction(percent, 100))
        yield "shifting-wilds", "blackjack-bonus", Fault(f"a shuffle that makes aces {percent}% likelier", chances)


def make_tests(bet: MonitoredBet, shared: int = 1) -> BetTests:
    """Make the tests of a bet whose lines are all counted, or none where the play changes them."""
    return BetTests(bet, shared, () if bet.depends_on_play else bet.chances, has_return=not bet.has_meter)


def main() -> None:
    """Print the rate of false alarms and the time to find each fault."""
    write = sys.stdout.write
    write("| honest months | stated rate | with a false alarm |\n|---|--:|--:|\n")
    for game, bet in (("six-card", "aces-up"), ("shifting-wilds", "blackjack-bonus"), ("wild-52", "bonus")):
        monitored = load_bet(game, bet)
        months = simulate_months(monitored, MONTHS, DAYS, SEED)
        _write_rates(f"{MONTHS:,} of {game} {bet}, wagers independent", make_tests(monitored), months)
    for bet, months in deal_months("six-card", DEALT, SEED).items():
        monitored = load_bet("six-card", bet)
        shared = count_shared_wagers(monitored.sheet.game, monitored.sheet.wager)
        title = f"{DEALT:,} of six-card {bet}, dealt to six seats"
        _write_rates(title, make_tests(monitored, shared), months)
    write("\n| fault | median day | median wagers | first seen in | found within 400 days |\n|---|--:|--:|---|--:|\n")
    for game, bet, fault in list_faults():
        alarms = find_first_alarms(
            make_tests(load_bet(game, bet)), simulate_months(load_bet(game, bet), FAULTY, LONG, SEED, fault), 0.01
        )
        first = combine_alarms(alarms)
        found = first > 0
        day = int(np.median(np.where(found, first, LONG + 1)))
        best = max(alarms, key=lambda name: int(((alarms[name] == first) & found).sum()))
        when = f"{day:,} | {day * WAGERS:,}" if day <= LONG else f"> {LONG:,} | > {LONG * WAGERS:,}"
        write(f"| {game} {bet}: {fault.name} | {when} | {best} | {found.mean():.0%} |\n")


def _write_rates(title: str, tests: BetTests, months: Months) -> None:
    for rate in (0.2, 0.05, 0.01):
        false = (combine_alarms(find_first_alarms(tests, months, rate)) > 0).mean()
        sys.stdout.write(f"| {title} | {rate:.0%} | {false:.2%} |\n")


if __name__ == "__main__":
    main()
