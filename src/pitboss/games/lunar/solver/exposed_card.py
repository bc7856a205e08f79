"""Compute what final hands are worth with one exposed card, after every draw."""

from functools import cache, cached_property
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, bit
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.games.lunar.outcomes import BOUGHT, FIRST_PATH, FOLD, NO_DRAW
from pitboss.games.lunar.rules import HAND, MOST_EXCHANGED, LunarOptions
from pitboss.games.lunar.solver.dealer_hands import (
    HIDDEN,
    HiddenHands,
    UnqualifiedHands,
    list_hidden_hands,
    list_unqualified,
)
from pitboss.games.lunar.solver.decide import DecisionTable
from pitboss.games.lunar.solver.exchange_values import ExchangeTable, FinalValues, FlushDraws, list_flush_draws
from pitboss.games.lunar.solver.final_hands import FinalHands, PathCells, PathNets, compute_path_nets, list_final_hands
from pitboss.games.lunar.solver.force_gains import (
    GAIN,
    MAX_DEAD,
    fill_force_sums,
    find_forcing_hands,
    make_gain_workspace,
)
from pitboss.games.lunar.solver.multisets import CARDS, NUMBER, LunarMultisets, list_multisets
from pitboss.games.lunar.solver.rank_sums import TAKE, TIE, WIN, fill_rank_sums
from pitboss.games.lunar.solver.suit_sums import FlushChanges, compute_flush_changes
from pitboss.hands import STRAIGHT_FLUSH, load_hand_tables, pack_lowest_strength
from pitboss.kernels.enumeration import IntArray

EXCHANGE_SIZES = range(2, MOST_EXCHANGED + 1)
_LARGEST = 1 << 61


class LunarDeck(NamedTuple):
    """A deck of some ranks in two suits or more.

    It has everything that does not depend on the exposed card.
    """

    suits: int
    sets: LunarMultisets
    hands: FinalHands
    six_card_hands: FinalHands
    flushes: FlushDraws
    exchanges: tuple[ExchangeTable, ...]

    @property
    def cards(self) -> IntArray:
        """The codes of the cards."""
        ranks = np.flatnonzero(self.sets.copies)
        return np.array([suit * RANK_COUNT + rank for suit in range(self.suits) for rank in ranks], np.int64)

    def get_hands(self, draw: int) -> FinalHands:
        """Return the final hands after a draw: six cards where one was bought (LU-6)."""
        return self.six_card_hands if draw == BOUGHT else self.hands


@cache
def make_deck(ranks: tuple[int, ...], suits: int) -> LunarDeck:
    """Describe a deck."""
    tables, sets = load_hand_tables(), list_multisets(ranks, suits)
    hands = list_final_hands(tables, sets, suits, HAND)
    exchanges = tuple(
        ExchangeTable(
            cards, joined, joined, sets.get_counts(HAND), sets.get_counts(HAND - cards), sets.get_counts(cards)
        )
        for cards in EXCHANGE_SIZES
        for joined in [sets.join(HAND - cards, cards)]
    )
    return LunarDeck(
        suits, sets, hands, list_final_hands(tables, sets, suits, HAND + 1), list_flush_draws(hands), exchanges
    )


class ForceSums(NamedTuple):
    """What Force adds for the hands ``hands``, the only ones that may ever force.

    ``rows`` has for each of all hands its place in ``hands``, or -1.

    ``sums`` (hands, 3, dead multisets): what it adds by ranks, and by how much suits can reduce or increase it.
    ``at_most`` (hands,) is an upper bound of all of it for up to five dead cards.
    """

    hands: IntArray
    rows: IntArray
    sums: IntArray
    at_most: IntArray


