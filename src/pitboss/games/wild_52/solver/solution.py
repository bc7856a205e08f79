"""The exact solution of Wild 52's main wager: its outcomes over all deals."""

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

DealsAndNet = tuple[int, int]  # a number of deals, and main's net in them


class PlayedDecisions(NamedTuple):
    """All decisions and their results.

    They are those after natural first cards, those after the Joker, and those by outcome of the side wagers.

    ``values`` has by class the value of a Play for main, in units of the nets over ``JokerDeck.rounds``; ``play`` has
    by class whether it is made.
    """

    naturals: SecondDecisions
    joker: SecondDecisions
    side_totals: SideTotals
    values: IntArray
    play: NDArray[np.bool_]


def solve(problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager over every deal of the whole deck.

    Both decisions are best; of equal values, ruling ALL-9 decides.

    Deals are the player's five, the two community cards in their order and the dealer's five: C(53, 5) x 48 x 47 x
    C(46, 5).  ``equal_value_positions`` counts, up to suits, the hands whose Play is worth as much as a fold; and for
    the hands that play, the first community cards with which a check is worth as much as a second Play.

    A strategy is followed, and its mistakes are listed, at most twelve kinds of them.  A first decision is a mistake
    where the other action is worth more with the best second decisions; a second one counts only where it is reached.

    Where the option ``bonus_after_fold`` is off, side wagers are paid only to hands that play, so they are part of the
    value of a Play; elsewhere they change nothing (WJ-4).

    Raises:
        MagnitudeError: the nets are too large for 64-bit values.
    """
    return solve_deck(RANKS, problem, progress)


def solve_deck(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager with a deck of some ranks and the Joker.

    ``ranks`` are three or more, ascending, each in four suits.
    """
    deck, options, nets = build_deck(ranks), problem.options, problem.nets
    verify_nets(deck, problem)
    outcomes, side_totals = map_cells_to_outcomes(options), make_side_totals(deck)
    policy = tabulate_policy(deck, problem.strategy, options) if problem.strategy else None
    played_nets = np.array(nets, np.int64)[outcomes]
    naturals, joker = decide_second(deck, options, played_nets, progress, side_totals=side_totals, policy=policy)
    values = value_first(deck, naturals.values, joker.values)
    best_values = values if policy is None else values + value_first(deck, *policy.losses)
    fold = nets[0] * deck.rounds
    if options.bonus_after_fold == 0:
        best_values = best_values + _value_side_wagers(deck, side_totals, problem.side_nets)
        fold += _sum_losing_nets(problem.side_nets) * deck.rounds
    played = PlayedDecisions(
        naturals, joker, side_totals, values, best_values > fold if policy is None else policy.play
    )
    equal_positions = int((best_values[deck.orbits.is_first] == fold).sum())
    solution = _tally_decisions(deck, outcomes, problem, played, equal_positions)
    if policy is None:
        return solution
    mistakes = list_mistakes(find_first_mistakes(deck, policy, best_values - fold, options), policy.mistakes)
    return replace(solution, mistakes=mistakes[:MAX_MISTAKES])


def verify_nets(deck: JokerDeck, problem: SolverProblem) -> None:
    """Check that the nets are not too large.

    Sums of the values of up to 24 hands, alike up to suits, for three wagers together must fit 64 bits.

    Raises:
        MagnitudeError: the nets are too large for 64-bit values.
    """
    largest = max(abs(net) for each in (problem.nets, *problem.side_nets.values()) for net in each)
    if largest * deck.rounds >= 1 << 56:
        raise MagnitudeError(
            f"nets of up to {largest} units are too large for sums in 64 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            largest=largest,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )


def _sum_losing_nets(side_nets: Mapping[str, Sequence[int]]) -> int:
    """Return the net of the side wagers when they are lost with the hand."""
    return sum(nets[-1] for nets in side_nets.values())


def _value_side_wagers(deck: JokerDeck, sides: SideTotals, side_nets: Mapping[str, Sequence[int]]) -> IntArray:
    """Compute by class the net of the side wagers for a hand that plays.

    It is in units over ``deck.rounds``.
    """
    boards = deck.rounds // deck.dealer_hands
    values = np.zeros(len(deck.masks), np.int64)
    if "bonus" in side_nets:
        bonus_nets = np.array(side_nets["bonus"], np.int64)
        hands = np.bincount(sides.full_classes, deck.orbits.weights).astype(np.int64)
        line_boards = sides.boards[: rules.BONUS_LOSES] // hands
        values += (bonus_nets[-1] * boards + (bonus_nets[:-1] - bonus_nets[-1]) @ line_boards)[
            sides.full_classes
        ] * deck.dealer_hands
    if "joker" in side_nets:
        community, in_hand, neither = side_nets["joker"]
        # The Joker is the first community card or the second, each with any other card.
        joker_boards = 2 * (deck.cards - 6)
        joker_not_held = community * joker_boards + neither * (boards - joker_boards)
        values += np.where(deck.masks >> JOKER & 1, in_hand * boards, joker_not_held) * deck.dealer_hands
    return values


def _tally_decisions(
    deck: JokerDeck, outcomes: IntArray, problem: SolverProblem, played: PlayedDecisions, equal_positions: int
) -> Solution:
    """Count the outcomes of the decisions over all hands.

    Over whole classes an exchange of suits changes only the order of the sum, so natural first cards of all four suits
    count four times those of the first suit.
    """
    classes, naturals, joker = deck.orbits, played.naturals, played.joker
    weights = np.where(played.play, classes.weights, 0).astype(np.int64)
    counts = [0] * _OUTCOME_COUNT
    counts[0] = int((classes.weights - weights).sum()) * deck.rounds
    for raised, cell in product((0, 1), range(CELLS)):
        row = CELLS * raised + cell
        counts[outcomes[raised, cell]] += 4 * int(weights @ naturals.cells[row]) + int(weights @ joker.cells[row])
    equal_positions += int(naturals.equal_first_cards[played.play].sum()) + int(
        joker.equal_first_cards[played.play & classes.is_first].sum()
    )
    once, twice = (sum(counts[first : first + CELLS]) for first in (1, 7))
    net = sum(net * count for net, count in zip(problem.nets, counts, strict=True))
    all_deals = (sum(counts), net)
    stays_after_fold = problem.options.bonus_after_fold == 1
    net_after_fold = problem.nets[0] if stays_after_fold else None
    side_outcomes = {
        "bonus": _append_unpaid(_total_bonus(deck, played, net_after_fold), all_deals),
        "joker": _append_unpaid(_total_joker(deck, played, net_after_fold), all_deals),
    }
    actions = {"fold": counts[0], "raise-once": once, "raise-twice": twice}
    return Solution(tuple(counts), actions, equal_positions, side_outcomes)


def _append_unpaid(paid: list[DealsAndNet], everything: DealsAndNet) -> tuple[DealsAndNet, ...]:
    """Append the total of all other deals to the totals of the paid outcomes."""
    deals, net = (total - sum(parts) for total, parts in zip(everything, zip(*paid, strict=True), strict=True))
    return (*paid, (deals, net))


def _total_bonus(deck: JokerDeck, played: PlayedDecisions, net_after_fold: int | None) -> list[DealsAndNet]:
    """Total the Bonus's paying lines.

    ``net_after_fold`` is main's net if the Bonus stays in play after a fold, else None.
    """
    side_totals = played.side_totals
    is_played = np.zeros(side_totals.boards.shape[1], np.bool_)
    is_played[side_totals.full_classes[played.play]] = True
    totals = []
    for boards, values in zip(side_totals.boards[:JOKER_SECOND], side_totals.values, strict=False):
        deals, net = int(boards[is_played].sum()) * deck.dealer_hands, sum_exactly(values[is_played])
        if net_after_fold is not None:
            after_fold = int(boards[~is_played].sum()) * deck.dealer_hands
            deals, net = deals + after_fold, net + net_after_fold * after_fold
        totals.append((deals, net))
    return totals


def _total_joker(deck: JokerDeck, played: PlayedDecisions, net_after_fold: int | None) -> list[DealsAndNet]:
    """Total the deals with the Joker on the board, and those with it in the hand."""
    side_totals, weights = played.side_totals, deck.orbits.weights.astype(np.int64)
    has_joker = (deck.masks >> JOKER & 1).astype(np.bool_)
    is_played = np.zeros(side_totals.boards.shape[1], np.bool_)
    is_played[side_totals.full_classes[played.play]] = True
    # In the community cards the Joker is as often the first as the second.
    in_community = 2 * int(weights[played.play & ~has_joker].sum()) * deck.showdowns
    net_in_community = sum_exactly((weights * played.joker.values)[played.play]) + sum_exactly(
        side_totals.values[JOKER_SECOND, is_played]
    )
    in_hand = int(weights[played.play & has_joker].sum()) * deck.rounds
    net_in_hand = sum_exactly((weights * played.values)[played.play & has_joker])
    if net_after_fold is not None:
        after_fold = 2 * int(weights[~played.play & ~has_joker].sum()) * deck.showdowns
        in_community, net_in_community = in_community + after_fold, net_in_community + net_after_fold * after_fold
        after_fold = int(weights[~played.play & has_joker].sum()) * deck.rounds
        in_hand, net_in_hand = in_hand + after_fold, net_in_hand + net_after_fold * after_fold
    return [(in_community, net_in_community), (in_hand, net_in_hand)]


def sum_exactly(values: IntArray) -> int:
    """Return the sum of 64-bit values; the sum itself may need more bits."""
    return (int((values >> 32).sum()) << 32) + int((values & _LOW_WORD).sum())
