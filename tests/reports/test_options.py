"""What an option does not touch is not counted again, and is indeed what it was."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import numpy as np
import pytest

from conformance.drawing import each_game
from conformance.test_compiled import chances, plain
from pitboss.analysis.option_effects import compute_option_effects, find_options_read
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.reports.report import GameReport

DEALS = 90
VALUES = 3


def watching(_what: str) -> AbstractContextManager[ProgressCallback]:
    return nullcontext(ignore_progress)


@each_game
def test_an_option_that_rules_do_not_ask_for_changes_no_outcome(game: Game) -> None:
    decks, wagered, numbers = chances(game, 1, DEALS, seed=9)
    chance = decks, np.full_like(wagered, (1 << len(game.wagers)) - 1), numbers

    def outcomes(**changed: str) -> np.ndarray:
        codes = encode_options(game, resolve_options(game, changed))
        return np.asarray(plain(game, 1)(load_hand_tables(), *chance, codes, 0)[0]).reshape(DEALS, len(game.wagers))

    standard = outcomes()
    for option in game.options:
        for value in [each for each in option.values if each != option.default][-VALUES:]:
            touched = (outcomes(**{option.name: value}) != standard).any(axis=0)
            for wager, changed in zip(game.wagers, touched.tolist(), strict=True):
                assert not changed or option.name in find_options_read(game, wager), (option.name, wager.id)


def test_an_option_of_the_books_changes_the_progressive_alone(six_card: GameReport) -> None:
    found = compute_option_effects(six_card.game, six_card.terms, six_card.sheets[1:], watching, full=False)
    assert [(each.option.name, each.value, each.bet) for each in found] == [
        ("fixed_awards_from", "meter", "progressive")
    ]
    changed = found[0].sheet
    assert changed
    assert changed.extras["runs_dry"] is True
    assert changed.house_edge == six_card.sheets[-1].house_edge


def test_a_best_play_that_is_not_kept_is_not_looked_for(six_card: GameReport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.analysis.option_effects.get_cached_solution", lambda *_asked: None)
    found = compute_option_effects(six_card.game, six_card.terms, six_card.sheets[:1], watching, full=False)
    assert [each.value for each in found] == [value for value in six_card.game.options[0].values if value != "ace-king"]
    assert {each.sheet for each in found} == {None}


def test_a_play_for_several_bets_is_left_out(six_card: GameReport) -> None:
    joint = [replace(six_card.sheets[0], strategy="joint")]
    assert compute_option_effects(six_card.game, six_card.terms, joint, watching, full=False) == ()
