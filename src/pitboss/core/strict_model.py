"""What a person has written in TOML, read and checked: frozen models without unknown keys, faults told in a line."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.files import read_text


class StrictModel(BaseModel):
    """A table of a document: strict types, no other keys than its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def read_toml(path: Path, error_type: type[PitbossError]) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        PitbossError: of the type ``error_type``: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(read_text(path, error_type))
    except (ValueError, RecursionError) as error:  # tomllib's own, a number of too many digits, too deep a nesting
        raise error_type(f"{path} is no TOML: {error}") from None


# What is wrong and what would be right, by pydantic's type of fault; {input} is what was written.
_MESSAGES = {
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


_MAX_SHOWN = 100

# What a text that has to match a pattern looks like, by the field it stands in.
_ID_FORM = "letters, digits and hyphens, beginning with one of the first two"
_DIGEST_FORM = "the 64 hexadecimal digits of SHA-256"
_FORMS = {
    "cards": "each card as As or Td, with spaces between",
    "code": "the six digits",
    "hand": "it as the pay table has it, as straight-flush",
    "name": "letters, digits, dots and hyphens, as ann.lee",
    "text": "one line, without control characters",
    "id": _ID_FORM,
    "rule": "the function's name, as fold_below_pair",
    "felt": "a colour as #0b5d3b",
    "hash": _DIGEST_FORM,
    "seed_hash": _DIGEST_FORM,
    "commitment": _DIGEST_FORM,
    "secret": _DIGEST_FORM,
}


def first_error(error: ValidationError) -> str:
    """Say where the first fault lies, the tables of a list counted from 1, and what it is."""
    return format_error(error.errors()[0])


def _shorten(value: Any) -> Any:
    """Return what was written, cut where it is longer than a line is read."""
    return value if len(str(value)) <= _MAX_SHOWN else f"{str(value)[:_MAX_SHOWN]}..."


def format_error(error: Mapping[str, Any]) -> str:
    """Say where one of pydantic's faults lies and what it is."""
    where = " ".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    if error["type"] in _MESSAGES:
        told = {
            **error.get("ctx", {}),
            "form": _FORMS.get(str(error["loc"][-1]) if error["loc"] else "", "it otherwise"),
        }
        return where + _MESSAGES[error["type"]].format(input=_shorten(error["input"]), **told)
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
