"""Steps of the dealing procedure in words."""

from collections.abc import Sequence

from pitboss.contract import Decision, Zone
from pitboss.table.round import CardsDealt, CardsShown, Round

ALL_IS_SETTLED, SEAT_IS_SETTLED = "every wager is settled", "every wager of"
"""How the facts begin that no wager is left at the table, and at a seat."""

_ZONE_NAMES = {"dealer": "your own cards", "community": "the community cards", "forced": "your replacement card"}

_NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def describe_deal_step(zones: Sequence[Zone]) -> str:
    """Describe the first deal: how many cards go where, in which order."""
    places = {"seat": "to each seat", "dealer": "to yourself", "community": "to the middle"}
    dealt = (f"{each.cards} {places.get(each.destination, 'to ' + each.destination.upper())}" for each in zones)
    return f"Deal {', '.join(dealt)}"


def describe_ask_step(decision: Decision, seat: int) -> str:
    """Describe asking a seat for a decision."""
    return f"Ask seat {seat + 1}: {' '.join(decision.question.split())}"


def describe_draw_step(seat: int | None, count: int) -> str:
    """Describe giving a seat, or the dealer, a number of cards from the stub."""
    receiver = "yourself" if seat is None else f"seat {seat + 1}"
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)  # after the seat's number no second numeral
    return f"Give {receiver} {number} card{'s' if count != 1 else ''} from the stub"


def describe_settle_step(seat: int) -> str:
    """Describe settling a seat."""
    return f"Settle seat {seat + 1}"


def describe_turn_up_step(seat: int) -> str:
    """Describe turning up a seat's hand."""
    return f"Turn up the hand of seat {seat + 1}"


def describe_collect_step(seat: int) -> str:
    """Describe collecting a folded hand."""
    return f"Collect the folded hand of seat {seat + 1}"


def describe_zone_name(zone: str) -> str:
    """Describe the cards of a zone, all of them."""
    return _ZONE_NAMES.get(zone, zone.upper())


def describe_zone(game_round: Round, event: CardsShown, before: int) -> str:
    """Describe which cards of a zone are turned up: all, some of them, or the rest."""
    events = game_round.events[:before]
    name = describe_zone_name(event.zone)
    count = sum(
        len(each.cards) for each in events if isinstance(each, CardsDealt) and each.destination.lower() == event.zone
    )
    if any(isinstance(each, CardsShown) and each.zone == event.zone for each in events):
        return f"the rest of {name}"
    return name if len(event.cards) == count or not count else f"{len(event.cards)} of {name}"
