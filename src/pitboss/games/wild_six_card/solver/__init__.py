"""Solve the Poker bet exactly: the best discard, or standing, for every first five, and hints at one position."""

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
