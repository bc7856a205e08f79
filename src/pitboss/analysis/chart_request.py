"""A request for a chart, and the function that computes each kind of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pitboss.analysis.bet_charts import (
    BAND,
    CONTRIBUTION,
    LEAST_ROUNDS,
    MOST_BAND_ROUNDS,
    MOST_ROUNDS,
    compute_band_chart,
    make_contribution_chart,
)
from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.meter_chart import (
    METER,
    MOST_WAGERS,
    compute_meter_chart,
    list_metered_wagers,
    make_no_meter_error,
)
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_chart import PAY, compute_pay_chart
from pitboss.analysis.ruin_chart import MOST_SESSION_ROUNDS, RUIN, SESSION_ROUNDS, compute_ruin_chart
from pitboss.analysis.strategy_chart import STRATEGY, compute_strategy_chart, find_strategy_grid
from pitboss.contract import Game, Wager
from pitboss.core.errors import ReportError, UnknownNameError, WagerError
from pitboss.core.numbers import parse_integer
from pitboss.core.progress import ProgressCallback, ignore_progress


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """A chart of a game under terms; ``settings`` has what its kind takes, as typed.

    ``CHART_SETTINGS`` lists the settings of each kind.
    """

    game: Game
    kind: str
    terms: GameTerms
    settings: Mapping[str, str]

    def verify(self) -> None:
        """Check the kind and the names of its settings.

        Raises:
            UnknownNameError: there is no such kind of chart.
            ReportError: the kind does not take a setting.
        """
        if self.kind not in CHART_SETTINGS:
            raise UnknownNameError("kind of chart", self.kind, CHART_SETTINGS)
        taken = CHART_SETTINGS[self.kind]
        for name in self.settings:
            if name not in taken:
                kinds = ", ".join(kind for kind, names in CHART_SETTINGS.items() if name in names)
                raise ReportError(
                    f"--{name} is not for {self.kind}: leave it out, or draw {kinds}",
                    code="other-chart",
                    kind=self.kind,
                    name=name,
                )

    def compute(self, progress: ProgressCallback = ignore_progress) -> ChartData:
        """Compute the data of the chart.

        Raises:
            PitbossError: as ``verify``, a setting is not valid, or the game has no such chart.
        """
        self.verify()
        return _COMPUTED[self.kind](self, progress)


def _compute_strategy(request: ChartRequest, progress: ProgressCallback) -> ChartData:
    grid = find_strategy_grid(request.game, request.settings.get("grid", ""))
    return compute_strategy_chart(request.game, request.terms, grid, progress)


def _compute_band(request: ChartRequest, progress: ProgressCallback) -> ChartData:
    rounds = parse_integer(request.settings.get("rounds", str(MOST_ROUNDS)), LEAST_ROUNDS, MOST_BAND_ROUNDS, "--rounds")
    return compute_band_chart(_compute_sheet(request, progress), rounds, progress)


def _compute_pay(request: ChartRequest, progress: ProgressCallback) -> ChartData:
    line = request.settings.get("line", "")
    return compute_pay_chart(request.game, _find_wager(request), request.terms, line, progress)


def _compute_ruin(request: ChartRequest, progress: ProgressCallback) -> ChartData:
    rounds = parse_integer(request.settings.get("rounds", str(SESSION_ROUNDS)), 1, MOST_SESSION_ROUNDS, "--rounds")
    return compute_ruin_chart(_compute_sheet(request, progress), rounds, progress)


def _compute_meter(request: ChartRequest, progress: ProgressCallback) -> ChartData:
    """Compute the growth of a meter, by default that of the game's first progressive."""
    text = request.settings.get("rounds", "")
    wagers = parse_integer(text, 1, MOST_WAGERS, "--rounds") if text else 0
    metered = [wager.id for wager in list_metered_wagers(request.game)]
    if not metered:
        raise make_no_meter_error(request.game, _find_wager(request))
    settings = {"bet": metered[0], **request.settings}
    return compute_meter_chart(_compute_sheet(replace(request, settings=settings), progress), wagers)


def _compute_sheet(request: ChartRequest, progress: ProgressCallback) -> ParSheet:
    return compute_par_sheet(request.game, _find_wager(request), request.terms, progress)


def _find_wager(request: ChartRequest) -> Wager:
    """Return the chosen bet, by default main.

    Raises:
        UnknownNameError: the game has no such bet.
        WagerError: the bet has no exact sheet.
    """
    wager = find_bet(request.game, request.settings.get("bet", request.game.main.id))
    reason = explain_missing_sheet(request.game, wager, request.terms.options)
    if reason:
        raise WagerError(f"{wager.id} has no exact sheet: it {reason}", code="no-exact-sheet", bet=wager.id)
    return wager


CHART_SETTINGS: dict[str, tuple[str, ...]] = {
    STRATEGY: ("grid",),
    BAND: ("bet", "rounds"),
    CONTRIBUTION: ("bet",),
    PAY: ("bet", "line"),
    RUIN: ("bet", "rounds"),
    METER: ("bet", "rounds"),
}
"""The kinds of charts, with the settings that each takes."""

_COMPUTED: dict[str, Callable[[ChartRequest, ProgressCallback], ChartData]] = {
    STRATEGY: _compute_strategy,
    BAND: _compute_band,
    CONTRIBUTION: lambda request, progress: make_contribution_chart(_compute_sheet(request, progress)),
    PAY: _compute_pay,
    RUIN: _compute_ruin,
    METER: _compute_meter,
}
