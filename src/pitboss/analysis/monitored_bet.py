"""What is known of a bet whose results are monitored: its lines and its nets."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.sequential_test import KnownDistribution
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.censuses import CardSetCensus, LastCardCensus
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.errors import MonitorError

_CENTS = 100


@dataclass(frozen=True)
class MonitoredBet:
    """A bet with its exact sheet, as the reference for actual results.

    Raises:
        MonitorError: the bet depends on the play and is not main, or the best play for its pays is not known.
    """

    sheet: ParSheet

    def __post_init__(self) -> None:
        """Check that the sheet is a limit for every play, or raise MonitorError."""
        if self.depends_on_play and not self.sheet.is_main:
            raise MonitorError(
                f"{self.id} of {self.sheet.game.id} cannot be judged: it depends on how main is played, and the "
                "best play for main is not the best for it; monitor main or another bet",
                code="depends-on-play",
                bet=self.id,
            )
        if self.sheet.bounds:
            raise MonitorError(
                f"the best play of {self.sheet.game.id} for these pays is not known: find it with pitboss solve",
                code="play-not-known",
                game=self.sheet.game.id,
            )

    @property
    def id(self) -> str:
        """The id of the bet."""
        return self.sheet.wager.id

    @cached_property
    def nets(self) -> dict[str, Fraction]:
        """The net of each possible outcome, per unit staked.

        Where the player decides, these are all outcomes, as another play than the best may lead to them.
        """
        return {line.outcome.name: line.net for line in self.sheet.lines if line.deals or self.depends_on_play}

    @cached_property
    def chances(self) -> dict[str, Fraction]:
        """The probability of every outcome, also of those that no deal makes."""
        return {line.outcome.name: line.probability for line in self.sheet.lines}

    @cached_property
    def depends_on_play(self) -> bool:
        """Whether the player's decisions affect the outcome."""
        return depends_on_play(self.sheet.game, self.sheet.wager, self.sheet.options)

    @property
    def has_meter(self) -> bool:
        """Whether an award depends on a meter, so that the nets are not known."""
        return any(line.meter_percent for line in self.sheet.lines)

    @property
    def fixed_stake_cents(self) -> int | None:
        """The only possible stake, if there is only one."""
        limits = self.sheet.wager.limits
        if self.sheet.has_dollar_pays:
            return _CENTS
        return limits.minimum_cents if limits.minimum_cents == limits.maximum_cents else None

    @property
    def may_stake_more(self) -> bool:
        """Whether more than the stake may be put down: raises, or a tax."""
        return self.sheet.is_main or min(self.nets.values()) < -1

    @property
    def is_tax_possible(self) -> bool:
        """Whether more than the stake may be lost although no more is put down."""
        return self.sheet.has_dollar_pays

    @cached_property
    def results(self) -> KnownDistribution:
        """The distribution of the net of a wager, per unit staked."""
        total = self.sheet.deals
        return KnownDistribution({net: Fraction(deals, total) for net, deals in self.sheet.deals_by_net.items()})

    def get_line_distribution(self, line: str) -> KnownDistribution:
        """Return the distribution of the number of hits of a line by one wager."""
        chance = self.chances[line]
        return KnownDistribution({Fraction(0): 1 - chance, Fraction(1): chance})


def count_shared_wagers(game: Game, wager: Wager) -> int:
    """Return how many wagers of a round the same cards may decide.

    A bet on nothing but the seat's own cards shares none.  Two hands from one deck are nearly independent; that is
    measured in docs/monitor.md.  Every seat may bet on each other one's hand.

    >>> from pitboss.games import load_game
    >>> six_card = load_game("six-card")
    >>> [count_shared_wagers(six_card, wager) for wager in six_card.wagers]
    [6, 1, 6, 1]
    """
    if wager.hand_owner is HandOwner.OTHER_SEAT:
        return max(1, game.seats * (game.seats - 1))
    own_cards = sum(zone.cards for zone in game.deal_order if zone.destination == "seat")
    own_hand = wager.hand_owner is HandOwner.OWN_HAND
    if own_hand and isinstance(wager.census, CardSetCensus) and wager.census.cards <= own_cards:
        return 1
    return 1 if own_hand and isinstance(wager.census, LastCardCensus) and wager is not game.main else game.seats
