"""Refusals as pages show them: sentences, whatever part of the program words them; programs read the bare line."""

import re
from html import unescape

from pitboss.games import load_games
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


def test_what_does_not_exist_is_said_plainly_with_what_does(house: House) -> None:
    person = house.person()
    wrong_way = "This address answers only what a page's form sends: go back and press the button there."
    for path, status, line in (
        ("/training/abc", 404, "There is no such drill."),
        ("/training/exams/abc", 404, "There is no such exam."),
        ("/training/certificates/abc", 404, "There is no such certificate."),
        ("/play/restore", 405, wrong_way),
        ("/rules/faro", 404, "There is no game 'faro' here."),
    ):
        answer = person.web.get(path, headers={"Accept": "text/html"})
        assert (answer.status_code, find_alert(answer.text)) == (status, line)
    assert all(f'<a href="/rules/{game}">' in answer.text for game in load_games())
    assert "known: " in person.web.get("/rules/faro").json()["detail"]


def test_an_amount_that_is_left_out_of_a_drill_is_asked_for(house: House) -> None:
    person = house.person()
    person.look("/training")
    address = person.say("/training", game="six-card").url.path
    answer = person.say(address, said="pay", dollars="", number="0")
    assert find_alert(answer.text) == "Type an amount, for example 25."
