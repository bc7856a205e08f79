"""What a release says of itself agrees: the package, the changelog and the citation."""

import re
from pathlib import Path

from pitboss.core.version import __version__

ROOT = Path(__file__).parents[2]


def test_changelog_and_citation_name_the_latest_release_and_its_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version, date = (re.findall(rf"^{name}: (.*)$", citation, re.MULTILINE)[0] for name in ("version", "date-released"))
    assert re.findall(r"^## \[(\d.*)\] - (.*)$", changes, re.MULTILINE)[0] == (version, date)
    assert __version__.endswith(".dev0") == ("## [Unreleased]" in changes)
    assert __version__.endswith(".dev0") or __version__ == version
