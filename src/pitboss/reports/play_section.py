"""The section about the play of main: the best play, the written strategies, their costs and mistakes."""

from collections.abc import Iterator, Sequence

from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost
from pitboss.builders import display_name
from pitboss.reports.document import LEFT, RIGHT, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import format_fraction
from pitboss.reports.report import GameReport
from pitboss.strategies import load_strategies


def make_play_section(report: GameReport) -> Section:
    """Return the section about the play of main."""
    return Section("The play", tuple(_iter_blocks(report)))


def _iter_blocks(report: GameReport) -> Iterator[PageBlock]:
    main = report.main_sheet
    frequencies = main.extras.get("actions") if main else None
    if main and isinstance(frequencies, dict):
        paths = tuple((display_name(path), f"{float(share):.4%}") for path, share in frequencies.items())
        yield TableBlock("What the best play does", ("Path", "Of rounds"), LEFT + RIGHT, paths)
        equal = main.extras.get("equal_value_positions")
        noun = "first decision" if main.extras.get("equal_value_first_decisions_only") else "position"
        places = f"{equal:,} {noun}s up to suits" if equal else f"no {noun}"
        yield TextBlock(f"At {places}, the two best choices have the same value (ALL-9).", small=True)
    costs = report.strategy_costs[1:]
    if not costs:
        for strategy in load_strategies(report.game)[:1] if report.game.solver else ():
            yield TextBlock(f"**{strategy.name}**")
            yield ListBlock(strategy.lines, numbered=True)
            yield TextBlock("Its cost takes long to compute: use `pitboss strategy` or `pitboss report --full`.")
        return
    practical = costs[0].strategy
    if practical:
        yield TextBlock(f"**{practical.name}**")
        yield ListBlock(practical.lines, numbered=True)
    cost = costs[0].cost
    yield TextBlock(f"It costs {float(cost):.4%} of an Ante more than the best play, exactly {format_fraction(cost)}.")
    yield _make_comparison(report.strategy_costs)
    for play in costs[1:]:
        if play.strategy:
            yield TextBlock(f"**{play.strategy.name}**: {' '.join(play.strategy.lines)}")
    yield from _iter_mistakes(report)


def _make_comparison(plays: Sequence[StrategyCost]) -> TableBlock:
    rows = tuple(
        (
            play.strategy.name if play.strategy else "Best play",
            f"{float(play.house_edge):.4%}",
            f"{float(play.cost):.4%}" if play.strategy else "",
            *(f"{float(play.actions.get(path, 0)):.2%}" for path in plays[0].actions),
        )
        for play in plays
    )
    headings = ("Strategy", "House edge", "Costs", *(display_name(path) for path in plays[0].actions))
    return TableBlock("Strategies compared", headings, LEFT + RIGHT * (len(headings) - 1), rows)


def _iter_mistakes(report: GameReport) -> Iterator[PageBlock]:
    mistakes: Sequence[PricedMistake] = report.strategy_costs[1].mistakes
    for each in report.simulated_costs[:1]:
        mistakes = each.mistakes
        cost = f"a cost of {float(each.cost):.2%}, standard error {each.standard_error:.2%}"
        yield TextBlock(f"The mistakes below come from {each.rounds} simulated rounds, with {cost}.", small=True)
    if mistakes:
        rows = tuple(
            (
                display_name(each.taken),
                display_name(each.best),
                each.hand,
                f"{float(each.frequency):.4%}",
                f"{float(each.cost):.5%}",
                *([] if each.standard_error is None else [f"{each.standard_error:.5%}"]),
            )
            for each in mistakes
        )
        headings = ("Does", "Better", "With", "Rounds", "Costs", "Standard error")[: len(rows[0])]
        yield TableBlock("Where it errs most", headings, LEFT * 3 + RIGHT * (len(headings) - 3), rows)
