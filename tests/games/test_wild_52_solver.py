"""The exact solution of Wild 52: small decks deal by deal, then what the whole deck's solution must agree with."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_53, make_mask, parse_cards
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decide import decide_second, value_first
from pitboss.games.wild_52.solver.deck import JokerDeck, build_deck
from pitboss.games.wild_52.solver.deck import map_cells_to_outcomes as cells_of
from pitboss.games.wild_52.solver.solution import solve, solve_deck
from pitboss.hands import ANY_CARD_FLUSH, FIVE_FIRST, load_hand_tables
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.enumeration import IntArray
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem, Strategy
from pitboss.strategies import get_strategy, load_strategies
from refusals import refusal
from tiers import keep_first

GAME = load_game("wild-52")
NETS = compute_main_nets(GAME, select_paytables(GAME))
JOKER = 52
# Pays that make every path and every equal value matter: a hand folds for less, and ties are not worth nothing.
ODD_NETS = (-2, 7, 1, 1, 0, -4, -1, 12, 1, 2, 0, -8, -2)
ALL_EQUAL = (-1,) * 13


def options_of(**chosen: str) -> Any:
    return encode_options(GAME, resolve_options(GAME, chosen))


def deck_cards(ranks: Sequence[int]) -> list[int]:
    return [*(13 * suit + rank for suit in range(4) for rank in ranks), JOKER]


Totals = dict[str, list[tuple[int, int]]]


def deal_by_deal(
    ranks: Sequence[int], options: Any, nets: Sequence[int], strategy: Strategy | None = None
) -> tuple[list[int], int, int, Totals]:
    """Play every deal by the rules: counts, equal first and second decisions of those that play, side wagers.

    With a strategy, what it leads to; equal decisions are then not counted.
    """
    tables, deck = load_hand_tables(), deck_cards(ranks)
    beside = {"bonus": [(0, 0)] * 12, "joker": [(0, 0)] * 3}
    made = {make_mask(seven): rules.rank_hand(tables, make_mask(seven), options) for seven in combinations(deck, 7)}
    counts, equal_first, equal_second = [0] * 13, 0, 0
    for five in combinations(deck, 5):
        value, equal, found, deals = 0, 0, [0] * 13, 0
        sides: list[tuple[list[int], int, int]] = []
        for first in (card for card in deck if card not in five):
            paths = ([0] * 13, [0] * 13)
            left = [card for card in deck if card not in (*five, first)]
            boards = []
            for second in left:
                before = [list(path) for path in paths]
                mine = made[make_mask((*five, first, second))]
                for dealer in combinations([card for card in left if card != second], 5):
                    dealers = made[make_mask((*dealer, first, second))]
                    deals += 1
                    for raised, path in enumerate(paths):
                        path[rules.settle_main(mine, dealers, raised, options)] += 1
                state = rules.Wild52State(make_mask(five), 0, 1 << first, 1 << second, rules.RAISED_ONCE, 1)
                boards.append((rules.settle(tables, state, options)[1:], before, [list(path) for path in paths]))
            once, twice = (sum(net * count for net, count in zip(nets, path, strict=True)) for path in paths)
            again = twice > once
            if strategy:
                again = asked(strategy, rules.Wild52View(make_mask(five), 1 << first, 0), 1, options)
            value += max(once, twice)
            equal += once == twice
            found = [one + more for one, more in zip(found, paths[again], strict=True)]
            for settled, early, late in boards:
                here = [after - before for before, after in zip(early[again], late[again], strict=True)]
                sides.append(
                    (list(settled), sum(here), sum(net * count for net, count in zip(nets, here, strict=True)))
                )
        equal_first += value == nets[0] * deals
        plays = (
            asked(strategy, rules.Wild52View(make_mask(five), 0, 0), 0, options)
            if strategy
            else value > nets[0] * deals
        )
        for outcomes, there, net in sides:
            for bet, outcome, lost in zip(beside, outcomes, (11, 2), strict=True):
                at = outcome if plays or options.bonus_after_fold else lost
                had, netted = beside[bet][at]
                beside[bet][at] = (had + there, netted + (net if plays else nets[0] * there))
        if plays:
            counts = [one + more for one, more in zip(counts, found, strict=True)]
            equal_second += equal
        else:
            counts[0] += deals
    return counts, equal_first, equal_second, beside


def asked(strategy: Strategy, view: rules.Wild52View, decision: int, options: Any) -> bool:
    """Return whether a strategy plays."""
    action, _ = strategy.choose(load_hand_tables(), view, decision, strategy.numbers, options)
    return bool(action)


SMALL = [
    ({}, NETS),
    ({}, ODD_NETS),
    ({"dealer_qualifies": "always", "bonus_after_fold": "off"}, ODD_NETS),
    ({"ante_when_unqualified": "win", "dealer_qualifies": "pair-of-6"}, NETS),
    ({"ante_when_unqualified": "push", "dealer_qualifies": "pair-of-6"}, ODD_NETS),
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("chosen", "nets"), keep_first(SMALL[:3], 2))
def test_three_ranks_and_a_joker_are_played_out_deal_by_deal(chosen: dict[str, str], nets: tuple[int, ...]) -> None:
    options, ranks = options_of(**chosen), (2, 3, 4)
    solution = solve_deck(ranks, SolverProblem(options, nets), ignore_progress)
    counts, _, _, beside = deal_by_deal(ranks, options, nets)
    assert list(solution.counts) == counts
    assert {bet: list(totals) for bet, totals in solution.side_outcomes.items()} == beside
    assert sum(counts) == comb(13, 5) * 8 * 7 * comb(6, 5)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("name", keep_first(["practical", "mimic-the-dealer"], 1))
def test_a_strategy_is_played_out_deal_by_deal_and_its_mistakes_are_what_it_costs(name: str) -> None:
    strategy, options, ranks = get_strategy(GAME, name), options_of(dealer_qualifies="pair-of-6"), (2, 3, 12)
    best, told = (
        solve_deck(ranks, SolverProblem(options, ODD_NETS, strategy=each), ignore_progress) for each in (None, strategy)
    )
    counts, _, _, beside = deal_by_deal(ranks, options, ODD_NETS, strategy)
    assert list(told.counts) == counts
    assert {bet: list(totals) for bet, totals in told.side_outcomes.items()} == beside
    assert best.mistakes == ()
    net, best_net = (sum(net * count for net, count in zip(ODD_NETS, of.counts, strict=True)) for of in (told, best))
    assert sum(mistake.cost for mistake in told.mistakes) == best_net - net > 0
    errors = {frozenset((mistake.taken, mistake.best)) for mistake in told.mistakes}
    assert errors == {frozenset(("fold", "play")), frozenset(("check", "play-2"))}
    assert all(0 < mistake.deals <= sum(counts) for mistake in told.mistakes)
    assert [mistake.cost for mistake in told.mistakes] == sorted((each.cost for each in told.mistakes), reverse=True)


def in_arrays(ranks: Sequence[int], problem: SolverProblem) -> tuple[list[int], Totals]:
    """Count every deal of a deck, all community cards and dealers of one hand at a time, and the side wagers."""
    options, nets, deck = problem.options, np.array(problem.nets), deck_cards(ranks)
    size = len(deck)
    sevens = list(combinations(range(size), 7))
    ranking = FIVE_FIRST + ANY_CARD_FLUSH * options.wild_flush
    made, line = np.zeros(1 << size, np.int64), np.zeros(1 << size, np.int64)
    masks = [sum(1 << place for place in seven) for seven in sevens]
    made[masks] = compute_strengths(np.array(deck)[np.array(sevens)], ranking=ranking)
    line[masks] = [
        rules.settle_bonus(load_hand_tables(), make_mask([deck[place] for place in seven]), options) for seven in sevens
    ]
    left = size - 5
    chance = [
        (first, second, sum(1 << place for place in dealer))
        for first, second in permutations(range(left), 2)
        for dealer in combinations(sorted({*range(left)} - {first, second}), 5)
    ]
    firsts, seconds, dealers = (np.array(column) for column in zip(*chance, strict=True))
    outcomes = cells_of(options)
    lowest = options.dealer_qualifies
    counts = np.zeros(13, np.int64)
    found = {bet: np.zeros((lines, 2), np.int64) for bet, lines in (("bonus", 12), ("joker", 3))}
    stands = options.bonus_after_fold == 1
    for five in combinations(range(size), 5):
        others = np.array([1 << place for place in range(size) if place not in five])
        spread = np.zeros(1 << left, np.int64)
        for place in range(left):
            spread[1 << place : 2 << place] = spread[: 1 << place] + others[place]
        board = others[firsts] | others[seconds]
        seven = board | sum(1 << place for place in five)
        mine = made[seven]
        theirs = made[board | spread[dealers]]
        cells = 3 * (theirs < lowest) + np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2))
        by_first = np.bincount(firsts * 6 + cells, minlength=left * 6).reshape(left, 6)
        once, twice = (by_first @ nets[outcomes[raised]] for raised in (0, 1))
        joker = np.where(board >> size - 1 & 1, 0, 1 if size - 1 in five else 2)
        lines = {"bonus": line[seven], "joker": joker}
        play, fold = int(np.maximum(once, twice).sum()), int(nets[0]) * len(chance)
        if not stands:
            play += sum(int(np.array(paid)[lines[bet]].sum()) for bet, paid in problem.side_nets.items())
            fold += sum(paid[-1] for paid in problem.side_nets.values()) * len(chance)
        played = play > fold
        if played:
            for raised, chosen in ((0, twice <= once), (1, twice > once)):
                np.add.at(counts, outcomes[raised], by_first[chosen].sum(axis=0))
            netted = nets[outcomes[(twice > once)[firsts].astype(np.int64), cells]]
        else:
            counts[0] += len(chance)
            netted = np.full(len(chance), nets[0])
        for bet, totals in found.items():
            lost = np.full(len(chance), len(totals) - 1)
            at = lines[bet] if played or stands else lost
            for each in range(len(totals)):
                totals[each] += (at == each).sum(), netted[at == each].sum()
    beside = {bet: [(int(deals), int(net)) for deals, net in totals] for bet, totals in found.items()}
    return [int(count) for count in counts], beside


BONUS_NETS = (1000, 250, 200, 150, 100, 50, 25, 20, 5, 3, 2, -1)
SMALL_BONUS_NETS = (-9, 2, 30, 12, 8, 9, 1, 3, -2, 2, 5, 0)


def check_in_arrays(ranks: Sequence[int], problem: SolverProblem) -> Solution:
    solution = solve_deck(ranks, problem, ignore_progress)
    counts, beside = in_arrays(ranks, problem)
    assert list(solution.counts) == counts
    assert {bet: list(totals) for bet, totals in solution.side_outcomes.items()} == beside
    return solution


@pytest.mark.more
@pytest.mark.compiled
def test_four_ranks_and_a_joker_are_played_out_with_side_wagers_that_a_fold_loses() -> None:
    options = options_of(bonus_after_fold="off")
    alone = solve_deck((8, 9, 10, 12), SolverProblem(options, NETS), ignore_progress)
    joint = check_in_arrays(
        (8, 9, 10, 12), SolverProblem(options, NETS, {"bonus": SMALL_BONUS_NETS, "joker": (3, 2, -1)})
    )
    assert 0 < joint.actions["fold"] != alone.actions["fold"]


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(("chosen", "nets"), SMALL)
def test_four_ranks_and_a_joker_under_every_option(chosen: dict[str, str], nets: tuple[int, ...]) -> None:
    for ranks, wild_flush in (((0, 3, 4, 12), "highest_missing"), ((8, 9, 10, 12), "any_card")):
        for after_fold, beside in (("on", {"bonus": BONUS_NETS}), ("off", {"joker": (30, 12, -3)})):
            options = options_of(**chosen | {"wild_flush": wild_flush, "bonus_after_fold": after_fold})
            check_in_arrays(ranks, SolverProblem(options, nets, beside))


@pytest.mark.more
@pytest.mark.compiled
def test_where_all_is_worth_the_same_every_position_is_equal_and_every_hand_folds() -> None:
    solution = solve_deck((2, 3, 4), SolverProblem(options_of(), ALL_EQUAL), ignore_progress)
    deals = comb(13, 5) * 8 * 7 * comb(6, 5)
    assert solution.counts == (deals, *[0] * 12)
    assert dict(solution.actions) == {"fold": deals, "raise-once": 0, "raise-twice": 0}
    assert solution.equal_value_positions == hands_up_to_suits(0)


@pytest.mark.more
@pytest.mark.compiled
def test_a_second_play_worth_a_check_is_a_check_and_counts_once_up_to_suits() -> None:
    solution = solve_deck((2, 3, 4), SolverProblem(options_of(), (-1, *[0] * 12)), ignore_progress)
    deals = comb(13, 5) * 8 * 7 * comb(6, 5)
    assert dict(solution.actions) == {"fold": 0, "raise-once": deals, "raise-twice": 0}
    assert solution.equal_value_positions == hands_up_to_suits(1)


def hands_up_to_suits(community: int) -> int:
    """Count fives of the small deck, with so many community cards, up to the names of the suits."""
    deck = deck_cards((2, 3, 4))
    seen = set()
    for five in combinations(deck, 5):
        for board in combinations([card for card in deck if card not in five], community):
            seen.add(min(renamed(five, board, suits) for suits in permutations(range(4))))
    return len(seen)


def renamed(five: Sequence[int], board: Sequence[int], suits: Sequence[int]) -> tuple[int, int]:
    cards = [[card if card == JOKER else 13 * suits[card // 13] + card % 13 for card in part] for part in (five, board)]
    return make_mask(cards[0]), make_mask(cards[1])


def test_nets_too_large_for_exact_values_are_refused() -> None:
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large", largest=1152921504606846976)):
        solve_deck((2, 3, 4), SolverProblem(options_of(), (1 << 60,) * 13), ignore_progress)


def test_progress_ends_at_all_boards() -> None:
    told: list[tuple[int, int]] = []
    solve_deck((2, 3, 4), SolverProblem(options_of(), NETS), lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


COUNTS = (
    2871164484574848, 734033325578304, 716847412766232, 3430399039620, 521995512600, 1827507269265372, 70692857424960,
    1444521915805272, 658930416833736, 4429182726804, 0, 542194966729692, 0,
)  # fmt: skip
EXPECTED_VALUE = Fraction(-1550308324459, 41084602899340)


@pytest.mark.long
@pytest.mark.compiled
def test_the_practical_strategy_costs_least_and_less_than_a_third_of_a_percent_of_an_ante() -> None:
    costs = []
    for strategy in load_strategies(GAME):
        counts = solve(SolverProblem(options_of(), NETS, strategy=strategy), ignore_progress).counts
        net = Fraction(sum(net * count for net, count in zip(NETS, counts, strict=True)), sum(counts))
        costs.append(EXPECTED_VALUE - net)
    assert 0 < costs[0] < Fraction(1, 300)
    assert costs[0] == min(costs)


@pytest.mark.long
@pytest.mark.compiled
def test_the_whole_deck_is_solved_to_the_last_deal() -> None:
    solution: Solution = solve(SolverProblem(options_of(), NETS), ignore_progress)
    assert solution.counts == COUNTS
    deals = sum(COUNTS)
    assert deals == comb(53, 5) * 48 * 47 * comb(46, 5)
    assert Fraction(sum(net * count for net, count in zip(NETS, COUNTS, strict=True)), deals) == EXPECTED_VALUE
    assert solution.actions == {
        "fold": COUNTS[0], "raise-once": sum(COUNTS[1:7]), "raise-twice": sum(COUNTS[7:])
    }  # fmt: skip
    assert solution.equal_value_positions == 0
    chances = {bet: [Fraction(one, deals) for one, _ in totals] for bet, totals in solution.side_outcomes.items()}
    # Four aces and the Joker with any other two cards; the Joker in two places of the board, and in five of the hand.
    assert chances["bonus"][0] == Fraction(comb(48, 2), comb(53, 7))
    assert chances["joker"] == [Fraction(2, 53), Fraction(5, 53), Fraction(46, 53)]
    for totals in solution.side_outcomes.values():
        assert sum(net or 0 for _, net in totals) == EXPECTED_VALUE * deals


def all_masks(deck: JokerDeck) -> IntArray:
    """Return every five of the deck as a set of cards, in the order of the layout."""
    numbered = deck.layout
    shapes = np.repeat(numbered.shape, np.diff(numbered.block_starts))
    blocks = np.repeat(np.arange(len(numbered.shape)), np.diff(numbered.block_starts))
    suits = numbered.suits[numbered.first_state[shapes] + np.arange(len(blocks)) - numbered.block_starts[blocks]]
    masks = np.zeros(len(blocks), np.int64)
    for group in range(5):
        kinds, slots = numbered.kinds[shapes, group], numbered.slots[blocks, group]
        for suit in range(4):
            masks |= np.where((kinds > 0) & (slots < 13) & (suits >> 4 * group + suit & 1 == 1), 1, 0) << np.maximum(
                13 * suit + slots, 0
            )
        masks |= np.where(slots == 13, 1 << JOKER, 0)
    return masks


POSITIONS = {
    4: (
        "2h 5d 9c Jd Kh", "5h 5d 2c 9d Jh", "2h 3h 4h 5h Kd", "Jk 2h 7d 9c Qh", "6h 6d 2c 9d Jh", "2s 3s 9s Kh Qd",
        "Th Jd Qc Kh 2d", "Jk 7s 8s 9s 2d",
    ),
    13: ("2h 4d 6c 8h Td", "2s 3s 4s 9h Kd", "2s 5s 9s Js Kd", "3h 3d 2c 9d Jh"),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("slot", POSITIONS)
def test_second_decisions_of_the_whole_deck_weigh_every_card_and_dealer(slot: int) -> None:
    """After the six of spades and after the Joker: all 47 second cards and C(46, 5) dealers of aimed hands, counted."""
    options, deck = options_of(), build_deck(range(13))
    outcomes = cells_of(options)
    nets = np.array(NETS)[outcomes]
    decided = decide_second(deck, options, nets, ignore_progress, [slot])[0 if slot < 13 else 1]
    numbers = {mask: hand for hand, mask in enumerate(all_masks(deck).tolist())}
    first = JOKER if slot == 13 else slot
    for text in POSITIONS[slot]:
        five = make_mask(parse_cards(text, DECK_53))
        cells = every_showdown(five, first, options.dealer_qualifies)
        once, twice = (int(cells @ nets[raised]) for raised in (0, 1))
        reached = deck.orbits.classes[numbers[five]]
        assert decided.twice[slot % 13, reached] == (twice > once), text
        assert decided.values[reached] == max(once, twice)
        assert decided.cells[6 * (twice > once) :, reached][:6].tolist() == cells.tolist()


def every_showdown(five: int, first: int, lowest: int) -> IntArray:
    """Count the cells of all second cards and dealers' hands."""
    cells = np.zeros(6, np.int64)
    left = [card for card in range(53) if not five >> card & 1 and card != first]
    dealers = np.array(list(combinations(range(46), 5)), np.int8)
    for second in left:
        board = 1 << first | 1 << second
        others = np.array([1 << card for card in left if card != second], np.int64)
        theirs = compute_strengths(others[dealers].sum(axis=1) | board, ranking=FIVE_FIRST)
        mine = compute_strengths(np.array([five | board]), ranking=FIVE_FIRST)[0]
        cells += np.bincount(
            3 * (theirs < lowest) + np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2)), minlength=6
        )
    return cells


