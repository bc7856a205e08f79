"""``pitboss jackpot``: a progressive's round, from COIN IN to GAME OVER."""

from typing import Annotated

import typer

from pitboss.cli import jackpot_admin, jackpot_days, jackpot_operations, jackpot_reports, jackpot_staff
from pitboss.cli.arguments import parse_dollars
from pitboss.cli.jackpot_ledger import (
    LedgerCall,
    PdfOption,
    make_command,
    print_outcome,
    verify_win_page_pdf,
    with_ledger_options,
    write_win_page_pdf,
)
from pitboss.core.errors import quote
from pitboss.core.numbers import is_integer
from pitboss.jackpot.commands import (
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
)
from pitboss.jackpot.errors import RefusalError

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="markdown")

TableArgument = Annotated[int, typer.Argument(metavar="TABLE", min=1, help="The table's number.")]
AwardArgument = Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number, as `hit` printed it.")]
NextRoundOption = Annotated[
    int, typer.Option("--round", min=0, help="The round's number; default: the next round.", show_default=False)
]
RoundOption = Annotated[
    int, typer.Option("--round", min=0, help="The round's number; default: the open round.", show_default=False)
]
LinkOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The browser table that played the round, if it cannot end the round itself; somebody else "
        "must have signed an incident of the table.",
    ),
]


@app.callback()
def jackpot() -> None:
    """Run a progressive, with every step in a tamper-evident ledger.

    These commands play a round; in brackets are the keys of the keypad system and of the display system: `open` (COIN
    IN; START GAME), `hit` and `cancel` (hand button), `confirm` (JPH and J-POT; confirm and card), `pay`, `close` (GAME
    OVER; END GAME).

    Say who you are with `--as NAME`.  You are asked for your password, and supervisors and executives also for the code
    of their authenticator.  Piped input gives each answer on a line of its own; PITBOSS_PASSWORD and PITBOSS_CODE
    replace the questions.  PITBOSS_LEDGER replaces `--ledger`, and PITBOSS_KEY names the file of the signing key; by
    default it is next to an SQLite ledger.

    For example:

        pitboss jackpot init --executive eve --executive max --ledger floor.db
        pitboss jackpot open 1 --seats 1,3,6 --as dora --ledger floor.db
        pitboss jackpot hit 1 3 straight-flush --as dora --ledger floor.db
        pitboss jackpot confirm 1 --as sue --ledger floor.db
    """


@app.command("open")
@with_ledger_options()
def open_(
    call: LedgerCall,
    table: TableArgument,
    seats: Annotated[str, typer.Option(metavar="1,3,6", help="The seats that wager the standard amount.")] = "",
    wager: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=DOLLARS", help="A seat that wagers another amount; repeatable.")
    ] = None,
    number: NextRoundOption = 0,
) -> None:
    """Lock and take the progressive wagers of a table's next round.

    The keypad system calls this COIN IN, the display system START GAME.
    """
    other_amounts = [
        {"seat": _parse_seat(seat), "cents": parse_dollars(dollars, f"--wager {seat}:")}
        for seat, _, dollars in (each.partition("=") for each in wager or [])
    ]
    standard = tuple(_parse_seat(seat) for seat in seats.split(",") if seat)
    call.run(make_command(OpenRound, table=table, round=number, seats=standard, wagers=tuple(other_amounts)))


def _parse_seat(text: str) -> int:
    if not is_integer(text.strip()) or int(text) < 1:
        raise RefusalError(
            f"{quote(text)} is not a seat: write its number, for example 3", code="invalid-seat", text=text
        )
    return int(text)


@app.command()
@with_ledger_options()
def hit(
    call: LedgerCall,
    table: TableArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, help="The seat's number.")],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="A line of the pay table, for example royal-flush.")],
    cards: Annotated[str, typer.Option(help="The winning cards, for example 'As Ks Qs Js Ts'.")] = "",
    number: RoundOption = 0,
    link: LinkOption = "",
    lost_award: Annotated[
        int,
        typer.Option(
            metavar="AWARD", min=0, help="The award's number before a restoration lost it.", show_default=False
        ),
    ] = 0,
) -> None:
    """Select a seat's winning hand (hand button); select it again to cancel it.

    With --lost-award its win page says that award AWARD was entered again, so that nobody pays it twice.
    """
    call.run(
        make_command(
            EnterHit, table=table, round=number, seat=seat, hand=hand, cards=cards, link=link, lost_award=lost_award
        )
    )


@app.command()
@with_ledger_options()
def cancel(call: LedgerCall, award: AwardArgument) -> None:
    """Cancel a selected hand by the number of its award (hand button again)."""
    call.run(CancelHit(award=award))


@app.command()
@with_ledger_options()
def confirm(call: LedgerCall, award: AwardArgument, pdf: PdfOption = None) -> None:
    """Confirm a verified win and print its win page.

    You must give your password again.

    The keypad system calls this JPH and J-POT, the display system confirm and card.
    """
    verify_win_page_pdf(pdf)
    outcome = call.execute(ConfirmAward(award=award), again=True)
    print_outcome(outcome, as_json=call.as_json, shows_page=pdf is None)
    write_win_page_pdf(outcome, pdf)


@app.command()
@with_ledger_options()
def pay(call: LedgerCall, award: AwardArgument, pdf: PdfOption = None) -> None:
    """Pay a confirmed award; an award is paid only once.

    `confirm` printed its win page; `--pdf` prints it again, as a reprint.
    """
    verify_win_page_pdf(pdf)
    outcome = call.execute(PayAward(award=award, prints=pdf is not None))
    print_outcome(outcome, as_json=call.as_json)
    write_win_page_pdf(outcome, pdf)


@app.command()
@with_ledger_options()
def close(call: LedgerCall, table: TableArgument, number: RoundOption = 0, link: LinkOption = "") -> None:
    """Pay the envy and end the round, so that the table can open the next one.

    The keypad system calls this GAME OVER, the display system END GAME.
    """
    call.run(make_command(CloseRound, table=table, round=number, link=link))


jackpot_admin.register_commands(app)
jackpot_staff.register_commands(app)
jackpot_reports.register_commands(app)
jackpot_days.register_commands(app)
jackpot_operations.register_commands(app)
