"""How a game would be solved: who sees what when, and how much work it is."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import Any

from pitboss.contract import Game
from pitboss.engine.decision_names import list_action_paths
from pitboss.engine.draw_shape import learn_draws
from pitboss.engine.paths import Path, count_ways, find_first_seen, list_paths
from pitboss.engine.places import PlaceGroup, learn_place_groups
from pitboss.engine.rule_errors import translate_rule_exceptions
from pitboss.engine.rule_results import verify_rule_results
from pitboss.engine.showdown import ShowdownShape, explain_why_not_listed, learn_showdown
from pitboss.engine.showdown_outcomes import NoCensusError
from pitboss.options import encode_options, resolve_options

SETTLEMENTS_PER_SECOND = 8_000_000
"""What one core makes of a game of seven cards; others make half to six times as many."""

BUDGET_SECONDS = 7_200
"""The time that a solution may take on one core unless the caller allows more."""

HANDS_PER_SECOND = 10_000_000
"""How many private hands one core evaluates, sorts and asks for in a census."""

SUBSETS_PER_SECOND = 50_000_000
"""How many subsets of private hands one core numbers and adds up in a census by classes."""

OWN_SOLVER, CENSUS, DRAWS, VISIT = "own-solver", "census", "draw-census", "visit"

MOST_SETTLEMENTS = BUDGET_SECONDS * SETTLEMENTS_PER_SECOND

QUICK_SETTLEMENTS = 1 << 27
"""A visit of this many settlements takes some seconds, and counts every side wager."""

_MOST_SUIT_ORDERS = 24
_BASE_BYTES = 300 << 20
_BYTES_OF_CLASS = 64
_MOST_POSITIONS = 1 << 28


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

    ``way`` is ``own-solver``, ``census``, ``draw-census`` or ``visit``; ``operations`` is the number of settlements, or
    of private hands in a census, ``seconds`` about how long they take on one core, ``memory_bytes`` about how much
    memory a process needs that works on one core, ``core_bytes`` how much of it each further core needs too.
    ``tabulates_play`` says in which way the best play becomes a table of positions for simulations, ``no_table`` why it
    does not; ``decides_first`` whether the first decision of a census comes before all public cards: its solution has
    the values.  ``no_census`` is why a game that is visited is not solved by a census.
    """

    places: tuple[SeenPlaces, ...]
    way: str
    operations: int
    seconds: float
    memory_bytes: int
    core_bytes: int = 0
    tabulates_play: str = ""
    decides_first: bool = False
    no_census: str = ""
    no_table: str = ""


@lru_cache(maxsize=64)
def make_plan(game: Game, options: Any = None) -> Plan:
    """Plan the solution of a game under some option codes, by default the game's own.

    >>> from pitboss.games import load_game
    >>> make_plan(load_game("six-card")).places[1]
    SeenPlaces(places=(6, 7, 8), fields=('exposed',), decision='fold-or-play')

    Raises:
        PitbossError: a rule raises an exception, or returns something other than whole numbers
            (``verify_rule_results``), or ``deal`` puts something other than whole cards into the state.
    """
    codes = encode_options(game, resolve_options(game, {})) if options is None else options
    if not game.solver:
        verify_rule_results(game, codes, game.deck.cards)
    with translate_rule_exceptions(game):
        return _plan_by_rules(game, codes)


def _plan_by_rules(game: Game, codes: Any) -> Plan:
    groups = learn_place_groups(game)
    deals = list_paths(game, codes, groups, list(game.deck.cards))
    operations = _count_settlements(game, deals, groups)
    paths, names = [path for each in deals for path in each], [*(decision.id for decision in game.decisions), None]
    places = tuple(
        SeenPlaces(group.places, group.fields, names[find_first_seen(paths, index)])
        for index, group in enumerate(groups)
    )
    if game.solver:
        return Plan(places, OWN_SOLVER, operations, operations / SETTLEMENTS_PER_SECOND, _BASE_BYTES)
    no_table = _explain_no_table(game, deals)
    try:
        shape = learn_showdown(game, codes, list(game.deck.cards))
    except NoCensusError as error:
        seconds = operations / SETTLEMENTS_PER_SECOND
        visit = Plan(places, VISIT, operations, seconds, _BASE_BYTES, no_census=str(error))
        visit = _with_table(visit, no_table, str(error), operations)
        return visit if operations <= QUICK_SETTLEMENTS else _plan_draws(game, codes, visit)
    unlisted = explain_why_not_listed(shape, game.deck.size)
    if not unlisted and not list_action_paths(shape):
        unlisted = "a decision sees no new card"
    return _with_table(_plan_census(game, shape, places), no_table, unlisted, operations)


def _with_table(plan: Plan, no_table: str, unlisted: str, settlements: int) -> Plan:
    """Return a plan that says how the best play becomes a table, or why it does not."""
    if no_table:
        return replace(plan, no_table=no_table)
    if plan.way == CENSUS and not unlisted:
        return replace(plan, tabulates_play=CENSUS)
    if settlements <= MOST_SETTLEMENTS:
        return replace(plan, tabulates_play=VISIT)
    return replace(plan, no_table=f"{unlisted}, and {settlements:,} settlements are too many")


