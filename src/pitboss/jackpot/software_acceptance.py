"""The software that a ledger accepts (P15): another one waits for two people."""

from pitboss.jackpot.commands import ProgressiveCommand, SignIncident
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.errors import LedgerError
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


def is_software_running(software: str) -> bool:
    """Return whether the software of an incident runs now.

    "" is that of an incident about something else.
    """
    return software in {"", get_software_id()}


def make_software_error(state: ProgressiveState) -> LedgerError:
    """Return the error of a command while the running software is not accepted."""
    number = next((number for number, each in state.incidents.items() if each.software == get_software_id()), 0)
    fix = (
        f"two people must close incident {number} first (pitboss jackpot incident close {number}), or put the accepted "
        "version back"
        if number
        else "another one was accepted since this one started: stop it"
    )
    return LedgerError(
        f"no command is accepted: {describe_software_change(state)}; {fix}", code="software-changed", incident=number
    )
