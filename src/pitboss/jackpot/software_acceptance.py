"""The software that a ledger accepts (P15): another one waits for two people."""

from pitboss.jackpot.commands import ProgressiveCommand, SignIncident
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.software import get_software_id


def is_software_accepted(state: ProgressiveState) -> bool:
    """Return whether the running software is the accepted one."""
    return state.software == get_software_id()


def describe_software_change(state: ProgressiveState) -> str:
    """Describe the running and the accepted software by shortened digests."""
    accepted = _shorten_digest(state.software) or "none yet"
    return f"this is pitboss {_shorten_digest(get_software_id())}, the accepted version is {accepted}"


def _shorten_digest(program: str) -> str:
    version, _, digest = program.partition(" ")
    return f"{version} {digest[:12]}".strip()


def is_software_signature(state: ProgressiveState, command: ProgressiveCommand) -> bool:
    """Return whether a command signs the incident of the running software.

    No other command is allowed before that.
    """
    return (
        isinstance(command, SignIncident)
        and command.incident in state.incidents
        and state.incidents[command.incident].software == get_software_id()
    )
