"""Enrolment: an authenticator is offered, and counts once its first code has come back."""

import re
from typing import Any

import pyotp
import pytest
import segno

from jackpot.house import appointed
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.jackpot.roles import Role
from pitboss.web.qr_code import draw_qr, trace_qr
from web.served import CHOSEN, Served, said


def offered(served: Served, name: str, code: str) -> Any:
    """Return what an invited person is offered."""
    answer = served.ask("POST", "/enrolment/authenticator", json={"name": name, "code": code})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_authenticator_counts_once_its_first_code_has_come_back(served: Served) -> None:
    code = appointed(served.controller, "zoe", Role.SUPERVISOR)
    offer = offered(served, "zoe", code)
    assert offer["address"].startswith(f"otpauth://totp/pitboss:zoe?secret={offer['totp']}")
    form = {"name": "zoe", "code": code, "password": CHOSEN, "ticket": offer["ticket"]}
    right = pyotp.TOTP(offer["totp"]).at(served.seconds)
    for wrong in ("", "000000" if right != "000000" else "111111"):
        refused = said(served.ask("POST", "/enrolment", json={**form, "first_code": wrong}))
        assert refused == (409, "this is not a code of the new authenticator: enter the six digits that it shows now")
    enrolled = served.ask("POST", "/enrolment", json={**form, "first_code": right})
    assert enrolled.json() == {"name": "zoe", "totp": offer["totp"]}
    served.secrets["zoe"] = offer["totp"]
    again = {"name": "zoe", "password": CHOSEN, "code": right}
    assert "used already" in said(served.client.post("/api/session", json=again))[1]
    assert served.client.post("/api/session", json=served.proof("zoe")).status_code == 201


def test_who_leaves_an_offer_begins_again_with_the_same_code(served: Served) -> None:
    code = appointed(served.controller, "zoe", Role.SUPERVISOR)
    entries = served.controller.refresh().entries
    one, other = offered(served, "zoe", code), offered(served, "zoe", code)
    assert one["totp"] != other["totp"]
    assert served.controller.refresh().entries == entries
    form = {"name": "zoe", "code": code, "password": CHOSEN, "ticket": other["ticket"]}
    form["first_code"] = pyotp.TOTP(other["totp"]).at(served.seconds)
    assert served.ask("POST", "/enrolment", json=form).json()["totp"] == other["totp"]
    assert said(served.ask("POST", "/enrolment/authenticator", json={"name": "zoe", "code": code}))[0] == 401


@pytest.mark.more
def test_an_offer_is_for_one_account_as_it_stands(served: Served) -> None:
    codes = {name: appointed(served.controller, name, Role.SUPERVISOR) for name in ("zoe", "yan")}
    offer = offered(served, "zoe", codes["zoe"])
    first = pyotp.TOTP(offer["totp"]).at(served.seconds)
    for ticket in (offer["ticket"], "1.00", "no ticket", "9.ff"):
        form = {"name": "yan", "code": codes["yan"], "password": CHOSEN, "ticket": ticket, "first_code": first}
        refused = said(served.ask("POST", "/enrolment", json=form))
        assert refused[1].startswith("this authenticator was not offered to you"), ticket
    assert said(served.ask("POST", "/enrolment/authenticator", json={"name": "zoe", "code": codes["yan"]}))[0] == 401


def test_a_dealer_is_offered_none(served: Served) -> None:
    code = appointed(served.controller, "dan", Role.DEALER)
    empty = {"name": "dan", "totp": "", "ticket": "", "address": "", "qr_size": 0, "qr_path": ""}
    assert offered(served, "dan", code) == empty
    assert served.ask("POST", "/enrolment", json={"name": "dan", "code": code, "password": CHOSEN}).status_code == 201


def test_a_new_authenticator_replaces_the_old_one_after_its_first_code(served: Served) -> None:
    offer = served.do("/authenticator/offer", "sue")
    wrong = {"ticket": offer["ticket"], "first_code": "12345" + str((int(_code(served, offer)[-1]) + 1) % 10)}
    assert served.refused("/authenticator", "sue", wrong, proof="sue")[0] == 409
    assert served.client.post("/api/session", json=served.proof("sue")).status_code == 201  # the old one still counts
    served.seconds += CODE_SECONDS
    right = {"ticket": offer["ticket"], "first_code": _code(served, offer)}
    assert served.do("/authenticator", "sue", right, proof="sue")["totp"] == offer["totp"]
    assert served.client.post("/api/session", json=served.proof("sue")).status_code == 401
    served.secrets["sue"] = offer["totp"]
    assert served.client.post("/api/session", json=served.proof("sue")).status_code == 201


def _code(served: Served, offer: Any) -> str:
    return pyotp.TOTP(offer["totp"]).at(served.seconds + CODE_SECONDS)


def test_a_qr_code_has_its_dark_modules_and_a_quiet_border() -> None:
    text = "otpauth://totp/pitboss:eve?secret=BASE32SECRET&issuer=pitboss"
    size, path = trace_qr(text)
    dark = set()
    for x, y, length, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path):
        assert length == back
        dark |= {(int(x) + each, int(y)) for each in range(int(length))}
    matrix = segno.make(text, error="m", micro=False).matrix
    assert dark == {(x + 4, y + 4) for y, row in enumerate(matrix) for x, module in enumerate(row) if module}
    assert size == len(matrix) + 8
    drawn = draw_qr(text, 'Link & "more"')
    assert 'aria-label="Link &amp; &#34;more&#34;"' in drawn
    assert "style" not in drawn
    assert draw_qr(f"https://{'a' * 3_000}/", "An address that a client has made up") == ""
