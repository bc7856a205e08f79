"""Simulate any game with any strategy for any number of rounds: by the games' own rules, counted in integers."""
