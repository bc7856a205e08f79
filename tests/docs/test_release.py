"""What a release says of itself agrees: the package, the changelog and the citation."""

import re
from pathlib import Path

from pitboss.core.version import __version__

ROOT = Path(__file__).parents[2]


def test_changelog_and_citation_name_the_version_and_its_date() -> None:
    released = re.findall(r"^## \[(\d.*)\] - (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert released[0] == (__version__, *re.findall(r"^date-released: (.*)$", citation, re.MULTILINE))
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [__version__]
