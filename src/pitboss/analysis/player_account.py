"""What a player's wagers returned, against the exact expectation and its band."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.return_band import compute_return_bands
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, WagerError
from pitboss.core.money import format_cents

BANKROLL = "bankroll"
BANKROLL_COLUMNS = ("round", "net_cents", "expected_cents")

ACCOUNT_CONFIDENCE = Fraction(95, 100)
"""The probability of the band that a player's result is compared with."""

MOST_POINTS = 400
"""The most points of a curve; those of a longer one are evenly spread, with the last."""


class PlayedBet(NamedTuple):
    """A player's wagers on a bet at one stake, under the same pays and options.

    ``shares_rounds`` says that a round had several of them, which are on hands of one deck.
    """

    game: Game
    bet: str
    terms: GameTerms
    stake_cents: int
    wagers: int
    staked_cents: int
    net_cents: int
    shares_rounds: bool = False


class JudgedBet(NamedTuple):
    """A player's wagers with what the best play expects of them, in cents.

    Chance alone takes the result out of ``band_cents`` in one of twenty such bets.  ``reason`` says why the expectation
    or the band is not known.
    """

    played: PlayedBet
    expected_cents: Fraction | None = None
    band_cents: tuple[float, float] | None = None
    reason: str = ""

    @property
    def rounded_expected_cents(self) -> int | None:
        """The expectation in whole cents, as it is printed; the printed sums add these."""
        return None if self.expected_cents is None else round(self.expected_cents)

    @property
    def is_outside(self) -> bool:
        """Whether the result is outside the band."""
        return bool(self.band_cents and not self.band_cents[0] <= self.played.net_cents <= self.band_cents[1])

    def as_json(self) -> dict[str, Any]:
        """Return the bet with its names in JSON."""
        played, expected = self.played, self.expected_cents
        return {
            "game": played.game.id,
            "bet": played.bet,
            "paytables": list_paytable_ids(played),
            "options": dict(played.terms.options),
            "stake_cents": played.stake_cents,
            "wagers": played.wagers,
            "staked_cents": played.staked_cents,
            "net_cents": played.net_cents,
            "expected_cents": None if expected is None else float(expected),
            "expected_cents_exact": None if expected is None else format_fraction(expected),
            "confidence": float(ACCOUNT_CONFIDENCE),
            "band_cents": self.band_cents and list(self.band_cents),
            "reason": self.reason,
        }


def list_paytable_ids(played: PlayedBet) -> list[str]:
    """List the pay tables that pay a bet."""
    return [played.terms.paytables[kind].id for kind in find_bet(played.game, played.bet).paytable_kinds]


def judge_bet(played: PlayedBet, compute_sheet: Callable[[PlayedBet], ParSheet]) -> JudgedBet:
    """Compare a player's wagers with the exact sheet of their bet.

    A refusal of ``compute_sheet`` is the reason why nothing is expected.
    """
    try:
        sheet = compute_sheet(played)
        if any(line.meter_percent for line in sheet.lines):
            raise WagerError("its awards depend on the current meter", code="depends-on-meter", bet=played.bet)
    except PitbossError as error:
        return JudgedBet(played, reason=str(error))
    expected = sheet.expected_value * played.wagers * played.stake_cents
    if played.shares_rounds:
        return JudgedBet(played, expected, reason="several wagers of a round were on hands of one deck")
    (band,) = compute_return_bands(sheet.deals_by_net, played.wagers, [ACCOUNT_CONFIDENCE])
    scale = played.wagers * played.stake_cents
    return JudgedBet(played, expected, (float(band.low.least * scale), float(band.high.most * scale)))


class BankrollRound(NamedTuple):
    """A round's result in cents, and the wagers by which place in a list of bets."""

    net_cents: int
    bets: tuple[int, ...]


def make_bankroll_chart(rounds: Sequence[BankrollRound], judged: Sequence[JudgedBet]) -> ChartData:
    """Return a player's result after each round, with the expectation so far."""
    each = [bet.expected_cents and bet.expected_cents / bet.played.wagers for bet in judged]
    totals, net, expected = list[tuple[int, int, float]](), 0, Fraction(0)
    for number, played in enumerate(rounds, 1):
        net += played.net_cents
        expected += sum((each[place] or Fraction(0) for place in played.bets), Fraction(0))
        totals.append((number, net, float(expected)))
    last, count = len(totals) - 1, min(len(totals), MOST_POINTS)
    rows = tuple(totals[round(last * place / max(1, count - 1))] for place in range(count))
    about = "What all rounds so far won or lost, in dollars, and what the best play expects of the same wagers."
    if totals:
        low, high = min(totals, key=lambda total: total[1]), max(totals, key=lambda total: total[1])
        about += f" Lowest {format_cents(low[1])} after round {low[0]:,}, highest {format_cents(high[1])} after round "
        about += f"{high[0]:,}, now {format_cents(net)}."
    if any(bet.expected_cents is None for bet in judged):
        about += " Bets without an expectation are in the result only."
    return ChartData(BANKROLL, "", "Your bankroll: the result, round after round", about, BANKROLL_COLUMNS, rows)


def sum_account(judged: Sequence[JudgedBet]) -> Mapping[str, Any]:
    """Return the sums over all bets that have an expectation."""
    known = [bet for bet in judged if bet.expected_cents is not None]
    expected = sum((bet.expected_cents or Fraction(0) for bet in known), Fraction(0))
    return {
        "expected_cents": float(expected),
        "net_cents": sum(bet.played.net_cents for bet in known),
        "staked_cents": sum(bet.played.staked_cents for bet in known),
    }
