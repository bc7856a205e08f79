"""The hold of a player is the edge on the rounds played, and that of every course of a short session."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from pitboss.analysis.hold import PlayerModel, compute_hold
from pitboss.analysis.par_sheet import ParSheet

from .test_round_exposure import make_sheet


def test_the_loss_is_the_edge_of_the_rounds_that_are_played() -> None:
    sheet = make_sheet("six-card", "aces-up")
    for model in (PlayerModel(), PlayerModel(buy_in_cents=5_000, hours=Fraction(1)), PlayerModel(bet_cents=1_500)):
        hold = compute_hold(sheet, model.bet_cents, model)
        assert hold is not None
        assert hold.loss_cents == pytest.approx(float(sheet.house_edge) * model.bet_cents * hold.rounds, rel=1e-9)
        assert hold.hold == hold.loss_cents / model.buy_in_cents
        assert hold.rounds <= model.rounds


def play_out(sheet: ParSheet, chips: int, rounds: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the mean loss in units, the mean rounds and the ruin of every course of a session."""
    loss = played = ruin = Fraction(0)
    for course in product([line for line in sheet.lines if line.deals], repeat=rounds):
        chance, left, count = Fraction(1), Fraction(chips), 0
        for line in course:
            chance *= line.probability
        for line in course:
            if left >= 1:
                left, count = left + line.net, count + 1
        loss, played, ruin = loss + chance * (chips - left), played + chance * count, ruin + chance * (left < 1)
    return loss, played, ruin


def test_a_short_session_is_every_course_of_it() -> None:
    sheet = make_sheet("shifting-wilds", "blackjack-bonus")
    model = PlayerModel(bet_cents=1_000, rounds_per_hour=4, hours=Fraction(1), buy_in_cents=2_900)
    hold = compute_hold(sheet, 1_000, model)
    loss, rounds, ruin = play_out(sheet, 2, 4)  # $29 covers two bets of $10
    assert hold is not None
    assert hold.loss_cents == pytest.approx(float(loss) * 1_000)
    assert hold.rounds == pytest.approx(float(rounds))
    assert hold.ruin == pytest.approx(float(ruin))


def test_a_buy_in_below_one_round_has_no_hold() -> None:
    sheet = make_sheet("six-card", "aces-up")
    assert compute_hold(sheet, 2_500, PlayerModel(buy_in_cents=2_400)) is None
    far = replace(sheet, lines=(replace(sheet.lines[0], net=Fraction(10**9)), *sheet.lines[1:]))
    assert compute_hold(far, 2_500, PlayerModel()) is None
