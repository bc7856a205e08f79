"""``pitboss serve`` as an operator starts it: anchored, measured, logged; a ledger that was rolled back is found."""

import json
import shutil
from pathlib import Path

import pytest

from clients import open_client
from jackpot.house import EXECUTIVE
from pitboss.cli.app import run
from pitboss.cli.jackpot_ledger import open_ledger
from pitboss.cli.jackpot_operations import keep_anchored
from pitboss.jackpot.commands import OpenIncident
from pitboss.jackpot.roles import Actor
from pitboss.ledger.errors import LedgerError
from refusals import refusal
from web.casino import Casino
from web.served import copied

TOKEN = "0123456789abcdef" * 2


@pytest.mark.more
def test_it_is_anchored_measured_and_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, key, _ = copied(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "screens").write_text(f"lobby {TOKEN[::-1]}\n")
    options = {"anchor": "anchors", "metrics-token": "token", "screens": "screens", "security-log": "security"}
    words = [word for name, file in options.items() for word in (f"--{name}", str(tmp_path / file))]
    log = tmp_path / "log"
    casino = Casino(tmp_path, "--ledger", url, *words, "--log-format", "json", log=log)
    casino.start()
    try:
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        with open_client(casino.address) as client:
            ready = client.get("/health/ready").json()
            assert ready["ready"], ready
            text = client.get("/metrics", headers=bearer).text
            assert "pitboss_command_seconds_count 0" in text
            assert text.endswith("# EOF\n")
            screen = {"Authorization": f"Bearer {TOKEN[::-1]}"}
            assert '"screen": "lobby"' in client.get("/api/display/feed?seconds=0", headers=screen).text
            assert client.get("/metrics").status_code == 401
    finally:
        casino.kill()
    anchored = json.loads((tmp_path / "anchors").read_text())
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[-1]["code"] == json.loads((tmp_path / "security").read_text())["code"] == "not-logged-in"
    with open_ledger(url) as at:
        assert anchored["hash"] == at.controller.head.hash


@pytest.mark.more
def test_a_ledger_that_was_rolled_back_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, key, _ = copied(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    shutil.copy(tmp_path / "ledger.db", tmp_path / "earlier.db")
    anchors = (str(tmp_path / "anchors"),)
    with open_ledger(url) as at:
        at.controller.execute(OpenIncident(text="as a test"), Actor("eve", EXECUTIVE.role), "incident-01")
        with keep_anchored(at, anchors, 60):
            pass
    shutil.copy(tmp_path / "earlier.db", tmp_path / "ledger.db")
    with (
        open_ledger(url) as at,
        pytest.raises(LedgerError, check=refusal("other-ledger")),
        keep_anchored(at, anchors, 60),
    ):
        pass
    monkeypatch.setenv("PITBOSS_ANCHOR", f"- https://127.0.0.1:1/ {anchors[0]}")
    for may_be_closed, stays in ((False, False), (True, False), (False, True)):  # as commands, verify and serve do
        with (
            pytest.raises(LedgerError, check=refusal("other-ledger")),
            open_ledger(url, may_be_closed=may_be_closed, stays=stays),
        ):
            pass
    assert run(["jackpot", "health", "--ledger", str(tmp_path / "ledger.db")]) != 0
