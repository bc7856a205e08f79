"""Follow a written strategy with one exposed card, and tally its choices.

Tallying (``outcome_counts``) reads decisions off signs: of what a final hand is worth more played than folded, and of
what Force nets more than the Ante.  Here both are set to 1 and to -1 or 0 as the strategy decides, again for each
multiset of cards given up.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.lunar.outcomes import BOUGHT, NO_DRAW
from pitboss.games.lunar.rules import HAND, LunarOptions
from pitboss.games.lunar.solver.census import ALL_RANKS, ExposedCardSolver
from pitboss.games.lunar.solver.decide import ACTION, FIRST_FIVE, GIVEN_UP, PLAY
from pitboss.games.lunar.solver.exchange_values import FinalValues
from pitboss.games.lunar.solver.exposed_card import EXCHANGE_SIZES, ExposedCard, make_deck
from pitboss.games.lunar.solver.four_flushes import FlushKeys, TurnedEnds, make_flush_keys, make_turned_ends
from pitboss.games.lunar.solver.outcome_counts import TallyPath, TallyWorkspace, make_workspace
from pitboss.games.lunar.solver.policy_table import LunarPolicyTable
from pitboss.games.lunar.solver.suit_sums import FlushChanges
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Strategy


def follow_strategy(
    strategy: Strategy,
    exposed: int,
    options: LunarOptions,
    nets: Sequence[int],
    ranks: Sequence[int] = ALL_RANKS,
    suits: int = SUIT_COUNT,
) -> dict[str, Any]:
    """Follow a strategy in everything that can happen with one exposed card.

    Return what ``solve_exposed_card`` does.  No two values are equal then.

    Raises:
        ValueError: as ``ExposedCard`` says, or the strategy takes an action that the rules do not allow.
    """
    return ExposedCardFollower(
        ExposedCard(make_deck(tuple(ranks), suits), exposed, options, tuple(nets)), strategy
    ).solve()


class ExposedCardFollower(ExposedCardSolver):
    """Takes a strategy's decisions with an exposed card, and tallies what follows."""

    def __init__(self, card: ExposedCard, strategy: Strategy) -> None:
        """Start with nothing tallied."""
        super().__init__(card)
        self.policy_table = LunarPolicyTable(strategy, card.options, card.table)
        self._max_drawn = 0
        self._counts: dict[int, tuple[FlushChanges, list[IntArray]]] = {}

    def solve(self) -> dict[str, Any]:
        """Follow the strategy, and return what ``solve_exposed_card`` does."""
        choices = self.policy_table.tabulate_first(self.deck.cards, self.card.max_exchanged)
        self._max_drawn = int(choices[:, ACTION].max(initial=0))
        return self.tally_choices(choices, 0)

    def _prepare_path(self, action: int, chosen: IntArray) -> tuple[TallyPath, FlushKeys, TallyWorkspace]:
        """Return what tallying these choices needs, with the strategy's decisions."""
        path, keys, work = self._get_path(action)
        sets, hands = self.deck.sets, path.hands
        number, dead, may_be = 0, np.zeros(RANK_COUNT, np.int64), np.ones(len(hands.masks), np.bool_)
        if action in EXCHANGE_SIZES:
            number = int(sets.number_masks(chosen[:1, GIVEN_UP], action)[0])
            dead, may_be[:] = sets.get_counts(action)[number], False
            for kept in np.unique(sets.number_masks(chosen[:, FIRST_FIVE] & ~chosen[:, GIVEN_UP], HAND - action)):
                may_be |= (hands.counts >= sets.get_counts(HAND - action)[kept]).all(axis=1)
        may_be &= (hands.counts + dead <= self.card.dealer.copies).all(axis=1)
        plays = self.policy_table.tabulate_plays(hands, dead) if action != PLAY else np.ones(len(may_be), np.int8)
        path.values.by_rank[number] = 2 * plays - 1
        forced = np.flatnonzero((may_be & (plays == 1))[path.turns.hands])
        path.turns.gain[forced] = self.policy_table.tabulate_forces(
            hands, dead, path.turns.hands[forced], path.unqualified
        )
        return path, keys, work

    def _make_path(self, action: int) -> tuple[TallyPath, FlushKeys, TallyWorkspace]:
        card, deck = self.card, self.deck
        draw = BOUGHT if action == BOUGHT else NO_DRAW
        flush_changes, sums = self._count_dealer_hands(draw)
        counts, hands = sums[0 if action == BOUGHT else action], deck.get_hands(draw)
        turns = self._make_turned_ends(draw)
        row_of, none = np.full(len(hands.masks), -1, np.int64), np.zeros(1, np.int64)
        row_of[turns.hands] = np.arange(len(turns.hands))
        changes, classes = np.zeros((1, 1 << RANK_COUNT), np.int64), np.zeros(len(row_of), np.int64)
        signs, no_bounds = np.zeros(counts.shape, np.int64), np.zeros((1, 3, 1), np.int64)
        path = TallyPath(
            action,
            card.count_dealer_hands(action),
            card.count_turned(action),
            counts,
            flush_changes.changes,
            flush_changes.classes,
            FinalValues(signs, changes, classes, none, none, row_of, no_bounds, -1),
            hands,
            card.cells[action],
            card.unqualified,
            turns,
            card.table,
            card.dealer.copies,
        )
        kept = deck.sets.count_sets(HAND - action) if action in EXCHANGE_SIZES else 1
        return path, make_flush_keys(len(turns.hands)), make_workspace(kept, len(card.unqualified.counts))

    def _count_dealer_hands(self, draw: int) -> tuple[FlushChanges, list[IntArray]]:
        """Return the dealers that final hands meet, in lanes, counted at the first call."""
        if draw not in self._counts:
            count_words = self.card.make_count_words(draw)
            sums = self.card.compute_rank_sums(draw, *count_words, most=self._max_drawn)
            self._counts[draw] = self.card.compute_flush_changes(draw, *count_words), sums
        return self._counts[draw]

    def _make_turned_ends(self, draw: int) -> TurnedEnds:
        """Return what turned cards lead to, for all hands that force.

        These are the hands that force when nothing is given up.
        """
        card, hands = self.card, self.deck.get_hands(draw)
        hand_numbers = np.flatnonzero((hands.counts <= card.dealer.copies).all(axis=1))
        forces = self.policy_table.tabulate_forces(
            hands, np.zeros(RANK_COUNT, np.int64), hand_numbers, card.unqualified
        ).any(axis=1)
        deck_ranks, qualifies = np.minimum(self.deck.sets.copies, 1), card.options.dealer_qualifies
        dealer = card.dealer
        turns = make_turned_ends(
            hands,
            hand_numbers[forces],
            card.pays[draw],
            qualifies,
            dealer.copies,
            deck_ranks,
            dealer.rank,
            card.unqualified,
        )
        # The gains of ends decide nothing here: neither dead cards nor flushes may change the sign.
        turns.gains[:] = 0
        turns.more[..., 0] = 0
        return turns
