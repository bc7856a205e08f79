"""The best play of single hands, for a simulation to follow: first decisions as a table, later ones by bands.

After a draw most hands are settled by strength and the ranks given up (``bands``); for the rest, and after five cards
exchanged, all hidden cards of the dealer are met one by one.  At Force every next card is tried.
"""

import io
from base64 import b64decode, b64encode
from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, get_rank, get_suit_ranks, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel
from pitboss.counting.numbers import number_of_set, place_among, steps_of_sets
from pitboss.counting.subsets import first_subset, next_subset
from pitboss.counting.suits import exchanged, exchanges, suit_first
from pitboss.games.lunar.outcomes import AFTER_FORCE, FOLD, NOT_FORCED, NOT_WON, TAKE_ANTE, lines_of, path_start
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    FORCED,
    HAND,
    PLAYED,
    Options,
    State,
    View,
    forced_outcome,
    showdown,
    strength_of,
)
from pitboss.games.lunar.solver.bands import (
    BESIDE_DEAD,
    SOME_FOLD,
    SOME_PLAY,
    Bands,
    Known,
    Marks,
    known_beside,
    strengths_of,
)
from pitboss.games.lunar.solver.exposed import HIDDEN
from pitboss.games.lunar.solver.firsts import ACTION, BUY, GONE, PLAY, WHOLE
from pitboss.games.lunar.solver.whole import PIECES
from pitboss.hands import NO_HAND, HandTables
from pitboss.solver_api import SolverProblem

_DECK = DECK_52.mask
_FOLD, _PLAY, _BUY = 0, 1, 2


