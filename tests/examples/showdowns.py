"""A second derivation of games that end in a showdown: sweeps over all hands in order of strength.

It shares the evaluator and ``Showdown.outcome`` with the program, and nothing that counts or decides.
"""

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from examples.loading import compute_nets
from pitboss.cards import bit
from pitboss.contract import Game
from pitboss.hands import (
    EMPTY_KEY,
    HIGH_CARD,
    ROYAL_FIRST,
    ROYAL_FLUSH,
    evaluate_key,
    find_five_card_line,
    load_hand_tables,
    pack_strength,
)
from pitboss.kernels.compile import kernel, register_rules
from pitboss.kernels.suit_symmetry import list_suit_classes
from pitboss.paytables import select_paytables

Integers = NDArray[np.int64]

HANDS, DEALER_HANDS = comb(47, 2), comb(45, 2)
RIVERS = comb(47, 2)
DEALS = comb(52, 3) * comb(49, 2) * RIVERS * DEALER_HANDS

LINES = 10
BELOW, EQUAL, ABOVE = range(3)
HALVES = 2
"""Nets are counted in halves of an Ante, because a Blind may pay 3 to 2."""


def build_net_table(game: Game, states: Sequence[Any], options: Any) -> Integers:
    """Return the net of each path, by the player's line, the dealer's strength against his, and whether he qualifies.

    ``states`` are at the end of each path of actions.  All strengths that differ in nothing else have one net.
    """
    assert game.showdown is not None
    nets = [int(HALVES * net) for net in compute_nets(game.main, select_paytables(game))]
    table = np.full((len(states), LINES, 3, 2), np.iinfo(np.int64).min)
    strengths = [
        pack_strength(category, first, second, 2, 2, 2)
        for category in range(HIGH_CARD, ROYAL_FLUSH + 1)
        for first in range(2, 15)
        for second in range(2, 15)
    ]
    for mine in strengths:
        for theirs in (0, options.dealer_qualifies, mine - 1, mine, mine + 1):
            relation = BELOW if theirs < mine else EQUAL if theirs == mine else ABOVE
            place = (find_five_card_line(mine), relation, int(theirs >= options.dealer_qualifies))
            for path, state in enumerate(states):
                net = nets[game.showdown.outcome(state, mine, theirs, options)]
                assert table[path, *place] in (net, np.iinfo(np.int64).min)
                table[path, *place] = net
    return table


@kernel
def sum_nets(below: int, up_to: int, unqualified: int, hands: int, nets: Integers) -> int:
    """Return the net of all dealer's hands.

    ``below``, ``up_to`` and ``unqualified`` are how many of the ``hands`` are weaker than mine, not stronger, and do
    not qualify.
    """
    total = nets[BELOW, 0] * min(below, unqualified) + nets[BELOW, 1] * max(below - unqualified, 0)
    total += nets[EQUAL, 0 if unqualified > below else 1] * (up_to - below)
    total += nets[ABOVE, 0] * max(unqualified - up_to, 0) + nets[ABOVE, 1] * (hands - max(up_to, unqualified))
    return int(total)


@kernel
def sort_holdem_hands(tables: Any, board: int) -> Integers:
    """Return every two cards, 52 x one + other, below their strength on a board, in its order."""
    words, number, board_key = np.zeros(HANDS, np.int64), 0, EMPTY_KEY
    for card in range(52):
        if board >> card & 1:
            board_key += tables.card_keys[card]
    for one in range(52):
        for other in range(one + 1, 52):
            mask = bit(one) | bit(other)
            if board & mask == 0:
                key = board_key + tables.card_keys[one] + tables.card_keys[other]
                words[number] = evaluate_key(tables, key, board | mask, 0, ROYAL_FIRST) << 12 | 52 * one + other
                number += 1
    words.sort()
    return words


@kernel
def add_board(words: Integers, nets: Integers, fold: int, qualifier: int, sums: Integers) -> None:
    """Add a board to the sums of each hand: see ``value_flop``.

    Of all dealer's hands those that share a card with mine are left out: the hands with its first card, the hands with
    its second, but its own only once.
    """
    paths = len(nets)
    held, weak_held, weak = np.zeros(52, np.int64), np.zeros(52, np.int64), 0
    below = np.zeros(HANDS, np.int64)
    for word in words:
        if word >> 12 < qualifier:
            weak += 1
            weak_held[(word & 4095) // 52] += 1
            weak_held[(word & 4095) % 52] += 1
    first = 0
    while first < HANDS:
        mine = words[first] >> 12
        end = first
        while end < HANDS and words[end] >> 12 == mine:
            pair = words[end] & 4095
            below[end] = first - held[pair // 52] - held[pair % 52]
            end += 1
        for place in range(first, end):
            pair = words[place] & 4095
            held[pair // 52] += 1
            held[pair % 52] += 1
        for place in range(first, end):
            pair = words[place] & 4095
            one, other = pair // 52, pair % 52
            up_to = end - held[one] - held[other] + 1
            unqualified = weak - weak_held[one] - weak_held[other] + (1 if mine < qualifier else 0)
            line = find_five_card_line(mine)
            for path in range(paths):
                sums[path, pair] += sum_nets(below[place], up_to, unqualified, DEALER_HANDS, nets[path, line])
            late = sum_nets(below[place], up_to, unqualified, DEALER_HANDS, nets[0, line])
            sums[paths, pair] += max(late, fold)
            sums[paths + 1, pair] += 1 if late > fold else 0
        first = end


@kernel
def value_flop(tables: Any, flop: int, nets: Integers, fold: int, qualifier: int) -> Integers:
    """Return sums over all rivers and dealer's hands for each hand, 52 x its first card + its second.

    A row is the net of a path; then that of the first path or a fold on the river, whichever is better; and on how
    many rivers it is the path.
    """
    sums = np.zeros((len(nets) + 2, 52 * 52), np.int64)
    for one in range(52):
        for other in range(one + 1, 52):
            river = bit(one) | bit(other)
            if flop & river == 0:
                add_board(sort_holdem_hands(tables, flop | river), nets, fold, qualifier, sums)
    return sums


def value_flops(nets: Integers, fold: int, qualifier: int) -> Iterator[tuple[int, int, Integers]]:
    """Yield each flop up to suits, how many flops are alike, and its ``value_flop``."""
    register_rules()
    tables = load_hand_tables()
    for flop, weight in zip(*list_suit_classes(range(52), 3), strict=True):
        yield int(flop), int(weight), value_flop(tables, int(flop), nets, fold, qualifier)


def list_hands(seen: int) -> Integers:
    """List the two cards that may be held when others are seen, as 52 x the first + the second."""
    free = [card for card in range(52) if seen >> card & 1 == 0]
    return np.array([52 * one + other for place, one in enumerate(free) for other in free[place + 1 :]])
