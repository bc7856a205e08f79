"""How much the best play's value can change with each pay of main.

``pay_limits.json`` in the solver's folder is counted once for the default options.  It has, for each line of main's pay
tables, the least and the most that any play is paid by it in a round, in Antes for a pay of one, and the best plays
under some other pays.  ``analysis.play_bounds`` bounds the best play under any pays by them, at once and without the
solver.  ``python -m pitboss.bundle GAME`` rebuilds the file.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from pitboss.bundled import BundledSolution
from pitboss.contract import Game, PayTable
from pitboss.solver_api import Solution, SolverProblem, parse_solution

FILE_NAME = "pay_limits.json"

PaysByLine = Mapping[tuple[str, str], Fraction]
"""A number for each line of main's pay tables, by the kind of the table and the line."""

OtherPays = Sequence[tuple[PaysByLine, SolverProblem]]
"""Changes of the default pays, and the problem of the best play under them."""


@dataclass(frozen=True, slots=True)
class SolvedPays:
    """The best play under the default pay tables with some pays changed."""

    changes: PaysByLine
    solution: Solution


@dataclass(frozen=True, slots=True)
class PayLimits:
    """The least and the most that a line pays any play, and other best plays."""

    least: PaysByLine
    most: PaysByLine
    solved: tuple[SolvedPays, ...] = ()


def load_pay_limits(game: Game, options: Mapping[str, str]) -> PayLimits | None:
    """Return the pay limits that come with a game.

    Return None if it has none for these options, or if its rules have changed since.
    """
    return _load(game.folder / game.solver / FILE_NAME, tuple(sorted(options.items()))) if game.solver else None


@cache
def _load(path: Path, options: tuple[tuple[str, str], ...]) -> PayLimits | None:
    if not path.is_file():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    bundled = _describe_bundle(path, content["rule_files"], content["options"])
    chosen = dict(options)
    if content["rules"] != bundled.compute_rules_hash() or any(
        chosen[name] != value for name, value in content["options"].items()
    ):
        return None
    solved = tuple(SolvedPays(_parse(each["pays"]), parse_solution(each["solution"])) for each in content["solved"])
    return PayLimits(_parse(content["least"]), _parse(content["most"]), solved)


def _describe_bundle(path: Path, rule_files: list[str], options: Mapping[str, str]) -> BundledSolution:
    return BundledSolution(path.parent, tuple(rule_files), tuple(options))


def _parse(lines_by_kind: Mapping[str, Mapping[str, str]]) -> PaysByLine:
    return {(kind, line): Fraction(number) for kind, lines in lines_by_kind.items() for line, number in lines.items()}


def format_pay_limits(
    bundled: BundledSolution, options: Mapping[str, str], limits: PayLimits, made_by: str
) -> tuple[Path, str]:
    """Return the path and the text of the file of pay limits."""
    head: dict[str, Any] = {
        "made_by": made_by,
        "rule_files": bundled.rule_files,
        "rules": bundled.compute_rules_hash(),
        "options": {name: options[name] for name in bundled.option_names},
        "least": _nest(limits.least),
        "most": _nest(limits.most),
    }
    solved = [{"pays": _nest(each.changes), "solution": asdict(each.solution)} for each in limits.solved]
    lines = ",\n".join(map(json.dumps, solved))
    return bundled.folder / FILE_NAME, f'{json.dumps(head)[:-1]}, "solved": [\n{lines}\n]}}\n'


def _nest(numbers: PaysByLine) -> dict[str, dict[str, str]]:
    nested: dict[str, dict[str, str]] = {}
    for (kind, line), number in numbers.items():
        nested.setdefault(kind, {})[line] = str(number)
    return nested


def change_pays(paytables: Mapping[str, PayTable], changes: PaysByLine) -> dict[str, PayTable]:
    """Return pay tables with some pays changed."""
    changed = dict(paytables)
    for (kind, line), amount in changes.items():
        lines = changed[kind].lines
        changed[kind] = replace(changed[kind], lines={**lines, line: replace(lines[line], amount=amount)})
    return changed
