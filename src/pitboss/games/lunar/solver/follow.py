"""A written strategy followed beside one exposed card: its choices booked as the best play's are (``book``).

Booking reads decisions off signs: of what a final hand is worth more played than folded, and of what Force nets more
than the Ante.  Here both are put to 1 and -1 or 0 as the strategy has it, for each multiset of cards given up anew.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.games.lunar.outcomes import BOUGHT, NO_DRAW
from pitboss.games.lunar.rules import HAND, Options
from pitboss.games.lunar.solver.beside import EXCHANGES, Beside, deck_of
from pitboss.games.lunar.solver.book import Path, Work, room_for_work
from pitboss.games.lunar.solver.draws import Values
from pitboss.games.lunar.solver.firsts import ACTION, GONE, PLAY, WHOLE
from pitboss.games.lunar.solver.four_flushes import Keys, Turns, empty_keys, turns_of
from pitboss.games.lunar.solver.piece import ALL_RANKS, Piece
from pitboss.games.lunar.solver.suit_sums import Changes
from pitboss.games.lunar.solver.told import Told
from pitboss.solver_api import Strategy


def followed_piece(
    strategy: Strategy,
    exposed: int,
    options: Options,
    nets: Sequence[int],
    ranks: Sequence[int] = ALL_RANKS,
    suits: int = SUIT_COUNT,
) -> dict[str, Any]:
    """Follow a strategy in everything that can happen beside an exposed card, and return what ``piece`` does.

    Nothing is of equal value then.

    Raises:
        ValueError: as ``Beside`` says, or the strategy does what the rules do not allow.
    """
    return Followed(Beside(deck_of(tuple(ranks), suits), exposed, options, tuple(nets)), strategy).solved()


class Followed(Piece):
    """Asks a strategy for all decisions beside an exposed card, and books what follows."""

    def __init__(self, beside: Beside, strategy: Strategy) -> None:
        """Begin with nothing booked."""
        super().__init__(beside)
        self.told = Told(strategy, beside.options, beside.table)
        self._most = 0
        self._counts: dict[int, tuple[Changes, list[Integers]]] = {}

    def solved(self) -> dict[str, Any]:
        """Follow it."""
        choices = self.told.choices(self.deck.cards, self.beside.most)
        self._most = int(choices[:, ACTION].max(initial=0))
        return self.added_up(choices, 0)

    def _path_of(self, action: int, chosen: Integers) -> tuple[Path, Keys, Work]:
        """Return what booking these choices needs, decided as the strategy has it."""
        path, keys, work = self._path(action)
        sets, hands = self.deck.sets, path.hands
        number, dead, may_be = 0, np.zeros(RANK_COUNT, np.int64), np.ones(len(hands.masks), np.bool_)
        if action in EXCHANGES:
            number = int(sets.numbers(chosen[:1, GONE], action)[0])
            dead, may_be[:] = sets.of(action)[number], False
            for kept in np.unique(sets.numbers(chosen[:, WHOLE] & ~chosen[:, GONE], HAND - action)):
                may_be |= (hands.counts >= sets.of(HAND - action)[kept]).all(axis=1)
        may_be &= (hands.counts + dead <= self.beside.dealer.copies).all(axis=1)
        plays = self.told.plays(hands, dead) if action != PLAY else np.ones(len(may_be), np.int8)
        path.values.by_rank[number] = 2 * plays - 1
        forced = np.flatnonzero((may_be & (plays == 1))[path.turns.hands])
        path.turns.gain[forced] = self.told.forces(hands, dead, path.turns.hands[forced], path.low)
        return path, keys, work

    def _laid_out(self, action: int) -> tuple[Path, Keys, Work]:
        beside, deck = self.beside, self.deck
        draw = BOUGHT if action == BOUGHT else NO_DRAW
        of, sums = self._counted(draw)
        counts, hands = sums[0 if action == BOUGHT else action], deck.hands_of(draw)
        turns = self._turns(draw)
        row_of, none = np.full(len(hands.masks), -1, np.int64), np.zeros(1, np.int64)
        row_of[turns.hands] = np.arange(len(turns.hands))
        changes, classes = np.zeros((1, 1 << RANK_COUNT), np.int64), np.zeros(len(row_of), np.int64)
        signs, no_bounds = np.zeros(counts.shape, np.int64), np.zeros((1, 3, 1), np.int64)
        path = Path(
            action,
            beside.dealers(action),
            beside.turned(action),
            counts,
            of.of,
            of.classes,
            Values(signs, changes, classes, none, none, row_of, no_bounds, -1),
            hands,
            beside.cells[action],
            beside.low,
            turns,
            beside.table,
            beside.dealer.copies,
        )
        kept = deck.sets.size(HAND - action) if action in EXCHANGES else 1
        return path, empty_keys(len(turns.hands)), room_for_work(kept, len(beside.low.counts))

    def _counted(self, draw: int) -> tuple[Changes, list[Integers]]:
        """Return the dealers whom final hands meet, side by side, counted the first time."""
        if draw not in self._counts:
            counting = self.beside.counting(draw)
            sums = self.beside.summed(draw, *counting, most=self._most)
            self._counts[draw] = self.beside.changed(draw, *counting), sums
        return self._counts[draw]

    def _turns(self, draw: int) -> Turns:
        """Return what turned cards lead to for all hands that force when nothing is given up."""
        beside, hands = self.beside, self.deck.hands_of(draw)
        there = np.flatnonzero((hands.counts <= beside.dealer.copies).all(axis=1))
        forces = self.told.forces(hands, np.zeros(RANK_COUNT, np.int64), there, beside.low).any(axis=1)
        every, qualifies = np.minimum(self.deck.sets.copies, 1), beside.options.dealer_qualifies
        dealer = beside.dealer
        turns = turns_of(
            hands, there[forces], beside.pays[draw], qualifies, dealer.copies, every, dealer.rank, beside.low
        )
        # What an end gains decides nothing here: neither dead cards nor flushes may change the sign.
        turns.gains[:] = 0
        turns.more[..., 0] = 0
        return turns
