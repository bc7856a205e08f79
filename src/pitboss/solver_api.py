"""The interface of a game's solver: its type, and what it takes and returns.

A game's ``solver`` names a module of its folder that has ``SOLVER = Solver(...)``.  Only ``load_solver`` imports it, so
that a game is loaded without what its solver compiles.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar, final

from pitboss.contract import Game, RuleFunction
from pitboss.core.errors import PitbossError, WagerError
from pitboss.core.progress import ProgressCallback

Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A written way to play: the lines to read and the rule that follows them.

    ``choose(tables, view, decision, numbers, options) -> (action, cards)`` returns the number of a legal action and the
    mask of the cards given up; ``decision`` is the number of the decision in ``Game.decisions``.  Suits may matter to
    it only by which cards share one: if two hands are alike up to an exchange of suits, it takes the same action.
    ``numbers`` are the numbers of the strategy that ``lines`` print.
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
    SW-8).  With ``strategy``, the solver follows that strategy instead of the best play.  ``counted`` are side wagers
    whose outcomes are counted with main's; a solver may count others too.
    """

    options: Any
    nets: tuple[int, ...]
    side_nets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    strategy: Strategy | None = None
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake of a strategy: the deals in which it is made, and its cost.

    In ``deals`` deals it takes ``taken`` although ``best`` is better.  ``hand`` describes the kind of position for
    people; ``cost`` is in units of the nets, over all deals.
    """

    taken: str
    best: str
    hand: str
    deals: int
    cost: int


@dataclass(frozen=True, slots=True)
class FirstValue:
    """The value of an action of the first decision, for a class of hands.

    ``cards`` is the least of the hands that an exchange of suits turns into one another, ``deals`` in how many deals
    the seat holds one of them, and ``total`` the net of these deals after the action and the best play, in units.
    """

    cards: int
    action: str
    deals: int
    total: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of playing ``main`` by the best play or a strategy.

    It is counted over all equally likely deals.  ``counts`` has one count for each outcome of ``main``; they add up to
    the deals.  ``actions`` has the number of deals in which each path is taken, by the ids that players type (``fold
    play``, ``raise-once``, ``discard``).  ``equal_value_positions`` is the number of positions, up to suits, at which
    two best actions are worth the same; ruling ALL-9 says which of them is taken.  It counts all decisions, or with
    ``equal_first_only`` only the first.

    ``side_outcomes`` has for each outcome of a side wager the number of deals that end so and the sum of the nets of
    ``main`` in them (None if not known), from which covariances are computed.  ``mistakes`` are those of a given
    strategy, the costliest first.  ``first_values`` are those of the first decision, where it is taken so early that a
    hint cannot count all that can follow.
    """

    counts: tuple[int, ...]
    actions: Mapping[str, int]
    equal_value_positions: int
    side_outcomes: Mapping[str, tuple[tuple[int, int | None], ...]] = field(default_factory=dict)
    mistakes: tuple[Mistake, ...] = ()
    equal_first_only: bool = False
    first_values: tuple[FirstValue, ...] = ()


def parse_solution(document: dict[str, Any]) -> Solution:
    """Return the solution in a stored dictionary.

    ``asdict`` made the dictionary, and JSON reads it back.
    """
    side = {bet: tuple((deals, total) for deals, total in lines) for bet, lines in document["side_outcomes"].items()}
    return Solution(
        **document
        | {
            "counts": tuple(document["counts"]),
            "side_outcomes": side,
            "mistakes": tuple(Mistake(**mistake) for mistake in document["mistakes"]),
            "first_values": tuple(FirstValue(**value) for value in document.get("first_values", ())),
        }
    )


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of an action at a position: the round's expected net, in units.

    ``cards`` is the discard mask.  A hint has one for every legal action of the decision, and for each choice of cards,
    with best play after it.
    """

    action: str
    cards: int
    value: Fraction


@final
@dataclass(frozen=True, slots=True)
class ShardedTask(Generic[Result_co]):
    """A computation in independent shards, which an ``Executor`` runs (``tasks``).

    ``list_shards`` names the shards, usable as file names; ``solve_shard`` returns the result of one as text;
    ``combine_shards`` takes the results in the order of the shards.
    """

    list_shards: Callable[[SolverProblem], tuple[str, ...]]
    solve_shard: Callable[[SolverProblem, str], str]
    combine_shards: Callable[[SolverProblem, Sequence[str]], Result_co]


@dataclass(frozen=True, slots=True)
class PlayTabulator:
    """Tabulates the best play hand by hand, for simulations to follow.

    ``tabulate`` returns a ``tables_type``, a named tuple of arrays.  The rule ``choose(tables, view, decision, best,
    options) -> (action, cards)`` takes these arrays as ``best``.  With ``sees_path`` it also takes what the seat did
    before, as ``choose(tables, view, decision, path, best, options)``: ``path`` has a digit for each earlier decision,
    to the base of its actions and one, the first digit first; 0 is for a decision that was not reached, else it is 1
    more than the action.
    """

    tables_type: Callable[..., Any]
    tabulate: Callable[[SolverProblem, ProgressCallback], Any] | ShardedTask[Any]
    choose: RuleFunction
    sees_path: bool = False


@dataclass(frozen=True, slots=True)
class BundledMistakes:
    """The bundled mistakes of written strategies in simulated rounds.

    They are in the file ``path``.  ``load(problem, strategies, rounds)`` returns them, by strategy and round; None if
    they were made under other terms.  ``format(problem, strategies, rounds, mistakes, made_by)`` returns the text of
    the file.
    """

    path: Path
    load: Callable[[SolverProblem, Sequence[Strategy], int], Any]
    format: Callable[[SolverProblem, Sequence[Strategy], int, Any, str], str]


HintFunction = Callable[[SolverProblem, Any, int, ProgressCallback], tuple[ActionValue, ...]]
"""``hint(problem, view, decision, progress)``, the value of each legal action at one position."""

PathHintFunction = Callable[
    [SolverProblem, Any, int, tuple[str, ...] | None, ProgressCallback], tuple[ActionValue, ...]
]
"""``hint_on_path(problem, view, decision, taken, progress)``, where earlier actions matter that the view does not show.

