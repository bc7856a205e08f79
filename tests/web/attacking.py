"""Attacks on a real server by one visitor, each bounded in count and time, while two guests who mean well play.

``python -m web.attacking [ATTACK ...]`` tries some of them, or all, and prints what the guests waited; the server is
``pitboss serve`` on a database in memory.  Those who attack come from addresses of their own, from 127.0.0.66 on.
"""

import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode

from coroutines import run_alone
from examples.loading import EXAMPLES, FOLDERS
from pitboss.cards import format_cards
from pitboss.games import load_games
from pitboss.web.jobs.coach import deal_sample_round
from pitboss.web.jobs.study_content import describe_seen
from pitboss.web.rate_limits import PER_ADDRESS
from web.casino import Casino
from web.fuzzing import PARTS, dear_letters, malformed, part_of
from web.honest import FORM, Waits

MEMORY = Path("/", "dev", "shm")
"""Where the server keeps its tables: a slow disk is no attack."""

DESCRIPTORS = 1_024
"""So many files a process may have open where nobody has changed that; it may raise it as far as the machine lets."""

SETTLING_SECONDS = 1.0
PATIENCE_SECONDS = 30.0
HALF_OPEN = 1_100
STREAMS = 1_100
SLOW = 300
ADDRESSES = 4
"""So many addresses one attacker has."""

GAMES = (*load_games(), *(folder.replace("_", "-") for folder in FOLDERS))
"""The games that the server finds: those of the package, and the examples."""


