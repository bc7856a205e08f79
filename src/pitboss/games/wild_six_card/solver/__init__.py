"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five, and at one."""

from pitboss.games.wild_six_card.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.wild_six_card.solver.book import WHOLE_DECK, PlayedFives, play_first_fives, solve
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, STAND
from pitboss.games.wild_six_card.solver.hints import hint

__all__ = [
    "NO_CHOICE",
    "STAND",
    "WHOLE_DECK",
    "BestPlay",
    "PlayedFives",
    "best_play",
    "choose_best",
    "hint",
    "play_first_fives",
    "solve",
]
