"""Lunar Poker clause by clause: rulings LU-1 to LU-11 and the default pay tables."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from oracle.lunar import BET, INSTANT_CASH, SUPER, super_line
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.censuses import CardSetCensus
from pitboss.contract import NO_DECISION, UNSETTLED, HandOwner, LegResult, StakeConstraintKind
from pitboss.games.lunar import GAME, rules
from pitboss.games.lunar.rules import LunarOptions, LunarState
from pitboss.hands import NO_HAND, HandTables, format_hand, load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables

# An ordinary seat and three dealers: a pair of nines; ace-king; and king high, which does not qualify.
NOTHING = "Qs Jd 8h 5c 3d"
QUALIFIED = "9s 9d 7h 6c 2s"
ACE_KING = "As Kd 7h 6c 2s"
KING_HIGH = "Ks Td 7h 6c 2s"

ACTIONS = {
    (index, action.id): place
    for index, decision in enumerate(GAME.decisions)
    for place, action in enumerate(decision.actions)
}


def mask(text: str) -> int:
    return make_mask(parse_cards(text, DECK_52))


CODES = {choice: encode_options(GAME, resolve_options(GAME, {"akq_needs_no_pair": choice})) for choice in ("off", "on")}


def options(**chosen: str) -> LunarOptions:
    codes: LunarOptions = encode_options(GAME, resolve_options(GAME, chosen))
    return codes


def dealt(player: str, dealer: str) -> LunarState:
    cards = parse_cards(f"{player} {dealer}", DECK_52)
    state: LunarState = rules.deal(cards, 1, 0, 1)
    return state


def played(player: str, dealer: str, *words: str, drew: str = "", forced: str = "", **chosen: str) -> LunarState:
    """Play a round of one seat: ``words`` are actions, an exchange with the cards given up."""
    codes = options(**chosen)
    state = dealt(player, dealer)
    for word in words:
        action, _, given = word.partition(" ")
        asked = rules.next_decision(load_hand_tables(), state, codes)
        if asked == NO_DECISION:
            state = rules.show_dealer(state)
            asked = rules.next_decision(load_hand_tables(), state, codes)
        state = rules.act(state, asked, ACTIONS[asked, action], mask(given))
        if rules.count_undrawn(state):
            state = rules.receive_draw(state, mask(drew))
    state = rules.show_dealer(state)
    if rules.count_dealer_draws(state):
        state = rules.receive_dealer_draw(state, mask(forced))
    return state


def outcomes(state: LunarState, **chosen: str) -> list[str]:
    """Return the names of the outcomes of main, Super, Multi Super and Dealer Super; "" while one is open."""
    settled = rules.settle(load_hand_tables(), state, options(**chosen))
    return [
        "" if index == UNSETTLED else wager.outcomes[index].name
        for wager, index in zip(GAME.wagers, settled, strict=True)
    ]


def ended(player: str, dealer: str, *words: str, drew: str = "", forced: str = "", **chosen: str) -> tuple[str, int]:
    """Play a round of one seat and return the name of main's outcome and its net in Antes."""
    state = played(player, dealer, *words, drew=drew, forced=forced, **chosen)
    index = rules.settle(load_hand_tables(), state, options(**chosen))[0]
    outcome = GAME.wagers[0].outcomes[index]
    return outcome.name, int(compute_outcome_net(outcome, select_paytables(GAME), 1))


def super_paid(cards: str, **chosen: str) -> str:
    return GAME.wagers[1].outcomes[rules.settle_super(load_hand_tables(), mask(cards), options(**chosen))].name


# LU-1, ALL-4: wagers.


def test_ante_and_super_are_mandatory_and_super_is_at_least_the_ante() -> None:
    wagers = {wager.id: wager for wager in GAME.wagers}
    assert [wager.id for wager in GAME.wagers if wager.mandatory] == ["main", "super"]
    assert [(tie.kind, tie.bet, tie.option) for tie in wagers["super"].constraints] == [
        (StakeConstraintKind.AT_LEAST, "main", "super_at_least_ante")
    ]
    assert resolve_options(GAME, {})["super_at_least_ante"] == "on"


