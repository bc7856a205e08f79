"""What a submission to a test laboratory adds to the figures of a report."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hold import Hold, PlayerModel, compute_hold
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.return_band import ROUND_COUNTS, ReturnBand, compute_return_bands
from pitboss.analysis.round_exposure import (
    AggregateLimit,
    BetExposure,
    PaidLine,
    list_aggregate_limits,
    list_awards,
    measure_exposures,
)
from pitboss.analysis.strategy_cost import OpenProgress
from pitboss.contract import Game, StakeLimits, Wager
from pitboss.reports.sheet_csv import Record, make_value_record
from pitboss.reports.worked_rounds import (
    Example,
    choose_stakes,
    find_examples,
    list_possible_results,
    play_seeded_round,
)
from pitboss.table.round import Round, open_round
from pitboss.table.round.wagers import CentsRange, verify_limits

SUBMISSION = "submission"
"""The purpose of a report that has sections for a test laboratory and a regulator."""

_PROCEDURE_SEATS = 2


@dataclass(frozen=True, slots=True)
class SubmissionSettings:
    """The settings of a submission: the table and the player that it assumes.

    ``seats`` of 0 are all seats of the game.  ``player`` bets flat on one bet.  ``aggregate_cents`` is an aggregate
    limit to price, next to the least one that is allowed.
    """

    player: PlayerModel = field(default_factory=PlayerModel)
    seats: int = 0
    preset: str = ""
    limits: Mapping[str, CentsRange] = field(default_factory=dict)
    aggregate_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """The figures that a laboratory and a regulator ask for, next to PAR sheets.

    ``opening`` is the table, without stakes.  ``bands`` has each bet's bands for all numbers of rounds, ``missing`` the
    results of which no example was found, ``procedure`` a round whose steps are the dealing procedure.
    """

    settings: SubmissionSettings
    opening: Round
    bands: Mapping[str, tuple[ReturnBand, ...]]
    awards: tuple[PaidLine, ...]
    exposures: tuple[BetExposure, ...]
    aggregate_limits: tuple[AggregateLimit, ...]
    holds: tuple[Hold, ...]
    examples: tuple[Example, ...]
    missing: tuple[tuple[str, str], ...]
    procedure: Round

    @property
    def seats(self) -> int:
        """The seats that are all taken."""
        return self.settings.seats or self.opening.game.seats

    @property
    def limits(self) -> Mapping[str, StakeLimits]:
        """The table limits of each bet."""
        return self.opening.limits

    @property
    def exposure_cents(self) -> Fraction:
        """The most that one round can cost the house: a proved upper bound."""
        return sum((each.total_cents for each in self.exposures), Fraction(0))

    def get_bet_cents(self, wager: Wager) -> int:
        """Return the player's stake on a bet, within the table's limits."""
        limits = self.limits[wager.id]
        return max(limits.minimum_cents, min(limits.maximum_cents, self.settings.player.bet_cents))

    def as_json(self) -> dict[str, Any]:
        """Return the figures with their names in JSON."""
        return {
            "seats": self.seats,
            "return_bands": {bet: [band.as_json() for band in bands] for bet, bands in self.bands.items()},
            "awards": [award.as_json() for award in self.awards],
            "exposure_cents": float(self.exposure_cents),
            "exposures": [each.as_json() for each in self.exposures],
            "aggregate_limits": [each.as_json() for each in self.aggregate_limits],
            "holds": [each.as_json() for each in self.holds],
            "examples": [
                {"seed": each.seed, "recorded": each.recorded, "shows": [list(pair) for pair in each.shows]}
                for each in self.examples
            ],
        }


def open_submitted_round(game: Game, terms: GameTerms, settings: SubmissionSettings, seats: int = 1) -> Round:
    """Open a round under the terms, which checks them before anything is counted.

    Raises:
        IllegalActionError, WagerError, UnknownNameError: as ``open_round``; the limits contradict one another.
    """
    open_round(game, settings.seats or game.seats)
    opening = open_round(
        game, seats, options=terms.options, paytables=terms.paytables, preset=settings.preset, limits=settings.limits
    )
    verify_limits(game, terms.options, opening.limits)
    return opening


def make_submission(
    game: Game,
    terms: GameTerms,
    sheets: Sequence[ParSheet],
    settings: SubmissionSettings,
    open_progress: OpenProgress,
) -> Submission:
    """Compute what a submission adds to sheets (raises ``open_submitted_round``'s)."""
    opening = open_submitted_round(game, terms, settings)
    bets = [sheet for sheet in sheets if sheet.wager in game.wagers]  # parts of main are in main's own sheet
    with open_progress(f"what {game.name} returns after many rounds") as progress:
        bands = {}
        for done, sheet in enumerate(bets, start=1):
            nets = sheet.deals_by_net
            bands[sheet.wager.id] = tuple(chain(*(compute_return_bands(nets, rounds) for rounds in ROUND_COUNTS)))
            progress(done, len(bets))
    exposures = measure_exposures(bets, opening.limits, terms.options, settings.seats or game.seats)
    stakes = choose_stakes(opening)
    wanted = list_possible_results(bets, stakes)
    with open_progress(f"example rounds of {game.name}") as progress:
        examples = find_examples(opening, stakes, wanted, progress)
    table = open_submitted_round(game, terms, settings, min(_PROCEDURE_SEATS, game.seats))
    found = {each for example in examples for each in example.shows}
    submission = Submission(
        settings,
        opening,
        bands,
        list_awards(bets),
        exposures,
        tuple(list_aggregate_limits(exposures, settings.aggregate_cents)),
        (),
        examples,
        tuple(each for each in wanted if each not in found),
        play_seeded_round(table, choose_stakes(table), 0),
    )
    holds = (compute_hold(sheet, submission.get_bet_cents(sheet.wager), settings.player) for sheet in bets)
    return replace(submission, holds=tuple(hold for hold in holds if hold))


def iter_submission_records(submission: Submission) -> Iterator[Record]:
    """Yield the bands, awards, exposures and holds as lines of CSV, without the game."""
    for bet, bands in submission.bands.items():
        for band in bands:
            name = f"{band.rounds} rounds {float(band.confidence):.0%}"
            for side, ends in (("low", band.low), ("high", band.high)):
                for end in dict.fromkeys(ends):
                    yield {"bet": bet, "record": "band", **make_value_record(f"{name} {side}", end)}
            for figure in ("normal_low", "normal_high", "normal_probability"):
                yield {"bet": bet, "record": "band", "name": f"{name} {figure}", "value": getattr(band, figure)}
    for award in submission.awards:
        about = {"bet": award.sheet.wager.id, "paytable": award.table.id, "record": "award", "name": award.line}
        yield {**about, "deals": award.deals, "probability": float(award.probability)}
    for exposure in submission.exposures:
        value = make_value_record("at_most_cents", exposure.total_cents)
        yield {"bet": exposure.sheet.wager.id, "record": "exposure", **value}
    for hold in submission.holds:
        yield {"bet": hold.sheet.wager.id, "record": "hold", "name": "hold", "value": hold.hold}
