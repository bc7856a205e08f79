"""Strategies of Lunar Poker followed over every deal, and what they may not depend on."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.simulated_strategy_cost import find_mistakes
from pitboss.analysis.solutions import compute_main_nets
from pitboss.bundled import BundledSolution
from pitboss.cards import DECK_52, RANK_COUNT, popcount, seeded_bits, shuffle_deck
from pitboss.contract import NO_DECISION, RuleFunction
from pitboss.core.rule import rule
from pitboss.games import load_game
from pitboss.games.lunar.outcomes import FOLD
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    FORCED,
    NOT_QUALIFIED,
    PLAYED,
    TOOK_ANTE,
    LunarState,
    LunarView,
    next_decision,
    rank_hand,
    settle_main,
)
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.exposed_card import ExposedCard, make_deck
from pitboss.games.lunar.solver.solution import (
    SHARD_NAMES,
    combine_shards,
    list_shards,
    solve_shard,
    solve_unbundled,
)
from pitboss.games.lunar.solver.strategy_follower import follow_strategy
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem, Strategy
from pitboss.strategies import get_strategy, load_strategies
from tiers import keep_first

LUNAR = load_game("lunar")
NETS = compute_main_nets(LUNAR, select_paytables(LUNAR))
NAMES = [outcome.name for outcome in LUNAR.wagers[0].outcomes]
DEFAULT = SolverProblem(encode_options(LUNAR, resolve_options(LUNAR, {})), NETS)
EIGHT = (0, 3, 4, 6, 7, 8, 11, 12)  # 2 5 6 8 9 T K A
SEVEN = (0, 1, 2, 3, 4, 12, 9)  # 2 3 4 5 6 A and J


@rule
def whims(tables: Any, view: LunarView, asked: int, numbers: tuple[int, ...], _options: Any) -> tuple[int, int]:
    """Take all actions often, after a draw by ranks and by the hand; ``numbers`` has the most cards exchanged."""
    total, held = 0, view.player | view.dealer | view.discarded
    for card in range(4 * RANK_COUNT):
        total += (held >> card & 1) * (card % RANK_COUNT + 1) * (3 if view.discarded >> card & 1 else 1)
    if asked != FIRST_DECISION:
        return (total + (rank_hand(tables, view.player) >> 20)) % 5 // 2 % 2, 0
    action, given = total % (numbers[0] + 2), 0
    for card in range(4 * RANK_COUNT):
        lies = view.player >> card & 1
        given |= lies << card if action > 2 and popcount(given) < action - 1 else 0
    return action, given


@cache
def every_deal(choose: RuleFunction) -> Callable[..., None]:
    """Return a kernel that counts the outcomes of every draw of this many cards, as a strategy plays it."""

    @kernel
    def showdowns(
        tables: Any, numbers: Any, played: LunarState, first: int, left: IntArray, options: Any, counts: IntArray
    ) -> None:
        for four in range(len(left)):
            for three in range(four):
                for two in range(three):
                    for one in range(two):
                        hidden = left[one] | left[two] | left[three] | left[four]
                        five = played.exposed | hidden
                        forces = False
                        if rank_hand(tables, five) < options.dealer_qualifies:
                            view = LunarView(played.player, five, 0, played.drew, played.discarded)
                            forces = choose(tables, view, NOT_QUALIFIED, numbers, options)[0] == 1
                        for card in left:
                            if card & hidden == 0:
                                end = LunarState(
                                    played.player,
                                    played.drew,
                                    played.discarded,
                                    played.exposed,
                                    hidden,
                                    card if forces else 0,
                                    played.draw,
                                    PLAYED,
                                    FORCED if forces else TOOK_ANTE,
                                    1,
                                )
                                counts[settle_main(tables, end, first, options)] += 1

    @kernel
    def draws(
        tables: Any,
        numbers: Any,
        five: int,
        gone: int,
        exposed: int,
        cards: int,
        left: IntArray,
        options: Any,
        counts: IntArray,
    ) -> None:
        places = np.arange(cards)
        while True:
            drawn = 0
            for place in places:
                drawn |= left[place]
            held = five & ~gone | drawn
            others = np.array([card for card in left if card & drawn == 0])
            plays = 1
            if cards:
                plays = choose(tables, LunarView(held, exposed, 0, drawn, gone), AFTER_DRAW, numbers, options)[0]
            if plays:
                state = LunarState(held, drawn, gone, exposed, 0, 0, cards, PLAYED, 0, 1)
                showdowns(tables, numbers, state, rank_hand(tables, five), others, options, counts)
            else:
                more = len(others)
                counts[FOLD + cards] += more * (more - 1) * (more - 2) * (more - 3) // 24 * (more - 4)
            move = cards - 1
            while move >= 0 and places[move] == len(left) - cards + move:
                move -= 1
            if move < 0:
                return
            places[move] += 1
            for after in range(move + 1, cards):
                places[after] = places[after - 1] + 1

    return draws


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ranks", "exposed", "chosen", "strategy"),
    keep_first(
        [
            (EIGHT, 6, {}, load_strategies(LUNAR)[0]),
            (EIGHT, 12, {"dealer_qualifies": "pair-of-9", "force_replaces": "lowest"}, load_strategies(LUNAR)[1]),
            (SEVEN, 3, {"dealer_qualifies": "pair-of-5"}, Strategy("whims", "Whims", (), whims, (3,))),
        ],
        1,
    ),
)
def test_every_deal_of_a_small_deck_is_followed(
    ranks: tuple[int, ...], exposed: int, chosen: dict[str, str], strategy: Strategy
) -> None:
    tables, options = load_hand_tables(), encode_options(LUNAR, resolve_options(LUNAR, chosen))
    found = follow_strategy(strategy, exposed, options, NETS, ranks, suits=2)
    card, counts, taken = (
        ExposedCard(make_deck(ranks, 2), exposed, options, NETS),
        np.zeros(len(NETS), np.int64),
        [0] * 7,
    )
    deck = [1 << suit * RANK_COUNT + rank for suit in range(2) for rank in ranks if (suit, rank) != (0, exposed)]
    for held in combinations(deck, 5):
        five = sum(held)
        state = LunarState(five, 0, 0, 1 << exposed, 0, 0, 0, 0, 0, 0)
        if next_decision(tables, state, options) == NO_DECISION:
            counts[settle_main(tables, state, rank_hand(tables, five), options)] += card.deals
            continue
        view = LunarView(five, 1 << exposed, 0, 0, 0)
        action, gone = strategy.choose(tables, view, FIRST_DECISION, strategy.numbers, options)
        taken[action] += 1
        if action == 0:
            counts[FOLD] += card.deals
            continue
        ends, left = np.zeros(len(NETS), np.int64), np.array([card for card in deck if not card & five])
        around = (five, gone, 1 << exposed, action - 1, left, options)
        every_deal(strategy.choose)(tables, strategy.numbers, *around, ends)
        counts += ends * card.scale[action - 1]
    assert found["counts"] == counts.tolist()
    assert found["taken"] == taken
    assert sum(found["counts"]) == comb(len(deck), 5) * found["deals"]


@rule
def minds_suits(_tables: Any, view: LunarView, asked: int, _numbers: tuple[int, ...], _options: Any) -> tuple[int, int]:
    """Buy, and play hands with as many spades as other cards."""
    return (2, 0) if asked == FIRST_DECISION else (popcount(view.player & (1 << RANK_COUNT) - 1) % 2, 0)


@rule
def forces_after_an_exchange(
    _tables: Any, view: LunarView, asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Force only with cards given up."""
    return 1 if asked != NOT_QUALIFIED or view.discarded else 0, 0


