"""The options of ``pitboss report --for submission``: the table, the player."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.analysis.hold import PlayerModel
from pitboss.cli.arguments import parse_dollars, parse_limits
from pitboss.core.errors import ReportError, UnknownNameError, quote
from pitboss.reports.report import ReportAssumptions
from pitboss.reports.submission import SUBMISSION, SubmissionSettings
from pitboss.simulate.session_distribution import verify_session


@dataclass(frozen=True, slots=True)
class SubmissionWords:
    """The options of a submission as written; None or empty if they are not."""

    seats: int | None = None
    limit: list[str] | None = None
    preset: str = ""
    hours: str | None = None
    buy_in: str | None = None
    aggregate_limit: str | None = None

    @property
    def names(self) -> list[str]:
        """The options that are written."""
        fields = ("seats", "limit", "preset", "hours", "buy_in", "aggregate_limit")
        return [f"--{name.replace('_', '-')}" for name in fields if getattr(self, name)]


def parse_submission(purpose: str, assumptions: ReportAssumptions, words: SubmissionWords) -> SubmissionSettings | None:
    """Parse the options of a submission; None if the report is not for one.

    Raises:
        UnknownNameError: a report has no such purpose.
        ReportError: an option of a submission is given without one, or hours are not a number above zero.
        SessionError: the hours have too many rounds, or none.
        WagerError: an amount or a limit is malformed.
    """
    if not purpose:
        if words.names:
            message = f"{words.names[0]} belongs to a submission: add --for {SUBMISSION}"
            raise ReportError(message, code="needs-submission")
        return None
    if purpose != SUBMISSION:
        raise UnknownNameError("purpose", purpose, (SUBMISSION,))
    default = PlayerModel()
    player = PlayerModel(
        assumptions.average_bet_cents,
        assumptions.rounds_per_hour,
        default.hours if words.hours is None else _parse_hours(words.hours),
        default.buy_in_cents if words.buy_in is None else parse_dollars(words.buy_in, "--buy-in"),
    )
    verify_session(player.rounds, None, 0)
    return SubmissionSettings(
        player,
        words.seats or 0,
        words.preset,
        parse_limits(words.limit or []),
        None if words.aggregate_limit is None else parse_dollars(words.aggregate_limit, "--aggregate-limit"),
    )


def _parse_hours(text: str) -> Fraction:
    try:
        hours = Fraction(text)
    except (ValueError, ZeroDivisionError):
        hours = Fraction(0)
    if hours <= 0:
        raise ReportError(
            f"{quote(text)} is not a number of hours: write more than zero, for example 3.5", code="not-hours"
        )
    return hours
