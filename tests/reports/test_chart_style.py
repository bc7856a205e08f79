"""Pictures read in grey, are well-formed, name themselves, and need no style that a strict page forbids."""

import io
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import pytest
from matplotlib.patches import Rectangle

from pitboss.analysis.bet_charts import compute_band_chart, make_contribution_chart
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.meter_chart import compute_meter_chart
from pitboss.analysis.pay_chart import compute_pay_chart
from pitboss.analysis.ruin_chart import compute_ruin_chart
from pitboss.reports.chart_drawings import BAND_FILLS, draw_chart
from pitboss.reports.chart_style import (
    DARK_TEXT,
    GAIN,
    INK,
    LIGHT_TEXT,
    LOSS,
    RAMP,
    choose_fills,
    choose_text_colour,
    compute_contrast,
    to_svg,
    write_chart,
)
from pitboss.reports.chart_tables import make_answer_grid, make_chart_table
from refusals import SOURCE
from reports.conftest import made

LABELS = {
    "chart": "tiny",
    "down": "Your hand",
    "across": "Exposed card",
    "row_names": ["Pair & more", "Nothing"],
    "column_names": ["2", "A"],
    "answers": ["fold", "play", "exchange-2", "exchange-3"],
}
COLUMNS = tuple(
    "row column cards answer action gives_up expected_value expected_value_exact next_best costs next_gives_up".split()
)
ROWS = (
    ("Pair & more", "2", "2s; 2c", "play", "play", "", 0.5, "1/2", "fold", 1.5, ""),
    ("Pair & more", "A", "2s; Ac", "exchange-2", "exchange-2", "3h 4h", -0.25, "-1/4", "fold", 0.75, ""),
    ("Nothing", "A", "3s; Ac", "fold", "fold", "", -1.0, "-1/1", "play", 0.125, ""),
)


@pytest.fixture
def strategy() -> ChartData:
    """A chart of four cells, one of them empty."""
    return ChartData("strategy", "six-card", "Tiny <chart>", "Only two ranks.", COLUMNS, ROWS, LABELS)


NAMED = {
    "band": ("return, %", "rounds played", "1,000", "90% of results", "normal approximation", "expected return"),
    "pay": ("house edge, %", "pay", "Flush", "Two pair", "other pays are off this scale"),
    "ruin": ("risk of ruin, %", "bankroll in units", "40 rounds", "2 rounds", "150"),
    "meter": (
        "meter in dollars",
        "no jackpot yet, %",
        "dollars wagered",
        "if nothing is won",
        "average jackpot $14,529",
    ),
    "contribution": ("two pair", "+0.2488", "lose", "\u22120.7659", "expected net", "\u22120.0234"),
}


class Element(NamedTuple):
    """An element of a picture: its name, its attributes, and the text in it."""

    name: str
    attributes: dict[str, str]
    words: list[str]


def parse(svg: str) -> list[Element]:
    """Return the elements of a picture; it must be well-formed XML."""
    found, parser = list[Element](), expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        found.append(Element(name, attributes, []))
        parser.CharacterDataHandler = found[-1].words.append

    parser.StartElementHandler = start
    parser.ParseFile(io.BytesIO(svg.encode()))
    return found


def texts_of(svg: str, name: str = "text") -> list[str]:
    return ["".join(each.words).strip() for each in parse(svg) if each.name == name]


def test_fills_are_told_apart_in_grey() -> None:
    assert min(compute_contrast(*pair) for pair in pairwise(RAMP)) > 1.4
    assert [compute_contrast(fill, LIGHT_TEXT) for fill in RAMP] == sorted(
        compute_contrast(fill, LIGHT_TEXT) for fill in RAMP
    )
    for count in range(1, len(RAMP) + 1):
        assert len(set(choose_fills(count))) == count


@pytest.mark.parametrize("styles", ["web/static/pitboss.css", "reports/templates/report.html"])
def test_a_page_gives_gains_and_losses_its_own_colours(styles: str) -> None:
    """Ours are dark: a dark page would hide them."""
    text = (SOURCE / styles).read_text(encoding="utf-8")
    for colour in (GAIN, LOSS):
        for name in ("fill", "stroke"):
            assert re.search(rf'\[{name}="{colour}"\] {{ {name}: var\(--[a-z]+\); }}', text)


def test_a_letter_reads_on_every_fill() -> None:
    assert min(compute_contrast(choose_text_colour(fill), fill) for fill in RAMP) >= 4.5
    assert INK not in {DARK_TEXT, LIGHT_TEXT}  # the page's ink takes the page's colour, a cell's does not