@rule
def gives_too_few(
    _tables: Any, view: LunarView, asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Exchange three cards and give up one."""
    return (4, view.player & -view.player) if asked == FIRST_DECISION else (1, 0)


def test_a_strategy_that_depends_on_suits_after_a_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="strategy m depends on suits after a draw"):
        solve_shard(replace(DEFAULT, strategy=Strategy("m", "M", (), minds_suits)), "7")


def test_a_strategy_that_forces_because_of_a_card_given_up_is_refused() -> None:
    with pytest.raises(ValueError, match="strategy f forces because of a card it gave up"):
        solve_shard(replace(DEFAULT, strategy=Strategy("f", "F", (), forces_after_an_exchange)), "7")


@pytest.mark.more
@pytest.mark.compiled
def test_a_strategy_that_gives_up_fewer_cards_than_it_draws_is_refused() -> None:
    options = encode_options(LUNAR, resolve_options(LUNAR, {}))
    with pytest.raises(ValueError, match="strategy few takes an action that the rules do not allow"):
        follow_strategy(Strategy("few", "Few", (), gives_too_few), 6, options, NETS, EIGHT, suits=2)


# The whole deck, as the package brings it.


def solved(problem: SolverProblem) -> Solution:
    return combine_shards(problem, [solve_shard(problem, name) for name in list_shards(problem)])


def value(solution: Solution) -> Fraction:
    return Fraction(sum(net * deals for net, deals in zip(NETS, solution.counts, strict=True)), sum(solution.counts))


def test_what_is_landed_of_strategies_holds_for_these_rules_and_strategies() -> None:
    kept = BUNDLED.load_strategies()
    assert kept["terms"] == BUNDLED.build_terms(DEFAULT)
    written = {strategy.id: BUNDLED.build_strategy_terms(strategy) for strategy in load_strategies(LUNAR)}
    assert {name: each["terms"] for name, each in kept["strategies"].items()} == written


def test_strategies_cost_something_and_the_practical_one_least() -> None:
    best, costs = solved(DEFAULT), []
    for strategy in load_strategies(LUNAR):
        followed = solved(replace(DEFAULT, strategy=strategy))
        assert sum(followed.counts) == sum(best.counts)
        assert followed.counts[:2] == best.counts[:2]
        costs.append(value(best) - value(followed))
    assert 0 < costs[0] == min(costs)


def test_another_strategy_than_the_one_landed_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    practical, found = load_strategies(LUNAR)[0], {"counts": [1]}
    one = {"terms": BUNDLED.build_strategy_terms(practical), "pieces": {"7": found}}
    kept = {"terms": BUNDLED.build_terms(DEFAULT), "strategies": {"practical": one}}
    monkeypatch.setattr(BundledSolution, "load_strategies", lambda _self: kept)
    assert BUNDLED.find_shard(replace(DEFAULT, strategy=practical), "7") == found
    other = replace(practical, numbers=tuple(number + 1 for number in practical.numbers))
    assert BUNDLED.find_shard(replace(DEFAULT, strategy=other), "7") is None
    assert BUNDLED.find_shard(replace(DEFAULT, strategy=replace(practical, id="other")), "7") is None
    assert BUNDLED.find_shard(replace(DEFAULT, nets=(*NETS[:-1], 9), strategy=practical), "7") is None


@kernel
def low_fours(tables: Any, exposed: int, cards: IntArray, qualifies: int) -> int:
    """Count the fours of some cards that do not qualify with the exposed one."""
    found = 0
    for four in range(len(cards)):
        for three in range(four):
            for two in range(three):
                for one in range(two):
                    mask = exposed | cards[one] | cards[two] | cards[three] | cards[four]
                    found += rank_hand(tables, mask) < qualifies
    return found


@pytest.mark.long
@pytest.mark.compiled
def test_who_plays_every_hand_meets_every_dealer_who_does_not_qualify() -> None:
    """Except Instant Cash: the dealers against each straight flush are counted one by one."""
    always, name, exposed = get_strategy(LUNAR, "always-play"), "9", 1 << SHARD_NAMES.index("9")
    found = json.loads(solve_unbundled(replace(DEFAULT, strategy=always), name))
    deck, qualifies = [1 << card for card in range(52) if 1 << card != exposed], DEFAULT.options.dealer_qualifies
    low = comb(47, 5) * low_fours(load_hand_tables(), exposed, np.array(deck), qualifies)
    for suit in range(4):
        for lowest_of_five in range(-1, 9):
            hand = sum(1 << RANK_COUNT * suit + (lowest_of_five + place) % RANK_COUNT for place in range(5))
            left = np.array([card for card in deck if not card & hand])
            low -= 0 if hand & exposed else low_fours(load_hand_tables(), exposed, left, qualifies)
    assert found["counts"][NAMES.index("play-take-ante")] == low * found["deals"] // comb(46, 4)
    assert found["taken"][0] == sum(found["taken"][2:]) == 0


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(("strategy", "name"), [("practical", "A"), ("simple", "8")])
def test_pieces_landed_are_followed_again(strategy: str, name: str) -> None:
    problem = replace(DEFAULT, strategy=get_strategy(LUNAR, strategy))
    assert json.loads(solve_unbundled(problem, name)) == BUNDLED.find_shard(problem, name)


@pytest.mark.long
@pytest.mark.compiled
def test_rounds_of_the_practical_strategy_cost_what_every_deal_does() -> None:
    """Two hundred rounds of a fixed seed, each decision valued by hints."""
    practical, bits = load_strategies(LUNAR)[0], seeded_bits(4)
    problem = replace(DEFAULT, strategy=practical)
    rounds = [find_mistakes(LUNAR, problem, practical, shuffle_deck(DECK_52, bits), {}) for _ in range(200)]
    costs = [float(sum(error.cost for error in errors)) for errors in rounds]
    exact = float(value(solved(DEFAULT)) - value(solved(problem)))
    assert abs(np.mean(costs) - exact) < 4 * np.std(costs) / sqrt(len(costs))