``taken`` are the actions at the decisions before, None if they are not known.
"""


SolutionHintFunction = Callable[[Solution, Any], tuple[ActionValue, ...]]
"""``hint_from_solution(solution, view)``, the value of each action of the first decision by a solution."""


@dataclass(frozen=True, slots=True)
class Solver:
    """The functions of a game's solver.

    They call ``progress(done, total)`` as they work.  ``solve`` counts how a way to play ``main`` ends over all deals.
    ``hint_on_path`` is called instead of ``hint`` where it is given, and ``hint_from_solution`` at the first decision.
    ``solve_side_by_side(problem, plays, progress)`` returns the solution of each play, the best one (None) or a
    strategy, where that is faster than one by one.  ``simulated_rounds`` is how many rounds to simulate for the
    mistakes of a strategy; 0 if its solutions list them.  With ``counts_on_request`` it counts only those side wagers
    that a problem names.  One that ``takes_minutes`` does so in one piece; one that solves in shards takes them anyway.
    """

    solve: Callable[[SolverProblem, ProgressCallback], Solution] | ShardedTask[Solution]
    hint: HintFunction | None = None
    best_play: PlayTabulator | None = None
    solve_side_by_side: (
        Callable[[SolverProblem, Sequence[Strategy | None], ProgressCallback], tuple[Solution, ...]] | None
    ) = None
    simulated_rounds: int = 0
    bundled_mistakes: BundledMistakes | None = None
    hint_on_path: PathHintFunction | None = None
    hint_from_solution: SolutionHintFunction | None = None
    counts_on_request: bool = False
    takes_minutes: bool = False

    @property
    def shards(self) -> ShardedTask[Solution] | None:
        """The solution in shards; None if it is found in one piece."""
        return self.solve if isinstance(self.solve, ShardedTask) else None


def get_hint_function(game: Game, solver: Solver) -> HintFunction:
    """Return the function that values each legal action at a position.

    Raises:
        WagerError: the solver gives no hints.
    """
    if solver.hint is None:
        raise WagerError(f"{game.id} has no hints in this version", code="no-hints", game=game.id)
    return solver.hint


def get_solver_module(game: Game) -> str:
    """Return the name of the module that solves a game: its own, or the engine's."""
    return f"pitboss.games.{game.folder.name}.{game.solver}" if game.solver else "pitboss.engine.solver"


def load_solver(game: Game) -> Solver:
    """Import the game's solver.

    Raises:
        WagerError: the game has no solver.
        PitbossError: its module cannot be imported, or has no ``SOLVER``.
    """
    if not game.solver:
        raise WagerError(f"main of {game.id} has no exact solution in this version", code="no-solver", game=game.id)
    name = get_solver_module(game)
    try:
        solver = vars(import_module(name)).get("SOLVER")
    except (ImportError, TypeError) as error:
        raise PitbossError(
            f"the solver of {game.id} cannot be loaded: {error}", code="solver-broken", game=game.id
        ) from error
    if not isinstance(solver, Solver):
        raise PitbossError(
            f"{name} has no solver: write SOLVER = Solver(...) there, from pitboss.solver_api",
            code="solver-broken",
            name=name,
        )
    return solver
