"""The dealer's hands beside a board by what they are in each role, and the sums kept of them.

In the plain role every dealer's hand counts by its ranks, as if there were no flushes; in the role of a suit those
hands that a flush makes stronger are moved, from the strength of their ranks to their own.  A *mover* is all hands of
the same kinds: its hands leave the strengths above ``leaves``, to join those above ``joins``.

All counts ride in one word: dealers below the strength at hand, those up to it, and those below the dealer's
qualifying strength, 21 bits each (no hand meets more than C(45, 4) = 148,995).  The table has them for every set S of
up to three cards' kinds, how many dealers hold S: as they are in the place ``NONE``, and less those that also hold one
card more in the place of that card's kind.  So a row, once summed up with signs over the sets within a hand, tells what
the hand meets beside each W1.  Movers are counted by what they take away; the plain role's by what they bring.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import HAND, hand_strength, natural_five
from pitboss.games.shifting_wilds.solver.boards import LONE, MAIN, PLAIN, Board, live_card, live_of
from pitboss.games.shifting_wilds.solver.hands import (
    CHOOSE,
    STATES,
    Multisets,
    Numbers,
    all_numbers,
    are_there,
    multiset_at,
    next_kinds,
    number_of,
)
from pitboss.hands import HandTables

LANE = (1 << 21) - 1
BELOW = 1
UP_TO = 1 << 21
UNQUALIFIED = 1 << 42

WIDTH = 16
"""Places of a row for one side: a slot each, and ``NONE``."""

NONE = 15
NEVER = 1 << 40
ADDRESSES = 48
"""Room for all a mover adds to: with four different kinds, five places of the empty set, four of each card ..."""

PASSES = 4
"""Those that leave are counted below and up to a strength, those that join taken away below and up to it."""

SHIFT = 20
INDEX = (1 << SHIFT) - 1


class Movers(NamedTuple):
    """Room for the movers of a board: ``leaves`` and ``joins`` (n,), how often (``times``) and where (``at``) they add.

    ``length`` says how many of the 48 columns are used.
    """

    leaves: Integers
    joins: Integers
    length: Integers
    at: Numbers
    times: Numbers


class Crowd(NamedTuple):
    """The movers of a board as they come and go, and the table they add to.

    ``leaving`` and ``joining`` have strength and mover, sorted; ``next`` has the next of each pass.  ``table`` is one
    row after the other, role after role from ``starts`` on.
    """

    leaving: Integers
    joining: Integers
    next: Integers
    table: Integers
    starts: Integers


def room_for(slots: int) -> Movers:
    """Return room for the movers of any board: all hands by kinds, of the plain, a main or three lone roles."""
    plain, main = (CHOOSE[kinds + HAND - 1, HAND] for kinds in (slots, 2 * slots))
    most = max(plain * 4, plain * 2 + main)
    leaves, joins, length = (np.empty(most, np.int64) for _ in range(3))
    at, times = (np.empty((most, ADDRESSES), np.int32) for _ in range(2))
    return Movers(leaves, joins, length, at, times)


def rows_of(mode: int, slots: int) -> int:
    """Return how many rows a role's table has: all multisets of up to three kinds, and one that stays zero."""
    return all_numbers(2 * slots if mode == MAIN else slots, HAND - 1) + 1


def width_of(mode: int) -> int:
    """Return the length of a row: main roles have the cards of the suit first, then the others."""
    return 2 * WIDTH if mode == MAIN else WIDTH


@part
def _live_kinds(multisets: Multisets, board: Board, mode: int, suit: int, live: Integers) -> int:
    """Count the live cards of each kind; return how many kinds there are."""
    slots = len(multisets.ranks)
    for slot in range(slots):
        suits = live_of(board.live, multisets.ranks[slot])
        alive = popcount(suits)
        of_suit = suits >> max(suit, 0) & 1
        if mode == PLAIN:
            live[slot] = alive
        elif mode == LONE:
            live[slot] = alive if slot == board.wild else of_suit
        else:
            live[2 * slot] = alive if slot == board.wild else alive - of_suit
            live[2 * slot + 1] = 0 if slot == board.wild else of_suit
    return 2 * slots if mode == MAIN else slots


