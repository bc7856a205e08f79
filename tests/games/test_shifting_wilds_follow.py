"""Strategies of Shifting Wilds followed over every deal: what they lead to, what they cost and where they err."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from oracle import shifting_wilds as oracle
from pitboss.analysis.simulated_strategy_cost import find_mistakes
from pitboss.analysis.solutions import build_problem, compute_main_nets
from pitboss.cards import DECK_52, get_ranks, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.contract import RuleFunction
from pitboss.core.progress import ignore_progress
from pitboss.core.rule import rule
from pitboss.games import load_game
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.bundled import (
    BUNDLED,
    TWO_DEUCES_OPENING,
    TWO_DEUCES_SHARD,
    WHOLE_SHARD,
    load_bundled_solution,
)
from pitboss.games.shifting_wilds.solver.census import count_openings
from pitboss.games.shifting_wilds.solver.deck import build_deck
from pitboss.games.shifting_wilds.solver.mistakes import classify_first, classify_second, describe_kind
from pitboss.games.shifting_wilds.solver.payoffs import AFTER_LOCK, AFTER_PLAY
from pitboss.games.shifting_wilds.solver.policy_table import FIRST_DECISION, SECOND_DECISION
from pitboss.games.shifting_wilds.solver.solution import (
    build_solution,
    solve,
    solve_deck,
    solve_deck_side_by_side,
    solve_from_scratch,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem, Strategy
from pitboss.strategies import get_strategy, load_strategies

GAME = load_game("shifting-wilds")
NETS = compute_main_nets(GAME, select_paytables(GAME))
# Pays that make ties, folds and unqualified dealers matter.
ODD_NETS = (-5, *(7 * place % 11 - 5 for place in range(1, len(NETS))))
SIDE_NETS = {
    wager.id: tuple(int(compute_outcome_net(outcome, select_paytables(GAME), 100) / 100) for outcome in wager.outcomes)
    for wager in GAME.wagers[1:3]
}


@rule
def whims(
    _tables: Any, view: rules.ShiftingView, asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Take either action of both decisions often, by no more than ranks."""
    shown = view.w1 if asked == 0 else view.w2
    return (get_ranks(view.player) % 5 + get_ranks(view.community) % 3 + get_ranks(shown) % 7) // 2 % 2, 0


WHIMS = Strategy("whims", "Whims", ("Do as you like.",), whims)


def problem(strategy: Strategy | None, nets: Sequence[int] = NETS, *bets: str, **options: str) -> SolverProblem:
    beside = {bet: SIDE_NETS[bet] for bet in bets}
    return SolverProblem(encode_options(GAME, resolve_options(GAME, options)), tuple(nets), beside, strategy)


def total(of: SolverProblem, solution: Solution) -> int:
    """Return what all that is staked nets over all deals."""
    made = sum(net * deals for net, deals in zip(of.nets, solution.counts, strict=True))
    for bet, nets in of.side_nets.items():
        made += sum(net * deals for net, (deals, _) in zip(nets, solution.side_outcomes[bet], strict=True))
    return made


SMALL = [
    ((2, 3, 4), problem(WHIMS)),
    ((0, 3, 12), problem(WHIMS, ODD_NETS, dealer_qualifies="pair-of-A")),
    ((10, 11, 12), problem(WHIMS, ODD_NETS, "regular-bonus", "bad-beat", wild_flush="any_card")),
    ((8, 9, 12), problem(load_strategies(GAME)[0], NETS, "bad-beat", dealer_qualifies="ace-king")),
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("ranks", "of"), SMALL)
def test_three_ranks_are_followed_deal_by_deal_and_mistakes_are_what_it_costs(
    ranks: tuple[int, ...], of: SolverProblem
) -> None:
    best, followed = solve_deck_side_by_side(ranks, of, (None, of.strategy), ignore_progress)
    played = oracle.play_out(ranks, of)
    assert list(followed.counts) == played.counts.tolist()
    assert dict(followed.actions) == played.actions
    assert [list(each) for each in followed.side_outcomes["regular-bonus"]] == played.bonus.tolist()
    assert [deals for deals, _ in followed.side_outcomes["bad-beat"]] == played.beat[:, 0].tolist()
    assert sum(mistake.cost for mistake in followed.mistakes) == total(of, best) - total(of, followed) > 0
    assert sum(mistake.deals for mistake in followed.mistakes) < 2 * sum(followed.counts)
    assert (best.mistakes, followed.equal_value_positions) == ((), 0)


