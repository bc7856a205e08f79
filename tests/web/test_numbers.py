"""Numbers from outside: no page, form or operation fails at one that is none, whatever letters it is written in."""

import re

import httpx
import pytest

from pitboss.core.errors import PitbossError
from pitboss.core.money import parse_cents
from pitboss.core.numbers import parse_integer
from pitboss.paytable_document import parse_amount
from web.examples import operations
from web.inside import asked
from web.served import said
from web.visits import Visit, fields_of, page_routes

BAD = {
    "huge": "99999999999999999999",
    "digits": "9" * 500,
    "full width": "\uff11\uff12",
    "arabic": "\u0663",
    "superscript": "\u00b2",
    "underscored": "1_0",
    "signed": "+1",
    "fraction": "1.0",
    "space": " 1",
    "negative": "-1",
    "half a letter": "%ED%A0%80",
    "nothing": "",
}


def test_whole_numbers_and_money_are_read_in_ascii_digits_alone() -> None:
    assert parse_integer("6", 1, 6) == 6
    for name, text in {**BAD, "digits": "9" * 5_000}.items():
        with pytest.raises(PitbossError) as refused:
            parse_integer(text, 1, 6, "seat")
        assert len(str(refused.value)) < 200, name
        if name not in {"fraction", "space"}:
            with pytest.raises(PitbossError) as refused:
                parse_cents(text)
            assert len(str(refused.value)) < 200, name
    for text in ("\uff11", "\u0661:\u0662", "1:\uff12", "\u00b2"):
        with pytest.raises(ValueError, match="is not a pay"):
            parse_amount(text)


@pytest.mark.more
@pytest.mark.parametrize("one_of", [len(BAD), pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", BAD)
def test_no_page_and_no_form_fails_at_a_number_that_is_none(name: str, one_of: int, visit: Visit) -> None:
    """Each request is sent with one of so many of the numbers."""
    bad, tried = BAD[name], 0
    table = f"/tables/{visit.table}"
    requests: list[tuple[str, str, dict[str, str] | None]] = []
    for method, path in sorted(page_routes(visit.served)):
        if method == "HEAD":
            continue  # as GET
        address = visit.address(path)
        query, form = fields_of(visit, method, path)
        for part in re.findall(r"{(\w+)(?::path)?}", path):
            odd = re.sub(rf"{{{part}(:path)?}}", bad.replace("/", ""), path)
            requests.append((method, visit.address(odd), {} if method == "POST" else None))  # the other parts exist
        # What is known of Six Card Poker is drawn in a moment, and its other fields are read as well.
        page = address.replace("?game=none", "?game=six-card")
        begun = f"{page}&" if "?" in page else f"{page}?"  # of a field that comes twice the last one counts
        requests += [(method, f"{begun}{field}={bad}", None) for field in query]
        requests += [("POST", address, {field: bad}) for field in form]
    stakes = ("stake-main", "stake-super", f"stake-super@{bad}", f"stake-{bad}")
    requests += [("POST", f"{table}/wager", {"key": "k" * 8, "round": "2", field: bad or "5"}) for field in stakes]
    requests += [("POST", "/open/six-card", {field: bad}) for field in ("seats", "least-main", "dollars", "bots")]

    async def ask(web: httpx.AsyncClient) -> None:
        nonlocal tried
        web.cookies = visit.web.cookies
        for method, path, form in requests[list(BAD).index(name) % one_of :: one_of]:
            if path.endswith("/events") or (path.partition("?")[0].endswith("/events") and not bad):
                continue  # what goes on for ever
            data = None if form is None else {"csrf": visit.csrf, **form}
            answer = await web.request(method, path, data=data, headers={"Accept": "application/json"})
            tried += 1
            assert answer.status_code < 500, (method, path[:80], form, answer.text)
            for header in ("Content-Security-Policy", "X-Content-Type-Options", "Cache-Control"):
                assert answer.headers.get(header), (path, header)
            if answer.headers.get("content-type") == "application/problem+json":
                assert re.fullmatch(r"(?!.*\d{41}).{1,399}", said(answer)[1]), path

    asked(visit.served.app, ask, ("127.0.0.1", 4711))
    assert tried > 60 // one_of


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", BAD)
def test_no_operation_fails_at_a_number_that_is_none(name: str, visit: Visit) -> None:
    served, bad, tried = visit.served, BAD[name], 0
    session = served.session("eve")

    async def ask(web: httpx.AsyncClient) -> None:
        nonlocal tried
        headers = {"Authorization": f"Bearer {session}", "Idempotency-Key": "number-0001"}
        for each in operations(served.app):
            if each.path.endswith("/session") or each.path.endswith("/export"):
                continue
            path = re.sub(r"/1(?=/|$)", f"/{bad or '-'}", each.path)
            bodies = [{**each.body, field: bad} for field in each.body] if isinstance(each.body, dict) else [each.body]
            for body in bodies if path == each.path else [each.body]:
                if path == each.path and body is None:
                    continue
                if path.endswith("/events") and path == each.path:
                    continue
                answer = await web.request(each.method, path, json=body, headers=headers)
                tried += 1
                assert answer.status_code < 500, (each.name, path[:80], body, answer.text)
                if answer.headers.get("content-type") == "application/problem+json":
                    assert re.fullmatch(r"(?!.*\d{41}).{1,399}", said(answer)[1]), path
            query = f"{each.path}?seconds={bad}&after={bad}&format={bad}&day={bad}"
            if each.method == "GET" and not (each.path.endswith("/events") and not bad):
                seen = [(b"Last-Event-ID", bad.encode()), *((k.encode(), v.encode()) for k, v in headers.items())]
                answer = await web.get(query, headers=seen)
                tried += 1
                assert answer.status_code < 500, (each.name, answer.text)

    asked(served.app, ask, ("127.0.0.1", 4711))
    assert tried > 30
