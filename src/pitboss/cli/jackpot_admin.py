"""``pitboss jackpot``: the commands for managers.

They set up a progressive, and make the changes that need two people.
"""

import json
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any, get_args

import typer

from pitboss.cli.arguments import parse_dollars
from pitboss.cli.jackpot_ledger import (
    LedgerCall,
    OpenLedger,
    make_command,
    open_ledger,
    print_outcome,
    with_ledger_options,
)
from pitboss.cli.jackpot_staff import read_first_codes, verify_first_executives
from pitboss.cli.ledger_location import find_ledger_file, get_key_path
from pitboss.core.errors import UnknownNameError, quote
from pitboss.core.joined_words import join_words
from pitboss.core.numbers import is_integer
from pitboss.jackpot.commands import (
    ApproveRequest,
    DeclineRequest,
    OpenIncident,
    ProgressiveCommand,
    RequestAdjustment,
    RequestBackOut,
    RequestSettingChanges,
    SignIncident,
)
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import AdjustmentReason, ChangeRequested, Reconfiguration
from pitboss.jackpot.settings import (
    FIXED_SETTINGS,
    FULL_BPS,
    RELEASED_GAME,
    RUIN_ADVICE,
    Settings,
    iter_advice,
    make_settings,
)
from pitboss.meter import NO_LIMIT

_LEAST_BPS = 100
"""The least number of basis points without their name: 14 is likely meant as 14%."""

incident_app = typer.Typer(no_args_is_help=True, help="Manage incidents: no new round opens until two people close it.")

WhyOption = Annotated[
    str, typer.Option("--text", metavar="WHY", help="The explanation, in your own words: at least 3 characters.")
]
SettingOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting, for example meter_bps=14% or seed_cents=$5,000; repeatable. `pitboss jackpot settings` lists "
        "them: cents, and basis points (a hundredth of a percent), may be written in dollars and percent.",
    ),
]


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(init)
    app.command()(adjust)
    app.command("back-out")(back_out)
    app.command()(configure)
    app.command()(approve)
    app.add_typer(incident_app, name="incident")


@with_ledger_options("name", "key")
def init(
    call: LedgerCall,
    executive: Annotated[
        list[str], typer.Option(metavar="NAME", help="A first executive; name two or more, who add all other staff.")
    ],
    paytable: Annotated[str, typer.Option(metavar="ID|FILE.toml", help="The progressive's pay table.")] = "SIXCPP-01",
    game: Annotated[str, typer.Option(help="The game whose hands the progressive pays.")] = RELEASED_GAME,
    set_: SettingOptions = None,
) -> None:
    """Create a ledger with a progressive and its first executives.

    Each executive in turn types a secret first-run code, and later enrols with it.  Piped input has one line for each
    code; PITBOSS_FIRST_CODE_1 and so on replace the questions.
    """
    from pitboss.games import load_game
    from pitboss.paytables import select_paytables

    of_game = load_game(game)
    if not any("progressive" in wager.paytable_kinds for wager in of_game.wagers):
        raise RefusalError(
            f"{game} has no progressive: name a game that has one, for example {RELEASED_GAME}",
            code="no-progressive",
            game=game,
        )
    tables = select_paytables(of_game, [f"progressive={paytable}"]).values()
    table = next(table for table in tables if table.progressive)
    settings = make_settings(table, **{**_parse_settings(set_), "game": game})
    verify_first_executives(executive)
    path, file = str(get_key_path(call.ledger)), find_ledger_file(call.ledger)
    if file is not None and file.exists():
        with open_ledger(call.ledger, create=True) as at:
            _verify_empty(at)
    codes = read_first_codes(executive)
    with open_ledger(call.ledger, create=True) as at:
        _verify_empty(at)
        at.controller.create(settings, codes)
    _print_advice(settings)
    public_key = at.signer.public_key
    enrol = (f"{name}: pitboss jackpot staff enrol {name}, with the code that {name} chose" for name in executive)
    call.print(
        {"ledger": call.ledger, "executives": executive, "key": path, "public_key": public_key},
        "\n".join(
            (
                f"created {call.ledger}; its signing key is {path}: keep the key, and a copy elsewhere",
                f"public key: {public_key}",
                *enrol,
            )
        ),
    )


