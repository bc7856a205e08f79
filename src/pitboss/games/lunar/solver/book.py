"""What chosen actions lead to, outcome by outcome.

``cells`` are a path's outcomes, and the fold after its draw behind them, counted in deals after that draw: first five,
exposed card, cards drawn, dealer's hand and card turned by Force, which is counted where nobody forces too.  Weights,
at most the first fives, times deals of at most 6.3e12 a first five, stay below 2**63 for any path but that of five
cards exchanged, of which the caller takes care by booking few at once.

Exchanges of the same ranks are booked together.  Beside ranks kept, hands differ by pattern alone (``draws``); draws
that make a flush are taken back as their ranks and booked as what they are.  Hands that suits may change from fold to
play through Force are *doubtful*: they are met one by one, and decided by their exact worth.
"""

from typing import NamedTuple

import numpy as np

from pitboss.cards import RANKS, SUITS, popcount, suit
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.lunar.solver.draws import (
    PATTERNS,
    Exchange,
    FlushDraws,
    Values,
    forced_part,
    patterns_of,
    suit_draws,
    ways_of,
)
from pitboss.games.lunar.solver.exposed import Low
from pitboss.games.lunar.solver.finals import NO_ODD_RANK, Cells, Finals
from pitboss.games.lunar.solver.firsts import Table, final_of, live_of, only_suit, pattern_of, set_of, worth_of
from pitboss.games.lunar.solver.force import LEAST, MOST
from pitboss.games.lunar.solver.four_flushes import (
    BESIDE,
    INSIDE,
    Keys,
    Room,
    Turns,
    book_forced,
    gather,
    meet,
    prepare,
    suit_changes,
)
from pitboss.games.lunar.solver.multisets import Multisets
from pitboss.games.lunar.solver.rank_sums import COUNT, LANE, left_of


class Path(NamedTuple):
    """All that booking one path needs, whatever the hand.

    ``counts`` (dead multisets, hands) and ``changes`` (by ``classes`` and known cards) are dealers side by side who are
    weaker, equal and not qualified; ``dealers`` are all of them and ``turned`` the cards that Force could turn.
    """

    cards: int
    dealers: int
    turned: int
    counts: Integers
    changes: Integers
    classes: Integers
    values: Values
    hands: Finals
    at: Cells
    sets: Multisets
    low: Low
    turns: Turns
    table: Table
    copies: Integers


class Work(NamedTuple):
    """Room to work in: hands by suits, weights by kept ranks and pattern, and small arrays."""

    held: Integers
    gone: Integers
    none: Integers
    final: Integers
    ranks: Integers
    known: Integers
    masks: Integers
    ways: Integers
    left: Integers
    dead: Integers
    kept: Integers
    own_suit: Integers
    other_suits: Integers
    room: Room


def room_for_work(kept: int, rows: int) -> Work:
    """Return room for exchanges with so many multisets kept and so many rows of ``Low``."""

    def zeros(*shape: int) -> Integers:
        return np.zeros(shape, np.int64)

    by_suit = (zeros(SUITS), zeros(SUITS), zeros(SUITS), zeros(SUITS))
    small = (zeros(8), zeros(PATTERNS), zeros(2 * PATTERNS), zeros(2 * PATTERNS), zeros(RANKS), zeros(RANKS))
    weights = (zeros(kept), zeros(kept, PATTERNS), zeros(kept, PATTERNS))
    return Work(*by_suit, *small, *weights, Room(zeros(rows), zeros(rows), zeros(RANKS), zeros(8)))


@part
def copied(source: Integers, to: Integers) -> None:
    """Copy a small array."""
    for each in range(len(to)):
        to[each] = source[each]


@part
def doubtful(values: Values, hand: int, dead: int, least: int, most: int) -> bool:
    """Tell whether what suits change in Force may decide between fold and play, its worth being within bounds."""
    return least + forced_part(values, hand, dead, LEAST) <= 0 < most + forced_part(values, hand, dead, MOST)


@part
def doubtful_ranks(values: Values, hand: int, dead: int) -> bool:
    """Tell whether that may be so with some suits of its ranks."""
    worth, row = values.by_rank[dead, hand], values.classes[hand]
    return values.row_of[hand] >= 0 and doubtful(
        values, hand, dead, worth + values.least[row], worth + values.most[row]
    )


@part
def exact_worth(path: Path, hand: int, dead: int, held: Integers, work: Work) -> int:
    """Return what a final hand is worth more played than folded, ``held`` being all its player knows, by suits."""
    values = path.values
    worth, row = worth_of(values, hand, dead, held[0]), values.row_of[hand]
    if row >= 0 and doubtful(values, hand, dead, worth, worth):
        prepare(path.turns, path.hands, path.low, path.copies, row, work.dead, work.room)
        for each in range(path.table.suits):
            kind = INSIDE if each == 0 else BESIDE
            worth += suit_changes(path.turns, path.low, row, kind, held[each], path.table.exposed, work.room)[0]
    return worth