def format_duration(seconds: float) -> str:
    """Format how long something takes.

    >>> format_duration(0.3), format_duration(90), format_duration(1e6)
    ('less than 1 s', '90 s', '12 days')
    """
    for name, unit in (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:,.0f} s" if seconds >= 1 else "less than 1 s"


def _explain_no_table(game: Game, deals: list[tuple[Path, ...]]) -> str:
    """Explain why there is no table of all positions; empty if there can be one."""
    entries = 0
    for index, decision in enumerate(game.decisions):
        sizes = [(seen.min_cards, seen.max_cards) for seen in decision.view_fields]
        if any(low != high for low, high in sizes) or any(action.discards for action in decision.actions):
            return f"at {decision.id} the number of cards that are seen or given up is not always the same"
        action_paths = {path.actions[:index] for paths in deals for path in paths if path.actions[index] is not None}
        exchanges = _MOST_SUIT_ORDERS if len(sizes) > 1 else 1
        entries += len(action_paths) * prod(comb(game.deck.size, high) for _, high in sizes) // exchanges
    if entries > _MOST_POSITIONS:
        return f"a table of its {entries:,} positions is too large"
    return "" if entries else "its decisions see no cards"


def count_settlements(game: Game) -> int:
    """Count about how many settlements a visit makes, however the game is solved."""
    codes, groups = encode_options(game, resolve_options(game, {})), learn_place_groups(game)
    return _count_settlements(game, list_paths(game, codes, groups, list(game.deck.cards)), groups)


def _count_settlements(game: Game, deals: list[tuple[Path, ...]], groups: tuple[PlaceGroup, ...]) -> int:
    roots = count_ways((len(groups[group].places) for group in deals[0][0].seen[0]), game.deck.size)
    for_each_root = Fraction(sum(path.ways * path.choices for paths in deals for path in paths), len(deals))
    return int(Fraction(roots, _MOST_SUIT_ORDERS) * for_each_root) + 1


def _plan_census(game: Game, shape: ShowdownShape, places: tuple[SeenPlaces, ...]) -> Plan:
    """Plan a showdown census: all private hands on every board, or classes of hands."""
    if shape.classes:
        sizes = [len(shape.groups[group].places) for group in (shape.own, shape.hidden)]
        classes = sum(comb(game.deck.size, size) for size in sizes) // _MOST_SUIT_ORDERS + 1
        seconds = (classes << max(sizes)) / SUBSETS_PER_SECOND
        return Plan(places, CENSUS, classes, seconds, _BASE_BYTES + _BYTES_OF_CLASS * classes)
    hands = count_private_hands(game, shape)
    decides_first, seconds = any(shape.public) and not shape.public[0], hands / HANDS_PER_SECOND
    from pitboss.engine.plan_memory import count_census_bytes  # it loads NumPy

    at_work, kept = count_census_bytes(game, shape)
    memory_bytes = _BASE_BYTES + at_work + kept
    return Plan(places, CENSUS, hands, seconds, memory_bytes, at_work, decides_first=decides_first)


def _plan_draws(game: Game, options: Any, visit: Plan) -> Plan:
    """Plan a census of hands before and after one card is drawn.

    Return the plan of the visit where there is none.
    """
    try:
        learned = learn_draws(game, options, game.deck.cards)
    except NoCensusError as error:
        draws = any(action.draws for decision in game.decisions for action in decision.actions)
        return replace(visit, no_census=str(error)) if draws else visit
    held, theirs = learned.own + 1, learned.theirs
    dealers = comb(game.deck.size, theirs) // _MOST_SUIT_ORDERS + 1
    # A final hand is what is held without the cards given up.
    hands = (
        comb(game.deck.size, held)
        // _MOST_SUIT_ORDERS
        * sum(comb(held, action.discards) for action in game.decisions[0].actions if action.draws)
    )
    columns = 2 + len(learned.shape.dealer_cuts)
    seconds = ((hands + columns * dealers) << max(held, theirs)) / SUBSETS_PER_SECOND
    memory_bytes = _BASE_BYTES + 8 * hands * (columns + 4)
    return replace(
        visit, way=DRAWS, operations=hands + dealers, seconds=seconds, memory_bytes=memory_bytes, no_census=""
    )


def count_private_hands(game: Game, shape: ShowdownShape) -> int:
    """Count about how many private hands a showdown census evaluates.

    The first public cards are counted up to suits.
    """
    public = [len(shape.groups[group].places) for groups in shape.public for group in groups]
    own, hidden = (len(shape.groups[group].places) for group in (shape.own, shape.hidden))
    boards = count_ways(public, game.deck.size) // (_MOST_SUIT_ORDERS if public else 1)
    free = game.deck.size - sum(public)
    return boards * (comb(free, own) + comb(free, hidden)) + 1
