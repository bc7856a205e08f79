"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five, and at one."""

from pitboss.games.wild_six_card.solver.best import BestPlay, best_play, choose_best
from pitboss.games.wild_six_card.solver.choices import NO_CHOICE, STAND
from pitboss.games.wild_six_card.solver.hints import hint
from pitboss.games.wild_six_card.solver.solution import WHOLE_DECK, Played, played, solve

__all__ = [
    "NO_CHOICE",
    "STAND",
    "WHOLE_DECK",
    "BestPlay",
    "Played",
    "best_play",
    "choose_best",
    "hint",
    "played",
    "solve",
]
