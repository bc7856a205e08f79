"""A player's leaks: which decisions of theirs at a table were not the best, and what that has cost.

Rounds are read a few at a time and decisions are valued by the quick worker, after everybody's other questions, while
the page that asks shows how far it has come.  What was found of each decision is kept.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise
from time import monotonic
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from pitboss.analysis.hints import Hint
from pitboss.builders import display_name
from pitboss.cards import format_card
from pitboss.contract import Game
from pitboss.table.domain import Decided
from pitboss.table.service import Tables
from pitboss.table.sitting import Sitting
from pitboss.table.store import UnsettledError
from pitboss.web.coach import Worth, ask_for_advice, worth_of
from pitboss.web.jobs import Asker, Jobs, Rank
from pitboss.web.problems import LimitedError
from pitboss.web.questions import Question
from pitboss.web.worker import Answer, unpickled

_ROUNDS = 200
_READ_AT_ONCE = 5
_ASKED_AT_ONCE = 4
_MOST_STUDIES = 64


class Taken(NamedTuple):
    """A decision that was taken, and the question what each action would have been worth."""

    round: int
    game: Game
    decision: str
    action: str
    given: int
    hand: tuple[str, ...]
    ante_cents: int
    question: Question


class Lesson(NamedTuple):
    """A decision that was taken: where, with which hand, what would have been best, and what it cost."""

    round: int
    decision: str
    hand: tuple[str, ...]
    chosen: Worth
    best: Worth
    cost_cents: float


class Leak(NamedTuple):
    """Decisions of one kind taken alike where the same was better: each of them, and what they cost together."""

    decision: str
    chosen: str
    best: str
    cost: Fraction
    cost_cents: float
    mistakes: tuple[Lesson, ...]


class Leaks(NamedTuple):
    """What a player's decisions came to so far, the costliest leak first; ``cost`` is in Antes.

    ``decisions`` of them were found in the ``rounds`` read, of ``of_rounds``, and ``valued`` of these have been valued.
    """

    rounds: int
    of_rounds: int
    decisions: int
    valued: int
    mistakes: int
    cost: Fraction
    cost_cents: float
    leaks: tuple[Leak, ...]
    refused: str

    @property
    def done(self) -> bool:
        """Whether nothing is left to be read or valued."""
        return self.rounds == self.of_rounds and self.valued == self.decisions


@dataclass
class Study:
    """What is known of one player's decisions in the last rounds of a table."""

    last: int = 0
    read: int = 0
    open: list[Taken] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    refused: str = ""
    busy: bool = False

    def begin(self, last: int) -> None:
        """Look at the rounds up to ``last`` that count, and at no older ones."""
        self.last, first = last, max(1, last - _ROUNDS + 1)
        self.read = max(self.read, first - 1)
        self.open = [each for each in self.open if each.round >= first]
        self.lessons = [each for each in self.lessons if each.round >= first]

    def learn(self, taken: Taken, answer: Answer) -> None:
        """Take in what a decision's actions are worth; a count that was lost stays asked."""
        if answer.lost or taken not in self.open:
            return
        self.open.remove(taken)
        if answer.refused:
            self.refused = answer.refused
        else:
            self.lessons.append(lesson_of(taken, unpickled(answer.found)))

    @property
    def leaks(self) -> Leaks:
        """What is known so far."""
        wrong: dict[tuple[str, str, str], list[Lesson]] = {}
        for each in sorted(self.lessons, key=lambda each: each.round):
            if each.chosen.cost:
                wrong.setdefault((each.decision, each.chosen.name, each.best.name), []).append(each)
        leaks = (
            Leak(display_name(decision), chosen, best, _cost(same), _cents(same), tuple(same))
            for (decision, chosen, best), same in wrong.items()
        )
        rounds = min(self.last, _ROUNDS)
        return Leaks(
            rounds - (self.last - self.read),
            rounds,
            len(self.lessons) + len(self.open),
            len(self.lessons),
            sum(map(len, wrong.values())),
            _cost(self.lessons),
            _cents(self.lessons),
            tuple(sorted(leaks, key=lambda leak: -leak.cost_cents)),
            self.refused,
        )


