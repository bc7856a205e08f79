"""The value of a leak from positions dealt at random, with its standard error."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from time import monotonic
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.engine.card_leaks import CardLeak, LeakKind, SeenAspect, classify_cards
from pitboss.engine.leak_sampling import LeakData, LeakValuation
from pitboss.engine.leak_walk import build_leak_kernel
from pitboss.engine.paths import count_ways, find_opening
from pitboss.engine.places import find_known
from pitboss.engine.plan import make_plan
from pitboss.engine.visit import Visit, make_walk, prepare_positions
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray, count_workers, map_on_threads
from pitboss.solver_api import SolverProblem

FEWEST_POSITIONS = 2_000
"""How many positions are dealt at least: fewer could all be such that the leak changes nothing."""

_MOST_SETTLEMENTS = 30_000
_BATCH = 25
_SHOWN, _DRAWN, _ENDS_DRAWN = 12, 60, 20
_ENDS = {1: 1_500, 2: 400, 3: 150}


@dataclass(frozen=True, slots=True)
class LeakEstimate:
    """What a leak is worth in positions dealt at random, in units of the nets.

    ``gain`` is the mean of what the best play that uses the leak wins more than the best play without it, in the same
    deals; ``plain_value`` is the mean net of the latter, ``changed`` the share of positions in which the leak makes
    another action better at the first decision, with its own standard error.  ``nested`` says that what follows a
    position was sampled too.
    """

    positions: int
    gain: float
    standard_error: float
    plain_value: float
    changed: float
    changed_error: float
    nested: bool


def estimate_leak_value(
    game: Game,
    problem: SolverProblem,
    cards: Sequence[int],
    leak: CardLeak,
    within: float,
    seconds: float,
    seed: int,
    progress: ProgressCallback,
) -> LeakEstimate:
    """Estimate the value of a leak in a deck.

    Positions are dealt until the standard error is ``within``, or ``seconds`` are over.

    Raises:
        PitbossError: the rules do what cannot be solved (``prepare_positions``).
    """
    visit = prepare_positions(game, problem, cards, leak.places, apart=leak.kind is LeakKind.STUB)
    samples = _choose_samples(game, problem, leak)
    task, workers, error = _make_task(visit, problem, leak, samples, seed), count_workers(), inf
    dealt = [task(0)]  # it compiles: the clock starts after it
    until = monotonic() + seconds
    while True:
        batches = [len(dealt) + each for each in range(workers)]
        dealt += [values for _, values in map_on_threads(task, batches, ignore_progress)]
        values = np.concatenate(dealt)
        gains = values[:, 0] - values[:, 1]
        error = float(gains.std(ddof=1)) / sqrt(len(gains))
        part = min(len(gains) / FEWEST_POSITIONS, (within / error) ** 2 if error else 1.0, 1.0)
        progress(int(1000 * max(part, 1 - max(until - monotonic(), 0) / seconds)), 1000)
        if (len(gains) >= FEWEST_POSITIONS and error <= within) or monotonic() > until:
            break
    changed, plain = estimate_changed(values[:, 2], values[:, 3]), float(values[:, 1].mean())
    return LeakEstimate(len(values), float(gains.mean()), error, plain, *changed, _is_nested(samples))


def estimate_changed(better: Any, better_by_half: Any) -> tuple[float, float]:
    """Estimate in which share of positions another action is better.

    Its standard error comes second.  Given are 1 or 0 by position: whether one is by the samples, and whether by half
    of them.  Chance finds one too where choices are close.  What the leak does to a margin and what chance does add up
    as variances do.  So the square of the share is higher by as much as the variance of chance, which half the samples
    double: what they add to the square is taken off it once more.
    """
    share, of_half = float(better.mean()), float(better_by_half.mean())
    square = max(2 * share**2 - of_half**2, 0.0)
    error = float((4 * share * better - 2 * of_half * better_by_half).std(ddof=1)) / sqrt(len(better))
    return sqrt(square), error / max(2 * sqrt(square), sqrt(error)) if error else 0.0


def _is_nested(samples: IntArray) -> bool:
    """Tell whether what follows a position is sampled."""
    return any(samples < 1 << 30)


def _choose_samples(game: Game, problem: SolverProblem, leak: CardLeak) -> IntArray:
    """Choose how much is sampled: nothing, where all can be enumerated."""
    plan, decisions = make_plan(game, problem.options), len(game.decisions)
    unseen = [len(seen.places) for seen in plan.places if seen.decision != game.decisions[0].id]
    ways = count_ways(unseen, game.deck.size - sum(len(seen.places) for seen in plan.places) + sum(unseen))
    draws = any(action.draws for decision in game.decisions for action in decision.actions)
    for decision in game.decisions[1:]:
        ways *= len(decision.actions)
    is_small = ways <= _MOST_SETTLEMENTS and leak.aspect is SeenAspect.CARD
    if is_small and not draws:
        return np.full(decisions + 2, 1 << 40, np.int64)
    ends, shown = _ENDS_DRAWN if draws else _ENDS.get(decisions, 100), 1 << 40 if is_small else _SHOWN
    samples = np.array([*[shown] * decisions, _DRAWN, ends], np.int64)
    if find_opening(game) < decisions and not is_small:
        samples[find_opening(game)] = ends
    return samples


def _make_task(
    visit: Visit, problem: SolverProblem, leak: CardLeak, samples: IntArray, seed: int
) -> Callable[[int], IntArray]:
    """Make the task that deals and values a batch of positions.

    It returns by position what the kernel does, and whether another action is better by half the samples.
    """
    groups, game = visit.groups, visit.game
    leaked = sorted(find_known(groups, leak.places))
    stub = leaked if leak.kind is LeakKind.STUB else []

    def value_batch(batch: int) -> Any:
        rng = np.random.default_rng([seed, batch])
        roots = _deal_roots(visit, leak, leaked, rng)
        walk = make_walk(visit)
        valuation = LeakValuation(
            leaked=sum(1 << index for index in leaked),
            read=sum(1 << index for index, group in enumerate(groups) if group.fields),
            candidates=np.zeros(len(groups), np.int64),
            stub=np.array(stub, np.int64),
            samples=samples,
            thinned=1,
            ends=np.zeros(1, np.int64),
            saved=np.zeros((len(game.decisions), len(groups)), np.int64),
            saved_candidates=np.zeros((len(game.decisions), len(groups)), np.int64),
            chosen=np.zeros(2, np.int64),
            improved=np.zeros(1, np.int64),
        )
        seeds = rng.integers(1 << 60, size=len(roots))

        def value_roots(thinned: int) -> Any:
            values, chosen = np.zeros((len(roots), 3)), valuation._replace(thinned=thinned)
            data = LeakData(load_hand_tables(), problem.options, visit.walk_input, chosen, visit.places, walk)
            build_leak_kernel(game)(data, roots, seeds, values)
            return values

        values = value_roots(1)
        by_half = value_roots(2) if _is_nested(samples) else values
        return np.column_stack([values, by_half[:, 2]])

    return value_batch


def _deal_roots(visit: Visit, leak: CardLeak, leaked: Sequence[int], rng: Any) -> IntArray:
    """Deal positions: the cards known by group, then their candidates."""
    cards, groups = np.array(visit.cards), visit.groups
    decks = np.int64(1) << cards[rng.random((_BATCH, len(cards))).argsort(axis=1)]
    roots = np.zeros((_BATCH, 2 * len(groups)), np.int64)
    for index in visit.first:
        roots[:, index] = decks[:, list(groups[index].places)].sum(axis=1)
    if leak.aspect is not SeenAspect.CARD:
        (index,) = leaked
        classes = classify_cards(visit.cards, leak.aspect)
        candidates = [next(each for each in classes if card & each) for card in roots[:, index].tolist()]
        roots[:, index], roots[:, len(groups) + index] = 0, candidates
    return roots
