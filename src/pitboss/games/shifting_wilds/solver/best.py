"""The exact solution of Shifting Wilds' main wager: Check or Lock, then Play or Fold, and what comes of it.

Community cards are taken up to suits.  Beside each two of them every W2 is swept to learn what a Check is worth, then
every hand and W1 is decided against all events of W2 and dealer, and the W2s are swept again to count what the hands
that check come to.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from math import comb
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANKS, SUITS
from pitboss.counting.blocks import Integers, Progress
from pitboss.counting.suits import exchanged, exchanges
from pitboss.games.shifting_wilds.rules import BLIND_LINES, HAND, Options, main_outcome
from pitboss.games.shifting_wilds.solver.boards import boards_of, ranked
from pitboss.games.shifting_wilds.solver.crowd import room_for, table_for
from pitboss.games.shifting_wilds.solver.decide import LockSets, check_or_lock
from pitboss.games.shifting_wilds.solver.hands import hands_beside, multisets_of, rank_sets, suited_sets
from pitboss.games.shifting_wilds.solver.lock import Opening, events_room, numbers_with_w1
from pitboss.games.shifting_wilds.solver.play import GROUPS, LANES, SUMS, Sets, Stakes, room
from pitboss.games.shifting_wilds.solver.sweep import sweep
from pitboss.hands import ROYAL_FLUSH, hand_tables
from pitboss.solving import Problem, Solution

FOLD = 0
OUTCOMES = 29
LOCKED, PLAYED = 0, 1


class Deck(NamedTuple):
    """What does not depend on the community cards."""

    ranks: tuple[int, ...]
    mask: int
    sets: Sets
    lock_sets: LockSets

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return SUITS * len(self.ranks)

    @property
    def dealers(self) -> int:
        """How many hands the dealer may hold once a seat knows both indicators."""
        return comb(self.cards - 8, HAND)

    @property
    def events(self) -> int:
        """How many W2s and dealer's hands there may be once a seat knows W1."""
        return (self.cards - 7) * self.dealers


class Counted(NamedTuple):
    """What comes of all hands and W1s beside some community cards.

    ``totals``, shape (2, groups, 4): positions that lock and play, and dealers (after a Lock, events) below, up to and
    not qualified, weighed by suits; ``checked``: the weight of the positions that check; ``equal``: how many first and
    second decisions, up to suits, are worth the same either way.
    """

    totals: Integers
    checked: int
    equal: tuple[int, int]


def deck_of(ranks: Sequence[int]) -> Deck:
    """Return a deck of four suits of ``ranks`` (three or more, rising)."""
    multisets = multisets_of(ranks)
    plain, suited = rank_sets(multisets, HAND - 1), suited_sets(multisets, HAND - 1)
    lock_sets = LockSets(rank_sets(multisets, HAND), suited_sets(multisets, HAND), numbers_with_w1(multisets))
    mask = sum(1 << (RANKS * suit + rank) for suit in range(SUITS) for rank in ranks)
    return Deck(tuple(ranks), mask, Sets(multisets, plain, suited), lock_sets)


def outcomes_of(options: Options, played: int) -> Integers:
    """Return the outcomes of each group, shape (groups, 6): win, tie, lose against a qualified dealer and one who is not.

    They are asked of the rule that compares two strengths, with strengths next to one another.
    """
    made = []
    for group in range(GROUPS):
        mine = ROYAL_FLUSH - group // 2 << 20 | 5
        cells = []
        for qualified in (1, 0):
            for dealers in (mine - 1, mine, mine + 1):
                lowest = options._replace(dealer_qualifies=dealers + 1 - qualified)
                cells.append(main_outcome(mine, dealers, played, lowest))
        made.append(cells)
    return np.array(made, np.int64)


def worth_of(outcomes: Integers, nets: Sequence[int]) -> Integers:
    """Return what a position, a dealer below, up to and not qualified add to a value beyond a fold, shape (groups, 4).

    Where the player's strength qualifies (odd groups) all who do not are below it; otherwise all who do are above.
    """
    worth = np.zeros((GROUPS, SUMS), np.int64)
    for group, cells in enumerate(outcomes):
        win, tie, lose, win_low, tie_low, lose_low = (nets[cell] - nets[FOLD] for cell in cells)
        if group & 1:
            worth[group] = lose, win - tie, tie - lose, win_low - win
        else:
            worth[group] = lose, win_low - tie_low, tie_low - lose_low, lose_low - lose
    return worth


def solve(problem: Problem, progress: Progress) -> Solution:
    """Return the best play of ``main``, counted over all deals.

    A deal is two community cards, W1, the player's four cards, W2 and the dealer's four: C(52, 2) x 50 x C(49, 4) x 45 x
    C(44, 4).  Positions of equal value are counted up to suits: first decisions, and second ones of hands that check.

    Raises:
        OverflowError: nets too far apart for sums of 32 bits.
    """
    return solve_deck(range(RANKS), problem.options, problem.nets, progress)


def solve_deck(ranks: Sequence[int], options: Options, nets: Sequence[int], progress: Progress) -> Solution:
    """Solve the main wager with a deck of four suits of ``ranks``."""
    deck = deck_of(ranks)
    openings = openings_of(deck.ranks)
    counted = count_openings(deck, [cards for cards, _ in openings], options, nets, progress)
    return booked(deck, options, [weight for _, weight in openings], counted)


