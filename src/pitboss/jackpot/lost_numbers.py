"""The rounds and awards that a restoration lost, by the numbers that they had.

All numbers continue in the next million after it, so a lower one that the ledger does not have was lost.
"""

from pitboss.jackpot.commands import OpenRound
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.state import ProgressiveState


def is_lost_round(state: ProgressiveState, command: OpenRound) -> bool:
    """Return whether a browser table goes on with a round that a backup lacked.

    It keeps its number.
    """
    last = state.rounds.get(command.table)
    return bool(command.link) and (last.number if last else 0) < command.round <= state.numbers_after


def verify_lost_award(state: ProgressiveState, award: int) -> None:
    """Check that a restoration lost an award, and that it was not entered again.

    Its hit, if the ledger has it, is among those of the state (``award_history.recall_hits``).

    Raises:
        RefusalError: the ledger has it, it was entered again, or no award had this number.
    """
    if award in state.entered_again:
        again = state.entered_again[award]
        raise RefusalError(
            f"award {award} is entered again already, as award {again}",
            code="award-entered-again",
            award=award,
            again=again,
        )
    if award > state.numbers_after or award in state.hits:
        after = state.numbers_after
        lost = f"lost awards have numbers up to {after:,}" if after else "this ledger was never restored"
        why = "it is in this ledger" if award in state.hits else lost
        raise RefusalError(
            f"award {award} was not lost: {why}; name one only where it is entered again",
            code="award-not-lost",
            award=award,
        )
