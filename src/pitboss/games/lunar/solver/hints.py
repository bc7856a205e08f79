"""Value each action at a position exactly, with the best play from there on.

Before the dealer opens, every final hand that an action can lead to is compared with every hand the dealer may
hold (``hint_values``), and where the dealer does not qualify Force is compared with the Ante (``hint_force``).  After
the dealer has opened, only the next card is unknown.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from pitboss.cards import DECK_52, DEUCES, RANK_COUNT, bit, popcount
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.games.lunar import GAME
from pitboss.games.lunar.outcomes import BOUGHT, FOLD, TAKE_ANTE, get_path_start
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FORCED,
    HAND,
    MOST_EXCHANGED,
    NOT_QUALIFIED,
    PLAYED,
    UNDECIDED,
    LunarOptions,
    LunarState,
    LunarView,
    get_first_five,
    next_decision,
    settle_forced,
)
from pitboss.games.lunar.solver.hint_dealer_hands import (
    HIDDEN,
    find_common_suit,
    make_four_flushes,
    make_fours,
    make_rank_keys,
    make_unqualified_ranks,
)
from pitboss.games.lunar.solver.hint_force import HintWorkspace, UnqualifiedDealers, UnseenCards
from pitboss.games.lunar.solver.hint_values import (
    FoursByStrength,
    HandGroups,
    HandsByStrength,
    SetTable,
    add_hand,
    count_fours_and_cards,
    fill_hands,
    sum_group_values,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray, count_workers
from pitboss.kernels.set_numbering import build_set_steps, list_subset_sizes
from pitboss.solver_api import ActionValue, SolverProblem

# A sum is over at most C(46, 5) draws, C(41, 4) fours and 37 next cards: below 2**43.
MAX_NET = 1 << 20
# Fewer final hands than this are not worth a second thread, which fills its own table.
_MIN_SHARED = 1 << 16


def hint(problem: SolverProblem, view: LunarView, decision: int, progress: ProgressCallback) -> tuple[ActionValue, ...]:
    """Return the value of every legal action at a position.

    There is one entry for each choice of the cards exchanged.

    Raises:
        MagnitudeError: nets are 2**20 units or more.
        ValueError: there is nothing to decide at this position, or a side wager is staked.
    """
    valued = hint_for_deck(DECK_52.mask, problem, view, decision)
    progress(1, 1)
    return valued


def hint_for_deck(deck: int, problem: SolverProblem, view: LunarView, decision: int) -> tuple[ActionValue, ...]:
    """Return what ``hint`` does, for a game with only the cards of ``deck``."""
    if problem.side_nets:
        raise ValueError("no side wager of Lunar Poker depends on the play: stake main alone")
    if max(map(abs, problem.nets)) >= MAX_NET:
        raise MagnitudeError(
            f"pays of {MAX_NET} units or more are too large to count in 64 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            most=MAX_NET,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    state = _rebuild_state(problem, view, decision)
    if decision == NOT_QUALIFIED:
        return _value_force(deck, problem, state)
    fold = ActionValue("fold", 0, Fraction(problem.nets[FOLD + state.draw]))
    against, least = _list_unseen(deck, problem.options, state), min(problem.nets)
    if decision == AFTER_DRAW:
        hand_groups = [(view.player & ~view.drew, state.draw, least)]
        return fold, ActionValue("play", 0, _compute_values(against, problem, hand_groups, view.drew)[0])
    held = [bit(code) for code in DECK_52.cards if view.player & bit(code)]
    actions = [
        (action, sum(given))
        for action in GAME.decisions[decision].actions[1:]
        for given in combinations(held, action.discards)
    ]
    folds = {0: least} | {draw: problem.nets[FOLD + draw] for draw in range(1, MOST_EXCHANGED + 1)}
    hand_groups = [(view.player & ~given, action.draws, folds[action.draws]) for action, given in actions]
    values = _compute_values(against, problem, hand_groups)
    return fold, *(ActionValue(action.id, given, value) for (action, given), value in zip(actions, values, strict=True))


def _rebuild_state(problem: SolverProblem, view: LunarView, decision: int) -> LunarState:
    """Return the state of a seat with this view and this question.

    The lowest of the dealer's cards is the exposed one.

    Raises:
        ValueError: there is no such state.
    """
    draw, exposed = popcount(view.drew), view.dealer & -view.dealer
    choice, shown = (PLAYED, 1) if decision == NOT_QUALIFIED else (UNDECIDED, 0)
    state = LunarState(
        view.player, view.drew, view.discarded, exposed, view.dealer ^ exposed, 0, draw, choice, UNDECIDED, shown
    )
    given = 0 if draw <= BOUGHT else draw
    seen = popcount(view.player | view.discarded | view.dealer)
    open_cards = HAND if shown else 1
    fits = (
        view.drew & ~view.player == 0
        and popcount(view.discarded) == given
        and popcount(view.dealer) == open_cards
        and popcount(get_first_five(state)) == HAND
        and seen == HAND + draw + open_cards
        and draw <= MOST_EXCHANGED
    )
    if not fits or next_decision(load_hand_tables(), state, problem.options) != decision:
        question = GAME.decisions[decision].id
        raise ValueError(f"no round with these cards comes to {question}: give the cards of a round that does")
    return state


def _value_force(deck: int, problem: SolverProblem, state: LunarState) -> tuple[ActionValue, ...]:
    """Return the values of taking the Ante and of Force, over every next card."""
    take_ante = Fraction(problem.nets[get_path_start(state.draw) + TAKE_ANTE])
    left = deck & ~(state.player | state.discarded | state.exposed | state.hidden)
    forced = [state._replace(force=FORCED, force_card=bit(code)) for code in DECK_52.cards if left & bit(code)]
    nets = [problem.nets[settle_forced(load_hand_tables(), after, problem.options)] for after in forced]
    return ActionValue("take-ante", 0, take_ante), ActionValue("force", 0, Fraction(sum(nets), len(nets)))


class _Unseen(NamedTuple):
    """What may be dealt beyond the cards a seat has seen.

    It has the live cards, the dealer's hands, and those of them that may be forced.
    """

    live: UnseenCards
    hidden_fours: FoursByStrength
    low: UnqualifiedDealers


def _list_unseen(deck: int, options: LunarOptions, state: LunarState) -> _Unseen:
    """Return what may be dealt if only the first five and the exposed card are known."""
    tables, exposed = load_hand_tables(), state.exposed
    mask = deck & ~(get_first_five(state) | exposed)
    cards = np.array([bit(code) for code in DECK_52.cards if mask & bit(code)], np.int64)
    of_rank = [popcount(mask & (DEUCES << rank_index)) for rank_index in range(RANK_COUNT)]
    fours = make_fours(tables, cards, exposed)
    low = np.flatnonzero(fours.strengths < options.dealer_qualifies)
    high = np.flatnonzero(fours.strengths >= options.dealer_qualifies)
    order = high[np.argsort(fours.strengths[high])]
    levels, starts = np.unique(fours.strengths[order], return_index=True)
    keys, numbers = np.unique(make_rank_keys(fours.masks[low]), return_inverse=True)
    flushes = make_four_flushes(tables, fours, low, numbers, exposed, deck, options)
    return _Unseen(
        UnseenCards(cards, mask, np.array(of_rank, np.int64), find_common_suit(exposed)),
        FoursByStrength(fours.places, low, levels, order, np.append(starts, len(order))),
        UnqualifiedDealers(make_unqualified_ranks(tables, keys, exposed, options), flushes, options.dealer_qualifies),
    )


def _compute_values(
    against: _Unseen, problem: SolverProblem, ways: Sequence[tuple[int, int, int]], drew: int = 0
) -> list[Fraction]:
    """Return the average worth of the final hands of every way.

    A way is an entry of ``HandGroups``.  With ``drew`` there is one way, and these are the cards drawn.
    """
    live, hidden_fours, low = against
    tables, nets = load_hand_tables(), np.array(problem.nets, np.int64)
    groups = HandGroups(*(np.array(column, np.int64) for column in zip(*ways, strict=True)))
    steps, sets = build_set_steps(len(live.cards), HIDDEN + 1)
    sizes = list_subset_sizes(MOST_EXCHANGED)
    drawn = [1 if drew else comb(len(live.cards), draw) for _, draw, _ in ways]
    parts = count_workers() if sum(drawn) >= _MIN_SHARED else 1

    def value_part(part: int) -> IntArray:
        most = -(-sum(drawn) // parts)
        last = np.full(2 * len(hidden_fours.levels) + 1, -1, np.int64)
        hands = HandsByStrength(last, np.zeros(most, np.int64), np.zeros(most, np.int64))
        if drew:
            places = np.flatnonzero(live.cards & drew)
            add_hand(tables, live.cards, hidden_fours.levels, groups, 0, places, hands, 0)
        else:
            places = np.zeros(MOST_EXCHANGED + 1, np.int64)
            fill_hands(tables, live.cards, hidden_fours.levels, groups, part, parts, places, hands)
        table = SetTable(np.zeros(sets, np.int64), steps, sizes, np.zeros(1 << MOST_EXCHANGED, np.int64))
        workspace = HintWorkspace(np.zeros_like(live.ranks), np.zeros_like(low.ranks.sets))
        totals = np.zeros(len(ways), np.int64)
        sum_group_values(
            tables, problem.options, nets, live, hidden_fours, low, groups, hands, table, workspace, totals
        )
        return totals

    with ThreadPoolExecutor(parts) as threads:
        totals = np.sum(list(threads.map(value_part, range(parts))), axis=0)
    return [
        Fraction(int(total), hands * prod(count_fours_and_cards(len(live.cards) - draw)))
        for total, hands, (_, draw, _) in zip(totals, drawn, ways, strict=True)
    ]
