"""The page *My play*: a guest's results and leaks over all of their tables."""

from contextlib import suppress
from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.concurrency import run_in_threadpool

from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.player_account import JudgedBet, PlayedBet
from pitboss.core.errors import PitbossError
from pitboss.table.session.terms import load_table_game
from pitboss.web.auth.guests import Guest
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.account_content import BEING_COUNTED, AccountContent, build_account_job, judge_account
from pitboss.web.jobs.bet_counts import BetCount, advance_counts
from pitboss.web.jobs.own_play import OwnPlay, ReviewedTable
from pitboss.web.jobs.player_leaks import MAX_REVIEWED_ROUNDS, advance_reviews
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.spec import ACCOUNTS, JobSpec
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.page_call import PageCall, ViewCall

router = APIRouter(include_in_schema=False)

MAX_TABLES = 50
"""The tables of a guest that the page looks back."""

_WORK_SECONDS, _COUNT_SECONDS = 2.0, 1.0
"""Time that a request works on the review, and on the expectation of the bets."""

_MOST_MISTAKES = 60
"""The most mistakes that the page lists; each has its cards."""


class ShownAccount(NamedTuple):
    """The guest's bets, judged or still without an expectation.

    ``counts`` are the bets that are counted now, ``left`` is how many have no expectation yet.  ``problem`` says why
    there is none.  ``earlier`` is 0, or the number of rounds of the last count, which is shown while newer ones are
    counted.
    """

    bets: tuple[JudgedBet, ...] = ()
    content: AccountContent | None = None
    counts: tuple[BetCount, ...] = ()
    left: int = 0
    problem: str = ""
    earlier: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all bets of all rounds are judged."""
        return bool(self.content) and not self.left and not self.earlier


def describe_paytables(played: PlayedBet) -> str:
    """Say by which pay tables a bet is paid, "" if by none.

    >>> from pitboss.analysis.game_terms import GameTerms
    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> for chosen in ((), ("aces-up=SCP-02",)):
    ...     terms = GameTerms(select_paytables(game, chosen), {})
    ...     describe_paytables(PlayedBet(game, "aces-up", terms, 500, 1, 500, 0))
    'usual pays'
    'pay table SCP-02'
    """
    tables = [played.terms.paytables[kind] for kind in find_bet(played.game, played.bet).paytable_kinds]
    other = [table.id for table in tables if not table.default]
    return f"pay table{'s' if len(other) > 1 else ''} {', '.join(other)}" if other else "usual pays" if tables else ""


def find_own_play(call: PageCall) -> OwnPlay:
    """Return a guest's play as far as it is read, at the latest tables."""
    tables = list[ReviewedTable]()
    for name in call.registry.tables.list_tables_of(call.guest.holder, MAX_TABLES):
        with suppress(PitbossError):  # a table of a game that is not installed any more is left out
            session = call.registry.get_past_session(name)
            load_table_game(session.terms)
            review = call.registry.leak_reviews.get_review(name, call.guest.holder)
            review.set_last_round(session.snapshot.number - 1)
            tables.append(ReviewedTable(name, session.terms, review))
    return OwnPlay(tuple(tables))


@router.get("/play")
async def show_play(call: ViewCall) -> HTMLResponse:
    """Show what is known of the guest's play; the page then loads the rest."""
    play = await run_in_threadpool(find_own_play, call)
    return await _render(call, "play/page.html", play)


@router.get("/play/known")
async def show_play_progress(call: ViewCall) -> HTMLResponse:
    """Advance the review of the guest's play, and show what is known."""
    play = await _advance(call)
    return await _render(call, "play/known.html", play, _COUNT_SECONDS)


@router.get("/play.json")
async def download_play(call: ViewCall) -> JSONResponse:
    """Return the guest's play as JSON, as far as it is known: ask again for the rest."""
    play = await _advance(call)
    account = await _judge(call, play, _WORK_SECONDS)
    known = await run_in_threadpool(play.as_json)
    content = account.content if account.is_complete else None
    return JSONResponse(known | {"account": content and content.data, "problem": account.problem})


async def _advance(call: PageCall) -> OwnPlay:
    play = await run_in_threadpool(find_own_play, call)
    reviews, client = {table.name: table.review for table in play.tables}, call.client
    await advance_reviews(
        reviews, call.registry.tables, call.registry.jobs, client, _WORK_SECONDS, call.request.state.turn
    )
    return play


async def _judge(call: PageCall, play: OwnPlay, seconds: float) -> ShownAccount:
    """Judge the bets that are counted, once every round is read."""
    last = _find_last(call)
    if play.unread or not play.rounds:
        return last or ShownAccount()
    bets, rounds = await run_in_threadpool(play.tally_bets)
    counted = await advance_counts(bets, call.registry.jobs, call.client, seconds, call.request.state.turn)
    counts, left = counted.open, counted.sheets.count(None)
    unjudged = last or ShownAccount(tuple(JudgedBet(each, reason=BEING_COUNTED) for each in bets))
    unjudged = unjudged._replace(counts=counts, left=left)
    job = build_account_job(bets, counted.sheets, rounds)
    try:
        content = await call.wait_for_result(job, JobPriority.SHEET, seconds=seconds)
    except RateLimitError:
        return unjudged
    except PitbossError as error:
        return unjudged._replace(problem=str(error))
    if content is None:
        return unjudged
    if content.data != (last and last.content and last.content.data):
        call.registry.jobs.store_result(_name_last(call.guest), content)
    return ShownAccount(content.bets, content, counts, left)


def _name_last(guest: Guest) -> JobSpec:
    """Return the place where the last count of a guest is kept; it is never run."""
    return JobSpec(ACCOUNTS, ("last", guest.holder), judge_account, ())


def _find_last(call: PageCall) -> ShownAccount | None:
    """Return the last count of a guest, if it is still kept."""
    payload = call.registry.jobs.get_result(_name_last(call.guest))
    if payload is None:
        return None
    content: AccountContent = unpickle_object(payload)
    return ShownAccount(content.bets, content, earlier=content.data["bankroll"][-1]["round"])


async def _render(call: PageCall, template: str, play: OwnPlay, seconds: float = 0.0) -> HTMLResponse:
    account = await _judge(call, play, seconds)
    return await call.render_in_thread(template, **_describe(play, account))


def _describe(play: OwnPlay, account: ShownAccount) -> dict[str, Any]:
    """Return what the templates show."""
    accuracy, leaks = play.list_accuracy(), play.list_leaks()
    listed, shown = 0, []
    for leak in leaks:
        mistakes = leak.mistakes[: max(0, _MOST_MISTAKES - listed)]
        listed += len(mistakes)
        shown.append((leak, mistakes))
    return {
        "play": play,
        "account": account,
        "counting": bool(play.rounds or play.unread) and not (account.problem or account.is_complete),
        "accuracy": accuracy,
        "judged": sum(each.judged for each in accuracy),
        "right": sum(each.right for each in accuracy),
        "cost_cents": sum(each.cost_cents for each in accuracy),
        "leaks": shown,
        "describe_paytables": describe_paytables,
        "most_rounds": MAX_REVIEWED_ROUNDS,
        "most_tables": MAX_TABLES,
    }
