"""Two wagers counted together, compared with itertools and with each counted alone."""

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest

from pitboss.cards import DECK_54, mask_of
from pitboss.core.rule import rule
from pitboss.counting.sets import count_sets, count_sets_by_last_card
from pitboss.counting.together import Decided, On, count_together
from pitboss.games.wild_six_card import GAME, rules
from pitboss.hands import HandTables

DECK = [51, 0, 7, 20, 33, 13, 40]


@rule
def of_mask(_tables: HandTables, mask: int, _options: int) -> int:
    """Tell sets apart by a number that any card changes."""
    return int(mask % 5)


@rule
def of_mask_too(_tables: HandTables, mask: int, _options: int) -> int:
    """Tell sets apart by another such number."""
    return int(mask % 7)


@rule
def of_first_and_last(_tables: HandTables, first: int, last: int, _options: int) -> int:
    """Tell sets apart by their cards and by which came last."""
    return int((first + 3 * last) % 7)


@rule
def never(_tables: HandTables, _mask: int, _options: int) -> int:
    """Give no set an outcome."""
    return -1


def outcome_of(decided: Decided, first: int, last: int) -> int:
    """Return the outcome of cards of which one came last."""
    match decided.on:
        case On.ALL:
            return (first + last) % decided.outcomes
        case On.ALL_BUT_LAST:
            return first % decided.outcomes
    return (first + 3 * last) % decided.outcomes


WAGERS = [
    Decided(of_mask, 5, On.ALL),
    Decided(of_mask_too, 7, On.ALL_BUT_LAST),
    Decided(of_first_and_last, 7, On.FIRST_AND_LAST),
]


@pytest.mark.parametrize(("one", "other"), [*permutations(WAGERS, 2), (WAGERS[1], WAGERS[1])])
def test_every_card_of_every_set_comes_last_once(one: Decided, other: Decided) -> None:
    found = count_together(one, other, DECK, 4, 0)
    expected = Counter(
        (outcome_of(one, first, 1 << last), outcome_of(other, first, 1 << last))
        for held in combinations(DECK, 4)
        for last in held
        for first in [mask_of(held) ^ 1 << last]
    )
    assert {at: int(found[at]) for at in expected} == expected
    assert found.sum() == comb(7, 4) * 4


def test_every_set_counts_once_where_the_last_card_does_not_matter() -> None:
    found = count_together(WAGERS[0], Decided(of_mask_too, 7, On.ALL), DECK, 3, 0)
    masks = [mask_of(held) for held in combinations(DECK, 3)]
    expected = Counter((mask % 5, mask % 7) for mask in masks)
    assert {at: int(found[at]) for at in expected} == expected
    assert found.sum() == len(masks)


@pytest.mark.parametrize("other", [Decided(never, 3, On.ALL), Decided(of_mask, 4, On.ALL_BUT_LAST)])
def test_cards_without_an_outcome_are_told(other: Decided) -> None:
    with pytest.raises(ValueError, match="have no outcome"):
        count_together(WAGERS[2], other, DECK, 4, 0)


@pytest.mark.compiled
def test_wild_six_side_wagers_are_together_what_each_is_alone() -> None:
    queens, taxed, bonus = (len(wager.outcomes) for wager in GAME.wagers[1:])
    deck, options = DECK_54.cards[30:], rules.Options(0, 0, 0, 0)
    found = count_together(
        Decided(rules.taxpayers_fortune_of, taxed, On.FIRST_AND_LAST),
        Decided(rules.draw_bonus_of, bonus, On.ALL),
        deck,
        6,
        options,
    )
    assert found.sum(axis=1).tolist() == count_sets_by_last_card(rules.taxpayers_fortune_of, taxed, deck, 6, options)
    alone = count_sets(rules.draw_bonus_of, bonus, deck, 6, options)
    assert found.sum(axis=0).tolist() == [6 * count for count in alone]
    first = Decided(rules.queens_or_better_of, queens, On.ALL_BUT_LAST)
    found = count_together(first, Decided(rules.draw_bonus_of, bonus, On.ALL), deck, 6, options)
    alone = count_sets(rules.queens_or_better_of, queens, deck, 5, options)
    assert found.sum(axis=1).tolist() == [19 * count for count in alone]
