"""One visitor does not stop the others: each attack on a real server, while two guests play who must not feel it.

What they waited is printed and written to ``build/attacks.txt``.  On two cores with nothing else to do
(``PITBOSS_QUIET=1``), it is also compared with what is allowed.
"""

import os
import sys
from pathlib import Path

import pytest

from web.attacking import ATTACKS, try_attack

SECONDS = 20.0
MOST_WAIT_SECONDS = 0.5
QUIET = "PITBOSS_QUIET" in os.environ
SERVED = 100 if QUIET else 20
"""Answers that the guests have in that time at least."""

RECORD = Path(__file__).parents[2] / "build" / "attacks.txt"


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_guests_play_on_while_somebody_attacks(name: str) -> None:
    outcome = try_attack(name, SECONDS)
    line = f"{name}: {outcome}; {'a quiet' if QUIET else 'a busy'} machine\n"
    RECORD.parent.mkdir(exist_ok=True)
    with RECORD.open("a", encoding="utf-8") as record:
        record.write(line)
    sys.stdout.write(line)
    assert outcome.waits.faults == [], line
    assert len(outcome.waits.seconds) > SERVED, line
    assert outcome.traces == 0, line
    if QUIET:
        assert outcome.waits.at(0.99) < MOST_WAIT_SECONDS, line
