"""PAR sheets in the browser: any bet under any pay table, a pay edited and all priced again, files to take home."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from pitboss.analysis.census import explain_no_sheet
from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError, WagerError
from pitboss.core.money import parse_cents
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, select_paytables
from pitboss.reports import words
from pitboss.reports.pricing import edited, priced, verify_written
from pitboss.reports.report import Report, Stated
from pitboss.reports.write import FORMATS
from pitboss.web.counts import ask_for_file, ask_for_report, ask_for_sheet
from pitboss.web.floor import TheFloor
from pitboss.web.forms import Digits
from pitboss.web.guests import Looking
from pitboss.web.house import address_of
from pitboss.web.jobs import Rank
from pitboss.web.paging import page, still_counting
from pitboss.web.problems import LimitedError, NotThereError
from pitboss.web.templating import titled
from pitboss.web.waiting import asker_of, wait_for, wait_until_known
from pitboss.web.worker import unpickled

router = APIRouter(include_in_schema=False)

_KINDS = {
    "html": "text/html",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "md": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
}


class Asked(NamedTuple):
    """A sheet asked for: the bet, its pay tables, and the pays written over theirs, by line."""

    game: Game
    wager: Wager
    chosen: Mapping[str, PayTable]
    beside: PayTable | None
    pays: Mapping[str, str]
    stated: Stated

    @property
    def terms(self) -> GameTerms:
        """What is counted: pays do not matter to it."""
        return GameTerms(self.chosen, resolve_options(self.game, {}))

    @property
    def table(self) -> PayTable | None:
        """The pay table that may be edited, the bet's first."""
        return self.chosen[self.wager.paytable_kinds[0]] if self.wager.paytable_kinds else None


def asked(
    request: Request,
    game: Annotated[str, Query(max_length=64)] = "",
    bet: Annotated[str, Query(max_length=32)] = "",
    paytable: Annotated[str, Query(max_length=64)] = "",
    beside: Annotated[str, Query(max_length=64)] = "",
    pace: Annotated[Digits, Query(ge=1, le=1_000)] = 40,
    average: Annotated[str, Query(max_length=20)] = "25",
) -> Asked:
    """Read what is asked for; without a game a file's own name says which.

    Raises:
        PitbossError: there is no such game, bet, or pay table; one of another game or bet is left out.
    """
    of_game = load_game(game or request.path_params.get("name", "") or next(iter(counted_games())).id)
    bets = {each.id: each for each in wagers_of(of_game)}
    if not bets:
        raise WagerError(f"{of_game.name} has no exact sheet: no wager of it says how its outcomes are counted")
    _verify_known("bet", bet, bets, (each.id for name in load_games() for each in wagers_of(load_game(name))))
    wager = bets.get(bet) or next(iter(bets.values()))
    tables = {table.id: table for table in tables_of(of_game, wager)}
    for name in (paytable, beside):
        _verify_known(
            "pay table",
            name,
            tables,
            (each.id for of in load_games() for each in load_builtin_paytables(load_game(of))),
        )
    chosen = select_paytables(of_game, (f"{wager.id}={paytable}",) if paytable in tables else ())
    other = tables.get(beside)
    pays = {
        name.removeprefix("pay-"): text.strip()
        for name, text in request.query_params.items()
        if name.startswith("pay-") and text.strip()
    }
    stated = replace(Stated(), rounds_an_hour=pace, average_bet_cents=parse_cents(average))
    return Asked(of_game, wager, chosen, other, pays, stated)


Asking = Annotated[Asked, Depends(asked)]


def _verify_known(kind: str, name: str, here: Collection[str], anywhere: Iterable[str]) -> None:
    """Refuse a name that nothing has; a form sent without a script names what the game before had."""
    if name and name not in here and name not in anywhere:
        raise UnknownNameError(kind, name, here)


def wagers_of(game: Game) -> list[Wager]:
    """Return the bets of a game that have a sheet."""
    options = resolve_options(game, {})
    return [wager for wager in (*game.wagers, *game.main_parts) if not explain_no_sheet(game, wager, options)]


def counted_games() -> list[Game]:
    """Return the games that have a sheet."""
    return [load_game(name) for name in load_games() if wagers_of(load_game(name))]


def tables_of(game: Game, wager: Wager) -> list[PayTable]:
    """Return the pay tables that a bet may be paid by, of its first kind."""
    return [
        table
        for table in load_builtin_paytables(game)
        if wager.paytable_kinds and table.kind == wager.paytable_kinds[0]
    ]


@router.get("/par")
def sheets_page(request: Request, guest: Looking, wanted: Asking) -> HTMLResponse:
    """Show the form, which asks for the sheet by itself."""
    table = wanted.table
    return page(
        "par/page.html",
        request,
        guest,
        games=counted_games(),
        asked=wanted,
        bets=wagers_of(wanted.game),
        tables=tables_of(wanted.game, wanted.wager),
        lines=[
            (line, _titled(line), words.pay_words(pay), words.plain(pay.amount)) for line, pay in table.lines.items()
        ]
        if table
        else [],
        query=request.url.query,
        formats=FORMATS,
    )


def _titled(name: str) -> str:
    return titled(display_name(name))


