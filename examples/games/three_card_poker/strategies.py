"""Strategies for Three Card Poker, as ``strategy.toml`` words them."""

from pitboss.core.rule import rule
from pitboss.games.three_card_poker.rules import Options, View
from pitboss.hands import THREE_CARD_HIGH, HandTables, evaluate_three_cards, pack_strength


@rule
def play_from(
    _tables: HandTables, view: View, _decision: int, numbers: tuple[int, int, int], _options: Options
) -> tuple[int, int]:
    """Play the hand of three ranks, ``numbers``, or better."""
    least = pack_strength(THREE_CARD_HIGH, numbers[0], numbers[1], numbers[2], 0, 0)
    return 1 if evaluate_three_cards(view.player) >= least else 0, 0
