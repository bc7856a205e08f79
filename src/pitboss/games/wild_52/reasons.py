"""Explain the settlement of a circle of Wild 52 where the hands alone do not."""

from pitboss.builders import NOT_QUALIFIED_REASON
from pitboss.cards import FIRST_JOKER, bit
from pitboss.games.wild_52.rules import ANTE_WINS, COMPARE, FOLDED, Wild52Options, Wild52State
from pitboss.hands import HandTables


def explain_ante_unqualified(_tables: HandTables, _state: Wild52State, options: Wild52Options) -> str:
    """Explain the Ante's result when the dealer does not qualify (WJ-3)."""
    if options.ante_when_unqualified == COMPARE:
        return "dealer does not qualify, the Ante is still compared: {showdown}"
    return NOT_QUALIFIED_REASON + (
        ": the Ante wins" if options.ante_when_unqualified == ANTE_WINS else ": the Ante pushes"
    )


def explain_lost_bonus(_tables: HandTables, state: Wild52State, options: Wild52Options) -> str:
    """Explain why the Bonus is lost: by the hand, or by the fold (WJ-4)."""
    return "folded" if _is_lost_by_fold(state, options) else "{made}less than a straight"


def explain_lost_joker(_tables: HandTables, state: Wild52State, options: Wild52Options) -> str:
    """Explain why the Joker wager is lost (WJ-4, WJ-5).

    The reason is the place of the Joker, or the fold.
    """
    if _is_lost_by_fold(state, options):
        return "folded"
    dealer_has_joker = state.shown and state.dealer & bit(FIRST_JOKER)
    return "the dealer has the Joker" if dealer_has_joker else "no Joker in hand or in the community cards"


def _is_lost_by_fold(state: Wild52State, options: Wild52Options) -> bool:
    return state.choice == FOLDED and options.bonus_after_fold == 0
