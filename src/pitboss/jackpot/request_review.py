"""Reviews of requests: what a second person is shown before approving one.

A review says everything that the approval would change, and has a digest to approve exactly that with.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitboss.core.errors import escape_unprintable
from pitboss.core.money import format_cents
from pitboss.jackpot.events import Adjustment, BackOut, Reconfiguration
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.settings import FIXED_SETTINGS, Settings
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest
from pitboss.ledger.chain import compute_digest, to_canonical_json
from pitboss.meter import NO_LIMIT

ARROW = "→"


class ReviewLine(NamedTuple):
    """A line of a review: what it is about, and its value."""

    label: str
    value: str


class RequestReview(NamedTuple):
    """A request as it is shown to a second person."""

    by: str
    what: str
    lines: tuple[ReviewLine, ...]
    digest: str


def review_request(state: ProgressiveState, number: int) -> RequestReview:
    """Return the review of a waiting request.

    Of settings it has the differences, of a back-out the award.
    """
    request = state.requests[number]
    lines = tuple(ReviewLine(label, value) for label, value in _describe_change(state, request))
    return RequestReview(request.by, request.change.what, lines, digest_request(state, number))


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
            yield "reason", change.reason
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
            yield "change", change.act
            yield "person", change.name
            yield "role", change.role
            yield "requested as", change.by_role


def _describe_award(state: ProgressiveState, award: int) -> Iterator[tuple[str, str]]:
    yield "award", str(award)
    hit = state.hits.get(award)
    if hit:
        yield "hand", f"{hit.owed.hand} {hit.owed.cards}".strip()
        yield "place", f"table {hit.table}, round {hit.round}, seat {hit.owed.seat}"
        yield "owed", format_cents(hit.cents)
        yield "step", ", ".join(filter(None, (hit.step, hit.owed.by, hit.confirmed_by)))


def list_settings(settings: Settings) -> Iterator[ReviewLine]:
    """Yield every setting, and what each hand of the pay table pays."""
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if name == "lines":
            yield from (ReviewLine(line.hand, _format_value(line.hand, line)) for line in value)
        elif value is not None or name not in FIXED_SETTINGS:
            yield ReviewLine(name, _format_value(name, value))


def _compare_settings(before: Settings, after: Settings) -> Iterator[tuple[str, str]]:
    for name in Settings.model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if name == "lines":
            olds, news = ({line.hand: line for line in lines} for lines in (old, new))
            for hand in {**olds, **news}:
                if olds.get(hand) != news.get(hand):
                    yield hand, f"{_format_value(hand, olds.get(hand))} {ARROW} {_format_value(hand, news.get(hand))}"
            if list(olds) != list(news) and olds.keys() == news.keys():
                yield "order of hands", f"{', '.join(olds)} {ARROW} {', '.join(news)}"
        elif old != new:
            yield name, f"{_format_value(name, old)} {ARROW} {_format_value(name, new)}"


def _format_value(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if name.endswith("_cents"):
        return "none" if value == NO_LIMIT else format_cents(value)
    if name.endswith("_bps"):
        return f"{value} ({value / 100:g}%)"
    if hasattr(value, "model_dump"):
        fields = value.model_dump(mode="json", exclude={"hand"}).items()
        return ", ".join(f"{field.replace('_', ' ')} {given}" for field, given in fields if given not in (None, 0, ""))
    return str(value)
