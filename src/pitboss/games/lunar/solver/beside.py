"""What final hands are worth beside one exposed card, after every draw."""

from functools import cache, cached_property
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, bit
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.counting.blocks import Integers
from pitboss.games.lunar.outcomes import BOUGHT, FIRST_PATH, FOLD, NO_DRAW
from pitboss.games.lunar.rules import HAND, MOST_EXCHANGED, Options
from pitboss.games.lunar.solver.draws import Exchange, FlushDraws, Values, flush_draws
from pitboss.games.lunar.solver.exposed import HIDDEN, Dealer, Low, dealer_of, low_dealers
from pitboss.games.lunar.solver.finals import Cells, Finals, Pays, finals, pays_of
from pitboss.games.lunar.solver.firsts import Table
from pitboss.games.lunar.solver.force import GAIN, MOST_DEAD, force_sums, may_force, room_for_gains
from pitboss.games.lunar.solver.multisets import Multisets, multisets
from pitboss.games.lunar.solver.rank_sums import TAKE, TIE, WIN, rank_sums
from pitboss.games.lunar.solver.suit_sums import Changes, changes
from pitboss.hands import STRAIGHT_FLUSH, load_hand_tables, pack_lowest_strength

EXCHANGES = range(2, MOST_EXCHANGED + 1)
_LARGEST = 1 << 61


class Deck(NamedTuple):
    """A deck of some ranks in two suits or more, and what does not depend on the exposed card."""

    suits: int
    sets: Multisets
    hands: Finals
    six: Finals
    flushes: FlushDraws
    exchanges: tuple[Exchange, ...]

    @property
    def cards(self) -> Integers:
        """The codes of the cards."""
        ranks = np.flatnonzero(self.sets.copies)
        return np.array([suit * RANK_COUNT + rank for suit in range(self.suits) for rank in ranks], np.int64)

    def hands_of(self, draw: int) -> Finals:
        """Return the final hands after a draw: six cards where one was bought (LU-6)."""
        return self.six if draw == BOUGHT else self.hands


@cache
def deck_of(ranks: tuple[int, ...], suits: int) -> Deck:
    """Describe a deck."""
    tables, sets = load_hand_tables(), multisets(ranks, suits)
    hands = finals(tables, sets, suits, HAND)
    exchanges = tuple(
        Exchange(cards, joined, joined, sets.of(HAND), sets.of(HAND - cards), sets.of(cards))
        for cards in EXCHANGES
        for joined in [sets.joined(HAND - cards, cards)]
    )
    return Deck(suits, sets, hands, finals(tables, sets, suits, HAND + 1), flush_draws(hands), exchanges)


class Forced(NamedTuple):
    """What Force adds for the hands ``some`` that may ever force; ``row_of`` leads from all hands to them, or is -1.

    ``sums`` (hands, 3, dead multisets): what it adds by ranks, and how much less or more suits can make it.
    ``at_most`` (hands,) bounds all of it from above whatever up to five cards are dead.
    """

    some: Integers
    row_of: Integers
    sums: Integers
    at_most: Integers


