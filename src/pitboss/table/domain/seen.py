"""The state of a seat as a viewer knows it: what is said of a hand is computed from the cards that lie open to them.

The state is dealt again from cards of which those that the viewer cannot see have no face.  So a rule that is asked
about it cannot tell what the viewer does not know, whatever it reads.
"""

from itertools import count
from typing import Any

from pitboss.cards import make_mask
from pitboss.table.domain.events import Dealt, Decided
from pitboss.table.domain.round import Round

_FACELESS = 64
"""The first code of a card without a face; a set of cards with faces, and any other number of a state, is below."""

_FACES = (1 << _FACELESS) - 1


def state_as_seen(now: Round, place: int, own: int | None, middle: int) -> Any:
    """Return a seat's state, a named tuple, with the cards that a viewer sees and no others.

    ``own`` are the cards that the viewer sees before that seat, ``middle`` those in the middle and before the dealer,
    as masks.  With ``own`` None the seat's cards do not matter, and the state has none.  What the seat has given up is
    no part of its hand, and may stay hidden.

    Returns None where a card that the seat's hand stands on, or that lies open to that seat alone, has no face: what
    the hand comes to is then not to be known.
    """
    state, unimportant = _dealt_again(now, place, own, middle)
    missing = any((cards & ~unimportant) >> _FACELESS for cards in now.game.rules.view(state))
    return None if missing else type(state)(*(each & _FACES for each in state))


def _dealt_again(now: Round, place: int, own: int | None, middle: int) -> tuple[Any, int]:
    """Deal a seat's state again with faceless cards; return it, and which of those do not matter."""
    rules, decisions = now.game.rules, now.game.decisions
    codes, seen = count(_FACELESS), {place: own or 0, None: middle}
    deck: list[int] = []
    faceless: dict[int, int] = {}
    unimportant, state = 0, None
    for event in now.events:
        match event:
            case Dealt(_, cards, seat):
                known = [card if seen.get(seat, 0) >> card & 1 else next(codes) for card in cards]
                if seat == place:
                    faceless.update(zip(cards, known, strict=True))
                    unimportant |= make_mask(known) & ~_FACES if own is None else 0
                if len(deck) < rules.count_dealt(now.seats):
                    deck += known
                    if len(deck) == rules.count_dealt(now.seats):
                        state = rules.deal(deck, now.seats, place, now.wagered(place))
                elif seat == place:
                    state = rules.receive_draw(state, make_mask(known))
                elif seat is None and rules.count_dealer_draws(state):
                    state = rules.receive_dealer_draw(state, make_mask(known))
            case Decided(seat, decision, action, cards) if seat == place:
                given = make_mask([faceless[card] for card in cards])
                unimportant |= given & ~_FACES
                index = next(at for at, each in enumerate(decisions) if each.id == decision)
                taken = next(at for at, each in enumerate(decisions[index].actions) if each.id == action)
                state = rules.act(state, index, taken, given)
    return (rules.show_dealer(state) if now.opened else state), unimportant
