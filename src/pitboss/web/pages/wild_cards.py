"""The wild cards of a hand other than Jokers, and replaced cards."""

from pitboss.cards import format_card
from pitboss.table.session import TableSession
from pitboss.table.session.perspective import get_state_for_viewer
from pitboss.table.session.terms import load_table_game


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


def list_replaced_cards(session: TableSession, viewer: int | None) -> list[str]:
    """Return the dealer's replaced cards, as ``viewer`` sees the dealer's hand."""
    game = load_table_game(session.terms)
    state = get_state_for_viewer(session, viewer, None) if game.find_replaced_cards else None
    if game.find_replaced_cards is None or state is None or session.round is None:
        return []
    mask = game.find_replaced_cards(state, session.round.option_codes)
    return [format_card(card, game.deck) for card in game.deck.cards if mask >> card & 1]
