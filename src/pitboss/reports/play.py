"""How main is played: the best play, the strategies that can be written down, what they cost and where they err."""

from collections.abc import Iterator, Sequence

from pitboss.analysis.strategy import Blunder, Play
from pitboss.describe import spoken
from pitboss.reports.document import LEFT, RIGHT, Block, Items, Section, Table, Words
from pitboss.reports.report import Report
from pitboss.reports.words import exact
from pitboss.strategies import strategies


def play_section(report: Report) -> Section:
    """Return the section about the play of main."""
    return Section("The play", tuple(_blocks(report)))


def _blocks(report: Report) -> Iterator[Block]:
    main = report.main
    taken = main.extras.get("actions") if main else None
    if isinstance(taken, dict):
        paths = tuple((spoken(path), f"{float(share):.4%}") for path, share in taken.items())
        yield Table("What the best play does", ("Path", "Of rounds"), LEFT + RIGHT, paths)
        equal = main.extras.get("equal_value_positions") if main else None
        at = f"At {equal:,} positions up to suits" if equal else "At no position"
        yield Words(f"{at} are two best choices worth the same (ALL-9).", small=True)
    written = report.plays[1:]
    if not written:
        for strategy in strategies(report.game)[:1] if report.game.solver else ():
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


def _compared(plays: Sequence[Play]) -> Table:
    rows = tuple(
        (
            play.strategy.name if play.strategy else "Best play",
            f"{float(play.house_edge):.4%}",
            f"{float(play.cost):.4%}" if play.strategy else "",
            *(f"{float(play.actions.get(path, 0)):.2%}" for path in plays[0].actions),
        )
        for play in plays
    )
    heads = ("Strategy", "House edge", "Costs", *(spoken(path) for path in plays[0].actions))
    return Table("Strategies compared", heads, LEFT + RIGHT * (len(heads) - 1), rows)


def _errors(report: Report) -> Iterator[Block]:
    mistakes: Sequence[Blunder] = report.plays[1].mistakes
    for each in report.simulated[:1]:
        mistakes = each.mistakes
        found = f"a cost of {float(each.cost):.2%}, standard error {each.standard_error:.2%}"
        yield Words(f"Where it errs is simulated, {each.rounds} rounds of it, which make it {found}.", small=True)
    if mistakes:
        rows = tuple(
            (
                spoken(each.taken),
                spoken(each.best),
                each.hand,
                f"{float(each.frequency):.4%}",
                f"{float(each.cost):.5%}",
            )
            for each in mistakes
        )
        yield Table("Where it errs most", ("Does", "Better", "With", "Rounds", "Costs"), LEFT * 3 + RIGHT * 2, rows)
