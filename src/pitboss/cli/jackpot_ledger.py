"""What all ``pitboss jackpot`` commands share.

They open the ledger, authenticate the user, execute a command and print its outcome.
"""

import inspect
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from pitboss.cli.arguments import JsonOption
from pitboss.cli.ledger_location import (
    find_ledger_file,
    get_key_path,
    to_database_url,
    verify_supported,
)
from pitboss.core.errors import PitbossError
from pitboss.core.extras import write_install_hint
from pitboss.jackpot.commands import OUTSIDE_KEY, ProgressiveCommand
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.roles import Actor, Role, verify_permission

if TYPE_CHECKING:
    from pitboss.jackpot.command_execution import CommandOutcome
    from pitboss.jackpot.controller import Controller
    from pitboss.jackpot.credentials import CredentialStore
    from pitboss.jackpot.proofs import Proof
    from pitboss.ledger.signing import Signer
    from pitboss.ledger.store import Store

Command = TypeVar("Command")

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
        "Default: the session in PITBOSS_SESSION.",
    ),
]
PdfOption = Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Write the win page to this PDF file.")]
KeyOption = Annotated[
    str, typer.Option(help="At least 8 characters: a command repeated with the same key is executed only once.")
]
DEFAULT_LEDGER = "jackpot.db"
ANCHOR_VARIABLE = "PITBOSS_ANCHOR"
_MIN_KEY_LENGTH = 8


@dataclass(frozen=True)
class OpenLedger:
    """An open ledger with its signer, controller and credentials."""

    store: "Store"
    signer: "Signer"
    controller: "Controller"
    credentials: "CredentialStore"

    def authenticate(self, name: str, code: str, *, again: bool = False) -> Actor:
        """Return the user, authenticated by password and code or by a session.

        With ``again``, a session is not enough.

        Raises:
            ForbiddenError: there is no name and no session, or password, code or session is wrong.
        """
        proof = self.prove(name, code, again=again)
        if isinstance(proof, Actor):
            return proof
        return self.credentials.use_proof(proof)

    def prove(self, name: str, code: str, *, again: bool = False) -> "Actor | Proof":
        """Return the user of a session, or the proof of a user whose password is right.

        With ``again``, a session is not enough.

        Raises:
            ForbiddenError: there is no name and no session, or password, code or session is wrong.
        """
        state = self.controller.state
        if name:
            password, member = read_password(), state.staff.get(name)
            if member and member.role in {Role.SUPERVISOR, Role.EXECUTIVE} and not code:
                code = read_answer("code", "PITBOSS_CODE")
            return self.credentials.verify_password(state, name, password, code)
        if again:
            raise ForbiddenError("this needs your password again: say who you are with --as NAME", code="proof-needed")
        token = read_variable("session", "PITBOSS_SESSION")
        if not token:
            raise ForbiddenError(
                "say who you are with --as NAME, or set PITBOSS_SESSION to what `staff login` printed",
                code="not-logged-in",
            )
        return self.credentials.resume_session(state, token)


def read_password(*, new: bool = False) -> str:
    """Return the password from PITBOSS_PASSWORD, or ask for it.

    A ``new`` one is typed twice.
    """
    if "PITBOSS_PASSWORD" in os.environ:
        return read_variable("password", "PITBOSS_PASSWORD")
    return read_answer("new password" if new else "password", "PITBOSS_PASSWORD", hidden=True, confirm=new)


def read_variable(label: str, variable: str) -> str:
    """Return a secret from the environment, "" if it is not set.

    Raises:
        RefusalError: it is not text in UTF-8.
    """
    return _verify_text(label, os.environ.get(variable, ""))


