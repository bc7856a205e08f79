"""The six-card hands of Taxpayer's Fortune: against the oracle, and counted one by one."""

import tomllib
from collections.abc import Sequence
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracle.naive import six_cards
from pitboss.cards import DECK_54, make_mask, parse_cards
from pitboss.hands import evaluate_six_cards

LINES = (
    "nothing",
    "three-pair",
    "six-card-straight",
    "six-card-flush",
    "double-three-of-a-kind",
    "four-of-a-kind-and-a-pair",
    "four-aces-and-a-pair",
    "six-card-straight-flush",
    "six-of-a-kind",
)
COUNTS = tomllib.loads((Path(__file__).parent.parent / "counts" / "six-card-hands.toml").read_text(encoding="utf-8"))


def line(codes: Sequence[int]) -> str:
    """Return the name of the line that the rule returns."""
    return LINES[evaluate_six_cards(make_mask(codes))]


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ("As Ah Ad Ac Jk1 Jk2", "six-of-a-kind"),
        ("2s 2h 2d 2c Jk1 Jk2", "six-of-a-kind"),
        ("As Ah Ad Ac Kc Jk2", "nothing"),
        ("As Ah Ad Kc Jk1 Jk2", "nothing"),
        ("Ah 2h 3h 4h 5h 6h", "six-card-straight-flush"),
        ("9c Tc Jc Qc Kc Ac", "six-card-straight-flush"),
        ("8c 9c Tc Jc Qc Jk1", "nothing"),
        ("As Ah Ad Ac Kc Ks", "four-aces-and-a-pair"),
        ("Ks Kh Kd Kc Ac As", "four-of-a-kind-and-a-pair"),
        ("As Ah Ad Kc Ks Kh", "double-three-of-a-kind"),
        ("Ah 2h 3h 4h 5h 7h", "six-card-flush"),
        ("2h 3h 4h 5h Ah Kh", "six-card-flush"),
        ("Ah 2h 3h 4h 5h 6s", "six-card-straight"),
        ("9h Th Js Qh Kh Ah", "six-card-straight"),
        ("8h 9h Ts Jh Qh Ah", "nothing"),
        ("Kh Ah 2s 3h 4h 5h", "nothing"),
        ("2s 2h 9d 9c As Ac", "three-pair"),
        ("2s 2h 2d 9c As Ac", "nothing"),
        ("2s 2h 2d 2c 9c As", "nothing"),
        ("2s 2h 9d 9c As Kc", "nothing"),
        ("2s 2h 9d Tc As Kc", "nothing"),
    ],
)
def test_aimed_hands(held: str, expected: str) -> None:
    codes = parse_cards(held, DECK_54)
    assert (line(codes), six_cards(codes)) == (expected, expected)


@given(st.lists(st.integers(0, 53), min_size=6, max_size=6, unique=True))
def test_random_hands_agree_with_the_oracle(codes: list[int]) -> None:
    assert line(codes) == six_cards(codes)


@pytest.mark.parametrize("pool", [[0, 11, 12, 5], [12, 0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11, 12]])
def test_hands_of_few_ranks_agree_with_the_oracle(pool: list[int]) -> None:
    deck = [code for code in range(52) if code % 13 in pool] + [52, 53]
    chance = np.random.default_rng(pool)
    for _ in range(2_000):
        codes = chance.permutation(deck)[:6].tolist()
        assert line(codes) == six_cards(codes), codes


def test_lines_by_closed_forms() -> None:
    assert COUNTS["six-of-a-kind"] == 13
    assert COUNTS["six-card-straight-flush"] == 4 * 9
    assert COUNTS["four-aces-and-a-pair"] == 12 * 6
    assert COUNTS["four-of-a-kind-and-a-pair"] == 12 * 12 * 6
    assert COUNTS["double-three-of-a-kind"] == comb(13, 2) * 4 * 4
    assert COUNTS["six-card-flush"] == 4 * (comb(13, 6) - 9)
    assert COUNTS["six-card-straight"] == 9 * (4**6 - 4)
    assert COUNTS["three-pair"] == comb(13, 3) * 6**3


@pytest.mark.more
@pytest.mark.compiled
def test_every_hand_counted_one_by_one() -> None:
    from pitboss.kernels.compile import kernel

    @kernel
    def count_lines(cards: int) -> NDArray[np.int64]:
        counts = np.zeros(9, np.int64)
        for a in range(cards):
            for b in range(a):
                for c in range(b):
                    for d in range(c):
                        four = 1 << a | 1 << b | 1 << c | 1 << d
                        for e in range(d):
                            for f in range(e):
                                counts[evaluate_six_cards(four | 1 << e | 1 << f)] += 1
        return counts

    counts = dict(zip(LINES, count_lines(54).tolist(), strict=True))
    assert sum(counts.values()) == comb(54, 6)
    assert {name: counts[name] for name in LINES[1:]} == {name: COUNTS[name] for name in LINES[1:]}
