"""What Force is worth beside taking the Ante, over all hands below the qualifier that the dealer may hold.

Force keeps four of the dealer's cards.  Unless these share a suit, what the next card makes of them depends on ranks
alone, so hands are taken by ranks, each as often as the live cards allow.  The few that keep four of a suit are then
taken again, card by card.
"""

from typing import NamedTuple

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.games.lunar.outcomes import AFTER_FORCE, LOSE, NOT_FORCED, NOT_WON, TAKE_ANTE, TIE, lines_of, path_start
from pitboss.games.lunar.solver.hint_dealers import HIDDEN, FourFlushes, LowRanks


class Live(NamedTuple):
    """The cards not seen: as sets of one, all together, how many of each rank; and the suit of the exposed card."""

    cards: Integers
    mask: int
    ranks: Integers
    suit: int


class Low(NamedTuple):
    """The dealer's hands below ``qualifies``, the lowest strength that qualifies."""

    ranks: LowRanks
    flushes: FourFlushes
    qualifies: int


class Ends(NamedTuple):
    """What the ends of one path net, in units, that all final hands have alike.

    The Ante taken; a tie and a loss against a qualified dealer, without Force and after it; after Force a dealer who
    does not qualify and is weaker, equal or stronger.
    """

    take: int
    tie: int
    lose: int
    forced_tie: int
    forced_lose: int
    over_low: int
    even_with_low: int
    below_low: int


class Room(NamedTuple):
    """Room for the live cards of each rank, and for one number for each hand of ``LowRanks``."""

    ranks: Integers
    hands: Integers


@part
def after_force(draw: int) -> int:
    """Return the number of the first end after Force of the path that begins with this draw."""
    return path_start(draw) + NOT_FORCED + NOT_WON + lines_of(draw)


@part
def ends_of(nets: Integers, draw: int) -> Ends:
    """Return what the ends of a path net."""
    start, forced = path_start(draw), after_force(draw)
    return Ends(
        nets[start + TAKE_ANTE],
        nets[start + NOT_FORCED + TIE],
        nets[start + NOT_FORCED + LOSE],
        nets[forced + AFTER_FORCE + TIE],
        nets[forced + AFTER_FORCE + LOSE],
        nets[forced],
        nets[forced + 1],
        nets[forced + 2],
    )


@part
def net_forced(dealers: int, mine: int, win: int, ends: Ends, qualifies: int) -> int:
    """Return what the end after Force nets; ``win`` is the net of beating a qualified dealer then."""
    if dealers < qualifies:
        return ends.over_low if dealers < mine else ends.even_with_low if dealers == mine else ends.below_low
    return win if dealers < mine else ends.forced_tie if dealers == mine else ends.forced_lose


@part
def may_force(most: int, cards: int, win: int, ends: Ends) -> bool:
    """Tell whether Force can beat the Ante.

    Of the next ``cards`` at most so many leave a dealer who qualifies and is not stronger.
    """
    better = max(win, ends.forced_tie) - ends.take
    worse = max(ends.forced_lose, ends.over_low, ends.even_with_low, ends.below_low) - ends.take
    return worse > 0 or most * better + (cards - most) * worse > 0


@part
def most_not_stronger(live: Live, low: Low, mine: int, room: Room) -> int:
    """Return a number of live cards that no hand below the qualifier exceeds in those that qualify it up to ``mine``.

    Of the suit of four every card counts that does so with or without the flush.
    """
    most = 0
    for hand in range(len(low.ranks.sets)):
        cards = 0
        for each in range(RANK_COUNT):
            if low.qualifies <= low.ranks.after[hand, each] <= mine:
                cards += live.ranks[each] - low.ranks.held[hand, each]
        room.hands[hand] = cards
        most = max(most, cards)
    for flush in range(len(low.flushes.masks)):
        cards = room.hands[low.flushes.numbers[flush]]
        for each in range(RANK_COUNT):
            cards += 1 if low.qualifies <= low.flushes.after[flush, each] <= mine else 0
        most = max(most, cards)
    return most


@part
def force_gain(live: Live, low: Low, drawn: int, mine: int, win: int, ends: Ends, room: Room) -> int:
    """Return what Force, where it is better, adds to the Ante always taken: the sum over dealers' fours and next cards.

    ``drawn`` are the live cards that the player holds.
    """
    left = live.mask & ~drawn
    for each in range(RANK_COUNT):
        room.ranks[each] = live.ranks[each]
        for suit_index in range(SUIT_COUNT):
            room.ranks[each] -= drawn >> (suit_index * RANK_COUNT + each) & 1
    return gain_by_ranks(live, low, left, mine, win, ends, room) + gain_by_suits(low, left, mine, win, ends, room)


@part
def gain_by_ranks(live: Live, low: Low, left: int, mine: int, win: int, ends: Ends, room: Room) -> int:
    """Return the gain as if no flush could come, and leave in ``room.hands`` that of each hand, be it below zero."""
    hands, suited = low.ranks, get_suit_ranks(left, live.suit)
    total = 0
    for hand in range(len(hands.sets)):
        ways, gain = 1, 0
        for each in range(HIDDEN):
            ways *= room.ranks[hands.ranks[hand, each]] - hands.before[hand, each]
        if ways > 0:
            for each in range(RANK_COUNT):
                net = net_forced(hands.after[hand, each], mine, win, ends, low.qualifies)
                gain += (room.ranks[each] - hands.held[hand, each]) * (net - ends.take)
        room.hands[hand] = gain
        if gain > 0:
            # Four hidden cards of the exposed card's suit are a flush, which qualifies.
            flush = suited & hands.sets[hand] == hands.sets[hand]
            total += (ways // hands.alike[hand] - (1 if flush else 0)) * gain
    return total


@part
def gain_by_suits(low: Low, left: int, mine: int, win: int, ends: Ends, room: Room) -> int:
    """Return what is to be added for the hands that keep four of a suit."""
    flushes = low.flushes
    total = 0
    for flush in range(len(flushes.masks)):
        if flushes.masks[flush] & ~left == 0:
            hand = flushes.numbers[flush]
            suited, gain = get_suit_ranks(left & ~flushes.masks[flush], flushes.suits[flush]), room.hands[hand]
            for each in range(RANK_COUNT):
                if suited >> each & 1:
                    gain += net_forced(flushes.after[flush, each], mine, win, ends, low.qualifies)
                    gain -= net_forced(low.ranks.after[hand, each], mine, win, ends, low.qualifies)
            total += max(gain, 0) - max(room.hands[hand], 0)
    return total
