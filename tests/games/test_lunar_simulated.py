"""Lunar Poker played out by its rules, every decision by the exact hints, against the exact solution."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import make_mask, seeded_bits, shuffle_deck
from pitboss.contract import NO_DECISION
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.solution import combine_shards, list_shards, solve_shard
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ActionValue, Solution, SolverProblem

LUNAR = load_game("lunar")
PROBLEM = SolverProblem(
    encode_options(LUNAR, resolve_options(LUNAR, {})), compute_main_nets(LUNAR, select_paytables(LUNAR))
)
ROUNDS = 180
SEED = 2
FEW = 5


class Played(NamedTuple):
    """A round: the first action, what main netted, and what the hints said of it at the first and the last decision."""

    action: str
    net: int
    at_first: Fraction
    at_last: Fraction


def played(deck: Sequence[int]) -> Played:
    """Play a round of one seat with a shuffled deck, taking the best action at every decision."""
    rules, tables, options = LUNAR.rules, load_hand_tables(), PROBLEM.options
    state, dealt, taken = rules.deal(deck, 1, 0, 1), rules.count_dealt(1), list[ActionValue]()
    while True:
        asked, shown = rules.next_decision(tables, state, options), rules.show_dealer(state)
        if owed := rules.count_draws(tables, state, options):
            state = rules.receive_draw(state, make_mask(deck[dealt : dealt + owed]))
            dealt += owed
        elif asked != NO_DECISION:
            taken.append(max(hint(PROBLEM, rules.view(state), asked, ignore_progress), key=lambda each: each.value))
            numbers = {action.id: number for number, action in enumerate(LUNAR.decisions[asked].actions)}
            state = rules.act(state, asked, numbers[taken[-1].action], taken[-1].cards)
        elif shown != state:
            state = shown
        elif rules.count_dealer_draws(state):
            state = rules.receive_dealer_draw(state, make_mask(deck[dealt : dealt + 1]))
            dealt += 1
        else:
            net = PROBLEM.nets[rules.settle(tables, state, options)[0]]
            if not taken:
                return Played("instant-cash", net, Fraction(net), Fraction(net))
            return Played(taken[0].action, net, taken[0].value, taken[-1].value)


def rounds() -> Iterator[Played]:
    bits = seeded_bits(SEED)
    for _ in range(ROUNDS):
        yield played(shuffle_deck(LUNAR.deck, bits))


def off_by(sample: Sequence[Fraction], mean: Fraction) -> float:
    """Return how many standard errors the mean of a sample is from its expected value."""
    values: Any = np.array([float(each - mean) for each in sample])
    return float(abs(values.mean()) / (values.std(ddof=1) / sqrt(len(values))))


@pytest.mark.long
@pytest.mark.compiled
def test_rounds_played_by_the_hints_come_to_the_exact_solution() -> None:
    """What hints say at the first decision averages to the exact value, and what follows averages to what they say.

    Net and value differ by the chance of the cards alone, so their difference has a mean of 0, whatever the position.
    """
    solved: Solution = combine_shards(PROBLEM, [solve_shard(PROBLEM, name) for name in list_shards(PROBLEM)])
    deals = sum(solved.counts)
    exact = Fraction(sum(map(int.__mul__, solved.counts, PROBLEM.nets)), deals)
    sample = list(rounds())
    assert off_by([each.at_first for each in sample], exact) < 4
    assert off_by([Fraction(each.net) for each in sample], exact) < 4
    assert off_by([each.net - each.at_last for each in sample], Fraction(0)) < 4
    assert off_by([each.at_last - each.at_first for each in sample], Fraction(0)) < 4
    met = Counter(each.action for each in sample)
    expected = {action: ROUNDS * solved.actions[action] / deals for action in ("fold", "play", "buy")}
    expected |= {f"exchange-{cards}": ROUNDS * solved.actions[f"exchange-{cards}"] / deals for cards in range(2, 6)}
    often = {action: count for action, count in expected.items() if count >= FEW}
    often["seldom"] = ROUNDS - sum(often.values())
    met["seldom"] = ROUNDS - sum(met[action] for action in often)
    for action, count in often.items():
        assert abs(met[action] - count) < 4 * sqrt(max(1, count * (1 - count / ROUNDS)))
