"""Charts say what was computed, and are written whole or not at all."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss.core.errors import ReportError
from pitboss.meter import Meter, MeterSettings
from pitboss.reports.chart_style import CHART_FORMATS, write_chart
from pitboss.reports.simulation_charts import draw_meter_chart, draw_session_chart
from pitboss.simulate.meter_simulation import BATCHES, MeterHistory, MeterTotal, ProgressiveSetup
from pitboss.simulate.session_distribution import compute_session
from refusals import refusal

STARTS = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}
NETS = {-2: 31, -1: 36, 1: 2, 2: 29, 20: 1}


@pytest.fixture
def chart() -> Any:
    """Draw a session that may be ruined; two of its units are an Ante."""
    return draw_session_chart(compute_session(NETS, 100, bankroll=60, round_cost=2), 2, "A session")


@pytest.mark.parametrize("kind", CHART_FORMATS)
def test_it_is_written_in_the_format_its_name_ends_with(kind: str, chart: Any, tmp_path: Path) -> None:
    path = tmp_path / f"session.{kind}"
    write_chart(chart, path)
    assert path.read_bytes().startswith(STARTS[kind])
    assert list(tmp_path.iterdir()) == [path]


def test_its_bars_are_the_sessions_and_its_curves_end_where_they_do(chart: Any) -> None:
    found = compute_session(NETS, 100, bankroll=60, round_cost=2)
    course, end, ruin = chart.axes
    assert 99 < sum(bar.get_height() for bar in end.patches) <= 100
    assert np.asarray(ruin.lines[0].get_ydata())[-1] == pytest.approx(100 * found.risk_of_ruin)
    assert np.asarray(course.lines[0].get_ydata())[-1] == found.percentile(50) / 2


def test_without_a_bankroll_nothing_is_said_of_ruin() -> None:
    assert len(draw_session_chart(compute_session(NETS, 10), 1, "A session").axes) == 2


def test_the_bars_of_a_meter_are_all_its_rounds() -> None:
    stood = np.zeros(4096, np.int64)
    stood[[1000, 1001, 1500, 3999]] = 5, 3, 1, 1
    run = ProgressiveSetup((0,), (0,), (0,), 1_400, 0, MeterSettings(100_000))
    tallies = np.zeros((BATCHES, len(MeterTotal)), np.int64)
    tallies[0, [MeterTotal.ROUNDS, MeterTotal.DISPLAYED]] = 10, 1_300_000
    found = MeterHistory(run, 6, tallies, stood, 100, Meter(0, 0), Meter(0, 0))
    axes: Any = draw_meter_chart(found, "A meter").axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert sum(heights) == pytest.approx(100)
    assert [height for height in heights if height] == pytest.approx([80, 10, 10])
    assert axes.get_legend_handles_labels()[1] == ["mean $1,300"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("session.gif", "unknown-format"),
        ("session", "unknown-format"),
    ],
)
def test_what_cannot_be_written_is_refused(name: str, code: str, chart: Any, tmp_path: Path) -> None:
    with pytest.raises(ReportError, check=refusal(code)):
        write_chart(chart, tmp_path / name)


def test_a_place_that_cannot_be_written_to_is_named(chart: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ReportError, check=refusal("no-such-folder")):
        write_chart(chart, tmp_path / "file" / "session.png")