@part
def book_played(path: Path, hand: int, dead: int, known: int, times: int, cells: Integers) -> None:
    """Book a hand that is played ``times``, an Ante taken where the dealer does not qualify."""
    counts = path.counts[dead, hand] + path.changes[path.classes[hand], np.uint64(known)]
    win, tie, take = counts & COUNT, counts >> LANE & COUNT, counts >> 2 * LANE
    cells[path.at.win[hand]] += times * win * path.turned
    cells[path.at.tie] += times * tie * path.turned
    cells[path.at.take] += times * take * path.turned
    cells[path.at.lose] += times * (path.dealers - win - tie - take) * path.turned


@part
def book_final(
    path: Path, hand: int, dead: int, held: Integers, times: int, keys: Keys, work: Work, cells: Integers
) -> None:
    """Book one final hand ``times``, ``held`` being all its player knows, by suits."""
    if exact_worth(path, hand, dead, held, work) <= 0:
        cells[path.at.fold] += times * path.dealers * path.turned
        return
    book_played(path, hand, dead, held[0], times, cells)
    row = path.values.row_of[hand]
    if row >= 0:
        meet(keys, row)
        keys.hands[row] += times
        gather(keys, row, INSIDE, held[0], times)
        for each in range(1, path.table.suits if len(path.low.beside) else 1):
            gather(keys, row, BESIDE, held[each], times)


@part
def book_flushes(
    path: Path, flushes: FlushDraws, dead: int, times: int, keys: Keys, work: Work, cells: Integers
) -> None:
    """Take back the draws that make a flush as their ranks, and book them as what they are."""
    kept_suit = only_suit(work.held, work.gone)
    for each in range(path.table.suits):
        if kept_suit == -2 or (kept_suit >= 0 and each != kept_suit):
            continue
        kept = work.held[each] & ~work.gone[each]
        live = live_of(path.table, work.held, each)
        for number in range(flushes.first[kept], flushes.after[kept]):
            five = flushes.fives[number]
            if five & ~kept & ~live == 0:
                copied(work.held, work.final)
                work.final[each] |= five
                plain = path.hands.plain_of[five]
                if not doubtful_ranks(path.values, plain, dead):
                    book_final(path, plain, dead, work.final, -times, keys, work, cells)
                flush = path.hands.flush_of[five, NO_ODD_RANK]
                book_final(path, flush, dead, work.final, times, keys, work, cells)


@part
def suits_drawn(path: Path, drawn: Integers, choice: int, work: Work) -> bool:
    """Lay out in ``work.final`` what is known after a draw of some ranks and suits; False if that cannot be drawn.

    ``choice`` has a set of suits for each rank from the lowest, as digits to the base of all sets.
    """
    copied(work.held, work.final)
    for rank in range(RANKS):
        if drawn[rank]:
            suits = choice % (1 << path.table.suits)
            choice //= 1 << path.table.suits
            if popcount(suits) != drawn[rank]:
                return False
            for each in range(path.table.suits):
                if suits >> each & 1:
                    if not live_of(path.table, work.held, each) >> rank & 1:
                        return False
                    work.final[each] |= 1 << rank
    most = 0
    for each in range(path.table.suits):
        most = max(most, popcount(work.final[each] & ~work.gone[each]))
    return most < 5


@part
def book_doubtful(
    path: Path, exchange: Exchange, kept: int, dead: int, times: int, keys: Keys, work: Work, cells: Integers
) -> None:
    """Book the draws whose hands are doubtful by their ranks, each by itself; those that make a flush are done."""
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or not doubtful_ranks(path.values, hand, dead):
            continue
        choices = 1
        for rank in range(RANKS):
            if exchange.drawn[drawn, rank]:
                choices *= 1 << path.table.suits
        for choice in range(choices):
            if suits_drawn(path, exchange.drawn[drawn], choice, work):
                book_final(path, hand, dead, work.final, times, keys, work, cells)


