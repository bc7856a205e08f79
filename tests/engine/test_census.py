"""A showdown census finds what laying out every deal says, integer for integer."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from engine.showdown_games import (
    NEVER,
    OUTCOMES,
    SIDE,
    Options,
    ShowdownGame,
    build_game,
    is_alike,
    make_shape,
    make_showdown_game,
    rank_cards,
)
from examples.loading import compute_nets, load_example
from oracle.leaked_deals import LeakedDeals
from oracle.table_play import play_by_table
from oracle.whole_deals import Ending, WholeDeals, count_outcomes, count_paths, sum_errors
from pitboss.builders import display_name
from pitboss.cards import DECK_52, DECK_54
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, StrategyError, WagerError
from pitboss.core.progress import ignore_progress
from pitboss.engine import hints
from pitboss.engine.census import Census, add_by_class, count_roots, prepare_census
from pitboss.engine.census_play import tabulate_census
from pitboss.engine.census_solver import combine_parts
from pitboss.engine.census_strategy import follow_roots
from pitboss.engine.hints import value_actions
from pitboss.engine.roots import list_roots
from pitboss.engine.same_rule import is_same_rule
from pitboss.engine.showdown import learn_showdown
from pitboss.engine.showdown_outcomes import NoCensusError
from pitboss.engine.symmetry import exchange_cards
from pitboss.engine.visit import prepare_visit
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem, Strategy
from refusals import refusal
from tiers import keep_first

QUICK, MORE, ALL = range(20), range(20, 30), range(30, 200)
DECKS = {
    "caribbean_stud": (0, 1, 2, 13, 14, 15, 26, 27, 28, 39, 12),
    "casino_holdem": (8, 9, 11, 21, 22, 24, 34, 35, 37),
    "ultimate_texas_holdem": (9, 10, 12, 22, 23, 25, 35, 36, 38),
}


def mark(quick: Iterable[int]) -> list[Any]:
    """Return the seeds of all games, with those of the longer tiers marked."""
    tiers = ((pytest.mark.more, MORE), (pytest.mark.long, ALL))
    return [*quick, *(pytest.param(seed, marks=tier) for tier, seeds in tiers for seed in seeds)]


def solve(prepared: Census, problem: SolverProblem, parts: int = 1) -> Solution:
    """Solve a game in some parts."""
    roots = len(prepared.roots)
    bounds = [roots * part // parts for part in range(parts + 1)]
    if problem.strategy:
        sums = [follow_roots(prepared, problem, start, stop) for start, stop in pairwise(bounds)]
    else:
        counted = (count_roots(prepared, problem, start, stop)[0] for start, stop in pairwise(bounds))
        sums = [add_by_class(prepared, each) for each in counted]
    return combine_parts(prepared, sums, problem)


def assert_solved(game: Game, problem: SolverProblem, ending: Ending, solution: Solution) -> None:
    """Compare a solution with what laying out every deal says."""
    each = Fraction(sum(solution.counts), sum(leaf.weight for leaf in ending.leaves))
    told = count_outcomes(ending, 0, problem.nets)
    found = {outcome: deals for outcome, deals in enumerate(solution.counts) if deals}
    assert found == {outcome: deals * each for outcome, (deals, _) in told.items()}
    total = sum(deals * net for deals, net in zip(solution.counts, problem.nets, strict=True))
    assert total + sum(mistake.cost for mistake in solution.mistakes) == ending.value * each
    assert solution.actions == {path: deals * each for path, deals in count_paths(ending, game).items()}
    told_equal = {each for each in ending.equal if all(action < 0 for action in each[1])}
    assert problem.strategy or solution.equal_value_positions == len(told_equal)
    mistakes: dict[Any, Any] = {(one.taken, one.best, one.hand): (one.deals, one.cost) for one in solution.mistakes}
    names = {at: display_name(one.id) for at, one in enumerate(game.decisions) if is_named(game, at)}
    assert mistakes == {
        (taken, best, ", ".join(filter(None, (hand, names.get(at))))): (deals * each, cost * each)
        for (at, taken, best, hand), (deals, cost) in sum_errors(ending).items()
    }


def is_named(game: Game, at: int) -> bool:
    """Tell whether another decision has the same actions."""
    return sum(each.actions == game.decisions[at].actions for each in game.decisions) > 1


@cache
def make_game(seed: int) -> ShowdownGame:
    """Make a game from a seed, once for all tests."""
    return make_showdown_game(seed)


@cache
def prepare(seed: int) -> Census:
    """Prepare the census of a game made from a seed, once for all tests."""
    return prepare_census(*make_game(seed))


@cache
def solve_game(seed: int) -> Solution:
    """Solve a game made from a seed, once for all tests."""
    return solve(prepare(seed), make_game(seed).problem)


@cache
def lay_out_deals(seed: int) -> Ending:
    """Lay out every deal of a game made from a seed, once for all tests."""
    return WholeDeals(*make_game(seed)).play()


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", mark(QUICK))
def test_a_game_made_at_random_is_solved_as_every_deal_laid_out(seed: int) -> None:
    made = make_game(seed)
    try:
        solution = solve_game(seed)
    except NoCensusError as error:
        pytest.skip(str(error))
    assert_solved(made.game, made.problem, lay_out_deals(seed), solution)
    assert solve(prepare(seed), made.problem, 3) == solution


def follow_a_hash(made: ShowdownGame, seed: int) -> ShowdownGame:
    """Return the game with a strategy that decides by a hash of the ranks seen."""
    legal_actions = made.game.rules.legal_actions

    def choose(tables: Any, view: Any, asked: int, numbers: Any, options: Any) -> tuple[int, int]:
        legal = legal_actions(tables, view, asked, 0, options)
        actions = [action for action in range(3) if legal >> action & 1]
        return actions[(sum(rank_cards(cards, numbers[0]) for cards in view) + asked) % len(actions)], 0

    strategy = Strategy("hash", "By a hash", (), choose, (seed,))
    return made._replace(problem=replace(made.problem, strategy=strategy))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", mark(QUICK[::2]))
def test_a_strategy_is_followed_as_in_every_deal_laid_out(seed: int) -> None:
    """What it wins, and the deals and the cost of each kind of mistake."""
    made = follow_a_hash(make_game(seed), seed)
    try:
        prepared = prepare_census(made.game, made.problem, made.cards)
        solution = solve(prepared, made.problem)
    except (NoCensusError, WagerError) as error:
        pytest.skip(str(error))
    assert_solved(made.game, made.problem, WholeDeals(*made).play(), solution)
    assert solve(prepared, made.problem, 3) == solution


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", mark(QUICK[1::2]))
def test_a_side_wager_is_counted_along_with_main_as_in_every_deal_laid_out(seed: int) -> None:
    """In half of the games a fold loses it; in some it is staked, and the best play is the best for both."""
    made = make_game(seed)
    side_nets = {SIDE: (-3, 1, 4)} if seed % 4 == 1 else {}
    problem = replace(made.problem, side_nets=side_nets, counted=(SIDE,))
    try:
        prepared = prepare_census(made.game, problem, made.cards)
    except NoCensusError as error:
        pytest.skip(str(error))
    solution, ending = solve(prepared, problem, 2), WholeDeals(made.game, problem, made.cards).play()
    each = Fraction(sum(solution.counts), sum(leaf.weight for leaf in ending.leaves))
    for wager, counts in ((0, None), (1, solution.side_outcomes[SIDE])):
        told = count_outcomes(ending, wager, problem.nets)
        found: dict[Any, Any] = dict(enumerate(counts or ((deals, None) for deals in solution.counts)))
        for outcome, (deals, total) in found.items():
            wanted = told.get(outcome, (0, 0))
            assert (deals, deals if total is None else total) == (
                wanted[0] * each,
                (wanted[0] if total is None else wanted[1]) * each,
            )


class FirstActions(WholeDeals):
    """Every deal laid out where one action alone is legal at first.

    ``totals`` are the deals with each hand, and what it nets.
    """

    def __init__(self, made: ShowdownGame, action: int) -> None:
        legal = made.game.rules.legal_actions

        def allow_one(tables: Any, view: Any, asked: int, stub: int, options: Any) -> int:
            return int(legal(tables, view, asked, stub, options)) & (1 << action if asked == 0 else -1)

        rules = replace(made.game.rules, legal_actions=allow_one)
        super().__init__(replace(made.game, rules=rules), made.problem, made.cards)
        self.totals: dict[int, tuple[int, int]] = {}

    def _play(self, worlds: Any, at: int, path: tuple[int, ...], seen: tuple[int, ...]) -> Ending:
        ending = super()._play(worlds, at, path, seen)
        if at == 0:
            self.totals[worlds[0].state.player] = sum(world.weight for world in worlds), ending.value
        return ending


def value_first_actions(made: ShowdownGame) -> dict[tuple[int, str], Fraction]:
    """Return the value of each first action with each hand, by laying out every deal."""
    values, actions = dict[tuple[int, str], Fraction](), made.game.decisions[0].actions
    legal = made.game.rules.legal_actions(None, None, 0, 0, None)
    for index, action in enumerate(actions):
        if legal >> index & 1:
            deals = FirstActions(made, index)
            deals.play()
            values |= {(hand, action.id): Fraction(total, count) for hand, (count, total) in deals.totals.items()}
    return values


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(QUICK))
def test_a_solution_has_the_value_of_each_first_action_with_each_hand(seed: int) -> None:
    """Where the first decision comes before all public cards: no hint could count so much."""
    try:
        prepared, first = prepare(seed), solve_game(seed).first_values
    except NoCensusError as error:
        pytest.skip(str(error))
    if prepared.tree.levels[0] > 0:
        pytest.skip("the first decision sees public cards")
    exchanges = prepared.boards.exchanges
    for (hand, action), value in value_first_actions(make_game(seed)).items():
        least = min(int(exchange_cards(hand, each)) for each in exchanges)
        (found,) = (each for each in first if (each.cards, each.action) == (least, action))
        assert Fraction(found.total, found.deals) == value


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(QUICK[::2]))
def test_a_table_of_the_best_play_wins_what_the_best_play_wins(seed: int) -> None:
    made = make_game(seed)
    try:
        play = tabulate_census(prepare(seed), made.problem, ignore_progress)
    except (NoCensusError, StrategyError) as error:
        pytest.skip(str(error))
    assert play_by_table(made.game, made.problem, made.cards, play) == lay_out_deals(seed).value


def find_private(prepared: Census) -> list[int]:
    """Return the places of the dealer's private cards."""
    return list(prepared.shape.groups[prepared.shape.hidden].places)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", [*QUICK[:8], *(pytest.param(seed, marks=pytest.mark.more) for seed in QUICK[8:])])