class Studies:
    """The studies that somebody has looked at last."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._kept: OrderedDict[tuple[str, str], Study] = OrderedDict()

    def study(self, table: str, holder: str) -> Study:
        """Return the study of a player at a table, begun where there is none."""
        found = self._kept.setdefault((table, holder), Study())
        self._kept.move_to_end((table, holder))
        while len(self._kept) > _MOST_STUDIES:
            self._kept.popitem(last=False)
        return found


async def go_on(study: Study, tables: Tables, jobs: Jobs, table: str, asker: Asker, seconds: float) -> None:
    """Read rounds and have decisions valued for so long at most, or until all is known; once at a time."""
    if study.busy:
        return
    study.busy, end = True, monotonic() + seconds
    try:
        while study.read < study.last and monotonic() < end:
            upto = min(study.read + _READ_AT_ONCE, study.last)
            study.open += await run_in_threadpool(_read, tables, table, asker.guest, study.read + 1, upto)
            study.read = upto
        while study.open and (left := end - monotonic()) > 0:
            if not await _value(study, jobs, asker, left):
                return
    finally:
        study.busy = False


async def _value(study: Study, jobs: Jobs, asker: Asker, seconds: float) -> bool:
    """Ask for what some decisions are worth until one of them is known; return whether one was taken on."""
    asked: dict[asyncio.Future[Answer], Taken] = {}
    for taken in study.open[:_ASKED_AT_ONCE]:
        try:
            asked[asyncio.wrap_future(jobs.ask(asker, taken.question, Rank.LEAKS))] = taken
        except LimitedError:
            break
    if not asked:
        return False
    try:
        done, _ = await asyncio.wait(asked, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in asked:
            each.cancel()
    for each in done:
        study.learn(asked[each], each.result())
    return not any(each.result().lost for each in done)


def _read(tables: Tables, table: str, holder: str, first: int, last: int) -> list[Taken]:
    """Return the decisions of a holder in some rounds; of those that were not settled there are none."""
    found: list[Taken] = []
    for number in range(first, last + 1):
        try:
            found += decisions_of(tables.sittings(table, number), holder)
        except UnsettledError:
            continue
    return found


def decisions_of(steps: list[Sitting], holder: str) -> Iterator[Taken]:
    """Yield the decisions of ``holder`` in a round, from the sittings that the round went through."""
    for before, after in pairwise(steps):
        held = before.seats.get(before.turn) if before.turn else None
        if before.turn is None or held is None or held.holder != holder or before.round is None or after.round is None:
            continue
        now, place = before.round, before.playing.index(before.turn)
        come = islice(after.round.events, len(now.events), None)
        taken = next((event for event in come if isinstance(event, Decided)), None)
        if taken is not None:
            own = now.view(place)[0]
            yield Taken(
                before.standing.number,
                now.game,
                taken.decision,
                taken.action,
                sum(1 << card for card in taken.cards),
                tuple(format_card(card, now.game.deck) for card in now.game.deck.cards if own >> card & 1),
                now.stake_cents(place, now.game.wagers[0].id),
                ask_for_advice(now, place),
            )


def lesson_of(taken: Taken, found: tuple[Hint, ...]) -> Lesson:
    """Return what a decision cost, given what every action was worth, the best first."""
    chosen = next(each for each in found if each.action.id == taken.action and each.cards in (0, taken.given))
    worth = worth_of(taken.game, chosen, found[0])
    best = worth_of(taken.game, found[0], found[0])
    cents = float(worth.cost * taken.ante_cents)
    return Lesson(taken.round, taken.decision, taken.hand, worth, best, cents)


def _cost(taught: list[Lesson]) -> Fraction:
    return sum((each.chosen.cost for each in taught), Fraction())


def _cents(taught: list[Lesson]) -> float:
    return sum(each.cost_cents for each in taught)
