"""Processes that use a ledger and are killed, or use it all at once; run as a script, whose answer is JSON.

It forks: so it must have no threads of its own, and what it imports is imported once.
"""

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np

from jackpot.house import DEALER, EXECUTIVE, settings
from pitboss.jackpot.commands import CloseRound, ConfirmAward, EnterHit, OpenRound, PayAward, ProgressiveCommand
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.roles import Actor
from pitboss.ledger.availability import PROBE_INTERVAL_SECONDS, UNREACHABLE
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

STEPS = 5
TABLES = 100
SEATS = 6
CREW = 4
OFTEN = 0.05


def step(number: int) -> tuple[ProgressiveCommand, Actor]:
    """Return a step of table 1's rounds, each with a straight flush; award and round have the same number."""
    now, part = number // STEPS + 1, number % STEPS
    wagers = (ProgressiveWager(seat=2, cents=100), ProgressiveWager(seat=5, cents=100))
    steps: tuple[tuple[ProgressiveCommand, Actor], ...] = (
        (OpenRound(table=1, round=now, wagers=wagers), DEALER),
        (EnterHit(table=1, round=now, seat=5, hand="straight-flush"), DEALER),
        (ConfirmAward(award=now), EXECUTIVE),
        (PayAward(award=now), DEALER),
        (CloseRound(table=1, round=now), DEALER),
    )
    return steps[part]


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """Do work in a process of its own; return its number and where to read what it acknowledges."""
    read, write = os.pipe()
    process = os.fork()
    if process:
        os.close(write)
        return process, read
    os.close(read)
    try:
        work(write)
    except Exception:
        traceback.print_exc()
        raise
    finally:
        os._exit(1)


def killed_again_and_again(url: str, key: Path, kills: int, seed: int) -> dict[str, int]:
    """Kill a process at random instants; return what was lost, doubled, and how many steps were done."""
    chance = np.random.default_rng(seed)
    done = lost = unheard = 0

    def steps(write: int) -> None:
        controller = Controller(Store(url), Signer(key))
        os.write(write, b"r")
        for number in range(done, done + 10_000):
            controller.execute(*step(number), f"step-{number:08}")
            os.write(write, b"a")

    for _ in range(kills):
        process, read = forked(steps)
        select.select([read], [], [], 60)
        time.sleep(chance.uniform(0, 0.15))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        said = b""
        while piece := os.read(read, 65_536):
            said += piece
        os.close(read)
        done += said.count(b"a")
        store = Store(url)
        controller = Controller(store, Signer(key))  # checks all that there is
        with store.begin_read() as transaction:
            answers = transaction.get_head().answers
        lost += max(0, done - answers)
        unheard += max(0, answers - done)
        controller.execute(*step(done), f"step-{done:08}")  # whoever was not answered asks again
        done += 1
        store.close()
    store = Store(url)
    controller = Controller(store, Signer(key))
    counts = controller.verify().state.counts[1]
    store.close()
    doubled = controller.head.sequence - 2 - done  # a step is an entry; two set the progressive up
    rounds = (done + STEPS - 1) // STEPS
    return {
        "done": done,
        "lost": lost,
        "doubled": doubled,
        "unheard": unheard,
        "in_count_wrong": counts.in_count - 2 * rounds,
    }


def ask_until_answered(controller: Controller, command: ProgressiveCommand, mark: str) -> None:
    """Send a dealer's command again, as a station does, while others keep the database from answering."""
    while True:
        try:
            controller.execute(command, DEALER, mark)
        except LedgerError as error:
            if error.code != UNREACHABLE:
                raise
            time.sleep(PROBE_INTERVAL_SECONDS)
        else:
            return


def all_at_once(url: str, key: Path, bets: int, seed: int) -> dict[str, int]:
    """Play at 100 tables from several processes, some deliveries twice and some out of order."""
    rounds = bets // (TABLES * SEATS)
    wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in range(1, SEATS + 1))

    def tables_of(crew: int) -> Callable[[int], None]:
        def work(write: int) -> None:
            chance = np.random.default_rng(seed + crew)
            controller = Controller(Store(url), Signer(key))
            sent = 0

            def send(command: ProgressiveCommand, mark: str) -> bool:
                nonlocal sent
                for _ in range(1 + (chance.random() < OFTEN)):
                    sent += 1
                    try:
                        ask_until_answered(controller, command, mark)
                    except RefusalError:
                        return False
                return True

            for now in range(1, rounds + 1):
                for table in range(1 + crew, TABLES + 1, CREW):
                    mark = f"{table}-{now}"
                    if chance.random() < OFTEN:  # overtakes COIN IN
                        assert not send(CloseRound(table=table, round=now), f"early-{mark}")
                    assert send(OpenRound(table=table, round=now, wagers=wagers), f"open-{mark}")
                    if chance.random() < OFTEN:  # overtakes GAME OVER
                        assert not send(OpenRound(table=table, round=now + 1, wagers=wagers), f"early-open-{mark}")
                    assert send(CloseRound(table=table, round=now), f"close-{mark}")
            os.write(write, sent.to_bytes(8, "big"))

        return work

    crew = [forked(tables_of(number)) for number in range(CREW)]
    sent = [int.from_bytes(os.read(read, 8), "big") for _, read in crew]
    for process, _ in crew:
        os.waitpid(process, 0)
    store = Store(url)
    state = Controller(store, Signer(key)).verify().state
    store.close()
    return {
        "sent": sum(sent),
        "crews_done": sum(count > 0 for count in sent),
        "bets": sum(each.in_count for each in state.counts.values()),
        "meter_units": state.meter_units,
        "reserve_units": state.reserve_units,
    }


def main() -> None:
    """Set a progressive up in an empty database, and let the tellers at it."""
    what, url, key, much, seed = sys.argv[1:]
    store = Store.open_or_create(url)
    Controller(store, Signer.load_or_create(Path(key))).create(settings(tables=TABLES), EXECUTIVE.name)
    store.close()
    work = {"killed": killed_again_and_again, "at-once": all_at_once}[what]
    sys.stdout.write(json.dumps(work(url, Path(key), int(much), int(seed))))


if __name__ == "__main__":
    main()
