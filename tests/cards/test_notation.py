"""The text notation of cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    DECK_52,
    DECK_53,
    DECK_54,
    NATURALS_MASK,
    SUIT_COUNT,
    Deck,
    count_jokers,
    format_card,
    format_cards,
    get_naturals,
    get_rank,
    get_ranks,
    get_suit_ranks,
    make_card,
    make_mask,
    parse_cards,
    popcount,
)
from pitboss.core.errors import CardError

decks = st.sampled_from([DECK_52, DECK_53, DECK_54])
hands = decks.flatmap(lambda deck: st.tuples(st.just(deck), st.lists(st.sampled_from(deck.cards), unique=True)))


@given(hands)
def test_what_is_written_is_read_back(hand: tuple[Deck, list[int]]) -> None:
    deck, codes = hand
    assert list(parse_cards(format_cards(codes, deck), deck)) == codes
    assert make_mask(parse_cards(format_cards(make_mask(codes), deck), deck)) == make_mask(codes)


@given(hands)
def test_a_set_of_cards_is_told_apart_by_suits_ranks_and_jokers(hand: tuple[Deck, list[int]]) -> None:
    _, codes = hand
    mask = make_mask(codes)
    natural = [code for code in codes if code < 52]
    assert popcount(mask) == len(codes)
    assert count_jokers(mask) == len(codes) - len(natural)
    assert get_naturals(mask) == make_mask(natural) == mask & NATURALS_MASK
    assert get_ranks(mask) == make_mask({get_rank(code) for code in natural})
    for suit_index in range(SUIT_COUNT):
        assert get_suit_ranks(mask, suit_index) == make_mask(
            get_rank(code) for code in natural if code == make_card(get_rank(code), suit_index)
        )


def test_a_set_is_written_from_the_highest_rank_down_and_jokers_last() -> None:
    held = make_mask(parse_cards("2c Jk2 As Jk1 Ah Td", DECK_54))
    assert format_cards(held, DECK_54) == "As Ah Td 2c Jk1 Jk2"


def test_suits_come_as_spades_hearts_diamonds_clubs() -> None:
    assert [format_card(code, DECK_52) for code in (0, 12, 13, 26, 39, 51)] == ["2s", "As", "2h", "2d", "2c", "Ac"]


@pytest.mark.parametrize(
    ("text", "deck", "complaint"),
    [
        ("As 1d", DECK_52, "'1d' is not a card: write a rank of 23456789TJQKA and a suit of shdc, for example Td$"),
        ("11d", DECK_53, "'11d' is not a card: .* for example Td, or Jk$"),
        ("a", DECK_54, "'a' is not a card: .* for example Td, or Jk1 or Jk2$"),
        ("As Kd aS", DECK_52, "As appears twice in 'As Kd aS': write each card once"),
        ("Jk", DECK_52, "Jk is not in this deck of 52: it has no Joker"),
        ("Jk2", DECK_53, "Jk2 is not in this deck of 53: its Joker is written Jk"),
        ("Jk", DECK_54, "Jk is not in this deck of 54: its Jokers are Jk1 and Jk2"),
    ],
)
def test_a_bad_card_is_refused_with_what_would_be_right(text: str, deck: Deck, complaint: str) -> None:
    with pytest.raises(CardError, match=complaint):
        parse_cards(text, deck)


@pytest.mark.parametrize(("code", "deck"), [(52, DECK_52), (53, DECK_53), (54, DECK_54), (-1, DECK_52)])
def test_a_code_outside_the_deck_is_refused(code: int, deck: Deck) -> None:
    with pytest.raises(CardError, match=f"card code {code} is not in a deck of {deck.size}"):
        format_card(code, deck)


@pytest.mark.parametrize("jokers", [-1, 3])
def test_a_deck_has_at_most_two_jokers(jokers: int) -> None:
    with pytest.raises(CardError, match=f"not {jokers}"):
        Deck(jokers)


def test_a_deck_knows_its_cards() -> None:
    assert [(deck.size, len(deck.cards), popcount(deck.mask)) for deck in (DECK_52, DECK_53, DECK_54)] == [
        (52, 52, 52),
        (53, 53, 53),
        (54, 54, 54),
    ]
