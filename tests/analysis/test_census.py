"""What can be counted, and that it is counted once."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from math import comb

import pytest

import pitboss.analysis.census
import pitboss.kernels.hand_pairs
import pitboss.kernels.set_counts
from pitboss.analysis.census import count_outcomes, explain_uncounted
from pitboss.contract import Game, Wager
from pitboss.core.errors import WagerError
from pitboss.games import load_game
from pitboss.games.six_card.rules import PAIR_OF_ACES
from pitboss.hands import FLUSH, FULL_HOUSE, pack_lowest_strength
from pitboss.options import resolve_options
from refusals import refusal

SIX_CARD, WILD_52, WILD_SIX = load_game("six-card"), load_game("wild-52"), load_game("wild-six-card")
SHIFTING_WILDS = replace(load_game("shifting-wilds"), solver="")


def bet_named(game: Game, name: str) -> Wager:
    return next(wager for wager in game.wagers if wager.id == name)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Keep counts in a dictionary instead of the cache folder."""
    texts: dict[str, str] = {}

    def keep(name: str, make: Callable[[], str]) -> str:
        if name not in texts:
            texts[name] = make()
        return texts[name]

    monkeypatch.setattr(pitboss.analysis.census, "get_or_make_text", keep)
    monkeypatch.setattr(pitboss.analysis.census, "_verify_settled", lambda *_: None)  # counts are made up here
    return texts


@pytest.mark.parametrize(
    ("game", "bet", "options", "reason"),
    [
        (SIX_CARD, "aces-up", {}, ""),
        (SHIFTING_WILDS, "main", {}, "depends on the player's choices, and this version has no solver"),
        (WILD_52, "joker", {}, ""),
        (
            WILD_52,
            "joker",
            {"bonus_after_fold": "off"},
            "depends on the player's choices, and this version has no solver for bonus_after_fold=off",
        ),
        (WILD_SIX, "draw-bonus", {"draw_bonus": "mandatory"}, ""),
        (WILD_SIX, "draw-bonus", {"draw_bonus": "off"}, "is not offered with draw_bonus=off"),
        (WILD_SIX, "taxpayers-fortune", {"queens_or_better": "off"}, "is not offered with queens_or_better=off"),
    ],
)
def test_a_bet_is_counted_unless_choices_decide_it_or_it_is_off(
    game: Game, bet: str, options: dict[str, str], reason: str
) -> None:
    found = explain_uncounted(game, bet_named(game, bet), resolve_options(game, options))
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


def test_what_cannot_be_counted_is_refused_with_what_can() -> None:
    with pytest.raises(WagerError) as refused:
        count_outcomes(SHIFTING_WILDS, SHIFTING_WILDS.wagers[0], resolve_options(SHIFTING_WILDS, {}))
    assert str(refused.value) == (
        "main of shifting-wilds has no exact sheet: it depends on the player's choices, and this version has no "
        "solver; bets with one: blackjack-bonus"
    )


def test_where_nothing_can_be_counted_nothing_is_named() -> None:
    only_main = replace(SHIFTING_WILDS, wagers=tuple(replace(each, census=None) for each in SHIFTING_WILDS.wagers))
    with pytest.raises(WagerError, check=refusal("no-exact-sheet", wager="main", game="shifting-wilds")):
        count_outcomes(only_main, only_main.wagers[0], resolve_options(SHIFTING_WILDS, {}))


def test_a_count_is_made_once_for_the_options_it_was_made_under(
    kept: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count(1)
    monkeypatch.setattr(pitboss.kernels.set_counts, "count_sets", lambda *_: [next(numbers)])
    draw_bonus = bet_named(WILD_SIX, "draw-bonus")
    for options, made in [({}, 1), ({"wild_flush": "any_card"}, 2), ({}, 1), ({"wild_flush": "any_card"}, 2)]:
        assert count_outcomes(WILD_SIX, draw_bonus, resolve_options(WILD_SIX, options)) == (made,)
    assert len(kept) == 2


@pytest.mark.usefixtures("kept")
def test_the_joker_is_counted_at_every_place_of_a_round_that_is_never_folded() -> None:
    assert count_outcomes(WILD_52, bet_named(WILD_52, "joker"), resolve_options(WILD_52, {})) == (2, 5, 46)


@pytest.mark.usefixtures("kept")
def test_each_pair_of_hands_is_met_with_the_weaker_mine_and_with_it_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = {pack_lowest_strength(FULL_HOUSE): 0, pack_lowest_strength(FLUSH): 40, PAIR_OF_ACES: 7}
    monkeypatch.setattr(pitboss.kernels.hand_pairs, "count_pairs_by_weaker", lambda *_: pairs)
    bad_beat = bet_named(SIX_CARD, "bad-beat")
    counts = count_outcomes(SIX_CARD, bad_beat, resolve_options(SIX_CARD, {}))
    all_pairs = comb(52, 6) * comb(46, 6)
    by_name = dict(zip((outcome.name for outcome in bad_beat.outcomes), counts, strict=True))
    assert {name: found for name, found in by_name.items() if found} == {
        "flush": 80,
        "pair-of-aces": 14,
        "lose": all_pairs - 94,
    }


@pytest.mark.usefixtures("kept")
def test_where_no_hand_is_strong_enough_all_pairs_end_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.kernels.hand_pairs, "count_pairs_by_weaker", lambda *_: {})
    counts = count_outcomes(SIX_CARD, bet_named(SIX_CARD, "bad-beat"), resolve_options(SIX_CARD, {}))
    assert counts == (*[0] * 8, comb(52, 6) * comb(46, 6))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("game", "bet", "count_with"),
    [(SIX_CARD, "aces-up", "count_sets"), (WILD_SIX, "taxpayers-fortune", "count_sets_by_last_card")],
)
def test_progress_is_told(game: Game, bet: str, count_with: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(pitboss.kernels.set_counts, count_with, lambda *arguments: arguments[-1](3, 4) or [])
    wager = bet_named(game, bet)
    count_outcomes(game, wager, resolve_options(game, {}), lambda done, total: told.append((done, total)))
    assert told == [(3, 4)]


def test_a_count_that_rounds_do_not_bear_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a census of other cards than ``settle`` reads, or of another line."""
    wager, options = bet_named(SIX_CARD, "aces-up"), resolve_options(SIX_CARD, {})
    counts = list(count_outcomes(SIX_CARD, wager, options))
    monkeypatch.setattr(pitboss.analysis.census, "get_or_make_text", lambda _name, make: make())
    monkeypatch.setattr(pitboss.kernels.set_counts, "count_sets", lambda *_: counts)
    assert count_outcomes(SIX_CARD, wager, options) == tuple(counts)
    counts[:] = [*counts[1:], counts[0]]
    with pytest.raises(WagerError, match="settle gives it in", check=refusal("census-not-settled", wager="aces-up")):
        count_outcomes(SIX_CARD, wager, options)
