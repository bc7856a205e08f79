"""The best play of Lunar Poker, compared with all deals of small decks and positions of the whole one."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import RANK_COUNT, popcount
from pitboss.contract import NO_DECISION, LinePay
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar.outcomes import BOUGHT, FOLD
from pitboss.games.lunar.rules import (
    FIRST_DECISION,
    FORCED,
    PLAYED,
    TOOK_ANTE,
    LunarOptions,
    LunarState,
    LunarView,
    next_decision,
    rank_hand,
    settle_main,
)
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.census import ALL_RANKS, ExposedCardSolver, solve_exposed_card
from pitboss.games.lunar.solver.exposed_card import ExposedCard, make_deck
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.solution import SHARD_NAMES, combine_shards, list_shards, solve_shard
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem
from refusals import refusal
from tiers import keep_first

LUNAR = load_game("lunar")
NETS = compute_main_nets(LUNAR, select_paytables(LUNAR))
NAMES = [outcome.name for outcome in LUNAR.wagers[0].outcomes]
ODD_PAYS = (30, 20, 9, 12, 4, 15, 6, 3, 2, 5)
SMALL = (0, 3, 5, 7, 8, 10, 11)  # 2 5 7 9 T Q K: seven ranks without a straight
BROADWAY = (7, 8, 9, 10, 11, 12, 3)  # 9 T J Q K A and 5
LADDER = (0, 1, 2, 3, 4, 12, 9)  # 2 3 4 5 6 A and J


def options_of(**chosen: str) -> LunarOptions:
    codes: LunarOptions = encode_options(LUNAR, resolve_options(LUNAR, chosen))
    return codes


def odd_nets() -> tuple[int, ...]:
    """Return the nets of a Bet table that rises and falls, so that Force is often right."""
    tables = dict(select_paytables(LUNAR))
    bet = tables["bet"]
    pays = {line: LinePay(Fraction(pay), bet.lines[line].unit) for line, pay in zip(bet.lines, ODD_PAYS, strict=True)}
    return compute_main_nets(LUNAR, {**tables, "bet": replace(bet, lines=pays)})


@kernel
def showdowns(
    tables: HandTables,
    played: LunarState,
    first: int,
    left: IntArray,
    options: LunarOptions,
    nets: IntArray,
    counts: IntArray,
) -> None:
    """Count the outcomes of every dealer's hand and next card, taking the Ante or forcing, whichever nets more."""
    for four in range(len(left)):
        for three in range(four):
            for two in range(three):
                for one in range(two):
                    hidden = left[one] | left[two] | left[three] | left[four]
                    taken = LunarState(
                        played.player, 0, played.discarded, played.exposed, hidden, 0, played.draw, PLAYED, TOOK_ANTE, 1
                    )
                    outcome = settle_main(tables, taken, first, options)
                    best = nets[outcome] * (len(left) - 4)
                    forced = 0
                    low = rank_hand(tables, played.exposed | hidden) < options.dealer_qualifies
                    for step in range(2 if low else 0):
                        for card in left:
                            if card & hidden == 0:
                                turned = LunarState(
                                    played.player,
                                    0,
                                    played.discarded,
                                    played.exposed,
                                    hidden,
                                    card,
                                    played.draw,
                                    PLAYED,
                                    FORCED,
                                    1,
                                )
                                end = settle_main(tables, turned, first, options)
                                if step == 0:
                                    forced += nets[end]
                                elif forced > best:
                                    counts[end] += 1
                    if not low or forced <= best:
                        counts[outcome] += len(left) - 4


@kernel
def draws(
    tables: HandTables,
    kept: int,
    gone: int,
    exposed: int,
    cards: int,
    left: IntArray,
    options: LunarOptions,
    nets: IntArray,
    counts: IntArray,
) -> None:
    """Count the outcomes of every draw of this many cards, each folded or played, whichever nets more."""
    first = rank_hand(tables, kept | gone)
    places = np.arange(cards)
    while True:
        drawn = 0
        for place in places:
            drawn |= left[place]
        state = LunarState(kept | drawn, 0, gone, exposed, 0, 0, cards, PLAYED, 0, 1)
        ends = np.zeros(len(nets), np.int64)
        others = np.array([card for card in left if card & drawn == 0])
        showdowns(tables, state, first, others, options, nets, ends)
        worth = (ends * nets).sum()
        if cards and worth <= nets[FOLD + cards] * ends.sum():
            counts[FOLD + cards] += ends.sum()
        else:
            counts += ends
        move = cards - 1
        while move >= 0 and places[move] == len(left) - cards + move:
            move -= 1
        if move < 0:
            return
        places[move] += 1
        for after in range(move + 1, cards):
            places[after] = places[after - 1] + 1


