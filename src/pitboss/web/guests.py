"""Who plays: guests with play money, known by nothing but a cookie that nobody can guess, and how they like pages."""

import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import Depends, Form, Request, Response

from pitboss.web.problems import CrossSiteError
from pitboss.web.security import csrf_of, verify_own_page
from pitboss.web.sessions import is_local

COOKIE, LOCAL_COOKIE = "__Host-pitboss-guest", "pitboss-guest"
LOOK_COOKIE = "pitboss-look"
_SECONDS = 365 * 24 * 3600
_TOKEN_LENGTH = 43

LOOKS = {
    "theme": ("system", "light", "dark"),
    "deck": ("two", "four"),
    "speed": ("normal", "slow", "none"),
    "coach": ("off", "on"),
}
"""What a guest may choose of the pages' looks; the first is what nobody chose."""


class Guest(NamedTuple):
    """A guest: ``holder`` is what tables know of them, ``token`` what only they know; ``fresh`` has no cookie yet."""

    holder: str
    token: str
    fresh: bool
    look: dict[str, str]

    @property
    def csrf(self) -> str:
        """What goes with every form of this guest's pages."""
        return csrf_of(self.token)


def guest_of(request: Request) -> Guest:
    """Return who asks, a new guest where nobody is known."""
    token = request.cookies.get(_cookie_of(request), "")
    fresh = len(token) != _TOKEN_LENGTH
    token = secrets.token_urlsafe(32) if fresh else token
    return Guest("guest-" + sha256(f"guest {token}".encode()).hexdigest()[:32], token, fresh, _look_of(request))


def remember(guest: Guest, request: Request, answer: Response) -> None:
    """Give a new guest the cookie by which they are known."""
    if guest.fresh:
        _set(request, answer, _cookie_of(request), guest.token)


def set_look(request: Request, answer: Response, look: dict[str, str]) -> None:
    """Keep a guest's looks."""
    _set(request, answer, LOOK_COOKIE, ".".join(look[name] for name in LOOKS))


def _set(request: Request, answer: Response, name: str, text: str) -> None:
    answer.set_cookie(name, text, _SECONDS, secure=not is_local(request), httponly=True, samesite="strict")


def _cookie_of(request: Request) -> str:
    return LOCAL_COOKIE if is_local(request) else COOKIE


def _look_of(request: Request) -> dict[str, str]:
    chosen = dict(zip(LOOKS, request.cookies.get(LOOK_COOKIE, "").split("."), strict=False))
    return {name: chosen[name] if chosen.get(name) in values else values[0] for name, values in LOOKS.items()}


class Play:
    """The guard of what any guest may do; what changes something must come from this guest's own page (3.5.1)."""

    act = "play"

    def __call__(self, request: Request, csrf: Annotated[str, Form(max_length=64)] = "") -> Guest:
        """Let a command in.

        Raises:
            CrossSiteError: it is not shown to come from this site's own page.
            LimitedError: it is one too many.
        """
        guest = guest_of(request)
        verify_own_page(request)
        if guest.fresh or not secrets.compare_digest(csrf.encode(), guest.csrf.encode()):
            raise CrossSiteError("this page is old, or another site's: load it again")
        request.state.name = guest.holder
        request.app.state.floor.limits.request(guest.holder)
        return guest


class Look:
    """The guard of pages that anybody may look at."""

    act = "look"

    def __call__(self, request: Request) -> Guest:
        """Let a look in."""
        return guest_of(request)


class Follow(Look):
    """The guard of streams, which only this site's own pages listen to."""

    def __call__(self, request: Request) -> Guest:
        """Let a listener in (raises CrossSiteError: it is another site's page)."""
        verify_own_page(request)
        return super().__call__(request)


Commanding = Annotated[Guest, Depends(Play())]
Looking = Annotated[Guest, Depends(Look())]
Following = Annotated[Guest, Depends(Follow())]
SEE_OTHER = HTTPStatus.SEE_OTHER
