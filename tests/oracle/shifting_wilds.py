"""Shifting Wilds on small decks, every deal laid out: no inclusion and exclusion, no classes of hands.

A deck has four suits of some ranks.  W1 and the community cards are taken up to the names of the suits; beside them
every hand of the seat, every W2 and every hand of the dealer is compared, as the rule sheet says.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import make_mask
from pitboss.contract import RuleFunction
from pitboss.games.shifting_wilds import GAME, rules
from pitboss.games.shifting_wilds.rules import settle_bad_beat, settle_main, settle_regular_bonus
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.compile import kernel
from pitboss.solver_api import SolverProblem

Integers = NDArray[np.int64]

LOCK, PLAY = 0, 1
CHECK_OR_LOCK, PLAY_OR_FOLD = 0, 1
MAIN, BONUS, BEAT = (len(wager.outcomes) for wager in GAME.wagers[:3])
HIGHEST, FIRST_BLIND, FIRST_NATURAL = 10, 7, 3  # royal flush, four of a kind, three of a kind
SUIT_ORDERS = list(permutations(range(4)))


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

    @property
    def arrays(self) -> tuple[Integers, Integers, Integers]:
        """All of it, as a kernel takes it."""
        return self.main, self.bonus, self.beat

    def add(self, other: "Cells", hands: Any, into: Any) -> None:
        """Add ``hands`` of other cells to those at ``into``."""
        self.main[into] += other.main[hands]
        self.bonus[into] += other.bonus[hands]
        self.beat[into] += other.beat[hands]


class Sides(NamedTuple):
    """Many four cards with an indicator: strengths, those with nothing wild, the wild cards and the natural fives."""

    made: Integers
    natural: Integers
    wild: Integers
    five: Integers


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
            parts = (1 << w1, make_mask(community))
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


def wild_cards(holes: Integers, indicator: int) -> Integers:
    """Return those of many four cards that are of the indicator's rank."""
    found: Integers = holes & (sum(1 << 13 * suit for suit in range(4)) << (indicator.bit_length() - 1) % 13)
    return found


def made(holes: Integers, community: int, indicator: int, options: Any) -> Integers:
    """Return the strengths of many four cards, those of the indicator's rank wild."""
    wild = wild_cards(holes, indicator)
    wilds = np.array([mask.bit_count() for mask in wild.tolist()])
    found = np.zeros(len(holes), np.int64)
    for count in range(4):
        mine = wilds == count
        found[mine] = compute_strengths((holes ^ wild)[mine] | community | indicator, count, 2 * options.wild_flush)
    return found


def natural_fives(holes: Integers, indicator: int) -> Integers:
    """Return the strengths of four cards and the indicator, nothing wild: the hands of the Bad Beat."""
    return compute_strengths(holes | indicator).astype(np.int64)


def bonuses(holes: Integers, community: int, indicator: int, mine: Integers) -> Integers:
    """Return the outcomes of the Regular Bonus, by the rule that settles it."""
    natural = compute_strengths(holes | community | indicator)
    triples = zip(holes.tolist(), natural.tolist(), mine.tolist(), strict=True)
    found = [
        rules.settle_regular_bonus(plain, best, rules.find_wild_cards(hole, indicator)) for hole, plain, best in triples
    ]
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


@kernel
def _meet(
    mine: Sides, theirs: Sides, others: Integers, raised: int, options: Any, nets: Integers, cells: tuple[Integers, ...]
) -> None:
    """Compare each hand of the seat with those of the dealer that share no card with it, by the rules that settle."""
    main, bonus, beat = cells
    for hand in range(len(others)):
        line = settle_regular_bonus(mine.natural[hand], mine.made[hand], mine.wild[hand])
        for other in others[hand]:
            outcome = settle_main(mine.made[hand], theirs.made[other], raised, options)
            beaten_line = settle_bad_beat(mine.five[hand], theirs.five[other], options)
            main[hand, outcome] += 1
            bonus[hand, line, 0] += 1
            bonus[hand, line, 1] += nets[outcome]
            beat[hand, beaten_line, 0] += 1
            beat[hand, beaten_line, 1] += nets[outcome]


class Board:
    """W1 and two community cards: all the hands a seat may hold beside them, and what becomes of each."""

    def __init__(self, deck: Sequence[int], w1: int, community: int, problem: SolverProblem) -> None:
        self.w1, self.community, self.options = w1, community, problem.options
        self.nets = np.array(problem.nets, np.int64)
        self.left = [card for card in deck if not (w1 | community) >> card & 1]
        self.holes = self.sets(self.left)
        self.number = {hole: each for each, hole in enumerate(self.holes.tolist())}

    @staticmethod
    def sets(cards: Sequence[int]) -> Integers:
        """Return all fours of these cards as sets."""
        found: Integers = (1 << np.array(cards, np.int64))[fours(len(cards))[0]].sum(axis=1)
        return found

    def side(self, holes: Integers, indicator: int) -> Sides:
        """Return what many four cards are beside this board, with an indicator."""
        natural = compute_strengths(holes | self.community | indicator).astype(np.int64)
        found = made(holes, self.community, indicator, self.options)
        return Sides(found, natural, wild_cards(holes, indicator), natural_fives(holes, indicator))

    def beside(self, w2: int) -> tuple[Integers, Cells, Cells]:
        """Return which hands W2 leaves, and what becomes of them locked and played."""
        cards = [card for card in self.left if card != w2]
        holes, others = self.sets(cards), fours(len(cards))[1]
        theirs = self.side(holes, 1 << w2)
        locked, played = Cells.of(len(holes)), Cells.of(len(holes))
        _meet(self.side(holes, self.w1), theirs, others, LOCK, self.options, self.nets, locked.arrays)
        _meet(theirs, theirs, others, PLAY, self.options, self.nets, played.arrays)
        return np.array([self.number[hole] for hole in holes.tolist()]), locked, played