def _verify_empty(at: OpenLedger) -> None:
    if at.controller.state.entries:
        raise RefusalError("this ledger already has a progressive: name another with --ledger", code="ledger-exists")


def _parse_settings(texts: list[str] | None) -> dict[str, Any]:
    """Parse the settings of NAME=VALUE words."""
    settings: dict[str, Any] = {}
    known = [field for field in Settings.model_fields if field not in FIXED_SETTINGS]
    for each in texts or []:
        name, equals, value = each.partition("=")
        if not equals:
            raise RefusalError(f"{each!r} is not a setting: write NAME=VALUE", code="invalid-setting", text=each)
        if name not in known:
            raise UnknownNameError("setting", name, known)
        settings[name] = _parse_value(name, value)
    return settings


def _parse_value(name: str, text: str) -> Any:
    """Parse the value of a setting.

    >>> _parse_value("meter_bps", "14.5%"), _parse_value("seed_cents", "$5,000"), _parse_value("limit_cents", "none")
    (1450, 500000, -1)
    >>> _parse_value("tables", "3"), _parse_value("award_order", "split")
    (3, 'split')

    Raises:
        PitbossError: an amount or a share is not written as one.
    """
    if name == "limit_cents" and text == "none":
        return NO_LIMIT
    if name.endswith("_cents") and not is_integer(text):
        if not text.startswith("$"):
            raise RefusalError(
                f"--set {name}: {quote(text)} is not an amount: write dollars with their sign, for example $5,000",
                code="not-an-amount",
                name=name,
                text=text,
            )
        return parse_dollars(text, f"--set {name}:")
    if name.endswith("_bps"):
        return _parse_share(name, text)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parse_share(name: str, text: str) -> int:
    """Parse a percentage, or basis points if they cannot be meant as one."""
    percent = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%", text)
    share = int(percent[1] + (percent[2] or "").ljust(2, "0")) if percent else int(text) if is_integer(text) else -1
    if not 0 <= share <= FULL_BPS or (not percent and 0 < share < _LEAST_BPS):
        raise RefusalError(
            f"--set {name}: {quote(text)} is not a share: write a percentage from 0% to 100%, for example 14% or 14.5%",
            code="invalid-percentage",
            name=name,
            text=text,
        )
    return share


def _print_advice(settings: Settings) -> None:
    for each in iter_advice(settings):
        sys.stderr.write(f"advice {each.name}: {each.reason}")
        sys.stderr.flush()  # before what may take a while
        sys.stderr.write(f", {_describe_ruin(settings)}\n" if each.name == RUIN_ADVICE else "\n")


def _describe_ruin(settings: Settings) -> str:
    """Return how likely the meter is to run dry.

    This follows from the probability of each hand in the game.
    """
    from pitboss.jackpot.ruin import KNOWN_PROBABILITIES, RUNS, WAGERS_PER_RUN, estimate_ruin_probability

    known = KNOWN_PROBABILITIES.get(settings.game)
    chance = estimate_ruin_probability(settings, known or compute_hand_probabilities(settings.game))
    return f"which it does within {WAGERS_PER_RUN:,} wagers from the seed with a chance of {chance:.1%} ({RUNS} runs)"


def compute_hand_probabilities(game: str) -> dict[str, float]:
    """Return the exact probability of every outcome of a game's progressive."""
    from pitboss.analysis.exact_par_sheet import compute_par_sheet
    from pitboss.analysis.game_terms import GameTerms
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


