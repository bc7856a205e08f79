"""The PAR sheet of a game's main wager, made from its solution."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from pitboss.analysis.par_sheet import Figure, ParSheet
from pitboss.analysis.par_sheet_builder import build_par_sheet
from pitboss.analysis.solutions import compute_average_wager
from pitboss.contract import Game, PayTable
from pitboss.solver_api import Solution


def build_main_sheet(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], solution: Solution
) -> ParSheet:
    """Return the sheet of ``main`` under its best play, per Ante (Wild Six: per Poker bet).

    ``paytables`` has a pay table for each kind that pays main and ``options`` a value for every option: those that
    ``solution`` was solved with.  ``element_of_risk`` is the house edge per unit of all main chips staked, which are
    ``compute_average_wager``; ``actions`` are the frequencies of the paths.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> game = game_named("wild-six-card")
    >>> solved = Solution((2, 40, 3, 54, 1, 0, 0, 0, 0), {"automatic": 2, "discard": 98, "stand": 0}, 0)
    >>> sheet = build_main_sheet(game, {}, option_values(game, {}), solved)
    >>> sheet.house_edge, sheet.extras["actions"]["discard"]
    (Fraction(3, 25), Fraction(49, 50))
    """
    sheet = build_par_sheet(game, game.wagers[0], paytables, options, solution.counts)
    wagered = compute_average_wager(game, solution.counts)
    figures: dict[str, Figure] = {
        "average_wager": wagered,
        "element_of_risk": sheet.house_edge / wagered,
        "actions": {path: Fraction(deals, sheet.deals) for path, deals in solution.actions.items()},
        "equal_value_positions": solution.equal_value_positions,
    }
    if solution.equal_first_only:
        figures["equal_value_first_decisions_only"] = True
    return replace(sheet, extras={**sheet.extras, **figures})
