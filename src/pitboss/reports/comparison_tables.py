"""Tables that compare: option by option, and step by step."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pitboss.builders import display_name
from pitboss.contract import Game
from pitboss.reports.document import LEFT, RIGHT, TableBlock
from pitboss.reports.formatting import format_pay, format_percent, format_signed_percent
from pitboss.reports.sheet_tables import collect_figures

if TYPE_CHECKING:
    # Loaded only where they are printed, so that a sheet alone stays quick.
    from pitboss.analysis.option_effects import OptionEffect
    from pitboss.analysis.sensitivity import PaySensitivity

SENSITIVITY_TITLE = "What one step more on a line changes"
OPTIONS_TITLE = "Option by option"
_LEAST_CHANGE = Fraction(1, 1_000_000)  # one in the last digit that is shown


def make_sensitivity_table(effects: Sequence["PaySensitivity"]) -> TableBlock:
    """Return a row for each line: what one step more on it changes.

    A line that cannot pay more has dashes.
    """
    several = len({each.table for each in effects}) > 1

    def make_row(each: "PaySensitivity") -> tuple[str, ...]:
        name = f"{each.table} {display_name(each.line)}" if several else display_name(each.line)
        edge, hits, spread = each.house_edge_change, each.hit_frequency_change, each.standard_deviation_change
        if edge is None or hits is None or spread is None:
            return name, format_pay(each.pay), "-", "-", "-"
        hit_text = format_signed_percent(hits) if hits else "0"
        return name, format_pay(each.pay), format_signed_percent(edge, 6), f"{spread:+.6f}", hit_text

    headings = ("Line", "Pays", "House edge", "Standard deviation", "Hit frequency")
    return TableBlock(SENSITIVITY_TITLE, headings, LEFT + RIGHT * 4, tuple(map(make_row, effects)))


def iter_sensitivity_notes(effects: Sequence["PaySensitivity"]) -> Iterator[str]:
    """Yield what a step is, what is only a bound, and why a line cannot pay more."""
    yield "a step is 1 chip for each chip staked, $1, or 1% of the meter, on one line at a time"
    yield "changes of an edge are in percentage points"
    if any(each.method == "bounded" for each in effects):
        yield (
            "these pays change the play: each row has the best play known, so the best play for the new pays may cost "
            "the house more"
        )
    yield from (f"{display_name(each.line)} stays: {each.reason}" for each in effects if each.reason)


def make_option_table(effects: Sequence["OptionEffect"]) -> TableBlock:
    """Return a row for each option's value whose sheet is known."""
    rows = tuple(
        (f"{each.option.name}={each.value}", format_percent(each.sheet.house_edge), describe_change(each))
        for each in effects
        if each.sheet
    )
    return TableBlock(OPTIONS_TITLE, ("Option", "House edge", "This ruling"), LEFT + RIGHT + LEFT, rows)


def describe_change(effect: "OptionEffect") -> str:
    """Describe what a ruling costs or gains the house, per unit staked."""
    change = effect.house_edge_change
    if effect.sheet is None or change is None:
        return "needs another best play"
    long_run = collect_figures(effect.sheet).get("long_run_house_edge")
    tail = f"; long-run edge {long_run.text}" if long_run else ""
    if not change:
        return f"leaves the edge as it is{tail}"
    amount = format_percent(max(abs(change), _LEAST_CHANGE))
    least = "less than " if abs(change) < _LEAST_CHANGE else ""
    return f"{'gains' if change > 0 else 'costs'} the house {least}{amount}{tail}"


def iter_option_notes(game: Game, effects: Sequence["OptionEffect"]) -> Iterator[str]:
    """Yield the values that need another best play, and the options without effect."""
    if missing := group_unsolved_values(effects):
        named = "; ".join(f"{name} {', '.join(values)}" for name, values in missing.items())
        yield f"not computed yet, because each needs another best play (--exact): {named}"
    if same := list_options_without_effect(game, effects):
        yield f"changes nothing here: {', '.join(same)}"


def group_unsolved_values(effects: Sequence["OptionEffect"]) -> dict[str, list[str]]:
    """Return the values whose best play is not known, by the option's name."""
    missing: dict[str, list[str]] = {}
    for each in effects:
        if each.sheet is None:
            missing.setdefault(each.option.name, []).append(each.value)
    return missing


def list_options_without_effect(game: Game, effects: Sequence["OptionEffect"]) -> list[str]:
    """List the names of the options that change nothing."""
    changing = {each.option.name for each in effects}
    return [option.name for option in game.options if option.name not in changing]
