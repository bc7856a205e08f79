"""Solve ``main`` of a game with a declared showdown by a census of private hands, board by board."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.contract import Game
from pitboss.engine.census_kernel import (
    BELOW,
    CUTS,
    EQUAL,
    TOTAL,
    Board,
    Counting,
    Sums,
    Tree,
    build_census_kernel,
    make_scratch,
)
from pitboss.engine.roots import list_roots
from pitboss.engine.showdown import NoCensusError, ShowdownShape, learn_showdown
from pitboss.engine.symmetry import list_exchanges
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, build_set_steps, number_set
from pitboss.kernels.suit_symmetry import canonicalize
from pitboss.solver_api import SolverProblem

_LANE_BITS = 63


class Census(NamedTuple):
    """A census that is ready to run.

    ``effects[ending][class]`` has for each lane the outcomes that its hands add to, with a factor of 1 or -1.
    """

    game: Game
    shape: ShowdownShape
    roots: IntArray
    weights: IntArray
    board: Board
    tree: Tree
    counting: Counting
    hand_masks: IntArray
    effects: tuple[tuple[tuple[tuple[tuple[int, int], ...], ...], ...], ...]


def prepare_census(game: Game, problem: SolverProblem, cards: Sequence[int]) -> Census:
    """Prepare the census of a game, or of a smaller deck.

    Raises:
        NoCensusError: the game cannot be solved this way (``learn_showdown``), or the counts do not fit a lane.
    """
    shape = learn_showdown(game, problem.options, cards)
    own = sum(len(shape.groups[group].places) for group in shape.own)
    hidden = sum(len(shape.groups[group].places) for group in shape.hidden)
    public = [(stage, group) for stage, groups in enumerate(shape.public) for group in groups]
    root_stage = public[0][0] if public else 0
    root_groups = [group for stage, group in public if stage == root_stage]
    orders = list_exchanges(sum(1 << card for card in cards), keeps_colours=False)
    roots, weights = list_roots(cards, [len(shape.groups[group].places) for group in root_groups], orders)
    effects = tuple(
        tuple(_list_effects(shape, ending, each) for each in range(len(shape.cuts) + 1))
        for ending in range(len(shape.endings))
    )
    width = comb(len(cards), hidden).bit_length()
    if width * (2 + len(shape.dealer_cuts)) > _LANE_BITS:
        raise NoCensusError(f"the counts of {game.id} do not fit a lane", code="no-showdown", game=game.id)
    fields = type(shape.endings[0].state)._fields
    hand_steps = build_same_size_steps(game.deck.size, own)
    steps, sets = build_set_steps(len(cards), min(own, hidden) + 1)
    return Census(
        game,
        shape,
        roots,
        weights,
        Board(
            cards=sum(1 << card for card in cards),
            fields=_find_plain_fields(shape, fields),
            own=_mark_fields(shape, shape.own, fields),
            hidden=_mark_fields(shape, shape.hidden, fields),
            public=np.array([_mark_fields(shape, (group,), fields) for _, group in public]).reshape(-1, len(fields)),
            root_groups=len(root_groups),
            sizes=np.array([len(shape.groups[group].places) for _, group in public], np.int64),
            stages=np.array([stage for stage, _ in public], np.int64),
            root_stage=root_stage,
            leaf_stage=max((stage for stage, _ in public), default=0),
        ),
        _build_tree(game, shape, problem, effects),
        Counting(
            starts=np.array(shape.cuts, np.int64),
            cuts=np.array(shape.dealer_cuts, np.int64),
            hand_steps=hand_steps,
            set_steps=steps,
            sets=sets,
            width=width,
        ),
        _list_hands(cards, own, hand_steps),
        effects,
    )


def _find_plain_fields(shape: ShowdownShape, fields: Sequence[str]) -> IntArray:
    """Return the fields of a state after a showdown's path, without its cards."""
    state = next(ending.state for ending in shape.endings if ending.outcome < 0)
    held = {field for group in shape.groups for field in group.fields}
    return np.array([0 if field in held else getattr(state, field) for field in fields], np.int64)


