"""The exact best play of any game, found from its rules alone.

A game without a solver of its own is solved here.  No module names a game.
"""
