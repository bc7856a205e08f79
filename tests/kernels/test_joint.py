"""The joint counts of two wagers, compared with every deal where they can be visited."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest

from pitboss.cards import make_mask
from pitboss.core.rule import rule
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.hand_pairs import pack_hands
from pitboss.kernels.joint_counts import (
    ComparedWager,
    count_disjoint_pairs,
    count_joint_compared,
    count_joint_with_position,
)
from pitboss.kernels.set_counts import ALL_BUT_LAST, ALL_CARDS, LAST_APART, JointWager, count_joint_sets

DECK = [51, 0, 7, 20, 33, 13, 40, 3, 26]


@rule
def by_five(_tables: HandTables, mask: int, _options: int) -> int:
    """End a wager by the remainder of a set."""
    return int(mask % 5)


@rule
def by_three(_tables: HandTables, mask: int, _options: int) -> int:
    """End a wager by another remainder."""
    return int(mask % 3)


@rule
def by_last(_tables: HandTables, first: int, last: int, _options: int) -> int:
    """End a wager by the cards and the last of them."""
    return int((first + 2 * last) % 7)


@rule
def ranked(_tables: HandTables, mask: int, _options: int) -> int:
    """Rank hands with many ties."""
    return int(mask % 11)


@rule
def by_rank(_tables: HandTables, mask: int, _options: int) -> int:
    """End a wager on one hand by its rank: three outcomes."""
    return 0 if mask % 11 >= 8 else 1 if mask % 11 >= 4 else 2


@rule
def by_top(_tables: HandTables, mask: int, _options: int) -> int:
    """End a wager on one hand by its rank, with the strongest rank separate: four outcomes."""
    return 0 if mask % 11 == 10 else 1 if mask % 11 >= 8 else 2 if mask % 11 >= 4 else 3


@rule
def by_weaker(mine: int, theirs: int, _options: int) -> int:
    """End a wager by the weaker of two ranks, 4 and more: 1 from 6 on, else 0; 2 is for the rest."""
    weaker = min(mine, theirs)
    if mine == theirs or weaker < 4:
        return 2
    return 1 if weaker >= 6 else 0


def table(pairs: Counter[tuple[int, int]], rows: int, columns: int) -> list[list[int]]:
    """Return counts as rows and columns."""
    return [[pairs[row, column] for column in range(columns)] for row in range(rows)]


@pytest.mark.parametrize("cards", [2, 4])
def test_two_wagers_on_the_same_cards_are_counted_together(cards: int) -> None:
    sets = [make_mask(held) for held in combinations(DECK, cards)]
    wanted = table(Counter((mask % 5, mask % 3) for mask in sets), 5, 3)
    assert (
        count_joint_sets(JointWager(by_five, 5, ALL_CARDS), JointWager(by_three, 3, ALL_CARDS), DECK, cards, 0)
        == wanted
    )


@pytest.mark.parametrize(
    ("wager", "other"),
    [
        (JointWager(by_last, 7, LAST_APART), JointWager(by_three, 3, ALL_CARDS)),
        (JointWager(by_five, 5, ALL_BUT_LAST), JointWager(by_last, 7, LAST_APART)),
        (JointWager(by_five, 5, ALL_BUT_LAST), JointWager(by_three, 3, ALL_CARDS)),
    ],
)
def test_the_last_card_is_separate_where_a_rule_needs_it(wager: JointWager, other: JointWager) -> None:
    def settled(part: JointWager, first: int, last: int) -> int:
        cards: dict[int, tuple[int, ...]] = {
            ALL_CARDS: (first | last,),
            ALL_BUT_LAST: (first,),
            LAST_APART: (first, last),
        }
        outcome: Callable[..., int] = part.outcome
        return outcome(None, *cards[part.form], 0)

    deals = [(make_mask(held) ^ 1 << last, 1 << last) for held in combinations(DECK, 4) for last in held]
    wanted = Counter((settled(wager, *deal), settled(other, *deal)) for deal in deals)
    assert count_joint_sets(wager, other, DECK, 4, 0) == table(wanted, wager.outcomes, other.outcomes)


def test_a_set_without_an_outcome_is_refused() -> None:
    with pytest.raises(ValueError, match="each must have one of 4"):
        count_joint_sets(JointWager(by_five, 4, ALL_CARDS), JointWager(by_three, 3, ALL_CARDS), DECK, 3, 0)


def test_a_card_lies_within_the_cards_of_a_wager_or_elsewhere() -> None:
    within, by_place = [0, 1, 5], [0, 1, 1, 1, 2, 2, 1, 1, 1]
    wanted: Counter[tuple[int, int]] = Counter()
    for held in combinations(DECK, len(within)):
        for place, settled in enumerate(by_place):
            if (DECK[3] in held) == (place in within):
                wanted[make_mask(held) % 5, settled] += len(DECK) - len(within) if DECK[3] in held else len(within)
    assert count_joint_with_position(by_five, 5, DECK, within, DECK[3], by_place, 0) == table(wanted, 5, 3)


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_disjoint_hands_are_counted_by_the_class_of_each(cards: int) -> None:
    words = (pack_hands(by_five, DECK, cards, 0, 0), pack_hands(by_three, DECK, cards, 0, 0))
    hands = [make_mask(held) for held in combinations(DECK, cards)]
    wanted = Counter((one % 5, other % 3) for one in hands for other in hands if not one & other)
    assert count_disjoint_pairs(*words, len(DECK), cards) == table(wanted, 5, 3)


def test_of_some_hands_no_class_is_left_to_what_adds_up() -> None:
    words = pack_hands(ranked, DECK, 3, 0, 5)
    low = words - (5 << 18)
    hands = [mask % 11 - 5 for mask in map(make_mask, combinations(DECK, 3)) if mask % 11 >= 5]
    strong = [mask for mask in map(make_mask, combinations(DECK, 3)) if mask % 11 >= 5]
    wanted = Counter((one % 11 - 5, other % 11 - 5) for one in strong for other in strong if not one & other)
    assert count_disjoint_pairs(low, low, len(DECK), 3) == table(wanted, max(hands) + 1, max(hands) + 1)


@pytest.mark.more
def test_a_wager_on_mine_and_one_on_the_weaker_hand_are_counted_together() -> None:
    hands = [make_mask(held) for held in combinations(DECK, 3)]
    deals = [(one, other) for one in hands for other in hands if not one & other]
    wanted = Counter((by_rank(load_hand_tables(), one, 0), by_weaker(one % 11, other % 11, 0)) for one, other in deals)
    compared = ComparedWager(ranked, by_weaker, 3, lowest=4, otherwise=2)
    assert count_joint_compared(by_rank, 3, compared, DECK, 3, 0) == table(wanted, 3, 3)


@rule
def by_weaker_below_ten(mine: int, theirs: int, _options: int) -> int:
    """End a wager as ``by_weaker``, with no outcome for the strongest rank, which no hand beats."""
    weaker = min(mine, theirs)
    if mine == theirs or weaker < 4:
        return 2
    return -1 if weaker == 10 else int(weaker >= 6)


def test_the_strongest_hand_needs_no_outcome_as_the_weaker_one() -> None:
    compared = ComparedWager(ranked, by_weaker_below_ten, 3, lowest=4, otherwise=2)
    as_before = ComparedWager(ranked, by_weaker, 3, lowest=4, otherwise=2)
    assert count_joint_compared(by_top, 4, compared, DECK, 3, 0) == count_joint_compared(
        by_top, 4, as_before, DECK, 3, 0
    )


def test_a_wager_that_no_order_of_strengths_settles_is_refused() -> None:
    compared = ComparedWager(ranked, by_weaker, 3, lowest=4, otherwise=2)
    with pytest.raises(ValueError, match="must be of strengths that lie together"):
        count_joint_compared(by_three, 3, compared, DECK, 3, 0)
