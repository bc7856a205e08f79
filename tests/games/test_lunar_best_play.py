"""The best play of Lunar Poker hand by hand, as a simulation follows it, against the hints and the solution."""

import random

import numpy as np
import pytest

from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, bit, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar.outcomes import BOUGHT, TAKE_ANTE, get_path_start
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    FORCED,
    HAND,
    NOT_QUALIFIED,
    PLAYED,
    LunarOptions,
    LunarState,
    LunarView,
    rank_hand,
    settle_forced,
)
from pitboss.games.lunar.solver.best_play import (
    LunarBestPlay,
    add_policy,
    choose_best,
    combine_best_play,
    compute_force_value,
    compute_play_value,
    encode_policy,
    look_up_band,
    make_empty,
    number_ranks,
    tabulate_shard,
)
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.exposed_card import ExposedCard, make_deck
from pitboss.games.lunar.solver.hints import hint, hint_for_deck
from pitboss.games.lunar.solver.mixed_hands import MixedHands
from pitboss.games.lunar.solver.solution import SHARD_NAMES
from pitboss.games.lunar.solver.strength_bands import (
    BOTH,
    BY_DEAD,
    MAY_FOLD,
    MAY_PLAY,
    ExposedCardPolicy,
    decide_after_draws,
)
from pitboss.hands import STRAIGHT_FLUSH, HandTables, get_category, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.set_numbering import find_sorted
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

GAME = load_game("lunar")
TABLES, OPTIONS = select_paytables(GAME), resolve_options(GAME, {})
PROBLEM = build_problem(GAME, TABLES, OPTIONS).problem
ACTIONS = [action.id for action in GAME.decisions[FIRST_DECISION].actions]


@kernel
def played(tables: HandTables, view: LunarView, nets: np.ndarray, options: LunarOptions) -> int:
    return compute_play_value(tables, view, nets, options)


@kernel
def chosen(
    tables: HandTables, view: LunarView, asked: int, best: LunarBestPlay, options: LunarOptions
) -> tuple[int, int]:
    return choose_best(tables, view, asked, best, options)


def cards(text: str) -> int:
    return make_mask(parse_cards(text, DECK_52))


AFTER_DRAWS = [
    ("Ah Kd 9s 7c 2d", "Kc", "Ah 9s 7c", "9d 7d 2c"),
    ("2h 2d 9s 7c 5d", "6c", "9s 7c", "Jd 4c"),
    ("Ah Kd 9s 7c 2d 2c", "Qc", "2c", ""),
    ("Qh Jd 9s 7c 2d", "Kc", "Qh Jd 9s 7c 2d", "2h 5h 4s 3s 8c"),
    ("Qh Qd Qs Kh Kd", "2c", "Qs Kd", "3c 4c"),  # to be forced
]


@pytest.mark.compiled
@pytest.mark.parametrize(("player", "dealer", "drew", "discarded"), AFTER_DRAWS)
def test_a_hand_counted_is_worth_what_its_hint_says(player: str, dealer: str, drew: str, discarded: str) -> None:
    view = LunarView(cards(player), cards(dealer), 0, cards(drew), cards(discarded))
    fold, play = (each.value for each in hint(PROBLEM, view, AFTER_DRAW, ignore_progress))
    left = 52 - (view.player | view.discarded | view.dealer).bit_count()
    deals = left * (left - 1) * (left - 2) * (left - 3) // 24 * (left - 4)
    nets = np.array(PROBLEM.nets, np.int64)
    assert played(load_hand_tables(), view, nets, PROBLEM.options) == (play - fold) * deals


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("draw", [BOUGHT, 2, 3])
def test_bands_of_a_small_deck_say_what_hints_do(draw: int) -> None:
    ranks, suits, exposed = (0, 3, 5, 7, 8, 10, 11), 3, 8
    deck = make_mask([13 * suit + rank for suit in range(suits) for rank in ranks])
    card = ExposedCard(make_deck(ranks, suits), exposed, PROBLEM.options, PROBLEM.nets)
    strengths = np.unique(card.deck.hands.strengths)
    empty = make_empty(PROBLEM)
    policy = decide_after_draws(card, np.zeros((0, 4), np.int64), strengths)
    bands = np.zeros((RANK_COUNT, *policy.bands.shape), np.int32)
    best = add_policy(empty._replace(strengths=strengths, bands=bands), exposed, policy)
    random.seed(draw)
    met, mixed = 0, 0
    for _ in range(150):
        codes = random.sample([code for code in range(52) if deck >> code & 1 and code != exposed], HAND + draw)
        gone = 0 if draw == BOUGHT else make_mask(codes[:draw])
        drew = make_mask(codes[HAND:])
        view = LunarView(make_mask(codes) & ~gone, bit(exposed), 0, drew, gone)
        if get_category(rank_hand(load_hand_tables(), make_mask(codes[:HAND]))) >= STRAIGHT_FLUSH:
            continue
        told = look_up_band(load_hand_tables(), view, best)
        fold, play = (each.value for each in hint_for_deck(deck, PROBLEM, view, AFTER_DRAW))
        assert told & (MAY_PLAY if play > fold else MAY_FOLD)
        met |= told
        band = bands[exposed, draw, find_sorted(strengths, rank_hand(load_hand_tables(), view.player))]
        mixed += band >= BY_DEAD and policy.by_dead[band - BY_DEAD + number_ranks(gone, empty.steps)] == BOTH
    assert met & MAY_PLAY
    assert mixed or draw == BOUGHT


