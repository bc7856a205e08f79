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
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.flushes import Patterns, patterns
from pitboss.counting.groups import Layout
from pitboss.counting.showdown import NO_STRENGTH, WORD_BITS, kept, sorter, sweep
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decks import CELLS, JOKER, Deck
from pitboss.games.wild_52.solver.sides import LEAST, Sides, Swept, add_sides
from pitboss.games.wild_52.solver.told import Told, add_second_errors
from pitboss.hands import load_hand_tables

_LOW = (1 << WORD_BITS) - 1
_JOKER_SUIT = -1


class Decided(NamedTuple):
    """What the second decisions lead to, added up over first community cards, by class of the player's five.

    ``values`` in units of the nets; ``cells``, shape (12, classes): showdowns by cell, raised once and raised twice;
    ``equal``: first cards with which both are worth the same.  Thirteen first cards have 837,530,694 showdowns, below
    2**31.  ``twice``, shape (first cards, classes), is true where a second Play is made: where it is best, or where a
    strategy says so.
    """

    values: Integers
    cells: NDArray[np.int32]
    equal: NDArray[np.int32]
    twice: NDArray[np.bool_]


class Board(NamedTuple):
    """A second card beside the first: its slot and suit, and whether its suits are those the first leaves alike."""

    slot: int
    suit: int
    one_of_several: bool


def second_decisions(
    deck: Deck,
    options: Any,
    nets: Integers,
    progress: ProgressCallback,
    first_cards: Sequence[int] | None = None,
    sides: Sides | None = None,
    told: Told | None = None,
) -> tuple[Decided, Decided]:
    """Take every second decision: after natural first cards (of the first suit), and after the Joker.

    ``nets`` has shape (2 raises, 6 cells); ``first_cards`` are slots of ranks, the one past the last being the Joker;
    all where none are given.  What comes of it beside the outcomes of the side wagers is added to ``sides``.  The best
    is done or what is ``told``, and then what that falls short is added there.  Each core works on one first card at a
    time, with 140 MB for its sums and as much for what is kept for ``sides``.
    """
    slots = len(deck.layout.ranks)
    chosen = (slots, *range(slots)) if first_cards is None else first_cards
    beside = {suits: patterns(deck.layout, suits) for suits in ((0, 0), (0, 1), (0, _JOKER_SUIT))}
    decided = (_undecided(deck, slots), _undecided(deck, 1))
    boards = sum(len(_boards(slot, slots)) for slot in chosen)
    done: list[int] = []
    stopped, adding = Event(), Lock()

    def after(slot: int) -> None:
        alike, several = (np.zeros((3, deck.layout.start[-1]), np.int64) for _ in range(2))
        swept: list[Swept] = []
        for board in _boards(slot, slots):
            if stopped.is_set():
                return
            least = NO_STRENGTH if sides is None else 0 if board.slot == slots else LEAST
            swept.append(_census(deck, beside, options, slot, board, least, several if board.one_of_several else alike))
            done.append(slot)
        with adding:
            twice, gains = _add_decisions(deck, slot, nets, alike, several, decided, told)
            if told is not None:
                add_second_errors(deck, told, slot, gains, options)
            if sides is not None:
                add_sides(deck, swept, options, nets, twice, sides)

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


def _undecided(deck: Deck, first_cards: int) -> Decided:
    classes = len(deck.orbits.hands)
    return Decided(
        values=np.zeros(classes, np.int64),
        cells=np.zeros((2 * CELLS, classes), np.int32),
        equal=np.zeros(classes, np.int32),
        twice=np.zeros((first_cards, classes), np.bool_),
    )


def _boards(slot: int, slots: int) -> list[Board]:
    """Return the second cards beside a first card of this slot (the last is the Joker), up to suits."""
    if slot == slots:
        return [Board(other, 0, one_of_several=True) for other in range(slots)]
    suited = [Board(other, 0, one_of_several=False) for other in range(slots) if other != slot]
    others = [Board(other, 1, one_of_several=True) for other in range(slots)]
    return [*suited, *others, Board(slots, _JOKER_SUIT, one_of_several=False)]