def test_a_leak_is_worth_what_every_deal_laid_out_says(seed: int) -> None:
    made = make_game(seed)
    hidden, deals = find_private(prepare(seed)), LeakedDeals(made.game, made.problem, made.cards)
    values = [deals.average(())]
    for count in range(1, len(hidden)):
        prepared = prepare_census(made.game, made.problem, made.cards, hidden[:count])
        counts = solve(prepared, made.problem, 2).counts
        total = sum(deals * net for deals, net in zip(counts, made.problem.nets, strict=True))
        values.append(Fraction(total, sum(counts)))
        assert values[-1] == deals.average(hidden[:count])
    assert values == sorted(values)


@pytest.mark.parametrize("stage", [0, NEVER])
def test_cards_that_are_seen_and_in_no_hand_are_not_counted_by_a_census(stage: int) -> None:
    """A dead card tells which cards the dealer cannot have."""
    shape = make_shape(random.Random(3))._replace(own=1, hidden=1, sizes=(1, 1, 1), stages=(0, 0, stage), decisions=1)
    game, cards = build_game(shape._replace(alike=True), DECK_52, reads_third=False), list(range(9))
    if stage == NEVER:
        assert len(learn_showdown(game, Options(), cards).public[0]) == 2
    else:
        with pytest.raises(NoCensusError, match="cards that no hand has"):
            learn_showdown(game, Options(), cards)


