"""Solve ``main`` by a visit of every deal, up to an exchange of suits."""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.contract import Game
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.rule import no_cards, no_draws
from pitboss.engine.information_checks import verify_rules
from pitboss.engine.paths import DECKS, compute_common_deal_count, list_paths
from pitboss.engine.places import (
    PlaceGroup,
    deal_one_seat,
    find_known,
    learn_place_groups,
    list_counted_wagers,
    split_known,
)
from pitboss.engine.roots import list_roots
from pitboss.engine.symmetry import list_exchanges
from pitboss.engine.walk import build_walk_kernel
from pitboss.engine.walk_faults import verify_walk
from pitboss.engine.walk_state import (
    CATEGORIES,
    NOTHING,
    TAKEN,
    DeckPositions,
    WalkCounters,
    WalkData,
    WalkInput,
    WalkState,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import SolverProblem

_LARGEST = 1 << 62

_DECKS_OF_DRAWS = 60
"""How many deals of a game with draws tell how many cards can be drawn."""


class Visit(NamedTuple):
    """A visit that is ready to run.

    ``first`` are the groups seen at the first decision; ``roots`` has their cards, a row of all groups for each class,
    and ``weights`` how many sets each stands for.  Each set is counted as ``scale`` deals: a number that all the ways
    in which a round can go on divide.
    """

    game: Game
    cards: tuple[int, ...]
    groups: tuple[PlaceGroup, ...]
    first: tuple[int, ...]
    roots: IntArray
    weights: IntArray
    scale: int
    walk_input: WalkInput
    places: DeckPositions


def prepare_visit(
    game: Game,
    problem: SolverProblem,
    cards: Sequence[int],
    known: Sequence[int] = (),
    *,
    tells_colours: bool = False,
    lists_roots: bool = True,
) -> Visit:
    """Prepare the visit of a game, or of a smaller deck.

    ``known`` are places that the seat knows before its first decision, beyond those that it sees.  With
    ``tells_colours``, suits are exchanged only if red stays red or becomes black as a whole.  Without ``lists_roots``,
    the visit is ready for single positions only.

    Raises:
        PitbossError: ``deal`` writes something other than cards (``learn_place_groups``), or the rules do what cannot
            be solved (``verify_rules``).
        MagnitudeError: the sums do not fit 64 bits.
    """
    groups = split_known(learn_place_groups(game), known)
    verify_rules(game, problem.options, tuple(cards))
    deals = list_paths(game, problem.options, groups, cards, DECKS if _draws_nothing(game) else _DECKS_OF_DRAWS)
    seen = frozenset.intersection(*(paths[0].seen[0] for paths in deals))
    first = tuple(sorted(seen | find_known(groups, known)))
    unseen = [len(group.places) for index, group in enumerate(groups) if index not in first]
    scale = compute_common_deal_count(deals, unseen, len(cards) - sum(len(groups[group].places) for group in first))
    keeps_colours = tells_colours or any(game.wagers[index].depends_on_colour for index in list_counted_wagers(game))
    exchanges = list_exchanges(sum(1 << card for card in cards), keeps_colours=keeps_colours)
    sizes = [len(groups[group].places) for group in first]
    none = np.zeros((0, len(sizes)), np.int64), np.ones(0, np.int64)
    sets, weights = list_roots(cards, sizes, exchanges) if lists_roots else none
    roots = np.zeros((len(sets), len(groups)), np.int64)
    roots[:, first] = sets
    most = sum(max(map(abs, map(int, row))) for row in _collect_nets(game, problem))
    if scale * max(int(sum(weights)), 1) * max(most, 1) >= _LARGEST:
        raise MagnitudeError(
            f"the sums over the deals of {game.id} do not fit 64 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            game=game.id,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    return Visit(
        game,
        tuple(cards),
        groups,
        first,
        roots,
        weights,
        scale,
        _make_walk_input(game, problem, cards, exchanges),
        _make_places(groups, len(cards)),
    )


def prepare_positions(
    game: Game, problem: SolverProblem, cards: Sequence[int], known: Sequence[int], *, apart: bool = False
) -> Visit:
    """Prepare a visit without roots, for positions that somebody else deals.

    ``apart`` is as in ``split_known``.

    Raises:
        PitbossError: the rules do what cannot be solved (``prepare_visit``).
    """
    groups = split_known(learn_place_groups(game), known, apart=apart)
    verify_rules(game, problem.options, tuple(cards))
    paths = list_paths(game, problem.options, groups, cards)[0]
    none = np.zeros((0, len(groups)), np.int64)
    walk_input = _make_walk_input(game, problem, cards, np.array([[0, 1, 2, 3, 0]]))
    first, places = tuple(sorted(paths[0].seen[0] | find_known(groups, known))), _make_places(groups, len(cards))
    return Visit(game, tuple(cards), groups, first, none, none[:, 0], 1, walk_input, places)


def _make_walk_input(game: Game, problem: SolverProblem, cards: Sequence[int], exchanges: IntArray) -> WalkInput:
    counted = list_counted_wagers(game)
    return WalkInput(
        cards=sum(1 << card for card in cards),
        spare=len(cards) - game.rules.count_dealt(1) - game.undrawable_cards,
        wagered=sum(1 << index for index in counted),
        nets=_collect_nets(game, problem),
        sizes=np.array([len(wager.outcomes) for wager in game.wagers]),
        staked=np.array([0, *(index for index, wager in enumerate(game.wagers) if wager.id in problem.side_nets)]),
        counted=np.array(counted),
        order=_order_actions(game),
        discards=_list_discards(game),
        exchanges=exchanges,
        numbers=tuple(problem.strategy.numbers) if problem.strategy else (),
    )


def _make_places(groups: Sequence[PlaceGroup], deck: int) -> DeckPositions:
    return DeckPositions(
        np.cumsum([0, *(len(group.places) for group in groups)]),
        np.array([place for group in groups for place in group.places]),
        np.array([[min(comb(n, k), _LARGEST) for k in range(deck + 1)] for n in range(deck + 1)]),
    )


def _draws_nothing(game: Game) -> bool:
    """Tell whether no card comes from the stub."""
    return game.rules.count_draws is no_draws and game.rules.count_dealer_draws is no_cards


def _collect_nets(game: Game, problem: SolverProblem) -> IntArray:
    nets = np.zeros((len(game.wagers), max(len(wager.outcomes) for wager in game.wagers)), np.int64)
    nets[0, : len(problem.nets)] = problem.nets
    for index, wager in enumerate(game.wagers):
        staked = problem.side_nets.get(wager.id, ())
        nets[index, : len(staked)] += np.array(staked, np.int64)
    return nets


def _order_actions(game: Game) -> IntArray:
    """Return the actions of each decision as equal ones are booked.

    Those that draw least come first (ALL-9).
    """
    order = np.full((len(game.decisions), _count_most_actions(game)), -1, np.int64)
    for index, decision in enumerate(game.decisions):
        ranked = sorted(range(len(decision.actions)), key=lambda action: decision.actions[action].draws)
        order[index, : len(ranked)] = ranked
    return order


def _list_discards(game: Game) -> IntArray:
    discards = np.zeros((len(game.decisions), _count_most_actions(game)), np.int64)
    for index, decision in enumerate(game.decisions):
        discards[index, : len(decision.actions)] = [action.discards for action in decision.actions]
    return discards


def _count_most_actions(game: Game) -> int:
    return max((len(decision.actions) for decision in game.decisions), default=0)


def make_walk(visit: Visit) -> WalkState:
    """Make the scratch of a walk, at its start."""
    decisions, groups, dealt = len(visit.game.decisions), len(visit.groups), visit.game.rules.count_dealt(1)
    path = np.zeros((decisions, 3), np.int64)
    path[:, TAKEN] = NOTHING
    fields = len(visit.game.rules.view(deal_one_seat(visit.game, visit.cards)))
    return WalkState(
        deck=np.zeros(max(dealt, *(place + 1 for group in visit.groups for place in group.places)), np.int64),
        held=np.zeros(groups, np.int64),
        path=path,
        dealer=np.zeros(2, np.int64),
        root=np.ones(1, np.int64),
        known=np.zeros(fields + 2 * decisions + groups, np.int64),
    )


def make_tally(game: Game) -> WalkCounters:
    """Make counters, all 0."""
    paths = 1
    for decision in game.decisions:
        paths *= len(decision.actions) + 1
    most, actions = max(len(wager.outcomes) for wager in game.wagers), _count_most_actions(game)
    return WalkCounters(
        np.zeros((len(game.wagers), most, 2), np.int64),
        np.zeros(paths, np.int64),
        np.zeros(len(game.decisions), np.int64),
        np.zeros((len(game.decisions), actions, actions, CATEGORIES, 2), np.int64),
        np.zeros(1, np.int64),
        np.zeros(2, np.int64),
    )


def make_walk_data(visit: Visit, options: Any) -> WalkData:
    """Make what a walk of a visit reads and writes, at its start."""
    return WalkData(
        load_hand_tables(), options, visit.walk_input, visit.places, make_walk(visit), make_tally(visit.game)
    )


def visit_roots(visit: Visit, problem: SolverProblem, start: int, stop: int) -> tuple[int, WalkCounters]:
    """Visit the deals of some roots; return the best play's value and counts.

    Raises:
        PitbossError: the rules or the strategy do what cannot be solved (``verify_walk``).
    """
    data = make_walk_data(visit, problem.options)
    walk_roots = build_walk_kernel(visit.game, problem.strategy and problem.strategy.choose)
    value = walk_roots(data, visit.roots[start:stop], visit.weights[start:stop], visit.scale, 1)
    verify_walk(visit.game, data.tally, problem.strategy)
    return int(value), data.tally
