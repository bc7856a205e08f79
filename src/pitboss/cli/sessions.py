"""Sessions and meters as people read them: what a simulation comes to for a player's evening and a house's year."""

from fractions import Fraction

from rich.console import Group
from rich.table import Table
from rich.text import Text

from pitboss.simulate.progressive import LongRun, Tally
from pitboss.simulate.sessions import Pace, Session

_PERCENTS = (1, 5, 25, 50, 75, 95, 99)


def drawn_session(found: Session, unit: int, mean_net: Fraction, pace: Pace, bankroll: Fraction | None) -> Group:
    """Draw a session of which ``unit`` units are one Ante; ``mean_net`` is a round's, in Antes as ``bankroll`` is."""
    table = _figures()
    hours = f"{float(pace.hours(found.rounds)):.1f} hours at {pace.rounds_an_hour} rounds an hour"
    table.add_row("Rounds", f"{found.rounds:,}", hours)
    if bankroll is not None:
        table.add_row("Bankroll", f"{float(bankroll):,g}", "Antes; it ends when that does not cover a round any more")
        table.add_row("Risk of ruin", f"{found.risk_of_ruin:.4%}", style="bold")
    table.add_row("Mean result", f"{found.mean / unit:+,.4f}", "Antes")
    table.add_row("Standard deviation", f"{found.standard_deviation / unit:,.4f}")
    table.add_row("Ends ahead", f"{found.ahead:.4%}")
    table.add_row("Ends even", f"{found.even:.4%}")
    table.add_row("Ends behind", f"{1 - found.ahead - found.even:.4%}")
    for percent in _PERCENTS:
        table.add_row(f"{percent}% end at or below", f"{found.percentile(percent) / unit:+,g}")
    seats = f"from {pace.seats} seat{'' if pace.seats == 1 else 's'}"
    table.add_row("The house wins", f"{float(pace.house_wins(mean_net)):+,.4f}", f"Antes an hour {seats}")
    return Group(Text(), Text("A session", "bold"), table)


def session_as_json(
    found: Session, unit: int, mean_net: Fraction, pace: Pace, bankroll: Fraction | None
) -> dict[str, object]:
    """Return a session's figures in Antes."""
    ruin = {} if bankroll is None else {"bankroll": float(bankroll), "risk_of_ruin": found.risk_of_ruin}
    return {
        "rounds": found.rounds,
        "rounds_an_hour": pace.rounds_an_hour,
        "hours": float(pace.hours(found.rounds)),
        **ruin,
        "mean": found.mean / unit,
        "standard_deviation": found.standard_deviation / unit,
        "ahead": found.ahead,
        "even": found.even,
        "percentiles": {str(percent): found.percentile(percent) / unit for percent in _PERCENTS},
        "house_wins_an_hour": float(pace.house_wins(mean_net)),
        "neglected_probability": found.neglected,
    }


def drawn_meter(found: LongRun) -> Group:
    """Draw what a progressive came to."""
    table = _figures()
    rounds, dry, jackpots = (found.total(tally) for tally in (Tally.ROUNDS, Tally.DRY, Tally.JACKPOTS))
    run = found.run
    table.add_row("Rounds", f"{rounds:,}", f"{found.seats} seats, a dollar each")
    shares = f"{run.meter_bps / 100:g}% to the meter, {run.reserve_bps / 100:g}% to the reserve"
    table.add_row("Wagered", _dollars(found.total(Tally.WAGERS)), shares)
    table.add_row(
        "The house holds", f"{float(found.hold):.4%}", f"standard error {found.standard_error:.4%}", style="bold"
    )
    often = f"1 round in {rounds / dry:,.0f}; the tray paid {_dollars(found.total(Tally.SHORT))}" if dry else "never"
    table.add_row("Runs dry", f"{dry:,}", often)
    if jackpots:
        mean = f"mean {_dollars(found.total(Tally.JACKPOTS_PAID) / jackpots)}, "
        highest = f"highest {_dollars(found.total(Tally.HIGHEST_JACKPOT))}"
        table.add_row("Jackpots", f"{jackpots:,}", mean + highest)
    else:
        table.add_row("Jackpots", "0")
    table.add_row("Meter, mean", _dollars(found.mean_display_cents), f"from a seed of {_dollars(run.terms.seed_cents)}")
    for percent in (5, 50, 95, 99):
        table.add_row(f"{percent}% of rounds below", _dollars(found.display_percentile_cents(percent)))
    table.add_row("Meter, highest", _dollars(found.total(Tally.HIGHEST)))
    return Group(Text(), Text("The progressive", "bold"), table)


def _dollars(cents: float | Fraction) -> str:
    return f"${float(cents) / 100:,.2f}"


def _figures() -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1))
    for justify, style in (("left", ""), ("right", ""), ("left", "dim")):
        table.add_column(justify=justify, style=style)  # type: ignore[arg-type]
    return table
