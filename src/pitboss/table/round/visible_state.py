"""The state of a seat as a viewer knows it: what is said of a hand is computed from the cards that lie open to them.

The state is dealt again from cards of which those that the viewer cannot see have no face.  So a rule that is asked
about it cannot tell what the viewer does not know, whatever it reads.
"""

from itertools import count
from typing import Any

from pitboss.cards import make_mask
from pitboss.table.round.driver import Round
from pitboss.table.round.events import CardsDealt, DecisionMade

_FIRST_FACELESS = 64
"""The first code of a card without a face; a set of cards with faces, and any other number of a state, is below."""

_FACE_MASK = (1 << _FIRST_FACELESS) - 1


def compute_visible_state(game_round: Round, seat: int, seat_mask: int | None, common_mask: int) -> Any:
    """Return a seat's state, a named tuple, with the cards that a viewer sees and no others.

    ``seat_mask`` are the cards that the viewer sees before that seat, ``common_mask`` those in the middle and before
    the dealer, as masks.  With ``seat_mask`` None the seat's cards do not matter, and the state has none.  What the
    seat has given up is no part of its hand, and may stay hidden.

    Returns None where a card that the seat's hand stands on, or that lies open to that seat alone, has no face: what
    the hand comes to is then not to be known.
    """
    state, unimportant = _redeal_faceless(game_round, seat, seat_mask, common_mask)
    missing = any((cards & ~unimportant) >> _FIRST_FACELESS for cards in game_round.game.rules.view(state))
    return None if missing else type(state)(*(each & _FACE_MASK for each in state))


def _redeal_faceless(game_round: Round, own_seat: int, seat_mask: int | None, common_mask: int) -> tuple[Any, int]:
    """Deal a seat's state again with faceless cards; return it, and which of those do not matter."""
    rules, decisions = game_round.game.rules, game_round.game.decisions
    codes, seen = count(_FIRST_FACELESS), {own_seat: seat_mask or 0, None: common_mask}
    deck: list[int] = []
    faceless: dict[int, int] = {}
    unimportant, state = 0, None
    for event in game_round.events:
        match event:
            case CardsDealt(_, cards, seat):
                known = [card if seen.get(seat, 0) >> card & 1 else next(codes) for card in cards]
                if seat == own_seat:
                    faceless.update(zip(cards, known, strict=True))
                    unimportant |= make_mask(known) & ~_FACE_MASK if seat_mask is None else 0
                if len(deck) < rules.count_dealt(game_round.seats):
                    deck += known
                    if len(deck) == rules.count_dealt(game_round.seats):
                        state = rules.deal(deck, game_round.seats, own_seat, game_round.get_wager_mask(own_seat))
                elif seat == own_seat:
                    state = rules.receive_draw(state, make_mask(known))
                elif seat is None and rules.count_dealer_draws(state):
                    state = rules.receive_dealer_draw(state, make_mask(known))
            case DecisionMade(seat, decision, action, cards) if seat == own_seat:
                given = make_mask([faceless[card] for card in cards])
                unimportant |= given & ~_FACE_MASK
                index = next(at for at, each in enumerate(decisions) if each.id == decision)
                taken = next(at for at, each in enumerate(decisions[index].actions) if each.id == action)
                state = rules.act(state, index, taken, given)
    return (rules.show_dealer(state) if game_round.is_dealer_open else state), unimportant
