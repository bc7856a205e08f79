"""Rounds played by the thousand and the million from the games' own rule functions."""