def openings_of(ranks: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """Return two community cards of each kind up to suits, and how many there are of the kind."""
    made = []
    for high, rank in enumerate(ranks):
        made += [((lower, rank), 4) for lower in ranks[:high]]
        made += [((lower, RANKS + rank), 12) for lower in ranks[:high]]
        made.append(((rank, RANKS + rank), 6))
    return made


def count_openings(
    deck: Deck, openings: Sequence[tuple[int, int]], options: Options, nets: Sequence[int], progress: Progress
) -> list[Counted]:
    """Decide and count all positions beside each two community cards.

    Raises:
        OverflowError: nets too far apart for sums of 32 bits.
    """
    stakes = []
    for played, dealers in ((LOCKED, deck.events), (PLAYED, deck.dealers)):
        worth = worth_of(outcomes_of(options, played), nets)
        stakes.append(Stakes(worth, options.dealer_qualifies, dealers))
    if (max(nets) - min(nets)) * deck.events >= 1 << 31:
        raise OverflowError("a value does not fit 32 bits: give nets in a larger unit")
    stopped = Event()
    done: list[int] = []

    def of_opening(cards: tuple[int, int]) -> Counted:
        if stopped.is_set():
            raise KeyboardInterrupt
        counted = count_opening(deck, cards, options, stakes)
        done.append(1)
        return counted

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = [pool.submit(of_opening, cards) for cards in openings]
        try:
            while wait(pending, timeout=0.1).not_done:
                progress(len(done), len(openings))
            progress(len(openings), len(openings))
        finally:
            stopped.set()
    return [each.result() for each in pending]


def count_opening(deck: Deck, cards: tuple[int, int], options: Options, stakes: Sequence[Stakes]) -> Counted:
    """Decide and count all positions beside two community cards."""
    tables = hand_tables()
    community = sum(1 << card for card in cards)
    orders = np.array([order for order in exchanges(deck.mask) if exchanged(community, order) == community])
    multisets = deck.sets.multisets
    hands = hands_beside(multisets, community, orders)
    slots = np.array([deck.ranks.index(card % RANKS) for card in cards], np.int64)
    strengths = np.stack([ranked(multisets, tables, options, slots, wild) for wild in range(len(deck.ranks))])
    boards = boards_of(deck.ranks, cards, orders, deck.mask)
    movers, table, space = room_for(len(deck.ranks)), table_for(len(deck.ranks)), room()
    totals = np.zeros((2, GROUPS, SUMS), np.int64)
    best = np.zeros(len(hands.masks) * LANES, np.int32)
    checked = np.zeros_like(best)
    equal = []

    def swept(into: Any, counting: bool) -> int:
        return sum(
            sweep(
                deck.sets,
                tables,
                options,
                hands,
                board,
                strengths[board.wild],
                stakes[PLAYED],
                orders,
                movers,
                table,
                space,
                into,
                counting,
                totals[PLAYED],
            )
            for board in boards
        )

    swept(best, counting=False)
    opening = opening_of(deck, cards, strengths)
    equal.append(
        check_or_lock(
            deck.sets,
            deck.lock_sets,
            tables,
            options,
            hands,
            opening,
            stakes[LOCKED],
            orders,
            events_room(len(deck.ranks)),
            best,
            checked,
            totals[LOCKED],
        )
    )
    equal.append(swept(checked, counting=True))
    return Counted(totals, int(checked.sum(dtype=np.int64)), (equal[0], equal[1]))


def opening_of(deck: Deck, cards: tuple[int, int], strengths: Integers) -> Opening:
    """Return what the first decision sees of the community cards; suits that neither has share a role."""
    shown = [sum(card // RANKS == suit for card in cards) for suit in range(SUITS)]
    suits = [suit for suit in range(SUITS) if shown[suit]]
    idle = [suit for suit in range(SUITS) if not shown[suit]]
    suits.append(idle[0])
    community = sum(1 << card for card in cards)
    return Opening(
        community=community,
        live=deck.mask & ~community,
        shown=np.array([0, *(shown[suit] for suit in suits)], np.int64),
        suits=np.array([-1, *suits], np.int64),
        roles=np.array([1 + suits.index(idle[0] if suit in idle else suit) for suit in range(SUITS)], np.int64),
        order=np.array(sorted(range(SUITS), key=lambda suit: shown[suit]), np.int64),
        strengths=strengths,
    )


def booked(deck: Deck, options: Options, weights: Sequence[int], counted: Sequence[Counted]) -> Solution:
    """Add up what comes of all openings, by outcome."""
    counts = [0] * OUTCOMES
    per_position = (deck.events, deck.dealers)
    for weight, each in zip(weights, counted, strict=True):
        counts[FOLD] += weight * (each.checked * deck.events - int(each.totals[PLAYED, :, 0].sum()) * deck.dealers)
        for played in (LOCKED, PLAYED):
            outcomes = outcomes_of(options, played)
            for group in range(GROUPS):
                positions, below, up_to, low = (int(total) for total in each.totals[played, group])
                whole = positions * per_position[played]
                if group & 1:
                    cells = (below - low, up_to - below, whole - up_to, low, 0, 0)
                else:
                    cells = (0, 0, whole - low, below, up_to - below, low - up_to)
                for outcome, cell in zip(outcomes[group], cells, strict=True):
                    counts[outcome] += weight * cell
    first = 1 + 2 * (BLIND_LINES + 3)
    actions = {"fold": counts[FOLD], "lock": sum(counts[1:first]), "play": sum(counts[first:])}
    return Solution(tuple(counts), actions, sum(sum(each.equal) for each in counted))
