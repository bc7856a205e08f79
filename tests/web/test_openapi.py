"""The API against its own description: random requests by every role are answered as described, never failed."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as effort
from jsonschema import Draft202012Validator
from schemathesis.checks import CHECKS
from schemathesis.generation import GenerationMode

from pitboss.web.rate_limits import RateLimits
from waiting import PATIENT_SECONDS
from web.examples import operations
from web.served import CHOSEN, Served, cheaply, copied, serving

CHECKED = {
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
}
ROLES = ["", "dora", "sue", "eve", "abe"]
"""A seat, that is nobody, a dealer, a supervisor, an executive, an auditor."""


class Fuzzer:
    """Somebody who sends an operation's requests, well formed or not, with his own session and credentials."""

    def __init__(self, served: Served, name: str) -> None:
        self.served, self.name = served, name
        self.requests = requests.Session()
        self.requests.trust_env = False
        self.checks = [check for check in CHECKS.get_all() if check.__name__ in CHECKED]

    def send(self, case: Any) -> None:
        """Send one request, and compare its answer with the description."""
        operation = case.operation.definition.raw["operationId"]
        if operation.endswith("_events"):
            case.query = {**(case.query or {}), "seconds": 0}  # else it would not end
        if (
            isinstance(case.body, dict)
            and "proof" in case.body
            and case.meta.generation.mode is GenerationMode.POSITIVE
        ):
            case.body["proof"] = self.served.proof(self.name or "dora")
            if operation == "change_password":
                case.body["password"] = CHOSEN
        bearer = {"Authorization": f"Bearer {self.served.session(self.name)}"} if self.name else {}
        answer = case.call(base_url=self.served.address, headers=bearer, session=self.requests, timeout=PATIENT_SECONDS)
        case.validate_response(answer, checks=self.checks)
        self.served.note_change(self.name, operation, answer)

    def close(self) -> None:
        """Close the connections."""
        self.requests.close()

    def every_operation(self, examples: int) -> int:
        """Send so many well formed and so many other requests to every operation; return how many were sent."""
        sent = 0
        found: Any = schemathesis.openapi.from_dict(self.served.app.openapi()).get_all_operations()
        for operation in (each.ok() for each in found):
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                raw = operation.definition.raw
                if mode is GenerationMode.NEGATIVE and not raw.get("parameters") and "requestBody" not in raw:
                    continue  # it takes nothing that could be wrong

                @given(case=operation.as_strategy(generation_mode=mode))
                @effort(
                    max_examples=examples,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                    phases=[Phase.generate],
                    database=None,
                )
                def fuzzed(case: Any) -> None:
                    nonlocal sent
                    sent += 1
                    self.send(case)

                fuzzed()
        return sent


@pytest.mark.more
@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize("examples", [2, pytest.param(50, marks=pytest.mark.long)])
def test_random_requests_are_answered_as_described(
    name: str, examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    unlimited = RateLimits(failed_logins="1000000/second", requests="1000000/second", per_address=1_000_000)
    with serving(*copied(tmp_path), monkeypatch, unlimited) as served, closing(Fuzzer(served, name)) as fuzzer:
        assert fuzzer.every_operation(examples) > 32 * examples
        assert served.controller.verify().checked_entries >= 7


@pytest.mark.more
def test_every_command_has_an_example_that_fits_and_its_refusals(served: Served) -> None:
    document = served.app.openapi()
    assert set(document["components"]["securitySchemes"]) == {"bearer", "cookie"}
    assert {tag for path in document["paths"].values() for each in path.values() for tag in each["tags"]} == {
        tag["name"] for tag in document["tags"]
    }
    described = {each["operationId"]: each for path in document["paths"].values() for each in path.values()}
    for operation in operations(served.app):
        each = described[operation.name]
        assert each["description"]
        assert {"422", "429", "503"} < set(each["responses"])
        if operation.body:
            schema = each["requestBody"]["content"]["application/json"]["schema"]
            Draft202012Validator({**schema, "components": document["components"]}).validate(operation.body)
        if operation.method == "POST" and each.get("security"):
            assert {"401", "403", "409"} < set(each["responses"])


DAYS: list[tuple[str, str]] = [
    ("2999-01-01", "2999-01-02"),  # they have not begun
    ("2020-01-02", "2020-01-01"),
    ("0001-01-01", "0001-01-01"),
    ("9999-12-31", "9999-12-31"),
    ("0", "-1e-38"),  # seconds since 1970 are no day
]


@pytest.mark.more
def test_days_that_cannot_be_reported_are_refused_as_described(served: Served) -> None:
    asked = 0
    for path, methods in served.app.openapi()["paths"].items():
        names = [each["name"] for each in methods.get("get", {}).get("parameters", ()) if '"date"' in json.dumps(each)]
        for days in DAYS if names else ():
            query = dict(zip(names, days, strict=False))
            answer = served.ask("GET", path.removeprefix("/api"), "abe", params=query)
            assert str(answer.status_code) in methods["get"]["responses"], (path, query, answer.text)
            assert (answer.status_code == 422) == (days[0] == "0"), (path, query, answer.text)
            asked += 1
    assert asked == 20
