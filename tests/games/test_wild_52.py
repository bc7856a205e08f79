"""Wild 52 clause by clause, and its settlement against a slow one written from the sheet."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from oracle.naive import FIVE_ABOVE_ROYAL, Hand, best_hand
from pitboss.cards import DECK_53, FIRST_JOKER, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.censuses import CardPositionCensus, CardSetCensus
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.games.wild_52 import GAME, rules
from pitboss.hands import NO_HAND, format_hand, load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables

TABLES = load_hand_tables()
BETS = tuple(wager.id for wager in GAME.wagers)
PATHS = {"fold": (0,), "raise-once": (1, 0), "raise-twice": (1, 1)}


def codes(**options: str) -> rules.Wild52Options:
    """Return the option codes, defaults where nothing is said."""
    made: rules.Wild52Options = encode_options(GAME, resolve_options(GAME, options))
    return made


def cards(text: str) -> tuple[int, ...]:
    """Read cards."""
    return parse_cards(text, DECK_53)


def mask(text: str) -> int:
    """Read a set of cards."""
    return make_mask(cards(text))


def decided(deck: Sequence[int], path: str) -> rules.Wild52State:
    """Deal one seat and take it down a path, the last cards still closed."""
    state = rules.deal(deck, 1, 0, 0)
    for action in PATHS[path]:
        state = rules.act(state, rules.next_decision(TABLES, state, codes()), action, 0)
    return state


def seat(player: str, dealer: str, community: str, path: str) -> rules.Wild52State:
    """Deal these cards and take the seat down a path, the last cards still closed."""
    return decided(cards(f"{player} {dealer} {community}"), path)


def named(outcomes: Iterable[int]) -> dict[str, str]:
    """Return what each wager came to."""
    return {
        wager.id: wager.outcomes[index].name
        for wager, index in zip(GAME.wagers, outcomes, strict=True)
        if index != UNSETTLED
    }


def shown(state: rules.Wild52State, **options: str) -> dict[str, str]:
    """Open all cards and name what each wager came to."""
    return named(rules.settle(TABLES, rules.show_dealer(state), codes(**options)))


def net(bet: str, outcome: str) -> int:
    """Return what a named outcome nets, in units."""
    wager = GAME.wagers[BETS.index(bet)]
    found = next(each for each in wager.outcomes if each.name == outcome)
    cents = compute_outcome_net(found, select_paytables(GAME), 100)
    assert cents.denominator == 1
    return cents.numerator // 100


# The deal and the decisions.


def test_the_seats_are_dealt_first_then_the_dealer_then_the_community_cards() -> None:
    deck = tuple(range(53))
    assert rules.count_dealt(6) == 37
    assert sum(zone.cards * (6 if zone.destination == "seat" else 1) for zone in GAME.deal_order) == 37
    state = rules.deal(deck, 6, 2, 0)
    assert state.player == make_mask(range(10, 15))
    assert state.dealer == make_mask(range(30, 35))
    assert (state.first, state.second) == (1 << 35, 1 << 36)


def test_a_community_card_is_turned_up_after_each_decision() -> None:
    state = rules.deal(tuple(range(53)), 1, 0, 0)
    assert rules.view(state) == rules.Wild52View(state.player, 0, 0)
    played = rules.act(state, 0, 1, 0)
    assert rules.view(played) == rules.Wild52View(state.player, state.first, 0)
    assert rules.view(rules.act(played, 1, 0, 0)).community == state.first
    assert rules.view(rules.show_dealer(played)) == rules.Wild52View(
        state.player, state.first | state.second, state.dealer
    )


def test_a_fold_ends_the_decisions_and_turns_up_nothing() -> None:
    folded = rules.act(rules.deal(tuple(range(53)), 1, 0, 0), 0, 0, 0)
    assert rules.next_decision(TABLES, folded, codes()) == NO_DECISION
    assert rules.view(folded).community == 0


def test_after_a_play_there_is_a_check_or_a_second_play_and_no_fold() -> None:
    state = rules.deal(tuple(range(53)), 1, 0, 0)
    assert rules.next_decision(TABLES, state, codes()) == 0
    played = rules.act(state, 0, 1, 0)
    assert rules.next_decision(TABLES, played, codes()) == 1
    assert rules.legal_actions(TABLES, rules.view(played), 1, 0, codes()) == 0b11
    assert [action.id for action in GAME.decisions[1].actions] == ["check", "play-2"]
    for action in (0, 1):
        assert rules.next_decision(TABLES, rules.act(played, 1, action, 0), codes()) == NO_DECISION


def test_each_play_bet_is_two_antes() -> None:
    stakes = {action.id: (action.stake, action.circle) for each in GAME.decisions for action in each.actions}
    assert stakes == {"fold": (0, ""), "play": (2, "play"), "check": (0, ""), "play-2": (2, "option")}


def test_a_seat_that_does_not_answer_folds_and_later_checks() -> None:
    assert [decision.timeout_action for decision in GAME.decisions] == ["fold", "check"]


def test_equal_values_are_booked_as_fold_and_as_check() -> None:
    assert [decision.actions[0].id for decision in GAME.decisions] == ["fold", "check"]


def test_hands_are_read_with_the_cards_that_lie_open() -> None:
    state = rules.deal(cards("Kh Kd 8s 4c 2h Qs Qd 7h 5c 3d Kc 4s"), 1, 0, 0)
    seen = []
    for now in (state, rules.act(state, 0, 1, 0), rules.show_dealer(rules.act(rules.act(state, 0, 1, 0), 1, 0, 0))):
        mine, dealers = rules.evaluate_hands(TABLES, now, codes())
        seen.append((format_hand(mine), dealers if dealers == NO_HAND else format_hand(dealers)))
    assert seen == [
        ("pair of kings", NO_HAND),
        ("three of a kind, kings", NO_HAND),
        ("full house, kings over fours", "pair of queens"),
    ]


# The showdown.


def test_a_fold_loses_the_ante_at_once_and_the_side_wagers_stand() -> None:
    state = seat("3h 5d 6s 8c Jd", "Ah Kd Td 9c 2s", "7s Jk", "fold")
    assert named(rules.settle(TABLES, state, codes())) == {"main": "fold"}
    assert shown(state) == {"main": "fold", "bonus": "straight", "joker": "joker-in-community"}
    assert net("main", "fold") == -1


def test_with_bonus_after_fold_off_a_fold_loses_the_side_wagers_at_once() -> None:
    state = seat("3h 5d 6s 8c Jd", "Ah Kd Td 9c 2s", "7s Jk", "fold")
    lost = {"main": "fold", "bonus": "lose", "joker": "lose"}
    assert named(rules.settle(TABLES, state, codes(bonus_after_fold="off"))) == lost
    assert shown(state, bonus_after_fold="off") == lost
    stayed = seat("3h 5d 6s 8c Jd", "Ah Kd Td 9c 2s", "7s Jk", "raise-once")
    assert shown(stayed, bonus_after_fold="off")["joker"] == "joker-in-community"


def test_the_side_wagers_are_counted_apart_only_while_they_stand_after_a_fold() -> None:
    assert [wager.census_option for wager in GAME.wagers[1:]] == ["bonus_after_fold", "bonus_after_fold"]


def test_nothing_is_decided_before_the_dealer_opens() -> None:
    assert named(rules.settle(TABLES, seat("Kh Kd 8s 4c 2h", "Qs Qd 7h 5c 3d", "Kc 9s", "raise-twice"), codes())) == {}


def test_a_qualified_dealer_meets_the_ante_and_every_play_bet() -> None:
    assert {
        name: net("main", name)
        for name in (
            f"{path}-{result}-qualified" for path in ("raise-once", "raise-twice") for result in ("win", "tie", "lose")
        )
    } == {
        "raise-once-win-qualified": 3,
        "raise-once-tie-qualified": 0,
        "raise-once-lose-qualified": -3,
        "raise-twice-win-qualified": 5,
        "raise-twice-tie-qualified": 0,
        "raise-twice-lose-qualified": -5,
    }


def test_a_pair_of_fives_qualifies_and_a_pair_of_fours_does_not() -> None:
    fives = seat("Ah Jc 9d 6s 3h", "5s 5h Kd Tc 8d", "2c 7s", "raise-once")
    assert shown(fives)["main"] == "raise-once-lose-qualified"
    fours = seat("Ah Jc 9d 6s 3h", "4s 4h Kd Tc 8d", "2c 7s", "raise-once")
    assert shown(fours)["main"] == "raise-once-lose-not-qualified"


def test_against_an_unqualified_dealer_play_bets_push_and_the_ante_is_compared() -> None:
    dealer, community = "4s 4h Kd 9c 2s", "Qh 7d"
    for player, result, ante in (
        ("8c 8d Ah 3c 2h", "win", 1),
        ("4d 4c Kc 9h 6h", "tie", 0),
        ("Ad Jc 6s 5h 3d", "lose", -1),
    ):
        for path in ("raise-once", "raise-twice"):
            assert shown(seat(player, dealer, community, path))["main"] == f"{path}-{result}-not-qualified"
            assert net("main", f"{path}-{result}-not-qualified") == ante


@pytest.mark.parametrize(("rule", "result"), [("win", "win"), ("push", "tie")])
@pytest.mark.parametrize("player", ["8c 8d Ah 3c 2h", "4d 4c Kc 9h 6h", "Ad Jc 6s 5h 3d"])
def test_the_ante_may_win_or_push_against_any_unqualified_dealer(player: str, rule: str, result: str) -> None:
    state = seat(player, "4s 4h Kd 9c 2s", "Qh 7d", "raise-twice")
    assert shown(state, ante_when_unqualified=rule)["main"] == f"raise-twice-{result}-not-qualified"


def test_what_becomes_of_the_ante_against_a_qualified_dealer_is_no_option() -> None:
    state = seat("Ah Jc 9d 6s 3h", "5s 5h Kd Tc 8d", "2c 7s", "raise-once")
    for rule in ("compare", "win", "push"):
        assert shown(state, ante_when_unqualified=rule)["main"] == "raise-once-lose-qualified"


def test_the_qualifier_can_be_set() -> None:
    state = seat("Ad Jc 6s 5h 2d", "Ks Th 8d 6d 4s", "Qh 9c", "raise-once")
    assert shown(state)["main"] == "raise-once-win-not-qualified"
    assert shown(state, dealer_qualifies="always")["main"] == "raise-once-win-qualified"
    assert shown(state, dealer_qualifies="ace-king")["main"] == "raise-once-win-not-qualified"


def test_a_pair_with_the_joker_or_on_the_board_qualifies_the_dealer() -> None:
    with_joker = seat("7s 7h 7d 7c 2h", "Jk 5h Kd Tc 8d", "Ac 3s", "raise-once")
    assert shown(with_joker)["main"] == "raise-once-win-qualified"
    on_board = seat("7s 7h 7d 7c 2h", "2d 5h Kd Tc 8d", "Qc Qs", "raise-once")
    assert shown(on_board)["main"] == "raise-once-win-qualified"


def test_a_joker_on_the_board_serves_both_sides() -> None:
    state = seat("Ah As 9d 6c 3s", "Kd Kc Th 8h 2d", "Jk 5c", "raise-twice")
    assert [format_hand(each) for each in rules.evaluate_hands(TABLES, rules.show_dealer(state), codes())] == [
        "three of a kind, aces",
        "three of a kind, kings",
    ]
    assert shown(state)["main"] == "raise-twice-win-qualified"


def test_five_of_a_kind_beats_a_royal_flush() -> None:
    state = seat("9s 9h 9d 9c 4h", "As Ks Qs Js 3d", "2d Jk", "raise-twice")
    assert shown(state)["main"] == "raise-twice-win-qualified"


def test_royal_flushes_with_and_without_the_joker_tie() -> None:
    state = seat("Ah Kh Qh Jh 2c", "As Ks Qs Js Ts", "3d Jk", "raise-once")
    assert shown(state)["main"] == "raise-once-tie-qualified"


def test_the_joker_in_a_flush_is_the_highest_missing_card_or_any_card() -> None:
    state = seat("Ah 9h 8h 2h Jk", "As Qs Js 9s 6s", "Ks 4d", "raise-once")
    assert shown(state)["main"] == "raise-once-lose-qualified"
    assert shown(state, wild_flush="any_card")["main"] == "raise-once-win-qualified"


# The side wagers.


@pytest.mark.parametrize(
    ("seven", "line", "pays"),
    [
        ("As Ah Ad Ac Jk Kd Kh", "five-of-a-kind-aces", 1000),
        ("Ks Kh Kd Kc Jk Ad Ah", "five-of-a-kind-below-aces", 250),
        ("2s 2h 2d 2c Jk Ad Ah", "five-of-a-kind-below-aces", 250),
        ("As Ks Qs Js Ts 2d 2h", "royal-flush-without-joker", 200),
        ("As Ks Qs Js Ts Jk 2h", "royal-flush-without-joker", 200),
        ("As Ks Qs Js Jk 2d 2h", "royal-flush-with-joker", 150),
        ("9s Ks Qs Js Ts Jk 2h", "royal-flush-with-joker", 150),
        ("9s Ks Qs Js Ts 2d 2h", "straight-flush-without-joker", 100),
        ("5h 6h 7h 8h 9h Jk Kd", "straight-flush-without-joker", 100),
        ("Ah 2h 3h 4h 5h Jk Kd", "straight-flush-without-joker", 100),
        ("5h 6h 7h 8h Jk 2d 2c", "straight-flush-with-joker", 50),
        ("5h 6h 7h 8h 2h Jk 2c", "straight-flush-with-joker", 50),
        ("7s 7h 7d 7c Ks Kh Kd", "four-of-a-kind-without-joker", 25),
        ("7s 7h 7d Jk Ks Kh 2d", "four-of-a-kind-with-joker", 20),
        ("7s 7h 7d Jk Ks Qh 2d", "four-of-a-kind-with-joker", 20),
        ("7s 7h 7d 2c Ks Kh 2d", "full-house", 5),
        ("7s 7h 8d Jk 8s Kh 2d", "full-house", 5),
        ("7s 9s 2s Ks As Kh Kd", "flush", 3),
        ("7s 9s 2s Ks Jk Kh 4d", "flush", 3),
        ("7s 8s 9d Th Jc Kh Kd", "straight", 2),
        ("7s 8s Jk Th Jc Kh 2d", "straight", 2),
        ("7s 7h Jk Th Jc Kh 2d", "lose", -1),
        ("7s 7h 2c Th Tc Kh 2d", "lose", -1),
    ],
)
def test_the_bonus_pays_the_first_line_that_seven_cards_make(seven: str, line: str, pays: int) -> None:
    outcome = GAME.wagers[1].outcomes[rules.settle_bonus(TABLES, mask(seven), codes())]
    assert outcome.name == line
    assert net("bonus", line) == pays


def test_every_line_of_the_bonus_is_in_the_order_of_its_table() -> None:
    assert [outcome.name for outcome in GAME.wagers[1].outcomes[:-1]] == list(select_paytables(GAME)["bonus"].lines)


def test_the_bonus_uses_both_community_cards_whoever_wins() -> None:
    state = seat("3h 5d 6s 8c Jd", "Ah Kd Td 9c As", "7s 4d", "raise-once")
    assert shown(state)["bonus"] == "straight"


def test_the_joker_wager_wins_on_the_board_and_in_the_own_hand_alone() -> None:
    won = {
        ("Kh Kd 8s 4c 2h", "Qs Qd 7h 5c 3d", "Jk 9s"): ("joker-in-community", 10),
        ("Kh Kd 8s 4c 2h", "Qs Qd 7h 5c 3d", "9s Jk"): ("joker-in-community", 10),
        ("Kh Jk 8s 4c 2h", "Qs Qd 7h 5c 3d", "9s Kc"): ("joker-in-hand", 4),
        ("Kh Kd 8s 4c 2h", "Qs Jk 7h 5c 3d", "9s Kc"): ("lose", -1),
        ("Kh Kd 8s 4c 2h", "Qs Qd 7h 5c 3d", "9s Kc"): ("lose", -1),
    }
    for (player, dealer, community), (outcome, pays) in won.items():
        assert shown(seat(player, dealer, community, "raise-once"))["joker"] == outcome
        assert net("joker", outcome) == pays


def test_the_joker_lies_in_two_places_of_the_board_and_five_of_the_hand() -> None:
    census = GAME.wagers[2].census
    assert census == CardPositionCensus(FIRST_JOKER)
    found: Counter[str] = Counter()
    for place in range(53):
        deck = list(range(52))
        deck.insert(place, FIRST_JOKER)
        found[shown(decided(deck, "fold"))["joker"]] += 1
    assert found == {"joker-in-community": 2, "joker-in-hand": 5, "lose": 46}


def test_the_bonus_is_counted_over_all_sevens() -> None:
    assert GAME.wagers[1].census == CardSetCensus(7, rules.settle_bonus)


# The slow settlement, from the sheet's words: substitution of every card for the Joker.

BONUS_PAYS = {
    "royal-flush-without": 200,
    "royal-flush-with": 150,
    "straight-flush-without": 100,
    "straight-flush-with": 50,
    "four-of-a-kind-without": 25,
    "four-of-a-kind-with": 20,
}
ANY_PAYS = {"full-house": 5, "flush": 3, "straight": 2}


def best(seven: Sequence[int], *, any_card: bool) -> Hand:
    """Return the best five of seven cards, the Joker wild."""
    natural = [card for card in seven if card != FIRST_JOKER]
    return best_hand(natural, len(seven) - len(natural), five_first=True, any_card=any_card)


def slow_bonus(seven: Sequence[int], *, any_card: bool) -> int:
    """Return the pay of the best five of seven cards."""
    made, ranks = best(seven, any_card=any_card)
    if made == "five-of-a-kind":
        return 1000 if ranks[0] == 14 else 250
    if made in ANY_PAYS:
        return ANY_PAYS[made]
    without = best_hand([card for card in seven if card != FIRST_JOKER], 0)[0] == made
    return BONUS_PAYS.get(f"{made}-{'without' if without else 'with'}", -1)


def slow_nets(deck: Sequence[int], path: str, rule: str, *, any_card: bool) -> dict[str, int]:
    """Return what each wager nets, in units, of one seat's round by the sheet; a pair of fives qualifies."""
    hole, dealers_hole, community = deck[:5], deck[5:10], deck[10:12]
    joker = 10 if FIRST_JOKER in community else 4 if FIRST_JOKER in hole else -1
    sides = {"bonus": slow_bonus([*hole, *community], any_card=any_card), "joker": joker}
    if path == "fold":
        return {"main": -1, **sides}
    mine, dealers = (best([*own, *community], any_card=any_card) for own in (hole, dealers_hole))
    mine_value, dealers_value = ((FIVE_ABOVE_ROYAL.index(hand[0]), hand[1]) for hand in (mine, dealers))
    result = (mine_value > dealers_value) - (mine_value < dealers_value)
    if dealers[0] == "high-card" or (dealers[0] == "pair" and dealers[1][0] < 5):
        return {"main": {"compare": result, "win": 1, "push": 0}[rule], **sides}
    return {"main": result * (3 if path == "raise-once" else 5), **sides}


