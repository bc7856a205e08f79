"""Shifting Wilds clause by clause, and its settlement against a slow one written from the sheet."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

import pytest

from oracle.naive import ORDER, Hand, best_hand
from pitboss.cards import DECK_52, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.errors import WagerError
from pitboss.games.shifting_wilds import GAME, rules
from pitboss.hands import NO_HAND, format_hand, get_category_name, load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.table.round import Stake, open_round
from refusals import refusal

TABLES = load_hand_tables()
BETS = tuple(wager.id for wager in GAME.wagers)
PATHS = {"lock": (1,), "play": (0, 0), "fold": (0, 1)}


def codes(**options: str) -> rules.ShiftingOptions:
    """Return the option codes, defaults where nothing is said."""
    made: rules.ShiftingOptions = encode_options(GAME, resolve_options(GAME, options))
    return made


def cards(text: str) -> tuple[int, ...]:
    """Read cards."""
    return parse_cards(text, DECK_52)


def mask(text: str) -> int:
    """Read a set of cards."""
    return make_mask(cards(text))


def decided(deck: Sequence[int], path: str) -> rules.ShiftingState:
    """Deal one seat and take it down a path, the dealer's hand still closed."""
    state = rules.deal(deck, 1, 0, 0)
    for action in PATHS[path]:
        state = rules.act(state, rules.next_decision(TABLES, state, codes()), action, 0)
    return state


def seat(w1: str, w2: str, community: str, player: str, dealer: str, path: str) -> rules.ShiftingState:
    """Deal these cards and take the seat down a path, the dealer's hand still closed."""
    return decided(cards(f"{w1} {w2} {community} {player} {dealer}"), path)


def named(outcomes: Iterable[int]) -> dict[str, str]:
    """Return what each wager came to."""
    return {
        wager.id: wager.outcomes[index].name
        for wager, index in zip(GAME.wagers, outcomes, strict=True)
        if index != UNSETTLED
    }


def shown(state: rules.ShiftingState, **options: str) -> dict[str, str]:
    """Open the dealer's hand and name what each wager came to."""
    return named(rules.settle(TABLES, rules.show_dealer(state), codes(**options)))


def net(bet: str, outcome: str, *selections: str) -> int:
    """Return what a named outcome nets, in units."""
    wager = GAME.wagers[BETS.index(bet)]
    found = next(each for each in wager.outcomes if each.name == outcome)
    cents = compute_outcome_net(found, select_paytables(GAME, selections), 100)
    assert cents.denominator == 1
    return cents.numerator // 100


# The deal and the decisions.


def test_indicators_and_community_cards_come_first_then_the_seats_then_the_dealer() -> None:
    deck = tuple(range(52))
    assert rules.count_dealt(6) == 32
    assert sum(zone.cards * (6 if zone.destination == "seat" else 1) for zone in GAME.deal_order) == 32
    state = rules.deal(deck, 6, 2, 0)
    assert (state.w1, state.w2, state.community) == (1 << 0, 1 << 1, 0b1100)
    assert state.player == make_mask(range(12, 16))
    assert state.dealer == make_mask(range(28, 32))


def test_w2_is_seen_after_the_first_decision_and_the_dealer_at_the_end() -> None:
    state = rules.deal(tuple(range(52)), 1, 0, 0)
    assert rules.view(state) == rules.ShiftingView(state.player, 0, state.community, state.w1, 0)
    state = rules.act(state, 0, 0, 0)
    assert rules.view(state) == rules.ShiftingView(state.player, 0, state.community, state.w1, state.w2)
    assert rules.view(rules.show_dealer(state)).dealer == state.dealer


