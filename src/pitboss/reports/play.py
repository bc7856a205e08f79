"""How main is played: the best play, the strategies that can be written down, what they cost and where they err."""

from collections.abc import Iterator, Sequence

from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost
from pitboss.builders import display_name
from pitboss.reports.document import LEFT, RIGHT, Block, Items, Section, Table, Words
from pitboss.reports.report import Report
from pitboss.reports.words import exact
from pitboss.strategies import load_strategies


def play_section(report: Report) -> Section:
    """Return the section about the play of main."""
    return Section("The play", tuple(_blocks(report)))


def _blocks(report: Report) -> Iterator[Block]:
    main = report.main
    taken = main.extras.get("actions") if main else None
    if main and isinstance(taken, dict):
        paths = tuple((display_name(path), f"{float(share):.4%}") for path, share in taken.items())
        yield Table("What the best play does", ("Path", "Of rounds"), LEFT + RIGHT, paths)
        equal = main.extras.get("equal_value_positions")
        where = "first decision" if main.extras.get("equal_value_first_decisions_only") else "position"
        at = f"At {equal:,} {where}s up to suits" if equal else f"At no {where}"
        yield Words(f"{at} are two best choices worth the same (ALL-9).", small=True)
    written = report.plays[1:]
    if not written:
        for strategy in load_strategies(report.game)[:1] if report.game.solver else ():
            yield Words(f"**{strategy.name}**")
            yield Items(strategy.lines, numbered=True)
            yield Words("What it costs takes long to find: `pitboss strategy` finds it, `pitboss report --full` too.")
        return
    practical = written[0].strategy
    if practical:
        yield Words(f"**{practical.name}**")
        yield Items(practical.lines, numbered=True)
    cost = written[0].cost
    yield Words(f"It costs {float(cost):.4%} of an Ante more than the best play, exactly {exact(cost)}.")
    yield _compared(report.plays)
    for play in written[1:]:
        if play.strategy:
            yield Words(f"**{play.strategy.name}**: {' '.join(play.strategy.lines)}")
    yield from _errors(report)


def _compared(plays: Sequence[StrategyCost]) -> Table:
    rows = tuple(
        (
            play.strategy.name if play.strategy else "Best play",
            f"{float(play.house_edge):.4%}",
            f"{float(play.cost):.4%}" if play.strategy else "",
            *(f"{float(play.actions.get(path, 0)):.2%}" for path in plays[0].actions),
        )
        for play in plays
    )
    heads = ("Strategy", "House edge", "Costs", *(display_name(path) for path in plays[0].actions))
    return Table("Strategies compared", heads, LEFT + RIGHT * (len(heads) - 1), rows)


def _errors(report: Report) -> Iterator[Block]:
    mistakes: Sequence[PricedMistake] = report.plays[1].mistakes
    for each in report.simulated[:1]:
        mistakes = each.mistakes
        found = f"a cost of {float(each.cost):.2%}, standard error {each.standard_error:.2%}"
        yield Words(f"Where it errs is simulated, {each.rounds} rounds of it, which make it {found}.", small=True)
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
        heads = ("Does", "Better", "With", "Rounds", "Costs", "Standard error")[: len(rows[0])]
        yield Table("Where it errs most", heads, LEFT * 3 + RIGHT * (len(heads) - 3), rows)
