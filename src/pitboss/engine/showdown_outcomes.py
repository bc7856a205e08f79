"""Find the strengths at which the outcome of a declared showdown changes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import Any

from pitboss.contract import Game, RuleFunction, Showdown
from pitboss.core.errors import PitbossError
from pitboss.hands import CATEGORY_COUNT, load_hand_tables

_READ = 20
"""How many deals tell which fields a rule reads."""

_MOST_CUTS = 24
_CATEGORIES, _CATEGORY_SHIFT = 24, 20


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one path of actions.

    ``outcome`` is main's outcome where the path ends without a showdown, else -1; then ``state`` is a state after this
    path, whose cards mean nothing.
    """

    actions: tuple[int | None, ...]
    outcome: int
    state: Any


class NoCensusError(PitbossError):
    """An error for a game that cannot be solved by a showdown census."""


def make_strength_error(game: Game) -> NoCensusError:
    """Make the error of a strength that no key holds."""
    return NoCensusError(
        f"a strength of {game.id} is negative or needs more than 31 bits", code="no-showdown", game=game.id
    )


class _FieldRecorder:
    """A state that remembers which of its fields were read."""

    def __init__(self, state: Any, read: set[str]) -> None:
        self._state, self._read = state, read

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return getattr(self._state, name)


def find_read_fields(rule: RuleFunction, options: Any, states: Sequence[Sequence[Any]]) -> set[str]:
    """Return the fields of the state that a rule reads in some deals."""
    read: set[str] = set()
    for each in states[:_READ]:
        for state in each:
            rule(load_hand_tables(), _FieldRecorder(state, read), options)
    return read


def make_ending(
    showdown: Showdown, options: Any, actions: tuple[int | None, ...], state: Any, strengths: Sequence[int]
) -> Ending:
    """Make the end of a path, one of whose states is known.

    It is without a showdown if ``outcome`` reads no strength there.
    """
    ends = {showdown.outcome(state, mine, theirs, options) for mine, theirs in product(_pick(strengths, 40), repeat=2)}
    return Ending(actions, ends.pop() if len(ends) == 1 else -1, state)


def list_strengths(showdown: Showdown, options: Any, states: Sequence[Sequence[Any]]) -> list[int]:
    """Return the strengths of the hands dealt, and the least of every category."""
    tables = load_hand_tables()
    dealt = {rank(tables, each[0], options) for each in states for rank in (showdown.mine, showdown.theirs)}
    categories = range(CATEGORY_COUNT) if max(dealt) < CATEGORY_COUNT << _CATEGORY_SHIFT else range(_CATEGORIES)
    return sorted(dealt | {category << _CATEGORY_SHIFT for category in categories})


def _pick(strengths: Sequence[int], count: int) -> list[int]:
    """Return about ``count`` of the strengths, evenly spread, and the last."""
    return [*strengths[:: max(1, len(strengths) // count)], strengths[-1]]


def find_cuts(
    showdown: Showdown, options: Any, endings: Sequence[Ending], states: Sequence[Sequence[Any]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the strengths at which an outcome changes.

    Those where the two hands change places are left out.

    First those of either hand, then those of the dealer's.

    Raises:
        NoCensusError: there are more than a handful.
    """
    strengths = list_strengths(showdown, options, states)
    probes = (-1, *strengths, strengths[-1] + 1)
    mine_cuts, dealer_cuts = set[int](), set[int]()
    for ending in endings:
        for fixed in (-1, *_pick(strengths, 20), probes[-1]) if ending.outcome < 0 else ():
            dealer_cuts |= _bisect_changes(
                partial(_swap(showdown.outcome), ending.state, fixed, options), probes, fixed
            )
            mine_cuts |= _bisect_changes(partial(_keep(showdown.outcome), ending.state, fixed, options), probes, fixed)
        if len(mine_cuts | dealer_cuts) > _MOST_CUTS:
            raise NoCensusError(f"an outcome changes at more than {_MOST_CUTS} strengths", code="no-showdown")
    return tuple(sorted(mine_cuts | dealer_cuts)), tuple(sorted(dealer_cuts))


def _swap(outcome: RuleFunction) -> RuleFunction:
    """Return ``f(state, mine, options, theirs)``."""
    return lambda state, mine, options, theirs: outcome(state, mine, theirs, options)


def _keep(outcome: RuleFunction) -> RuleFunction:
    """Return ``f(state, theirs, options, mine)``."""
    return lambda state, theirs, options, mine: outcome(state, mine, theirs, options)


def _bisect_changes(outcome: Any, strengths: Sequence[int], fixed: int) -> set[int]:
    """Return the integers from which on an outcome is another one.

    ``fixed`` and the next integer are left out.
    """
    cuts = set()
    for low, high in pairwise(strengths):
        for begin, stop in ((low, min(high, fixed - 1)), (max(low, fixed + 1), high)):
            start = begin
            while start < stop and not start < fixed < stop and outcome(start) != outcome(stop):
                first, after = outcome(start), range(start + 1, stop + 1)
                # From the start of another outcome on there may be more of them.
                start = after[bisect_left(after, 1, key=lambda each: int(outcome(each) != first))]
                cuts.add(start)
    return cuts


def tabulate_outcomes(
    showdown: Showdown, options: Any, ending: Ending, cuts: Sequence[int], dealer_cuts: Sequence[int]
) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """Return the outcomes of an ending by the two hands' classes and order.

    Orders that two classes cannot have are filled with the outcome of the order that they have.
    """
    if ending.outcome >= 0:
        return (((ending.outcome,) * 3,) * (len(dealer_cuts) + 1),) * (len(cuts) + 1)
    # Two strengths of each class: its first and the one after it.  The rule takes any integer.
    table = []
    for mine in (-1, *cuts):
        row = []
        for index, theirs in enumerate((-1, *dealer_cuts)):
            compared = (mine, mine + 1), (mine, mine), (mine + 1, mine)
            if bisect_right(dealer_cuts, mine) != index:
                compared = ((theirs, mine),) * 3
            row.append(tuple(showdown.outcome(ending.state, own, dealers, options) for dealers, own in compared))
        table.append(tuple(row))
    return tuple(table)
