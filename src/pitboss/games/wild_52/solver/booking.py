"""The exact solution of Wild 52's main wager: what the decisions lead to, counted over all deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.counting.blocks import Integers
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decisions import Decided, first_decisions, second_decisions
from pitboss.games.wild_52.solver.decks import CELLS, JOKER, RANKS, Deck, deck_of, outcome_of_cells
from pitboss.games.wild_52.solver.sides import JOKER_SECOND, Sides, no_sides
from pitboss.games.wild_52.solver.told import MOST_MISTAKES, first_errors, mistakes, told_by
from pitboss.solver_api import Solution, SolverProblem

_OUTCOMES = 13
_LOW = (1 << 32) - 1

Total = tuple[int, int]  # deals, and what main nets in them


class Played(NamedTuple):
    """What was decided and what it comes to: after natural first cards, after the Joker, beside side wagers' outcomes.

    By class: ``values``, what a Play is worth to main in units of the nets over ``Deck.rounds``, and ``play``, whether
    it is made.
    """

    naturals: Decided
    joker: Decided
    sides: Sides
    values: Integers
    play: NDArray[np.bool_]


def solve(problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager: every deal of the whole deck, both decisions best, equal values as ruling ALL-9 says.

    Deals are the player's five, the two community cards in their order and the dealer's five: C(53, 5) x 48 x 47 x
    C(46, 5).  ``equal_value_positions`` counts, up to suits, hands whose Play is worth a fold, and of the hands that
    play those with a first community card beside which a check is worth a second Play.

    A strategy is played as it says, and its mistakes are told, at most twelve kinds of them: a first decision errs
    where with the best second decisions the other were worth more, a second one where it is reached.

    Wagers staked beside it bring what they do only to hands that play where the option ``bonus_after_fold`` is off, and
    are part of what a Play is worth then; elsewhere they change nothing (WJ-4).

    Raises:
        MagnitudeError: nets beyond what 64-bit values hold.
    """
    return solve_deck(RANKS, problem, progress)