def test_lock_ends_the_decisions_and_a_check_leads_to_play_or_fold() -> None:
    state = rules.deal(tuple(range(52)), 1, 0, 0)
    assert rules.next_decision(TABLES, state, codes()) == 0
    assert rules.next_decision(TABLES, rules.act(state, 0, 1, 0), codes()) == NO_DECISION
    checked = rules.act(state, 0, 0, 0)
    assert rules.next_decision(TABLES, checked, codes()) == 1
    for action in (0, 1):
        assert rules.next_decision(TABLES, rules.act(checked, 1, action, 0), codes()) == NO_DECISION
    assert rules.legal_actions(TABLES, rules.view(state), 0, 0, codes()) == 0b11


def test_a_seat_that_does_not_answer_checks_and_later_folds() -> None:
    assert [decision.timeout_action for decision in GAME.decisions] == ["check", "fold"]


def test_equal_values_are_booked_as_check_and_as_play() -> None:
    assert [decision.actions[0].id for decision in GAME.decisions] == ["check", "play"]


def test_lock_and_play_cost_one_ante_each() -> None:
    stakes = {action.id: (action.stake, action.circle) for each in GAME.decisions for action in each.actions}
    assert stakes == {"check": (0, ""), "lock": (1, "lock"), "play": (1, "play"), "fold": (0, "")}


def test_ante_and_blind_are_placed_together() -> None:
    assert GAME.wagers[0].circles == ("ante", "blind")
    assert GAME.wagers[0].mandatory


def test_regular_bonus_is_at_most_the_ante() -> None:
    now = open_round(GAME).place_wager(Stake(0, "main", 1000))
    assert now.place_wager(Stake(0, "regular-bonus", 1000)).deal(DECK_52.cards).is_dealt
    with pytest.raises(WagerError, check=refusal("out-of-step", seat=0, staked="Regular Bonus is $11", ruling="SW-6")):
        now.place_wager(Stake(0, "regular-bonus", 1100)).deal(DECK_52.cards)


# The hands.


def test_only_own_cards_of_the_indicators_rank_are_wild() -> None:
    assert rules.find_wild_cards(mask("9s 9c 4h Ks"), mask("9h")) == mask("9s 9c")
    assert rules.find_wild_cards(mask("8s Tc 4h Ks"), mask("9h")) == 0


def test_the_indicator_and_the_community_cards_are_used_as_they_are() -> None:
    made = rules.rank_hand(TABLES, mask("9s 4h 4s Jc"), mask("4d 9d"), mask("9h"), codes())
    assert format_hand(made) == "four of a kind, fours"
    made = rules.rank_hand(TABLES, mask("Ts Jc Qd 2h"), mask("Kd 3s"), mask("Ah"), codes())
    assert format_hand(made) == "straight, ace high"


def test_the_seats_hand_is_read_by_its_own_indicator_and_the_dealers_once_open() -> None:
    closed = seat("9h", "4c", "Kd 2c", "9s Js 4h 7s", "4d Kh Qc 8s", "lock")
    mine, dealers = rules.evaluate_hands(TABLES, closed, codes())
    assert (format_hand(mine), dealers) == ("pair of kings", NO_HAND)
    played = rules.show_dealer(seat("9h", "4c", "Kd 2c", "9s Js 4h 7s", "4d Kh Qc 8s", "play"))
    assert [get_category_name(each) for each in rules.evaluate_hands(TABLES, played, codes())] == [
        "pair",
        "three-of-a-kind",
    ]


# The showdown.


def test_a_fold_loses_main_regular_bonus_and_bad_beat_at_once() -> None:
    state = seat("2c", "7d", "3h Jd", "As Ks 4d 9c", "Qh Qd 8s 5c", "fold")
    assert named(rules.settle(TABLES, state, codes())) == {"main": "fold", "regular-bonus": "lose", "bad-beat": "lose"}
    assert net("main", "fold") == -2


def test_blackjack_stands_after_a_fold() -> None:
    state = seat("2c", "7d", "3h Jd", "As Ks 4d 9c", "Qh Qd 8s 5c", "fold")
    assert shown(state) == {
        "main": "fold",
        "regular-bonus": "lose",
        "bad-beat": "lose",
        "blackjack-bonus": "suited-blackjack",
    }


