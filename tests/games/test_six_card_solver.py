"""The best play of Six Card Poker, compared with all deals of small decks and positions of the whole one."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest

from oracle.six_card import compute_values
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, get_suit_ranks, make_mask, parse_cards, popcount
from pitboss.contract import RuleFunction
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.core.rule import rule
from pitboss.games import load_game
from pitboss.games.six_card.rules import (
    FOLDED,
    PLAYED,
    SixCardState,
    rank_hand,
    settle,
    settle_bad_beat,
    settle_main,
    settle_ranked_aces_up,
    settle_ranked_progressive,
)
from pitboss.games.six_card.solver.census import EQUAL, LOSE, TIE, WIN, count_boards, make_classes
from pitboss.games.six_card.solver.policy_table import compile_tabulate
from pitboss.games.six_card.solver.solution import solve, solve_deck
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.hand_pairs import count_pairs_by_weaker
from pitboss.kernels.suit_symmetry import list_suit_classes, list_suit_orders, permute_suits
from pitboss.options import encode_options, resolve_options
from pitboss.solver_api import Solution, SolverProblem, Strategy
from pitboss.strategies import get_strategy, load_strategies
from refusals import refusal
from tiers import keep_first

SIX_CARD = load_game("six-card")
NETS = compute_main_nets(SIX_CARD, {})
OUTCOMES = [outcome.name for outcome in SIX_CARD.wagers[0].outcomes]
ODD_NETS = [(-1, 3, 3, 0, 0, -3, -3), (0, 7, -2, 1, 0, -5, 3), (-4, 9, 1, 2, -3, -6, -4)]
ALWAYS_PLAY = (-99, 2, 1, 0, 0, -2, -1)


def qualifying(value: str) -> Any:
    """Return the options with this hand asked of the dealer."""
    return encode_options(SIX_CARD, resolve_options(SIX_CARD, {"dealer_qualifies": value}))


OPTIONS = qualifying("ace-king")


def cards(text: str) -> int:
    """Return the set of cards written out."""
    return make_mask(parse_cards(text, DECK_52))


def whole(ranks: str) -> list[int]:
    """Return a deck of these ranks."""
    return list(parse_cards(" ".join(rank + suit for suit in "shdc" for rank in ranks), DECK_52))


def sets_of(deck: Sequence[int], size: int, dead: int) -> IntArray:
    """Return all sets of so many cards that are not dead, as masks."""
    masks = np.array([make_mask(chosen) for chosen in combinations(deck, size)])
    alive: IntArray = masks[masks & dead == 0]
    return alive


@kernel
def visit(
    tables: HandTables,
    options: Any,
    worth: IntArray,
    exposed: int,
    held: IntArray,
    drawn: IntArray,
    values: IntArray,
    plays: Any,
    beside: IntArray,
) -> IntArray:
    """Visit every hand and every completion of three exposed cards; return deals by outcome, write hands' values.

    Of ``plays`` 1 plays a hand, 0 folds it, and -1 does what is best.  To ``beside`` are added, for each side wager and
    outcome, the deals and what main nets more than a fold.
    """
    mine, theirs = np.zeros(len(held), np.int64), np.zeros(len(drawn), np.int64)
    for hand in range(len(held)):
        mine[hand] = rank_hand(tables, held[hand], options)
    for three in range(len(drawn)):
        theirs[three] = rank_hand(tables, exposed | drawn[three], options)
    counts, of_hand = np.zeros(len(worth), np.int64), np.zeros(len(worth), np.int64)
    for hand in range(len(held)):
        of_hand[:] = 0
        for three in range(len(drawn)):
            if held[hand] & drawn[three] == 0:
                of_hand[settle_main(mine[hand], theirs[three], options)] += 1
        values[hand] = np.sum(of_hand * worth)
        played = plays[hand] > 0 if plays[hand] >= 0 else values[hand] > 0
        if played:
            counts += of_hand
        else:
            counts[0] += of_hand.sum()
        for bet, outcome in ((0, settle_ranked_aces_up(mine[hand])), (2, settle_ranked_progressive(mine[hand]))):
            beside[bet, outcome, 0] += of_hand.sum()
            beside[bet, outcome, 1] += values[hand] if played else 0
        for three in range(len(drawn)):
            if held[hand] & drawn[three] == 0:
                outcome = settle_bad_beat(mine[hand], theirs[three], options)
                beside[1, outcome, 0] += 1
                beside[1, outcome, 1] += worth[settle_main(mine[hand], theirs[three], options)] if played else 0
    return counts


class Visited(NamedTuple):
    """Deals by outcome, indifferent hands up to suits, beside each side wager's outcomes deals and nets, and mistakes.

    ``mistakes`` are deals and cost of hands folded and of hands played though the other action is worth more.
    """

    counts: list[int]
    equal: int
    beside: IntArray
    mistakes: list[list[int]]


def visited(
    deck: Sequence[int], exposed: int, options: Any, nets: Sequence[int], strategy: Strategy | None = None
) -> Visited:
    """Visit every deal of a board; each hand asks ``strategy``, if there is one."""
    held, drawn = sets_of(deck, 6, exposed), sets_of(deck, 3, exposed)
    worth, values = np.array([net - nets[0] for net in nets]), np.zeros(len(held), np.int64)
    beside = np.zeros((3, 10, 2), np.int64)
    plays = np.full(len(held), -1, np.int8)
    if strategy is not None:
        plays = compile_tabulate(strategy.choose)(
            load_hand_tables(), held, np.array([exposed]), strategy.numbers, options
        )[0]
    counts = visit(load_hand_tables(), options, worth, exposed, held, drawn, values, plays, beside).tolist()
    wrong = [(values > 0) & (plays == 0), (values < 0) & (plays == 1)]
    mistakes = [[int(each.sum()) * comb(len(deck) - 9, 3), int(np.abs(values[each]).sum())] for each in wrong]
    beside[:, :, 1] += nets[0] * beside[:, :, 0]
    orders = [order for order in list_suit_orders(make_mask(deck)).tolist() if permute_suits(exposed, order) == exposed]
    equal = {min(permute_suits(hand, order) for order in orders) for hand in held[values == 0].tolist()}
    return Visited(counts, len(equal), beside, mistakes)


def assert_solved_as_visited(
    deck: Sequence[int], options: Any, nets: Sequence[int], strategy: Strategy | None = None
) -> None:
    """Compare every figure of a solution with what visiting all deals of the deck says."""
    boards, weights = list_suit_classes(deck, 3)
    told = [visited(deck, exposed, options, nets, strategy) for exposed in boards.tolist()]
    solution = solve_deck(deck, SolverProblem(options, tuple(nets), strategy=strategy), ignore_progress)
    assert sum(solution.counts) == comb(len(deck), 6) * comb(len(deck) - 6, 6) * 20
    assert list(solution.counts) == (weights @ np.array([board.counts for board in told])).tolist()
    assert solution.actions == {"fold": solution.counts[0], "play": sum(solution.counts[1:])}
    assert solution.equal_value_positions == (0 if strategy else sum(board.equal for board in told))
    beside = np.tensordot(weights, np.array([board.beside for board in told]), 1)
    for bet, wager in enumerate(SIX_CARD.wagers[1:]):
        assert [list(line) for line in solution.side_outcomes[wager.id]] == beside[bet, : len(wager.outcomes)].tolist()
        assert beside[bet, len(wager.outcomes) :].sum() == 0
        assert sum(deals for deals, _ in solution.side_outcomes[wager.id]) == sum(solution.counts)
    erring = np.tensordot(weights, np.array([board.mistakes for board in told]), 1)
    for taken, action in enumerate(("fold", "play")):
        listed = [(each.deals, each.cost) for each in solution.mistakes if each.taken == action]
        assert strategy or not listed
        assert np.sum(listed or [(0, 0)], axis=0).tolist() == (erring[taken].tolist() if strategy else [0, 0])


def counted_on(deck: Sequence[int], boards: IntArray, options: Any, nets: Sequence[int]) -> IntArray:
    """Return the deals of each board by outcome, folds left out, and its indifferent positions."""
    classes, _ = make_classes(options)
    worth = [net - nets[0] for net in nets]
    counted: IntArray = count_boards(deck, boards, options, worth, classes, None, ignore_progress).deals.sum(axis=1)
    return counted


def worth_of(exposed: int, hand: int, options: Any, nets: Sequence[int]) -> int:
    """Visit the completions of one position: return what play is worth more than a fold."""
    mine = rank_hand(load_hand_tables(), hand, options)
    drawn = sets_of(DECK_52.cards, 3, exposed | hand)
    assert len(drawn) == comb(43, 3)
    distinct, times = np.unique(compute_strengths(exposed | drawn), return_counts=True)
    nets_of = [nets[settle_main(mine, theirs, options)] - nets[0] for theirs in distinct.tolist()]
    return int(np.array(nets_of) @ times)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ranks", "value", "nets"),
    [("TJQKA", "pair-of-Q", NETS), ("9JQKA", "ace-king", ODD_NETS[1])],
)
def test_every_deal_of_a_deck_of_five_ranks(ranks: str, value: str, nets: tuple[int, ...]) -> None:
    deck, options = whole(ranks), qualifying(value)
    assert_solved_as_visited(deck, options, nets)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "ranks"),
    [
        ("practical", "8QKA"),
        pytest.param("practical", "9JQKA", marks=pytest.mark.long),
        pytest.param("any-pair", "8QKA", marks=pytest.mark.long),
    ],
)
def test_every_deal_of_a_small_deck_as_a_strategy_plays_it(
    name: str, ranks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.games.six_card.solver.solution.MAX_MISTAKES", None)
    assert_solved_as_visited(whole(ranks), qualifying("pair-of-Q"), ODD_NETS[1], get_strategy(SIX_CARD, name))


@rule
def play_by_suits(_tables: Any, view: Any, _decision: int, _numbers: Any, _options: Any) -> tuple[int, int]:
    """Play hands with more spades than hearts: what no class of hands tells."""
    return 1 if popcount(get_suit_ranks(view.player, 0)) > popcount(get_suit_ranks(view.player, 1)) else 0, 0


@rule
def neither(_tables: Any, _view: Any, _decision: int, _numbers: Any, _options: Any) -> tuple[int, int]:
    """Do what there is not."""
    return 2, 0


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("choose", "said"), [(play_by_suits, "may not look at suits"), (neither, "it must be 0 .fold. or 1 .play.")]
)
def test_a_strategy_that_classes_of_hands_cannot_follow_is_refused(choose: RuleFunction, said: str) -> None:
    asked = SolverProblem(OPTIONS, NETS, strategy=Strategy("odd", "Odd", ("Play oddly.",), choose))
    with pytest.raises(ValueError, match=said):
        solve_deck(whole("JQKA"), asked, ignore_progress)


@pytest.mark.long
def test_simpler_strategies_cost_more_and_mistakes_are_all_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.games.six_card.solver.solution.MAX_MISTAKES", None)
    best = value_of(solve(SolverProblem(OPTIONS, NETS), ignore_progress))
    costs = []
    for strategy in load_strategies(SIX_CARD):
        solution = solve(SolverProblem(OPTIONS, NETS, strategy=strategy), ignore_progress)
        costs.append(best - value_of(solution))
        assert costs[-1] == sum(mistake.cost for mistake in solution.mistakes)
    deals = comb(52, 6) * comb(46, 6) * 20
    assert 0 < costs[0] < Fraction(55, 100_000) * deals
    assert costs == sorted(costs)


def value_of(solution: Solution) -> int:
    """Return what main nets over all deals."""
    return sum(count * net for count, net in zip(solution.counts, NETS, strict=True))


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("exposed", "value", "nets"),
    keep_first(
        [
            ("As 5s 3s", "ace-king", NETS),
            ("As 3s 5h", "pair-of-3", NETS),
            ("2s 6h 2h", "ace-king", ODD_NETS[2]),
            ("7d 4h Ac", "pair-of-6", ODD_NETS[1]),
            ("2s 7c 7d", "always", ODD_NETS[0]),
            ("6s 6h 6d", "ace-king", NETS),
        ],
        3,
    ),
)
def test_every_deal_of_a_board_of_seven_ranks(exposed: str, value: str, nets: tuple[int, ...]) -> None:
    """Where a suit has cards enough for the player's flush beside two or three of the dealer's."""
    deck, options = whole("234567A"), qualifying(value)
    counted = counted_on(deck, np.array([cards(exposed)]), options, nets)[0]
    told = visited(deck, cards(exposed), options, nets)
    assert counted[1:EQUAL].tolist() == told.counts[1:]
    assert counted[EQUAL] == told.equal


@pytest.mark.long
@pytest.mark.parametrize(("ranks", "nets"), [("3456KA", ODD_NETS[0]), ("234567A", NETS)])
def test_every_deal_of_a_larger_deck(ranks: str, nets: tuple[int, ...]) -> None:
    assert_solved_as_visited(whole(ranks), OPTIONS, nets)


AIMED = [
    ("Ks 7s 2h", "2s 2d 2c 9h 8c 4d"),  # the three cards left of a rank, one of them in the suit
    ("Ks 7s Kh", "Kd Kc 3s 4s 5h 6c"),
    ("Ks 7s 2h", "As Qs Js 9s 3s 7h"),  # a flush in the suit
    ("Ks 7s 2h", "As Qs Js 9s 3s 4s"),
    ("Ks 7s 2h", "Ah Qh Jh 9h 3h 3s"),  # a flush in another, its odd card in the suit
    ("Ks 7s 2s", "As Qs Js 9s 3s 3d"),
    ("Ks 7s 2s", "Ad Qd Jd 9d 3d 8s"),
    ("Ks 7s 2s", "Kd Kh 7h 7d 2h 2d"),
    ("Ts Js Qs", "Ks 9s 8h 8d 3c 2c"),  # blocks the dealer's straight flushes
    ("Ah Ad Ac", "As Kd Ks 9h 5c 4d"),
    ("2h 4d 6c", "Ks Qh Jd 9s 7c 5h"),  # the dealer seldom qualifies
    ("Ah Kd 6c", "Qs Qh Jd 9s 7c 5h"),
    ("5h 4d 3c", "As Ah 2d 6s 7c Kh"),
    ("8s 8h 8d", "8c 7s 7h 6d 6s 2c"),
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("value", "nets"), [("ace-king", NETS), ("pair-of-9", ODD_NETS[1]), ("always", NETS)])
def test_values_of_positions(value: str, nets: tuple[int, ...]) -> None:
    options, rng = qualifying(value), np.random.default_rng(8)
    positions = [(cards(exposed), cards(hand)) for exposed, hand in AIMED]
    for suited in (0, 2, 3) * 3:
        order = rng.permutation(52).tolist()
        order.sort(key=lambda card: card // 13 != 1)
        exposed = order[: min(suited, 3)]
        rest = rng.permutation([card for card in order if card not in exposed]).tolist()
        dealt = [*exposed, *rest[: 9 - len(exposed)]]
        positions.append((make_mask(dealt[:3]), make_mask(dealt[3:])))
    worth = [net - nets[0] for net in nets]
    for exposed, hand in positions:
        assert compute_values(exposed, [hand], options, worth) == [worth_of(exposed, hand, options, nets)]


@pytest.mark.compiled
def test_hands_are_valued_in_any_order() -> None:
    hands = [cards("As Ks 9h 8d 3c 4c"), cards("2s 2h 9c 8h 3d 4d"), cards("As Ks 9h 8d 3c 4c")]
    worth = [net - NETS[0] for net in NETS]
    first, second, again = compute_values(cards("Qh Jd 2c"), hands, OPTIONS, worth)
    assert first == again == worth_of(cards("Qh Jd 2c"), hands[0], OPTIONS, NETS)
    assert second == worth_of(cards("Qh Jd 2c"), hands[1], OPTIONS, NETS)


def test_outcomes_are_numbered_as_the_rule_does() -> None:
    qualifies = OPTIONS.dealer_qualifies
    for theirs, pushed in ((qualifies, 0), (qualifies - 1, 1)):
        assert settle_main(theirs + 1, theirs, OPTIONS) == WIN + pushed
        assert settle_main(theirs, theirs, OPTIONS) == TIE + pushed
        assert settle_main(theirs - 1, theirs, OPTIONS) == LOSE + pushed
    assert len(OUTCOMES) == LOSE + 2 == EQUAL


def test_a_deck_without_all_suits_of_a_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="four cards of every rank"):
        solve_deck(DECK_52.cards[1:], SolverProblem(OPTIONS, NETS), ignore_progress)


def test_nets_too_far_apart_are_refused() -> None:
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large", most=174012)):
        solve(SolverProblem(OPTIONS, (0, 174_012, 0, 0, 0, 0, 0)), ignore_progress)


def simulated(boards: Sequence[int], deals: int) -> tuple[float, float, float]:
    """Deal and settle rounds by the rules, decided as solved; return the net's mean and error, and the share folded."""
    rng, tables, worth = np.random.default_rng(9), load_hand_tables(), [net - NETS[0] for net in NETS]
    nets, folds = [], 0
    for exposed in boards:
        left = [card for card in DECK_52.cards if not exposed >> card & 1]
        dealt = [rng.permutation(left)[:9].tolist() for _ in range(deals)]
        hands = [make_mask(nine[:6]) for nine in dealt]
        values = compute_values(exposed, hands, OPTIONS, worth)
        for nine, hand, value in zip(dealt, hands, values, strict=True):
            state = SixCardState(hand, exposed, make_mask(nine[6:]), PLAYED if value > 0 else FOLDED, 1)
            folds += value <= 0
            nets.append(NETS[settle(tables, state, OPTIONS)[0]])
    rounds = len(nets)
    return float(np.mean(nets)), float(np.std(nets)) / sqrt(rounds), folds / rounds


