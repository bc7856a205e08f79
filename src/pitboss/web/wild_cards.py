"""The wild cards of a hand other than Jokers."""

from importlib import import_module

from pitboss.cards import format_card
from pitboss.table.session import TableSession
from pitboss.table.session.terms import load_table_game
from pitboss.table.session.view import get_state_for_viewer
from pitboss.web.table_layout import load_layout


def find_wild_cards(session: TableSession, viewer: int | None, seat: int | None) -> frozenset[str]:
    """Return the wild cards of a seat's hand, or of the dealer's (None), by the game's own rules.

    The rules get only what ``viewer`` sees, so an indicator that lies face down marks no card.
    """
    game = load_table_game(session.terms)
    wild_rule = load_layout(game).wild
    state = get_state_for_viewer(session, viewer, seat) if wild_rule else None
    if wild_rule is None or state is None:
        return frozenset()
    rules = import_module(game.rules.deal.__module__)
    find_wilds = getattr(rules, wild_rule.rule)
    if seat is None:
        mask = find_wilds(state.dealer, getattr(state, wild_rule.dealers))
    else:
        mask = find_wilds(state.player, getattr(rules, wild_rule.by)(state))
    return frozenset(format_card(card, game.deck) for card in game.deck.cards if mask >> card & 1)
