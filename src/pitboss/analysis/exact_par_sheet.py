"""Compute the exact PAR sheet of any wager, counted or solved.

It is counted where chance alone decides the wager, and solved where the play does.  For other pay tables a sheet is
priced again on the same deals (``reprice_sheet``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pitboss.analysis.census import count_outcomes, explain_missing_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import Figure, ParSheet, add_main_figures, build_main_sheet, build_par_sheet
from pitboss.analysis.play_bounds import BestValue, compute_upper_bound, is_linear_in_pays, list_pays
from pitboss.analysis.side_stakes import depends_on_play, select_played_stakes
from pitboss.analysis.solutions import build_problem, get_cached_solution, get_solution
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.solver_lookup import can_solve
from pitboss.pay_limits import change_pays, load_pay_limits
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution

_PLAY_FIGURES = ("actions", "equal_value_positions", "equal_value_first_decisions_only")


def verify_has_meter(paytables: Iterable[PayTable]) -> None:
    """Check that one of these pay tables has a meter, or raise WagerError."""
    if not any(table.progressive for table in paytables):
        raise WagerError("--meter is for a progressive wager: none of these bets has a meter", code="no-meter")


def list_sheet_wagers(game: Game, options: Mapping[str, str]) -> list[Wager]:
    """Return the bets of a game that have an exact sheet under these options."""
    return [wager for wager in (*game.wagers, *game.main_parts) if not explain_missing_sheet(game, wager, options)]


def compute_par_sheet(
    game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback, meter_cents: int | None = None
) -> ParSheet:
    """Compute the exact sheet of ``wager``.

    Where its outcome depends on the play, the play is the best one for main.  With stakes on side wagers that depend on
    the play too, it is the best one for all of them together; the sheet then also has the edges under the play for main
    alone.

    Raises:
        WagerError: the wager has no exact sheet (``census.explain_missing_sheet``).
    """
    if not can_solve(game) or not depends_on_play(game, wager, terms.options):
        counts = count_outcomes(game, wager, terms.options, progress)
        return build_par_sheet(game, wager, terms.paytables, terms.options, counts, meter_cents)
    played_stakes = select_played_stakes(game, terms.options, terms.stakes)
    counted = list(played_stakes) if wager is game.main else [wager.id]
    main_solution = get_solution(game, terms.paytables, terms.options, progress, counted=counted)
    sheet = _build_solved_sheet(game, wager, terms, main_solution)
    if not played_stakes:
        return replace(sheet, strategy="main")
    joint_solution = get_solution(
        game, terms.paytables, terms.options, progress, side_stakes=played_stakes, counted=counted
    )
    figures: dict[str, Figure] = {"main_strategy_house_edge": sheet.house_edge}
    if wager is game.main:
        figures["main_strategy_actions"] = sheet.extras["actions"]
        figures["all_bets_house_edge"] = _compute_combined_edge(game, terms, joint_solution, played_stakes)
        figures["main_strategy_all_bets_house_edge"] = _compute_combined_edge(game, terms, main_solution, played_stakes)
    sheet = _build_solved_sheet(game, wager, terms, joint_solution)
    return replace(sheet, strategy="joint", stakes=played_stakes, extras={**sheet.extras, **figures})


def _build_solved_sheet(game: Game, wager: Wager, terms: GameTerms, solution: Solution) -> ParSheet:
    """Build a sheet from a solution.

    It is the sheet of main, or of a side wager that depends on the play.
    """
    if wager is game.main:
        return build_main_sheet(game, terms.paytables, terms.options, solution)
    if wager.id not in solution.side_outcomes:
        raise WagerError(
            f"{wager.id} of {game.id} depends on the player's choices, and its solver does not follow it",
            code="depends-on-choices",
            wager=wager.id,
            game=game.id,
        )
    counts = [deals for deals, _ in solution.side_outcomes[wager.id]]
    return build_par_sheet(game, wager, terms.paytables, terms.options, counts)


def _compute_combined_edge(
    game: Game, terms: GameTerms, solution: Solution, stakes: Mapping[str, Fraction]
) -> Fraction:
    """Compute the expected loss per Ante on main and the staked side wagers together."""
    all_stakes = {game.main.id: Fraction(1), **stakes}
    staked = (wager for wager in game.wagers if wager.id in all_stakes)
    edges = (all_stakes[wager.id] * _build_solved_sheet(game, wager, terms, solution).house_edge for wager in staked)
    return sum(edges, Fraction(0))


def get_bounded_sheet(game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback) -> ParSheet | None:
    """Return the sheet of a bet at once, where solving main takes minutes.

    The play is the best one known for main, and the sheet has bounds unless that play is proved to be the best.  Return
    None where ``compute_par_sheet`` takes no minutes or where nothing is known for these options and stakes.
    """
    defaults, kinds = select_paytables(game), game.main.paytable_kinds
    if (
        not depends_on_play(game, wager, terms.options)
        or all(terms.paytables[kind] == defaults[kind] for kind in kinds)
        or select_played_stakes(game, terms.options, terms.stakes)
        or load_pay_limits(game, terms.options) is None
        or get_cached_solution(game, terms.paytables, terms.options) is not None
    ):
        return None
    known = replace(terms, paytables={**terms.paytables, **{kind: defaults[kind] for kind in kinds}})
    sheet = compute_par_sheet(game, wager, known, progress)
    return reprice_sheet(sheet, terms.paytables, previous=known.paytables)


def reprice_sheet(
    sheet: ParSheet,
    paytables: Mapping[str, PayTable],
    counts: Sequence[int] | None = None,
    meter_cents: int | None = None,
    previous: Mapping[str, PayTable] | None = None,
) -> ParSheet:
    """Return a sheet under other pay tables, with its own deals, meter and play.

    ``counts`` and ``meter_cents`` replace its deals and its meter.  The play is unchanged: it is the best play for the
    pay tables it was computed for, the sheet's own, and for other bets those of ``previous``, by default the current
    ones.  If the solver's nets differ under the new pays, there may be a better play: then the sheet has ``bounds`` and
    is not exact.  Main's sheet then has the best of the plays known for it, the best play for the new pays if that is
    cached, so that it is exact again.
    """
    deals = [line.deals for line in sheet.lines] if counts is None else counts
    meter_cents = sheet.meter_cents if meter_cents is None else meter_cents
    repriced = build_par_sheet(sheet.game, sheet.wager, paytables, sheet.options, deals, meter_cents)
    if sheet.is_main:
        play = {name: sheet.extras[name] for name in _PLAY_FIGURES if name in sheet.extras}
        repriced = add_main_figures(repriced, play)
    repriced = replace(repriced, strategy=sheet.strategy, stakes=sheet.stakes)
    if not sheet.strategy:
        return repriced
    solved_for = {**paytables, **(previous or {}), **sheet.tables_by_kind}
    if not _changes_play(sheet, solved_for, paytables):
        return replace(repriced, bounds=sheet.bounds)
    if not sheet.is_main:
        nets = [line.net for line in repriced.lines]
        return replace(repriced, bounds=(min(nets), max(nets)))
    return _bound_main_sheet(sheet, repriced, solved_for, paytables)


def _changes_play(sheet: ParSheet, previous: Mapping[str, PayTable], paytables: Mapping[str, PayTable]) -> bool:
    """Tell whether new pays change a net that the play depends on."""
    defaults = select_paytables(sheet.game)
    before, after = (
        build_problem(sheet.game, {**defaults, **tables}, sheet.options, side_stakes=sheet.stakes)
        for tables in (previous, paytables)
    )
    return before != after


def _bound_main_sheet(
    sheet: ParSheet, repriced: ParSheet, previous: Mapping[str, PayTable], paytables: Mapping[str, PayTable]
) -> ParSheet:
    """Return main's sheet under new pays with bounds of the best play's value.

    ``repriced`` is ``sheet``, played as before.  The bounds are those of ``play_bounds``, if the game comes with the
    limits that they need.  Without them, no play gains more from the new pays than the largest rise of a net.
    """
    game, options = sheet.game, sheet.options
    cached = get_cached_solution(game, paytables, options) if sheet.strategy == "main" else None
    if cached:
        return replace(build_main_sheet(game, paytables, options, cached), strategy=sheet.strategy)
    main_edge = sheet.extras.get("main_strategy_house_edge")
    best = sheet.bounds[1] if sheet.bounds else -(main_edge if isinstance(main_edge, Fraction) else sheet.house_edge)
    nets = [line.net for line in repriced.lines]
    rise = max(new - old.net for new, old in zip(nets, sheet.lines, strict=True))
    upper = min(best + max(rise, Fraction(0)), max(nets))
    limits = load_pay_limits(game, options)
    if limits and is_linear_in_pays(game.main, previous, paytables):
        pays, known = list_pays(game.main, paytables), [BestValue(list_pays(game.main, previous), best)]
        for each in limits.solved:
            solved = build_main_sheet(game, change_pays(select_paytables(game), each.changes), options, each.solution)
            known.append(BestValue(list_pays(game.main, solved.tables_by_kind), solved.expected_value))
            if sheet.strategy == "main":
                other = replace(build_main_sheet(game, paytables, options, each.solution), strategy="main")
                repriced = max(repriced, other, key=lambda either: either.expected_value)
        upper = min(upper, compute_upper_bound(pays, known, limits))
    lower = repriced.expected_value
    return repriced if lower == upper else replace(repriced, bounds=(lower, upper))
