"""What monitoring found: for each table its return, lines, hold and runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.period_runs import PeriodRun
from pitboss.analysis.table_results import ResultRow


@dataclass(frozen=True, slots=True)
class BandVerdict:
    """The result of a test: what was observed and expected, in cents or hits.

    ``band`` is where the observed value would be within tolerance now; its low end is None in a one-sided test.  Honest
    results are ever as far out as these with a probability of at most ``chance``, looks at all periods included.  It is
    out of tolerance if that has been at most ``rate``: ``since`` names the first such period, and ``is_high`` says on
    which side.
    """

    name: str
    observed: Fraction
    expected: Fraction
    band: tuple[float | None, float]
    chance: float
    rate: float
    since: str | None
    is_high: bool | None

    @property
    def out_of_tolerance(self) -> bool:
        """Whether it has ever left its band."""
        return self.since is not None

    def compute_report_chance(self, false_alarms: float) -> float:
        """Compute the chance that honest results look like this anywhere in a report."""
        return min(1.0, self.chance * false_alarms / self.rate)


@dataclass(frozen=True, slots=True)
class TableReport:
    """The results of a table, and what is out of tolerance.

    ``result`` judges what was returned, in cents; it is None where that cannot be judged.  ``unexplained_cents`` were
    returned beyond what the counted lines pay, None if the lines do not say that.  ``false_alarms`` are those of the
    whole report, to which the chances are scaled.
    """

    table: str
    periods: tuple[str, ...]
    rounds: int
    staked_cents: int
    returned_cents: int
    drop_cents: int | None
    result: BandVerdict | None
    lines: Mapping[str, BandVerdict]
    unexplained_cents: int | None
    unexplained_since: str | None
    runs: tuple[PeriodRun, ...]
    false_alarms: float

    @property
    def verdicts(self) -> tuple[BandVerdict, ...]:
        """Every test of the table."""
        return (*((self.result,) if self.result else ()), *self.lines.values())

    @property
    def out_of_tolerance(self) -> bool:
        """Whether a test has left its band, or lines and payments differ."""
        return self.unexplained_since is not None or any(each.out_of_tolerance for each in self.verdicts)

    @property
    def win_cents(self) -> int:
        """What the house won."""
        return self.staked_cents - self.returned_cents

    def compute_return(self, cents: float | Fraction) -> float | None:
        """Compute returned cents as a part of what was staked, None without stakes."""
        return float(cents / self.staked_cents) if self.staked_cents else None

    def compute_hold(self, returned_cents: float | Fraction) -> float | None:
        """Compute the part of the drop that the house holds, None without a drop."""
        return float((self.staked_cents - returned_cents) / self.drop_cents) if self.drop_cents else None

    def to_dict(self) -> dict[str, Any]:
        """Return the table by its names in JSON."""
        return {
            "table": self.table,
            "periods": len(self.periods),
            "first_period": self.periods[0],
            "last_period": self.periods[-1],
            "rounds": self.rounds,
            "staked_cents": self.staked_cents,
            "returned_cents": self.returned_cents,
            "return": self.compute_return(self.returned_cents),
            **self._result_as_json(),
            "out_of_tolerance": self.out_of_tolerance,
            "unexplained_cents": self.unexplained_cents,
            "unexplained_since": self.unexplained_since,
            "lines": [
                {
                    "line": name,
                    "hits": int(verdict.observed),
                    "expected": float(verdict.expected),
                    "band": list(verdict.band),
                    **_verdict_as_json(verdict, self.false_alarms),
                }
                for name, verdict in self.lines.items()
            ],
            "runs": [{"winner": run.winner, "periods": run.length, "chance": run.chance} for run in self.runs],
        }

    def _result_as_json(self) -> dict[str, Any]:
        """Return the verdict on the return, and what it means for the hold."""
        result = self.result
        drop: dict[str, Any] = {}
        if self.drop_cents is not None:
            drop = {"drop_cents": self.drop_cents, "hold": self.compute_hold(self.returned_cents)}
        if result is None:
            return {"expected": None, "band": None, "return_test": None, **drop}
        low, high = result.band
        if drop:
            drop["expected_hold"] = self.compute_hold(result.expected)
            drop["hold_band"] = [self.compute_hold(high), None if low is None else self.compute_hold(low)]
        return {
            "expected": self.compute_return(result.expected),
            "band": [None if low is None else self.compute_return(low), self.compute_return(high)],
            "expected_returned_cents": float(result.expected),
            "band_cents": [low, high],
            "return_test": _verdict_as_json(result, self.false_alarms),
            **drop,
        }


def _verdict_as_json(verdict: BandVerdict, false_alarms: float) -> dict[str, Any]:
    side = {} if verdict.is_high is None else {"side": "high" if verdict.is_high else "low"}
    return {
        "out_of_tolerance": verdict.out_of_tolerance,
        "since": verdict.since,
        **side,
        "chance": verdict.compute_report_chance(false_alarms),
    }


@dataclass(frozen=True, slots=True, repr=False)
class MonitorReport:
    """Actual results of tables against the exact distribution of a bet.

    ``false_alarms`` is the chance that honest results ever put anything in the report out of tolerance.  Up to
    ``shared`` wagers of a round depend on the same cards.  ``judges_return`` says whether stakes and awards are known,
    so that the return can be judged.  ``rows`` are the results, and ``tables`` are in their order.  ``skipped`` are
    those of a ledger that play by other rules or pays.
    """

    _bet: MonitoredBet
    false_alarms: float
    shared: int
    judges_return: bool
    rows: tuple[ResultRow, ...]
    tables: tuple[TableReport, ...]
    skipped: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Say how many tables are out of tolerance."""
        return f"<{len(self.out_of_tolerance)} of {len(self.tables)} tables out of tolerance>"

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._bet.sheet.game.id

    @property
    def bet(self) -> str:
        """The id of the bet."""
        return self._bet.id

    def get_monitored_bet(self) -> MonitoredBet:
        """Return the bet with its exact sheet, for the package's own displays."""
        return self._bet

    @property
    def out_of_tolerance(self) -> tuple[TableReport, ...]:
        """The tables that are out of tolerance."""
        return tuple(table for table in self.tables if table.out_of_tolerance)

    def to_dict(self) -> dict[str, Any]:
        """Return the data of ``pitboss monitor --json``."""
        sheet = self._bet.sheet
        return {
            "game": sheet.game.id,
            "bet": self._bet.id,
            "paytable": sheet.paytable_ids,
            "options": dict(sheet.options),
            "expected_value": float(sheet.expected_value),
            "play": sheet.play,
            "false_alarms": self.false_alarms,
            "shared_wagers": self.shared,
            "out_of_tolerance": [table.table for table in self.out_of_tolerance],
            "skipped_tables": list(self.skipped),
            "tables": [table.to_dict() for table in self.tables],
        }
