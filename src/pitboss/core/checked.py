"""What a person has written in TOML, read and checked: frozen models without unknown keys, faults told in a line."""

import tomllib
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
    except tomllib.TOMLDecodeError as error:
        raise refusal(f"{path} is no TOML: {error}") from None


def first_fault(error: ValidationError) -> str:
    """Say where the first fault lies, the tables of a list counted from 1, and what it is."""
    fault = error.errors()[0]
    where = " ".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}"
