"""Solve ``main`` of a game with a declared showdown by a census of hands."""

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.contract import Game, RuleFunction
from pitboss.core.errors import WagerError
from pitboss.engine.census_callbacks import build_callbacks
from pitboss.engine.census_classes import count_classes
from pitboss.engine.census_follow import FollowedStrategy
from pitboss.engine.census_kernel import BAD_STRENGTH, build_census_kernel
from pitboss.engine.census_record import PlayRecorder
from pitboss.engine.census_rows import make_rows
from pitboss.engine.census_side_wagers import CountedSideWagers, add_side_worth, learn_side_wagers
from pitboss.engine.census_tree import Effects, build_tree, count_effects, list_effects
from pitboss.engine.census_types import (
    CUTS,
    DIGITS,
    MOST_KEPT_NUMBERS,
    MOST_SORTED_ONCE,
    PASSES,
    TOTAL,
    CensusArrays,
    CensusBoards,
    CensusWorkspace,
    CountingTables,
    DecisionTree,
    KernelShape,
    LaneSums,
    PrivateHands,
    SumRows,
)
from pitboss.engine.information_checks import verify_rules
from pitboss.engine.paths import count_ways
from pitboss.engine.places import clear_cards
from pitboss.engine.roots import list_roots
from pitboss.engine.showdown import ShowdownShape, explain_why_not_listed, learn_showdown
from pitboss.engine.showdown_outcomes import NoCensusError, make_strength_error
from pitboss.engine.symmetry import list_exchanges
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, build_set_steps
from pitboss.solver_api import FirstValue, SolverProblem

_WORD_BITS, _LANE_BITS = 62, 63
_MOST_BYTES = 1 << 30


class Census(NamedTuple):
    """A census that is ready to run.

    ``roots[root, group]`` has the sets of public cards known at first, up to suits, and ``weights[root]`` how many sets
    each stands for.  ``effects`` lists the outcomes by ending, class and lane; ``main_worth`` is ``tree.worth`` of main
    alone, in units of the nets, where ``tree.worth`` also has the side wagers that are staked.  ``sides`` are the side
    wagers counted along, None without any.
    """

    game: Game
    shape: ShowdownShape
    form: KernelShape
    roots: IntArray
    weights: IntArray
    boards: CensusBoards
    tree: DecisionTree
    rows: SumRows
    counting: CountingTables
    effects: Effects
    main_worth: IntArray
    sides: CountedSideWagers | None


def prepare_census(game: Game, problem: SolverProblem, cards: Sequence[int], known: Sequence[int] = ()) -> Census:
    """Prepare the census of a game, or of a smaller deck.

    ``known`` are places of the deck that the seat knows before its first decision, beyond those that it sees.

    Raises:
        NoCensusError: the game cannot be solved this way (``learn_showdown``), or its counts do not fit 64 bits, or
            its sums a gigabyte.
        PitbossError: the rules do what cannot be solved (``verify_rules``).
    """
    verify_rules(game, problem.options, tuple(cards))
    shape = learn_showdown(game, problem.options, cards, known)
    boards, effects = _make_boards(shape, cards), list_effects(shape)
    tree = build_tree(shape, problem.nets, effects)
    counting = _make_counting(shape, cards)
    sides, counted = learn_side_wagers(game, shape, problem, cards)
    exchanges = boards.exchanges
    roots, weights = list_roots(cards, boards.sizes[: boards.root_groups].tolist(), exchanges)
    form, main_worth = _make_form(shape, tree, boards, len(cards), len(roots)), tree.worth
    if sides:
        paid = [problem.side_nets.get(bet, ()) for bet in counted]
        form = form._replace(sides=sides.numbers)
        tree = tree._replace(worth=add_side_worth(tree.worth, sides, paid))
    rows = make_rows(cards, form, tree, exchanges)
    census = Census(game, shape, form, roots, weights, boards, tree, rows, counting, effects, main_worth, sides)
    _verify_sizes(census, len(cards))
    return census


