"""Wild 52's second decisions, and what the first are worth with them.

The second decision sees five cards and the first community card, so the showdowns beside all boards of that card are
added up before it is taken; the first sees five cards, so the best of the second is added up over the first community
card.  First cards are taken up to suits: of thirteen ranks, always of the first suit, and the Joker.  With a natural
first card the other suits are alike, and so are all four with the Joker: boards that differ by such an exchange are
swept once, and their sums read again for the exchanged hand.
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
from pitboss.games.wild_52.solver.deck import CELLS, JOKER, JokerDeck
from pitboss.games.wild_52.solver.policy_table import Wild52PolicyTable, add_second_mistakes
from pitboss.games.wild_52.solver.side_wagers import LOWEST_PAID, SideTotals, SweptBoard, add_side_totals
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.flush_patterns import FlushPatterns, make_patterns
from pitboss.kernels.hand_layout import HandLayout
from pitboss.kernels.showdown_census import NO_STRENGTH, WORD_BITS, make_kept_counts, make_sorter, sweep_board

_LOW_WORD = (1 << WORD_BITS) - 1
_JOKER_SUIT = -1


class SecondDecisions(NamedTuple):
    """What the second decisions lead to, added up over first community cards, by class of the player's five.

    ``values`` in units of the nets; ``cells``, shape (12, classes): showdowns by cell, raised once and raised twice;
    ``equal_first_cards``: first cards with which both are worth the same.  Thirteen first cards have 837,530,694
    showdowns, below 2**31.  ``twice``, shape (first cards, classes), is true where a second Play is made: where it is
    best, or where a strategy says so.
    """

    values: IntArray
    cells: NDArray[np.int32]
    equal_first_cards: NDArray[np.int32]
    twice: NDArray[np.bool_]


class SecondCard(NamedTuple):
    """A second card beside the first: its slot and suit, and whether its suits are those the first leaves alike."""

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
    """Take every second decision: after natural first cards (of the first suit), and after the Joker.

    ``nets`` has shape (2 raises, 6 cells); ``first_cards`` are slots of ranks, the one past the last being the Joker;
    all where none are given.  What comes of it beside the outcomes of the side wagers is added to ``side_totals``.  The
    best is done or what is ``policy``, and then what that falls short is added there.  Each core works on one first
    card at a time, with 140 MB for its sums and as much for what is kept for ``side_totals``.
    """
    slots = len(deck.layout.ranks)
    chosen = (slots, *range(slots)) if first_cards is None else first_cards
    beside = {suits: make_patterns(deck.layout, suits) for suits in ((0, 0), (0, 1), (0, _JOKER_SUIT))}
    decided = (_make_decisions(deck, slots), _make_decisions(deck, 1))
    boards = sum(len(_list_second_cards(slot, slots)) for slot in chosen)
    done: list[int] = []
    stopped, adding = Event(), Lock()

    def after(slot: int) -> None:
        alike, several = (np.zeros((3, deck.layout.block_starts[-1]), np.int64) for _ in range(2))
        swept: list[SweptBoard] = []
        for board in _list_second_cards(slot, slots):
            if stopped.is_set():
                return
            least = NO_STRENGTH if side_totals is None else 0 if board.slot == slots else LOWEST_PAID
            swept.append(
                _sweep_board(deck, beside, options, slot, board, least, several if board.has_suit_images else alike)
            )
            done.append(slot)
        with adding:
            twice, gains = _add_decisions(deck, slot, nets, alike, several, decided, policy)
            if policy is not None:
                add_second_mistakes(deck, policy, slot, gains, options)
            if side_totals is not None:
                add_side_totals(deck, swept, options, nets, twice, side_totals)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {pool.submit(after, slot) for slot in chosen}
        try:
            while pending:
                finished, pending = wait(pending, timeout=0.1)
                for each in finished:
                    each.result()
                progress(len(done), boards)
        finally:
            stopped.set()
    return decided


def _make_decisions(deck: JokerDeck, first_cards: int) -> SecondDecisions:
    classes = len(deck.orbits.representatives)
    return SecondDecisions(
        values=np.zeros(classes, np.int64),
        cells=np.zeros((2 * CELLS, classes), np.int32),
        equal_first_cards=np.zeros(classes, np.int32),
        twice=np.zeros((first_cards, classes), np.bool_),
    )


def _list_second_cards(first_slot: int, slots: int) -> list[SecondCard]:
    """Return the second cards beside a first card of this slot (the last is the Joker), up to suits."""
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
    """Add what every five meets on one board to the sums, and keep what those of at least ``min_strength`` do."""
    numbered = deck.layout
    if slot == len(numbered.ranks):
        slots, suits, times = (second.slot, slot), (0, _JOKER_SUIT), 4
    else:
        # Four suits of the first card, and three others of the second.
        slots, suits, times = (slot, second.slot), (0, second.suit), 12 if second.has_suit_images else 4
    mask = sum(_make_card(numbered, *card) for card in zip(slots, suits, strict=True))
    made = suit_patterns[suits]
    fives = make_sorter(rules.rank_hand)(numbered, made, load_hand_tables(), options, np.array(slots), mask)
    words = make_kept_counts(numbered, fives, min_strength)
    sweep_board(numbered, made, fives, options.dealer_qualifies, sums, words)
    return SweptBoard(fives, made, words, mask, 1 + (suits == (0, 1)), times, second.slot == len(numbered.ranks))


def _make_card(numbered: HandLayout, slot: int, suit: int) -> int:
    return 1 << (JOKER if suit == _JOKER_SUIT else 13 * suit + int(numbered.ranks[slot]))


def _add_decisions(
    deck: JokerDeck,
    slot: int,
    nets: IntArray,
    alike: IntArray,
    several: IntArray,
    decided: tuple[SecondDecisions, SecondDecisions],
    policy: Wild52PolicyTable | None,
) -> tuple[NDArray[np.bool_], IntArray]:
    """Decide with this first card and add what comes of it to that of the other first cards.

    Returns the decisions and what a second Play brings over a check, by class.
    """
    classes = deck.orbits
    if slot == len(deck.layout.ranks):
        images, into, first, number = classes.first_swaps, decided[1], 1 << JOKER, 0
        alike = several
    else:
        images, into, number = np.stack([classes.representatives, *classes.second_swaps]), decided[0], slot
        first = _make_card(deck.layout, slot, 0)
    done = np.zeros(0, np.bool_) if policy is None else policy.twice[slot]
    gains = np.zeros(len(classes.representatives), np.int64)
    _decide_each(
        classes.representatives,
        images,
        deck.masks & first,
        alike,
        several,
        deck.showdowns,
        nets,
        done,
        gains,
        into,
        number,
    )
    twice: NDArray[np.bool_] = into.twice[number]
    return twice, gains


@kernel
def _decide_each(
    hands: NDArray[np.int32],
    images: NDArray[np.int32],
    dead: IntArray,
    alike: IntArray,
    several: IntArray,
    showdowns: int,
    nets: IntArray,
    forced: NDArray[np.bool_],
    gains: IntArray,
    decided: SecondDecisions,
    number: int,
) -> None:
    """Check or play again, for a representative of each class of fives that do not hold the first card.

    The best is done, or what is told where it is.  The sums of a five are its own in ``alike`` and those of its three
    ``images`` in ``several``.
    """
    cells = np.zeros(6, np.int64)
    for each in range(len(hands)):
        if dead[each]:
            continue
        compared, unqualified, below = alike[0, hands[each]], alike[1, hands[each]], alike[2, hands[each]]
        for image in range(3):
            hand = images[image, each]
            compared += several[0, hand]
            unqualified += several[1, hand]
            below += several[2, hand]
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
        decided.twice[number, each] = raised == 1
        decided.equal_first_cards[each] += 1 if once == twice else 0
        for cell in range(6):
            decided.cells[6 * raised + cell, each] += cells[cell]


def value_first(deck: JokerDeck, naturals: IntArray, joker: IntArray) -> IntArray:
    """Return by class of fives the sum over all first cards of what is known after natural ones and after the Joker.

    With values that is what a Play is worth, in units of the nets over ``deck.rounds``.  What comes after natural first
    cards is known for the first suit, so it is read for the hand with another suit exchanged for the first.
    """
    images = deck.orbits.classes[deck.orbits.first_swaps]
    total: IntArray = joker + naturals + naturals[images].sum(axis=0)
    return total
