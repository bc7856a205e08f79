"""Steps of the dealing procedure in words."""

from pitboss.contract import Game
from pitboss.table.round import CardsDealt, CardsShown, Round

_ZONE_NAMES = {"dealer": "your own cards", "community": "the community cards", "forced": "your replacement card"}


def describe_deal(game: Game) -> str:
    """Describe the first deal: how many cards go where, in which order."""
    places = {"seat": "to each seat", "dealer": "to yourself", "community": "to the middle"}
    zones = (
        f"{each.cards} {places.get(each.destination, 'to ' + each.destination.upper())}" for each in game.deal_order
    )
    return f"Deal {', '.join(zones)}"


def describe_draw(event: CardsDealt) -> str:
    """Describe a draw: who gets how many cards from the stub."""
    receiver = "yourself" if event.seat is None else f"seat {event.seat + 1}"
    count = len(event.cards)
    return f"Give {receiver} {'a card' if count == 1 else f'{count} cards'} from the stub"


def describe_zone(game_round: Round, event: CardsShown, before: int) -> str:
    """Describe which cards of a zone are turned up: all, some of them, or the rest."""
    events = game_round.events[:before]
    name = _ZONE_NAMES.get(event.zone, event.zone.upper())
    count = sum(
        len(each.cards) for each in events if isinstance(each, CardsDealt) and each.destination.lower() == event.zone
    )
    if any(isinstance(each, CardsShown) and each.zone == event.zone for each in events):
        return f"the rest of {name}"
    return name if len(event.cards) == count or not count else f"{len(event.cards)} of {name}"
