"""A round of one seat, played from a known deck in the order of the rules."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.cards import make_mask
from pitboss.contract import NO_DECISION, Game
from pitboss.hands import load_hand_tables


class RoundProgress(NamedTuple):
    """The progress of a round: the seat's state and its next decision.

    ``decision_index`` may be NO_DECISION.  ``dealt`` is the number of cards dealt.
    """

    state: Any
    decision_index: int
    dealt: int


ActionChoice = tuple[int, int]
"""The number of an action, and a mask of the cards that it gives up."""


def play_round(
    game: Game, deck: Sequence[int], codes: Any, choose: Callable[[Any, int], ActionChoice | None], wagered: int = 1
) -> RoundProgress:
    """Play a round of one seat until ``choose`` gives no answer, or to the end.

    At the end the dealer's hand is open.  ``choose(state, decision_index)`` answers each decision.  ``codes`` are the
    option codes, and ``wagered`` has bit i set for a stake on wager i.  The driver of a table plays several seats in
    the same order (``table.round.driver``).
    """
    rules, tables = game.rules, load_hand_tables()
    state, dealt, is_dealer_open = rules.deal(deck, 1, 0, wagered), rules.count_dealt(1), False
    while True:
        draws = rules.count_draws(tables, state, codes)
        if draws:
            state = rules.receive_draw(state, make_mask(deck[dealt : dealt + draws]))
            dealt += draws
        decision_index = rules.next_decision(tables, state, codes)
        if decision_index != NO_DECISION:
            choice = choose(state, decision_index)
            if choice is None:
                return RoundProgress(state, decision_index, dealt)
            state = rules.act(state, decision_index, *choice)
        elif dealer_draws := rules.count_dealer_draws(state):
            state = rules.receive_dealer_draw(state, make_mask(deck[dealt : dealt + dealer_draws]))
            dealt += dealer_draws
        elif is_dealer_open:
            return RoundProgress(state, NO_DECISION, dealt)
        else:
            state, is_dealer_open = rules.show_dealer(state), True
