"""The exact value of a leak: a showdown census with more cards known at first."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.engine.card_leaks import CardLeak, SeenAspect
from pitboss.engine.census import Census, add_by_class, count_roots, prepare_census
from pitboss.engine.census_solver import combine_parts
from pitboss.engine.plan import HANDS_PER_SECOND, count_private_hands
from pitboss.engine.roots import split_roots
from pitboss.engine.showdown import learn_showdown
from pitboss.engine.showdown_outcomes import NoCensusError
from pitboss.kernels.enumeration import map_on_threads
from pitboss.solver_api import SolverProblem

_PARTS = 24


def prepare_leak_census(
    game: Game, problem: SolverProblem, cards: Sequence[int], leak: CardLeak, seconds: float
) -> Census | None:
    """Prepare the census of a deck with a leak; return None if there is none.

    There is none if one core takes longer than ``seconds``.  A census knows whole cards, no ranks and
    no colours, and nothing is drawn.
    """
    if leak.aspect is not SeenAspect.CARD:
        return None
    try:
        shape = learn_showdown(game, problem.options, cards, leak.places)
        if count_private_hands(game, shape) > seconds * HANDS_PER_SECOND:
            return None
        return prepare_census(game, problem, cards, leak.places)
    except NoCensusError:
        return None


def value_with_leak(census: Census, problem: SolverProblem, progress: ProgressCallback) -> Fraction:
    """Return the mean net of the best play that uses the leak of a census."""

    def count_part(part: tuple[int, int]) -> Any:
        return add_by_class(census, count_roots(census, problem, *part)[0])

    parts = [part for _, part in map_on_threads(count_part, split_roots(len(census.roots), _PARTS), progress)]
    counts = combine_parts(census, parts, problem).counts
    return Fraction(sum(count * net for count, net in zip(counts, problem.nets, strict=True)), sum(counts))
