"""What is offered can be staked, and what cannot be staked is not offered, priced or simulated: of every game."""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from conformance.drawing import each_game
from pitboss.analysis.census import count_outcomes, explain_missing_sheet, explain_uncounted
from pitboss.analysis.side_stakes import parse_side_stakes
from pitboss.analysis.simulation_report import resolve_stakes
from pitboss.contract import Game, HandOwner, StakeConstraintKind, Wager
from pitboss.core.errors import WagerError
from pitboss.env.settings import EnvSettings as Asked
from pitboss.options import find_active_constraints, find_disabling_option, get_wager_status, resolve_options
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.wagers import compute_limits, verify_limits
from pitboss.table.session import TableTerms
from pitboss.table.session.available_wagers import list_available_wagers
from pitboss.web.pages.house_rules import HouseRules
from refusals import refusal
from table.seated import seated

SEATS = 2


def options_of(game: Game) -> Iterator[dict[str, str]]:
    """Yield every combination of the options that bear on wagers, others at their defaults."""
    names = {wager.status_option for wager in game.wagers} | {
        tie.option for wager in game.wagers for tie in wager.constraints
    }
    bearing = [option for option in game.options if option.name in names]
    for values in product(*(option.values for option in bearing)):
        yield resolve_options(game, dict(zip([option.name for option in bearing], values, strict=True)))


def needed_by(game: Game, wager: Wager, options: Mapping[str, str]) -> list[Wager]:
    """Return a wager with those that it is placed only with and those that are mandatory, in the game's order."""
    wanted, before = {wager.id}, set[str]()
    while wanted != before:
        before = set(wanted)
        wanted |= {
            tie.bet
            for each in game.wagers
            if each.id in before
            for tie in find_active_constraints(each, options)
            if tie.kind is StakeConstraintKind.ONLY_WITH
        }
    return [each for each in game.wagers if each.id in wanted or get_wager_status(game, each, options) == "mandatory"]


def placed(now: Round, wagers: list[Wager]) -> Round:
    """Return the round with the least of these wagers at every seat."""
    for seat in range(SEATS):
        for wager in wagers:
            on = (seat + 1) % SEATS if wager.hand_owner is HandOwner.OTHER_SEAT else None
            now = now.place_wager(Stake(seat, wager.id, now.limits[wager.id].minimum_cents, on))
    return now


@each_game
def test_whatever_is_offered_can_be_staked_and_dealt(game: Game) -> None:
    for options in options_of(game):
        for wager in game.wagers:
            if get_wager_status(game, wager, options) != "off":
                wagers = needed_by(game, wager, options)
                now = placed(open_round(game, SEATS, options=options), wagers).deal(game.deck.cards)
                assert now.get_stake_cents(0, wager.id) > 0
                stakes = parse_side_stakes(game, options, [f"{each.id}=1" for each in wagers[1:]])
                assert set(stakes) == {each.id for each in wagers[1:]}
                assert "not offered" not in explain_missing_sheet(game, wager, options)


@each_game
def test_whatever_cannot_be_staked_is_not_offered_priced_or_simulated(game: Game) -> None:
    for options in options_of(game):
        off = [wager for wager in game.wagers if get_wager_status(game, wager, options) == "off"]
        for wager in off:
            said = f"is not offered with {find_disabling_option(game, wager, options)}"
            with pytest.raises(WagerError, check=refusal("wager-off")):
                placed(open_round(game, SEATS, options=options), [wager])
            assert explain_missing_sheet(game, wager, options) == explain_uncounted(game, wager, options) == said
            with pytest.raises(WagerError, check=refusal("no-exact-sheet")):
                count_outcomes(game, wager, options)
            with pytest.raises(WagerError, check=refusal("wager-off")):
                parse_side_stakes(game, options, [f"{wager.id}=1"])
            with pytest.raises(WagerError, check=refusal("wager-off")):
                Asked(game, {wager.id: 1}, (), options)
        left = {wager.id for wager in game.wagers if wager not in off}
        assert set(resolve_stakes(game, options, SEATS, [])) == left
        terms = TableTerms(game=game.id, options=options, seats=SEATS)
        assert {each["bet"] for each in list_available_wagers(seated(terms))} == left
        names = {wager.name for wager in game.wagers if wager.id in left}
        assert {each.name for each in HouseRules(terms).limits} == names


@each_game
def test_a_wager_that_is_placed_only_with_another_is_off_with_it(game: Game) -> None:
    for options in options_of(game):
        status = {wager.id: get_wager_status(game, wager, options) for wager in game.wagers}
        for wager in game.wagers:
            needed = [
                tie.bet for tie in find_active_constraints(wager, options) if tie.kind is StakeConstraintKind.ONLY_WITH
            ]
            if any(status[bet] == "off" for bet in needed):
                assert status[wager.id] == "off"


@each_game
def test_stakes_that_break_a_tie_are_not_simulated(game: Game) -> None:
    options = resolve_options(game, {})
    for wager in game.wagers:
        for tie in find_active_constraints(wager, options):
            main = tie.bet == game.wagers[0].id
            written = {
                StakeConstraintKind.AT_MOST: "2",
                StakeConstraintKind.AT_LEAST: "0.5",
                StakeConstraintKind.ONLY_WITH: "1",
            }[tie.kind]
            if main or tie.kind is StakeConstraintKind.ONLY_WITH:
                with pytest.raises(WagerError, match=tie.ruling):
                    parse_side_stakes(game, options, [f"{wager.id}={written}"])


@each_game
def test_limits_under_which_a_tie_cannot_be_kept_are_refused(game: Game) -> None:
    options = resolve_options(game, {})
    for wager in game.wagers:
        for tie in find_active_constraints(wager, options):
            most, least = game.wagers[0].limits.maximum_cents, wager.limits.minimum_cents
            own = {
                StakeConstraintKind.AT_LEAST: {tie.bet: (most * 2, most * 2)},
                StakeConstraintKind.AT_MOST: {tie.bet: (100, least - 100)},
            }.get(tie.kind)
            if own:
                with pytest.raises(WagerError, check=refusal("limit-out-of-step")):
                    verify_limits(game, options, compute_limits(game, "", own))
