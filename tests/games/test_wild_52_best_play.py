"""The best play of Wild 52 hand by hand, as a simulation follows it, against the solution and the hints."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import build_problem
from pitboss.cards import DECK_53
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.wild_52.rules import Wild52Options, Wild52View
from pitboss.games.wild_52.solver.best_play import Wild52BestPlay, choose_best, tabulate_best_play, tabulate_deck
from pitboss.games.wild_52.solver.deck import RANKS, build_deck
from pitboss.games.wild_52.solver.hints import hint
from pitboss.games.wild_52.solver.solution import solve_deck
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

GAME = load_game("wild-52")
PROBLEM = build_problem(GAME, select_paytables(GAME), resolve_options(GAME, {})).problem
ODD_NETS = (-2, 7, 1, 1, 0, -4, -1, 12, 1, 2, 0, -8, -2)

pytestmark = pytest.mark.compiled


@kernel
def taken(tables: HandTables, cards: IntArray, best: Wild52BestPlay, options: Wild52Options) -> Any:
    """Ask for every five of a deck and every first card: count hands that fold, and pairs that play once and twice."""
    counts = np.zeros(3, np.int64)
    for one in range(len(cards)):
        for two in range(one):
            for three in range(two):
                for four in range(three):
                    for five in range(four):
                        hand = cards[one] | cards[two] | cards[three] | cards[four] | cards[five]
                        if choose_best(tables, Wild52View(hand, 0, 0), 0, best, options)[0] == 0:
                            counts[0] += 1
                            continue
                        for first in cards:
                            if not hand & first:
                                again = choose_best(tables, Wild52View(hand, first, 0), 1, best, options)[0]
                                counts[1 + again] += 1
    return counts


def check(ranks: Sequence[int], problem: SolverProblem, best: Wild52BestPlay) -> None:
    """Compare how often each path is taken with the solution of a deck."""
    deck = build_deck(ranks)
    cards = np.array([1 << 13 * suit + rank for suit in range(4) for rank in ranks] + [1 << 52], np.int64)
    counts = taken(load_hand_tables(), cards, best, problem.options).tolist()
    solved = solve_deck(ranks, problem, ignore_progress)
    assert solved.actions == {
        "fold": counts[0] * deck.rounds,
        "raise-once": counts[1] * deck.showdowns,
        "raise-twice": counts[2] * deck.showdowns,
    }


@pytest.mark.more
@pytest.mark.parametrize("ranks", [(0, 5, 9), (3, 8, 10, 12)])
@pytest.mark.parametrize("nets", [PROBLEM.nets, ODD_NETS])
def test_small_decks_are_played_as_they_are_solved(ranks: tuple[int, ...], nets: tuple[int, ...]) -> None:
    problem = SolverProblem(PROBLEM.options, nets)
    check(ranks, problem, tabulate_deck(build_deck(ranks), problem, ignore_progress))


@pytest.mark.long
def test_the_whole_deck_is_played_as_it_is_solved_and_as_hints_say() -> None:
    best = tabulate_best_play(PROBLEM, ignore_progress)
    check(RANKS, PROBLEM, best)
    random.seed(52)
    for each in range(300):
        codes = random.sample(DECK_53.cards, 6)
        view = Wild52View(sum(1 << code for code in codes[:5]), 1 << codes[5], 0)
        asked = 0 if each % 10 == 0 else 1
        seen = view if asked else view._replace(community=0)
        passed, played = (each.value for each in hint(PROBLEM, seen, asked, ignore_progress))
        assert choose_best(load_hand_tables(), seen, asked, best, PROBLEM.options) == (int(played > passed), 0)
