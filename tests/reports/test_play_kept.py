"""A pay edited while the play is kept: exact only where the play cannot be another, and every format says so."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count

import pytest

from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import Figure, ParSheet, build_par_sheet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import PayTableError
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytable_toml import format_pay_input
from pitboss.paytables import select_paytables
from pitboss.reports.formats import REPORT_FORMATS
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.reports.report import GameReport, reprice_report
from reports.test_report import told

KEPT = "with the play unchanged"
TO_PLAYER = f"{KEPT}: a lower bound for the player"
HUNDRED = 100


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the pay limits of the games: they do not fit the counts that are made up here."""
    monkeypatch.setattr("pitboss.analysis.exact_par_sheet.load_pay_limits", lambda *_arguments: None)


def sheet_like(game: Game, wager: Wager) -> ParSheet:
    """Return a sheet of a bet with every outcome, as often as its place says, marked as a solver's where it is one."""
    counts = [number for number, _ in zip(count(1), wager.outcomes, strict=False)]
    sheet = build_par_sheet(game, wager, select_paytables(game), resolve_options(game, {}), counts)
    main = wager is game.wagers[0]
    solved = game.solver and (main or depends_on_play(game, wager, sheet.options))
    extras: dict[str, Figure] = {**sheet.extras}
    if main:
        extras |= {"average_wager": Fraction(1), "element_of_risk": sheet.house_edge}
        extras |= {"actions": {}, "equal_value_positions": 0}
    return replace(sheet, extras=extras, strategy="main" if solved else "")


def edits(game: Game) -> Iterator[PayTable]:
    """Yield every chosen pay table with its first pay lower by one, and with the last that may be higher so."""
    for table in select_paytables(game).values():
        first, *later = table.lines
        yield edit_paytable(game, table, {first: format_pay_input(table.lines[first].amount - 1)})
        for line in reversed(later):
            with suppress(PayTableError):  # an order of pays that the rules rely on
                yield edit_paytable(game, table, {line: format_pay_input(table.lines[line].amount + 1)})
                break


def nets_of_main(game: Game, chosen: dict[str, PayTable]) -> list[Fraction]:
    """Return what main's outcomes net."""
    return [compute_outcome_net(outcome, chosen, HUNDRED) for outcome in game.wagers[0].outcomes]


@pytest.mark.parametrize("name", load_games())
def test_a_sheet_is_exact_only_where_the_play_cannot_be_another(name: str) -> None:
    game = load_game(name)
    before = select_paytables(game)
    for wager in (*game.wagers, *game.main_parts):
        sheet = sheet_like(game, wager)
        assert sheet.method == reprice_sheet(sheet, before).method == "exact"
        for table in edits(game):
            chosen = {**before, table.kind: table}
            again = reprice_sheet(sheet, chosen, previous=before)
            played = bool(sheet.strategy) and nets_of_main(game, chosen) != nets_of_main(game, before)
            assert again.method == ("bounded" if played else "exact"), (wager.id, table.source)
            document = again.as_json()
            assert ("lower_bound" in document, "upper_bound" in document) == (played, played)
            if again.bounds:
                least, most = again.bounds
                assert least <= again.expected_value <= most
                if wager is game.wagers[0]:
                    assert least == again.expected_value


def test_with_stakes_on_side_wagers_their_pays_matter_to_the_play_too() -> None:
    game = load_game("shifting-wilds")
    bet = next(wager for wager in game.wagers if wager.id == "bad-beat")
    table = select_paytables(game)["bad-beat"]
    more = {**select_paytables(game), "bad-beat": edit_paytable(game, table, {next(iter(table.lines)): "99"})}
    alone = sheet_like(game, bet)
    assert reprice_sheet(alone, more).method == "exact"  # played for main, whose pays are what they were
    together = replace(alone, strategy="joint", stakes={"bad-beat": Fraction(1)})
    assert reprice_sheet(together, more).method == "bounded"


def test_a_bound_holds_for_a_play_that_would_have_been_better() -> None:
    game = load_game("shifting-wilds")
    table = select_paytables(game)["blind"]
    line = next(iter(table.lines))
    main = sheet_like(game, game.wagers[0])
    again = reprice_sheet(
        main,
        {
            **select_paytables(game),
            "blind": edit_paytable(game, table, {line: format_pay_input(table.lines[line].amount + 3)}),
        },
    )
    assert again.bounds == (again.expected_value, main.expected_value + 3)
    less = reprice_sheet(
        main,
        {
            **select_paytables(game),
            "blind": edit_paytable(game, table, {line: format_pay_input(table.lines[line].amount - 3)}),
        },
    )
    assert less.bounds == (less.expected_value, main.expected_value)  # lower pays are worth no more


def report_with(name: str, table: PayTable) -> GameReport:
    """Return the report of a game, priced again with a pay table of main edited."""
    game = load_game(name)
    sheets = tuple(sheet_like(game, wager) for wager in game.wagers)
    terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    return reprice_report(GameReport(game, terms, sheets), {**terms.paytables, table.kind: table})


PAID_BY_TABLES = [name for name, game in load_games().items() if game.wagers[0].paytable_kinds]
WITH_CHARTS = ("html", "pdf")  # whose drawing takes seconds: of one game


@pytest.mark.more
@pytest.mark.in_turn("name")
@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in PAID_BY_TABLES for kind in REPORT_FORMATS if kind not in WITH_CHARTS or name != "lunar"],
)
def test_every_format_says_that_the_play_was_kept(name: str, kind: str) -> None:
    game = load_game(name)
    (table, *_) = (each for each in edits(game) if each.kind in game.wagers[0].paytable_kinds)
    report = report_with(name, table)
    said = " ".join(re.sub(r"\s+", " ", line) for line in told(report, kind))
    if kind == "json":
        methods = {each["bet"]: each["method"] for each in json.loads(said)["sheets"]}
        assert methods == {sheet.wager.id: "bounded" if sheet.strategy else "exact" for sheet in report.sheets}
        return
    assert said.lower().count(TO_PLAYER) >= 1
    sides = [sheet for sheet in report.sheets[1:] if sheet.strategy]
    assert said.lower().count(KEPT) - said.lower().count(TO_PLAYER) >= len(sides)
