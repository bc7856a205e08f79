"""Settings in words: what each is called on a page, and its value with its unit."""

from typing import Any

from pitboss.builders import display_name
from pitboss.core.money import format_cents, format_dollars
from pitboss.jackpot.settings import AwardLine
from pitboss.meter import NO_LIMIT

SETTING_LABELS = {
    "game": "Game",
    "paytable": "Pay table",
    "seed_cents": "Seed",
    "preset_meter_bps": "Preset share for the meter, from the pay table",
    "meter_bps": "Share of a wager for the meter",
    "reserve_bps": "Share of a wager for the reserve",
    "limit_cents": "Limit of the display",
    "executive_cents": "Awards that need an executive, from",
    "variance_cents": "Allowed difference of a display",
    "wager_cents": "Wager",
    "most_wager_cents": "Largest wager",
    "tables": "Tables",
    "seats": "Seats",
    "award_order": "Awards of one round",
    "award_rounding": "Awards are rounded to the",
    "fixed_awards_from": "Fixed awards come from the",
    "envy_hitter_must_wager": "Envy only if the winner has the wager",
    "zero_seed": "Seed of $0 allowed",
    "staff_apart_hours": "Hours until a new person may approve with the one who made the account",
    "words": "Key names",
    "day_zone": "Time zone of gaming days",
    "day_hour": "Hour at which a gaming day begins",
}
"""What each setting is called on a page; the hands of the pay table have their own names."""

_CHOICE_WORDS = {
    "award_order": {"sequence": "one after the other", "split": "split"},
    "envy_hitter_must_wager": {"on": "yes", "off": "no"},
}


def label_setting(name: str) -> str:
    """Return what a setting, or another line of a review, is called.

    >>> label_setting("seed_cents"), label_setting("royal-flush")
    ('Seed', 'Royal flush')
    """
    return SETTING_LABELS.get(name) or display_name(name).capitalize()


def describe_value(name: str, value: Any) -> str:
    """Describe the value of a setting, or of a line of its pay table, with its unit.

    >>> describe_value("seed_cents", 1_000_000), describe_value("meter_bps", 1_450)
    ('$10,000.00', '14.5%')
    >>> describe_value("award_order", "sequence"), describe_value("zero_seed", False)
    ('one after the other', 'no')
    >>> describe_value("royal-flush", AwardLine(hand="royal-flush", percent=100, envy_dollars=100))
    '100% of the meter, envy $100'
    >>> describe_value("flush", AwardLine(hand="flush", cents=1_500, per_cents=100))
    '$15 for $1'
    """
    if value is None:
        return "none"
    if isinstance(value, AwardLine):
        return _describe_line(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_cents"):
        return "none" if value == NO_LIMIT else format_cents(value)
    if name.endswith("_bps"):
        return f"{value / 100:g}%"
    return _CHOICE_WORDS.get(name, {}).get(value, str(value))


def _describe_line(line: AwardLine) -> str:
    parts = [f"{line.percent}% of the meter"] if line.percent else []
    if line.cents:
        wagered = (
            "" if line.per_cents is None else f" for {format_dollars(line.per_cents)}" if line.per_cents else " flat"
        )
        parts.append(f"{format_dollars(line.cents)}{wagered}")
    elif line.per_cents:
        parts.append(f"for {format_dollars(line.per_cents)}")
    if line.envy_dollars:
        parts.append(f"envy ${line.envy_dollars:,}")
    return ", ".join(parts)
