"""A trainer's class over HTTP: what is removed and downloaded, and by whom."""

import re
from collections.abc import Iterator

import httpx
import pytest

from waiting import PATIENT_SECONDS
from web.casino import Casino
from web.visits import token_of


class Guest:
    """Somebody with a browser that keeps its cookie."""

    def __init__(self, casino: Casino) -> None:
        self.web = httpx.Client(base_url=casino.address, trust_env=False, timeout=PATIENT_SECONDS)
        self.csrf = token_of(self.web.get("/").text)

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form."""
        return self.web.post(path, data={"csrf": self.csrf, **fields})

    def lead(self, path: str, **fields: str) -> str:
        """Send a form, and return the address to which it leads."""
        answer = self.post(path, **fields)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])


@pytest.fixture
def guests(casino: Casino) -> Iterator[tuple[Guest, Guest]]:
    """A trainer and a trainee."""
    tess, ann = Guest(casino), Guest(casino)
    yield tess, ann
    for guest in (tess, ann):
        guest.web.close()


def open_class(tess: Guest, ann: Guest, name: str = "Ann Example") -> str:
    """Open a class with a trainee, and return its address."""
    address = tess.lead("/training/classes", name="Swing shift")
    ann.lead(address, name=name)
    return address


def find_removal(page: str, part: str) -> str:
    """Find the address of a form of removal in a page."""
    (found,) = re.findall(rf'action="(/training/classes/\w+/{part}remove)"', page)
    return str(found)


def test_a_trainer_removes_a_trainee_who_keeps_the_training(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    drill = ann.lead("/training", game="six-card")
    removal = find_removal(tess.web.get(address).text, r"trainees/\d+/")
    assert ann.post(removal).status_code == 404
    assert tess.web.post(removal).status_code == 403
    assert tess.lead(removal) == f"{address}#trainees"
    assert "Nobody has joined yet" in tess.web.get(address).text
    assert "Your name" in ann.web.get(address).text  # the form with which one joins
    assert ann.web.get(drill).status_code == 200
    assert tess.lead(removal)  # once more changes nothing


def test_a_trainer_removes_the_table_of_a_game(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    tess.lead("/training/table/six-card", own=address.rpartition("/")[2], assign="on")
    assert "Remove this table" not in ann.web.get(address).text
    removal = find_removal(tess.web.get(address).text, "tables/six-card/")
    assert ann.post(removal).status_code == 404
    assert tess.lead(removal) == f"{address}#tables"
    assert "Remove this table" not in tess.web.get(address).text
    assert ann.post(f"{address}/tables/six-card").status_code == 404


def test_a_trainer_removes_a_class(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    removal = find_removal(tess.web.get(address).text, "")
    assert ann.post(removal).status_code == 404
    assert tess.lead(removal) == "/training/classes"
    for guest in guests:
        assert guest.web.get(address).status_code == 404
        assert "Swing shift" not in guest.web.get("/training/classes").text