# Decks of more ranks, where four own cards can be a flush: two community cards at a time, every deal compared.


@cache
def every_deal(choose: RuleFunction) -> Callable[..., None]:
    """Return a kernel that plays every deal beside two community cards as a strategy has it."""

    @kernel
    def play(
        tables: Any, options: Any, numbers: Any, cards: Any, fours: Any, community: int, made: Any, counts: Any
    ) -> None:
        for w1 in range(len(cards)):
            for hole in range(len(fours)):
                if cards[w1] & community or fours[hole] & (community | cards[w1]):
                    continue
                first = rules.ShiftingView(fours[hole], 0, community, cards[w1], 0)
                locks = choose(tables, first, FIRST_DECISION, numbers, options)[0] != rules.CHECK
                for w2 in range(len(cards)):
                    dead = community | cards[w1] | fours[hole]
                    if cards[w2] & dead:
                        continue
                    second = rules.ShiftingView(fours[hole], 0, community, cards[w1], cards[w2])
                    plays = choose(tables, second, SECOND_DECISION, numbers, options)[0] == rules.PLAY
                    for dealer in range(len(fours)):
                        if fours[dealer] & (dead | cards[w2]):
                            continue
                        if locks:
                            counts[rules.settle_main(made[w1, hole], made[w2, dealer], AFTER_LOCK, options)] += 1
                        elif plays:
                            counts[rules.settle_main(made[w2, hole], made[w2, dealer], AFTER_PLAY, options)] += 1
                        else:
                            counts[0] += 1

    return play


@kernel
def all_made(tables: Any, options: Any, cards: Any, fours: Any, community: int, made: Any) -> None:
    """Rank all fours with all indicators."""
    for indicator in range(len(cards)):
        for four in range(len(fours)):
            if fours[four] & (community | cards[indicator]) == 0 and cards[indicator] & community == 0:
                made[indicator, four] = rules.rank_hand(tables, fours[four], community, cards[indicator], options)


def opening_agrees(ranks: Sequence[int], cards: tuple[int, int], strategy: Strategy, **options: str) -> None:
    of, deck = problem(strategy, ODD_NETS, **options), oracle.deck_of(ranks)
    fours, singles = (
        np.array([make_mask(four) for four in combinations(deck, 4)]),
        np.array([1 << card for card in deck]),
    )
    made, counts = np.zeros((len(singles), len(fours)), np.int64), np.zeros(len(NETS), np.int64)
    all_made(load_hand_tables(), of.options, singles, fours, make_mask(cards), made)
    around = (of.options, strategy.numbers, singles, fours, make_mask(cards), made)
    every_deal(strategy.choose)(load_hand_tables(), *around, counts)
    small, alone = build_deck(ranks), replace(of, strategy=None)
    (counted,) = count_openings(small, [cards], alone, [None, strategy], ignore_progress)
    best, followed = (build_solution(small, alone, [1], [each]) for each in counted)
    assert list(followed.counts) == counts.tolist()
    assert sum(mistake.cost for mistake in followed.mistakes) == total(of, best) - total(of, followed)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("cards", [(2, 4), (2, 16), (4, 17)])
