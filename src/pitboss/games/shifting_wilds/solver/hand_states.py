"""The state of a hand with an open board, and the decisions stored by it.

The suits of a board that allow a flush are its roles (``boards``).  What a hand is worth with a board and a W1 follows
from its ranks and from which of its cards are in a role's suit: a flush needs a role, and a card of the hand keeps
the dealer from a flush only in a role.  Natural cards of other suits, and all wild cards, are alike.  So a hand of
given ranks has a *state*, a number with a digit for each card, by rising rank and, within a rank, by rising digit:

    natural card of a role  the role's place, 0 to 2, in the order of ``PlayBoard.role_suits``
    other natural card      the number of roles
    wild card               0

The base is the number of roles plus one.  A word has a bit for each W1, a place of 16 bits for each suit: first those
of the roles, in their order, then the others.  These are alike too, so that their order does not matter.
"""

from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import PlayBoard
from pitboss.games.shifting_wilds.solver.dealer_hands import NO_CARD, ROW_WIDTH
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, PlayWorkspace
from pitboss.games.shifting_wilds.solver.multisets import STATE_COUNT, count_copies, find_other_cards
from pitboss.games.shifting_wilds.solver.play_values import get_role_states
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray

_PLACE_MASK = (1 << ROW_WIDTH) - 1


def list_suits_by_place(board: PlayBoard) -> list[int]:
    """Return the suits of a board with its first W2, those of the roles first."""
    roles = board.role_suits[0, 1:].tolist()
    return [*roles, *(suit for suit in range(SUIT_COUNT) if suit not in roles)]


def count_states(board: PlayBoard) -> int:
    """Return how many numbers the states of a multiset take."""
    return int(len(board.role_modes) ** HAND)


@rule
def number_state(hand: int, wild: int, roles: int) -> int:
    """Number the state of a hand whose suits are in the order of the places.

    >>> number_state(0b1 | 0b10 << 13 | 0b1100 << 39, 0b100 << 39, 2) == 0 + 1 * 3 + 0 * 9 + 2 * 27
    True
    """
    number, unit = 0, 1
    for height in range(RANK_COUNT):
        for place in range(SUIT_COUNT):
            if get_suit_ranks(hand, place) >> height & 1:
                if get_suit_ranks(wild, place) >> height & 1 == 0:
                    number += min(place, roles) * unit
                unit *= roles + 1
    return number


@kernel_helper
def get_suit_at(board: PlayBoard, w2_index: int, place: int) -> int:
    """Return the suit at a place: that of a role, or one of the others."""
    roles = len(board.role_modes) - 1
    if place < roles:
        return int(board.role_suits[w2_index, place + 1])
    others = place - roles
    for suit in range(SUIT_COUNT):
        is_role = False
        for role in range(roles):
            is_role |= board.role_suits[w2_index, role + 1] == suit
        if not is_role:
            if others == 0:
                return suit
            others -= 1
    return 0


@kernel_helper
def fill_state_words(board: PlayBoard, multiset: int, slots: IntArray, workspace: PlayWorkspace, words: Any) -> None:
    """Store which W1s each state of a multiset plays with, unless it is a flush.

    ``workspace.lane_values`` has the values with the board's first W2.
    """
    naturals, wild_cards = find_other_cards(slots, board.wild_slot), count_copies(slots, board.wild_slot)
    roles, values = len(board.role_modes) - 1, workspace.lane_values
    state_count = (roles + 1) ** HAND
    for state in range(state_count):
        # Four bits for each suit, as ``OpeningHands.states`` has them.
        held, left = 0, state
        for card in range(HAND):
            held |= 1 << HAND * get_suit_at(board, 0, left % (roles + 1)) + card
            left //= roles + 1
        first, second, third, is_flush = get_role_states(board, 0, held, naturals, wild_cards)
        if is_flush:
            continue
        one, two, three = (
            (STATE_COUNT + first) * LANE_COUNT,
            (2 * STATE_COUNT + second) * LANE_COUNT,
            (3 * STATE_COUNT + third) * LANE_COUNT,
        )
        word = 0
        for place in range(SUIT_COUNT):
            start = get_suit_at(board, 0, place) * ROW_WIDTH
            for slot in range(NO_CARD):
                lane = start + slot
                value = np.int32(values[lane] - values[one + lane])
                value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
                word |= (1 if value >= 0 else 0) << place * ROW_WIDTH + slot
        words[multiset * state_count + state] = word


@kernel_helper
def store_flush_word(
    board: PlayBoard, w2_index: int, multiset: int, slots: IntArray, suited: int, lanes: int, words: Any
) -> None:
    """Store which W1s a flush plays with, at its state.

    ``suited`` has four bits for each suit, ``lanes`` a bit for each lane of W1.
    """
    naturals, roles = find_other_cards(slots, board.wild_slot), len(board.role_modes) - 1
    state, unit = 0, 1
    for card in range(HAND):
        # Cards of one rank count by rising digit: take a card's digit from the sorted ones of its rank.
        begin, end = card, card + 1
        while begin > 0 and slots[begin - 1] == slots[card]:
            begin -= 1
        while end < HAND and slots[end] == slots[card]:
            end += 1
        if naturals >> card & 1:
            state += unit * _find_digit(board, w2_index, suited, begin, end, card - begin)
        unit *= roles + 1
    word = 0
    for place in range(SUIT_COUNT):
        word |= (lanes >> get_suit_at(board, w2_index, place) * ROW_WIDTH & _PLACE_MASK) << place * ROW_WIDTH
    words[multiset * unit + state] = word


@kernel_helper
def _find_digit(board: PlayBoard, w2_index: int, suited: int, begin: int, end: int, index: int) -> int:
    """Return one of the rising digits of some cards of one rank.

    It is the ``index``-th of those from ``begin`` to before ``end``.
    """
    roles = len(board.role_modes) - 1
    for role in range(roles):
        for card in range(begin, end):
            if suited >> HAND * board.role_suits[w2_index, role + 1] + card & 1:
                if index == 0:
                    return role
                index -= 1
    return roles