def _census(
    deck: Deck,
    beside: dict[tuple[int, int], Patterns],
    options: Any,
    slot: int,
    board: Board,
    least: int,
    sums: Integers,
) -> Swept:
    """Add what every five meets beside one board to the sums, and keep what those of ``least`` strength or more do."""
    numbered = deck.layout
    if slot == len(numbered.ranks):
        slots, suits, times = (board.slot, slot), (0, _JOKER_SUIT), 4
    else:
        # Four suits of the first card, and three others of the second.
        slots, suits, times = (slot, board.slot), (0, board.suit), 12 if board.one_of_several else 4
    mask = sum(_card(numbered, *card) for card in zip(slots, suits, strict=True))
    made = beside[suits]
    fives = sorter(rules.hand_strength)(numbered, made, load_hand_tables(), options, np.array(slots), mask)
    words = kept(numbered, fives, least)
    sweep(numbered, made, fives, options.dealer_qualifies, sums, words)
    return Swept(fives, made, words, mask, 1 + (suits == (0, 1)), times, board.slot == len(numbered.ranks))


def _card(numbered: Layout, slot: int, suit: int) -> int:
    return 1 << (JOKER if suit == _JOKER_SUIT else 13 * suit + int(numbered.ranks[slot]))


def _add_decisions(
    deck: Deck,
    slot: int,
    nets: Integers,
    alike: Integers,
    several: Integers,
    decided: tuple[Decided, Decided],
    told: Told | None,
) -> tuple[NDArray[np.bool_], Integers]:
    """Decide with this first card and add what comes of it to that of the other first cards.

    Returns the decisions and what a second Play brings over a check, by class.
    """
    classes = deck.orbits
    if slot == len(deck.layout.ranks):
        images, into, first, number = classes.across, decided[1], 1 << JOKER, 0
        alike = several
    else:
        images, into, number = np.stack([classes.hands, *classes.within]), decided[0], slot
        first = _card(deck.layout, slot, 0)
    done = np.zeros(0, np.bool_) if told is None else told.twice[slot]
    gains = np.zeros(len(classes.hands), np.int64)
    _decide(classes.hands, images, deck.masks & first, alike, several, deck.showdowns, nets, done, gains, into, number)
    twice: NDArray[np.bool_] = into.twice[number]
    return twice, gains


@kernel
def _decide(
    hands: NDArray[np.int32],
    images: NDArray[np.int32],
    dead: Integers,
    alike: Integers,
    several: Integers,
    showdowns: int,
    nets: Integers,
    told: NDArray[np.bool_],
    gains: Integers,
    into: Decided,
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
        cells[0] = (compared & _LOW) - (unqualified & _LOW)
        cells[1] = (compared >> WORD_BITS) - (compared & _LOW)
        cells[3] = (unqualified & _LOW) + (below & _LOW)
        cells[4] = (below >> WORD_BITS) - (below & _LOW)
        cells[5] = (unqualified >> WORD_BITS) - (below >> WORD_BITS)
        cells[2] = showdowns - cells[0] - cells[1] - cells[3] - cells[4] - cells[5]
        once, twice = 0, 0
        for cell in range(6):
            once += nets[0, cell] * cells[cell]
            twice += nets[1, cell] * cells[cell]
        gains[each] = twice - once
        raised = 1 if (told[each] if len(told) else twice > once) else 0
        into.values[each] += twice if raised else once
        into.twice[number, each] = raised == 1
        into.equal[each] += 1 if once == twice else 0
        for cell in range(6):
            into.cells[6 * raised + cell, each] += cells[cell]


def first_decisions(deck: Deck, naturals: Integers, joker: Integers) -> Integers:
    """Return by class of fives the sum over all first cards of what is known after natural ones and after the Joker.

    With values that is what a Play is worth, in units of the nets over ``deck.rounds``.  What comes after natural first
    cards is known for the first suit, so it is read for the hand with another suit exchanged for the first.
    """
    images = deck.orbits.classes[deck.orbits.across]
    total: Integers = joker + naturals + naturals[images].sum(axis=0)
    return total
