"""Nobody approves blind: whatever a request would change is in what its second person is shown, and in its digest."""

from typing import Any

import pytest

from jackpot.house import settings
from pitboss.jackpot.events import Adjustment, BackOut, Reconfiguration
from pitboss.jackpot.request_review import review_request
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest

NOW = settings()
ADJUSTMENT = Adjustment(account="meter", cents=-1250, reason="malfunction", text="a wager counted twice")
STAFF = StaffRequest(act="invite", name="dan", role=Role.DEALER, by_role=Role.SUPERVISOR)
OTHER_VALUES: dict[str, Any] = {
    "game": "four-card",
    "paytable": "other",
    "lines": NOW.lines[1:],
    "limit_cents": 9_000_000,
    "most_wager_cents": 500,
    "award_order": "split",
    "award_rounding": "dollar",
    "fixed_awards_from": "meter",
    "envy_hitter_must_wager": "off",
    "zero_seed": True,
    "words": "display",
    "day_zone": "Europe/Paris",
}


def other(value: Any) -> Any:
    """Return another value of the same type."""
    return value + 1 if isinstance(value, int) else f"{value} too"


def reviewed(change: Any, now: Settings = NOW) -> tuple[dict[str, str], str]:
    """Return the lines and the digest of a request of that change."""
    state = ProgressiveState(settings=now, version=1, requests={6: ChangeRequest(by="sue", change=change)})
    review = review_request(state, 6)
    return dict(review.lines), review.digest


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_that_changes_is_shown_old_and_new(name: str) -> None:
    value = OTHER_VALUES.get(name, other(getattr(NOW, name)))
    lines, digest = reviewed(Reconfiguration(settings=NOW.model_copy(update={name: value}), text="why not"))
    assert set(lines) == ({NOW.lines[0].hand} if name == "lines" else {name}) | {"explanation"}
    assert all("→" in line for label, line in lines.items() if label != "explanation")
    assert digest != reviewed(Reconfiguration(settings=NOW, text="why not"))[1]


_SAID = {"cents": "$0.01", "percent": "7%", "envy_dollars": "$123", "per_cents": "for $7"}


@pytest.mark.parametrize(
    "changes",
    [{"cents": 1}, {"percent": 7}, {"envy_dollars": 123}, {"per_cents": 700}],
    ids=str,
)
def test_every_part_of_an_award_line_is_shown(changes: dict[str, int]) -> None:
    line = NOW.lines[0].model_copy(update=changes)
    shown, _ = reviewed(Reconfiguration(settings=NOW.model_copy(update={"lines": (line, *NOW.lines[1:])}), text="why"))
    (said,) = (_SAID[name] for name in changes)
    assert said in shown[line.hand].partition("→")[2]


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        (ADJUSTMENT, "account", "reserve"),
        (ADJUSTMENT, "cents", 7),
        (ADJUSTMENT, "reason", "award"),
        (ADJUSTMENT, "text", "another"),
        (ADJUSTMENT, "award", 3),
        (BackOut(award=3, text="not a flush"), "award", 4),
        (BackOut(award=3, text="not a flush"), "text", "another"),
        (Reconfiguration(settings=NOW, text="why"), "text", "another"),
        (STAFF, "act", "reset"),
        (STAFF, "name", "eve"),
        (STAFF, "role", Role.EXECUTIVE),
        (STAFF, "by_role", Role.EXECUTIVE),
    ],
)
def test_every_field_of_a_request_is_shown(change: Any, field: str, value: Any) -> None:
    before, now = reviewed(change), reviewed(change.model_copy(update={field: value}))
    assert before[0] != now[0]
    assert before[1] != now[1]


def test_settings_that_were_replaced_meanwhile_are_not_those_that_were_shown() -> None:
    change = Reconfiguration(settings=settings(meter_bps=1_500), text="why")
    assert reviewed(change)[1] != reviewed(change, settings(reserve_bps=100))[1]