def test_multi_super_stands_on_another_seat_and_dealer_super_on_the_dealer() -> None:
    places = {wager.id: wager.hand_owner for wager in GAME.wagers}
    assert places == {
        "main": HandOwner.OWN_HAND,
        "super": HandOwner.OWN_HAND,
        "multi-super": HandOwner.OTHER_SEAT,
        "dealer-super": HandOwner.DEALER,
    }


def test_multi_super_is_settled_by_the_hand_it_stands_on_and_never_pays_instant_cash() -> None:
    assert outcomes(dealt("As Ks Qs Js Ts", QUALIFIED)) == [
        "instant-cash-royal-flush",
        "same-coloured-straight",
        "same-coloured-straight",
        "",
    ]


def test_two_decks_of_different_backs_alternate() -> None:
    assert len(set(GAME.deck_backs)) == 2


# LU-3, ALL-10: the deal.


def test_seats_are_dealt_whole_hands_in_order_and_the_dealer_last() -> None:
    deck = tuple(DECK_52.cards)
    first, third = rules.deal(deck, 3, 0, 1), rules.deal(deck, 3, 2, 1)
    assert (first.player, third.player) == (make_mask(range(5)), make_mask(range(10, 15)))
    assert first.hidden == third.hidden == make_mask(range(15, 19))
    assert (
        rules.count_dealt(3)
        == 20
        == sum(zone.cards * (3 if zone.destination == "seat" else 1) for zone in GAME.deal_order)
    )


def test_the_dealers_fifth_card_is_exposed_before_any_decision() -> None:
    assert rules.view(dealt(NOTHING, QUALIFIED)).dealer == mask("2s")


def test_a_seat_sees_its_cards_what_it_drew_and_what_it_discarded() -> None:
    state = played(NOTHING, QUALIFIED, "exchange-2 5c 3d", drew="Ac 2d")
    assert rules.view(state) == rules.LunarView(
        player=mask("Qs Jd 8h Ac 2d"),
        dealer=mask(QUALIFIED),
        forced=0,
        drew=mask("Ac 2d"),
        discarded=mask("5c 3d"),
    )


def test_the_card_that_force_turned_lies_open() -> None:
    state = played(NOTHING, KING_HIGH, "play", "force", forced="Ad")
    assert (rules.view(state).dealer, rules.view(state).forced) == (mask(KING_HIGH), mask("Ad"))


# LU-4: Instant Cash.


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("Ah Kh Qh Jh Th", ("instant-cash-royal-flush", 1000)),
        ("5d 4d 3d 2d Ad", ("instant-cash-straight-flush", 250)),
    ],
)
def test_a_straight_flush_in_the_first_five_is_paid_at_once_and_ends_the_round(
    cards: str, expected: tuple[str, int]
) -> None:
    state = dealt(cards, "9s 9d 7h 6c 2s")
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION
    outcome = GAME.wagers[0].outcomes[rules.settle(load_hand_tables(), state, options())[0]]
    assert (outcome.name, int(compute_outcome_net(outcome, select_paytables(GAME), 1))) == expected


def test_a_straight_flush_that_is_drawn_is_no_instant_cash() -> None:
    name, net = ended("Ah Kh Qh Jh 2c", QUALIFIED, "exchange-2 Jh 2c", "play", drew="Jc Th")
    assert (name, net) == ("exchange-2-play-win-qualified-straight", 7)
    name, net = ended("Ah Kh Qh Jh 2c", QUALIFIED, "buy", "play", drew="Th")
    assert (name, net) == ("buy-play-win-qualified-royal-flush", 199)


@pytest.mark.parametrize(("table", "royal", "straight"), [("IC-1", 600, 200), ("IC-2", 1000, 250), ("IC-3", 1500, 500)])
def test_instant_cash_tables(table: str, royal: int, straight: int) -> None:
    chosen = select_paytables(GAME, [table])
    assert [compute_outcome_net(outcome, chosen, 1) for outcome in GAME.wagers[0].outcomes[:2]] == [royal, straight]
    assert [compute_outcome_net(outcome, chosen, 1) for outcome in GAME.main_parts[0].outcomes] == [royal, straight, 0]


def test_the_part_instant_cash_is_the_rule_that_settles_main() -> None:
    assert GAME.main_parts[0].census == CardSetCensus(5, rules.settle_instant_cash)
    for cards, place in (("Ah Kh Qh Jh Th", 0), ("9c 8c 7c 6c 5c", 1), (NOTHING, 2)):
        assert rules.settle_instant_cash(load_hand_tables(), mask(cards), options()) == place
        settled = rules.settle(load_hand_tables(), dealt(cards, "9s 9d 7h 6h 2s"), options())[0]
        assert settled == (place if place < 2 else UNSETTLED)


