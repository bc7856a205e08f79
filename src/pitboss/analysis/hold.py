"""The hold on drop of a bet: what a table keeps of the chips that a player buys."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.analysis.par_sheet import ParSheet
from pitboss.simulate.session_distribution import MAX_SPREAD, compute_session


@dataclass(frozen=True, slots=True)
class PlayerModel:
    """A player who buys in once and bets flat until the time or the chips end."""

    bet_cents: int = 2_500
    rounds_per_hour: int = 40
    hours: Fraction = Fraction(4)
    buy_in_cents: int = 50_000

    @property
    def rounds(self) -> int:
        """The whole rounds that the time allows."""
        return int(self.hours * self.rounds_per_hour)


@dataclass(frozen=True, slots=True)
class Hold:
    """What a player of a model loses on one bet.

    ``rounds`` is how many rounds the player's chips last on average, ``hold`` the mean loss of the buy-in's share, and
    ``ruin`` the probability that the chips do not last.
    """

    sheet: ParSheet
    bet_cents: int
    rounds: float
    loss_cents: float
    hold: float
    ruin: float

    def as_json(self) -> dict[str, object]:
        """Return the hold with its names in JSON."""
        return {
            "bet": self.sheet.wager.id,
            "bet_cents": self.bet_cents,
            "rounds": self.rounds,
            "loss_cents": self.loss_cents,
            "hold": self.hold,
            "ruin": self.ruin,
        }


def compute_hold(sheet: ParSheet, bet_cents: int, model: PlayerModel) -> Hold | None:
    """Compute the hold on drop of a bet alone.

    The player stops as soon as the chips do not cover the most that a round may cost.  Return None if the buy-in does
    not cover the first round, or if the results are too far apart for a session.
    """
    unit, nets = sheet.scale_nets()
    cost, bankroll = -min(nets), int(Fraction(model.buy_in_cents * unit, bet_cents))
    if bankroll < cost or max(nets) - min(nets) > MAX_SPREAD:
        return None
    session = compute_session(nets, model.rounds, bankroll, cost)
    loss = -session.mean * bet_cents / unit
    rounds = float((1 - session.ruined_by[:-1]).sum())
    return Hold(sheet, bet_cents, rounds, loss, loss / model.buy_in_cents, session.risk_of_ruin)
