"""The payouts of an exam over HTTP: cut in chips, judged, and listed on the certificate."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from web.test_classes import Guest
from web.visits import Visit


@pytest.fixture
def ann(visit: Visit) -> Iterator[Guest]:
    """A candidate."""
    guest = Guest(visit)
    yield guest
    guest.web.close()


def begin(ann: Guest) -> str:
    """Begin an exam of a round, and return its address."""
    form = {"exam": "on", "name": "Ann", "rounds": "1", "seats": "1", "pace": "1", "errors": "99", "mispaid": ""}
    return ann.lead("/training/table/six-card", start="on", **form)


def answer_anything(ann: Guest, address: str, end: str) -> int:
    """Give any answer but a payout until ``end`` is shown; return the number of the next question."""
    number = 0
    while end not in (page := ann.web.get(address).text):
        choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', page)
        number = int(re.findall(r'name="number" value="(\d+)"', page)[0])
        said = next(each for each in choices if each != "pay")
        ann.lead(address, said=unescape(said), number=str(number), dollars="0")
        number += 1
    return number


def test_an_exam_examines_the_cut_of_a_payout(ann: Guest) -> None:
    address = begin(ann)
    number = str(answer_anything(ann, address, "Cut the payout in the fewest chips"))
    page = ann.web.get(address).text
    assert "Pay, in dollars" not in page
    assert "<noscript>" in page
    for fields, line in (
        ({"dollars": "7"}, "Cut the payout from the tray first."),
        ({"cut": "seven"}, "rite chips as 3x25 1x5"),
        ({"cut": "7x1", "coins": "100"}, "Cents in coins"),
    ):
        answer = ann.post(address, said="pay", number=number, **fields)
        assert (answer.status_code, line in answer.text) == (409, True), line
    ann.lead(address, said="pay", number=number, cut="7x1", coins="50")
    answer_anything(ann, address, "certificate")
    certificate = re.sub(r"<[^>]*>", "", ann.web.get(address).text)
    assert "pay $7.50 (7 x $1, and 50¢)" in certificate
    amount = r"(over|short) by \$.*, and "  # unless $7.50 happens to be right
    assert re.search(f"wrong: ({amount})?not the fewest chips", certificate)
    assert re.search(r"Payouts cut in the fewest chips\s*0 of 1", certificate)
