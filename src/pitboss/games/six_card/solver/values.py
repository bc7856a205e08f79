"""What a hand is worth more played than folded: classes of hands, all their states on one board.

The classes are taken in order of strength, and the dealer's completions pass from stronger to equal to weaker
(``crowd``).  What is left of them for a hand is read from ``rank_tables``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK_52
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.counting.rank_hands import (
    NO_FLUSH,
    STATES,
    Live,
    RankHands,
    classes_of,
    last_state,
    live_cards,
    state_of,
    ways_of_flush,
    ways_without_flush,
)
from pitboss.counting.rank_tables import (
    PLAIN,
    HandEntries,
    add_differences,
    hand_entries,
    one_difference,
    plain_value,
    spread,
)
from pitboss.counting.suits import exchanged, exchanges
from pitboss.games.six_card.rules import HAND, Options, hand_strength
from pitboss.games.six_card.solver.crowd import (
    LANE,
    Crowd,
    all_stronger,
    crowd_of,
    differences_of,
    flush_suit,
    pass_up_to,
)
from pitboss.hands import HandTables, load_hand_tables

EVERY = -LANE


class Board(NamedTuple):
    """Three exposed cards: what is live, what a suit matters to, who may stand against a hand, and suits alike."""

    live: Live
    differences: int
    crowd: Crowd
    orders: Integers
    completions: int


class Room(NamedTuple):
    """A number for each state of a class: its hands, both words, and those of its hands that are folded."""

    ways: Integers
    first: Integers
    second: Integers
    folded: Integers
    chosen: Integers


def by_strength(hands: RankHands, options: Options) -> tuple[RankHands, Integers]:
    """Return classes by rising strength, and their strengths."""
    strengths = np.array([hand_strength(load_hand_tables(), int(mask), options) for mask in hands.masks], np.int64)
    order = np.argsort(strengths, kind="stable")
    return RankHands._make(column[order] for column in hands), strengths[order]


def values_of(exposed: int, masks: Sequence[int], options: Options, worth: Sequence[int]) -> list[int]:
    """Return by how much playing each hand beats folding it, summed over the 12,341 completions of the exposed cards.

    ``worth`` is what the outcomes net more than a fold: a hand is played where its value is above 0.
    """
    hands = classes_of(masks)
    hands, strengths = by_strength(hands, options)
    nets, same = np.array(worth, np.int64), exchanges(DECK_52.mask)[:1]
    board = make_board(load_hand_tables(), options, DECK_52.mask, exposed, same, 0)
    table, values = all_stronger(board.crowd, options, nets), np.zeros(len(strengths), np.int64)
    _fill_values(table, hands, hand_entries(hands), strengths, options, nets, board, make_room(), values)
    by_mask = dict(zip(hands.masks.tolist(), values.tolist(), strict=True))
    return [by_mask[mask] for mask in masks]


@part
def states_valued(
    table: Any, hands: RankHands, entries: HandEntries, hand: int, board: Board, room: Room, least: int
) -> int:
    """Value all states of a class; return how many are looked at, or 0 if all are below ``least``.

    ``least`` is 0 where only what may be played matters, and ``EVERY`` where folds do too.
    """
    if hands.flush[hand] == NO_FLUSH:
        return values_without_flush(table, hands, entries, hand, board, room, least)
    return values_with_flush(table, hands, entries, hand, board, room)


@part
def values_without_flush(
    table: Any, hands: RankHands, entries: HandEntries, hand: int, board: Board, room: Room, least: int
) -> int:
    """Value all states of a class without flush; return how many there are, 0 if all are below ``least``."""
    groups, states = hands.groups[hand], 1
    room.first[0], room.second[0] = plain_value(table, entries, hand)
    if board.differences != PLAIN:
        states = 1 << groups
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, groups)
    best = EVERY
    for state in range(states):
        best = max(best, room.first[np.uint64(state)])
    if best < least:
        return 0
    ways_without_flush(hands, hand, board.live, room.ways)
    if states > 1:
        spread(room.second, groups)
    return states


@part
def values_with_flush(table: Any, hands: RankHands, entries: HandEntries, hand: int, board: Board, room: Room) -> int:
    """Value the three states of a class with a flush; return how many states are looked at, those between at 0 ways."""
    odd, last = hands.odd[hand], last_state(hands, hand)
    plain, mixed, inside = ways_of_flush(hands, hand, hands.flush[hand], odd, board.live)
    room.ways[0] = plain
    room.first[0], room.second[0] = plain_value(table, entries, hand)
    if mixed + inside == 0:
        return 1
    first, second = one_difference(table, hands, entries, hand, odd, board.differences)
    if inside:
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, hands.groups[hand])
        spread(room.second, hands.groups[hand])
    room.ways[1 : last + 1] = 0
    room.ways[1 << odd] = mixed
    room.first[1 << odd], room.second[1 << odd] = room.first[0] + first, room.second[0] + second
    room.ways[last] = inside
    return 1 + max(last if inside else 0, int(1 << odd))


def make_room() -> Room:
    """Return room for the states of a class."""
    return Room(*(np.zeros(length, np.int64) for length in (STATES, STATES, STATES, STATES, HAND)))


def make_board(
    tables: HandTables, options: Options, deck: int, exposed: int, orders: Integers, completions: int
) -> Board:
    """Return what there is to know of three exposed cards; of ``orders`` those that leave them as they are."""
    live = live_cards(deck & ~exposed, flush_suit(exposed))
    fixing = orders[exchanged(exposed, orders.T) == exposed]
    return Board(live, differences_of(exposed), crowd_of(tables, options, exposed, live), fixing, completions)


@filling_kernel
def _fill_values(
    table: Any,
    hands: RankHands,
    entries: HandEntries,
    strengths: Integers,
    options: Options,
    nets: Integers,
    board: Board,
    room: Room,
    values: Integers,
) -> None:
    """Value single hands, one a row by rising strength, of which ``masks`` is the hand meant."""
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = pass_up_to(board.crowd, table, nets, options, strengths[hand], weaker, equal)
        room.first[0], room.second[0] = plain_value(table, entries, hand)
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, hands.groups[hand])
        values[hand] = room.first[state_of(hands, hand, board.live)] >> 32
