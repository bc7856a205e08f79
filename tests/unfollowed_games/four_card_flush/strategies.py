"""A strategy for Four Card Flush."""

from pitboss.core.rule import rule
from pitboss.games.four_card_flush.rules import LENGTH_BIT, Options, View, evaluate_flush
from pitboss.hands import HandTables


@rule
def raise_from(
    _tables: HandTables, view: View, _decision: int, numbers: tuple[int, ...], _options: Options
) -> tuple[int, int]:
    """Raise as much as allowed with so many cards of a suit."""
    length = evaluate_flush(view.player) >> LENGTH_BIT
    return (0 if length < numbers[0] else 2 if length >= 3 else 1), 0
