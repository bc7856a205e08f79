"""A player's leaks: which decisions of theirs at a table were not the best, and what that has cost."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from pitboss.describe import spoken
from pitboss.table.domain import Decided
from pitboss.table.service import Tables
from pitboss.table.sitting import Sitting
from pitboss.web.coach import Coach, Lesson

_ROUNDS = 200


class Leak(NamedTuple):
    """Decisions of one kind taken alike where the same was better: how often, and what they cost together."""

    decision: str
    chosen: str
    best: str
    times: int
    cost: Fraction
    cost_cents: float
    rounds: tuple[int, ...]


class Leaks(NamedTuple):
    """What a player's decisions came to, the dearest leak first; ``cost`` is in Antes."""

    rounds: int
    decisions: int
    mistakes: int
    cost: Fraction
    cost_cents: float
    leaks: tuple[Leak, ...]


def leaks_of(tables: Tables, coach: Coach, table: str, holder: str) -> Leaks:
    """Value every decision that ``holder`` took in the last rounds of a table."""
    last = tables.sitting(table).standing.number - 1
    numbers = range(max(1, last - _ROUNDS + 1), last + 1)
    taught = [lesson for number in numbers for lesson in lessons(coach, tables.sittings(table, number), holder)]
    wrong: dict[tuple[str, str, str], list[Lesson]] = {}
    for each in taught:
        if each.chosen.cost:
            wrong.setdefault((each.decision, each.chosen.name, each.best.name), []).append(each)
    leaks = (
        Leak(spoken(decision), chosen, best, len(same), _cost(same), _cents(same), tuple(each.round for each in same))
        for (decision, chosen, best), same in wrong.items()
    )
    return Leaks(
        len(numbers),
        len(taught),
        sum(map(len, wrong.values())),
        _cost(taught),
        _cents(taught),
        tuple(sorted(leaks, key=lambda leak: -leak.cost_cents)),
    )


def lessons(coach: Coach, steps: list[Sitting], holder: str) -> Iterator[Lesson]:
    """Yield what each decision of ``holder`` in a round cost, from the sittings that the round went through."""
    for before, after in pairwise(steps):
        held = before.seats.get(before.turn) if before.turn else None
        if before.turn is None or held is None or held.holder != holder or before.round is None or after.round is None:
            continue
        come = after.round.events[len(before.round.events) :]
        taken = next((event for event in come if isinstance(event, Decided)), None)
        if taken is not None:
            yield coach.lesson(before, before.turn, taken)


def _cost(taught: list[Lesson]) -> Fraction:
    return sum((each.chosen.cost for each in taught), Fraction())


def _cents(taught: list[Lesson]) -> float:
    return sum(each.cost_cents for each in taught)
