"""The PAR sheet of any wager: counted where chance alone decides it, solved where the play does."""

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
    """What a game is played under: a pay table of each kind, a value for every option, stakes in Antes beside main."""

    paytables: Mapping[str, PayTable]
    options: Mapping[str, str]
    stakes: Mapping[str, Fraction] = field(default_factory=dict)


def compute_par_sheet(
    game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback, meter_cents: int | None = None
) -> ParSheet:
    """Return the exact sheet of ``wager``.

    Where its outcome depends on the play, that is the best for main, or with stakes on side wagers that depend on it
    too the best for all together; such a sheet has the edges that the play for main alone gives beside its own.

    Raises:
        WagerError: there is no exact sheet of it (``census.explain_no_sheet``).
    """
    main = game.wagers[0]
    if not game.solver or (wager is not main and not depends_on_play(wager, terms.options)):
        counts = count_outcomes(game, wager, terms.options, progress)
        return build_par_sheet(game, wager, terms.paytables, terms.options, counts, meter_cents)
    beside = select_played_stakes(game, terms.options, terms.stakes)
    alone = get_solution(game, terms.paytables, terms.options, progress)
    sheet = _build_sheet_from_solution(game, wager, terms, alone)
    if not beside:
        return replace(sheet, strategy="main")
    joint = get_solution(game, terms.paytables, terms.options, progress, side_stakes=beside)
    figures: dict[str, Figure] = {"main_strategy_house_edge": sheet.house_edge}
    if wager is main:
        figures["main_strategy_actions"] = sheet.extras["actions"]
        figures["all_bets_house_edge"] = _compute_combined_edge(game, terms, joint, beside)
        figures["main_strategy_all_bets_house_edge"] = _compute_combined_edge(game, terms, alone, beside)
    sheet = _build_sheet_from_solution(game, wager, terms, joint)
    return replace(sheet, strategy="joint", stakes=beside, extras={**sheet.extras, **figures})


def _build_sheet_from_solution(game: Game, wager: Wager, terms: GameTerms, solution: Solution) -> ParSheet:
    """Return the sheet of main, or of a side wager that depends on it, under the play solved."""
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
    """Return what a player loses per Ante on main and the side wagers staked, together."""
    wagers = {wager.id: wager for wager in game.wagers}
    sides = (
        stake * _build_sheet_from_solution(game, wagers[bet], terms, solution).house_edge
        for bet, stake in stakes.items()
    )
    return _build_sheet_from_solution(game, game.wagers[0], terms, solution).house_edge + sum(sides, Fraction(0))
