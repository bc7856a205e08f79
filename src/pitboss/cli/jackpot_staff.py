"""``pitboss jackpot staff`` and ``keys``: accounts, credentials, the key ring."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from pitboss.cli.arguments import complete_from
from pitboss.cli.jackpot_ledger import (
    LedgerCall,
    align_columns,
    list_anchor_files,
    make_command,
    read_answer,
    read_password,
    read_variable,
    with_ledger_options,
)
from pitboss.cli.jackpot_operations import AnchorOption
from pitboss.core.errors import UnknownNameError
from pitboss.jackpot.commands import ChangeStaff
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.roles import Role
from pitboss.jackpot.staff_state import StaffMember

MIN_EXECUTIVES = 2
"""One executive alone could add nobody, and nobody else could either."""

staff_app = typer.Typer(no_args_is_help=True, help="Manage staff: request accounts, choose a password, log in.")
keys_app = typer.Typer(
    no_args_is_help=True, help="Manage the keys that sign and encrypt: rotate them, revoke old ones."
)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The staff member's name.")]


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(staff_app, name="staff")
    app.add_typer(keys_app, name="keys")


_AUTHENTICATOR_STEP = "Enter this secret in your authenticator app"


def verify_first_executives(names: Sequence[str]) -> None:
    """Check the names of the first executives.

    Raises:
        RefusalError: there are fewer than two different ones, or a name is invalid.
    """
    for name in names:
        make_command(ChangeStaff, name=name, role=Role.EXECUTIVE)
    if len(set(names)) < MIN_EXECUTIVES or len(set(names)) < len(names):
        raise RefusalError(
            "name at least two different executives, each with --executive: no single person may be in charge",
            code="two-executives-needed",
            least=MIN_EXECUTIVES,
        )


def read_first_codes(names: Sequence[str]) -> dict[str, str]:
    """Let each first executive type a code; return the hashes by name.

    Raises:
        RefusalError: a code is easily guessed, or two are the same.
    """
    from pitboss.jackpot.passwords import hash_first_code

    codes = {
        name: _read_secret(f"first-run code of {name}", f"PITBOSS_FIRST_CODE_{number}", confirm=True)
        for number, name in enumerate(names, 1)
    }
    if len(set(codes.values())) < len(codes):
        raise RefusalError("two executives chose the same code: each needs their own", code="same-code")
    return {name: hash_first_code(name, code) for name, code in codes.items()}


def _read_secret(label: str, variable: str, *, confirm: bool = False) -> str:
    """Return a secret from the environment, or ask for it, with ``confirm`` twice."""
    return read_variable(label, variable) or read_answer(label, variable, hidden=True, confirm=confirm)


_GIVEN_ROLES = tuple(role for role in Role if role is not Role.SEAT)


@staff_app.command("add")
@with_ledger_options()
def add_staff(
    call: LedgerCall,
    who: NameArgument,
    role: Annotated[
        str,
        typer.Argument(
            metavar="ROLE",
            help=f"The role to give: {', '.join(_GIVEN_ROLES)}.",
            autocompletion=complete_from(lambda: _GIVEN_ROLES),
        ),
    ],
) -> None:
    """Request a role or a change of role; somebody else must approve it.

    This prints your half of the code with which the person enrols.  The approver gets the other half.
    """
    if role not in _GIVEN_ROLES:
        raise UnknownNameError("role", role, _GIVEN_ROLES)
    call.run(make_command(ChangeStaff, name=who, role=Role(role)), again=True)


@staff_app.command("reset")
@with_ledger_options()
def reset(call: LedgerCall, who: NameArgument) -> None:
    """Request that a person who lost a password or authenticator enrol again.

    Once it is approved, the person's old password, authenticator and sessions are invalid.
    """
    call.run(make_command(ChangeStaff, name=who, role=Role.SEAT, reset=True), again=True)


@staff_app.command("end")
@with_ledger_options()
def end_staff(call: LedgerCall, who: NameArgument) -> None:
    """Request the end of a person's role and of all their sessions."""
    call.run(make_command(ChangeStaff, name=who, role=Role.SEAT, active=False), again=True)


@staff_app.command("enrol")
@with_ledger_options("name", "key")
def enrol(
    call: LedgerCall,
    who: NameArgument,
) -> None:
    """Enrol with the code that you were given, and choose your password.

    Type both halves of the code, the requester's first, without a space; PITBOSS_ENROLMENT_CODE replaces the question.
    The password is typed twice; PITBOSS_PASSWORD replaces the question.

    Supervisors and executives also get the secret for their authenticator.
    """
    with call.open() as at:
        code = _read_secret("code to enrol", "PITBOSS_ENROLMENT_CODE")
        enrolled = at.credentials.enrol(who, code, read_password(new=True))
    authenticator = f". {_AUTHENTICATOR_STEP}: {enrolled.totp}" if enrolled.totp else ""
    call.print({"name": who, "totp": enrolled.totp}, f"{who} is enrolled{authenticator}")


