"""Nobody alone plays or ends a browser table's round from outside: not by any command, role or round."""

from pathlib import Path

import pytest

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, settings
from ledger.databases import empty_ledger
from pitboss.core.errors import PitbossError
from pitboss.jackpot.commands import CloseRound, EnterHit, OpenIncident, OpenRound, ProgressiveCommand, SignIncident
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.roles import Actor, Role
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

LINK = "linked-1-ab12"
OTHER_DEALER = Actor("dan", Role.DEALER)
COMMANDS: tuple[ProgressiveCommand, ...] = (
    OpenRound(table=1, seats=(1,), link=LINK),
    EnterHit(table=1, seat=3, hand="royal-flush", cards="As Ks Qs Js Ts", link=LINK),
    EnterHit(table=1, seat=1, hand="flush", link=LINK),
    CloseRound(table=1, link=LINK),
)


@pytest.fixture
def controller(tmp_path: Path) -> Controller:
    made = Controller(Store(empty_ledger("sqlite", tmp_path)), Signer.load_or_create(tmp_path / "key"))
    made.create(settings(tables=2), EXECUTIVE.name)
    made.execute(OpenRound(table=1, seats=(1, 3), link=LINK), DEALER, "table linked-1 open")
    made.execute(
        EnterHit(table=1, seat=3, hand="royal-flush", cards="As Ks Qs Js Ts", link=LINK), DEALER, "table linked-1 hit"
    )
    return made


def list_refused(controller: Controller, prefix: str) -> list[str]:
    """Send each command as each person, from outside; return the codes of those that the link itself refused."""
    before, codes = controller.refresh().entries, []
    for number, command in enumerate(COMMANDS):
        for who in (DEALER, OTHER_DEALER, SUPERVISOR):
            with pytest.raises(PitbossError) as raised:
                controller.execute(command, who, f"{prefix}-{number}-{who.name}")
            codes.append(raised.value.code)
    assert controller.refresh().entries == before
    return codes


def test_no_person_alone_plays_a_round_of_a_browser_table(controller: Controller) -> None:
    refused = ["link-from-outside"] * len(COMMANDS) * 3
    assert list_refused(controller, "bare-0001") == refused
    controller.execute(OpenIncident(table=2, text="another table"), SUPERVISOR, "report-0001")
    controller.execute(SignIncident(incident=1, text="seen"), EXECUTIVE, "sign-0001")
    assert list_refused(controller, "elsewhere-0001") == refused
    controller.execute(OpenIncident(table=1, text="table lost"), SUPERVISOR, "report-0002")
    assert list_refused(controller, "unsigned-0001") == refused


def test_two_people_end_the_round_of_a_lost_browser_table_by_hand(controller: Controller) -> None:
    controller.execute(OpenIncident(table=1, text="table lost"), SUPERVISOR, "report-0001")
    controller.execute(SignIncident(incident=1, text="seen"), SUPERVISOR, "sign-0001")
    with pytest.raises(RefusalError, check=refusal("link-from-outside", link=LINK, table=1)):
        controller.execute(COMMANDS[2], SUPERVISOR, "hit-0001")  # who signed is one person
    with pytest.raises(RefusalError, check=refusal("link-from-outside")):
        controller.execute(COMMANDS[0], OTHER_DEALER, "open-0001")
    with pytest.raises(RefusalError, check=refusal("hit-entered", award=1)):
        controller.execute(COMMANDS[1], OTHER_DEALER, "hit-0002")  # no hand is cancelled by entering it again
    controller.execute(COMMANDS[2], OTHER_DEALER, "hit-0003")
    assert sorted(controller.state.hits) == [1, 2]
    with pytest.raises(RefusalError, check=refusal("award-pending")):
        controller.execute(COMMANDS[3], OTHER_DEALER, "close-0001")
