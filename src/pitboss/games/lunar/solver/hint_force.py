"""Value Force against taking the Ante, for a hint.

The value is over all hands below the qualifier that the dealer may hold.

Force keeps four of the dealer's cards.  Unless these share a suit, what the next card makes of them depends on ranks
alone, so hands are taken by ranks, each as often as the live cards allow.  The few that keep four of a suit are then
counted again, card by card.
"""

from typing import NamedTuple

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks
from pitboss.games.lunar.outcomes import (
    AFTER_FORCE,
    LOSE,
    NOT_FORCED,
    NOT_WON,
    TAKE_ANTE,
    TIE,
    count_lines,
    get_path_start,
)
from pitboss.games.lunar.solver.hint_dealer_hands import HIDDEN, FourFlushes, UnqualifiedRanks
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray


class UnseenCards(NamedTuple):
    """The cards not seen, in three forms, and the suit of the exposed card.

    The forms are sets of one card, one set, and numbers by rank.
    """

    cards: IntArray
    mask: int
    ranks: IntArray
    suit: int


class UnqualifiedDealers(NamedTuple):
    """The dealer's hands below ``qualifies``, the lowest strength that qualifies."""

    ranks: UnqualifiedRanks
    flushes: FourFlushes
    qualifies: int


class EndNets(NamedTuple):
    """What the ends of one path net, in units, where all final hands net the same.

    The Ante taken; a tie and a loss against a qualified dealer, without Force and after it; after Force a dealer who
    does not qualify and is weaker, equal or stronger.
    """

    take_ante: int
    tie: int
    lose: int
    forced_tie: int
    forced_lose: int
    over_low: int
    even_with_low: int
    below_low: int


class HintWorkspace(NamedTuple):
    """Scratch arrays for a hint.

    They have the live cards of each rank, and one number for each hand of ``UnqualifiedRanks``.
    """

    ranks: IntArray
    hands: IntArray


@kernel_helper
def get_force_start(draw: int) -> int:
    """Return the number of the first end after Force of a path.

    The path begins with this draw.
    """
    return get_path_start(draw) + NOT_FORCED + NOT_WON + count_lines(draw)


@kernel_helper
def get_end_nets(nets: IntArray, draw: int) -> EndNets:
    """Return what the ends of a path net."""
    start, forced = get_path_start(draw), get_force_start(draw)
    return EndNets(
        nets[start + TAKE_ANTE],
        nets[start + NOT_FORCED + TIE],
        nets[start + NOT_FORCED + LOSE],
        nets[forced + AFTER_FORCE + TIE],
        nets[forced + AFTER_FORCE + LOSE],
        nets[forced],
        nets[forced + 1],
        nets[forced + 2],
    )


@kernel_helper
def get_forced_net(theirs: int, mine: int, win: int, ends: EndNets, qualifies: int) -> int:
    """Return what the end after Force nets.

    ``win`` is the net of beating a dealer who then qualifies.
    """
    if theirs < qualifies:
        return ends.over_low if theirs < mine else ends.even_with_low if theirs == mine else ends.below_low
    return win if theirs < mine else ends.forced_tie if theirs == mine else ends.forced_lose


@kernel_helper
def can_force(most: int, cards: int, win: int, ends: EndNets) -> bool:
    """Tell whether Force can beat the Ante.

    Of the next ``cards`` cards at most ``most`` leave a dealer who qualifies and is not stronger.
    """
    better = max(win, ends.forced_tie) - ends.take_ante
    worse = max(ends.forced_lose, ends.over_low, ends.even_with_low, ends.below_low) - ends.take_ante
    return worse > 0 or most * better + (cards - most) * worse > 0


@kernel_helper
def bound_not_stronger(live: UnseenCards, low: UnqualifiedDealers, mine: int, workspace: HintWorkspace) -> int:
    """Bound the live cards that make the dealer qualify without beating ``mine``.

    It is an upper bound, for the hands below the qualifier.  A card in the suit of a four flush counts if it does so
    with or without the flush.
    """
    most = 0
    for hand in range(len(low.ranks.sets)):
        cards = 0
        for each in range(RANK_COUNT):
            if low.qualifies <= low.ranks.after[hand, each] <= mine:
                cards += live.ranks[each] - low.ranks.held[hand, each]
        workspace.hands[hand] = cards
        most = max(most, cards)
    for flush in range(len(low.flushes.masks)):
        cards = workspace.hands[low.flushes.numbers[flush]]
        for each in range(RANK_COUNT):
            cards += 1 if low.qualifies <= low.flushes.after[flush, each] <= mine else 0
        most = max(most, cards)
    return most


@kernel_helper
def compute_force_gain(
    live: UnseenCards, low: UnqualifiedDealers, drawn: int, mine: int, win: int, ends: EndNets, workspace: HintWorkspace
) -> int:
    """Return what Force, where it is better, adds to taking the Ante.

    It is the sum over the dealer's fours and next cards.  ``drawn`` are the live cards that the player holds.
    """
    left = live.mask & ~drawn
    for each in range(RANK_COUNT):
        workspace.ranks[each] = live.ranks[each]
        for suit_index in range(SUIT_COUNT):
            workspace.ranks[each] -= drawn >> (suit_index * RANK_COUNT + each) & 1
    return compute_rank_gain(live, low, left, mine, win, ends, workspace) + compute_suit_gain(
        low, left, mine, win, ends, workspace
    )


@kernel_helper
def compute_rank_gain(
    live: UnseenCards, low: UnqualifiedDealers, left: int, mine: int, win: int, ends: EndNets, workspace: HintWorkspace
) -> int:
    """Return the gain as if no flush could come.

    Each hand's gain, even below zero, is left in ``workspace.hands``.
    """
    hands, suited = low.ranks, get_suit_ranks(left, live.suit)
    total = 0
    for hand in range(len(hands.sets)):
        ways, gain = 1, 0
        for each in range(HIDDEN):
            ways *= workspace.ranks[hands.ranks[hand, each]] - hands.before[hand, each]
        if ways > 0:
            for each in range(RANK_COUNT):
                net = get_forced_net(hands.after[hand, each], mine, win, ends, low.qualifies)
                gain += (workspace.ranks[each] - hands.held[hand, each]) * (net - ends.take_ante)
        workspace.hands[hand] = gain
        if gain > 0:
            # Four hidden cards of the exposed card's suit are a flush, which qualifies.
            flush = suited & hands.sets[hand] == hands.sets[hand]
            total += (ways // hands.alike[hand] - (1 if flush else 0)) * gain
    return total


@kernel_helper
def compute_suit_gain(
    low: UnqualifiedDealers, left: int, mine: int, win: int, ends: EndNets, workspace: HintWorkspace
) -> int:
    """Return what to add for the hands that keep four of a suit."""
    flushes = low.flushes
    total = 0
    for flush in range(len(flushes.masks)):
        if flushes.masks[flush] & ~left == 0:
            hand = flushes.numbers[flush]
            suited, gain = get_suit_ranks(left & ~flushes.masks[flush], flushes.suits[flush]), workspace.hands[hand]
            # Each live card of the suit makes a flush instead of the hand that its rank makes.
            for each in range(RANK_COUNT):
                if suited >> each & 1:
                    gain += get_forced_net(flushes.after[flush, each], mine, win, ends, low.qualifies)
                    gain -= get_forced_net(low.ranks.after[hand, each], mine, win, ends, low.qualifies)
            total += max(gain, 0) - max(workspace.hands[hand], 0)
    return total
