"""The pages of puzzles: one position at a time, from own mistakes and at large."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams

from pitboss.core.errors import IllegalActionError
from pitboss.table.session import TableSession
from pitboss.table.training.puzzle_records import PuzzleAnswer, choose_daily, name_daily_batch, schedule_puzzles
from pitboss.web.auth.guests import SEE_OTHER
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.jobs.own_play import PlacedMistake
from pitboss.web.jobs.puzzle_drawing import (
    DRAWN,
    LARGE_BATCH,
    LEAST_GAP,
    MOST_PUZZLES,
    PuzzleKind,
    build_puzzle_job,
    list_puzzle_kinds,
)
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.requests import PAGE_SECONDS, JobRefusedError
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.pages.guest_seat import find_next_seat
from pitboss.web.pages.page_call import PageCall, PlayCall, ViewCall
from pitboss.web.pages.puzzle_queue import (
    MOST_DRILLED,
    AskedPuzzle,
    GuestPuzzles,
    Source,
    find_guest_puzzles,
    find_puzzle_kind,
    list_drill_batches,
    name_origin,
)
from pitboss.web.pages.replay import find_decision_query
from pitboss.web.pages.study import CardsQuery, StudyQueryDep, ask_question

router = APIRouter(include_in_schema=False)

ThemeQuery = Annotated[str, Query(max_length=40)]
OriginQuery = Annotated[str, Query(max_length=120, pattern="^[a-z0-9 /-]*$")]
Chosen = Annotated[str, Query(max_length=64)]

_MOST_BATCHES = 200


def get_today() -> date:
    """Return the day of the daily puzzle and of the schedule (UTC)."""
    return datetime.now(UTC).date()


@router.get("/puzzles")
def show_puzzles(call: ViewCall, none: Source | None = None) -> HTMLResponse:
    """Show the puzzles to choose from, and the guest's record.

    ``none`` is the source of which no puzzle was left.
    """
    known, today = find_guest_puzzles(call), get_today()
    daily = f"{name_daily_batch(today)}/0"
    themes: dict[str, list[str]] = {}
    for kind in list_puzzle_kinds():
        themes.setdefault(kind.theme, []).append(kind.game.name)
    return call.render(
        "puzzles/page.html",
        known=known,
        today=today,
        seat=_find_seat(call),
        due=len(known.list_due(today)),
        next_due=min((state.due for state in known.states.values()), default=None),
        lacking=none,
        solved_daily=any(origin.endswith(daily) for origin in known.origins),
        themes=[(theme, list(dict.fromkeys(games))) for theme, games in themes.items()],
        drilled=MOST_DRILLED,
        drawn=DRAWN,
        kept=MOST_PUZZLES,
        least_gap=LEAST_GAP,
    )


@router.get("/puzzles/next")
async def show_next_puzzle(
    call: ViewCall,
    source: Source,
    theme: ThemeQuery = "",
    mistake: OriginQuery = "",
    after: OriginQuery = "",
    kind: OriginQuery = "",
) -> Response:
    """Lead to the next puzzle; while it is drawn, the page says so and asks on.

    Of the guest's own decisions it is the ``mistake`` that is named, answered before or not; or else the next of a
    ``kind``, first like the one ``after`` which it comes.  If none is left, lead to the page of puzzles, which says so
    and when the next is due.
    """
    known = await run_in_threadpool(find_guest_puzzles, call)
    asked = {"source": source, "theme": theme, "after": after, "kind": kind}
    again = f"/puzzles/next?{QueryParams({name: text for name, text in asked.items() if text})}"
    try:
        puzzle: AskedPuzzle | JobSpec | None
        if source == "due":
            puzzle = choose_due(known)
        elif mistake:
            puzzle = await run_in_threadpool(_ask_decision, call, mistake)
        elif source == "own":
            puzzle = await _choose_own(call, known, kind, after)
        else:
            puzzle = await _choose_drawn(call, known, source, _list_batches(source, theme))
    except RateLimitError as error:
        return call.render_pending("puzzles/pending.html", str(error), again=again, progress=None)
    except NotFoundError:
        return RedirectResponse("/puzzles", SEE_OTHER)
    if puzzle is None:
        return RedirectResponse(f"/puzzles?none={source}", SEE_OTHER)
    if isinstance(puzzle, JobSpec):
        progress = call.registry.jobs.get_progress(puzzle)
        return call.render_pending("puzzles/pending.html", again=again, progress=progress)
    return RedirectResponse(puzzle.address, SEE_OTHER)


def choose_due(known: GuestPuzzles) -> AskedPuzzle | None:
    """Choose the puzzle that is due longest, None if none is."""
    due = known.list_due(get_today())
    if not due:
        return None
    last = due[0].last
    asked = AskedPuzzle(last.address, "due", last.theme, last.origin)
    kind = find_puzzle_kind(asked.name_kind(last.game))
    return asked._replace(theme=kind.theme) if kind and last.theme else asked  # its name may have changed since


async def _choose_own(call: PageCall, known: GuestPuzzles, name: str, after: str) -> AskedPuzzle | JobSpec | None:
    """Choose a mistake of a kind, then a drawn position of it, then another mistake.

    The mistake ``after`` which it comes may have been replayed and not be answered: it does not follow itself.
    """
    alike, kind = known.list_alike(name, after), find_puzzle_kind(name)
    chosen: AskedPuzzle | JobSpec | None = await run_in_threadpool(_find_mistake, call, alike)
    if chosen is None and kind:
        batches = list_drill_batches(kind, known.find_level(name, after))
        chosen = await _choose_drawn(call, known, "own", batches)
    if chosen is not None:
        return chosen
    others = [each for each in known.mistakes if each not in alike and name_origin(each) != after]
    found = await run_in_threadpool(_find_mistake, call, others)
    return found._replace(finished=name) if found and kind else found


def _find_mistake(call: PageCall, mistakes: Iterable[PlacedMistake]) -> AskedPuzzle | None:
    """Return the first of the mistakes that can be asked."""
    for mistake in mistakes:
        sessions = call.registry.tables.list_round_sessions(mistake.table, mistake.made.round)
        query = find_decision_query(sessions, call.guest, mistake.made.decision)
        if query:
            return AskedPuzzle(query, "own", "", name_origin(mistake))
    return None


def _ask_decision(call: PageCall, origin: str) -> AskedPuzzle:
    """Ask a decision of the guest that ``name_origin`` names, a mistake or not."""
    table, number, decision = (*origin.split("/"), "", "")[:3]
    query = ""
    if number.isdecimal():
        query = find_decision_query(call.registry.tables.list_round_sessions(table, int(number)), call.guest, decision)
    if not query:
        raise NotFoundError(f"there is no decision {origin}", code="no-puzzle")
    return AskedPuzzle(query, "own", "", origin)


async def _choose_drawn(
    call: PageCall, known: GuestPuzzles, source: Source, batches: Iterable[tuple[PuzzleKind, str]]
) -> AskedPuzzle | JobSpec | None:
    """Choose the first drawn puzzle of the batches that was not answered.

    While it is drawn, return the job that draws it.  A decision that needs a solution which is not stored is left out.
    """
    unsolved = set[str]()
    for kind, batch in batches:
        if kind.name in unsolved:
            continue
        prefix = f"{kind.name}/{batch}"
        answered = {origin for origin in known.origins if origin.startswith(f"{prefix}/")}
        if len(answered) >= MOST_PUZZLES:
            continue
        job = build_puzzle_job(kind, batch)
        try:
            drawn = await call.wait_for_result(job, JobPriority.LEAKS, replace=True, seconds=PAGE_SECONDS)
        except JobRefusedError as error:
            if error.code != "needs-solution":
                raise
            unsolved.add(kind.name)
            continue
        if drawn is None:
            return job
        for place, puzzle in enumerate(drawn[:1] if source == "daily" else drawn):
            origin = f"{prefix}/{place}"
            if source == "daily" or origin not in known.origins:
                fields = [("game", puzzle.game), *puzzle.cards, ("taken", " ".join(puzzle.taken))]
                query = QueryParams([(name, text) for name, text in fields if text])
                return AskedPuzzle(str(query), source, kind.theme, origin)
    return None


def _list_batches(source: Source, theme: str) -> list[tuple[PuzzleKind, str]]:
    kinds = list_puzzle_kinds()
    if source == "daily":
        today = get_today()
        first = choose_daily(today, len(kinds))  # the next ones stand in where it cannot be asked
        return [(kind, name_daily_batch(today)) for kind in (*kinds[first:], *kinds[:first])]
    prefix = f"{LARGE_BATCH} " if source == "large" else ""
    return [(kind, f"{prefix}{batch}") for batch in range(_MOST_BATCHES) for kind in kinds if kind.theme == theme]


@router.get("/puzzles/solve")
async def show_puzzle(
    call: ViewCall,
    query: StudyQueryDep,
    source: Source,
    theme: ThemeQuery = "",
    origin: OriginQuery = "",
    finished: OriginQuery = "",
    chosen: Chosen = "",
    discard: CardsQuery = (),
) -> HTMLResponse:
    """Ask a puzzle, or show what its answer is worth."""
    status, shown = await ask_question(call, query, chosen, discard)
    asked = AskedPuzzle(query.address, source, theme, origin, finished)
    return await run_in_threadpool(_render_puzzle, call, status, shown, asked)


def _render_puzzle(call: PageCall, status: int, shown: dict[str, Any], asked: AskedPuzzle) -> HTMLResponse:
    state = schedule_puzzles(call.registry.puzzle_records.list_answers(call.guest.holder)).get(asked.query)
    return call.render(
        "study/try.html",
        status,
        **shown,
        back="",
        mistake="",
        practice="",
        puzzle=_describe_asked(asked, shown["asked"].game.id, state.due if state else None),
        seat=_find_seat(call, asked.origin),
    )


def _find_seat(call: PageCall, origin: str = "") -> TableSession | None:
    """Return the table to which a guest goes back, None without a seat.

    It is the one where the mistake of this ``origin`` was made, if the guest still sits there.
    """
    sessions, made_at = call.registry.list_latest(), origin.partition("/")[0]
    here = [each for each in sessions if each.snapshot.table == made_at]
    return find_next_seat(here, call.guest) or find_next_seat(sessions, call.guest)


def _describe_asked(asked: AskedPuzzle, game: str, due: date | None) -> dict[str, Any]:
    """Return what the template shows of a puzzle.

    ``due`` is when it returns, None if it was not answered.
    """
    follow = {"source": "theme" if asked.source == "daily" else asked.source, "theme": asked.theme}
    follow |= {"after": asked.origin, "kind": asked.name_kind(game)} if asked.source == "own" else {}
    finished = find_puzzle_kind(asked.finished)
    return {
        "address": asked.address,
        "answer": asked.address.replace("/solve?", "/answer?", 1),
        "next": f"/puzzles/next?{QueryParams(follow)}",
        "heading": _name_heading(asked),
        "finished": f"{finished.game.name}: {finished.decision.question}" if finished else "",
        "due": due,
    }


def _name_heading(asked: AskedPuzzle) -> str:
    """Say where a puzzle comes from, and its theme.

    >>> _name_heading(AskedPuzzle("", "daily", "Lock", "shifting-wilds/check-or-lock/daily 2026-11-01/0"))
    'The puzzle of 2026-11-01. Theme: Lock'
    >>> _name_heading(AskedPuzzle("", "theme", "Draws", ""))
    'Theme: Draws'
    >>> _name_heading(AskedPuzzle("", "own", "", ""))
    'Your own mistake'
    >>> _name_heading(AskedPuzzle("", "own", "Draws", "lunar/draw/like -2 0/1"))
    'Like your mistakes. Theme: Draws'
    >>> _name_heading(AskedPuzzle("", "due", "Draws", ""))
    'Asked again. Theme: Draws'
    """
    theme = f"Theme: {asked.theme}" if asked.theme else "Your own mistake"
    if asked.source == "daily":
        day = asked.origin.partition("/daily ")[2].partition("/")[0]
        return f"The puzzle of {day or 'the day'}. {theme}"
    if asked.source == "own" and asked.theme:
        return f"Like your mistakes. {theme}"
    return f"Asked again. {theme}" if asked.source == "due" else theme


@router.post("/puzzles/answer")
async def answer_puzzle(
    call: PlayCall,
    query: StudyQueryDep,
    source: Source,
    theme: ThemeQuery = "",
    origin: OriginQuery = "",
    chosen: Annotated[str, Form(max_length=64)] = "",
    discard: Annotated[list[Annotated[str, Form(max_length=4)]] | None, Form(max_length=20)] = None,
) -> Response:
    """Record an answer; the puzzle's page then shows what it is worth."""
    call.registry.limits.count_recorded("puzzles", *call.sender)
    given, asked = tuple(discard or ()), AskedPuzzle(query.address, source, theme, origin)
    if not chosen:
        raise IllegalActionError("choose one of the actions", code="invalid-answer")
    status, shown = await ask_question(call, query, chosen, given)
    choice = shown["choice"]
    if choice is None:
        return await run_in_threadpool(_render_puzzle, call, status, shown, asked)
    answer = PuzzleAnswer(
        address=query.address,
        game=query.game.id,
        source=source,
        theme=theme,
        origin=origin,
        chosen=choice.action,
        cards=choice.cards,
        cost=str(choice.cost),
    )
    await run_in_threadpool(call.registry.puzzle_records.record_answer, call.guest.holder, answer)
    more = QueryParams([("chosen", chosen), *(("discard", card) for card in given)])
    return RedirectResponse(f"{asked.address}&{more}", SEE_OTHER)