def test_nothing_else_is_decided_before_the_dealer_opens() -> None:
    state = seat("9h", "2c", "4d Ks", "9s 4h 4s Jc", "Ah Kd 7c 3d", "lock")
    assert named(rules.settle(TABLES, state, codes())) == {}


def test_dealer_below_a_pair_pushes_the_ante_and_still_meets_lock_and_blind() -> None:
    dealt = ("3c", "8d", "2h 6s", "Ah 3d 9s Jc", "Ks Th 7c 5d")
    assert shown(seat(*dealt, "lock"))["main"] == "lock-win-not-qualified"
    assert net("main", "lock-win-not-qualified") == 1
    behind = ("3c", "8d", "2h 6s", "Qs Jd 9h 4c", "Ks Th 7c 5d")
    assert shown(seat(*behind, "play"))["main"] == "play-lose-not-qualified"
    assert net("main", "play-lose-not-qualified") == -2


def test_a_dealers_pair_by_a_wild_card_or_on_the_board_qualifies() -> None:
    by_wild = seat("3c", "8d", "2h 6s", "Ah Ad 9s Jc", "8s Th 7c 5d", "play")
    assert shown(by_wild)["main"] == "play-lose-qualified"  # six to ten is a straight
    on_board = seat("3c", "Td", "2h 2s", "Ah Ad 9s Jc", "8s Qh 7c 5d", "play")
    assert shown(on_board)["main"] == "play-win-qualified"


def test_the_qualifier_can_be_set() -> None:
    state = seat("Kc", "8c", "Th 6s", "Ts Td 4c 2h", "9s 9d Qc 3h", "play")
    assert shown(state)["main"] == "play-win-qualified"
    assert shown(state, dealer_qualifies="pair-of-9")["main"] == "play-win-qualified"
    assert shown(state, dealer_qualifies="pair-of-T")["main"] == "play-win-not-qualified"
    high = seat("3c", "8d", "2h 6s", "Ah 3d 9s Jc", "Ks Th 7c 5d", "lock")
    assert shown(high, dealer_qualifies="ace-king")["main"] == "lock-win-not-qualified"
    assert shown(high, dealer_qualifies="always")["main"] == "lock-win-qualified"


def test_the_dealer_is_bound_to_w2_whatever_the_seat_does() -> None:
    lock = seat("4h", "Qd", "7d 3c", "Qh Qc 9s 9d", "Qs 7h 7c 2d", "lock")
    assert shown(lock)["main"] == "lock-lose-qualified"
    play = seat("4h", "Qd", "7d 3c", "Qh Qc 9s 9d", "4s 7h 7c 2d", "play")
    assert shown(play)["main"] == "play-win-qualified-four-of-a-kind"


def test_w1_is_dead_after_a_play() -> None:
    dealt = ("8h", "Jc", "8d 2s", "8s Kd Kh 5c", "Ah Ac 4d 4s")
    assert shown(seat(*dealt, "play"))["main"] == "play-lose-qualified"
    assert shown(seat(*dealt, "lock"))["main"] == "lock-win-qualified"


def test_the_blind_pays_from_four_of_a_kind_up_also_against_an_unqualified_dealer() -> None:
    paid = {"": 0, "-four-of-a-kind": 1, "-straight-flush": 2, "-five-of-a-kind": 5, "-royal-flush": 7}
    for path in ("lock", "play"):
        for line, blind in paid.items():
            assert net("main", f"{path}-win-qualified{line}") == 2 + blind
            assert net("main", f"{path}-win-not-qualified{line}") == 1 + blind
        assert net("main", f"{path}-tie-qualified") == net("main", f"{path}-tie-not-qualified") == 0
        assert net("main", f"{path}-lose-qualified") == -3