@kernel
def list_movers(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    board: Board,
    by_ranks: Integers,
    lowest: int,
    starts: Integers,
    movers: Movers,
    table: Integers,
) -> int:
    """List the movers of a board, rows of a role being from ``starts`` on; return how many there are.

    Those who do not qualify are entered in the table.
    """
    live, numbers = np.zeros(2 * WIDTH, np.int64), np.zeros(STATES, np.int64)
    chosen, taken = np.zeros(HAND, np.int64), np.zeros(HAND, np.int64)
    used = 0
    for role in range(len(board.modes)):
        mode = board.modes[role]
        kinds = _live_kinds(multisets, board, mode, board.suits[0, role], live)
        chosen[:] = 0
        while chosen[HAND - 1] < kinds:
            if are_there(live, chosen, HAND):
                leaves, joins = _moves(multisets, tables, options, board, by_ranks, mode, role, chosen)
                if leaves != joins:
                    movers.leaves[used], movers.joins[used] = leaves, joins
                    _address(live, chosen, kinds, mode, starts[role], numbers, taken, movers, used)
                    if leaves < lowest <= joins:
                        add(movers, used, table, UNQUALIFIED)
                    used += 1
            next_kinds(chosen, HAND)
    return used


@part
def _moves(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    board: Board,
    by_ranks: Integers,
    mode: int,
    role: int,
    chosen: Integers,
) -> tuple[int, int]:
    """Return from which strength hands of these kinds move to which; they are equal for hands that stay."""
    side = 1 if mode == MAIN else 0
    slots = (chosen[0] >> side, chosen[1] >> side, chosen[2] >> side, chosen[3] >> side)
    leaves = by_ranks[multiset_at(multisets, slots[0], slots[1], slots[2], slots[3])]
    if mode == PLAIN:
        return leaves, NEVER
    wild_cards, within = 0, 0
    for card in range(HAND):
        wild_cards += slots[card] == board.wild
        within += slots[card] != board.wild and (mode == LONE or chosen[card] & 1 == 1)
    if wild_cards + within < board.needed[role]:
        return leaves, leaves
    suit = board.suits[0, role]
    joins = _made(multisets, tables, options, board, slots, chosen, mode, suit)
    if mode == LONE and wild_cards == HAND - 1:
        # Three wild cards may make a flush in the main suit whatever the fourth card: then it is moved from there.
        leaves = _made(multisets, tables, options, board, slots, chosen, mode, board.order[0])
    return leaves, joins


@part
def _made(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    board: Board,
    slots: Any,
    chosen: Integers,
    mode: int,
    suit: int,
) -> int:
    """Return the strength of one hand of these kinds, with ``suit`` for the suit."""
    hole = 0
    for card in range(HAND):
        rank = multisets.ranks[slots[card]]
        before = 0
        for other in range(card):
            before += chosen[other] == chosen[card]
        if slots[card] == board.wild:
            hole |= live_card(board.live, board.order, rank, -1, before)
        elif mode == LONE or chosen[card] & 1:
            hole |= 1 << (RANK_COUNT * suit + rank)
        else:
            hole |= live_card(board.live, board.order, rank, suit, before)
    if board.natural:
        return natural_five(tables, hole, board.indicators[0])
    return hand_strength(tables, hole, board.community, board.indicators[0], options)