def decks(count: int) -> list[list[int]]:
    """Return shuffled decks; in two of three the Joker and a few ranks or two suits come first: big hands, and ties."""
    made = []
    for seed in range(count):
        deck = shuffle_deck(DECK_53, seeded_bits(seed))
        crowded = (
            lambda _: False,
            lambda card, low=seed % 9: card < FIRST_JOKER and not low <= card % 13 < low + 5,
            lambda card: card < FIRST_JOKER and card // 13 > 1,
        )[seed % 3]
        made.append(sorted(deck, key=crowded))
    return made


@pytest.mark.more
@pytest.mark.in_turn("path")
@pytest.mark.parametrize("wild_flush", ["highest_missing", "any_card"])
@pytest.mark.parametrize("rule", ["compare", "win", "push"])
@pytest.mark.parametrize("path", PATHS)
def test_rounds_are_settled_as_the_slow_reading_of_the_sheet_settles_them(
    path: str, rule: str, wild_flush: str
) -> None:
    for deck in decks(150):
        outcomes = shown(decided(deck, path), wild_flush=wild_flush, ante_when_unqualified=rule)
        nets = {bet: net(bet, outcome) for bet, outcome in outcomes.items()}
        assert nets == slow_nets(deck, path, rule, any_card=wild_flush == "any_card"), (deck[:12], outcomes)