def _make_boards(shape: ShowdownShape, cards: Sequence[int]) -> CensusBoards:
    """Describe how the public cards come."""
    public = [(stage, group) for stage, groups in enumerate(shape.public) for group in groups]
    stages = sorted({stage for stage, _ in public})
    state = next(ending.state for ending in shape.endings if ending.outcome < 0)
    fields = type(state)._fields
    marks = [[int(field in shape.groups[group].fields) for field in fields] for _, group in public]
    deck = sum(1 << card for card in cards)
    return CensusBoards(
        cards=deck,
        exchanges=list_exchanges(deck, keeps_colours=False),
        root_groups=sum(stage == stages[0] for stage, _ in public),
        sizes=np.array([len(shape.groups[group].places) for _, group in public], np.int64),
        levels=np.array([1 + stages.index(stage) for stage, _ in public], np.int64),
        leaf=max(1, len(stages)),
        base=np.array(clear_cards(shape.groups, state), np.int64),
        public=np.array(marks, np.int64).reshape(-1, len(fields)),
    )


def _make_counting(shape: ShowdownShape, cards: Sequence[int]) -> CountingTables:
    """Make the tables of a census."""
    own, hidden = len(shape.groups[shape.own].places), len(shape.groups[shape.hidden].places)
    public = sum(len(shape.groups[group].places) for groups in shape.public for group in groups)
    total = comb(len(cards) - public - own, hidden)
    steps, sets = build_set_steps(len(cards), min(own, hidden) + 1)
    of_card = np.zeros(64, np.int64)
    of_card[sorted(cards)] = range(len(cards))
    return CountingTables(
        starts=np.array(shape.cuts, np.int64),
        cuts=np.array(shape.dealer_cuts, np.int64),
        of_card=of_card,
        hand_steps=build_same_size_steps(len(cards), own),
        set_steps=steps.astype(np.uint64),
        sets=sets,
        width=total.bit_length(),
        lane=(1 << total.bit_length()) - 1,
        total=total,
    )


def _make_form(shape: ShowdownShape, tree: DecisionTree, boards: CensusBoards, cards: int, roots: int) -> KernelShape:
    """Say what the census must be compiled for."""
    own, hidden = shape.groups[shape.own], shape.groups[shape.hidden]
    fields = type(shape.endings[0].state)._fields
    direct, most = bool(tree.levels[0] == boards.leaf), comb(cards, len(own.places))
    numbered, listed = (
        comb(cards, len(each.places)) << len(each.places) <= MOST_KEPT_NUMBERS for each in (own, hidden)
    )
    return KernelShape(
        own=len(own.places),
        hidden=len(hidden.places),
        own_fields=tuple(fields.index(field) for field in own.fields),
        hidden_fields=tuple(fields.index(field) for field in hidden.fields),
        fields=len(fields),
        lanes=CUTS + len(shape.dealer_cuts),
        direct=direct,
        sorted_once=shape.blind and direct and roots > len(boards.exchanges) and most <= MOST_SORTED_ONCE,
        alike=shape.alike and listed and not direct,
        numbered=numbered and not direct,
        listed=listed,
        classes=shape.classes,
        rooted=boards.root_groups == len(boards.sizes),
    )


def _verify_sizes(census: Census, cards: int) -> None:
    """Verify that the sums fit their integers and the memory.

    Raises:
        NoCensusError: they do not.
    """
    game, counting = census.game, census.counting
    deals = counting.total * count_ways((*census.boards.sizes.tolist(), census.form.own), cards)
    value = deals * census.form.lanes * max(1, int(np.abs(census.tree.worth).max()))
    packed = 0 if census.form.classes else counting.width * (census.form.lanes - 1)
    if packed > _LANE_BITS or value.bit_length() > _WORD_BITS:
        raise NoCensusError(f"the counts of {game.id} do not fit 64 bits", code="no-showdown", game=game.id)
    kept = int(census.rows.levels[-1] + census.rows.nodes[-1] * census.tree.endings)
    if 8 * kept * (len(counting.starts) + 1) * census.form.sides * census.form.lanes > _MOST_BYTES:
        raise NoCensusError(f"the sums of {game.id} need more than a gigabyte", code="no-showdown", game=game.id)


@cache
def get_census_kernel(game: Game, form: KernelShape, choose: RuleFunction | None = None) -> Any:
    """Return the compiled census of a game.

    ``choose`` is the rule of the strategy that it follows.
    """
    if game.showdown is None:
        raise NoCensusError(f"{game.id} declares no showdown", code="no-showdown", game=game.id)
    state = game.rules.deal(list(game.deck.cards), 1, 0, 1)
    return build_census_kernel(game.showdown, type(state), form, build_callbacks(game, form, choose))


