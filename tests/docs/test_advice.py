"""The page of advice on the progressive is what its script writes."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "advice.py"))


def rows(page: str) -> list[str]:
    """Return the settings of all tables, in order."""
    return re.findall(r"^\| ([^|]+) \|.*± .*\|$", page, re.MULTILINE)


@pytest.mark.more
def test_the_page_has_the_settings_and_words_of_its_script(script: dict[str, Any]) -> None:
    fewer = script["page"](64)
    landed = script["PAGE"].read_text(encoding="utf-8")
    assert rows(fewer) == rows(landed)
    assert len(rows(landed)) > 15
    without_figures = re.compile(r"^\|.*\|$|[\d,]+ rounds|--rounds \d+", re.MULTILINE)
    assert without_figures.sub("", fewer) == without_figures.sub("", landed)


@pytest.mark.long
def test_the_whole_page_is_written_again_as_it_stands(script: dict[str, Any]) -> None:
    assert script["page"](script["ROUNDS"]) == script["PAGE"].read_text(encoding="utf-8")
