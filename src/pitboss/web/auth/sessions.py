"""Staff sessions in the ledger's database.

A session is sent as a cookie (browsers) or as a bearer token (programs).

Every route names its permission of ``roles`` with a ``StaffGuard`` (staff) or a ``PublicGuard`` (anybody); the
application does not start with a route that names none.
"""

from typing import Annotated, NamedTuple

from fastapi import Depends, Request, Response
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS, FirstCode, Invitation
from pitboss.jackpot.dispatch import HANDLERS
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.proofs import Proof
from pitboss.jackpot.roles import PERMISSIONS, Actor, Role, verify_permission
from pitboss.jackpot.staff_state import SESSION_MAX_SECONDS
from pitboss.jackpot.state import ProgressiveState
from pitboss.web.api_router import make_api_router
from pitboss.web.auth.security import is_local, make_csrf_token, verify_csrf, verify_https, verify_same_origin
from pitboss.web.errors import NotAuthenticatedError
from pitboss.web.forms import (
    CredentialsForm,
    EnrolmentForm,
    FirstCodeForm,
    InvitationForm,
    LoginForm,
    NewAuthenticatorForm,
    NewPasswordForm,
)
from pitboss.web.jackpot_context import JackpotContext, JackpotDep, get_client_address, get_client_network
from pitboss.web.problems import SECURITY_LOG
from pitboss.web.rate_limits import get_network
from pitboss.web.schemas import EnrolmentResponse, NewSessionResponse, OfferResponse, SessionResponse

STAFF_COOKIE = "__Host-pitboss"
LOCAL_STAFF_COOKIE = "pitboss"
"""The cookie for plain HTTP on this machine, where some browsers do not store a ``Secure`` cookie."""

bearer_scheme = HTTPBearer(
    auto_error=False, scheme_name="bearer", description="The session of a program: `POST /api/session`."
)
cookie_scheme = APIKeyCookie(
    name=STAFF_COOKIE,
    auto_error=False,
    scheme_name="cookie",
    description="The session of a browser: `POST /api/session` with `cookie`. Changes take `X-CSRF-Token` too.",
)

router = make_api_router("sessions")


class Caller(NamedTuple):
    """The actor of a request, the session, and the state of the progressive.

    The session is "" for the public.  The state is the current one.
    """

    actor: Actor
    session: str
    state: ProgressiveState


class PublicGuard:
    """The guard of what anybody may do: the permissions of a seat."""

    def __init__(self, permission: str) -> None:
        """Open a permission that seats have."""
        if Role.SEAT not in PERMISSIONS[permission]:
            raise ValueError(f"{permission} is not open to anybody: guard it")
        self.permission = permission

    def __call__(self, request: Request, jackpot: JackpotDep) -> Caller:
        """Admit a request within the rate limits."""
        jackpot.limits.count_request(get_client_network(request))
        return Caller(Actor("", Role.SEAT), "", jackpot.controller.refresh())


class StaffGuard:
    """The guard of what needs a session.

    It checks the role, unless the controller does.  The controller checks the roles of commands itself, because it
    records a refusal under the command's key.
    """

    def __init__(self, permission: str) -> None:
        """Guard a permission."""
        self.permission = permission
        self._checks_role = permission not in HANDLERS

    def __call__(
        self,
        request: Request,
        jackpot: JackpotDep,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
        _named: Annotated[str | None, Depends(cookie_scheme)],
    ) -> Caller:
        """Admit a request with a valid session.

        Raises:
            NotAuthenticatedError: there is no session, or it has ended.
            CrossSiteError: it came by cookie, but not from this site's own page, or over plain HTTP from elsewhere.
            ForbiddenError: the role does not have the permission.
        """
        session = bearer.credentials if bearer else request.cookies.get(_get_cookie_name(request), "")
        if not session:
            raise NotAuthenticatedError("log in: POST /api/session begins a session", code="not-logged-in")
        jackpot.limits.count_request(make_csrf_token(session))
        verify_https(request)
        if not bearer:
            verify_csrf(request, session)
        caller = _resume_session(jackpot, session)
        request.state.name = caller.actor.name
        if self._checks_role:
            verify_permission(caller.actor, self.permission)
        return caller


