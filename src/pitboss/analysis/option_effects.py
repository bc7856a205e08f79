"""The effects of options: a bet's sheet under every value that changes it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from inspect import isfunction
from typing import Any

from pitboss.analysis.census import count_outcomes, explain_missing_sheet
from pitboss.analysis.exact_par_sheet import compute_par_sheet, reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import get_cached_solution
from pitboss.analysis.strategy_cost import OpenProgress
from pitboss.contract import Game, Option, Wager


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """The effect of one value of an option on a bet's sheet.

    ``base`` is the sheet without the change, ``sheet`` the one with it, None where the best play for it is not cached.
    """

    option: Option
    value: str
    base: ParSheet
    sheet: ParSheet | None

    @property
    def bet(self) -> str:
        """The id of the bet."""
        return self.base.wager.id

    @property
    def house_edge_change(self) -> Fraction | None:
        """What the value gains the house, per unit staked; below zero if it costs."""
        return self.sheet.house_edge - self.base.house_edge if self.sheet else None

    def as_json(self) -> dict[str, Any]:
        """Return the effect with its names in JSON; without a sheet the edge is null."""
        document: dict[str, Any] = {"option": self.option.name, "value": self.value, "bet": self.bet}
        if self.sheet is None:
            return document | {"house_edge": None}
        change = self.sheet.house_edge - self.base.house_edge
        return document | {
            "house_edge": float(self.sheet.house_edge),
            "expected_value_exact": format_fraction(self.sheet.expected_value),
            "house_edge_change": float(change),
            "house_edge_change_exact": format_fraction(change),
        }


def compute_option_effects(
    game: Game, terms: GameTerms, sheets: Iterable[ParSheet], open_progress: OpenProgress, *, full: bool
) -> tuple[OptionEffect, ...]:
    """Return the effects of every other value of every option on the sheets.

    A sheet whose figures do not change has none.  A bet decided by chance alone is counted again if its rules read the
    option, which takes seconds, and otherwise only repriced.  A best play is computed only with ``full``; otherwise it
    is used if cached.  Sheets of a play for several bets together are left out.
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
    """Return the effect of an option's value on a sheet.

    Return None if nothing changes, or if the bet is not offered then.
    """
    game, wager = base.game, base.wager
    changed_terms = GameTerms({**terms.paytables, **base.tables_by_kind}, {**terms.options, option.name: value})
    if explain_missing_sheet(game, wager, changed_terms.options) or option.name in _list_wager_options(game):
        return None
    is_read, what = option.name in find_options_read(game, wager), f"{wager.name} with {option.name}={value}"
    sheet: ParSheet | None = None
    if depends_on_play(game, wager, changed_terms.options):
        if not is_read:
            return None
        if full or get_cached_solution(game, changed_terms.paytables, changed_terms.options) is not None:
            with open_progress(what) as progress:
                sheet = compute_par_sheet(game, wager, changed_terms, progress)
        return OptionEffect(option, value, base, sheet)
    counts: Sequence[int] | None = None
    if is_read:
        with open_progress(what) as progress:
            counts = count_outcomes(game, wager, changed_terms.options, progress)
    sheet = reprice_sheet(replace(base, options=changed_terms.options), changed_terms.paytables, counts)
    has_changed = (sheet.lines, sheet.extras) != (base.lines, base.extras)
    return OptionEffect(option, value, base, sheet) if has_changed else None


def _list_wager_options(game: Game) -> set[str]:
    """Return the options that say which wagers are placed, and how high.

    No wager's net depends on them.
    """
    constraint_options = (constraint.option for wager in game.wagers for constraint in wager.constraints)
    return {wager.status_option for wager in game.wagers} | set(constraint_options)


@cache
def find_options_read(game: Game, wager: Wager) -> frozenset[str]:
    """Return the options that the rules of a wager read.

    Its counts may depend on these only.  They are the names that its outcome function and all functions it calls look
    up.  If the outcome depends on the play, all rule functions of the game count.

    >>> from pitboss.games import load_game
    >>> game = load_game("wild-six-card")
    >>> [sorted(find_options_read(game, wager)) for wager in game.wagers[:2]]
    [['stand_pat', 'wild_flush'], ['wild_flush']]
    """
    census = wager.census
    functions = [] if census is None else [getattr(census, each.name) for each in fields(census)]
    if census is None or not any(map(callable, functions)):
        functions = [getattr(game.rules, each.name) for each in fields(game.rules)]
    names = {name for function in _iter_called(*filter(isfunction, functions)) for name in function.__code__.co_names}
    return frozenset(
        option.name for option in game.options if option.name in names or option.name == wager.census_option
    )


def _iter_called(*functions: Callable[..., Any]) -> Iterator[Any]:
    """Yield functions and all functions that they call by name, once each."""
    queue, seen = list(functions), set[Any]()
    while queue:
        function: Any = queue.pop()
        if function not in seen:
            seen.add(function)
            yield function
            values = (function.__globals__.get(name) for name in function.__code__.co_names)
            queue += [each for each in values if isfunction(each)]
