"""The strategies of Shifting Wilds line by line, each at positions where the exact values say the same."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.games import load_game
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.hints import hint
from pitboss.hands import HIGH_CARD, PAIR, get_category, get_first_rank, load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem
from pitboss.strategies import get_strategy, load_strategies

GAME = load_game("shifting-wilds")
PROBLEM = SolverProblem(
    encode_options(GAME, resolve_options(GAME, {})), compute_main_nets(GAME, select_paytables(GAME))
)


def view(text: str) -> tuple[rules.ShiftingView, int]:
    """Read the own four cards, the community cards, W1 and, if it lies open, W2; and which decision is asked."""
    codes = parse_cards(text, DECK_52)
    w2 = make_mask(codes[7:])
    return rules.ShiftingView(make_mask(codes[:4]), 0, make_mask(codes[4:6]), 1 << codes[6], w2), 1 if w2 else 0


def taken(strategy: str, text: str) -> str:
    """Return what a strategy does at a position."""
    seen, asked = view(text)
    written = get_strategy(GAME, strategy)
    action, cards = written.choose(load_hand_tables(), seen, asked, written.numbers, PROBLEM.options)
    assert cards == 0
    found: str = GAME.decisions[asked].actions[action].id
    return found


# The own four cards, the community cards, W1 and then W2.
PRACTICAL = {
    # W1 makes another sort of hand.
    "Kd 9s 7h 2c Qh 4s 9d": "lock",  # with a wild card a pair of kings
    "Js 9s 6s 2c Th 4s 6d": "lock",  # and a pair of jacks, though four are of one suit
    "Kd Ks 7h 2c Qh 4s Qd": "lock",  # two pair
    "9s 9c 7h 2c Qh 4s 9d": "lock",  # three of a kind
    "9s 8c 7h 2c 6h Ks Td": "lock",  # a straight
    "9s 8s 7s 2c 3s Kd Ts": "lock",  # a flush
    "9s 9c 7h 7c 4h 7d 9d": "lock",  # four of a kind of a full house
    # A pair of the higher community card is locked, another from jacks up, with a draw from kings up.
    "Kd 8s 6h 2c Jh 4s Jd": "lock",
    "Kd Js 7h 2c Qh 4s 4d": "check",
    "Kd Js 9h 8c 6h 4s 6d": "lock",
    "Kd Qs 8h 3c 4h 2s 4d": "lock",
    "Kd Js 6h 2c Qh 8s 8d": "check",
    "Kd 8s 6h 2c Ah Js Jd": "lock",
    "9s 3c 2h 8c Jh 4s Jd": "lock",
    "9s 8c 6h 2c Jh 5s Jd": "check",  # four to a straight
    "As 3c 2h Jc 8h 4s 8d": "check",  # four to the lowest straight
    "9s 8s 6s 2c Js 4h Jd": "check",  # four to a flush
    "Qs 9s 6s 2c Ks 4h Kd": "lock",
    # What one holds without W1 is not locked.
    "Kd Ks 7h 2c Qh 4s Td": "check",
    "9s 8c 7h 2c 6h 5s Kd": "check",  # a straight
    "9s 8s 7s 2s 3s Kd Kc": "check",  # a flush
    "Ad Kd 9s 7h 5h 3c Qc": "check",
    # A pair or better of one's own is played.
    "Kd 9s 7h 2c Qh 4s Jd Kc": "play",
    "Kd Ks 7h 2c Qh 4s Jd 8c": "play",
    "Kd 9s 8h 3c Qh 4s Jd 3h": "play",
    "Kd 9s 7h 2c Qh Qs Jd 7c": "play",  # two pair, one of them on the table
    "Kd 9s 7h 2c Th Js Ad Qc": "play",  # a straight
    # A pair below both community cards is played from sixes up, whatever W2.
    "7s 7c Kd Qh 9h Js 3d 8c": "play",
    "4s 4c Ad Kh 9h Js 3d 8c": "fold",
    "4s 4c Ad Kh 9h Js 7d 2c": "fold",
    "5s 5c Ad Qh 9h 4s 7d 8c": "play",
    # A pair on the table needs the highest card beside it.
    "Ad 9s 7h 2c Qh Qs Jd 8c": "play",
    "Kd Ts 7h 2c Qh Qs Jd 8c": "fold",
    "Kd Ts 7h 2c Qh Qs Jd Ac": "play",
    "Jd 9s 7h 2c Qh Qs 3d 8c": "fold",
    # Beside three of a kind on the table a queen will do.
    "Ad 9s 7h 2c Qh Qs Jd Qc": "play",
    "Qd Js Th 2c 5h 5s 3d 5c": "play",
    "Jd 9s 7h 2c Qh Qs 3d Qc": "fold",
    # Less than a pair is folded.
    "Ad Ks 9h 2c Qh 8s 3d 4c": "fold",
}


@pytest.mark.parametrize(("text", "action"), PRACTICAL.items())
def test_the_practical_strategy_does_what_its_lines_say(text: str, action: str) -> None:
    assert taken("practical", text) == action


@pytest.mark.compiled
@pytest.mark.parametrize(("text", "action"), PRACTICAL.items())
def test_there_the_exact_values_say_the_same(text: str, action: str) -> None:
    valued = hint(PROBLEM, *view(text), lambda _done, _total: None)
    assert max(valued, key=lambda each: each.value).action == action


def test_simpler_strategies_do_what_their_lines_say() -> None:
    locked, low_pair, nothing = "9s 9c 7h 2c Qh 4s 9d", "Kd Js 7h 2c Qh 4s 4d", "Ad Kd 9s 7h 5h 3c Qc"
    on_table, high_card = "Jd 9s 7h 2c Qh Qs 3d 8c", "Ad Ks 9h 2c Qh 8s 3d 4c"
    asked = (locked, low_pair, nothing, on_table, high_card)
    expected = {
        "simple": ["lock", "lock", "check", "play", "fold"],
        "mimic-the-dealer": ["check", "check", "check", "play", "fold"],
        "always-play": ["check", "check", "check", "play", "play"],
        "always-lock": ["lock", "lock", "lock"],
    }
    for strategy, actions in expected.items():
        assert [taken(strategy, text) for text in asked[: len(actions)]] == actions
    assert {strategy.id for strategy in load_strategies(GAME)} == {"practical", *expected}


def test_who_mimics_the_dealer_minds_what_the_dealer_qualifies_with() -> None:
    written = get_strategy(GAME, "mimic-the-dealer")
    seen, asked = view("Kd 9s 7h 2c Qh 7s Jd Tc")
    for lowest, action in (("pair-of-7", "play"), ("pair-of-8", "fold")):
        codes = encode_options(GAME, resolve_options(GAME, {"dealer_qualifies": lowest}))
        index = written.choose(load_hand_tables(), seen, asked, written.numbers, codes)[0]
        assert GAME.decisions[asked].actions[index].id == action


# Where the numbers of the practical strategy come from: positions of a kind, by the rank of what decides.

Shuffled = Callable[[], list[int]]


def draws(six: int) -> bool:
    """Tell whether six cards of different ranks hold four of a suit, or four ranks of a straight."""
    ranks = {card % 13 + 2 for card in range(52) if six >> card & 1}
    ranks |= {1} if 14 in ranks else set()
    straight = any(len(ranks & set(range(low, low + 5))) >= 4 for low in range(1, 11))
    return straight or any((six >> 13 * suit & 8191).bit_count() >= 4 for suit in range(4))


def pairs_by_w1(rank: int, shuffle: Shuffled, *, beside_draw: bool) -> Iterator[rules.ShiftingView]:
    """Yield first decisions where W1 and the lower community card, or with a draw any, are the only pair."""
    while True:
        cards = shuffle()
        pair = [card for card in cards if card % 13 + 2 == rank][:2]
        others = [card for card in cards if card % 13 + 2 != rank][:5]
        seen = rules.ShiftingView(make_mask(others[:4]), 0, make_mask((others[4], pair[0])), 1 << pair[1], 0)
        six = seen.player | seen.community
        without = rules.rank_hand(load_hand_tables(), seen.player, seen.community, 0, PROBLEM.options)
        locked = rules.rank_hand(load_hand_tables(), seen.player, seen.community, seen.w1, PROBLEM.options)
        lower = others[4] % 13 + 2 > rank
        right = draws(six) if beside_draw else lower and not draws(six)
        if (get_category(without), get_category(locked)) == (HIGH_CARD, PAIR) and right:
            yield seen


def checked(seen: rules.ShiftingView) -> bool:
    """Tell whether the practical strategy checks at the first decision of this position."""
    practical, options = load_strategies(GAME)[0], PROBLEM.options
    action: int = practical.choose(load_hand_tables(), seen._replace(w2=0), 0, practical.numbers, options)[0]
    return action == rules.CHECK


def pairs_below_community(rank: int, shuffle: Shuffled) -> Iterator[rules.ShiftingView]:
    """Yield second decisions with a pair of this rank among the own cards and nothing else, below the open cards."""
    while True:
        cards = shuffle()
        pair = [card for card in cards if card % 13 + 2 == rank][:2]
        community = [card for card in cards if card % 13 + 2 > rank][:2]
        others = [card for card in cards if card % 13 + 2 != rank and card not in community][:4]
        seen = rules.ShiftingView(
            make_mask((*pair, *others[:2])), 0, make_mask(community), 1 << others[2], 1 << others[3]
        )
        made = rules.rank_hand(load_hand_tables(), seen.player, seen.community, seen.w2, PROBLEM.options)
        if get_category(made) == PAIR and get_first_rank(made) == rank and checked(seen):
            yield seen


def kickers_beside_three(rank: int, shuffle: Shuffled) -> Iterator[rules.ShiftingView]:
    """Yield second decisions with three of a kind on the table and this rank the highest of four own cards."""
    while True:
        cards = shuffle()
        three = [card for card in cards if card % 13 == cards[0] % 13][:3]
        own = [card for card in cards if card % 13 + 2 <= rank and card % 13 != cards[0] % 13][:4]
        w1 = next(card for card in cards if card not in (*three, *own))
        seen = rules.ShiftingView(make_mask(own), 0, make_mask(three[:2]), 1 << w1, 1 << three[2])
        ranks = {card % 13 + 2 for card in own}
        if len(ranks) == 4 and max(ranks) == rank and cards[0] % 13 != 12 and checked(seen):
            yield seen


def gain(seen: rules.ShiftingView, action: str) -> float:
    """Return by how much an action beats the other."""
    asked = 1 if seen.w2 else 0
    valued = {each.action: each.value for each in hint(PROBLEM, seen, asked, lambda _done, _total: None)}
    return float(2 * valued[action] - sum(valued.values()))


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("number", "action", "positions", "count"),
    [
        (0, "lock", lambda rank, shuffle: pairs_by_w1(rank, shuffle, beside_draw=False), 150),
        (1, "lock", lambda rank, shuffle: pairs_by_w1(rank, shuffle, beside_draw=True), 150),
        (2, "play", pairs_below_community, 400),
        (3, "play", kickers_beside_three, 200),
    ],
)
def test_a_rank_above_a_number_the_action_pays_and_a_rank_below_it_costs(
    number: int, action: str, positions: Callable[[int, Shuffled], Iterator[rules.ShiftingView]], count: int
) -> None:
    """On average over positions of a fixed seed, each by its exact values; by more than a standard error."""
    generator = np.random.default_rng(number)

    def shuffle() -> list[int]:
        return [int(card) for card in generator.permutation(52)]

    rank = load_strategies(GAME)[0].numbers[number]
    for step in (1, -1):
        found = positions(rank + step, shuffle)
        gains = [step * gain(next(found), action) for _ in range(count)]
        assert np.mean(gains) > np.std(gains) / count**0.5
