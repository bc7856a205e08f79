"""What each option changes: a bet's sheet under every value of the options that touch it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from inspect import isfunction
from typing import Any

from pitboss.analysis.census import count_outcomes, explain_no_sheet
from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import get_cached_solution
from pitboss.analysis.strategy_cost import OpenProgress
from pitboss.contract import Game, Option, Wager
from pitboss.reports.repricing import reprice_sheet


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """A bet's sheet with one option set otherwise; None where its best play has not been found."""

    option: Option
    value: str
    bet: str
    sheet: ParSheet | None


def compute_option_effects(
    game: Game, terms: GameTerms, sheets: Iterable[ParSheet], open_progress: OpenProgress, *, full: bool
) -> tuple[OptionEffect, ...]:
    """Return what every other value of every option makes of each sheet whose figures it touches.

    A bet that chance alone decides is counted again where its rules ask for the option, which takes seconds, and priced
    again where they do not.  A best play is found only with ``full``; otherwise it is used if it is kept.  Sheets of a
    play for several bets together are left out.
    """
    return tuple(
        effect
        for option in game.options
        for value in option.values
        if value != terms.options[option.name]
        for sheet in sheets
        if sheet.strategy != "joint"
        and (effect := _compute_effect(sheet, terms, option, value, open_progress, full=full))
    )


def _compute_effect(
    base: ParSheet, terms: GameTerms, option: Option, value: str, open_progress: OpenProgress, *, full: bool
) -> OptionEffect | None:
    """Return what an option makes of a sheet, None where it does not touch it or the bet is not offered then."""
    game, wager = base.game, base.wager
    under = GameTerms(terms.paytables, {**terms.options, option.name: value})
    if explain_no_sheet(game, wager, under.options) or option.name in _list_wager_options(game):
        return None
    played = wager is game.wagers[0] or depends_on_play(wager, under.options)
    if played and option.name in find_options_read(game, wager):
        if not full and get_cached_solution(game, under.paytables, under.options) is None:
            return OptionEffect(option, value, wager.id, None)
        with open_progress(f"{wager.name} with {option.name}={value}") as progress:
            return OptionEffect(option, value, wager.id, compute_par_sheet(game, wager, under, progress))
    if played:
        return None
    counts: Sequence[int] = [line.deals for line in base.lines]
    if option.name in find_options_read(game, wager):
        with open_progress(f"{wager.name} with {option.name}={value}") as progress:
            counts = count_outcomes(game, wager, under.options, progress)
    figures = reprice_sheet(replace(base, options=under.options), under.paytables, counts)
    touched = any(getattr(figures, name) != getattr(base, name) for name in ("lines", "extras"))
    return OptionEffect(option, value, wager.id, figures) if touched else None


def _list_wager_options(game: Game) -> set[str]:
    """Return the options that say which wagers are placed, or how high: nothing a wager nets depends on them."""
    ties = (tie.option for wager in game.wagers for tie in wager.constraints)
    return {wager.status_option for wager in game.wagers} | set(ties)


@cache
def find_options_read(game: Game, wager: Wager) -> frozenset[str]:
    """Return the options that the rules of a wager ask for: those that its counts may depend on.

    They are the names that its outcome function and all it calls look up; where the play decides, all of the game's.

    >>> from pitboss.games import load_game
    >>> game = game_named("wild-six-card")
    >>> [sorted(find_options_read(game, wager)) for wager in game.wagers[:2]]
    [['stand_pat', 'wild_flush'], ['wild_flush']]
    """
    described = wager.census
    asked = [] if described is None else [getattr(described, each.name) for each in fields(described)]
    if described is None or not any(map(callable, asked)):
        asked = [getattr(game.rules, each.name) for each in fields(game.rules)]
    found = {name for function in _iter_called(*filter(isfunction, asked)) for name in function.__code__.co_names}
    return frozenset(
        option.name for option in game.options if option.name in found or option.name == wager.census_option
    )


def _iter_called(*functions: Callable[..., Any]) -> Iterator[Any]:
    """Yield functions and all that they call by name, once each."""
    waiting, met = list(functions), set[Any]()
    while waiting:
        function: Any = waiting.pop()
        if function not in met:
            met.add(function)
            yield function
            called = (function.__globals__.get(name) for name in function.__code__.co_names)
            waiting += [each for each in called if isfunction(each)]
