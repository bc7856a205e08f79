"""Who asks: sessions in the ledger's database, carried by a cookie (browsers) or as a bearer token (programs).

Every route names the act of ``roles`` that it is, by ``Guard`` (staff) or ``Open`` (anybody); the application does not
start with a route that names none.
"""

from typing import Annotated, NamedTuple

from fastapi import Depends, Request, Response
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from pitboss.jackpot.decide import DECIDED_BY
from pitboss.jackpot.refusal import ForbiddenError
from pitboss.jackpot.roles import ROLES, Actor, Role, verify_role
from pitboss.jackpot.staff import ABSOLUTE_SECONDS, IDLE_SECONDS
from pitboss.jackpot.state import State
from pitboss.web.answers import Enrolled, Me, SessionOpened
from pitboss.web.forms import Enrolment, LogIn, Proof
from pitboss.web.house import House, TheHouse, address_of
from pitboss.web.part import part
from pitboss.web.problems import LOG, CrossSiteError, UnknownPersonError
from pitboss.web.security import csrf_of, is_local, verify_csrf, verify_own_page

COOKIE = "__Host-pitboss"
LOCAL_COOKIE = "pitboss"
"""The cookie of plain HTTP on the machine itself, where not every browser keeps one that is ``Secure``."""

_bearer = HTTPBearer(
    auto_error=False, scheme_name="bearer", description="The session of a program: `POST /api/session`."
)
_cookie = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    scheme_name="cookie",
    description="The session of a browser: `POST /api/session` with `cookie`. Changes take `X-CSRF-Token` too.",
)

router = part("sessions")


class Visitor(NamedTuple):
    """Who asks, by which session ("" for anybody), and the progressive as it stands."""

    actor: Actor
    session: str
    state: State


class Open:
    """The guard of what anybody may do, as a seat may."""

    def __init__(self, act: str) -> None:
        """Open an act that is a seat's."""
        if Role.SEAT not in ROLES[act]:
            raise ValueError(f"{act} is not open to anybody: guard it")
        self.act = act

    def __call__(self, request: Request, house: TheHouse) -> Visitor:
        """Let a request in."""
        house.limits.request(address_of(request))
        return Visitor(Actor("", Role.SEAT), "", house.controller.refresh())


class Guard:
    """The guard of what takes a session; of the roles that have the act only, unless the controller decides that.

    A command that a role does not have is refused by the controller, which keeps the refusal with its key.
    """

    def __init__(self, act: str) -> None:
        """Guard an act."""
        self.act = act
        self._ours = act not in DECIDED_BY

    def __call__(
        self,
        request: Request,
        house: TheHouse,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
        _named: Annotated[str | None, Depends(_cookie)],
    ) -> Visitor:
        """Let a request in whose session is good.

        Raises:
            UnknownPersonError: there is no session, or it is over.
            CrossSiteError: it came by cookie, and not from this site's own page.
            ForbiddenError: its role does not have the act.
        """
        session = bearer.credentials if bearer else request.cookies.get(_cookie_of(request), "")
        if not session:
            raise UnknownPersonError("log in: POST /api/session begins a session")
        house.limits.request(csrf_of(session))
        if not bearer:
            verify_csrf(request, session)
        visitor = _resumed(house, session)
        request.state.name = visitor.actor.name
        if self._ours:
            verify_role(visitor.actor, self.act)
        return visitor


def _resumed(house: House, session: str) -> Visitor:
    state = house.controller.refresh()
    try:
        return Visitor(house.staff.resume(state, session), session, state)
    except ForbiddenError as error:
        raise UnknownPersonError(str(error)) from None


def visitor_of(request: Request, house: TheHouse) -> Visitor | None:
    """Return whose browser asks for a page, None where nobody is logged in."""
    house.limits.request(address_of(request))
    session = request.cookies.get(_cookie_of(request), "")
    try:
        return _resumed(house, session) if session else None
    except UnknownPersonError:
        return None


def _cookie_of(request: Request) -> str:
    """Return the name of the session's cookie: ``__Host-`` and ``Secure`` but for plain HTTP on this machine."""
    return LOCAL_COOKIE if is_local(request) else COOKIE


def proved(request: Request, house: House, proof: Proof) -> Actor:
    """Return the person whose credentials came with a request, for what asks for them again (7.5.3).

    Raises:
        UnknownPersonError: they are wrong.
        LimitedError, TooManyError: too many were.
    """
    _tries(request, proof.name)
    actor = house.proved(address_of(request), proof.name, proof.password.get_secret_value(), proof.code)
    request.state.name = actor.name
    return actor


def _tries(request: Request, name: str) -> None:
    """Have the log say whose name it was that somebody failed to prove."""
    request.state.name = f"{getattr(request.state, 'name', '') or 'nobody'} as {name}"


@router.post("/session", status_code=201)
def log_in(
    form: LogIn,
    request: Request,
    answer: Response,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Open("log-in"))],
) -> SessionOpened:
    """Begin a session: 15 idle minutes or 12 hours.  Any earlier session that the request carries is ended."""
    verify_own_page(request)
    if request.url.scheme == "http" and not is_local(request):
        raise CrossSiteError("passwords go over https: put a TLS proxy in front, or use the machine itself")
    actor = proved(request, house, form)
    before = request.cookies.get(_cookie_of(request))
    if before:
        house.staff.log_out(before)
    session = house.staff.log_in(actor)
    LOG.info("%s logged in from %s", actor.name, address_of(request))
    if form.cookie:
        name = _cookie_of(request)
        answer.set_cookie(name, session, ABSOLUTE_SECONDS, secure=name == COOKIE, httponly=True, samesite="strict")
    return SessionOpened(
        name=actor.name,
        role=actor.role,
        csrf_token=csrf_of(session),
        session="" if form.cookie else session,
        idle_seconds=IDLE_SECONDS,
        absolute_seconds=ABSOLUTE_SECONDS,
    )


@router.get("/session")
def me(visitor: Annotated[Visitor, Depends(Guard("log-out"))]) -> Me:
    """Say whose session this is."""
    return Me(name=visitor.actor.name, role=visitor.actor.role, csrf_token=csrf_of(visitor.session))


@router.delete("/session", status_code=204)
def log_out(
    request: Request, answer: Response, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("log-out"))]
) -> None:
    """End this session."""
    house.staff.log_out(visitor.session)
    LOG.info("%s logged out from %s", visitor.actor.name, address_of(request))
    name = _cookie_of(request)
    answer.delete_cookie(name, secure=name == COOKIE, httponly=True, samesite="strict")


@router.post("/enrolment", status_code=201)
def enrol(
    form: Enrolment, request: Request, house: TheHouse, visitor: Annotated[Visitor, Depends(Open("enrol"))]
) -> Enrolled:
    """Choose a password with the token that one was given; supervisors and above get an authenticator's secret."""
    _tries(request, form.name)
    with house.proving(address_of(request)):
        enrolled = house.staff.enrol(visitor.state, form.name, form.token, form.password.get_secret_value())
    LOG.info("%s enrolled from %s", form.name, address_of(request))
    return Enrolled(name=form.name, totp=enrolled.totp)