@router.get("/par/sheet")
async def sheet(request: Request, floor: TheFloor, guest: Looking, wanted: Asking) -> HTMLResponse:
    """Show a sheet as it is now, with another beside it where one is chosen."""
    asker, question = asker_of(request, guest), ask_for_sheet(wanted.game, wanted.wager, wanted.terms)
    try:
        paid = _paid(wanted)  # before anything is counted
        counted = await wait_for(request, floor.jobs, asker, question, Rank.SHEET, instead=True)
        shown = list(_shown(wanted, counted, paid)) if counted else []
    except LimitedError as error:
        return still_counting("par/counting.html", request, guest, str(error), asked=wanted)
    except PitbossError as error:
        return page("par/sheet.html", request, guest, 409, problem=str(error), shown=(), asked=wanted, paid=None)
    if not shown:
        return still_counting("par/counting.html", request, guest, asked=wanted)
    sheets = [each["sheet"] for each in shown]
    rows = list(words.figures_beside(sheets))
    lines, bars = list(_lines(sheets)), _bars(sheets[0])
    found: dict[str, Any] = {"shown": shown, "rows": rows, "lines": lines, "bars": bars, "paid": paid}
    return page("par/sheet.html", request, guest, problem="", asked=wanted, **found)


def _paid(wanted: Asked) -> PayTable | None:
    """Return the pay table with the pays that were written over others; None where none were.

    Raises:
        PayTableError: a line cannot be paid so, or there is no such line.
    """
    table = wanted.table
    changed = {
        line: pay
        for line, pay in wanted.pays.items()
        if table and (line not in table.lines or words.plain(table.lines[line].amount) != pay)
    }
    if not table or not changed:
        return None
    for line, pay in changed.items():
        if line in table.lines:
            with _told_of(_titled(line)):
                verify_written(wanted.game, table, line, pay)
    return edited(wanted.game, table, changed)


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Say of a pay that is refused which line's it is."""
    try:
        yield
    except PayTableError as error:
        raise PayTableError(f"{name}: {error}") from None


def _shown(wanted: Asked, counted: ParSheet, paid: PayTable | None) -> Iterator[dict[str, Any]]:
    """Yield what is shown of each sheet: the one chosen or edited, and the one beside it."""
    table = wanted.table
    name = table.id if table else "even money"
    chosen = dict(wanted.chosen)
    if table and paid:
        chosen[paid.kind], name = paid, f"{table.id}, edited"
    yield _figures(wanted, priced(counted, chosen) if table else counted, name)
    if wanted.beside:
        yield _figures(wanted, priced(counted, {**wanted.chosen, wanted.beside.kind: wanted.beside}), wanted.beside.id)


def _figures(wanted: Asked, sheet: ParSheet, name: str) -> dict[str, Any]:
    report = Report(wanted.game, wanted.terms, (sheet,), wanted.stated)
    return {
        "name": name,
        "sheet": sheet,
        "kept": words.method(sheet) if sheet.bounds else "",
        "an_hour": float(report.house_wins_cents(sheet)) / 100,
        "bet": report.bet_cents(sheet.wager),
    }


def _lines(sheets: Sequence[ParSheet]) -> Iterator[dict[str, Any]]:
    """Yield each outcome that comes about, with what every sheet pays for it: their deals are the same."""
    for under in zip(*(sheet.lines for sheet in sheets), strict=True):
        line = under[0]
        if line.deals:
            yield {
                "name": _titled(line.outcome.name),
                "pays": [words.pays(each, sheet) for each, sheet in zip(under, sheets, strict=True)],
                "deals": line.deals,
                "one_in": float(1 / line.probability),
                "probability": float(line.probability),
                "contributions": [float(each.contribution) for each in under],
            }


def _bars(sheet: ParSheet) -> list[dict[str, Any]]:
    """Return what each outcome gives or takes, as bars out of a hundred."""
    most = max((abs(line.contribution) for line in sheet.lines), default=0) or 1
    shown = sorted((line for line in sheet.lines if line.contribution), key=lambda line: -abs(line.contribution))[:12]
    return [
        {
            "name": _titled(line.outcome.name),
            "width": round(float(100 * abs(line.contribution) / most), 2),
            "gives": line.contribution > 0,
            "value": float(line.contribution),
        }
        for line in shown
    ]


@router.get("/par/{name}.{kind}")
async def download(
    request: Request,
    floor: TheFloor,
    guest: Looking,
    wanted: Asking,
    name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,64}$")],
    kind: Annotated[str, Path(pattern=f"^({'|'.join(FORMATS)})$")],
) -> Response:
    """Return the report of a game in a format, with the pays as they are edited; one is written at a time."""
    floor.limits.file(guest.holder, address_of(request))
    if name != wanted.game.id:
        raise NotThereError(
            f"there is no {name}.{kind} here: {wanted.game.id}.{kind} is the report of {wanted.game.name}"
        )
    paid = _paid(wanted)
    asker = asker_of(request, guest)
    report = await wait_until_known(request, floor.jobs, asker, ask_for_report(wanted.game, wanted.terms), Rank.FILE)
    question = ask_for_file(wanted.game, wanted.terms, report, wanted.stated, paid, kind)
    file = await wait_until_known(request, floor.jobs, asker, question, Rank.FILE) if report else b""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(unpickled(file) if file else b"", media_type=_KINDS[kind], headers=headers)