FORCED_DEALERS = ["Kc Jc 9c 7c 2d", "Kc Jd 9d 7d 2d", "Qc Td 9s 8h 2d", "Ah Qd 9s 8h 2d", "Jc Td 9d 8d 7h"]


@pytest.mark.parametrize("replaced", ["highest", "lowest"])
@pytest.mark.parametrize("dealer", FORCED_DEALERS)
def test_force_is_worth_what_every_next_card_nets(dealer: str, replaced: str) -> None:
    options = resolve_options(GAME, {"force_replaces": replaced})
    problem = build_problem(GAME, TABLES, options).problem
    random.seed(dealer)
    for draw in (0, BOUGHT, 2):
        codes = random.sample([code for code in DECK_52.cards if not cards(dealer) >> code & 1], HAND + draw)
        gone = 0 if draw <= BOUGHT else make_mask(codes[:draw])
        view = LunarView(make_mask(codes) & ~gone, cards(dealer), 0, make_mask(codes[HAND:]), gone)
        take, value = problem.nets[get_path_start(draw) + TAKE_ANTE], 0
        for code in DECK_52.cards:
            if not (make_mask(codes) | view.dealer) >> code & 1:
                fields = view.player, view.drew, gone, 0, view.dealer, bit(code), draw, PLAYED, FORCED, 1
                outcome = settle_forced(load_hand_tables(), LunarState(*fields), problem.options)
                value += problem.nets[outcome] - take
        assert compute_force_value(load_hand_tables(), view, view.dealer, problem.nets, problem.options) == value


@pytest.mark.more
def test_choices_are_laid_out_for_all_suits() -> None:
    exposed = RANK_COUNT - 4
    asked = ("2s 5h 5d 9c Kc", "9c Kc 2s"), ("3s 4s 6s 7h 8h", "7h 8h")
    choices = np.array([[cards(five), cards(gone), len(gone.split()), 1] for five, gone in asked], np.int64)
    empty = make_empty(PROBLEM)
    policies = [
        ExposedCardPolicy(
            choices if each == exposed else choices[:0],
            empty.bands[0],
            empty.by_dead,
            empty.fives[0],
            *(getattr(empty, field) for field in MixedHands._fields),
        )
        for each in range(RANK_COUNT)
    ]
    best = combine_best_play(PROBLEM, [encode_policy(known) for known in policies])
    for five, gone, number, _ in choices.tolist():
        for order in list_suit_orders(DECK_52.mask).tolist():
            view = LunarView(permute_suits(five, order), permute_suits(bit(exposed), order), 0, 0, 0)
            taken = choose_best(load_hand_tables(), view, FIRST_DECISION, best, PROBLEM.options)
            assert taken == (number + 1, permute_suits(gone, order))


def check(best: LunarBestPlay, asked: SolverProblem, view: LunarView, decision: int) -> tuple[int, int]:
    """Compare a decision with its hint and return it: of equal actions the first is taken."""
    taken, given = chosen(load_hand_tables(), view, decision, best, asked.options)
    ids = [action.id for action in GAME.decisions[decision].actions]
    valued = hint(asked, view, decision, ignore_progress)
    top = max(each.value for each in valued)
    (value,) = (each.value for each in valued if (each.action, each.cards) == (ids[taken], given))
    assert value == top
    assert taken == min(ids.index(each.action) for each in valued if each.value == top)
    return taken, given


@pytest.mark.long
def test_the_whole_deck_is_played_as_it_is_solved_and_as_hints_say() -> None:
    best = combine_best_play(PROBLEM, [tabulate_shard(PROBLEM, name) for name in SHARD_NAMES])
    actions = dict.fromkeys(ACTIONS, 0)
    for rank, codes in enumerate(best.first_choices):
        deals = BUNDLED.load_best_play()["pieces"]["23456789TJQKA"[rank]]["deals"] * SUIT_COUNT
        for code, hands in zip(*np.unique(codes, return_counts=True), strict=True):
            actions[ACTIONS[code if code <= 2 else int(code).bit_count() + 1]] += int(hands) * deals
    solved = get_solution(GAME, TABLES, OPTIONS, ignore_progress).actions
    assert {action: solved[action] for action in ACTIONS[1:]} == {each: actions[each] for each in ACTIONS[1:]}
    random.seed(52)
    for each in range(300):
        codes = random.sample(DECK_52.cards, 15)
        first, dealer = make_mask(codes[:5]), make_mask(codes[5:10])
        if get_category(rank_hand(load_hand_tables(), first)) >= STRAIGHT_FLUSH:
            continue
        view = LunarView(first, 1 << codes[5], 0, 0, 0)
        number, gone = chosen(load_hand_tables(), view, FIRST_DECISION, best, PROBLEM.options)
        if each % 8 == 0:
            assert check(best, PROBLEM, view, FIRST_DECISION) == (number, gone)
        if number >= 2:
            drew = make_mask(codes[10 : 9 + number])
            view = LunarView(first & ~gone | drew, view.dealer, 0, drew, gone)
            check(best, PROBLEM, view, AFTER_DRAW)
        if rank_hand(load_hand_tables(), dealer) < PROBLEM.options.dealer_qualifies:
            check(best, PROBLEM, view._replace(dealer=dealer), NOT_QUALIFIED)
