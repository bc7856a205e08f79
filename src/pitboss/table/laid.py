"""What lies before the dealer at a moment of a round: cards by place, chips by circle."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitboss.builders import display_name
from pitboss.cards import format_card
from pitboss.paytables import find_progressive_table
from pitboss.table.domain import Round
from pitboss.table.domain.events import Dealt, Decided, Event, Settled, Shown, Wagered
from pitboss.table.domain.wagers import wager_named


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies before the dealer: a place's name, its cards with None for those face down, its chips by circle."""

    name: str
    cards: tuple[str | None, ...]
    chips: tuple[tuple[str, int], ...] = ()


def laid(played: Round, events: int) -> Iterator[Laid]:
    """Yield what lies on the table once so many events of a round have happened: middle, dealer, then each seat."""
    passed = played.events[:events]
    shown = {card for event in passed if isinstance(event, Shown) for card in event.cards}
    gone = {(e.seat, card) for e in passed if isinstance(e, Decided) for card in e.cards}
    places: dict[str | int, list[int]] = {}
    for event in passed:
        if isinstance(event, Dealt):
            places.setdefault(event.to if event.seat is None else event.seat, []).extend(event.cards)
    for place in sorted(places, key=lambda each: (isinstance(each, int), str(each))):
        cards = [card for card in places[place] if card in shown or (place, card) not in gone]
        faces = tuple(format_card(card, played.game.deck) if card in shown else None for card in cards)
        name = f"Seat {place + 1}" if isinstance(place, int) else display_name(place).capitalize()
        yield Laid(name, faces, tuple(_chips(played, place, passed)) if isinstance(place, int) else ())


def _chips(played: Round, seat: int, passed: Sequence[Event]) -> Iterator[tuple[str, int]]:
    """Yield what lies in a seat's circles: wagers and raises that are not settled yet."""
    lying: dict[tuple[str, str, int | None], int] = {}
    on_meter = find_progressive_table(played.paytables)
    taken = on_meter.bet if on_meter and any(isinstance(each, Dealt) for each in passed) else ""  # by COIN IN
    for event in (*(each for each in played.events if isinstance(each, Wagered)), *passed):
        if isinstance(event, Wagered) and event.seat == seat and event.bet != taken:
            for circle in wager_named(played.game, event.bet).circles or (event.bet,):
                lying[event.bet, circle, event.on] = event.cents
        elif isinstance(event, Decided) and event.seat == seat and event.cents:
            lying["main", event.circle, None] = lying.get(("main", event.circle, None), 0) + event.cents
        elif isinstance(event, Settled) and event.seat == seat:
            lying = {key: cents for key, cents in lying.items() if (key[0], key[2]) != (event.bet, event.on)}
    for (_, circle, on), cents in lying.items():
        yield display_name(circle).title() + (f" on seat {on + 1}" if on is not None else ""), cents
