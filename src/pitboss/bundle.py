"""Rebuild or check the solutions that come with the package.

Run it as ``python -m pitboss.bundle lunar --check``.  Each bundled file is solved again from the rules and written.
With ``--check`` it is only compared with the file in the package, shard by shard.  A game takes all cores for minutes
to half an hour: docs/developers.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from pitboss.analysis.simulated_strategy_cost import rebuild_mistakes
from pitboss.analysis.solutions import build_problem
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.core.files import write_file
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.pay_limits import change_pays
from pitboss.paytables import select_paytables
from pitboss.solver_api import get_solver_module
from pitboss.tasks import Executor


def find_bundled_games() -> dict[str, Game]:
    """Return the games with bundled solutions, by id.

    >>> list(find_bundled_games())
    ['lunar', 'shifting-wilds']
    """
    return {name: game for name, game in load_games().items() if game.solver and _get_rebuild_path(game).is_file()}


def _get_rebuild_path(game: Game) -> Path:
    return Path(game.folder, game.solver, "rebuild.py")


def rebuild_files(
    game: Game, made_by: str, executor: Executor, progress: ProgressCallback
) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file of a game and its text, solved and simulated again."""
    tables, options, solver = select_paytables(game), resolve_options(game, {}), get_solver_module(game)
    problem = build_problem(game, tables, options).problem
    others = [
        (changes, build_problem(game, change_pays(tables, changes), options).problem)
        for changes in import_module(f"{solver}.bundled").SOLVED_PAYS
    ]
    yield from import_module(f"{solver}.rebuild").rebuild(problem, others, made_by, executor, progress)
    mistakes = rebuild_mistakes(game, made_by, progress)
    if mistakes:
        yield mistakes


def find_differences(bundled: Any, rebuilt: Any, key_path: str = "") -> Iterator[str]:
    """Yield the paths of the deepest keys at which two JSON documents differ.

    >>> list(find_differences({"pieces": {"A": [1, 2], "K": [3]}}, {"pieces": {"A": [1, 2], "K": [4]}}))
    ['pieces.K.0']
    """
    if isinstance(bundled, dict) and isinstance(rebuilt, dict) and bundled.keys() == rebuilt.keys():
        for key in bundled:
            yield from find_differences(bundled[key], rebuilt[key], f"{key_path}.{key}".lstrip("."))
    elif isinstance(bundled, list) and isinstance(rebuilt, list) and len(bundled) == len(rebuilt):
        for index, pair in enumerate(zip(bundled, rebuilt, strict=True)):
            yield from find_differences(*pair, f"{key_path}.{index}")
    elif bundled != rebuilt:
        yield key_path


def check_files(game: Game, executor: Executor, progress: ProgressCallback) -> Iterator[tuple[Path, list[str]]]:
    """Yield each bundled file of a game and how it differs from the rebuilt one.

    The differences are keys at which the two have different values.
    """
    for path, text in rebuild_files(game, "", executor, progress):
        bundled, rebuilt = json.loads(path.read_text(encoding="utf-8")), json.loads(text)
        yield path, list(find_differences({**bundled, "made_by": ""}, rebuilt))


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild or check the bundled files of a game; return the exit status.

    The status is 1 if a file differs.
    """
    parser = argparse.ArgumentParser(prog="python -m pitboss.bundle", description="Rebuild or check bundled solutions.")
    parser.add_argument("game", choices=list(find_bundled_games()))
    parser.add_argument("--check", action="store_true", help="compare with the files of the package and write nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="number of processes")
    options = parser.parse_args(arguments)
    game, executor = load_game(options.game), Executor(options.workers)
    if options.check:
        status = 0
        for path, keys in check_files(game, executor, _print_progress):
            status |= bool(keys)
            sys.stdout.write(f"{path.name}: {'differs at ' + ', '.join(keys[:5]) if keys else 'is up to date'}\n")
        return status
    for path, text in rebuild_files(game, f"python -m pitboss.bundle {game.id}", executor, _print_progress):
        write_file(path, text.encode(), PitbossError)
        sys.stdout.write(f"{path.name}: written\n")
    return 0


def _print_progress(done: int, total: int) -> None:
    sys.stderr.write(f"\r{done} of {total} ")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
