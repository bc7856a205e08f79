"""Hints of Lunar Poker, compared with enumerating every dealer's hand and next card by the rules alone."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from oracle.lunar import ending
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar import rules
from pitboss.games.lunar.rules import (
    AFTER_DRAW,
    FIRST_DECISION,
    NOT_QUALIFIED,
    UNDECIDED,
    LunarOptions,
    LunarState,
    LunarView,
)
from pitboss.games.lunar.solver.hints import MAX_NET, hint, hint_for_deck
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, advance_set, write_first_set
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ActionValue, SolverProblem
from refusals import refusal

LUNAR = load_game("lunar")
NETS = compute_main_nets(LUNAR, select_paytables(LUNAR))
ODD_NETS = tuple(int(net) for net in np.random.default_rng(3).integers(-9, 30, len(NETS)))
DRAWS = ("play", "buy", "exchange-2", "exchange-3", "exchange-4", "exchange-5")

decision, act, receive, show, settle = (
    rules.next_decision,
    rules.act,
    rules.receive_draw,
    rules.show_dealer,
    rules.settle,
)
dealer_owed, dealer_receives = rules.count_dealer_draws, rules.receive_dealer_draw


def problem(nets: tuple[int, ...] = NETS, **chosen: str) -> SolverProblem:
    return SolverProblem(encode_options(LUNAR, resolve_options(LUNAR, chosen)), nets)


def cards(text: str) -> int:
    """Return the set of cards written out."""
    return make_mask(parse_cards(text, DECK_52)) if text else 0


def codes(mask: int) -> list[int]:
    return [code for code in DECK_52.cards if mask >> code & 1]


@kernel_helper
def holding(state: LunarState, hidden: int) -> LunarState:
    """Give the dealer these hidden cards."""
    return LunarState(
        state.player,
        state.drew,
        state.discarded,
        state.exposed,
        hidden,
        state.force_card,
        state.draw,
        state.choice,
        state.force,
        state.shown,
    )


@kernel
def visit(
    tables: HandTables, options: LunarOptions, nets: IntArray, played: LunarState, left: IntArray, fold: int
) -> int:
    """Visit every hand of the dealer and every next card, for a seat that has played; take the better of two sums.

    ``left`` are the cards that are in no known place, as sets of one; where a fold nets more, that is returned.
    """
    total, dealt = 0, 0
    places = np.zeros(4, np.int64)
    for last in range(3, len(left)):
        for before in range(2, last):
            hidden = write_first_set(places, left, 4, last, before)
            while hidden:
                opened = show(holding(played, hidden))
                if decision(tables, opened, options) == NOT_QUALIFIED:
                    sums = [0, 0]
                    for action in range(2):
                        chosen = act(opened, NOT_QUALIFIED, action, 0)
                        for card in left:
                            if card & hidden == 0:
                                after = dealer_receives(chosen, card) if dealer_owed(chosen) else chosen
                                sums[action] += nets[settle(tables, after, options)[0]]
                    total += max(sums[0], sums[1])
                else:
                    total += (len(left) - 4) * nets[settle(tables, opened, options)[0]]
                dealt += len(left) - 4
                hidden = advance_set(places, left, 4, hidden)
    return max(total, fold * dealt)


def played(view: LunarView, drew: int, discarded: int) -> LunarState:
    """Return the state of a seat that holds these first five, drew and played; the hidden cards still unknown."""
    draw = drew.bit_count()
    state = LunarState(
        view.player & ~discarded | drew, drew, discarded, view.dealer, 0, 0, draw, UNDECIDED, UNDECIDED, 0
    )
    return act(state, AFTER_DRAW, 1, 0)


def visited(asked: SolverProblem, deck: int, state: LunarState, fold: int) -> int:
    left = np.array([1 << code for code in codes(deck & ~(state.player | state.discarded | state.exposed))], np.int64)
    return visit(load_hand_tables(), asked.options, np.array(asked.nets, np.int64), state, left, fold)


def net_of(asked: SolverProblem, name: str) -> int:
    return asked.nets[[outcome.name for outcome in LUNAR.wagers[0].outcomes].index(name)]


def values(valued: Sequence[ActionValue]) -> dict[tuple[str, int], Fraction]:
    return {(each.action, each.cards): each.value for each in valued}


def after_draw(asked: SolverProblem, player: str, dealer: str, drew: str, discarded: str) -> None:
    """Compare the hint after a draw with an enumeration."""
    view = LunarView(cards(player), cards(dealer), 0, cards(drew), cards(discarded))
    state = played(
        LunarView(view.player & ~view.drew | view.discarded, view.dealer, 0, 0, 0), view.drew, view.discarded
    )
    left = 46 - state.draw
    told = Fraction(visited(asked, DECK_52.mask, state, min(asked.nets)), comb(left, 4) * (left - 4))
    fold = f"{DRAWS[state.draw]}-fold"
    expected = {("fold", 0): Fraction(net_of(asked, fold)), ("play", 0): told}
    assert values(hint(asked, view, AFTER_DRAW, ignore_progress)) == expected


AIMED = [
    ("Td Jc Qh Ks Ad", "4h", "Td Jc", "2c 2d"),
    ("5d 6c 7h 8s 9d", "Kh", "5d 6c 7h 8s 9d", "2c 3d 4h Kd Ks"),
    ("5d 6c 7h 8s 9d 9h", "Kh", "9d", ""),  # a straight with a rank paired
    ("5d 6c 7h 8s 9d Td", "Th", "Td", ""),
    ("2h 4h 7h 9h Jh", "3s", "2h 4h 7h", "2s 3h Ks"),
    ("2h 4h 7h 9h Jh Js", "Ah", "2h", ""),  # the dealer can make a flush in the exposed card's suit
    ("2h 4h 7h 9h Jh", "As", "2h 4h 7h 9h", "Ac Ad 5d 6c"),  # in another, the ace replaced
    ("Qh Qd Qs Kh Kd", "2c", "Qs Kd", "3c 4c"),
    ("Qh Qd Qs Kh Kd Kc", "2c", "Kd", ""),
    ("9h 9d 9s 9c Ad Kd", "2c", "Kd", ""),
    ("9h 9d 9s 9c Ad", "2c", "9c Ad", "Ac Kc"),
    ("5h 6h 7h 8h 9h", "3c", "8h 9h", "8c 9c"),
    ("Th Jh Qh Kh Ah 2c", "3c", "Ah", ""),
    ("Th Jh Qh Kh Ah 9h", "9c", "Qh", ""),
    ("Th Jh Qh Kh Ah", "2h", "Th Jh Qh Kh Ah", "2c 3c 4c 5c 7c"),
    ("Ah Ad As Kc 2d", "Kd", "Ad As", "3d 4d"),
    ("Ah Ad Kh Kd 3c 3d", "Kc", "3d", ""),
    ("Ah Kd 9s 7c 2d", "Kc", "Ah 9s 7c", "9d 7d 2c"),
    ("Qh Jd 9s 7c 2d", "Kc", "Qh Jd 9s 7c 2d", "2h 5h 4s 3s 8c"),
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("player")
@pytest.mark.parametrize(("player", "dealer", "drew", "discarded"), AIMED)
def test_after_a_draw(player: str, dealer: str, drew: str, discarded: str) -> None:
    after_draw(problem(), player, dealer, drew, discarded)


VARIANTS = [
    problem(dealer_qualifies="pair-of-9"),
    problem(dealer_qualifies="pair-of-A", force_replaces="lowest"),
    problem(force_replaces="lowest"),
    problem(paired_straight="straight_and_pair"),
    problem(dealer_qualifies="always"),
    problem(ODD_NETS),
    problem(ODD_NETS, dealer_qualifies="pair-of-4"),
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("number")
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_after_a_draw_under_other_options_and_nets(number: int) -> None:
    for aimed in AIMED[number :: len(VARIANTS)]:
        after_draw(VARIANTS[number], *aimed)


def random_hand(rng: np.random.Generator, kind: int) -> list[int]:
    """Return five cards that make a straight, a flush, two ranks or three of a kind; or any five."""
    suits, ranks = rng.integers(0, 4, 5).tolist(), rng.permutation(13).tolist()
    if kind == 0:
        lowest = int(rng.integers(-1, 9))
        ranks = [(lowest + each) % 13 for each in range(5)]
    elif kind == 1:
        suits = suits[:1] * 5
    elif kind == 2:
        alike = int(rng.integers(3, 5))
        ranks = ranks[:1] * alike + ranks[1:2] * (5 - alike)
        suits = rng.permutation(4).tolist()[:alike] + rng.permutation(4).tolist()[: 5 - alike]
    elif kind == 3:
        ranks, suits = ranks[:1] * 3 + ranks[1:3], rng.permutation(4).tolist()[:3] + suits[:2]
    return [suit * 13 + rank for suit, rank in zip(suits, ranks, strict=False)]


def random_views(seed: int, count: int) -> Iterator[LunarView]:
    """Yield views after a draw, four in five of them with hands for which Force may matter."""
    rng = np.random.default_rng(seed)
    number = 0
    while number < count:
        hand, draw = random_hand(rng, number % 5), int(rng.integers(1, 6))
        rest = [code for code in rng.permutation(52).tolist() if code not in hand]
        final = [*hand, rest.pop()] if draw == 1 else rng.permutation(hand).tolist()
        drew, given, exposed = make_mask(final[:draw]), make_mask(rest[:draw] if draw > 1 else []), 1 << rest[draw]
        view = LunarView(make_mask(final), exposed, 0, drew, given)
        first = view.player & ~drew | given
        if rules.settle_instant_cash(load_hand_tables(), first, VARIANTS[0].options) == 2:
            number += 1
            yield view


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_after_random_draws(seed: int) -> None:
    asked = [problem(), *VARIANTS][seed]
    for view in random_views(seed, 100 if seed == 0 else 20):
        state = played(
            LunarView(
                rules.get_first_five(rules.LunarState(view.player, view.drew, view.discarded, 0, 0, 0, 0, 0, 0, 0)),
                view.dealer,
                0,
                0,
                0,
            ),
            view.drew,
            view.discarded,
        )
        left = 46 - state.draw
        told = Fraction(visited(asked, DECK_52.mask, state, min(asked.nets)), comb(left, 4) * (left - 4))
        assert hint(asked, view, AFTER_DRAW, ignore_progress)[1].value == told


def whole(ranks: str) -> int:
    """Return a deck of these ranks."""
    return cards(" ".join(rank + suit for suit in "shdc" for rank in ranks))


def first_decision(asked: SolverProblem, deck: int, view: LunarView, draws: Sequence[int]) -> None:
    """Compare the hint before a draw with an enumeration of every draw of this many cards."""
    told = values(hint_for_deck(deck, asked, view, FIRST_DECISION))
    assert len(told) == 29
    assert told["fold", 0] == net_of(asked, "fold")
    live = codes(deck & ~(view.player | view.dealer))
    for draw in draws:
        left, best = len(live) - draw, min(asked.nets) if draw == 0 else net_of(asked, f"{DRAWS[draw]}-fold")
        for given in combinations(codes(view.player), draw if draw > 1 else 0):
            total = 0
            for drew in combinations(live, draw):
                state = played(view, make_mask(drew), make_mask(given))
                total += visited(asked, deck, state, best)
            expected = Fraction(total, comb(len(live), draw) * comb(left, 4) * (left - 4))
            assert told[DRAWS[draw], make_mask(given)] == expected


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("deck")
@pytest.mark.parametrize(
    ("deck", "player", "dealer", "asked", "draws"),
    [
        ("TJQKA", "As Kh Qd Qc Jh", "Ts", problem(dealer_qualifies="pair-of-Q"), range(6)),
        ("2345A", "As 2s 3s 4s 4d", "5h", problem(ODD_NETS, dealer_qualifies="pair-of-4"), range(6)),
        pytest.param("248TQKA", "As Kh Qd 8c 4h", "2s", problem(), (0, 1, 2), marks=pytest.mark.long),
        ("248TQKA", "2s 2h Ks Qs 8s", "As", problem(), (0, 1, 2)),
        ("457TQA", "As 4h 5h 7h 7d", "Qs", problem(force_replaces="lowest"), (0, 1, 2)),
    ],
)
def test_the_first_decision_in_small_decks(
    deck: str, player: str, dealer: str, asked: SolverProblem, draws: Sequence[int]
) -> None:
    first_decision(asked, whole(deck), LunarView(cards(player), cards(dealer), 0, 0, 0), draws)


@pytest.mark.more
@pytest.mark.compiled
def test_a_sixth_card_is_worth_the_best_of_what_follows_it() -> None:
    view = LunarView(cards("9s 9h 9d Kh Ah"), cards("7c"), 0, 0, 0)
    told = values(hint(problem(), view, FIRST_DECISION, ignore_progress))
    after = [
        hint(problem(), view._replace(player=view.player | 1 << code, drew=1 << code), AFTER_DRAW, ignore_progress)
        for code in codes(DECK_52.mask & ~(view.player | view.dealer))
    ]
    assert told["buy", 0] == Fraction(sum(max(fold.value, play.value) for fold, play in after), 46)


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "dealer"), [("As Kh 9d 8d 3c", "7s"), ("7h 7d 7c Ks Qh", "2d"), ("4h 6h 7h 8d 9h", "Ts")]
)
def test_two_exchanged_cards_are_worth_the_best_of_what_follows_them(player: str, dealer: str) -> None:
    view = LunarView(cards(player), cards(dealer), 0, 0, 0)
    live = codes(DECK_52.mask & ~(view.player | view.dealer))
    given = make_mask(codes(view.player)[:2])
    after = [
        hint(
            problem(),
            LunarView(view.player & ~given | make_mask(drew), view.dealer, 0, make_mask(drew), given),
            AFTER_DRAW,
            ignore_progress,
        )
        for drew in combinations(live, 2)
    ]
    told = values(hint(problem(), view, FIRST_DECISION, ignore_progress))
    assert told["exchange-2", given] == Fraction(
        sum(max(each.value for each in valued) for valued in after), comb(46, 2)
    )


FORCED = [
    ("Td Jc Qh Ks Ad", "Kh 9c 7s 4h 2d", "", ""),
    ("Td Jc Qh Ks Ad", "Kh 9c 7c 4c 2c", "Td Jc", "2h 3h"),  # four of a suit are kept
    ("Th Jh Qh Kh Ah 9h", "Ad Qd 7s 4h 2d", "Qh", ""),
    ("7h 7d 7c 2h 2d", "Ac Qc Jc Tc 2s", "7h 2h", "3c 4c"),
    ("Ah Kd 4s 3c 2h", "Qc Jc 9c 8d 7d", "Ah Kd 4s 3c 2h", "6c 7c 8c 9h Td"),
]


@pytest.mark.parametrize(("player", "dealer", "drew", "discarded"), FORCED)
@pytest.mark.parametrize("replaced", ["highest", "lowest"])
def test_force_by_the_letter_of_the_rulings(player: str, dealer: str, drew: str, discarded: str, replaced: str) -> None:
    asked = problem(force_replaces=replaced)
    view = LunarView(cards(player), cards(dealer), 0, cards(drew), cards(discarded))
    first, path = codes(view.player & ~view.drew | view.discarded), DRAWS[view.drew.bit_count()]
    words = [path] if path == "play" else [path, "play"]
    options = resolve_options(LUNAR, {"force_replaces": replaced})
    turned = codes(DECK_52.mask & ~(view.player | view.discarded | view.dealer))
    hands = first, codes(view.player), codes(view.dealer)
    take, *force = (
        Fraction(sum(ending(*hands, [*words, action], card, options)[1] for card in turned), len(turned))
        for action in ("take-ante", "force")
    )
    expected = {("take-ante", 0): take, ("force", 0): force[0]}
    assert values(hint(asked, view, NOT_QUALIFIED, ignore_progress)) == expected


@pytest.mark.parametrize(
    ("view", "asked"),
    [
        (("5h 6h 7h 8h 9h", "3c", "", ""), FIRST_DECISION),  # Instant Cash
        (("As Kh 9d 8d 3c", "7s", "3c", "2c"), AFTER_DRAW),  # one card is bought, not exchanged
        (("As Kh 9d 8d 3c", "7s", "3c 8d", "2c"), AFTER_DRAW),
        (("As Kh 9d 8d 3c", "7s", "", ""), AFTER_DRAW),
        (("As Kh 9d 8d 3c", "3c", "", ""), FIRST_DECISION),
        (("As Kh 9d 8d 3c", "7s 7h 2d 2c 5c", "", ""), NOT_QUALIFIED),
    ],
)
def test_positions_that_do_not_come_about_are_refused(view: tuple[str, ...], asked: int) -> None:
    player, dealer, drew, discarded = map(cards, view)
    with pytest.raises(ValueError, match="no round with these cards"):
        hint(problem(), LunarView(player, dealer, 0, drew, discarded), asked, ignore_progress)


def test_side_wagers_and_boundless_nets_are_refused() -> None:
    view = LunarView(cards("As Kh 9d 8d 3c"), cards("7s"), 0, 0, 0)
    with pytest.raises(ValueError, match="no side wager"):
        hint(SolverProblem(problem().options, NETS, {"super": (0,)}), view, FIRST_DECISION, ignore_progress)
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large")):
        hint(problem((MAX_NET, *NETS[1:])), view, FIRST_DECISION, ignore_progress)