@pytest.mark.long
@pytest.mark.compiled
def test_a_simulation_that_plays_the_best_decisions_agrees() -> None:
    """A million deals of a fixed seed, settled by the evaluator: expected value and frequencies within 4 errors."""
    options, deck = options_of(), build_deck(range(13))
    outcomes = cells_of(options)
    naturals, joker = decide_second(deck, options, np.array(NETS)[outcomes], ignore_progress)
    values = value_first(deck, naturals.values, joker.values)
    deals = np.argsort(np.random.default_rng(5252).random((1_000_000, 53)), axis=1)[:, :12]
    five, first = deals[:, :5], deals[:, 10]
    # The suit of a natural first card is exchanged for spades, so that its decision is known.
    suit = np.where(first == JOKER, 0, first // 13)[:, None]
    swapped = np.where(five // 13 == suit, five % 13, np.where(five // 13 == 0, suit * 13 + five % 13, five))
    swapped = np.where(five == JOKER, JOKER, swapped)
    by_mask = np.argsort(all_masks(deck), kind="stable")
    sorted_masks = all_masks(deck)[by_mask]

    def class_of(cards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        hands = by_mask[np.searchsorted(sorted_masks, (1 << cards.astype(np.int64)).sum(axis=1))]
        found: np.ndarray[Any, Any] = deck.orbits.classes[hands]
        return found

    played = values[class_of(five)] > NETS[0] * deck.rounds
    beside = class_of(swapped)
    twice = np.where(first == JOKER, joker.twice[0][beside], naturals.twice[first % 13, beside])
    board = deals[:, 10:]
    mine = compute_strengths(np.concatenate([five, board], axis=1), ranking=FIVE_FIRST)
    theirs = compute_strengths(deals[:, 5:], ranking=FIVE_FIRST)
    cells = 3 * (theirs < options.dealer_qualifies) + np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2))
    made = np.where(played, outcomes[twice.astype(np.int64), cells], 0)
    nets = np.array(NETS)[made]
    assert abs(nets.mean() - float(EXPECTED_VALUE)) < 4 * nets.std() / sqrt(len(nets))
    for outcome, count in enumerate(COUNTS):
        chance = count / sum(COUNTS)
        assert abs((made == outcome).mean() - chance) <= 4 * sqrt(chance * (1 - chance) / len(made))
