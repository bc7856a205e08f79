"""The folders of games that lie outside this package."""

import os
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

VARIABLE = "PITBOSS_GAMES"
"""The environment variable that names folders of games, separated as in ``PATH``."""

ENTRY_POINTS = "pitboss.games"
"""The group of entry points that name installed packages with games."""


class GameFolder(NamedTuple):
    """A folder whose subfolders are games, and who names it."""

    path: Path
    named_by: str


def list_game_folders() -> tuple[GameFolder, ...]:
    """Return the folders of games outside this package, in the order of search.

    A folder need not exist.  An installed package is found without being imported.
    """
    named = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    return (*(GameFolder(Path(folder).absolute(), VARIABLE) for folder in named), *_list_installed_folders())


@cache
def _list_installed_folders() -> tuple[GameFolder, ...]:
    found: list[GameFolder] = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        named_by = f"the entry point {point.name} of {point.dist.name if point.dist else 'a package'}"
        try:
            spec = find_spec(point.value)
        except (ImportError, ValueError):  # the parent of the package is missing, or broken
            spec = None
        folders = list(spec.submodule_search_locations or ()) if spec else []
        found += (GameFolder(Path(folder), named_by) for folder in folders or [point.value])
    return tuple(found)
