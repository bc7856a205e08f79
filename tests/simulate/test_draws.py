"""Draws: the published generator's own answers, every input of small widths counted, and where cards fall."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2

from pitboss.cards import DECK_54, format_cards
from pitboss.simulate.rng import (
    WORD_MASK,
    RngState,
    draw_below,
    draw_choice_bits,
    generate_words,
    is_rejected,
    philox,
    redraw_word,
    shuffle_until,
    split_word,
)

SIZES = (52, 53, 54)

# Random123 1.14.0, kat_vectors: philox4x32 10.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def read(words: str) -> list[int]:
    """Read words written in hexadecimal."""
    return [int(word, 16) for word in words.split()]


def dealt(size: int, until: int, chance: RngState) -> list[int]:
    """Return a deck of which the first cards lie in order, and its last place."""
    stub = [*range(size), *([-1] * size)]
    shuffle_until(stub, size, 0, until, chance)
    assert stub[size:] == [-1] * size
    return stub[:size]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_the_generator_gives_the_answers_its_authors_publish(counter: str, key: str, answer: str) -> None:
    assert list(philox(*read(counter), *read(key))) == read(answer)


@pytest.mark.parametrize("bits", [8, 10, 13, 18])
@pytest.mark.parametrize("bounds", [(52, 51, 50), (5, 4, 3), (7, 1, 1), (3, 3, 3), (2, 1, 1), (1, 1, 1), (13, 3, 2)])
def test_every_draw_comes_from_as_many_words_as_any_other(bounds: tuple[int, int, int], bits: int) -> None:
    bound, every = bounds[0] * bounds[1] * bounds[2], 1 << bits
    drawn = Counter(
        split_word(word, *bounds, bits) for word in range(every) if not is_rejected(word * bound % every, bound, bits)
    )
    assert set(drawn) == (set(product(*map(range, bounds))) if bound <= every else set())
    assert set(drawn.values()) <= {every // bound}


def test_a_word_that_will_not_serve_is_drawn_again() -> None:
    chance, bound = RngState(1, 2, 3, 4), (1 << 31) + 1
    served = [
        attempt
        for attempt in range(40)
        if not is_rejected(generate_words(chance, 0, 0, attempt)[1] * bound & WORD_MASK, bound)
    ]
    assert 5 < len(served) < 35
    for attempt in range(served[-1]):
        first = next(each for each in served if each >= attempt)
        assert redraw_word(chance, 3, bound, attempt) == generate_words(chance, 0, 0, first)[1]


@pytest.mark.parametrize("size", SIZES)
def test_cards_laid_out_bit_by_bit_lie_as_all_at_once(size: int) -> None:
    chance = RngState(5, 6, 7, 8)
    whole = dealt(size, size, chance)
    assert sorted(whole) == list(range(size))
    stub, laid = [*range(size), *([-1] * size)], 0
    for until in (1, 12, 13, 30, size):
        laid = shuffle_until(stub, size, laid, until, chance)
        assert until <= laid
        assert stub[:until] == whole[:until]


def test_a_seed_deals_what_it_always_dealt() -> None:
    deck = format_cards(dealt(54, 54, RngState(1, 0, 0, 0)), DECK_54)
    assert deck.startswith("Jc 6s Qc 2s Jd 2d Td As 7s 4c Qs Kh 2h 8h Ks Ah Th 6h Ts 9s 7c 3s 7h 6d Ac 3d 9c Js Kc 3c")
    assert deck.endswith("5h 3h 7d 9d 4d 9h 8c 5s 8d Ad Jk2 6c 5d Qh Qd 4h Jh 2c Jk1 8s 5c Kd Tc 4s")


def test_rounds_blocks_and_seeds_are_dealt_apart() -> None:
    chances = [RngState(*each) for each in product((0, 1), repeat=4)]
    assert len({tuple(dealt(52, 12, chance)[:12]) for chance in chances}) == len(chances)


@pytest.mark.parametrize("size", SIZES)
def test_every_card_falls_on_every_place_equally_often(size: int) -> None:
    rounds, places = 6_000, (0, 1, 2, 5, 11, 12, 13, size - 2, size - 1)
    decks = np.array([dealt(size, size, RngState(9, 0, 1, number)) for number in range(rounds)])
    for place in places:
        wanted = rounds / size
        statistic = ((np.bincount(decks[:, place], minlength=size) - wanted) ** 2 / wanted).sum()
        assert 1e-6 < chi2.sf(statistic, size - 1) < 1 - 1e-6
    pairs = np.bincount(decks[:, 0] * size + decks[:, 1], minlength=size * size)
    wanted = rounds / (size * (size - 1))
    statistic = ((pairs[pairs > 0] - wanted) ** 2 / wanted).sum() + (size * (size - 1) - (pairs > 0).sum()) * wanted
    assert pairs.reshape(size, size).trace() == 0
    assert 1e-6 < chi2.sf(statistic, size * (size - 1) - 1) < 1 - 1e-6


def test_other_draws_are_even_and_do_not_meet_those_of_the_deal() -> None:
    chances = [RngState(1, 1, 1, number) for number in range(4_000)]
    drawn = Counter(draw_below(chance, 2, 5) for chance in chances)
    assert set(drawn) == set(range(5))
    assert max(drawn.values()) - min(drawn.values()) < 200
    numbers = {draw_choice_bits(chance, 0) for chance in chances}
    assert len(numbers) == len(chances)
    assert 0 <= min(numbers) < max(numbers) < 1 << 62
