"""How answers are graded: the action, the amount, the mistake and the cut.

An answer is stored with its question, so later versions can read it.
"""

from pydantic import field_validator

from pitboss.core.errors import IllegalActionError
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel
from pitboss.table.training.chips import break_down, format_stacks, parse_cut
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.disputes import DISPUTE_CASE
from pitboss.table.training.step_texts import ALL_IS_SETTLED, SEAT_IS_SETTLED

_ACTIONS = frozenset(ChipAction)
_RENAMED_CASES = {"a hand that pays envy": "whether a hand pays envy"}
"""Cases that records of earlier versions call otherwise."""


class TraineeAnswer(StrictModel):
    """A trainee's answer to a question.

    ``first`` means that the question was asked for the first time.  ``mispaid_cents`` is the amount in the seat's
    circle after the answer, minus the right amount; ``slip`` names the mistake that leads to it, if it is a known one.
    ``at_ms`` is when it was given, in milliseconds since 1970, 0 in the records of earlier versions.  ``cards`` lay
    open on the table; the records of earlier versions leave out other seats.  ``chips`` are the fewest chips of the
    right amount, and ``is_house_cut`` says whether the amount was cut in its fewest; None where no chips were cut.
    ``situation`` says what on the table makes a step right, and the answer wrong, "" in the records of earlier
    versions.
    """

    drill: str
    game: str
    case: str
    clause: str
    question: str
    reason: str
    said: str
    wanted: str
    first: bool
    right: bool
    mispaid_cents: int = 0
    slip: str = ""
    at_ms: int = 0
    round_number: int = 1
    cards: str = ""
    chips: str = ""
    is_house_cut: bool | None = None
    situation: str = ""

    @field_validator("case")
    @classmethod
    def _rename_case(cls, case: str) -> str:
        return _RENAMED_CASES.get(case, case)

    @property
    def is_about_chips(self) -> bool:
        """Whether the question was what happens to chips, which alone can be mispaid."""
        return self.wanted.split(" ")[0] in _ACTIONS

    @property
    def right_clause(self) -> str:
        """The clause of a dispute whose verdict alone was right, "" for any other answer."""
        (said, _, _), (wanted, _, clause) = self.said.partition(": "), self.wanted.partition(": ")
        is_verdict_right = self.case == DISPUTE_CASE and said == wanted
        return clause if is_verdict_right and not self.right else ""

    @property
    def fault(self) -> str:
        """What was wrong with it, "" for nothing.

        For chips, it is the action or the amount before the cut.
        """
        if self.right:
            return ""
        said, wanted = (text.split(" ")[0] for text in (self.said, self.wanted))
        faults = []
        if said not in _ACTIONS:  # a step or a dispute
            return "wrong: the verdict is right, the clause is not" if self.right_clause else "wrong"
        if self.mispaid_cents:
            side = "over" if self.mispaid_cents > 0 else "short"
            faults.append(f"{side} by {format_cents(abs(self.mispaid_cents))}{f': {self.slip}' if self.slip else ''}")
        elif said != wanted:
            faults.append("not the right action")
        if self.is_house_cut is False:
            faults.append("not the fewest chips")
        return "wrong: " + ", and ".join(faults)


def grade_answer(question: DealerQuestion, answer: str, cents: int, cut: str = "") -> TraineeAnswer:
    """Grade the answer to a question.

    ``cut`` are the chips of the amount (``parse_cut``).

    Raises:
        IllegalActionError: it is not one of the answers, or far more than any hand could win.
    """
    if answer not in (question.choices or tuple(ChipAction)):
        raise IllegalActionError("choose one of the answers", code="invalid-answer")
    paid_cents = cents if answer in _ACTIONS_WITH_AMOUNT and not question.choices else 0
    if paid_cents > question.max_cents:
        raise IllegalActionError(
            f"{format_cents(paid_cents)} is far more than any hand could win here: check the amount",
            code="amount-too-large",
            paid_cents=paid_cents,
        )
    mispaid_cents = 0
    stacks = parse_cut(cut, paid_cents)
    if not question.choices:
        right_cents = _compute_chips_left(question, question.answer, question.cents)
        mispaid_cents = _compute_chips_left(question, answer, paid_cents) - right_cents
    return TraineeAnswer(
        drill="",
        game="",
        case=question.case,
        clause=question.clause,
        question=question.full_text,
        reason=question.reason,
        situation=_join_facts(dict(question.faults).get(answer, ""), question.situation),
        said=answer if question.choices else _format_answer(answer, paid_cents) + _format_cut(stacks, paid_cents),
        wanted=question.answer if question.choices else _format_answer(question.answer, question.cents),
        first=False,
        right=answer == question.answer and not mispaid_cents,
        mispaid_cents=mispaid_cents,
        slip=_find_slip(question, answer, paid_cents) if mispaid_cents else "",
        chips="" if question.choices else format_stacks(break_down(question.cents), question.cents),
        is_house_cut=stacks == break_down(paid_cents) if stacks else None,
    )


def _join_facts(fault: str, situation: str) -> str:
    """Join what makes an answer wrong and the right one right, each once."""
    if fault.startswith(SEAT_IS_SETTLED) and situation.startswith(ALL_IS_SETTLED):
        return situation
    return "; ".join(filter(None, dict.fromkeys((fault, situation))))


def _find_slip(question: DealerQuestion, action: str, cents: int) -> str:
    """Find the mistake that leads to an amount, "" for none that is known."""
    if action != question.answer:
        return _describe_wrong_action(question, ChipAction(action), cents)
    return next((mistake for mistake, paid_cents in question.mispays if paid_cents == cents), "")


def _describe_wrong_action(question: DealerQuestion, action: ChipAction, cents: int) -> str:
    """Say what was done with the chips instead, and what was left undone."""
    stake, win = format_cents(question.stake_cents), format_cents(question.cents)
    undone = {
        ChipAction.TAKE: f"the losing {stake} was not taken",
        ChipAction.PAY: f"the win of {win} was not paid",
        ChipAction.COLLECT: f"the {win} due was not collected",
        ChipAction.PUSH: "the circle pushes",
    }[ChipAction(question.answer)]
    done = {
        ChipAction.TAKE: f"{stake} was taken" if question.stake_cents else "",
        ChipAction.PAY: f"{format_cents(cents)} was paid" if cents else "",
        ChipAction.COLLECT: f"{format_cents(cents)} was collected" if cents else "",
        ChipAction.PUSH: "",
    }[action]
    return ", and ".join(filter(None, (done, undone)))


_ACTIONS_WITH_AMOUNT = (ChipAction.PAY, ChipAction.COLLECT)


def _compute_chips_left(question: DealerQuestion, action: str, cents: int) -> int:
    """Compute the chips in the circle after an action, in cents.

    Chips that the seat hands over are subtracted.
    """
    change_cents = {ChipAction.TAKE: -question.stake_cents, ChipAction.PAY: cents, ChipAction.COLLECT: -cents}
    return question.stake_cents + change_cents.get(ChipAction(action), 0)


def _format_answer(action: str, cents: int) -> str:
    return f"{action} {format_cents(cents)}" if action in _ACTIONS_WITH_AMOUNT else f"{action} it"


def _format_cut(stacks: tuple[tuple[int, int], ...], cents: int) -> str:
    return f" ({format_stacks(stacks, cents)})" if stacks else ""
