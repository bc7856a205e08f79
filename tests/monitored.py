"""Bets to monitor in tests, with their known counts, so that nothing is counted."""

from dataclasses import replace

from cli.conftest import KNOWN, SOLVED
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.par_sheet import build_main_sheet, build_par_sheet
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables


def load_known_bet(game_id: str, bet: str) -> MonitoredBet:
    """Return a bet at its default pay table, or main of a game whose solution is known."""
    game = load_game(game_id)
    tables, options = select_paytables(game), resolve_options(game, {})
    if bet == "main":
        return MonitoredBet(replace(build_main_sheet(game, tables, options, SOLVED[game_id]), strategy="main"))
    counts = [int(count) for count in KNOWN[game_id, bet].split()]
    return MonitoredBet(build_par_sheet(game, find_bet(game, bet), tables, options, counts))
