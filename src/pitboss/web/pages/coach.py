"""The coach of a table: values before a decision, or costs after a round.

Everything is computed from what the seat sees.  Workers do it, and no table waits for them.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.engine.solver_lookup import can_solve
from pitboss.games import load_game
from pitboss.table.session import TableSession
from pitboss.value_units import name_value_unit
from pitboss.web.auth.guests import AFTER, BEFORE, Guest
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.coach import ActionAdvice, build_hint_job, describe_counted, iter_advice, select_best_forms
from pitboss.web.jobs.player_leaks import LeakReview, LeakReviews, LeakSummary, ReviewedDecision, advance_reviews
from pitboss.web.jobs.queue import JobPriority, JobQueue
from pitboss.web.jobs.requests import JobRefusedError
from pitboss.web.jobs.study_reasons import StudyReasons
from pitboss.web.jobs.value_bars import ValueBar, describe_bars, measure_values
from pitboss.web.jobs.warm_up import build_warm_up_job
from pitboss.web.jobs.worker import pickle_object, unpickle_object
from pitboss.web.pages.guest_seat import TableName, find_guest_seat
from pitboss.web.pages.mistake_reasons import describe_by_wager, select_reasons
from pitboss.web.pages.page_call import PageCall, ViewCall
from pitboss.web.pages.study import find_study_address
from pitboss.web.pages.table_page import BY_COUNT
from pitboss.web.registry import TableRegistry

router = APIRouter(include_in_schema=False)

VALUED = "valued"
"""The event by which the page learns that values or mistakes are known, which its bar shows too."""

_REVIEWS = AFTER, BEFORE
"""The settings with which the mistakes of a round are shown after it."""

REVIEW_SECONDS = 1.0
"""Time that a request works on the review of the rounds so far."""

_BEFORE_THE_FIRST = "After each round, the coach shows which of your decisions was not the best, and what it cost."


class ButtonValue(NamedTuple):
    """What a button's action is worth, in Antes.

    ``bar`` draws it, next to those of the other buttons.
    """

    value: float
    is_best: bool
    bar: ValueBar


class ExplainedMistake(NamedTuple):
    """A mistake, and how often its two actions win and lose.

    ``reasons`` is None while that is counted.
    """

    made: ReviewedDecision
    reasons: tuple[str, ...] | None


class CoachCount(NamedTuple):
    """What the coach is counting, and how many decisions are done.

    ``total`` is 0 if that is not known.
    """

    text: str
    done: int
    total: int


class LastReview(NamedTuple):
    """The place of the coach's words on a round that is over.

    ``is_faultless`` says that each of its ``decisions`` is known to be the best.
    """

    is_faultless: bool
    decisions: int


class KnownAdvice(NamedTuple):
    """The values of buttons, by the id of their action.

    ``gives`` are the cards that the best action gives up, ``wagers`` what values are of, as for ``name_valued_wagers``,
    and ``without`` says of which wagers they are not, and why.
    """

    values: Mapping[str, ButtonValue]
    gives: frozenset[str]
    wagers: str = ""
    without: str = ""

    @property
    def bars(self) -> str:
        """How to read the bars of the buttons, "" where they have none."""
        return describe_bars([each.bar for each in self.values.values()])


def find_known_advice(
    session: TableSession, seat: int | None, guest: Guest, jobs: JobQueue, choices: Iterable[Mapping[str, Any]]
) -> KnownAdvice | None:
    """Return the advice on a guest's decision, for its buttons.

    It is None if it is not wanted or not computed yet.
    """
    if guest.preferences["coach"] != BEFORE or session.round is None or seat is None or session.turn != seat:
        return None
    index = session.round_seats.index(seat)
    payload = jobs.get_result(build_hint_job(session.round, index))
    if payload is None:
        return None
    best_forms = list(select_best_forms(iter_advice(session.round, unpickle_object(payload))))
    values = value_buttons(choices, best_forms)
    return KnownAdvice(values, frozenset(best_forms[0].cards), *describe_counted(session.round, index))


def value_buttons(choices: Iterable[Mapping[str, Any]], worths: Sequence[ActionAdvice]) -> dict[str, ButtonValue]:
    """Return the value of each button.

    A button for several actions, by the number of chosen cards, has the value of the best.
    """
    with_cards = next((each for each in worths if each.cards), None)
    of_action = {each.action: each for each in worths} | ({BY_COUNT: with_cards} if with_cards else {})
    found = {each["action"]: of_action[each["action"]] for each in choices if each["action"] in of_action}
    if not found:
        return {}
    bars = measure_values(list(found.values()))
    return {
        action: ButtonValue(float(each.value), not each.cost, bar)
        for (action, each), bar in zip(found.items(), bars, strict=True)
    }


def list_known_mistakes(
    session: TableSession, guest: Guest, reviews: LeakReviews, jobs: JobQueue
) -> list[ExplainedMistake]:
    """Return a guest's known mistakes of the last round, with reasons.

    There are none if they are not wanted.  What several say alike of what the values count is said once.
    """
    noted: set[str] = set()
    mistakes = _list_mistakes(session, guest, reviews)
    return [ExplainedMistake(each, _find_reasons(jobs, each, noted)) for each in mistakes]


def _list_mistakes(session: TableSession, guest: Guest, reviews: LeakReviews) -> list[ReviewedDecision]:
    if guest.preferences["coach"] not in _REVIEWS or session.snapshot.number == 1:
        return []
    review, last = reviews.get_review(session.snapshot.table, guest.holder), session.snapshot.number - 1
    mistakes = [each for each in review.reviewed if each.round == last and each.chosen.cost]
    order = [decision.id for decision in load_game(session.terms.game).decisions]
    return sorted(mistakes, key=lambda each: order.index(each.decision))  # they are valued in any order


def _find_reasons(jobs: JobQueue, mistake: ReviewedDecision, noted: set[str]) -> tuple[str, ...] | None:
    """Return the sentences on the chosen and the best action.

    Return None while they are counted.  A note in ``noted`` is left out, and the mistake's own is added there.
    """
    payload = jobs.get_result(mistake.why) if mistake.why else pickle_object(StudyReasons())
    if payload is None:
        return None
    reasons: StudyReasons = unpickle_object(payload)
    names = tuple(" ".join((each.name, *each.cards)) for each in (mistake.chosen, mistake.best))
    by_wager = describe_by_wager(reasons, *names)
    values = [] if by_wager else [float(each.value) for each in (mistake.chosen, mistake.best)]
    said = select_reasons((*reasons.sentences, *reasons.others), [f"{name} " for name in names], values)
    pays_fees = any(each.name in reasons.fees for each in (mistake.chosen, mistake.best))
    note = "" if reasons.note in noted else reasons.note
    noted.add(reasons.note)
    return tuple(filter(None, (*by_wager, *said, note, reasons.fees if pays_fees else "")))


def find_coach_count(
    session: TableSession, seat: int | None, guest: Guest, registry: TableRegistry, *, is_advised: bool
) -> CoachCount | None:
    """Return what the coach is still counting for a guest in a seat, None if nothing.

    With ``is_advised`` the values of the seat's decision are known.
    """
    wanted, now = guest.preferences["coach"], session.round
    if seat is None or now is None or not can_solve(now.game):
        return None
    if wanted == BEFORE and session.turn == seat and not is_advised:
        return CoachCount("The coach is counting each action", 0, 0)
    last = session.snapshot.number - 1
    if wanted not in _REVIEWS or not session.is_settled or guest.holder not in session.round_holders:
        return None
    review = registry.leak_reviews.get_review(session.snapshot.table, guest.holder)
    valued = sum(each.round == last for each in review.reviewed)
    waiting = sum(each.round == last for each in review.pending)
    is_read = review.read_up_to >= last
    return None if is_read and not waiting else CoachCount("The coach is counting your round", valued, valued + waiting)


def find_last_review(session: TableSession, seat: int | None, guest: Guest, reviews: LeakReviews) -> LastReview | None:
    """Return what the coach says of the last round, None if nothing."""
    now = session.round
    if seat is None or now is None or not can_solve(now.game) or guest.preferences["coach"] not in _REVIEWS:
        return None
    if not session.is_settled or guest.holder not in session.round_holders:
        return None
    review, last = reviews.get_review(session.snapshot.table, guest.holder), session.snapshot.number - 1
    costs = [each.chosen.cost for each in review.reviewed if each.round == last]
    is_done = review.read_up_to >= last and not any(each.round == last for each in review.pending)
    return LastReview(is_done and bool(costs) and not any(costs), len(costs)) if costs or not is_done else None


def find_tally(session: TableSession, guest: Guest, reviews: LeakReviews) -> LeakSummary | None:
    """Return the review of a guest's decisions at a table.

    It is None if it is not wanted, or if no decision is valued yet.
    """
    if guest.preferences["coach"] not in _REVIEWS:
        return None
    summary = reviews.get_review(session.snapshot.table, guest.holder).summary
    return summary if summary.valued else None


@router.get("/tables/{table}/coach")
async def show_advice(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show what the current decision's actions are worth, or the last round's cost."""
    session = await run_in_threadpool(call.registry.get_session, table)
    game = load_game(session.terms.game)
    if not await run_in_threadpool(can_solve, game):
        reason = "The coach cannot advise here: this game has no solver to value its choices."
        return await _render(call, session, {"why": reason, "is_silent": True})
    is_over = session.is_settled and session.snapshot.number > 1
    if call.guest.preferences["coach"] == AFTER or (call.guest.preferences["coach"] == BEFORE and is_over):
        return await _show_review(call, session, game)
    return await _show_values(call, session, game)


