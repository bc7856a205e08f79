"""Proofs of who sends a command: a verified password and a one-time code.

Verifying a password takes long, so it is done before the transaction.  The code is used within the transaction that
writes the command and its answer, and the answer notes the code's time step.  So after a crash at any point the same
request is either answered from the ledger, by the same proof, or executed with a code that is still unused.
"""

from collections.abc import Callable
from typing import NamedTuple

from pitboss.jackpot.roles import Actor
from pitboss.ledger.chain import CommandAnswer
from pitboss.ledger.command_log import ProofCheck, ProofResult, read_notes

STEP_NOTE = "proof_step"
"""The note in an answer with the time step of the code that came with its command."""


class Proof(NamedTuple):
    """A person whose password is right, and the check of the one-time code.

    ``record_failure`` writes the entry of a wrong code, after the transaction that rejected it.
    """

    actor: Actor
    admit: ProofCheck
    record_failure: Callable[[], None]


def note_step(step: int) -> ProofResult:
    """Admit a command, and note the time step of its code for the answer."""
    return ProofResult(notes={STEP_NOTE: step})


def get_noted_step(answer: CommandAnswer | None, name: str) -> int:
    """Return the time step noted in a person's first answer, -1 for none."""
    if answer is None or answer.actor != name:
        return -1
    step = read_notes(answer).get(STEP_NOTE, -1)
    return step if isinstance(step, int) else -1
