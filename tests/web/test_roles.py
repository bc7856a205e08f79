"""Role by operation, every cell of it: the operations are the application's own, what each role may is written here."""

from typing import Any

import pytest
from fastapi import APIRouter

from pitboss.jackpot.roles import PERMISSIONS
from pitboss.web import app as application
from pitboss.web.app import create_app, find_permission
from pitboss.web.auth.sessions import PublicGuard
from web.examples import Operation, operations, routes
from web.served import CHOSEN, Served, said

TABLE, OFFICE, READERS = "dora sue", "sue eve", "sue eve abe"
ANYBODY, STAFF = "nobody dora sue eve abe", "dora sue eve abe"

MATRIX = {
    "openapi": ANYBODY,
    "read_display": ANYBODY,
    "display_events": ANYBODY,
    "log_in": ANYBODY,
    "enrol": ANYBODY,
    "offer_first_authenticator": ANYBODY,
    "me": STAFF,
    "log_out": STAFF,
    "read_table": STAFF,
    "table_events": STAFF,
    "open_round": TABLE,
    "hit": TABLE,
    "cancel": TABLE,
    "pay": TABLE,
    "close_round": TABLE,
    "confirm": OFFICE,
    "reprint": OFFICE,
    "reconcile": OFFICE,
    "adjust": OFFICE,
    "back_out": OFFICE,
    "configure": OFFICE,
    "decline": OFFICE,
    "open_incident": OFFICE,
    "sign_incident": OFFICE,
    "approve": "eve",
    "add_staff": OFFICE,
    "reset_staff": OFFICE,
    "end_staff": OFFICE,
    "change_password": STAFF,
    "change_authenticator": STAFF,
    "offer_authenticator": STAFF,
    "status": READERS,
    "read_settings": READERS,
    "list_staff": READERS,
    "verify": READERS,
    "export": READERS,
    "read_day": READERS,
    "read_days": READERS,
    "archive": READERS,
    "display_feed": "",
    "live": ANYBODY,
    "ready": ANYBODY,
    "metrics": READERS,
}
"""Who may: nobody (as a seat), a dealer, a supervisor, an executive, an auditor.  What is not here is forbidden."""


def test_every_route_is_described_and_has_its_line(served: Served) -> None:
    described = {(each.method, each.path) for each in operations(served.app)}
    assert len(described) == len(routes(served.app)) == len(MATRIX)
    assert {each.name for each in operations(served.app)} == set(MATRIX)


def asked(served: Served, operation: Operation, name: str) -> Any:
    """Ask for an operation as somebody, with the example of its body and his own credentials in it."""
    body = operation.body
    if body and "proof" in body:
        body = {**body, "proof": served.proof(name or "sue"), **({"password": CHOSEN} if "password" in body else {})}
    if operation.name == "log_in":
        body = served.proof(name or "sue")
    params = {"seconds": 0} if operation.name.endswith("events") else {}
    answer = served.ask(operation.method, operation.path, name, json=body, params=params)
    served.note_change(name, operation.name, answer)
    return answer


def refused_for_its_role(answer: Any) -> bool:
    """Return whether an answer says that one must log in, or that the act is for others."""
    if answer.status_code not in {401, 403}:
        return False
    _, line = said(answer)
    return line.startswith("log in:") or " is for " in line


@pytest.mark.more
def test_every_cell_of_role_and_operation(served: Served) -> None:
    cells = {}
    for operation in operations(served.app):
        for who in ANYBODY.split():
            name = "" if who == "nobody" else who
            if name:
                served.session(name)
            cells[operation.name, who] = not refused_for_its_role(asked(served, operation, name))
    assert len(cells) == len(MATRIX) * len(ANYBODY.split())
    assert cells == {(name, who): who in may.split() for name, may in MATRIX.items() for who in ANYBODY.split()}


def test_an_application_with_a_route_that_names_no_act_does_not_start(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = APIRouter()
    careless.add_api_route("/api/everything", lambda: {"all": "of it"})
    monkeypatch.setattr(application, "PROGRESSIVE_ROUTERS", (*application.PROGRESSIVE_ROUTERS, careless))
    with pytest.raises(ValueError, match="names no permission: give it a StaffGuard or a PublicGuard"):
        create_app(served.house)


def test_what_is_not_a_seats_is_not_opened() -> None:
    with pytest.raises(ValueError, match="pay is not open to anybody"):
        PublicGuard("pay")


def test_every_act_of_a_route_is_a_roles_act(served: Served) -> None:
    by_command_alone = {"keys"}  # their file is on the server's own machine
    assert {find_permission(route) for route in served.app.routes} == set(PERMISSIONS) - by_command_alone
