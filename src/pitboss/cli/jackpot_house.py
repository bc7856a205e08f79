"""``pitboss jackpot``: what the house does: set it up, name staff, and change things by two people."""

import json
import sys
from typing import Annotated, Any

import typer

from pitboss.cli.arguments import AsJson
from pitboss.cli.jackpot_desk import (
    DEFAULT_LEDGER,
    As,
    Code,
    Desk,
    Key,
    LedgerUrl,
    desk,
    done,
    formed,
    key_file,
    password,
    say,
    url_of,
)
from pitboss.core.errors import PitbossError
from pitboss.core.money import parse_cents
from pitboss.jackpot.commands import (
    Adjust,
    Approve,
    AskBackOut,
    ChangeStaff,
    Command,
    Configure,
    Decline,
    Report,
    Sign,
)
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.roles import Role, verify_role
from pitboss.jackpot.settings import RUNS_DRY, Settings, advice, checked, settings_of

staff_app = typer.Typer(no_args_is_help=True, help="Staff: name them, choose a password, log in.")
incident_app = typer.Typer(no_args_is_help=True, help="Incidents: no new round opens before two people close one.")

Why = Annotated[str, typer.Option("--text", metavar="WHY", help="What happened, in words.")]
Game = Annotated[str, typer.Option(help="The game whose hands are paid.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting, as seed_cents=500000; repeatable.")
]


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(init)
    app.command()(adjust)
    app.command("back-out")(back_out)
    app.command()(configure)
    app.command()(approve)
    app.add_typer(staff_app, name="staff")
    app.add_typer(incident_app, name="incident")


def init(
    executive: Annotated[str, typer.Option(metavar="NAME", help="The first executive, who names all others.")],
    paytable: Annotated[str, typer.Option(metavar="ID|FILE.toml", help="The progressive's pay table.")] = "SIXCPP-01",
    game: Game = "six-card",
    set_: Set = None,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    *,
    as_json: AsJson = False,
) -> None:
    """Make a ledger and a progressive in it; print the token with which its first executive chooses a password."""
    from pitboss.games import load_game
    from pitboss.paytables import select_paytables

    tables = select_paytables(load_game(game), [f"progressive={paytable}"]).values()
    settings = settings_of(next(table for table in tables if table.progressive), **_settings(set_))
    formed(ChangeStaff, name=executive, role=Role.EXECUTIVE)
    try:
        from pitboss.jackpot.service import Controller
        from pitboss.jackpot.staff import Staff
        from pitboss.ledger.signing import Signer
        from pitboss.ledger.store import Store
    except ModuleNotFoundError as error:
        raise PitbossError(f"{error.name} is not installed: pip install 'pitboss[ledger]'") from None

    path = key_file(ledger)
    store = Store.made(url_of(ledger))
    try:
        signer = Signer.made(path)
        controller = Controller(store, signer)
        if controller.state.entries:
            raise RefusalError("a progressive has been set up here already")
        token = Staff(store).invite(executive)  # before there is anything to be locked out of
        controller.found(settings, executive)
    finally:
        store.close()
    _advise(settings, game)
    said = {"ledger": ledger, "executive": executive, "token": token, "key": str(path), "public_key": signer.public}
    if as_json:
        typer.echo(json.dumps(said, indent=2))
    else:
        typer.echo(f"made {ledger}, signed with {path}: keep that file, and a copy elsewhere")
        typer.echo(f"{executive}: pitboss jackpot staff enrol {executive} --token {token}")


