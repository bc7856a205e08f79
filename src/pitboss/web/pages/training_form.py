"""The form of a drill at a house's own table."""

from collections.abc import Mapping
from typing import Any

from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.core.errors import UnknownNameError, quote
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.paytables import find_progressive_table, select_paytables
from pitboss.table.session import TableTerms
from pitboss.table.training.drills import USUAL_STANDARD, DrillRequest, KeySystem, PlantingRate, Standard
from pitboss.table.training.exams import MAX_EXAM_NAME, MAX_ROUNDS, USUAL_ROUNDS, ExamRequest
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.questions import DisputeRate
from pitboss.table.training.rare_events import iter_rare_events
from pitboss.table.training.rounds import deal_training_round, open_training_round
from pitboss.web.pages.setup_form import (
    FieldError,
    complete_fields,
    field_errors,
    make_house_fields,
    parse_checkbox,
    parse_house_terms,
    parse_whole,
)

_CENTS_PER_DOLLAR = 100
_MAX_MISPAID_DOLLARS = 1_000_000

PLANTING_RATES = {"": "As they come", "some": "In some rounds", "every": "In every round"}
"""How often rare hands are planted, in words."""

DISPUTE_RATES = {"": "The round", "also": "The round, with disputes", "only": "Disputes alone"}
"""What is asked, in words."""


def make_training_fields(game: Game) -> dict[str, str]:
    """Return the default of every field of a drill's form."""
    return {
        "seats": "3",
        "keys": "keypad",
        "unshown": "",
        "rare": "",
        "wanted": "",
        "disputes": "",
        **make_standard_fields(USUAL_ROUNDS, USUAL_STANDARD),
        "group": "",
        "name": "",
        "exam": "",
        "start": "",
        "change": "",
        "own": "",
        "assign": "",
        **make_house_fields(game),
    }


def parse_training_form(game: Game, sent: Mapping[str, str]) -> DrillRequest | ExamRequest:
    """Parse a form into what a drill or an exam is to be.

    Raises:
        FieldError: a field is not valid.
    """
    fields = complete_fields(make_training_fields(game), sent)
    terms = parse_house_terms(game, fields)
    unshown = parse_checkbox(fields, "unshown", "Unshown hands")
    wanted = fields["wanted"]
    opened = open_training_round(terms)
    with field_errors("least-main"):  # whether any stakes fit these limits
        deal_training_round(opened, seeded_bits(0))
    events = {each.id: each for each in iter_rare_events(opened)}
    if wanted and wanted not in events:
        unknown = UnknownNameError("rare event", wanted, events)
        raise FieldError("wanted", f"{unknown} at this table", code=unknown.code, **unknown.fields)
    disputes = _parse_disputes(fields)
    rounds, standard = parse_standard(fields, disputes=disputes)
    asked = DrillRequest(
        terms=terms,
        keys=_parse_keys(fields),
        unshown="may" if unshown else "",
        rare=_parse_rate(fields),
        wanted=wanted if fields["rare"] else "",
        disputes=disputes,
        standard=standard,
    )
    if not parse_checkbox(fields, "exam", "Exam"):
        return asked
    name = parse_name(fields, "name", "Name on the certificate", MAX_EXAM_NAME)
    return ExamRequest(name=name, rounds=rounds, asked=asked, set_by=fields["group"])


def make_standard_fields(rounds: int, standard: Standard) -> dict[str, str]:
    """Return the fields of a standard."""
    cents = standard.mispaid_cents
    return {
        "pace": str(standard.rounds_per_hour),
        "errors": str(standard.errors),
        "mispaid": "" if cents is None else str(cents // _CENTS_PER_DOLLAR),
        "rounds": str(rounds),
    }


def parse_standard(fields: Mapping[str, str], *, disputes: DisputeRate = "") -> tuple[int, Standard]:
    """Parse the rounds of an exam, and the standard to pass.

    No dollars are paid in disputes alone, so their limit is left out there.

    Raises:
        FieldError: a field is not valid.
    """
    text = "" if disputes == "only" else fields["mispaid"]
    dollars = parse_whole(fields, "mispaid", "Dollars mispaid", 0, _MAX_MISPAID_DOLLARS) if text else None
    standard = Standard(
        rounds_per_hour=parse_whole(fields, "pace", "Rounds an hour", 1, 500),
        errors=parse_whole(fields, "errors", "Errors", 0, 100),
        mispaid_cents=None if dollars is None else dollars * _CENTS_PER_DOLLAR,
    )
    return parse_whole(fields, "rounds", "Rounds of the exam", 1, MAX_ROUNDS), standard


def parse_name(fields: Mapping[str, str], field: str, name: str, most: int) -> str:
    """Parse a name, which is shown as it is (raises FieldError)."""
    text = fields[field]
    if not text or len(text) > most or not text.isprintable():
        line = f"{name}: {quote(text) + ' is not possible: ' if text else ''}write 1 to {most} letters"
        raise FieldError(field, line, code="invalid-name", name=name)
    return text


def _parse_keys(fields: Mapping[str, str]) -> KeySystem:
    match fields["keys"]:
        case "keypad" | "display" as keys:
            return keys
    line = f"Keys of the progressive: {quote(fields['keys'])} is not valid: reload the page"
    raise FieldError("keys", line, code="invalid-field")


def _parse_rate(fields: Mapping[str, str]) -> PlantingRate:
    match fields["rare"]:
        case "" | "some" | "every" as rate:
            return rate
    raise FieldError("rare", f"Rare hands: {quote(fields['rare'])} is not valid: reload the page", code="invalid-field")


def _parse_disputes(fields: Mapping[str, str]) -> DisputeRate:
    match fields["disputes"]:
        case "" | "also" | "only" as rate:
            return rate
    line = f"What is asked: {quote(fields['disputes'])} is not valid: reload the page"
    raise FieldError("disputes", line, code="invalid-field")


def describe_training_fields(game: Game) -> dict[str, Any]:
    """Return what the fields of a drill show besides those of the house rules."""
    full_table = open_training_round(TableTerms(game=game.id, seats=game.seats))
    return {
        "keys": STEP_LABELS,
        "rates": PLANTING_RATES,
        "dispute_rates": DISPUTE_RATES,
        "rare_events": [(each.id, each.name) for each in iter_rare_events(full_table)],
        "has_progressive": find_progressive_table(select_paytables(game)) is not None,
        "hides_hands": bool(load_procedure(game).unshown),
    }
