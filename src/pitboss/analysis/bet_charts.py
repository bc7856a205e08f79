"""The data of the charts of one bet, from its exact sheet."""

from collections.abc import Iterable

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.return_band import CONFIDENCES, ReturnBand, compute_return_bands
from pitboss.core.progress import ProgressCallback, ignore_progress

BAND, CONTRIBUTION = "band", "contribution"

MOST_ROUNDS = 1_000_000
"""The greatest number of rounds of a band, unless another is asked for."""

LEAST_ROUNDS, MOST_BAND_ROUNDS = 100, 10_000_000

BAND_COLUMNS = ("rounds", "confidence", "low", "high", "normal_low", "normal_high", "normal_probability")

CONTRIBUTION_COLUMNS = ("outcome", "net", "net_exact", "deals", "probability", "contribution", "contribution_exact")


def make_contribution_chart(sheet: ParSheet) -> ChartData:
    """Return what each outcome adds to a bet's expected net, the largest first.

    Outcomes without deals are left out.
    """
    lines = sorted((line for line in sheet.lines if line.deals), key=lambda line: -abs(line.contribution))
    rows = tuple(
        (
            line.outcome.name,
            float(line.net),
            format_fraction(line.net),
            line.deals,
            float(line.probability),
            float(line.contribution),
            format_fraction(line.contribution),
        )
        for line in lines
    )
    about = "What each outcome adds to the expected net of a unit staked, the largest first."
    if sheet.bounds:
        about += " The play is the best for other pays."
    return ChartData(
        CONTRIBUTION,
        sheet.game.id,
        f"{name_bet(sheet)}: what each outcome wins or costs the player",
        about,
        CONTRIBUTION_COLUMNS,
        rows,
        {"bet": sheet.wager.id, "expected_value": float(sheet.expected_value)},
    )


def compute_band_chart(
    sheet: ParSheet, most_rounds: int = MOST_ROUNDS, progress: ProgressCallback = ignore_progress
) -> ChartData:
    """Compute the bands of a bet's return from 100 rounds to ``most_rounds``.

    The numbers of rounds are 1, 2 and 5 times a power of ten.  ``progress`` counts them.

    Raises:
        SessionError: as ``compute_return_bands``.
    """
    nets, counts, bands = sheet.deals_by_net, list_round_counts(most_rounds), list[ReturnBand]()
    for done, rounds in enumerate(counts, 1):
        bands += compute_return_bands(nets, rounds, CONFIDENCES)
        progress(done, len(counts))
    return make_band_chart(sheet, bands)


def list_round_counts(most: int) -> list[int]:
    """List numbers of rounds in even steps of a logarithmic scale.

    >>> list_round_counts(1_500)
    [100, 200, 500, 1000, 1500]
    """
    counts = [digit * 10**power for power in range(2, len(str(most))) for digit in (1, 2, 5)]
    return [*(each for each in counts if each < most), most]


def make_band_chart(sheet: ParSheet, bands: Iterable[ReturnBand]) -> ChartData:
    """Return the chart of a bet's bands; a limit that is open has its outer end.

    A return is 1 plus the average net of a round, per unit staked.
    """
    rows = tuple(
        (
            band.rounds,
            float(band.confidence),
            1 + float(band.low.least),
            1 + float(band.high.most),
            1 + band.normal_low,
            1 + band.normal_high,
            band.normal_probability,
        )
        for band in sorted(bands, key=lambda band: (band.rounds, band.confidence))
    )
    return ChartData(
        BAND,
        sheet.game.id,
        f"{name_bet(sheet)}: the return by rounds played",
        "The return of a number of rounds is within a band with its probability; it is below with at most half of what "
        "is left, and above with at most the other half. Normal from "
        "and to: the band by the normal approximation. In normal: the exact probability of a return within that.",
        BAND_COLUMNS,
        rows,
        {"bet": sheet.wager.id, "return": float(1 + sheet.expected_value)},
    )


def name_bet(sheet: ParSheet) -> str:
    """Return the name of a sheet's bet with its pay tables.

    >>> from pitboss.games import load_game
    >>> game = load_game("six-card")
    >>> name_bet(ParSheet(game, game.wagers[0], (), {}, (), {}))
    'Ante and Play'
    """
    tables = " ".join(table.id for table in sheet.paytables)
    return f"{sheet.wager.name}{f', {tables}' if tables else ''}"