def test_a_royal_flush_with_wild_cards_ties_a_natural_one() -> None:
    state = seat("5c", "Th", "Qh Jh", "5s 5d 5h 2c", "Ah Kh 9s 3d", "lock")
    assert shown(state)["main"] == "lock-tie-qualified"


def test_a_royal_flush_beats_five_of_a_kind_and_that_a_straight_flush() -> None:
    royal = seat("6d", "Ac", "Ts Js", "6h 6s Ks Qs", "Ah Ad Jh Jc", "lock")
    assert shown(royal)["main"] == "lock-win-qualified-royal-flush"
    five = seat("2d", "7h", "7c 8c", "7s 7d 8h 8d", "9c Tc Jc 2s", "play")
    assert shown(five)["main"] == "play-win-qualified-five-of-a-kind"


def test_ace_to_five_is_the_lowest_straight() -> None:
    state = seat("2h", "2c", "4d 5s", "Ah 3s Kd 9c", "3d 6h Jc 8s", "lock")
    assert shown(state)["main"] == "lock-lose-qualified"


def test_a_wild_card_in_a_flush_is_the_highest_missing_or_any_card() -> None:
    state = seat("5c", "6h", "Ah 9h", "5s 8h 2h 3c", "Kh Qh 4s 4d", "lock")
    assert shown(state)["main"] == "lock-lose-qualified"
    assert shown(state, wild_flush="any_card")["main"] == "lock-win-qualified"


# The side wagers.

PAIRS = (
    ("natural-royal-flush", "3h Ks Qs As", "Js Ts", "2s"),
    ("natural-straight-flush", "3h 9s 8s 7s", "6s 5s", "2s"),
    ("natural-four-of-a-kind", "9s 9h 9d 3h", "9c 5s", "2s"),
    ("natural-full-house", "9s 9h 9d 3h", "3c 5s", "2s"),
    ("natural-flush", "9s Ks 4s 3h", "8s 5c", "2s"),
    ("natural-straight", "9s 8h 7d 3h", "6c 5s", "2s"),
    ("natural-three-of-a-kind", "9s 9h 9d 3h", "6c Ks", "2s"),
    ("natural-three-of-a-kind", "2d 8h 7d 4h", "2c Ks", "2s"),
    ("lose", "9s 9h 8d 8h", "6c Ks", "2s"),
    ("lose", "2d 9h 8d Kh", "6c 5s", "2s"),
    ("wild-royal-flush", "Th 3h 2h Ks", "Js Qs", "Ts"),
    ("wild-straight-flush", "4h 3h 2h 8s", "5s 7s", "4s"),
    ("wild-full-house", "2s 4h 3h 5s", "3s 4s", "2h"),
    ("wild-flush", "2h 4h 3h 8s", "5s 7s", "2s"),
    ("natural-three-of-a-kind-wild-flush", "2d 7s 5s 4s", "2h 3h", "2s"),
    ("natural-three-of-a-kind-wild-straight-flush", "2h 2d 3h 7s", "4s 5s", "2s"),
    ("natural-three-of-a-kind-wild-royal-flush", "2h 2d 3h Qs", "Ts Js", "2s"),
    ("natural-straight-wild-flush", "2h 4h 3h 7s", "5s 6s", "2s"),
    ("natural-straight-wild-straight-flush", "2h 4h 3h 6s", "3s 5s", "2s"),
    ("natural-straight-wild-royal-flush", "Th 9h 2h Ks", "Js Qs", "Ts"),
    ("natural-flush-wild-flush", "2s 9s 8s 5s", "3s 4s", "2h"),
    ("natural-flush-wild-straight-flush", "2h 8s 7s 5s", "3s 4s", "2s"),
    ("natural-flush-wild-royal-flush", "2h Ks Qs Js", "3s Ts", "2s"),
    ("natural-full-house-wild-full-house", "2s 3s 3h 5s", "2d 4s", "2h"),
    ("natural-full-house-wild-four-of-a-kind", "3s 2d 2h 5s", "2s 4s", "3h"),
    ("natural-full-house-wild-straight-flush", "2h 2d 3h 5s", "3s 4s", "2s"),
    ("natural-full-house-wild-five-of-a-kind", "2h 2d 3d 3h", "3s 4s", "2s"),
    ("natural-full-house-wild-royal-flush", "2h 2d Th Qs", "Ts Js", "2s"),
    ("natural-four-of-a-kind-wild-four-of-a-kind", "2s 3s 4s 5s", "2c 2d", "2h"),
    ("natural-four-of-a-kind-wild-straight-flush", "2h 2d 2c 5s", "3s 4s", "2s"),
    ("natural-four-of-a-kind-wild-five-of-a-kind", "2h 2d 2c 3h", "3s 4s", "2s"),
    ("natural-four-of-a-kind-wild-royal-flush", "2h 2d 2c Js", "3s Ts", "2s"),
    ("natural-straight-flush-wild-straight-flush", "2h 7s 6s 5s", "3s 4s", "2s"),
    ("natural-straight-flush-wild-royal-flush", "2h Ks Qs Js", "9s Ts", "2s"),
    ("natural-royal-flush-wild-royal-flush", "2h As Ks Qs", "Ts Js", "2s"),
)


