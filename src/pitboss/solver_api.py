"""The interface of a game's solver: the functions of its module, and the dataclasses that they take and return.

A game's ``solver`` names its module, which has

- ``solve(problem, progress) -> Solution``: how a way to play ``main`` ends, counted over all deals;
- ``hint(problem, view, asked, progress) -> tuple[ActionValue, ...]``: the value of each legal action at one position;
- ``best_play(problem, progress) -> BestPlay``, if a simulation can follow the best play: a named tuple of arrays for
  the rule ``choose_best(tables, view, asked, best, options)``;
- ``solve_side_by_side(problem, plays, progress) -> tuple[Solution, ...]``, if it is faster to solve the best play
  (None) and strategies together: the solution of each;
- ``SIMULATED_ROUNDS``, if its solutions do not list the mistakes of a strategy: how many rounds to simulate to find
  them.

They call ``progress(done, total)`` as they work.  A solver that splits its work into independent shards (``tasks``)
has these functions instead of ``solve``:

- ``pieces(problem) -> tuple[str, ...]``: the names of the shards, usable as file names;
- ``solve_piece(problem, piece) -> str``: the result of one shard, as text;
- ``put_together(problem, results) -> Solution``: the solution, from the results in the order of the shards.

If ``best_play`` splits into the same shards, it also has ``best_play_piece(problem, piece) -> str`` and
``best_play_from(problem, results) -> BestPlay``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.contract import Game, RuleFunction


def get_solver_module(game: Game) -> str:
    """Return the name of the module that solves a game, "" if it has none."""
    return f"pitboss.games.{game.folder.name}.{game.solver}" if game.solver else ""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play that can be written down: the lines that a person reads, and the rule that follows them.

    ``choose(tables, view, asked, numbers, options) -> (action, cards)`` returns the number of a legal action of
    decision ``asked`` and the mask of the cards given up.  Suits may matter to it only by which cards share one: if
    two hands are alike up to an exchange of suits, it takes the same action.  ``numbers`` are the numbers of the
    strategy that ``lines`` print.
    """

    id: str
    name: str
    lines: tuple[str, ...]
    choose: RuleFunction
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SolverProblem:
    """The input of a solver.

    ``options`` are the option codes.  ``nets`` has the net of each outcome of ``main``, in whole numbers of one unit.
    ``side_nets`` has the nets of side wagers that are staked too and whose outcome depends on the play: one for each
    outcome, for the actual stake, in the same unit.  The best play is then the best for all wagers together (ruling
    SW-8).  With ``strategy``, the solver follows that strategy instead of the best play.
    """

    options: Any
    nets: tuple[int, ...]
    side_nets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    strategy: Strategy | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake of a strategy: ``deals`` in which it takes ``taken`` although ``best`` is better, and the cost.

    ``hand`` describes the kind of position for people; ``cost`` is in units of the nets, over all deals.
    """

    taken: str
    best: str
    hand: str
    deals: int
    cost: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of playing ``main`` by the best play or a strategy, counted over all equally likely deals.

    ``counts`` has one count for each outcome of ``main``; they add up to the deals.  ``actions`` has the number of
    deals in which each path is taken (INTERFACE: ``fold play``, ``raise-once``, ``discard`` ...).
    ``equal_value_positions`` is the number of positions, up to suits, at which two best actions are worth the same;
    ruling ALL-9 says which of them is taken.  It counts all decisions, or with ``equal_first_only`` only the first.

    ``side_outcomes`` has for each outcome of a side wager the number of deals that end so and the sum of the nets of
    ``main`` in them (None if not known), from which covariances are computed.  ``mistakes`` are those of a given
    strategy, the costliest first.
    """

    counts: tuple[int, ...]
    actions: Mapping[str, int]
    equal_value_positions: int
    side_outcomes: Mapping[str, tuple[tuple[int, int | None], ...]] = field(default_factory=dict)
    mistakes: tuple[Mistake, ...] = ()
    equal_first_only: bool = False


def parse_solution(document: dict[str, Any]) -> Solution:
    """Return the solution in a stored dictionary, as ``asdict`` makes it and JSON reads it back."""
    side = {bet: tuple((deals, total) for deals, total in lines) for bet, lines in document["side_outcomes"].items()}
    mistakes = tuple(Mistake(**mistake) for mistake in document["mistakes"])
    return Solution(**(document | {"counts": tuple(document["counts"]), "side_outcomes": side, "mistakes": mistakes}))


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of an action at a position: the round's expected net, in units; ``cards`` is the discard mask.

    A hint has one for every legal action of the decision, and for each choice of cards, with best play after it.
    """

    action: str
    cards: int
    value: Fraction