def _settings(written: list[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE: numbers and true or false as such."""
    found: dict[str, Any] = {}
    for each in written or []:
        name, equals, value = each.partition("=")
        if not equals or name not in Settings.model_fields or name in {"lines", "paytable"}:
            known = ", ".join(field for field in Settings.model_fields if field not in {"lines", "paytable"})
            raise RefusalError(f"{each!r} is no setting: write NAME=VALUE, of {known}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _advise(settings: Settings, game: str) -> None:
    for each in advice(settings):
        more = f", {_dry(settings, game)}" if each.name == RUNS_DRY else ""
        sys.stderr.write(f"advice {each.name}: {each.reason}{more}\n")


def _dry(settings: Settings, game: str) -> str:
    """Say how likely the meter runs dry, from how often each hand comes about in the game."""
    from pitboss.jackpot.dry import RUNS, WAGERS, chance_of_running_dry

    chance = chance_of_running_dry(settings, hand_chances(game))
    return f"which it does within {WAGERS:,} wagers from the seed with a chance of {chance:.1%} ({RUNS} runs)"


def hand_chances(game: str) -> dict[str, float]:
    """Return the probability of every outcome of a game's progressive, counted exactly."""
    from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet
    from pitboss.cli.progress import counting
    from pitboss.games import load_game
    from pitboss.options import resolve_options
    from pitboss.paytables import select_paytables

    of_game = load_game(game)
    chosen = select_paytables(of_game)
    bet = next(table.bet for table in chosen.values() if table.progressive)
    wager = next(wager for wager in of_game.wagers if wager.id == bet)
    with counting(f"{wager.name} of {of_game.name}") as progress:
        sheet = compute_par_sheet(of_game, wager, GameTerms(chosen, resolve_options(of_game, {})), progress)
    return {line.outcome.name: float(line.probability) for line in sheet.lines}


def adjust(
    account: Annotated[str, typer.Argument(metavar="meter|reserve")],
    reason: Annotated[
        str, typer.Option(help="award, malfunction, above-limit, gross-receipts, seed-recovery, house-funds.")
    ],
    text: Why,
    up: Annotated[str, typer.Option(metavar="DOLLARS", help="Raise it by this.")] = "0",
    down: Annotated[str, typer.Option(metavar="DOLLARS", help="Lower it by this.")] = "0",
    award: Annotated[int, typer.Option(min=0, help="The award that it corrects.")] = 0,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Ask for an adjustment of meter or reserve by hand; an executive who is another must approve it."""
    cents = parse_cents(up) - parse_cents(down)
    change = {"what": "adjustment", "account": account, "cents": cents, "reason": reason, "text": text, "award": award}
    say(done(ledger, name, code, key, lambda _at: formed(Adjust, change=change)), as_json=as_json)


def back_out(
    award: Annotated[int, typer.Argument(metavar="AWARD", min=1)],
    text: Why,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Ask that an award be put back that was confirmed in error; an executive who is another must approve it."""
    change = {"what": "back-out", "award": award, "text": text}
    say(done(ledger, name, code, key, lambda _at: formed(AskBackOut, change=change)), as_json=as_json)


def configure(
    text: Why,
    set_: Set = None,
    game: Game = "six-card",
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Ask for other settings; an executive who is another must approve them while no round is open."""

    def command(at: Any) -> Command:
        now = settings_in(at.controller.state)
        settings = checked({**now.model_dump(), **_settings(set_)})
        _advise(settings, game)
        asked: Command = formed(Configure, change={"what": "settings", "settings": settings, "text": text})
        return asked

    say(done(ledger, name, code, key, command), as_json=as_json)


def approve(
    request: Annotated[int, typer.Argument(metavar="REQUEST", min=1)],
    decline: Annotated[str, typer.Option(metavar="WHY", help="Turn it down instead, or withdraw your own.")] = "",
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Approve what somebody else has asked for, or turn it down.  It asks for the password again."""
    kind, more = (Decline, {"text": decline}) if decline else (Approve, {})
    say(
        done(ledger, name, code, key, lambda _at: formed(kind, request=request, **more), again=True),
        as_json=as_json,
    )


@incident_app.command("open")
def open_incident(
    text: Why,
    table: Annotated[int, typer.Option(min=0, help="The table; 0 means all.")] = 0,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Open an incident: no new round opens at its table, or at any."""
    say(done(ledger, name, code, key, lambda _at: formed(Report, table=table, text=text)), as_json=as_json)


@incident_app.command("close")
def close_incident(
    incident: Annotated[int, typer.Argument(metavar="INCIDENT", min=1)],
    text: Why,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Sign how an incident ends; the second person who does closes it."""
    say(
        done(ledger, name, code, key, lambda _at: formed(Sign, incident=incident, text=text), again=True),
        as_json=as_json,
    )


@staff_app.command("add")
def add(
    who: Annotated[str, typer.Argument(metavar="NAME")],
    role: Annotated[Role, typer.Argument(metavar="ROLE")],
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Give somebody a role; print the token with which they choose a password."""
    outcome = done(ledger, name, code, key, lambda _at: formed(ChangeStaff, name=who, role=role))
    if outcome.repeated:
        raise RefusalError(f"{who} was given a token already: `staff invite` gives another")
    with desk(ledger) as at:
        _invite(at, who, as_json=as_json)


def _invite(at: Desk, who: str, *, as_json: bool) -> None:
    token = at.staff.invite(who)
    if as_json:
        typer.echo(json.dumps({"name": who, "token": token}, indent=2))
    else:
        typer.echo(f"{who}: pitboss jackpot staff enrol {who} --token {token}")


@staff_app.command("invite")
def invite(
    who: Annotated[str, typer.Argument(metavar="NAME")],
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Give somebody another token who has lost his password or authenticator; what he had is void."""
    with desk(ledger) as at:
        verify_role(at.actor(name, code, again=True), "staff")
        member = at.controller.state.staff.get(who)
        if member is None or not member.active:
            raise RefusalError(f"{who} has no role here: `staff add` gives one")
        _invite(at, who, as_json=as_json)


@staff_app.command("end")
def end(
    who: Annotated[str, typer.Argument(metavar="NAME")],
    ledger: LedgerUrl = DEFAULT_LEDGER,
    name: As = "",
    code: Code = "",
    key: Key = "",
    *,
    as_json: AsJson = False,
) -> None:
    """End somebody's role, and with it every session."""

    def command(at: Any) -> Command:
        member = at.controller.state.staff.get(who)
        asked: Command = formed(ChangeStaff, name=who, role=member.role if member else Role.SEAT, active=False)
        return asked

    say(done(ledger, name, code, key, command), as_json=as_json)


@staff_app.command("enrol")
def enrol(
    who: Annotated[str, typer.Argument(metavar="NAME")],
    token: Annotated[str, typer.Option(help="The token that you were given; it works once.")],
    ledger: LedgerUrl = DEFAULT_LEDGER,
    *,
    as_json: AsJson = False,
) -> None:
    """Choose your password, typed twice; supervisors and above are given the secret of their authenticator."""
    with desk(ledger) as at:
        enrolled = at.staff.enrol(at.controller.state, who, token, password(new=True))
    if as_json:
        typer.echo(json.dumps({"name": who, "totp": enrolled.totp}, indent=2))
    else:
        typer.echo(f"{who} is enrolled" + (f"; authenticator {enrolled.totp}" if enrolled.totp else ""))


@staff_app.command("login")
def login(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    code: Code = "",
    ledger: LedgerUrl = DEFAULT_LEDGER,
    *,
    as_json: AsJson = False,
) -> None:
    """Begin a session: set PITBOSS_SESSION to what this prints.  It ends after 15 idle minutes or 12 hours."""
    with desk(ledger) as at:
        token = at.staff.log_in(at.actor(name, code))
    typer.echo(json.dumps({"name": name, "session": token}, indent=2) if as_json else token)


@staff_app.command("logout")
def logout(
    session: Annotated[str, typer.Option(envvar="PITBOSS_SESSION", help="The session to end.")],
    ledger: LedgerUrl = DEFAULT_LEDGER,
) -> None:
    """End a session."""
    with desk(ledger) as at:
        at.staff.log_out(session)


@staff_app.command("list")
def list_(ledger: LedgerUrl = DEFAULT_LEDGER, name: As = "", code: Code = "", *, as_json: AsJson = False) -> None:
    """List who has which role."""
    with desk(ledger) as at:
        at.reader(name, code)
        staff = {who: member.model_dump(mode="json") for who, member in sorted(at.controller.state.staff.items())}
    if as_json:
        typer.echo(json.dumps(staff, indent=2))
    else:
        for who, member in staff.items():
            typer.echo(f"{who:<32} {member['role']}{'' if member['active'] else ', ended'}")
