"""``pitboss replay``: settle a recorded round again.

The result is the same to the cent, or an error.
"""

import json
import sys
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from pitboss.builders import display_name
from pitboss.cli.arguments import JsonOption, verify_only_one
from pitboss.cli.round_display import format_seat, render_cards, render_event, render_settlements
from pitboss.cli.terminal_tables import make_console
from pitboss.core.errors import HistoryError
from pitboss.core.money import format_cents, format_net_cents
from pitboss.table.round import CardsDealt, DecisionMade, Round, RoundClosed, StakePlaced, WagerSettled
from pitboss.table.round.history import read_history
from pitboss.table.round.history import replay_history as play_again
from pitboss.table.round.history_schema import History, build_history_schema
from pitboss.table.round.history_writer import build_history, format_history
from pitboss.table.round.wagers import get_stake_name


def replay(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A round's history, as `pitboss play` records it.")
    ] = None,
    *,
    as_json: JsonOption = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print the history with its settlements filled in.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a history.")] = False,
) -> None:
    """Settle a recorded round again and check every card, decision and payment.

    If a history has no settlements, they are computed: you can write a round by hand and see how it settles.

    For example:

        pitboss replay round.toml
        pitboss replay round.toml --json
    """
    verify_only_one(json=as_json, toml=as_toml, schema=schema, file=schema and file)
    if schema or file is None:
        if not schema:
            message = "replay needs a FILE: a round's history in TOML (--schema prints its format)"
            raise HistoryError(message, code="no-file")
        json.dump(build_history_schema(), sys.stdout, indent=2)
        sys.stdout.write("\n")
        return
    history = read_history(file)
    game_round = play_again(history)
    if as_toml:
        settled = build_history(game_round, title=history.title, seed=history.seed, deck=history.deck)
        sys.stdout.write(format_history(settled.model_copy(update={"late": history.late})))
    elif as_json:
        json.dump(_summarize(game_round), sys.stdout)
        sys.stdout.write("\n")
    else:
        _print_round(game_round, history)


def _get_nets(game_round: Round) -> tuple[int, ...]:
    return next(event.nets_cents for event in game_round.events if isinstance(event, RoundClosed))


def _summarize(game_round: Round) -> dict[str, object]:
    settled = [event for event in game_round.events if isinstance(event, WagerSettled)]
    return {
        "game": game_round.game.id,
        "seats": game_round.seats,
        "settlements": [
            {
                "seat": event.seat + 1,
                "bet": event.bet,
                "on": None if event.on is None else event.on + 1,
                "outcome": event.outcome,
                "net_cents": event.net_cents,
                "circles": [
                    {
                        "circle": leg.circle,
                        "stake_cents": leg.stake_cents,
                        "result": leg.result.name.lower(),
                        "net_cents": leg.net_cents,
                        "reason": leg.reason,
                    }
                    for leg in event.legs
                ],
            }
            for event in settled
        ],
        "nets_cents": list(_get_nets(game_round)),
    }


def _print_round(game_round: Round, history: History) -> None:
    console, actions = make_console(), count(1)
    console.print(Text(": ".join(filter(None, (game_round.game.name, history.title))), style="bold"))
    for event in game_round.events:
        if isinstance(event, StakePlaced):
            name = "the " * (event.bet == "main") + get_stake_name(game_round.game, event.bet)
            console.print(f"  {format_seat(event.seat, 0)} stakes {format_cents(event.cents)} on {name}", markup=False)
        elif isinstance(event, CardsDealt):
            next(actions)
            to = format_seat(event.seat, 0) if event.seat is not None else display_name(event.destination).capitalize()
            console.print(Text(f"  {to:<10} gets ") + render_cards(event.cards, game_round.game))
        elif isinstance(event, DecisionMade):
            given = Text(" ") + render_cards(event.cards, game_round.game) if event.cards else Text()
            more = f" ({format_cents(event.cents)} in {event.circle})" if event.cents else ""
            more += " (time ran out)" if next(actions) in history.late else ""
            console.print(Text(f"  {format_seat(event.seat, 0)}: {event.action}") + given + Text(more))
        else:
            line = render_event(event, game_round)
            if line is not None:
                console.print(line)
    console.print(render_settlements(game_round.events, game_round))
    nets = ", ".join(
        f"{format_seat(seat, 0)} {format_net_cents(net)}" for seat, net in enumerate(_get_nets(game_round))
    )
    compared = "Settled again to the same cent." if history.settlements else "No settlements to compare."
    console.print(f"Net: {nets}.  {compared}")
