"""The coach: the exact value of every legal action at a seat's decision.

Solvers compute the values in a worker.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from pitboss.analysis.hints import Hint
from pitboss.analysis.position import Position
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.builders import capitalize_first, display_name
from pitboss.cards import format_cards, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.reports.formatting import explain_left_out_wagers, name_valued_wagers
from pitboss.table.round import Round, Stake, find_decisions, open_round
from pitboss.web.jobs.action_values import value_actions
from pitboss.web.jobs.spec import HINTS, JobSpec

_MAIN = "main"
_MOST_SAMPLES = 1_000


class ActionAdvice(NamedTuple):
    """The value of an action in Antes, the cards it gives up, and its cost.

    The cost is what the action loses against the best action.
    """

    action: str
    name: str
    cards: tuple[str, ...]
    value: Fraction
    cost: Fraction


def build_hint_job(game_round: Round, seat_index: int) -> JobSpec:
    """Build the job that values every action of the seat whose turn it is."""
    position = _get_position(game_round, seat_index)
    side_stakes = get_side_stakes(game_round, seat_index)
    question = (
        game_round.game.id,
        position.view,
        position.decision_index,
        position.legal,
        position.taken,
        _freeze(game_round.options),
        _freeze_paytables(game_round),
        _freeze(side_stakes),
    )
    key = sha256(repr(question).encode()).digest()
    return JobSpec(
        HINTS, key, value_actions, (game_round.game, game_round.paytables, game_round.options, position, side_stakes)
    )


@cache
def deal_sample_round(game: Game) -> Round:
    """Deal a round with minimum stakes and a decision to take, always the same.

    Raises:
        PitbossError: no deal of many asks for a decision.
    """
    round_ = open_minimum_round(game)
    decks = (shuffle_cards(game.deck.cards, seeded_bits(seed)) for seed in range(_MOST_SAMPLES))
    sample = next((sample for sample in map(round_.deal, decks) if sample.turn), None)
    if sample is None:
        raise PitbossError(
            f"next_decision of {game.id} asks for no decision in {_MOST_SAMPLES:,} deals: let it ask",
            code="never-asked",
            game=game.id,
        )
    return sample


def open_minimum_round(game: Game) -> Round:
    """Open a round of one seat with the mandatory wagers at their minimum."""
    round_ = open_round(game)
    for wager in game.wagers:
        if wager.mandatory:
            round_ = round_.place_wager(Stake(0, wager.id, wager.limits.minimum_cents))
    return round_


def iter_advice(game_round: Round, hints: Sequence[Hint]) -> Iterator[ActionAdvice]:
    """Yield the advice for every legal action and choice of cards, best first."""
    return (compute_advice(game_round.game, each, hints[0]) for each in hints)


def select_best_forms(advice: Iterable[ActionAdvice]) -> Iterator[ActionAdvice]:
    """Yield each action once, with its best choice of cards, best first."""
    actions = set()
    for each in advice:
        if each.action not in actions:
            actions.add(each.action)
            yield each


def is_not_fold(action: str) -> bool:
    """Return a key by which Fold stands first in every game.

    Nobody then presses it by habit.
    """
    return action != "fold"


def compute_advice(game: Game, hint: Hint, best: Hint) -> ActionAdvice:
    """Return the value of an action, and its cost against the best."""
    cards = tuple(format_cards(hint.cards, game.deck).split())
    return ActionAdvice(
        hint.action.id, capitalize_first(display_name(hint.action.id)), cards, hint.value, best.value - hint.value
    )


def _get_position(game_round: Round, seat_index: int) -> Position:
    if game_round.turn is None or game_round.turn[0] != seat_index:
        raise ValueError("it is not this seat's turn")
    decision = game_round.turn[1]
    # A game's own solver needs only the view, and its values are kept for all ways to come there.
    taken = None if game_round.game.solver else list_taken(game_round, seat_index)
    return Position(
        decision,
        game_round.game.decisions[decision],
        game_round.get_view(seat_index),
        game_round.list_legal_actions(),
        taken,
    )


def list_taken(game_round: Round, seat_index: int) -> tuple[str, ...]:
    """Return the actions that a seat took before.

    There are none for a game whose own solver needs only what is seen.
    """
    return (
        () if game_round.game.solver else tuple(event.action for event in find_decisions(game_round.events, seat_index))
    )


def get_side_stakes(game_round: Round, seat_index: int) -> dict[str, Fraction]:
    """Return the seat's stakes, in Antes, on the side wagers that depend on its play."""
    ante = game_round.get_stake_cents(seat_index, _MAIN)
    side = {
        stake.bet: Fraction(game_round.get_stake_cents(seat_index, stake.bet), ante)
        for stake in game_round.stakes
        if stake.seat == seat_index
    }
    return select_played_stakes(
        game_round.game, game_round.options, {bet: stake for bet, stake in side.items() if bet != _MAIN}
    )


def describe_counted(game_round: Round, seat_index: int) -> tuple[str, str]:
    """Name what a seat's values are of, and say which of its wagers they leave out."""
    counted = get_side_stakes(game_round, seat_index)
    staked = {stake.bet for stake in game_round.stakes if stake.seat == seat_index}
    return name_valued_wagers(game_round.game, counted), explain_left_out_wagers(
        game_round.game, staked - {_MAIN, *counted}
    )


def _freeze(mapping: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(sorted(mapping.items()))


def _freeze_paytables(game_round: Round) -> tuple[Any, ...]:
    return tuple(
        (kind, tuple((line, pay.amount) for line, pay in each.lines.items()))
        for kind, each in game_round.paytables.items()
    )