def test_an_opening_of_four_ranks_is_followed(cards: tuple[int, int]) -> None:
    opening_agrees((2, 3, 4, 5), cards, WHIMS, dealer_qualifies="ace-king")
    opening_agrees((2, 3, 4, 5), cards, load_strategies(GAME)[0])


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("cards", [(9, 11), (9, 24), (10, 23)])
def test_an_opening_of_five_ranks_is_followed(cards: tuple[int, int]) -> None:
    """Suited, of two suits, and a pair: with flushes of four own cards and of three open ones."""
    opening_agrees((7, 9, 10, 11, 12), cards, WHIMS, wild_flush="any_card", dealer_qualifies="pair-of-K")


# What comes with the package.

BEST = build_problem(GAME, select_paytables(GAME), resolve_options(GAME, {})).problem
PLAYS = (None, *load_strategies(GAME))


def landed(play: Strategy | None, piece: str = WHOLE_SHARD) -> Solution:
    found = load_bundled_solution(replace(BEST, strategy=play), piece)
    assert found
    return found


def test_what_is_landed_holds_for_these_rules_and_strategies() -> None:
    kept = BUNDLED.load_strategies()
    assert problem(None) == BEST
    assert BUNDLED.load_best_play()["terms"] == kept["terms"] == BUNDLED.build_terms(BEST)
    terms = {strategy.id: BUNDLED.build_strategy_terms(strategy) for strategy in load_strategies(GAME)}
    assert {name: each["terms"] for name, each in kept["strategies"].items()} == terms
    assert solve(replace(BEST, strategy=PLAYS[1]), ignore_progress) == landed(PLAYS[1])


def test_other_terms_than_those_landed_are_not_taken_for_them() -> None:
    practical = load_strategies(GAME)[0]
    for of in (
        problem(None, ODD_NETS),
        problem(None, NETS, "bad-beat"),
        problem(None, dealer_qualifies="always"),
        problem(replace(practical, numbers=(*practical.numbers[:-1], 13))),
        problem(replace(practical, id="other")),
    ):
        assert load_bundled_solution(of) is None


@pytest.mark.more
@pytest.mark.compiled
def test_the_deals_of_two_deuces_are_solved_and_followed_again() -> None:
    solved = solve_from_scratch(BEST, PLAYS, ignore_progress, TWO_DEUCES_OPENING)
    assert solved == tuple(landed(play, TWO_DEUCES_SHARD) for play in PLAYS)


@pytest.mark.long
@pytest.mark.compiled
def test_all_deals_are_solved_and_followed_again() -> None:
    assert solve_from_scratch(BEST, PLAYS, ignore_progress) == tuple(landed(play) for play in PLAYS)


def test_strategies_are_counted_over_all_deals_and_the_practical_one_costs_least() -> None:
    best, *costs = (total(BEST, landed(play)) for play in PLAYS)
    assert best > costs[0] == max(costs)
    assert {sum(landed(play).counts) for play in PLAYS} == {comb(52, 2) * 50 * comb(49, 4) * 45 * comb(44, 4)}


@pytest.mark.parametrize("name", ["always-lock", "always-play"])
@pytest.mark.parametrize("piece", [WHOLE_SHARD, TWO_DEUCES_SHARD])
def test_who_stays_with_every_hand_is_ahead_as_often_as_behind(name: str, piece: str) -> None:
    """Whoever exchanges the two hands, and after a Lock the indicators, has another deal of the whole deck."""
    followed, stays = landed(get_strategy(GAME, name), piece), name.removeprefix("always-")
    outcomes = [outcome.name for outcome in GAME.wagers[0].outcomes]
    won, lost = (
        sum(deals for outcome, deals in zip(outcomes, followed.counts, strict=True) if f"{stays}-{how}" in outcome)
        for how in ("win", "lose")
    )
    assert won == lost > 0
    assert followed.actions[stays] == sum(followed.counts)


