"""Shifting Wilds on small decks, every deal laid out: no inclusion and exclusion, no classes of hands.

A deck has four suits of some ranks.  W1 and the community cards are taken up to the names of the suits; beside them
every hand of the seat, every W2 and every hand of the dealer is compared, as the rule sheet says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import mask_of
from pitboss.counting.evaluate import strengths
from pitboss.games.shifting_wilds import GAME, rules

Integers = NDArray[np.int64]

LOCK, PLAY = 0, 1
CHECK_OR_LOCK, PLAY_OR_FOLD = 0, 1
MAIN, BONUS, BEAT = (len(wager.outcomes) for wager in GAME.wagers[:3])
HIGHEST, FIRST_BLIND, FIRST_NATURAL = 10, 7, 3  # royal flush, four of a kind, three of a kind
SUIT_ORDERS = list(permutations(range(4)))

Choose = Callable[[rules.View, int], int]


@dataclass
class Played:
    """What a play leads to: deals of each outcome of main, and at how many positions two actions are worth the same.

    Positions are up to suits: ``equal_first`` are the seat's four cards, the community cards and W1, ``equal_second``
    are W2 beside those where the seat checks.  ``bonus`` and ``beat``, arrays (outcomes, 2), have for each outcome of
    Regular Bonus and Bad Beat its deals, and the sum of what main nets in them.
    """

    counts: Integers = field(default_factory=lambda: np.zeros(MAIN, np.int64))
    bonus: Integers = field(default_factory=lambda: np.zeros((BONUS, 2), np.int64))
    beat: Integers = field(default_factory=lambda: np.zeros((BEAT, 2), np.int64))
    equal_first: int = 0
    equal_second: int = 0

    @property
    def actions(self) -> dict[str, int]:
        """Deals by path."""
        return {
            "fold": int(self.counts[0]), "lock": int(self.counts[1:15].sum()), "play": int(self.counts[15:].sum())
        }  # fmt: skip


@dataclass
class Cells:
    """Deals of each hand of the seat: by outcome of main, and of two side wagers with what main nets."""

    main: Integers
    bonus: Integers
    beat: Integers

    @classmethod
    def of(cls, hands: int) -> "Cells":
        """Return as many hands without a deal."""
        shapes = ((MAIN,), (BONUS, 2), (BEAT, 2))
        return cls(*(np.zeros((hands, *shape), np.int64) for shape in shapes))

    def add(self, other: "Cells", hands: Any, into: Any) -> None:
        """Add ``hands`` of other cells to those at ``into``."""
        self.main[into] += other.main[hands]
        self.bonus[into] += other.bonus[hands]
        self.beat[into] += other.beat[hands]


def deck_of(ranks: Sequence[int]) -> list[int]:
    """Return the deck of four suits of these ranks, 0 the deuce."""
    return [13 * suit + rank for suit in range(4) for rank in ranks]


def deals_of(ranks: Sequence[int]) -> int:
    """Return how many deals there are: W1, W2, two community cards, four cards each."""
    cards = 4 * len(ranks)
    return cards * (cards - 1) * comb(cards - 2, 2) * comb(cards - 4, 4) * comb(cards - 8, 4)


def renamed(mask: int, order: Sequence[int]) -> int:
    """Return a set of cards with the suits renamed."""
    return sum((mask >> 13 * suit & 8191) << 13 * name for suit, name in enumerate(order))


def kept_by(*parts: int) -> int:
    """Return how many of the 24 renamings of the suits leave every part as it is."""
    return sum(all(renamed(part, order) == part for part in parts) for order in SUIT_ORDERS)


def boards(deck: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield W1 and two community cards up to the names of the suits, and of how many they are one."""
    for w1 in deck:
        for community in combinations([card for card in deck if card != w1], 2):
            parts = (1 << w1, mask_of(community))
            if parts == min(tuple(renamed(part, order) for part in parts) for order in SUIT_ORDERS):
                yield *parts, len(SUIT_ORDERS) // kept_by(*parts)


@cache
def fours(cards: int) -> tuple[Integers, Integers]:
    """Return all fours of so many places, and for each the numbers of those that share none of its places."""
    chosen = list(combinations(range(cards), 4))
    number = {four: each for each, four in enumerate(chosen)}
    disjoint = [
        [number[other] for other in combinations([place for place in range(cards) if place not in four], 4)]
        for four in chosen
    ]
    return np.array(chosen, np.int64), np.array(disjoint, np.int64)