class BestPlay(NamedTuple):
    """What the best play goes by; sets of cards are numbered by ``steps`` (``number_of_set``).

    ``firsts`` (13, 2598960), by the rank of the exposed card, which is of the first suit, and the first five: 0 to
    fold, 1 to play, 2 to buy, else the cards to exchange, a bit for each of the five from the lowest on.  ``strengths``
    rise; ``bands`` (13, 5, strengths) and ``beside`` are those of ``bands.Known``.  ``nets`` (outcomes,) are main's.
    """

    steps: Integers
    firsts: Marks
    strengths: Integers
    bands: Bands
    beside: Marks
    nets: Integers


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by; it takes about three quarters of a solution.

    Raises:
        ValueError: as a solution.
    """
    results = []
    for exposed in range(RANK_COUNT):
        results.append(best_play_piece(problem, PIECES[exposed]))
        progress(exposed + 1, RANK_COUNT)
    return best_play_from(problem, results)


def best_play_piece(problem: SolverProblem, name: str) -> str:
    """Return what is known beside an exposed card, as text (raises as ``best_play``)."""
    return text_of(known_beside(PIECES.index(name), problem.options, problem.nets, strengths_of()))


def text_of(known: Known) -> str:
    """Return what is known beside an exposed card as ``best_play_from`` reads it."""
    packed = io.BytesIO()
    np.savez_compressed(packed, **known._asdict())
    return b64encode(packed.getvalue()).decode("ascii")


def best_play_from(problem: SolverProblem, results: Sequence[str]) -> BestPlay:
    """Put together what is known beside each exposed card, in the order of the pieces."""
    best = nothing_known(problem)
    for exposed, result in enumerate(results):
        with np.load(io.BytesIO(b64decode(result))) as packed:
            best = with_known(best, exposed, Known(*(packed[field] for field in Known._fields)))
    return best


def nothing_known(problem: SolverProblem) -> BestPlay:
    """Return what is to be filled in, exposed card by exposed card."""
    strengths = strengths_of()
    return BestPlay(
        steps_of_sets(DECK_52.size, HAND),
        np.zeros((RANK_COUNT, comb(DECK_52.size, HAND)), np.int8),
        strengths,
        np.zeros((RANK_COUNT, HIDDEN + 1, len(strengths)), np.int32),
        np.zeros(0, np.int8),
        np.array(problem.nets, np.int64),
    )


def with_known(best: BestPlay, exposed: int, known: Known) -> BestPlay:
    """Return what is known with all decisions beside an exposed card added."""
    lay_out(known.choices, exchanges(DECK_52.mask, 1), best.steps, best.firsts[exposed])
    led = known.bands >= BESIDE_DEAD
    best.bands[exposed] = known.bands + np.where(led, len(best.beside), 0)
    return best._replace(beside=np.concatenate([best.beside, known.beside]))


@filling_kernel
def lay_out(choices: Integers, orders: Integers, steps: Integers, firsts: Any) -> None:
    """Write down each choice for all first fives that exchanges of suits but the first make of one."""
    for each in range(len(choices)):
        action = choices[each, ACTION]
        for order in range(len(orders)):
            five, gone = exchanged(choices[each, WHOLE], orders[order]), exchanged(choices[each, GONE], orders[order])
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
            firsts[number_of_set(five, steps)] = code


@rule
def choose_best(tables: HandTables, view: View, asked: int, best: BestPlay, options: Options) -> tuple[int, int]:
    """Decide as the tables say, and where they do not, by what is counted (ALL-9)."""
    if asked == FIRST_DECISION:
        return first_choice(view, best)
    if asked == AFTER_DRAW:
        told = told_after_draw(tables, view, best)
        if told == SOME_FOLD:
            return _FOLD, 0
        if told == SOME_PLAY:
            return _PLAY, 0
        return 1 if value_of_play(tables, view, best.nets, options) > 0 else 0, 0
    return 1 if value_of_force(tables, view, view.dealer, best.nets, options) > 0 else 0, 0


@rule
def first_choice(view: View, best: BestPlay) -> tuple[int, int]:
    """Look up the first decision, with the exposed card's suit as the first."""
    exposed = popcount(view.dealer - 1)
    five = suit_first(view.player, exposed // RANK_COUNT)
    code = int(best.firsts[get_rank(exposed), number_of_set(five, best.steps)])
    if code <= _BUY:
        return code, 0
    cards = 0
    for place in range(HAND):
        cards |= five & -five if code >> place & 1 else 0
        five &= five - 1
    return popcount(cards) + 1, suit_first(cards, exposed // RANK_COUNT)


@rule
def told_after_draw(tables: HandTables, view: View, best: BestPlay) -> int:
    """Return what the strength tells, with the ranks given up: ``SOME_FOLD``, ``SOME_PLAY``, both, or nothing."""
    draw, place = popcount(view.drew), place_among(best.strengths, strength_of(tables, view.player))
    if draw > HIDDEN:
        return 0
    band = int(best.bands[get_rank(popcount(view.dealer - 1)), draw, place])
    if band < BESIDE_DEAD:
        return band
    return int(best.beside[band - BESIDE_DEAD + number_of_ranks(view.discarded, best.steps)])


@rule
def number_of_ranks(cards: int, steps: Any) -> int:
    """Number the ranks of up to five cards: the i-th of them, as they rise, is raised by i to make them a set."""
    places, held = 0, 0
    for height in range(RANK_COUNT):
        for suit_index in range(SUIT_COUNT if cards else 0):
            if get_suit_ranks(cards, suit_index) >> height & 1:
                places |= 1 << height + held
                held += 1
    return number_of_set(places, steps)


@rule
def value_of_play(tables: HandTables, view: View, nets: Any, options: Options) -> int:
    """Return what playing nets more than a fold after the draw, over all hidden cards of the dealer and next cards."""
    draw = popcount(view.drew)
    start, fold = path_start(draw), nets[FOLD + draw]
    left = _DECK & ~(view.player | view.discarded | view.dealer)
    cards = popcount(left) - HIDDEN
    state = State(view.player, view.drew, view.discarded, view.dealer, 0, 0, draw, PLAYED, 0, 1)
    mine, value = strength_of(tables, view.player), 0
    win = nets[showdown(tables, state, NO_HAND, start + NOT_FORCED, options)]
    tie = nets[showdown(tables, state, mine, start + NOT_FORCED, options)]
    lose = nets[showdown(tables, state, mine + 1, start + NOT_FORCED, options)]
    take = nets[start + TAKE_ANTE]
    forces = most_after_force(tables, state, mine, nets, options) > take
    hidden = first_subset(left, HIDDEN)
    while hidden:
        five = view.dealer | hidden
        dealers = strength_of(tables, five)
        if dealers < options.dealer_qualifies:
            gain = value_of_force(tables, view, five, nets, options) if forces else 0
            value += (take - fold) * cards + max(0, gain)
        else:
            net = win if mine > dealers else tie if mine == dealers else lose
            value += (net - fold) * cards
        hidden = next_subset(left, hidden)
    return value


@rule
def most_after_force(tables: HandTables, state: State, mine: int, nets: Any, options: Options) -> int:
    """Return the most that a hand can net after Force: where that is no more than the Ante taken, it is not right."""
    missed = path_start(state.draw) + NOT_FORCED + NOT_WON + lines_of(state.draw)
    at = missed + AFTER_FORCE
    won = nets[showdown(tables, state, NO_HAND, at, options)]
    tied, lost = nets[showdown(tables, state, mine, at, options)], nets[showdown(tables, state, mine + 1, at, options)]
    return int(max(won, tied, lost, nets[missed], nets[missed + 1], nets[missed + 2]))


@rule
def value_of_force(tables: HandTables, view: View, dealer: int, nets: Any, options: Options) -> int:
    """Return what Force nets more than the Ante taken, summed over the cards that may come next (LU-10)."""
    draw = popcount(view.drew)
    take, value = nets[path_start(draw) + TAKE_ANTE], 0
    left = _DECK & ~(view.player | view.discarded | dealer)
    while left:
        card = left & -left
        left ^= card
        state = State(view.player, view.drew, view.discarded, 0, dealer, card, draw, PLAYED, FORCED, 1)
        value += nets[forced_outcome(tables, state, options)] - take
    return value