@pytest.mark.parametrize(("outcome", "player", "community", "indicator"), PAIRS)
def test_the_regular_bonus_names_what_both_columns_show(
    outcome: str, player: str, community: str, indicator: str
) -> None:
    others = [card for card in DECK_52.cards if card not in cards(f"{player} {community} {indicator}")]
    deck = (*cards(indicator), others[0], *cards(community), *cards(player), *others[1:])
    assert shown(decided(deck, "lock"))["regular-bonus"] == outcome


def test_each_pair_of_columns_that_is_listed_can_be_made() -> None:
    assert {outcome.name for outcome in GAME.wagers[1].outcomes} == {pair[0] for pair in PAIRS}


def test_the_better_column_of_the_regular_bonus_is_paid() -> None:
    natural = [50, 25, 10, 5, 4, 2, 1, 0]
    wild = [20, 15, 10, 5, 2, 1, 0]
    for place, (natural_line, wild_line) in enumerate(rules.REGULAR_BONUS_PAIRS[:-1]):
        better = max(natural[natural_line], wild[wild_line])
        assert net("regular-bonus", GAME.wagers[1].outcomes[place].name) == better
    assert net("regular-bonus", "lose") == -1


def test_editing_a_pay_of_the_regular_bonus_changes_what_is_paid_and_no_outcome(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = (GAME.folder / "paytables.toml").read_text(encoding="utf-8")
    own = tmp_path_factory.mktemp("tables") / "own.toml"
    own.write_text(text.replace("wild-flush = 1\n", "wild-flush = 9\n"), encoding="utf-8")
    assert net("regular-bonus", "natural-straight-wild-flush") == 2
    assert net("regular-bonus", "natural-straight-wild-flush", f"regular-bonus={own}") == 9


def test_the_regular_bonus_is_paid_though_the_showdown_is_lost() -> None:
    state = seat("2h", "2c", "4d 5s", "Ah 3s Kd 9c", "3d 6h Jc 8s", "lock")
    assert shown(state)["regular-bonus"] == "natural-straight"


def test_the_bad_beat_compares_natural_hands_without_the_community_cards() -> None:
    state = seat("9h", "2c", "Kd Ks", "9s 9c 4s Jc", "Ah Kh Kc 3d", "lock")
    assert shown(state)["main"] == "lock-lose-qualified"  # four kings each, the dealer's with an ace
    assert shown(state)["bad-beat"] == "three-of-a-kind"


def test_the_bad_beat_uses_w2_for_the_dealer_and_the_own_indicator_for_the_player() -> None:
    dealt = ("9h", "2c", "Kd 3s", "9s 9c 4s Jc", "2h 2d Kc 7d")
    assert shown(seat(*dealt, "lock"))["bad-beat"] == "three-of-a-kind"
    assert shown(seat(*dealt, "play"))["bad-beat"] == "lose"


def test_the_bad_beat_below_three_of_a_kind_loses_or_pushes() -> None:
    ahead = seat("Tc", "6c", "2s 3d", "Ah Ad 8s Jc", "Ks Qd 9h 4c", "play")
    assert shown(ahead)["bad-beat"] == "lose"
    assert shown(ahead, bad_beat_unlisted="push")["bad-beat"] == "push"
    for player in ("Jd 8h 7c 5s", "Kd Qs 9c 4h"):
        other = seat("Tc", "6c", "2s 3d", player, "Ks Qd 9h 4c", "play")
        assert shown(other, bad_beat_unlisted="push")["bad-beat"] == "lose"


@pytest.mark.parametrize(
    ("line", "player", "pays"),
    [
        ("royal-flush", "As Ks Qs Js", (1000, 1000)),
        ("straight-flush", "9s Ks Qs Js", (500, 500)),
        ("four-of-a-kind", "Th Tc Td Js", (100, 100)),
        ("full-house", "Th Tc Jd Js", (50, 50)),
        ("flush", "2s Ks Qs Js", (25, 25)),
        ("straight", "9h Ks Qs Js", (20, 20)),
        ("three-of-a-kind", "Th Tc Qs Js", (10, 15)),
    ],
)
def test_each_line_of_the_bad_beat(line: str, player: str, pays: tuple[int, int]) -> None:
    state = seat("Ts", "6c", "2s 3d" if "2s" not in player else "2c 3d", player, "Kh Qd 9d 4c", "lock")
    assert shown(state)["bad-beat"] == line
    assert (net("bad-beat", line), net("bad-beat", line, "bad-beat=BB-2")) == pays


def test_a_suited_blackjack_beats_an_unsuited_one() -> None:
    expected = {
        "As Ad Kd 2c": "suited-blackjack",
        "As Ad Kh 2c": "unsuited-blackjack",
        "As Td Jh Qc": "unsuited-blackjack",
        "Ac Tc Jh Qd": "suited-blackjack",
        "As 9s 8s 7s": "lose",
        "Ks Qs Js Ts": "lose",
    }
    census = GAME.wagers[3].census
    assert census is not None
    for player, outcome in expected.items():
        index = rules.settle_blackjack(TABLES, mask(player), codes())
        assert GAME.wagers[3].outcomes[index].name == outcome
    assert [net("blackjack-bonus", name) for name in ("suited-blackjack", "unsuited-blackjack", "lose")] == [6, 3, -1]


@pytest.mark.more
def test_blackjacks_are_counted_as_combinatorics_has_it() -> None:
    counts = [0, 0, 0]
    for four in combinations(DECK_52.cards, 4):
        counts[rules.settle_blackjack(TABLES, make_mask(four), codes())] += 1
    no_blackjack = comb(48, 4) + comb(36, 4) - comb(32, 4)
    # In one suit, how many sets of n cards hold no ace, or an ace and no ten to king.
    plain = [comb(12, n) + (comb(8, n - 1) if n else 0) for n in range(5)]
    unsuited = [1, 0, 0, 0, 0]
    for _ in range(4):
        unsuited = [sum(unsuited[k] * plain[n - k] for k in range(n + 1)) for n in range(5)]
    assert counts == [comb(52, 4) - unsuited[4], unsuited[4] - no_blackjack, no_blackjack]


# The slow settlement, from the sheet's words: substitution of every card for every wild.

BLIND_PAYS = {"royal-flush": 7, "five-of-a-kind": 5, "straight-flush": 2, "four-of-a-kind": 1}
NATURAL_PAYS = {
    "royal-flush": 50,
    "straight-flush": 25,
    "four-of-a-kind": 10,
    "full-house": 5,
    "flush": 4,
    "straight": 2,
    "three-of-a-kind": 1,
}
WILD_PAYS = {
    "royal-flush": 20,
    "five-of-a-kind": 15,
    "straight-flush": 10,
    "four-of-a-kind": 5,
    "full-house": 2,
    "flush": 1,
}
BAD_BEAT_PAYS = {
    "royal-flush": 1000,
    "straight-flush": 500,
    "four-of-a-kind": 100,
    "full-house": 50,
    "flush": 25,
    "straight": 20,
    "three-of-a-kind": 10,
}


def value(hand: Hand) -> tuple[int, tuple[int, ...]]:
    """Return what hands are compared by."""
    return ORDER.index(hand[0]), hand[1]


def wild_hand(hole: Sequence[int], community: Sequence[int], indicator: int, *, any_card: bool) -> Hand:
    """Return the best hand with the own cards of the indicator's rank wild."""
    kept = [card for card in hole if card % 13 != indicator % 13]
    return best_hand([*kept, *community, indicator], len(hole) - len(kept), any_card=any_card)


def slow_nets(deck: Sequence[int], path: str, *, any_card: bool) -> dict[str, int]:
    """Return what each wager nets, in units, of one seat's round by the sheet; the dealer qualifies with a pair."""
    w1, w2, community, hole, dealers_hole = deck[0], deck[1], deck[2:4], deck[4:8], deck[8:12]
    blackjack = -1
    for ace, ten in ((a, b) for a in hole for b in hole if a % 13 == 12 and 8 <= b % 13 <= 11):
        blackjack = max(blackjack, 6 if ace // 13 == ten // 13 else 3)
    if path == "fold":
        return {"main": -2, "regular-bonus": -1, "bad-beat": -1, "blackjack-bonus": blackjack}
    indicator = w1 if path == "lock" else w2
    mine = wild_hand(hole, community, indicator, any_card=any_card)
    dealers = wild_hand(dealers_hole, community, w2, any_card=any_card)
    result = (value(mine) > value(dealers)) - (value(mine) < value(dealers))
    ante = result if dealers[0] != "high-card" else 0
    blind = BLIND_PAYS.get(mine[0], 0) if result > 0 else result
    bonus = NATURAL_PAYS.get(best_hand([*hole, *community, indicator], 0)[0], -1)
    if any(card % 13 == indicator % 13 for card in hole):
        bonus = max(bonus, WILD_PAYS.get(mine[0], -1))
    my_five, dealers_five = best_hand([*hole, indicator], 0), best_hand([*dealers_hole, w2], 0)
    bad_beat = BAD_BEAT_PAYS.get(my_five[0], -1) if value(my_five) > value(dealers_five) else -1
    return {"main": ante + result + blind, "regular-bonus": bonus, "bad-beat": bad_beat, "blackjack-bonus": blackjack}


def decks(count: int) -> list[list[int]]:
    """Return shuffled decks; in two of three a few ranks or two suits come first, which makes big hands and ties."""
    made = []
    for seed in range(count):
        deck = shuffle_deck(DECK_52, seeded_bits(seed))
        crowded = (
            lambda _: False,
            lambda card, low=seed % 9: not low <= card % 13 < low + 5,
            lambda card: card // 13 > 1,
        )[seed % 3]
        made.append(sorted(deck, key=crowded))
    return made


@pytest.mark.more
@pytest.mark.in_turn("path")
@pytest.mark.parametrize("wild_flush", ["highest_missing", "any_card"])
@pytest.mark.parametrize("path", PATHS)
def test_rounds_are_settled_as_the_slow_reading_of_the_sheet_settles_them(path: str, wild_flush: str) -> None:
    for deck in decks(150):
        outcomes = shown(decided(deck, path), wild_flush=wild_flush)
        nets = {bet: net(bet, outcome) for bet, outcome in outcomes.items()}
        assert nets == slow_nets(deck, path, any_card=wild_flush == "any_card"), (deck[:12], outcomes)
