"""Solutions that come with a game, and when they may stand in for solving again.

``solution.json`` in the solver's folder has the pieces of the best play for the default options and pay tables,
``strategies.json`` those of the written strategies.  They hold for the rules they were solved with and for no others:
a hash of their syntax is in them, so an edited comment voids nothing.  ``python -m pitboss.bundle
GAME`` makes them again, and with ``--check`` compares.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitboss.core.source_hash import hash_file_syntax
from pitboss.solver_api import SolverProblem, Strategy

_HAND_FILES = ("evaluator.py", "order.py", "tables.py")


@cache
def _hash_files(paths: tuple[Path, ...]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(f"{path.name} {hash_file_syntax(path)}\n".encode())
    return digest.hexdigest()[:16]


@cache
def _read_file(path: Path) -> dict[str, Any]:
    """Return what a file has; where there is none, terms that no problem has."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"terms": None}
    return kept


def _format_shards(shards: Mapping[str, str]) -> str:
    """Return the pieces as text, one a line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {piece}" for name, piece in shards.items()) + "\n}"


@dataclass(frozen=True, slots=True)
class BundledSolution:
    """The bundled files of a game.

    ``folder`` is its solver's, ``rule_files`` are the game's sources that a solution depends on.

    Beside those it depends on how hands are ordered, on the options ``option_names`` it, and on what outcomes net;
    those before ``first_net`` come about whatever is played, and no piece depends on what they net.
    """

    folder: Path
    rule_files: tuple[str, ...]
    option_names: tuple[str, ...]
    first_net: int = 0

    @property
    def best_play_path(self) -> Path:
        """The file of the best play."""
        return self.folder / "solution.json"

    @property
    def strategies_path(self) -> Path:
        """The file of the written strategies."""
        return self.folder / "strategies.json"

    def compute_rules_hash(self) -> str:
        """Return 16 hexadecimal digits that change with the rules of the game and with the order of hands."""
        game, hands = self.folder.parent, Path(__file__).parent / "hands"
        return _hash_files((*(game / name for name in self.rule_files), *(hands / name for name in _HAND_FILES)))

    def build_terms(self, problem: SolverProblem) -> dict[str, Any]:
        """Return all that a piece depends on: the rules, the options that touch it, what outcomes net."""
        touching = {name: getattr(problem.options, name) for name in self.option_names}
        return {"rules": self.compute_rules_hash(), "options": touching, "nets": list(problem.nets[self.first_net :])}

    def build_strategy_terms(self, strategy: Strategy) -> dict[str, Any]:
        """Return what more a piece of a strategy depends on: its rule, the source that has it, and its numbers."""
        source = hash_file_syntax(self.folder.parent / "strategies.py")
        rule = f"{strategy.choose.__module__}.{strategy.choose.__qualname__}"
        return {"rule": rule, "source": source, "numbers": list(map(int, strategy.numbers))}

    def load_best_play(self) -> dict[str, Any]:
        """Return the contents of the best play's file: ``terms`` and, by name, ``pieces``."""
        return _read_file(self.best_play_path)

    def load_strategies(self) -> dict[str, Any]:
        """Return the contents of the strategies' file: ``terms`` and, by id, ``strategies`` with their pieces."""
        return _read_file(self.strategies_path)

    def find_shard(self, problem: SolverProblem, name: str) -> dict[str, Any] | None:
        """Return a piece of a file if it was solved under the terms of the problem, which stakes nothing beside."""
        kept, strategy = self.load_best_play() if problem.strategy is None else self.load_strategies(), problem.strategy
        if problem.side_nets or kept["terms"] != self.build_terms(problem):
            return None
        if strategy is not None:
            kept = kept["strategies"].get(strategy.id, {"terms": None})
            if kept["terms"] != self.build_strategy_terms(strategy):
                return None
        found: dict[str, Any] = kept["pieces"][name]
        return found

    def format_best_play(self, made_by: str, problem: SolverProblem, shards: Mapping[str, str]) -> str:
        """Return the text of the file of the best play: by name, each piece as JSON."""
        head = json.dumps({"made_by": made_by, "terms": self.build_terms(problem)})
        return f'{head[:-1]}, "pieces": {_format_shards(shards)}}}\n'

    def format_strategies(
        self, made_by: str, problem: SolverProblem, shards: Mapping[Strategy, Mapping[str, str]]
    ) -> str:
        """Return the text of the file of strategies, each with its pieces."""
        head, each = json.dumps({"made_by": made_by, "terms": self.build_terms(problem)}), dict[str, str]()
        for strategy, pieces in shards.items():
            own = json.dumps(self.build_strategy_terms(strategy))
            each[strategy.id] = f'{{"terms": {own}, "pieces": {_format_shards(pieces)}}}'
        return f'{head[:-1]}, "strategies": {_format_shards(each)}}}\n'
