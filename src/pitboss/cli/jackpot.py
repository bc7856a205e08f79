"""``pitboss jackpot``: the commands of a progressive's round, from COIN IN to GAME OVER."""

from typing import Annotated

import typer

from pitboss.cli import jackpot_admin, jackpot_reports
from pitboss.cli.arguments import JsonOption
from pitboss.cli.jackpot_ledger import (
    DEFAULT_LEDGER,
    AsOption,
    CodeOption,
    KeyOption,
    LedgerOption,
    OpenLedger,
    PdfOption,
    execute_command,
    make_command,
    print_outcome,
    print_win_page,
    verify_win_page_pdf,
    write_win_page_pdf,
)
from pitboss.core.money import parse_cents
from pitboss.core.numbers import is_integer, quote
from pitboss.jackpot.commands import (
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
)
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.round_handlers import get_settings

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="markdown")

TableArgument = Annotated[int, typer.Argument(metavar="TABLE", min=1, help="The table's number.")]
AwardArgument = Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number, as `hit` printed it.")]
RoundOption = Annotated[
    int, typer.Option("--round", min=0, help="The round's number; default: the open round or the next one.")
]
LinkOption = Annotated[
    str, typer.Option(metavar="NAME", help="The browser table that played the round, if that table is lost.")
]


@app.callback()
def jackpot() -> None:
    """Run a progressive: meters, hits, confirmations and payments in a tamper-evident ledger.

    The commands of a round, with the names of both progressive systems: `open` (COIN IN, START GAME), `hit` and
    `cancel` (hand button), `confirm` (JPH and J-POT; confirm and card), `pay`, `close` (GAME OVER, END GAME).

    Say who you are with `--as NAME`.  You are asked for your password, and supervisors and executives also for their
    authenticator's code.  Piped input answers with one line each; PITBOSS_PASSWORD and PITBOSS_CODE replace the
    questions.

    For example:

        pitboss jackpot init --executive eve --ledger floor.db
        pitboss jackpot open 1 --seats 1,3,6 --as dora --ledger floor.db
        pitboss jackpot hit 1 3 straight-flush --as dora --ledger floor.db
        pitboss jackpot confirm 1 --as sue --ledger floor.db
    """


@app.command("open")
def open_(
    table: TableArgument,
    seats: Annotated[str, typer.Option(metavar="1,3,6", help="The seats that wager the standard amount.")] = "",
    wager: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=DOLLARS", help="A seat's wager of another amount; repeatable.")
    ] = None,
    number: RoundOption = 0,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Lock and take the progressive wagers of a table's next round (COIN IN, START GAME)."""

    def command(at: OpenLedger) -> ProgressiveCommand:
        state = at.controller.state
        unit_cents = get_settings(state).wager_cents
        last = state.rounds.get(table)
        wagers = [(_parse_seat(seat), unit_cents) for seat in seats.split(",") if seat]
        wagers += [
            (_parse_seat(seat), parse_cents(dollars)) for seat, _, dollars in (w.partition("=") for w in wager or [])
        ]
        next_number = number or (last.number + 1 if last else 1)
        return OpenRound(
            table=table,
            round=next_number,
            wagers=tuple(ProgressiveWager(seat=seat, cents=cents) for seat, cents in wagers),
        )

    print_outcome(execute_command(ledger, name, code, key, command), as_json=as_json)


def _parse_seat(text: str) -> int:
    if not is_integer(text.strip()) or int(text) < 1:
        raise RefusalError(f"{quote(text)} is not a seat: write its number, for example 3")
    return int(text)


def _get_round_number(at: OpenLedger, table: int, number: int) -> int:
    current = at.controller.state.rounds.get(table)
    return number or (current.number if current else 1)


@app.command()
def hit(
    table: TableArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, help="The seat's number.")],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="A line of the pay table, for example royal-flush.")],
    cards: Annotated[str, typer.Option(help="The winning cards, for example 'As Ks Qs Js Ts'.")] = "",
    number: RoundOption = 0,
    link: LinkOption = "",
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Select a seat's winning hand (hand button); select it again to cancel it."""

    def command(at: OpenLedger) -> ProgressiveCommand:
        round_number = _get_round_number(at, table, number)
        enter: ProgressiveCommand = make_command(
            EnterHit, table=table, round=round_number, seat=seat, hand=hand, cards=cards, link=link
        )
        return enter

    print_outcome(execute_command(ledger, name, code, key, command), as_json=as_json)


@app.command()
def cancel(
    award: AwardArgument,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Cancel a selected hand by the number of its award (hand button again)."""
    print_outcome(execute_command(ledger, name, code, key, lambda _at: CancelHit(award=award)), as_json=as_json)


@app.command()
def confirm(
    award: AwardArgument,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Confirm a verified win (JPH and J-POT; confirm and card); you must give your password again."""
    outcome = execute_command(ledger, name, code, key, lambda _at: ConfirmAward(award=award), again=True)
    print_win_page(outcome, award, as_json=as_json)


@app.command()
def pay(
    award: AwardArgument,
    pdf: PdfOption = None,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Pay a confirmed award, once; --pdf writes its win page."""
    verify_win_page_pdf(pdf)
    outcome = execute_command(ledger, name, code, key, lambda _at: PayAward(award=award))
    print_outcome(outcome, as_json=as_json)
    write_win_page_pdf(outcome, award, pdf)


@app.command()
def close(
    table: TableArgument,
    number: RoundOption = 0,
    link: LinkOption = "",
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Pay envy and end the round, so that the table can open its next (GAME OVER, END GAME)."""

    def command(at: OpenLedger) -> ProgressiveCommand:
        close_round: ProgressiveCommand = make_command(
            CloseRound, table=table, round=_get_round_number(at, table, number), link=link
        )
        return close_round

    print_outcome(execute_command(ledger, name, code, key, command), as_json=as_json)


jackpot_admin.register_commands(app)
jackpot_reports.register_commands(app)
