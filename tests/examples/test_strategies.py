"""Published strategies of the example games cost what is published, exactly, over every deal."""

from fractions import Fraction

import pytest

from examples.loading import load_example
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.cards import make_mask, parse_cards
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution
from pitboss.strategies import load_strategies

GAMES = ("three_card_poker", "caribbean_stud", "let_it_ride")
COSTS = {
    "queen-six-four": Fraction(0),
    "like-the-dealer": Fraction(15_501, 20_358_520),
    "ace-king-rules": Fraction(311_433, 138_425_211_925),
    "pair-or-ace-king": Fraction(146_197_582, 31_944_279_675),
    "basic": Fraction(0),
}


def solve(game: Game, strategy_id: str | None = None) -> tuple[Solution, Fraction]:
    """Return the solution of a strategy or the best play, and its value in Antes."""
    terms = select_paytables(game), resolve_options(game, {})
    strategy = next((each for each in load_strategies(game) if each.id == strategy_id), None)
    solution, unit = get_solution(game, *terms, ignore_progress, strategy), build_problem(game, *terms).unit
    nets = build_problem(game, *terms).problem.nets
    return solution, Fraction(sum(map(int.__mul__, solution.counts, nets)), sum(solution.counts) * unit)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_published_strategy_costs_what_is_published(name: str) -> None:
    game = load_example(name)
    _, best = solve(game)
    for strategy in load_strategies(game):
        solution, value = solve(game, strategy.id)
        unit = build_problem(game, select_paytables(game), resolve_options(game, {})).unit
        errors = Fraction(sum(each.cost for each in solution.mistakes), sum(solution.counts) * unit)
        assert best - value == errors == COSTS.get(strategy.id, errors)
        assert (errors == 0) == (not solution.mistakes)


@pytest.mark.parametrize(
    ("name", "strategy_id", "view", "plays"),
    [
        ("three_card_poker", "queen-six-four", ("Qs 6d 4c", ""), 1),
        ("three_card_poker", "queen-six-four", ("Qs 6d 3c", ""), 0),
        ("three_card_poker", "like-the-dealer", ("Qs 3d 2c", ""), 1),
        ("caribbean_stud", "ace-king-rules", ("As Kd Qh 5c 4s", "3d"), 1),
        ("caribbean_stud", "ace-king-rules", ("As Kd Qh 5c 4s", "6d"), 0),
        ("caribbean_stud", "ace-king-rules", ("As Kd Jh 5c 4s", "Ad"), 1),
        ("caribbean_stud", "ace-king-rules", ("As Kd 9h 5c 4s", "Ad"), 0),
        ("caribbean_stud", "pair-or-ace-king", ("As Kd 9h 5c 4s", "Ad"), 1),
        ("let_it_ride", "basic", ("2s 3s 4s", ""), 0),
        ("let_it_ride", "basic", ("3s 4s 5s", ""), 1),
        ("let_it_ride", "basic", ("Ts 8s 6s", ""), 0),
    ],
)
def test_a_strategy_decides_as_its_lines_say(name: str, strategy_id: str, view: tuple[str, str], plays: int) -> None:
    game = load_example(name)
    strategy = next(each for each in load_strategies(game) if each.id == strategy_id)
    shown = type(game.rules.view(game.rules.deal(game.deck.cards, 1, 0, 1)))(
        *(make_mask(parse_cards(cards, game.deck)) if cards else 0 for cards in view)
    )
    options = encode_options(game, resolve_options(game, {}))
    assert strategy.choose(load_hand_tables(), shown, 0, strategy.numbers, options) == (plays, 0)
