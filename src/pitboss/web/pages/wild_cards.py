"""The wild cards of a hand other than Jokers."""

from pitboss.cards import format_card
from pitboss.table.session import TableSession
from pitboss.table.session.terms import load_table_game
from pitboss.table.session.view import get_state_for_viewer


def find_wild_cards(session: TableSession, viewer: int | None, seat: int | None) -> frozenset[str]:
    """Return the wild cards of a hand, as the game finds them.

    ``seat`` is the seat whose hand it is, None for the dealer's.  The game gets only what ``viewer`` sees, so an
    indicator that lies face down marks no card.
    """
    game = load_table_game(session.terms)
    state = get_state_for_viewer(session, viewer, seat) if game.find_wild_cards else None
    if game.find_wild_cards is None or state is None:
        return frozenset()
    mine, dealers = game.find_wild_cards(state)
    mask = dealers if seat is None else mine
    return frozenset(format_card(card, game.deck) for card in game.deck.cards if mask >> card & 1)
