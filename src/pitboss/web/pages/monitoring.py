"""The page *Monitor*: results of tables against the distribution of a bet."""

from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Form, Path, Query, Response
from fastapi.responses import HTMLResponse

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.monitoring import FALSE_ALARMS, parse_false_alarms
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.table_results import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import MonitorError, PayTableError
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import Digits
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.jobs.chart_content import CHART_FILES
from pitboss.web.jobs.monitor_content import MonitorContent, MonitorRequest, build_monitor_file_job, build_monitor_job
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.page_call import JobState, PageCall, PlayCall, ViewCall, make_download, watch_job
from pitboss.web.pages.sheet_choices import (
    MAX_OWN_LENGTH,
    choose_paytables,
    choose_wager,
    list_sheet_wagers,
    list_wager_paytables,
    parse_own_paytables,
)

router = APIRouter(include_in_schema=False)

_DEFAULT_RATE = f"{100 * FALSE_ALARMS:g}%"
_MOST_SEATS = 1_000

ShortText = Annotated[str, Form(max_length=64)]


class MonitorForm(NamedTuple):
    """The form as it was filled in: a bet, its pay table, and results as typed.

    ``is_sent`` tells whether the results are to be judged, or another game or bet was chosen.
    """

    game: Game
    wager: Wager
    terms: GameTerms
    false_alarms: str = _DEFAULT_RATE
    seats: int = 0
    own_text: str = ""
    results: str = ""
    is_sent: bool = False

    @property
    def table(self) -> PayTable | None:
        """The pay table of the bet, if it has one."""
        kinds = self.wager.paytable_kinds
        return self.terms.paytables[kinds[0]] if kinds else None

    def build_request(self) -> MonitorRequest:
        """Return what is to be judged (raises MonitorError, PayTableError)."""
        if not self.results.strip():
            raise MonitorError("there are no results: paste them, or choose a file", code="no-rows")
        rate = parse_false_alarms(self.false_alarms.strip())
        return MonitorRequest(self.game, self.wager, self._apply_own_table(), rate, self.seats, self.results)

    def _apply_own_table(self) -> GameTerms:
        """Return the terms, with the visitor's own pay table (raises PayTableError)."""
        if not self.own_text.strip():
            return self.terms
        found = parse_own_paytables(self.game, self.wager, self.own_text, "your pay table")
        if len(found) > 1:
            raise PayTableError(
                f"your pay table: {len(found)} tables are for {self.wager.id}; results are of one",
                code="too-many-tables",
                found=len(found),
            )
        return replace(self.terms, paytables={**self.terms.paytables, found[0].kind: found[0]})


def list_monitored_wagers(game: Game) -> list[Wager]:
    """Return the bets of a game whose results can be judged.

    A side bet that the play for main changes is left out.
    """
    options = resolve_options(game, {})
    return [
        wager for wager in list_sheet_wagers(game) if wager is game.main or not depends_on_play(game, wager, options)
    ]


def list_monitored_games() -> list[Game]:
    """Return the games that have a bet whose results can be judged."""
    return [game for game in list_games_with_rules() if list_monitored_wagers(game)]


def choose_bet(
    game: Annotated[str, Query(max_length=64)] = "",
    bet: Annotated[str, Query(max_length=32)] = "",
    paytable: Annotated[str, Query(max_length=64)] = "",
) -> MonitorForm:
    """Choose a bet and its pay table; a bet or table of another game is ignored.

    Raises:
        PitbossError: the game, the bet or the table is unknown, or the game has no bet that can be judged.
    """
    asked = load_game(game or list_monitored_games()[0].id)
    wager = choose_wager(asked, bet, list_monitored_wagers)
    if wager is None:
        raise NotFoundError(f"{asked.name} has no bet whose results can be judged", code="no-such-bet", game=asked.id)
    return MonitorForm(asked, wager, GameTerms(choose_paytables(asked, wager, paytable), resolve_options(asked, {})))


def read_form(
    game: ShortText = "",
    bet: ShortText = "",
    paytable: ShortText = "",
    false_alarms: Annotated[str, Form(max_length=16)] = _DEFAULT_RATE,
    seats: Annotated[Digits | None, Form(ge=1, le=_MOST_SEATS)] = None,
    own_table: Annotated[str, Form()] = "",
    results: Annotated[str, Form()] = "",
    judge: Annotated[str, Form(max_length=8)] = "",
) -> MonitorForm:
    """Read the form (raises as ``choose_bet``)."""
    chosen = choose_bet(game, bet, paytable)
    return chosen._replace(
        false_alarms=false_alarms, seats=seats or 0, own_text=own_table, results=results, is_sent=bool(judge)
    )


FilledForm = Annotated[MonitorForm, Depends(read_form)]


@router.get("/monitor")
def show_monitor(call: ViewCall, form: Annotated[MonitorForm, Depends(choose_bet)]) -> HTMLResponse:
    """Show the form."""
    return call.render("monitor/page.html", **_describe(call, form, JobState()))


@router.post("/monitor")
async def judge_on_page(call: PlayCall, form: FilledForm) -> HTMLResponse:
    """Show the form with the verdict on its results, or for another bet."""
    state = await _judge(call, form) if form.is_sent else JobState()
    return await call.render_in_thread("monitor/page.html", **_describe(call, form, state))


@router.post("/monitor/results")
async def judge_results(call: PlayCall, form: FilledForm) -> HTMLResponse:
    """Show the verdict on the results of the form."""
    state = await _judge(call, form)
    shown = _describe(call, form, state)
    if state.is_pending:
        return call.render_pending("monitor/pending.html", **shown)
    return await call.render_in_thread("monitor/results.html", **shown)


@router.post("/monitor/results.{kind}")
async def download_results(
    call: PlayCall, form: FilledForm, kind: Annotated[str, Path(pattern=f"^({'|'.join(CHART_FILES)})$")]
) -> Response:
    """Return the verdict, or its picture, as a file."""
    call.registry.limits.count_file(*call.sender)
    job = build_monitor_file_job(form.build_request(), kind)
    file = await call.wait_for_payload(job, JobPriority.FILE)
    return make_download(unpickle_object(file) if file else b"", f"{form.game.id}-results.{kind}", CHART_FILES[kind])


async def _judge(call: PageCall, form: MonitorForm) -> JobState:
    """Judge the results, or say why not."""
    state = await watch_job(_wait_for_verdict(call, form))
    return state._replace(problem=state.problem.replace("--", ""))


async def _wait_for_verdict(call: PageCall, form: MonitorForm) -> MonitorContent | None:
    job = build_monitor_job(form.build_request())
    content: MonitorContent | None = await call.wait_for_result(job, JobPriority.SHEET, replace=True)
    return content


def _describe(call: PageCall, form: MonitorForm, state: JobState) -> dict[str, Any]:
    """Return what the templates show."""
    is_played = form.wager is form.game.main
    lines = [] if is_played else [outcome.name for outcome in form.wager.outcomes]
    return {
        "asked": form,
        "games": list_monitored_games(),
        "bets": list_monitored_wagers(form.game),
        "tables": list_wager_paytables(form.game, form.wager),
        "most_characters": MAX_OWN_LENGTH,
        "columns": (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS, *lines),
        "example": ",".join((*REQUIRED_COLUMNS, "stake_cents", *lines)),
        "files": [(kind.upper(), f"/monitor/results.{kind}") for kind in CHART_FILES],
        "progress": call.get_progress(build_monitor_job(form.build_request())) if state.is_pending else None,
        **state._asdict(),
    }
