"""Solutions that come with a game, and the check whether they fit a problem.

``solution.json`` in the solver's folder has the shards of the best play for the default options and pay tables,
``strategies.json`` those of the written strategies.  They are valid only for the rules that they were solved with:
they contain a hash of the syntax of these rules, which comments do not change.  ``python -m pitboss.bundle GAME``
rebuilds the files, and with ``--check`` compares them.
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
    """Return the contents of a file; if it does not exist, terms that fit no problem."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"terms": None}
    return content


def _format_shards(shards: Mapping[str, str]) -> str:
    """Return shards as a JSON object, one on each line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {shard}" for name, shard in shards.items()) + "\n}"


@dataclass(frozen=True, slots=True)
class BundledSolution:
    """The bundled files of a game.

    ``folder`` is the folder of the solver; ``rule_files`` are the game's sources that a solution depends on.

    It also depends on the order of hands, on the options ``option_names``, and on the nets of the outcomes.  Outcomes
    before ``first_net`` do not depend on the play, so no shard depends on their nets.
    """

    folder: Path
    rule_files: tuple[str, ...]
    option_names: tuple[str, ...]
    first_net: int = 0

    @property
    def best_play_path(self) -> Path:
        """The path of the file with the best play."""
        return self.folder / "solution.json"

    @property
    def strategies_path(self) -> Path:
        """The path of the file with the written strategies."""
        return self.folder / "strategies.json"

    def compute_rules_hash(self) -> str:
        """Return a hash of the rules of the game and of the order of hands.

        It is 16 hexadecimal digits.
        """
        game, hands = self.folder.parent, Path(__file__).parent / "hands"
        return _hash_files((*(game / name for name in self.rule_files), *(hands / name for name in _HAND_FILES)))

    def build_terms(self, problem: SolverProblem) -> dict[str, Any]:
        """Return what a shard depends on: rules, some options, and nets of outcomes."""
        options = {name: getattr(problem.options, name) for name in self.option_names}
        return {"rules": self.compute_rules_hash(), "options": options, "nets": list(problem.nets[self.first_net :])}

    def build_strategy_terms(self, strategy: Strategy) -> dict[str, Any]:
        """Return what a shard of a strategy depends on as well.

        This is its rule, the source of the rule, and its numbers.
        """
        source = hash_file_syntax(self.folder.parent / "strategies.py")
        rule = f"{strategy.choose.__module__}.{strategy.choose.__qualname__}"
        return {"rule": rule, "source": source, "numbers": list(map(int, strategy.numbers))}

    def load_best_play(self) -> dict[str, Any]:
        """Return the contents of the best-play file.

        They are ``terms`` and, by name, ``pieces`` (the shards).
        """
        return _read_file(self.best_play_path)

    def load_strategies(self) -> dict[str, Any]:
        """Return the contents of the strategies file.

        They are ``terms`` and, by id, ``strategies`` with their shards.
        """
        return _read_file(self.strategies_path)

    def find_shard(self, problem: SolverProblem, name: str) -> dict[str, Any] | None:
        """Return a bundled shard, None if it was not solved for this problem.

        No shards are bundled for problems with side wagers.
        """
        strategy = problem.strategy
        content = self.load_best_play() if strategy is None else self.load_strategies()
        if problem.side_nets or content["terms"] != self.build_terms(problem):
            return None
        if strategy is not None:
            content = content["strategies"].get(strategy.id, {"terms": None})
            if content["terms"] != self.build_strategy_terms(strategy):
                return None
        shard: dict[str, Any] = content["pieces"][name]
        return shard

    def format_best_play(self, made_by: str, problem: SolverProblem, shards: Mapping[str, str]) -> str:
        """Return the text of the best-play file, with each shard as JSON by its name."""
        head = json.dumps({"made_by": made_by, "terms": self.build_terms(problem)})
        return f'{head[:-1]}, "pieces": {_format_shards(shards)}}}\n'

    def format_strategies(
        self, made_by: str, problem: SolverProblem, shards: Mapping[Strategy, Mapping[str, str]]
    ) -> str:
        """Return the text of the strategies file, each strategy with its shards."""
        head, texts = json.dumps({"made_by": made_by, "terms": self.build_terms(problem)}), dict[str, str]()
        for strategy, strategy_shards in shards.items():
            terms = json.dumps(self.build_strategy_terms(strategy))
            texts[strategy.id] = f'{{"terms": {terms}, "pieces": {_format_shards(strategy_shards)}}}'
        return f'{head[:-1]}, "strategies": {_format_shards(texts)}}}\n'