def made(holes: Integers, community: int, indicator: int, options: Any) -> Integers:
    """Return the strengths of many four cards, those of the indicator's rank wild."""
    wild = holes & (sum(1 << 13 * suit for suit in range(4)) << (indicator.bit_length() - 1) % 13)
    wilds = np.array([mask.bit_count() for mask in wild.tolist()])
    found = np.zeros(len(holes), np.int64)
    for count in range(4):
        mine = wilds == count
        found[mine] = strengths((holes ^ wild)[mine] | community | indicator, count, 2 * options.wild_flush)
    return found


def natural_fives(holes: Integers, indicator: int) -> Integers:
    """Return the strengths of four cards and the indicator, nothing wild: the hands of the Bad Beat."""
    return strengths(holes | indicator).astype(np.int64)


def bonuses(holes: Integers, community: int, indicator: int, mine: Integers) -> Integers:
    """Return the outcomes of the Regular Bonus, by the rule that settles it."""
    natural = strengths(holes | community | indicator)
    triples = zip(holes.tolist(), natural.tolist(), mine.tolist(), strict=True)
    found = [rules.regular_bonus_outcome(plain, best, rules.wilds(hole, indicator)) for hole, plain, best in triples]
    return np.array(found, np.int64)


def compared(mine: Integers, theirs: Integers, raised: int, options: Any) -> Integers:
    """Return the outcomes of main, which stand in the order of ``GAME``: ahead by line, level, behind."""
    line = np.minimum(HIGHEST - (mine >> 20), HIGHEST + 1 - FIRST_BLIND)
    standing = np.where(mine > theirs, line, np.where(mine == theirs, 5, 6))
    found: Integers = 1 + 14 * raised + 2 * standing + (theirs < options.dealer_qualifies)
    return found


def beaten(mine: Integers, theirs: Integers, options: Any) -> Integers:
    """Return the outcomes of the Bad Beat: seven lines, lost, pushed."""
    category = mine >> 20
    line = np.where(category == HIGHEST, 0, 1 + 8 - category)
    line = np.where(category >= FIRST_NATURAL, line, 7 + options.bad_beat_unlisted)
    found: Integers = np.where(mine > theirs, line, 7)
    return found


def tallied(main: Integers, bonus: Integers, beat: Integers, nets: Integers) -> Cells:
    """Count outcomes of shape (hands, dealers); the bonus's are by hand alone."""
    hands, dealers = main.shape
    rows = np.arange(hands)[:, None]
    cells = Cells.of(hands)
    cells.main[:] = np.bincount((MAIN * rows + main).ravel(), minlength=hands * MAIN).reshape(hands, MAIN)
    cells.bonus[rows[:, 0], bonus, 0] = dealers
    cells.bonus[rows[:, 0], bonus, 1] = cells.main @ nets
    place, size = (BEAT * rows + beat).ravel(), hands * BEAT
    cells.beat[..., 0] = np.bincount(place, minlength=size).reshape(hands, BEAT)
    sums = np.bincount(place, weights=nets[main].ravel(), minlength=size)
    cells.beat[..., 1] = np.rint(sums).astype(np.int64).reshape(hands, BEAT)
    return cells


class Board:
    """W1 and two community cards: all the hands a seat may hold beside them, and what becomes of each."""

    def __init__(self, deck: Sequence[int], w1: int, community: int, options: Any, nets: Sequence[int]) -> None:
        self.w1, self.community, self.options, self.nets = w1, community, options, np.array(nets, np.int64)
        self.left = [card for card in deck if not (w1 | community) >> card & 1]
        self.holes = self.sets(self.left)
        self.number = {hole: each for each, hole in enumerate(self.holes.tolist())}
        self.locked = made(self.holes, community, w1, options)

    @staticmethod
    def sets(cards: Sequence[int]) -> Integers:
        """Return all fours of these cards as sets."""
        found: Integers = (1 << np.array(cards, np.int64))[fours(len(cards))[0]].sum(axis=1)
        return found

    def beside(self, w2: int) -> tuple[Integers, Cells, Cells]:
        """Return which hands W2 leaves, and what becomes of them locked and played."""
        cards = [card for card in self.left if card != w2]
        holes, theirs = self.sets(cards), fours(len(cards))[1]
        numbers = np.array([self.number[hole] for hole in holes.tolist()])
        played = made(holes, self.community, 1 << w2, self.options)
        fives = natural_fives(holes, 1 << w2)
        cells = []
        for raised, indicator, mine in ((LOCK, self.w1, self.locked[numbers]), (PLAY, 1 << w2, played)):
            own = natural_fives(holes, indicator)
            bonus = bonuses(holes, self.community, indicator, mine)
            main = compared(mine[:, None], played[theirs], raised, self.options)
            beat = beaten(own[:, None], fives[theirs], self.options)
            cells.append(tallied(main, bonus, beat, self.nets))
        return numbers, cells[LOCK], cells[PLAY]


