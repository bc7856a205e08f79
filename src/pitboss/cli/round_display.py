"""Display of a round in a terminal: cards, hands, settlements; no game logic."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, format_card
from pitboss.cli.terminal_tables import Column, TerminalTable, make_number_columns
from pitboss.contract import Game, LegResult
from pitboss.core.money import format_cents
from pitboss.hands import NO_HAND, format_hand, load_hand_tables
from pitboss.table.round import CardsShown, EnvyPaid, Round, RoundEvent, StubReshuffled, WagerSettled
from pitboss.table.round.wagers import get_circle_name, get_wager

# Each suit has its own colour; the letter next to it serves readers who see no colours.
_SUIT_STYLES = ("bold white", "bold red", "bold blue", "bold green")
_JOKER_STYLE = "bold magenta"
_RESULT_STYLES = {LegResult.WIN: "green", LegResult.PUSH: "yellow", LegResult.LOSE: "red"}
_REASON_COLUMN = Column("Why", wraps=True, min_width=16)
_RESULT_WORDS = {LegResult.WIN: "wins", LegResult.PUSH: "pushes", LegResult.LOSE: "loses"}


def render_card(card: int, game: Game) -> Text:
    """Return a card's letters in its suit's colour."""
    style = _JOKER_STYLE if card >= FIRST_JOKER else _SUIT_STYLES[card // 13]
    return Text(format_card(card, game.deck), style=style)


def render_cards(cards: int | Iterable[int], game: Game) -> Text:
    """Return cards in a row.

    A card set has its highest ranks first; a sequence keeps its own order.
    """
    if isinstance(cards, int):
        held = (card for card in game.deck.cards if cards >> card & 1)
        cards = sorted(held, key=lambda card: (card >= FIRST_JOKER, -(card % 13), card))
    return Text(" ").join(render_card(card, game) for card in cards)


def format_seat(seat: int, seats: int) -> str:
    """Return "You" if there is one seat, else the seat's number."""
    return "You" if seats == 1 else f"Seat {seat + 1}"


def render_view(game_round: Round, seat: int) -> Iterator[Text]:
    """Yield a line for each zone that the seat sees.

    The seat's own cards come first.  Cards that make a hand are shown with it.
    """
    view = game_round.get_view(seat)
    mine, dealers = game_round.game.rules.evaluate_hands(
        load_hand_tables(), game_round.states[seat], game_round.option_codes
    )
    for zone in view._fields:
        cards = getattr(view, zone)
        if not cards:
            continue
        own = zone == "player"
        name = format_seat(seat, game_round.seats) if own else display_name(zone.replace("_", "-")).capitalize()
        line = Text(f"  {name:<12}") + render_cards(cards, game_round.game)
        strength = mine if own else dealers if zone == "dealer" else NO_HAND
        if strength != NO_HAND:
            line.append(f"   {format_hand(strength)}", style="dim")
        yield line


def render_event(event: RoundEvent, game_round: Round) -> Text | None:
    """Return the line for an event, or None if the event has no line of its own."""
    if isinstance(event, CardsShown) and event.seat is None:
        return Text(f"  {display_name(event.zone.replace('_', '-')).capitalize()} shows ") + render_cards(
            event.cards, game_round.game
        )
    if isinstance(event, StubReshuffled):
        return Text(f"  The stub has run out: {len(event.cards)} discarded cards are shuffled into it", style="dim")
    return None


def render_settlements(events: Iterable[RoundEvent], game_round: Round) -> TerminalTable:
    """Return a table of every settled circle: its stake, result, net and reason."""
    seat = [Column("Seat")] if game_round.seats > 1 else []
    table = TerminalTable(
        (
            *seat,
            Column("Circle", wraps=True),
            *make_number_columns("Stake"),
            Column(),
            *make_number_columns("Net"),
            _REASON_COLUMN,
        )
    )
    for event in events:
        for row in _iter_settlement_rows(event, game_round):
            table.add_row(*row)
    return table


def _iter_settlement_rows(event: RoundEvent, game_round: Round) -> Iterator[list[Text | str]]:
    seat = [f"{event.seat + 1}"] if isinstance(event, WagerSettled | EnvyPaid) and game_round.seats > 1 else []
    if isinstance(event, WagerSettled):
        on = "" if event.on is None else f" on seat {event.on + 1}"
        for leg in event.legs:
            style = _RESULT_STYLES[leg.shown_result]
            result = Text(_RESULT_WORDS[leg.shown_result], style=style)
            net = Text(format_cents(leg.net_cents), style=style)
            circle = get_circle_name(leg.circle, game_round.game) + on
            yield [*seat, circle, format_cents(leg.stake_cents) if leg.stake_cents else "", result, net, leg.reason]
    elif isinstance(event, EnvyPaid):
        result, net = Text("wins", style="green"), Text(format_cents(event.cents), style="green")
        circle = f"{get_wager(game_round.game, event.bet).name} envy"
        yield [*seat, circle, "", result, net, f"seat {event.hitter + 1} has a {display_name(event.line)}"]
