"""What the page *My play* shows of a guest's wagers, judged by a worker."""

from collections import OrderedDict
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from pitboss.analysis.exact_par_sheet import find_bet, is_affected_by_play
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.player_account import (
    BankrollRound,
    JudgedBet,
    PlayedBet,
    judge_bet,
    make_bankroll_chart,
    sum_account,
)
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_svg
from pitboss.web.jobs.functions import compute_sheet, make_paytable_key
from pitboss.web.jobs.spec import ACCOUNTS, JobSpec
from pitboss.web.jobs.worker import report_job_progress

_MOST_SHEETS = 64

_SHEETS: OrderedDict[tuple[Any, ...], ParSheet] = OrderedDict()
"""The sheets that this process used last: a guest's next round needs the same."""


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
    plays = is_affected_by_play(game, wager, terms.options)
    kinds = dict.fromkeys((*wager.paytable_kinds, *(game.main.paytable_kinds if plays else ())))
    pays = tuple((kind, make_paytable_key(terms.paytables[kind])) for kind in kinds)
    return game.id, played.bet, pays, tuple(sorted(terms.options.items()))


def build_account_job(bets: tuple[PlayedBet, ...], rounds: tuple[BankrollRound, ...]) -> JobSpec:
    """Build the job that judges a guest's bets and draws the results."""
    asked = [(make_bet_key(each), each[3:]) for each in bets], rounds
    return JobSpec(ACCOUNTS, sha256(repr(asked).encode()).digest(), judge_account, (bets, rounds))


def judge_account(bets: tuple[PlayedBet, ...], rounds: tuple[BankrollRound, ...]) -> AccountContent:
    """Judge a guest's bets and draw the results.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    judged = list[JudgedBet]()
    for number, bet in enumerate(bets, start=1):
        what = f"{bet.game.name}, {find_bet(bet.game, bet.bet).name}: bet {number} of {len(bets)}"
        judged.append(judge_bet(bet, partial(_get_sheet, what=what)))
    chart = make_bankroll_chart(rounds, judged)
    data = {**sum_account(judged), "bets": [bet.as_json() for bet in judged], "bankroll": chart.list_records()}
    svg = to_svg(draw_chart(chart), "bankroll", chart.title, chart.about) if rounds else ""
    return AccountContent(tuple(judged), chart.title, chart.about, svg, data)


def _get_sheet(bet: PlayedBet, what: str) -> ParSheet:
    key = make_bet_key(bet)
    if key not in _SHEETS:
        progress = partial(report_job_progress, what=what)
        progress(0, 1)
        _SHEETS[key] = compute_sheet(bet.game, find_bet(bet.game, bet.bet), bet.terms, progress)
    _SHEETS.move_to_end(key)
    while len(_SHEETS) > _MOST_SHEETS:
        _SHEETS.popitem(last=False)
    return _SHEETS[key]
