"""Guests with play money, and their display preferences.

A guest is identified only by a cookie that this server signs.
"""

import hmac
import secrets
from base64 import b32decode, b32encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, NamedTuple

from fastapi import Depends, Form, Request, Response

from pitboss.core.errors import IllegalActionError
from pitboss.web.auth.security import is_local, make_csrf_token, verify_same_origin
from pitboss.web.errors import CrossSiteError, RateLimitError
from pitboss.web.jackpot_context import get_client_address

GUEST_COOKIE, LOCAL_GUEST_COOKIE = "__Host-pitboss-guest", "pitboss-guest"
PREFERENCES_COOKIE = "pitboss-look"
LAST_PLAYED_COOKIE = "pitboss-last"
GUIDED_COOKIE = "pitboss-guided"
_COOKIE_SECONDS = 365 * 24 * 3600
_ID_BYTES = 16
_TOKEN_LENGTH = 22 + 1 + 43
_MAX_GUIDED = 20
_STANDS = "~"
_CHECK_BYTES = 4
_CODE_GROUP = 4
_LOOK_ALIKES = str.maketrans("018", "OIB")  # no code has these digits

MAX_CODE = 80
"""The most characters of a restore code as typed; one has 39 with its hyphens."""

MAX_NAME = 24
"""The most characters of a guest's name."""

BEFORE, AFTER = "before", "after"
"""When the coach speaks: before each decision, or after a round."""

PREFERENCES = {
    "theme": ("system", "light", "dark"),
    "deck": ("two", "four"),
    "speed": ("normal", "slow", "none"),
    "coach": (AFTER, BEFORE, "off"),
    "keys": ("on", "off"),
    "sound": ("off", "play"),
}
"""The display preferences of a guest and their values; the first value is the default."""


class GuestTokens:
    """The issuer and verifier of guest tokens.

    A token is random bytes with their HMAC-SHA-256 under this server's key.
    """

    def __init__(self, key: bytes) -> None:
        """Sign with ``key``, 32 bytes; tokens signed with another key are not valid."""
        self._key = key

    def issue(self) -> str:
        """Return a new guest's token."""
        name = _encode(secrets.token_bytes(_ID_BYTES))
        return f"{name}.{self._signature(name)}"

    def is_issued(self, token: str) -> bool:
        """Return whether this server issued a token and nobody altered it."""
        name, _, signature = token.partition(".")
        is_well_formed = len(token) == _TOKEN_LENGTH and token.isascii()
        return is_well_formed and secrets.compare_digest(signature, self._signature(name))

    def write_code(self, token: str) -> str:
        """Return the restore code of a token: its random bytes and a check, in groups.

        Only this server writes codes that ``read_code`` takes, and nobody can guess one: it holds the 128 random bits.
        """
        drawn = urlsafe_b64decode(token.partition(".")[0] + "==")
        letters = b32encode(drawn + self._make_check(drawn)).decode()
        return "-".join(letters[place : place + _CODE_GROUP] for place in range(0, len(letters), _CODE_GROUP))

    def read_code(self, code: str) -> str:
        """Return the token that a restore code stands for, "" if it is not valid.

        Spaces, hyphens and small letters are read, and digits that look like letters.
        """
        letters = "".join(code.split()).replace("-", "").upper().translate(_LOOK_ALIKES)
        try:
            data = b32decode(letters)
        except ValueError:
            return ""
        drawn, check = data[:_ID_BYTES], data[_ID_BYTES:]
        if not secrets.compare_digest(check, self._make_check(drawn)):
            return ""
        name = _encode(drawn)
        return f"{name}.{self._signature(name)}"

    def _make_check(self, drawn: bytes) -> bytes:
        return hmac.digest(self._key, b"restore code " + drawn, "sha256")[:_CHECK_BYTES]

    def _signature(self, name: str) -> str:
        return _encode(hmac.digest(self._key, name.encode(), "sha256"))


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> str:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()


class Guest(NamedTuple):
    """A guest: tables know the ``holder``, and only the guest knows the ``token``.

    A guest who ``is_new`` has no cookie yet; ``barred_reason`` says why none is given for now, "" if one is.  ``name``
    and ``last_game`` are those with which the guest last sat down, "" for none.  ``guided_games`` says what the guide
    to the first rounds of each game has explained, "" if it is over (see ``GuideProgress``).
    """

    holder: str
    token: str
    is_new: bool
    preferences: dict[str, str]
    barred_reason: str = ""
    name: str = ""
    last_game: str = ""
    guided_games: Mapping[str, str] = MappingProxyType({})

    @property
    def csrf(self) -> str:
        """The CSRF token of every form on this guest's pages."""
        return make_csrf_token(self.token)


def identify_guest(request: Request) -> Guest:
    """Return the guest who sent a request, a new guest if it has no valid cookie."""
    tokens: GuestTokens = request.app.state.registry.tokens
    token = request.cookies.get(_get_cookie_name(request), "")
    is_new = not tokens.is_issued(token)
    token = tokens.issue() if is_new else token
    holder = "guest-" + sha256(f"guest {token}".encode()).hexdigest()[:32]
    last_game, name = _read_last_played(request)
    return Guest(holder, token, is_new, _read_preferences(request), "", name, last_game, _read_guided_games(request))


