"""The section about the play of main: best play, strategies, costs, mistakes."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost
from pitboss.analysis.strategy_chart import STRATEGY
from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost
from pitboss.builders import display_name
from pitboss.contract import Game
from pitboss.engine.solver_lookup import can_solve
from pitboss.reports.chart_drawings import make_chart_blocks
from pitboss.reports.chart_tables import make_answer_grid
from pitboss.reports.document import LEFT, RIGHT, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import format_percent
from pitboss.reports.report import GameReport
from pitboss.strategies import load_strategies
from pitboss.strategy_grids import load_strategy_grids
from pitboss.value_units import name_first_wager


def make_play_section(report: GameReport) -> Section:
    """Return the section about the play of main."""
    charts = tuple(_iter_charts(report))
    parts = (Section("Charts of the best play", charts),) if charts else ()
    return Section("The play", tuple(_iter_blocks(report)), parts)


def _iter_charts(report: GameReport) -> Iterator[PageBlock]:
    """Yield each chart with its answers as a table, and what charts are missing."""
    charts = [data for data in report.charts if data.kind == STRATEGY]
    drawn = {data.labels["chart"] for data in charts}
    if drawn:
        yield TextBlock(
            "Each cell is the exact best action for its own cards. Other cards of the same kind may need another; "
            f"`pitboss chart {report.game.id} strategy --csv` prints the cards, and what the next best action costs."
        )
    for data in charts:
        yield from make_chart_blocks(data, make_answer_grid(data))
    missing = [grid.id for grid in load_strategy_grids(report.game) if grid.id not in drawn]
    if missing and report.strategy_costs:
        grids = ", ".join(f"`{name}`" for name in missing)
        yield TextBlock(
            f"Not drawn yet: {grids}. `pitboss chart {report.game.id} strategy --grid ID` or `--full` computes them.",
            small=True,
        )


def _iter_blocks(report: GameReport) -> Iterator[PageBlock]:
    main = report.main_sheet
    frequencies = main.extras.get("actions") if main else None
    if main and isinstance(frequencies, dict):
        paths = tuple((display_name(path), format_percent(share)) for path, share in frequencies.items())
        yield TableBlock("What the best play does", ("Path", "Of rounds"), LEFT + RIGHT, paths)
        equal = main.extras.get("equal_value_positions")
        noun = "first decision" if main.extras.get("equal_value_first_decisions_only") else "position"
        places = f"{equal:,} {noun}s up to suits" if equal else f"no {noun}"
        yield TextBlock(f"At {places}, the two best choices have the same value (ALL-9).", small=True)
    costs = report.strategy_costs[1:]
    if not costs:
        for strategy in load_strategies(report.game)[:1] if can_solve(report.game) else ():
            yield TextBlock(f"**{strategy.name}**")
            yield ListBlock(strategy.lines, numbered=True)
            if report.no_costs:
                yield TextBlock(f"What it costs is not counted, because {report.no_costs}.")
            else:
                yield TextBlock("Its cost takes long to compute: use `pitboss strategy` or `pitboss report --full`.")
        return
    practical = costs[0].strategy
    if practical:
        yield TextBlock(f"**{practical.name}**")
        yield ListBlock(practical.lines, numbered=True)
    yield TextBlock(f"{describe_cost(report.game, costs[0].cost)}.")
    yield make_strategy_table(report.strategy_costs)
    for play in costs[1:]:
        if play.strategy:
            yield TextBlock(f"**{play.strategy.name}**: {' '.join(play.strategy.lines)}")
    yield from _iter_mistakes(report)


def make_strategy_table(plays: Sequence[StrategyCost]) -> TableBlock:
    """Return a row for each play, the best one first: edge, cost, actions."""
    rows = tuple(
        (
            play.strategy.name if play.strategy else "Best play",
            format_percent(play.house_edge),
            format_percent(play.cost) if play.strategy else "",
            *(format_percent(play.actions.get(path, 0), 2) for path in plays[0].actions),
        )
        for play in plays
    )
    headings = ("Strategy", "House edge", "Costs", *(display_name(path) for path in plays[0].actions))
    return TableBlock("Strategies compared", headings, LEFT + RIGHT * (len(headings) - 1), rows)


def make_mistake_table(mistakes: Sequence[PricedMistake]) -> TableBlock:
    """Return a row for each mistake: how often it is made, and its cost."""
    rows = tuple(
        (
            display_name(each.taken),
            display_name(each.best),
            each.hand,
            format_percent(each.frequency),
            format_percent(each.cost, 5),
            *([] if each.standard_error is None else [format_percent(each.standard_error, 5)]),
        )
        for each in mistakes
    )
    headings = ("Does", "Better", "With", "Rounds", "Costs", "Standard error")[: len(rows[0])]
    return TableBlock("Where it errs most", headings, LEFT * 3 + RIGHT * (len(headings) - 3), rows)


def describe_cost(game: Game, cost: Fraction) -> str:
    """Describe the cost of a strategy in a sentence without its full stop.

    >>> from pitboss.games import load_game
    >>> describe_cost(load_game("six-card"), Fraction(0))
    'It costs 0.0000% of an Ante more than the best play, exactly 0'
    """
    return f"It costs {format_percent(cost)} of {name_first_wager(game)} more than the best play, exactly {cost}"


def describe_simulated_cost(simulated: SimulatedStrategyCost) -> str:
    """Describe the cost that a simulation found."""
    return f"{format_percent(simulated.cost, 2)}, standard error {format_percent(simulated.standard_error, 2)}"


def _iter_mistakes(report: GameReport) -> Iterator[PageBlock]:
    mistakes: Sequence[PricedMistake] = report.strategy_costs[1].mistakes
    for each in report.simulated_costs[:1]:
        mistakes = each.mistakes
        source = f"The mistakes below come from {each.rounds} simulated rounds"
        yield TextBlock(f"{source}, with a cost of {describe_simulated_cost(each)}.", small=True)
    if mistakes:
        yield make_mistake_table(mistakes)
