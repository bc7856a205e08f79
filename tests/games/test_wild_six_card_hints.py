"""Hints, and the solution at single positions, compared with one another and with every dealer's hand met."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from oracle.wild_six_card import ANY_CARD, NETS, PLAIN, STAND_PAT, TABLES, discarded, results_by_choice, some_positions
from pitboss.cards import DECK_54, FIRST_JOKER, make_mask, parse_cards
from pitboss.core.errors import IllegalActionError
from pitboss.games.wild_six_card import rules
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, STAND
from pitboss.games.wild_six_card.solver.hints import hint
from pitboss.games.wild_six_card.solver.solution import PlayedFives, play_first_fives
from pitboss.hands import STRAIGHT, pack_lowest_strength
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.suit_symmetry import canonicalize, count_exchangeable, find_canonical_place
from pitboss.solver_api import SolverProblem
from refusals import refusal
from tiers import keep_first


@pytest.fixture(scope="module")
def whole() -> PlayedFives:
    """The best play with the whole deck, standing allowed."""
    return play_first_fives(SolverProblem(STAND_PAT, NETS))


def hinted(first: Sequence[int], options: rules.WildSixOptions) -> dict[int, Fraction]:
    """Return the value of each discard, a card, and of standing, ``NO_CHOICE``, as the hint tells them."""
    told = hint(SolverProblem(options, NETS), rules.WildSixView(make_mask(first), 0, 0), 0)
    assert {each.action for each in told} <= {"discard", "stand"}
    return {each.cards.bit_length() - 1 if each.cards else NO_CHOICE: each.value for each in told}


def assert_hinted_as_solved(whole: PlayedFives, first: Sequence[int]) -> None:
    """Compare what every choice is worth at a position, and which is best, with the solution of all positions."""
    mask = make_mask(first)
    index = int(np.searchsorted(whole.first_fives.masks, canonicalize(mask)))
    deals = int(whole.first_fives.orbits[index]) * 49 * comb(48, 6)
    solved = {NO_CHOICE: Fraction(int(whole.totals.stood[index] @ np.array(NETS[5:])), deals)}
    for discard in first:
        drawn = whole.totals.discarded[index, find_canonical_place(mask, discard)]
        solved[discard] = Fraction(int(drawn @ np.array(NETS[1:5])), deals * count_exchangeable(mask, discard))
    told = hinted(first, STAND_PAT)
    assert told == solved
    taken = NO_CHOICE if whole.choices[index] == STAND else discarded(whole, first)
    assert told[taken] == max(told.values())


def assert_as_enumerated(whole: PlayedFives, first: Sequence[int]) -> None:
    """Compare what is counted for every choice, and the choice."""
    mask = make_mask(first)
    index = int(np.searchsorted(whole.first_fives.masks, canonicalize(mask)))
    enumerated = results_by_choice(first, wild_flush=0)
    times = int(whole.first_fives.orbits[index])
    assert whole.totals.stood[index].tolist() == [times * count for count in enumerated[NO_CHOICE]]
    for discard in first:
        drawn = whole.totals.discarded[index, find_canonical_place(mask, discard)] // count_exchangeable(mask, discard)
        assert drawn.tolist() == [times * count for count in enumerated[discard]]
    values = {choice: tallied[0] - tallied[2] for choice, tallied in enumerated.items()}
    deals = 49 * comb(48, 6)
    assert hinted(first, STAND_PAT) == {choice: Fraction(value, deals) for choice, value in values.items()}
    taken = NO_CHOICE if whole.choices[index] == STAND else discarded(whole, first)
    assert values[taken] == max(values.values())


AIMED = [
    "Jk1 5s 5h 9d Kc",  # three of a kind with a Joker: four of a kind may come, and meet the dealer's
    "Ah Ad Ac 7s 2d",  # so it may without one
]
MORE = [
    "Ks Qs Js 9s 2h",
    "Jk1 Jk2 2s 7h Qd",
    "Jk2 As Ks Qs 2h",
    "Jk1 4s 5s 6h 9d",
    "2s 2h 2d 3c 4s",
    "As 2s 3s 4s 9h",
    "Ks Kh Qs Qh 2d",
    "7s 5h 4d 3c 2s",
    "Th Jh Qh Kh 8c",
    "Jk2 2h 7d 9s Kc",
    "Ts Jh Qd Kc 2s",
    "6s 6h 9s Js Ks",
    "Jk1 Ah 9h 6h 2c",
]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("first", keep_first(AIMED, 1))
def test_a_position_is_counted_as_every_dealers_hand_met(whole: PlayedFives, first: str) -> None:
    codes = parse_cards(first, DECK_54)
    automatic = rules.is_automatic_winner(TABLES, rules.deal([*codes, *range(5)], 1, 0, 0), STAND_PAT)
    assert not automatic
    assert_as_enumerated(whole, codes)


@pytest.mark.long
@pytest.mark.compiled
def test_dozens_of_positions_are_counted_as_every_dealers_hand_met(whole: PlayedFives) -> None:
    for first in [*(parse_cards(first, DECK_54) for first in MORE), *some_positions(40, 20_261_121)]:
        assert_as_enumerated(whole, first)


@pytest.mark.more
@pytest.mark.compiled
def test_dozens_of_hints_say_what_the_solution_does(whole: PlayedFives) -> None:
    for first in [*(parse_cards(first, DECK_54) for first in (*AIMED, *MORE)), *some_positions(45, 3)]:
        assert_hinted_as_solved(whole, first)


def aimed(whole: PlayedFives) -> list[tuple[int, ...]]:
    """Return sixty first fives that random ones seldom are.

    A third each: with both Jokers, of three of a kind, and those where the two best choices lie closest.
    """
    positions = np.flatnonzero(whole.choices != NO_CHOICE)
    chances = np.array(NETS[1:5])
    apart = np.empty(len(positions))
    for at, index in enumerate(positions):
        times = {
            find_canonical_place(mask, code): count_exchangeable(mask, code)
            for mask in [int(whole.first_fives.masks[index])]
            for code in DECK_54.cards
            if mask >> code & 1
        }
        values = sorted(whole.totals.discarded[index, place] @ chances / each for place, each in times.items())
        apart[at] = (values[-1] - values[-2]) / whole.first_fives.orbits[index] if len(values) > 1 else np.inf
    closest = whole.first_fives.masks[positions[np.argsort(apart)[:20]]]
    masks = whole.first_fives.masks[positions]
    jokers = masks[masks >> FIRST_JOKER == 3]
    made = compute_strengths(masks)
    trips = masks[(made >= pack_lowest_strength(3)) & (made < pack_lowest_strength(STRAIGHT))]
    picked = [*closest, *jokers[:: len(jokers) // 20][:20], *trips[:: len(trips) // 20][:20]]
    return [tuple(code for code in DECK_54.cards if int(mask) >> code & 1) for mask in picked]


@pytest.mark.long
@pytest.mark.compiled
def test_two_hundred_hints_say_what_the_solution_does(whole: PlayedFives) -> None:
    positions = [*some_positions(140, 4), *aimed(whole)]
    assert len(positions) == 200
    for first in positions:
        assert_hinted_as_solved(whole, first)


@pytest.mark.compiled
def test_a_hint_follows_the_nets_and_the_options() -> None:
    first = parse_cards("As Ks 7s 4s Jk1", DECK_54)
    with pytest.raises(IllegalActionError, check=refusal("round-decided")):
        hinted(first, PLAIN)
    first = parse_cards("As Ks 7s 4d Jk1", DECK_54)
    plain, any_card = hinted(first, PLAIN), hinted(first, ANY_CARD)
    assert NO_CHOICE not in plain
    assert NO_CHOICE in any_card
    four_of_diamonds = parse_cards("4d", DECK_54)[0]
    assert any_card[four_of_diamonds] != plain[four_of_diamonds]
    view = rules.WildSixView(make_mask(first), 0, 0)
    only_ties = hint(SolverProblem(STAND_PAT, (0, 0, 1, 0, 0, 0, 1, 0, 0)), view, 0)
    assert all(0 < each.value < Fraction(1, 100) for each in only_ties)


def test_no_side_wager_depends_on_the_discard() -> None:
    view = rules.WildSixView(make_mask(parse_cards("As Ks 7s 4d 2c", DECK_54)), 0, 0)
    with pytest.raises(ValueError, match="depends"):
        hint(SolverProblem(PLAIN, NETS, side_nets={"draw-bonus": (0,)}), view, 0)
