"""docs/jackpot-http.md is followed line by line: what it shows is what is answered."""

import json
import re
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli.app import run
from pitboss.cli.serve import _open_socket, _print_address
from web.served import CHOSEN, Served, cheaply, serving

PAGE = Path(__file__).parents[2] / "docs" / "jackpot-http.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIRST_CODES = ("nine herons over the lake", "a kettle, two spoons, one lid")
DIFFERENT = {
    "SALT": re.compile(r'(?<="salt":")[0-9a-f]{32}'),
    "HALF": re.compile(r'(?<="half_code":")[^"]+'),
    "SECONDS": re.compile(r'(?<="at":)[0-9]+'),
    "SECRET": re.compile(r'(?<="totp":")[A-Z2-7]+'),
    "SESSION": re.compile(r'(?<="session":")[^"]+'),
    "HASH": re.compile(r"[0-9a-f]{64}"),
}


class Follower:
    """Somebody who types what the page says, with codes where they belong."""

    def __init__(self, stack: ExitStack, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.stack, self.capsys, self.patch = stack, capsys, patch
        self.served: Served | None = None
        self.known: dict[str, str] = {}
        self.halves: list[str] = []
        self.first_codes = list(FIRST_CODES)
        for number, code in enumerate(FIRST_CODES, 1):
            patch.setenv(f"PITBOSS_FIRST_CODE_{number}", code)

    def typed(self, line: str) -> str:
        """Run a line and return what it printed, with what is different each time named."""
        words = shlex.split(line)
        match words[0]:
            case "echo":
                Path(words[-1]).write_text(words[1].replace("SESSION", self.known["SESSION"]), encoding="utf-8")
                return ""
            case "curl":
                printed = self.curled(words[1:])
            case _ if words[1] == "serve":
                self.served = self.stack.enter_context(
                    serving(f"sqlite:///{Path('jackpot.db').absolute()}", Path("jackpot.db.key"), {}, self.patch)
                )
                with _open_socket("127.0.0.1", 0) as listener:
                    _print_address(listener, progressive=True, local=True, proxy="")
                    own = f":{listener.getsockname()[1]}"
                printed = "".join(self.capsys.readouterr()).replace(own, ":8000")
            case _:
                run(words[1:])
                printed = "".join(self.capsys.readouterr())
        self.halves += DIFFERENT["HALF"].findall(printed)
        for name, pattern in DIFFERENT.items():
            self.known |= dict.fromkeys([name], *pattern.findall(printed)[-1:]) if pattern.search(printed) else {}
            printed = pattern.sub(name, printed)
        return printed

    def curled(self, words: list[str]) -> str:
        """Send what curl would send; print the answer, or write it to a file."""
        assert self.served
        method, body, output = "GET", None, ""
        headers: dict[str, str] = {}
        options = iter(words)
        for word in options:
            match word:
                case "-X":
                    method = next(options)
                case "-o":
                    output = next(options)
                case "-H":
                    given = next(options)
                    text = Path(given[1:]).read_text(encoding="utf-8") if given.startswith("@") else given
                    headers |= dict([text.split(": ", 1)])
                case "--json":
                    method, body = "POST", self.filled(json.loads(next(options)))
                case url:
                    path = url.removeprefix("localhost:8000")
        answer = self.served.client.request(method, path, json=body, headers=headers)
        if output:
            assert answer.content.startswith(b"%PDF-"), answer.text
            return ""
        if "/enrolment" in path and body:
            self.served.secrets[body["name"]] = answer.json()["totp"]
        return answer.text + ("\n" if answer.text and not answer.text.endswith("\n") else "")

    def filled(self, body: Any) -> Any:
        """Return a body with the halves of a code that were given last, and with codes of the moment."""
        assert self.served
        if not isinstance(body, dict):
            return body
        body = {key: self.filled(value) for key, value in body.items()}
        if body.get("code") == "FIRST_CODE":
            return {**body, "code": self.first_codes.pop(0)}
        if body.get("code") == "CODES":
            return {**body, "code": "".join(self.halves[-2:])}
        if "password" in body:
            assert body["password"] == CHOSEN
            body |= {"code": self.served.proof(body["name"])["code"]} if "code" in body else {}
        return body


def test_the_page_is_answered_as_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cheaply(monkeypatch)
    text = "".join(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    with ExitStack() as stack:
        follower = Follower(stack, capsys, monkeypatch)
        for block in text.split("$ ")[1:]:
            line, _, expected = block.partition("\n")
            assert follower.typed(line) == expected, line