def count_roots(
    census: Census,
    problem: SolverProblem,
    start: int,
    stop: int,
    record: PlayRecorder | None = None,
    follow: FollowedStrategy | None = None,
) -> tuple[LaneSums, int]:
    """Count the boards under some roots; return the sums and the number of boards.

    The best play is written into ``record``, which must be given if and only if ``census.form.records``; with
    ``follow`` the problem's strategy is followed (``census.form.plays``).

    Raises:
        NoCensusError: a strength is not an integer from 0 to 2**31 - 1.
    """
    game, form, strategy = census.game, census.form, problem.strategy if follow else None
    if form.classes and record is None and follow is None and census.sides is None:
        sums = _count_by_classes(census, problem.options)  # of the only root
        return sums if stop > start else LaneSums(*(counted * 0 for counted in sums)), stop - start
    _verify_listed(census)
    kernel = get_census_kernel(game, form._replace(classes=False), strategy and strategy.choose)
    sides = census.sides and census.sides._replace(
        values=np.zeros_like(census.sides.values), fault=np.zeros_like(census.sides.fault)
    )
    work = _make_work(census, problem.options)._replace(record=record, follow=follow, sides=sides)
    boards = int(kernel(work, census.roots[start:stop], census.weights[start:stop]))
    if boards == BAD_STRENGTH:
        raise make_strength_error(game)
    if sides and sides.fault[0]:
        raise WagerError(
            f"side wagers of {game.id} cannot be solved together with main: the play changes them in "
            "a way that cannot be counted",
            code="main-alone",
            game=game.id,
        )
    return work.sums, boards


def _count_by_classes(census: Census, options: Any) -> LaneSums:
    """Count all hands by classes up to suits."""
    boards, tree, counting = census.boards, census.tree, census.counting
    final, equal = count_classes(census.game, options, census.form, boards, tree, counting, alike=census.shape.alike)
    none = np.zeros(0, np.int64)
    return LaneSums(final, none, none, np.array([equal]))


def _verify_listed(census: Census) -> None:
    """Verify that hands can be listed, where more is wanted than counts."""
    if reason := explain_why_not_listed(census.shape, census.boards.cards.bit_count()):
        name = census.game.id
        refused, code = f"a strategy cannot be followed in {name}", "strategy-not-followed"
        if census.sides:
            refused, code = f"side wagers of {name} cannot be solved together with main", "main-alone"
        raise WagerError(f"{refused}: {reason}", code=code, game=name)


def _make_work(census: Census, options: Any) -> CensusArrays:
    """Make the arrays that the kernel reads and writes."""
    form, boards, tree, rows, counting = census.form, census.boards, census.tree, census.rows, census.counting
    deck = boards.cards.bit_count()
    lanes, classes = form.lanes, (len(counting.starts) + 1) * form.sides
    most_mine = comb(deck - (int(boards.sizes.sum()) if form.direct and not form.sorted_once else 0), form.own)
    most_theirs = comb(deck, form.hidden)
    by_hand, most_cards = 0 if form.direct else most_mine, max(form.own, form.hidden)
    groups = len(boards.sizes)
    sums = LaneSums(
        final=np.zeros((tree.endings, classes, lanes), np.int64),
        shared=np.zeros((rows.levels[-1], classes, lanes), np.int64),
        chosen=np.zeros((rows.nodes[-1], tree.endings, classes, lanes), np.int64),
        equal=np.zeros(1, np.int64),
    )
    workspace = CensusWorkspace(
        table=np.zeros(counting.sets, np.int64),
        places=np.zeros(most_cards, np.uint64),
        spare=np.zeros(max(most_mine, most_theirs), np.int64),
        digits=np.zeros((PASSES, DIGITS), np.int64),
        fields=np.zeros(form.fields, np.int64),
        held=np.zeros(groups, np.int64),
        room=np.zeros(groups, np.int64),
        kept=np.zeros((groups + 1, len(boards.exchanges)), np.int64),
        kept_counts=np.zeros(groups + 1, np.int64),
        scales=np.zeros((groups + 1, boards.leaf + 1), np.int64),
        least=np.zeros(by_hand, np.int64),
    )
    mine = _make_hands(most_mine, 1 << form.own if form.numbered else 0)
    if form.sorted_once:
        mine = mine._replace(weights=workspace.spare)  # what is listed there is not read
    theirs = _make_hands(most_theirs, 1 << form.hidden if form.listed else 0)
    return CensusArrays(load_hand_tables(), options, boards, tree, rows, counting, sums, mine, theirs, workspace)


