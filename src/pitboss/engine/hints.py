"""Value every action at a position by a visit of all that can follow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from pitboss.cards import make_mask, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.draw_census import can_value_draws, value_draws
from pitboss.engine.paths import ActionPath, find_opening, list_paths, name_actions
from pitboss.engine.places import deal_one_seat
from pitboss.engine.showdown_hints import find_direct_showdown, value_by_showdown
from pitboss.engine.symmetry import exchange_cards, list_exchanges
from pitboss.engine.visit import Visit, make_walk, make_walk_data, prepare_visit
from pitboss.engine.walk_faults import verify_walk
from pitboss.engine.walk_positions import build_action_kernel
from pitboss.engine.walk_state import GIVEN, NOTHING, TAKEN, WalkState
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.solver_api import ActionValue, Solution, SolverProblem

_DEALS = 200

_MOST_SETTLEMENTS = 1_000_000_000
"""Two minutes of one core."""


class _Step(NamedTuple):
    """One decision on the way to a position.

    It has the action taken, the cards given up and the cards drawn.
    """

    taken: int
    given: int
    drawn: int


class _Reached(NamedTuple):
    """A deal and the path that lead to a decision, and the state there."""

    deck: tuple[int, ...]
    steps: tuple[_Step, ...]
    state: Any
    top: int

    @property
    def actions(self) -> ActionPath:
        """The actions taken, None where nothing was asked."""
        return tuple(None if step.taken == NOTHING else step.taken for step in self.steps)


def hint(
    game_id: str, problem: SolverProblem, view: Any, decision: int, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Return the value of each legal action at a position, in units of the nets.

    Raises:
        IllegalActionError: no round reaches the decision with these cards, or more than one way to play does, or what
            can follow takes too long to visit.
    """
    return hint_on_path(game_id, problem, view, decision, None, progress)


def hint_on_path(
    game_id: str,
    problem: SolverProblem,
    view: Any,
    decision: int,
    taken: tuple[str, ...] | None,
    progress: ProgressCallback,
) -> tuple[ActionValue, ...]:
    """Return the value of each legal action after other actions, as ``hint`` does.

    ``taken`` are the actions at the decisions before, None if they are not known.
    """
    side_nets = tuple(sorted(problem.side_nets.items()))
    visit = _prepare_once(load_game(game_id), problem.options, problem.nets, side_nets)
    return value_actions(visit, problem, view, decision, progress, taken)


@lru_cache(maxsize=8)
def _prepare_once(
    game: Game, options: Any, nets: tuple[int, ...], side_nets: tuple[tuple[str, tuple[int, ...]], ...]
) -> Visit:
    problem = SolverProblem(options, nets, dict(side_nets))
    return prepare_visit(game, problem, list(game.deck.cards), lists_roots=False)


def hint_from_solution(game_id: str, solution: Solution, view: Any) -> tuple[ActionValue, ...]:
    """Return the value of each action of the first decision by a solution.

    The hand is one of a class of hands that an exchange of suits turns into one another.

    Raises:
        IllegalActionError: no round reaches the decision with these cards.
    """
    game = load_game(game_id)
    exchanges = list_exchanges(game.deck.mask, keeps_colours=False)
    held = sum(view)
    least = min(int(exchange_cards(held, exchange)) for exchange in exchanges)
    values = tuple(
        ActionValue(each.action, 0, Fraction(each.total, each.deals))
        for each in solution.first_values
        if each.cards == least
    )
    if not values:
        raise IllegalActionError(f"no round reaches {game.decisions[0].id}", code="unreachable-position")
    return values


def value_actions(
    visit: Visit,
    problem: SolverProblem,
    view: Any,
    decision: int,
    progress: ProgressCallback,
    taken: tuple[str, ...] | None = None,
) -> tuple[ActionValue, ...]:
    """Value each legal action with the visit's deck, as ``hint_on_path`` does."""
    game = visit.game
    reached = _find_way(visit, problem, view, decision, taken)
    walk, spare = _place_cards(visit, reached, view), len(visit.cards) - reached.top - game.undrawable_cards
    allowed = game.rules.legal_actions(load_hand_tables(), view, decision, spare, problem.options)
    shape = None if problem.side_nets else find_direct_showdown(game, problem.options, visit.cards)
    if shape:
        nets = value_by_showdown(game, shape, problem, visit.cards, walk.held.tolist())
        return tuple(
            ActionValue(action.id, 0, nets[index])
            for index, action in enumerate(game.decisions[decision].actions)
            if allowed >> index & 1
        )
    if not problem.side_nets and can_value_draws(game, problem.options, visit.cards):
        return value_draws(game, problem, visit.cards, view.player, allowed)
    _verify_quick(visit, problem, reached)
    choices = [
        (index, cards)
        for index, action in enumerate(game.decisions[decision].actions)
        if allowed >> index & 1
        for cards in _iter_choices(view.player, action.discards)
    ]
    values, walk_action = list[ActionValue](), build_action_kernel(game, decision)
    data = make_walk_data(visit, problem.options)._replace(walk=walk)
    for index, cards in choices:
        walk.path[decision, TAKEN], walk.path[decision, GIVEN] = index, cards
        value = walk_action(data, visit.scale)
        verify_walk(game, data.tally)
        values.append(ActionValue(game.decisions[decision].actions[index].id, cards, Fraction(int(value), visit.scale)))
        progress(len(values), len(choices))
    return tuple(values)