@with_ledger_options()
def adjust(
    call: LedgerCall,
    account: Annotated[str, typer.Argument(metavar="meter|reserve", help="The account to adjust.")],
    reason: Annotated[
        str,
        typer.Option(
            help="The reason: award or malfunction; only with --up: house-funds; only with --down: above-limit, "
            "gross-receipts or seed-recovery."
        ),
    ],
    text: WhyOption,
    up: Annotated[str, typer.Option(metavar="DOLLARS", help="Raise it by this amount.")] = "0",
    down: Annotated[str, typer.Option(metavar="DOLLARS", help="Lower it by this amount.")] = "0",
    award: Annotated[int, typer.Option(min=0, help="The award that the adjustment corrects.", show_default=False)] = 0,
) -> None:
    """Request a manual adjustment of the meter or the reserve.

    An executive other than you must approve it.
    """
    _verify_choice("an account", account, ("meter", "reserve"))
    _verify_choice("a reason", reason, get_args(AdjustmentReason))
    raised, lowered = parse_dollars(up, "--up"), parse_dollars(down, "--down")
    if raised and lowered:
        raise RefusalError("give --up or --down, not both: an adjustment has one amount", code="up-and-down")
    cents = raised - lowered
    change = {"what": "adjustment", "account": account, "cents": cents, "reason": reason, "text": text, "award": award}
    call.run(make_command(RequestAdjustment, change=change))


def _verify_choice(what: str, text: str, choices: Sequence[str]) -> None:
    """Check one of several words (raises RefusalError)."""
    if text not in choices:
        raise RefusalError(
            f"{quote(text)} is not {what}: choose {join_words(choices, 'or')}", code="invalid-field", text=text
        )


@with_ledger_options()
def back_out(
    call: LedgerCall,
    award: Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number.")],
    text: WhyOption,
) -> None:
    """Request the back-out of an award that was confirmed by mistake.

    The award must not be paid yet.  An executive other than you must approve the back-out.
    """
    change = {"what": "back-out", "award": award, "text": text}
    call.run(make_command(RequestBackOut, change=change))


@with_ledger_options()
def configure(call: LedgerCall, text: WhyOption, set_: SettingOptions = None) -> None:
    """Request new settings of the progressive.

    An executive other than you must approve them.  They apply from each table's next round.
    """
    outcome = call.execute(make_command(RequestSettingChanges, changes=_parse_settings(set_), text=text))
    for event in outcome.events:
        if isinstance(event, ChangeRequested) and isinstance(event.change, Reconfiguration):
            _print_advice(event.change.settings)
    print_outcome(outcome, as_json=call.as_json)


@with_ledger_options()
def approve(
    call: LedgerCall,
    request: Annotated[int, typer.Argument(metavar="REQUEST", min=1, help="The request's number.")],
    decline: Annotated[
        str, typer.Option(metavar="WHY", help="Decline the request, or withdraw your own, for this reason.")
    ] = "",
) -> None:
    """Approve or decline somebody else's request.

    This shows the request, and then asks for your password again.  If it gives a person an account, your half of the
    code with which the person enrols is printed.
    """
    from pitboss.jackpot.request_review import format_review

    command: ProgressiveCommand = make_command(ApproveRequest, request=request)
    if decline:
        command = make_command(DeclineRequest, request=request, text=decline)
    with call.open() as at:
        if request in at.controller.state.requests and not call.as_json:
            typer.echo(format_review(at.controller.state, request))
        outcome = call.execute_at(at, command, again=True)
    print_outcome(outcome, as_json=call.as_json)


@incident_app.command("open")
@with_ledger_options()
def open_incident(
    call: LedgerCall,
    text: WhyOption,
    table: Annotated[int, typer.Option(min=0, help="The table's number; 0 means all tables.")] = 0,
) -> None:
    """Open an incident, which closes one table or all tables to new rounds."""
    call.run(make_command(OpenIncident, table=table, text=text))


@incident_app.command("close")
@with_ledger_options()
def close_incident(
    call: LedgerCall,
    incident: Annotated[int, typer.Argument(metavar="INCIDENT", min=1, help="The incident's number.")],
    text: WhyOption,
) -> None:
    """Sign that an incident is resolved; the second person to sign closes it."""
    call.run(make_command(SignIncident, incident=incident, text=text), again=True)