# LU-5: Super.


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("7s 7h 7d 7c 2s", "four-of-a-kind"),
        ("9s 8c 7s 6c 5s", "same-coloured-straight"),
        ("9h 8h 7h 6h 5h", "same-coloured-straight"),
        ("Ah Kh Qh Jh Th", "same-coloured-straight"),
        ("9h 9d 9s 5h 5c", "full-house"),
        ("Kd Jd 8d 5d 2d", "flush"),
        ("9s 8h 7s 6c 5s", "straight"),
        ("9h 9d 9s 5h 4c", "three-of-a-kind"),
        ("As Kh Qd 7c 2s", "ace-king-queen"),
        ("As Ah Kd Kc Qs", "ace-king-queen"),
        ("As Kc Qs 7c 2s", "ace-king-queen"),
        ("Jh 9d 7h 4d 2h", "five-same-coloured"),
        ("Js 9c 7s 4c 2s", "five-same-coloured"),
        ("As Ah Kd Kc Js", "lose"),
        (NOTHING, "lose"),
    ],
)
def test_super_pays_the_first_line_made(cards: str, line: str) -> None:
    assert super_paid(cards) == line


def test_ace_king_queen_may_be_refused_to_a_pair() -> None:
    assert super_paid("As Ac Kd Qc 2s", akq_needs_no_pair="on") == "lose"
    assert super_paid("As Ac Ks Qc 2s", akq_needs_no_pair="on") == "five-same-coloured"
    assert super_paid("As Kh Qd 7c 2s", akq_needs_no_pair="on") == "ace-king-queen"


def test_super_is_settled_on_the_first_five_whatever_is_drawn() -> None:
    state = played("9h 9d 9s 5h 4c", QUALIFIED.replace("9s 9d", "Ts Td"), "exchange-2 9h 9d", drew="Ah Kd")
    assert outcomes(state)[1:3] == ["three-of-a-kind", "three-of-a-kind"]


def test_dealer_super_waits_for_the_dealer_and_takes_his_first_five() -> None:
    dealer = "Qs Tc 8s 4c 2s"
    assert outcomes(dealt(NOTHING.replace("Qs", "Qd"), dealer))[3] == ""
    state = played(NOTHING.replace("Qs", "Qd"), dealer, "play", "force", forced="Ah")
    assert outcomes(state)[3] == "five-same-coloured"


def test_dealer_super_is_settled_for_a_seat_that_folded() -> None:
    assert outcomes(played(NOTHING, "9s 9d 9h 6c 2s", "fold"))[3] == "three-of-a-kind"


@pytest.mark.more
def test_super_on_every_hand_of_six_ranks() -> None:
    cards = [card for card in DECK_52.cards if card % 13 in (3, 8, 9, 10, 11, 12)]
    for five in combinations(cards, 5):
        for choice, needs_no_pair in (("off", False), ("on", True)):
            index = rules.settle_super(load_hand_tables(), make_mask(five), CODES[choice])
            assert GAME.wagers[1].outcomes[index].name == super_line(five, needs_no_pair=needs_no_pair)


@pytest.mark.compiled
def test_super_and_instant_cash_count_every_hand_as_counted_by_hand() -> None:
    straights, coloured_straights = 10 * (4**5 - 4), 10 * (2 * 2**5 - 4)
    two_more = comb(10, 2) - 1  # with ace, king and queen, but not jack and ten
    ace_king_queen = two_more * (4**5 - 4) + 3 * 6 * 4 * 4 * 10 * 4 + 10 * 6 * 4**3 + 3 * 6 * 6 * 4
    coloured_ace_king_queen = 2 * (two_more * (2**5 - 2) + 3 * 2 * 2 * 10 * 2 + 10 * 2**3 + 3 * 2)
    expected = [
        624,
        40 + coloured_straights,
        3744,
        5108,
        straights - coloured_straights,
        54_912,
        ace_king_queen,
        2 * comb(26, 5) - 5148 - coloured_straights - coloured_ace_king_queen,
    ]
    lines, cash = counted(CODES["off"])
    assert lines == [*expected, comb(52, 5) - sum(expected)]
    assert cash == [4, 36, comb(52, 5) - 40]


