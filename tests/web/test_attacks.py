"""One visitor does not stop the others: each attack on a real server, while two guests play who must not feel it."""

import pytest

from web.attacking import ATTACKS, try_attack

SECONDS = 20.0
MOST_WAIT_SECONDS = 0.5


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_guests_play_on_while_somebody_attacks(name: str) -> None:
    outcome = try_attack(name, SECONDS)
    assert outcome.waits.faults == [], outcome
    assert len(outcome.waits.seconds) > 100, outcome
    assert outcome.waits.at(0.99) < MOST_WAIT_SECONDS, outcome  # on two quiet cores
    assert outcome.traces == 0, outcome