@staff_app.command("password")
@with_ledger_options("key")
def change_password(call: LedgerCall) -> None:
    """Change your own password (the new one is typed twice); your sessions end.

    PITBOSS_PASSWORD replaces the question for the old password, PITBOSS_NEW_PASSWORD that for the new one.
    """
    with call.open() as at:
        actor = at.authenticate(call.name, call.code, again=True)
        at.credentials.change_password(actor, _read_secret("new password", "PITBOSS_NEW_PASSWORD", confirm=True))
    call.print({"name": actor.name}, f"{actor.name} has a new password")


@staff_app.command("authenticator")
@with_ledger_options("key")
def change_authenticator(call: LedgerCall) -> None:
    """Get a new authenticator secret for yourself; the old one and your sessions end."""
    with call.open() as at:
        actor = at.authenticate(call.name, call.code, again=True)
        totp = at.credentials.change_authenticator(actor).totp
    call.print({"name": actor.name, "totp": totp}, f"{actor.name} has a new secret. {_AUTHENTICATOR_STEP}: {totp}")


@staff_app.command("login")
@with_ledger_options("name", "key")
def login(call: LedgerCall, name: Annotated[str, typer.Argument(metavar="NAME", help="Your name.")]) -> None:
    """Start a session: set PITBOSS_SESSION to the output.

    It ends after 15 idle minutes or 12 hours.
    """
    with call.open() as at:
        token = at.credentials.log_in(at.authenticate(name, call.code))
    call.print({"name": name, "session": token}, token)


@staff_app.command("logout")
@with_ledger_options("name", "key", "as_json")
def logout(call: LedgerCall) -> None:
    """End the session that PITBOSS_SESSION names."""
    session = _read_secret("session", "PITBOSS_SESSION")
    with call.open() as at:
        at.credentials.log_out(session)


@staff_app.command("list")
@with_ledger_options("key")
def list_staff(call: LedgerCall) -> None:
    """List the staff and their roles."""
    with call.open_as_reader() as at:
        members = sorted(at.controller.state.staff.items())
    staff = {who: {"role": each.role, "active": each.active, "enrolled": each.enrolled} for who, each in members}
    call.print(staff, align_columns((who, f"{each.role}{_describe_stage(each)}") for who, each in members))


def _describe_stage(member: StaffMember) -> str:
    """Return what is said after a person's role, "" if they have enrolled."""
    return "" if member.enrolled else ", invited" if member.active else ", ended"


@keys_app.command("list")
@with_ledger_options("key")
def list_keys(call: LedgerCall) -> None:
    """List the versions of the keys, their dates, and whether they are trusted."""
    with call.open_as_reader() as at:
        keys = at.signer.keys
    shown = ("version", "state", "made", "public_key")
    result = [{name: getattr(each, name) for name in shown} for each in keys]
    rows = ((str(each.version), each.state, each.made or "at first", each.public_key) for each in keys)
    call.print(result, align_columns(rows))


@keys_app.command("rotate")
@with_ledger_options("key")
def rotate(call: LedgerCall) -> None:
    """Make new keys, encrypt all authenticator secrets and sign the head with them.

    The old version is still trusted: revoke it if it may have leaked.  Keep a copy of the key file elsewhere.
    """
    from pitboss.jackpot.key_changes import rotate_keys

    with call.open() as at:
        version = rotate_keys(at.controller, at.authenticate(call.name, call.code, again=True))
    call.print({"version": version}, f"key version {version} is active: keep a new copy of the key file elsewhere")


@keys_app.command("renew")
@with_ledger_options("key")
def renew(call: LedgerCall) -> None:
    """Encrypt and sign everything again, after a rotation that was interrupted."""
    from pitboss.jackpot.key_changes import renew_keys

    with call.open() as at:
        version = renew_keys(at.controller, at.authenticate(call.name, call.code, again=True))
    call.print({"version": version}, f"everything is encrypted and signed with key version {version}")


@keys_app.command("revoke")
@with_ledger_options("key")
def revoke(
    call: LedgerCall,
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, help="The version, as `keys list` shows it.")],
    anchor: AnchorOption = None,
) -> None:
    """Check and sign the whole ledger, and stop trusting an old key version.

    Heads and backups that it signed are no longer accepted: back up at once, and export a new head.  The anchors get a
    new head.
    """
    from pitboss.jackpot.anchors import anchor_head, read_anchors, verify_anchors
    from pitboss.jackpot.key_changes import revoke_keys

    targets = tuple(each for each in anchor or () if not (call.as_json and each == "-"))
    with call.open() as at:
        for path in list_anchor_files(anchor):
            verify_anchors(at.store, read_anchors(path, at.signer))  # while the old version is still trusted
        revoke_keys(at.controller, at.authenticate(call.name, call.code, again=True), version)
        call.print(
            {"revoked": version},
            f"key version {version} is revoked: back up now, no backup that it signed can be restored; export a new "
            "head, and copy the key file again",
        )
        if targets:
            anchor_head(at.store, at.signer, targets, datetime.now(UTC))