def counted(
    first: int, gone: int, exposed: int, cards: int, deck: IntArray, options: LunarOptions, nets: IntArray
) -> Any:
    """Return the deals of every outcome of an action with a first five, by the rules alone."""
    counts = np.zeros(len(nets), np.int64)
    left = np.array([card for card in deck.tolist() if not card & (first | exposed)])
    draws(load_hand_tables(), first & ~gone, gone, exposed, cards, left, options, nets, counts)
    return counts


def choices(first: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield all ways to play or draw: the number of cards drawn and the cards given up."""
    codes = [code for code in range(4 * RANK_COUNT) if first >> code & 1]
    yield from ((0, 0), (BOUGHT, 0))
    for cards in range(2, most + 1):
        yield from ((cards, sum(1 << code for code in held)) for held in combinations(codes, cards))


def best_of(first: int, exposed: int, card: ExposedCard, deck: IntArray, nets: IntArray) -> tuple[int, Any]:
    """Return the best action (-1: a fold) and its outcomes, all counted alike after every draw."""
    best, action, worth = np.zeros(len(nets), np.int64), -1, int(nets[FOLD]) * card.deals
    best[FOLD] = card.deals
    for cards, gone in choices(first, card.max_exchanged):
        ends = counted(first, gone, exposed, cards, deck, card.options, nets) * card.scale[cards]
        if int((ends * nets).sum()) > worth:
            best, action, worth = ends, cards, int((ends * nets).sum())
    return action, best


def deck_masks(ranks: Sequence[int], suits: int) -> IntArray:
    return np.array([1 << suit * RANK_COUNT + rank for suit in range(suits) for rank in ranks], np.int64)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ranks", "suits", "exposed", "chosen", "nets"),
    keep_first(
        [
            (SMALL, 2, 7, {}, NETS),
            (BROADWAY, 2, 9, {"force_replaces": "lowest"}, NETS),
            (LADDER, 2, 12, {"dealer_qualifies": "pair-of-5", "paired_straight": "straight_and_pair"}, odd_nets()),
            (SMALL, 2, 11, {"dealer_qualifies": "always"}, odd_nets()),
        ],
        2,
    ),
)
def test_every_deal_of_a_small_deck_digit_for_digit(
    ranks: tuple[int, ...], suits: int, exposed: int, chosen: dict[str, str], nets: tuple[int, ...]
) -> None:
    options = options_of(**chosen)
    found = solve_exposed_card(exposed, options, nets, ranks, suits)
    card, deck = ExposedCard(make_deck(ranks, suits), exposed, options, nets), deck_masks(ranks, suits)
    counts, taken = np.zeros(len(nets), np.int64), [0] * 7
    for held in combinations([mask for mask in deck.tolist() if mask != 1 << exposed], 5):
        state = LunarState(sum(held), 0, 0, 1 << exposed, 0, 0, 0, 0, 0, 0)
        if next_decision(load_hand_tables(), state, options) == NO_DECISION:
            counts[settle_main(load_hand_tables(), state, rank_hand(load_hand_tables(), sum(held)), options)] += (
                card.deals
            )
            continue
        action, ends = best_of(sum(held), 1 << exposed, card, deck, np.array(nets))
        counts += ends
        taken[action + 1] += 1
    assert found["counts"] == counts.tolist()
    assert found["taken"] == taken
    assert sum(found["counts"]) == comb(len(deck) - 1, 5) * found["deals"]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ranks", "suits", "exposed", "chosen", "hands"),
    [
        ((0, 3, 4, 6, 7, 8, 11, 12), 2, 6, {}, 3),
        ((0, 3, 4, 5, 7, 8, 9, 12), 2, 12, {"dealer_qualifies": "pair-of-9", "force_replaces": "lowest"}, 3),
        ((7, 8, 9, 10, 11, 12), 3, 8, {}, 1),
    ],
)
def test_every_action_of_some_first_fives_outcome_for_outcome(
    ranks: tuple[int, ...], suits: int, exposed: int, chosen: dict[str, str], hands: int
) -> None:
    options = options_of(**chosen)
    card, deck = ExposedCard(make_deck(ranks, suits), exposed, options, NETS), deck_masks(ranks, suits)
    solver, nets, rng = ExposedCardSolver(card), np.array(NETS), np.random.default_rng(exposed)
    for _ in range(hands):
        first = int(rng.choice([mask for mask in deck.tolist() if mask != 1 << exposed], 5, replace=False).sum())
        for cards, gone in choices(first, card.max_exchanged):
            ends = counted(first, gone, 1 << exposed, cards, deck, options, nets) * card.scale[cards]
            worth = int((ends * nets).sum())
            if cards == 0:
                worth = max(worth, NETS[FOLD] * card.deals)
            assert solver.compute_value((first, gone, cards, 1)) == worth


def aimed(rng: np.random.Generator, exposed: int) -> Iterator[int]:
    """Yield first fives: any, and kinds that are rare in a sample (suited, connected, paired with the exposed card)."""
    while True:
        kind = int(rng.integers(5))
        codes = [code for code in range(52) if code != exposed]
        if kind == 1:
            codes = [code for code in codes if code // RANK_COUNT == rng.integers(4)] or codes
        elif kind == 2:
            low = int(rng.integers(9))
            codes = [code for code in codes if low <= code % RANK_COUNT < low + 4]
        elif kind == 3:
            codes = [code for code in codes if code % RANK_COUNT in (exposed % RANK_COUNT, 11, 12)]
        if len(codes) >= 5:
            first = sum(1 << int(code) for code in rng.choice(codes, 5, replace=False))
            state = LunarState(first, 0, 0, 1 << exposed, 0, 0, 0, 0, 0, 0)
            if next_decision(load_hand_tables(), state, options_of()) != NO_DECISION:
                yield first


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("exposed", [0, 5, 9, 12])
def test_actions_of_real_first_fives_agree_with_hints(exposed: int) -> None:
    options, rng = options_of(), np.random.default_rng(exposed)
    card = ExposedCard(make_deck(ALL_RANKS, 4), exposed, options, NETS)
    solver, positions = ExposedCardSolver(card), aimed(rng, exposed)
    for _ in range(50):
        first = next(positions)
        view = LunarView(first, 1 << exposed, 0, 0, 0)
        for valued in hint(SolverProblem(options, NETS), view, FIRST_DECISION, ignore_progress):
            if valued.action == "fold":
                continue
            cards = 0 if valued.action == "play" else BOUGHT if valued.action == "buy" else popcount(valued.cards)
            worth = Fraction(solver.compute_value((first, valued.cards, cards, 1)), card.deals)
            # Cells of a hand that is folded for less than it would be played for say the fold.
            assert worth == (max(valued.value, NETS[FOLD]) if cards == 0 else valued.value)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("name", ["7", "A"])
def test_pieces_landed_are_solved_again(name: str) -> None:
    assert (
        json.loads(json.dumps(solve_exposed_card(SHARD_NAMES.index(name), options_of(), NETS)))
        == BUNDLED.load_best_play()["pieces"][name]
    )


def test_what_is_landed_holds_for_these_rules_and_terms() -> None:
    assert BUNDLED.load_best_play()["terms"] == BUNDLED.build_terms(SolverProblem(options_of(), NETS))
    assert BUNDLED.load_best_play()["terms"]["rules"] == BUNDLED.compute_rules_hash()


def test_the_whole_adds_up_to_all_deals() -> None:
    problem = SolverProblem(options_of(), NETS)
    solved = combine_shards(problem, [solve_shard(problem, name) for name in list_shards(problem)])
    each_path = comb(46, 5) * comb(41, 4) * 37 * 10
    assert sum(solved.counts) == 52 * comb(51, 5) * each_path
    cashed = [solved.counts[0], solved.counts[1]]
    assert cashed == [4 * 47 * comb(46, 5) * comb(41, 4) * 37 * 10, 36 * 47 * comb(46, 5) * comb(41, 4) * 37 * 10]
    assert solved.equal_first_only
    first = sum(solved.actions[name] for name in ("fold", "play", "buy", *(f"exchange-{n}" for n in range(2, 6))))
    assert first + sum(cashed) == sum(solved.counts)
    assert solved.actions["fold"] == solved.counts[NAMES.index("fold")]
    assert solved.actions["exchange-3"] == sum(
        deals for name, deals in zip(NAMES, solved.counts, strict=True) if name.startswith("exchange-3")
    )


def test_a_staked_side_wager_is_refused() -> None:
    with pytest.raises(ValueError, match="leave out stakes"):
        solve_shard(SolverProblem(options_of(), NETS, side_nets={"super": (0,)}), "7")


def test_paths_that_pay_the_same_hand_otherwise_are_refused() -> None:
    nets = list(NETS)
    nets[NAMES.index("exchange-3-play-win-qualified-flush")] += 1
    with pytest.raises(ValueError, match="must net the same"):
        ExposedCard(make_deck(SMALL, 2), 0, options_of(), tuple(nets))


@pytest.mark.more
def test_nets_that_outgrow_64_bits_are_refused() -> None:
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large", largest=299000000)):
        ExposedCard(make_deck(ALL_RANKS, 4), 0, options_of(), tuple(net * 1_000_000 for net in NETS))