def _resume_session(jackpot: JackpotContext, session: str) -> Caller:
    state = jackpot.controller.refresh()
    try:
        return Caller(jackpot.staff.resume_session(state, session), session, state)
    except ForbiddenError as error:
        raise NotAuthenticatedError.from_error(error) from None


def find_caller(request: Request, jackpot: JackpotDep) -> Caller | None:
    """Return the caller whose browser asks for a page, None if nobody is logged in."""
    jackpot.limits.count_request(get_client_network(request))
    session = request.cookies.get(_get_cookie_name(request), "")
    if request.url.scheme == "http" and not is_local(request):
        return None
    try:
        return _resume_session(jackpot, session) if session else None
    except NotAuthenticatedError:
        return None


def _get_cookie_name(request: Request) -> str:
    """Return the name of the session cookie.

    The cookie is ``__Host-`` and ``Secure``, except for plain HTTP on this machine.
    """
    return LOCAL_STAFF_COOKIE if is_local(request) else STAFF_COOKIE


def authenticate(request: Request, jackpot: JackpotContext, proof: CredentialsForm) -> Actor:
    """Verify credentials that are given again, and return their owner (7.5.3).

    Raises:
        NotAuthenticatedError: they are wrong.
        RateLimitError, TooManyAttemptsError: too many attempts failed.
    """
    _log_attempt_as(request, proof.name)
    actor = jackpot.authenticate(get_client_address(request), proof.name, proof.password.get_secret_value(), proof.code)
    request.state.name = actor.name
    return actor


def verify_password(request: Request, jackpot: JackpotContext, proof: CredentialsForm) -> Proof:
    """Verify the password that is given again for a sensitive command (7.5.3).

    The code is used with the command.

    Raises:
        NotAuthenticatedError: the name or the password is wrong.
        RateLimitError, TooManyAttemptsError: too many attempts failed.
    """
    _log_attempt_as(request, proof.name)
    address, password = get_client_address(request), proof.password.get_secret_value()
    return jackpot.verify_password(address, proof.name, password, proof.code)


def _log_attempt_as(request: Request, name: str) -> None:
    """Log the request under the name that it claims, until that is verified."""
    request.state.name = f"{getattr(request.state, 'name', '') or 'nobody'} as {name}"


@router.post("/session", status_code=201)
def log_in(
    form: LoginForm,
    request: Request,
    response: Response,
    jackpot: JackpotDep,
    _caller: Annotated[Caller, Depends(PublicGuard("log-in"))],
) -> NewSessionResponse:
    """Begin a session, and end any session that the request carries.

    The new session ends after 15 idle minutes or 12 hours.
    """
    verify_same_origin(request)
    verify_https(request)
    actor = authenticate(request, jackpot, form)
    earlier_session = request.cookies.get(_get_cookie_name(request))
    if earlier_session:
        jackpot.staff.log_out(earlier_session)
    session = jackpot.staff.log_in(actor)
    SECURITY_LOG.info("%s logged in from %s", actor.name, get_client_address(request))
    if form.cookie:
        name = _get_cookie_name(request)
        response.set_cookie(
            name, session, SESSION_MAX_SECONDS, secure=name == STAFF_COOKIE, httponly=True, samesite="strict"
        )
    return NewSessionResponse(
        name=actor.name,
        role=actor.role,
        csrf_token=make_csrf_token(session),
        session="" if form.cookie else session,
        idle_seconds=SESSION_IDLE_SECONDS,
        absolute_seconds=SESSION_MAX_SECONDS,
    )


@router.get("/session")
def me(caller: Annotated[Caller, Depends(StaffGuard("log-out"))]) -> SessionResponse:
    """Show the owner of this session."""
    return SessionResponse(name=caller.actor.name, role=caller.actor.role, csrf_token=make_csrf_token(caller.session))


@router.delete("/session", status_code=204)
def log_out(
    request: Request,
    response: Response,
    jackpot: JackpotDep,
    caller: Annotated[Caller, Depends(StaffGuard("log-out"))],
) -> None:
    """End this session."""
    jackpot.staff.log_out(caller.session)
    SECURITY_LOG.info("%s logged out from %s", caller.actor.name, get_client_address(request))
    name = _get_cookie_name(request)
    response.delete_cookie(name, secure=name == STAFF_COOKIE, httponly=True, samesite="strict")


