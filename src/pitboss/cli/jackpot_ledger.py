"""What all ``pitboss jackpot`` commands share: open the ledger, authenticate, execute a command, print its outcome."""

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.core.errors import PitbossError
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.roles import Actor, Role, verify_permission

if TYPE_CHECKING:
    from pitboss.jackpot.controller import Controller
    from pitboss.jackpot.credentials import CredentialStore
    from pitboss.ledger.signing import Signer
    from pitboss.ledger.store import Store

LedgerOption = Annotated[
    str,
    typer.Option(
        "--ledger",
        envvar="PITBOSS_LEDGER",
        metavar="FILE|URL",
        help="The ledger: an SQLite file, or postgresql+psycopg://...",
    ),
]
AsOption = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Your name; you are asked for your password unless PITBOSS_PASSWORD is set.  "
        "Default: your `staff login` session.",
    ),
]
CodeOption = Annotated[
    str,
    typer.Option(envvar="PITBOSS_CODE", help="The code that your authenticator shows; default: you are asked for it."),
]
PdfOption = Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Write the win page to this PDF file.")]
KeyOption = Annotated[
    str, typer.Option(help="A key for this command: repeated with the same key, it is executed only once.")
]
DEFAULT_LEDGER = "jackpot.db"
_MIN_KEY_LENGTH = 8


@dataclass(frozen=True)
class OpenLedger:
    """An open ledger with its signer, controller and credentials."""

    store: "Store"
    signer: "Signer"
    controller: "Controller"
    credentials: "CredentialStore"

    def authenticate(self, name: str, code: str, *, again: bool = False) -> Actor:
        """Return the user, authenticated by password and code, or (unless ``again``) by a session.

        Raises:
            ForbiddenError: there is no name and no session, or password, code or session is wrong.
        """
        state = self.controller.state
        if name:
            password, member = read_password(), state.staff.get(name)
            if member and member.role in {Role.SUPERVISOR, Role.EXECUTIVE} and not code:
                code = read_answer("code", "PITBOSS_CODE")
            return self.credentials.authenticate(state, name, password, code)
        if again:
            raise ForbiddenError("this needs your password again: say who you are with --as NAME")
        token = os.environ.get("PITBOSS_SESSION", "")
        if not token:
            raise ForbiddenError("say who you are with --as NAME, or set PITBOSS_SESSION to what `staff login` printed")
        return self.credentials.resume_session(state, token)

    def authenticate_reader(self, name: str, code: str) -> Actor:
        """Return the authenticated user, whose role must be allowed to read the ledger."""
        actor = self.authenticate(name, code)
        verify_permission(actor, "read-ledger")
        return actor


def read_password(*, new: bool = False) -> str:
    """Return the password from PITBOSS_PASSWORD, or ask for it; a ``new`` one is typed twice."""
    password = os.environ.get("PITBOSS_PASSWORD")
    if password is not None:
        return password
    return read_answer("new password" if new else "password", "PITBOSS_PASSWORD", hidden=True, confirm=new)


def read_answer(label: str, variable: str, *, hidden: bool = False, confirm: bool = False) -> str:
    """Return what the user types at a terminal, or the next line of piped input.

    Raises:
        RefusalError: input has ended.
    """
    if sys.stdin.isatty():
        return str(
            typer.prompt(label, hide_input=hidden, confirmation_prompt=f"{label} again" if confirm else False, err=True)
        )
    line = sys.stdin.readline()
    if not line:
        raise RefusalError(f"the {label} is missing: type it, pipe it in on its own line, or set {variable}")
    return line.rstrip("\r\n")


def to_database_url(ledger: str) -> str:
    """Return the database URL of a ledger given as a file or a URL."""
    return ledger if "://" in ledger else f"sqlite:///{Path(ledger).absolute()}"


