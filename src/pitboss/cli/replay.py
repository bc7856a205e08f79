"""``pitboss replay``: a recorded round settled again, to the same cent or an error."""

import json
import sys
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from pitboss.builders import display_name
from pitboss.cli.arguments import AsJson
from pitboss.cli.drawing import cards_text, event_line, seat_name, settlement_table
from pitboss.cli.grids import screen
from pitboss.core.errors import HistoryError
from pitboss.core.money import format_cents
from pitboss.table.domain import Closed, Dealt, Decided, Round, Settled, Wagered
from pitboss.table.domain.form import History, history_schema
from pitboss.table.domain.history import format_history, history_of, read_history
from pitboss.table.domain.history import replay as play_again
from pitboss.table.domain.wagers import wager_named


def replay(
    file: Annotated[Path | None, typer.Argument(help="A round's history, as `pitboss play` records it.")] = None,
    *,
    as_json: AsJson = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print the history with its settlements filled in.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a history.")] = False,
) -> None:
    """Settle a recorded round again: every card, decision and payment checked against the rules.

    A history without settlements is given them, so that a round can be written by hand and worked out.

    For example:

        pitboss replay round.toml
        pitboss replay round.toml --json
    """
    if schema or file is None:
        if not schema:
            message = "replay takes a FILE: a round's history in TOML (--schema prints its form)"
            raise HistoryError(message)
        json.dump(history_schema(), sys.stdout, indent=2)
        sys.stdout.write("\n")
        return
    history = read_history(file)
    now = play_again(history)
    if as_toml:
        again = history_of(now, title=history.title, seed=history.seed, deck=history.deck)
        sys.stdout.write(format_history(again.model_copy(update={"late": history.late})))
    elif as_json:
        json.dump(_summary(now), sys.stdout)
        sys.stdout.write("\n")
    else:
        _tell(now, history)


def _nets(now: Round) -> tuple[int, ...]:
    return next(event.nets_cents for event in now.events if isinstance(event, Closed))


def _summary(now: Round) -> dict[str, object]:
    settled = [event for event in now.events if isinstance(event, Settled)]
    return {
        "game": now.game.id,
        "seats": now.seats,
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
                        "result": leg.verdict.name.lower(),
                        "net_cents": leg.net_cents,
                        "reason": leg.reason,
                    }
                    for leg in event.legs
                ],
            }
            for event in settled
        ],
        "nets_cents": list(_nets(now)),
    }


def _tell(now: Round, history: History) -> None:
    console, actions = screen(), count(1)
    console.print(Text(": ".join(filter(None, (now.game.name, history.title))), style="bold"))
    for event in now.events:
        if isinstance(event, Wagered):
            name = wager_named(now.game, event.bet).name
            console.print(f"  {seat_name(event.seat, 0)} stakes {format_cents(event.cents)} on {name}", markup=False)
        elif isinstance(event, Dealt):
            next(actions)
            to = seat_name(event.seat, 0) if event.seat is not None else display_name(event.to).capitalize()
            console.print(Text(f"  {to:<10} gets ") + cards_text(event.cards, now.game))
        elif isinstance(event, Decided):
            given = Text(" ") + cards_text(event.cards, now.game) if event.cards else Text()
            more = f" ({format_cents(event.cents)} in {event.circle})" if event.cents else ""
            more += " (time ran out)" if next(actions) in history.late else ""
            console.print(Text(f"  {seat_name(event.seat, 0)}: {event.action}") + given + Text(more))
        else:
            line = event_line(event, now)
            if line is not None:
                console.print(line)
    console.print(settlement_table(now.events, now))
    nets = ", ".join(f"p{seat + 1} {format_cents(net)}" for seat, net in enumerate(_nets(now)))
    compared = "Settled again to the same cent." if history.settlements else "No settlements to compare."
    console.print(f"Net: {nets}.  {compared}")
