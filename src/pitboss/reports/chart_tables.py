"""The data of a chart as tables of texts, to stand next to the picture."""

from collections.abc import Callable
from typing import Any

from pitboss.analysis.chart_data import ChartData
from pitboss.builders import display_name
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.reports.document import LEFT, RIGHT, TableBlock


def make_chart_table(data: ChartData) -> TableBlock:
    """Return every row of a chart with its figures."""
    return _TABLES[data.kind](data)


def make_answer_grid(data: ChartData) -> TableBlock:
    """Return a strategy chart as a table with a row and a column as in the picture."""
    answers = {(row, column): answer for row, column, answer, *_ in _list_cells(data)}
    letters = abbreviate_answers(data.labels["answers"])
    columns = data.labels["column_names"]
    rows = tuple(
        (row, *(letters[answers[row, column]] if (row, column) in answers else "" for column in columns))
        for row in data.labels["row_names"]
    )
    meaning = ", ".join(f"{letter} {display_name(answer)}" for answer, letter in letters.items())
    heading = f"{data.labels['down']} / {data.labels['across'][0].lower()}{data.labels['across'][1:]}"
    return TableBlock(f"{data.title} ({meaning})", (heading, *columns), LEFT * (len(columns) + 1), rows)


def abbreviate_answers(answers: list[str]) -> dict[str, str]:
    """Return a letter or digit for each answer, all different.

    >>> abbreviate_answers(["fold", "play", "exchange-2", "exchange-3"])
    {'fold': 'F', 'play': 'P', 'exchange-2': '2', 'exchange-3': '3'}
    """
    initials = [answer[0].upper() for answer in answers]
    return {
        answer: initial if initials.count(initial) == 1 else answer[-1].upper()
        for answer, initial in zip(answers, initials, strict=True)
    }


def _list_cells(data: ChartData) -> list[tuple[Any, ...]]:
    names = ("row", "column", "answer", "cards", "gives_up", "expected_value", "next_best", "costs", "next_gives_up")
    return list(zip(*map(data.get_column, names), strict=True))


def _make_strategy_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (
            f"{row}, {column}",
            cards,
            display_name(answer) + (f": {given}" if given else ""),
            f"{value:+.4f}",
            display_name(other) + (f": {other_given}" if other_given else ""),
            f"{costs:.4f}",
        )
        for row, column, answer, cards, given, value, other, costs, other_given in _list_cells(data)
    )
    across = data.labels["across"]
    first = f"{data.labels['down']}, {across[0].lower()}{across[1:]}"
    headings = (first, "Cards", "Best", "Expected value", "Next best", "It costs")
    return TableBlock(f"{data.title}, cell by cell", headings, LEFT * 3 + RIGHT + LEFT + RIGHT, rows)


def _make_band_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (f"{rounds:,}", f"{confidence:.0%}", *(f"{limit:.3%}" for limit in limits), f"{probability:.3%}")
        for rounds, confidence, *limits, probability in data.rows
    )
    headings = ("Rounds", "Band", "From", "To", "Normal from", "Normal to", "In normal")
    return TableBlock(data.title, headings, RIGHT * len(headings), rows)


def _make_contribution_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (display_name(name), f"{net:,g}", f"{deals:,}", f"{probability:.8f}", f"{share:+.8f}")
        for name, net, _, deals, probability, share, _ in data.rows
    )
    headings = ("Outcome", "Net", "Combinations", "Probability", "Contribution")
    return TableBlock(data.title, headings, LEFT + RIGHT * 4, rows)


def _make_pay_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (data.labels["line_names"][line], f"{pay}{' *' if present else ''}", f"{edge:.4%}")
        for line, pay, _, edge, _, present in data.rows
    )
    return TableBlock(f"{data.title} (* the current pay)", ("Line", "Pay", "House edge"), LEFT + RIGHT * 2, rows)


def make_pay_summary(data: ChartData) -> TableBlock:
    """Return a row for each line: its pay and the two next to it, with their edges."""
    rows = []
    for line, name in data.labels["line_names"].items():
        points = [(pay, edge, present) for each, pay, _, edge, _, present in data.rows if each == line]
        own = next(place for place, (*_, present) in enumerate(points) if present)
        cells = [
            cell
            for place in (own - 1, own, own + 1)
            for cell in ((points[place][0], f"{points[place][1]:.4%}") if 0 <= place < len(points) else ("", ""))
        ]
        rows.append((name, *cells))
    headings = ("Line", "Lower pay", "House edge", "Current pay", "House edge", "Higher pay", "House edge")
    return TableBlock(data.title, headings, LEFT + RIGHT * 6, tuple(rows))


def _make_ruin_table(data: ChartData) -> TableBlock:
    """Return a row for each bankroll and a column for each length of a session."""
    lengths = sorted(set(data.get_column("rounds")))
    risks = {(bankroll, rounds): risk for bankroll, rounds, risk in data.rows}
    rows = tuple(
        (f"{bankroll:,}", *(f"{risks[bankroll, rounds]:.4%}" for rounds in lengths))
        for bankroll in dict.fromkeys(data.get_column("bankroll"))
    )
    headings = (f"Bankroll, {data.labels['unit']}", *(format_count(rounds, "round") for rounds in lengths))
    return TableBlock(data.title, headings, RIGHT * len(headings), rows)


def _make_meter_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (f"{count:,}", f"${most:,.2f}", f"${mean:,.2f}", f"{chance:.4%}") for count, most, mean, chance in data.rows
    )
    headings = ("Dollars wagered", "Meter if nothing is won", "Meter on average", "No jackpot yet")
    return TableBlock(data.title, headings, RIGHT * len(headings), rows)


def _make_results_table(data: ChartData) -> TableBlock:
    rows = tuple(
        (
            f"{table}, {period}",
            f"{rounds:,}",
            format_cents(round(difference)),
            "" if low is None else format_cents(round(low)),
            format_cents(round(high)),
            "out of tolerance" if is_out else "",
        )
        for table, period, rounds, difference, low, high, is_out in data.rows
    )
    headings = ("Table, period", "Rounds so far", "Beyond the expectation", "Lowest", "Highest", "")
    return TableBlock(data.title, headings, LEFT + 4 * RIGHT + LEFT, rows)


_TABLES: dict[str, Callable[[ChartData], TableBlock]] = {
    "strategy": _make_strategy_table,
    "band": _make_band_table,
    "contribution": _make_contribution_table,
    "pay": _make_pay_table,
    "ruin": _make_ruin_table,
    "meter": _make_meter_table,
    "results": _make_results_table,
}
