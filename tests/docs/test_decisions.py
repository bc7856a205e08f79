"""Decision records fit on a page, and what they name exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "docs/decisions").glob("0*.md"))
PAGE_LINES = 48
LINE_CHARACTERS = 160
PLACES = (ROOT, ROOT / "docs", ROOT / "src/pitboss", ROOT / "src/pitboss/web")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_decision_fits_on_a_page(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(rf"# {path.name[:4]}: .+", lines[0])
    assert len(lines) <= PAGE_LINES
    assert [line for line in lines if len(line) > LINE_CHARACTERS] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_decision_names_modules_that_exist(path: Path) -> None:
    named = re.findall(r"`([a-z][\w.-]*(?:/[\w.-]+)+/?)`", path.read_text(encoding="utf-8"))
    missing = [
        name for name in named if not any((place / end).exists() for place in PLACES for end in (name, f"{name}.py"))
    ]
    assert missing == []