@part
def _address(
    live: Integers,
    chosen: Integers,
    kinds: int,
    mode: int,
    start: int,
    numbers: Integers,
    taken_kinds: Integers,
    movers: Movers,
    mover: int,
) -> None:
    """Write where a mover adds: for each set of its kinds how many of its hands hold those cards."""
    width = 2 * WIDTH if mode == MAIN else WIDTH
    length = 0
    for taken in range(STATES):
        size, times, regular = 0, 1, True
        for card in range(HAND):
            first = card
            while first > 0 and chosen[first - 1] == chosen[card]:
                first -= 1
            if taken >> card & 1:
                # Of cards of one kind the first are taken.
                regular &= first == card or taken >> (card - 1) & 1 == 1
                taken_kinds[size] = chosen[card]
                size += 1
            if card == HAND - 1 or chosen[card + 1] != chosen[card]:
                held = 0
                for each in range(first, card + 1):
                    held += taken >> each & 1
                times *= CHOOSE[live[chosen[card]] - held, card + 1 - first - held]
        if not regular:
            continue
        row = number_of(taken_kinds, size, kinds) if size < HAND else 0
        numbers[taken] = row
        if size < HAND:
            movers.at[mover, length], movers.times[mover, length] = start + row * width + NONE, times
            length += 1
        for card in range(HAND):
            last = card == HAND - 1 or chosen[card + 1] != chosen[card] or taken >> (card + 1) & 1 == 0
            if taken >> card & 1 and last:
                kind = chosen[card]
                place = kind if mode != MAIN else (kind >> 1) + (0 if kind & 1 else WIDTH)
                movers.at[mover, length] = start + numbers[taken ^ 1 << card] * width + place
                movers.times[mover, length] = -times
                length += 1
    movers.length[mover] = length


@part
def add(movers: Movers, mover: int, table: Integers, unit: int) -> None:
    """Add a mover to the table, ``unit`` for each of its hands."""
    for each in range(movers.length[mover]):
        table[np.uint64(movers.at[mover, each])] += unit * movers.times[mover, each]


@part
def pass_up_to(movers: Movers, crowd: Crowd, strength: int) -> None:
    """Bring the table from a lower strength to this one."""
    for which in range(PASSES):
        mover = due(crowd, which, strength)
        while mover >= 0:
            add(movers, mover, crowd.table, unit_of(which, UP_TO))
            mover = due(crowd, which, strength)


@part
def due(crowd: Crowd, which: int, strength: int) -> Any:
    """Return the next mover that a pass is to add before hands of this strength are met, -1 if there is none.

    First those that leave lower strengths are counted below, then those that leave lower ones or this up to it; then
    those that join are taken away in the same way.
    """
    order = crowd.leaving if which < 2 else crowd.joining
    place = crowd.next[which]
    if place >= len(order) or order[place] >> SHIFT >= strength + (which & 1):
        return -1
    crowd.next[which] += 1
    return order[place] & INDEX


@part
def unit_of(which: int, up_to: int) -> int:
    """Return what a pass adds for each hand."""
    unit = up_to if which & 1 else BELOW
    return unit if which < 2 else -unit


def table_for(slots: int) -> NDArray[np.int64]:
    """Return room for the tables of any board."""
    plain, main = rows_of(PLAIN, slots) * WIDTH, rows_of(MAIN, slots) * 2 * WIDTH
    return np.zeros(max(4 * plain, 2 * plain + main), np.int64)


def gather(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    board: Board,
    by_ranks: Integers,
    lowest: int,
    movers: Movers,
    table: Integers,
) -> Crowd:
    """List and sort the movers of a board and lay out its table, empty but for those who do not qualify."""
    lengths = [rows_of(mode, len(multisets.ranks)) * width_of(mode) for mode in board.modes.tolist()]
    starts = np.cumsum([0, *lengths])
    table[: starts[-1]] = 0
    used = list_movers(multisets, tables, options, board, by_ranks, lowest, starts, movers, table)
    return crowd_of(movers.leaves[:used], movers.joins[:used], table, starts)


def crowd_of(leaves: Integers, joins: Integers, table: Integers, starts: Integers) -> Crowd:
    """Return the movers sorted as they leave and as they join strengths, none of them passed yet."""
    numbers = np.arange(len(leaves))
    leaving, joining = np.sort(leaves << SHIFT | numbers), np.sort((joins << SHIFT | numbers)[joins < NEVER])
    return Crowd(leaving, joining, np.zeros(PASSES, np.int64), table, starts)
