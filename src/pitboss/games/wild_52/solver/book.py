"""The exact solution of Wild 52's main wager: what the decisions lead to, counted over all deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decide import SecondDecisions, decide_second, value_first
from pitboss.games.wild_52.solver.deck import CELLS, JOKER, RANKS, JokerDeck, build_deck, map_cells_to_outcomes
from pitboss.games.wild_52.solver.policy_table import MAX_MISTAKES, find_first_mistakes, list_mistakes, tabulate_policy
from pitboss.games.wild_52.solver.side_wagers import JOKER_SECOND, SideTotals, make_side_totals
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Solution, SolverProblem

_OUTCOME_COUNT = 13
_LOW_WORD = (1 << 32) - 1

DealsAndNet = tuple[int, int]  # deals, and what main nets in them


class PlayedDecisions(NamedTuple):
    """What was decided and what it comes to: after natural first cards, after the Joker, beside side wagers' outcomes.

    By class: ``values``, what a Play is worth to main in units of the nets over ``Deck.rounds``, and ``play``, whether
    it is made.
    """

    naturals: SecondDecisions
    joker: SecondDecisions
    side_totals: SideTotals
    values: IntArray
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
    deck, options, nets = build_deck(ranks), problem.options, problem.nets
    verify_nets(deck, problem)
    outcomes, sides = map_cells_to_outcomes(options), make_side_totals(deck)
    told = tabulate_policy(deck, problem.strategy, options) if problem.strategy else None
    played_nets = np.array(nets, np.int64)[outcomes]
    naturals, joker = decide_second(deck, options, played_nets, progress, side_totals=sides, policy=told)
    values = value_first(deck, naturals.values, joker.values)
    best = values if told is None else values + value_first(deck, *told.losses)
    fold = nets[0] * deck.rounds
    if options.bonus_after_fold == 0:
        best = best + _value_side_wagers(deck, sides, problem.side_nets)
        fold += _sum_losing_nets(problem.side_nets) * deck.rounds
    played = PlayedDecisions(naturals, joker, sides, values, best > fold if told is None else told.play)
    equal = int((best[deck.orbits.is_first] == fold).sum())
    solved = _book_decisions(deck, outcomes, problem, played, equal)
    if told is None:
        return solved
    errors = list_mistakes(find_first_mistakes(deck, told, best - fold, options), told.mistakes)
    return replace(solved, mistakes=errors[:MAX_MISTAKES])


def verify_nets(deck: JokerDeck, problem: SolverProblem) -> None:
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


def _sum_losing_nets(side_nets: Mapping[str, Sequence[int]]) -> int:
    """Return what the wagers beside main net when they are lost with the hand."""
    return sum(nets[-1] for nets in side_nets.values())


def _value_side_wagers(deck: JokerDeck, sides: SideTotals, side_nets: Mapping[str, Sequence[int]]) -> IntArray:
    """Return by class what the wagers beside main bring a hand that plays, in units over ``deck.rounds``."""
    boards = deck.rounds // deck.dealers
    brought = np.zeros(len(deck.masks), np.int64)
    if "bonus" in side_nets:
        paid = np.array(side_nets["bonus"], np.int64)
        hands = np.bincount(sides.full_classes, deck.orbits.weights).astype(np.int64)
        made = sides.boards[: rules.BONUS_LOSES] // hands
        brought += (paid[-1] * boards + (paid[:-1] - paid[-1]) @ made)[sides.full_classes] * deck.dealers
    if "joker" in side_nets:
        community, in_hand, neither = side_nets["joker"]
        # The Joker is the first community card or the second, each with any other card.
        either = 2 * (deck.cards - 6)
        outside = community * either + neither * (boards - either)
        brought += np.where(deck.masks >> JOKER & 1, in_hand * boards, outside) * deck.dealers
    return brought


def _book_decisions(
    deck: JokerDeck, outcomes: IntArray, problem: SolverProblem, played: PlayedDecisions, equal: int
) -> Solution:
    """Count what the decisions come to over all hands.

    Over whole classes an exchange of suits only changes the order of adding up: natural first cards of four suits count
    four times what those of the first suit do.
    """
    classes, naturals, joker = deck.orbits, played.naturals, played.joker
    weights = np.where(played.play, classes.weights, 0).astype(np.int64)
    counts = [0] * _OUTCOME_COUNT
    counts[0] = int((classes.weights - weights).sum()) * deck.rounds
    for raised, cell in product((0, 1), range(CELLS)):
        row = CELLS * raised + cell
        counts[outcomes[raised, cell]] += 4 * int(weights @ naturals.cells[row]) + int(weights @ joker.cells[row])
    equal += int(naturals.equal_first_cards[played.play].sum()) + int(
        joker.equal_first_cards[played.play & classes.is_first].sum()
    )
    once, twice = (sum(counts[first : first + CELLS]) for first in (1, 7))
    net = sum(net * count for net, count in zip(problem.nets, counts, strict=True))
    everything = (sum(counts), net)
    stays = problem.options.bonus_after_fold == 1
    folded = problem.nets[0] if stays else None
    beside = {
        "bonus": _append_unpaid(_total_bonus(deck, played, folded), everything),
        "joker": _append_unpaid(_total_joker(deck, played, folded), everything),
    }
    actions = {"fold": counts[0], "raise-once": once, "raise-twice": twice}
    return Solution(tuple(counts), actions, equal, beside)


def _append_unpaid(paid: list[DealsAndNet], everything: DealsAndNet) -> tuple[DealsAndNet, ...]:
    """Return the totals of the outcomes that are paid, and of all other deals."""
    deals, net = (whole - sum(part) for whole, part in zip(everything, zip(*paid, strict=True), strict=True))
    return (*paid, (deals, net))


def _total_bonus(deck: JokerDeck, played: PlayedDecisions, net_after_fold: int | None) -> list[DealsAndNet]:
    """Return the totals of the Bonus's paying lines; ``net_after_fold`` is main's net where it stands after a fold."""
    sides = played.side_totals
    plays = np.zeros(sides.boards.shape[1], np.bool_)
    plays[sides.full_classes[played.play]] = True
    totals = []
    for boards, values in zip(sides.boards[:JOKER_SECOND], sides.values, strict=False):
        deals, net = int(boards[plays].sum()) * deck.dealers, sum_exactly(values[plays])
        if net_after_fold is not None:
            after_fold = int(boards[~plays].sum()) * deck.dealers
            deals, net = deals + after_fold, net + net_after_fold * after_fold
        totals.append((deals, net))
    return totals


def _total_joker(deck: JokerDeck, played: PlayedDecisions, net_after_fold: int | None) -> list[DealsAndNet]:
    """Return the totals of a Joker among the community cards, and of one in the hand."""
    sides, weights = played.side_totals, deck.orbits.weights.astype(np.int64)
    holds = (deck.masks >> JOKER & 1).astype(np.bool_)
    plays = np.zeros(sides.boards.shape[1], np.bool_)
    plays[sides.full_classes[played.play]] = True
    # On the board: first or second, as often.
    community = 2 * int(weights[played.play & ~holds].sum()) * deck.showdowns
    net = sum_exactly((weights * played.joker.values)[played.play]) + sum_exactly(sides.values[JOKER_SECOND, plays])
    in_hand = int(weights[played.play & holds].sum()) * deck.rounds
    net_in_hand = sum_exactly((weights * played.values)[played.play & holds])
    if net_after_fold is not None:
        after_fold = 2 * int(weights[~played.play & ~holds].sum()) * deck.showdowns
        community, net = community + after_fold, net + net_after_fold * after_fold
        after_fold = int(weights[~played.play & holds].sum()) * deck.rounds
        in_hand, net_in_hand = in_hand + after_fold, net_in_hand + net_after_fold * after_fold
    return [(community, net), (in_hand, net_in_hand)]


def sum_exactly(values: IntArray) -> int:
    """Return the sum of 64-bit values, which may itself be larger."""
    return (int((values >> 32).sum()) << 32) + int((values & _LOW_WORD).sum())