@router.post("/enrolment/authenticator")
def offer_first_authenticator(
    form: InvitationForm,
    request: Request,
    jackpot: JackpotDep,
    _caller: Annotated[Caller, Depends(PublicGuard("enrol"))],
) -> OfferResponse:
    """Offer an authenticator to a person who is about to enrol.

    Nothing is changed: the enrolment takes its ticket and its first code.
    """
    _verify_invitation(form, request, jackpot)
    return OfferResponse.from_offer(form.name, jackpot.staff.offer_authenticator(form.name))


def _verify_invitation(form: InvitationForm, request: Request, jackpot: JackpotContext) -> Invitation:
    """Verify the code that a person was invited with."""
    verify_same_origin(request)
    verify_https(request)
    _log_attempt_as(request, form.name)
    address = get_client_address(request)
    jackpot.limits.verify_logins(address, form.name)
    with jackpot.login_attempt(address, form.name):
        return jackpot.staff.verify_invitation(form.name, form.code, source=get_network(address))


def _read_first_code(form: FirstCodeForm) -> FirstCode | None:
    return FirstCode(form.ticket, form.first_code) if form.ticket else None


@router.post("/enrolment", status_code=201)
def enrol(
    form: EnrolmentForm,
    request: Request,
    jackpot: JackpotDep,
    _caller: Annotated[Caller, Depends(PublicGuard("enrol"))],
) -> EnrolmentResponse:
    """Set a password with the code that two people gave, half each.

    Supervisors and above confirm the authenticator that they were offered by its first code; without a ticket they get
    the secret of another one.
    """
    invitation = _verify_invitation(form, request, jackpot)
    address, password = get_client_address(request), form.password.get_secret_value()
    with jackpot.count_wrong_proofs(address, form.name):  # the costly part, without the lock
        enrolled = jackpot.staff.accept_invitation(invitation, password, _read_first_code(form))
    SECURITY_LOG.info("%s enrolled from %s", form.name, get_client_address(request))
    return EnrolmentResponse(name=form.name, totp=enrolled.totp)


@router.post("/password", status_code=204)
def change_password(
    form: NewPasswordForm,
    request: Request,
    jackpot: JackpotDep,
    caller: Annotated[Caller, Depends(StaffGuard("change-credentials"))],
) -> None:
    """Change the person's own password; all sessions end."""
    verify_own(caller, form.proof)
    actor = authenticate(request, jackpot, form.proof)
    jackpot.staff.change_password(actor, form.password.get_secret_value())


@router.post("/authenticator/offer")
def offer_authenticator(
    jackpot: JackpotDep, caller: Annotated[Caller, Depends(StaffGuard("change-credentials"))]
) -> OfferResponse:
    """Offer the person a new authenticator.

    Nothing is changed: the replacement takes its ticket and its first code.
    """
    name = caller.actor.name
    return OfferResponse.from_offer(name, jackpot.staff.offer_authenticator(name))


@router.post("/authenticator")
def change_authenticator(
    form: NewAuthenticatorForm,
    request: Request,
    jackpot: JackpotDep,
    caller: Annotated[Caller, Depends(StaffGuard("change-credentials"))],
) -> EnrolmentResponse:
    """Replace the person's own authenticator; all sessions end.

    With a ticket it is the one that was offered, confirmed by its first code.
    """
    verify_own(caller, form.proof)
    actor = authenticate(request, jackpot, form.proof)
    return EnrolmentResponse(
        name=actor.name, totp=jackpot.staff.change_authenticator(actor, _read_first_code(form)).totp
    )


def verify_own(caller: Caller, proof: CredentialsForm) -> None:
    """Raise ``ForbiddenError`` for credentials of another person than the session's."""
    if proof.name != caller.actor.name:
        raise ForbiddenError(
            f"this is {caller.actor.name}'s session: log in yourself, because only you may see what comes next",
            code="not-own-credentials",
            person=caller.actor.name,
        )
