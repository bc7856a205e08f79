"""The page *Study*: any position, and what each action is worth."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field
from starlette.datastructures import QueryParams

from pitboss.analysis.fees import list_fee_circles
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.position import list_card_names
from pitboss.analysis.side_stakes import depends_on_play, parse_side_stakes
from pitboss.cards.typed import spell_typed_cards
from pitboss.contract import Game, Wager
from pitboss.core.errors import PitbossError
from pitboss.engine.solver_lookup import can_solve
from pitboss.games import load_game
from pitboss.options import find_disabling_option, parse_options
from pitboss.paytables import select_paytables
from pitboss.table.session import TableSession
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.jobs.coach import deal_sample_round, get_side_stakes
from pitboss.web.jobs.queue import RETRY_SECONDS, JobPriority
from pitboss.web.jobs.requests import PAGE_SECONDS
from pitboss.web.jobs.study_content import (
    StudyContent,
    StudyRequest,
    build_study_job,
    build_why_job,
    describe_seen,
    make_study_request,
)
from pitboss.web.jobs.study_reasons import StudyReasons
from pitboss.web.pages.card_drawing import SVG_TYPE
from pitboss.web.pages.card_picker import list_suits, measure_fields
from pitboss.web.pages.page_call import JobState, PageCall, ViewCall, make_download, watch_job
from pitboss.web.pages.refusal_words import describe_position_refusal
from pitboss.web.pages.study_sharing import draw_position, write_command, write_program
from pitboss.web.pages.study_terms import ChosenTerms, describe_terms, list_term_fields, read_terms
from pitboss.web.pages.table_page import BY_COUNT, explain_wrong_count

router = APIRouter(include_in_schema=False)

_MOST_TEXT = 80
_MOST_TERMS = 20
_STAKE = "stake-"
CardsQuery = Annotated[tuple[Annotated[str, Field(max_length=4)], ...], Query(max_length=_MOST_TERMS)]
TermsQuery = Annotated[tuple[Annotated[str, Field(max_length=_MOST_TEXT)], ...], Query(max_length=_MOST_TERMS)]


class StudyQuery(NamedTuple):
    """A request for the page: a position, and the terms that are not usual."""

    request: StudyRequest
    chosen: ChosenTerms

    @property
    def game(self) -> Game:
        """The game."""
        return self.request.game

    @property
    def texts(self) -> dict[str, str]:
        """The cards in the notation, by their names; other words as typed."""
        return dict(self.request.cards)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields of a form that asks for this position, and their texts."""
        asked = [("game", self.game.id), *self.request.cards, ("taken", " ".join(self.request.taken))]
        asked += [(_STAKE + bet, str(stake)) for bet, stake in self.request.terms.stakes.items()]
        terms = [("paytable", each) for each in self.chosen.paytables]
        terms += [("option", each) for each in self.chosen.options]
        return [(name, text) for name, text in (*asked, *terms) if text]

    @property
    def address(self) -> str:
        """The query that asks for this position."""
        return str(QueryParams(self.fields))


def list_studied_games() -> list[Game]:
    """Return the games that have decisions whose actions can be valued."""
    return [game for game in list_games_with_rules() if _has_values(game)]


def _has_values(game: Game) -> bool:
    return bool(game.decisions) and can_solve(game)


def list_played_wagers(game: Game, options: Mapping[str, str]) -> list[Wager]:
    """Return the side wagers whose outcome depends on the play."""
    return [
        wager
        for wager in game.wagers[1:]
        if depends_on_play(game, wager, options) and not find_disabling_option(game, wager, options)
    ]


