"""The data of the chart of edge by pay: one line of a pay table at a time."""

from fractions import Fraction

from pitboss.analysis.bet_charts import name_bet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.edge_curves import list_edge_curves
from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.meter_grid import METER_TITLES
from pitboss.analysis.par_sheet import format_fraction
from pitboss.analysis.tuning import build_tuning_grid
from pitboss.analysis.tuning_request import TuningRequest, name_lines
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.builders import capitalize_first, display_name
from pitboss.contract import Game, Wager
from pitboss.core.errors import UnknownNameError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.paytable_toml import format_pay_input

PAY = "pay"

PAY_COLUMNS = ("line", "pay", "pay_value", "house_edge", "house_edge_exact", "present")

_STEPS, _SPAN = 25, Fraction(5, 100)


def compute_pay_chart(
    game: Game, wager: Wager, terms: GameTerms, line: str = "", progress: ProgressCallback = ignore_progress
) -> ChartData:
    """Compute the house edge of a bet along the pays of each line, or of one.

    The pays are those of ``tune``'s round ladder near the present one: at most 25 to each side, with an edge of at most
    five points more or less.  Everything else stays, the play too.

    Raises:
        TuningError: the bet has no pay table.
        UnknownNameError: the table has no line of this name.
    """
    anything = TuningRequest(TuningTargets(FigureRange(Fraction(-1), Fraction(1))))
    grid = build_tuning_grid(game, wager, terms, anything, progress)
    sheet, curves = grid.sheet, list_edge_curves(grid)
    names = {key: name for name, key in name_lines(wager, sheet.tables_by_kind).items() if key in curves}
    if line and line not in names.values():
        raise UnknownNameError("line", line, names.values())
    present = {each.key: each.present for each in grid.lines}
    rows = []
    for key, points in curves.items():
        if line in {"", names[key]}:
            own, edge = next((place, edge) for place, (pay, edge) in enumerate(points) if pay == present[key])
            near = points[max(0, own - _STEPS) : own + _STEPS + 1]
            rows += [
                (names[key], format_pay_input(pay), float(pay), float(each), format_fraction(each), pay == present[key])
                for pay, each in near
                if abs(each - edge) <= _SPAN
            ]
    about = "The house edge with another pay of one line, all other pays as they are."
    if sheet.strategy:
        about += " The play stays as it is; the best play for the other pay may be better for the player."
    if sheet.presets:
        about += " The edge is that of the long run."
    return ChartData(
        PAY,
        game.id,
        f"{name_bet(sheet)}: the house edge by pay",
        about,
        PAY_COLUMNS,
        tuple(rows),
        {"bet": wager.id, "line_names": {name: name_line(name) for name in dict.fromkeys(row[0] for row in rows)}},
    )


def name_line(name: str) -> str:
    """Return the name of a line or of a meter's setting for people.

    >>> name_line("instant-cash:royal-flush"), name_line("seed")
    ('Instant cash: royal flush', 'Seed of the meter, $')
    """
    words = ": ".join(map(display_name, name.split(":")))
    return METER_TITLES.get(name) or capitalize_first(words)
