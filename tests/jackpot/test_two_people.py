"""Two people mean two people: every act on an account by every pair of roles, and who may share an approval."""

from collections.abc import Iterable
from itertools import product

import pytest

from jackpot.house import done, entered, founded, opened, replay_events, settings
from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    ConfirmAward,
    EnterHit,
    OpenIncident,
    ProgressiveCommand,
    RequestAdjustment,
    RequestSettingChanges,
    SignIncident,
)
from pitboss.jackpot.dispatch import create, decide
from pitboss.jackpot.dual_control import iter_second_action_warnings
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import Adjustment, IncidentSigned, ProgressiveEvent
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.roles import PERMISSIONS, Actor, Role
from pitboss.jackpot.staff_events import StaffEnded, StaffEnrolled, StaffInvited
from pitboss.jackpot.state import ProgressiveState
from refusals import refusal

DAY = 24 * 3600
NOW = 1_800_000_000
PEOPLE = {
    "eve": Role.EXECUTIVE,
    "max": Role.EXECUTIVE,
    "sue": Role.SUPERVISOR,
    "sam": Role.SUPERVISOR,
    "dora": Role.DEALER,
    "dan": Role.DEALER,
    "abe": Role.AUDITOR,
    "ada": Role.AUDITOR,
    "guest": Role.SEAT,
}


def joined(name: str, role: Role, *, sponsors: tuple[str, str] = ("x", "y"), at: int = 0) -> list[ProgressiveEvent]:
    """Return the events by which somebody was invited and enrolled."""
    invited = StaffInvited(
        by=sponsors[1], requested_by=sponsors[0], request=99, at=at, act="invite", name=name, role=role, credential="1"
    )
    return [invited, StaffEnrolled(by=name, at=at, credential="2")]


def staffed(*without: str) -> ProgressiveState:
    """Return a progressive with its people, who were made long ago."""
    events = [each for name, role in PEOPLE.items() if name not in without for each in joined(name, role)]
    return replay_events(events, founded())


def actor(name: str) -> Actor:
    """Return somebody as they proved who they are."""
    return Actor(name, PEOPLE[name])


ACTS = {
    "invite a dealer": ChangeStaff(name="ned", role=Role.DEALER),
    "invite a supervisor": ChangeStaff(name="ned", role=Role.SUPERVISOR),
    "invite an auditor": ChangeStaff(name="ned", role=Role.AUDITOR),
    "invite an executive": ChangeStaff(name="ned", role=Role.EXECUTIVE),
    "promote a dealer": ChangeStaff(name="old", role=Role.SUPERVISOR),
    "make a dealer executive": ChangeStaff(name="old", role=Role.EXECUTIVE),
    "demote an executive": ChangeStaff(name="top", role=Role.DEALER),
    "reset a dealer": ChangeStaff(name="old", role=Role.DEALER, reset=True),
    "reset an executive": ChangeStaff(name="top", role=Role.EXECUTIVE, reset=True),
    "end a dealer": ChangeStaff(name="old", role=Role.DEALER, active=False),
    "end an executive": ChangeStaff(name="top", role=Role.EXECUTIVE, active=False),
}
"""Every act of staff administration, on accounts of every kind."""


def accepted(state: ProgressiveState, command: ChangeStaff, first: str, second: str) -> bool:
    """Return whether two people can do an act, one after the other."""
    try:
        asked = done(state, command, actor(first))
        events = decide(asked, ApproveRequest(request=asked.last_request), actor(second), NOW)
    except ForbiddenError:
        return False
    (event,) = events
    assert isinstance(event, StaffInvited | StaffEnded)
    assert (event.requested_by, event.by, event.at, event.name) == (first, second, NOW, command.name)
    return True


@pytest.mark.parametrize("has_supervisor", [True, False])
@pytest.mark.parametrize("act", ACTS)
def test_every_act_by_every_pair_of_people(act: str, *, has_supervisor: bool) -> None:
    command = ACTS[act]
    targets = [*joined("old", Role.DEALER), *joined("top", Role.EXECUTIVE)]
    state = replay_events(targets, staffed(*([] if has_supervisor else ["sue", "sam"])))
    executives = command.role is Role.EXECUTIVE or command.name == "top"
    for first, second in product(PEOPLE, repeat=2):
        if not has_supervisor and Role.SUPERVISOR in {PEOPLE[first], PEOPLE[second]}:
            continue
        first_role = Role.EXECUTIVE if executives or not has_supervisor else Role.SUPERVISOR
        may = PEOPLE[first] is first_role and PEOPLE[second] is Role.EXECUTIVE and first != second
        assert accepted(state, command, first, second) == may, (act, first, second)


