"""Refusals as pages show them: sentences, whatever part of the program words them; programs read the bare line."""

import re
from html import unescape

from pitboss.table.session import TableTerms
from web.test_guests import House, house

__all__ = ["house"]


def find_alert(page: str) -> str:
    """Return the refusal that a page shows."""
    (line,) = re.findall(r'role="alert"[^>]*>(.+?)</p>', page)
    return unescape(line)


def test_a_page_refuses_in_sentences_and_the_api_as_before(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="six-card"))
    person.look(f"/tables/{table}")
    at_table = person.say(f"/tables/{table}/wager", **{"stake-main": "5"}).text
    nowhere = person.web.get("/tables/none", headers={"Accept": "text/html"})
    form = person.web.post(
        "/open/six-card",
        data={"csrf": re.findall(r'name="csrf" value="([^"]*)"', person.look("/open/six-card"))[0], "least-main": "x"},
    )
    studied = person.look("/study/values?game=six-card&player=As+As")
    for page in (at_table, nowhere.text, form.text, studied):
        assert re.fullmatch(r"[A-Z].*[.?!]", find_alert(page)), find_alert(page)
    detail = person.web.get("/tables/none").json()["detail"]
    assert (detail[0].islower(), detail.endswith(".")) == (True, False)
