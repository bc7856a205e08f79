"""A submission: every rule has its section, every example is a real round, every format has the figures."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from html import unescape
from itertools import product
from math import sqrt

import pypdf
import pytest

from pitboss.analysis.hold import PlayerModel
from pitboss.core.errors import IllegalActionError, UnknownNameError, WagerError
from pitboss.core.money import format_cents
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.paytable_toml import format_pay_input
from pitboss.reports.document import Section, TableBlock
from pitboss.reports.formats import render_reports
from pitboss.reports.method_section import make_method_section
from pitboss.reports.money_sections import make_win_section
from pitboss.reports.page import make_page
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.reports.report import GameReport
from pitboss.reports.sheet_csv import CSV_COLUMNS
from pitboss.reports.submission import Submission, SubmissionSettings, make_submission, open_submitted_round
from pitboss.reports.submission_page import SECTIONS, load_clauses
from pitboss.reports.worked_rounds import FOLD, LOSS, TIE, WIN, choose_stakes, find_examples, play_seeded_round
from pitboss.table.round import open_round
from reports.conftest import made


def submit(report: GameReport, settings: SubmissionSettings | None = None) -> GameReport:
    """Return a report with what a submission adds."""
    game, chosen = report.game, settings or SubmissionSettings()
    return replace(
        report,
        submission=make_submission(game, report.terms, report.sheets, chosen, lambda _: nullcontext(ignore_progress)),
    )


def get_submission(report: GameReport) -> Submission:
    """Return the submission of a report that has one."""
    assert report.submission is not None
    return report.submission


@pytest.fixture(scope="module")
def six_card() -> GameReport:
    """Return the submission of Six Card Poker."""
    return submit(made("six-card"))


def iter_sections(section: Section) -> Iterator[Section]:
    """Yield a section and all below it."""
    yield section
    for part in section.subsections:
        yield from iter_sections(part)


def list_cells(section: Section) -> list[tuple[str, ...]]:
    """Return the rows of all tables of a section and those below it."""
    tables = (block for part in iter_sections(section) for block in part.blocks if isinstance(block, TableBlock))
    return [row for table in tables for row in table.rows]


def test_a_clause_names_sections_that_there_are(six_card: GameReport) -> None:
    keys = {"summary", "clauses", *SECTIONS}
    for clause in load_clauses():
        assert set(clause.sections) <= keys
        assert clause.sections or clause.adds
    page = make_page(six_card)
    titles = {section.title.partition(" ")[0] for section in page.subsections}
    for _, _, places, adds in list_cells(page.subsections[1]):
        assert (places == "-" and adds) or set(places.split(", ")) <= titles


def test_sections_are_numbered_in_order(six_card: GameReport) -> None:
    page = make_page(six_card)
    assert [int(each.title.split()[0]) for each in page.subsections] == list(range(1, len(page.subsections) + 1))
    for section in page.subsections:
        number = section.title.split()[0]
        assert [part.title.split()[0] for part in section.subsections] == [
            f"{number}.{place}" for place in range(1, len(section.subsections) + 1)
        ]


@pytest.mark.parametrize("name", ["md", "xlsx", "json", "csv"])
def test_a_submission_is_the_same_bytes_again(name: str, six_card: GameReport) -> None:
    assert render_reports([six_card], name) == render_reports([submit(made("six-card"))], name)


@pytest.mark.more
@pytest.mark.parametrize("name", ["html", "pdf"])
def test_pages_have_every_section_and_chart(name: str, six_card: GameReport) -> None:
    document = render_reports([six_card], name)
    titles = [section.title for section in make_page(six_card).subsections]
    if name == "html":
        text = document.decode()
        assert text.count("<svg") == 3 * len(six_card.sheets) + 1  # nets, contributions, bands; a meter
    else:
        text = " ".join(" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(document)).pages)
    assert [title for title in titles if unescape(title) not in unescape(text)] == []


def test_the_json_has_figures_and_the_page(six_card: GameReport) -> None:
    found = json.loads(render_reports([six_card], "json"))["submission"]
    assert found["seats"] == 6
    assert set(found["return_bands"]) == {sheet.wager.id for sheet in six_card.sheets}
    assert [band["rounds"] for band in found["return_bands"]["main"][::3]] == [10**power for power in range(3, 8)]
    assert found["page"]["title"] == "Six Card Poker: submission"
    assert sum(each["at_most_cents"] for each in found["exposures"]) == found["exposure_cents"]
    assert "sheets" in json.loads(render_reports([six_card], "json"))


def test_the_csv_has_a_line_for_each_limit_award_and_hold(six_card: GameReport) -> None:
    rows = list(csv.DictReader(io.StringIO(render_reports([six_card], "csv").decode())))
    assert tuple(rows[0]) == CSV_COLUMNS
    low = next(row for row in rows if (row["bet"], row["name"]) == ("aces-up", "1000 rounds 95% low"))
    band = next(each for each in get_submission(six_card).bands["aces-up"] if each.confidence == Fraction(95, 100))
    assert Fraction(low["exact"]) == band.low.least
    kinds = [row["record"] for row in rows]
    assert kinds.count("award") == len(get_submission(six_card).awards)
    assert kinds.count("hold") == len(six_card.sheets)


def test_the_text_says_what_it_does_not_claim(six_card: GameReport) -> None:
    text = render_reports([six_card], "md").decode()
    assert "It is not a certificate" in text
    assert "takes minutes. `--protect` adds it" in text
    assert "proved upper bound" in text
    assert "The normal approximation is wrong up to 100,000 rounds" in text


def test_examples_show_a_win_a_loss_a_tie_and_a_fold_of_main(six_card: GameReport) -> None:
    shown = {each for example in get_submission(six_card).examples for each in example.shows}
    assert {("main", result) for result in (WIN, LOSS, TIE, FOLD)} <= shown
    assert {(bet, result) for bet in ("aces-up", "bad-beat", "progressive") for result in (WIN, LOSS)} <= shown
    assert get_submission(six_card).missing == ()


def test_the_deviation_of_an_hour_is_that_of_the_hours_own_distribution() -> None:
    """Derived again: every sequence of three rounds, in whole numbers."""
    report = submit(made("six-card"), SubmissionSettings(PlayerModel(1_000, rounds_per_hour=3)))
    cells = {row[0]: row for row in list_cells(make_win_section(report)) if len(row) > 5}
    checked = 0
    for sheet in report.sheets:
        if sheet.wager.name not in cells:
            continue
        hour: Counter[Fraction] = Counter({Fraction(0): 1})
        for _ in range(3):
            later = Counter[Fraction]()
            for (won, ways), (net, deals) in product(hour.items(), sheet.deals_by_net.items()):
                later[won + net] += ways * deals
            hour = later
        mean = Fraction(sum(net * ways for net, ways in hour.items()), hour.total())
        variance = Fraction(sum((net - mean) ** 2 * ways for net, ways in hour.items()), hour.total())
        stake = get_submission(report).get_bet_cents(sheet.wager)
        assert cells[sheet.wager.name][4] == format_cents(round(stake * sqrt(variance)))
        checked += 1
    assert checked >= 3


def test_terms_that_differ_are_in_the_commands(six_card: GameReport) -> None:
    report = made("six-card", "aces-up=SCP-03")
    player = PlayerModel(hours=Fraction(5, 2))
    settings = SubmissionSettings(player, 4, "washington", {"main": (1_000, 20_000)}, 30_000_00)
    changed = replace(
        report,
        terms=replace(report.terms, options={**report.terms.options, "award_rounding": "dollar"}),
        submission=replace(get_submission(six_card), settings=settings),
    )
    commands = dict(row for row in list_cells(make_method_section(changed)) if len(row) == 2)
    assert commands["Outcome table of Aces Up"] == (
        "pitboss par six-card --bet aces-up --paytable aces-up=SCP-03 --option award_rounding=dollar --json"
    )
    whole = commands["Bands, awards, exposure, hold"]
    assert "--seats 4" in whole
    assert "--hours 2.5" in whole
    assert "--preset washington --limit main=10-200 --aggregate-limit 30000" in whole


@pytest.mark.parametrize("name", load_games())
def test_examples_of_a_game_are_played_by_its_rules(name: str) -> None:
    """A round dealt again from its seed is the same round, and its procedure has a clause for each step."""
    game = load_game(name)
    opening = open_round(game)
    stakes = choose_stakes(opening)
    assert {stake.bet for stake in stakes} >= {wager.id for wager in game.wagers if wager.mandatory}
    wanted = {(game.main.id, result): Fraction(1, 4) for result in (WIN, LOSS)}
    examples = find_examples(opening, stakes, wanted, max_seeds=200)
    assert {each for example in examples for each in example.shows} == set(wanted)
    for example in examples:
        again = play_seeded_round(opening, stakes, example.seed or 0)
        assert again.events == example.played.events


@pytest.mark.parametrize("name", load_games())
def test_recorded_rounds_are_examples_under_edited_pays_too(name: str) -> None:
    """They show the same results of the main wager, with the pays that the report is about."""
    game = load_game(name)
    printed = open_round(game)
    pays = {kind: next(iter(table.lines)) for kind, table in printed.paytables.items()}
    edited = {
        kind: edit_paytable(game, table, {pays[kind]: format_pay_input(table.lines[pays[kind]].amount / 2)})
        for kind, table in printed.paytables.items()
    }
    assert edited != printed.paytables
    found = list[list[tuple[object, str]]]()
    for opening in (printed, open_round(game, paytables=edited)):
        wanted = {(game.main.id, result): Fraction(1, 10_000) for result in (WIN, LOSS, TIE)}
        examples = find_examples(opening, (), wanted, max_seeds=0)
        assert all(example.played.paytables == opening.paytables for example in examples)
        assert [example.recorded.endswith("pay tables") for example in examples] == [bool(found)] * len(examples)
        found.append([(example.shows, example.recorded.partition(",")[0]) for example in examples])
    assert found[0] == found[1] != []


def test_what_cannot_be_a_table_is_refused_before_anything_is_counted() -> None:
    report = made("six-card")
    for settings, error in (
        (SubmissionSettings(seats=7), IllegalActionError),
        (SubmissionSettings(preset="ohio"), UnknownNameError),
        (SubmissionSettings(limits={"main": (500, 100)}), WagerError),
    ):
        with pytest.raises(error):
            open_submitted_round(report.game, report.terms, settings)


def test_an_example_that_no_seed_shows_is_said_to_be_missing() -> None:
    opening = open_round(load_game("wild-52"))
    examples = find_examples(
        opening, choose_stakes(opening), {("main", "never"): Fraction(1, 2)}, ignore_progress, max_seeds=3
    )
    assert examples == ()
