"""``pitboss jackpot``: the commands of management: set up, staff, and changes that need two people."""

import json
import sys
from typing import Annotated, Any

import typer

from pitboss.cli.arguments import JsonOption
from pitboss.cli.jackpot_ledger import (
    DEFAULT_LEDGER,
    AsOption,
    CodeOption,
    KeyOption,
    LedgerOption,
    OpenLedger,
    execute_command,
    get_key_path,
    make_command,
    open_ledger,
    print_outcome,
    read_password,
    to_database_url,
)
from pitboss.core.errors import PitbossError
from pitboss.core.money import parse_cents
from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    DeclineRequest,
    OpenIncident,
    ProgressiveCommand,
    RequestAdjustment,
    RequestBackOut,
    RequestSettings,
    SignIncident,
)
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.roles import Role, verify_permission
from pitboss.jackpot.round_handlers import get_settings
from pitboss.jackpot.settings import RUIN_ADVICE, Settings, list_advice, make_settings, validate_settings

staff_app = typer.Typer(no_args_is_help=True, help="Manage staff: add people, choose a password, log in.")
incident_app = typer.Typer(no_args_is_help=True, help="Manage incidents: no new round opens until two people close it.")

WhyOption = Annotated[str, typer.Option("--text", metavar="WHY", help="The reason, in your own words.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The staff member's name.")]
GameOption = Annotated[str, typer.Option(help="The game whose hands the progressive pays.")]
SettingOptions = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting, for example seed_cents=500000; repeatable."),
]


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(init)
    app.command()(adjust)
    app.command("back-out")(back_out)
    app.command()(configure)
    app.command()(approve)
    app.add_typer(staff_app, name="staff")
    app.add_typer(incident_app, name="incident")


def init(
    executive: Annotated[str, typer.Option(metavar="NAME", help="The first executive, who adds all other staff.")],
    paytable: Annotated[str, typer.Option(metavar="ID|FILE.toml", help="The progressive's pay table.")] = "SIXCPP-01",
    game: GameOption = "six-card",
    set_: SettingOptions = None,
    ledger: LedgerOption = DEFAULT_LEDGER,
    *,
    as_json: JsonOption = False,
) -> None:
    """Create a ledger with a progressive; print the token with which the first executive chooses a password."""
    from pitboss.games import load_game
    from pitboss.paytables import select_paytables

    tables = select_paytables(load_game(game), [f"progressive={paytable}"]).values()
    settings = make_settings(next(table for table in tables if table.progressive), **_parse_settings(set_))
    make_command(ChangeStaff, name=executive, role=Role.EXECUTIVE)
    try:
        from pitboss.jackpot.controller import Controller
        from pitboss.jackpot.credentials import CredentialStore
        from pitboss.ledger.signing import Signer
        from pitboss.ledger.store import Store
    except ModuleNotFoundError as error:
        raise PitbossError(f"{error.name} is not installed: pip install 'pitboss[ledger]'") from None

    path = get_key_path(ledger)
    store = Store.open_or_create(to_database_url(ledger))
    try:
        signer = Signer.load_or_create(path)
        controller = Controller(store, signer)
        if controller.state.entries:
            raise RefusalError("this ledger already has a progressive: name another with --ledger")
        token = CredentialStore(store).invite(executive)  # first, so that nobody is locked out if it fails
        controller.create(settings, executive)
    finally:
        store.close()
    _print_advice(settings, game)
    if as_json:
        made = {"ledger": ledger, "executive": executive, "token": token}
        typer.echo(json.dumps({**made, "key": str(path), "public_key": signer.public_key}, indent=2))
    else:
        typer.echo(f"created {ledger}, signed with {path}: keep that file, and a copy elsewhere")
        typer.echo(f"{executive}: pitboss jackpot staff enrol {executive} --token {token}")


def _parse_settings(texts: list[str] | None) -> dict[str, Any]:
    """Parse NAME=VALUE words; numbers, true and false become JSON values."""
    settings: dict[str, Any] = {}
    for each in texts or []:
        name, equals, value = each.partition("=")
        if not equals or name not in Settings.model_fields or name in {"lines", "paytable"}:
            known = ", ".join(field for field in Settings.model_fields if field not in {"lines", "paytable"})
            raise RefusalError(f"{each!r} is not a setting: write NAME=VALUE, with a NAME of {known}")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _print_advice(settings: Settings, game: str) -> None:
    for each in list_advice(settings):
        more = f", {_describe_ruin(settings, game)}" if each.name == RUIN_ADVICE else ""
        sys.stderr.write(f"advice {each.name}: {each.reason}{more}\n")


