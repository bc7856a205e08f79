"""The API of a table's round and of its awards, from hit to payment.

It uses the words of both progressive systems.
"""

from typing import Annotated, NamedTuple

from fastapi import Depends, Header, Path, Request, Response

from pitboss.jackpot.command_execution import CommandOutcome
from pitboss.jackpot.commands import (
    OUTSIDE_KEY,
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
    ReprintWinPage,
)
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.proofs import Proof
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.win_pages import format_win_page
from pitboss.reports.win_page_pdf import to_pdf
from pitboss.web.api_router import describe_answer, make_api_router
from pitboss.web.auth.sessions import Caller, StaffGuard, verify_own, verify_password
from pitboss.web.forms import MAX_NUMBER, CoinInForm, CredentialsForm, Digits, HandButtonForm, ReauthForm
from pitboss.web.jackpot_context import JackpotDep, get_client_address
from pitboss.web.schemas import CommandResponse, HalfCodeResponse, WinPageResponse

router = make_api_router("rounds")

NUMBER_PATH = Path(ge=1, le=MAX_NUMBER, examples=[1])
TableNumber = Annotated[Digits, NUMBER_PATH]
RoundNumber = Annotated[
    Digits,
    Path(ge=0, le=MAX_NUMBER, examples=[1], description="0 is the table's next round to open, else its open round."),
]
AwardNumber = Annotated[Digits, NUMBER_PATH]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=8,
        max_length=100,
        pattern=OUTSIDE_KEY,
        examples=["table-1-round-1-open"],
        description="The command's own key: sent again with it, the command runs once and gets the first answer.",
    ),
]


class CommandCall(NamedTuple):
    """A request that gives a command under a key."""

    request: Request
    jackpot: JackpotDep
    key: IdempotencyKey

    def accepts_pdf(self) -> bool:
        """Return whether the client accepts a PDF."""
        return PDF_TYPE in self.request.headers.get("accept", "")

    def prove(self, form: CredentialsForm) -> Proof:
        """Verify the password that is asked for again; the code is used with the command."""
        return verify_password(self.request, self.jackpot, form)

    def execute(self, command: ProgressiveCommand, by: Actor | Proof) -> CommandOutcome:
        """Execute the command once, however often it comes with this key."""
        outcome = self.jackpot.execute(command, by, self.key, get_client_address(self.request))
        self.request.state.name = by.actor.name if isinstance(by, Proof) else by.name
        return outcome

    def run(self, command: ProgressiveCommand, by: Actor | Proof) -> CommandResponse:
        """Execute the command and return its response."""
        return CommandResponse.from_outcome(self.execute(command, by))

    def run_for_own_eyes(self, command: ProgressiveCommand, caller: Caller, proof: CredentialsForm) -> HalfCodeResponse:
        """Execute the command in its actor's own session; return half of a code.

        In the session of anybody else, that person would see both halves.
        """
        verify_own(caller, proof)
        return HalfCodeResponse.from_half_code(self.execute(command, self.prove(proof)), caller.actor)


CommandCallDep = Annotated[CommandCall, Depends()]

PDF_TYPE = "application/pdf"
PDF_RESPONSES = describe_answer({PDF_TYPE: {"type": "string", "format": "binary"}})
"""The documented response of an operation that answers with a PDF if the client accepts it."""


@router.post("/tables/{table}/rounds/{number}/open")
def open_round(
    table: TableNumber,
    number: RoundNumber,
    form: CoinInForm,
    call: CommandCallDep,
    caller: Annotated[Caller, Depends(StaffGuard("open"))],
) -> CommandResponse:
    """Lock and take the progressive wagers of a table's next round.

    The two progressive systems call this "COIN IN" and "START GAME".
    """
    wagers = tuple(ProgressiveWager(seat=wager.seat, cents=wager.cents) for wager in form.wagers)
    return call.run(OpenRound(table=table, round=number, wagers=wagers), caller.actor)


@router.post("/tables/{table}/rounds/{number}/hits")
def hit(
    table: TableNumber,
    number: RoundNumber,
    form: HandButtonForm,
    call: CommandCallDep,
    caller: Annotated[Caller, Depends(StaffGuard("hit"))],
) -> CommandResponse:
    """Hand button: select a seat's winning hand; the same hand again cancels it."""
    command = EnterHit(table=table, round=number, **form.model_dump())
    return call.run(command, caller.actor)


@router.post("/tables/{table}/rounds/{number}/close")
def close_round(
    table: TableNumber,
    number: RoundNumber,
    call: CommandCallDep,
    caller: Annotated[Caller, Depends(StaffGuard("close"))],
) -> CommandResponse:
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""
    return call.run(CloseRound(table=table, round=number), caller.actor)


@router.post("/awards/{award}/cancel")
def cancel(
    award: AwardNumber, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("cancel"))]
) -> CommandResponse:
    """Hand button again: cancel a selected hand, by the number of its award."""
    return call.run(CancelHit(award=award), caller.actor)


@router.post("/awards/{award}/confirm", response_model=WinPageResponse, responses=PDF_RESPONSES)
def confirm(
    award: AwardNumber,
    form: ReauthForm,
    call: CommandCallDep,
    _caller: Annotated[Caller, Depends(StaffGuard("confirm"))],
) -> Response | WinPageResponse:
    """Log a verified win and print its win page.

    It is logged in the name of the credentials given again.

    The two progressive systems call this "JPH and J-POT" and "confirm and card".
    """
    return _answer_with_win_page(call, ConfirmAward(award=award), call.prove(form.proof))


@router.post("/awards/{award}/pay", response_model=WinPageResponse, responses=PDF_RESPONSES)
def pay(
    award: AwardNumber, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("pay"))]
) -> Response | WinPageResponse:
    """Pay a confirmed award, once.

    If the client accepts a PDF, the win page is printed once more, as a reprint of the one of the confirmation.
    """
    prints = call.accepts_pdf()
    return _answer_with_win_page(call, PayAward(award=award, prints=prints), caller.actor)


@router.post("/awards/{award}/reprint", response_model=WinPageResponse, responses=PDF_RESPONSES)
def reprint(
    award: AwardNumber, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("reprint"))]
) -> Response | WinPageResponse:
    """Print a win page again, marked and counted."""
    return _answer_with_win_page(call, ReprintWinPage(award=award), caller.actor)


def _answer_with_win_page(
    call: CommandCall, command: ConfirmAward | PayAward | ReprintWinPage, by: Actor | Proof
) -> Response | WinPageResponse:
    """Execute a command and answer with the win page that it printed.

    The answer is a PDF if the client accepts one, otherwise text with the outcome of the command.
    """
    outcome = call.execute(command, by)
    page = outcome.win_page
    if page is None or not call.accepts_pdf():
        return WinPageResponse.from_outcome(outcome, win_page=format_win_page(page) if page else "")
    name = f"win-{command.award}{'-reprint' if page.mark else ''}.pdf"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(to_pdf(page), media_type=PDF_TYPE, headers=headers)