def parse_study_query(
    request: Request,
    game: Annotated[str, Query(max_length=64)] = "",
    taken: Annotated[str, Query(max_length=_MOST_TEXT)] = "",
    paytable: TermsQuery = (),
    option: TermsQuery = (),
) -> StudyQuery:
    """Parse the query of the page; without cards it is an example.

    Raises:
        PitbossError: the game, a pay table or an option is unknown, or the engine refuses the game's rules.
    """
    asked = load_game(game or list_studied_games()[0].id)
    if not _has_values(asked):
        raise NotFoundError(f"{asked.name} has no decision that can be valued", code="no-decision", game=asked.id)
    chosen = read_terms(
        asked, paytable, option, {name: text[:_MOST_TEXT] for name, text in request.query_params.items()}
    )
    options = parse_options(asked, chosen.options)
    staked = (
        (wager.id, request.query_params.get(_STAKE + wager.id, "")) for wager in list_played_wagers(asked, options)
    )
    stakes = parse_side_stakes(
        asked, options, [f"{bet}={text[:_MOST_TEXT].strip()}" for bet, text in staked if text.strip()]
    )
    terms = GameTerms(
        select_paytables(asked, chosen.paytables), options, {bet: each for bet, each in stakes.items() if each}
    )
    texts = {
        name: spell_typed_cards(request.query_params.get(name, "")[:_MOST_TEXT]) for name in list_card_names(asked)
    }
    if not any(texts.values()):
        texts |= describe_seen(deal_sample_round(asked), 0)
    cards = tuple((name, text) for name, text in texts.items() if text)
    return StudyQuery(StudyRequest(asked, terms, cards, tuple(taken.split())), chosen)


StudyQueryDep = Annotated[StudyQuery, Depends(parse_study_query)]


def find_study_address(session: TableSession, seat: int | None) -> str:
    """Return the address of a seat's decision on the page; "" if there is none.

    It must be the seat's turn.  Where pays of the table's own count, there is none: an address cannot say them.
    """
    terms, now = session.terms, session.round
    if seat is None or now is None or session.turn != seat or not can_solve(now.game):
        return ""
    seat_index = session.round_seats.index(seat)
    if find_own_kinds(session, seat_index):
        return ""
    options = tuple(f"{name}={value}" for name, value in terms.options.items())
    return f"/study?{StudyQuery(make_study_request(now, seat_index), ChosenTerms(terms.paytables, options)).address}"


def find_own_kinds(session: TableSession, seat_index: int) -> set[str]:
    """Return the kinds of the table's own pays that count in a decision.

    Those are of the main wager, and of the player's side wagers whose outcome depends on the play.
    """
    own, now = {each["id"] for each in session.terms.own_paytables}, session.round
    if now is None or not own:
        return set()
    valued = {now.game.main.id, *get_side_stakes(now, seat_index)}
    kinds = {kind for wager in now.game.wagers if wager.id in valued for kind in wager.paytable_kinds}
    return {kind for kind in kinds if now.paytables[kind].id in own}


def explain_missing_study(session: TableSession, seat: int | None) -> str:
    """Say why a seat's decision has no address on the page.

    Return "" if it has one, or if there is no decision.
    """
    if seat is None or session.round is None or session.turn != seat or not can_solve(session.round.game):
        return ""
    if find_own_kinds(session, session.round_seats.index(seat)):
        return "Study takes the pay tables that come with the game, and this table pays its own."
    return ""


@router.get("/study")
async def show_study(call: ViewCall, query: StudyQueryDep) -> HTMLResponse:
    """Show the form, with the values if they come soon; else the page asks on."""
    state = await _value(call, query, PAGE_SECONDS)
    return await call.render_in_thread("study/page.html", **_describe(query, state))


@router.get("/study/values")
async def show_values(call: ViewCall, query: StudyQueryDep) -> HTMLResponse:
    """Show the values of the position that the form asks for."""
    state = await _value(call, query)
    shown = _describe(query, state)
    if state.is_pending:
        return call.render_pending("study/pending.html", **shown)
    return await call.render_in_thread("study/values.html", **shown)


@router.get("/study/try")
async def show_question(
    call: ViewCall,
    query: StudyQueryDep,
    chosen: Annotated[str, Query(max_length=64)] = "",
    discard: CardsQuery = (),
    back: Annotated[str, Query(max_length=64, pattern="^[a-z0-9-]*$")] = "",
    mistake: Annotated[str, Query(max_length=120, pattern="^[a-z0-9/-]*$")] = "",
) -> HTMLResponse:
    """Ask what to do at a position, and judge the answer that was chosen.

    ``back`` is the table that the position comes from, or "play" for the page *My play*.  If it was a ``mistake`` of
    this guest, by its table, round and decision, the page leads on to hands like it.
    """
    status, shown = await ask_question(call, query, chosen, discard)
    shown |= {"back": back, "puzzle": None, "mistake": mistake, "practice": _link_practice(query.game, mistake)}
    return await call.render_in_thread("study/try.html", status, **shown)