@dataclass
class Attacker:
    """Somebody with a few addresses; what came of each thing tried is counted."""

    host: str
    port: int
    until: float
    came: Counter[str] = field(default_factory=Counter)
    _open: list[asyncio.StreamWriter] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.until - asyncio.get_running_loop().time()

    async def connect(self, number: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from one of the attacker's addresses; it is closed at the end (raises OSError)."""
        own = f"127.0.0.{66 + number % ADDRESSES}"
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(self.host, self.port, local_addr=(own, 0)), PATIENCE_SECONDS
        )
        self._open.append(writer)
        return reader, writer

    async def send(self, raw: bytes, number: int = 0, *, ends: bool = False) -> tuple[str, bytes]:
        """Send bytes by a connection of its own; return the answer's status, or what happened instead, and the answer.

        Of a stream what comes in the time that is left.  ``ends`` says that nothing more is sent.
        """
        writer, come = None, b""
        try:
            reader, writer = await self.connect(number)
            writer.write(raw)
            if ends:
                writer.write_eof()
            async with asyncio.timeout(max(0.1, self.left)):
                while piece := await reader.read(65_536):
                    come += piece
        except TimeoutError:
            status = _status(come) or "no answer"
        except OSError as error:
            status = _status(come) or type(error).__name__
        else:
            status = _status(come) or "closed"
        finally:
            if writer:
                writer.close()
                self._open.remove(writer)
        self.came[status] += 1
        return status, come

    async def ask(
        self, method: str, path: str, cookie: str = "", number: int = 0, form: Mapping[str, str] | None = None
    ) -> tuple[str, bytes]:
        """Send a request that a browser might."""
        body = urlencode(form or {}).encode()
        kind = f"Content-Type: {FORM}\r\nContent-Length: {len(body)}\r\n" if form else ""
        first = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
        return await self.send(f"{first}Cookie: {cookie}\r\n{kind}\r\n".encode() + body, number)

    async def come_in(self, number: int = 0) -> tuple[str, str]:
        """Load a page as a new guest; return the cookie, and the token of its forms ("" where none came)."""
        _, page = await self.ask("GET", "/", number=number)
        cookie = re.search(rb"set-cookie: (pitboss-guest=[^;\r]+)", page)
        token = re.search(rb'name="csrf" value="(\w+)"', page)
        return (cookie[1].decode() if cookie else "", token[1].decode() if token else "")

    async def together(self, work: Callable[[int], Awaitable[object]], many: int, at_once: int) -> None:
        """Do something so many times, so many at once, as long as there is time."""
        numbers = iter(range(many))

        async def one() -> None:
            for number in numbers:
                if self.left <= 0:
                    return
                await work(number)

        await asyncio.gather(*(one() for _ in range(at_once)))

    def leave(self) -> None:
        """Close whatever is still open."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()


def _status(come: bytes) -> str:
    found = re.match(rb"HTTP/1\.1 (\d+)", come)
    return found[1].decode() if found else ""


# The attacks.


async def nothing(attacker: Attacker) -> None:
    """Do nothing: what guests wait who are alone."""
    await asyncio.sleep(attacker.left)


async def half_open(attacker: Attacker) -> None:
    """Open connections, begin a request on each, and say no more."""

    async def one(number: int) -> None:
        try:
            _, writer = await attacker.connect(number)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        except OSError as error:
            attacker.came[type(error).__name__] += 1
        else:
            attacker.came["opened"] += 1

    await attacker.together(one, HALF_OPEN, 50)
    await asyncio.sleep(max(0, attacker.left))


async def slow_headers(attacker: Attacker) -> None:
    """Send headers letter by letter."""
    await _slowly(attacker, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")


async def slow_bodies(attacker: Attacker) -> None:
    """Send forms letter by letter."""
    head = f"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Type: {FORM}\r\nContent-Length: 60000\r\n\r\ncsrf="
    await _slowly(attacker, head.encode())


async def _slowly(attacker: Attacker, head: bytes) -> None:
    async def one(number: int) -> None:
        try:
            _, writer = await attacker.connect(number)
            writer.write(head)
            while attacker.left > 0 and not writer.is_closing():
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(1)
        except OSError as error:
            attacker.came[type(error).__name__] += 1
        else:
            attacker.came["to the end" if attacker.left <= 0 else "closed"] += 1

    await attacker.together(one, SLOW, SLOW)


async def streams(attacker: Attacker) -> None:
    """Follow a table by more streams than the server has, and read none of them."""
    cookie, csrf = await attacker.come_in()
    _, answer = await attacker.ask("POST", "/tables", cookie, 0, {"csrf": csrf, "game": "six-card", "bots": "0"})
    table = re.search(rb"location: (\S+)", answer)
    path = table[1].decode() if table else "/tables/none"

    async def one(number: int) -> None:
        try:
            reader, writer = await attacker.connect(number)
            head = f"GET {path}/events HTTP/1.1\r\nHost: {attacker.host}:{attacker.port}\r\nCookie: {cookie}\r\n\r\n"
            writer.write(head.encode())
            async with asyncio.timeout(max(0.1, attacker.left)):
                attacker.came[f"stream {_status(await reader.read(100)) or 'closed'}"] += 1
        except (OSError, TimeoutError) as error:
            attacker.came[type(error).__name__] += 1

    await attacker.together(one, STREAMS, 50)
    await asyncio.sleep(max(0, attacker.left))


async def charsets(attacker: Attacker) -> None:
    """Send a form a second whose letters are dear to read."""
    body = part_of(b"name", dear_letters(9_000)) * 5  # 45 KB
    head = f"POST /tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    head += f"Content-Type: {PARTS}; charset=idna\r\n\r\n"
    async with asyncio.TaskGroup() as sent:
        while attacker.left > 0:
            sent.create_task(attacker.send(head.encode() + body))
            await asyncio.sleep(1)


async def leaks(attacker: Attacker) -> None:
    """Play rounds of the game that is dearest to value as several guests, then ask what they cost, again and again."""
    await asyncio.gather(*(_leaks_of_a_guest(attacker, number) for number in range(2 * ADDRESSES)))


async def _leaks_of_a_guest(attacker: Attacker, own: int) -> None:
    cookie, csrf = await attacker.come_in(own)
    _, answer = await attacker.ask("POST", "/tables", cookie, own, {"csrf": csrf, "game": "lunar", "bots": "0"})
    found = re.search(rb"location: (\S+)", answer)
    if not found:
        return
    table = found[1].decode()
    for number in range(1, 13):
        form = {"csrf": csrf, "round": str(number)}
        stakes = {"key": f"attack-w{own}-{number:04}", "stake-main": "5", "stake-super": "5"}
        await attacker.ask("POST", f"{table}/wager", cookie, own, form | stakes)
        folds = {"key": f"attack-d{own}-{number:04}", "action": "fold"}
        await attacker.ask("POST", f"{table}/decide", cookie, own, form | folds)
    pages = (f"{table}/leaks", f"{table}/leaks/known")
    await attacker.together(lambda number: attacker.ask("GET", pages[number % 2], cookie, own), 300, 6)


async def coaches(attacker: Attacker) -> None:
    """Have every game's coach begin, and value hand after hand; the example games have no solver of their own."""

    async def one(number: int) -> None:
        cookie, csrf = await attacker.come_in(number)
        game = GAMES[number % len(GAMES)]
        _, answer = await attacker.ask("POST", "/tables", cookie, number, {"csrf": csrf, "game": game, "bots": "0"})
        found = re.search(rb"location: (\S+)", answer)
        if found:
            table, form = (
                found[1].decode(),
                {"csrf": csrf, "round": "1", "key": f"attack-{number:04}", "stake-main": "5"},
            )
            stakes = {"stake-super": "5"} if game == "lunar" else {}
            await attacker.ask("POST", f"{table}/wager", cookie, number, form | stakes)
            await attacker.ask("GET", f"{table}/coach", cookie, number)

    await attacker.together(one, 30, 5)


