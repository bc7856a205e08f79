"""Pictures of a game or a bet with their data, for callers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.chart_request import ChartRequest
from pitboss.analysis.monitor_report import MonitorReport
from pitboss.analysis.results_chart import make_results_chart
from pitboss.api.arguments import (
    OptionInputs,
    PayTableInputs,
    StakeInputs,
    accept_paytable,
    choose_terms,
    find_game,
    name_parameters,
    verify_progress,
)
from pitboss.api.game import HouseGame
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import MonitorError, PitbossError, quote
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text

_MOST_ROUNDS = 10**12
_LEAST_DOTS, _MOST_DOTS = 36, 600


@dataclass(frozen=True, slots=True, repr=False)
class GameChart:
    """A picture and the rows that it is drawn from.

    >>> import pitboss as pb
    >>> chart = pb.chart("six-card", "contribution", bet="aces-up")
    >>> chart.title, chart.rows[0]["outcome"]
    ('Aces Up, SCP-01: what each outcome wins or costs the player', 'lose')
    """

    _data: ChartData

    def __repr__(self) -> str:
        """Return the kind and the title."""
        return f"<{self.kind}: {self.title}>"

    @property
    def kind(self) -> str:
        """The kind of the chart, as it was asked for."""
        return self._data.kind

    @property
    def title(self) -> str:
        """What the chart shows."""
        return self._data.title

    @property
    def about(self) -> str:
        """How to read the chart."""
        return self._data.about

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows that the chart is drawn from, by the names of their columns.

        The page on charts says what the columns of each kind mean.
        """
        return self._data.list_records()

    def to_dict(self) -> dict[str, Any]:
        """Return the chart as JSON data, as ``pitboss chart --json`` prints it."""
        return self._data.as_json()

    def to_csv(self) -> str:
        """Return a line for each row, after the names of the columns."""
        return self._data.to_csv()

    def to_svg(self) -> bytes:
        """Return the picture as an SVG file, with title and description.

        Raises:
            Error: Matplotlib is not installed, which the extra ``charts`` brings.
        """
        from pitboss.reports.chart_drawings import draw_chart
        from pitboss.reports.chart_style import to_svg_file

        return to_svg_file(draw_chart(self._data), self.title, self.about)

    def to_png(self, dots_per_inch: int = 144) -> bytes:
        """Return the picture as a PNG file.

        Raises:
            Error: Matplotlib is not installed, or the number of dots is not from 36 to 600.
        """
        from pitboss.reports.chart_drawings import draw_chart
        from pitboss.reports.chart_style import to_png

        dots_per_inch = verify_whole(dots_per_inch, "the number of dots per inch", _LEAST_DOTS, _MOST_DOTS)
        return to_png(draw_chart(self._data), dots_per_inch)


@accept_paytable
@name_parameters()
def chart(
    game: str | HouseGame,
    kind: str,
    *,
    bet: str = "",
    grid: str = "",
    line: str = "",
    rounds: int | None = None,
    paytables: PayTableInputs = None,
    options: OptionInputs = None,
    stakes: StakeInputs = None,
    progress: ProgressCallback | None = None,
) -> GameChart:
    """Compute a chart of a game or a bet.

    ``kind`` is ``strategy`` (a ``grid`` of positions with the best action of each), ``band`` (what a ``bet``'s return
    is within, up to ``rounds``), ``contribution`` (what each outcome wins or costs), ``pay`` (the house edge by the pay
    of a ``line``, or of each), ``ruin`` (how likely a bankroll is lost within ``rounds``) or ``meter`` (how a
    progressive's meter grows).  ``bet`` is by default main, or the progressive.  Figures are exact; rows
    have them as floats.

    >>> import pitboss as pb
    >>> pb.chart("six-card", "pay", bet="aces-up", line="flush")
    <pay: Aces Up, SCP-01: the house edge by pay>
    >>> pb.chart("six-card", "pay", bet="aces-up", rounds=10)
    Traceback (most recent call last):
    pitboss.core.errors.ReportError: rounds is not for pay: leave it out, or draw band, ruin, meter

    Raises:
        Error: the game, the kind, the bet, the grid, the line, a table, an option, a stake or the number of rounds is
            not valid, or the kind does not take one of them.
    """
    of_game = find_game(game)
    verify_text(kind, "the kind of a chart", PitbossError)
    for name, text in (("bet", bet), ("grid", grid), ("line", line)):
        verify_text(text, f"the {name} of a chart", PitbossError)
    if rounds is not None:
        rounds = verify_whole(rounds, "the number of rounds", 1, _MOST_ROUNDS)
    given = {"bet": bet, "grid": grid, "line": line, "rounds": "" if rounds is None else str(rounds)}
    settings: Mapping[str, str] = {name: text for name, text in given.items() if text}
    request = ChartRequest(of_game, kind, choose_terms(of_game, paytables, options, stakes, bet=bet), settings)
    return GameChart(request.compute(verify_progress(progress)))


@name_parameters()
def chart_results(report: MonitorReport) -> GameChart:
    """Return a picture of monitored results: what each table returned, in its band.

    Each row is a period of a table, with the sums of all rounds since the first.  A table that is out of tolerance
    comes first, and twelve are drawn at most.

    >>> import pitboss as pb
    >>> day = {"table": "7", "period": "Monday", "rounds": 900, "stake_cents": 500, "staked_cents": 450_000}
    >>> report = pb.monitor("shifting-wilds", [day | {"returned_cents": 632_500}], "blackjack-bonus")
    >>> pb.chart_results(report).rows[0]["out_of_tolerance"]
    True

    Raises:
        Error: the return is not judged, as stakes or awards are not known.
    """
    if not isinstance(report, MonitorReport):
        raise MonitorError(
            f"the report is {quote(report)}: give what monitor returned", code="invalid-report", value=report
        )
    return GameChart(make_results_chart(report))
