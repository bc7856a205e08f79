"""The best play of Poker, and written ones, compared with every deal of small decks and with rounds played by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest

from oracle.wild_six_card import (
    ALL_THE_SAME,
    ANY_CARD,
    FOUR,
    NETS,
    PLAIN,
    PUSHES_TAKEN,
    SHAPE,
    SIDES,
    STAND_PAT,
    STANDING_PAID,
    TABLES,
    TIES_SOUGHT,
    discarded,
    every_deal,
    totals,
)
from pitboss.cards import (
    DECK_54,
    FIRST_JOKER,
    get_ranks,
    get_suit_ranks,
    make_mask,
    parse_cards,
    popcount,
    seeded_bits,
    shuffle_deck,
)
from pitboss.contract import NO_DECISION, RuleFunction
from pitboss.core.errors import MagnitudeError
from pitboss.core.rule import rule
from pitboss.games.wild_six_card import GAME, rules
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, STAND, compute_values
from pitboss.games.wild_six_card.solver.policy_table import MAX_MISTAKES, tabulate_policy
from pitboss.games.wild_six_card.solver.solution import PlayedFives, play_first_fives, solve, solve_side_by_side
from pitboss.hands import HandTables
from pitboss.kernels.set_counts import ALL_BUT_LAST, ALL_CARDS, LAST_APART, JointWager, count_joint_sets
from pitboss.kernels.suit_symmetry import SuitedDeck, count_exchangeable, find_canonical_place
from pitboss.solver_api import SolverProblem, Strategy
from pitboss.strategies import load_strategies
from refusals import refusal
from tiers import keep_first

FOUR_SUITS = SuitedDeck((0, 6, 11), 4, 1)
JOKERS = SuitedDeck((2, 3, 8, 12), 3, 2)
RUNS = SuitedDeck((0, 1, 2, 3, 7, 12), 2, 2)
NO_JOKER = SuitedDeck((4, 5, 6, 9, 10, 11, 12), 2, 0)
TWELVE = SuitedDeck((1, 4, 6, 9, 11), 2, 2)
THREE_RANKS = SuitedDeck((0, 5, 12), 4, 0)


@pytest.mark.parametrize(
    ("deck", "options", "nets"),
    [
        (TWELVE, PLAIN, NETS),
        (TWELVE, STAND_PAT, STANDING_PAID),
        (THREE_RANKS, STAND_PAT, ALL_THE_SAME),
        (THREE_RANKS, PLAIN, ALL_THE_SAME),
    ],
)
def test_twelve_cards_come_out_as_every_deal_visited(
    deck: SuitedDeck, options: rules.WildSixOptions, nets: Sequence[int]
) -> None:
    told: list[tuple[int, int]] = []
    visited = every_deal(deck, options, nets)
    solved = solve(SolverProblem(options, tuple(nets)), lambda done, of: told.append((done, of)), deck)
    assert list(solved.counts) == visited.outcomes.sum(axis=(0, 1, 2)).tolist()
    assert solved.side_outcomes == {bet: totals(visited.outcomes, place, nets) for place, bet in enumerate(SIDES)}
    assert solved.actions == visited.taken
    assert solved.equal_value_positions == len(visited.equal)
    assert told == sorted(told)
    assert len({of for _, of in told}) == 1
    assert told[-1][0] == told[-1][1]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("deck", "options", "nets"),
    keep_first(
        [
            (FOUR_SUITS, PLAIN, NETS),
            (FOUR_SUITS, STAND_PAT, STANDING_PAID),
            (JOKERS, PLAIN, NETS),
            (JOKERS, ANY_CARD, TIES_SOUGHT),
            (JOKERS, PLAIN, ALL_THE_SAME),
            (RUNS, STAND_PAT, NETS),
            (RUNS, ANY_CARD, STANDING_PAID),
            (RUNS, PLAIN, PUSHES_TAKEN),
            (NO_JOKER, PLAIN, NETS),
            (NO_JOKER, STAND_PAT, ALL_THE_SAME),
            (NO_JOKER, STAND_PAT, STANDING_PAID),
        ],
        6,
    ),
)
def test_a_small_deck_comes_out_as_every_deal_visited(
    deck: SuitedDeck, options: rules.WildSixOptions, nets: Sequence[int]
) -> None:
    visited, found = every_deal(deck, options, nets), play_first_fives(SolverProblem(options, tuple(nets)), deck=deck)
    assert np.array_equal(found.outcomes, visited.outcomes)
    assert set(found.first_fives.masks[found.equal].tolist()) == visited.equal
    deals = (len(deck.cards) - 5) * comb(len(deck.cards) - 6, 6)
    stands = int(found.first_fives.orbits[found.choices == STAND].sum()) * deals
    automatic = int(found.first_fives.orbits[found.choices == NO_CHOICE].sum()) * deals
    assert (stands, automatic) == (visited.taken["stand"], visited.taken["automatic"])


@rule
def stand_or_highest(
    _tables: HandTables,
    view: rules.WildSixView,
    _decision: int,
    numbers: tuple[int, ...],
    options: rules.WildSixOptions,
) -> tuple[int, int]:
    """Stand where that is allowed and the ranks held add up to an even number, else discard the highest card."""
    if options.stand_pat and popcount(get_ranks(view.player)) % 2 == numbers[0]:
        return 1, 0
    highest, height = 0, -1
    for code in range(54):
        above = 13 if code >= FIRST_JOKER else code % 13
        longest = 0 if code >= FIRST_JOKER else get_suit_ranks(view.player, code // 13)
        if view.player >> code & 1 and above << 13 | longest > height:
            highest, height = 1 << code, above << 13 | longest
    return 0, highest


@rule
def never_legal(
    _tables: HandTables,
    view: rules.WildSixView,
    _decision: int,
    numbers: tuple[int, ...],
    _options: rules.WildSixOptions,
) -> tuple[int, int]:
    """Stand, or discard all cards, or one that is not held."""
    cards = (0, view.player, (1 << 54) - 1 ^ view.player)[numbers[0]]
    return 0 if cards else 1, cards & -cards if numbers[0] == 2 else cards


def strategy_of(choose: RuleFunction, number: int) -> Strategy:
    return Strategy("test", "Test", (), choose, (number,))


STRATEGIES = [*load_strategies(GAME), strategy_of(stand_or_highest, 0), strategy_of(stand_or_highest, 1)]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("deck", "options", "nets", "strategy"),
    keep_first(
        [
            *((RUNS, STAND_PAT, NETS, strategy) for strategy in STRATEGIES),
            (JOKERS, ANY_CARD, STANDING_PAID, STRATEGIES[-1]),
            (FOUR_SUITS, PLAIN, TIES_SOUGHT, STRATEGIES[-1]),
        ],
        3,
    ),
)
def test_a_strategy_comes_out_as_every_deal_played_by_it(
    deck: SuitedDeck, options: rules.WildSixOptions, nets: tuple[int, ...], strategy: Strategy
) -> None:
    visited = every_deal(deck, options, nets, strategy)
    solved = solve(SolverProblem(options, nets, strategy=strategy), deck=deck)
    assert solved.side_outcomes == {bet: totals(visited.outcomes, place, nets) for place, bet in enumerate(SIDES)}
    assert list(solved.counts) == visited.outcomes.sum(axis=(0, 1, 2)).tolist()
    assert solved.actions == visited.taken
    assert solved.equal_value_positions == 0
    deals = (len(deck.cards) - 5) * comb(len(deck.cards) - 6, 6)
    costs = [mistake.cost for mistake in solved.mistakes]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) > 0
    if len(costs) < MAX_MISTAKES:
        assert sum(costs) == sum(visited.lost)
        assert sum(mistake.deals for mistake in solved.mistakes) == len(visited.lost) * deals
    else:
        assert sum(costs) < sum(visited.lost)


@pytest.mark.compiled
def test_plays_solved_side_by_side_are_those_solved_alone() -> None:
    plays = (None, *STRATEGIES, None)
    problem = SolverProblem(STAND_PAT, NETS)
    together = solve_side_by_side(problem, plays, deck=TWELVE)
    assert list(together) == [solve(replace(problem, strategy=play), deck=TWELVE) for play in plays]
    assert len({each.counts for each in together}) > 1


@pytest.mark.compiled
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_strategy_that_does_what_the_rules_forbid_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="strategy test"):
        solve(SolverProblem(PLAIN, NETS, strategy=strategy_of(never_legal, number)), deck=TWELVE)


@pytest.fixture(scope="module")
def whole() -> PlayedFives:
    """The best play with the whole deck, standing allowed."""
    return play_first_fives(SolverProblem(STAND_PAT, NETS))


@pytest.mark.more
@pytest.mark.compiled
def test_the_poker_bet_costs_2_739_percent_and_standing_pat_never_helps(whole: PlayedFives) -> None:
    solved = solve(SolverProblem(PLAIN, NETS))
    assert solved.counts == (
        39_393_836_021_232,
        876_278_787_336_096,
        235_887_701_244,
        967_757_454_495_372,
        17_964_225_786_936,
        *(0, 0, 0, 0),
    )
    deals = comb(54, 5) * 49 * comb(48, 6)
    assert sum(solved.counts) == deals
    assert solved.actions == {"automatic": solved.counts[0], "discard": deals - solved.counts[0], "stand": 0}
    assert solved.equal_value_positions == 0
    assert whole.outcomes.sum(axis=(0, 1, 2)).tolist() == list(solved.counts)
    for bet, lines in solved.side_outcomes.items():
        assert sum(count for count, _ in lines) == deals
        assert (
            sum(total for _, total in lines if total is not None)
            == solved.counts[0] + solved.counts[1] - solved.counts[3]
        ), bet


def cost_of(whole: PlayedFives, strategy: Strategy) -> Fraction:
    """Return what a strategy costs a bet."""
    best, taken = whole.choices, tabulate_policy(strategy, whole.first_fives, STAND_PAT, may_stand=True)
    lost = [compute_values(whole.first_fives, whole.totals, NETS, choices) for choices in (best, taken)]
    return Fraction(int((lost[0] - lost[1]).sum()), int(whole.outcomes.sum()))


@pytest.mark.more
@pytest.mark.compiled
def test_the_practical_strategy_costs_a_fortieth_of_a_percent_and_the_simpler_ones_more(whole: PlayedFives) -> None:
    costs = [cost_of(whole, strategy) for strategy in load_strategies(GAME)]
    assert costs == sorted(costs)
    assert 0 < costs[0] < Fraction(1, 4000) < Fraction(1, 1000) < costs[2]


@pytest.mark.more
@pytest.mark.compiled
def test_other_numbers_in_the_practical_strategy_cost_more(whole: PlayedFives) -> None:
    practical = load_strategies(GAME)[0]
    least_cost = cost_of(whole, practical)
    for place, number in enumerate(practical.numbers):
        for other in (number - 1, number + 1):
            numbers = (*practical.numbers[:place], other, *practical.numbers[place + 1 :])
            assert cost_of(whole, replace(practical, numbers=numbers)) > least_cost


@pytest.mark.more
@pytest.mark.compiled
def test_mistakes_say_what_is_discarded_and_what_should_be() -> None:
    lowest_single = load_strategies(GAME)[2]
    solved = solve(SolverProblem(PLAIN, NETS, strategy=lowest_single))
    dearest = solved.mistakes[0]
    assert dearest.hand == "no pair, ace high"
    assert dearest.taken == "discard the lowest single card"
    assert dearest.best == "discard a middle card, keep four to a flush"
    assert len(solved.mistakes) == MAX_MISTAKES


@pytest.mark.long
@pytest.mark.compiled
def test_side_wagers_end_together_as_every_card_of_every_six_drawn(whole: PlayedFives) -> None:
    on_cards = [
        JointWager(rules.settle_queens_or_better, SHAPE[0], ALL_BUT_LAST),
        JointWager(rules.settle_taxpayers_fortune, SHAPE[1], LAST_APART),
        JointWager(rules.settle_draw_bonus, SHAPE[2], ALL_CARDS),
    ]
    for one, other in combinations(range(len(SIDES)), 2):
        left_out = (3, *({0, 1, 2} - {one, other}))
        enumerated = np.array(count_joint_sets(on_cards[one], on_cards[other], DECK_54.cards, 6, STAND_PAT))
        assert np.array_equal(enumerated * comb(48, 6), whole.outcomes.sum(axis=left_out))


@pytest.mark.more
@pytest.mark.compiled
def test_the_rules_played_by_hand_come_out_as_counted(whole: PlayedFives) -> None:
    rounds, bits = 12_000, seeded_bits(6_254)
    seen = [0] * 9
    for _ in range(rounds):
        deck = shuffle_deck(DECK_54, bits)
        state = rules.deal(deck, 1, 0, 1)
        if rules.next_decision(TABLES, state, PLAIN) != NO_DECISION:
            state = rules.act(state, 0, rules.DISCARD, 1 << discarded(whole, sorted(deck[:5])))
        if rules.count_draws(TABLES, state, PLAIN):
            state = rules.receive_draw(state, 1 << deck[10])
        state = rules.show_dealer(rules.receive_dealer_draw(state, 1 << deck[11]))
        seen[rules.settle(TABLES, state, PLAIN)[0]] += 1
    counts = whole.outcomes.sum(axis=(0, 1, 2))
    for count, deals in zip(seen, counts.tolist(), strict=True):
        probability = deals / int(counts.sum())
        assert abs(count - rounds * probability) <= 4 * sqrt(rounds * probability * (1 - probability))


@pytest.mark.more
def test_a_result_depends_on_no_more_than_how_the_hands_compare_and_on_the_dealers_four_of_a_kind() -> None:
    made = sorted({rules.rank_hand(TABLES, make_mask(codes), PLAIN) for codes in combinations(range(0, 54, 3), 5)})
    made += [FOUR - 1, FOUR, FOUR + 1]
    seen: dict[tuple[int, bool, bool, bool], int] = {}
    for choice, mine, dealers in product((rules.DISCARDED, rules.STOOD), made[::3], made[::2]):
        compared = (choice, mine > dealers, mine == dealers, mine < dealers and dealers >= FOUR)
        outcome = rules.settle_main(choice, mine, dealers)
        assert seen.setdefault(compared, outcome) == outcome
    assert len(seen) == 2 * 4


def test_exchanging_cards_of_a_pair_in_suits_alike_is_one_choice() -> None:
    mask = make_mask(parse_cards("5s 5h Kd Qd Jc", DECK_54))
    five_of_spades, five_of_hearts = parse_cards("5s 5h", DECK_54)
    assert count_exchangeable(mask, five_of_spades) == count_exchangeable(mask, five_of_hearts) == 2
    assert find_canonical_place(mask, five_of_spades) == find_canonical_place(mask, five_of_hearts)


def test_nets_too_large_to_weigh_are_refused() -> None:
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large", largest=1073741824)):
        solve(SolverProblem(PLAIN, (1 << 30, *NETS[1:])))
