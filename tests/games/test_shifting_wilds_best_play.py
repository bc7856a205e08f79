"""The best play of Shifting Wilds hand by hand, as a simulation follows it, against the hints and the solution."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.cards import DECK_52, RANK_COUNT, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.shifting_wilds.rules import HAND, ShiftingOptions, ShiftingView, rank_hand, settle_main
from pitboss.games.shifting_wilds.solver.best_play import (
    ORDER_BITS,
    ShiftingBestPlay,
    can_make_flush,
    choose_best,
    encode_ranks,
    index_boards,
    number_pair,
    number_unordered_ranks,
    tabulate_best_play,
    tabulate_openings,
)
from pitboss.games.shifting_wilds.solver.deck import build_deck, list_openings
from pitboss.games.shifting_wilds.solver.hints import hint
from pitboss.games.shifting_wilds.solver.rank_bands import FLUSH_SHIFT, MIXED, SOME_PLAY
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

GAME = load_game("shifting-wilds")
TABLES, OPTIONS = select_paytables(GAME), resolve_options(GAME, {})
PROBLEM = build_problem(GAME, TABLES, OPTIONS).problem
GAINS = np.array([net - PROBLEM.nets[0] for net in PROBLEM.nets], np.int64)
DECK_MASK = DECK_52.mask


@kernel
def chosen(
    tables: HandTables, view: ShiftingView, asked: int, best: ShiftingBestPlay, options: ShiftingOptions
) -> tuple[int, int]:
    return choose_best(tables, view, asked, best, options)


@kernel
def mixed(views: np.ndarray, best: ShiftingBestPlay) -> np.ndarray:
    """Tell of positions whether the ranks leave open if a hand plays: 1, or 2 for a flush."""
    found = np.zeros(len(views), np.int64)
    for each in range(len(views)):
        player, community, w2 = views[each, 0], views[each, 1], views[each, 3]
        code = 0
        while w2 >> code > 1:
            code += 1
        row = best.board_codes[number_pair(community), code] >> ORDER_BITS
        bands = best.play_bands[row, best.multiset_numbers[encode_ranks(player)]]
        flush = can_make_flush(player, community, w2)
        if (bands >> FLUSH_SHIFT if flush else bands & MIXED) == MIXED:
            found[each] = 2 if flush else 1
    return found


@kernel
def wrong(
    tables: HandTables, views: np.ndarray, gains: np.ndarray, best: ShiftingBestPlay, options: ShiftingOptions
) -> int:
    """Count the second decisions that are not those of the rules alone, over every hand of the dealer."""
    count = 0
    for each in range(len(views)):
        player, community, w1, w2 = views[each]
        mine = rank_hand(tables, player, community, w2, options)
        left = DECK_MASK & ~(player | community | w1 | w2)
        held, value = first_subset(left, HAND), 0
        while held:
            value += gains[settle_main(mine, rank_hand(tables, held, community, w2, options), 1, options)]
            held = next_subset(left, held)
        action = choose_best(tables, ShiftingView(player, 0, community, w1, w2), 1, best, options)[0]
        count += action != (0 if value >= 0 else 1)
    return count


def check(best: ShiftingBestPlay, view: ShiftingView, asked: int) -> None:
    """Compare a decision with its hint: Check and Play go before Lock and Fold where both are worth the same."""
    seen = view if asked else view._replace(w2=0)
    first, other = (each.value for each in hint(PROBLEM, seen, asked, ignore_progress))
    assert chosen(load_hand_tables(), seen, asked, best, PROBLEM.options) == (int(other > first), 0)


def dealt(community: int) -> ShiftingView:
    """Deal a position beside two community cards."""
    codes = random.sample([code for code in DECK_52.cards if not community >> code & 1], 6)
    return ShiftingView(make_mask(codes[:4]), 0, community, 1 << codes[4], 1 << codes[5])


def as_rows(views: list[ShiftingView]) -> np.ndarray:
    """Return hand, community cards, W1 and W2 of each position."""
    return np.array([(view.player, view.community, view.w1, view.w2) for view in views], np.int64)


def turned(view: ShiftingView, order: Any) -> ShiftingView:
    return ShiftingView(*(permute_suits(held, order) for held in view))


OPENINGS = [(3, RANK_COUNT + 9), (4, 11), (7, RANK_COUNT + 7)]


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("turns", [100, 1_000])
@pytest.mark.parametrize("cards", OPENINGS)
def test_beside_two_community_cards_hands_are_played_as_hints_say(cards: tuple[int, int], turns: int) -> None:
    random.seed(sum(cards))
    orders = list_suit_orders(DECK_52.mask).tolist()
    best = tabulate_openings([cards], PROBLEM, ignore_progress)
    views = [dealt(permute_suits(make_mask(cards), random.choice(orders))) for _ in range(4_000)]
    left_open = mixed(as_rows(views), best)
    assert 0 < (left_open > 0).mean() < 0.1
    undecided = [view for view, each in zip(views, left_open, strict=True) if each]
    for view in (*views[:10], *undecided[:10]):
        check(best, view, 1)
    for view in views[:10]:
        check(best, view, 0)
    assert wrong(load_hand_tables(), as_rows([*views[:300], *undecided]), GAINS, best, PROBLEM.options) == 0
    for view in (*views[:turns], *undecided[:turns]):
        for asked, seen in enumerate((view._replace(w2=0), view)):
            args = asked, best, PROBLEM.options
            assert len({chosen(load_hand_tables(), turned(seen, order), *args) for order in orders}) == 1


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("cards", OPENINGS[1:])
def test_flushes_that_play_with_some_w1s_alone_are_played_as_the_rules_say(cards: tuple[int, int]) -> None:
    """With the printed pays every flush plays; where a lost Play costs 24 Antes, W1 decides about some."""
    names = [outcome.name for outcome in GAME.wagers[0].outcomes]
    nets = tuple(-24 if name.startswith("play-lose") else net for name, net in zip(names, PROBLEM.nets, strict=True))
    best = tabulate_openings([cards], replace(PROBLEM, nets=nets), ignore_progress)
    random.seed(sum(cards))
    orders = list_suit_orders(DECK_52.mask).tolist()
    views = [dealt(permute_suits(make_mask(cards), random.choice(orders))) for _ in range(8_000)]
    flushes = [view for view, each in zip(views, mixed(as_rows(views), best), strict=True) if each == 2]
    actions = {chosen(load_hand_tables(), view, 1, best, PROBLEM.options) for view in flushes}
    assert actions == {(0, 0), (1, 0)}
    gains = np.array([net - nets[0] for net in nets], np.int64)
    assert wrong(load_hand_tables(), as_rows(flushes), gains, best, PROBLEM.options) == 0


def test_ranks_are_numbered_in_any_order() -> None:
    numbers = number_unordered_ranks(build_deck(range(RANK_COUNT)))
    hands = ("2s 2h Ad Kc", "2s Kh Ac 2c", "As Kh 2d 2c")
    assert len({int(numbers[encode_ranks(make_mask(parse_cards(hand, DECK_52)))]) for hand in hands}) == 1
    assert len(set(numbers.tolist())) == 1_820


@pytest.mark.more
def test_every_board_has_the_row_of_its_kind() -> None:
    openings = [cards for cards, _ in list_openings(range(RANK_COUNT))]
    codes, role_counts = index_boards(build_deck(range(RANK_COUNT)), openings)
    rows = codes >> ORDER_BITS
    orders = list_suit_orders(DECK_52.mask)
    random.seed(8)
    kinds: dict[int, set[tuple[int, int]]] = {}
    for _ in range(3_000):
        low, high, w2 = random.sample(DECK_52.cards, 3)
        pair, shown = make_mask([low, high]), make_mask([w2])
        code = codes[number_pair(pair), w2]
        row, order = code >> ORDER_BITS, orders[code & (1 << ORDER_BITS) - 1]
        kinds.setdefault(int(row), set()).add((int(permute_suits(pair, order)), int(permute_suits(shown, order))))
        assert role_counts[row] == len({each // RANK_COUNT for each in (low, high, w2)})
    assert all(len(boards) == 1 for boards in kinds.values())
    assert set(np.unique(rows)) == {-1, *range(len(role_counts))}


@pytest.mark.long
def test_the_whole_deck_is_played_as_it_is_solved_and_as_hints_say() -> None:
    best = tabulate_best_play(PROBLEM, ignore_progress)
    openings, locks = list_openings(range(RANK_COUNT)), 0
    assert len(openings) == len(best.lock_words)
    for (_, weight), words in zip(openings, best.lock_words.view(np.uint64), strict=True):
        locks += weight * int(np.bitwise_count(words).sum(dtype=np.int64))
    assert (
        locks * build_deck(range(RANK_COUNT)).lock_event_count
        == get_solution(GAME, TABLES, OPTIONS, ignore_progress).actions["lock"]
    )
    random.seed(13)
    for each in range(300):
        check(best, dealt(make_mask(random.sample(DECK_52.cards, 2))), 0 if each % 5 == 0 else 1)
    views = [dealt(make_mask(random.sample(DECK_52.cards, 2))) for _ in range(30_000)]
    left_open = mixed(as_rows(views), best)
    undecided = [view for view, each in zip(views, left_open, strict=True) if each]
    flushes = [view for view in views if can_make_flush(view.player, view.community, view.w2)]
    assert set(np.unique(best.play_bands >> FLUSH_SHIFT).tolist()) == {0, SOME_PLAY}, "with these pays no flush folds"
    asked = as_rows([*undecided, *flushes[:500], *views[:1_000]])
    assert wrong(load_hand_tables(), asked, GAINS, best, PROBLEM.options) == 0
