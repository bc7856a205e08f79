"""Who plays: guests with play money, known by nothing but a cookie that this server signed, and how they like pages."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import Depends, Form, Request, Response

from pitboss.web.house import address_of
from pitboss.web.problems import CrossSiteError, LimitedError
from pitboss.web.security import csrf_of, is_local, verify_own_page

COOKIE, LOCAL_COOKIE = "__Host-pitboss-guest", "pitboss-guest"
LOOK_COOKIE = "pitboss-look"
_SECONDS = 365 * 24 * 3600
_ID_BYTES = 16
_TOKEN_LENGTH = 22 + 1 + 43

LOOKS = {
    "theme": ("system", "light", "dark"),
    "deck": ("two", "four"),
    "speed": ("normal", "slow", "none"),
    "coach": ("off", "on"),
}
"""What a guest may choose of the pages' looks; the first is what nobody chose."""


class Tokens:
    """Issues guests' tokens and knows its own again: random bytes, and their HMAC-SHA-256 under this server's key."""

    def __init__(self, key: bytes) -> None:
        """Sign with ``key``, 32 bytes; tokens of another key are nobody's."""
        self._key = key

    def issue(self) -> str:
        """Return a new guest's token."""
        name = _written(secrets.token_bytes(_ID_BYTES))
        return f"{name}.{self._signature(name)}"

    def is_issued(self, token: str) -> bool:
        """Return whether a token was issued here and not altered."""
        name, _, signature = token.partition(".")
        known = len(token) == _TOKEN_LENGTH and token.isascii()
        return known and secrets.compare_digest(signature, self._signature(name))

    def _signature(self, name: str) -> str:
        return _written(hmac.digest(self._key, name.encode(), "sha256"))


def _written(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Guest(NamedTuple):
    """A guest: ``holder`` is what tables know of them, ``token`` what only they know.

    Who is ``fresh`` has no cookie yet; ``barred`` says why they are given none for now, "" where they are.
    """

    holder: str
    token: str
    fresh: bool
    look: dict[str, str]
    barred: str = ""

    @property
    def csrf(self) -> str:
        """What goes with every form of this guest's pages."""
        return csrf_of(self.token)


def guest_of(request: Request) -> Guest:
    """Return who asks, a new guest where nobody is known."""
    tokens: Tokens = request.app.state.floor.tokens
    token = request.cookies.get(_cookie_of(request), "")
    fresh = not tokens.is_issued(token)
    token = tokens.issue() if fresh else token
    return Guest("guest-" + sha256(f"guest {token}".encode()).hexdigest()[:32], token, fresh, _look_of(request))


def let_in(guest: Guest, request: Request) -> Guest:
    """Return a guest to whom a page is shown: who is new is counted, and barred where an address has had too many."""
    if not guest.fresh:
        return guest
    try:
        request.app.state.floor.limits.guest(address_of(request))
    except LimitedError as error:
        return guest._replace(barred=str(error))
    return guest


def remember(guest: Guest, request: Request, answer: Response) -> None:
    """Give a new guest the cookie by which they are known."""
    if guest.fresh and not guest.barred:
        _set(request, answer, _cookie_of(request), guest.token)


def admit_command(request: Request) -> None:
    """Let a form in by its head, before its body is read.

    Raises:
        CrossSiteError: it comes from another site's page, or from somebody who was given no cookie here.
        LimitedError: it is one too many of this guest, or the address is given no more guests.
    """
    verify_own_page(request)
    guest = guest_of(request)
    if guest.fresh:
        request.app.state.floor.limits.verify_guests(address_of(request))
        raise CrossSiteError(_OLD_PAGE)
    request.state.name = guest.holder
    request.app.state.floor.limits.request(guest.holder)


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


_OLD_PAGE = "this page is old, or another site's: load it again"


class Play:
    """The guard of what any guest may do; what changes something must come from this guest's own page (3.5.1).

    ``admit_command`` has let the request in by its head.
    """

    act = "play"

    def __call__(self, request: Request, csrf: Annotated[str, Form(max_length=64)] = "") -> Guest:
        """Let a command in (raises CrossSiteError: it is not shown to come from this guest's own page)."""
        guest = guest_of(request)
        if guest.fresh or not secrets.compare_digest(csrf.encode(), guest.csrf.encode()):
            raise CrossSiteError(_OLD_PAGE)
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
