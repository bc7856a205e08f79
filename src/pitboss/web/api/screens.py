"""The stream for screens of other makers, signed with the ledger's key.

A screen has a name and a token of its own.  ``docs/display-protocol.md`` is the protocol's text.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials

from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import to_canonical_json
from pitboss.ledger.signing import Signer
from pitboss.web.api.reports import STREAM_RESPONSES, LastEventId, StreamSeconds, start_stream
from pitboss.web.api_router import make_api_router
from pitboss.web.auth.security import verify_https
from pitboss.web.auth.sessions import Caller, PublicGuard, bearer_scheme
from pitboss.web.errors import NotAuthenticatedError
from pitboss.web.jackpot_context import JackpotDep
from pitboss.web.ledger_events import EventSelector, StreamEvent
from pitboss.web.schemas import DisplayResponse
from pitboss.web.server.stream_slots import EventStreamResponse, StreamKind

PROTOCOL = "pitboss-display-1"

screens_router = make_api_router("display")


class ScreenGuard(PublicGuard):
    """The guard of the screens' stream: the token of a screen."""

    def __call__(
        self,
        request: Request,
        jackpot: JackpotDep,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)] = None,
    ) -> Caller:
        """Admit a screen with its token.

        Raises:
            NotAuthenticatedError: there is no token, or it is no screen's.
            CrossSiteError: it came over plain HTTP from another machine.
        """
        verify_https(request)
        caller = super().__call__(request, jackpot)
        name = find_screen(request.app.state.screens, bearer.credentials if bearer else "")
        if not name:
            raise NotAuthenticatedError("log in: this stream needs a screen's token", code="screen-needed")
        request.state.name = f"screen {name}"
        return caller._replace(actor=Actor(name, Role.SEAT))


def find_screen(screens: Mapping[str, str], token: str) -> str:
    """Return the name of the screen with a token, "" for none."""
    given = token.encode()
    names = [name for name, kept in screens.items() if secrets.compare_digest(kept.encode(), given)]
    return names[0] if names else ""


@screens_router.get("/display/feed", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def display_feed(
    request: Request,
    jackpot: JackpotDep,
    caller: Annotated[Caller, Depends(ScreenGuard("read-display"))],
    last: LastEventId = None,
    seconds: StreamSeconds = None,
) -> EventStreamResponse:
    """Stream the meter as signed JSON to a screen of another maker."""
    screens: Mapping[str, str] = request.app.state.screens
    token = screens[caller.actor.name]
    stream = jackpot.watcher.stream(
        caller.state,
        make_signed_selector(jackpot.signer, caller.actor.name, -1 if last is None else last),
        lambda: screens.get(caller.actor.name) == token,
        seconds,
    )
    return start_stream(request, stream, StreamKind.DISPLAYS)


def make_signed_selector(signer: Signer, screen: str, last_seen: int) -> EventSelector:
    """Make a selector of the display that signs each change for one screen."""
    last_display = [""]

    def select(state: ProgressiveState) -> Iterator[StreamEvent]:
        display = DisplayResponse.from_state(state).model_dump_json()
        if display != last_display[0] and state.entries != last_seen:
            message = {
                "protocol": PROTOCOL,
                "screen": screen,
                "entry": state.entries,
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "display": json.loads(display),
            }
            signed = {**message, "signature": signer.sign(to_canonical_json(message))}
            yield StreamEvent(state.entries, "display", json.dumps(signed))
        last_display[0] = display

    return select
