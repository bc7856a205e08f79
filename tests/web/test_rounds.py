"""Rounds over HTTP, from COIN IN to GAME OVER, in both systems' words and on both databases."""

import io
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from clients import open_client
from ledger.databases import DATABASES
from pitboss.jackpot.archive import verify_archive
from pitboss.jackpot.round_handlers import STEP_LABELS
from web.served import Served, cheaply, copied, said, serving, staffed

WAGERS = {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]}
STRAIGHT_FLUSH = {"seat": 3, "hand": "straight-flush", "cards": "9s 8s 7s 6s 5s"}
FLUSH = {"seat": 6, "hand": "flush"}


def pending(served: Served) -> int:
    """Enter a flush of seat 6; return its award."""
    served.do("/tables/1/rounds/1/open", "dora", WAGERS)
    return int(served.do("/tables/1/rounds/1/hits", "dora", FLUSH)["events"][0]["owed"][0]["award"])


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("words", STEP_LABELS)
def test_a_hit_from_open_to_paid_and_the_meter_reconciles_to_the_unit(
    words: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    url = DATABASES[database](tmp_path)
    with serving(url, tmp_path / "key", staffed(url, tmp_path / "key", words=words), monkeypatch) as served:
        assert served.read("/tables/1", "dora")["words"] == STEP_LABELS[words]
        opened = served.do("/tables/1/rounds/1/open", "dora", WAGERS)
        assert (opened["events"][0]["meter_units"], opened["display_cents"]) == (42 * 10_000, 1_000_042)
        hit = served.do("/tables/1/rounds/1/hits", "dora", STRAIGHT_FLUSH)
        assert hit["events"][0]["owed"][0]["meter_cents"] == 100_004
        confirmed = served.do("/awards/1/confirm", "dora", proof="sue")
        assert confirmed["events"][0]["entered_by"] == "dora"
        assert confirmed["events"][0]["by"] == "sue"
        assert "PROGRESSIVE WIN 1\namount owed     $1,000.04" in confirmed["win_page"]
        assert served.do("/awards/1/pay", "dora")["events"][0]["cents"] == 100_004
        envy = served.do("/tables/1/rounds/1/close", "dora")["events"][0]["envy"]
        assert [(each["seat"], each["cents"]) for each in envy] == [(6, 1_000), (1, 1_000)]
        books = served.read("/status", "abe")
        assert books["meter_units"] == (1_000_000 + 42 - 100_004) * 10_000
        assert (books["payable_cents"], books["held_cents"], books["last_hits"][0]["step"]) == (0, 0, "paid")
        reading = served.do("/readings", "sue", {"posted_cents": books["display_cents"]})["events"]
        assert [(each["kind"], each["computed_cents"]) for each in reading] == [("reading", 900_038)]
        assert served.ask("POST", "/verification", "abe", json={}).json()["holds"]


def test_a_key_makes_a_command_happen_once_and_the_first_answer_stands(served: Served) -> None:
    first = served.do("/tables/1/rounds/1/open", "dora", WAGERS, key="press-0001")
    again = served.do("/tables/1/rounds/1/open", "dora", WAGERS, key="press-0001")
    assert (first["repeated"], again["repeated"], again["events"]) == (False, True, first["events"])
    other = served.refused("/tables/2/rounds/1/open", "dora", WAGERS, key="press-0001")
    assert other == (409, "key 'press-0001' was used for another command: choose a new one")


def test_many_ask_at_once_and_all_are_answered(served: Served) -> None:
    served.session("sue")
    before = served.controller.refresh().entries

    def ask(number: int) -> int:
        if number % 3:
            return served.ask("GET", "/display").status_code
        return served.ask("POST", "/readings", "sue", json={"posted_cents": 1_000_000}).status_code

    with ThreadPoolExecutor(8) as crew:
        assert set(crew.map(ask, range(60))) == {200}
    assert served.controller.verify().checked_entries == before + 20


def test_a_refusal_is_a_first_answer_too(served: Served) -> None:
    early = served.refused("/tables/1/rounds/1/close", "dora", key="press-0001")
    assert early == (409, "round 1 of table 1 is not open: none has been opened")
    forbidden = served.refused("/tables/1/rounds/1/close", "eve", key="press-0002")
    assert forbidden == (403, "eve has the role executive: close is for dealer, supervisor")
    served.do("/tables/1/rounds/1/open", "dora", WAGERS)
    assert served.refused("/tables/1/rounds/1/close", "dora", key="press-0001") == early
    assert served.refused("/tables/1/rounds/1/close", "eve", key="press-0002") == forbidden


def test_the_hand_button_again_and_cancel(served: Served) -> None:
    award = pending(served)
    assert served.do("/tables/1/rounds/1/hits", "dora", FLUSH)["events"][0]["owed"] == []
    served.do("/tables/1/rounds/1/hits", "dora", FLUSH)
    assert served.do(f"/awards/{award + 1}/cancel", "dora")["events"][0]["replaced"] == [award + 1]


@pytest.mark.parametrize("typed", ["10h, 9h, 8h, 7h, 6h", "10♥ 9♥ 8♥ 7♥ 6♥", "th;9H;8h;7h;6h"])
def test_cards_are_typed_as_on_other_pages_and_kept_in_the_notation(served: Served, typed: str) -> None:
    served.do("/tables/1/rounds/1/open", "dora", WAGERS)
    straight_flush = {"seat": 3, "hand": "straight-flush"}
    entered = served.do("/tables/1/rounds/1/hits", "dora", straight_flush | {"cards": typed})
    assert entered["events"][0]["owed"][0]["cards"] == "Th 9h 8h 7h 6h"
    again = served.do("/tables/1/rounds/1/hits", "dora", straight_flush | {"cards": "Th 9h 8h 7h 6h"})
    assert again["events"][0]["owed"] == []  # the same hand again cancels it


def test_who_entered_a_hit_does_not_confirm_it_and_a_large_one_takes_an_executive(served: Served) -> None:
    served.do("/tables/1/rounds/1/open", "sue", WAGERS)
    served.do("/tables/1/rounds/1/hits", "sue", {"seat": 6, "hand": "royal-flush"})
    own = served.refused("/awards/1/confirm", "sue", proof="sue")
    assert own == (403, "sue entered award 1: somebody else must confirm it")
    served.do("/tables/1/rounds/1/hits", "sue", {"seat": 1, "hand": "straight-flush"})
    status, line = served.refused("/awards/2/confirm", "sue", proof="eve")
    assert (status, line.partition(":")[0]) == (409, "award 2 is provisional")
    status, line = served.refused("/awards/1/confirm", "sue", proof="sam")
    assert (status, line.partition(":")[2]) == (403, " awards of $10,000.00 or more need an executive")
    served.do("/awards/1/confirm", "sue", proof="eve")
    served.do("/awards/2/confirm", "sue", proof="sam")


def test_a_confirmation_asks_for_the_confirmers_own_credentials(served: Served) -> None:
    pending(served)
    wrong = {**served.proof("sue"), "password": "something else"}
    assert said(served.ask("POST", "/awards/1/confirm", "sue", json={"proof": wrong})) == (
        401,
        "name, password or code is wrong",
    )
    assert served.refused("/awards/1/confirm", "sue") == (422, "body is missing")
    assert served.refused("/awards/1/confirm", "sue", proof="dora")[0] == 403
    served.do("/awards/1/confirm", "dora", proof="sue")


def text_of(answer: Any) -> str:
    """Return the words of a PDF of one page."""
    assert answer.headers["content-type"] == "application/pdf", answer.text
    (page,) = PdfReader(io.BytesIO(answer.content)).pages
    return str(page.extract_text())


def test_the_win_page_is_a_pdf_and_a_reprint_is_marked_and_counted(served: Served) -> None:
    served.do("/tables/1/rounds/1/open", "dora", WAGERS)
    served.do("/tables/1/rounds/1/hits", "dora", STRAIGHT_FLUSH)
    served.do("/tables/1/rounds/1/hits", "dora", FLUSH)
    as_pdf = {"Accept": "application/pdf"}
    served.session("dora")
    confirmed = [
        served.ask("POST", f"/awards/{award}/confirm", "dora", headers=as_pdf, json={"proof": served.proof("sue")})
        for award in (2, 1)
    ]
    page = text_of(confirmed[1])
    for words in (
        "PROGRESSIVE WIN 1",
        "$1,000.04",
        "$10,000.420000",
        "$9,000.380000",
        "table 1, round 1, seat 3, number 2 of the round",
        "straight-flush 9s 8s 7s 6s 5s",
        "print 1 of award 1",
        f"the ledger at entry {served.controller.state.entries}",
        *("dora", "sue", "dealer", "supervisor", "winner"),
    ):
        assert words in page
    assert "REPRINT" not in page
    for number, (who, act) in enumerate((("dora", "pay"), ("sue", "reprint"), ("sue", "reprint")), 2):
        reprint = served.ask("POST", f"/awards/1/{act}", who, headers=as_pdf)
        purpose = "PRINTED AT ITS PAYMENT" if act == "pay" else "NOT FOR PAYMENT"
        assert f"REPRINT, print {number} of award 1: {purpose}" in text_of(reprint)
        assert reprint.headers["content-disposition"] == 'attachment; filename="win-1-reprint.pdf"'
    assert "REPRINT, print 5 of award 1" in served.do("/awards/1/reprint", "sue")["win_page"]
    assert served.do("/awards/2/pay", "dora")["win_page"] == ""
    assert [served.controller.refresh().hits[award].copies for award in (1, 2)] == [4, 0]


REFUSED: dict[str, tuple[int, str, Any]] = {
    "unknown seat 9: seats are 1 to 6": (409, "/tables/2/rounds/1/open", {"wagers": [{"seat": 9, "cents": 100}]}),
    "seat 1 wagers $0.50: the wager is $1.00": (409, "/tables/2/rounds/1/open", {"wagers": [{"seat": 1, "cents": 50}]}),
    "round 7 of table 2 cannot be opened: the next one is 1": (409, "/tables/2/rounds/7/open", WAGERS),
    "seat 2 has no progressive wager in round 1: it wins nothing": (
        *(409, "/tables/1/rounds/1/hits"),
        {"seat": 2, "hand": "flush"},
    ),
    "'two-pair' pays nothing: ": (409, "/tables/1/rounds/1/hits", {"seat": 1, "hand": "two-pair"}),
    "award 1 is confirmed by sue: nothing is left to confirm": (409, "/awards/1/confirm", {}),
    "unknown award 9: the last one is 1": (409, "/awards/9/pay", None),
    "the meter has $10,000.42 beyond what is owed: it cannot be lowered by $20,000.00": (
        *(409, "/adjustments"),
        {"account": "meter", "cents": -2_000_000, "reason": "malfunction", "text": "as counted"},
    ),
    "settings: meter_bps and reserve_bps are more than the wager": (
        *(409, "/settings"),
        {"changes": {"meter_bps": 10_000}, "text": "all of it"},
    ),
    "wagers 1 cents: 'x' is not a whole number": (
        422,
        "/tables/2/rounds/1/open",
        {"wagers": [{"seat": 1, "cents": "x"}]},
    ),
    "wagers 1 cents: True is not a whole number": (
        *(422, "/tables/2/rounds/1/open"),
        {"wagers": [{"seat": 1, "cents": True}]},
    ),
    "tip is not known here: remove it or correct its name": (422, "/tables/2/rounds/1/open", {**WAGERS, "tip": 5}),
    "cards: 'AA' has the wrong format": (422, "/tables/1/rounds/1/hits", {"seat": 1, "hand": "flush", "cards": "AA"}),
    "table: 0 is too small: write at least 1": (422, "/tables/0/rounds/1/open", WAGERS),
}


def test_bad_input_is_one_clear_line_and_changes_nothing(served: Served) -> None:
    pending(served)
    served.do("/awards/1/confirm", "dora", proof="sue")
    served.session("sue")
    before = served.read("/status", "abe")
    for message, (status, path, body) in REFUSED.items():
        found, line = served.refused(path, "sue", body, proof="sam" if "confirm" in path else "")
        assert (found, message in line) == (status, True), (message, line)
    assert served.read("/status", "abe") == before


def test_a_command_without_a_key_is_refused(served: Served) -> None:
    headers = {"Authorization": f"Bearer {served.session('dora')}"}
    answer = served.client.post("/api/tables/1/rounds/1/open", json=WAGERS, headers=headers)
    assert said(answer) == (422, "Idempotency-Key is missing")


def test_adjustments_settings_and_incidents_take_two_people(served: Served) -> None:
    change = {"account": "meter", "cents": -1_250, "reason": "malfunction", "text": "sensor counted twice"}
    served.do("/adjustments", "sue", change)
    assert served.refused("/requests/7/approve", "sue", proof="sue")[0] == 403
    assert served.do("/requests/7/approve", "sue", proof="eve")["display_cents"] == 998_750
    asked = served.do("/settings", "eve", {"changes": {"reserve_bps": 0, "words": "display"}, "text": "as agreed"})
    assert [each[0] for each in asked["advice"]] == ["no-reserve"]
    own = served.refused("/requests/8/approve", "eve", proof="eve")
    assert own == (403, "eve made request 8: somebody else must approve it")
    assert served.do("/requests/8/approve", "eve", proof="max")["events"][0]["version"] == 2
    assert served.read("/settings", "abe")["words"] == "display"
    served.do("/incidents", "sue", {"text": "sensor broken", "table": 2})
    closed = served.refused("/tables/2/rounds/1/open", "dora", WAGERS)
    assert closed == (409, "table 2 is closed by incident 1 (sensor broken): two people must close it")
    assert served.read("/tables/2", "dora")["incidents"] == [1]
    for proof in ("sue", "max"):
        served.do("/incidents/1/sign", "sue", {"text": "sensor replaced"}, proof=proof)
    award = pending(served)
    served.do(f"/awards/{award}/confirm", "dora", proof="sue")
    served.do(f"/awards/{award}/back-out", "sue", {"text": "misread hand"})
    served.do("/requests/9/approve", "sue", proof="max")
    served.do("/adjustments", "sue", {**change, "cents": 500})
    declined = served.do("/requests/10/decline", "sue", {"text": "no gifts"}, proof="sue")
    assert declined["events"][0]["kind"] == "declined"
    falls = served.read("/daily", "abe")["falls"]
    assert [fall["why"] for fall in falls] == ["malfunction: sensor counted twice (sue, eve)"]


def test_the_ledger_is_exported_and_checked_against_a_head_that_was_kept(served: Served) -> None:
    pending(served)
    head = served.ask("GET", "/export?format=head", "abe").text
    assert (
        served.ask("POST", "/verification", "abe", json={"head": head}).json()["entries"]
        == served.controller.state.entries
    )
    wrong = said(served.ask("POST", "/verification", "abe", json={"head": "{}"}))
    assert wrong == (409, "this is not an exported head: pitboss jackpot export --format head writes one")
    lines = served.ask("GET", "/export", "abe").text.splitlines()
    assert lines[0] == "entry,at,actor,kind,table,round,award,account,purpose,units,meter_units,reserve_units,hash"
    assert sum(int(line.split(",")[9] or 0) for line in lines[1:]) == 0
    journal = served.ask("GET", "/export?format=journal", "abe")
    assert "    liabilities:meter:contribution    -0.420000 USD  ; table:1, round:1\n" in journal.text


def agreed(served: Served, path: str, body: Any = None, first: str = "sue", second: str = "eve") -> str:
    """Have two people change an account; return the whole code that they hand over."""
    asked = served.do(path, first, body, proof=first)
    approved = served.do(f"/requests/{asked['events'][0]['request']}/approve", second, proof=second)
    return str(asked.get("half_code", "")) + str(approved["half_code"])


def test_days_are_reported_exported_and_archived(served: Served, tmp_path: Path) -> None:
    pending(served)
    today = datetime.now(UTC).date()
    yesterday = today - timedelta(days=1)
    days = served.read(f"/days?from={yesterday}&to={today}", "abe")
    assert [each["day"] for each in days["days"]] == [str(yesterday), str(today)]
    assert days["total"]["reconciles"]
    assert days["total"]["closing_units"] == served.read("/status", "abe")["meter_units"]
    assert said(served.ask("GET", f"/days?from={today}&to={yesterday}", "abe"))[0] == 409
    assert said(served.ask("GET", f"/archive?from={today}&to={yesterday}", "abe"))[0] == 409
    lines = served.ask("GET", f"/export?from={yesterday}&to={today}", "abe").text
    assert lines == served.ask("GET", "/export", "abe").text
    path = tmp_path / "days.jsonl"
    path.write_bytes(served.ask("GET", f"/archive?from={yesterday}&to={today}", "abe").content)
    assert verify_archive(path, served.signer.public_key)["hash"] == served.controller.head.hash


def test_the_page_of_a_day_lists_what_changed_the_meter_entry_by_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as served:
        for cents, reason in ((-1_250, "malfunction"), (300, "house-funds"), (-40, "malfunction")):
            change = {"account": "meter", "cents": cents, "reason": reason, "text": "sensor <counted> twice"}
            asked = served.do("/adjustments", "sue", change)
            served.do(f"/requests/{asked['events'][0]['request']}/approve", "eve", proof="eve")
        day = served.read("/daily", "abe")
        with open_client(served.address) as web:
            assert web.post("/api/session", json={**served.proof("abe"), "cookie": True}).status_code == 201
            page = web.get("/progressive/console/day").text
    changes = [(each["entry"], each["why"]) for each in (*day["falls"], *day["rises"])]
    rows = page.partition("Changes to the meter")[2].partition("</table>")[0]
    found = re.findall(r"<tr[^>]*><t[dh][^>]*>(\d+)</t[dh]>.*<td[^>]*>([^<]*)</td></tr>", rows)
    assert [(int(entry), unescape(why)) for entry, why in found] == sorted(changes)
    assert sorted(changes) != changes


def test_staff_come_and_go(served: Served) -> None:
    new = {"name": "ann", "role": "dealer"}
    asked, again = (served.do("/staff", "sue", new, proof="sue", key="add-ann-1") for _ in range(2))
    assert (again["repeated"], again["half_code"]) == (True, asked["half_code"])
    approve = f"/requests/{asked['events'][0]['request']}/approve"
    approved, again = (served.do(approve, "eve", proof="eve", key="approve-ann-1") for _ in range(2))
    assert (again["repeated"], again["half_code"]) == (True, approved["half_code"])
    form = {"name": "ann", "code": asked["half_code"] + approved["half_code"], "password": "a good long one"}
    for half in (asked["half_code"], approved["half_code"]):
        alone = said(served.ask("POST", "/enrolment", json={**form, "code": half}))
        assert alone == (401, "this code is not valid for that name, or was used already")
    enrolled = served.ask("POST", "/enrolment", json=form)
    assert (enrolled.status_code, enrolled.json()) == (201, {"name": "ann", "totp": ""})
    again = said(served.ask("POST", "/enrolment", json=form))
    assert again == (401, "this code is not valid for that name, or was used already")
    assert agreed(served, "/staff/ann/reset") != form["code"]
    assert agreed(served, "/staff/ann/end") == ""
    assert served.read("/staff", "abe")["ann"] == {"role": "dealer", "active": False, "enrolled": False}
    assert served.refused("/staff/ann/reset", "sue", proof="sue") == (409, "ann has no role here")


def test_nobody_sees_both_halves_on_one_screen(served: Served) -> None:
    new = {"name": "ann", "role": "dealer"}
    elsewhere = (403, "this is eve's session: log in yourself, because only you may see what comes next")
    assert served.refused("/staff", "eve", new, proof="sue") == elsewhere
    asked = served.do("/staff", "sue", new, proof="sue")
    approve = f"/requests/{asked['events'][0]['request']}/approve"
    assert served.refused(approve, "max", proof="eve")[0] == 403
    first = served.do(approve, "eve", proof="eve", key="approve-ann-1")
    again = served.do(approve, "max", proof="eve", key="approve-ann-1")
    assert (again["repeated"], again["events"], again["half_code"]) == (True, first["events"], "")
    assert first["half_code"]


@pytest.mark.more
def test_a_person_changes_their_own_password_and_authenticator(served: Served) -> None:
    new = {"password": "another horse, a better one"}
    other = served.refused("/password", "sue", new, proof="sam")
    assert other == (403, "this is sue's session: log in yourself, because only you may see what comes next")
    served.session("sue")
    assert served.ask("POST", "/password", "sue", json={**new, "proof": served.proof("sue")}).status_code == 204
    assert said(served.ask("GET", "/session", "sue"))[0] == 401  # her sessions ended
    assert said(served.client.post("/api/session", json=served.proof("sue")))[0] == 401
    login = {**served.proof("sue"), **new}
    served.sessions["sue"] = served.client.post("/api/session", json=login).json()["session"]
    changed = served.ask("POST", "/authenticator", "sue", json={"proof": {**served.proof("sue"), **new}}).json()
    assert changed["totp"] != served.secrets["sue"]
    served.secrets["sue"] = changed["totp"]
    assert served.client.post("/api/session", json={**served.proof("sue"), **new}).status_code == 201
    assert served.refused("/authenticator", "dora", proof="dora") == (
        409,
        "dora has the role dealer, which needs no authenticator",
    )


def test_a_table_is_read_for_its_consoles(served: Served) -> None:
    assert served.read("/tables/2", "dora")["round"] == 0
    pending(served)
    table = served.read("/tables/1", "dora")
    assert (table["round"], table["open"], table["hits"][0]["step"]) == (1, True, "pending")
    assert table["wagers"][0] == {"seat": 1, "cents": 100}
    assert said(served.ask("GET", "/tables/3", "dora")) == (404, "unknown table 3: tables are 1 to 2")
