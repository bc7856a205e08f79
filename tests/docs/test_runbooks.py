"""docs/runbooks.md is followed line by line, on SQLite and on a PostgreSQL with a standby: what it shows is printed."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pyotp
import pytest

from ledger.databases import programs
from pitboss.cli.app import run
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS
from web.served import BEGINNING, CHOSEN, cheaply, copied

PAGE = Path(__file__).parents[2] / "docs" / "runbooks.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIFFERENT = (
    (re.compile(r"^\{.*\}$", re.MULTILINE), "DOCUMENT"),
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{8}(?: [0-9a-f]{8}){7}\b"), "HASH"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"), "TIME"),
    (re.compile(r"\b00\d\d\b"), "VERSION"),
    (re.compile(r"(?<=ledger: )[\d,]+|(?<=last )[\d,]+(?= s)|(?<=disk: )[\d,]+|(?<=free of )[\d,]+"), "NUMBER"),
    (re.compile(r"^[\d,]+(?= entries)|(?<=: )[\d,]+(?= entries)|(?<=restored )[\d,]+", re.MULTILINE), "NUMBER"),
    (re.compile(r"(?<=^entry )\s*[\d,]+\s+|(?<=^answer )\s*[\d,]+\s+", re.MULTILINE), "NUMBER "),
    (re.compile(r"(?<=ends at entry )\d+"), "NUMBER"),
)
SERVER_USER = "pgserver"


class Cluster:
    """The folders of a PostgreSQL and of its standby, and how to run the programs of its user."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="pitboss-"))
        self.programs = programs()  # which has made their user
        self.is_root = os.geteuid() == 0
        if self.is_root:
            shutil.chown(self.folder, SERVER_USER)
        self.folder.chmod(0o755)

    def prepare(self) -> dict[str, str]:
        """Make and start the primary; return the page's variables."""
        data = {name: self.folder / f"{name}-data" for name in ("primary", "standby")}
        sockets = {name: self.folder / name for name in data}
        for each in sockets.values():
            self.run(["mkdir", str(each)])
        self.run([str(self.programs / "initdb"), "-D", str(data["primary"]), "-U", "postgres", "-A", "trust"])
        options = {name: f"-k {sockets[name]} -h ''" for name in data}
        start = [str(self.programs / "pg_ctl"), "-D", str(data["primary"]), "-o", options["primary"], "-w", "-s"]
        self.run([*start, "-l", str(data["primary"] / "log"), "start"])
        return {
            "PRIMARY": f"postgresql://postgres@/postgres?host={sockets['primary']}",
            "STANDBY": f"postgresql://postgres@/postgres?host={sockets['standby']}",
            "PRIMARY_LEDGER": f"postgresql+psycopg://postgres@/postgres?host={sockets['primary']}",
            "STANDBY_LEDGER": f"postgresql+psycopg://postgres@/postgres?host={sockets['standby']}",
            "PRIMARY_DATA": str(data["primary"]),
            "STANDBY_DATA": str(data["standby"]),
            "STANDBY_OPTIONS": options["standby"],
        }

    def run(self, words: list[str]) -> str:
        """Run a program as the user of the database."""
        user = ["runuser", "-u", SERVER_USER, "--"] if self.is_root else []
        done = subprocess.run(
            [*user, *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder
        )
        assert done.returncode == 0, (words, done.stdout)
        return done.stdout

    def stop(self) -> None:
        """Stop what runs, and remove it."""
        for each in self.folder.glob("*-data"):
            subprocess.run(
                [
                    *(["runuser", "-u", SERVER_USER, "--"] if self.is_root else []),
                    str(self.programs / "pg_ctl"),
                    "-D",
                    str(each),
                    "-m",
                    "immediate",
                    "-s",
                    "stop",
                ],
                check=False,
                capture_output=True,
            )
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    yield made
    made.stop()


class Operator:
    """Somebody who types what the page says."""

    def __init__(
        self, cluster: Cluster, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, secrets: dict[str, str]
    ) -> None:
        self.cluster, self.capsys, self.patch, self.secrets = cluster, capsys, patch, secrets
        self.seconds = BEGINNING
        patch.setenv("PITBOSS_PASSWORD", CHOSEN)
        patch.setattr(CredentialStore, "_get_seconds", lambda _staff: self.seconds)

    def typed(self, line: str) -> str:
        """Run a line and return what it printed, with what is different each time named."""
        words = shlex.split(os.path.expandvars(line))
        if words[0] == "export":
            for each in words[1:]:
                self.patch.setenv(*each.split("=", 1))
            printed = ""
        elif words[0] == "pitboss":
            self.seconds += CODE_SECONDS
            name = words[words.index("--as") + 1] if "--as" in words else ""
            secret = self.secrets.get(name, "")
            self.patch.setenv("PITBOSS_CODE", pyotp.TOTP(secret).at(self.seconds) if secret else "")
            run(words[1:])
            printed = "".join(self.capsys.readouterr())
        elif words[0].startswith("pg_") or words[0] == "psql":
            printed = self.cluster.run([str(self.cluster.programs / words[0]), *words[1:]])
        else:
            done = subprocess.run(["/bin/sh", "-c", line], check=True, capture_output=True, text=True)
            printed = done.stdout + done.stderr
        for pattern, name in DIFFERENT:
            printed = pattern.sub(name, printed)
        return printed


@pytest.mark.more
def test_every_runbook_prints_what_it_shows(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    _, key, secrets = copied(tmp_path)
    (tmp_path / "ledger.db").rename(tmp_path / "jackpot.db")
    key.rename(tmp_path / "jackpot.db.key")
    monkeypatch.chdir(tmp_path)
    for name, value in cluster.prepare().items():
        monkeypatch.setenv(name, value)
    operator = Operator(cluster, capsys, monkeypatch, secrets)
    commands = "".join(BLOCK.findall(PAGE.read_text(encoding="utf-8"))).split("$ ")[1:]
    assert len(commands) > 30
    shown = []
    for block in commands:
        line, _, expected = block.partition("\n")
        shown.append((line, operator.typed(line)))
        assert shown[-1][1] == expected, line


def test_every_alarm_is_on_what_the_metrics_have() -> None:
    source = (Path(__file__).parents[2] / "src/pitboss/web/metrics.py").read_text(encoding="utf-8")
    table = PAGE.read_text(encoding="utf-8").partition("## Alarms")[2]
    named = set(re.findall(r"pitboss_\w+", table))
    assert len(named) > 8
    for name in named:
        assert name.removeprefix("pitboss_").removesuffix("_total") in source, name