def play_out(
    ranks: Sequence[int],
    options: Any,
    nets: Sequence[int],
    beside: Mapping[str, Sequence[int]] | None = None,
    choose: Choose | None = None,
) -> Played:
    """Play every deal of a deck of four suits of ``ranks``, at best, or as ``choose(view, asked)`` has it.

    Equal values are a Check and a Play (ALL-9).  With ``beside``, what outcomes of side wagers net, the best play is
    the best for all together.
    """
    deck, played = deck_of(ranks), Played()
    for w1, community, weight in boards(deck):
        _play_board(Board(deck, w1, community, options, nets), weight, _all_nets(nets, beside or {}), choose, played)
    # Each position was counted as often as renamings keep it, which makes 24 of every class.
    played.equal_first //= len(SUIT_ORDERS)
    played.equal_second //= len(SUIT_ORDERS)
    return played


def _all_nets(nets: Sequence[int], beside: Mapping[str, Sequence[int]]) -> tuple[Integers, Integers, Integers]:
    side = (beside.get(wager.id, [0] * len(wager.outcomes)) for wager in GAME.wagers[1:3])
    main, bonus, beat = (np.array(each, np.int64) for each in (nets, *side))
    return main, bonus, beat


def _play_board(
    board: Board, weight: int, nets: tuple[Integers, Integers, Integers], choose: Choose | None, played: Played
) -> None:
    hands = len(board.holes)
    locked, checked = Cells.of(hands), Cells.of(hands)
    equal = np.zeros(hands, np.int64)

    def worth(cells: Cells) -> Integers:
        found: Integers = cells.main @ nets[0] + cells.bonus[..., 0] @ nets[1] + cells.beat[..., 0] @ nets[2]
        return found

    for w2 in board.left:
        numbers, lock, play = board.beside(w2)
        dealers = int(play.main[0].sum())
        fold = Cells.of(len(numbers))
        fold.main[:, 0] = dealers
        fold.bonus[:, -1] = fold.beat[:, 7] = (dealers, dealers * int(nets[0][0]))
        locked.add(lock, slice(None), numbers)
        stays = worth(play) >= worth(fold)
        if choose:
            views = [rules.View(hole, 0, board.community, board.w1, 1 << w2) for hole in board.holes[numbers].tolist()]
            stays = np.array([choose(view, PLAY_OR_FOLD) == rules.PLAY for view in views])
        checked.add(play, stays, numbers[stays])
        checked.add(fold, ~stays, numbers[~stays])
        for each in np.flatnonzero(worth(play) == worth(fold)):
            equal[numbers[each]] += kept_by(board.w1, board.community, 1 << w2, int(board.holes[numbers[each]]))
    locks = worth(locked) > worth(checked)
    if choose:
        views = [rules.View(hole, 0, board.community, board.w1, 0) for hole in board.holes.tolist()]
        locks = np.array([choose(view, CHECK_OR_LOCK) != rules.CHECK for view in views])
    for cells, hand in ((locked, locks), (checked, ~locks)):
        played.counts += weight * cells.main[hand].sum(axis=0)
        played.bonus += weight * cells.bonus[hand].sum(axis=0)
        played.beat += weight * cells.beat[hand].sum(axis=0)
    indifferent = np.flatnonzero(worth(locked) == worth(checked))
    first = sum(kept_by(board.w1, board.community, int(board.holes[each])) for each in indifferent)
    played.equal_first += weight * first
    played.equal_second += weight * int(equal[~locks].sum())
