"""Tables of the best play of single hands, for a simulation to follow.

First decisions are looked up in a table.  After a draw most hands are decided by strength and the ranks given up
(``strength_bands``), the rest by the cards of the exposed suit (``mixed_hands``).  Where a table does not decide, the
kernel enumerates all hidden cards of the dealer: never with the default pays.  At Force it tries the next card of every
rank.
"""

import io
from base64 import b64decode, b64encode
from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, DEUCES, RANK_COUNT, SUIT_COUNT, SUIT_MASK, get_rank, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.lunar.outcomes import AFTER_FORCE, FOLD, NOT_FORCED, NOT_WON, TAKE_ANTE, count_lines, get_path_start
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    FORCED,
    HAND,
    MOST_EXCHANGED,
    PLAYED,
    LunarOptions,
    LunarState,
    LunarView,
    find_replaced_card,
    rank_hand,
    settle_showdown,
)
from pitboss.games.lunar.solver.dealer_hands import HIDDEN
from pitboss.games.lunar.solver.decide import ACTION, BUY, FIRST_FIVE, GIVEN_UP, PLAY
from pitboss.games.lunar.solver.mixed_hands import COUNTED, make_hand_key
from pitboss.games.lunar.solver.solution import SHARD_NAMES
from pitboss.games.lunar.solver.strength_bands import (
    BOTH,
    BY_DEAD,
    FIVE_RANKS,
    MAY_FOLD,
    MAY_PLAY,
    BandArray,
    ExposedCardPolicy,
    MarkArray,
    decide_exposed_card,
    list_strengths,
)
from pitboss.hands import NO_HAND, HandTables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, find_sorted, number_set
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import list_suit_orders, move_suit_first, permute_suits
from pitboss.solver_api import SolverProblem

_DECK_MASK = DECK_52.mask
_FOLD, _PLAY, _BUY = 0, 1, 2


class LunarBestPlay(NamedTuple):
    """The tables in which the best play is looked up.

    Sets of cards are numbered by ``steps`` (``number_set``).

    ``first_choices`` (13, 2598960), by the rank of the exposed card, which is of the first suit, and the first five: 0
    to fold, 1 to play, 2 to buy, else the cards to exchange, a bit for each of the five from the lowest on.
    ``strengths`` rise; ``bands`` (13, 6, strengths), ``by_dead``, ``fives`` (13, 6188) and the fields of
    ``MixedHands`` are those of ``strength_bands.ExposedCardPolicy``.  ``nets`` (outcomes,) are main's.
    """

    steps: IntArray
    first_choices: MarkArray
    strengths: IntArray
    bands: BandArray
    by_dead: MarkArray
    fives: MarkArray
    places: NDArray[np.int32]
    keys: IntArray
    thresholds: IntArray
    change_rows: NDArray[np.int32]
    changes: IntArray
    nets: IntArray


def tabulate_shard(problem: SolverProblem, name: str) -> str:
    """Return the policy for one exposed card, as text.

    Raises:
        ValueError: as for a solution.
    """
    return encode_policy(decide_exposed_card(SHARD_NAMES.index(name), problem.options, problem.nets, list_strengths()))


def encode_policy(known: ExposedCardPolicy) -> str:
    """Return the policy for an exposed card as text that ``combine_best_play`` reads."""
    packed = io.BytesIO()
    np.savez_compressed(packed, **known._asdict())
    return b64encode(packed.getvalue()).decode("ascii")


def combine_best_play(problem: SolverProblem, results: Sequence[str]) -> LunarBestPlay:
    """Combine the policies for all exposed cards into tables for ``choose_best``."""
    best = make_empty(problem)
    for exposed, result in enumerate(results):
        with np.load(io.BytesIO(b64decode(result))) as packed:
            best = add_policy(best, exposed, ExposedCardPolicy(*(packed[field] for field in ExposedCardPolicy._fields)))
    return best


def make_empty(problem: SolverProblem) -> LunarBestPlay:
    """Return empty tables, to be filled for one exposed card after another."""
    strengths = list_strengths()
    return LunarBestPlay(
        build_same_size_steps(DECK_52.size, HAND),
        np.zeros((RANK_COUNT, comb(DECK_52.size, HAND)), np.int8),
        strengths,
        np.zeros((RANK_COUNT, MOST_EXCHANGED + 1, len(strengths)), np.int32),
        np.zeros(0, np.int8),
        np.zeros((RANK_COUNT, FIVE_RANKS), np.int8),
        np.zeros(0, np.int32),
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
        np.zeros(0, np.int32),
        np.zeros((0, SUIT_MASK + 1), np.int64),
        np.array(problem.nets, np.int64),
    )