def _mark_fields(shape: ShowdownShape, groups: Sequence[int], fields: Sequence[str]) -> IntArray:
    """Return 1 for each field of the state that holds the cards of these groups."""
    held = {field for group in groups for field in shape.groups[group].fields}
    return np.array([int(field in held) for field in fields], np.int64)


def _list_hands(cards: Sequence[int], size: int, numbers: IntArray) -> IntArray:
    """Return the hands of ``size`` cards at their numbers; places of other hands have a set of all cards."""
    deck = sum(1 << card for card in cards)
    sets, _ = list_roots(cards, (size,), np.array([[0, 1, 2, 3, 0]]))
    hands = np.full(comb(len(numbers), size), deck, np.int64)
    _write_hands(sets[:, 0], numbers, hands)
    return hands


@kernel
def _write_hands(sets: IntArray, numbers: IntArray, hands: IntArray) -> None:
    for hand in sets:
        hands[number_set(hand, numbers)] = hand


def _list_effects(shape: ShowdownShape, ending: int, own_class: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each lane the outcomes to which its hands are added (1) or from which they are taken (-1).

    The dealer's classes below the player's strength hold the hands between two cuts; the class of the player's own
    strength is split into the weaker, the equal and the stronger hands.
    """
    table = shape.outcomes[ending][own_class]
    lanes: list[list[tuple[int, int]]] = [[] for _ in range(CUTS + len(shape.dealer_cuts))]
    first = -1 if own_class == 0 else shape.cuts[own_class - 1]
    at = sum(cut <= first for cut in shape.dealer_cuts)
    for dealers in range(len(shape.dealer_cuts) + 1):
        low = CUTS + dealers - 1 if dealers else -1  # the lane of the hands below this class; -1: there are none
        high = CUTS + dealers if dealers < len(shape.dealer_cuts) else TOTAL
        below, equal, above = table[dealers]
        parts = [(below, high, 1), (below, low, -1)]
        if dealers == at:
            parts = [(below, BELOW, 1), (below, low, -1), (equal, EQUAL, 1)]
            parts += [(above, high, 1), (above, BELOW, -1), (above, EQUAL, -1)]
        for outcome, lane, sign in parts:
            if lane >= 0:
                lanes[lane].append((outcome, sign))
    return tuple(tuple(lane) for lane in lanes)


def _build_tree(game: Game, shape: ShowdownShape, problem: SolverProblem, effects: Any) -> Tree:
    """Build the tree of decisions from the paths."""
    endings = len(shape.endings)
    nodes: dict[tuple[int | None, ...], int] = {}
    for ending in shape.endings:
        for asked, action in enumerate(ending.actions):
            if action is not None:
                nodes.setdefault(ending.actions[:asked], len(nodes))
    names = list(nodes)
    width = max(len(decision.actions) for decision in game.decisions)
    children, parents = np.full((len(nodes), width), -1, np.int64), np.full(len(nodes), -1, np.int64)
    for index, ending in enumerate(shape.endings):
        steps = [step for step, action in enumerate(ending.actions) if action is not None]
        for step, following in pairwise(steps):
            node, child = nodes[ending.actions[:step]], nodes[ending.actions[:following]]
            children[node, ending.actions[step]] = endings + child
            parents[child] = node
        children[nodes[ending.actions[: steps[-1]]], ending.actions[steps[-1]]] = index
    stages = np.array([len(name) for name in names], np.int64)
    worth = np.array(
        [
            [[sum(problem.nets[outcome] * sign for outcome, sign in lane) for lane in each] for each in ending]
            for ending in effects
        ],
        np.int64,
    )
    early = np.array(
        [
            any(
                stages[node] == stage and any(0 <= child < endings for child in children[node])
                for node in range(len(names))
            )
            for stage in range(len(game.decisions) + 1)
        ],
        np.int64,
    )
    return Tree(stages, parents, children, endings, worth, early)


@cache
def get_census_kernel(game: Game, own: int, hidden: int) -> Any:
    """Return the compiled census of a game with so many private cards."""
    if game.showdown is None:
        raise NoCensusError(f"{game.id} declares no showdown", code="no-showdown", game=game.id)
    state = game.rules.deal(list(game.deck.cards), 1, 0, 1)
    return build_census_kernel(game.showdown, type(state), len(state), own, hidden)


def count_roots(census: Census, problem: SolverProblem, start: int, stop: int) -> tuple[Sums, int]:
    """Count the boards under some roots; return the sums and the number of boards."""
    shape, tree = census.shape, census.tree
    own = sum(len(shape.groups[group].places) for group in shape.own)
    hidden = sum(len(shape.groups[group].places) for group in shape.hidden)
    lanes, classes = CUTS + len(shape.dealer_cuts), len(shape.cuts) + 1
    hands = len(census.hand_masks)
    before = [stage for stage in range(census.board.leaf_stage) if tree.early[stage]]
    inner = len(tree.stages) > 1
    sums = Sums(
        final=np.zeros((tree.endings, classes, lanes), np.int64),
        shared=np.zeros((census.board.leaf_stage if before else 0, hands, classes, lanes), np.int64),
        chosen=np.zeros((len(tree.stages) if inner else 0, hands, tree.endings, classes, lanes), np.int64),
        equal=np.zeros(len(tree.stages), np.int64),
    )
    fields, most_hidden = len(census.board.fields), comb(census.board.cards.bit_count(), hidden)
    boards = get_census_kernel(census.game, own, hidden)(
        load_hand_tables(),
        problem.options,
        census.board,
        tree,
        sums,
        census.counting,
        make_scratch(hands, most_hidden, own, hidden, len(shape.dealer_cuts), fields, census.counting.sets),
        census.hand_masks,
        np.zeros(len(census.board.sizes), np.int64),
        census.roots[start:stop],
        census.weights[start:stop],
    )
    return sums, int(boards)


def count_outcomes(census: Census, final: IntArray) -> list[int]:
    """Return the deals of each outcome of main, from the final sums."""
    counts = [0] * len(census.game.main.outcomes)
    for ending, classes in enumerate(census.effects):
        for own_class, lanes in enumerate(classes):
            for lane, effects in enumerate(lanes):
                for outcome, sign in effects:
                    counts[outcome] += sign * int(final[ending, own_class, lane])
    return counts


def add_by_class(census: Census, sums: Sums) -> list[list[Any]]:
    """Return the sums as lists of whole numbers, those by hand added up by class of suits.

    They are the final sums, the counters of equal positions, and where the first decision comes before all public
    cards, for each of its actions the sums by class, ending, class of strength and lane.
    """
    tree = census.tree
    if tree.stages[0] >= census.board.root_stage:
        return [sums.final.tolist(), sums.equal.tolist(), []]
    _, classes = np.unique([canonicalize(mask) for mask in census.hand_masks.tolist()], return_inverse=True)
    by_action = []
    for child in tree.children[0]:
        if child >= tree.endings:
            added = sums.chosen[child - tree.endings]
        else:
            added = np.zeros((len(classes), *sums.final.shape), np.int64)
            if child >= 0:
                added[:, child] = sums.shared[tree.stages[0]]
        total = np.zeros((classes.max() + 1, *sums.final.shape), np.int64)
        np.add.at(total, classes, added)
        by_action.append(total.tolist())
    return [sums.final.tolist(), sums.equal.tolist(), by_action]


def decide_first(census: Census, by_action: Any) -> tuple[Any, int]:
    """Decide at a root that comes before all public cards; return the sums chosen and the number of equal positions.

    The sums are over one board of each class, weighed: those of a whole class of hands together are over all boards.
    """
    totals = np.array(by_action, object)
    worth = census.tree.worth.astype(object)
    chosen, equal = np.zeros(totals.shape[2:], object), 0
    for of_class in range(totals.shape[1]):
        values = [
            (totals[action, of_class] * worth).sum() if child >= 0 else None
            for action, child in enumerate(census.tree.children[0])
        ]
        best = max(value for value in values if value is not None)
        equal += values.count(best) > 1 and totals[values.index(best), of_class].any()
        chosen = chosen + totals[values.index(best), of_class]
    return chosen, equal