def counted(codes: LunarOptions) -> tuple[list[int], list[int]]:
    """Settle Super and Instant Cash on all C(52,5) hands."""
    from pitboss.kernels.compile import kernel

    @kernel
    def settled(tables: HandTables, codes: LunarOptions, lines: NDArray[np.int64], cash: NDArray[np.int64]) -> None:
        for a in range(52):
            for b in range(a):
                for c in range(b):
                    for d in range(c):
                        for e in range(d):
                            mask = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
                            lines[rules.settle_super(tables, mask, codes)] += 1
                            cash[rules.settle_instant_cash(tables, mask, codes)] += 1

    lines, cash = np.zeros(9, np.int64), np.zeros(3, np.int64)
    settled(load_hand_tables(), codes, lines, cash)
    return lines.tolist(), cash.tolist()


# LU-6, LU-11: fold, play or draw.


def test_a_seat_may_fold_play_buy_a_sixth_or_exchange_two_to_five() -> None:
    offered = GAME.decisions[0].actions
    assert [(action.id, action.discards, action.draws, action.stake, action.circle) for action in offered] == [
        ("fold", 0, 0, 0, ""),
        ("play", 0, 0, 2, "bet"),
        ("buy", 0, 1, 1, "fee"),
        ("exchange-2", 2, 2, 1, "fee"),
        ("exchange-3", 3, 3, 1, "fee"),
        ("exchange-4", 4, 4, 1, "fee"),
        ("exchange-5", 5, 5, 1, "fee"),
    ]


def test_a_fold_loses_the_ante() -> None:
    assert ended(NOTHING, QUALIFIED, "fold") == ("fold", -1)


def test_a_fold_settles_main_before_the_dealer_opens() -> None:
    state = rules.act(dealt(NOTHING, QUALIFIED), 0, 0, 0)
    assert outcomes(state) == ["fold", "lose", "lose", ""]
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION


@pytest.mark.parametrize(
    ("draw", "drew", "name"),
    [
        ("buy", "Kc", "buy-fold"),
        ("exchange-2 5c 3d", "Kc 4s", "exchange-2-fold"),
        ("exchange-3 8h 5c 3d", "Kc 4s 4h", "exchange-3-fold"),
        ("exchange-4 Jd 8h 5c 3d", "Kc 4s 4h 4d", "exchange-4-fold"),
        (f"exchange-5 {NOTHING}", "Kc 4s 4h 4d 4c", "exchange-5-fold"),
    ],
)
def test_the_fee_of_a_draw_is_lost_with_the_ante_on_a_fold(draw: str, drew: str, name: str) -> None:
    assert ended(NOTHING, QUALIFIED, draw, "fold", drew=drew) == (name, -2)


def test_a_draw_is_allowed_once() -> None:
    state = played(NOTHING, QUALIFIED, "buy", drew="Ac")
    assert rules.next_decision(load_hand_tables(), state, options()) == rules.AFTER_DRAW
    assert [action.id for action in GAME.decisions[rules.AFTER_DRAW].actions] == ["fold", "play"]
    assert rules.legal_actions(load_hand_tables(), rules.view(state), rules.AFTER_DRAW, 20, options()) == 0b11


def test_nothing_is_asked_while_a_draw_is_owed() -> None:
    state = rules.act(dealt(NOTHING, QUALIFIED), 0, ACTIONS[0, "exchange-3"], mask("8h 5c 3d"))
    assert (rules.count_undrawn(state), rules.next_decision(load_hand_tables(), state, options())) == (3, NO_DECISION)
    state = rules.receive_draw(state, mask("Ac Kc 4s"))
    assert (rules.count_undrawn(state), rules.next_decision(load_hand_tables(), state, options())) == (
        0,
        rules.AFTER_DRAW,
    )


@pytest.mark.parametrize(("stub", "draws"), [(0, 0), (1, 1), (2, 2), (4, 4), (5, 5), (20, 5)])
def test_a_draw_that_the_stub_cannot_serve_is_refused(stub: int, draws: int) -> None:
    allowed = rules.legal_actions(load_hand_tables(), rules.view(dealt(NOTHING, QUALIFIED)), 0, stub, options())
    offered = [action for place, action in enumerate(GAME.decisions[0].actions) if allowed >> place & 1]
    assert [action.id for action in offered[:2]] == ["fold", "play"]
    assert [action.draws for action in offered[2:]] == list(range(1, draws + 1))