def test_nobody_has_a_hand_in_their_own_account() -> None:
    state = staffed()
    for name in ("sue", "eve"):
        for command in (
            ChangeStaff(name=name, role=PEOPLE[name], reset=True),
            ChangeStaff(name=name, role=PEOPLE[name], active=False),
            ChangeStaff(name=name, role=Role.DEALER),
        ):
            with pytest.raises(ForbiddenError, check=refusal("own-role", person=name)):
                done(state, command, actor(name))
    asked = done(state, ChangeStaff(name="max", role=Role.EXECUTIVE, reset=True), actor("eve"))
    with pytest.raises(ForbiddenError, check=refusal("own-role", person="max")):
        done(asked, ApproveRequest(request=asked.last_request), actor("max"))


def test_what_changes_nothing_or_nobody_is_refused() -> None:
    state = staffed()
    for command, code in (
        (ChangeStaff(name="dora", role=Role.DEALER), "no-change"),
        (ChangeStaff(name="ned", role=Role.DEALER, active=False), "no-role"),
        (ChangeStaff(name="ned", role=Role.DEALER, reset=True), "no-role"),
    ):
        with pytest.raises(RefusalError, check=refusal(code, name=command.name)):
            done(state, command, actor("sue"))


def test_a_request_is_checked_again_when_it_is_approved() -> None:
    state = staffed()
    asked = done(state, ChangeStaff(name="ned", role=Role.DEALER), actor("sue"))
    approve = ApproveRequest(request=asked.last_request)
    with pytest.raises(RefusalError, check=refusal("account-changed", name="ned")):
        done(replay_events(joined("ned", Role.AUDITOR), asked), approve, actor("eve"))
    ended = StaffEnded(by="eve", requested_by="sam", request=98, at=0, name="sue", role=Role.SUPERVISOR)
    with pytest.raises(RefusalError, check=refusal("requester-ended", person="sue")):
        done(apply_event(asked, ended), approve, actor("eve"))


SIGN = SignIncident(incident=1, text="replaced")
ADJUST = RequestAdjustment(change=Adjustment(account="meter", cents=-100, reason="malfunction", text="as counted"))


def halves(first: str, before: Iterable[ProgressiveEvent] = ()) -> list[tuple[ProgressiveState, ProgressiveCommand]]:
    """Return every act of two people of which ``first`` has done the first half, with its second half."""
    state = replay_events(before, staffed())
    who = actor(first)
    ways: list[tuple[ProgressiveState, ProgressiveCommand]] = []
    if who.role in PERMISSIONS["hit"]:
        hit = entered(opened(state, 1, 2), 1, "flush")
        owed = hit.hits[1].model_copy(update={"owed": hit.hits[1].owed.model_copy(update={"by": first})})
        ways.append((hit.model_copy(update={"hits": {1: owed}}), ConfirmAward(award=1)))
    if who.role in PERMISSIONS["adjust"]:
        asked = done(state, ADJUST, who)
        ways.append((asked, ApproveRequest(request=1)))
        incident = done(
            done(state, OpenIncident(text="sensor broken"), actor("sam")), SignIncident(incident=1, text="done"), who
        )
        ways.append((incident, SignIncident(incident=1, text="replaced")))
    if who.role is Role.SUPERVISOR:
        asked = done(state, ChangeStaff(name="ned", role=Role.DEALER), who)
        ways.append((asked, ApproveRequest(request=1)))
    return ways


