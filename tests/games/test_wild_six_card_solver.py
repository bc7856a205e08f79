"""The best play of Poker, compared with every deal of small decks and with every dealer's hand of real positions."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.cards import DECK_54, FIRST_JOKER, mask_of, parse_cards, seeded_bits, shuffled
from pitboss.contract import NO_DECISION
from pitboss.core.errors import IllegalActionError
from pitboss.counting.classes import SuitedDeck, exchangeable, least, place_in_least
from pitboss.counting.evaluate import strengths
from pitboss.counting.together import Decided, On, count_together
from pitboss.games.wild_six_card import GAME, rules
from pitboss.games.wild_six_card.solver import NO_CHOICE, STAND, WHOLE_DECK, Best, best, hint, solve
from pitboss.hands import ANY_CARD_FLUSH, FOUR_OF_A_KIND, STRAIGHT, hand_tables, lowest
from pitboss.solving import Problem

TABLES = hand_tables()
PLAIN = rules.Options(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=0)
STAND_PAT = rules.Options(stand_pat=1, queens_or_better=0, draw_bonus=0, wild_flush=0)
ANY_CARD = rules.Options(stand_pat=1, queens_or_better=0, draw_bonus=0, wild_flush=ANY_CARD_FLUSH)

# automatic-win, then win tie lose push after a discard and after standing
NETS = (1, 1, 0, -1, 0, 1, 0, -1, 0)
PUSHES_TAKEN = (1, 1, 0, -1, -1, 1, 0, -1, -1)
TIES_SOUGHT = (0, 1, 5, -2, 3, 1, 4, -2, 3)
STANDING_PAID = (0, 3, 0, -3, 0, 4, 0, -3, 1)
ALL_THE_SAME = (0, 0, 0, 0, 0, 0, 0, 0, 0)

FOUR_SUITS = SuitedDeck((0, 6, 11), 4, 1)
JOKERS = SuitedDeck((2, 3, 8, 12), 3, 2)
RUNS = SuitedDeck((0, 1, 2, 3, 7, 12), 2, 2)
NO_JOKER = SuitedDeck((4, 5, 6, 9, 10, 11, 12), 2, 0)
TWELVE = SuitedDeck((1, 4, 6, 9, 11), 2, 2)
THREE_RANKS = SuitedDeck((0, 5, 12), 4, 0)

FOUR = lowest(FOUR_OF_A_KIND)
SIDES = [wager.id for wager in GAME.wagers[1:]]
SHAPE = [len(wager.outcomes) for wager in (*GAME.wagers[1:], GAME.wagers[0])]


class Deal(NamedTuple):
    """What every deal of a small deck comes to: deals by outcome of the side wagers and of main, by path."""

    outcomes: NDArray[np.int64]
    taken: dict[str, int]
    equal: set[int]


def results(made: int, dealers: list[int]) -> tuple[int, int, int, int]:
    """Count the dealer's hands, sorted, by win, tie, lose and push (W6-4)."""
    weaker, no_stronger = bisect_left(dealers, made), bisect_right(dealers, made)
    pushing = len(dealers) - max(no_stronger, bisect_left(dealers, FOUR))
    return weaker, no_stronger - weaker, len(dealers) - no_stronger - pushing, pushing


def choices_of(
    deck: SuitedDeck, first: tuple[int, ...], made: dict[int, int], options: rules.Options
) -> dict[int, list[tuple[int, ...]]]:
    """Return for every choice from a first five, a card or ``NO_CHOICE`` for standing, the results of each draw."""
    booked: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    others = [code for code in deck.cards if code not in first]
    for drawn in others:
        dealers = sorted(made[mask_of(hand)] for hand in combinations([code for code in others if code != drawn], 6))
        if options.stand_pat:
            booked[NO_CHOICE].append(results(made[mask_of(first)], dealers))
        for discard in first:
            booked[discard].append(results(made[mask_of({drawn, *first} - {discard})], dealers))
    return booked


