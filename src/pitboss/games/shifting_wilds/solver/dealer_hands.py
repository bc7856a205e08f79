"""The dealer's hands with a board, by role, and the running sums over them.

A role says in which suit a flush counts (``boards``).  In the plain role every dealer's hand counts by its ranks, as if
there were no flushes.  In the role of a suit the hands that a flush makes stronger are moved from the strength of their
ranks to their own.  A *transfer* is all hands of the same kinds: they leave the strengths above its ``from_strength``
and join those above its ``to_strength``.

All counts share one word of 21-bit fields (no hand meets more than C(45, 4) = 148,995 dealers):

    bits 42 to 62  dealers below the qualifying strength
    bits 21 to 41  dealers up to the strength at hand
    bits  0 to 20  dealers below the strength at hand

The table has, for every set S of up to three cards' kinds, the dealers that hold S: all of them in the place
``NO_CARD``, and in the place of a card's kind, as a negative number, those that hold that card too.  So the signed sum
of rows over the sets within a hand counts the dealers that the hand meets with each W1.  Transfers are counted by what
they take away, and the hands of the plain role by what they add.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, popcount
from pitboss.games.shifting_wilds.rules import HAND, rank_hand, rank_natural_hand
from pitboss.games.shifting_wilds.solver.boards import LONE, MAIN, PLAIN, PlayBoard, get_live_card, get_live_suits
from pitboss.games.shifting_wilds.solver.multisets import (
    BINOMIALS,
    STATE_COUNT,
    HandMultisets,
    Int32Array,
    advance_kinds,
    count_multisets,
    fill_subsets,
    find_multiset,
    has_live_cards,
    may_flush,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

FIELD_MASK = (1 << 21) - 1
BELOW_UNIT = 1
UP_TO_UNIT = 1 << 21
UNQUALIFIED_UNIT = 1 << 42

ROW_WIDTH = 16
"""Places of a row for one side: one for each slot, and ``NO_CARD``."""

NO_CARD = 15
NEVER = 1 << 40
MAX_ADDRESSES = 48
"""Room for the table entries of a transfer: at most 5 + 4 x 4 + 6 x 3 + 4 x 2 = 47, with four different kinds."""

PASS_COUNT = 4
"""The passes: departures counted below and up to a strength, then arrivals taken away below and up to it."""

INDEX_BITS = 20
INDEX_MASK = (1 << INDEX_BITS) - 1


class DealerTransfers(NamedTuple):
    """Scratch arrays for the transfers of a board.

    From ``from_strengths`` to ``to_strengths`` a transfer adds its ``multiplicities`` at its ``addresses``; ``lengths``
    is how many of these 48 columns it uses.
    """

    from_strengths: IntArray
    to_strengths: IntArray
    lengths: IntArray
    addresses: Int32Array
    multiplicities: Int32Array


class DealerHands(NamedTuple):
    """The transfers of a board, sorted, and the table that they add to.

    ``departures`` and ``arrivals`` have the strengths that transfers leave and join, each with its transfer in one
    word, sorted; ``cursors`` has the next of each pass.  ``table`` has row after row, each role from its place in
    ``starts`` on.  It has words, or values of 32 bits (``value_sweep``).
    """

    departures: IntArray
    arrivals: IntArray
    cursors: IntArray
    table: Any
    starts: IntArray


def make_transfers(slots: int) -> DealerTransfers:
    """Return scratch arrays for the transfers of any board.

    They are large enough for all hands by kinds, in the plain role and in the suits' roles.
    """
    plain, main = (BINOMIALS[kinds + HAND - 1, HAND] for kinds in (slots, 2 * slots))
    most = max(plain * 4, plain * 2 + main)
    from_strengths, to_strengths, lengths = (np.empty(most, np.int64) for _ in range(3))
    addresses, multiplicities = (np.empty((most, MAX_ADDRESSES), np.int32) for _ in range(2))
    return DealerTransfers(from_strengths, to_strengths, lengths, addresses, multiplicities)


def count_rows(mode: int, slots: int) -> int:
    """Return how many rows a role's table has.

    It has a row for each multiset of up to three kinds, and one that stays zero.
    """
    return count_multisets(2 * slots if mode == MAIN else slots, HAND - 1) + 1


def get_row_width(mode: int) -> int:
    """Return the length of a row.

    In main roles a row has the cards in the suit first, then the others.
    """
    return 2 * ROW_WIDTH if mode == MAIN else ROW_WIDTH


@kernel_helper
def _count_live_kinds(multisets: HandMultisets, board: PlayBoard, mode: int, suit: int, live: IntArray) -> int:
    """Count the live cards of each kind; return how many kinds there are."""
    slots = len(multisets.ranks)
    for slot in range(slots):
        suits = get_live_suits(board.live, multisets.ranks[slot])
        alive = popcount(suits)
        of_suit = suits >> max(suit, 0) & 1
        if mode == PLAIN:
            live[slot] = alive
        elif mode == LONE:
            live[slot] = alive if slot == board.wild_slot else of_suit
        else:
            live[2 * slot] = alive if slot == board.wild_slot else alive - of_suit
            live[2 * slot + 1] = 0 if slot == board.wild_slot else of_suit
    return 2 * slots if mode == MAIN else slots


@kernel
def list_transfers(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    board: PlayBoard,
    rank_strengths: IntArray,
    qualifying_strength: int,
    starts: IntArray,
    transfers: DealerTransfers,
    table: IntArray,
) -> int:
    """List the transfers of a board and return how many there are.

    A role's rows begin at its place in ``starts``.  The dealers that do not qualify are entered in the table.
    """
    live, chosen = np.zeros(2 * ROW_WIDTH, np.int64), np.zeros(HAND, np.int64)
    numbers, times = np.zeros(STATE_COUNT, np.int64), np.zeros(STATE_COUNT, np.int64)
    used = 0
    for role in range(len(board.role_modes)):
        mode = board.role_modes[role]
        kinds = _count_live_kinds(multisets, board, mode, board.role_suits[0, role], live)
        chosen[:] = 0
        while chosen[HAND - 1] < kinds:
            listed = mode != MAIN or may_flush(chosen, HAND, board.flush_needs[role])
            if listed and has_live_cards(live, chosen, HAND):
                from_strength, to_strength = _find_transfer(
                    multisets, tables, options, board, rank_strengths, mode, role, chosen
                )
                if from_strength != to_strength:
                    transfers.from_strengths[used], transfers.to_strengths[used] = from_strength, to_strength
                    fill_subsets(live, chosen, HAND, kinds, numbers, times)
                    _fill_addresses(chosen, mode, starts[role], numbers, times, transfers, used)
                    if from_strength < qualifying_strength <= to_strength:
                        add_transfer(transfers, used, table, UNQUALIFIED_UNIT)
                    used += 1
            advance_kinds(chosen, HAND)
    return used


@kernel_helper
def _find_transfer(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    board: PlayBoard,
    rank_strengths: IntArray,
    mode: int,
    role: int,
    chosen: IntArray,
) -> tuple[int, int]:
    """Return the strengths that hands of these kinds leave and join.

    The two are equal if the hands do not move.
    """
    side = 1 if mode == MAIN else 0
    slots = (chosen[0] >> side, chosen[1] >> side, chosen[2] >> side, chosen[3] >> side)
    from_strength = rank_strengths[find_multiset(multisets, slots[0], slots[1], slots[2], slots[3])]
    if mode == PLAIN:
        return from_strength, NEVER
    wild_cards, within = 0, 0
    for card in range(HAND):
        wild_cards += slots[card] == board.wild_slot
        within += slots[card] != board.wild_slot and (mode == LONE or chosen[card] & 1 == 1)
    if wild_cards + within < board.flush_needs[role]:
        return from_strength, from_strength
    suit = board.role_suits[0, role]
    to_strength = _rank_kinds(multisets, tables, options, board, slots, chosen, mode, suit)
    if mode == LONE and wild_cards == HAND - 1:
        # Three wild cards may make a flush in the main suit with any fourth card: then the hand moves from that flush.
        from_strength = _rank_kinds(multisets, tables, options, board, slots, chosen, mode, board.suit_order[0])
    return from_strength, to_strength


@kernel_helper
def _rank_kinds(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    board: PlayBoard,
    slots: Any,
    chosen: IntArray,
    mode: int,
    suit: int,
) -> int:
    """Return the strength of one hand of these kinds.

    ``suit`` is the role's suit.
    """
    hole = 0
    for card in range(HAND):
        rank = multisets.ranks[slots[card]]
        before = 0
        for other in range(card):
            before += chosen[other] == chosen[card]
        if slots[card] == board.wild_slot:
            hole |= get_live_card(board.live, board.suit_order, rank, -1, before)
        elif mode == LONE or chosen[card] & 1:
            hole |= 1 << (RANK_COUNT * suit + rank)
        else:
            hole |= get_live_card(board.live, board.suit_order, rank, suit, before)
    if board.is_natural:
        return rank_natural_hand(tables, hole, board.indicators[0])
    return rank_hand(tables, hole, board.community, board.indicators[0], options)


@kernel_helper
def _fill_addresses(
    chosen: IntArray,
    mode: int,
    start: int,
    numbers: IntArray,
    times: IntArray,
    transfers: DealerTransfers,
    transfer: int,
) -> None:
    """Write the table entries that a transfer adds to.

    For each set of its cards (``fill_subsets``), this is how many of its hands hold the set.
    """
    width = 2 * ROW_WIDTH if mode == MAIN else ROW_WIDTH
    length = 0
    for taken in range(STATE_COUNT):
        if times[taken] == 0:
            continue
        if taken != STATE_COUNT - 1:
            transfers.addresses[transfer, length] = start + numbers[taken] * width + NO_CARD
            transfers.multiplicities[transfer, length] = times[taken]
            length += 1
        for card in range(HAND):
            last = card == HAND - 1 or chosen[card + 1] != chosen[card] or taken >> (card + 1) & 1 == 0
            if taken >> card & 1 and last:
                kind = chosen[card]
                place = kind if mode != MAIN else (kind >> 1) + (0 if kind & 1 else ROW_WIDTH)
                transfers.addresses[transfer, length] = start + numbers[taken ^ 1 << card] * width + place
                transfers.multiplicities[transfer, length] = -times[taken]
                length += 1
    transfers.lengths[transfer] = length


@kernel_helper
def add_transfer(transfers: DealerTransfers, transfer: int, table: Any, unit: int) -> None:
    """Add a transfer to the table, ``unit`` for each of its hands."""
    for each in range(transfers.lengths[transfer]):
        table[np.uint64(transfers.addresses[transfer, each])] += unit * transfers.multiplicities[transfer, each]


@kernel_helper
def advance_to(transfers: DealerTransfers, dealer_hands: DealerHands, strength: int) -> None:
    """Advance the table from a lower strength to this one."""
    for which in range(PASS_COUNT):
        transfer = take_due_transfer(dealer_hands, which, strength)
        while transfer >= 0:
            add_transfer(transfers, transfer, dealer_hands.table, get_pass_unit(which, UP_TO_UNIT))
            transfer = take_due_transfer(dealer_hands, which, strength)


@kernel_helper
def take_due_transfer(dealer_hands: DealerHands, pass_index: int, strength: int) -> Any:
    """Return the next transfer that a pass adds, or -1 if there is none.

    It is added before hands of this strength are compared.  The first pass counts departures from lower strengths as
    below.  The second counts departures from lower strengths and this one as up to it.  The other two take away
    arrivals in the same way.
    """
    order = dealer_hands.departures if pass_index < 2 else dealer_hands.arrivals
    place = dealer_hands.cursors[pass_index]
    if place >= len(order) or order[place] >> INDEX_BITS >= strength + (pass_index & 1):
        return -1
    dealer_hands.cursors[pass_index] += 1
    return order[place] & INDEX_MASK


@kernel_helper
def get_pass_unit(pass_index: int, up_to: int) -> int:
    """Return the unit that a pass adds for each hand."""
    unit = up_to if pass_index & 1 else BELOW_UNIT
    return unit if pass_index < 2 else -unit


def make_table(slots: int) -> NDArray[np.int64]:
    """Return a zero array that is large enough for the table of any board."""
    plain, main = count_rows(PLAIN, slots) * ROW_WIDTH, count_rows(MAIN, slots) * 2 * ROW_WIDTH
    return np.zeros(max(4 * plain, 2 * plain + main), np.int64)


def make_dealer_hands(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    board: PlayBoard,
    rank_strengths: IntArray,
    qualifying_strength: int,
    transfers: DealerTransfers,
    table: IntArray,
) -> DealerHands:
    """List and sort the transfers of a board and clear its table.

    Only the dealers that do not qualify stay in the table.
    """
    lengths = [count_rows(mode, len(multisets.ranks)) * get_row_width(mode) for mode in board.role_modes.tolist()]
    starts = np.cumsum([0, *lengths])
    table[: starts[-1]] = 0
    used = list_transfers(
        multisets, tables, options, board, rank_strengths, qualifying_strength, starts, transfers, table
    )
    return sort_transfers(transfers.from_strengths[:used], transfers.to_strengths[:used], table, starts)


def sort_transfers(from_strengths: IntArray, to_strengths: IntArray, table: IntArray, starts: IntArray) -> DealerHands:
    """Return the transfers sorted by the strengths they leave and join.

    All passes are at the start.
    """
    numbers = np.arange(len(from_strengths))
    leaving, joining = (
        np.sort(from_strengths << INDEX_BITS | numbers),
        np.sort((to_strengths << INDEX_BITS | numbers)[to_strengths < NEVER]),
    )
    return DealerHands(leaving, joining, np.zeros(PASS_COUNT, np.int64), table, starts)
