"""What a written strategy does at a table."""

from pitboss.contract import NO_DECISION
from pitboss.hands import hand_tables
from pitboss.solving import Strategy
from pitboss.table.domain.round import Round


def action_of(now: Round, strategy: Strategy) -> tuple[str, tuple[int, ...]]:
    """Return the action of a strategy whose turn it is, and the cards given up for it.

    Where the stub is too short for what it would draw (LU-11), it is what a seat does that does not answer.
    """
    place, asked = now.turn or (0, NO_DECISION)
    index, given = strategy.choose(hand_tables(), now.view(place), asked, strategy.numbers, now.codes)
    action = now.game.decisions[asked].actions[index]
    if action.id not in {allowed.id for allowed in now.legal_actions()}:
        return now.timed_out()
    return action.id, tuple(card for card in now.game.deck.cards if given >> card & 1)
