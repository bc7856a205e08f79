"""Value each action at one position by counting every showdown that may follow."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

from pitboss.cards import FIRST_JOKER
from pitboss.core.progress import ProgressCallback
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.deck import CELLS, RANKS, map_cells_to_outcomes
from pitboss.games.wild_52.solver.hint_census import JokerMultisets, count_showdowns, list_multisets
from pitboss.hands import load_hand_tables
from pitboss.solver_api import ActionValue, SolverProblem

_DECK = (1 << FIRST_JOKER + 1) - 1
_DEALER_HANDS = comb(46, 5)
_SHOWDOWNS = 47 * _DEALER_HANDS
_SIDE_WAGERS = ("bonus", "joker")


def hint(
    problem: SolverProblem, view: rules.Wild52View, decision: int, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Value both actions at a position.

    A value is the whole round's expected net, in units of the problem's nets.

    ``decision`` is 0 before a community card is seen, and 1 after the first.  A Play is valued with the best second
    decision.  Side wagers count with their nets.  The problem's strategy does not matter.
    """
    five, seen = view.player, view.community if decision else 0
    cells = count_showdowns(five, seen or _DECK & ~five, _DECK, _load_multisets(), problem.options, progress)
    outcomes = map_cells_to_outcomes(problem.options)
    side_net = _average_side_nets(problem, five, seen, rules.PLAYED)
    totals = [
        [sum(problem.nets[outcomes[raised, cell]] * int(after[cell]) for cell in range(CELLS)) for raised in (0, 1)]
        for after in cells[[card for card in range(FIRST_JOKER + 1) if (seen or _DECK & ~five) >> card & 1]]
    ]
    if decision:
        check, play_again = (Fraction(total, _SHOWDOWNS) for total in totals[0])
        return ActionValue("check", 0, check + side_net), ActionValue("play-2", 0, play_again + side_net)
    play = Fraction(sum(max(each) for each in totals), len(totals) * _SHOWDOWNS)
    fold = problem.nets[0] + _average_side_nets(problem, five, seen, rules.FOLDED)
    return ActionValue("fold", 0, fold), ActionValue("play", 0, play + side_net)


@cache
def _load_multisets() -> JokerMultisets:
    return list_multisets(RANKS)


def _average_side_nets(problem: SolverProblem, five: int, first: int, choice: int) -> Fraction:
    """Return the average net of the side wagers after a choice, with all cards shown."""
    if not problem.side_nets:
        return Fraction(0)
    total, boards = 0, 0
    for community in _list_boards(five, first):
        outcomes = settle_side_wagers(five, community, choice, problem.options)
        total += sum(nets[outcomes[_SIDE_WAGERS.index(bet)]] for bet, nets in problem.side_nets.items())
        boards += 1
    return Fraction(total, boards)


def _list_boards(five: int, first: int) -> Iterable[int]:
    remaining = [1 << card for card in range(FIRST_JOKER + 1) if (_DECK & ~five & ~first) >> card & 1]
    return (
        (first | second for second in remaining)
        if first
        else (one | other for one, other in combinations(remaining, 2))
    )


def settle_side_wagers(five: int, community: int, choice: int, options: Any) -> tuple[int, int]:
    """Return the outcomes of Bonus and Joker.

    The cards decide them, or they are lost with a fold as in ``settle`` (WJ-4).
    """
    if choice == rules.FOLDED and options.bonus_after_fold == 0:
        return rules.BONUS_LOSES, rules.JOKER_LOSES
    return rules.settle_bonus(load_hand_tables(), five | community, options), rules.settle_joker(five, community)
