"""All decisions beside two community cards, and what comes of them."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANKS
from pitboss.core.progress import Progress
from pitboss.counting.blocks import Integers
from pitboss.counting.suits import exchanges
from pitboss.games.shifting_wilds.rules import CHECK, REGULAR_BONUS_LOSES
from pitboss.games.shifting_wilds.solver.beats import WORDS, Beats, beats_beside, board_of_fives, no_beats
from pitboss.games.shifting_wilds.solver.boards import Board, Ranked, boards_of, ranked
from pitboss.games.shifting_wilds.solver.crowd import Movers, room_for, table_for
from pitboss.games.shifting_wilds.solver.decide import TOLD_TO_LOCK, check_or_lock
from pitboss.games.shifting_wilds.solver.decks import Deck, opening_of
from pitboss.games.shifting_wilds.solver.follow import Followed, follow
from pitboss.games.shifting_wilds.solver.hands import Hands, hands_beside
from pitboss.games.shifting_wilds.solver.lock import events_room
from pitboss.games.shifting_wilds.solver.lock_beats import lock_beats
from pitboss.games.shifting_wilds.solver.mistakes import add_first_errors, no_errors
from pitboss.games.shifting_wilds.solver.play import GROUPS, SUMS, Books, Stakes
from pitboss.games.shifting_wilds.solver.sums import LANES, Room, room
from pitboss.games.shifting_wilds.solver.sweep import sweep
from pitboss.games.shifting_wilds.solver.told import check_that_w1_is_dead, told_by
from pitboss.games.shifting_wilds.solver.worth import BEATS, LOCKED, PLAYED, most_of, stakes_of
from pitboss.games.shifting_wilds.strategies import LOCK
from pitboss.hands import hand_tables
from pitboss.solving import Problem, Strategy

_Around = tuple[Hands, Board, Ranked, Beats, Stakes, Movers, Integers, Room]


class Counted(NamedTuple):
    """What comes of all hands and W1s beside some community cards.

    ``totals``, shape (2, outcomes of the Regular Bonus, groups, 4): positions that lock and play, and dealers (after a
    Lock, W2s and dealers) below, up to and not qualified, weighed by suits; ``ahead``, shape (2,
    outcomes of the Bad Beat), dealers that these are ahead of by it; ``checked``: the weight of the positions
    that check; ``equal``: how many first and second decisions, up to suits, are worth the same either way; ``errors``,
    as ``no_errors``, are those of a strategy that is followed, of which nothing is ``equal``.
    """

    totals: Integers
    ahead: Integers
    checked: int
    equal: tuple[int, int]
    errors: Integers


def count_openings(
    deck: Deck, openings: Sequence[tuple[int, int]], problem: Problem, progress: Progress
) -> list[Counted]:
    """Decide and count all positions beside each two community cards, on all cores.

    Raises:
        OverflowError: nets too far apart for values of 32 bits.
        ValueError: a strategy that cannot be followed (``told``).
    """
    stakes = [stakes_of(problem, deck, played) for played in (LOCKED, PLAYED)]
    if most_of(stakes[PLAYED]) >= 1 << 31:
        raise OverflowError("a value does not fit 32 bits: give nets in a larger unit")
    if problem.strategy:
        check_that_w1_is_dead(problem.strategy, problem.options)
    stopped = Event()
    done: list[tuple[int, int]] = []

    def of_opening(cards: tuple[int, int]) -> Counted | None:
        if stopped.is_set():
            return None
        counted = count_opening(deck, cards, problem.options, stakes, problem.strategy)
        done.append(cards)
        return counted

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = [pool.submit(of_opening, cards) for cards in openings]
        try:
            while wait(pending, timeout=0.1).not_done:
                progress(len(done), len(openings))
            progress(len(openings), len(openings))
        finally:
            stopped.set()
    return [counted for each in pending if (counted := each.result())]


def count_opening(
    deck: Deck, cards: tuple[int, int], options: Any, stakes: Sequence[Stakes], strategy: Strategy | None
) -> Counted:
    """Decide and count all positions beside two community cards."""
    tables, sets = hand_tables(), deck.sets
    community = sum(1 << card for card in cards)
    orders = exchanges(deck.mask, community)
    hands = hands_beside(sets.multisets, community, orders)
    slots = np.array([deck.ranks.index(card % RANKS) for card in cards], np.int64)
    by_ranks = [ranked(sets.multisets, tables, options, slots, wild) for wild in range(len(deck.ranks))]
    boards, nobody = boards_of(deck.ranks, cards, orders, deck.mask), no_beats(sets.multisets)
    opening, events = opening_of(deck, cards, by_ranks), events_room(len(deck.ranks))
    movers, table, space = room_for(len(deck.ranks)), table_for(len(deck.ranks)), room()
    totals = np.zeros((2, REGULAR_BONUS_LOSES + 1, GROUPS, SUMS), np.int64)
    ahead, of_fives = np.zeros((2, BEATS), np.int64), np.zeros((len(sets.multisets.slots), WORDS), np.int32)
    of_locks, of_plays = (Books(totals[played], ahead[played], orders) for played in (LOCKED, PLAYED))
    best = np.zeros(len(hands.masks) * LANES, np.int64)
    checked, errors = np.zeros_like(best), no_errors()

    def around(board: Board, counting: int) -> _Around:
        ranks, naturals = by_ranks[board.wild], deck.naturals[board.wild]
        beats = nobody
        if counting or stakes[PLAYED].beat.any():
            fives = board_of_fives(board)
            beats = beats_beside(sets, tables, options, hands, fives, naturals, movers, table, space, of_fives)
        return hands, board, ranks, beats, stakes[PLAYED], movers, table, space

    def swept(into: Any, counting: int) -> int:
        every = (sweep(sets, tables, options, *around(board, counting), into, counting, of_plays) for board in boards)
        return sum(every)

    def first_decided() -> int:
        beats = lock_beats(sets, deck.lock_sets, tables, options, hands, opening, deck.naturals, events)
        beside = (hands, opening, beats, stakes[LOCKED], events)
        return check_or_lock(sets, deck.lock_sets, tables, options, *beside, best, checked, of_locks)

    if strategy:
        told = told_by(strategy, options, sets, hands, opening)
        checked[:] = np.where(told.first == CHECK, np.repeat(hands.weights, LANES), 0)
        followed = Followed(told.second, best, checked, errors)
        for board in boards:
            follow(sets, tables, options, *around(board, 1), followed, of_plays)
        checked[told.first == LOCK] = TOLD_TO_LOCK
        first_decided()
        add_first_errors(sets, tables, options, hands, opening, told.first, best, errors)
        equal = (0, 0)
    else:
        swept(best, 0)
        equal = (first_decided(), swept(checked, 1))
    return Counted(totals, ahead, int(checked.sum(dtype=np.int64)), equal, errors)