def add_policy(best: LunarBestPlay, exposed: int, known: ExposedCardPolicy) -> LunarBestPlay:
    """Return the tables with all decisions for one exposed card added."""
    write_first_choices(known.choices, list_suit_orders(DECK_52.mask, 1), best.steps, best.first_choices[exposed])
    by_dead = known.bands >= BY_DEAD
    best.bands[exposed] = known.bands + np.where(by_dead, len(best.by_dead), 0)
    best.fives[exposed] = known.fives
    change_rows = np.where(known.change_rows == COUNTED, COUNTED, known.change_rows + len(best.changes))
    return best._replace(
        by_dead=np.concatenate([best.by_dead, known.by_dead]),
        places=np.concatenate([best.places, known.places + np.int32(len(best.by_dead))]),
        keys=np.concatenate([best.keys, known.keys]),
        thresholds=np.concatenate([best.thresholds, known.thresholds]),
        change_rows=np.concatenate([best.change_rows, change_rows.astype(np.int32)]),
        changes=np.concatenate([best.changes, known.changes]),
    )


@no_alloc_kernel
def write_first_choices(choices: IntArray, orders: IntArray, steps: IntArray, firsts: Any) -> None:
    """Write each choice to all first fives that are equal up to suits.

    These are the first fives that exchanges of the suits other than the first turn into one another.
    """
    for each in range(len(choices)):
        action = choices[each, ACTION]
        for order in range(len(orders)):
            five, gone = (
                permute_suits(choices[each, FIRST_FIVE], orders[order]),
                permute_suits(choices[each, GIVEN_UP], orders[order]),
            )
            code, place, left = _FOLD, 0, five
            if action == PLAY:
                code = _PLAY
            elif action == BUY:
                code = _BUY
            elif action > BUY:
                while left:
                    code |= (1 if left & -left & gone else 0) << place
                    place += 1
                    left &= left - 1
            firsts[number_set(five, steps)] = code


@rule
def choose_best(
    tables: HandTables, view: LunarView, decision: int, best: LunarBestPlay, options: LunarOptions
) -> tuple[int, int]:
    """Decide by the tables, and where they do not decide, by counting (ALL-9)."""
    if decision == FIRST_DECISION:
        return look_up_first(view, best)
    if decision == AFTER_DRAW:
        mark = look_up_band(tables, view, best)
        if mark == MAY_FOLD:
            return _FOLD, 0
        if mark == MAY_PLAY:
            return _PLAY, 0
        return 1 if compute_play_value(tables, view, best.nets, options) > 0 else 0, 0
    return 1 if compute_force_value(tables, view, view.dealer, best.nets, options) > 0 else 0, 0


