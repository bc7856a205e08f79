"""Count the dealer's hands that contain a small set of cards.

A table has an entry for each set of at most as many cards as the smaller private hand has.  By inclusion and exclusion
it says how many of the hands entered have no card of one of the player's hands.
"""

from pitboss.cards import popcount
from pitboss.contract import RuleFunction
from pitboss.engine.census_hands import list_places
from pitboss.engine.census_types import Hands, Work
from pitboss.kernels.compile import inlined_helper


def _build_number_subsets(largest: int) -> RuleFunction:
    """Build ``number_subsets(work, cards) -> subsets``.

    It writes the numbers of a hand's subsets.

    Those of more than ``largest`` cards get the number 0.
    """

    @inlined_helper
    def number_subsets(work: Work, cards: int) -> int:
        places, numbers = work.scratch.places, work.scratch.numbers
        count = list_places(cards, work.counting.of_card, places)
        numbers[0] = 0
        # A subset whose highest card is ``card`` is one of the subsets of the lower cards plus this card.
        for card in range(count):
            place = places[card]
            for subset in range(1 << card):
                size, number = popcount(subset), 0
                if size < largest:
                    number = numbers[subset] + work.counting.set_steps[place, size]
                numbers[subset | 1 << card] = number
        return 1 << count

    return number_subsets


def build_keep_numbers(largest: int) -> RuleFunction:
    """Build ``keep_numbers(work, hands, listed)``: number the subsets of the hands."""
    number_subsets = _build_number_subsets(largest)

    @inlined_helper
    def keep_numbers(work: Work, hands: Hands, listed: int) -> None:
        for index in range(listed):
            subsets = number_subsets(work, hands.masks[index])
            for subset in range(subsets):
                hands.numbers[index, subset] = work.scratch.numbers[subset]

    return keep_numbers


def _build_find_number(largest: int, *, listed: bool) -> tuple[RuleFunction, RuleFunction]:
    """Build ``begin`` and ``find_number(work, hands, index, subset)``.

    After ``begin`` the number of each subset of this hand can be found.
    """
    number_subsets = _build_number_subsets(largest)

    @inlined_helper
    def begin_listed(_work: Work, _hands: Hands, _index: int) -> None:
        pass

    @inlined_helper
    def find_listed(_work: Work, hands: Hands, index: int, subset: int) -> int:
        number: int = hands.numbers[index, subset]
        return number

    @inlined_helper
    def begin_other(work: Work, hands: Hands, index: int) -> None:
        number_subsets(work, hands.masks[index])

    @inlined_helper
    def find_other(work: Work, _hands: Hands, _index: int, subset: int) -> int:
        number: int = work.scratch.numbers[subset]
        return number

    return (begin_listed, find_listed) if listed else (begin_other, find_other)


def build_enter(cards: int, largest: int, *, listed: bool) -> RuleFunction:
    """Build ``enter(work, index, step)``: add a hand of the dealer's."""
    begin, find_number = _build_find_number(largest, listed=listed)

    @inlined_helper
    def enter(work: Work, index: int, step: int) -> None:
        begin(work, work.theirs, index)
        for subset in range(1 << cards):
            if popcount(subset) <= largest:
                work.scratch.table[find_number(work, work.theirs, index, subset)] += step

    return enter


def build_ask(cards: int, largest: int, *, listed: bool) -> RuleFunction:
    """Build ``ask(work, index) -> packed``: the lanes of a hand of the player's."""
    begin, find_number = _build_find_number(largest, listed=listed)

    @inlined_helper
    def ask(work: Work, index: int) -> int:
        begin(work, work.mine, index)
        packed = 0
        for subset in range(1 << cards):
            size = popcount(subset)
            if size <= largest:
                number = find_number(work, work.mine, index, subset)
                entered = int(work.scratch.table[number])
                packed += -entered if size & 1 else entered
        return packed

    return ask