def _verify_quick(visit: Visit, problem: SolverProblem, reached: _Reached) -> None:
    """Verify that what can follow a position is visited soon.

    Raises:
        IllegalActionError: it takes minutes.
    """
    index, before = len(reached.steps), reached.actions
    settlements = max(
        sum(path.ways * path.choices // path.reached[index] for path in paths if path.actions[:index] == before)
        for paths in list_paths(visit.game, problem.options, visit.groups, visit.cards)
    )
    if settlements > _MOST_SETTLEMENTS:
        decision = visit.game.decisions[index].id
        raise IllegalActionError(
            f"the exact values at {decision} take {settlements:,} settlements, more than {_MOST_SETTLEMENTS:,}: ask at "
            "a later decision, or solve the game for its best play",
            code="hint-past-budget",
            decision=decision,
            settlements=settlements,
        )


def _iter_choices(held: int, count: int) -> Iterator[int]:
    """Yield each set of ``count`` of the cards held."""
    cards = first_subset(held, count)
    yield cards
    while count and (cards := next_subset(held, cards)):
        yield cards


def _find_way(visit: Visit, problem: SolverProblem, view: Any, index: int, taken: tuple[str, ...] | None) -> _Reached:
    """Find a deal and a path that lead to a decision with such a view.

    The view has as many cards in each field there.  The path has the actions ``taken``, if they are known.
    """
    bits, wanted = seeded_bits(0), Counter(_find_kinds(view, visit.cards).values())
    decision = visit.game.decisions[index].id
    for _ in range(_DEALS):
        deck, ways = shuffle_cards(visit.cards, bits), dict[tuple[str, ...], _Reached]()
        for reached in _reach(visit, problem, deck, index):
            if Counter(_find_kinds(visit.game.rules.view(reached.state), visit.cards).values()) == wanted:
                ways[name_actions(visit.game, reached.actions)] = reached
        if taken in ways:
            return ways[taken]
        if taken is None and len(ways) > 1:
            example = min(ways)
            raise IllegalActionError(
                f"what is best at {decision} depends on what you did before: give taken, for example "
                f'"{" ".join(example)}"',
                code="actions-needed",
                decision=decision,
            )
        if taken is None and ways:
            return next(iter(ways.values()))
    raise IllegalActionError(f"no round reaches {decision}", code="unreachable-position")


def _reach(visit: Visit, problem: SolverProblem, deck: tuple[int, ...], decision: int) -> Iterator[_Reached]:
    """Yield every way in which one deal comes to a decision."""
    rules, tables = visit.game.rules, load_hand_tables()
    state = deal_one_seat(visit.game, deck)
    ways = [_Reached(deck, (), state, rules.count_dealt(1))]
    while ways:
        way = ways.pop()
        at, state = len(way.steps), way.state
        if at == find_opening(visit.game):
            state = rules.show_dealer(state)
        asks = rules.next_decision(tables, state, problem.options) == at
        if at == decision:
            if asks:
                yield way._replace(state=state)
            continue
        steps = [(NOTHING, 0, state)]
        if asks:
            view = rules.view(state)
            spare = len(deck) - way.top - visit.game.undrawable_cards
            allowed = rules.legal_actions(tables, view, at, spare, problem.options)
            given = [first_subset(view.player, action.discards) for action in visit.game.decisions[at].actions]
            steps = [
                (index, cards, rules.act(state, at, index, cards))
                for index, cards in enumerate(given)
                if allowed >> index & 1
            ]
        for taken, cards, after in steps:
            count = rules.count_draws(tables, after, problem.options)
            drawn = make_mask(deck[way.top : way.top + count])
            received = rules.receive_draw(after, drawn) if count else after
            ways.append(_Reached(deck, (*way.steps, _Step(taken, cards, drawn)), received, way.top + count))


def _find_kinds(view: Any, cards: Sequence[int]) -> dict[int, frozenset[str]]:
    """Return the fields of a view that show each card."""
    return {
        card: frozenset(field for field, shown in zip(view._fields, view, strict=True) if shown >> card & 1)
        for card in cards
    }


def _place_cards(visit: Visit, reached: _Reached, view: Any) -> WalkState:
    """Make the walk at a position.

    The cards of the view are in the places and draws of the deal that leads there.
    """
    shown: dict[frozenset[str], list[int]] = {}
    for card, kind in _find_kinds(view, visit.cards).items():
        shown.setdefault(kind, []).append(card)
    names = {
        card: shown[kind].pop()
        for card, kind in _find_kinds(visit.game.rules.view(reached.state), visit.cards).items()
        if kind
    }
    walk = make_walk(visit)
    for index, group in enumerate(visit.groups):
        cards = [names.get(reached.deck[place]) for place in group.places]
        walk.held[index] = make_mask([card for card in cards if card is not None]) if None not in cards else 0
    for step, each in enumerate(reached.steps):
        given, drawn = (
            make_mask([names[card] for card in visit.cards if moved >> card & 1]) for moved in (each.given, each.drawn)
        )
        walk.path[step] = each.taken, given, drawn
    return walk