def get_key_path(ledger: str) -> Path:
    """Return the path of the signing key: PITBOSS_KEY, or a file next to an SQLite ledger.

    Raises:
        RefusalError: the ledger is not a file, and PITBOSS_KEY is not set.
    """
    path = os.environ.get("PITBOSS_KEY")
    if path:
        return Path(path)
    if "://" in ledger:
        raise RefusalError("set PITBOSS_KEY to the file of this ledger's signing key")
    return Path(f"{ledger}.key")


@contextmanager
def open_ledger(ledger: str) -> Iterator[OpenLedger]:
    """Open an existing ledger, check it, and close it at the end."""
    try:
        from pitboss.jackpot.controller import Controller
        from pitboss.jackpot.credentials import CredentialStore
        from pitboss.ledger.signing import Signer
        from pitboss.ledger.store import Store
    except ModuleNotFoundError as error:
        raise PitbossError(f"{error.name} is not installed: pip install 'pitboss[ledger]'") from None

    if "://" not in ledger and not Path(ledger).exists():
        raise RefusalError(
            f"there is no ledger {ledger}: create it with pitboss jackpot init, or name another with --ledger"
        )
    signer = Signer(get_key_path(ledger))
    store = Store(to_database_url(ledger))
    try:
        yield OpenLedger(store, signer, Controller(store, signer), CredentialStore(store))
    finally:
        store.close()


def execute_command(
    ledger: str,
    name: str,
    code: str,
    key: str,
    command: Callable[[OpenLedger], ProgressiveCommand],
    *,
    again: bool = False,
) -> Any:
    """Authenticate, execute a command and return its outcome."""
    if key and len(key) < _MIN_KEY_LENGTH:
        raise RefusalError(f"key {key!r} is too short: use at least {_MIN_KEY_LENGTH} characters")
    with open_ledger(ledger) as at:
        actor = at.authenticate(name, code, again=again)
        return at.controller.execute(command(at), actor, key or secrets.token_urlsafe(12))


def make_command(kind: Callable[..., Any], **fields: Any) -> Any:
    """Return a command with these fields.

    Raises:
        RefusalError: a field is invalid.
    """
    from pydantic import ValidationError

    from pitboss.core.strict_model import first_error

    try:
        return kind(**fields)
    except ValidationError as error:
        raise RefusalError(first_error(error)) from None


def print_win_page(outcome: Any, award: int, *, as_json: bool) -> None:
    """Print the outcome of a command, and the win page of an award."""
    from pitboss.jackpot.reports import format_win_page, make_win_page

    print_outcome(outcome, as_json=as_json, pages=[format_win_page(make_win_page(outcome.state, award))])


def verify_win_page_pdf(path: Path | None) -> None:
    """Raise ``ReportError`` if a win page is requested at a path that cannot be written."""
    if path:
        from pitboss.reports.win_page_pdf import verify_pdf_path

        verify_pdf_path(path)


def write_win_page_pdf(outcome: Any, award: int, path: Path | None) -> None:
    """Write the win page of an award to a PDF, if a path is given."""
    if path:
        from pitboss.jackpot.reports import format_page_footer, make_win_page
        from pitboss.reports.win_page_pdf import write_win_page

        write_win_page(make_win_page(outcome.state, award), format_page_footer(outcome.state, datetime.now(UTC)), path)


def print_outcome(outcome: Any, *, as_json: bool, pages: Sequence[str] = ()) -> None:
    """Print the outcome of a command: its events, the display, and any win pages."""
    from pitboss.core.money import format_cents
    from pitboss.jackpot.reports import describe_event
    from pitboss.jackpot.state import get_display_cents

    display_cents = get_display_cents(outcome.state)
    if as_json:
        events = [event.model_dump(mode="json") for event in outcome.events]
        result = {"repeated": outcome.is_repeat, "events": events, "display_cents": display_cents}
        typer.echo(json.dumps(result | ({"win_page": pages[0]} if pages else {}), indent=2))
        return
    for event in outcome.events:
        typer.echo(describe_event(event))
    typer.echo(f"display {format_cents(display_cents)}")
    for page in pages:
        typer.echo(f"\n{page}")
