"""The server's state for machines: whether it is live and ready; its metrics.

Anybody may ask the first two, which say no figure.  The metrics are for a program with the token of
``--metrics-token``, and for staff who read the books.
"""

import secrets
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.security import HTTPAuthorizationCredentials
from pydantic import BaseModel

from pitboss.jackpot.health import check_health
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state import ProgressiveState
from pitboss.web.api_router import describe_answer, make_api_router
from pitboss.web.auth.security import verify_https
from pitboss.web.auth.sessions import Caller, PublicGuard, StaffGuard, bearer_scheme, cookie_scheme
from pitboss.web.errors import NotAuthenticatedError
from pitboss.web.jackpot_context import JackpotContext, get_client_network, get_jackpot
from pitboss.web.metrics import CONTENT_TYPE, write_metrics

health_router = make_api_router("operations", "")

PROGRAM = Actor("metrics", Role.AUDITOR)
"""Who a program with the token is."""

METRICS_RESPONSES = describe_answer({"application/openmetrics-text": {"type": "string"}})

MaybeJackpot = Annotated[JackpotContext | None, Depends(get_jackpot)]
"""The progressive of the server, None if it serves tables alone."""


class LiveResponse(BaseModel):
    """The process answers."""

    live: bool = True


class ReadyResponse(BaseModel):
    """Whether the server can be relied on, and which checks hold."""

    ready: bool
    checks: dict[str, bool]


class MachineGuard(PublicGuard):
    """The guard of what machines ask about the server, also when its ledger fails."""

    def __call__(self, request: Request, jackpot: MaybeJackpot) -> Caller:
        """Admit a request within its address's limits, without reading the ledger."""
        request.app.state.limits.count_request(get_client_network(request))
        return Caller(Actor("", Role.SEAT), "", jackpot.controller.state if jackpot else ProgressiveState())


class MetricsGuard(StaffGuard):
    """The guard of the metrics: a program's token, or a session that reads the books."""

    def __call__(
        self,
        request: Request,
        jackpot: MaybeJackpot,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
        named: Annotated[str | None, Depends(cookie_scheme)],
    ) -> Caller:
        """Admit a request with the token, also when the ledger fails, or with a session.

        Raises:
            CrossSiteError: the token came over plain HTTP from another machine.
        """
        if bearer:
            verify_https(request)
        token: str = request.app.state.metrics_token
        if not (token and bearer and secrets.compare_digest(bearer.credentials.encode(), token.encode())):
            if not jackpot:
                raise NotAuthenticatedError("the metrics need the token of --metrics-token", code="not-logged-in")
            return super().__call__(request, jackpot, bearer, named)
        return Caller(PROGRAM, "", jackpot.controller.state if jackpot else ProgressiveState())


@health_router.get("/health/live")
def live(_caller: Annotated[Caller, Depends(MachineGuard("read-display"))]) -> LiveResponse:
    """Say that the process answers; its ledger is not asked."""
    return LiveResponse()


@health_router.get("/health/ready", responses={503: {"model": ReadyResponse}})
def ready(
    response: Response, jackpot: MaybeJackpot, _caller: Annotated[Caller, Depends(MachineGuard("read-display"))]
) -> ReadyResponse:
    """Say whether ledger, tables, clock and disk can be relied on; 503 if one cannot."""
    if not jackpot:
        return ReadyResponse(ready=True, checks={})
    report = check_health(jackpot.store, jackpot.controller)
    response.status_code = 200 if report.is_ready else 503
    return ReadyResponse(ready=report.is_ready, checks={check.name: check.holds for check in report.checks})


@health_router.get("/metrics", response_class=Response, responses=METRICS_RESPONSES)
def metrics(request: Request, _caller: Annotated[Caller, Depends(MetricsGuard("read-ledger"))]) -> Response:
    """Return the metrics in OpenMetrics."""
    return Response(write_metrics(request.app), headers={"Content-Type": CONTENT_TYPE})
