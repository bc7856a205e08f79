"""Rounds of browser tables, when people play them by command line.

A browser table presses its keys itself.  If its database is lost in the middle of a round, people must end the round;
but nobody may do so alone, since that takes the awards of its guests.
"""

import re

from pitboss.jackpot.commands import OUTSIDE_KEY, OpenRound, ProgressiveCommand
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.staff_state import is_same_account
from pitboss.jackpot.state import ProgressiveState


def verify_outside_link(state: ProgressiveState, command: ProgressiveCommand, actor: Actor, key: str) -> None:
    """Check a command of a person who names a browser table's round.

    Only the table opens its rounds.  A person may enter hands and end a round once somebody else has signed an open
    incident of that table: two people, and the ledger says why.

    Raises:
        RefusalError: it opens a round, or nobody else has signed an incident of the table.
    """
    link, table = getattr(command, "link", ""), getattr(command, "table", 0)
    if not link or not re.fullmatch(OUTSIDE_KEY, key):
        return
    signers = (
        each.signed_by
        for each in state.incidents.values()
        if each.table in {0, table} and each.signed_by and is_same_account(each.signer, state.staff.get(each.signed_by))
    )
    if isinstance(command, OpenRound) or not set(signers) - {actor.name}:
        raise RefusalError(
            f"rounds of {link} are played there: to end one by hand, open an incident of table {table} and let "
            "another person sign it first",
            code="link-from-outside",
            link=link,
            table=table,
        )
