"""One shard of the solution: everything that can happen with one exposed card.

Exposed cards of a rank differ by suit only, so there is a shard for each rank of the deck, and none needs another.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.lunar.outcomes import BOUGHT, FOLD, NO_DRAW, get_path_start
from pitboss.games.lunar.rules import HAND, LunarOptions
from pitboss.games.lunar.solver.dealer_hands import HIDDEN
from pitboss.games.lunar.solver.decide import (
    ACTION,
    CHOSEN,
    FIELDS,
    FIRST_FIVE,
    GIVEN_UP,
    LISTED,
    MAX_CHOICES,
    PLAY,
    TIED,
    WEIGHT,
    ExchangeValues,
    decide_all,
    list_exchanges,
    list_first_fives,
    list_known,
)
from pitboss.games.lunar.solver.decide import FOLD as NO_PLAY
from pitboss.games.lunar.solver.exchange_values import (
    LOWER,
    NEVER,
    PATTERNS,
    UPPER,
    ExchangeTable,
    bound_exchange_values,
    make_draw_workspace,
    sum_exchange_values,
)
from pitboss.games.lunar.solver.exposed_card import EXCHANGE_SIZES, ExposedCard, make_deck
from pitboss.games.lunar.solver.force_gains import MOST
from pitboss.games.lunar.solver.four_flushes import FlushKeys, TurnedEnds, make_flush_keys, make_turned_ends
from pitboss.games.lunar.solver.outcome_counts import TallyPath, TallyWorkspace, make_workspace, tally_hands
from pitboss.hands import ROYAL_FLUSH, STRAIGHT_FLUSH, get_category
from pitboss.kernels.enumeration import IntArray

ALL_RANKS = tuple(range(13))
_BATCH = 1 << 15


def solve_exposed_card(
    exposed: int, options: LunarOptions, nets: Sequence[int], ranks: Sequence[int] = ALL_RANKS, suits: int = SUIT_COUNT
) -> dict[str, Any]:
    """Solve everything with an exposed card of a rank.

    The result has plain integers.  ``deals`` are those of one first five, ``counts`` the deals of every outcome of
    ``main`` with one such card, ``taken`` how many first fives fold, play, buy, and exchange two to five cards,
    ``equal`` how many first fives up to suits have two best actions.

    Raises:
        ValueError: as ``ExposedCard`` says.
    """
    return ExposedCardSolver(ExposedCard(make_deck(tuple(ranks), suits), exposed, options, tuple(nets))).solve()


class ExposedCardSolver:
    """Decides all first fives with an exposed card, and tallies what follows."""

    def __init__(self, card: ExposedCard) -> None:
        """Start with nothing tallied."""
        self.card, self.deck = card, card.deck
        self.counts = [0] * len(card.nets)
        self._paths: dict[int, tuple[TallyPath, FlushKeys, TallyWorkspace]] = {}
        self._five_card_ends: TurnedEnds | None = None

    def solve(self) -> dict[str, Any]:
        """Decide everything, tally it, and return what ``solve_exposed_card`` returns."""
        chosen, listed, tied = self._decide_by_bounds()
        more, equal = self._decide_exactly(listed)
        return self.tally_choices(np.concatenate([chosen, more]), tied + equal)

    def tally_choices(self, chosen: IntArray, equal: int) -> dict[str, Any]:
        """Tally the choices and return what ``solve_exposed_card`` does.

        ``equal`` counts first fives that have two best actions.
        """
        taken = [int(chosen[chosen[:, ACTION] == action, WEIGHT].sum()) for action in range(NO_PLAY, 6)]
        self.counts[FOLD] += taken[0] * self.card.deals
        for action in range(6):
            self._tally_action(action, chosen[chosen[:, ACTION] == action])
            self._paths.pop(action, None)
        for outcome, hands in enumerate(self._count_instant_cash()):
            self.counts[outcome] += hands * self.card.deals
        return {
            "exposed": self.card.dealer.rank,
            "deals": self.card.deals,
            "counts": self.counts,
            "taken": taken,
            "equal": equal,
        }

    def _value_exchanges(self) -> dict[int, ExchangeValues]:
        """Value all exchanges that may be the best of a first five, whatever its suits."""
        card, deck = self.card, self.deck
        bounds = {}
        least = np.full(len(deck.exchanges[0].counts), card.nets[FOLD] * card.deals)
        for exchange in deck.exchanges:
            five = exchange.five.T
            bounds[exchange.cards] = self._bound_exchange(exchange)
            # ``least``: by first five, the best lower bound of any action.  Exchanges whose upper bound is below it are
            # not valued.
            np.maximum.at(least, five[five >= 0], bounds[exchange.cards][five >= 0, LOWER])
        exchange_values = {}
        for exchange in deck.exchanges:
            wanted = bounds[exchange.cards][..., UPPER] >= least[exchange.five.T]
            exchange_values[exchange.cards] = self._value_exchange(exchange, wanted & (exchange.five.T >= 0))
        return exchange_values

    def _bound_exchange(self, exchange: ExchangeTable) -> IntArray:
        """Bound all exchanges of one number of cards.

        Those for which the deck has too few cards are never worth it.
        """
        card, cards = self.card, exchange.cards
        bounds = np.full((len(exchange.drawn), len(exchange.kept), 2), NEVER, np.int64)
        if cards > card.max_exchanged:
            return bounds
        values, force_sums = card.compute_values(cards), card.force_sums[NO_DRAW]
        at_most = force_sums.at_most
        if values.force_start >= 0:
            after = values.force_start + len(values.by_rank)
            at_most = force_sums.sums[:, MOST, values.force_start : after].max(axis=1, initial=0)
        flushes, copies, left = self.deck.flushes, card.dealer.copies, np.zeros(RANK_COUNT, np.int64)
        bound_exchange_values(
            exchange, values, self.deck.hands, flushes, self.deck.suits, copies, at_most, left, bounds
        )
        scaled: IntArray = card.nets[FOLD + cards] * card.deals + card.scale[cards] * bounds
        return np.where(bounds > NEVER, scaled, NEVER)

    def _value_exchange(self, exchange: ExchangeTable, wanted: NDArray[np.bool_]) -> ExchangeValues:
        """Value the wanted exchanges."""
        card, cards = self.card, exchange.cards
        if HIDDEN < cards <= card.max_exchanged:
            card.keep_rows(cards, np.flatnonzero(wanted.any(axis=1)))
        if not wanted.any():
            nothing = np.zeros((1, 1, PATTERNS), np.int64)
            return ExchangeValues(card.compute_values(NO_DRAW), nothing, nothing, wanted)
        values = card.compute_values(cards)
        if values.force_start < 0:
            card.force_sums[NO_DRAW] = card.compute_force_sums(NO_DRAW, cards)
            values = card.compute_values(cards)
        sums = np.zeros((*wanted.shape, PATTERNS), np.int64)
        bounds = np.zeros((*wanted.shape, 2), np.int64)
        workspace = make_draw_workspace()
        sum_exchange_values(exchange, values, card.dealer.copies, card.dealer.rank, wanted, workspace, sums, bounds)
        return ExchangeValues(values, sums, bounds, wanted)

    def _decide_by_bounds(self) -> tuple[IntArray, IntArray, int]:
        """Decide all first fives by bounds.

        Return the choices, those to be counted exactly, and how many hands have equal actions.
        """
        deck, card = self.deck, self.card
        first_fives = np.zeros(0, np.int64)
        first_fives = np.zeros(list_first_fives(deck.cards, card.dealer.rank, deck.suits, first_fives), np.int64)
        list_first_fives(deck.cards, card.dealer.rank, deck.suits, first_fives)
        play, buy, exchange_values = card.compute_values(NO_DRAW), card.compute_values(BOUGHT), self._value_exchanges()
        chosen, listed, worth = [], [], np.zeros(3, np.int64)
        tied = 0
        for at in range(0, len(first_fives), _BATCH):
            fives = first_fives[at : at + _BATCH]
            lengths, choices = np.zeros(len(fives), np.int64), np.empty((len(fives), MAX_CHOICES, 4), np.int64)
            list_known(
                fives, play, buy, deck.sets, deck.hands, deck.six_card_hands, card.table, worth, choices, lengths
            )
            for cards, exchange in exchange_values.items():
                list_exchanges(
                    fives, cards, exchange, deck.sets, deck.hands, deck.flushes, card.table, worth, choices, lengths
                )
            best = np.zeros((len(fives), FIELDS), np.int64)
            several = np.zeros((len(fives) * MAX_CHOICES, FIELDS), np.int64)
            numbers = np.zeros(3, np.int64)
            decide_all(fives, deck.suits, choices, lengths, best, several, numbers)
            chosen.append(best[: numbers[CHOSEN]])
            listed.append(several[: numbers[LISTED]].copy())
            tied += int(numbers[TIED])
        return np.concatenate(chosen), np.concatenate(listed), tied

    def _decide_exactly(self, listed: IntArray) -> tuple[IntArray, int]:
        """Decide first fives by exact counts of all actions that may be best.

        The result is the choices and how many first fives tie.  Of equal actions the first in the order of ALL-9 is
        taken, and of equal exchanges the one of the lowest cards.
        """
        best_choices, equal = [], 0
        worth: dict[tuple[int, ...], int] = {}
        for action in range(NO_PLAY, 6):
            worth |= {
                tuple(choice): self.compute_value(choice) for choice in listed.tolist() if choice[ACTION] == action
            }
            self._paths.pop(action, None)
        for _, group in groupby(listed.tolist(), key=lambda choice: choice[FIRST_FIVE]):
            choices = sorted(group, key=lambda choice: (choice[ACTION], choice[GIVEN_UP]))
            values = [worth[tuple(choice)] for choice in choices]
            best = [choice for choice, value in zip(choices, values, strict=True) if value == max(values)]
            best_choices.append(best[0])
            equal += best[0][ACTION] != best[-1][ACTION]
        return np.array(best_choices, np.int64).reshape(-1, FIELDS), equal

    def compute_value(self, choice: Sequence[int]) -> int:
        """Return what a choice (``FIELDS``) nets over all deals of its first five.

        The weight of the first five is left out.
        """
        if choice[ACTION] == NO_PLAY:
            return self.card.nets[FOLD] * self.card.deals
        action, one = choice[ACTION], np.array([choice], np.int64)
        one[:, WEIGHT] = 1
        return sum(deals * self.card.nets[outcome] for outcome, deals in self._iterate_tallied(action, one))

    def _tally_action(self, action: int, chosen: IntArray) -> None:
        """Tally first fives that take an action.

        Those that give up the same ranks are tallied together.
        """
        if len(chosen) == 0:
            return
        dead = np.zeros(len(chosen), np.int64)
        if action not in (PLAY, BOUGHT):
            dead = self.deck.sets.number_masks(chosen[:, GIVEN_UP], action)
        order = np.argsort(dead, kind="stable")
        for group in np.split(chosen[order], np.flatnonzero(np.diff(dead[order])) + 1):
            for outcome, deals in self._iterate_tallied(action, group):
                self.counts[outcome] += deals

    def _iterate_tallied(self, action: int, chosen: IntArray) -> Iterator[tuple[int, int]]:
        """Yield outcomes and deals of first fives that take an action.

        All of them give up the same ranks.
        """
        path, keys, work = self._prepare_path(action, chosen)
        start = get_path_start(action)
        cells = np.zeros(path.cells.fold + 1, np.int64)
        whole, gone, weights = (np.ascontiguousarray(chosen[:, field]) for field in (FIRST_FIVE, GIVEN_UP, WEIGHT))
        exchange = self.deck.exchanges[max(0, action - EXCHANGE_SIZES[0])]
        dead = int(self.deck.sets.number_masks(gone[:1], action)[0]) if action in EXCHANGE_SIZES else 0
        tally_hands(path, self.deck.sets, exchange, self.deck.flushes, dead, whole, gone, weights, keys, work, cells)
        for cell, deals in enumerate(cells.tolist()):
            if deals:
                yield FOLD + action if cell == path.cells.fold else start + cell, deals * self.card.scale[action]

    def _prepare_path(self, action: int, _chosen: IntArray) -> tuple[TallyPath, FlushKeys, TallyWorkspace]:
        """Return what tallying some choices of an action needs."""
        return self._get_path(action)

    def _get_path(self, action: int) -> tuple[TallyPath, FlushKeys, TallyWorkspace]:
        """Return what tallying a path needs, built at the first call."""
        if action not in self._paths:
            self._paths[action] = self._make_path(action)
        return self._paths[action]

    def _make_path(self, action: int) -> tuple[TallyPath, FlushKeys, TallyWorkspace]:
        card, deck = self.card, self.deck
        draw = BOUGHT if action == BOUGHT else NO_DRAW
        flush_changes, counts = card.count_met_dealer_hands(draw)
        path = TallyPath(
            action,
            card.count_dealer_hands(action),
            card.count_turned(action),
            counts[0 if action == BOUGHT else action],
            flush_changes.changes,
            flush_changes.classes,
            card.compute_values(action),
            deck.get_hands(action),
            card.cells[action],
            card.unqualified,
            self._get_turned_ends(draw),
            card.table,
            card.dealer.copies,
        )
        kept = deck.sets.count_sets(HAND - action) if action in EXCHANGE_SIZES else 1
        return (
            path,
            make_flush_keys(len(card.force_sums[draw].hands)),
            make_workspace(kept, len(card.unqualified.counts)),
        )

    def _get_turned_ends(self, draw: int) -> TurnedEnds:
        """Return what turned cards lead to.

        That of hands of five cards is kept; that of six cards is too large.
        """
        if draw == BOUGHT:
            return self._make_turned_ends(draw)
        self._five_card_ends = self._five_card_ends or self._make_turned_ends(draw)
        return self._five_card_ends

    def _make_turned_ends(self, draw: int) -> TurnedEnds:
        card, deck = self.card, self.deck
        deck_ranks = np.minimum(deck.sets.copies, 1)
        hand_numbers, qualifies = card.force_sums[draw].hands, card.options.dealer_qualifies
        dealer = card.dealer
        return make_turned_ends(
            deck.get_hands(draw),
            hand_numbers,
            card.pays[draw],
            qualifies,
            dealer.copies,
            deck_ranks,
            dealer.rank,
            card.unqualified,
        )

    def _count_instant_cash(self) -> tuple[int, int]:
        """Return how many first fives are a royal flush and how many a straight flush."""
        deck = self.deck
        held = np.flatnonzero(deck.hands.plain_numbers >= 0)
        categories = get_category(deck.hands.strengths[deck.hands.flush_numbers[held, -1]])
        suits = deck.suits - (held >> self.card.dealer.rank & 1)
        return int(suits[categories == ROYAL_FLUSH].sum()), int(suits[categories == STRAIGHT_FLUSH].sum())
