"""Simulate any game with any strategy for any number of rounds.

Rounds are played by the games' own rules, and their results are counted in integers.
"""
