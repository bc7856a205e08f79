"""docs/jackpot.md, and the set-up in docs/operators.md, line by line: what they show is what is printed."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pyotp
import pytest
from argon2 import PasswordHasher

from pitboss.cli.app import run
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HALF = re.compile(r"^(\S+): your half of the code to enrol is (\S+)$", re.MULTILINE)
SECRET = re.compile(r"(?<=authenticator app: )([A-Z2-7]+)")
FIRST_CODES = ("nine herons over the lake", "a kettle, two spoons, one lid")
PRINTED = re.compile(r"printed \S+ \S+ UTC by pitboss \S+, the ledger at entry \d+")
HASH = re.compile(r"[0-9a-f]{64}")


def shown(printed: str) -> str:
    """Return what was printed as the page shows it: what is different each time is named."""
    printed = PRINTED.sub("printed TIME UTC by pitboss VERSION, the ledger at entry NUMBER", printed)
    return HASH.sub("HASH", SECRET.sub("SECRET", HALF.sub(r"\1: your half of the code to enrol is HALF", printed)))


class Follower:
    """Somebody who types what the page says, with tokens and codes where they belong."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capsys, self.patch = capsys, patch
        self.seconds, self.secrets = 1_800_000_000, {"": ""}
        self.codes: dict[str, str] = {}
        patch.setenv("PITBOSS_PASSWORD", "correct horse battery")
        patch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(CredentialStore, "_get_seconds", lambda _staff: self.seconds)

    def typed(self, line: str) -> str:
        """Run a line and return what it printed."""
        self.seconds += CODE_SECONDS
        words = shlex.split(line)
        if "init" in words:
            names = [after for word, after in pairwise(words) if word == "--executive"]
            self.codes = dict(zip(names, FIRST_CODES, strict=False))
            for number, code in enumerate(FIRST_CODES, 1):
                self.patch.setenv(f"PITBOSS_FIRST_CODE_{number}", code)
        if "enrol" in words:
            self.patch.setenv("PITBOSS_ENROLMENT_CODE", self.codes[words[-1]])
        name = words[words.index("--as") + 1] if "--as" in words else ""
        secret = self.secrets.get(name, "")
        self.patch.setenv("PITBOSS_CODE", pyotp.TOTP(secret).at(self.seconds) if secret else "")
        run(words[1:])
        printed = "".join(self.capsys.readouterr())
        for who, half in HALF.findall(printed):
            self.codes[who] = self.codes.get(who, "") + half
        if "enrol" in words:
            self.secrets[words[words.index("enrol") + 1]] = "".join(SECRET.findall(printed))
        return shown(printed)


@pytest.mark.more
@pytest.mark.parametrize("page", ["jackpot.md", "operators.md"])
def test_a_page_prints_what_it_shows(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    follower = Follower(capsys, monkeypatch)
    text = "".join(BLOCK.findall((DOCS / page).read_text(encoding="utf-8")))
    assert text
    for block in text.split("$ ")[1:]:
        line, _, expected = block.partition("\n")
        assert follower.typed(line) == expected, line
