"""A question to the dealer: a step of the procedure, a payment, or a dispute."""

import re
from dataclasses import dataclass
from enum import StrEnum

from pitboss.contract import LegResult


class ChipAction(StrEnum):
    """A dealer's action with the chips of a circle, or of a tax."""

    TAKE = "take"
    PUSH = "leave"
    PAY = "pay"
    COLLECT = "collect"


ACTION_BY_RESULT = {
    LegResult.WIN: ChipAction.PAY,
    LegResult.PUSH: ChipAction.PUSH,
    LegResult.LOSE: ChipAction.TAKE,
}


@dataclass(frozen=True, slots=True)
class DealerQuestion:
    """A question to the dealer.

    A step or a dispute has ``choices``; ``answer`` is the right one.  A payment has no choices: its answer is a
    ``ChipAction``, with ``cents`` if the dealer pays or collects, and ``mispays`` names amounts that dealers pay
    by mistake.  ``clause`` is its place in the procedure, ``reason`` the reason by the rules, ``case`` what the
    question teaches.  It is asked after ``event_count`` events of the round, when the hands of the seats ``mucked`` are
    collected; it is about the seat ``seat``, None for no seat.  ``last_step`` is the step done before, which the cards
    alone do not show, "" for none.  ``situation`` says what on the table makes the step right, "" where it is a rule
    alone; ``faults`` are choices that a fact of their seat makes wrong, each with the fact.  ``cleared`` are the
    circles of the wager being settled that are asked about before.
    """

    question: str
    answer: str
    case: str
    clause: str
    event_count: int
    choices: tuple[str, ...] = ()
    cents: int = 0
    reason: str = ""
    stake_cents: int = 0
    max_cents: int = 0
    mucked: tuple[int, ...] = ()
    seat: int | None = None
    mispays: tuple[tuple[str, int], ...] = ()
    last_step: str = ""
    situation: str = ""
    faults: tuple[tuple[str, str], ...] = ()
    cleared: tuple[str, ...] = ()

    @property
    def last_step_text(self) -> str:
        """The step done before in words, "" for none."""
        return self.last_step and f"Last step: {self.last_step}{'' if self.last_step.endswith('?') else '.'}"

    @property
    def last_seat(self) -> int | None:
        """The seat of the step done before, None where it names none."""
        found = re.search(r"\bseat (\d+)", self.last_step)
        return int(found[1]) - 1 if found else None

    @property
    def full_text(self) -> str:
        """The question with the step done before, as a record keeps it."""
        return f"{self.last_step_text} {self.question}".strip()


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """A step of the procedure, and wrong steps that a dealer might take there.

    ``situation`` says what makes it right, where the cards and the events of the round do not.
    """

    text: str
    case: str
    clause: str
    event_count: int
    wrong: tuple[str, ...] = ()
    mucked: tuple[int, ...] = ()
    seat: int | None = None
    situation: str = ""
