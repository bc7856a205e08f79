"""The form of a drill at a house's own table."""

from collections.abc import Mapping
from typing import Any

from pitboss.contract import Game
from pitboss.core.errors import quote
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.paytables import find_progressive_table, select_paytables
from pitboss.table.training.records import DrillRequest, KeySystem
from pitboss.table.training.rounds import load_procedure
from pitboss.web.pages.setup_form import (
    FieldError,
    complete_fields,
    make_house_fields,
    parse_checkbox,
    parse_house_terms,
)


def make_training_fields(game: Game) -> dict[str, str]:
    """Return the default of every field of a drill's form."""
    return {"seats": "3", "keys": "keypad", "unshown": "", **make_house_fields(game)}


def parse_training_form(game: Game, sent: Mapping[str, str]) -> DrillRequest:
    """Parse a form into what a drill is to be.

    Raises:
        FieldError: a field is not valid.
    """
    fields = complete_fields(make_training_fields(game), sent)
    terms = parse_house_terms(game, fields)
    unshown = parse_checkbox(fields, "unshown", "Unshown hands")
    return DrillRequest(terms=terms, keys=_parse_keys(fields), unshown="may" if unshown else "")


def _parse_keys(fields: Mapping[str, str]) -> KeySystem:
    match fields["keys"]:
        case "keypad" | "display" as keys:
            return keys
    line = f"Keys of the progressive: {quote(fields['keys'])} is not valid: reload the page"
    raise FieldError("keys", line, code="invalid-field")


def describe_training_fields(game: Game) -> dict[str, Any]:
    """Return what the fields of a drill show besides those of the house rules."""
    return {
        "keys": STEP_LABELS,
        "has_progressive": find_progressive_table(select_paytables(game)) is not None,
        "hides_hands": bool(load_procedure(game).unshown),
    }
