"""The round driver: the order in which things happen, and commands that come at the wrong time."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pitboss.cards import DECK_53, make_mask, parse_cards
from pitboss.core.errors import CardError, IllegalActionError, PayTableError, UnknownNameError
from pitboss.paytables import select_paytables
from pitboss.table.round import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    Round,
    RoundClosed,
    Stake,
    StakePlaced,
    WagerSettled,
    open_round,
)
from refusals import refusal
from table.laying import LUNAR, SHIFTING_WILDS, SIX_CARD, WILD_52, WILD_SIX_CARD, deck_of, net_of, opened, settled

TEN = {"main": 10}

# Two hands of Six Card Poker and the dealer's: p1 has a pair of aces, p2 nothing, the dealer ace-king.
SIX_CARDS = "As Ad 9c 8d 5h 2s  Qh Jd 9d 7c 4s 3h  Ac Kd Tc 8s 6h 3d"


def cards_of(now: Round, text: str) -> tuple[int, ...]:
    """Read cards of a round's deck."""
    return parse_cards(text, now.game.deck)


def happened(now: Round) -> list[str]:
    """Return the kinds of events, in order."""
    return [type(event).__name__ for event in now.events]


# Whom to ask.


def test_seats_are_asked_in_order_and_a_decision_goes_round_before_the_next() -> None:
    now = opened(WILD_52, TEN, TEN, TEN).deal(deck_of(WILD_52, "As"))
    asked = []
    while now.turn is not None:
        asked.append(now.turn)
        now = now.decide(now.turn[0], "fold" if now.turn == (1, 0) else "play" if now.turn[1] == 0 else "check")
    assert asked == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)]


def test_nobody_is_asked_before_the_deal_or_after_the_end() -> None:
    now = opened(SIX_CARD, TEN)
    assert now.turn is None
    assert now.list_legal_actions() == ()
    with pytest.raises(IllegalActionError, check=refusal("not-your-turn", seat=0, action="fold")):
        now.decide(0, "fold")
    now = now.deal(deck_of(SIX_CARD, SIX_CARDS)).decide(0, "fold")
    assert now.is_closed
    assert now.turn is None
    with pytest.raises(IllegalActionError, check=refusal("not-your-turn", seat=0, action="play")):
        now.decide(0, "play")
    with pytest.raises(IllegalActionError, check=refusal("no-decision")):
        now.choose_timeout_action()


