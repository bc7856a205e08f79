"""Strategies for Caribbean Stud, as ``strategy.toml`` words them."""

from typing import Any

from pitboss.cards import get_ranks
from pitboss.core.rule import rule
from pitboss.games.caribbean_stud.rules import Options, View
from pitboss.hands import HIGH_CARD, PAIR, ROYAL_FIRST, HandTables, evaluate_strength, pack_lowest_strength

ANY_PAIR, ACE_KING = pack_lowest_strength(PAIR), pack_lowest_strength(HIGH_CARD, 14, 13)
QUEEN, KING_BIT, QUEEN_AND_JACK = 12, 1 << 11, 3 << 9


@rule
def ace_king(tables: HandTables, view: View, _decision: int, numbers: Any, _options: Options) -> tuple[int, int]:
    """Raise a pair or better, and ace-king always or by three rules (``numbers[0]``)."""
    strength = evaluate_strength(tables, view.player, 0, ROYAL_FIRST)
    if strength >= ANY_PAIR or strength < ACE_KING:
        return 1 if strength >= ANY_PAIR else 0, 0
    mine, shown = get_ranks(view.player), get_ranks(view.dealer)
    third, fourth = strength >> 8 & 15, strength >> 4 & 15
    if shown >= KING_BIT:
        raises = mine & QUEEN_AND_JACK != 0
    else:
        raises = mine & shown != 0 or (third == QUEEN and shown < 1 << fourth - 2)
    return 1 if raises or numbers[0] else 0, 0
