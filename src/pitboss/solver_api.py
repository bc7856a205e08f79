"""What a game's solver is asked and what it answers: frozen descriptions.

A game's ``solver`` names its module, which has

- ``solve(problem, progress) -> Solution``: what a play of ``main`` leads to, over all deals;
- ``hint(problem, view, asked, progress) -> tuple[Valued, ...]``: what each legal action is worth at one position;
- ``best_play(problem, progress) -> BestPlay``, where a simulation can follow it: a named tuple of arrays, which
  ``choose_best(tables, view, asked, best, options)``, a rule, then plays by;
- ``solve_side_by_side(problem, plays, progress) -> tuple[Solution, ...]``, where the best play (None) and strategies
  are sooner solved together: what each of them leads to;
- ``SIMULATED_ROUNDS``, where it does not tell the mistakes of a strategy: over how many rounds they are simulated.

``progress(done, total)`` is told how far they are.  A solver whose work falls into independent pieces (``work``) has in
the place of ``solve``

- ``pieces(problem) -> tuple[str, ...]``: their names, fit for files;
- ``solve_piece(problem, piece) -> str``: the result of one, as text;
- ``put_together(problem, results) -> Solution``: from the results in the order of the pieces;

and beside ``best_play``, where that falls into the same pieces, ``best_play_piece(problem, piece) -> str`` and
``best_play_from(problem, results) -> BestPlay``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.contract import Game, RuleFunction


def get_solver_module(game: Game) -> str:
    """Return the name of the module that solves a game, "" where the game has none."""
    return f"pitboss.games.{game.folder.name}.{game.solver}" if game.solver else ""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play that can be written down: what a person reads, and the rule that follows it.

    ``choose(tables, view, asked, numbers, options) -> (action, cards)`` gives the number of a legal action of decision
    ``asked`` and the mask of the cards given up.  It must not tell suits apart but by which cards share one, and
    of two hands alike up to suits it takes the same action.  ``numbers`` are the strategy's own, as ``lines`` say them.
    """

    id: str
    name: str
    lines: tuple[str, ...]
    choose: RuleFunction
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SolverProblem:
    """What is to be solved.

    ``options`` are the option codes and ``nets`` what each outcome of ``main`` nets, whole numbers of one unit.
    ``side_nets`` has side wagers staked along with it whose outcome depends on the play: what each of their outcomes
    nets, in the same unit, their stake counted in; the best play is then the best for all together (ruling SW-8).
    With ``strategy`` that is played, and nothing is chosen.
    """

    options: Any
    nets: tuple[int, ...]
    side_nets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    strategy: Strategy | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """Where a strategy errs: ``deals`` in which it takes ``taken`` where ``best`` was better, and what that costs.

    ``hand`` says what sort of position it is, in a person's words; ``cost`` is in units of the nets, over all deals.
    """

    taken: str
    best: str
    hand: str
    deals: int
    cost: int


@dataclass(frozen=True, slots=True)
class Solution:
    """What a play of ``main``, the best or a given one, leads to, counted over all equally likely deals.

    ``counts`` has one count for each outcome of ``main``; they add up to the deals.  ``actions`` says in how many deals
    each path is taken (INTERFACE: ``fold play``, ``raise-once``, ``discard`` ...), ``equal_value_positions`` at how
    many positions up to suits two best actions are worth the same, booked as ruling ALL-9 says: at all decisions, or at
    the first alone where ``equal_first_only`` says so.

    ``side_outcomes`` has for side wagers, outcome by outcome, in how many deals it comes about and the sum of what
    ``main`` nets there (None where it is not known): what covariances are made of.  ``mistakes`` are those of a given
    strategy, the dearest first.
    """

    counts: tuple[int, ...]
    actions: Mapping[str, int]
    equal_value_positions: int
    side_outcomes: Mapping[str, tuple[tuple[int, int | None], ...]] = field(default_factory=dict)
    mistakes: tuple[Mistake, ...] = ()
    equal_first_only: bool = False


def parse_solution(document: dict[str, Any]) -> Solution:
    """Return a solution from the dictionary it is kept as, as ``asdict`` makes it and JSON reads it again."""
    side = {bet: tuple((deals, total) for deals, total in lines) for bet, lines in document["side_outcomes"].items()}
    mistakes = tuple(Mistake(**mistake) for mistake in document["mistakes"])
    return Solution(**(document | {"counts": tuple(document["counts"]), "side_outcomes": side, "mistakes": mistakes}))


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an action is worth at a position, ``cards`` (a mask) given up: the whole round's expected net, in units.

    A hint has every legal action of the decision asked, each choice of cards apart, with best play from there on.
    """

    action: str
    cards: int
    value: Fraction
