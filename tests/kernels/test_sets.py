"""Full enumeration, compared with itertools on small decks."""

from collections import Counter
from itertools import combinations
from math import comb
from time import sleep
from typing import Any

import pytest

from oracle.naive import best_hand
from pitboss.cards import make_mask
from pitboss.core.rule import rule
from pitboss.games import load_game
from pitboss.hands import HandTables
from pitboss.kernels.card_position import count_positions
from pitboss.kernels.enumeration import map_blocks
from pitboss.kernels.set_counts import count_sets, count_sets_by_last_card
from pitboss.options import encode_options, resolve_options

# Not in order and with gaps, so that places and codes cannot be taken for one another.
DECK = [51, 0, 7, 20, 33, 13, 40, 3, 26]


@rule
def sum_of_bits(_tables: HandTables, mask: int, modulus: int) -> int:
    """Give sets a number that every card changes."""
    return int(mask % modulus)


@rule
def last_matters(_tables: HandTables, first: int, last: int, modulus: int) -> int:
    """Give sets a number that depends on their cards and on the last one."""
    return int((first + 3 * last) % modulus)


@rule
def never(_tables: HandTables, _mask: int, _options: int) -> int:
    """Give no set an outcome."""
    return -1


@pytest.mark.parametrize("cards", [2, 3, 5, 7, 9])
def test_every_set_is_counted_once(cards: int) -> None:
    counts = count_sets(sum_of_bits, 11, DECK, cards, 11)
    expected = Counter(make_mask(held) % 11 for held in combinations(DECK, cards))
    assert counts == [expected[outcome] for outcome in range(11)]
    assert sum(counts) == comb(9, cards)


@pytest.mark.parametrize("cards", [2, 4])
def test_every_card_of_every_set_comes_last_once(cards: int) -> None:
    counts = count_sets_by_last_card(last_matters, 7, DECK, cards, 7)
    expected = Counter((make_mask(held) + 2 * (1 << last)) % 7 for held in combinations(DECK, cards) for last in held)
    assert counts == [expected[outcome] for outcome in range(7)]
    assert sum(counts) == comb(9, cards) * cards


@pytest.mark.parametrize("count", [count_sets, count_sets_by_last_card])
def test_a_set_without_an_outcome_is_reported(count: Any) -> None:
    rules = {count_sets: never, count_sets_by_last_card: last_matters}
    with pytest.raises(ValueError, match="sets have no outcome: the rule must give each of them one of 1"):
        count(rules[count], 1, DECK, 3, 5)


def test_progress_ends_at_all_sets() -> None:
    told: list[tuple[int, int]] = []
    count_sets(sum_of_bits, 11, DECK, 4, 11, lambda done, total: told.append((done, total)))
    assert told[-1] == (comb(9, 4), comb(9, 4))
    assert told == sorted(told)
    assert {total for _, total in told} == {comb(9, 4)}


def test_an_interruption_leaves_what_has_not_begun_undone() -> None:
    begun = []

    def block(last: int, before_last: int) -> int:
        begun.append((last, before_last))
        sleep(0.01)  # all of them would take 25 s on two cores
        return 0

    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        map_blocks(block, 100, 2, interrupt)
    assert len(begun) < comb(100, 2)


def test_a_place_is_counted_by_what_the_order_makes_of_it() -> None:
    assert count_positions(lambda order: order.index(40) // 4, 3, DECK, 40) == [4, 4, 1]


JOKERS = [52, 53]
FOUR_SUITS = [suit * 13 + rank for suit in range(4) for rank in (11, 12)]
ONE_SUIT = [suit * 13 + rank for suit in (0, 1) for rank in (8, 9, 10, 11, 12)]


@pytest.mark.parametrize(
    ("name", "bet", "deck"),
    [
        ("six-card", "aces-up", FOUR_SUITS + ONE_SUIT[:3]),
        ("six-card", "progressive", [*ONE_SUIT, 7]),
        ("wild-six-card", "draw-bonus", [*ONE_SUIT[:7], *JOKERS[:1]]),
        ("wild-six-card", "queens-or-better", [*ONE_SUIT[3:8], *JOKERS]),
    ],
)
def test_bets_on_the_best_five_agree_with_the_slow_oracle(name: str, bet: str, deck: list[int]) -> None:
    game = load_game(name)
    wager = next(wager for wager in game.wagers if wager.id == bet)
    codes = encode_options(game, resolve_options(game, {}))
    names = [outcome.name for outcome in wager.outcomes]
    census: Any = wager.census
    counts = count_sets(census.outcome, len(names), deck, census.cards, codes)
    expected = Counter(slow_line(held, names) for held in combinations(deck, census.cards))
    assert dict(zip(names, counts, strict=True)) == {line: expected[line] for line in names}


def slow_line(held: tuple[int, ...], names: list[str]) -> str:
    """Return the line that cards make according to the oracle."""
    natural = [card for card in held if card < 52]
    category, ranks = best_hand(natural, len(held) - len(natural))
    if f"natural-{category}" in names:
        royal = len(natural) >= 5 and best_hand(natural, 0)[0] == "royal-flush"
        return f"{'natural' if royal else 'wild'}-{category}"
    if category == "pair":
        pairs = (("pair-of-aces", 14), ("pair-of-queens-or-better", 12))
        return next((line for line, lowest in pairs if line in names and ranks[0] >= lowest), "lose")
    return category if category in names else "lose"
