"""The search for deals of dealer training.

They are rounds that hold a rare hand, or the cases that went wrong.
"""

import secrets

from pitboss.table.training.drills import DrillRequest, draw_deals
from pitboss.web.jobs.spec import DEALS, JobSpec


def needs_search(request: DrillRequest, weak: frozenset[str]) -> bool:
    """Return whether many rounds are dealt to find one."""
    return bool(request.rare or weak)


def build_deals_job(request: DrillRequest, count: int, weak: frozenset[str]) -> JobSpec:
    """Build the job that draws so many deals; no two searches are alike."""
    return JobSpec(DEALS, secrets.token_hex(8), draw_deals, (request, count, weak))
