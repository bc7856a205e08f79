"""Checked documents from users: strict frozen models and the TOML reader.

Errors are one line.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.files import read_text
from pitboss.core.numbers import is_integer


class StrictModel(BaseModel):
    """A table of a document, with strict types and no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def read_toml(path: Path, error_type: type[PitbossError]) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        PitbossError: of the type ``error_type``: the file cannot be read, or is not valid TOML.
    """
    return parse_toml(read_text(path, error_type), path, error_type)


def parse_toml(text: str, source: Path | str, error_type: type[PitbossError]) -> dict[str, Any]:
    """Parse a TOML text; ``source`` names it in errors.

    Raises:
        PitbossError: of the type ``error_type``: the text is not valid TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # invalid TOML, too many digits, or too deep nesting
        raise error_type(f"{source} is not valid TOML: {error}", code="invalid-document", path=source) from None


# What is wrong and what would be right, by pydantic's error type; {input} is the value given.
_MESSAGES = {
    "missing": " is missing",
    "extra_forbidden": " is not known here: remove it or correct its name",
    "bool_type": ": {input!r} is neither true nor false",
    "dict_type": ": {input!r} is not a table",
    "model_type": ": {input!r} is not a table",
    "int_type": ": {input!r} is not a whole number",
    "int_parsing": ": {input!r} is not a whole number: write it in digits, for example 1000",
    "int_from_float": ": {input!r} is not a whole number",
    "int_parsing_size": " has too many digits: write a smaller number",
    "float_parsing": ": {input!r} is not a number: write it in digits, for example 0.5",
    "bool_parsing": ": {input!r} is neither true nor false",
    "literal_error": ": {input!r} is not allowed: choose {expected}",
    "enum": ": {input!r} is not allowed: choose {expected}",
    "list_type": ": {input!r} is not a list",
    "tuple_type": ": {input!r} is not a list",
    "string_type": ": {input!r} is not a text: put it in quotes",
    "string_pattern_mismatch": ": {input!r} has the wrong format: write {form}",
    "string_too_short": ": {input!r} is too short: write at least {min_length} characters",
    "string_too_long": " is too long: write at most {max_length} characters",
    "too_short": " is too short: give at least {min_length}",
    "too_long": " is too long: give at most {max_length}",
    "greater_than_equal": ": {input} is too small: write at least {ge}",
    "less_than_equal": ": {input} is too large: write at most {le}",
}


_MAX_SHOWN = 100

ID_FORM = "letters, digits and hyphens, beginning with one of the first two"
"""The form of an id in a document."""

_FORMS: dict[str, str] = {}
"""The form of a text that has to match a pattern, by the pattern."""


def describe_pattern(pattern: str, form: str) -> str:
    """Return a field's pattern; an error of it will say to write ``form``."""
    _FORMS[pattern] = form
    return pattern


def first_error(error: ValidationError) -> str:
    """Return a line that says where the first error is, and what it is.

    List items are counted from 1.
    """
    return format_error(error.errors()[0])


def format_error(error: Mapping[str, Any]) -> str:
    """Return a line that says where one of pydantic's errors is and what it is."""
    where = " ".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    if error["type"] == "int_type" and isinstance(error["input"], str) and is_integer(error["input"]):
        return f"{where}: {error['input'][:_MAX_SHOWN]!r} is text: write {error['input'][:_MAX_SHOWN]} without quotes"
    if error["type"] in _MESSAGES:
        values, given = error.get("ctx", {}), error["input"]
        shown = given if len(str(given)) <= _MAX_SHOWN else f"{str(given)[:_MAX_SHOWN]}..."
        form = _FORMS.get(values.get("pattern", ""), "another text")
        return where + _MESSAGES[error["type"]].format(input=shown, form=form, **values)
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