@pytest.mark.more
@pytest.mark.compiled
def test_rounds_dealt_on_some_boards_agree_within_four_standard_errors() -> None:
    boards = list_suit_classes(DECK_52.cards, 3)[0][::150]
    counted = counted_on(DECK_52.cards, boards, OPTIONS, NETS)[:, :EQUAL]
    dealt = comb(49, 6) * comb(43, 3)
    counted[:, 0] = dealt - counted[:, 1:].sum(axis=1)
    assert counted.min() >= 0
    deals = counted.sum(axis=0) / (dealt * len(boards))
    mean, error, folds = simulated(boards.tolist(), 500)
    assert abs(mean - deals @ np.array(NETS)) < 4 * error
    assert abs(folds - deals[0]) < 4 * sqrt(deals[0] * (1 - deals[0]) / (500 * len(boards)))


@pytest.mark.long
def test_rounds_dealt_from_the_whole_deck_agree_within_four_standard_errors() -> None:
    told: list[tuple[int, int]] = []
    solution = solve(SolverProblem(OPTIONS, NETS), lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    deals = comb(52, 6) * comb(46, 6) * 20
    assert sum(solution.counts) == deals
    rng = np.random.default_rng(10)
    mean, error, folds = simulated([make_mask(rng.permutation(52)[:3].tolist()) for _ in range(1_000)], 40)
    value = sum(count * net for count, net in zip(solution.counts, NETS, strict=True)) / deals
    # Rounds on one board are not independent: twice the error of independent ones is allowed for.
    assert abs(mean - value) < 8 * error
    assert abs(folds - solution.actions["fold"] / deals) < 8 * sqrt(0.25 / 40_000)


@pytest.mark.long
@pytest.mark.parametrize("value", ["ace-king", "pair-of-T"])
def test_play_that_never_folds_wins_what_two_hands_compared_once_say(value: str) -> None:
    """The same deals without boards, classes or states: every pair of hands, swept by strength."""
    options = qualifying(value)
    solution = solve(SolverProblem(options, ALWAYS_PLAY), ignore_progress)
    pairs = count_pairs_by_weaker(rank_hand, DECK_52.cards, 6, options, 0)
    by_weaker = [
        sum(count for strength, count in pairs.items() if settle_main(strength, strength, options) == tie)
        for tie in (TIE, TIE + 1)
    ]
    assert solution.actions["fold"] == 0
    assert [solution.counts[WIN], solution.counts[WIN + 1]] == [20 * count for count in by_weaker]
    assert solution.counts[LOSE] + solution.counts[LOSE + 1] == 20 * sum(by_weaker)
