"""Who may do the second half of what takes two people.

For ``staff_apart_hours`` after a person's account was made or reset, they share no approval with those who did it.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from pitboss.core.money import format_cents
from pitboss.jackpot.commands import ApproveRequest, ConfirmAward, ProgressiveCommand
from pitboss.jackpot.entry_shares import EntryShare
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.events import ChangeRequested, HitEntered, IncidentSigned, ProgressiveEvent
from pitboss.jackpot.lookups import get_round_settings, get_settings
from pitboss.jackpot.roles import PERMISSIONS, Role
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.jackpot.staff_state import is_same_account
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit


class Separation(NamedTuple):
    """Why two people cannot act together before ``until``, in seconds.

    One made or reset the other's account.
    """

    sponsor: str
    person: str
    until: int


class SecondAction(NamedTuple):
    """What a second person does after the ``first``.

    ``what`` is it in words, ``roles`` may do it, but for the ``subject`` of the change, and ``otherwise`` is what to do
    while nobody can.
    """

    first: str
    what: str
    roles: frozenset[Role]
    otherwise: str
    subject: str = ""


def find_separation(state: ProgressiveState, one: str, other: str, now: int) -> Separation | None:
    """Return why two people cannot act together, None if they can.

    ``now`` is in seconds.
    """
    seconds = get_settings(state).staff_apart_hours * 3600
    for person, sponsor in ((one, other), (other, one)):
        member = state.staff.get(person)
        if member and sponsor in member.sponsors and now - member.sponsored_at < seconds:
            return Separation(sponsor, person, member.sponsored_at + seconds)
    return None


def verify_apart(state: ProgressiveState, command: ProgressiveCommand, actor: str, now: int) -> None:
    """Check that two people did not just make each other's accounts.

    Two signatures of an incident are not refused: the newer one takes the place of the other (``is_first_signature``).

    Raises:
        ForbiddenError: one of them invited or reset the other a short time ago.
    """
    first = _find_first_person(state, command)
    separation = find_separation(state, first, actor, now) if first else None
    if separation:
        hours = -(-(separation.until - now) // 3600)
        raise ForbiddenError(
            f"{separation.sponsor} made or reset the account of {separation.person}: they cannot approve together for "
            f"{hours} hours",
            code="sponsor-too-recent",
            sponsor=separation.sponsor,
            person=separation.person,
            hours=hours,
        )


def _find_first_person(state: ProgressiveState, command: ProgressiveCommand) -> str:
    """Return who did the first half of what a command completes, "" if nobody did."""
    match command:
        case ConfirmAward():
            return "" if _is_of_dealer(state, state.hits[command.award]) else state.hits[command.award].owed.by
        case ApproveRequest():
            return state.requests[command.request].by
        case _:
            return ""


def _is_of_dealer(state: ProgressiveState, hit: Hit) -> bool:
    """Tell whether a dealer entered a hit.

    A dealer approves nothing: entering a hit is not half of an approval, which a person of the office confirms.
    """
    dealer = state.staff.get(hit.owed.by)
    return dealer is not None and dealer.role is Role.DEALER


def is_first_signature(state: ProgressiveState, incident: int, actor: str, now: int) -> bool:
    """Tell whether a signature of an incident is the first of two that count.

    It is if nobody has signed it, if the account of the person who did has changed since, or if the two cannot act
    together yet: otherwise a signature of somebody's first day would keep the tables closed for all others.
    """
    signed = state.incidents[incident]
    first = signed.signed_by
    if not first or not is_same_account(signed.signer, state.staff.get(first)):
        return True
    return find_separation(state, first, actor, now) is not None


def iter_second_action_warnings(
    before: ProgressiveState, after: ProgressiveState, events: tuple[ProgressiveEvent, ...], now: int
) -> Iterator[str]:
    """Yield warnings about first halves: that nobody can do the second."""
    for event in events:
        if isinstance(event, IncidentSigned):
            earlier = before.incidents[event.incident].signed_by
            separation = find_separation(after, earlier, event.by, now) if earlier and earlier != event.by else None
            if separation:
                yield (
                    f"the signature of {earlier} no longer counts: {separation.sponsor} made or reset the account of "
                    f"{separation.person}, so they cannot close it together before {format_moment(separation.until)}"
                )
        action = find_second_action(after, event)
        warning = explain_blocked_action(after, action, now) if action else ""
        if warning:
            yield warning


def iter_cancel_warnings(
    state: ProgressiveState, events: Iterable[ProgressiveEvent], shares: Iterable[EntryShare]
) -> Iterator[str]:
    """Yield what people should know about high awards that one person cancelled."""
    by = next((event.by for event in events if isinstance(event, HitEntered)), "")
    settings = get_settings(state)
    for share in shares:
        if share.before and share.after is None:
            owed, line = share.before, settings.find_line(share.before.hand)
            if owed.cents >= settings.executive_cents or (line and line.percent):
                dealer = state.staff.get(by)
                witness = "a supervisor" if dealer is None or dealer.role is Role.DEALER else "another person"
                yield (
                    f"{by} alone cancelled award {share.award}, {owed.hand} {format_cents(owed.cents)}: "
                    f"{witness} should see the hand before the cards are taken up"
                )


def find_second_action(state: ProgressiveState, event: ProgressiveEvent) -> SecondAction | None:
    """Return what a second person has still to do after an event, None if nothing."""
    match event:
        case HitEntered():
            new = {owed.award for owed in event.owed} - set(event.replaced)
            return find_confirmation(state, state.hits[min(new)]) if new else None
        case ChangeRequested():
            subject = event.change.name if isinstance(event.change, StaffRequest) else ""
            what, otherwise = f"approve request {event.request}", "decline it, and let somebody else request it"
            return SecondAction(event.by, what, PERMISSIONS["approve"], otherwise, subject)
        case IncidentSigned():
            return _find_closing(event.by, event.incident)
        case _:
            return None


def find_confirmation(state: ProgressiveState, hit: Hit) -> SecondAction | None:
    """Return what confirms a hit, None if a dealer entered it, which bars nobody."""
    if hit.step != "pending" or _is_of_dealer(state, hit):
        return None
    otherwise = "cancel it, and let a dealer or another supervisor enter it"
    return SecondAction(hit.owed.by, f"confirm award {hit.owed.award}", list_confirming_roles(state, hit), otherwise)


def list_confirming_roles(state: ProgressiveState, hit: Hit) -> frozenset[Role]:
    """Return the roles that may confirm a hit of a running round."""
    limit_cents = get_round_settings(state, state.rounds[hit.table]).executive_cents
    return frozenset({Role.EXECUTIVE}) if hit.cents >= limit_cents else PERMISSIONS["confirm"]


def explain_blocked_action(state: ProgressiveState, action: SecondAction, now: int) -> str:
    """Describe why nobody can do a second action at ``now``, "" if somebody can.

    Nothing is said of a ledger whose entries do not account for its people.
    """
    separations = _find_separations(state, action, now)
    if separations is None:
        return ""
    if not separations:
        roles = " or ".join(role for role in Role if role in action.roles)
        return f"nobody can {action.what}: no other {roles} is enrolled"
    until = min(separation.until for separation in separations.values())
    first = " or ".join(name for name, separation in separations.items() if separation.until == until)
    reasons = _describe_sponsors(separations.values())
    return f"nobody can {action.what} before {format_moment(until)}, when {first} can ({reasons}): {action.otherwise}"


def _find_separations(state: ProgressiveState, action: SecondAction, now: int) -> dict[str, Separation] | None:
    """Return what bars each person from a second action, None if somebody can.

    It is None too for a ledger whose entries do not account for its people.
    """
    separations = {name: find_separation(state, action.first, name, now) for name in _list_second_people(state, action)}
    found = {name: separation for name, separation in separations.items() if separation}
    return found if state.covered and action.first in state.staff and len(found) == len(separations) else None


def _list_second_people(state: ProgressiveState, action: SecondAction) -> list[str]:
    """Return the people whose role may do a second action, also barred ones."""
    return [
        name
        for name, member in state.staff.items()
        if member.active
        and member.enrolled
        and member.role in action.roles
        and name not in {action.first, action.subject}
    ]


def _describe_sponsors(separations: Iterable[Separation]) -> str:
    """Describe who made whose account, each account once."""
    sponsors: dict[str, list[str]] = {}
    for separation in separations:
        sponsors.setdefault(separation.person, []).append(separation.sponsor)
    return ", ".join(
        f"{' and '.join(made_by)} made or reset the account of {name}" for name, made_by in sponsors.items()
    )


def verify_signature(state: ProgressiveState, incident: int, actor: str, now: int) -> None:
    """Check that somebody could join the first signature of an incident.

    Raises:
        ForbiddenError: all who could made or reset the person's account, or the other way round, a short time ago.
    """
    action = _find_closing(actor, incident)
    separations = _find_separations(state, action, now)
    if not separations:
        return
    until = format_moment(min(separation.until for separation in separations.values()))
    able = _list_able_signers(state, action, now)
    others = f"{' and '.join(able)} can sign it now" if able else "no two people can sign it before then"
    raise ForbiddenError(
        f"{actor} cannot sign incident {incident} before {until}, since nobody could sign it with {actor} "
        f"({_describe_sponsors(separations.values())}): {others}",
        code="nobody-to-join",
        incident=incident,
        person=actor,
        until=until,
        able=able,
    )


def _list_able_signers(state: ProgressiveState, action: SecondAction, now: int) -> list[str]:
    """Return the others who could close an incident with somebody now."""
    people = _list_second_people(state, action)
    return [
        one
        for one in people
        if any(other != one and find_separation(state, one, other, now) is None for other in people)
    ]


def _find_closing(first: str, incident: int) -> SecondAction:
    """Return the second action of a signature."""
    return SecondAction(first, f"close incident {incident} with {first}", PERMISSIONS["sign"], "two others can sign it")


def format_moment(seconds: int) -> str:
    """Format a moment in seconds since 1970.

    >>> format_moment(1_800_000_000)
    '2027-01-15 08:00 UTC'
    """
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