def solve_deck(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager with a deck of four suits of ``ranks`` (three or more, rising) and the Joker."""
    deck, options, nets = deck_of(ranks), problem.options, problem.nets
    verify_nets(deck, problem)
    outcomes, sides = outcome_of_cells(options), no_sides(deck)
    told = told_by(deck, problem.strategy, options) if problem.strategy else None
    played_nets = np.array(nets, np.int64)[outcomes]
    naturals, joker = second_decisions(deck, options, played_nets, progress, sides=sides, told=told)
    values = first_decisions(deck, naturals.values, joker.values)
    best = values if told is None else values + first_decisions(deck, *told.lost)
    fold = nets[0] * deck.rounds
    if options.bonus_after_fold == 0:
        best = best + _brought(deck, sides, problem.side_nets)
        fold += _lost(problem.side_nets) * deck.rounds
    played = Played(naturals, joker, sides, values, best > fold if told is None else told.play)
    equal = int((best[deck.orbits.least] == fold).sum())
    solved = _booked(deck, outcomes, problem, played, equal)
    if told is None:
        return solved
    errors = mistakes(first_errors(deck, told, best - fold, options), told.errors)
    return replace(solved, mistakes=errors[:MOST_MISTAKES])


def verify_nets(deck: Deck, problem: SolverProblem) -> None:
    """Refuse nets that are too large.

    The values of 24 hands alike up to suits are added up, and compared with what three wagers bring.

    Raises:
        MagnitudeError: nets beyond what 64-bit values hold.
    """
    largest = max(abs(net) for each in (problem.nets, *problem.side_nets.values()) for net in each)
    if largest * deck.rounds >= 1 << 56:
        raise MagnitudeError(
            f"nets of up to {largest} units are too large to be weighed in 64 bits: {SMALLER_PAYS_ADVICE}"
        )


def _lost(beside: Mapping[str, Sequence[int]]) -> int:
    """Return what the wagers beside main net when they are lost with the hand."""
    return sum(nets[-1] for nets in beside.values())


def _brought(deck: Deck, sides: Sides, beside: Mapping[str, Sequence[int]]) -> Integers:
    """Return by class what the wagers beside main bring a hand that plays, in units over ``deck.rounds``."""
    boards = deck.rounds // deck.dealers
    brought = np.zeros(len(deck.masks), np.int64)
    if "bonus" in beside:
        paid = np.array(beside["bonus"], np.int64)
        hands = np.bincount(sides.wholes, deck.orbits.weights).astype(np.int64)
        made = sides.boards[: rules.BONUS_LOSES] // hands
        brought += (paid[-1] * boards + (paid[:-1] - paid[-1]) @ made)[sides.wholes] * deck.dealers
    if "joker" in beside:
        community, in_hand, neither = beside["joker"]
        # The Joker is the first community card or the second, each with any other card.
        either = 2 * (deck.cards - 6)
        outside = community * either + neither * (boards - either)
        brought += np.where(deck.masks >> JOKER & 1, in_hand * boards, outside) * deck.dealers
    return brought


def _booked(deck: Deck, outcomes: Integers, problem: SolverProblem, played: Played, equal: int) -> Solution:
    """Count what the decisions come to over all hands.

    Over whole classes an exchange of suits only changes the order of adding up: natural first cards of four suits count
    four times what those of the first suit do.
    """
    classes, naturals, joker = deck.orbits, played.naturals, played.joker
    weights = np.where(played.play, classes.weights, 0).astype(np.int64)
    counts = [0] * _OUTCOMES
    counts[0] = int((classes.weights - weights).sum()) * deck.rounds
    for raised, cell in product((0, 1), range(CELLS)):
        row = CELLS * raised + cell
        counts[outcomes[raised, cell]] += 4 * int(weights @ naturals.cells[row]) + int(weights @ joker.cells[row])
    equal += int(naturals.equal[played.play].sum()) + int(joker.equal[played.play & classes.least].sum())
    once, twice = (sum(counts[first : first + CELLS]) for first in (1, 7))
    net = sum(net * count for net, count in zip(problem.nets, counts, strict=True))
    everything = (sum(counts), net)
    stays = problem.options.bonus_after_fold == 1
    folded = problem.nets[0] if stays else None
    beside = {
        "bonus": _with_rest(_bonus(deck, played, folded), everything),
        "joker": _with_rest(_joker(deck, played, folded), everything),
    }
    actions = {"fold": counts[0], "raise-once": once, "raise-twice": twice}
    return Solution(tuple(counts), actions, equal, beside)


def _with_rest(paid: list[Total], everything: Total) -> tuple[Total, ...]:
    """Return the totals of the outcomes that are paid, and of all other deals."""
    deals, net = (whole - sum(part) for whole, part in zip(everything, zip(*paid, strict=True), strict=True))
    return (*paid, (deals, net))


def _bonus(deck: Deck, played: Played, folded: int | None) -> list[Total]:
    """Return the totals of the paying lines of the Bonus; ``folded`` is what main nets where it stands after a fold."""
    sides = played.sides
    plays = np.zeros(sides.boards.shape[1], np.bool_)
    plays[sides.wholes[played.play]] = True
    totals = []
    for boards, values in zip(sides.boards[:JOKER_SECOND], sides.values, strict=False):
        deals, net = int(boards[plays].sum()) * deck.dealers, exact_sum(values[plays])
        if folded is not None:
            after_fold = int(boards[~plays].sum()) * deck.dealers
            deals, net = deals + after_fold, net + folded * after_fold
        totals.append((deals, net))
    return totals


def _joker(deck: Deck, played: Played, folded: int | None) -> list[Total]:
    """Return the totals of a Joker among the community cards, and of one in the hand."""
    sides, weights = played.sides, deck.orbits.weights.astype(np.int64)
    holds = (deck.masks >> JOKER & 1).astype(np.bool_)
    plays = np.zeros(sides.boards.shape[1], np.bool_)
    plays[sides.wholes[played.play]] = True
    # On the board: first or second, as often.
    community = 2 * int(weights[played.play & ~holds].sum()) * deck.showdowns
    net = exact_sum((weights * played.joker.values)[played.play]) + exact_sum(sides.values[JOKER_SECOND, plays])
    in_hand = int(weights[played.play & holds].sum()) * deck.rounds
    net_in_hand = exact_sum((weights * played.values)[played.play & holds])
    if folded is not None:
        after_fold = 2 * int(weights[~played.play & ~holds].sum()) * deck.showdowns
        community, net = community + after_fold, net + folded * after_fold
        after_fold = int(weights[~played.play & holds].sum()) * deck.rounds
        in_hand, net_in_hand = in_hand + after_fold, net_in_hand + folded * after_fold
    return [(community, net), (in_hand, net_in_hand)]


def exact_sum(values: Integers) -> int:
    """Return the sum of 64-bit values, which may itself be larger."""
    return (int((values >> 32).sum()) << 32) + int((values & _LOW).sum())
