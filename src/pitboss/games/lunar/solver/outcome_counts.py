"""Tally what chosen actions lead to, outcome by outcome.

``cells`` are a path's outcomes, and behind them the fold after its draw, counted in deals after that draw: first five,
exposed card, cards drawn, dealer's hand and the card turned by Force, which is counted even if nobody forces.  Weights,
at most the number of first fives, times deals of at most 6.3e12 a first five stay below 2**63 for any path except that
of five cards exchanged; for that path the caller tallies only a few hands at once.

Exchanges of the same ranks are tallied together.  For given kept ranks, hands differ by pattern only
(``exchange_values``); draws that make a flush are taken out of the count of their ranks and tallied as flushes.  Hands
that suits may change from fold to play through Force are *doubtful*: each is tallied alone, by its exact worth.
"""

from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, get_suit_ranks, popcount
from pitboss.games.lunar.outcomes import BOUGHT
from pitboss.games.lunar.rules import HAND
from pitboss.games.lunar.solver.dealer_hands import UnqualifiedHands
from pitboss.games.lunar.solver.decide import (
    DecisionTable,
    can_flush,
    find_final_hand,
    find_multiset,
    find_pattern,
    get_live_ranks,
    get_worth,
)
from pitboss.games.lunar.solver.exchange_values import (
    PATTERNS,
    DrawWorkspace,
    ExchangeTable,
    FinalValues,
    FlushDraws,
    count_ways,
    get_force_bound,
    list_suit_draws,
    make_draw_workspace,
    write_patterns,
)
from pitboss.games.lunar.solver.final_hands import NO_ODD_RANK, FinalHands, PathCells
from pitboss.games.lunar.solver.force_gains import LEAST, MOST
from pitboss.games.lunar.solver.four_flushes import (
    EXPOSED_SUIT,
    OTHER_SUIT,
    FlushKeys,
    ForceWorkspace,
    TurnedEnds,
    add_hand,
    add_key,
    compute_suit_changes,
    make_force_workspace,
    prepare_hand,
    tally_forced,
)
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.games.lunar.solver.rank_sums import COUNT_MASK, LANE_BITS, subtract_hand
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray


class TallyPath(NamedTuple):
    """Everything that tallying one path needs, whatever the hand.

    ``counts`` (dead multisets, hands) and ``changes`` (by ``classes`` and known cards) hold, in separate lanes, the
    dealers who are weaker, equal and not qualified; ``dealer_hands`` is how many hands the dealer may have, and
    ``turned`` how many cards Force could turn.
    """

    cards: int
    dealer_hands: int
    turned: int
    counts: IntArray
    changes: IntArray
    classes: IntArray
    values: FinalValues
    hands: FinalHands
    cells: PathCells
    unqualified: UnqualifiedHands
    turns: TurnedEnds
    table: DecisionTable
    copies: IntArray


class TallyWorkspace(NamedTuple):
    """Scratch arrays: ranks given up (``dead``), weights by kept ranks and pattern."""

    draws: DrawWorkspace
    dead: IntArray
    kept: IntArray
    seen: IntArray
    own_suit: IntArray
    other_suits: IntArray
    force: ForceWorkspace


def make_workspace(kept: int, rows: int) -> TallyWorkspace:
    """Return scratch arrays for ``kept`` multisets and ``rows`` unqualified hands."""

    def zeros(*shape: int) -> IntArray:
        return np.zeros(shape, np.int64)

    weights = (zeros(kept), zeros(kept), zeros(kept, PATTERNS), zeros(kept, PATTERNS))
    return TallyWorkspace(
        make_draw_workspace(),
        zeros(RANK_COUNT),
        *weights,
        make_force_workspace(rows),
    )


@kernel_helper
def copy_array(source: IntArray, to: IntArray) -> None:
    """Copy a small array."""
    for each in range(len(to)):
        to[each] = source[each]


@kernel_helper
def is_doubtful(values: FinalValues, hand: int, dead: int, least: int, most: int) -> bool:
    """Tell whether suits in Force may decide to fold or play, within these bounds."""
    return least + get_force_bound(values, hand, dead, LEAST) <= 0 < most + get_force_bound(values, hand, dead, MOST)


@kernel_helper
def is_doubtful_by_ranks(values: FinalValues, hand: int, dead: int) -> bool:
    """Tell whether a hand is doubtful for some suits of its ranks."""
    worth, row = values.by_rank[dead, hand], values.classes[hand]
    return values.force_rows[hand] >= 0 and is_doubtful(
        values, hand, dead, worth + values.least[row], worth + values.most[row]
    )