def _describe_ruin(settings: Settings, game: str) -> str:
    """Return how likely the meter runs dry, from the probability of each hand in the game."""
    from pitboss.jackpot.ruin import RUNS, WAGERS_PER_RUN, estimate_ruin_probability

    chance = estimate_ruin_probability(settings, compute_hand_probabilities(game))
    return f"which it does within {WAGERS_PER_RUN:,} wagers from the seed with a chance of {chance:.1%} ({RUNS} runs)"


def compute_hand_probabilities(game: str) -> dict[str, float]:
    """Return the exact probability of every outcome of a game's progressive."""
    from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet
    from pitboss.cli.progress import show_progress
    from pitboss.games import load_game
    from pitboss.options import resolve_options
    from pitboss.paytables import select_paytables

    of_game = load_game(game)
    chosen = select_paytables(of_game)
    bet = next(table.bet for table in chosen.values() if table.progressive)
    wager = next(wager for wager in of_game.wagers if wager.id == bet)
    with show_progress(f"{wager.name} of {of_game.name}") as progress:
        sheet = compute_par_sheet(of_game, wager, GameTerms(chosen, resolve_options(of_game, {})), progress)
    return {line.outcome.name: float(line.probability) for line in sheet.lines}


def adjust(
    account: Annotated[str, typer.Argument(metavar="meter|reserve", help="The account to adjust.")],
    reason: Annotated[
        str, typer.Option(help="One of award, malfunction, above-limit, gross-receipts, seed-recovery, house-funds.")
    ],
    text: WhyOption,
    up: Annotated[str, typer.Option(metavar="DOLLARS", help="Raise it by this amount.")] = "0",
    down: Annotated[str, typer.Option(metavar="DOLLARS", help="Lower it by this amount.")] = "0",
    award: Annotated[int, typer.Option(min=0, help="The award that the adjustment corrects.")] = 0,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Request a manual adjustment of meter or reserve; another person, an executive, must approve it."""
    cents = parse_cents(up) - parse_cents(down)
    change = {"what": "adjustment", "account": account, "cents": cents, "reason": reason, "text": text, "award": award}
    print_outcome(
        execute_command(ledger, name, code, key, lambda _at: make_command(RequestAdjustment, change=change)),
        as_json=as_json,
    )


def back_out(
    award: Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number.")],
    text: WhyOption,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Request that an award confirmed in error be put back; another person, an executive, must approve it."""
    change = {"what": "back-out", "award": award, "text": text}
    print_outcome(
        execute_command(ledger, name, code, key, lambda _at: make_command(RequestBackOut, change=change)),
        as_json=as_json,
    )


def configure(
    text: WhyOption,
    set_: SettingOptions = None,
    game: GameOption = "six-card",
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Request new settings; another person, an executive, must approve them while no round is open."""

    def command(at: Any) -> ProgressiveCommand:
        current = get_settings(at.controller.state)
        settings = validate_settings({**current.model_dump(), **_parse_settings(set_)})
        _print_advice(settings, game)
        request: ProgressiveCommand = make_command(
            RequestSettings, change={"what": "settings", "settings": settings, "text": text}
        )
        return request

    print_outcome(execute_command(ledger, name, code, key, command), as_json=as_json)


def approve(
    request: Annotated[int, typer.Argument(metavar="REQUEST", min=1, help="The request's number.")],
    decline: Annotated[str, typer.Option(metavar="WHY", help="Decline it instead, or withdraw your own.")] = "",
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Approve or decline somebody else's request; you must give your password again."""
    kind, more = (DeclineRequest, {"text": decline}) if decline else (ApproveRequest, {})
    print_outcome(
        execute_command(ledger, name, code, key, lambda _at: make_command(kind, request=request, **more), again=True),
        as_json=as_json,
    )


@incident_app.command("open")
def open_incident(
    text: WhyOption,
    table: Annotated[int, typer.Option(min=0, help="The table's number; 0 means all tables.")] = 0,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Open an incident, which closes one table or all tables to new rounds."""
    print_outcome(
        execute_command(ledger, name, code, key, lambda _at: make_command(OpenIncident, table=table, text=text)),
        as_json=as_json,
    )


@incident_app.command("close")
def close_incident(
    incident: Annotated[int, typer.Argument(metavar="INCIDENT", min=1, help="The incident's number.")],
    text: WhyOption,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Sign that an incident is resolved; the second person to sign closes it."""
    print_outcome(
        execute_command(
            ledger, name, code, key, lambda _at: make_command(SignIncident, incident=incident, text=text), again=True
        ),
        as_json=as_json,
    )


@staff_app.command("add")
def add_staff(
    who: NameArgument,
    role: Annotated[Role, typer.Argument(metavar="ROLE", help=f"The role to give: {', '.join(Role)}.")],
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Give a person a role; print the token with which they choose a password."""
    outcome = execute_command(ledger, name, code, key, lambda _at: make_command(ChangeStaff, name=who, role=role))
    if outcome.is_repeat:
        raise RefusalError(f"{who} already has a token: `staff invite` gives a new one")
    with open_ledger(ledger) as at:
        _print_invitation(at, who, as_json=as_json)


def _print_invitation(at: OpenLedger, who: str, *, as_json: bool) -> None:
    token = at.credentials.invite(who)
    if as_json:
        typer.echo(json.dumps({"name": who, "token": token}, indent=2))
    else:
        typer.echo(f"{who}: pitboss jackpot staff enrol {who} --token {token}")


@staff_app.command("invite")
def invite(
    who: NameArgument,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Give a new token to a person who lost their password or authenticator; the old ones become invalid."""
    with open_ledger(ledger) as at:
        verify_permission(at.authenticate(name, code, again=True), "staff")
        member = at.controller.state.staff.get(who)
        if member is None or not member.active:
            raise RefusalError(f"{who} has no role here: `staff add` gives one")
        _print_invitation(at, who, as_json=as_json)


@staff_app.command("end")
def end_staff(
    who: NameArgument,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """End a person's role and all their sessions."""

    def command(at: Any) -> ProgressiveCommand:
        member = at.controller.state.staff.get(who)
        change: ProgressiveCommand = make_command(
            ChangeStaff, name=who, role=member.role if member else Role.SEAT, active=False
        )
        return change

    print_outcome(execute_command(ledger, name, code, key, command), as_json=as_json)


@staff_app.command("enrol")
def enrol(
    who: NameArgument,
    token: Annotated[str, typer.Option(help="The token you were given; it works once.")],
    ledger: LedgerOption = DEFAULT_LEDGER,
    *,
    as_json: JsonOption = False,
) -> None:
    """Choose your password (typed twice); supervisors and executives get their authenticator's secret."""
    with open_ledger(ledger) as at:
        enrolled = at.credentials.enrol(at.controller.state, who, token, read_password(new=True))
    if as_json:
        typer.echo(json.dumps({"name": who, "totp": enrolled.totp}, indent=2))
    else:
        typer.echo(f"{who} is enrolled" + (f"; authenticator {enrolled.totp}" if enrolled.totp else ""))


@staff_app.command("login")
def login(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name.")],
    code: CodeOption = "",
    ledger: LedgerOption = DEFAULT_LEDGER,
    *,
    as_json: JsonOption = False,
) -> None:
    """Start a session: set PITBOSS_SESSION to the output.  It ends after 15 idle minutes or 12 hours."""
    with open_ledger(ledger) as at:
        token = at.credentials.log_in(at.authenticate(name, code))
    typer.echo(json.dumps({"name": name, "session": token}, indent=2) if as_json else token)


@staff_app.command("logout")
def logout(
    session: Annotated[str, typer.Option(envvar="PITBOSS_SESSION", help="The session to end.")],
    ledger: LedgerOption = DEFAULT_LEDGER,
) -> None:
    """End a session."""
    with open_ledger(ledger) as at:
        at.credentials.log_out(session)


@staff_app.command("list")
def list_staff(
    ledger: LedgerOption = DEFAULT_LEDGER, name: AsOption = "", code: CodeOption = "", *, as_json: JsonOption = False
) -> None:
    """List the staff and their roles."""
    with open_ledger(ledger) as at:
        at.authenticate_reader(name, code)
        staff = {who: member.model_dump(mode="json") for who, member in sorted(at.controller.state.staff.items())}
    if as_json:
        typer.echo(json.dumps(staff, indent=2))
    else:
        for who, member in staff.items():
            typer.echo(f"{who:<32} {member['role']}{'' if member['active'] else ', ended'}")