def drop_exchanges(prepared: Census, cards: Sequence[int]) -> Census:
    """Return a census of every board and hand by itself, none standing for others."""
    boards = prepared.boards._replace(exchanges=prepared.boards.exchanges[:1])
    roots, weights = list_roots(cards, boards.sizes[: boards.root_groups].tolist(), boards.exchanges)
    return prepared._replace(boards=boards, roots=roots, weights=weights)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", QUICK[:6])
def test_exchanges_of_suits_change_nothing(seed: int) -> None:
    made, solution = make_game(seed), solve_game(seed)
    plain = solve(drop_exchanges(prepare(seed), made.cards), made.problem)
    assert (solution.counts, solution.actions) == (plain.counts, plain.actions)


@pytest.mark.usefixtures("interpreted")
def test_a_hand_ranked_for_both_sides_is_ranked_alike() -> None:
    """A rule made for each game is not recognized: the census is told it is the same."""
    found = 0
    for seed in filter(is_alike, QUICK):
        form = prepare(seed).form
        if not form.direct and found < 4:
            once = prepare(seed)._replace(form=form._replace(alike=True))
            assert solve(once, make_game(seed).problem) == solve_game(seed)
            found += 1
    assert found == 4


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(4))
def test_actions_are_valued_by_the_showdown_as_by_a_visit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a decision that hides the dealer's hand alone."""
    shape = make_shape(random.Random(seed))._replace(decisions=1, stages=(0, 0), sizes=(1, 1), own=2, hidden=2)
    game, problem = build_game(shape, DECK_54), make_showdown_game(seed).problem
    cards = [0, 1, 2, 13, 14, 25, 39, 52, 53]
    prepared = prepare_visit(game, problem, cards, lists_roots=False)
    views = [game.rules.view(game.rules.deal(random.Random(deal).sample(cards, 9), 1, 0, 1)) for deal in range(3)]
    found = [value_actions(prepared, problem, view, 0, ignore_progress) for view in views]
    monkeypatch.setattr(hints, "find_direct_showdown", lambda *_: None)
    assert found == [value_actions(prepared, problem, view, 0, ignore_progress) for view in views]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("outcome", [OUTCOMES, -2])
