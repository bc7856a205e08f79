"""What if: a settled round played again with other choices of one seat.

The deck lies as it lay, and the rules settle what then happens.  All other seats do what they did; a seat that cannot,
because other cards came to it, takes the action of a timeout.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from pitboss.core.errors import IllegalActionError, PitbossError
from pitboss.paytables import find_progressive_table
from pitboss.table.fair_shuffle import make_fixed_shuffle
from pitboss.table.round import DecisionMade, Round, WagerSettled, find_decisions
from pitboss.table.round.awards import apply_fixed_awards
from pitboss.table.round.stub import Shuffle
from pitboss.table.session.state import TableSession


class SeatChoice(NamedTuple):
    """What a seat chose at a decision: an action, and the cards that it gave up."""

    action: str
    cards: tuple[int, ...] = ()


class Branch(NamedTuple):
    """A round with other choices: over, or at the next decision of the seat.

    ``session`` is the table with that round.  ``hindered`` are the numbers of the other seats that could not do what
    they did.
    """

    session: TableSession
    round: Round
    hindered: tuple[int, ...]


def list_seat_choices(session: TableSession, seat: int) -> tuple[SeatChoice, ...]:
    """List what a seat chose in a round; cards are in the order of their codes."""
    return tuple(
        SeatChoice(made.action, tuple(sorted(made.cards)))
        for made in _list_made(session, session.round_seats.index(seat))
    )


def play_branch(sessions: Sequence[TableSession], seat: int, choices: Sequence[SeatChoice]) -> Branch:
    """Play a settled round again, in which a seat makes these choices.

    ``sessions`` are those that the round went through, in order.

    Raises:
        IllegalActionError: a choice is not legal, or the round is over before it.
        PitbossError: as ``Round.decide``.
    """
    dealt, settled = sessions[0], sessions[-1]
    if dealt.round is None:
        raise IllegalActionError("no card was dealt in this round", code="no-cards")
    game_round, shuffle, rest = dealt.round, make_fixed_shuffle(dealt.spare), list(choices)
    made = [_list_made(settled, index) for index in range(len(dealt.round_seats))]
    own, hindered = dealt.round_seats.index(seat), dict[int, None]()
    while game_round.turn is not None:
        acting, decision = game_round.turn
        if acting != own:
            game_round, could = _repeat_decision(
                game_round, acting, game_round.game.decisions[decision].id, made[acting], shuffle
            )
            if not could:
                hindered[dealt.round_seats[acting]] = None
        elif rest:
            choice = rest.pop(0)
            game_round = game_round.decide(own, choice.action, choice.cards, shuffle)
        else:
            break
    if rest:
        raise IllegalActionError(
            f"the round is over before {rest[0].action}: leave it out", code="round-decided", action=rest[0].action
        )
    if settled.round is not None and game_round.is_closed:
        game_round = _repeat_awards(game_round, settled.round)
    return Branch(replace(dealt, round=game_round), game_round, tuple(hindered))


def _repeat_awards(game_round: Round, settled: Round) -> Round:
    """Pay the awards that a linked progressive fixed, to hands that still have them."""
    fixed = [award for award in settled.awards if _find_hit(game_round, award.seat) == _find_hit(settled, award.seat)]
    return apply_fixed_awards(game_round, fixed) if fixed else game_round


def _find_hit(closed: Round, seat_index: int) -> list[str]:
    """Return how a seat's progressive wager ended, if it has one."""
    table = find_progressive_table(closed.paytables)
    return [
        event.outcome
        for event in closed.events
        if isinstance(event, WagerSettled) and event.seat == seat_index and table and event.bet == table.bet
    ]


def _list_made(session: TableSession, seat_index: int) -> list[DecisionMade]:
    events = session.round.events if session.round else ()
    return list(find_decisions(events, seat_index))


def _repeat_decision(
    game_round: Round, seat_index: int, decision: str, made: Sequence[DecisionMade], shuffle: Shuffle
) -> tuple[Round, bool]:
    """Return the round after a seat repeated its decision, and whether it could."""
    for event in made:
        if event.decision == decision:
            with suppress(PitbossError):
                return game_round.decide(seat_index, event.action, event.cards, shuffle), True
    action, cards = game_round.choose_timeout_action()
    return game_round.decide(seat_index, action, cards, shuffle), False
