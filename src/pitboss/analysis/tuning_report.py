"""The tables that a tuning search found, as data, CSV and TOML."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.meter_grid import compute_average_jackpot, compute_wagers_between_jackpots, get_settings
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.tuning_request import WAGERS_PER_HOUR, name_lines
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.contract import LinePay, PayTable, PayUnit
from pitboss.core.read_only_dict import ReadOnlyDict
from pitboss.paytable_toml import format_pay_input, format_paytables, pay_as_json

_FIGURES = ("house_edge", "hit_frequency", "standard_deviation")
_BOUNDS = ("lower_bound", "upper_bound", "lower_bound_exact", "upper_bound_exact")


@dataclass(frozen=True, slots=True, repr=False)
class TunedTable:
    """A table that a tuning search found, with its exact figures.

    ``changes`` has the changed lines with their pay before and after.  ``HouseGame.par`` of its ``paytables`` is its
    PAR sheet.
    """

    number: int
    changes: Mapping[str, tuple[Fraction, Fraction]]
    _sheet: ParSheet
    wagers_per_hour: int = WAGERS_PER_HOUR

    def __repr__(self) -> str:
        """Name the changes and the edge."""
        changed = ", ".join(f"{line} {format_pay_input(new)}" for line, (_, new) in self.changes.items()) or "no change"
        return f"<{changed}: house edge {float(self.house_edge):.4%}>"

    @property
    def paytables(self) -> tuple[PayTable, ...]:
        """The pay tables, ready to use."""
        return self._sheet.paytables

    @property
    def game_name(self) -> str:
        """The name of the game for people."""
        return self._sheet.game.name

    @property
    def bet_name(self) -> str:
        """The name of the bet for people."""
        return self._sheet.wager.name

    @property
    def paytable_ids(self) -> str | list[str]:
        """The id of its pay table, or a list of several, as in JSON."""
        return self._sheet.paytable_ids

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every option of the game."""
        return ReadOnlyDict(dict(self._sheet.options))

    @property
    def deals(self) -> int:
        """The number of equally likely deals counted."""
        return self._sheet.deals

    @property
    def pays(self) -> dict[str, Fraction]:
        """The pay of every line."""
        return {name: pay.amount for name, pay in self.line_pays.items()}

    @property
    def line_pays(self) -> dict[str, LinePay]:
        """The pay of every line, with its unit."""
        tables = self._sheet.tables_by_kind
        return {
            name: tables[kind].lines[line]
            for name, (kind, line) in name_lines(self._sheet.wager, tables).items()
            if kind in tables
        }

    @property
    def meter(self) -> dict[str, Fraction]:
        """The settings of its meter, in dollars and in per cent of a wager."""
        return {name: value for (_, name), value in get_settings(self._sheet.presets).items()}

    @property
    def average_jackpot(self) -> Fraction | None:
        """The average award of the whole meter, in dollars; None without a meter."""
        return compute_average_jackpot(self._sheet) if self.meter else None

    @property
    def wagers_between_jackpots(self) -> Fraction | None:
        """The average number of wagers between two jackpots; None without a meter."""
        return compute_wagers_between_jackpots(self._sheet) if self.meter else None

    @property
    def top(self) -> Fraction:
        """The highest pay of its lines; percentages of a meter are no pays."""
        pays = (pay for table in self.paytables for pay in table.lines.values())
        return max((pay.amount for pay in pays if pay.unit is not PayUnit.PERCENT_OF_METER), default=Fraction(0))

    @property
    def method(self) -> str:
        """How exact the figures are: "exact" or "bounded"."""
        return self._sheet.method

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss.

        Where the method is "bounded" it is the most it can be, with a meter that of the long run.
        """
        edge = self._sheet.extras.get("long_run_house_edge")
        return edge if isinstance(edge, Fraction) else self._sheet.house_edge

    @property
    def house_edge_at_seed(self) -> Fraction:
        """The player's expected loss while the meter is at its seed."""
        return self._sheet.house_edge

    @property
    def edge_bounds(self) -> tuple[Fraction, Fraction]:
        """The least and the most that the house edge can be, equal if it is exact."""
        if self._sheet.bounds is None:
            return self.house_edge, self.house_edge
        lower, upper = self._sheet.bounds
        return -upper, -lower

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net above zero."""
        return self._sheet.hit_frequency

    @property
    def variance(self) -> Fraction:
        """The variance of the net, in squared units staked."""
        return self._sheet.variance

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the net, in units staked."""
        return self._sheet.standard_deviation

    def to_dict(self) -> dict[str, Any]:
        """Return the data of one table in ``pitboss tune --json``."""
        data = self._sheet.as_json()
        return {
            "number": self.number,
            "changes": [
                {"line": line, "from": pay_as_json(old), "to": pay_as_json(new)}
                for line, (old, new) in self.changes.items()
            ],
            "pays": {line: pay_as_json(pay) for line, pay in self.pays.items()},
            "method": self.method,
            **{name: data[name] for name in _FIGURES},
            "house_edge": float(self.house_edge),
            "house_edge_exact": format_fraction(self.house_edge),
            **(self._meter_as_json() if self.meter else {}),
            **{name: data[name] for name in _BOUNDS if name in data},
        }

    def _meter_as_json(self) -> dict[str, Any]:
        """Return the settings of its meter, and what follows from them."""
        units = {"seed": "seed_dollars", "meter": "meter_percent", "reserve": "reserve_percent"}
        jackpot, between = compute_average_jackpot(self._sheet), compute_wagers_between_jackpots(self._sheet)
        return {
            **{units[name]: float(value) for name, value in self.meter.items()},
            "house_edge_at_seed": float(self._sheet.house_edge),
            "average_jackpot": float(jackpot),
            "wagers_between_jackpots": float(between),
            "hours_between_jackpots": float(between / self.wagers_per_hour),
            "wagers_per_hour": self.wagers_per_hour,
        }

    def to_toml(self) -> str:
        """Return its changed pay tables, or all if none is, as a file to select."""
        changed = {name.partition(":")[0] if ":" in name else "" for name in self.changes}
        kinds = self._sheet.wager.paytable_kinds
        tables = [
            table
            for table in self.paytables
            if not changed or table.kind in changed or (table.kind == kinds[0] and "" in changed)
        ]
        return format_paytables(tables)


