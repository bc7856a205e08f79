"""Wild Six Card Poker played out deal by deal: slow and obvious, for the solver to be compared with."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_54, FIRST_JOKER, make_mask, seeded_bits, shuffle_deck
from pitboss.games.wild_six_card import GAME, rules
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE
from pitboss.games.wild_six_card.solver.solution import PlayedFives
from pitboss.hands import ANY_CARD_FLUSH, FOUR_OF_A_KIND, STRAIGHT, load_hand_tables, pack_lowest_strength
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.suit_symmetry import SuitedDeck, canonicalize, count_exchangeable, find_canonical_place
from pitboss.solver_api import Strategy

TABLES = load_hand_tables()
PLAIN = rules.WildSixOptions(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=0)
STAND_PAT = rules.WildSixOptions(stand_pat=1, queens_or_better=0, draw_bonus=0, wild_flush=0)
ANY_CARD = rules.WildSixOptions(stand_pat=1, queens_or_better=0, draw_bonus=0, wild_flush=ANY_CARD_FLUSH)

# automatic-win, then win tie lose push after a discard and after standing
NETS = (1, 1, 0, -1, 0, 1, 0, -1, 0)
PUSHES_TAKEN = (1, 1, 0, -1, -1, 1, 0, -1, -1)
TIES_SOUGHT = (0, 1, 5, -2, 3, 1, 4, -2, 3)
STANDING_PAID = (0, 3, 0, -3, 0, 4, 0, -3, 1)
ALL_THE_SAME = (0, 0, 0, 0, 0, 0, 0, 0, 0)

FOUR = pack_lowest_strength(FOUR_OF_A_KIND)
SIDES = [wager.id for wager in GAME.wagers[1:]]
SHAPE = [len(wager.outcomes) for wager in (*GAME.wagers[1:], GAME.wagers[0])]


class Deal(NamedTuple):
    """What every deal of a small deck comes to: deals by outcome of the side wagers and main, by path, losses."""

    outcomes: NDArray[np.int64]
    taken: dict[str, int]
    equal: set[int]
    lost: list[int]


def results(made: int, dealers: list[int]) -> tuple[int, int, int, int]:
    """Count the dealer's hands, sorted, by win, tie, lose and push (W6-4)."""
    weaker, no_stronger = bisect_left(dealers, made), bisect_right(dealers, made)
    pushing = len(dealers) - max(no_stronger, bisect_left(dealers, FOUR))
    return weaker, no_stronger - weaker, len(dealers) - no_stronger - pushing, pushing


def choices_of(
    deck: SuitedDeck, first: tuple[int, ...], made: dict[int, int], options: rules.WildSixOptions
) -> dict[int, list[tuple[int, ...]]]:
    """Return for every choice from a first five, a card or ``NO_CHOICE`` for standing, the results of each draw."""
    tallied: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    others = [code for code in deck.cards if code not in first]
    for drawn in others:
        dealers = sorted(made[make_mask(hand)] for hand in combinations([code for code in others if code != drawn], 6))
        if options.stand_pat:
            tallied[NO_CHOICE].append(results(made[make_mask(first)], dealers))
        for discard in first:
            tallied[discard].append(results(made[make_mask({drawn, *first} - {discard})], dealers))
    return tallied