def _make_hands(most: int, subsets: int) -> PrivateHands:
    """Make room for ``most`` hands and the numbers of their subsets."""
    masks, weights, keys = (np.zeros(most, np.int64) for _ in range(3))
    return PrivateHands(masks, weights, np.zeros((most if subsets else 0, subsets), np.uint32), keys)


def count_outcomes(census: Census, final: IntArray) -> list[int]:
    """Return the deals of each outcome of main, from the final sums.

    Raises:
        PitbossError: some deals have an outcome that main does not have.
    """
    by_side = final.reshape(len(final), -1, census.form.sides, census.form.lanes)
    return count_effects(census.game, census.effects, by_side.sum(axis=2))


def add_by_class(census: Census, sums: LaneSums) -> list[Any]:
    """Return the sums by class of hands up to suits.

    They are the final sums, the number of equal positions, and where the first decision comes before all public
    cards, for each of its choices the sums by class of hands, ending, class of strength and lane.
    """
    tree, rows, by_choice = census.tree, census.rows, []
    classes = len(rows.firsts)
    for child in tree.children[0][tree.children[0] >= 0] if classes else ():
        total = np.zeros((classes, *sums.final.shape), np.int64)
        if child >= tree.endings:
            first = rows.nodes[child - tree.endings]
            total[:] = sums.chosen[first : first + classes]
        else:
            total[:, child] = sums.shared[rows.levels[0] :][:classes]
        by_choice.append(total)
    return [sums.final, int(sums.equal[0]), by_choice]


class FirstChoice(NamedTuple):
    """An action of a first decision with a hand.

    It has its best choice, the deals, and what they net.
    """

    action: int
    choice: int
    deals: int
    total: int


def iter_first_choices(census: Census, by_choice: Any) -> Iterator[tuple[int, list[FirstChoice]]]:
    """Yield the least hand of each class, and its first actions.

    They come before all public cards.
    """
    totals, first_actions = np.array(by_choice), census.tree.first_actions[0].tolist()
    deals, nets = totals[..., TOTAL].sum(axis=(2, 3)).T.tolist(), _value_choices(census, totals).T.tolist()
    for cards, row in zip(census.rows.firsts.tolist(), zip(deals, nets, strict=True), strict=True):
        best: dict[int, FirstChoice] = {}
        for choice, of_choice in enumerate(zip(*row, strict=True)):
            found = FirstChoice(first_actions[choice], choice, *of_choice)
            if found.action not in best or found.total > best[found.action].total:
                best[found.action] = found
        yield cards, list(best.values())


def _value_choices(census: Census, totals: IntArray) -> IntArray:
    """Return what each choice nets with each class of hands."""
    values: IntArray = (totals * census.tree.worth).sum(axis=(2, 3, 4))
    return values


def value_first(census: Census, by_choice: Any) -> Iterator[FirstValue]:
    """Yield the value of each first action, by class of hands.

    The actions come before all public cards.
    """
    actions = census.game.decisions[0].actions
    for cards, choices in iter_first_choices(census, by_choice):
        yield from (FirstValue(cards, actions[each.action].id, each.deals, each.total) for each in choices)


def decide_first(census: Census, by_choice: Any) -> tuple[Any, int]:
    """Decide at a root that comes before all public cards.

    Return the sums chosen and the number of equal positions.

    The sums are over one board of each class, weighed: those of a whole class of hands together are over all boards.
    """
    totals = np.array(by_choice)
    values, first_actions = _value_choices(census, totals), census.tree.first_actions[0][: len(totals)]
    best = values.argmax(axis=0)
    equal = (values == values.max(axis=0)) & (first_actions[:, None] != first_actions[best])
    return totals[best, np.arange(totals.shape[1])].sum(axis=0), int(equal.any(axis=0).sum())
