"""A guest goes on in another browser by a code that nobody guesses."""

import re
from secrets import token_bytes

import pytest

from pitboss.web.auth.guests import GuestTokens
from pitboss.web.rate_limits import FAILED_RESTORES
from web.test_guests import House, Person, house

__all__ = ["house"]


def show_code(person: Person) -> str:
    """Return a guest's code from the page that shows it."""
    person.look("/play/code")
    shown: list[str] = re.findall(r'class="restore">([A-Z2-7-]+)<', person.say("/play/code").text)
    return shown[0]


def test_a_code_stands_for_one_token_of_one_server_and_holds_every_bit() -> None:
    key = token_bytes(32)
    tokens, others = GuestTokens(key), GuestTokens(token_bytes(32))
    token = tokens.issue()
    code = tokens.write_code(token)
    assert len(code) == 8 * 4 + 7
    assert tokens.read_code(code) == token == GuestTokens(key).read_code(code)
    assert others.read_code(code) == ""
    assert len({tokens.write_code(tokens.issue()) for _ in range(100)}) == 100
    for place, letter in enumerate(code):
        wrong = code[:place] + ("A" if letter != "A" else "B") + code[place + 1 :]
        assert letter == "-" or tokens.read_code(wrong) == ""


@pytest.mark.parametrize("wrong", ["", "A", "ABCD-EFGH", "ä" * 32, "A" * 32, "=" * 32, "A" * 80, "\x00" * 32])
def test_what_is_not_a_code_is_none(wrong: str) -> None:
    assert GuestTokens(token_bytes(32)).read_code(wrong) == ""


def test_a_code_is_read_as_people_type_it() -> None:
    tokens = GuestTokens(token_bytes(32))
    token = tokens.issue()
    code = tokens.write_code(token)
    typed = code.lower().replace("-", "  ").replace("o", "0").replace("i", "1").replace("b", "8")
    assert tokens.read_code(typed) == token


def test_another_browser_goes_on_as_the_same_guest(house: House) -> None:
    person, other = house.person(), house.person()
    table = person.say("/tables", game="six-card", bots="0").url.path
    code = show_code(person)
    assert code not in person.look("/play/code")  # on demand only
    assert code not in person.look("/play")
    other.look("/play/code")
    assert other.say("/play/restore", code=code).status_code == 200
    assert other.web.cookies["pitboss-guest"] == person.web.cookies["pitboss-guest"]
    assert "Leave the table" in other.look(table) or 'name="stake-main"' in other.look(table)


def test_a_wrong_code_changes_nothing_and_many_are_refused(house: House) -> None:
    person = house.person()
    before, most = person.web.cookies["pitboss-guest"], int(FAILED_RESTORES.partition("/")[0])
    for _ in range(most):
        person.look("/play/code")
        answer = person.say("/play/restore", code="AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG-HHHH")
        assert answer.status_code == 409
        assert "not a restore code" in answer.text
    code = house.floor.tokens.write_code(house.floor.tokens.issue())
    person.look("/play/code")
    assert person.say("/play/restore", code=code).status_code == 429  # even a right one has to wait
    assert person.web.cookies["pitboss-guest"] == before


def test_a_code_is_shown_and_taken_by_the_own_page_only(house: House) -> None:
    person = house.person()
    for path in ("/play/code", "/play/restore"):
        assert person.web.post(path, data={"csrf": "0" * 64, "code": "A"}).status_code == 403
