"""Solve ``main`` of a game with a showdown before which one card is drawn.

Every first hand up to suits is played with every action, discard and draw.  What the dealer's hands do against each is
asked once for all (``draw_counts.DisjointQueries``), by inclusion and exclusion over classes of sets.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import make_mask
from pitboss.contract import Game
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.engine.census_tree import count_effects, list_effects, value_lanes
from pitboss.engine.census_types import TOTAL
from pitboss.engine.class_counts import CUTS, RankedHands, sort_hands
from pitboss.engine.draw_counts import DisjointQueries, count_against, number_sets, run_queries
from pitboss.engine.draw_kernels import (
    BAD_CHOICE,
    BAD_DRAW,
    BAD_STRENGTH,
    DrawChoices,
    DrawSums,
    build_dealer_kernel,
    build_decision_kernel,
    build_query_kernel,
)
from pitboss.engine.draw_shape import NOT_ASKED, DrawShape, learn_draws, reach_player
from pitboss.engine.mistakes import iter_rows, list_mistakes
from pitboss.engine.paths import name_paths
from pitboss.engine.roots import list_roots
from pitboss.engine.rule_errors import make_illegal_choice_error
from pitboss.engine.showdown_outcomes import NoCensusError, make_strength_error
from pitboss.engine.symmetry import exchange_cards, list_exchanges
from pitboss.engine.visit import Visit, make_tally, make_walk, prepare_visit
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.kernels.class_numbering import build_class_numbers
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import ActionValue, Solution, SolverProblem

_LARGEST = 1 << 62
_ROWS = 1 << 14
"""How many sets are asked about at a time: their queries are counted only then."""

_MOST_QUESTIONS = 1 << 24

_ALL = 63
"""The column of all hands, after those of each card."""


class DrawCensus(NamedTuple):
    """A census with one card drawn that is ready to run, on the cards of a visit.

    ``learned`` is what the rules say of the deal and the draw, ``choices`` what the kernels read of it, and ``effects``
    lists the effects of each ending on the outcomes, in the order of ``DrawSums.final``.
    """

    visit: Visit
    learned: DrawShape
    choices: DrawChoices
    effects: Any


def prepare_draws(game: Game, problem: SolverProblem, cards: Sequence[int]) -> DrawCensus:
    """Prepare the census of a game, or of a smaller deck.

    Raises:
        NoCensusError: the game cannot be solved this way (``learn_draws``).
        PitbossError: the rules do what cannot be solved (``prepare_visit``).
        MagnitudeError: the sums do not fit 64 bits.
    """
    visit = prepare_visit(game, problem, cards, lists_roots=False)
    exchanges = list_exchanges(visit.walk_input.cards, keeps_colours=False)  # those of side wagers may be fewer
    visit = visit._replace(walk_input=visit.walk_input._replace(exchanges=exchanges))
    learned = learn_draws_once(game, problem.options, tuple(cards))
    effects, deck = list_effects(learned.shape), len(cards)
    free, theirs = deck - learned.own, learned.theirs
    worth = value_lanes(problem.nets, effects)
    endings = np.array(learned.endings, np.int64)
    choices = DrawChoices(
        endings=endings,
        compared=np.array([each >= 0 and learned.shape.endings[each].outcome < 0 for each in endings], np.int64),
        worth=worth,
        starts=np.array(learned.shape.cuts, np.int64),
        drawn=comb(free - 1, theirs),
        kept=comb(free, theirs),
        spread=free - theirs,
    )
    if comb(deck, learned.own) * choices.kept * choices.spread * worth.shape[2] * int(abs(worth).max()) >= _LARGEST:
        raise MagnitudeError(
            f"the sums over the deals of {game.id} do not fit 64 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            game=game.id,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    return DrawCensus(visit, learned, choices, effects)


def solve_draws(census: DrawCensus, problem: SolverProblem) -> Solution:
    """Play every first hand with its best choice, or by the problem's strategy.

    Raises:
        NoCensusError: more than a sample of deals shows that the game cannot be solved this way.
        StrategyError: the strategy takes an action that is not legal.
    """
    visit, learned, choices, strategy = census.visit, census.learned, census.choices, problem.strategy
    game = visit.game
    queries = _run_all_queries(census, problem, rank_dealers(game, problem.options, visit.cards))
    firsts, weights = list_roots(visit.cards, (learned.own,), visit.walk_input.exchanges)
    one, best, followed = (np.zeros(choices.worth.shape[1:], np.int64) for _ in range(3))
    mistakes = make_tally(game).mistakes
    sums = DrawSums(np.zeros_like(choices.worth), one, best, followed, np.zeros(1, np.int64), mistakes)
    fault = build_decision_kernel(game, learned, strategy and strategy.choose)(
        load_hand_tables(), problem.options, visit.walk_input, make_walk(visit), tuple(learned.base), choices, queries,
        firsts[:, 0].copy(), weights, sums,
    )  # fmt: skip
    if fault == BAD_CHOICE and strategy:
        raise make_illegal_choice_error(game, strategy, 0)
    if fault:
        raise _make_fault_error(game, int(fault))
    deals = sums.final[:, :, TOTAL].sum(axis=1).tolist()
    paths = [ending.actions for ending in learned.shape.endings]
    return Solution(
        counts=tuple(count_effects(game, census.effects, sums.final)),
        actions=name_paths(game, zip(paths, deals, strict=True)),
        equal_value_positions=int(sums.equal[0]),
        mistakes=list_mistakes(game, iter_rows(mistakes)),
    )


def _run_all_queries(census: DrawCensus, problem: SolverProblem, dealers: RankedHands) -> DisjointQueries:
    """List the queries about all first hands, and run them."""
    visit, learned = census.visit, census.learned
    numbers = build_class_numbers(visit.walk_input.cards, learned.own + 1)
    parts = [_list_queries(census, problem, draws) for draws in (0, 1)]
    sets = np.concatenate([each[0] for each in parts])
    counts, strengths = (np.concatenate([each[at] for each in parts]) for at in (1, 2))
    del parts
    places = np.full(numbers.classes, -1, np.int64)
    number_sets(numbers, sets, places)
    cuts, largest = np.array(learned.shape.dealer_cuts, np.int64), min(learned.own + 1, learned.theirs)
    queries = DisjointQueries(
        numbers,
        places,
        np.concatenate([[0], np.cumsum(counts)]),
        np.repeat(sets, counts),
        strengths,
        np.zeros((len(strengths), CUTS + len(cuts)), np.int64),
    )
    table = np.zeros((numbers.classes, queries.answers.shape[1]), np.int64)
    order = np.argsort(strengths, kind="stable")
    run_queries(queries, order, dealers, cuts, largest, table)
    return queries


def _list_queries(census: DrawCensus, problem: SolverProblem, draws: int) -> tuple[IntArray, IntArray, IntArray]:
    """List the queries about hands after that many draws.

    Return the sets of cards held, how many queries each has, and these queries' strengths.
    """
    visit, learned, game = census.visit, census.learned, census.visit.game
    sets = list_roots(visit.cards, (learned.own + draws,), visit.walk_input.exchanges)[0][:, 0].copy()
    counts, found, list_queries = np.zeros(len(sets), np.int64), [], build_query_kernel(game, learned)
    discards = [comb(learned.own, action.discards) for action in game.decisions[0].actions]
    room = np.zeros(_ROWS * (1 + learned.own * draws) * (1 + sum(discards)), np.int64)
    arguments = load_hand_tables(), problem.options, visit.walk_input, tuple(learned.base), census.choices
    for start in range(0, len(sets), _ROWS):
        part = slice(start, start + _ROWS)
        listed = int(list_queries(*arguments, sets[part], draws, counts[part], room))
        if listed < 0:
            raise _make_fault_error(game, listed)
        found.append(room[:listed].copy())
        if sum(map(len, found)) > _MOST_QUESTIONS:
            raise NoCensusError(
                f"{game.id} has more than {_MOST_QUESTIONS:,} different hands after a draw",
                code="no-showdown",
                game=game.id,
            )
    return sets, counts, np.concatenate(found)


@lru_cache(maxsize=2)
def rank_dealers(game: Game, options: Any, cards: tuple[int, ...]) -> RankedHands:
    """Rank every final hand of the dealer's up to suits.

    Raises:
        NoCensusError: it matters which of the cards the dealer drew, or a strength does not fit 31 bits.
    """
    learned = learn_draws_once(game, options, cards)
    exchanges = list_exchanges(make_mask(cards), keeps_colours=False)
    sets, weights = list_roots(cards, (learned.theirs,), exchanges)
    masks, strengths = sets[:, 0].copy(), np.zeros(len(sets), np.int64)
    if not build_dealer_kernel(game, learned)(load_hand_tables(), options, tuple(learned.base), masks, strengths):
        raise NoCensusError(f"it matters in {game.id} which card the dealer drew", code="no-showdown", game=game.id)
    if strengths.min() < 0 or int(strengths.max()) >> 31:
        raise _make_fault_error(game, BAD_STRENGTH)
    return sort_hands(masks, weights, strengths)[0]


class _Draw(NamedTuple):
    """An action with the cards given up, and one card drawn or none (0)."""

    action: int
    given: int
    drawn: int


def value_draws(
    game: Game, problem: SolverProblem, cards: tuple[int, ...], first: int, legal: int
) -> tuple[ActionValue, ...]:
    """Return the mean net of each legal choice with one first hand.

    The dealer's hands without these cards are counted once, by strength and card: so those without a card drawn are
    known too.
    """
    learned = learn_draws_once(game, problem.options, cards)
    worth = value_lanes(problem.nets, list_effects(learned.shape))
    choices = {
        (index, given): list(_iter_draws(game, problem, learned, cards, first, index, given))
        for index, action in enumerate(game.decisions[0].actions)
        if legal >> index & 1
        for given in _iter_subsets(first, action.discards)
    }
    strengths = {draw: _rank(game, problem, learned, first, draw) for draws in choices.values() for draw in draws}
    steps = sorted({*strengths.values(), *learned.shape.dealer_cuts})
    counted = _count_against(rank_dealers(game, problem.options, cards), cards, first, steps)
    values = []
    for (index, given), draws in choices.items():
        deals, total, ending = 0, 0, learned.endings[index - NOT_ASKED]
        for draw in draws:
            mine, column = strengths[draw], draw.drawn.bit_length() - 1
            lanes = counted[:, _ALL] - (counted[:, column] if draw.drawn else 0)
            at = 2 * steps.index(mine)
            cuts = [lanes[2 * steps.index(cut)] for cut in learned.shape.dealer_cuts]
            each = np.array([lanes[-1], lanes[at], lanes[at + 1] - lanes[at], *cuts])
            deals += int(lanes[-1])
            total += int(each @ worth[ending, sum(cut <= mine for cut in learned.shape.cuts)])
        values.append(ActionValue(game.decisions[0].actions[index].id, given, Fraction(total, deals)))
    return tuple(values)


def _iter_subsets(held: int, size: int) -> Iterator[int]:
    """Yield each set of ``size`` of the cards held."""
    for chosen in combinations([card for card in range(held.bit_length()) if held >> card & 1], size):
        yield make_mask(chosen)


def _iter_draws(
    game: Game, problem: SolverProblem, learned: DrawShape, cards: Sequence[int], first: int, action: int, given: int
) -> Iterator[_Draw]:
    """Yield each card that can be drawn after an action, or that none is."""
    start = learned.base._replace(**dict.fromkeys(learned.shape.groups[learned.shape.own].fields, first))
    after = game.rules.act(start, 0, action, given)
    draws = game.rules.count_draws(load_hand_tables(), after, problem.options)
    for drawn in _iter_subsets(make_mask(cards) & ~first, draws):
        yield _Draw(action, given, drawn)


def _rank(game: Game, problem: SolverProblem, learned: DrawShape, first: int, draw: _Draw) -> int:
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    return int(game.showdown.mine(load_hand_tables(), reach_player(game, learned, first, draw), problem.options))


def _count_against(dealers: RankedHands, cards: Sequence[int], first: int, steps: Sequence[int]) -> IntArray:
    """Count the dealer's hands that have no card of ``first``, by card and in all.

    Rows 2 i are of those weaker than step i, rows 2 i + 1 of those not stronger, the last row of all.
    """
    exchanges = list_exchanges(make_mask(cards), keeps_colours=False)
    becomes = np.zeros((len(exchanges), _ALL), np.int64)
    for row, exchange in zip(becomes, exchanges.tolist(), strict=True):
        row[list(cards)] = [exchange_cards(1 << card, exchange).bit_length() - 1 for card in cards]
    avoided = np.array([make_mask([card for card in cards if first >> row[card] & 1]) for row in becomes.tolist()])
    counts = np.zeros((2 * len(steps) + 1, _ALL + 1), np.int64)
    count_against(dealers, becomes, avoided, np.array(steps, np.int64), counts)
    summed: IntArray = counts.cumsum(axis=0)
    return summed


@lru_cache(maxsize=8)
def learn_draws_once(game: Game, options: Any, cards: tuple[int, ...]) -> DrawShape:
    """Return what ``learn_draws`` does, and keep it."""
    return learn_draws(game, options, cards)


@lru_cache(maxsize=8)
def can_value_draws(game: Game, options: Any, cards: tuple[int, ...]) -> bool:
    """Tell whether positions of a game can be valued by ``value_draws``."""
    try:
        rank_dealers(game, options, cards)
    except NoCensusError:
        return False
    return True


def solve_whole(game_id: str, problem: SolverProblem) -> Solution:
    """Solve a game with its own deck, as ``solve_draws`` does."""
    game = load_game(game_id)
    return solve_draws(prepare_draws(game, problem, game.deck.cards), problem)


def _make_fault_error(game: Game, fault: int) -> NoCensusError:
    if fault == BAD_STRENGTH:
        return make_strength_error(game)
    if fault == BAD_DRAW:
        return NoCensusError(f"more than one card is drawn in {game.id}", code="no-showdown", game=game.id)
    return NoCensusError(
        f"an action of {game.id} is legal with very few hands only, or with some hands no action is legal",
        code="no-showdown",
        game=game.id,
    )