class Beside:
    """One exposed card of a deck, suit 0, and the values of final hands beside it.

    ``most`` is the most cards that can be exchanged, ``table`` what the first decision needs, ``deals`` those of a
    first five, counted alike after every draw.

    Raises:
        MagnitudeError: nets too large to count in 64 bits.
        ValueError: paths that differ by more than what their folds net.
    """

    def __init__(self, deck: Deck, exposed: int, options: Options, nets: tuple[int, ...]) -> None:
        """Lay out the dealer's hands and the values by rank."""
        tables = load_hand_tables()
        self.deck, self.options, self.nets = deck, options, nets
        self.dealer: Dealer = dealer_of(tables, deck.sets, deck.hands, exposed)
        self.low: Low = low_dealers(tables, deck.sets, deck.suits, deck.hands, self.dealer, options)
        self.unseen = int(deck.sets.copies.sum()) - HAND - 1
        turned = self.unseen - HIDDEN
        self.most = min(MOST_EXCHANGED, turned - 1)
        ways = [comb(turned - 1, cards) for cards in range(self.most + 1)]
        self.scale = [lcm(*ways) // each for each in ways] + [0] * (MOST_EXCHANGED - self.most)
        self.deals = comb(self.unseen, HIDDEN) * turned * self.scale[0]
        largest = max(abs(net) for net in nets[FOLD:])
        if 4 * largest * self.deals >= _LARGEST:
            raise MagnitudeError(
                f"pays of up to {largest} units are too large to count in 64 bits: {SMALLER_PAYS_ADVICE}"
            )
        self.table = Table(
            deck.suits,
            sum(bit(rank) for rank in np.flatnonzero(deck.sets.copies).tolist()),
            exposed,
            pack_lowest_strength(STRAIGHT_FLUSH),
            np.array(nets[FOLD:FIRST_PATH], np.int64),
            np.array(self.scale, np.int64),
            self.deals,
        )
        self.rows: dict[int, Integers] = {}
        self.pays, self.cells = _pays(deck, options, nets)

    @cached_property
    def changes(self) -> dict[int, Changes]:
        """What flushes of the exposed suit change in what hands are worth, by draw."""
        return {draw: self.changed(draw, *self.words_of(draw)) for draw in (NO_DRAW, BOUGHT)}

    @cached_property
    def sums(self) -> dict[int, list[Integers]]:
        """What hands are worth by ranks, by draw and cards given up."""
        return {draw: self.summed(draw, *self.words_of(draw), most=self.most) for draw in (NO_DRAW, BOUGHT)}

    @cached_property
    def forced(self) -> dict[int, Forced]:
        """What Force adds, by draw."""
        return {NO_DRAW: self.force(NO_DRAW, HIDDEN), BOUGHT: self.force(BOUGHT, 0)}

    def turned(self, draw: int) -> int:
        """Return how many cards Force could turn after a draw."""
        return self.unseen - draw - HIDDEN

    def dealers(self, draw: int) -> int:
        """Return how many hands the dealer may have after a draw."""
        return comb(self.unseen - draw, HIDDEN)

    def words_of(self, draw: int) -> tuple[Integers, int, int, int]:
        """Return what winning, tying, losing and taking the Ante net."""
        pays = self.pays[draw]
        return pays.win, pays.tie, pays.lose, pays.take

    def counting(self, draw: int) -> tuple[Integers, int, int, int]:
        """Return words that count dealers side by side."""
        return np.full(len(self.deck.hands_of(draw).counts), WIN, np.int64), TIE, 0, TAKE

    def changed(self, draw: int, win: Integers, tie: int, lose: int, take: int) -> Changes:
        """Return what flushes of the exposed suit change (``suit_sums``)."""
        return changes(self.deck.hands_of(draw), self.dealer, self.options.dealer_qualifies, win, tie, lose, take)

    def summed(self, draw: int, win: Integers, tie: int, lose: int, take: int, *, most: int) -> list[Integers]:
        """Return the sums over dealers by ranks (``rank_sums``), beside none to ``most`` dead cards."""
        deck, hands = self.deck, self.deck.hands_of(draw)
        most = 0 if draw == BOUGHT or most < EXCHANGES[0] else max(HIDDEN, most)
        sizes = [deck.sets.size(cards) if cards <= most else 0 for cards in range(MOST_EXCHANGED + 1)]
        sums = [np.zeros((size, len(hands.counts)), np.int64) for size in sizes]
        rank_sums(
            hands.counts,
            hands.strengths,
            win,
            tie,
            lose,
            take,
            self.dealer.copies,
            self.dealer.strengths,
            self.options.dealer_qualifies,
            deck.sets,
            deck.sets.in_turn(most),
            most,
            np.zeros((len(sums), deck.sets.start[HIDDEN + 1]), np.int64),
            np.zeros(RANK_COUNT, np.int64),
            tuple(sums),
        )
        return sums

    def narrow(self, cards: int, rows: Integers) -> None:
        """Forget what hands are worth beside ``cards`` dead cards but for the dead multisets ``rows``.

        What is never written takes no memory: tables keep their shape.
        """
        self.rows[cards] = rows
        self.sums[NO_DRAW][cards] = self.narrowed(cards, self.sums[NO_DRAW][cards])

    def narrowed(self, cards: int, sums: Integers) -> Integers:
        """Return sums beside so many dead cards with nothing but what is kept of them."""
        if cards not in self.rows:
            return sums
        kept = np.zeros(sums.shape, np.int64)
        kept[self.rows[cards]] = sums[self.rows[cards]]
        return kept

    def force(self, draw: int, most: int) -> Forced:
        """Return what Force adds beside none to ``most`` dead cards."""
        deck, hands, pays = self.deck, self.deck.hands_of(draw), self.pays[draw]
        qualifies, copies = self.options.dealer_qualifies, self.dealer.copies
        found = np.zeros(len(hands.counts), np.bool_)
        room = room_for_gains(len(self.low.counts))
        may_force(hands, pays, qualifies, copies, self.low, MOST_DEAD if most else 0, room, found)
        some = np.flatnonzero(found)
        row_of = np.full(len(hands.counts), -1, np.int64)
        row_of[some] = np.arange(len(some))
        sums = np.zeros((len(some), 3, deck.sets.start[most + 1] if most else 1), np.int64)
        at_most = np.zeros(len(some), np.int64)
        order = deck.sets.in_turn(most)
        force_sums(hands, pays, qualifies, copies, self.low, deck.suits, order, some, room, sums, at_most)
        return Forced(some, row_of, sums, at_most)

    def values(self, cards: int) -> Values:
        """Return the values of final hands after a draw of so many cards, with what Force adds if that is summed."""
        draw = BOUGHT if cards == BOUGHT else NO_DRAW
        forced, turned = self.forced[draw], self.turned(cards)
        sums, rows = self.sums[draw][0 if cards == BOUGHT else cards], self.rows.get(cards)
        by_rank = np.zeros(sums.shape, np.int64)
        rows = np.arange(len(sums)) if rows is None else rows
        by_rank[rows] = sums[rows] * turned
        at = 0 if cards == BOUGHT else int(self.deck.sets.start[cards])
        known = at + len(by_rank) <= forced.sums.shape[2]
        if known:
            by_rank[np.ix_(rows, forced.some)] += forced.sums[:, GAIN, at + rows].T
        of = self.changes[draw].times(turned)
        return Values(by_rank, of.of, of.classes, of.least, of.most, forced.row_of, forced.sums, at if known else -1)


def _pays(deck: Deck, options: Options, nets: tuple[int, ...]) -> tuple[dict[int, Pays], dict[int, Cells]]:
    """Return pays of five and of six cards, and the cells of each path."""
    tables = load_hand_tables()
    pays, cells = {}, {}
    for draw in range(MOST_EXCHANGED + 1):
        pays[draw], cells[draw] = pays_of(tables, deck.hands_of(draw), draw, options, nets)
    played = deck.hands.strengths < pack_lowest_strength(STRAIGHT_FLUSH)
    for draw in EXCHANGES:
        if not (_alike(pays[draw], pays[NO_DRAW], played) and _alike(pays[draw], pays[EXCHANGES[0]], played | True)):
            raise ValueError("paths must net the same but for what their folds net")
    pays[NO_DRAW] = pays[EXCHANGES[0]]
    return pays, cells


def _alike(one: Pays, other: Pays, hands: NDArray[np.bool_]) -> bool:
    """Tell whether two paths pay some hands alike."""
    return (
        one[1:4] + one[5:7] == other[1:4] + other[5:7]
        and np.array_equal(one.win[hands], other.win[hands])
        and np.array_equal(one.forced_win[hands], other.forced_win[hands])
        and np.array_equal(one.missed, other.missed)
    )
