"""``pitboss jackpot`` from init to the day's reading, and what it refuses in one line."""

import io
import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pyotp
import pytest
from argon2 import PasswordHasher
from pypdf import PdfReader

from jackpot.house import settings
from ledger.databases import postgresql
from monitored import load_known_bet
from pitboss.cli.app import run
from pitboss.cli.jackpot_admin import compute_hand_probabilities
from pitboss.core.extras import write_install_hint
from pitboss.core.money import format_cents
from pitboss.jackpot.commands import OpenRound
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.ruin import estimate_ruin_probability
from pitboss.jackpot.settings import Settings
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

CHOSEN = "correct horse battery"
FIRST_CODES = ("nine herons over the lake", "a kettle, two spoons, one lid")


class Said(NamedTuple):
    """How a command ended and what it wrote."""

    status: int
    out: str
    err: str


class House:
    """A ledger driven by command lines; every command that asks for a code is given a new one."""

    def __init__(self, folder: Path, capsys: Any, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.patch = folder, capsys, patch
        self.seconds = 1_800_000_000
        self.secrets: dict[str, str] = {}
        patch.chdir(folder)
        patch.setenv("PITBOSS_PASSWORD", CHOSEN)
        patch.setenv("PITBOSS_CODE", "")
        patch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(CredentialStore, "_get_seconds", lambda _staff: self.seconds)

    def run(self, *arguments: object, name: str = "") -> Said:
        """Run a command line, as somebody."""
        words = ["jackpot", *map(str, arguments)]
        if name:
            self.seconds += CODE_SECONDS
            code = pyotp.TOTP(self.secrets[name]).at(self.seconds) if self.secrets.get(name) else ""
            self.patch.setenv("PITBOSS_CODE", code)
            words += ["--as", name]
        status = run(words)
        written = self.capsys.readouterr()
        return Said(status, written.out, written.err)

    def json(self, *arguments: object, name: str = "") -> Any:
        """Run a command that must succeed, and return its JSON."""
        said = self.run(*arguments, "--json", name=name)
        assert (said.status, said.err) == (0, ""), said
        return json.loads(said.out)

    def choose_codes(self) -> None:
        """Choose the codes that the first two executives enrol with."""
        for number, code in enumerate(FIRST_CODES, 1):
            self.patch.setenv(f"PITBOSS_FIRST_CODE_{number}", code)

    def founded(self, *more: str) -> None:
        """Set a progressive up with two executives, who enrol with the codes that they chose."""
        self.choose_codes()
        self.json("init", "--executive", "eve", "--executive", "max", *more)
        for name, code in zip(("eve", "max"), FIRST_CODES, strict=True):
            self.enrolled(name, code)

    def enrolled(self, name: str, code: str) -> None:
        """Choose a password."""
        self.patch.setenv("PITBOSS_ENROLMENT_CODE", code)
        self.secrets[name] = self.json("staff", "enrol", name)["totp"]

    def agreed(self, *words: str, first: str, second: str) -> str:
        """Have two people change an account; return the whole code that they hand over."""
        asked = self.json("staff", *words, name=first)
        approved = self.json("approve", asked["events"][0]["request"], name=second)
        return str(asked.get("half_code", "")) + str(approved.get("half_code", ""))


class Template(NamedTuple):
    """A house as it was made once, to be copied for each test."""

    folder: Path
    seconds: int
    secrets: dict[str, str]


_templates: list[Template] = []


@pytest.fixture
def house(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any
) -> House:
    """A progressive of two tables with two executives, a supervisor, a dealer and an auditor."""
    made = House(tmp_path, capsys, monkeypatch)
    if not _templates:
        made.founded("--set", "tables=2", "--set", "staff_apart_hours=0")
        made.enrolled("sue", made.agreed("add", "sue", "supervisor", first="eve", second="max"))
        for name, role in (("dora", "dealer"), ("abe", "auditor")):
            made.enrolled(name, made.agreed("add", name, role, first="sue", second="eve"))
        folder = shutil.copytree(tmp_path, tmp_path_factory.mktemp("house"), dirs_exist_ok=True)
        _templates.append(Template(folder, made.seconds, dict(made.secrets)))
    (template,) = _templates
    shutil.copytree(template.folder, tmp_path, dirs_exist_ok=True)
    made.choose_codes()
    monkeypatch.delenv("PITBOSS_ENROLMENT_CODE", raising=False)
    made.seconds, made.secrets = template.seconds, dict(template.secrets)
    return made


@pytest.mark.more
def test_monitoring_reads_the_ledger_as_a_member_of_staff(house: House) -> None:
    house.json("open", 1, "--seats", "1,3", name="dora")
    house.json("hit", 1, 3, "flush", name="dora")
    house.json("confirm", 1, name="sue")
    house.json("close", 1, name="dora")
    house.patch.setattr("pitboss.cli.monitor.prepare_bet", lambda game, wager, *_: load_known_bet(game.id, wager.id))
    words = ["monitor", "six-card", "--bet", "progressive", "--ledger", "jackpot.db"]
    assert run(words) == 2
    assert "say who you are with --as NAME" in house.capsys.readouterr().err
    assert run([*words, "--as", "abe", "--json"]) == 0
    (table,) = json.loads(house.capsys.readouterr().out)["tables"]
    hits = {line["line"]: line["hits"] for line in table["lines"]}
    assert (table["table"], table["rounds"], table["staked_cents"], table["return_test"]) == ("1", 2, 200, None)
    assert {name for name, number in hits.items() if number} == {"flush"}


def test_a_round_end_to_end_and_the_meter_reconciles_to_the_unit(house: House) -> None:
    house.json("open", 1, "--seats", "1,3", name="dora")
    hit = house.json("hit", 1, 3, "straight-flush", "--cards", "9s 8s 7s 6s 5s", name="dora")
    assert hit["events"][0]["owed"][0]["meter_cents"] == 100_002
    refused = house.run("confirm", 1, name="dora")
    assert refused == (2, "", "pitboss: dora has the role dealer: confirm is for supervisor, executive\n")
    confirmed = house.run("confirm", 1, name="sue")
    assert "confirmed by sue: award 1, $1,000.02, entered by dora" in confirmed.out
    assert "PROGRESSIVE WIN 1\namount owed     $1,000.02" in confirmed.out
    assert house.json("pay", 1, name="dora")["events"][0]["cents"] == 100_002
    assert house.json("close", 1, name="dora")["events"][0]["envy"][0] == {
        "seat": 1,
        "hitter": 3,
        "hand": "straight-flush",
        "cents": 1_000,
    }
    books = house.json("status", name="abe")
    assert books["meter_units"] == (1_000_000 + 28 - 100_002) * 10_000
    assert books["counts"]["in_cents"] == 200
    assert books["last_hits"][0]["step"] == "paid"
    posted = house.json("reconcile", "--posted", "9000.26", name="sue")
    assert (posted["events"][0]["computed_cents"], posted["display_cents"]) == (900_026, 900_026)
    assert house.json("verify", name="abe")["holds"]


@pytest.mark.more
def test_what_is_approved_is_shown_before_a_password_is_asked_for(house: House) -> None:
    """Whoever approves at the command line is told what, not its number alone."""
    house.json("open", 1, "--seats", "1,3", name="dora")
    house.json("hit", 1, 3, "straight-flush", name="dora")
    house.json("confirm", 1, name="sue")
    house.json("adjust", "meter", "--down", "12.50", "--reason", "malfunction", "--text", "counted twice", name="sue")
    house.json("back-out", 1, "--text", "misread hand", name="sue")
    house.json("configure", "--set", "limit_cents=5000000", "--text", "as agreed", name="sue")
    house.json("staff", "add", "zoe", "auditor", name="sue")
    shown = {
        4: "account meter, amount -$12.50, reason malfunction, explanation counted twice",
        5: "award 1, hand straight flush, place table 1, round 1, seat 3, owed $1,000.02, "
        "step confirmed, dora, sue, explanation misread hand",
        6: "limit_cents none to $50,000.00, explanation as agreed",
        7: "change new account, person zoe, role auditor, requested as supervisor",
    }
    house.patch.setenv("PITBOSS_PASSWORD", "not hers")
    for number, line in shown.items():
        said = house.run("approve", number, name="eve")
        assert (said.status, said.out) == (2, f"request {number} by sue: {line}\n")
    house.patch.setenv("PITBOSS_PASSWORD", CHOSEN)
    for number, line in shown.items():
        assert f"request {number} by sue: {line}\n" in house.run("status", name="abe").out
    assert house.run("approve", 4, "--json", name="eve").out.startswith("{")


NUMBERED = (
    ("open NUMBER --seats 1", "dora"),
    ("open 1 --round NUMBER --seats 1", "dora"),
    ("open 1 --seats NUMBER", "dora"),
    ("hit NUMBER 1 flush", "dora"),
    ("hit 1 NUMBER flush", "dora"),
    ("cancel NUMBER", "dora"),
    ("confirm NUMBER", "sue"),
    ("pay NUMBER", "dora"),
    ("close NUMBER", "dora"),
    ("reprint NUMBER", "sue"),
    ("approve NUMBER", "eve"),
    ("back-out NUMBER --text misread", "sue"),
    ("adjust meter --up 1 --reason malfunction --award NUMBER --text misread", "sue"),
    ("adjust meter --up NUMBER --reason malfunction --text misread", "sue"),
    ("reconcile --posted NUMBER", "sue"),
    ("incident open --table NUMBER --text misread", "sue"),
    ("incident close NUMBER --text misread", "sue"),
    ("keys revoke NUMBER", "eve"),
    ("status --before NUMBER", "abe"),
    ("daily --hour NUMBER", "abe"),
)


@pytest.mark.more
def test_a_number_that_is_too_large_is_refused_in_one_line_or_bounds_nothing(house: House) -> None:
    for words, name in NUMBERED:
        for number in (2**63, 10**30):
            said = house.run(*words.replace("NUMBER", str(number)).split(), name=name)
            if words.startswith("status"):
                assert (said.status, said.err) == (0, "")
                continue
            assert said.status == 2, words
            assert said.err.startswith("pitboss: "), said
            assert said.err.count("\n") == 1, said


@pytest.mark.more
def test_two_people_for_adjustments_settings_and_incidents(house: House) -> None:
    house.json(
        "adjust", "meter", "--down", "12.50", "--reason", "malfunction", "--text", "sensor counted twice", name="sue"
    )
    assert house.run("approve", 4, name="sue").err == "pitboss: sue has the role supervisor: approve is for executive\n"
    assert house.json("approve", 4, name="eve")["display_cents"] == 998_750
    asked = house.run("configure", "--set", "reserve_bps=0", "--text", "as agreed", name="eve")
    assert asked.err.startswith("advice no-reserve: nothing goes to the reserve")
    assert house.run("approve", 5, name="eve").err == ("pitboss: eve made request 5: somebody else must approve it\n")
    assert house.json("approve", 5, name="max")["events"][0]["version"] == 2
    house.json("incident", "open", "--text", "sensor broken", "--table", 2, name="sue")
    assert "closed by incident 1 (sensor broken)" in house.run("open", 2, "--seats", 1, name="dora").err
    house.json("incident", "close", 1, "--text", "sensor replaced", name="sue")
    house.json("incident", "close", 1, "--text", "sensor replaced", name="max")
    house.json("open", 2, "--wager", "4=1.00", name="dora")
    house.json("hit", 2, 4, "royal-flush", name="dora")
    house.json("confirm", 1, name="eve")
    house.json("back-out", 1, "--text", "misread hand", name="sue")
    backed = house.json("approve", 6, name="max")
    assert backed["display_cents"] == 998_764
    house.json("adjust", "meter", "--up", "5", "--reason", "house-funds", "--text", "gift", name="sue")
    assert house.json("approve", 7, "--decline", "no gifts", name="sue")["events"][0]["kind"] == "declined"
    falls = house.json("daily", name="abe")["falls"]
    assert [fall["why"] for fall in falls] == [
        "malfunction: sensor counted twice (sue, eve)",
        "award 1 table 2 seat 4 royal flush $9,987.64 entered, by dora",
        "award 1 backed out: misread hand (sue, max)",  # the seed that had taken its place goes back too
    ]


def test_a_key_makes_a_command_happen_once(house: House) -> None:
    first = house.json("open", 1, "--round", 1, "--seats", "2", "--key", "press-0001", name="dora")
    again = house.json("open", 1, "--round", 1, "--seats", "2", "--key", "press-0001", name="dora")
    assert (first["repeated"], again["repeated"], again["events"]) == (False, True, first["events"])
    said = house.run("open", 1, "--round", 1, "--seats", "2", "--key", "press-0001", name="dora")
    assert said.out.startswith("repeated: this was done before")


def test_the_hand_button_again_and_cancel(house: House) -> None:
    house.json("open", 1, "--seats", "2,5", name="dora")
    house.json("hit", 1, 2, "flush", name="dora")
    assert house.json("hit", 1, 2, "flush", name="dora")["events"][0]["owed"] == []
    house.json("hit", 1, 5, "flush", name="dora")
    assert house.run("cancel", 2, name="dora").out.startswith(
        "cancelled by dora: table 1 round 1: award 2 seat 5 flush $15.00\n"
    )


def test_win_pages_are_reprinted_with_a_mark(house: House) -> None:
    house.json("open", 1, "--seats", "2", name="dora")
    house.json("hit", 1, 2, "flush", name="dora")
    house.json("confirm", 1, name="sue")
    for number in (2, 3):
        assert f"REPRINT, print {number} of award 1: NOT FOR PAYMENT" in house.run("reprint", 1, name="sue").out


def test_a_session_serves_until_a_confirmation_asks_again(house: House) -> None:
    house.patch.setenv("PITBOSS_CODE", house_code(house, "sue"))
    token = house.run("staff", "login", "sue").out.strip()
    house.patch.setenv("PITBOSS_SESSION", token)
    house.json("open", 1, "--seats", "2")
    house.json("hit", 1, 2, "flush")
    assert house.run("confirm", 1).err == ("pitboss: this needs your password again: say who you are with --as NAME\n")
    assert house.run("confirm", 1, name="sue").err == "pitboss: sue entered award 1: somebody else must confirm it\n"
    assert house.run("status").out.startswith("display $10,000.14\ntable 1: round 1 open\nmeter           $")
    assert house.run("staff", "logout").status == 0
    assert house.run("status").err == "pitboss: this session has ended: log in again\n"


def house_code(house: House, name: str) -> str:
    """Return a code that was not used yet."""
    house.seconds += CODE_SECONDS
    return pyotp.TOTP(house.secrets[name]).at(house.seconds)


def test_anybody_reads_the_display_and_only_readers_the_books(house: House) -> None:
    assert house.json("status") == {"display_cents": 1_000_000, "jackpot_pending": False, "rounds": {}}
    for words in (("status",), ("settings",), ("verify",), ("export",), ("daily",), ("staff", "list")):
        assert house.run(*words, name="dora").err == (
            "pitboss: dora has the role dealer: read-ledger is for supervisor, executive, auditor\n"
        )
    assert "eve   executive" in house.run("staff", "list", name="abe").out
    assert house.run("open", 1, "--seats", "1").err.startswith("pitboss: say who you are with --as NAME")
    assert house.run("open", 1, "--seats", "1", name="abe").err == (
        "pitboss: abe has the role auditor: open is for dealer, supervisor\n"
    )


def test_staff_come_and_go(house: House) -> None:
    assert house.agreed("end", "dora", first="sue", second="max") == ""
    assert house.run("open", 1, "--seats", "1", name="dora").err == "pitboss: name, password or code is wrong\n"
    assert house.run("staff", "reset", "dora", name="sue").err == "pitboss: dora has no role here\n"
    code = house.agreed("reset", "sue", first="eve", second="max")
    assert ", invited" in house.run("staff", "list", name="abe").out
    house.enrolled("sue", code)
    assert house.json("staff", "list", name="sue")["dora"] == {"role": "dealer", "active": False, "enrolled": False}
    assert house.run("staff", "reset", "sue", name="sue").status == 2


def test_both_halves_of_a_code_are_answered_again_and_neither_opens_anything_alone(house: House) -> None:
    words = ("staff", "add", "dan", "dealer", "--key", "add-dan-1")
    asked, again = house.json(*words, name="sue"), house.json(*words, name="sue")
    assert (asked["half_code"], again["repeated"]) == (again["half_code"], True)
    request = asked["events"][0]["request"]
    approved = house.json("approve", request, "--key", "approve-dan", name="eve")
    assert approved["half_code"] == house.json("approve", request, "--key", "approve-dan", name="eve")["half_code"]
    assert approved["half_code"] != asked["half_code"]
    for code in (asked["half_code"], approved["half_code"], approved["half_code"] + asked["half_code"]):
        house.patch.setenv("PITBOSS_ENROLMENT_CODE", code)
        refused = house.run("staff", "enrol", "dan")
        assert refused.err == "pitboss: this code is not valid for that name, or was used already\n"
    house.enrolled("dan", asked["half_code"] + approved["half_code"])


def test_a_person_changes_their_own_password_and_authenticator(house: House) -> None:
    house.patch.setenv("PITBOSS_NEW_PASSWORD", "short")
    assert "at least 12 characters" in house.run("staff", "password", name="sue").err
    house.patch.setenv("PITBOSS_NEW_PASSWORD", "another horse, a better one")
    assert house.run("staff", "password", name="sue").out == "sue has a new password\n"
    assert house.run("reconcile", "--posted", "10000", name="sue").err == "pitboss: name, password or code is wrong\n"
    house.patch.setenv("PITBOSS_PASSWORD", "another horse, a better one")
    changed = house.json("staff", "authenticator", name="sue")
    assert house.run("reconcile", "--posted", "10000", name="sue").status == 2
    house.secrets["sue"] = changed["totp"]
    house.json("reconcile", "--posted", "10000", name="sue")
    house.patch.setenv("PITBOSS_PASSWORD", CHOSEN)
    assert (
        house.run("staff", "authenticator", name="dora").err
        == "pitboss: dora has the role dealer, which needs no authenticator\n"
    )
    kinds = [line.split(",")[3] for line in house.run("export", name="abe").out.splitlines()]
    assert kinds.count("credential-changed") == 2
    assert kinds.count("proof-failed") == 2


def test_a_ledger_begins_with_two_executives_and_a_code_of_each_ones_own(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, capsys, monkeypatch)
    for names in (("eve",), ("eve", "eve")):
        said = house.run("init", *(word for name in names for word in ("--executive", name)))
        assert "no single person may be in charge" in said.err
    two = ("init", "--executive", "eve", "--executive", "max")
    for codes, why in (
        ((FIRST_CODES[0], FIRST_CODES[0]), "two executives chose the same code: each needs their own"),
        ((FIRST_CODES[0], "password1234"), "choose a first-run code for max that is harder to guess"),
        ((FIRST_CODES[0], "max chose this one"), "without your name"),
    ):
        for number, code in enumerate(codes, 1):
            monkeypatch.setenv(f"PITBOSS_FIRST_CODE_{number}", code)
        assert why in house.run(*two, "--ledger", f"{len(why)}.db").err
    house.founded()
    house.patch.setenv("PITBOSS_ENROLMENT_CODE", FIRST_CODES[1])
    assert house.run("staff", "enrol", "max").status == 2
    alone = house.json("staff", "add", "zoe", "executive", name="eve")
    assert house.run("approve", alone["events"][0]["request"], name="eve").err == (
        "pitboss: eve made request 1: somebody else must approve it\n"
    )


@pytest.mark.more
def test_keys_are_rotated_and_revoked_and_the_ledger_goes_on(house: House) -> None:
    house.run("export", "--format", "head", "--output", "head.json", name="abe")
    assert (
        house.run("keys", "rotate", name="sue").err == "pitboss: sue has the role supervisor: keys is for executive\n"
    )
    rotated = house.run("keys", "rotate", name="eve").out
    assert rotated == "key version 2 is active: keep a new copy of the key file elsewhere\n"
    assert [each["state"] for each in house.json("keys", "list", name="abe")] == ["retired", "active"]
    house.json("reconcile", "--posted", "10000", name="sue")  # her authenticator opens with the new key
    assert house.json("verify", "--head", "head.json", name="abe")["holds"]
    assert house.run("keys", "revoke", 2, name="eve").err == "pitboss: key version 2 is active: rotate first\n"
    assert house.run("keys", "revoke", 9, name="eve").err == "pitboss: key version 9 is not in the key ring\n"
    house.run("archive", "--output", "days.jsonl", name="abe")
    first, second = (each["public_key"] for each in house.json("keys", "list", name="abe"))
    assert f"signed with another key, {second}" in house.run("verify-archive", "days.jsonl", "--public-key", first).err
    assert json.loads(house.run("verify-archive", "days.jsonl", "--public-key", second, "--json").out)["holds"]
    house.run("head", "--anchor", "anchors.jsonl")
    revoked = house.run("keys", "revoke", 1, "--anchor", "anchors.jsonl", name="eve")
    assert "back up now, no backup that it signed can be restored" in revoked.out
    assert len(Path("anchors.jsonl").read_text().splitlines()) == 2
    assert house.run("head", "--anchor", "anchors.jsonl").status == 0
    assert house.json("keys", "renew", name="max") == {"version": 2}
    assert house.json("verify", name="abe")["holds"]
    assert house.run("verify", "--head", "head.json", name="abe").err == (
        "pitboss: this head was signed by key version 1, which is revoked, so it proves nothing: use a later head\n"
    )
    house.run("export", "--format", "head", "--output", "head.json", name="abe")
    assert house.json("verify", "--head", "head.json", name="abe")["holds"]
    assert " revoked " in house.run("keys", "list", name="abe").out


def test_the_ledger_is_exported_and_checked_against_a_head_that_was_kept(house: House) -> None:
    house.json("open", 1, "--seats", "1,2", name="dora")
    house.json("close", 1, name="dora")
    assert house.run("export", "--format", "head", "--output", "head.json", name="abe").status == 0
    assert "entries verified" in house.run("verify", "--head", "head.json", name="abe").out
    lines = house.run("export", name="abe").out.splitlines()
    assert lines[0] == ("entry,at,actor,kind,table,round,award,account,purpose,units,meter_units,reserve_units,hash")
    assert sum(int(line.split(",")[9] or 0) for line in lines[1:]) == 0
    journal = house.run("export", "--format", "journal", name="abe").out
    assert "    liabilities:meter:contribution    -0.280000 USD  ; table:1, round:1\n" in journal
    assert house.run("export", "--format", "pdf", name="abe").err == (
        "pitboss: 'pdf' is not an export format: choose csv, journal, head\n"
    )
    (house.folder / "head.json").write_text("{}")
    assert house.run("verify", "--head", "head.json", name="abe").err == (
        "pitboss: this is not an exported head: pitboss jackpot export --format head writes one\n"
    )


def test_a_day_is_read_in_words(house: House) -> None:
    house.json("open", 1, "--seats", "1", name="dora")
    house.json("hit", 1, 1, "royal-flush", name="dora")
    house.json("cancel", 1, name="dora")
    out = house.run("daily", name="abe").out
    assert "entries: set up 1, " in out
    assert ", hands entered or cancelled 2" in out
    assert " UTC cancelled: award 1 table 1 seat 1 royal flush $10,000.14, by dora\n" in out
    day = datetime.now(UTC).date().isoformat()
    assert out.startswith(f"{day} (UTC from 00:00, 24 hours), entries 1 to ")
    assert "meter opening $0.000000, contribution $0.140000, seed $10,000.000000, closing $10,000.140000\n" in out
    assert "table 1: 1 wager $1.00, meter contribution $0.140000, reserve contribution $0.020000\n" in out
    assert "-$10,000.140000 award: award 1 table 1 seat 1 royal flush $10,000.14 entered, by dora\n" in out
    assert "+$10,000.000000 seed: award 1 table 1 seat 1 royal flush $10,000.14 entered, its seed, by dora\n" in out
    assert out.endswith("\nreconciles\n")
    long_ago = house.run("daily", "--day", "2000-01-01", name="abe").out
    assert long_ago.startswith("2000-01-01 (UTC from 00:00, 24 hours), entries none\nmeter opening $0.000000, closing")
    both = house.json("daily", "--from", "2000-01-01", "--to", "2000-01-02", "--zone", "Asia/Tokyo", name="abe")
    assert [each["begins"] for each in both["days"]] == [
        "1999-12-31T15:00:00.000000+00:00",
        "2000-01-01T15:00:00.000000+00:00",
    ]
    assert both["total"]["hours"] == 48
    assert house.run("daily", "--day", day, "--to", day, name="abe").status == 2
    assert house.run("daily", "--day", "yesterday", name="abe").err == (
        "pitboss: 'yesterday' is not a day: write it as YYYY-MM-DD, for example 2026-11-21\n"
    )


def test_days_are_exported_and_archived(house: House) -> None:
    house.json("open", 1, "--seats", "1", name="dora")
    today = datetime.now(UTC).date()
    whole = house.run("export", name="abe").out
    assert house.run("export", "--from", today - timedelta(days=1), "--to", today, name="abe").out == whole
    assert house.run("export", "--to", "2000-01-01", name="abe").out.count("\n") == 1
    head = json.loads(house.run("export", "--format", "head", name="abe").out)
    first, last = today - timedelta(days=1), today
    written = house.json("archive", "--from", first, "--to", last, "--output", "days.jsonl", name="abe")
    assert (written["entries"], written["answers"]) == (head["sequence"], head["answers"])
    found = json.loads(house.run("verify-archive", "days.jsonl", "--public-key", head["public_key"], "--json").out)
    assert (found["hash"], found["entries"]) == (head["hash"], head["sequence"])
    assert house.run("verify-archive", "days.jsonl", "--public-key", "00").status == 2
    assert house.run("archive", "--output", "days.jsonl", name="dora").status == 2
    assert house.run("verify-archive", "days.jsonl").out.startswith(f"{first} to {last}: ")


REFUSED: dict[str, tuple[object, ...]] = {
    "unknown seat 9: seats are 1 to 6": ("open", 1, "--seats", "9"),
    "'x' is not a seat: write its number, for example 3": ("open", 1, "--seats", "x"),
    "seat 1 wagers $0.50: the wager is $1.00": ("open", 1, "--wager", "1=0.50"),
    "round 7 of table 1 cannot be opened: the next one is 1": ("open", 1, "--seats", "1", "--round", 7),
    "round 1 of table 1 is not open: none has been opened": ("hit", 1, 1, "flush"),
    "cards: 'AA' has the wrong format": ("hit", 1, 1, "flush", "--cards", "AA"),
    "unknown award 5: there is none yet": ("pay", 5),
    "key 'short' is too short: use at least 8 characters": ("pay", 5, "--key", "short"),
    "'house' is not an account: choose meter or reserve": (
        *("adjust", "house", "--up", "5", "--reason", "malfunction", "--text", "why not"),
    ),
    "'x' is not a setting: write NAME=VALUE": ("configure", "--set", "x", "--text", "why not"),
    "unknown setting 'foo': known: game, seed_cents, ": ("configure", "--set", "foo=1", "--text", "why not"),
    "meter_bps: '140%' is not a share": ("configure", "--set", "meter_bps=140%", "--text", "why not"),
    "meter_bps: '14' is not a share": ("configure", "--set", "meter_bps=14", "--text", "why not"),
    "meter_bps: '140.5.1%' is not a share": ("configure", "--set", "meter_bps=140.5.1%", "--text", "why not"),
    "meter_bps: 'high' is not a share": ("configure", "--set", "meter_bps=high", "--text", "why not"),
}


def test_bad_input_is_one_line_and_changes_nothing(house: House) -> None:
    before = house.json("status", name="abe")
    for message, words in REFUSED.items():
        said = house.run(*words, name="sue")
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert message in said.err
    assert house.json("status", name="abe") == before


def test_the_settings_in_force_are_shown_with_every_rate_and_pay(house: House) -> None:
    """As they can be typed after ``--set``."""
    shown = [" ".join(line.split()) for line in house.run("settings", name="abe").out.splitlines()]
    found = house.json("settings", name="abe")
    settings = Settings.model_validate_json(json.dumps(found))
    assert found["tables"] == 2
    assert f"meter_bps {settings.meter_bps / 100:g}%" in shown
    assert f"seed_cents {format_cents(settings.seed_cents)}" in shown
    labels = [line.partition(" ")[0] for line in shown]
    named = set(Settings.model_fields) - {"lines", "most_wager_cents"} | {line.hand for line in settings.lines}
    assert set(labels) == named
    assert len(labels) == len(named)
    (royal,) = [line for line in shown if line.startswith("royal-flush ")]
    assert royal == "royal-flush 100% of the meter, envy $100"


def test_a_ledger_is_made_once_and_must_be_there(house: House) -> None:
    assert house.run("init", "--executive", "eve", "--executive", "max").err == (
        "pitboss: this ledger already has a progressive: name another with --ledger\n"
    )
    assert house.run("status", "--ledger", "other.db").err == (
        "pitboss: there is no ledger other.db: create it with pitboss jackpot init, restore a backup with "
        "pitboss jackpot restore, or name another with --ledger\n"
    )
    (house.folder / "jackpot.db.key").unlink()
    assert house.run("status").err == (
        "pitboss: there is no key file jackpot.db.key: put the newest copy of it there, or name it with PITBOSS_KEY\n"
    )


@pytest.mark.compiled
def test_a_meter_that_may_run_dry_is_advised_against_with_the_chance(house: House) -> None:
    changes = ("--set", "fixed_awards_from=meter", "--set", "meter_bps=3000", "--text", "all from the meter")
    said = house.run("configure", *changes, name="eve")
    assert said.status == 0
    terms = settings(fixed_awards_from="meter", meter_bps=3_000)
    chance = estimate_ruin_probability(terms, compute_hand_probabilities("six-card"))
    assert 0 < chance < 1
    assert said.err == (
        "advice runs-dry: 3000 basis points go to a meter that pays every award: below 7000 the risk that it "
        f"runs dry grows, which it does within 50,000 wagers from the seed with a chance of {chance:.1%} (300 runs)\n"
    )


@pytest.mark.more
def test_a_ledger_in_postgresql(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path, capsys, monkeypatch)
    monkeypatch.setenv("PITBOSS_LEDGER", postgresql(tmp_path))
    assert "set PITBOSS_KEY to the file" in house.run("init", "--executive", "eve", "--executive", "max").err
    monkeypatch.setenv("PITBOSS_KEY", str(tmp_path / "key"))
    house.founded()
    assert house.json("status", name="eve")["entries"] == 5


def test_piped_input_is_the_password_and_then_the_code(house: House) -> None:
    house.patch.delenv("PITBOSS_PASSWORD")

    def piped(*lines: str) -> Said:
        house.patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return house.run("reconcile", "--posted", "10000", "--as", "sue")

    house.seconds += CODE_SECONDS
    code = pyotp.TOTP(house.secrets["sue"]).at(house.seconds)
    house.patch.setenv("PITBOSS_CODE", "")
    said = piped(CHOSEN, code)
    assert (said.status, said.err) == (0, ""), said
    assert piped(code, CHOSEN).status == 2
    ways = "type it, pipe it in on its own line, or set"
    assert piped(CHOSEN) == (2, "", f"pitboss: the code is missing: {ways} PITBOSS_CODE\n")
    assert piped() == (2, "", f"pitboss: the password is missing: {ways} PITBOSS_PASSWORD\n")


def test_a_new_password_is_typed_twice_unseen(house: House) -> None:
    code = house.agreed("add", "dan", "dealer", first="sue", second="eve")
    house.patch.delenv("PITBOSS_PASSWORD")
    ours, theirs = pty.openpty()
    house.patch.setenv("PITBOSS_ENROLMENT_CODE", code)
    words = [sys.executable, "-m", "pitboss", "jackpot", "staff", "enrol", "dan"]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        shown = ""
        for asked, typed in (("", CHOSEN), (" again", "not what was chosen"), ("", CHOSEN), (" again", CHOSEN)):
            shown += until(ours, f"new password{asked}: ")
            os.write(ours, f"{typed}\n".encode())
        shown += until(ours, "enrolled")
    os.close(ours)
    assert process.returncode == 0
    assert shown.count("new password again: ") == 2
    assert "do not match" in shown
    assert CHOSEN not in shown


def until(terminal: int, words: str) -> str:
    """Read what a terminal shows until these words end it."""
    read = ""
    while words not in read:
        read += os.read(terminal, 1024).decode()
    return read


def test_help_loads_no_database() -> None:
    script = (
        "import sys; from pitboss.cli.app import run; run(['jackpot', '--help']); print('sqlalchemy' in sys.modules)"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.splitlines()[-1] == "False"


def test_a_win_page_is_written_as_a_pdf_with_the_payment_and_with_a_reprint(house: House) -> None:
    house.json("open", 1, "--seats", "2", name="dora")
    house.json("hit", 1, 2, "flush", name="dora")
    for name, words in (
        ("win.txt", "win.txt is not a PDF: name a file that ends with .pdf"),
        ("none/win.pdf", "cannot write none/win.pdf: there is no folder none"),
    ):
        for command, who in (("confirm", "sue"), ("pay", "dora")):
            assert house.run(command, 1, "--pdf", name, name=who).err == f"pitboss: {words}\n"
    house.json("confirm", 1, "--pdf", "1.pdf", name="sue")  # nothing was done before the page could be written
    assert [event["kind"] for event in house.json("pay", 1, "--pdf", "2.pdf", name="dora")["events"]] == [
        "paid",
        "reprinted",
    ]
    house.run("reprint", 1, "--pdf", "3.pdf", name="sue")
    pages = [PdfReader(house.folder / f"{number}.pdf").pages[0].extract_text() for number in (1, 2, 3)]
    for number, page in enumerate(pages, 1):
        assert "PROGRESSIVE WIN 1" in page
        assert "$15.00" in page
        assert f"print {number} of award 1" in page
        assert ("REPRINT" in page) == (number > 1)


def test_a_page_needs_its_library(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.reports.win_page_pdf.find_spec", lambda _name: None)
    assert house.run("pay", 1, "--pdf", "win.pdf", name="dora").err == (
        f"pitboss: reportlab is not installed: {write_install_hint('reports')}\n"
    )


@pytest.mark.more
def test_status_says_in_words_what_waits(house: House) -> None:
    for table in (1, 2):
        house.json("open", table, "--seats", "1,2", name="dora")
    house.json("hit", 1, 1, "royal-flush", name="dora")
    house.json("hit", 2, 2, "straight-flush", name="dora")
    house.json("hit", 2, 1, "flush", name="dora")
    house.json("adjust", "meter", "--up", "5", "--reason", "house-funds", "--text", "promotion", name="sue")
    house.json("incident", "open", "--text", "sensor broken", "--table", 2, name="sue")
    lines = house.run("status", name="abe").out.splitlines()
    assert lines[0] == "display $10,000.56, jackpot pending"
    assert "request 4 by sue: account meter, amount $5.00, reason house funds, explanation promotion" in lines
    assert "incident 1: table 2, reported, sensor broken" in lines
    hits = [line.partition("pending")[2] for line in lines if line.startswith("award ")]
    assert hits == ["", ", provisional until award 1 is decided", ""]
    assert "{" not in "".join(lines)
    both = house.run("adjust", "meter", "--up", "100", "--down", "3", "--reason", "award", "--text", "typo", name="sue")
    assert both.err == "pitboss: give --up or --down, not both: an adjustment has one amount\n"


def test_a_restoration_that_loses_entries_says_which_anchors_to_move(house: House) -> None:
    house.run("backup", "--output", "backup.db")
    house.json("open", 1, "--seats", "1", name="dora")
    house.run("head", "--anchor", "anchors.jsonl")
    (house.folder / "jackpot.db").rename(house.folder / "old.db")
    assert house.run("restore", "backup.db", "--anchor", "anchors.jsonl").status == 2
    out = house.run("restore", "backup.db", "--anchor", "anchors.jsonl", "--accept-loss").out
    assert ": at least 1 entry is lost\n" in out
    assert out.endswith(
        "move anchors.jsonl away before the next command, and keep it with the incident: "
        "it has heads that this ledger lacks\n"
    )
    assert house.run("head", "--anchor", "anchors.jsonl").status == 2
    (house.folder / "anchors.jsonl").rename(house.folder / "kept.jsonl")
    assert house.run("head", "--anchor", "anchors.jsonl").status == 0


def test_whoever_confirms_late_is_told_who_paid(house: House) -> None:
    house.json("open", 1, "--seats", "1", name="dora")
    house.json("hit", 1, 1, "flush", name="dora")
    house.json("confirm", 1, name="sue")
    assert (
        house.run("confirm", 1, name="eve").err == "pitboss: award 1 is confirmed by sue: nothing is left to confirm\n"
    )
    house.json("pay", 1, name="dora")
    assert house.run("confirm", 1, name="eve").err == "pitboss: award 1 is paid by dora: nothing is left to confirm\n"


def test_a_name_in_capitals_is_told_its_form(house: House) -> None:
    assert "lower-case letters, digits, dots and hyphens" in house.run("staff", "add", "Eve", "dealer", name="sue").err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("init", "--executive", "eve", "--executive", "max"), "this ledger already has a progressive"),
        (("daily", "--day", "soon", "--as", "abe"), "'soon' is not a day"),
        (("export", "--from", "soon", "--as", "abe"), "'soon' is not a day"),
        (("archive", "--to", "soon", "--output", "x", "--as", "abe"), "'soon' is not a day"),
        (("adjust", "meter", "--up", "5", "--reason", "luck", "--text", "why not"), "'luck' is not a reason: choose"),
        (("reconcile", "--posted", "-5"), "--posted '-5' is not an amount: write dollars of 0 or more"),
        (("status", "--ledger", "mysql://x/y"), "--ledger 'mysql://...' is not supported"),
        (("status", "--ledger", "sqlite:///nofile"), "there is no ledger sqlite:///nofile"),
        (("status", "--ledger", __file__), "is not a ledger: name one that pitboss jackpot init created"),
    ],
)
def test_a_plain_fault_is_said_before_anybody_is_asked_for_a_secret(
    words: tuple[str, ...], message: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PITBOSS_PASSWORD", "PITBOSS_CODE", "PITBOSS_FIRST_CODE_1", "PITBOSS_FIRST_CODE_2"):
        monkeypatch.delenv(name, raising=False)
    said = house.run(*words)
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert message in said.err


def test_the_page_for_operators_ends_the_round_of_a_lost_table(house: House) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operators.md").read_text(encoding="utf-8")
    begins = "If the table's own database is lost in the middle of a round:\n\n```sh\n"
    block = page.partition(begins)[2].partition("```")[0]
    commands = [shlex.split(line.removeprefix("pitboss jackpot ")) for line in block.splitlines()]
    signer = Signer.load_or_create(house.folder / "jackpot.db.key")
    with closing(Store(f"sqlite:///{house.folder / 'jackpot.db'}")) as store:
        opened = OpenRound(table=1, seats=(1, 3), link="linked-1-ab12")
        Controller(store, signer).execute(opened, Actor("dora", Role.DEALER), "table linked-1 open")
    assert "is played at linked-1-ab12" in house.run("close", 1, name="dora").err
    for *words, _, name in commands:
        assert house.json(*words, name=name)
    assert house.json("open", 1, "--seats", "1", name="dora")
