"""Guests who mean well: each plays rounds at a table of their own and looks at it between, and every wait is measured.

Run in a process of its own, so that what attacks the server does not make them wait:
``python -m web.honest ADDRESS SECONDS`` prints their waits as JSON when the time is up.
"""

import json
import re
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from math import ceil
from typing import NamedTuple
from urllib.parse import urlencode

GUESTS = ("127.0.0.2", "127.0.0.3")
PATIENCE_SECONDS = 60.0
BETWEEN_SECONDS = 0.1
A_CONNECTION = 8
"""Requests of a guest by one connection: a browser keeps its own, and opens others now and then."""

FORM = "application/x-www-form-urlencoded"


class Waits(NamedTuple):
    """How long guests waited for each answer, in seconds, and what of theirs failed."""

    seconds: list[float]
    faults: list[str]

    def at(self, share: float) -> float:
        """Return the wait that such a share of all is not above."""
        ordered = sorted(self.seconds)
        return ordered[max(0, ceil(share * len(ordered)) - 1)]

    def __str__(self) -> str:
        """Say it in a line, in milliseconds."""
        p50, p99, most = (f"{1_000 * self.at(share):.0f}" for share in (0.5, 0.99, 1))
        return f"{len(self.seconds)} requests, p50 {p50} ms, p99 {p99} ms, most {most} ms, {len(self.faults)} failed"


class Guest:
    """Somebody who plays until the time is up."""

    def __init__(self, server: str, own: str) -> None:
        """Come from an address of one's own."""
        self._server, self._own = server, own
        self._connection: HTTPConnection | None = None
        self._cookie = self._page = ""
        self.waits = Waits([], [])

    def play(self, until: float) -> None:
        """Sit down and play; what fails is kept, and tried again."""
        table = ""
        while time.monotonic() < until:
            try:
                table = table or self._sit_down()
                self._step(table)
            except (OSError, HTTPException) as error:
                self._fail(f"{type(error).__name__}: {error}")
            time.sleep(BETWEEN_SECONDS)

    def _sit_down(self) -> str:
        self._ask("GET", "/")
        return self._ask("POST", "/tables", game="six-card", bots="1", name="Honest")

    def _step(self, table: str) -> None:
        """Do what the felt asks for."""
        self._ask("GET", f"{table}/felt")
        if 'id="decision"' in self._page:
            self._ask("POST", f"{table}/decide", action="fold")
        elif 'id="wagers"' in self._page:
            self._ask("POST", f"{table}/wager", do="deal", **{"stake-main": "5"})

    def _ask(self, method: str, path: str, **fields: str) -> str:
        """Ask, measure how long the answer takes to its last byte, and return where it leads."""
        if len(self.waits.seconds) % A_CONNECTION == 0 and self._connection:
            self._connection.close()
            self._connection = None
        hidden = dict(re.findall(r'name="(csrf|round|key)" value="([^"]*)"', self._page)) if fields else {}
        body = urlencode({**hidden, **fields}) if fields else None
        headers = {"Cookie": self._cookie, **({"Content-Type": FORM, "HX-Request": "true"} if fields else {})}
        began = time.monotonic()
        if self._connection is None:
            self._connection = HTTPConnection(self._server, timeout=PATIENCE_SECONDS, source_address=(self._own, 0))
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            page = answer.read().decode()
        except (OSError, HTTPException):
            self._connection.close()
            self._connection = None
            raise
        finally:
            self.waits.seconds.append(time.monotonic() - began)
        if answer.status >= 400:
            self._fail(f"{method} {path}: {answer.status} {page[:300]}")
        cookie = answer.getheader("set-cookie")
        self._cookie = cookie.partition(";")[0] if cookie else self._cookie
        self._page = page
        return answer.getheader("location") or ""

    def _fail(self, line: str) -> None:
        self.waits.faults.append(line)


def main(server: str, seconds: str) -> None:
    """Let all guests play, and print what they waited."""
    until = time.monotonic() + float(seconds)
    guests = [Guest(server, own) for own in GUESTS]
    threads = [threading.Thread(target=guest.play, args=(until,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = Waits([], [])
    for guest in guests:
        together.seconds.extend(guest.waits.seconds)
        together.faults.extend(guest.waits.faults)
    sys.stdout.write(json.dumps(together._asdict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
