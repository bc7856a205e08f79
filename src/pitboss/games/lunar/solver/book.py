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

from pitboss.cards import RANK_COUNT, get_suit_ranks, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.lunar.outcomes import BOUGHT
from pitboss.games.lunar.rules import HAND
from pitboss.games.lunar.solver.draws import (
    PATTERNS,
    Draws,
    Exchange,
    FlushDraws,
    Values,
    forced_part,
    patterns_of,
    room_for_draws,
    suit_draws,
    ways_of,
)
from pitboss.games.lunar.solver.exposed import Low
from pitboss.games.lunar.solver.finals import NO_ODD_RANK, Cells, Finals
from pitboss.games.lunar.solver.firsts import Table, final_of, live_of, may_flush, pattern_of, set_of, worth_of
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
    low: Low
    turns: Turns
    table: Table
    copies: Integers


class Work(NamedTuple):
    """Room to work in: weights by kept ranks and pattern, and small arrays; ``dead`` are the ranks given up."""

    draws: Draws
    dead: Integers
    kept: Integers
    seen: Integers
    own_suit: Integers
    other_suits: Integers
    room: Room


def room_for_work(kept: int, rows: int) -> Work:
    """Return room for exchanges with so many multisets kept and so many rows of ``Low``."""

    def zeros(*shape: int) -> Integers:
        return np.zeros(shape, np.int64)

    weights = (zeros(kept), zeros(kept), zeros(kept, PATTERNS), zeros(kept, PATTERNS))
    return Work(
        room_for_draws(), zeros(RANK_COUNT), *weights, Room(zeros(rows), zeros(rows), zeros(RANK_COUNT), zeros(8))
    )


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
def book_played(at: Cells, dealers: int, turned: int, counts: int, hand: int, times: int, cells: Integers) -> None:
    """Book a hand that is played ``times``, an Ante taken where the dealer does not qualify; ``counts`` are dealers."""
    win, tie, take = counts & COUNT, counts >> LANE & COUNT, counts >> 2 * LANE
    cells[at.win[hand]] += times * win * turned
    cells[at.tie] += times * tie * turned
    cells[at.take] += times * take * turned
    cells[at.lose] += times * (dealers - win - tie - take) * turned


@part
def book_final(
    path: Path, hand: int, dead: int, held: int, times: int, keys: Keys, work: Work, cells: Integers
) -> None:
    """Book one final hand ``times``, by its exact worth, ``held`` being all that its player knows."""
    values, known = path.values, get_suit_ranks(held, 0)
    worth, row = worth_of(values, hand, dead, known), values.row_of[hand]
    if row >= 0 and doubtful(values, hand, dead, worth, worth):
        prepare(path.turns, path.low, row, work.dead, work.room)
        for each in range(path.table.suits):
            kind = INSIDE if each == 0 else BESIDE
            worth += suit_changes(
                path.turns, path.low, row, kind, get_suit_ranks(held, each), path.table.exposed, work.room
            )[0]
    if worth <= 0:
        cells[path.at.fold] += times * path.dealers * path.turned
        return
    counts = path.counts[dead, hand] + path.changes[path.classes[hand], np.uint64(known)]
    book_played(path.at, path.dealers, path.turned, counts, hand, times, cells)
    if row >= 0:
        meet(keys, row)
        keys.hands[row] += times
        for each in range(path.table.suits if len(path.low.beside) else 1):
            gather(keys, row, INSIDE if each == 0 else BESIDE, get_suit_ranks(held, each), times)


@part
def book_flushes(
    path: Path,
    flushes: FlushDraws,
    dead: int,
    first: int,
    gone: int,
    times: int,
    keys: Keys,
    work: Work,
    cells: Integers,
) -> None:
    """Take back the draws that make a flush as their ranks, and book them as what they are."""
    for each in range(path.table.suits):
        if not may_flush(first & ~gone, each):
            continue
        kept, live = get_suit_ranks(first & ~gone, each), live_of(path.table, first, each)
        for number in range(flushes.first[kept], flushes.after[kept]):
            five = flushes.fives[number]
            if five & ~kept & ~live == 0:
                plain, flush = path.hands.plain_of[five], path.hands.flush_of[five, NO_ODD_RANK]
                for sign in range(1 if doubtful_ranks(path.values, plain, dead) else -1, 2, 2):
                    hand = plain if sign < 0 else flush
                    book_final(path, hand, dead, first | five << RANK_COUNT * each, sign * times, keys, work, cells)


@part
def after_draw(table: Table, first: int, gone: int, drawn: Integers, choice: int) -> int:
    """Return all cards known after a draw of some ranks and suits, 0 if that cannot be drawn or makes a flush.

    ``choice`` has a set of suits for each rank from the lowest, as digits to the base of all sets.
    """
    known = first
    for rank in range(RANK_COUNT):
        if drawn[rank]:
            suits = choice % (1 << table.suits)
            choice //= 1 << table.suits
            if popcount(suits) != drawn[rank]:
                return 0
            for each in range(table.suits):
                if suits >> each & 1:
                    if not live_of(table, first, each) >> rank & 1:
                        return 0
                    known |= 1 << RANK_COUNT * each + rank
    most = 0
    for each in range(table.suits):
        most = max(most, popcount(get_suit_ranks(known & ~gone, each)))
    return known if most < HAND else 0