@pytest.mark.parametrize(("first", "second"), [("sue", "eve"), ("sue", "sam"), ("eve", "max")])
@pytest.mark.parametrize("turned", [False, True])
def test_who_made_an_account_shares_no_approval_with_its_owner_for_a_day(
    first: str, second: str, *, turned: bool
) -> None:
    made, maker = (second, first) if turned else (first, second)
    ways = halves(first, joined(made, PEOPLE[made], sponsors=(maker, "x"), at=NOW))
    assert any(PEOPLE[second] in PERMISSIONS[command.kind] for _, command in ways)
    for sponsors in ((maker, "x"), ("x", maker)):
        for tied, command in halves(first, joined(made, PEOPLE[made], sponsors=sponsors, at=NOW)):
            if PEOPLE[second] not in PERMISSIONS[command.kind]:
                continue
            for seconds, hours in ((0, 24), (DAY - 3600, 1), (DAY - 1, 1)):
                if isinstance(command, SignIncident):  # the newer signature is the first of two
                    (signed,) = decide(tied, command, actor(second), NOW + seconds)
                    assert isinstance(signed, IncidentSigned)
                    continue
                with pytest.raises(
                    ForbiddenError, check=refusal("sponsor-too-recent", person=made, sponsor=maker, hours=hours)
                ):
                    decide(tied, command, actor(second), NOW + seconds)
            assert decide(tied, command, actor(second), NOW + DAY)
    for state, command in halves(first):
        if PEOPLE[second] in PERMISSIONS[command.kind]:
            assert decide(state, command, actor(second), NOW)  # people who did not make each other's accounts


@pytest.mark.parametrize("first", ["sue", "eve"])
def test_half_an_act_is_void_once_its_persons_account_has_changed(first: str) -> None:
    role, sponsors = PEOPLE[first], ("sam", "max")
    ended = StaffEnded(by="max", requested_by="sam", request=98, at=0, name=first, role=role)
    changes: dict[str, list[ProgressiveEvent]] = {
        "ended": [ended],
        "ended and back": [ended, *joined(first, role, sponsors=sponsors, at=NOW)],
        "reset": joined(first, role, sponsors=sponsors, at=NOW),
        "in another role": joined(first, Role.AUDITOR, sponsors=sponsors, at=NOW),
    }
    acts = [(state, command) for state, command in halves(first) if not isinstance(command, ConfirmAward)]
    assert len(acts) >= 2
    for change, events in changes.items():
        for state, command in acts:
            changed = replay_events(events, state)
            if isinstance(command, SignIncident):  # the second signature is then the first, of whom it may be at once
                (event,) = decide(changed, command, actor("sam"), NOW)
                assert isinstance(event, IncidentSigned), change
                continue
            with pytest.raises(RefusalError, check=refusal("requester-ended", person=first)):
                decide(changed, command, actor("max" if first != "max" else "eve"), NOW + DAY)


def test_of_two_requests_for_settings_the_second_undoes_nothing() -> None:
    first = done(staffed(), RequestSettingChanges(changes={"executive_cents": 500_000}, text="more"), actor("sue"))
    both = done(first, RequestSettingChanges(changes={"words": "display"}, text="words"), actor("sam"))
    for request, other in ((1, 2), (2, 1)):
        changed = done(both, ApproveRequest(request=request), actor("eve"))
        with pytest.raises(RefusalError, check=refusal("settings-changed", request=other)):
            done(changed, ApproveRequest(request=other), actor("eve"))
        after = get_settings(changed)
        missing = {"words": "display"} if other == 2 else {"executive_cents": 500_000}
        asked = done(changed, RequestSettingChanges(changes=missing, text="again"), actor("sue"))
        settled = get_settings(done(asked, ApproveRequest(request=asked.last_request), actor("eve")))
        assert (settled.executive_cents, settled.words) == (500_000, "display") != (after.executive_cents, after.words)


