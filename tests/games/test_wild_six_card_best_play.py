"""The best play of Wild Six Card Poker hand by hand, as a simulation follows it, against the solution and the hints."""

import random

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_54, bit, make_mask
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.wild_six_card.rules import UNDECIDED, WildSixState, WildSixView, is_automatic_winner
from pitboss.games.wild_six_card.solver.best_play import choose_best, tabulate_best_play
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, STAND
from pitboss.games.wild_six_card.solver.hints import hint
from pitboss.games.wild_six_card.solver.solution import solve
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

GAME = load_game("wild-six-card")
DEALS = 49 * 12_271_512
HANDS = 60


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("stand_pat", ["off", pytest.param("on", marks=pytest.mark.long)])
def test_every_five_is_played_as_it_is_solved_and_as_hints_say(stand_pat: str) -> None:
    options = encode_options(GAME, resolve_options(GAME, {"stand_pat": stand_pat}))
    problem = SolverProblem(options, compute_main_nets(GAME, select_paytables(GAME)))
    best = tabulate_best_play(problem, ignore_progress)
    counted = {
        "automatic": int(np.count_nonzero(best.places == NO_CHOICE)) * DEALS,
        "discard": int(np.count_nonzero((best.places >= 0) & (best.places < STAND))) * DEALS,
        "stand": int(np.count_nonzero(best.places == STAND)) * DEALS,
    }
    assert solve(problem).actions == counted
    random.seed(6)
    asked = 0
    while asked < HANDS:
        codes = random.sample(DECK_54.cards, 5)
        five = make_mask(codes)
        if is_automatic_winner(load_hand_tables(), WildSixState(five, 0, 0, 0, 0, 0, UNDECIDED, 0), options):
            continue
        asked += 1
        view = WildSixView(five, 0, 0)
        valued = hint(problem, view, 0)
        action, cards = choose_best(load_hand_tables(), view, 0, best, options)
        (value,) = (each.value for each in valued if (each.action, each.cards) == (("discard", "stand")[action], cards))
        assert value == max(each.value for each in valued)
        assert action or cards in [bit(code) for code in codes]
