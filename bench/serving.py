"""A server under questions: ``python -m bench.serving``, no part of ``make bench``, which takes seconds.

``latency`` is how long another guest's felt takes while nobody asks anything, and while a coach, PAR sheets and leaks
that nothing is kept of are counted; ``memory`` what the server's process and its workers hold before and after sheets,
reports and hints of every game; ``play`` what a command of guests who play costs, and how long it takes.  The server
is ``pitboss serve`` in a process of its own, asked over HTTP.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle, islice, product
from pathlib import Path
from secrets import token_hex

import httpx
import numpy as np

from pitboss.games import load_games
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.formats import REPORT_FORMATS
from pitboss.web.pages.sheet_choices import list_sheet_wagers

MEBIBYTE = 2**20
FELTS = 150
COLD = ("wild-52", "six-card", "lunar")


@contextmanager
def serving(cache: str) -> Iterator[tuple[str, int]]:
    """Serve tables of its own; yield the address and the server's process."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"PITBOSS_CACHE": cache} if cache else {})
        command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--database", f"{folder}/tables.db"]
        server = subprocess.Popen(  # noqa: S603  the program is ours
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            found = re.search(r"http://[^/]+", server.stdout.readline() if server.stdout else "")
            if found is None:
                raise RuntimeError("the server has not said its address")
            yield found[0], server.pid
        finally:
            server.terminate()
            server.wait()


class Guest:
    """Somebody with a browser."""

    def __init__(self, address: str) -> None:
        """Come in."""
        self.web = httpx.Client(base_url=address, trust_env=False, timeout=3_600)
        self._keys = count(1)
        self.page = self.web.get("/").text

    def say(self, path: str, **fields: object) -> httpx.Response:
        """Send a form."""
        csrf = re.findall(r'name="csrf" value="(\w+)"', self.page)[0]
        number = (re.findall(r'name="round" value="(\d+)"', self.page) or ["1"])[0]
        form = {"csrf": csrf, "round": number, "key": f"key-{next(self._keys):08}", **fields}
        while (answer := self.web.post(path, data=form)).status_code == httpx.codes.TOO_MANY_REQUESTS:
            time.sleep(1)
        return answer

    def known(self, path: str) -> httpx.Response:
        """Ask until the answer is no longer being counted."""
        while (answer := self.web.get(path)).status_code in {202, 429, 503}:
            time.sleep(float(answer.headers.get("Retry-After", 1)))
        return answer

    def sit(self, game: str) -> str:
        """Open a table, and return its address."""
        address: str = self.say("/tables", game=game, bots="0").headers["location"]
        self.page = self.web.get(address).text
        return address

    def deal(self, table: str) -> None:
        """Stake what the page proposes, and have a round dealt."""
        stakes = re.findall(r'class="stake"[^>]* name="([^"]+)"[^>]* value="(\d+)"', self.page)
        self.say(f"{table}/wager", **dict(stakes), do="deal")
        self.page = self.web.get(table).text

    def decide(self, table: str) -> bool:
        """Take the last action that is offered; return whether there was one."""
        actions = re.findall(r'<button name="action" value="([\w-]+)"', self.page)
        if not actions:
            return False
        cards = re.findall(r'name="cards" value="(\w+)"', self.page)
        for action in reversed(actions):
            for given in (0, 1, 2):
                answer = self.say(f"{table}/decide", action=action, cards=cards[:given])
                if answer.is_redirect:
                    self.page = self.web.get(table).text
                    return True
        return False

    def press(self, path: str, **fields: object) -> float:
        """Send a form as the page's script does, which gets the table back; return the milliseconds that it took."""
        hidden = dict(re.findall(r'name="(csrf|round)" value="([^"]*)"', self.page))
        begun = time.monotonic()
        form = {**hidden, "key": token_hex(16), **fields}
        answer = self.web.post(path, data=form, headers={"HX-Request": "true"})
        taken = 1_000 * (time.monotonic() - begun)
        if answer.is_error:
            raise RuntimeError("; ".join(re.findall(r'role="alert">([^<]*)', answer.text)) or answer.text[:200])
        self.page = answer.text
        return taken

    def play_round(self, table: str) -> list[float]:
        """Play a round; return the milliseconds of each command."""
        stakes = re.findall(r'class="stake"[^>]* name="([^"]+)"[^>]* value="(\d+)"', self.page)
        taken = [self.press(f"{table}/wager", **dict(stakes), do="deal")]
        while actions := re.findall(r'<button name="action" value="([\w-]+)"', self.page):
            action = "play" if "play" in actions else actions[0]
            cards = re.findall(r'name="cards" value="(\w+)"', self.page)[:1] if action == "discard" else []
            taken.append(self.press(f"{table}/decide", action=action, cards=cards))
        return taken


def felts(guest: Guest, table: str, number: int) -> list[float]:
    """Return how long a guest's felt takes, a few times a second, in milliseconds."""
    taken = []
    for _ in range(number):
        begun = time.monotonic()
        guest.web.get(f"{table}/felt")
        taken.append(1_000 * (time.monotonic() - begun))
        time.sleep(0.1)
    return taken


def latency() -> Iterator[str]:
    """Yield felts of a quiet server, and of one that counts what nothing is kept of."""
    with tempfile.TemporaryDirectory() as cache, serving(cache) as (address, _):
        guest = Guest(address)
        table = guest.sit("six-card")
        felts(guest, table, 5)
        yield _line("quiet", felts(guest, table, FELTS))
        busy = [threading.Thread(target=_ask_cold, args=(address, game), daemon=True) for game in COLD]
        for each in busy:
            each.start()
        time.sleep(3)
        yield _line("cold coaches and sheets", felts(guest, table, FELTS))
    with tempfile.TemporaryDirectory() as cache, serving(cache) as (address, _):
        guest, asking = Guest(address), Guest(address)
        table, other = guest.sit("six-card"), asking.sit("lunar")
        for _ in range(3):
            asking.deal(other)
            while asking.decide(other):
                pass
        for path in [f"{other}/leaks"] * 45 + [f"{other}/leaks/known"] * 5:
            threading.Thread(target=_quietly, args=(asking, path), daemon=True).start()
        yield _line("45 requests of leaks", felts(guest, table, FELTS))


def _ask_cold(address: str, game: str) -> None:
    guest = Guest(address)
    table = guest.sit(game)
    guest.deal(table)
    threading.Thread(target=_quietly, args=(guest, f"/par/sheet?game={game}"), daemon=True).start()
    _quietly(guest, f"{table}/coach")


def _quietly(guest: Guest, path: str) -> None:
    try:
        guest.known(path)
    except httpx.HTTPError:  # the server is stopped when all felts are measured
        return


def _line(what: str, taken: list[float]) -> str:
    middle, late = np.quantile(taken, (0.5, 0.99))
    return f"{what:28}{len(taken):6} felts  median {middle:7.1f} ms  p99 {late:8.1f} ms  most {max(taken):8.1f} ms\n"


def play(guests: int, seconds: float, pace: float) -> Iterator[str]:
    """Yield what a command of guests at tables of their own costs the server, at so many rounds a second in all."""
    waits: list[list[float]] = [[] for _ in range(guests)]
    with serving("") as (address, pid):
        people = [Guest(address) for _ in range(guests)]
        tables = [guest.sit(game) for guest, game in zip(people, cycle(load_games()), strict=False)]
        time.sleep(10)  # the server prepares its solvers
        begun, busy = time.monotonic(), _count_cpu_seconds(pid)

        def play_on(place: int) -> None:
            start = begun + place / pace
            while start < begun + seconds:
                time.sleep(max(0.0, start - time.monotonic()))
                waits[place] += people[place].play_round(tables[place])
                start = max(start + guests / pace, time.monotonic())  # who is late does not hurry: guests are limited

        threads = [threading.Thread(target=play_on, args=(place,)) for place in range(guests)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        took, busy = time.monotonic() - begun, _count_cpu_seconds(pid) - busy
    taken = [each for one in waits for each in one]
    middle, late = np.quantile(taken, (0.5, 0.99))
    yield (
        f"{guests} guests, {len(taken) / took:.0f} commands a second: {1_000 * busy / len(taken):.1f} ms of CPU each, "
        f"median {middle:.1f} ms  p99 {late:.1f} ms  most {max(taken):.1f} ms\n"
    )


def _count_cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def memory(sheets: int, reports: int, hints: int) -> Iterator[str]:
    """Yield what the server's process holds; counts that are kept from earlier runs are not made again."""
    with serving("") as (address, pid):
        guest = Guest(address)
        guest.web.get("/par")
        yield _held("before", pid)
        for path in islice(cycle(_sheets()), sheets):
            guest.known(path)
        yield _held(f"after {sheets} sheets", pid)
        tables = {game: guest.sit(game) for game in load_games()}
        for table in islice(cycle(tables.values()), hints):
            guest.page = guest.web.get(table).text
            if not guest.decide(table):
                guest.deal(table)
            guest.known(f"{table}/coach")
        yield _held(f"after {hints} hints", pid)
        for number, (kind, game) in zip(range(reports), cycle(product(REPORT_FORMATS, load_games())), strict=False):
            guest.known(f"/par/{game}.{kind}?pace={40 + number}")
        yield _held(f"after {reports} reports", pid)


def _sheets() -> Iterator[str]:
    """Yield the addresses of every bet's sheet: as it is, and with each of its pays edited."""
    for name, game in load_games().items():
        for wager in list_sheet_wagers(game):
            yield f"/par/sheet?game={name}&bet={wager.id}"
            for table in load_builtin_paytables(game):
                if table.kind in wager.paytable_kinds[:1] and table.default:
                    for line, pay in table.lines.items():
                        more = int(pay.amount) + (1 if pay.amount < 100 else -1)
                        yield f"/par/sheet?game={name}&bet={wager.id}&pay-{line}={more}"


def _held(when: str, pid: int) -> str:
    children = [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if path.read_text(encoding="utf-8").rpartition(")")[2].split()[1] == str(pid)
    ]
    workers = " ".join(f"{_resident(each):6.0f}" for each in children)
    return f"{when:28}server {_resident(pid):6.0f} MiB   its processes {workers} MiB\n"


def _resident(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEBIBYTE


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("latency", "memory", "play"))
    parser.add_argument("--sheets", type=int, default=200)
    parser.add_argument("--reports", type=int, default=20)
    parser.add_argument("--hints", type=int, default=200)
    parser.add_argument("--guests", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=40, help="rounds a second of all guests")
    asked = parser.parse_args()
    runs: dict[str, Callable[[], Iterator[str]]] = {
        "latency": latency,
        "memory": lambda: memory(asked.sheets, asked.reports, asked.hints),
        "play": lambda: play(asked.guests, asked.seconds, asked.pace),
    }
    lines = runs[asked.what]()
    for line in lines:
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