def test_a_picture_says_what_it_is_and_has_no_style(strategy: ChartData) -> None:
    svg = to_svg(draw_chart(strategy), "one", strategy.title, strategy.about)
    root = parse(svg)[0].attributes
    assert (root["role"], root["aria-labelledby"]) == ("img", "one-title one-desc")
    assert (texts_of(svg, "title"), texts_of(svg, "desc")) == ([strategy.title], [strategy.about])
    assert "style" not in svg
    assert INK not in svg
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert len(ids) == len(set(ids))
    assert {each.split("-")[0] for each in ids} == {"one"}
    used = re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', svg)
    assert {a or b for a, b in used} <= set(ids)


def test_every_cell_has_its_letter_and_every_answer_its_name(strategy: ChartData) -> None:
    texts = texts_of(to_svg(draw_chart(strategy), "one", strategy.title))
    assert sorted(each for each in texts if each in {"P", "F"}) == ["F", "P"]
    assert texts.count("2") == 2  # a column, and the exchange
    for name in ("F  fold", "P  play", "2  exchange 2", "Pair & more", "Your hand", "Exposed card"):
        assert name in texts


@pytest.fixture(scope="module")
def drawn() -> dict[str, ChartData]:
    """A chart of each kind that a bet has, from known counts."""
    sheets = {each.wager.id: each for each in made("six-card").sheets}
    sheet, metered = sheets["aces-up"], sheets["progressive"]
    terms = GameTerms(sheet.tables_by_kind, sheet.options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.analysis.tuning.compute_par_sheet", lambda *_arguments: sheet)
        pay = compute_pay_chart(sheet.game, sheet.wager, terms)
    return {
        "band": compute_band_chart(sheet, 2_000),
        "contribution": make_contribution_chart(sheet),
        "pay": pay,
        "ruin": compute_ruin_chart(sheet, 40),
        "meter": compute_meter_chart(metered),
    }


@pytest.mark.parametrize("kind", ["band", "contribution", "pay", "ruin", "meter"])
def test_every_kind_is_drawn_with_names_and_rows(drawn: dict[str, ChartData], kind: str) -> None:
    data = drawn[kind]
    svg = to_svg(draw_chart(data), "one", data.title, data.about)
    assert "style" not in svg
    assert parse(svg)[0].name == "svg"
    texts = " ".join(texts_of(svg))
    for words in NAMED[kind]:
        assert words in texts
    table = make_chart_table(data)
    cells = len(table.rows) * ((len(table.headings) - 1) if kind == "ruin" else 1)
    assert cells == len(data.rows)
    assert {len(row) for row in table.rows} == {len(table.headings)}


def test_gains_and_losses_differ_by_side_and_hatching(drawn: dict[str, ChartData]) -> None:
    figure = draw_chart(drawn["contribution"])
    *bars, total = figure.axes[0].patches
    shares = drawn["contribution"].get_column("contribution")
    for bar, share in zip(bars, shares, strict=True):
        assert isinstance(bar, Rectangle)
        assert bar.get_width() == share
        assert bool(bar.get_hatch()) == (share < 0)
    assert not total.get_hatch()


def test_bands_are_told_apart_in_grey() -> None:
    assert min(compute_contrast(*pair) for pair in pairwise(BAND_FILLS)) > 1.4


def test_the_table_has_the_picture_again(strategy: ChartData) -> None:
    grid = make_answer_grid(strategy)
    assert grid.headings == ("Your hand / exposed card", "2", "A")
    assert grid.rows == (("Pair & more", "P", "2"), ("Nothing", "", "F"))
    assert grid.title == "Tiny <chart> (F fold, P play, 2 exchange 2, 3 exchange 3)"
    cells = make_chart_table(strategy)
    assert cells.rows[1] == ("Pair & more, A", "2s; Ac", "exchange 2: 3h 4h", "-0.2500", "fold", "0.7500")


def test_an_svg_file_is_a_document_of_its_own(strategy: ChartData, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    write_chart(draw_chart(strategy), path, strategy.title)
    text = path.read_text(encoding="utf-8")
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n<svg ')
    assert INK in text  # nothing gives a file of its own a text colour
    write_chart(draw_chart(strategy), path, strategy.title)
    assert path.read_text(encoding="utf-8") == text


def test_data_are_rows_by_name(strategy: ChartData) -> None:
    document = strategy.as_json()
    assert document["rows"][0]["costs"] == 1.5
    assert document["answers"] == LABELS["answers"]
    lines = strategy.to_csv().splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert lines[1] == "Pair & more,2,2s; 2c,play,play,,0.5,1/2,fold,1.5,"