@dataclass(frozen=True, slots=True)
class TuningReport:
    """The tables of a tuning search, the best first, and the present one.

    ``found`` is how many tables meet the targets, ``found_by_changes`` how many of them with 0, 1, 2 ... lines changed.
    If none does, ``is_nearest``: the tables have the nearest edge and meet the other targets.  With bounds, ``found``
    are the tables that may meet the edge, and ``proved`` are those that do whatever the best play is worth.
    """

    game: str
    bet: str
    targets: TuningTargets
    present: TunedTable
    tables: tuple[TunedTable, ...]
    found: int
    found_by_changes: tuple[int, ...]
    proved: int
    is_nearest: bool

    @property
    def method(self) -> str:
        """How exact the figures are: "exact", or "bounded" where some are bounds."""
        return "bounded" if any(table.method == "bounded" for table in self.tables) else "exact"

    def to_dict(self) -> dict[str, Any]:
        """Return the data of ``pitboss tune --json``."""
        targets = {
            name: None if target is None else [float(target.low), float(target.high)]
            for name, target in self.targets._asdict().items()
        }
        return {
            "game": self.game,
            "bet": self.bet,
            "paytable": self.present.paytable_ids,
            "options": dict(self.present.options),
            "targets": targets,
            "method": self.method,
            "found": self.found,
            "found_by_changes": list(self.found_by_changes),
            **({"proved": self.proved} if self.method == "bounded" else {}),
            "nearest": self.is_nearest,
            "present": self.present.to_dict(),
            "tables": [table.to_dict() for table in self.tables],
        }

    def to_csv(self) -> str:
        """Return a row for the present table, number 0, and for each of the others."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(
            ["number", "changed", *self.present.pays, *self.present.meter, *_FIGURES, "house_edge_exact", "method"]
        )
        for table in (self.present, *self.tables):
            data = table.to_dict()
            pays = [format_pay_input(pay) for pay in (*table.pays.values(), *table.meter.values())]
            figures = [data[name] for name in (*_FIGURES, "house_edge_exact", "method")]
            writer.writerow([table.number, " ".join(table.changes), *pays, *figures])
        return out.getvalue()