async def _show_values(call: PageCall, session: TableSession, game: Game) -> HTMLResponse:
    seat = find_guest_seat(session, call.guest)
    reason, counted, choices = "", ("", ""), list[ActionAdvice]()
    if seat is not None and session.turn == seat and session.round is not None:
        try:
            index = session.round_seats.index(seat)
            job = build_hint_job(session.round, index)
            hints = await call.wait_for_result(job, JobPriority.COACH, replace=True)
            if hints is None:
                return _render_count(call, session)
            choices = list(iter_advice(session.round, hints))
            counted = describe_counted(session.round, index)
        except RateLimitError as error:
            return _render_count(call, session, str(error))
        except PitbossError as error:
            reason = str(error)
    elif seat is not None:
        _get_ready(call, game)
    advice = {
        "why": reason,
        "worths": tuple(select_best_forms(choices)),
        "every": choices,
        "study": find_study_address(session, seat),
        "wagers": counted[0],
        "without": counted[1],
        "unit": name_value_unit(game),
    }
    response = await _render(call, session, advice)
    if choices:
        response.headers["HX-Trigger"] = VALUED
    return response


async def _show_review(call: PageCall, session: TableSession, game: Game) -> HTMLResponse:
    """Show how many decisions were right, and each mistake of the last round."""
    last, seat = session.snapshot.number - 1, find_guest_seat(session, call.guest)
    if seat is None or not last:
        if seat is not None:
            _get_ready(call, game)
        return await _render(call, session, {"why": _BEFORE_THE_FIRST})
    review = await advance_guest_review(call, session, REVIEW_SECONDS)
    summary = review.summary
    if not summary.is_done:
        return _render_count(call, session)
    if not summary.decisions:  # the rounds so far were other guests', or asked nothing
        return await _render(call, session, {"why": _BEFORE_THE_FIRST})
    for made in _list_mistakes(session, call.guest, call.registry.leak_reviews):
        await explain_mistake(call, made)
    mistakes = list_known_mistakes(session, call.guest, call.registry.leak_reviews, call.registry.jobs)
    judged = sum(each.round == last for each in review.reviewed)
    advice = {"review": summary, "mistakes": mistakes, "judged": judged, "last": last, "unit": name_value_unit(game)}
    response = await _render(call, session, advice)
    if judged:
        response.headers["HX-Trigger"] = VALUED
    return response


