"""The texts that explain why the Bad Beat of Six Card Poker loses."""

from pitboss.games.six_card.rules import PAIR_OF_ACES, SixCardOptions, SixCardState, evaluate_hands
from pitboss.hands import HandTables


def explain_lost_bad_beat(tables: HandTables, state: SixCardState, options: SixCardOptions) -> str:
    """Say which hand is below a pair of aces, or that neither is beaten (SC-2)."""
    mine, theirs = evaluate_hands(tables, state, options)
    if max(mine, theirs) < PAIR_OF_ACES:
        return "neither hand is a pair of aces or better"
    if mine < PAIR_OF_ACES:
        return "{made}the player is below a pair of aces"
    return "dealer has {dealers}, below a pair of aces" if theirs < PAIR_OF_ACES else "a tie: neither hand is beaten"
