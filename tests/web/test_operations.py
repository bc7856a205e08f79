"""What machines ask and read: liveness, readiness, metrics and logs."""

import json
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from clients import open_client
from pitboss.cli.logs import SECURITY_LOG, WEB_LOG, LogFormat, start_log
from pitboss.core.errors import PitbossError
from pitboss.jackpot.health import check_health
from pitboss.jackpot.measured_controller import MeasuredController
from pitboss.web.app import create_app
from pitboss.web.metrics import read_metrics_token
from refusals import refusal
from web.served import PEOPLE, Served, answering
from web.test_rounds import WAGERS, pending

TOKEN = "0123456789abcdef" * 2


def read_metrics(served: Served, **headers: str) -> dict[str, float]:
    """Return every sample of the metrics, as it is written."""
    answer = served.client.get("/metrics", headers=headers or {"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    parse: Callable[[str], Iterable[Any]] = text_string_to_metric_families  # which has no types
    return {
        sample.name + "".join(f",{name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in parse(answer.text)
        for sample in family.samples
    }


@pytest.fixture
def measured(served: Served) -> Served:
    """A served progressive whose controller counts, with a token for its metrics."""
    object.__setattr__(served.house, "controller", MeasuredController(served.store, served.signer))
    served.app.state.metrics_token = TOKEN
    return served


def test_the_metrics_count_what_was_done_and_what_was_refused(measured: Served) -> None:
    pending(measured)
    measured.refused("/tables/1/rounds/1/open", "dora", WAGERS)
    measured.do("/tables/2/rounds/1/open", "dora", WAGERS, key="open-table-2")
    measured.do("/tables/2/rounds/1/open", "dora", WAGERS, key="open-table-2")
    assert measured.client.get("/nothing/here").status_code == 404
    found = read_metrics(measured)
    assert found["pitboss_commands_total,kind=open,result=done"] == 2
    assert found["pitboss_commands_total,kind=open,result=repeated"] == 1
    assert found["pitboss_commands_total,kind=open,result=round-open"] == 1
    assert found["pitboss_command_seconds_count"] == found["pitboss_command_seconds_bucket,le=+Inf"] == 5
    assert found["pitboss_refusals_total,code=round-open,status=409"] == 1
    assert found["pitboss_http_requests_total,method=GET,route=none,status=404"] == 1
    opened = "method=POST,route=/api/tables/{table}/rounds/{number}/open"
    assert found[f"pitboss_http_requests_total,{opened},status=200"] == 3
    assert found[f"pitboss_http_request_seconds_total,{opened},status=200"] > 0
    assert (found["pitboss_rounds_total,table=1"], found["pitboss_wagers_total,table=2"]) == (1, 3)
    assert (found["pitboss_pending_hits"], found["pitboss_open_incidents"]) == (1, 0)
    assert found["pitboss_entries_total"] == measured.controller.refresh().entries
    assert found["pitboss_display_cents"] == 1_000_084
    assert {name for name in found if name.startswith("pitboss_check")} == {
        f"pitboss_check,check={name}" for name in ("ledger", "tables", "clock", "disk")
    }
    assert found["pitboss_disk_free_bytes"] <= found["pitboss_disk_total_bytes"]
    assert "pitboss_clock_offset_seconds" in found
    assert "pitboss_last_entry_age_seconds" in found


def test_nobody_adds_names_to_the_metrics_and_none_of_staff_are_in_them(measured: Served) -> None:
    pending(measured)
    before = len(read_metrics(measured))
    for number in range(20):
        measured.client.request(f"VERB{number}", f"/made/up/{number}")
        measured.client.get(f"/api/tables/{number + 1}")
    text = measured.client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    assert len(read_metrics(measured)) < before + 16
    assert [name for name in (*PEOPLE, "127.0.0.1", TOKEN) if f'"{name}"' in text] == []


def test_the_metrics_are_not_for_strangers(served: Served) -> None:
    for token in ("", TOKEN):
        served.app.state.metrics_token = token
        for given in ("", "Bearer x", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}"):
            headers = {"Authorization": given} if given else {}
            assert served.client.get("/metrics", headers=headers).status_code == 401, (token, given)
    far = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "203.0.113.7"}
    assert served.client.get("/metrics", headers=far).json()["code"] == "https-needed"
    assert served.client.get("/metrics", headers={**far, "X-Forwarded-Proto": "https"}).status_code == 200
    assert served.ask("GET", "/metrics", "abe").status_code == 200
    assert served.ask("GET", "/metrics", "dora").status_code == 403


@pytest.mark.more
def test_a_server_is_ready_while_each_check_holds_and_strangers_are_told_no_figure(
    measured: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> tuple[int, Any]:
        answer = measured.client.get("/health/ready")
        return answer.status_code, answer.json()

    well = {"ledger": True, "tables": True, "clock": True, "disk": True}
    assert ask() == (200, {"ready": True, "checks": well})
    measured.do("/incidents", "sue", {"text": "sensor broken"})
    assert ask() == (503, {"ready": False, "checks": {**well, "tables": False}})
    for proof in ("sue", "max"):
        measured.do("/incidents/1/sign", "sue", {"text": "sensor replaced"}, proof=proof)
    assert ask()[0] == 200
    usage = shutil.disk_usage(measured.key.parent)
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda _path: usage._replace(free=2**20))
        assert ask() == (503, {"ready": False, "checks": {**well, "disk": False}})
        assert read_metrics(measured)["pitboss_check,check=disk"] == 0
    with closing(sqlite3.connect(measured.store.engine.url.database or "")) as database:
        database.executescript("DROP TRIGGER entry_no_update; UPDATE entry SET at = '2999-01-01T00:00:00+00:00'")
    assert ask() == (503, {"ready": False, "checks": {**well, "clock": False}})
    (measured.key.parent / "ledger.db").write_bytes(b"nothing")
    measured.store.close()
    assert ask() == (503, {"ready": False, "checks": {"ledger": False, "disk": True}})
    assert measured.client.get("/health/live").json() == {"live": True}
    assert read_metrics(measured)["pitboss_check,check=ledger"] == 0


def test_a_clock_behind_the_ledger_is_found(served: Served) -> None:
    pending(served)
    with served.store.begin_read() as transaction:
        last = list(transaction.read_entries())[-1].at
    moment = datetime.fromisoformat(last)
    assert check_health(served.store, served.controller, moment).is_ready
    behind = check_health(served.store, served.controller, moment - timedelta(hours=1))
    assert [check.name for check in behind.checks if not check.holds] == ["clock"]
    assert behind.clock_offset_seconds == -3_600


def test_a_server_of_tables_alone_lives_and_is_ready() -> None:
    app = create_app(metrics_token=TOKEN)
    with answering(app) as address, open_client(address) as client:
        assert client.get("/health/live").json() == {"live": True}
        assert client.get("/health/ready").json() == {"ready": True, "checks": {}}
        assert client.get("/metrics").status_code == 401
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert "pitboss_info" in answer.text


def test_a_token_has_its_length(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    assert read_metrics_token(path) == TOKEN
    path.write_text(TOKEN[:-1])
    with pytest.raises(PitbossError, check=refusal("token-too-short", least=32)):
        read_metrics_token(path)
    with pytest.raises(PitbossError, check=refusal("cannot-read")):
        read_metrics_token(tmp_path / "missing")


def test_logs_are_json_and_security_events_stand_apart(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("", SECURITY_LOG):
        monkeypatch.setattr(logging.getLogger(name), "handlers", [])
    monkeypatch.setattr(logging.getLogger(WEB_LOG), "level", logging.INFO)
    apart = tmp_path / "security.log"
    start_log(LogFormat.JSON, apart)
    pending(served)
    served.refused("/tables/1/rounds/1/open", "dora", WAGERS)
    assert served.ask("GET", "/status", "dora").status_code == 403
    wrong = {"name": "eve", "password": "a wrong password", "code": "000000"}
    assert served.client.post("/api/session", json=wrong).status_code == 401
    every = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    security = [json.loads(line) for line in apart.read_text().splitlines()]
    assert [each.get("code") for each in every] == [None, "round-open", "role-not-allowed", "wrong-proof"]
    assert [each["message"] for each in security] == [
        each["message"] for each in every if each.get("code") != "round-open"
    ]
    assert set(security[1]) == {"at", "level", "log", "message", *("method path status code person address".split())}
    assert (security[1]["person"], security[1]["address"], security[1]["path"]) == ("dora", "127.0.0.1", "/api/status")
    assert "a wrong password" not in apart.read_text()
    logging.getLogger(SECURITY_LOG).handlers[0].close()
    with pytest.raises(PitbossError, check=refusal("cannot-write")):
        start_log(LogFormat.TEXT, tmp_path / "missing" / "security.log")
