"""The layout that the dealer sees at a moment of a round: cards and chips."""

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pitboss.builders import display_name
from pitboss.cards import format_card
from pitboss.paytables import find_progressive_table
from pitboss.table.round import Round
from pitboss.table.round.events import CardsDealt, CardsShown, DecisionMade, RoundEvent, StakePlaced, WagerSettled
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_circle_name, get_wager

_DEALER = "dealer"


@dataclass(frozen=True, slots=True)
class LayoutPlace:
    """A place of the layout: its name, its cards and its chips.

    Face-down cards are None.  ``given_up`` are the cards that a seat discarded and that lie open.  Chips are in cents
    by circle.  A seat ``is_folded`` once it has folded; it ``is_lit`` if its progressive wager went into the meter.
    ``draw`` says what a seat drew, ``choice`` what it chose last unless that is a draw or a fold.  ``replaced`` is the
    dealer's card that a drawn one has replaced, "" for none.
    """

    name: str
    cards: tuple[str | None, ...]
    chips: tuple[tuple[str, int], ...] = ()
    is_folded: bool = False
    given_up: tuple[str, ...] = ()
    is_lit: bool = False
    draw: str = ""
    replaced: str = ""
    choice: str = ""


_CHOICES = {
    "check": "checked",
    "discard": "discarded",
    "force": "forced",
    "lock": "locked",
    "play": "played",
    "play-2": "played again",
    "raise": "raised",
    "stand": "stood pat",
    "take-ante": "took the Ante",
}
"""What a seat has done, by its action."""


def build_layout_snapshot(
    game_round: Round, event_count: int, mucked: Sequence[int] = (), cleared: Collection[str] = ()
) -> Iterator[LayoutPlace]:
    """Yield the layout after the first ``event_count`` events of a round.

    The middle comes first, then the dealer, then each seat.  The hands of the seats ``mucked`` are collected, and so
    are the chips of the circles ``cleared`` of the wager that is settled next.
    """
    events = game_round.events[:event_count]
    shown = {card for event in events if isinstance(event, CardsShown) for card in event.cards}
    folded = find_folded_seats(events)
    discards = {(e.seat, card) for e in events if isinstance(e, DecisionMade) for card in e.cards}
    coined_in = _find_coined_in(game_round, events)
    lit = {e.seat for e in game_round.events if isinstance(e, StakePlaced) and e.bet == coined_in}
    places: dict[str | int, list[int]] = {stake.seat: [] for stake in game_round.stakes}  # chips lie before the deal
    for event in events:
        if isinstance(event, CardsDealt):
            places.setdefault(event.destination if event.seat is None else event.seat, []).extend(event.cards)
    for place in sorted(places, key=lambda each: (isinstance(each, int), str(each))):
        held = () if place in mucked else places[place]
        deck = game_round.game.deck
        faces = tuple(
            format_card(card, deck) if card in shown else None for card in held if (place, card) not in discards
        )
        given_up = tuple(format_card(card, deck) for card in held if card in shown and (place, card) in discards)
        name = f"Seat {place + 1}" if isinstance(place, int) else display_name(place).capitalize()
        chips = tuple(_iter_chips(game_round, place, events, cleared)) if isinstance(place, int) else ()
        draw = _describe_draw(game_round, place, events) if isinstance(place, int) else ""
        replaced = _find_replaced(game_round, events, shown) if place == _DEALER else ""
        faces = tuple(face for face in faces if not replaced or face != replaced)
        choice = _describe_choice(game_round, place, events) if isinstance(place, int) and place not in folded else ""
        yield LayoutPlace(name, faces, chips, place in folded, given_up, place in lit, draw, replaced, choice)


def _describe_draw(game_round: Round, seat: int, events: Sequence[RoundEvent]) -> str:
    """Describe what a seat drew for chips, "" for nothing."""
    actions = {(each.id, action.id): action for each in game_round.game.decisions for action in each.actions}
    for event in events:
        if isinstance(event, DecisionMade) and event.seat == seat and event.cents:
            action, count = actions[event.decision, event.action], len(event.cards)
            if action.draws:
                return f"exchanged {count} cards" if count else "bought a card"
    return ""


def _describe_choice(game_round: Round, seat: int, events: Sequence[RoundEvent]) -> str:
    """Describe a seat's last decision, "" for none.

    A draw has words of its own.
    """
    made = next((e.action for e in reversed(events) if isinstance(e, DecisionMade) and e.seat == seat), "")
    draws = {action.id for each in game_round.game.decisions for action in each.actions if action.draws}
    return "" if not made or made in draws else _CHOICES.get(made, f"chose {display_name(made)}")


def _find_replaced(game_round: Round, events: Sequence[RoundEvent], shown: AbstractSet[int]) -> str:
    """Find the dealer's card that a drawn one has replaced by then, "" for none."""
    game = game_round.game
    dealt = {card for e in events if isinstance(e, CardsDealt) and e.destination == _DEALER for card in e.cards}
    at_first = sum(zone.cards for zone in game.deal_order if zone.destination == _DEALER)
    if game.find_replaced_cards is None or len(dealt & shown) <= at_first:
        return ""
    found = (game.find_replaced_cards(state, game_round.option_codes) for state in game_round.states)
    mask = next(filter(None, found), 0)
    return next((format_card(card, game.deck) for card in game.deck.cards if mask >> card & 1), "")


def _find_coined_in(game_round: Round, events: Sequence[RoundEvent]) -> str:
    """Return the progressive bet whose wagers went into the meter.

    Return "" before the deal, or if there is none.
    """
    table = find_progressive_table(game_round.paytables)
    return table.bet if table and any(isinstance(each, CardsDealt) for each in events) else ""


def _iter_chips(
    game_round: Round, seat: int, events: Sequence[RoundEvent], cleared: Collection[str]
) -> Iterator[tuple[str, int]]:
    """Yield the chips of a seat's unsettled wagers and raises by circle.

    Those of the circles ``cleared`` of the wager that is settled next are left out.
    """
    chips: dict[tuple[str, str, int | None], int] = {}
    coined_in = _find_coined_in(game_round, events)
    for event in (*(each for each in game_round.events if isinstance(each, StakePlaced)), *events):
        if isinstance(event, StakePlaced) and event.seat == seat and event.bet != coined_in:
            for circle in get_wager(game_round.game, event.bet).circles or (event.bet,):
                chips[event.bet, circle, event.on] = event.cents
        elif isinstance(event, DecisionMade) and event.seat == seat and event.cents:
            chips["main", event.circle, None] = chips.get(("main", event.circle, None), 0) + event.cents
        elif isinstance(event, WagerSettled) and event.seat == seat:
            chips = {key: cents for key, cents in chips.items() if (key[0], key[2]) != (event.bet, event.on)}
    following = game_round.events[len(events)] if cleared else None
    settling = (following.seat, following.bet, following.on) if isinstance(following, WagerSettled) else None
    for (bet, circle, on), cents in chips.items():
        if (seat, bet, on) == settling and circle in cleared:
            continue
        yield get_circle_name(circle, game_round.game) + (f" on seat {on + 1}" if on is not None else ""), cents
