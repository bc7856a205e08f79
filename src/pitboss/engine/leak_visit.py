"""The exact value of a leak: every deal visited, more places known at first."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from pitboss.cards import popcount
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.engine.card_leaks import CardLeak, LeakKind, SeenAspect, classify_cards
from pitboss.engine.paths import count_ways
from pitboss.engine.places import deal_one_seat, find_known
from pitboss.engine.plan import count_settlements, make_plan
from pitboss.engine.roots import split_roots
from pitboss.engine.visit import Visit, make_walk_data, prepare_visit
from pitboss.engine.walk_faults import verify_walk
from pitboss.engine.walk_positions import build_choice_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.solver_api import SolverProblem

MOST_ROOTS, MOST_SETTLEMENTS = 4_000_000, 1_000_000_000

_PARTS = 64
_SUIT_ORDERS = 24
_NOT_LEGAL = -(1 << 62)


@dataclass(frozen=True, slots=True)
class ExactLeakValue:
    """What a leak is worth, in units of the nets.

    ``value`` is the mean net of the best play that uses the leak, ``plain_value`` that of the best play without it,
    ``changed`` the share of deals in which another action is better at the first decision.
    """

    value: Fraction
    plain_value: Fraction
    changed: Fraction


def can_visit(game: Game, leak: CardLeak) -> bool:
    """Tell whether a visit can compute the value of a leak within its budget.

    What is drawn from the stub is not known to a visit.  Of a game with more decisions, only whole cards are.
    """
    if leak.kind is LeakKind.STUB or (leak.aspect is not SeenAspect.CARD and len(game.decisions) > 1):
        return False
    plan = make_plan(game)
    first = [len(seen.places) for seen in plan.places if seen.decision == game.decisions[0].id]
    free = game.deck.size - sum(first)
    hidden = [len(set(seen.places) & set(leak.places)) for seen in plan.places]
    # The cards that a leak shows are not enumerated after the first decision.
    dead = len(leak.places) - sum(hidden)
    roots = Fraction(count_ways((*first, *hidden, dead), game.deck.size), _SUIT_ORDERS)
    operations = count_settlements(game) * (comb(free, dead) if dead else 1)
    return roots <= MOST_ROOTS and operations <= MOST_SETTLEMENTS


def compute_leak_value(
    game: Game, problem: SolverProblem, cards: Sequence[int], leak: CardLeak, progress: ProgressCallback
) -> ExactLeakValue:
    """Compute the exact value of a leak in a deck.

    Raises:
        PitbossError: the rules do what cannot be solved (``prepare_visit``).
    """
    visit = prepare_visit(game, problem, cards, leak.places, tells_colours=leak.aspect is SeenAspect.COLOUR)
    shown = find_known(visit.groups, leak.places)
    own, seen = [group for group in visit.first if group not in shown], min(shown, default=0)
    starts = _find_starts(visit.roots[:, own])
    values = _weigh(visit, _value_roots(visit, problem, progress))
    if len(game.decisions) == 1:
        plain, plain_deals = _add_parts(values, starts), _count_deals(visit)
    else:
        base = prepare_visit(game, problem, cards, tells_colours=leak.aspect is SeenAspect.COLOUR)
        plain, plain_deals = _weigh(base, _value_roots(base, problem, progress)), _count_deals(base)
    weights, known = visit.weights, np.repeat(np.arange(len(starts)), np.diff([*starts, len(values)]))
    if leak.aspect is not SeenAspect.CARD:
        aspects = _find_classes(visit.roots[:, seen], classify_cards(cards, leak.aspect))
        order = np.lexsort((aspects, known))
        parts = _find_starts(np.column_stack([known[order], aspects[order]]))
        values, known = _add_parts(values[order], parts), known[order][parts]
        weights = np.add.reduceat(weights[order], parts)
    best = values.max(axis=1)
    usual = values[np.arange(len(values)), plain.argmax(axis=1)[known]]
    return ExactLeakValue(
        Fraction(_add(best), _count_deals(visit)),
        Fraction(_add(plain.max(axis=1)), plain_deals),
        Fraction(int(weights[usual < best].sum()), int(visit.weights.sum())),
    )


def _value_roots(visit: Visit, problem: SolverProblem, progress: ProgressCallback) -> IntArray:
    """Return the value of every choice at every root, times the visit's scale."""
    game = visit.game
    held = popcount(game.rules.view(deal_one_seat(game, visit.cards)).player)
    choices = sum(comb(held, action.discards) for action in game.decisions[0].actions)
    values = np.full((len(visit.roots), choices), _NOT_LEGAL, np.int64)

    def value_part(part: tuple[int, int]) -> None:
        rows, data = slice(*part), make_walk_data(visit, problem.options)
        build_choice_kernel(game)(data, visit.roots[rows], visit.scale, values[rows])
        verify_walk(game, data.tally)

    for _ in map_on_threads(value_part, split_roots(len(values), _PARTS), progress):
        pass
    return values


def _weigh(visit: Visit, values: IntArray) -> IntArray:
    """Return values of the roots' whole classes; what is not legal stays so."""
    return np.where(values == _NOT_LEGAL, _NOT_LEGAL, values * visit.weights[:, None])


def _count_deals(visit: Visit) -> int:
    return visit.scale * int(visit.weights.sum())


def _add(values: IntArray) -> int:
    return sum(map(int, values))


def _find_starts(rows: IntArray) -> IntArray:
    """Return the first of each run of equal rows."""
    return np.flatnonzero(np.concatenate([[True], (rows[1:] != rows[:-1]).any(axis=1)]))


def _add_parts(values: IntArray, starts: IntArray) -> IntArray:
    """Add up the rows of each part, in which the same actions are legal."""
    legal = np.minimum.reduceat(values, starts) != _NOT_LEGAL
    sums: IntArray = np.add.reduceat(np.where(values == _NOT_LEGAL, 0, values), starts)
    return np.where(legal, sums, _NOT_LEGAL)


def _find_classes(shown: IntArray, classes: Sequence[int]) -> IntArray:
    """Return the class of each card, a set of one."""
    return np.array([[bool(card & cards) for cards in classes].index(True) for card in shown.tolist()])
