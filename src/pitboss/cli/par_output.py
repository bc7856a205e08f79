"""Output of ``pitboss par``: as text, as one JSON object, as CSV."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.paytable_comparison import compare_as_json, name_sheets
from pitboss.contract import Game

if TYPE_CHECKING:
    # What only some commands print is loaded by them alone.
    from pitboss.analysis.covariance import CovarianceReport
    from pitboss.analysis.option_effects import OptionEffect
    from pitboss.analysis.sensitivity import PaySensitivity


class SheetDetails(NamedTuple):
    """What is printed about a sheet on request; None if it was not requested."""

    steps: "tuple[PaySensitivity, ...] | None" = None
    effects: "tuple[OptionEffect, ...] | None" = None

    def as_json(self) -> dict[str, Any]:
        """Return what was requested with its names in JSON."""
        steps = {} if self.steps is None else {"sensitivity": [each.to_dict() for each in self.steps]}
        effects = {} if self.effects is None else {"option_effects": [each.as_json() for each in self.effects]}
        return steps | effects


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """The sheets of a command: of one bet, or of all bets of a game.

    ``left_out`` says why the other bets have no sheet.  A group that ``is_one`` has a single sheet, and is printed as
    one.
    """

    game: Game
    bet: str
    sheets: Sequence[ParSheet]
    left_out: Mapping[str, str]
    covariance: "CovarianceReport | None"
    is_one: bool

    def iter_by_bet(self) -> Iterator[Sequence[int]]:
        """Yield the places of the sheets of each bet."""
        for wager in dict.fromkeys(sheet.wager.id for sheet in self.sheets):
            yield [place for place, sheet in enumerate(self.sheets) if sheet.wager.id == wager]


def print_json(group: SheetGroup, details: Sequence[SheetDetails]) -> None:
    """Print one JSON object: the sheet, or an object with all of them."""
    names = name_sheets(group.sheets)
    documents = [sheet.as_json() | each.as_json() for sheet, each in zip(group.sheets, details, strict=True)]
    if group.is_one:
        typer.echo(json.dumps(documents[0], indent=2))
        return
    for first, *others in group.iter_by_bet():
        for place in (first, *others) if others else ():
            documents[place]["heading"] = names[place]
        for place in others:
            documents[place] |= compare_as_json(names[first], group.sheets[first], group.sheets[place])
    about = {"bet": group.bet} if group.bet else {"not_counted": dict(group.left_out)}
    covariance = group.covariance.as_json() if group.covariance else {}
    typer.echo(json.dumps({"game": group.game.id, **about, **covariance, "sheets": documents}, indent=2))


def print_csv(group: SheetGroup, details: Sequence[SheetDetails]) -> None:
    """Print a line for each outcome, figure, step and ruling."""
    from pitboss.reports.sheet_csv import format_csv, iter_option_records, iter_sheet_records, iter_step_records

    records = (
        chain(
            iter_sheet_records(sheet, name),
            iter_step_records(each.steps or (), name),
            iter_option_records(each.effects or ()),
        )
        for sheet, name, each in zip(group.sheets, name_sheets(group.sheets), details, strict=True)
    )
    typer.echo(format_csv(chain.from_iterable(records)), nl=False)
    _report_left_out(group)


def print_text(group: SheetGroup, details: Sequence[SheetDetails], *, all_rows: bool) -> None:
    """Print the sheets of each bet for people."""
    from pitboss.cli.par_display import render_covariance, render_effects, render_par_sheets, render_steps
    from pitboss.cli.terminal_tables import make_console

    console, names = make_console(), name_sheets(group.sheets)
    for places in group.iter_by_bet():
        console.print()
        console.print(render_par_sheets([group.sheets[place] for place in places], all_rows=all_rows))
        for place in places:
            name = names[place] if len(places) > 1 else ""
            if (steps := details[place].steps) is not None:
                console.print("", render_steps(steps, name), sep="\n")
            if (effects := details[place].effects) is not None:
                console.print("", render_effects(group.sheets[place], effects, name), sep="\n")
    if group.covariance and (group.covariance.covariances or group.covariance.uncounted):
        console.print(render_covariance(group.covariance, group.sheets))
    console.print()
    _report_left_out(group)


def _report_left_out(group: SheetGroup) -> None:
    for bet, reason in group.left_out.items():
        sys.stderr.write(f"{bet}: no exact sheet, it {reason}\n")
