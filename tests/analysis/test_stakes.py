"""Stakes beside an Ante are read exactly, and only those that play can change are played for."""

from fractions import Fraction

import pytest

from pitboss.analysis.side_stakes import parse_side_stakes, select_played_stakes
from pitboss.core.errors import PitbossError
from pitboss.games import load_game
from pitboss.options import resolve_options
from refusals import refusal

SHIFTING, WILD_52, WILD_SIX = load_game("shifting-wilds"), load_game("wild-52"), load_game("wild-six-card")


def test_stakes_are_exact_fractions_of_an_ante() -> None:
    written = ["regular-bonus=0.1", "bad-beat=1/3", "blackjack-bonus=2"]
    stakes = parse_side_stakes(SHIFTING, {}, written)
    assert stakes == {"regular-bonus": Fraction(1, 10), "bad-beat": Fraction(1, 3), "blackjack-bonus": 2}
    assert select_played_stakes(SHIFTING, {}, stakes) == {"regular-bonus": Fraction(1, 10), "bad-beat": Fraction(1, 3)}


def test_wild_52_is_played_for_its_side_wagers_only_where_a_fold_loses_them() -> None:
    stakes = {"bonus": Fraction(1), "joker": Fraction(0)}
    assert select_played_stakes(WILD_52, resolve_options(WILD_52, {}), stakes) == {}
    assert select_played_stakes(WILD_52, resolve_options(WILD_52, {"bonus_after_fold": "off"}), stakes) == {"bonus": 1}


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (["bad-beat"], "invalid-stake"),
        (["bad-beat=-1"], "invalid-stake"),
        (["bad-beat=1/0"], "invalid-stake"),
        (["main=1"], "fixed-stake"),
        (["bad-baet=1"], "unknown-side-wager"),
        (["bad-beat=1", "bad-beat=2"], "stake-twice"),
        (["regular-bonus=1.5"], "above-other-stake"),
    ],
)
def test_other_stakes_are_refused(written: list[str], code: str) -> None:
    with pytest.raises(PitbossError, check=refusal(code)):
        parse_side_stakes(SHIFTING, {}, written)


def test_a_wager_that_is_off_cannot_be_staked() -> None:
    with pytest.raises(PitbossError, check=refusal("wager-off", wager="draw-bonus", disabling_option="draw_bonus=off")):
        parse_side_stakes(WILD_SIX, resolve_options(WILD_SIX, {"draw_bonus": "off"}), ["draw-bonus=1"])
