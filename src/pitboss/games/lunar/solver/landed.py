"""The solution that comes with the package, and when it may stand in for solving again.

``solution.json`` has the pieces for the default options and pay tables.  It holds for the rules it was solved with
and for no others: their hash is in it.  ``python -m pitboss.games.lunar.solver`` makes it.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitboss.games.lunar.rules import Options
from pitboss.solving import Problem

PATH = Path(__file__).parent / "solution.json"
_RULES = ("combinations.py", "first_five.py", "outcomes.py", "rules.py")
_HANDS = ("evaluator.py", "order.py", "tables.py")


@cache
def rules_hash() -> str:
    """Return 16 hexadecimal digits that change with the rules of the game and with the order of hands."""
    lunar = Path(__file__).parent.parent
    hands = lunar.parent.parent / "hands"
    digest = sha256()
    for path in [*(lunar / name for name in _RULES), *(hands / name for name in _HANDS)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def terms(options: Options, nets: tuple[int, ...]) -> dict[str, Any]:
    """Return all that a piece depends on: the rules, the options that touch ``main``, what its outcomes net."""
    touching = {name: getattr(options, name) for name in ("dealer_qualifies", "paired_straight", "force_replaces")}
    return {"rules": rules_hash(), "options": touching, "nets": list(nets)}


@cache
def landed() -> dict[str, Any]:
    """Return what is in the file: ``terms`` and, by name, ``pieces``."""
    kept: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return kept


def landed_piece(problem: Problem, piece: str) -> dict[str, Any] | None:
    """Return a piece of the file if it was solved under the terms of the problem."""
    if landed()["terms"] != terms(problem.options, problem.nets):
        return None
    found: dict[str, Any] = landed()["pieces"][piece]
    return found
