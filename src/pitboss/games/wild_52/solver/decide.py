"""Take Wild 52's second decisions, and value the first decisions with them.

The second decision sees five cards and the first community card, so it needs the sum of the showdowns over all boards
with that card.  The first decision sees five cards, so its value is the sum of the best second decisions over all first
community cards.  First cards are taken up to suits: thirteen ranks of the first suit, and the Joker.  With a natural
first card the other three suits are interchangeable, and with the Joker all four are.  Boards that differ only by such
an exchange are swept once, and their sums are read again for the exchanged hand.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.census import (
    NO_STRENGTH,
    WORD_BITS,
    make_kept_counts,
    make_sorter,
    sweep_board,
)
from pitboss.games.wild_52.solver.deck import CELLS, JOKER, JokerDeck
from pitboss.games.wild_52.solver.flush_patterns import FlushPatterns, make_patterns
from pitboss.games.wild_52.solver.hand_layout import HandLayout
from pitboss.games.wild_52.solver.policy_table import Wild52PolicyTable, add_second_mistakes
from pitboss.games.wild_52.solver.side_wagers import LOWEST_PAID, SideTotals, SweptBoard, add_side_totals
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray

_LOW_WORD = (1 << WORD_BITS) - 1
_JOKER_SUIT = -1


class SecondDecisions(NamedTuple):
    """The results of the second decisions, by class of the player's five.

    They are added up over first community cards.

    ``values`` are in units of the nets.  ``cells``, shape (12, classes), are showdowns by cell, raised once and raised
    twice.  ``equal_first_cards`` counts the first cards with which both actions have the same value.  Thirteen first
    cards have 837,530,694 showdowns, below 2**31.  ``twice``, shape (first cards, classes), is true where a second Play
    is made: where it is best, or where a strategy makes it.
    """

    values: IntArray
    cells: NDArray[np.int32]
    equal_first_cards: NDArray[np.int32]
    twice: NDArray[np.bool_]


class SecondCard(NamedTuple):
    """A second card: its slot, its suit, and whether it stands for others.

    The others are cards of the suits that the first card leaves alike.
    """

    slot: int
    suit: int
    has_suit_images: bool


def decide_second(
    deck: JokerDeck,
    options: Any,
    nets: IntArray,
    progress: ProgressCallback,
    first_cards: Sequence[int] | None = None,
    side_totals: SideTotals | None = None,
    policy: Wild52PolicyTable | None = None,
) -> tuple[SecondDecisions, SecondDecisions]:
    """Take every second decision, after natural first cards and after the Joker.

    Natural first cards are of the first suit.  ``nets`` has shape (2 raises, 6 cells).  ``first_cards`` are slots of
    ranks, and the slot after the last is the Joker; without them all are taken.  Results by outcome of the side wagers
    are added to ``side_totals``.  With a ``policy`` its decisions are taken instead of the best ones, and its losses
    and mistakes are added to it.  Each core works on one first card at a time; it needs 140 MB for its sums and as much
    for ``side_totals``.
    """
    slots = len(deck.layout.ranks)
    slots_to_do = (slots, *range(slots)) if first_cards is None else first_cards
    patterns_by_suits = {suits: make_patterns(deck.layout, suits) for suits in ((0, 0), (0, 1), (0, _JOKER_SUIT))}
    decisions = (_make_decisions(deck, slots), _make_decisions(deck, 1))
    boards = sum(len(_list_second_cards(slot, slots)) for slot in slots_to_do)
    done_boards: list[int] = []
    stopped, adding = Event(), Lock()

    def decide_after(slot: int) -> None:
        own_sums, image_sums = (np.zeros((3, deck.layout.block_starts[-1]), np.int64) for _ in range(2))
        swept: list[SweptBoard] = []
        for board in _list_second_cards(slot, slots):
            if stopped.is_set():
                return
            min_strength = NO_STRENGTH if side_totals is None else 0 if board.slot == slots else LOWEST_PAID
            swept.append(
                _sweep_board(
                    deck,
                    patterns_by_suits,
                    options,
                    slot,
                    board,
                    min_strength,
                    image_sums if board.has_suit_images else own_sums,
                )
            )
            done_boards.append(slot)
        with adding:
            twice, gains = _add_decisions(deck, slot, nets, own_sums, image_sums, decisions, policy)
            if policy is not None:
                add_second_mistakes(deck, policy, slot, gains, options)
            if side_totals is not None:
                add_side_totals(deck, swept, options, nets, twice, side_totals)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {pool.submit(decide_after, slot) for slot in slots_to_do}
        try:
            while pending:
                finished, pending = wait(pending, timeout=0.1)
                for each in finished:
                    each.result()
                progress(len(done_boards), boards)
        finally:
            stopped.set()
    return decisions


def _make_decisions(deck: JokerDeck, first_cards: int) -> SecondDecisions:
    classes = len(deck.orbits.representatives)
    return SecondDecisions(
        values=np.zeros(classes, np.int64),
        cells=np.zeros((2 * CELLS, classes), np.int32),
        equal_first_cards=np.zeros(classes, np.int32),
        twice=np.zeros((first_cards, classes), np.bool_),
    )


def _list_second_cards(first_slot: int, slots: int) -> list[SecondCard]:
    """List the second cards after a first card of this slot, up to suits.

    The last slot is the Joker.
    """
    if first_slot == slots:
        return [SecondCard(other, 0, has_suit_images=True) for other in range(slots)]
    suited = [SecondCard(other, 0, has_suit_images=False) for other in range(slots) if other != first_slot]
    others = [SecondCard(other, 1, has_suit_images=True) for other in range(slots)]
    return [*suited, *others, SecondCard(slots, _JOKER_SUIT, has_suit_images=False)]


def _sweep_board(
    deck: JokerDeck,
    suit_patterns: dict[tuple[int, int], FlushPatterns],
    options: Any,
    slot: int,
    second: SecondCard,
    min_strength: int,
    sums: IntArray,
) -> SweptBoard:
    """Add the showdowns of every five on one board to the sums.

    The showdowns of fives of at least ``min_strength`` are kept.
    """
    layout = deck.layout
    if slot == len(layout.ranks):
        slots, suits, multiplicity = (second.slot, slot), (0, _JOKER_SUIT), 4
    else:
        # The board stands for four suits of the first card, and three of the second where it has another suit.
        slots, suits, multiplicity = (slot, second.slot), (0, second.suit), 12 if second.has_suit_images else 4
    mask = sum(_make_card(layout, *card) for card in zip(slots, suits, strict=True))
    patterns = suit_patterns[suits]
    fives = make_sorter(rules.rank_hand)(layout, patterns, load_hand_tables(), options, np.array(slots), mask)
    words = make_kept_counts(layout, fives, min_strength)
    sweep_board(layout, patterns, fives, options.dealer_qualifies, sums, words)
    return SweptBoard(
        fives, patterns, words, mask, 1 + (suits == (0, 1)), multiplicity, second.slot == len(layout.ranks)
    )


def _make_card(layout: HandLayout, slot: int, suit: int) -> int:
    return 1 << (JOKER if suit == _JOKER_SUIT else 13 * suit + int(layout.ranks[slot]))


def _add_decisions(
    deck: JokerDeck,
    slot: int,
    nets: IntArray,
    own_sums: IntArray,
    image_sums: IntArray,
    decisions: tuple[SecondDecisions, SecondDecisions],
    policy: Wild52PolicyTable | None,
) -> tuple[NDArray[np.bool_], IntArray]:
    """Take the second decisions with this first card, and add their results.

    They are added to the results of the other first cards.  Return by class the decisions, and the value of a second
    Play over a check.
    """
    classes = deck.orbits
    if slot == len(deck.layout.ranks):
        images, totals, first, number = classes.first_swaps, decisions[1], 1 << JOKER, 0
        own_sums = image_sums
    else:
        images, totals, number = np.stack([classes.representatives, *classes.second_swaps]), decisions[0], slot
        first = _make_card(deck.layout, slot, 0)
    forced = np.zeros(0, np.bool_) if policy is None else policy.twice[slot]
    gains = np.zeros(len(classes.representatives), np.int64)
    _decide_each(
        classes.representatives,
        images,
        deck.masks & first,
        own_sums,
        image_sums,
        deck.showdowns,
        nets,
        forced,
        gains,
        totals,
        number,
    )
    twice: NDArray[np.bool_] = totals.twice[number]
    return twice, gains


@kernel
def _decide_each(
    hands: NDArray[np.int32],
    images: NDArray[np.int32],
    holds_first: IntArray,
    own_sums: IntArray,
    image_sums: IntArray,
    showdowns: int,
    nets: IntArray,
    forced: NDArray[np.bool_],
    gains: IntArray,
    decided: SecondDecisions,
    first_number: int,
) -> None:
    """Check or play again with one five of each class.

    It is a representative of fives that do not hold the first card.

    The best action is taken, or the one in ``forced`` where there is one.  The sums of a five are its own in
    ``own_sums`` and those of its three ``images`` in ``image_sums``.
    """
    cells = np.zeros(6, np.int64)
    for each in range(len(hands)):
        if holds_first[each]:
            continue
        compared, unqualified, below = own_sums[0, hands[each]], own_sums[1, hands[each]], own_sums[2, hands[each]]
        for image in range(3):
            hand = images[image, each]
            compared += image_sums[0, hand]
            unqualified += image_sums[1, hand]
            below += image_sums[2, hand]
        # The lanes of the sums are those of ``sweep_board``.  On boards where the five would qualify, row 0 has the
        # dealers below it (low lane) and up to it (high lane), and row 1 the unqualified ones in its low lane.  On the
        # other boards row 2 has what row 0 has, and row 1 the unqualified ones in its high lane.
        cells[0] = (compared & _LOW_WORD) - (unqualified & _LOW_WORD)
        cells[1] = (compared >> WORD_BITS) - (compared & _LOW_WORD)
        cells[3] = (unqualified & _LOW_WORD) + (below & _LOW_WORD)
        cells[4] = (below >> WORD_BITS) - (below & _LOW_WORD)
        cells[5] = (unqualified >> WORD_BITS) - (below >> WORD_BITS)
        cells[2] = showdowns - cells[0] - cells[1] - cells[3] - cells[4] - cells[5]
        once, twice = 0, 0
        for cell in range(6):
            once += nets[0, cell] * cells[cell]
            twice += nets[1, cell] * cells[cell]
        gains[each] = twice - once
        raised = 1 if (forced[each] if len(forced) else twice > once) else 0
        decided.values[each] += twice if raised else once
        decided.twice[first_number, each] = raised == 1
        decided.equal_first_cards[each] += 1 if once == twice else 0
        for cell in range(6):
            decided.cells[6 * raised + cell, each] += cells[cell]


def value_first(deck: JokerDeck, naturals: IntArray, joker: IntArray) -> IntArray:
    """Add up the figures by class of fives, over all first cards.

    The figures are those after natural first cards and after the Joker.

    With values as figures this is the value of a Play, in units of the nets over ``deck.rounds``.  The figures after
    natural first cards are those for the first suit; for another suit they are read for the hand with that suit and the
    first exchanged.
    """
    images = deck.orbits.classes[deck.orbits.first_swaps]
    total: IntArray = joker + naturals + naturals[images].sum(axis=0)
    return total
