"""The page of a report, of PAR sheets or for a submission."""

from pitboss.reports.document import Section
from pitboss.reports.par_page import make_par_page
from pitboss.reports.report import GameReport
from pitboss.reports.submission_page import make_submission_page


def make_page(report: GameReport) -> Section:
    """Return the page of a report, in the form that it was made for."""
    return make_submission_page(report) if report.submission else make_par_page(report)
