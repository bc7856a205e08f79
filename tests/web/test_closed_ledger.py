"""A ledger that fails its verification is closed on the API and on every display at once, and after a restart."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.jackpot import audit
from pitboss.jackpot import controller as controller_module
from pitboss.jackpot.chain_verifier import ChainVerifier
from pitboss.jackpot.controller import Controller, get_utc_now
from web.examples import operations
from web.served import Served, cheaply, copied, serving
from web.test_events import listening

WAGERS = {"wagers": [{"seat": 1, "cents": 100}]}
OPEN_WHEN_CLOSED = {"openapi", "verify", "live", "ready", "metrics"}
"""The operations that need no ledger that holds: the description, the verification, which says what is wrong, and what
monitors ask (``test_operations``)."""


def alter(file: Path, statement: str) -> None:
    """Alter an entry as somebody could who has the file."""
    with closing(sqlite3.connect(file)) as opened, opened:
        guards = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            opened.execute(f"DROP TRIGGER {name}")
        opened.execute(statement)
        for _, sql in guards:
            opened.execute(sql)


@pytest.mark.more
def test_every_operation_and_display_says_so_at_once_and_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    monkeypatch.setattr(controller_module, "CHECKPOINT_EVERY", 1)
    monkeypatch.setattr(audit, "NEWEST_ENTRIES", 0)  # the fault is far back: no start looks at it
    made = copied(tmp_path)
    file = tmp_path / "ledger.db"
    with serving(*made, monkeypatch, floor=True) as served:
        for name in ("dora", "abe", "sue", "eve"):
            served.session(name)
        sessions = dict(served.sessions)
        served.do("/tables/1/rounds/1/open", "dora", WAGERS)
        served.controller.verify()
        with listening(served, "/display/events") as events:
            next(events)
            alter(file, "UPDATE entry SET actor = 'max' WHERE sequence = 2")
            ChainVerifier(served.controller, get_utc_now).verify()
            closed = next(each for each in events if each.kind == "closed")
            assert "failed its verification" in json.loads(closed.data)["detail"]
        say_closed(served)
    with serving(*made, monkeypatch, floor=True) as restarted:
        restarted.sessions.update(sessions)
        restarted.seconds = served.seconds
        say_closed(restarted)
        alter(file, "UPDATE entry SET actor = 'eve' WHERE sequence = 2")
        restarted.controller.verify()
        assert restarted.read("/display")["display_cents"] > 0
        restarted.do("/tables/1/rounds/1/close", "dora")


def say_closed(served: Served) -> None:
    """Ask for every operation, and for the displays: each says that the ledger is closed."""
    for operation in operations(served.app):
        if operation.name in OPEN_WHEN_CLOSED:
            continue
        answer = served.ask(operation.method, operation.path, "eve", json=operation.body)
        assert (answer.status_code, answer.json().get("code")) == (503, "verification-failed"), operation.name
    assert "Closed" in served.client.get("/progressive").text
    assert "is closed" in served.client.get("/progressive/meter").text
    assert served.client.get("/").status_code == 200
    assert served.client.get("/par").status_code == 200


def test_a_server_starts_closed_on_a_ledger_that_does_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheaply(monkeypatch)
    made = copied(tmp_path)
    alter(tmp_path / "ledger.db", "UPDATE entry SET meter_units = meter_units + 1 WHERE sequence = 3")
    as_served = {"may_be_closed": True}  # as ``pitboss serve`` starts it
    monkeypatch.setattr(Controller.__init__, "__kwdefaults__", as_served)
    with serving(*made, monkeypatch, floor=True) as served:
        assert served.client.get("/api/display").json()["code"] == "verification-failed"
        assert "Closed" in served.client.get("/progressive").text
        assert served.client.get("/").status_code == 200
