"""Two wagers on the same deals: how many deals end them each way, pair by pair of outcomes.

Wagers on the cards of one seat are counted set by set.  Wagers on two disjoint hands are not counted pair by pair, of
which there are far too many: with ``F[i][S]`` the hands of outcome i that hold all cards of a set S, the disjoint pairs
of outcomes i and j are the sum over all S of (-1)^|S| F[i][S] G[j][S].  A whole hand is held by itself alone.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.counting.blocks import Integers, bits_of, first_set, in_blocks, next_set
from pitboss.counting.compile import kernel, part
from pitboss.counting.numbers import number_subsets, numbered_sets, subset_sizes
from pitboss.counting.pairs import PLACE_BITS, lay_out_word, pairs_by_weaker, words_of
from pitboss.counting.sets import count_sets
from pitboss.hands import HandTables, load_hand_tables

RuleFunction = Callable[..., Any]
Table = list[list[int]]
"""Deals by the outcome of one wager (rows) and of the other."""

WHOLE, FIRST, BY_LAST = 0, 1, 2


class Part(NamedTuple):
    """A wager on the cards of a seat: its rule, how many outcomes it has, and which cards the rule is given.

    ``WHOLE``: all of them; ``FIRST``: all but the last that came; ``BY_LAST``: both, apart.
    """

    outcome: RuleFunction
    outcomes: int
    form: int


def joint_sets(
    one: Part, other: Part, deck: Sequence[int], cards: int, options: Any, progress: ProgressCallback = ignore_progress
) -> Table:
    """Count sets of ``cards`` cards of ``deck``, times the card that came last where a rule asks, by both outcomes.

    Raises:
        ValueError: a rule gave a set no outcome of its own.
    """
    lasts = 1 if one.form == other.form == WHOLE else cards
    block = _sets_kernel(one, other, cards, lasts)
    tables, bits = load_hand_tables(), bits_of(deck)
    blocks = in_blocks(lambda last, before: block(tables, bits, options, last, before), len(deck), cards, progress)
    counts = np.sum(blocks, axis=0)
    if counts.sum() != comb(len(deck), cards) * lasts:
        message = f"sets without an outcome: each must have one of {one.outcomes}, and one of {other.outcomes}"
        raise ValueError(message)
    table: Table = counts.tolist()
    return table


@cache
def _sets_kernel(one: Part, other: Part, cards: int, lasts: int) -> Callable[..., Integers]:
    of_one, of_other, outcomes, others = _of_cards(one), _of_cards(other), one.outcomes, other.outcomes

    @kernel
    def block(tables: HandTables, bits: Integers, options: Any, last: int, before_last: int) -> Integers:
        counts = np.zeros((outcomes, others), np.int64)
        places = np.zeros(cards, np.int64)
        mask = first_set(places, bits, cards, last, before_last)
        while mask != 0:
            for place in places[:lasts]:
                came_last = bits[place]
                row = of_one(tables, mask ^ came_last, came_last, options)
                column = of_other(tables, mask ^ came_last, came_last, options)
                if 0 <= row < outcomes and 0 <= column < others:
                    counts[row, column] += 1
            mask = next_set(places, bits, cards, mask)
        return counts

    return block


@cache
def _of_cards(wager: Part) -> RuleFunction:
    """Compile a rule of either form as one of the first cards and the last."""
    outcome = wager.outcome

    def whole(tables: HandTables, first: int, last: int, options: Any) -> int:
        return int(outcome(tables, first | last, options))

    def of_first(tables: HandTables, first: int, _last: int, options: Any) -> int:
        return int(outcome(tables, first, options))

    if wager.form == BY_LAST:
        return outcome
    return part(whole if wager.form == WHOLE else of_first)


def joint_with_place(
    outcome: RuleFunction,
    outcomes: int,
    deck: Sequence[int],
    within: Sequence[int],
    card: int,
    by_place: Sequence[int],
    options: Any,
    progress: ProgressCallback = ignore_progress,
) -> Table:
    """Count a wager on the cards at the places ``within`` along with one on where ``card`` lies.

    ``outcome(tables, mask, options)`` settles the first on the set of those cards, ``by_place`` has the outcome of the
    second for every place of the deck.  Deals are sets times the places that ``card`` may have, each time alike.
    """
    held = 1 << card

    def holds(_tables: HandTables, mask: int, _options: Any) -> int:
        return 1 if mask & held else 0

    table = joint_sets(
        Part(outcome, outcomes, WHOLE), Part(part(holds), 2, WHOLE), deck, len(within), options, progress
    )
    inside, outside = len(within), len(deck) - len(within)
    joint = [[0] * (max(by_place) + 1) for _ in range(outcomes)]
    for row, (without, with_card) in zip(joint, table, strict=True):
        for place, settled in enumerate(by_place):
            row[settled] += with_card * outside if place in within else without * inside
    return joint


def disjoint_pairs(one: Integers, other: Integers, deck: int, cards: int) -> Table:
    """Count the ordered pairs of disjoint hands of ``cards`` (2 to 6) of ``deck`` cards by the class of each.

    ``one`` and ``other`` are hands as words (``pairs.words_of``), the same hands in the same order, each under its own
    class, which takes the place of a strength and runs 0, 1 ...  Sums stay below 2**63: at most all pairs of hands,
    4.2e14, are ever added up, with either sign, over the 64 subsets of a hand.
    """
    classes, others = (words >> PLACE_BITS * cards for words in (one, other))
    rows, columns = np.bincount(classes), np.bincount(others)
    both = np.bincount(classes * len(columns) + others, minlength=len(rows) * len(columns))
    steps, sets = numbered_sets(deck, cards)
    sizes = subset_sizes(cards)
    signs = np.concatenate([np.full(comb(deck, size), (-1) ** size, np.int64) for size in range(cards)])
    pairs = (-1) ** cards * both.reshape(len(rows), len(columns))
    # Where all hands are given the commonest class of each wager is what is left of what all add up to.
    complete = len(one) == comb(deck, cards)
    row_left, column_left = (int(rows.argmax()), int(columns.argmax())) if complete else (-1, -1)
    held = {
        row: _holding(one[classes == row], sets, steps, sizes) * signs for row in range(len(rows)) if row != row_left
    }
    for column in range(len(columns)):
        if column != column_left:
            holding = _holding(other[others == column], sets, steps, sizes)
            for row, signed in held.items():
                pairs[row, column] += int(np.dot(signed, holding))
    if complete:
        partners = comb(deck - cards, cards)
        pairs[:, column_left] = 0
        pairs[:, column_left] = rows * partners - pairs.sum(axis=1)
        pairs[row_left] = 0
        pairs[row_left] = columns * partners - pairs.sum(axis=0)
    table: Table = pairs.tolist()
    return table


def _holding(words: Integers, sets: int, steps: Integers, sizes: Integers) -> Integers:
    """Return for every set of fewer cards than a hand has how many of the hands hold all of it."""
    holding = np.zeros(sets, np.int64)
    _hold(words, holding, steps, sizes)
    return holding


@kernel
def _hold(words: Integers, holding: Integers, steps: Integers, sizes: Integers) -> None:
    numbers = np.zeros(len(sizes) + 1, np.int64)
    places = np.zeros(steps.shape[1], np.int64)
    for word in words:
        lay_out_word(word, places)
        number_subsets(places, steps, sizes, numbers)
        for subset in range(len(sizes)):
            holding[numbers[subset]] += 1


class Compared(NamedTuple):
    """A wager on the weaker of two hands, as ``contract.HandPairCensus`` describes it."""

    strength: RuleFunction
    outcome: RuleFunction
    outcomes: int
    lowest: int
    otherwise: int


def joint_compared(
    wager: RuleFunction, outcomes: int, compared: Compared, deck: Sequence[int], cards: int, options: Any
) -> Table:
    """Count ordered pairs of hands, mine and theirs, by a wager on mine and one on the weaker of both.

    ``wager(tables, mask, options)`` settles mine.  Hands that count are put into classes that end both wagers alike; of
    two classes one must be the stronger throughout.  Pairs of one class are ties or have an order: the latter are what
    ``pairs_by_weaker`` finds that do not lie in two classes.

    Raises:
        ValueError: strengths that end the wagers alike do not lie together.
    """
    shift = PLACE_BITS * cards
    ranked = words_of(compared.strength, deck, cards, options, compared.lowest)
    settled = words_of(_of_strong(wager, compared.strength, compared.lowest), deck, cards, options, 0) >> shift
    levels, at = np.unique(ranked >> shift, return_inverse=True)
    ends = np.array([compared.outcome(int(level), int(levels[-1]) + 1, options) for level in levels], np.int64)
    ends[ends < 0] = compared.otherwise  # the strongest hand is never the weaker one: a rule may have no outcome for it
    kinds, classes = np.unique(settled * compared.outcomes + ends[at], return_inverse=True)
    joint = [[0] * compared.outcomes for _ in range(outcomes)]
    words = classes.astype(np.int64) << shift | ranked & (1 << shift) - 1
    pairs = disjoint_pairs(words, words, len(deck), cards)
    class_of = np.zeros(len(levels), np.int64)
    class_of[at] = classes
    weaker = [0] * len(kinds)
    found = pairs_by_weaker(compared.strength, deck, cards, options, compared.lowest)
    for level, kind in zip(levels.tolist(), class_of.tolist(), strict=True):
        weaker[kind] += found[level]
    rising = _rising(levels[at], classes)
    for place, weak in enumerate(rising):
        row, end = divmod(int(kinds[weak]), compared.outcomes)
        stronger = rising[place + 1 :]
        joint[row][end] += 2 * weaker[weak] - sum(pairs[weak][strong] for strong in stronger)
        for strong in stronger:
            joint[int(kinds[strong]) // compared.outcomes][end] += pairs[strong][weak]
    partners = comb(len(deck) - cards, cards)
    for ends_of, total in zip(joint, count_sets(wager, outcomes, deck, cards, options), strict=True):
        ends_of[compared.otherwise] += total * partners - sum(ends_of)
    return joint


@cache
def _of_strong(wager: RuleFunction, strength: RuleFunction, lowest: int) -> RuleFunction:
    """Compile the wager's rule for hands of ``lowest`` or more; others get no outcome."""

    def settled(tables: HandTables, mask: int, options: Any) -> int:
        return int(wager(tables, mask, options)) if strength(tables, mask, options) >= lowest else -1

    return part(settled)


def _rising(strengths: Integers, classes: Integers) -> list[int]:
    """Return the classes from the weakest up.

    Raises:
        ValueError: one of them has strengths below and above another's.
    """
    least, most = np.full(classes.max() + 1, strengths.max()), np.zeros(classes.max() + 1, np.int64)
    np.minimum.at(least, classes, strengths)
    np.maximum.at(most, classes, strengths)
    order = np.argsort(least)
    if (most[order][:-1] >= least[order][1:]).any():
        raise ValueError("hands that end both wagers alike must be of strengths that lie together")
    rising: list[int] = order.tolist()
    return rising
