"""``pitboss jackpot``: a progressive, its round from COIN IN to GAME OVER, and its books."""

from typing import Annotated

import typer

from pitboss.cli import jackpot_books, jackpot_house
from pitboss.cli.arguments import AsJson
from pitboss.cli.jackpot_desk import (
    DEFAULT_LEDGER,
    As,
    Code,
    Desk,
    Key,
    LedgerUrl,
    Pdf,
    done,
    formed,
    say,
    say_page,
    verify_pdf,
    write_pdf,
)
from pitboss.core.money import parse_cents
from pitboss.core.numbers import is_integer, quote
from pitboss.jackpot.commands import Cancel, Close, Command, Confirm, Hit, Open, Pay
from pitboss.jackpot.events import Wager
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.refusal import RefusalError

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="markdown")

Table = Annotated[int, typer.Argument(metavar="TABLE", min=1, help="The table's number.")]
AwardNumber = Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number, as `hit` printed it.")]
RoundNumber = Annotated[int, typer.Option("--round", min=0, help="The round; without it the one that is due or open.")]
Link = Annotated[
    str, typer.Option(metavar="NAME", help="The table in the browser that plays the round: where that table is lost.")
]


@app.callback()
def jackpot() -> None:
    """Run a progressive: meters, hits, confirmations and payments, in a ledger that loses nothing.

    The round, in the words of both systems: `open` (COIN IN, START GAME), `hit` and `cancel` (hand button), `confirm`
    (JPH and J-POT; confirm and card), `pay`, `close` (GAME OVER, END GAME).

    Who you are is `--as NAME`: the password is asked for, then (supervisors and executives) the authenticator's code.
    Where input is piped in they are its lines; PITBOSS_PASSWORD and PITBOSS_CODE spare the question.

    For example:

        pitboss jackpot init --executive eve --ledger floor.db
        pitboss jackpot open 1 --seats 1,3,6 --as dora --ledger floor.db
        pitboss jackpot hit 1 3 straight-flush --as dora --ledger floor.db
        pitboss jackpot confirm 1 --as sue --ledger floor.db
    """


@app.command("open")
def open_(
    table: Table,
    seats: Annotated[str, typer.Option(metavar="1,3,6", help="The seats that wager one unit.")] = "",
    wager: Annotated[list[str] | None, typer.Option(metavar="SEAT=DOLLARS", help="Another wager.")] = None,
    number: RoundNumber = 0,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """COIN IN, START GAME: lock and take the progressive wagers of a table's next round."""

    def command(at: Desk) -> Command:
        state = at.controller.state
        unit_cents = settings_in(state).wager_cents
        last = state.rounds.get(table)
        wagers = [(_seat(seat), unit_cents) for seat in seats.split(",") if seat]
        wagers += [(_seat(seat), parse_cents(dollars)) for seat, _, dollars in (w.partition("=") for w in wager or [])]
        due = number or (last.number + 1 if last else 1)
        return Open(table=table, round=due, wagers=tuple(Wager(seat=seat, cents=cents) for seat, cents in wagers))

    say(done(ledger, name, code, key, command), as_json=as_json)


def _seat(text: str) -> int:
    if not is_integer(text.strip()) or int(text) < 1:
        raise RefusalError(f"{quote(text)} is no seat: write its number, as 3")
    return int(text)


def _round(at: Desk, table: int, number: int) -> int:
    now = at.controller.state.rounds.get(table)
    return number or (now.number if now else 1)


@app.command()
def hit(
    table: Table,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1)],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="As the pay table has it, royal-flush ...")],
    cards: Annotated[str, typer.Option(help="The winning cards, as 'As Ks Qs Js Ts'.")] = "",
    number: RoundNumber = 0,
    link: Link = "",
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Hand button: select a seat's winning hand; the same hand again turns it off."""

    def command(at: Desk) -> Command:
        number_now = _round(at, table, number)
        asked: Command = formed(Hit, table=table, round=number_now, seat=seat, hand=hand, cards=cards, link=link)
        return asked

    say(done(ledger, name, code, key, command), as_json=as_json)


@app.command()
def cancel(
    award: AwardNumber,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Hand button again: turn a selected hand off, by the number of its award."""
    say(done(ledger, name, code, key, lambda _at: Cancel(award=award)), as_json=as_json)


@app.command()
def confirm(
    award: AwardNumber,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """JPH and J-POT; confirm and card: log a win that was verified.  It asks for the confirmer's password again."""
    outcome = done(ledger, name, code, key, lambda _at: Confirm(award=award), again=True)
    say_page(outcome, award, as_json=as_json)


@app.command()
def pay(
    award: AwardNumber,
    pdf: Pdf = None,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Pay a confirmed award, once; its win page as a PDF with --pdf."""
    verify_pdf(pdf)
    outcome = done(ledger, name, code, key, lambda _at: Pay(award=award))
    say(outcome, as_json=as_json)
    write_pdf(outcome, award, pdf)


@app.command()
def close(
    table: Table,
    number: RoundNumber = 0,
    link: Link = "",
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""

    def command(at: Desk) -> Command:
        asked: Command = formed(Close, table=table, round=_round(at, table, number), link=link)
        return asked

    say(done(ledger, name, code, key, command), as_json=as_json)


jackpot_house.add_to(app)
jackpot_books.add_to(app)
