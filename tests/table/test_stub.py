"""Cards running out at a table of Lunar Poker (LU-11), and the one card that serves all who force (LU-10)."""

import pytest

from pitboss.cards import parse_cards
from pitboss.core.errors import CardError, IllegalActionError
from pitboss.table.round import CardsDealt, Round, StubReshuffled
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.round.history_writer import build_history, format_history
from pitboss.table.round.stub import Stub
from refusals import refusal
from table.laying import LUNAR, deck_of, net_of, opened

STAKES = {"main": 10, "super": 10}

# Seven hands of five without a straight flush, and then a stub of 17 cards.
SEVEN_HANDS = (
    "2s 4h 7d 9c Js  2h 4d 7c 9s Jh  2d 4c 7s 9h Jd  2c 4s 7h 9d Jc  3s 5h 8d Tc Qs  3h 5d 8c Ts Qh  As Kh Qd 6c 3d"
)
IN_ORDER = list


def six_seats(**options: str) -> Round:
    """Deal to six seats; 17 cards are left, of which one is kept back for Force."""
    return opened(LUNAR, *[STAKES] * 6, **options).deal(deck_of(LUNAR, SEVEN_HANDS))


def words(now: Round) -> list[str]:
    """Return the names of the legal actions."""
    return [action.id for action in now.list_legal_actions()]


def hand(now: Round, seat: int) -> list[int]:
    """Return the cards a seat holds."""
    return [card for card in LUNAR.deck.cards if now.get_view(seat).player >> card & 1]


def all_five(now: Round, seats: int) -> Round:
    """Let the first seats exchange all five cards, one after another."""
    for seat in range(seats):
        now = now.decide(seat, "exchange-5", hand(now, seat), IN_ORDER)
    return now


def test_with_refuse_a_draw_that_the_stub_cannot_serve_is_not_offered() -> None:
    now = all_five(six_seats(short_deck="refuse"), 3)
    assert words(now) == ["fold", "play", "buy"]
    with pytest.raises(
        IllegalActionError, check=refusal("illegal-now", seat=3, action="exchange-2", legal=["fold", "play", "buy"])
    ):
        now.decide(3, "exchange-2", hand(now, 3)[:2])
    now = now.decide(3, "buy")
    assert words(now) == ["fold", "play"]


def test_with_refuse_the_last_card_is_kept_for_force() -> None:
    now = all_five(six_seats(short_deck="refuse", dealer_qualifies="pair-of-A"), 3).decide(3, "buy")
    now = now.decide(4, "play").decide(5, "fold")
    for seat in range(4):
        now = now.decide(seat, "fold")
    now = now.decide(4, "force")
    assert now.is_closed
    assert [event.cards for event in now.events if isinstance(event, CardsDealt)][-1] == (now.game.deck.cards[-1],)


def test_cards_given_up_by_others_are_shuffled_below_the_stub() -> None:
    now = all_five(six_seats(), 3)
    assert words(now)[-1] == "exchange-5"
    left = LUNAR.deck.cards[-2:]
    now = now.decide(3, "exchange-5", hand(now, 3), IN_ORDER)
    renewed = [event for event in now.events if isinstance(event, StubReshuffled)]
    given_up = parse_cards("2s 4h 7d 9c Js  2h 4d 7c 9s Jh  2d 4c 7s 9h Jd", LUNAR.deck)
    assert [event.cards for event in renewed] == [tuple(sorted(given_up))]
    drawn = [event for event in now.events if isinstance(event, CardsDealt)][-1]
    assert drawn.cards == (*left, *sorted(given_up)[:3])


def test_ones_own_discards_never_come_back_to_oneself_but_folded_hands_of_others_may() -> None:
    now = six_seats().decide(0, "fold")
    for seat in (1, 2, 3):
        now = now.decide(seat, "exchange-5", hand(now, seat), IN_ORDER)
    mine = hand(now, 4)
    now = now.decide(4, "exchange-5", mine, IN_ORDER)
    renewed = next(event for event in now.events if isinstance(event, StubReshuffled))
    assert set(parse_cards("2s 4h 7d 9c Js", LUNAR.deck)) <= set(renewed.cards)
    assert not set(mine) & set(renewed.cards)


def test_a_card_returns_to_the_stub_once_a_round() -> None:
    now = all_five(six_seats(), 6)
    renewed = [event.cards for event in now.events if isinstance(event, StubReshuffled)]
    returned = [card for cards in renewed for card in cards]
    assert len(returned) == len(set(returned))
    assert now.turn == (0, 1)


def test_a_reshuffle_needs_a_shuffle_that_gives_back_the_same_cards() -> None:
    now = all_five(six_seats(), 3)
    before = repr(now)
    with pytest.raises(IllegalActionError, check=refusal("stub-too-short", given=2)):
        now.decide(3, "exchange-5", hand(now, 3))
    for shuffle in (lambda cards: cards[1:], lambda cards: [*cards, 0], lambda cards: [cards[0]] * len(cards)):
        with pytest.raises(CardError, check=refusal("wrong-shuffle")):
            now.decide(3, "exchange-5", hand(now, 3), shuffle)
    assert repr(now) == before


def test_a_round_with_a_reshuffle_replays_from_its_history_alone() -> None:
    now = all_five(six_seats(), 6)
    while now.turn is not None:
        now = now.decide(now.turn[0], now.list_legal_actions()[-1].id)
    text = format_history(build_history(now))
    again = replay_history(parse_history(text))
    assert again.events[-1] == now.events[-1]
    assert again.states == now.states
    assert format_history(build_history(again)) == text


def test_what_could_be_served_counts_the_stub_less_what_is_kept_back_and_what_others_gave_up() -> None:
    stub = Stub((5, 6, 7), reshuffled_mask=0b1)
    assert stub.count_available(0, 1) == 2
    assert stub.count_available(0b111, 1) == 4
    assert stub.draw(2) == ((5, 6), Stub((7,), 0b1))
    assert stub.reshuffle(0b111, lambda cards: cards[::-1]) == ((2, 1), Stub((5, 6, 7, 2, 1), 0b111))


def test_one_card_serves_all_who_forced_and_those_who_took_the_ante_stand_without_it() -> None:
    laid = "As Ah 7d 9c Js  Ks Kh 4d 9s 2h  Qs Qh 7s 9h 2d  2c 4s 7h 8d Tc  Jh"
    now = opened(LUNAR, STAKES, STAKES, STAKES, dealer_qualifies="pair-of-2").deal(deck_of(LUNAR, laid))
    for seat in range(3):
        now = now.decide(seat, "play")
    now = now.decide(0, "force").decide(1, "take-ante").decide(2, "force")
    assert [event.cards for event in now.events if isinstance(event, CardsDealt)][-1] == parse_cards("Jh", LUNAR.deck)
    assert [net_of(now, seat, "main") for seat in range(3)] == [-1_000, 1_000, -1_000]