class ExposedCard:
    """One exposed card of a deck, suit 0, and the values of final hands with it.

    ``max_exchanged`` is the most cards that can be exchanged, ``table`` what the first decision needs, ``deals`` those
    of a first five, counted alike after every draw.

    Raises:
        MagnitudeError: nets too large to count in 64 bits.
        ValueError: paths that differ by more than what their folds net.
    """

    def __init__(self, deck: LunarDeck, exposed: int, options: LunarOptions, nets: tuple[int, ...]) -> None:
        """Prepare the dealer's hands and the values by rank."""
        tables = load_hand_tables()
        self.deck, self.options, self.nets = deck, options, nets
        self.dealer: HiddenHands = list_hidden_hands(tables, deck.sets, deck.hands, exposed)
        self.unqualified: UnqualifiedHands = list_unqualified(
            tables, deck.sets, deck.suits, deck.hands, self.dealer, options
        )
        self.unseen = int(deck.sets.copies.sum()) - HAND - 1
        turned = self.unseen - HIDDEN
        self.max_exchanged = min(MOST_EXCHANGED, turned - 1)
        # A draw of n cards multiplies the deals by C(turned - 1, n); ``scale`` gives all paths the same number of
        # deals.
        ways = [comb(turned - 1, cards) for cards in range(self.max_exchanged + 1)]
        self.scale = [lcm(*ways) // each for each in ways] + [0] * (MOST_EXCHANGED - self.max_exchanged)
        self.deals = comb(self.unseen, HIDDEN) * turned * self.scale[0]
        largest = max(abs(net) for net in nets[FOLD:])
        if 4 * largest * self.deals >= _LARGEST:
            raise MagnitudeError(
                f"pays of up to {largest} units are too large to count in 64 bits: {SMALLER_PAYS_ADVICE}",
                code="pays-too-large",
                largest=largest,
                smaller_pays_advice=SMALLER_PAYS_ADVICE,
            )
        self.table = DecisionTable(
            deck.suits,
            sum(bit(rank) for rank in np.flatnonzero(deck.sets.copies).tolist()),
            exposed,
            pack_lowest_strength(STRAIGHT_FLUSH),
            np.array(nets[FOLD:FIRST_PATH], np.int64),
            np.array(self.scale, np.int64),
            self.deals,
        )
        self.kept_rows: dict[int, IntArray] = {}
        self._dealer_counts: dict[int, tuple[FlushChanges, list[IntArray]]] = {}
        self.pays, self.cells = _compute_nets(deck, options, nets)

    @cached_property
    def flush_changes(self) -> dict[int, FlushChanges]:
        """What the dealer's flushes in the exposed suit change, by draw.

        The changes are in what hands are worth.
        """
        return {draw: self.compute_flush_changes(draw, *self.get_net_words(draw)) for draw in (NO_DRAW, BOUGHT)}

    @cached_property
    def sums(self) -> dict[int, list[IntArray]]:
        """What hands are worth by ranks, by draw and cards given up."""
        return {
            draw: self.compute_rank_sums(draw, *self.get_net_words(draw), most=self.max_exchanged)
            for draw in (NO_DRAW, BOUGHT)
        }

    @cached_property
    def force_sums(self) -> dict[int, ForceSums]:
        """What Force adds, by draw."""
        return {NO_DRAW: self.compute_force_sums(NO_DRAW, HIDDEN), BOUGHT: self.compute_force_sums(BOUGHT, 0)}

    def count_turned(self, draw: int) -> int:
        """Return how many cards Force could turn after a draw."""
        return self.unseen - draw - HIDDEN

    def count_dealer_hands(self, draw: int) -> int:
        """Return how many hands the dealer may have after a draw."""
        return comb(self.unseen - draw, HIDDEN)

    def get_net_words(self, draw: int) -> tuple[IntArray, int, int, int]:
        """Return what winning, tying, losing and taking the Ante net."""
        pays = self.pays[draw]
        return pays.win, pays.tie, pays.lose, pays.take_ante

    def count_met_dealer_hands(self, draw: int) -> tuple[FlushChanges, list[IntArray]]:
        """Return the dealers that hands meet, in lanes, counted at the first call.

        They are what flushes of the exposed suit change, and the sums by ranks for each number of dead cards.
        """
        if draw not in self._dealer_counts:
            count_words = self.make_count_words(draw)
            kept = self.kept_rows.get(self.max_exchanged)
            most = self.max_exchanged if kept is None or len(kept) else HIDDEN
            sums = self.compute_rank_sums(draw, *count_words, most=most)
            self._dealer_counts[draw] = self.compute_flush_changes(draw, *count_words), sums
        return self._dealer_counts[draw]

    def make_count_words(self, draw: int) -> tuple[IntArray, int, int, int]:
        """Return words that count dealers in separate lanes."""
        return np.full(len(self.deck.get_hands(draw).counts), WIN, np.int64), TIE, 0, TAKE

    def compute_flush_changes(self, draw: int, win: IntArray, tie: int, lose: int, take_ante: int) -> FlushChanges:
        """Return what flushes of the exposed suit change (``suit_sums``)."""
        return compute_flush_changes(
            self.deck.get_hands(draw), self.dealer, self.options.dealer_qualifies, win, tie, lose, take_ante
        )

    def compute_rank_sums(
        self, draw: int, win: IntArray, tie: int, lose: int, take_ante: int, *, most: int
    ) -> list[IntArray]:
        """Return the sums over dealers by ranks (``fill_rank_sums``).

        There is one array for each number of dead cards, from 0 to ``most``.
        """
        deck, hands = self.deck, self.deck.get_hands(draw)
        most = 0 if draw == BOUGHT or most < EXCHANGE_SIZES[0] else max(HIDDEN, most)
        sizes = [deck.sets.count_sets(cards) if cards <= most else 0 for cards in range(MOST_EXCHANGED + 1)]
        sums = [np.zeros((size, len(hands.counts)), np.int64) for size in sizes]
        fill_rank_sums(
            hands.counts,
            hands.strengths,
            win,
            tie,
            lose,
            take_ante,
            self.dealer.copies,
            self.dealer.strengths,
            self.options.dealer_qualifies,
            deck.sets,
            self._list_dead(most),
            most,
            np.zeros((len(sums), deck.sets.start[HIDDEN + 1]), np.int64),
            np.zeros(RANK_COUNT, np.int64),
            tuple(sums),
        )
        return sums

    def keep_rows(self, cards: int, rows: IntArray) -> None:
        """Drop hands' values with ``cards`` dead cards, except for the rows ``rows``.

        The rows are dead multisets.  Tables keep their shape; what is never written takes no memory.
        """
        self.kept_rows[cards] = rows
        sums = self.sums[NO_DRAW][cards]
        self.sums[NO_DRAW][cards] = np.zeros(sums.shape, np.int64)
        self.sums[NO_DRAW][cards][rows] = sums[rows]

    def _list_dead(self, most: int) -> IntArray:
        """Return the sets of one to ``most`` dead cards in depth-first order.

        Rows that were dropped are left out.
        """
        sets = self.deck.sets
        order = sets.list_depth_first(most)
        kept = self.kept_rows.get(most)
        if kept is None:
            return order
        # No set extends one of ``most`` cards, so none needs what is left out.
        return order[(order[:, CARDS] < most) | np.isin(order[:, NUMBER] - sets.start[most], kept)]

    def compute_force_sums(self, draw: int, most: int) -> ForceSums:
        """Return what Force adds with no to ``most`` dead cards."""
        deck, hands, pays = self.deck, self.deck.get_hands(draw), self.pays[draw]
        qualifies, copies = self.options.dealer_qualifies, self.dealer.copies
        may_force = np.zeros(len(hands.counts), np.bool_)
        workspace = make_gain_workspace(len(self.unqualified.counts))
        find_forcing_hands(
            hands, pays, qualifies, copies, self.unqualified, MAX_DEAD if most else 0, workspace, may_force
        )
        hand_numbers = np.flatnonzero(may_force)
        row_of = np.full(len(hands.counts), -1, np.int64)
        row_of[hand_numbers] = np.arange(len(hand_numbers))
        sums = np.zeros((len(hand_numbers), 3, deck.sets.start[most + 1] if most else 1), np.int64)
        at_most = np.zeros(len(hand_numbers), np.int64)
        order = self._list_dead(most)
        fill_force_sums(
            hands, pays, qualifies, copies, self.unqualified, deck.suits, order, hand_numbers, workspace, sums, at_most
        )
        return ForceSums(hand_numbers, row_of, sums, at_most)

    def compute_values(self, cards: int) -> FinalValues:
        """Return the values of final hands after a draw of ``cards`` cards.

        What Force adds is included if it has been summed.
        """
        draw = BOUGHT if cards == BOUGHT else NO_DRAW
        force_sums, turned = self.force_sums[draw], self.count_turned(cards)
        sums, rows = self.sums[draw][0 if cards == BOUGHT else cards], self.kept_rows.get(cards)
        by_rank = np.zeros(sums.shape, np.int64)
        rows = np.arange(len(sums)) if rows is None else rows
        by_rank[rows] = sums[rows] * turned
        at = 0 if cards == BOUGHT else int(self.deck.sets.start[cards])
        is_summed = at + len(by_rank) <= force_sums.sums.shape[2]
        if is_summed:
            by_rank[np.ix_(rows, force_sums.hands)] += force_sums.sums[:, GAIN, at + rows].T
        flush_changes = self.flush_changes[draw].scale(turned)
        return FinalValues(
            by_rank,
            flush_changes.changes,
            flush_changes.classes,
            flush_changes.least,
            flush_changes.most,
            force_sums.rows,
            force_sums.sums,
            at if is_summed else -1,
        )


def _compute_nets(
    deck: LunarDeck, options: LunarOptions, nets: tuple[int, ...]
) -> tuple[dict[int, PathNets], dict[int, PathCells]]:
    """Return the nets of five and of six cards, and the cells of each path."""
    tables = load_hand_tables()
    pays, cells = {}, {}
    for draw in range(MOST_EXCHANGED + 1):
        pays[draw], cells[draw] = compute_path_nets(tables, deck.get_hands(draw), draw, options, nets)
    played = deck.hands.strengths < pack_lowest_strength(STRAIGHT_FLUSH)
    for draw in EXCHANGE_SIZES:
        if not (
            _has_same_nets(pays[draw], pays[NO_DRAW], played)
            and _has_same_nets(pays[draw], pays[EXCHANGE_SIZES[0]], played | True)
        ):
            raise ValueError("paths must net the same but for what their folds net")
    pays[NO_DRAW] = pays[EXCHANGE_SIZES[0]]
    return pays, cells


def _has_same_nets(one: PathNets, other: PathNets, hands: NDArray[np.bool_]) -> bool:
    """Tell whether two paths pay some hands alike."""
    return (
        one[1:4] + one[5:7] == other[1:4] + other[5:7]
        and np.array_equal(one.win[hands], other.win[hands])
        and np.array_equal(one.forced_win[hands], other.forced_win[hands])
        and np.array_equal(one.forced_unqualified, other.forced_unqualified)
    )
