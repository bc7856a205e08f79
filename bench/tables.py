"""Tables under load: ``python -m bench.tables``, no part of ``make bench``, which takes seconds.

Six bots at each of many tables of all games; threads ask for one round after the other, each of which is decided,
sealed, chained and on the disk before it is answered.  The record is checked and read again at the end.
"""

import argparse
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from pitboss.games import games
from pitboss.table.service import Tables
from pitboss.table.sitting import HOUSE, Deal, Sit, Stakes, Terms
from pitboss.table.sitting.view import wagers_offered

MEGABYTES = 1024


def opened(tables: Tables, count: int) -> list[str]:
    """Open so many tables, of each game in turn, with six bots at each, and return their names."""
    names = [f"{game}-{number}" for number, game in zip(range(count), list(games()) * count, strict=False)]
    for name in names:
        tables.open(name, Terms(game=name.rpartition("-")[0]), f"open-{name}")
        offered = wagers_offered(tables.sitting(name))
        stakes = tuple(Stakes(bet=each["bet"], cents=1_000) for each in offered if each["status"] == "mandatory")
        for seat in range(1, 7):
            sit = Sit(seat=seat, cents=100_000, bot="practical", standing=stakes)
            tables.do(name, sit, HOUSE, f"sit-{name}-{seat}")
    return names


def played(tables: Tables, names: list[str], threads: int, seconds: float) -> list[float]:
    """Play rounds for so many seconds, and return what each took."""
    waits: list[float] = []
    ends = time.monotonic() + seconds

    def play(own: list[str]) -> None:
        number = 0
        while time.monotonic() < ends:
            number += 1
            for name in own:
                begun = time.monotonic()
                tables.do(name, Deal(), HOUSE, f"deal-{name}-{number}")
                waits.append(time.monotonic() - begun)

    crew = [threading.Thread(target=play, args=(names[place::threads],)) for place in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    return waits


def main() -> None:
    """Play, check the record, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=Path, help="where the database lies: another disk, or memory")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        tables = Tables.made(f"sqlite:///{folder}/tables.db", Path(folder) / "key")
        names = opened(tables, asked.tables)
        processor, clock = time.process_time(), time.monotonic()
        waits = played(tables, names, asked.threads, asked.seconds)
        processor, clock = time.process_time() - processor, time.monotonic() - clock
        middle, late = 1_000 * np.quantile(waits, (0.5, 0.99))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTES
        sys.stdout.write(
            f"{len(waits)} rounds at {len(names)} tables of six: {len(waits) / clock:.1f} a second, "
            f"{1_000 * processor / len(waits):.1f} ms of CPU each; p50 {middle:.0f} ms, p99 {late:.0f} ms; "
            f"{memory:.0f} MB; {tables.verify()} entries hold\n"
        )
        tables.close()


if __name__ == "__main__":
    main()
