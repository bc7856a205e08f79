"""Ruling LU-9 against a search through every way to form the first combination and every other one."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import comb
from typing import cast

import pytest

from oracle.lunar import BET, ORDER, best_combinations, hands_up_to_suits, paid_by_way, payable, total
from pitboss.cards import DECK_52, draw_below, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.core.errors import PayTableError
from pitboss.games.lunar import GAME
from pitboss.games.lunar.combinations import (
    ACE_KING,
    NO_COMBINATION,
    SECONDS_OF_FIVE,
    SECONDS_OF_SIX,
    STRAIGHT_AND_PAIR,
    TWO_STRAIGHTS,
    find_first_combination,
    find_second_combination,
    number_pair,
)
from pitboss.hands import ROYAL_FIRST, evaluate_strength, get_category_name, load_hand_tables, pack_lowest_strength
from pitboss.paytables import parse_paytables
from refusals import refusal

ACE_LOW_SIDE = (2, 3, 4, 5, 13, 14)
ACE_HIGH_SIDE = (9, 10, 11, 12, 13, 14)
ALL_RANKS = range(2, 15)

TOTALS = [  # ruling LU-9, with a hand for each
    ("four-of-a-kind full-house", 27, "9s 9h 9d 9c 4s 4h"),
    ("four-of-a-kind ace-king", 21, "As Ah Ad Ac Ks 4h"),
    ("full-house full-house", 14, "9s 9h 9d 4s 4h 4c"),
    ("full-house ace-king", 8, "As Ah Ad Qs Qh Kc"),
    ("flush flush", 10, "As Js 9s 7s 4s 2s"),
    ("flush straight", 9, "Ks 9s 8s 7s 6s 5h"),
    ("flush pair", 6, "As Js 9s 7s 4s 4h"),
    ("flush ace-king", 6, "As Js 9s 7s 4s Kh"),
    ("straight straight", 8, "9s 8h 7d 6c 5s 4h"),
    ("straight ace-king", 5, "As 2h 3d 4c 5s Kh"),
    ("three-of-a-kind ace-king", 4, "9s 9h 9d As Kh 4c"),
    ("two-pair two-pair", 4, "9s 9h 7d 7c 5s 5h"),
    ("two-pair ace-king", 3, "As Ah 9d 9c Ks 5h"),
    ("pair ace-king", 2, "9s 9h As Kh 7d 4c"),
    ("royal-flush straight-flush", 150, "As Ks Qs Js Ts 9s"),
    ("royal-flush flush", 105, "As Ks Qs Js Ts 2s"),
    ("royal-flush straight", 104, "As Ks Qs Js Ts Ah"),
    ("straight-flush straight-flush", 100, "9s 8s 7s 6s 5s 4s"),
    ("straight-flush flush", 55, "9s 8s 7s 6s 5s 2s"),
    ("straight-flush straight", 54, "9s 8s 7s 6s 5s Th"),
    ("straight-flush ace-king", 51, "5s 4s 3s 2s As Kh"),
]
AMOUNTS = {lines: amount for lines, amount, _ in TOTALS}


def name_of(combination: int) -> str:
    return "ace-king" if combination == ACE_KING else get_category_name(pack_lowest_strength(combination))


def lines_of(mask: int, paired_straight: int = TWO_STRAIGHTS) -> tuple[str, ...]:
    first = find_first_combination(evaluate_strength(load_hand_tables(), mask, 0, ROYAL_FIRST))
    second = find_second_combination(mask, first, paired_straight)
    return tuple(name_of(combination) for combination in (first, second) if combination != NO_COMBINATION)


def lines_of_text(text: str, paired_straight: int = TWO_STRAIGHTS) -> tuple[str, ...]:
    return lines_of(make_mask(parse_cards(text, DECK_52)), paired_straight)


def compare(ranks: Collection[int], cards: int) -> Counter[tuple[str, ...]]:
    """Check every hand of these ranks, and return how many hands are paid on which lines."""
    counts: Counter[tuple[str, ...]] = Counter()
    for hand, weight in hands_up_to_suits(ranks, cards):
        lines = lines_of(make_mask(hand))
        assert lines == best_combinations(hand), hand
        counts[lines] += weight
    assert counts.total() == comb(4 * len(ranks), cards)
    return counts


@pytest.mark.parametrize(("lines", "amount", "hand"), TOTALS, ids=[lines for lines, _, _ in TOTALS])
def test_every_total_of_the_ruling(lines: str, amount: int, hand: str) -> None:
    assert " ".join(lines_of_text(hand)) == lines
    assert total(lines_of_text(hand)) == amount


@pytest.mark.more
@pytest.mark.parametrize("ranks", [ACE_LOW_SIDE, ACE_HIGH_SIDE], ids=["low", "high"])
@pytest.mark.parametrize("cards", [5, 6])
def test_all_hands_of_six_ranks_are_paid_the_largest_total(ranks: Collection[int], cards: int) -> None:
    counts = compare(ranks, cards)
    assert {" ".join(lines) for lines in counts if len(lines) == 2} <= set(AMOUNTS)


def test_the_totals_of_the_ruling_are_the_only_ones_and_all_occur() -> None:
    described = {
        f"{name_of(first)} {name_of(second)}": BET[name_of(first)] + BET[name_of(second)]
        for first, seconds in SECONDS_OF_SIX.items()
        for second in seconds
    }
    assert described.pop("straight pair") == 5  # only with the option
    assert described == AMOUNTS


@pytest.mark.parametrize("option", [TWO_STRAIGHTS, STRAIGHT_AND_PAIR])
@pytest.mark.parametrize("cards", [5, 6])
def test_random_hands_are_paid_the_largest_total(cards: int, option: int) -> None:
    bits = seeded_bits(9)
    for _ in range(1500):
        hand = shuffle_deck(DECK_52, bits)[:cards]
        searched = best_combinations(hand, paired_straight=("two_straights", "straight_and_pair")[option])
        assert lines_of(make_mask(hand), option) == searched, hand


def bet_table(pays: Mapping[str, int]) -> dict[str, object]:
    lines = dict(pays)
    return {"paytable": [{"id": "mine", "bet": "main", "table": "bet", "unit": "to_one", "lines": lines}]}


def refused(pays: Mapping[str, int]) -> str:
    try:
        parse_paytables(bet_table(pays), GAME, "mine")
    except PayTableError as error:
        return str(error)
    return ""


WITNESSES = {  # for each order of pays that the rules rely on, hands that make both lines with their first
    ("straight-flush", "flush"): "As Ks Qs Js Ts 9s",
    ("full-house", "three-of-a-kind"): "9s 9h 9d 4s 4h 4c",
    ("full-house", "two-pair"): "9s 9h 9d 9c 4s 4h",
    ("full-house", "pair"): "9s 9h 9d 9c 4s 4h",
    ("full-house", "ace-king"): "As Ah Ad Ks Kh Kc",
    ("flush", "ace-king"): "As Ks 9s 7s 4s 2s",
    ("straight", "pair"): "9s 8h 7d 6c 5s 5h",
    ("straight", "ace-king"): "As Kh Qd Jc Ts Kc",
    ("two-pair", "pair"): "9s 9h 7d 7c 5s 5h",
    ("two-pair", "ace-king"): "As Ah Kd Kc 5s 5h",
    ("pair", "ace-king"): "As Js 9s 7s Ks Kh",
}


def test_every_order_of_pays_is_declared_once_and_has_a_hand_that_needs_it() -> None:
    declared = [(order.line, other) for order in GAME.wagers[0].pay_orders for other in order.lower_lines]
    assert sorted(declared) == sorted(WITNESSES)
    for (line, other), text in WITNESSES.items():
        pays = {**dict.fromkeys(BET, 10), other: 11}
        said = refused(pays)
        assert f"line '{other}' pays 11, more than" in said
        assert "(LU-9)" in said
        hand = parse_cards(text, DECK_52)
        assert lines_of(make_mask(hand))[1] == line
        assert total(lines_of(make_mask(hand)), pays) < max(total(lines, pays) for lines in payable(hand))


def test_under_any_pays_the_best_combinations_are_paid_or_the_table_is_refused() -> None:
    """Hands of each kind are settled by the rule and by the letter of LU-9 under pays in any order."""
    bits = seeded_bits(14)
    hands = [shuffle_deck(DECK_52, bits)[:cards] for cards in (5, 6) for _ in range(60)]
    hands += [parse_cards(text, DECK_52) for text in (*WITNESSES.values(), *(text for _, _, text in TOTALS))]
    settled = {
        (lines_of(make_mask(hand), code), frozenset(payable(hand, paired_straight=option)))
        for hand in hands
        for code, option in enumerate(("two_straights", "straight_and_pair"))
    }
    taken = 0
    for number in range(200):
        amounts = [draw_below(40, bits) for _ in BET]
        if number % 2:  # half of them nearly in order, as most that a casino writes
            amounts.sort(reverse=True)
            amounts[draw_below(10, bits)] += draw_below(5, bits)
        pays = dict(zip(BET, amounts, strict=True))
        wrong = [
            (paid, could)
            for paid, could in settled
            if total(paid, pays) != max((total(lines, pays) for lines in could if lines != ("",)), default=0)
        ]
        assert bool(refused(pays)) is bool(wrong), (pays, wrong[:1])
        taken += not wrong
    assert 20 < taken < 180


def test_two_lines_paid_together_are_written_to_one() -> None:
    document = bet_table(BET)
    (table,) = cast("list[dict[str, object]]", document["paytable"])
    with pytest.raises(PayTableError, check=refusal("wrong-unit", name="royal-flush", kind="bet")):
        parse_paytables({"paytable": [{**table, "unit": "for_one"}]}, GAME, "mine")


def test_under_the_default_table_no_lower_combination_pays_more() -> None:
    assert sorted(BET.values(), reverse=True) == [BET[line] for line in ORDER]


@pytest.mark.more
@pytest.mark.parametrize("ranks", [ACE_LOW_SIDE, ACE_HIGH_SIDE], ids=["low", "high"])
def test_the_way_of_forming_the_first_never_matters(ranks: Collection[int]) -> None:
    for hand, _ in hands_up_to_suits(ranks, 6):
        assert len(set(paid_by_way(hand))) <= 1


def test_a_straight_with_a_paired_rank_is_two_straights_or_a_straight_and_a_pair() -> None:
    paired = "9s 8h 7d 6c 5s 5h"
    assert lines_of_text(paired) == ("straight", "straight")
    assert lines_of_text(paired, STRAIGHT_AND_PAIR) == ("straight", "pair")


def test_a_straight_of_six_ranks_is_two_straights_whatever_the_option() -> None:
    assert lines_of_text("9s 8h 7d 6c 5s 4h", STRAIGHT_AND_PAIR) == ("straight", "straight")


def test_a_straight_with_a_straight_flush_is_one_whatever_the_option() -> None:
    assert lines_of_text("9s 8s 7s 6s 5s 5h", STRAIGHT_AND_PAIR) == ("straight-flush", "straight")


def test_aces_and_kings_hold_no_ace_king_outside_their_two_pair() -> None:
    assert lines_of_text("As Ah Kd Kc 7s") == ("two-pair",)
    assert lines_of_text("As Ah Kd Kc 7s 4h") == ("two-pair",)


def test_an_ace_king_inside_the_first_combination_is_no_second() -> None:
    assert lines_of_text("As Ks 9s 5s 3s 2h") == ("flush",)


def test_five_cards_can_have_a_second_combination() -> None:
    assert lines_of_text("As Ah Kd 7c 2s") == ("pair", "ace-king")


def test_below_ace_king_there_is_no_combination() -> None:
    assert lines_of_text("As Qh Jd 7c 2s 3h") == ()


def test_of_two_that_pay_alike_the_higher_is_named() -> None:
    assert lines_of_text("As Ks 9s 5s 3s Kh") == ("flush", "pair")


def numbers(seconds: Mapping[int, Sequence[int]], cards: int) -> list[int]:
    listed = ((first, second) for first, others in seconds.items() for second in (NO_COMBINATION, *others))
    return [number_pair(first, second, cards) for first, second in listed]


def test_pairs_are_numbered_in_printed_order_without_gaps() -> None:
    assert numbers(SECONDS_OF_FIVE, 5) == list(range(14))
    assert numbers(SECONDS_OF_SIX, 6) == list(range(32))


@pytest.mark.long
def test_all_hands_of_five_cards_are_paid_the_largest_total() -> None:
    counts = compare(ALL_RANKS, 5)
    possible = {(name_of(first), name_of(second)) for first, others in SECONDS_OF_FIVE.items() for second in others}
    assert {lines for lines in counts if len(lines) == 2} == possible
    assert counts["four-of-a-kind", "ace-king"] == 2 * 4
    assert counts["full-house",] == 3744


@pytest.mark.long
def test_all_hands_of_six_cards_are_paid_the_largest_total() -> None:
    counts = compare(ALL_RANKS, 6)
    assert {" ".join(lines) for lines in counts if len(lines) == 2} == set(AMOUNTS)
    suited_straights = {
        ("royal-flush", "straight-flush"): 4,
        ("royal-flush", "flush"): 4 * 7,
        ("royal-flush", "straight"): 4 * (3 * 5 + 3),
        ("royal-flush",): 4 * (47 - 8 - 18),
        ("straight-flush", "straight-flush"): 4 * 8,
        ("straight-flush", "ace-king"): 4 * 3,
    }
    assert {lines: counts[lines] for lines in suited_straights} == suited_straights
    assert counts["four-of-a-kind", "full-house"] == 13 * 12 * 6
    assert counts["four-of-a-kind", "ace-king"] == 2 * 4 * 44 + 11 * 4 * 4
    assert counts["full-house", "full-house"] == comb(13, 2) * 4 * 4
    assert counts["full-house", "ace-king"] == 4 * 11 * 4 * 6 * 4
    assert counts["two-pair", "two-pair"] == comb(13, 3) * 6**3
    by_first = Counter[str]()
    for lines, count in counts.items():
        by_first[lines[0] if lines else ""] += count
    assert by_first["straight-flush"] == 1656
    assert by_first["four-of-a-kind"] == 14_664
    assert by_first["full-house"] == 165_984
    assert by_first["flush"] == 205_792
    assert by_first["straight"] == 361_620
    assert by_first["three-of-a-kind"] == 732_160
    assert by_first["two-pair"] == 2_532_816
    assert by_first["pair"] == 9_730_740
    assert by_first["ace-king"] + by_first[""] == 6_612_900