@part
def book_ranks(path: Path, exchange: Exchange, kept: int, dead: int, keys: Keys, work: Work, cells: Integers) -> None:
    """Book all draws beside kept ranks that are not doubtful, flushes as their ranks."""
    five = exchange.counts[exchange.five[kept, dead]]
    left_of(path.copies, five, work.left)
    different = patterns_of(five, work.ranks, work.known)
    times = 0
    for pattern in range(1 << different):
        times += work.own_suit[kept, pattern]
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or doubtful_ranks(path.values, hand, dead):
            continue
        ways = ways_of(work.left, exchange.drawn[drawn])
        worth, row = path.values.by_rank[dead, hand], path.values.classes[hand]
        played = 0
        if ways > 0 and worth + path.values.most[row] > 0:
            played = book_patterns(path, exchange.drawn[drawn], hand, dead, kept, different, keys, work, cells)
        cells[path.at.fold] += (times * ways - played) * path.dealers * path.turned


@part
def book_patterns(
    path: Path,
    drawn: Integers,
    hand: int,
    dead: int,
    kept: int,
    different: int,
    keys: Keys,
    work: Work,
    cells: Integers,
) -> int:
    """Book the draws of some ranks by the suits that matter, and return how many are played."""
    forced = path.values.row_of[hand]
    all_played = 0
    for pattern in range(1 << different):
        times = work.own_suit[kept, pattern]
        known = work.known[pattern]
        length = suit_draws(drawn, work.left, path.table.exposed, known, work.masks, work.ways) if times else 0
        for each in range(length):
            mask, played = known | work.masks[each], times * work.ways[each]
            if played and worth_of(path.values, hand, dead, mask) > 0:
                all_played += played
                book_played(path, hand, dead, mask, played, cells)
                if forced >= 0:
                    gather(keys, forced, INSIDE, mask, played)
    if forced < 0 or all_played == 0:
        return all_played
    meet(keys, forced)
    keys.hands[forced] += all_played
    for pattern in range(1 << different if len(path.low.beside) else 0):
        times = work.other_suits[kept, pattern]
        length = suit_draws(drawn, work.left, -1, work.known[pattern], work.masks, work.ways) if times else 0
        for each in range(length):
            if work.ways[each]:
                gather(keys, forced, BESIDE, work.known[pattern] | work.masks[each], times * work.ways[each])
    return all_played


@kernel
def book_exchanges(
    path: Path,
    exchange: Exchange,
    flushes: FlushDraws,
    dead: int,
    hands: Integers,
    gone: Integers,
    weights: Integers,
    keys: Keys,
    work: Work,
    cells: Integers,
) -> None:
    """Book first fives ``hands`` that give up the cards ``gone``, all of the ranks ``dead``, each so many times."""
    sets = path.sets
    work.dead[:] = exchange.drawn[dead]
    met = 0
    for each in range(len(hands)):
        for of_suit in range(SUITS):
            work.held[of_suit] = suit(hands[each], of_suit)
            work.gone[of_suit] = suit(gone[each], of_suit)
        kept = set_of(sets, work.held, work.gone) - sets.start[5 - path.cards]
        five = set_of(sets, work.held, work.none)
        if work.own_suit[kept].sum() == 0:
            work.kept[met] = kept
            met += 1
        work.own_suit[kept, pattern_of(sets, five, work.held[0])] += weights[each]
        for of_suit in range(1, path.table.suits):
            work.other_suits[kept, pattern_of(sets, five, work.held[of_suit])] += weights[each]
        book_flushes(path, flushes, dead, weights[each], keys, work, cells)
        book_doubtful(path, exchange, kept, dead, weights[each], keys, work, cells)
    for each in range(met):
        book_ranks(path, exchange, work.kept[each], dead, keys, work, cells)
        work.own_suit[work.kept[each]] = 0
        work.other_suits[work.kept[each]] = 0
    exposed = path.table.exposed
    book_forced(path.turns, path.hands, path.low, path.copies, exposed, work.dead, keys, path.at, cells, work.room)


@kernel
def book_known(path: Path, hands: Integers, weights: Integers, keys: Keys, work: Work, cells: Integers) -> None:
    """Book first fives that are played as they are, or with every sixth card that may be bought."""
    work.dead[:] = 0
    for each in range(len(hands)):
        for of_suit in range(SUITS):
            work.held[of_suit] = suit(hands[each], of_suit)
        if path.cards == 0:
            hand = final_of(path.sets, path.hands, work.held, work.none)
            book_final(path, hand, 0, work.held, weights[each], keys, work, cells)
            continue
        for of_suit in range(path.table.suits):
            live = live_of(path.table, work.held, of_suit)
            for rank in range(RANKS):
                if live >> rank & 1:
                    work.held[of_suit] |= 1 << rank
                    hand = final_of(path.sets, path.hands, work.held, work.none)
                    book_final(path, hand, 0, work.held, weights[each], keys, work, cells)
                    work.held[of_suit] ^= 1 << rank
    exposed = path.table.exposed
    book_forced(path.turns, path.hands, path.low, path.copies, exposed, work.dead, keys, path.at, cells, work.room)