def _verify_text(label: str, text: str) -> str:
    """Return a text that can be encoded.

    Raises:
        RefusalError: it came from bytes that are not UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusalError(f"the {label} is not UTF-8 text: type it in UTF-8", code="not-utf-8") from None
    return text


def read_answer(label: str, variable: str, *, hidden: bool = False, confirm: bool = False) -> str:
    """Return what the user types at a terminal, or the next line of piped input.

    Raises:
        RefusalError: input has ended, or is not text in UTF-8.
    """
    try:
        if sys.stdin.isatty():
            again = f"{label} again" if confirm else False
            return _verify_text(label, str(typer.prompt(label, hide_input=hidden, confirmation_prompt=again, err=True)))
        line = _verify_text(label, sys.stdin.readline())
    except UnicodeDecodeError:
        raise RefusalError(f"the {label} is not UTF-8 text: type it in UTF-8", code="not-utf-8") from None
    if not line:
        raise RefusalError(
            f"the {label} is missing: type it, pipe it in on its own line, or set {variable}",
            code="missing-answer",
            variable=variable,
        )
    return line.rstrip("\r\n")


@contextmanager
def open_ledger(
    ledger: str,
    *,
    create: bool = False,
    may_be_closed: bool = False,
    stays: bool = False,
    make_controller: "type[Controller] | None" = None,
) -> Iterator[OpenLedger]:
    """Open and check a ledger, with ``create`` also a new one; close it at the end.

    With ``may_be_closed``, a ledger that is closed because it failed its verification is opened, too; with ``stays``
    also one that fails now.  None opens that lacks the last head in an anchor file of PITBOSS_ANCHOR.
    """
    try:
        from pitboss.jackpot.controller import Controller
        from pitboss.jackpot.credentials import CredentialStore
        from pitboss.ledger.signing import Signer
        from pitboss.ledger.store import Store
    except ModuleNotFoundError as error:
        raise PitbossError(
            f"{error.name} is not installed: {write_install_hint('ledger')}", code="not-installed"
        ) from None

    verify_supported(ledger)
    file = find_ledger_file(ledger)
    if not create and file is not None and not file.exists():
        raise RefusalError(
            f"there is no ledger {ledger}: create it with pitboss jackpot init, restore a backup with "
            "pitboss jackpot restore, or name another with --ledger",
            code="no-ledger",
            ledger=ledger,
        )
    key, url = get_key_path(ledger), to_database_url(ledger)
    store = Store.open_or_create(url) if create else Store(url)
    try:
        signer = Signer.load_or_create(key) if create else Signer(key)
        controller = (make_controller or Controller)(store, signer, may_be_closed=stays)
        fault = None if may_be_closed or stays else controller.find_fault()
        if fault:
            raise fault
        if not create:
            verify_last_anchors(store, signer, list_anchor_files(os.environ.get(ANCHOR_VARIABLE, "").split()))
        yield OpenLedger(store, signer, controller, CredentialStore(controller))
    finally:
        store.close()


def list_anchor_files(anchors: Sequence[str] | None) -> list[Path]:
    """Return the anchors that are files."""
    return [Path(each) for each in anchors or () if each != "-" and "://" not in each]


def verify_last_anchors(store: "Store", signer: "Signer", files: Sequence[Path]) -> None:
    """Check that a ledger has the last head of each file: it may be an older copy.

    Raises:
        LedgerError: it lacks one, or an anchor file cannot be read.
    """
    for path in files:
        from pitboss.jackpot.anchors import read_last_anchor, verify_anchors

        last = read_last_anchor(path, signer)
        verify_anchors(store, (last,) if last else ())


class LedgerCall(NamedTuple):
    """What commands get: ledger, person, key, and whether to print JSON."""

    ledger: LedgerOption = DEFAULT_LEDGER
    name: AsOption = ""
    key: KeyOption = ""
    as_json: JsonOption = False

    @property
    def code(self) -> str:
        """The code of the authenticator, "" to be asked for it: others see command lines."""
        return read_variable("code", "PITBOSS_CODE")

    def open(self, *, may_be_closed: bool = False) -> AbstractContextManager[OpenLedger]:
        """Open the ledger, check it, and close it at the end."""
        return open_ledger(self.ledger, may_be_closed=may_be_closed)

    @contextmanager
    def open_as_reader(self, *, may_be_closed: bool = False) -> Iterator[OpenLedger]:
        """Open the ledger for a person whose role may read it."""
        with self.open(may_be_closed=may_be_closed) as at:
            self.authenticate_reader(at)
            yield at

    def authenticate_reader(self, at: OpenLedger) -> None:
        """Authenticate the person, whose role must be allowed to read the ledger."""
        verify_permission(at.authenticate(self.name, self.code), "read-ledger")

    def execute(self, command: ProgressiveCommand, *, again: bool = False) -> "CommandOutcome":
        """Authenticate and execute a command; ``again``: a session is not enough."""
        with self.open() as at:
            return self.execute_at(at, command, again=again)

    def execute_at(self, at: OpenLedger, command: ProgressiveCommand, *, again: bool = False) -> "CommandOutcome":
        """Authenticate and execute a command in a ledger that is open already."""
        key = self.get_key()
        by = at.prove(self.name, self.code, again=again)
        return at.controller.execute(command, by, key)

    def get_key(self) -> str:
        """Return the command's key, or a new one if none is given.

        Raises:
            RefusalError: the key is too short, or one of the program's own.
        """
        if self.key and len(self.key) < _MIN_KEY_LENGTH:
            raise RefusalError(
                f"key {self.key!r} is too short: use at least {_MIN_KEY_LENGTH} characters",
                code="key-too-short",
                key=self.key,
                least=_MIN_KEY_LENGTH,
            )
        if self.key and not re.fullmatch(OUTSIDE_KEY, self.key):
            raise RefusalError(
                f"key {self.key!r} is not valid: use letters, digits and symbols without spaces",
                code="invalid-key",
                key=self.key,
            )
        return self.key or secrets.token_urlsafe(12)

    def run(self, command: ProgressiveCommand, *, again: bool = False) -> None:
        """Execute a command and print its outcome."""
        print_outcome(self.execute(command, again=again), as_json=self.as_json)

    def print(self, result: Any, text: str) -> None:
        """Print a result as JSON if that was asked for, else the text."""
        typer.echo(json.dumps(result, indent=2) if self.as_json else text)


def with_ledger_options(*omitted: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, as one argument, the options of ``LedgerCall`` but ``omitted``."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        shared = inspect.signature(LedgerCall).parameters.values()
        options = [option for option in shared if option.name not in omitted]

        @wraps(function)
        def command(**values: Any) -> None:
            call = LedgerCall(**{option.name: values.pop(option.name) for option in options})
            function(call, **values)

        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *options)]
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        vars(command)["__signature__"] = inspect.Signature(parameters)  # from which Typer makes the command line
        return command

    return decorate


def align_columns(rows: Iterable[Sequence[str]]) -> str:
    """Return a line for each row, with the columns aligned.

    >>> align_columns([("ann", "dealer"), ("gregory", "auditor")]).splitlines()
    ['ann      dealer', 'gregory  auditor']
    """
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    lines = ("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)) for row in listed)
    return "\n".join(line.rstrip() for line in lines)


def make_command(kind: Callable[..., Command], **fields: Any) -> Command:
    """Return a command with these fields.

    Raises:
        RefusalError: a field is invalid.
    """
    from pydantic import ValidationError

    from pitboss.core.strict_model import first_error

    try:
        return kind(**fields)
    except ValidationError as error:
        raise RefusalError(first_error(error), code="invalid-field") from None


def verify_win_page_pdf(path: Path | None) -> None:
    """Check that a win page can be written, if one is requested.

    Raises:
        ReportError: its path cannot be written.
    """
    if path:
        from pitboss.reports.win_page_pdf import verify_pdf_path

        verify_pdf_path(path)


def write_win_page_pdf(outcome: "CommandOutcome", path: Path | None) -> None:
    """Write the win page that a command printed to a PDF, if a path is given."""
    if path and outcome.win_page:
        from pitboss.reports.win_page_pdf import write_win_page

        write_win_page(outcome.win_page, path)


def print_outcome(outcome: "CommandOutcome", *, as_json: bool, shows_page: bool = False) -> None:
    """Print a command's events, the display, and the win page if wanted."""
    from pitboss.core.money import format_cents
    from pitboss.jackpot.reports import describe_event
    from pitboss.jackpot.win_pages import format_win_page

    page = format_win_page(outcome.win_page) if shows_page and outcome.win_page else ""
    if as_json:
        events = [event.model_dump(mode="json") for event in outcome.events]
        result = {"repeated": outcome.is_repeat, "events": events, "display_cents": outcome.display_cents}
        result |= outcome.half_code._asdict() if outcome.half_code else {}
        result |= {"warnings": outcome.warnings} if outcome.warnings else {}
        typer.echo(json.dumps(result | ({"win_page": page} if page else {}), indent=2))
        return
    if outcome.is_repeat:
        typer.echo("repeated: this was done before, and nothing is done a second time")
    for event in outcome.events:
        typer.echo(describe_event(event, outcome.shares))
    if outcome.half_code:
        typer.echo(f"{outcome.half_code.name}: your half of the code to enrol is {outcome.half_code.half_code}")
    for warning in outcome.warnings:
        typer.echo(f"warning: {warning}")
    typer.echo(f"display {format_cents(outcome.display_cents)}")
    if page:
        typer.echo(f"\n{page}")
