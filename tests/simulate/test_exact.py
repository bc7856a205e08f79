"""Simulated against exact: every figure that the project has, within five standard errors."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.simulation_report import SimulationReport, compute_exact_value, resolve_stakes
from pitboss.analysis.solutions import compute_main_nets
from pitboss.contract import Game, Wager
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.players import OPTIMAL, Player, get_default_player
from pitboss.simulate.runner import Simulation, run_simulation
from pitboss.strategies import load_strategies

DOCS = Path(__file__).parents[2] / "docs"
FEW, MANY = 10**6, 10**8

pytestmark = pytest.mark.compiled


@cache
def simulated(game_id: str, rounds: int, seats: int = 1, strategy: str = "") -> tuple[Simulation, SimulationReport]:
    """Play a game's practical strategy, or another, with every wager staked."""
    game = load_game(game_id)
    options = resolve_options(game, {})
    player = Player(strategy) if strategy else get_default_player(game)
    simulation = Simulation(game_id, tuple(options.items()), player, seats)
    terms = GameTerms(select_paytables(game), options, resolve_stakes(game, options, seats, []))
    return simulation, SimulationReport(game, terms, run_simulation(simulation, rounds, seed=2026 + rounds))


def chance_alone() -> list[tuple[str, str]]:
    """List every side wager that no decision touches."""
    return [
        (game.id, wager.id)
        for game in load_games().values()
        for wager in game.wagers[1:]
        if not depends_on_play(game, wager, resolve_options(game, {}))
    ]


def printed(game: str, bet: str) -> Fraction | None:
    """Return the exact expected value that a game's page prints of a bet, None where there is none."""
    page = DOCS / f"game-{game}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    found = re.search(rf"^\$ pitboss par {game} --bet {bet}\n.*?exactly (-?\d+/\d+)", text, re.MULTILINE | re.DOTALL)
    return Fraction(found[1]) if found else None


def agrees(session: SimulationReport, bet: str, exact: Fraction) -> None:
    """Check a mean; the variance of few rounds may miss a rare line, so that of the exact sheet would be the better."""
    measured = session.report_bet(bet, exact)
    assert measured.z_score is not None
    assert abs(measured.z_score) < 5


@pytest.mark.more
@pytest.mark.in_turn("game")
@pytest.mark.parametrize(("game", "bet"), chance_alone())
def test_side_wagers_come_to_what_every_deal_counted_says(game: str, bet: str) -> None:
    seats = 2 if bet == "multi-super" else 1
    simulation, session = simulated(game, FEW, seats)
    exact = printed(game, bet)
    if exact is None:
        exact = compute_exact_value(session.game, bet, session.terms, simulation, ignore_progress)
    assert exact is not None
    agrees(session, bet, exact)


def table_of(game: str) -> list[list[str]]:
    """Return the rows of the table of strategies on a game's page, the heading first; none where there is no page.

    A game of many actions has a row for each, and a column for each strategy: it is read the other way round.
    """
    page = DOCS / f"game-{game}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    found = re.search(r"^( Strategy .*?)\n\n", text, re.MULTILINE | re.DOTALL)
    rows = [re.split(r"\s{2,}", row.strip()) for row in found[1].splitlines() if "─" not in row] if found else []
    if any(row[0] == "House edge" for row in rows):
        full = [[row[0], *[""] * (len(rows[0]) - len(row)), *row[1:]] for row in rows]  # the best play costs nothing
        return [list(column) for column in zip(*full, strict=True)]
    return rows


def with_tables() -> list[str]:
    """List the games whose page says what their strategies cost."""
    return [game for game in load_games() if any("House edge" in row for row in table_of(game))]


def action_of(game: Game, outcome: str) -> str:
    """Return the path that an outcome of main begins with, among those that its page lists; nothing where none does."""
    paths = [heading.replace(" ", "-") for heading in table_of(game.id)[0][3:]]
    return next((path for path in sorted(paths, key=len, reverse=True) if f"{outcome}-".startswith(f"{path}-")), "")


def check_main(game_id: str, rounds: int, strategy: str) -> None:
    """Compare main under a strategy with what its page says: the edge, and how often each path is taken."""
    game = load_game(game_id)
    _, session = simulated(game_id, rounds, 1, strategy)
    name = next(each.name for each in load_strategies(game) if each.id == strategy)
    heading, *rows = table_of(game_id)
    row = next(row for row in rows if row[0] == name)
    edge, *taken = [float(each.rstrip("%")) / 100 for each in (row[1], *row[3:])]
    main: Wager = game.wagers[0]
    figures = session.figures
    rounding = 5e-7
    assert (
        abs(float(figures.mean(session.get_bet_weights(main.id))) + edge)
        < 5 * figures.standard_error(session.get_bet_weights(main.id)) + rounding
    )
    counts: dict[str, int] = {}
    for outcome, times in zip(main.outcomes, session.counts.count_wager(0), strict=True):
        path = action_of(game, outcome.name)
        counts[path] = counts.get(path, 0) + times
    for path, wanted in zip(heading[3:], taken, strict=True):
        taken_in = counts.get(path.replace(" ", "-"))
        if taken_in is None:
            continue  # a later decision's: no outcome begins with it
        assert abs(taken_in / rounds - wanted) < 5 * sqrt(max(wanted, 1e-6) / rounds) + 100 * rounding


