"""Tables for narrow screens: a cell has the words of its heading, and parts shown as blocks keep their roles."""

import re

import pytest
from markupsafe import Markup

from pitboss.web.responsive_tables import list_headings, stack_table
from web.visits import Visit

TABLE = Markup(
    '<table class="of"><caption>Bets</caption><thead><tr><th scope="col">Bet</th><th scope="col" class="number">House '
    '<em>edge</em><br>&amp; "hold"</th><td></td></tr></thead>'
    '<tbody><tr><th scope="row">Ante</th><td class="number">3%</td><td><b>now</b></td></tr>'
    '<tr><th scope="row">Result</th><td colspan="2">none</td></tr></tbody></table>'
)


def test_a_cell_has_the_words_of_its_heading() -> None:
    assert list_headings(TABLE.partition("</thead>")[0]) == ["Bet", 'House edge & "hold"', ""]
    stacked = stack_table(TABLE)
    assert re.findall(r"<td([^>]*)>", stacked.partition("</thead>")[2]) == [
        ' class="number" data-label="House edge &amp; &#34;hold&#34;" role="cell"',
        ' role="cell"',
        ' colspan="2" data-label="House edge &amp; &#34;hold&#34;" role="cell"',
    ]
    assert stacked.count('role="row"') == 3
    assert stacked.count('role="columnheader"') == 2
    assert stacked.count('role="rowheader"') == 2
    assert stacked.startswith('<table class="stacked of" role="table">')


@pytest.mark.more
def test_every_region_that_scrolls_can_be_reached_and_has_a_name(visit: Visit) -> None:
    for path, answer in visit.pages():
        if not answer.headers.get("content-type", "").startswith("text/html") or not answer.is_closed:
            continue
        for region in re.findall(r'<[a-z]+ class="scroll[^>]*>', answer.text):
            assert 'tabindex="0"' in region, (path, region)
            assert re.search(r'role="(group|region)"', region), (path, region)
            assert re.search(r'aria-label(ledby)?="[^"]', region), (path, region)