@pytest.mark.long
@pytest.mark.compiled
def test_rounds_of_the_practical_strategy_cost_what_every_deal_does() -> None:
    """Four hundred rounds of a fixed seed, each decision valued by laying out all that may follow."""
    practical, bits = load_strategies(GAME)[0], seeded_bits(2)
    best, followed = landed(None), landed(practical)
    exact = (total(BEST, best) - total(BEST, followed)) / sum(best.counts)
    rounds = [find_mistakes(GAME, problem(practical), practical, shuffle_deck(DECK_52, bits), {}) for _ in range(400)]
    costs = [float(sum(error.cost for error in errors)) for errors in rounds]
    assert abs(np.mean(costs) - exact) < 4 * np.std(costs) / sqrt(len(costs))


# What a strategy may not do.


@rule
def minds_w1(
    _tables: Any, view: rules.ShiftingView, asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Fold beside one card that is dead."""
    return 1 if asked == 1 and view.w1 == 1 << 7 else 0, 0


@rule
def does_a_third_thing(
    _tables: Any, _view: rules.ShiftingView, _asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Take an action of no decision."""
    return 2, 0


def test_a_strategy_that_minds_a_dead_w1_is_refused() -> None:
    with pytest.raises(ValueError, match="strategy minds may not look at W1 after a Check"):
        solve(problem(Strategy("minds", "Minds W1", (), minds_w1)), ignore_progress)


@pytest.mark.more
@pytest.mark.compiled
def test_a_strategy_that_takes_an_action_of_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="strategy third takes an invalid action: it must be 0 or 1"):
        solve_deck((2, 3, 4), problem(Strategy("third", "Third", (), does_a_third_thing)), ignore_progress)


# Mistakes in words.


@pytest.mark.parametrize(
    ("hole", "community", "w1", "words"),
    [
        ("9s 9h Kd 4c", "2c 7h", "9d", "three of a kind, by a wild card"),
        ("Ks 9h 5d 4c", "2c 7h", "7d", "pair of sevens"),
        ("Ks 9s 5s 4c", "2s 7h", "7d", "pair of sevens, with four to a flush or straight"),
        ("Ks 9s 5s 4c", "2s 7h", "Kd", "pair of kings, by a wild card, with a draw"),
        ("Ks 9h 5d 4c", "2c 7h", "Td", "king high"),
    ],
)
def test_first_decisions_are_told_by_the_hand_with_w1(hole: str, community: str, w1: str, words: str) -> None:
    player, table, indicator = (make_mask(parse_cards(text, DECK_52)) for text in (hole, community, w1))
    kind = classify_first(load_hand_tables(), player, table, indicator, problem(None).options)
    assert describe_kind(FIRST_DECISION, kind) == words


@pytest.mark.parametrize(
    ("hole", "community", "w2", "words"),
    [
        ("Ks 9h 5d 4c", "2c 7h", "Td", "king high"),
        ("Ks 9h 5d 4c", "2c 7h", "9d", "pair of kings"),
        ("5s 5h 3d 4c", "Kc 7h", "9d", "pair of fives, below the table"),
        ("5s 5h 3d 4c", "Kc 2h", "9d", "pair of fives"),
        ("Ks Qh 3d 4c", "Jc Jh", "9d", "king high, a pair on the table"),
        ("Ks 9h 3d 4c", "9c Jh", "Jd", "two pair, a pair on the table"),
        ("Ks 9h 3d 4c", "Jc Jh", "Jd", "king high, three of a kind on the table"),
        ("Js 9h 3d 4c", "Jc Jh", "Jd", "four of a kind, three of a kind on the table"),
    ],
)
def test_second_decisions_are_told_by_the_hand_and_the_table(hole: str, community: str, w2: str, words: str) -> None:
    player, table, indicator = (make_mask(parse_cards(text, DECK_52)) for text in (hole, community, w2))
    made = rules.rank_hand(load_hand_tables(), player, table, indicator, problem(None).options)
    assert describe_kind(SECOND_DECISION, classify_second(made, table | indicator)) == words