async def explain_mistake(call: PageCall, mistake: ReviewedDecision) -> None:
    """Count how often the actions of a mistake win, as far as it is done soon."""
    if mistake.why is None or call.registry.jobs.get_result(mistake.why) is not None:
        return
    with suppress(PitbossError):  # a full queue or a lost worker: the next look asks again
        try:
            await call.wait_for_result(mistake.why, JobPriority.COACH, seconds=REVIEW_SECONDS)
        except JobRefusedError:  # nothing more can be said of this position
            call.registry.jobs.store_result(mistake.why, StudyReasons())


def _get_ready(call: PageCall, game: Game) -> None:
    """Prepare the game's solver: the first advice then does not take seconds."""
    with suppress(RateLimitError):
        call.registry.jobs.submit(call.client, build_warm_up_job(game), JobPriority.LEAKS)


async def advance_guest_review(call: PageCall, session: TableSession, seconds: float) -> LeakReview:
    """Go on with the review of a guest's decisions, for ``seconds`` at most."""
    table, registry, turn = session.snapshot.table, call.registry, call.request.state.turn
    review = registry.leak_reviews.get_review(table, call.guest.holder)
    review.set_last_round(session.snapshot.number - 1)
    await advance_reviews({table: review}, registry.tables, registry.jobs, call.client, seconds, turn)
    return review


def _render_count(call: PageCall, session: TableSession, problem: str = "") -> HTMLResponse:
    """Say that the coach is counting, at its place and in the bar; it asks again."""
    count = find_coach_count(session, find_guest_seat(session, call.guest), call.guest, call.registry, is_advised=False)
    address = f"/tables/{session.snapshot.table}"
    shown = {"advice": None, "coach_count": count, "is_seated": find_guest_seat(session, call.guest) is not None}
    return call.render_pending("table/coach.html", problem, address=address, **shown)


async def _render(call: PageCall, session: TableSession, advice: Mapping[str, Any]) -> HTMLResponse:
    shown = {"why": "", "is_silent": False, "review": None, "worths": (), "every": (), **advice}
    context: dict[str, Any] = {
        "address": f"/tables/{session.snapshot.table}",
        "advice": shown,
        "coach_count": None,
        "is_seated": find_guest_seat(session, call.guest) is not None,
    }
    return await call.render_in_thread("table/coach.html", **context)