def admit_guest(guest: Guest, request: Request) -> Guest:
    """Count a new guest and return the guest.

    A new guest is barred if the address has too many.
    """
    if not guest.is_new:
        return guest
    try:
        request.app.state.registry.limits.count_guest(get_client_address(request))
    except RateLimitError as error:
        return guest._replace(barred_reason=str(error))
    return guest


def set_guest_cookie(guest: Guest, request: Request, response: Response) -> None:
    """Set the cookie that identifies a new guest, unless the guest is barred.

    Only an answer to GET sets it.  A form that another site sends comes without the cookie, which is ``Lax``: an answer
    that set another would take the guest's seat and chips away.
    """
    if guest.is_new and not guest.barred_reason and request.method == "GET":
        _set_cookie(request, response, _get_cookie_name(request), guest.token)


def restore_guest(request: Request, response: Response, code: str, address: str) -> None:
    """Set the cookie of the guest whose restore code this is.

    Raises:
        IllegalActionError: it is not a restore code of this server.
        RateLimitError: too many were wrong from the client's ``address``.
    """
    registry = request.app.state.registry
    registry.limits.verify_restores(address)
    token = registry.tokens.read_code(code)
    if not token:
        registry.limits.count_failed_restore(address)
        raise IllegalActionError("this is not a restore code of this server: check each letter", code="invalid-code")
    _set_cookie(request, response, _get_cookie_name(request), token)


def admit_form(request: Request) -> None:
    """Admit a form by its head, before its body is read.

    Raises:
        CrossSiteError: it comes from another site's page, or its sender has no cookie of this server.
        RateLimitError: the guest sent too many, or the address has too many new guests.
    """
    verify_same_origin(request)
    guest = identify_guest(request)
    if guest.is_new:
        request.app.state.registry.limits.verify_guests(get_client_address(request))
        raise CrossSiteError(_STALE_PAGE, code="stale-page")
    request.state.name = guest.holder
    request.app.state.registry.limits.count_request(guest.holder)


def set_preferences_cookie(request: Request, response: Response, preferences: dict[str, str]) -> None:
    """Store a guest's display preferences in a cookie."""
    _set_cookie(request, response, PREFERENCES_COOKIE, ".".join(preferences[name] for name in PREFERENCES))


def set_last_played_cookie(request: Request, response: Response, game: str, name: str) -> None:
    """Keep a guest's name and game in a cookie, for the next time."""
    _set_cookie(request, response, LAST_PLAYED_COOKIE, f"{_encode(game.encode())}.{_encode(name.encode())}")


def set_guided_cookie(request: Request, response: Response, games: Mapping[str, str]) -> None:
    """Keep how a guest's guide to each game stands, the newest last."""
    entries = [f"{game}{_STANDS}{state}" if state else game for game, state in games.items()]
    _set_cookie(request, response, GUIDED_COOKIE, ".".join(entries[-_MAX_GUIDED:]))


def _read_guided_games(request: Request) -> dict[str, str]:
    entries = request.cookies.get(GUIDED_COOKIE, "").split(".")[:_MAX_GUIDED]
    return {game: state for game, _, state in (each.partition(_STANDS) for each in entries)}


def _read_last_played(request: Request) -> tuple[str, str]:
    encoded_game, _, encoded_name = request.cookies.get(LAST_PLAYED_COOKIE, "").partition(".")
    try:
        game, name = _decode(encoded_game), _decode(encoded_name)
    except ValueError:
        return "", ""
    return game, "".join(filter(str.isprintable, name))[:MAX_NAME]


def _set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, _COOKIE_SECONDS, secure=not is_local(request), httponly=True, samesite="lax")


def _get_cookie_name(request: Request) -> str:
    return LOCAL_GUEST_COOKIE if is_local(request) else GUEST_COOKIE


def _read_preferences(request: Request) -> dict[str, str]:
    stored = dict(zip(PREFERENCES, request.cookies.get(PREFERENCES_COOKIE, "").split("."), strict=False))
    return {name: stored[name] if stored.get(name) in values else values[0] for name, values in PREFERENCES.items()}


_STALE_PAGE = "this page is out of date, or from another site: reload it"


class PlayGuard:
    """The guard of commands that any guest may send.

    They must come from this guest's own page (3.5.1).  ``admit_form`` has admitted the request by its head before.
    """

    permission = "play"

    async def __call__(self, request: Request, csrf: Annotated[str, Form(max_length=64)] = "") -> Guest:
        """Admit a command (raises CrossSiteError: its CSRF token is not this guest's)."""
        guest = identify_guest(request)
        if guest.is_new or not secrets.compare_digest(csrf.encode(), guest.csrf.encode()):
            raise CrossSiteError(_STALE_PAGE, code="stale-page")
        return guest


class ViewGuard:
    """The guard of pages that anybody may view."""

    permission = "look"

    async def __call__(self, request: Request) -> Guest:
        """Admit a request to view."""
        return identify_guest(request)


class StreamGuard(ViewGuard):
    """The guard of event streams, for this site's own pages only."""

    async def __call__(self, request: Request) -> Guest:
        """Admit a listener (raises CrossSiteError: it is another site's page)."""
        verify_same_origin(request)
        return await super().__call__(request)


PlayingGuest = Annotated[Guest, Depends(PlayGuard())]
ViewingGuest = Annotated[Guest, Depends(ViewGuard())]
StreamingGuest = Annotated[Guest, Depends(StreamGuard())]
SEE_OTHER = HTTPStatus.SEE_OTHER
