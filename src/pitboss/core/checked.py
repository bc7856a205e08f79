"""What a person has written in TOML, read and checked: frozen models without unknown keys, faults told in a line."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.files import text_of


class Checked(BaseModel):
    """A table of a document: strict types, no other keys than its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def toml_of(path: Path, refusal: type[PitbossError]) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        PitbossError: of the type ``refusal``: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(text_of(path, refusal))
    except (ValueError, RecursionError) as error:  # tomllib's own, a number of too many digits, too deep a nesting
        raise refusal(f"{path} is no TOML: {error}") from None


# What is wrong and what would be right, by pydantic's type of fault; {input} is what was written.
_FAULTS = {
    "missing": " is missing",
    "extra_forbidden": " is not known here: take it out, or mend its name",
    "bool_type": ": {input!r} is neither true nor false",
    "dict_type": ": {input!r} is no table",
    "model_type": ": {input!r} is no table",
    "int_type": ": {input!r} is no whole number",
    "int_parsing": ": {input!r} is no whole number: write it in digits, as 1000",
    "int_from_float": ": {input!r} is no whole number",
    "int_parsing_size": " has too many digits: write a smaller number",
    "float_parsing": ": {input!r} is no number: write it in digits, as 0.5",
    "bool_parsing": ": {input!r} is neither true nor false",
    "literal_error": ": {input!r} is not possible: it is {expected}",
    "enum": ": {input!r} is not possible: it is {expected}",
    "list_type": ": {input!r} is no list",
    "tuple_type": ": {input!r} is no list",
    "string_type": ": {input!r} is no text: put it in quotes",
    "string_pattern_mismatch": ": {input!r} does not fit: write {form}",
    "string_too_short": ": {input!r} is too short: write {min_length} characters at least",
    "string_too_long": " is too long: write {max_length} characters at most",
    "too_short": " is too short: give {min_length} at least",
    "too_long": " is too long: give {max_length} at most",
    "greater_than_equal": ": {input} is too small: {ge} at least",
    "less_than_equal": ": {input} is too large: {le} at most",
}


_SHOWN = 100

# What a text that has to match a pattern looks like, by the field it stands in.
_NAME = "letters, digits and hyphens, beginning with one of the first two"
_DIGEST = "the 64 hexadecimal digits of SHA-256"
_FORMS = {
    "cards": "each card as As or Td, with spaces between",
    "code": "the six digits",
    "hand": "it as the pay table has it, as straight-flush",
    "name": "letters, digits, dots and hyphens, as ann.lee",
    "text": "one line, without control characters",
    "id": _NAME,
    "rule": "the function's name, as fold_below_pair",
    "felt": "a colour as #0b5d3b",
    "hash": _DIGEST,
    "seed_hash": _DIGEST,
    "commitment": _DIGEST,
    "secret": _DIGEST,
}


def first_fault(error: ValidationError) -> str:
    """Say where the first fault lies, the tables of a list counted from 1, and what it is."""
    return fault_line(error.errors()[0])


def _shortened(written: Any) -> Any:
    """Return what was written, cut where it is longer than a line is read."""
    return written if len(str(written)) <= _SHOWN else f"{str(written)[:_SHOWN]}..."


def fault_line(fault: Mapping[str, Any]) -> str:
    """Say where one of pydantic's faults lies and what it is."""
    where = " ".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    if fault["type"] in _FAULTS:
        told = {
            **fault.get("ctx", {}),
            "form": _FORMS.get(str(fault["loc"][-1]) if fault["loc"] else "", "it otherwise"),
        }
        return where + _FAULTS[fault["type"]].format(input=_shortened(fault["input"]), **told)
    message = fault["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
