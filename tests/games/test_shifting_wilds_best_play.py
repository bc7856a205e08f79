"""The best play of Shifting Wilds hand by hand, as a simulation follows it, against the hints and the solution."""

import random

import numpy as np
import pytest

from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.cards import DECK_52, RANK_COUNT, make_mask
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.shifting_wilds.rules import ShiftingOptions, ShiftingView
from pitboss.games.shifting_wilds.solver.best_play import (
    BestPlay,
    choose_best,
    encode_ranks,
    find_least_image,
    look_up_band,
    make_empty_best_play,
    store_bands,
    tabulate_best_play,
)
from pitboss.games.shifting_wilds.solver.deck import build_deck, list_openings
from pitboss.games.shifting_wilds.solver.hints import hint
from pitboss.games.shifting_wilds.solver.payoffs import AFTER_LOCK, AFTER_PLAY, make_payoffs
from pitboss.games.shifting_wilds.solver.rank_bands import SOME_FOLD, SOME_PLAY, find_rank_bands
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.set_numbering import number_set
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

GAME = load_game("shifting-wilds")
TABLES, OPTIONS = select_paytables(GAME), resolve_options(GAME, {})
PROBLEM = build_problem(GAME, TABLES, OPTIONS).problem
MIXED = SOME_FOLD | SOME_PLAY


@kernel
def chosen(
    tables: HandTables, view: ShiftingView, asked: int, best: BestPlay, options: ShiftingOptions
) -> tuple[int, int]:
    return choose_best(tables, view, asked, best, options)


@kernel
def told(view: ShiftingView, best: BestPlay) -> int:
    return look_up_band(view, best)


@kernel
def orbits(orders: np.ndarray, classes: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Count the hands of each class."""
    counts = np.zeros(classes.max() + 1, np.int64)
    mask = 15
    for _ in range(len(classes)):
        counts[classes[number_set(find_least_image(mask, 0, orders)[0], steps)]] += 1
        low = mask & -mask
        mask = (mask + low) | ((mask ^ (mask + low)) // low >> 2)
    return counts


def check(best: BestPlay, view: ShiftingView, asked: int) -> None:
    """Compare a decision with its hint: Check and Play go before Lock and Fold where both are worth the same."""
    seen = view if asked else view._replace(w2=0)
    first, other = (each.value for each in hint(PROBLEM, seen, asked, ignore_progress))
    assert chosen(load_hand_tables(), seen, asked, best, PROBLEM.options) == (int(other > first), 0)


def dealt(community: int) -> ShiftingView:
    """Deal a position beside two community cards."""
    codes = random.sample([code for code in DECK_52.cards if not community >> code & 1], 6)
    return ShiftingView(make_mask(codes[:4]), 0, community, 1 << codes[4], 1 << codes[5])


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("cards", [(3, RANK_COUNT + 9)])
def test_beside_two_community_cards_hands_are_played_as_hints_say(cards: tuple[int, int]) -> None:
    random.seed(sum(cards))
    deck, orders = build_deck(range(RANK_COUNT)), list_suit_orders(DECK_52.mask).tolist()
    best = make_empty_best_play(deck, [cards], PROBLEM)
    stakes = [make_payoffs(PROBLEM, deck, played) for played in (AFTER_LOCK, AFTER_PLAY)]
    store_bands(find_rank_bands(deck, cards, PROBLEM.options, stakes), 0, best)
    views = [dealt(permute_suits(make_mask(cards), random.sample(orders, 1)[0])) for _ in range(2_000)]
    mixed = [view for view in views if told(view, best) == MIXED]
    assert 0 < len(mixed) < 200
    for view in (*views[:60], *mixed[:20]):
        check(best, view, 1)
    for view in views[:30]:
        check(best, view, 0)
    for view in views:
        hidden = view._replace(w2=0)
        locks = {
            chosen(
                load_hand_tables(),
                ShiftingView(*(permute_suits(held, order) for held in hidden)),
                0,
                best,
                PROBLEM.options,
            )
            for order in orders
        }
        assert len(locks) == 1


def test_ranks_are_digits_the_lowest_first() -> None:
    assert encode_ranks(make_mask([12, 25, 0, 14])) == 0 + 1 * 13 + 12 * 13**2 + 12 * 13**3


@pytest.mark.long
def test_the_whole_deck_is_played_as_it_is_solved_and_as_hints_say() -> None:
    best = tabulate_best_play(PROBLEM, ignore_progress)
    hands = [
        orbits(orders, classes, best.steps)
        for orders, classes in zip(best.kind_permutations, best.class_numbers, strict=True)
    ]
    openings, locks = list_openings(range(RANK_COUNT)), 0
    assert len(openings) == len(best.play_bands)
    for (_, weight), kind, start in zip(openings, best.opening_kinds.tolist(), best.lock_starts.tolist(), strict=True):
        words = best.lock_words[start:][: len(hands[kind])].view(np.uint64)
        locks += weight * int(hands[kind] @ np.bitwise_count(words).astype(np.int64))
    assert (
        locks * build_deck(range(RANK_COUNT)).lock_event_count
        == get_solution(GAME, TABLES, OPTIONS, ignore_progress).actions["lock"]
    )
    random.seed(13)
    for each in range(300):
        check(best, dealt(make_mask(random.sample(DECK_52.cards, 2))), 0 if each % 5 == 0 else 1)
