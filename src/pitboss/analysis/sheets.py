"""The PAR sheet of any wager: counted where chance alone decides it, solved where the play does."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitboss.analysis.census import census
from pitboss.analysis.main import main_sheet
from pitboss.analysis.par import par_sheet
from pitboss.analysis.sheet import Figure, ParSheet
from pitboss.analysis.solutions import solution
from pitboss.analysis.stakes import depends_on_play, played_for
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.solver_api import Solution


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is played under: a pay table of each kind, a value for every option, stakes in Antes beside main."""

    chosen: Mapping[str, PayTable]
    options: Mapping[str, str]
    stakes: Mapping[str, Fraction] = field(default_factory=dict)


def sheet_of(
    game: Game, wager: Wager, terms: Terms, progress: ProgressCallback, meter_cents: int | None = None
) -> ParSheet:
    """Return the exact sheet of ``wager``.

    Where its outcome depends on the play, that is the best for main, or with stakes on side wagers that depend on it
    too the best for all together; such a sheet has the edges that the play for main alone gives beside its own.

    Raises:
        WagerError: there is no exact sheet of it (``census.why_no_sheet``).
    """
    main = game.wagers[0]
    if not game.solver or (wager is not main and not depends_on_play(wager, terms.options)):
        counts = census(game, wager, terms.options, progress)
        return par_sheet(game, wager, terms.chosen, terms.options, counts, meter_cents)
    beside = played_for(game, terms.options, terms.stakes)
    alone = solution(game, terms.chosen, terms.options, progress)
    sheet = _under(game, wager, terms, alone)
    if not beside:
        return replace(sheet, strategy="main")
    joint = solution(game, terms.chosen, terms.options, progress, beside=beside)
    figures: dict[str, Figure] = {"main_strategy_house_edge": sheet.house_edge}
    if wager is main:
        figures["main_strategy_actions"] = sheet.extras["actions"]
        figures["all_bets_house_edge"] = _edge_of_all(game, terms, joint, beside)
        figures["main_strategy_all_bets_house_edge"] = _edge_of_all(game, terms, alone, beside)
    sheet = _under(game, wager, terms, joint)
    return replace(sheet, strategy="joint", stakes=beside, extras={**sheet.extras, **figures})


def _under(game: Game, wager: Wager, terms: Terms, solved: Solution) -> ParSheet:
    """Return the sheet of main, or of a side wager that depends on it, under the play solved."""
    if wager is game.wagers[0]:
        return main_sheet(game, terms.chosen, terms.options, solved)
    if wager.id not in solved.side_outcomes:
        message = f"{wager.id} of {game.id} depends on the player's choices, and its solver does not follow it"
        raise WagerError(message)
    counts = [deals for deals, _ in solved.side_outcomes[wager.id]]
    return par_sheet(game, wager, terms.chosen, terms.options, counts)


def _edge_of_all(game: Game, terms: Terms, solved: Solution, stakes: Mapping[str, Fraction]) -> Fraction:
    """Return what a player loses per Ante on main and the side wagers staked, together."""
    wagers = {wager.id: wager for wager in game.wagers}
    sides = (stake * _under(game, wagers[bet], terms, solved).house_edge for bet, stake in stakes.items())
    return _under(game, game.wagers[0], terms, solved).house_edge + sum(sides, Fraction(0))
