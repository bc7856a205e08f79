"""The form of a file of pay tables: what it must have, and what is wrong with it."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from pitboss.contract import PayUnit
from pitboss.core.errors import PayTableError, quote
from pitboss.core.money import MAX_CENTS
from pitboss.core.strict_model import ID_FORM, StrictModel, describe_pattern, first_error, format_error

MAX_PAY = 1_000_000
"""The most that any line may pay, in the table's unit."""

_PAY_PATTERN = re.compile(r"([0-9]{1,40})(?::([1-9][0-9]{0,39}))?")


def parse_amount(value: object) -> Fraction:
    """Parse 9, "9" or "3:2" as a pay; reject anything else, and pays below zero."""
    readable = isinstance(value, int | str) and not isinstance(value, bool)
    match = _PAY_PATTERN.fullmatch(str(value)) if readable else None
    if match is None:
        raise ValueError(f"{quote(value)} is not a pay: write a whole number up to {MAX_PAY:,}, or a ratio like '3:2'")
    return Fraction(int(match[1]), int(match[2] or 1))


def _parse_unit(value: object) -> PayUnit:
    """Parse the name of a unit."""
    if not isinstance(value, str) or value not in {unit.value for unit in PayUnit}:
        raise ValueError(f"{quote(value)} is not a unit: write {', '.join(PayUnit)}")
    return PayUnit(value)


class _LineModel(StrictModel):
    pay: Annotated[Fraction, BeforeValidator(parse_amount)]
    unit: Annotated[PayUnit | None, BeforeValidator(_parse_unit)] = None
    sheet: str = ""
    ruling: str = ""


class _MeterPresetsModel(StrictModel):
    seed_cents: int = Field(ge=0, le=MAX_CENTS)
    meter_bps: int = Field(ge=0, le=10_000)
    reserve_bps: int = Field(ge=0, le=10_000)
    source: str


class PayTableModel(StrictModel):
    """A pay table of a file, before it is checked against its game."""

    id: str = Field(pattern=describe_pattern(r"^[A-Za-z0-9][A-Za-z0-9._-]*$", ID_FORM))
    bet: str
    table: str = ""
    unit: Annotated[PayUnit, BeforeValidator(_parse_unit)]
    source: str = ""
    default: bool = False
    claim: str = ""
    lines: dict[
        str, Annotated[_LineModel, BeforeValidator(lambda line: line if isinstance(line, dict) else {"pay": line})]
    ]
    envy: dict[str, Annotated[int, Field(ge=0, le=MAX_PAY)]] = Field(default_factory=dict)
    progressive: _MeterPresetsModel | None = None


class _PayTableFile(StrictModel):
    paytable: list[PayTableModel] = Field(min_length=1)


def parse_document(document: Mapping[str, object], source: str) -> Sequence[PayTableModel]:
    """Parse the tables of a document (raises PayTableError with its ``source``)."""
    if "paytable" not in document:
        raise PayTableError(
            f"{source} has no [[paytable]]: it is not a file of pay tables", code="invalid-document", source=source
        )
    try:
        return _PayTableFile.model_validate(document).paytable
    except ValidationError as error:
        raise PayTableError(
            f"{source}: {_describe_first_error(error, document)}", code="invalid-document", source=source
        ) from None


def _describe_first_error(error: ValidationError, document: Mapping[str, Any]) -> str:
    """Return the first error, with its pay table by id and its line by name."""
    match error.errors()[0]["loc"]:
        case ("paytable", int(index), *rest):
            table = document["paytable"][index]
            table_id = table.get("id") if isinstance(table, dict) else None
            if not isinstance(table_id, str):
                return first_error(error)
            is_pay = rest[:1] == ["lines"] and rest[2:] in ([], ["pay"])
            where = [f"line {rest[1]}"] if is_pay and len(rest) > 1 else rest
            return f"pay table {table_id}, {format_error({**error.errors()[0], 'loc': tuple(where)})}"
    return first_error(error)
