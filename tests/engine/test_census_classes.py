"""Hands counted by classes of suits give what laying out every deal gives."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from engine.flush_game import (
    NETS,
    QUALIFYING,
    RANKS,
    Options,
    View,
    count_by_suits,
    count_weaker,
    make_flush_game,
    rank_flush,
)
from engine.test_census import assert_solved, solve
from examples.loading import compute_nets, load_example
from oracle.whole_deals import WholeDeals
from pitboss.cards import DECK_54, get_suit_ranks, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.engine.census import prepare_census
from pitboss.engine.hints import value_actions
from pitboss.engine.plan import make_plan
from pitboss.engine.symmetry import exchange_cards, list_exchanges
from pitboss.engine.visit import prepare_visit
from pitboss.kernels.class_numbering import build_class_numbers, number_class
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

LOW_AND_HIGH = (0, 1, 6, 7, 12)


@pytest.mark.parametrize(("jokers", "most"), [(0, 5), (1, 4), (2, 4)])
def test_sets_have_the_same_number_if_an_exchange_makes_one_of_the_other(jokers: int, most: int) -> None:
    deck = [*(13 * suit + rank for suit in range(4) for rank in (0, 3, 5, 12)), *range(52, 52 + jokers)]
    numbers, exchanges = (
        build_class_numbers(make_mask(deck), most),
        list_exchanges(make_mask(deck), keeps_colours=False),
    )
    assert numbers.exchanges == len(exchanges)
    classes = dict[int, int]()
    for size in range(most + 1):
        for chosen in combinations(deck, size):
            cards = make_mask(chosen)
            images = [exchange_cards(cards, exchange) for exchange in exchanges.tolist()]
            number, alike = number_class(cards, numbers)
            assert classes.setdefault(number, min(images)) == min(images)
            assert alike == images.count(cards)
    assert set(classes) <= set(range(numbers.classes))
    assert len(classes) == numbers.classes or jokers
    assert len(set(classes.values())) == len(classes)


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize(("cards", "jokers"), [(2, 0), (3, 0), (2, 1), (2, 2)])
def test_hands_that_limit_the_raise_are_solved_as_every_deal_laid_out(cards: int, jokers: int) -> None:
    game, problem = replace(make_flush_game(cards, (2, 3)), deck=DECK_54), SolverProblem(Options(), NETS)
    deck = [*(13 * suit + rank for suit in range(4) for rank in (1, 7, 12)), *range(52, 52 + jokers)]
    prepared = prepare_census(game, problem, deck)
    assert prepared.form.classes
    assert_solved(game, problem, WholeDeals(game, problem, deck).play(), solve(prepared, problem))


@pytest.mark.compiled
@pytest.mark.more
def test_three_card_poker_is_solved_as_every_deal_laid_out() -> None:
    game = load_example("three_card_poker")
    options = encode_options(game, resolve_options(game, {}))
    nets = tuple(map(int, compute_nets(game.main, select_paytables(game))))
    problem = SolverProblem(options, nets)
    deck = [13 * suit + rank for suit in range(4) for rank in (0, 10, 12)]
    prepared = prepare_census(game, problem, deck)
    assert prepared.form.classes
    assert_solved(game, problem, WholeDeals(game, problem, deck).play(), solve(prepared, problem))


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize(("cards", "lengths"), [(5, (4, 5)), (7, (4, 5))])
def test_longer_flushes_are_solved_as_a_product_over_suits_says(cards: int, lengths: tuple[int, int]) -> None:
    game, problem = make_flush_game(cards, lengths), SolverProblem(Options(), NETS)
    deck = [13 * suit + rank for suit in range(4) for rank in LOW_AND_HIGH]
    solution = solve(prepare_census(game, problem, deck), problem)
    net = sum(deals * each for deals, each in zip(solution.counts, NETS, strict=True))
    played = sum(deals for action, deals in solution.actions.items() if action != "fold")
    assert (net, played, sum(solution.counts)) == count_by_suits(cards, lengths, LOW_AND_HIGH)


def test_the_plan_of_seven_cards_each_is_minutes_not_years() -> None:
    plan = make_plan(make_flush_game(7, (5, 6)))
    assert plan.way == "census"
    assert plan.seconds < 120
    assert plan.memory_bytes < 1 << 30


@pytest.mark.compiled
@pytest.mark.parametrize("hand", ["2s 4s 6s 9d Td 3h 5c", "2s 4s 6s 9s Ts Ks 5c"])
def test_a_hint_of_seven_cards_is_what_a_product_over_suits_says(hand: str) -> None:
    """All 45 million hands of the dealer are ranked: 0.2 s of a core."""
    game, problem = make_flush_game(7, (5, 6)), SolverProblem(Options(), NETS)
    deck = list(game.deck.cards)
    cards = make_mask(parse_cards(hand, game.deck))
    prepared = prepare_visit(game, problem, deck, lists_roots=False)
    values = {each.action: each.value for each in value_actions(prepared, problem, View(cards, 0), 0, ignore_progress)}
    free, best = [get_suit_ranks(make_mask(deck) & ~cards, suit) for suit in range(4)], rank_flush(cards)
    length, ranks = best >> RANKS, best & (1 << RANKS) - 1
    weaker, not_better = (count_weaker(free, 7, length, ranks + more) for more in (0, 1))
    unqualified, deals = count_weaker(free, 7, *QUALIFYING), comb(45, 7)
    gain = max(weaker - unqualified, 0) - (deals - max(not_better, unqualified))
    sizes = 3 if length >= 6 else 2 if length >= 5 else 1
    told = {f"{size}x": Fraction(unqualified + (1 + size) * gain, deals) for size in range(1, sizes + 1)}
    assert values == {"fold": -1, **told}


@pytest.mark.compiled
@pytest.mark.long
def test_high_card_flush_is_solved_whole() -> None:
    """Its published frequencies: the dealer qualifies in 75.36 % of deals, the best play raises in 67.86 %."""
    game, problem = make_flush_game(7, (5, 6)), SolverProblem(Options(), NETS)
    solution = solve(prepare_census(game, problem, list(game.deck.cards)), problem)
    net = sum(deals * each for deals, each in zip(solution.counts, NETS, strict=True))
    deals = sum(solution.counts)
    assert (net, deals) == (-161_766_105_078_360, 6_071_092_494_667_200)
    assert f"{1 - solution.actions['fold'] / deals:.4f}" == "0.6786"
