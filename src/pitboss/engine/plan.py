"""How a game would be solved: who sees what when, and how much work it is."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import Any

from pitboss.contract import Game
from pitboss.engine.paths import Path, list_paths
from pitboss.engine.places import PlaceGroup, learn_place_groups
from pitboss.engine.showdown import NoCensusError, ShowdownShape, learn_showdown
from pitboss.options import encode_options, resolve_options

SETTLEMENTS_PER_SECOND = 8_000_000
"""What one core makes of a game of seven cards; others make half to six times as many."""

BUDGET_SECONDS = 7_200
"""The time that a solution may take on one core unless the caller allows more."""

HANDS_PER_SECOND = 10_000_000
"""How many private hands one core evaluates, sorts and asks for in a census."""

OWN_SOLVER, CENSUS, VISIT = "own-solver", "census", "visit"

_MOST_SUIT_ORDERS = 24
_BASE_BYTES = 300 << 20
_MOST_POSITIONS = 1 << 26


@dataclass(frozen=True, slots=True)
class SeenPlaces:
    """Places of the deck that are seen together.

    ``places`` are indexes into the deck, ``fields`` the fields of the state that hold them.  ``decision`` is the first
    decision at which the seat sees them on some path, None if it decides everything without them.
    """

    places: tuple[int, ...]
    fields: tuple[str, ...]
    decision: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """How ``main`` would be solved.

    ``way`` is ``own-solver``, ``census`` or ``visit``; ``operations`` is the number of settlements, or of private hands
    in a census, ``seconds`` about how long they take on one core, ``memory_bytes`` about how much memory a process
    needs.  ``tabulates_play`` says whether the best play can be a table of positions, for simulations.
    """

    places: tuple[SeenPlaces, ...]
    way: str
    operations: int
    seconds: float
    memory_bytes: int
    tabulates_play: bool = False


@lru_cache(maxsize=64)
def make_plan(game: Game, options: Any = None) -> Plan:
    """Plan the solution of a game under some option codes, by default the game's own.

    >>> from pitboss.games import load_game
    >>> make_plan(load_game("six-card")).places[1]
    SeenPlaces(places=(6, 7, 8), fields=('exposed',), decision='fold-or-play')

    Raises:
        PitbossError: ``deal`` puts something other than whole cards into the state.
    """
    codes = encode_options(game, resolve_options(game, {})) if options is None else options
    groups = learn_place_groups(game)
    deals = list_paths(game, codes, groups, list(game.deck.cards))
    operations = _count_settlements(game, deals, groups)
    places = tuple(_describe_group(game, deals, groups, index) for index in range(len(groups)))
    tabulates = _fits_table(game) and operations <= BUDGET_SECONDS * SETTLEMENTS_PER_SECOND
    if game.solver:
        return Plan(places, OWN_SOLVER, operations, operations / SETTLEMENTS_PER_SECOND, _BASE_BYTES)
    try:
        shape = learn_showdown(game, codes, list(game.deck.cards))
    except NoCensusError:
        return Plan(places, VISIT, operations, operations / SETTLEMENTS_PER_SECOND, _BASE_BYTES, tabulates)
    return replace(_plan_census(game, shape, places), tabulates_play=tabulates)


def _fits_table(game: Game) -> bool:
    """Tell whether a table of every position at every decision is not too large."""
    entries = 0
    for decision in game.decisions:
        sizes = [(seen.min_cards, seen.max_cards) for seen in decision.view_fields]
        if any(low != high for low, high in sizes) or any(action.discards for action in decision.actions):
            return False
        entries += prod(comb(game.deck.size, high) for _, high in sizes)
    return 0 < entries <= _MOST_POSITIONS


def count_settlements(game: Game, options: Any = None) -> int:
    """Count about how many settlements a visit makes, however the game is solved."""
    codes = encode_options(game, resolve_options(game, {})) if options is None else options
    groups = learn_place_groups(game)
    return _count_settlements(game, list_paths(game, codes, groups, list(game.deck.cards)), groups)


def _count_settlements(game: Game, deals: list[tuple[Path, ...]], groups: tuple[PlaceGroup, ...]) -> int:
    roots, free = 1, game.deck.size
    for group in sorted(deals[0][0].seen[0]):
        size = len(groups[group].places)
        roots, free = roots * comb(free, size), free - size
    for_each_root = Fraction(sum(path.ways * path.choices for paths in deals for path in paths), len(deals))
    return int(Fraction(roots, _MOST_SUIT_ORDERS) * for_each_root) + 1


def _plan_census(game: Game, shape: ShowdownShape, places: tuple[SeenPlaces, ...]) -> Plan:
    """Plan a showdown census: all private hands of both sides on every board."""
    hands, own, free = _count_private_hands(game, shape)
    kept = comb(game.deck.size, own) * len(shape.endings) * (len(shape.cuts) + 1) * 8 * 4
    before_last = sum(map(bool, shape.public)) > 1 or not shape.public[0]
    return Plan(
        places, CENSUS, hands, hands / HANDS_PER_SECOND, _BASE_BYTES + kept * before_last + 60 * comb(free, own)
    )


def count_private_hands(game: Game, shape: ShowdownShape) -> int:
    """Count about how many private hands a showdown census evaluates."""
    return _count_private_hands(game, shape)[0]


def _count_private_hands(game: Game, shape: ShowdownShape) -> tuple[int, int, int]:
    """Return the private hands, the player's cards, and those that are not public.

    The first public cards are counted up to suits.
    """
    public = [(stage, len(shape.groups[group].places)) for stage, groups in enumerate(shape.public) for group in groups]
    own, hidden = (len(shape.groups[group].places) for group in (shape.own, shape.hidden))
    boards, free = Fraction(1, _MOST_SUIT_ORDERS if public else 1), game.deck.size
    for _, size in public:
        boards, free = boards * comb(free, size), free - size
    return int(boards) * (comb(free, own) + comb(free, hidden)) + 1, own, free


def _describe_group(
    game: Game, deals: list[tuple[Path, ...]], groups: tuple[PlaceGroup, ...], index: int
) -> SeenPlaces:
    """Find the first decision that is asked while the group is seen."""
    first = min(
        (
            step
            for paths in deals
            for path in paths
            for step, action in enumerate(path.actions)
            if action is not None and index in path.seen[step]
        ),
        default=None,
    )
    decision = None if first is None else game.decisions[first].id
    return SeenPlaces(groups[index].places, groups[index].fields, decision)