def test_a_seat_waits_for_its_turn() -> None:
    now = opened(SIX_CARD, TEN, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    for seat in (1, 2, -1):
        with pytest.raises(IllegalActionError, match=f"seat {seat + 1} cannot play now: it is seat 1's turn"):
            now.decide(seat, "play")


def test_an_unknown_action_is_told_from_one_that_is_not_legal_now() -> None:
    now = opened(WILD_52, TEN).deal(deck_of(WILD_52, "As"))
    with pytest.raises(UnknownNameError, match=re.escape("unknown action 'paly': did you mean 'play'? known: fold, ")):
        now.decide(0, "paly")
    with pytest.raises(IllegalActionError, check=refusal("illegal-now", action="check", legal=["fold", "play"])):
        now.decide(0, "check")


@pytest.mark.parametrize("cards", ["", "2s 3s", "Kh", "2s 2s"])
def test_an_action_gives_up_the_right_number_of_ones_own_cards(cards: str) -> None:
    now = opened(WILD_SIX_CARD, TEN).deal(deck_of(WILD_SIX_CARD, "2s 3s 5h 9d Tc"))
    wrong = [card for word in cards.split() for card in cards_of(now, word)]
    says = "discard takes 1 of your cards: name 1 of Tc 9d 5h 3s 2s" + (f", not {cards}" if cards else "")
    with pytest.raises(IllegalActionError, match=says):
        now.decide(0, "discard", wrong)


def test_an_action_that_gives_up_nothing_takes_no_cards() -> None:
    now = opened(SIX_CARD, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    with pytest.raises(IllegalActionError, check=refusal("wrong-discard", action="play")):
        now.decide(0, "play", cards_of(now, "As"))


# The deal.


def test_the_cards_are_dealt_once_and_from_a_whole_deck() -> None:
    now = opened(SIX_CARD, TEN)
    wrong: dict[str, Any] = {
        "the deck has 51 cards: six-card is dealt from 52": range(51),
        "the deck has 0 cards: six-card is dealt from 52": [],
        "card code 52 is not in a deck of 52: codes run from 0 to 51": DECK_53.cards,
        "card code -1 is not in a deck of 52: codes run from 0 to 51": [*range(51), -1],
        "the deck has 2s (card code 0) twice: give each card once": [0, *range(51)],
        "a card of the deck is True: write a whole number": [0, True, *range(2, 52)],
        "a card of the deck is 3.0: write a whole number": [0, 1, 2, 3.0, *range(4, 52)],
        "the deck is None: give the codes of its cards, 0 to 51": None,
    }
    for says, deck in wrong.items():
        with pytest.raises(CardError) as refused:
            now.deal(deck)
        assert str(refused.value) == says
    with pytest.raises(IllegalActionError, check=refusal("cards-dealt")):
        now.deal(SIX_CARD.deck.cards).deal(SIX_CARD.deck.cards)


def test_whole_hands_go_by_seat_and_the_dealers_last() -> None:
    now = opened(SIX_CARD, TEN, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    dealt = [event for event in now.events if isinstance(event, CardsDealt)]
    assert [(event.destination, event.seat) for event in dealt] == [("seat", 0), ("seat", 1), ("dealer", None)]
    assert [card for event in dealt for card in event.cards] == list(cards_of(now, SIX_CARDS))


def test_indicators_and_community_cards_come_first_in_shifting_wilds() -> None:
    now = opened(SHIFTING_WILDS, TEN, TEN).deal(SHIFTING_WILDS.deck.cards)
    dealt = [event for event in now.events if isinstance(event, CardsDealt)]
    assert [event.destination for event in dealt] == ["w1", "w2", "community", "seat", "seat", "dealer"]


def test_draws_are_served_by_seat_and_the_dealers_sixth_comes_last() -> None:
    laid = "2s 3s 5h 9d Tc  2h 3h 5d 9c Ts  2d 3d 5c 9s Th  4s 6s 8h Jd Qc  Ks Kh Kd Kc"
    now = opened(WILD_SIX_CARD, TEN, TEN, TEN).deal(deck_of(WILD_SIX_CARD, laid))
    for seat, card in enumerate(("2s", "2h", "2d")):
        now = now.decide(seat, "discard", cards_of(now, card))
    drawn = [event for event in now.events if isinstance(event, CardsDealt)][4:]
    assert [(event.destination, event.seat) for event in drawn] == [
        ("seat", 0),
        ("seat", 1),
        ("seat", 2),
        ("dealer", None),
    ]
    assert [card for event in drawn for card in event.cards] == list(cards_of(now, "Ks Kh Kd Kc"))


def test_an_automatic_winner_is_not_asked_and_draws_in_his_turn_if_a_bonus_wants_it() -> None:
    laid = "5s 6s 7s 8s 9s  2h 3h 5d 9c Ts  4s Jh 8h Jd Qc  Ks Kh Kd"
    for stakes, draws in ((TEN, [1]), ({"main": 10, "draw-bonus": 5}, [0, 1])):
        now = opened(WILD_SIX_CARD, stakes, TEN).deal(deck_of(WILD_SIX_CARD, laid))
        assert now.turn == (1, 0)
        now = now.decide(1, "discard", cards_of(now, "2h"))
        assert now.is_closed
        drawn = [event for event in now.events if isinstance(event, CardsDealt) and event.destination == "seat"][2:]
        assert [event.seat for event in drawn] == draws
        assert [event.cards for event in drawn] == [(card,) for card in cards_of(now, "Ks Kh")[: len(draws)]]


# What lies open.


def shown(now: Round) -> list[tuple[str, tuple[int, ...]]]:
    """Return every zone turned up, in order, with its cards."""
    return [(event.zone, event.cards) for event in now.events if isinstance(event, CardsShown) and event.seat is None]


def test_three_of_the_dealers_six_cards_lie_open_and_the_others_at_the_end() -> None:
    now = opened(SIX_CARD, TEN).deal(deck_of(SIX_CARD, "As Ad 9c 8d 5h 2s  Ac Kd Tc 8s 6h 3d"))
    assert [zone for zone, _ in shown(now)] == ["dealer"]
    assert make_mask(shown(now)[0][1]) == make_mask(cards_of(now, "Ac Kd Tc"))
    now = now.decide(0, "play")
    assert [make_mask(cards) for _, cards in shown(now)[1:]] == [make_mask(cards_of(now, "8s 6h 3d"))]


def test_w2_is_turned_only_when_every_seat_has_decided_on_w1() -> None:
    now = opened(SHIFTING_WILDS, TEN, TEN, TEN).deal(deck_of(SHIFTING_WILDS, "7s 8h"))
    for seat, action in enumerate(("check", "lock", "check")):
        assert "w2" not in [zone for zone, _ in shown(now)]
        now = now.decide(seat, action)
    assert ("w2", cards_of(now, "8h")) in shown(now)
    assert now.turn == (0, 1)


def test_the_first_community_card_is_turned_after_every_first_decision_even_if_the_last_seat_folds() -> None:
    board = "2s 3s 4s 5s 7s  2h 3h 4h 5h 7h  9d Td Jd Qd 2d  8c Ac"
    now = opened(WILD_52, TEN, TEN).deal(deck_of(WILD_52, board)).decide(0, "play")
    assert shown(now) == []
    now = now.decide(1, "fold")
    assert shown(now) == [("community", cards_of(now, "8c"))]
    now = now.decide(0, "check")
    assert dict(shown(now)[1:])["community"] == cards_of(now, "Ac")


def test_no_seats_own_cards_draw_or_discard_is_ever_shown_to_all() -> None:
    laid = "2s 3s 5h 9d Tc  2h 3h 5d 9c Ts  4s 6s 8h Jd Qc  Ks Kh Kd Kc"
    six = opened(WILD_SIX_CARD, TEN, TEN).deal(deck_of(WILD_SIX_CARD, laid))
    six = six.decide(0, "discard", cards_of(six, "2s")).decide(1, "discard", cards_of(six, "2h"))
    lunar = opened(LUNAR, {"main": 10, "super": 10}).deal(deck_of(LUNAR, "2s 3s 5h 9d Tc  4s 6s 8h Jd Qc  Ks Kh"))
    lunar = lunar.decide(0, "exchange-2", cards_of(lunar, "2s 3s")).decide(0, "play").decide(0, "force")
    for now in (six, lunar):
        private = make_mask(
            card
            for event in now.events
            if isinstance(event, CardsDealt) and event.destination == "seat"
            for card in event.cards
        )
        assert shown(now)
        assert not any(make_mask(cards) & private for _, cards in shown(now))


# When and in what order wagers are settled.


def test_the_highest_seat_is_settled_first_and_its_wagers_in_the_games_order() -> None:
    stakes = {"main": 10, "aces-up": 5, "bad-beat": 5, "progressive": 1}
    laid = "As Ad 9c 8d 5h 2s  Qh Jd 9d 7c 4s 3h  Kh Jc 9h 7d 4d 3s  Ac Kd Tc 8s 6h 3d"
    now = opened(SIX_CARD, stakes, stakes, stakes).deal(deck_of(SIX_CARD, laid))
    for seat in range(3):
        now = now.decide(seat, "play")
    assert [(seat, bet) for seat, bet, _, _ in settled(now)] == [(seat, bet) for seat in (2, 1, 0) for bet in stakes]


def test_a_fold_takes_ante_and_settles_aces_up_at_once_and_bad_beat_at_the_end() -> None:
    stakes = {"main": 10, "aces-up": 5, "bad-beat": 5}
    now = opened(SIX_CARD, stakes, stakes).deal(deck_of(SIX_CARD, SIX_CARDS)).decide(0, "fold")
    assert settled(now) == [(0, "main", "fold", -1_000), (0, "aces-up", "pair-of-aces", 500)]
    now = now.decide(1, "play")
    assert [(seat, bet) for seat, bet, _, _ in settled(now)[2:]] == [
        (1, "main"),
        (1, "aces-up"),
        (1, "bad-beat"),
        (0, "bad-beat"),
    ]


def test_super_and_instant_cash_are_paid_before_anybody_decides() -> None:
    stakes = {"main": 10, "super": 10}
    laid = "As Ks Qs Js Ts  2h 3h 5d 9c Tc  4s 6s 8h Jd Qc"
    now = opened(LUNAR, stakes, stakes).deal(deck_of(LUNAR, laid))
    assert settled(now) == [
        (1, "super", "lose", -1_000),
        (0, "main", "instant-cash-royal-flush", 1_000_000),
        (0, "super", "same-coloured-straight", 150_000),
    ]
    assert now.turn == (1, 0)
    assert now.decide(1, "fold").is_closed


def test_an_automatic_winner_is_paid_before_the_draw_and_never_asked() -> None:
    now = opened(WILD_SIX_CARD, {"main": 10, "queens-or-better": 5}, TEN).deal(
        deck_of(WILD_SIX_CARD, "5s 6s 7s 8s 9s  2h 3h 5d 9c Ts")
    )
    assert settled(now) == [(0, "main", "automatic-win", 1_000), (0, "queens-or-better", "straight-flush", 25_000)]
    assert happened(now).index("WagerSettled") < len(now.events)
    assert now.turn == (1, 0)


def test_dealer_super_is_settled_when_the_dealer_opens_also_for_a_seat_that_folded() -> None:
    stakes = {"main": 10, "super": 10, "dealer-super": 5}
    laid = "2s 3s 5h 9d Tc  2h 3h 5d 9c Ts  4s 4d 4h Jd Qc"
    now = opened(LUNAR, stakes, stakes).deal(deck_of(LUNAR, laid)).decide(0, "fold")
    assert "dealer-super" not in [bet for _, bet, _, _ in settled(now)]
    now = now.decide(1, "fold")
    assert settled(now)[-2:] == [
        (1, "dealer-super", "three-of-a-kind", 4_000),
        (0, "dealer-super", "three-of-a-kind", 4_000),
    ]


def test_who_takes_the_ante_and_who_forces_are_settled_together_from_the_dealers_right() -> None:
    stakes = {"main": 10, "super": 10}
    laid = "2s 3s 5h 9d Tc  As Ah 6d 9c Ts  Kd 4d 6h Jd 8c  Qh 7c 5s 3h 2c"
    now = opened(LUNAR, stakes, stakes, stakes).deal(deck_of(LUNAR, laid))
    for seat in range(3):
        now = now.decide(seat, "play")
    before = len(settled(now))
    now = now.decide(0, "take-ante").decide(1, "force")
    assert len(settled(now)) == before
    now = now.decide(2, "take-ante")
    assert [(seat, bet) for seat, bet, _, _ in settled(now)[before:]] == [(2, "main"), (1, "main"), (0, "main")]


def test_draw_bonus_is_paid_before_the_six_card_hand_as_in_the_sheets_first_example() -> None:
    stakes = {"main": 10, "queens-or-better": 5, "taxpayers-fortune": 1, "draw-bonus": 5}
    now = opened(WILD_SIX_CARD, stakes).deal(deck_of(WILD_SIX_CARD, "3s 3h 3d 8s 8h  2h 4h 5d 9c Ts  3c"))
    assert now.is_closed
    assert [bet for _, bet, _, _ in settled(now)] == ["main", "queens-or-better", "draw-bonus", "taxpayers-fortune"]


def test_dealer_super_is_paid_to_all_before_any_bet() -> None:
    stakes = {"main": 10, "super": 10, "dealer-super": 5}
    laid = "2s 3s 5h 9d Tc  As Ah 6d 9c Ts  4s 4d 4h Jd Qc"
    now = opened(LUNAR, stakes, stakes).deal(deck_of(LUNAR, laid)).decide(0, "play").decide(1, "play")
    assert [(seat, bet) for seat, bet, _, _ in settled(now)[2:]] == [
        (1, "dealer-super"),
        (0, "dealer-super"),
        (1, "main"),
        (0, "main"),
    ]


def test_a_hand_is_turned_up_just_before_it_is_settled_and_a_folded_one_only_to_be_paid() -> None:
    stakes = {"main": 10, "aces-up": 5}
    now = opened(SIX_CARD, stakes, TEN, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    now = now.decide(0, "fold").decide(1, "fold").decide(2, "play")
    turned = [event for event in now.events if isinstance(event, CardsShown) and event.seat is not None]
    assert [event.seat for event in turned] == [0, 2]  # a pair of aces that folded is paid Aces Up
    assert make_mask(turned[0].cards) == make_mask(cards_of(now, SIX_CARDS[:17]))
    assert isinstance(now.events[now.events.index(turned[1]) + 1], WagerSettled)


def test_multi_super_is_settled_on_the_other_seats_hand_whatever_its_bettor_does() -> None:
    stakes = {"main": 10, "super": 10}
    laid = "2s 3s 5h 9d Tc  As Ah Ad 9c Ts  4s 4d 6h Jd Qc"
    now = opened(LUNAR, stakes, stakes).place_wager(_on(0, 1)).place_wager(_on(1, 0)).deal(deck_of(LUNAR, laid))
    multi = [event for event in now.events if isinstance(event, WagerSettled) and event.bet == "multi-super"]
    by_bettor = {event.seat: (event.on, event.outcome) for event in multi}
    assert by_bettor == {0: (1, "three-of-a-kind"), 1: (0, "lose")}


def _on(seat: int, other: int) -> Stake:
    return Stake(seat, "multi-super", 500, other)


def test_the_last_event_says_what_every_seat_won_or_lost() -> None:
    now = opened(SIX_CARD, {"main": 10, "aces-up": 5}, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    now = now.decide(0, "play").decide(1, "fold")
    assert now.events[-1] == RoundClosed((2_500, -1_000))
    assert [net_of(now, 0, "main"), net_of(now, 0, "aces-up"), net_of(now, 1, "main")] == [2_000, 500, -1_000]


def test_the_reason_of_a_circle_names_the_hands_and_the_value_of_the_option() -> None:
    laid = "As Ad 9c 8d 5h 2s  Qc Jd Tc 8s 6h 3d"
    now = opened(SIX_CARD, TEN, dealer_qualifies="pair-of-9").deal(deck_of(SIX_CARD, laid)).decide(0, "play")
    legs = [leg for event in now.events if isinstance(event, WagerSettled) for leg in event.legs]
    assert [(leg.circle, leg.reason) for leg in legs] == [
        ("ante", "dealer does not qualify: queen-jack high, below pair of nines"),
        ("play", "pair of aces beats the dealer's queen-jack high"),
    ]


def test_a_table_that_cannot_be_paid_in_whole_cents_is_refused_before_anything_is_paid() -> None:
    table = select_paytables(SIX_CARD)["aces-up"]
    thirds = replace(table, lines={line: replace(pay, amount=Fraction(1, 3)) for line, pay in table.lines.items()})
    now = open_round(SIX_CARD, paytables={"aces-up": thirds})
    now = (
        now.place_wager(Stake(0, "main", 1_000))
        .place_wager(Stake(0, "aces-up", 500))
        .deal(deck_of(SIX_CARD, SIX_CARDS))
    )
    with pytest.raises(PayTableError, check=refusal("fraction-of-a-cent")):
        now.decide(0, "play")


# Time runs out.


def test_a_seat_that_does_not_answer_does_what_the_rulings_say() -> None:
    now = opened(WILD_52, TEN).deal(deck_of(WILD_52, "As"))
    assert now.choose_timeout_action() == ("fold", ())
    assert now.decide(0, "play").choose_timeout_action() == ("check", ())
    now = opened(SHIFTING_WILDS, TEN).deal(deck_of(SHIFTING_WILDS, "As"))
    assert now.choose_timeout_action() == ("check", ())
    assert now.decide(0, "check").choose_timeout_action() == ("fold", ())
    now = opened(WILD_SIX_CARD, TEN).deal(deck_of(WILD_SIX_CARD, "Jk1 3s 9h 3d Tc"))
    assert now.choose_timeout_action() == ("discard", cards_of(now, "3s"))
    now = opened(LUNAR, {"main": 10, "super": 10}).deal(deck_of(LUNAR, "As Ks 9h 3d 4c  2h 3h 5c 7d 9d"))
    assert now.choose_timeout_action() == ("fold", ())
    assert now.decide(0, "play").choose_timeout_action() == ("take-ante", ())


# A round that stands still.


def test_a_round_is_a_value_and_every_command_makes_another() -> None:
    first = opened(SIX_CARD, TEN).deal(deck_of(SIX_CARD, SIX_CARDS))
    before = repr(first)
    played, folded = first.decide(0, "play"), first.decide(0, "fold")
    assert repr(first) == before
    assert played.events[: len(first.events)] == folded.events[: len(first.events)] == first.events
    assert played.events != folded.events


def test_a_refused_action_changes_nothing() -> None:
    now = opened(WILD_SIX_CARD, TEN).deal(deck_of(WILD_SIX_CARD, "2s 3s 5h 9d Tc"))
    before = repr(now)
    for seat, action, cards in ((0, "stand", ()), (0, "discard", ()), (1, "discard", (0,)), (0, "fold", ())):
        with pytest.raises((IllegalActionError, UnknownNameError)):
            now.decide(seat, action, cards)
    assert repr(now) == before


def test_events_begin_with_the_wagers_and_tell_every_chip_put_down() -> None:
    now = opened(WILD_52, {"main": 10, "joker": 5}).deal(deck_of(WILD_52, "As")).decide(0, "play").decide(0, "play-2")
    assert [event for event in now.events if isinstance(event, StakePlaced)] == list(now.events[:2])
    put = [(event.action, event.cents, event.circle) for event in now.events if isinstance(event, DecisionMade)]
    assert put == [("play", 2_000, "play"), ("play-2", 2_000, "option")]
    assert now.sum_staked_cents(0) == 1_000 + 500 + 4_000
    assert open_round(WILD_52).sum_staked_cents(0) == 0