async def studies(attacker: Attacker) -> None:
    """Ask what hand after hand is worth, of every game; the example games have no solver of their own."""
    positions = [f"/study?game={game}" for game in GAMES]
    random = Random(67)
    for _ in range(40):
        for game in load_games().values():
            texts = describe_seen(deal_sample_round(game), 0)
            counts = {name: len(text.split()) for name, text in texts.items()}
            cards = iter(random.sample(list(game.deck.cards), sum(counts.values())))
            dealt = {name: format_cards(islice(cards, count), game.deck) for name, count in counts.items()}
            positions.append(f"/study/values?{urlencode({'game': game.id, **dealt})}")
    await attacker.together(
        lambda number: attacker.ask("GET", positions[number], number=number), len(positions), ADDRESSES * 4
    )


async def judged(attacker: Attacker) -> None:
    """Have results judged that nobody has sent, as many rows as a form holds."""
    cookie, csrf = await attacker.come_in()
    bet = {"game": "shifting-wilds", "bet": "blackjack-bonus", "judge": "yes"}

    async def one(number: int) -> None:
        random = Random(number)
        rows = [f"{day % 9},{day:04},900,500,450000,{random.randrange(400_000, 450_000, 500)}" for day in range(600)]
        results = "\n".join(["table,period,rounds,stake_cents,staked_cents,returned_cents", *rows])
        form = {"csrf": csrf, **bet, "results": results}
        await attacker.ask(
            "POST", ("/monitor", "/monitor/results", "/monitor/results.png")[number % 3], cookie, number, form
        )

    await attacker.together(one, 300, ADDRESSES * 4)


async def sheets(attacker: Attacker) -> None:
    """Ask for the sheets of all bets of all games at once."""
    found: list[str] = []
    for game in GAMES:
        _, page = await attacker.ask("GET", f"/par?game={game}")
        select = re.search(rb'<select[^>]*name="bet".*?</select>', page, re.DOTALL)
        bets = re.findall(rb'<option value="([^"]+)"', select[0]) if select else []
        found += [f"/par/sheet?game={game}&bet={bet.decode()}" for bet in bets]
    await attacker.together(
        lambda number: attacker.ask("GET", found[number], number=number), len(found), len(found) or 1
    )


async def kept_sheets(attacker: Attacker) -> None:
    """Ask again and again for the longest sheet, which was counted before, and for its pays edited."""
    path = "/par/sheet?game=lunar&bet=main"
    while attacker.left > 0 and (await attacker.ask("GET", path))[0] == "202":
        pass  # it was waited for until then
    await attacker.together(
        lambda number: attacker.ask("GET", f"{path}&pay-royal-flush={101 + number}", number=number), 3_000, 40
    )


async def kept_designs(attacker: Attacker) -> None:
    """Ask again and again for the tables that a search has found."""
    path = "/design/tables?game=six-card&bet=aces-up&edge=2%25..4%25&order=any"
    while attacker.left > 0 and (await attacker.ask("GET", path))[0] == "202":
        pass  # it was waited for until then
    await attacker.together(lambda number: attacker.ask("GET", path, number=number), 3_000, 40)


async def reports(attacker: Attacker) -> None:
    """Ask for whole reports of all games as files."""
    files = [f"/par/{game}.{kind}" for game in GAMES for kind in ("pdf", "xlsx", "json")]
    await attacker.together(lambda number: attacker.ask("GET", files[number], number=number), len(files), len(files))


async def exact(attacker: Attacker) -> None:
    """Ask for the exact values of pays that nobody has asked for, each minutes of work, as guests old and new."""
    cookies = [(await attacker.come_in(number))[0] for number in range(ADDRESSES)]

    async def one(number: int) -> None:
        path = f"/par/exact?game=lunar&bet=main&pay-royal-flush={1_000 + number}"
        await attacker.ask("GET", path, cookies[number % ADDRESSES] if number % 8 < ADDRESSES else "", number)

    await attacker.together(one, 600, 20)


