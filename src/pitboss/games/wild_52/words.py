"""What a dealer of Wild 52 says of a circle where it takes more than the hands to say why."""

from pitboss.builders import NOT_QUALIFIED_REASON
from pitboss.cards import FIRST_JOKER, bit
from pitboss.games.wild_52.rules import ANTE_WINS, COMPARE, FOLDED, Options, State
from pitboss.hands import HandTables


def ante_unqualified(_tables: HandTables, _state: State, options: Options) -> str:
    """Say what becomes of the Ante when the dealer does not qualify (WJ-3)."""
    if options.ante_when_unqualified == COMPARE:
        return "dealer does not qualify, the Ante is still compared: {showdown}"
    return NOT_QUALIFIED_REASON + (
        ": the Ante wins" if options.ante_when_unqualified == ANTE_WINS else ": the Ante pushes"
    )


def no_bonus(_tables: HandTables, state: State, options: Options) -> str:
    """Say why the Bonus is lost: by the hand, or by the fold (WJ-4)."""
    return "folded" if _lost_by_fold(state, options) else "{made}less than a straight"


def no_joker(_tables: HandTables, state: State, options: Options) -> str:
    """Say why the Joker wager is lost: where the Joker is not, or by the fold (WJ-4, WJ-5)."""
    if _lost_by_fold(state, options):
        return "folded"
    dealers = state.shown and state.dealer & bit(FIRST_JOKER)
    return "the dealer has the Joker" if dealers else "no Joker in hand or in the community cards"


def _lost_by_fold(state: State, options: Options) -> bool:
    return state.choice == FOLDED and options.bonus_after_fold == 0
