"""What commands look up in the state of a progressive."""

from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit, ProgressiveRound


def get_settings(state: ProgressiveState) -> Settings:
    """Return the progressive's settings; raise RefusalError if there is none."""
    if state.settings is None:
        raise RefusalError("there is no progressive here: create one with pitboss jackpot init", code="no-progressive")
    return state.settings


def get_round_settings(state: ProgressiveState, played: ProgressiveRound) -> Settings:
    """Return the settings that a round was opened with (SC-10).

    Raises:
        RefusalError: there is no progressive.
    """
    return state.get_round_settings(played) or get_settings(state)


def get_hit(state: ProgressiveState, award: int) -> Hit:
    """Return a hit by the number of its award.

    Raises:
        RefusalError: there is none.
    """
    if award not in state.hits:
        fix = f"the last one is {state.last_award}" if state.last_award else "there is none yet"
        if award in state.entered_again:
            fix = f"it is entered again as award {state.entered_again[award]}"
        raise RefusalError(f"unknown award {award}: {fix}", code="unknown-award", award=award)
    return state.hits[award]


def verify_no_back_out(state: ProgressiveState, award: int) -> None:
    """Check that nobody waits for an award to be backed out.

    Raises:
        RefusalError: somebody does.
    """
    request = state.find_back_out(award)
    if request:
        raise RefusalError(
            f"request {request} is to back out award {award}: approve or decline it first",
            code="back-out-requested",
            award=award,
            request=request,
        )
