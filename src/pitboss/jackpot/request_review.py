"""Reviews of requests: what a second person is shown before approving one.

A review says everything that the approval would change, and has a digest to approve exactly that with.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.builders import display_name
from pitboss.core.errors import escape_unprintable
from pitboss.core.money import format_cents
from pitboss.jackpot.events import Adjustment, BackOut, Reconfiguration
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.setting_words import describe_value
from pitboss.jackpot.settings import FIXED_SETTINGS, Settings
from pitboss.jackpot.staff_events import StaffAct, StaffRequest
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest
from pitboss.ledger.chain import compute_digest, to_canonical_json

ARROW = "→"

_ACTS: dict[StaffAct, str] = {
    "invite": "new account",
    "role": "another role",
    "reset": "new password and authenticator",
    "end": "end of the account",
}


class ReviewLine(NamedTuple):
    """A line of a review: what it is about, and its value."""

    label: str
    value: str


class RequestReview(NamedTuple):
    """A request as it is shown to a second person.

    ``gives_code`` tells whether its approval gives a person a code to enrol with.
    """

    by: str
    what: str
    lines: tuple[ReviewLine, ...]
    digest: str
    gives_code: bool


def review_request(state: ProgressiveState, number: int) -> RequestReview:
    """Return the review of a waiting request.

    Of settings it has the differences, of a back-out the award.
    """
    request = state.requests[number]
    lines = tuple(ReviewLine(label, value) for label, value in _describe_change(state, request))
    gives_code = isinstance(request.change, StaffRequest) and request.change.act != "end"
    return RequestReview(request.by, request.change.what, lines, digest_request(state, number), gives_code)


def format_review(state: ProgressiveState, number: int) -> str:
    """Return the review of a waiting request in one line, for any terminal."""
    review = review_request(state, number)
    lines = ", ".join(f"{line.label} {line.value}" for line in review.lines).replace(ARROW, "to")
    return escape_unprintable(f"request {number} by {review.by}: {lines}")


def digest_request(state: ProgressiveState, number: int) -> str:
    """Return the digest of a waiting request, with the settings that it replaces."""
    request = state.requests[number]
    replaced = state.settings if isinstance(request.change, Reconfiguration) else None
    document = {
        "number": number,
        "request": request.model_dump(mode="json"),
        "replaced": replaced and replaced.model_dump(mode="json"),
    }
    return compute_digest(to_canonical_json(document))


def _describe_change(state: ProgressiveState, request: ChangeRequest) -> Iterator[tuple[str, str]]:
    match request.change:
        case Adjustment() as change:
            yield "account", change.account
            yield "amount", format_cents(change.cents)
            yield "reason", display_name(change.reason)
            if change.award:
                yield from _describe_award(state, change.award)
            yield "explanation", change.text
        case BackOut() as change:
            yield from _describe_award(state, change.award)
            yield "explanation", change.text
        case Reconfiguration() as change:
            yield from _compare_settings(get_settings(state), change.settings)
            yield "explanation", change.text
        case StaffRequest() as change:
            yield "change", _ACTS[change.act]
            yield "person", change.name
            yield "role", change.role
            yield "requested as", change.by_role


def _describe_award(state: ProgressiveState, award: int) -> Iterator[tuple[str, str]]:
    yield "award", str(award)
    hit = state.hits.get(award)
    if hit:
        yield "hand", f"{display_name(hit.owed.hand)} {hit.owed.cards}".strip()
        yield "place", f"table {hit.table}, round {hit.round}, seat {hit.owed.seat}"
        yield "owed", format_cents(hit.cents)
        yield "step", ", ".join(filter(None, (display_name(hit.step), hit.owed.by, hit.confirmed_by)))


def iter_settings(settings: Settings) -> Iterator[ReviewLine]:
    """Yield every setting, and what each hand of the pay table pays."""
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if name == "lines":
            yield from (ReviewLine(line.hand, describe_value(line.hand, line)) for line in value)
        elif value is not None or name not in FIXED_SETTINGS:
            yield ReviewLine(name, describe_value(name, value))


def _compare_settings(before: Settings, after: Settings) -> Iterator[tuple[str, str]]:
    for name in Settings.model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if name == "lines":
            olds, news = ({line.hand: line for line in lines} for lines in (old, new))
            for hand in {**olds, **news}:
                if olds.get(hand) != news.get(hand):
                    yield hand, f"{describe_value(hand, olds.get(hand))} {ARROW} {describe_value(hand, news.get(hand))}"
            if list(olds) != list(news) and olds.keys() == news.keys():
                yield "order of hands", f"{', '.join(olds)} {ARROW} {', '.join(news)}"
        elif old != new:
            yield name, f"{describe_value(name, old)} {ARROW} {describe_value(name, new)}"
