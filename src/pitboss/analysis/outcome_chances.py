"""How often each action at a position wins, pushes and loses, exactly.

With the play after it fixed, a solver's value of an action is linear in the nets of the outcomes.  So the chance of
some outcomes is what the value gains where each of them pays one unit more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.analysis.hints import value_position
from pitboss.analysis.position import Position
from pitboss.analysis.solutions import build_problem
from pitboss.contract import Game, PayTable
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.solver_api import SolverProblem

_MOST_DEALS = 1 << 45
"""More than the deals that can follow a position that a solver enumerates."""

_UNIT = 1 << 110
"""A unit that no sum of smaller ones over all deals reaches, so it never changes the best play."""

NOT_QUALIFIED = "not-qualified"
"""The words in the name of an outcome with which the dealer does not qualify."""

_FOLD = "fold"
"""The last word in the name of an outcome that is a fold."""

_Values = Mapping[tuple[str, int], Fraction]


@dataclass(frozen=True, slots=True)
class OutcomeChances:
    """The chances of an action: of the main wager, with all its raises.

    ``cards`` is the set of cards that the action discards.  ``wins``, ``pushes`` and ``loses`` add up to 1.
    ``unqualified`` is the chance that the round is settled against a dealer who does not qualify, no matter who wins,
    and ``folds`` that of a fold, now or later: the dealer of such a round is not looked at.  ``won`` and ``lost`` are
    what the wager wins and loses on average over all rounds, in Antes: it is worth ``won`` less ``lost``.  ``sides``
    are the average nets, in Antes, of side wagers that are staked too and depend on the play: with main they add up to
    the value.
    """

    action: str
    cards: int
    wins: Fraction
    pushes: Fraction
    loses: Fraction
    unqualified: Fraction
    folds: Fraction = Fraction(0)
    won: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    sides: tuple[tuple[str, Fraction], ...] = ()

    @property
    def mean_win(self) -> Fraction:
        """What a round that is won wins on average, in Antes."""
        return self.won / self.wins if self.wins else Fraction(0)

    @property
    def mean_loss(self) -> Fraction:
        """What a round that is lost loses on average, in Antes."""
        return self.lost / self.loses if self.loses else Fraction(0)


def compute_outcome_chances(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    position: Position,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> tuple[OutcomeChances, ...]:
    """Compute how often every legal action wins, pushes and loses.

    The play after the action is the best one, as in ``compute_hints``.  There are none where a solver cannot take the
    large nets by which they are found: in Lunar Poker and games without a solver of their own, before the last
    decision.

    >>> from pitboss.analysis.game_terms import GameTerms
    >>> from pitboss.analysis.hint_request import parse_hint_request
    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    >>> seen = {"player": "As Ks Qd 9h 7c 3d", "dealer": "2h 5s Jc"}
    >>> asked = parse_hint_request(game, terms, seen, ())
    >>> fold, play = compute_outcome_chances(game, terms.paytables, terms.options, asked.position)
    >>> fold.loses, round(float(play.wins), 4), round(float(play.unqualified), 4)
    (Fraction(1, 1), 0.3706, 0.3523)
    """
    scaled = build_problem(game, paytables, options, side_stakes=side_stakes)
    problem = scaled.problem
    groups = (
        [int(net > 0) for net in problem.nets],
        [int(net == 0) for net in problem.nets],
        [int(net < 0) for net in problem.nets],
        [int(NOT_QUALIFIED in outcome.name) for outcome in game.main.outcomes],
        [int(outcome.name.rpartition("-")[2] == _FOLD) for outcome in game.main.outcomes],
        [max(net, 0) for net in problem.nets],
        [max(-net, 0) for net in problem.nets],
    )
    try:
        columns = value_outcome_groups(game, problem, groups, position, tuple(problem.side_nets))
    except (MagnitudeError, OverflowError):
        if position.decision_index < len(game.decisions) - 1:
            return ()
        # Nothing is decided after the last decision, so no play can change with the nets.
        columns = [_value_nets(game, problem, group, {}, position) for group in groups]
        none = [0] * len(problem.nets)
        columns += [_value_nets(game, problem, none, {bet: nets}, position) for bet, nets in problem.side_nets.items()]
    wins, pushes, loses, unqualified, folds, won, lost, *sides = columns
    return tuple(
        OutcomeChances(
            *each,
            wins[each],
            pushes[each],
            loses[each],
            unqualified[each],
            folds[each],
            won[each] / scaled.unit,
            lost[each] / scaled.unit,
            tuple((bet, side[each] / scaled.unit) for bet, side in zip(problem.side_nets, sides, strict=True)),
        )
        for each in wins
    )


def value_outcome_groups(
    game: Game,
    problem: SolverProblem,
    groups: Sequence[Sequence[int]],
    position: Position,
    side_bets: Sequence[str] = (),
) -> list[_Values]:
    """Return the chances of several groups of outcomes from one valuation.

    Each group weighs a unit of its own, the actual nets the largest.  A chance is a fraction with a small denominator,
    and what the smaller units add is less than the difference between two such fractions: it is found by rounding.
    After the groups come the average nets of the ``side_bets``, each of which has a unit too.
    """
    weights = zip(*groups, *([0] * len(problem.nets) for _ in side_bets), problem.nets, strict=True)
    nets = [sum(each * _UNIT**place for place, each in enumerate(outcome)) for outcome in weights]
    largest = _UNIT ** (len(groups) + len(side_bets))
    own_units = {bet: _UNIT**place for place, bet in enumerate(side_bets, len(groups))}
    sides = {bet: [(largest + own_units.get(bet, 0)) * net for net in side] for bet, side in problem.side_nets.items()}
    values = _value_nets(game, problem, nets, sides, position)
    rows = [_split(choice, value, len(groups) + len(side_bets)) for choice, value in values.items()]
    return [dict(column) for column in zip(*rows, strict=True)]


def _split(choice: tuple[str, int], value: Fraction, count: int) -> list[tuple[tuple[str, int], Fraction]]:
    """Return the chance of each group with its choice, the smallest unit first."""
    chances = []
    for place in range(count, -1, -1):
        chance = (value / _UNIT**place).limit_denominator(_MOST_DEALS)
        value -= chance * _UNIT**place
        chances.append((choice, chance))
    return chances[:0:-1]


def _value_nets(
    game: Game,
    problem: SolverProblem,
    nets: Sequence[int],
    sides: Mapping[str, Sequence[int]],
    position: Position,
) -> _Values:
    """Return the value of each choice where the outcomes have these nets."""
    weighed = replace(problem, nets=tuple(nets), side_nets={bet: tuple(each) for bet, each in sides.items()})
    values = value_position(game, weighed, position, ignore_progress)
    return {(each.action, each.cards): each.value for each in values}
