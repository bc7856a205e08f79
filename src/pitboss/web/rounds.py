"""A table's round, in the words of both systems, and its awards from hit to payment."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request, Response

from pitboss.jackpot.commands import Cancel, Close, Confirm, Hit, Open, Pay, Reprint
from pitboss.jackpot.events import Wager
from pitboss.jackpot.report import as_text, printed, win_page
from pitboss.jackpot.roles import Actor
from pitboss.reports.win_page import as_pdf
from pitboss.web.answers import Done, DoneWithPage
from pitboss.web.forms import MOST_NUMBER, CoinIn, Digits, HandButton, Proved
from pitboss.web.house import House, TheHouse
from pitboss.web.part import part
from pitboss.web.sessions import Guard, Visitor, proved

router = part("rounds")

Number = Path(ge=1, le=MOST_NUMBER, examples=[1])
Table = Annotated[Digits, Number]
Round = Annotated[Digits, Number]
Award = Annotated[Digits, Number]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=8,
        max_length=100,
        pattern=r"^[!-~]+$",
        examples=["table-1-round-1-open"],
        description="The command's own key: sent again with it, it is done once and answered as the first time.",
    ),
]

PDF = "application/pdf"
WITH_PDF: dict[int | str, dict[str, Any]] = {
    200: {"content": {PDF: {"schema": {"type": "string", "format": "binary"}}}}
}
"""What is documented of an answer that is a PDF where that is accepted."""


@router.post("/tables/{table}/rounds/{number}/open")
def open_round(
    table: Table,
    number: Round,
    form: CoinIn,
    key: Key,
    house: TheHouse,
    visitor: Annotated[Visitor, Depends(Guard("open"))],
) -> Done:
    """COIN IN, START GAME: lock and take the progressive wagers of a table's next round."""
    wagers = tuple(Wager(seat=wager.seat, cents=wager.cents) for wager in form.wagers)
    return Done.of(house.controller.do(Open(table=table, round=number, wagers=wagers), visitor.actor, key))


@router.post("/tables/{table}/rounds/{number}/hits")
def hit(
    table: Table,
    number: Round,
    form: HandButton,
    key: Key,
    house: TheHouse,
    visitor: Annotated[Visitor, Depends(Guard("hit"))],
) -> Done:
    """Hand button: select a seat's winning hand; the same hand again turns it off."""
    command = Hit(table=table, round=number, seat=form.seat, hand=form.hand, cards=form.cards)
    return Done.of(house.controller.do(command, visitor.actor, key))


@router.post("/tables/{table}/rounds/{number}/close")
def close_round(
    table: Table, number: Round, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("close"))]
) -> Done:
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""
    return Done.of(house.controller.do(Close(table=table, round=number), visitor.actor, key))


@router.post("/awards/{award}/cancel")
def cancel(award: Award, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("cancel"))]) -> Done:
    """Hand button again: turn a selected hand off, by the number of its award."""
    return Done.of(house.controller.do(Cancel(award=award), visitor.actor, key))


@router.post("/awards/{award}/confirm", response_model=DoneWithPage, responses=WITH_PDF)
def confirm(
    award: Award,
    form: Proved,
    key: Key,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("confirm"))],
) -> Response | DoneWithPage:
    """JPH and J-POT; confirm and card: log a win that was verified, by whoever gives the credentials again."""
    return _with_page(request, house, Confirm(award=award), proved(request, house, form.proof), key)


@router.post("/awards/{award}/pay", response_model=DoneWithPage, responses=WITH_PDF)
def pay(
    award: Award, key: Key, request: Request, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("pay"))]
) -> Response | DoneWithPage:
    """Pay a confirmed award, once, with its win page."""
    return _with_page(request, house, Pay(award=award), visitor.actor, key)


@router.post("/awards/{award}/reprint", response_model=DoneWithPage, responses=WITH_PDF)
def reprint(
    award: Award, key: Key, request: Request, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("reprint"))]
) -> Response | DoneWithPage:
    """Print a win page again, marked and counted."""
    return _with_page(request, house, Reprint(award=award), visitor.actor, key)


def _with_page(
    request: Request, house: House, command: Confirm | Pay | Reprint, actor: Actor, key: str
) -> Response | DoneWithPage:
    """Do a command and answer with the award's win page: a PDF if that is accepted, else text beside the outcome."""
    outcome = house.controller.do(command, actor, key)
    page = win_page(outcome.state, command.award)
    if PDF not in request.headers.get("accept", ""):
        return DoneWithPage.of(outcome, win_page=as_text(page))
    name = f"win-{command.award}{'-reprint' if page.mark else ''}.pdf"
    written = as_pdf(page, printed(outcome.state, datetime.now(UTC)))
    return Response(written, media_type=PDF, headers={"Content-Disposition": f'attachment; filename="{name}"'})