def test_an_outcome_that_no_deal_of_the_sample_has_is_refused(outcome: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the strongest hands settles with an outcome that main does not have."""
    monkeypatch.setattr("pitboss.engine.showdown.verify_outcome", lambda *_: None)
    made = make_showdown_game(0)
    plain = made.game.showdown
    assert plain is not None

    def settle_strengths(state: Any, mine: int, theirs: int, options: Any) -> int:
        return outcome if mine > 50 else plain.outcome(state, mine, theirs, options)

    game = replace(made.game, showdown=replace(plain, outcome=settle_strengths))
    with pytest.raises(PitbossError, check=refusal("odd-outcome", game="random-showdown", wager="main")):
        solve(prepare_census(game, made.problem, made.cards), made.problem)


@pytest.mark.more
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("cards", [(0, 1, 2, 13, 14, 15, 26, 27), (0, 1, 2, 13, 14, 39, 52, 53)])
def test_hands_sorted_once_for_all_boards_are_counted_as_every_deal_laid_out(cards: tuple[int, ...]) -> None:
    shape = make_shape(random.Random(1))._replace(decisions=1, stages=(0, 0), sizes=(1, 1), own=2, hidden=2)
    game, problem = build_game(shape, DECK_54, blind=True), make_showdown_game(1).problem
    prepared = prepare_census(game, problem, cards)
    assert prepared.form.sorted_once
    assert_solved(game, problem, WholeDeals(game, problem, cards).play(), solve(prepared, problem, 2))
    by_board = prepared._replace(form=prepared.form._replace(sorted_once=False))
    assert solve(by_board, problem) == solve(prepared, problem)


def make_problem(game: Game) -> SolverProblem:
    """Return the problem of a game's own pays and options."""
    nets = compute_nets(game.main, select_paytables(game))
    return SolverProblem(encode_options(game, resolve_options(game, {})), tuple(int(60 * net) for net in nets))


@pytest.mark.more
@pytest.mark.parametrize("way", keep_first(["interpreted", "compiled"], 1))
def test_a_bonus_that_a_fold_loses_changes_the_play_of_casino_holdem(way: str, request: pytest.FixtureRequest) -> None:
    """The AA Bonus is decided by the flop, before the board is known; with it one calls more."""
    if way == "interpreted":
        request.getfixturevalue(way)
    game, cards = load_example("casino_holdem"), DECKS["casino_holdem"]
    plain = make_problem(game)
    options = encode_options(game, resolve_options(game, {"aa_bonus_after_fold": "off"}))
    side_nets = {"aa-bonus": (*range(540, 0, -60), -60)}
    problem = replace(plain, options=options, side_nets=side_nets)
    solution, ending = solve(prepare_census(game, problem, cards), problem), WholeDeals(game, problem, cards).play()
    each = Fraction(sum(solution.counts), sum(leaf.weight for leaf in ending.leaves))
    told = count_outcomes(ending, 1, problem.nets)
    counts: dict[Any, Any] = {end: found for end, found in enumerate(solution.side_outcomes["aa-bonus"]) if found[0]}
    assert counts == {end: (deals * each, total * each) for end, (deals, total) in told.items()}
    paid = sum(
        deals * net
        for (deals, _), net in zip(counts.values(), map(side_nets["aa-bonus"].__getitem__, counts), strict=True)
    )
    main = sum(deals * net for deals, net in zip(solution.counts, problem.nets, strict=True))
    assert paid + main == ending.value * each


@pytest.mark.more
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    "name",  # Casino Hold'em is solved above, with a bonus, and Ultimate Texas Hold'em below
    [pytest.param(name, marks=pytest.mark.long if name.endswith("holdem") else []) for name in DECKS],
)
def test_a_game_of_the_examples_is_solved_as_every_deal_laid_out(name: str) -> None:
    game = load_example(name)
    problem = make_problem(game)
    prepared = prepare_census(game, problem, DECKS[name])
    solution = solve(prepared, problem)
    assert_solved(game, problem, WholeDeals(game, problem, DECKS[name]).play(), solution)
    assert solve(prepared, problem, 3) == solution


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("name", ["casino_holdem", "ultimate_texas_holdem"])
def test_boards_of_four_suits_stand_for_those_like_them(name: str) -> None:
    """With four ranks of four suits the flop is of every pattern of suits."""
    cards = [rank + 13 * suit for rank in (0, 7, 8, 12) for suit in range(4)]
    game = load_example(name)
    problem = make_problem(game)
    prepared = prepare_census(game, problem, cards)
    assert prepared.form.alike
    plain = solve(drop_exchanges(prepared, cards), problem)
    solution = solve(prepared, problem)
    assert (solution.counts, solution.actions) == (plain.counts, plain.actions)
    assert len(prepared.roots) < len(drop_exchanges(prepared, cards).roots) / 8


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "value", "deals", "path", "share"),
    [
        ("caribbean_stud", -1_041_372_912_372, 19_933_230_517_200, "fold", "47.7745"),
        ("casino_holdem", -600_123_513_880, 27_813_810_024_000, "fold", "18.0094"),
        ("ultimate_texas_holdem", -607_723_787_676, 27_813_810_024_000, "check-check-fold", "19.1858"),
    ],
)
def test_a_whole_game_has_its_published_figures(name: str, value: int, deals: int, path: str, share: str) -> None:
    game = load_example(name)
    problem = make_problem(game)
    solution = solve(prepare_census(game, problem, list(game.deck.cards)), problem, 8)
    total = sum(count * net for count, net in zip(solution.counts, problem.nets, strict=True))
    assert (total, sum(solution.counts)) == (60 * value, deals)
    assert f"{100 * solution.actions[path] / deals:.4f}" == share


def test_a_rule_is_the_same_if_only_the_hand_is_another() -> None:
    game = load_example("casino_holdem")
    assert game.showdown
    mine, theirs = game.showdown.mine, game.showdown.theirs
    assert is_same_rule(mine, theirs, ("player",), ("dealer",))
    assert not is_same_rule(mine, theirs, ("flop",), ("dealer",))
    assert not is_same_rule(mine, theirs, ("player", "flop"), ("dealer",))
    assert not is_same_rule(mine, mine, ("player",), ("dealer",))
    assert not is_same_rule(make_closure(1), make_closure(1), ("player",), ("dealer",))


def make_closure(number: int) -> Callable[..., int]:
    """Return a rule that depends on more than its names."""

    def rank(_tables: Any, _state: Any, _options: Any) -> int:
        return number

    return rank