@part
def book_doubtful(
    path: Path,
    exchange: Exchange,
    kept: int,
    dead: int,
    first: int,
    gone: int,
    times: int,
    keys: Keys,
    work: Work,
    cells: Integers,
) -> None:
    """Book the draws whose hands are doubtful by their ranks, each by itself; those that make a flush are done."""
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or not doubtful_ranks(path.values, hand, dead):
            continue
        choices = 1
        for rank in range(RANK_COUNT):
            if exchange.drawn[drawn, rank]:
                choices *= 1 << path.table.suits
        for choice in range(choices):
            known = after_draw(path.table, first, gone, exchange.drawn[drawn], choice)
            if known:
                book_final(path, hand, dead, known, times, keys, work, cells)


@part
def book_ranks(path: Path, exchange: Exchange, kept: int, dead: int, keys: Keys, work: Work, cells: Integers) -> None:
    """Book all draws beside kept ranks that are not doubtful, flushes as their ranks."""
    five = exchange.counts[exchange.five[kept, dead]]
    left_of(path.copies, five, work.draws.left)
    different = patterns_of(five, work.draws.ranks, work.draws.known)
    times = 0
    for pattern in range(1 << different):
        times += work.own_suit[kept, pattern]
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or doubtful_ranks(path.values, hand, dead):
            continue
        ways = ways_of(work.draws.left, exchange.drawn[drawn])
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
        known = work.draws.known[pattern]
        length = (
            suit_draws(drawn, work.draws.left, path.table.exposed, known, work.draws.masks, work.draws.ways)
            if times
            else 0
        )
        for each in range(length):
            mask, played = known | work.draws.masks[each], times * work.draws.ways[each]
            if played and worth_of(path.values, hand, dead, mask) > 0:
                all_played += played
                counts = path.counts[dead, hand] + path.changes[path.classes[hand], np.uint64(mask)]
                book_played(path.at, path.dealers, path.turned, counts, hand, played, cells)
                if forced >= 0:
                    gather(keys, forced, INSIDE, mask, played)
    if forced < 0 or all_played == 0:
        return all_played
    meet(keys, forced)
    keys.hands[forced] += all_played
    for pattern in range(1 << different if len(path.low.beside) else 0):
        times = work.other_suits[kept, pattern]
        length = (
            suit_draws(drawn, work.draws.left, -1, work.draws.known[pattern], work.draws.masks, work.draws.ways)
            if times
            else 0
        )
        for each in range(length):
            if work.draws.ways[each]:
                gather(
                    keys,
                    forced,
                    BESIDE,
                    work.draws.known[pattern] | work.draws.masks[each],
                    times * work.draws.ways[each],
                )
    return all_played


@filling_kernel
def book_hands(
    path: Path,
    sets: Multisets,
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
    """Book first fives ``hands`` that take an action, each so many times.

    Of exchanges all give up cards of the ranks ``dead``, which are the cards ``gone``.  First fives that are played as
    they are, or with every sixth card that may be bought, give up none: neither these nor ``exchange`` are looked at.
    """
    met, exchanged = 0, path.cards > BOUGHT
    if exchanged:
        copied(exchange.drawn[dead], work.dead)
    for each in range(len(hands)):
        first, times = hands[each], weights[each]
        if exchanged:
            kept, five = set_of(sets, first & ~gone[each]) - sets.start[HAND - path.cards], set_of(sets, first)
            if work.seen[kept] == 0:
                work.seen[kept] = 1
                work.kept[met] = kept
                met += 1
            for of_suit in range(path.table.suits):
                into = work.own_suit if of_suit == 0 else work.other_suits
                into[kept, pattern_of(sets, five, get_suit_ranks(first, of_suit))] += times
            book_flushes(path, flushes, dead, first, gone[each], times, keys, work, cells)
            book_doubtful(path, exchange, kept, dead, first, gone[each], times, keys, work, cells)
            continue
        for code in range(path.table.suits * RANK_COUNT if path.cards else 1):
            bought = 1 << code if path.cards else 0
            if not bought or live_of(path.table, first, code // RANK_COUNT) >> code % RANK_COUNT & 1:
                held = first | bought
                book_final(path, final_of(sets, path.hands, held), 0, held, times, keys, work, cells)
    for each in range(met):
        book_ranks(path, exchange, work.kept[each], dead, keys, work, cells)
        work.seen[work.kept[each]] = 0
        work.own_suit[work.kept[each]] = 0
        work.other_suits[work.kept[each]] = 0
    book_forced(path.turns, path.low, path.table.exposed, work.dead, keys, path.at, cells, work.room)
