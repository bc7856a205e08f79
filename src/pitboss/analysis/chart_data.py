"""The data of a chart: named values row by row, from which it is also drawn."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ChartData:
    """A chart as rows of texts and numbers, in the order of ``columns``.

    ``kind`` says how it is drawn, ``about`` how to read it.  ``labels`` has the names of a chart's axes and series that
    are not in its rows.
    """

    kind: str
    game: str
    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    labels: Mapping[str, Any] = field(default_factory=dict)

    def get_column(self, name: str) -> list[Any]:
        """Return the values of a column."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def list_records(self) -> list[dict[str, Any]]:
        """Return each row by the names of its columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def as_json(self) -> dict[str, Any]:
        """Return the chart as JSON data."""
        return {
            "kind": self.kind,
            "game": self.game,
            "title": self.title,
            "about": self.about,
            **self.labels,
            "rows": self.list_records(),
        }

    def to_csv(self) -> str:
        """Return a line for each row, after the names of the columns."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue()