def test_one_card_is_kept_back_for_force() -> None:
    assert GAME.undrawable_cards == 1


def test_discards_and_folded_hands_may_serve_other_seats() -> None:
    exchanged = played(NOTHING, QUALIFIED, "exchange-2 5c 3d", drew="Ac 4s")
    assert rules.get_muck(exchanged) == mask("5c 3d")
    folded = played(NOTHING, QUALIFIED, "exchange-2 5c 3d", "fold", drew="Ac 4s")
    assert rules.get_muck(folded) == mask("Qs Jd 8h 5c 3d Ac 4s")
    assert rules.get_muck(dealt(NOTHING, QUALIFIED)) == 0


# LU-7, LU-8: against a dealer who qualifies.


def test_a_better_hand_pushes_the_ante_and_is_paid_on_the_bet() -> None:
    assert ended("Ts Td 8h 5c 3d", QUALIFIED, "play") == ("play-win-qualified-pair", 2)


def test_a_worse_hand_loses_ante_and_bet() -> None:
    assert ended(NOTHING, QUALIFIED, "play") == ("play-lose-qualified", -3)


def test_a_tie_pushes_both() -> None:
    assert ended("9h 9c 7s 6d 2h", QUALIFIED, "play") == ("play-tie-qualified", 0)


def test_a_dealer_with_ace_king_qualifies() -> None:
    assert ended("Ah Kc 8h 5c 3d", ACE_KING, "play") == ("play-win-qualified-ace-king", 2)


def test_the_best_five_of_six_meet_the_dealer_and_the_fee_is_lost() -> None:
    assert ended("Ts Td 8h 5c 3d", QUALIFIED, "buy", "play", drew="Tc") == ("buy-play-win-qualified-three-of-a-kind", 5)


@pytest.mark.parametrize(
    ("cards", "line", "pay"),
    [
        ("Jc Jd Jh Js 2d", "four-of-a-kind", 20),
        ("Jc Jd Jh 3s 3d", "full-house", 7),
        ("Jd 9c 8d 4d 3d", "", 0),
        ("Jd 9d 8d 4d 3d", "flush", 5),
        ("Jd Tc 9d 8d 7d", "straight", 4),
        ("Jc Jd Jh 3s 2d", "three-of-a-kind", 3),
        ("Jc Jd 3h 3s 2d", "two-pair", 2),
        ("Jc Jd 8h 3s 2d", "pair", 1),
        ("Ac Kd 8h 3s 2d", "ace-king", 1),
        ("Ac Ad Ah As Kd", "four-of-a-kind-ace-king", 21),
    ],
)
def test_the_bet_pays_its_table_on_twice_the_ante(cards: str, line: str, pay: int) -> None:
    name, net = ended(cards, "7h 5h 4c 3c 2c", "play", dealer_qualifies="always")
    assert (name, net) == ("-".join(filter(None, ("play-win-qualified", line))), 2 * pay)


def test_a_win_below_ace_king_where_every_dealer_qualifies_has_no_line_and_the_bet_comes_back() -> None:
    assert ended(NOTHING, "7s 5d 4h 3c 2s", "play", dealer_qualifies="always") == ("play-win-qualified", 0)


def test_a_higher_qualifier_is_followed() -> None:
    assert ended("Ts Td 8h 5c 3d", QUALIFIED, "play", "take-ante", dealer_qualifies="pair-of-T")[0] == "play-take-ante"
    assert ended("Ts Td 8h 5c 3d", QUALIFIED, "play", dealer_qualifies="pair-of-9")[0] == "play-win-qualified-pair"


# LU-9: the second combination (the rest is in test_lunar_combinations).


def test_a_second_combination_is_paid_too_even_if_it_would_not_beat_the_dealer() -> None:
    name, net = ended("Ts Td Ah Kc 3d", QUALIFIED, "play")
    assert (name, net) == ("play-win-qualified-pair-ace-king", 4)


