"""Compute the exact PAR sheet of any wager: counted where chance alone decides it, solved where the play does."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitboss.analysis.census import count_outcomes
from pitboss.analysis.main_par_sheet import build_main_sheet
from pitboss.analysis.par_sheet import Figure, ParSheet
from pitboss.analysis.par_sheet_builder import build_par_sheet
from pitboss.analysis.side_stakes import depends_on_play, select_played_stakes
from pitboss.analysis.solutions import get_solution
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.solver_api import Solution


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The setup of a game: a pay table of each kind, a value for every option, and side stakes in Antes."""

    paytables: Mapping[str, PayTable]
    options: Mapping[str, str]
    stakes: Mapping[str, Fraction] = field(default_factory=dict)


def compute_par_sheet(
    game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback, meter_cents: int | None = None
) -> ParSheet:
    """Compute the exact sheet of ``wager``.

    Where its outcome depends on the play, the play is the best one for main.  With stakes on side wagers that depend on
    the play too, it is the best one for all of them together; the sheet then also has the edges under the play for main
    alone.

    Raises:
        WagerError: the wager has no exact sheet (``census.explain_no_sheet``).
    """
    main = game.wagers[0]
    if not game.solver or (wager is not main and not depends_on_play(wager, terms.options)):
        counts = count_outcomes(game, wager, terms.options, progress)
        return build_par_sheet(game, wager, terms.paytables, terms.options, counts, meter_cents)
    played_stakes = select_played_stakes(game, terms.options, terms.stakes)
    main_solution = get_solution(game, terms.paytables, terms.options, progress)
    sheet = _build_sheet_from_solution(game, wager, terms, main_solution)
    if not played_stakes:
        return replace(sheet, strategy="main")
    joint_solution = get_solution(game, terms.paytables, terms.options, progress, side_stakes=played_stakes)
    figures: dict[str, Figure] = {"main_strategy_house_edge": sheet.house_edge}
    if wager is main:
        figures["main_strategy_actions"] = sheet.extras["actions"]
        figures["all_bets_house_edge"] = _compute_combined_edge(game, terms, joint_solution, played_stakes)
        figures["main_strategy_all_bets_house_edge"] = _compute_combined_edge(game, terms, main_solution, played_stakes)
    sheet = _build_sheet_from_solution(game, wager, terms, joint_solution)
    return replace(sheet, strategy="joint", stakes=played_stakes, extras={**sheet.extras, **figures})


def _build_sheet_from_solution(game: Game, wager: Wager, terms: GameTerms, solution: Solution) -> ParSheet:
    """Build the sheet of main, or of a side wager that depends on the play, from a solution."""
    if wager is game.wagers[0]:
        return build_main_sheet(game, terms.paytables, terms.options, solution)
    if wager.id not in solution.side_outcomes:
        message = f"{wager.id} of {game.id} depends on the player's choices, and its solver does not follow it"
        raise WagerError(message)
    counts = [deals for deals, _ in solution.side_outcomes[wager.id]]
    return build_par_sheet(game, wager, terms.paytables, terms.options, counts)


def _compute_combined_edge(
    game: Game, terms: GameTerms, solution: Solution, stakes: Mapping[str, Fraction]
) -> Fraction:
    """Compute the expected loss per Ante on main and the staked side wagers together."""
    wagers = {wager.id: wager for wager in game.wagers}
    sides = (
        stake * _build_sheet_from_solution(game, wagers[bet], terms, solution).house_edge
        for bet, stake in stakes.items()
    )
    return _build_sheet_from_solution(game, game.wagers[0], terms, solution).house_edge + sum(sides, Fraction(0))