@cache
def _chosen_by(choose: RuleFunction) -> Callable[..., None]:
    """Compile a strategy's rule: the actions it takes with many hands."""

    @kernel
    def chosen(
        tables: HandTables,
        seen: rules.ShiftingView,
        holes: Integers,
        asked: int,
        numbers: tuple[int, ...],
        options: Any,
        actions: Integers,
    ) -> None:
        for hand in range(len(holes)):
            at = rules.ShiftingView(holes[hand], 0, seen.community, seen.w1, seen.w2)
            actions[hand] = choose(tables, at, asked, numbers, options)[0]

    return chosen


def chosen(problem: SolverProblem, holes: Integers, seen: rules.ShiftingView, asked: int) -> Integers:
    """Return the actions that the problem's strategy takes with many hands, which are in nobody's view."""
    actions = np.zeros(len(holes), np.int64)
    if problem.strategy:
        take = _chosen_by(problem.strategy.choose)
        take(load_hand_tables(), seen, holes, asked, problem.strategy.numbers, problem.options, actions)
    return actions


def play_out(ranks: Sequence[int], problem: SolverProblem) -> Played:
    """Play every deal of a deck of four suits of ``ranks``: each decision at best, or as the problem's strategy has it.

    Equal values are a Check and a Play (ALL-9).  With side wagers beside, the best play is the best for all together.
    """
    deck, played = deck_of(ranks), Played()
    for w1, community, weight in boards(deck):
        _play_board(Board(deck, w1, community, problem), weight, problem, played)
    # Each position was counted as often as renamings keep it, which makes 24 of every class.
    played.equal_first //= len(SUIT_ORDERS)
    played.equal_second //= len(SUIT_ORDERS)
    return played


def _play_board(board: Board, weight: int, problem: SolverProblem, played: Played) -> None:
    side = (problem.side_nets.get(wager.id, (0,) * len(wager.outcomes)) for wager in GAME.wagers[1:3])
    nets, bonus_nets, beat_nets = (np.array(each, np.int64) for each in (problem.nets, *side))

    def worth(cells: Cells) -> Integers:
        found: Integers = cells.main @ nets + cells.bonus[..., 0] @ bonus_nets + cells.beat[..., 0] @ beat_nets
        return found

    hands = len(board.holes)
    locked, checked, equal = Cells.of(hands), Cells.of(hands), np.zeros(hands, np.int64)
    seen = rules.ShiftingView(0, 0, board.community, board.w1, 0)
    for w2 in board.left:
        numbers, lock, play = board.beside(w2)
        fold = _folded(len(numbers), int(play.main[0].sum()), problem.nets[0])
        locked.add(lock, slice(None), numbers)
        stays = worth(play) >= worth(fold)
        if problem.strategy:
            stays = chosen(problem, board.holes[numbers], seen._replace(w2=1 << w2), PLAY_OR_FOLD) == rules.PLAY
        checked.add(play, stays, numbers[stays])
        checked.add(fold, ~stays, numbers[~stays])
        for each in np.flatnonzero(worth(play) == worth(fold)):
            equal[numbers[each]] += kept_by(board.w1, board.community, 1 << w2, int(board.holes[numbers[each]]))
    locks = worth(locked) > worth(checked)
    if problem.strategy:
        locks = chosen(problem, board.holes, seen, CHECK_OR_LOCK) != rules.CHECK
    for cells, hand in ((locked, locks), (checked, ~locks)):
        played.counts += weight * cells.main[hand].sum(axis=0)
        played.bonus += weight * cells.bonus[hand].sum(axis=0)
        played.beat += weight * cells.beat[hand].sum(axis=0)
    indifferent = np.flatnonzero(worth(locked) == worth(checked))
    first = sum(kept_by(board.w1, board.community, int(board.holes[each])) for each in indifferent)
    played.equal_first += weight * first
    played.equal_second += weight * int(equal[~locks].sum())


def _folded(hands: int, dealers: int, net: int) -> Cells:
    """Return what becomes of hands that fold: they lose all three wagers (SW-3)."""
    cells = Cells.of(hands)
    cells.main[:, 0] = dealers
    cells.bonus[:, rules.REGULAR_BONUS_LOSES] = cells.beat[:, rules.BAD_BEAT_LOSES] = (dealers, dealers * net)
    return cells