@kernel_helper
def tally_played(
    at: PathCells, dealer_hands: int, turned: int, counts: int, hand: int, times: int, cells: IntArray
) -> None:
    """Tally a hand played ``times``; from an unqualified dealer the Ante is taken."""
    win, tie, take_ante = counts & COUNT_MASK, counts >> LANE_BITS & COUNT_MASK, counts >> 2 * LANE_BITS
    cells[at.win[hand]] += times * win * turned
    cells[at.tie] += times * tie * turned
    cells[at.take_ante] += times * take_ante * turned
    cells[at.lose] += times * (dealer_hands - win - tie - take_ante) * turned


@kernel_helper
def tally_final(
    path: TallyPath,
    hand: int,
    dead: int,
    held: int,
    times: int,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> None:
    """Tally a final hand by its exact worth; ``held`` are all cards its player knows."""
    values, known = path.values, get_suit_ranks(held, 0)
    worth, row = get_worth(values, hand, dead, known), values.force_rows[hand]
    # Bounds left the sign open: add what suits change in Force, for every suit, by exact counts.
    if row >= 0 and is_doubtful(values, hand, dead, worth, worth):
        prepare_hand(path.turns, path.unqualified, row, work.dead, work.force)
        for each in range(path.table.suits):
            kind = EXPOSED_SUIT if each == 0 else OTHER_SUIT
            worth += compute_suit_changes(
                path.turns, path.unqualified, row, kind, get_suit_ranks(held, each), path.table.exposed, work.force
            )[0]
    if worth <= 0:
        cells[path.cells.fold] += times * path.dealer_hands * path.turned
        return
    counts = path.counts[dead, hand] + path.changes[path.classes[hand], np.uint64(known)]
    tally_played(path.cells, path.dealer_hands, path.turned, counts, hand, times, cells)
    if row >= 0:
        # The Ante was tallied as taken; the keys collect the hands for which ``tally_forced`` will correct this.
        add_hand(keys, row)
        keys.hands[row] += times
        for each in range(path.table.suits if len(path.unqualified.in_other_suit) else 1):
            add_key(keys, row, EXPOSED_SUIT if each == 0 else OTHER_SUIT, get_suit_ranks(held, each), times)


@kernel_helper
def tally_flushes(
    path: TallyPath,
    flushes: FlushDraws,
    dead: int,
    first: int,
    gone: int,
    times: int,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> None:
    """Tally the draws that make a flush as such, and not in the count of their ranks."""
    for each in range(path.table.suits):
        if not can_flush(first & ~gone, each):
            continue
        kept, live = get_suit_ranks(first & ~gone, each), get_live_ranks(path.table, first, each)
        for number in range(flushes.first[kept], flushes.after[kept]):
            five = flushes.fives[number]
            if five & ~kept & ~live == 0:
                plain, flush = path.hands.plain_numbers[five], path.hands.flush_numbers[five, NO_ODD_RANK]
                # Minus once as the plain hand, plus once as the flush.  Doubtful plain hands were never counted by
                # ranks: only plus.
                for sign in range(1 if is_doubtful_by_ranks(path.values, plain, dead) else -1, 2, 2):
                    hand = plain if sign < 0 else flush
                    tally_final(path, hand, dead, first | five << RANK_COUNT * each, sign * times, keys, work, cells)


@kernel_helper
def draw_cards(table: DecisionTable, first: int, gone: int, drawn: IntArray, choice: int) -> int:
    """Return all cards known after a draw, 0 if it is impossible or makes a flush.

    ``choice`` has a set of suits for each rank from the lowest, as digits to the base of the number of all sets.
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
                    if not get_live_ranks(table, first, each) >> rank & 1:
                        return 0
                    known |= 1 << RANK_COUNT * each + rank
    most = 0
    for each in range(table.suits):
        most = max(most, popcount(get_suit_ranks(known & ~gone, each)))
    return known if most < HAND else 0


@kernel_helper
def tally_doubtful(
    path: TallyPath,
    exchange: ExchangeTable,
    kept: int,
    dead: int,
    first: int,
    gone: int,
    times: int,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> None:
    """Tally one by one the draws that are doubtful by ranks, except flushes."""
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or not is_doubtful_by_ranks(path.values, hand, dead):
            continue
        choices = 1
        for rank in range(RANK_COUNT):
            if exchange.drawn[drawn, rank]:
                choices *= 1 << path.table.suits
        for choice in range(choices):
            known = draw_cards(path.table, first, gone, exchange.drawn[drawn], choice)
            if known:
                tally_final(path, hand, dead, known, times, keys, work, cells)


@kernel_helper
def tally_ranks(
    path: TallyPath,
    exchange: ExchangeTable,
    kept: int,
    dead: int,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> None:
    """Tally all draws of kept ranks that are not doubtful, flushes as their ranks."""
    five = exchange.counts[exchange.five[kept, dead]]
    subtract_hand(path.copies, five, work.draws.left)
    different = write_patterns(five, work.draws.ranks, work.draws.known)
    times = 0
    for pattern in range(1 << different):
        times += work.own_suit[kept, pattern]
    for drawn in range(len(exchange.drawn)):
        hand = exchange.final[kept, drawn]
        if hand < 0 or is_doubtful_by_ranks(path.values, hand, dead):
            continue
        ways = count_ways(work.draws.left, exchange.drawn[drawn])
        worth, row = path.values.by_rank[dead, hand], path.values.classes[hand]
        played = 0
        if ways > 0 and worth + path.values.most[row] > 0:
            played = tally_patterns(path, exchange.drawn[drawn], hand, dead, kept, different, keys, work, cells)
        cells[path.cells.fold] += (times * ways - played) * path.dealer_hands * path.turned


@kernel_helper
def tally_patterns(
    path: TallyPath,
    drawn: IntArray,
    hand: int,
    dead: int,
    kept: int,
    different: int,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> int:
    """Tally draws of some ranks by the suits that matter; return how many are played."""
    forced = path.values.force_rows[hand]
    all_played = 0
    # The cards known in the exposed suit are those of the first five (the pattern) and those drawn (a mask).
    for pattern in range(1 << different):
        times = work.own_suit[kept, pattern]
        known = work.draws.known[pattern]
        length = (
            list_suit_draws(drawn, work.draws.left, path.table.exposed, known, work.draws.masks, work.draws.ways)
            if times
            else 0
        )
        for each in range(length):
            mask, played = known | work.draws.masks[each], times * work.draws.ways[each]
            if played and get_worth(path.values, hand, dead, mask) > 0:
                all_played += played
                counts = path.counts[dead, hand] + path.changes[path.classes[hand], np.uint64(mask)]
                tally_played(path.cells, path.dealer_hands, path.turned, counts, hand, played, cells)
                if forced >= 0:
                    add_key(keys, forced, EXPOSED_SUIT, mask, played)
    if forced < 0 or all_played == 0:
        return all_played
    add_hand(keys, forced)
    keys.hands[forced] += all_played
    # Other suits matter for Force only: count their keys, too.
    for pattern in range(1 << different if len(path.unqualified.in_other_suit) else 0):
        times = work.other_suits[kept, pattern]
        length = (
            list_suit_draws(drawn, work.draws.left, -1, work.draws.known[pattern], work.draws.masks, work.draws.ways)
            if times
            else 0
        )
        for each in range(length):
            if work.draws.ways[each]:
                add_key(
                    keys,
                    forced,
                    OTHER_SUIT,
                    work.draws.known[pattern] | work.draws.masks[each],
                    times * work.draws.ways[each],
                )
    return all_played


@no_alloc_kernel
def tally_hands(
    path: TallyPath,
    sets: LunarMultisets,
    exchange: ExchangeTable,
    flushes: FlushDraws,
    dead: int,
    hands: IntArray,
    gone: IntArray,
    weights: IntArray,
    keys: FlushKeys,
    work: TallyWorkspace,
    cells: IntArray,
) -> None:
    """Tally the first fives ``hands`` that take an action, each with its weight.

    In an exchange all give up cards of the ranks ``dead``, which are the cards ``gone``.  First fives that are played
    unchanged, or with every sixth card that may be bought, give up none: then neither ``dead`` nor ``exchange`` is
    read.
    """
    met, exchanged = 0, path.cards > BOUGHT
    if exchanged:
        copy_array(exchange.drawn[dead], work.dead)
    for each in range(len(hands)):
        first, times = hands[each], weights[each]
        if exchanged:
            kept, five = (
                find_multiset(sets, first & ~gone[each]) - sets.start[HAND - path.cards],
                find_multiset(sets, first),
            )
            if work.seen[kept] == 0:
                work.seen[kept] = 1
                work.kept[met] = kept
                met += 1
            for of_suit in range(path.table.suits):
                into = work.own_suit if of_suit == 0 else work.other_suits
                into[kept, find_pattern(sets, five, get_suit_ranks(first, of_suit))] += times
            tally_flushes(path, flushes, dead, first, gone[each], times, keys, work, cells)
            tally_doubtful(path, exchange, kept, dead, first, gone[each], times, keys, work, cells)
            continue
        for code in range(path.table.suits * RANK_COUNT if path.cards else 1):
            bought = 1 << code if path.cards else 0
            if not bought or get_live_ranks(path.table, first, code // RANK_COUNT) >> code % RANK_COUNT & 1:
                held = first | bought
                tally_final(path, find_final_hand(sets, path.hands, held), 0, held, times, keys, work, cells)
    # Draws are tallied by ranks once for all first fives that keep the same ranks; then their weights are cleared.
    for each in range(met):
        tally_ranks(path, exchange, work.kept[each], dead, keys, work, cells)
        work.seen[work.kept[each]] = 0
        work.own_suit[work.kept[each]] = 0
        work.other_suits[work.kept[each]] = 0
    tally_forced(path.turns, path.unqualified, path.table.exposed, work.dead, keys, path.cells, cells, work.force)
