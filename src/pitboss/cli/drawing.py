"""How a round looks in a terminal: cards, hands, settlements.  Drawing only; nothing here decides anything."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, format_card
from pitboss.cli.grids import Column, Grid, numbers
from pitboss.contract import Game, LegResult
from pitboss.core.money import format_cents
from pitboss.hands import NO_HAND, format_hand, load_hand_tables
from pitboss.table.domain import EnvyPaid, Event, Reshuffled, Round, Settled, Shown
from pitboss.table.domain.wagers import circle_name, wager_named

# Four colours, so that no two suits look alike; the letter stands beside them for those who see none.
_SUIT_STYLES = ("bold white", "bold red", "bold blue", "bold green")
_JOKER_STYLE = "bold magenta"
_VERDICT_STYLES = {LegResult.WIN: "green", LegResult.PUSH: "yellow", LegResult.LOSE: "red"}
_WHY = Column("Why", words=True, parted=16)
_VERDICTS = {LegResult.WIN: "wins", LegResult.PUSH: "pushes", LegResult.LOSE: "loses"}


def card_text(card: int, game: Game) -> Text:
    """Return a card as letters in its suit's colour."""
    style = _JOKER_STYLE if card >= FIRST_JOKER else _SUIT_STYLES[card // 13]
    return Text(format_card(card, game.deck), style=style)


def cards_text(cards: int | Iterable[int], game: Game) -> Text:
    """Return cards in a row: a set with its highest ranks first, or cards in the order given."""
    if isinstance(cards, int):
        held = (card for card in game.deck.cards if cards >> card & 1)
        cards = sorted(held, key=lambda card: (card >= FIRST_JOKER, -(card % 13), card))
    return Text(" ").join(card_text(card, game) for card in cards)


def seat_name(seat: int, seats: int) -> str:
    """Return "You" where one person sits alone, else the seat's number."""
    return "You" if seats == 1 else f"p{seat + 1}"


def view_lines(now: Round, seat: int) -> Iterator[Text]:
    """Yield a line for each zone the seat sees, its own cards first with what they make."""
    view = now.view(seat)
    mine, dealers = now.game.rules.evaluate_hands(load_hand_tables(), now.states[seat], now.codes)
    for zone in view._fields:
        cards = getattr(view, zone)
        if not cards:
            continue
        own = zone == "player"
        name = seat_name(seat, now.seats) if own else display_name(zone.replace("_", "-")).capitalize()
        line = Text(f"  {name:<12}") + cards_text(cards, now.game)
        strength = mine if own else dealers if zone == "dealer" else NO_HAND
        if strength != NO_HAND:
            line.append(f"   {format_hand(strength)}", style="dim")
        yield line


def event_line(event: Event, now: Round) -> Text | None:
    """Return the line for what has just been turned up, or None for an event that draws nothing by itself."""
    if isinstance(event, Shown) and event.seat is None:
        return Text(f"  {display_name(event.zone.replace('_', '-')).capitalize()} shows ") + cards_text(
            event.cards, now.game
        )
    if isinstance(event, Reshuffled):
        return Text(f"  The stub has run out: {len(event.cards)} cards given up are shuffled into it", style="dim")
    return None


def settlement_table(events: Iterable[Event], now: Round) -> Grid:
    """Return a table of every circle settled: its stake, what became of it, what it nets, and why."""
    seat = [Column("Seat")] if now.seats > 1 else []
    table = Grid((*seat, Column("Circle", words=True), *numbers("Stake"), Column(), *numbers("Net"), _WHY))
    for event in events:
        for row in _rows(event, now):
            table.add(*row)
    return table


def _rows(event: Event, now: Round) -> Iterator[list[Text | str]]:
    seat = [f"p{event.seat + 1}"] if isinstance(event, Settled | EnvyPaid) and now.seats > 1 else []
    if isinstance(event, Settled):
        on = "" if event.on is None else f" on p{event.on + 1}"
        for leg in event.legs:
            style = _VERDICT_STYLES[leg.verdict]
            verdict = Text(_VERDICTS[leg.verdict], style=style)
            net = Text(format_cents(leg.net_cents), style=style)
            circle = circle_name(leg.circle, now.game) + on
            yield [*seat, circle, format_cents(leg.stake_cents) if leg.stake_cents else "", verdict, net, leg.reason]
    elif isinstance(event, EnvyPaid):
        won, net = Text("wins", style="green"), Text(format_cents(event.cents), style="green")
        circle = f"{wager_named(now.game, event.bet).name} envy"
        yield [*seat, circle, "", won, net, f"p{event.hitter + 1} has a {display_name(event.line)}"]
