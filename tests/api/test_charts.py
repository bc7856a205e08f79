"""Charts for callers: the same data as the command prints, and pictures of them."""

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import pitboss as pb
from api.conftest import invoke
from cli.conftest import Invoke
from oddities import NOT_TEXT, ODD_TEXT, WRONG_KINDS

__all__ = ["invoke"]

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("contribution", {"bet": "aces-up"}),
    ("contribution", {"bet": "aces-up", "paytables": "SCP-02"}),
    ("pay", {"bet": "aces-up", "line": "flush"}),
    ("band", {"bet": "bad-beat", "rounds": 10_000}),
    ("ruin", {"bet": "aces-up", "rounds": 200}),
    ("meter", {"rounds": 100_000}),
]

ANY_CHART: Any = pb.chart
"""The same where a test passes what a type checker refuses."""


@pytest.mark.parametrize(("kind", "asked"), ASKED)
def test_a_chart_is_that_of_the_command(kind: str, asked: dict[str, Any], invoke: Invoke) -> None:
    chart = pb.chart("six-card", kind, **asked)
    words = [("--paytable" if name == "paytables" else f"--{name}", str(value)) for name, value in asked.items()]
    terms = [word for pair in words for word in pair]
    assert chart.to_dict() == json.loads(invoke("chart", "six-card", kind, *terms, "--json").out)
    assert chart.to_csv() == invoke("chart", "six-card", kind, *terms, "--csv").out
    assert (chart.kind, chart.title, chart.about) == tuple(chart.to_dict()[name] for name in ("kind", "title", "about"))
    assert chart.rows == chart.to_dict()["rows"]
    svg = chart.to_svg().decode()
    assert svg.startswith("<?xml")
    assert chart.title in svg
    assert chart.to_png(36).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["game", "kind", "bet", "grid", "line"])
def test_what_is_no_text_is_refused_in_a_line(name: str) -> None:
    for value in (*NOT_TEXT, *ODD_TEXT):
        if value == "" and name in {"bet", "grid", "line"}:
            continue  # the default
        with pytest.raises(pb.Error) as error:
            ANY_CHART(**{"game": "six-card", "kind": "pay", name: value})
        assert len(str(error.value).splitlines()) == 1


def test_numbers_of_a_wrong_kind_or_size_and_settings_of_another_kind_are_refused() -> None:
    to_png: Any = pb.chart("six-card", "contribution", bet="aces-up").to_png
    for value in (*WRONG_KINDS, -1, 0, 10**30):
        if value is not None:
            with pytest.raises(pb.Error):
                ANY_CHART("six-card", "ruin", bet="aces-up", rounds=value)
        with pytest.raises(pb.Error):
            to_png(value)
    with pytest.raises(pb.Error, match=r"^rounds is not for pay: leave it out"):
        pb.chart("six-card", "pay", bet="aces-up", rounds=10)


@pytest.mark.parametrize("name", ["_data", "title", "rows"])
def test_a_chart_cannot_be_changed(name: str) -> None:
    chart = pb.chart("six-card", "contribution", bet="aces-up")
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        setattr(chart, name, ())
    chart.rows[0]["outcome"] = "win"
    assert chart.rows[0]["outcome"] == "lose"
