"""A round's history written as TOML, in the form that ``history`` describes."""

from collections.abc import Iterable, Iterator

import tomli_w

from pitboss.cards import format_card
from pitboss.contract import Game
from pitboss.core.version import __version__
from pitboss.paytables import load_builtin_paytables, to_document
from pitboss.table.round import CardsDealt, DecisionMade, EnvyPaid, Round, WagerSettled
from pitboss.table.round.history_schema import (
    DISCARD_WORD,
    PHH_ACTIONS,
    STAND_ACTION,
    AwardRecord,
    History,
    LimitRecord,
    MeterRecord,
    SettlementRecord,
    WagerRecord,
)


def format_history(history: History) -> str:
    """Format a history as TOML; fields at their defaults are left out.

    Parsing the text gives the same history, and formatting that gives the same text.
    """
    return tomli_w.dumps(history.model_dump(by_alias=True, exclude_defaults=True), multiline_strings=False)


def _format_cards(cards: Iterable[int], game: Game) -> str:
    return "".join(format_card(card, game.deck) for card in cards)


def format_deal(event: CardsDealt, game: Game) -> str:
    """Write a deal as an action."""
    cards = _format_cards(event.cards, game)
    match event.destination:
        case "seat" if event.seat is not None:
            return f"d dh p{event.seat + 1} {cards}"
        case "dealer":
            return f"d dh dealer {cards}"
        case "community":
            return f"d db {cards}"
        case zone:
            return f"d {zone.lower()} {cards}"


def _format_decision(event: DecisionMade, game: Game) -> str:
    if event.cards or event.action == STAND_ACTION:
        return f"p{event.seat + 1} {DISCARD_WORD} {_format_cards(event.cards, game)}".rstrip()
    return f"p{event.seat + 1} {PHH_ACTIONS.get(event.action, event.action)}"


def format_actions(game_round: Round) -> Iterator[str]:
    """Yield every deal and decision of a round as an action."""
    for event in game_round.events:
        if isinstance(event, CardsDealt):
            yield format_deal(event, game_round.game)
        elif isinstance(event, DecisionMade):
            yield _format_decision(event, game_round.game)


def iter_settlement_records(game_round: Round) -> Iterator[SettlementRecord]:
    """Yield how each wager of a round was settled."""
    for event in game_round.events:
        if isinstance(event, WagerSettled):
            on = None if event.on is None else event.on + 1
            yield SettlementRecord(
                seat=event.seat + 1, bet=event.bet, outcome=event.outcome, net_cents=event.net_cents, on=on
            )
        elif isinstance(event, EnvyPaid):
            yield SettlementRecord(
                seat=event.seat + 1,
                bet=event.bet,
                outcome=f"envy-{event.line}",
                net_cents=event.cents,
                on=event.hitter + 1,
            )


def build_meter_record(game_round: Round) -> MeterRecord | None:
    """Return the meter of a round, None if no wager is paid from one."""
    if game_round.opening_meter is None or not game_round.has_meter_wager:
        return None
    return MeterRecord(meter_units=game_round.opening_meter.units, reserve_units=game_round.opening_meter.reserve_units)


def build_history(game_round: Round, *, title: str = "", seed: int | None = None, deck: str = "") -> History:
    """Build a round's history; ``deck`` names its deck (LU-2), ``seed`` redeals it."""
    game = game_round.game
    builtin = {(table.kind, table.id): table for table in load_builtin_paytables(game)}
    others = [table for table in game_round.paytables.values() if not (table.default and table in builtin.values())]
    own = [table for table in others if builtin.get((table.kind, table.id)) != table]
    return History(
        variant=game.id,
        antes=[game_round.get_stake_cents(seat, "main") for seat in range(game_round.seats)],
        actions=list(format_actions(game_round)),
        title=title,
        pitboss=__version__,
        seed=seed,
        deck=deck,
        preset=game_round.preset,
        limits={
            bet: LimitRecord(minimum_cents=low, maximum_cents=high)
            for bet, (low, high) in game_round.limit_overrides.items()
        },
        options={
            option.name: game_round.options[option.name]
            for option in game.options
            if game_round.options[option.name] != option.default
        },
        paytables=[f"{table.bet}={table.id}" for table in others if table not in own],
        meter=build_meter_record(game_round),
        awards=[
            AwardRecord(seat=award.seat + 1, meter_cents=award.meter_cents, short_cents=award.short_cents)
            for award in game_round.awards
        ],
        own_paytables=[to_document(table) for table in own],
        wagers=[
            WagerRecord(
                seat=stake.seat + 1, bet=stake.bet, cents=stake.cents, on=None if stake.on is None else stake.on + 1
            )
            for stake in game_round.stakes
            if stake.bet != "main"
        ],
        settlements=list(iter_settlement_records(game_round)),
    )