def _link_practice(game: Game, mistake: str) -> str:
    """Return the address of puzzles like a mistake, "" if it is none."""
    decision = mistake.rpartition("/")[2]
    if all(each.id != decision for each in game.decisions):
        return ""
    asked = QueryParams(source="own", after=mistake, kind=f"{game.id}/{decision}")
    return f"/puzzles/next?{asked}"


async def ask_question(
    call: PageCall, query: StudyQuery, chosen: str, discard: tuple[str, ...]
) -> tuple[int, dict[str, Any]]:
    """Value a position and judge the answer that was chosen, if one was.

    Return the status of the page, and what it shows.
    """
    state, choice = await _value(call, query, PAGE_SECONDS), None
    if chosen and state.content:
        choice = state.content.find_choice("" if chosen == BY_COUNT else chosen, discard)
        problem = "" if choice else explain_wrong_count(len(discard), state.content.gives)
        state = state._replace(problem=problem, content=state.content.include_choice(choice))
    shown = _describe(query, state) | {"choice": choice, "by_count": BY_COUNT, "discarded": discard}
    return 409 if state.problem and not state.is_pending else 200, shown


@router.get("/study/why")
async def explain_values(
    call: ViewCall, query: StudyQueryDep, choice: Annotated[str, Query(max_length=_MOST_TEXT)] = ""
) -> HTMLResponse:
    """Say how often each action at the position wins and loses.

    ``choice`` is the name and the cards of one more to say it of.  Where it cannot be counted, it says so.
    """
    job = build_why_job(query.request)
    reasons: StudyReasons | None = StudyReasons()
    with suppress(PitbossError):  # the values beside it say why
        try:
            reasons = await call.wait_for_result(job, JobPriority.COACH)
        except RateLimitError:  # it asks again
            reasons = None
    shown: dict[str, Any] = {"reasons": reasons, "asked": query, "choice": choice}
    if reasons is None:
        return call.render_pending("study/why.html", **shown)
    return await call.render_in_thread("study/why.html", **shown)


@router.get("/study/hint.json")
async def download_hint(call: ViewCall, query: StudyQueryDep) -> JSONResponse:
    """Return the values of a position as ``pitboss hint --json`` prints them."""
    return JSONResponse((await _wait_for_file(call, query)).data)


@router.get("/study/position.svg")
async def download_picture(call: ViewCall, query: StudyQueryDep) -> Response:
    """Return a picture of the position with its values."""
    content = await _wait_for_file(call, query)
    name = f"{query.game.id}-{content.data['decision']}.svg" if content.data else f"{query.game.id}.svg"
    return make_download(draw_position(query.game, content), name, SVG_TYPE)


async def _wait_for_file(call: PageCall, query: StudyQuery) -> StudyContent:
    content = await _wait(call, query)
    if content is None:
        raise RateLimitError(f"still counting: try again in {RETRY_SECONDS} s", RETRY_SECONDS, code="still-counting")
    return content


async def _value(call: PageCall, query: StudyQuery, seconds: float | None = None) -> JobState:
    """Value the position, or say why not."""
    state = await watch_job(_wait(call, query, seconds))
    return state._replace(problem=describe_position_refusal(state.problem, query.game))


async def _wait(call: PageCall, query: StudyQuery, seconds: float | None = None) -> StudyContent | None:
    job = build_study_job(query.request)
    content: StudyContent | None = await call.wait_for_result(job, JobPriority.COACH, replace=True, seconds=seconds)
    return content


def _describe(query: StudyQuery, state: JobState) -> dict[str, Any]:
    """Return what the templates show."""
    game = query.game
    wagers = list_played_wagers(game, query.request.terms.options)
    return {
        "asked": query,
        "games": list_studied_games(),
        "names": list_card_names(game),
        "deck": list_suits(game),
        "room": measure_fields(game),
        "wagers": wagers,
        "has_fees": bool(list_fee_circles(game)),
        "terms": list(list_term_fields(game, query.request.terms, wagers)),
        "house": describe_terms(game, query.chosen),
        "command": write_command(query.request),
        "program": write_program(query.request),
        **state._asdict(),
    }