@pytest.mark.parametrize("game", with_tables())
def test_main_comes_to_what_its_page_says(game: str) -> None:
    check_main(game, FEW, load_strategies(load_game(game))[0].id)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "strategy"), [(game, each.id) for game in with_tables() for each in load_strategies(load_game(game))]
)
def test_main_comes_to_what_its_page_says_over_many_rounds(game: str, strategy: str) -> None:
    check_main(game, MANY, strategy)


@pytest.mark.long
@pytest.mark.parametrize(("game", "bet"), chance_alone())
def test_side_wagers_come_to_what_is_counted_over_many_rounds(game: str, bet: str) -> None:
    simulation, session = simulated(game, MANY, 2 if bet == "multi-super" else 1)
    exact = compute_exact_value(session.game, bet, session.terms, simulation, ignore_progress)
    assert exact is not None
    agrees(session, bet, exact)


@pytest.mark.more
def test_a_seat_of_six_nets_what_a_seat_alone_nets() -> None:
    _, alone = simulated("six-card", FEW)
    _, crowd = simulated("six-card", FEW, 6)
    for bet in alone.terms.stakes:
        one, other = (each.figures for each in (alone, crowd))
        difference = float(one.mean(alone.get_bet_weights(bet)) - other.mean(crowd.get_bet_weights(bet)))
        error = sqrt(
            one.standard_error(alone.get_bet_weights(bet)) ** 2 + other.standard_error(crowd.get_bet_weights(bet)) ** 2
        )
        assert abs(difference) < 5 * error
    single = sqrt(crowd.figures.variance(crowd.get_bet_weights("main")) / (6 * FEW))
    assert crowd.figures.standard_error(crowd.get_bet_weights("main")) > 1.2 * single


@pytest.mark.long
def test_best_play_comes_to_what_the_solver_says() -> None:
    game = load_game("six-card")
    options, chosen = resolve_options(game, {}), select_paytables(game)
    both = Simulation(
        game.id,
        tuple(options.items()),
        Player(OPTIMAL),
        against=get_default_player(game),
        nets=compute_main_nets(game, chosen),
    )
    session = SimulationReport(
        game, GameTerms(chosen, options, {"main": Fraction(1)}), run_simulation(both, 10 * FEW, seed=4)
    )
    (row,) = (row for row in table_of("six-card") if row[0] == "Best play")
    figures, main = session.figures, session.get_bet_weights("main")
    edge = float(row[1].rstrip("%")) / 100
    assert abs(float(figures.mean(main)) + edge) < 5 * figures.standard_error(main)
    folded = session.counts.count_wager(0)[0] / (10 * FEW)
    assert abs(folded - float(row[2].rstrip("%")) / 100) < 5 * sqrt(0.21 / (10 * FEW)) + 5e-5
    (practical,) = (row for row in table_of("six-card") if row[0] == "Practical")
    cost = float(practical[2].rstrip("%")) / 100
    assert abs(float(figures.mean(session.get_difference_weights())) - cost) < 5 * figures.standard_error(
        session.get_difference_weights()
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("game_id", "rounds"),
    [("wild-six-card", 10 * FEW), ("wild-52", 10 * FEW), ("shifting-wilds", FEW), ("lunar", 10 * FEW)],
)
def test_the_best_play_comes_to_the_solution_and_beats_the_practical_strategy(game_id: str, rounds: int) -> None:
    game = load_game(game_id)
    options, chosen = resolve_options(game, {}), select_paytables(game)
    best = Simulation(game.id, tuple(options.items()), Player(OPTIMAL), nets=compute_main_nets(game, chosen))
    both = replace(best, against=get_default_player(game))
    terms = GameTerms(chosen, options, {"main": Fraction(1)})
    session = SimulationReport(game, terms, run_simulation(both, rounds, seed=4))
    exact = compute_exact_value(game, "main", terms, best, ignore_progress)
    assert exact is not None
    figures, main = session.figures, session.get_bet_weights("main")
    assert abs(float(figures.mean(main) - exact)) < 4 * figures.standard_error(main)
    practical = compute_exact_value(
        game, "main", terms, replace(best, player=get_default_player(game)), ignore_progress
    )
    lost, error = (
        float(figures.mean(session.get_difference_weights())),
        figures.standard_error(session.get_difference_weights()),
    )
    assert lost > 0
    assert practical is None or abs(lost - float(exact - practical)) < 4 * error
