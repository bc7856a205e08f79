"""The best play of a game's main wager: solved by the game's own solver, once, and kept.

A solution depends on the rules, on options and on what the outcomes net, so it is kept under all of them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from math import lcm

from pitboss.contract import Game, PayTable
from pitboss.core.cache import kept_text
from pitboss.core.errors import WagerError
from pitboss.options import option_codes
from pitboss.paytables import outcome_net
from pitboss.solving import Mistake, Problem, Solution

_UNIT_CENTS = 100

Progress = Callable[[int, int], None]


def main_nets(game: Game, chosen: Mapping[str, PayTable]) -> tuple[int, ...]:
    """Return what each outcome of ``main`` nets as whole numbers of the largest unit that makes them whole."""
    nets = [outcome_net(outcome, chosen, _UNIT_CENTS) / _UNIT_CENTS for outcome in game.wagers[0].outcomes]
    unit = lcm(*(net.denominator for net in nets))
    return tuple(int(net * unit) for net in nets)


def solution(game: Game, chosen: Mapping[str, PayTable], options: Mapping[str, str], progress: Progress) -> Solution:
    """Return the best play of ``main``, solved the first time and kept.

    Raises:
        WagerError: the game has no solver.
    """
    if not game.solver:
        message = f"main of {game.id} has no exact solution in this version"
        raise WagerError(message)
    nets = main_nets(game, chosen)

    def solved() -> str:
        solve = import_module(f"pitboss.games.{game.folder.name}.{game.solver}").solve
        return json.dumps(asdict(solve(Problem(option_codes(game, options), nets), progress)))

    decided = ".".join(f"{option.name}={options[option.name]}" for option in game.options)
    digest = sha256(json.dumps([decided, nets]).encode()).hexdigest()[:16]
    kept = json.loads(kept_text(f"solutions/{game.id}.{digest}.json", solved))
    kept["counts"] = tuple(kept["counts"])
    kept["beside"] = {bet: tuple((deals, total) for deals, total in lines) for bet, lines in kept["beside"].items()}
    kept["mistakes"] = tuple(Mistake(**mistake) for mistake in kept["mistakes"])
    return Solution(**kept)


def average_wager(game: Game, counts: tuple[int, ...]) -> Fraction:
    """Return the average of all main chips put down, in Antes: every leg's stake of every outcome."""
    stakes = (sum(leg.stake for leg in outcome.legs) for outcome in game.wagers[0].outcomes)
    return Fraction(sum(stake * count for stake, count in zip(stakes, counts, strict=True)), sum(counts))
