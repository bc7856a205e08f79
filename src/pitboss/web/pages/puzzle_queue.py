"""The queue of a guest's puzzles: what was answered, and what comes next."""

from datetime import date
from fractions import Fraction
from typing import Literal, NamedTuple

from starlette.datastructures import QueryParams

from pitboss.table.training.puzzle_records import PuzzleState, schedule_puzzles
from pitboss.web.jobs.own_play import OwnLeak, PlacedMistake
from pitboss.web.jobs.puzzle_drawing import (
    MOST_PUZZLES,
    PuzzleKind,
    find_cost_level,
    list_puzzle_kinds,
    name_similar_batch,
    parse_similar_level,
)
from pitboss.web.pages.my_play import find_own_play
from pitboss.web.pages.page_call import PageCall

Source = Literal["own", "theme", "large", "daily", "due"]

_DRILL_BATCHES = 5

MOST_DRILLED = _DRILL_BATCHES * MOST_PUZZLES
"""The most drawn positions that follow a guest's own mistakes of a kind."""


class AskedPuzzle(NamedTuple):
    """A puzzle that is asked: the query of its position, and where it comes from.

    ``finished`` names the kind of the puzzles before, if it was the last of them.
    """

    query: str
    source: Source
    theme: str
    origin: str
    finished: str = ""

    @property
    def address(self) -> str:
        """The address of the page that asks it."""
        more = {"source": self.source, "theme": self.theme, "origin": self.origin}
        more |= {"finished": self.finished} if self.finished else {}
        return f"/puzzles/solve?{self.query}&{QueryParams(more)}"

    def name_kind(self, game: str) -> str:
        """Name the game and the decision that it asks, "" if its origin does not say.

        >>> AskedPuzzle("", "own", "", "t1/3/fold-or-play").name_kind("six-card")
        'six-card/fold-or-play'
        >>> AskedPuzzle("", "own", "Draws", "lunar/draw/like -2 0/1").name_kind("lunar")
        'lunar/draw'
        """
        match self.origin.split("/"):
            case [_, _, decision]:
                return f"{game}/{decision}"
            case [drawn_game, decision, _, _]:
                return f"{drawn_game}/{decision}"
        return ""


class GuestPuzzles(NamedTuple):
    """A guest's answered puzzles, and the mistakes at the tables not asked yet.

    ``leaks`` has the mistakes of each kind together, those asked before too.
    """

    states: dict[str, PuzzleState]
    origins: frozenset[str]
    answered: int
    right: int
    mistakes: tuple[PlacedMistake, ...]
    leaks: tuple[OwnLeak, ...]

    def list_alike(self, kind: str, after: str) -> list[PlacedMistake]:
        """List the mistakes of a kind not asked yet, those of the same leak first.

        The leak is that of the mistake ``after`` which they come, which is not among them.
        """
        leaks = [leak for leak in self.leaks if leak.kind == kind]
        same = [each for leak in leaks if after in map(name_origin, leak.mistakes) for each in leak.mistakes]
        alike = [each for leak in leaks for each in leak.mistakes]
        left = (each for each in self.mistakes if each in alike and name_origin(each) != after)
        return sorted(left, key=lambda each: each not in same)

    def find_level(self, kind: str, after: str) -> int:
        """Return the level of the drawn positions that follow mistakes of a kind.

        It is that of the mistake ``after`` which they come, or of the drawn position that followed it; else that of
        the costliest mistake.
        """
        costs = {
            name_origin(each): each.made.chosen.cost
            for leak in self.leaks
            if leak.kind == kind
            for each in leak.mistakes
        }
        drawn = parse_similar_level(after.rpartition("/")[0].rpartition("/")[2])
        if after not in costs and drawn is not None:
            return drawn
        return find_cost_level(costs.get(after) or max(costs.values(), default=Fraction(1)))

    def list_due(self, today: date) -> list[PuzzleState]:
        """List the puzzles that are due, the longest overdue first."""
        return sorted((state for state in self.states.values() if state.due <= today), key=lambda each: each.due)


def name_origin(mistake: PlacedMistake) -> str:
    """Return what tells a mistake from every other."""
    return f"{mistake.table}/{mistake.made.round}/{mistake.made.decision}"


def find_guest_puzzles(call: PageCall) -> GuestPuzzles:
    """Return a guest's puzzles; the costliest mistakes come first."""
    answers = call.registry.puzzle_records.list_answers(call.guest.holder)
    origins = frozenset(each.answer.origin for each in answers)
    leaks = find_own_play(call).list_leaks()
    mistakes = (each for leak in leaks for each in leak.mistakes)
    unasked = (each for each in mistakes if name_origin(each) not in origins)
    return GuestPuzzles(
        schedule_puzzles(answers),
        origins,
        len(answers),
        sum(each.answer.is_right for each in answers),
        tuple(sorted(unasked, key=lambda each: -each.made.cost_cents)),
        tuple(leaks),
    )


def find_puzzle_kind(name: str) -> PuzzleKind | None:
    """Return the kind of puzzles of a name, None if there is none."""
    return next((kind for kind in list_puzzle_kinds() if kind.name == name), None)


def list_drill_batches(kind: PuzzleKind, level: int) -> list[tuple[PuzzleKind, str]]:
    """List the batches of drawn positions that follow own mistakes of a kind."""
    return [(kind, name_similar_batch(level, batch)) for batch in range(_DRILL_BATCHES)]
