"""The wild cards of a hand other than Jokers, and replaced cards."""

from collections.abc import Mapping
from typing import Any

from pitboss.cards import format_card
from pitboss.games import load_game
from pitboss.table.session import TableSession
from pitboss.table.session.perspective import CountedHand, get_state_for_viewer
from pitboss.table.session.terms import load_table_game
from pitboss.web.pages.table_layout import load_layout


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


def list_replaced_cards(session: TableSession, view: Mapping[str, Any], dealers: CountedHand | None) -> list[str]:
    """Return the dealer's cards that drawn ones have replaced.

    In a game in which they do, they are those that do not count for the dealer's hand.
    """
    game = load_game(session.terms.game)
    dealt = sum(zone.cards for zone in game.deal_order if zone.destination == "dealer")
    cards = next((zone["cards"] for zone in view["zones"] if zone["zone"] == "dealer"), ())
    if not load_layout(game).dealer_draw_replaces or not dealers or not dealers.cards or len(cards) <= dealt:
        return []
    return [card for card in cards if card not in dealers.cards]
