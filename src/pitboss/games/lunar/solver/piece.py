"""One piece of the solution: everything that can happen beside one exposed card.

Exposed cards of a rank differ by suit alone, so there is a piece for each rank of the deck, and none needs another.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.games.lunar.outcomes import BOUGHT, FOLD, NO_DRAW, path_start
from pitboss.games.lunar.rules import HAND, Options
from pitboss.games.lunar.solver.beside import EXCHANGES, Beside, deck_of
from pitboss.games.lunar.solver.book import Path, Work, book_hands, room_for_work
from pitboss.games.lunar.solver.draws import (
    LOWER,
    NEVER,
    PATTERNS,
    UPPER,
    Exchange,
    exchange_values,
    room_for_draws,
    rough_values,
)
from pitboss.games.lunar.solver.exposed import HIDDEN
from pitboss.games.lunar.solver.firsts import (
    ACTION,
    CHOICES,
    CHOSEN,
    FIELDS,
    GONE,
    LISTED,
    PLAY,
    TIED,
    WEIGHT,
    WHOLE,
    Drawing,
    decide_all,
    first_fives,
    list_exchanges,
    list_known,
)
from pitboss.games.lunar.solver.firsts import FOLD as NO_PLAY
from pitboss.games.lunar.solver.force import MOST
from pitboss.games.lunar.solver.four_flushes import Keys, Turns, empty_keys, turns_of
from pitboss.hands import ROYAL_FLUSH, STRAIGHT_FLUSH, get_category

ALL_RANKS = tuple(range(13))
_LISTED_AT_ONCE = 1 << 15


def piece(
    exposed: int, options: Options, nets: Sequence[int], ranks: Sequence[int] = ALL_RANKS, suits: int = SUIT_COUNT
) -> dict[str, Any]:
    """Solve everything beside an exposed card of a rank, and return it as plain integers.

    ``deals`` are those of one first five, ``counts`` the deals of every outcome of ``main`` beside one such card,
    ``taken`` how many first fives fold, play, buy, and exchange two to five cards, ``equal`` how many first fives up to
    suits have two best actions.

    Raises:
        ValueError: as ``Beside`` says.
    """
    return Piece(Beside(deck_of(tuple(ranks), suits), exposed, options, tuple(nets))).solved()


class Piece:
    """Decides all first fives beside an exposed card, and books what follows."""

    def __init__(self, beside: Beside) -> None:
        """Begin with nothing booked."""
        self.beside, self.deck = beside, beside.deck
        self.counts = [0] * len(beside.nets)
        self._paths: dict[int, tuple[Path, Keys, Work]] = {}

    def solved(self) -> dict[str, Any]:
        """Solve it."""
        chosen, listed, tied = self._decided()
        more, equal = self._settled(listed)
        return self.added_up(np.concatenate([chosen, more]), tied + equal)

    def added_up(self, chosen: Integers, equal: int) -> dict[str, Any]:
        """Book the choices made, and return what ``piece`` does; ``equal`` first fives have two best actions."""
        taken = [int(chosen[chosen[:, ACTION] == action, WEIGHT].sum()) for action in range(NO_PLAY, 6)]
        self.counts[FOLD] += taken[0] * self.beside.deals
        for action in range(6):
            self._book(action, chosen[chosen[:, ACTION] == action])
            self._paths.pop(action, None)
        for outcome, hands in enumerate(self._instant_cash()):
            self.counts[outcome] += hands * self.beside.deals
        return {
            "exposed": self.beside.dealer.rank,
            "deals": self.beside.deals,
            "counts": self.counts,
            "taken": taken,
            "equal": equal,
        }

    def _drawings(self) -> dict[int, Drawing]:
        """Value all exchanges that may be the best of a first five whatever its suits."""
        beside, deck = self.beside, self.deck
        bounds = {}
        least = np.full(len(deck.exchanges[0].counts), beside.nets[FOLD] * beside.deals)
        for exchange in deck.exchanges:
            five = exchange.five.T
            bounds[exchange.cards] = self._rough(exchange)
            np.maximum.at(least, five[five >= 0], bounds[exchange.cards][five >= 0, LOWER])
        drawings = {}
        for exchange in deck.exchanges:
            wanted = bounds[exchange.cards][..., UPPER] >= least[exchange.five.T]
            drawings[exchange.cards] = self._valued(exchange, wanted & (exchange.five.T >= 0))
        return drawings

    def _rough(self, exchange: Exchange) -> Integers:
        """Bound all exchanges of so many cards; what the deck has not the cards for is never worth it."""
        beside, cards = self.beside, exchange.cards
        bounds = np.full((len(exchange.drawn), len(exchange.kept), 2), NEVER, np.int64)
        if cards > beside.most:
            return bounds
        values, forced = beside.values(cards), beside.forced[NO_DRAW]
        at_most = forced.at_most
        if values.forced_at >= 0:
            after = values.forced_at + len(values.by_rank)
            at_most = forced.sums[:, MOST, values.forced_at : after].max(axis=1, initial=0)
        flushes, copies, left = self.deck.flushes, beside.dealer.copies, np.zeros(RANK_COUNT, np.int64)
        rough_values(exchange, values, self.deck.hands, flushes, self.deck.suits, copies, at_most, left, bounds)
        scaled: Integers = beside.nets[FOLD + cards] * beside.deals + beside.scale[cards] * bounds
        return np.where(bounds > NEVER, scaled, NEVER)

    def _valued(self, exchange: Exchange, wanted: NDArray[np.bool_]) -> Drawing:
        """Value the exchanges wanted."""
        beside, cards = self.beside, exchange.cards
        if HIDDEN < cards <= beside.most:
            beside.narrow(cards, np.flatnonzero(wanted.any(axis=1)))
        if not wanted.any():
            nothing = np.zeros((1, 1, PATTERNS), np.int64)
            return Drawing(beside.values(NO_DRAW), nothing, nothing, wanted)
        values = beside.values(cards)
        if values.forced_at < 0:
            beside.forced[NO_DRAW] = beside.force(NO_DRAW, cards)
            values = beside.values(cards)
        sums = np.zeros((*wanted.shape, PATTERNS), np.int64)
        bounds = np.zeros((*wanted.shape, 2), np.int64)
        room = room_for_draws()
        exchange_values(exchange, values, beside.dealer.copies, beside.dealer.rank, wanted, room, sums, bounds)
        return Drawing(values, sums, bounds, wanted)

    def _decided(self) -> tuple[Integers, Integers, int]:
        """Decide all first fives: return the choices made, those to be counted exactly, and hands of equal actions."""
        deck, beside = self.deck, self.beside
        room = np.zeros(0, np.int64)
        room = np.zeros(first_fives(deck.cards, beside.dealer.rank, deck.suits, room), np.int64)
        first_fives(deck.cards, beside.dealer.rank, deck.suits, room)
        play, buy, drawings = beside.values(NO_DRAW), beside.values(BOUGHT), self._drawings()
        chosen, listed, worth = [], [], np.zeros(3, np.int64)
        tied = 0
        for at in range(0, len(room), _LISTED_AT_ONCE):
            fives = room[at : at + _LISTED_AT_ONCE]
            lengths, choices = np.zeros(len(fives), np.int64), np.empty((len(fives), CHOICES, 4), np.int64)
            list_known(fives, play, buy, deck.sets, deck.hands, deck.six, beside.table, worth, choices, lengths)
            for cards, drawing in drawings.items():
                list_exchanges(
                    fives, cards, drawing, deck.sets, deck.hands, deck.flushes, beside.table, worth, choices, lengths
                )
            best = np.zeros((len(fives), FIELDS), np.int64)
            several = np.zeros((len(fives) * CHOICES, FIELDS), np.int64)
            numbers = np.zeros(3, np.int64)
            decide_all(fives, deck.suits, choices, lengths, best, several, numbers)
            chosen.append(best[: numbers[CHOSEN]])
            listed.append(several[: numbers[LISTED]].copy())
            tied += int(numbers[TIED])
        return np.concatenate(chosen), np.concatenate(listed), tied

    def _settled(self, listed: Integers) -> tuple[Integers, int]:
        """Decide first fives by exact counts of all actions that may be best; return the choices and how many tie.

        Of equal actions the first in the order of ALL-9 is taken, and of equal exchanges the one of the lowest cards.
        """
        made, equal = [], 0
        worth: dict[tuple[int, ...], int] = {}
        for action in range(NO_PLAY, 6):
            worth |= {tuple(choice): self.value(choice) for choice in listed.tolist() if choice[ACTION] == action}
            self._paths.pop(action, None)
        for _, same in groupby(listed.tolist(), key=lambda choice: choice[WHOLE]):
            choices = sorted(same, key=lambda choice: (choice[ACTION], choice[GONE]))
            values = [worth[tuple(choice)] for choice in choices]
            best = [choice for choice, value in zip(choices, values, strict=True) if value == max(values)]
            made.append(best[0])
            equal += best[0][ACTION] != best[-1][ACTION]
        return np.array(made, np.int64).reshape(-1, FIELDS), equal

    def value(self, choice: Sequence[int]) -> int:
        """Return what a choice (``FIELDS``) nets over all deals of its first five, its weight left out."""
        if choice[ACTION] == NO_PLAY:
            return self.beside.nets[FOLD] * self.beside.deals
        action, one = choice[ACTION], np.array([choice], np.int64)
        one[:, WEIGHT] = 1
        return sum(deals * self.beside.nets[outcome] for outcome, deals in self._booked(action, one))

    def _book(self, action: int, chosen: Integers) -> None:
        """Book first fives that take an action, those together that give up the same ranks."""
        if len(chosen) == 0:
            return
        dead = np.zeros(len(chosen), np.int64)
        if action not in (PLAY, BOUGHT):
            dead = self.deck.sets.numbers(chosen[:, GONE], action)
        order = np.argsort(dead, kind="stable")
        for same in np.split(chosen[order], np.flatnonzero(np.diff(dead[order])) + 1):
            for outcome, deals in self._booked(action, same):
                self.counts[outcome] += deals

    def _booked(self, action: int, chosen: Integers) -> Iterator[tuple[int, int]]:
        """Yield outcomes and deals of first fives that take an action and give up the same ranks."""
        path, keys, work = self._path_of(action, chosen)
        start = path_start(action)
        cells = np.zeros(path.at.fold + 1, np.int64)
        whole, gone, weights = (np.ascontiguousarray(chosen[:, field]) for field in (WHOLE, GONE, WEIGHT))
        exchange = self.deck.exchanges[max(0, action - EXCHANGES[0])]
        dead = int(self.deck.sets.numbers(gone[:1], action)[0]) if action in EXCHANGES else 0
        book_hands(path, self.deck.sets, exchange, self.deck.flushes, dead, whole, gone, weights, keys, work, cells)
        for cell, deals in enumerate(cells.tolist()):
            if deals:
                yield FOLD + action if cell == path.at.fold else start + cell, deals * self.beside.scale[action]

    def _path_of(self, action: int, _chosen: Integers) -> tuple[Path, Keys, Work]:
        """Return what booking some choices of an action needs."""
        return self._path(action)

    def _path(self, action: int) -> tuple[Path, Keys, Work]:
        """Return what booking a path needs, laid out the first time."""
        if action not in self._paths:
            self._paths[action] = self._laid_out(action)
        return self._paths[action]

    def _laid_out(self, action: int) -> tuple[Path, Keys, Work]:
        beside, deck = self.beside, self.deck
        draw = BOUGHT if action == BOUGHT else NO_DRAW
        counting = beside.counting(draw)
        of = beside.changed(draw, *counting)
        counts = beside.summed(draw, *counting, most=action)[0 if action == BOUGHT else action]
        path = Path(
            action,
            beside.dealers(action),
            beside.turned(action),
            beside.narrowed(action, counts),
            of.of,
            of.classes,
            beside.values(action),
            deck.hands_of(action),
            beside.cells[action],
            beside.low,
            self._turns(draw),
            beside.table,
            beside.dealer.copies,
        )
        kept = deck.sets.size(HAND - action) if action in EXCHANGES else 1
        return path, empty_keys(len(beside.forced[draw].some)), room_for_work(kept, len(beside.low.counts))

    def _turns(self, draw: int) -> Turns:
        beside, deck = self.beside, self.deck
        every = np.minimum(deck.sets.copies, 1)
        some, qualifies = beside.forced[draw].some, beside.options.dealer_qualifies
        dealer = beside.dealer
        return turns_of(
            deck.hands_of(draw), some, beside.pays[draw], qualifies, dealer.copies, every, dealer.rank, beside.low
        )

    def _instant_cash(self) -> tuple[int, int]:
        """Return how many first fives are a royal and a straight flush."""
        deck = self.deck
        held = np.flatnonzero(deck.hands.plain_of >= 0)
        made = get_category(deck.hands.strengths[deck.hands.flush_of[held, -1]])
        suits = deck.suits - (held >> self.beside.dealer.rank & 1)
        return int(suits[made == ROYAL_FLUSH].sum()), int(suits[made == STRAIGHT_FLUSH].sum())
