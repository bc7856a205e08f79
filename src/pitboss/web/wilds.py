"""Which cards of a hand are wild, where they do not say so themselves as a Joker does."""

from importlib import import_module

from pitboss.cards import format_card
from pitboss.table.sitting import Sitting
from pitboss.web.layout import layout_of


def wild_cards(now: Sitting, seat: int | None) -> frozenset[str]:
    """Name the wild cards of a seat's hand, or with None of the dealer's, by the game's own rules.

    It is the house that asks: of these cards a page marks only those that it shows.
    """
    if now.round is None or not now.round.dealt or (seat is not None and seat not in now.playing):
        return frozenset()
    game = now.round.game
    said = layout_of(game).wild
    if said is None:
        return frozenset()
    state = now.round.states[0 if seat is None else now.playing.index(seat)]
    rules = import_module(game.rules.deal.__module__)
    wilds = getattr(rules, said.rule)
    if seat is None:
        found = wilds(state.dealer, getattr(state, said.dealers))
    else:
        found = wilds(state.player, getattr(rules, said.by)(state))
    return frozenset(format_card(card, game.deck) for card in game.deck.cards if found >> card & 1)
