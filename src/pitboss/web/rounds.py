"""The API of a table's round and its awards from hit to payment, in the words of both systems."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request, Response

from pitboss.jackpot.commands import CancelHit, CloseRound, ConfirmAward, EnterHit, OpenRound, PayAward, ReprintWinPage
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.reports import format_page_footer, format_win_page, make_win_page
from pitboss.jackpot.roles import Actor
from pitboss.reports.win_page_pdf import to_pdf
from pitboss.web.api_router import make_api_router
from pitboss.web.forms import MAX_NUMBER, CoinInForm, Digits, HandButtonForm, ReauthForm
from pitboss.web.jackpot_context import JackpotContext, JackpotDep
from pitboss.web.schemas import CommandResponse, WinPageResponse
from pitboss.web.sessions import StaffGuard, Visitor, authenticate

router = make_api_router("rounds")

NUMBER_PATH = Path(ge=1, le=MAX_NUMBER, examples=[1])
TableNumber = Annotated[Digits, NUMBER_PATH]
RoundNumber = Annotated[Digits, NUMBER_PATH]
AwardNumber = Annotated[Digits, NUMBER_PATH]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=8,
        max_length=100,
        pattern=r"^[!-~]+$",
        examples=["table-1-round-1-open"],
        description="The command's own key: sent again with it, the command runs once and gets the first answer.",
    ),
]

PDF_TYPE = "application/pdf"
PDF_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {PDF_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
"""The documented response of an operation that answers with a PDF if the client accepts it."""


@router.post("/tables/{table}/rounds/{number}/open")
def open_round(
    table: TableNumber,
    number: RoundNumber,
    form: CoinInForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("open"))],
) -> CommandResponse:
    """COIN IN, START GAME: lock and take the progressive wagers of a table's next round."""
    wagers = tuple(ProgressiveWager(seat=wager.seat, cents=wager.cents) for wager in form.wagers)
    return CommandResponse.from_outcome(
        jackpot.controller.execute(OpenRound(table=table, round=number, wagers=wagers), visitor.actor, key)
    )


@router.post("/tables/{table}/rounds/{number}/hits")
def hit(
    table: TableNumber,
    number: RoundNumber,
    form: HandButtonForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("hit"))],
) -> CommandResponse:
    """Hand button: select a seat's winning hand; the same hand again cancels it."""
    command = EnterHit(table=table, round=number, seat=form.seat, hand=form.hand, cards=form.cards)
    return CommandResponse.from_outcome(jackpot.controller.execute(command, visitor.actor, key))


@router.post("/tables/{table}/rounds/{number}/close")
def close_round(
    table: TableNumber,
    number: RoundNumber,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("close"))],
) -> CommandResponse:
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(CloseRound(table=table, round=number), visitor.actor, key)
    )


@router.post("/awards/{award}/cancel")
def cancel(
    award: AwardNumber,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("cancel"))],
) -> CommandResponse:
    """Hand button again: cancel a selected hand, by the number of its award."""
    return CommandResponse.from_outcome(jackpot.controller.execute(CancelHit(award=award), visitor.actor, key))


@router.post("/awards/{award}/confirm", response_model=WinPageResponse, responses=PDF_RESPONSES)
def confirm(
    award: AwardNumber,
    form: ReauthForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("confirm"))],
) -> Response | WinPageResponse:
    """JPH and J-POT; confirm and card: log a verified win, in the name of the credentials given again."""
    return _answer_with_win_page(
        request, jackpot, ConfirmAward(award=award), authenticate(request, jackpot, form.proof), key
    )


@router.post("/awards/{award}/pay", response_model=WinPageResponse, responses=PDF_RESPONSES)
def pay(
    award: AwardNumber,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("pay"))],
) -> Response | WinPageResponse:
    """Pay a confirmed award, once, with its win page."""
    return _answer_with_win_page(request, jackpot, PayAward(award=award), visitor.actor, key)


@router.post("/awards/{award}/reprint", response_model=WinPageResponse, responses=PDF_RESPONSES)
def reprint(
    award: AwardNumber,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("reprint"))],
) -> Response | WinPageResponse:
    """Print a win page again, marked and counted."""
    return _answer_with_win_page(request, jackpot, ReprintWinPage(award=award), visitor.actor, key)


def _answer_with_win_page(
    request: Request, jackpot: JackpotContext, command: ConfirmAward | PayAward | ReprintWinPage, actor: Actor, key: str
) -> Response | WinPageResponse:
    """Execute a command; answer with the award's win page as a PDF if accepted, else as text with the outcome."""
    outcome = jackpot.controller.execute(command, actor, key)
    page = make_win_page(outcome.state, command.award)
    if PDF_TYPE not in request.headers.get("accept", ""):
        return WinPageResponse.from_outcome(outcome, win_page=format_win_page(page))
    name = f"win-{command.award}{'-reprint' if page.mark else ''}.pdf"
    pdf = to_pdf(page, format_page_footer(outcome.state, datetime.now(UTC)))
    return Response(pdf, media_type=PDF_TYPE, headers={"Content-Disposition": f'attachment; filename="{name}"'})