def test_two_combinations_pay_their_sum_on_the_bet() -> None:
    name, net = ended("Ts Td Th 4c 3d", QUALIFIED, "buy", "play", drew="4d")
    assert (name, net) == ("buy-play-win-qualified-full-house", 13)
    name, net = ended("Ts Td Th 4c 4h", QUALIFIED, "buy", "play", drew="4d")
    assert (name, net) == ("buy-play-win-qualified-full-house-full-house", 27)


def test_a_paired_straight_is_paid_as_the_option_says() -> None:
    cards = ("Js Td 9h 8c 7d", QUALIFIED, "buy", "play")
    assert ended(*cards, drew="8d") == ("buy-play-win-qualified-straight-straight", 15)
    one = ended(*cards, drew="8d", paired_straight="straight_and_pair")
    assert one == ("buy-play-win-qualified-straight-pair", 9)


# LU-10: the dealer does not qualify.


def test_the_seat_chooses_when_it_sees_the_dealers_five() -> None:
    state = rules.act(dealt(NOTHING, KING_HIGH), 0, ACTIONS[0, "play"], 0)
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION
    state = rules.show_dealer(state)
    assert rules.next_decision(load_hand_tables(), state, options()) == rules.NOT_QUALIFIED
    assert rules.view(state).dealer == mask(KING_HIGH)
    assert rules.legal_actions(load_hand_tables(), rules.view(state), rules.NOT_QUALIFIED, 0, options()) == 0b11
    assert outcomes(state)[0] == ""


def test_a_seat_that_folded_has_nothing_to_choose() -> None:
    state = played(NOTHING, KING_HIGH, "fold")
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION


def test_a_qualified_dealer_leaves_nothing_to_choose() -> None:
    state = rules.show_dealer(rules.act(dealt(NOTHING, QUALIFIED), 0, ACTIONS[0, "play"], 0))
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION


def test_taking_the_ante_pays_it_even_money_and_returns_the_bet() -> None:
    assert ended(NOTHING, KING_HIGH, "play", "take-ante") == ("play-take-ante", 1)
    assert ended(NOTHING, KING_HIGH, "buy", "play", "take-ante", drew="3s") == ("buy-play-take-ante", 0)


def test_force_waits_for_its_card_and_is_asked_once() -> None:
    state = played(NOTHING, KING_HIGH, "play")
    state = rules.act(state, rules.NOT_QUALIFIED, ACTIONS[rules.NOT_QUALIFIED, "force"], 0)
    assert rules.count_dealer_draws(state) == 1
    assert outcomes(state)[0] == ""
    state = rules.receive_dealer_draw(state, mask("Ah"))
    assert rules.count_dealer_draws(state) == 0
    assert rules.next_decision(load_hand_tables(), state, options()) == NO_DECISION


def test_a_seat_that_did_not_force_is_settled_without_the_card() -> None:
    state = played(NOTHING, KING_HIGH, "play", "take-ante")
    assert rules.count_dealer_draws(state) == 0
    assert outcomes(rules.receive_dealer_draw(state, mask("Th")))[0] == "play-take-ante"


def test_a_dealer_who_still_does_not_qualify_pushes_ante_and_bet() -> None:
    for player, result in ((NOTHING, "lose"), ("Jc Td 7c 6d 2h", "tie"), ("Qc Td 7c 6d 3h", "win")):
        forced = "Ac" if result == "lose" else "Jh"
        name, net = ended(player, "Kd Ts 7h 6c 2s", "play", "force", forced=forced)
        assert (name, net) == (f"play-force-{result}-not-qualified", -1)


def test_a_dealer_who_qualifies_after_force_is_met_as_one_who_did_before() -> None:
    assert ended("8s 8d Ah 4c 3d", KING_HIGH, "play", "force", forced="7s") == ("play-force-win-qualified-pair", 1)
    assert ended(NOTHING, KING_HIGH, "play", "force", forced="7s") == ("play-force-lose-qualified", -4)
    assert ended("7c 7s Th 6s 2h", KING_HIGH, "play", "force", forced="7d") == ("play-force-tie-qualified", -1)
    name, net = ended("Ts 9d Ah 4c 3d", KING_HIGH.replace("Ts", "Td"), "buy", "play", "force", drew="9c", forced="7s")
    assert (name, net) == ("buy-play-force-win-qualified-pair", 0)