def lowest_first(mask: int, choice: int) -> tuple[int, int]:
    """Order choices of equal value: standing, then the lowest card, Jokers last; of one rank the longest suit's."""
    if choice == NO_CHOICE:
        return -1, 0
    if choice >= FIRST_JOKER:
        return FIRST_JOKER, 0
    return choice % 13, -(mask >> choice // 13 * 13 & 8191)


def settled(first: int, drawn: int, options: rules.WildSixOptions) -> tuple[int, int, int]:
    """Settle the side wagers by the rules of the table, in their order."""
    state = rules.WildSixState(first, 0, drawn, 0, 0, 1, rules.STOOD, 0)
    state = rules.show_dealer(rules.receive_dealer_draw(state._replace(dealer=first), drawn))
    _, queens, taxed, bonus = rules.settle(TABLES, state, options)
    return queens, taxed, bonus


def chosen_by(strategy: Strategy, mask: int, options: rules.WildSixOptions) -> int:
    """Return what a strategy does with a first five: the card it discards, or ``NO_CHOICE`` for standing."""
    _, cards = strategy.choose(TABLES, rules.WildSixView(mask, 0, 0), 0, strategy.numbers, options)
    return int(cards).bit_length() - 1 if cards else NO_CHOICE


def every_deal(
    deck: SuitedDeck, options: rules.WildSixOptions, nets: Sequence[int], strategy: Strategy | None = None
) -> Deal:
    """Visit every first five, card drawn and dealer's hand, and take what is best, or what a strategy does."""
    made = {
        mask: rules.rank_hand(TABLES, mask, options)
        for size in (5, 6)
        for mask in map(make_mask, combinations(deck.cards, size))
    }
    dealers = comb(len(deck.cards) - 6, 6)
    dealt = Deal(np.zeros(SHAPE, np.int64), dict.fromkeys(("automatic", "discard", "stand"), 0), set(), [])
    for first in combinations(deck.cards, 5):
        mask = make_mask(first)
        sides = [settled(mask, 1 << drawn, options) for drawn in deck.cards if drawn not in first]
        if made[mask] >= pack_lowest_strength(STRAIGHT):
            dealt.taken["automatic"] += len(sides) * dealers
            for side in sides:
                dealt.outcomes[(*side, 0)] += dealers
            continue
        ranked = []
        for choice, tallied in choices_of(deck, first, made, options).items():
            at = 5 if choice == NO_CHOICE else 1
            value = sum(count * net for each in tallied for count, net in zip(each, nets[at : at + 4], strict=True))
            ranked.append((-value, lowest_first(mask, choice), at, choice, tallied))
        ranked.sort()
        taken = chosen_by(strategy, mask, options) if strategy else ranked[0][3]
        worth, _, at, choice, tallied = next(each for each in ranked if each[3] == taken)
        if worth > ranked[0][0]:
            dealt.lost.append(worth - ranked[0][0])
        for side, each in zip(sides, tallied, strict=True):
            dealt.outcomes[side][at : at + 4] += each
        dealt.taken["stand" if choice == NO_CHOICE else "discard"] += len(sides) * dealers
        as_good = [other[3] for other in ranked if other[0] == worth]
        if len(as_good) > (1 if choice == NO_CHOICE else count_exchangeable(mask, choice)):
            dealt.equal.add(canonicalize(mask))
    return dealt


def totals(outcomes: NDArray[np.int64], wager: int, nets: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return for each outcome of a side wager its deals and the sum of what main nets there."""
    lines = np.moveaxis(outcomes, wager, 0)
    return tuple((int(line.sum()), int((line @ np.array(nets)).sum())) for line in lines)


ALL_SIXES: list[NDArray[np.uint8]] = []


def all_sixes() -> NDArray[np.uint8]:
    """Return every six of 49 places, shape (C(49, 6), 6), made once."""
    if not ALL_SIXES:
        rows = np.zeros((1, 0), np.uint8)
        for size in range(1, 7):
            first = rows[:, -1].astype(int) + 1 if size > 1 else np.zeros(1, int)
            room = 49 - (6 - size) - first
            grown = np.repeat(rows, room, axis=0)
            starts = np.repeat(first - np.concatenate(([0], np.cumsum(room)[:-1])), room)
            rows = np.column_stack((grown, (starts + np.arange(len(grown))).astype(np.uint8)))
        ALL_SIXES.append(rows)
    return ALL_SIXES[0]


def results_by_choice(first: Sequence[int], wild_flush: int) -> dict[int, list[int]]:
    """Meet every dealer's hand with every card drawn: the deals by result for each discard and for standing."""
    others = np.array([code for code in DECK_54.cards if code not in first])
    sixes = all_sixes()
    bits = np.int64(1) << others
    masks = np.zeros(len(sixes), np.int64)
    for column in range(6):
        masks |= bits[sixes[:, column]]
    order, levels = np.unique(compute_strengths(masks, ranking=wild_flush), return_inverse=True)
    holding = sum(
        np.bincount(levels * 49 + sixes[:, column], minlength=len(order) * 49).reshape(-1, 49) for column in range(6)
    )
    apart = np.bincount(levels, minlength=len(order))[:, None] - holding

    def met(made: int, dealers: NDArray[np.int64]) -> list[int]:
        weaker, equal, above = order < made, order == made, order > made
        parts = (weaker, equal, above & (order < FOUR), above & (order >= FOUR))
        return [int(dealers[part].sum()) for part in parts]

    options = STAND_PAT._replace(wild_flush=wild_flush)
    own = rules.rank_hand(TABLES, make_mask(first), options)
    found = {NO_CHOICE: [43 * count for count in met(own, np.bincount(levels))]}
    for discard in first:
        each = [
            met(rules.rank_hand(TABLES, make_mask({int(drawn), *first} - {discard}), options), apart[:, place])
            for place, drawn in enumerate(others)
        ]
        found[discard] = np.sum(each, axis=0).tolist()
    return found


def discarded(whole: PlayedFives, first: Sequence[int]) -> int:
    """Return a card that the best play discards from a first five that is no automatic winner."""
    mask = make_mask(first)
    place = whole.choices[np.searchsorted(whole.first_fives.masks, canonicalize(mask))]
    return next(code for code in first if find_canonical_place(mask, code) == place)


def some_positions(number: int, seed: int) -> list[tuple[int, ...]]:
    """Return so many shuffled first fives that are no automatic winner."""
    bits, found = seeded_bits(seed), list[tuple[int, ...]]()
    while len(found) < number:
        first = tuple(shuffle_deck(DECK_54, bits)[:5])
        if rules.rank_hand(TABLES, make_mask(first), PLAIN) < pack_lowest_strength(STRAIGHT):
            found.append(first)
    return found
