"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five, and at one."""

from pitboss.games.wild_six_card.solver.best import NO_CHOICE, STAND, WHOLE_DECK, Best, best, solve
from pitboss.games.wild_six_card.solver.hints import hint

__all__ = ["NO_CHOICE", "STAND", "WHOLE_DECK", "Best", "best", "hint", "solve"]
