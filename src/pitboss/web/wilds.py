"""Which cards of a hand are wild, where they do not say so themselves as a Joker does."""

from importlib import import_module

from pitboss.cards import format_card
from pitboss.table.sitting import Sitting
from pitboss.table.sitting.terms import game_of
from pitboss.table.sitting.view import known_state
from pitboss.web.layout import layout_of


def wild_cards(now: Sitting, viewer: int | None, seat: int | None) -> frozenset[str]:
    """Name the wild cards of a seat's hand, or with None of the dealer's, by the game's own rules.

    The rules are asked about what ``viewer`` sees: no card is marked by an indicator that lies face down.
    """
    game = game_of(now.terms)
    said = layout_of(game).wild
    state = known_state(now, viewer, seat) if said else None
    if said is None or state is None:
        return frozenset()
    rules = import_module(game.rules.deal.__module__)
    wilds = getattr(rules, said.rule)
    if seat is None:
        found = wilds(state.dealer, getattr(state, said.dealers))
    else:
        found = wilds(state.player, getattr(rules, said.by)(state))
    return frozenset(format_card(card, game.deck) for card in game.deck.cards if found >> card & 1)
