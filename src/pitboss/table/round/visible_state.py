"""The state of a seat, computed from the cards that a viewer sees.

Everything that is said of a hand comes from this state.  The state is dealt again with faceless cards in place of those
that the viewer cannot see.  So no rule can reveal what the viewer does not know, whatever it reads.
"""

from itertools import count
from typing import Any

from pitboss.cards import make_mask
from pitboss.table.round.driver import Round
from pitboss.table.round.events import CardsDealt, DecisionMade

_FIRST_FACELESS = 64
"""The first code of a faceless card; every mask of cards with faces, and any other number of a state, is below."""

_FACE_MASK = (1 << _FIRST_FACELESS) - 1


def compute_visible_state(game_round: Round, seat: int, seat_mask: int | None, common_mask: int) -> Any:
    """Compute a seat's state, a named tuple, with only the cards that a viewer sees.

    ``seat_mask`` holds the cards that the viewer sees before that seat, ``common_mask`` those in the middle and before
    the dealer.  With ``seat_mask`` None the seat's cards do not matter, and the state has none.  The seat's discards
    are not part of its hand, and may stay hidden.

    Returns None if a card that counts for the seat's hand, or that is open to that seat alone, is faceless: the viewer
    then cannot know what the hand is.
    """
    state, unimportant = _redeal_faceless(game_round, seat, seat_mask, common_mask)
    is_hidden = any((cards & ~unimportant) >> _FIRST_FACELESS for cards in game_round.game.rules.view(state))
    return None if is_hidden else _drop_faceless(state)


def compute_reduced_state(game_round: Round, seat: int, seat_mask: int | None, common_mask: int) -> Any:
    """Compute a seat's state, a named tuple, as if the round had no cards but these.

    The masks are those of ``compute_visible_state``.  A rule that is asked about the state tells which cards count.
    """
    state, _ = _redeal_faceless(game_round, seat, seat_mask, common_mask)
    return _drop_faceless(state)


def _drop_faceless(state: Any) -> Any:
    return type(state)(*(each & _FACE_MASK for each in state))


def _redeal_faceless(game_round: Round, own_seat: int, seat_mask: int | None, common_mask: int) -> tuple[Any, int]:
    """Deal a seat's state again with faceless cards.

    Return it and a mask of the faceless cards that do not matter.
    """
    rules, decisions = game_round.game.rules, game_round.game.decisions
    codes, visible = count(_FIRST_FACELESS), {own_seat: seat_mask or 0, None: common_mask}
    deck: list[int] = []
    faceless: dict[int, int] = {}
    unimportant, state = 0, None
    for event in game_round.events:
        match event:
            case CardsDealt(_, cards, seat):
                known = [card if visible.get(seat, 0) >> card & 1 else next(codes) for card in cards]
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
                discards = make_mask([faceless[card] for card in cards])
                unimportant |= discards & ~_FACE_MASK
                decision_index = next(at for at, each in enumerate(decisions) if each.id == decision)
                actions = decisions[decision_index].actions
                action_index = next(at for at, each in enumerate(actions) if each.id == action)
                state = rules.act(state, decision_index, action_index, discards)
    return (rules.show_dealer(state) if game_round.is_dealer_open else state), unimportant