async def drills(attacker: Attacker) -> None:
    """Begin drill after drill."""
    cookie, csrf = await attacker.come_in()

    async def one(number: int) -> None:
        await attacker.ask("POST", "/training", cookie, number, {"csrf": csrf, "game": "lunar", "seats": "6"})

    await attacker.together(one, 300, 8)


async def tables(attacker: Attacker) -> None:
    """Open table after table, each as somebody new."""

    async def one(number: int) -> None:
        cookie, csrf = await attacker.come_in(number)
        await attacker.ask("POST", "/tables", cookie, number, {"csrf": csrf, "game": "six-card", "bots": "5"})

    await attacker.together(one, 150, 4)


async def unknown(attacker: Attacker) -> None:
    """Ask for tables that there are not, where there are many."""
    await attacker.together(
        lambda number: attacker.ask("GET", f"/tables/six-card-{number:010x}", number=number), 2_000, 20
    )


async def nonsense(attacker: Attacker) -> None:
    """Send what is no HTTP, or barely."""
    made = malformed(Random(66))
    await attacker.together(lambda number: attacker.send(next(made), number, ends=number % 50 > 0), 1_000, 20)


async def pages(attacker: Attacker) -> None:
    """Load the dearest pages, many at once."""
    paths = ("/", "/par", "/training", "/open/lunar", "/rules/wild-six-card", "/cards.svg", "/progressive")
    await attacker.together(lambda number: attacker.ask("GET", paths[number % len(paths)], number=number), 3_000, 40)


Attack = Callable[[Attacker], Awaitable[None]]

ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (
        nothing, half_open, slow_headers, slow_bodies, streams, charsets, leaks, coaches, studies, judged, sheets,
        kept_sheets, kept_designs, reports, exact, drills, tables, unknown, nonsense, pages,
    )
}  # fmt: skip


class Outcome(NamedTuple):
    """What two guests waited during an attack, what came of all that was tried, and what it left at the server."""

    waits: Waits
    came: Counter[str]
    traces: int
    megabytes: int

    def __str__(self) -> str:
        """Say it in a line."""
        came = ", ".join(f"{what} {times}" for what, times in self.came.most_common())
        return f"{self.waits}; server {self.megabytes} MB, {self.traces} traces logged; came: {came}"


def try_attack(name: str, seconds: float) -> Outcome:
    """Attack a server of its own for some seconds, while two guests play at it."""
    with TemporaryDirectory(dir=MEMORY) as folder:
        log = Path(folder) / "log"
        casino = Casino(Path(folder), log=log, games=EXAMPLES, per_address=PER_ADDRESS)
        with _descriptors(DESCRIPTORS):
            casino.start()
        try:
            host, _, port = casino.address.removeprefix("http://").partition(":")
            guests = subprocess.Popen(
                [sys.executable, "-m", "web.honest", f"{host}:{port}", str(seconds + SETTLING_SECONDS)],
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            time.sleep(SETTLING_SECONDS)
            came = run_alone(_attacked(ATTACKS[name], host, int(port), seconds))
            waits = Waits(**json.loads(guests.communicate(timeout=10 * PATIENCE_SECONDS)[0]))
            resident = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{casino.pid}/status").read_text())
            return Outcome(
                waits, came, log.read_text().count("Traceback"), int(resident[1]) // 1_024 if resident else 0
            )
        finally:
            casino.kill()


@contextmanager
def _descriptors(most: int) -> Iterator[None]:
    """Let this process, and those it starts, have so many files open unless they raise it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def _attacked(attack: Attack, host: str, port: int, seconds: float) -> Counter[str]:
    attacker = Attacker(host, port, asyncio.get_running_loop().time() + seconds)
    with _descriptors(2 * (HALF_OPEN + STREAMS)):
        try:
            async with asyncio.timeout(seconds):
                await attack(attacker)
        except TimeoutError:
            attacker.came["still at it"] += 1
        finally:
            attacker.leave()
    return attacker.came


def main(*names: str) -> None:
    """Try attacks one after another, all unless some are named, and print what came of each."""
    for name in names or ATTACKS:
        sys.stdout.write(f"{name}: {try_attack(name, 15)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
