"""What the page *My play* shows of a guest's wagers, judged by a worker."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.player_account import (
    BankrollRound,
    JudgedBet,
    PlayedBet,
    judge_bet,
    make_bankroll_chart,
    sum_account,
)
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.contract import Game, Wager
from pitboss.core.errors import PitbossError
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_svg
from pitboss.web.jobs.page_jobs import compute_sheet, make_paytable_key
from pitboss.web.jobs.spec import ACCOUNTS, SHEETS, SOLVED, JobSpec
from pitboss.web.jobs.worker import unpickle_object

BEING_COUNTED = "being counted"
"""The reason why a bet has no expectation yet."""


class AccountContent(NamedTuple):
    """A guest's bets, judged, and the curve of the results as a picture."""

    bets: tuple[JudgedBet, ...]
    title: str
    about: str
    svg: str
    data: dict[str, Any]


def make_bet_key(played: PlayedBet) -> tuple[Any, ...]:
    """Return what tells a bet under its pays and options from any other."""
    game, terms = played.game, played.terms
    wager = find_bet(game, played.bet)
    plays = depends_on_play(game, wager, terms.options)
    kinds = dict.fromkeys((*wager.paytable_kinds, *(game.main.paytable_kinds if plays else ())))
    pays = tuple((kind, make_paytable_key(terms.paytables[kind])) for kind in kinds)
    return game.id, played.bet, pays, tuple(sorted(terms.options.items()))


def build_bet_job(played: PlayedBet) -> JobSpec:
    """Build the job that counts the sheet of a bet.

    It runs on the quick worker if chance alone decides the bet.
    """
    wager = find_bet(played.game, played.bet)
    kind = SOLVED if depends_on_play(played.game, wager, played.terms.options) else SHEETS
    return JobSpec(kind, make_bet_key(played), count_bet, (played.game, wager, played.terms))


def count_bet(game: Game, wager: Wager, terms: GameTerms) -> ParSheet | str:
    """Return the exact sheet of a bet, or why it has none: that is kept too."""
    try:
        return compute_sheet(game, wager, terms)
    except PitbossError as error:
        return str(error)


def build_account_job(
    bets: Sequence[PlayedBet], sheets: Sequence[bytes | None], rounds: tuple[BankrollRound, ...]
) -> JobSpec:
    """Build the job that judges a guest's bets and draws the results.

    ``sheets`` are the pickled results of ``build_bet_job``, None while a bet is counted.
    """
    known = [sheet is not None for sheet in sheets]
    asked = [(make_bet_key(each), each[3:]) for each in bets], known, rounds
    key = sha256(repr(asked).encode()).digest()
    return JobSpec(ACCOUNTS, key, judge_account, (tuple(bets), tuple(sheets), rounds))


def judge_account(
    bets: tuple[PlayedBet, ...], sheets: tuple[bytes | None, ...], rounds: tuple[BankrollRound, ...]
) -> AccountContent:
    """Judge the bets of a guest that are counted, and draw all results.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    judged = [_judge_counted(bet, sheet) for bet, sheet in zip(bets, sheets, strict=True)]
    chart = make_bankroll_chart(rounds, judged)
    data = {**sum_account(judged), "bets": [bet.as_json() for bet in judged], "bankroll": chart.list_records()}
    svg = to_svg(draw_chart(chart), "bankroll", chart.title, chart.about) if rounds else ""
    return AccountContent(tuple(judged), chart.title, chart.about, svg, data)


def _judge_counted(bet: PlayedBet, payload: bytes | None) -> JudgedBet:
    if payload is None:
        return JudgedBet(bet, reason=BEING_COUNTED)
    found: ParSheet | str = unpickle_object(payload)
    return JudgedBet(bet, reason=found) if isinstance(found, str) else judge_bet(bet, lambda _: found)
