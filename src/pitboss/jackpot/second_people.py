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


class Bar(NamedTuple):
    """Why two people cannot act together before ``until``, in seconds.

    One made or reset the other's account.
    """

    sponsor: str
    person: str
    until: int


class SecondHalf(NamedTuple):
    """What a second person does after the ``first``.

    ``what`` is it in words, ``roles`` may do it, but for the ``subject`` of the change, and ``otherwise`` is what to do
    while nobody can.
    """

    first: str
    what: str
    roles: frozenset[Role]
    otherwise: str
    subject: str = ""


def find_bar(state: ProgressiveState, one: str, other: str, now: int) -> Bar | None:
    """Return why two people cannot act together, None if they can.

    ``now`` is in seconds.
    """
    seconds = get_settings(state).staff_apart_hours * 3600
    for person, sponsor in ((one, other), (other, one)):
        member = state.staff.get(person)
        if member and sponsor in member.sponsors and now - member.sponsored_at < seconds:
            return Bar(sponsor, person, member.sponsored_at + seconds)
    return None


def verify_apart(state: ProgressiveState, command: ProgressiveCommand, actor: str, now: int) -> None:
    """Check that two people did not just make each other's accounts.

    Two signatures of an incident are not refused: the newer one takes the place of the other (``is_first_signature``).

    Raises:
        ForbiddenError: one of them invited or reset the other a short time ago.
    """
    first = _find_first_person(state, command)
    bar = find_bar(state, first, actor, now) if first else None
    if bar:
        hours = -(-(bar.until - now) // 3600)
        raise ForbiddenError(
            f"{bar.sponsor} made or reset the account of {bar.person}: they cannot approve together for {hours} hours",
            code="sponsor-too-recent",
            sponsor=bar.sponsor,
            person=bar.person,
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
    return find_bar(state, first, actor, now) is not None


def iter_second_half_warnings(
    before: ProgressiveState, after: ProgressiveState, events: tuple[ProgressiveEvent, ...], now: int
) -> Iterator[str]:
    """Yield warnings about first halves: that nobody can do the second."""
    for event in events:
        if isinstance(event, IncidentSigned):
            earlier = before.incidents[event.incident].signed_by
            bar = find_bar(after, earlier, event.by, now) if earlier and earlier != event.by else None
            if bar:
                yield (
                    f"the signature of {earlier} no longer counts: {bar.sponsor} made or reset the account of "
                    f"{bar.person}, so they cannot close it together before {format_moment(bar.until)}"
                )
        half = find_second_half(after, event)
        warning = describe_bars(after, half, now) if half else ""
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


def find_second_half(state: ProgressiveState, event: ProgressiveEvent) -> SecondHalf | None:
    """Return what a second person has still to do after an event, None if nothing."""
    match event:
        case HitEntered():
            new = {owed.award for owed in event.owed} - set(event.replaced)
            return find_confirmation(state, state.hits[min(new)]) if new else None
        case ChangeRequested():
            subject = event.change.name if isinstance(event.change, StaffRequest) else ""
            what, otherwise = f"approve request {event.request}", "decline it, and let somebody else request it"
            return SecondHalf(event.by, what, PERMISSIONS["approve"], otherwise, subject)
        case IncidentSigned():
            return _find_closing(event.by, event.incident)
        case _:
            return None


def find_confirmation(state: ProgressiveState, hit: Hit) -> SecondHalf | None:
    """Return what confirms a hit, None if a dealer entered it, which bars nobody."""
    if hit.step != "pending" or _is_of_dealer(state, hit):
        return None
    otherwise = "cancel it, and let a dealer or another supervisor enter it"
    return SecondHalf(hit.owed.by, f"confirm award {hit.owed.award}", list_confirming_roles(state, hit), otherwise)


def list_confirming_roles(state: ProgressiveState, hit: Hit) -> frozenset[Role]:
    """Return the roles that may confirm a hit of a running round."""
    limit_cents = get_round_settings(state, state.rounds[hit.table]).executive_cents
    return frozenset({Role.EXECUTIVE}) if hit.cents >= limit_cents else PERMISSIONS["confirm"]


def describe_bars(state: ProgressiveState, half: SecondHalf, now: int) -> str:
    """Describe why nobody can do a second half at ``now``, "" if somebody can.

    Nothing is said of a ledger whose entries do not account for its people.
    """
    bars = _find_bars(state, half, now)
    if bars is None:
        return ""
    if not bars:
        roles = " or ".join(role for role in Role if role in half.roles)
        return f"nobody can {half.what}: no other {roles} is enrolled"
    until = min(bar.until for bar in bars.values())
    first = " or ".join(name for name, bar in bars.items() if bar.until == until)
    reasons = _describe_sponsors(bars.values())
    return f"nobody can {half.what} before {format_moment(until)}, when {first} can ({reasons}): {half.otherwise}"


def _find_bars(state: ProgressiveState, half: SecondHalf, now: int) -> dict[str, Bar] | None:
    """Return what bars each person from a second half, None if somebody can.

    It is None too for a ledger whose entries do not account for its people.
    """
    bars = {name: find_bar(state, half.first, name, now) for name in _list_second_people(state, half)}
    found = {name: bar for name, bar in bars.items() if bar}
    return found if state.covered and half.first in state.staff and len(found) == len(bars) else None


def _list_second_people(state: ProgressiveState, half: SecondHalf) -> list[str]:
    """Return the people whose role may do a second half, also barred ones."""
    return [
        name
        for name, member in state.staff.items()
        if member.active and member.enrolled and member.role in half.roles and name not in {half.first, half.subject}
    ]


def _describe_sponsors(bars: Iterable[Bar]) -> str:
    """Describe who made whose account, each account once."""
    sponsors: dict[str, list[str]] = {}
    for bar in bars:
        sponsors.setdefault(bar.person, []).append(bar.sponsor)
    return ", ".join(
        f"{' and '.join(made_by)} made or reset the account of {name}" for name, made_by in sponsors.items()
    )


def verify_signature(state: ProgressiveState, incident: int, actor: str, now: int) -> None:
    """Check that somebody could join the first signature of an incident.

    Raises:
        ForbiddenError: all who could made or reset the person's account, or the other way round, a short time ago.
    """
    half = _find_closing(actor, incident)
    bars = _find_bars(state, half, now)
    if not bars:
        return
    until = format_moment(min(bar.until for bar in bars.values()))
    able = _list_able_signers(state, half, now)
    others = f"{' and '.join(able)} can sign it now" if able else "no two people can sign it before then"
    raise ForbiddenError(
        f"{actor} cannot sign incident {incident} before {until}, since nobody could sign it with {actor} "
        f"({_describe_sponsors(bars.values())}): {others}",
        code="nobody-to-join",
        incident=incident,
        person=actor,
        until=until,
        able=able,
    )


def _list_able_signers(state: ProgressiveState, half: SecondHalf, now: int) -> list[str]:
    """Return the others who could close an incident with somebody now."""
    people = _list_second_people(state, half)
    return [one for one in people if any(other != one and find_bar(state, one, other, now) is None for other in people)]


def _find_closing(first: str, incident: int) -> SecondHalf:
    """Return the second half of a signature."""
    return SecondHalf(first, f"close incident {incident} with {first}", PERMISSIONS["sign"], "two others can sign it")


def format_moment(seconds: int) -> str:
    """Format a moment in seconds since 1970.

    >>> format_moment(1_800_000_000)
    '2027-01-15 08:00 UTC'
    """
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