def test_a_progressive_set_up_as_in_the_pages_is_played_on_its_first_day() -> None:
    """Two executives make all first accounts: each act of a day then has two people who may do it."""
    state = replay_events(create(ProgressiveState(), settings(), ("eve", "max")))
    state = replay_events([StaffEnrolled(by=name, at=NOW, credential="2") for name in ("eve", "max")], state)
    for name in ("sue", "dora", "abe"):
        state = replay_events(joined(name, PEOPLE[name], sponsors=("eve", "max"), at=NOW), state)
    people = [actor(name) for name in ("eve", "max", "sue")]
    hit = entered(opened(state, 1, 2), 1, "royal-flush")
    owed = hit.hits[1].owed.model_copy(update={"by": "dora"})
    hit = hit.model_copy(update={"hits": {1: hit.hits[1].model_copy(update={"owed": owed})}})
    assert hit.hits[1].cents >= settings().executive_cents
    reported = done(state, OpenIncident(text="sensor broken"), actor("sue"))
    ways: list[tuple[ProgressiveState, ProgressiveCommand]] = [(hit, ConfirmAward(award=1))]
    for first in people:
        ways += [(done(state, ADJUST, first), ApproveRequest(request=1))]
        if may(reported, SIGN, first):
            ways += [(replay_events(decide(reported, SIGN, first, NOW + 60), reported), SIGN)]
    done_by = {(each.kind, who.name) for before, each in ways for who in people if may(before, each, who)}
    assert {kind for kind, _ in done_by} == {"confirm", "approve", "sign"}
    assert {name for kind, name in done_by if kind == "confirm"} == {"eve", "max"}


def may(state: ProgressiveState, command: ProgressiveCommand, who: Actor) -> bool:
    """Return whether somebody may do half of an act, a moment after all accounts were made."""
    try:
        decide(state, command, who, NOW + 60)
    except ForbiddenError:
        return False
    return True


def test_the_time_is_a_setting_and_is_not_written_where_it_is_the_usual_one() -> None:
    assert settings().staff_apart_hours == 24
    assert "staff_apart_hours" not in settings().model_dump(mode="json")
    quick = replay_events(create(ProgressiveState(), settings(staff_apart_hours=0), ("eve", "max")))
    state = replay_events(
        [*joined("sue", Role.SUPERVISOR), *joined("sam", Role.SUPERVISOR, sponsors=("sue", "max"), at=NOW)], quick
    )
    reported = done(state, OpenIncident(text="sensor broken"), actor("sue"))
    signed = replay_events(decide(reported, SIGN, actor("sam"), NOW), reported)
    assert not replay_events(decide(signed, SIGN, actor("sue"), NOW), signed).incidents


def test_one_executive_can_make_nobody() -> None:
    alone = replay_events(create(ProgressiveState(), settings(), "eve"))
    for role in (Role.SUPERVISOR, Role.EXECUTIVE, Role.DEALER):
        asked = done(alone, ChangeStaff(name="sue", role=role), actor("eve"))
        with pytest.raises(ForbiddenError, check=refusal("second-person-needed", person="eve", request=1)):
            done(asked, ApproveRequest(request=1), actor("eve"))


FIRST_HALVES: dict[str, ProgressiveCommand] = {
    "hit": EnterHit(table=1, seat=1, hand="flush"),
    "top hit": EnterHit(table=1, seat=1, hand="royal-flush"),
    "adjust": ADJUST,
    "configure": RequestSettingChanges(changes={"executive_cents": 5_000}, text="as agreed"),
    "account": ChangeStaff(name="ned", role=Role.DEALER),
    "sign": SIGN,
}
"""Every command that does a first half, with what its second half may be."""


def second_half(state: ProgressiveState, command: ProgressiveCommand) -> ProgressiveCommand:
    """Return the command that completes another."""
    match command:
        case EnterHit():
            return ConfirmAward(award=state.last_award)
        case SignIncident():
            return command
        case _:
            return ApproveRequest(request=state.last_request)


def completes(state: ProgressiveState, command: ProgressiveCommand, name: str, now: int) -> bool:
    """Tell whether somebody completes an act, and does not only begin it again."""
    try:
        events = decide(state, command, actor(name), now)
    except ForbiddenError:
        return False
    return not isinstance(events[0], IncidentSigned)


def begin(state: ProgressiveState, command: ProgressiveCommand, name: str) -> tuple[tuple[ProgressiveEvent, ...], bool]:
    """Return the events of a first half, and whether it is refused: a signature is if nobody could join it."""
    try:
        return decide(state, command, actor(name), NOW), False
    except ForbiddenError as error:
        if error.code != "nobody-to-join":
            raise
    return (IncidentSigned(by=name, incident=1, text="replaced"),), True


