"""Read optional TOML files of a game's folder."""

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.core.strict_model import StrictModel, first_error, read_toml

Model = TypeVar("Model", bound=StrictModel)


def load_optional_toml(game: Game, name: str, model: type[Model]) -> Model | None:
    """Load a TOML file of a game's folder; return None if there is none.

    Raises:
        PitbossError: the file is not valid.
    """
    path: Path = game.folder / name
    if not path.is_file():
        return None
    document = read_toml(path, PitbossError)
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise PitbossError(f"{path}: {first_error(error)}", code="invalid-document", path=path) from None