def lowest_first(mask: int, choice: int) -> tuple[int, int]:
    """Order choices of equal value: standing, then the lowest card, Jokers last; of one rank the longest suit's."""
    if choice == NO_CHOICE:
        return -1, 0
    if choice >= FIRST_JOKER:
        return FIRST_JOKER, 0
    return choice % 13, -(mask >> choice // 13 * 13 & 8191)


def settled(first: int, drawn: int, options: rules.Options) -> tuple[int, int, int]:
    """Settle the side wagers by the rules of the table, in their order."""
    state = rules.State(first, 0, drawn, 0, 0, 1, rules.STOOD, 0)
    state = rules.show(rules.dealer_receives(state._replace(dealer=first), drawn))
    _, queens, taxed, bonus = rules.settle(TABLES, state, options)
    return queens, taxed, bonus


def every_deal(deck: SuitedDeck, options: rules.Options, nets: Sequence[int]) -> Deal:
    """Visit every first five, card drawn and dealer's hand, and take what is best."""
    made = {
        mask: rules.hand_strength(TABLES, mask, options)
        for size in (5, 6)
        for mask in map(mask_of, combinations(deck.cards, size))
    }
    dealers = comb(len(deck.cards) - 6, 6)
    dealt = Deal(np.zeros(SHAPE, np.int64), dict.fromkeys(("automatic", "discard", "stand"), 0), set())
    for first in combinations(deck.cards, 5):
        mask = mask_of(first)
        sides = [settled(mask, 1 << drawn, options) for drawn in deck.cards if drawn not in first]
        if made[mask] >= lowest(STRAIGHT):
            dealt.taken["automatic"] += len(sides) * dealers
            for side in sides:
                dealt.outcomes[(*side, 0)] += dealers
            continue
        ranked = []
        for choice, booked in choices_of(deck, first, made, options).items():
            at = 5 if choice == NO_CHOICE else 1
            value = sum(count * net for each in booked for count, net in zip(each, nets[at : at + 4], strict=True))
            ranked.append((-value, lowest_first(mask, choice), at, choice, booked))
        ranked.sort()
        worth, _, at, choice, booked = ranked[0]
        for side, each in zip(sides, booked, strict=True):
            dealt.outcomes[side][at : at + 4] += each
        dealt.taken["stand" if choice == NO_CHOICE else "discard"] += len(sides) * dealers
        as_good = [other[3] for other in ranked if other[0] == worth]
        if len(as_good) > (1 if choice == NO_CHOICE else exchangeable(mask, choice)):
            dealt.equal.add(least(mask))
    return dealt


def totals(outcomes: NDArray[np.int64], wager: int, nets: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return for each outcome of a side wager its deals and the sum of what main nets there."""
    lines = np.moveaxis(outcomes, wager, 0)
    return tuple((int(line.sum()), int((line @ np.array(nets)).sum())) for line in lines)


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
    deck: SuitedDeck, options: rules.Options, nets: Sequence[int]
) -> None:
    told: list[tuple[int, int]] = []
    visited = every_deal(deck, options, nets)
    solved = solve(Problem(options, tuple(nets)), lambda done, of: told.append((done, of)), deck)
    assert list(solved.counts) == visited.outcomes.sum(axis=(0, 1, 2)).tolist()
    assert solved.beside == {bet: totals(visited.outcomes, place, nets) for place, bet in enumerate(SIDES)}
    assert solved.actions == visited.taken
    assert solved.equal_value_positions == len(visited.equal)
    assert told == sorted(told)
    assert len({of for _, of in told}) == 1
    assert told[-1][0] == told[-1][1]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("deck", "options", "nets"),
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
)
def test_a_small_deck_comes_out_as_every_deal_visited(
    deck: SuitedDeck, options: rules.Options, nets: Sequence[int]
) -> None:
    visited, found = every_deal(deck, options, nets), best(deck, options, nets)
    assert np.array_equal(found.outcomes, visited.outcomes)
    assert set(found.firsts.masks[found.equal].tolist()) == visited.equal
    deals = (len(deck.cards) - 5) * comb(len(deck.cards) - 6, 6)
    stands = int(found.firsts.orbits[found.choices == STAND].sum()) * deals
    automatic = int(found.firsts.orbits[found.choices == NO_CHOICE].sum()) * deals
    assert (stands, automatic) == (visited.taken["stand"], visited.taken["automatic"])


@pytest.fixture(scope="module")
def whole() -> Best:
    """The best play with the whole deck, standing allowed."""
    return best(WHOLE_DECK, STAND_PAT, NETS)


ALL_SIXES: list[NDArray[np.uint8]] = []


def all_sixes() -> NDArray[np.uint8]:
    """Return every six of 49 places, shape (C(49, 6), 6), made once."""
    if not ALL_SIXES:
        rows = np.zeros((1, 0), np.uint8)
        for size in range(1, 7):
            first = rows[:, -1].astype(int) + 1 if size > 1 else np.zeros(1, int)
            room = 49 - (6 - size) - first
            grown = np.repeat(rows, room, axis=0)
            starts = np.repeat(first - np.concatenate(([0], np.cumsum(room)[:-1])), room)
            rows = np.column_stack((grown, (starts + np.arange(len(grown))).astype(np.uint8)))
        ALL_SIXES.append(rows)
    return ALL_SIXES[0]


def results_by_choice(first: Sequence[int], wild_flush: int) -> dict[int, list[int]]:
    """Meet every dealer's hand with every card drawn: the deals by result for each discard and for standing."""
    others = np.array([code for code in DECK_54.cards if code not in first])
    sixes = all_sixes()
    bits = np.int64(1) << others
    masks = np.zeros(len(sixes), np.int64)
    for column in range(6):
        masks |= bits[sixes[:, column]]
    order, levels = np.unique(strengths(masks, ranking=wild_flush), return_inverse=True)
    holding = sum(
        np.bincount(levels * 49 + sixes[:, column], minlength=len(order) * 49).reshape(-1, 49) for column in range(6)
    )
    apart = np.bincount(levels, minlength=len(order))[:, None] - holding

    def met(made: int, dealers: NDArray[np.int64]) -> list[int]:
        weaker, equal, above = order < made, order == made, order > made
        parts = (weaker, equal, above & (order < FOUR), above & (order >= FOUR))
        return [int(dealers[part].sum()) for part in parts]

    options = STAND_PAT._replace(wild_flush=wild_flush)
    own = rules.hand_strength(TABLES, mask_of(first), options)
    found = {NO_CHOICE: [43 * count for count in met(own, np.bincount(levels))]}
    for discard in first:
        each = [
            met(rules.hand_strength(TABLES, mask_of({int(drawn), *first} - {discard}), options), apart[:, place])
            for place, drawn in enumerate(others)
        ]
        found[discard] = np.sum(each, axis=0).tolist()
    return found


def hinted(first: Sequence[int], options: rules.Options) -> dict[int, Fraction]:
    """Return the value of each discard, a card, and of standing, ``NO_CHOICE``, as the hint tells them."""
    told = hint(Problem(options, NETS), rules.View(mask_of(first), 0, 0), 0)
    assert {each.action for each in told} <= {"discard", "stand"}
    return {each.cards.bit_length() - 1 if each.cards else NO_CHOICE: each.value for each in told}


def assert_hinted_as_solved(whole: Best, first: Sequence[int]) -> None:
    """Compare what every choice is worth at a position, and which is best, with the solution of all positions."""
    mask = mask_of(first)
    index = int(np.searchsorted(whole.firsts.masks, least(mask)))
    deals = int(whole.firsts.orbits[index]) * 49 * comb(48, 6)
    solved = {NO_CHOICE: Fraction(int(whole.ends.stood[index] @ np.array(NETS[5:])), deals)}
    for discard in first:
        drawn = whole.ends.drawn[index, place_in_least(mask, discard)]
        solved[discard] = Fraction(int(drawn @ np.array(NETS[1:5])), deals * exchangeable(mask, discard))
    told = hinted(first, STAND_PAT)
    assert told == solved
    taken = NO_CHOICE if whole.choices[index] == STAND else discarded(whole, first)
    assert told[taken] == max(told.values())


def some_positions(number: int, seed: int) -> list[tuple[int, ...]]:
    """Return so many shuffled first fives that are no automatic winner."""
    bits, found = seeded_bits(seed), list[tuple[int, ...]]()
    while len(found) < number:
        first = tuple(shuffled(DECK_54, bits)[:5])
        if rules.hand_strength(TABLES, mask_of(first), PLAIN) < lowest(STRAIGHT):
            found.append(first)
    return found


def assert_as_enumerated(whole: Best, first: Sequence[int]) -> None:
    """Compare what is counted for every choice, and the choice."""
    mask = mask_of(first)
    index = int(np.searchsorted(whole.firsts.masks, least(mask)))
    enumerated = results_by_choice(first, wild_flush=0)
    times = int(whole.firsts.orbits[index])
    assert whole.ends.stood[index].tolist() == [times * count for count in enumerated[NO_CHOICE]]
    for discard in first:
        drawn = whole.ends.drawn[index, place_in_least(mask, discard)] // exchangeable(mask, discard)
        assert drawn.tolist() == [times * count for count in enumerated[discard]]
    values = {choice: booked[0] - booked[2] for choice, booked in enumerated.items()}
    deals = 49 * comb(48, 6)
    assert hinted(first, STAND_PAT) == {choice: Fraction(value, deals) for choice, value in values.items()}
    taken = NO_CHOICE if whole.choices[index] == STAND else discarded(whole, first)
    assert values[taken] == max(values.values())


def discarded(whole: Best, first: Sequence[int]) -> int:
    """Return a card that the best play discards from a first five that is no automatic winner."""
    mask = mask_of(first)
    place = whole.choices[np.searchsorted(whole.firsts.masks, least(mask))]
    return next(code for code in first if place_in_least(mask, code) == place)


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


@pytest.mark.compiled
@pytest.mark.parametrize("first", AIMED)
def test_a_position_is_counted_as_every_dealers_hand_met(whole: Best, first: str) -> None:
    codes = parse_cards(first, DECK_54)
    automatic = rules.automatic(TABLES, rules.deal([*codes, *range(5)], 1, 0, 0), STAND_PAT)
    assert not automatic
    assert_as_enumerated(whole, codes)


@pytest.mark.long
@pytest.mark.compiled
def test_dozens_of_positions_are_counted_as_every_dealers_hand_met(whole: Best) -> None:
    for first in [*(parse_cards(first, DECK_54) for first in MORE), *some_positions(40, 20_261_121)]:
        assert_as_enumerated(whole, first)


@pytest.mark.compiled
def test_dozens_of_hints_say_what_the_solution_does(whole: Best) -> None:
    for first in [*(parse_cards(first, DECK_54) for first in (*AIMED, *MORE)), *some_positions(45, 3)]:
        assert_hinted_as_solved(whole, first)


def aimed(whole: Best) -> list[tuple[int, ...]]:
    """Return sixty first fives that random ones seldom are.

    A third each: with both Jokers, of three of a kind, and those where the two best choices lie closest.
    """
    positions = np.flatnonzero(whole.choices != NO_CHOICE)
    chances = np.array(NETS[1:5])
    apart = np.empty(len(positions))
    for at, index in enumerate(positions):
        times = {
            place_in_least(mask, code): exchangeable(mask, code)
            for mask in [int(whole.firsts.masks[index])]
            for code in DECK_54.cards
            if mask >> code & 1
        }
        values = sorted(whole.ends.drawn[index, place] @ chances / each for place, each in times.items())
        apart[at] = (values[-1] - values[-2]) / whole.firsts.orbits[index] if len(values) > 1 else np.inf
    closest = whole.firsts.masks[positions[np.argsort(apart)[:20]]]
    masks = whole.firsts.masks[positions]
    jokers = masks[masks >> FIRST_JOKER == 3]
    made = strengths(masks)
    trips = masks[(made >= lowest(3)) & (made < lowest(STRAIGHT))]
    picked = [*closest, *jokers[:: len(jokers) // 20][:20], *trips[:: len(trips) // 20][:20]]
    return [tuple(code for code in DECK_54.cards if int(mask) >> code & 1) for mask in picked]


@pytest.mark.long
@pytest.mark.compiled
def test_two_hundred_hints_say_what_the_solution_does(whole: Best) -> None:
    positions = [*some_positions(140, 4), *aimed(whole)]
    assert len(positions) == 200
    for first in positions:
        assert_hinted_as_solved(whole, first)


@pytest.mark.compiled
def test_a_hint_follows_the_nets_and_the_options() -> None:
    first = parse_cards("As Ks 7s 4s Jk1", DECK_54)
    with pytest.raises(IllegalActionError, match="W6-2"):
        hinted(first, PLAIN)
    first = parse_cards("As Ks 7s 4d Jk1", DECK_54)
    plain, any_card = hinted(first, PLAIN), hinted(first, ANY_CARD)
    assert NO_CHOICE not in plain
    assert NO_CHOICE in any_card
    four_of_diamonds = parse_cards("4d", DECK_54)[0]
    assert any_card[four_of_diamonds] != plain[four_of_diamonds]
    view = rules.View(mask_of(first), 0, 0)
    only_ties = hint(Problem(STAND_PAT, (0, 0, 1, 0, 0, 0, 1, 0, 0)), view, 0)
    assert all(0 < each.value < Fraction(1, 100) for each in only_ties)


def test_no_side_wager_depends_on_the_discard() -> None:
    view = rules.View(mask_of(parse_cards("As Ks 7s 4d 2c", DECK_54)), 0, 0)
    with pytest.raises(ValueError, match="depends"):
        hint(Problem(PLAIN, NETS, beside={"draw-bonus": (0,)}), view, 0)


@pytest.mark.compiled
def test_the_poker_bet_costs_2_739_percent_and_standing_pat_never_helps(whole: Best) -> None:
    solved = solve(Problem(PLAIN, NETS))
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
    for bet, lines in solved.beside.items():
        assert sum(count for count, _ in lines) == deals
        assert sum(total for _, total in lines) == solved.counts[0] + solved.counts[1] - solved.counts[3], bet


@pytest.mark.long
@pytest.mark.compiled
def test_side_wagers_end_together_as_every_card_of_every_six_drawn(whole: Best) -> None:
    on_cards = [
        Decided(rules.queens_or_better_of, SHAPE[0], On.ALL_BUT_LAST),
        Decided(rules.taxpayers_fortune_of, SHAPE[1], On.FIRST_AND_LAST),
        Decided(rules.draw_bonus_of, SHAPE[2], On.ALL),
    ]
    for one, other in combinations(range(len(SIDES)), 2):
        left_out = (3, *({0, 1, 2} - {one, other}))
        enumerated = count_together(on_cards[one], on_cards[other], DECK_54.cards, 6, STAND_PAT)
        assert np.array_equal(enumerated * comb(48, 6), whole.outcomes.sum(axis=left_out))


@pytest.mark.compiled
def test_the_rules_played_by_hand_come_out_as_counted(whole: Best) -> None:
    rounds, bits = 12_000, seeded_bits(6_254)
    seen = [0] * 9
    for _ in range(rounds):
        deck = shuffled(DECK_54, bits)
        state = rules.deal(deck, 1, 0, 1)
        if rules.decision(TABLES, state, PLAIN) != NO_DECISION:
            state = rules.act(state, 0, rules.DISCARD, 1 << discarded(whole, sorted(deck[:5])))
        if rules.owed(TABLES, state, PLAIN):
            state = rules.receive(state, 1 << deck[10])
        state = rules.show(rules.dealer_receives(state, 1 << deck[11]))
        seen[rules.settle(TABLES, state, PLAIN)[0]] += 1
    counts = whole.outcomes.sum(axis=(0, 1, 2))
    for count, deals in zip(seen, counts.tolist(), strict=True):
        probability = deals / int(counts.sum())
        assert abs(count - rounds * probability) <= 4 * sqrt(rounds * probability * (1 - probability))


def test_a_result_depends_on_no_more_than_how_the_hands_compare_and_on_the_dealers_four_of_a_kind() -> None:
    made = sorted({rules.hand_strength(TABLES, mask_of(codes), PLAIN) for codes in combinations(range(0, 54, 3), 5)})
    made += [FOUR - 1, FOUR, FOUR + 1]
    seen: dict[tuple[int, bool, bool, bool], int] = {}
    for choice, mine, dealers in product((rules.DISCARDED, rules.STOOD), made[::3], made[::2]):
        compared = (choice, mine > dealers, mine == dealers, mine < dealers and dealers >= FOUR)
        outcome = rules.main_outcome(choice, mine, dealers)
        assert seen.setdefault(compared, outcome) == outcome
    assert len(seen) == 2 * 4


def test_exchanging_cards_of_a_pair_in_suits_alike_is_one_choice() -> None:
    mask = mask_of(parse_cards("5s 5h Kd Qd Jc", DECK_54))
    five_of_spades, five_of_hearts = parse_cards("5s 5h", DECK_54)
    assert exchangeable(mask, five_of_spades) == exchangeable(mask, five_of_hearts) == 2
    assert place_in_least(mask, five_of_spades) == place_in_least(mask, five_of_hearts)


def test_nets_too_large_to_weigh_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        best(WHOLE_DECK, PLAIN, (1 << 30, *NETS[1:]))