def test_force_replaces_the_highest_card_ace_high() -> None:
    assert rules.find_replaced_card(mask("As Qd 7h 6c 2s"), options()) == mask("As")
    assert rules.find_replaced_card(mask(KING_HIGH), options()) == mask("Ks")


def test_force_may_replace_the_lowest_card() -> None:
    assert rules.find_replaced_card(mask("As Qd 7h 6c 3s"), options(force_replaces="lowest")) == mask("3s")
    name, net = ended("Ah Kc 9h 5c 3d", "As Qd 7h 6c 2s", "play", "force", forced="Kh", force_replaces="lowest")
    assert (name, net) == ("play-force-lose-qualified", -4)


@pytest.mark.parametrize("dealer", ["9s 9h 5s 4s 2s", "9h 9s 5s 4s 2s", "9h 9c 5h 4h 2h"])
def test_of_two_highest_cards_the_one_that_keeps_four_of_a_suit_stays(dealer: str) -> None:
    kept = mask(dealer) & ~rules.find_replaced_card(mask(dealer), options(dealer_qualifies="pair-of-T"))
    assert len({card // 13 for card in DECK_52.cards if kept >> card & 1}) == 1


# People read the strengths of both hands; a missing answer has an answer.


def test_strengths_are_shown_as_far_as_the_seat_can_know_them() -> None:
    state = rules.act(dealt(NOTHING, KING_HIGH), 0, ACTIONS[0, "exchange-2"], mask("5c 3d"))
    assert rules.evaluate_hands(load_hand_tables(), state, options()) == (NO_HAND, NO_HAND)
    state = played(NOTHING, KING_HIGH, "exchange-2 5c 3d", "play", "force", drew="Qd Qc", forced="7s")
    mine, dealers = rules.evaluate_hands(load_hand_tables(), state, options())
    assert (format_hand(mine), format_hand(dealers)) == ("three of a kind, queens", "pair of sevens")


def test_a_decision_that_times_out_folds_or_takes_the_ante() -> None:
    assert [decision.timeout_action for decision in GAME.decisions] == ["fold", "fold", "take-ante"]


# Data: names, pays, options.


def test_default_pay_tables() -> None:
    assert {kind: table.id for kind, table in select_paytables(GAME).items()} == {
        "bet": "BET-1",
        "instant-cash": "IC-2",
        "super": "SUPER-1",
    }


def test_pay_tables_are_those_of_the_rulings() -> None:
    chosen = select_paytables(GAME)
    assert {line: pay.amount for line, pay in chosen["bet"].lines.items()} == BET
    assert {line: pay.amount for line, pay in chosen["super"].lines.items()} == SUPER
    assert {line: pay.amount for line, pay in chosen["instant-cash"].lines.items()} == INSTANT_CASH


def test_one_name_one_net() -> None:
    for wager in (*GAME.wagers, *GAME.main_parts):
        names = [outcome.name for outcome in wager.outcomes]
        assert len(names) == len(set(names))


def test_fees_are_always_lost_and_lie_in_circles_of_their_own() -> None:
    legs = [(outcome.name, leg) for outcome in GAME.wagers[0].outcomes for leg in outcome.legs]
    assert {leg.circle for _, leg in legs} == {"ante", "bet", "fee", "force"}
    assert {leg.result for _, leg in legs if leg.circle in ("fee", "force")} == {LegResult.LOSE}
    for outcome in GAME.wagers[0].outcomes:
        circles = {leg.circle for leg in outcome.legs}
        assert ("fee" in circles) == outcome.name.startswith(("buy", "exchange"))
        assert ("force" in circles) == ("-force-" in outcome.name)


def test_options_stand_in_the_order_of_their_codes() -> None:
    assert tuple(option.name for option in GAME.options) == LunarOptions._fields
    assert [option.default for option in GAME.options] == [
        "ace-king",
        "on",
        "off",
        "two_straights",
        "highest",
        "reshuffle",
    ]


def test_the_reason_of_a_lost_super_holds_under_every_option() -> None:
    """A pair with ace-king-queen loses under one choice, so no count of the combinations is right."""
    wagers = [wager for wager in GAME.wagers if wager.id in ("super", "multi-super", "dealer-super")]
    lost = [leg.reason for wager in wagers for each in wager.outcomes if each.name == "lose" for leg in each.legs]
    assert lost == ["no combination that pays at this table"] * 3
