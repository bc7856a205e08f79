"""No text of any command forges a line: what does not print is refused in every field, and escaped in older entries."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

import pytest
from pydantic import BaseModel, ValidationError

from jackpot.house import settings
from pitboss.jackpot import commands
from pitboss.jackpot.commands import Command, ProgressiveCommand
from pitboss.jackpot.day_report import explain_change
from pitboss.jackpot.entry_shares import EntryShare
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    BackOut,
    IncidentOpened,
    IncidentSigned,
    Reconfiguration,
    RequestDeclined,
)
from pitboss.jackpot.reports import describe_change, describe_event
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import change_settings
from refusals import refusal

BAD = ("\n", "\r", "\t", "\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\ud800", "\ufeff")

EXAMPLES: dict[type[Command], tuple[Mapping[str, Any], ...]] = {
    commands.OpenRound: ({"table": 1, "link": "linked-1"},),
    commands.EnterHit: ({"table": 1, "seat": 1, "hand": "flush", "cards": "As Ks", "link": "linked-1"},),
    commands.CancelHit: ({"award": 1},),
    commands.ConfirmAward: ({"award": 1},),
    commands.PayAward: ({"award": 1},),
    commands.CloseRound: ({"table": 1, "link": "linked-1"},),
    commands.RequestAdjustment: (
        {"change": Adjustment(account="meter", cents=5, reason="house-funds", text="promotion")},
    ),
    commands.RequestBackOut: ({"change": BackOut(award=1, text="misread")},),
    commands.RequestSettings: ({"change": Reconfiguration(settings=settings(), text="new pays")},),
    commands.RequestSettingChanges: (
        {"changes": {"day_zone": "UTC", "lines": ({"hand": "flush"}, "royal-flush")}, "text": "new zone"},
    ),
    commands.ApproveRequest: ({"request": 1, "shown": "abc"},),
    commands.DeclineRequest: ({"request": 1, "text": "not so"},),
    commands.OpenIncident: ({"table": 1, "text": "sensor broken"},),
    commands.SignIncident: ({"incident": 1, "text": "repaired"},),
    commands.ReprintWinPage: ({"award": 1},),
    commands.ReconcileDisplay: ({"posted_cents": 5},),
    commands.ChangeStaff: ({"name": "ann", "role": Role.DEALER},),
}
"""Every command with all of its texts."""


class Place(NamedTuple):
    """Where a text is: the keys on the way to it."""

    keys: tuple[str | int, ...]


def list_texts(value: object, *way: str | int) -> Iterator[Place]:
    """Yield the places of all texts in a value."""
    match value:
        case str():
            yield Place(way)
        case BaseModel():
            yield from list_texts(dict(value), *way)
        case Mapping():
            for name, each in value.items():
                yield from list_texts(each, *way, name)
        case list() | tuple():
            for number, each in enumerate(value):
                yield from list_texts(each, *way, number)
        case _:
            pass


def spoil(value: Any, keys: tuple[str | int, ...], bad: str) -> Any:
    """Return a value in which one text has a character more."""
    if not keys:
        return value[:1] + bad + value[1:]
    if isinstance(value, BaseModel):
        name = str(keys[0])
        return value.model_copy(update={name: spoil(getattr(value, name), keys[1:], bad)})
    if isinstance(value, Mapping):
        return {**value, keys[0]: spoil(value[keys[0]], keys[1:], bad)}
    return tuple(spoil(each, keys[1:], bad) if place == keys[0] else each for place, each in enumerate(value))


def test_the_examples_are_of_all_commands_and_have_all_their_texts() -> None:
    kinds = set(get_args(ProgressiveCommand))
    assert kinds == set(EXAMPLES) == set(Command.__subclasses__())
    for kind, examples in EXAMPLES.items():
        texts = {name for name, field in kind.model_fields.items() if name != "kind" and "str" in str(field.annotation)}
        given = {str(place.keys[0]) for each in examples for place in list_texts(each)}
        assert texts <= given, (kind, texts - given)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_no_text_of_a_command_has_a_character_that_does_not_print(kind: type[Command]) -> None:
    for example in EXAMPLES[kind]:
        kind(**example)
        for place in list_texts(example):
            for bad in BAD:
                with pytest.raises((RefusalError, ValidationError)):
                    kind(**spoil(dict(example), place.keys, bad))


def test_settings_of_init_are_checked_too() -> None:
    with pytest.raises(RefusalError, check=refusal("unprintable-text", field="paytable")):
        change_settings(settings(), {"paytable": "SIXCPP-01\nSEED $1"})


def test_entries_of_earlier_versions_forge_no_line_either() -> None:
    text = "promotion\npaid by ann: award 1, $10,000.00"
    change = Adjustment(account="meter", cents=5, reason="house-funds", text=text)
    made = AdjustmentMade(by="eve", requested_by="sue", request=1, adjustment=change)
    events = (
        made,
        IncidentOpened(by="sue", incident=1, table=0, what="reported", text=text),
        IncidentSigned(by="sue", incident=1, text=text),
        RequestDeclined(by="eve", request=1, text=text),
    )
    lines = [describe_event(each) for each in events]
    lines += [describe_change(each) for each in (change, BackOut(award=1, text=text))]
    lines.append(explain_change(made, EntryShare(0, 0, 0, ()), "adjustment", 5))
    for line in lines:
        assert line.isprintable()
        assert r"promotion\npaid by ann" in line
