"""A player's leaks at a table: decisions that were not the best.

Each leak has its cost.  Rounds are read a few at a time.  The quick worker values the decisions after all other jobs,
and the page shows the progress.  The value of each decision is cached.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from time import monotonic
from typing import NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool

from pitboss.analysis.hints import Hint
from pitboss.contract import Game
from pitboss.reports.formatting import name_valued_wagers
from pitboss.table.played_rounds import PlayedRound, find_played_round
from pitboss.table.repository import UnsettledError
from pitboss.table.round import DecisionMade, Round
from pitboss.table.service import TableService
from pitboss.table.session import TableSession
from pitboss.web.jobs.coach import ActionAdvice, build_hint_job, compute_advice, get_side_stakes
from pitboss.web.jobs.queue import JobClient, JobQueue
from pitboss.web.jobs.requests import wait_for_first
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.study_content import build_table_why_job, describe_seen
from pitboss.web.jobs.worker import JobResult, unpickle_object

MAX_REVIEWED_ROUNDS = 200
"""The rounds of a table that a review looks back."""

NamedHands = tuple[tuple[str, tuple[str, ...]], ...]
"""The cards that a decision sees, by name; those of the player first."""

_ROUNDS_PER_READ = 5
_JOBS_AT_ONCE = 4
_MAX_REVIEWS = 512


class HeldTurn(Protocol):
    """The turn of the request that a review is advanced for."""

    def release(self) -> None:
        """Release the turn."""

    async def take(self) -> None:
        """Wait for the turn again."""


class TakenDecision(NamedTuple):
    """A decision of a player, and the job that values each of its actions.

    The job ``why`` says how often each of them wins and loses.  ``wagers`` are what values are of, as for
    ``name_valued_wagers``.
    """

    round: int
    game: Game
    decision: str
    action: str
    cards_given: int
    seen: NamedHands
    ante_cents: int
    job: JobSpec
    why: JobSpec | None = None
    wagers: str = ""


class ReviewedDecision(NamedTuple):
    """A valued decision and its cost.

    It has the round, the cards ``seen``, and the chosen and the best action.  The job ``why`` says how often each
    action wins.  ``cost_cents`` are whole cents, so that sums are those of what is printed.  ``wagers`` are what the
    values are of, as for ``name_valued_wagers``.
    """

    round: int
    decision: str
    seen: NamedHands
    chosen: ActionAdvice
    best: ActionAdvice
    cost_cents: int
    ante_cents: int
    why: JobSpec | None = None
    wagers: str = ""


class Leak(NamedTuple):
    """Mistakes of one kind, with their total cost.

    They share the decision (its id), the choice and the better action.
    """

    decision: str
    chosen: str
    best: str
    cost_cents: int
    mistakes: tuple[ReviewedDecision, ...]


class LeakSummary(NamedTuple):
    """The review of a player's decisions so far, the costliest leak first.

    The ``rounds`` read so far, of ``total_rounds``, have ``decisions`` decisions, of which ``valued`` are valued.
    """

    rounds: int
    total_rounds: int
    decisions: int
    valued: int
    mistakes: int
    cost_cents: int
    leaks: tuple[Leak, ...]
    refusal: str

    @property
    def is_done(self) -> bool:
        """Whether all rounds are read and all decisions valued."""
        return self.rounds == self.total_rounds and self.valued == self.decisions


@dataclass
class LeakReview:
    """The running review of a player's decisions in the last rounds of a table.

    ``played`` has what the player staked in the rounds read.  ``refused`` decisions cannot be valued, for the reason
    ``refusal``.
    """

    last_round: int = 0
    read_up_to: int = 0
    pending: list[TakenDecision] = field(default_factory=list)
    reviewed: list[ReviewedDecision] = field(default_factory=list)
    played: list[PlayedRound] = field(default_factory=list)
    refused: int = 0
    refusal: str = ""
    is_busy: bool = False

    def set_last_round(self, last_round: int) -> None:
        """Review the latest rounds up to ``last_round``, and drop older ones."""
        self.last_round, first = last_round, max(1, last_round - MAX_REVIEWED_ROUNDS + 1)
        self.read_up_to = max(self.read_up_to, first - 1)
        self.pending = [each for each in self.pending if each.round >= first]
        self.reviewed = [each for each in self.reviewed if each.round >= first]
        self.played = [each for each in self.played if each.number >= first]

    def add_result(self, decision: TakenDecision, result: JobResult) -> None:
        """Add the values of a decision's actions.

        After a failure the decision stays pending.
        """
        if result.failure or decision not in self.pending:
            return
        self.pending.remove(decision)
        if result.refusal:
            self.refused, self.refusal = self.refused + 1, str(result.refusal)
        else:
            self.reviewed.append(review_decision(decision, unpickle_object(result.payload)))

    @property
    def summary(self) -> LeakSummary:
        """The summary of the review so far."""
        mistakes: dict[tuple[str, str, str], list[ReviewedDecision]] = {}
        for each in sorted(self.reviewed, key=lambda each: each.round):
            if each.chosen.cost:
                mistakes.setdefault((each.decision, each.chosen.name, each.best.name), []).append(each)
        leaks = (
            Leak(decision, chosen, best, _sum_cents(decisions), tuple(decisions))
            for (decision, chosen, best), decisions in mistakes.items()
        )
        rounds = min(self.last_round, MAX_REVIEWED_ROUNDS)
        return LeakSummary(
            rounds - (self.last_round - self.read_up_to),
            rounds,
            len(self.reviewed) + len(self.pending),
            len(self.reviewed),
            sum(map(len, mistakes.values())),
            _sum_cents(self.reviewed),
            tuple(sorted(leaks, key=lambda leak: -leak.cost_cents)),
            self.refusal,
        )


class LeakReviews:
    """The reviews that were viewed last."""

    def __init__(self) -> None:
        """Start without reviews."""
        self._reviews: OrderedDict[tuple[str, str], LeakReview] = OrderedDict()

    def get_review(self, table: str, holder: str) -> LeakReview:
        """Return the review of a player at a table, a new one if there is none."""
        review = self._reviews.setdefault((table, holder), LeakReview())
        self._reviews.move_to_end((table, holder))
        while len(self._reviews) > _MAX_REVIEWS:
            self._reviews.popitem(last=False)
        return review


async def advance_reviews(
    reviews: Mapping[str, LeakReview],
    tables: TableService,
    jobs: JobQueue,
    client: JobClient,
    seconds: float,
    turn: HeldTurn,
) -> None:
    """Read rounds of several tables, then value decisions, for ``seconds`` at most.

    Leave out reviews that are already being advanced.  While workers value decisions, the request has no ``turn``.

    Raises:
        RateLimitError: too many requests of the address wait for a turn.
    """
    own, end = {table: review for table, review in reviews.items() if not review.is_busy}, monotonic() + seconds
    for review in own.values():
        review.is_busy = True
    try:
        for table, review in own.items():
            while review.read_up_to < review.last_round and monotonic() < end:
                await _read_rounds(review, tables, table, client.guest)
        turn.release()
        for review in own.values():
            while review.pending and (remaining := end - monotonic()) > 0:
                if not await _value_decisions(review, jobs, client, remaining):
                    break
    finally:
        for review in own.values():
            review.is_busy = False
    await turn.take()


async def _read_rounds(review: LeakReview, tables: TableService, table: str, holder: str) -> None:
    """Read the next few rounds of a table."""
    last = min(review.read_up_to + _ROUNDS_PER_READ, review.last_round)
    decisions, played = await run_in_threadpool(_read_settled, tables, table, holder, review.read_up_to + 1, last)
    review.pending += decisions
    review.played += played
    review.read_up_to = last


async def _value_decisions(review: LeakReview, jobs: JobQueue, client: JobClient, seconds: float) -> bool:
    """Submit some decisions and wait for the first result; return whether to go on."""
    decisions = review.pending[:_JOBS_AT_ONCE]
    results = await wait_for_first(jobs, client, (each.job for each in decisions), seconds)
    for place, result in results.items():
        review.add_result(decisions[place], result)
    return bool(results) and not any(each.failure for each in results.values())


def _read_settled(
    tables: TableService, table: str, holder: str, first: int, last: int
) -> tuple[list[TakenDecision], list[PlayedRound]]:
    """Return the decisions and the wagers of a holder in a range of rounds.

    Unsettled rounds are left out.
    """
    decisions, rounds = list[TakenDecision](), list[PlayedRound]()
    for number in range(first, last + 1):
        with suppress(UnsettledError):
            sessions = tables.list_round_sessions(table, number)
            decisions += iter_decisions(sessions, holder)
            played = find_played_round(sessions, holder)
            rounds += [played] if played else []
    return decisions, rounds


def iter_decisions(sessions: Sequence[TableSession], holder: str) -> Iterator[TakenDecision]:
    """Yield the decisions of ``holder`` in a round.

    ``sessions`` are the sessions that the round went through, in order.
    """
    for step, round_, decision in _find_decisions(sessions):
        session = sessions[step]
        seat = session.seats.get(session.turn) if session.turn else None
        if seat is not None and seat.holder == holder:
            yield _make_taken(session, round_, decision)


def list_seat_decisions(sessions: Sequence[TableSession], seat: int) -> list[tuple[int, TakenDecision]]:
    """List the decisions of a seat in a round, each with its step."""
    return [
        (step, _make_taken(sessions[step], round_, decision))
        for step, round_, decision in _find_decisions(sessions)
        if sessions[step].turn == seat
    ]


def _find_decisions(sessions: Sequence[TableSession]) -> Iterator[tuple[int, Round, DecisionMade]]:
    """Yield each decision of a round, with its step and the round at that step."""
    for step, (before, after) in enumerate(pairwise(sessions)):
        if before.turn is not None and before.round is not None and after.round is not None:
            events = islice(after.round.events, len(before.round.events), None)
            decision = next((event for event in events if isinstance(event, DecisionMade)), None)
            if decision is not None:
                yield step, before.round, decision


def _make_taken(session: TableSession, round_: Round, decision: DecisionMade) -> TakenDecision:
    return TakenDecision(
        session.snapshot.number,
        round_.game,
        decision.decision,
        decision.action,
        sum(1 << card for card in decision.cards),
        tuple((name, tuple(cards.split())) for name, cards in describe_seen(round_, decision.seat).items()),
        round_.get_stake_cents(decision.seat, round_.game.main.id),
        build_hint_job(round_, decision.seat),
        build_table_why_job(session),
        name_valued_wagers(round_.game, get_side_stakes(round_, decision.seat)),
    )


def review_decision(taken: TakenDecision, hints: tuple[Hint, ...]) -> ReviewedDecision:
    """Return the cost of a decision, given the values of all actions, best first."""
    made = next(each for each in hints if each.action.id == taken.action and each.cards in (0, taken.cards_given))
    chosen, best = (compute_advice(taken.game, each, hints[0]) for each in (made, hints[0]))
    cents = round(chosen.cost * taken.ante_cents)
    return ReviewedDecision(
        taken.round, taken.decision, taken.seen, chosen, best, cents, taken.ante_cents, taken.why, taken.wagers
    )


def _sum_cents(decisions: list[ReviewedDecision]) -> int:
    return sum(each.cost_cents for each in decisions)