@pytest.mark.parametrize("act", FIRST_HALVES)
@pytest.mark.parametrize("first", ["dora", "sue", "sam", "eve", "max"])
def test_a_first_half_that_nobody_can_complete_is_said_and_only_then(act: str, first: str) -> None:
    """Whoever made whose account: everybody of every role tries to complete it."""
    command = FIRST_HALVES[act]
    if PEOPLE[first] not in PERMISSIONS[command.kind] or (act == "account" and PEOPLE[first] is Role.EXECUTIVE):
        with pytest.raises(ForbiddenError):
            decide(opened(staffed(), 1, 2), command, actor(first), NOW)
        return
    found = set()
    for sponsors in product(["x", "eve", "sue"], ["max", "sam", "y"]):
        for made in (("sue",), ("sue", "sam"), ("dora",), ("eve",)):
            joining = [each for name in made for each in joined(name, PEOPLE[name], sponsors=sponsors, at=NOW)]
            state = done(opened(replay_events(joining, staffed()), 1, 2), OpenIncident(text="sensor"), actor("sam"))
            events, is_refused = begin(state, command, first)
            after = replay_events(events, state)
            for now in (NOW, NOW + DAY):
                warned = bool(list(iter_second_action_warnings(state, after, events, now)))
                can = [name for name in PEOPLE if completes(after, second_half(after, command), name, now)]
                assert warned == (not can), (sponsors, made, now, can)
                assert now > NOW or is_refused == (warned and act == "sign")
                found.add(warned)
    assert found == {False} if PEOPLE[first] is Role.DEALER else False in found


def test_a_signature_that_nobody_can_join_is_refused_with_who_may_sign() -> None:
    """On the first day of a supervisor whom both executives made, they close it without her."""
    state = replay_events(joined("sue", Role.SUPERVISOR, sponsors=("eve", "max"), at=NOW), staffed("sam"))
    state = done(state, OpenIncident(text="sensor"), actor("eve"))
    for before in (state, done(state, SIGN, actor("eve"))):
        with pytest.raises(
            ForbiddenError, check=refusal("nobody-to-join", person="sue", able=["eve", "max"])
        ) as raised:
            decide(before, SIGN, actor("sue"), NOW)
        assert str(raised.value) == (
            "sue cannot sign incident 1 before 2027-01-16 08:00 UTC, since nobody could sign it with sue "
            "(eve and max made or reset the account of sue): eve and max can sign it now"
        )
    signed = done(state, SIGN, actor("eve"))
    assert not replay_events(decide(signed, SIGN, actor("max"), NOW), signed).incidents
    assert not replay_events(decide(signed, SIGN, actor("sue"), NOW + DAY), signed).incidents
    later = replay_events(decide(state, SIGN, actor("sue"), NOW + DAY), state)
    assert not replay_events(decide(later, SIGN, actor("eve"), NOW + DAY), later).incidents


def test_a_signature_of_an_earlier_version_that_nobody_can_join_gives_way() -> None:
    state = replay_events(joined("sue", Role.SUPERVISOR, sponsors=("eve", "max"), at=NOW), staffed("sam"))
    state = done(state, OpenIncident(text="sensor"), actor("eve"))
    state = replay_events((IncidentSigned(by="sue", incident=1, text="replaced"),), state)
    events = decide(state, SIGN, actor("eve"), NOW)
    before, state = state, replay_events(events, state)
    (warning,) = iter_second_action_warnings(before, state, events, NOW)
    assert "the signature of sue no longer counts" in warning
    assert not replay_events(decide(state, SIGN, actor("max"), NOW), state).incidents


def test_a_first_half_that_nobody_can_complete_says_who_can_and_from_when() -> None:
    state = replay_events(joined("sue", Role.SUPERVISOR, sponsors=("eve", "max"), at=NOW), staffed("sam"))
    state = opened(state, 1, 2)
    events = decide(state, EnterHit(table=1, seat=1, hand="flush"), actor("sue"), NOW)
    (warning,) = iter_second_action_warnings(state, replay_events(events, state), events, NOW)
    assert warning == (
        "nobody can confirm award 1 before 2027-01-16 08:00 UTC, when eve or max can (eve and max made or reset the "
        "account of sue): cancel it, and let a dealer or another supervisor enter it"
    )
