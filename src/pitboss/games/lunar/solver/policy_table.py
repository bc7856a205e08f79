"""Tabulate all decisions of a written strategy with one exposed card.

First decisions are tabulated with every first five up to suits, later ones by ranks, except for the player's flushes:
of positions that differ only in other suits one is built, without saying which cards were drawn.  A
strategy that depends on more is refused, and so is one that forces because of a card it has given up.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DEUCES, RANK_COUNT, SUIT_COUNT, make_mask, popcount
from pitboss.contract import RuleFunction
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    HAND,
    NOT_QUALIFIED,
    LunarOptions,
    LunarView,
    rank_hand,
)
from pitboss.games.lunar.solver.dealer_hands import HIDDEN, UnqualifiedHands
from pitboss.games.lunar.solver.decide import (
    ACTION,
    FIELDS,
    FIRST_FIVE,
    GIVEN_UP,
    WEIGHT,
    DecisionTable,
    count_orbit,
    list_first_fives,
)
from pitboss.games.lunar.solver.final_hands import FinalHands, make_plain_hand
from pitboss.hands import FLUSH, ROYAL_FLUSH, STRAIGHT_FLUSH, HandTables, get_category, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Strategy

ActionArray = NDArray[np.int8]

_ILLEGAL = 7
_SAMPLES = 4_000


class CompiledStrategy(NamedTuple):
    """A strategy's rule compiled for each decision.

    The decisions are those on first fives, on final hands after a draw, and on unqualified dealers.
    """

    first: Callable[..., int]
    after_draw: Callable[..., None]
    force: Callable[..., None]


@kernel_helper
def find_free_card(used: int, rank: int, begin: int, suits: int) -> int:
    """Return an unused card of a rank, as a set; 0 if all are used.

    The suits are tried from ``begin`` on.
    """
    for each in range(suits):
        card = 1 << RANK_COUNT * ((begin + each) % suits) + rank
        if used & card == 0:
            return card
    return 0


@kernel_helper
def pick_given_up(used: int, dead: IntArray, suits: int) -> int:
    """Return unused cards of these ranks, taking the suits in turn."""
    gone, cards = 0, 0
    for rank in range(RANK_COUNT):
        for _ in range(dead[rank]):
            gone |= find_free_card(used | gone, rank, cards, suits)
            cards += 1
    return gone


@kernel_helper
def pick_hidden_cards(used: int, of_ranks: IntArray, suits: int) -> int:
    """Return unused cards of four ranks; 0 if there are too few.

    The suits are taken in turn.
    """
    hidden = 0
    for place in range(HIDDEN):
        card = find_free_card(used | hidden, of_ranks[place], place + 1, suits)
        if card == 0:
            return 0
        hidden |= card
    return hidden


@cache
def compile_strategy(choose: RuleFunction) -> CompiledStrategy:
    """Compile a strategy's rule."""

    @kernel
    def first(
        tables: HandTables, options: LunarOptions, numbers: Any, fives: IntArray, table: DecisionTable, chosen: IntArray
    ) -> int:
        length = 0
        for five in fives:
            if rank_hand(tables, five) >= table.instant_cash:
                continue
            action, cards = choose(
                tables, LunarView(five, 1 << table.exposed, 0, 0, 0), FIRST_DECISION, numbers, options
            )
            drawn = action - 1
            if drawn > 1 and (popcount(cards) != drawn or cards & ~five):
                drawn = _ILLEGAL
            chosen[length, FIRST_FIVE], chosen[length, GIVEN_UP] = five, cards if drawn > 1 else 0
            chosen[length, ACTION], chosen[length, WEIGHT] = drawn, count_orbit(five, table.suits)
            length += 1
        return length

    @kernel
    def second(
        tables: HandTables,
        options: LunarOptions,
        numbers: Any,
        hands: FinalHands,
        table: DecisionTable,
        dead: IntArray,
        plays: ActionArray,
    ) -> None:
        for hand in range(len(plays)):
            mask = hands.masks[hand]
            exposed = find_free_card(mask, table.exposed, 0, table.suits)
            gone = pick_given_up(mask | exposed, dead, table.suits)
            plays[hand] = choose(tables, LunarView(mask, exposed, 0, 0, gone), AFTER_DRAW, numbers, options)[0]

    @kernel
    def last(
        tables: HandTables,
        options: LunarOptions,
        numbers: Any,
        hands: FinalHands,
        table: DecisionTable,
        dead: IntArray,
        some: IntArray,
        low: UnqualifiedHands,
        forces: ActionArray,
    ) -> None:
        for each in range(len(some)):
            mask = hands.masks[some[each]]
            exposed = find_free_card(mask, table.exposed, 0, table.suits)
            gone = pick_given_up(mask | exposed, dead, table.suits)
            for row in range(len(low.ranks)):
                hidden = pick_hidden_cards(mask | exposed | gone, low.ranks[row], table.suits)
                if hidden:
                    view = LunarView(mask, exposed | hidden, 0, 0, gone)
                    forces[each, row] = choose(tables, view, NOT_QUALIFIED, numbers, options)[0]

    return CompiledStrategy(first, second, last)


