"""Tables under load: ``python -m bench.tables``, no part of ``make bench``, which takes seconds.

Six at each of many tables of all games, bots or people; threads give one command after the other, each of which is
decided, sealed, chained and on the disk before it is answered.  Of bots a command is a whole round; people wager and
decide one by one, and choose as bots do while the clock stands.  The record is checked and read again at the end.
"""

import argparse
import resource
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

import numpy as np

from pitboss.cards import format_card
from pitboss.games import load_games
from pitboss.table.round.bots import choose_bot_action
from pitboss.table.service import TableService
from pitboss.table.session import (
    HOUSE,
    BetStake,
    DealRound,
    Phase,
    PlaceWagers,
    TableCommand,
    TableSession,
    TableTerms,
    TakeAction,
    TakeSeat,
)
from pitboss.table.session.available_wagers import list_available_wagers

SEATS = 6
CHIPS_CENTS = 10**9
STRATEGY = "practical"
READINGS = 10
MEGABYTE = 2**20


Waits = dict[tuple[str, str], "array[float]"]
"""How long commands waited, in seconds, by game and kind: few bytes each, as the memory is watched too."""


def opened(tables: TableService, count: int, people: int) -> list[TableSession]:
    """Open so many tables, of each game in turn, with six at each, the first ``people`` of them no bots."""
    sittings = []
    for number, game in zip(range(count), cycle(load_games()), strict=False):
        name = f"{game}-{number}"
        now = tables.open_table(name, TableTerms(game=game), f"open-{name}")
        stakes = stakes_at(now)
        for seat in range(1, SEATS + 1):
            person = TakeSeat(seat=seat, cents=CHIPS_CENTS, name=f"p{seat}")
            bot = TakeSeat(seat=seat, cents=CHIPS_CENTS, bot=STRATEGY, standing=stakes)
            command, by = (person, f"p{seat}") if seat <= people else (bot, HOUSE)
            now = tables.execute(name, command, by, f"sit-{name}-{seat}").session
        sittings.append(now)
    return sittings


def stakes_at(now: TableSession) -> tuple[BetStake, ...]:
    """Return ten dollars on every wager that a table has to have."""
    return tuple(
        BetStake(bet=each["bet"], cents=1_000) for each in list_available_wagers(now) if each["status"] == "mandatory"
    )


def next_command(now: TableSession) -> tuple[TableCommand, str]:
    """Return what is to be done next at a table where the house has done its own, and by whom."""
    if now.phase is Phase.WAGERS:
        waiting = next((seat for seat, held in now.seats.items() if held.stakes is None and not held.bot), None)
        return (
            (DealRound(), HOUSE)
            if waiting is None
            else (PlaceWagers(seat=waiting, stakes=stakes_at(now)), f"p{waiting}")
        )
    if now.round is None or now.turn is None:
        raise ValueError("the house settles at once")
    action, given = choose_bot_action(now.round, STRATEGY)
    cards = tuple(format_card(card, now.round.game.deck) for card in given)
    return TakeAction(seat=now.turn, action=action, cards=cards), f"p{now.turn}"


def played(tables: TableService, sittings: list[TableSession], threads: int, seconds: float) -> Waits:
    """Play for so many seconds, each thread at tables of its own, and return how long commands waited."""
    waits: Waits = {(game, kind): array("f") for game in load_games() for kind in ("deal", "wager", "decide")}
    ends = time.monotonic() + seconds

    def play(own: list[TableSession]) -> None:
        while time.monotonic() < ends:
            for place, now in enumerate(own):
                name, (command, by) = now.snapshot.table, next_command(now)
                begun = time.monotonic()
                own[place] = tables.execute(name, command, by, f"{name}-{now.snapshot.sequence}").session
                waits[now.terms.game, command.kind].append(time.monotonic() - begun)

    crew = [threading.Thread(target=play, args=(sittings[place::threads],)) for place in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    return waits


def memory_megabytes() -> float:
    """Return the memory that this process now has (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / MEGABYTE


def watched(seconds: float) -> tuple[list[float], Callable[[], None]]:
    """Begin to read the memory ten times in so many seconds; return what was read, and what ends it."""
    read, ended = [memory_megabytes()], threading.Event()

    def watch() -> None:
        while not ended.wait(seconds / READINGS):
            read.append(memory_megabytes())

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return read, ended.set


def line(what: str, waits: Iterable["array[float]"]) -> str:
    """Write how many commands were answered, and how long they waited."""
    taken = 1_000 * np.concatenate([np.asarray(each) for each in waits])
    if not taken.size:
        return ""
    middle, late = np.quantile(taken, (0.5, 0.99))
    return f"{what:16}{taken.size:8}{middle:8.1f}{late:8.1f}{taken.max():8.1f}\n"


def main() -> None:
    """Play, check the record, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--people", type=int, default=0, help="how many of the six are people")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=Path, help="where the database lies: another disk, or memory")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        tables = TableService.connect(f"sqlite:///{folder}/tables.db", Path(folder) / "key")
        sittings = opened(tables, asked.tables, asked.people)
        memory, end = watched(asked.seconds)
        processor, clock = time.process_time(), time.monotonic()
        waits = played(tables, sittings, asked.threads, asked.seconds)
        processor, clock = time.process_time() - processor, time.monotonic() - clock
        end()
        commands = sum(map(len, waits.values()))
        rounds = sum(len(each) for (_, kind), each in waits.items() if kind == "deal")
        sys.stdout.write(
            f"{len(sittings)} tables of six, {asked.people} of them people; {asked.threads} threads, {clock:.0f} s\n"
            f"{rounds} rounds: {rounds / clock:.1f} a second, {1_000 * processor / rounds:.1f} ms of CPU each; "
            f"{commands / clock:.1f} commands a second, {1_000 * processor / commands:.1f} ms of CPU each\n"
            f"{'how they waited':16}{'count':>8}{'p50 ms':>8}{'p99 ms':>8}{'longest':>8}\n"
        )
        sys.stdout.write(line("all", waits.values()))
        for place in (1, 0):
            for name in dict.fromkeys(key[place] for key in waits):
                sys.stdout.write(line(name, (each for key, each in waits.items() if key[place] == name)))
        sys.stdout.write(f"memory in MB, by tenths of the time: {', '.join(f'{each:.0f}' for each in memory)}\n")
        sys.stdout.write(f"{tables.verify()} entries hold\n")
        tables.close()


if __name__ == "__main__":
    main()