@rule
def look_up_first(view: LunarView, best: LunarBestPlay) -> tuple[int, int]:
    """Look up the first decision, with the exposed card's suit as the first."""
    exposed = popcount(view.dealer - 1)
    five = move_suit_first(view.player, exposed // RANK_COUNT)
    code = int(best.first_choices[get_rank(exposed), number_set(five, best.steps)])
    if code <= _BUY:
        return code, 0
    cards = 0
    for place in range(HAND):
        cards |= five & -five if code >> place & 1 else 0
        five &= five - 1
    return popcount(cards) + 1, move_suit_first(cards, exposed // RANK_COUNT)


@rule
def look_up_band(tables: HandTables, view: LunarView, best: LunarBestPlay) -> int:
    """Return what the tables decide after a draw.

    That is ``MAY_FOLD``, ``MAY_PLAY``, both, or nothing.
    """
    draw, exposed = popcount(view.drew), popcount(view.dealer - 1)
    if draw > HIDDEN and best.fives[get_rank(exposed), number_ranks(view.discarded, best.steps)] == 0:
        return 0
    band = best.bands[get_rank(exposed), draw, find_sorted(best.strengths, rank_hand(tables, view.player))]
    if band < BY_DEAD:
        return int(band)
    place = int(band) - BY_DEAD + number_ranks(view.discarded, best.steps)
    mark = int(best.by_dead[place])
    return mark if mark != BOTH else look_up_mixed_hand(tables, view, place, best)


@rule
def look_up_mixed_hand(tables: HandTables, view: LunarView, place: int, best: LunarBestPlay) -> int:
    """Return what the known cards of the exposed suit decide in a mixed entry.

    That is ``MAY_FOLD``, ``MAY_PLAY``, or both.
    """
    # Several hands of six cards may have one place, one after another.
    hand, key = find_sorted(best.places, place), make_hand_key(tables, view.player)
    while best.keys[hand] != key:
        hand += 1
    row = best.change_rows[hand]
    if row == COUNTED:
        return BOTH
    known = get_suit_ranks(view.player | view.discarded, popcount(view.dealer - 1) // RANK_COUNT)
    return MAY_PLAY if best.changes[row, known] > best.thresholds[hand] else MAY_FOLD


@rule
def number_ranks(cards: int, steps: Any) -> int:
    """Number the ranks of up to five cards.

    The i-th rising rank is raised by i, so that equal ranks become a set.
    """
    places, held = 0, 0
    for height in range(RANK_COUNT):
        for _ in range(popcount(cards >> height & DEUCES)):
            places |= 1 << height + held
            held += 1
    return number_set(places, steps)


@rule
def compute_play_value(tables: HandTables, view: LunarView, nets: Any, options: LunarOptions) -> int:
    """Return what playing nets more than folding after the draw.

    It is taken over all hidden cards of the dealer and all next cards.
    """
    draw = popcount(view.drew)
    start, fold = get_path_start(draw), nets[FOLD + draw]
    left = _DECK_MASK & ~(view.player | view.discarded | view.dealer)
    cards = popcount(left) - HIDDEN
    state = LunarState(view.player, view.drew, view.discarded, view.dealer, 0, 0, draw, PLAYED, 0, 1)
    mine, value = rank_hand(tables, view.player), 0
    win = nets[settle_showdown(tables, state, NO_HAND, start + NOT_FORCED, options)]
    tie = nets[settle_showdown(tables, state, mine, start + NOT_FORCED, options)]
    lose = nets[settle_showdown(tables, state, mine + 1, start + NOT_FORCED, options)]
    take_ante = nets[start + TAKE_ANTE]
    ends = list_forced_nets(tables, state, mine, nets, options)
    forces = max(ends) > take_ante
    # Each dealer counts once for each next card, because Force is a sum over these cards.
    hidden = first_subset(left, HIDDEN)
    while hidden:
        five = view.dealer | hidden
        theirs = rank_hand(tables, five)
        if theirs < options.dealer_qualifies:
            gain = compute_force_value(tables, view, five, nets, options) if forces else 0
            value += (take_ante - fold) * cards + max(0, gain)
        else:
            net = win if mine > theirs else tie if mine == theirs else lose
            value += (net - fold) * cards
        hidden = next_subset(left, hidden)
    return value


@rule
def list_forced_nets(
    tables: HandTables, state: LunarState, mine: int, nets: Any, options: LunarOptions
) -> tuple[int, int, int, int, int, int]:
    """Return what a hand nets after Force.

    First come win, tie and loss against a dealer who qualifies then, then against one who still does not.  If none is
    above the net of taking the Ante, Force is never right.
    """
    forced_unqualified = get_path_start(state.draw) + NOT_FORCED + NOT_WON + count_lines(state.draw)
    at = forced_unqualified + AFTER_FORCE
    won = nets[settle_showdown(tables, state, NO_HAND, at, options)]
    tied, lost = (
        nets[settle_showdown(tables, state, mine, at, options)],
        nets[settle_showdown(tables, state, mine + 1, at, options)],
    )
    return (
        int(won),
        int(tied),
        int(lost),
        int(nets[forced_unqualified]),
        int(nets[forced_unqualified + 1]),
        int(nets[forced_unqualified + 2]),
    )


@rule
def compute_force_value(tables: HandTables, view: LunarView, dealer: int, nets: Any, options: LunarOptions) -> int:
    """Return what Force nets more than taking the Ante (LU-10).

    It is summed over the cards that may come next.
    """
    draw, mine = popcount(view.drew), rank_hand(tables, view.player)
    take_ante, value = nets[get_path_start(draw) + TAKE_ANTE], 0
    state = LunarState(view.player, view.drew, view.discarded, 0, dealer, 0, draw, PLAYED, FORCED, 1)
    ends = list_forced_nets(tables, state, mine, nets, options)
    kept = dealer & ~find_replaced_card(dealer, options)
    left = _DECK_MASK & ~(view.player | view.discarded | dealer)
    # Four cards that are not of one suit make no flush with a fifth, so cards of one rank make equal hands.
    by_rank = not has_one_suit(kept)
    while left:
        card = left & -left
        cards = left & DEUCES << get_rank(popcount(card - 1)) if by_rank else card
        left &= ~cards
        theirs = rank_hand(tables, kept | card)
        beaten = 0 if mine > theirs else 1 if mine == theirs else 2
        net = ends[beaten] if theirs >= options.dealer_qualifies else ends[3 + beaten]
        value += (net - take_ante) * popcount(cards)
    return value


@rule
def has_one_suit(cards: int) -> bool:
    """Tell whether all of some cards are of one suit.

    >>> has_one_suit(0b1101 << 13), has_one_suit(0b1101 << 12)
    (True, False)
    """
    alike = False
    for suit_index in range(SUIT_COUNT):
        alike |= cards & ~(SUIT_MASK << RANK_COUNT * suit_index) == 0
    return alike