class LunarPolicyTable:
    """The decisions of a strategy with one exposed card, tabulated on request."""

    def __init__(self, strategy: Strategy, options: LunarOptions, table: DecisionTable) -> None:
        """Compile its rule if necessary."""
        self.strategy, self.table = strategy, table
        self._compiled, self._rule_args = (
            compile_strategy(strategy.choose),
            (load_hand_tables(), options, tuple(map(int, strategy.numbers))),
        )

    def tabulate_first(self, deck: IntArray, most: int) -> IntArray:
        """Return what the strategy does with every first five of a deck.

        First fives are taken up to suits, with at most ``most`` cards exchanged.

        Raises:
            ValueError: it takes an action that the rules do not allow.
        """
        exposed, suits = self.table.exposed, self.table.suits
        first_fives = np.zeros(list_first_fives(deck, exposed, suits, np.zeros(0, np.int64)), np.int64)
        list_first_fives(deck, exposed, suits, first_fives)
        chosen = np.zeros((len(first_fives), FIELDS), np.int64)
        chosen = chosen[: self._compiled.first(*self._rule_args, first_fives, self.table, chosen)]
        self._check_actions(chosen[:, ACTION] + 1, most + 1)
        return chosen

    def tabulate_plays(self, hands: FinalHands, dead: IntArray) -> ActionArray:
        """Return 1 for each final hand that the strategy plays, else 0.

        The cards given up have the ranks ``dead``.
        """
        plays = np.zeros(len(hands.masks), np.int8)
        self._compiled.after_draw(*self._rule_args, hands, self.table, dead, plays)
        self._check_actions(plays, 1)
        return plays

    def tabulate_forces(
        self, hands: FinalHands, dead: IntArray, hand_numbers: IntArray, low: UnqualifiedHands
    ) -> ActionArray:
        """Return 1 where the strategy forces, else 0.

        There is an entry for each of the hands ``hand_numbers`` and each of the dealer's rows of ranks.
        """
        forces = np.zeros((len(hand_numbers), len(low.ranks)), np.int8)
        self._compiled.force(*self._rule_args, hands, self.table, dead, hand_numbers, low, forces)
        self._check_actions(forces, 1)
        return forces

    def _check_actions(self, actions: IntArray | ActionArray, most: int) -> None:
        if ((actions < 0) | (actions > most)).any():
            raise ValueError(f"strategy {self.strategy.id} takes an action that the rules do not allow")


def check_ranks_decide(strategy: Strategy, options: LunarOptions) -> None:
    """Check that ranks decide what a strategy does later.

    Its later decisions are compared at random positions, with the cards dealt and with those built from their ranks.

    Raises:
        ValueError: the answers differ, or it forces with cards given up but not without them.
    """
    generator, tables = np.random.default_rng(1), load_hand_tables()
    for _ in range(_SAMPLES):
        drawn = int(generator.integers(1, HAND + 1))
        codes = generator.permutation(RANK_COUNT * SUIT_COUNT).tolist()
        first, dealer, drew = codes[:HAND], codes[HAND : 2 * HAND], make_mask(codes[2 * HAND : 2 * HAND + drawn])
        gone = make_mask(first[:drawn]) if drawn > 1 else 0
        held = make_mask(first) & ~gone | drew
        after = LunarView(held, 1 << dealer[-1], 0, drew, gone)
        questions = [(AFTER_DRAW, after)]
        if rank_hand(tables, make_mask(dealer)) < options.dealer_qualifies:
            questions.append((NOT_QUALIFIED, after._replace(dealer=make_mask(dealer))))
        for decision, view in questions:
            normalized = _normalize_view(tables, view, dealer)
            one, other = (
                strategy.choose(tables, seen, decision, strategy.numbers, options)[0] for seen in (view, normalized)
            )
            if one != other:
                message = f"strategy {strategy.id} depends on suits after a draw, or on which cards were drawn"
                raise ValueError(message)
            without_discards = normalized._replace(discarded=0)
            if (
                decision == NOT_QUALIFIED
                and one > strategy.choose(tables, without_discards, decision, strategy.numbers, options)[0]
            ):
                raise ValueError(f"strategy {strategy.id} forces because of a card it gave up")


def _normalize_view(tables: HandTables, view: LunarView, dealer: list[int]) -> LunarView:
    """Build the position at which the strategy is tabulated.

    The last of the cards ``dealer`` is the exposed one.
    """
    held = [code for code in range(RANK_COUNT * SUIT_COUNT) if view.player >> code & 1]
    category = get_category(rank_hand(tables, view.player))
    mask = (
        view.player
        if category in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
        else make_plain_hand([code % RANK_COUNT for code in held], SUIT_COUNT)
    )
    exposed = find_free_card(mask, dealer[-1] % RANK_COUNT, 0, SUIT_COUNT)
    dead = np.array([popcount(view.discarded >> rank & DEUCES) for rank in range(RANK_COUNT)])
    gone = pick_given_up(mask | exposed, dead, SUIT_COUNT)
    hidden = 0
    if popcount(view.dealer) > 1:
        hidden = pick_hidden_cards(
            mask | exposed | gone, np.array(sorted(code % RANK_COUNT for code in dealer[:-1])), SUIT_COUNT
        )
    return LunarView(mask, exposed | hidden, 0, 0, gone)
